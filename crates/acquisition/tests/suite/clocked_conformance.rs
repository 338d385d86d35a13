//! The conformance suite on sources without hardware: recordings and scripts, which play by the
//! clock.

use std::cell::Cell;

use acquisition::Opening;
use acquisition::conformance::{Rig, check};
use acquisition::plan::opening;
use rt::allocation::forbid;

const BEGAN_NS: u64 = 1_000_000_000;

/// Numbers that rise by one with each millisecond, from a source of this kind with these settings:
/// to deliver one is to let its time come.
struct Clocked {
    kind: &'static str,
    settings: String,
    now_ns: Cell<u64>,
}

fn check_clocked(kind: &'static str, settings: String) {
    check(&mut Clocked { kind, settings, now_ns: Cell::new(BEGAN_NS) });
}

impl Rig for Clocked {
    fn opening(&self) -> Box<dyn Opening> {
        opening(self.kind, &self.settings, None).expect("good settings")
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
    // Steps half-way between the samples, so that rounding decides nothing.
    let points = (0..2_000).map(|step| format!("[{:.4}, {step}.0]", f64::from(step) * 1e-3 - 5e-4));
    let points = points.collect::<Vec<_>>().join(", ");
    check_clocked("scripted", format!("numbers = [{{ name = 'count', points = [{points}], between = 'steps' }}]"));
}

#[test]
fn a_recording_conforms() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("drive.csv");
    let rows = (0..2_000).map(|row| format!("{:.3},{row}\n", f64::from(row) * 1e-3));
    std::fs::write(&path, format!("time_s,count.raw\n{}", rows.collect::<String>())).expect("written");
    check_clocked("replay", format!("path = {path:?}"));
}
