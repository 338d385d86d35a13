//! `rtrd road info`: what a road file holds, and a picture of it.

use std::path::PathBuf;

use vehicle::library::{Found, Kind, find};
use vehicle::terrain::crg::{self, Content, Crg};
use vehicle::terrain::{self, Hint, Road, Terrain};

use super::draw::{self, Sample};
use crate::output;

/// Say what a road holds: size, heights, slopes, format; without a road, list the shipped ones
#[derive(clap::Args)]
pub struct InfoArguments {
    /// The road: a shipped name, or the path of a .crg file or of a TOML file with `kind`
    #[arg(value_name = "NAME|FILE")]
    road: Option<String>,
    /// Draw the road from above, heights as colours (SVG)
    #[arg(short, long, value_name = "FILE.svg", value_parser = plot::svg_file)]
    plot: Option<PathBuf>,
    /// What to draw of a road without edges: X0,X1,Y0,Y1 (m)
    #[arg(long, value_name = "X0,X1,Y0,Y1", value_parser = window, default_value = "0,100,-10,10", allow_hyphen_values = true)]
    window: Window,
}

#[derive(Clone, Copy)]
struct Window([f64; 4]);

fn window(text: &str) -> Result<Window, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|word| word.trim().parse()).collect();
    match numbers.ok().and_then(|numbers| <[f64; 4]>::try_from(numbers).ok()) {
        Some(window) if window[0] < window[1] && window[2] < window[3] => Ok(Window(window)),
        _ => Err(format!("expected four numbers X0,X1,Y0,Y1 with X0 < X1 and Y0 < Y1, found `{text}`")),
    }
}

pub fn info(arguments: &InfoArguments) -> anyhow::Result<()> {
    let Some(name) = &arguments.road else {
        return list();
    };
    let found = find(Kind::Road, name, None)?;
    let (source, road) = (found.source(), terrain::read_road(&found.source())?);
    println!("{}\n  {}", found.name, summary(&found)?);
    if crg::is_crg(&source) {
        describe_content(&crg::decode(&source)?);
    }
    let samples = match road.crg() {
        Some(crg) => {
            describe_crg(crg);
            bent_samples(&road, crg)
        }
        None => {
            describe(&road);
            level_samples(&road, arguments.window)
        }
    };
    describe_range(&samples);
    if let Some(path) = &arguments.plot {
        output::write(path, draw::svg(name, &samples))?;
    }
    Ok(())
}

fn list() -> anyhow::Result<()> {
    for name in Kind::Road.shipped() {
        println!("{name:24} {}", summary(&find(Kind::Road, name, None)?)?);
    }
    Ok(())
}

/// One line about a road: what its file says first, or what an OpenCRG file holds.
pub fn summary(found: &Found) -> anyhow::Result<String> {
    let source = found.source();
    if !crg::is_crg(&source) {
        return Ok(crate::commands::scenarios::first_comment(&found.bytes));
    }
    let crg = Crg::read(&source)?;
    let heights = bent_samples(&Road::from(crg.clone()), &crg);
    let [low, high] = draw::range(heights.iter().map(|sample| sample.height_m));
    let ([u_first, u_last], v) = (crg.u_range_m(), crg.v_m());
    let (kind, length_m, width_m) = (kind(&crg), u_last - u_first, v[v.len() - 1] - v[0]);
    Ok(format!("OpenCRG, {kind}: {length_m:.0} m long, {width_m:.0} m wide, heights {low:.2} to {high:.2} m"))
}

fn kind(road: &Crg) -> &'static str {
    match (road.is_straight(), road.is_closed()) {
        (true, _) => "straight",
        (false, true) => "bent, closed",
        (false, false) => "bent",
    }
}

