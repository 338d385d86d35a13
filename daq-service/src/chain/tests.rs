//! How often the chain publishes, with a script in the place of hardware, which plays by the clock
//! that it is given.

use files::Found;
use shm_layout::RegionName;

use super::*;

const MS: u64 = 1_000_000;
/// A sample each millisecond.
const FILE: &str = r#"
format = "rtrd-acquisition-1"
[[source]]
name = "script"
kind = "scripted"
numbers = [{ name = "a", points = [[0, 0], [100, 100]] }]
[[channel]]
name = "a"
source = "script"
raw = "a"
target = "sensors.channels[0]"
"#;

/// The chain with this period, as the loop runs it: `wake` has the times (ns) at which it wakes.
fn publications(period_ns: u64, wake: impl Iterator<Item = u64>) -> (u64, u64) {
    let folder = tempfile::tempdir_in("/dev/shm").expect("shared memory");
    let name = RegionName::in_directory(folder.path(), "chain").expect("a good name");
    let region = Region::create(&name, None).expect("a region");
    let plan = Plan::parse(&Found::new("test.toml", FILE), &[]).expect("a plan");
    let job = Job::Plant(Box::new(plant::Scenario::builtin("tank-level").expect("a shipped scenario")));
    let chain = MeasuringChain::new(&region, plan, &job).expect("blocks to claim");
    let (mut chain, mut samples) = (chain.with_period_ns(period_ns), 0);
    for now_ns in wake {
        samples += chain.take(now_ns);
        chain.publish(now_ns);
    }
    (samples, chain.publications())
}

/// The loop wakes when a sample comes and 0.4 ms later, when its period is over.
#[test]
fn a_sample_is_published_once() {
    let wake = (1..=1000).flat_map(|ms| [ms * MS, ms * MS + 400_000]);
    assert_eq!(publications(MS, wake), (1000, 1000));
}

/// A sample each millisecond and a period of 0.1 ms: ages and faults are brought up to date between
/// the samples.
#[test]
fn without_samples_it_publishes_once_in_a_period() {
    let wake = (10..1010).map(|tenth| tenth * MS / 10);
    assert_eq!(publications(MS / 10, wake), (100, 1000));
}
