//! Brakes against hand calculation and closed forms, what must hold for every brake system, and bad
//! files.

use crate::support::files::{assert_faults, refused_when_cut_off, text_of};
use crate::support::{press, saved};
use proptest::prelude::*;
use rt::allocation::forbid;
use vehicle::brake::{self, Brake};
use vehicle::files::Source;
use vehicle::library::Kind;
use vehicle::{DriverInput, WHEELS_MAX};

const STEP_S: f64 = 1e-3;

fn from_text(text: &str, wheels: usize) -> Box<dyn Brake> {
    brake::read(&Source::new("brake.toml", text.as_bytes()), wheels).unwrap_or_else(|error| panic!("{error}"))
}

/// The shipped files with the count of wheels of their vehicles.
fn all_shipped() -> impl Iterator<Item = (&'static str, usize)> {
    Kind::Brake.shipped().map(|name| (name, if name.starts_with("tractor") { 12 } else { 4 }))
}

fn shipped(name: &str, wheels: usize) -> Box<dyn Brake> {
    from_text(&text_of("brakes", name), wheels)
}

/// One step with wheels that roll freely.
fn roll(brake: &mut dyn Brake, input: &DriverInput, wheels: usize, step_s: f64) -> [f64; WHEELS_MAX] {
    press(brake, input, &[50.0; WHEELS_MAX][..wheels], &[50.0; WHEELS_MAX][..wheels], step_s)
}

fn pedal(brake: f64) -> DriverInput {
    DriverInput { brake_ratio: brake, ..DriverInput::RELEASED }
}

fn pressure(bar: f64) -> DriverInput {
    DriverInput { brake_pressure_bar: bar, ..DriverInput::RELEASED }
}

const BY_HAND: &str = r#"
kind = "hydraulic"
[pedal]
full_bar = 100.0
[[axle]]
torque_nm_bar = 20.0
threshold_bar = 1.0
wheel_gains = [1.0, 0.9]
[[axle]]
share = 0.8
knee_bar = 30.0
slope_above_knee = 0.25
pressure_bar = [0.0, 10.0, 50.0]
torque_nm = [0.0, 100.0, 900.0]
parking_nm = 700.0
"#;

/// By hand. Front: 20 (p − 1), the right one nine tenths of it. Rear at 25 bar: 0.8 × 25 = 20 bar,
/// below the knee, 100 + 800/40 × 10 = 300 Nm; at 100 bar: 80 bar, 30 + 0.25 × 50 = 42.5 bar behind
/// the valve, 100 + 20 × 32.5 = 750 Nm.
#[test]
fn split_knee_gains_and_table_by_hand() {
    let mut brake = from_text(BY_HAND, 4);
    for (bar, front, rear) in [(0.0, 0.0, 0.0), (0.5, 0.0, 4.0), (25.0, 480.0, 300.0), (100.0, 1980.0, 750.0)] {
        let held = roll(brake.as_mut(), &pressure(bar), 4, STEP_S);
        for (found, expected) in held.iter().zip([front, 0.9 * front, rear, rear]) {
            assert!((found - expected).abs() < 1e-9, "{bar} bar: {held:?}");
        }
    }
}

/// A measured pressure counts instead of the pedal, negative noise of the sensor (DAS section
/// 4.2.3) is no pressure.
#[test]
fn a_measured_pressure_counts_instead_of_the_pedal() {
    let mut brake = from_text(BY_HAND, 4);
    let both = DriverInput { brake_ratio: 1.0, ..pressure(25.0) };
    assert_eq!(roll(brake.as_mut(), &both, 4, STEP_S)[0], 480.0);
    assert_eq!(roll(brake.as_mut(), &pedal(0.25), 4, STEP_S)[0], 480.0);
    assert_eq!(roll(brake.as_mut(), &pressure(-0.3), 4, STEP_S)[..4], [0.0; 4]);
}

