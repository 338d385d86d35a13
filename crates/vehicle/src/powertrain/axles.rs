//! From the gearbox's output to the wheels: final drives, differentials, centre differential.
//!
//! With share p_k and ratio r_k of axle k, an open tree gives each of its two wheels `w = p_k r_k /
//! 2` of the output torque. Power makes the same numbers say how fast the output turns:
//! ```text
//! T_i = w_i T_d,    ω_d = Σ w_i Ω_i                                                (1)
//! ```
//! Couplings ([`Differential`]) join the wheels of an axle, and the propeller shafts of
//! neighbouring axles. Each adds `−u f(u·Ω)` to the torques and `s u uᵀ` to the slope, u being the
//! row that makes its speed difference out of the wheels' speeds. So the slope is symmetric and not
//! negative.

use super::Drive;
use super::differential::Differential;
use super::law::Law;
use crate::numbers::bounded;

/// Speeds beyond this are taken for this (rad/s): no wheel turns so fast, and products stay finite.
const SPEED_MAX_RAD_S: f64 = 1e5;

/// One driven axle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axle {
    /// Left and right wheel, counted from 0.
    pub wheels: [usize; 2],
    /// Speed of the propeller shaft by that of the wheels.
    pub ratio: f64,
    /// Part of the output torque.
    pub share: f64,
    /// Between the wheels.
    pub differential: Differential,
    /// Inertia of one half-shaft with its gears (kg m²).
    pub half_shaft_inertia_kg_m2: f64,
}

/// All of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Axles {
    /// Driven axles, front to rear.
    pub axles: Vec<Axle>,
    /// Between neighbouring axles.
    pub centre: Differential,
    /// Wheels of the vehicle.
    pub wheel_count: usize,
    /// Eq. (1) for the slope: places in [`Drive::damping`] with w_i w_j.
    tree: Vec<(usize, f64)>,
}

/// What the couplings do in a substep: energy, and torque that does not cancel over the wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coupled {
    /// Energy that became heat (J).
    pub loss_j: f64,
    /// Sum of the couplings' torques over the wheels (Nm): not zero where neighbouring axles have
    /// different ratios.
    pub torque_nm: f64,
}

/// Speeds of one driven axle: sum and difference of left and right (rad/s).
pub type AxleSpeed = [f64; 2];

#[inline]
fn speed_of(spin_rad_s: &[f64], wheel: usize) -> f64 {
    bounded(spin_rad_s.get(wheel).copied().unwrap_or(0.0), SPEED_MAX_RAD_S)
}

impl Axle {
    /// Torque of one wheel by torque of the output.
    #[inline]
    fn weight(&self) -> f64 {
        0.5 * self.share * self.ratio
    }
}

impl Axles {
    /// Driven axles of a vehicle with so many wheels, and what is between them.
    pub fn new(axles: Vec<Axle>, centre: Differential, wheel_count: usize) -> Self {
        let weights = axles.iter().flat_map(|axle| axle.wheels.map(|wheel| (wheel, axle.weight())));
        let weights: Vec<(usize, f64)> = weights.filter(|it| it.0 < wheel_count).collect();
        let tree = weights.iter().flat_map(|(row, one)| {
            let place = move |(column, other): &(usize, f64)| (row * wheel_count + column, one * other);
            weights.iter().map(place)
        });
        Self { tree: tree.collect(), axles, centre, wheel_count }
    }

    /// Eq. (1): speed of the output (rad/s). Keeps the axles' speeds, brought within bounds.
    #[inline]
    pub fn output(&self, spin_rad_s: &[f64], speeds: &mut [AxleSpeed]) -> f64 {
        let mut output = 0.0;
        for (axle, of) in self.axles.iter().zip(speeds) {
            let [left, right] = axle.wheels.map(|wheel| speed_of(spin_rad_s, wheel));
            *of = [left + right, left - right];
            output += axle.weight() * of[0];
        }
        output
    }

    /// Sum of the wheel torques by torque of the output.
    pub fn ratio_sum(&self) -> f64 {
        self.axles.iter().map(|axle| 2.0 * axle.weight()).sum()
    }

