//! The declared ranges of a payload's numbers, looked up once, so that a loop can hold a payload
//! against them.

use core::marker::PhantomData;

use shm_layout::{Field, Kind, Payload};

/// What one word may be.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// The declaration of the number.
    pub field: &'static Field,
    /// Its word in the payload.
    pub word: usize,
    /// The least value.
    pub least: f64,
    /// The largest value.
    pub most: f64,
}

impl Range {
    /// Whether the word has a value in the range; what is not a number is never in one.
    #[inline]
    pub fn contains(&self, word: u64) -> bool {
        let value = self.value(word);
        self.least <= value && value <= self.most
    }

    /// The word as a number.
    #[inline]
    pub fn value(&self, word: u64) -> f64 {
        match self.field.kind {
            Kind::Float => f64::from_bits(word),
            Kind::Signed => word.cast_signed() as f64,
            Kind::Unsigned | Kind::Structure => word as f64,
        }
    }
}

/// The ranges of all numbers of a payload.
#[derive(Clone, Debug)]
pub struct Ranges<T> {
    /// One for each word, in their order.
    pub words: Vec<Range>,
    payload: PhantomData<fn(&T)>,
}

impl<T: Payload> Default for Ranges<T> {
    fn default() -> Self {
        let mut words = Vec::with_capacity(T::WORDS);
        collect(&mut words, 0, T::FIELDS);
        Self { words, payload: PhantomData }
    }
}

impl<T: Payload> Ranges<T> {
    /// The used numbers that are outside of their ranges. Allocates nothing.
    #[inline]
    pub fn outside<'a>(&'a self, payload: &'a T) -> impl Iterator<Item = &'a Range> {
        let used = &payload.words()[..payload.used_words()];
        self.words.iter().zip(used).filter(|(range, word)| !range.contains(**word)).map(|(range, _)| range)
    }
}

fn collect(words: &mut Vec<Range>, start: usize, fields: &'static [Field]) {
    for field in fields {
        let [least, most] = field.bounds();
        for element in 0..field.count {
            let first = start + field.word + element * field.words_each;
            match field.kind {
                Kind::Structure => collect(words, first, field.nested),
                _ => words.extend((first..first + field.words_each).map(|word| Range { field, word, least, most })),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;
    use shm_layout::blocks::{DriverInput, Forces};

    #[test]
    fn every_word_has_the_range_of_its_declaration() {
        let ranges = Ranges::<Forces>::default();
        assert!(ranges.words.iter().enumerate().all(|(index, range)| range.word == index));
        let mut forces = Forces { wheel_count: 2, ..Forces::zeroed() };
        assert_eq!(ranges.outside(&forces).count(), 0);
        forces.steering.rack_acceleration_m_s2 = 1_001.0;
        forces.wheels[1].force_n.z = f64::NAN;
        forces.wheels[2].force_n.z = f64::NAN;
        let outside: Vec<&str> = ranges.outside(&forces).map(|range| range.field.name).collect();
        assert_eq!(outside, ["rack_acceleration_m_s2", "force_n"], "the third wheel is not in use");
    }

    #[test]
    fn a_signed_number_is_read_with_its_sign() {
        let ranges = Ranges::<DriverInput>::default();
        let gear = ranges.words.iter().find(|range| range.field.name == "gear").expect("a gear");
        assert_eq!((gear.least, gear.most), (-1.0, 12.0));
        assert!(gear.contains((-1_i64).cast_unsigned()) && !gear.contains((-128_i64).cast_unsigned()));
    }
}
