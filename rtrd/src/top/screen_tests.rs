//! The live view on terminals of several sizes that are not there.

use super::*;
use crate::readiness::{Places, sample};
use crate::top::keys::Key;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use rt::histogram::Histogram;
use rt::startup::Item;
use shm_layout::blocks::{self, Control, Health, MODE_RUN, PlantOutputs, STATE_RUNNING};
use shm_layout::clock::monotonic_ns;

fn name(folder: &tempfile::TempDir) -> RegionName {
    RegionName::in_directory(folder.path(), "car1").unwrap()
}

/// A region with a dynamics process that reports, and three outputs.
fn live(folder: &tempfile::TempDir) -> (Region, impl Sized) {
    let region = Region::create(&name(folder), None).unwrap();
    let mut health = Health {
        pid: 4711,
        state: STATE_RUNNING,
        granted_bits: Item::FifoPriority.bit() | Item::MemoryLocked.bit(),
        fifo_priority: 80,
        ..Health::default()
    };
    let mut latency = Histogram::new();
    for late_ns in [20_000, 21_000, 40_000, 900_000] {
        latency.record(late_ns);
    }
    service::copy_histogram(&latency, &mut health.latency);
    health.stamp.publish_ns = monotonic_ns();
    let mut outputs = PlantOutputs { output_count: 3, ..PlantOutputs::default() };
    outputs.outputs[..3].copy_from_slice(&[1.5, 2.5, 3.5]);
    let control = Control { mode: MODE_RUN, started_ns: monotonic_ns(), period_ns: 1_000_000, ..Control::default() };
    let mut writers = (
        region.claim(blocks::DYNAMICS_HEALTH).unwrap(),
        region.claim(blocks::PLANT_OUTPUTS).unwrap(),
        region.claim(blocks::CONTROL).unwrap(),
    );
    writers.0.publish(&health);
    writers.1.publish(&outputs);
    writers.2.publish(&control);
    (region, writers)
}

/// Looks at the region, on this machine with a readiness report that passes.
fn observed(folder: &tempfile::TempDir) -> App {
    let places = Places(vec![folder.path().join("state")]);
    let content = sample::content_of(std::path::Path::new("/"));
    crate::readiness::write(&places.stem().unwrap(), content).unwrap();
    App::new(Region::observe(&name(folder)).unwrap(), Readiness::new(places))
}

fn screen(app: &App, columns: u16, rows: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| app.draw(frame, 250)).unwrap();
    terminal.backend().to_string()
}

#[test]
fn every_part_is_on_screens_of_usual_sizes() {
    let folder = tempfile::tempdir().unwrap();
    let _live = live(&folder);
    let app = observed(&folder);
    for (columns, rows) in [(80, 24), (140, 45), (200, 60)] {
        let seen = screen(&app, columns, rows);
        for part in [
            "car1",
            "4711",
            "processes",
            "latencies",
            "/plant_outputs/",
            "plant_outputs.outputs[2]",
            "3.5000",
            "q ends",
        ] {
            assert!(seen.contains(part), "{part} is missing on {columns}x{rows}:\n{seen}");
        }
        assert!(seen.contains("real-time: every process") && seen.contains("▸ dynamics"), "{seen}");
        assert!(seen.contains('█'), "no picture on {columns}x{rows}:\n{seen}");
    }
    assert!(screen(&app, 140, 45).contains("granted: memory locked, FIFO priority"));
}

#[test]
fn what_is_wrong_with_the_inputs_is_said_in_words_even_on_an_old_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let (region, _live) = live(&folder);
    let mut writer = region.claim(blocks::DAQ_HEALTH).unwrap();
    let mut publish = |input_faults, input_reaction| {
        let mut health = Health { pid: 4712, state: STATE_RUNNING, input_faults, input_reaction, ..Health::default() };
        health.stamp.publish_ns = monotonic_ns();
        writer.publish(&health);
        screen(&observed(&folder), 80, 24)
    };
    let seen = publish(8, 3);
    assert!(seen.contains("! inputs stale: stop asked for"), "{seen}");
    let seen = publish(1 | 2, 1);
    assert!(seen.contains("! inputs out of range, stuck: held"), "{seen}");
    let seen = publish(0, 0);
    assert!(!seen.contains("inputs"), "{seen}");
}

#[test]
fn without_a_report_of_this_machine_it_is_not_called_real_time() {
    let folder = tempfile::tempdir().unwrap();
    let _live = live(&folder);
    let region = Region::observe(&name(&folder)).unwrap();
    let nothing = Readiness::new(Places(vec![folder.path().join("state")]));
    let seen = screen(&App::new(region, nothing), 120, 40);
    assert!(seen.contains("not real-time: no readiness report: `rtrd check --report` makes one"), "{seen}");
}

#[test]
fn a_tiny_terminal_is_no_reason_to_fail() {
    let folder = tempfile::tempdir().unwrap();
    let _live = live(&folder);
    let app = observed(&folder);
    for (columns, rows) in [(1, 1), (10, 3), (40, 12), (300, 2)] {
        screen(&app, columns, rows);
    }
}

#[test]
fn what_has_no_room_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let _live = live(&folder);
    let seen = screen(&observed(&folder), 100, 16);
    assert!(seen.contains("… 3 more"), "{seen}");
}

#[test]
fn the_end_of_a_run_is_said_and_the_next_run_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let (region, writers) = live(&folder);
    let mut app = observed(&folder);
    drop(writers);
    assert!(region.close_and_remove().unwrap());
    app.look_again();
    let seen = screen(&app, 120, 40);
    assert!(seen.contains("the run is over: waiting for the next one of instance \"car1\""), "{seen}");
    assert!(seen.contains("4711"), "the last picture should stay:\n{seen}");
    app.look_again();
    assert!(app.watched.is_none());

    let _second = live(&folder);
    app.look_again();
    assert!(app.watched.is_some() && app.banner.is_none());
}

#[test]
fn looking_keeps_no_region_alive() {
    let folder = tempfile::tempdir().unwrap();
    let (region, writers) = live(&folder);
    let mut app = observed(&folder);
    drop((region, writers));
    assert!(Region::remove_stale(&name(&folder)).unwrap());
    app.look_again();
    assert!(app.banner.is_some());
}

#[test]
fn keys_select_a_process() {
    let folder = tempfile::tempdir().unwrap();
    let _live = live(&folder);
    let mut app = observed(&folder);
    assert_eq!(app.selected, 2);
    for (key, selected) in [(Key::Next, 0), (Key::Previous, 2), (Key::Previous, 1), (Key::Next, 2)] {
        assert!(app.press(key));
        assert_eq!(app.selected, selected);
    }
    assert!(!app.press(Key::Other));
    assert_eq!(app.selected, 2);
}
