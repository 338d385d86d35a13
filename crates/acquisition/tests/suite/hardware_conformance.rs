//! The conformance suite on hardware that this machine can play: a CAN bus as a pair of sockets, an
//! IIO device as a folder and a FIFO.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::Write;
use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use acquisition::conformance::{Rig, check};
use acquisition::plan::Settings as _;
use acquisition::sources::can::{CanSource, Decoder};
use acquisition::sources::dbc::Database;
use acquisition::sources::iio::Settings;
use acquisition::sources::reopening::{OpenerHooks, Reopening};
use acquisition::{Counters, OpenError, Opening, Source};
use rt::allocation::forbid;

/// The other end of a bus whose frames are messages of a socket pair; each opening makes another
/// pair.
#[derive(Clone, Default)]
struct Bus {
    peer: Arc<Mutex<Option<UnixDatagram>>>,
    plugged: Arc<Mutex<bool>>,
}

impl Opening for Bus {
    fn open(&self, counters: Counters) -> Result<Box<dyn Source>, OpenError> {
        let error = |problem: String| OpenError { place: "bus".to_owned(), problem };
        if !*self.plugged.lock().expect("no panic") {
            return Err(error("unplugged".to_owned()));
        }
        let text = b"BO_ 258 Count: 2 Car\n SG_ Number : 0|16@1+ (1,0) [0|20000] \"\" Car\n";
        let database = Database::read(text).map_err(|problem| error(problem.to_string()))?;
        let decoder = Decoder::new(&database, &["Number".to_owned()], true).map_err(error)?;
        let (peer, ours) = UnixDatagram::pair().expect("a socket pair");
        *self.peer.lock().expect("no panic") = Some(peer);
        let source = CanSource::new(ours.into(), decoder, 0.5, counters).expect("a source");
        Ok(Box::new(source))
    }
}

impl Bus {
    fn send(&self, bytes: &[u8]) {
        let peer = self.peer.lock().expect("no panic");
        peer.as_ref().expect("open").send(bytes).expect("sent");
    }
}

impl Rig for Bus {
    fn opening(&self) -> Box<dyn Opening> {
        *self.plugged.lock().expect("no panic") = true;
        Box::new(self.clone())
    }

    fn deliver(&mut self, number: u32) {
        let mut frame = [0; 16];
        frame[..4].copy_from_slice(&258_u32.to_ne_bytes());
        frame[4] = 2;
        frame[8..10].copy_from_slice(&(number as u16).to_le_bytes());
        self.send(&frame);
    }

    fn unplug(&mut self) -> bool {
        *self.plugged.lock().expect("no panic") = false;
        self.send(&[]);
        true
    }

    fn plug_in(&mut self) {
        *self.plugged.lock().expect("no panic") = true;
    }

    fn without_heap(&self, work: &mut dyn FnMut()) {
        forbid(work);
    }
}

#[test]
fn a_bus_conforms() {
    check(&mut Bus::default());
}

/// A device as the kernel shows it, with one channel.
struct Device {
    folder: tempfile::TempDir,
    writer: Rc<RefCell<Option<File>>>,
    at_ns: u64,
}

impl Device {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let device = Self { folder, writer: Rc::default(), at_ns: 0 };
        nix::unistd::mkfifo(&device.path("dev-iio:device0"), nix::sys::stat::Mode::S_IRWXU).expect("a FIFO");
        std::fs::create_dir(device.path("dev")).expect("a folder");
        std::fs::create_dir(device.path("sys")).expect("a folder");
        device.show(true);
        device
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Its files are there only while it is plugged in.
    fn show(&self, there: bool) {
        let folder = self.path("sys/iio:device0");
        if !there {
            std::fs::remove_dir_all(&folder).expect("removed");
            std::fs::rename(self.path("dev/iio:device0"), self.path("dev-iio:device0")).expect("moved");
            *self.writer.borrow_mut() = None;
            return;
        }
        for inner in ["buffer", "scan_elements"] {
            std::fs::create_dir_all(folder.join(inner)).expect("a folder");
        }
        let files = [
            ("scan_elements/in_angl_en", "0"),
            ("scan_elements/in_angl_index", "0"),
            ("scan_elements/in_angl_type", "be:u16/16>>0"),
            ("scan_elements/in_timestamp_en", "0"),
            ("scan_elements/in_timestamp_index", "1"),
            ("scan_elements/in_timestamp_type", "le:s64/64>>0"),
            ("current_timestamp_clock", "monotonic"),
            ("buffer/enable", "0"),
            ("buffer/length", "2"),
            ("name", "angle"),
        ];
        for (name, content) in files {
            std::fs::write(folder.join(name), content).expect("written");
        }
        // The FIFO is there last: an opening before that fails and is tried again.
        let fifo = self.path("dev-iio:device0");
        *self.writer.borrow_mut() = Some(File::options().read(true).write(true).open(&fifo).expect("open"));
        std::fs::rename(fifo, self.path("dev/iio:device0")).expect("moved");
    }
}

impl Rig for Device {
    fn opening(&self) -> Box<dyn Opening> {
        let (sysfs, dev) = (self.path("sys"), self.path("dev"));
        let text = format!("device = 'angle'\nchannels = ['in_angl']\nsysfs = {sysfs:?}\ndev = {dev:?}");
        let settings: Settings = toml::from_str(&text).expect("settings");
        settings.opening(None).expect("an opening")
    }

    fn deliver(&mut self, number: u32) {
        self.at_ns += 1_000;
        let scan = [&(number as u16).to_be_bytes()[..], &[0; 6], &self.at_ns.to_le_bytes()].concat();
        self.writer.borrow_mut().as_mut().expect("plugged in").write_all(&scan).expect("written");
    }

    fn unplug(&mut self) -> bool {
        self.show(false);
        true
    }

    fn plug_in(&mut self) {
        self.show(true);
    }

    fn without_heap(&self, work: &mut dyn FnMut()) {
        forbid(work);
    }
}

#[test]
fn an_iio_device_conforms() {
    check(&mut Device::new());
}

thread_local! {
    static HAS_LEFT_REAL_TIME: Cell<bool> = const { Cell::new(false) };
}

/// Cannot be opened, and reports on what kind of thread that was tried.
struct Telling;

impl Opening for Telling {
    fn open(&self, _: Counters) -> Result<Box<dyn Source>, OpenError> {
        Err(OpenError { place: "thread".to_owned(), problem: HAS_LEFT_REAL_TIME.get().to_string() })
    }
}

/// A wheel's force has a thread of its own, which must not inherit the loop's priority and CPU.
#[test]
fn sources_are_opened_off_the_real_time_path() {
    let terms = OpenerHooks { prepare: || HAS_LEFT_REAL_TIME.set(true), report: |_| {} };
    let (_source, problem) = Reopening::start("telling", Box::new(Telling), terms);
    assert_eq!(problem.expect("it cannot be opened").problem, "true");
    assert!(!HAS_LEFT_REAL_TIME.get(), "and this thread stays what it is");
}
