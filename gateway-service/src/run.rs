//! The whole life of the gateway.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::Context;
use rt::signals::Flags;
use rtrd::view::LiveSignals;
use service::{Config, Job};
use shm_layout::signals::{Dictionary, Entry};
use shm_layout::{Region, RegionError, RegionName, Role, blocks};
use tokio::net::TcpListener;

use crate::access::Access;
use crate::arguments::Arguments;
use crate::operator::{Operator, PUBLISH_EVERY};
use crate::pose::Poses;
use crate::sampler::{Placed, Sampler};
use crate::scene::Scene;
use crate::shared::{Shared, lock};
use crate::{server, status};

/// How often to look for a region, and whether it is still there.
const LOOK: Duration = Duration::from_millis(20);
/// After so long without a region a person learns what is waited for.
const TELL_AFTER: Duration = Duration::from_secs(2);
/// What people watch of a vehicle beside what the dictionary says, in the order of the page.
const GAUGES: [&str; 16] = [
    "speed_km_h",
    "engine_speed_rpm",
    "gear",
    "steering_wheel_deg",
    "throttle_ratio",
    "brake_ratio",
    "kinematics.acceleration_m_s2.x",
    "kinematics.acceleration_m_s2.y",
    "yaw_rate_deg_s",
    "roll_deg",
    "pitch_deg",
    "heading_deg",
    "articulation_deg",
    "antilock_ratio",
    "vehicle.steering_feedback_nm",
    "least_wheel_load_n",
];

/// Runs the gateway until its run is over or it is asked to stop.
pub fn main(arguments: &Arguments) -> ExitCode {
    let instance = arguments.service.configuration().map(|config| config.instance.name);
    service::start_logging_as(Role::Gateway.name(), instance.as_deref().unwrap_or_default());
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let flags = Flags::register().context("cannot listen for signals")?;
    if let Some(supervisor) = arguments.service.supervisor {
        service::end_with(supervisor)?;
    }
    let config = arguments.service.configuration()?;
    keep_off_the_loops(&config);
    let job = Job::read(&config)?;
    let Some(region) = wait_for_region(&config, &flags)? else { return Ok(()) };
    serve(arguments, &config, &job, &region, &flags)
}

/// The CPUs of the loops are not ours.
fn keep_off_the_loops(config: &Config) {
    match service::place(config, Role::Gateway) {
        Ok(placement) => {
            if let Err(refused) = rt::startup::step_aside(&placement.ordinary_cpus) {
                tracing::debug!("cannot keep to CPU {}: {refused}", placement.ordinary_cpus);
            }
        }
        Err(error) => tracing::warn!("{error}"),
    }
}

