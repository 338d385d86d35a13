//! How long to wait before a process that died is started again.

use std::time::Duration;

use service::config::Supervisor;

/// The first restart comes quickly; each one that follows too soon waits twice as long, up to a
/// limit. A process that ran long enough has earned a quick restart again.
#[derive(Clone, Debug)]
pub struct Backoff {
    first: Duration,
    most: Duration,
    settled_after: Duration,
    next: Duration,
}

impl Backoff {
    pub fn new(config: &Supervisor) -> Self {
        let first = Duration::from_millis(config.restart_delay_ms);
        Self {
            first,
            most: Duration::from_millis(config.restart_delay_max_ms),
            settled_after: Duration::from_millis(config.settled_after_ms),
            next: first,
        }
    }

    /// The delay after a process that lived so long.
    pub fn after(&mut self, lived: Duration) -> Duration {
        if lived >= self.settled_after {
            self.next = self.first;
        }
        let delay = self.next;
        self.next = (self.next * 2).min(self.most);
        delay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_a_limit_and_start_again_after_a_long_life() {
        let mut config = service::Config::default().supervisor;
        (config.restart_delay_ms, config.restart_delay_max_ms, config.settled_after_ms) = (10, 50, 1_000);
        let mut backoff = Backoff::new(&config);
        let mut after_ms = |lived_ms| backoff.after(Duration::from_millis(lived_ms)).as_millis();
        assert_eq!([after_ms(0), after_ms(999), after_ms(0), after_ms(0)], [10, 20, 40, 50]);
        assert_eq!([after_ms(1_000), after_ms(1)], [10, 20]);
    }
}
