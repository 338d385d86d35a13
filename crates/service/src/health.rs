//! What every loop does around its body: stop on request, report, take reloads, and publish in its
//! health block how the process is doing.

use std::cell::RefMut;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;
use rt::clock::monotonic_ns;
use rt::events::Reporter;
use rt::histogram::{BUCKETS, Histogram};
use rt::periodic::LoopStatistics;
use shm_layout::blocks::{Distribution, HISTOGRAM_BUCKETS_MAX, Health, STATE_RUNNING, STATE_STARTING, STATE_STOPPED};
use shm_layout::{Block, ClaimError, Writer};

use crate::attendant::LoopSide;
use crate::config::Settings;
use crate::main_function::announce;
use crate::start::Started;

const _: () = assert!(BUCKETS <= HISTOGRAM_BUCKETS_MAX, "the health block has no room for the histogram");

/// Publishes the health of this process now and then, from its loop: a copy of a few kilobytes, no
/// system call.
#[derive(Debug)]
pub struct HealthReport {
    writer: Writer<Health>,
    health: Box<Health>,
    period_ns: Arc<AtomicU64>,
    next_ns: u64,
    faults_before: rt::allocation::PageFaults,
}

impl HealthReport {
    /// Claims the block and publishes that the process is starting.
    pub fn claim(started: &Started, block: Block<Health>, loop_period_ns: u64) -> Result<Self, ClaimError> {
        let mut report = Self {
            writer: started.region.claim(block)?,
            health: Box::new(Health::zeroed()),
            period_ns: Arc::clone(&started.health_period_ns),
            next_ns: 0,
            faults_before: rt::allocation::page_faults(),
        };
        report.health.pid = u64::from(std::process::id());
        report.health.state = STATE_STARTING;
        report.health.started_ns = monotonic_ns();
        report.health.period_ns = loop_period_ns;
        report.health.cpu = started.granted_cpu().map_or(-1, |cpu| cpu as i64);
        report.health.fifo_priority = u64::from(started.granted_priority().unwrap_or(0));
        report.health.granted_bits = started.granted.granted_bits();
        report.publish(monotonic_ns(), 0);
        Ok(report)
    }

    /// The loop begins: from here on, page faults count.
    pub fn running(&mut self) {
        self.health.state = STATE_RUNNING;
        self.faults_before = rt::allocation::page_faults();
        self.publish(monotonic_ns(), 0);
    }

    /// Publishes what the loop has counted if it is time to. Real-time safe.
    #[inline]
    pub fn publish_if_due(&mut self, now_ns: u64, account: &LoopAccount<'_>) {
        if now_ns >= self.next_ns {
            self.next_ns = now_ns + self.period_ns.load(Ordering::Relaxed);
            account.fill(&mut self.health);
            self.publish(now_ns, account.step);
        }
    }

    /// Publishes that the process ended as it was asked to.
    pub fn finish(&mut self, account: &LoopAccount<'_>) {
        account.fill(&mut self.health);
        self.health.state = STATE_STOPPED;
        self.publish(monotonic_ns(), account.step);
    }

    fn publish(&mut self, now_ns: u64, step: u64) {
        let faults = rt::allocation::page_faults();
        self.health.minor_faults = faults.minor.saturating_sub(self.faults_before.minor);
        self.health.major_faults = faults.major.saturating_sub(self.faults_before.major);
        self.health.stamp.step = step;
        self.health.stamp.sample_ns = now_ns;
        self.health.stamp.publish_ns = now_ns;
        self.writer.publish(&self.health);
    }
}

/// What a loop has counted, the same for every service.
#[derive(Clone, Copy, Debug)]
pub struct LoopAccount<'a> {
    /// The newest step or sample.
    pub step: u64,
    /// Wake-ups, overruns, latency and execution time.
    pub statistics: &'a LoopStatistics,
    /// From asking to the answer, for a loop that asks.
    pub exchange: Option<&'a Histogram>,
    /// Answers that did not come in time.
    pub misses: u64,
    /// Steps or answers with a warning.
    pub warnings: u64,
    /// What is wrong with measured inputs now, and what is done about it.
    pub input_faults: u64,
    /// The strongest reaction to it.
    pub input_reaction: u64,
}

