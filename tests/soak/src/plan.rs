//! What goes wrong and when: made from a seed, so that the same seed gives the same hour again.

use std::fmt;

use anyhow::ensure;
use serde::{Deserialize, Serialize};

use crate::ability::Abilities;

/// Nothing is broken before the vehicle drives, nor so late that its recovery could not be seen.
const QUIET_BEFORE_S: f64 = 10.0;
const QUIET_AFTER_S: f64 = 20.0;
/// Nor in the last part of the run: there the processes live long enough for a leak to show.
const QUIET_SHARE: f64 = 0.1;
/// Time between the beginnings of two faults, least and most.
const BETWEEN_S: (f64, f64) = (8.0, 22.0);

/// A process of the instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Victim {
    Daq,
    Subsystem,
    Dynamics,
}

/// The processes in the order of their health blocks.
pub const VICTIMS: [Victim; 3] = [Victim::Daq, Victim::Subsystem, Victim::Dynamics];

/// What is done to the instance or to its machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "kebab-case")]
pub enum Fault {
    /// SIGKILL.
    Kill { victim: Victim },
    /// SIGSTOP, and SIGCONT later: a stuck process.
    Stop { victim: Victim, seconds: f64 },
    /// Stopped for half of the time, in slices: a process that is too slow.
    SlowDown { victim: Victim, seconds: f64 },
    /// The acquisition stream delivers garbage.
    CorruptStream { seconds: f64 },
    /// The disk of the crash reports is full while the acquisition is killed, and has room again
    /// when it is killed once more.
    FillDisk { seconds: f64 },
    /// The wall clock jumps, and back.
    StepClock { by_s: f64, seconds: f64 },
    /// A CPU is taken away.
    UnplugCpu { cpu: usize, seconds: f64 },
}

impl Fault {
    /// How long it lasts (s).
    pub fn seconds(&self) -> f64 {
        match *self {
            Fault::Kill { .. } => 0.0,
            Fault::Stop { seconds, .. }
            | Fault::SlowDown { seconds, .. }
            | Fault::CorruptStream { seconds }
            | Fault::FillDisk { seconds }
            | Fault::StepClock { seconds, .. }
            | Fault::UnplugCpu { seconds, .. } => seconds,
        }
    }
}

impl fmt::Display for Victim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Victim::Daq => "daq",
            Victim::Subsystem => "subsystem",
            Victim::Dynamics => "dynamics",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Kill { victim } => write!(formatter, "kill {victim}"),
            Fault::Stop { victim, seconds } => write!(formatter, "stop {victim} for {seconds:.1} s"),
            Fault::SlowDown { victim, seconds } => write!(formatter, "slow {victim} down for {seconds:.1} s"),
            Fault::CorruptStream { seconds } => {
                write!(formatter, "corrupt the acquisition stream for {seconds:.1} s")
            }
            Fault::FillDisk { seconds } => {
                write!(formatter, "fill the disk for {seconds:.1} s, and kill daq then and after")
            }
            Fault::StepClock { by_s, seconds } => {
                write!(formatter, "step the wall clock by {by_s:+.1} s for {seconds:.1} s")
            }
            Fault::UnplugCpu { cpu, seconds } => write!(formatter, "unplug CPU {cpu} for {seconds:.1} s"),
        }
    }
}

/// A fault and its time from the start (s).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    pub at_s: f64,
    #[serde(flatten)]
    pub fault: Fault,
}

/// All faults of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    pub seed: u64,
    pub seconds: f64,
    pub events: Vec<Event>,
}

impl Plan {
    /// The plan of a seed. What the machine cannot do does not occur in it; its abilities are part
    /// of what the seed stands for.
    pub fn seeded(seed: u64, seconds: f64, abilities: &Abilities) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut events = Vec::new();
        let mut at_s = tenths(QUIET_BEFORE_S + between(&mut random, (0.0, BETWEEN_S.0)));
        let quiet_from_s = seconds - quiet_after_s(seconds);
        while at_s < quiet_from_s {
            let fault = fault(&mut random, abilities);
            events.push(Event { at_s, fault });
            at_s = tenths(at_s + fault.seconds() + between(&mut random, BETWEEN_S));
        }
        Self { seed, seconds, events }
    }

    /// Whether a plan from a file can be done: times within the run, one after the other.
    pub fn check(&self) -> anyhow::Result<()> {
        ensure!(
            self.seconds.is_finite() && self.seconds > 0.0,
            "seconds: expected more than 0, found {}",
            self.seconds
        );
        let mut before_s = 0.0;
        for (number, Event { at_s, fault }) in self.events.iter().enumerate() {
            ensure!(
                (before_s..=self.seconds).contains(at_s),
                "events[{number}].at_s: expected {before_s}..{}, found {at_s}",
                self.seconds
            );
            let seconds = fault.seconds();
            ensure!(
                (0.0..=self.seconds).contains(&seconds),
                "events[{number}].seconds: expected 0..{}, found {seconds}",
                self.seconds
            );
            before_s = *at_s;
        }
        Ok(())
    }
}

