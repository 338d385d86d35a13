//! The simplest tyre that lets a vehicle stand and roll.
//!
//! The ground is the plane z = 0 of the earth. The tyre is a spring normal to it, with the
//! deflection measured at the wheel's centre, and slip forces that are linear at small slip and
//! limited by friction:
//! ```text
//! δ = R − h,   N = max(0, k δ − c ḣ)                                                          (1)
//! s = −(v_sx, v_sy) / (|v_x| + v₀),   F = (C_x s_x, C_y s_y)                                   (2)
//! F ← F / √(1 + |F|²/(μN)²)                                                                   (3)
//! ```
//! h is the height of the centre, v_sx the sliding velocity of the contact point along the wheel,
//! v_sy across it.

use super::ContactState;
use crate::math::{Number, Pair, Vector3, VectorOf};

/// Parameters of eq. (1)–(3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimpleTyre {
    /// `m` R
    pub radius: f64,
    /// [N/m] k
    pub stiffness: f64,
    /// [Ns/m] c
    pub damping: f64,
    /// μ
    pub friction: f64,
    /// [N/rad] C_y
    pub cornering: f64,
    /// `N` C_x
    pub slip_stiffness: f64,
}

/// [m/s] v₀: below this speed slip turns into a damper.
const SPEED_FLOOR: f64 = 1.0;

impl SimpleTyre {
    /// Eq. (1)–(3).
    #[inline]
    pub fn forces(&self, state: &ContactState) -> (Vector3, Vector3) {
        let rolling = Rolling::<f64>::new([self; 1], [state; 1]);
        let (load, level) = (rolling.load(), rolling.level());
        if state.centre.z >= self.radius || load.max(0.0) == 0.0 {
            return (Vector3::ZERO, Vector3::ZERO);
        }
        if !(self.friction > 0.0 && level > 0.0 && level.is_finite()) {
            return (Vector3::new(0.0, 0.0, load), Vector3::ZERO);
        }
        rolling.wrench(load, level)
    }

    /// Two side by side, if both are on the ground and have friction.
    #[inline]
    pub(super) fn forces_of_two(tyres: [&Self; 2], states: [&ContactState; 2]) -> [(Vector3, Vector3); 2] {
        let rolling = Rolling::<Pair>::new(tyres, states);
        let (load, level) = (rolling.load(), rolling.level());
        let is_ordinary = |lane: usize| {
            let (tyre, level) = (tyres[lane], level.lane(lane));
            states[lane].centre.z < tyre.radius
                && load.lane(lane) > 0.0
                && tyre.friction > 0.0
                && level > 0.0
                && level.is_finite()
        };
        if is_ordinary(0) && is_ordinary(1) {
            let (force, moment) = rolling.wrench(load, level);
            [0, 1].map(|lane| (force.lane(lane), moment.lane(lane)))
        } else {
            [0, 1].map(|lane| tyres[lane].forces(states[lane]))
        }
    }
}

/// Tyres and where they are, in lanes. The ground is level, so that with a the axis: along = (a_y,
/// −a_x, 0)/√(a_x² + a_y²), across = (−along_y, along_x, 0), and the contact point is at (0, 0, −h)
/// from the centre.
struct Rolling<T> {
    radius: T,
    stiffness: T,
    damping: T,
    friction: T,
    cornering: T,
    slip_stiffness: T,
    height: T,
    velocity: VectorOf<T>,
    angular: VectorOf<T>,
    axis: VectorOf<T>,
}

