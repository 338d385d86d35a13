//! The step of spin and deflection of all wheels, eq. (1)–(5).

use super::WheelSpin;
use super::patch::Patch;
use super::solve::{Problem, Solver};
use super::wheel_step::WheelStep;
use crate::contact::Contact;
use crate::powertrain::{Drive, Powertrain};
use crate::tyre::Tyre;
use crate::{WHEELS_MAX, WheelState, stateful};
use std::sync::Arc;

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
    patches: Vec<Patch>,
    wheels: Vec<WheelSpin>,
    steps: Vec<WheelStep>,
    drive: Drive,
    /// Wheels that the driveline couples.
    coupled: Vec<usize>,
    diagonal: [f64; WHEELS_MAX],
    torque: [f64; WHEELS_MAX],
    capacity: [f64; WHEELS_MAX],
    spin: [f64; WHEELS_MAX],
    solver: Solver,
}

impl Rotation {
    /// Wheels that stand still.
    #[must_use]
    pub fn new(setup: RotationSetup) -> Self {
        let count = setup.tyres.len();
        Self {
            patches: setup.tyres.iter().map(|tyre| Patch::new(&**tyre)).collect(),
            wheels: vec![WheelSpin::default(); count],
            steps: vec![WheelStep::default(); count],
            drive: Drive::new(count),
            coupled: Vec::with_capacity(count),
            diagonal: [0.0; WHEELS_MAX],
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
        mut powertrain: Option<&mut (dyn Powertrain + 'static)>,
        brake_nm: &[f64],
        step_s: f64,
        forces: &mut [WheelState],
    ) {
        let count = self.wheels.len();
        let substeps = self.setup.substeps.max(1);
        let weight = 1.0 / f64::from(substeps);
        let substep_s = step_s * weight;
        self.hold(contacts, [step_s, substep_s], forces);
        self.coupled.clear();
        if let Some(powertrain) = &powertrain {
            let inside = powertrain.coupled().iter().filter(|wheel| **wheel < count);
            self.coupled.extend(inside.take(count));
        } else {
            self.drive.torque_nm.fill(0.0);
            self.drive.inertia_kg_m2.fill(0.0);
        }
        self.read_spins();
        for substep in 0..substeps {
            self.find_forces(contacts, substep == 0, substep_s);
            if let Some(powertrain) = powertrain.as_deref_mut() {
                powertrain.torques(&self.spin[..count], substep_s, &mut self.drive);
            }
            self.assemble(brake_nm, substep_s);
            self.solver.solve(&Problem {
                diagonal: &self.diagonal[..count],
                damping: &self.drive.damping,
                coupled: &self.coupled,
                torque: &self.torque[..count],
                capacity: &self.capacity[..count],
                spin: &self.spin[..count],
            });
            self.advance(contacts, substep_s);
            self.add_forces(brake_nm, weight, forces);
            self.read_spins();
            if let Some(powertrain) = powertrain.as_deref_mut() {
                powertrain.advance(&self.spin[..count], substep_s);
            }
        }
        for (wheel, (step, state)) in forces.iter_mut().zip(self.steps.iter().zip(&self.wheels)) {
            [wheel.slip_ratio, wheel.slip_angle_rad] = step.slips();
            (wheel.spin_angle_rad, wheel.spin_rate_rad_s) = (state.angle_rad, state.spin_rad_s);
        }
    }

    #[inline]
    fn hold(&mut self, contacts: &[Contact], steps_s: [f64; 2], forces: &mut [WheelState]) {
        let tyres = self.setup.tyres.iter().zip(&self.patches);
        let wheels = self.steps.iter_mut().zip(&self.wheels).zip(tyres);
        for (((step, wheel), (tyre, patch)), (contact, forces)) in wheels.zip(contacts.iter().zip(forces)) {
            *step = WheelStep::new(&**tyre, patch, contact, wheel.spin_rad_s, steps_s);
            *forces = WheelState {
                load_n: step.load_n,
                camber_rad: contact.camber_rad,
                friction: contact.friction,
                deflection_m: contact.deflection_m,
                ..WheelState::default()
            };
        }
    }

    #[inline]
    fn read_spins(&mut self) {
        for (spin, wheel) in self.spin.iter_mut().zip(&self.wheels) {
            *spin = wheel.spin_rad_s;
        }
    }

    /// Slip and forces at the beginning of a substep.
    #[inline]
    fn find_forces(&mut self, contacts: &[Contact], is_first: bool, substep_s: f64) {
        let wheels = self.steps.iter_mut().zip(&mut self.wheels);
        for ((step, wheel), (contact, tyre)) in wheels.zip(contacts.iter().zip(&self.setup.tyres)) {
            if step.is_loaded() {
                step.find_forces(&**tyre, contact, wheel, is_first, substep_s);
            } else {
                step.lift(wheel);
            }
        }
    }

    /// Eq. (5).
    #[inline]
    fn assemble(&mut self, brake_nm: &[f64], substep_s: f64) {
        let by_substep = 1.0 / substep_s;
        let wheels = self.steps.iter().zip(&self.setup.inertia_kg_m2).zip(brake_nm);
        for (wheel, ((step, inertia), brake_nm)) in wheels.enumerate().take(WHEELS_MAX) {
            let inertia = inertia + self.drive.inertia_kg_m2[wheel];
            self.diagonal[wheel] = inertia * by_substep + step.stiffness();
            self.torque[wheel] = self.drive.torque_nm[wheel] - step.radius_m * step.longitudinal_n(0.0);
            self.capacity[wheel] = brake_nm + step.forces.rolling_nm.abs();
        }
    }

    /// New spins and deflections.
    #[inline]
    fn advance(&mut self, contacts: &[Contact], substep_s: f64) {
        let wheels = self.wheels.iter_mut().zip(&self.steps).zip(contacts);
        for (((wheel, step), contact), change) in wheels.zip(&self.solver.change) {
            let before = wheel.spin_rad_s;
            // A locked wheel stands exactly.
            wheel.spin_rad_s = if before == -change { 0.0 } else { before + change };
            wheel.angle_rad += substep_s * wheel.spin_rad_s;
            if step.is_loaded() {
                step.deflect(contact, wheel, substep_s);
            }
        }
    }

    /// Mean forces of the step.
    #[inline]
    fn add_forces(&self, brake_nm: &[f64], weight: f64, forces: &mut [WheelState]) {
        let (drive, solver, count) = (&self.drive, &self.solver, self.wheels.len());
        for (wheel, ((sum, step), brake_nm)) in forces.iter_mut().zip(&self.steps).zip(brake_nm).enumerate() {
            step.add_to(sum, weight, solver.change[wheel]);
            // Friction is shared by brake and rolling resistance as their capacities are.
            let share = if *brake_nm > 0.0 { brake_nm / self.capacity[wheel] } else { 0.0 };
            let friction = weight * solver.friction[wheel];
            sum.brake_torque_nm += friction * share;
            sum.rolling_torque_nm += friction * (1.0 - share);
            sum.drive_torque_nm += weight * drive.torque_nm[wheel];
        }
        for wheel in &self.coupled {
            let row = &drive.damping[wheel * count..(wheel + 1) * count];
            let slowed: f64 = self.coupled.iter().map(|other| row[*other] * solver.change[*other]).sum();
            forces[*wheel].drive_torque_nm -= weight * slowed;
        }
    }
}

stateful!(Rotation, |it| it.wheels[..]);
