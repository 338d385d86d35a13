//! Reads the region while anybody looks: every step of what is watched, and the newest state.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rt::clock::{monotonic_ns, sleep_through_signals_until_ns};
use shm_layout::blocks::{self, Kinematics, StateVector, VehicleState};
use shm_layout::reader::WordReader;
use shm_layout::signals::{Blocks, Entry};
use shm_layout::slots::SLOTS;
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
/// Steps of a block that are kept until the others have them, too.
const KEPT: usize = 8;

/// A block that is read as words: what it said in the last steps, oldest first.
struct Source {
    block: usize,
    reader: WordReader,
    sequence: u64,
    said: VecDeque<(u64, Vec<u64>)>,
}

impl Source {
    fn new(region: &Region, block: usize) -> Self {
        Self { block, reader: region.word_reader(block), sequence: 0, said: VecDeque::new() }
    }

    /// Takes what is new: also the writes before the newest, as far as their slots still have them.
    fn look(&mut self) {
        let newest = self.reader.sequence();
        let oldest = (self.sequence + 1).max((newest + 2).saturating_sub(SLOTS as u64));
        for sequence in oldest..=newest {
            let Some(words) = self.reader.write(sequence) else { continue };
            // The stamp comes first, and the step in it. A step that is said again counts as it is
            // said last.
            let step = words[0];
            self.said.retain(|(known, _)| *known < step);
            self.said.push_back((step, words.to_vec()));
        }
        self.sequence = newest;
        while self.said.len() > KEPT {
            self.said.pop_front();
        }
    }

    fn newest_step(&self) -> u64 {
        self.said.back().map_or(0, |(step, _)| *step)
    }

    /// Whether more may come of a step.
    fn is_awaited(&self, step: u64) -> bool {
        self.newest_step() < step
    }

    /// Puts what was said of a step where it belongs, and forgets what was before it.
    fn put(&mut self, step: u64, blocks: &mut Blocks) {
        while self.said.front().is_some_and(|(known, _)| *known < step) {
            self.said.pop_front();
        }
        if let Some((known, words)) = self.said.front()
            && *known == step
        {
            blocks.put_words(self.block, words);
        }
    }

