//! What was done to the instance, and how it got over it.

use serde::Serialize;

use crate::injector::{position, victim_of};
use crate::plan::{Fault, VICTIMS};
use crate::watch::Look;
use rtrd::PROCESSES;

/// A process that reports at least so often lives (ms).
const ALIVE_MS: f64 = 1_500.0;
/// After the end of a fault everything has to be well again within this time (s).
pub const RECOVERED_WITHIN_S: f64 = 15.0;
/// A process has settled after so long (s): what it needs it has.
pub const SETTLED_S: f64 = 5.0;

/// A fault as it was really brought about.
#[derive(Clone, Debug)]
pub struct Incident {
    pub fault: Fault,
    pub began_s: f64,
    /// `None` as long as it lasts, or if it was left out.
    pub ended_s: Option<f64>,
    /// Why it could not be brought about.
    pub left_out: Option<String>,
    /// Why the machine did not get back what was taken from it.
    pub not_taken_back: Option<String>,
}

impl Incident {
    pub fn new(fault: Fault, began_s: f64) -> Self {
        Self { fault, began_s, ended_s: None, left_out: None, not_taken_back: None }
    }

    /// When everything was well again, counted from its end (s).
    fn recovered_s(&self, looks: &[Look]) -> Option<f64> {
        let end_s = self.ended_s?;
        let reports_before = looks.iter().rfind(|look| look.at_s <= end_s).map_or(0, |look| look.reports);
        let is_over = |now: &Look| match self.fault {
            Fault::FillDisk { .. } => now.reports > reports_before,
            _ => true,
        };
        let well =
            looks.windows(2).find(|pair| pair[0].at_s >= end_s && is_well(&pair[0], &pair[1]) && is_over(&pair[1]));
        well.map(|pair| pair[1].at_s - end_s)
    }
}

/// How a fault ended.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    pub at_s: f64,
    pub fault: String,
    /// Time from its end until everything was well (s); `None` if that was not seen.
    pub recovered_s: Option<f64>,
    /// Why it was not brought about.
    pub left_out: Option<String>,
    /// Why it could not be taken back.
    pub not_taken_back: Option<String>,
}

impl Outcome {
    /// Whether it was brought about, and not recovered from.
    pub fn is_bad(&self) -> bool {
        let slow = self.recovered_s.is_none_or(|seconds| seconds > RECOVERED_WITHIN_S);
        self.left_out.is_none() && (slow || self.not_taken_back.is_some())
    }
}

/// Whether every process lives, and since the look before the simulation went on and samples came
/// from the board.
fn is_well(before: &Look, now: &Look) -> bool {
    let (daq, dynamics) = (0, PROCESSES.len() - 1);
    now.processes.iter().all(|seen| seen.memory_kib > 0 && seen.silent_ms < ALIVE_MS)
        && now.processes[dynamics].step > before.processes[dynamics].step
        && now.processes[daq].pid == before.processes[daq].pid
        && now.stream_blocks > before.stream_blocks
}

/// When everything was well again after each fault.
pub fn outcomes(incidents: &[Incident], looks: &[Look]) -> Vec<Outcome> {
    let outcome = |incident: &Incident| Outcome {
        at_s: incident.began_s,
        fault: incident.fault.to_string(),
        recovered_s: incident.recovered_s(looks),
        left_out: incident.left_out.clone(),
        not_taken_back: incident.not_taken_back.clone(),
    };
    incidents.iter().map(outcome).collect()
}

