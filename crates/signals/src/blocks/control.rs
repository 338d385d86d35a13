//! `/control/`: what the supervisor asks of all processes, and what it knows of them.

use bytemuck::{Pod, Zeroable};

use crate::{Layout, Stamp};

/// Processes that the supervisor can look after.
pub const PROCESSES_MAX: usize = 8;

/// The run goes on.
pub const MODE_RUN: u64 = 1;
/// The run is over: all processes end.
pub const MODE_STOP: u64 = 2;

/// What the supervisor asks of all processes.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[repr(C)]
pub struct Control {
    /// When.
    pub stamp: Stamp,
    /// [-] [@range 1..2] [@invalid 0] What is asked for: 1 run, 2 stop.
    pub mode: u64,
    /// [ns] [@range 0..18446744073709551615] [@invalid 0] Monotonic time at which the run was
    /// started.
    pub started_ns: u64,
    /// [ns] [@range 0..18446744073709551615] [@invalid 0] Period of the simulation step.
    pub period_ns: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Process number of the supervisor.
    pub supervisor_pid: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] How often each process was restarted: daq,
    /// subsystem, dynamics.
    pub restarts: [u64; PROCESSES_MAX],
}
