//! The dictionary: every signal of a run by one name, and its value from the blocks; and the index
//! library: every word of every payload is exactly one signal, found by its number and by its name.

use signals::blocks::{
    self, CATALOGUE, FORCES, Forces, KINEMATICS, Kinematics, PLANT_OUTPUTS, PlantOutputs, VEHICLE, VehicleState,
};
use signals::names::{RunName, RunNames};
use signals::views::VIEWS;
use signals::{Blocks, Dictionary, Library, NUMBERS_PER_BLOCK, Quaternion, Vector3};
use std::collections::BTreeSet;

fn names() -> RunNames {
    let number = Library::new().by_name("plant_outputs.outputs[0]").unwrap().number;
    let word = |text: &str| text.to_owned();
    RunNames {
        titles: vec![(word("tank-level"), word("a tank"))],
        names: vec![RunName {
            number,
            name: word("level_cm"),
            unit: word("cm"),
            range: word("0..30"),
            description: word("level of the water"),
        }],
    }
}

#[test]
fn names_and_numbers_are_unique() {
    let dictionary = Dictionary::new(&[names()]);
    let all = dictionary.entries();
    let names: BTreeSet<&str> = all.iter().map(|entry| entry.name.as_str()).collect();
    let numbers: BTreeSet<u64> = all.iter().map(|entry| entry.number).collect();
    assert_eq!((names.len(), numbers.len()), (all.len(), all.len()));
    assert!(all.is_sorted_by_key(|entry| entry.number));
}

/// Names of views end in their unit as the axis of a plot needs it.
#[test]
fn every_view_has_a_name_with_its_unit_and_a_description() {
    for view in VIEWS {
        let ending = view.unit.replace("°", "deg").replace('/', "_").to_lowercase();
        let is_counted = view.unit == "-" && (view.name.ends_with("_ratio") || view.name == "gear");
        assert!(is_counted || view.name.ends_with(&format!("_{ending}")), "{}", view.name);
        assert!(view.description.len() > 8, "{}", view.name);
    }
}

#[test]
fn a_plants_number_is_asked_for_by_the_name_that_the_run_gives_it() {
    let dictionary = Dictionary::new(&[names()]);
    let mut blocks = Blocks::default();
    let level = dictionary.find("level_cm").unwrap();
    assert_eq!((level.unit.as_str(), level.range.as_str(), level.value(&blocks)), ("cm", "0..30", None));
    assert_eq!(level.number, dictionary.find("plant_outputs.outputs[0]").unwrap().number);
    let mut outputs = PlantOutputs { output_count: 1, ..PlantOutputs::default() };
    outputs.outputs[0] = 14.5;
    blocks.put(PLANT_OUTPUTS, &outputs);
    assert_eq!(level.value(&blocks), Some(14.5));
    assert_eq!(level.text(&blocks).as_deref(), Some("14.5"));
    // What is behind the last output is not there.
    assert_eq!(dictionary.find("plant_outputs.outputs[1]").unwrap().value(&blocks), None);
    assert_eq!(dictionary.titles, [("tank-level".to_owned(), "a tank".to_owned())]);
}

#[test]
fn patterns_choose_signals() {
    let dictionary = Dictionary::new(&[names()]);
    let chosen = |pattern: &str| -> Vec<String> {
        dictionary.choose(pattern).into_iter().map(|entry| entry.name.clone()).collect()
    };
    assert_eq!(chosen("speed_km_h"), ["speed_km_h"]);
    assert_eq!(chosen("level"), ["level_cm"]);
    assert_eq!(chosen("vehicle.wheels[*].load_n").len(), blocks::WHEELS_MAX);
    assert_eq!(chosen("kinematics.position_m.*").len(), 3);
    assert_eq!(chosen("10007"), ["driver.throttle_ratio"]);
    assert!(chosen("no*thing").is_empty() && chosen("nonsense").is_empty());
}

