//! `rtrd-soak`, which `rtrd soak` starts: a vehicle under load for a long time, with faults from a
//! seeded plan.

mod ability;
mod board;
mod course;
mod disk;
mod growth;
mod injector;
mod instance;
mod judge;
mod load;
mod pace;
mod page;
mod peer;
mod plan;
mod recovery;
mod reports;
mod running;
mod watch;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::Parser;
use rt::signals::Flags;
use shm_layout::Region;
use shm_layout::blocks::DYNAMICS_HEALTH;

use ability::Abilities;
use board::Board;
use course::Parts;
use disk::SmallDisk;
use injector::Injector;
use instance::Instance;
use judge::Findings;
use load::Load;
use page::Page;
use peer::Peer;
use plan::Plan;
use watch::Watch;

/// Run a vehicle under load for a long time, with faults from a seeded plan
///
/// Starts an instance of its own, puts load on the machine (stress-ng), kills, stops and slows down
/// processes, puts garbage into the stream of the emulated acquisition board, fills the disk of the
/// crash reports, steps the clock and unplugs a CPU where it may, and runs cyclictest between the
/// faults. At the end it writes a report with plots and says whether it came to its end, everything
/// was recovered from, nothing was lost, no memory was leaked, and the latencies were as good as
/// cyclictest's. The same seed gives the same faults on a machine that allows the same kinds.
#[derive(clap::Parser)]
#[command(name = "rtrd soak", version, max_term_width = 110)]
struct SoakArguments {
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
    /// Put no load on the machine; such a run does not pass
    #[arg(long)]
    no_load: bool,
    /// Only print the plan
    #[arg(long)]
    dry_run: bool,
    /// Further arguments for `rtrd run`, behind `--`
    #[arg(last = true)]
    run: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = SoakArguments::parse();
    service::start_logging();
    soak(&arguments).unwrap_or_else(|error| {
        eprintln!("rtrd soak: {error:#}");
        ExitCode::FAILURE
    })
}

fn soak(arguments: &SoakArguments) -> anyhow::Result<ExitCode> {
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
    std::fs::create_dir_all(&arguments.out).with_context(|| format!("cannot make {}", arguments.out.display()))?;
    page::write_plan(&plan, &arguments.out)?;
    let flags = Flags::register_patiently().context("cannot listen for signals")?;
    let mut notes = abilities.missing();
    let mut load = start_load(arguments, plan.seconds);
    let reports = arguments.out.join("reports");
    let disk = abilities.disk.is_ok().then(|| SmallDisk::mount(&arguments.out.join("disk")));
    let disk = disk.and_then(|disk| disk.map_err(|error| notes.push(format!("{error:#}"))).ok());
    for note in notes.iter().chain(load.as_ref().err()) {
        println!("  {note}");
    }
    let written = disk.as_ref().map_or_else(|| reports.clone(), |disk| disk.path().to_owned());
    let board = Board::start(&arguments.out, plan.seed)?;
    let mut instance = Instance::start(
        &format!("soak-{}", std::process::id()),
        &arguments.out,
        &written,
        &board.acquisition,
        &arguments.run,
        plan.seconds,
    )?;
    let region = instance.wait_for_steps(&flags, is_driving)?;
    let mut watch = Watch::new(region, &written);
    let mut peer = Peer::new(&plan);

    let parts = Parts {
        plan: &plan,
        injector: Injector::new(plan.seed, disk, board.pipe.clone()),
        watch: &mut watch,
        instance: &mut instance,
        peer: &mut peer,
        load: &mut load,
        flags: &flags,
    };
    let (course, disk) = parts.run();
    let peer = peer.and_then(|peer| peer.finish(course.ended_s, &mut watch));
    // What loads the machine ends here.
    let load = load.map(|_| Load::words());
    let left_behind = instance.stop(&watch.pids());
    drop(board);
    if let Some(disk) = disk {
        match disk::copy_newest(disk.path(), &reports) {
            Ok(count) => notes.push(format!("the newest {count} crash reports are in reports/")),
            Err(error) => notes.push(format!("the crash reports could not be copied: {error}")),
        }
    }

    let outcomes = recovery::outcomes(&course.incidents, &course.looks);
    let verdicts = judge::judge(&Findings {
        plan: &plan,
        course: &course,
        outcomes: &outcomes,
        went_back: &watch.went_back,
        load: load.clone(),
        peer: &peer,
        left_behind: &left_behind,
    });
    let page = Page {
        plan: &plan,
        course: &course,
        outcomes: &outcomes,
        verdicts: &verdicts,
        peer: peer.as_ref().ok(),
        notes: &notes,
        load: load.unwrap_or_else(|why| why),
    };
    page.write(&arguments.out)?;
    println!("{}", page.text().split("\n![").next().unwrap_or_default());
    println!("report: {}", arguments.out.join("soak.md").display());
    Ok(if page.passed() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn start_load(arguments: &SoakArguments, seconds: f64) -> Result<Load, String> {
    if arguments.no_load {
        return Err("no load, as was asked for".to_owned());
    }
    Load::start(&arguments.out, seconds)
}

fn needed_cpus() -> anyhow::Result<Vec<usize>> {
    let config = service::Config::default();
    let roles = rtrd::PROCESSES.map(|(role, _)| role);
    roles.iter().map(|role| Ok(service::place(&config, *role)?.cpu)).collect()
}

fn read_plan(path: &Path) -> anyhow::Result<Plan> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let plan: Plan =
        serde_json::from_str(&text).with_context(|| format!("{} is no plan of a soak run", path.display()))?;
    plan.check().with_context(|| format!("{} is no plan of a soak run", path.display()))?;
    Ok(plan)
}

fn is_driving(region: &Region) -> bool {
    let mut reader = region.reader(DYNAMICS_HEALTH);
    reader.latest().is_some_and(|snapshot| snapshot.value.stamp.step > 1_000)
}
