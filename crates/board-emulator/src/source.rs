//! The emulated board as a source: the default where there is no hardware. It runs in an ordinary
//! thread and is read through a pipe, as a real board would be; nothing of it is on the real-time
//! path.

use std::io::PipeReader;
use std::path::Path;

use acquisition::plan::{self, SourceKind};
use acquisition::sources::stream::{StreamSettings, StreamSource};
use acquisition::stream::{Field, Framing, Kind};
use acquisition::{Counters, OpenError, Opening, Source};
use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;
use rt::machine::CpuList;

use super::delivery::Outlet;
use super::emulator::Emulator;
use super::schedule::sends_values;
use super::script::Width;
use super::settings::{Prepared, Settings};

/// The kind `emulator` of an acquisition file, for a program that reads one.
pub const SOURCE_KIND: SourceKind = SourceKind::new::<Settings>("emulator");

/// Silence of fewer blocks than this is no stall.
const STALLED_AFTER_BLOCKS: u64 = 20;

/// An emulated board that can be opened: each time it starts from the beginning.
#[derive(Clone, Debug)]
pub struct EmulatorOpening {
    prepared: Prepared,
    format: StreamSettings,
}

impl EmulatorOpening {
    /// With checked settings.
    pub fn new(prepared: Prepared) -> Self {
        let fields = prepared.program.block.iter().zip(&prepared.names);
        let fields = fields.map(|(field, name)| match field.width {
            Width::Word => Field::new(name, Kind::I16),
            Width::Long => Field::new(name, Kind::I32),
        });
        let usual = StreamSettings::default();
        let block_ns = prepared.program.block_ns();
        let is_paced = prepared.delivery.period_ns > 0;
        let format = StreamSettings {
            fields: fields.collect(),
            framing: if prepared.delivery.settings.framed { Framing::Header } else { Framing::None },
            period_us: is_paced.then_some(block_ns as f64 * 1e-3),
            stalled_after_ms: usual.stalled_after_ms.max(block_ns * STALLED_AFTER_BLOCKS / 1_000_000),
            whole_blocks: !sends_values(&prepared.program, &prepared.delivery),
            ..usual
        };
        Self { prepared, format }
    }

    /// Starts the board in a thread that ends with its reader.
    fn start(&self) -> std::io::Result<PipeReader> {
        let (reading_end, writing_end) = std::io::pipe()?;
        let outlet = Outlet::pipe(writing_end.into())?;
        let delivery = self.prepared.delivery.clone();
        let emulator = Emulator::new(self.prepared.processor(), delivery, outlet, None, None);
        let run = move || {
            leave_real_time();
            // Without a record nothing can fail.
            let _ = emulator.run(&|| false, &mut |_| {});
        };
        std::thread::Builder::new().name("emulated-board".to_owned()).spawn(run)?;
        Ok(reading_end)
    }
}

/// Makes the calling thread an ordinary one, on the CPUs that are not set apart: it has inherited
/// priority and CPU of the thread that opened the source. What the system refuses stays as it is.
fn leave_real_time() {
    rt::startup::leave();
    let isolated = std::fs::read_to_string("/sys/devices/system/cpu/isolated").unwrap_or_default();
    let isolated: CpuList = isolated.trim().parse().unwrap_or_default();
    let mut cpus = CpuSet::new();
    for cpu in (0..CpuSet::count()).filter(|cpu| !isolated.contains(*cpu)) {
        // Every number below the count can be set.
        let _ = cpus.set(cpu);
    }
    let _ = sched_setaffinity(Pid::from_raw(0), &cpus);
}

impl Opening for EmulatorOpening {
    fn open(&self, counters: Counters) -> Result<Box<dyn Source>, OpenError> {
        let failed = |problem: String| OpenError::new("emulated board", problem);
        let layout = self.format.layout().map_err(failed)?;
        let reading_end = self.start().map_err(|error| failed(error.to_string()))?;
        let source = StreamSource::new(reading_end.into(), &self.format, &layout, counters).map_err(failed)?;
        Ok(Box::new(source))
    }
}

impl plan::Settings for Settings {
    fn opening(self, folder: Option<&Path>) -> Result<Box<dyn Opening>, String> {
        let opening = EmulatorOpening::new(self.prepare(folder)?);
        opening.format.layout()?;
        Ok(Box::new(opening))
    }
}
