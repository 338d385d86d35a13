//! Cost of a step of a model folder: `step_cost FOLDER [STEPS]` prints the time of the fastest and
//! the median block of steps. `corners:N` instead of a folder is the generated chassis with N
//! corners.
//!
//! Run it under `valgrind --tool=callgrind` for instruction counts, which do not depend on a noisy
//! machine.

use multibody::assembly::{assemble, equilibrium};
use multibody::{Inputs, Integrator, Method, Model, State, Workspace};
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let folder = arguments.get(1).ok_or("expected a model folder")?;
    let steps: usize = arguments.get(2).map_or(Ok(200_000), |it| it.parse())?;
    let description = match folder.strip_prefix("corners:") {
        Some(count) => multibody::generate::corners(count.parse()?),
        None => multibody::files::read_folder(Path::new(folder))?,
    };
    let model = Model::new(&description)?;
    let wheels = model.description().wheels.clone();
    let (mut state, mut workspace, mut inputs) = (State::new(&model), Workspace::new(&model), Inputs::new(&model));
    assemble(&model, &mut state, &inputs, &mut workspace)?;
    equilibrium(&model, &mut state, &inputs, &mut wheels.as_slice(), &mut workspace)?;
    let mut integrator = Integrator::new(&model, Method::AdamsBashforth3, 1e-3);
    integrator.start(&model, &mut state, &inputs, &mut workspace);
    let (mut times, mut iterations, mut block) = (Vec::new(), 0, Instant::now());
    for step in 1..=steps {
        let t = 1e-3 * step as f64;
        for drive in &mut inputs.driven {
            *drive = [0.02 * (3.0 * t).sin(), 0.06 * (3.0 * t).cos(), -0.18 * (3.0 * t).sin()];
        }
        let tyre = &mut wheels.as_slice();
        let status = integrator.step(&model, &mut state, &inputs, tyre, &mut workspace);
        iterations += status.iterations;
        if step % 1000 == 0 {
            times.push(block.elapsed().as_secs_f64() * 1e3);
            block = Instant::now();
        }
    }
    times.sort_by(f64::total_cmp);
    if let (Some(fastest), Some(median)) = (times.first(), times.get(times.len() / 2)) {
        println!("{}: {fastest:.2} µs fastest, {median:.2} µs median per step", model.description().name);
    }
    println!(
        "Newton iterations per step: {:.3}, violation {:.1e}",
        iterations as f64 / steps as f64,
        workspace.violation_max()
    );
    Ok(())
}
