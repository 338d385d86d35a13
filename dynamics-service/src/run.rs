//! The loop: wake, exchange, step, account.

use rt::clock::monotonic_ns;
use rt::histogram::Histogram;
use rt::periodic::Periodic;
use service::config::{Models, Settings};
use service::vehicle::{Terms, VehicleSubsystems};
use service::{HealthReport, Job, StartError, Started, copy_histogram};
use shm_layout::blocks::{self, Health, STATE_STOPPED};

use crate::events::Watch;
use crate::exchange::Exchange;
use crate::linked::Linked;
use crate::response::Patience;
use crate::simulation::Simulation;
use crate::vehicle::VehicleSimulation;

/// Runs the simulation until it is asked to stop.
pub fn run(started: &Started) -> Result<(), StartError> {
    let period_ns = (started.job.step_s() * 1e9).round() as u64;
    let mut answer_ns = Settings::of(&started.config).answer_ns(period_ns);
    let wait = started.placement.wait;
    let mut health = HealthReport::claim(started, blocks::DYNAMICS_HEALTH, period_ns)?;
    let mut simulation = simulation(started, period_ns)?;
    let mut periodic = Periodic::new(period_ns, started.config.dynamics.overrun);
    let mut exchange = Histogram::new();
    let mut beside = started.loop_side.borrow_mut();
    let mut watch = Watch::new(&*simulation, period_ns);
    health.running();
    service::announce(&format!("stepping {}", started.placement.lock_step_text()));

    while !started.flags.stop_requested() {
        let Some(wake) = periodic.wait() else { continue };
        simulation.publish(wake.scheduled_ns, wait);
        simulation.await_answer(wake.scheduled_ns.max(wake.woke_ns) + answer_ns, wait);
        exchange.record(monotonic_ns().saturating_sub(wake.woke_ns));
        if simulation.has_begun() {
            simulation.advance();
        }
        let execution_ns = periodic.finish_step();
        if simulation.has_begun() {
            watch.look(&*simulation, wake.latency_ns + execution_ns, &mut beside.reporter);
        }
        started.heartbeat.beat();
        health.publish_if_due(monotonic_ns(), simulation.step(), |health| {
            fill(health, &periodic, &exchange, &*simulation);
        });
        if started.flags.take_reload() {
            periodic.reset_statistics();
            exchange = Histogram::new();
        }
        if let Some(settings) = beside.new_settings() {
            answer_ns = settings.answer_ns(period_ns);
            periodic.set_policy(settings.overrun);
            simulation.take_settings(&settings);
        }
    }
    health.finish(STATE_STOPPED, simulation.step(), |health| {
        fill(health, &periodic, &exchange, &*simulation)
    });
    Ok(())
}

fn simulation(started: &Started, period_ns: u64) -> Result<Box<dyn Exchange>, StartError> {
    let (region, job, dynamics) = (&started.region, &started.job, &started.config.dynamics);
    let setup = match job {
        Job::Plant(scenario) => return Ok(Box::new(Simulation::new(region, scenario)?)),
        Job::Vehicle(setup) => setup,
    };
    let patience = Patience::of(&Settings::of(&started.config), period_ns);
    let simulation = VehicleSimulation::new(region, setup, job.plant_hash(), patience)?;
    if dynamics.subsystems == Models::Process {
        return Ok(Box::new(simulation));
    }
    let terms = Terms::new(&started.config, period_ns);
    let subsystems = VehicleSubsystems::new(region, setup, job.controller_hash(), terms)?;
    Ok(Box::new(Linked::new(simulation, subsystems)))
}

fn fill(health: &mut Health, periodic: &Periodic, exchange: &Histogram, simulation: &dyn Exchange) {
    service::copy_loop(periodic.statistics(), health);
    copy_histogram(exchange, &mut health.exchange);
    health.exchange_misses = simulation.misses();
    health.model_warnings = simulation.warnings();
}
