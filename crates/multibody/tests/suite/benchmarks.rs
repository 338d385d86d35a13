//! Published benchmarks (IFToMM library, IVP test set), motion of the example mechanisms by another
//! solver, and vehicles at rest.

use crate::support::bench::Bench;
use crate::support::{number, numbers, reference, vector};
use multibody::{BodyId, Method};
use serde_json::Value;

fn bench(case: &Value, step: f64) -> Bench {
    let mut bench = Bench::shipped(case["model"].as_str().expect("a model"));
    bench.start(Method::RungeKutta4, step);
    bench
}

/// Coordinate and rate of a joint.
fn joint(bench: &Bench, name: &str) -> (f64, f64) {
    let (position, velocity) = bench.index(name, 0);
    (bench.state.position[position], bench.state.velocity[velocity])
}

#[test]
fn andrews_squeezer_meets_the_published_angles() {
    let case = &reference("benchmarks.json")["andrews"];
    let mut bench = bench(case, 1e-5);
    let joints: Vec<&str> = case["joints"].as_array().expect("joints").iter().filter_map(Value::as_str).collect();
    for (time, angles) in numbers(&case["time_s"]).iter().zip(case["angle_rad"].as_array().expect("angles")) {
        bench.run_to(*time);
        for (name, expected) in joints.iter().zip(numbers(angles)) {
            let found = joint(&bench, name).0;
            assert!((found - expected).abs() < 1e-6, "{name} at {time}: {found} {expected}");
        }
    }
    for (name, expected) in joints.iter().zip(numbers(&case["published_at_0.03_s"])) {
        let found = joint(&bench, name).0;
        assert!((found - expected).abs() < 1e-6, "{name}: {found} {expected}");
    }
}

#[test]
fn simple_pendulum_swings_as_elliptic_functions_say() {
    let case = &reference("benchmarks.json")["simple_pendulum"];
    let mut bench = bench(case, 1e-3);
    let energy = bench.energy();
    for (time, position) in numbers(&case["time_s"]).iter().zip(case["position_m"].as_array().expect("positions")) {
        bench.run_to(*time);
        let body = &bench.model.description().bodies[1];
        let place = bench.workspace.position(&bench.model, BodyId(1), body.centre).to_array();
        // Gravity is along −y: the mass swings in the plane x-y and nowhere else.
        let expected = numbers(position);
        let error = (place[0] - expected[0]).abs().max((place[1] - expected[1]).abs());
        assert!(error < 1e-7 && place[2] == 0.0, "{time}: {place:?} {expected:?}");
    }
    assert!((bench.energy() - energy).abs() < 1e-8);
}

/// The cranks pass positions in which the whole mechanism lies flat and the rank of its constraints
/// falls.
///
/// Close to such a position what is left of a loop's violation (10⁻¹⁰ m at most) goes into the
/// velocities divided by the distance from it, so that each passage magnifies rounding. Initial
/// rates changed by one to four units in the last place leave four_bar_2 within 4·10⁻⁷ of the
/// reference up to 3.5 s (four passages), and anywhere between 10⁻¹⁰ and 7·10⁻⁵ after that; the
/// tolerances follow from that. The energy, which no passage may change, is held to much less.
#[test]
fn chains_of_four_bars_pass_their_singular_positions() {
    for (name, from, until, step, tolerance) in [
        ("four_bar_2", 0.0, 3.5, 1e-3, 1e-6),
        ("four_bar_2", 3.5, 10.0, 1e-3, 1e-4),
        ("four_bar_40", 0.0, 1.0, 2e-3, 1e-4_f64),
    ] {
        let case = &reference("benchmarks.json")[name];
        let mut bench = bench(case, step);
        let energy = bench.energy();
        let (angles, rates) = (numbers(&case["crank_angle_rad"]), numbers(&case["crank_rate_rad_s"]));
        for (k, time) in numbers(&case["time_s"]).iter().enumerate().filter(|(_, time)| (from..=until).contains(*time))
        {
            bench.run_to(*time);
            let (angle, rate) = joint(&bench, "ground_0");
            let error = (angle - angles[k]).abs().max((rate - rates[k]).abs());
            assert!(error < tolerance, "{name} at {time}: {angle} {} {rate} {}", angles[k], rates[k]);
        }
        assert!((bench.energy() - energy).abs() < 1e-3 * tolerance.max(1e-3) * energy.abs(), "{name}");
    }
}

