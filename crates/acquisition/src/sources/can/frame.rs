//! A frame as the kernel hands it over.
//!
//! Both forms begin with the identifier and its flags (32 bits, of this machine's byte order) and
//! the length (8 bits); data begins at byte 8. A classical frame has 16 bytes, one of CAN FD 72
//! (linux/can.h).

use libc::{CAN_EFF_FLAG, CAN_EFF_MASK, CAN_ERR_FLAG, CAN_RTR_FLAG, CAN_SFF_MASK};

/// Size of the longest frame (B).
pub(super) const LONGEST_BYTES: usize = 72;
const CLASSICAL_BYTES: usize = 16;
const DATA_AT: usize = 8;

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It carries data.
    Data,
    /// It asks another node for data.
    Remote,
    /// The controller reports an error on the bus.
    Error,
}

/// A frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// What it is.
    pub kind: Kind,
    /// The identifier on the bus.
    pub id: u32,
    /// Whether the identifier has 29 bits.
    pub extended: bool,
    /// What it carries.
    pub data: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Takes a frame apart; `None` if the bytes are none.
    #[inline]
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        if bytes.len() != CLASSICAL_BYTES && bytes.len() != LONGEST_BYTES {
            return None;
        }
        let word = u32::from_ne_bytes(bytes.get(..4)?.try_into().ok()?);
        let length = usize::from(bytes[4]);
        let data = bytes.get(DATA_AT..DATA_AT + length)?;
        let extended = word & CAN_EFF_FLAG != 0;
        Some(Self {
            kind: match word {
                _ if word & CAN_ERR_FLAG != 0 => Kind::Error,
                _ if word & CAN_RTR_FLAG != 0 => Kind::Remote,
                _ => Kind::Data,
            },
            id: word & if extended { CAN_EFF_MASK } else { CAN_SFF_MASK },
            extended,
            data,
        })
    }
}
