//! The box of a plot: grid, axes, labels, and from values to points on the canvas.

use crate::axis::Axis;
use crate::canvas::{Canvas, FAINT_GRID, GREY, GRID, INK, Point, Text};

/// The size of labels.
pub(crate) const LABEL_SIZE: f64 = 12.0;

/// A rectangle on the canvas with its two axes.
pub(crate) struct Frame {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
    pub x: Axis,
    pub y: Axis,
}

impl Frame {
    /// Where a pair of values lies on the canvas, held inside the box in height.
    pub fn point(&self, x: f64, y: f64) -> Point {
        (self.x_at(x), self.y_at(y))
    }

    pub fn x_at(&self, value: f64) -> f64 {
        self.left + self.x.position(value) * self.width
    }

    pub fn y_at(&self, value: f64) -> f64 {
        self.top + (1.0 - self.y.position(value).clamp(0.0, 1.0)) * self.height
    }

    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    /// Grid and tick labels; those of x only where asked for.
    pub fn draw(&self, canvas: &mut Canvas, y_label: &str, with_x_labels: bool) {
        self.draw_x_grid(canvas, with_x_labels);
        self.draw_y_grid(canvas);
        let middle = (self.left - 58.0, self.top + self.height / 2.0);
        canvas.text(y_label, middle, Text::new(LABEL_SIZE, INK).centred().upwards());
        let corners = [(self.left, self.top), (self.left, self.bottom()), (self.right(), self.bottom())];
        canvas.line(&corners, GREY, 1.0);
    }

    fn draw_x_grid(&self, canvas: &mut Canvas, with_labels: bool) {
        for tick in self.x.ticks((self.width / 75.0) as usize) {
            let x = self.x_at(tick.value);
            let colour = if tick.label.is_some() { GRID } else { FAINT_GRID };
            canvas.line(&[(x, self.top), (x, self.bottom())], colour, 0.5);
            if let (Some(label), true) = (&tick.label, with_labels) {
                canvas.text(label, (x, self.bottom() + 13.0), Text::new(LABEL_SIZE, INK).centred());
            }
        }
    }

    fn draw_y_grid(&self, canvas: &mut Canvas) {
        for tick in self.y.ticks((self.height / 34.0) as usize) {
            let y = self.y_at(tick.value);
            let colour = if tick.label.is_some() { GRID } else { FAINT_GRID };
            canvas.line(&[(self.left, y), (self.right(), y)], colour, 0.5);
            if let Some(label) = &tick.label {
                canvas.text(label, (self.left - 8.0, y), Text::new(LABEL_SIZE, INK).right());
            }
        }
    }

    /// The label of the x axis, below its numbers.
    pub fn draw_x_label(&self, canvas: &mut Canvas, label: &str) {
        let middle = (self.left + self.width / 2.0, self.bottom() + 33.0);
        canvas.text(label, middle, Text::new(LABEL_SIZE, INK).centred());
    }
}
