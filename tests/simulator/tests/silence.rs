//! A vehicle whose subsystems fall silent, come back, or answer nonsense: it stays a vehicle.
//!
//! The processes' own code, without the clock, so that each step is seen.

use dynamics_service::VehicleModel;
use lockstep::Asker;
use lockstep::status::{ANSWER_HELD, ANSWER_REFUSED, SAFE_STOP, TAKING_OVER};
use shm_layout::blocks::{self, DriverInput, Forces, Kinematics};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Region, Wait, Waited};
use simulator::linked::{HOLD_STEPS, TAKEOVER_STEPS, Vehicle, exchange, job, silence, temporary_region};
use subsystems::STOPPING_BRAKE;

/// [m/s²] Gravity.
const G: f64 = 9.81;
const STEP_S: f64 = 1e-3;

/// The last motion and status that were published.
fn last(region: &Region) -> (Kinematics, u64) {
    let motion = *region.reader(blocks::KINEMATICS).latest().expect("a step").value;
    (motion, motion.status)
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

/// In a bend of the circuit at 50 km/h: tyres carry it sideways, so that a jump would show.
#[test]
fn in_mid_corner_it_coasts_then_stops_safely_and_is_taken_over_without_a_jump() {
    let vehicle = Vehicle::new(&job("drive-default", None));
    let (_folder, region) = temporary_region();
    let mut simulation = vehicle.simulation(&region);
    let mut subsystems = vehicle.subsystems(&region);
    // The first bend begins after some 140 m.
    loop {
        exchange(&mut simulation, &mut subsystems);
        let (motion, status) = last(&region);
        assert_eq!(status, 0);
        if motion.rate_rad_s.z > 0.12 {
            break;
        }
        assert!(motion.time_s < 20.0, "there is no bend");
    }
    drop(subsystems);
    let (mut before, _) = last(&region);
    let speed_at_loss = speed(&before);
    let mut largest = 0.0_f64;
    let mut look = |simulation: &mut Asker<VehicleModel>, expected: u64, region: &Region| {
        let (motion, status) = last(region);
        assert_eq!(status, expected, "step {}", simulation.report().step);
        let found = acceleration(&before, &motion);
        before = motion;
        largest = largest.max(found);
        motion
    };
    silence(&mut simulation);
    look(&mut simulation, 0, &region);
    for _ in 0..HOLD_STEPS {
        silence(&mut simulation);
        look(&mut simulation, ANSWER_HELD, &region);
    }
    // The held forces were those of a bend at constant speed.
    let coasting = look_at(&region);
    assert!((speed(&coasting) - speed_at_loss).abs() < 0.5, "{}", speed(&coasting));
    for _ in 0..1_500 {
        silence(&mut simulation);
        look(&mut simulation, SAFE_STOP, &region);
    }
    // 0.3 g for 1.5 s.
    let braked = look_at(&region);
    let lost = speed(&coasting) - speed(&braked);
    assert!((3.0..6.0).contains(&lost), "lost {lost} m/s");
    assert_eq!(simulation.report().misses, HOLD_STEPS + 1_501);

    let mut subsystems = vehicle.subsystems(&region);
    exchange(&mut simulation, &mut subsystems);
    look(&mut simulation, SAFE_STOP, &region);
    for _ in 0..TAKEOVER_STEPS {
        exchange(&mut simulation, &mut subsystems);
        look(&mut simulation, TAKING_OVER, &region);
    }
    for _ in 0..3_000 {
        exchange(&mut simulation, &mut subsystems);
        look(&mut simulation, 0, &region);
    }
    // Nothing jumped: a tyre's grip is about 0.8 g, and the body's heave at a change of forces adds
    // to it.
    assert!(largest < 1.5 * G, "{largest} m/s²");
    assert!(speed(&before) > speed(&braked) + 1.0, "it drives again");
    assert_eq!(simulation.report().warnings, 0);
    assert!((before.time_s - (before.stamp.step - 1) as f64 * STEP_S).abs() < 1e-9);
}

fn look_at(region: &Region) -> Kinematics {
    last(region).0
}

#[test]
fn a_vehicle_that_nobody_drives_any_more_comes_to_rest_and_stands() {
    for manoeuvre in ["drive-default", "iso-7401-step-truck"] {
        let vehicle = Vehicle::new(&job(manoeuvre, None));
        let (_folder, region) = temporary_region();
        let mut simulation = vehicle.simulation(&region);
        let mut subsystems = vehicle.subsystems(&region);
        (0..100).for_each(|_| exchange(&mut simulation, &mut subsystems));
        (0..12_000).for_each(|_| silence(&mut simulation));
        let (rest, status) = last(&region);
        assert_eq!(status, SAFE_STOP);
        assert!(speed(&rest) < 0.02, "{manoeuvre}: {} m/s", speed(&rest));
        assert!(rest.orientation.w.is_finite() && rest.position_m.z.abs() < 3.0);
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
    let vehicle = Vehicle::new(&job("drive-default", None));
    let (_folder, region) = temporary_region();
    let mut simulation = vehicle.simulation(&region);
    let mut subsystems = vehicle.subsystems(&region);
    (0..200).for_each(|_| exchange(&mut simulation, &mut subsystems));
    drop(subsystems);
    let good = *region.reader(blocks::FORCES).latest().expect("an answer").value;
    let mut liar = region.claim(blocks::FORCES).expect("nobody else writes");
    for kind in 0..400 {
        simulation.ask(1, Wait::Spin);
        let mut forces = good;
        forces.stamp.step = simulation.report().step;
        nonsense(kind, &mut forces);
        liar.publish(&forces);
        assert_eq!(simulation.await_answer(0, Wait::Spin), Waited::Answered);
        simulation.advance();
        simulation.ask(1, Wait::Spin);
        let (motion, status) = last(&region);
        assert!(status & ANSWER_REFUSED != 0, "kind {kind}: {status:b}");
        assert!(speed(&motion) < 14.5 && motion.position_m.z.abs() < 3.0, "kind {kind}");
    }
    assert_eq!((simulation.report().warnings, simulation.report().misses), (400, 0));
    drop(liar);
    let mut subsystems = vehicle.subsystems(&region);
    (0..1_000).for_each(|_| exchange(&mut simulation, &mut subsystems));
    let (motion, status) = last(&region);
    assert_eq!(status, 0);
    assert!((8.0..15.0).contains(&speed(&motion)), "{}", speed(&motion));
}

/// Forces within all bounds, but wild: all that a vehicle can bear, in another direction in each
/// step.
#[test]
fn wild_forces_shake_it_but_leave_numbers() {
    let vehicle = Vehicle::new(&job("drive-default", None));
    let (_folder, region) = temporary_region();
    let mut simulation = vehicle.simulation(&region);
    let mut subsystems = vehicle.subsystems(&region);
    (0..200).for_each(|_| exchange(&mut simulation, &mut subsystems));
    drop(subsystems);
    let good = *region.reader(blocks::FORCES).latest().expect("an answer").value;
    let mut liar = region.claim(blocks::FORCES).expect("nobody else writes");
    for step in 0..500_u32 {
        simulation.ask(1, Wait::Spin);
        let mut forces = good;
        forces.stamp.step = simulation.report().step;
        let sign = if step % 2 == 0 { 1.0 } else { -1.0 };
        forces.wheels[step as usize % 4].force_n.x = sign * 2e5;
        forces.wheels[(step as usize + 1) % 4].force_n.z = -sign * 2e5;
        liar.publish(&forces);
        assert_eq!(simulation.await_answer(0, Wait::Spin), Waited::Answered);
        simulation.advance();
        let motion = look_at(&region);
        assert!(motion.position_m.x.is_finite() && speed(&motion) <= 300.0);
    }
    drop(liar);
    (0..3_000).for_each(|_| silence(&mut simulation));
    assert!(speed(&look_at(&region)).is_finite());
}

#[test]
fn without_the_drivers_data_it_brakes_and_says_so() {
    let mut vehicle = Vehicle::new(&job("drive-default", None));
    vehicle.terms.driver = service::config::DriverSource::Block;
    vehicle.terms.driver_timeout_ns = 500_000_000;
    let (_folder, region) = temporary_region();
    let mut simulation = vehicle.simulation(&region);
    let mut subsystems = vehicle.subsystems(&region);
    let mut driver = region.claim(blocks::DRIVER).expect("nobody else drives");
    let mut block = DriverInput { steering_angle_rad: 0.2, throttle_ratio: 0.4, ..DriverInput::default() };
    let mut shown = region.reader(blocks::VEHICLE);
    for _ in 0..500 {
        block.stamp.publish_ns = monotonic_ns();
        driver.publish(&block);
        exchange(&mut simulation, &mut subsystems);
    }
    let driven = *shown.latest().expect("an answer").value;
    assert_eq!((driven.safe_stop, driven.input.throttle_ratio, driven.input.steering_angle_rad), (0, 0.4, 0.2));
    // The driver's process is gone: what it said last is a second old.
    block.stamp.publish_ns = monotonic_ns() - 1_000_000_000;
    driver.publish(&block);
    let before = speed(&look_at(&region));
    (0..1_000).for_each(|_| exchange(&mut simulation, &mut subsystems));
    let stopping = *shown.latest().expect("an answer").value;
    assert_eq!(
        (stopping.safe_stop, stopping.input.throttle_ratio, stopping.input.brake_ratio),
        (1, 0.0, STOPPING_BRAKE)
    );
    assert_eq!(stopping.input.steering_angle_rad, 0.2, "the steering wheel stays where it was");
    assert!(speed(&look_at(&region)) < before - 1.0);
    assert_eq!(subsystems.reply().warnings, 1_000);
}

#[test]
fn a_manoeuvre_that_is_over_leaves_a_vehicle_that_stands() {
    let vehicle = Vehicle::new(&job("iso-3888-1", None));
    let (_folder, region) = temporary_region();
    let mut simulation = vehicle.simulation(&region);
    let mut subsystems = vehicle.subsystems(&region);
    let mut shown = region.reader(blocks::VEHICLE);
    let mut over_at_m = f64::NAN;
    for _ in 0..25_000 {
        exchange(&mut simulation, &mut subsystems);
        if over_at_m.is_nan() && shown.latest().expect("an answer").value.manoeuvre_over != 0 {
            over_at_m = look_at(&region).position_m.x;
        }
    }
    // The file ends it at 200 m.
    assert!((200.0..200.1).contains(&over_at_m), "{over_at_m}");
    assert!(speed(&look_at(&region)) < 0.01, "{}", speed(&look_at(&region)));
    assert_eq!(simulation.report().warnings, 0);
}
