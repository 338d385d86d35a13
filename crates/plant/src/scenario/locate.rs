//! Where in a text something stands: from a byte range to line, column and the path of the field.
//!
//! Serde tells what is wrong but forgets the path, and checks that come after it know only the value. Both
//! know the byte range, so the path is found from that: the deepest key or value that contains it.

use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Line and column of a byte, both counted from 1, the column in characters.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let offset = (0..=offset.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}

/// The path of the field at a byte: `plant.parameters.mass_kg`, `demands.level_cm.points[2]`.
pub fn field_at(text: &str, offset: usize) -> Option<String> {
    let (root, _) = DeTable::parse_recoverable(text);
    deepest_in_table(root.get_ref(), offset)
}

fn deepest_in_table(table: &DeTable<'_>, offset: usize) -> Option<String> {
    table.iter().find_map(|(key, value)| {
        let name = key.get_ref().as_ref();
        match deepest_in_value(value, offset) {
            Some(inner) if inner.is_empty() || inner.starts_with('[') => Some(format!("{name}{inner}")),
            Some(inner) => Some(format!("{name}.{inner}")),
            None if holds(&key.span(), offset) => Some(name.to_string()),
            None => None,
        }
    })
}

/// The path below a value; empty when it is the value itself. Tables may be scattered over the text, so
/// what they contain is searched even when they themselves do not contain the byte.
fn deepest_in_value(value: &Spanned<DeValue<'_>>, offset: usize) -> Option<String> {
    let inner = match value.get_ref() {
        DeValue::Table(table) => deepest_in_table(table, offset),
        DeValue::Array(array) => array.iter().enumerate().find_map(|(index, element)| {
            let inner = deepest_in_value(element, offset)?;
            let dot = if inner.is_empty() || inner.starts_with('[') {
                ""
            } else {
                "."
            };
            Some(format!("[{index}]{dot}{inner}"))
        }),
        _ => None,
    };
    inner.or_else(|| holds(&value.span(), offset).then(String::new))
}

fn holds(span: &Range<usize>, offset: usize) -> bool {
    span.contains(&offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "a = 1\n[plant]\nkind = \"ü\"; x\n[plant.parameters]\nmass = 3\n[d]\np = [[0, 1], [2, 3]]\n";

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
        let at = |needle: &str| field_at(&text, text.find(needle).expect("present"));
        assert_eq!(at("1\n[plant]").as_deref(), Some("a"));
        assert_eq!(at("mass").as_deref(), Some("plant.parameters.mass"));
        assert_eq!(at("3\n[d]").as_deref(), Some("plant.parameters.mass"));
        assert_eq!(at("3]]").as_deref(), Some("d.p[1][1]"));
        assert_eq!(at("[2").as_deref(), Some("d.p[1]"));
    }
}
