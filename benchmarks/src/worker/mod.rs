//! The second process of a benchmark: this same program, started with a role instead of a list of
//! groups.
//!
//! Orders go to it as lines of JSON, each with the seat at which it is carried out, and each is
//! answered by one line when it is done. It ends when its input ends, so it cannot outlive the run
//! that started it; every order is bounded in time by itself.

mod answerer;
mod continuous_writer;
mod sender;

pub use answerer::{ANSWERER_SOCKET, ASKER_SOCKET, AnswerOrder, Channel, DATAGRAM_BYTES, Stamped, datagram_socket};
pub use continuous_writer::WriteOrder;
pub use sender::SendOrder;

use std::marker::PhantomData;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::conversation::Conversation;
use crate::place::Seat;
use crate::session::Names;

/// What a worker is for.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Role {
    Sender,
    /// Answers each request of a lock-step exchange.
    Answerer,
    ContinuousWriter,
}

/// The line with which a worker says that it has opened everything.
const READY: &str = "ready";
/// The line with which it says that it has taken its seat and begins to carry out the order.
/// The process that ordered must not spin before that: it might spin on the very CPU from which the
/// worker has to get away first.
const SEATED: &str = "seated";

/// Does what a worker does, until its input ends.
pub fn serve(role: &str) -> Result<()> {
    let role = serde_json::from_str(role).context("a worker was started with a role that is none")?;
    let (role, names): (Role, Names) = role;
    match role {
        Role::Sender => sender::serve(&names),
        Role::Answerer => answerer::serve(&names),
        Role::ContinuousWriter => continuous_writer::serve(&names),
    }
}

/// Says that everything is open, then carries out one order after the other.
fn obey<O: DeserializeOwned, A: Serialize>(mut carry_out: impl FnMut(O) -> Result<A>) -> Result<()> {
    println!("{READY}");
    for line in std::io::stdin().lines() {
        let (seat, order): (Seat, O) = serde_json::from_str(&line?)?;
        seat.take()?;
        println!("{SEATED}");
        let answer = carry_out(order)?;
        println!("{}", serde_json::to_string(&answer)?);
    }
    Ok(())
}

/// A running worker that takes orders `O` and answers `A`.
#[derive(Debug)]
pub struct Worker<O, A> {
    conversation: Conversation,
    kind: PhantomData<fn(O) -> A>,
}

impl<O: Serialize, A: DeserializeOwned> Worker<O, A> {
    /// Starts a worker and waits until it is ready.
    pub fn start(role: Role, names: &Names) -> Result<Self> {
        let role = serde_json::to_string(&(role, names))?;
        let conversation = Conversation::start(Command::new(std::env::current_exe()?).args(["--worker", &role]))?;
        let mut worker = Self { conversation, kind: PhantomData };
        worker.expect(READY)?;
        Ok(worker)
    }

    /// Gives an order; returns when the worker begins to carry it out.
    pub fn order(&mut self, seat: Seat, order: &O) -> Result<()> {
        self.conversation.tell(&serde_json::to_string(&(seat, order))?)?;
        self.expect(SEATED)
    }

    /// Waits for the end of the last order.
    pub fn answer(&mut self) -> Result<A> {
        let line = self.conversation.line()?;
        serde_json::from_str(&line).context("the second process answered something else")
    }

    fn expect(&mut self, wanted: &str) -> Result<()> {
        let found = self.conversation.line().context("the second process")?;
        ensure!(found == wanted, "expected \"{wanted}\" from the second process, found \"{found}\"");
        Ok(())
    }
}