/// The region of the instance, with the names of its run; none when it is time to stop.
fn wait_for_region(config: &Config, flags: &Flags) -> anyhow::Result<Option<Region>> {
    let name = RegionName::new(&config.instance.name)?;
    let (began, mut told) = (Instant::now(), false);
    while !flags.stop_requested() {
        match Region::observe(&name) {
            Ok(region) if region.reader(blocks::NAMES).latest().is_some() => {
                region.explain_faults()?;
                return Ok(Some(region));
            }
            Ok(_) | Err(RegionError::NotFound { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        if !told && began.elapsed() > TELL_AFTER {
            told = true;
            tracing::info!("waiting for instance {:?}: start it with `rtrd run`", config.instance.name);
        }
        std::thread::sleep(LOOK);
    }
    Ok(None)
}

fn serve(arguments: &Arguments, config: &Config, job: &Job, region: &Region, flags: &Flags) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let listener = runtime.block_on(listen(arguments))?;
    let address = listener.local_addr()?;
    let access = Access::new(address, &arguments.allow_host)?;
    let page = format!("http://{address}/#t={}{}", access.token(), if arguments.drive { "&drive" } else { "" });

    let signals = LiveSignals::new(region);
    let gauges = gauges(job, &signals);
    let placed = placed(job)?;
    let scene = Scene::new(job, placed.as_ref().map(|placed| &placed.poses));
    let facts = facts(config, job, &scene, &gauges);
    let operator = operator(region, job, &signals.dictionary);
    let scene = serde_json::to_string(&scene)?;
    let shared = Arc::new(Shared::new(facts, scene, signals.dictionary.clone(), operator, access));

    let stop = AtomicBool::new(false);
    let sampler = Sampler::new(region, shared.clone(), placed, gauges);
    let health = region.claim(blocks::GATEWAY_HEALTH).ok();
    let _file = PageFile::write(&config.instance.name, &page);
    // The journal is read by more people than may drive.
    if arguments.service.supervisor.is_some() || std::io::stderr().is_terminal() {
        tracing::info!(event = "page", "the page is at {page}");
    } else {
        let file = service::page_file(&config.instance.name);
        tracing::info!(
            event = "page",
            "the page is at http://{address}/; {} has the address to drive from",
            file.display()
        );
    }
    if arguments.open {
        service::open_page(&page);
    }
    std::thread::scope(|scope| {
        std::thread::Builder::new().name("sampler".into()).spawn_scoped(scope, || sampler.run(&stop))?;
        std::thread::Builder::new()
            .name("status".into())
            .spawn_scoped(scope, || status::run(region, &shared, health, &stop))?;
        let over = until_over(shared.clone(), region, flags);
        let served = runtime.block_on(async {
            let (tell, told) = tokio::sync::oneshot::channel::<()>();
            let serving = server::serve(listener, shared.clone(), async {
                let _ = told.await;
            });
            let watching = async {
                over.await;
                let _ = tell.send(());
                Ok(())
            };
            tokio::try_join!(serving, watching)
        });
        stop.store(true, Relaxed);
        served.map(|_| ()).context("cannot serve")
    })
}

async fn listen(arguments: &Arguments) -> anyhow::Result<TcpListener> {
    let mut refused = None;
    for address in arguments.addresses() {
        match TcpListener::bind(address).await {
            Ok(listener) => return Ok(listener),
            Err(error) => refused = Some((address, error)),
        }
    }
    let (address, error) = refused.context("no address to listen on")?;
    Err(error).with_context(|| format!("cannot listen on {address}; choose another with --listen"))
}

/// Says again what people do, until the run is over or a stop is asked for.
async fn until_over(shared: Arc<Shared>, region: &Region, flags: &Flags) {
    let mut tick = tokio::time::interval(PUBLISH_EVERY);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
    while !flags.stop_requested() && !region.is_removed() {
        tick.tick().await;
        if let Some(operator) = &shared.operator {
            lock(operator).refresh(Instant::now());
        }
    }
}

fn operator(region: &Region, job: &Job, dictionary: &Dictionary) -> Option<Operator> {
    let is_vehicle = matches!(job, Job::Vehicle(_));
    match region.claim(blocks::OVERRIDES) {
        Ok(writer) => Some(Operator::new(writer, &mut region.reader(blocks::OVERRIDES), dictionary, is_vehicle)),
        Err(error) => {
            tracing::warn!("nobody can drive or hold the run from this page: {error}");
            None
        }
    }
}

fn placed(job: &Job) -> anyhow::Result<Option<Placed>> {
    let Job::Vehicle(setup) = job else { return Ok(None) };
    Ok(Some(Placed { poses: Poses::new(setup)?, terrain: setup.terrain.clone(), hash: job.plant_hash() }))
}

fn gauges(job: &Job, signals: &LiveSignals) -> Vec<Entry> {
    let dictionary = &signals.dictionary;
    match job {
        Job::Vehicle(_) => GAUGES.iter().filter_map(|name| dictionary.find(name)).cloned().collect(),
        Job::Plant(_) => {
            let is_of_run = |entry: &&Entry| entry.is_of_run && !entry.declared.starts_with("plant_state.");
            dictionary.entries().iter().filter(is_of_run).cloned().collect()
        }
    }
}

fn facts(config: &Config, job: &Job, scene: &Scene, gauges: &[Entry]) -> String {
    let (kind, name, lock_rad) = match job {
        Job::Vehicle(setup) => ("vehicle", setup.vehicle.name.clone(), setup.driver.steering_lock_rad),
        Job::Plant(scenario) => ("plant", scenario.build_plant().description().name.clone(), 0.0),
    };
    serde_json::json!({
        "instance": config.instance.name,
        "title": job.name(),
        "description": job.summary(),
        "kind": kind,
        "name": name,
        "step_s": job.step_s(),
        "gauges": gauges.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(),
        "units": gauges.iter().map(|entry| entry.unit.as_str()).collect::<Vec<_>>(),
        "bodies": scene.bodies.len(),
        "wheels": scene.wheels.len(),
        "steering_lock_rad": lock_rad,
        "version": env!("CARGO_PKG_VERSION"),
    })
    .to_string()
}

/// The address for `rtrd view`, as long as this gateway lives; only this user may read it.
struct PageFile(std::path::PathBuf);

impl PageFile {
    fn write(instance: &str, page: &str) -> Option<Self> {
        let path = service::page_file(instance);
        match write_private(&path, page) {
            Ok(()) => Some(Self(path)),
            Err(error) => {
                tracing::warn!("`rtrd view` will not find the page: cannot write {}: {error}", path.display());
                None
            }
        }
    }
}

impl Drop for PageFile {
    fn drop(&mut self) {
        // Another gateway may have taken the place already.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A new file that only this user can read, in a folder that only this user can write.
fn write_private(path: &std::path::Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
    let folder = path.parent().unwrap_or(path);
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let found = std::fs::symlink_metadata(folder)?;
    if !found.is_dir() || found.uid() != nix::unistd::getuid().as_raw() || found.mode() & 0o022 != 0 {
        return Err(std::io::Error::other("the folder belongs to another user"));
    }
    let _ = std::fs::remove_file(path);
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    writeln!(file, "{text}")
}
