//! The mechanism of a vehicle, stepped with the forces that the subsystems answer.

mod road_forces;

use self::road_forces::{Held, Standing};
use crate::linkage::Linkage;
use crate::terrain::{Ground, Hint, Terrain};
use crate::tyre::Tyre;
use crate::{Coordinate, Forces, Kinematics, Quaternion, SteeredBy, Vector3, WHEELS_MAX, WheelKinematics, stateful};
use multibody::assembly::{EquilibriumError, assemble, equilibrium};
use multibody::dynamics::Status;
use multibody::math::Force;
use multibody::model::{BuildError, PrimitiveKind};
use multibody::wheel_spin::{self, WheelError};
use multibody::{BodyId, Description, Inputs, Integrator, Joint, JointKind, Method, Model, State, Workspace};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How the vehicle appears.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Start {
    /// Place of the vehicle's origin on the road plane in E (m).
    pub position_m: [f64; 2],
    /// Heading about the vertical, positive to the left (rad).
    pub heading_rad: f64,
    /// Speed forward (m/s).
    pub speed_m_s: f64,
    /// Height of the vehicle's origin over the road (m), level and with every joint as
    /// drawn; otherwise it stands on its wheels.
    pub height_m: Option<f64>,
}

/// Why a mechanism cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MechanismError {
    /// The model.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A wheel.
    #[error(transparent)]
    Wheel(#[from] WheelError),
    /// It does not stand.
    #[error(transparent)]
    Equilibrium(#[from] EquilibriumError),
    /// No free base.
    #[error("model `{0}` has no body on a free joint to the ground; a vehicle needs one")]
    NotFree(String),
    /// No such driven joint.
    #[error("joint `{0}` is to be steered, but the model has no driven joint of that name; its driven joints are: {1}")]
    NotDriven(String, String),
    /// Too many wheels.
    #[error("{found} wheels; expected 1 to {WHEELS_MAX}")]
    Wheels {
        /// How many there are.
        found: usize,
    },
}

/// A mechanism with its state.
pub struct Mechanism {
    model: Model,
    state: State,
    workspace: Workspace,
    inputs: Inputs,
    integrator: Integrator,
    base: BodyId,
    /// The vehicle's origin in the drawing.
    origin: Vector3,
    /// Indices of the base's coordinates: three displacements, then the quaternion.
    base_position: [usize; 4],
    base_velocity: [usize; 4],
    /// Driven coordinates that the rack moves, with their gains.
    steered: Vec<(usize, f64)>,
    steered_by: SteeredBy,
    /// What the linkage does to that which steers (N or Nm).
    steering_load: f64,
    linkage: Option<Linkage>,
    motion: Kinematics,
    step_s: f64,
}

/// A mechanism and the moments of its wheels about their axles (kg m²).
pub fn without_spin(description: &Description) -> Result<(Model, Vec<f64>), MechanismError> {
    let (plain, moments) = wheel_spin::outside(description)?;
    let found = plain.wheels.len();
    if found == 0 || found > WHEELS_MAX {
        return Err(MechanismError::Wheels { found });
    }
    Ok((Model::new(&plain)?, moments))
}

/// The joint that leaves the vehicle's first body free.
#[must_use]
pub fn free_base(description: &Description) -> Option<&Joint> {
    description.joints.iter().find(|joint| joint.kind == JointKind::Free && joint.bodies.contains(&BodyId::GROUND))
}

/// What steers a vehicle whose driven joints these are: a rack, which slides, or an angle.
#[must_use]
pub fn steered_by(description: &Description, steered: &BTreeMap<String, f64>) -> SteeredBy {
    let mut joints = description.joints.iter().filter(|joint| steered.contains_key(&joint.name));
    let turns = joints.any(|joint| joint.kind != JointKind::Translational);
    if turns { SteeredBy::Angle } else { SteeredBy::Rack }
}

impl Mechanism {
    /// Places a vehicle on a road.
    pub fn new(
        model: Model,
        steered: &BTreeMap<String, f64>,
        tyres: &[Arc<dyn Tyre>],
        terrain: &dyn Terrain,
        start: &Start,
        step_s: f64,
    ) -> Result<Self, MechanismError> {
        let description = model.description();
        let free = free_base(description).ok_or_else(|| MechanismError::NotFree(description.name.clone()))?;
        let base = if free.bodies[0] == BodyId::GROUND { free.bodies[1] } else { free.bodies[0] };
        let origin = free.point;
        let (base_position, base_velocity) =
            base_coordinates(&model, base).ok_or_else(|| MechanismError::NotFree(description.name.clone()))?;
        let steered_by = steered_by(description, steered);
        let steered = steered
            .iter()
            .map(|(name, gain)| driven_index(&model, name).map(|index| (index, *gain)))
            .collect::<Result<Vec<_>, _>>()?;
        let (state, workspace, inputs) = (State::new(&model), Workspace::new(&model), Inputs::new(&model));
        let integrator = Integrator::new(&model, Method::AdamsBashforth3, step_s);
        let mut mechanism = Self {
            model,
            state,
            workspace,
            inputs,
            integrator,
            base,
            origin,
            base_position,
            base_velocity,
            steered,
            steered_by,
            steering_load: 0.0,
            linkage: None,
            motion: Kinematics::default(),
            step_s,
        };
        match start.height_m {
            Some(_) => mechanism.take_drawn_position()?,
            None => mechanism.stand(tyres)?,
        }
        mechanism.linkage = Some(Linkage::new(&mechanism.model, &mechanism.state, base, &mechanism.steered));
        mechanism.place(terrain, start);
        mechanism.restart();
        Ok(mechanism)
    }

    /// Static equilibrium on a flat road.
    fn stand(&mut self, tyres: &[Arc<dyn Tyre>]) -> Result<(), MechanismError> {
        equilibrium(&self.model, &mut self.state, &self.inputs, &mut Standing(tyres), &mut self.workspace)?;
        Ok(())
    }

    /// The drawn position of every joint.
    fn take_drawn_position(&mut self) -> Result<(), MechanismError> {
        self.state.position.fill(0.0);
        for primitive in self.model.primitives() {
            if primitive.kind == PrimitiveKind::Ball {
                self.state.position[primitive.position] = 1.0;
            }
        }
        assemble(&self.model, &mut self.state, &self.inputs, &mut self.workspace).map_err(EquilibriumError::from)?;
        Ok(())
    }

    /// Moves the standing vehicle to its place.
    fn place(&mut self, terrain: &dyn Terrain, start: &Start) {
        let [x, y] = start.position_m;
        let Ground { height_m, normal, .. } = terrain.at(x, y, &mut Hint::default());
        let heading = Quaternion::exp(Vector3::new(0.0, 0.0, start.heading_rad));
        let tilt = turn_between(Vector3::AXES[2], normal);
        let ball = self.base_position[3];
        let rest = Quaternion::from_wxyz(std::array::from_fn(|k| self.state.position[ball + k]));
        // Nothing holds the heading of a vehicle at rest on a plane: what the search for the
        // equilibrium made of it is taken back.
        let ahead = rest.rotate(Vector3::AXES[0]);
        let turned_back = Quaternion::exp(Vector3::new(0.0, 0.0, -ahead.y.atan2(ahead.x)));
        let (attitude, height) = match start.height_m {
            Some(height) => (Quaternion::IDENTITY, height),
            None => (turned_back * rest, self.state.position[self.base_position[2]]),
        };
        let orientation = (tilt * heading * attitude).normalised();
        let ground = Vector3::new(x, y, height_m);
        let position = ground + normal * height;
        for (index, value) in self.base_position.iter().zip(position.to_array()) {
            self.state.position[*index] = value;
        }
        for (k, value) in orientation.to_wxyz().into_iter().enumerate() {
            self.state.position[ball + k] = value;
        }
        let forward = (tilt * heading).rotate(Vector3::AXES[0]) * start.speed_m_s;
        for (index, value) in self.base_velocity.iter().zip(forward.to_array()) {
            self.state.velocity[*index] = value;
        }
    }

    /// Forward pass and motion after the state was set.
    fn restart(&mut self) {
        self.integrator.start(&self.model, &mut self.state, &self.inputs, &mut self.workspace);
        self.observe(Vector3::ZERO);
    }

    /// Goes on from a state that was loaded.
    fn resume(&mut self) {
        let acceleration_m_s2 = self.motion.acceleration_m_s2;
        self.restart();
        self.motion.acceleration_m_s2 = acceleration_m_s2;
        self.set_steering_load(self.steering_load);
    }

    /// One step under a response.
    pub fn step(&mut self, response: &Forces) -> Status {
        let before = self.motion.orientation.rotate(self.motion.velocity_m_s);
        let Coordinate { value, rate, acceleration } = response.steering.coordinate(self.steered_by);
        for (index, gain) in &self.steered {
            self.inputs.driven[*index] = [gain * value, gain * rate, gain * acceleration];
        }
        let orientation = self.motion.orientation;
        let point = self.motion.position_m - self.workspace.pole();
        let wrench = Force::at(orientation.rotate(response.body_force_n), point)
            + Force::torque(orientation.rotate(response.body_torque_nm));
        self.workspace.add_force(&self.model, self.base, wrench);
        let status =
            self.integrator.step(&self.model, &mut self.state, &self.inputs, &mut Held(response), &mut self.workspace);
        self.observe(before);
        if let Some(linkage) = &self.linkage {
            let load = linkage.force(value, &self.motion, response);
            self.set_steering_load(load);
        }
        status
    }

    fn set_steering_load(&mut self, load: f64) {
        self.steering_load = load;
        match self.steered_by {
            SteeredBy::Rack => self.motion.rack_force_n = load,
            SteeredBy::Angle => self.motion.steer_torque_nm = load,
        }
    }

    /// Reads the motion out of the workspace.
    fn observe(&mut self, velocity_before: Vector3) {
        let ball = self.base_position[3];
        let motion = &mut self.motion;
        let started = motion.wheel_count > 0;
        motion.time_s = self.state.time;
        motion.orientation = Quaternion::from_wxyz(std::array::from_fn(|k| self.state.position[ball + k]));
        motion.position_m = self.workspace.position(&self.model, self.base, self.origin);
        let back = motion.orientation.conjugate();
        let velocity = self.workspace.point_velocity(&self.model, self.base, self.origin);
        motion.velocity_m_s = back.rotate(velocity);
        motion.rate_rad_s = back.rotate(self.workspace.body_velocity(&self.model, self.base).angular);
        motion.acceleration_m_s2 =
            if started { back.rotate((velocity - velocity_before) * (1.0 / self.step_s)) } else { Vector3::ZERO };
        let wheels = self.workspace.wheels(&self.model);
        motion.wheel_count = wheels.len() as u64;
        for (wheel, place) in wheels.zip(&mut motion.wheels) {
            *place = WheelKinematics {
                position_m: wheel.centre,
                velocity_m_s: wheel.centre_velocity,
                axle: wheel.axis,
                carrier_rate_rad_s: wheel.angular_velocity,
            };
        }
    }

    /// The motion at the beginning of the next step.
    #[must_use]
    pub fn motion(&self) -> &Kinematics {
        &self.motion
    }

    /// What steers the vehicle.
    #[must_use]
    pub fn steered_by(&self) -> SteeredBy {
        self.steered_by
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What the last pass computed.
    #[must_use]
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }
}

// The acceleration and the load on the steering are those of the step before, which the state alone
// does not give.
stateful! {
    Mechanism, |it|
    it.state.time, it.state.position[..], it.state.velocity[..], it.inputs.driven[..],
    it.motion.acceleration_m_s2.x, it.motion.acceleration_m_s2.y, it.motion.acceleration_m_s2.z,
    it.steering_load; it.resume()
}

/// The shortest turn from one unit vector to another.
fn turn_between(from: Vector3, to: Vector3) -> Quaternion {
    let axis = from.cross(to);
    let angle = axis.norm().atan2(from.dot(to));
    axis.normalised().map_or(Quaternion::IDENTITY, |axis| Quaternion::exp(axis * angle))
}

/// Position and velocity indices of the base: x, y, z, rotation.
fn base_coordinates(model: &Model, base: BodyId) -> Option<([usize; 4], [usize; 4])> {
    let body = &model.bodies()[model.slot(base)];
    let primitives = &model.primitives()[body.primitives.clone()];
    let (mut position, mut velocity) = ([usize::MAX; 4], [usize::MAX; 4]);
    for primitive in primitives {
        let place = match primitive.kind {
            PrimitiveKind::Translation { axis } => axis.to_array().iter().position(|part| *part > 0.5)?,
            PrimitiveKind::Ball => 3,
            _ => return None,
        };
        position[place] = primitive.position;
        velocity[place] = primitive.velocity;
    }
    (!position.contains(&usize::MAX)).then_some((position, velocity))
}

/// Place of a driven joint among the driven coordinates.
fn driven_index(model: &Model, name: &str) -> Result<usize, MechanismError> {
    let joints = &model.description().joints;
    let mut index = 0;
    for driven in model.driven() {
        if joints[driven.joint].name == name {
            return Ok(index);
        }
        index += driven.coordinates.len();
    }
    let known = model.driven().iter().map(|driven| joints[driven.joint].name.as_str());
    Err(MechanismError::NotDriven(name.to_owned(), known.collect::<Vec<_>>().join(", ")))
}
