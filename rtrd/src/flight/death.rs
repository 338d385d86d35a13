//! How an observer notices that a process has died: its health names it, it did not say that it
//! ends, and it is no more.

use rt::processes::is_alive;
use shm_layout::blocks::{Health, STATE_STOPPED};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Reader, Region, Role};

use crate::view::PROCESSES;

/// A process that is gone and did not end in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Death {
    pub role: Role,
    pub pid: u64,
    /// The last step in its health.
    pub step: u64,
    /// When it was noticed, on the monotonic clock (ns).
    pub noticed_ns: u64,
}

/// Watches the processes of one instance.
pub struct DeathWatch {
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
    use super::*;
    use shm_layout::RegionName;
    use shm_layout::blocks::{self, STATE_RUNNING};

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
