//! The peer: `cyclictest` on the dynamics' CPU with its period, in rounds between the faults.
//!
//! Both are counted over the same seconds. A round begins when the fault before it has settled and
//! ends before the next one, so what a fault does to the machine is in neither. `cyclictest` has
//! one priority more than the dynamics: it never waits for a step of ours, while the dynamics waits
//! for `cyclictest` when they meet. So each round compares what the machine allows with what our
//! loop makes of it.
//!
//! A share of wake-ups is n T/t: n wake-ups with a period T in t seconds. Each program has its own
//! t: the dynamics from one report to another, `cyclictest` from the start of the thread that
//! measures (field 22 of `/proc/PID/task/TID/stat`, proc(5)) to its interrupt. Its start-up is in
//! neither.

use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rt::cyclictest::{self, Latencies, Setup};
use rt::histogram::Histogram;
use rt::startup::Item;
use shm_layout::blocks::Health;

use crate::plan::Plan;
use crate::recovery::SETTLED_S;
use crate::watch::Watch;

/// A round ends so long before the next fault (s): it takes a moment to print its counts.
const AHEAD_S: f64 = 1.0;
/// A shorter round is not worth its start (s).
const ROUND_MIN_S: f64 = 2.0;
/// The highest priority that a person may give to a process of ours, and so to cyclictest.
const PRIORITY_MAX: u64 = 98;
/// cyclictest ends by itself after so many times its round, should nothing be left to end it.
const ROUNDS_MAX: f64 = 2.0;

/// What both counted over the same seconds.
#[derive(Debug, Default)]
pub struct Comparison {
    pub ours: Histogram,
    pub peer: Latencies,
    /// Periods that passed between the two reports of the dynamics.
    pub our_periods: f64,
    /// Periods that passed while cyclictest measured.
    pub peer_periods: f64,
    /// Seconds that were compared.
    pub seconds: f64,
    pub rounds: usize,
}

impl Comparison {
    /// Share of the periods in which each was woken, ours and cyclictest's; `None` if none were
    /// compared.
    pub fn shares(&self) -> Option<[f64; 2]> {
        let compared = self.our_periods > 0.0 && self.peer_periods > 0.0;
        compared.then(|| [self.ours.count() as f64 / self.our_periods, self.peer.total() as f64 / self.peer_periods])
    }

    /// Adds a round.
    fn add(&mut self, before: &Health, after: &Health, counted: &Latencies, seconds: f64, peer_s: f64) {
        let period_s = after.period_ns as f64 * 1e-9;
        let our_s = after.stamp.publish_ns.saturating_sub(before.stamp.publish_ns) as f64 * 1e-9;
        let latency = |health: &Health| service::histogram_of(&health.latency);
        self.ours.merge(&latency(after).since(&latency(before)));
        self.peer.add(counted);
        self.our_periods += our_s / period_s;
        self.peer_periods += peer_s / period_s;
        self.seconds += seconds;
        self.rounds += 1;
    }
}

/// A round that runs.
struct Round {
    child: Child,
    before: Box<Health>,
    began_s: f64,
}

/// Runs cyclictest when its time has come.
pub struct Peer {
    program: PathBuf,
    windows: std::vec::IntoIter<(f64, f64)>,
    window: Option<(f64, f64)>,
    round: Option<Round>,
    comparison: Comparison,
    trouble: Option<String>,
}

impl Peer {
    /// `Err` says why there can be none.
    pub fn new(plan: &Plan) -> Result<Self, String> {
        let program =
            cyclictest::find().ok_or("no comparison: cyclictest is not installed (`sudo apt-get install rt-tests`)")?;
        let mut windows = windows(plan).into_iter();
        Ok(Self {
            program,
            window: windows.next(),
            windows,
            round: None,
            comparison: Comparison::default(),
            trouble: None,
        })
    }

    /// Begins and ends rounds.
    pub fn go_on(&mut self, now_s: f64, watch: &mut Watch) {
        let Some((from_s, to_s)) = self.window else {
            return;
        };
        if now_s >= to_s {
            self.end(now_s, watch);
            self.window = self.windows.next();
        } else if now_s >= from_s && self.round.is_none() && self.trouble.is_none() {
            match self.begin(now_s, to_s, watch) {
                Ok(round) => self.round = Some(round),
                Err(why) => self.trouble = Some(format!("no comparison: {why}")),
            }
        }
    }

