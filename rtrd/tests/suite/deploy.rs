//! `rtrd deploy` in a folder that stands for a machine: what it writes, and that all of it can be
//! undone.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{command, said};

/// A machine with users, a boot loader, and four CPUs that the system may describe.
struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        let machine = Self { folder: tempfile::tempdir().unwrap() };
        machine.put("etc/passwd", "root:x:0:0:root:/root:/bin/bash\nrtrd:x:999:999::/:/usr/sbin/nologin\n");
        machine.put("etc/default/grub", "GRUB_CMDLINE_LINUX=quiet\n");
        machine.put("usr/bin/other", "");
        for (path, text) in [
            ("sys/devices/system/cpu/online", "0-3\n"),
            ("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n"),
            ("sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "performance\n"),
            ("proc/irq/default_smp_affinity", "f\n"),
            ("proc/irq/24/smp_affinity_list", "0-3\n"),
            ("proc/irq/24/enp1s0/x", ""),
            ("proc/irq/25/smp_affinity_list", "0\n"),
            ("proc/irq/25/nvme/x", ""),
            ("proc/cmdline", "quiet nohz_full=1-3\n"),
        ] {
            machine.put(path, text);
        }
        machine
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn deploy(&self, arguments: &[&str]) -> Output {
        let mut command = command(&[]);
        command.arg("deploy").args(arguments);
        command.arg("--root").arg(self.path()).output().unwrap()
    }

    /// What it says; it must succeed.
    fn deployed(&self, arguments: &[&str]) -> String {
        let output = self.deploy(arguments);
        let said = said(&output);
        assert!(output.status.success(), "{arguments:?}: {said}");
        said
    }

    /// Every file and folder with mode and content.
    fn snapshot(&self) -> BTreeMap<PathBuf, (u32, Option<Vec<u8>>)> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                let mode = entry.metadata().unwrap().permissions().mode();
                let content = path.is_file().then(|| std::fs::read(&path).unwrap());
                found.insert(path.clone(), (mode, content));
                if path.is_dir() {
                    folders.push(path);
                }
            }
        }
        found
    }
}

fn is_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    status.lines().any(|line| line.starts_with("Uid:\t0\t"))
}

/// A folder with programs that answer what `deploy status` asks; all services but the last have one
/// layout.
fn programs(odd_one: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["rtrd", "daq-service", "subsystem-service", "dynamics-service", "gateway-service"] {
        let path = folder.path().join(name);
        let hash = if name == odd_one { "22" } else { "11" };
        let script = format!("#!/bin/sh\n[ $1 = --layout-hash ] && echo {hash} || echo {name} 0.1.0\n");
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

fn install(machine: &Machine, programs: &Path) -> String {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/vehicles");
    machine.deployed(&["install", "--from", programs.to_str().unwrap(), "--models", models])
}

#[test]
fn an_installation_is_undone_to_the_last_bit() {
    let (machine, programs) = (Machine::new(), programs(""));
    machine.put("usr/lib/udev/rules.d/60-rtrd.rules", "# somebody's own\n");
    let before = machine.snapshot();
    install(&machine, programs.path());
    for path in [
        "usr/bin/dynamics-service",
        "usr/lib/systemd/system/rtrd-daq@.service",
        "usr/lib/systemd/system/rtrd.target",
        "usr/share/rtrd/models/hmmwv.toml",
        "etc/rtrd/car1.toml",
        "etc/systemd/system/rtrd-dynamics@car1.service.d/10-cpu-plan.conf",
    ] {
        assert!(machine.path().join(path).is_file(), "{path}");
    }
    assert_ne!(machine.text("usr/lib/udev/rules.d/60-rtrd.rules"), "# somebody's own\n");
    machine.deployed(&["advise", "--apply"]);
    assert!(machine.text("etc/default/grub.d/rtrd.cfg").contains("isolcpus=managed_irq,domain,1-3"));
    let again = machine.snapshot();
    install(&machine, programs.path());
    assert!(machine.snapshot() == again, "a second installation changes nothing");
    let said = machine.deployed(&["uninstall"]);
    assert!(said.contains("run `sudo update-grub`"), "{said}");
    let after = machine.snapshot();
    let differing: Vec<_> =
        before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path)).collect();
    assert!(differing.is_empty(), "{differing:?}");
    assert!(machine.deployed(&["uninstall"]).contains("nothing to undo"));
}

