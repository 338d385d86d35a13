//! The fingerprint of a model.

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Fingerprint of a model, made of all that its description says. A published state may only be
/// restored into the model that it came from. It is never 0, which stands for "none".
pub fn model_hash(description: &impl Debug) -> u64 {
    let mut hasher = DefaultHasher::new();
    format!("{description:?}").hash(&mut hasher);
    hasher.finish() | 1
}
