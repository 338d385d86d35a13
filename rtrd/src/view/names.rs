//! The acquisition file of a running instance, from the command line of the process that reads it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clap::Parser;

/// A service's command line as clap reads it.
#[derive(Parser)]
struct ServiceLine {
    #[command(flatten)]
    arguments: service::Arguments,
}

/// The acquisition file that a process was started with, and the folder from which its path counts.
pub fn acquisition_of_process(pid: u32) -> Option<(String, Option<PathBuf>)> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let folder = std::fs::read_link(format!("/proc/{pid}/cwd")).unwrap_or_default();
    let arguments = arguments_of_line(&line, &folder)?;
    let config = arguments.configuration().ok()?;
    let name = config.daq.acquisition?;
    let is_on_the_line = arguments.acquisition.is_some();
    Some((name, Some(if is_on_the_line { folder } else { config.folder })))
}

fn arguments_of_line(line: &[u8], folder: &Path) -> Option<service::Arguments> {
    let words = line.split(|byte| *byte == 0).filter(|word| !word.is_empty());
    let mut arguments = ServiceLine::try_parse_from(words.map(OsStr::from_bytes)).ok()?.arguments;
    arguments.config = arguments.config.map(|path: PathBuf| folder.join(path));
    Some(arguments)
}
