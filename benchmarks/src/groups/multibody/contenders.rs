//! Who is measured: our vehicles and the peers, each with the question that it must answer before
//! its time counts.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use multibody::Description;

use super::check::{Question, Rack, free_rack};
use super::ours::{Vehicle, describe, model_folder};
use super::peer::Peer;

#[derive(Debug)]
pub struct Own {
    /// Part of the names of its figures.
    pub key: &'static str,
    /// What its row says.
    pub label: &'static str,
    folder: &'static str,
    rack_is_free: bool,
    /// What a step may cost (µs).
    pub good_us: Option<f64>,
}

impl Own {
    const fn new(key: &'static str, label: &'static str, folder: &'static str, good_us: Option<f64>) -> Self {
        Self { key, label, folder, rack_is_free: false, good_us }
    }
}

/// Our vehicles; the first is the one that the peers have as well, the second the same with a free
/// rack.
pub const OURS: [Own; 4] = [
    Own::new("hmmwv", "ours, HMMWV, 14 bodies and 4 wheels", "hmmwv", Some(5.0)),
    Own { rack_is_free: true, ..Own::new("hmmwv_free_rack", "ours, HMMWV, rack free as in the peers", "hmmwv", None) },
    Own::new("passenger_car", "ours, passenger car, 15 bodies", "passenger-car", None),
    Own::new("tractor_semitrailer", "ours, tractor-semitrailer, 12 bodies", "tractor-semitrailer", Some(3.0)),
];

/// How a peer's program is prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Python, one process.
    MuJoCo,
    /// The same with the rack welded to the chassis.
    MuJoCoWelded,
    /// C++, with tie rods as bodies.
    PinocchioRods,
    /// The same with the rack welded to the chassis.
    PinocchioWelded,
    /// C++, without tie rods.
    PinocchioOpen,
}

impl Program {
    const ALL: [Self; 5] =
        [Self::MuJoCo, Self::MuJoCoWelded, Self::PinocchioRods, Self::PinocchioWelded, Self::PinocchioOpen];

    /// What became of the rack.
    pub fn rack(self) -> Rack {
        match self {
            Self::MuJoCoWelded | Self::PinocchioWelded => Rack::Welded,
            Self::MuJoCo | Self::PinocchioRods | Self::PinocchioOpen => Rack::Free,
        }
    }
}

/// One thing that a peer does.
#[derive(Debug)]
pub struct Case {
    /// Part of the names of its figures.
    pub key: &'static str,
    /// What its row says.
    pub label: &'static str,
    pub program: Program,
    /// The word after `time`.
    pub word: &'static str,
    /// The order that asks for its accelerations, and how far they may be from ours; `None` for
    /// another mechanism than ours, which gets no ratio.
    pub same: Option<(&'static str, f64)>,
    /// How many times faster we have to be.
    pub wanted: Option<f64>,
}

/// Loops of MuJoCo give way a little.
const SOFT: f64 = 1e-3;
/// The rods' mass of 1 g is all that differs.
const RIGID: f64 = 1e-4;
/// `lcaba` holds loops by a penalty; one solution, as fast as it gets, leaves about 1e-3.
const PENALTY: f64 = 5e-3;

impl Case {
    const fn new(program: Program, key: &'static str, label: &'static str, word: &'static str) -> Self {
        Self { key, label, program, word, same: None, wanted: None }
    }

    const fn same(self, order: &'static str, tolerance: f64) -> Self {
        Self { same: Some((order, tolerance)), ..self }
    }

