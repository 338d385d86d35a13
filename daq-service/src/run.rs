//! The loop: wait for data or the period, take, publish, account.

use acquisition::Plan;
use lockstep::Clock;
use plant::{Port, Range};
use rt::clock::{monotonic_ns, sleep_until_ns};
use rt::periodic::LoopStatistics;
use service::{Job, LoopAccount, Naming, ServiceLoop, StartError, Started};
use shm_layout::signals::Library;
use shm_layout::signals::names::RunNames;
use shm_layout::{Wait, blocks};

use crate::chain::{MeasuringChain, Waiting};
use crate::scripted::{PlantDemands, Script, Scripted, ScriptedDriver};

/// What the loop acquires from. Everything here is real-time safe.
pub trait Acquire {
    /// Returns when there may be data, or at the deadline, or when a signal comes.
    fn wait(&mut self, deadline_ns: u64) {
        // A signal ends it early; the flags are looked at next.
        let _ = sleep_until_ns(deadline_ns);
    }

    /// Takes everything that has arrived; returns whether that was anything.
    fn take(&mut self, _now_ns: u64) -> bool {
        false
    }

    /// Publishes the newest values.
    fn publish(&mut self, now_ns: u64);

    /// A period is over.
    fn end_period(&mut self, _now_ns: u64) {}

    /// What was counted.
    fn account<'a>(&self, statistics: &'a LoopStatistics) -> LoopAccount<'a>;
}

impl<S: Script> Acquire for Scripted<S> {
    fn publish(&mut self, now_ns: u64) {
        self.sample(now_ns);
    }

    fn account<'a>(&self, statistics: &'a LoopStatistics) -> LoopAccount<'a> {
        LoopAccount::new(self.samples(), statistics)
    }
}

/// Sources of an acquisition file, and how to wait for them.
struct Measured {
    chain: MeasuringChain,
    waiting: Waiting,
}

impl Acquire for Measured {
    fn wait(&mut self, deadline_ns: u64) {
        self.waiting.wait(&mut self.chain, deadline_ns);
    }

    fn take(&mut self, now_ns: u64) -> bool {
        let blocks = self.chain.take(now_ns);
        if blocks > 0 {
            self.waiting.received(now_ns, blocks);
        }
        blocks > 0
    }

    fn publish(&mut self, now_ns: u64) {
        self.chain.publish(now_ns);
    }

    fn end_period(&mut self, now_ns: u64) {
        self.chain.return_torque(now_ns);
    }

    fn account<'a>(&self, statistics: &'a LoopStatistics) -> LoopAccount<'a> {
        self.chain.account(statistics)
    }
}

/// Acquires until it is asked to stop: from the sources of a file, or from the script of the
/// scenario.
pub fn run(started: &Started) -> Result<(), StartError> {
    let (region, config) = (&started.region, &started.config);
    let service_loop = ServiceLoop::claim(started, blocks::DAQ_HEALTH, config.daq.period_us * 1_000)?;
    let cpu = started.placement.cpu;
    let scripted = format!("acquiring on CPU {cpu}");
    match (&config.daq.acquisition, &started.job) {
        (Some(name), job) => {
            let plan = read(started, name)?;
            let sources: Vec<&str> = plan.sources.iter().map(|source| source.name.as_str()).collect();
            let how = Waiting::choose(config.daq.wait, &started.placement);
            let verb = if how == Wait::Spin { "spinning" } else { "sleeping" };
            let doing =
                format!("acquiring from {} on CPU {cpu}, {verb} until data comes", sources.join(", "));
            let waiting = Waiting::new(how).map_err(StartError::Waiting)?;
            let _names = service::publish_names(region, blocks::DAQ_NAMES, &names_of(&plan))?;
            let chain = MeasuringChain::new(region, plan, job)?.with_period_ns(config.daq.period_us * 1_000);
            acquire(started, service_loop, Measured { chain, waiting }, &doing);
        }
        (None, Job::Plant(scenario)) => {
            let script = PlantDemands::new(region, scenario);
            let source = Scripted::new(region, script, Clock::Monotonic)?;
            acquire(started, service_loop, source, &scripted);
        }
        (None, Job::Vehicle(setup)) => {
            let script = ScriptedDriver::new(region, setup, started.job.controller_hash())?;
            let source = Scripted::new(region, script, Clock::Monotonic)?;
            acquire(started, service_loop, source, &scripted);
        }
    }
    Ok(())
}

/// What the sources and channels of a plan are called.
fn names_of(plan: &Plan) -> RunNames {
    let mut naming = Naming::new(&[(&plan.file, "acquisition file")]);
    let sources: Vec<&String> = plan.sources.iter().map(|source| &source.name).collect();
    let channels: Vec<&String> = plan.channels.iter().map(|channel| &channel.name).collect();
    let fields = Library::new();
    for (list, names) in [("sources", sources), ("channels", channels)] {
        for (index, name) in names.into_iter().enumerate() {
            let declared = format!("acquisition.{list}[{index}].");
            for signal in fields.all().iter().filter(|signal| signal.name.starts_with(&declared)) {
                let name = format!("{list}.{name}.{}", signal.field.name);
                let [min, max] = signal.field.bounds();
                let port =
                    Port::new(&name, signal.field.unit, Range::new(min, max), 0.0, signal.field.description);
                naming.name(&signal.name, "daq", &port);
            }
        }
    }
    naming.finish()
}

fn acquire(started: &Started, mut service_loop: ServiceLoop<'_>, mut source: impl Acquire, doing: &str) {
    let period_ns = started.config.daq.period_us * 1_000;
    let mut statistics = LoopStatistics::default();
    source.publish(monotonic_ns());
    service_loop.begin(doing);
    let mut due_ns = monotonic_ns() + period_ns;

    while service_loop.goes_on() {
        source.wait(due_ns);
        let woke_ns = monotonic_ns();
        let has_news = source.take(woke_ns);
        let is_due = woke_ns >= due_ns;
        if !has_news && !is_due {
            continue;
        }
        source.publish(woke_ns);
        let execution_ns = monotonic_ns() - woke_ns;
        statistics.wakeups += 1;
        statistics.execution.record(execution_ns);
        if is_due {
            let late_ns = woke_ns - due_ns;
            statistics.latency.record(late_ns);
            statistics.skipped += late_ns / period_ns;
            due_ns = woke_ns - late_ns % period_ns + period_ns;
            statistics.overruns += u64::from(woke_ns + execution_ns > due_ns);
            source.end_period(woke_ns);
            let (resets, _) = service_loop.account(&source.account(&statistics));
            if resets {
                statistics = LoopStatistics::default();
            }
        }
    }
    service_loop.finish(&source.account(&statistics));
}

/// A path counts from the folder of the configuration.
fn read(started: &Started, name: &str) -> Result<Plan, StartError> {
    let plan = Plan::load(name, Some(&started.config.folder), &[board_emulator::SOURCE_KIND]);
    plan.map_err(|error| StartError::Acquisition(error.to_string()))
}
