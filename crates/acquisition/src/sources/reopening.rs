//! A source that comes back: whatever is unplugged is opened again by a thread that is not
//! real-time.
//!
//! The loop neither opens, closes nor allocates. When its source is gone it puts it into a shared
//! place and goes on without; the opener finds it there, drops it, and tries to open another until
//! one can be opened; the loop takes that one out of the shared place. Neither waits for the other:
//! the loop only tries the lock, and the opener holds it for a few moves of a pointer.

use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::{Clock, Counters, OpenError, Opening, Sample, Source, State};

/// Time between two attempts to open.
const RETRY: Duration = Duration::from_millis(50);

/// What the caller adds to the opener: this crate knows no scheduling and no log.
#[derive(Clone, Copy, Debug)]
pub struct OpenerHooks {
    /// The first thing that its thread does: leave real time, which threads inherit.
    pub prepare: fn(),
    /// Receives a line for each change.
    pub report: fn(&str),
}

impl Default for OpenerHooks {
    fn default() -> Self {
        Self { prepare: || {}, report: |_| {} }
    }
}

#[derive(Default)]
struct Handover {
    closed: Option<Box<dyn Source>>,
    opened_source: Option<Box<dyn Source>>,
    wanted: bool,
}

#[derive(Default)]
struct Shared {
    handover: Mutex<Handover>,
    ended: AtomicBool,
}

/// A source that is opened again when it is gone.
pub struct Reopening {
    source: Option<Box<dyn Source>>,
    shared: Arc<Shared>,
    counters: Counters,
    clock: Clock,
    /// Asked for, and not yet there.
    waiting: bool,
    /// It came, and [`Reopening::receive`] has not yet reported it.
    has_come: bool,
    opener: Option<JoinHandle<()>>,
}

type Opened = Result<Box<dyn Source>, OpenError>;

/// The first opening, on a thread that has left real time: a source may start threads of its own,
/// and they inherit from the one that opens it.
fn open_first(opening: Box<dyn Opening>, terms: OpenerHooks) -> (Box<dyn Opening>, Opened) {
    std::thread::scope(|scope| {
        let opener = scope.spawn(move || {
            (terms.prepare)();
            let opened = opening.open(Counters::default());
            (opening, opened)
        });
        opener.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

impl Reopening {
    /// Opens a source, and goes on trying if that fails; then says why. Starts the opener.
    pub fn start(name: &str, opening: Box<dyn Opening>, terms: OpenerHooks) -> (Self, Option<OpenError>) {
        let (opening, opened) = open_first(opening, terms);
        let (source, problem) = match opened {
            Ok(source) => (Some(source), None),
            Err(error) => (None, Some(error)),
        };
        let shared = Arc::new(Shared::default());
        if source.is_none() {
            shared.handover.lock().unwrap_or_else(PoisonError::into_inner).wanted = true;
        }
        let opener = Opener {
            name: name.to_owned(),
            opening,
            terms,
            shared: Arc::clone(&shared),
            counters: Counters::default(),
            reported: problem.as_ref().map(ToString::to_string),
        };
        let thread = std::thread::Builder::new().name("source-opener".to_owned()).spawn(move || opener.run());
        let reopening = Self {
            waiting: source.is_none(),
            has_come: false,
            clock: source.as_ref().map_or(Clock::Arrival, |source| source.clock()),
            counters: source.as_ref().map_or_else(Counters::default, |source| *source.counters()),
            source,
            shared,
            opener: thread.ok(),
        };
        (reopening, problem)
    }

    /// Whether there is a source at present.
    pub fn is_open(&self) -> bool {
        self.source.is_some()
    }

    /// Looks whether the opener has a source for us, and says once for each that one came.
    /// [`Source::take`] looks too; to know its numbers before its samples, ask here,
    /// and take with [`Self::take_received`]. Real-time safe.
    #[inline]
    pub fn receive(&mut self) -> bool {
        self.look();
        std::mem::take(&mut self.has_come)
    }

    /// Takes from the source that was received. One that comes just now waits for
    /// [`Self::receive`], with all its samples. Real-time safe.
    #[inline]
    pub fn take_received(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
        let Some(source) = &mut self.source else {
            return State::Gone;
        };
        let state = source.take(now_ns, each);
        let reconnects = self.counters.reconnects;
        self.counters = *source.counters();
        self.counters.reconnects = reconnects;
        if state == State::Gone {
            self.hand_back();
        }
        state
    }

    #[inline]
    fn look(&mut self) {
        if !self.waiting {
            return;
        }
        if let Ok(mut handover) = self.shared.handover.try_lock()
            && let Some(opened_source) = handover.opened_source.take()
        {
            handover.wanted = false;
            self.clock = opened_source.clock();
            self.source = Some(opened_source);
            self.waiting = false;
            self.has_come = true;
            self.counters.reconnects += 1;
        }
    }

    /// Gives a source that is gone away, if the opener is not just looking. Real-time safe.
    #[inline]
    fn hand_back(&mut self) {
        if let Ok(mut handover) = self.shared.handover.try_lock() {
            handover.closed = self.source.take();
            handover.wanted = true;
            self.waiting = true;
        }
    }
}

impl Source for Reopening {
    /// Those of the source that is there; none while it is gone.
    fn channels(&self) -> &[String] {
        self.source.as_ref().map_or(&[], |source| source.channels())
    }

    fn clock(&self) -> Clock {
        self.clock
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.source.as_ref()?.descriptor()
    }

    #[inline]
    fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
        self.look();
        self.take_received(now_ns, each)
    }

    fn counters(&self) -> &Counters {
        &self.counters
    }

    fn set_torque(&mut self, torque_nm: f64, now_ns: u64) {
        if let Some(source) = &mut self.source {
            source.set_torque(torque_nm, now_ns);
        }
    }
}

impl Drop for Reopening {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Release);
        if let Some(opener) = self.opener.take() {
            opener.thread().unpark();
            // An opener that panicked has nothing left to report.
            let _ = opener.join();
        }
    }
}

