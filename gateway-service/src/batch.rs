//! Every step of the watched signals, some steps at a time, and the binary message of them.

/// Kind of the message.
const KIND: u32 = 2;

/// Some steps of all signals that anybody watches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Steps that are missing before it.
    pub lost: u32,
    /// Simulated time of each step (s).
    pub time_s: Vec<f64>,
    /// Values by the signal's number, in the order of the numbers.
    pub columns: Vec<(u64, Vec<f32>)>,
}

impl Batch {
    /// An empty one for these signals.
    pub fn of(numbers: &[u64]) -> Self {
        let columns = numbers.iter().map(|number| (*number, Vec::new())).collect();
        Self { lost: 0, time_s: Vec::new(), columns }
    }

    /// The message for a client that watches these signals. What the batch does not have yet is not
    /// known; `lost` is what that client missed besides.
    pub fn encode(&self, count: u32, id: u32, lost: u32, watched: &[u64]) -> Vec<u8> {
        let rows = self.time_s.len();
        let mut bytes = Vec::with_capacity(24 + rows * (8 + 4 * watched.len()));
        let lost = self.lost.saturating_add(lost);
        for number in [KIND, count, rows as u32, watched.len() as u32, lost, id] {
            bytes.extend(number.to_le_bytes());
        }
        self.time_s.iter().for_each(|time_s| bytes.extend(time_s.to_le_bytes()));
        for number in watched {
            match self.columns.binary_search_by_key(number, |(known, _)| *known) {
                Ok(place) => self.columns[place].1.iter().for_each(|value| bytes.extend(value.to_le_bytes())),
                Err(_) => (0..rows).for_each(|_| bytes.extend(f32::NAN.to_le_bytes())),
            }
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_laid_out_as_documented() {
        let mut batch = Batch::of(&[3, 10_005]);
        batch.lost = 2;
        batch.time_s = vec![0.5, 0.501];
        batch.columns[0].1 = vec![1.0, 2.0];
        batch.columns[1].1 = vec![3.0, 4.0];
        let bytes = batch.encode(9, 7, 1, &[10_005, 42]);
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!([0, 4, 8, 12, 16, 20].map(word), [2, 9, 2, 2, 3, 7]);
        assert_eq!(f64::from_le_bytes(bytes[32..40].try_into().unwrap()), 0.501);
        let values: Vec<f32> = bytes[40..].chunks(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect();
        assert_eq!(values[..2], [3.0, 4.0]);
        assert!(values.len() == 4 && values[2..].iter().all(|value| value.is_nan()));
    }
}
