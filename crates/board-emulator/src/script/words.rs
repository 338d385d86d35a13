//! A script as words and signs. DAPL has no difference between capitals and small letters: words
//! are given in capitals.

/// A place in a script, counted from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

/// Why a script is refused: where, what is wrong, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{origin}:{}:{}: {problem}", place.line, place.column)]
pub struct ScriptError {
    /// The file, or the name of a shipped script.
    pub origin: String,
    pub place: Place,
    pub problem: String,
}

/// What is wrong at a place; the file's name comes later.
pub type Problem = (Place, String);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Text(String),
    /// One of `( ) , =`.
    Sign(char),
    /// The end of a line that has something.
    End,
    /// No token, and why.
    Wrong(String),
}

/// The tokens of a script, taken one after the other.
pub(super) struct Words {
    tokens: Vec<(Place, Token)>,
    next: usize,
}

impl Words {
    pub fn of(text: &str) -> Self {
        let lines = (1..).zip(text.lines());
        Self { tokens: lines.flat_map(|(line, text)| tokens_of(line, text)).collect(), next: 0 }
    }

    pub fn is_over(&self) -> bool {
        self.next >= self.tokens.len()
    }

    pub fn is_at_end(&self) -> bool {
        matches!(self.tokens.get(self.next), Some((_, Token::End)))
    }

    pub fn word(&mut self, expected: &str) -> Result<(Place, String), Problem> {
        match self.take() {
            (place, Token::Word(word)) => Ok((place, word)),
            other => Err(unexpected(other, expected)),
        }
    }

    pub fn text(&mut self, expected: &str) -> Result<(Place, String), Problem> {
        match self.take() {
            (place, Token::Text(text)) => Ok((place, text)),
            other => Err(unexpected(other, expected)),
        }
    }

    pub fn sign(&mut self, sign: char) -> Result<(), Problem> {
        match self.take() {
            (_, Token::Sign(found)) if found == sign => Ok(()),
            other => Err(unexpected(other, &format!("`{sign}`"))),
        }
    }

    pub fn takes_sign(&mut self, sign: char) -> bool {
        let is_next = matches!(self.tokens.get(self.next), Some((_, Token::Sign(found))) if *found == sign);
        self.next += usize::from(is_next);
        is_next
    }

    pub fn number<T>(&mut self, range: std::ops::RangeInclusive<T>, what: &str) -> Result<T, Problem>
    where
        T: std::str::FromStr + PartialOrd + std::fmt::Display,
    {
        let expected = format!("{what}, a number from {} to {}", range.start(), range.end());
        let (place, word) = self.word(&expected)?;
        let number = word.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| (place, format!("expected {expected}, found `{word}`")))
    }

    /// Nothing may be left on the line, whose end this gives.
    pub fn finish(&mut self) -> Result<Place, Problem> {
        match self.take() {
            (place, Token::End) => Ok(place),
            other => Err(unexpected(other, "the end of the line")),
        }
    }

    fn take(&mut self) -> (Place, Token) {
        let token = self.tokens.get(self.next).cloned();
        self.next += 1;
        token.unwrap_or((Place { line: 1, column: 1 }, Token::End))
    }
}

fn unexpected((place, token): (Place, Token), expected: &str) -> Problem {
    let found = match token {
        Token::Word(word) => format!("`{word}`"),
        Token::Text(text) => format!("\"{text}\""),
        Token::Sign(sign) => format!("`{sign}`"),
        Token::End => "the end of the line".to_owned(),
        Token::Wrong(problem) => return (place, problem),
    };
    (place, format!("expected {expected}, found {found}"))
}

/// Takes a line apart. A comment goes from `//` or `;` to the line's end.
fn tokens_of(line: usize, text: &str) -> Vec<(Place, Token)> {
    let characters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut index = 0;
    while let Some(character) = characters.get(index).copied() {
        let rest = &characters[index..];
        let taken = |from: usize, to: usize| rest[from..to].iter().collect::<String>().to_uppercase();
        let (token, length) = match character {
            ';' => break,
            '/' if rest.get(1) == Some(&'/') => break,
            blank if blank.is_whitespace() => (None, 1),
            '(' | ')' | ',' | '=' => (Some(Token::Sign(character)), 1),
            '"' => match rest[1..].iter().position(|other| *other == '"') {
                Some(length) => (Some(Token::Text(taken(1, length + 1))), length + 2),
                None => (Some(Token::Wrong("the text has no closing \"".to_owned())), rest.len()),
            },
            _ if is_of_word(character) => {
                let length = rest.iter().take_while(|other| is_of_word(**other)).count();
                (Some(Token::Word(taken(0, length))), length)
            }
            _ => (Some(Token::Wrong(format!("the sign {character:?} has no meaning in a script"))), 1),
        };
        tokens.extend(token.map(|token| (Place { line, column: index + 1 }, token)));
        index += length;
    }
    if !tokens.is_empty() {
        tokens.push((Place { line, column: index + 1 }, Token::End));
    }
    tokens
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$' | '.' | '-' | '+')
}
