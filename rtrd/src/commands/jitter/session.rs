//! The measurements in their order.
//!
//! *One after the other* is one long block of each program: what each does when left alone. But a
//! machine changes from minute to minute, and then the blocks compare two moments instead of two
//! programs. So the rounds *alternate* as well: many short ones in turn, every second round in the
//! opposite order, so that neither a drift nor the order favours one.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use rt::cyclictest;
use rt::cyclictest::{Latencies, Setup};
use rt::startup::Item;
use serde::Serialize;

use super::measurement::{self, Answer, Ended, Launcher};
use crate::output::Progress;

/// Wake-ups that show whether a program runs here at all.
const TRIAL_WAKEUPS: u64 = 10;
/// What a process may take beyond its wake-ups before it is killed.
const TIMEOUT: Duration = Duration::from_secs(20);

/// In which order the two programs run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sequence {
    /// Many short rounds in turn.
    Alternating,
    /// One long block of each.
    Blocks,
}

impl Sequence {
    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Sequence::Alternating => "alternating",
            Sequence::Blocks => "one after the other",
        }
    }
}

/// One round: both programs, if there are both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Our loop.
    pub ours: Latencies,
    /// `cyclictest`.
    pub peer: Option<Latencies>,
}

/// What was measured in one sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// In which order.
    pub sequence: Sequence,
    /// Wake-ups of each program in each round.
    pub wakeups: u64,
    /// The whole rounds.
    pub rounds: Vec<Round>,
}

/// All that the measurements need.
pub struct Session {
    /// Starts the two programs.
    pub launcher: Launcher,
    /// What the machine grants both.
    pub setup: Setup,
    /// Where `cyclictest` is, if it runs here.
    pub peer: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Program {
    Ours,
    Peer,
}

impl Session {
    /// Asks the machine for the set-up with a few wake-ups of our loop, and takes what it grants
    /// for both. The lines say what is missing.
    pub fn open(launcher: Launcher, wished: &Setup) -> anyhow::Result<(Self, Vec<String>)> {
        let mut session = Self { launcher, setup: wished.clone(), peer: cyclictest::find() };
        let Some(answer) = session.run_ours(TRIAL_WAKEUPS, &mut || {})? else {
            return Ok((session, vec![]));
        };
        let (setup, without) = granted(wished, &answer);
        session.setup = setup;
        let lines = without.into_iter().chain(session.try_peer()?).collect();
        Ok((session, lines))
    }

    /// Leaves the peer out if it is not there or does not run, and says so.
    fn try_peer(&mut self) -> anyhow::Result<Option<String>> {
        let Some(program) = &self.peer else {
            let line = "cyclictest is not installed, so only our loop is measured: `sudo apt-get install rt-tests`";
            return Ok(Some(line.to_owned()));
        };
        let arguments = cyclictest::arguments(&self.setup, TRIAL_WAKEUPS);
        let arguments = measurement::program(program, arguments);
        match self.launcher.run(&arguments, TIMEOUT, || {})? {
            Ended::Failed(message) => {
                let line = format!("{} does not run here, so only our loop is measured: {message}", program.display());
                self.peer = None;
                Ok(Some(line))
            }
            Ended::Printed(_) | Ended::Interrupted => Ok(None),
        }
    }

    /// How long a number of wake-ups of one program takes.
    pub fn duration(&self, wakeups: u64) -> Duration {
        Duration::from_micros(wakeups * self.setup.period_us)
    }

