//! The index library: every word of every payload is exactly one signal, found by its number and by
//! its name.

use std::collections::BTreeSet;

use signals::blocks::CATALOGUE;
use signals::{Library, NUMBERS_PER_BLOCK};

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
