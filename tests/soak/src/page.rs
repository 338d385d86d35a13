//! The report of a soak run: a page, two plots, and everything as JSON.

use std::fmt::Write;
use std::path::Path;

use anyhow::Context;
use plot::{LinePlot, Panel, Series};
use rt::histogram::Histogram;
use serde::Serialize;

use crate::course::Course;
use crate::growth;
use crate::judge::{self, Verdict};
use crate::peer::Comparison;
use crate::plan::Plan;
use crate::recovery::Outcome;
use crate::watch::Look;
use rtrd::PROCESSES;
use rtrd::date;

/// Latencies are plotted for so many looks together.
const TOGETHER: usize = 10;

/// All that a report says.
pub struct Page<'a> {
    pub plan: &'a Plan,
    pub course: &'a Course,
    pub outcomes: &'a [Outcome],
    pub verdicts: &'a [Verdict],
    pub peer: Option<&'a Comparison>,
    pub notes: &'a [String],
    /// What loaded the machine, or why nothing did.
    pub load: String,
}

/// Writes `plan.json`: before the run, so that it is there however the run ends.
pub fn write_plan(plan: &Plan, folder: &Path) -> anyhow::Result<()> {
    let path = folder.join("plan.json");
    std::fs::write(&path, serde_json::to_string_pretty(plan)?)
        .with_context(|| format!("cannot write {}", path.display()))
}

#[derive(Serialize)]
struct Summary<'a> {
    format: &'static str,
    date: String,
    passed: bool,
    plan: &'a Plan,
    verdicts: &'a [Verdict],
    outcomes: &'a [Outcome],
    ended_s: f64,
    steps: u64,
    misses: u64,
    overruns: u64,
    restarts: u64,
    stream_blocks_lost: u64,
    memory_growth_kib: [u64; PROCESSES.len()],
    supervisor_rise_kib: Option<f64>,
    crash_reports: u64,
    latency_us: Vec<LatencyRow>,
    notes: &'a [String],
}

/// Wake-up latencies of one program.
#[derive(Serialize)]
struct LatencyRow {
    program: String,
    p50: f64,
    p99: f64,
    p99_9: f64,
    max: f64,
    wakeups: u64,
}

