//! The state of the subsystems as a row of numbers, so that a restarted process goes on where the
//! last one was.

/// Takes numbers in the order in which they are given. Numbers beyond its capacity are counted but
/// not kept.
#[derive(Debug)]
pub struct Saver<'a> {
    values: &'a mut [f64],
    count: usize,
}

impl<'a> Saver<'a> {
    /// Writes into `values` from the beginning.
    pub fn new(values: &'a mut [f64]) -> Self {
        Self { values, count: 0 }
    }

    /// Adds one number.
    #[inline]
    pub fn put(&mut self, value: f64) {
        if let Some(place) = self.values.get_mut(self.count) {
            *place = value;
        }
        self.count += 1;
    }

    /// How many numbers were given.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }
}

/// Gives the numbers back in the same order.
#[derive(Debug)]
pub struct Loader<'a> {
    values: &'a [f64],
    count: usize,
}

impl<'a> Loader<'a> {
    /// Reads `values` from the beginning.
    #[must_use]
    pub fn new(values: &'a [f64]) -> Self {
        Self { values, count: 0 }
    }

    /// The next number; NaN when there are no more.
    #[inline]
    pub fn take(&mut self) -> f64 {
        let value = self.values.get(self.count).copied().unwrap_or(f64::NAN);
        self.count += 1;
        value
    }

    /// How many numbers were asked for.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }
}

/// Something with a state. A model without one keeps the defaults.
pub trait Memory {
    /// Writes the whole state, always the same count of numbers. Called in every step: it neither
    /// allocates nor panics.
    fn save(&self, _saver: &mut Saver<'_>) {}

    /// Takes the state back. The caller has checked that the numbers are finite and as many as
    /// [`Memory::save`] gives.
    fn load(&mut self, _loader: &mut Loader<'_>) {}
}
