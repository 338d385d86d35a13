//! From words to messages and signals, and what can be said only when the whole file is read: who
//! selects whom, and whether everything fits.

use std::collections::HashSet;

use super::tokens::{Placed, Token, tokens};
use super::{Database, DatabaseError, Message, Presence};

/// Statements that decoding does not need; they end with a semicolon.
const PASSED_OVER: &str = "BA_ BA_DEF_ BA_DEF_DEF_ BA_DEF_DEF_REL_ BA_DEF_REL_ BA_DEF_SGTYPE_ BA_REL_ BA_SGTYPE_ \
    BO_TX_BU_ CAT_ CAT_DEF_ CM_ ENVVAR_DATA_ EV_ EV_DATA_ FILTER SGTYPE_ SGTYPE_VAL_ SIG_GROUP_ SIG_TYPE_REF_ \
    SIGTYPE_VALTYPE_ VAL_ VAL_TABLE_";

pub(super) fn is_passed_over(keyword: &str) -> bool {
    PASSED_OVER.split(' ').any(|known| known == keyword)
}

/// Vector's message for signals that belong to none.
const INDEPENDENT_SIGNALS: u32 = 0xC000_0000;
const EXTENDED: u32 = 1 << 31;
/// A CAN FD frame.
pub(super) const LONGEST_FRAME_BYTES: u64 = 64;

pub(super) fn database(text: &str) -> Result<Database, DatabaseError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, database: Database::default(), selected: Vec::new() };
    while let Some(placed) = parser.next() {
        parser.statement(placed)?;
    }
    let Parser { mut database, selected, .. } = parser;
    selected.into_iter().try_for_each(|selected| find_selector(&mut database.messages[selected.message], &selected))?;
    database.messages.retain(|message| !(message.extended && message.id == INDEPENDENT_SIGNALS & !EXTENDED));
    database.messages.iter().try_for_each(check_message)?;
    Ok(database)
}

/// A signal whose selector is known only when the whole file is read.
pub(super) struct Selected {
    pub message: usize,
    pub signal: usize,
    pub value: u64,
    pub line: usize,
}

/// What is left to read, and what was read.
pub(super) struct Parser<'a> {
    pub tokens: &'a [Placed],
    pub at: usize,
    pub database: Database,
    pub selected: Vec<Selected>,
}

impl<'a> Parser<'a> {
    fn statement(&mut self, placed: &'a Placed) -> Result<(), DatabaseError> {
        let Token::Word(keyword) = &placed.token else {
            return refuse(placed.line, format!("expected a statement such as BO_ or SG_, found {}", placed.token));
        };
        match keyword.as_str() {
            "BO_" => self.message(),
            "SG_" => self.signal(placed.line),
            "SG_MUL_VAL_" => self.extended_multiplexing(),
            "SIG_VALTYPE_" => self.value_type(),
            "VERSION" => self.next().map(|_| ()).ok_or_else(|| wrong(placed.line, "VERSION wants a text")),
            "NS_" | "BS_" | "BU_" => {
                self.pass_list();
                Ok(())
            }
            known if is_passed_over(known) => self.pass_over(placed),
            unknown => refuse(placed.line, format!("unknown statement {unknown}")),
        }
    }

    /// `BO_ 256 Name: 8 Sender`
    fn message(&mut self) -> Result<(), DatabaseError> {
        let (number, line) = self.number::<u64>("the message's identifier")?;
        let name = self.name("the message's name")?;
        self.mark(':')?;
        let length_bytes = self.whole("the message's length in bytes")?;
        self.name("the message's sender")?;
        let refused = |problem: String| refuse(line, problem);
        let Ok(id) = u32::try_from(number) else {
            return refused(format!("the identifier {number} has more than 32 bits"));
        };
        let (extended, independent, id) = (id & EXTENDED != 0, id == INDEPENDENT_SIGNALS, id & !EXTENDED);
        let greatest = if extended { 0x1FFF_FFFF } else { 0x7FF };
        if id > greatest && !independent {
            return refused(format!("the identifier of message {name} is {id}, the greatest is {greatest}"));
        }
        if length_bytes > LONGEST_FRAME_BYTES && !independent {
            return refused(format!("message {name} has {length_bytes} bytes, the most is {LONGEST_FRAME_BYTES}"));
        }
        let messages = &mut self.database.messages;
        let same = |other: &&Message| (other.id, other.extended) == (id, extended) || other.name == name;
        if let Some(other) = messages.iter().find(same) {
            return refused(format!("message {name} ({id}) was declared before, as {} ({})", other.name, other.id));
        }
        let (length_bytes, signals) = (length_bytes as usize, Vec::new());
        messages.push(Message { id, extended, name, length_bytes, signals });
        Ok(())
    }
}

/// A signal without a line `SG_MUL_VAL_` has the message's only selector.
fn find_selector(message: &mut Message, selected: &Selected) -> Result<(), DatabaseError> {
    if message.signals[selected.signal].presence != Presence::Always {
        return Ok(());
    }
    let others = (0..message.signals.len()).filter(|&index| index != selected.signal);
    let selectors: Vec<usize> = others.filter(|&index| message.signals[index].selects).collect();
    let signal = &mut message.signals[selected.signal];
    let [selector] = selectors[..] else {
        let problem = format!(
            "{} is multiplexed; message {} needs one selector (M), or a line SG_MUL_VAL_ that names it",
            signal.name, message.name
        );
        return refuse(selected.line, problem);
    };
    signal.presence = Presence::When { selector, ranges: vec![(selected.value, selected.value)] };
    Ok(())
}

/// Selectors lead to a signal that is always there, and every signal lies within its message.
fn check_message(message: &Message) -> Result<(), DatabaseError> {
    for (index, signal) in message.signals.iter().enumerate() {
        let (mut seen, mut at) = (HashSet::new(), index);
        while let Presence::When { selector, .. } = &message.signals[at].presence {
            if !seen.insert(at) {
                return refuse(signal.line, format!("{} is selected by itself", signal.name));
            }
            at = *selector;
        }
        let last = signal.place.bytes().1;
        if last >= message.length_bytes {
            let Message { name, length_bytes, .. } = message;
            let problem =
                format!("{} reaches into byte {last}, but message {name} has {length_bytes} bytes", signal.name);
            return refuse(signal.line, problem);
        }
    }
    Ok(())
}

pub(super) fn refuse<T>(line: usize, problem: impl Into<String>) -> Result<T, DatabaseError> {
    Err(wrong(line, problem))
}

pub(super) fn wrong(line: usize, problem: impl Into<String>) -> DatabaseError {
    DatabaseError { line, problem: problem.into() }
}
