//! Which process goes to which CPU: the rules of the plan.
//!
//! One CPU is the **system's**: the lowest ordinary one that no process asked for. The kernel's own
//! work, device interrupts and everything that is not real-time stay there; the other CPUs are to
//! be given away.
//!
//! 1. A wish for a certain CPU is granted or refused, never bent.
//! 2. The rest choose in turn: those in lock-step first, because a disturbance of one of them
//!    delays two; then by priority; then in the order given. Each takes an isolated CPU if there is
//!    one; of those equally good one whose core is not in use yet; of those the lowest number.
//!    Isolation outranks the free core: a busy sibling costs a bounded part of the core's
//!    throughput, and to code of ours, whereas a CPU that is not isolated is open to the work of
//!    others, which nothing bounds.
//! 3. With one CPU too few, and all that are left isolated, a process that waits for none moves
//!    to the system's CPU. It pays with the interrupts there, and each member of a lock-step pair
//!    keeps a CPU on which it may spin.
//! 4. Otherwise a lock-step pair shares one CPU. While one of the two computes the other waits, so
//!    sharing costs no parallelism; and where nothing may spin the hand-over goes by futex, which
//!    on one CPU is a context switch, but on two is an interrupt to the other CPU and its way out
//!    of the idle state, twice for each step. (Three processes on two CPUs: `dynamics` and
//!    `subsystem` on 1, `daq` on 0. With `subsystem` and `daq` together instead, `daq` could delay
//!    the answer of every step.)
//! 5. What still finds no place of its own joins the system's CPU: single processes first, the
//!    least important of them first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{PlanError, ProcessWish, Topology};
use crate::machine::CpuList;

/// Processes that stay together, as indexes of wishes.
type Unit = Vec<usize>;

/// The system's CPU, and the CPU of each wish in the order given.
pub(super) struct Placement {
    pub(super) system_cpu: usize,
    pub(super) cpu_of: Vec<usize>,
}

/// Places all processes.
pub(super) fn place(topology: &Topology, wishes: &[ProcessWish]) -> Result<Placement, PlanError> {
    let usable = topology.usable();
    let wished: CpuList = wishes.iter().filter_map(|wish| wish.cpu).collect();
    let system_cpu = system_cpu(topology, &usable, &wished)
        .ok_or_else(|| PlanError::NoUsableCpu { online: topology.online.clone(), allowed: topology.allowed.clone() })?;
    let mut board = Board { topology, wishes, usable, system_cpu, occupants: BTreeMap::new() };
    board.grant_wishes();
    let mut units = board.units_in_order();
    board.make_fit(&mut units);
    for unit in units {
        let cpu = board.best_free_cpu();
        board.put(unit, cpu);
    }
    Ok(Placement { system_cpu, cpu_of: board.cpu_of() })
}

/// The lowest usable CPU that is neither isolated nor wished for; failing that the lowest that is
/// not isolated; failing that the lowest.
fn system_cpu(topology: &Topology, usable: &CpuList, wished: &CpuList) -> Option<usize> {
    let ordinary = usable.difference(&topology.isolated);
    ordinary.difference(wished).first().or(ordinary.first()).or(usable.first())
}

struct Board<'a> {
    topology: &'a Topology,
    wishes: &'a [ProcessWish],
    usable: CpuList,
    system_cpu: usize,
    occupants: BTreeMap<usize, Unit>,
}

