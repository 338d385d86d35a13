//! What there is to see: the vehicle's bodies by their own points, the road, the path, the cones.

use std::collections::BTreeMap;

use multibody::{BodyId, Description, Joint, JointKind};
use serde::Serialize;
use service::Job;
use shm_layout::signals::Vector3;
use vehicle::assembly::Setup;
use vehicle::driver::path::{Corridor, Path};
use vehicle::terrain::{Hint, Terrain};

use crate::pose::Poses;

/// Half of the width of a hinge that is drawn (m); files say only where its axis lies.
const HINGE_M: f64 = 0.12;
/// Points that are closer are one (m).
const SAME_M: f64 = 1e-3;
/// Width of a tyre per radius, where its file does not say it.
const WIDTH_PER_RADIUS: f64 = 0.62;
/// Another body with so much of the chassis' mass is a unit of its own: a trailer.
const UNIT_MASS_SHARE: f64 = 0.3;
/// Most points along a path or a road, and their least distance (m): a bump is short.
const PATH: (f64, f64) = (1_200.0, 1.0);
const ROAD: (f64, f64) = (2_000.0, 0.1);
/// Points across a road that is not flat, and their distance (m).
const ACROSS: i32 = 8;
const ACROSS_M: f64 = 1.25;
/// A road without a path is shown over this length, a little of it behind the start (m).
const AHEAD_M: f64 = 220.0;
const BEHIND_M: f64 = 20.0;
/// A road is flat that is one plane so far around the start (m).
const FLAT_WITHIN_M: f64 = 5_000.0;

type Point = [f64; 3];

/// Everything in the axes of the drawing or of E, in metres.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Scene {
    /// Rigid bodies, in the order of the state messages.
    pub bodies: Vec<Body>,
    /// What connects two of them without being one.
    pub links: Vec<Link>,
    /// Wheels, in the order of the state messages.
    pub wheels: Vec<Wheel>,
    /// The ground.
    pub road: Road,
    /// What the driver follows, in E.
    pub path: Option<Line>,
    /// Edges of lanes, in E.
    pub lanes: Vec<Vec<Point>>,
    /// Cones, in E.
    pub cones: Vec<Point>,
    /// Where the vehicle begins, in E.
    pub start: Point,
}

/// A rigid body.
#[derive(Clone, Debug, Serialize)]
pub struct Body {
    name: String,
    kind: &'static str,
    centre: Point,
    points: Vec<Point>,
    lines: Vec<[Point; 2]>,
}

/// A rod, spring or damper; −1 is the ground.
#[derive(Clone, Debug, Serialize)]
pub struct Link {
    name: String,
    kind: &'static str,
    bodies: [i64; 2],
    points: [Point; 2],
}

/// A wheel on its carrier.
#[derive(Clone, Debug, Serialize)]
pub struct Wheel {
    name: String,
    body: i64,
    centre: Point,
    axle: Point,
    radius_m: f64,
    width_m: f64,
}

/// The ground.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Road {
    /// A plane.
    #[default]
    Flat,
    /// A grid of places, row by row.
    Mesh {
        /// Places in a row.
        columns: usize,
        /// Rows.
        rows: usize,
        /// x, y, z of each place.
        points: Vec<f64>,
    },
}

/// A line on the ground.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    closed: bool,
    points: Vec<Point>,
}

impl Scene {
    /// The scene of a job; a plant has none.
    pub fn new(job: &Job, poses: Option<&Poses>) -> Self {
        match (job, poses) {
            (Job::Vehicle(setup), Some(poses)) => Self::of_vehicle(setup, poses.description()),
            _ => Self::default(),
        }
    }

    fn of_vehicle(setup: &Setup, description: &Description) -> Self {
        let initial = &setup.manoeuvre.initial;
        let path = setup.manoeuvre.path(&setup.driver);
        let ground = Ground(&*setup.terrain);
        let corridor = setup.manoeuvre.corridor(&setup.driver);
        let [x, y] = initial.position_m;
        let radii: Vec<f64> = setup.tyres.iter().map(|tyre| tyre.radius_m()).collect();
        Self {
            bodies: bodies(description),
            links: links(description),
            wheels: wheels(description, &radii),
            road: road(&ground, path.as_ref(), initial.position_m, initial.heading_rad),
            path: path.as_ref().map(|path| ground.line(path)),
            lanes: corridor.iter().flat_map(|corridor| ground.lanes(corridor)).collect(),
            cones: corridor.iter().flat_map(|corridor| ground.cones(corridor)).collect(),
            start: ground.point([x, y]),
        }
    }
}

/// Number of a body in the scene.
const fn number(body: BodyId) -> i64 {
    body.0 as i64 - 1
}

