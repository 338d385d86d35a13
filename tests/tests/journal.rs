//! Messages in the journal: a process that believes to be started by systemd, and a socket that
//! plays the journal.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::sys::signal::Signal;
use shm_layout::blocks::DYNAMICS_HEALTH;
use shm_layout::{Region, RegionName};
use system_tests::live::{Running, eventually};
use system_tests::programs::{folder, instance};
use system_tests::{is_root, skip};

/// A process that sees another `/run`, in which the journal's socket is ours.
struct Isolated {
    place: tempfile::TempDir,
    socket: UnixDatagram,
}

impl Isolated {
    fn new() -> Option<Self> {
        let place = tempfile::tempdir().expect("a folder");
        let journal = place.path().join("systemd/journal");
        std::fs::create_dir_all(&journal).expect("a folder");
        let socket = UnixDatagram::bind(journal.join("socket")).expect("a socket");
        socket.set_read_timeout(Some(Duration::from_millis(100))).expect("a timeout");
        let isolated = Self { place, socket };
        let mounts = isolated.command(Path::new("true"), &[]).stderr(Stdio::null()).status();
        mounts.is_ok_and(|status| status.success()).then_some(isolated)
    }

    fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new("unshare");
        command.arg("--mount");
        if !is_root() {
            command.args(["--user", "--map-root-user"]);
        }
        command
            .args(["sh", "-c", "mount --bind \"$0\" /run && exec \"$@\""])
            .arg(self.place.path())
            .arg(program)
            .args(arguments);
        command
    }

    /// Starts `dynamics-service` with its standard error in a file that `JOURNAL_STREAM` names, or
    /// does not.
    fn start(&self, instance: &str, stream_is_right: bool) -> (Running, std::path::PathBuf) {
        self.start_program("dynamics-service", &["--instance", instance], stream_is_right)
    }

    fn start_program(&self, program: &str, arguments: &[&str], stream_is_right: bool) -> (Running, std::path::PathBuf) {
        let path = self.place.path().join("standard-error");
        let file = File::create(&path).expect("a file");
        let metadata = file.metadata().expect("a file");
        let inode = metadata.ino() + u64::from(!stream_is_right);
        let child = self
            .command(&folder().join(program), arguments)
            .env("JOURNAL_STREAM", format!("{}:{inode}", metadata.dev()))
            .stderr(file)
            .spawn()
            .expect("unshare runs");
        (Running(child), path)
    }

    /// The next message with this text in it.
    fn message(&self, text: &str) -> BTreeMap<String, String> {
        eventually(text, || {
            let mut bytes = [0; 1 << 16];
            let count = self.socket.recv(&mut bytes).ok()?;
            let message = fields(&bytes[..count]);
            // The first datagram is empty: the process asks whether anybody listens.
            message.get("MESSAGE")?.contains(text).then_some(message)
        })
    }
}

/// The journal's native protocol: `NAME=value`, or `NAME`, eight bytes of length, the value.
fn fields(mut bytes: &[u8]) -> BTreeMap<String, String> {
    let mut fields = BTreeMap::new();
    while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
        let line = String::from_utf8_lossy(&bytes[..end]).into_owned();
        bytes = &bytes[end + 1..];
        let (name, value) = match line.split_once('=') {
            Some((name, value)) => (name.to_owned(), value.to_owned()),
            None => {
                let (length, rest) = bytes.split_at(8);
                let length = u64::from_le_bytes(length.try_into().expect("eight bytes")) as usize;
                bytes = &rest[length + 1..];
                (line, String::from_utf8_lossy(&rest[..length]).into_owned())
            }
        };
        fields.insert(name, value);
    }
    fields
}

