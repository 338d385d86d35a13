//! Subsystems that other processes supply: their blocks, read in lock-step.
//!
//! Of one that is late the last word counts. When it has been silent for as long as the vehicle's
//! forces may be held, it drives no more and the air is still; the rack stays where it was, and the
//! brakes hold what they held.

use shm_layout::blocks::{self, External as Block};
use shm_layout::{Block as BlockKey, Reader, Region, Wait, Waited};
use vehicle::assembly::ExternalSubsystems;
use vehicle::subsystems::External;
use vehicle::{Coordinate, SteeredBy, Vector3, WHEELS_MAX};

/// The block of one subsystem that is not ours.
struct Source {
    reader: Reader<Block>,
    /// Steps in which nothing was published.
    silent: u64,
}

/// Largest torque on a wheel (Nm), as declared.
const TORQUE_MAX_NM: f64 = 1e5;

/// What a source says for a step.
struct Word {
    block: Block,
    late: bool,
    /// It has been silent for too long.
    gone: bool,
}

/// Readers of the blocks of those subsystems that are not ours.
pub struct Externals {
    powertrain: Option<Source>,
    brake: Option<Source>,
    steering: Option<Source>,
    aerodynamics: Option<Source>,
    steered_by: SteeredBy,
    hold_steps: u64,
    /// Answers that did not come in time; the last one was held.
    pub misses: u64,
}

impl Externals {
    /// Opens what the vehicle's file calls external.
    pub fn new(region: &Region, which: ExternalSubsystems, steered_by: SteeredBy, hold_steps: u64) -> Self {
        let open =
            |wanted: bool, block: BlockKey<Block>| wanted.then(|| Source { reader: region.reader(block), silent: 0 });
        Self {
            powertrain: open(which.powertrain, blocks::EXTERNAL_POWERTRAIN),
            brake: open(which.brake, blocks::EXTERNAL_BRAKE),
            steering: open(which.steering, blocks::EXTERNAL_STEERING),
            aerodynamics: open(which.aerodynamics, blocks::EXTERNAL_AERODYNAMICS),
            steered_by,
            hold_steps,
            misses: 0,
        }
    }

    /// After so many silent steps a subsystem counts as gone. Real-time safe.
    pub fn set_hold_steps(&mut self, hold_steps: u64) {
        self.hold_steps = hold_steps;
    }

    /// What the others say for this step; of one that never spoke nothing acts.
    #[inline]
    pub fn collect(&mut self, step: u64, deadline_ns: u64, wait: Wait) -> External {
        let mut external = External::default();
        let (hold_steps, misses) = (self.hold_steps, &mut self.misses);
        let mut answer = |source: &mut Option<Source>| {
            let word = source.as_mut()?.hear(step, deadline_ns, wait, hold_steps);
            *misses += u64::from(word.late);
            Some(word)
        };
        if let Some(word) = answer(&mut self.powertrain) {
            external.drive_nm = Some(word.wheels(|wheel| wheel.drive_torque_nm));
            if word.gone {
                external.drive_nm = Some([0.0; WHEELS_MAX]);
            }
        }
        if let Some(word) = answer(&mut self.brake) {
            external.brake_nm = Some(word.wheels(|wheel| wheel.brake_torque_nm.max(0.0)));
        }
        if let Some(word) = answer(&mut self.steering) {
            external.steering = Some(word.steering(self.steered_by));
        }
        if let Some(word) = answer(&mut self.aerodynamics) {
            external.body = Some(word.air());
        }
        external
    }
}

impl Source {
    #[inline]
    fn hear(&mut self, step: u64, deadline_ns: u64, wait: Wait, hold_steps: u64) -> Word {
        let known = self.reader.last_sequence();
        self.reader.latest();
        // One that is gone is not waited for; one that publishes anything is back.
        let is_there = self.silent <= hold_steps || self.reader.last_sequence() != known;
        let deadline_ns = if is_there { deadline_ns } else { 0 };
        let late = self.reader.wait_for_step(step, deadline_ns, wait) != Waited::Answered;
        // An answer to an earlier question is late, but not silence.
        let spoke = self.reader.last_sequence() != known;
        self.silent = if spoke { 0 } else { self.silent.saturating_add(1) };
        Word { block: self.reader.last().copied().unwrap_or_default(), late, gone: self.silent > hold_steps }
    }
}

