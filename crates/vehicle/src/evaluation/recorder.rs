//! Takes samples of a simulation.

use super::{Quantity, Recording};
use crate::assembly::Setup;
use crate::driver::path::Corridor;
use crate::simulation::Simulation;
use crate::{Kinematics, Vector3};
use signals::views::Of;

/// Records a simulation. The body's centre of gravity is where accelerations and sideslip belong.
pub struct Recorder {
    recording: Recording,
    /// Centre of gravity of the body from the vehicle's origin, in V (m).
    centre: Vector3,
    width_m: f64,
    corridor: Option<Corridor>,
    every: u64,
    step_s: f64,
    last: Option<Kinematics>,
    heading_rad: f64,
    distance_m: f64,
    /// Quantities that are views of the dictionary.
    views: Vec<(Quantity, Of)>,
}

impl Recorder {
    /// A recorder for a vehicle in a manoeuvre that takes every n-th step.
    #[must_use]
    pub fn new(setup: &Setup, every: u64) -> Self {
        Self {
            recording: Recording::default(),
            centre: setup.centre_of_gravity_m(),
            width_m: setup.driver.width_m,
            corridor: setup.manoeuvre.corridor(&setup.driver),
            every: every.max(1),
            step_s: setup.step_s,
            last: None,
            heading_rad: setup.manoeuvre.initial.heading_rad,
            distance_m: 0.0,
            views: views(),
        }
    }

    /// Looks at the simulation after each step.
    pub fn look(&mut self, simulation: &Simulation) {
        let motion = *simulation.motion();
        let last = self.last.unwrap_or(motion);
        let turned = motion.yaw_rad() - last.yaw_rad();
        self.heading_rad += turned.sin().atan2(turned.cos());
        let moved = motion.position_m - last.position_m;
        self.distance_m += moved.x.hypot(moved.y);
        if simulation.steps().is_multiple_of(self.every) {
            self.take(simulation, &motion, &last);
        }
        self.last = Some(motion);
    }

    fn take(&mut self, simulation: &Simulation, motion: &Kinematics, last: &Kinematics) {
        use Quantity as Q;
        let state = simulation.subsystems().state();
        let rate = motion.rate_rad_s;
        let turning = (rate - last.rate_rad_s) * (1.0 / self.step_s);
        let acceleration = motion.acceleration_m_s2 + turning.cross(self.centre) + rate.cross(rate.cross(self.centre));
        let velocity = motion.velocity_m_s + rate.cross(self.centre);
        let response = simulation.subsystems().response();
        let mut values: Vec<(Quantity, f64)> = (self.views.iter())
            .map(|(quantity, of)| match of {
                Of::Kinematics(value) => (*quantity, value(motion)),
                Of::Vehicle(value) => (*quantity, value(state)),
                Of::Forces(value) => (*quantity, value(response)),
            })
            .collect();
        values.extend([
            (Q::Distance, self.distance_m),
            (Q::Heading, self.heading_rad.to_degrees()),
            (Q::Sideslip, sideslip_deg(velocity)),
            (Q::ForwardAcceleration, acceleration.x),
            (Q::LateralAcceleration, acceleration.y),
            (Q::VerticalAcceleration, acceleration.z),
            (Q::Clearance, self.clearance_m(motion)),
        ]);
        self.recording.push(&values);
    }

    /// Least distance from the sides of the vehicle, at every axle, to the cones.
    fn clearance_m(&self, motion: &Kinematics) -> f64 {
        let Some(corridor) = &self.corridor else {
            return f64::NAN;
        };
        let axles = motion.wheels().chunks(2);
        let sides = axles.flat_map(|axle| {
            let middle =
                axle.iter().fold(Vector3::ZERO, |sum, wheel| sum + wheel.position_m) * (1.0 / axle.len() as f64);
            // A steered axle shows where the wheels point, not where the body does.
            let left = match axle {
                [left, right] => (left.position_m - right.position_m).normalised().unwrap_or(Vector3::AXES[1]),
                _ => motion.orientation.rotate(Vector3::AXES[1]),
            };
            [1.0, -1.0].map(|side| middle + left * (side * 0.5 * self.width_m))
        });
        sides.filter_map(|point| corridor.clearance_m([point.x, point.y])).fold(f64::NAN, f64::min)
    }

    /// What was recorded.
    #[must_use]
    pub fn finish(self) -> Recording {
        self.recording
    }
}

/// Of the heading only the part without jumps is worked out here.
fn views() -> Vec<(Quantity, Of)> {
    let view = |quantity: Quantity| Some((quantity, signals::views::find(quantity.name())?.of));
    Quantity::ALL.into_iter().filter_map(view).collect()
}

/// Below a walking pace a direction of travel says nothing.
fn sideslip_deg(velocity: Vector3) -> f64 {
    if velocity.x.abs() < 0.5 { 0.0 } else { velocity.y.atan2(velocity.x.abs()).to_degrees() }
}
