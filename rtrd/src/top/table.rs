//! Tables that fit the width: first with whole headings, then with short ones, then with fewer
//! columns.

/// What a cell's colour says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    #[default]
    Plain,
    Good,
    Warning,
    Bad,
    Faint,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    pub text: String,
    pub tone: Tone,
}

impl Cell {
    pub fn new(text: impl ToString, tone: Tone) -> Self {
        Self { text: text.to_string(), tone }
    }

    pub fn plain(text: impl ToString) -> Self {
        Self::new(text, Tone::Plain)
    }

    /// A dash for what is not known.
    pub fn none() -> Self {
        Self::new("-", Tone::Faint)
    }

    /// What is known, or a dash.
    pub fn known(text: Option<impl ToString>) -> Self {
        text.map_or_else(Self::none, Self::plain)
    }

    /// A number of things that should not happen: faint while there is none.
    pub fn trouble(count: u64) -> Self {
        Self::new(count, if count == 0 { Tone::Faint } else { Tone::Warning })
    }

    fn width(&self) -> usize {
        self.text.chars().count()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub heading: &'static str,
    /// The heading where there is little room.
    pub short: &'static str,
    pub to_the_right: bool,
    /// The column with the smallest is the first to go where there is no room.
    pub importance: u8,
    /// Narrower cells do not make it narrower: a number that changes does not move its neighbours.
    pub width_min: usize,
}

impl Column {
    pub const fn text(heading: &'static str, importance: u8) -> Self {
        Self { heading, short: heading, to_the_right: false, importance, width_min: 0 }
    }

    pub const fn number(heading: &'static str, short: &'static str, importance: u8) -> Self {
        Self { heading, short, to_the_right: true, importance, width_min: 0 }
    }

    /// The same column, at least so wide.
    pub const fn at_least(self, width_min: usize) -> Self {
        Self { width_min, ..self }
    }
}

#[derive(Clone, Debug)]
pub struct Table {
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
}

/// Columns, each with what it says of one of the things that have a row.
pub type Columns<T> = [(Column, fn(&T) -> Cell)];

/// A line of a table: cells that are filled up with blanks.
pub type Line = Vec<Cell>;

impl Table {
    /// A row for each.
    pub fn of<'a, T: 'a>(columns: &Columns<T>, things: impl IntoIterator<Item = &'a T>) -> Self {
        let row = |thing: &T| columns.iter().map(|(_, cell)| cell(thing)).collect();
        let rows = things.into_iter().map(row).collect();
        Self { columns: columns.iter().map(|(column, _)| *column).collect(), rows }
    }

    /// The heading and the rows, no wider than `width` if that can be.
    pub fn fit(&self, width: usize) -> Vec<Line> {
        let mut kept: Vec<usize> = (0..self.columns.len()).collect();
        if self.width(&kept, false) <= width {
            return self.lines(&kept, false);
        }
        while self.width(&kept, true) > width && kept.len() > 1 {
            let least = kept.iter().copied().min_by_key(|column| self.columns[*column].importance);
            kept.retain(|column| Some(*column) != least);
        }
        self.lines(&kept, true)
    }

    /// The same table without the columns of these headings.
    pub fn without(mut self, headings: &[&str]) -> Self {
        let kept: Vec<bool> = self.columns.iter().map(|column| !headings.contains(&column.heading)).collect();
        for row in &mut self.rows {
            let mut kept = kept.iter();
            row.retain(|_| *kept.next().unwrap_or(&true));
        }
        self.columns.retain(|column| !headings.contains(&column.heading));
        self
    }

    /// How many columns of text the whole table takes with short headings.
    pub fn short_width(&self) -> usize {
        let all: Vec<usize> = (0..self.columns.len()).collect();
        self.width(&all, true)
    }

    fn lines(&self, kept: &[usize], short: bool) -> Vec<Line> {
        let heading = kept
            .iter()
            .map(|column| self.padded(&Cell::new(self.heading(*column, short), Tone::Faint), *column, kept, short));
        let heading: Line = heading.collect();
        let rows = self.rows.iter().map(|row| {
            let cells = kept.iter().map(|column| self.padded(&row[*column], *column, kept, short));
            cells.collect()
        });
        std::iter::once(heading).chain(rows).collect()
    }

    fn padded(&self, cell: &Cell, column: usize, kept: &[usize], short: bool) -> Cell {
        let blanks = " ".repeat(self.column_width(column, short).saturating_sub(cell.width()));
        let gap = if kept.first() == Some(&column) { "" } else { &"  "[..gap(short)] };
        let text = if self.columns[column].to_the_right {
            format!("{gap}{blanks}{}", cell.text)
        } else {
            format!("{gap}{}{blanks}", cell.text)
        };
        Cell::new(text, cell.tone)
    }

    fn width(&self, kept: &[usize], short: bool) -> usize {
        let cells: usize = kept.iter().map(|column| self.column_width(*column, short)).sum();
        cells + gap(short) * kept.len().saturating_sub(1)
    }

    fn column_width(&self, column: usize, short: bool) -> usize {
        let cells = self.rows.iter().map(|row| row[column].width());
        let heading = self.heading(column, short).chars().count();
        cells.fold(heading.max(self.columns[column].width_min), usize::max)
    }

    fn heading(&self, column: usize, short: bool) -> &'static str {
        let column = &self.columns[column];
        if short { column.short } else { column.heading }
    }
}

fn gap(short: bool) -> usize {
    if short { 1 } else { 2 }
}

/// A line without colours.
pub fn text_of(line: &Line) -> String {
    let text: String = line.iter().map(|cell| cell.text.as_str()).collect();
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table {
            columns: vec![
                Column::text("process", 9),
                Column::number("overruns", "over", 5),
                Column::number("pid", "pid", 7),
            ],
            rows: vec![vec![Cell::plain("daq"), Cell::trouble(3), Cell::plain(12345)]],
        }
    }

    fn texts(width: usize) -> Vec<String> {
        table().fit(width).iter().map(text_of).collect()
    }

    #[test]
    fn columns_are_aligned_and_numbers_stand_right() {
        assert_eq!(texts(80), ["process  overruns    pid", "daq             3  12345"]);
    }

    #[test]
    fn narrow_tables_have_short_headings_then_fewer_columns() {
        assert_eq!(texts(20), ["process over   pid", "daq        3 12345"]);
        assert_eq!(table().short_width(), 18);
        assert_eq!(texts(15), ["process   pid", "daq     12345"]);
        assert_eq!(texts(1), ["process", "daq"]);
    }

    #[test]
    fn a_column_can_be_left_out_or_keep_its_width() {
        let mut table = table().without(&["pid"]);
        table.columns[1] = table.columns[1].at_least(11);
        let lines: Vec<String> = table.fit(80).iter().map(text_of).collect();
        assert_eq!(lines, ["process     overruns", "daq                3"]);
    }

    #[test]
    fn trouble_is_seen_by_its_colour() {
        assert_eq!(Cell::trouble(0).tone, Tone::Faint);
        assert_eq!(Cell::trouble(1).tone, Tone::Warning);
    }
}
