//! The loop: wake, sample, account.

use rt::clock::monotonic_ns;
use rt::periodic::{OverrunPolicy, Periodic};
use service::{HealthReport, Job, StartError, Started, copy_loop};
use shm_layout::blocks::{self, STATE_STOPPED};

use crate::acquiring;
use crate::acquisition::Acquisition;
use crate::sampling::Sampling;
use crate::vehicle::ScriptedDriver;

fn source(started: &Started) -> Result<Box<dyn Sampling>, StartError> {
    Ok(match &started.job {
        Job::Plant(scenario) => Box::new(Acquisition::new(&started.region, scenario)?),
        Job::Vehicle(setup) => Box::new(ScriptedDriver::new(
            &started.region,
            setup,
            started.job.controller_hash(),
        )?),
    })
}

/// Acquires until it is asked to stop.
pub fn run(started: &Started) -> Result<(), StartError> {
    match &started.config.daq.acquisition {
        Some(name) => acquiring::run(started, name),
        None => play(started),
    }
}

/// Plays the script of the scenario.
fn play(started: &Started) -> Result<(), StartError> {
    let period_ns = started.config.daq.period_us * 1_000;
    let mut health = HealthReport::claim(started, blocks::DAQ_HEALTH, period_ns)?;
    let mut acquisition = source(started)?;
    let mut periodic = Periodic::new(period_ns, OverrunPolicy::Skip);
    acquisition.sample(monotonic_ns());
    health.running();
    service::announce(&format!("acquiring on CPU {}", started.placement.cpu));

    while !started.flags.stop_requested() {
        let Some(wake) = periodic.wait() else { continue };
        acquisition.sample(wake.woke_ns);
        periodic.finish_step();
        started.heartbeat.beat();
        health.publish_if_due(monotonic_ns(), acquisition.samples(), |health| {
            copy_loop(periodic.statistics(), health);
        });
        if started.flags.take_reload() {
            periodic.reset_statistics();
        }
    }
    health.finish(STATE_STOPPED, acquisition.samples(), |health| {
        copy_loop(periodic.statistics(), health)
    });
    Ok(())
}
