//! A vehicle in a manoeuvre.

use std::time::Instant;

use anyhow::bail;
use service::{Job, names_of};
use shm_layout::blocks::{FORCES, KINEMATICS, PLANT_STATE, StateVector, VEHICLE};
use shm_layout::signals::{Blocks, Dictionary, views};
use vehicle::assembly::{Choice, Setup};
use vehicle::evaluation::{Quantity, Recorder};
use vehicle::library::Kind;
use vehicle::simulation::Simulation;
use vehicle::state::Stateful;

use super::SimArguments;
use crate::commands::signal_table::SignalTable;
use crate::commands::signals::choose;
use crate::output::Progress;

/// Step unless asked otherwise (s).
const STEP_S: f64 = 1e-3;
/// What a duration of one step may be short of it.
const ROUNDING: f64 = 1e-9;
/// A manoeuvre without an end is left after so long (s).
const ENDLESS_S: f64 = 60.0;
/// The manoeuvre of a vehicle that is named alone.
const DEFAULT_MANOEUVRE: &str = "drive-default";

pub fn sim(arguments: &SimArguments) -> anyhow::Result<()> {
    if let Some(name) = &arguments.integrator
        && name != "ab3"
    {
        bail!("--integrator {name}: a vehicle that meets its subsystems once a step is stepped by ab3");
    }
    let step_s = arguments.step.unwrap_or(STEP_S);
    let job = Job::Vehicle(Box::new(Setup::read(&choice(arguments), step_s)?));
    let Job::Vehicle(setup) = &job else { unreachable!("just made") };
    crate::output::say_notes(setup);
    let mut simulation = Simulation::new(setup)?;
    let longest_s = arguments.duration.or(setup.manoeuvre.duration_s).unwrap_or(ENDLESS_S);
    if longest_s < step_s * (1.0 - ROUNDING) {
        let what = if arguments.duration.is_some() { "--duration" } else { "duration_s of the manoeuvre" };
        bail!("{what}: {longest_s} s are shorter than a step; expected at least {step_s} s, or a smaller --step");
    }
    let steps = (longest_s / step_s).ceil() as u64;
    let every = (arguments.every / step_s).round().max(1.0) as u64;
    let (mut recording, mut progress) = (Recording::new(setup, arguments, every)?, Progress::of_steps(steps));
    let began = Instant::now();
    while simulation.steps() < steps && !simulation.has_finished() {
        recording.step(&mut simulation, every);
        progress.at(simulation.steps());
    }
    let elapsed_s = began.elapsed().as_secs_f64().max(1e-9);
    drop(progress);
    if simulation.steps() <= 1 && simulation.has_finished() && simulation.motion().position_m.is_finite() {
        bail!(
            "manoeuvre {:?} ends at once, so there is nothing to show: expected an end that does not hold from the \
             beginning (the ends of its phases, [stop])",
            setup.manoeuvre.name
        );
    }
    let table = recording.finish(arguments.signals.is_empty());
    report(&job, &simulation, &table, elapsed_s);
    say_duration(arguments, &simulation);
    table.write(arguments.out.as_ref(), arguments.plot.as_ref())?;
    arguments.trajectory.as_ref().map_or(Ok(()), |path| table.write_path(path))?;
    match (simulation.divergence_message(), &arguments.out) {
        (None, _) => Ok(()),
        (Some(message), None) => bail!("{message} (--step)"),
        (Some(message), Some(path)) => bail!("{message} (--step); {} ends there", path.display()),
    }
}

/// Says that a manoeuvre does not go on for as long as was asked.
fn say_duration(arguments: &SimArguments, simulation: &Simulation) {
    let time_s = simulation.motion().time_s;
    if let Some(asked_s) = arguments.duration
        && time_s + 1.5 * arguments.step.unwrap_or(STEP_S) < asked_s
        && simulation.divergence().is_none()
    {
        eprintln!("--duration {asked_s}: the manoeuvre has an end of its own, and was over at {time_s:.3} s");
    }
}