fn bodies(description: &Description) -> Vec<Body> {
    let free = |joint: &&Joint| joint.kind == JointKind::Free && joint.bodies.contains(&BodyId::GROUND);
    let carried = description
        .joints
        .iter()
        .find(free)
        .map(|joint| if joint.bodies[0] == BodyId::GROUND { joint.bodies[1] } else { joint.bodies[0] });
    let chassis = carried.unwrap_or(BodyId(1));
    let chassis_kg = description.bodies.get(chassis.0).map_or(0.0, |body| body.mass);
    let all = description.bodies.iter().enumerate().skip(1);
    all.map(|(index, body)| {
        let kind = if index == chassis.0 {
            "chassis"
        } else if body.mass >= UNIT_MASS_SHARE * chassis_kg {
            "unit"
        } else {
            "link"
        };
        let (points, lines) = shape(description, BodyId(index), kind == "link");
        Body { name: body.name.clone(), kind, centre: body.centre.to_array(), points, lines }
    })
    .collect()
}

/// Joints of a body, and the bars between them: from every hinge to every other joint, or from the
/// middle where there are many.
fn shape(description: &Description, body: BodyId, has_bars: bool) -> (Vec<Point>, Vec<[Point; 2]>) {
    let mut points: Vec<Vector3> = Vec::new();
    let mut lines = Vec::new();
    let mut add = |point: Vector3| {
        if points.iter().all(|known| (*known - point).norm() > SAME_M) {
            points.push(point);
        }
    };
    for joint in description.joints.iter().filter(|joint| joint.kind != JointKind::Free) {
        for (side, point) in [joint.point, joint.second_point].into_iter().enumerate() {
            if joint.bodies[side] != body {
                continue;
            }
            if has_bars && side == 1 && joint.kind == JointKind::Revolute {
                let half = joint.axis * HINGE_M;
                lines.push([(point - half).to_array(), (point + half).to_array()]);
                [point - half, point + half].into_iter().for_each(&mut add);
            } else {
                add(point);
            }
        }
    }
    for wheel in description.wheels.iter().filter(|wheel| wheel.body == body) {
        add(wheel.centre);
    }
    for spring in &description.tsda {
        let ends = spring.points.iter().zip(spring.bodies);
        ends.filter(|(_, of)| *of == body).for_each(|(point, _)| add(*point));
    }
    if has_bars && points.len() > 1 {
        let middle = points.iter().fold(Vector3::ZERO, |sum, point| sum + *point) * (1.0 / points.len() as f64);
        match points[..] {
            [one, other] => lines.push([one.to_array(), other.to_array()]),
            [one, two, three] => {
                let [one, two, three] = [one, two, three].map(Vector3::to_array);
                lines.extend([[one, three], [two, three]]);
            }
            _ => lines.extend(points.iter().map(|point| [middle.to_array(), point.to_array()])),
        }
    }
    (points.into_iter().map(Vector3::to_array).collect(), lines)
}

fn links(description: &Description) -> Vec<Link> {
    let rods =
        description.joints.iter().filter(|joint| joint.kind == JointKind::SphericalSpherical).map(|joint| Link {
            name: joint.name.clone(),
            kind: "rod",
            bodies: joint.bodies.map(number),
            points: [joint.point, joint.second_point].map(Vector3::to_array),
        });
    let springs = description.tsda.iter().map(|it| Link {
        name: it.name.clone(),
        kind: if it.law.stiffness > 0.0 || it.law.spring.is_some() { "spring" } else { "damper" },
        bodies: it.bodies.map(number),
        points: it.points.map(Vector3::to_array),
    });
    let all = rods.chain(springs);
    // Two force elements at the same place are one thing to see.
    let mut seen = BTreeMap::new();
    for link in all {
        let key = format!("{} {:?}", link.kind, link.points);
        seen.entry(key).or_insert(link);
    }
    seen.into_values().collect()
}

fn wheels(description: &Description, radii: &[f64]) -> Vec<Wheel> {
    let all = description.wheels.iter().zip(radii);
    all.map(|(wheel, radius_m)| Wheel {
        name: wheel.name.clone(),
        body: number(wheel.body),
        centre: wheel.centre.to_array(),
        axle: wheel.axis.to_array(),
        radius_m: *radius_m,
        width_m: WIDTH_PER_RADIUS * radius_m,
    })
    .collect()
}

/// The road as something on which points and lines are put.
struct Ground<'a>(&'a dyn Terrain);

