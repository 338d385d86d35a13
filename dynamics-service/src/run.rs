//! The loop: wake, ask, take the answer, step, account.

use lockstep::{Answerer, Asker, Clock};
use rt::clock::monotonic_ns;
use rt::histogram::Histogram;
use rt::periodic::Periodic;
use service::config::{Models, Settings};
use service::{Job, LoopAccount, ServiceLoop, StartError, Started};
use shm_layout::blocks;
use shm_layout::{Wait, Waited};
use subsystems::{Subsystems, Terms, VehicleSubsystems};

use crate::events::Watch;
use crate::{Dynamics, HoldTimes, PlantModel, VehicleModel};

/// Subsystem models that run in this process.
type Linked = Option<Answerer<VehicleSubsystems>>;

/// Runs the simulation until it is asked to stop.
pub fn run(started: &Started) -> Result<(), StartError> {
    let (region, config) = (&started.region, &started.config);
    let period_ns = started.period_ns();
    let service_loop = ServiceLoop::claim(started, blocks::DYNAMICS_HEALTH, period_ns)?;
    let _names = service::publish_names(region, blocks::NAMES, &service::names_of(&started.job))?;
    let hash = started.job.plant_hash();
    match &started.job {
        Job::Plant(scenario) => {
            let asker = Asker::new(region, PlantModel::new(scenario), hash, Clock::Monotonic)?;
            step(started, service_loop, asker, None)
        }
        Job::Vehicle(setup) => {
            let hold_times = HoldTimes::of(&Settings::of(config), period_ns);
            let model = VehicleModel::new(setup, hold_times)?;
            let asker = Asker::new(region, model, hash, Clock::Monotonic)?;
            let linked = match config.dynamics.subsystems {
                Models::Process => None,
                Models::Linked => {
                    let models = VehicleSubsystems::new(region, setup, Terms::new(config, period_ns))?;
                    let hash = started.job.controller_hash();
                    Some(Answerer::new(region, models, hash, Clock::Monotonic)?)
                }
            };
            step(started, service_loop, asker, linked)
        }
    }
}

fn step<M: Dynamics>(
    started: &Started,
    mut service_loop: ServiceLoop<'_>,
    mut asker: Asker<M>,
    mut linked: Linked,
) -> Result<(), StartError> {
    let period_ns = started.period_ns();
    let wait = started.placement.wait;
    let mut answer_ns = Settings::of(&started.config).answer_ns(period_ns);
    let mut periodic = Periodic::new(period_ns, started.config.dynamics.overrun);
    let mut exchange = Histogram::new();
    let mut watch = Watch::new(period_ns);
    service_loop.begin(&format!("stepping {}", started.placement.lock_step_text()));

    while service_loop.goes_on() {
        let Some(wake) = periodic.wait() else { continue };
        asker.ask(wake.scheduled_ns, wait);
        if let Some(answerer) = &mut linked {
            answer_here(answerer, wait);
        }
        asker.await_answer(wake.scheduled_ns.max(wake.woke_ns) + answer_ns, wait);
        exchange.record(monotonic_ns().saturating_sub(wake.woke_ns));
        if asker.has_begun() {
            asker.advance();
        }
        let execution_ns = periodic.finish_step();
        if asker.has_begun() {
            watch.look(&asker.report(), wake.latency_ns + execution_ns, service_loop.reporter());
        }
        let (resets, settings) = service_loop.account(&account(&asker, &linked, &periodic, &exchange));
        if resets {
            periodic.reset_statistics();
            exchange = Histogram::new();
        }
        if let Some(settings) = settings {
            answer_ns = settings.answer_ns(period_ns);
            periodic.set_policy(settings.overrun);
            asker.model.take_settings(&settings);
            if let Some(answerer) = &mut linked {
                answerer.responder.take_settings(&settings);
            }
        }
    }
    service_loop.finish(&account(&asker, &linked, &periodic, &exchange));
    Ok(())
}

fn account<'a, M: Dynamics>(
    asker: &Asker<M>,
    linked: &Linked,
    periodic: &'a Periodic,
    exchange: &'a Histogram,
) -> LoopAccount<'a> {
    let report = asker.report();
    let linked_warnings = linked.as_ref().map_or(0, |linked| linked.reply().warnings);
    LoopAccount {
        exchange: Some(exchange),
        misses: report.misses,
        warnings: report.warnings + linked_warnings,
        ..LoopAccount::new(report.step, periodic.statistics())
    }
}

/// Answers in this process; only the subsystems of other processes are waited for. Real-time safe.
#[inline]
pub fn answer_here(answerer: &mut Answerer<VehicleSubsystems>, wait: Wait) {
    if answerer.await_question(0, Wait::Spin) == Waited::Answered {
        answerer.answer(wait);
    }
}
