//! Anti-lock systems on a quarter of a car: the wheel keeps its grip, the car stops sooner than
//! with locked wheels, and it does stop.
//!
//! The quarter car is the textbook one, with a friction curve of Magic-Formula shape that falls to
//! 71 % of its peak when the wheel is locked:
//! ```text
//! μ(λ) = D sin(C atan(B λ)),  B = 10, C = 1.6;   m v̇ = −μ m g,   J ω̇ = μ m g R − T sign(ω)
//! ```

use crate::support::files::text_of;
use crate::support::press;
use vehicle::brake::{self, Brake};
use vehicle::files::Source;
use vehicle::{DriverInput, WHEELS_MAX};

const STEP_S: f64 = 1e-3;
/// Substeps of the wheel: its slip is stiff at low speed.
const SUBSTEPS: usize = 50;
const GRAVITY: f64 = 9.81;

/// The HMMWV's front brakes on all wheels (no valve: every wheel would lock), on axles of two
/// wheels.
fn strong_brakes(layouts: &[&str]) -> String {
    let axle = |layout: &&str| format!("[[axle]]\ntorque_nm_bar = 50.0\nlag_s = 0.06\nantilock = \"{layout}\"\n");
    let axles: String = layouts.iter().map(axle).collect();
    format!("kind = \"hydraulic\"\n[pedal]\nfull_bar = 80.0\n{axles}")
}

/// The section `antilock` of a shipped file.
fn section(name: &str) -> String {
    let text = text_of("brakes", name);
    let at = text.find("[antilock]").expect("has an anti-lock system");
    text[at..].to_owned()
}

fn read(text: &str, wheels: usize) -> Box<dyn Brake> {
    brake::read(&Source::new("antilock.toml", text.as_bytes()), wheels).unwrap_or_else(|error| panic!("{error}"))
}

/// Strong brakes with the anti-lock system of a shipped file.
fn with_antilock(name: &str, layouts: &[&str]) -> Box<dyn Brake> {
    let text = strong_brakes(layouts) + &section(name);
    read(&text, 2 * layouts.len())
}

/// A car on which every wheel carries the same mass.
#[derive(Clone)]
struct Car {
    speed: f64,
    way: f64,
    spin: [f64; WHEELS_MAX],
    wheels: usize,
    mass: f64,
    inertia: f64,
    radius: f64,
    grip: [f64; WHEELS_MAX],
}

impl Car {
    fn hmmwv(speed: f64, grip: f64) -> Self {
        Self::new(speed, grip, 2, [645.0, 7.4, 0.46])
    }

    fn new(speed: f64, grip: f64, wheels: usize, [mass, inertia, radius]: [f64; 3]) -> Self {
        Self {
            speed,
            way: 0.0,
            spin: [speed / radius; WHEELS_MAX],
            wheels,
            mass,
            inertia,
            radius,
            grip: [grip; WHEELS_MAX],
        }
    }

    fn slip(&self, wheel: usize) -> f64 {
        1.0 - self.spin[wheel] * self.radius / self.speed
    }

    fn step(&mut self, brake: &mut dyn Brake, pedal: f64) -> [f64; WHEELS_MAX] {
        let input = DriverInput { brake_ratio: pedal, ..DriverInput::RELEASED };
        let free = vec![self.speed / self.radius; self.wheels];
        let capacity = press(brake, &input, &self.spin[..self.wheels], &free, STEP_S);
        for _ in 0..SUBSTEPS {
            self.substep(&capacity, STEP_S / SUBSTEPS as f64);
        }
        capacity
    }

    fn substep(&mut self, capacity: &[f64; WHEELS_MAX], h: f64) {
        let mut total = 0.0;
        for (wheel, held) in capacity[..self.wheels].iter().enumerate() {
            let grip = self.grip[wheel] * (1.6 * (10.0 * self.slip(wheel)).atan()).sin();
            let force = grip * self.mass * GRAVITY;
            total += force;
            let spin = self.spin[wheel] + h * (force * self.radius - held) / self.inertia;
            // The brake never turns the wheel backwards.
            self.spin[wheel] = spin.max(0.0);
        }
        self.way += h * self.speed;
        self.speed = (self.speed - h * total / (self.mass * self.wheels as f64)).max(1e-9);
    }
}

/// What a stop was like.
struct Stop {
    way: f64,
    /// Smallest, mean and largest slip of any wheel after the first half second, above a speed.
    slip: [f64; 3],
    /// How often the capacity of the first wheel turned from falling to rising, per second.
    cycles_s: f64,
}

