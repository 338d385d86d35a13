//! One process as its health block shows it.

use std::path::Path;
use std::sync::OnceLock;

use rt::histogram::Histogram;
use rt::machine::Machine;
use service::histogram_of;
use shm_layout::blocks::{self, Health, STATE_FAULT, STATE_RUNNING, STATE_STARTING, STATE_STOPPED};
use shm_layout::{Block, Role};

/// The processes in the order in which they are started; they are ended in the opposite order. The
/// positions are those of `restarts` in the control block.
pub const PROCESSES: [(Role, Block<Health>); 3] = [
    (Role::Daq, blocks::DAQ_HEALTH),
    (Role::Subsystem, blocks::SUBSYSTEM_HEALTH),
    (Role::Dynamics, blocks::DYNAMICS_HEALTH),
];

/// What a process says it is doing, and whether it still says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Absent,
    Starting,
    Running,
    Fault,
    Stopped,
    /// It has not reported for a long time.
    Silent,
}

impl State {
    pub fn word(self) -> &'static str {
        match self {
            State::Absent => "absent",
            State::Starting => "starting",
            State::Running => "running",
            State::Fault => "fault",
            State::Stopped => "stopped",
            State::Silent => "silent",
        }
    }
}

#[derive(Clone, Debug)]
pub struct ProcessView {
    pub role: Role,
    pub state: State,
    pub restarts: u64,
    /// Time since it last reported.
    pub age_ns: u64,
    pub health: Health,
    /// Lateness of its wake-ups.
    pub latency: Histogram,
    /// Duration of its steps.
    pub execution: Histogram,
    /// Duration of the lock-step exchange.
    pub exchange: Histogram,
}

/// Whether this machine's kernel is a real-time one.
fn kernel_is_real_time() -> bool {
    static KERNEL: OnceLock<bool> = OnceLock::new();
    *KERNEL.get_or_init(|| Machine::read(Path::new("/")).is_ok_and(|machine| machine.kernel.realtime))
}

/// A process that has not reported for so long is silent: a second, or a few of its own periods.
const SILENT_AFTER_NS: u64 = 1_000_000_000;

impl ProcessView {
    pub fn new(role: Role, restarts: u64, now_ns: u64, health: Option<Health>) -> Self {
        let health_known = health.is_some();
        let health = health.unwrap_or_default();
        let age_ns = now_ns.saturating_sub(health.stamp.publish_ns);
        let silent = age_ns > SILENT_AFTER_NS.max(3 * health.period_ns);
        let state = match health.state {
            _ if !health_known => State::Absent,
            STATE_STOPPED => State::Stopped,
            _ if silent => State::Silent,
            STATE_STARTING => State::Starting,
            STATE_RUNNING => State::Running,
            STATE_FAULT => State::Fault,
            _ => State::Absent,
        };
        Self {
            role,
            state,
            restarts,
            age_ns,
            latency: histogram_of(&health.latency),
            execution: histogram_of(&health.execution),
            exchange: histogram_of(&health.exchange),
            health,
        }
    }

    /// What keeps it from running in real time, if anything does: then other programs or the kernel
    /// may delay it at any time.
    pub fn not_real_time(&self) -> Option<&'static str> {
        match (self.health.fifo_priority > 0, kernel_is_real_time()) {
            (false, _) => Some("no FIFO priority"),
            (true, false) => Some("no real-time kernel"),
            (true, true) => None,
        }
    }

    /// The name without `-service`.
    pub fn name(&self) -> &'static str {
        service::short_name(self.role)
    }
}
