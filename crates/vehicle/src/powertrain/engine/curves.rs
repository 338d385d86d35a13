//! Torque of an engine over its speed, with the pedal released and fully pressed, or on a map.
//!
//! Eq. (1) of all but the map: `T = f T_full(ω) + (1 − f) T_closed(ω)` with the throttle f (DAS Eq.
//! 4.11).
//!
//! The polynomial of DAS Eq. 4.4 is printed with −3.2888·10⁻³ n². That is an erratum: only
//! −3.2888·10⁻⁶ gives the torques that the text asks for (96 Nm at 1000 rpm, 137 Nm at 3000 rpm, 0
//! at 6000 rpm), and the listing in its appendix has it. The corrected one is used.

use crate::files::{Curve, Ends};

/// rad/s of one revolution per minute.
pub const RPM: f64 = std::f64::consts::PI / 30.0;

/// Torque over speed and throttle.
#[derive(Clone, Debug, PartialEq)]
pub enum Curves {
    /// Powers of the speed in rpm, lowest first.
    Polynomial {
        /// Pedal fully pressed.
        full_nm: Vec<f64>,
        /// Pedal released.
        closed_nm: Vec<f64>,
        /// The polynomial holds from 0 to here (rpm).
        speed_max_rpm: f64,
    },
    /// Points over speed (rad/s).
    Tables {
        /// Pedal fully pressed.
        full: Curve,
        /// Pedal released.
        closed: Curve,
    },
    /// One table over speed (rad/s) for each throttle, from 0 to 1.
    Map {
        /// Throttles, rising.
        throttles: Vec<f64>,
        /// A table each.
        tables: Vec<Curve>,
    },
}

impl Curves {
    /// Torque (Nm) and its derivative by speed (Nms/rad).
    #[inline]
    pub fn at(&self, throttle: f64, speed_rad_s: f64) -> (f64, f64) {
        match self {
            Self::Polynomial { full_nm, closed_nm, speed_max_rpm } => {
                let rpm = (speed_rad_s / RPM).clamp(0.0, *speed_max_rpm);
                let (full, closed) = (polynomial(full_nm, rpm), polynomial(closed_nm, rpm));
                let (torque, slope) = blend(closed, full, throttle);
                (torque, slope / RPM)
            }
            Self::Tables { full, closed } => blend(closed.at(speed_rad_s), full.at(speed_rad_s), throttle),
            Self::Map { throttles, tables } => on_map(throttles, tables, throttle, speed_rad_s),
        }
    }

    /// An electric machine: `min(T_max, P/ω)`, zero from its greatest speed on; released pedal: a
    /// part of that as a brake, which fades out below a tenth of the corner speed.
    pub fn electric(torque_max_nm: f64, power_max_w: f64, speed_max_rad_s: f64, regeneration: f64) -> Self {
        const POINTS: usize = 96;
        let corner = (power_max_w / torque_max_nm).min(0.9 * speed_max_rad_s);
        let beyond = (0..POINTS)
            .map(|k| corner + (0.97 * speed_max_rad_s - corner) * k as f64 / (POINTS - 1) as f64)
            .map(|speed| [speed, torque_max_nm.min(power_max_w / speed)]);
        let mut forward: Vec<[f64; 2]> = beyond.collect();
        forward.push([speed_max_rad_s, 0.0]);
        let backward = |point: &[f64; 2]| [-point[0], point[1]];
        let full = forward.iter().rev().map(backward).chain(forward.iter().copied());
        let brake = |point: &[f64; 2]| [point[0], -regeneration * point[1]];
        let mut closed: Vec<[f64; 2]> = forward.iter().map(brake).collect();
        closed.insert(0, [0.1 * corner, -regeneration * torque_max_nm]);
        let opposite: Vec<[f64; 2]> = closed.iter().rev().map(|it| [-it[0], -it[1]]).collect();
        let closed = opposite.into_iter().chain([[0.0, 0.0]]).chain(closed);
        Self::Tables {
            full: Curve::new(full.collect(), Ends::Level).unwrap_or_else(|_| Curve::level(0.0)),
            closed: Curve::new(closed.collect(), Ends::Level).unwrap_or_else(|_| Curve::level(0.0)),
        }
    }
}

/// Eq. (1), for value and slope.
#[inline]
fn blend(closed: (f64, f64), full: (f64, f64), share: f64) -> (f64, f64) {
    (closed.0 + share * (full.0 - closed.0), closed.1 + share * (full.1 - closed.1))
}

