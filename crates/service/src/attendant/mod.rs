//! The thread beside the loop: it says what the loop reports, and reads the configuration again
//! when it is asked to.
//!
//! ```text
//!   loop, SCHED_FIFO                          attendant, ordinary, on another CPU
//!   LoopSide::reporter ── events ──────────►  ledger ► log, at most a line per kind and second
//!   LoopSide::new_settings ◄── settings ────  SIGHUP ► configuration file
//! ```
//! Both arrows are wait-free rings that were made before the loop. The loop never waits for this
//! thread; this thread may wait for the disk and the journal as long as it likes.

mod ledger;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Builder;
use std::time::Duration;

use rt::clock::monotonic_ns;
use rt::events::{self, Event, Events, Kind, Reporter, Severity};
use rt::signals::Flags;
use shm_layout::Role;

use crate::arguments::Arguments;
use crate::companion::Companion;
use crate::config::{Change, Config, Settings};
use ledger::{Ledger, Line};

/// Events that fit between two looks; a loop of 10 kHz that reports in every step is still heard.
const EVENTS_MAX: usize = 2_048;
/// Settings that wait for the loop. It looks in every step, so that one is enough; more are for one
/// that is stopped.
const SETTINGS_MAX: usize = 4;
/// Stack of the thread: it is locked with the rest of the memory, so that no more than it needs.
const STACK_BYTES: usize = 512 * 1024;
/// From one look at the ring to the next.
const LOOK: Duration = Duration::from_millis(100);

static LOST: Kind = Kind::new("events-lost", Severity::Warning, "the loop reported faster than could be written");

/// The loop's ends of the rings. Everything here is real-time safe.
#[derive(Debug)]
pub struct LoopSide {
    /// Takes what the loop has to say.
    pub reporter: Reporter,
    settings: rtrb::Consumer<Settings>,
}

impl LoopSide {
    /// The newest settings, if they were changed since the last call.
    #[inline]
    pub fn new_settings(&mut self) -> Option<Settings> {
        let mut newest = None;
        while let Ok(settings) = self.settings.pop() {
            newest = Some(settings);
        }
        newest
    }
}

/// What the thread works with.
pub struct Duties {
    /// The process.
    pub role: Role,
    /// How the configuration was made, to make it again.
    pub arguments: Arguments,
    /// The configuration in force.
    pub config: Config,
    /// Raised by SIGHUP.
    pub flags: Flags,
    /// The period of the health block, which any thread may change.
    pub health_period_ns: Arc<AtomicU64>,
}

/// Starts the thread, which says everything before it ends.
pub fn start(duties: Duties) -> std::io::Result<(Companion, LoopSide)> {
    let (reporter, events) = events::ring(EVENTS_MAX);
    let (settings_writer, settings) = rtrb::RingBuffer::new(SETTINGS_MAX);
    let work = Work { duties, events, settings: settings_writer, ledger: Ledger::default() };
    let thread = Builder::new().name("rtrd-attendant".to_owned()).stack_size(STACK_BYTES);
    let companion = Companion::start(thread, move |ended| work.go_on_until(ended))?;
    Ok((companion, LoopSide { reporter, settings }))
}

struct Work {
    duties: Duties,
    events: Events,
    settings: rtrb::Producer<Settings>,
    ledger: Ledger,
}

impl Work {
    fn go_on_until(mut self, ended: &AtomicBool) {
        while !ended.load(Ordering::Relaxed) {
            std::thread::park_timeout(LOOK);
            self.take_events();
            self.ledger.due(monotonic_ns()).iter().for_each(say);
            if self.duties.flags.take_reread() {
                self.reread();
            }
        }
        self.take_events();
        self.ledger.rest().iter().for_each(say);
    }

    fn take_events(&mut self) {
        // No more than fit: a loop that reports without end must not keep this one from its other
        // duties.
        for _ in 0..EVENTS_MAX {
            let Some(event) = self.events.next() else { break };
            self.ledger.note(event);
        }
        let lost = self.events.take_lost();
        if lost > 0 {
            self.ledger.note(Event { count: lost, ..Event::once(&LOST, 0) });
        }
    }

    fn reread(&mut self) {
        if self.duties.arguments.config.is_none() {
            tracing::info!(event = RELOAD, "no configuration file was given: nothing to read again");
            return;
        }
        let new = match self.duties.arguments.configuration() {
            Ok(new) => new,
            Err(error) => {
                tracing::error!(event = RELOAD, "{error}; the running configuration is kept");
                return;
            }
        };
        let changes = self.duties.config.take_over(&new);
        let settings = Settings::of(&self.duties.config);
        self.duties.health_period_ns.store(settings.health_period_ms * 1_000_000, Ordering::Relaxed);
        if self.settings.push(settings).is_err() {
            tracing::warn!(event = RELOAD, "the loop does not take the new settings: it is stuck");
        }
        let role = self.duties.role;
        let mine: Vec<&Change> = changes.iter().filter(|change| concerns(role, change)).collect();
        for change in &mine {
            match change.is_taken {
                true => tracing::info!(event = RELOAD, key = change.key, "{change}"),
                false => tracing::warn!(event = RELOAD, key = change.key, "{change}"),
            }
        }
        if mine.is_empty() {
            tracing::info!(event = RELOAD, "read again: nothing has changed here");
        }
    }
}

/// The name of what is said about a reload.
const RELOAD: &str = "reload";

/// Every change is said by one process: by the one whose section it is, and what belongs to all by
/// the dynamics.
fn concerns(role: Role, change: &Change) -> bool {
    let owner = match change.section {
        "daq" => Role::Daq,
        "subsystem" => Role::Subsystem,
        _ => Role::Dynamics,
    };
    role == owner
}

fn say(line: &Line) {
    let Line { name, step, count, text, .. } = line;
    match line.severity {
        Severity::Information => tracing::info!(event = name, step, count, "{text}"),
        Severity::Warning => tracing::warn!(event = name, step, count, "{text}"),
    }
}
