//! The schedule: the forward order with pairs formed. Each task comes after everything that it reads.

use super::bundle::{BODIES, Bundle, COLUMNS, FREE, OUTSIDE, ROWS, Rotor};
use super::{Cluster, Model, PrimitiveKind, RowKind};
use crate::math::Pair;
use std::mem::{Discriminant, discriminant};

/// One task of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// A cluster, by the general way.
    Cluster(usize),
    /// The floating base whose reference point is the pole.
    Base(usize),
    /// A bundle of one.
    One(usize),
    /// A bundle of two.
    Two(usize),
    /// A rotor.
    RotorOne(usize),
    /// Two rotors.
    RotorTwo(usize),
}

/// All bundles of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    pub tasks: Vec<Task>,
    pub ones: Vec<Bundle<f64>>,
    pub twos: Vec<Bundle<Pair>>,
    pub rotor_ones: Vec<Rotor<f64>>,
    pub rotor_twos: Vec<Rotor<Pair>>,
}

impl Schedule {
    pub(super) fn new(model: &Model) -> Self {
        let mut schedule = Self::default();
        let mut placed = vec![false; model.bodies.len()];
        placed[0] = true;
        let mut waiting: Vec<usize> = (0..model.clusters.len()).collect();
        while let Some(place) = waiting.iter().position(|it| ready(model, *it, &placed)) {
            let cluster = waiting.remove(place);
            let structure = structure(model, cluster);
            let alike =
                |it: &&usize| ready(model, **it, &placed) && self::structure(model, **it) == structure;
            let partner = structure
                .is_some()
                .then(|| waiting.iter().find(alike).copied())
                .flatten();
            for index in [Some(cluster), partner].into_iter().flatten() {
                model.clusters[index]
                    .bodies
                    .clone()
                    .for_each(|slot| placed[slot] = true);
            }
            waiting.retain(|it| Some(*it) != partner);
            schedule.add(model, structure.as_ref(), cluster, partner);
        }
        schedule
    }

    fn add(&mut self, model: &Model, structure: Option<&Structure>, cluster: usize, partner: Option<usize>) {
        let task = match (structure, partner) {
            (None, _) if is_base(model, cluster) => Task::Base(cluster),
            (None, _) => Task::Cluster(cluster),
            (Some(Structure::Rotor), Some(partner)) => {
                self.rotor_twos.push(Rotor::new(model, [cluster, partner]));
                Task::RotorTwo(self.rotor_twos.len() - 1)
            }
            (Some(Structure::Rotor), None) => {
                self.rotor_ones.push(Rotor::new(model, [cluster; 2]));
                Task::RotorOne(self.rotor_ones.len() - 1)
            }
            (Some(_), Some(partner)) => {
                let bundle = Bundle::new(model, [cluster, partner]);
                if bundle.outside.len() > OUTSIDE {
                    self.tasks.push(Task::Cluster(cluster));
                    Task::Cluster(partner)
                } else {
                    self.twos.push(bundle);
                    Task::Two(self.twos.len() - 1)
                }
            }
            (Some(_), None) => {
                let bundle = Bundle::new(model, [cluster; 2]);
                if bundle.outside.len() > OUTSIDE {
                    Task::Cluster(cluster)
                } else {
                    self.ones.push(bundle);
                    Task::One(self.ones.len() - 1)
                }
            }
        };
        self.tasks.push(task);
    }
}

fn ready(model: &Model, cluster: usize, placed: &[bool]) -> bool {
    let cluster = &model.clusters[cluster];
    let known = |slot: usize| placed[slot] || cluster.bodies.contains(&slot);
    cluster
        .bodies
        .clone()
        .all(|slot| known(model.bodies[slot].parent))
        && model.rows[cluster.rows.clone()]
            .iter()
            .all(|row| row.bodies.iter().all(|slot| known(*slot)))
}

fn is_base(model: &Model, cluster: usize) -> bool {
    let cluster = &model.clusters[cluster];
    model.pole.is_some()
        && cluster.bodies.len() == 1
        && cluster.rows.is_empty()
        && cluster.driven.is_none()
        && cluster.bodies.start == model.slot_of[model.plan.base.0]
}

/// Whether clusters other than rotors hang on a body.
pub(super) fn carries(model: &Model, slot: usize) -> bool {
    let hangs = |it: &Cluster| it.parent == slot && model.bodies[it.bodies.start].rotor.is_none();
    model.clusters.iter().any(hangs)
}

/// What two clusters must have in common.
#[derive(Clone, Debug, PartialEq)]
enum Structure {
    Rotor,
    Bodies(Vec<BodyShape>, Vec<RowShape>),
}

/// Which body carries it, if that is in the cluster, whether it carries others, and kind and column of its primitives.
type BodyShape = (Option<usize>, bool, Vec<(Discriminant<PrimitiveKind>, usize)>);

/// Kind, whether it begins a point, and which bodies of the cluster it holds.
type RowShape = (Discriminant<RowKind>, bool, [Option<usize>; 2]);

/// The structure of a cluster, if it fits the kernels.
fn structure(model: &Model, index: usize) -> Option<Structure> {
    let cluster = &model.clusters[index];
    if model.bodies[cluster.bodies.start].rotor.is_some() {
        return Some(Structure::Rotor);
    }
    let (width, height) = (cluster.velocities.len(), cluster.rows.len());
    let small = cluster.bodies.len() <= BODIES && width <= COLUMNS && height <= ROWS;
    let free = width > height && width - height <= FREE;
    if !small || !free || cluster.driven.is_some() || cluster.parent == 0 {
        return None;
    }
    let inside = |slot: usize| {
        cluster
            .bodies
            .contains(&slot)
            .then(|| slot - cluster.bodies.start)
    };
    let bodies = cluster.bodies.clone().map(|slot| {
        let body = &model.bodies[slot];
        let list = model.primitives[body.primitives.clone()].iter();
        let list = list.map(|it| (discriminant(&it.kind), it.velocity - cluster.velocities.start));
        (inside(body.parent), carries(model, slot), list.collect())
    });
    let rows = cluster.rows.clone().map(|row| {
        let it = &model.rows[row];
        (
            discriminant(&it.kind),
            model.point_rows[row],
            it.bodies.map(inside),
        )
    });
    Some(Structure::Bodies(bodies.collect(), rows.collect()))
}
