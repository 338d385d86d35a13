//! The same tyre on the other side of the vehicle.
//!
//! Mirroring at the plane y = 0 turns α, γ, F_y, M_x and M_z around and leaves κ, F_x and M_y:
//! ```text
//! F_y(κ, α, γ) = −F_y*(κ, −α, −γ)        * of the tyre that was measured
//! ```
//! A tyre whose file has plysteer and conicity (shifts of F_y and M_z at zero slip) pulls to the
//! other side when it is mounted there.

use super::{Relaxation, Slip, SlipForces, Tyre};

/// A tyre measured on one side and mounted on the other.
pub struct Mirrored(pub Box<dyn Tyre>);

impl Tyre for Mirrored {
    fn radius_m(&self) -> f64 {
        self.0.radius_m()
    }

    fn load_n(&self, deflection_m: f64, deflection_rate_m_s: f64, spin_rad_s: f64) -> f64 {
        self.0.load_n(deflection_m, deflection_rate_m_s, spin_rad_s)
    }

    fn rolling_radius_m(&self, load_n: f64, spin_rad_s: f64) -> f64 {
        self.0.rolling_radius_m(load_n, spin_rad_s)
    }

    fn forces(&self, slip: &Slip) -> SlipForces {
        turned_forces(self.0.forces(&turned_slip(slip)))
    }

    fn forces_with_slope(&self, slip: &Slip, step: f64) -> (SlipForces, f64) {
        let (forces, slope) = self.0.forces_with_slope(&turned_slip(slip), step);
        (turned_forces(forces), slope)
    }

    fn relaxation(&self, load_n: f64, camber_rad: f64) -> Relaxation {
        self.0.relaxation(load_n, -camber_rad)
    }

    fn load_range_n(&self) -> (f64, f64) {
        self.0.load_range_n()
    }
}

fn turned_slip(slip: &Slip) -> Slip {
    Slip { lateral: -slip.lateral, camber_rad: -slip.camber_rad, ..*slip }
}

fn turned_forces(forces: SlipForces) -> SlipForces {
    SlipForces {
        lateral_n: -forces.lateral_n,
        overturning_nm: -forces.overturning_nm,
        aligning_nm: -forces.aligning_nm,
        ..forces
    }
}