#[test]
fn the_user_is_made_and_removed_again() {
    if !is_root() || Command::new("systemd-sysusers").arg("--version").output().is_err() {
        println!("skipped: only root can make users, and systemd-sysusers must be installed");
        return;
    }
    let (machine, programs) = (Machine::new(), programs(""));
    let (users, groups) = ("root:x:0:0:root:/root:/bin/bash\n", "root:x:0:\ndialout:x:20:\ninput:x:995:\n");
    machine.put("etc/passwd", users);
    machine.put("etc/group", groups);
    install(&machine, programs.path());
    assert!(machine.text("etc/passwd").contains("\nrtrd:x:"), "{}", machine.text("etc/passwd"));
    assert!(machine.text("etc/group").contains("input:x:995:rtrd\n"), "{}", machine.text("etc/group"));
    machine.deployed(&["uninstall"]);
    assert_eq!((machine.text("etc/passwd").as_str(), machine.text("etc/group").as_str()), (users, groups));
}

/// Runs the program under another umask.
fn deploy_with_umask(machine: &Machine, mask: &str, arguments: &[&str]) -> String {
    let mut command = Command::new("sh");
    command.args(["-c", "umask $0; exec \"$@\"", mask, env!("CARGO_BIN_EXE_rtrd"), "deploy"]).args(arguments);
    let output = command.arg("--root").arg(machine.path()).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    said(&output)
}

#[test]
fn modes_are_what_is_declared_whatever_the_umask() {
    for mask in ["077", "000", "022"] {
        let (machine, programs) = (Machine::new(), programs(""));
        let before = machine.snapshot();
        let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/vehicles");
        let from = programs.path().to_str().unwrap();
        deploy_with_umask(&machine, mask, &["install", "--from", from, "--models", models]);
        for (path, (mode, content)) in machine.snapshot().into_iter().filter(|(path, _)| !before.contains_key(path)) {
            let is_program = path.parent().unwrap().ends_with("usr/bin");
            let declared = if content.is_none() || is_program { 0o755 } else { 0o644 };
            assert_eq!(mode & 0o7777, declared, "umask {mask}: {}", path.display());
        }
        // What an installation of before left wrong is put right.
        let etc = machine.path().join("etc/systemd/system/rtrd-daq@car1.service.d/10-cpu-plan.conf");
        std::fs::set_permissions(&etc, std::fs::Permissions::from_mode(0o600)).unwrap();
        deploy_with_umask(&machine, mask, &["install", "--from", from, "--models", models]);
        assert_eq!(etc.metadata().unwrap().permissions().mode() & 0o7777, 0o644, "umask {mask}");
    }
}

/// A list of what was done, which has these steps; files have the content `content`.
fn put_manifest(machine: &Machine, steps: &str) {
    machine.put("var/lib/rtrd/deploy/manifest.json", &format!("{{\"version\":1,\"steps\":[{steps}]}}"));
}

