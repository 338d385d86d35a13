//! A mechanism on its tyres with everything that stepping needs, from texts, a shipped name or a
//! description.

use super::Random;
use multibody::assembly::{assemble, equilibrium};
use multibody::dynamics::{Status, evaluate, forward};
use multibody::files::{FileError, Source, read_texts};
use multibody::forces::Wheel;
use multibody::math::Vector3;
use multibody::reaction::{Reactions, reactions};
use multibody::{
    BodyId, Description, Inputs, Integrator, Joint, JointKind, Method, Model, State, Workspace, dense, shipped,
};

/// The description that two texts give.
pub fn read(topology: &str, parameters: &str) -> Result<Description, FileError> {
    let parameters = Source::new("parameters.toml", parameters.as_bytes());
    read_texts(Source::new("topology.toml", topology.as_bytes()), parameters)
}

pub struct Bench {
    pub model: Model,
    pub state: State,
    pub inputs: Inputs,
    pub workspace: Workspace,
    pub wheels: Vec<Wheel>,
    pub integrator: Integrator,
}

impl Bench {
    /// The initial state as it is described; the integrator is Runge and Kutta's with 1 ms.
    pub fn open(model: Model) -> Self {
        Self {
            state: State::new(&model),
            inputs: Inputs::new(&model),
            workspace: Workspace::new(&model),
            wheels: model.description().wheels.clone(),
            integrator: Integrator::new(&model, Method::RungeKutta4, 1e-3),
            model,
        }
    }

    /// The assembled initial state.
    pub fn new(description: &Description) -> Self {
        let model = Model::new(description).unwrap_or_else(|error| panic!("{}: {error}", description.name));
        let mut bench = Self::open(model);
        bench.assemble();
        bench
    }

    /// A shipped model.
    pub fn shipped(name: &str) -> Self {
        Self::new(&shipped::description(name).unwrap_or_else(|error| panic!("{error}")))
    }

    /// From the texts of the two files.
    pub fn of_texts(topology: &str, parameters: &str) -> Self {
        Self::new(&read(topology, parameters).unwrap_or_else(|error| panic!("{error}")))
    }

    pub fn assemble(&mut self) {
        let (model, state) = (&self.model, &mut self.state);
        assemble(model, state, &self.inputs, &mut self.workspace).unwrap_or_else(|error| panic!("{error}"));
    }

    /// At rest on its wheels.
    pub fn equilibrium(&mut self) {
        let (model, state, inputs) = (&self.model, &mut self.state, &self.inputs);
        let found = equilibrium(model, state, inputs, &mut self.wheels.as_slice(), &mut self.workspace);
        found.unwrap_or_else(|error| panic!("{}: {error}", model.description().name));
    }

    /// Spin of wheels that roll at a forward speed, and that speed of the base: what a vehicle at
    /// rest lacks to be on its way.
    pub fn set_rolling(&mut self, speed_m_s: f64) {
        let joints = &self.model.description().joints;
        let mut set = |is: &dyn Fn(&Joint) -> bool, rate: f64| {
            let joint = joints.iter().position(is).expect("a joint");
            self.state.velocity[self.model.coordinate(joint, 0).expect("in the tree").1] = rate;
        };
        set(&|it| it.kind == JointKind::Free, speed_m_s);
        for wheel in &self.wheels {
            let is_hub = |it: &Joint| it.bodies[1] == wheel.body && it.kind == JointKind::Revolute;
            set(&is_hub, speed_m_s / wheel.tyre.radius);
        }
    }

    /// Position and velocity index of a coordinate.
    pub fn index(&self, joint: &str, which: usize) -> (usize, usize) {
        let number = self.model.description().joint(joint).expect("a joint");
        self.model.coordinate(number, which).expect("in the tree")
    }

    /// Sets a coordinate and its velocity.
    pub fn set(&mut self, joint: &str, which: usize, coordinate: f64, velocity: f64) {
        let (position, rate) = self.index(joint, which);
        self.state.position[position] = coordinate;
        self.state.velocity[rate] = velocity;
    }

    pub fn forward(&mut self) -> Status {
        forward(&self.model, &mut self.state, &self.inputs, &mut self.workspace)
    }

    /// Accelerations at the state.
    pub fn evaluate(&mut self) -> Status {
        let (model, state, inputs) = (&self.model, &mut self.state, &self.inputs);
        evaluate(model, state, inputs, &mut self.wheels.as_slice(), &mut self.workspace)
    }

