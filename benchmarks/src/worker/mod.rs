//! The second process of a benchmark: this same program, started with a role instead of a list of
//! groups.
//!
//! Orders go to it as lines of JSON on its standard input, and each is answered by one line when it
//! is done. It ends when its input ends, so it cannot outlive the run that started it; every order
//! is bounded in time by itself.

mod answerer;
mod continuous_writer;
mod sender;

pub use answerer::{ANSWERER_SOCKET, ASKER_SOCKET, AnswerOrder, Channel, DATAGRAM_BYTES, Stamped, datagram_socket};
pub use continuous_writer::WriteOrder;
pub use sender::SendOrder;

use std::io::{BufRead, BufReader, Write};
use std::marker::PhantomData;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::place::Seat;
use crate::session::Names;

/// What a worker is for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Role {
    /// Sends payloads at a pace.
    Sender(Names),
    /// Answers each request of a lock-step exchange.
    Answerer(Names),
    /// Writes a block without rest.
    ContinuousWriter(Names),
}

/// The line with which a worker says that it has opened everything.
const READY: &str = "ready";
/// The line with which it says that it has taken its seat and begins to carry out the order.
/// The process that ordered must not spin before that: it might spin on the very CPU from which the
/// worker has to get away first.
const SEATED: &str = "seated";

/// Something that a worker can be told to do.
pub trait Order: Serialize + DeserializeOwned {
    /// Where to do it.
    fn seat(&self) -> Seat;
}

/// Does what a worker does, until its input ends.
pub fn serve(role: &str) -> Result<()> {
    let role = serde_json::from_str(role).context("a worker was started with a role that is none")?;
    match role {
        Role::Sender(names) => sender::serve(&names),
        Role::Answerer(names) => answerer::serve(&names),
        Role::ContinuousWriter(names) => continuous_writer::serve(&names),
    }
}

/// Says that everything is open, then carries out one order after the other.
fn obey<O: Order, A: Serialize>(mut carry_out: impl FnMut(O) -> Result<A>) -> Result<()> {
    println!("{READY}");
    for line in std::io::stdin().lines() {
        let order: O = serde_json::from_str(&line?)?;
        order.seat().take()?;
        println!("{SEATED}");
        let answer = carry_out(order)?;
        println!("{}", serde_json::to_string(&answer)?);
    }
    Ok(())
}

/// A running worker that takes orders `O` and answers `A`.
#[derive(Debug)]
pub struct Worker<O, A> {
    process: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    kind: PhantomData<fn(O) -> A>,
}

impl<O: Order, A: DeserializeOwned> Worker<O, A> {
    /// Starts a worker and waits until it is ready.
    pub fn start(role: &Role) -> Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["--worker", &serde_json::to_string(role)?])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the second process")?;
        let orders = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().context("the second process has no output")?);
        let mut worker = Self { process, orders, answers, kind: PhantomData };
        worker.expect(READY)?;
        Ok(worker)
    }

    /// Gives an order; returns when the worker begins to carry it out.
    pub fn order(&mut self, order: &O) -> Result<()> {
        let orders = self.orders.as_mut().context("the second process takes no orders")?;
        writeln!(orders, "{}", serde_json::to_string(order)?)?;
        orders.flush()?;
        self.expect(SEATED)
    }

    /// Waits for the end of the last order.
    pub fn answer(&mut self) -> Result<A> {
        let line = self.line()?;
        serde_json::from_str(&line).context("the second process answered something else")
    }

    fn expect(&mut self, wanted: &str) -> Result<()> {
        let found = self.line()?;
        ensure!(found == wanted, "expected \"{wanted}\" from the second process, found \"{found}\"");
        Ok(())
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            bail!("the second process ended early");
        }
        Ok(line.trim_end().to_owned())
    }
}

impl<O, A> Drop for Worker<O, A> {
    fn drop(&mut self) {
        // The end of its orders ends it; an order that is still being carried out is bounded.
        drop(self.orders.take());
        let _ = self.process.wait();
    }
}
