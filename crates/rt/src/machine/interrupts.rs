//! Which CPUs serve the interrupts of the devices, and who moves them about.

use serde::Serialize;

use super::tree::Tree;
use super::{CpuList, MachineError};

/// All device interrupts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Interrupts {
    /// The interrupts that a driver uses, by number.
    pub irqs: Vec<Irq>,
    /// Where an interrupt goes that is requested from now on; `None` when the kernel does not say.
    pub default_affinity: Option<CpuList>,
    /// Whether the irqbalance service runs, which moves interrupts at will.
    pub irqbalance_running: bool,
}

/// One interrupt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Irq {
    /// Its number in `/proc/irq`.
    pub number: usize,
    /// The drivers that handle it.
    pub names: Vec<String>,
    /// The CPUs that it may go to.
    pub affinity: CpuList,
    /// The CPUs that it goes to, out of those; `None` on kernels that do not say.
    pub effective: Option<CpuList>,
}

impl Irq {
    /// The CPUs that it goes to, as well as is known.
    pub fn lands_on(&self) -> &CpuList {
        self.effective.as_ref().unwrap_or(&self.affinity)
    }
}

impl Interrupts {
    pub(crate) fn read(tree: &Tree) -> Result<Self, MachineError> {
        let irqs = tree.numbers("proc/irq", "").into_iter().filter_map(|number| read_irq(tree, number).transpose());
        Ok(Self {
            irqs: irqs.collect::<Result<_, _>>()?,
            default_affinity: default_affinity(tree)?,
            irqbalance_running: irqbalance_runs(tree),
        })
    }

    /// The interrupts that are served by one of these CPUs.
    pub fn landing_on<'a>(&'a self, cpus: &'a CpuList) -> impl Iterator<Item = &'a Irq> {
        self.irqs.iter().filter(|irq| !irq.lands_on().intersection(cpus).is_empty())
    }
}

/// The kernel makes a directory for each driver that handles an interrupt: without one it never
/// fires.
fn read_irq(tree: &Tree, number: usize) -> Result<Option<Irq>, MachineError> {
    let folder = format!("proc/irq/{number}");
    let names = tree.directories(&folder);
    let affinity = tree.list(&format!("{folder}/smp_affinity_list"))?;
    let (false, Some(affinity)) = (names.is_empty(), affinity) else {
        return Ok(None);
    };
    let effective = tree.list(&format!("{folder}/effective_affinity_list"))?.filter(|list| !list.is_empty());
    Ok(Some(Irq { number, names, affinity, effective }))
}

fn default_affinity(tree: &Tree) -> Result<Option<CpuList>, MachineError> {
    let relative = "proc/irq/default_smp_affinity";
    let mask = tree.text(relative).map(|text| CpuList::from_mask(&text));
    mask.transpose().map_err(|source| MachineError::CpuList { path: tree.path(relative), source })
}

fn irqbalance_runs(tree: &Tree) -> bool {
    let runs = |process| tree.text(&format!("proc/{process}/comm")).as_deref() == Some("irqbalance");
    tree.numbers("proc", "").into_iter().any(runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::sample::SampleTree;

    fn interrupts(tree: &SampleTree) -> Result<Interrupts, MachineError> {
        Interrupts::read(&Tree::new(tree.root()))
    }

    #[test]
    fn interrupts_in_use_are_read_and_the_others_left_out() {
        let tree = SampleTree::healthy().with("proc/irq/9/smp_affinity_list", "0-3");
        let found = interrupts(&tree).unwrap();
        let numbers: Vec<usize> = found.irqs.iter().map(|irq| irq.number).collect();
        assert_eq!(numbers, [24, 130]);
        assert_eq!(found.irqs[0].names, ["enp1s0"]);
        assert_eq!(found.default_affinity.unwrap().to_string(), "0");
    }

    #[test]
    fn where_an_interrupt_lands_is_the_effective_set_if_known() {
        let tree = SampleTree::healthy()
            .with("proc/irq/24/smp_affinity_list", "0-3")
            .with("proc/irq/24/effective_affinity_list", "0");
        let cpus = "1-3".parse().unwrap();
        assert_eq!(interrupts(&tree).unwrap().landing_on(&cpus).count(), 0);
        let tree = tree.without("proc/irq/24/effective_affinity_list");
        assert_eq!(interrupts(&tree).unwrap().landing_on(&cpus).next().unwrap().number, 24);
    }

    #[test]
    fn irqbalance_is_found_among_the_processes() {
        let tree = SampleTree::healthy().with("proc/77/comm", "irqbalanced-not\n");
        assert!(!interrupts(&tree).unwrap().irqbalance_running);
        assert!(interrupts(&tree.with("proc/78/comm", "irqbalance\n")).unwrap().irqbalance_running);
    }

    #[test]
    fn a_damaged_mask_is_an_error_with_the_path() {
        let tree = SampleTree::healthy().with("proc/irq/default_smp_affinity", "zz");
        assert!(interrupts(&tree).unwrap_err().to_string().contains("proc/irq/default_smp_affinity"));
    }
}
