//! The loop: wait for a question, answer it, account.

use lockstep::{Answerer, Clock, Reply};
use rt::clock::{monotonic_ns, sleep_until_ns};
use rt::events::Reporter;
use rt::periodic::LoopStatistics;
use service::config::{Models, Settings};
use service::{Job, LoopAccount, ServiceLoop, StartError, Started};
use shm_layout::{Wait, Waited, blocks};
use subsystems::{PlantController, Subsystems, Terms, VehicleSubsystems};

use crate::events::Watch;

/// How long one wait for a question lasts before the flags are looked at again.
const LONGEST_WAIT_NS: u64 = 20_000_000;
/// A spinning process sleeps until so long before the next question: it is there in time, uses
/// little, and stays far below the kernel's limit for real-time threads, which would stop a thread
/// that never sleeps.
const EARLY_NS: u64 = 100_000;
/// So many periods it spins for a question. When none has come then, the run is held, in slow motion, or the dynamics
/// are gone: until the next one it only looks so many times in a period.
const SPINS_PERIODS: u64 = 2;
const LOOKS_PER_PERIOD: u64 = 10;

/// Answers the dynamics until it is asked to stop.
pub fn run(started: &Started) -> Result<(), StartError> {
    let (region, config) = (&started.region, &started.config);
    let terms = Terms::new(config, started.period_ns());
    let service_loop = ServiceLoop::claim(started, blocks::SUBSYSTEM_HEALTH, started.period_ns())?;
    let hash = started.job.controller_hash();
    match &started.job {
        Job::Plant(scenario) => {
            let controller = PlantController::new(region, scenario, terms.driver_timeout_ns);
            answer(started, service_loop, Answerer::new(region, controller, hash, Clock::Monotonic)?);
        }
        Job::Vehicle(_) if config.dynamics.subsystems == Models::Linked => idle(service_loop),
        Job::Vehicle(setup) => {
            let models = VehicleSubsystems::new(region, setup, terms)?;
            answer(started, service_loop, Answerer::new(region, models, hash, Clock::Monotonic)?);
        }
    }
    Ok(())
}

fn answer(started: &Started, mut service_loop: ServiceLoop<'_>, answerer: Answerer<impl Subsystems>) {
    let wait = started.placement.wait;
    let mut turn = Turn::new(answerer, wait);
    let mut statistics = LoopStatistics::default();
    let mut is_left_alone = false;
    service_loop.begin(&format!("answering {}", started.placement.lock_step_text()));

    while service_loop.goes_on() {
        let longest_ns = match wait {
            Wait::Sleep => LONGEST_WAIT_NS,
            Wait::Spin if is_left_alone => 0,
            Wait::Spin => LONGEST_WAIT_NS.min(SPINS_PERIODS * started.period_ns()),
        };
        let waited = turn.await_question(monotonic_ns() + longest_ns);
        is_left_alone = waited != Waited::Answered;
        if waited == Waited::Answered {
            let woke_ns = monotonic_ns();
            let reply = turn.answer(service_loop.reporter());
            statistics.wakeups += 1;
            statistics.latency.record(woke_ns.saturating_sub(reply.question.publish_ns));
            statistics.execution.record(monotonic_ns().saturating_sub(woke_ns));
        }
        let (resets, settings) = service_loop.account(&turn.account(&statistics));
        if resets {
            statistics = LoopStatistics::default();
        }
        if let Some(settings) = settings {
            turn.take_settings(&settings);
        }
        if wait == Wait::Spin {
            let next_ns = if is_left_alone {
                monotonic_ns() + LONGEST_WAIT_NS.min(started.period_ns() / LOOKS_PER_PERIOD)
            } else {
                (turn.reply().question.sample_ns + started.period_ns()).saturating_sub(EARLY_NS)
            };
            // A signal ends it early; the flags are looked at next.
            let _ = sleep_until_ns(next_ns);
        }
    }
    service_loop.finish(&turn.account(&statistics));
}

/// The dynamics run the models themselves; the process can still be watched, reloaded and ended.
fn idle(mut service_loop: ServiceLoop<'_>) {
    let statistics = LoopStatistics::default();
    let account = LoopAccount::new(0, &statistics);
    service_loop.begin("idle: dynamics-service runs the subsystems itself");
    while service_loop.goes_on() {
        // A signal ends it early; the flags are looked at next.
        let _ = sleep_until_ns(monotonic_ns() + LONGEST_WAIT_NS);
        service_loop.account(&account);
    }
    service_loop.finish(&account);
}

/// Models with all that a turn needs. Everything but making one is real-time safe.
pub struct Turn<R: Subsystems> {
    answerer: Answerer<R>,
    wait: Wait,
    watch: Watch,
}

impl<R: Subsystems> Turn<R> {
    /// Turns of these models.
    pub fn new(answerer: Answerer<R>, wait: Wait) -> Self {
        let watch = Watch::new(&answerer.reply());
        Self { answerer, wait, watch }
    }

    /// Waits for a question that has not been seen.
    #[inline]
    pub fn await_question(&mut self, deadline_ns: u64) -> Waited {
        self.answerer.await_question(deadline_ns, self.wait)
    }

    /// Answers it and reports how that went.
    #[inline]
    pub fn answer(&mut self, reporter: &mut Reporter) -> Reply {
        let reply = self.answerer.answer(self.wait);
        self.watch.look(&reply, reporter);
        reply
    }

    /// Takes over settings that were changed.
    pub fn take_settings(&mut self, settings: &Settings) {
        self.answerer.responder.take_settings(settings);
    }

    /// How the last question was dealt with.
    #[must_use]
    pub fn reply(&self) -> Reply {
        self.answerer.reply()
    }

    /// What was counted.
    pub fn account<'a>(&self, statistics: &'a LoopStatistics) -> LoopAccount<'a> {
        let reply = self.reply();
        LoopAccount { warnings: reply.warnings, ..LoopAccount::new(reply.step, statistics) }
    }
}