/// The parking brake holds the rear wheels without the pedal, and the larger of the two holds with
/// it.
#[test]
fn the_parking_brake_works_beside_the_pedal() {
    let mut brake = from_text(BY_HAND, 4);
    brake.set_parking(1.0);
    assert_eq!(roll(brake.as_mut(), &pedal(0.0), 4, STEP_S)[..4], [0.0, 0.0, 700.0, 700.0]);
    assert_eq!(roll(brake.as_mut(), &pressure(25.0), 4, STEP_S)[3], 700.0);
    assert_eq!(roll(brake.as_mut(), &pressure(100.0), 4, STEP_S)[3], 750.0);
    brake.set_parking(0.0);
    assert_eq!(roll(brake.as_mut(), &pedal(0.0), 4, STEP_S)[3], 0.0);
}

/// The lag is exact at every step length: 1 − e^(−t/τ) up, e^(−t/τ') down.
#[test]
fn the_lag_is_exponential_at_every_step_length() {
    let text =
        "kind = \"air\"\n[pedal]\nfull_bar = 8.0\n[[axle]]\ntorque_nm_bar = 1000.0\nlag_s = 0.2\nrelease_lag_s = 0.1\n";
    for step_s in [1e-4, 1e-3, 7e-3, 0.05] {
        let mut brake = from_text(text, 2);
        let steps = (0.35 / step_s) as usize;
        let mut held = 0.0;
        for _ in 0..steps {
            held = roll(brake.as_mut(), &pedal(1.0), 2, step_s)[1];
        }
        let built = 8000.0 * (1.0 - (-(steps as f64) * step_s / 0.2).exp());
        // Thousands of products of rounded factors: 1e-12 each way is generous.
        assert!((held / built - 1.0).abs() < 1e-11, "{step_s}: {held} {built}");
        for _ in 0..steps {
            held = roll(brake.as_mut(), &pedal(0.0), 2, step_s)[1];
        }
        let left = built * (-(steps as f64) * step_s / 0.1).exp();
        assert!((held / left - 1.0).abs() < 1e-11, "{step_s}: {held} {left}");
    }
}

const BY_WIRE: &str = r#"
kind = "electromechanical"
full_bar = 50.0
[[axle]]
torque_max_nm = 1000.0
rate_nm_s = 5000.0
lag_s = 0.1
[[axle]]
torque_max_nm = 400.0
rate_nm_s = 1e6
parking_nm = 300.0
[slip_control]
slip = 0.1
gain = 5.0
radius_m = 0.3
off_below_m_s = 1.5
"#;

/// The actuator is limited by its rate while (T* − T)/τ is larger, here until T = 1000 − 5000 × 0.1
/// = 500 Nm at 0.1 s, and exponential from there: 1000 − 500 e^(−(t − 0.1)/τ). The change from one
/// law to the other falls on a step; 1e-9 is for rounding. The rear one has no lag.
#[test]
fn an_actuator_ramps_and_then_settles() {
    let mut brake = from_text(BY_WIRE, 4);
    for step in 1..=400 {
        let held = roll(brake.as_mut(), &pedal(1.0), 4, STEP_S);
        let t = f64::from(step) * STEP_S;
        // One step of the exact lag goes less far than a step of the rate from 500 Nm + 1000 Nm
        // h/(2 τ) on, half a step earlier: 5 Nm.
        let expected = if t <= 0.1 { 5000.0 * t } else { 1000.0 - 500.0 * (-(t - 0.1) / 0.1).exp() };
        assert!((held[0] - expected).abs() < 5.0, "{t} s: {} Nm, expected {expected}", held[0]);
        assert_eq!(held[2], 400.0);
    }
}

/// A measured pressure over `full_bar` is the demand; the parking brake holds beside it.
#[test]
fn brakes_by_wire_take_pressure_and_parking() {
    let mut brake = from_text(BY_WIRE, 4);
    assert_eq!(roll(brake.as_mut(), &pressure(12.5), 4, STEP_S)[3], 100.0);
    brake.set_parking(1.0);
    assert_eq!(roll(brake.as_mut(), &pressure(12.5), 4, STEP_S)[3], 300.0);
    assert_eq!(roll(brake.as_mut(), &pressure(45.0), 4, STEP_S)[3], 360.0);
}

