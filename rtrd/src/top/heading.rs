//! What runs, in one line, and whether it runs in real time.

use rt::startup::Item;
use shm_layout::blocks::MODE_STOP;

use super::look::Look;
use super::table::Tone;
use crate::readiness::ReportStatus;
use crate::view::format::clock;
use crate::view::{ProcessView, State, trouble};

/// Instance, plant, time and period, as far as they are known.
pub fn run(look: &Look) -> String {
    let mut parts = vec![format!("instance {:?}", look.instance)];
    if look.is_left_behind() {
        parts.push("left behind: no process takes part any more, `rtrd clean` removes it".to_owned());
        return parts.join(" · ");
    }
    parts.extend(inputs_in_trouble(look));
    parts.extend((!look.title.is_empty()).then(|| look.title.clone()));
    parts.push(match (look.control, look.running_s) {
        (Some(control), _) if control.mode == MODE_STOP => "ending".to_owned(),
        (_, Some(running_s)) => format!("running {}", clock(running_s)),
        _ => "running without a supervisor".to_owned(),
    });
    if let Some(exchange) = &look.exchange {
        parts.push(format!("simulated {}", clock(exchange.time_s)));
        parts.push(format!("step {}", exchange.step));
        if !exchange.condition.is_empty() {
            parts.push(format!("! {}", exchange.condition));
        }
    }
    if let Some(control) = look.control {
        parts.push(format!("every {} µs", control.period_ns as f64 / 1e3));
    }
    parts.join(" · ")
}

/// What is wrong with the inputs that a process measures, and what is done about it.
fn inputs_in_trouble(look: &Look) -> Option<String> {
    let reports = look.processes.iter().filter(|process| process.state == State::Running);
    let mut troubles = reports.map(|process| trouble(process.health.input_faults, process.health.input_reaction));
    let trouble = troubles.find(|trouble| !trouble.is_empty())?;
    Some(format!("! inputs {trouble}"))
}

/// Whether what is shown really runs in real time, and how good that is. It is not called so unless
/// every process says that it was granted `SCHED_FIFO` and locked memory (without either, a
/// deadline is only a hope), and a readiness report of this very machine passes: rights are no
/// proof that the machine keeps its word.
pub fn real_time(processes: &[ProcessView], report_status: &ReportStatus) -> (String, Tone) {
    let running: Vec<&ProcessView> =
        processes.iter().filter(|process| !matches!(process.state, State::Absent | State::Stopped)).collect();
    if running.is_empty() {
        return ("no process runs".to_owned(), Tone::Warning);
    }
    let missing = [
        ("SCHED_FIFO", without(&running, Item::FifoPriority)),
        ("locked memory", without(&running, Item::MemoryLocked)),
    ];
    let missing: Vec<String> = missing
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| match names.len() {
            count if count == running.len() => format!("no {what}"),
            _ => format!("no {what} for {}", names.join(" and ")),
        })
        .collect();
    if missing.is_empty() {
        return by_report(report_status);
    }
    (format!("not real-time: {} (`rtrd check` says what to do)", missing.join(", ")), Tone::Warning)
}

/// The rights are there: what the report says.
fn by_report(report_status: &ReportStatus) -> (String, Tone) {
    match report_status {
        ReportStatus::NotPassed(why) => (format!("not real-time: {why}"), Tone::Warning),
        ReportStatus::Passes { made, limit_us, virtual_machine } => {
            let rights = "real-time: every process runs under SCHED_FIFO in locked memory";
            let report = format!("readiness report of {made} passes (limit {limit_us} µs)");
            if *virtual_machine {
                let caveat = "in a virtual machine, so no evidence of hardware latency";
                (format!("{rights}; {report}, {caveat}"), Tone::Warning)
            } else {
                (format!("{rights}; {report}"), Tone::Good)
            }
        }
    }
}

fn without(processes: &[&ProcessView], item: Item) -> Vec<&'static str> {
    let lacking = processes.iter().filter(|process| process.health.granted_bits & item.bit() == 0);
    lacking.map(|process| process.name()).collect()
}

#[cfg(test)]
mod tests {
    use shm_layout::Role;
    use shm_layout::blocks::{Health, STATE_RUNNING};

    use super::*;

    fn process(role: Role, granted_bits: u64) -> ProcessView {
        let health = Health { state: STATE_RUNNING, granted_bits, ..Health::default() };
        ProcessView::new(role, 0, 0, Some(health))
    }

    fn ready(virtual_machine: bool) -> ReportStatus {
        ReportStatus::Passes { made: "2026-11-16 07:30 UTC".to_owned(), limit_us: 100, virtual_machine }
    }

    const BOTH: u64 = Item::FifoPriority.bit() | Item::MemoryLocked.bit();

    #[test]
    fn real_time_is_every_process_with_both_rights_and_a_report() {
        let absent = || ProcessView::new(Role::Subsystem, 0, 0, None);
        let both = |role| process(role, BOTH);
        let all = || vec![both(Role::Daq), both(Role::Dynamics), absent()];
        let fifo_only = process(Role::Dynamics, Item::FifoPriority.bit());
        let none = vec![process(Role::Daq, 0), process(Role::Dynamics, 0)];
        let no_report = ReportStatus::NotPassed("no readiness report".to_owned());
        for (processes, report, beginning, part, expected) in [
            (all(), ready(false), "real-time", "report of 2026-11-16 07:30 UTC passes (limit 100 µs)", Tone::Good),
            (all(), ready(true), "real-time", "no evidence of hardware latency", Tone::Warning),
            (all(), no_report, "not real-time: no readiness report", "", Tone::Warning),
            (
                vec![both(Role::Daq), fifo_only],
                ready(false),
                "not real-time: no locked memory for dynamics (",
                "",
                Tone::Warning,
            ),
            (none, ready(false), "not real-time: no SCHED_FIFO, no locked memory (", "", Tone::Warning),
            (vec![absent()], ready(false), "no process runs", "", Tone::Warning),
        ] {
            let (text, tone) = real_time(&processes, &report);
            assert!(text.starts_with(beginning) && text.contains(part), "{beginning}: {text}");
            assert_eq!(tone, expected, "{text}");
        }
    }
}
