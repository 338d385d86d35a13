//! Units of measured quantities, and what is needed to go from one to another.
//!
//! A unit is a factor to SI and the exponents of the base units, with the radian as one of them: so
//! an angle is never taken for a ratio. The unit of a signal is the end of its name
//! (`steering_rate_rad_s`).

/// Exponents of metre, kilogram, second, ampere, radian.
type Dimension = [i8; 5];

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// As it is written in a file.
    pub name: &'static str,
    /// How much of the SI unit it is.
    si_factor: f64,
    dimension: Dimension,
}

const RADIAN_PER_DEGREE: f64 = std::f64::consts::PI / 180.0;
const RADIAN_PER_TURN: f64 = std::f64::consts::TAU;

const fn unit(name: &'static str, si_factor: f64, dimension: Dimension) -> Unit {
    Unit { name, si_factor, dimension }
}

const UNITS: &[Unit] = &[
    unit("1", 1.0, [0, 0, 0, 0, 0]),
    unit("%", 0.01, [0, 0, 0, 0, 0]),
    unit("rad", 1.0, [0, 0, 0, 0, 1]),
    unit("deg", RADIAN_PER_DEGREE, [0, 0, 0, 0, 1]),
    unit("turn", RADIAN_PER_TURN, [0, 0, 0, 0, 1]),
    unit("rad/s", 1.0, [0, 0, -1, 0, 1]),
    unit("deg/s", RADIAN_PER_DEGREE, [0, 0, -1, 0, 1]),
    unit("rpm", RADIAN_PER_TURN / 60.0, [0, 0, -1, 0, 1]),
    unit("rad/s2", 1.0, [0, 0, -2, 0, 1]),
    unit("deg/s2", RADIAN_PER_DEGREE, [0, 0, -2, 0, 1]),
    unit("m", 1.0, [1, 0, 0, 0, 0]),
    unit("cm", 0.01, [1, 0, 0, 0, 0]),
    unit("mm", 0.001, [1, 0, 0, 0, 0]),
    unit("m/s", 1.0, [1, 0, -1, 0, 0]),
    unit("km/h", 1.0 / 3.6, [1, 0, -1, 0, 0]),
    unit("m/s2", 1.0, [1, 0, -2, 0, 0]),
    // Standard gravity, ISO 80000-3.
    unit("g", 9.806_65, [1, 0, -2, 0, 0]),
    unit("s", 1.0, [0, 0, 1, 0, 0]),
    unit("ms", 0.001, [0, 0, 1, 0, 0]),
    unit("N", 1.0, [1, 1, -2, 0, 0]),
    unit("kN", 1000.0, [1, 1, -2, 0, 0]),
    unit("Nm", 1.0, [2, 1, -2, 0, 0]),
    unit("Pa", 1.0, [-1, 1, -2, 0, 0]),
    unit("kPa", 1e3, [-1, 1, -2, 0, 0]),
    unit("MPa", 1e6, [-1, 1, -2, 0, 0]),
    unit("bar", 1e5, [-1, 1, -2, 0, 0]),
    // 1 lbf/in², NIST Special Publication 811, appendix B.
    unit("psi", 6_894.757, [-1, 1, -2, 0, 0]),
    unit("V", 1.0, [2, 1, -3, -1, 0]),
    unit("mV", 0.001, [2, 1, -3, -1, 0]),
    unit("A", 1.0, [0, 0, 0, 1, 0]),
];

/// Ends of signal names; of two that fit, the longer one counts.
const SUFFIXES: &[(&str, &str)] = &[
    ("_rad_s2", "rad/s2"),
    ("_rad_s", "rad/s"),
    ("_rad", "rad"),
    ("_m_s2", "m/s2"),
    ("_m_s", "m/s"),
    ("_nm", "Nm"),
    ("_bar", "bar"),
    ("_pa", "Pa"),
    ("_ratio", "1"),
    ("_m", "m"),
    ("_n", "N"),
    ("_v", "V"),
    ("_a", "A"),
    ("_s", "s"),
];

impl Unit {
    pub const ONE: Self = UNITS[0];

    pub fn named(name: &str) -> Option<Self> {
        UNITS.iter().find(|unit| unit.name == name).copied()
    }

    pub fn names() -> impl Iterator<Item = &'static str> {
        UNITS.iter().map(|unit| unit.name)
    }

    /// The unit that the name of a signal ends in; none for a signal that does not say.
    pub fn of_signal(signal: &str) -> Option<Self> {
        let (_, name) = SUFFIXES.iter().find(|(suffix, _)| signal.ends_with(suffix))?;
        Self::named(name)
    }

    /// By what a number of (this unit)/s^`order` is multiplied to be one of `other`; none when they
    /// are not of one kind.
    pub fn factor_to(&self, other: &Self, order: i8) -> Option<f64> {
        let mut dimension = self.dimension;
        dimension[2] -= order;
        (dimension == other.dimension).then(|| self.si_factor / other.si_factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factor(from: &str, signal: &str, order: i8) -> Option<f64> {
        Unit::named(from)?.factor_to(&Unit::of_signal(signal)?, order)
    }

    #[test]
    fn the_name_of_a_signal_says_its_unit() {
        for (signal, unit) in [
            ("driver.steering_angle_rad", "rad"),
            ("driver.steering_rate_rad_s", "rad/s"),
            ("driver.steering_acceleration_rad_s2", "rad/s2"),
            ("driver.throttle_ratio", "1"),
            ("driver.brake_pressure_bar", "bar"),
            ("driver.steering_torque_nm", "Nm"),
        ] {
            assert_eq!(Unit::of_signal(signal).map(|unit| unit.name), Some(unit), "{signal}");
        }
        assert_eq!(Unit::of_signal("driver.gear"), None);
    }

    #[test]
    fn units_of_one_kind_convert() {
        assert_eq!(factor("deg", "driver.steering_angle_rad", 0), Some(RADIAN_PER_DEGREE));
        assert_eq!(factor("deg", "driver.steering_rate_rad_s", 1), Some(RADIAN_PER_DEGREE));
        assert_eq!(factor("rpm", "x_rad_s", 0), Some(RADIAN_PER_TURN / 60.0));
        assert_eq!(factor("kPa", "driver.brake_pressure_bar", 0), Some(0.01));
        assert_eq!(factor("%", "driver.throttle_ratio", 0), Some(0.01));
    }

    #[test]
    fn an_angle_is_neither_a_ratio_nor_its_own_rate() {
        assert_eq!(factor("deg", "driver.throttle_ratio", 0), None);
        assert_eq!(factor("deg", "driver.steering_rate_rad_s", 0), None);
        assert_eq!(factor("bar", "driver.steering_angle_rad", 0), None);
    }
}
