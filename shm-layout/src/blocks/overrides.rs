//! `/overrides/`: values that replace signals, each until its time has passed.

use bytemuck::{Pod, Zeroable};

use crate::{Layout, Stamp};

/// Most signals that can be replaced at once.
pub const OVERRIDES_MAX: usize = 64;

/// One signal and the value that replaces it.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[repr(C)]
pub struct Override {
    /// [-] [@range 0..999999] [@invalid 0] Number of the signal in the index library.
    pub signal: u64,
    /// [-] [@range -1e308..1e308] [@invalid NaN] The value that replaces it, in the signal's unit.
    pub value: f64,
    /// [ns] [@range 0..18446744073709551615] [@invalid 0] Monotonic time after which the original
    /// value counts again.
    pub valid_until_ns: u64,
}

/// Values that replace signals.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[layout(count = "override_count", tail = "overrides")]
#[repr(C)]
pub struct Overrides {
    /// When and for which step.
    pub stamp: Stamp,
    /// [-] [@range 0..64] [@invalid 0] How many are in use.
    pub override_count: u64,
    /// The replaced signals.
    pub overrides: [Override; OVERRIDES_MAX],
}

impl Default for Overrides {
    fn default() -> Self {
        Self::zeroed()
    }
}
