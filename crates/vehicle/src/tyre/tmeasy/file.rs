//! The TOML file of a TMeasy tyre. The fields are those of Project Chrono's `TMeasyTire` JSON.

use super::{AtLoads, Direction, Tmeasy, Trail};
use crate::files::ranges::{NotNegative, Positive};
use crate::files::{FileError, Source};
use crate::tyre::spring::{Shape, Spring};
use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "kind")]
    _kind: String,
    design: Design,
    vertical: Vertical,
    contact: Contact,
    longitudinal: Axis,
    lateral: Axis,
    aligning: Aligning,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Design {
    unloaded_radius_m: Positive,
    rim_radius_m: Spanned<Positive>,
    width_m: Positive,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vertical {
    nominal_load_n: Positive,
    maximum_load_n: Spanned<Positive>,
    stiffness_n_m: Positive,
    progression_n_m2: Option<NotNegative>,
    damping_n_s_m: NotNegative,
    bottoming_radius_m: Option<NotNegative>,
    bottoming_stiffness_n_m: Option<NotNegative>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Contact {
    rolling_resistance: NotNegative,
    longitudinal_stiffness_n_m: Positive,
    lateral_stiffness_n_m: Positive,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Axis {
    initial_slope_n: Spanned<[Positive; 2]>,
    maximum_force_n: Spanned<[Positive; 2]>,
    slip_at_maximum: Spanned<[Positive; 2]>,
    sliding_force_n: Spanned<[Positive; 2]>,
    slip_at_sliding: Spanned<[Positive; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Aligning {
    normalised_trail: Spanned<[Positive; 2]>,
    slip_at_zero_trail: Spanned<[Positive; 2]>,
    slip_at_end: Spanned<[Positive; 2]>,
}

/// Reads and checks the file.
pub(super) fn read(source: &Source<'_>) -> Result<Tmeasy, FileError> {
    let file: File = source.toml()?;
    let radius_m = *file.design.unloaded_radius_m;
    let nominal_load_n = *file.vertical.nominal_load_n;
    let maximum_load_n = **file.vertical.maximum_load_n.get_ref();
    let largest = maximum_load_n / nominal_load_n;
    if !(1.0..=100.0).contains(&largest) {
        let problem = "expected between one and a hundred times nominal_load_n";
        return Err(source.fault_at(file.vertical.maximum_load_n.span(), problem));
    }
    Ok(Tmeasy {
        radius_m,
        width_m: *file.design.width_m,
        spring: spring(source, &file, radius_m)?,
        nominal_load_n,
        maximum_load_n,
        rolling_resistance: *file.contact.rolling_resistance,
        patch_stiffness_n_m: (*file.contact.longitudinal_stiffness_n_m, *file.contact.lateral_stiffness_n_m),
        longitudinal: direction(source, &file.longitudinal, largest)?,
        lateral: direction(source, &file.lateral, largest)?,
        trail: trail(source, &file.aligning, largest)?,
    })
}

/// As in Project Chrono, the rim bottoms a centimetre above its edge, five times as stiff as the
/// tyre, if the file says nothing else.
fn spring(source: &Source<'_>, file: &File, radius_m: f64) -> Result<Spring, FileError> {
    let rim = &file.design.rim_radius_m;
    let vertical = &file.vertical;
    if **rim.get_ref() >= radius_m {
        return Err(source.fault_at(rim.span(), "expected less than unloaded_radius_m"));
    }
    let stiffness_n_m = *vertical.stiffness_n_m;
    let bottoming_radius = vertical.bottoming_radius_m.map_or(**rim.get_ref() + 0.01, |it| *it);
    let progression_n_m2 = vertical.progression_n_m2.map_or(0.0, |it| *it);
    let bottoming_stiffness = vertical.bottoming_stiffness_n_m.map_or(5.0 * stiffness_n_m, |it| *it);
    Ok(Spring {
        shape: Shape::Polynomial { stiffness_n_m, progression_n_m2 },
        damping_n_s_m: *vertical.damping_n_s_m,
        bottoming: ((radius_m - bottoming_radius).max(0.0), bottoming_stiffness),
    })
}

fn direction(source: &Source<'_>, axis: &Axis, largest: f64) -> Result<Direction, FileError> {
    let force = |value: &Spanned<[Positive; 2]>| {
        at_loads(source, value, largest, AtLoads::of_forces, AtLoads::force, 0.01 * largest)
    };
    let slip = |value: &Spanned<[Positive; 2]>| at_loads(source, value, largest, AtLoads::of_slips, AtLoads::slip, 0.0);
    let direction = Direction {
        slope_n: force(&axis.initial_slope_n)?,
        maximum_n: force(&axis.maximum_force_n)?,
        slip_at_maximum: slip(&axis.slip_at_maximum)?,
        sliding_n: force(&axis.sliding_force_n)?,
        slip_at_sliding: slip(&axis.slip_at_sliding)?,
    };
    for q in [0.0, largest] {
        if direction.slip_at_sliding.slip(q) <= direction.slip_at_maximum.slip(q) {
            let problem = format!("expected more than slip_at_maximum, also at {q} times the nominal load");
            return Err(source.fault_at(axis.slip_at_sliding.span(), problem));
        }
    }
    Ok(direction)
}

fn trail(source: &Source<'_>, aligning: &Aligning, largest: f64) -> Result<Trail, FileError> {
    let slip = |value: &Spanned<[Positive; 2]>| at_loads(source, value, largest, AtLoads::of_slips, AtLoads::slip, 0.0);
    Ok(Trail {
        at_rest: slip(&aligning.normalised_trail)?,
        slip_at_zero: slip(&aligning.slip_at_zero_trail)?,
        slip_at_end: slip(&aligning.slip_at_end)?,
    })
}

/// Two values that stay above zero from a smallest load to the largest (as parts of the nominal
/// load).
fn at_loads(
    source: &Source<'_>,
    value: &Spanned<[Positive; 2]>,
    largest: f64,
    of: fn([f64; 2]) -> AtLoads,
    rule: fn(&AtLoads, f64) -> f64,
    smallest: f64,
) -> Result<AtLoads, FileError> {
    let pair = of(value.get_ref().map(|it| *it));
    // Both rules are polynomials of second degree at most, so that the ends of the range decide.
    match [smallest, largest].into_iter().find(|q| rule(&pair, *q) <= 0.0) {
        None => Ok(pair),
        Some(q) => {
            let problem = format!(
                "expected a value above zero up to maximum_load_n, but at {q} times the nominal load it is {:.3}: \
                 change the second value or lower maximum_load_n",
                rule(&pair, q)
            );
            Err(source.fault_at(value.span(), problem))
        }
    }
}
