//! Bad files: the fault names file, line and field; whatever the text, nothing panics.

use crate::driver::{fault, imposed, setup_for, shipped_files, straight_ahead};
use vehicle::driver::{self, DriverSetup};
use vehicle::files::Source;

#[test]
fn faults_name_file_line_and_field() {
    // Behind a first line with the name.
    let named = [
        ("duration_s = -1\n", "2:14: duration_s: ", "above 0, found -1"),
        ("duration_s = \"long\"\n", "2:14: duration_s: ", "a finite number, found string"),
        ("duration_s = inf\n", "2:14: duration_s: ", "a finite number"),
        ("speeed = 1\n", "2:1: speeed: ", "unknown field `speeed`"),
        ("[initial]\nspeed_km_h = 10\nspeed_mph = 6\n", "2:1: initial", "say the same thing twice"),
        ("[initial]\nwheel_spin = \"fast\"\n", "3:14: initial.wheel_spin: ", "rolling or zero, found \"fast\""),
        ("[initial]\nposition_m = [1]\n", "3:14: initial.position_m: ", "a list of 2 numbers"),
        ("[steering]\nkind = \"wiggle\"\n", "3:8: steering.kind: ", "hold or step or ramp"),
        ("[steering]\nkind = \"step\"\nrise_s = 1\n", "2:1: steering", "angle_deg or angle_rad"),
        ("[steering]\nkind = \"step\"\nangle_deg = 1\n", "2:1: steering", "rise_s or rate_deg_s"),
        (
            "[steering]\nkind = \"step\"\nangle_deg = 1\nrate_rack_mm_s = 3\n",
            "5:18: steering.rate_rack_mm_s: ",
            "expected rate_deg_s",
        ),
        ("[steering]\nkind = \"step\"\nlateral_m_s2 = 1\nrise_s = 1\n", "2:1: steering", "initial speed"),
        ("[steering]\nkind = \"table\"\nangle_deg = [[0, 1], [0, 2]]\n", "4:13: steering.angle_deg: ", "rising times"),
        ("[steering]\nkind = \"path\"\n", "2:1: steering", "add a table [path]"),
        ("[path]\nkind = \"circle\"\n", "2:1: path", "radius_m"),
        ("[path]\nkind = \"points\"\npoints_m = [[0, 0], [0, 0.1]]\n", "4:12: path.points_m: ", "0.5 m apart"),
        ("[speed]\nkind = \"pedals\"\nbrake = 1.5\n", "4:9: speed.brake: ", "0 to 1, found 1.5"),
        ("[speed]\nkind = \"hold\"\ngear = 1.5\n", "4:8: speed.gear: ", "a whole number"),
        ("[speed]\nkind = \"coast\"\nthrottle = 1\n", "4:1: speed.throttle: ", "unknown field"),
        ("[evaluate]\nkind = \"taste\"\n", "3:8: evaluate.kind: ", "found \"taste\""),
        ("[wind]\nspeed_m_s = 3\n", "2:1: wind", "direction_deg"),
        ("[[phase]]\nuntil = { time = 3 }\n", "3:11: phase[0].until.time: ", "unknown field"),
        ("name = \"y\"\n", "2:1: ", "duplicate"),
    ];
    let whole = [
        ("description = \"x\"\n", "1:1: top level: ", "a field name"),
        ("name = \"x\nroad = \"flat\"\n", "1:10: ", ""),
    ];
    let named = named.map(|(text, place, problem)| (format!("name = \"x\"\n{text}"), place, problem));
    for (text, place, problem) in named.into_iter().chain(whole.map(|case| (case.0.to_owned(), case.1, case.2))) {
        let found = fault(&text);
        let is_there = found.starts_with(&format!("test.toml:{place}"));
        assert!(is_there && found.contains(problem), "{text}\n  {found}\n  {place}…{problem}");
    }
}

#[test]
fn text_that_is_not_utf8_is_refused() {
    let error = driver::read(&Source::new("x.toml", b"name = \"\xff\"")).expect_err("not UTF-8");
    assert_eq!(error.line, 1);
}

/// A small generator of our own (xorshift), so that the same mutations are tried everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

fn mutated(text: &str, random: &mut Random) -> Vec<u8> {
    const PIECES: [&str; 16] =
        ["-", "0", "9", "e9", "e-9", ".", "\"", "[", "]", "{", "\n", "=", "nan", "1e308", "true", "[[phase]]\n"];
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes.truncate(at),
            2 => drop(bytes.drain(at..(at + random.below(12)).min(bytes.len()))),
            _ => drop(bytes.splice(at..at, PIECES[random.below(16)].bytes())),
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

#[test]
fn mutated_files_never_panic_and_what_is_accepted_can_be_driven() {
    let (mut random, mut accepted) = (Random(0x9e37_79b9_7f4a_7c15), 0);
    for (name, text) in shipped_files() {
        for _ in 0..60 {
            let bytes = mutated(&text, &mut random);
            let Ok(manoeuvre) = driver::read(&Source::new(&name, &bytes)) else {
                continue;
            };
            accepted += 1;
            let mut driver = manoeuvre.driver(&setup_for(&manoeuvre)).expect("a car");
            for index in 0..20 {
                let input = driver.drive(&straight_ahead(0.3 * f64::from(index), 20.0), 1e-3);
                let rack = imposed(&input).unwrap_or_default();
                assert!(input.steering_angle_rad.is_finite() && input.steering_acceleration_rad_s2.is_finite());
                assert!(rack.value.is_finite() && rack.acceleration.is_finite(), "{name}");
                assert!(
                    (0.0..=1.0).contains(&input.throttle_ratio) && (0.0..=1.0).contains(&input.brake_ratio),
                    "{name}"
                );
            }
        }
    }
    assert!(accepted > 50, "the mutations are too wild: {accepted} accepted");
}

#[test]
fn a_vehicle_without_dimensions_is_refused() {
    let manoeuvre = crate::driver::manoeuvre("name = \"x\"\n");
    let broken = [
        (DriverSetup { wheelbase_m: 0.0, ..DriverSetup::default() }, "wheelbase_m"),
        (DriverSetup { steering_ratio: f64::NAN, ..DriverSetup::default() }, "steering_ratio"),
        (DriverSetup { front_axle_m: f64::INFINITY, ..DriverSetup::default() }, "front_axle_m"),
    ];
    for (setup, field) in broken {
        let error = manoeuvre.driver(&setup).err().expect("refused").to_string();
        assert!(error.contains(field), "{error}");
    }
}
