//! All subsystems of one vehicle: a motion comes in, a response goes out.
//!
//! One answer belongs to one step of the mechanism. The order of the models within it is fixed, so
//! that the same questions give the same bits wherever the subsystems run: linked into a program,
//! or in a process of their own.

use crate::aerodynamics::Aerodynamics;
use crate::brake::{Brake, BrakeState};
use crate::contact::Contact;
use crate::driver::WindCourse;
use crate::powertrain::Powertrain;
use crate::rotation::{Rotation, RotationSetup, on_carrier};
use crate::state::Stateful;
use crate::steering::{Compliance, Steered, Steering};
use crate::terrain::{Hint, Terrain};
use crate::{
    Coordinate, DriverInput, Forces, Kinematics, SteeredBy, SteeringMotion, Vector3, VehicleState, WHEELS_MAX,
    WheelKinematics, stateful,
};
use std::sync::Arc;

/// The models of a vehicle. What is absent does nothing, or is replaced from outside (see
/// [`External`]).
pub struct Models {
    /// The road.
    pub terrain: Arc<dyn Terrain>,
    /// Tyres, inertias, substeps.
    pub rotation: RotationSetup,
    /// From throttle to torques.
    pub powertrain: Option<Box<dyn Powertrain>>,
    /// From pedal to brake torques.
    pub brake: Option<Box<dyn Brake>>,
    /// From steering wheel to rack.
    pub steering: Option<Box<dyn Steering>>,
    /// The air.
    pub aerodynamics: Option<Box<dyn Aerodynamics>>,
    /// How the carrier of each wheel gives way under the tyre's force; `None` where it does not.
    pub compliance: Vec<Option<Compliance>>,
    /// What steers the vehicle.
    pub steered_by: SteeredBy,
    /// The wind, which no driver decides.
    pub wind: Option<WindCourse>,
    /// Length of a step (s).
    pub step_s: f64,
    /// Whether the wheels turn with the road when the vehicle appears.
    pub rolling_start: bool,
}

/// What other processes supply instead of a model of ours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct External {
    /// Force (N) and torque (Nm) on the body in V, instead of the air's.
    pub body: Option<(Vector3, Vector3)>,
    /// What steers the vehicle, instead of the steering system.
    pub steering: Option<Coordinate>,
    /// Torque on each wheel (Nm), instead of the powertrain's.
    pub drive_nm: Option<[f64; WHEELS_MAX]>,
    /// Torque that each brake can hold (Nm), instead of the brake system's.
    pub brake_nm: Option<[f64; WHEELS_MAX]>,
}

/// The subsystems with their state.
pub struct Subsystems {
    models: Models,
    rotation: Rotation,
    begun: bool,
    rolling_start: bool,
    state: VehicleState,
    response: Forces,
    /// The wheels as they stand, compliance included.
    standing: [WheelKinematics; WHEELS_MAX],
    hints: [Hint; WHEELS_MAX],
    spin: [f64; WHEELS_MAX],
    free_spin: [f64; WHEELS_MAX],
    brake_nm: [f64; WHEELS_MAX],
    contacts: [Contact; WHEELS_MAX],
}

impl Subsystems {
    /// Subsystems at their initial state.
    #[must_use]
    pub fn new(models: Models) -> Self {
        Self {
            rotation: Rotation::new(models.rotation.clone()),
            begun: false,
            rolling_start: models.rolling_start,
            state: VehicleState::default(),
            response: Forces::default(),
            standing: [WheelKinematics::default(); WHEELS_MAX],
            hints: [Hint::default(); WHEELS_MAX],
            spin: [0.0; WHEELS_MAX],
            free_spin: [0.0; WHEELS_MAX],
            brake_nm: [0.0; WHEELS_MAX],
            contacts: [Contact::AIR; WHEELS_MAX],
            models,
        }
    }

