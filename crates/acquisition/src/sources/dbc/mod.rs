//! CAN databases (DBC): which signals a bus carries, and where their bits lie.
//!
//! Only what decoding needs is kept: messages, signals, multiplexing and floating-point signals.
//! Everything else that the format knows (comments, attributes, tables of names) is recognised and
//! passed over.

mod bits;
mod parse;
mod signal;
mod tokens;
mod words;

pub(crate) use bits::signed;
pub use bits::{ByteOrder, Place};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Database {
    pub messages: Vec<Message>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Identifier on the bus: 11 bits, or 29 if `extended`.
    pub id: u32,
    /// Whether the identifier has 29 bits.
    pub extended: bool,
    pub name: String,
    pub length_bytes: usize,
    pub signals: Vec<Signal>,
}

/// One number in a message: value = raw · factor + offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    pub name: String,
    pub place: Place,
    pub representation: Representation,
    /// What one count is worth.
    pub factor: f64,
    /// The value of zero counts.
    pub offset: f64,
    /// Least and greatest value; `None` where two equal numbers stand for "not said".
    pub range: Option<(f64, f64)>,
    pub unit: String,
    /// Whether other signals are there only for some values of this one.
    pub selects: bool,
    pub presence: Presence,
    pub line: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Representation {
    /// A whole number, zero or more.
    Unsigned,
    /// A whole number in two's complement.
    Signed,
    /// An IEEE number of 32 bits.
    Single,
    /// An IEEE number of 64 bits.
    Double,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    Always,
    /// When the raw value of another signal of the message is in a range, ends included.
    When {
        selector: usize,
        ranges: Vec<(u64, u64)>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct DatabaseError {
    /// Line in the file, from 1.
    pub line: usize,
    pub problem: String,
}

impl Database {
    /// Reads a database. Bytes that are not UTF-8 are taken as Latin-1, as most files are written.
    pub fn read(bytes: &[u8]) -> Result<Self, DatabaseError> {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
        };
        parse::database(text.trim_start_matches('\u{feff}'))
    }

    /// The message and the signal of a name: `Message.Signal`, or the signal's name alone if no
    /// other message has it.
    pub fn find(&self, name: &str) -> Result<(&Message, usize), String> {
        let (message_name, signal_name) = match name.split_once('.') {
            Some((message, signal)) => (Some(message), signal),
            None => (None, name),
        };
        let named = self.messages.iter().filter(|message| message_name.is_none_or(|name| name == message.name));
        let mut found = named.filter_map(|message| {
            let index = message.signals.iter().position(|signal| signal.name == signal_name)?;
            Some((message, index))
        });
        match (found.next(), found.next()) {
            (Some(only), None) => Ok(only),
            (Some((first, _)), Some((second, _))) => Err(format!(
                "{name} is in several messages: write {}.{signal_name} or {}.{signal_name}",
                first.name, second.name
            )),
            (None, _) => Err(self.unknown(message_name, name)),
        }
    }

    fn unknown(&self, message_name: Option<&str>, name: &str) -> String {
        let message = message_name.and_then(|name| self.messages.iter().find(|message| message.name == name));
        let (what, names): (_, Vec<&str>) = match message {
            Some(Message { name, signals, .. }) => {
                (format!("message {name} has the signals"), signals.iter().map(|signal| signal.name.as_str()).collect())
            }
            None => {
                ("it has the messages".to_owned(), self.messages.iter().map(|message| message.name.as_str()).collect())
            }
        };
        let shown = names[..names.len().min(20)].join(", ");
        let more = if names.len() > 20 { ", …" } else { "" };
        format!("there is no signal {name}; {what} {shown}{more}")
    }
}

#[cfg(test)]
mod tests;
