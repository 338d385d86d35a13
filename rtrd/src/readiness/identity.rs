//! Which machine a report is of. What changes any of this makes the report worthless: another
//! kernel, another command line, another governor.

use std::path::Path;

use rt::machine::Machine;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::store::hash;

/// Stands before the machine's number when it is hashed, so that the hash means nothing elsewhere
/// (machine-id(5) asks for that).
const MACHINE_ID_SALT: &str = "rtrd readiness machine-id\n";
/// Digits of a hash that are kept; 16 bytes do not collide by accident.
const HASH_DIGITS: usize = 32;

/// What must be the same for a report to hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Of `/etc/machine-id`; `unknown` where there is none.
    pub machine_id_hash: String,
    pub kernel_release: String,
    pub command_line: String,
    pub cpu_model: String,
    /// Of what is set for the whole machine: isolation, governors, idle states, SMT, throttling,
    /// clock source, swap.
    pub settings_hash: String,
}

/// What the machine is made of, where it says so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hardware {
    pub cpu_model: String,
    /// CPUs as the kernel counts them, such as `0-7`.
    pub cpus_online: String,
    /// Hardware threads that share a core, such as `0,4`; empty without SMT.
    pub shared_cores: Vec<String>,
    pub cpus_isolated: String,
    pub memory_bytes: u64,
    /// Maker and name of the computer.
    pub system: Option<String>,
    pub board: Option<String>,
    /// Maker, version and date of the firmware.
    pub firmware: Option<String>,
}

impl Identity {
    /// That of the machine below `root`, whose facts have been read.
    pub fn of(machine: &Machine, root: &Path) -> Self {
        let machine_id = text(root, "etc/machine-id").map(|id| short_hash(&[MACHINE_ID_SALT, &id]));
        Self {
            machine_id_hash: machine_id.unwrap_or_else(|| "unknown".to_owned()),
            kernel_release: machine.kernel.release.clone(),
            command_line: machine.kernel.command_line.0.clone(),
            cpu_model: cpu_model(root),
            settings_hash: settings_hash(machine),
        }
    }
}

/// Nothing in it depends on who looks or on what runs at the moment.
fn settings_hash(machine: &Machine) -> String {
    let settings = json!({
        "processors": machine.processors,
        "rt_runtime_us": machine.scheduler.rt_runtime_us,
        "rt_period_us": machine.scheduler.rt_period_us,
        "clock_source": machine.clock_source.current,
        "swap_total_bytes": machine.memory.swap_total_bytes,
        "transparent_hugepages": machine.memory.transparent_hugepages,
    });
    short_hash(&[&settings.to_string()])
}

fn short_hash(texts: &[&str]) -> String {
    let mut digits = hash(texts);
    digits.truncate(HASH_DIGITS);
    digits
}

impl Hardware {
    /// That of the machine below `root`, whose facts have been read.
    pub fn of(machine: &Machine, root: &Path) -> Self {
        let processors = &machine.processors;
        let mut shared_cores: Vec<String> =
            processors.cpus.iter().filter(|cpu| cpu.siblings.len() > 1).map(|cpu| cpu.siblings.to_string()).collect();
        shared_cores.dedup();
        shared_cores.sort();
        shared_cores.dedup();
        let firmware = |names: &[&str]| {
            let paths = names.iter().map(|name| format!("sys/class/dmi/id/{name}"));
            let words: Vec<String> = paths.filter_map(|path| text(root, &path)).collect();
            (!words.is_empty()).then(|| words.join(" "))
        };
        Self {
            cpu_model: cpu_model(root),
            cpus_online: processors.online.to_string(),
            shared_cores,
            cpus_isolated: processors.isolated.to_string(),
            memory_bytes: machine.memory.total_bytes,
            system: firmware(&["sys_vendor", "product_name"]).or_else(|| text(root, "proc/device-tree/model")),
            board: firmware(&["board_vendor", "board_name"]),
            firmware: firmware(&["bios_vendor", "bios_version", "bios_date"]),
        }
    }
}

fn cpu_model(root: &Path) -> String {
    let info = text(root, "proc/cpuinfo").unwrap_or_default();
    let named = info.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        matches!(name.trim(), "model name" | "Model" | "cpu model").then(|| value.trim().to_owned())
    });
    named.unwrap_or_else(|| "unknown".to_owned())
}

/// The text of a small file; `None` when it is absent, empty or not for us.
pub fn text(root: &Path, relative: &str) -> Option<String> {
    let bytes = std::fs::read(root.join(relative)).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::sample::machine_tree;
    use super::*;

    fn identity(root: &Path) -> Identity {
        Identity::of(&Machine::read(root).unwrap(), root)
    }

    #[test]
    fn every_part_changes_with_what_it_stands_for_and_with_nothing_else() {
        let tree = machine_tree();
        let root = tree.path();
        let before = identity(root);
        assert_eq!(before, identity(root));
        assert!(!before.machine_id_hash.contains("0123456789"), "the number itself is private");
        let write = |path: &str, text: &str| std::fs::write(root.join(path), text).unwrap();

        write("etc/machine-id", "ffffffffffffffffffffffffffffffff\n");
        let moved = identity(root);
        assert_ne!(moved.machine_id_hash, before.machine_id_hash);
        assert_eq!(moved.settings_hash, before.settings_hash);

        write("sys/devices/system/cpu/isolated", "\n");
        let changed = identity(root);
        assert_ne!(changed.settings_hash, before.settings_hash);
        assert_eq!(changed.command_line, before.command_line);

        // Memory in use is no setting.
        write("proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 1 kB\n");
        assert_eq!(identity(root), changed);
    }

    #[test]
    fn the_hardware_is_told_as_far_as_it_tells() {
        let tree = machine_tree();
        let root = tree.path();
        let hardware = Hardware::of(&Machine::read(root).unwrap(), root);
        assert_eq!(hardware.cpu_model, "Test CPU @ 2 GHz");
        assert_eq!(hardware.system.as_deref(), Some("Maker Box 3"));
        assert_eq!((hardware.board, hardware.firmware), (None, None));
        assert_eq!(hardware.shared_cores, ["0-1"]);
    }
}