    /// Writes torques and inertias of all wheels and the slopes of the driven ones; keeps the
    /// couplings' slopes, axles first, then the centre.
    #[inline]
    pub fn apply(&self, law: &Law, speeds: &[AxleSpeed], drive: &mut Drive, slopes: &mut [f64]) {
        drive.torque_nm[..self.wheel_count].fill(0.0);
        drive.inertia_kg_m2[..self.wheel_count].fill(0.0);
        self.open_tree(law, drive);
        let (of_axles, of_centre) = slopes.split_at_mut(self.axles.len().min(slopes.len()));
        for ((axle, of), slope) in self.axles.iter().zip(speeds).zip(of_axles) {
            let difference = of[1];
            *slope = axle.differential.slope(difference, axle.share * axle.ratio * law.torque_nm);
            if *slope > 0.0 {
                let row = [(axle.wheels[0], 1.0), (axle.wheels[1], -1.0)];
                couple(drive, self.wheel_count, &row, *slope, difference);
            }
        }
        for ((pair, of), slope) in self.axles.windows(2).zip(speeds.windows(2)).zip(of_centre) {
            let difference = centre_difference(pair, of);
            *slope = self.centre.slope(difference, law.torque_nm);
            if *slope > 0.0 {
                couple(drive, self.wheel_count, &centre_row(pair), *slope, difference);
            }
        }
    }

    /// Eq. (1). No wheel belongs to two axles, so places are written and not added to.
    #[inline]
    fn open_tree(&self, law: &Law, drive: &mut Drive) {
        for axle in &self.axles {
            for wheel in axle.wheels {
                drive.torque_nm[wheel] = axle.weight() * law.torque_nm;
                drive.inertia_kg_m2[wheel] = axle.half_shaft_inertia_kg_m2;
            }
        }
        for (place, weights) in &self.tree {
            if let Some(damping) = drive.damping.get_mut(*place) {
                *damping = law.slope * weights;
            }
        }
    }

    /// After a substep from one row of speeds to another, with the slopes that [`Axles::apply`]
    /// kept.
    #[inline]
    pub fn coupled(&self, before: &[AxleSpeed], after: &[AxleSpeed], slopes: &[f64], substep_s: f64) -> Coupled {
        let mut coupled = Coupled::default();
        let (of_axles, of_centre) = slopes.split_at(self.axles.len().min(slopes.len()));
        for ((old, new), slope) in before.iter().zip(after).zip(of_axles) {
            coupled.loss_j += slope * new[1] * 0.5 * (old[1] + new[1]) * substep_s;
        }
        let centre = self.axles.windows(2).zip(before.windows(2).zip(after.windows(2)));
        for ((pair, (old, new)), slope) in centre.zip(of_centre) {
            let (old, new) = (centre_difference(pair, old), centre_difference(pair, new));
            coupled.loss_j += slope * new * 0.5 * (old + new) * substep_s;
            coupled.torque_nm -= (pair[0].ratio - pair[1].ratio) * slope * new;
        }
        coupled
    }
}

#[inline]
fn centre_difference(pair: &[Axle], speeds: &[[f64; 2]]) -> f64 {
    0.5 * (pair[0].ratio * speeds[0][0] - pair[1].ratio * speeds[1][0])
}

#[inline]
fn centre_row(pair: &[Axle]) -> [(usize, f64); 4] {
    let (front, rear) = (0.5 * pair[0].ratio, -0.5 * pair[1].ratio);
    [(pair[0].wheels[0], front), (pair[0].wheels[1], front), (pair[1].wheels[0], rear), (pair[1].wheels[1], rear)]
}

/// Adds `−u s (u·Ω)` to the torques and `s u uᵀ` to the slope.
#[inline]
fn couple(drive: &mut Drive, wheels: usize, row: &[(usize, f64)], slope: f64, difference: f64) {
    for &(wheel, u) in row {
        drive.torque_nm[wheel] -= u * slope * difference;
        for &(column, v) in row {
            add(drive, wheels, wheel, column, slope * (u * v));
        }
    }
}

#[inline]
fn add(drive: &mut Drive, wheels: usize, row: usize, column: usize, value: f64) {
    if let Some(place) = drive.damping.get_mut(row * wheels + column) {
        *place += value;
    }
}
