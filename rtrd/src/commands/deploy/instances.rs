//! The instances of a machine: one configuration each in `/etc/rtrd`.

use std::path::Path;

use anyhow::Context;
use rt::cpu_plan::Topology;
use rt::machine::Machine;
use service::Config;

use super::site::below;

const FOLDER: &str = "/etc/rtrd";
/// Where a kernel lists its CPUs.
const ONLINE: &str = "/sys/devices/system/cpu/online";

/// The instances by name; a configuration that cannot be read is an error with its place.
pub fn instances(root: &Path) -> anyhow::Result<Vec<Config>> {
    let folder = below(root, Path::new(FOLDER));
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", folder.display())),
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let read = |path: &std::path::PathBuf| -> anyhow::Result<Config> {
        let mut config = Config::load(Some(path))?;
        config.instance.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(config)
    };
    paths.iter().map(read).collect()
}

/// The instances, or the one that would be there if none is.
pub fn instances_or_default(root: &Path) -> anyhow::Result<Vec<Config>> {
    let found = instances(root)?;
    Ok(if found.is_empty() { vec![Config::default()] } else { found })
}

/// The machine below `root`, and the CPUs that instances may be planned on. A root without kernel
/// (an image, a folder) is planned for this machine.
pub fn machine(root: &Path) -> anyhow::Result<(Machine, Topology)> {
    if root == Path::new("/") || !below(root, Path::new(ONLINE)).exists() {
        return Ok((Machine::read(Path::new("/"))?, service::topology()?));
    }
    let machine = Machine::read(root)?;
    let topology = Topology::of(&machine, &machine.processors.online);
    Ok((machine, topology))
}
