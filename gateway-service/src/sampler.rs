//! Reads the region while anybody looks: every step of what is watched, and the newest state.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rt::clock::{monotonic_ns, sleep_through_signals_until_ns};
use shm_layout::blocks::{self, Kinematics, StateVector, VehicleState};
use shm_layout::reader::WordReader;
use shm_layout::signals::{Blocks, Entry};
use shm_layout::{Reader, Region};
use vehicle::terrain::{Hint, Terrain};

use crate::batch::Batch;
use crate::pose::Poses;
use crate::shared::Shared;
use crate::state_frame::StateFrame;

/// Time between two looks while somebody looks: a quarter of a step.
const LOOK_NS: u64 = 250_000;
/// The same while nobody does.
const IDLE_NS: u64 = 50_000_000;
/// Time between two messages.
const MESSAGE_NS: u64 = 16_666_667;
/// An answer that is so many steps behind is not waited for.
const BEHIND: u64 = 3;

/// A block that is read as words, and the step of what was read last.
struct Source {
    block: usize,
    reader: WordReader,
    sequence: u64,
    step: u64,
}

impl Source {
    fn new(region: &Region, block: usize) -> Self {
        Self { block, reader: region.word_reader(block), sequence: 0, step: 0 }
    }

    fn look(&mut self, blocks: &mut Blocks) {
        let sequence = self.reader.sequence();
        if sequence != self.sequence
            && let Some(words) = self.reader.latest()
        {
            // The stamp comes first, and the step in it.
            self.step = words[0];
            self.sequence = sequence;
            blocks.put_words(self.block, words);
        }
    }
}

/// A vehicle with all that is needed to place it.
pub struct Placed {
    /// Its bodies.
    pub poses: Poses,
    /// Its road.
    pub terrain: Arc<dyn Terrain>,
    /// Fingerprint of its mechanism, by which its state is known.
    pub hash: u64,
}

/// Everything that is read.
pub struct Sampler {
    shared: Arc<Shared>,
    blocks: Blocks,
    question: Source,
    answers: Vec<Source>,
    others: Vec<Source>,
    time: Option<Entry>,
    gauges: Vec<Entry>,
    watched: Vec<Entry>,
    known_version: u64,
    batch: Batch,
    last_step: u64,
    placed: Option<Placed>,
    hints: Vec<Hint>,
    state: Reader<StateVector>,
    kinematics: Reader<Kinematics>,
    vehicle: Reader<VehicleState>,
}

impl Sampler {
    /// Of a vehicle or a plant, with the gauges that its state messages end with.
    pub fn new(region: &Region, shared: Arc<Shared>, placed: Option<Placed>, gauges: Vec<Entry>) -> Self {
        let (question, answers, time) = match placed {
            Some(_) => {
                (blocks::KINEMATICS.index, vec![blocks::FORCES.index, blocks::VEHICLE.index], "kinematics.time_s")
            }
            None => (blocks::PLANT_OUTPUTS.index, vec![blocks::PLANT_INPUTS.index], "plant_outputs.time_s"),
        };
        let others = (0..blocks::CATALOGUE.len()).filter(|index| *index != question && !answers.contains(index));
        Self {
            blocks: Blocks::default(),
            question: Source::new(region, question),
            others: others.map(|block| Source::new(region, block)).collect(),
            answers: answers.into_iter().map(|block| Source::new(region, block)).collect(),
            time: shared.dictionary.find(time).cloned(),
            gauges,
            watched: Vec::new(),
            known_version: 0,
            batch: Batch::default(),
            last_step: 0,
            hints: vec![Hint::default(); blocks::WHEELS_MAX],
            placed,
            state: region.reader(blocks::PLANT_STATE),
            kinematics: region.reader(blocks::KINEMATICS),
            vehicle: region.reader(blocks::VEHICLE),
            shared,
        }
    }

    /// Samples until it is asked to stop.
    pub fn run(mut self, stop: &AtomicBool) {
        let mut message_ns = 0;
        while !stop.load(Relaxed) {
            let is_idle = !self.shared.figures.somebody_looks();
            let now_ns = monotonic_ns();
            sleep_through_signals_until_ns(now_ns + if is_idle { IDLE_NS } else { LOOK_NS });
            if is_idle {
                // What passes while nobody looks is not missed.
                self.last_step = 0;
                continue;
            }
            self.look();
            if now_ns >= message_ns {
                message_ns = now_ns + MESSAGE_NS;
                self.send();
            }
        }
    }

