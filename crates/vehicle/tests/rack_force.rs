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

/// Steady cornering to both sides. The virtual work leaves out the inertia of rack and carriers (a few newtons here) and takes the levers at rest: 5 % of
/// the force or 20 N.
#[test]
fn the_rack_feels_the_tyres() {
    for rack in [-0.03, 0.02] {
        let start = Start {
            speed_m_s: 12.0,
            ..Start::default()
        };
        let (mut mechanism, mut subsystems) = vehicle("hmmwv", ClosedFormTyre::HMMWV, 0.0, &start, |_| {});
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
        assert!(
            (found - expected).abs() < 0.05 * expected.abs() + 20.0,
            "rack at {rack} m: {found:.1} N, the reaction is {expected:.1} N"
        );
        assert!(
            expected.abs() > 100.0,
            "there is something to compare: {expected}"
        );
    }
}
