//! Every kind of fault, from a source to the health block: which it is, and what is done about it.

use shm_layout::clock::monotonic_ns;
use simulator::system::job;
use system_tests::played::{Bench, Hand, channel};

const OUT_OF_RANGE: u64 = 1;
const STUCK: u64 = 2;
const JUMP: u64 = 4;
const STALE: u64 = 8;
const NOT_A_NUMBER: u64 = 16;
const NOTHING: u64 = 0;
const HELD: u64 = 1;
const RAMPED: u64 = 2;
const STOP: u64 = 3;

const MS: u64 = 1_000_000;

/// One channel with these rules, and 20 ms of good samples behind it.
fn bench(rules: &str) -> (Bench, Hand, u64) {
    let hand = Hand::new(&["number"]);
    let text = format!(
        "[[source]]\nname = \"board\"\nkind = \"0\"\n[[channel]]\nname = \"one\"\nsource = \"board\"\nraw = \"number\"\n\
         target = \"sensors.channels[0]\"\nplausibility = {{ {rules}, safe_value = 7.0, ramp_s = 0.0, recover_s = 0.01, return_s = 0.0 }}\n"
    );
    let mut bench = Bench::played(&text, &[&hand], &job("tank-level", None));
    let begun_ns = monotonic_ns();
    for ms in 0..20 {
        hand.deliver_at(begun_ns + ms * MS, &[1.0 + ms as f64 * 1e-3]);
    }
    bench.turn();
    (bench, hand, begun_ns + 20 * MS)
}

/// Feeds numbers a millisecond apart, the first of them wrong or the last; what the health block
/// says, and the value that is used.
fn feed(bench: &mut Bench, hand: &Hand, from_ns: u64, numbers: &[f64]) -> ((u64, u64), f64) {
    for (number, ms) in numbers.iter().zip(0..) {
        hand.deliver_at(from_ns + ms * MS, &[*number]);
    }
    bench.turn();
    (bench.health(), bench.sensors().channels[0])
}

/// Thirty good samples after a fault: longer than the file asks for.
fn recovers(bench: &mut Bench, hand: &Hand, from_ns: u64) {
    let good: Vec<f64> = (0..30).map(|index| 2.0 + f64::from(index) * 1e-3).collect();
    feed(bench, hand, from_ns, &good);
    // The return to what is measured takes no time, but it begins with a turn.
    let (health, value) = feed(bench, hand, from_ns + 30 * MS, &[2.05]);
    assert_eq!((health, value), ((0, NOTHING), 2.05), "it is forgiven");
}

#[test]
fn each_fault_has_its_reaction_and_is_forgiven() {
    let stuck = [1.5; 100];
    for (rules, numbers, health, value) in [
        ("range = { min = 0.0, max = 10.0, reaction = \"stop\" }", &[3.0][..], (0, NOTHING), 3.0),
        // The last good one stays.
        ("range = { min = 0.0, max = 10.0, reaction = \"hold\" }", &[11.0], (OUT_OF_RANGE, HELD), 1.019),
        ("not_a_number = { reaction = \"hold\" }", &[f64::NAN], (NOT_A_NUMBER, HELD), 1.019),
        // To the safe value.
        ("stuck = { for_s = 0.05, reaction = \"ramp\" }", &stuck, (STUCK, RAMPED), 7.0),
        // Back again is another jump, and the last.
        ("jump = { step_max = 1.0, reaction = \"stop\" }", &[5.0], (JUMP, STOP), 7.0),
    ] {
        let (mut bench, hand, now_ns) = bench(rules);
        assert_eq!(feed(&mut bench, &hand, now_ns, numbers), (health, value), "{rules}");
        if health.0 != 0 {
            recovers(&mut bench, &hand, now_ns + numbers.len() as u64 * MS);
        }
    }
}

#[test]
fn stale_goes_to_the_safe_value() {
    let (mut bench, hand, _) = bench("stale = { after_s = 0.2, reaction = \"ramp\" }");
    bench.until("it is stale", |bench| bench.health() == (STALE, RAMPED));
    assert_eq!(bench.sensors().channels[0], 7.0);
    // A machine that is busy may be late itself: again until it was in time.
    bench.until("it is forgiven", |bench| {
        hand.deliver(&[2.0 + bench.sensors().stamp.step as f64 * 1e-3]);
        bench.health() == (0, NOTHING)
    });
}

#[test]
fn a_source_that_is_gone_is_stale_without_a_rule() {
    let (mut bench, hand, _) = bench("range = { min = 0.0, max = 10.0, reaction = \"stop\" }");
    hand.unplug();
    bench.until("it is gone", |bench| bench.health() == (STALE, HELD));
    hand.plug_in(&["number"]);
    bench.until("it is forgiven", |bench| {
        hand.deliver(&[2.0]);
        bench.health() == (0, NOTHING)
    });
}

/// Two channels: the health block has the faults of both and the sharper reaction.
#[test]
fn faults_are_gathered_and_the_sharpest_reaction_counts() {
    let hand = Hand::new(&["a", "b"]);
    let ramped = "plausibility = { range = { min = 0.0, max = 1.0, reaction = \"ramp\" } }";
    let held = "plausibility = { not_a_number = { reaction = \"hold\" } }";
    let channels = [channel("a", "board", ramped), channel("b", "board", held)].concat();
    let text = format!("[[source]]\nname = \"board\"\nkind = \"0\"\n{channels}");
    let mut bench = Bench::played(&text, &[&hand], &job("tank-level", None));
    hand.deliver(&[0.5, 0.5]);
    bench.turn();
    assert_eq!(bench.health(), (0, NOTHING));
    hand.deliver(&[2.0, f64::NAN]);
    bench.turn();
    assert_eq!(bench.health(), (OUT_OF_RANGE | NOT_A_NUMBER, RAMPED));
}
