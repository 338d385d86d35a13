//! Records of the kernel's input devices (`struct input_event`, linux/input.h): time, type, code,
//! value.

/// Size of a record on a machine of 64 bits (B).
pub(super) const EVENT_BYTES: usize = 24;

/// What a record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// All changes that happened at one time have been named.
    Report {
        /// That time (ns), on the clock that was asked for.
        at_ns: u64,
    },
    /// Records were lost: what follows until the next report means nothing.
    Dropped,
    /// An axis has moved.
    Axis { code: u16, value: i32 },
    /// A button was pressed or released.
    Button { code: u16, pressed: bool },
    /// Something that no channel is made of.
    Other,
}

impl Event {
    /// Reads a record.
    #[inline]
    pub fn read(record: &[u8; EVENT_BYTES]) -> Self {
        let long = |at: usize| i64::from_ne_bytes(std::array::from_fn(|byte| record[at + byte]));
        let short = |at: usize| u16::from_ne_bytes([record[at], record[at + 1]]);
        let value = i32::from_ne_bytes(std::array::from_fn(|byte| record[20 + byte]));
        let code = short(18);
        match short(16) {
            EV_SYN if code == SYN_REPORT => Self::Report {
                at_ns: u64::try_from(
                    long(0).saturating_mul(1_000_000_000).saturating_add(long(8).saturating_mul(1_000)),
                )
                .unwrap_or(0),
            },
            EV_SYN if code == SYN_DROPPED => Self::Dropped,
            EV_ABS => Self::Axis { code, value },
            EV_KEY => Self::Button { code, pressed: value != 0 },
            _ => Self::Other,
        }
    }
}

const EV_SYN: u16 = 0;
const EV_KEY: u16 = 1;
const EV_ABS: u16 = 3;
const SYN_REPORT: u16 = 0;
const SYN_DROPPED: u16 = 3;

/// A record as the kernel writes it, for the emulated peer.
#[cfg(test)]
pub(super) fn record(at_ns: u64, kind: u16, code: u16, value: i32) -> [u8; EVENT_BYTES] {
    let mut record = [0; EVENT_BYTES];
    record[..8].copy_from_slice(&(at_ns as i64 / 1_000_000_000).to_ne_bytes());
    record[8..16].copy_from_slice(&(at_ns as i64 % 1_000_000_000 / 1_000).to_ne_bytes());
    record[16..18].copy_from_slice(&kind.to_ne_bytes());
    record[18..20].copy_from_slice(&code.to_ne_bytes());
    record[20..].copy_from_slice(&value.to_ne_bytes());
    record
}
