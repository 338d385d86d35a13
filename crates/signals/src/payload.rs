//! What a block may hold: plain data made of 8-byte words, and the table that describes it.

use bytemuck::{Pod, Zeroable};
use math::{Quaternion, Vector3};

/// What the words of a field are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 64-bit floating point.
    Float,
    /// 64-bit unsigned integer.
    Unsigned,
    /// 64-bit signed integer.
    Signed,
    /// A nested structure; its own fields follow in [`Field::nested`].
    Structure,
}

impl Kind {
    /// A word as a person reads it: every digit of what is stored.
    pub(crate) fn text(self, word: u64) -> String {
        match self {
            Self::Float => f64::from_bits(word).to_string(),
            Self::Signed => word.cast_signed().to_string(),
            Self::Unsigned | Self::Structure => word.to_string(),
        }
    }
}

/// One field of a shared structure, as its declaration documents it.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name in the declaration; the unit comes last in it.
    pub name: &'static str,
    /// Unit, `-` where there is none; empty for a nested structure.
    pub unit: &'static str,
    /// Frame of reference (E earth, V vehicle, W wheel, T tyre contact), `-` where there is none.
    pub frame: &'static str,
    /// Range of valid values, as `a..b`.
    pub range: &'static str,
    /// The value that says "not known".
    pub invalid: &'static str,
    /// What the value means.
    pub description: &'static str,
    /// Offset from the start of the structure, in words.
    pub word: usize,
    /// What the words are.
    pub kind: Kind,
    /// Number of elements; 1 if the field is no array.
    pub count: usize,
    /// Words of one element.
    pub words_each: usize,
    /// Names of the components of one element; empty for a plain number.
    pub parts: &'static [&'static str],
    /// The fields of one element, if it is a structure.
    pub nested: &'static [Field],
}

impl Field {
    /// The word that says "not known".
    pub fn invalid_word(&self) -> u64 {
        match self.kind {
            Kind::Float => self.invalid.parse().unwrap_or(f64::NAN).to_bits(),
            Kind::Signed => self.invalid.parse::<i64>().unwrap_or(0).cast_unsigned(),
            Kind::Unsigned | Kind::Structure => self.invalid.parse().unwrap_or(0),
        }
    }

    /// The ends of the range.
    pub fn bounds(&self) -> [f64; 2] {
        let (least, most) = self.range.split_once("..").unwrap_or(("-inf", "inf"));
        [least.parse().unwrap_or(f64::NEG_INFINITY), most.parse().unwrap_or(f64::INFINITY)]
    }
}

/// The shape of a field's type. Implemented for the three kinds of number, vectors, orientations,
/// arrays of them and nested structures.
pub trait Shape {
    /// What the words of one element are.
    const KIND: Kind;
    /// How many elements.
    const COUNT: usize;
    /// Words of one element.
    const WORDS: usize;
    /// Names of the components of one element; empty for a plain number.
    const PARTS: &'static [&'static str] = &[];
    /// Fields of one element.
    const NESTED: &'static [Field] = &[];
}

macro_rules! number {
    ($number:ty, $kind:ident, $parts:expr) => {
        impl Shape for $number {
            const KIND: Kind = Kind::$kind;
            const COUNT: usize = 1;
            const WORDS: usize = size_of::<$number>() / 8;
            const PARTS: &'static [&'static str] = &$parts;
        }
    };
}
number!(f64, Float, []);
number!(u64, Unsigned, []);
number!(i64, Signed, []);
number!(Vector3, Float, ["x", "y", "z"]);
number!(Quaternion, Float, ["w", "x", "y", "z"]);

impl<T: Shape, const N: usize> Shape for [T; N] {
    const KIND: Kind = T::KIND;
    const COUNT: usize = {
        assert!(T::COUNT == 1, "an array of arrays has no place in a shared structure: nest a structure");
        N
    };
    const WORDS: usize = T::WORDS;
    const PARTS: &'static [&'static str] = T::PARTS;
    const NESTED: &'static [Field] = T::NESTED;
}

