//! A mechanism with everything that stepping needs, from texts, a shipped name or a description.

use super::Random;
use multibody::assembly::assemble;
use multibody::dynamics::evaluate;
use multibody::files::{Source, read_texts};
use multibody::math::Vector3;
use multibody::{BodyId, Description, Inputs, Integrator, Method, Model, State, Workspace, dense};

pub struct Bench {
    pub model: Model,
    pub state: State,
    pub inputs: Inputs,
    pub workspace: Workspace,
}

impl Bench {
    /// The assembled initial state.
    pub fn new(description: &Description) -> Self {
        let model = Model::new(description).unwrap_or_else(|error| panic!("{}: {error}", description.name));
        let (state, inputs, workspace) = (State::new(&model), Inputs::new(&model), Workspace::new(&model));
        let mut bench = Self { model, state, inputs, workspace };
        let (model, state) = (&bench.model, &mut bench.state);
        assemble(model, state, &bench.inputs, &mut bench.workspace).unwrap_or_else(|error| panic!("{error}"));
        bench
    }

    /// From the texts of the two files.
    pub fn of_texts(topology: &str, parameters: &str) -> Self {
        let source = |text, origin| Source { text, origin };
        let files = (source(topology, "topology.toml"), source(parameters, "parameters.toml"));
        Self::new(&read_texts(files.0, files.1).unwrap_or_else(|error| panic!("{error}")))
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

    /// Accelerations at the state; the tyres are those of the description.
    pub fn evaluate(&mut self) {
        let wheels = self.model.description().wheels.clone();
        let tyre = &mut wheels.as_slice();
        evaluate(&self.model, &mut self.state, &self.inputs, tyre, &mut self.workspace);
    }

    /// Accelerations at the state by the recursion and by the dense system.
    pub fn both_routes(&mut self) -> (Vec<f64>, Vec<f64>) {
        self.evaluate();
        let ours = self.workspace.acceleration().to_vec();
        let wheels = self.model.description().wheels.clone();
        let (model, state, inputs) = (&self.model, &mut self.state, &self.inputs);
        (ours, dense::accelerations(model, state, inputs, &mut wheels.as_slice(), &mut self.workspace))
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

    /// Kinetic energy and that in gravity and springs.
    pub fn energy(&self) -> f64 {
        self.workspace.kinetic_energy(&self.model) + self.workspace.potential_energy(&self.model, &self.state)
    }

    /// Linear and angular momentum about the origin of the earth.
    pub fn momentum(&self) -> [Vector3; 2] {
        let found = self.workspace.momentum(&self.model);
        [found.force, found.moment + self.workspace.pole().cross(found.force)]
    }

    /// Steps, and calls `look` after each with the violation of the loops.
    pub fn run(&mut self, method: Method, step: f64, steps: usize, mut look: impl FnMut(&Self, f64)) {
        let wheels = self.model.description().wheels.clone();
        let mut integrator = Integrator::new(&self.model, method, step);
        integrator.start(&self.model, &mut self.state, &self.inputs, &mut self.workspace);
        for _ in 0..steps {
            let (model, state, inputs) = (&self.model, &mut self.state, &self.inputs);
            let tyre = &mut wheels.as_slice();
            let status = integrator.step(model, state, inputs, tyre, &mut self.workspace);
            look(self, status.violation);
        }
    }
}
