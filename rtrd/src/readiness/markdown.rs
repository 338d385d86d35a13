//! A report as a page for people: the verdict first, then everything it rests on.

use std::fmt::Write;

use super::report::{Content, HardwareLatency, Outcome, Report};
use crate::commands::jitter::figures::Figures;

pub fn markdown(report: &Report) -> String {
    let content = &report.content;
    let mut page = String::new();
    let sections = [heading, gates, machine, settings, wake_ups, hardware_latency, identity];
    for section in sections {
        page.push_str(&section(content));
        page.push('\n');
    }
    let _ = writeln!(
        page,
        "Checksum of the JSON file beside this page: `{}`. It shows that nothing was changed by mistake; it is no signature.",
        report.checksum
    );
    page
}

fn heading(content: &Content) -> String {
    let verdict = if content.passes { "passes" } else { "does not pass" };
    let mut text = format!("# Readiness for real time: {verdict}\n\n");
    let signed = match &content.signed_off_by {
        Some(name) => format!(", signed off by {}", cell(name)),
        None => ", not signed off".to_owned(),
    };
    let _ = writeln!(text, "{} on {}, made by {}{signed}.", cell(&content.host), content.made, content.made_by);
    if let Some(failure) = content.first_failure() {
        let failed = content.gates.iter().filter(|gate| gate.outcome == Outcome::Failed);
        let more = match failed.count() {
            1 => String::new(),
            count => format!("; and {} more of the limits below", count - 1),
        };
        let _ = writeln!(text, "\n**Why not:** {}{more}.", cell(&failure));
    }
    for caveat in &content.caveats {
        let _ = writeln!(text, "\n> {caveat}");
    }
    text
}

fn gates(content: &Content) -> String {
    let rows = content.gates.iter().map(|gate| {
        let mark = match gate.outcome {
            Outcome::Passed => "passed",
            Outcome::Failed => "**failed**",
            Outcome::NotMeasured => "left out",
        };
        [gate.title.as_str(), gate.wanted.as_str(), gate.found.as_str(), mark].map(str::to_owned)
    });
    format!("## Limits\n{}", table(["limit", "wanted", "found", ""], rows))
}

fn machine(content: &Content) -> String {
    let hardware = &content.hardware;
    let unknown = || "the machine does not say".to_owned();
    let or_none = |text: &str| {
        if text.is_empty() { "none".to_owned() } else { text.to_owned() }
    };
    let kernel = if content.kernel.realtime { "PREEMPT_RT" } else { "no real-time kernel" };
    let beneath = if content.kernel.virtual_machine { "a hypervisor" } else { "the hardware" };
    let rows = [
        ("CPU", hardware.cpu_model.clone()),
        ("CPUs online", hardware.cpus_online.clone()),
        ("threads of one core", or_none(&hardware.shared_cores.join(" · "))),
        ("CPUs isolated", or_none(&hardware.cpus_isolated)),
        ("memory", format!("{:.1} GiB", hardware.memory_bytes as f64 / f64::from(1 << 30))),
        ("computer", hardware.system.clone().unwrap_or_else(unknown)),
        ("board", hardware.board.clone().unwrap_or_else(unknown)),
        ("firmware", hardware.firmware.clone().unwrap_or_else(unknown)),
        ("kernel", format!("{} ({kernel}), on {beneath}", content.identity.kernel_release)),
        ("built", content.kernel.version.clone()),
        ("command line", format!("`{}`", content.identity.command_line)),
    ];
    let rows = rows.map(|(name, value)| [name.to_owned(), value]);
    format!("## Machine and kernel\n{}", table(["", ""], rows))
}

fn settings(content: &Content) -> String {
    let mut text = "## Settings\n".to_owned();
    let rows = content.checks.iter().map(|check| {
        let verdict = match check.verdict.as_str() {
            "pass" => "passed",
            "failure" => "**failed**",
            other => other,
        };
        let expected = if check.verdict == "pass" { "" } else { check.expected.as_str() };
        [check.title.as_str(), verdict, check.found.as_str(), expected].map(str::to_owned)
    });
    text.push_str(&table(["check", "", "found", "expected"], rows));
    let mut fixes: Vec<(&str, &str)> = Vec::new();
    for check in &content.checks {
        if let Some(fix) = check.fix.as_deref().filter(|fix| fixes.iter().all(|(_, known)| known != fix)) {
            fixes.push((&check.title, fix));
        }
    }
    if !fixes.is_empty() {
        text.push_str("\nWhat corrects them:\n```sh\n");
        for (title, fix) in fixes {
            let _ = writeln!(text, "# {title}\n{fix}");
        }
        text.push_str("```\n");
    }
    let _ =
        writeln!(text, "\nCPU plan of instance {:?}:\n```text\n{}\n```", content.instance, content.cpu_plan.trim_end());
    text
}

