//! Across real processes on the clock a vehicle has the bits of the offline simulation
//! (`vehicle::simulation`), step by step. Through the common blocks on a virtual clock:
//! `tests/simulator`.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use service::config::DriverSource;
use shm_layout::blocks;
use simulator::VehicleSystem;
use simulator::killable::checksum;
use system_tests::live::LiveRun;
use system_tests::programs::{TextFile, instance};
use vehicle::simulation::Simulation;

/// A checksum over all that is known of the motion.
type Bits = u64;

/// The motion at the beginning of steps 1 to `steps`.
fn offline(manoeuvre: &str, steps: usize) -> Vec<Bits> {
    let system = VehicleSystem::new(manoeuvre, None, DriverSource::Manoeuvre);
    let mut simulation = Simulation::new(&system.setup).expect("a vehicle");
    let mut all = Vec::with_capacity(steps);
    for _ in 0..steps {
        all.push(checksum(simulation.motion()));
        simulation.step();
    }
    all
}

/// What an onlooker sees of a live run, up to the last step before which no answer was missed.
fn watch(instance: &str, configuration: &str, steps: u64) -> BTreeMap<u64, Bits> {
    let file = TextFile::new(configuration);
    let mut run = LiveRun::start(instance, &["--config", file.path()]);
    let mut kinematics = run.region().reader(blocks::KINEMATICS);
    let mut seen = BTreeMap::new();
    let mut good_until = 0;
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(20) && good_until < steps {
        if let Some(snapshot) = kinematics.latest() {
            seen.insert(snapshot.value.stamp.step, checksum(snapshot.value));
        }
        let health = run.health(2);
        if health.exchange_misses > 0 {
            break;
        }
        good_until = good_until.max(health.stamp.step);
        std::thread::sleep(Duration::from_micros(300));
    }
    assert!(run.finish().status.success());
    seen.split_off(&(good_until + 1));
    seen
}

/// Runs until an undisturbed stretch of this many steps was seen, on a machine that may be busy;
/// holds every attempt against offline.
fn assert_same_bits_live(name: &str, manoeuvre: &str, configuration: &str) {
    const STEPS: u64 = 1_500;
    let configuration = format!("[instance]\nscenario = \"{manoeuvre}\"\n{configuration}");
    let expected = offline(manoeuvre, 2 * STEPS as usize);
    let mut longest = 0;
    for attempt in 0..8 {
        let seen = watch(&instance(&format!("{name}-{attempt}")), &configuration, STEPS);
        for (step, bits) in &seen {
            let Some(expected) = expected.get(*step as usize - 1) else {
                continue;
            };
            assert_eq!(bits, expected, "step {step}, attempt {attempt}");
        }
        let last = seen.keys().next_back().copied().unwrap_or(0);
        longest = longest.max(last);
        println!("{name}, attempt {attempt}: {} steps seen, the last is {last}", seen.len());
        if last >= STEPS / 2 && seen.len() > 100 {
            return;
        }
    }
    // A machine on which no half second passes without a miss cannot show more, but what it showed
    // was right.
    system_tests::skip(&format!("{name}: the machine is too busy, only {longest} steps without a miss"));
}

const ACROSS: &str = "[realtime]\nhealth_period_ms = 2\n[dynamics]\nexchange = \"sleep\"\nanswer_within = 1.0\n";
const LINKED: &str = "[realtime]\nhealth_period_ms = 2\n[dynamics]\nsubsystems = \"linked\"\n";

#[test]
fn across_processes_it_has_the_bits_of_offline() {
    assert_same_bits_live("bits", "drive-default", ACROSS);
}

#[test]
fn across_processes_the_car_has_the_bits_of_offline() {
    assert_same_bits_live("car-bits", "iso-3888-1", ACROSS);
}

#[test]
fn across_processes_the_truck_has_the_bits_of_offline() {
    assert_same_bits_live("truck-bits", "iso-7401-step-truck", ACROSS);
}

#[test]
fn linked_in_a_process_it_has_the_bits_of_offline() {
    assert_same_bits_live("linked-bits", "drive-default", LINKED);
}