    /// Puts what was said last where it belongs, for a block that goes with no step.
    fn put_newest(&mut self, blocks: &mut Blocks) {
        if let Some((_, words)) = self.said.pop_back() {
            blocks.put_words(self.block, &words);
            self.said.clear();
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
                self.forget();
                continue;
            }
            self.look();
            if now_ns >= message_ns {
                message_ns = now_ns + MESSAGE_NS;
                self.send();
            }
        }
    }

    /// What passes while nobody looks is not missed.
    fn forget(&mut self) {
        self.last_step = 0;
        for source in self.answers.iter_mut().chain([&mut self.question]) {
            source.said.clear();
            source.sequence = source.reader.sequence();
        }
    }

    /// Takes what is new, and a row of each step that is complete.
    fn look(&mut self) {
        self.take_wishes();
        self.question.look();
        self.answers.iter_mut().for_each(Source::look);
        let watched = &self.watched;
        let is_watched = |source: &&mut Source| watched.iter().any(|entry| entry.block == source.block);
        for source in self.others.iter_mut().filter(is_watched) {
            source.look();
            source.put_newest(&mut self.blocks);
        }
        while let Some(step) = self.question.said.front().map(|(step, _)| *step) {
            let is_behind = self.question.newest_step() >= step + BEHIND;
            if !is_behind && self.answers.iter().any(|answer| answer.is_awaited(step)) {
                return;
            }
            self.question.put(step, &mut self.blocks);
            self.question.said.pop_front();
            self.answers.iter_mut().for_each(|answer| answer.put(step, &mut self.blocks));
            if step > self.last_step {
                self.row(step);
            }
        }
    }

    fn row(&mut self, step: u64) {
        self.count(step);
        if !self.watched.is_empty() {
            let value = |entry: &Entry| entry.value(&self.blocks).unwrap_or(f64::NAN);
            self.batch.time_s.push(self.time.as_ref().map_or(f64::NAN, value));
            for (entry, (_, column)) in self.watched.iter().zip(&mut self.batch.columns) {
                column.push(value(entry) as f32);
            }
        }
    }

    /// Counts a step, and those that passed unseen.
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
        if self.last_step == 0 {
            // Nothing has been seen yet.
            return;
        }
        let time_s = self.time.as_ref().and_then(|entry| entry.value(&self.blocks)).unwrap_or(f64::NAN);
        let mut frame = StateFrame::new(self.last_step as f64, time_s);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Access;
    use shm_layout::blocks::{PlantInputs, PlantOutputs};
    use shm_layout::signals::Dictionary;
    use shm_layout::{RegionName, Stamp, Writer};

    struct Rig {
        sampler: Sampler,
        outputs: Writer<PlantOutputs>,
        inputs: Writer<PlantInputs>,
        _folder: tempfile::TempDir,
    }

    /// A sampler of a plant, of which two signals are watched.
    fn rig() -> Rig {
        let folder = tempfile::tempdir().unwrap();
        let name = RegionName::in_directory(folder.path(), "sampler").unwrap();
        let region = Region::create(&name, None).unwrap();
        let access = Access::new("127.0.0.1:1".parse().unwrap(), &[]).unwrap();
        let shared = Arc::new(Shared::new(String::new(), String::new(), Dictionary::default(), None, access));
        let watched = ["plant_outputs.stamp.step", "plant_inputs.stamp.step"];
        let numbers = watched.map(|name| shared.dictionary.find(name).unwrap().number);
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        shared.wanted.change(&[], &sorted);
        let (outputs, inputs) =
            (region.claim(blocks::PLANT_OUTPUTS).unwrap(), region.claim(blocks::PLANT_INPUTS).unwrap());
        Rig { sampler: Sampler::new(&region, shared, None, Vec::new()), outputs, inputs, _folder: folder }
    }

    impl Rig {
        fn ask(&mut self, step: u64) {
            let stamp = Stamp { step, ..Stamp::default() };
            self.outputs.publish(&PlantOutputs { stamp, time_s: step as f64, ..PlantOutputs::default() });
        }

        fn answer(&mut self, step: u64) {
            let stamp = Stamp { step, ..Stamp::default() };
            self.inputs.publish(&PlantInputs { stamp, ..PlantInputs::default() });
        }

        /// Looks, and takes the rows: output's step and input's step.
        fn rows(&mut self) -> (u32, Vec<[f32; 2]>) {
            self.sampler.look();
            let batch = std::mem::take(&mut self.sampler.batch);
            self.sampler.batch = Batch::of(&batch.columns.iter().map(|(number, _)| *number).collect::<Vec<_>>());
            // Inputs have the lower number.
            let rows = batch.columns[1].1.iter().zip(&batch.columns[0].1);
            (batch.lost, rows.map(|(output, input)| [*output, *input]).collect())
        }
    }

    #[test]
    fn one_row_is_one_step_also_for_who_looks_a_little_late() {
        let mut rig = rig();
        rig.ask(1);
        assert_eq!(rig.rows(), (0, vec![]), "the answer is awaited");
        rig.answer(1);
        assert_eq!(rig.rows(), (0, vec![[1.0, 1.0]]));
        for step in 2..=4 {
            rig.ask(step);
            rig.answer(step);
        }
        rig.ask(5);
        // Three writes back are still there: of the questions that is 3 to 5.
        assert_eq!(rig.rows(), (1, vec![[3.0, 3.0], [4.0, 4.0]]));
        rig.answer(5);
        assert_eq!(rig.rows(), (0, vec![[5.0, 5.0]]));
    }

    #[test]
    fn answers_that_never_come_are_not_waited_for_and_what_is_missed_is_counted() {
        let mut rig = rig();
        rig.ask(1);
        rig.answer(1);
        rig.rows();
        for step in 2..=5 {
            rig.ask(step);
            rig.sampler.look();
        }
        // Step 2 is three behind step 5.
        assert_eq!(rig.rows(), (0, vec![[2.0, 1.0]]));
        for step in 6..=20 {
            rig.ask(step);
        }
        let (lost, rows) = rig.rows();
        assert!(lost > 0 || !rows.is_empty());
        let figures = &rig.sampler.shared.figures;
        assert_eq!(figures.steps_seen.load(Relaxed) + figures.steps_lost.load(Relaxed), rig.sampler.last_step);
    }
}
