//! A region that a test makes, and what a process of a run publishes in it.

use shm_layout::blocks::{self, Control, Demands, Health, MODE_RUN, PlantOutputs, STATE_RUNNING, StateVector};
use shm_layout::clock::monotonic_ns;
use shm_layout::signals::names::RunNames;
use shm_layout::{Region, RegionName, Stamp, Writer};

/// A region of this test alone, removed at its end.
pub struct Live {
    pub name: RegionName,
    region: Option<Region>,
    health: Writer<Health>,
    outputs: Writer<PlantOutputs>,
    state: Writer<StateVector>,
    demands: Writer<Demands>,
    control: Writer<Control>,
}

impl Live {
    pub fn new(test: &str) -> Self {
        let name = RegionName::new(&format!("test-top-{test}-{}", std::process::id())).unwrap();
        let region = Region::create(&name, None).unwrap();
        let mut live = Self {
            health: region.claim(blocks::DYNAMICS_HEALTH).unwrap(),
            outputs: region.claim(blocks::PLANT_OUTPUTS).unwrap(),
            state: region.claim(blocks::PLANT_STATE).unwrap(),
            demands: region.claim(blocks::DEMANDS).unwrap(),
            control: region.claim(blocks::CONTROL).unwrap(),
            region: Some(region),
            name,
        };
        live.publish(0, 0);
        live
    }

    /// Publishes as a process does that has these rights and simulates this model.
    pub fn publish(&mut self, granted_bits: u64, model_hash: u64) {
        let stamp = Stamp { step: 77, publish_ns: monotonic_ns(), ..Stamp::default() };
        self.health.publish(&Health {
            stamp,
            pid: u64::from(std::process::id()),
            state: STATE_RUNNING,
            granted_bits,
            overruns: 5,
            ..Health::default()
        });
        let mut outputs = PlantOutputs { stamp, output_count: 3, ..PlantOutputs::default() };
        outputs.outputs[..3].copy_from_slice(&[14.25, 33.5, 29.75]);
        self.outputs.publish(&outputs);
        self.state.publish(&StateVector { stamp, model_hash, ..StateVector::default() });
        self.demands.publish(&Demands { stamp, demand_count: 1, ..Demands::default() });
        self.control.publish(&Control { stamp, mode: MODE_RUN, started_ns: monotonic_ns(), ..Control::default() });
    }

    /// Names the signals as a run does.
    pub fn name_signals(&mut self, names: &RunNames) {
        let region = self.region.as_ref().unwrap();
        service::publish_names(region, blocks::NAMES, names).unwrap();
    }

    pub fn instance(&self) -> &str {
        self.name.instance()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        drop(self.region.take());
        let _ = std::fs::remove_file(self.name.path());
    }
}
