//! Which faults this machine and this user can bring about; what they cannot is said once, with the
//! reason.

use std::path::Path;

/// What can be done here; otherwise why not.
#[derive(Clone, Debug)]
pub struct Abilities {
    /// A small disk of its own can be mounted and filled.
    pub disk: Result<(), String>,
    /// The wall clock can be set.
    pub clock: Result<(), String>,
    /// CPUs that can be unplugged.
    pub unplug: Result<Vec<usize>, String>,
}

impl Abilities {
    /// Asks the machine. A CPU that runs one of our real-time processes by force (pinned) cannot be
    /// taken away without breaking the promise that the run is about, so only CPUs besides `needed`
    /// may go.
    pub fn of_this_machine(needed: &[usize]) -> Self {
        let root = nix::unistd::geteuid().is_root();
        let only_root = |what: &str| {
            if root { Ok(()) } else { Err(format!("{what} needs root")) }
        };
        Self {
            disk: only_root("mounting a small disk"),
            clock: only_root("setting the clock"),
            unplug: only_root("unplugging a CPU")
                .and_then(|()| spare_cpus(Path::new("/sys/devices/system/cpu"), needed)),
        }
    }

    /// What cannot be done, one line each.
    pub fn missing(&self) -> Vec<String> {
        let lines = [
            ("fill the disk", self.disk.as_ref().err()),
            ("step the clock", self.clock.as_ref().err()),
            ("unplug a CPU", self.unplug.as_ref().err()),
        ];
        lines.into_iter().filter_map(|(fault, why)| why.map(|why| format!("left out: {fault} ({why})"))).collect()
    }

    #[cfg(test)]
    pub fn all(cpus: Vec<usize>) -> Self {
        Self { disk: Ok(()), clock: Ok(()), unplug: Ok(cpus) }
    }

    #[cfg(test)]
    pub fn none() -> Self {
        let no = || "not here".to_owned();
        Self { disk: Err(no()), clock: Err(no()), unplug: Err(no()) }
    }
}

/// CPUs with a switch, besides those that are needed.
fn spare_cpus(folder: &Path, needed: &[usize]) -> Result<Vec<usize>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut cpus: Vec<usize> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.path().join("online").is_file())
        .filter_map(|entry| entry.file_name().to_str()?.strip_prefix("cpu")?.parse().ok())
        .filter(|cpu| *cpu != 0 && !needed.contains(cpu))
        .collect();
    cpus.sort_unstable();
    if cpus.is_empty() {
        return Err("every CPU that can be unplugged runs one of our processes".to_owned());
    }
    Ok(cpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpus_that_are_needed_or_have_no_switch_stay() {
        let folder = tempfile::tempdir().unwrap();
        for cpu in 0..5 {
            let path = folder.path().join(format!("cpu{cpu}"));
            std::fs::create_dir(&path).unwrap();
            if cpu != 3 {
                std::fs::write(path.join("online"), "1\n").unwrap();
            }
        }
        std::fs::create_dir(folder.path().join("cpufreq")).unwrap();
        assert_eq!(spare_cpus(folder.path(), &[1]).unwrap(), [2, 4]);
        assert!(spare_cpus(folder.path(), &[1, 2, 4]).is_err());
    }

    #[test]
    fn what_is_missing_is_said_with_its_reason() {
        let lines = Abilities::none().missing();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0], "left out: fill the disk (not here)");
        assert!(Abilities::all(vec![1]).missing().is_empty());
    }
}
