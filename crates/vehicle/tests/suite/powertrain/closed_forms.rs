//! Numbers that a sheet of paper gives.

use crate::powertrain::rig::{PLAIN, RPM, Rolling, drive, held, parse, shipped, text};
use vehicle::DriverInput;
use vehicle::powertrain::{Drive, Powertrain};

fn gear(gear: i32, throttle: f64) -> DriverInput {
    DriverInput { throttle_ratio: throttle, gear: i64::from(gear), ..DriverInput::RELEASED }
}

/// Table 3.1 and Eq. 4.11 to 4.14 of DAS, at 3000 rpm in each gear: 137 Nm times gear and final
/// drive. Torques of Eq. 4.4 are known to 0.1 Nm.
#[test]
fn the_thesis_buggy_gives_the_wheel_torques_of_its_table() {
    let quasi_static = text("buggy")
        .replace("kind = \"converter\"", "kind = \"rigid\"")
        .replace("inertia_kg_m2 = 0.15 ", "inertia_kg_m2 = 0.0 ");
    for (number, ratio) in [(1, 2.475), (2, 1.475), (3, 1.0)] {
        for (throttle, engine_nm) in [(1.0, 137.0), (0.0, -45.0), (0.5, 46.0)] {
            let mut train = parse(&quasi_static, 4);
            let spin = [3000.0 * RPM / (ratio * 3.673); 4];
            let torques = held(&mut train, &gear(number, throttle), &spin);
            let expected = engine_nm * ratio * 3.673 / 2.0;
            for wheel in [2, 3] {
                let found = torques.torque_nm[wheel];
                assert!(
                    (found - expected).abs() < 0.1 * ratio * 3.673,
                    "gear {number}, {throttle}: {found}, {expected}"
                );
            }
            assert_eq!(&torques.torque_nm[..2], [0.0, 0.0]);
        }
    }
}

/// DAS §3.1.1: 29.4 km/h for each 1000 rpm in third gear. That is a tyre 155/80 R 13 of 0.2865 m;
/// its free radius is 0.2891 m, and a radial tyre rolls on 0.96 to 1.0 of that.
#[test]
fn the_thesis_speed_in_third_gear_fits_its_tyres() {
    let radius_m = (29.4 / 3.6) / (1000.0 * RPM / 3.673);
    let free_m = 0.5 * 13.0 * 0.0254 + 0.8 * 0.155;
    assert!((0.96..1.0).contains(&(radius_m / free_m)), "{radius_m} of {free_m}");
    let mut train = shipped("buggy", 4);
    let spin = [(29.4 / 3.6) / radius_m; 4];
    train.begin_step(&gear(3, 0.2), &spin, 1e-3);
    assert!((train.input_rad_s() / RPM - 1000.0).abs() < 1e-6);
}

/// No gear goes faster than limiter by ratios: in first gear 6000 rpm / (2.475 · 3.673) · 0.2865 m
/// = 19.80 m/s, and the limiter's band is 2 %.
#[test]
fn top_speed_in_a_gear_is_the_limit_by_the_ratios() {
    let mut train = shipped("buggy", 4);
    let mut buggy = Rolling::new(4, 600.0, 0.2865, 5.0);
    buggy.run(&mut train, &gear(1, 1.0), 40_000, 1);
    let top_m_s = 6000.0 * RPM / (2.475 * 3.673) * 0.2865;
    // Nothing resists, so the converter stops slipping where the polynomial has no torque left: at
    // 6000 rpm to the digits of its coefficients.
    assert!((buggy.speed_m_s / top_m_s - 1.0).abs() < 1e-3, "{} {top_m_s}", buggy.speed_m_s);
    assert!(train.instruments().engine_speed_rad_s < 6000.0 * RPM * 1.02);
}

/// Held on the brakes with the pedal pressed, engine and impeller agree: T_e(ω) = (ω/K)², and the
/// wheels get R · ratio of it. For the buggy the root of 53.7 + 0.046583 n − 3.2888e-6 n² −
/// 9.9444e-10 n³ = (n π/30/21)² is found by bisection here.
#[test]
fn stall_torque_of_the_converter() {
    let (mut low, mut high) = (1000.0_f64, 5000.0_f64);
    for _ in 0..60 {
        let n = 0.5 * (low + high);
        let engine = 53.7 + 0.046583 * n - 3.2888e-6 * n * n - 9.9444e-10 * n * n * n;
        if engine > (n * RPM / 21.0).powi(2) { low = n } else { high = n }
    }
    let mut train = shipped("buggy", 4);
    let (spin, mut torques) = ([0.0; 4], Drive::new(4));
    for _ in 0..5000 {
        torques = held(&mut train, &gear(1, 1.0), &spin);
    }
    let expected = (low * RPM / 21.0).powi(2) * 1.9 * 2.475 * 3.673;
    let found: f64 = torques.torque_nm.iter().sum();
    assert!((train.instruments().engine_speed_rad_s - low * RPM).abs() < 1e-6);
    assert!((found - expected).abs() < 1e-6 * expected, "{found} {expected}");
}

