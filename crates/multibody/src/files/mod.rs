//! Model files: a folder with `topology.toml` and `parameters.toml`, as `docs/model-files.md`
//! describes them.

mod check;
mod check_bodies;
mod check_forces;
mod check_joints;
mod error;
mod schema;
mod split;

pub use error::ModelFileError;

use crate::description::Description;
use check::Checker;
use std::path::Path;

/// Reads the two files of a folder.
pub fn read_folder(folder: &Path) -> Result<Description, ModelFileError> {
    let read = |name: &str| {
        let path = folder.join(name);
        let origin = path.display().to_string();
        let text = std::fs::read_to_string(&path);
        text.map(|text| (text, origin.clone()))
            .map_err(|error| ModelFileError::Read { origin, problem: error.to_string() })
    };
    let (topology, topology_origin) = read("topology.toml")?;
    let (parameters, parameters_origin) = read("parameters.toml")?;
    read_texts(
        Source { text: &topology, origin: &topology_origin },
        Source { text: &parameters, origin: &parameters_origin },
    )
}

/// A text and where it came from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// What it says.
    pub text: &'a str,
    /// What errors call it.
    pub origin: &'a str,
}

/// Reads a topology and a parameter text.
pub fn read_texts(topology: Source<'_>, parameters: Source<'_>) -> Result<Description, ModelFileError> {
    let (topology, parameters) = (Checker::new(topology), Checker::new(parameters));
    let graph: schema::TopologyText = topology.parse()?;
    let values: schema::ParametersText = parameters.parse()?;
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
