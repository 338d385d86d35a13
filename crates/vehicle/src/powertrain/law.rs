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
    #[must_use]
    pub fn after(&self, change_rad_s: f64) -> f64 {
        self.torque_nm - self.slope * change_rad_s
    }
}
