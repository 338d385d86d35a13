//! The flight recorder of `rtrd run`: a thread beside the supervisor, which must never wait for a disk.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;

use shm_layout::RegionName;

use super::child::Line;
use crate::flight::{Folder, Recording};

/// The last seconds that a report holds.
const WINDOW_S: f64 = 10.0;
/// Time between two looks (ms).
const LOOK_MS: u64 = 5;
/// Reports that are kept.
const KEEP: usize = 20;

/// Records until it is dropped.
pub struct FlightRecorder {
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl FlightRecorder {
    /// Reports go to this folder, or to the usual one.
    pub fn start(
        region: &RegionName,
        instance: &str,
        folder: Option<PathBuf>,
        lines: Sender<Line>,
    ) -> std::io::Result<Self> {
        let recording = Recording {
            region: region.clone(),
            instance: instance.to_owned(),
            folder: Folder::new(folder.unwrap_or_else(Folder::usual), KEEP),
            window_s: WINDOW_S,
            look_ms: LOOK_MS,
        };
        let ends = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&ends);
        let thread = std::thread::Builder::new().name("flight recorder".to_owned()).spawn(move || {
            recording.record(&mut || !stop.load(Ordering::Relaxed), &|| false, &mut |line| {
                let text = format!("INFO {line}");
                let process = "flight recorder";
                // The supervisor may have ended already.
                let _ = lines.send(Line { process, text });
            });
        })?;
        Ok(Self { ends, thread: Some(thread) })
    }
}

impl Drop for FlightRecorder {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A recorder that panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}