impl<'a> LoopAccount<'a> {
    /// That of a loop without answers, warnings or measured inputs.
    #[must_use]
    pub fn new(step: u64, statistics: &'a LoopStatistics) -> Self {
        let (misses, warnings, input_faults, input_reaction) = (0, 0, 0, 0);
        Self { step, statistics, exchange: None, misses, warnings, input_faults, input_reaction }
    }

    fn fill(&self, health: &mut Health) {
        health.wakeups = self.statistics.wakeups;
        health.overruns = self.statistics.overruns;
        health.skipped = self.statistics.skipped;
        copy_histogram(&self.statistics.latency, &mut health.latency);
        copy_histogram(&self.statistics.execution, &mut health.execution);
        if let Some(exchange) = self.exchange {
            copy_histogram(exchange, &mut health.exchange);
        }
        health.exchange_misses = self.misses;
        health.model_warnings = self.warnings;
        health.input_faults = self.input_faults;
        health.input_reaction = self.input_reaction;
    }
}

/// Writes a histogram into its place in the health block. Real-time safe.
pub fn copy_histogram(histogram: &Histogram, distribution: &mut Distribution) {
    distribution.count = histogram.count();
    distribution.sum_ns = histogram.sum_ns();
    distribution.min_ns = histogram.min_ns();
    distribution.max_ns = histogram.max_ns();
    distribution.buckets[..BUCKETS].copy_from_slice(histogram.buckets());
}

/// The histogram that a process has published.
pub fn histogram_of(distribution: &Distribution) -> Histogram {
    let mut buckets = [0; BUCKETS];
    buckets.copy_from_slice(&distribution.buckets[..BUCKETS]);
    Histogram::from_parts(&buckets, distribution.sum_ns, distribution.min_ns, distribution.max_ns)
}

/// The frame of a service's loop. Everything but its beginning and its end is real-time safe.
pub struct ServiceLoop<'a> {
    started: &'a Started,
    health: HealthReport,
    loop_side: RefMut<'a, LoopSide>,
}

impl<'a> ServiceLoop<'a> {
    /// Claims the health block and publishes that the process is starting.
    pub fn claim(started: &'a Started, block: Block<Health>, period_ns: u64) -> Result<Self, ClaimError> {
        let health = HealthReport::claim(started, block, period_ns)?;
        Ok(Self { started, health, loop_side: started.loop_side.borrow_mut() })
    }

    /// The set-up is over: says what the loop does.
    pub fn begin(&mut self, doing: &str) {
        self.health.running();
        announce(doing);
    }

    /// Whether no stop was asked for.
    #[inline]
    pub fn goes_on(&self) -> bool {
        !self.started.flags.stop_requested()
    }

    /// Takes events.
    #[inline]
    pub fn reporter(&mut self) -> &mut Reporter {
        &mut self.loop_side.reporter
    }

    /// Ends a turn of the loop. Returns whether its statistics are to begin again, and settings
    /// that were changed.
    #[inline]
    pub fn account(&mut self, account: &LoopAccount<'_>) -> (bool, Option<Settings>) {
        self.started.heartbeat.beat();
        self.health.publish_if_due(monotonic_ns(), account);
        (self.started.flags.take_reload(), self.loop_side.new_settings())
    }

    /// The loop is over.
    pub fn finish(mut self, account: &LoopAccount<'_>) {
        self.health.finish(account);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_survives_the_health_block() {
        let mut histogram = Histogram::new();
        for time_ns in [3, 1_000, 52_000, 7_000_000_000] {
            histogram.record(time_ns);
        }
        let mut distribution = Distribution::zeroed();
        copy_histogram(&histogram, &mut distribution);
        assert_eq!(histogram_of(&distribution), histogram);
    }
}
