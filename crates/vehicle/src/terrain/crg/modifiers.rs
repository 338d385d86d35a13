//! The modifiers of `$ROAD_CRG_MODS`, in the order of the standard: scaling, gaps, then the place
//! of the whole road.
//!
//! Without that section the C library of OpenCRG fills the gaps (mode 2) **and moves the start of
//! the road to the origin, heading along x**. Here a road without modifiers stays where its file
//! puts it, and its gaps are filled in the same way.

use super::Crg;
use super::header::Keywords;
use super::shape::{Fill, Shape};

/// A modifier that cannot be, and why.
pub struct Fault {
    pub name: &'static str,
    pub problem: String,
}

fn fault(name: &'static str, problem: impl Into<String>) -> Fault {
    let problem = problem.into();
    Fault { name, problem }
}

/// Applies the modifiers of a file (or none) to a road, in place. Afterwards the grid has no gaps.
pub fn apply(shape: &mut Shape, modifiers: Option<&Keywords>) -> Result<(), Fault> {
    let none = Keywords::default();
    let modifiers = modifiers.unwrap_or(&none);
    scale(shape, modifiers)?;
    fill(shape, modifiers)?;
    let named = |names: &[&str]| names.iter().any(|name| modifiers.get(name).is_some());
    if named(&[
        "refpoint_u",
        "refpoint_u_fraction",
        "refpoint_u_offset",
        "refpoint_v",
        "refpoint_v_fraction",
        "refpoint_v_offset",
        "refpoint_x",
        "refpoint_y",
        "refpoint_z",
        "refpoint_phi",
    ]) {
        return by_point(shape, modifiers);
    }
    if named(&["refline_offset_phi", "refline_offset_x", "refline_offset_y", "refline_offset_z"]) {
        by_offset(shape, modifiers);
    }
    Ok(())
}

fn scale(shape: &mut Shape, modifiers: &Keywords) -> Result<(), Fault> {
    let factor = |name: &str| modifiers.get_or(name, 1.0);
    for name in ["scale_length", "scale_width"] {
        if factor(name) <= 0.0 {
            return Err(fault(name, format!("expected a factor above 0, found {}", factor(name))));
        }
    }
    let grid = factor("scale_z_grid");
    shape.heights.iter_mut().for_each(|height| *height *= grid);
    let origin = shape.levels[0];
    shape.scale_levels(origin, factor("scale_slope"));
    let banking = factor("scale_banking");
    shape.bankings.iter_mut().for_each(|value| *value *= banking);
    if factor("scale_length") != 1.0 {
        shape.stretch(factor("scale_length"));
    }
    let width = factor("scale_width");
    shape.v.iter_mut().for_each(|position| *position *= width);
    if factor("scale_curvature") != 1.0 {
        shape.bend(factor("scale_curvature"));
    }
    Ok(())
}

/// Mode 0 leaves gaps; a vehicle needs ground, so they are filled as in mode 2.
fn fill(shape: &mut Shape, modifiers: &Keywords) -> Result<(), Fault> {
    let offset = modifiers.get_or("grid_nan_offset", 0.0);
    let fill = match modifiers.get_or("grid_nan_mode", 2.0) {
        0.0 => Fill::Keep(0.0),
        1.0 => Fill::With(offset),
        2.0 => Fill::Keep(offset),
        other => {
            return Err(fault("grid_nan_mode", format!("expected 0, 1 or 2, found {other}")));
        }
    };
    shape.fill(fill).map_err(|record| {
        let problem = format!("record {record} has no height at all; cut it off, or set grid_nan_mode = 1");
        fault("grid_nan_mode", problem)
    })
}

/// A place given as itself, as a fraction of the range, or as a default, plus an offset.
fn coordinate(modifiers: &Keywords, names: [&'static str; 3], range: [f64; 2], default: f64) -> Result<f64, Fault> {
    let [name, fraction, offset] = names;
    let base = match (modifiers.get(name), modifiers.get(fraction)) {
        (Some(_), Some(_)) => {
            return Err(fault(name, format!("expected either {name} or {fraction}, found both")));
        }
        (Some(value), None) => value,
        (None, Some(part)) => range[0] + part * (range[1] - range[0]),
        (None, None) => default,
    };
    Ok(base + modifiers.get_or(offset, 0.0))
}

/// Moves a point of the road to a position and a heading.
fn by_point(shape: &mut Shape, modifiers: &Keywords) -> Result<(), Fault> {
    let road = Crg::from_shape(shape.clone()).map_err(|problem| fault("refpoint_u", problem))?;
    let u_range = road.u_range_m();
    let v_range = [shape.v[0], shape.v[shape.v.len() - 1]];
    let names = ["refpoint_u", "refpoint_u_fraction", "refpoint_u_offset"];
    let u = coordinate(modifiers, names, u_range, u_range[0])?;
    let names = ["refpoint_v", "refpoint_v_fraction", "refpoint_v_offset"];
    let v = coordinate(modifiers, names, v_range, 0.0)?;
    let turn_rad = modifiers.get_or("refpoint_phi", 0.0) - road.heading_rad(u);
    let point = road.position_m(u, v);
    let centre = shape.points[0];
    let (sine, cosine) = turn_rad.sin_cos();
    let (x, y) = (point[0] - centre[0], point[1] - centre[1]);
    let turned = [centre[0] + x * cosine - y * sine, centre[1] + x * sine + y * cosine];
    let by = [
        modifiers.get_or("refpoint_x", 0.0) - turned[0],
        modifiers.get_or("refpoint_y", 0.0) - turned[1],
        modifiers.get_or("refpoint_z", 0.0) - road.height_m(u, v),
    ];
    shape.transform(by, turn_rad, centre);
    Ok(())
}

/// Turns the road about a centre and moves it.
fn by_offset(shape: &mut Shape, modifiers: &Keywords) {
    let origin = shape.points[0];
    let centre =
        [modifiers.get_or("refline_rotcenter_x", origin[0]), modifiers.get_or("refline_rotcenter_y", origin[1])];
    let by = ["refline_offset_x", "refline_offset_y", "refline_offset_z"];
    let turn_rad = modifiers.get_or("refline_offset_phi", 0.0);
    shape.transform(by.map(|name| modifiers.get_or(name, 0.0)), turn_rad, centre);
}
