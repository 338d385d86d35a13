//! RTRD's manoeuvre of 40 s: how many Newton iterations a step needs to close its loops, and how
//! far they are open after it.
//!
//! RTRD counts each iteration beyond the first as a cost of its own. These figures are the same on
//! every machine.

use anyhow::Result;
use vehicle::assembly::{Choice, Setup};
use vehicle::simulation::Simulation;

use super::ours::STEP_S;
use crate::report::{Report, Target};

const VEHICLES: [&str; 2] = ["passenger-car", "hmmwv"];
const MANOEUVRE: &str = "rtrd-car-rack-step";
const SECONDS: f64 = 40.0;
/// What a step may leave open (m).
const OPEN_M: f64 = 1e-9;

/// Adds the figures of both vehicles with loops.
pub fn add(report: &mut Report) -> Result<()> {
    for name in VEHICLES {
        let (iterations, open_m) = drive(name)?;
        let steps: u64 = iterations.iter().sum();
        let count: u64 = (0_u64..).zip(&iterations).map(|(number, steps)| number * steps).sum();
        let a_step = count as f64 / steps as f64;
        let most = iterations.iter().rposition(|steps| *steps > 0).unwrap_or(0);
        report.note(format!(
            "{name}, 60 mph and a rack step of 5 mm, {SECONDS} s: {a_step:.3} Newton iterations a step, at most {most}; loops open by at most {open_m:.1e} m"
        ));
        report.figure(&format!("{name}.newton_iterations"), a_step, "1");
        report.figure(&format!("{name}.newton_iterations_max"), most as f64, "1");
        report.figure(&format!("{name}.loops_open"), open_m, "m");
        let what = format!("{name}, loops after each step of {SECONDS} s");
        report.target(Target::at_most(&what, OPEN_M, "m", open_m));
    }
    Ok(())
}

/// How many steps needed 0, 1, 2 … iterations, and the largest opening (m).
fn drive(name: &str) -> Result<(Vec<u64>, f64)> {
    let choice = Choice { vehicle: Some(name.to_owned()), manoeuvre: MANOEUVRE.to_owned(), ..Choice::default() };
    let mut simulation = Simulation::new(&Setup::read(&choice, STEP_S)?)?;
    let mut counts = Vec::new();
    for _ in 0..(SECONDS / STEP_S).round() as u64 {
        let needed = simulation.step().iterations as usize;
        if counts.len() <= needed {
            counts.resize(needed + 1, 0);
        }
        counts[needed] += 1;
    }
    Ok((counts, simulation.violation_max()))
}
