//! The names that only a run knows, as text: one line for each number.
//!
//! ```text
//! # tank-level       a PID controller at 1 kHz follows a level …     what runs: name, description
//! 40006              level_cm        cm      0..30   level of the water
//! ```
//! Parts of a line are apart by tabs: number in the [library](crate::library), name, unit, range,
//! description.

use std::fmt::Write;

/// What one number is called in this run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunName {
    /// Number in the library.
    pub number: u64,
    /// Name; the unit comes last in it.
    pub name: String,
    /// Unit, `-` where there is none.
    pub unit: String,
    /// Range of valid values, as `a..b`.
    pub range: String,
    /// What the value means.
    pub description: String,
}

/// Everything that a process says about its numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunNames {
    /// What runs (scenario, vehicle, acquisition file): name and description.
    pub titles: Vec<(String, String)>,
    /// The numbers.
    pub names: Vec<RunName>,
}

impl RunNames {
    /// As text.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (name, description) in &self.titles {
            let _ = writeln!(text, "#{}\t{}", cell(name), cell(description));
        }
        for it in &self.names {
            let cells = [&it.name, &it.unit, &it.range, &it.description].map(|part| cell(part));
            let _ = writeln!(text, "{}\t{}", it.number, cells.join("\t"));
        }
        text
    }

    /// From text; a line that says something else is passed over.
    pub fn from_text(text: &str) -> Self {
        let mut all = Self::default();
        for line in text.lines() {
            let cells: Vec<&str> = line.split('\t').collect();
            match cells[..] {
                [name, description] if name.starts_with('#') => {
                    all.titles.push((name[1..].to_owned(), description.to_owned()));
                }
                [number, name, unit, range, description] => {
                    let Ok(number) = number.parse() else { continue };
                    let [name, unit, range, description] = [name, unit, range, description].map(str::to_owned);
                    all.names.push(RunName { number, name, unit, range, description });
                }
                _ => {}
            }
        }
        all
    }
}

fn cell(text: &str) -> String {
    text.replace(['\t', '\n'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_from_their_text() {
        let words = |text: &str| text.to_owned();
        let level = RunName {
            number: 40_006,
            name: words("level_cm"),
            unit: words("cm"),
            range: words("0..30"),
            description: words("level of the\twater"),
        };
        let all = RunNames { titles: vec![(words("tank-level"), words("a tank"))], names: vec![level] };
        let mut expected = all.clone();
        expected.names[0].description = words("level of the water");
        assert_eq!(RunNames::from_text(&all.to_text()), expected);
        assert_eq!(RunNames::from_text("what\nis this\tthen\nx\ta\tb\tc\td\n"), RunNames::default());
    }
}
