//! The step of spin and deflection, eq. (1)–(5).

use super::solve::{Problem, Solver};
use super::{WheelForces, WheelSpin};
use crate::WHEELS_MAX;
use crate::contact::Contact;
use crate::memory::{Loader, Memory, Saver};
use crate::powertrain::{Drive, Powertrain};
use crate::tyre::{Relaxation, Slip, SlipForces, Tyre};
use std::sync::Arc;

/// τ (s) at rest: about half of critical damping for tyres whose slip stiffness is ten to twenty times their load.
const DAMPING_S: f64 = 0.05;
/// Speed above which the patch is not damped (m/s).
const DAMPED_BELOW_M_S: f64 = 2.0;
/// Slip beyond which a tyre slides whatever the slip: deflection grows no further.
const SLIP_MAX: f64 = 2.0;
/// The same at rest: about the slip of the largest force. A patch cannot be bent further, or it would push a stopped vehicle back by its whole relaxation length.
const STANDING_SLIP_MAX: f64 = 0.2;
/// Step of κ' for the slope C.
const SLOPE_STEP: f64 = 1e-3;
/// Part of the rolling speed that renews the patch of a wheel that spins on the spot.
const RENEWAL: f64 = 0.1;

/// What does not change of the wheels.
#[derive(Clone)]
pub struct RotationSetup {
    /// Tyre of each wheel.
    pub tyres: Vec<Arc<dyn Tyre>>,
    /// Spin inertia of each wheel (kg m²).
    pub inertia_kg_m2: Vec<f64>,
    /// Substeps in a step of the mechanism.
    pub substeps: u32,
}

/// Spin and deflection of all wheels.
pub struct Rotation {
    setup: RotationSetup,
    wheels: Vec<WheelSpin>,
    held: Vec<Held>,
    drive: Drive,
    matrix: Vec<f64>,
    torque: [f64; WHEELS_MAX],
    capacity: [f64; WHEELS_MAX],
    spin: [f64; WHEELS_MAX],
    solver: Solver,
}

/// What is held during a step of one wheel, and what changes within its substeps.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    load_n: f64,
    radius_m: f64,
    sigma: [f64; 2],
    /// |V_x| as it renews the patch.
    renewal_m_s: f64,
    damping_s: f64,
    /// Largest slip that the deflection may stand for.
    slip_max: f64,
    slope_n: f64,
    slip: [f64; 2],
    forces: SlipForces,
    /// κ' at the end of the substep if the spin does not change, and how it changes with the spin.
    next: [f64; 2],
}

impl Rotation {
    /// Wheels that stand still.
    #[must_use]
    pub fn new(setup: RotationSetup) -> Self {
        let count = setup.tyres.len();
        Self {
            wheels: vec![WheelSpin::default(); count],
            held: vec![Held::default(); count],
            drive: Drive::new(count),
            matrix: vec![0.0; count * count],
            torque: [0.0; WHEELS_MAX],
            capacity: [0.0; WHEELS_MAX],
            spin: [0.0; WHEELS_MAX],
            solver: Solver::default(),
            setup,
        }
    }

    /// The wheels' states.
    #[must_use]
    pub fn wheels(&self) -> &[WheelSpin] {
        &self.wheels
    }

    /// The wheels' states, to set initial ones.
    pub fn wheels_mut(&mut self) -> &mut [WheelSpin] {
        &mut self.wheels
    }

    /// The tyres.
    #[must_use]
    pub fn tyres(&self) -> &[Arc<dyn Tyre>] {
        &self.setup.tyres
    }

    /// Spin inertia of a wheel (kg m²).
    #[must_use]
    pub fn inertia_kg_m2(&self, wheel: usize) -> f64 {
        self.setup.inertia_kg_m2[wheel]
    }

