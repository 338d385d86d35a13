//! How a number lies in a scan: the kernel's `scan_elements/…_type` files, such as `le:s12/16>>4`.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub little_endian: bool,
    pub signed: bool,
    /// How many bits mean something.
    pub bits: u32,
    /// In how many bytes they are stored: 1, 2, 4 or 8.
    pub bytes: usize,
    /// By how many bits they have to be moved down.
    pub shift: u32,
}

impl Element {
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected a form such as le:s12/16>>4, found {text:?}");
        let (order, rest) = text.split_once(':').ok_or_else(wrong)?;
        let (form, shift) = match rest.split_once(">>") {
            Some((form, shift)) => (form, shift.parse().map_err(|_| wrong())?),
            None => (rest, 0),
        };
        let (kind, stored) = form.split_once('/').ok_or_else(wrong)?;
        if stored.contains('X') {
            return Err(format!("{text}: several numbers in one element are not supported"));
        }
        let stored_bits: u32 = stored.parse().map_err(|_| wrong())?;
        let bits: u32 = kind.get(1..).and_then(|bits| bits.parse().ok()).ok_or_else(wrong)?;
        let little_endian = match order {
            "le" => true,
            "be" => false,
            _ => return Err(wrong()),
        };
        let signed = match kind.as_bytes()[0] {
            b's' => true,
            b'u' => false,
            _ => return Err(wrong()),
        };
        if ![8, 16, 32, 64].contains(&stored_bits)
            || bits == 0
            || bits.checked_add(shift).is_none_or(|all| all > stored_bits)
        {
            return Err(format!("{text}: {bits} bits, moved by {shift}, do not lie in {stored_bits}"));
        }
        Ok(Self { little_endian, signed, bits, bytes: stored_bits as usize / 8, shift })
    }

    pub fn read(&self, bytes: &[u8]) -> i64 {
        let join = |joined: u64, byte: &u8| joined << 8 | u64::from(*byte);
        let word = match self.little_endian {
            true => bytes.iter().rev().fold(0, join),
            false => bytes.iter().fold(0, join),
        };
        // Move the highest bit that means something to the top, and down again: with its sign, if
        // it has one.
        let unused = 64 - self.bits;
        let raised = word >> self.shift << unused;
        if self.signed { raised as i64 >> unused } else { (raised >> unused) as i64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_the_kernels_documentation() {
        // Documentation/driver-api/iio/buffers: the accelerometer's 12 bits in the high part of 16.
        let element = Element::parse("le:s12/16>>4").expect("a form");
        assert_eq!(element, Element { little_endian: true, signed: true, bits: 12, bytes: 2, shift: 4 });
        assert_eq!(element.read(&[0xF0, 0x7F]), 2047);
        assert_eq!(element.read(&[0x00, 0x80]), -2048);
        assert_eq!(element.read(&[0xFF, 0xFF]), -1, "the four low bits mean nothing");
        let element = Element::parse("be:u24/32>>8").expect("a form");
        assert_eq!(element.read(&[0xFF, 0xFF, 0xFE, 0x55]), 0xFF_FFFE);
        let element = Element::parse("be:s16/16").expect("a form");
        assert_eq!(element.read(&[0xFF, 0x38]), -200);
        let element = Element::parse("le:s64/64>>0").expect("a form");
        assert_eq!(element.read(&i64::MIN.to_le_bytes()), i64::MIN);
        let element = Element::parse("le:u8/8").expect("a form");
        assert_eq!(element.read(&[200]), 200);
    }

    #[test]
    fn other_forms_are_refused() {
        let wrong = " le le: le:s le:s12 le:s12/ xx:s12/16 le:f32/32 le:s12/12 le:s0/16 le:s16/16>>4 le:s12/16>>x \
                     le:s4294967295/16>>1";
        for text in wrong.split(' ') {
            assert!(Element::parse(text).is_err(), "{text}");
        }
        assert!(Element::parse("le:s32/32X4>>0").expect_err("four numbers").contains("several numbers"));
    }
}
