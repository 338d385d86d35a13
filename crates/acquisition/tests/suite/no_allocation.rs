//! The pipeline's loop leaves the heap alone, whatever is wrong with the samples.

use acquisition::{Pipeline, Plan, Sample};
use files::Found;
use rt::allocation::forbid;

/// Everything that a pipeline can do: every method, every reaction, a table, a measured rate.
fn every_method() -> String {
    let methods = [
        "{ method = \"smooth\", length = 10 }",
        "{ method = \"backward\", points = 4 }",
        "{ method = \"alpha-beta-gamma\", time_constant_s = 0.02 }",
        "{ method = \"kalman\", jerk_density = 1e4 }",
        "{ method = \"measured\", rate = \"speed\" }",
    ];
    let file = files::shipped_text("acquisition", "buggy").expect("shipped");
    // A source that is never opened.
    let mut file = file.replace("kind = \"emulator\"", "kind = \"stream\"\npath = \"board\"");
    for (index, method) in methods.iter().enumerate() {
        file += &format!(
            "[[channel]]\nname = \"c{index}\"\nsource = \"board\"\nraw = \"steering\"\n\
             calibration = {{ table = [[-1e6, -1e6], [0, 0], [1e6, 2e6]], unit = \"deg\" }}\n\
             derivative = {method}\nonly_changes = {}\nplausibility.stuck = {{ for_s = 0.01, reaction = \"ramp\" }}\n",
            index == 1
        );
    }
    file + "[[channel]]\nname = \"speed\"\nsource = \"board\"\nraw = \"brake\"\ncalibration = { unit = \"deg/s\" }\n"
}

#[test]
fn a_hundred_thousand_samples_without_the_heap() {
    let plan = Plan::parse(&Found::new("test.toml", every_method()), &[]).expect("a plan");
    let mut pipeline = Pipeline::new(&plan);
    let numbers = ["brake", "throttle", "steering"].map(str::to_owned);
    pipeline.bind(0, &numbers).expect("its numbers");
    let mut faults = 0;
    forbid(|| {
        for sample_number in 0..100_000_u64 {
            let sample_ns = 1 + sample_number * 1_000_000;
            let mut sample = Sample::empty(sample_ns);
            let counts = match sample_number % 1_000 {
                500 => f64::NAN,
                600 => 1e12,
                700..750 => 5.0,
                _ => (sample_number as f64 * 0.01).sin() * 500.0,
            };
            (0..3).for_each(|channel| sample.set(channel, counts));
            if sample_number % 5_000 < 4_900 {
                pipeline.feed(0, &sample);
            }
            if sample_number == 50_000 {
                pipeline.lost(0);
            }
            pipeline.tick(sample_ns);
            faults |= pipeline.channels().iter().fold(0, |bits, channel| bits | channel.faults.0);
        }
    });
    assert_eq!(faults, 31, "every fault has been seen on the way");
}
