//! The conformance suite on every stream that this machine can play: FIFO, Unix and TCP socket,
//! pseudo-terminal; plain and with headers.

use std::fs::OpenOptions;
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;

use acquisition::Opening;
use acquisition::conformance::{Rig, check, terminal};
use acquisition::plan::Settings as _;
use acquisition::sources::stream::StreamSettings;
use acquisition::stream::{ByteOrder, FrameStamp, Framing, Layout, encode_frame};
use nix::sys::stat::Mode;
use rt::allocation::forbid;

/// The board at the other end of a stream.
struct Board {
    settings: StreamSettings,
    connect: Box<dyn Fn() -> Box<dyn Write>>,
    writer: Option<Box<dyn Write>>,
    sequence: u32,
    can_unplug: bool,
}

impl Board {
    fn new(settings: StreamSettings, connect: impl Fn() -> Box<dyn Write> + 'static) -> Self {
        Self { settings, connect: Box::new(connect), writer: None, sequence: 0, can_unplug: true }
    }

    fn block(&mut self, number: u32) -> Vec<u8> {
        let layout = Layout::new(&Layout::board_fields(), self.settings.byte_order).expect("the board's fields");
        let mut payload = Vec::new();
        layout.encode(&[f64::from(number), 0.0, f64::from(number)], &mut payload);
        if self.settings.framing == Framing::None {
            return payload;
        }
        let stamp = FrameStamp { sequence: self.sequence, hardware_ns: u64::from(self.sequence) * 1_000_000 };
        self.sequence += 1;
        let mut frame = Vec::new();
        encode_frame(stamp, &payload, &mut frame);
        frame
    }
}

impl Rig for Board {
    fn opening(&self) -> Box<dyn Opening> {
        self.settings.clone().opening(None).expect("good settings")
    }

    fn deliver(&mut self, number: u32) {
        let block = self.block(number);
        let writer = self.writer.get_or_insert_with(|| (self.connect)());
        writer.write_all(&block).expect("room in the pipe");
        writer.flush().expect("room in the pipe");
    }

    fn unplug(&mut self) -> bool {
        if self.can_unplug {
            self.writer = None;
        }
        self.can_unplug
    }

    fn without_heap(&self, work: &mut dyn FnMut()) {
        forbid(work);
    }
}

fn settings(path: PathBuf) -> StreamSettings {
    StreamSettings { path: Some(path), ..StreamSettings::default() }
}

/// Plain, with a known period and the other byte order, and with headers.
#[test]
fn fifos_conform() {
    let folder = tempfile::tempdir().expect("a folder");
    let usual = |name: &str| settings(folder.path().join(name));
    for settings in [
        usual("plain"),
        StreamSettings { period_us: Some(1000.0), byte_order: ByteOrder::Big, ..usual("period") },
        StreamSettings { framing: Framing::Header, ..usual("framed") },
    ] {
        let path = settings.path.clone().expect("a path");
        nix::unistd::mkfifo(&path, Mode::S_IRWXU).expect("a FIFO");
        let connect = move || OpenOptions::new().write(true).open(&path).expect("a reader is there");
        check(&mut Board::new(settings, move || Box::new(connect())));
    }
}

#[test]
fn a_unix_socket_conforms() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board.socket");
    let listener = UnixListener::bind(&path).expect("a socket");
    check(&mut Board::new(settings(path), move || Box::new(listener.accept().expect("somebody connects").0)));
}

#[test]
fn a_tcp_socket_conforms() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a socket");
    let settings = StreamSettings {
        tcp: Some(listener.local_addr().expect("an address").to_string()),
        ..StreamSettings::default()
    };
    check(&mut Board::new(settings, move || Box::new(listener.accept().expect("somebody connects").0)));
}

/// A pseudo-terminal stands for a serial port: the same settings, without the wire. It cannot be
/// unplugged and keep its name.
#[test]
fn a_serial_port_conforms() {
    let Some((board, name)) = terminal() else { return println!("skipped: no pseudo-terminals here") };
    let mut settings = settings(name.into());
    settings.baud = Some(115_200);
    let writer = std::sync::Arc::new(board);
    let mut board = Board::new(settings, move || {
        let file = nix::unistd::dup(&*writer).expect("another descriptor");
        Box::new(std::fs::File::from(file))
    });
    board.can_unplug = false;
    check(&mut board);
}
