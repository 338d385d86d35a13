//! The asking end of the lock-step exchange.

use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use shm_layout::blocks::{
    FORCES, Forces, KINEMATICS, Kinematics, PLANT_INPUTS, PLANT_OUTPUTS, PlantInputs, PlantOutputs,
};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Payload, Reader, Wait, Waited, Writer};

use crate::session::Session;
use crate::worker::{ANSWERER_SOCKET, ASKER_SOCKET, AnswerOrder, Channel, DATAGRAM_BYTES, Stamped, datagram_socket};

pub struct Asker {
    requests: Writer<PlantOutputs>,
    answers: Reader<PlantInputs>,
    kinematics: Writer<Kinematics>,
    forces: Reader<Forces>,
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
            kinematics: region.claim(KINEMATICS)?,
            forces: region.reader(FORCES),
            socket: datagram_socket(session.names(), ASKER_SOCKET)?,
            answerer: session.names().folder().join(ANSWERER_SOCKET),
        })
    }

    /// Connects to the answering process, which must be ready.
    pub fn connect(&self) -> Result<()> {
        Ok(self.socket.connect(&self.answerer)?)
    }

    /// Makes the exchanges that the answering process was ordered to answer; returns how long each
    /// took. A request has so many outputs, or wheels of a vehicle.
    pub fn ask(&mut self, order: &AnswerOrder, outputs: u64) -> Result<Vec<f64>> {
        match order.channel {
            Channel::Spin | Channel::Sleep => {
                let mut payload = PlantOutputs { output_count: outputs, ..PlantOutputs::default() };
                ask_in_blocks(&mut self.requests, &mut self.answers, order, &mut payload)
            }
            Channel::SpinVehicle => {
                let mut payload = Kinematics { wheel_count: outputs, ..Kinematics::default() };
                ask_in_blocks(&mut self.kinematics, &mut self.forces, order, &mut payload)
            }
            Channel::Datagram => self.ask_in_datagrams(order),
        }
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

fn ask_in_blocks<Q: Stamped, A: Payload>(
    requests: &mut Writer<Q>,
    answers: &mut Reader<A>,
    order: &AnswerOrder,
    payload: &mut Q,
) -> Result<Vec<f64>> {
    let how = order.channel.wait();
    let mut trips_ns = Vec::with_capacity(order.count as usize);
    for step in order.first..order.first + order.count {
        let start_ns = monotonic_ns();
        payload.stamp_mut().step = step;
        payload.stamp_mut().publish_ns = start_ns;
        match how {
            Wait::Spin => requests.publish(payload),
            Wait::Sleep => requests.publish_and_wake(payload),
        }
        let waited = answers.wait_for_step(step, order.deadline_ns, how);
        ensure!(waited == Waited::Answered, "step {step} was not answered before its deadline");
        trips_ns.push((monotonic_ns() - start_ns) as f64);
    }
    Ok(trips_ns)
}
