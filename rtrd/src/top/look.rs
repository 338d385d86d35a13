//! One look at a running instance: everything that is shown, taken from the region by reading
//! alone.

use std::path::Path;
use std::time::{Duration, Instant};

use shm_layout::Region;
use shm_layout::blocks::Control;
use shm_layout::clock::monotonic_ns;

use crate::readiness::{Places, ReportStatus};
use crate::view::block_watch::{BlockView, BlockWatch, Owner};
use crate::view::{Exchange, Observer, ProcessView};

/// Blocks that are younger are taken for alive.
const LEFT_BEHIND_AFTER_NS: u64 = 5_000_000_000;

/// How long a look at the readiness report holds: it reads some dozens of files.
const REPORT_STATUS_HOLDS: Duration = Duration::from_secs(10);

pub struct Look {
    pub instance: String,
    pub processes: Vec<ProcessView>,
    pub blocks: Vec<BlockView>,
    pub control: Option<Control>,
    pub exchange: Option<Exchange>,
    /// Scenario and vehicle, or plant.
    pub title: String,
    /// Time since the run was started, if there is a supervisor to say so.
    pub running_s: Option<f64>,
    /// Whether a readiness report of this machine passes.
    pub report_status: ReportStatus,
}

impl Look {
    /// Whether no process takes part any more, so that nothing will ever change. A process may live
    /// where this one cannot see it (in another container), so the blocks must be old as well.
    pub fn is_left_behind(&self) -> bool {
        let is_dead = |block: &BlockView| {
            let old = block.age_ns.is_none_or(|age_ns| age_ns > LEFT_BEHIND_AFTER_NS);
            old && !matches!(block.owner, Owner::Alive(_))
        };
        self.blocks.iter().all(is_dead)
    }
}

/// The readiness report of this machine, looked at now and then.
#[derive(Clone)]
pub struct Readiness {
    places: Places,
    last: Option<(Instant, ReportStatus)>,
}

impl Readiness {
    pub fn new(places: Places) -> Self {
        Self { places, last: None }
    }

    fn report_status(&mut self) -> ReportStatus {
        match &self.last {
            Some((since, report_status)) if since.elapsed() < REPORT_STATUS_HOLDS => report_status.clone(),
            _ => {
                let report_status = ReportStatus::of(&self.places, Path::new("/"));
                self.last = Some((Instant::now(), report_status.clone()));
                report_status
            }
        }
    }
}

/// A region that is looked at again and again. It takes no lock and writes nothing: no process can
/// notice it.
pub struct Watched {
    pub region: Region,
    observer: Observer,
    blocks: BlockWatch,
    readiness: Readiness,
}

impl Watched {
    pub fn new(region: Region, readiness: Readiness) -> Self {
        Self { readiness, observer: Observer::new(&region), blocks: BlockWatch::default(), region }
    }

    pub fn look(&mut self) -> Look {
        let control = self.observer.control();
        let running_s = control.map(|control| monotonic_ns().saturating_sub(control.started_ns) as f64 * 1e-9);
        Look {
            instance: self.region.name().instance().to_owned(),
            processes: self.observer.processes().to_vec(),
            blocks: self.blocks.look(&self.region),
            exchange: self.observer.exchange(),
            title: self.observer.signals.title(),
            control,
            running_s,
            report_status: self.readiness.report_status(),
        }
    }
}
