//! How fast the run goes: at its own pace, in slow motion, or held and step by step.
//!
//! Anybody who may drive may ask, whoever has the seat. When the one goes away who asked last, the
//! run goes on at its own pace: a closed page holds nobody. [`crate::operator`] publishes what is
//! asked for.

use shm_layout::blocks::{Overrides, PACE_HELD, PACE_OF_RUN};
use tokio::sync::watch;

use crate::messages::RunControl;

/// What is asked of the run.
pub struct Pace {
    pace_ratio: watch::Sender<f64>,
    /// Who asked last, as long as it is not the run's own pace.
    client: Option<u64>,
    steps_asked: u64,
}

impl Pace {
    /// The run's own pace, whatever the last gateway asked for; single steps are counted on.
    pub fn new(before: &Overrides) -> Self {
        Self { pace_ratio: watch::channel(PACE_OF_RUN).0, client: None, steps_asked: before.steps_asked }
    }

    /// Tells of every change.
    pub fn changes(&self) -> watch::Receiver<f64> {
        self.pace_ratio.subscribe()
    }

    fn now(&self) -> f64 {
        *self.pace_ratio.borrow()
    }

    /// Whether the run goes at its own pace, which needs nothing to be said.
    pub fn is_of_run(&self) -> bool {
        self.now() == PACE_OF_RUN
    }

    /// What a client asks for; an error says why not.
    pub fn ask(&mut self, client: u64, control: RunControl) -> Result<(), &'static str> {
        let asked = control.pace_ratio.unwrap_or(self.now());
        if !(PACE_HELD..=PACE_OF_RUN).contains(&asked) {
            return Err("pace_ratio must be from 0 (held) to 1 (the run's own pace)");
        }
        if control.step && asked != PACE_HELD {
            return Err("a single step needs a run that is held: ask for pace_ratio 0");
        }
        self.change(Some(client), asked);
        self.steps_asked += u64::from(control.step);
        Ok(())
    }

    /// A client has gone.
    pub fn leave(&mut self, client: u64) {
        if self.client == Some(client) {
            self.change(None, PACE_OF_RUN);
        }
    }

    fn change(&mut self, client: Option<u64>, pace_ratio: f64) {
        self.client = client.filter(|_| pace_ratio != PACE_OF_RUN);
        if pace_ratio != self.now() {
            tracing::info!(event = "run", "{}", in_words(pace_ratio));
            self.pace_ratio.send_replace(pace_ratio);
        }
    }

    /// Says how fast the run is to go.
    pub fn fill(&self, overrides: &mut Overrides) {
        overrides.pace_ratio = self.now();
        overrides.steps_asked = self.steps_asked;
    }
}

fn in_words(pace_ratio: f64) -> String {
    match pace_ratio {
        PACE_HELD => "a person at the gateway holds the run".to_owned(),
        PACE_OF_RUN => "the run goes on at its own pace".to_owned(),
        _ => format!("a person at the gateway lets the run go at {pace_ratio} of its own pace"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: RunControl = RunControl { pace_ratio: None, step: true };

    fn at(pace_ratio: f64) -> RunControl {
        RunControl { pace_ratio: Some(pace_ratio), step: false }
    }

    fn said(pace: &Pace) -> (f64, u64) {
        let mut overrides = Overrides::default();
        pace.fill(&mut overrides);
        (overrides.pace_ratio, overrides.steps_asked)
    }

    #[test]
    fn single_steps_are_counted_while_the_run_is_held() {
        let mut pace = Pace::new(&Overrides::default());
        assert!(pace.is_of_run() && pace.ask(1, STEP).is_err());
        pace.ask(1, at(0.0)).unwrap();
        (0..3).for_each(|_| pace.ask(1, STEP).unwrap());
        assert_eq!(said(&pace), (0.0, 3));
        pace.ask(2, at(0.1)).unwrap();
        assert!(pace.ask(1, STEP).is_err());
        pace.ask(1, RunControl { pace_ratio: Some(0.0), step: true }).unwrap();
        assert_eq!(said(&pace), (0.0, 4));
        // The next gateway counts on, and holds nobody.
        let mut before = Overrides::default();
        pace.fill(&mut before);
        assert_eq!(said(&Pace::new(&before)), (1.0, 4));
    }

    #[test]
    fn nonsense_is_refused_and_changes_nothing() {
        let mut pace = Pace::new(&Overrides::default());
        for wrong in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(pace.ask(1, at(wrong)).is_err(), "{wrong}");
        }
        assert_eq!(said(&pace), (1.0, 0));
    }

    #[test]
    fn the_run_goes_on_when_the_last_one_who_held_it_goes() {
        let mut pace = Pace::new(&Overrides::default());
        pace.ask(1, at(0.0)).unwrap();
        pace.ask(2, at(0.1)).unwrap();
        pace.leave(1);
        assert_eq!(said(&pace).0, 0.1);
        pace.leave(2);
        assert!(pace.is_of_run());
        pace.ask(3, at(0.5)).unwrap();
        pace.ask(3, at(1.0)).unwrap();
        pace.ask(4, at(0.0)).unwrap();
        pace.leave(3);
        assert_eq!(said(&pace).0, 0.0);
    }
}
