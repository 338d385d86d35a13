//! `/overrides/`: what a person at the gateway puts in the place of a driver's or operator's
//! signals, who has the driver's seat, and how fast the run goes.
//!
//! The process that uses a signal applies them to what its block says, each time that it takes the
//! block over. They hold only as long as they are published again and again: when the gateway dies,
//! the originals are back after the driver's time-out, a vehicle whose seat was taken stops safely,
//! and a run that was held goes on.

use bytemuck::{Pod, Zeroable};

use crate::library::NUMBERS_PER_BLOCK;
use crate::{Block, Field, Kind, Layout, Payload, Stamp};

/// Most signals that can be overridden at a time.
pub const OVERRIDES_MAX: usize = 64;

/// The run's own driver drives.
pub const SEAT_OF_RUN: u64 = 0;
/// A person at the gateway drives.
pub const SEAT_TAKEN: u64 = 1;
/// A person drove and let go: the vehicle stops safely and stands.
pub const SEAT_LEFT: u64 = 2;

/// The run goes at its own pace: a step in every period.
pub const PACE_OF_RUN: f64 = 1.0;
/// The run is held: no step, but for single ones that are asked for.
pub const PACE_HELD: f64 = 0.0;

/// One signal with another value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, Layout)]
#[repr(C)]
pub struct Override {
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Number of the signal in the library.
    pub number: u64,
    /// [-] [@range -1e308..1e308] [@invalid NaN] The value, in the unit of the signal; one that is
    /// not known leaves the original.
    pub value: f64,
}

/// Overridden signals.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[layout(count = "override_count", tail = "overrides")]
#[repr(C)]
pub struct Overrides {
    /// When.
    pub stamp: Stamp,
    /// [-] [@range 0..2] [@invalid 0] Who drives: 0 the run's own driver, 1 a person at the
    /// gateway, 2 nobody since that person let go.
    pub seat: u64,
    /// [-] [@range 0..1] [@invalid NaN] Steps that the run makes in a period: 1 its own pace, 0 held,
    /// 0.1 slow motion; one that is not known is its own pace.
    pub pace_ratio: f64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] How many single steps were asked for ever;
    /// one is made for each that is asked for while the run is held.
    pub steps_asked: u64,
    /// [-] [@range 0..64] [@invalid 0] How many signals are overridden.
    pub override_count: u64,
    /// The signals.
    pub overrides: [Override; OVERRIDES_MAX],
}

impl Default for Overrides {
    fn default() -> Self {
        Self { pace_ratio: PACE_OF_RUN, ..Self::zeroed() }
    }
}

impl Overrides {
    /// The signals that are overridden.
    #[inline]
    #[must_use]
    pub fn list(&self) -> &[Override] {
        &self.overrides[..(self.override_count as usize).min(OVERRIDES_MAX)]
    }

    /// Overrides one more signal; false where there is no room.
    pub fn add(&mut self, number: u64, value: f64) -> bool {
        let count = self.list().len();
        let has_room = count < OVERRIDES_MAX;
        if has_room {
            self.overrides[count] = Override { number, value };
            self.override_count = count as u64 + 1;
        }
        has_room
    }

    /// Whether they were published within this time.
    #[inline]
    #[must_use]
    pub const fn are_fresh(&self, now_ns: u64, within_ns: u64) -> bool {
        now_ns.saturating_sub(self.stamp.publish_ns) <= within_ns
    }

    /// How fast the run is to go: within its range, and its own pace where it is not known.
    #[inline]
    #[must_use]
    pub const fn pace(&self) -> f64 {
        if self.pace_ratio.is_nan() { PACE_OF_RUN } else { self.pace_ratio.clamp(PACE_HELD, PACE_OF_RUN) }
    }

