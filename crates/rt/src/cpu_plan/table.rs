//! The plan as a table for people.

use std::fmt;

use super::{Assignment, CpuPlan};

const HEADINGS: [&str; 5] = ["process", "CPU", "kind", "waits by", "shares with"];

impl fmt::Display for CpuPlan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = vec![HEADINGS.map(str::to_owned)];
        rows.extend(self.assignments().iter().map(row));
        rows.push(system_row(self));
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: [usize; 5] = std::array::from_fn(width);
        let lines: Vec<String> = rows.iter().map(|row| line(row, &widths)).collect();
        out.write_str(&lines.join("\n"))
    }
}

fn row(assignment: &Assignment) -> [String; 5] {
    [
        assignment.name.clone(),
        assignment.cpu.to_string(),
        kind(assignment.isolated).to_owned(),
        if assignment.may_spin { "spinning" } else { "sleeping" }.to_owned(),
        shares(assignment),
    ]
}

fn system_row(plan: &CpuPlan) -> [String; 5] {
    let guests: Vec<&str> = plan
        .assignments()
        .iter()
        .filter(|assignment| assignment.shares_with_system)
        .map(|assignment| assignment.name.as_str())
        .collect();
    let guests = if guests.is_empty() { "-".to_owned() } else { guests.join(", ") };
    ["(system)".into(), plan.system_cpu().to_string(), kind(plan.system_is_isolated()).into(), "-".into(), guests]
}

fn kind(isolated: bool) -> &'static str {
    if isolated { "isolated" } else { "ordinary" }
}

fn shares(assignment: &Assignment) -> String {
    let mut parts: Vec<String> = assignment.shares_with.clone();
    if assignment.shares_with_system {
        parts.push("the system".into());
    }
    parts.extend(assignment.shares_core_with.iter().map(|name| format!("{name} (same core)")));
    if parts.is_empty() { "-".into() } else { parts.join(", ") }
}

/// The CPU number to the right, everything else to the left; no blanks at the end.
fn line(row: &[String; 5], widths: &[usize; 5]) -> String {
    let [process, cpu, kind, waits, shares] = row;
    let text = format!(
        "{process:<0$}  {cpu:>1$}  {kind:<2$}  {waits:<3$}  {shares}",
        widths[0], widths[1], widths[2], widths[3]
    );
    text.trim_end().to_owned()
}
