//! The configuration: every key documented, every mistake located, no text that makes it panic.

use std::path::Path;

use proptest::prelude::*;
use service::config::{Change, DriverSource, Exchange, Models, OverrunPolicy, render, steps_in};
use service::{Config, Job};

fn read(text: &str) -> Result<Config, String> {
    Config::from_text(text, "car.toml", Path::new("")).map_err(|error| error.to_string())
}

/// Every key with another value than its default.
const EVERY_KEY: &str = "[instance]\nname = \"car1\"\nscenario = \"car-cruise\"\nvehicle = \"hmmwv\"\nroad = \"flat\"\ngroup = \"rtrd\"\n\
    [realtime]\nrequire = true\nlock_memory = false\nhold_cpu_latency = false\nhealth_period_ms = 20\n\
    [daq]\ncpu = 2\nfifo_priority = 60\nperiod_us = 500\nacquisition = \"buggy\"\nwait = \"sleep\"\n\
    [dynamics]\ncpu = 3\nfifo_priority = 90\nstep_us = 250\noverrun = \"run-late\"\nanswer_within = 0.25\n\
    exchange = \"spin\"\nsubsystems = \"linked\"\nhold_forces_ms = 50\ntakeover_ms = 60\n\
    [subsystem]\ncpu = 4\nfifo_priority = 89\ndriver_timeout_ms = 100\ndriver = \"block\"\nexternal_within = 0.1\n\
    [supervisor]\nrestart_delay_ms = 1\nrestart_delay_max_ms = 2\nsettled_after_ms = 3\nhung_after_ms = 0\n\
    stop_within_ms = 4\n";

#[test]
fn defaults_run_anywhere() {
    let config = Config::default();
    assert_eq!(config.instance.name, "default");
    assert!(!config.realtime.require);
    let job = Job::read(&config).expect("a shipped manoeuvre");
    assert_eq!(job.name(), "drive-default");
    assert_eq!(service::names_of(&job).titles[1].0, "hmmwv");
}

#[test]
fn what_is_written_is_what_is_read() {
    let config = read(EVERY_KEY).expect("a good configuration");
    assert_eq!(config.dynamics.cpu, Some(3));
    assert_eq!(config.dynamics.overrun, OverrunPolicy::RunLate);
    assert_eq!(config.dynamics.exchange, Exchange::Spin);
    assert_eq!(config.dynamics.subsystems, Models::Linked);
    assert_eq!(config.subsystem.driver, DriverSource::Block);
    assert_eq!(config.daq.acquisition.as_deref(), Some("buggy"));
    assert_eq!(config.daq.wait, Exchange::Sleep);
    assert_eq!(config.supervisor.hung_after_ms, 0);
    assert_eq!(config.plant_scenario().expect("a scenario").step_s(), 250e-6);
    assert_eq!(read(&render(&config)), Ok(config));
}

#[test]
fn who_gives_an_acquisition_file_drives_by_it() {
    let driver = |text: &str| read(text).expect("a good configuration").subsystem.driver;
    assert_eq!(driver(""), DriverSource::Manoeuvre);
    assert_eq!(driver("[daq]\nacquisition = \"buggy\"\n"), DriverSource::Block);
    let both = "[daq]\nacquisition = \"buggy\"\n[subsystem]\ndriver = \"manoeuvre\"\n";
    assert_eq!(driver(both), DriverSource::Manoeuvre);
}