impl Ground<'_> {
    fn point(&self, [x, y]: [f64; 2]) -> Point {
        [x, y, self.0.at(x, y, &mut Hint::default()).height_m]
    }

    fn line(&self, path: &Path) -> Line {
        let points = along(path, PATH).map(|along_m| self.point(path.at(along_m).point_m)).collect();
        Line { closed: path.is_closed(), points }
    }

    /// Corners of the lanes: left and right, at the beginning and at the end of each.
    fn corners(&self, corridor: &Corridor) -> Vec<[[Point; 2]; 2]> {
        let (sine, cosine) = corridor.heading_rad.sin_cos();
        let [x, y] = corridor.origin_m;
        let place =
            |ahead: f64, left: f64| self.point([x + ahead * cosine - left * sine, y + ahead * sine + left * cosine]);
        let sections = corridor.sections.iter().map(|it| {
            [1.0, -1.0].map(|side| {
                let left = it.middle_m + side * 0.5 * it.width_m;
                [place(it.start_m, left), place(it.end_m, left)]
            })
        });
        sections.collect()
    }

    fn lanes(&self, corridor: &Corridor) -> Vec<Vec<Point>> {
        self.corners(corridor).into_iter().flatten().map(|edge| edge.to_vec()).collect()
    }

    /// Five on each edge, as the standard has them at the beginning and the end and between.
    fn cones(&self, corridor: &Corridor) -> Vec<Point> {
        let edges = self.corners(corridor).into_iter().flatten();
        let cones = edges.flat_map(|[from, to]| {
            (0..5).map(move |number| {
                let share = f64::from(number) / 4.0;
                std::array::from_fn(|axis| from[axis] + share * (to[axis] - from[axis]))
            })
        });
        cones.map(|[x, y, _]: Point| self.point([x, y])).collect()
    }
}

/// Distances along what was drawn of a path (m).
fn along(path: &Path, (most, least_m): (f64, f64)) -> impl Iterator<Item = f64> {
    let length = path.length_m();
    let spacing = (length / most).max(least_m);
    let count = (length / spacing).ceil() as usize;
    (0..=count).map(move |number| (number as f64 * spacing).min(length))
}

/// A strip along the path, or ahead of the start, unless all of it is one plane that is level.
fn road(ground: &Ground<'_>, path: Option<&Path>, start_m: [f64; 2], heading_rad: f64) -> Road {
    let [x, y] = start_m;
    let even = ground.0.even_at(x, y, FLAT_WITHIN_M, &mut Hint::default());
    if even.is_some_and(|even| even.normal.z >= 1.0 && even.height_m == 0.0) {
        return Road::Flat;
    }
    let ahead = Path::straight(start_m, heading_rad);
    let places: Vec<_> = match path.filter(|path| path.length_m() > 1.0) {
        Some(path) => along(path, ROAD).map(|along_m| path.at(along_m)).collect(),
        None => (0..2_000).map(|number| ahead.at(f64::from(number) / 2_000.0 * AHEAD_M - BEHIND_M)).collect(),
    };
    let mut points = Vec::new();
    for pose in &places {
        let ([x, y], [tx, ty]) = (pose.point_m, pose.tangent);
        for side in -ACROSS..=ACROSS {
            let left = f64::from(side) * ACROSS_M;
            points.extend(ground.point([x - left * ty, y + left * tx]));
        }
    }
    Road::Mesh { columns: (2 * ACROSS + 1) as usize, rows: places.len(), points }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vehicle::assembly::Choice;

    fn scene(vehicle: &str, manoeuvre: &str) -> Scene {
        let choice = Choice { manoeuvre: manoeuvre.into(), vehicle: Some(vehicle.into()), ..Choice::default() };
        let job = Job::Vehicle(Box::new(Setup::read(&choice, 1e-3).expect("shipped")));
        let Job::Vehicle(setup) = &job else { unreachable!() };
        let poses = Poses::new(setup).expect("a mechanism");
        Scene::new(&job, Some(&poses))
    }

    /// RTRD section 3.2: fourteen bodies without the wheels, four tie rods, four springs.
    #[test]
    fn the_hmmwv_is_seen_as_it_is_drawn() {
        let scene = scene("hmmwv", "drive-default");
        assert_eq!((scene.bodies.len(), scene.wheels.len()), (14, 4));
        let kinds = |kind: &str| scene.links.iter().filter(|link| link.kind == kind).count();
        assert_eq!((kinds("rod"), kinds("spring")), (4, 4));
        assert_eq!(scene.bodies.iter().filter(|body| body.kind == "chassis").count(), 1);
        let arm = scene.bodies.iter().find(|body| body.name == "lower_arm_fl").expect("an arm");
        // Two ends of the hinge, the ball, and where the spring stands.
        assert!(arm.lines.len() >= 3 && arm.points.len() >= 3, "{arm:?}");
        assert_eq!(scene.wheels[0].radius_m, 0.4699);
        assert!(scene.path.expect("a circuit").closed);
    }

    #[test]
    fn a_trailer_is_a_unit_and_a_lane_change_has_cones() {
        let truck = scene("tractor-semitrailer", "drive-default");
        assert_eq!(truck.bodies.iter().filter(|body| body.kind == "unit").count(), 1);
        let lane_change = scene("passenger-car", "iso-3888-1");
        assert_eq!((lane_change.lanes.len(), lane_change.cones.len()), (6, 30));
        assert!(matches!(lane_change.road, Road::Flat));
    }

    #[test]
    fn a_road_that_is_not_flat_has_its_heights() {
        let Road::Mesh { columns, rows, points } = scene("hmmwv", "half-round-bump").road else {
            panic!("a bump is not flat");
        };
        assert_eq!(points.len(), 3 * columns * rows);
        let highest = points.chunks(3).map(|point| point[2]).fold(0.0, f64::max);
        assert!(highest > 0.05, "{highest}");
    }
}
