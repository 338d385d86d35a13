//! The units are what systemd expects, as tight as a real-time process allows, and agree with the
//! programs that they start. `systemd-analyze verify` exits with 0 even for keys that it does not
//! know, so any word from it is a failure.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use service::Config;
use system_tests::programs::{folder, root, rtrd, said};
use system_tests::skip;

/// The units of the real-time processes.
const REAL_TIME: [&str; 3] = ["rtrd-daq@.service", "rtrd-subsystem@.service", "rtrd-dynamics@.service"];
/// The exposure that `systemd-analyze security` may find in each of them, of 10.
const EXPOSURE_MAX: f64 = 3.0;
/// The unit with sockets.
const GATEWAY: &str = "rtrd-gateway@.service";

fn unit(name: &str) -> String {
    std::fs::read_to_string(root().join("systemd").join(name)).expect("a unit")
}

/// The units that the folder holds, as they are installed.
fn names() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("systemd")).expect("the units");
    let names = entries.flatten().map(|entry| entry.file_name().into_string().expect("a name"));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".service") || name.ends_with(".target")).collect();
    names.sort();
    names
}

/// Copies of all units after a change of their text, with programs and a user that this machine
/// has, and drop-ins of an instance.
fn copies(place: &Path, change: impl Fn(String) -> String) -> Vec<PathBuf> {
    let programs = folder().display().to_string();
    let copy = |name: String| {
        let text = unit(&name)
            .replace("/usr/bin", &programs)
            .replace("User=rtrd", "User=root")
            .replace("Group=rtrd", "Group=root");
        std::fs::write(place.join(&name), change(text)).expect("a copy");
        place.join(name.replace('@', "@car1"))
    };
    let copies: Vec<PathBuf> = names().into_iter().map(copy).collect();
    assert!(copies.len() >= 6, "{copies:?}");
    plan(place);
    copies
}

/// Writes the drop-ins of the instance `car1` with the default configuration.
fn plan(place: &Path) {
    let config = place.join("car1.toml");
    std::fs::write(&config, "").expect("a configuration");
    let mut planning = rtrd();
    planning.args(["deploy", "plan", "--instance", "car1", "--config"]).arg(&config);
    let output = planning.arg("--out").arg(place).output().expect("rtrd runs");
    assert!(output.status.success(), "{}", said(&output));
}

/// What systemd says about the units after a change; `None` where it is not installed.
fn verify(change: impl Fn(String) -> String) -> Option<String> {
    let place = tempfile::tempdir().expect("a folder");
    let units = copies(place.path(), change);
    let output = Command::new("systemd-analyze").arg("verify").args(&units).output().ok()?;
    // Units of the machine itself are none of our business.
    let said = said(&output);
    let ours = said.lines().filter(|line| line.contains("rtrd") || line.contains("car1"));
    Some(ours.collect::<Vec<_>>().join("\n"))
}

#[test]
fn systemd_finds_nothing_to_complain_of() {
    let Some(said) = verify(|text| text) else {
        return skip("systemd-analyze is not installed");
    };
    assert_eq!(said, "");
}

#[test]
fn a_broken_unit_is_noticed() {
    let broken = |text: String| text.replace("WatchdogSec=", "WatchdogSeconds=");
    let Some(said) = verify(broken) else {
        return skip("systemd-analyze is not installed");
    };
    assert!(said.contains("WatchdogSeconds"), "{said}");
}

/// What `systemd-analyze security` makes of a unit; `None` where it cannot look at a file. Enables
/// a unit in a folder that stands for a machine, and says which links that made; `None` where
/// systemd is not installed.
fn links_of(enabled: &str) -> Option<BTreeSet<String>> {
    let place = tempfile::tempdir().expect("a folder");
    let units = place.path().join("usr/lib/systemd/system");
    std::fs::create_dir_all(&units).expect("a folder");
    for name in names() {
        std::fs::write(units.join(&name), unit(&name)).expect("a copy");
    }
    let root = format!("--root={}", place.path().display());
    let output = Command::new("systemctl").args([&root, "enable", enabled]).output().ok()?;
    assert!(output.status.success(), "{}", said(&output));
    let links = place.path().join("etc/systemd/system");
    let wants = std::fs::read_dir(&links).expect("links").flatten();
    let linked = wants.flat_map(|folder| {
        let entries = std::fs::read_dir(folder.path()).expect("links").flatten();
        entries.map(move |entry| format!("{}/{}", folder.file_name().display(), entry.file_name().display()))
    });
    Some(linked.collect())
}

