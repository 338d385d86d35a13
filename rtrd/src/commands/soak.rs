//! `rtrd soak`: starts `rtrd-soak`, which is no part of this program because only tests need it.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use anyhow::Context;

const PROGRAM: &str = "rtrd-soak";

/// Run a vehicle under load for a long time, with faults from a seeded plan
///
/// The arguments are those of `rtrd-soak`: `rtrd soak --help` shows them.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct SoakArguments {
    /// Arguments of `rtrd-soak`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<OsString>,
}

pub fn soak(arguments: &SoakArguments) -> anyhow::Result<ExitCode> {
    let program = crate::run::find_program(PROGRAM)?;
    // Only a failure returns.
    let error = Command::new(&program).args(&arguments.arguments).exec();
    Err(error).with_context(|| format!("cannot start {}", program.display()))
}
