//! Roads that are made: their spectrum lies in the band of its class (ISO 8608), circuits close,
//! what is written is what is read.

use std::f64::consts::TAU;
use vehicle::files::Source;
use vehicle::terrain::crg::{Content, Crg, Format, decode, write};
use vehicle::terrain::make::{Class, Layout, MakeError, Order};
use vehicle::terrain::{self, Hint};

/// Power of a periodic signal between two spatial frequencies (1/m), by plain Fourier sums at the
/// whole waves k/L: the mean of the one-sided density G(n) = 2 L |c|² over the band (m³).
fn density_m3(signal: &[f64], length_m: f64, band: [f64; 2]) -> f64 {
    let count = signal.len() as f64;
    let (first, last) = ((band[0] * length_m).ceil() as u32, (band[1] * length_m).floor() as u32);
    let mut sum = 0.0;
    for k in first..=last {
        let (mut real, mut imaginary) = (0.0, 0.0);
        for (index, value) in signal.iter().enumerate() {
            let (sine, cosine) = (TAU * f64::from(k) * index as f64 / count).sin_cos();
            real += value * cosine;
            imaginary -= value * sine;
        }
        sum += 2.0 * length_m * (real * real + imaginary * imaginary) / (count * count);
    }
    sum / f64::from(last - first + 1)
}

/// Octaves around 0.0625, 0.125, … 1 1/m.
fn octaves() -> impl Iterator<Item = [f64; 2]> {
    (0..5).map(|octave| {
        let middle = 0.0625 * f64::from(1 << octave);
        [middle / 2_f64.sqrt(), middle * 2_f64.sqrt()]
    })
}

fn straight(class: Class, seed: u64) -> Order {
    Order { length_m: 200.0, width_m: 2.0, section_m: 1.0, class: Some(class), seed, ..Order::default() }
}

/// The heights along one track, asked from the finished road as a vehicle would.
fn track(content: &Content, y: f64) -> Vec<f64> {
    let bytes = write(content);
    let road = terrain::read(&Source::new("made.crg", &bytes)).expect("what is made can be read");
    let mut hint = Hint::default();
    let at = |index: usize| road.at(0.2 * index as f64, y, &mut hint).height_m;
    (0..1000).map(at).collect()
}

/// Whether the spectrum times n² stays within half and twice G_d(n₀) n₀² in every octave.
fn is_in_class(signal: &[f64], class: Class) -> bool {
    octaves().all(|band| {
        let middle = (band[0] * band[1]).sqrt();
        // The mean of n⁻² over [a, b] is 1/(ab), so the band's mean is that at its geometric
        // middle.
        let at_reference = density_m3(signal, 200.0, band) * (middle / 0.1).powi(2);
        (0.5 * class.density_m3()..2.0 * class.density_m3()).contains(&at_reference)
    })
}

#[test]
fn the_spectrum_lies_in_the_band_of_its_class() {
    for class in [Class::A, Class::D, Class::H] {
        for (seed, y) in [(1, 0.0), (2, 1.0), (3, -1.0)] {
            let signal = track(&straight(class, seed).make().expect("possible"), y);
            assert!(is_in_class(&signal, class), "class {class:?}, seed {seed}");
            // The check can fail: the same road belongs to no neighbouring class.
            let wrong = if class == Class::A { Class::B } else { Class::C };
            assert!(!is_in_class(&signal, wrong), "class {class:?} taken for {wrong:?}");
        }
    }
}

/// ISO 8608: geometric means of the classes at n₀ = 0.1 1/m, in 10⁻⁶ m³.
#[test]
fn classes_have_their_published_means() {
    let published = [16.0, 64.0, 256.0, 1024.0, 4096.0, 16384.0, 65536.0, 262_144.0];
    for (class, mean) in Class::ALL.into_iter().zip(published) {
        assert!((class.density_m3() - mean * 1e-6).abs() < 1e-12 * mean, "{class:?}");
    }
}

/// Isotropic: the tracks agree over long waves and not over short ones.
#[test]
fn tracks_agree_over_long_waves_only() {
    let content = straight(Class::C, 5).make().expect("possible");
    let (left, right) = (track(&content, 1.0), track(&content, -1.0));
    let difference: Vec<f64> = left.iter().zip(&right).map(|(left, right)| left - right).collect();
    let share = |band| density_m3(&difference, 200.0, band) / density_m3(&left, 200.0, band);
    // Two signals without relation differ with twice the density of one; equal ones with none.
    assert!(share([0.02, 0.06]) < 0.5, "{}", share([0.02, 0.06]));
    assert!(share([0.7, 1.4]) > 1.4, "{}", share([0.7, 1.4]));
}

