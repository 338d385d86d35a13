//! A car on a straight road (RTSDS §4.2): the motor pulls; air, rolling and slope resist.
//!
//! | symbol | here | |
//! | --- | --- | --- |
//! | x | `speed_m_s` | speed, the state; the distance s (`position_m`) is integrated beside it |
//! | V_e, V_o | `motor_torque_ratio`, `inclination_ratio` | torque and slope as parts of their greatest, the inputs |
//! | τ_max, r, M | `torque_max_nm`, `wheel_radius_m`, `mass_kg` | motor, wheel, car |
//! | ρ, C_d, A_fr | `air_density_kg_m3`, `drag_coefficient_ratio`, `frontal_area_m2` | air |
//! | C_0, C_1 | `rolling_constant_ratio`, `rolling_quadratic_s2_m2` | rolling resistance |
//! | g, θ_max, x_max | `gravity_m_s2`, `inclination_max_deg`, `speed_max_m_s` | gravity, slope, limit |
//!
//! ```text
//! (1)  M·ẋ = f_t − f_a,  ṡ = x                            RTSDS Eq. 12
//! (2)  f_t = V_e·τ_max / r                                RTSDS Eq. 13, 14
//! (3)  f_a = f_d + f_r + M·g·sin(V_o·θ_max)               RTSDS Eq. 15, 16, 19
//! (4)  f_d = ½·ρ·C_d·A_fr·x²                              RTSDS Eq. 17
//! (5)  f_r = M·g·(C_0 + C_1·x²)                           RTSDS Eq. 18
//! (6)  0 ≤ x ≤ x_max                                      RTSDS Eq. 20, 24
//! (7)  f_a = min(f_a of Eq. (3), f_t)  while x = 0
//! ```
//!
//! Differences from the printed text:
//! - ρ = 1.18 kg/m³ and C_d = 0.51: the text gives both numbers to C_d.
//! - Eq. (7) and the lower end of Eq. (6) are ours. Eq. (5) has no sign: as printed it pushes a
//!   standing car backwards, and with x < 0 the x² of Eq. (4) and (5) push it further, to minus
//!   infinity. Rolling resistance is friction: it opposes motion, and at standstill it is only as
//!   large as the force that it balances. A slope that the motor cannot hold would let the real car
//!   roll back; this model goes forward only, so the car stands (as if braked) until the motor
//!   wins.
//! - The printed Eq. 24 returns v(t), a name of the tank's equations; c(t) is meant.

use super::{fill, limit_to};
use crate::description::{Description, Port, Range, value};
use crate::ode::System;

const RATIO: Range = Range::new(0.0, 1.0);
/// Farther than any run can go: a thousand years at the speed limit.
const POSITIONS_M: Range = Range::new(-1e13, 1e13);

/// The constants of the car, reduced to what the equations need.
#[derive(Clone, Debug, PartialEq)]
pub struct Car {
    mass_kg: f64,
    speed_max_m_s: f64,
    /// Eq. (2): traction at full torque (N).
    traction_max_n: f64,
    /// The part of Eq. (4) and (5) that grows with the square of the speed (N·s²/m²).
    quadratic_n_s2_m2: f64,
    /// The constant part of Eq. (5) (N).
    rolling_n: f64,
    /// M·g (N).
    weight_n: f64,
    inclination_max_rad: f64,
}

/// Forces on the car and what follows from them.
struct Forces {
    traction_n: f64,
    resistance_n: f64,
    acceleration_m_s2: f64,
}

impl Car {
    /// The parameters with the values of RTSDS §5.2.
    pub fn parameters() -> Vec<Port> {
        vec![
            Port::new("mass_kg", "kg", Range::new(1.0, 1e6), 450.0, "mass of the car, M"),
            Port::new("torque_max_nm", "Nm", Range::new(0.0, 1e6), 2000.0, "greatest torque of the motor, τ_max"),
            Port::new("wheel_radius_m", "m", Range::new(1e-3, 10.0), 0.26, "radius of the wheel, r"),
            Port::new("gravity_m_s2", "m/s²", Range::new(0.0, 1e3), 9.8, "acceleration of gravity, g"),
            Port::new("air_density_kg_m3", "kg/m³", Range::new(0.0, 1e3), 1.18, "density of the air, ρ"),
            Port::new("drag_coefficient_ratio", "1", Range::new(0.0, 100.0), 0.51, "aerodynamic drag coefficient, C_d"),
            Port::new("frontal_area_m2", "m²", Range::new(0.0, 1e3), 2.4, "frontal area, A_fr"),
            Port::new("rolling_constant_ratio", "1", Range::new(0.0, 1.0), 0.015, "rolling resistance at rest, C_0"),
            Port::new("rolling_quadratic_s2_m2", "s²/m²", Range::new(0.0, 1.0), 0.0, "growth of it with speed², C_1"),
            Port::new("inclination_max_deg", "°", Range::new(0.0, 90.0), 60.0, "greatest slope, θ_max"),
            Port::new("speed_max_m_s", "m/s", Range::new(1e-3, 1e4), 200.0, "greatest speed, x_max"),
        ]
    }

