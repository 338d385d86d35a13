//! The configuration: every key documented, every mistake located, no text that makes it panic.

use std::path::Path;

use proptest::prelude::*;
use service::config::{DriverSource, Exchange, Models, OverrunPolicy, render};
use service::{Config, Job};

fn read(text: &str) -> Result<Config, String> {
    Config::from_text(text, "car.toml", Path::new("")).map_err(|error| error.to_string())
}

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
    let config = read(
        "[instance]\nname = \"car1\"\nscenario = \"car-cruise\"\ngroup = \"rtrd\"\n\
         [realtime]\nrequire = true\nlock_memory = false\nhold_cpu_latency = false\nhealth_period_ms = 20\n\
         [daq]\ncpu = 2\nfifo_priority = 60\nperiod_us = 500\nacquisition = \"buggy\"\nwait = \"sleep\"\n\
         [dynamics]\ncpu = 3\nfifo_priority = 90\nstep_us = 250\noverrun = \"run-late\"\nanswer_within = 0.25\n\
         exchange = \"spin\"\nsubsystems = \"linked\"\nhold_forces_ms = 50\ntakeover_ms = 60\n\
         [subsystem]\ncpu = 4\nfifo_priority = 89\ndriver_timeout_ms = 100\ndriver = \"block\"\nexternal_within = 0.1\n\
         [supervisor]\nrestart_delay_ms = 1\nrestart_delay_max_ms = 2\nsettled_after_ms = 3\nhung_after_ms = 0\n\
         stop_within_ms = 4\n",
    )
    .expect("a good configuration");
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
