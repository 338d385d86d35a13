//! A script that has been checked: what is sampled when, what is made of it, and what is sent.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 16 bits.
    Word,
    /// 32 bits.
    Long,
}

impl Width {
    pub const fn bytes(self) -> usize {
        match self {
            Self::Word => 2,
            Self::Long => 4,
        }
    }
}

/// What can be sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    Analog(u8),
    /// The control port of the quadrature decoder, B3: reading it latches all counters.
    Latch,
    /// The data port of the quadrature decoder, B2: each reading gives the next latched counter.
    Counter,
}

/// A task: values are found in and put into numbered places, the channels first, then the script's
/// own pipes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// A running count of 32 bits from one of 16 that overflows.
    Count {
        /// Place of the 16-bit count.
        from: usize,
        offset: i32,
        /// Place of the 32-bit count.
        to: usize,
    },
    Rate {
        from: usize,
        /// How wide it is: a count of 16 bits overflows sooner.
        width: Width,
        window: usize,
        /// Place of the rate (counts per second).
        to: usize,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub pipe: String,
    pub width: Width,
    pub place: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub channels: Vec<Pin>,
    /// From one channel to the next (ns).
    pub channel_ns: u64,
    pub places: usize,
    /// What is made of the samples, in an order in which every task finds its input ready.
    pub tasks: Vec<Task>,
    pub block: Vec<Field>,
    pub gathered: usize,
}

impl Program {
    /// From one block to the next (ns): every channel once.
    pub fn block_ns(&self) -> u64 {
        self.channel_ns * self.channels.len() as u64
    }

    /// The channel after which each value of a block can be sent.
    ///
    /// A channel's value is there when it is sampled, a task's as soon as the value that it works
    /// on is there; and `MERGE` sends in its own order, so that a value waits for those before it.
    /// In the script of the thesis the brake goes first, and the steering waits for the throttle.
    pub fn sent_after(&self) -> Vec<usize> {
        let mut ready: Vec<usize> = (0..self.places).collect();
        for task in &self.tasks {
            let (Task::Count { from, to, .. } | Task::Rate { from, to, .. }) = *task;
            ready[to] = ready[from];
        }
        let mut last = 0;
        let wait_for_earlier = |field: &Field| {
            last = ready[field.place].max(last);
            last
        };
        self.block.iter().map(wait_for_earlier).collect()
    }

    pub fn block_bytes(&self) -> usize {
        self.block.iter().map(|field| field.width.bytes()).sum()
    }
}
