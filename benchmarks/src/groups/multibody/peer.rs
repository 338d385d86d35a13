//! A peer's program: takes orders line by line and answers each with one line of numbers.
//!
//! It is started from the measuring thread, so that it inherits that thread's CPU and priority;
//! while it works, we wait for its answer and leave the CPU to it.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::conversation::Conversation;

#[derive(Debug)]
pub struct Peer {
    conversation: Conversation,
    /// What it says about itself: version, freedoms, rows.
    pub about: String,
}

impl Peer {
    /// Starts it and waits until its model is built.
    pub fn start(program: &Path, arguments: &[&Path]) -> Result<Self> {
        let mut conversation = Conversation::start(Command::new(program).args(arguments).stderr(Stdio::piped()))?;
        let ready = conversation.line()?;
        match ready.strip_prefix("ready ") {
            Some(about) => Ok(Self { about: about.to_owned(), conversation }),
            None => bail!("the peer said \"{ready}\" instead of \"ready\""),
        }
    }

    /// Gives an order and returns the numbers of the answer.
    pub fn ask(&mut self, order: &str) -> Result<Vec<f64>> {
        self.conversation.tell(order)?;
        let line = self.conversation.line()?;
        let numbers: Result<Vec<f64>, _> = line.split_whitespace().map(str::parse).collect();
        numbers.with_context(|| format!("the peer answered \"{line}\" to \"{order}\""))
    }

    /// An order whose answer is one number.
    pub fn ask_one(&mut self, order: &str) -> Result<f64> {
        match self.ask(order)?.as_slice() {
            [number] => Ok(*number),
            numbers => bail!("the peer answered {order} with {} numbers", numbers.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Result<Peer> {
        Peer::start(Path::new("/bin/sh"), &[Path::new("-c"), Path::new(script)])
    }

    #[test]
    fn orders_are_answered_with_numbers() {
        let mut peer = shell("echo ready cat 1.0; exec cat").unwrap();
        assert_eq!(peer.about, "cat 1.0");
        assert_eq!(peer.ask("1.5 -2e3").unwrap(), [1.5, -2000.0]);
        assert_eq!(peer.ask_one("7").unwrap(), 7.0);
        assert!(peer.ask_one("7 8").is_err());
        assert!(peer.ask("nonsense").is_err());
    }

    #[test]
    fn a_peer_that_cannot_start_says_why() {
        let error = shell("echo trace >&2; echo no module named peer >&2; exit 1").unwrap_err();
        assert_eq!(error.to_string(), "no module named peer");
        let error = Peer::start(Path::new("/nonexistent/peer"), &[]).unwrap_err();
        assert!(error.to_string().contains("/nonexistent/peer"), "{error}");
    }
}
