//! A driver who follows a path: looks ahead for the curvature, and brings the vehicle back when it
//! is off the line.
//!
//! After Kapania and Gerdes (2015, "Design of a feedback-feedforward steering controller for
//! accurate path tracking and stability at the limits of handling", Vehicle System Dynamics 53,
//! 1687–1704). With L the wheelbase, v the speed, κ the curvature of the path beside the vehicle
//! and κ⁺ that where the vehicle will be after the preview time, K the understeer gradient, e the
//! offset to the left of the path and Δψ the angle to it, both of the middle between the axles, δ
//! the angle of the road wheels:
//! ```text
//! δ = L κ⁺ + K v² κ⁺ − k (e + x sin(Δψ + β)) + i                                   (1)
//! β = ½ L κ − K_r v² κ          sideslip of that point when cornering steadily      (2)
//! k = (L + K v²)/l²,  x = 2 l   critically damped within the length l              (3)
//! l = max(l_min, v T max(1, v/v₀))   gently when fast, because yaw is damped less   (4)
//! di/dt = − k e/max(T_i, 6 l/v) takes a steady offset back                         (5)
//! dK/dt = (δ − L r/v − K v r) v r/(a₀² + v² r²)/T_K     learns what K really is      (6)
//! ```
//! (6) is the normalised least-mean-squares rule on δ = L r/v + K v r, which holds in steady
//! cornering with yaw rate r; a₀ = 1 m/s². It also learns a steering ratio that is not as believed.
//! For (3): with ė = v Δψ and Δψ̇ = v δ/(L + K v²) the offset obeys ë + 2 (v/l) ė + (v/l)² e = 0.
//!
//! The hands follow the wish with a limited rate, and then as a critically damped filter of
//! frequency ω:
//! ```text
//! θ̈ = ω² (u − θ) − 2 ω θ̇                                                          (7)
//! ```
//! solved exactly for a wish u that is constant during the step. Its response to an impulse is
//! never negative, so a limit on the rate of u is a limit on θ̇.

use super::path::Path;
use super::setup::DriverSetup;
use crate::{Coordinate, Kinematics, Vector3, stateful};

/// How a path is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowerGains {
    /// How far the driver looks ahead for the curvature (s): the delay of hands and vehicle.
    pub preview_s: f64,
    /// T of Eq. (4) (s).
    pub response_s: f64,
    /// Shortest l of Eq. (4), in wheelbases.
    pub length_min_wheelbases: f64,
    /// T_i of Eq. (5) (s).
    pub integral_s: f64,
    /// T_K of Eq. (6) (s).
    pub learning_s: f64,
    /// Frequency of the hands, ω/2π of Eq. (7) (Hz).
    pub bandwidth_hz: f64,
    /// Fastest turn of the steering wheel (rad/s).
    pub rate_limit_rad_s: f64,
    /// Understeer gradient, where the file knows it better than the vehicle (rad s²/m).
    pub understeer_rad_s2_m: Option<f64>,
}

impl Default for FollowerGains {
    fn default() -> Self {
        Self {
            preview_s: 0.2,
            response_s: 0.35,
            length_min_wheelbases: 2.0,
            integral_s: 2.0,
            learning_s: 1.5,
            bandwidth_hz: 5.0,
            rate_limit_rad_s: 15.0,
            understeer_rad_s2_m: None,
        }
    }
}

/// A follower for one vehicle.
#[derive(Clone, Copy, Debug)]
pub struct Follower {
    gains: FollowerGains,
    wheelbase_m: f64,
    /// Middle between the axles, forward of the origin.
    middle_m: f64,
    steering_ratio: f64,
    lock_rad: f64,
    understeer_rad_s2_m: f64,
    rear_slip_rad_s2_m: f64,
}

/// What a follower remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FollowerState {
    /// Place on the path (m).
    along_m: f64,
    /// Whether that place is known.
    found: bool,
    /// i of Eq. (1) (rad).
    integral_rad: f64,
    /// What K is more than was believed (rad s²/m).
    learned_rad_s2_m: f64,
    /// Wish for the steering wheel, u of Eq. (7) (rad).
    wish_rad: f64,
}

/// Fastest speed that gains are computed for (m/s).
const SPEED_MAX_M_S: f64 = 150.0;
/// v₀ of Eq. (4) (m/s).
const GENTLE_ABOVE_M_S: f64 = 22.0;
/// Least and most that K can be more than was believed (rad s²/m).
const LEARNED_RAD_S2_M: [f64; 2] = [-0.01, 0.03];
/// Largest i of Eq. (1), at the road wheels (rad).
const INTEGRAL_MAX_RAD: f64 = 0.2;

impl Follower {
    /// A follower with these gains, for this vehicle.
    #[must_use]
    pub fn new(gains: FollowerGains, setup: &DriverSetup) -> Self {
        Self {
            gains,
            wheelbase_m: setup.wheelbase_m,
            middle_m: setup.front_axle_m - 0.5 * setup.wheelbase_m,
            steering_ratio: setup.steering_ratio,
            lock_rad: setup.steering_lock_rad,
            understeer_rad_s2_m: gains.understeer_rad_s2_m.unwrap_or(setup.understeer_rad_s2_m),
            rear_slip_rad_s2_m: setup.rear_slip_rad_s2_m,
        }
    }