/// Nothing acts about the axis, so the angular momentum about it stays what it is; the dampers of
/// the links only take energy away.
///
/// The links are stiff (a rate of some 3·10⁴ 1/s), which explains the step. The two formulations of
/// the reference are 4·10⁻⁶ apart.
#[test]
fn flyball_governor_follows_the_reduced_equations_for_ten_seconds() {
    let case = &reference("benchmarks.json")["governor"];
    let mut bench = bench(case, 4e-5);
    let (slide, arm) = (numbers(&case["slide_m"]), numbers(&case["arm_angle_rad"]));
    let turning = numbers(&case["bearing_rate_rad_s"]);
    let momentum = number(&case["angular_momentum_nms"]);
    let mut energy = bench.energy();
    for (k, time) in numbers(&case["time_s"]).iter().enumerate() {
        bench.run_to(*time);
        for (name, expected) in [("slide", slide[k]), ("hinge_a", arm[k]), ("hinge_b", -arm[k])] {
            let found = joint(&bench, name).0;
            assert!((found - expected).abs() < 2e-5, "{name} at {time}: {found} {expected}");
        }
        assert!((joint(&bench, "bearing").1 - turning[k]).abs() < 1e-4, "{time}");
        let about = bench.workspace.momentum(&bench.model).moment.z;
        assert!((about - momentum).abs() < 1e-9 * momentum, "{time}: {about} {momentum}");
        assert!(bench.energy() <= energy + 1e-9, "{time}: {} {energy}", bench.energy());
        energy = bench.energy();
    }
}

/// The longest chain for the whole published time. Between the positions in which it lies flat its
/// energy stays to 10⁻⁸; there forty loops lose their rank together, and a passage with this step
/// may change it by some 3·10⁻⁴ (with half of it by some 4·10⁻⁵).
#[test]
fn a_chain_of_forty_four_bars_keeps_its_energy_for_ten_seconds() {
    let case = &reference("benchmarks.json")["four_bar_40"];
    let mut bench = bench(case, 2e-3);
    let published = number(&case["energy_j"]);
    let errors: Vec<f64> = numbers(&case["time_s"])
        .iter()
        .map(|time| {
            bench.run_to(*time);
            (bench.energy() - published) / published
        })
        .collect();
    assert!(errors[1].abs() < 1e-8, "before the first passage: {errors:?}");
    assert!(errors.iter().all(|it| it.abs() < 1e-3), "{errors:?}");
    // The cranks go round five times: no more than ten passages in twenty intervals.
    let quiet = errors.windows(2).filter(|it| (it[1] - it[0]).abs() < 1e-8).count();
    assert!(quiet >= 8, "{quiet} intervals without a passage: {errors:?}");
}

#[test]
fn bricard_moves_although_the_count_of_freedoms_says_it_cannot() {
    let case = &reference("benchmarks.json")["bricard"];
    let mut bench = bench(case, 1e-3);
    assert_eq!(bench.state.independent(&bench.model).count(), 1);
    let energy = bench.energy();
    let joint = bench.model.description().joint("hinge_4").expect("a hinge");
    let (body, point) =
        (bench.model.description().joints[joint].bodies[0], bench.model.description().joints[joint].point);
    let places = case["hinge_4_position_m"].as_array().expect("positions");
    for (time, place) in numbers(&case["time_s"]).iter().zip(places) {
        bench.run_to(*time);
        let ours = bench.workspace.position(&bench.model, body, point);
        assert!((ours - vector(place)).norm() < 1e-5, "{time}: {ours:?} {place}");
        assert!((bench.energy() - energy).abs() < 1e-6, "{time}: {:e}", bench.energy() - energy);
    }
}

#[test]
fn example_mechanisms_move_as_the_second_solver_says() {
    let data = reference("trajectories.json");
    let cases = data["cases"].as_array().expect("cases");
    let open_air = cases.iter().filter(|case| case["model"] != "hmmwv");
    let mut checked = 0;
    for case in open_air {
        let mut bench = bench(case, 1e-4);
        let bodies: Vec<&str> = case["bodies"].as_array().expect("bodies").iter().filter_map(Value::as_str).collect();
        for (sample, time) in numbers(&case["time_s"]).iter().enumerate() {
            bench.run_to(*time);
            for (index, name) in bodies.iter().enumerate() {
                for (field, ours) in bench.motion(bench.body(name)) {
                    let theirs = vector(&case[field][sample][index]);
                    let error = (ours - theirs).norm() / (1.0 + theirs.norm());
                    assert!(error < 1e-6, "{} {name} {field} at {time}: {ours:?} {theirs:?}", case["model"]);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 300, "{checked}");
}

#[test]
fn vehicles_stand_on_their_wheels_as_the_second_solver_says() {
    let data = reference("vehicle_equilibria.json");
    for name in ["hmmwv", "passenger-car", "tractor-semitrailer"] {
        let mut bench = Bench::shipped(name);
        bench.equilibrium();
        let mut total = 0.0;
        for wheel in &bench.wheels {
            let height = bench.workspace.position(&bench.model, wheel.body, wheel.centre).z;
            let load = wheel.tyre.stiffness * (wheel.tyre.radius - height);
            let expected = number(&data[name]["wheel_loads_n"][&wheel.name]);
            assert!((load - expected).abs() < 1e-5 * expected, "{name} {}: {load} {expected}", wheel.name);
            total += load;
        }
        let weight = number(&data[name]["weight_n"]);
        assert!((total - weight).abs() < 1e-6 * weight, "{name}: {total} {weight}");
    }
}
