//! A peer's program: takes orders line by line and answers each with one line of numbers.
//!
//! It is started from the measuring thread, so that it inherits that thread's CPU and priority;
//! while it works, we wait for its answer and leave the CPU to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result, bail};

/// A running peer.
#[derive(Debug)]
pub struct Peer {
    process: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// What it says about itself: version, freedoms, rows.
    pub about: String,
}

impl Peer {
    /// Starts it and waits until its model is built.
    pub fn start(program: &Path, arguments: &[&Path]) -> Result<Self> {
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let orders = process.stdin.take();
        let output = process.stdout.take().context("the peer has no output")?;
        let mut peer = Self { process, orders, answers: BufReader::new(output), about: String::new() };
        let ready = peer.line()?;
        match ready.strip_prefix("ready ") {
            Some(about) => about.clone_into(&mut peer.about),
            None => bail!("the peer said \"{ready}\" instead of \"ready\""),
        }
        Ok(peer)
    }

    /// Gives an order and returns the numbers of the answer.
    pub fn ask(&mut self, order: &str) -> Result<Vec<f64>> {
        let orders = self.orders.as_mut().context("the peer takes no orders")?;
        writeln!(orders, "{order}")?;
        orders.flush()?;
        let line = self.line()?;
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

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            bail!("{}", self.complaint());
        }
        Ok(line.trim_end().to_owned())
    }

    /// The last line that it wrote before it ended.
    fn complaint(&mut self) -> String {
        let mut text = String::new();
        if let Some(mut errors) = self.process.stderr.take() {
            let _ = errors.read_to_string(&mut text);
        }
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        last.unwrap_or("it ended without a word").trim().to_owned()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // The end of its orders ends it.
        drop(self.orders.take());
        let _ = self.process.wait();
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
