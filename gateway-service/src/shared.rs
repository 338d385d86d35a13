//! What the threads of the gateway share.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use shm_layout::signals::Dictionary;
use tokio::sync::{broadcast, watch};

use crate::access::Access;
use crate::batch::Batch;
use crate::operator::Operator;

/// Batches that wait for a slow client: five seconds at sixty a second.
const BATCHES_WAITING: usize = 300;

/// A lock that goes on when a thread that held it has panicked: what it guards is valid at any
/// time.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the threads share.
pub struct Shared {
    /// Answer of `/api/run`.
    pub run: String,
    /// Answer of `/api/scene`.
    pub scene: String,
    /// Names of the run.
    pub dictionary: Arc<Dictionary>,
    /// The newest state message.
    pub state: watch::Sender<Bytes>,
    /// Every step of what is watched.
    pub batches: broadcast::Sender<Arc<Batch>>,
    /// The newest status message.
    pub status: watch::Sender<Utf8Bytes>,
    /// Which signals anybody watches.
    pub wanted: Wanted,
    /// What people do; none where another gateway writes the block.
    pub operator: Option<Mutex<Operator>>,
    /// Who may do what.
    pub access: Mutex<Access>,
    /// Figures of the gateway itself.
    pub figures: Figures,
}

impl Shared {
    /// Nothing has been seen yet.
    pub fn new(run: String, scene: String, dictionary: Dictionary, operator: Option<Operator>, access: Access) -> Self {
        Self {
            run,
            scene,
            dictionary: Arc::new(dictionary),
            state: watch::channel(Bytes::new()).0,
            batches: broadcast::channel(BATCHES_WAITING).0,
            status: watch::channel(Utf8Bytes::default()).0,
            wanted: Wanted::default(),
            operator: operator.map(Mutex::new),
            access: Mutex::new(access),
            figures: Figures::default(),
        }
    }
}

/// Counts that are shown.
#[derive(Debug, Default)]
pub struct Figures {
    /// Clients that are connected.
    pub clients: AtomicU64,
    /// Clients that there have been.
    pub clients_ever: AtomicU64,
    /// Clients that were dropped because they did not take what was sent, or sent rubbish.
    pub dropped: AtomicU64,
    /// Steps that were seen.
    pub steps_seen: AtomicU64,
    /// Steps that passed unseen.
    pub steps_lost: AtomicU64,
}

impl Figures {
    /// Whether anybody is there.
    pub fn somebody_looks(&self) -> bool {
        self.clients.load(Relaxed) > 0
    }
}

/// The signals that anybody watches, each with how many do.
#[derive(Debug, Default)]
pub struct Wanted {
    counts: Mutex<BTreeMap<u64, u32>>,
    version: AtomicU64,
}

impl Wanted {
    /// A client watches these signals instead of those.
    pub fn change(&self, before: &[u64], after: &[u64]) {
        let mut counts = lock(&self.counts);
        after.iter().for_each(|number| *counts.entry(*number).or_default() += 1);
        for number in before {
            if let Some(count) = counts.get_mut(number) {
                *count = count.saturating_sub(1);
            }
        }
        counts.retain(|_, count| *count > 0);
        self.version.fetch_add(1, Relaxed);
    }

    /// Rises with every change.
    pub fn version(&self) -> u64 {
        self.version.load(Relaxed)
    }

    /// The numbers, rising.
    pub fn numbers(&self) -> Vec<u64> {
        lock(&self.counts).keys().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_wanted_as_long_as_anybody_watches_it() {
        let wanted = Wanted::default();
        wanted.change(&[], &[5, 3]);
        wanted.change(&[], &[5]);
        assert_eq!(wanted.numbers(), [3, 5]);
        wanted.change(&[5, 3], &[9]);
        assert_eq!((wanted.numbers(), wanted.version()), (vec![5, 9], 3));
        wanted.change(&[5], &[]);
        assert_eq!(wanted.numbers(), [9]);
    }
}
