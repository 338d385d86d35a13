//! Takes samples of a simulation.

use super::{Quantity, Recording};
use crate::assembly::Setup;
use crate::driver::path::Corridor;
use crate::simulation::Simulation;
use crate::{Kinematics, Vector3};

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
}

/// A wheel with less than this load does not slip in a way that matters (N).
const LIGHT_N: f64 = 50.0;

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
        let wheels = state.wheels();
        let rate = motion.rate_rad_s;
        let turning = (rate - last.rate_rad_s) * (1.0 / self.step_s);
        let acceleration =
            motion.acceleration_m_s2 + turning.cross(self.centre) + rate.cross(rate.cross(self.centre));
        let velocity = motion.velocity_m_s + rate.cross(self.centre);
        let least_load = wheels.iter().map(|wheel| wheel.load_n).fold(f64::INFINITY, f64::min);
        let slips = wheels.iter().filter(|wheel| wheel.load_n > LIGHT_N).map(|wheel| wheel.slip_ratio);
        let slip = slips.fold(0.0, |most: f64, slip| if slip.abs() > most.abs() { slip } else { most });
        self.recording.push(&[
            (Q::Time, motion.time_s),
            (Q::X, motion.position_m.x),
            (Q::Y, motion.position_m.y),
            (Q::Z, motion.position_m.z),
            (Q::Distance, self.distance_m),
            (Q::Heading, self.heading_rad.to_degrees()),
            (Q::Roll, motion.roll_rad().to_degrees()),
            (Q::Pitch, motion.pitch_rad().to_degrees()),
            (Q::Speed, motion.velocity_m_s.x * 3.6),
            (Q::Sideslip, sideslip_deg(velocity)),
            (Q::YawRate, rate.z.to_degrees()),
            (Q::RollRate, rate.x.to_degrees()),
            (Q::ForwardAcceleration, acceleration.x),
            (Q::LateralAcceleration, acceleration.y),
            (Q::VerticalAcceleration, acceleration.z),
            (Q::SteeringWheel, state.input.steering_angle_rad.to_degrees()),
            (Q::RoadWheel, road_wheel_rad(motion).to_degrees()),
            (Q::Rack, simulation.subsystems().response().steering.rack_displacement_m * 1e3),
            (Q::Throttle, state.input.throttle_ratio),
            (Q::Brake, state.input.brake_ratio),
            (Q::Gear, state.gear as f64),
            (Q::EngineSpeed, state.engine_speed_rad_s * 60.0 / std::f64::consts::TAU),
            (Q::Antilock, state.antilock_ratio),
            (Q::AirResistance, -state.air_force_n.x),
            (Q::LeastLoad, least_load),
            (Q::LargestSlip, slip),
            (Q::Clearance, self.clearance_m(motion)),
            (Q::Articulation, articulation_rad(motion).to_degrees()),
        ]);
    }

    /// Least distance from the sides of the vehicle, at every axle, to the cones.
    fn clearance_m(&self, motion: &Kinematics) -> f64 {
        let Some(corridor) = &self.corridor else {
            return f64::NAN;
        };
        let axles = motion.wheels().chunks(2);
        let sides = axles.flat_map(|axle| {
            let middle = axle.iter().fold(Vector3::ZERO, |sum, wheel| sum + wheel.position_m)
                * (1.0 / axle.len() as f64);
            // A steered axle shows where the wheels point, not where the body does.
            let left = match axle {
                [left, right] => {
                    (left.position_m - right.position_m).normalised().unwrap_or(Vector3::AXES[1])
                }
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

/// Below a walking pace a direction of travel says nothing.
fn sideslip_deg(velocity: Vector3) -> f64 {
    if velocity.x.abs() < 0.5 { 0.0 } else { velocity.y.atan2(velocity.x.abs()).to_degrees() }
}

/// Mean angle of the first two wheels to the body.
fn road_wheel_rad(motion: &Kinematics) -> f64 {
    let front = &motion.wheels()[..motion.wheels().len().min(2)];
    let back = motion.orientation.conjugate();
    let angles = front.iter().map(|wheel| {
        let axle = back.rotate(wheel.axle);
        (-axle.x).atan2(axle.y)
    });
    angles.sum::<f64>() / front.len().max(1) as f64
}

/// Heading of the last axle less that of the first unit.
fn articulation_rad(motion: &Kinematics) -> f64 {
    let [.., left, right] = motion.wheels() else {
        return 0.0;
    };
    let across = left.position_m - right.position_m;
    let heading = (-across.x).atan2(across.y);
    let turned = motion.yaw_rad() - heading;
    turned.sin().atan2(turned.cos())
}