/// The machine's settings come with its start, also where no instance is enabled; an instance
/// brings its group along.
#[test]
fn what_is_enabled_comes_with_the_start_of_the_machine() {
    let Some(links) = links_of("rtrd-machine.service") else {
        return skip("systemctl is not installed");
    };
    assert!(links.contains("multi-user.target.wants/rtrd-machine.service"), "{links:?}");
    let links = links_of("rtrd@car1.target").expect("systemctl");
    for link in ["rtrd.target.wants/rtrd@car1.target", "multi-user.target.wants/rtrd.target"] {
        assert!(links.contains(link), "{link}: {links:?}");
    }
}

fn exposure(name: &str, change: impl Fn(String) -> String) -> Option<f64> {
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join(name);
    std::fs::write(&path, change(unit(name))).expect("a copy");
    let mut asking = Command::new("systemd-analyze");
    asking.args(["security", "--offline=true", "--no-pager"]).arg(&path);
    let said = said(&asking.output().ok()?);
    let line = said.lines().find(|line| line.contains("Overall exposure level"))?;
    line.rsplit(": ").next()?.split(' ').next()?.parse().ok()
}

#[test]
fn the_sandbox_of_each_real_time_unit_is_tight() {
    for name in REAL_TIME {
        let Some(found) = exposure(name, |text| text) else {
            return skip("systemd-analyze security --offline is not available (systemd 250 or later)");
        };
        println!("{name}: exposure {found}");
        assert!(found <= EXPOSURE_MAX, "{name}: {found}");
    }
}

/// It may reach this machine and nothing else, and has no real-time rights.
#[test]
fn the_gateway_has_sockets_and_no_real_time() {
    let text = unit(GATEWAY);
    for line in ["RestrictRealtime=yes", "IPAddressDeny=any", "IPAddressAllow=localhost", "NoNewPrivileges=yes"] {
        assert!(text.lines().any(|found| found == line), "{line}");
    }
    assert!(!text.contains("LimitRTPRIO") && !text.contains("CPUSchedulingPolicy"));
    match exposure(GATEWAY, |text| text) {
        Some(found) => assert!(found <= EXPOSURE_MAX, "{found}"),
        None => skip("systemd-analyze security --offline is not available (systemd 250 or later)"),
    }
}

#[test]
fn a_unit_without_its_sandbox_is_noticed() {
    let without = |text: String| {
        let kept = text
            .lines()
            .filter(|line| !["Protect", "Private", "SystemCall", "Restrict"].iter().any(|key| line.starts_with(key)));
        kept.collect::<Vec<_>>().join("\n")
    };
    match exposure(REAL_TIME[0], without) {
        Some(found) => assert!(found > EXPOSURE_MAX, "{found}"),
        None => skip("systemd-analyze security --offline is not available (systemd 250 or later)"),
    }
}

/// The value of a key that a unit has once.
fn value(text: &str, key: &str) -> String {
    let values: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix(key)?.strip_prefix('='))
        .filter(|value| !value.is_empty())
        .collect();
    assert_eq!(values.len(), 1, "{key}: {values:?}");
    values[0].to_owned()
}

#[test]
fn the_units_leave_cpus_to_the_plan_and_real_time_to_the_process() {
    let config = Config::default();
    let priorities = [config.daq.fifo_priority, config.subsystem.fifo_priority, config.dynamics.fifo_priority];
    for (name, priority) in REAL_TIME.into_iter().zip(priorities) {
        let text = unit(name);
        let keys: BTreeSet<&str> = text.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        for key in ["CPUAffinity", "RestrictRealtime", "RemoveIPC", "PrivateIPC", "DynamicUser"] {
            assert!(!keys.contains(key), "{name} has {key}");
        }
        assert_eq!(value(&text, "CPUSchedulingPolicy"), "fifo");
        assert_eq!(value(&text, "CPUSchedulingPriority"), priority.to_string());
        assert_eq!(value(&text, "LimitMEMLOCK"), "infinity");
        // The highest priority that a configuration can ask for.
        assert_eq!(value(&text, "LimitRTPRIO"), "98");
    }
}

#[test]
fn the_sandboxes_of_the_three_differ_only_where_they_must() {
    // Acquisition has devices; the rest differs in names and order only.
    let own = ["Description", "ExecStart", "After", "CPUSchedulingPriority", "DeviceAllow", "#"];
    let lines = |name: &str| -> Vec<String> {
        let text = unit(name);
        let shared = text.lines().filter(|line| !own.iter().any(|key| line.starts_with(key)));
        shared.filter(|line| !line.is_empty()).map(str::to_owned).collect()
    };
    assert!(lines(REAL_TIME[0]).len() > 40);
    assert_eq!(lines(REAL_TIME[0]), lines(REAL_TIME[1]));
    assert_eq!(lines(REAL_TIME[1]), lines(REAL_TIME[2]));
}
