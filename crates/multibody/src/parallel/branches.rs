//! Which tasks may run side by side.
//!
//! The **trunk** is what several branches read: bodies on the ground (the base among them) and driven joints on the trunk (the rack).
//! What hangs on the trunk falls into branches that do not read each other.

use crate::model::{Cluster, Model, Task};
use std::ops::Range;

/// The branch of each task of the schedule; none for the trunk.
pub(super) fn branches(model: &Model) -> Vec<Option<usize>> {
    let tasks = &model.schedule.tasks;
    let mut owner = vec![None; model.bodies.len()];
    let mut branch: Vec<Option<usize>> = vec![None; tasks.len()];
    let mut count = 0;
    // The schedule is in forward order: what a task reads has its branch already.
    for (number, task) in tasks.iter().enumerate() {
        if is_trunk(model, *task, &owner) {
            continue;
        }
        let mut read: Vec<usize> = reads(model, *task).filter_map(|slot| owner[slot]).collect();
        read.sort_unstable();
        let mine = read.first().copied().unwrap_or(count);
        count = count.max(mine + 1);
        for other in read {
            let merged = |it: &mut Option<usize>| {
                if *it == Some(other) {
                    *it = Some(mine);
                }
            };
            owner.iter_mut().for_each(merged);
            branch.iter_mut().for_each(merged);
        }
        branch[number] = Some(mine);
        for cluster in clusters(model, *task) {
            cluster.bodies.clone().for_each(|slot| owner[slot] = Some(mine));
        }
    }
    branch
}

/// Clusters of a task.
pub(super) fn clusters(model: &Model, task: Task) -> Vec<&Cluster> {
    let schedule = &model.schedule;
    let of_slots = |slots: &[usize]| {
        let holds = |it: &&Cluster| slots.contains(&it.bodies.start);
        model.clusters.iter().filter(holds).collect()
    };
    match task {
        Task::Cluster(index) | Task::Base(index) => vec![&model.clusters[index]],
        Task::One(index) => vec![&model.clusters[schedule.ones[index].clusters[0]]],
        Task::Two(index) => schedule.twos[index]
            .clusters
            .map(|it| &model.clusters[it])
            .to_vec(),
        Task::RotorOne(index) => of_slots(&schedule.rotor_ones[index].slots),
        Task::RotorTwo(index) => of_slots(&schedule.rotor_twos[index].slots),
    }
}

fn is_trunk(model: &Model, task: Task, owner: &[Option<usize>]) -> bool {
    let on_trunk = |it: &&Cluster| owner[model.bodies[it.bodies.start].parent].is_none();
    let list = clusters(model, task);
    list.iter().any(|it| it.parent == 0 && it.driven.is_none())
        || list.iter().any(|it| it.driven.is_some() && on_trunk(it))
}

/// Slots that a task reads outside itself.
fn reads(model: &Model, task: Task) -> impl Iterator<Item = usize> {
    clusters(model, task).into_iter().flat_map(|cluster| {
        let parents = cluster.bodies.clone().map(|slot| model.bodies[slot].parent);
        let ends = model.rows[cluster.rows.clone()].iter().flat_map(|row| row.bodies);
        parents.chain(ends).chain([cluster.parent])
    })
}

/// Where the data of a cluster stand.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub cluster: usize,
    pub bodies: Range<usize>,
    pub velocities: Range<usize>,
    pub positions: Range<usize>,
    pub rows: Range<usize>,
}

impl Span {
    pub(super) fn new(model: &Model, cluster: &Cluster) -> Self {
        let primitives = |slot: usize| &model.primitives[model.bodies[slot].primitives.clone()];
        let widths = cluster.bodies.clone().flat_map(primitives).map(|it| {
            let width = if it.velocities().len() == 3 { 4 } else { 1 };
            (it.position, it.position + width)
        });
        let ends: Vec<(usize, usize)> = widths.collect();
        let first = ends.iter().map(|it| it.0).min().unwrap_or(0);
        Self {
            cluster: model.clusters.iter().position(|it| it == cluster).unwrap_or(0),
            bodies: cluster.bodies.clone(),
            velocities: cluster.velocities.clone(),
            positions: first..ends.iter().map(|it| it.1).max().unwrap_or(first),
            rows: cluster.rows.clone(),
        }
    }
}
