//! Vehicles away from their design position: wide random states of the HMMWV against the dense
//! system, its fall onto its wheels against the second solver, and loops that stay closed over the
//! whole of RTRD's 40 s manoeuvre.

use crate::support::bench::Bench;
use crate::support::{Random, numbers, reference, vector};
use multibody::math::{Force, Quaternion, Vector3};
use multibody::{BodyId, Method, shipped};

/// Height of a wheel's centre over the chassis, chassis axes.
fn wheel_height(bench: &Bench, wheel: usize) -> f64 {
    let (it, model, workspace) = (&bench.wheels[wheel], &bench.model, &bench.workspace);
    let chassis = model.plan().base;
    let arm = workspace.position(model, it.body, it.centre) - workspace.position(model, chassis, Vector3::ZERO);
    workspace.orientation(model, chassis).transposed_mul(arm).z
}

fn wheel_heights(bench: &Bench) -> [f64; 4] {
    [0, 1, 2, 3].map(|wheel| wheel_height(bench, wheel))
}

/// The corner's independent coordinate: position index, velocity index.
fn corner_coordinates(bench: &Bench) -> Vec<(usize, usize)> {
    let free: Vec<usize> = bench.state.independent(&bench.model).collect();
    let of = |velocity: usize| {
        let primitive = bench.model.primitives().iter().find(|it| it.velocity == velocity);
        (primitive.expect("an angle").position, velocity)
    };
    let closed = bench.model.clusters().iter().filter(|cluster| !cluster.rows.is_empty());
    let inside = closed.map(|cluster| free.iter().find(|it| cluster.velocities.contains(it)));
    inside.map(|velocity| of(*velocity.expect("one freedom"))).collect()
}

/// RTRD's HMMWV has one net freedom at each corner: its travel is set to ±80 mm, the rack to ±87 mm
/// (Chrono's full pinion angle of 50° on 100 mm), the wheels spin, the chassis stands anywhere and
/// turns.
#[test]
fn fifty_wide_states_agree_with_the_dense_system() {
    let mut random = Random(19_850_101);
    let (mut lowest, mut highest, mut rack_widest) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut worst = 0.0_f64;
    for _ in 0..50 {
        let mut bench = Bench::shipped("hmmwv");
        let corners = corner_coordinates(&bench);
        assert_eq!(corners.len(), 4);
        let drawn = wheel_heights(&bench);
        let travels = drawn.map(|_| 0.08 * random.next());
        let rack = 0.087 * random.next();
        rack_widest = rack_widest.max(rack.abs());
        // In ten small moves, each corrected by the slope of the last: the loops stay closed on the
        // way.
        let mut slopes = [1.0 / 0.4; 4];
        for part in 1..=20 {
            let share = f64::from(part.min(10)) / 10.0;
            bench.inputs.driven[0] = [rack * share, 0.0, 0.0];
            let before = wheel_heights(&bench);
            let mut moved = [0.0; 4];
            for (k, (position, _)) in corners.iter().enumerate() {
                let wanted = drawn[k] + travels[k] * share - before[k];
                moved[k] = (slopes[k] * wanted).clamp(-0.1, 0.1);
                bench.state.position[*position] += moved[k];
            }
            bench.forward();
            for (k, now) in wheel_heights(&bench).into_iter().enumerate() {
                let gained = now - before[k];
                if gained.abs() > 1e-4 && (0.5..20.0).contains(&(moved[k] / gained).abs()) {
                    slopes[k] = moved[k] / gained;
                }
            }
        }
        for (k, height) in wheel_heights(&bench).into_iter().enumerate() {
            let travel = height - drawn[k];
            assert!((travel - travels[k]).abs() < 2e-3, "{travel} {}", travels[k]);
            (lowest, highest) = (lowest.min(travel), highest.max(travel));
        }
        set_motion(&mut bench, &corners, &mut random);
        let status = bench.evaluate();
        assert!(status.violation < 1e-9, "admissible: {status:?}");
        worst = worst.max(bench.difference_of_routes());
    }
    assert!(worst < 1e-8, "{worst:e}");
    assert!(lowest < -0.07 && highest > 0.07 && rack_widest > 0.08, "{lowest} {highest} {rack_widest}");
}

/// Place, attitude and all velocities.
fn set_motion(bench: &mut Bench, corners: &[(usize, usize)], random: &mut Random) {
    let Bench { model, state, inputs, .. } = bench;
    inputs.driven[0][1] = random.next();
    inputs.driven[0][2] = 10.0 * random.next();
    for (_, velocity) in corners {
        state.velocity[*velocity] = 4.0 * random.next();
    }
    for k in 0..3 {
        state.position[k] = if k == 2 { 0.5 + 0.2 * random.next() } else { 1000.0 * random.next() };
        state.velocity[k] = 40.0 * random.next();
        state.velocity[3 + k] = 2.0 * random.next();
    }
    let turn = Vector3::new(0.4 * random.next(), 0.4 * random.next(), 3.0 * random.next());
    state.position[3..7].copy_from_slice(&Quaternion::exp(turn).to_wxyz());
    for corner in ["fl", "fr", "rl", "rr"] {
        let hub = model.description().joint(&format!("hub_{corner}")).expect("a hub");
        let (angle, spin) = model.coordinate(hub, 0).expect("an angle");
        state.position[angle] = 3.0 * random.next();
        state.velocity[spin] = 120.0 * random.next();
    }
}