/// Value and derivative by Horner's rule.
#[inline]
fn polynomial(coefficients: &[f64], x: f64) -> (f64, f64) {
    coefficients
        .iter()
        .rev()
        .fold((0.0, 0.0), |(value, slope), coefficient| (value * x + coefficient, slope * x + value))
}

#[inline]
fn on_map(throttles: &[f64], tables: &[Curve], throttle: f64, speed: f64) -> (f64, f64) {
    let after = throttles.partition_point(|it| *it <= throttle).clamp(1, throttles.len().max(2) - 1);
    match (throttles.get(after - 1), throttles.get(after), tables.get(after - 1), tables.get(after)) {
        (Some(a), Some(b), Some(below), Some(above)) => {
            let share = ((throttle - a) / (b - a)).clamp(0.0, 1.0);
            blend(below.at(speed), above.at(speed), share)
        }
        _ => (0.0, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thesis() -> Curves {
        Curves::Polynomial {
            full_nm: vec![53.7, 0.046583, -3.2888e-6, -9.9444e-10],
            closed_nm: vec![0.0, -0.015],
            speed_max_rpm: 6600.0,
        }
    }

    /// DAS §4.2.1 lists the three torques that the polynomial was made from. Its coefficients have
    /// five digits, so 0.1 Nm at 6000 rpm.
    #[test]
    fn the_thesis_polynomial_has_the_torques_that_the_text_asks_for() {
        for (rpm, torque_nm) in [(1000.0, 96.0), (3000.0, 137.0), (6000.0, 0.0)] {
            let found = thesis().at(1.0, rpm * RPM).0;
            assert!((found - torque_nm).abs() < 0.1, "{rpm} rpm: {found} Nm");
        }
        assert!(thesis().at(1.0, 3000.0 * RPM).1.abs() < 0.01, "a maximum at 3000 rpm");
        assert!((thesis().at(0.0, 4000.0 * RPM).0 + 60.0).abs() < 1e-9, "Eq. 4.5");
        assert!((thesis().at(0.5, 4000.0 * RPM).0 - 0.5 * (thesis().at(1.0, 4000.0 * RPM).0 - 60.0)).abs() < 1e-9);
    }

    #[test]
    fn the_coefficient_as_printed_would_not_have_them() {
        let printed = Curves::Polynomial {
            full_nm: vec![53.7, 0.046583, -3.2888e-3, -9.9444e-10],
            closed_nm: vec![0.0, -0.015],
            speed_max_rpm: 6600.0,
        };
        assert!(printed.at(1.0, 1000.0 * RPM).0 < -3000.0);
    }

    #[test]
    fn a_map_is_bilinear() {
        let table =
            |scale: f64| Curve::new(vec![[0.0, 10.0 * scale], [100.0, 20.0 * scale]], Ends::Level).expect("rising");
        let map = Curves::Map { throttles: vec![0.0, 0.5, 1.0], tables: vec![table(-1.0), table(2.0), table(3.0)] };
        assert!((map.at(0.25, 50.0).0 - 7.5).abs() < 1e-12);
        assert!((map.at(1.0, 100.0).0 - 60.0).abs() < 1e-12);
        assert!((map.at(0.75, 50.0).1 - 0.25).abs() < 1e-12);
    }

    /// 150 Nm up to 80 kW / 150 Nm = 533 rad/s, then constant power. Between points a hyperbola's
    /// chord lies above it by less than 0.1 %.
    #[test]
    fn an_electric_machine_keeps_torque_then_power() {
        let motor = Curves::electric(150.0, 80e3, 1200.0, 0.3);
        assert!((motor.at(1.0, 0.0).0 - 150.0).abs() < 1e-12);
        assert!((motor.at(1.0, 500.0).0 - 150.0).abs() < 1e-12);
        for speed in [600.0, 777.0, 1000.0, 1150.0] {
            assert!((motor.at(1.0, speed).0 * speed / 80e3 - 1.0).abs() < 1e-3, "{speed}");
        }
        assert_eq!(motor.at(1.0, 1300.0).0, 0.0);
        assert_eq!(motor.at(0.0, 0.0).0, 0.0);
        assert!((motor.at(0.0, 300.0).0 + 45.0).abs() < 1e-9);
        assert!((motor.at(0.0, -300.0).0 - 45.0).abs() < 1e-9, "it brakes backwards too");
    }
}
