//! A vehicle whose subsystems fall silent, come back, or answer nonsense: it stays a vehicle.
//!
//! The processes' own code, without the clock, so that each step is seen.

use lockstep::status::{ANSWER_HELD, ANSWER_REFUSED, SAFE_STOP, TAKING_OVER};
use service::config::DriverSource;
use shm_layout::blocks::{self, DriverInput, Forces, Kinematics};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Wait, Waited};
use simulator::VehicleSystem;
use simulator::linked::Linked;
use subsystems::STOPPING_BRAKE;

/// [m/s²] Gravity.
const G: f64 = 9.81;
const STEP_S: f64 = 1e-3;
/// Steps on held forces before the safe stop, in the default configuration.
const HOLD_STEPS: u64 = 100;
/// Steps in which answers take over from it.
const TAKEOVER_STEPS: u64 = 200;

fn vehicle(manoeuvre: &str) -> Linked {
    Linked::new(VehicleSystem::new(manoeuvre, None, DriverSource::Manoeuvre))
}

/// Velocity in E.
fn velocity(motion: &Kinematics) -> [f64; 3] {
    motion.orientation.rotate(motion.velocity_m_s).to_array()
}

fn speed(motion: &Kinematics) -> f64 {
    let [x, y, z] = velocity(motion);
    (x * x + y * y + z * z).sqrt()
}

/// Acceleration between two motions (m/s²).
fn acceleration(before: &Kinematics, after: &Kinematics) -> f64 {
    let (one, other) = (velocity(before), velocity(after));
    let squares = (0..3).map(|axis| (other[axis] - one[axis]).powi(2));
    squares.sum::<f64>().sqrt() / (after.time_s - before.time_s)
}

/// Makes so many steps, each of which must have this status; returns the last motion and the
/// largest acceleration (m/s²).
fn steps(linked: &mut Linked, count: u64, step: fn(&mut Linked), status: u64) -> (Kinematics, f64) {
    let (mut before, mut largest) = (linked.motion(), 0.0_f64);
    for _ in 0..count {
        step(linked);
        let motion = linked.motion();
        assert_eq!(motion.status, status, "step {}", linked.asker.report().step);
        largest = largest.max(acceleration(&before, &motion));
        before = motion;
    }
    (before, largest)
}

/// In a bend of the circuit at 50 km/h: tyres carry it sideways, so that a jump would show.
#[test]
fn in_mid_corner_it_coasts_then_stops_safely_and_is_taken_over_without_a_jump() {
    let mut linked = vehicle("drive-default");
    // The first bend begins after some 140 m.
    loop {
        linked.exchange();
        let motion = linked.motion();
        assert_eq!(motion.status, 0);
        if motion.rate_rad_s.z > 0.12 {
            break;
        }
        assert!(motion.time_s < 20.0, "there is no bend");
    }
    linked.answerer = None;
    let speed_at_loss = speed(&linked.motion());
    let (_, first) = steps(&mut linked, 1, Linked::silence, 0);
    let (coasting, held) = steps(&mut linked, HOLD_STEPS, Linked::silence, ANSWER_HELD);
    // The held forces were those of a bend at constant speed.
    assert!((speed(&coasting) - speed_at_loss).abs() < 0.5, "{}", speed(&coasting));
    let (braked, stopping) = steps(&mut linked, 1_500, Linked::silence, SAFE_STOP);
    // 0.3 g for 1.5 s.
    let lost = speed(&coasting) - speed(&braked);
    assert!((3.0..6.0).contains(&lost), "lost {lost} m/s");
    assert_eq!(linked.asker.report().misses, HOLD_STEPS + 1_501);

    linked.revive();
    let (_, back) = steps(&mut linked, 1, Linked::exchange, SAFE_STOP);
    let (_, taking_over) = steps(&mut linked, TAKEOVER_STEPS, Linked::exchange, TAKING_OVER);
    let (driven, driving) = steps(&mut linked, 3_000, Linked::exchange, 0);
    // Nothing jumped: a tyre's grip is about 0.8 g, and the body's heave at a change of forces adds
    // to it.
    let largest = [first, held, stopping, back, taking_over, driving].into_iter().fold(0.0, f64::max);
    assert!(largest < 1.5 * G, "{largest} m/s²");
    assert!(speed(&driven) > speed(&braked) + 1.0, "it drives again");
    assert_eq!(linked.asker.report().warnings, 0);
    assert!((driven.time_s - (driven.stamp.step - 1) as f64 * STEP_S).abs() < 1e-9);
}

#[test]
fn a_vehicle_that_nobody_drives_any_more_comes_to_rest_and_stands() {
    for manoeuvre in ["drive-default", "iso-7401-step-truck"] {
        let mut linked = vehicle(manoeuvre);
        (0..100).for_each(|_| linked.exchange());
        (0..12_000).for_each(|_| linked.silence());
        let rest = linked.motion();
        assert_eq!(rest.status, SAFE_STOP);
        assert!(speed(&rest) < 0.02, "{manoeuvre}: {} m/s", speed(&rest));
        assert!(rest.orientation.w.is_finite() && rest.position_m.z.abs() < 3.0);
    }
}

