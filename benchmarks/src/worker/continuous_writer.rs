//! A writer that never rests.

use anyhow::Result;
use serde::{Deserialize, Serialize};
use shm_layout::Region;
use shm_layout::clock::monotonic_ns;

use crate::session::Names;
use crate::transport::{OurSender, Sender};

/// Writes between two looks at the clock.
const WRITES_PER_CLOCK: u64 = 256;

/// Writes until a time has come; the answer is how often it wrote.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct WriteOrder {
    pub until_ns: u64,
}

pub(super) fn serve(names: &Names) -> Result<()> {
    let region = Region::open(&names.region()?, None)?;
    let mut sender = OurSender::new(&region)?;
    super::obey(|order: WriteOrder| {
        let mut writes = 0_u64;
        while monotonic_ns() < order.until_ns {
            sender.send_many(WRITES_PER_CLOCK);
            writes += WRITES_PER_CLOCK;
        }
        Ok(writes)
    })
}
