//! The start of a service, from the command line to the edge of its loop.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use nix::sys::signal::Signal;
use rt::signals::Flags;
use rt::startup::{Granted, Item, StartupError, Wishes};
use shm_layout::{ClaimError, Region, RegionError, RegionName, Role};

use crate::arguments::Arguments;
use crate::attendant::{self, Duties, LoopSide};
use crate::companion::{Companion, Heartbeat};
use crate::config::{Config, ConfigError};
use crate::job::{Job, JobError};
use crate::placement::{PlaceError, Placement, place};

/// Stack that a loop may use without a page fault.
const STACK_BYTES: usize = 256 * 1024;
/// Heap that a loop's set-up may use without one.
const HEAP_BYTES: usize = 8 * 1024 * 1024;

/// Why a service did not start.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant passes on the message of its source")]
pub enum StartError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Job(#[from] JobError),
    #[error(transparent)]
    Region(#[from] RegionError),
    #[error(transparent)]
    Claim(#[from] ClaimError),
    #[error(transparent)]
    Place(#[from] PlaceError),
    #[error(transparent)]
    RealTime(#[from] StartupError),
    #[error("cannot listen for signals: {0}")]
    Signals(std::io::Error),
    #[error("{0}")]
    Acquisition(String),
    #[error("cannot wait for data: {0}")]
    Waiting(std::io::Error),
    #[error("cannot start a thread beside the loop: {0}")]
    Thread(std::io::Error),
    #[error("the supervisor, process {supervisor}, has ended")]
    Orphan { supervisor: i32 },
}

impl StartError {
    /// Whether the start fails again until a person has changed the configuration.
    pub(crate) fn is_wrong_configuration(&self) -> bool {
        matches!(
            self,
            Self::Config(_)
                | Self::Job(_)
                | Self::Acquisition(_)
                | Self::Place(PlaceError::Plan(_) | PlaceError::Variable { .. } | PlaceError::WouldWait { .. })
                | Self::Region(RegionError::NoSuchGroup { .. } | RegionError::BadName { .. })
        )
    }
}

/// A process that has all it needs to run its loop. Holding one proves that the machine was asked
/// for real time; what it gave is in `granted`.
#[derive(Debug)]
pub struct Started {
    /// The configuration in force.
    pub config: Config,
    /// What is simulated.
    pub job: Job,
    /// The shared region.
    pub region: Region,
    /// Raised by SIGTERM, SIGINT and SIGHUP.
    pub flags: Flags,
    /// Tells systemd that the loop lives.
    pub heartbeat: Heartbeat,
    /// Where this process runs and whether it may spin.
    pub placement: Placement,
    /// What the machine gave.
    pub granted: Granted,
    /// How often the health block is published (ns); a reload may change it.
    pub health_period_ns: Arc<AtomicU64>,
    /// What the loop reports, and the settings that it is handed. A loop borrows it once, before it
    /// begins.
    pub loop_side: RefCell<LoopSide>,
    /// The attendant, which says what the loop reports.
    _attendant: Companion,
}

impl Started {
    /// Length of a step (ns).
    pub fn period_ns(&self) -> u64 {
        (self.job.step_s() * 1e9).round() as u64
    }

    /// The CPU to which the process is pinned, if it is.
    pub fn granted_cpu(&self) -> Option<usize> {
        self.has(Item::CpuPinned).then_some(self.placement.cpu)
    }

    /// The FIFO priority of the process, if it has one.
    pub fn granted_priority(&self) -> Option<u8> {
        self.has(Item::FifoPriority).then_some(self.placement.fifo_priority)
    }

    fn has(&self, item: Item) -> bool {
        self.granted.granted_bits() & item.bit() != 0
    }
}

/// Starts a service: configuration, scenario, region, signals, and everything that real time needs.
pub fn start(role: Role, arguments: &Arguments) -> Result<Started, StartError> {
    rt::startup::share_one_heap();
    let flags = Flags::register().map_err(StartError::Signals)?;
    if let Some(supervisor) = arguments.supervisor {
        end_with(supervisor)?;
    }
    let config = arguments.configuration()?;
    let placement = place(&config, role)?;
    // systemd starts us with our priority on our CPU, where the set-up would delay a partner, and
    // helpers would inherit both.
    if let Err(refused) = rt::startup::step_aside(&placement.ordinary_cpus) {
        tracing::debug!("cannot step aside to CPU {}: {refused}", placement.ordinary_cpus);
    }
    let job = Job::read(&config)?;
    let name = RegionName::new(&config.instance.name)?;
    let region = Region::open_or_create(&name, config.instance.group.as_deref())?;
    region.explain_faults().map_err(StartError::Signals)?;
    let heartbeat = Heartbeat::start().map_err(StartError::Thread)?;
    let health_period_ns = Arc::new(AtomicU64::new(config.realtime.health_period_ms * 1_000_000));
    let duties = Duties {
        role,
        arguments: arguments.clone(),
        config: config.clone(),
        flags: flags.clone(),
        health_period_ns: Arc::clone(&health_period_ns),
    };
    let (attendant, loop_side) = attendant::start(duties).map_err(StartError::Thread)?;
    let granted = rt::startup::enter(&wishes(&config, &placement))?;
    for line in granted.missing() {
        tracing::warn!("{line}");
    }
    for line in granted.warnings() {
        tracing::debug!("{line}");
    }
    Ok(Started {
        config,
        job,
        region,
        flags,
        heartbeat,
        placement,
        granted,
        health_period_ns,
        loop_side: RefCell::new(loop_side),
        _attendant: attendant,
    })
}

/// No orphans: when the supervisor dies, however it dies, the kernel sends this process SIGTERM.
pub fn end_with(supervisor: i32) -> Result<(), StartError> {
    nix::sys::prctl::set_pdeathsig(Signal::SIGTERM).map_err(|errno| StartError::Signals(errno.into()))?;
    // It may have died before we asked.
    if nix::unistd::getppid().as_raw() == supervisor { Ok(()) } else { Err(StartError::Orphan { supervisor }) }
}

fn wishes(config: &Config, placement: &Placement) -> Wishes {
    Wishes {
        cpu: Some(placement.cpu),
        fifo_priority: Some(placement.fifo_priority),
        lock_memory: config.realtime.lock_memory,
        dma_latency_us: config.realtime.hold_cpu_latency.then_some(0),
        prefault_stack_bytes: STACK_BYTES,
        prefault_heap_bytes: HEAP_BYTES,
        require: config.realtime.require,
    }
}
