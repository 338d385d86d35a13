//! The force on the rack, by virtual work, beside the full reaction of the driven joint (`multibody::reaction`), which counts everything.

mod support;

use multibody::forces::{ContactState, Tyre};
use multibody::reaction::reactions;
use multibody::{Inputs, State, Workspace};
use support::{ClosedFormTyre, STEP_S, vehicle};
use vehicle::mechanism::Start;
use vehicle::subsystems::External;
use vehicle::{Input, Rack, Response, Vector3};

struct Held<'a>(&'a Response);

impl Tyre for Held<'_> {
    fn wrench(&mut self, wheel: usize, _state: &ContactState) -> (Vector3, Vector3) {
        (self.0.wheels[wheel].force, self.0.wheels[wheel].torque)
    }
}

/// Standing with turned wheels, and cornering at up to 0.8 g. The virtual work takes the levers at rest and lets all bodies move with the chassis; as the body
/// rolls and the wheels travel, the levers change by some per cent, and what is left of forces of 7 kN on both sides by as many: 15 % of the force or 100 N.
#[test]
fn the_rack_feels_the_tyres() {
    for (speed_m_s, rack) in [(0.0, 0.03), (12.0, -0.03), (12.0, 0.02)] {
        let start = Start {
            speed_m_s,
            ..Start::default()
        };
        let tyre = ClosedFormTyre {
            trail_m: 0.04,
            ..ClosedFormTyre::HMMWV
        };
        let (mut mechanism, mut subsystems) = vehicle("hmmwv", tyre, 0.0, &start, |_| {});
        let mut response = Response::default();
        for step in 0..3000 {
            // A smooth way to the rack's place within the first second.
            let s = (step as f64 * STEP_S).min(1.0);
            let external = External {
                rack: Some(Rack {
                    displacement: rack * s * s * (3.0 - 2.0 * s),
                    velocity: rack * 6.0 * s * (1.0 - s),
                    acceleration: if s < 1.0 { rack * (6.0 - 12.0 * s) } else { 0.0 },
                }),
                ..External::default()
            };
            response = *subsystems.answer(mechanism.motion(), &Input::default(), &external);
            mechanism.step(&response);
        }
        let found = mechanism.motion().rack_force_n;
        let model = mechanism.model();
        let mut state: State = mechanism.state().clone();
        let (mut inputs, mut workspace) = (Inputs::new(model), Workspace::new(model));
        inputs.driven[0] = [rack, 0.0, 0.0];
        let full = reactions(model, &mut state, &inputs, &mut Held(&response), &mut workspace);
        // The drive holds against the linkage.
        let expected = -full.driven[0];
        println!("{speed_m_s} m/s, {rack} m: {found:.1} N, reaction {expected:.1} N");
        assert!(
            (found - expected).abs() < 0.15 * expected.abs() + 100.0,
            "rack at {rack} m: {found:.1} N, the reaction is {expected:.1} N"
        );
        assert!(expected.abs() > 50.0, "there is something to compare: {expected}");
    }
}
