//! The answering end of the lock-step exchange.

use std::os::unix::net::UnixDatagram;
use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use shm_layout::blocks::{
    FORCES, Forces, KINEMATICS, Kinematics, PLANT_INPUTS, PLANT_OUTPUTS, PlantInputs, PlantOutputs,
};
use shm_layout::{Payload, Reader, Region, Stamp, Wait, Waited, Writer};

use crate::session::Names;

/// Bytes of a datagram, as many as a request or an answer in the blocks has.
pub const DATAGRAM_BYTES: usize = 512;
/// After so long without a datagram the exchange is given up.
const TIMEOUT: Duration = Duration::from_millis(500);

/// Over what request and answer travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Channel {
    /// Our blocks, the waiter spins.
    Spin,
    /// Our blocks of a vehicle, `/kinematics/` and `/forces/`; the waiter spins.
    SpinVehicle,
    /// Our blocks, the waiter sleeps on a futex.
    Sleep,
    /// Unix datagram sockets, the waiter sleeps in the kernel.
    Datagram,
}

impl Channel {
    /// How one waits for a block.
    pub fn wait(self) -> Wait {
        match self {
            Self::Spin | Self::SpinVehicle => Wait::Spin,
            Self::Sleep | Self::Datagram => Wait::Sleep,
        }
    }
}

/// A payload whose step can be set.
pub trait Stamped: Payload {
    /// When and for which step.
    fn stamp_mut(&mut self) -> &mut Stamp;
}

macro_rules! stamped {
    ($($payload:ty),*) => { $(impl Stamped for $payload {
        fn stamp_mut(&mut self) -> &mut Stamp {
            &mut self.stamp
        }
    })* };
}

stamped!(PlantInputs, PlantOutputs, Kinematics, Forces);

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct AnswerOrder {
    pub channel: Channel,
    pub first: u64,
    pub count: u64,
    /// How many inputs, or wheels of a vehicle, an answer has.
    pub inputs: u64,
    pub deadline_ns: u64,
}

/// One end of a pair of datagram sockets that know each other by name.
pub fn datagram_socket(names: &Names, own: &str) -> Result<UnixDatagram> {
    let path = names.folder().join(own);
    let _ = std::fs::remove_file(&path);
    let socket = UnixDatagram::bind(path)?;
    socket.set_read_timeout(Some(TIMEOUT))?;
    Ok(socket)
}

/// Name of the socket that requests go to.
pub const ANSWERER_SOCKET: &str = "answerer.socket";
/// Name of the socket that answers go to.
pub const ASKER_SOCKET: &str = "asker.socket";

pub(super) fn serve(names: &Names) -> Result<()> {
    let region = Region::open(&names.region()?, None)?;
    let mut requests = region.reader(PLANT_OUTPUTS);
    let mut answers = region.claim(PLANT_INPUTS)?;
    let mut kinematics = region.reader(KINEMATICS);
    let mut answered = region.claim(FORCES)?;
    let socket = datagram_socket(names, ANSWERER_SOCKET)?;
    socket.connect(names.folder().join(ASKER_SOCKET))?;
    super::obey(|order: AnswerOrder| match order.channel {
        Channel::Spin | Channel::Sleep => Ok(answer(&mut requests, &mut answers, &order, &mut inputs(&order))),
        Channel::SpinVehicle => Ok(answer(&mut kinematics, &mut answered, &order, &mut forces(&order))),
        Channel::Datagram => answer_datagrams(&socket, &order),
    })
}

fn inputs(order: &AnswerOrder) -> PlantInputs {
    PlantInputs { input_count: order.inputs, ..PlantInputs::default() }
}

fn forces(order: &AnswerOrder) -> Forces {
    Forces { wheel_count: order.inputs, ..Forces::default() }
}

/// Returns how many it answered.
fn answer<Q: Payload, A: Stamped>(
    requests: &mut Reader<Q>,
    answers: &mut Writer<A>,
    order: &AnswerOrder,
    payload: &mut A,
) -> u64 {
    let how = order.channel.wait();
    for index in 0..order.count {
        let step = order.first + index;
        if requests.wait_for_step(step, order.deadline_ns, how) == Waited::Late {
            return index;
        }
        payload.stamp_mut().step = step;
        match how {
            Wait::Spin => answers.publish(payload),
            Wait::Sleep => answers.publish_and_wake(payload),
        }
    }
    order.count
}

fn answer_datagrams(socket: &UnixDatagram, order: &AnswerOrder) -> Result<u64> {
    let mut bytes = [0; DATAGRAM_BYTES];
    for _ in 0..order.count {
        socket.recv(&mut bytes)?;
        socket.send(&bytes)?;
    }
    Ok(order.count)
}
