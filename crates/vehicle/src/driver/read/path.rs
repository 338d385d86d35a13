//! Reads the path that a driver is to follow.

use crate::driver::FollowerGains;
use crate::driver::manoeuvre::Shape;
use crate::driver::path::{Circle, LaneChange};
use crate::fields::Fields;
use crate::files::FileError;

/// Most points of a path, and its greatest length (m): beyond them a slip of the finger is more
/// likely than a road.
const POINTS_MAX: usize = 5000;
const LENGTH_MAX_M: f64 = 50_000.0;

/// The shape that `[path]` describes.
pub fn read(fields: &Fields<'_>) -> Result<Shape, FileError> {
    let shape = match fields.kind(&["straight", "circle", "iso-3888-1", "points"])? {
        "straight" => Shape::Straight,
        "circle" => Shape::Circle(circle(fields)?),
        "iso-3888-1" => Shape::LaneChange(lane_change(fields)?),
        _ => points(fields)?,
    };
    fields.finish()?;
    Ok(shape)
}

fn is_left(fields: &Fields<'_>) -> Result<bool, FileError> {
    Ok(fields.choice("side", &[("left", true), ("right", false)])?.unwrap_or(true))
}

fn circle(fields: &Fields<'_>) -> Result<Circle, FileError> {
    let radius = fields
        .number_in("radius_m", [3.0, 1e5], "a radius from 3 to 100000 m")?
        .ok_or_else(|| fields.missing(&[("radius_m", 1.0)]))?;
    Ok(Circle {
        radius_m: if is_left(fields)? { radius } else { -radius },
        entry_m: fields.within("entry_m", [0.0, 10_000.0], 20.0)?,
        transition_m: fields.within("transition_m", [1.0, 10_000.0], (0.5 * radius).clamp(10.0, 10_000.0))?,
    })
}

fn lane_change(fields: &Fields<'_>) -> Result<LaneChange, FileError> {
    let width = fields.number_in("vehicle_width_m", [0.5, 5.0], "a width from 0.5 to 5 m")?;
    let share = fields.number_in("use_of_room", [0.0, 0.95], "a share from 0 to 0.95")?;
    let offset = fields.number_in("offset_m", [0.5, 20.0], "an offset from 0.5 to 20 m")?;
    Ok(LaneChange {
        vehicle_width_m: width.unwrap_or(0.0),
        entry_m: fields.within("entry_m", [0.0, 10_000.0], 50.0)?,
        offset_m: offset.unwrap_or(3.5),
        left: is_left(fields)?,
        use_of_room: share.unwrap_or(0.5),
    })
}

fn points(fields: &Fields<'_>) -> Result<Shape, FileError> {
    let closed = fields.flag("closed")?;
    let scale = fields.above_zero("scale")?.unwrap_or(1.0);
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

/// Gains of the follower, which stand with the steering.
pub fn gains(fields: &Fields<'_>) -> Result<FollowerGains, FileError> {
    let default = FollowerGains::default();
    let rate = fields.quantity_in(super::STEER_RATE_LIMIT, [1e-3, 1e3], "a rate above 0")?;
    let understeer =
        fields.quantity_in(super::UNDERSTEER, [-0.1, 0.1], "an understeer gradient within 0.1 rad s²/m")?;
    Ok(FollowerGains {
        preview_s: fields.within("preview_s", [0.0, 5.0], default.preview_s)?,
        response_s: fields.within("response_s", [0.05, 10.0], default.response_s)?,
        length_min_wheelbases: fields.within("length_min_wheelbases", [0.5, 50.0], default.length_min_wheelbases)?,
        integral_s: fields.within("integral_s", [0.05, 1e6], default.integral_s)?,
        learning_s: fields.within("learning_s", [0.05, 1e9], default.learning_s)?,
        bandwidth_hz: fields.within("bandwidth_hz", [0.05, 100.0], default.bandwidth_hz)?,
        rate_limit_rad_s: rate.unwrap_or(default.rate_limit_rad_s),
        understeer_rad_s2_m: understeer,
    })
}
