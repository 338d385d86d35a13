//! A shipped manoeuvre driven to its end, with its key figures.

pub mod hand;
pub mod stop;

use vehicle::assembly::{Choice, Setup};
use vehicle::evaluation::{Context, Figure, Recorder, Recording, evaluate};
use vehicle::simulation::Simulation;
use vehicle::tyre::Tyre;

pub const STEP_S: f64 = 1e-3;

/// The three vehicles, and how the variants of a manoeuvre that were made for them end.
pub const VEHICLES: [(&str, &str); 3] = [("passenger-car", ""), ("hmmwv", "-hmmwv"), ("tractor-semitrailer", "-truck")];

pub struct Run {
    pub setup: Setup,
    pub context: Context,
    pub recording: Recording,
    pub figures: Vec<Figure>,
}

pub fn run(manoeuvre: &str, vehicle: &str, change: impl FnOnce(&mut Choice)) -> Run {
    run_for(f64::INFINITY, manoeuvre, vehicle, change)
}

pub fn run_for(longest_s: f64, manoeuvre: &str, vehicle: &str, change: impl FnOnce(&mut Choice)) -> Run {
    let mut choice = Choice { manoeuvre: manoeuvre.into(), vehicle: Some(vehicle.into()), ..Choice::default() };
    change(&mut choice);
    let setup = Setup::read(&choice, STEP_S).expect("a setup");
    let recording = record(&setup, longest_s);
    let context = Context::new(&setup);
    let figures = evaluate(setup.manoeuvre.evaluation.as_ref(), &recording, &context);
    Run { setup, context, recording, figures }
}

/// A manoeuvre from its beginning to its end, or for so long (s).
pub fn record(setup: &Setup, longest_s: f64) -> Recording {
    let mut simulation = Simulation::new(setup).expect("a vehicle");
    let mut recorder = Recorder::new(setup, 5);
    let steps = (setup.manoeuvre.duration_s.unwrap_or(20.0).min(longest_s) / STEP_S) as u64;
    while simulation.steps() < steps && !simulation.has_finished() {
        simulation.step();
        recorder.look(&simulation);
    }
    recorder.finish()
}

/// The variant of a manoeuvre that was made for a vehicle, or the manoeuvre itself.
pub fn run_variant(manoeuvre: &str, vehicle: &str, brake: Option<&str>) -> Run {
    let suffix = VEHICLES.iter().find(|(name, _)| *name == vehicle);
    let variant = format!("{manoeuvre}{}", suffix.map_or("", |(_, suffix)| *suffix));
    let is_shipped = vehicle::library::Kind::Manoeuvre.shipped().any(|known| known == variant);
    let played = if is_shipped { variant.as_str() } else { manoeuvre };
    run(played, vehicle, |choice| choice.brake = brake.map(str::to_owned))
}

impl Run {
    pub fn figure(&self, name: &str) -> f64 {
        let figure = self.figures.iter().find(|figure| figure.name == name);
        figure.and_then(Figure::number).unwrap_or_else(|| panic!("{} has no {name}", self.setup.vehicle.name))
    }

    /// The largest braking force over load of any of its tyres, at any load from a tenth to twice
    /// its mean load.
    pub fn greatest_friction(&self) -> f64 {
        let mean_n = self.context.mass_kg * 9.81 / self.setup.tyres.len() as f64;
        let loads = (1..=20).map(|tenths| 0.1 * f64::from(tenths) * mean_n);
        let grips = loads.flat_map(|load_n| self.setup.tyres.iter().map(move |tyre| greatest(&**tyre, load_n)));
        grips.fold(0.0, f64::max)
    }
}

fn greatest(tyre: &dyn Tyre, load_n: f64) -> f64 {
    (1..=100).map(|percent| braking(tyre, load_n, 0.01 * f64::from(percent))).fold(0.0, f64::max)
}

/// Braking force over load at a slip.
pub fn braking(tyre: &dyn Tyre, load_n: f64, slip: f64) -> f64 {
    let forces = tyre.forces(&crate::tyre_support::slip(load_n, -slip, 0.0, 0.0));
    -forces.longitudinal_n / load_n
}