/// By hand: at 20 % slip r = 1 − 5 (0.2 − 0.1) = 0.5, at 30 % and more nothing is left, below 1.5
/// m/s the control rests.
#[test]
fn slip_control_takes_torque_away() {
    let mut brake = from_text(BY_WIRE, 4);
    for (free, slip, expected) in [(50.0, 0.05, 400.0), (50.0, 0.2, 200.0), (50.0, 0.35, 0.0), (4.0, 1.0, 400.0)] {
        let held = press(brake.as_mut(), &pedal(1.0), &[free * (1.0 - slip); 4], &[free; 4], STEP_S);
        assert!((held[2] - expected).abs() < 1e-9, "{slip}: {} Nm, expected {expected}", held[2]);
    }
}

#[test]
fn bad_files_of_brakes_by_wire_name_line_and_field() {
    let cases = [
        ("full_bar = 50.0", "full_bar = 0.0", 3, "full_bar"),
        ("rate_nm_s = 5000.0", "rate_nm_s = -1.0", 6, "axle[0].rate_nm_s"),
        ("slip = 0.1", "slip = 1.1", 13, "slip_control.slip"),
        ("gain = 5.0", "grain = 5.0", 14, "slip_control.grain"),
    ];
    assert_faults(BY_WIRE, &cases, |source| brake::read(source, 4));
}

/// Full pedal on the shipped files, after the lag: the torques of their sources.
#[test]
fn shipped_files_reach_the_torques_of_their_sources() {
    // Chrono's BrakeSimple: HMMWV 4,000 Nm, Sedan 2,000 Nm, truck 10,000 Nm at the front.
    for (name, wheels, expected) in
        [("hmmwv", 4, 4000.0), ("passenger-car", 4, 2000.0), ("tractor-semitrailer", 12, 10000.0)]
    {
        let mut brake = shipped(name, wheels);
        let mut held = [0.0; WHEELS_MAX];
        for _ in 0..5000 {
            held = roll(brake.as_mut(), &pedal(1.0), wheels, STEP_S);
        }
        // After 5 s the slowest lag (0.4 s) leaves e^(−12.5) = 4e-6.
        assert!((held[0] / expected - 1.0).abs() < 1e-5, "{name} {held:?}");
        assert!(held[..wheels].iter().all(|it| *it > 0.0), "{name} {held:?}");
    }
}

/// A system for any text of numbers: all shipped files.
fn any_input() -> impl Strategy<Value = DriverInput> {
    (any::<f64>(), prop::option::of(any::<f64>())).prop_map(|(brake, brake_pressure_bar)| DriverInput {
        brake_ratio: if brake.is_finite() { brake } else { 0.5 },
        brake_pressure_bar: brake_pressure_bar.unwrap_or(f64::NAN),
        ..DriverInput::RELEASED
    })
}

fn finite() -> impl Strategy<Value = f64> {
    any::<f64>().prop_map(|it| if it.is_finite() { it } else { 1.0 })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Conformance: capacities are finite and not negative for all finite inputs, whatever came
    /// before; what is saved is finite.
    #[test]
    fn capacities_are_finite_and_not_negative(
        steps in prop::collection::vec((any_input(), finite(), finite(), 0.0..0.1f64), 1..20),
    ) {
        for (name, wheels) in all_shipped() {
            let mut brake = shipped(name, wheels);
            for (input, spin, free, step_s) in &steps {
                let capacity = press(brake.as_mut(), input, &vec![*spin; wheels], &vec![*free; wheels], *step_s);
                prop_assert!(capacity[..wheels].iter().all(|it| it.is_finite() && *it >= 0.0), "{name} {capacity:?}");
                prop_assert!((0.0..=1.0).contains(&brake.antilock()), "{name} {}", brake.antilock());
            }
            prop_assert!(saved(brake.as_ref()).iter().all(|it| it.is_finite()), "{name}");
        }
    }

    /// Conformance: on wheels that roll freely a pedal pressed further never brakes less, at any
    /// time.
    #[test]
    fn more_pedal_is_never_less_torque(first in 0.0..1.0f64, second in 0.0..1.0f64) {
        let (less, more) = (first.min(second), first.max(second));
        for (name, wheels) in all_shipped() {
            let (mut a, mut b) = (shipped(name, wheels), shipped(name, wheels));
            for _ in 0..50 {
                let low = roll(a.as_mut(), &pedal(less), wheels, STEP_S);
                let high = roll(b.as_mut(), &pedal(more), wheels, STEP_S);
                for (low, high) in low[..wheels].iter().zip(&high[..wheels]) {
                    prop_assert!(low <= high, "{name}");
                }
            }
        }
    }

    /// Conformance: state out, state in, same bits; also in the middle of an anti-lock cycle.
    #[test]
    fn a_restart_gives_the_same_bits(slips in prop::collection::vec(0.0..1.0f64, 80), at in 1usize..79) {
        for (name, wheels) in all_shipped() {
            let mut brake = shipped(name, wheels);
            let mut again = shipped(name, wheels);
            for (index, slip) in slips.iter().enumerate() {
                let spin: [f64; WHEELS_MAX] = std::array::from_fn(|wheel| 40.0 * (1.0 - slip * (1.0 + wheel as f64) / WHEELS_MAX as f64));
                let step = |brake: &mut dyn Brake| press(brake, &pedal(0.9), &spin[..wheels], &[40.0; WHEELS_MAX][..wheels], STEP_S);
                if index == at {
                    let values = saved(brake.as_ref());
                    prop_assert_eq!(again.load(&values), values.len());
                }
                let one = step(brake.as_mut());
                if index >= at {
                    prop_assert_eq!(one.map(f64::to_bits), step(again.as_mut()).map(f64::to_bits), "{}", name);
                    prop_assert_eq!(brake.antilock().to_bits(), again.antilock().to_bits());
                }
            }
        }
    }
}