/// The keys that the reader knows, from its own complaint about one that it does not know.
fn known_keys(section: &str) -> Vec<String> {
    let complaint = read(&format!("[{section}]\nno_such_key = 1\n")).expect_err("an unknown key");
    let (_, expected) = complaint.split_once("expected").unwrap_or_else(|| panic!("{complaint}"));
    expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_key_is_explained() {
    let page = render(&Config::default());
    let complaint = read("[no_such_section]\n").expect_err("an unknown section");
    let (_, sections) = complaint.split_once("expected").expect("the sections");
    for section in sections.split('`').skip(1).step_by(2) {
        let (_, rest) = page.split_once(&format!("[{section}]\n")).unwrap_or_else(|| panic!("no [{section}]"));
        let part = rest.split("\n[").next().expect("a section");
        for key in known_keys(section) {
            let line = part.lines().find(|line| line.trim_start_matches("# ").starts_with(&format!("{key} =")));
            assert!(line.is_some(), "[{section}] {key} is not explained");
        }
    }
}

#[test]
fn impossible_values_are_located() {
    for (text, expected) in [
        ("[daq]\nperiod_us = 49", "car.toml:2:13: daq.period_us: 49 is impossible; expected 50..10000000"),
        ("[daq]\n\nperiod_us = -1", "car.toml:3:13: daq.period_us: -1 is impossible; expected 50..10000000"),
        ("[daq]\nfifo_priority = 0", "car.toml:2:17: daq.fifo_priority: 0 is impossible; expected 1..98"),
        (
            "[dynamics]\nanswer_within = nan",
            "car.toml:2:17: dynamics.answer_within: NaN is impossible; expected 0.01..1",
        ),
        ("[dynamics]\nexchange = \"wait\"", "\"wait\" is not known; expected \"auto\" or \"spin\" or \"sleep\""),
        ("[daq]\ncpu = 1.5", "car.toml:2:7: daq.cpu: invalid type: floating point"),
        ("[instance]\nname = \"\"", "expected 1 to 64 letters, digits, '-' or '_'"),
        (
            "[supervisor]\nrestart_delay_ms = 50\nrestart_delay_max_ms = 49",
            "car.toml:3:24: supervisor.restart_delay_max_ms: expected at least `restart_delay_ms`, which is 50",
        ),
    ] {
        let found = read(text).expect_err(text);
        assert!(found.contains(expected), "{text:?} gave {found}");
    }
}

#[test]
fn a_scenario_that_does_not_exist_is_named() {
    let config = read("[instance]\nscenario = \"tank-fig99\"").expect("the name is checked later");
    let found = Job::read(&config).expect_err("no such scenario").to_string();
    for name in ["tank-fig99", "tank-fig13", "iso-3888-1"] {
        assert!(found.contains(name), "{found}");
    }
    let config = read("[instance]\nscenario = \"./none.toml\"").expect("the file is read later");
    assert!(Job::read(&config).expect_err("no such file").to_string().contains("none.toml"));
}

#[test]
fn a_vehicle_needs_a_manoeuvre() {
    let config = read("[instance]\nscenario = \"tank-level\"\nvehicle = \"hmmwv\"").expect("names are checked later");
    let found = Job::read(&config).expect_err("a tank has no vehicle").to_string();
    assert!(found.contains("a plant") && found.contains("drive-default"), "{found}");
}

/// Every key differs. Those marked `[reload]` are taken over and no others: the marks and the code
/// agree.
#[test]
fn exactly_the_marked_keys_are_taken_over() {
    let (other, default) = (read(EVERY_KEY).expect("a good configuration"), Config::default());
    let mut running = Config::default();
    let changes = running.take_over(&other);
    let value = |config: &Config, change: &Change| {
        let page = render(config);
        let (_, section) = page.split_once(&format!("[{}]\n", change.section)).expect("a section");
        let key = format!("{} =", change.key);
        let line = section.lines().find(|line| line.trim_start_matches("# ").starts_with(&key));
        line.expect("a key").to_owned()
    };
    for change in &changes {
        let expected = if change.is_taken { &other } else { &default };
        assert_eq!(value(&running, change), value(expected, change), "{change}");
    }
    let keys = render(&default).lines().filter(|line| line.contains(" =") && !line.contains("[reload]")).count();
    assert_eq!(changes.len(), keys, "every key differs");
    let marks = render(&default).matches("[reload]\n").count();
    assert_eq!(changes.iter().filter(|change| change.is_taken).count(), marks);
    assert!(running.take_over(&other).iter().all(|change| !change.is_taken));
}

#[test]
fn what_is_kept_is_said_with_both_values() {
    let read = |text| read(text).expect("a good configuration");
    let mut running = read("[dynamics]\nstep_us = 1000\nhold_forces_ms = 100\n");
    let changes = running.take_over(&read("[dynamics]\nstep_us = 500\nhold_forces_ms = 40\n"));
    let lines: Vec<String> = changes.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        ["dynamics.step_us needs a restart: 1000 -> 500, kept 1000", "dynamics.hold_forces_ms: 100 -> 40"]
    );
    assert_eq!((running.dynamics.step_us, running.dynamics.hold_forces_ms), (Some(1000), 40));
}

#[test]
fn steps_are_rounded_up() {
    for (milliseconds, period_ns, steps) in [(100, 1_000_000, 100), (1, 3_000_000, 1), (10, 3_000_000, 4)] {
        assert_eq!(steps_in(milliseconds, period_ns), steps, "{milliseconds} ms");
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,200}") {
        let _ = read(&text);
    }

    #[test]
    fn no_value_makes_it_panic(section in 0usize..6, key in 0usize..8, value in "[-+0-9.\"a-z\\[\\]{}]{0,12}") {
        let sections = ["instance", "realtime", "daq", "dynamics", "subsystem", "supervisor"];
        let keys = known_keys(sections[section]);
        let text = format!("[{}]\n{} = {value}\n", sections[section], keys[key % keys.len()]);
        if let Ok(config) = read(&text) {
            prop_assert_eq!(read(&render(&config)), Ok(config));
        }
    }
}
