//! What holds for every road, asked through the trait: finite everywhere, unit normals that are the
//! gradient of the height, hints that change nothing, friction of 0 or more, the same answer twice.

use proptest::prelude::*;
use std::path::PathBuf;
use std::sync::LazyLock;
use vehicle::contact::Contact;
use vehicle::files::Source;
use vehicle::terrain::{self, Ground, Hint, Terrain};
use vehicle::{Vector3, WheelKinematics};

/// A road with the name of its file.
type Named = (String, Box<dyn Terrain>);

/// Every shipped road, read once.
static ROADS: LazyLock<Vec<Named>> = LazyLock::new(|| roads_in("../../models/roads"));
/// The OpenCRG roads of the test suite: gaps, border modes with steps, modifiers.
static STRANGE_ROADS: LazyLock<Vec<Named>> = LazyLock::new(|| roads_in("tests/reference/terrain"));

fn roads_in(folder: &str) -> Vec<Named> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let is_road = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "toml" || ending == "crg");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder with roads")
        .map(|entry| entry.expect("an entry").path())
        .filter(is_road)
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).expect("a readable file");
        let name = path.display().to_string();
        let road = terrain::read(&Source::new(&name, &bytes)).expect("these roads are sound");
        (name, road)
    };
    paths.into_iter().map(read).collect()
}

/// Places where vehicles are, and places where they are not.
fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => -150.0..250.0,
        2 => -1e4..1e4,
        1 => any::<f64>().prop_filter("finite", |value| value.is_finite()),
        1 => Just(1e300),
        1 => Just(-f64::MAX),
        1 => Just(0.0),
    ]
}

#[test]
fn there_are_roads_to_check() {
    assert!(ROADS.len() >= 12, "{}", ROADS.len());
    assert!(STRANGE_ROADS.len() >= 17, "{}", STRANGE_ROADS.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_place_is_finite_and_hints_change_nothing(
        x in coordinate(), y in coordinate(), hint in prop_oneof![0_usize..5000, any::<usize>()],
    ) {
        for (name, road) in ROADS.iter().chain(STRANGE_ROADS.iter()) {
            let ground = road.at(x, y, &mut Hint::default());
            prop_assert!(ground.height_m.is_finite(), "{name} at {x}, {y}: {ground:?}");
            prop_assert!((ground.normal.norm() - 1.0).abs() < 1e-12, "{name} at {x}, {y}: {ground:?}");
            prop_assert!(ground.normal.z > 0.0, "{name} at {x}, {y}: {ground:?}");
            prop_assert!(ground.friction >= 0.0 && ground.friction.is_finite(), "{name}: {ground:?}");
            let mut hint = Hint(hint);
            prop_assert_eq!(road.at(x, y, &mut hint), ground, "{} at {}, {}: hint", name, x, y);
            prop_assert_eq!(road.at(x, y, &mut hint), ground, "{} at {}, {}: its own hint", name, x, y);
        }
    }
}

/// A road that does not say where it is even: a wheel looks for its patch everywhere.
struct Silent<'a>(&'a dyn Terrain);

impl Terrain for Silent<'_> {
    fn at(&self, x_m: f64, y_m: f64, hint: &mut Hint) -> Ground {
        self.0.at(x_m, y_m, hint)
    }
}