#[test]
fn the_seed_decides() {
    let make = |seed| write(&straight(Class::B, seed).make().expect("possible"));
    assert_eq!(make(7), make(7));
    assert_ne!(make(7), make(8));
}

fn circuit() -> Order {
    Order {
        layout: Layout::Circuit { radius_m: 30.0 },
        length_m: 300.0,
        increment_m: 0.5,
        section_m: 1.0,
        hills_m: 4.0,
        banking: 0.05,
        class: Some(Class::B),
        ..Order::default()
    }
}

#[test]
fn a_circuit_closes_in_position_heading_and_height() {
    let mut content = circuit().make().expect("possible");
    content.end_xy_m = None; // what the headings alone give
    let road = Crg::new(&content).expect("a road");
    let (first, last) = (road.line_m()[0], road.line_m()[road.line_m().len() - 1]);
    assert!((first[0] - last[0]).hypot(first[1] - last[1]) < 1e-9, "{first:?} {last:?}");
    assert!(road.is_closed());
    for v in [-3.9, 0.0, 3.9] {
        // 1 mm before and behind the joint: heights differ by less than 1 mm of a slope of 0.5.
        let step = road.height_m(300.0 - 1e-3, v) - road.height_m(1e-3, v);
        assert!(step.abs() < 1e-3, "{step}");
    }
    // The bend of 30 m is where it was ordered: the headings turn by no more than the increment
    // over the radius.
    let turn = |u: f64| road.heading_rad(u + 0.5) - road.heading_rad(u);
    let sharpest = (0..200).map(|index| turn(f64::from(index) * 0.5)).fold(0.0, f64::max);
    assert!((sharpest - 0.5 / 30.0).abs() < 0.01 * 0.5 / 30.0, "{sharpest}");
}

/// Single precision keeps 7 digits, text of 10 characters 6 to 7 places; heights and positions
/// accumulate that over 600 records.
#[test]
fn what_is_written_is_what_is_read() {
    let mut content = circuit().make().expect("possible");
    content.heights_m[100] = f64::NAN;
    for (format, tolerance) in [(Format::Lrfi, 1e-6), (Format::Ldfi, 1e-14), (Format::Krbi, 1e-6), (Format::Kdbi, 0.0)]
    {
        content.format = format;
        let bytes = write(&content);
        let read = decode(&Source::new("written.crg", &bytes)).expect("readable");
        assert_eq!((read.format, read.records(), read.missing()), (format, 601, 1), "{format:?}");
        assert_eq!(read.v_m, content.v_m);
        assert_eq!(read.options, content.options);
        let pairs = read.heights_m.iter().zip(&content.heights_m);
        let far = pairs.filter(|(_, made)| !made.is_nan()).map(|(read, made)| (read - made).abs());
        let largest = far.fold(0.0, f64::max);
        assert!(largest <= tolerance, "{format:?}: {largest}");
    }
}

/// Positions instead of headings: the same road.
#[test]
fn positions_give_the_same_road_as_headings() {
    let mut content = circuit().make().expect("possible");
    content.format = Format::Kdbi;
    let by_headings = Crg::new(&content).expect("a road");
    content.course = vehicle::terrain::crg::Course::Positions(by_headings.line_m().to_vec());
    let bytes = write(&content);
    let by_positions = Crg::read(&Source::new("positions.crg", &bytes)).expect("a road");
    for index in 0..300 {
        let (u, v) = (f64::from(index) + 0.3, f64::from(index % 7) - 3.0);
        let [x, y] = by_headings.position_m(u, v);
        let place = by_positions.road_coordinates_m(x, y, &mut Hint::default());
        assert!((place[0] - u).abs() < 1e-9 && (place[1] - v).abs() < 1e-9, "{place:?} {u} {v}");
        assert!((by_positions.height_m(u, v) - by_headings.height_m(u, v)).abs() < 1e-12);
    }
}

#[test]
fn orders_that_cannot_be_are_refused() {
    let too_short = Order { layout: Layout::Circuit { radius_m: 100.0 }, ..Order::default() };
    assert!(matches!(too_short.make(), Err(MakeError::TooShort { .. })));
    let too_sharp = Order { layout: Layout::Winding { radius_m: 2.0 }, ..Order::default() };
    assert!(matches!(too_sharp.make(), Err(MakeError::Size { name: "radius", .. })));
    let too_many = Order { length_m: 1e5, increment_m: 0.005, ..Order::default() };
    assert!(matches!(too_many.make(), Err(MakeError::TooMany { .. })));
    let not_a_number = Order { width_m: f64::NAN, ..Order::default() };
    assert!(not_a_number.make().is_err());
}
