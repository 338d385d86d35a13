//! A region that a test makes, and what an acquisition process publishes in it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use shm_layout::blocks::{self, Acquisition};
use shm_layout::clock::monotonic_ns;
use shm_layout::signals::Library;
use shm_layout::signals::names::{RunName, RunNames};
use shm_layout::{Region, RegionName, Writer};

/// A region of this test alone in which somebody publishes, removed at its end.
pub struct Live {
    pub name: RegionName,
    region: Option<Region>,
    raw: Arc<Mutex<[f64; 3]>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Live {
    /// Publishes the three channels of the shipped buggy about every millisecond: brake, throttle,
    /// steering.
    pub fn new(test: &str) -> Self {
        Self::publishing(test, 1, |raw, _| raw)
    }

    /// Publishes every sample so often, with these raw numbers, which may depend on its number.
    pub fn publishing(test: &str, times: u64, of: impl Fn([f64; 3], u64) -> [f64; 3] + Send + 'static) -> Self {
        let mut live = Self::silent(test);
        let mut writer = live.region.as_ref().unwrap().claim(blocks::ACQUISITION).unwrap();
        let (raw, stop) = (Arc::clone(&live.raw), Arc::clone(&live.stop));
        let (published, first_publication) = channel();
        live.thread = Some(std::thread::spawn(move || {
            let mut step = 0;
            while !stop.load(Ordering::Relaxed) {
                let sample = step / times + 1;
                let sample_ns = monotonic_ns();
                for _ in 0..times {
                    step += 1;
                    // The setter of a number waits until the last one is out: nothing old follows.
                    let raw = raw.lock().unwrap();
                    publish(&mut writer, (step, sample, sample_ns), of(*raw, sample));
                    drop(raw);
                    if step == 1 {
                        published.send(()).unwrap();
                    }
                    std::thread::sleep(Duration::from_micros(1000 / times));
                }
            }
        }));
        first_publication.recv().unwrap();
        live
    }

    /// A region in which nothing is published.
    pub fn silent(test: &str) -> Self {
        let name = RegionName::new(&format!("test-daq-{test}-{}", std::process::id())).unwrap();
        Self {
            region: Some(Region::create(&name, None).unwrap()),
            name,
            raw: Arc::new(Mutex::new([8191.75, 210.0, 500.0])),
            stop: Arc::default(),
            thread: None,
        }
    }

    /// Names the channels as an acquisition process does.
    pub fn name_channels(&self, names: &[(&str, &str)]) {
        let library = Library::new();
        let number = |index: usize| library.by_name(&format!("acquisition.channels[{index}].value")).unwrap().number;
        let named = names.iter().enumerate().map(|(index, (name, unit))| RunName {
            number: number(index),
            name: format!("channels.{name}.value"),
            unit: (*unit).to_owned(),
            range: "-1..1".to_owned(),
            description: "a value".to_owned(),
        });
        let titles = vec![("/nowhere/mine.toml".to_owned(), "acquisition file".to_owned())];
        let names = RunNames { titles, names: named.collect() };
        service::publish_names(self.region.as_ref().unwrap(), blocks::DAQ_NAMES, &names).unwrap();
    }

    pub fn set(&self, channel: usize, raw: f64) {
        self.raw.lock().unwrap()[channel] = raw;
    }

    pub fn instance(&self) -> &str {
        self.name.instance()
    }

    /// A line, with the arguments that name it behind.
    pub fn line(&self, line: &str) -> String {
        format!("{line} --instance {} --acquisition buggy", self.instance())
    }
}

/// Values as the thesis has them: 40 bar of 32767, 420 counts, −0.18° per count.
fn publish(writer: &mut Writer<Acquisition>, (step, sample, sample_ns): (u64, u64, u64), raw: [f64; 3]) {
    let mut block = Box::new(Acquisition::default());
    block.stamp.step = step;
    block.stamp.sample_ns = sample_ns;
    block.stamp.publish_ns = monotonic_ns();
    block.source_count = 1;
    block.sources[0].state = 2;
    block.sources[0].clock = 1;
    block.sources[0].blocks = sample;
    block.sources[0].lost = 17;
    block.channel_count = 3;
    let values = [raw[0] / 32_767.0 * 40.0, raw[1] / 420.0, -0.18 * raw[2]];
    for (index, channel) in block.channels[..3].iter_mut().enumerate() {
        channel.raw = raw[index];
        channel.value = values[index];
        channel.rate = 0.25;
        channel.sample_ns = sample_ns;
    }
    block.channels[0].faults = 1;
    block.channels[0].reaction = 1;
    writer.publish(&block);
}

impl Drop for Live {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        drop(self.region.take());
        let _ = std::fs::remove_file(self.name.path());
    }
}
