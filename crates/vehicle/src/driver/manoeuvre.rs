//! A manoeuvre as its file tells it, before it meets a vehicle.

use super::condition::Condition;
use super::follower::{Follower, FollowerGains};
use super::path::{Circle, Corridor, LaneChange, Path, Spline, sampled};
use super::player::{Hands, Phase, Player, State};
use super::setup::{DriverSetup, SetupError};
use super::signal::Signal;
use super::speed::{Pedals, Speed};
use super::table::Table;
use super::{Channel, Driver};
use crate::{SteeredBy, Vector3};
use std::collections::BTreeMap;

/// A manoeuvre. [`Manoeuvre::driver`] makes a driver of it for a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct Manoeuvre {
    /// Name.
    pub name: String,
    /// One line.
    pub description: String,
    /// The standard or document that it implements; empty when there is none.
    pub standard: String,
    /// How long it lasts (s); `None` for no end.
    pub duration_s: Option<f64>,
    /// Vehicle to take when none is asked for.
    pub vehicle: Option<String>,
    /// Road to take when none is asked for.
    pub road: Option<String>,
    /// How it begins.
    pub initial: Initial,
    /// What a report should work out.
    pub evaluation: Option<Evaluation>,
    pub(super) plan: Plan,
}

/// How the wheels turn at the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WheelSpin {
    /// As fast as the speed demands.
    #[default]
    Rolling,
    /// Not at all.
    Zero,
}

/// The state in which a manoeuvre begins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Initial {
    /// Forward speed (m/s).
    pub speed_m_s: f64,
    /// Position of the vehicle's origin in E (m).
    pub position_m: [f64; 2],
    /// Direction in E (rad).
    pub heading_rad: f64,
    /// Height of the vehicle's origin (m); `None` to stand on the road in equilibrium.
    pub height_m: Option<f64>,
    /// Gear; `None` leaves it to the gearbox.
    pub gear: Option<i32>,
    /// The wheels.
    pub wheel_spin: WheelSpin,
}

/// What a report should work out, and its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// One of [`super::EVALUATIONS`].
    pub kind: String,
    /// Parameters by name, as the file has them.
    pub parameters: BTreeMap<String, f64>,
}

/// What the driver is to do.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    pub channel: Channel,
    pub phases: Vec<PhasePlan>,
    pub path: Option<Shape>,
    pub wind: Option<(Table, f64)>,
    pub stop: Condition,
    pub blend_s: f64,
    pub pedal_rates: Pedals,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct PhasePlan {
    pub hands: HandsPlan,
    pub hands_own: bool,
    pub speed: Speed,
    pub speed_own: bool,
    pub until: Condition,
}

/// A wind that blows everywhere alike: its speed over simulated time, and its direction.
#[derive(Clone, Debug, PartialEq)]
pub struct WindCourse {
    speed: Table,
    direction: Vector3,
}

impl WindCourse {
    /// The wind in E (m/s) at a simulated time.
    #[must_use]
    pub fn at(&self, time_s: f64) -> Vector3 {
        self.direction * self.speed.at(time_s.clamp(-1e9, 1e9)).value
    }
}

/// The unit of a course, where only the vehicle knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Scale {
    /// SI: nothing to be done.
    #[default]
    Plain,
    /// Full lock of the steering wheel.
    Lock,
    /// Lateral acceleration in steady cornering at the initial speed.
    Lateral,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum HandsPlan {
    Course { signal: Signal, scale: Scale },
    Path(FollowerGains),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Straight,
    Circle(Circle),
    /// The vehicle's width is 0 where it is to be filled in.
    LaneChange(LaneChange),
    Points {
        points_m: Vec<[f64; 2]>,
        closed: bool,
    },
}

