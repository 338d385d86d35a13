//! The loop: wait for data or the period, take, publish, account.

use acquisition::Plan;
use rt::clock::monotonic_ns;
use rt::periodic::LoopStatistics;
use service::{HealthReport, StartError, Started, copy_loop};
use shm_layout::Wait;
use shm_layout::blocks::{self, Health, STATE_STOPPED};

use super::{Acquiring, Waiting};

/// Acquires by a file until it is asked to stop.
pub fn run(started: &Started, name: &str) -> Result<(), StartError> {
    let period_ns = started.config.daq.period_us * 1_000;
    let mut health = HealthReport::claim(started, blocks::DAQ_HEALTH, period_ns)?;
    let plan = read(started, name)?;
    let sources: Vec<String> = plan.sources.iter().map(|source| source.name.clone()).collect();
    let mut acquiring = Acquiring::new(&started.region, plan, &started.job)?;
    let how = Waiting::choose(started.config.daq.wait, &started.placement);
    let mut waiting =
        Waiting::new(how).map_err(|error| StartError::Acquisition(format!("cannot wait: {error}")))?;
    let mut statistics = LoopStatistics::default();
    acquiring.publish(monotonic_ns());
    health.running();
    service::announce(&announcement(started, &sources, how));

    let mut due_ns = monotonic_ns() + period_ns;
    while !started.flags.stop_requested() {
        waiting.wait(&mut acquiring, due_ns);
        let woke_ns = monotonic_ns();
        let blocks = acquiring.take(woke_ns);
        let has_news = blocks > 0;
        if has_news {
            waiting.heard(woke_ns, blocks);
        }
        let is_due = woke_ns >= due_ns;
        if !has_news && !is_due {
            continue;
        }
        acquiring.publish(woke_ns);
        statistics.wakeups += 1;
        statistics.execution.record(monotonic_ns() - woke_ns);
        if is_due {
            statistics.latency.record(woke_ns - due_ns);
            statistics.skipped += (woke_ns - due_ns) / period_ns;
            due_ns = woke_ns - (woke_ns - due_ns) % period_ns + period_ns;
            acquiring.feel(woke_ns);
            started.heartbeat.beat();
            let fill = |health: &mut Health| account(&acquiring, &statistics, health);
            health.publish_if_due(woke_ns, acquiring.publications(), fill);
            if started.flags.take_reload() {
                statistics = LoopStatistics::default();
            }
        }
    }
    health.finish(STATE_STOPPED, acquiring.publications(), |health| {
        account(&acquiring, &statistics, health);
    });
    Ok(())
}

/// A path counts from the folder of the configuration.
fn read(started: &Started, name: &str) -> Result<Plan, StartError> {
    let path = started.config.folder.join(name);
    let plan = match path.is_file() {
        true => Plan::load(&path.display().to_string()),
        false => Plan::load(name),
    };
    plan.map_err(|error| StartError::Acquisition(error.to_string()))
}

fn announcement(started: &Started, sources: &[String], how: Wait) -> String {
    let waiting = match how {
        Wait::Spin => "spinning",
        Wait::Sleep => "sleeping",
    };
    let (sources, cpu) = (sources.join(", "), started.placement.cpu);
    format!("acquiring from {sources} on CPU {cpu}, {waiting} until data comes")
}

fn account(acquiring: &Acquiring, statistics: &LoopStatistics, health: &mut Health) {
    copy_loop(statistics, health);
    acquiring.account(health);
}
