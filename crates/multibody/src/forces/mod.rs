//! Force elements: what acts between bodies besides joints.
//!
//! Each element is described in the axes of the drawing (public types) and resolved to slots and
//! body axes when the model is built. Evaluating one adds wrenches at the pole to the bodies, or a
//! generalised force to a joint coordinate.

mod curve;
mod law;
mod line;
mod other;
mod rotational;
mod simple_tyre;
mod wheel;

pub use curve::Curve;
pub use law::{Law, Stop};
pub use line::Tsda;
pub use other::{Antiroll, PointForce};
pub use rotational::Rsda;
pub use simple_tyre::SimpleTyre;
pub(crate) use wheel::Contact;
pub use wheel::{ContactState, NoTyres, Tyre, Wheel};

use crate::dynamics::Workspace;
use crate::math::{Pair, Vector3};
use crate::model::{BuildError, Model};
use crate::state::{Inputs, State};

/// A point of a body: slot and place in body axes from the body's origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Attachment {
    pub slot: usize,
    pub local: Vector3,
}

impl Attachment {
    pub(crate) fn new(model: &Model, body: crate::BodyId, point: Vector3) -> Self {
        let slot = model.slot(body);
        Self { slot, local: point - model.bodies()[slot].origin }
    }
}

/// All force elements of a model, resolved.
#[derive(Clone, Debug, Default)]
pub(crate) struct ForceElements {
    tsda: Vec<line::Line>,
    /// The same two by two, and the one that is left.
    tsda_twos: Vec<line::Lines<Pair>>,
    tsda_ones: Vec<line::Lines<f64>>,
    rsda: Vec<rotational::Rotational>,
    antiroll: Vec<other::Bar>,
    points: Vec<other::Point>,
    pub(crate) wheels: Vec<Contact>,
    pub(crate) actuator_count: usize,
}

impl ForceElements {
    pub(crate) fn resolve(model: &Model) -> Result<Self, BuildError> {
        let description = model.description();
        let mut actuators = 0..;
        let mut channel = |wanted: bool| if wanted { actuators.next() } else { None };
        let tsda = description.tsda.iter();
        let tsda: Vec<_> = tsda.map(|it| line::Line::new(model, it, channel(it.actuator))).collect();
        let whole = tsda.len() / 2 * 2;
        let rsda = description.rsda.iter();
        let rsda: Result<Vec<_>, _> =
            rsda.map(|it| rotational::Rotational::new(model, it, channel(it.actuator))).collect();
        let points = description.point_forces.iter();
        let points = points.map(|it| other::Point::new(model, it, channel(it.actuator))).collect();
        Ok(Self {
            tsda_twos: (0..whole).step_by(2).map(|first| line::Lines::new(&tsda, first)).collect(),
            tsda_ones: (whole..tsda.len()).map(|first| line::Lines::new(&tsda, first)).collect(),
            tsda,
            rsda: rsda?,
            points,
            antiroll: description.antiroll.iter().map(|it| other::Bar::new(model, it)).collect(),
            wheels: description.wheels.iter().map(|it| Contact::new(model, it)).collect(),
            actuator_count: actuators.start,
        })
    }

    /// Adds the forces of all elements except tyres.
    #[inline]
    pub(crate) fn apply(&self, state: &State, inputs: &Inputs, workspace: &mut Workspace) {
        for elements in &self.tsda_twos {
            elements.apply(&self.tsda, inputs, workspace);
        }
        for element in &self.tsda_ones {
            element.apply(&self.tsda, inputs, workspace);
        }
        for element in &self.rsda {
            element.apply(state, inputs, workspace);
        }
        for element in &self.antiroll {
            element.apply(workspace);
        }
        for element in &self.points {
            element.apply(inputs, workspace);
        }
    }

    /// `J` Energy stored in the springs, curves by quadrature.
    pub(crate) fn energy(&self, state: &State, workspace: &Workspace) -> f64 {
        let lines = self.tsda.iter().map(|it| it.energy(workspace));
        let joints = self.rsda.iter().map(|it| it.energy(state));
        let bars = self.antiroll.iter().map(|it| it.energy(workspace));
        lines.chain(joints).chain(bars).sum()
    }
}