fn describe_content(content: &Content) {
    for comment in &content.comments {
        println!("  | {comment}");
    }
    let heights = content.heights_m.len();
    println!("  format           {}", content.format.name());
    println!(
        "  grid             {} records × {} long sections, {} of {heights} heights missing",
        content.records(),
        content.v_m.len(),
        content.missing()
    );
}

fn describe_crg(road: &Crg) {
    let ([u_first, u_last], v) = (road.u_range_m(), road.v_m());
    let kind = kind(road);
    println!("  reference line   {kind}, u from {u_first} to {u_last} m");
    println!("  width            v from {} to {} m", v[0], v[v.len() - 1]);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (_, banking) in road.levels() {
        (low, high) = (low.min(100.0 * banking), high.max(100.0 * banking));
    }
    println!("  banking          {low:.2} to {high:.2} %");
}

fn describe(road: &Road) {
    if let Some(map) = road.height_map() {
        let grid = map.grid();
        println!(
            "  height map       {} × {} heights, from ({}, {}) m, every {} × {} m",
            grid.columns,
            grid.rows(),
            grid.x0_m,
            grid.y0_m,
            grid.dx_m,
            grid.dy_m
        );
    }
    let (features, patches) = road.counts();
    println!("  features         {features}, friction patches {patches}");
}

fn describe_range(samples: &[Sample]) {
    let range = |value: fn(&Sample) -> f64| draw::range(samples.iter().map(value));
    let (heights, frictions) = (range(|sample| sample.height_m), range(|sample| sample.friction));
    println!("  height           {:.4} to {:.4} m", heights[0], heights[1]);
    println!("  steepest         {:.2} %", range(|sample| sample.steepness_percent)[1]);
    println!("  friction         {} to {}", frictions[0], frictions[1]);
}

/// The road in a quadrilateral, asked at its middle.
fn sample(road: &Road, corners: [[f64; 2]; 4], hint: &mut Hint) -> Sample {
    let middle = |axis: usize| 0.25 * corners.iter().map(|corner| corner[axis]).sum::<f64>();
    let ground = road.at(middle(0), middle(1), hint);
    Sample {
        corners,
        height_m: ground.height_m,
        friction: ground.friction,
        steepness_percent: 100.0 * ground.normal.x.hypot(ground.normal.y) / ground.normal.z,
    }
}

/// So many quadrilaterals along and across, with these corners.
fn samples(road: &Road, along: usize, across: usize, corner: impl Fn(usize, usize) -> [f64; 2]) -> Vec<Sample> {
    let mut hint = Hint::default();
    let cells = (0..along).flat_map(|i| (0..across).map(move |j| (i, j)));
    let corners = cells.map(|(i, j)| [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)]);
    corners.map(|corners| sample(road, corners, &mut hint)).collect()
}

/// Quadrilaterals along the reference line.
fn bent_samples(road: &Road, crg: &Crg) -> Vec<Sample> {
    let ([u_first, u_last], v) = (crg.u_range_m(), crg.v_m());
    let (along, across) = (crg.line_m().len().clamp(2, 240), v.len().clamp(2, 12));
    let u_at = |index: usize| u_first + (u_last - u_first) * (index as f64 / along as f64).min(1.0 - 1e-9);
    let v_at = |index: usize| v[0] + (v[v.len() - 1] - v[0]) * index as f64 / across as f64;
    samples(road, along, across, |i, j| crg.position_m(u_at(i), v_at(j)))
}

/// Rectangles of a window.
fn level_samples(road: &Road, Window([x0, x1, y0, y1]): Window) -> Vec<Sample> {
    const ALONG: usize = 200;
    let across = ((y1 - y0) / (x1 - x0) * ALONG as f64).clamp(8.0, ALONG as f64) as usize;
    let x_at = |index: usize| x0 + (x1 - x0) * index as f64 / ALONG as f64;
    let y_at = |index: usize| y0 + (y1 - y0) * index as f64 / across as f64;
    samples(road, ALONG, across, |i, j| [x_at(i), y_at(j)])
}
