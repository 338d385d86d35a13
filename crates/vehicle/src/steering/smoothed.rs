//! A steering wheel that is known by samples only.
//!
//! An encoder gives an angle in steps, and rates that are found from it later by differences, if at
//! all. A rack that jumps while its velocity says that it rests would make the mechanism ring. So
//! the samples are followed by the loop of `by_wire`, without limits: its angle, rate and
//! acceleration are derivatives of each other, whatever comes in. With the rate given a constant
//! turn is followed without error; without it the angle is 2/ω late.

use super::by_wire::Actuator;
use super::mechanical::Turned;
use super::{Steered, Steering};
use crate::numbers::bounded;
use crate::stateful;
use crate::{Coordinate, DriverInput};

/// Any steering behind smoothed samples.
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