/// `reference/make_trajectories.py`: design position 0.5 m up, at rest, rack held, no slip forces.
#[test]
fn the_hmmwv_falls_onto_its_wheels_as_the_second_solver_says() {
    let data = reference("trajectories.json");
    let cases = data["cases"].as_array().expect("cases");
    let case = cases.iter().find(|case| case["model"] == "hmmwv").expect("the HMMWV");
    let mut description = shipped::description("hmmwv").expect("shipped");
    description.wheels.iter_mut().for_each(|wheel| wheel.tyre.friction = 0.0);
    let mut bench = Bench::new(&description);
    for (index, body) in case["bodies"].as_array().expect("bodies").iter().enumerate() {
        let id = description.body(body.as_str().expect("a name")).expect("a body");
        let start = vector(&case["position"][0][index]);
        let drawn = description.bodies[id.0].centre + Vector3::AXES[2] * 0.5;
        assert!((start - drawn).norm() < 1e-12, "the design position, 0.5 m up");
    }
    set_design(&mut bench);
    bench.state.position[2] += 0.5;
    let step = 5e-5;
    bench.start(Method::RungeKutta4, step);
    let mut steps = 0_u32;
    for (sample, time) in numbers(&case["time_s"]).iter().enumerate() {
        while f64::from(steps) * step < time - 0.5 * step {
            bench.step();
            steps += 1;
        }
        for (index, body) in case["bodies"].as_array().expect("bodies").iter().enumerate() {
            for (field, ours) in bench.motion(bench.body(body.as_str().expect("a name"))) {
                let theirs = vector(&case[field][sample][index]);
                let error = (ours - theirs).norm() / (1.0 + theirs.norm());
                // A wheel that lands meets a damper force of 3.5 kN at once, on 60 kg: a step of
                // fixed length that straddles the landing is off by up to 58 m/s² · h = 3e-3 m/s
                // for a moment.
                let tolerance = if field == "position" { 2e-6 } else { 2e-4 };
                assert!(error < tolerance, "{time} s: {body} {field}: {error:e}");
            }
        }
    }
    assert_eq!(steps, 10_000);
}

/// All joint coordinates zero, at rest.
fn set_design(bench: &mut Bench) {
    bench.state.position.fill(0.0);
    bench.state.velocity.fill(0.0);
    for primitive in bench.model.primitives().iter().filter(|it| it.velocities().len() == 3) {
        bench.state.position[primitive.position] = 1.0;
    }
}

/// Rack displacement that rises from zero in 0.2 s after the first second, with its rates: a smooth
/// step.
fn rack_step(time: f64, height: f64) -> [f64; 3] {
    const RISE: f64 = 0.2;
    let s = ((time - 1.0) / RISE).clamp(0.0, 1.0);
    [
        height * s * s * s * (10.0 - 15.0 * s + 6.0 * s * s),
        height * 30.0 * s * s * (1.0 - s) * (1.0 - s) / RISE,
        height * 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / (RISE * RISE),
    ]
}

/// RTRD §7.1: 60 mph, 5 mm of rack, 40 s, constant speed; here for both cars with loops, with the
/// simple tyres.
#[test]
fn loops_stay_closed_for_the_whole_manoeuvre() {
    const SPEED: f64 = 60.0 * 0.44704;
    const STEP: f64 = 1e-3;
    for name in ["passenger-car", "hmmwv"] {
        let mut bench = Bench::shipped(name);
        bench.equilibrium();
        bench.set_rolling(SPEED);
        bench.start(Method::AdamsBashforth3, STEP);
        let (base, mut worst, mut iterations) = (bench.model.plan().base, 0.0_f64, 0);
        for step in 1..=40_000_u32 {
            bench.inputs.driven[0] = rack_step(STEP * f64::from(step), 0.005);
            hold_speed(&mut bench, base, SPEED);
            let status = bench.step();
            worst = worst.max(status.violation);
            iterations += status.iterations;
        }
        assert!(worst < 1e-9, "{name}: {worst:e}");
        // The car drives in a circle at its speed. The HMMWV, tall and on tyres without load
        // sensitivity, spins: a harder test of its loops.
        let [_, (_, velocity), (_, angular)] = bench.motion(base);
        let yaw_rate = angular.z;
        if name == "passenger-car" {
            assert!((velocity.norm() - SPEED).abs() < 0.1 * SPEED, "{name}: {velocity:?}");
            assert!(yaw_rate.abs() > 0.02 && yaw_rate.abs() < 1.0, "{name}: {yaw_rate}");
        }
        assert!(velocity.is_finite() && yaw_rate.is_finite());
        assert!(iterations <= 2000, "{name}: {iterations} Newton iterations");
    }
}

/// A simple cruise control: a force along the vehicle at its centre of gravity.
fn hold_speed(bench: &mut Bench, base: BodyId, speed: f64) {
    let [(_, place), (_, velocity), _] = bench.motion(base);
    let ahead = bench.workspace.orientation(&bench.model, base).columns[0];
    let push = ahead * (5000.0 * (speed - velocity.dot(ahead)));
    let point = place - bench.workspace.pole();
    bench.workspace.add_force(&bench.model, base, Force::at(push, point));
}

#[test]
fn the_smooth_step_is_consistent_with_its_rates() {
    for k in 0..30 {
        let (t, h) = (0.97 + 0.01 * f64::from(k), 1e-6);
        let [_, v, a] = rack_step(t, 0.005);
        let slope = |part: usize| (rack_step(t + h, 0.005)[part] - rack_step(t - h, 0.005)[part]) / (2.0 * h);
        assert!((slope(0) - v).abs() < 1e-6 && (slope(1) - a).abs() < 1e-3, "{t}");
    }
    assert!((rack_step(2.0, 0.005)[0] - 0.005).abs() < 1e-15);
}
