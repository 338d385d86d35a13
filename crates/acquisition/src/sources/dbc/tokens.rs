//! The words of a database, each with its line.

use super::DatabaseError;
use super::parse::wrong;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A keyword or a name.
    Word(String),
    /// As written.
    Number(String),
    /// Between quotation marks.
    Text(String),
    /// One of `: | @ ( ) [ ] , ; + -`.
    Mark(char),
}

impl std::fmt::Display for Token {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Word(word) | Self::Number(word) => write!(formatter, "{word}"),
            Self::Text(text) => write!(formatter, "\"{text}\""),
            Self::Mark(mark) => write!(formatter, "{mark}"),
        }
    }
}

/// A word and the line that it is in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placed {
    pub token: Token,
    pub line: usize,
}

/// Splits a text into words.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, DatabaseError> {
    let mut found = Vec::new();
    let (mut rest, mut line, mut before) = (text, 1, ' ');
    while let Some(first) = rest.chars().next() {
        // The sign of `(1,-40)` belongs to a number, those of `@1-` and of the range `0-3` do not.
        let begins_number = || !before.is_alphanumeric() && rest[1..].starts_with(|next: char| is_of_number(next));
        let (token, length) = match first {
            '"' => {
                let problem = || wrong(line, "the text that begins here has no closing quotation mark");
                quoted(rest).map(|(text, length)| (Some(Token::Text(text)), length)).ok_or_else(problem)?
            }
            '+' | '-' if begins_number() => number(rest),
            ':' | '|' | '@' | '(' | ')' | '[' | ']' | ',' | ';' | '+' | '-' => (Some(Token::Mark(first)), 1),
            _ if is_of_number(first) => number(rest),
            _ if is_name(first) => {
                let length = rest.find(|character| !is_name(character)).unwrap_or(rest.len());
                (Some(Token::Word(rest[..length].to_owned())), length)
            }
            '/' if rest.starts_with("//") => (None, rest.find('\n').unwrap_or(rest.len())),
            _ if first.is_whitespace() || first == '\u{1a}' => (None, first.len_utf8()),
            _ => return Err(wrong(line, format!("the character {first:?} has no place here"))),
        };
        found.extend(token.map(|token| Placed { token, line }));
        let (taken, left) = rest.split_at(length);
        line += taken.matches('\n').count();
        before = taken.chars().next_back().unwrap_or(' ');
        rest = left;
    }
    Ok(found)
}

fn number(rest: &str) -> (Option<Token>, usize) {
    let mut before = ' ';
    let ends = |(at, character): &(usize, char)| {
        let is_sign = matches!(character, '+' | '-') && (*at == 0 || matches!(before, 'e' | 'E'));
        before = *character;
        !(character.is_ascii_alphanumeric() || *character == '.' || is_sign)
    };
    let length = rest.char_indices().find(ends).map_or(rest.len(), |(at, _)| at);
    (Some(Token::Number(rest[..length].to_owned())), length)
}

/// A text in quotation marks, and its length with them.
fn quoted(rest: &str) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut characters = rest.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((text, at + 1)),
            '\\' if characters.next_if(|(_, next)| *next == '"').is_some() => text.push('"'),
            _ => text.push(character),
        }
    }
    None
}

fn is_of_number(character: char) -> bool {
    character.is_ascii_digit() || character == '.'
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}
