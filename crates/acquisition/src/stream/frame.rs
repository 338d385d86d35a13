//! Blocks with a header, for new hardware: each says its number, its time and its checksum.
//!
//! ```text
//!  offset  bytes  little-endian, whatever the order of the payload
//!       0      2  magic 0xA55A
//!       2      2  length of the payload
//!       4      4  sequence: one more than that of the block before, from 0xFFFFFFFF to 0
//!       8      8  time of the sample on the clock of the hardware (ns)
//!      16      n  payload
//!  16 + n      4  CRC-32 (IEEE 802.3) of everything before it
//! ```
//!
//! A receiver that has lost its place looks for the next magic whose length and checksum are right.
//! The magic alone may be part of a payload; together with the checksum it is so by chance once in
//! 2³² tries.

/// First two bytes of a frame.
pub const MAGIC: [u8; 2] = 0xA55A_u16.to_le_bytes();
/// Bytes before the payload.
pub const HEADER_BYTES: usize = 16;
/// Bytes behind the payload.
pub const TRAILER_BYTES: usize = 4;

/// What a header says about its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameStamp {
    /// Number of the block.
    pub sequence: u32,
    /// Time of the sample on the clock of the hardware (ns).
    pub hardware_ns: u64,
}

/// Bytes of a frame around a payload.
pub const fn frame_bytes(payload_bytes: usize) -> usize {
    HEADER_BYTES + payload_bytes + TRAILER_BYTES
}

/// Writes a frame, for a program that plays the board.
///
/// # Panics
/// When the payload has more than 65,535 bytes.
pub fn encode(stamp: FrameStamp, payload: &[u8], into: &mut Vec<u8>) {
    let length = u16::try_from(payload.len()).expect("a payload of at most 65,535 bytes");
    let start = into.len();
    into.extend(MAGIC);
    into.extend(length.to_le_bytes());
    into.extend(stamp.sequence.to_le_bytes());
    into.extend(stamp.hardware_ns.to_le_bytes());
    into.extend(payload);
    let checksum = crc32fast::hash(&into[start..]);
    into.extend(checksum.to_le_bytes());
}

/// What the bytes at the beginning of a buffer are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found<'a> {
    /// A whole frame of this payload.
    Frame(FrameStamp, &'a [u8]),
    /// Perhaps the beginning of one.
    Unfinished,
    /// A frame's magic and length, but a wrong checksum.
    Broken,
    /// No frame begins here.
    Nothing,
}

/// Looks whether a frame with a payload of this size begins here. Real-time safe.
pub fn examine(bytes: &[u8], payload_bytes: usize) -> Found<'_> {
    let start = [MAGIC[0], MAGIC[1], payload_bytes as u8, (payload_bytes >> 8) as u8];
    let known = bytes.len().min(start.len());
    if bytes[..known] != start[..known] {
        return Found::Nothing;
    }
    let Some(frame) = bytes.get(..frame_bytes(payload_bytes)) else {
        return Found::Unfinished;
    };
    let (covered, checksum) = frame.split_at(frame.len() - TRAILER_BYTES);
    if crc32fast::hash(covered).to_le_bytes() != *checksum {
        return Found::Broken;
    }
    Found::Frame(stamp(covered), &covered[HEADER_BYTES..])
}

fn stamp(header: &[u8]) -> FrameStamp {
    let mut sequence = [0; 4];
    let mut hardware_ns = [0; 8];
    sequence.copy_from_slice(&header[4..8]);
    hardware_ns.copy_from_slice(&header[8..16]);
    FrameStamp { sequence: u32::from_le_bytes(sequence), hardware_ns: u64::from_le_bytes(hardware_ns) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAMP: FrameStamp = FrameStamp { sequence: 0x0102_0304, hardware_ns: 99 };

    #[test]
    fn a_frame_is_what_the_page_says() {
        let mut frame = Vec::new();
        encode(STAMP, b"123456789", &mut frame);
        assert_eq!(frame[..8], [0x5a, 0xa5, 9, 0, 4, 3, 2, 1]);
        assert_eq!(frame.len(), frame_bytes(9));
        // The check value of CRC-32/ISO-HDLC over "123456789" is published as 0xCBF43926.
        assert_eq!(crc32fast::hash(b"123456789"), 0xCBF4_3926);
        assert_eq!(examine(&frame, 9), Found::Frame(STAMP, b"123456789"));
    }

    #[test]
    fn one_flipped_bit_is_found_wherever_it_is() {
        let mut frame = Vec::new();
        encode(STAMP, &[7; 8], &mut frame);
        for bit in 0..frame.len() * 8 {
            let mut broken = frame.clone();
            broken[bit / 8] ^= 1 << (bit % 8);
            assert!(matches!(examine(&broken, 8), Found::Broken | Found::Nothing), "bit {bit}");
        }
    }

    #[test]
    fn a_part_of_a_frame_is_waited_for() {
        let mut frame = Vec::new();
        encode(STAMP, &[7; 8], &mut frame);
        for length in 0..frame.len() {
            assert_eq!(examine(&frame[..length], 8), Found::Unfinished);
        }
        assert_eq!(examine(&frame, 6), Found::Nothing);
    }
}
