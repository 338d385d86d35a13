//! The CPUs, who runs on them, and what interrupts them.

use std::collections::BTreeMap;

use super::super::Examined;
use super::super::finding::{About, Area, Finding};
use crate::cpu_plan::CpuPlan;
use crate::fixes;
use crate::machine::{CpuList, DeviceAccess, Irq};

const CPU_PLAN: About = About {
    id: "cpu-plan",
    area: Area::Processors,
    title: "CPU plan",
    expected: "a CPU for each process and one for the system",
    why: "A process that shares its CPU waits until the other one sleeps, and must not spin for its lock-step \
          partner: each hand-over then costs a context switch.",
};

pub(super) fn cpu_plan(examined: Examined) -> Finding {
    match &examined.workload.plan {
        Err(error) => CPU_PLAN.failure(error.to_string()),
        Ok(plan) => {
            let finding =
                if plan.all_dedicated() { CPU_PLAN.pass(places(plan)) } else { CPU_PLAN.warning(places(plan)) };
            finding.expecting(expected(plan))
        }
    }
}

fn expected(plan: &CpuPlan) -> String {
    let processes = plan.assignments().len();
    format!("{} CPUs: one for each of the {processes} processes, one for the system", processes + 1)
}

/// CPU by CPU: `CPU 0: system + daq, CPU 1: dynamics + subsystem`.
fn places(plan: &CpuPlan) -> String {
    let mut by_cpu = BTreeMap::from([(plan.system_cpu(), vec!["system"])]);
    for place in plan.assignments() {
        by_cpu.entry(place.cpu).or_default().push(&place.name);
    }
    let texts: Vec<String> = by_cpu.iter().map(|(cpu, names)| format!("CPU {cpu}: {}", names.join(" + "))).collect();
    texts.join(", ")
}

const SCHEDULER: About = About {
    id: "isolated-cpus",
    area: Area::Processors,
    title: "Isolated CPUs",
    expected: "isolcpus= names the CPUs of the real-time processes",
    why: "On other CPUs the scheduler also places ordinary tasks and kernel threads, which disturb the caches \
          and hold locks that a real-time process may need.",
};

const TICK: About = About {
    id: "nohz-full",
    area: Area::Processors,
    title: "Tick stopped",
    expected: "nohz_full= names the CPUs of the real-time processes",
    why: "Otherwise the timer tick interrupts the processes 100 to 1000 times a second.",
};

const RCU: About = About {
    id: "rcu-nocbs",
    area: Area::Processors,
    title: "RCU offloaded",
    expected: "rcu_nocbs= or nohz_full= names the CPUs of the real-time processes",
    why: "Otherwise the kernel runs clean-up work of RCU on these CPUs, at moments of its own choice.",
};

pub(super) fn isolated_cpus(examined: Examined) -> Finding {
    judge_cpus(&SCHEDULER, examined, &examined.machine.processors.isolated)
}

pub(super) fn tick_stopped(examined: Examined) -> Finding {
    match &examined.machine.processors.nohz_full {
        Some(cpus) => judge_cpus(&TICK, examined, cpus),
        None => Finding { fix: fixes::install_real_time_kernel(), ..TICK.warning("not built into this kernel") },
    }
}

pub(super) fn rcu_offloaded(examined: Examined) -> Finding {
    judge_cpus(&RCU, examined, &examined.machine.processors.rcu_nocbs)
}

fn judge_cpus(about: &About, examined: Examined, covered: &CpuList) -> Finding {
    let wanted = examined.workload.real_time_cpus(examined.machine);
    if wanted.is_empty() {
        return about.warning("no CPU can be set apart: the system needs them all");
    }
    if wanted.is_subset(covered) {
        return about.pass(format!("CPU {wanted}"));
    }
    let expected = format!("CPU {wanted}");
    let fix = fixes::isolate(&wanted, &examined.machine.processors.online);
    let found = if covered.is_empty() { "none".into() } else { format!("CPU {covered} only") };
    about.warning(found).expecting(expected).with_fix(fix)
}

const SMT: About = About {
    id: "smt",
    area: Area::Processors,
    title: "SMT siblings",
    expected: "no busy thread beside a real-time one on the same core",
    why: "Two threads of one core share its execution units and caches: whatever runs on the sibling makes the \
          step slower, and its duration less certain.",
};

