//! Where each process runs, and how the lock-step partners wait for each other.
//!
//! Every process makes the whole plan from the same configuration and the same machine, so all come
//! to the same result without asking each other. A process whose mask was already narrowed to its
//! place by that plan (`CPUAffinity=` in its unit) can no longer see from which CPUs the plan was
//! made: the variable [`CPUS_VARIABLE`] tells it.

use rt::cpu_plan::{CpuPlan, PlanError, ProcessWish, Topology};
use rt::machine::{AllowedCpusError, CpuList, CpuListError, Machine, MachineError, allowed_cpus};
use shm_layout::{Role, Wait};

use crate::config::{Config, Exchange};

/// The environment variable with the CPUs from which the plan is made, `0-3`; without it they are
/// those of the process.
pub const CPUS_VARIABLE: &str = "RTRD_CPUS";

/// Why a process has no place.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants and their fields are")]
pub enum PlaceError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Machine(#[from] MachineError),
    #[error(transparent)]
    Allowed(#[from] AllowedCpusError),
    #[error("the environment variable {CPUS_VARIABLE} is {found:?}: {problem}")]
    Variable { found: String, problem: CpuListError },
    #[error(
        "dynamics.exchange is \"spin\", but dynamics and subsystem share CPU {cpu}, where two processes that spin would \
         wait for each other for ever; give them CPUs of their own, or use \"auto\" or \"sleep\""
    )]
    WouldWait { cpu: usize },
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
    /// The CPUs for whatever of it is not real-time: its start, its helpers.
    pub ordinary_cpus: CpuList,
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
    plan_on(config, &topology()?)
}

/// The plan for all processes of an instance on a certain machine.
pub fn plan_on(config: &Config, topology: &Topology) -> Result<CpuPlan, PlaceError> {
    Ok(CpuPlan::make(topology, &wishes(config))?)
}

/// The CPUs of this machine that the plan is made from.
pub fn topology() -> Result<Topology, PlaceError> {
    let machine = Machine::read(std::path::Path::new("/"))?;
    let allowed = match std::env::var(CPUS_VARIABLE) {
        Ok(found) => found.parse().map_err(|problem| PlaceError::Variable { found, problem })?,
        Err(_) => allowed_cpus(&machine.processors.isolated)?,
    };
    Ok(Topology::of(&machine, &allowed))
}

/// What the plan and the isolation of the machine leave to everything that is not real-time.
fn ordinary_cpus(topology: &Topology, plan: &CpuPlan) -> CpuList {
    let taken = plan.real_time_cpus().union(&topology.isolated);
    let left = topology.usable().difference(&taken);
    left.union(&CpuList::from_iter([plan.system_cpu()]))
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
    let topology = topology()?;
    let plan = plan_on(config, &topology)?;
    let name = short_name(role);
    let assignment = plan.get(name);
    let cpu = assignment.map_or_else(|| plan.system_cpu(), |assignment| assignment.cpu);
    Ok(Placement {
        name,
        cpu,
        fifo_priority: fifo_priority(config, role),
        wait: waiting(config, &plan)?,
        ordinary_cpus: ordinary_cpus(&topology, &plan),
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
            (Some(shared), Some(same)) if shared == same => Err(PlaceError::WouldWait { cpu: shared }),
            _ => Ok(Wait::Spin),
        },
    }
}

/// The priority that is configured for a process.
pub fn fifo_priority(config: &Config, role: Role) -> u8 {
    match role {
        Role::Daq => config.daq.fifo_priority,
        Role::Subsystem => config.subsystem.fifo_priority,
        _ => config.dynamics.fifo_priority,
    }
}

/// The name of a process in the plan and the configuration.
pub fn short_name(role: Role) -> &'static str {
    role.name().trim_end_matches("-service")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(allowed: &str) -> Topology {
        let list = |text: &str| text.parse().expect("a list of CPUs");
        Topology { online: list("0-3"), allowed: list(allowed), isolated: list("1-3"), ..Topology::default() }
    }

    /// Why [`CPUS_VARIABLE`] exists: planned from its own place alone, a process comes to another
    /// plan than its partners.
    #[test]
    fn a_process_that_sees_only_its_own_cpu_would_not_agree_with_its_partners() {
        let config = Config::default();
        let whole = plan_on(&config, &machine("0-3")).expect("a plan");
        assert_eq!(waiting(&config, &whole).expect("a way"), Wait::Spin);
        let place = whole.get("dynamics").expect("a place").cpu;
        let alone = plan_on(&config, &machine(&place.to_string())).expect("a plan");
        assert_eq!(waiting(&config, &alone).expect("a way"), Wait::Sleep);
    }

    #[test]
    fn what_is_not_real_time_stays_off_isolated_and_planned_cpus() {
        let config = Config::default();
        for (topology, expected) in [
            (machine("0-3"), "0"),
            (Topology { isolated: CpuList::new(), online: "0-7".parse().expect("CPUs"), ..machine("0-7") }, "0,4-7"),
            (machine("2"), "2"),
        ] {
            let plan = plan_on(&config, &topology).expect("a plan");
            assert_eq!(ordinary_cpus(&topology, &plan).to_string(), expected);
        }
    }
}
