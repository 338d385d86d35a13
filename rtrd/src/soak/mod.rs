//! `rtrd soak`: a vehicle under load for a long time, with faults from a seeded plan.

mod ability;
mod board;
mod disk;
mod injector;
mod instance;
mod judge;
mod load;
mod page;
mod peer;
mod plan;
mod watch;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use rt::signals::Flags;
use shm_layout::Region;
use shm_layout::blocks::DYNAMICS_HEALTH;

use ability::Abilities;
use board::Board;
use disk::SmallDisk;
use injector::Injector;
use instance::Instance;
use judge::Findings;
use load::Load;
use page::Page;
use peer::Peer;
use plan::Plan;
use watch::{Look, Watch};

/// How often the faults go on.
const TICK: Duration = Duration::from_millis(2);
/// Time between two looks (s).
const LOOK_S: f64 = 1.0;
/// Time between two lines of progress (s).
const PROGRESS_S: f64 = 30.0;

/// Run a vehicle under load for a long time, with faults from a seeded plan
///
/// Starts an instance of its own, puts load on the machine (stress-ng), kills, stops and slows down processes, puts garbage
/// into the stream of the emulated acquisition board, fills the disk of the crash
/// reports, steps the clock and unplugs a CPU where it may, and runs cyclictest beside it. At the end it writes a report with plots and says whether
/// everything was recovered from, nothing was lost, no memory was leaked, and the latencies were as good as cyclictest's. The same seed gives the same faults.
#[derive(clap::Args)]
pub struct SoakArguments {
    /// How long
    #[arg(long, value_name = "N", default_value_t = 3600.0, value_parser = clap::value_parser!(f64))]
    seconds: f64,
    /// Seed of the plan
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Repeat a plan that an earlier run wrote
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// Folder of the report; it is made
    #[arg(short, long, value_name = "DIR", default_value = "soak")]
    out: PathBuf,
    /// Put no load on the machine
    #[arg(long)]
    no_load: bool,
    /// Only print the plan
    #[arg(long)]
    dry_run: bool,
    /// Further arguments for `rtrd run`, behind `--`
    #[arg(last = true)]
    run: Vec<String>,
}

