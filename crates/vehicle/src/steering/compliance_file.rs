//! The sections `compliance` of the steering file.

use super::compliance::{Compliance, Law};
use crate::files::Curve;
use crate::files::{FileError, Source};
use crate::numbers::{Number, NumberList, finite, or_default};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ComplianceText {
    steer_rad_n: Option<Number>,
    steer_rad_nm: Option<Number>,
    camber_rad_n: Option<Number>,
    camber_rad_nm: Option<Number>,
    force_n: Option<NumberList>,
    steer_rad: Option<NumberList>,
    camber_rad: Option<NumberList>,
}

/// The compliance of one axle.
pub(super) fn axle(source: &Source<'_>, text: &ComplianceText) -> Result<Compliance, FileError> {
    let law = |rad_n: &Option<Number>, rad_nm: &Option<Number>, table: &Option<NumberList>| {
        Ok(Law {
            rad_n: or_default(source, rad_n.as_ref(), 0.0, finite)?,
            rad_nm: or_default(source, rad_nm.as_ref(), 0.0, finite)?,
            table: bushing(source, text, table.as_ref())?,
        })
    };
    Ok(Compliance::new(
        law(&text.steer_rad_n, &text.steer_rad_nm, &text.steer_rad)?,
        law(&text.camber_rad_n, &text.camber_rad_nm, &text.camber_rad)?,
    ))
}

fn bushing(
    source: &Source<'_>,
    text: &ComplianceText,
    angles: Option<&NumberList>,
) -> Result<Option<Curve>, FileError> {
    let Some(angles) = angles else {
        return Ok(None);
    };
    let Some(force) = &text.force_n else {
        return Err(source.fault_at(angles.span(), "expected force_n with the forces of this table: add it"));
    };
    let curve = Curve::read(source, force, angles)?;
    if curve.points()[0] != [0.0, 0.0] {
        let problem = "expected the table to begin with force 0 and angle 0, so that it is odd";
        return Err(source.fault_at(angles.span(), problem));
    }
    Ok(Some(curve))
}
