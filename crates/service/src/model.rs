//! The fingerprint of a model.

use std::fmt::Debug;

/// Fingerprint of a model, made of all that its description says. A published state may only be
/// restored into the model that it came from.
pub fn model_hash(description: &impl Debug) -> u64 {
    files::fingerprint([format!("{description:?}").as_bytes()])
}