#[test]
fn nothing_outside_of_the_root_is_removed() {
    let outside = tempfile::tempdir().unwrap();
    let victim = outside.path().join("victim");
    let name = outside.path().file_name().unwrap().to_str().unwrap();
    // FNV-1a of an empty file.
    let file = |path: &str| {
        format!("{{\"file\":{{\"path\":\"{path}\",\"fingerprint\":\"cbf29ce484222325\",\"before\":null}}}}")
    };
    let folder = |path: &str| format!("{{\"folder\":\"{path}\"}}");
    for (step, expected) in [
        (file(&format!("/../{name}/victim")), "no `.` or `..`"),
        (file(&format!("/usr/../../{name}/victim")), "no `.` or `..`"),
        (file(&format!("../{name}/victim")), "begin with `/`"),
        (folder(&format!("/../{name}/folder")), "no `.` or `..`"),
        (file("/opt/link/victim"), "outside of"),
        (folder("/opt/link/folder"), "outside of"),
    ] {
        std::fs::write(&victim, "").unwrap();
        std::fs::create_dir_all(outside.path().join("folder")).unwrap();
        let machine = Machine::new();
        machine.put("opt/ours", "");
        std::os::unix::fs::symlink(outside.path(), machine.path().join("opt/link")).unwrap();
        put_manifest(&machine, &format!("{step},{}", file("/opt/ours")));
        for arguments in [&["uninstall", "--purge"][..], &["uninstall"]] {
            let output = machine.deploy(arguments);
            let said = said(&output);
            assert!(!output.status.success() && said.contains(expected), "{step}: {said}");
        }
        assert!(victim.exists() && outside.path().join("folder").exists(), "{step}");
        assert!(machine.path().join("opt/ours").exists(), "{step}: nothing is done in part");
    }
}

#[test]
fn a_link_in_the_place_of_a_file_is_kept_and_named() {
    let outside = tempfile::NamedTempFile::new().unwrap();
    let machine = Machine::new();
    machine.put("opt/other", "");
    std::os::unix::fs::symlink(outside.path(), machine.path().join("opt/link")).unwrap();
    put_manifest(&machine, "{\"file\":{\"path\":\"/opt/link\",\"fingerprint\":\"cbf29ce484222325\",\"before\":null}}");
    let said = machine.deployed(&["uninstall"]);
    assert!(said.contains("kept       /opt/link (a symbolic link"), "{said}");
    assert!(outside.path().exists() && machine.path().join("opt/link").is_symlink());
}

#[test]
fn a_dry_run_changes_nothing_and_says_all() {
    let (machine, programs) = (Machine::new(), programs(""));
    let before = machine.snapshot();
    let from = programs.path().to_str().unwrap();
    let said = machine.deployed(&["install", "--dry-run", "--from", from]);
    assert!(said.contains("would write  /usr/bin/daq-service"), "{said}");
    assert!(said.contains("would write  /etc/rtrd/car1.toml"), "{said}");
    let said = machine.deployed(&["advise", "--apply", "--dry-run"]);
    assert!(said.contains("would write  /etc/default/grub.d/rtrd.cfg"), "{said}");
    let said = machine.deployed(&["tune", "--dry-run"]);
    assert!(said.contains("would set  /proc/irq/24/smp_affinity_list from 0-3 to 0"), "{said}");
    assert!(machine.snapshot() == before);
}

#[test]
fn a_boot_loader_that_was_not_told_is_not_mentioned() {
    let (machine, programs) = (Machine::new(), programs(""));
    install(&machine, programs.path());
    let said = machine.deployed(&["uninstall"]);
    assert!(!said.contains("update-grub"), "{said}");
}

#[test]
fn what_people_changed_is_kept_until_it_is_purged() {
    let (machine, programs) = (Machine::new(), programs(""));
    install(&machine, programs.path());
    machine.put("etc/rtrd/car1.toml", "[daq]\nfifo_priority = 60\n");
    let said = install(&machine, programs.path());
    assert!(said.contains("kept       /etc/rtrd/car1.toml"), "{said}");
    let plan = machine.text("etc/systemd/system/rtrd-daq@car1.service.d/10-cpu-plan.conf");
    assert!(plan.contains("CPUSchedulingPriority=60\n"), "{plan}");
    let said = machine.deployed(&["uninstall"]);
    assert!(said.contains("kept       /etc/rtrd/car1.toml (changed since"), "{said}");
    assert!(machine.path().join("etc/rtrd/car1.toml").exists());
    assert!(!machine.path().join("usr/bin/rtrd").exists());
}

