//! The models and their blocks: everything about one answer except the clock.

use plant::{ControlStatus, Controller, Scenario};
use service::config::Settings;
use service::{Answering, Checkpoint, missing};
use shm_layout::blocks::{self, Driver, PlantInputs, PlantOutputs};
use shm_layout::clock::monotonic_ns;
use shm_layout::{ClaimError, Reader, Region, Stamp, Wait, Waited, Writer};

/// What an answer may report that is worth counting.
const WORTH_COUNTING: [ControlStatus; 2] = [ControlStatus::DEMAND_HELD, ControlStatus::OUTPUT_MISSING];

/// The subsystem models, which meet the other processes in the common blocks. Nothing in an answer allocates, locks or
/// prints.
pub struct Subsystems {
    controller: Box<dyn Controller>,
    step_s: f64,
    answered_step: u64,
    inputs: Box<PlantInputs>,
    inputs_writer: Writer<PlantInputs>,
    checkpoint: Checkpoint,
    outputs_reader: Reader<PlantOutputs>,
    driver_reader: Reader<Driver>,
    driver_timeout_ns: u64,
    begun_ns: u64,
    model_warnings: u64,
    /// What the last answer had to do without.
    missing: u64,
}

impl Subsystems {
    /// Builds the models, claims their blocks, and goes on from the state that an earlier process of this run published.
    pub fn new(region: &Region, scenario: &Scenario, driver_timeout_ns: u64) -> Result<Self, ClaimError> {
        let controller = scenario.build_controller();
        let mut inputs = Box::new(PlantInputs::default());
        inputs.input_count = controller.description().input_count.min(inputs.inputs.len()) as u64;
        let model_hash = service::model_hash(controller.description());
        let mut subsystems = Self {
            controller,
            step_s: scenario.step_s(),
            answered_step: 0,
            inputs,
            inputs_writer: region.claim(blocks::PLANT_INPUTS)?,
            checkpoint: Checkpoint::claim(region, blocks::SUBSYSTEM_STATE, model_hash)?,
            outputs_reader: region.reader(blocks::PLANT_OUTPUTS),
            driver_reader: region.reader(blocks::DRIVER),
            driver_timeout_ns,
            begun_ns: monotonic_ns(),
            model_warnings: 0,
            missing: 0,
        };
        subsystems.resume(region);
        Ok(subsystems)
    }

    fn resume(&mut self, region: &Region) {
        let Some(found) = self.checkpoint.earlier(region, blocks::SUBSYSTEM_STATE) else {
            return;
        };
        match self.controller.restore(service::numbers(&found)) {
            Ok(()) => {
                self.remember_last_answer(region, found.stamp.step);
                tracing::info!("going on after step {}", found.stamp.step);
            }
            Err(error) => tracing::warn!("starting from the initial state: {error}"),
        }
    }

    /// The answer that belongs to the restored state: if its question is still open, it is given again and not made anew.
    fn remember_last_answer(&mut self, region: &Region, step: u64) {
        let mut given = region.reader(blocks::PLANT_INPUTS);
        if let Some(answer) = given.latest().map(|snapshot| *snapshot.value)
            && answer.stamp.step == step
            && answer.input_count == self.inputs.input_count
        {
            *self.inputs = answer;
            self.answered_step = step;
        }
    }
}

impl Answering for Subsystems {
    #[inline]
    fn await_question(&mut self, deadline_ns: u64, wait: Wait) -> Waited {
        self.outputs_reader.wait_for_news(deadline_ns, wait)
    }

    fn question(&self) -> Option<Stamp> {
        self.outputs_reader.last().map(|question| question.stamp)
    }

    #[inline]
    fn answer(&mut self, wait: Wait) -> bool {
        let now_ns = monotonic_ns();
        let driver_known = self.driver_reader.latest().is_some();
        if !driver_known && now_ns < self.begun_ns + self.driver_timeout_ns {
            return false;
        }
        let Some(question) = self.outputs_reader.last() else {
            return false;
        };
        // A restarted partner may ask for the same step again: it gets the same answer, and no model advances twice.
        if question.stamp.step != self.answered_step {
            let status = update(
                &mut *self.controller,
                question,
                self.driver_reader.last(),
                self.step_s,
                &mut self.inputs,
            );
            let driver_age_ns = self
                .driver_reader
                .last()
                .map_or(u64::MAX, |driver| driver.age_at(now_ns));
            self.inputs.driver_age_ns = driver_age_ns;
            let stale = driver_age_ns > self.driver_timeout_ns;
            let held = WORTH_COUNTING.iter().any(|flag| status.contains(*flag));
            let without = |is_missing: bool, bit: u64| if is_missing { bit } else { 0 };
            self.missing = without(stale, missing::DRIVER) | without(held, missing::SIGNAL);
            self.model_warnings += u64::from(stale || held);
            self.answered_step = question.stamp.step;
            self.inputs.stamp.step = question.stamp.step;
            self.inputs.stamp.sample_ns = question.stamp.sample_ns;
        }
        self.inputs.stamp.publish_ns = monotonic_ns();
        match wait {
            Wait::Spin => self.inputs_writer.publish(&self.inputs),
            Wait::Sleep => self.inputs_writer.publish_and_wake(&self.inputs),
        }
        self.publish_state();
        true
    }

    fn step(&self) -> u64 {
        self.answered_step
    }

    fn warnings(&self) -> u64 {
        self.model_warnings
    }

    fn missing(&self) -> u64 {
        self.missing
    }

    fn take_settings(&mut self, settings: &Settings) {
        self.driver_timeout_ns = settings.driver_timeout_ms * 1_000_000;
    }
}

impl Subsystems {
    #[inline]
    fn publish_state(&mut self) {
        let values = self.controller.state();
        self.checkpoint.publish(self.inputs.stamp, f64::NAN, |states| {
            let count = values.len().min(states.len());
            states[..count].copy_from_slice(&values[..count]);
            count
        });
    }
}

#[inline]
fn update(
    controller: &mut dyn Controller,
    question: &PlantOutputs,
    driver: Option<&Driver>,
    step_s: f64,
    inputs: &mut PlantInputs,
) -> ControlStatus {
    let outputs = &question.outputs[..(question.output_count as usize).min(question.outputs.len())];
    let demands: &[f64] = match driver {
        Some(driver) => &driver.demands[..(driver.demand_count as usize).min(driver.demands.len())],
        None => &[],
    };
    let count = inputs.input_count as usize;
    controller.update(
        question.time_s,
        demands,
        outputs,
        step_s,
        &mut inputs.inputs[..count],
    )
}
