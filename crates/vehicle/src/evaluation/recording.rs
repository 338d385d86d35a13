//! The signals of a run, in columns.

use super::Quantity;

/// Signals of a run at equal distances of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    columns: Vec<Vec<f64>>,
}

impl Default for Recording {
    fn default() -> Self {
        Self { columns: vec![Vec::new(); Quantity::ALL.len()] }
    }
}

impl Recording {
    /// The samples of a quantity.
    #[must_use]
    pub fn get(&self, quantity: Quantity) -> &[f64] {
        &self.columns[index(quantity)]
    }

    /// How many samples there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.get(Quantity::Time).len()
    }

    /// Whether nothing was recorded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a sample: what is not given is zero.
    pub fn push(&mut self, values: &[(Quantity, f64)]) {
        for column in &mut self.columns {
            column.push(0.0);
        }
        for (quantity, value) in values {
            if let Some(last) = self.columns[index(*quantity)].last_mut() {
                *last = *value;
            }
        }
    }

    /// Puts a signal in place of the recorded one; it must be as long as the others.
    #[must_use]
    pub fn with(mut self, quantity: Quantity, values: Vec<f64>) -> Self {
        let longest = values.len();
        self.columns[index(quantity)] = values;
        for column in &mut self.columns {
            column.resize(longest, 0.0);
        }
        self
    }

    /// Pairs of two quantities, to be drawn over each other.
    #[must_use]
    pub fn pairs(&self, over: Quantity, quantity: Quantity) -> Vec<(f64, f64)> {
        let (first, second) = (self.get(over), self.get(quantity));
        first.iter().copied().zip(second.iter().copied()).collect()
    }

    /// Time between two samples (s); zero when there are fewer than two.
    #[must_use]
    pub fn spacing_s(&self) -> f64 {
        match self.get(Quantity::Time) {
            [first, second, ..] => second - first,
            _ => 0.0,
        }
    }
}

/// The enumeration is the order of the columns.
const fn index(quantity: Quantity) -> usize {
    quantity as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_in_the_order_of_the_enumeration() {
        for (place, quantity) in Quantity::ALL.iter().enumerate() {
            assert_eq!(index(*quantity), place, "{}", quantity.name());
        }
    }
}