#[test]
fn tuning_is_undone_too() {
    let machine = Machine::new();
    let before = machine.snapshot();
    let governor = "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor";
    machine.deployed(&["tune"]);
    machine.deployed(&["tune"]);
    assert_eq!(machine.text(governor), "performance");
    assert_eq!(machine.text("proc/irq/24/smp_affinity_list"), "0");
    assert_eq!(machine.text("proc/irq/default_smp_affinity"), "1");
    assert_eq!(machine.text("proc/irq/25/smp_affinity_list"), "0\n", "it was right already");
    machine.deployed(&["tune", "--undo"]);
    for path in [governor, "proc/irq/24/smp_affinity_list", "proc/irq/default_smp_affinity"] {
        let was = before[&machine.path().join(path)].1.clone().unwrap();
        assert_eq!(machine.text(path).trim().as_bytes(), was.trim_ascii(), "{path}");
    }
}

#[test]
fn advice_says_which_parameters_are_in_force() {
    let said = Machine::new().deployed(&["advise"]);
    let line = |name: &str| said.lines().find(|line| line.trim_start().starts_with(name)).unwrap().to_owned();
    assert!(line("nohz_full=1-3").contains("in force"), "{said}");
    assert!(line("isolcpus=managed_irq,domain,1-3").contains("missing"), "{said}");
    assert!(line("irqaffinity=0").contains("missing"), "{said}");
}

#[test]
fn without_grub_the_line_is_for_the_user() {
    let machine = Machine::new();
    std::fs::remove_file(machine.path().join("etc/default/grub")).unwrap();
    let said = machine.deployed(&["advise", "--apply"]);
    assert!(said.contains("no GRUB here") && said.contains("rcu_nocbs=1-3 irqaffinity=0"), "{said}");
    assert!(!machine.path().join("etc/default/grub.d").exists());
}

#[test]
fn programs_of_two_layouts_are_noticed() {
    for (odd_one, expected) in [("", "CPU plan"), ("daq-service", "not of one layout")] {
        let (machine, programs) = (Machine::new(), programs(odd_one));
        install(&machine, programs.path());
        let said = said(&machine.deploy(&["status"]));
        assert!(said.contains(expected), "{said}");
        assert_eq!(said.contains("not of one layout"), odd_one == "daq-service", "{said}");
    }
}

#[test]
fn mistakes_are_said_plainly() {
    let machine = Machine::new();
    for (arguments, expected) in [
        (vec!["plan"], "etc/rtrd/car1.toml"),
        (vec!["plan", "--instance", "../x"], "../x"),
        (vec!["install", "--from", "/nonexistent"], "/nonexistent/rtrd"),
    ] {
        let output = machine.deploy(&arguments);
        let said = said(&output);
        assert!(!output.status.success() && said.contains(expected), "{arguments:?}: {said}");
        assert!(!said.contains("panicked"), "{said}");
    }
    machine.put("etc/rtrd/car1.toml", "[daq]\nfifo_priority = 100\n");
    let output = said(&machine.deploy(&["plan"]));
    assert!(output.contains("car1.toml:2:") && output.contains("fifo_priority"), "{output}");
    machine.put("var/lib/rtrd/deploy/manifest.json", "{");
    let output = said(&machine.deploy(&["uninstall"]));
    assert!(output.contains("manifest.json"), "{output}");
}

#[test]
fn without_root_this_machine_is_left_alone() {
    let mut command = if is_root() {
        // As another user, with a program that the user may read.
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--clear-groups", "--"]).arg(env!("CARGO_BIN_EXE_rtrd"));
        command
    } else {
        command(&[])
    };
    match command.args(["deploy", "uninstall"]).output() {
        Ok(output) => {
            let said = said(&output);
            if said.contains("Permission denied") || said.contains("failed to execute") {
                println!("skipped: another user may not run this program");
                return;
            }
            assert!(!output.status.success() && said.contains("run it with sudo"), "{said}");
        }
        Err(_) => println!("skipped: setpriv is not installed"),
    }
}
