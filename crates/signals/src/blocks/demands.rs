//! `/demands/`: what the operator of a plant asks for.

use bytemuck::{Pod, Zeroable};

use crate::{Layout, Stamp};

/// Most demands that a scenario may have.
pub const DEMANDS_MAX: usize = 64;

/// What the operator of a plant asks for.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[layout(count = "demand_count", tail = "demands")]
#[repr(C)]
pub struct Demands {
    /// When and for which step.
    pub stamp: Stamp,
    /// [ns] [@range 0..18446744073709551615] [@invalid 18446744073709551615] Age at publication:
    /// from the oldest number's sample to `publish_ns`.
    pub age_ns: u64,
    /// [-] [@range 0..64] [@invalid 0] How many demands are in use.
    pub demand_count: u64,
    /// [-] [@range -1e308..1e308] [@invalid NaN] Set-points and direct plant inputs, in the order
    /// of the scenario file.
    pub demands: [f64; DEMANDS_MAX],
}

impl Demands {
    /// How old its oldest number is now.
    #[inline]
    pub const fn age_at(&self, now_ns: u64) -> u64 {
        self.age_ns.saturating_add(now_ns.saturating_sub(self.stamp.publish_ns))
    }
}
