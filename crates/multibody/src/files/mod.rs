//! Model files: a folder with `topology.toml` and `parameters.toml`, as `docs/model-files.md`
//! describes them.

mod check;
mod check_forces;
mod check_joints;
mod schema;
mod split;

pub use ::files::{FileError, Source};

use crate::description::Description;
use check::Checker;
use std::path::Path;

/// Reads the two files of a folder.
pub fn read_folder(folder: &Path) -> Result<Description, FileError> {
    let read = |name: &str| {
        ::files::read(&folder.join(name)).map_err(|error| {
            let problem = format!("{}; expected a folder with topology.toml and parameters.toml", error.problem);
            FileError { problem, ..error }
        })
    };
    let (topology, parameters) = (read("topology.toml")?, read("parameters.toml")?);
    read_texts(topology.source(), parameters.source())
}

/// Reads a topology and a parameter text.
pub fn read_texts(topology: Source<'_>, parameters: Source<'_>) -> Result<Description, FileError> {
    let (topology, parameters) = (Checker { source: topology }, Checker { source: parameters });
    let graph: schema::TopologyText = topology.source.toml()?;
    let values: schema::ParametersText = parameters.source.toml()?;
    let mut description = topology.topology(&graph)?;
    if let Some(gravity) = &values.gravity_m_s2 {
        description.gravity = parameters.triple(gravity)?;
    }
    parameters.bodies(&values.bodies, &mut description)?;
    parameters.joints(&values.joints, &mut description)?;
    parameters.forces(&values, &mut description)?;
    let base = description.base.take();
    split::split_loops(&mut description).or_else(|error| topology.graph(&graph, &error))?;
    topology.based(&graph, description, base)
}
