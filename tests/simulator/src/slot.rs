//! The place of one process, which may be running, dead or stopped.

use std::rc::Rc;

use crate::killable::{Account, unless_killed};

/// The place of one process.
pub struct ProcessSlot<T> {
    process: Option<T>,
    /// What it shares with the simulator.
    pub account: Rc<Account>,
    /// How many there were.
    pub starts: u64,
    /// Dead until then (ns).
    back_ns: u64,
    stopped_until_ns: u64,
}

impl<T> Default for ProcessSlot<T> {
    fn default() -> Self {
        Self { process: None, account: Rc::default(), starts: 0, back_ns: 0, stopped_until_ns: 0 }
    }
}

impl<T> ProcessSlot<T> {
    /// Starts the process if it is not there and its time has come.
    pub fn revive(&mut self, now_ns: u64, start: impl FnOnce(&Rc<Account>) -> T) {
        if self.process.is_none() && now_ns >= self.back_ns {
            self.process = Some(start(&self.account));
            self.starts += 1;
            self.stopped_until_ns = 0;
        }
    }

    /// Ends the process; it comes back then.
    pub fn kill(&mut self, back_ns: u64) {
        self.process = None;
        self.back_ns = self.back_ns.max(back_ns);
    }

    /// It makes no turn until then.
    pub fn stop(&mut self, until_ns: u64) {
        self.stopped_until_ns = self.stopped_until_ns.max(until_ns);
    }

    /// It dies at this moment of a turn, and comes back then at the earliest.
    pub fn end_in_turn(&mut self, moment: crate::killable::Moment, back_ns: u64) {
        self.account.dies_at.set(Some(moment));
        self.back_ns = self.back_ns.max(back_ns);
    }

    /// A part of its turn, if it is there and goes on; `None` as well if it died in it.
    pub fn turn<R>(&mut self, now_ns: u64, body: impl FnOnce(&mut T) -> R) -> Option<R> {
        if now_ns < self.stopped_until_ns {
            return None;
        }
        let process = self.process.as_mut()?;
        let done = unless_killed(|| body(process));
        if done.is_none() {
            self.process = None;
        }
        done
    }

    /// Whether it is there, stopped or not.
    pub fn is_alive(&self) -> bool {
        self.process.is_some()
    }
}
