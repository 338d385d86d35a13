//! One way from a writing to a reading process: each on its own CPU, the reader already waiting.
//!
//! The writer puts the time into the payload and sends it, every 20 µs; the reader spins until it
//! has a newer payload, looks at all 512 bytes of it, and looks at the clock:
//!
//! ```text
//! latency = (clock of the reader, after it has seen every word) − (clock of the writer, before it sends)
//! ```
//!
//! Both clocks are the machine's monotonic one. Transports take turns, a short round each.

use anyhow::{Context as _, Result, ensure};
use shm_layout::clock::monotonic_ns;

use super::Context;
use crate::place::{Seat, pause};
use crate::report::{Report, Target, blank, times};
use crate::statistics::Summary;
use crate::transport::{
    BlackboardService, OurReceiver, PublishSubscribeReceiver, Receiver, Transport, constant_sum, peer_node,
};
use crate::worker::{Role, SendOrder, Worker};

pub const NAME: &str = "shm-cross-process";
const ROUNDS: u64 = 50;
const PAYLOADS_PER_ROUND: u64 = 1_000;
const PACE_NS: u64 = 20_000;
/// From the order to the first payload, and from the last payload to giving up.
const MARGIN_NS: u64 = 2_000_000;

pub fn run(context: &Context) -> Result<Report> {
    let seat = match context.place.other_seat() {
        Ok(seat) => seat,
        Err(why) => return Ok(Report::skipped(NAME, why)),
    };
    let node = peer_node(context.session.names())?;
    let _board = BlackboardService::create(&node)?;
    let worker = Worker::start(Role::Sender, context.session.names())?;
    let order =
        SendOrder { transport: Transport::Ours, first: 1, count: PAYLOADS_PER_ROUND, pace_ns: PACE_NS, start_ns: 0 };
    let rounds = context.effort(ROUNDS);
    let work = || measure(context, worker, seat, order, rounds);
    report(context.place.seat().run(work)?, rounds)
}

type Latencies = [Vec<f64>; Transport::ALL.len()];

fn measure(
    context: &Context,
    mut worker: Worker<SendOrder, u64>,
    seat: Seat,
    mut order: SendOrder,
    rounds: u64,
) -> Result<Latencies> {
    let node = peer_node(context.session.names())?;
    let mut ours = OurReceiver::new(&context.session.open_region()?);
    let mut blackboard = BlackboardService::open(&node)?.receiver()?;
    let mut subscriber = PublishSubscribeReceiver::new(&node)?;
    let mut latencies = Latencies::default();
    // One round more than is counted: the first warms everything up.
    for round in 0..=rounds {
        for (transport, counted) in Transport::ALL.into_iter().zip(&mut latencies) {
            order.transport = transport;
            order.start_ns = monotonic_ns() + MARGIN_NS;
            worker.order(seat, &order)?;
            let measured = match transport {
                Transport::Ours => one_round(&mut ours, &order),
                Transport::Blackboard => one_round(&mut blackboard, &order),
                Transport::PublishSubscribe => one_round(&mut subscriber, &order),
            }?;
            worker.answer()?;
            if round > 0 {
                counted.extend(measured);
            }
            pause();
        }
        order.first += order.count;
    }
    Ok(latencies)
}

fn one_round(receiver: &mut impl Receiver, order: &SendOrder) -> Result<Vec<f64>> {
    let constant_sum = constant_sum(order.transport);
    let last = order.first + order.count - 1;
    let deadline_ns = order.start_ns + order.count * order.pace_ns + MARGIN_NS;
    let mut latencies_ns = Vec::with_capacity(order.count as usize);
    let mut sequence = order.first - 1;
    while sequence < last {
        let Some(received) = receiver.wait_for_newer(sequence, deadline_ns) else {
            break;
        };
        let now_ns = monotonic_ns();
        ensure!(received.is_whole(constant_sum), "{} brought a torn payload", order.transport.label());
        latencies_ns.push(now_ns.saturating_sub(received.stamp_ns) as f64);
        sequence = received.sequence;
    }
    Ok(latencies_ns)
}

fn report(latencies: Latencies, rounds: u64) -> Result<Report> {
    let mut report = Report::new(NAME, &["µs one way", "min", "p50", "p99", "max", "peer / ours", "seen"]);
    let sent = rounds * PAYLOADS_PER_ROUND;
    let mut ours: Option<Summary> = None;
    for (transport, latencies_ns) in Transport::ALL.into_iter().zip(latencies) {
        let nothing = || format!("nothing arrived through {}", transport.label());
        let summary = Summary::of(latencies_ns).with_context(nothing)?.scaled(1e-3);
        let seen = format!("{:.2} %", 100.0 * summary.count as f64 / sent as f64);
        let ratio = match &ours {
            None => {
                report.figures_of("one_way", &summary, "µs");
                ours = Some(summary);
                blank()
            }
            Some(ours) => times(compare(&mut report, transport, ours, &summary)),
        };
        report.row_of(transport.label(), &summary, [ratio, seen]);
    }
    report.note(format!(
        "{rounds} rounds of {PAYLOADS_PER_ROUND} payloads of 512 bytes each, one every {} µs, transports in turn",
        PACE_NS / 1_000
    ));
    Ok(report)
}

fn compare(report: &mut Report, transport: Transport, ours: &Summary, peer: &Summary) -> f64 {
    let what = |part: &str| format!("one_way.{part}.vs_{}", transport.key());
    let ratio = report.compare(&what("p50"), ours.p50, "µs", transport.label(), peer.p50);
    report.compare(&what("p99"), ours.p99, "µs", transport.label(), peer.p99);
    let beside = format!("median below that of {}", transport.label());
    report.target(Target::above(&beside, 1.0, "×", ratio));
    ratio
}
