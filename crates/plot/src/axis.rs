//! From values to positions along an axis, and the ticks that a reader can count with.

/// How values spread along the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    /// Decades of equal width; for values above 0.
    Logarithmic,
}

/// The interval that an axis shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    pub scale: Scale,
    pub min: f64,
    pub max: f64,
}

/// A line across the plot, with a label when it is an important one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub value: f64,
    pub label: Option<String>,
}

impl Axis {
    /// A linear axis that just holds the values; none when no value is finite.
    pub fn around(values: impl Iterator<Item = f64>) -> Option<Axis> {
        let finite = values.filter(|value| value.is_finite());
        let (min, max) =
            finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| (min.min(value), max.max(value)));
        (min <= max).then_some(Axis { scale: Scale::Linear, min, max })
    }

    /// A little room at both ends, so that lines do not lie on the frame; a flat line gets some
    /// too.
    pub fn padded(self) -> Axis {
        let span = self.max - self.min;
        let room = if span > 0.0 { 0.06 * span } else { (0.1 * self.max.abs()).max(0.5) };
        Axis { min: self.min - room, max: self.max + room, ..self }
    }

    /// Where a value lies: 0 at the lower end, 1 at the upper.
    pub fn position(&self, value: f64) -> f64 {
        let place = |value: f64| match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => value.max(f64::MIN_POSITIVE).log10(),
        };
        let span = place(self.max) - place(self.min);
        if span > 0.0 { (place(value) - place(self.min)) / span } else { 0.5 }
    }

    /// The inverse of [`Axis::position`].
    pub fn value(&self, position: f64) -> f64 {
        match self.scale {
            Scale::Linear => self.min + position * (self.max - self.min),
            Scale::Logarithmic => self.min * (self.max / self.min).powf(position),
        }
    }

    /// Ticks at round values, about `count` of them with labels.
    pub fn ticks(&self, count: usize) -> Vec<Tick> {
        match self.scale {
            Scale::Linear => self.linear_ticks(count),
            Scale::Logarithmic => self.decades(),
        }
    }

    fn linear_ticks(&self, count: usize) -> Vec<Tick> {
        let step = round_step((self.max - self.min) / count.max(1) as f64);
        if !step.is_finite() || step <= 0.0 {
            return Vec::new();
        }
        let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        let first = (self.min / step).ceil();
        (0..=2 * count)
            .map(|index| (first + index as f64) * step)
            .take_while(|value| *value <= self.max + 1e-9 * step)
            .map(|value| Tick { value, label: Some(number(value, decimals)) })
            .collect()
    }

    /// Lines at 1 to 9 of each decade; labels at 1, and at 2 and 5 too when there are few decades.
    fn decades(&self) -> Vec<Tick> {
        let few = (self.max / self.min).log10() < 3.2;
        let (low, high) = (self.min.log10().floor() as i32, self.max.log10().ceil() as i32);
        (low..=high)
            .flat_map(|decade| (1..10).map(move |digit| (decade, digit)))
            .map(|(decade, digit)| {
                let value = f64::from(digit) * 10f64.powi(decade);
                let labelled = digit == 1 || (few && (digit == 2 || digit == 5));
                Tick { value, label: labelled.then(|| short_number(value)) }
            })
            .filter(|tick| self.min <= tick.value && tick.value <= self.max)
            .collect()
    }
}

/// The one of 1, 2, 5 times a power of ten that comes near a length: at least 0.7 of it.
fn round_step(length: f64) -> f64 {
    let power = 10f64.powf(length.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * power).find(|step| *step >= length * 0.7).unwrap_or(length)
}

fn number(value: f64, decimals: usize) -> String {
    let value = if value == 0.0 { 0.0 } else { value }; // no "-0"
    if value.abs() >= 1e6 || decimals > 6 { format!("{value:e}") } else { format!("{value:.decimals$}") }
}

/// 0.5, 20, 3 k, 1 M.
pub(crate) fn short_number(value: f64) -> String {
    let (scaled, suffix) = match value.abs() {
        size if size >= 1e9 => (value / 1e9, " G"),
        size if size >= 1e6 => (value / 1e6, " M"),
        size if size >= 1e3 => (value / 1e3, " k"),
        _ => (value, ""),
    };
    let decimals = match scaled.abs() {
        size if size == 0.0 || size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        size => (2.0 - size.log10().floor()).clamp(2.0, 12.0) as usize,
    };
    let digits = format!("{scaled:.decimals$}");
    let digits = if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { &digits };
    format!("{digits}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: Axis, count: usize) -> Vec<String> {
        axis.ticks(count).into_iter().filter_map(|tick| tick.label).collect()
    }

    #[test]
    fn linear_ticks_are_round() {
        let axis = Axis { scale: Scale::Linear, min: -0.3, max: 31.8 };
        assert_eq!(labels(axis, 6), ["0", "5", "10", "15", "20", "25", "30"]);
        assert_eq!(labels(axis, 3), ["0", "10", "20", "30"]);
        let axis = Axis { scale: Scale::Linear, min: 0.0, max: 1.0 };
        assert_eq!(labels(axis, 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    }

    #[test]
    fn logarithmic_ticks_are_decades() {
        let axis = Axis { scale: Scale::Logarithmic, min: 0.7, max: 2e4 };
        assert_eq!(labels(axis, 0), ["1", "10", "100", "1 k", "10 k"]);
        assert!((axis.value(axis.position(33.0)) - 33.0).abs() < 1e-9);
    }

    #[test]
    fn a_flat_line_has_an_axis() {
        let axis = Axis::around([2.0, f64::NAN, 2.0].into_iter()).expect("a finite value").padded();
        assert!(axis.min < 2.0 && axis.max > 2.0 && axis.position(2.0) == 0.5);
        assert_eq!(Axis::around([f64::NAN].into_iter()), None);
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 0.5, 33.14, 1234.0, 18_000.0, 2e6].map(short_number);
        assert_eq!(shown, ["0", "0.5", "33.1", "1.23 k", "18 k", "2 M"]);
    }
}
