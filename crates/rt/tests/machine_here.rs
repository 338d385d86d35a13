//! The facts of the machine that the tests run on, whatever it is.

use std::path::Path;

use rt::cpu_plan::{CpuPlan, ProcessWish, Topology};
use rt::machine::{Machine, allowed_cpus};

fn machine() -> Machine {
    Machine::read(Path::new("/")).expect("a Linux machine with /proc and /sys")
}

#[test]
fn this_machine_has_a_kernel_and_cpus() {
    let machine = machine();
    assert!(machine.kernel.version.is_some_and(|(major, _)| major >= 4), "{}", machine.kernel.release);
    let processors = &machine.processors;
    let numbers: Vec<usize> = processors.cpus.iter().map(|cpu| cpu.number).collect();
    assert_eq!(numbers, processors.online.iter().collect::<Vec<_>>());
    assert!(processors.cpus.iter().all(|cpu| cpu.siblings.contains(cpu.number)));
    assert!(machine.memory.total_bytes > machine.memory.available_bytes);
}

#[test]
fn the_online_cpus_are_those_that_the_kernel_counts() {
    let counted = std::fs::read_to_string("/proc/stat").unwrap();
    let is_cpu = |line: &&str| line.starts_with("cpu") && !line.starts_with("cpu ");
    assert_eq!(machine().processors.online.len(), counted.lines().filter(is_cpu).count());
}

#[test]
fn a_process_can_be_pinned_to_every_cpu_that_a_plan_gives_out() {
    let machine = machine();
    let allowed = allowed_cpus(&machine.processors.isolated).unwrap();
    let wishes = ["daq", "dynamics", "subsystem"].map(|name| ProcessWish::new(name, 80));
    let plan = CpuPlan::make(&Topology::of(&machine, &allowed), &wishes).unwrap();
    for cpu in plan.cpus().iter() {
        let pinned = std::thread::spawn(move || pin(cpu)).join().unwrap();
        assert_eq!(pinned, Ok(()), "CPU {cpu} of\n{plan}");
    }
}

fn pin(cpu: usize) -> Result<(), nix::errno::Errno> {
    let mut only = nix::sched::CpuSet::new();
    only.set(cpu)?;
    nix::sched::sched_setaffinity(nix::unistd::Pid::from_raw(0), &only)
}
