//! What a driver knows of the vehicle before it sets off.

use crate::SteeredBy;

/// Dimensions of the vehicle that drivers need. The assembly fills them in from the vehicle's
/// files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriverSetup {
    /// Distance from the front axle to the (mean) rear axle (m).
    pub wheelbase_m: f64,
    /// Where the front axle is, forward of the vehicle's origin (m).
    pub front_axle_m: f64,
    /// Angle of the steering wheel per angle of the road wheels.
    pub steering_ratio: f64,
    /// Angle of the steering wheel at full lock (rad).
    pub steering_lock_rad: f64,
    /// Distance between left and right wheels (m).
    pub track_m: f64,
    /// What steers it: a rack, or the angle of the wheels.
    pub steered_by: SteeredBy,
    /// Width of the body without mirrors, for the corridors of standards (m).
    pub width_m: f64,
    /// Mass (kg).
    pub mass_kg: f64,
    /// Understeer gradient that the driver is used to: angle at the road wheels per lateral
    /// acceleration (rad s²/m).
    pub understeer_rad_s2_m: f64,
    /// Slip angle of the rear axle per lateral acceleration (rad s²/m).
    pub rear_slip_rad_s2_m: f64,
}

impl Default for DriverSetup {
    /// A passenger car of middle size: 1.5° per g of understeer, 5° of rear slip angle per g.
    fn default() -> Self {
        Self {
            wheelbase_m: 2.757,
            front_axle_m: 1.37,
            steering_ratio: 16.0,
            steering_lock_rad: 9.0,
            track_m: 1.5,
            steered_by: SteeredBy::Rack,
            width_m: 1.8,
            mass_kg: 1600.0,
            understeer_rad_s2_m: 0.0027,
            rear_slip_rad_s2_m: 0.0089,
        }
    }
}

/// Why a manoeuvre has no driver for a vehicle.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SetupError {
    /// A dimension of the vehicle.
    #[error("driver: {field}: expected {expected}, found {found}; correct it in the vehicle's file")]
    Dimension {
        /// The field.
        field: &'static str,
        /// What is allowed.
        expected: &'static str,
        /// What was found.
        found: f64,
    },
    /// The manoeuvre moves what this vehicle does not have.
    #[error("steering: the manoeuvre moves {moved}, but this vehicle is steered by {steered}; choose another")]
    Steering {
        /// What the manoeuvre moves.
        moved: &'static str,
        /// What the vehicle has.
        steered: &'static str,
    },
}

impl DriverSetup {
    /// Refuses impossible dimensions.
    pub fn check(&self) -> Result<(), SetupError> {
        const ABOVE_ZERO: (f64, f64, &str) = (1e-3, 1e6, "a number above 0.001");
        const FINITE: (f64, f64, &str) = (-1e3, 1e3, "a number between -1000 and 1000");
        const RATIO: (f64, f64, &str) = (1e-3, 1e3, "a ratio between 0.001 and 1000");
        for (field, value, (low, high, expected)) in [
            ("wheelbase_m", self.wheelbase_m, ABOVE_ZERO),
            ("steering_lock_rad", self.steering_lock_rad, ABOVE_ZERO),
            ("track_m", self.track_m, ABOVE_ZERO),
            ("width_m", self.width_m, ABOVE_ZERO),
            ("mass_kg", self.mass_kg, ABOVE_ZERO),
            ("front_axle_m", self.front_axle_m, FINITE),
            ("understeer_rad_s2_m", self.understeer_rad_s2_m, FINITE),
            ("rear_slip_rad_s2_m", self.rear_slip_rad_s2_m, FINITE),
            ("steering_ratio", self.steering_ratio.abs(), RATIO),
        ] {
            if !(value > low && value < high) {
                let found = if field == "steering_ratio" { self.steering_ratio } else { value };
                return Err(SetupError::Dimension { field, expected, found });
            }
        }
        Ok(())
    }
}