/// Where a road says that it is one plane with one friction, it is: places up to the distance lie
/// on the plane, and a wheel finds the contact that it finds by its patch. Heights are below 50 m,
/// so that rounding is below 1e-13 m; a slope from four points 7 cm apart has 1e-12 of it.
#[test]
fn an_even_road_is_a_plane_and_gives_the_contact_of_the_patch() {
    const RADIUS_M: f64 = 0.47;
    let mut even = 0;
    for (name, road) in ROADS.iter().chain(STRANGE_ROADS.iter()) {
        for place in 0..4_000 {
            let (x, y) = (-30.0 + 0.0357 * f64::from(place), -7.0 + 0.3719 * f64::from(place % 41));
            let hint = &mut Hint::default();
            let Some(ground) = road.even_at(x, y, 0.5, hint) else {
                continue;
            };
            even += 1;
            assert_eq!(ground, road.at(x, y, hint), "{name} at {x}, {y}");
            for turn in 0..16 {
                let (sine, cosine) = (0.4 * f64::from(turn)).sin_cos();
                let (dx, dy) = (0.5 * cosine, 0.5 * sine);
                let near = road.at(x + dx, y + dy, hint);
                let above =
                    (near.height_m - ground.height_m) * ground.normal.z + dx * ground.normal.x + dy * ground.normal.y;
                assert!(above.abs() < 1e-12, "{name} at {x}, {y}: {above:e} m off the plane");
                assert_eq!((near.normal, near.friction), (ground.normal, ground.friction), "{name} at {x}, {y}");
            }
            let wheel = WheelKinematics {
                position_m: Vector3::new(x, y, ground.height_m + 0.44),
                velocity_m_s: Vector3::new(9.0, -0.7, 0.2),
                axle: Vector3::new(-0.2, 0.97, 0.06).normalised().expect("not zero"),
                carrier_rate_rad_s: Vector3::new(0.1, -0.2, 0.4),
            };
            let fast = Contact::find(&**road, &wheel, RADIUS_M, hint);
            let slow = Contact::find(&Silent(&**road), &wheel, RADIUS_M, hint);
            let differences = [
                (fast.normal - slow.normal).norm(),
                (fast.along - slow.along).norm(),
                (fast.arm - slow.arm).norm(),
                fast.deflection_m - slow.deflection_m,
                fast.deflection_rate_m_s - slow.deflection_rate_m_s,
                fast.camber_rad - slow.camber_rad,
                fast.friction - slow.friction,
                fast.forward_m_s - slow.forward_m_s,
                fast.sideways_m_s - slow.sideways_m_s,
            ];
            assert!(differences.iter().all(|it| it.abs() < 2e-11), "{name} at {x}, {y}: {differences:?}");
        }
    }
    assert!(even > 10_000, "only {even} places are even");
}

/// Forward and backward difference of the height along a direction.
fn differences(road: &dyn Terrain, x: f64, y: f64, dx: f64, dy: f64) -> (f64, f64) {
    let height = |part: f64| road.at(x + part * dx, y + part * dy, &mut Hint::default()).height_m;
    let step = (dx * dx + dy * dy).sqrt();
    ((height(1.0) - height(0.0)) / step, (height(0.0) - height(-1.0)) / step)
}

/// Away from kinks (where both differences agree) the normal is the gradient. The step of 1 µm
/// gives a truncation error below 1e-6 · h″/2 (h″ < 20 1/m outside the rim of the half-round) and a
/// rounding error of about 1e-16 · 50 m / 1e-6 m.
#[test]
fn the_normal_is_the_gradient_of_the_height() {
    const STEP_M: f64 = 1e-6;
    const TOLERANCE: f64 = 2e-5;
    for (name, road) in ROADS.iter() {
        let (mut checked, mut places) = (0, 0);
        for i in 0..60 {
            for j in 0..20 {
                let (x, y) = (-5.0 + 2.017 * f64::from(i), -6.1 + 0.639 * f64::from(j));
                places += 1;
                let ground = road.at(x, y, &mut Hint::default());
                let (east, west) = differences(road.as_ref(), x, y, STEP_M, 0.0);
                let (north, south) = differences(road.as_ref(), x, y, 0.0, STEP_M);
                if (east - west).abs() > TOLERANCE || (north - south).abs() > TOLERANCE {
                    continue;
                }
                checked += 1;
                let (slope_x, slope_y) = (-ground.normal.x / ground.normal.z, -ground.normal.y / ground.normal.z);
                let error_x = (slope_x - 0.5 * (east + west)).abs();
                let error_y = (slope_y - 0.5 * (north + south)).abs();
                assert!(error_x.max(error_y) < TOLERANCE, "{name} at {x}, {y}: {error_x} {error_y}");
            }
        }
        assert!(checked * 10 > places * 9, "{name}: only {checked} of {places} places are smooth");
    }
}
