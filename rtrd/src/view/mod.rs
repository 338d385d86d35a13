//! What an observer sees of a running instance: taken from the blocks, never from the processes
//! themselves.

pub mod block_watch;
pub mod format;
mod live_signals;
mod process;

pub use format::trouble;
pub use process::{PROCESSES, ProcessView, State};

use lockstep::status;
use shm_layout::blocks::{self, Control, Health, VehicleState};
use shm_layout::clock::monotonic_ns;
use shm_layout::signals::Entry;
use shm_layout::{Reader, Region};

pub use live_signals::LiveSignals;

/// Readers of all that is worth looking at.
pub struct Observer {
    health: [Reader<Health>; PROCESSES.len()],
    control: Reader<Control>,
    vehicle: Reader<VehicleState>,
    pub signals: LiveSignals,
}

/// A signal with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    pub name: String,
    pub unit: String,
    pub value: f64,
}

/// The signals of one step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exchange {
    pub step: u64,
    pub time_s: f64,
    pub demands: Vec<Shown>,
    pub inputs: Vec<Shown>,
    pub outputs: Vec<Shown>,
    /// What a vehicle's processes report; empty when all is well, and for plants.
    pub condition: String,
}

impl Observer {
    pub fn new(region: &Region) -> Self {
        Self {
            health: PROCESSES.map(|(_, block)| region.reader(block)),
            control: region.reader(blocks::CONTROL),
            vehicle: region.reader(blocks::VEHICLE),
            signals: LiveSignals::new(region),
        }
    }

    pub fn control(&mut self) -> Option<Control> {
        self.control.latest().map(|snapshot| *snapshot.value)
    }

    /// How each process is doing, as it says itself.
    pub fn processes(&mut self) -> [ProcessView; PROCESSES.len()] {
        let now_ns = monotonic_ns();
        let restarts = self.control.latest().map(|snapshot| snapshot.value.restarts);
        std::array::from_fn(|index| {
            let (role, _) = PROCESSES[index];
            let restarts = restarts.map_or(0, |counts| counts[index]);
            ProcessView::new(role, restarts, now_ns, self.health[index].latest().map(|snapshot| *snapshot.value))
        })
    }

    /// The newest signals of the exchange; `None` before the first step.
    pub fn exchange(&mut self) -> Option<Exchange> {
        self.signals.look();
        let signals = &self.signals;
        let block = if signals.is_vehicle() { "kinematics" } else { "plant_outputs" };
        let step = signals.value(&format!("{block}.stamp.step"))? as u64;
        let time_s = signals.value(&format!("{block}.time_s"))?;
        let status = signals.value(&format!("{block}.status"))? as u64;
        let shown = |entry: &Entry| Shown {
            name: entry.name.clone(),
            unit: entry.unit.clone(),
            value: entry.value(&signals.blocks).unwrap_or(f64::NAN),
        };
        let [demands, inputs, outputs] =
            signals.watched().map(|group| group.into_iter().map(shown).collect::<Vec<_>>());
        let vehicle = self.vehicle.latest().filter(|_| signals.is_vehicle());
        let condition = vehicle.map_or_else(String::new, |vehicle| condition(status, vehicle.value));
        Some(Exchange { step, time_s, demands, inputs, outputs, condition })
    }

    /// Whether a vehicle's manoeuvre is over.
    pub fn manoeuvre_is_over(&mut self) -> bool {
        let latest = self.vehicle.latest();
        latest.is_some_and(|snapshot| snapshot.value.manoeuvre_over != 0)
    }
}

/// What the dynamics and the subsystems of a vehicle report.
fn condition(status: u64, vehicle: &VehicleState) -> String {
    let mut words: Vec<String> = Vec::new();
    words.push(status::text(status));
    if vehicle.safe_stop != 0 {
        words.push("no driver: stopping".to_owned());
    }
    if vehicle.manoeuvre_over != 0 {
        words.push("the manoeuvre is over".to_owned());
    }
    if vehicle.external_misses > 0 {
        words.push(format!("{} late answers of external subsystems", vehicle.external_misses));
    }
    words.retain(|word| !word.is_empty());
    words.join(", ")
}