/// The layout of a shared structure; always derived, never written by hand.
///
/// ```
/// # use bytemuck::{Pod, Zeroable};
/// #[derive(Clone, Copy, Pod, Zeroable, signals::Layout)]
/// #[repr(C)]
/// struct Wheel {
///     /// [rad/s] [@frame W] [@range -500..500] [@invalid NaN] Speed about the axle.
///     speed_rad_s: f64,
/// }
/// ```
///
/// What is not made of 8-byte words does not compile:
///
/// ```compile_fail
/// # use bytemuck::{Pod, Zeroable};
/// #[derive(Clone, Copy, Pod, Zeroable, signals::Layout)]
/// #[repr(C)]
/// struct Wheel {
///     /// [rad/s] [@frame W] [@range -500..500] [@invalid NaN] Speed about the axle.
///     speed_rad_s: f32,
/// }
/// ```
///
/// Nor does a field that does not say what it is:
///
/// ```compile_fail
/// # use bytemuck::{Pod, Zeroable};
/// #[derive(Clone, Copy, Pod, Zeroable, signals::Layout)]
/// #[repr(C)]
/// struct Wheel {
///     speed_rad_s: f64,
/// }
/// ```
pub trait Layout {
    /// The fields in the order of their declaration.
    const FIELDS: &'static [Field];

    /// How many words from the start are in use; the rest is neither copied nor meaningful.
    fn used_words(&self) -> usize;
}

/// A structure that a block may hold. Every word pattern is a valid value ([`Pod`]), so a reader
/// can copy it while it is being written and throw the copy away.
pub trait Payload: Pod + Layout + Shape {
    /// When and for which step the payload was made. It is the first field of every payload.
    fn stamp(&self) -> &Stamp {
        bytemuck::from_bytes(&bytemuck::bytes_of(self)[..size_of::<Stamp>()])
    }

    /// Says when and for which step it was made.
    #[inline(always)]
    fn set_stamp(&mut self, stamp: Stamp) {
        let words = stamp.words();
        self.words_mut()[..words.len()].copy_from_slice(words);
    }

    /// The payload as words.
    #[inline(always)]
    fn words(&self) -> &[u64] {
        bytemuck::cast_slice(core::slice::from_ref(self))
    }

    /// Takes over the used part of another payload; what lies behind it is not meaningful.
    #[inline(always)]
    fn copy_used_from(&mut self, other: &Self) {
        let used = other.used_words();
        self.words_mut()[..used].copy_from_slice(&other.words()[..used]);
    }

    /// The payload as words to write to.
    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        bytemuck::cast_slice_mut(core::slice::from_mut(self))
    }
}

impl<T: Pod + Layout + Shape> Payload for T {}

/// A payload in which nothing is known: every field has the value that its declaration calls
/// invalid.
pub fn invalid<T: Payload>() -> T {
    let mut payload = T::zeroed();
    fill_invalid(T::FIELDS, payload.words_mut());
    payload
}

fn fill_invalid(fields: &[Field], words: &mut [u64]) {
    for field in fields {
        for element in 0..field.count {
            let start = field.word + element * field.words_each;
            let place = &mut words[start..start + field.words_each];
            match field.kind {
                Kind::Structure => fill_invalid(field.nested, place),
                _ => place.fill(field.invalid_word()),
            }
        }
    }
}

/// When a payload was made, and for which step.
#[allow(rustdoc::broken_intra_doc_links, reason = "the brackets of the fields hold units and ranges, not links")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable, signals_derive::Layout)]
#[repr(C)]
pub struct Stamp {
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Step number that the payload belongs to;
    /// the first step is 1.
    pub step: u64,
    /// [ns] [@range 0..18446744073709551615] [@invalid 0] Monotonic time at which the data was
    /// sampled.
    pub sample_ns: u64,
    /// [ns] [@range 0..18446744073709551615] [@invalid 0] Monotonic time at which the payload was
    /// published.
    pub publish_ns: u64,
}