#[test]
fn a_step_leaves_the_heap_alone() {
    for (name, wheels) in all_shipped() {
        let mut brake = shipped(name, wheels);
        let (mut values, mut sum) = ([0.0; 512], 0.0);
        forbid(|| {
            for index in 0..200 {
                sum += roll(brake.as_mut(), &pedal(index as f64 / 200.0), wheels, STEP_S)[0];
                brake.save(&mut values);
                brake.load(&values);
            }
        });
        assert!(sum > 0.0, "{name}");
    }
}

#[test]
fn bad_files_name_line_and_field() {
    let cases = [
        ("\"hydraulic\"", "\"magnetic\"", 2, "kind"),
        ("full_bar = 100.0", "full_bar = -1.0", 4, "pedal.full_bar"),
        ("full_bar = 100.0", "full_bar = nan", 4, "pedal.full_bar"),
        ("full_bar = 100.0", "", 3, "pedal"),
        ("wheel_gains = [1.0, 0.9]", "wheel_gains = [1.0]", 8, "axle[0].wheel_gains"),
        ("share = 0.8", "share = 1.8", 10, "axle[1].share"),
        ("share = 0.8", "chair = 0.8", 10, "axle[1].chair"),
        ("slope_above_knee = 0.25", "", 11, "axle[1].knee_bar"),
        ("[0.0, 10.0, 50.0]", "[0.0, 10.0, 10.0]", 13, "axle[1].pressure_bar[2]"),
        ("[0.0, 100.0, 900.0]", "[0.0, 100.0, 90.0]", 14, "axle[1].torque_nm[2]"),
        ("[0.0, 100.0, 900.0]", "[0.0, 100.0]", 14, "axle[1].torque_nm"),
        ("[0.0, 100.0, 900.0]", "[-5.0, 100.0, 900.0]", 14, "axle[1].torque_nm[0]"),
    ];
    assert_faults(BY_HAND, &cases, |source| brake::read(source, 4));
}

#[test]
fn a_file_for_another_count_of_wheels_is_refused() {
    let error = brake::read(&Source::new("brake.toml", BY_HAND.as_bytes()), 6).err().expect("refused");
    assert!(error.to_string().contains("6 wheels together"), "{error}");
    assert!(error.problem.ends_with("found 4"), "{error}");
}

/// A file is read or refused, whatever it contains: here every shipped file cut off at every place.
#[test]
fn files_that_are_cut_off_do_not_panic() {
    let refused = |(name, wheels): (&str, usize)| {
        refused_when_cut_off(&text_of("brakes", name), 3, |source| brake::read(source, wheels))
    };
    let refused: usize = all_shipped().map(refused).sum();
    assert!(refused > 1000, "{refused}");
}
