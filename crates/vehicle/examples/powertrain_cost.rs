//! Cost of a powertrain in a step with four substeps: `powertrain_cost [FILE [WHEELS]]` prints
//! nanoseconds, the fastest and the median block of steps.

use std::time::Instant;
use vehicle::DriverInput;
use vehicle::files::Source;
use vehicle::powertrain::{Drive, read};

const SUBSTEPS: usize = 4;
const STEPS_OF_A_BLOCK: u32 = 1000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/powertrains/hmmwv.toml");
    let path = arguments.get(1).map_or(shipped, String::as_str);
    let wheels: usize = arguments.get(2).map_or(Ok(4), |it| it.parse())?;
    let text = std::fs::read(path)?;
    let mut train = read(&Source::new(path, &text), wheels)?;
    let (mut drive, mut spin) = (Drive::new(wheels), vec![0.0; wheels]);
    let (mut times, mut sum) = (Vec::new(), 0.0);
    for block in 0..400_u32 {
        let begin = Instant::now();
        for step in 0..STEPS_OF_A_BLOCK {
            let t = 1e-3 * f64::from(block * STEPS_OF_A_BLOCK + step);
            let input = DriverInput { throttle_ratio: 0.5 + 0.5 * (0.3 * t).sin(), ..DriverInput::RELEASED };
            let speed = 25.0 * (1.0 - (0.1 * t).cos());
            spin.iter_mut().enumerate().for_each(|(k, it)| *it = speed + 0.2 * k as f64);
            train.begin_step(&input, &spin, 1e-3);
            for _ in 0..SUBSTEPS {
                train.torques(&spin, 2.5e-4, &mut drive);
                train.advance(&spin, 2.5e-4);
            }
            sum += drive.torque_nm.iter().sum::<f64>();
        }
        times.push(begin.elapsed().as_secs_f64() * 1e9 / f64::from(STEPS_OF_A_BLOCK));
    }
    times.sort_by(f64::total_cmp);
    println!(
        "{path}: {:.0} ns fastest, {:.0} ns median per step with {SUBSTEPS} substeps (check {sum:.3e})",
        times[0],
        times[times.len() / 2]
    );
    Ok(())
}