    /// The steering wheel at the end of a step, from where it is at the beginning.
    #[inline]
    pub fn step(
        &self,
        path: &Path,
        state: &mut FollowerState,
        hands: Coordinate,
        motion: &Kinematics,
        step_s: f64,
    ) -> Coordinate {
        self.learn(state, hands, motion, step_s);
        let wish = self.wish(path, state, motion, step_s) * self.steering_ratio;
        let wish = if wish.is_finite() { wish.clamp(-self.lock_rad, self.lock_rad) } else { state.wish_rad };
        let change = self.gains.rate_limit_rad_s * step_s;
        state.wish_rad += (wish - state.wish_rad).clamp(-change, change);
        filtered(hands, state.wish_rad, std::f64::consts::TAU * self.gains.bandwidth_hz, step_s)
    }

    /// Eq. (1): the wished angle of the road wheels.
    fn wish(&self, path: &Path, state: &mut FollowerState, motion: &Kinematics, step_s: f64) -> f64 {
        let forward = motion.orientation.rotate(Vector3::new(1.0, 0.0, 0.0));
        let point = motion.position_m + forward * self.middle_m;
        let point = [point.x, point.y];
        if !state.found {
            state.along_m = path.find(point);
            state.found = true;
        }
        state.along_m = path.within(path.project(point, state.along_m));
        let beside = path.at(state.along_m);
        let speed = motion.velocity_m_s.x.clamp(0.0, SPEED_MAX_M_S);
        let ahead = path.at(state.along_m + speed * self.gains.preview_s);

        let stiffness = self.wheelbase_m + self.understeer_rad_s2_m * speed * speed;
        let stiffness = stiffness.max(0.2 * self.wheelbase_m);
        let reach = speed * self.gains.response_s * (speed / GENTLE_ABOVE_M_S).max(1.0);
        let length = reach.max(self.gains.length_min_wheelbases * self.wheelbase_m); // Eq. (4)
        let gain = stiffness / (length * length); // Eq. (3)
        let [_, offset] = beside.offset_of(point);
        let offset = offset.clamp(-length, length);
        let sideslip = beside.curvature_1_m * (0.5 * self.wheelbase_m - self.rear_slip_rad_s2_m * speed * speed); // Eq. (2)
        let turned = sine_of_turn(beside.tangent, forward, sideslip);

        if speed > 1.0 {
            let time_s = self.gains.integral_s.max(6.0 * length / speed);
            let learned = state.integral_rad - gain * offset / time_s * step_s; // Eq. (5)
            if learned.is_finite() {
                state.integral_rad = learned.clamp(-INTEGRAL_MAX_RAD, INTEGRAL_MAX_RAD);
            }
        }
        let feedforward = (stiffness + state.learned_rad_s2_m * speed * speed) * ahead.curvature_1_m;
        feedforward - gain * (offset + 2.0 * length * turned) + state.integral_rad
    }

    /// Eq. (6), from where the hands are and how the vehicle turns.
    fn learn(&self, state: &mut FollowerState, hands: Coordinate, motion: &Kinematics, step_s: f64) {
        let speed = motion.velocity_m_s.x;
        if !(3.0..SPEED_MAX_M_S).contains(&speed) {
            return;
        }
        let rate = motion.rate_rad_s.z.clamp(-3.0, 3.0);
        let lateral = speed * rate;
        let believed = self.understeer_rad_s2_m + state.learned_rad_s2_m;
        let unexplained = hands.value / self.steering_ratio - self.wheelbase_m * rate / speed - believed * lateral;
        let step = unexplained * lateral / (1.0 + lateral * lateral) * step_s / self.gains.learning_s;
        let [least, most] = LEARNED_RAD_S2_M;
        state.learned_rad_s2_m = (state.learned_rad_s2_m + step).clamp(least, most);
    }
}

/// sin(Δψ + β) from the path's tangent and the vehicle's forward axis; ±1 when the vehicle looks
/// backwards.
fn sine_of_turn([tx, ty]: [f64; 2], forward: Vector3, sideslip: f64) -> f64 {
    let length = (forward.x * forward.x + forward.y * forward.y).sqrt().max(1e-9);
    let (sine, cosine) = ((tx * forward.y - ty * forward.x) / length, (tx * forward.x + ty * forward.y) / length);
    if cosine < 0.0 {
        return 1.0_f64.copysign(sine);
    }
    let (slip_sine, slip_cosine) = sideslip.clamp(-1.0, 1.0).sin_cos();
    sine * slip_cosine + cosine * slip_sine
}

/// Eq. (7) over a step.
fn filtered(hands: Coordinate, wish: f64, omega: f64, step_s: f64) -> Coordinate {
    let away = hands.value - wish;
    let slope = hands.rate + omega * away;
    let decay = (-omega * step_s).exp();
    let value = wish + (away + slope * step_s) * decay;
    let rate = (hands.rate - omega * slope * step_s) * decay;
    Coordinate { value, rate, acceleration: omega * omega * (wish - value) - 2.0 * omega * rate }
}

impl FollowerState {
    /// Takes the steering wheel over where it is.
    pub fn take_over(&mut self, hands: Coordinate) {
        *self = Self { wish_rad: hands.value, ..Self::default() };
    }

    /// Place on the path (m).
    #[must_use]
    pub fn along_m(&self) -> f64 {
        self.along_m
    }
}

stateful!(FollowerState, |it| it.along_m, it.found, it.integral_rad, it.learned_rad_s2_m, it.wish_rad);
