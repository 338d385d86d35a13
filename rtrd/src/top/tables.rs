//! The blocks and the signals that people watch, as tables.

use super::processes::age;
use super::table::{Cell, Column, Columns, Table, Tone};
use crate::view::block_watch::{BlockView, Owner};
use crate::view::{Exchange, Shown};

const BLOCKS: &Columns<BlockView> = &[
    (Column::text("block", 99), |block| Cell::plain(format!("/{}/", block.name))),
    (Column::text("writer", 10), |block| Cell::plain(block.writer)),
    (Column::number("owner", "owner", 80), |block| match block.owner {
        Owner::Alive(pid) => Cell::plain(pid),
        Owner::Dead(pid) => Cell::new(format!("{pid} died"), Tone::Bad),
        Owner::None => Cell::new("none", Tone::Faint),
    }),
    // The first owner is what is usual; another one means that a process was restarted.
    (Column::number("generation", "gen", 70), |block| {
        Cell::new(block.generation, if block.generation > 1 { Tone::Warning } else { Tone::Plain })
    }),
    (Column::number("writes/s", "wr/s", 90), |block| block.writes_per_s.map_or_else(Cell::none, rate)),
    (Column::number("age", "age", 95), |block| Cell::known(block.age_ns.map(age))),
];

/// One row for each block that was ever claimed.
pub fn blocks(blocks: &[BlockView]) -> Table {
    Table::of(BLOCKS, blocks.iter().filter(|block| block.generation > 0))
}

/// How many blocks the table leaves out.
pub fn never_claimed(blocks: &[BlockView]) -> usize {
    blocks.iter().filter(|block| block.generation == 0).count()
}

fn rate(writes_per_s: f64) -> Cell {
    match writes_per_s {
        0.0 => Cell::new(0, Tone::Faint),
        ..10.0 => Cell::plain(format!("{writes_per_s:.1}")),
        _ => Cell::plain(format!("{writes_per_s:.0}")),
    }
}

const SIGNALS: &Columns<(&str, Shown)> = &[
    (Column::text("kind", 50), |(kind, _)| Cell::new(kind, Tone::Faint)),
    (Column::text("signal", 99), |(_, shown)| Cell::plain(&shown.name)),
    (Column::number("value", "value", 98), |(_, shown)| Cell::plain(number(shown.value))),
    (Column::text("unit", 10), |(_, shown)| Cell::new(if shown.unit == "-" { "" } else { &shown.unit }, Tone::Faint)),
];

pub fn signals(exchange: Option<&Exchange>) -> Table {
    let nothing = Exchange::default();
    let exchange = exchange.unwrap_or(&nothing);
    let groups = [("demand", &exchange.demands), ("input", &exchange.inputs), ("output", &exchange.outputs)];
    let rows = groups.into_iter().flat_map(|(kind, signals)| signals.iter().map(move |shown| (kind, shown.clone())));
    Table::of(SIGNALS, &rows.collect::<Vec<_>>())
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

    fn block(owner: Owner, generation: u32) -> BlockView {
        BlockView { name: "driver", writer: "daq", owner, generation, writes_per_s: Some(999.7), age_ns: Some(800_000) }
    }

    #[test]
    fn only_claimed_blocks_have_a_row() {
        let blocks = [block(Owner::Alive(7), 1), block(Owner::Dead(8), 2), block(Owner::None, 0)];
        let lines: Vec<String> = super::blocks(&blocks).fit(100).iter().map(text_of).collect();
        assert_eq!(lines.len(), 3);
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&lines[1]), ["/driver/", "daq", "7", "1", "1000", "800", "µs"]);
        assert_eq!(words(&lines[2])[2..5], ["8", "died", "2"]);
        assert_eq!(never_claimed(&blocks), 1);
    }

    #[test]
    fn rates_are_short() {
        assert_eq!([0.0, 1.24, 12.6].map(|value| rate(value).text), ["0", "1.2", "13"]);
    }

    #[test]
    fn signals_are_shown_by_name_with_their_unit() {
        let level = Shown { name: "level_cm".into(), unit: "cm".into(), value: 0.5 };
        let exchange = Exchange { outputs: vec![level], ..Exchange::default() };
        let lines: Vec<String> = signals(Some(&exchange)).fit(100).iter().map(text_of).collect();
        for part in ["output", "level_cm", "0.5000", "cm"] {
            assert!(lines[1].contains(part), "{lines:?}");
        }
        assert!(signals(None).rows.is_empty());
    }

    #[test]
    fn numbers_stay_short() {
        assert_eq!([0.0, -1.5, 1e9, 1e-7].map(number), ["0.0000", "-1.5000", "1.000e9", "1.000e-7"]);
        assert_eq!(number(f64::NAN), "not known");
    }
}
