//! Where each process runs, and how the lock-step partners wait for each other.
//!
//! Every process makes the whole plan from the same configuration and the same machine, so all come to the same result
//! without asking each other.

use rt::cpu_plan::{CpuPlan, PlanError, ProcessWish, Topology};
use rt::machine::{AllowedCpusError, Machine, MachineError, allowed_cpus};
use shm_layout::{Role, Wait};

use crate::config::{Config, Exchange};

/// Why a process has no place.
#[derive(Debug, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what the variants and their fields are"
)]
pub enum PlaceError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Machine(#[from] MachineError),
    #[error(transparent)]
    Allowed(#[from] AllowedCpusError),
    #[error(
        "dynamics.exchange is \"spin\", but dynamics and subsystem share CPU {cpu}, where two processes that spin would \
         wait for each other for ever; give them CPUs of their own, or use \"auto\" or \"sleep\""
    )]
    WouldHang { cpu: usize },
}

/// The place of this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Its name in the plan.
    pub name: &'static str,
    /// The CPU to pin it to.
    pub cpu: usize,
    /// Its FIFO priority.
    pub fifo_priority: u8,
    /// How it waits for its lock-step partner.
    pub wait: Wait,
    /// Whether it may spin: its CPU is its own, and the rest of the system has another.
    pub may_spin: bool,
}

impl Placement {
    /// Where the process runs and how it waits, for people.
    pub fn lock_step_text(&self) -> String {
        let waiting = match self.wait {
            Wait::Spin => "spinning",
            Wait::Sleep => "sleeping",
        };
        format!("on CPU {}, in lock-step by {waiting}", self.cpu)
    }
}

/// The plan for all processes of an instance on this machine.
pub fn plan(config: &Config) -> Result<CpuPlan, PlaceError> {
    let machine = Machine::read(std::path::Path::new("/"))?;
    let allowed = allowed_cpus(&machine.processors.isolated)?;
    let topology = Topology::of(&machine, &allowed);
    Ok(CpuPlan::make(&topology, &wishes(config))?)
}

fn wishes(config: &Config) -> [ProcessWish; 3] {
    let (daq, dynamics, subsystem) = (&config.daq, &config.dynamics, &config.subsystem);
    [
        ProcessWish::new(short_name(Role::Daq), daq.fifo_priority).on_cpu(daq.cpu),
        ProcessWish::new(short_name(Role::Dynamics), dynamics.fifo_priority)
            .on_cpu(dynamics.cpu)
            .in_lock_step_with(short_name(Role::Subsystem)),
        ProcessWish::new(short_name(Role::Subsystem), subsystem.fifo_priority).on_cpu(subsystem.cpu),
    ]
}

/// The place of one process in the plan.
pub fn place(config: &Config, role: Role) -> Result<Placement, PlaceError> {
    let plan = plan(config)?;
    let name = short_name(role);
    let assignment = plan.get(name);
    let cpu = assignment.map_or_else(|| plan.system_cpu(), |assignment| assignment.cpu);
    let fifo_priority = match role {
        Role::Daq => config.daq.fifo_priority,
        Role::Subsystem => config.subsystem.fifo_priority,
        _ => config.dynamics.fifo_priority,
    };
    Ok(Placement {
        name,
        cpu,
        fifo_priority,
        wait: waiting(config, &plan)?,
        may_spin: assignment.is_some_and(|assignment| assignment.may_spin),
    })
}

fn waiting(config: &Config, plan: &CpuPlan) -> Result<Wait, PlaceError> {
    let (one, other) = (short_name(Role::Dynamics), short_name(Role::Subsystem));
    let cpu = |name| plan.get(name).map(|assignment| assignment.cpu);
    match config.dynamics.exchange {
        Exchange::Sleep => Ok(Wait::Sleep),
        Exchange::Auto if plan.lock_step_may_spin(one, other) => Ok(Wait::Spin),
        Exchange::Auto => Ok(Wait::Sleep),
        Exchange::Spin => match (cpu(one), cpu(other)) {
            (Some(shared), Some(same)) if shared == same => Err(PlaceError::WouldHang { cpu: shared }),
            _ => Ok(Wait::Spin),
        },
    }
}

/// The name of a process in the plan and the configuration.
pub fn short_name(role: Role) -> &'static str {
    role.name().trim_end_matches("-service")
}