    /// A car with the given constants.
    pub fn new(parameters: &[Port]) -> Self {
        let value = |name| value(parameters, name);
        let weight_n = value("mass_kg") * value("gravity_m_s2");
        let drag_n_s2_m2 =
            0.5 * value("air_density_kg_m3") * value("drag_coefficient_ratio") * value("frontal_area_m2");
        Car {
            mass_kg: value("mass_kg"),
            speed_max_m_s: value("speed_max_m_s"),
            traction_max_n: value("torque_max_nm") / value("wheel_radius_m"),
            quadratic_n_s2_m2: drag_n_s2_m2 + weight_n * value("rolling_quadratic_s2_m2"),
            rolling_n: weight_n * value("rolling_constant_ratio"),
            weight_n,
            inclination_max_rad: value("inclination_max_deg").to_radians(),
        }
    }

    /// Eq. (3) to (5): what resists a moving car (N).
    fn resistance(&self, speed_m_s: f64, inclination: f64) -> f64 {
        let slope_n = self.weight_n * (inclination * self.inclination_max_rad).sin();
        self.quadratic_n_s2_m2 * speed_m_s * speed_m_s + self.rolling_n + slope_n
    }

    /// Eq. (1) to (5), and (7) for a car that stands.
    fn forces(&self, speed_m_s: f64, motor_torque: f64, inclination: f64) -> Forces {
        let traction_n = motor_torque * self.traction_max_n;
        let moving_n = self.resistance(speed_m_s.max(0.0), inclination);
        let resistance_n = if speed_m_s > 0.0 { moving_n } else { moving_n.min(traction_n) };
        let acceleration_m_s2 = (traction_n - resistance_n) / self.mass_kg;
        Forces { traction_n, resistance_n, acceleration_m_s2 }
    }
}

impl System for Car {
    fn describe(&self) -> Description {
        let speeds = Range::new(0.0, self.speed_max_m_s);
        let tractions = Range::new(0.0, self.traction_max_n);
        let resistances = Range::new(0.0, self.resistance(self.speed_max_m_s, 1.0));
        let accelerations = Range::new(-resistances.max / self.mass_kg, tractions.max / self.mass_kg);
        let speed = Port::new("speed_m_s", "m/s", speeds, 0.0, "speed, x");
        let position = Port::new("position_m", "m", POSITIONS_M, 0.0, "distance from the start, s");
        Description {
            name: "car".into(),
            summary: "a car on a straight road with a motor, air drag, rolling resistance and slope".into(),
            inputs: vec![
                Port::new("motor_torque_ratio", "1", RATIO, 0.0, "part of the greatest motor torque, V_e"),
                Port::new("inclination_ratio", "1", RATIO, 0.0, "part of the greatest slope, V_o"),
            ],
            outputs: vec![
                speed.clone(),
                position.clone(),
                Port::new("acceleration_m_s2", "m/s²", accelerations, 0.0, "acceleration; 0 at a limit"),
                Port::new("traction_force_n", "N", tractions, 0.0, "force of the motor, f_t"),
                Port::new("resistance_force_n", "N", resistances, 0.0, "all that resists, f_a"),
            ],
            states: vec![speed, position],
        }
    }

    fn derivative(&self, _time_s: f64, state: &[f64], inputs: &[f64], derivative: &mut [f64]) {
        let speed_m_s = state[0];
        derivative[0] = self.forces(speed_m_s, inputs[0], inputs[1]).acceleration_m_s2; // Eq. (1)
        derivative[1] = speed_m_s.max(0.0);
    }

    fn limit(&self, state: &mut [f64]) -> bool {
        let speed = limit_to(&mut state[0], 0.0, self.speed_max_m_s); // Eq. (6)
        let position = limit_to(&mut state[1], POSITIONS_M.min, POSITIONS_M.max);
        speed | position
    }

    fn outputs(&self, state: &[f64], inputs: &[f64], outputs: &mut [f64]) {
        let forces = self.forces(state[0], inputs[0], inputs[1]);
        let at_top = state[0] >= self.speed_max_m_s;
        let acceleration_m_s2 = if at_top { forces.acceleration_m_s2.min(0.0) } else { forces.acceleration_m_s2 };
        let values = [state[0], state[1], acceleration_m_s2, forces.traction_n, forces.resistance_n];
        fill(outputs, values);
    }
}