impl Word {
    fn wheels(&self, value: impl Fn(&blocks::ExternalWheel) -> f64) -> [f64; WHEELS_MAX] {
        let count = (self.block.wheel_count as usize).min(WHEELS_MAX);
        std::array::from_fn(|wheel| {
            if wheel < count {
                known(value(&self.block.wheels[wheel])).clamp(-TORQUE_MAX_NM, TORQUE_MAX_NM)
            } else {
                0.0
            }
        })
    }

    fn steering(&self, by: SteeredBy) -> Coordinate {
        let said = self.block.steering.coordinate(by);
        let moves = if self.late { 0.0 } else { 1.0 };
        Coordinate {
            value: known(said.value),
            rate: moves * known(said.rate),
            acceleration: moves * known(said.acceleration),
        }
    }

    fn air(&self) -> (Vector3, Vector3) {
        let block = &self.block;
        if self.gone {
            return (Vector3::ZERO, Vector3::ZERO);
        }
        let vector = |said: Vector3| Vector3::new(known(said.x), known(said.y), known(said.z));
        (vector(block.body_force_n), vector(block.body_torque_nm))
    }
}

/// A value that is not known does nothing; one that no vehicle has is cut off.
fn known(value: f64) -> f64 {
    const MOST: f64 = 1e6;
    if value.is_finite() { value.clamp(-MOST, MOST) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shm_layout::{RegionName, Writer};

    const HOLD_STEPS: u64 = 5;

    fn opened() -> (tempfile::TempDir, Region, Externals) {
        let folder = tempfile::tempdir_in("/dev/shm").expect("shared memory");
        let name = RegionName::in_directory(folder.path(), "external").expect("a good name");
        let region = Region::create(&name, None).expect("a region");
        let which = ExternalSubsystems { powertrain: true, steering: true, ..ExternalSubsystems::default() };
        let externals = Externals::new(&region, which, SteeredBy::Rack, HOLD_STEPS);
        (folder, region, externals)
    }

    fn say(writer: &mut Writer<Block>, step: u64, torque_nm: f64) {
        let mut block = Block { wheel_count: 4, ..Block::default() };
        block.steering.rack_displacement_m = 0.01;
        block.steering.rack_velocity_m_s = 0.5;
        block.wheels[2].drive_torque_nm = torque_nm;
        block.stamp.step = step;
        writer.publish(&block);
    }

    fn torque(external: &External) -> f64 {
        external.drive_nm.expect("the powertrain is outside")[2]
    }

    #[test]
    fn the_last_word_holds_for_a_while_and_whoever_comes_back_is_heard() {
        let (_folder, region, mut externals) = opened();
        let mut collect = |step| {
            let external = externals.collect(step, 0, Wait::Spin);
            (external, externals.misses)
        };
        // None has ever spoken: nothing acts.
        let (external, misses) = collect(1);
        assert_eq!((torque(&external), misses), (0.0, 2));
        assert_eq!(external.steering, Some(Coordinate::default()));
        assert_eq!((external.brake_nm, external.body), (None, None));

        let mut powertrain = region.claim(blocks::EXTERNAL_POWERTRAIN).expect("a free block");
        let mut steering = region.claim(blocks::EXTERNAL_STEERING).expect("a free block");
        say(&mut powertrain, 2, 700.0);
        say(&mut steering, 2, 0.0);
        let (external, misses) = collect(2);
        assert_eq!((torque(&external), misses), (700.0, 2));
        assert_eq!(external.steering.expect("a rack").rate, 0.5);
        for step in 3..3 + HOLD_STEPS {
            let (external, _) = collect(step);
            assert_eq!(torque(&external), 700.0, "step {step}");
        }
        let (external, misses) = collect(3 + HOLD_STEPS);
        assert_eq!((torque(&external), misses), (0.0, 2 + 2 * (HOLD_STEPS + 1)));
        let rack = external.steering.expect("a rack");
        assert_eq!((rack.value, rack.rate), (0.01, 0.0), "it stays");

        // Back, and always one step late: counted, but heard.
        for step in 20..40 {
            say(&mut powertrain, step - 1, 300.0);
            let (external, _) = collect(step);
            assert_eq!(torque(&external), 300.0, "step {step}");
        }
    }

    #[test]
    fn what_is_not_a_number_does_nothing() {
        let (_folder, region, mut externals) = opened();
        let mut powertrain = region.claim(blocks::EXTERNAL_POWERTRAIN).expect("a free block");
        for (step, said, heard) in [(1, f64::NAN, 0.0), (2, f64::INFINITY, 0.0), (3, 1e300, 1e5), (4, -5.0, -5.0)] {
            say(&mut powertrain, step, said);
            assert_eq!(torque(&externals.collect(step, 0, Wait::Spin)), heard);
        }
    }
}
