//! The groups of benchmarks, each a question with a table for an answer.

mod acquisition;
mod core;
mod corners;
mod cross_process;
mod drive;
mod gateway;
mod lock_step;
mod multibody;
mod step_path;
mod uncontended;
mod under_load;
mod vehicle;
mod wake_up;

use std::path::Path;

use anyhow::Result;
use rt::machine::Machine;

use crate::place::Place;
use crate::report::Report;
use crate::session::Session;

pub struct Context<'a> {
    pub machine: &'a Machine,
    pub place: &'a Place,
    /// Where the shared memory is.
    pub session: &'a Session,
    /// Where `scripts/bench` has put programs of peers that are no Rust.
    pub peers: Option<&'a Path>,
    /// Where pictures go, if they are wanted.
    pub figures: Option<&'a Path>,
    /// Do a tenth of the work.
    pub quick: bool,
}

impl Context<'_> {
    /// So much work, or a tenth of it.
    pub fn effort(&self, full: u64) -> u64 {
        if self.quick { full.div_ceil(10) } else { full }
    }
}

pub struct Group {
    /// What it is called on the command line and in the names of its figures.
    pub name: &'static str,
    pub run: fn(&Context) -> Result<Report>,
}

/// All groups, in the order in which they run.
pub const ALL: &[Group] = &[
    Group { name: core::NAME, run: core::run },
    Group { name: uncontended::NAME, run: uncontended::run },
    Group { name: cross_process::NAME, run: cross_process::run },
    Group { name: lock_step::NAME, run: lock_step::run },
    Group { name: under_load::NAME, run: under_load::run },
    Group { name: wake_up::NAME, run: wake_up::run },
    Group { name: step_path::NAME, run: step_path::run },
    Group { name: multibody::NAME, run: multibody::run },
    Group { name: corners::NAME, run: corners::run },
    Group { name: vehicle::NAME, run: vehicle::run },
    Group { name: acquisition::NAME, run: acquisition::run },
    Group { name: drive::NAME, run: drive::run },
    Group { name: gateway::NAME, run: gateway::run },
];