    fn begin(&self, now_s: f64, to_s: f64, watch: &mut Watch) -> Result<Round, String> {
        let before = watch.dynamics().ok_or("the dynamics does not say where it runs")?;
        let setup = beside(&before)?;
        let wakeups = (ROUNDS_MAX * (to_s - now_s) * 1e6) as u64 / setup.period_us.max(1);
        let child = Command::new(&self.program)
            .args(cyclictest::arguments(&setup, wakeups))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| format!("cyclictest does not start: {error}"))?;
        Ok(Round { child, before, began_s: now_s })
    }

    /// Ends the round that runs. It counts if the dynamics lived through it.
    fn end(&mut self, now_s: f64, watch: &mut Watch) {
        let Some(Round { child, before, began_s }) = self.round.take() else {
            return;
        };
        let after = watch.dynamics();
        let measured_s = measured_s(child.id());
        match (finish(child), after, measured_s) {
            (Err(why), ..) => self.trouble = Some(why),
            (Ok(Some(latencies)), Some(after), Some(measured_s)) if after.pid == before.pid => {
                self.comparison.add(&before, &after, &latencies, now_s - began_s, measured_s);
            }
            _ => {}
        }
    }

    /// Ends the last round; all of them together. `Err` says why there is nothing to compare.
    pub fn finish(mut self, now_s: f64, watch: &mut Watch) -> Result<Comparison, String> {
        self.end(now_s, watch);
        match self.trouble.take() {
            Some(why) => Err(why),
            None if self.comparison.peer.total() == 0 => {
                Err("no comparison: no round between two faults was long enough for cyclictest to count".to_owned())
            }
            None => Ok(std::mem::take(&mut self.comparison)),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        if let Some(round) = &mut self.round {
            let _ = round.child.kill();
            let _ = round.child.wait();
        }
    }
}

/// When nothing is broken: from when a fault has settled until shortly before the next.
fn windows(plan: &Plan) -> Vec<(f64, f64)> {
    let settled = plan.events.iter().map(|event| event.at_s + event.fault.seconds() + SETTLED_S);
    let begins = std::iter::once(0.0).chain(settled);
    let next = plan.events.iter().map(|event| event.at_s);
    let ends = next.chain(std::iter::once(plan.seconds));
    begins.zip(ends.map(|end_s| end_s - AHEAD_S)).filter(|(from_s, to_s)| to_s - from_s >= ROUND_MIN_S).collect()
}

/// The set-up of cyclictest beside this dynamics.
fn beside(dynamics: &Health) -> Result<Setup, String> {
    let cpu = usize::try_from(dynamics.cpu).map_err(|_| "the dynamics is not pinned to a CPU")?;
    let priority = match dynamics.fifo_priority {
        0 => 0,
        own => (own + 1).min(PRIORITY_MAX),
    };
    let mut setup = Setup::wished(dynamics.period_ns / 1_000, u8::try_from(priority).unwrap_or(0), cpu);
    setup.lock_memory = dynamics.granted_bits & Item::MemoryLocked.bit() != 0;
    Ok(setup)
}

/// How long the thread that measures has been there (s); `None` before it is. The first thread only
/// waits for it.
fn measured_s(pid: u32) -> Option<f64> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).ok()?.filter_map(Result::ok);
    let other = threads.filter(|thread| thread.file_name().to_str() != Some(&pid.to_string()));
    let started_ticks = other.filter_map(|thread| {
        let stat = std::fs::read_to_string(thread.path().join("stat")).ok()?;
        started_ticks(&stat)
    });
    let ticks_per_s = nix::unistd::sysconf(nix::unistd::SysconfVar::CLK_TCK).ok()?? as f64;
    // Ticks are cut off: half of one on average.
    let started_s = (started_ticks.max()? as f64 + 0.5) / ticks_per_s;
    let now = nix::time::clock_gettime(nix::time::ClockId::CLOCK_BOOTTIME).ok()?;
    let now_s = now.tv_sec() as f64 + now.tv_nsec() as f64 * 1e-9;
    Some((now_s - started_s).max(0.0))
}

/// Field 22 of a thread's `stat`; the name in field 2 may hold spaces and brackets.
fn started_ticks(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(") ")?;
    rest.split_whitespace().nth(22 - 3)?.parse().ok()
}

