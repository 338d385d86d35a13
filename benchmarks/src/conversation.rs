//! Another program that takes orders line by line on its standard input, and answers each on its
//! standard output.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result, bail};

/// A running program. The end of its orders ends it, when this is dropped.
#[derive(Debug)]
pub struct Conversation {
    process: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Conversation {
    pub fn start(command: &mut Command) -> Result<Self> {
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", command.get_program().display()))?;
        let orders = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().context("it has no output")?);
        Ok(Self { process, orders, answers })
    }

    pub fn tell(&mut self, order: &str) -> Result<()> {
        let orders = self.orders.as_mut().context("it takes no orders")?;
        writeln!(orders, "{order}")?;
        Ok(orders.flush()?)
    }

    /// The next line that it says.
    pub fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            bail!("{}", self.complaint());
        }
        Ok(line.trim_end().to_owned())
    }

    /// The last line that it wrote to its standard error before it ended, if that is ours.
    fn complaint(&mut self) -> String {
        let mut text = String::new();
        if let Some(mut errors) = self.process.stderr.take() {
            let _ = errors.read_to_string(&mut text);
        }
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        last.unwrap_or("it ended without a word").trim().to_owned()
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        drop(self.orders.take());
        let _ = self.process.wait();
    }
}
