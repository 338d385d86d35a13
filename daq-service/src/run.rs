//! The loop: wait for data or the period, take, publish, account.

use acquisition::Plan;
use lockstep::Clock;
use plant::{Port, Range};
use rt::periodic::LoopStatistics;
use service::{Job, LoopAccount, Naming, ServiceLoop, StartError, Started};
use shm_layout::signals::Library;
use shm_layout::signals::names::RunNames;
use shm_layout::{Wait, blocks};

use crate::chain::{MeasuringChain, Waiting};
use crate::scripted::{PlantDemands, Scripted, ScriptedDriver};
use crate::turn::{Acquire, Turn};

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
            let doing = format!("acquiring from {} on CPU {cpu}, {verb} until data comes", sources.join(", "));
            let waiting = Waiting::new(how).map_err(StartError::Waiting)?;
            let _names = service::publish_names(region, blocks::DAQ_NAMES, &names_of(&plan, name))?;
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

/// What the sources and channels of a plan are called, and where others find it.
fn names_of(plan: &Plan, name: &str) -> RunNames {
    let file = match &plan.folder {
        Some(_) => {
            std::path::absolute(&plan.file).map_or_else(|_| plan.file.clone(), |path| path.display().to_string())
        }
        None => name.to_owned(),
    };
    let mut naming = Naming::new(&[(&file, "acquisition file")]);
    let sources = plan.sources.iter().map(|source| (&source.name, "1"));
    let channels = plan.channels.iter().map(|channel| (&channel.name, channel.calibration.unit.name));
    let fields = Library::new();
    for (list, names) in [("sources", sources.collect::<Vec<_>>()), ("channels", channels.collect())] {
        for (index, (name, unit)) in names.into_iter().enumerate() {
            let declared = format!("acquisition.{list}[{index}].");
            for signal in fields.all().iter().filter(|signal| signal.name.starts_with(&declared)) {
                let field = &signal.field;
                let unit = match field.name {
                    "value" => unit.to_owned(),
                    "rate" => format!("{unit}/s"),
                    "acceleration" => format!("{unit}/s²"),
                    _ => field.unit.to_owned(),
                };
                let [min, max] = field.bounds();
                let name = format!("{list}.{name}.{}", field.name);
                let port = Port::new(&name, &unit, Range::new(min, max), 0.0, field.description);
                naming.name(&signal.name, "daq", &port);
            }
        }
    }
    naming.finish()
}

fn acquire(started: &Started, mut service_loop: ServiceLoop<'_>, source: impl Acquire, doing: &str) {
    let mut turn = Turn::new(source, started.config.daq.period_us * 1_000, Clock::Monotonic);
    service_loop.begin(doing);
    turn.begin();

    while service_loop.goes_on() {
        turn.wait();
        let is_period_over = turn.take();
        if is_period_over && service_loop.account(&turn.account()).0 {
            turn.reset_statistics();
        }
    }
    service_loop.finish(&turn.account());
}

/// A path counts from the folder of the configuration.
fn read(started: &Started, name: &str) -> Result<Plan, StartError> {
    let plan = Plan::load(name, Some(&started.config.folder), &[board_emulator::SOURCE_KIND]);
    plan.map_err(|error| StartError::Acquisition(error.to_string()))
}
