//! Incremental encoders and the quadrature decoder board.
//!
//! An encoder has two tracks, a quarter of a cycle apart, so that four phases follow each other on
//! every cycle; 500 cycles per turn, 0.18° per phase (DAS 3.1.2):
//!
//! ```text
//! forward:   00 → 10 → 11 → 01 → 00      A leads B
//! back:      00 → 01 → 11 → 10 → 00      B leads A
//! ```
//!
//! The board has four counters of 16 bits that overflow, behind two ports (DAS
//! 4.4).
//! Reading the control port latches all counters, which count on behind the latch. Each reading of
//! the data port gives the next latched counter, beginning with the first; after the fourth comes
//! the first again. Reading the control port starts again.

use super::COUNT_DEG;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    a: bool,
    b: bool,
}

impl Phase {
    /// The phase at a position counted in phases.
    const fn of(position: i64) -> Self {
        let quarter = position.rem_euclid(4);
        Self { a: quarter == 1 || quarter == 2, b: quarter == 2 || quarter == 3 }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Encoder {
    /// Phases from the angle 0.
    position: i64,
}

impl Encoder {
    /// At an angle (deg).
    pub fn at(angle_deg: f64) -> Self {
        Self { position: position(angle_deg) }
    }

    pub const fn phase(&self) -> Phase {
        Phase::of(self.position)
    }

    /// Turns; `see` is shown every phase on the way.
    pub fn turn_to(&mut self, angle_deg: f64, mut see: impl FnMut(Phase)) {
        let target = position(angle_deg);
        while self.position != target {
            self.position += (target - self.position).signum();
            see(self.phase());
        }
    }
}

/// A hair above the edge counts as on it: 420 × 0.18° must not become 419 by rounding.
fn position(angle_deg: f64) -> i64 {
    (angle_deg / COUNT_DEG + 1e-6).floor() as i64
}

pub const COUNTERS: usize = 4;

#[derive(Clone, Debug)]
pub struct QuadratureBoard {
    counters: [u16; COUNTERS],
    phases: [Phase; COUNTERS],
    latched: [u16; COUNTERS],
    next: usize,
}

impl QuadratureBoard {
    /// Counters that stand somewhere, and what the encoders show at the moment.
    pub fn new(counters: [u16; COUNTERS], phases: [Phase; COUNTERS]) -> Self {
        Self { counters, phases, latched: [0; COUNTERS], next: 0 }
    }

    /// An encoder shows a new phase: one count up or down, whichever track leads. A phase that was
    /// skipped has no direction and counts nothing.
    pub fn see(&mut self, counter: usize, phase: Phase) {
        let before = self.phases[counter];
        self.phases[counter] = phase;
        let step = match (before.a != phase.a, before.b != phase.b) {
            // A changes: forward if it now differs from B. B changes: forward if it now equals A.
            (true, false) => phase.a != phase.b,
            (false, true) => phase.a == phase.b,
            _ => return,
        };
        let step = if step { 1 } else { u16::MAX };
        self.counters[counter] = self.counters[counter].wrapping_add(step);
    }

    /// Reads the control port: latches all counters. The number that comes is of no use.
    pub fn read_control(&mut self) -> i16 {
        self.latched = self.counters;
        self.next = 0;
        0
    }

    pub fn read_data(&mut self) -> i16 {
        let value = self.latched[self.next];
        self.next = (self.next + 1) % COUNTERS;
        value as i16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(counters: [u16; COUNTERS]) -> (QuadratureBoard, Encoder) {
        let encoder = Encoder::at(0.0);
        (QuadratureBoard::new(counters, [encoder.phase(); COUNTERS]), encoder)
    }

    fn turn(board: &mut QuadratureBoard, encoder: &mut Encoder, counts: i64) {
        encoder.turn_to(counts as f64 * COUNT_DEG, |phase| board.see(0, phase));
    }

    #[test]
    fn a_turn_has_two_thousand_counts_and_comes_back_to_nothing() {
        let (mut board, mut encoder) = board([0; COUNTERS]);
        encoder.turn_to(360.0, |phase| board.see(0, phase));
        board.read_control();
        assert_eq!(board.read_data(), 2000);
        turn(&mut board, &mut encoder, -7);
        board.read_control();
        assert_eq!(board.read_data(), -7);
        turn(&mut board, &mut encoder, 0);
        board.read_control();
        assert_eq!(board.read_data(), 0);
    }

    #[test]
    fn counters_overflow_both_ways() {
        let (mut board, mut encoder) = board([32_766, 0, 0, 0]);
        let mut seen = Vec::new();
        for counts in [1, 2, 3, 0, -1] {
            turn(&mut board, &mut encoder, counts);
            board.read_control();
            seen.push(board.read_data());
        }
        assert_eq!(seen, [32_767, -32_768, -32_767, 32_766, 32_765]);
    }

    #[test]
    fn latched_values_stay_while_the_counters_count_on() {
        let (mut board, mut encoder) = board([0, 20, 30, 40]);
        assert_eq!(board.read_data(), 0, "nothing has been latched");
        turn(&mut board, &mut encoder, 5);
        board.read_control();
        turn(&mut board, &mut encoder, 9);
        let read: Vec<i16> = (0..6).map(|_| board.read_data()).collect();
        assert_eq!(read, [5, 20, 30, 40, 5, 20]);
        board.read_control();
        assert_eq!(board.read_data(), 9, "the control port ends the sequence and latches again");
    }
}