/// How long nothing is broken at the end of a run (s).
pub fn quiet_after_s(seconds: f64) -> f64 {
    QUIET_AFTER_S.max(seconds * QUIET_SHARE)
}

/// Kills are half of all faults: they are what the processes are made for.
fn fault(random: &mut fastrand::Rng, abilities: &Abilities) -> Fault {
    let victim = VICTIMS[random.usize(..VICTIMS.len())];
    let mut others: Vec<Fault> = vec![
        Fault::Stop { victim, seconds: between(random, (0.2, 5.0)) },
        Fault::SlowDown { victim, seconds: between(random, (0.5, 3.0)) },
        Fault::CorruptStream { seconds: between(random, (0.5, 5.0)) },
    ];
    if abilities.disk.is_ok() {
        let seconds = between(random, (2.0, 10.0));
        others.push(Fault::FillDisk { seconds });
    }
    if abilities.clock.is_ok() {
        let by_s = between(random, (0.5, 3.0)) * if random.bool() { 1.0 } else { -1.0 };
        let seconds = between(random, (0.5, 2.0));
        others.push(Fault::StepClock { by_s, seconds });
    }
    if let Ok(cpus) = &abilities.unplug {
        let cpu = cpus[random.usize(..cpus.len())];
        let seconds = between(random, (0.5, 3.0));
        others.push(Fault::UnplugCpu { cpu, seconds });
    }
    let chosen = others[random.usize(..others.len())];
    if random.bool() { Fault::Kill { victim } } else { chosen }
}

fn between(random: &mut fastrand::Rng, (least, most): (f64, f64)) -> f64 {
    tenths(least + (most - least) * random.f64())
}

/// Tenths of a second are what a person can read in a report, and survive being written as text.
fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_is_the_same_plan_and_another_is_another() {
        let abilities = Abilities::all(vec![1]);
        let plan = Plan::seeded(7, 3600.0, &abilities);
        assert_eq!(plan, Plan::seeded(7, 3600.0, &abilities));
        assert_ne!(plan.events, Plan::seeded(8, 3600.0, &abilities).events);
    }

    #[test]
    fn an_hour_has_every_fault_that_the_machine_allows() {
        let plan = Plan::seeded(1, 3600.0, &Abilities::all(vec![1]));
        let kinds: std::collections::BTreeSet<String> =
            plan.events.iter().map(|event| event.fault.to_string().split(' ').next().unwrap().to_owned()).collect();
        assert_eq!(kinds.len(), 7, "{kinds:?}");
        assert!((120..400).contains(&plan.events.len()), "{}", plan.events.len());
        let none = Plan::seeded(1, 3600.0, &Abilities::none());
        let own = |event: &Event| {
            matches!(
                event.fault,
                Fault::Kill { .. } | Fault::Stop { .. } | Fault::SlowDown { .. } | Fault::CorruptStream { .. }
            )
        };
        assert!(none.events.iter().all(own));
    }

    #[test]
    fn faults_do_not_overlap_and_leave_time_at_both_ends() {
        let plan = Plan::seeded(3, 600.0, &Abilities::all(vec![1, 2]));
        for pair in plan.events.windows(2) {
            assert!(pair[1].at_s >= pair[0].at_s + pair[0].fault.seconds() + BETWEEN_S.0 - 1e-9);
        }
        assert!(plan.events[0].at_s >= QUIET_BEFORE_S);
        assert!(plan.events.last().unwrap().at_s < 600.0 - 60.0);
        assert_eq!((quiet_after_s(3600.0), quiet_after_s(30.0)), (360.0, 20.0));
        assert!(Plan::seeded(3, 20.0, &Abilities::none()).events.is_empty());
    }

    #[test]
    fn a_plan_that_cannot_be_done_is_refused_with_its_field() {
        let mut plan = Plan::seeded(11, 900.0, &Abilities::all(vec![1]));
        assert!(plan.check().is_ok());
        plan.events[3].at_s = 1.0;
        let message = plan.check().unwrap_err().to_string();
        assert!(message.starts_with("events[3].at_s: expected"), "{message}");
        plan.seconds = f64::NAN;
        assert!(plan.check().unwrap_err().to_string().starts_with("seconds:"));
    }

    #[test]
    fn a_plan_survives_being_written_and_read() {
        let plan = Plan::seeded(11, 900.0, &Abilities::all(vec![1]));
        let text = serde_json::to_string(&plan).unwrap();
        assert_eq!(serde_json::from_str::<Plan>(&text).unwrap(), plan);
    }
}