const SMT_OFF: &str = "echo off | sudo tee /sys/devices/system/cpu/smt/control  # lasting: kernel parameter nosmt";

pub(super) fn smt(examined: Examined) -> Finding {
    let cpus = examined.workload.real_time_cpus(examined.machine);
    let pairs: Vec<String> = cpus
        .iter()
        .map(|cpu| (cpu, busy_siblings(examined, cpu)))
        .filter(|(_, siblings)| !siblings.is_empty())
        .map(|(cpu, siblings)| format!("{cpu} beside {siblings}"))
        .collect();
    if pairs.is_empty() {
        SMT.pass(if examined.machine.processors.smt_active == Some(true) { "idle" } else { "none online" })
    } else {
        SMT.warning(format!("CPU {}", pairs.join(", "))).with_fix(SMT_OFF)
    }
}

/// The online siblings of a CPU, but for those on which nothing runs: isolated and not in the plan.
fn busy_siblings(examined: Examined, cpu: usize) -> CpuList {
    let processors = &examined.machine.processors;
    let siblings = processors.cpu(cpu).map(|cpu| cpu.siblings.clone()).unwrap_or_default();
    let idle = processors.isolated.difference(&examined.workload.planned_cpus(examined.machine));
    let others = siblings.intersection(&processors.online).difference(&CpuList::from_iter([cpu]));
    others.difference(&idle)
}

const GOVERNOR: About = About {
    id: "governor",
    area: Area::Processors,
    title: "Frequency governor",
    expected: "performance on the CPUs of the real-time processes",
    why: "Other governors lower the clock while a process sleeps between two steps: the next step starts slow, \
          and changing the frequency itself can stop the CPU for tens of microseconds.",
};

const PERFORMANCE: &str = "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor\
                   \u{20} # lasting: kernel parameter cpufreq.default_governor=performance";

pub(super) fn governor(examined: Examined) -> Finding {
    let planned = examined.workload.planned_cpus(examined.machine);
    let mut by_governor: BTreeMap<&str, CpuList> = BTreeMap::new();
    for cpu in examined.machine.processors.cpus_in(&planned) {
        if let Some(governor) = &cpu.governor {
            by_governor.entry(governor).or_default().insert(cpu.number);
        }
    }
    let texts: Vec<String> = by_governor.iter().map(|(governor, cpus)| format!("{governor} on CPU {cpus}")).collect();
    if by_governor.is_empty() {
        GOVERNOR.unknown("no frequency control (the firmware or the host decides)")
    } else if by_governor.keys().all(|&governor| governor == "performance") {
        GOVERNOR.pass(texts.join(", "))
    } else {
        GOVERNOR.warning(texts.join(", ")).with_fix(PERFORMANCE)
    }
}

/// Exit latency that we put up with: about what a context switch and cold caches cost in any case.
const EXIT_LATENCY_US_MAX: u64 = 20;

const IDLE_STATES: About = About {
    id: "idle-states",
    area: Area::Processors,
    title: "Idle states",
    expected: "no state with more than 20 µs to leave it, or the right to hold /dev/cpu_dma_latency",
    why: "A CPU that fell into a deep idle state between two steps needs this long before it can begin the next.",
};

pub(super) fn idle_states(examined: Examined) -> Finding {
    let machine = examined.machine;
    let planned = examined.workload.planned_cpus(machine);
    let mut deep = DeepStates::default();
    let mut has_states = false;
    for cpu in machine.processors.cpus_in(&planned) {
        has_states |= !cpu.idle_states.is_empty();
        for state in &cpu.idle_states {
            if !state.disabled && state.exit_latency_us > EXIT_LATENCY_US_MAX {
                deep.names.insert(state.name.clone(), state.exit_latency_us);
                deep.numbers.insert(state.number);
                deep.cpus.insert(cpu.number);
            }
        }
    }
    let is_held = machine.cpu_dma_latency == DeviceAccess::Writable;
    match (deep.names.is_empty(), has_states) {
        (true, true) => IDLE_STATES.pass("only shallow ones"),
        (true, false) if machine.kernel.virtual_machine => IDLE_STATES.unknown("none shown: the host decides"),
        (true, false) => IDLE_STATES.pass("none but a plain halt"),
        (false, _) if is_held => IDLE_STATES.pass(format!("{}, kept off while the processes run", deep.text())),
        (false, _) => IDLE_STATES.warning(deep.text()).with_fix(deep.fix()),
    }
}