fn stop(brake: &mut dyn Brake, car: &mut Car, slowest: f64) -> Stop {
    let (mut low, mut high, mut sum, mut count, mut turns, mut falls) = (1.0f64, 0.0f64, 0.0, 0, 0, false);
    let (mut steps, mut last) = (0, 0.0);
    while car.speed > 0.05 && steps < 60_000 {
        let capacity = car.step(brake, 1.0)[0];
        steps += 1;
        if car.speed > slowest {
            turns += usize::from(falls && capacity > last);
            falls = capacity < last || (falls && capacity == last);
        }
        if steps > 500 && car.speed > slowest {
            for wheel in 0..car.wheels {
                (low, high) = (low.min(car.slip(wheel)), high.max(car.slip(wheel)));
                sum += car.slip(wheel);
                count += 1;
            }
        }
        last = capacity;
    }
    assert!(car.speed <= 0.05, "still at {} m/s after a minute", car.speed);
    Stop {
        way: car.way,
        slip: [low, sum / f64::from(count.max(1)), high],
        cycles_s: turns as f64 / (f64::from(steps) * STEP_S),
    }
}

/// Ideal (always at the peak of the curve) and locked stopping distances by hand: v²/(2 μ g).
fn by_hand(speed: f64, grip: f64) -> (f64, f64) {
    let locked = grip * (1.6 * 10f64.atan()).sin();
    let way = |friction: f64| speed * speed / (2.0 * friction * GRAVITY);
    (way(grip), way(locked))
}

/// Without an anti-lock system the wheels stand, and the distance is that of locked wheels but for
/// the first tenth of a second.
#[test]
fn without_antilock_full_pedal_locks_the_wheels() {
    let mut car = Car::hmmwv(30.0, 0.9);
    let found = stop(read(&strong_brakes(&["none"]), 2).as_mut(), &mut car, 3.0);
    let (_, locked) = by_hand(30.0, 0.9);
    assert_eq!(found.slip, [1.0, 1.0, 1.0]);
    assert!((found.way - locked).abs() < 3.0, "{} {locked}", found.way);
}

/// Both systems, on dry, wet and icy road. Nothing stops shorter than a wheel that is always at the
/// peak of the curve.
#[test]
fn antilock_keeps_the_slip_in_a_band_and_stops_sooner_than_locked() {
    for (name, grip) in [
        ("hmmwv-abs", 0.9),
        ("hmmwv-abs", 0.5),
        ("hmmwv-abs", 0.2),
        ("passenger-car-abs", 0.9),
        ("hmmwv-slip-limit", 0.9),
        ("hmmwv-slip-limit", 0.5),
        ("hmmwv-slip-limit", 0.2),
    ] {
        let mut car = Car::hmmwv(30.0, grip);
        let found = stop(with_antilock(name, &["wheel"]).as_mut(), &mut car, 3.0);
        let (ideal, locked) = by_hand(30.0, grip);
        let [low, mean, high] = found.slip;
        println!(
            "{name} grip {grip}: {:.1} m (ideal {ideal:.1}, locked {locked:.1}), slip {low:.3} {mean:.3} {high:.3}, {:.1} cycles/s",
            found.way, found.cycles_s
        );
        assert!(found.way > ideal && found.way < locked, "{name} {grip}: {}", found.way);
        assert!(high < 0.3 && low > 0.02 && mean < 0.2, "{name} {grip}: {low} {mean} {high}");
        // No chatter: valves work a few times in a second, not in every step.
        assert!(found.cycles_s < 15.0, "{name} {grip}: {}", found.cycles_s);
    }
}

/// SPINE, example 3, as printed: smallest torque as soon as the vehicle is more than 10 % faster
/// than the wheel's travel, the driver's torque otherwise.
#[test]
fn the_rule_of_spine_switches_at_ten_per_cent() {
    let rule = "[antilock]\nkind = \"slip-limit\"\nradius_m = 0.46\noff_below_m_s = 0.0\n";
    let text = strong_brakes(&["wheel"]).replace("lag_s = 0.06\n", "") + rule;
    let mut brake = read(&text, 2);
    let input = DriverInput { brake_ratio: 0.5, ..DriverInput::RELEASED };
    let mut held = |spin: [f64; 2], free: f64| {
        let capacity = press(brake.as_mut(), &input, &spin, &[free, free], STEP_S);
        ([capacity[0], capacity[1]], brake.antilock())
    };
    assert_eq!(held([50.0, 50.0], 54.9), ([2000.0, 2000.0], 0.0));
    assert_eq!(held([50.0, 50.0], 55.1), ([0.0, 0.0], 1.0));
    assert_eq!(held([50.0, 49.9], 54.9), ([2000.0, 0.0], 1.0));
    // Backwards it is the same, and at a standstill the brake holds.
    assert_eq!(held([-50.0, -49.9], -54.9), ([2000.0, 0.0], 1.0));
    assert_eq!(held([0.0, 0.0], 0.0), ([2000.0, 2000.0], 0.0));
}

