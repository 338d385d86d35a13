//! Turns parts of a text into parts of a description, and mistakes into errors with a place.

use super::schema::{CurveText, Named, Number, TopologyText, Triple};
use crate::description::{BodyId, Description, Joint, JointKind};
use crate::forces::Curve;
use crate::math::Vector3;
use crate::model::BuildError;
use crate::rebase::rebased;
use crate::topology::TopologyError;
use ::files::{FileError, Source};
use toml::Spanned;

pub(super) type Checked<T> = Result<T, FileError>;

/// No mechanism that this is meant for has more; the preprocessor's search grows with the square.
const BODIES_MAX: usize = 2000;
/// Three to a body: a corner of a suspension has two.
const JOINTS_MAX: usize = 6000;

/// Larger numbers measure nothing, and their powers overflow.
const NUMBER_MAX: f64 = 1e30;

/// Whether a number can be the size of something.
pub(super) fn is_sensible(number: f64) -> bool {
    number.abs() <= NUMBER_MAX
}

pub(super) struct Checker<'a> {
    pub source: Source<'a>,
}

impl Checker<'_> {
    pub(super) fn number(&self, value: &Number) -> Checked<f64> {
        let number = *value.get_ref();
        if is_sensible(number) {
            Ok(number)
        } else {
            self.source
                .fail(value.span(), format!("{number} is impossible; expected a finite number, at most {NUMBER_MAX:e}"))
        }
    }

    pub(super) fn optional(&self, value: &Option<Number>) -> Checked<f64> {
        value.as_ref().map_or(Ok(0.0), |value| self.number(value))
    }

    pub(super) fn positive(&self, value: &Number) -> Checked<f64> {
        let number = self.number(value)?;
        if number > 0.0 {
            Ok(number)
        } else {
            self.source.fail(value.span(), format!("{number} is impossible; expected a number above zero"))
        }
    }

    pub(super) fn triple(&self, value: &Triple) -> Checked<Vector3> {
        let vector = Vector3::from(*value.get_ref());
        if vector.to_array().into_iter().all(is_sensible) {
            Ok(vector)
        } else {
            self.source.fail(value.span(), format!("expected three finite numbers, at most {NUMBER_MAX:e}"))
        }
    }

    pub(super) fn points(&self, value: &Spanned<[[f64; 3]; 2]>) -> Checked<[Vector3; 2]> {
        let points = value.get_ref().map(Vector3::from);
        if value.get_ref().iter().flatten().copied().all(is_sensible) {
            Ok(points)
        } else {
            self.source.fail(value.span(), format!("expected finite numbers, at most {NUMBER_MAX:e}"))
        }
    }

    pub(super) fn direction(&self, value: &Triple) -> Checked<Vector3> {
        let unit = self.triple(value)?.normalised();
        unit.map_or_else(|| self.source.fail(value.span(), "expected a direction, not a zero vector"), Ok)
    }

    pub(super) fn body(&self, name: &Spanned<String>, description: &Description) -> Checked<BodyId> {
        let found = description.body(name.get_ref());
        found.map_or_else(
            || {
                self.source
                    .fail(name.span(), format!("unknown body `{}`; the topology does not list it", name.get_ref()))
            },
            Ok,
        )
    }

    pub(super) fn joint(&self, name: &Spanned<String>, description: &Description) -> Checked<usize> {
        let found = description.joint(name.get_ref());
        found.map_or_else(
            || {
                self.source
                    .fail(name.span(), format!("unknown joint `{}`; the topology does not list it", name.get_ref()))
            },
            Ok,
        )
    }

    pub(super) fn curve(&self, text: &Option<CurveText>) -> Checked<Option<Curve>> {
        let Some(text) = text else { return Ok(None) };
        let points = text.points.get_ref();
        if points.iter().flatten().any(|number| number.is_finite() && !is_sensible(*number)) {
            return self.source.fail(text.points.span(), format!("expected finite numbers, at most {NUMBER_MAX:e}"));
        }
        let curve = if self.either(&text.interpolation, ["linear", "spline"])? {
            Curve::spline(points)
        } else {
            Curve::linear(points)
        };
        curve.map(Some).or_else(|error| self.source.fail(text.points.span(), error))
    }

    /// Whether a word is the second of two; the first where it is missing.
    pub(super) fn either(&self, word: &Option<Spanned<String>>, words: [&str; 2]) -> Checked<bool> {
        let words = [(words[0], false), (words[1], true)];
        word.as_ref().map_or(Ok(false), |word| self.source.choice(word, &words))
    }

    fn name(&self, name: &Spanned<String>) -> Checked<String> {
        let allowed = |symbol: char| symbol.is_ascii_alphanumeric() || symbol == '_' || symbol == '-';
        self.source.name(name, allowed, "letters, digits, `_` and `-`")
    }

    /// Bodies without mass and joints without geometry.
    pub(super) fn topology(&self, text: &TopologyText) -> Checked<Description> {
        let mut description = Description::empty(&self.name(&text.name)?);
        description.summary.clone_from(&text.description);
        if text.bodies.len() > BODIES_MAX {
            return self.source.fail(text.bodies[BODIES_MAX].span(), format!("expected at most {BODIES_MAX} bodies"));
        }
        for body in &text.bodies {
            let name = self.name(body)?;
            if description.body(&name).is_some() {
                return self.source.fail(body.span(), format!("body `{name}` is there already; expected unique names"));
            }
            description.add_body(&name, 0.0, Vector3::ZERO, Default::default());
        }
        let joints = in_order(&text.joints);
        if let Some((name, _)) = joints.get(JOINTS_MAX) {
            return self.source.fail(name.span(), format!("expected at most {JOINTS_MAX} joints"));
        }
        for (name, joint) in joints {
            let kind = self.source.choice(&joint.kind, &JointKind::NAMES)?;
            let [first, second] = joint.bodies.get_ref();
            let bodies = [self.body(first, &description)?, self.body(second, &description)?];
            if bodies[0] == bodies[1] {
                return self.source.fail(joint.bodies.span(), "a joint to itself; expected two different bodies");
            }
            if joint.driven && kind.coordinate_count() == 0 {
                return self.source.fail(name.span(), format!("a {} joint has no coordinate to drive", kind.name()));
            }
            let mut plain = Joint::new(&self.name(name)?, kind, bodies, Vector3::ZERO, Vector3::AXES[2]);
            plain.driven = joint.driven;
            plain.cut = joint.cut;
            plain.place = Some(self.source.place(&name.span()));
            description.joints.push(plain);
        }
        if let Some(base) = &text.base {
            description.base = Some(self.body(base, &description)?);
        }
        Ok(description)
    }

    /// The description with its base where the file asks for it.
    pub(super) fn based(
        &self,
        text: &TopologyText,
        mut description: Description,
        base: Option<BodyId>,
    ) -> Checked<Description> {
        let Some(base) = base.filter(|base| *base != BodyId::GROUND) else {
            description.base = base;
            return Ok(description);
        };
        match rebased(&description, base) {
            Ok(moved) => Ok(moved),
            Err(BuildError::Topology(error)) => self.graph(text, &error),
            // What else is wrong is said when the model is built, with its own words.
            Err(_) => Ok(description),
        }
    }

    /// What the graph says, at the place of the body or joint.
    pub(super) fn graph<T>(&self, text: &TopologyText, error: &TopologyError) -> Checked<T> {
        let of_joint = |name: &str| text.joints.keys().find(|key| key.get_ref() == name);
        let place = match error {
            TopologyError::Disconnected { body, .. } => text.bodies.iter().find(|it| it.get_ref() == body),
            TopologyError::SelfJoint { joint, .. }
            | TopologyError::NeedsCoordinate { joint }
            | TopologyError::DrivenInLoop { joint } => of_joint(joint),
            TopologyError::NoBase { .. } => text.base.as_ref(),
        };
        self.source.fail(place.map_or(0..0, Spanned::span), error)
    }
}

/// Entries in the order of the file.
pub(super) fn in_order<T>(named: &Named<T>) -> Vec<(&Spanned<String>, &T)> {
    let mut entries: Vec<_> = named.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    entries
}