    /// Puts the values into a copy of a block; its stamp cannot be overridden. Real-time safe.
    #[inline]
    pub fn apply<T: Payload>(&self, block: Block<T>, payload: &mut T) {
        let first = u64::from(block.entry().number) * NUMBERS_PER_BLOCK;
        let stamp_words = size_of::<Stamp>() / 8;
        for it in self.list().iter().filter(|it| it.value.is_finite()) {
            let word = it.number.checked_sub(first).map_or(usize::MAX, |word| word as usize);
            if word >= stamp_words
                && let Some(place) = payload.words_mut().get_mut(word)
            {
                *place = as_word(kind_of(T::FIELDS, word), it.value);
            }
        }
    }
}

/// What a word of a block is.
#[inline]
fn kind_of(fields: &'static [Field], word: usize) -> Kind {
    let field = fields.iter().rev().find(|field| field.word <= word);
    match field {
        Some(field) if field.kind == Kind::Structure => {
            kind_of(field.nested, (word - field.word) % field.words_each.max(1))
        }
        Some(field) => field.kind,
        None => Kind::Float,
    }
}

/// A number as a word of this kind; a whole number is the nearest.
#[inline]
fn as_word(kind: Kind, value: f64) -> u64 {
    match kind {
        Kind::Float | Kind::Structure => value.to_bits(),
        Kind::Signed => (value.round() as i64).cast_unsigned(),
        Kind::Unsigned => value.round() as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::{DEMANDS, DRIVER, DriverInput};
    use crate::library::Library;

    #[test]
    fn what_is_overridden_changes_and_nothing_else() {
        let library = Library::new();
        let number = |name: &str| library.by_name(name).expect("declared").number;
        let mut overrides = Overrides::default();
        for (name, value) in [
            ("driver.throttle_ratio", 0.5),
            ("driver.brake_ratio", f64::NAN),
            ("demands.demands[0]", 7.0),
            ("driver.stamp.step", 3.0),
            ("driver.gear", -1.0),
            ("driver.imposed.angle_rad", 0.125),
        ] {
            assert!(overrides.add(number(name), value));
        }
        let before = DriverInput { brake_ratio: 0.25, ..DriverInput::RELEASED };
        let mut driver = before;
        overrides.apply(DRIVER, &mut driver);
        let mut expected = DriverInput { throttle_ratio: 0.5, gear: -1, ..before };
        expected.imposed.angle_rad = 0.125;
        assert_eq!(driver.words(), expected.words());
        let mut demands = crate::blocks::Demands::default();
        overrides.apply(DEMANDS, &mut demands);
        assert_eq!(demands.demands[0], 7.0);
    }

    #[test]
    fn numbers_of_other_blocks_and_too_many_are_no_harm() {
        let mut overrides = Overrides::default();
        for number in [0, 9_999, 10_000 + 9_999, u64::MAX] {
            assert!(overrides.add(number, 1.0));
        }
        let mut driver = DriverInput::RELEASED;
        overrides.apply(DRIVER, &mut driver);
        assert_eq!(driver.words(), DriverInput::RELEASED.words());
        while overrides.add(1, 1.0) {}
        assert_eq!(overrides.list().len(), OVERRIDES_MAX);
        overrides.override_count = u64::MAX;
        assert_eq!(overrides.list().len(), OVERRIDES_MAX);
    }

    #[test]
    fn a_pace_is_that_of_the_run_unless_it_is_asked_for() {
        let pace = |pace_ratio| Overrides { pace_ratio, ..Overrides::default() }.pace();
        assert_eq!(Overrides::default().pace(), PACE_OF_RUN);
        for (asked, taken) in [(0.0, 0.0), (0.1, 0.1), (1.0, 1.0), (-3.0, 0.0), (7.0, 1.0), (f64::NAN, 1.0)] {
            assert_eq!(pace(asked), taken, "{asked}");
        }
    }

    #[test]
    fn they_hold_only_for_a_while() {
        let overrides = Overrides { stamp: Stamp { publish_ns: 1_000, ..Stamp::default() }, ..Overrides::default() };
        assert!(overrides.are_fresh(1_500, 500) && overrides.are_fresh(0, 0));
        assert!(!overrides.are_fresh(1_501, 500));
    }
}
