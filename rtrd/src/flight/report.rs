//! A crash report: one page for people, and a table per block.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use shm_layout::blocks::CATALOGUE;
use shm_layout::clock::monotonic_ns;
use shm_layout::signals::{Library, Signal};

use super::folder::Folder;
use super::memory::Memory;
use crate::commands::report::date;

/// The page of a report.
pub const REPORT_FILE: &str = "report.md";

pub struct Incident {
    pub instance: String,
    /// In one line.
    pub what: String,
    /// The process that is concerned, if it is one.
    pub pid: Option<u64>,
    /// When, on the monotonic clock (ns).
    pub at_ns: u64,
    /// Time between two looks (ms).
    pub look_ms: u64,
}

pub fn write(folder: &Folder, incident: &Incident, memory: &Memory, library: &Library) -> io::Result<PathBuf> {
    let stamp: String =
        date::now().chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    let path = folder.make(&format!("{}-{}", incident.instance, stamp))?;
    match fill(&path, incident, memory, library) {
        Ok(()) => Ok(path),
        Err(error) => {
            // Half a report would take the room that the next one needs.
            let _ = std::fs::remove_dir_all(&path);
            Err(error)
        }
    }
}

fn fill(path: &Path, incident: &Incident, memory: &Memory, library: &Library) -> io::Result<()> {
    let mut rows = String::new();
    for (index, entry) in CATALOGUE.iter().enumerate() {
        let count = memory.snapshots(index).count();
        let Some(last) = memory.snapshots(index).last() else {
            continue;
        };
        let file = format!("{}.csv", entry.name);
        write_table(&path.join(&file), index, library, memory, incident.at_ns)?;
        let age_ms = (incident.at_ns as f64 - last.seen_ns as f64) * 1e-6;
        let _ = writeln!(
            rows,
            "| [{name}]({file}) | {count} | {last} | {age_ms:.0} |",
            name = entry.name,
            last = last.sequence
        );
    }
    std::fs::write(path.join(REPORT_FILE), page(incident, &rows))
}

fn page(incident: &Incident, rows: &str) -> String {
    let core = match incident.pid {
        Some(pid) => core_hint(pid, &std::fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap_or_default()),
        None => String::new(),
    };
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "# Crash report of instance {instance}\n\n{what}\n\n- written {now}, {late_ms:.0} ms after it was noticed\n- program rtrd {version}, kernel {kernel}\n{core}\n\
        ## The last seconds of every block\n\n\
        Times in the tables count from the incident (s); negative is before it. An observer took them every {look_ms} ms, so a block that is written more often is \
        sampled, and the column `writes` says how many writes it had had.\n\n\
        | block | rows | writes | last write before the incident (ms) |\n| --- | --- | --- | --- |\n{rows}",
        instance = incident.instance,
        what = incident.what,
        now = date::now(),
        late_ms = monotonic_ns().saturating_sub(incident.at_ns) as f64 * 1e-6,
        version = env!("CARGO_PKG_VERSION"),
        kernel = kernel.trim(),
        look_ms = incident.look_ms,
    )
}

/// Where the kernel has put the core, by its pattern.
fn core_hint(pid: u64, pattern: &str) -> String {
    let pattern = pattern.trim();
    if pattern.contains("systemd-coredump") {
        format!("- core dump, if there is one: `coredumpctl info {pid}`, `coredumpctl gdb {pid}`\n")
    } else if let Some(program) = pattern.strip_prefix('|') {
        format!("- cores go to the program `{}`\n", program.split(' ').next().unwrap_or(program))
    } else if pattern.is_empty() {
        String::new()
    } else if pattern.starts_with('/') {
        format!("- core dump, if the limit allows one (`ulimit -c`): `{pattern}`\n")
    } else {
        format!(
            "- core dump, if the limit allows one (`ulimit -c`): `{pattern}` in the process's folder, if it may write there; \
            a unit of systemd may not: `sudo apt-get install systemd-coredump` keeps its cores\n"
        )
    }
}

/// One line per snapshot. Columns behind the longest used part would only hold zeros.
fn write_table(path: &Path, block: usize, library: &Library, memory: &Memory, at_ns: u64) -> io::Result<()> {
    let used = memory.snapshots(block).map(|snapshot| snapshot.used_words()).max();
    let used = used.unwrap_or(0);
    let columns: Vec<&Signal> =
        library.all().iter().filter(|signal| signal.block == block && signal.word < used).collect();
    let mut file = csv::Writer::from_path(path)?;
    file.write_record(["seen_s", "writes"].into_iter().chain(columns.iter().map(|signal| signal.name.as_str())))?;
    for snapshot in memory.snapshots(block) {
        let seen_s = (snapshot.seen_ns as f64 - at_ns as f64) * 1e-9;
        let values = columns.iter().map(|signal| signal.format(snapshot.word(signal.word)).to_string());
        file.write_record([format!("{seen_s:.4}"), snapshot.sequence.to_string()].into_iter().chain(values))?;
    }
    file.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shm_layout::blocks::{self, DriverInput};
    use shm_layout::{Region, RegionName};

    #[test]
    fn a_report_holds_the_values_that_were_written() {
        let temporary = tempfile::tempdir().unwrap();
        let name = RegionName::in_directory(temporary.path(), "report").unwrap();
        let region = Region::create(&name, None).unwrap();
        let mut writer = region.claim(blocks::DRIVER).unwrap();
        let mut memory = Memory::new(&region, 10.0, 5);
        for step in 1..=4 {
            let mut driver = DriverInput { throttle_ratio: 0.25 * step as f64, ..DriverInput::default() };
            driver.stamp.step = step;
            writer.publish(&driver);
            memory.look();
        }
        let folder = Folder::new(temporary.path().join("crashes"), 5);
        let incident = Incident {
            instance: "report".to_owned(),
            what: "daq-service was ended by SIGKILL".to_owned(),
            pid: Some(17),
            at_ns: monotonic_ns(),
            look_ms: 5,
        };
        let path = write(&folder, &incident, &memory, &Library::new()).unwrap();
        let page = std::fs::read_to_string(path.join(REPORT_FILE)).unwrap();
        assert!(page.contains("SIGKILL") && page.contains("[driver](driver.csv) | 4 | 4 |"), "{page}");
        let table = std::fs::read_to_string(path.join("driver.csv")).unwrap();
        let mut lines = table.lines();
        let head: Vec<&str> = lines.next().unwrap().split(',').collect();
        let column = head.iter().position(|name| *name == "driver.throttle_ratio").unwrap();
        let values: Vec<f64> = lines.map(|line| line.split(',').nth(column).unwrap().parse().unwrap()).collect();
        assert_eq!(values, [0.25, 0.5, 0.75, 1.0]);
        assert!(!path.join("forces.csv").exists());
    }

    #[test]
    fn the_core_is_where_the_pattern_says() {
        assert!(core_hint(17, "|/lib/systemd/systemd-coredump %P %u\n").contains("coredumpctl info 17"));
        assert!(core_hint(17, "|/usr/share/apport/apport -p%p\n").contains("`/usr/share/apport/apport`"));
        assert!(core_hint(17, "/var/cores/%p\n").ends_with(": `/var/cores/%p`\n"));
        let beside = core_hint(17, "core\n");
        assert!(beside.contains("`core` in the process's folder") && beside.contains("systemd-coredump"));
        assert_eq!(core_hint(17, ""), "");
    }
}
