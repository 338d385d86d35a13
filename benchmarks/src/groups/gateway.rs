//! Do many who look at the page disturb the loops?
//!
//! A HMMWV drives across the real processes with its gateway. Rounds without any client and rounds with
//! a crowd take turns in the same run: eighteen WebSocket clients that take every state and every step
//! of sixteen signals, one that reads nothing, and one that sends rubbish and comes again whenever it
//! is dropped. Compared is the lateness of the wake-ups of the dynamics. All twenty clients run on the
//! same machine: what they cost themselves is part of it.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use rt::histogram::Histogram;
use shm_layout::blocks::DYNAMICS_HEALTH;
use shm_layout::{Region, RegionName};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

use super::Context;
use super::drive::{Running, during::During, health_of};
use crate::report::{Report, Target, short};

pub const NAME: &str = "gateway";
/// Rounds of each kind, and their length.
const ROUNDS: u64 = 10;
const ROUND: Duration = Duration::from_secs(6);
/// Clients that read.
const READERS: usize = 18;
/// What each of them watches: sixteen signals.
const WATCH: &str = r#"{"type":"watch","id":1,"signals":["speed_km_h","x_m","y_m","z_m","heading_deg","roll_deg","pitch_deg","yaw_rate_deg_s","engine_speed_rpm","engine_torque_nm","throttle_ratio","brake_ratio","vehicle.wheels[0].load_n","vehicle.wheels[1].load_n","vehicle.wheels[2].load_n","vehicle.wheels[3].load_n"]}"#;
const HELLO: &str = r#"{"type":"hello","token":""}"#;
const START: Duration = Duration::from_secs(30);
const LOOK: Duration = Duration::from_millis(100);

pub fn run(context: &Context) -> Result<Report> {
    let Some(rtrd) = program() else {
        return Ok(Report::skipped(NAME, "rtrd, the services and the gateway are not built beside this program"));
    };
    let instance = format!("bench-gateway-{}", std::process::id());
    let mut drive = Running(start(&rtrd, &instance)?);
    let result = measure(&instance, context.effort(ROUNDS));
    drive.stop();
    result
}

fn program() -> Option<PathBuf> {
    let folder = std::env::current_exe().ok()?.parent()?.to_owned();
    let names = ["rtrd", "daq-service", "dynamics-service", "subsystem-service", "gateway-service"];
    names.iter().all(|name| folder.join(name).is_file()).then(|| folder.join("rtrd"))
}

fn start(rtrd: &Path, instance: &str) -> Result<Child> {
    Command::new(rtrd)
        .args(["run", "--quiet", "--scenario", "drive-default", "--listen", "127.0.0.1:0", "--instance", instance])
        .stdout(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start {}", rtrd.display()))
}

/// What the rounds of one kind saw.
#[derive(Default)]
struct Seen {
    latency: Histogram,
    wakeups: u64,
    overruns: u64,
    misses: u64,
}

fn measure(instance: &str, rounds: u64) -> Result<Report> {
    let (host, region) = open(instance)?;
    let (mut alone, mut crowded) = (Seen::default(), Seen::default());
    let (messages, mut memory_kib) = (AtomicU64::new(0), Vec::new());
    for _ in 0..rounds {
        round(&region, &mut alone)?;
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| -> Result<()> {
            for _ in 0..READERS {
                scope.spawn(|| reader(&host, &over, &messages));
            }
            scope.spawn(|| stuck(&host, &over));
            scope.spawn(|| rubbish(&host, &over));
            let seen = round(&region, &mut crowded);
            memory_kib.push(gateway_memory_kib(&region));
            over.store(true, Relaxed);
            seen
        })?;
    }
    Ok(report(&alone, &crowded, messages.load(Relaxed), &memory_kib))
}

/// The host of the page, and the region, once the vehicle drives.
fn open(instance: &str) -> Result<(String, Region)> {
    let (name, begun) = (RegionName::new(instance)?, Instant::now());
    loop {
        ensure!(begun.elapsed() < START, "the drive with its page did not start");
        std::thread::sleep(LOOK);
        let Ok(region) = Region::observe(&name) else { continue };
        let page = std::fs::read_to_string(service::page_file(instance)).unwrap_or_default();
        let host = page.strip_prefix("http://").and_then(|rest| rest.split('/').next());
        let drives = health_of(&region, DYNAMICS_HEALTH).is_some_and(|health| health.stamp.step > 1_000);
        if let Some(host) = host.filter(|_| drives) {
            return Ok((host.to_owned(), region));
        }
    }
}

