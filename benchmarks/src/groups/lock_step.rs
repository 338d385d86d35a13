//! The round trip of the lock-step exchange: outputs of step k go out, inputs of step k come back.
//!
//! One process publishes `/plant_outputs/` and waits for `/plant_inputs/` with the same step
//! number, the other answers at once: two one-way trips and no computing. A vehicle exchanges
//! `/kinematics/` and `/forces/`, which is done here with those of four wheels. On two CPUs of
//! their own both spin, as the services do there. Where a CPU must be shared, the waiter sleeps;
//! its peer is the pair of Unix datagram sockets that one would use otherwise. Two spinners are
//! never put on one CPU.

use anyhow::{Result, ensure};
use shm_layout::clock::monotonic_ns;

use super::Context;
use crate::asker::Asker;
use crate::place::pause;
use crate::report::{Report, Target, blank, short, times};
use crate::statistics::{Summary, percentile};
use crate::worker::{AnswerOrder, Channel, Role, Worker};

pub const NAME: &str = "lock-step";
const ROUNDS: u64 = 20;
/// A round is given up after this time, whatever happens.
const DEADLINE_NS: u64 = 3_000_000_000;
/// Inputs and outputs in use that make 512 bytes in each direction.
const FULL: (u64, u64) = (59, 58);
/// Inputs and outputs of a small plant.
const SMALL: (u64, u64) = (2, 4);
/// Wheels of a vehicle, in both directions.
const FOUR_WHEELS: (u64, u64) = (4, 4);

/// One way to make the exchange.
#[derive(Clone, Copy)]
struct Variant {
    key: &'static str,
    label: &'static str,
    channel: Channel,
    one_cpu: bool,
    size: (u64, u64),
    exchanges: u64,
    /// The variant that it is compared with.
    peer: Option<&'static str>,
    /// What its median may be (µs).
    good_us: Option<f64>,
}

const SPIN: Variant = Variant {
    key: "spin",
    label: "ours, spinning, 2 CPUs, 512 bytes",
    channel: Channel::Spin,
    one_cpu: false,
    size: FULL,
    exchanges: 5_000,
    peer: None,
    good_us: Some(1.2),
};

const SLEEP: Variant = Variant {
    key: "sleep_two_cpus",
    label: "ours, sleeping, 2 CPUs",
    channel: Channel::Sleep,
    exchanges: 500,
    peer: Some("datagram_two_cpus"),
    good_us: None,
    ..SPIN
};

const VARIANTS: [Variant; 7] = [
    SPIN,
    Variant {
        key: "spin_vehicle",
        label: "ours, spinning, 2 CPUs, vehicle with 4 wheels",
        channel: Channel::SpinVehicle,
        size: FOUR_WHEELS,
        good_us: Some(2.0),
        ..SPIN
    },
    Variant { key: "spin_small", label: "ours, spinning, 2 CPUs, small plant", size: SMALL, good_us: None, ..SPIN },
    SLEEP,
    Variant {
        key: "datagram_two_cpus",
        label: "Unix datagrams, blocking, 2 CPUs",
        channel: Channel::Datagram,
        peer: None,
        ..SLEEP
    },
    Variant {
        key: "sleep_one_cpu",
        label: "ours, sleeping, 1 CPU",
        one_cpu: true,
        peer: Some("datagram_one_cpu"),
        ..SLEEP
    },
    Variant {
        key: "datagram_one_cpu",
        label: "Unix datagrams, blocking, 1 CPU",
        channel: Channel::Datagram,
        one_cpu: true,
        peer: None,
        ..SLEEP
    },
];

pub fn run(context: &Context) -> Result<Report> {
    let possible = |variant: &&Variant| variant.one_cpu || context.place.other_cpu.is_some();
    let variants: Vec<&Variant> = VARIANTS.iter().filter(possible).collect();
    let asker = Asker::new(context.session)?;
    let worker = Worker::start(Role::Answerer, context.session.names())?;
    let rounds = context.effort(ROUNDS);
    let work = || measure(context, asker, worker, &variants, rounds);
    let trips_ns = context.place.seat().run(work)?;
    let measured: Vec<_> =
        variants.into_iter().zip(trips_ns).filter_map(|(variant, trips)| Some((variant, Trips::of(trips)?))).collect();
    Ok(report(&measured, rounds))
}

/// The round trips of a variant (µs).
struct Trips {
    summary: Summary,
    /// The time that 999 in 1,000 do not exceed.
    p999: f64,
}

impl Trips {
    fn of(trips_ns: Vec<f64>) -> Option<Self> {
        let p999 = percentile(trips_ns.clone(), 0.999)? * 1e-3;
        let summary = Summary::of(trips_ns)?.scaled(1e-3);
        Some(Self { summary, p999 })
    }
}

fn measure(
    context: &Context,
    mut asker: Asker,
    mut worker: Worker<AnswerOrder, u64>,
    variants: &[&Variant],
    rounds: u64,
) -> Result<Vec<Vec<f64>>> {
    asker.connect()?;
    let mut trips_ns = vec![Vec::new(); variants.len()];
    let mut first = 1;
    // One round more than is counted: the first warms everything up.
    for round in 0..=rounds {
        for (variant, counted) in variants.iter().zip(&mut trips_ns) {
            let order = AnswerOrder {
                channel: variant.channel,
                first,
                count: variant.exchanges,
                inputs: variant.size.0,
                deadline_ns: monotonic_ns() + DEADLINE_NS,
            };
            let own = context.place.seat();
            let other = context.place.other_seat().unwrap_or(own);
            worker.order(if variant.one_cpu { own } else { other }, &order)?;
            let measured = asker.ask(&order, variant.size.1)?;
            let answered = worker.answer()?;
            ensure!(answered == order.count, "only {answered} of {} requests were answered", order.count);
            if round > 0 {
                counted.extend(measured);
            }
            first += order.count;
            pause();
        }
    }
    Ok(trips_ns)
}

fn report(measured: &[(&Variant, Trips)], rounds: u64) -> Report {
    let mut report = Report::new(NAME, &["µs round trip", "min", "p50", "p99", "max", "p99.9", "peer / ours"]);
    for (variant, trips) in measured {
        let peer = measured.iter().find(|(other, _)| variant.peer == Some(other.key));
        let summary = &trips.summary;
        report.figures_of(variant.key, summary, "µs");
        report.figure(&format!("{}.p999", variant.key), trips.p999, "µs");
        let ratio = peer.map_or_else(blank, |(other, peer)| {
            let what = format!("{}.p50.vs_datagram", variant.key);
            times(report.compare(&what, summary.p50, "µs", other.label, peer.summary.p50))
        });
        report.row_of(variant.label, summary, [short(trips.p999), ratio]);
        if let Some(good_us) = variant.good_us {
            let what = format!("median, {}", variant.label);
            report.target(Target::at_most(&what, good_us, "µs", summary.p50));
        }
    }
    if measured.iter().all(|(variant, _)| variant.one_cpu) {
        report.note("skipped on two CPUs: this process may use only one");
    }
    report.note(format!("{rounds} rounds, all ways in turn"));
    report
}
