//! How the processes and blocks are doing, five times a second, and the gateway's own health.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use rt::histogram::{Histogram, bucket_upper_ns};
use rtrd::view::block_watch::{BlockView, BlockWatch, Owner};
use rtrd::view::{Observer, ProcessView};
use serde::Serialize;
use shm_layout::blocks::{Health, STATE_RUNNING, STATE_STOPPED};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Region, Writer};

use crate::shared::Shared;

/// Time between two looks.
const LOOK: Duration = Duration::from_millis(200);

#[derive(Serialize)]
struct Status<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    processes: Vec<ProcessText>,
    blocks: Vec<BlockText>,
    gateway: GatewayText<'a>,
}

#[derive(Serialize)]
struct ProcessText {
    name: &'static str,
    state: &'static str,
    pid: u64,
    cpu: i64,
    fifo_priority: u64,
    period_us: f64,
    restarts: u64,
    wakeups: u64,
    overruns: u64,
    skipped: u64,
    misses: u64,
    warnings: u64,
    age_ms: f64,
    latency: Times,
    execution: Times,
    exchange: Times,
}

#[derive(Serialize)]
struct Times {
    count: u64,
    min_us: f64,
    mean_us: f64,
    p50_us: f64,
    p99_us: f64,
    p999_us: f64,
    max_us: f64,
    buckets: Vec<(f64, u64)>,
}

#[derive(Serialize)]
struct BlockText {
    name: &'static str,
    writer: &'static str,
    pid: Option<u32>,
    age_ms: Option<f64>,
    rate_hz: Option<f64>,
}

#[derive(Serialize)]
struct GatewayText<'a> {
    clients: u64,
    dropped_clients: u64,
    memory_kib: u64,
    steps_seen: u64,
    steps_lost: u64,
    condition: &'a str,
}

const fn microseconds(time_ns: u64) -> f64 {
    time_ns as f64 * 1e-3
}

impl Times {
    fn new(histogram: &Histogram) -> Self {
        let count = histogram.count();
        let of = |time_ns: u64| if count == 0 { 0.0 } else { microseconds(time_ns) };
        let filled = histogram.buckets().iter().enumerate().filter(|(_, count)| **count > 0);
        Self {
            count,
            min_us: of(histogram.min_ns()),
            mean_us: if count == 0 { 0.0 } else { histogram.mean_ns() * 1e-3 },
            p50_us: of(histogram.percentile_ns(50.0)),
            p99_us: of(histogram.percentile_ns(99.0)),
            p999_us: of(histogram.percentile_ns(99.9)),
            max_us: of(histogram.max_ns()),
            // The last bucket has no end: its times are at most the largest.
            buckets: filled
                .map(|(index, count)| (microseconds(bucket_upper_ns(index).min(histogram.max_ns())), *count))
                .collect(),
        }
    }
}

impl ProcessText {
    fn new(view: &ProcessView) -> Self {
        let health = &view.health;
        Self {
            name: view.name(),
            state: view.state.word(),
            pid: health.pid,
            cpu: health.cpu,
            fifo_priority: health.fifo_priority,
            period_us: microseconds(health.period_ns),
            restarts: view.restarts,
            wakeups: health.wakeups,
            overruns: health.overruns,
            skipped: health.skipped,
            misses: health.exchange_misses,
            warnings: health.model_warnings,
            age_ms: view.age_ns as f64 * 1e-6,
            latency: Times::new(&view.latency),
            execution: Times::new(&view.execution),
            exchange: Times::new(&view.exchange),
        }
    }
}

impl BlockText {
    fn new(view: &BlockView) -> Self {
        Self {
            name: view.name,
            writer: view.writer,
            pid: match view.owner {
                Owner::Alive(pid) => Some(pid),
                Owner::Dead(_) | Owner::None => None,
            },
            age_ms: view.age_ns.map(|age_ns| age_ns as f64 * 1e-6),
            rate_hz: view.writes_per_s,
        }
    }
}

/// Memory that this process has in use (KiB); 0 where it cannot be told.
fn memory_kib() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages: Option<u64> = pages.and_then(|text| text.split_whitespace().nth(1)?.parse().ok());
    4 * pages.unwrap_or(0)
}

/// Publishes health and status until it is asked to stop.
pub fn run(region: &Region, shared: &Arc<Shared>, mut health: Option<Writer<Health>>, stop: &AtomicBool) {
    let mut observer = Observer::new(region);
    let mut watch = BlockWatch::default();
    let mut own = Health { pid: u64::from(std::process::id()), state: STATE_RUNNING, ..Health::default() };
    own.started_ns = monotonic_ns();
    own.period_ns = LOOK.as_nanos() as u64;
    let mut publish = |state: u64| {
        own.state = state;
        own.wakeups += 1;
        own.stamp.step = own.wakeups;
        own.stamp.publish_ns = monotonic_ns();
        own.stamp.sample_ns = own.stamp.publish_ns;
        if let Some(writer) = &mut health {
            writer.publish(&own);
        }
    };
    while !stop.load(Relaxed) {
        publish(STATE_RUNNING);
        if shared.figures.somebody_looks() {
            let text = text(&mut observer, &mut watch, region, shared);
            shared.status.send_replace(text.into());
        }
        std::thread::sleep(LOOK);
    }
    publish(STATE_STOPPED);
}

fn text(observer: &mut Observer, watch: &mut BlockWatch, region: &Region, shared: &Shared) -> String {
    let condition = observer.exchange().map(|exchange| exchange.condition).unwrap_or_default();
    let figures = &shared.figures;
    let status = Status {
        kind: "status",
        processes: observer.processes().iter().map(ProcessText::new).collect(),
        blocks: watch.look(region).iter().map(BlockText::new).collect(),
        gateway: GatewayText {
            clients: figures.clients.load(Relaxed),
            dropped_clients: figures.dropped.load(Relaxed),
            memory_kib: memory_kib(),
            steps_seen: figures.steps_seen.load(Relaxed),
            steps_lost: figures.steps_lost.load(Relaxed),
            condition: &condition,
        },
    };
    serde_json::to_string(&status).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_a_histogram_are_in_microseconds_and_none_is_beyond_the_largest() {
        let mut histogram = Histogram::new();
        [1_000, 2_000, 50_000].into_iter().for_each(|time_ns| histogram.record(time_ns));
        let times = Times::new(&histogram);
        assert_eq!((times.count, times.min_us, times.max_us), (3, 1.0, 50.0));
        assert_eq!(times.buckets.iter().map(|(_, count)| count).sum::<u64>(), 3);
        assert!(times.buckets.iter().all(|(edge, _)| *edge <= 50.0));
        let empty = serde_json::to_string(&Times::new(&Histogram::new())).unwrap();
        assert!(empty.contains(r#""min_us":0.0"#) && empty.contains(r#""buckets":[]"#), "{empty}");
    }

    #[test]
    fn this_process_uses_some_memory() {
        assert!(memory_kib() > 100);
    }
}