    /// One step of the mechanism: mean forces over its substeps.
    pub fn step(
        &mut self,
        contacts: &[Contact],
        powertrain: Option<&mut (dyn Powertrain + 'static)>,
        brake_nm: &[f64],
        step_s: f64,
        forces: &mut [WheelForces],
    ) {
        let count = self.wheels.len();
        let substeps = self.setup.substeps.max(1);
        let substep_s = step_s / f64::from(substeps);
        for (wheel, contact) in contacts.iter().enumerate().take(count) {
            self.held[wheel] = self.hold(wheel, contact);
            forces[wheel] = WheelForces {
                load_n: self.held[wheel].load_n,
                ..WheelForces::default()
            };
        }
        let mut powertrain = powertrain;
        for substep in 0..substeps {
            self.tyre_forces(contacts, substep == 0, substep_s);
            self.load_drive(powertrain.as_deref_mut(), substep_s);
            self.assemble(brake_nm, substep_s);
            self.solver.solve(&Problem {
                matrix: &self.matrix,
                coupled: self.drive_is_coupled(),
                torque: &self.torque[..count],
                capacity: &self.capacity[..count],
                spin: &self.spin[..count],
            });
            self.advance(contacts, brake_nm, substep_s, 1.0 / f64::from(substeps), forces);
            for (spin, wheel) in self.spin.iter_mut().zip(&self.wheels) {
                *spin = wheel.spin_rad_s;
            }
            if let Some(powertrain) = powertrain.as_deref_mut() {
                powertrain.advance(&self.spin[..count], substep_s);
            }
        }
    }

    fn hold(&self, wheel: usize, contact: &Contact) -> Held {
        let (tyre, spin) = (&self.setup.tyres[wheel], self.wheels[wheel].spin_rad_s);
        let load_n = tyre
            .load_n(contact.deflection_m, contact.deflection_rate_m_s, spin)
            .max(0.0);
        let radius_m = tyre.rolling_radius_m(load_n, spin);
        let Relaxation {
            longitudinal_m,
            lateral_m,
        } = tyre.relaxation(load_n, contact.camber_rad);
        let speed = contact.forward_m_s.abs();
        let fade = if speed < DAMPED_BELOW_M_S {
            0.5 * (1.0 + (std::f64::consts::PI * speed / DAMPED_BELOW_M_S).cos())
        } else {
            0.0
        };
        let renewal_m_s = speed.max(RENEWAL * radius_m * spin.abs());
        let pace = (renewal_m_s.hypot(contact.sideways_m_s) / DAMPED_BELOW_M_S).min(1.0);
        Held {
            load_n,
            radius_m,
            sigma: [longitudinal_m.max(1e-3), lateral_m.max(1e-3)],
            renewal_m_s,
            slip_max: STANDING_SLIP_MAX + (SLIP_MAX - STANDING_SLIP_MAX) * pace,
            damping_s: DAMPING_S * fade,
            ..Held::default()
        }
    }

    /// Slip and forces at the beginning of a substep.
    fn tyre_forces(&mut self, contacts: &[Contact], first: bool, substep_s: f64) {
        for ((held, wheel), (contact, tyre)) in self
            .held
            .iter_mut()
            .zip(&mut self.wheels)
            .zip(contacts.iter().zip(&self.setup.tyres))
        {
            if held.load_n <= 0.0 {
                wheel.along_m = 0.0;
                wheel.across_m = 0.0;
                held.slip = [0.0; 2];
                held.forces = SlipForces::default();
                held.next = [0.0; 2];
                held.slope_n = 0.0;
                continue;
            }
            let driving = held.radius_m * wheel.spin_rad_s - contact.forward_m_s;
            let slip = |along_m: f64, across_m: f64| {
                [
                    (along_m + held.damping_s * driving) / held.sigma[0],
                    (across_m + held.damping_s * contact.sideways_m_s) / held.sigma[1],
                ]
            };
            held.slip = limited(slip(wheel.along_m, wheel.across_m), SLIP_MAX);
            let at = |longitudinal: f64| Slip {
                load_n: held.load_n,
                longitudinal,
                lateral: held.slip[1],
                camber_rad: contact.camber_rad,
                friction: contact.friction,
                speed_m_s: contact.forward_m_s.abs(),
            };
            held.forces = tyre.forces(&at(held.slip[0]));
            if first {
                let further = tyre.forces(&at(held.slip[0] + SLOPE_STEP));
                held.slope_n = ((further.longitudinal_n - held.forces.longitudinal_n) / SLOPE_STEP).max(0.0);
            }
            let renewed = 1.0 + substep_s * held.renewal_m_s / held.sigma[0];
            let next_along = (wheel.along_m + substep_s * driving) / renewed;
            held.next = [
                (next_along + held.damping_s * driving) / held.sigma[0],
                held.radius_m * (substep_s / renewed + held.damping_s) / held.sigma[0],
            ];
        }
    }

    fn load_drive(&mut self, powertrain: Option<&mut (dyn Powertrain + 'static)>, substep_s: f64) {
        let count = self.wheels.len();
        for (spin, wheel) in self.spin.iter_mut().zip(&self.wheels) {
            *spin = wheel.spin_rad_s;
        }
        if let Some(powertrain) = powertrain {
            powertrain.torques(&self.spin[..count], substep_s, &mut self.drive);
        }
    }

    fn drive_is_coupled(&self) -> bool {
        let count = self.wheels.len();
        (0..count)
            .any(|row| (0..count).any(|column| row != column && self.matrix[row * count + column] != 0.0))
    }

    /// Eq. (5).
    fn assemble(&mut self, brake_nm: &[f64], substep_s: f64) {
        let count = self.wheels.len();
        self.matrix.copy_from_slice(&self.drive.damping);
        for (wheel, held) in self.held.iter().enumerate() {
            let inertia = self.setup.inertia_kg_m2[wheel] + self.drive.inertia_kg_m2[wheel];
            self.matrix[wheel * count + wheel] +=
                inertia / substep_s + held.radius_m * held.slope_n * held.next[1];
            let expected = held.forces.longitudinal_n + held.slope_n * (held.next[0] - held.slip[0]);
            self.torque[wheel] = self.drive.torque_nm[wheel] - held.radius_m * expected;
            self.capacity[wheel] = brake_nm[wheel] + held.forces.rolling_nm.abs();
        }
    }

    fn advance(
        &mut self,
        contacts: &[Contact],
        brake_nm: &[f64],
        substep_s: f64,
        weight: f64,
        forces: &mut [WheelForces],
    ) {
        let count = self.wheels.len();
        for index in 0..count {
            let (held, contact) = (&self.held[index], &contacts[index]);
            let change = self.solver.change[index];
            let wheel = &mut self.wheels[index];
            let before = wheel.spin_rad_s;
            // A held wheel stands exactly.
            wheel.spin_rad_s = if before == -change { 0.0 } else { before + change };
            wheel.angle_rad += substep_s * wheel.spin_rad_s;
            let sum = &mut forces[index];
            if held.load_n > 0.0 {
                let driving = held.radius_m * wheel.spin_rad_s - contact.forward_m_s;
                let renewed = |sigma: f64| 1.0 + substep_s * held.renewal_m_s / sigma;
                let moved = [
                    (wheel.along_m + substep_s * driving) / renewed(held.sigma[0]),
                    (wheel.across_m + substep_s * contact.sideways_m_s) / renewed(held.sigma[1]),
                ];
                let slips = [moved[0] / held.sigma[0], moved[1] / held.sigma[1]];
                let [along, across] = limited(slips, held.slip_max);
                wheel.along_m = along * held.sigma[0];
                wheel.across_m = across * held.sigma[1];
            }
            let longitudinal_n = held.forces.longitudinal_n
                + held.slope_n * (held.next[0] - held.slip[0] + held.next[1] * change);
            // Friction is shared by brake and rolling resistance as their capacities are.
            let share = if self.capacity[index] > 0.0 {
                brake_nm[index] / self.capacity[index]
            } else {
                0.0
            };
            let friction = self.solver.friction[index];
            let drive: f64 = (0..count)
                .map(|column| self.drive.damping[index * count + column] * self.solver.change[column])
                .sum();
            sum.longitudinal_n += weight * longitudinal_n;
            sum.lateral_n += weight * held.forces.lateral_n;
            sum.overturning_nm += weight * held.forces.overturning_nm;
            sum.aligning_nm += weight * held.forces.aligning_nm;
            sum.brake_nm += weight * friction * share;
            sum.rolling_nm += weight * friction * (1.0 - share);
            sum.drive_nm += weight * (self.drive.torque_nm[index] - drive);
            sum.slip_ratio = held.slip[0];
            sum.slip_tangent = held.slip[1];
        }
    }
}

impl Memory for Rotation {
    fn save(&self, saver: &mut Saver<'_>) {
        self.wheels.iter().for_each(|wheel| wheel.save(saver));
    }

    fn load(&mut self, loader: &mut Loader<'_>) {
        self.wheels.iter_mut().for_each(|wheel| wheel.load(loader));
    }
}

/// Slip with its direction, no larger than what slides.
fn limited([along, across]: [f64; 2], slip_max: f64) -> [f64; 2] {
    let size = along.hypot(across);
    if size > slip_max {
        let scale = slip_max / size;
        [along * scale, across * scale]
    } else {
        [along, across]
    }
}
