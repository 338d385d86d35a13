//! One vehicle in one manoeuvre, recorded and evaluated.

use anyhow::{Context as _, bail};
use vehicle::assembly::{Choice, Setup};
use vehicle::evaluation::{Context, Figure, Recorder, Recording, evaluate};
use vehicle::simulation::Simulation;

use crate::output::Progress;

/// Time between two samples of the recording (s).
const SPACING_S: f64 = 0.005;
/// A manoeuvre without an end is left after so long (s).
const ENDLESS_S: f64 = 60.0;

/// A run.
pub struct Run {
    /// What it is called beside others.
    pub title: String,
    pub setup: Setup,
    pub context: Context,
    pub recording: Recording,
    pub figures: Vec<Figure>,
    /// How often a tyre carried a load for which its file was not fitted.
    pub loads_outside: u64,
}

impl Run {
    pub fn new(choice: &Choice, step_s: f64) -> anyhow::Result<Self> {
        let setup = Setup::read(choice, step_s)?;
        let title = match &choice.brake {
            Some(brake) => format!("{}, {brake}", setup.vehicle.name),
            None => setup.vehicle.name.clone(),
        };
        let (recording, loads_outside) = simulate(&setup).with_context(|| title.clone())?;
        let context = Context::new(&setup);
        let figures = evaluate(setup.manoeuvre.evaluation.as_ref(), &recording, &context);
        Ok(Self { title, context, recording, figures, loads_outside, setup })
    }

    /// What the manoeuvre is evaluated for.
    pub fn kind(&self) -> &str {
        let evaluation = self.setup.manoeuvre.evaluation.as_ref();
        evaluation.map_or("trajectory", |given| given.kind.as_str())
    }
}

fn simulate(setup: &Setup) -> anyhow::Result<(Recording, u64)> {
    let mut simulation = Simulation::new(setup)?;
    let longest_s = setup.manoeuvre.duration_s.unwrap_or(ENDLESS_S);
    let steps = (longest_s / setup.step_s).ceil() as u64;
    let every = (SPACING_S / setup.step_s).round().max(1.0) as u64;
    let mut recorder = Recorder::new(setup, every);
    let mut progress = Progress::of_steps(steps);
    while simulation.steps() < steps && !simulation.has_finished() {
        simulation.step();
        recorder.look(&simulation);
        progress.at(simulation.steps());
    }
    drop(progress);
    if !simulation.motion().position_m.is_finite() {
        bail!(
            "after {:.3} s the motion has left what numbers can say: try a smaller --step",
            simulation.steps() as f64 * setup.step_s
        );
    }
    let recording = recorder.finish();
    if recording.len() < 2 {
        bail!("the manoeuvre was over before anything was recorded");
    }
    Ok((recording, simulation.subsystems().state().loads_outside))
}
