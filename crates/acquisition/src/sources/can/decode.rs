//! From frames to the values of the wanted signals. Everything is looked up beforehand.
//!
//! Both forms of a frame begin with the identifier and its flags (32 bits, of this machine's byte
//! order) and the length (8 bits); data begins at byte 8. A classical frame has 16 bytes, one of
//! CAN FD 72 (linux/can.h).

use libc::{CAN_EFF_FLAG, CAN_EFF_MASK, CAN_ERR_FLAG, CAN_RTR_FLAG, CAN_SFF_MASK};

use super::super::dbc::{Database, Message, Place, Presence, Representation, signed};
use crate::{RAW_MAX, Sample};

/// Size of the longest frame (B).
pub(super) const LONGEST_BYTES: usize = 72;
const CLASSICAL_BYTES: usize = 16;
const DATA_AT: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It carries data.
    Data,
    /// It asks another node for data.
    Remote,
    /// The controller reports an error on the bus.
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    pub kind: Kind,
    pub id: u32,
    /// Whether the identifier has 29 bits.
    pub extended: bool,
    pub data: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Takes a frame apart; `None` if the bytes are none.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        if bytes.len() != CLASSICAL_BYTES && bytes.len() != LONGEST_BYTES {
            return None;
        }
        let word = u32::from_ne_bytes(bytes.get(..4)?.try_into().ok()?);
        let length = usize::from(bytes[4]);
        let data = bytes.get(DATA_AT..DATA_AT + length)?;
        let extended = word & CAN_EFF_FLAG != 0;
        Some(Self {
            kind: match word {
                _ if word & CAN_ERR_FLAG != 0 => Kind::Error,
                _ if word & CAN_RTR_FLAG != 0 => Kind::Remote,
                _ => Kind::Data,
            },
            id: word & if extended { CAN_EFF_MASK } else { CAN_SFF_MASK },
            extended,
            data,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Its signals are in the sample; so many were refused, because they lay outside their range or
    /// were no number.
    Decoded { refused: u32 },
    /// None of the wanted signals is in it.
    NotWanted,
    /// It is shorter than the database says.
    TooShort,
}

#[derive(Clone, Debug)]
pub struct Decoder {
    pub channels: Vec<String>,
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

    /// Identifier and mask of each message as the kernel's filters want them: data frames only.
    pub fn filters(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.messages.iter().map(|message| match message.key {
            (id, true) => (id | CAN_EFF_FLAG, CAN_EFF_MASK | CAN_EFF_FLAG | CAN_RTR_FLAG),
            (id, false) => (id, CAN_SFF_MASK | CAN_EFF_FLAG | CAN_RTR_FLAG),
        })
    }

    /// Puts the signals of a data frame into a sample.
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
        let range = signal.range.filter(|_| check_range);
        Self {
            channel,
            place: signal.place,
            representation: signal.representation,
            factor: signal.factor,
            offset: signal.offset,
            range: range.map_or((f64::NEG_INFINITY, f64::INFINITY), with_room_for_rounding),
            conditions,
        }
    }

    fn is_in(&self, data: &[u8]) -> bool {
        self.conditions.iter().all(|condition| {
            let value = condition.selector.raw(data);
            value.is_some_and(|value| condition.ranges.iter().any(|&(from, to)| (from..=to).contains(&value)))
        })
    }

    /// value = raw · factor + offset, if that is a number within the range.
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