pub fn soak(arguments: &SoakArguments) -> anyhow::Result<ExitCode> {
    ensure!(
        arguments.seconds.is_finite() && arguments.seconds >= 30.0,
        "--seconds: expected 30 or more, found {}",
        arguments.seconds
    );
    let abilities = Abilities::of_this_machine(&needed_cpus()?);
    let plan = match &arguments.plan {
        Some(path) => read_plan(path)?,
        None => Plan::seeded(arguments.seed, arguments.seconds, &abilities),
    };
    if arguments.dry_run {
        for event in &plan.events {
            println!("{:8.1} s  {}", event.at_s, event.fault);
        }
        return Ok(ExitCode::SUCCESS);
    }
    std::fs::create_dir_all(&arguments.out)
        .with_context(|| format!("cannot make {}", arguments.out.display()))?;
    let flags = Flags::register().context("cannot listen for signals")?;
    let mut notes = abilities.missing();
    let load = if arguments.no_load {
        None
    } else {
        Load::start(&arguments.out).map_err(|why| notes.push(why)).ok()
    };
    for note in &notes {
        println!("  {note}");
    }
    let disk = match abilities.disk {
        Ok(()) => Some(SmallDisk::mount(&arguments.out.join("reports"))?),
        Err(_) => None,
    };
    let reports = disk
        .as_ref()
        .map_or_else(|| arguments.out.join("reports"), |disk| disk.path().to_owned());
    let name = format!("soak-{}", std::process::id());
    let board = Board::start(&arguments.out, plan.seed)?;
    let mut instance = Instance::start(
        &name,
        &arguments.out,
        &reports,
        &board.acquisition,
        &arguments.run,
    )?;
    let region = instance.wait_for_steps(is_driving)?;
    let mut watch = Watch::new(region);
    let peer = Peer::start(watch.place_of_dynamics(), plan.seconds)
        .map_err(|why| notes.push(why))
        .ok();

    let injector = Injector::new(plan.seed, disk, board.pipe.clone());
    let looks = run(&plan, injector, &mut watch, &mut instance, &flags, &mut notes)?;
    let peer = peer.and_then(|peer| peer.finish().map_err(|why| notes.push(why)).ok());
    let loaded = load.is_some();
    drop(load);
    let pids = watch.pids();
    let left_behind = instance.stop(&pids);
    drop(board);

    let ended_s = looks.last().map_or(0.0, |look| look.at_s);
    let events: Vec<plan::Event> = plan
        .events
        .iter()
        .copied()
        .filter(|event| event.at_s < ended_s)
        .collect();
    let outcomes = judge::outcomes(&events, &looks);
    let verdicts = judge::judge(&Findings {
        events: &events,
        looks: &looks,
        outcomes: &outcomes,
        went_back: &watch.went_back,
        peer: peer.as_ref(),
        left_behind: &left_behind,
    });
    let page = Page {
        plan: &plan,
        looks: &looks,
        outcomes: &outcomes,
        verdicts: &verdicts,
        peer: peer.as_ref(),
        notes: &notes,
        loaded,
    };
    page.write(&arguments.out)?;
    println!("{}", page.text().split("\n![").next().unwrap_or_default());
    println!("report: {}", arguments.out.join("soak.md").display());
    Ok(if page.passed() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn needed_cpus() -> anyhow::Result<Vec<usize>> {
    let config = service::Config::default();
    let roles = crate::view::PROCESSES.map(|(role, _)| role);
    roles
        .iter()
        .map(|role| Ok(service::place(&config, *role)?.cpu))
        .collect()
}

fn read_plan(path: &Path) -> anyhow::Result<Plan> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no plan of a soak run", path.display()))
}

fn is_driving(region: &Region) -> bool {
    let mut reader = region.reader(DYNAMICS_HEALTH);
    reader
        .latest()
        .is_some_and(|snapshot| snapshot.value.stamp.step > 1_000)
}

/// The run itself: faults at their times, a look every second.
fn run(
    plan: &Plan,
    mut injector: Injector,
    watch: &mut Watch,
    instance: &mut Instance,
    flags: &Flags,
    notes: &mut Vec<String>,
) -> anyhow::Result<Vec<Look>> {
    let begun = Instant::now();
    let (mut looks, mut next_look_s, mut next_progress_s) = (Vec::new(), 0.0, PROGRESS_S);
    let mut waiting = plan.events.iter().peekable();
    loop {
        let now_s = begun.elapsed().as_secs_f64();
        injector.go_on(now_s)?;
        if !injector.is_busy()
            && let Some(event) = waiting.next_if(|event| event.at_s <= now_s)
        {
            injector.begin(event.fault, now_s, watch.pids())?;
        }
        if now_s >= next_look_s {
            let excused = std::array::from_fn(|process| {
                judge::is_excused(process, &plan.events, next_look_s - LOOK_S, now_s)
            });
            looks.push(watch.look(now_s, excused));
            next_look_s = now_s + LOOK_S;
        }
        if now_s >= next_progress_s {
            next_progress_s = now_s + PROGRESS_S;
            let faults = plan.events.iter().filter(|event| event.at_s <= now_s).count();
            let last = looks
                .last()
                .map_or((0, 0), |look: &Look| (look.processes[2].step, look.restarts));
            println!(
                "{now_s:6.0} of {:.0} s: {} steps, {faults} of {} faults, {} restarts",
                plan.seconds,
                last.0,
                plan.events.len(),
                last.1
            );
        }
        let early = if flags.stop_requested() {
            Some("interrupted")
        } else if !instance.is_alive() || watch.is_over() {
            Some("the supervisor ended by itself")
        } else {
            None
        };
        if let Some(why) = early {
            notes.push(format!("ended after {now_s:.0} s: {why}"));
            return Ok(looks);
        }
        if now_s >= plan.seconds {
            return Ok(looks);
        }
        std::thread::sleep(TICK);
    }
}
