//! The schedule: the forward order with pairs formed. Each task comes after everything that it
//! reads.

use super::bundle::{BODIES, Bundle, COLUMNS, FREE, OUTSIDE, ROWS, Rotor};
use super::{Cluster, Model, PrimitiveKind, RowKind};
use crate::math::Pair;
use std::mem::{Discriminant, discriminant};

/// One task of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// A cluster, by the general passes.
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
    /// Those that have something to do before the backward pass.
    pub prepared: Vec<Task>,
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
        // What carries the longest chain comes first: the more clusters wait, the more of them find
        // a partner.
        let heights = heights(model);
        let next = |waiting: &[usize], placed: &[bool]| {
            let list = waiting.iter().enumerate().rev();
            let list = list.filter(|(_, it)| ready(model, **it, placed));
            list.max_by_key(|(_, it)| heights[**it]).map(|(place, _)| place)
        };
        while let Some(place) = next(&waiting, &placed) {
            let cluster = waiting.remove(place);
            let structure = structure(model, cluster);
            let alike = |it: &&usize| ready(model, **it, &placed) && self::structure(model, **it) == structure;
            let carries = |it: usize| heights[it] > 0;
            let twin = |it: &&usize| carries(**it) == carries(cluster) && alike(it);
            let partner = structure.is_some().then(|| {
                let twin = waiting.iter().find(twin);
                twin.or_else(|| waiting.iter().find(alike)).copied()
            });
            let partner = partner.flatten();
            for index in [Some(cluster), partner].into_iter().flatten() {
                model.clusters[index].bodies.clone().for_each(|slot| placed[slot] = true);
            }
            waiting.retain(|it| Some(*it) != partner);
            schedule.add(model, structure.as_ref(), cluster, partner);
        }
        let tasks = schedule.tasks.iter().copied();
        schedule.prepared = tasks.filter(|it| schedule.prepares(*it)).collect();
        schedule
    }

    /// Whether a task has something to do before the backward pass: inertias that others add to, or
    /// a kernel that may be passed by.
    fn prepares(&self, task: Task) -> bool {
        match task {
            Task::Cluster(_) | Task::Base(_) => true,
            Task::One(index) => self.ones[index].height > 0 || self.ones[index].carries(),
            Task::Two(index) => self.twos[index].height > 0 || self.twos[index].carries(),
            Task::RotorOne(_) | Task::RotorTwo(_) => false,
        }
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
    cluster.bodies.clone().all(|slot| known(model.bodies[slot].parent))
        && model.rows[cluster.rows.clone()].iter().all(|row| row.bodies.iter().all(|slot| known(*slot)))
}

/// How many clusters each carries, one after the other; rotors do not count.
fn heights(model: &Model) -> Vec<usize> {
    let mut heights = vec![0; model.clusters.len()];
    // Clusters are in forward order.
    for index in (0..model.clusters.len()).rev() {
        let cluster = &model.clusters[index];
        if model.bodies[cluster.bodies.start].rotor.is_some() {
            continue;
        }
        let carrier = model.clusters.iter().position(|it| it.bodies.contains(&cluster.parent));
        if let Some(carrier) = carrier {
            heights[carrier] = heights[carrier].max(heights[index] + 1);
        }
    }
    heights
}

fn is_base(model: &Model, cluster: usize) -> bool {
    let cluster = &model.clusters[cluster];
    model.pole.is_some()
        && cluster.bodies.len() == 1
        && cluster.rows.is_empty()
        && cluster.driven.is_none()
        && cluster.bodies.start == model.slot_of[model.plan.base.0]
}

/// Whether a body carries clusters other than rotors.
pub(super) fn carries(model: &Model, slot: usize) -> bool {
    let carried = |it: &Cluster| it.parent == slot && model.bodies[it.bodies.start].rotor.is_none();
    model.clusters.iter().any(carried)
}

/// What two clusters must have in common.
#[derive(Clone, Debug, PartialEq)]
enum Structure {
    Rotor,
    /// A body on a driven joint: its carrier, because only those of one carrier are evaluated at
    /// the same time in every schedule.
    Driven(usize, Vec<BodyShape>),
    Bodies(Vec<BodyShape>, Vec<RowShape>),
}

/// Which body carries it, if that is in the cluster, and kind and column of its primitives.
type BodyShape = (Option<usize>, Vec<(Discriminant<PrimitiveKind>, usize)>);

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
    let list = &model.primitives[model.bodies[cluster.bodies.start].primitives.clone()];
    let open = cluster.bodies.len() == 1 && height == 0 && list.len() == width;
    if !small || !free || (cluster.driven.is_some() && !open) || cluster.parent == 0 {
        return None;
    }
    let inside = |slot: usize| cluster.bodies.contains(&slot).then(|| slot - cluster.bodies.start);
    let bodies = cluster.bodies.clone().map(|slot| {
        let body = &model.bodies[slot];
        let list = model.primitives[body.primitives.clone()].iter();
        let list = list.map(|it| (discriminant(&it.kind), it.velocity - cluster.velocities.start));
        (inside(body.parent), list.collect())
    });
    if cluster.driven.is_some() {
        return Some(Structure::Driven(cluster.parent, bodies.collect()));
    }
    let rows = cluster.rows.clone().map(|row| {
        let it = &model.rows[row];
        (discriminant(&it.kind), model.point_rows[row], it.bodies.map(inside))
    });
    Some(Structure::Bodies(bodies.collect(), rows.collect()))
}
