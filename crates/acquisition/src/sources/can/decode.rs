//! From frames to the values of the wanted signals. Everything is looked up beforehand.

use libc::{CAN_EFF_FLAG, CAN_EFF_MASK, CAN_RTR_FLAG, CAN_SFF_MASK};

use super::super::dbc::{Database, Message, Place, Presence, Representation, signed};
use super::frame::Frame;
use crate::{RAW_MAX, Sample};

/// What became of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Its signals are in the sample; so many were refused, because they lay outside their range or
    /// were no number.
    Decoded {
        /// How many were refused.
        refused: u32,
    },
    /// None of the wanted signals is in it.
    NotWanted,
    /// It is shorter than the database says.
    TooShort,
}

/// The wanted signals of a bus.
#[derive(Clone, Debug)]
pub struct Decoder {
    channels: Vec<String>,
    /// By identifier.
    messages: Vec<WantedMessage>,
}

#[derive(Clone, Debug)]
struct WantedMessage {
    key: (u32, bool),
    length_bytes: usize,
    signals: Vec<WantedSignal>,
}

#[derive(Clone, Debug)]
struct WantedSignal {
    channel: usize,
    place: Place,
    representation: Representation,
    factor: f64,
    offset: f64,
    range: (f64, f64),
    conditions: Vec<Condition>,
}

/// The raw value of a selecting signal has to be within one of the ranges.
#[derive(Clone, Debug)]
struct Condition {
    selector: Place,
    ranges: Vec<(u64, u64)>,
}

impl Decoder {
    /// Looks the signals up. They become channels, in the order given.
    pub fn new(database: &Database, names: &[String], check_range: bool) -> Result<Self, String> {
        if names.is_empty() || names.len() > RAW_MAX {
            return Err(format!("{} signals are wanted; 1 to {RAW_MAX} are possible", names.len()));
        }
        let mut messages: Vec<WantedMessage> = Vec::new();
        for (channel, name) in names.iter().enumerate() {
            if names[..channel].contains(name) {
                return Err(format!("signal {name} is wanted twice"));
            }
            let (message, index) = database.find(name)?;
            let signal = WantedSignal::new(message, index, channel, check_range);
            let key = (message.id, message.extended);
            match messages.iter_mut().find(|wanted| wanted.key == key) {
                Some(wanted) => wanted.signals.push(signal),
                None => messages.push(WantedMessage { key, length_bytes: message.length_bytes, signals: vec![signal] }),
            }
        }
        messages.sort_by_key(|message| message.key);
        Ok(Self { channels: names.to_vec(), messages })
    }

    /// The names of the signals.
    pub fn channels(&self) -> &[String] {
        &self.channels
    }

    /// Identifier and mask of each wanted message, as the kernel's filters want them: data frames
    /// only.
    pub fn filters(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.messages.iter().map(|message| match message.key {
            (id, true) => (id | CAN_EFF_FLAG, CAN_EFF_MASK | CAN_EFF_FLAG | CAN_RTR_FLAG),
            (id, false) => (id, CAN_SFF_MASK | CAN_EFF_FLAG | CAN_RTR_FLAG),
        })
    }

    /// Puts the signals of a data frame into a sample.
    #[inline]
    pub fn decode(&self, frame: &Frame<'_>, sample: &mut Sample) -> Verdict {
        let key = (frame.id, frame.extended);
        let Ok(index) = self.messages.binary_search_by_key(&key, |message| message.key) else {
            return Verdict::NotWanted;
        };
        let message = &self.messages[index];
        if frame.data.len() < message.length_bytes {
            return Verdict::TooShort;
        }
        let (mut carried, mut refused) = (0, 0);
        for signal in message.signals.iter().filter(|signal| signal.is_in(frame.data)) {
            carried += 1;
            match signal.value(frame.data) {
                Some(value) => sample.set(signal.channel, value),
                None => refused += 1,
            }
        }
        match carried {
            0 => Verdict::NotWanted,
            _ => Verdict::Decoded { refused },
        }
    }
}

impl WantedSignal {
    fn new(message: &Message, index: usize, channel: usize, check_range: bool) -> Self {
        let signal = &message.signals[index];
        let mut conditions = Vec::new();
        let mut at = signal;
        while let Presence::When { selector, ranges } = &at.presence {
            at = &message.signals[*selector];
            conditions.push(Condition { selector: at.place, ranges: ranges.clone() });
        }
        Self {
            channel,
            place: signal.place,
            representation: signal.representation,
            factor: signal.factor,
            offset: signal.offset,
            range: signal
                .range
                .filter(|_| check_range)
                .map_or((f64::NEG_INFINITY, f64::INFINITY), with_room_for_rounding),
            conditions,
        }
    }

    #[inline]
    fn is_in(&self, data: &[u8]) -> bool {
        self.conditions.iter().all(|condition| {
            let value = condition.selector.raw(data);
            value.is_some_and(|value| condition.ranges.iter().any(|&(from, to)| (from..=to).contains(&value)))
        })
    }

    /// value = raw · factor + offset, if that is a number within the range.
    #[inline]
    fn value(&self, data: &[u8]) -> Option<f64> {
        let raw = self.place.raw(data)?;
        let raw = match self.representation {
            Representation::Unsigned => raw as f64,
            Representation::Signed => signed(raw, self.place.length_bits) as f64,
            Representation::Single => f64::from(f32::from_bits(raw as u32)),
            Representation::Double => f64::from_bits(raw),
        };
        let value = raw * self.factor + self.offset;
        (value.is_finite() && value >= self.range.0 && value <= self.range.1).then_some(value)
    }
}

/// The ends of a range are written in decimals, the value at an end comes from a multiplication.
fn with_room_for_rounding((least, greatest): (f64, f64)) -> (f64, f64) {
    let room = 1e-9 * (greatest - least).abs();
    (least - room, greatest + room)
}
