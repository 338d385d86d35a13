//! What an observer sees of a running instance: taken from the blocks, never from the processes
//! themselves.

pub mod block_watch;
pub mod format;
pub mod names;
mod process;
pub mod terminal;
mod trouble;

pub use process::{PROCESSES, ProcessView, State};
pub use trouble::trouble;

use lockstep::status;
use plant::Description;
use service::Job;
use service::vehicle::signals;
use shm_layout::blocks::{
    self, Control, Demands, DriverInput, Health, PlantInputs, PlantOutputs, VehicleState,
};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Reader, Region};

/// Readers of all that is worth looking at.
pub struct Observer {
    health: [Reader<Health>; PROCESSES.len()],
    control: Reader<Control>,
    driver: Reader<DriverInput>,
    demands: Reader<Demands>,
    inputs: Reader<PlantInputs>,
    outputs: Reader<PlantOutputs>,
    vehicle: Reader<VehicleState>,
    /// Names of the plant's inputs and outputs.
    pub description: Description,
    /// Names of the demands.
    pub demand_names: Vec<String>,
}

/// The signals of one step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exchange {
    pub step: u64,
    pub time_s: f64,
    pub demands: Vec<f64>,
    pub inputs: Vec<f64>,
    pub outputs: Vec<f64>,
    /// What a vehicle's processes report; empty when all is well, and for plants.
    pub condition: String,
}

impl Observer {
    pub fn new(region: &Region, job: &Job) -> Self {
        let ports = job.demands().into_iter();
        Self {
            description: job.description(),
            demand_names: ports.map(|port| port.name).collect(),
            ..Self::nameless(region)
        }
    }

    /// For who does not know what is simulated.
    pub fn nameless(region: &Region) -> Self {
        Self {
            health: PROCESSES.map(|(_, block)| region.reader(block)),
            control: region.reader(blocks::CONTROL),
            driver: region.reader(blocks::DRIVER),
            demands: region.reader(blocks::DEMANDS),
            inputs: region.reader(blocks::PLANT_INPUTS),
            outputs: region.reader(blocks::PLANT_OUTPUTS),
            vehicle: region.reader(blocks::VEHICLE),
            description: Description {
                name: String::new(),
                summary: String::new(),
                inputs: Vec::new(),
                outputs: Vec::new(),
                states: Vec::new(),
                parameters: Vec::new(),
            },
            demand_names: Vec::new(),
        }
    }

    /// What the supervisor says; `None` without one.
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
            ProcessView::new(
                role,
                restarts,
                now_ns,
                self.health[index].latest().map(|snapshot| *snapshot.value),
            )
        })
    }

    /// The newest signals of the exchange; `None` before the first step.
    pub fn exchange(&mut self) -> Option<Exchange> {
        let outputs = *self.outputs.latest()?.value;
        let inputs = self.inputs.latest().map(|snapshot| *snapshot.value).unwrap_or_default();
        let vehicle = self.vehicle.latest().map(|snapshot| *snapshot.value);
        let used = |values: &[f64], count: u64| values[..(count as usize).min(values.len())].to_vec();
        let demands = match (self.driver.latest(), self.demands.latest()) {
            (Some(driver), _) => signals::demands(&driver.value.or_released()).to_vec(),
            (None, Some(demands)) => used(&demands.value.demands, demands.value.demand_count),
            (None, None) => Vec::new(),
        };
        Some(Exchange {
            step: outputs.stamp.step,
            time_s: outputs.time_s,
            demands,
            inputs: used(&inputs.inputs, inputs.input_count),
            outputs: used(&outputs.outputs, outputs.output_count),
            condition: vehicle.map_or_else(String::new, |vehicle| condition(outputs.status, &vehicle)),
        })
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
