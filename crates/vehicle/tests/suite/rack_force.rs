//! The force on the rack, by virtual work, beside the full reaction of the driven joint
//! (`multibody::reaction`), which counts everything.

use crate::support::{Car, ClosedFormTyre, STEP_S};
use multibody::forces::{ContactState, Tyre};
use multibody::reaction::reactions;
use multibody::{Inputs, State, Workspace};
use vehicle::mechanism::Start;
use vehicle::subsystems::External;
use vehicle::{Coordinate, Forces, Vector3};

struct Held<'a>(&'a Forces);

impl Tyre for Held<'_> {
    fn wrench(&mut self, wheel: usize, _state: &ContactState) -> (Vector3, Vector3) {
        (self.0.wheels[wheel].force_n, self.0.wheels[wheel].torque_nm)
    }
}

/// A tyre of the size of the car's and of the truck's.
const CAR: ClosedFormTyre = ClosedFormTyre {
    radius_m: 0.32,
    stiffness_n_m: 200_000.0,
    damping_ns_m: 1500.0,
    trail_m: 0.03,
    ..ClosedFormTyre::HMMWV
};
const TRUCK: ClosedFormTyre = ClosedFormTyre {
    radius_m: 0.52,
    stiffness_n_m: 1_500_000.0,
    damping_ns_m: 5000.0,
    trail_m: 0.05,
    ..ClosedFormTyre::HMMWV
};
const HMMWV: ClosedFormTyre = ClosedFormTyre { trail_m: 0.04, ..ClosedFormTyre::HMMWV };

/// The force by virtual work and the full reaction (N; Nm for the truck, whose wheels are steered
/// by an angle), three seconds after the rack went to its place.
fn forces(name: &str, tyre: ClosedFormTyre, speed_m_s: f64, rack: f64) -> (f64, f64) {
    let start = Start { speed_m_s, ..Start::default() };
    let mut car = Car::new(name, tyre, 0.0, &start);
    let mut response = Forces::default();
    for step in 0..3000 {
        // A smooth way to the rack's place within the first second.
        let s = (step as f64 * STEP_S).min(1.0);
        let external = External {
            steering: Some(Coordinate {
                value: rack * s * s * (3.0 - 2.0 * s),
                rate: rack * 6.0 * s * (1.0 - s),
                acceleration: if s < 1.0 { rack * (6.0 - 12.0 * s) } else { 0.0 },
            }),
            ..External::default()
        };
        response = car.step(&external);
    }
    let mechanism = &car.mechanism;
    let found = mechanism.motion().steering_load(mechanism.steered_by());
    let model = mechanism.model();
    let mut state: State = mechanism.state().clone();
    let (mut inputs, mut workspace) = (Inputs::new(model), Workspace::new(model));
    inputs.driven.fill([rack, 0.0, 0.0]);
    let full = reactions(model, &mut state, &inputs, &mut Held(&response), &mut workspace);
    // The drives hold against the linkage.
    (found, -full.driven.iter().sum::<f64>())
}

/// Standing with turned wheels, and cornering at up to 0.8 g. The virtual work takes the levers at
/// rest and lets all bodies move with the chassis; as the body rolls and the wheels travel, the
/// levers change by some per cent, and what is left of the large forces on both sides by as many:
/// 15 % of the force and 100 N for the HMMWV, whose levers are long and whose body rolls most, 4 %
/// and 10 N for the car.
#[test]
fn the_rack_carries_the_tyres() {
    for (name, tyre, part, rest_n, cases) in [
        ("hmmwv", HMMWV, 0.15, 100.0, [(0.0, 0.03), (12.0, -0.03), (12.0, 0.02)]),
        ("passenger-car", CAR, 0.04, 10.0, [(0.0, 0.03), (12.0, -0.03), (15.0, 0.02)]),
        ("tractor-semitrailer", TRUCK, 0.15, 100.0, [(8.0, 0.05), (10.0, -0.06), (12.0, 0.04)]),
    ] {
        for (speed_m_s, rack) in cases {
            let (found, expected) = forces(name, tyre, speed_m_s, rack);
            println!("{name} at {speed_m_s} m/s, {rack}: {found:.1}, reaction {expected:.1}");
            assert!(
                (found - expected).abs() < part * expected.abs() + rest_n,
                "{name}, rack at {rack}: {found:.1}, the reaction is {expected:.1}"
            );
            assert!(expected.abs() > 50.0, "there is something to compare: {expected}");
        }
    }
}
