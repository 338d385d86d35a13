//! What a write and a read cost by themselves: one thread, 512 bytes, nobody else.
//!
//! All contenders are measured in turn within each round, so that whatever disturbs the machine disturbs all of them.
//! A round gives each one number, its mean time per operation; the distribution is that over rounds.
//!
//! Publish-subscribe cannot read what was not sent before, and loses what does not fit its queue. It is therefore
//! measured in bursts as long as its queue, and the cost of looking at the clock that often is taken off.

use std::time::Instant;

use anyhow::{Context as _, Result};

use super::Context;
use crate::report::{Report, Target, blank, times};
use crate::session::Session;
use crate::statistics::Summary;
use crate::transport::{
    BlackboardReceiver, BlackboardSender, BlackboardService, OurReceiver, OurSender,
    PublishSubscribeReceiver, PublishSubscribeSender, QUEUE, Receiver, Sender, peer_node,
};

/// The name of the group.
pub const NAME: &str = "shm-uncontended";
const ROUNDS: u64 = 200;
const OPERATIONS: u64 = 20_000;
const WARM_UP_ROUNDS: u64 = 3;

/// One thing that is measured, in the order of a round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Contender {
    Ours,
    BlackboardCopy,
    BlackboardLoan,
    PublishSubscribe,
}

/// Times per operation of one round.
struct Round {
    write_ns: [f64; 4],
    read_ns: [f64; 4],
}

/// Measures the group.
pub fn run(context: &Context) -> Result<Report> {
    let rounds = context.effort(ROUNDS);
    let measured = context.place.ordinary_seat().run(|| {
        let mut bench = Bench::new(context.session)?;
        for _ in 0..WARM_UP_ROUNDS {
            bench.round();
        }
        Ok((0..rounds).map(|_| bench.round()).collect::<Vec<_>>())
    })?;
    report(&measured)
}

struct Bench {
    our_sender: OurSender,
    our_receiver: OurReceiver,
    board_sender: BlackboardSender,
    board_receiver: BlackboardReceiver,
    publisher: PublishSubscribeSender,
    subscriber: PublishSubscribeReceiver,
    clock_ns: f64,
    _board: BlackboardService,
}

impl Bench {
    fn new(session: &Session) -> Result<Self> {
        let region = session.open_region()?;
        let node = peer_node(session.names())?;
        let board = BlackboardService::create(&node)?;
        // The subscriber first: a publisher without one would throw everything away, which costs less.
        let subscriber = PublishSubscribeReceiver::new(&node)?;
        Ok(Self {
            our_sender: OurSender::new(&region)?,
            our_receiver: OurReceiver::new(&region),
            board_sender: board.sender()?,
            board_receiver: board.receiver()?,
            publisher: PublishSubscribeSender::new(&node)?,
            subscriber,
            clock_ns: clock_cost_ns(),
            _board: board,
        })
    }

    fn round(&mut self) -> Round {
        let our_write = per_operation_ns(|| self.our_sender.send_many(OPERATIONS));
        let our_read = per_operation_ns(|| take_many(&mut self.our_receiver));
        let copy = per_operation_ns(|| self.board_sender.send_many(OPERATIONS));
        let get = per_operation_ns(|| take_many(&mut self.board_receiver));
        let loan = per_operation_ns(|| self.board_sender.loan_many(OPERATIONS));
        let (send, receive) = self.bursts();
        Round {
            write_ns: [our_write, copy, loan, send],
            read_ns: [our_read, get, f64::NAN, receive],
        }
    }

    /// Publish-subscribe, a queue's length at a time.
    fn bursts(&mut self) -> (f64, f64) {
        let bursts = OPERATIONS / QUEUE as u64;
        let (mut send_ns, mut receive_ns) = (0.0, 0.0);
        for _ in 0..bursts {
            let start = Instant::now();
            self.publisher.send_many(QUEUE as u64);
            let sent = Instant::now();
            for _ in 0..QUEUE {
                self.subscriber.take();
            }
            receive_ns += sent.elapsed().as_nanos() as f64 - self.clock_ns;
            send_ns += (sent - start).as_nanos() as f64 - self.clock_ns;
        }
        let operations = (bursts * QUEUE as u64) as f64;
        (send_ns / operations, receive_ns / operations)
    }
}

