//! What the tyres put on the steering rack.
//!
//! The rack is driven, so its force is an answer and not a cause. By virtual work, the wheels' forces F and torques M push the rack with
//! ```text
//! Q(x) = Σ F·∂r/∂x + M·∂θ/∂x
//! ```
//! where r is the centre and θ the turn of a carrier when the rack moves by x and the suspensions stay. The derivatives are the velocities of the
//! carriers at unit rack speed; they are taken once from the mechanism at rest for a row of rack positions. Inertia of the steered parts and the change with
//! wheel travel are left out; the full reaction, off the step path, is in [`multibody::reaction`].

use crate::{Quaternion, Response, Vector3, WHEELS_MAX};
use multibody::dynamics::forward;
use multibody::{BodyId, Inputs, Model, State, Workspace};

/// Rack positions on each side of the middle.
const SIDE: usize = 10;
/// Between two of them (m or rad).
const STEP: f64 = 0.01;
/// A linkage that opens by more than this (m) has reached its end.
const OPEN: f64 = 1e-7;

/// ∂r/∂x and ∂θ/∂x of one wheel, in V.
#[derive(Clone, Copy, Debug, Default)]
struct Lever {
    shift: Vector3,
    turn: Vector3,
}

/// The levers of all wheels over the rack's position.
pub struct Linkage {
    rows: Vec<[Lever; WHEELS_MAX]>,
    first: f64,
}

impl Linkage {
    /// Takes the levers from a mechanism at rest. `steered` are the driven coordinates that the rack moves, with their gains.
    #[must_use]
    pub fn new(model: &Model, rest: &State, base: BodyId, steered: &[(usize, f64)]) -> Self {
        let side = |sign: f64| {
            let mut state = rest.clone();
            let mut workspace = Workspace::new(model);
            let places = (0..=SIDE).map(|step| sign * STEP * step as f64);
            let rows = places.map_while(|x| row(model, &mut state, &mut workspace, base, steered, x));
            rows.collect::<Vec<_>>()
        };
        let (right, left) = (side(-1.0), side(1.0));
        let first = -STEP * right.len().saturating_sub(1) as f64;
        let rows = right.into_iter().skip(1).rev().chain(left).collect();
        Self { rows, first }
    }

    /// Q: force of the linkage on the rack, positive in the direction of the rack (N, or Nm for a rack in rad).
    #[must_use]
    pub fn force(&self, rack: f64, orientation: Quaternion, response: &Response) -> f64 {
        if self.rows.is_empty() {
            return 0.0;
        }
        let place = ((rack - self.first) / STEP).clamp(0.0, (self.rows.len() - 1) as f64);
        let low = (place as usize).min(self.rows.len().saturating_sub(2));
        let high = (low + 1).min(self.rows.len() - 1);
        let share = place - low as f64;
        let back = orientation.conjugate();
        let wheels = response.wheels[..response.wheel_count].iter().enumerate();
        wheels
            .map(|(number, wheel)| {
                let (one, other) = (&self.rows[low][number], &self.rows[high][number]);
                let shift = one.shift * (1.0 - share) + other.shift * share;
                let turn = one.turn * (1.0 - share) + other.turn * share;
                back.rotate(wheel.force).dot(shift) + back.rotate(wheel.torque).dot(turn)
            })
            .sum()
    }
}

/// Levers at one rack position; none where the linkage cannot reach it.
fn row(
    model: &Model,
    state: &mut State,
    workspace: &mut Workspace,
    base: BodyId,
    steered: &[(usize, f64)],
    rack: f64,
) -> Option<[Lever; WHEELS_MAX]> {
    let mut inputs = Inputs::new(model);
    for (index, gain) in steered {
        inputs.driven[*index] = [gain * rack, *gain, 0.0];
    }
    state.velocity.fill(0.0);
    let status = forward(model, state, &inputs, workspace);
    if status.violation.is_nan() || status.violation > OPEN {
        return None;
    }
    let turned = workspace.orientation(model, base);
    let into_vehicle = |vector: Vector3| {
        let column = |axis: Vector3| (turned * axis).dot(vector);
        Vector3::new(
            column(Vector3::AXES[0]),
            column(Vector3::AXES[1]),
            column(Vector3::AXES[2]),
        )
    };
    let mut levers = [Lever::default(); WHEELS_MAX];
    for (lever, wheel) in levers.iter_mut().zip(&model.description().wheels) {
        *lever = Lever {
            shift: into_vehicle(workspace.point_velocity(model, wheel.body, wheel.centre)),
            turn: into_vehicle(workspace.body_velocity(model, wheel.body).angular),
        };
    }
    Some(levers)
}
