//! Steer by wire: no column. A motor moves the rack to where the steering wheel points; another one
//! makes the feedback.
//!
//! With x_d the rack that the gear asks for and ω the bandwidth of the motor's position loop:
//! ```text
//! ẍ = ω² (x_d − x) + 2 ω (ẋ_d − ẋ),    |ẍ| ≤ a_m,  |ẋ| ≤ v_m                                    (1)
//! x' = x + h ẋ + h²/2 ẍ',   ẋ' = ẋ + h ẍ'                                                      (2)
//! ẍ' = (ω² (x_d − x − h ẋ) + 2 ω (ẋ_d − ẋ)) / (1 + 2 ω h + ω² h²/2)                             (3)
//! T = −k_c θ − d_c θ̇ − T_f tanh(θ̇/θ̇₀) + g F dx/dθ,    |T| ≤ T_m                                 (4)
//! ```
//! (3) is (1) with the state of the step's end, so every bandwidth is stable. Where a limit acts, ẍ
//! is what the limit leaves: the three numbers stay derivatives of each other. A constant rate is
//! followed without error, a limited one without overshoot. In (4) the motor at the steering wheel
//! centres, damps, rubs, and passes on a part g of what the rack would do through a column.

use super::gear::Gear;
use super::mechanical::Turned;
use super::{Steered, Steering};
use crate::numbers::bounded;
use crate::{Coordinate, DriverInput, stateful};

/// The motor at the rack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Actuator {
    /// ω (rad/s).
    pub(super) bandwidth: f64,
    /// v_m (m/s or rad/s).
    pub(super) velocity_most: f64,
    /// a_m (m/s² or rad/s²).
    pub(super) acceleration_most: f64,
}

/// The motor at the steering wheel: eq. (4).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Feedback {
    /// k_c (Nm/rad).
    pub(super) centring: f64,
    /// d_c (Nms/rad).
    pub(super) damping: f64,
    /// T_f (Nm).
    pub(super) friction: f64,
    /// g.
    pub(super) road: f64,
    /// T_m (Nm).
    pub(super) most: f64,
}

/// θ̇₀: friction is smooth within this rate (rad/s).
const FRICTION_RATE: f64 = 0.1;

/// Steer by wire.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ByWire {
    pub(super) gear: Gear,
    pub(super) actuator: Actuator,
    pub(super) feedback: Feedback,
    pub(super) rack: Coordinate,
}

impl Actuator {
    /// Eq. (2) and (3).
    pub(super) fn follow(&self, rack: &Coordinate, goal: &Coordinate, h: f64) -> Coordinate {
        let w = self.bandwidth;
        let ahead = goal.value - rack.value - h * rack.rate;
        let wanted = (w * w * ahead + 2.0 * w * (goal.rate - rack.rate)) / (1.0 + 2.0 * w * h + 0.5 * w * w * h * h);
        let reached = rack.rate + h * bounded(wanted, self.acceleration_most);
        let velocity = bounded(reached, self.velocity_most);
        let acceleration = if h > 0.0 { (velocity - rack.rate) / h } else { 0.0 };
        Coordinate { value: rack.value + 0.5 * h * (rack.rate + velocity), rate: velocity, acceleration }
    }
}

impl Feedback {
    fn torque_nm(&self, turned: &Turned, arm: f64) -> f64 {
        let own = self.centring * turned.angle
            + self.damping * turned.rate
            + self.friction * (turned.rate / FRICTION_RATE).tanh();
        bounded(self.road * turned.force * arm - own, self.most)
    }
}

impl Steering for ByWire {
    fn step(&mut self, input: &DriverInput, rack_force_n: f64, _speed_m_s: f64, step_s: f64) -> Steered {
        let turned = Turned::new(input, rack_force_n);
        let mesh = self.gear.at(turned.angle);
        let goal = mesh.rack(turned.rate, turned.acceleration);
        self.rack = self.actuator.follow(&self.rack, &goal, bounded(step_s, 1.0));
        Steered { rack: self.rack, feedback_nm: self.feedback.torque_nm(&turned, mesh.arm) }
    }

    fn lock_rad(&self) -> f64 {
        self.gear.lock_rad()
    }
}

stateful!(ByWire, |it| it.rack);

/// A steering wheel that is known by samples only.
///
/// An encoder gives an angle in steps, and rates that are found from it later by differences, if at
/// all. A rack that jumps while its velocity says that it rests would make the mechanism ring. So
/// the samples are followed by the loop of [`Actuator`], without limits: its angle, rate and
/// acceleration are derivatives of each other, whatever comes in. With the rate given a constant
/// turn is followed without error; without it the angle is 2/ω late.
pub(super) struct Smoothed {
    inner: Box<dyn Steering>,
    follower: Actuator,
    wheel: Coordinate,
}

impl Smoothed {
    pub(super) fn new(inner: Box<dyn Steering>, bandwidth: f64) -> Self {
        let follower = Actuator { bandwidth, velocity_most: f64::INFINITY, acceleration_most: f64::INFINITY };
        Self { inner, follower, wheel: Coordinate::default() }
    }
}

impl Steering for Smoothed {
    fn step(&mut self, input: &DriverInput, rack_force_n: f64, speed_m_s: f64, step_s: f64) -> Steered {
        let sample = Turned::new(input, rack_force_n);
        let goal = Coordinate { value: sample.angle, rate: sample.rate, acceleration: sample.acceleration };
        self.wheel = self.follower.follow(&self.wheel, &goal, bounded(step_s, 1.0));
        let smooth = DriverInput {
            steering_angle_rad: self.wheel.value,
            steering_rate_rad_s: self.wheel.rate,
            steering_acceleration_rad_s2: self.wheel.acceleration,
            ..*input
        };
        self.inner.step(&smooth, rack_force_n, speed_m_s, step_s)
    }

    fn lock_rad(&self) -> f64 {
        self.inner.lock_rad()
    }
}

stateful!(Smoothed, |it| it.wheel, it.inner);