/// Left on ice, right on dry road. Alone, the right wheel keeps its pressure; together, the wheel
/// on ice decides for both.
#[test]
fn on_a_split_road_the_layout_of_the_channels_counts() {
    let torques = |layout: &str| {
        let mut brake = with_antilock("hmmwv-abs", &[layout]);
        let mut car = Car::hmmwv(30.0, 0.9);
        car.grip[0] = 0.2;
        let (mut left, mut right) = (0.0, 0.0);
        for step in 0..1500 {
            let held = car.step(brake.as_mut(), 1.0);
            if step >= 500 {
                (left, right) = (left + held[0] / 1000.0, right + held[1] / 1000.0);
            }
        }
        assert!(car.spin[0] > 0.0 && car.spin[1] > 0.0);
        (left, right)
    };
    let (left, right) = torques("wheel");
    println!("alone {left:.0} {right:.0} Nm, together {:.0} Nm", torques("select-low").0);
    // Grip by hand: 0.2 and 0.9 of 645 kg × 9.81 m/s² × 0.46 m are 582 and 2,620 Nm.
    assert!((350.0..650.0).contains(&left) && (2000.0..2900.0).contains(&right), "{left} {right}");
    let (left, right) = torques("select-low");
    assert!(left == right && (350.0..650.0).contains(&left), "{left} {right}");
}

/// The driver lets go in the middle of a cycle: the pressure is gone with the lag, the anti-lock
/// system rests, and the next stop begins as the first.
#[test]
fn letting_go_releases_everything() {
    for name in ["hmmwv-abs", "hmmwv-slip-limit"] {
        let mut brake = with_antilock(name, &["wheel"]);
        let mut car = Car::hmmwv(30.0, 0.5);
        let mut most = 0.0f64;
        for _ in 0..1000 {
            car.step(brake.as_mut(), 1.0);
            most = most.max(brake.antilock());
        }
        assert!(most > 0.3, "{name} has worked: {most}");
        car.step(brake.as_mut(), 0.0);
        assert_eq!(brake.antilock(), 0.0, "{name}");
        let mut held = [0.0; WHEELS_MAX];
        for _ in 0..1500 {
            held = car.step(brake.as_mut(), 0.0);
        }
        // e^(−1.5 s/0.06 s) = 1e-11 of 4,000 Nm.
        assert!(held[..2].iter().all(|it| *it < 1e-6), "{name} {held:?}");
        assert!(car.slip(0).abs() < 1e-3, "{name} rolls again");
    }
}

/// Below its speed the system rests: the wheels lock, and the brakes hold the car that stands.
#[test]
fn a_car_that_stands_is_held() {
    let mut brake = with_antilock("hmmwv-abs", &["wheel"]);
    let mut car = Car::hmmwv(10.0, 0.5);
    let found = stop(brake.as_mut(), &mut car, 3.0);
    let (ideal, locked) = by_hand(10.0, 0.5);
    assert!(found.way > ideal && found.way < locked, "{} {ideal} {locked}", found.way);
    let mut held = [0.0; WHEELS_MAX];
    for _ in 0..1000 {
        held = car.step(brake.as_mut(), 1.0);
    }
    assert!(held[..2].iter().all(|it| *it > 3999.0) && brake.antilock() == 0.0, "{held:?}");
    assert_eq!(car.spin[..2], [0.0, 0.0]);
}

/// Twelve wheels, air brakes, three select-low axles: no wheel locks above the speed where the
/// system rests.
#[test]
fn the_truck_stops_without_locking() {
    let mut brake = read(&text_of("brakes", "tractor-semitrailer-abs"), 12);
    let mut car = Car::new(22.0, 0.5, 12, [2700.0, 13.0, 0.52]);
    let found = stop(brake.as_mut(), &mut car, 3.0);
    let [low, mean, high] = found.slip;
    let (ideal, locked) = by_hand(22.0, 0.5);
    println!("truck: {:.1} m (ideal {ideal:.1}, locked {locked:.1}), slip {low:.3} {mean:.3} {high:.3}", found.way);
    assert!(high < 0.4 && found.way > ideal, "{high}");
    assert!(found.way < locked, "{}", found.way);
}
