//! The loop: wake, ask, take the answer, step, account. In a period in which no step is due, because somebody
//! holds the run or slows it down, it only wakes and accounts.

use lockstep::{Answerer, Asker, Clock};
use rt::clock::monotonic_ns;
use rt::histogram::Histogram;
use rt::periodic::Periodic;
use service::config::{Models, Settings};
use service::{Job, ServiceLoop, StartError, Started};
use shm_layout::blocks;
use subsystems::{Terms, VehicleSubsystems};

use crate::{Dynamics, HoldTimes, Pace, PlantModel, Turn, VehicleModel};

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
