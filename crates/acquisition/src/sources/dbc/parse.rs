//! From words to messages and signals.

use super::tokens::{Placed, Token, tokens};
use super::{Database, DatabaseError, Message};

/// Statements that decoding does not need; they end with a semicolon.
const PASSED_OVER: &str = "BA_ BA_DEF_ BA_DEF_DEF_ BA_DEF_DEF_REL_ BA_DEF_REL_ BA_DEF_SGTYPE_ BA_REL_ BA_SGTYPE_ \
    BO_TX_BU_ CAT_ CAT_DEF_ CM_ ENVVAR_DATA_ EV_ EV_DATA_ FILTER SGTYPE_ SGTYPE_VAL_ SIG_GROUP_ SIG_TYPE_REF_ \
    SIGTYPE_VALTYPE_ VAL_ VAL_TABLE_";

pub(super) fn is_passed_over(keyword: &str) -> bool {
    PASSED_OVER.split(' ').any(|known| known == keyword)
}

/// Vector's message for signals that belong to none.
pub(super) const INDEPENDENT_SIGNALS: u32 = 0xC000_0000;
pub(super) const EXTENDED: u32 = 1 << 31;
/// A CAN FD frame.
pub(super) const LONGEST_FRAME_BYTES: u64 = 64;

pub(super) fn database(text: &str) -> Result<Database, DatabaseError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, database: Database::default(), selected: Vec::new() };
    while let Some(placed) = parser.next() {
        parser.statement(placed)?;
    }
    parser.finish()
}

/// A signal whose selector is known only when the whole file is read.
pub(super) struct Selected {
    pub(super) message: usize,
    pub(super) signal: usize,
    pub(super) value: u64,
    pub(super) line: usize,
}

/// What is left to read, and what was read.
pub(super) struct Parser<'a> {
    pub(super) tokens: &'a [Placed],
    pub(super) at: usize,
    pub(super) database: Database,
    pub(super) selected: Vec<Selected>,
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
        let (number, line) = self.whole("the message's identifier")?;
        let name = self.name("the message's name")?;
        self.mark(':')?;
        let (length_bytes, _) = self.whole("the message's length in bytes")?;
        self.name("the message's sender")?;
        let id =
            u32::try_from(number).map_err(|_| wrong(line, format!("the identifier {number} has more than 32 bits")))?;
        let (extended, id) = (id & EXTENDED != 0, id & !EXTENDED);
        let independent = number == u64::from(INDEPENDENT_SIGNALS);
        let greatest = if extended { 0x1FFF_FFFF } else { 0x7FF };
        if id > greatest && !independent {
            return Err(wrong(line, format!("the identifier of message {name} is {id}, the greatest is {greatest}")));
        }
        if length_bytes > LONGEST_FRAME_BYTES && !independent {
            return refuse(line, format!("message {name} has {length_bytes} bytes, the most is {LONGEST_FRAME_BYTES}"));
        }
        let same = |other: &&Message| (other.id, other.extended) == (id, extended) || other.name == name;
        if let Some(other) = self.database.messages.iter().find(same) {
            return refuse(
                line,
                format!("message {name} ({id}) was declared before, as {} ({})", other.name, other.id),
            );
        }
        self.database.messages.push(Message {
            id,
            extended,
            name,
            length_bytes: length_bytes as usize,
            signals: Vec::new(),
        });
        Ok(())
    }
}

pub(super) fn refuse<T>(line: usize, problem: impl Into<String>) -> Result<T, DatabaseError> {
    Err(wrong(line, problem))
}

pub(super) fn wrong(line: usize, problem: impl Into<String>) -> DatabaseError {
    DatabaseError { line, problem: problem.into() }
}

pub(super) fn shown(token: Option<&Token>) -> String {
    token.map_or_else(|| "the end of the file".to_owned(), Token::to_string)
}
