//! How fast the board may be: the emulator at shorter and shorter periods, through the real
//! acquisition into shared memory, against its record.

use anyhow::Result;
use board_emulator::comparison::Comparison;
use service::{Config, Job};

use super::Context;
use super::proof::{Orders, drive, mistakes};
use crate::place::Seat;
use crate::report::{Report, Target};

const PERIODS_US: [u64; 5] = [1000, 500, 200, 100, 50];
const SECONDS: u64 = 5;

pub fn measure(context: &Context, board_seat: Seat, report: &mut Report) -> Result<()> {
    let job = Job::read(&Config::default())?;
    let mut all_wrong = 0;
    let mut lines = Vec::new();
    for period_us in PERIODS_US {
        let orders =
            Orders { manoeuvre: "steering-sweep", period_us, seconds: context.effort(SECONDS), seat: board_seat };
        let run = drive(context, &job, orders)?;
        let comparison = Comparison::new(&run.record, &run.seen);
        let wrong = mistakes(&comparison);
        all_wrong += wrong;
        report.figure(&format!("period_{period_us}us.wrong"), wrong as f64, "blocks");
        lines.push(format!(
            "{period_us} µs: {} blocks, {wrong} wrong, largest burst {}",
            comparison.blocks, comparison.largest_burst
        ));
    }
    report.note(format!(
        "emulator to shared memory at shorter periods, lost, torn, misplaced, overflowed or not the newest: {}",
        lines.join("; ")
    ));
    let what = "blocks lost, torn, overflowed or not the newest at periods down to 50 µs";
    report.target(Target::at_most(what, 0.0, "blocks", all_wrong as f64));
    Ok(())
}
