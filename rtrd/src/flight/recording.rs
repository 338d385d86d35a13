//! The loop of the flight recorder: look, notice deaths, write them down.

use std::time::Duration;

use rt::processes::is_alive;
use shm_layout::blocks::{Health, STATE_STOPPED};
use shm_layout::clock::monotonic_ns;
use shm_layout::signals::Library;
use shm_layout::{Reader, Region, RegionName, Role};

use super::folder::Folder;
use super::memory::Memory;
use super::report::{Incident, write};
use crate::view::PROCESSES;

/// How long the recorder goes on looking after a death before it writes: the others' reaction
/// belongs to the report.
const AFTERWARDS_NS: u64 = 500_000_000;
/// A process that dies again and again gives no more reports than one in this time; the deaths
/// between go into the next.
const BETWEEN_REPORTS_NS: u64 = 5_000_000_000;

/// What is recorded, and where it goes.
#[derive(Clone, Debug)]
pub struct Recording {
    pub region: RegionName,
    pub instance: String,
    pub folder: Folder,
    /// How much is kept (s).
    pub window_s: f64,
    /// Time between two looks (ms).
    pub look_ms: u64,
}

impl Recording {
    /// Records the region, if there is one, until it is removed or `goes_on` says no. `asked` says
    /// whether a report of the present is asked for; `log` gets a line about each report.
    pub fn record(&self, goes_on: &mut dyn FnMut() -> bool, asked: &dyn Fn() -> bool, log: &mut dyn FnMut(String)) {
        let Ok(region) = Region::observe(&self.region) else {
            return;
        };
        let mut memory = Memory::new(&region, self.window_s, self.look_ms);
        let mut watch = DeathWatch::new(&region);
        let library = Library::new();
        let mut deaths: Vec<Death> = Vec::new();
        let (mut due_ns, mut last_report_ns) = (0, 0);
        while goes_on() && !region.is_removed() {
            memory.look();
            let now_ns = monotonic_ns();
            let news = watch.look();
            if deaths.is_empty() && !news.is_empty() {
                due_ns = (now_ns + AFTERWARDS_NS).max(last_report_ns + BETWEEN_REPORTS_NS);
            }
            deaths.extend(news);
            if !deaths.is_empty() && now_ns >= due_ns {
                self.report(&memory, &library, &deaths, log);
                deaths.clear();
                last_report_ns = monotonic_ns();
            }
            if asked() {
                self.report(&memory, &library, &[], log);
            }
            std::thread::sleep(Duration::from_millis(self.look_ms));
        }
        if !deaths.is_empty() {
            self.report(&memory, &library, &deaths, log);
        }
    }

    fn report(&self, memory: &Memory, library: &Library, deaths: &[Death], log: &mut dyn FnMut(String)) {
        let text = |death: &Death| {
            let Death { role, pid, step, .. } = death;
            format!("{} (process {pid}) died after step {step}", role.name())
        };
        let what = match deaths {
            [] => "a report was asked for".to_owned(),
            deaths => deaths.iter().map(text).collect::<Vec<_>>().join("; "),
        };
        let incident = Incident {
            instance: self.instance.clone(),
            what,
            pid: deaths.first().map(|death| death.pid),
            at_ns: deaths.first().map_or_else(monotonic_ns, |death| death.noticed_ns),
            look_ms: self.look_ms,
        };
        log(match write(&self.folder, &incident, memory, library) {
            Ok(path) => format!("{}: report in {}", incident.what, path.display()),
            // A full disk does not end the recorder: the next report may find room again.
            Err(error) => {
                format!("{}: cannot write a report to {}: {error}", incident.what, self.folder.path().display())
            }
        });
    }
}

/// A process that is gone and did not end in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Death {
    pub role: Role,
    pub pid: u64,
    /// The last step in its health.
    pub step: u64,
    /// When it was noticed, on the monotonic clock (ns).
    pub noticed_ns: u64,
}

/// Notices that a process has died: its health names it, it did not say that it ends, and it is no
/// more.
struct DeathWatch {
    health: [Reader<Health>; PROCESSES.len()],
    reported: [u64; PROCESSES.len()],
    last: [Option<(u64, u64)>; PROCESSES.len()],
}

impl DeathWatch {
    pub fn new(region: &Region) -> Self {
        Self {
            health: PROCESSES.map(|(_, block)| region.reader(block)),
            reported: [0; PROCESSES.len()],
            last: [None; PROCESSES.len()],
        }
    }

    /// The deaths since the last look, each reported once. A successor that is quicker than we look
    /// is no excuse: another process number without an orderly end of the one before is a death as
    /// well.
    pub fn look(&mut self) -> Vec<Death> {
        let mut deaths = Vec::new();
        for (index, (role, _)) in PROCESSES.iter().enumerate() {
            let Some(health) = self.health[index].latest().map(|snapshot| *snapshot.value) else {
                continue;
            };
            let (role, now) = (*role, (health.pid, health.stamp.step));
            if let Some((pid, step)) = self.last[index]
                && pid != now.0
            {
                deaths.extend(self.report(index, role, pid, step));
            }
            self.last[index] = (health.state != STATE_STOPPED).then_some(now);
            if self.last[index].is_some() && !is_alive(now.0) {
                deaths.extend(self.report(index, role, now.0, now.1));
            }
        }
        deaths
    }

    fn report(&mut self, index: usize, role: Role, pid: u64, step: u64) -> Option<Death> {
        (self.reported[index] != pid).then(|| {
            self.reported[index] = pid;
            let noticed_ns = monotonic_ns();
            Death { role, pid, step, noticed_ns }
        })
    }
}

#[cfg(test)]
mod tests {
    use shm_layout::blocks::{self, STATE_RUNNING};

    use super::*;

    #[test]
    fn a_death_is_reported_once_and_an_orderly_end_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let name = RegionName::in_directory(folder.path(), "death").unwrap();
        let region = Region::create(&name, None).unwrap();
        let mut writer = region.claim(blocks::DAQ_HEALTH).unwrap();
        let mut watch = DeathWatch::new(&region);
        let mut publish = |pid: u64, state: u64, step: u64| {
            let mut health = Health { pid, state, ..Health::default() };
            health.stamp.step = step;
            writer.publish(&health);
        };
        let own = u64::from(std::process::id());
        // Process numbers end at 4194304: these two never live.
        let (gone, gone_too) = (5_000_000, 5_000_001);
        assert_eq!(watch.look(), []);
        publish(own, STATE_RUNNING, 1);
        assert_eq!(watch.look(), []);
        publish(gone, STATE_RUNNING, 7);
        let seen = watch.look();
        // The first was replaced without an orderly end, the second is dead.
        assert_eq!(seen.iter().map(|death| death.pid).collect::<Vec<_>>(), [own, gone]);
        assert_eq!((seen[1].role, seen[1].step), (Role::Daq, 7));
        assert_eq!(watch.look(), []);
        publish(own, STATE_STOPPED, 8);
        assert_eq!(watch.look(), []);
        publish(gone_too, STATE_STOPPED, 9);
        assert_eq!(watch.look(), []);
    }
}
