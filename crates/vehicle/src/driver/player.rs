//! Plays a manoeuvre: the driver that every manoeuvre file becomes.
//!
//! Steering holds for the end of the step, because that is when the rack arrives where the driver
//! put it; conditions and pedals are judged by the motion at its beginning. All that the player
//! remembers is in [`State`], so that it goes on with the same bits after save and load.

use super::blend::Blend;
use super::condition::{Condition, Passed};
use super::follower::{Follower, FollowerState};
use super::path::Path;
use super::signal::{Signal, plus, times};
use super::speed::{Feet, Pedals, Speed};
use super::{Channel, Driver};
use crate::{Coordinate, DriverInput, Kinematics, SteeringMotion, stateful};

/// Who steers in a phase.
#[derive(Clone, Debug)]
pub enum Hands {
    /// A course over time.
    Course(Signal),
    /// The path's follower.
    Path(Follower),
}

/// One phase, ready to run.
#[derive(Clone, Debug)]
pub struct Phase {
    pub hands: Hands,
    /// The steering's time is that of the phase, and not of the manoeuvre.
    pub hands_own: bool,
    pub speed: Speed,
    pub speed_own: bool,
    pub until: Condition,
}

/// A manoeuvre, ready to run.
#[derive(Clone, Debug)]
pub struct Player {
    pub phases: Vec<Phase>,
    pub path: Option<Path>,
    pub channel: Channel,
    pub stop: Condition,
    pub blend_s: f64,
    /// Fastest pedals (1/s).
    pub pedal_rates: Pedals,
    pub state: State,
}

/// All that changes while a manoeuvre runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State {
    started: bool,
    start_s: f64,
    distance_m: f64,
    phase: usize,
    phase_start_s: f64,
    phase_start_m: f64,
    hands: Coordinate,
    blend: Blend,
    follower: FollowerState,
    integral: f64,
    pedals: Pedals,
}

impl Driver for Player {
    fn drive(&mut self, motion: &Kinematics, step_s: f64) -> DriverInput {
        let first = !self.state.started;
        if first {
            self.state = State { started: true, start_s: motion.time_s, ..State::default() };
        }
        let step_s = if step_s > 0.0 { step_s.min(1.0) } else { 0.0 };
        let time_s = self.time_s(motion);
        self.change_phase(motion, time_s);
        let hands = self.steer(motion, time_s, step_s, first);
        let input = self.input(motion, time_s, step_s, first, hands);
        self.state.hands = hands;
        let speed = motion.velocity_m_s.x.hypot(motion.velocity_m_s.y);
        self.state.distance_m = (self.state.distance_m + speed * step_s).min(1e15);
        input
    }

    fn has_finished(&self, motion: &Kinematics) -> bool {
        let state = &self.state;
        if !state.started {
            return false;
        }
        let passed = Passed { time_s: self.time_s(motion), distance_m: state.distance_m };
        let last_phase_over = || match self.phases.get(state.phase) {
            Some(phase) => state.phase + 1 == self.phases.len() && phase.until.holds(self.passed(motion), motion),
            None => true,
        };
        self.stop.holds(passed, motion) || last_phase_over()
    }
}

impl Player {
    /// Time since the beginning, within what can be computed with.
    fn time_s(&self, motion: &Kinematics) -> f64 {
        (motion.time_s - self.state.start_s).clamp(-1e9, 1e9)
    }

    /// The phase that is running; the last one when all are over.
    fn current(&self) -> Option<&Phase> {
        let last = self.phases.len().saturating_sub(1);
        self.phases.get(self.state.phase.min(last))
    }

    fn passed(&self, motion: &Kinematics) -> Passed {
        Passed {
            time_s: self.time_s(motion) - self.state.phase_start_s,
            distance_m: self.state.distance_m - self.state.phase_start_m,
        }
    }

