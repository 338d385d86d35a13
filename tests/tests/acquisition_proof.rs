//! The emulated board and the real acquisition together: every block in shared memory against the
//! board's own record, as `scripts/bench acquisition` does at length (DAS Table 4.5, Fig. 4.19 and
//! 4.20).
//!
//! Nothing here asks how long something took. The rules of the comparison are in
//! `board_emulator::comparison`.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use acquisition::sources::stream::{StreamSettings, StreamSource};
use acquisition::stream::{Framing, Layout};
use acquisition::{Counters, OpenError, Opening, Plan, Source};
use board_emulator::comparison::{Comparison, Opportunity};
use board_emulator::delivery::{Outlet, Place, Record, Sent, read};
use board_emulator::strategies::StrategyName;
use board_emulator::{Emulator, Settings};
use daq_service::ChainProbe;
use files::Found;
use shm_layout::Wait;
use simulator::linked::temporary_region;
use simulator::system::job;
use system_tests::board::{fifo, file};

/// Only a test that fails waits so long.
const TIME_LIMIT: Duration = Duration::from_secs(60);
const TURN_NS: u64 = 20_000_000;

/// What was sent and what was seen.
struct Run {
    record: Vec<Sent>,
    seen: Vec<Opportunity>,
}

impl Run {
    fn comparison(&self) -> Comparison {
        Comparison::new(&self.record, &self.seen)
    }
}

/// The stream of a FIFO, taken by a strategy that no acquisition file can ask for.
struct Measured(PathBuf, StrategyName);

impl Opening for Measured {
    fn open(&self, counters: Counters) -> Result<Box<dyn Source>, OpenError> {
        let failed = |problem: String| OpenError { place: self.0.display().to_string(), problem };
        let flags = nix::fcntl::OFlag::O_NONBLOCK.bits();
        let file = OpenOptions::new().read(true).custom_flags(flags).open(&self.0);
        let file = file.map_err(|error| failed(error.to_string()))?;
        let settings = StreamSettings { check_byte_order: false, ..StreamSettings::default() };
        let (layout, strategy) = (Layout::board(), self.1.strategy(&Layout::board(), Framing::None));
        let source = StreamSource::with_strategy(file.into(), &settings, &layout, counters, strategy);
        source.map(|source| Box::new(source) as _).map_err(failed)
    }
}

/// Lets the board send so many blocks while the loop takes them by a strategy. Every 200 turns the
/// loop does something else for a while.
fn run(strategy: StrategyName, wait: Wait, blocks: u64) -> Run {
    let (folder, region) = temporary_region();
    let (fifo, record) = (fifo(folder.path()), folder.path().join("sent.csv"));
    let settings = "whole_blocks = false\ncheck_byte_order = false\nperiod_us = 1000.0";
    let plan = Plan::parse(&Found::new("test.toml", file(&fifo, settings)), &[]);
    let mut plan = plan.expect("a good file");
    if strategy != StrategyName::AllBlocks {
        plan.sources[0].opening = Box::new(Measured(fifo.clone(), strategy));
    }
    let mut probe = ChainProbe::new(&region, plan, &job("tank-level", None), wait).expect("blocks to claim");
    let has_ended = &AtomicBool::new(false);
    let (fifo, record_path) = (&fifo, &record);
    let seen = std::thread::scope(|scope| {
        scope.spawn(move || {
            play(fifo, record_path, blocks);
            has_ended.store(true, Ordering::Release);
        });
        let (began, mut seen) = (Instant::now(), Vec::new());
        loop {
            // A look after the board has ended finds everything.
            let is_last = has_ended.load(Ordering::Acquire);
            seen.push(probe.turn(TURN_NS));
            if is_last {
                return seen;
            }
            if seen.len() % 200 == 0 {
                std::thread::sleep(Duration::from_millis(30));
            }
            assert!(began.elapsed() < TIME_LIMIT, "the board does not end");
        }
    });
    Run { record: read(&record).expect("a record"), seen }
}

fn play(fifo: &Path, record: &Path, blocks: u64) {
    let settings = Settings { manoeuvre: "steering-sweep".to_owned(), ..Settings::default() };
    let prepared = settings.prepare(None).expect("shipped files");
    let prepared = prepared.ending(None, Some(blocks));
    let processor = prepared.processor();
    let record = Record::create(record, processor.program()).expect("a file");
    let outlet = Outlet::open(&Place::Fifo(fifo.to_owned())).expect("a FIFO");
    let emulator = Emulator::new(processor, prepared.delivery, outlet, None, Some(record));
    emulator.run(&|| false, &mut |_| {}).expect("a record");
}

/// No block lost, none torn, no overflow, and the newest is always the one that is published, in
/// both ways of waiting.
#[test]
fn every_block_arrives_whole_and_the_newest_is_published() {
    for wait in [Wait::Sleep, Wait::Spin] {
        let run = run(StrategyName::AllBlocks, wait, 1000);
        let comparison = run.comparison();
        assert!(comparison.is_right(), "{wait:?}: {comparison:?}");
        assert_eq!((comparison.blocks, comparison.bytes), (1000, 8000), "{comparison:?}");
        // The loop has paused: blocks came in bursts as well.
        assert!(comparison.largest_burst > 1, "{comparison:?}");
    }
}

/// The comparison notices what the other strategies do: the same run, the same pauses.
#[test]
fn wrong_strategies_are_noticed() {
    let everything = run(StrategyName::Everything, Wait::Sleep, 500).comparison();
    assert!(everything.torn + everything.misplaced > 0, "{everything:?}");
    let one = run(StrategyName::BlockIfAvailable, Wait::Sleep, 500).comparison();
    assert!(one.behind > 0 && one.behind_max > 1, "{one:?}");
    assert!(!everything.is_right() && !one.is_right());
}

/// One number of one block, one block left out, one written before the loop looked: each is
/// noticed.
#[test]
fn a_spoiled_record_is_noticed() {
    let good = run(StrategyName::AllBlocks, Wait::Sleep, 300);
    assert!(good.comparison().is_right(), "{:?}", good.comparison());
    let last = good.seen.last().expect("turns").blocks as usize - 1;
    let spoiled = |spoil: &dyn Fn(&mut Vec<Sent>)| {
        let mut record = good.record.clone();
        spoil(&mut record);
        Comparison::new(&record, &good.seen)
    };
    let changed = spoiled(&|record| record[last].values[2] += 100_000);
    assert!(changed.torn > 0, "{changed:?}");
    let missing = spoiled(&|record| drop(record.remove(0)));
    assert!(missing.lost == 1 && !missing.is_right(), "{missing:?}");
    let early = spoiled(&|record| record[last].times.as_mut().expect("it was sent").written_ns = 0);
    // Times rise: what was written last counts only when those before it were.
    let early_all = spoiled(&|record| {
        for block in record.iter_mut() {
            block.times.as_mut().expect("it was sent").written_ns = 0;
        }
    });
    assert!(early.lost == 0 && early_all.behind > 0, "{early_all:?}");
}
