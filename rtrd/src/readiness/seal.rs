//! The checksum of a report: SHA-256 over its content, so that one that was changed, cut short or
//! put together from two is recognised.
//!
//! Anyone with this program can compute it. It protects against mistakes, not against forgery.
//!
//! What is hashed is the content as compact JSON with its keys in order, behind a line that names
//! the format. The file may therefore be indented as one likes.

use anyhow::{Context, bail, ensure};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::report::{Content, Report};

/// The format that is written, and the only one that is read.
pub const FORMAT: u32 = 1;
const HEADING: &str = "rtrd readiness report 1\n";

/// The report of this content.
pub fn seal(content: Content) -> anyhow::Result<Report> {
    let checksum = checksum(&serde_json::to_value(&content)?);
    Ok(Report { format: FORMAT, checksum, content })
}

/// Reads a report; one whose checksum is not that of its content is refused.
pub fn open(text: &str) -> anyhow::Result<Report> {
    let value: Value = serde_json::from_str(text).context("is not whole")?;
    let format = value["format"].as_u64();
    ensure!(format == Some(u64::from(FORMAT)), "is not of this version of rtrd (format {FORMAT} expected)");
    if value["checksum"].as_str() != Some(checksum(&value["content"]).as_str()) {
        bail!("was changed after it was made");
    }
    serde_json::from_value(value).context("is not one of this version of rtrd")
}

fn checksum(content: &Value) -> String {
    hash(&[HEADING, &canonical(content)])
}

/// SHA-256 of these texts one after the other, in hexadecimal.
pub fn hash(texts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    texts.iter().for_each(|text| hasher.update(text));
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compact JSON with sorted keys, whatever order the library keeps them in.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut members: Vec<_> = map.iter().collect();
            members.sort_by_key(|(name, _)| name.as_str());
            let members =
                members.iter().map(|(name, member)| format!("{}:{}", Value::from(name.as_str()), canonical(member)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        plain => plain.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    /// `printf abc | sha256sum`, and FIPS 180-4's example.
    #[test]
    fn the_hash_is_sha_256() {
        assert_eq!(hash(&["a", "bc"]), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn a_report_survives_its_file_in_any_layout() {
        let report = seal(sample::content()).unwrap();
        let compact = serde_json::to_string(&report).unwrap();
        let wide = serde_json::to_string_pretty(&report).unwrap();
        assert_eq!(open(&compact).unwrap(), report);
        assert_eq!(open(&wide).unwrap(), report);
    }

    #[test]
    fn every_changed_number_and_word_is_noticed() {
        let text = serde_json::to_string_pretty(&seal(sample::content()).unwrap()).unwrap();
        for (from, to) in [
            ("\"passes\": true", "\"passes\": false"),
            ("\"max_us\": 41.0", "\"max_us\": 14.0"),
            ("\"host\": \"car-pc\"", "\"host\": \"other\""),
            ("\"signed_off_by\": \"A. Tester\"", "\"signed_off_by\": null"),
        ] {
            assert!(text.contains(from), "{from} is not in\n{text}");
            let message = open(&text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(message.contains("changed after"), "{from}: {message}");
        }
        for damaged in [&text[..text.len() / 2], "", "[]", "{\"format\": 2}"] {
            assert!(open(damaged).is_err(), "{damaged}");
        }
    }
}