#[derive(Default)]
struct DeepStates {
    names: BTreeMap<String, u64>,
    numbers: CpuList,
    cpus: CpuList,
}

impl DeepStates {
    fn text(&self) -> String {
        let texts: Vec<String> = self.names.iter().map(|(name, us)| format!("{name} ({us} µs)")).collect();
        texts.join(", ")
    }

    fn fix(&self) -> String {
        let (cpus, states) = (fixes::braces(&self.cpus), fixes::braces(&self.numbers));
        format!(
            "echo 1 | sudo tee /sys/devices/system/cpu/cpu{cpus}/cpuidle/state{states}/disable  # until the next restart"
        )
    }
}

const INTERRUPTS: About = About {
    id: "irq-affinity",
    area: Area::Interrupts,
    title: "Interrupt affinity",
    expected: "no device interrupt on the CPUs of the real-time processes",
    why: "Each interrupt takes the CPU from the real-time process for microseconds, whatever its priority. \
          Some interrupts of disk queues cannot be moved by hand; isolcpus=managed_irq keeps those away.",
};

/// How many interrupts are named before the rest is counted.
const NAMED_MAX: usize = 4;

pub(super) fn interrupts(examined: Examined) -> Finding {
    let machine = examined.machine;
    let cpus = examined.workload.real_time_cpus(machine);
    if cpus.is_empty() {
        return INTERRUPTS.pass("no CPU is set apart from interrupts");
    }
    let rest = machine.processors.online.difference(&cpus);
    let landing: Vec<&Irq> = machine.interrupts.landing_on(&cpus).collect();
    let default = machine.interrupts.default_affinity.as_ref();
    let default_touches = default.is_some_and(|default| !default.intersection(&cpus).is_empty());
    let mut found = Vec::new();
    let mut fixes = Vec::new();
    if !landing.is_empty() {
        found.push(format!("{} on CPU {cpus}: {}", landing.len(), names(&landing)));
        fixes.push(move_away(&landing, &rest));
    }
    if default_touches {
        found.push(format!("new ones go to CPU {}", default.cloned().unwrap_or_default()));
        fixes.push(format!("echo {} | sudo tee /proc/irq/default_smp_affinity", rest.to_mask()));
    }
    if found.is_empty() {
        return INTERRUPTS.pass(format!("none on CPU {cpus}"));
    }
    INTERRUPTS.warning(found.join("; ")).with_fix(fixes.join("\n"))
}

fn names(irqs: &[&Irq]) -> String {
    let name = |irq: &&Irq| format!("{}:{}", irq.number, irq.names.join("+"));
    let mut texts: Vec<String> = irqs.iter().take(NAMED_MAX).map(name).collect();
    if irqs.len() > NAMED_MAX {
        texts.push(format!("{} more", irqs.len() - NAMED_MAX));
    }
    texts.join(", ")
}

fn move_away(irqs: &[&Irq], rest: &CpuList) -> String {
    let numbers: Vec<String> = irqs.iter().map(|irq| irq.number.to_string()).collect();
    let numbers = numbers.join(" ");
    format!("for irq in {numbers}; do echo {rest} | sudo tee /proc/irq/$irq/smp_affinity_list; done")
}

const IRQBALANCE: About = About {
    id: "irqbalance",
    area: Area::Interrupts,
    title: "irqbalance",
    expected: "not running, or the CPUs of the real-time processes isolated",
    why: "irqbalance spreads interrupts over all CPUs that are not isolated, and undoes what was set by hand.",
};

pub(super) fn irqbalance(examined: Examined) -> Finding {
    let cpus = examined.workload.real_time_cpus(examined.machine);
    if !examined.machine.interrupts.irqbalance_running {
        IRQBALANCE.pass("not running")
    } else if cpus.is_subset(&examined.machine.processors.isolated) {
        IRQBALANCE.pass("running; it leaves isolated CPUs alone")
    } else {
        IRQBALANCE.warning("running").with_fix("sudo systemctl disable --now irqbalance")
    }
}
