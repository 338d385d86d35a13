//! Threads that wait for phases.
//!
//! A phase is announced by a rising ticket. Every group is claimed by whoever comes first, a worker or the thread that steps, so
//! a phase is completed even if no worker ever runs; the one that claims a group is the only one to touch it. Locks are only
//! ever tried, never waited for: the claim has already decided who holds them.
//!
//! An idle worker spins for some microseconds, then yields, then sleeps; the thread that steps wakes those that sleep. While it waits
//! for a group that somebody else has claimed it yields, so that on a machine with fewer processors than threads the other
//! one gets to run.

use super::replica::{Phase, Replica};
use crate::model::Model;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread::{JoinHandle, park_timeout, yield_now};
use std::time::Duration;

/// Rounds of spinning, then of yielding, before a worker sleeps.
const SPINS: u32 = 4_000;
const YIELDS: u32 = 200;
/// A sleeper looks around by itself this often.
const NAP: Duration = Duration::from_millis(50);

struct Group {
    replica: Mutex<Replica>,
    claimed: AtomicU64,
    done: AtomicU64,
}

struct Shared {
    model: Model,
    groups: Vec<Group>,
    /// Ticket times four, and the phase.
    announced: AtomicU64,
    sleeping: Vec<AtomicBool>,
    stop: AtomicBool,
}

/// Groups and the threads that serve them.
pub(super) struct Workers {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    ticket: u64,
}

/// Says that a group is done, come what may.
struct Finish<'a>(&'a AtomicU64, u64);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.store(self.1, Ordering::Release);
    }
}

impl Workers {
    pub(super) fn new(model: &Model, replicas: Vec<Replica>) -> std::io::Result<Self> {
        let group = |replica| Group {
            replica: Mutex::new(replica),
            claimed: AtomicU64::new(0),
            done: AtomicU64::new(0),
        };
        let groups: Vec<Group> = replicas.into_iter().map(group).collect();
        let count = groups.len().saturating_sub(1);
        let shared = Arc::new(Shared {
            model: model.clone(),
            groups,
            announced: AtomicU64::new(0),
            sleeping: (0..count).map(|_| AtomicBool::new(false)).collect(),
            stop: AtomicBool::new(false),
        });
        let mut workers = Self {
            shared: Arc::clone(&shared),
            threads: Vec::with_capacity(count),
            ticket: 0,
        };
        for number in 0..count {
            let shared = Arc::clone(&shared);
            let name = format!("chains-{}", number + 1);
            let builder = std::thread::Builder::new().name(name);
            workers.threads.push(builder.spawn(move || shared.serve(number))?);
        }
        Ok(workers)
    }

    pub(super) fn count(&self) -> usize {
        self.shared.groups.len()
    }

    /// A group between phases; none if a thread has died with it.
    pub(super) fn group(&self, index: usize) -> Option<MutexGuard<'_, Replica>> {
        match self.shared.groups[index].replica.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Has all groups do a phase and returns when they are done.
    pub(super) fn run(&mut self, phase: Phase) {
        self.ticket += 1;
        let shared = &self.shared;
        shared
            .announced
            .store(self.ticket << 2 | phase as u64, Ordering::SeqCst);
        for (sleeping, thread) in shared.sleeping.iter().zip(&self.threads) {
            if sleeping.load(Ordering::SeqCst) {
                thread.thread().unpark();
            }
        }
        for group in &shared.groups {
            shared.claim(group, self.ticket, phase);
        }
        for group in &shared.groups {
            let mut rounds = 0;
            while group.done.load(Ordering::Acquire) < self.ticket {
                rounds += 1;
                if rounds < SPINS {
                    std::hint::spin_loop();
                } else {
                    yield_now();
                }
            }
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        for thread in self.threads.drain(..) {
            thread.thread().unpark();
            // A worker that panicked has said so itself.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// Does a group if nobody else has claimed it.
    fn claim(&self, group: &Group, ticket: u64, phase: Phase) {
        if group.claimed.fetch_max(ticket, Ordering::AcqRel) >= ticket {
            return;
        }
        let _finish = Finish(&group.done, ticket);
        if let Ok(mut replica) = group.replica.try_lock() {
            replica.run(phase, &self.model);
        }
    }

    fn serve(&self, number: usize) {
        let (mut seen, mut idle) = (0, 0);
        while !self.stop.load(Ordering::Relaxed) {
            let announced = self.announced.load(Ordering::Acquire);
            if announced == seen {
                idle += 1;
                self.rest(number, seen, idle);
                continue;
            }
            (seen, idle) = (announced, 0);
            let phase = match announced & 3 {
                0 => Phase::Forward,
                1 => Phase::Backward,
                _ => Phase::Outward,
            };
            // The thread that steps begins with the first group, each worker with another one.
            for step in 0..self.groups.len() {
                let group = &self.groups[(number + 1 + step) % self.groups.len()];
                self.claim(group, announced >> 2, phase);
            }
        }
    }

    fn rest(&self, number: usize, seen: u64, idle: u32) {
        if idle < SPINS {
            std::hint::spin_loop();
        } else if idle < SPINS + YIELDS {
            yield_now();
        } else {
            self.sleeping[number].store(true, Ordering::SeqCst);
            let nothing = self.announced.load(Ordering::SeqCst) == seen && !self.stop.load(Ordering::SeqCst);
            if nothing {
                park_timeout(NAP);
            }
            self.sleeping[number].store(false, Ordering::SeqCst);
        }
    }
}
