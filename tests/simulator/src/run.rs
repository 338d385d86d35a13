//! One seed from its beginning to its end.

use std::fmt;

use fastrand::Rng;
use service::config::DriverSource;

use crate::checks::Checks;
use crate::plan::Plan;
use crate::system::{PlantSystem, System, VehicleSystem};
use crate::world::World;

/// What a run has come to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was simulated.
    pub what: &'static str,
    /// What went wrong on purpose.
    pub plan: Plan,
    /// A checksum over all questions and answers: the same for the same seed.
    pub digest: u64,
    /// The largest change of a vehicle's acceleration from one step to the next (m/s²).
    pub jump_m_s2: f64,
    /// What did not hold.
    pub violation: Option<Violation>,
}

/// Something that did not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// When (s after the start).
    pub time_s: f64,
    /// The step that was asked for last.
    pub step: u64,
    /// What.
    pub found: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "at {:.3} s, step {}: {}", self.time_s, self.step, self.found)
    }
}

/// Called after every period with the time (s), the step and the status of the newest question.
pub type Trace<'a> = &'a mut dyn FnMut(f64, u64, u64);

/// The systems, and how many of a hundred runs each one has.
const SYSTEMS: [(&str, u64); 9] = [
    ("tank-level", 40),
    ("car-cruise", 30),
    ("tank-fig18", 5),
    ("car-fig23", 5),
    ("HMMWV, circuit", 6),
    ("HMMWV, circuit, driver in another process", 3),
    ("HMMWV, external subsystems", 3),
    ("passenger car, circle", 4),
    ("tractor with semitrailer, circle", 4),
];

/// Which system a seed simulates.
fn system_of(seed: u64) -> &'static str {
    let mut rest = Rng::with_seed(seed ^ 0x5eed).u64(0..100);
    for (name, share) in SYSTEMS {
        if rest < share {
            return name;
        }
        rest -= share;
    }
    SYSTEMS[0].0
}

/// Runs a seed for so many seconds, or until something does not hold.
pub fn run_seed(seed: u64, seconds: f64, trace: Trace<'_>) -> Outcome {
    let what = system_of(seed);
    match what {
        "tank-level" | "car-cruise" | "tank-fig18" | "car-fig23" => {
            run(PlantSystem::new(what), what, seed, seconds, trace)
        }
        _ => run(vehicle(what), what, seed, seconds, trace),
    }
}

fn vehicle(what: &str) -> VehicleSystem {
    let manoeuvre = DriverSource::Manoeuvre;
    match what {
        "HMMWV, circuit" => VehicleSystem::new("drive-default", None, manoeuvre),
        "HMMWV, circuit, driver in another process" => VehicleSystem::new("drive-default", None, DriverSource::Block),
        "HMMWV, external subsystems" => VehicleSystem::with_external_subsystems("drive-default"),
        "passenger car, circle" => VehicleSystem::new("iso-4138-circle", None, manoeuvre),
        _ => VehicleSystem::new("iso-4138-circle-truck", None, manoeuvre),
    }
}

fn run<S: System>(system: S, what: &'static str, seed: u64, seconds: f64, trace: Trace<'_>) -> Outcome {
    let plan = Plan::new(seed, seconds, system.external() != Default::default());
    run_world(World::new(system, plan, seed), what, seconds, trace)
}

/// Runs a world for so many seconds, or until something does not hold.
pub fn run_world<S: System>(mut world: World<S>, what: &'static str, seconds: f64, trace: Trace<'_>) -> Outcome {
    let mut checks = Checks::new(&world, seconds);
    let violation = check_all(&mut world, &mut checks, seconds, trace).err();
    let (digest, jump_m_s2) = (checks.digest(), checks.jump_m_s2());
    Outcome { what, plan: world.plan, digest, jump_m_s2, violation }
}

fn check_all<S: System>(
    world: &mut World<S>,
    checks: &mut Checks<S>,
    seconds: f64,
    trace: Trace<'_>,
) -> Result<(), Violation> {
    let mut last = None;
    while world.time_s() < seconds {
        last = world.period();
        let found = checks.look(world, last);
        let (step, status) = checks.newest();
        trace(world.time_s(), step, status);
        found.map_err(|found| Violation { time_s: world.time_s(), step, found })?;
    }
    let (step, _) = checks.newest();
    checks.finish(world, last).map_err(|found| Violation { time_s: seconds, step, found })
}
