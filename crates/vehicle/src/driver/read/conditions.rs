//! Reads the conditions that end a phase (`until`) or the manoeuvre (`[stop]`).

use super::units;
use crate::driver::condition::Condition;
use crate::fields::Fields;
use crate::files::FileError;

/// Any of the conditions; at least one must be there.
pub fn read(fields: &Fields<'_>) -> Result<Condition, FileError> {
    let number = |name| Ok::<_, FileError>(fields.number(name)?.map(|found| found.value));
    let condition = Condition {
        time_s: number("time_s")?,
        distance_m: number("distance_m")?,
        speed_above_m_s: fields.quantity(units::SPEED_ABOVE)?.map(|found| found.value),
        speed_below_m_s: fields.quantity(units::SPEED_BELOW)?.map(|found| found.value),
        x_above_m: number("x_above_m")?,
        x_below_m: number("x_below_m")?,
        lateral_above_m_s2: number("lateral_above_m_s2")?,
        standstill: fields.flag("standstill")?,
    };
    fields.finish()?;
    if condition.is_empty() {
        return Err(fields.fault("expected at least one condition, such as time_s = 3.0"));
    }
    Ok(condition)
}
