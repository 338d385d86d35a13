//! What is in a block: numbers of fixed sizes, one after the other.

use serde::Deserialize;

use crate::{RAW_MAX, Sample};

/// The kinds of numbers: each with its type in Rust.
macro_rules! kinds {
    ($($kind:ident: $number:ty,)*) => {
        /// How a number is written down.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
        #[serde(rename_all = "lowercase")]
        #[expect(missing_docs, reason = "the names are those of Rust's numbers")]
        pub enum Kind {
            $($kind,)*
        }

        impl Kind {
            /// How many bytes it takes.
            pub const fn bytes(self) -> usize {
                match self {
                    $(Self::$kind => size_of::<$number>(),)*
                }
            }
        }

        /// The number at a place, if the block reaches so far.
        #[inline]
        pub(crate) fn read(block: &[u8], offset: usize, kind: Kind, order: ByteOrder) -> Option<f64> {
            let bytes = block.get(offset..offset + kind.bytes())?;
            Some(match (kind, order) {
                $((Kind::$kind, ByteOrder::Little) => <$number>::from_le_bytes(bytes.try_into().ok()?) as f64,)*
                $((Kind::$kind, ByteOrder::Big) => <$number>::from_be_bytes(bytes.try_into().ok()?) as f64,)*
            })
        }

        fn push(kind: Kind, value: f64, block: &mut Vec<u8>) {
            let value = if kind.is_float() { value } else { value.round() };
            match kind {
                $(Kind::$kind => block.extend((value as $number).to_le_bytes()),)*
            }
        }
    };
}

kinds! {
    I8: i8,
    U8: u8,
    I16: i16,
    U16: u16,
    I32: i32,
    U32: u32,
    I64: i64,
    U64: u64,
    F32: f32,
    F64: f64,
}

impl Kind {
    /// Whether it is a floating-point number.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}

/// Which byte of a number comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ByteOrder {
    /// The least significant, as on the board of the thesis and on nearly every computer.
    #[default]
    Little,
    /// The most significant, as in many network protocols.
    Big,
}

impl ByteOrder {
    /// The other one.
    pub const fn other(self) -> Self {
        match self {
            Self::Little => Self::Big,
            Self::Big => Self::Little,
        }
    }
}

/// One number of a block.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// What channels call it.
    pub name: String,
    /// How it is written down.
    #[serde(rename = "type")]
    pub kind: Kind,
}

impl Field {
    /// A field.
    pub fn new(name: &str, kind: Kind) -> Self {
        Self { name: name.to_owned(), kind }
    }
}

/// The fields of a block with their places. Holding one proves that there are between 1 and
/// [`RAW_MAX`] of them, each with a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    names: Vec<String>,
    places: Vec<(usize, Kind)>,
    order: ByteOrder,
    bytes: usize,
}

impl Layout {
    /// Fields one after the other, without gaps.
    pub fn new(fields: &[Field], order: ByteOrder) -> Result<Self, String> {
        if fields.is_empty() {
            return Err("a block needs at least one field".to_owned());
        }
        if fields.len() > RAW_MAX {
            return Err(format!("a block has at most {RAW_MAX} fields, and {} are given", fields.len()));
        }
        let is_twice = |index: &usize| fields[..*index].iter().any(|earlier| earlier.name == fields[*index].name);
        if let Some(index) = (1..fields.len()).find(is_twice) {
            return Err(format!("two fields are called \"{}\"", fields[index].name));
        }
        let mut bytes = 0;
        let place = |field: &Field| {
            let place = (bytes, field.kind);
            bytes += field.kind.bytes();
            place
        };
        Ok(Self {
            names: fields.iter().map(|field| field.name.clone()).collect(),
            places: fields.iter().map(place).collect(),
            order,
            bytes,
        })
    }

    /// The fields of the board of the thesis, in the order of its `MERGE`: `{i16 brake, i16
    /// throttle, i32 steering}` (DAS §4.3.4, §4.4).
    pub fn board_fields() -> Vec<Field> {
        vec![Field::new("brake", Kind::I16), Field::new("throttle", Kind::I16), Field::new("steering", Kind::I32)]
    }

    /// The 8-byte block of the thesis.
    ///
    /// # Panics
    /// Never: the fields are right.
    pub fn board() -> Self {
        Self::new(&Self::board_fields(), ByteOrder::Little).expect("three fields with different names")
    }

    /// Names of the numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Offset and kind of each number.
    pub fn places(&self) -> &[(usize, Kind)] {
        &self.places
    }

    /// Which byte of a number comes first.
    pub fn order(&self) -> ByteOrder {
        self.order
    }

    /// Bytes of a block.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Reads the numbers of one block. Real-time safe.
    #[inline]
    pub fn decode(&self, block: &[u8], sample: &mut Sample) {
        for (channel, (offset, kind)) in self.places.iter().enumerate() {
            if let Some(value) = read(block, *offset, *kind, self.order) {
                sample.set(channel, value);
            }
        }
    }

    /// Writes the numbers of one block, for a program that plays the board; each number is rounded
    /// and limited to what its kind can hold.
    pub fn encode(&self, values: &[f64], block: &mut Vec<u8>) {
        for ((_, kind), value) in self.places.iter().zip(values) {
            let start = block.len();
            push(*kind, *value, block);
            if self.order == ByteOrder::Big {
                block[start..].reverse();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_of_the_thesis_has_eight_bytes() {
        let layout = Layout::board();
        assert_eq!(layout.bytes(), 8);
        // By hand: brake 0x0102, throttle −2, steering 0x01020304, least significant byte first.
        let block = [0x02, 0x01, 0xfe, 0xff, 0x04, 0x03, 0x02, 0x01];
        let mut sample = Sample::empty(7);
        layout.decode(&block, &mut sample);
        assert_eq!(&sample.raw[..3], [258.0, -2.0, 16_909_060.0]);
        assert_eq!(sample.fresh, 0b111);
    }

    #[test]
    fn every_kind_comes_back_in_both_orders() {
        use Kind::*;
        let kinds = [I8, U8, I16, U16, I32, U32, I64, U64, F32, F64];
        let fields: Vec<Field> = kinds.iter().map(|kind| Field::new(&format!("{kind:?}"), *kind)).collect();
        let values = [-3.0, 200.0, -3000.0, 60_000.0, -2e9, 4e9, -5e12, 6e12, 0.5, 0.1];
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let layout = Layout::new(&fields, order).expect("ten fields");
            let mut block = Vec::new();
            layout.encode(&values, &mut block);
            assert_eq!(block.len(), layout.bytes());
            let mut sample = Sample::empty(0);
            layout.decode(&block, &mut sample);
            assert_eq!(&sample.raw[..10], values);
        }
    }

    #[test]
    fn impossible_blocks_are_refused() {
        let field = |name: usize| Field::new(&name.to_string(), Kind::U8);
        let many: Vec<Field> = (0..17).map(field).collect();
        for (fields, problem) in [
            (&[][..], "a block needs at least one field"),
            (&[field(1), field(1)], "two fields are called \"1\""),
            (&many, "a block has at most 16 fields, and 17 are given"),
        ] {
            assert_eq!(Layout::new(fields, ByteOrder::Little), Err(problem.to_owned()));
        }
    }

    #[test]
    fn half_a_block_gives_half_a_sample() {
        let mut sample = Sample::empty(0);
        Layout::board().decode(&[1, 0, 2], &mut sample);
        assert_eq!(sample.fresh, 0b001);
    }
}
