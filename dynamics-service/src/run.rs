//! The loop: wake, ask, take the answer, step, account. In a period in which no step is due, because somebody
//! holds the run or slows it down, it only wakes and accounts.

use lockstep::{Answerer, Asker, Clock, Report};
use rt::clock::monotonic_ns;
use rt::events::Reporter;
use rt::histogram::Histogram;
use rt::periodic::{LoopStatistics, Periodic};
use service::config::{Models, Settings};
use service::{Job, LoopAccount, ServiceLoop, StartError, Started};
use shm_layout::{Wait, Waited, blocks};
use subsystems::{Subsystems, Terms, VehicleSubsystems};

use crate::events::Watch;
use crate::{Dynamics, HoldTimes, Pace, PlantModel, VehicleModel};

/// Runs the simulation until it is asked to stop.
pub fn run(started: &Started) -> Result<(), StartError> {
    let (region, config) = (&started.region, &started.config);
    let (period_ns, wait) = (started.period_ns(), started.placement.wait);
    let settings = Settings::of(config);
    let service_loop = ServiceLoop::claim(started, blocks::DYNAMICS_HEALTH, period_ns)?;
    let _names = service::publish_names(region, blocks::NAMES, &service::names_of(&started.job))?;
    let hash = started.job.plant_hash();
    match &started.job {
        Job::Plant(scenario) => {
            let asker = Asker::new(region, PlantModel::new(scenario), hash, Clock::Monotonic)?;
            step(started, service_loop, Turn::new(asker, None, &settings, period_ns, wait));
        }
        Job::Vehicle(setup) => {
            let model = VehicleModel::new(setup, HoldTimes::of(&settings, period_ns))?;
            let asker = Asker::new(region, model, hash, Clock::Monotonic)?;
            let linked = match config.dynamics.subsystems {
                Models::Process => None,
                Models::Linked => {
                    let models = VehicleSubsystems::new(region, setup, Terms::new(config, period_ns))?;
                    let hash = started.job.controller_hash();
                    Some(Answerer::new(region, models, hash, Clock::Monotonic)?)
                }
            };
            step(started, service_loop, Turn::new(asker, linked, &settings, period_ns, wait));
        }
    }
    Ok(())
}

fn step(started: &Started, mut service_loop: ServiceLoop<'_>, mut turn: Turn<impl Dynamics>) {
    let mut periodic = Periodic::new(started.period_ns(), started.config.dynamics.overrun);
    let mut exchange = Histogram::new();
    let mut pace = Pace::new(&started.region, &Settings::of(&started.config));
    service_loop.begin(&format!("stepping {}", started.placement.lock_step_text()));

    while service_loop.goes_on() {
        let Some(wake) = periodic.wait() else { continue };
        if pace.is_due(wake.woke_ns, turn.report().step, service_loop.reporter()) {
            turn.ask(wake.scheduled_ns);
            turn.await_answer(wake.scheduled_ns.max(wake.woke_ns));
            exchange.record(monotonic_ns().saturating_sub(wake.woke_ns));
            turn.advance();
            let over_ns = wake.latency_ns + periodic.finish_step();
            turn.look(over_ns, service_loop.reporter());
        }
        let (resets, settings) = service_loop.account(&turn.account(periodic.statistics(), &exchange));
        if resets {
            periodic.reset_statistics();
            exchange = Histogram::new();
        }
        if let Some(settings) = settings {
            periodic.set_policy(settings.overrun);
            pace.take_settings(&settings);
            turn.take_settings(&settings);
        }
    }
    service_loop.finish(&turn.account(periodic.statistics(), &exchange));
}

/// A model with all that a turn needs. Everything but making one is real-time safe.
pub struct Turn<M: Dynamics> {
    asker: Asker<M>,
    /// Subsystem models that run in this process.
    linked: Option<Answerer<VehicleSubsystems>>,
    wait: Wait,
    period_ns: u64,
    answer_ns: u64,
    watch: Watch,
}

impl<M: Dynamics> Turn<M> {
    /// Turns of a model in steps of this length, with its subsystems if they run in this process.
    pub fn new(
        asker: Asker<M>,
        linked: Option<Answerer<VehicleSubsystems>>,
        settings: &Settings,
        period_ns: u64,
        wait: Wait,
    ) -> Self {
        let answer_ns = settings.answer_ns(period_ns);
        Self { asker, linked, wait, period_ns, answer_ns, watch: Watch::new(period_ns) }
    }

    /// Publishes the question of the step that was due at this time. Models in this process answer
    /// at once; only the subsystems of other processes are waited for.
    #[inline]
    pub fn ask(&mut self, due_ns: u64) {
        self.asker.ask(due_ns, self.wait);
        if let Some(linked) = &mut self.linked
            && linked.await_question(0, Wait::Spin) == Waited::Answered
        {
            linked.answer(self.wait);
        }
    }

    /// Takes the answer, which may come until some time after the beginning of the step.
    #[inline]
    pub fn await_answer(&mut self, begun_ns: u64) -> Waited {
        self.asker.await_answer(begun_ns + self.answer_ns, self.wait)
    }

    /// Makes the step, unless no answer has ever come: simulated time begins with the first.
    #[inline]
    pub fn advance(&mut self) {
        if self.asker.has_begun() {
            self.asker.advance();
        }
    }

    /// Reports how the step went, which was over so long after it was due (ns).
    #[inline]
    pub fn look(&mut self, over_ns: u64, reporter: &mut Reporter) {
        if self.asker.has_begun() {
            self.watch.look(&self.asker.report(), over_ns, reporter);
        }
    }

    /// Takes over settings that were changed.
    pub fn take_settings(&mut self, settings: &Settings) {
        self.answer_ns = settings.answer_ns(self.period_ns);
        self.asker.model.take_settings(settings);
        if let Some(linked) = &mut self.linked {
            linked.responder.take_settings(settings);
        }
    }

    /// How the last step went.
    #[must_use]
    pub fn report(&self) -> Report {
        self.asker.report()
    }

    /// What was counted.
    pub fn account<'a>(&self, statistics: &'a LoopStatistics, exchange: &'a Histogram) -> LoopAccount<'a> {
        let report = self.report();
        let linked_warnings = self.linked.as_ref().map_or(0, |linked| linked.reply().warnings);
        LoopAccount {
            exchange: Some(exchange),
            misses: report.misses,
            warnings: report.warnings + linked_warnings,
            ..LoopAccount::new(report.step, statistics)
        }
    }
}
