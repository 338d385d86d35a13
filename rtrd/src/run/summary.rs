//! What a run came to, when it is over.

use crate::view::format::{clock, exchange_lines, percentiles, process_table};
use crate::view::{Exchange, Observer, ProcessView};

/// The summary of a run.
pub fn text(
    processes: &[ProcessView],
    last: Option<&Exchange>,
    observer: &Observer,
    elapsed_s: f64,
) -> String {
    let mut lines = vec![String::new(), format!("ran for {}", clock(elapsed_s))];
    lines.extend(process_table(processes).into_iter().map(|line| format!("  {line}")));
    for process in processes.iter().filter(|process| process.exchange.count() > 0) {
        lines.push(format!("  lock-step exchange p50/p99/max µs: {}", percentiles(&process.exchange)));
    }
    if let Some(exchange) = last {
        lines.push(format!("  last step {} at {:.3} s", exchange.step, exchange.time_s));
        let signals = exchange_lines(exchange, observer);
        lines.extend(signals.into_iter().map(|line| format!("  {line}")));
    }
    let faults: u64 =
        processes.iter().map(|process| process.health.major_faults + process.health.minor_faults).sum();
    lines.push(format!("  page faults in the loops: {faults}"));
    lines.join("\n")
}
