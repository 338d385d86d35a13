//! The conformance suite on sources without hardware: recordings and scripts, which play by the
//! clock.

use std::cell::Cell;

use acquisition::Opening;
use acquisition::conformance::{Rig, check};
use acquisition::plan::Settings as _;
use acquisition::sources::replay::ReplaySettings;
use acquisition::sources::scripted::ScriptedSettings;
use rt::allocation::forbid;

/// Numbers that rise by one with each millisecond: to deliver one is to let its time come.
struct Clocked {
    opening: Box<dyn Fn() -> Box<dyn Opening>>,
    now_ns: Cell<u64>,
}

const BEGAN_NS: u64 = 1_000_000_000;

impl Clocked {
    fn new(opening: impl Fn() -> Box<dyn Opening> + 'static) -> Self {
        Self { opening: Box::new(opening), now_ns: Cell::new(BEGAN_NS) }
    }
}

impl Rig for Clocked {
    fn opening(&self) -> Box<dyn Opening> {
        (self.opening)()
    }

    fn deliver(&mut self, number: u32) {
        self.now_ns.set(BEGAN_NS + u64::from(number) * 1_000_000);
    }

    fn now_ns(&self) -> u64 {
        self.now_ns.get()
    }

    fn starts_with_a_sample(&self) -> bool {
        true
    }

    fn without_heap(&self, work: &mut dyn FnMut()) {
        forbid(work);
    }
}

#[test]
fn a_script_conforms() {
    check(&mut Clocked::new(|| {
        // Steps half-way between the samples, so that rounding decides nothing.
        let points = (0..2_000).map(|step| format!("[{:.4}, {step}.0]", f64::from(step) * 1e-3 - 5e-4));
        let points = points.collect::<Vec<_>>().join(", ");
        let text = format!("numbers = [{{ name = 'count', points = [{points}], between = 'steps' }}]");
        let settings: ScriptedSettings = toml::from_str(&text).expect("settings");
        settings.opening(None).expect("an opening")
    }));
}

#[test]
fn a_recording_conforms() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("drive.csv");
    let rows = (0..2_000).map(|row| format!("{:.3},{row}\n", f64::from(row) * 1e-3));
    let text = format!("time_s,count.raw\n{}", rows.collect::<String>());
    std::fs::write(&path, text).expect("written");
    check(&mut Clocked::new(move || {
        let settings = ReplaySettings { path: path.clone(), speed: 1.0, repeat: false };
        settings.opening(None).expect("an opening")
    }));
}
