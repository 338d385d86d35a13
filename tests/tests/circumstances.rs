//! Without rights, without CPUs, without memory, with bad input: it runs with warnings or stops
//! with one clear line.

use std::process::Command;

use rt::startup::LOCKED_MEMORY_BYTES;
use system_tests::programs::{TextFile, folder, instance, rtrd_output, said};
use system_tests::{is_root, skip};

/// Copies the programs to a place that every user can reach.
fn public_programs() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt;
    let place = tempfile::tempdir().expect("a folder");
    std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(0o755)).expect("an open folder");
    for program in ["rtrd", "daq-service", "subsystem-service", "dynamics-service"] {
        std::fs::copy(folder().join(program), place.path().join(program)).expect("a copy");
    }
    place
}

/// `rtrd` of this folder as a user without any rights.
fn as_nobody(place: &tempfile::TempDir) -> Command {
    let program = place.path().join("rtrd");
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"]);
    command.arg(program);
    command
}

#[test]
fn without_rights_it_says_what_is_missing_and_runs() {
    let place = public_programs();
    let instance = instance("nobody");
    let run = |more: &[&str]| {
        as_nobody(&place).args(["run", "--instance", &instance]).args(more).output().expect("setpriv runs")
    };
    let output = run(&["--seconds", "1"]);
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    let warnings: Vec<&str> = text.lines().filter(|line| line.starts_with('!')).collect();
    assert!(warnings.iter().any(|line| line.contains("FIFO")), "{text}");
    let mut once = warnings.clone();
    once.dedup();
    assert_eq!(once.len(), warnings.len(), "a warning is said once: {text}");

    let text = said(&run(&["--seconds", "3", "--require-rt"]));
    assert!(text.contains("real time is required") && text.contains("FIFO"), "{text}");
}

/// `rtrd check` and the start of a service want the same memory limit: the least that one accepts
/// is enough for the other.
#[test]
fn the_check_and_the_services_ask_for_the_same_memory_limit() {
    let place = public_programs();
    for (bytes, is_enough) in [(LOCKED_MEMORY_BYTES, true), (LOCKED_MEMORY_BYTES - 4096, false)] {
        let limited = |arguments: &[&str]| {
            let mut command = Command::new("prlimit");
            command.arg(format!("--memlock={bytes}:{bytes}"));
            let ordinary = as_nobody(&place);
            command.arg(ordinary.get_program()).args(ordinary.get_args()).args(arguments);
            command.output().expect("prlimit runs")
        };
        let check = limited(&["check", "--json"]);
        let Ok(report) = serde_json::from_slice::<serde_json::Value>(&check.stdout) else {
            return skip(&format!("this limit cannot be set: {}", said(&check)));
        };
        let findings = report["findings"].as_array().expect("findings");
        let lock = findings.iter().find(|finding| finding["id"] == "memory-lock").expect("the check");
        assert_eq!(lock["verdict"] == "pass", is_enough, "{lock}");
        let text = said(&limited(&["run", "--seconds", "1", "--instance", &instance("memlock")]));
        assert_eq!(!text.contains("memory is not locked"), is_enough, "{text}");
    }
}

/// systemd does not start a service again that ends with 78: only a person can correct these.
#[test]
fn a_wrong_configuration_ends_every_service_with_78() {
    for (text, expected) in [
        ("[instance]\ngroup = \"rtrd-no-such-group\"\n", "group \"rtrd-no-such-group\" does not exist"),
        ("[instance]\nscenario = \"tank-levle\"\n", "did you mean `tank-level`?"),
        ("[instance]\nvehicle = \"hmwv\"\n", "did you mean `hmmwv`?"),
        ("[dynamics]\ncpu = 4000\n", "CPU 4000"),
        ("[dynamics]\ncpu = 0.5\n", "dynamics.cpu: invalid type"),
    ] {
        let file = TextFile::new(text);
        for service in ["daq-service", "subsystem-service", "dynamics-service"] {
            let mut command = Command::new(folder().join(service));
            command.args(["--instance", &instance("wrong"), "--config", file.path()]);
            let output = command.output().expect("the service runs");
            assert_eq!(output.status.code(), Some(78), "{service}: {}", said(&output));
            assert!(said(&output).contains(expected), "{service}: {}", said(&output));
        }
    }
}

