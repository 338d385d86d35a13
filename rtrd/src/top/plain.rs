//! One look as plain text.

use super::look::Look;
use super::table::{Table, text_of};
use super::{heading, processes, tables};

/// Wide enough for every column.
const WIDTH: usize = 160;

pub fn text(look: &Look) -> String {
    let (real_time, _) = heading::real_time(&look.processes, &look.report_status);
    let mut lines = vec![heading::run(look), real_time];
    section(&mut lines, "processes", &processes::table(&look.processes));
    section(&mut lines, "latencies in µs", &processes::latency_table(&look.processes));
    section(&mut lines, "blocks", &tables::blocks(&look.blocks));
    lines.push(format!("  {} more have never been written", tables::never_claimed(&look.blocks)));
    section(&mut lines, "signals", &tables::signals(look.exchange.as_ref()));
    lines.join("\n")
}

fn section(lines: &mut Vec<String>, title: &str, table: &Table) {
    lines.extend([String::new(), title.to_owned()]);
    lines.extend(table.fit(WIDTH).iter().map(|line| format!("  {}", text_of(line))));
}