/// A car that drives at 20 m/s, turned by 90° to the left, its wheel steered by 0.1 rad.
#[test]
fn views_are_what_people_want_to_see() {
    let mut motion = Kinematics {
        velocity_m_s: Vector3::new(20.0, 0.0, 0.0),
        orientation: Quaternion::exp(Vector3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2)),
        wheel_count: 2,
        ..Kinematics::default()
    };
    for wheel in &mut motion.wheels[..2] {
        wheel.axle = motion.orientation.rotate(Vector3::new(-0.1_f64.sin(), 0.1_f64.cos(), 0.0));
    }
    let mut state = VehicleState { engine_speed_rad_s: 100.0, gear: -1, wheel_count: 2, ..VehicleState::default() };
    (state.wheels[0].load_n, state.wheels[0].slip_ratio) = (4_000.0, -0.2);
    (state.wheels[1].load_n, state.wheels[1].slip_ratio) = (10.0, 5.0);
    let mut forces = Forces::default();
    forces.steering.rack_displacement_m = -0.0125;
    let mut seen = Blocks::default();
    seen.put(KINEMATICS, &motion);
    seen.put(VEHICLE, &state);
    seen.put(FORCES, &forces);
    let dictionary = Dictionary::default();
    for (name, expected) in [
        ("speed_km_h", 72.0),
        ("heading_deg", 90.0),
        ("road_wheel_deg", 0.1_f64.to_degrees()),
        // 100 rad/s · 60 / 2π
        ("engine_speed_rpm", 954.929_658_551_372),
        ("gear", -1.0),
        ("least_wheel_load_n", 10.0),
        ("largest_slip_ratio", -0.2),
        ("rack_mm", -12.5),
        ("vehicle.wheels[0].load_n", 4_000.0),
        ("vehicle.gear", -1.0),
    ] {
        let found = dictionary.find(name).unwrap().value(&seen).unwrap();
        assert!((found - expected).abs() < 1e-9, "{name}: {found}");
    }
    assert!(dictionary.find("steer_deg").unwrap().value(&seen).unwrap().is_nan());
    assert_eq!(dictionary.find("vehicle.wheels[2].load_n").unwrap().value(&seen), None);
    assert_eq!(dictionary.find("time_s").unwrap().value(&Blocks::default()), None);
}

#[test]
fn every_word_is_one_signal() {
    let library = Library::new();
    for (index, entry) in CATALOGUE.iter().enumerate() {
        let words: Vec<_> =
            library.all().iter().filter(|signal| signal.block == index).map(|signal| signal.word).collect();
        let expected: Vec<_> = (0..entry.payload_words).collect();
        assert_eq!(words, expected, "/{}/", entry.name);
    }
}

#[test]
fn numbers_and_names_are_unique() {
    let library = Library::new();
    let numbers: BTreeSet<_> = library.all().iter().map(|signal| signal.number).collect();
    let names: BTreeSet<_> = library.all().iter().map(|signal| signal.name.as_str()).collect();
    assert_eq!((numbers.len(), names.len()), (library.all().len(), library.all().len()));
}

#[test]
fn a_signal_is_found_by_number_and_by_name() {
    let library = Library::new();
    for signal in library.all() {
        let by_number = library.by_number(signal.number).unwrap();
        assert_eq!((by_number.word, &by_number.name), (signal.word, &signal.name));
        assert_eq!(signal.number, u64::from(signal.entry().number) * NUMBERS_PER_BLOCK + signal.word as u64);
        assert!(signal.name.starts_with(&format!("{}.", signal.entry().name)), "{}", signal.name);
    }
    // Looking names up is linear: a sample over the whole library is enough.
    for signal in library.all().iter().step_by(97) {
        assert_eq!(library.by_name(&signal.name).unwrap().number, signal.number);
    }
}

#[test]
fn what_does_not_exist_is_not_found() {
    let library = Library::new();
    assert!(library.by_number(0).is_none());
    assert!(library.by_number(u64::MAX).is_none());
    assert!(library.by_number(library.all()[0].number + NUMBERS_PER_BLOCK - 1).is_none());
    for name in
        ["", "driver", "driver.", "demands.demands", "demands.demands[64]", "kinematics.position_m", "nothing.at_all"]
    {
        assert!(library.by_name(name).is_none(), "{name}");
    }
}

/// The numbers are an interface: recordings and remote processes keep them.
#[test]
fn well_known_signals_keep_their_numbers() {
    let library = Library::new();
    for (name, number, unit) in [
        ("driver.stamp.step", 10_000, "-"),
        ("driver.throttle_ratio", 10_007, "-"),
        ("driver.age_ns", 10_012, "ns"),
        ("demands.demands[0]", 220_005, "-"),
        ("plant_outputs.outputs[255]", 40_261, "-"),
        ("kinematics.position_m.x", 70_005, "m"),
        ("kinematics.orientation.w", 70_008, "-"),
        ("kinematics.wheels[2].velocity_m_s.z", 70_053, "m/s"),
        ("vehicle.wheels[2].spin_rate_rad_s", 90_082, "rad/s"),
    ] {
        let signal = library.by_name(name).unwrap();
        assert_eq!((signal.number, signal.field.unit), (number, unit), "{name}");
    }
}

#[test]
fn words_are_shown_as_their_kind_of_number() {
    let library = Library::new();
    let shown = |name: &str, word| library.by_name(name).unwrap().format(word);
    assert_eq!(shown("driver.throttle_ratio", 0.5_f64.to_bits()), "0.5");
    assert_eq!(shown("driver.throttle_ratio", f64::NAN.to_bits()), "NaN");
    assert_eq!(shown("driver.gear", (-1_i64) as u64), "-1");
    assert_eq!(shown("driver.stamp.step", u64::MAX), "18446744073709551615");
}
