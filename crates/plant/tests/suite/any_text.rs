//! Whatever stands in a file, reading it ends in a scenario or in an error, never in a panic; and a
//! scenario that was accepted can be built and stepped.

use files::{Gaps, Source, Table};
use plant::{Scenario, ScenarioError, simulate};
use proptest::prelude::*;

fn shipped() -> impl Strategy<Value = &'static str> {
    let texts: Vec<&'static str> = Scenario::builtin_names().into_iter().filter_map(Scenario::builtin_text).collect();
    proptest::sample::select(texts)
}

/// Values that a careless hand or a broken disk might leave in place of another.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("nan".to_string()),
        Just("-inf".to_string()),
        Just("1e308".to_string()),
        Just("-1".to_string()),
        Just("0".to_string()),
        Just("18446744073709551616".to_string()),
        Just("\"\"".to_string()),
        Just("[]".to_string()),
        Just("{}".to_string()),
        Just("1979-05-27".to_string()),
        any::<f64>().prop_map(|value| format!("{value:?}")),
        any::<i64>().prop_map(|value| value.to_string()),
        "\\PC{0,12}",
    ]
}

/// Reads a text; a scenario that results must run for a few steps.
fn read(text: &str) -> Result<(), TestCaseError> {
    match Scenario::from_text(text, "any.toml") {
        Ok(scenario) => {
            let step_s = scenario.step_s();
            let short = scenario.with_duration_s(20.0 * step_s).expect("twenty steps are possible");
            let substeps = short.substeps().min(10);
            let method = short.method();
            let trace = simulate(&short.with_method(method, substeps), |_| {});
            for column in trace.columns() {
                prop_assert!(column.values.iter().all(|value| value.is_finite()), "{}", column.port.name);
            }
        }
        Err(ScenarioError::File(files::FileError { line, column, problem, .. })) => {
            prop_assert!(line >= 1 && column >= 1 && line <= text.lines().count() + 1);
            prop_assert!(!problem.is_empty());
        }
        Err(other) => prop_assert!(false, "another error: {other}"),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_survived(text in "\\PC{0,200}") {
        read(&text)?;
    }

    #[test]
    fn any_bytes_in_a_shipped_file_are_survived(
        text in shipped(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<char>(), 0..3u8), 1..6),
    ) {
        let mut symbols: Vec<char> = text.chars().collect();
        for (place, symbol, kind) in edits {
            if symbols.is_empty() {
                break;
            }
            let at = place.index(symbols.len());
            match kind {
                0 => symbols[at] = symbol,
                1 => symbols.insert(at, symbol),
                _ => drop(symbols.remove(at)),
            }
        }
        read(&symbols.into_iter().collect::<String>())?;
    }

    #[test]
    fn any_value_in_a_shipped_file_is_survived(
        text in shipped(),
        line in any::<prop::sample::Index>(),
        value in value(),
    ) {
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        let with_value: Vec<usize> = (0..lines.len()).filter(|index| lines[*index].contains(" = ")).collect();
        let at = with_value[line.index(with_value.len())];
        let key = lines[at].split(" = ").next().unwrap_or_default().to_string();
        lines[at] = format!("{key} = {value}");
        read(&lines.join("\n"))?;
    }

    #[test]
    fn missing_and_doubled_lines_are_survived(text in shipped(), from in any::<prop::sample::Index>(), twice: bool) {
        let mut lines: Vec<&str> = text.lines().collect();
        let at = from.index(lines.len());
        let line = lines.remove(at);
        if twice {
            lines.splice(at..at, [line, line]);
        }
        read(&lines.join("\n"))?;
    }

    #[test]
    fn any_recording_is_survived(text in "(time_s,a\n)?(\\PC{0,20}\n){0,5}") {
        if let Ok(table) = Table::over_time(&Source::new("any.csv", text.as_bytes()), Gaps::Refused) {
            prop_assert!(table.columns().iter().flatten().all(|value| value.is_finite()));
        }
    }
}
