//! Faults on purpose, to test a reader.

use super::super::random::Random;

/// Something that happens again and again: the first time after `every_s`, each time for
/// `lasting_s`.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize)]
#[serde(try_from = "[f64; 2]")]
pub struct Repeated {
    /// From the beginning of one to the beginning of the next (s).
    pub every_s: f64,
    /// How long each lasts (s).
    pub lasting_s: f64,
}

impl Repeated {
    /// Whether it is under way at a time since the start (s), and which one.
    pub fn at(&self, time_s: f64) -> Option<u64> {
        let number = (time_s / self.every_s).floor();
        (number >= 1.0 && time_s - number * self.every_s < self.lasting_s).then_some(number as u64)
    }
}

const EVERY_LASTING: &str = "expected EVERY,LASTING in seconds, the second shorter than the first, such as 20,10";

impl TryFrom<[f64; 2]> for Repeated {
    type Error = String;

    fn try_from([every_s, lasting_s]: [f64; 2]) -> Result<Self, String> {
        let is_possible = every_s.is_finite() && 0.0 < lasting_s && lasting_s < every_s;
        is_possible.then_some(Self { every_s, lasting_s }).ok_or_else(|| EVERY_LASTING.to_owned())
    }
}

impl std::str::FromStr for Repeated {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse().unwrap_or(f64::NAN);
        let (every, lasting) = text.split_once(',').ok_or(EVERY_LASTING)?;
        [number(every), number(lasting)].try_into()
    }
}

/// Faults of the board and of the way to the reader. The default has none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faults {
    /// Each block comes late by up to this (µs).
    pub jitter_us: f64,
    /// Times in which the board measures nothing.
    pub stall: Option<Repeated>,
    /// Times in which the connection is closed.
    pub disconnect: Option<Repeated>,
    /// Blocks that are held back and then sent at once; 0 and 1 for none.
    pub burst: usize,
    /// Probability of one wrong bit in a block.
    pub corrupt: f64,
    /// Probability of up to 16 random bytes somewhere in a block.
    pub garbage: f64,
    /// Probability of a block that is never sent.
    pub lose: f64,
    /// Probability of a block that is sent twice.
    pub duplicate: f64,
    /// The bytes of every number come in the wrong order.
    pub swap: bool,
}

/// What was done to a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// A bit was turned.
    pub corrupted: bool,
    /// Random bytes were put in.
    pub garbage: bool,
    /// It was not sent.
    pub lost: bool,
    /// It was sent twice.
    pub duplicated: bool,
    /// There was no room for it.
    pub overflowed: bool,
    /// There was no reader.
    pub unread: bool,
}

impl Outcome {
    const NAMES: [&str; 6] = ["corrupted", "garbage", "lost", "duplicated", "overflowed", "unread"];

    fn all(self) -> [bool; 6] {
        [self.corrupted, self.garbage, self.lost, self.duplicated, self.overflowed, self.unread]
    }

    /// One bit for each, in the order of the fields.
    pub fn bits(self) -> u64 {
        self.all().into_iter().rev().fold(0, |bits, is_set| bits << 1 | u64::from(is_set))
    }

    /// Their names, with `+` between them; empty for none.
    pub fn words(self) -> String {
        let named = Self::NAMES.into_iter().zip(self.all());
        let words: Vec<&str> = named.filter(|(_, is_set)| *is_set).map(|(name, _)| name).collect();
        words.join("+")
    }
}

/// Puts the faults into the blocks, at random.
pub(crate) struct FaultInjector {
    faults: Faults,
    random: Random,
}

impl FaultInjector {
    pub(crate) fn new(faults: Faults, random: Random) -> Self {
        Self { faults, random }
    }

    /// How late the next block comes (ns).
    pub(crate) fn delay_ns(&mut self) -> u64 {
        (self.faults.jitter_us * 1e3 * self.random.unit()) as u64
    }

    /// Changes the bytes of a block, and says what was done.
    pub(crate) fn inject(&mut self, bytes: &mut Vec<u8>) -> Outcome {
        let Faults { corrupt, garbage, lose, duplicate, .. } = self.faults;
        let done = Outcome {
            lost: self.random.happens(lose),
            corrupted: self.random.happens(corrupt),
            garbage: self.random.happens(garbage),
            duplicated: self.random.happens(duplicate),
            ..Outcome::default()
        };
        if done.lost {
            bytes.clear();
            return Outcome { lost: true, ..Outcome::default() };
        }
        if done.duplicated {
            bytes.extend_from_within(..);
        }
        if done.corrupted {
            let bit = self.random.below(bytes.len() as u64 * 8) as usize;
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        if done.garbage {
            let place = self.random.below(bytes.len() as u64) as usize;
            let count = 1 + self.random.below(16);
            let random: Vec<u8> = (0..count).map(|_| self.random.bits() as u8).collect();
            bytes.splice(place..place, random);
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_times() {
        let stall: Repeated = "20, 10".parse().unwrap();
        assert_eq!(
            [0.0, 19.9, 20.0, 29.9, 30.0, 45.0].map(|time_s| stall.at(time_s)),
            [None, None, Some(1), Some(1), None, Some(2)]
        );
        for text in ["", "5", "5,5", "0,0", "a,b", "inf,1"] {
            assert!(text.parse::<Repeated>().unwrap_err().contains("EVERY,LASTING"), "{text}");
        }
    }

    #[test]
    fn chance_does_what_it_says_it_did() {
        let certain = Faults { corrupt: 1.0, ..Faults::default() };
        let mut bytes = vec![0; 8];
        let done = FaultInjector::new(certain, Random::new(1)).inject(&mut bytes);
        assert_eq!(bytes.iter().map(|byte| byte.count_ones()).sum::<u32>(), 1);
        assert_eq!((done.words().as_str(), done.bits()), ("corrupted", 1));

        let certain = Faults { garbage: 1.0, duplicate: 1.0, ..Faults::default() };
        let mut bytes = vec![0; 8];
        let done = FaultInjector::new(certain, Random::new(1)).inject(&mut bytes);
        assert!((17..=32).contains(&bytes.len()), "{}", bytes.len());
        assert_eq!((done.words().as_str(), done.bits()), ("garbage+duplicated", 2 + 8));

        let certain = Faults { lose: 1.0, corrupt: 1.0, ..Faults::default() };
        let mut bytes = vec![0; 8];
        let done = FaultInjector::new(certain, Random::new(1)).inject(&mut bytes);
        assert!(bytes.is_empty() && done.words() == "lost");

        let mut bytes = vec![3; 8];
        assert_eq!(FaultInjector::new(Faults::default(), Random::new(1)).inject(&mut bytes), Outcome::default());
        assert_eq!(bytes, [3; 8]);
    }
}
