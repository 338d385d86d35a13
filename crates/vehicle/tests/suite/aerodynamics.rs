//! The air against closed forms, what must hold for every model of it, the wind, and bad files.

use crate::support::files::{self, assert_faults};
use proptest::prelude::*;
use rt::allocation::forbid;
use std::f64::consts::{FRAC_PI_2, PI};
use vehicle::Vector3;
use vehicle::aerodynamics::{self, Aerodynamics, Wind};
use vehicle::files::Source;

const SHIPPED: [&str; 4] = ["hmmwv", "passenger-car", "tractor-semitrailer", "buggy"];
const WINDS: [&str; 2] = ["wind-crosswind-strip", "wind-gusty"];

fn text_of(name: &str) -> String {
    files::text_of("aerodynamics", name)
}

fn from_text(text: &str) -> Box<dyn Aerodynamics> {
    aerodynamics::read(&Source::new("air.toml", text.as_bytes())).unwrap_or_else(|error| panic!("{error}"))
}

fn wind(text: &str) -> Wind {
    Wind::read(&Source::new("wind.toml", text.as_bytes())).unwrap_or_else(|error| panic!("{error}"))
}

fn ahead(speed: f64) -> Vector3 {
    Vector3::new(speed, 0.0, 0.0)
}

/// Power of drag by hand for the car: ½ 1.225 × 2.1 × 0.30 × 30³ W = 10,419 W.
#[test]
fn drag_takes_the_power_of_the_formula() {
    let (force, _) = from_text(&text_of("passenger-car")).wrench(ahead(30.0));
    assert!((force.x * 30.0 + 0.5 * 1.225 * 2.1 * 0.30 * 27_000.0).abs() < 1e-9, "{force:?}");
    assert_eq!(force.y, 0.0);
}

/// Coast-down with rolling resistance F₀ and drag c v² (the model): v = √(F₀/c) tan(atan(v₀
/// √(c/F₀)) − t √(F₀ c)/m). Runge–Kutta of order four with 10 ms leaves far less than 1e-9 m/s.
#[test]
fn a_coast_down_follows_the_closed_form() {
    for name in SHIPPED {
        let air = from_text(&text_of(name));
        let drag = -air.wrench(ahead(1.0)).0.x;
        let (mass, rolling, start, h) = (1500.0, 180.0, 35.0, 0.01);
        let slowing = |v: f64| (air.wrench(ahead(v)).0.x - rolling) / mass;
        let mut v: f64 = start;
        for step in 1..=2000 {
            let a = slowing(v);
            let b = slowing(v + 0.5 * h * a);
            let c = slowing(v + 0.5 * h * b);
            let d = slowing(v + h * c);
            v += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
            let t = f64::from(step) * h;
            let ratio = (rolling / drag).sqrt();
            let exact = ratio * ((start / ratio).atan() - t * (rolling * drag).sqrt() / mass).tan();
            assert!((v - exact).abs() < 1e-9, "{name} at {t} s: {v} {exact}");
        }
        assert!(v > 0.0 && v < start);
    }
}

const CAR: &str = r#"kind = "coefficients"
density_kg_m3 = 1.2
area_m2 = 2.0
length_m = 2.5
point_m = [-1.25, 0.0, -0.3]
sideslip_rad_max = 0.5
[coefficients]
drag = [0.3, 0.0, 0.4]
side = [0.0, 2.0]
lift = [0.1, 0.0, 1.0]
roll = [0.0, 0.4]
pitch = [-0.05]
yaw = [0.0, -0.6]
"#;

/// By hand at β = 0.2 and 40 m/s: q = ½ 1.2 × 2 × 1600 = 1,920 N; C_X 0.316, C_Y 0.4, C_Z 0.14;
/// moments 0.08, −0.05, −0.12 times q × 2.5 m; moved from the point (−1.25, 0, −0.3) to the origin
/// by r × F.
#[test]
fn forces_and_moments_by_hand() {
    let (force, torque) = from_text(CAR).wrench(Vector3::new(40.0 * 0.2f64.cos(), 40.0 * 0.2f64.sin(), 0.0));
    let expected = Vector3::new(-0.316, -0.4, 0.14) * 1920.0;
    assert!((force - expected).norm() < 1e-9, "{force:?}");
    let own = Vector3::new(0.08, -0.05, -0.12) * 4800.0;
    let moved = Vector3::new(0.3 * expected.y, -0.3 * expected.x + 1.25 * expected.z, -1.25 * expected.y);
    assert!((torque - own - moved).norm() < 1e-9, "{torque:?}");
}

