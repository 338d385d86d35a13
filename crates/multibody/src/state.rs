//! What changes from step to step.

use crate::model::Model;

/// Position, velocity and acceleration of a driven coordinate.
pub type Drive = [f64; 3];

/// What comes from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// For each driven coordinate, in the order of [`Model::driven`]: position, velocity,
    /// acceleration.
    pub driven: Vec<Drive>,
    /// Forces of actuators: springs along lines, springs on joints, forces at points, in the order
    /// of the description.
    pub actuators: Vec<f64>,
}

impl Inputs {
    /// Driven joints stand at their initial coordinates and move on with their initial velocities;
    /// actuators rest.
    pub fn new(model: &Model) -> Self {
        let coordinates = model.driven.iter().flat_map(|driven| &driven.coordinates);
        let drive = |(position, velocity): &(usize, usize)| {
            [model.initial_positions[*position], model.initial_velocities[*velocity], 0.0]
        };
        Self { driven: coordinates.map(drive).collect(), actuators: vec![0.0; model.forces.actuator_count] }
    }
}

/// Which coordinates of a cluster follow from the others, and which rows decide it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Partition {
    /// Local columns, the dependent ones first.
    pub columns: Vec<usize>,
    /// Local rows, the deciding ones first.
    pub rows: Vec<usize>,
    /// How many are dependent.
    pub rank: usize,
    /// Largest entry of the embedding when the partition was chosen.
    pub growth: f64,
}

/// Coordinates and velocities of the tree, and time.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// `s`
    pub time: f64,
    /// Joint coordinates of the tree: a ball has a unit quaternion, scalar first.
    pub position: Vec<f64>,
    /// Joint velocities of the tree: a ball has the angular velocity in the outboard axes.
    pub velocity: Vec<f64>,
    /// Partition of each cluster.
    pub(crate) partitions: Vec<Partition>,
}

impl State {
    /// The initial coordinates of the model, not yet assembled.
    pub fn new(model: &Model) -> Self {
        let partition = |cluster: &crate::model::Cluster| Partition {
            columns: (0..cluster.velocities.len()).collect(),
            rows: (0..cluster.rows.len()).collect(),
            rank: 0,
            growth: 0.0,
        };
        Self {
            time: 0.0,
            position: model.initial_positions.clone(),
            velocity: model.initial_velocities.clone(),
            partitions: model.clusters.iter().map(partition).collect(),
        }
    }

    /// Velocity indices that are independent: as many as the mechanism has freedoms, driven ones
    /// apart.
    pub fn independent<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = usize> + 'a {
        let clusters = model.clusters.iter().zip(&self.partitions);
        let free = clusters.filter(|(cluster, _)| cluster.driven.is_none());
        free.flat_map(|(cluster, partition)| {
            partition.columns[partition.rank..].iter().map(|column| cluster.velocities.start + column)
        })
    }
}
