//! The newest samples of a signal, in a place of fixed size.

/// Most samples that any method looks at: the longest smooth differentiator and the newest sample.
pub(super) const HISTORY_MAX: usize = 11;

/// Ages and values, newest first. Ages instead of times: small numbers, however long the process
/// has been running.
#[derive(Clone, Copy, Debug)]
pub(super) struct History {
    ages_s: [f64; HISTORY_MAX],
    values: [f64; HISTORY_MAX],
    count: usize,
    length: usize,
}

impl History {
    /// A history of so many samples.
    pub(super) fn new(length: usize) -> Self {
        Self { ages_s: [0.0; HISTORY_MAX], values: [0.0; HISTORY_MAX], count: 0, length: length.clamp(1, HISTORY_MAX) }
    }

    /// Takes a sample, so long after the one before.
    pub(super) fn push(&mut self, passed_s: f64, value: f64) {
        self.ages_s.iter_mut().for_each(|age_s| *age_s += passed_s);
        self.ages_s.copy_within(..HISTORY_MAX - 1, 1);
        self.values.copy_within(..HISTORY_MAX - 1, 1);
        self.ages_s[0] = 0.0;
        self.values[0] = value;
        self.count = (self.count + 1).min(self.length);
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// How long before the newest sample, newest first.
    pub(super) fn ages_s(&self) -> &[f64] {
        &self.ages_s[..self.count]
    }

    /// Values, newest first.
    pub(super) fn values(&self) -> &[f64] {
        &self.values[..self.count]
    }
}
