//! `rtrd road make`: an OpenCRG file to order.

use std::path::PathBuf;

use anyhow::Context;
use vehicle::terrain::crg::{Format, write};
use vehicle::terrain::make::{Class, Layout, Order};

/// Make an OpenCRG road: straight, winding or a closed circuit, with hills, banking and roughness
/// after ISO 8608
///
/// The same arguments give the same road.
#[derive(clap::Args)]
pub struct MakeArguments {
    /// The file to write (.crg)
    file: PathBuf,
    /// Course in the plane
    #[arg(long, value_enum, default_value_t = Course::Straight)]
    layout: Course,
    /// Length of the reference line (m)
    #[arg(long, value_name = "METRES", default_value_t = 200.0)]
    length: f64,
    /// Smallest radius of the bends (m)
    #[arg(long, value_name = "METRES", default_value_t = 60.0)]
    radius: f64,
    /// Width of the road (m)
    #[arg(long, value_name = "METRES", default_value_t = 8.0)]
    width: f64,
    /// Distance of the cross sections (m)
    #[arg(long, value_name = "METRES", default_value_t = 0.2)]
    increment: f64,
    /// Distance of the long sections (m)
    #[arg(long, value_name = "METRES", default_value_t = 0.5)]
    section: f64,
    /// Height of the hills from valley to top (m)
    #[arg(long, value_name = "METRES", default_value_t = 0.0)]
    hills: f64,
    /// Banking where the bends are sharpest, outer side higher (%)
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, allow_negative_numbers = true)]
    banking: f64,
    /// Roughness class after ISO 8608: A (very good) to H; smooth without it
    #[arg(long, value_name = "A-H")]
    class: Option<Class>,
    /// Seed of the roughness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Format of the records: lrfi, ldfi (text), krbi, kdbi (binary)
    #[arg(long, default_value = "krbi", value_parser = format)]
    format: Format,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Course {
    Straight,
    Winding,
    Circuit,
}

fn format(name: &str) -> Result<Format, String> {
    Format::from_name(name).ok_or_else(|| format!("expected lrfi, ldfi, krbi or kdbi, found `{name}`"))
}

pub fn make(arguments: &MakeArguments) -> anyhow::Result<()> {
    let order = order(arguments);
    let mut content = order.make()?;
    content.format = arguments.format;
    content.comments = comments(arguments);
    let bytes = write(&content);
    std::fs::write(&arguments.file, &bytes).with_context(|| format!("cannot write {}", arguments.file.display()))?;
    println!(
        "{}: {} × {} heights, {} bytes",
        arguments.file.display(),
        content.records(),
        content.v_m.len(),
        bytes.len()
    );
    Ok(())
}

fn order(arguments: &MakeArguments) -> Order {
    let radius_m = arguments.radius;
    Order {
        layout: match arguments.layout {
            Course::Straight => Layout::Straight,
            Course::Winding => Layout::Winding { radius_m },
            Course::Circuit => Layout::Circuit { radius_m },
        },
        length_m: arguments.length,
        width_m: arguments.width,
        increment_m: arguments.increment,
        section_m: arguments.section,
        hills_m: arguments.hills,
        banking: 0.01 * arguments.banking,
        class: arguments.class,
        seed: arguments.seed,
    }
}

/// How to make the road again; lines of a header hold 72 characters.
fn comments(arguments: &MakeArguments) -> Vec<String> {
    let layout = match arguments.layout {
        Course::Straight => "straight",
        Course::Winding => "winding",
        Course::Circuit => "circuit",
    };
    let class = (arguments.class).map_or(String::new(), |class| format!(" --class {class:?}"));
    vec![
        "Made by: rtrd road make".to_owned(),
        format!(
            "  --layout {layout} --length {} --radius {} --width {}",
            arguments.length, arguments.radius, arguments.width
        ),
        format!(
            "  --increment {} --section {} --hills {} --banking {}",
            arguments.increment, arguments.section, arguments.hills, arguments.banking
        ),
        format!("  --seed {}{class} --format {}", arguments.seed, arguments.format.name()),
    ]
}
