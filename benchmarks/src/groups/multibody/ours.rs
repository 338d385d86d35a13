//! Our side: a vehicle that stands on its wheels and steps.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use multibody::assembly::{assemble, equilibrium};
use multibody::forces::Wheel;
use multibody::{Description, Inputs, Integrator, Method, Model, State, Workspace};

/// The step of all that is compared (s).
pub const STEP_S: f64 = 1e-3;
/// Sine and cosine of 3 rad/s times the step.
const TURN: [f64; 2] = [0.002_999_995_500_002_025, 0.999_995_500_003_375];
/// How far driven joints swing (m).
const SWING_M: f64 = 0.02;
/// What a step may leave open in a loop (m).
const OPEN_M: f64 = 1e-9;

pub fn model_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models").join(name)
}

pub fn describe(name: &str) -> Result<Description> {
    let folder = model_folder(name);
    multibody::files::read_folder(&folder).with_context(|| format!("cannot read {}", folder.display()))
}

/// A vehicle with all that its step needs.
#[derive(Debug)]
pub struct Vehicle {
    pub model: Model,
    pub state: State,
    pub workspace: Workspace,
    pub inputs: Inputs,
    wheels: Vec<Wheel>,
    integrator: Integrator,
    /// Sine and cosine of what moves the driven joints.
    phase: [f64; 2],
    /// How far they swing (m).
    swing: f64,
}

impl Vehicle {
    /// At rest on its wheels, with Adams–Bashforth of order three.
    pub fn new(description: &Description) -> Result<Self> {
        let mut vehicle = Self::assembled(description)?;
        let mut tyres = vehicle.wheels.as_slice();
        let (model, workspace) = (&vehicle.model, &mut vehicle.workspace);
        equilibrium(model, &mut vehicle.state, &vehicle.inputs, &mut tyres, workspace)?;
        vehicle.start();
        Ok(vehicle)
    }

    /// In the coordinates of its description, with the loops closed.
    pub fn assembled(description: &Description) -> Result<Self> {
        let model = Model::new(description)?;
        let mut vehicle = Self {
            state: State::new(&model),
            workspace: Workspace::new(&model),
            inputs: Inputs::new(&model),
            wheels: model.description().wheels.clone(),
            integrator: Integrator::new(&model, Method::AdamsBashforth3, STEP_S),
            model,
            phase: [0.0, 1.0],
            swing: SWING_M,
        };
        assemble(&vehicle.model, &mut vehicle.state, &vehicle.inputs, &mut vehicle.workspace)?;
        vehicle.start();
        Ok(vehicle)
    }

    fn start(&mut self) {
        self.integrator.start(&self.model, &mut self.state, &self.inputs, &mut self.workspace);
    }

    /// One step; driven joints (the rack) swing by 20 mm.
    #[inline]
    pub fn step(&mut self) {
        self.drive();
        self.integrator.step(
            &self.model,
            &mut self.state,
            &self.inputs,
            &mut self.wheels.as_slice(),
            &mut self.workspace,
        );
    }

    #[inline]
    fn drive(&mut self) {
        // Turned on from step to step: a sine would be part of the time that is measured.
        let ([sine, cosine], [turn_sine, turn_cosine]) = (self.phase, TURN);
        let [sine, cosine] = [sine * turn_cosine + cosine * turn_sine, cosine * turn_cosine - sine * turn_sine];
        self.phase = [sine, cosine];
        for drive in &mut self.inputs.driven {
            *drive = [sine, 3.0 * cosine, -9.0 * sine].map(|each| self.swing * each);
        }
    }

    /// Driven joints stay where they are from now on.
    pub fn hold(&mut self) {
        self.swing = 0.0;
    }

    /// Gives every joint a velocity of its own; those that close loops follow the others.
    pub fn push(&mut self, velocity: f64) {
        for (number, each) in self.state.velocity.iter_mut().enumerate() {
            *each = velocity * (1.0 + number as f64).sin();
        }
        self.start();
    }

    /// Mean time of a step (ns), after a tenth of them to warm up.
    pub fn time_ns(&mut self, steps: u64, mut step: impl FnMut(&mut Self)) -> f64 {
        for _ in 0..steps / 10 {
            step(self);
        }
        let start = Instant::now();
        for _ in 0..steps {
            step(self);
        }
        start.elapsed().as_nanos() as f64 / steps as f64
    }

    /// Fails if the vehicle has flown apart: its time would mean nothing.
    pub fn check_whole(&self) -> Result<()> {
        let open = self.workspace.violation_max();
        let name = &self.model.description().name;
        ensure!(open <= OPEN_M, "{name}: a loop is open by {open:.1e} m");
        let finite = self.state.velocity.iter().all(|velocity| velocity.is_finite());
        ensure!(finite, "{name}: a velocity is not a number");
        Ok(())
    }
}
