//! What a process may say that makes no sense.

use fastrand::Rng;
use shm_layout::Payload;

use crate::killable::STAMP_WORDS;
use crate::ranges::{Range, Ranges};

named! {
    /// One kind of nonsense.
    Nonsense {
        NotANumber = "a NaN",
        Infinite = "an infinity",
        /// Or −1e308.
        Huge = "1e308",
        /// In every number.
        Bits = "random bits",
        /// They have nothing to do with each other.
        Bounded = "random numbers in their ranges",
        /// Of wheels, inputs or demands.
        WrongCount = "a wrong count",
        /// With good numbers.
        Old = "an old step",
        /// With good numbers.
        Future = "a step far ahead",
    }
}

/// Makes nonsense of a good payload.
pub fn spoil<T: Payload>(kind: Nonsense, payload: &mut T, ranges: &Ranges<T>, random: &mut Rng) {
    let used = payload.used_words().max(STAMP_WORDS + 1);
    let any = random.usize(STAMP_WORDS..used);
    let words = payload.words_mut();
    match kind {
        Nonsense::NotANumber => words[any] = f64::NAN.to_bits(),
        Nonsense::Infinite => words[any] = [f64::INFINITY, f64::NEG_INFINITY][random.usize(0..2)].to_bits(),
        Nonsense::Huge => words[any] = [1e308_f64, -1e308][random.usize(0..2)].to_bits(),
        Nonsense::Bits => words[STAMP_WORDS..].fill_with(|| random.u64(..)),
        Nonsense::Bounded => bounded(words, ranges, random),
        Nonsense::WrongCount => set_count(words, ranges, random),
        Nonsense::Old => words[0] = words[0].saturating_sub(random.u64(1..1_000)),
        Nonsense::Future => words[0] = words[0].saturating_add(random.u64(1..u64::MAX / 2)),
    }
}

/// Of all magnitudes, so that some of it is taken for an answer.
fn bounded<T: Payload>(words: &mut [u64], ranges: &Ranges<T>, random: &mut Rng) {
    for range in ranges.words[STAMP_WORDS..].iter().filter(|range| is_float(range)) {
        let magnitude = 10_f64.powf(-6.0 * random.f64());
        let value = range.least + (range.most.min(1e9) - range.least.max(-1e9)) * random.f64();
        words[range.word] = (magnitude * value).clamp(range.least, range.most).to_bits();
    }
}

fn set_count<T: Payload>(words: &mut [u64], ranges: &Ranges<T>, random: &mut Rng) {
    let counts = ranges.words[STAMP_WORDS..].iter().filter(|range| range.field.name.ends_with("_count"));
    for range in counts {
        words[range.word] = [0, 1, 2, 1_000, u64::MAX][random.usize(0..5)];
    }
}

fn is_float(range: &Range) -> bool {
    range.field.kind == shm_layout::Kind::Float
}