    /// Goes on to the next phase, once for each condition that holds.
    fn change_phase(&mut self, motion: &Kinematics, time_s: f64) {
        while let Some(phase) = self.phases.get(self.state.phase) {
            if !phase.until.holds(self.passed(motion), motion) {
                return;
            }
            self.state.phase += 1;
            if let Some(next) = self.phases.get(self.state.phase) {
                let changes = phase.hands_own || next.hands_own;
                let learns_anew =
                    matches!(next.speed.feet, Feet::Demand { .. }) && !matches!(phase.speed.feet, Feet::Demand { .. });
                self.state.phase_start_s = time_s;
                self.state.phase_start_m = self.state.distance_m;
                if changes {
                    self.hand_over(time_s);
                }
                if learns_anew {
                    self.state.integral = 0.0;
                }
            }
        }
    }

    /// Begins the steering of the current phase from where the steering wheel is.
    fn hand_over(&mut self, time_s: f64) {
        let Some(phase) = self.current() else { return };
        let hands = self.state.hands;
        match &phase.hands {
            Hands::Course(signal) => {
                let start = signal.at(if phase.hands_own { 0.0 } else { time_s });
                self.state.blend = Blend::new(plus(hands, times(start, -1.0)), time_s, self.blend_s);
            }
            Hands::Path(_) => self.state.follower.take_over(hands),
        }
    }

    fn steer(&mut self, motion: &Kinematics, time_s: f64, step_s: f64, first: bool) -> Coordinate {
        let state = &mut self.state;
        let last = self.phases.len().saturating_sub(1);
        let Some(phase) = self.phases.get(state.phase.min(last)) else {
            return Coordinate::default();
        };
        match &phase.hands {
            Hands::Course(signal) => {
                let end_s = time_s + step_s;
                let since = if phase.hands_own { end_s - state.phase_start_s } else { end_s };
                let blend = if first { Coordinate::default() } else { state.blend.at(end_s) };
                plus(signal.at(since), blend)
            }
            Hands::Path(follower) => match &self.path {
                Some(path) => follower.step(path, &mut state.follower, state.hands, motion, step_s),
                None => state.hands,
            },
        }
    }

    fn input(&mut self, motion: &Kinematics, time_s: f64, step_s: f64, first: bool, hands: Coordinate) -> DriverInput {
        let mut input = DriverInput::RELEASED;
        match self.channel.imposes() {
            Some(by) => input.imposed = SteeringMotion::of(by, hands),
            None => {
                input.steering_angle_rad = hands.value;
                input.steering_rate_rad_s = hands.rate;
                input.steering_acceleration_rad_s2 = hands.acceleration;
            }
        }
        self.press(&mut input, motion, time_s, step_s, first);
        input
    }

    /// Feet, clutch and gear.
    fn press(&mut self, input: &mut DriverInput, motion: &Kinematics, time_s: f64, step_s: f64, first: bool) {
        let state = &mut self.state;
        let last = self.phases.len().saturating_sub(1);
        let Some(phase) = self.phases.get(state.phase.min(last)) else {
            return;
        };
        let since = if phase.speed_own { time_s - state.phase_start_s } else { time_s };
        let speed = motion.velocity_m_s.x.clamp(-1e3, 1e3);
        let wish = phase.speed.feet.pedals(since, speed, &mut state.integral, step_s);
        let change = Pedals { throttle: self.pedal_rates.throttle * step_s, brake: self.pedal_rates.brake * step_s };
        state.pedals = if first { wish } else { state.pedals.towards(wish, change) };
        input.throttle_ratio = state.pedals.throttle;
        input.brake_ratio = state.pedals.brake;
        input.brake_pressure_bar = phase.speed.feet.pressure_bar(since).unwrap_or(f64::NAN);
        input.clutch_ratio = phase.speed.clutch.at(since).value.clamp(0.0, 1.0);
        input.gear = phase.speed.gear.map_or(DriverInput::GEAR_UNKNOWN, i64::from);
    }
}

stateful!(Player, |it| it.state);
stateful! {
    State, |it|
    it.started, it.start_s, it.distance_m, it.phase, it.phase_start_s, it.phase_start_m, it.hands, it.blend,
    it.follower, it.integral, it.pedals
}