fn round(region: &Region, seen: &mut Seen) -> Result<()> {
    // What begins or ends a round is not in it.
    std::thread::sleep(LOOK * 5);
    let before = health_of(region, DYNAMICS_HEALTH).context("the dynamics reports")?;
    std::thread::sleep(ROUND);
    let after = health_of(region, DYNAMICS_HEALTH).context("the dynamics reports")?;
    let during = During::between(&before, &after, "the dynamics")?;
    seen.latency.merge(&during.latency);
    seen.wakeups += during.wakeups;
    seen.overruns += during.overruns;
    seen.misses += during.exchange_misses;
    Ok(())
}

fn connect(host: &str) -> Option<WebSocket<TcpStream>> {
    let stream = TcpStream::connect(host).ok()?;
    stream.set_read_timeout(Some(LOOK)).ok()?;
    let request = format!("ws://{host}/ws").into_client_request().ok()?;
    let (mut socket, _) = tungstenite::client(request, stream).ok()?;
    socket.send(Message::text(HELLO)).ok()?;
    Some(socket)
}

fn reader(host: &str, over: &AtomicBool, messages: &AtomicU64) {
    let Some(mut socket) = connect(host) else { return };
    let _ = socket.send(Message::text(WATCH));
    while !over.load(Relaxed) {
        if let Ok(Message::Binary(bytes)) = socket.read() {
            messages.fetch_add(1, Relaxed);
            let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap_or_default());
            let stream = if number(0) == 1 { "state" } else { "scope" };
            let acknowledged = format!(r#"{{"type":"ack","stream":"{stream}","count":{}}}"#, number(4));
            let _ = socket.send(Message::text(acknowledged));
        }
    }
}

fn stuck(host: &str, over: &AtomicBool) {
    let socket = connect(host).map(|mut socket| {
        let _ = socket.send(Message::text(WATCH));
        socket
    });
    while !over.load(Relaxed) {
        std::thread::sleep(LOOK);
    }
    drop(socket);
}

fn rubbish(host: &str, over: &AtomicBool) {
    while !over.load(Relaxed) {
        let Some(mut socket) = connect(host) else { continue };
        while !over.load(Relaxed) && socket.send(Message::text("{\"type\":\"rubbish\"}")).is_ok() {
            let _ = socket.read();
        }
    }
}

/// Memory of the gateway (KiB), by its process number in the region.
fn gateway_memory_kib(region: &Region) -> u64 {
    let pid = health_of(region, shm_layout::blocks::GATEWAY_HEALTH).map_or(0, |health| health.pid);
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    resident.and_then(|text| text.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

fn report(alone: &Seen, crowded: &Seen, messages: u64, memory_kib: &[u64]) -> Report {
    let mut report = Report::new(NAME, &["wake-up latency in µs", "p50", "p99", "p99.9", "max", "wake-ups"]);
    for (label, figure, seen) in [("no client", "alone", alone), ("20 clients", "crowded", crowded)] {
        let latency = &seen.latency;
        let percentiles = [50.0, 99.0, 99.9].map(|percent| latency.percentile_ns(percent));
        let numbers = percentiles.into_iter().chain([latency.max_ns()]).map(|value_ns| value_ns as f64 * 1e-3);
        report.row([label.to_owned()].into_iter().chain(numbers.map(short)).chain([seen.wakeups.to_string()]));
        report.figure(&format!("{figure}.p999"), percentiles[2] as f64 * 1e-3, "µs");
        report.note(format!(
            "{label}: {} overruns, {} answers too late in {} wake-ups",
            seen.overruns, seen.misses, seen.wakeups
        ));
    }
    let most_kib = memory_kib.iter().max().copied().unwrap_or(0);
    let grown_kib = memory_kib.last().copied().unwrap_or(0).saturating_sub(memory_kib.first().copied().unwrap_or(0));
    report.note(format!(
        "{messages} messages were taken; the gateway has {most_kib} KiB at most, {grown_kib} KiB more after the last round than after the first"
    ));
    report.figure("memory", most_kib as f64, "KiB");
    let p999 = |seen: &Seen| seen.latency.percentile_ns(99.9) as f64 * 1e-3;
    // The machine's own noise moves p99.9 by so much between halves of one run.
    report.target(Target::at_most("p99.9 with 20 clients, against without", 1.5 * p999(alone), " µs", p999(crowded)));
    report
}