    /// Measures one sequence. If the user interrupts, the whole rounds that there are.
    pub fn measure(
        &self,
        sequence: Sequence,
        rounds: u64,
        wakeups: u64,
        progress: &mut Progress,
    ) -> anyhow::Result<Measured> {
        let mut measured = Measured { sequence, wakeups, rounds: Vec::new() };
        for round in 0..rounds {
            let (mut ours, mut peer) = (None, None);
            for program in order(round) {
                let name = if program == Program::Ours { "ours" } else { "cyclictest" };
                let what = format!("{}: round {} of {rounds}, {name}", sequence.name(), round + 1);
                match program {
                    Program::Peer if self.peer.is_none() => continue,
                    _ => progress.begin(what, self.duration(wakeups)),
                }
                let mut tick = || progress.tick();
                match program {
                    Program::Ours => ours = self.run_ours(wakeups, &mut tick)?.map(|answer| answer.latencies),
                    Program::Peer => peer = self.run_peer(wakeups, &mut tick)?,
                }
                if self.launcher.interrupted() {
                    return Ok(measured);
                }
            }
            let ours = ours.context("a round without our loop")?;
            measured.rounds.push(Round { ours, peer });
        }
        Ok(measured)
    }

    fn run_ours(&self, wakeups: u64, on_tick: &mut dyn FnMut()) -> anyhow::Result<Option<Answer>> {
        let arguments = measurement::ours(&self.setup, wakeups);
        match self.launcher.run(&arguments, self.limit(wakeups), on_tick)? {
            Ended::Printed(text) => Ok(Some(serde_json::from_str(&text).context("our loop's answer")?)),
            Ended::Failed(message) => bail!("our loop: {message}"),
            Ended::Interrupted => Ok(None),
        }
    }

    fn run_peer(&self, wakeups: u64, on_tick: &mut dyn FnMut()) -> anyhow::Result<Option<Latencies>> {
        let Some(program) = &self.peer else {
            return Ok(None);
        };
        let arguments = measurement::program(program, cyclictest::arguments(&self.setup, wakeups));
        match self.launcher.run(&arguments, self.limit(wakeups), on_tick)? {
            Ended::Printed(text) => Ok(Some(cyclictest::parse(&text)?)),
            Ended::Failed(message) => bail!("{}: {message}", program.display()),
            Ended::Interrupted => Ok(None),
        }
    }

    /// Wake-ups that are lost to a busy machine make a round longer.
    fn limit(&self, wakeups: u64) -> Duration {
        3 * self.duration(wakeups) + TIMEOUT
    }
}

/// Every second round is reversed.
fn order(round: u64) -> [Program; 2] {
    if round.is_multiple_of(2) { [Program::Ours, Program::Peer] } else { [Program::Peer, Program::Ours] }
}

/// The set-up that this machine grants, and one line that says what both programs have to do
/// without, if anything.
fn granted(wished: &Setup, answer: &Answer) -> (Setup, Option<String>) {
    let is_refused = |item: Item| answer.refused.contains(&item.bit());
    let setup = Setup {
        priority: if is_refused(Item::FifoPriority) { 0 } else { wished.priority },
        lock_memory: !is_refused(Item::MemoryLocked),
        ..wished.clone()
    };
    let wishes = [
        (Item::FifoPriority, format!("FIFO priority {}", wished.priority)),
        (Item::MemoryLocked, "locked memory".to_owned()),
        (Item::CpuPinned, "a fixed CPU".to_owned()),
        (Item::CpuLatencyHeld, "a hold on the CPUs' sleep".to_owned()),
    ];
    let without = wishes.into_iter().filter(|(item, _)| is_refused(*item));
    let without: Vec<String> = without.map(|(_, name)| name).collect();
    let line = format!(
        "the rights are missing, so both run without {} (`rtrd check` says how to get them)",
        without.join(", ")
    );
    (setup, (!without.is_empty()).then_some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_is_left_out_for_both_and_said_in_one_line() {
        let wished = Setup::wished(1_000, 80, 1);
        let refusing =
            |items: &[Item]| Answer { refused: items.iter().map(|item| item.bit()).collect(), ..Answer::default() };
        assert_eq!(granted(&wished, &refusing(&[])), (wished.clone(), None));
        let (setup, line) = granted(&wished, &refusing(&[Item::FifoPriority, Item::MemoryLocked]));
        assert_eq!((setup.priority, setup.lock_memory), (0, false));
        let line = line.unwrap();
        assert!(line.contains("both run without FIFO priority 80, locked memory ("), "{line}");
        assert!(!line.contains('\n'));
    }
}
