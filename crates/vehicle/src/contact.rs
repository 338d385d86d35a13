//! Where a tyre meets the road.
//!
//! The patch is a small plane. It is found as Rill's TMeasy does: four points of the road, before,
//! behind, left and right of the lowest point of the wheel, span it, so that a tyre meets a kerb or
//! a half-round bump over the length of its patch and not as a jump.
//! ```text
//! x = axle × n / |·|,   y = n × x,   d = axle × x   (down, in the plane of the wheel)
//! ρ = (c − q)·n / (−d·n),   δ = R − ρ,   δ̇ = −v·n
//! v = v_c + ω⊥ × ρ d,   V_x = v·x,   V_y = v·y,   sin γ = axle·n
//! ```
//! c is the centre, q the middle of the four points, ω⊥ the angular velocity of the carrier without
//! its part about the axle. Where the road is one plane around the wheel, the four points are on
//! it: then q is the point below the centre, and one question to the road suffices.

use crate::WheelKinematics;
use crate::arcs::arcsine;
use crate::terrain::{Ground, Hint, Terrain};
use multibody::math::Vector3;

/// Half length and half width of the patch in radii of the wheel.
const HALF_LENGTH: f64 = 0.15;
const HALF_WIDTH: f64 = 0.1;
/// No point of the patch is farther from the centre, in radii: √(1 + `HALF_LENGTH`²).
const FARTHEST: f64 = 1.02;
/// The centre is never taken to be nearer to the road than this part of the radius: the rim is
/// there.
const NEAREST: f64 = 0.3;

/// The contact of one wheel with the road.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Unit normal of the road in E.
    pub normal: Vector3,
    /// Forward in the road plane, unit, in E.
    pub along: Vector3,
    /// Left in the road plane, unit, in E.
    pub across: Vector3,
    /// From the centre of the wheel to the contact point in E (m).
    pub arm: Vector3,
    /// δ (m), negative in the air.
    pub deflection_m: f64,
    /// δ̇ (m/s), positive when it grows.
    pub deflection_rate_m_s: f64,
    /// γ (rad).
    pub camber_rad: f64,
    /// Friction of the road, as a factor.
    pub friction: f64,
    /// V_x (m/s).
    pub forward_m_s: f64,
    /// V_y (m/s).
    pub sideways_m_s: f64,
}

impl Contact {
    /// A wheel that does not touch: also the answer for one that lies on its side.
    pub const AIR: Self = Self {
        normal: Vector3::AXES[2],
        along: Vector3::AXES[0],
        across: Vector3::AXES[1],
        arm: Vector3::ZERO,
        deflection_m: -1.0,
        deflection_rate_m_s: 0.0,
        camber_rad: 0.0,
        friction: 0.0,
        forward_m_s: 0.0,
        sideways_m_s: 0.0,
    };

    /// Finds the contact of a wheel of a radius (m).
    #[must_use]
    pub fn find(terrain: &dyn Terrain, wheel: &WheelKinematics, radius_m: f64, hint: &mut Hint) -> Self {
        let (x, y) = (wheel.position_m.x, wheel.position_m.y);
        if let Some(plane) = terrain.even_at(x, y, FARTHEST * radius_m, hint) {
            return Patch::on_plane(x, y, &plane).touched(wheel, radius_m);
        }
        let below = terrain.at(x, y, hint);
        let Some((along, down)) = directions(wheel.axle, below.normal) else {
            return Self::AIR;
        };
        let lowest = wheel.position_m + down * radius_m;
        Patch::find(terrain, lowest, along, wheel.axle, radius_m, hint).touched(wheel, radius_m)
    }
}

/// Forward and down in the plane of the wheel.
fn directions(axle: Vector3, normal: Vector3) -> Option<(Vector3, Vector3)> {
    let along = axle.cross(normal);
    let length = along.norm();
    // Nearly flat on its side: no direction is forward.
    if !(0.1..f64::INFINITY).contains(&length) {
        return None;
    }
    let along = along * (1.0 / length);
    Some((along, axle.cross(along)))
}

/// The plane of the road under a wheel.
struct Patch {
    middle: Vector3,
    normal: Vector3,
    friction: f64,
}

impl Patch {
    /// On a road that is one plane around (x, y).
    #[inline]
    fn on_plane(x: f64, y: f64, plane: &Ground) -> Self {
        Self { middle: Vector3::new(x, y, plane.height_m), normal: plane.normal, friction: plane.friction }
    }

    fn find(
        terrain: &dyn Terrain,
        lowest: Vector3,
        along: Vector3,
        axle: Vector3,
        radius_m: f64,
        hint: &mut Hint,
    ) -> Self {
        let (long, wide) = (along * (HALF_LENGTH * radius_m), axle * (HALF_WIDTH * radius_m));
        let mut sample = |place: Vector3| {
            let Ground { height_m, friction, .. } = terrain.at(place.x, place.y, hint);
            (Vector3::new(place.x, place.y, height_m), friction)
        };
        let (front, front_friction) = sample(lowest + long);
        let (rear, rear_friction) = sample(lowest - long);
        let (left, left_friction) = sample(lowest + wide);
        let (right, right_friction) = sample(lowest - wide);
        Self {
            middle: (front + rear + left + right) * 0.25,
            normal: (front - rear).cross(left - right).normalised().unwrap_or(Vector3::AXES[2]),
            friction: (front_friction + rear_friction + left_friction + right_friction) * 0.25,
        }
    }

    /// The contact of a wheel with it.
    #[inline]
    fn touched(&self, wheel: &WheelKinematics, radius_m: f64) -> Contact {
        let normal = self.normal;
        let Some((along, down)) = directions(wheel.axle, normal) else {
            return Contact::AIR;
        };
        let sine = wheel.axle.dot(normal).clamp(-1.0, 1.0);
        let distance = (wheel.position_m - self.middle).dot(normal) / -down.dot(normal);
        let arm = down * distance.clamp(NEAREST * radius_m, radius_m);
        let across_axle = wheel.carrier_rate_rad_s - wheel.axle * wheel.carrier_rate_rad_s.dot(wheel.axle);
        let velocity = wheel.velocity_m_s + across_axle.cross(arm);
        let across = normal.cross(along);
        Contact {
            normal,
            along,
            across,
            arm,
            deflection_m: radius_m - distance,
            deflection_rate_m_s: -velocity.dot(normal),
            camber_rad: arcsine(sine),
            friction: self.friction,
            forward_m_s: velocity.dot(along),
            sideways_m_s: velocity.dot(across),
        }
    }
}
