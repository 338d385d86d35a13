//! How an onlooker notices that a process has died: its health names it, it did not say that it
//! ends, and it is no more.

use std::path::Path;

use shm_layout::blocks::{Health, STATE_STOPPED};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Reader, Region, Role};

use crate::view::PROCESSES;

/// A process that is gone and did not end in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Death {
    pub role: Role,
    pub pid: u64,
    /// The last step that its health tells of.
    pub step: u64,
    /// When it was noticed, on the monotonic clock (ns).
    pub noticed_ns: u64,
}

/// Watches the processes of one instance.
pub struct DeathWatch {
    health: [Reader<Health>; PROCESSES.len()],
    mourned: [u64; PROCESSES.len()],
    last: [Option<(u64, u64)>; PROCESSES.len()],
}

impl DeathWatch {
    pub fn new(region: &Region) -> Self {
        Self {
            health: PROCESSES.map(|(_, block)| region.reader(block)),
            mourned: [0; PROCESSES.len()],
            last: [None; PROCESSES.len()],
        }
    }

    /// The deaths since the last look, each told once. A successor that is quicker than we look is
    /// no excuse: another process number without an orderly end of the one before is a death as
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
                deaths.extend(self.mourn(index, role, pid, step));
            }
            self.last[index] = (health.state != STATE_STOPPED).then_some(now);
            if self.last[index].is_some() && !is_alive(now.0) {
                deaths.extend(self.mourn(index, role, now.0, now.1));
            }
        }
        deaths
    }

    fn mourn(&mut self, index: usize, role: Role, pid: u64, step: u64) -> Option<Death> {
        (self.mourned[index] != pid).then(|| {
            self.mourned[index] = pid;
            let noticed_ns = monotonic_ns();
            Death { role, pid, step, noticed_ns }
        })
    }
}

fn is_alive(pid: u64) -> bool {
    let status = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat"));
    let state = status.ok().and_then(|text| text.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next()));
    !matches!(state, None | Some('Z' | 'X'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shm_layout::RegionName;
    use shm_layout::blocks::{self, STATE_RUNNING};

    #[test]
    fn a_death_is_told_once_and_a_goodbye_is_none() {
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
