//! The sources on the kernel's own virtual devices: vcan, uinput, comedi_test, and a converter on
//! an emulated bus (i2c-stub).
//!
//! `tests/rt-vm/acquisition.sh` runs this in the virtual machine, where the devices are. Elsewhere
//! a test whose device is missing says so and passes; with `RTRD_DEVICES=required` a missing device
//! is a failure.

mod can;
mod comedi;
mod iio;
mod wheel;

use std::time::{Duration, Instant};

use acquisition::{Sample, Source};
use rt::allocation::CountingAllocator;
use rt::clock::monotonic_ns;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// How long to wait for what should happen soon. Only a test that fails waits so long.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// What a test needs; says so if it is missing.
fn needed<T>(what: &str, found: Option<T>) -> Option<T> {
    let required = std::env::var_os("RTRD_DEVICES").is_some_and(|value| value == "required");
    assert!(found.is_some() || !required, "{what} is missing");
    if found.is_none() {
        println!("skipped: {what} is missing (tests/rt-vm/acquisition.sh has it)");
    }
    found
}

fn take(source: &mut dyn Source, wanted: usize) -> Vec<Sample> {
    let began = Instant::now();
    let mut samples = Vec::new();
    while samples.len() < wanted {
        let state = source.take(monotonic_ns(), &mut |sample| samples.push(*sample));
        let (found, counters) = (samples.len(), source.counters());
        assert!(began.elapsed() < TIME_LIMIT, "{found} of {wanted} samples; {state:?}, {counters:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
    samples
}