/// MODEL is the vehicle when a manoeuvre is given; otherwise it is whichever of both it names.
fn choice(arguments: &SimArguments) -> Choice {
    let name = arguments.name.clone();
    let is_vehicle = Kind::Vehicle.shipped().any(|known| known == name);
    let (vehicle, manoeuvre) = match &arguments.manoeuvre {
        Some(manoeuvre) => (Some(name), manoeuvre.clone()),
        None if is_vehicle => (Some(name), DEFAULT_MANOEUVRE.to_owned()),
        None => (None, name),
    };
    arguments.parts.choice(manoeuvre, vehicle, arguments.brake.clone())
}

/// What is recorded of a step: what the vehicle did, and what its subsystems answered to it.
struct Recording {
    /// Made with the first row, when it is known what there is.
    table: Option<SignalTable>,
    dictionary: Dictionary,
    blocks: Blocks,
    patterns: Vec<String>,
    title: String,
    /// Quantities that follow from more than one step, or from the vehicle's files.
    derived: Recorder,
}

impl Recording {
    fn new(setup: &Setup, arguments: &SimArguments, every: u64) -> anyhow::Result<Self> {
        let dictionary = Dictionary::new(&[names_of(&Job::Vehicle(Box::new(setup.clone())))]);
        // A mistake in a name is found before the simulation.
        choose(&dictionary, &arguments.signals)?;
        Ok(Self {
            table: None,
            dictionary,
            blocks: Blocks::default(),
            patterns: arguments.signals.clone(),
            title: setup.manoeuvre.name.clone(),
            derived: Recorder::new(setup, every),
        })
    }

    fn step(&mut self, simulation: &mut Simulation, every: u64) {
        let is_recorded = simulation.steps().is_multiple_of(every);
        self.derived.look(simulation);
        if !is_recorded {
            simulation.step();
            return;
        }
        let motion = Box::new(*simulation.motion());
        self.blocks.put(KINEMATICS, &motion);
        let mut state = Box::new(StateVector::default());
        state.state_count = simulation.mechanism().save(&mut state.states) as u64;
        self.blocks.put(PLANT_STATE, &state);
        simulation.step();
        let subsystems = simulation.subsystems();
        self.blocks.put(VEHICLE, subsystems.state());
        self.blocks.put(FORCES, subsystems.response());
        let blocks = &self.blocks;
        let table = self.table.get_or_insert_with(|| {
            SignalTable::new(&self.title, &self.dictionary, blocks, &self.patterns)
                .expect("the names were looked up before")
        });
        table.push(motion.time_s, blocks);
    }

    /// The table; with everything that is worked out where no signals were chosen.
    fn finish(self, with_derived: bool) -> SignalTable {
        let mut table = self.table.unwrap_or_else(|| {
            SignalTable::new(&self.title, &self.dictionary, &self.blocks, &[]).expect("nothing is asked for")
        });
        let derived = self.derived.finish();
        for quantity in Quantity::ALL.into_iter().filter(|_| with_derived) {
            let is_known = derived.get(quantity).iter().any(|value| value.is_finite());
            if is_known && views::find(quantity.name()).is_none() {
                table.add(quantity.name(), derived.get(quantity));
            }
        }
        table
    }
}

fn report(job: &Job, simulation: &Simulation, table: &SignalTable, elapsed_s: f64) {
    let (steps, time_s) = (simulation.steps(), simulation.motion().time_s);
    println!("{} · {}", job.name(), job.summary());
    println!(
        "{time_s:.3} s in {elapsed_s:.3} s: {:.0} times faster than real time, {:.2} µs a step",
        time_s / elapsed_s,
        elapsed_s * 1e6 / steps.max(1) as f64
    );
    table.print_ends();
    println!(
        "  loops open by at most {:.1e} m, {:.3} Newton iterations a step",
        simulation.violation_max(),
        simulation.iterations() as f64 / steps.max(1) as f64
    );
    let outside = simulation.subsystems().state().loads_outside;
    if outside > 0 {
        println!("  tyres carried loads for which their files were not fitted in {outside} wheel-steps");
    }
}
