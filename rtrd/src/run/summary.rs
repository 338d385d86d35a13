//! What a run looks like while it lasts and when it is over.

use crate::top::processes::{latency_table, table};
use crate::top::table::{Table, text_of};
use crate::view::format::{clock, exchange_lines};
use crate::view::{Observer, ProcessView};

/// Columns of `rtrd top` that change all the time or stay the same.
const LEFT_OUT: [&str; 4] = ["rights", "skipped", "faults", "age"];

/// Processes, latencies and signals, in lines of at most `width` columns.
pub fn tables(observer: &mut Observer, width: usize) -> Vec<String> {
    let processes = observer.processes();
    let mut lines = Vec::new();
    let mut add = |table: Table| lines.extend(table.fit(width - INDENT).iter().map(text_of));
    add(table(&processes).without(&LEFT_OUT));
    add(latency_table(&processes));
    if let Some(exchange) = observer.exchange() {
        lines.extend(exchange_lines(&exchange, width - INDENT));
    }
    lines.extend(overruns_without_real_time(&processes));
    lines.into_iter().map(|line| format!("{:INDENT$}{line}", "")).collect()
}

const INDENT: usize = 2;

/// Where nothing keeps other programs from delaying a loop, its overruns are one line and no
/// messages.
fn overruns_without_real_time(processes: &[ProcessView]) -> Option<String> {
    let late = processes.iter().filter(|process| process.health.overruns > 0);
    let late: Vec<(&ProcessView, &str)> =
        late.filter_map(|process| Some((process, process.not_real_time()?))).collect();
    let (_, why) = late.first()?;
    let count = |(process, _): &(&ProcessView, &str)| format!("{} {}", process.name(), process.health.overruns);
    let counts: Vec<String> = late.iter().map(count).collect();
    Some(format!("! overruns: {} ({why})", counts.join(", ")))
}

pub fn text(observer: &mut Observer, elapsed_s: f64, width: usize) -> String {
    let mut lines = vec![String::new(), format!("ran for {}", clock(elapsed_s))];
    if let Some(exchange) = observer.exchange() {
        lines.push(format!("  last step {} at {:.3} s", exchange.step, exchange.time_s));
    }
    lines.extend(tables(observer, width));
    let health = observer.processes().map(|process| process.health);
    let faults: u64 = health.iter().map(|health| health.major_faults + health.minor_faults).sum();
    lines.push(format!("  page faults in the loops: {faults}"));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::PROCESSES;
    use rt::histogram::Histogram;
    use shm_layout::blocks::{Health, STATE_RUNNING};
    use shm_layout::{Region, RegionName, Role};

    #[test]
    fn overruns_without_real_time_are_one_line_however_many() {
        let process = |role, overruns| ProcessView::new(role, 0, 0, Some(Health { overruns, ..Health::default() }));
        assert_eq!(overruns_without_real_time(&[process(Role::Daq, 0)]), None);
        let all = [process(Role::Daq, 3), process(Role::Subsystem, 0), process(Role::Dynamics, 1_200)];
        let line = overruns_without_real_time(&all);
        assert_eq!(line.as_deref(), Some("! overruns: daq 3, dynamics 1200 (no FIFO priority)"));
    }

    #[test]
    fn all_of_it_fits_a_terminal_of_80_columns_and_24_lines() {
        let folder = tempfile::tempdir().unwrap();
        let name = RegionName::in_directory(folder.path(), "display").unwrap();
        let region = Region::create(&name, None).unwrap();
        let mut latency = Histogram::new();
        [12_000, 25_000, 999_000, 12_345_000].iter().for_each(|late_ns| latency.record(*late_ns));
        for (_, block) in PROCESSES {
            let mut health = Health { state: STATE_RUNNING, pid: 4_194_303, cpu: 11, ..Health::default() };
            health.stamp.step = 86_400_000;
            health.overruns = 12_345;
            for times in [&mut health.latency, &mut health.execution, &mut health.exchange] {
                service::copy_histogram(&latency, times);
            }
            region.claim(block).unwrap().publish(&health);
        }
        let lines = tables(&mut Observer::new(&region), 79);
        assert!(lines.len() < 22 && lines.iter().all(|line| line.chars().count() <= 79), "{lines:#?}");
        let headings = lines.iter().find(|line| line.contains("wake p50")).unwrap();
        assert_eq!(headings.matches("max").count(), 3, "wake-up, step and exchange: {lines:#?}");
        assert_eq!(lines.iter().filter(|line| line.contains("12345")).count(), 7, "{lines:#?}");
    }
}