impl Page<'_> {
    /// Writes `soak.md`, `soak.json` and the plots.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let put = |name: &str, text: String| {
            let path = folder.join(name);
            std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
        };
        put("soak.json", serde_json::to_string_pretty(&self.summary())?)?;
        put("soak.md", self.text())?;
        for (name, plot) in [("latency.svg", self.latency_plot()), ("course.svg", self.course_plot())] {
            match plot.to_svg() {
                Ok(svg) => put(name, svg)?,
                // A run that was soon over has nothing to draw.
                Err(error) => eprintln!("rtrd: no {name}: {error}"),
            }
        }
        Ok(())
    }

    /// Whether everything holds.
    pub fn passed(&self) -> bool {
        self.verdicts.iter().all(|verdict| verdict.holds)
    }

    fn summary(&self) -> Summary<'_> {
        let [misses, overruns] = self.sums();
        let last = self.course.looks.last();
        Summary {
            format: "rtrd-soak-1",
            date: date::now(),
            passed: self.passed(),
            plan: self.plan,
            verdicts: self.verdicts,
            outcomes: self.outcomes,
            ended_s: self.course.ended_s,
            steps: last.map_or(0, |look| look.processes[PROCESSES.len() - 1].step),
            misses,
            overruns,
            restarts: last.map_or(0, |look| look.restarts),
            stream_blocks_lost: judge::stream_lost(&self.course.incidents, &self.course.looks),
            memory_growth_kib: growth::processes(&self.course.looks).map(|one| one.largest_kib),
            supervisor_rise_kib: growth::supervisor_rise_kib(&self.course.looks),
            crash_reports: last.map_or(0, |look| look.reports),
            latency_us: self.latency_rows(),
            notes: self.notes,
        }
    }

    /// Missed answers and overruns of all lives of all processes.
    fn sums(&self) -> [u64; 2] {
        let mut sums = [0; 2];
        for pair in self.course.looks.windows(2) {
            for (before, now) in pair[0].processes.iter().zip(&pair[1].processes) {
                let same = before.pid == now.pid;
                let since = |now: u64, before: u64| if same { now.saturating_sub(before) } else { now };
                sums[0] += since(now.misses, before.misses);
                sums[1] += since(now.overruns, before.overruns);
            }
        }
        sums
    }

    fn latency_rows(&self) -> Vec<LatencyRow> {
        let mut rows: Vec<LatencyRow> = PROCESSES
            .iter()
            .enumerate()
            .map(|(index, (role, _))| latency_row(role.name(), &judge::latencies(&self.course.looks, index)))
            // The subsystems are woken by the dynamics, not by the clock.
            .filter(|row| row.wakeups > 0)
            .collect();
        if let Some(Comparison { ours, peer, .. }) = self.peer {
            rows.push(latency_row("dynamics-service beside cyclictest", ours));
            rows.push(LatencyRow {
                program: "cyclictest".to_owned(),
                p50: peer.percentile_us(0.5),
                p99: peer.percentile_us(0.99),
                p99_9: peer.percentile_us(0.999),
                max: peer.max_us() as f64,
                wakeups: peer.total(),
            });
        }
        rows
    }

    /// The page for people.
    pub fn text(&self) -> String {
        let summary = self.summary();
        let passed = if summary.passed { "passed" } else { "NOT passed" };
        let mut text = format!(
            "# Soak run: {passed}\n\n{date} · {ended:.0} of {seconds:.0} s · seed {seed} · load: {load}\n\n\
            {steps} steps, {misses} late answers, {overruns} overruns, {restarts} restarts, {reports} crash reports, {lost} stream blocks lost.\n\n\
            | must hold | found | |\n| --- | --- | --- |\n",
            date = summary.date,
            ended = self.course.ended_s,
            seconds = self.plan.seconds,
            load = self.load,
            seed = self.plan.seed,
            steps = summary.steps,
            misses = summary.misses,
            overruns = summary.overruns,
            restarts = summary.restarts,
            reports = summary.crash_reports,
            lost = summary.stream_blocks_lost,
        );
        for verdict in self.verdicts {
            let mark = if verdict.holds { "holds" } else { "**fails**" };
            let _ = writeln!(text, "| {} | {} | {mark} |", verdict.what, verdict.found);
        }
        text += "\n## Wake-up latency (µs)\n\n| program | p50 | p99 | p99.9 | max | wake-ups |\n| --- | --- | --- | --- | --- | --- |\n";
        for row in &summary.latency_us {
            let _ = writeln!(
                text,
                "| {} | {:.1} | {:.1} | {:.1} | {:.0} | {} |",
                row.program, row.p50, row.p99, row.p99_9, row.max, row.wakeups
            );
        }
        text += "\nThe seconds in which a process itself was stopped, slowed down or killed, and those in which a CPU was unplugged, are left out of its latencies. \
            `cyclictest` runs in rounds between the faults, on the dynamics' CPU and with one priority more, so that it never waits for a step; \
            the row above it counts the dynamics over those seconds alone, and these two are compared.\n\n";
        text += "![Latency over the run](latency.svg)\n\n![The course of the run](course.svg)\n";
        if !self.notes.is_empty() {
            text += "\n## Notes\n\n";
            for note in self.notes {
                let _ = writeln!(text, "- {note}");
            }
        }
        text += "\n## Faults\n\n| at (s) | fault | well again after (s) |\n| --- | --- | --- |\n";
        for outcome in self.outcomes {
            let recovered = match (&outcome.left_out, &outcome.not_taken_back, outcome.recovered_s) {
                (Some(why), ..) => format!("left out: {why}"),
                (_, Some(why), _) => format!("**could not be taken back**: {why}"),
                (.., Some(seconds)) => format!("{seconds:.1}"),
                _ => "**not seen**".to_owned(),
            };
            let _ = writeln!(text, "| {:.1} | {} | {recovered} |", outcome.at_s, outcome.fault);
        }
        text += "\nThe same faults again: `scripts/soak --plan plan.json`, on any machine; what cannot be brought about there is left out and named. \
            The seed alone gives the same plan where the machine and the user allow the same kinds of faults.\n";
        text
    }

    fn latency_plot(&self) -> LinePlot {
        let panels = PROCESSES.iter().enumerate().filter_map(|(index, (role, _))| {
            let mut tail = Vec::new();
            let mut worst = Vec::new();
            for looks in self.course.looks.chunks(TOGETHER) {
                let all = judge::latencies(looks, index);
                if all.count() > 0 {
                    tail.push((looks[0].at_s, all.percentile_ns(99.9) as f64 * 1e-3));
                    worst.push((looks[0].at_s, all.max_ns() as f64 * 1e-3));
                }
            }
            (!tail.is_empty()).then(|| {
                let series = vec![Series::new("p99.9", tail), Series::new("largest", worst)];
                Panel::new(format!("{} (µs)", service::short_name(*role)), series)
            })
        });
        LinePlot::new("Wake-up latency over ten seconds each", "time (s)", panels.collect())
    }

    fn course_plot(&self) -> LinePlot {
        let over = |value: &dyn Fn(&Look) -> f64| {
            self.course.looks.iter().map(|look| (look.at_s, value(look))).collect::<Vec<_>>()
        };
        let supervisor = over(&|look| look.supervisor_kib as f64 / 1024.0);
        let memory = PROCESSES.iter().enumerate().map(|(index, (role, _))| {
            let points = over(&|look| look.processes[index].memory_kib as f64 / 1024.0);
            Series::new(service::short_name(*role), points)
        });
        let steps = over(&|look| look.processes[PROCESSES.len() - 1].step as f64 * 1e-3);
        let mut faults = 0.0;
        let mut begun: Vec<(f64, f64)> = vec![(0.0, 0.0)];
        for outcome in self.outcomes {
            begun.push((outcome.at_s, faults));
            faults += 1.0;
            begun.push((outcome.at_s, faults));
        }
        LinePlot::new(
            "The course of the run",
            "time (s)",
            vec![
                Panel::new("steps (10³)", vec![Series::new("steps", steps)]),
                Panel::new(
                    "count",
                    vec![Series::new("restarts", over(&|look| look.restarts as f64)), Series::new("faults", begun)],
                ),
                Panel::new("memory (MiB)", memory.collect()),
                Panel::new("supervisor (MiB)", vec![Series::new("with the recorder's window", supervisor)]),
            ],
        )
    }
}

fn latency_row(program: &str, all: &Histogram) -> LatencyRow {
    let us = |percent: f64| all.percentile_ns(percent) as f64 * 1e-3;
    LatencyRow {
        program: program.to_owned(),
        p50: us(50.0),
        p99: us(99.0),
        p99_9: us(99.9),
        max: all.max_ns() as f64 * 1e-3,
        wakeups: all.count(),
    }
}
