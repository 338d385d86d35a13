//! The signals that people watch, as a table.

use super::table::{Cell, Column, Table, Tone};
use crate::view::{Exchange, Shown};

const COLUMNS: [Column; 4] = [
    Column::text("kind", 50),
    Column::text("signal", 99),
    Column::number("value", "value", 98),
    Column::text("unit", 10),
];

/// One row for each signal of the exchange.
pub fn table(exchange: Option<&Exchange>) -> Table {
    let nothing = Exchange::default();
    let exchange = exchange.unwrap_or(&nothing);
    let groups = [("demand", &exchange.demands), ("input", &exchange.inputs), ("output", &exchange.outputs)];
    let rows = groups.into_iter().flat_map(|(kind, signals)| signals.iter().map(|shown| row(kind, shown)));
    Table { columns: COLUMNS.to_vec(), rows: rows.collect() }
}

fn row(kind: &'static str, shown: &Shown) -> Vec<Cell> {
    let unit = if shown.unit == "-" { "" } else { &shown.unit };
    vec![
        Cell::new(kind, Tone::Faint),
        Cell::plain(shown.name.clone()),
        Cell::plain(number(shown.value)),
        Cell::new(unit, Tone::Faint),
    ]
}

/// Four decimals for what people measure, powers of ten beyond.
fn number(value: f64) -> String {
    match value.abs() {
        0.0 | 1e-3..1e6 => format!("{value:.4}"),
        _ if value.is_nan() => "not known".to_owned(),
        _ => format!("{value:.3e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::text_of;
    use super::*;

    #[test]
    fn signals_are_shown_by_name_with_their_unit() {
        let level = Shown { name: "level_cm".into(), unit: "cm".into(), value: 0.5 };
        let exchange = Exchange { outputs: vec![level], ..Exchange::default() };
        let lines: Vec<String> = table(Some(&exchange)).fit(100).iter().map(text_of).collect();
        for part in ["output", "level_cm", "0.5000", "cm"] {
            assert!(lines[1].contains(part), "{lines:?}");
        }
        assert!(table(None).rows.is_empty());
    }

    #[test]
    fn numbers_stay_short() {
        assert_eq!([0.0, -1.5, 1e9, 1e-7].map(number), ["0.0000", "-1.5000", "1.000e9", "1.000e-7"]);
        assert_eq!(number(f64::NAN), "not known");
    }
}
