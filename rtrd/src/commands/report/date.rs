//! The date of today, without a library for calendars.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now, as `2026-11-16 07:30 UTC`.
pub fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    text(since.as_secs())
}

/// A time in seconds since 1970 as a date. Years begin in March here, so that the leap day is the
/// last of a year (Hinnant, "chrono-compatible low-level date algorithms").
fn text(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute) = (rest / 3600, rest % 3600 / 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values from `date -u -d @…`.
    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(text(0), "1970-01-01 00:00 UTC");
        assert_eq!(text(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(text(1_794_814_200), "2026-11-16 07:30 UTC");
        assert_eq!(text(4_107_542_399), "2100-02-28 23:59 UTC");
    }
}
