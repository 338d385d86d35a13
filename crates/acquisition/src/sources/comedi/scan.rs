//! The bytes of a scan.

use crate::Sample;

/// value = least + per_count · sample: Eq. (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Conversion {
    pub least: f64,
    pub per_count: f64,
}

impl Conversion {
    /// Of a range in millionths and the greatest sample.
    pub fn new(least: i32, greatest: i32, greatest_sample: u32) -> Self {
        let (least, greatest) = (1e-6 * f64::from(least), 1e-6 * f64::from(greatest));
        Self { least, per_count: (greatest - least) / f64::from(greatest_sample.max(1)) }
    }
}

/// How a scan lies in the stream: one sample per channel, of this machine's byte order.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// 2 or 4.
    pub sample_bytes: usize,
    pub conversions: Vec<Conversion>,
}

impl Layout {
    /// Size of a scan (B).
    pub fn scan_bytes(&self) -> usize {
        self.sample_bytes * self.conversions.len()
    }

    /// The values of a scan.
    #[inline]
    pub fn read(&self, scan: &[u8], sample: &mut Sample) {
        for (channel, (bytes, conversion)) in scan.chunks_exact(self.sample_bytes).zip(&self.conversions).enumerate() {
            let count = match *bytes {
                [a, b] => u32::from(u16::from_ne_bytes([a, b])),
                [a, b, c, d] => u32::from_ne_bytes([a, b, c, d]),
                _ => return,
            };
            sample.set(channel, conversion.least + conversion.per_count * f64::from(count));
        }
    }
}
