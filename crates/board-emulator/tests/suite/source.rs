//! The emulated board as a source of an acquisition file.

use std::time::{Duration, Instant};

use acquisition::{Counters, Opening, Plan, Source, State};
use board_emulator::{EmulatorOpening, SOURCE_KIND, Settings};

/// Takes samples until there are so many; the states that were seen on the way.
fn collect(source: &mut dyn Source, count: usize) -> (Vec<[f64; 3]>, Vec<State>) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let (mut samples, mut states) = (Vec::new(), Vec::new());
    let mut now_ns = 0;
    while samples.len() < count && states.len() < 1_000_000 {
        assert!(Instant::now() < deadline, "only {} samples: {:?}", samples.len(), source.counters());
        now_ns += 100_000;
        states.push(source.take(now_ns, &mut |sample| {
            samples.push([0, 1, 2].map(|channel| sample.get(channel).unwrap()));
        }));
        if states.last() == Some(&State::Swapped) {
            break;
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    (samples, states)
}

/// The first blocks of a board with these settings.
fn expected(settings: &Settings, count: usize) -> Vec<[f64; 3]> {
    let mut processor = settings.prepare(None).unwrap().processor();
    let block = |_| {
        let values = processor.block().values;
        [0, 1, 2].map(|index| f64::from(values[index]))
    };
    (0..count).map(block).collect()
}

#[test]
fn the_shipped_file_has_the_emulated_board() {
    let plan = Plan::load("buggy", None, &[SOURCE_KIND]).unwrap();
    let mut source = plan.sources[0].opening.open(Counters::default()).unwrap();
    assert_eq!(source.channels(), ["brake", "throttle", "steering"]);
    assert!(source.descriptor().is_some());
    let (samples, states) = collect(source.as_mut(), 300);
    assert!(states.contains(&State::Flowing));
    let expected = expected(&Settings::default(), samples.len());
    assert_eq!(samples, expected);
    let counters = source.counters();
    assert_eq!((counters.blocks, counters.lost, counters.corrupted), (samples.len() as u64, 0, 0));
}

/// With headers, every fault is noticed, and what comes through is right.
#[test]
fn framed_blocks_with_faults_are_sorted_out() {
    let settings = Settings {
        manoeuvre: "steering-sweep".into(),
        framed: true,
        unpaced: true,
        corrupt: 0.02,
        garbage: 0.02,
        lose: 0.02,
        duplicate: 0.02,
        ..Settings::default()
    };
    let opening = EmulatorOpening::new(settings.prepare(None).unwrap());
    let mut source = opening.open(Counters::default()).unwrap();
    let (samples, _) = collect(source.as_mut(), 5000);
    let counters = *source.counters();
    assert!(counters.lost > 50 && counters.corrupted > 50 && counters.duplicated > 50, "{counters:?}");
    // In order, each at most once, none that was never sent.
    let all = expected(&settings, samples.len() * 2);
    let mut rest = all.iter();
    assert!(samples.iter().all(|sample| rest.any(|made| made == sample)));
}

#[test]
fn swapped_bytes_are_noticed() {
    let settings = Settings { manoeuvre: "slow-turn".into(), unpaced: true, swap: true, ..Settings::default() };
    let opening = EmulatorOpening::new(settings.prepare(None).unwrap());
    let mut source = opening.open(Counters::default()).unwrap();
    let (_, states) = collect(source.as_mut(), 2_000_000);
    assert_eq!(states.last(), Some(&State::Swapped));
}

/// A disconnect ends the stream; opened again, the board starts again.
#[test]
fn after_a_disconnect_it_can_be_opened_again() {
    let settings = Settings { disconnect_s: "0.1,0.05".parse().ok(), ..Settings::default() };
    let opening = EmulatorOpening::new(settings.prepare(None).unwrap());
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut streams = 0;
    while streams < 2 {
        let mut source = opening.open(Counters::default()).unwrap();
        let mut first = None;
        while source.take(1, &mut |sample| first = first.or(sample.get(2))) != State::Gone {
            assert!(Instant::now() < deadline, "it never ended");
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(Instant::now() < deadline, "it never delivered");
        // A machine that stands still for those 0.1 s leaves the board no time for a block: that
        // stream says nothing.
        if first.is_some() {
            assert_eq!(first, Some(0.0), "the count is relative to the start");
            streams += 1;
        }
    }
}

#[test]
fn what_is_wrong_in_a_file_has_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let refused = |settings: &str| {
        let text = format!(
            "format = \"rtrd-acquisition-1\"\n[[source]]\nname = \"board\"\nkind = \"emulator\"\n{settings}\n\
             [[channel]]\nname = \"b\"\nsource = \"board\"\nraw = \"brake\"\n"
        );
        std::fs::write(&path, text).unwrap();
        Plan::load(path.to_str().unwrap(), None, &[SOURCE_KIND]).err().expect(settings).to_string()
    };
    for (settings, message) in [
        ("scripts = \"x\"", "mine.toml:5:1: source[0].scripts: unknown field"),
        ("script = \"none\"", "script: none:1:1: "),
        ("corrupt = 2.0", "corrupt: expected 0 to 1, found 2"),
        ("period_us = \"fast\"", "period_us"),
        ("stall_s = [1, 2]", "source[0].stall_s: expected EVERY,LASTING"),
    ] {
        let found = refused(settings);
        assert!(found.contains("mine.toml:") && found.contains(message), "{settings}: {found}");
    }
}
