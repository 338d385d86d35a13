//! The loop of the flight recorder: look, notice deaths, write them down.

use std::time::Duration;

use shm_layout::clock::monotonic_ns;
use shm_layout::signals::Library;
use shm_layout::{Region, RegionName};

use super::death::{Death, DeathWatch};
use super::folder::Folder;
use super::memory::Memory;
use super::report::{Incident, write};

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