/// A quasi-static HMMWV in third gear on a grade: speed is steady when 0.25 · 0.4218⁻¹ … gives the
/// hill's force. By hand: at 1500 rpm and half throttle the engine has (789 − 60)/2 = 364.5 Nm, the
/// wheels 364.5 · 2.3708 · 4 = 3456.6 Nm, which holds 3456.6/0.47 = 7354.5 N: 2577 kg on a slope of
/// 0.2909 (sine). Speed: 1500 rpm / 2.3708 / 4 · 0.47 m = 7.785 m/s.
#[test]
fn steady_on_a_grade() {
    let mut train = shipped("hmmwv-quasi-static", 4);
    let speed_m_s = 1500.0 * RPM * 0.4218 * 0.25 * 0.47;
    let mut hmmwv = Rolling::new(4, 2577.0, 0.47, speed_m_s);
    hmmwv.resistance_n = 0.5 * (789.0 - 60.0) / 0.4218 / 0.25 / 0.47;
    assert!((hmmwv.resistance_n / (2577.0 * 9.81) - 0.2909).abs() < 1e-4);
    hmmwv.run(&mut train, &gear(3, 0.5), 1000, 4);
    // Ratios in the file have nine decimals: 1e-9 of 7354 N over 2577 kg for one second.
    assert!((hmmwv.speed_m_s - speed_m_s).abs() < 1e-6, "{} {speed_m_s}", hmmwv.speed_m_s);
}

/// Rigid: 200 Nm · 3 · 4 on m R² + J (3·4)². With m = 1000 kg, R = 0.3 m, J = 0.2 kg m²: 2400 /
/// (90 + 28.8) · 0.3 = 6.0606 m/s².
#[test]
fn engine_inertia_slows_a_launch_as_the_ratio_squared() {
    let mut train = parse(PLAIN, 4);
    let mut car = Rolling::new(4, 1000.0, 0.3, 1.0);
    car.run(&mut train, &drive(1.0), 1000, 2);
    let expected = 1.0 + 200.0 * 12.0 / (90.0 + 0.2 * 144.0) * 0.3;
    assert!((car.speed_m_s - expected).abs() < 1e-9, "{}", car.speed_m_s);
}

/// In reverse the same torque works backwards, and the engine still turns forwards.
#[test]
fn reverse_drives_backwards() {
    for name in ["buggy", "hmmwv", "passenger-car", "electric-car"] {
        let mut train = shipped(name, 4);
        let mut car = Rolling::new(4, 1500.0, 0.3, 0.0);
        car.run(&mut train, &gear(-1, 0.5), 3000, 4);
        assert!(car.speed_m_s < -1.0, "{name}: {}", car.speed_m_s);
        assert!(train.instruments().engine_speed_rad_s > 0.0 && train.instruments().gear == -1, "{name}");
    }
}

/// With the pedal released in gear the engine brakes: 20 Nm · 12 / 0.3 m on 1000 kg and the engine.
#[test]
fn the_engine_brakes_with_the_pedal_released() {
    let mut train = parse(PLAIN, 4);
    let mut car = Rolling::new(4, 1000.0, 0.3, 20.0);
    car.run(&mut train, &drive(0.0), 1000, 1);
    let expected = 20.0 - 20.0 * 12.0 / (90.0 + 28.8) * 0.3;
    assert!((car.speed_m_s - expected).abs() < 1e-9);
}

/// Two driven axles with final drives on the body: the body gets the opposite of all wheel torques
/// about y. On rigid axles it gets the propeller shaft's torque about x.
#[test]
fn the_body_gets_what_the_wheels_get() {
    let mounted =
        |where_to: &str| format!("{PLAIN}\n[mounting]\nengine = \"longitudinal\"\nfinal_drive = \"{where_to}\"\n");
    let mut on_body = parse(&mounted("body"), 4);
    let mut car = Rolling::new(4, 1000.0, 0.3, 5.0);
    car.step(&mut on_body, &drive(1.0), 1e-3, 1);
    let engine_spin_up = 200.0 - car.torque_nm / 12.0;
    let found = on_body.body_torque_nm();
    assert!((found.y + car.torque_nm).abs() < 1e-9 && (found.x - engine_spin_up).abs() < 1e-9, "{found:?}");
    let mut on_axle = parse(&mounted("axle"), 4);
    let mut car = Rolling::new(4, 1000.0, 0.3, 5.0);
    car.step(&mut on_axle, &drive(1.0), 1e-3, 1);
    let found = on_axle.body_torque_nm();
    assert!(found.y == 0.0 && (found.x - car.torque_nm / 4.0 - engine_spin_up).abs() < 1e-9, "{found:?}");
}
