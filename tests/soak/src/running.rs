//! A process beside the run.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// A process that is asked to end by a signal, and waited for, when this value is dropped.
pub struct Running {
    child: Child,
    ended_by: Signal,
}

impl Running {
    /// Starts it, silent. Ctrl-C in the terminal is for us: we end it when its time has come.
    pub fn start(command: &mut Command, ended_by: Signal) -> std::io::Result<Self> {
        let silent = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Self { child: silent.process_group(0).spawn()?, ended_by })
    }

    /// How it ended, if it did.
    pub fn ended(&mut self) -> Option<String> {
        match self.child.try_wait() {
            Ok(None) => None,
            Ok(Some(status)) => Some(status.to_string()),
            Err(error) => Some(error.to_string()),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The number of one that has ended may belong to somebody else by now.
        if let (Ok(None), Ok(pid)) = (self.child.try_wait(), i32::try_from(self.child.id())) {
            let _ = kill(Pid::from_raw(pid), self.ended_by);
        }
        let _ = self.child.wait();
    }
}