#[test]
fn under_systemd_messages_have_fields() {
    let Some(journal) = Isolated::new() else {
        return skip("no mount namespaces here");
    };
    let name = instance("journal");
    let (running, standard_error) = journal.start(&name, true);
    let message = journal.message("stepping on CPU");
    assert_eq!(message["ROLE"], "dynamics-service");
    assert_eq!(message["INSTANCE"], name);
    assert_eq!(message["PID"], running.0.id().to_string());
    assert_eq!(message["PRIORITY"], "5", "tracing-journald gives level info the priority `notice`");
    assert_eq!(message["SYSLOG_IDENTIFIER"], "dynamics-service");
    running.send(Signal::SIGHUP);
    let message = journal.message("nothing to read again");
    assert_eq!(message["EVENT"], "reload");
    let said = std::fs::read_to_string(&standard_error).expect("a file");
    assert!(!said.contains("stepping"), "said twice: {said}");
}

#[test]
fn the_flight_recorder_has_the_same_fields() {
    let Some(journal) = Isolated::new() else {
        return skip("no mount namespaces here");
    };
    let name = instance("journal-flight");
    let reports = journal.place.path().join("reports");
    let arguments = ["flight", "--instance", &name, "--out", reports.to_str().expect("text")];
    let (running, _) = journal.start_program("rtrd", &arguments, true);
    let message = journal.message("recording instance");
    assert_eq!(message["ROLE"], "rtrd-flight");
    assert_eq!(message["INSTANCE"], name);
    assert_eq!(message["PID"], running.0.id().to_string());
}

/// The number between some words of a text.
fn number(text: &str, before: &str, behind: &str) -> Option<u64> {
    let (_, rest) = text.split_once(before)?;
    let end = rest.find(|letter: char| !letter.is_ascii_digit());
    let (digits, rest) = rest.split_at(end.unwrap_or(rest.len()));
    rest.starts_with(behind).then(|| digits.parse().ok())?
}

/// What a loop reports says in its fields what its text says in words.
#[test]
fn events_of_the_loop_have_their_step_and_count() {
    let Some(journal) = Isolated::new() else {
        return skip("no mount namespaces here");
    };
    // With the subsystems in the same process it steps without anybody's answer.
    let config = journal.place.path().join("linked.toml");
    std::fs::write(&config, "[dynamics]\nsubsystems = \"linked\"\n").expect("a file");
    let name = instance("journal-step");
    let arguments = ["--instance", &name, "--config", config.to_str().expect("text")];
    let (running, _) = journal.start_program("dynamics-service", &arguments, true);
    journal.message("stepping on CPU");
    eventually("it makes steps", || {
        let region = Region::observe(&RegionName::new(&name).expect("a good name")).ok()?;
        region.reader(DYNAMICS_HEALTH).latest().filter(|health| health.value.stamp.step > 1).map(drop)
    });
    // A stop for some of its periods is an overrun.
    running.send(Signal::SIGSTOP);
    std::thread::sleep(Duration::from_millis(300));
    running.send(Signal::SIGCONT);
    let message = eventually("an overrun at a step", || {
        let message = journal.message("overrun");
        (message["STEP"] != "0").then_some(message)
    });
    assert_eq!(message["EVENT"], "overrun");
    let text = &message["MESSAGE"];
    assert_eq!(message["STEP"].parse().ok(), number(text, "step ", ""), "{text}");
    // Steps that are over: none as long as it lasts.
    let count = number(text, "", " overrun");
    assert_eq!(message["COUNT"].parse(), Ok(count.unwrap_or(0)), "{text}");
}

/// A shell in a service unit hands `JOURNAL_STREAM` down to processes whose output goes elsewhere.
#[test]
fn a_process_whose_output_goes_elsewhere_writes_there() {
    let Some(journal) = Isolated::new() else {
        return skip("no mount namespaces here");
    };
    let (_running, standard_error) = journal.start(&instance("no-journal"), false);
    eventually("the message is on standard error", || {
        let said = std::fs::read_to_string(&standard_error).unwrap_or_default();
        said.contains("INFO stepping on CPU").then_some(())
    });
    assert!(journal.socket.recv(&mut [0; 16]).is_err(), "the journal heard it too");
}