impl Board<'_> {
    /// Rule 1. That each wish is possible was checked before.
    fn grant_wishes(&mut self) {
        for (index, wish) in self.wishes.iter().enumerate() {
            if let Some(cpu) = wish.cpu {
                self.put(vec![index], cpu);
            }
        }
    }

    /// Every process without a wish by itself, in the order of choice of rule 2.
    fn units_in_order(&self) -> Vec<Unit> {
        let mut order: Vec<usize> = (0..self.wishes.len()).filter(|&i| self.wishes[i].cpu.is_none()).collect();
        order.sort_by_key(|&index| (self.partners(index).is_empty(), Reverse(self.wishes[index].priority)));
        order.into_iter().map(|index| vec![index]).collect()
    }

    /// Rules 3 to 5: takes or joins units until each of them can have a CPU.
    fn make_fit(&mut self, units: &mut Vec<Unit>) {
        if self.lacks_cpus(units) && self.rest_would_be_isolated(units) {
            let single = units.iter().rposition(|unit| self.partners(unit[0]).is_empty());
            single.into_iter().for_each(|position| self.put(units.remove(position), self.system_cpu));
        }
        while self.lacks_cpus(units) && self.join_a_pair(units) {}
        while self.lacks_cpus(units) {
            let single = units.iter().rposition(|unit| unit.len() == 1);
            let unit = units.remove(single.unwrap_or(units.len() - 1));
            self.put(unit, self.system_cpu);
        }
    }

    fn lacks_cpus(&self, units: &[Unit]) -> bool {
        units.len() > self.free_cpus().len()
    }

    /// Whether all but one of the units would find an isolated CPU while the system's is still
    /// empty.
    fn rest_would_be_isolated(&self, units: &[Unit]) -> bool {
        let isolated = self.free_cpus().intersection(&self.topology.isolated);
        !self.occupants.contains_key(&self.system_cpu) && units.len() <= isolated.len() + 1
    }

    /// Rule 4: joins the least important unit that has a lock-step partner elsewhere to that
    /// partner.
    fn join_a_pair(&mut self, units: &mut Vec<Unit>) -> bool {
        for position in (0..units.len()).rev() {
            for partner in units[position].iter().flat_map(|&index| self.partners(index)).collect::<Vec<_>>() {
                if let Some(cpu) = self.wishes[partner].cpu {
                    self.put(units.remove(position), cpu);
                    return true;
                }
                let host = units.iter().position(|unit| unit.contains(&partner));
                if let Some(host) = host.filter(|&host| host != position) {
                    // The pair keeps the better of the two places in the order of choice.
                    let guests = units[position.max(host)].clone();
                    units[position.min(host)].extend(guests);
                    units.remove(position.max(host));
                    return true;
                }
            }
        }
        false
    }

    /// The processes in lock-step with this one, whichever of the two says so.
    fn partners(&self, index: usize) -> Vec<usize> {
        let names = |one: usize, other: usize| {
            self.wishes[one].lock_step_with.as_deref() == Some(self.wishes[other].name.as_str())
        };
        let others = (0..self.wishes.len()).filter(|&other| other != index);
        others.filter(|&other| names(index, other) || names(other, index)).collect()
    }

    /// CPUs to be given away that no process has yet.
    fn free_cpus(&self) -> CpuList {
        let is_free = |&cpu: &usize| cpu != self.system_cpu && !self.occupants.contains_key(&cpu);
        self.usable.iter().filter(is_free).collect()
    }

    /// Rule 2.
    fn best_free_cpu(&self) -> usize {
        let rank = |&cpu: &usize| (!self.topology.isolated.contains(cpu), self.core_in_use(cpu), cpu);
        self.free_cpus().iter().min_by_key(rank).unwrap_or(self.system_cpu)
    }

    fn core_in_use(&self, cpu: usize) -> bool {
        let mut busy = self.occupants.keys().copied().chain([self.system_cpu]);
        busy.any(|other| self.topology.share_core(cpu, other))
    }

    fn put(&mut self, unit: Unit, cpu: usize) {
        self.occupants.entry(cpu).or_default().extend(unit);
    }

    fn cpu_of(&self) -> Vec<usize> {
        let mut cpu_of = vec![self.system_cpu; self.wishes.len()];
        for (&cpu, unit) in &self.occupants {
            unit.iter().for_each(|&index| cpu_of[index] = cpu);
        }
        cpu_of
    }
}
