//! From what stands in the file to a value that can be trusted, and back.

use std::fmt::Display;
use std::ops::{Range, RangeInclusive};

use serde::de::DeserializeOwned;
use toml::Spanned;

use super::{ConfigError, DriverSource, Exchange, Models, OverrunPolicy};

/// A key of the file, which may be left out.
pub type Key<T> = Option<Spanned<T>>;

/// What a key can be in memory.
pub trait Value: Sized {
    /// How it stands in the file.
    type Text: DeserializeOwned + Clone;

    /// What the file says, as a value.
    fn read(text: Self::Text) -> Result<Self, String>;

    /// What the file would say; `None` for a key that is not set.
    fn text(&self) -> Option<String>;
}

macro_rules! values {
    ($($type:ty: $text:ty, $read:expr, $write:expr;)*) => {
        $(impl Value for $type {
            type Text = $text;

            fn read(text: $text) -> Result<Self, String> {
                $read(text)
            }

            fn text(&self) -> Option<String> {
                Some($write(self))
            }
        })*
    };
}

values! {
    bool: bool, Ok, bool::to_string;
    f64: f64, Ok, |value: &f64| format!("{value:?}");
    u8: i64, whole, u8::to_string;
    u64: i64, whole, u64::to_string;
    usize: i64, whole, usize::to_string;
    String: String, Ok, |value: &String| toml::Value::from(value.as_str()).to_string();
}

fn whole<T: TryFrom<i64>>(number: i64) -> Result<T, String> {
    T::try_from(number).map_err(|_| format!("{number} is impossible"))
}

impl<T: Value> Value for Option<T> {
    type Text = T::Text;

    fn read(text: T::Text) -> Result<Self, String> {
        T::read(text).map(Some)
    }

    fn text(&self) -> Option<String> {
        self.as_ref().and_then(T::text)
    }
}

/// A choice between words.
trait Words: Copy + PartialEq + 'static {
    const WORDS: &'static [(&'static str, Self)];
}

impl Words for Exchange {
    const WORDS: &'static [(&'static str, Self)] =
        &[("auto", Self::Auto), ("spin", Self::Spin), ("sleep", Self::Sleep)];
}

impl Words for Models {
    const WORDS: &'static [(&'static str, Self)] = &[("process", Self::Process), ("linked", Self::Linked)];
}

impl Words for DriverSource {
    const WORDS: &'static [(&'static str, Self)] = &[("manoeuvre", Self::Manoeuvre), ("block", Self::Block)];
}

impl Words for OverrunPolicy {
    const WORDS: &'static [(&'static str, Self)] = &[("skip", Self::Skip), ("run-late", Self::RunLate)];
}

impl<T: Words> Value for T {
    type Text = String;

    fn read(text: String) -> Result<Self, String> {
        T::WORDS.iter().find(|(known, _)| *known == text).map(|(_, value)| *value).ok_or_else(|| {
            let known: Vec<String> = T::WORDS.iter().map(|(known, _)| format!("{known:?}")).collect();
            format!("{text:?} is not known; expected {}", known.join(" or "))
        })
    }

    fn text(&self) -> Option<String> {
        T::WORDS.iter().find(|(_, known)| known == self).map(|(word, _)| format!("{word:?}"))
    }
}

/// What a key may be, beyond its type.
pub trait Check<T> {
    fn check(&self, value: &T) -> Result<(), String>;

    /// For people.
    fn range(&self) -> Option<String> {
        None
    }
}

impl<T> Check<T> for () {
    fn check(&self, _: &T) -> Result<(), String> {
        Ok(())
    }
}

impl<T: PartialOrd + Display> Check<T> for RangeInclusive<T> {
    fn check(&self, value: &T) -> Result<(), String> {
        let is_possible = self.contains(value);
        let (least, most) = (self.start(), self.end());
        if is_possible { Ok(()) } else { Err(format!("{value} is impossible; expected {least}..{most}")) }
    }

    fn range(&self) -> Option<String> {
        Some(format!("{}..{}", self.start(), self.end()))
    }
}

/// A name that a region can have.
pub struct InstanceName;

impl Check<String> for InstanceName {
    fn check(&self, name: &String) -> Result<(), String> {
        shm_layout::RegionName::new(name).map(|_| ()).map_err(|error| error.to_string())
    }
}

/// The text of a file and its name in messages.
pub struct Reader<'a> {
    pub text: &'a str,
    pub origin: &'a str,
}

impl Reader<'_> {
    /// A fault at a place.
    pub fn error(&self, span: Option<Range<usize>>, problem: String) -> ConfigError {
        let place = span.unwrap_or(0..0);
        let (line, column) = files::place::line_and_column(self.text, place.start);
        let field = files::place::field_at(self.text, &place);
        ConfigError::Text { origin: self.origin.to_owned(), line, column, field, problem }
    }

    /// The value of a key, or its default.
    pub fn value<T: Value>(
        &self,
        key: &Key<T::Text>,
        default: T,
        check: impl Check<T::Text>,
    ) -> Result<T, ConfigError> {
        let Some(key) = key else { return Ok(default) };
        let value = check.check(key.get_ref()).and_then(|()| T::read(key.get_ref().clone()));
        value.map_err(|problem| self.error(Some(key.span()), problem))
    }
}
