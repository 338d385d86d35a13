//! The loop: wait for a question, answer it, account.

use rt::clock::{monotonic_ns, sleep_until_ns};
use rt::histogram::Histogram;
use service::config::Models;
use service::vehicle::{Terms, VehicleSubsystems};
use service::{Answering, HealthReport, Job, StartError, Started, copy_histogram};
use shm_layout::blocks::{self, Health, STATE_STOPPED};
use shm_layout::{Wait, Waited};

use crate::answer::Subsystems;
use crate::events::Watch;
use crate::idle::Idle;

/// How long one wait for a question lasts before the flags are looked at again.
const PATIENCE_NS: u64 = 20_000_000;
/// A spinning process sleeps until so long before the next question: it is there in time, burns little, and stays far
/// below the kernel's limit for real-time threads, which would stop a thread that never sleeps.
const EARLY_NS: u64 = 100_000;

/// What the loop has counted.
#[derive(Default)]
struct Account {
    wakeups: u64,
    latency: Histogram,
    execution: Histogram,
}

/// Answers the dynamics until it is asked to stop.
pub fn run(started: &Started) -> Result<(), StartError> {
    let period_ns = (started.job.step_s() * 1e9).round() as u64;
    let wait = started.placement.wait;
    let mut health = HealthReport::claim(started, blocks::SUBSYSTEM_HEALTH, period_ns)?;
    let mut subsystems = models(started, period_ns)?;
    let mut account = Account::default();
    let mut beside = started.loop_side.borrow_mut();
    let mut watch = Watch::new(&*subsystems);
    health.running();
    service::announce(&match is_linked(started) {
        true => "idle: dynamics-service runs the subsystems itself".to_owned(),
        false => format!("answering {}", started.placement.lock_step_text()),
    });

    while !started.flags.stop_requested() {
        let waited = subsystems.await_question(monotonic_ns() + PATIENCE_NS, wait);
        if waited == Waited::Answered {
            let woke_ns = monotonic_ns();
            let asked_ns = subsystems
                .question()
                .map_or(woke_ns, |question| question.publish_ns);
            let is_answered = subsystems.answer(wait);
            watch.look(&*subsystems, is_answered, &mut beside.reporter);
            account.wakeups += 1;
            account.latency.record(woke_ns.saturating_sub(asked_ns));
            account.execution.record(monotonic_ns().saturating_sub(woke_ns));
        }
        started.heartbeat.beat();
        health.publish_if_due(monotonic_ns(), subsystems.step(), |health| {
            fill(health, &account, &*subsystems)
        });
        if started.flags.take_reload() {
            account = Account::default();
        }
        if let Some(settings) = beside.new_settings() {
            subsystems.take_settings(&settings);
        }
        if wait == Wait::Spin
            && waited == Waited::Answered
            && let Some(question) = subsystems.question()
        {
            // A signal ends it early; the flags are looked at next.
            let _ = sleep_until_ns((question.sample_ns + period_ns).saturating_sub(EARLY_NS));
        }
    }
    health.finish(STATE_STOPPED, subsystems.step(), |health| {
        fill(health, &account, &*subsystems)
    });
    Ok(())
}

fn models(started: &Started, period_ns: u64) -> Result<Box<dyn Answering>, StartError> {
    let terms = Terms::new(&started.config, period_ns);
    Ok(match &started.job {
        Job::Plant(scenario) => Box::new(Subsystems::new(
            &started.region,
            scenario,
            terms.driver_timeout_ns,
        )?),
        Job::Vehicle(_) if is_linked(started) => Box::new(Idle),
        Job::Vehicle(setup) => {
            let hash = started.job.controller_hash();
            Box::new(VehicleSubsystems::new(&started.region, setup, hash, terms)?)
        }
    })
}

fn is_linked(started: &Started) -> bool {
    matches!(started.job, Job::Vehicle(_)) && started.config.dynamics.subsystems == Models::Linked
}

fn fill(health: &mut Health, account: &Account, subsystems: &dyn Answering) {
    health.wakeups = account.wakeups;
    copy_histogram(&account.latency, &mut health.latency);
    copy_histogram(&account.execution, &mut health.execution);
    health.model_warnings = subsystems.warnings();
}
