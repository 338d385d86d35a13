//! `rtrd topology`: what the preprocessor makes of a mechanism.

use std::path::PathBuf;

use multibody::{Model, shipped, topology};

use crate::output;

/// Show how a mechanism is taken apart: base body, tree, cut joints, clusters, chains, order
///
/// The step follows this plan. Spinning wheels and massless links that the files imply are shown as
/// bodies.
#[derive(clap::Args)]
pub struct TopologyArguments {
    /// A folder with topology.toml and parameters.toml, or the name of a shipped model; none: list
    /// those
    model: Option<String>,
    /// Write the graph for Graphviz
    #[arg(short, long, value_name = "FILE.dot")]
    out: Option<PathBuf>,
    /// Draw the graph (SVG)
    #[arg(short, long, value_name = "FILE.svg", value_parser = plot::svg_file)]
    plot: Option<PathBuf>,
}

pub fn topology(arguments: &TopologyArguments) -> anyhow::Result<()> {
    let Some(name) = &arguments.model else {
        return list();
    };
    let model = Model::new(&shipped::find(name)?)?;
    let (description, plan) = (model.description(), model.plan());
    print!("{}", topology::to_table(description, plan));
    if let Some(path) = &arguments.out {
        output::write(path, topology::to_dot(description, plan))?;
    }
    if let Some(path) = &arguments.plot {
        output::write(path, topology::to_svg(description, plan))?;
    }
    Ok(())
}

fn list() -> anyhow::Result<()> {
    for name in shipped::names() {
        let description = shipped::description(name)?;
        let bodies = description.bodies.len() - 1;
        println!("{name:28} {bodies:>3} bodies  {}", description.summary);
    }
    Ok(())
}
