//! Where a signal's bits lie in a frame, and how they are taken out.
//!
//! The format numbers bits by byte: bit *b* of byte *B* (bit 0 the least) has the number 8·*B* +
//! *b*. Of an **Intel** signal the file gives the least significant bit, and the more significant
//! ones follow at ascending numbers:
//!
//! (1) raw = ⌊ Σᵢ dataᵢ · 256^(i − ⌊s/8⌋) / 2^(s mod 8) ⌋ mod 2^n
//!
//! Of a **Motorola** signal it gives the most significant bit; the less significant ones follow
//! towards bit 0 of the byte and then from bit 7 of the next. In the order in which they go over
//! the wire that bit is number p = 8·⌊s/8⌋ + 7 − s mod 8, and
//!
//! (2) raw = ⌊ Σᵢ dataᵢ · 256^(⌊e/8⌋ − i) / 2^(7 − e mod 8) ⌋ mod 2^n,  e = p + n − 1

/// In which order the bytes of a number follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// Least significant byte first (`@1`).
    Intel,
    /// Most significant byte first (`@0`).
    Motorola,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the bit that the file gives: the least significant one (Intel) or the most
    /// significant one (Motorola).
    pub start_bit: usize,
    /// How many bits there are, 1 to 64.
    pub length_bits: usize,
    pub order: ByteOrder,
}

impl Place {
    pub fn bytes(&self) -> (usize, usize) {
        let first = self.start_bit / 8;
        let bit_in_first = match self.order {
            ByteOrder::Intel => self.start_bit % 8,
            ByteOrder::Motorola => 7 - self.start_bit % 8,
        };
        (first, first + (bit_in_first + self.length_bits - 1) / 8)
    }

    /// The bits as an unsigned number; `None` if the data ends before them.
    pub fn raw(&self, data: &[u8]) -> Option<u64> {
        let (first, last) = self.bytes();
        let bytes = data.get(first..=last)?;
        // At most 64 bits that begin within a byte touch 9 bytes: 72 bits.
        let join = |joined: u128, byte: &u8| joined << 8 | u128::from(*byte);
        let shifted = match self.order {
            // Eq. (1)
            ByteOrder::Intel => bytes.iter().rev().fold(0, join) >> (self.start_bit % 8),
            // Eq. (2)
            ByteOrder::Motorola => {
                let end = 8 * first + 7 - self.start_bit % 8 + self.length_bits - 1;
                bytes.iter().fold(0, join) >> (7 - end % 8)
            }
        };
        Some(shifted as u64 & mask(self.length_bits))
    }
}

fn mask(length_bits: usize) -> u64 {
    u64::MAX >> (64 - length_bits)
}

/// A number of so many bits in two's complement.
pub(crate) fn signed(raw: u64, length_bits: usize) -> i64 {
    let unused = 64 - length_bits as u32;
    (raw << unused) as i64 >> unused
}