struct Opener {
    name: String,
    opening: Box<dyn Opening>,
    terms: OpenerHooks,
    shared: Arc<Shared>,
    counters: Counters,
    /// The last problem that was reported, so that it is reported once.
    reported: Option<String>,
}

impl Opener {
    fn run(mut self) {
        (self.terms.prepare)();
        while !self.shared.ended.load(Ordering::Acquire) {
            let (closed, wanted) = self.look();
            if let Some(closed) = closed {
                self.counters = *closed.counters();
                (self.terms.report)(&format!("{}: gone", self.name));
            }
            if wanted {
                self.open();
            }
            std::thread::park_timeout(RETRY);
        }
    }

    fn look(&self) -> (Option<Box<dyn Source>>, bool) {
        let mut handover = self.shared.handover.lock().unwrap_or_else(PoisonError::into_inner);
        (handover.closed.take(), handover.wanted && handover.opened_source.is_none())
    }

    fn open(&mut self) {
        match self.opening.open(self.counters) {
            Ok(source) => {
                let mut handover = self.shared.handover.lock().unwrap_or_else(PoisonError::into_inner);
                handover.opened_source = Some(source);
                drop(handover);
                self.reported = None;
                (self.terms.report)(&format!("{}: open", self.name));
            }
            Err(error) => {
                let problem = error.to_string();
                if self.reported.as_ref() != Some(&problem) {
                    (self.terms.report)(&format!("{}: {problem}", self.name));
                    self.reported = Some(problem);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Each time it is opened it delivers one sample, and is gone.
    struct Brief(Counters);

    impl Opening for Brief {
        fn open(&self, counters: Counters) -> Opened {
            Ok(Box::new(Brief(counters)))
        }
    }

    impl Source for Brief {
        fn channels(&self) -> &[String] {
            &[]
        }

        fn clock(&self) -> Clock {
            Clock::Arrival
        }

        fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
            each(&Sample::empty(now_ns));
            State::Gone
        }

        fn counters(&self) -> &Counters {
            &self.0
        }
    }

    #[test]
    fn a_source_that_has_come_keeps_its_samples_until_it_is_received() {
        let (mut source, problem) =
            Reopening::start("brief", Box::new(Brief(Counters::default())), OpenerHooks::default());
        assert!(problem.is_none());
        let samples = |source: &mut Reopening| {
            let mut samples = 0;
            source.take_received(0, &mut |_| samples += 1);
            samples
        };
        assert_eq!(samples(&mut source), 1);
        // The opener may have been looking just then.
        while !source.waiting {
            source.hand_back();
        }
        while source.shared.handover.lock().unwrap().opened_source.is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(samples(&mut source), 0);
        assert!(source.receive());
        assert_eq!(samples(&mut source), 1);
    }

    thread_local! {
        static HAS_LEFT_REAL_TIME: Cell<bool> = const { Cell::new(false) };
    }

    /// Cannot be opened, and reports on what kind of thread that was tried.
    struct Telling;

    impl Opening for Telling {
        fn open(&self, _: Counters) -> Opened {
            Err(OpenError::new("thread", HAS_LEFT_REAL_TIME.get()))
        }
    }

    /// A wheel's force has a thread of its own, which must not inherit the loop's priority and CPU.
    #[test]
    fn sources_are_opened_off_the_real_time_path() {
        let terms = OpenerHooks { prepare: || HAS_LEFT_REAL_TIME.set(true), report: |_| {} };
        let (_source, problem) = Reopening::start("telling", Box::new(Telling), terms);
        assert_eq!(problem.expect("it cannot be opened").problem, "true");
        assert!(!HAS_LEFT_REAL_TIME.get(), "and this thread stays what it is");
    }
}
