//! A board at the other end of a FIFO, and the acquisition's own code at this end.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use acquisition::Plan;
use acquisition::stream::{ByteOrder, Layout};
use daq_service::Waiting;
use files::Found;
use nix::sys::stat::Mode;
use shm_layout::blocks::{self, Acquisition};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Reader, Wait};
use simulator::system::job;

use crate::live::eventually_after;
use crate::played::{Bench, FORMAT, channel};
use crate::programs::root;

/// An acquisition file: a stream from a FIFO with these further settings, its numbers as they are.
pub fn file(fifo: &Path, settings: &str) -> String {
    let mut text = format!("{FORMAT}[[source]]\nname = \"board\"\nkind = \"stream\"\npath = {fifo:?}\n{settings}\n");
    for (index, name) in ["brake", "throttle", "steering"].iter().enumerate() {
        text += &channel(name, "board", &format!("target = \"sensors.channels[{index}]\""));
    }
    text
}

/// The shipped file of the buggy with a stream from here in the place of its emulator.
pub fn buggy_with_stream(path: &Path) -> String {
    let shipped = root().join("models/acquisition/buggy.toml");
    let shipped = std::fs::read_to_string(shipped).expect("the shipped file");
    let text =
        shipped.replace("kind = \"emulator\"", &format!("kind = \"stream\"\npath = {path:?}\nperiod_us = 1000.0"));
    assert_ne!(shipped, text, "the shipped file has changed");
    text
}

/// A block whose three numbers belong together: what is torn is seen.
pub fn numbers(block: u32) -> [f64; 3] {
    [f64::from(block & 0x3fff), f64::from(block >> 14), f64::from(block)]
}

/// A block of a drive: its numbers move as those of a car do.
pub fn drive(block: u32) -> [f64; 3] {
    let phase = f64::from(block) * 2e-3;
    [2000.0 + 1500.0 * phase.sin(), 210.0 + 200.0 * phase.cos(), 900.0 * phase.sin()]
}

/// The bytes of a block.
pub fn bytes(numbers: [f64; 3], order: ByteOrder) -> Vec<u8> {
    let layout = Layout::new(&Layout::board_fields(), order).expect("the board's fields");
    let mut block = Vec::new();
    layout.encode(&numbers, &mut block);
    block
}

/// Makes a FIFO in a folder.
pub fn fifo(folder: &Path) -> PathBuf {
    let path = folder.join("board");
    nix::unistd::mkfifo(&path, Mode::S_IRWXU).expect("a FIFO");
    path
}

/// The acquisition of one FIFO, without its process.
pub struct Rig {
    /// The acquisition behind it.
    pub bench: Bench,
    waiting: Waiting,
    status: Reader<Acquisition>,
    fifo: PathBuf,
    writer: Option<File>,
    _folder: tempfile::TempDir,
}

impl Rig {
    /// A stream with these settings.
    pub fn new(settings: &str, wait: Wait) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let fifo = fifo(folder.path());
        let plan = Plan::parse(&Found::new("test.toml", file(&fifo, settings)), &[]).expect("a good file");
        let bench = Bench::new(plan, &job("tank-level", None));
        let status = bench.region.reader(blocks::ACQUISITION);
        Self { bench, waiting: Waiting::new(wait).expect("a pipe"), status, fifo, writer: None, _folder: folder }
    }

    /// The board's end.
    pub fn writer(&mut self) -> &mut File {
        let open = || OpenOptions::new().write(true).open(&self.fifo).expect("a reader is there");
        self.writer.get_or_insert_with(open)
    }

    /// Takes the board's end away to be used elsewhere, or to be closed.
    pub fn take_writer(&mut self) -> File {
        self.writer();
        self.writer.take().expect("it was just opened")
    }

    /// Writes to the pipe.
    pub fn send(&mut self, bytes: &[u8]) {
        self.writer().write_all(bytes).expect("room in the pipe");
    }

    /// One turn of the loop; publishes if there is news. Real-time safe.
    pub fn turn(&mut self) -> bool {
        self.waiting.wait(&mut self.bench.chain, monotonic_ns() + 1_000_000);
        let now_ns = monotonic_ns();
        let blocks = self.bench.turn_at(now_ns);
        if blocks > 0 {
            self.waiting.received(now_ns, blocks);
        }
        blocks > 0
    }

    /// What is published.
    pub fn status(&mut self) -> &Acquisition {
        self.status.latest().expect("it was published").value
    }

    /// Turns until what is published is as wanted.
    pub fn until(&mut self, what: &str, wanted: impl Fn(&Acquisition) -> bool) {
        eventually_after(Duration::ZERO, what, || {
            self.turn();
            wanted(self.status()).then_some(())
        });
    }
}
