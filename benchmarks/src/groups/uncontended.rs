//! What a write and a read cost by themselves: one thread, 512 bytes, undisturbed.
//!
//! All contenders are measured in turn within each round, so that whatever disturbs the machine
//! disturbs all of them. A round gives each one number, its mean time per operation; the
//! distribution is that over rounds.
//!
//! Where a copy lies relative to what it is a copy of, within pages and cache lines, changes its
//! cost by up to a factor of two. A fixed arrangement would measure luck, so every round has
//! another one.
//!
//! The blackboard's `update_with_copy` is what our `publish` is, and its `get`, kept for later use,
//! is what our `latest` is. Its leanest forms are shown beside them, for information: writing
//! through a loan, and a `get` whose value is used where the call returned it and then lost.
//! Publish-subscribe hands out a reference and copies nothing.
//!
//! Publish-subscribe cannot read what was not sent before, and loses what does not fit its queue.
//! It is therefore measured in bursts as long as its queue, and the cost of looking at the clock
//! that often is taken off.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context as _, Result};
use shm_layout::Region;

use super::Context;
use crate::place::pause;
use crate::report::{Report, Target, blank, times};
use crate::session::Session;
use crate::statistics::Summary;
use crate::transport::{
    BlackboardService, OurReceiver, OurSender, PublishSubscribeReceiver, PublishSubscribeSender, QUEUE, Receiver,
    Sender, peer_node,
};

pub const NAME: &str = "shm-uncontended";
const ROUNDS: u64 = 200;
const OPERATIONS: u64 = 20_000;
const WARM_UP_ROUNDS: u64 = 3;
/// What a good write or read costs at most [ns].
const GOOD_NS: f64 = 25.0;

/// Who is compared with us.
struct Peer {
    key: &'static str,
    label: &'static str,
    /// How many times faster we have to be; `None` where it is only good to know.
    wanted: Option<f64>,
}

const WRITING_PEERS: [Peer; 3] = [
    Peer { key: "blackboard", label: "iceoryx2 blackboard", wanted: Some(1.5) },
    Peer { key: "blackboard_loan", label: "iceoryx2 blackboard, loan", wanted: None },
    Peer { key: "publish_subscribe", label: "iceoryx2 publish-subscribe", wanted: Some(8.0) },
];
const READING_PEERS: [Peer; 3] = [
    Peer { key: "blackboard", label: "iceoryx2 blackboard", wanted: Some(1.5) },
    Peer { key: "blackboard_unkept", label: "iceoryx2 blackboard, not kept", wanted: None },
    Peer { key: "publish_subscribe", label: "iceoryx2 publish-subscribe", wanted: Some(4.0) },
];

/// Times per operation of one round: ours, then those of the peers.
#[derive(Default)]
struct Round {
    write_ns: [f64; 4],
    read_ns: [f64; 4],
}

pub fn run(context: &Context) -> Result<Report> {
    let rounds = context.effort(ROUNDS);
    let measured = context.place.seat().run(|| {
        let mut bench = Bench::new(context.session)?;
        let all: Result<Vec<Round>> = (0..WARM_UP_ROUNDS + rounds).map(|number| bench.arranged_round(number)).collect();
        Ok(all?.split_off(WARM_UP_ROUNDS as usize))
    })?;
    report(&measured)
}

/// What lasts for all rounds.
struct Bench {
    region: Region,
    board: BlackboardService,
    publisher: PublishSubscribeSender,
    subscriber: PublishSubscribeReceiver,
    clock_ns: f64,
    /// Kept, so that the next round's memory is elsewhere.
    spent: Vec<(OurReceiver, Vec<u8>)>,
}

impl Bench {
    fn new(session: &Session) -> Result<Self> {
        let node = peer_node(session.names())?;
        // The subscriber first: a publisher without one would throw everything away, which costs
        // less.
        let subscriber = PublishSubscribeReceiver::new(&node)?;
        Ok(Self {
            region: session.open_region()?,
            board: BlackboardService::create(&node)?,
            publisher: PublishSubscribeSender::new(&node)?,
            subscriber,
            clock_ns: clock_cost_ns(),
            spent: Vec::new(),
        })
    }

    /// One round with an arrangement of memory of its own, on the heap and on the stack.
    fn arranged_round(&mut self, number: u64) -> Result<Round> {
        pause();
        let ballast = vec![0; 16 + (number % 13) as usize * 48];
        let receiver = OurReceiver::new(&self.region);
        self.spent.push((receiver, ballast));
        let mut round = None;
        at_depth(number % 16, &mut || round = Some(self.round(number)));
        round.context("a round was left out")?
    }

