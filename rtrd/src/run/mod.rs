//! `rtrd run`: starts the processes, looks after them, and ends them in order.

mod child;
mod display;
mod gateway;
mod recorder;
mod summary;
mod supervisor;
mod writer;

use std::path::PathBuf;

use anyhow::Context;
use rt::signals::Flags;
use shm_layout::signals::Dictionary;
use shm_layout::{Region, RegionError, RegionName};

pub use child::find_program;
pub use gateway::ViewArguments;

use crate::commands::daq::acquisition_file;
use supervisor::Supervisor;

use crate::commands::signal_table::SignalTable;
use crate::commands::signals::choose;
use crate::output;

/// Run the simulation in real time until Ctrl-C
///
/// Starts daq-service, subsystem-service and dynamics-service, restarts one that dies, and ends
/// them in order. A fourth process, gateway-service, shows the run in a browser; the run does not
/// depend on it. Needs no rights: what real time would need and is missing is said once, and the
/// run goes on without. A manoeuvre that has an end ends the run, unless --seconds is given: then
/// the vehicle brakes, and stands until the time is up.
#[derive(Clone, clap::Args)]
pub struct RunArguments {
    #[command(flatten)]
    pub service: service::Arguments,
    /// End after so many seconds
    #[arg(long, value_name = "N", value_parser = crate::commands::positive_seconds)]
    pub seconds: Option<f64>,
    /// Write a plot of the run (SVG)
    #[arg(short, long, value_name = "FILE.svg", value_parser = plot::svg_file)]
    pub plot: Option<PathBuf>,
    /// Signals of the table and the plot by name, in which * stands for anything; `rtrd signals`
    /// lists them [default: those that people watch]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub signals: Vec<String>,
    /// Write the signals of the run (CSV, up to 100 rows a second)
    #[arg(short, long, value_name = "FILE.csv")]
    pub out: Option<PathBuf>,
    /// Folder of crash reports: the last seconds of every block when a process dies [default:
    /// rtrd/crashes in the user's state folder]
    #[arg(long, value_name = "DIR")]
    pub crash_reports: Option<PathBuf>,
    /// Write no crash reports
    #[arg(long, conflicts_with = "crash_reports")]
    pub no_crash_reports: bool,
    #[command(flatten)]
    pub view: ViewArguments,
    /// No live status, only messages and the summary
    #[arg(short, long)]
    pub quiet: bool,
}

/// Runs the instance until it is asked to end.
pub fn run(arguments: &RunArguments) -> anyhow::Result<()> {
    let config = arguments.service.configuration()?;
    let job = service::Job::read(&config)?;
    if let service::Job::Vehicle(setup) = &job {
        output::say_notes(setup);
    }
    // A file that is missing or wrong is better refused here, once, than by each start of a
    // process.
    acquisition_file(&config)?;
    // A mistake in a name is found before any process starts.
    choose(&Dictionary::new(&[service::names_of(&job)]), &arguments.signals)?;
    let flags = Flags::register().context("cannot listen for signals")?;
    let plan = service::plan(&config)?;
    // A plan that cannot be followed is better refused here, once, than by each process.
    service::place(&config, shm_layout::Role::Dynamics)?;
    output::check_writable([&arguments.plot, &arguments.out].into_iter().flatten())?;
    let name = RegionName::new(&config.instance.name)?;
    let region = OwnRegion(Some(Region::create(&name, config.instance.group.as_deref())?));
    region.get().explain_faults().context("cannot listen for signals")?;

    let (title, step_us) = (job.summary(), job.step_s() * 1e6);
    let place = format!("step {step_us} µs · instance {:?} · {name}", config.instance.name);
    let heading = format!("{} · {title}\n{place}\n{plan}", job.name());
    let table = supervise(region.get(), arguments, &config, &job, &flags, &heading)?;
    region.remove()?;
    table.map_or(Ok(()), |table| table.write(arguments.out.as_ref(), arguments.plot.as_ref()))
}

/// The region of this run; whatever happens to the run, it is not left behind.
struct OwnRegion(Option<Region>);

impl OwnRegion {
    fn get(&self) -> &Region {
        self.0.as_ref().expect("it is removed only at the end")
    }

    fn remove(mut self) -> Result<bool, RegionError> {
        self.0.take().map_or(Ok(false), Region::close_and_remove)
    }
}

impl Drop for OwnRegion {
    fn drop(&mut self) {
        // There is already another error to report.
        let _ = self.0.take().map(Region::close_and_remove);
    }
}

fn supervise(
    region: &Region,
    arguments: &RunArguments,
    config: &service::Config,
    job: &service::Job,
    flags: &Flags,
    heading: &str,
) -> anyhow::Result<Option<SignalTable>> {
    let mut supervisor = Supervisor::new(region, arguments, config, job)?;
    supervisor.show(heading);
    let ended = supervisor.run(flags);
    supervisor.stop();
    ended.map(|()| supervisor.finish())
}