    /// Accelerations at the state by the recursion and by the dense system.
    pub fn both_routes(&mut self) -> (Vec<f64>, Vec<f64>) {
        self.evaluate();
        let ours = self.workspace.acceleration().to_vec();
        let (model, state, inputs) = (&self.model, &mut self.state, &self.inputs);
        (ours, dense::accelerations(model, state, inputs, &mut self.wheels.as_slice(), &mut self.workspace))
    }

    /// Largest difference of both routes, relative to the largest acceleration.
    pub fn difference_of_routes(&mut self) -> f64 {
        let (ours, dense) = self.both_routes();
        let scale = dense.iter().fold(1.0_f64, |max, it| it.abs().max(max));
        let differences = ours.iter().zip(&dense).map(|(ours, theirs)| (ours - theirs).abs() / scale);
        differences.fold(0.0, |worst: f64, it| if it > worst || it.is_nan() { it } else { worst })
    }

    pub fn reactions(&mut self) -> Reactions {
        let (model, state, inputs) = (&self.model, &mut self.state, &self.inputs);
        reactions(model, state, inputs, &mut self.wheels.as_slice(), &mut self.workspace)
    }

    /// Random velocities of the independent coordinates.
    pub fn push(&mut self, random: &mut Random, size: f64) {
        let free: Vec<usize> = self.state.independent(&self.model).collect();
        free.iter().for_each(|index| self.state.velocity[*index] = size * random.next());
    }

    /// Acceleration of a coordinate at the state.
    pub fn acceleration(&mut self, joint: &str, which: usize) -> f64 {
        self.evaluate();
        self.workspace.acceleration()[self.index(joint, which).1]
    }

    pub fn body(&self, name: &str) -> BodyId {
        self.model.description().body(name).expect("a body")
    }

    /// Place and velocity of the centre of gravity of a body, and its angular velocity, with the
    /// fields of the reference data.
    pub fn motion(&self, body: BodyId) -> [(&'static str, Vector3); 3] {
        let centre = self.model.description().bodies[body.0].centre;
        [
            ("position", self.workspace.position(&self.model, body, centre)),
            ("velocity", self.workspace.point_velocity(&self.model, body, centre)),
            ("angular_velocity", self.workspace.body_velocity(&self.model, body).angular),
        ]
    }

    /// Acceleration of the centre of gravity of a body, and its angular acceleration: after an
    /// evaluation.
    pub fn body_accelerations(&self, body: BodyId) -> [(&'static str, Vector3); 2] {
        let centre = self.model.description().bodies[body.0].centre;
        let angular = self.workspace.body_acceleration(&self.model, self.model.slot(body)).angular;
        let linear = self.workspace.point_acceleration(&self.model, body, centre);
        [("acceleration", linear), ("angular_acceleration", angular)]
    }

    /// Kinetic energy and that in gravity and springs.
    pub fn energy(&self) -> f64 {
        self.workspace.kinetic_energy(&self.model) + self.workspace.potential_energy(&self.model, &self.state)
    }

    /// Linear and angular momentum about the origin of the earth.
    pub fn momentum(&self) -> [Vector3; 2] {
        let found = self.workspace.momentum(&self.model);
        [found.force, found.moment + self.workspace.pole().cross(found.force)]
    }

    /// A new integrator, ready for its first step.
    pub fn start(&mut self, method: Method, step: f64) {
        self.integrator = Integrator::new(&self.model, method, step);
        self.integrator.start(&self.model, &mut self.state, &self.inputs, &mut self.workspace);
    }

    pub fn step(&mut self) -> Status {
        let (model, state, inputs) = (&self.model, &mut self.state, &self.inputs);
        self.integrator.step(model, state, inputs, &mut self.wheels.as_slice(), &mut self.workspace)
    }

    /// Steps, and calls `look` after each with the violation of the loops.
    pub fn run(&mut self, method: Method, step: f64, steps: usize, mut look: impl FnMut(&Self, f64)) {
        self.start(method, step);
        for _ in 0..steps {
            let status = self.step();
            look(self, status.violation);
        }
    }

    /// Steps until a time; the loops stay closed.
    pub fn run_to(&mut self, time: f64) {
        while self.state.time < time - 0.5 * self.integrator.step_size() {
            let status = self.step();
            assert!(status.violation < 1e-9, "{status:?}");
        }
    }
}