fn wake_ups(content: &Content) -> String {
    let measured = &content.wake_ups;
    let scheduler = match measured.fifo_priority {
        0 => "the ordinary scheduler".to_owned(),
        priority => format!("SCHED_FIFO {priority}"),
    };
    let memory = if measured.memory_locked { "locked" } else { "not locked" };
    let mut text = format!(
        "## Wake-up latency (µs)\nPeriod {} µs, CPU {}, {scheduler}, memory {memory}; {} s of each in {} round{} in turn. \
         Load average {:.2} before and {:.2} after.\n",
        measured.period_us,
        measured.cpu,
        measured.seconds,
        measured.rounds,
        if measured.rounds == 1 { "" } else { "s" },
        measured.load_average[0],
        measured.load_average[1],
    );
    for line in &measured.missing {
        let _ = writeln!(text, "\n> {line}");
    }
    text.push('\n');
    let peers = measured.cyclictest.iter().flat_map(Figures::rows).map(|(_, _, text)| text);
    let peers = peers.chain(std::iter::repeat("–".to_owned()));
    let rows =
        measured.ours.rows().into_iter().zip(peers).map(|((label, _, ours), peer)| [label.to_owned(), ours, peer]);
    text.push_str(&table(["", "our loop", "cyclictest"], rows));
    text
}

fn hardware_latency(content: &Content) -> String {
    let text = match &content.hardware_latency {
        HardwareLatency::NotMeasured { why } => format!("Not measured: {why}."),
        HardwareLatency::Measured { seconds, threshold_us, max_us, above_threshold } => {
            let longest = match max_us {
                Some(max_us) => format!("the longest took {max_us} µs"),
                None => "none".to_owned(),
            };
            format!("`hwlatdetect`, {seconds} s: {above_threshold} interruptions above {threshold_us} µs, {longest}.")
        }
    };
    format!("## Hardware latency\n{text}\n")
}

fn identity(content: &Content) -> String {
    let identity = &content.identity;
    format!(
        "## Of which machine\nThis page holds for machine `{}` with settings `{}` (hashes), the kernel and the command line above. \
         `rtrd top` compares them.\n",
        identity.machine_id_hash, identity.settings_hash
    )
}

fn table<const COLUMNS: usize>(heading: [&str; COLUMNS], rows: impl IntoIterator<Item = [String; COLUMNS]>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(heading.iter().map(|name| (*name).to_owned()).collect());
    text.push_str(&line(vec!["---".to_owned(); COLUMNS]));
    for row in rows {
        text.push_str(&line(row.iter().map(|value| cell(value)).collect()));
    }
    text
}

/// A text that stays inside its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readiness::{sample, store};

    fn page(content: Content) -> String {
        markdown(&store::seal(content).unwrap())
    }

    #[test]
    fn the_verdict_comes_first_and_everything_is_there() {
        let page = page(sample::content());
        assert!(page.starts_with("# Readiness for real time: passes\n"), "{page}");
        for part in [
            "car-pc on 2026-11-16 07:30 UTC",
            "signed off by A. Tester",
            "| Our loop, maximum | at most 100 µs | 41 µs | passed |",
            "| max | 41.0 | 40.0 |",
            "`quiet isolcpus=1`",
            "Checksum",
        ] {
            assert!(page.contains(part), "{part} is missing:\n{page}");
        }
        assert!(!page.contains("Why not") && !page.contains("failed"), "{page}");
    }

    #[test]
    fn a_failure_is_said_at_the_top() {
        let mut content = sample::content();
        content.wake_ups.seconds = 2.0;
        content.caveats = vec!["Virtual machine.".to_owned()];
        sample::judge_again(&mut content);
        let page = page(content);
        assert!(page.starts_with("# Readiness for real time: does not pass\n"), "{page}");
        assert!(page.contains("**Why not:** Time measured: 2 s"), "{page}");
        assert!(page.contains("\n> Virtual machine.\n"), "{page}");
    }

    /// Every row has as many cells as its heading, whatever the machine puts into them.
    #[test]
    fn no_text_breaks_a_table() {
        let mut content = sample::content();
        content.checks[0].found = "a | b\nc".to_owned();
        content.identity.command_line = "x|y".to_owned();
        let page = page(content);
        let mut columns = None;
        for line in page.lines() {
            if !line.starts_with('|') {
                columns = None;
                continue;
            }
            let count = line.replace("\\|", "").matches('|').count();
            assert_eq!(*columns.get_or_insert(count), count, "{line}");
        }
    }
}
