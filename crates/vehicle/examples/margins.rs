//! How near each shipped vehicle in each shipped manoeuvre comes to what counts as diverged
//! (`src/divergence.rs`), as a share of the margins of the mechanism and of the vehicle:
//! `cargo run --release -p vehicle --example margins [STEP_S [PART OF A MANOEUVRE'S NAME]]`

use vehicle::assembly::{Choice, Setup};
use vehicle::library::Kind;
use vehicle::simulation::Simulation;

/// A manoeuvre without an end is left after so long (s).
const ENDLESS_S: f64 = 60.0;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let step_s = arguments.next().map_or(1e-3, |step| step.parse().expect("a step in seconds"));
    let part = arguments.next().unwrap_or_default();
    for vehicle in Kind::Vehicle.shipped() {
        for manoeuvre in Kind::Manoeuvre.shipped().filter(|name| name.contains(&part)) {
            look(vehicle, manoeuvre, step_s);
        }
    }
}

fn look(vehicle: &str, manoeuvre: &str, step_s: f64) {
    let choice = Choice { manoeuvre: manoeuvre.into(), vehicle: Some(vehicle.into()), ..Choice::default() };
    // Not every vehicle can be driven in every manoeuvre.
    let Ok(setup) = Setup::read(&choice, step_s) else { return };
    let Ok(mut simulation) = Simulation::new(&setup) else { return };
    let steps = (setup.manoeuvre.duration_s.unwrap_or(ENDLESS_S) / step_s) as u64;
    let mut most = [0.0_f64; 2];
    while simulation.steps() < steps && !simulation.has_finished() {
        simulation.step();
        for (most, now) in most.iter_mut().zip(simulation.surplus_ratios()) {
            *most = most.max(now);
        }
    }
    let message = simulation.divergence_message().unwrap_or_default();
    println!("{:8.4} {:8.4} {vehicle} {manoeuvre} {message}", most[0], most[1]);
}
