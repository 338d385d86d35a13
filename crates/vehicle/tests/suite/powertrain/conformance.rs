//! What every powertrain fulfils: finite for every finite input, a symmetric
//! slope that only ever brakes, the same bits for the same inputs, no heap in a step.

use crate::powertrain::rig::{EVERY, text};
use crate::support::saved;
use proptest::prelude::*;
use rt::allocation::forbid;
use vehicle::DriverInput;
use vehicle::files::Source;
use vehicle::powertrain::{Drive, Powertrain, read};

fn boxed(name: &str, wheels: usize) -> Box<dyn Powertrain> {
    read(&Source::new(name, text(name).as_bytes()), wheels).expect("a shipped file")
}

/// Any finite number, with sensible ones among them often.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -200.0..200.0f64,
        2 => -1.0..2.0f64,
        1 => proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO,
    ]
}

fn input() -> impl Strategy<Value = DriverInput> {
    (number(), number(), proptest::option::of(-3..9i32)).prop_map(|(throttle, clutch, gear)| DriverInput {
        throttle_ratio: throttle,
        clutch_ratio: clutch,
        gear: gear.map_or(DriverInput::GEAR_UNKNOWN, i64::from),
        ..DriverInput::RELEASED
    })
}

/// All that a powertrain says about a substep, and its state.
fn numbers(train: &dyn Powertrain, drive: &Drive) -> Vec<f64> {
    let (shown, body) = (train.instruments(), train.body_torque_nm());
    let mut all = vec![shown.engine_speed_rad_s, shown.engine_torque_nm, shown.engine_power_w];
    all.extend([body.x, body.y, body.z]);
    all.extend(drive.torque_nm.iter().chain(&drive.damping).chain(&drive.inertia_kg_m2));
    all.extend(saved(train));
    all
}

/// `xᵀ D x` for a few directions: not negative, but for rounding of the greatest entry.
fn is_positive_semidefinite(damping: &[f64], wheels: usize) -> bool {
    let greatest = damping.iter().fold(0.0_f64, |most, it| most.max(it.abs()));
    (0..1 << wheels.min(6)).all(|signs: usize| {
        let x = |k: usize| if signs >> (k % 6) & 1 == 1 { 1.0 } else { -0.6 };
        let form: f64 = (0..wheels * wheels).map(|at| x(at / wheels) * damping[at] * x(at % wheels)).sum();
        form >= -1e-12 * greatest * (wheels * wheels) as f64
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn finite_symmetric_and_never_driving(
        which in 0..EVERY.len(),
        steps in prop::collection::vec((input(), prop::collection::vec(number(), 10), number()), 1..12),
    ) {
        let (name, wheels) = EVERY[which];
        let (mut train, mut drive) = (boxed(name, wheels), Drive::new(wheels));
        for (input, spin, substep) in steps {
            let spin = &spin[..wheels];
            train.begin_step(&input, spin, substep);
            train.torques(spin, substep, &mut drive);
            for row in 0..wheels {
                for column in 0..wheels {
                    prop_assert_eq!(drive.damping[row * wheels + column], drive.damping[column * wheels + row]);
                }
            }
            prop_assert!(is_positive_semidefinite(&drive.damping, wheels), "{:?}", drive.damping);
            let after: Vec<f64> = spin.iter().map(|it| it * 0.9).collect();
            train.advance(&after, substep);
            let all = numbers(&*train, &drive);
            prop_assert!(all.iter().all(|it| it.is_finite()), "{name}: {all:?}");
        }
    }

    #[test]
    fn the_same_inputs_give_the_same_bits(
        which in 0..EVERY.len(),
        steps in prop::collection::vec((input(), -50.0..150.0f64), 1..40),
        restart in 0..40usize,
    ) {
        let (name, wheels) = EVERY[which];
        let (mut one, mut other) = (boxed(name, wheels), boxed(name, wheels));
        let (mut drive, mut same) = (Drive::new(wheels), Drive::new(wheels));
        for (at, (input, speed)) in steps.iter().enumerate() {
            if at == restart {
                other = boxed(name, wheels);
                other.load(&saved(one.as_ref()));
            }
            for (train, drive) in [(&mut one, &mut drive), (&mut other, &mut same)] {
                train.begin_step(input, &vec![*speed; wheels], 1e-3);
                train.torques(&vec![*speed; wheels], 1e-3, drive);
                train.advance(&vec![speed + 0.1; wheels], 1e-3);
            }
            let bits = |all: Vec<f64>| all.into_iter().map(f64::to_bits).collect::<Vec<_>>();
            prop_assert_eq!(bits(numbers(&*one, &drive)), bits(numbers(&*other, &same)));
        }
    }
}

#[test]
fn a_step_leaves_the_heap_alone() {
    for (name, wheels) in EVERY {
        let (mut train, mut drive) = (boxed(name, wheels), Drive::new(wheels));
        let (mut spin, mut state) = (vec![0.0; wheels], [0.0; 64]);
        forbid(|| {
            for step in 0..6000 {
                let t = 1e-3 * f64::from(step);
                spin.fill(40.0 * (1.0 - (0.8 * t).cos()));
                let input = DriverInput {
                    throttle_ratio: 0.5 + 0.5 * t.sin(),
                    gear: if t > 5.0 { 2 } else { DriverInput::GEAR_UNKNOWN },
                    ..DriverInput::RELEASED
                };
                train.begin_step(&input, &spin, 1e-3);
                train.torques(&spin, 1e-3, &mut drive);
                train.advance(&spin, 1e-3);
                train.save(&mut state);
            }
        });
        assert!(
            drive.torque_nm.iter().any(|it| *it != 0.0) && drive.torque_nm.iter().all(|it| it.is_finite()),
            "{name}: {:?}",
            drive.torque_nm
        );
    }
}
