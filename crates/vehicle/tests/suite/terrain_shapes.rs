//! Roads from TOML: closed forms of their shapes, friction patches, height maps.

use vehicle::files::Source;
use vehicle::terrain::{self, Ground, Hint, Terrain};

fn road(text: &str) -> Box<dyn Terrain> {
    terrain::read(&Source::new("road.toml", text.as_bytes())).expect("a sound road")
}

/// A level road with one feature, its fields separated by `;`.
fn feature(fields: &str) -> Box<dyn Terrain> {
    let fields = fields.replace(';', "\n");
    road(&format!("kind = \"flat\"\n[[features]]\n{fields}\n"))
}

fn at(road: &dyn Terrain, x: f64, y: f64) -> Ground {
    road.at(x, y, &mut Hint::default())
}

/// Equal but for rounding of a few operations on numbers up to 10.
fn near(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-12
}

#[test]
fn a_slope_has_the_normal_of_its_plane() {
    let slope = road("kind = \"slope\"\ngrade_percent = 20.0\nbank_percent = -5.0\n");
    let ground = at(slope.as_ref(), 10.0, 2.0);
    assert!(near(ground.height_m, 0.2 * 10.0 - 0.05 * 2.0));
    let length = (1.0_f64 + 0.2 * 0.2 + 0.05 * 0.05).sqrt();
    assert!(near(ground.normal.x, -0.2 / length) && near(ground.normal.y, 0.05 / length));
}

#[test]
fn a_half_round_bump_is_a_circle() {
    let bump = feature("shape = \"half-round\"; radius_m = 0.1; x_m = 5.0");
    assert!(near(at(bump.as_ref(), 5.0, 3.0).height_m, 0.1));
    // At 60° from the top: height r cos 60°, normal along the radius.
    let ground = at(bump.as_ref(), 5.0 + 0.1 * 60_f64.to_radians().sin(), 0.0);
    assert!(near(ground.height_m, 0.05), "{ground:?}");
    assert!((ground.normal.x - 60_f64.to_radians().sin()).abs() < 1e-9, "{ground:?}");
    assert_eq!(at(bump.as_ref(), 5.2, 0.0).height_m, 0.0);
    // Sunk: the chord of a segment of height h is 2 √(2 r h − h²).
    let sunk = feature("shape = \"half-round\"; radius_m = 0.1; height_m = 0.04");
    assert!(near(at(sunk.as_ref(), 0.0, 0.0).height_m, 0.04));
    let half_chord = (2.0_f64 * 0.1 * 0.04 - 0.04 * 0.04).sqrt();
    assert!(at(sunk.as_ref(), half_chord - 1e-6, 0.0).height_m > 0.0);
    assert_eq!(at(sunk.as_ref(), half_chord + 1e-6, 0.0).height_m, 0.0);
}

#[test]
fn waves_ramps_and_tables_follow_their_profiles() {
    let waves = feature("shape = \"washboard\"; height_m = 0.02; wavelength_m = 0.5; waves = 4; x_m = 1.0");
    assert!(near(at(waves.as_ref(), 1.25, 0.0).height_m, 0.02));
    assert!(near(at(waves.as_ref(), 2.5, 0.0).height_m, 0.0));
    assert_eq!(at(waves.as_ref(), 3.25, 0.0).height_m, 0.0, "four waves of 0.5 m end at 3 m");
    let sine = feature("shape = \"sine\"; amplitude_m = 0.1; wavelength_m = 4.0; heading_deg = 90.0");
    assert!(near(at(sine.as_ref(), 7.0, 1.0).height_m, 0.1), "the waves run along y");
    let table = feature("shape = \"table\"; height_m = 0.1; length_m = 4.0; ramp_m = 1.0");
    for (x, height) in [(-0.1, 0.0), (0.5, 0.05), (2.0, 0.1), (3.75, 0.025), (4.1, 0.0)] {
        assert!(near(at(table.as_ref(), x, 0.0).height_m, height), "{x}");
    }
    let ramp = feature("shape = \"ramp\"; height_m = 1.0; length_m = 10.0; across_m = [0.0, 2.0]");
    assert!(near(at(ramp.as_ref(), 5.0, 1.0).height_m, 0.5));
    assert!(near(at(ramp.as_ref(), 50.0, 1.0).height_m, 1.0));
    assert_eq!(at(ramp.as_ref(), 5.0, -0.1).height_m, 0.0, "outside its width");
}

#[test]
fn the_last_patch_that_covers_a_place_counts() {
    let patches = road(
        "kind = \"flat\"\nfriction = 0.9\n\
         [[friction_patches]]\npattern = \"split\"\nleft = 0.2\nright = 0.8\nx_m = [0.0, 10.0]\n\
         [[friction_patches]]\npattern = \"plain\"\nfactor = 0.0\nx_m = [4.0, 6.0]\ny_m = [-1.0, 1.0]\n\
         [[friction_patches]]\npattern = \"checkerboard\"\ntile_m = 2.0\nfirst = 0.3\nsecond = 0.6\nx_m = [20.0, 30.0]\n",
    );
    for (x, y, friction) in [
        (-1.0, 0.0, 0.9),
        (1.0, 0.5, 0.2),
        (1.0, -0.5, 0.8),
        (5.0, 0.5, 0.0),
        (21.0, 1.0, 0.3),
        (23.0, 1.0, 0.6),
        (21.0, -1.0, 0.6),
        (23.0, -1.0, 0.3),
    ] {
        assert_eq!(at(patches.as_ref(), x, y).friction, friction, "{x}, {y}");
    }
}

/// A height map of 6 × 6 heights, 1 m apart.
fn map(fields: &str, height: fn(f64, f64) -> f64) -> Box<dyn Terrain> {
    let row = |y: i32| {
        let heights = (0..6).map(|x| format!("{:?}", height(f64::from(x), f64::from(y))));
        format!("[{}]", heights.collect::<Vec<_>>().join(","))
    };
    let rows: Vec<String> = (0..6).map(row).collect();
    road(&format!("kind = \"height-map\"\n{fields}\nheights_m = [{}]\ndx_m = 1.0\ndy_m = 1.0\n", rows.join(",")))
}

/// z = x y is bilinear; Catmull and Rom's cubic reproduces quadratics on a uniform grid.
#[test]
fn height_maps_reproduce_what_their_interpolation_can() {
    let product = map("", |x, y| x * y);
    let ground = at(product.as_ref(), 2.3, 3.4);
    assert!(near(ground.height_m, 2.3 * 3.4) && near(-ground.normal.x / ground.normal.z, 3.4));
    let saddle = map("interpolation = \"bicubic\"", |x, y| x * x - y * y);
    let ground = at(saddle.as_ref(), 2.3, 3.4);
    assert!(near(ground.height_m, 2.3 * 2.3 - 3.4 * 3.4));
    assert!(near(-ground.normal.x / ground.normal.z, 4.6) && near(-ground.normal.y / ground.normal.z, -6.8));
    assert!(near(at(product.as_ref(), 9.0, 2.0).height_m, 10.0), "the edge goes on");
    let level = map("outside = \"level\"\noutside_height_m = -1.0", |x, y| x * y);
    assert_eq!(at(level.as_ref(), 9.0, 2.0).height_m, -1.0);
}
