//! The asking end of the lock-step exchange.

use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use shm_layout::blocks::{PLANT_INPUTS, PLANT_OUTPUTS, PlantInputs, PlantOutputs};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Reader, Wait, Waited, Writer};

use crate::companion::{
    ANSWERER_SOCKET, ASKER_SOCKET, AnswerOrder, Channel, DATAGRAM_BYTES, datagram_socket,
};
use crate::session::Session;

/// Asks over all channels.
pub struct Asker {
    requests: Writer<PlantOutputs>,
    answers: Reader<PlantInputs>,
    socket: UnixDatagram,
    answerer: PathBuf,
}

impl Asker {
    /// Opens everything on this side. The answering process connects to it.
    pub fn new(session: &Session) -> Result<Self> {
        let region = session.open_region()?;
        Ok(Self {
            requests: region.claim(PLANT_OUTPUTS)?,
            answers: region.reader(PLANT_INPUTS),
            socket: datagram_socket(session.names(), ASKER_SOCKET)?,
            answerer: session.names().folder().join(ANSWERER_SOCKET),
        })
    }

    /// Connects to the answering process, which must be ready.
    pub fn connect(&self) -> Result<()> {
        Ok(self.socket.connect(&self.answerer)?)
    }

    /// Makes the exchanges that the answering process was ordered to answer; returns how long each took.
    pub fn ask(&mut self, order: &AnswerOrder, outputs: u64) -> Result<Vec<f64>> {
        match order.channel {
            Channel::Spin => self.ask_in_blocks(order, outputs, Wait::Spin),
            Channel::Sleep => self.ask_in_blocks(order, outputs, Wait::Sleep),
            Channel::Datagram => self.ask_in_datagrams(order),
        }
    }

    fn ask_in_blocks(&mut self, order: &AnswerOrder, outputs: u64, how: Wait) -> Result<Vec<f64>> {
        let mut trips_ns = Vec::with_capacity(order.count as usize);
        let mut payload = PlantOutputs {
            output_count: outputs,
            ..PlantOutputs::default()
        };
        for step in order.first..order.first + order.count {
            let start_ns = monotonic_ns();
            payload.stamp.step = step;
            payload.stamp.publish_ns = start_ns;
            match how {
                Wait::Spin => self.requests.publish(&payload),
                Wait::Sleep => self.requests.publish_and_wake(&payload),
            }
            let waited = self.answers.wait_for_step(step, order.deadline_ns, how);
            ensure!(
                waited == Waited::Answered,
                "step {step} was not answered before its deadline"
            );
            trips_ns.push((monotonic_ns() - start_ns) as f64);
        }
        Ok(trips_ns)
    }

    fn ask_in_datagrams(&self, order: &AnswerOrder) -> Result<Vec<f64>> {
        let mut trips_ns = Vec::with_capacity(order.count as usize);
        let mut bytes = [0; DATAGRAM_BYTES];
        for _ in 0..order.count {
            let start_ns = monotonic_ns();
            self.socket.send(&bytes)?;
            self.socket.recv(&mut bytes)?;
            trips_ns.push((monotonic_ns() - start_ns) as f64);
        }
        Ok(trips_ns)
    }
}
