//! Where the figures come from: without it they mean nothing to anybody else.

use std::fmt;
use std::process::Command;

use rt::machine::Machine;

use crate::place::Place;

/// The machine, the moment and the rights of one run.
#[derive(Debug)]
pub struct Environment {
    lines: Vec<(&'static str, String)>,
}

impl Environment {
    pub fn of(machine: &Machine, place: &Place) -> Self {
        let kernel = &machine.kernel;
        let real_time = if kernel.realtime { ", PREEMPT_RT" } else { ", not an RT kernel" };
        let lines = vec![
            ("date", date()),
            ("CPU", cpu_model()),
            ("CPUs", cpus(machine, place)),
            ("kernel", format!("{}{real_time}", kernel.release)),
            ("clock", machine.clock_source.current.clone().unwrap_or_else(unknown)),
            ("rights", rights(place)),
            ("load", load()),
        ];
        Self { lines }
    }
}

impl fmt::Display for Environment {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        for (what, value) in &self.lines {
            writeln!(formatter, "  {what:<8}{value}")?;
        }
        Ok(())
    }
}

fn unknown() -> String {
    "unknown".to_owned()
}

fn date() -> String {
    let output = Command::new("date").args(["-u", "+%Y-%m-%d %H:%M UTC"]).output();
    let text = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    text.map_or_else(unknown, |text| text.trim().to_owned())
}

fn cpu_model() -> String {
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = information.lines().find(|line| line.starts_with("model name"));
    line.and_then(|line| line.split_once(':')).map_or_else(unknown, |(_, model)| model.trim().to_owned())
}

fn cpus(machine: &Machine, place: &Place) -> String {
    let processors = &machine.processors;
    let isolated = if processors.isolated.is_empty() {
        "none isolated".to_owned()
    } else {
        format!("{} isolated", processors.isolated)
    };
    let other = place.other_cpu.map(|other| format!(" and {other}")).unwrap_or_default();
    format!("{} online, {isolated}; measured on {}{other}", processors.online.len(), place.cpu)
}

fn rights(place: &Place) -> String {
    match place.priority {
        Some(priority) => format!("SCHED_FIFO allowed (measuring threads have priority {priority})"),
        None => "no SCHED_FIFO: everything runs under the ordinary scheduler".to_owned(),
    }
}

/// Others who compute at the same time spoil the figures, so the reader should know about them.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let averages: Vec<&str> = text.split_whitespace().take(3).collect();
    if averages.is_empty() { unknown() } else { format!("{} (1, 5, 15 minutes)", averages.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::this_machine;

    #[test]
    fn it_says_where_and_when() {
        let machine = this_machine().unwrap();
        let place = Place::choose(&machine, None).unwrap();
        let shown = Environment::of(&machine, &place).to_string();
        assert!(shown.contains(&machine.kernel.release), "{shown}");
        assert!(shown.contains("UTC"), "{shown}");
    }
}