#[inline(never)]
fn take_many(receiver: &mut impl Receiver) {
    for _ in 0..OPERATIONS {
        receiver.take();
    }
}

fn per_operation_ns(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_nanos() as f64 / OPERATIONS as f64
}

/// What one look at the clock costs.
fn clock_cost_ns() -> f64 {
    let start = Instant::now();
    for _ in 0..OPERATIONS {
        std::hint::black_box(Instant::now());
    }
    start.elapsed().as_nanos() as f64 / OPERATIONS as f64
}

fn report(rounds: &[Round]) -> Result<Report> {
    let mut report = Report::new(
        NAME,
        &["ns per operation", "min", "p50", "p99", "max", "peer / ours"],
    );
    let writes =
        Contender::WRITERS.map(|contender| (contender, of(rounds, contender, |round| &round.write_ns)));
    let reads =
        Contender::READERS.map(|contender| (contender, of(rounds, contender, |round| &round.read_ns)));
    one_direction(&mut report, "write", &writes)?;
    one_direction(&mut report, "read", &reads)?;
    report.note(
        "512 bytes: /plant_inputs/ with 59 of its 64 inputs in use (64 words), the peers with [u64; 64]",
    );
    report.note(format!(
        "{} rounds of {OPERATIONS} operations each, all contenders in turn",
        rounds.len()
    ));
    report.note("publish-subscribe reads without copying, the others copy the payload");
    Ok(report)
}

fn of(rounds: &[Round], contender: Contender, part: impl Fn(&Round) -> &[f64; 4]) -> Option<Summary> {
    Summary::of(
        rounds
            .iter()
            .map(|round| part(round)[contender as usize])
            .collect(),
    )
}

fn one_direction(
    report: &mut Report,
    direction: &str,
    contenders: &[(Contender, Option<Summary>)],
) -> Result<()> {
    let mut ours = None;
    for (contender, summary) in contenders {
        let summary = summary.context("no round was measured")?;
        let label = format!("{direction}, {}", contender.label());
        let Some(ours) = ours else {
            report.row_of(&label, &summary, [blank()]);
            report.figures_of(direction, &summary, "ns");
            ours = Some(summary);
            continue;
        };
        let ratio = compare(report, direction, *contender, &ours, &summary);
        report.row_of(&label, &summary, [times(ratio)]);
    }
    let ours = ours.context("nobody was measured")?;
    report.target(Target::at_most(
        &format!("{direction}, ours"),
        25.0,
        "ns",
        ours.p50,
    ));
    Ok(())
}

fn compare(
    report: &mut Report,
    direction: &str,
    contender: Contender,
    ours: &Summary,
    peer: &Summary,
) -> f64 {
    let what = format!("{direction}.p50.vs_{}", contender.key());
    let ratio = report.compare(&what, ours.p50, "ns", contender.label(), peer.p50);
    let wanted = match (contender, direction) {
        (Contender::PublishSubscribe, "write") => 8.0,
        (Contender::PublishSubscribe, _) => 4.0,
        _ => 1.5,
    };
    let beside = format!("{direction} beside {}", contender.label());
    report.target(Target::at_least(&beside, wanted, "×", ratio));
    ratio
}

impl Contender {
    const WRITERS: [Self; 4] = [
        Self::Ours,
        Self::BlackboardCopy,
        Self::BlackboardLoan,
        Self::PublishSubscribe,
    ];
    const READERS: [Self; 3] = [Self::Ours, Self::BlackboardCopy, Self::PublishSubscribe];

    fn label(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::BlackboardCopy => "iceoryx2 blackboard",
            Self::BlackboardLoan => "iceoryx2 blackboard, loan",
            Self::PublishSubscribe => "iceoryx2 publish-subscribe",
        }
    }

    fn key(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::BlackboardCopy => "blackboard",
            Self::BlackboardLoan => "blackboard_loan",
            Self::PublishSubscribe => "publish_subscribe",
        }
    }
}
