//! Reads the path that a driver is to follow.

use super::{in_range, positive_or};
use crate::driver::FollowerGains;
use crate::driver::manoeuvre::Shape;
use crate::driver::path::{Circle, LaneChange};
use crate::fields::Fields;
use crate::files::FileError;

/// Most points of a path, and its greatest length (m): beyond them a slip of the finger is more
/// likely than a road.
const POINTS_MAX: usize = 5000;
const LENGTH_MAX_M: f64 = 50_000.0;

#[derive(Clone, Copy)]
enum Kind {
    Straight,
    Circle,
    LaneChange,
    Points,
}

/// The shape that `[path]` describes.
pub fn read(fields: &Fields<'_>) -> Result<Shape, FileError> {
    let kinds = [
        ("straight", Kind::Straight),
        ("circle", Kind::Circle),
        ("iso-3888-1", Kind::LaneChange),
        ("points", Kind::Points),
    ];
    let Some(kind) = fields.choice("kind", &kinds)? else {
        return Err(fields.missing(&[("kind", 1.0)]));
    };
    let shape = match kind {
        Kind::Straight => Shape::Straight,
        Kind::Circle => Shape::Circle(circle(fields)?),
        Kind::LaneChange => Shape::LaneChange(lane_change(fields)?),
        Kind::Points => points(fields)?,
    };
    fields.finish()?;
    Ok(shape)
}

fn is_left(fields: &Fields<'_>) -> Result<bool, FileError> {
    Ok(fields.choice("side", &[("left", true), ("right", false)])?.unwrap_or(true))
}

fn circle(fields: &Fields<'_>) -> Result<Circle, FileError> {
    let radius = in_range(fields, fields.number("radius_m")?, 3.0, 1e5, "a radius from 3 to 100000 m")?
        .ok_or_else(|| fields.missing(&[("radius_m", 1.0)]))?;
    Ok(Circle {
        radius_m: if is_left(fields)? { radius } else { -radius },
        entry_m: within(fields, "entry_m", [0.0, 10_000.0], 20.0)?,
        transition_m: within(fields, "transition_m", [1.0, 10_000.0], (0.5 * radius).clamp(10.0, 10_000.0))?,
    })
}

fn lane_change(fields: &Fields<'_>) -> Result<LaneChange, FileError> {
    let width = in_range(fields, fields.number("vehicle_width_m")?, 0.5, 5.0, "a width from 0.5 to 5 m")?;
    let share = in_range(fields, fields.number("use_of_room")?, 0.0, 0.95, "a share from 0 to 0.95")?;
    let offset = in_range(fields, fields.number("offset_m")?, 0.5, 20.0, "an offset from 0.5 to 20 m")?;
    Ok(LaneChange {
        vehicle_width_m: width.unwrap_or(0.0),
        entry_m: within(fields, "entry_m", [0.0, 10_000.0], 50.0)?,
        offset_m: offset.unwrap_or(3.5),
        left: is_left(fields)?,
        use_of_room: share.unwrap_or(0.5),
    })
}

fn points(fields: &Fields<'_>) -> Result<Shape, FileError> {
    let closed = fields.flag("closed")?;
    let scale = positive_or(fields, "scale", 1.0)?;
    let Some(found) = fields.rows("points_m")? else {
        return Err(fields.missing(&[("points_m", 1.0)]));
    };
    let points_m: Vec<[f64; 2]> = found.value.iter().map(|point| point.map(|part| part * scale)).collect();
    let fault = |problem: String| Err(fields.fault_at(&found.place, problem));
    let least = if closed { 3 } else { 2 };
    if !(least..=POINTS_MAX).contains(&points_m.len()) {
        return fault(format!("expected {least} to {POINTS_MAX} points, found {}", points_m.len()));
    }
    let chords = chords(&points_m, closed);
    if let Some(short) = chords.iter().position(|chord| *chord < 0.5) {
        return fault(format!("expected points at least 0.5 m apart; number {} is too near the next", short + 1));
    }
    let total: f64 = chords.iter().sum();
    if total > LENGTH_MAX_M {
        return fault(format!("expected a path of at most {LENGTH_MAX_M} m, found {total:.0} m"));
    }
    Ok(Shape::Points { points_m, closed })
}

fn chords(points: &[[f64; 2]], closed: bool) -> Vec<f64> {
    let next = points.iter().skip(1).chain(points.first().filter(|_| closed));
    points.iter().zip(next).map(|(one, other)| (other[0] - one[0]).hypot(other[1] - one[1])).collect()
}

fn within(fields: &Fields<'_>, name: &'static str, range: [f64; 2], default: f64) -> Result<f64, FileError> {
    let expected = format!("a number from {} to {}", range[0], range[1]);
    Ok(in_range(fields, fields.number(name)?, range[0], range[1], &expected)?.unwrap_or(default))
}

/// Gains of the follower, which stand with the steering.
pub fn gains(fields: &Fields<'_>) -> Result<FollowerGains, FileError> {
    let default = FollowerGains::default();
    let understeer = fields.quantity(super::units::UNDERSTEER)?;
    let rate = fields.quantity(super::units::STEER_RATE_LIMIT)?;
    let rate = in_range(fields, rate, 1e-3, 1e3, "a rate above 0")?;
    Ok(FollowerGains {
        preview_s: within(fields, "preview_s", [0.0, 5.0], default.preview_s)?,
        response_s: within(fields, "response_s", [0.05, 10.0], default.response_s)?,
        length_min_wheelbases: within(fields, "length_min_wheelbases", [0.5, 50.0], default.length_min_wheelbases)?,
        integral_s: within(fields, "integral_s", [0.05, 1e6], default.integral_s)?,
        learning_s: within(fields, "learning_s", [0.05, 1e9], default.learning_s)?,
        bandwidth_hz: within(fields, "bandwidth_hz", [0.05, 100.0], default.bandwidth_hz)?,
        rate_limit_rad_s: rate.unwrap_or(default.rate_limit_rad_s),
        understeer_rad_s2_m: in_range(fields, understeer, -0.1, 0.1, "an understeer gradient within 0.1 rad s²/m")?,
    })
}