    /// All contenders, each time beginning with another: what comes first after a pause finds a
    /// colder machine.
    #[inline(never)]
    fn round(&mut self, number: u64) -> Result<Round> {
        let mut our_sender = OurSender::new(&self.region)?;
        let mut board_sender = self.board.sender()?;
        let mut board_receiver = self.board.receiver()?;
        let mut round = Round::default();
        for turn in number..number + 3 {
            match turn % 3 {
                0 => {
                    let (our_receiver, _) = self.spent.last_mut().context("there is no receiver")?;
                    round.write_ns[0] = per_operation_ns(|count| our_sender.send_many(count));
                    round.read_ns[0] = per_operation_ns(|count| our_receiver.take_many(count));
                }
                1 => {
                    round.write_ns[1] = per_operation_ns(|count| board_sender.send_many(count));
                    round.read_ns[1] = per_operation_ns(|count| board_receiver.take_many(count));
                    round.write_ns[2] = per_operation_ns(|count| board_sender.loan_many(count));
                    round.read_ns[2] = per_operation_ns(|count| board_receiver.glance_many(count));
                }
                _ => (round.write_ns[3], round.read_ns[3]) = self.bursts(),
            }
        }
        Ok(round)
    }

    /// Publish-subscribe, a queue's length at a time.
    fn bursts(&mut self) -> (f64, f64) {
        let bursts = OPERATIONS / QUEUE as u64;
        let (mut send_ns, mut receive_ns) = (0.0, 0.0);
        for _ in 0..bursts {
            let start = Instant::now();
            self.publisher.send_many(QUEUE as u64);
            let sent = Instant::now();
            self.subscriber.take_many(QUEUE as u64);
            receive_ns += sent.elapsed().as_nanos() as f64 - self.clock_ns;
            send_ns += (sent - start).as_nanos() as f64 - self.clock_ns;
        }
        let operations = (bursts * QUEUE as u64) as f64;
        (send_ns / operations, receive_ns / operations)
    }
}

/// Does the work with the stack a little further down for each level.
#[inline(never)]
fn at_depth(levels: u64, work: &mut dyn FnMut()) {
    let ballast = [levels as u8; 200];
    match levels {
        0 => work(),
        _ => at_depth(levels - 1, work),
    }
    // Looked at last, so that it is there all the time.
    black_box(&ballast);
}

/// Mean time of one operation, after a tenth of them to warm up.
fn per_operation_ns(mut work: impl FnMut(u64)) -> f64 {
    work(OPERATIONS / 10);
    let start = Instant::now();
    work(OPERATIONS);
    start.elapsed().as_nanos() as f64 / OPERATIONS as f64
}

/// What one look at the clock costs.
fn clock_cost_ns() -> f64 {
    per_operation_ns(|count| {
        for _ in 0..count {
            black_box(Instant::now());
        }
    })
}

fn report(rounds: &[Round]) -> Result<Report> {
    let columns = ["ns per operation", "min", "p50", "p99", "max", "peer / ours"];
    let mut report = Report::new(NAME, &columns);
    let writes: Vec<_> = rounds.iter().map(|round| round.write_ns).collect();
    let reads: Vec<_> = rounds.iter().map(|round| round.read_ns).collect();
    report_direction(&mut report, "write", &writes, &WRITING_PEERS)?;
    report_direction(&mut report, "read", &reads, &READING_PEERS)?;
    report.note("512 bytes: /plant_inputs/ with 59 of its 64 inputs in use (64 words), the peers with [u64; 64]");
    report.note(format!("{} rounds of {OPERATIONS} operations each, all in turn", rounds.len()));
    report.note("the peer's leanest forms (\"loan\", \"not kept\") and zero-copy receiving are shown as well");
    Ok(report)
}

fn report_direction(report: &mut Report, direction: &str, rounds_ns: &[[f64; 4]], peers: &[Peer; 3]) -> Result<()> {
    let of = |who: usize| {
        let values = rounds_ns.iter().map(|round| round[who]).collect();
        Summary::of(values).context("no round was measured")
    };
    let ours = of(0)?;
    report_ours(report, direction, &ours);
    for (who, peer) in (1..).zip(peers) {
        report_peer(report, direction, &ours, peer, &of(who)?);
    }
    Ok(())
}

fn report_ours(report: &mut Report, direction: &str, ours: &Summary) {
    report.row_of(&format!("{direction}, ours"), ours, [blank()]);
    report.figures_of(direction, ours, "ns");
    report.target(Target::at_most(&format!("{direction}, ours"), GOOD_NS, "ns", ours.p50));
}

fn report_peer(report: &mut Report, direction: &str, ours: &Summary, peer: &Peer, theirs: &Summary) {
    let what = format!("{direction}.p50.vs_{}", peer.key);
    let ratio = report.compare(&what, ours.p50, "ns", peer.label, theirs.p50);
    report.row_of(&format!("{direction}, {}", peer.label), theirs, [times(ratio)]);
    if let Some(wanted) = peer.wanted {
        let beside = format!("{direction} beside {}", peer.label);
        report.target(Target::at_least(&beside, wanted, "×", ratio));
    }
}
