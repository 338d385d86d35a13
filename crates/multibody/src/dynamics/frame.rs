//! Where a body is and how it moves, alone or in lanes: all together, because they are used
//! together.

use crate::math::{MatrixOf, MotionOf, Number, Vector3, VectorOf};

/// Place and motion of a body, at the pole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<T> {
    pub rotation: MatrixOf<T>,
    pub origin: VectorOf<T>,
    pub velocity: MotionOf<T>,
    /// β of eq. (2).
    pub bias: MotionOf<T>,
}

/// At the pole, at rest.
impl<T: Number> Default for Frame<T> {
    fn default() -> Self {
        let rotation = MatrixOf { columns: Vector3::AXES.map(VectorOf::splat) };
        Self { rotation, origin: VectorOf::default(), velocity: MotionOf::default(), bias: MotionOf::default() }
    }
}

impl Frame<f64> {
    /// Where a point in body axes is.
    #[inline]
    pub fn point(&self, local: Vector3) -> Vector3 {
        self.origin + self.rotation * local
    }
}

impl<T: Number> Frame<T> {
    /// A frame for each lane.
    #[inline(always)]
    pub fn gather<'a>(value: impl Fn(usize) -> &'a Frame<f64>) -> Self {
        Self {
            rotation: MatrixOf::gather(|lane| &value(lane).rotation),
            origin: VectorOf::gather(|lane| value(lane).origin),
            velocity: MotionOf::gather(|lane| value(lane).velocity),
            bias: MotionOf::gather(|lane| value(lane).bias),
        }
    }

    /// That of a lane.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> Frame<f64> {
        Frame {
            rotation: self.rotation.lane(lane),
            origin: self.origin.lane(lane),
            velocity: self.velocity.lane(lane),
            bias: self.bias.lane(lane),
        }
    }
}
