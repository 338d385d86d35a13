//! The acquisition under observation, for benchmarks and proofs: its own loop, and after
//! each turn what anybody can read in shared memory.

use acquisition::Plan;
use board_emulator::comparison::{Opportunity, VALUES_MAX};
use rt::clock::monotonic_ns;
use service::{Job, StartError};
use shm_layout::blocks::{self, Acquisition};
use shm_layout::{Reader, Region, Wait};

use crate::chain::{MeasuringChain, Waiting};

/// An acquisition whose turns are written down. The values are the raw numbers of the first
/// channels.
pub struct ChainProbe {
    chain: MeasuringChain,
    waiting: Waiting,
    status: Reader<Acquisition>,
    newest: Opportunity,
}

impl ChainProbe {
    /// Opens the sources and claims the blocks.
    pub fn new(region: &Region, plan: Plan, job: &Job, how: Wait) -> Result<Self, StartError> {
        let waiting = Waiting::new(how).map_err(StartError::Waiting)?;
        Ok(Self {
            chain: MeasuringChain::new(region, plan, job)?,
            waiting,
            status: region.reader(blocks::ACQUISITION),
            newest: Opportunity { looked_ns: 0, readable_ns: 0, blocks: 0, bytes: 0, values: [0; VALUES_MAX] },
        })
    }

    /// One turn as in the process: waits for data, at most so long; takes; publishes if there is
    /// news. Returns what is readable afterwards. Real-time safe.
    #[inline]
    pub fn turn(&mut self, at_most_ns: u64) -> Opportunity {
        self.waiting.wait(&mut self.chain, monotonic_ns() + at_most_ns);
        let looked_ns = monotonic_ns();
        self.newest.looked_ns = looked_ns;
        self.newest.readable_ns = looked_ns;
        let blocks = self.chain.take(looked_ns);
        if blocks > 0 {
            self.chain.publish(looked_ns);
            self.waiting.received(looked_ns, blocks);
            self.read_back();
        }
        self.newest
    }

    /// As any onlooker does. The status is stamped when the values have been published.
    #[inline]
    fn read_back(&mut self) {
        let Some(snapshot) = self.status.latest() else {
            return;
        };
        let Acquisition { stamp, sources, channels, .. } = snapshot.value;
        self.newest.readable_ns = stamp.publish_ns;
        self.newest.blocks = sources[0].blocks;
        self.newest.bytes = sources[0].bytes;
        for (value, channel) in self.newest.values.iter_mut().zip(channels) {
            *value = channel.raw as i32;
        }
    }
}