/// Drives for 200 steps; then another process gives so many answers, each of them a good one that
/// was spoilt. `look` sees each motion when the next step is asked.
fn answer_falsely(linked: &mut Linked, count: usize, spoil: fn(usize, &mut Forces), look: impl Fn(usize, &Kinematics)) {
    (0..200).for_each(|_| linked.exchange());
    linked.answerer = None;
    let good = *linked.region.reader(blocks::FORCES).latest().expect("an answer").value;
    let mut liar = linked.region.claim(blocks::FORCES).expect("nobody else writes");
    for number in 0..count {
        linked.asker.ask(1, Wait::Spin);
        let mut forces = good;
        forces.stamp.step = linked.asker.report().step;
        spoil(number, &mut forces);
        liar.publish(&forces);
        linked.take_answer(Waited::Answered);
        linked.asker.ask(1, Wait::Spin);
        look(number, &linked.motion());
    }
}

/// Answers that no subsystem would give, one kind after the other.
fn nonsense(kind: usize, forces: &mut Forces) {
    let wheel = &mut forces.wheels[kind % 4];
    match kind % 10 {
        0 => wheel.force_n.z = f64::NAN,
        1 => wheel.force_n.x = 1e12,
        2 => wheel.torque_nm.y = f64::NEG_INFINITY,
        3 => forces.body_force_n.x = f64::MAX,
        4 => forces.steering.rack_displacement_m = 0.7,
        5 => forces.steering.rack_velocity_m_s = f64::NAN,
        6 => forces.wheel_count = 2,
        7 => forces.steering.rack_acceleration_m_s2 = 1e5,
        8 => forces.steering.rack_velocity_m_s = -25.0,
        _ => forces.wheel_count = u64::MAX,
    }
}

#[test]
fn nonsense_is_refused_and_corrupts_nothing() {
    let mut linked = vehicle("drive-default");
    answer_falsely(&mut linked, 400, nonsense, |kind, motion| {
        assert!(motion.status & ANSWER_REFUSED != 0, "kind {kind}: {:b}", motion.status);
        assert!(speed(motion) < 14.5 && motion.position_m.z.abs() < 3.0, "kind {kind}");
    });
    assert_eq!((linked.asker.report().warnings, linked.asker.report().misses), (400, 0));
    linked.revive();
    (0..1_000).for_each(|_| linked.exchange());
    let motion = linked.motion();
    assert_eq!(motion.status, 0);
    assert!((8.0..15.0).contains(&speed(&motion)), "{}", speed(&motion));
}

/// Forces within all bounds, but wild: all that a vehicle can bear, in another direction in each
/// step.
fn wild(step: usize, forces: &mut Forces) {
    let sign = if step.is_multiple_of(2) { 1.0 } else { -1.0 };
    forces.wheels[step % 4].force_n.x = sign * 2e5;
    forces.wheels[(step + 1) % 4].force_n.z = -sign * 2e5;
}

#[test]
fn wild_forces_shake_it_but_leave_numbers() {
    let mut linked = vehicle("drive-default");
    answer_falsely(&mut linked, 500, wild, |_, motion| {
        assert!(motion.position_m.x.is_finite() && speed(motion) <= 300.0);
    });
    (0..3_000).for_each(|_| linked.silence());
    assert!(speed(&linked.motion()).is_finite());
}

#[test]
fn without_the_drivers_data_it_brakes_and_says_so() {
    let mut linked = Linked::new(VehicleSystem::new("drive-default", None, DriverSource::Block));
    let mut driver = linked.region.claim(blocks::DRIVER).expect("nobody else drives");
    let mut block = DriverInput { steering_angle_rad: 0.2, throttle_ratio: 0.4, ..DriverInput::default() };
    let mut shown = linked.region.reader(blocks::VEHICLE);
    for _ in 0..500 {
        block.stamp.publish_ns = monotonic_ns();
        driver.publish(&block);
        linked.exchange();
    }
    let driven = *shown.latest().expect("an answer").value;
    assert_eq!((driven.safe_stop, driven.input.throttle_ratio, driven.input.steering_angle_rad), (0, 0.4, 0.2));
    // The driver's process is gone: what it said last is a second old, twice what is allowed.
    block.stamp.publish_ns = monotonic_ns() - 1_000_000_000;
    driver.publish(&block);
    let before = speed(&linked.motion());
    (0..1_000).for_each(|_| linked.exchange());
    let stopping = *shown.latest().expect("an answer").value;
    let pedals = (stopping.input.throttle_ratio, stopping.input.brake_ratio);
    assert_eq!((stopping.safe_stop, pedals), (1, (0.0, STOPPING_BRAKE)));
    assert_eq!(stopping.input.steering_angle_rad, 0.2, "the steering wheel stays where it was");
    assert!(speed(&linked.motion()) < before - 1.0);
    assert_eq!(linked.answerer().reply().warnings, 1_000);
}

#[test]
fn a_manoeuvre_that_is_over_leaves_a_vehicle_that_stands() {
    let mut linked = vehicle("iso-3888-1");
    let mut shown = linked.region.reader(blocks::VEHICLE);
    let mut over_at_m = f64::NAN;
    for _ in 0..25_000 {
        linked.exchange();
        if over_at_m.is_nan() && shown.latest().expect("an answer").value.manoeuvre_over != 0 {
            over_at_m = linked.motion().position_m.x;
        }
    }
    // The file ends it at 200 m.
    assert!((200.0..200.1).contains(&over_at_m), "{over_at_m}");
    assert!(speed(&linked.motion()) < 0.01, "{}", speed(&linked.motion()));
    assert_eq!(linked.asker.report().warnings, 0);
}