    const fn wanted(self, times: f64) -> Self {
        Self { wanted: Some(times), ..self }
    }
}

/// All cases, in the order of the table.
pub const CASES: [Case; 11] = {
    use Program::{MuJoCo, MuJoCoWelded, PinocchioOpen, PinocchioRods, PinocchioWelded};
    const MOVED: &str = "accelerations";
    const LCABA: &str = "accelerations lcaba";
    const CONSTRAINED: &str = "accelerations constraintDynamics";
    [
        Case::new(MuJoCoWelded, "mujoco_welded_standing", "MuJoCo mj_step, on four contacts, rack welded", "standing")
            .same(MOVED, SOFT)
            .wanted(4.0),
        Case::new(MuJoCoWelded, "mujoco_welded_falling", "MuJoCo mj_step, falling, rack welded", "falling")
            .same(MOVED, SOFT)
            .wanted(4.0),
        Case::new(PinocchioWelded, "lcaba_welded", "Pinocchio lcaba, 24 loop rows, rack welded", "lcaba")
            .same(LCABA, PENALTY)
            .wanted(2.0),
        Case::new(
            PinocchioWelded,
            "constraint_dynamics_welded",
            "Pinocchio constraintDynamics, 24 loop rows, rack welded",
            "constraintDynamics",
        )
        .same(CONSTRAINED, RIGID),
        Case::new(MuJoCo, "mujoco_standing", "MuJoCo mj_step, on four contacts", "standing")
            .same(MOVED, SOFT)
            .wanted(4.0),
        Case::new(MuJoCo, "mujoco_falling", "MuJoCo mj_step, falling", "falling").same(MOVED, SOFT).wanted(4.0),
        Case::new(PinocchioRods, "lcaba", "Pinocchio lcaba, 24 loop rows", "lcaba").same(LCABA, PENALTY).wanted(2.0),
        Case::new(
            PinocchioRods,
            "constraint_dynamics",
            "Pinocchio constraintDynamics, 24 loop rows",
            "constraintDynamics",
        )
        .same(CONSTRAINED, RIGID),
        Case::new(PinocchioOpen, "lcaba_without_tie_rods", "Pinocchio lcaba, 12 loop rows, no tie rods", "lcaba"),
        Case::new(
            PinocchioOpen,
            "constraint_dynamics_without_tie_rods",
            "Pinocchio constraintDynamics, 12 loop rows, no tie rods",
            "constraintDynamics",
        ),
        Case::new(PinocchioOpen, "aba", "Pinocchio aba, no loops", "aba"),
    ]
};

/// A peer's program that runs, or why it does not.
pub struct Started {
    pub program: Program,
    pub peer: Result<Peer, String>,
    question: Question,
}

/// Starts all peers; those that cannot start keep the reason.
pub fn start_all(peers: Option<&Path>, scratch: &Path) -> Result<Vec<Started>> {
    let description = describe("hmmwv")?;
    Program::ALL
        .into_iter()
        .map(|program| {
            let question = question(program, &description)?;
            let started = match peers {
                Some(folder) => start(program, folder, scratch, &question).map_err(|error| format!("{error:#}")),
                None => Err("no folder of peers was given; scripts/bench prepares one".to_owned()),
            };
            Ok(Started { program, peer: started, question })
        })
        .collect()
}

/// MuJoCo leaves out what velocities add to the acceleration of a constraint, so it is asked at
/// rest, with the springs.
fn question(program: Program, description: &Description) -> Result<Question> {
    match program {
        Program::MuJoCo | Program::MuJoCoWelded => Question::at_rest(description, program.rack()),
        Program::PinocchioRods | Program::PinocchioWelded | Program::PinocchioOpen => {
            Question::in_motion(description, program.rack())
        }
    }
}

fn start(program: Program, folder: &Path, scratch: &Path, question: &Question) -> Result<Peer> {
    let python = folder.join("venv/bin/python");
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers");
    let (model, state) = (model_folder("hmmwv"), scratch.join(format!("{program:?}.json")));
    question.write(&state)?;
    // The joint that is welded comes last.
    let rack = (program.rack() == Rack::Welded).then_some(Path::new("rack"));
    let variant = match program {
        Program::MuJoCo | Program::MuJoCoWelded => {
            let script = scripts.join("mujoco_peer.py");
            let given = [script.as_path(), &model, &state];
            return Peer::start(&python, &given.into_iter().chain(rack).collect::<Vec<_>>());
        }
        Program::PinocchioRods | Program::PinocchioWelded => "rods",
        Program::PinocchioOpen => "open",
    };
    let text = scratch.join(format!("{program:?}.txt"));
    let converter = scripts.join("pinocchio_model.py");
    let given = [converter.as_path(), &model, &state, Path::new(variant)];
    let arguments = given.into_iter().chain(rack);
    let output =
        Command::new(&python).args(arguments).output().with_context(|| format!("cannot start {}", python.display()))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}", complaint.lines().last().unwrap_or("the model was not written"));
    std::fs::write(&text, output.stdout)?;
    Peer::start(&folder.join("pinocchio_peer"), &[&text])
}

impl Started {
    /// Whether a case of this program has our mechanism: how far off it is, or why it does not
    /// count.
    pub fn check(&mut self, case: &Case) -> Result<Option<f64>, String> {
        let peer = self.peer.as_mut().map_err(|why| why.clone())?;
        let Some((order, tolerance)) = case.same else {
            return Ok(None);
        };
        let found = peer.ask(order).map_err(|error| format!("{error:#}"))?;
        let difference = self.question.difference(&found).map_err(|error| format!("{error:#}"))?;
        if difference <= tolerance {
            Ok(Some(difference))
        } else {
            Err(format!("its accelerations differ from ours by {difference:.1e}, at most {tolerance:.0e} is allowed"))
        }
    }
}

/// Our vehicles at rest on their wheels.
pub fn our_vehicles() -> Result<Vec<Vehicle>> {
    let vehicle = |own: &Own| {
        let mut description = describe(own.folder)?;
        if own.rack_is_free {
            description = free_rack(&description);
        }
        Vehicle::new(&description).context(own.label)
    };
    OURS.iter().map(vehicle).collect()
}
