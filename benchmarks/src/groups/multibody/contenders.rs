//! Who is measured: our vehicles and the peers, each with the question that it must answer before
//! its time counts.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use multibody::Description;

use super::check::{Question, Rack, free_rack};
use super::ours::{Vehicle, describe, model_folder};
use super::peer::Peer;

/// One of our vehicles.
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

/// Our vehicles; the first is the one that the peers have as well, the second the same with a free
/// rack.
pub const OURS: [Own; 4] = [
    Own {
        key: "hmmwv",
        label: "ours, HMMWV, 14 bodies and 4 wheels",
        folder: "hmmwv",
        rack_is_free: false,
        good_us: Some(5.0),
    },
    Own {
        key: "hmmwv_free_rack",
        label: "ours, HMMWV, rack free as in the peers",
        folder: "hmmwv",
        rack_is_free: true,
        good_us: None,
    },
    Own {
        key: "passenger_car",
        label: "ours, passenger car, 15 bodies",
        folder: "passenger-car",
        rack_is_free: false,
        good_us: None,
    },
    Own {
        key: "tractor_semitrailer",
        label: "ours, tractor-semitrailer, 12 bodies",
        folder: "tractor-semitrailer",
        rack_is_free: false,
        good_us: Some(3.0),
    },
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

/// All cases, in the order of the table.
pub const CASES: [Case; 11] = [
    Case {
        key: "mujoco_welded_standing",
        label: "MuJoCo mj_step, on four contacts, rack welded",
        program: Program::MuJoCoWelded,
        word: "standing",
        same: Some(("accelerations", SOFT)),
        wanted: Some(4.0),
    },
    Case {
        key: "mujoco_welded_falling",
        label: "MuJoCo mj_step, falling, rack welded",
        program: Program::MuJoCoWelded,
        word: "falling",
        same: Some(("accelerations", SOFT)),
        wanted: Some(4.0),
    },
    Case {
        key: "lcaba_welded",
        label: "Pinocchio lcaba, 24 loop rows, rack welded",
        program: Program::PinocchioWelded,
        word: "lcaba",
        same: Some(("accelerations lcaba", PENALTY)),
        wanted: Some(2.0),
    },
    Case {
        key: "constraint_dynamics_welded",
        label: "Pinocchio constraintDynamics, 24 loop rows, rack welded",
        program: Program::PinocchioWelded,
        word: "constraintDynamics",
        same: Some(("accelerations constraintDynamics", RIGID)),
        wanted: None,
    },
    Case {
        key: "mujoco_standing",
        label: "MuJoCo mj_step, on four contacts",
        program: Program::MuJoCo,
        word: "standing",
        same: Some(("accelerations", SOFT)),
        wanted: Some(4.0),
    },
    Case {
        key: "mujoco_falling",
        label: "MuJoCo mj_step, falling",
        program: Program::MuJoCo,
        word: "falling",
        same: Some(("accelerations", SOFT)),
        wanted: Some(4.0),
    },
    Case {
        key: "lcaba",
        label: "Pinocchio lcaba, 24 loop rows",
        program: Program::PinocchioRods,
        word: "lcaba",
        same: Some(("accelerations lcaba", PENALTY)),
        wanted: Some(2.0),
    },
    Case {
        key: "constraint_dynamics",
        label: "Pinocchio constraintDynamics, 24 loop rows",
        program: Program::PinocchioRods,
        word: "constraintDynamics",
        same: Some(("accelerations constraintDynamics", RIGID)),
        wanted: None,
    },
    Case {
        key: "lcaba_without_tie_rods",
        label: "Pinocchio lcaba, 12 loop rows, no tie rods",
        program: Program::PinocchioOpen,
        word: "lcaba",
        same: None,
        wanted: None,
    },
    Case {
        key: "constraint_dynamics_without_tie_rods",
        label: "Pinocchio constraintDynamics, 12 loop rows, no tie rods",
        program: Program::PinocchioOpen,
        word: "constraintDynamics",
        same: None,
        wanted: None,
    },
    Case {
        key: "aba",
        label: "Pinocchio aba, no loops",
        program: Program::PinocchioOpen,
        word: "aba",
        same: None,
        wanted: None,
    },
];

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
