//! Reaction of the powertrain on the body.
//!
//! Final drives on the body (independent suspension) hand the reaction to the wheels' torques to
//! it, about the lateral axis: the nose rises. Final drives in a rigid axle take that themselves;
//! the body then carries the torque of the propeller shaft. What gains speed pushes its housing
//! back. A longitudinal engine turns clockwise seen from the front, so its shafts turn about −x; a
//! transverse one turns with the wheels, about +y.

use super::axles::Axles;
use super::energy::Flow;
use crate::Vector3;

/// How the engine lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// Crankshaft along the vehicle.
    Longitudinal,
    /// Crankshaft across it.
    Transverse,
}

/// Engine and final drives in the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mounting {
    /// How the engine lies.
    pub engine: Lie,
    /// The final drives are fixed to the body, not on the axles.
    pub final_drive_on_body: bool,
}

impl Mounting {
    /// Torque on the body in V (Nm).
    #[inline]
    #[must_use]
    pub fn reaction(&self, flow: &Flow, axles: &Axles) -> Vector3 {
        let spinning: f64 = flow.inertia_nm().iter().sum();
        let wheels = axles.ratio_sum() * flow.axles_nm + flow.coupled.torque_nm;
        let (propeller, wheels) = if self.final_drive_on_body { (0.0, wheels) } else { (flow.axles_nm, 0.0) };
        match self.engine {
            Lie::Longitudinal => Vector3::new(spinning + propeller, -wheels, 0.0),
            Lie::Transverse => Vector3::new(propeller, -wheels - spinning, 0.0),
        }
    }
}
