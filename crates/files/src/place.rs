//! Where in a text something stands: from a byte range to line, column and the path of the field.
//!
//! Serde tells what is wrong but forgets the path, and checks that come after it know only the
//! value. Both know the byte range, so the path is found from that: the deepest key or value that
//! contains it.

use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Line and column of a byte, both counted from 1, the column in characters.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let offset = (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The path of the field at a place: `plant.parameters.mass_kg`, `demands.level_cm.points[2]`; `top
/// level` when the place is the whole text, or nowhere (`0..0`), as for a key that is missing
/// there.
pub fn field_at(text: &str, place: &Range<usize>) -> String {
    let found = if place.end == 0 {
        None
    } else {
        let (root, _) = DeTable::parse_recoverable(text);
        deepest_in_table(root.get_ref(), place).or_else(|| key_of_line(text, place))
    };
    found.unwrap_or_else(|| "top level".into())
}

fn deepest_in_table(table: &DeTable<'_>, place: &Range<usize>) -> Option<String> {
    table.iter().find_map(|(key, value)| {
        let name = key.get_ref().as_ref();
        match deepest_in_value(value, place) {
            Some(inner) => Some(joined(name, &inner)),
            None if holds(&key.span(), place) => Some(name.to_string()),
            None => None,
        }
    })
}

/// The path below a value; empty when it is the value itself. Tables may be scattered over the
/// text, so what they contain is searched even when they themselves do not contain the place.
fn deepest_in_value(value: &Spanned<DeValue<'_>>, place: &Range<usize>) -> Option<String> {
    let inner = match value.get_ref() {
        DeValue::Table(table) => deepest_in_table(table, place),
        DeValue::Array(array) => array.iter().enumerate().find_map(|(index, element)| {
            deepest_in_value(element, place).map(|inner| joined(&format!("[{index}]"), &inner))
        }),
        _ => None,
    };
    inner.or_else(|| holds(&value.span(), place).then(String::new))
}

fn joined(outer: &str, inner: &str) -> String {
    let dot = if inner.is_empty() || inner.starts_with('[') { "" } else { "." };
    format!("{outer}{dot}{inner}")
}

fn holds(span: &Range<usize>, place: &Range<usize>) -> bool {
    span.contains(&place.start) && place.end <= span.end
}

/// For text that is not TOML at all: the key before the `=` of the line that holds the place.
fn key_of_line(text: &str, place: &Range<usize>) -> Option<String> {
    let start = text.get(..place.start)?.rfind('\n').map_or(0, |newline| newline + 1);
    let line = text.get(start..)?.lines().next()?;
    let key = line.split_once('=')?.0.trim();
    (!key.is_empty() && place.end <= start + line.len()).then(|| key.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a = 1\n[plant]\nkind = \"ü\"; x\n[plant.parameters]\nmass = 3\n[d]\np = [[0, 1], [2, 3]]\n";

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        assert_eq!(line_and_column(TEXT, 0), (1, 1));
        assert_eq!(line_and_column(TEXT, TEXT.find("; x").expect("present")), (3, 11));
        assert_eq!(line_and_column("ab", 99), (1, 3));
        assert_eq!(line_and_column("ü", 1), (1, 1), "inside a character");
    }

    #[test]
    fn fields_are_found_by_their_bytes() {
        let text = TEXT.replace("; x", "");
        let at = |needle: &str, length: usize| {
            let start = text.find(needle).expect("present");
            field_at(&text, &(start..start + length))
        };
        assert_eq!(at("1\n[plant]", 1), "a");
        assert_eq!(at("mass", 4), "plant.parameters.mass");
        assert_eq!(at("3\n[d]", 1), "plant.parameters.mass");
        assert_eq!(at("3]]", 1), "d.p[1][1]");
        assert_eq!(at("[2, 3]", 6), "d.p[1]");
        assert_eq!(field_at(&text, &(0..text.len())), "top level");
        assert_eq!(field_at(&text, &(0..0)), "top level");
        assert_eq!(field_at("step_s = = 3", &(9..10)), "step_s");
    }
}
