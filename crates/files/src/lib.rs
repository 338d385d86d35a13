//! Everything that is read from files of people: found in one way, checked in one way, wrong in one
//! way.
//!
//! | module | idea |
//! | --- | --- |
//! | [`source`] | a text with its name; TOML of a shape; what is wrong and where |
//! | [`ranges`] | numbers whose type says what they may be: the check happens while reading |
//! | [`shipped`] | a file by the name of a shipped one, or by its path; what tells contents apart |
//! | [`table`] | columns of numbers over time (CSV) |
//! | [`curve`] | a function given by points: value, slope and integral, without heap at evaluation |

pub mod curve;
pub mod place;
pub mod ranges;
pub mod shipped;
pub mod source;
pub mod table;

pub use curve::{Curve, CurveError, Ends};
pub use ranges::{Number, NumberList};
pub use shipped::{Found, did_you_mean, find, fingerprint, one_of, read, shipped_names, shipped_text};
pub use source::{FileError, Source};
pub use table::{Gaps, Table};
