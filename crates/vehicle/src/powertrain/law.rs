//! A torque that is linear in the change of a shaft's speed during a substep.

/// `T(Δω) = torque − slope · Δω`.
///
/// Every part of the driveline takes such a law from its engine side and gives one to its wheel
/// side, with its own speed eliminated. So the whole chain is taken implicitly at the cost of a few
/// divisions, and the wheels see it as one torque and one slope.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Law {
    /// Torque at the speed that the substep begins with (Nm).
    pub torque_nm: f64,
    /// How the torque falls with speed (Nms/rad), not negative.
    pub slope: f64,
}

impl Law {
    /// The torque when the speed has changed.
    #[inline]
    pub fn after(&self, change_rad_s: f64) -> f64 {
        self.torque_nm - self.slope * change_rad_s
    }
}

/// The loss turns its direction within this speed (rad/s).
const TURN_RAD_S: f64 = 1.0;

/// Friction of gearbox and final drives, as an efficiency.
///
/// Driving, the torque behind the gears is η T; driven from the wheels it is (2 − η) T: a loss both
/// ways. Through standstill one goes over into the other within 1 rad/s of the output shaft, so
/// that nothing jumps:
/// ```text
/// T' = (1 − (1 − η) x) T,   x = ω sign(T) / 1 rad/s from −1 to 1                   (1)
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// From 0 (exclusive) to 1.
    pub efficiency: f64,
}

impl Loss {
    /// Eq. (1), with its slope.
    #[inline]
    pub fn pass(&self, law: Law, output_rad_s: f64) -> Law {
        let lost = 1.0 - self.efficiency;
        let x = output_rad_s * law.torque_nm.signum() / TURN_RAD_S;
        let factor = 1.0 - lost * x.clamp(-1.0, 1.0);
        let turning = if x.abs() < 1.0 { lost * law.torque_nm.abs() / TURN_RAD_S } else { 0.0 };
        Law { torque_nm: factor * law.torque_nm, slope: factor * law.slope + turning }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_takes_from_the_torque_both_ways() {
        let (loss, law) = (Loss { efficiency: 0.9 }, |torque_nm| Law { torque_nm, slope: 2.0 });
        assert!((loss.pass(law(100.0), 50.0).torque_nm - 90.0).abs() < 1e-12);
        assert!((loss.pass(law(-100.0), 50.0).torque_nm + 110.0).abs() < 1e-12);
        assert!((loss.pass(law(100.0), -50.0).torque_nm - 110.0).abs() < 1e-12);
        assert!((loss.pass(law(100.0), 0.0).torque_nm - 100.0).abs() < 1e-12);
        assert!((loss.pass(law(100.0), 0.0).slope - 12.0).abs() < 1e-12);
        assert_eq!(Loss { efficiency: 1.0 }.pass(law(7.0), 0.3), law(7.0));
    }
}
