//! Whether the bytes are read in the right order, found by what the numbers look like.
//!
//! Nothing in a block says in which order the bytes of its numbers are. But what a car measures
//! moves little from one sample to the next, and the wrong order makes small moves large: a move by
//! 1 count becomes one by 256. So of the two ways to read the bytes the right one gives the
//! smoother numbers. Let x be a number of n bits in block k; the roughness of a way of reading is
//!
//! ```text
//! r = mean over blocks and fields of |xₖ − xₖ₋₁| / 2ⁿ        integers                                                    (1)
//!     mean of |xₖ − xₖ₋₁| / (|xₖ| + |xₖ₋₁|), 1 if not finite  floating point                                              (2)
//! ```
//!
//! It is taken over windows of 64 blocks. Only when the numbers as they are read are rough (more
//! than 1/4096 of the range from block to block) is the other order tried; if it is 8 times
//! smoother in 4 windows running, it is the right one.
//!
//! The limits of this: a car at rest says nothing, so the check waits for something to move; and a
//! board that sends 8-bit numbers in the upper half of 16 looks swapped. For such a board the check
//! can be switched off (`check_byte_order = false`).

use super::layout::{ByteOrder, Layout, read};

/// Blocks of a window.
const WINDOW: usize = 64;
/// Windows that must agree.
const AGREED: u32 = 4;
/// Smoother by this factor is right.
const SMOOTHER: f64 = 8.0;
/// Below this the numbers as they are read are taken for right.
const ROUGH: f64 = 1.0 / 4096.0;

#[derive(Clone, Debug)]
pub struct ByteOrderCheck {
    layout: Layout,
    window: Vec<u8>,
    /// What the last windows said, and how many agreed.
    candidate: bool,
    agreed: u32,
    swapped: bool,
}

impl ByteOrderCheck {
    pub fn new(layout: &Layout) -> Self {
        Self {
            layout: layout.clone(),
            window: Vec::with_capacity(WINDOW * layout.bytes()),
            candidate: false,
            agreed: 0,
            swapped: false,
        }
    }

    /// Takes one more block into account; says whether all so far make check only in the other byte
    /// order. Real-time safe.
    pub fn is_swapped(&mut self, payload: &[u8]) -> bool {
        if payload.len() == self.layout.bytes() {
            self.window.extend_from_slice(payload);
        }
        if self.window.len() >= WINDOW * self.layout.bytes() {
            self.judge_window();
            self.window.clear();
        }
        self.swapped
    }

    fn judge_window(&mut self) {
        let order = self.layout.order();
        let as_read = self.roughness(order);
        if as_read == 0.0 {
            return; // Nothing moves: nothing is learnt.
        }
        let found = as_read > ROUGH && self.roughness(order.other()) * SMOOTHER < as_read;
        self.agreed = if found == self.candidate { self.agreed + 1 } else { 1 };
        self.candidate = found;
        if self.agreed >= AGREED {
            self.swapped = found;
        }
    }

    /// Eqs. (1) and (2).
    fn roughness(&self, order: ByteOrder) -> f64 {
        let block_bytes = self.layout.bytes();
        let mut sum = 0.0;
        for &(offset, kind) in self.layout.places() {
            let at = |block: usize| read(&self.window, block * block_bytes + offset, kind, order).unwrap_or(0.0);
            let range = 2_f64.powi(8 * kind.bytes() as i32);
            let mut before = at(0);
            for block in 1..WINDOW {
                let value = at(block);
                let moved = (value - before).abs();
                sum += match kind.is_float() {
                    true if moved.is_finite() => moved / (value.abs() + before.abs()).max(f64::MIN_POSITIVE),
                    true => 1.0,
                    false => moved / range,
                };
                before = value;
            }
        }
        sum / ((WINDOW - 1) * self.layout.places().len()) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Field, Kind};

    /// A drive as the board sends it: brake, throttle and steering in counts.
    fn drive(index: usize) -> [f64; 3] {
        let time_s = index as f64 * 1e-3;
        let brake = 3_000.0 * (1.0 - (0.7 * time_s).cos());
        [brake, 200.0 + 180.0 * (1.3 * time_s).sin(), 900.0 * (2.0 * time_s).sin()]
    }

    fn bytes(layout: &Layout, blocks: usize) -> Vec<u8> {
        let mut stream = Vec::new();
        (0..blocks).for_each(|index| layout.encode(&drive(index), &mut stream));
        stream
    }

    fn is_swapped(check: &mut ByteOrderCheck, stream: &[u8], block_bytes: usize) -> bool {
        let judge = |_, block: &[u8]| check.is_swapped(block);
        stream.chunks_exact(block_bytes).fold(false, judge)
    }

    fn big() -> Layout {
        Layout::new(&Layout::board_fields(), ByteOrder::Big).expect("the board's fields")
    }

    #[test]
    fn the_right_order_is_believed_and_the_wrong_one_found() {
        let board = Layout::board();
        assert!(!is_swapped(&mut ByteOrderCheck::new(&board), &bytes(&board, 2000), 8));
        assert!(is_swapped(&mut ByteOrderCheck::new(&board), &bytes(&big(), 2000), 8));
        assert!(is_swapped(&mut ByteOrderCheck::new(&big()), &bytes(&board, 2000), 8));
    }

    #[test]
    fn floating_point_numbers_have_an_order_too() {
        let fields = [Field::new("a", Kind::F32), Field::new("b", Kind::F64)];
        let little = Layout::new(&fields, ByteOrder::Little).expect("two fields");
        let other = Layout::new(&fields, ByteOrder::Big).expect("two fields");
        let stream = bytes(&little, 2000);
        assert!(!is_swapped(&mut ByteOrderCheck::new(&little), &stream, 12));
        assert!(is_swapped(&mut ByteOrderCheck::new(&other), &stream, 12));
    }

    #[test]
    fn noise_and_rest_prove_nothing() {
        let board = Layout::board();
        // A linear congruential generator with the constants of Knuth's MMIX: bytes without any
        // order.
        let mut state = 1_u64;
        let mut noise = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        };
        let random: Vec<u8> = (0..80_000).map(|_| noise()).collect();
        assert!(!is_swapped(&mut ByteOrderCheck::new(&board), &random, 8));
        let rest = [1, 0, 0, 0, 0, 0, 0, 0].repeat(10_000);
        assert!(!is_swapped(&mut ByteOrderCheck::new(&board), &rest, 8));
    }

    #[test]
    fn a_stream_that_becomes_right_is_believed_again() {
        let board = Layout::board();
        let mut check = ByteOrderCheck::new(&board);
        assert!(is_swapped(&mut check, &bytes(&big(), 1000), 8));
        assert!(!is_swapped(&mut check, &bytes(&board, 1000), 8));
    }
}
