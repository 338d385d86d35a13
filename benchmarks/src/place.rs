//! Where and with what priority a measurement runs.

use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rt::machine::{Machine, Processors, allowed_cpus};
use rt::startup::{Wishes, enter};
use serde::{Deserialize, Serialize};

/// Priority of measuring threads: above everything ordinary, below the kernel's own.
pub const FIFO_PRIORITY: u8 = 20;
/// Between rounds nothing is measured, so that a machine with few CPUs can do its other work and
/// the kernel sees no reason to throttle us.
const PAUSE: Duration = Duration::from_millis(5);

/// Leaves the CPU to others between two rounds.
pub fn pause() {
    thread::sleep(PAUSE);
}

/// The CPUs and the rights that measurements have.
#[derive(Clone, Debug)]
pub struct Place {
    /// The CPU of everything that needs only one.
    pub cpu: usize,
    /// The CPU of the other process, if there is one.
    pub other_cpu: Option<usize>,
    /// The priority of measuring threads; `None` without the right to have one.
    pub priority: Option<u8>,
}

impl Place {
    /// The CPUs that were asked for, or the best that this process may use.
    pub fn choose(machine: &Machine, wanted: Option<&[usize]>) -> Result<Self> {
        let allowed = allowed_cpus(&machine.processors.isolated)?;
        let cpus = match wanted {
            Some(wanted) => wanted.to_vec(),
            None => best_two(&machine.processors, allowed.iter().collect()),
        };
        if let Some(cpu) = cpus.iter().find(|cpu| !allowed.contains(**cpu)) {
            bail!("CPU {cpu} was asked for, but this process may use {allowed} only");
        }
        let cpu = *cpus.first().context("--cpus names no CPU; give one or two, as in --cpus 2,3")?;
        let other_cpu = cpus.get(1).copied().filter(|other| *other != cpu);
        Ok(Self { cpu, other_cpu, priority: may_be_fifo().then_some(FIFO_PRIORITY) })
    }

    pub fn seat(&self) -> Seat {
        Seat { cpu: self.cpu, priority: self.priority }
    }

    /// The seat on the other CPU, or the reason why there is none.
    pub fn other_seat(&self) -> Result<Seat, &'static str> {
        let cpu = self.other_cpu.ok_or("it needs two CPUs, and this process may use only one")?;
        Ok(Seat { cpu, priority: self.priority })
    }
}

/// Isolated CPUs first, then from the last to the first, because the first has most of the
/// interrupts; the second is not the other half of the first one's core if there is a choice.
fn best_two(processors: &Processors, mut cpus: Vec<usize>) -> Vec<usize> {
    cpus.sort_by_key(|cpu| (!processors.isolated.contains(*cpu), std::cmp::Reverse(*cpu)));
    let Some((&first, rest)) = cpus.split_first() else {
        return cpus;
    };
    let same_core = |other: usize| processors.cpu(first).is_some_and(|cpu| cpu.siblings.contains(other));
    let second = rest.iter().copied().min_by_key(|other| same_core(*other));
    [Some(first), second].into_iter().flatten().collect()
}

fn may_be_fifo() -> bool {
    let wishes = Wishes { fifo_priority: Some(FIFO_PRIORITY), ..Wishes::default() };
    let tried = thread::spawn(move || enter(&wishes).is_ok_and(|granted| granted.missing_bits() == 0));
    tried.join().unwrap_or(false)
}

/// Where a thread runs, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// The only CPU on which it runs.
    pub cpu: usize,
    /// Its priority under `SCHED_FIFO`; `None` leaves it under the ordinary scheduler.
    pub priority: Option<u8>,
}

impl Seat {
    /// Puts the calling thread there.
    pub fn take(self) -> Result<()> {
        enter(&Wishes { cpu: Some(self.cpu), fifo_priority: self.priority, require: true, ..Wishes::default() })?;
        Ok(())
    }

    /// Runs something there in a thread of its own, and leaves the calling thread where it is.
    pub fn run<T: Send>(self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        let run = || self.take().and_then(|()| work());
        thread::scope(|scope| match scope.spawn(run).join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    }
}

pub fn this_machine() -> Result<Machine> {
    Ok(Machine::read(Path::new("/"))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_place_is_allowed() {
        let machine = this_machine().unwrap();
        let place = Place::choose(&machine, None).unwrap();
        let again = Place::choose(&machine, Some(&[place.cpu])).unwrap();
        assert_eq!((again.cpu, again.other_cpu), (place.cpu, None));
    }

    #[test]
    fn a_cpu_that_does_not_exist_is_refused() {
        let machine = this_machine().unwrap();
        let error = Place::choose(&machine, Some(&[100_000])).unwrap_err();
        assert!(error.to_string().contains("100000"), "{error}");
    }

    #[test]
    fn work_runs_where_it_should() {
        let place = Place::choose(&this_machine().unwrap(), None).unwrap();
        let found = place.seat().run(|| Ok(nix::sched::sched_getcpu()?)).unwrap();
        assert_eq!(found, place.cpu);
    }
}