impl<T: Number> Rolling<T> {
    #[inline(always)]
    fn new<const LANES: usize>(tyres: [&SimpleTyre; LANES], states: [&ContactState; LANES]) -> Self {
        Self {
            radius: T::gather(|lane| tyres[lane].radius),
            stiffness: T::gather(|lane| tyres[lane].stiffness),
            damping: T::gather(|lane| tyres[lane].damping),
            friction: T::gather(|lane| tyres[lane].friction),
            cornering: T::gather(|lane| tyres[lane].cornering),
            slip_stiffness: T::gather(|lane| tyres[lane].slip_stiffness),
            height: T::gather(|lane| states[lane].centre.z),
            velocity: VectorOf::gather(|lane| states[lane].centre_velocity),
            angular: VectorOf::gather(|lane| states[lane].angular_velocity),
            axis: VectorOf::gather(|lane| states[lane].axis),
        }
    }

    /// k δ − c ḣ of eq. (1).
    #[inline(always)]
    fn load(&self) -> T {
        self.stiffness * (self.radius - self.height) - self.damping * self.velocity.z
    }

    /// √(a_x² + a_y²)
    #[inline(always)]
    fn level(&self) -> T {
        (self.axis.x * self.axis.x + self.axis.y * self.axis.y).sqrt()
    }

    /// Eq. (2) and (3).
    #[inline(always)]
    fn wrench(&self, load: T, level: T) -> (VectorOf<T>, VectorOf<T>) {
        let (height, v, w, a) = (self.height, self.velocity, self.angular, self.axis);
        let inverse = T::splat(1.0) / level;
        let (along_x, along_y) = (a.y * inverse, -a.x * inverse);
        let speed = v.x * along_x + v.y * along_y;
        let sliding = speed + height * (w.x * along_y - w.y * along_x);
        let inverse = T::splat(1.0) / (speed.abs() + T::splat(SPEED_FLOOR));
        let x = -self.slip_stiffness * sliding * inverse;
        let y = -self.cornering * (v.y * along_x - v.x * along_y) * inverse;
        let limit = self.friction * load;
        let scale = limit / (limit * limit + (x * x + y * y)).sqrt();
        let (x, y) = (x * scale, y * scale);
        let force = VectorOf::new(along_x * x - along_y * y, along_y * x + along_x * y, load);
        let moment = VectorOf::new(height * force.y, -height * force.x, T::splat(0.0));
        (force, moment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On the ground, in the air, without friction, lying on its side, with a speed that is none:
    /// in every pairing.
    #[test]
    fn two_side_by_side_have_the_bits_of_two() {
        let tyre = |friction: f64| SimpleTyre {
            radius: 0.5,
            stiffness: 2e5,
            damping: 300.0,
            friction,
            cornering: 4e4,
            slip_stiffness: 6e4,
        };
        let state = |height: f64, axis: Vector3, speed: f64| ContactState {
            centre: Vector3::new(1.0, 2.0, height),
            centre_velocity: Vector3::new(speed, 0.3, -0.1),
            axis,
            angular_velocity: Vector3::new(0.1, 21.0, 0.2),
        };
        let across = Vector3::new(0.1, 0.99, 0.05);
        let cases = [
            (tyre(0.8), state(0.48, across, 10.0)),
            (tyre(0.9), state(0.47, across, -0.2)),
            (tyre(0.8), state(0.51, across, 10.0)),
            (tyre(0.0), state(0.48, across, 10.0)),
            (tyre(0.8), state(0.48, Vector3::new(0.0, 0.0, 1.0), 10.0)),
            (tyre(0.8), state(0.48, across, f64::NAN)),
        ];
        let bits = |(force, moment): (Vector3, Vector3)| {
            [force.x, force.y, force.z, moment.x, moment.y, moment.z].map(f64::to_bits)
        };
        for (tyre, at) in &cases {
            for (other, other_at) in &cases {
                let both = SimpleTyre::forces_of_two([tyre, other], [at, other_at]).map(bits);
                assert_eq!(both, [bits(tyre.forces(at)), bits(other.forces(other_at))]);
            }
        }
        assert!(cases[0].0.forces(&cases[0].1).0.z > 3_000.0);
        assert_eq!(cases[2].0.forces(&cases[2].1).0, Vector3::ZERO);
    }
}