/// Straight from behind the same drag pushes forward, and at a right angle there is none; nothing
/// jumps on the way round.
#[test]
fn wind_from_all_around_is_continuous() {
    for name in SHIPPED {
        let air = from_text(&text_of(name));
        let at = |beta: f64| air.wrench(Vector3::new(20.0 * beta.cos(), 20.0 * beta.sin(), 0.0));
        assert!((at(0.0).0.x + at(PI).0.x).abs() < 1e-9, "{name}");
        assert!(at(FRAC_PI_2).0.x.abs() < 1e-6, "{name} {:?}", at(FRAC_PI_2));
        let turn = 1e-4;
        let scale = at(FRAC_PI_2).0.norm() + at(FRAC_PI_2).1.norm();
        for index in 0..=62_830 {
            let (one, other) = (at(f64::from(index) * turn - PI), at(f64::from(index + 1) * turn - PI));
            // The steepest coefficient changes by less than 10 per radian.
            let change = (one.0 - other.0).norm() + (one.1 - other.1).norm();
            assert!(change < 20.0 * turn * scale, "{name} {index}: {change} {scale}");
        }
    }
}

/// A table to 180° is taken as it is.
#[test]
fn a_whole_table_is_not_mirrored() {
    let text = CAR.replace("sideslip_rad_max = 0.5", "sideslip_rad = [0.0, 1.5707963, 3.1415927]");
    let lists = "[coefficients]\ndrag = [0.3, 0.0, -0.5]\nside = [0.0, 1.0, 0.0]\nyaw = [0.0, -0.1, 0.0]\n";
    let text = text[..text.find("[coefficients]").expect("is there")].to_owned() + lists;
    let (force, _) = from_text(&text).wrench(ahead(-10.0));
    assert!((force.x - 0.5 * 120.0).abs() < 1e-4, "{force:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Finite for every finite input; a mirrored wind gives mirrored forces.
    #[test]
    fn finite_and_mirrored(x in any::<f64>(), y in any::<f64>(), z in any::<f64>(), scale in prop_oneof![Just(1.0), Just(1e-300)]) {
        let v = Vector3::new(x, y, z) * scale;
        prop_assume!(v.is_finite());
        for name in SHIPPED {
            let air = from_text(&text_of(name));
            let (force, torque) = air.wrench(v);
            prop_assert!(force.is_finite() && torque.is_finite(), "{name} {v:?}");
            let (mirrored, turned) = air.wrench(Vector3::new(v.x, -v.y, v.z));
            prop_assert_eq!((mirrored.x, mirrored.y, mirrored.z), (force.x, -force.y, force.z));
            prop_assert_eq!((turned.x, turned.y, turned.z), (-torque.x, torque.y, -torque.z));
        }
    }

    /// The air takes energy from a vehicle that moves straight through it.
    #[test]
    fn drag_brakes_whatever_the_direction(speed in -60.0..60.0f64) {
        for name in SHIPPED {
            let (force, _) = from_text(&text_of(name)).wrench(ahead(speed));
            prop_assert!(force.x * speed <= 0.0, "{name} {speed}");
        }
    }

    /// The wind is finite everywhere and always.
    #[test]
    fn wind_is_finite(time in any::<f64>(), x in any::<f64>(), y in any::<f64>()) {
        for name in WINDS {
            let wind = wind(&text_of(name));
            prop_assert!(wind.at(time, Vector3::new(x, y, 0.0)).is_finite(), "{name}");
        }
    }
}

/// Profiles by hand, over time and over the distance.
#[test]
fn gusts_by_hand() {
    let gust =
        |rest: &str| wind(&format!("mean_m_s = [1.0, 0.0, 0.0]\n[[gust]]\namplitude_m_s = [0.0, -8.0, 0.0]\n{rest}"));
    let cosine = gust("profile = \"one-minus-cosine\"\nbegins_s = 2.0\nduration_s = 4.0\n");
    let step = gust("profile = \"step\"\nbegins_s = 2.0\nrise_s = 1.0\nduration_s = 4.0\n");
    let sine = gust("profile = \"sine\"\nbegins_s = 2.0\nduration_s = 4.0\nperiods = 1.5\n");
    for (wind, times, expected) in [
        (&cosine, [1.9, 3.0, 4.0, 6.1], [0.0, -4.0, -8.0, 0.0]),
        (&step, [1.9, 2.5, 4.0, 6.1], [0.0, -4.0, -8.0, 0.0]),
        (&sine, [1.9, 3.0, 5.0, 8.1], [0.0, -8.0, 8.0, 0.0]),
    ] {
        for (time, expected) in times.iter().zip(expected) {
            let found = wind.at(*time, Vector3::ZERO);
            assert!((found - Vector3::new(1.0, expected, 0.0)).norm() < 1e-12, "{time}: {found:?}");
        }
    }
    let strip = wind(&text_of("wind-crosswind-strip"));
    for (x, expected) in [(99.0, 0.0), (101.0, -10.0), (110.0, -20.0), (125.5, 0.0)] {
        assert!((strip.at(3.0, ahead(x)).y - expected).abs() < 1e-12, "{x}");
    }
    assert_eq!(Wind::steady(ahead(3.0)).at(7.0, ahead(1.0)), ahead(3.0));
}

/// Turbulence over a long distance: no mean, the deviation asked for, and the correlation of
/// Dryden's spectrum along the wind, σ² e^(−r/L). A distance of 4,000 L has about 2,000 independent
/// pieces: 3 % of deviation is expected by chance, twice that is allowed.
#[test]
fn turbulence_has_drydens_statistics() {
    let text = "mean_m_s = [5.0, 0.0, 0.0]\n[turbulence]\ndeviation_m_s = 2.0\nlength_m = 50.0\nseed = 3\n";
    let air = wind(text);
    let at = |x: f64| air.at(0.0, ahead(x)) - ahead(5.0);
    let count = 40_000;
    let (mut mean, mut along, mut across, mut lagged) = (Vector3::ZERO, 0.0, 0.0, 0.0);
    for index in 0..count {
        let x = f64::from(index) * 5.0;
        let here = at(x);
        mean += here * (1.0 / f64::from(count));
        along += here.x * here.x / f64::from(count);
        across += here.y * here.y / f64::from(count);
        lagged += here.x * at(x + 50.0).x / f64::from(count);
    }
    println!("mean {mean:?}, variances {along:.3} {across:.3}, at one length {lagged:.3}");
    assert!(mean.norm() < 0.15, "{mean:?}");
    assert!((along - 4.0).abs() < 0.25 && (across - 4.0).abs() < 0.25, "{along} {across}");
    assert!((lagged / 4.0 - (-1.0f64).exp()).abs() < 0.06, "{lagged}");
    // The air is frozen and drifts: what is here now is 5 m further in a second.
    let (now, later) = (air.at(3.0, ahead(40.0)), air.at(4.0, ahead(45.0)));
    assert!((now - later).norm() < 1e-12);
    // The seed decides.
    assert_eq!(air, wind(text));
    assert_ne!(air, wind(&text.replace("seed = 3", "seed = 4")));
}

#[test]
fn a_step_leaves_the_heap_alone() {
    for (name, breeze) in SHIPPED.iter().zip(WINDS.iter().cycle()) {
        let (air, wind) = (from_text(&text_of(name)), wind(&text_of(breeze)));
        let mut sum = 0.0;
        forbid(|| {
            for index in 0..200 {
                let time = f64::from(index) * 0.1;
                sum += air.wrench(ahead(time) - wind.at(time, ahead(time))).0.norm();
            }
        });
        assert!(sum > 0.0, "{name}");
    }
}

#[test]
fn bad_files_name_line_and_field() {
    let cases = [
        ("\"coefficients\"", "\"wing\"", 1, "kind"),
        ("\"coefficients\"", "\"drag\"", 1, "kind"),
        ("area_m2 = 2.0", "area_m2 = 0.0", 3, "area_m2"),
        ("length_m = 2.5\n", "", 1, "kind"),
        ("-1.25, 0.0, -0.3", "-1.25, nan, -0.3", 5, "point_m[1]"),
        ("sideslip_rad_max = 0.5", "sideslip_rad_max = 2.5", 6, "sideslip_rad_max"),
        ("sideslip_rad_max = 0.5", "sideslip_rad = [0.0, 1.0, 2.0]", 6, "sideslip_rad"),
        ("side = [0.0, 2.0]", "side = [0.1, 2.0]", 9, "coefficients.side"),
        ("yaw = [0.0, -0.6]", "jaw = [0.0, -0.6]", 13, "coefficients.jaw"),
    ];
    assert_faults(CAR, &cases, aerodynamics::read);
    for (text, line, field) in [
        ("[[gust]]\nprofile = \"bump\"\namplitude_m_s = [0, 1, 0]\nbegins_s = 0\n", 2, "gust[0].profile"),
        ("[[gust]]\nprofile = \"sine\"\namplitude_m_s = [0, 1, 0]\nbegins_s = 0\n", 2, "gust[0].profile"),
        ("[[gust]]\nprofile = \"step\"\namplitude_m_s = [0, 1, 0]\n", 2, "gust[0].profile"),
        ("mean_m_s = [0, 1]\n", 1, "mean_m_s"),
        ("[turbulence]\ndeviation_m_s = -1\nlength_m = 10\nseed = 1\n", 2, "turbulence.deviation_m_s"),
    ] {
        let error = files::fault("bad.toml", text.as_bytes(), Wind::read);
        assert_eq!((error.line, error.field.as_str()), (line, field), "{error}");
    }
}