    /// Takes what is new, and a row where a step is complete.
    fn look(&mut self) {
        self.take_wishes();
        self.question.look(&mut self.blocks);
        self.answers.iter_mut().for_each(|source| source.look(&mut self.blocks));
        let watched = &self.watched;
        let is_watched = |source: &&mut Source| watched.iter().any(|entry| entry.block == source.block);
        self.others.iter_mut().filter(is_watched).for_each(|source| source.look(&mut self.blocks));
        let step = self.question.step;
        let is_complete = self.answers.iter().all(|answer| answer.step == step || answer.step + BEHIND <= step);
        if step == self.last_step || !is_complete {
            return;
        }
        self.count(step);
        if !self.watched.is_empty() {
            let value = |entry: &Entry| entry.value(&self.blocks).unwrap_or(f64::NAN);
            self.batch.time_s.push(self.time.as_ref().map_or(f64::NAN, value));
            for (entry, (_, column)) in self.watched.iter().zip(&mut self.batch.columns) {
                column.push(value(entry) as f32);
            }
        }
    }

    /// Counts a step, and those that passed unseen. A run that begins anew has missed nothing.
    fn count(&mut self, step: u64) {
        let figures = &self.shared.figures;
        figures.steps_seen.fetch_add(1, Relaxed);
        if self.last_step > 0 && step > self.last_step + 1 {
            let lost = step - self.last_step - 1;
            figures.steps_lost.fetch_add(lost, Relaxed);
            if self.batch.time_s.is_empty() {
                self.batch.lost = self.batch.lost.saturating_add(u32::try_from(lost).unwrap_or(u32::MAX));
            } else {
                // A hole stands before the first row of a batch.
                self.flush();
                self.batch.lost = u32::try_from(lost).unwrap_or(u32::MAX);
            }
        }
        self.last_step = step;
    }

    fn take_wishes(&mut self) {
        let version = self.shared.wanted.version();
        if version != self.known_version {
            self.known_version = version;
            self.flush();
            let numbers = self.shared.wanted.numbers();
            let find = |number: &u64| {
                let entries = self.shared.dictionary.entries();
                let place = entries.binary_search_by_key(number, |entry| entry.number).ok()?;
                Some(entries[place].clone())
            };
            self.watched = numbers.iter().filter_map(find).collect();
            self.batch = Batch::of(&self.watched.iter().map(|entry| entry.number).collect::<Vec<_>>());
        }
    }

    fn flush(&mut self) {
        if !self.batch.time_s.is_empty() {
            let empty = Batch::of(&self.watched.iter().map(|entry| entry.number).collect::<Vec<_>>());
            let batch = std::mem::replace(&mut self.batch, empty);
            // Nobody may be listening just now.
            let _ = self.shared.batches.send(Arc::new(batch));
        }
    }

    fn send(&mut self) {
        self.flush();
        let time_s = self.time.as_ref().and_then(|entry| entry.value(&self.blocks)).unwrap_or(f64::NAN);
        let mut frame = StateFrame::new(self.question.step as f64, time_s);
        if let Some(placed) = &mut self.placed {
            if let Some(state) = self.state.latest().map(|snapshot| snapshot.value)
                && state.model_hash == placed.hash
            {
                placed.poses.take(&state.states[..(state.state_count as usize).min(state.states.len())]);
            }
            placed.poses.all().for_each(|pose| frame.body(&pose));
            let (motion, state) = (self.kinematics.latest(), self.vehicle.latest());
            if let (Some(motion), Some(state)) = (motion, state) {
                frame.wheels(motion.value, state.value, &*placed.terrain, &mut self.hints);
            } else {
                // Nothing moves yet, and nothing can be drawn of it.
                return;
            }
        }
        let gauges: Vec<f64> = self.gauges.iter().map(|entry| entry.value(&self.blocks).unwrap_or(f64::NAN)).collect();
        frame.numbers(&gauges);
        self.shared.state.send_replace(frame.finish().into());
    }
}
