//! Where the engine's work goes.
//!
//! A substep's work is torque times the mean of the speeds before and after it. With that, inertias
//! take exactly what their kinetic energy gains: `J (Δω/h) · h (ω + ω')/2 = J (ω'² − ω²)/2`. So the
//! books close to rounding, whatever the substep:
//! ```text
//! engine = stored + launch + gears + friction + differentials + wheels
//! ```

use super::axles::{Axles, Coupled};
use crate::Vector3;

/// Torques of one substep and the speeds around it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Flow {
    /// Length (s).
    pub substep_s: f64,
    /// Engine, input shaft, output shaft (kg m²).
    pub inertias_kg_m2: [f64; 3],
    /// Their speeds before (rad/s).
    pub before_rad_s: [f64; 3],
    /// And after (rad/s).
    pub after_rad_s: [f64; 3],
    /// Torque of the engine (Nm).
    pub engine_nm: f64,
    /// Into the launch device (Nm).
    pub impeller_nm: f64,
    /// Out of it (Nm).
    pub turbine_nm: f64,
    /// Out of the gears, before friction (Nm).
    pub gearbox_nm: f64,
    /// Into the axles (Nm): behind friction and the output shaft's inertia.
    pub axles_nm: f64,
    /// Differentials.
    pub coupled: Coupled,
}

impl Flow {
    /// Acceleration torque J dω/dt of engine, input shaft and output shaft (Nm).
    #[inline]
    #[must_use]
    pub fn inertia_nm(&self) -> [f64; 3] {
        std::array::from_fn(|k| self.inertias_kg_m2[k] * (self.after_rad_s[k] - self.before_rad_s[k]) / self.substep_s)
    }
}

/// Sums since the start (J).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Work of the engine.
    pub engine_j: f64,
    /// Gain of kinetic energy of engine and shafts.
    pub stored_j: f64,
    /// Slip of clutch or converter.
    pub launch_j: f64,
    /// Slip of the gears' clutches in shifts.
    pub gears_j: f64,
    /// Friction of gearbox and final drives.
    pub friction_j: f64,
    /// Slip of limited-slip, viscous and locked differentials.
    pub differentials_j: f64,
    /// Work on the wheels.
    pub wheels_j: f64,
}

impl Energy {
    /// Books a substep.
    #[inline]
    pub fn add(&mut self, flow: &Flow) {
        let h = flow.substep_s;
        let mean: [f64; 3] = std::array::from_fn(|k| 0.5 * (flow.before_rad_s[k] + flow.after_rad_s[k]));
        let inertia = flow.inertia_nm();
        let input_nm = flow.turbine_nm - inertia[1];
        let output_nm = flow.axles_nm + inertia[2];
        self.engine_j += h * flow.engine_nm * mean[0];
        self.stored_j += h * (inertia[0] * mean[0] + inertia[1] * mean[1] + inertia[2] * mean[2]);
        self.launch_j += h * (flow.impeller_nm * mean[0] - flow.turbine_nm * mean[1]);
        self.gears_j += h * (input_nm * mean[1] - flow.gearbox_nm * mean[2]);
        self.friction_j += h * (flow.gearbox_nm - output_nm) * mean[2];
        self.differentials_j += flow.coupled.loss_j;
        self.wheels_j += h * flow.axles_nm * mean[2] - flow.coupled.loss_j;
    }

    /// All that became heat (J).
    #[must_use]
    pub fn losses_j(&self) -> f64 {
        self.launch_j + self.gears_j + self.friction_j + self.differentials_j
    }
}

/// How the engine lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// Crankshaft along the vehicle.
    Longitudinal,
    /// Crankshaft across it.
    Transverse,
}

/// Reaction of the powertrain on the body.
///
/// Final drives on the body (independent suspension) hand the reaction to the wheels' torques to
/// it, about the lateral axis: the nose rises. Final drives in a rigid axle take that themselves;
/// the body then carries the torque of the propeller shaft. What gains speed pushes its housing
/// back. A longitudinal engine turns clockwise seen from the front, so its shafts turn about −x; a
/// transverse one turns with the wheels, about +y.
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
