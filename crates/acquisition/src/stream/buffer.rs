//! The bytes that have arrived and are not yet blocks: a fixed room, filled at one end and emptied
//! at the other.

/// A fixed room for bytes.
#[derive(Clone, Debug)]
pub struct Buffer {
    bytes: Box<[u8]>,
    start: usize,
    end: usize,
}

impl Buffer {
    /// Room for so many bytes.
    pub fn new(capacity: usize) -> Self {
        Self { bytes: vec![0; capacity].into_boxed_slice(), start: 0, end: 0 }
    }

    /// The bytes in it, oldest first.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// How many bytes are in it.
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// The room behind its bytes. What is left of earlier blocks moves to the front first: less
    /// than a block, so that it costs nothing.
    pub fn room(&mut self) -> &mut [u8] {
        if self.start > 0 {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        &mut self.bytes[self.end..]
    }

    /// So many bytes of the room have been filled.
    pub fn filled(&mut self, count: usize) {
        self.end = (self.end + count).min(self.bytes.len());
    }

    /// The oldest bytes have been used.
    pub fn consume(&mut self, count: usize) {
        self.start = (self.start + count).min(self.end);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.start = 0;
        self.end = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_out_as_they_went_in() {
        let mut buffer = Buffer::new(4);
        for round in 0..20_u8 {
            buffer.room()[..3].copy_from_slice(&[round, round + 1, round + 2]);
            buffer.filled(3);
            assert_eq!(buffer.bytes(), [round, round + 1, round + 2]);
            buffer.consume(3);
            assert!(buffer.is_empty());
        }
    }

    #[test]
    fn it_never_holds_more_than_its_room() {
        let mut buffer = Buffer::new(4);
        buffer.filled(9);
        assert_eq!(buffer.len(), 4);
        assert!(buffer.room().is_empty());
        buffer.consume(9);
        assert_eq!(buffer.len(), 0);
    }
}