/// Whether a process was held back, or what it gets was spoiled, between two times: then its
/// figures are not its own.
pub fn is_excused(process: usize, incidents: &[Incident], from_s: f64, to_s: f64) -> bool {
    let real = incidents.iter().filter(|incident| incident.left_out.is_none());
    real.into_iter().any(|incident| {
        let ends_s = incident.ended_s.map_or(f64::INFINITY, |ended_s| ended_s + SETTLED_S);
        let hit = match incident.fault {
            Fault::CorruptStream { .. } => process == position(VICTIMS[0]),
            // The machine itself is taken away from everybody.
            Fault::UnplugCpu { .. } => true,
            _ => victim_of(&incident.fault).is_some_and(|victim| position(victim) == process),
        };
        hit && incident.began_s <= to_s && ends_s >= from_s
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::tests::{incident, look};
    use crate::plan::Victim;

    /// A run in which everything is well, look by look.
    fn well(seconds: u32) -> Vec<Look> {
        (0..seconds).map(|second| look(f64::from(second), u64::from(second), 5, 100)).collect()
    }

    #[test]
    fn recovery_is_a_step_forward_after_the_fault() {
        let victim = Victim::Dynamics;
        let incidents = [incident(2.5, Fault::Kill { victim })];
        let mut looks = well(8);
        for look in &mut looks {
            look.processes[2].step = 10;
        }
        assert_eq!(outcomes(&incidents, &looks)[0].recovered_s, None);
        looks[6].processes[2].step = 11;
        assert_eq!(outcomes(&incidents, &looks)[0].recovered_s, Some(3.5));
        // A step forward while another process is gone is no recovery.
        looks[6].processes[0].memory_kib = 0;
        assert_eq!(outcomes(&incidents, &looks)[0].recovered_s, None);
    }

    #[test]
    fn after_a_spoiled_stream_samples_must_come_again() {
        let incidents = [incident(2.0, Fault::CorruptStream { seconds: 1.0 })];
        let mut looks = well(10);
        assert_eq!(outcomes(&incidents, &looks)[0].recovered_s, Some(1.0));
        for look in &mut looks[2..8] {
            look.stream_blocks = 20;
        }
        assert_eq!(outcomes(&incidents, &looks)[0].recovered_s, Some(5.0));
        for look in &mut looks[2..] {
            look.stream_blocks = 20;
        }
        assert!(outcomes(&incidents, &looks)[0].is_bad());
    }

    #[test]
    fn after_a_full_disk_a_report_must_appear() {
        let incidents = [incident(2.0, Fault::FillDisk { seconds: 1.0 })];
        let mut looks = well(10);
        assert!(outcomes(&incidents, &looks)[0].is_bad());
        for look in &mut looks[7..] {
            look.reports = 1;
        }
        assert_eq!(outcomes(&incidents, &looks)[0].recovered_s, Some(4.0));
    }

    #[test]
    fn only_a_fault_that_was_left_out_needs_no_recovery() {
        let mut incidents = [incident(2.0, Fault::FillDisk { seconds: 1.0 })];
        incidents[0].ended_s = None;
        assert!(outcomes(&incidents, &well(4))[0].is_bad());
        incidents[0].left_out = Some("no root".to_owned());
        assert!(!outcomes(&incidents, &well(4))[0].is_bad());
        let mut unplugged = [incident(2.0, Fault::UnplugCpu { cpu: 3, seconds: 1.0 })];
        assert!(!outcomes(&unplugged, &well(9))[0].is_bad());
        unplugged[0].not_taken_back = Some("cannot write".to_owned());
        assert!(outcomes(&unplugged, &well(9))[0].is_bad());
    }

    #[test]
    fn only_the_process_that_was_held_back_is_excused() {
        let victim = Victim::Subsystem;
        let mut incidents = [incident(10.0, Fault::Stop { victim, seconds: 2.0 })];
        assert!(is_excused(1, &incidents, 11.0, 12.0));
        assert!(is_excused(1, &incidents, 9.5, 10.5));
        assert!(!is_excused(2, &incidents, 11.0, 12.0));
        assert!(!is_excused(1, &incidents, 8.0, 9.0));
        assert!(!is_excused(1, &incidents, 18.0, 19.0));
        incidents[0].ended_s = None;
        assert!(is_excused(1, &incidents, 18.0, 19.0));
        incidents[0].left_out = Some("not here".to_owned());
        assert!(!is_excused(1, &incidents, 11.0, 12.0));
    }
}
