//! When a board samples: what is asked for, and what it can do.

use super::super::ioctl::comedi::{Board, Timing};

// What may start, begin, convert, end and stop (linux/comedi.h).
const NONE: u32 = 0x01;
const NOW: u32 = 0x02;
const FOLLOW: u32 = 0x04;
const TIMER: u32 = 0x10;
const COUNT: u32 = 0x20;

/// Finds a timing that the board can do: asks which events it knows, chooses, and lets it round the
/// times.
pub(super) fn agree(board: &Board, subdevice: u32, period_s: f64, channels: &mut [u32]) -> Result<Timing, String> {
    let failed = |problem: std::io::Error| format!("it refuses the timing: {problem}");
    let wanted_ns = (period_s * 1e9).round() as u32;
    let n = channels.len() as u32;
    let wanted = Timing {
        subdevice,
        start: [NOW, 0],
        scan_begin: [TIMER | FOLLOW, wanted_ns],
        convert: [TIMER | NOW, 0],
        scan_end: [COUNT, n],
        stop: [NONE, 0],
        ..Timing::default()
    };
    let mut known = wanted;
    board.test(&mut known, channels).map_err(failed)?;
    let scan_timed = known.scan_begin[0] & TIMER != 0;
    let mut timing = Timing {
        scan_begin: if scan_timed { [TIMER, wanted_ns] } else { [FOLLOW, 0] },
        convert: if scan_timed && known.convert[0] & NOW != 0 { [NOW, 0] } else { [TIMER, wanted_ns / n] },
        ..wanted
    };
    // The board rounds at most once per stage.
    for _ in 0..6 {
        if board.test(&mut timing, channels).map_err(failed)? == 0 {
            let found_ns = f64::from(period_ns(&timing, n));
            if (found_ns - f64::from(wanted_ns)).abs() > 0.01 * f64::from(wanted_ns) {
                let found_s = found_ns * 1e-9;
                return Err(format!("scan_period_s = {period_s}: the nearest that the board can do is {found_s} s"));
            }
            return Ok(timing);
        }
    }
    Err(format!("{} ({}) can do no such scan: {timing:?}", board.name, board.driver))
}

/// From one scan to the next (ns).
pub(super) fn period_ns(timing: &Timing, n_channels: u32) -> u32 {
    match timing.scan_begin {
        [TIMER, period_ns] => period_ns,
        _ => timing.convert[1].saturating_mul(n_channels),
    }
}
