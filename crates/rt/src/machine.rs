//! Facts of a Linux machine that decide whether it can keep real time.
//!
//! Everything is read from `/proc`, `/sys` and `/dev` below a root that the caller names: `/` in
//! production, a temporary tree in tests. A fact that a machine does not show (no frequency
//! governor in a virtual machine, no debug file system without root) is an `Option` or an own
//! variant, never a guess; judging the facts is the work of [`crate::doctor`], and using them that
//! of [`crate::cpu_plan`].

mod allowed;
mod cpu_list;
mod interrupts;
mod kernel;
mod memory;
mod processors;
mod rt_groups;
#[cfg(test)]
pub(crate) mod sample;
mod scheduler;
pub(crate) mod tree;

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use serde::Serialize;
use thiserror::Error;

pub use allowed::{AllowedCpusError, allowed_cpus};
pub use cpu_list::{CPU_NUMBER_MAX, CpuList, CpuListError};
pub use interrupts::{Interrupts, Irq};
pub use kernel::{ClockSource, CommandLine, Kernel};
pub use memory::Memory;
pub use processors::{Cpu, IdleState, Processors};
pub use rt_groups::{RtGroup, RtGroups};
pub use scheduler::{FairServer, Scheduler};

use tree::Tree;

/// Where programs are looked for.
const PROGRAM_FOLDERS: [&str; 6] = ["usr/local/bin", "usr/local/sbin", "usr/bin", "usr/sbin", "bin", "sbin"];

/// What was read of one machine at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Machine {
    /// The running kernel.
    pub kernel: Kernel,
    /// The CPUs.
    pub processors: Processors,
    /// The settings of the scheduler.
    pub scheduler: Scheduler,
    /// The counter behind the monotonic clock.
    pub clock_source: ClockSource,
    /// The device interrupts.
    pub interrupts: Interrupts,
    /// The memory.
    pub memory: Memory,
    /// The device that keeps CPUs out of deep idle states while a process holds it open.
    pub cpu_dma_latency: DeviceAccess,
    /// Where cyclictest is installed, to compare our latencies with.
    pub cyclictest: Option<PathBuf>,
}

/// Whether this process can use a device file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceAccess {
    /// There is no such file.
    Absent,
    /// The file exists and may not be opened for writing.
    Refused,
    /// The file can be opened for writing.
    Writable,
}

/// Why the facts of a machine could not be read.
#[derive(Debug, Error)]
pub enum MachineError {
    /// The list of CPUs is missing: everything else depends on it.
    #[error("expected the list of online CPUs in {path}, found none; mount /sys (mount -t sysfs sysfs /sys)")]
    NoCpus {
        /// The file that should hold it.
        path: PathBuf,
    },
    /// A file that should hold a set of CPUs holds something else.
    #[error("cannot read the CPUs in {path}: {source}")]
    CpuList {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: CpuListError,
    },
}

impl Machine {
    /// Reads all facts below `root`.
    pub fn read(root: &Path) -> Result<Self, MachineError> {
        let tree = Tree::new(root);
        let kernel = Kernel::read(&tree);
        let processors = Processors::read(&tree, &kernel.command_line)?;
        Ok(Self {
            scheduler: Scheduler::read(&tree, &kernel, &processors.online),
            clock_source: ClockSource::read(&tree),
            interrupts: Interrupts::read(&tree)?,
            memory: Memory::read(&tree),
            cpu_dma_latency: device_access(&tree.path("dev/cpu_dma_latency")),
            cyclictest: program(&tree, "cyclictest"),
            kernel,
            processors,
        })
    }
}

/// Opens the device, which is the only true answer (permissions, capabilities and device control
/// groups all have a say). Opening asks for nothing yet: a latency is requested only by writing to
/// it.
fn device_access(path: &Path) -> DeviceAccess {
    if !path.exists() {
        return DeviceAccess::Absent;
    }
    match OpenOptions::new().write(true).open(path) {
        Ok(_) => DeviceAccess::Writable,
        Err(_) => DeviceAccess::Refused,
    }
}

fn program(tree: &Tree, name: &str) -> Option<PathBuf> {
    PROGRAM_FOLDERS.iter().map(|folder| tree.path(folder).join(name)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::sample::SampleTree;
    use super::*;

    #[test]
    fn the_sample_machine_is_read_whole() {
        let tree = SampleTree::healthy();
        let machine = Machine::read(tree.root()).unwrap();
        assert!(machine.kernel.realtime);
        assert_eq!(machine.cpu_dma_latency, DeviceAccess::Writable);
        assert_eq!(machine.cyclictest, Some(tree.root().join("usr/bin/cyclictest")));
    }

    #[test]
    fn a_device_is_absent_refused_or_writable() {
        let tree = SampleTree::healthy().without("dev/cpu_dma_latency");
        assert_eq!(Machine::read(tree.root()).unwrap().cpu_dma_latency, DeviceAccess::Absent);
        // A directory cannot be opened for writing, by root either.
        let tree = tree.with("dev/cpu_dma_latency/unused", "");
        assert_eq!(Machine::read(tree.root()).unwrap().cpu_dma_latency, DeviceAccess::Refused);
    }

    #[test]
    fn a_missing_program_is_none() {
        let tree = SampleTree::healthy().without("usr/bin/cyclictest");
        assert_eq!(Machine::read(tree.root()).unwrap().cyclictest, None);
    }

    #[test]
    fn an_empty_tree_is_a_clear_error() {
        let folder = tempfile::tempdir().unwrap();
        let message = Machine::read(folder.path()).unwrap_err().to_string();
        assert!(message.contains("online CPUs") && message.contains("mount /sys"), "{message}");
    }

    #[test]
    fn the_facts_can_be_written_as_json() {
        let machine = Machine::read(SampleTree::healthy().root()).unwrap();
        let json = serde_json::to_value(&machine).unwrap();
        assert_eq!(json["processors"]["isolated"], serde_json::json!([1, 2, 3]));
        assert_eq!(json["cpu_dma_latency"], "writable");
    }
}