    /// Answers a motion.
    pub fn answer(&mut self, motion: &Kinematics, input: &DriverInput, external: &External) -> &Forces {
        let count = motion.wheels().len().min(self.rotation.wheels().len());
        self.find_contacts(motion, count);
        if !self.begun {
            self.begin(count);
        }
        self.state.input = *input;
        self.state.wheel_count = count as u64;
        self.steer(motion, input, external);
        self.find_brakes(input, external, count);
        self.turn_wheels(input, external, count);
        self.find_air_forces(motion, external);
        for wheel in 0..count {
            self.response.wheels[wheel] = on_carrier(
                &self.standing[wheel],
                &self.contacts[wheel],
                &self.state.wheels[wheel],
                self.rotation.inertia_kg_m2(wheel),
                self.rotation.wheels()[wheel].spin_rad_s,
            );
        }
        self.response.wheel_count = count as u64;
        &self.response
    }

    fn find_contacts(&mut self, motion: &Kinematics, count: usize) {
        let up = motion.orientation.rotate(Vector3::AXES[2]);
        for wheel in 0..count {
            let tyre = &self.rotation.tyres()[wheel];
            let standing = &mut self.standing[wheel];
            *standing = motion.wheels[wheel];
            if let Some(Some(compliance)) = self.models.compliance.get(wheel) {
                let last = &self.state.wheels[wheel];
                standing.axle =
                    compliance.turned_axle(standing.axle, up, last.lateral_force_n, last.aligning_torque_nm);
            }
            let contact = Contact::find(&*self.models.terrain, standing, tyre.radius_m(), &mut self.hints[wheel]);
            self.contacts[wheel] = contact;
            let state = self.rotation.wheels()[wheel];
            let radius = tyre.rolling_radius_m(self.state.wheels[wheel].load_n, state.spin_rad_s);
            self.spin[wheel] = state.spin_rad_s;
            self.free_spin[wheel] = contact.forward_m_s / radius.max(1e-3);
        }
    }

    /// The first motion ever: wheels turn with the road if they should.
    fn begin(&mut self, count: usize) {
        self.begun = true;
        if self.rolling_start {
            for wheel in 0..count {
                let contact = &self.contacts[wheel];
                let tyre = self.rotation.tyres()[wheel].clone();
                let load_n = tyre.load_n(contact.deflection_m, 0.0, 0.0);
                let radius = tyre.rolling_radius_m(load_n, 0.0);
                let spin = contact.forward_m_s / radius.max(1e-3);
                self.rotation.wheels_mut()[wheel].spin_rad_s = spin;
                self.spin[wheel] = spin;
                self.free_spin[wheel] = spin;
            }
        }
    }

    fn steer(&mut self, motion: &Kinematics, input: &DriverInput, external: &External) {
        let imposed = external.steering.or(input.imposed.known(self.models.steered_by));
        let steered = match (&mut self.models.steering, imposed) {
            (_, Some(rack)) => Steered { rack, feedback_nm: 0.0 },
            (Some(steering), None) => {
                let load = motion.steering_load(self.models.steered_by);
                steering.step(input, load, motion.velocity_m_s.x, self.models.step_s)
            }
            (None, None) => Steered::default(),
        };
        self.response.steering = SteeringMotion::of(self.models.steered_by, steered.rack);
        self.state.steering_feedback_nm = steered.feedback_nm;
    }

    fn find_brakes(&mut self, input: &DriverInput, external: &External, count: usize) {
        self.brake_nm[..count].fill(0.0);
        if let Some(given) = &external.brake_nm {
            self.brake_nm[..count].copy_from_slice(&given[..count]);
        } else if let Some(brake) = &mut self.models.brake {
            let state = BrakeState {
                input,
                spin_rad_s: &self.spin[..count],
                free_spin_rad_s: &self.free_spin[..count],
                step_s: self.models.step_s,
            };
            brake.capacities(&state, &mut self.brake_nm[..count]);
            self.state.antilock_ratio = brake.antilock();
        }
    }

