//! Faults on purpose, to test a reader.

use crate::{Random, Settings};

/// Something that happens again and again, first after `every_s`, each time for `lasting_s`.
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

/// What was done to a block, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome(pub u64);

impl Outcome {
    /// A bit was turned.
    pub const CORRUPTED: u64 = 1;
    /// Random bytes were put in.
    pub const GARBAGE: u64 = 2;
    /// It was not sent.
    pub const LOST: u64 = 4;
    /// It was sent twice.
    pub const DUPLICATED: u64 = 8;
    /// There was no room for it.
    pub const OVERFLOWED: u64 = 16;
    /// There was no reader.
    pub const UNREAD: u64 = 32;

    /// Names of the bits, from the lowest on.
    const NAMES: [&str; 6] = ["corrupted", "garbage", "lost", "duplicated", "overflowed", "unread"];

    /// Whether this was done.
    pub const fn has(self, what: u64) -> bool {
        self.0 & what != 0
    }

    /// Their names, with `+` between them; empty for none.
    pub fn words(self) -> String {
        let named = (0..).zip(Self::NAMES).filter(|(bit, _)| self.has(1 << bit));
        named.map(|(_, name)| name).collect::<Vec<_>>().join("+")
    }
}

pub(crate) struct FaultInjector {
    settings: Settings,
    random: Random,
}

impl FaultInjector {
    pub fn new(settings: &Settings) -> Self {
        Self { settings: settings.clone(), random: Random::new(settings.seed) }
    }

    /// How late the next block comes (ns).
    pub fn delay_ns(&mut self) -> u64 {
        (self.settings.jitter_us * 1e3 * self.random.unit()) as u64
    }

    /// Changes the bytes of a block, and says what was done.
    pub fn inject(&mut self, bytes: &mut Vec<u8>) -> Outcome {
        let Settings { corrupt, garbage, lose, duplicate, .. } = self.settings;
        let faults = [
            (lose, Outcome::LOST),
            (corrupt, Outcome::CORRUPTED),
            (garbage, Outcome::GARBAGE),
            (duplicate, Outcome::DUPLICATED),
        ];
        let chance = |done, (probability, what)| done | if self.random.happens(probability) { what } else { 0 };
        let done = Outcome(faults.into_iter().fold(0, chance));
        if done.has(Outcome::LOST) {
            bytes.clear();
            return Outcome(Outcome::LOST);
        }
        if done.has(Outcome::DUPLICATED) {
            bytes.extend_from_within(..);
        }
        if done.has(Outcome::CORRUPTED) {
            let bit = self.random.below(bytes.len() as u64 * 8) as usize;
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        if done.has(Outcome::GARBAGE) {
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
        let injected = |settings: Settings, byte: u8| {
            let mut bytes = vec![byte; 8];
            let done = FaultInjector::new(&settings).inject(&mut bytes);
            (bytes, done.words(), done.0)
        };
        let (bytes, words, bits) = injected(Settings { corrupt: 1.0, ..Settings::default() }, 0);
        assert_eq!(bytes.iter().map(|byte| byte.count_ones()).sum::<u32>(), 1);
        assert_eq!((words.as_str(), bits), ("corrupted", 1));
        let (bytes, words, bits) = injected(Settings { garbage: 1.0, duplicate: 1.0, ..Settings::default() }, 0);
        assert!((17..=32).contains(&bytes.len()), "{}", bytes.len());
        assert_eq!((words.as_str(), bits), ("garbage+duplicated", 2 + 8));
        let (bytes, words, _) = injected(Settings { lose: 1.0, corrupt: 1.0, ..Settings::default() }, 0);
        assert!(bytes.is_empty() && words == "lost");
        assert_eq!(injected(Settings::default(), 3), (vec![3; 8], String::new(), 0));
    }
}