#[test]
fn on_one_cpu_nothing_spins_and_all_run() {
    let instance = instance("one-cpu");
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(folder().join("rtrd"));
    let output = command.args(["run", "--seconds", "1", "--instance", &instance]).output().expect("taskset runs");
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    assert!(!text.contains("spinning"), "{text}");
    assert!(text.contains("last step"), "{text}");
}

#[test]
fn two_that_would_spin_on_one_cpu_are_refused() {
    let file = TextFile::new("[dynamics]\nexchange = \"spin\"\ncpu = 0\n[subsystem]\ncpu = 0\n");
    let output = rtrd_output(&["run", "--seconds", "1", "--config", file.path()]);
    assert!(!output.status.success());
    assert!(said(&output).contains("share CPU 0"), "{}", said(&output));
}

#[test]
fn a_full_shared_memory_is_one_clear_line() {
    if !is_root() {
        return skip("a small file system over /dev/shm needs root");
    }
    let script = format!(
        "mount -t tmpfs -o size=64k tmpfs /dev/shm && {} run --seconds 1 --instance full",
        folder().join("rtrd").display()
    );
    let output = Command::new("unshare").args(["--mount", "sh", "-c", &script]).output().expect("unshare runs");
    let text = said(&output);
    if text.contains("unshare") || text.contains("mount:") {
        return skip(&format!("no mount name space here: {text}"));
    }
    assert!(!output.status.success());
    assert!(text.contains("no room for region") && text.contains("KiB are free"), "{text}");
    assert_eq!(text.trim().lines().count(), 1, "one line: {text}");
}

#[test]
fn a_missing_service_program_is_one_clear_line() {
    let place = tempfile::tempdir().expect("a folder");
    std::fs::copy(folder().join("rtrd"), place.path().join("rtrd")).expect("a copy");
    let output = Command::new(place.path().join("rtrd"))
        .args(["run", "--seconds", "1", "--instance", &instance("lonely")])
        .env("PATH", "")
        .output()
        .expect("rtrd runs");
    assert!(!output.status.success());
    assert!(said(&output).contains("daq-service is neither beside"), "{}", said(&output));
}

#[test]
fn bad_configurations_are_errors_with_line_and_column() {
    for (text, expected) in [
        ("[dynamics]\nprio = 3\n", ":2:1: dynamics.prio: unknown field"),
        ("[dynamics]\nfifo_priority = \"high\"\n", ":2:17: dynamics.fifo_priority: invalid type"),
        ("[dynamics]\nfifo_priority = 120\n", ":2:17: dynamics.fifo_priority: 120 is impossible; expected 1..98"),
        ("[dynamics]\noverrun = \"panic\"\n", ":2:11: dynamics.overrun: \"panic\" is not known; expected \"skip\""),
        ("[instance]\nname = \"a/b\"\n", ":2:8: instance.name: instance name \"a/b\""),
        ("[instance\n", ":1:10: "),
    ] {
        let file = TextFile::new(text);
        let output = rtrd_output(&["config", "--config", file.path()]);
        assert!(!output.status.success(), "{text}");
        let found = said(&output);
        assert!(found.contains(&format!("{}{expected}", file.path())), "{text:?} gave {found}");
    }
}

#[test]
fn the_printed_configuration_is_a_configuration() {
    let printed = rtrd_output(&["config", "--scenario", "car-cruise"]);
    let file = TextFile::new(&printed.stdout);
    let again = rtrd_output(&["config", "--config", file.path()]);
    assert!(again.status.success(), "{}", said(&again));
    assert_eq!(again.stdout, printed.stdout);
    assert!(said(&again).contains("scenario = \"car-cruise\""));
}