    fn turn_wheels(&mut self, input: &DriverInput, external: &External, count: usize) {
        let contacts = &self.contacts[..count];
        let forces = &mut self.state.wheels[..count];
        let brakes = &self.brake_nm[..count];
        self.response.body_torque_nm = Vector3::ZERO;
        if let Some(drive) = external.drive_nm {
            let mut given = GivenTorques(drive);
            self.rotation.step(contacts, Some(&mut given), brakes, self.models.step_s, forces);
        } else if let Some(powertrain) = &mut self.models.powertrain {
            powertrain.begin_step(input, &self.spin[..count], self.models.step_s);
            self.rotation.step(contacts, Some(&mut **powertrain), brakes, self.models.step_s, forces);
            let instruments = powertrain.instruments();
            self.state.engine_speed_rad_s = instruments.engine_speed_rad_s;
            self.state.engine_torque_nm = instruments.engine_torque_nm;
            self.state.gear = i64::from(instruments.gear);
            self.response.body_torque_nm = powertrain.body_torque_nm();
        } else {
            self.rotation.step(contacts, None, brakes, self.models.step_s, forces);
        }
        for (forces, tyre) in forces.iter().zip(self.rotation.tyres()) {
            self.state.loads_outside += u64::from(is_outside(forces.load_n, tyre.load_range_n()));
        }
    }

    fn find_air_forces(&mut self, motion: &Kinematics, external: &External) {
        let wind = self.models.wind.as_ref().map_or(Vector3::ZERO, |wind| wind.at(motion.time_s));
        let (force, torque) = match (&self.models.aerodynamics, external.body) {
            (_, Some(given)) => given,
            (Some(air), None) => air.wrench(motion.velocity_m_s - motion.orientation.conjugate().rotate(wind)),
            (None, None) => (Vector3::ZERO, Vector3::ZERO),
        };
        self.state.wind_m_s = wind;
        self.state.air_force_n = force;
        self.response.body_force_n = force;
        self.response.body_torque_nm += torque;
    }

    /// After a gap the wheels take the speed of the road again instead of one from long ago.
    pub fn resynchronise(&mut self) {
        self.begun = false;
        self.rolling_start = true;
        self.rotation.wheels_mut().iter_mut().for_each(|wheel| {
            wheel.along_m = 0.0;
            wheel.across_m = 0.0;
        });
    }

    /// What displays, motion platforms and reports want to know; the caller stamps it.
    #[must_use]
    pub fn state(&self) -> &VehicleState {
        &self.state
    }

    /// The same, for what only the caller knows.
    pub fn state_mut(&mut self) -> &mut VehicleState {
        &mut self.state
    }

    /// The last response.
    #[must_use]
    pub fn response(&self) -> &Forces {
        &self.response
    }

    /// Spin and deflection of the wheels.
    #[must_use]
    pub fn rotation(&self) -> &Rotation {
        &self.rotation
    }
}

stateful! {
    Subsystems, |it|
    it.begun, it.rotation, it.state.wheels[..it.rotation.wheels().len()], it.models.powertrain, it.models.brake, it.models.steering
}

/// Whether a load is outside the range of a fit. A tyre in the air carries none.
#[inline]
fn is_outside(load_n: f64, (least_n, most_n): (f64, f64)) -> bool {
    load_n > most_n || (load_n > 0.0 && load_n < least_n)
}

/// Torques from outside, which do not depend on the speeds.
struct GivenTorques([f64; WHEELS_MAX]);

impl Stateful for GivenTorques {}

impl Powertrain for GivenTorques {
    fn begin_step(&mut self, _input: &DriverInput, _spin_rad_s: &[f64], _step_s: f64) {}

    fn coupled(&self) -> &[usize] {
        &[]
    }

    fn torques(&mut self, _spin_rad_s: &[f64], _substep_s: f64, drive: &mut crate::powertrain::Drive) {
        drive.torque_nm = self.0;
        drive.inertia_kg_m2.fill(0.0);
    }

    fn advance(&mut self, _spin_rad_s: &[f64], _substep_s: f64) {}
}