impl Manoeuvre {
    /// A driver for a vehicle.
    pub fn driver(&self, setup: &DriverSetup) -> Result<Box<dyn Driver>, SetupError> {
        setup.check()?;
        if let Some(moved) = self.plan.channel.imposes()
            && moved != setup.steered_by
        {
            return Err(SetupError::Steering { moved: word(moved), steered: word(setup.steered_by) });
        }
        Ok(Box::new(Player {
            phases: self.plan.phases.iter().map(|phase| phase.ready(setup, self.initial.speed_m_s)).collect(),
            path: self.path(setup),
            channel: self.plan.channel,
            stop: self.stop(),
            blend_s: self.plan.blend_s,
            pedal_rates: self.plan.pedal_rates,
            state: State::default(),
        }))
    }

    /// The wind of the manoeuvre, whoever drives.
    #[must_use]
    pub fn wind(&self) -> Option<WindCourse> {
        let (speed, direction_rad) = self.plan.wind.as_ref()?;
        let (sine, cosine) = direction_rad.sin_cos();
        Some(WindCourse { speed: speed.clone(), direction: Vector3::new(cosine, sine, 0.0) })
    }

    /// The path to follow, if there is one. It begins where the vehicle does, except one that is
    /// drawn through points of the earth.
    #[must_use]
    pub fn path(&self, setup: &DriverSetup) -> Option<Path> {
        let (origin, heading) = (self.initial.position_m, self.initial.heading_rad);
        Some(match self.plan.path.as_ref()? {
            Shape::Straight => Path::straight(origin, heading),
            Shape::Circle(circle) => circle.path(origin, heading),
            Shape::LaneChange(change) => for_vehicle(change, setup).path(origin, heading),
            Shape::Points { points_m, closed } => sampled(&Spline::new(points_m, *closed), *closed, [0.0, 0.0], 0.0),
        })
    }

    /// The cones of a lane change, if it is one.
    #[must_use]
    pub fn corridor(&self, setup: &DriverSetup) -> Option<Corridor> {
        match self.plan.path.as_ref()? {
            Shape::LaneChange(change) => {
                Some(for_vehicle(change, setup).corridor(self.initial.position_m, self.initial.heading_rad))
            }
            _ => None,
        }
    }

    /// Whether the steering wheel is turned, or the rack moved.
    #[must_use]
    pub fn channel(&self) -> Channel {
        self.plan.channel
    }

    fn stop(&self) -> Condition {
        let stop = self.plan.stop;
        let time_s = match (stop.time_s, self.duration_s) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Condition { time_s, ..stop }
    }
}

/// What steers, for people.
fn word(by: SteeredBy) -> &'static str {
    match by {
        SteeredBy::Rack => "a rack (rack_mm)",
        SteeredBy::Angle => "the angle of its wheels (road_wheel_deg)",
    }
}

fn for_vehicle(change: &LaneChange, setup: &DriverSetup) -> LaneChange {
    let vehicle_width_m = if change.vehicle_width_m > 0.0 { change.vehicle_width_m } else { setup.width_m };
    LaneChange { vehicle_width_m, ..*change }
}

impl PhasePlan {
    fn ready(&self, setup: &DriverSetup, speed_m_s: f64) -> Phase {
        let hands = match &self.hands {
            HandsPlan::Course { signal, scale } => Hands::Course(signal.scaled(scale.factor(setup, speed_m_s))),
            HandsPlan::Path(gains) => Hands::Path(Follower::new(*gains, setup)),
        };
        Phase {
            hands,
            hands_own: self.hands_own,
            speed: self.speed.clone(),
            speed_own: self.speed_own,
            until: self.until,
        }
    }
}

impl Scale {
    /// Angle of the steering wheel per unit. In steady cornering δ = (L/v² + K) a, with K the
    /// understeer gradient.
    fn factor(self, setup: &DriverSetup, speed_m_s: f64) -> f64 {
        match self {
            Self::Plain => 1.0,
            Self::Lock => setup.steering_lock_rad,
            Self::Lateral => {
                let speed = speed_m_s.max(1.0);
                setup.steering_ratio * (setup.wheelbase_m / (speed * speed) + setup.understeer_rad_s2_m)
            }
        }
    }
}
