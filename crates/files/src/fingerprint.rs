//! What tells contents apart: a number that is the same on every machine and with every compiler.

use sha2::{Digest, Sha256};

/// Fingerprint of contents in their order (the first eight bytes of SHA-256 over each length and
/// content). It is never 0, which stands for "none".
pub fn fingerprint<'a>(contents: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    let mut digest = Sha256::new();
    for content in contents {
        digest.update((content.len() as u64).to_le_bytes());
        digest.update(content);
    }
    let digest = digest.finalize();
    digest[..8].iter().fold(0, |number, byte| number << 8 | u64::from(*byte)) | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_and_their_borders_count() {
        let of = |parts: &[&str]| fingerprint(parts.iter().map(|part| part.as_bytes()));
        assert_ne!(of(&["tyre", "brake"]), of(&["tyre", "brakes"]));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_eq!(of(&["tyre"]), of(&["tyre"]));
    }

    /// SHA-256 of nothing begins with e3b0c44298fc1c14 (FIPS 180-4, published example).
    #[test]
    fn the_digest_is_the_published_one() {
        assert_eq!(fingerprint([]), 0xe3b0_c442_98fc_1c14 | 1);
    }
}
