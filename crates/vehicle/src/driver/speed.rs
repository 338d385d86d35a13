//! The right foot: holds a speed, follows a course of speeds, or presses the pedals as a table
//! says.
//!
//! The cruise control wishes for an acceleration u, and presses the throttle or the brake in
//! proportion to it. With v* the demanded speed:
//! ```text
//! u = v̇* + c₀ + c₂ v² + k (v* − v) + i                                            (1)
//! di/dt = k_i (v* − v)     while |v* − v| < 2 m/s and a pedal answers to it         (2)
//! throttle = u/a_t,   brake = −(u + a_c)/a_b                                       (3)
//! ```
//! a_t and a_b are the accelerations that full throttle and full brake give, a_c the deceleration
//! of the rolling vehicle before the brake is needed. The conditions of (2) keep the integral from
//! winding up: a large change of the demand is made by the proportional part alone.

use super::table::Table;
use crate::numbers::clamped;

/// Gains of the cruise control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cruise {
    /// k of Eq. (1) (1/s).
    pub proportional_1_s: f64,
    /// k_i of Eq. (2) (1/s²).
    pub integral_1_s2: f64,
    /// a_t of Eq. (3) (m/s²).
    pub full_throttle_m_s2: f64,
    /// a_b of Eq. (3) (m/s²).
    pub full_brake_m_s2: f64,
    /// a_c of Eq. (3) (m/s²).
    pub coast_m_s2: f64,
    /// c₀ of Eq. (1): rolling resistance (m/s²).
    pub rolling_m_s2: f64,
    /// c₂ of Eq. (1): air resistance (1/m).
    pub drag_1_m: f64,
}

impl Default for Cruise {
    fn default() -> Self {
        Self {
            proportional_1_s: 0.8,
            integral_1_s2: 0.12,
            full_throttle_m_s2: 3.0,
            full_brake_m_s2: 9.0,
            coast_m_s2: 0.5,
            rolling_m_s2: 0.0,
            drag_1_m: 0.0,
        }
    }
}

/// What the feet do.
#[derive(Clone, Debug, PartialEq)]
pub enum Feet {
    /// Follow a course of speeds (m/s).
    Demand {
        /// Demanded speed over time.
        demand: Table,
        /// How it is reached.
        cruise: Cruise,
    },
    /// Press the pedals as tables say.
    Pedals {
        /// Throttle over time, 0 to 1.
        throttle: Table,
        /// Brake over time, 0 to 1.
        brake: Table,
        /// Line pressure over time (bar), where it is given instead.
        pressure_bar: Option<Table>,
    },
}

/// What the driver wants of the drive: feet, clutch, gear.
#[derive(Clone, Debug, PartialEq)]
pub struct Speed {
    /// Throttle and brake.
    pub feet: Feet,
    /// Clutch over time, 0 to 1.
    pub clutch: Table,
    /// Gear; `None` leaves it to the gearbox.
    pub gear: Option<i32>,
}

/// Where the pedals should be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pedals {
    /// Throttle, 0 to 1.
    pub throttle: f64,
    /// Brake, 0 to 1.
    pub brake: f64,
}

crate::stateful!(Pedals, |it| it.throttle, it.brake);

/// Within this speed the vehicle counts as standing (m/s).
pub const STANDSTILL_M_S: f64 = 0.05;
/// Error of the speed above which nothing is learned (m/s).
const LEARNING_BAND_M_S: f64 = 2.0;
/// Brake that keeps a vehicle standing whose demanded speed is zero.
const PARKING_BRAKE: f64 = 0.4;

impl Cruise {
    /// Eq. (1) to (3); the integral is the state.
    #[inline]
    pub fn pedals(&self, demand: f64, demand_rate: f64, speed: f64, integral: &mut f64, step_s: f64) -> Pedals {
        let error = demand - speed;
        let load = self.rolling_m_s2 + self.drag_1_m * speed * speed;
        let wish = demand_rate + load + self.proportional_1_s * error + *integral;
        let [lowest, highest] = [-(self.full_brake_m_s2 + self.coast_m_s2), self.full_throttle_m_s2];
        let at_stop = (wish >= highest && error > 0.0) || (wish <= lowest && error < 0.0);
        let coasts = wish < 0.0 && wish > -self.coast_m_s2;
        let at_stop = at_stop || (coasts && error < 0.0);
        if error.abs() < LEARNING_BAND_M_S && !at_stop {
            *integral = (*integral + self.integral_1_s2 * error * step_s).clamp(lowest, highest);
        }
        let parking = if demand < STANDSTILL_M_S && speed.abs() < 0.3 { PARKING_BRAKE } else { 0.0 };
        Pedals {
            throttle: clamped(wish / self.full_throttle_m_s2, 1.0),
            brake: clamped((-wish - self.coast_m_s2) / self.full_brake_m_s2, 1.0).max(parking),
        }
    }
}

impl Feet {
    /// Where the pedals should be at a time, for a speed of the vehicle.
    #[inline]
    pub fn pedals(&self, time_s: f64, speed: f64, integral: &mut f64, step_s: f64) -> Pedals {
        match self {
            Self::Demand { demand, cruise } => {
                let demand = demand.at(time_s);
                cruise.pedals(demand.value, demand.rate, speed, integral, step_s)
            }
            Self::Pedals { throttle, brake, .. } => Pedals {
                throttle: clamped(throttle.at(time_s).value, 1.0),
                brake: clamped(brake.at(time_s).value, 1.0),
            },
        }
    }

    /// Line pressure (bar), where it is given.
    #[inline]
    #[must_use]
    pub fn pressure_bar(&self, time_s: f64) -> Option<f64> {
        match self {
            Self::Pedals { pressure_bar: Some(pressure), .. } => Some(pressure.at(time_s).value.max(0.0)),
            _ => None,
        }
    }
}

impl Pedals {
    /// Moves towards a wish, by at most the given changes.
    #[inline]
    #[must_use]
    pub fn towards(self, wish: Self, change: Self) -> Self {
        let one = |from: f64, to: f64, most: f64| clamped(from + (to - from).clamp(-most, most), 1.0);
        Self {
            throttle: one(self.throttle, wish.throttle, change.throttle),
            brake: one(self.brake, wish.brake, change.brake),
        }
    }
}