/// Ends one round; what it has counted. Nothing, if on a machine that is full it had not begun
/// before it was ended: that is no trouble of the others.
fn finish(child: Child) -> Result<Option<Latencies>, String> {
    if let Ok(pid) = i32::try_from(child.id()) {
        // It prints its histogram when it is interrupted.
        let _ = kill(Pid::from_raw(pid), Signal::SIGINT);
    }
    let output = child.wait_with_output().map_err(|error| format!("cyclictest's output cannot be read: {error}"))?;
    if output.stdout.is_empty() && output.stderr.is_empty() {
        return Ok(None);
    }
    let counted = cyclictest::parse(&String::from_utf8_lossy(&output.stdout));
    counted.map(Some).map_err(|error| {
        // It refuses to run at all without real-time rights, and says so.
        let said = String::from_utf8_lossy(&output.stderr);
        match said.lines().find(|line| !line.trim().is_empty()) {
            Some(line) => format!("no comparison: cyclictest says: {}", line.trim()),
            None => format!("no comparison: {error:#}"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Event, Fault, Victim};
    use rt::processes::is_alive;

    #[test]
    fn rounds_lie_between_the_faults() {
        let victim = Victim::Daq;
        let at = |at_s: f64, seconds: f64| Event { at_s, fault: Fault::Stop { victim, seconds } };
        let plan = Plan { seed: 1, seconds: 60.0, events: vec![at(12.0, 3.0), at(21.0, 1.0), at(35.0, 0.5)] };
        // Between the first two there is 1 s when the first has settled: too little.
        assert_eq!(windows(&plan), [(0.0, 11.0), (27.0, 34.0), (40.5, 59.0)]);
    }

    fn ended(script: &str) -> Result<Option<u64>, String> {
        let child = Command::new("/bin/sh")
            .args(["-c", script])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let name = || std::fs::read_to_string(format!("/proc/{}/comm", child.id())).unwrap_or_default();
        while is_alive(child.id().into()) && name().trim() != "sleep" {
            std::thread::yield_now();
        }
        finish(child).map(|counted| counted.map(|latencies| latencies.total()))
    }

    #[test]
    fn a_round_that_did_not_begin_is_no_trouble_and_a_refusal_is() {
        assert_eq!(ended("exec sleep 9"), Ok(None));
        let counts = "echo '000014 000003'; echo '# Max Latencies: 14'";
        assert_eq!(ended(counts), Ok(Some(3)));
        assert!(ended("echo Unable to change scheduling policy >&2").unwrap_err().contains("Unable to change"));
        assert!(ended("echo nonsense").is_err());
    }

    #[test]
    fn cyclictest_does_not_wait_for_our_steps() {
        let mut dynamics = Health { cpu: 1, fifo_priority: 80, period_ns: 500_000, ..Health::default() };
        let setup = beside(&dynamics).unwrap();
        assert_eq!((setup.cpu, setup.priority, setup.period_us), (1, 81, 500));
        assert!(!setup.lock_memory);
        dynamics.fifo_priority = 0;
        assert_eq!(beside(&dynamics).unwrap().priority, 0);
        dynamics.cpu = -1;
        assert!(beside(&dynamics).is_err());
    }

    #[test]
    fn the_thread_that_measures_is_not_the_first_one() {
        let alone = Command::new("sleep").arg("60").spawn();
        let mut alone = alone.unwrap();
        assert_eq!(measured_s(alone.id()), None);
        alone.kill().unwrap();
        alone.wait().unwrap();
        let (_stop, stopped) = std::sync::mpsc::channel::<()>();
        std::thread::spawn(move || stopped.recv());
        let age_s = measured_s(std::process::id()).unwrap();
        assert!((0.0..3600.0).contains(&age_s), "{age_s}");
        let stat = "77 (a) b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20";
        assert_eq!(started_ticks(stat), Some(4711));
        assert_eq!(started_ticks("77 (a) S 1"), None);
    }

    #[test]
    fn both_shares_are_of_their_own_seconds() {
        let health = |publish_ms: u64, wakeups: u64| {
            let mut health = Box::new(Health { period_ns: 1_000_000, ..Health::default() });
            health.stamp.publish_ns = publish_ms * 1_000_000;
            health.latency.buckets[0] = wakeups;
            health
        };
        let mut both = Comparison::default();
        assert_eq!(both.shares(), None);
        // The dynamics reported over 2 s, cyclictest measured for 1.6 s of them.
        let counted = Latencies::new([(5, 1_584)], 0, 5);
        both.add(&health(1_000, 10), &health(3_000, 1_970), &counted, 2.0, 1.6);
        let [ours, peer] = both.shares().unwrap();
        assert!((ours - 0.98).abs() < 1e-12 && (peer - 0.99).abs() < 1e-12, "{ours} {peer}");
    }
}
