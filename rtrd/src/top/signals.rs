//! The signals of the plant as a table: by name where the names are known for certain, by number
//! otherwise.

use plant::Port;

use super::table::{Cell, Column, Table, Tone};
use crate::view::Exchange;
use crate::view::names::Names;

const COLUMNS: [Column; 4] = [
    Column::text("kind", 50),
    Column::text("signal", 99),
    Column::number("value", "value", 98),
    Column::text("unit", 10),
];

/// One row for each signal of the exchange.
pub fn table(exchange: Option<&Exchange>, names: &Names) -> Table {
    let nothing = Exchange::default();
    let exchange = exchange.unwrap_or(&nothing);
    let groups = [
        ("demand", &exchange.demands, &names.demands),
        ("input", &exchange.inputs, &names.inputs),
        ("output", &exchange.outputs, &names.outputs),
    ];
    let rows = groups.into_iter().flat_map(|(kind, values, ports)| {
        // Names for another number of signals belong to something else.
        let ports = if ports.len() == values.len() { ports.as_slice() } else { &[] };
        let row = move |(index, value): (usize, &f64)| row(kind, index, *value, ports.get(index));
        values.iter().enumerate().map(row)
    });
    Table { columns: COLUMNS.to_vec(), rows: rows.collect() }
}

fn row(kind: &'static str, index: usize, value: f64, port: Option<&Port>) -> Vec<Cell> {
    let name = port.map_or_else(|| format!("{kind}[{index}]"), |port| port.name.clone());
    let unit = port.map_or("", |port| if port.unit == "1" { "" } else { &port.unit });
    vec![
        Cell::new(kind, Tone::Faint),
        Cell::plain(name),
        Cell::plain(number(value)),
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
    use plant::Scenario;

    fn exchange(outputs: usize) -> Exchange {
        Exchange { demands: vec![15.0], outputs: vec![0.5; outputs], ..Exchange::default() }
    }

    #[test]
    fn signals_have_names_where_they_are_known_and_fit() {
        let plant = Scenario::builtin("tank-level").unwrap().build_plant();
        let outputs = plant.description().outputs.clone();
        let names = Names { outputs: outputs.clone(), ..Names::default() };
        let lines = |count| -> Vec<String> {
            let table = table(Some(&exchange(count)), &names);
            table.fit(100).iter().map(text_of).collect()
        };
        let named = lines(outputs.len());
        assert!(named[1].contains("demand[0]") && named[1].contains("15.0000"), "{named:?}");
        assert!(named[2].contains(&outputs[0].name), "{named:?}");
        let numbered = lines(outputs.len() + 1);
        assert!(numbered[2].contains("output[0]"), "{numbered:?}");
    }

    #[test]
    fn before_the_first_step_there_are_no_rows() {
        assert!(table(None, &Names::default()).rows.is_empty());
    }

    #[test]
    fn numbers_stay_short() {
        assert_eq!([0.0, -1.5, 1e9, 1e-7].map(number), ["0.0000", "-1.5000", "1.000e9", "1.000e-7"]);
        assert_eq!(number(f64::NAN), "not known");
    }
}
