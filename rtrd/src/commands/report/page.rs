//! The page: everything in one file, to be sent and printed.

use std::fmt::Write as _;

use vehicle::evaluation::comparison::Difference;
use vehicle::evaluation::{Figure, Quantity, Value};
use vehicle::library::Kind;

use super::date;
use super::plots::{Drawing, drawings};
use super::run::{Reference, Run};

const STYLE: &str = include_str!("page.css");

pub fn page(runs: &[Run], reference: Option<&Reference>) -> anyhow::Result<String> {
    let manoeuvre = &runs[0].setup.manoeuvre;
    let title = match manoeuvre.standard.as_str() {
        "" => manoeuvre.name.clone(),
        standard => format!("{standard} · {}", manoeuvre.name),
    };
    let mut sections = vec![figures(runs)];
    if let Some(reference) = reference {
        sections.push(comparison(runs, reference));
    }
    sections.extend(drawings(runs, reference)?.iter().map(drawing));
    sections.push(files(runs));
    let names: Vec<&str> = runs.iter().map(|run| run.title.as_str()).collect();
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<p class=\"kicker\">{title}</p>\n<h1>{}</h1>\n\
         <p class=\"quiet\">{}</p>\n</header>\n{}\n{}\n</body>\n</html>\n",
        escape(&manoeuvre.description),
        escape(&names.join(" · ")),
        sections.join("\n"),
        footer(runs),
        title = escape(&title),
    ))
}

fn figures(runs: &[Run]) -> String {
    let heads = runs.iter().map(|run| {
        let manoeuvre = &run.setup.manoeuvre;
        let variant = if runs.iter().any(|run| run.setup.manoeuvre.description != manoeuvre.description) {
            format!("<br><span class=\"unit\">{}</span>", escape(&manoeuvre.description))
        } else {
            String::new()
        };
        format!("<th class=\"number\">{}{variant}</th>", escape(&run.title))
    });
    let mut rows = String::new();
    for (row, figure) in runs[0].figures.iter().enumerate() {
        let cells = runs.iter().map(|run| {
            let figure = run.figures.get(row).filter(|other| other.name == figure.name);
            format!("<td class=\"number\">{}</td>", figure.map_or_else(|| "–".to_owned(), cell))
        });
        let cells: String = cells.collect();
        let (name, definition) = (escape(figure.name), escape(figure.definition));
        // Beside others a column of its own would be too narrow.
        let _ = if runs.len() > 1 {
            writeln!(rows, "<tr><th>{name}<br><span class=\"definition\">{definition}</span></th>{cells}</tr>")
        } else {
            writeln!(rows, "<tr><th>{name}</th>{cells}<td class=\"definition\">{definition}</td></tr>")
        };
    }
    let last = if runs.len() > 1 { "" } else { "<th>definition</th>" };
    format!(
        "<section>\n<h2>Key figures</h2>\n<table>\n<thead><tr><th></th>{}{last}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</section>",
        heads.collect::<String>()
    )
}

fn cell(figure: &Figure) -> String {
    match figure.value {
        Value::Verdict(true) => "<span class=\"yes\">yes</span>".into(),
        Value::Verdict(false) => "<span class=\"no\">no</span>".into(),
        Value::Missing => "–".into(),
        Value::Number(value) => {
            format!("{} <span class=\"unit\">{}</span>", number(value), escape(figure.unit))
        }
    }
}

/// A figure for the terminal.
pub fn shown(figure: &Figure) -> String {
    match figure.value {
        Value::Verdict(value) => if value { "yes" } else { "no" }.into(),
        Value::Missing => "–".into(),
        Value::Number(value) => format!("{} {}", number(value), figure.unit),
    }
}

/// Four digits that count, without an exponent where possible.
fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".into()
    } else if !(1e-4..1e7).contains(&size) {
        format!("{value:.2e}")
    } else {
        let decimals = (3.0 - size.log10().floor()).clamp(0.0, 6.0) as usize;
        let text = format!("{value:.decimals$}");
        let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text };
        text.replace('-', "−")
    }
}

/// Differences to the reference, for each run and each column.
fn comparison(runs: &[Run], reference: &Reference) -> String {
    let mut rows = String::new();
    for run in runs {
        for (quantity, values) in &reference.columns {
            let half = reference.half_width(values);
            let recording = &run.recording;
            let found = Difference::new(
                recording.get(Quantity::Time),
                recording.get(*quantity),
                &reference.time_s,
                values,
                half,
            );
            let Some(found) = found else { continue };
            let inside = if found.within == 1.0 { "yes" } else { "no" };
            let _ = writeln!(
                rows,
                "<tr><th>{}</th><td><code>{}</code></td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{} %</td>\
                 <td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number {inside}\">{} %</td></tr>",
                escape(&run.title),
                quantity.name(),
                number(found.peak),
                number(found.rms),
                number(100.0 * found.rms / found.peak),
                number(found.largest),
                number(found.at_end),
                number(100.0 * found.within),
            );
        }
    }
    let unknown = match reference.unknown.as_slice() {
        [] => String::new(),
        names => format!(" Columns that are not known were left out: {}.", escape(&names.join(", "))),
    };
    format!(
        "<section>\n<h2>Against recorded data</h2>\n<p class=\"quiet\"><code>{}</code>, tolerance band ± {} % of the reference’s peak (after ISO 19364).{unknown}</p>\n\
         <table>\n<thead><tr><th></th><th>signal</th><th class=\"number\">peak</th><th class=\"number\">RMS difference</th><th class=\"number\">of peak</th>\
         <th class=\"number\">largest</th><th class=\"number\">at the end</th><th class=\"number\">within</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</section>",
        escape(&reference.file),
        number(100.0 * reference.tolerance)
    )
}

fn drawing(drawing: &Drawing) -> String {
    let Drawing { heading, svg } = drawing;
    format!("<section>\n<h2>{heading}</h2>\n<figure>\n{svg}</figure>\n</section>")
}

/// What the runs were made of.
fn files(runs: &[Run]) -> String {
    let name = |kind: Kind| match kind {
        Kind::Vehicle => "vehicle",
        Kind::Tyre => "tyre",
        Kind::Road => "road",
        Kind::Powertrain => "powertrain",
        Kind::Brake => "brake",
        Kind::Steering => "steering",
        Kind::Aerodynamics => "aerodynamics",
        Kind::Manoeuvre => "manoeuvre",
    };
    let mut rows = String::new();
    for run in runs {
        let files = run.setup.files.iter();
        let cells: Vec<String> =
            files.map(|(kind, file)| format!("{} <code>{}</code>", name(*kind), escape(file))).collect();
        let driver = &run.setup.driver;
        let loads = match run.loads_outside {
            0 => String::new(),
            count => format!(
                "<br><span class=\"no\">tyres carried loads for which their files were not fitted in {count} wheel-steps</span>"
            ),
        };
        let _ = writeln!(
            rows,
            "<tr><th>{}</th><td>{}<br>mechanism <code>models/{}</code></td><td>{} kg<br>wheelbase {} m<br>steering ratio {}{loads}</td></tr>",
            escape(&run.title),
            cells.join("<br>"),
            escape(&run.setup.vehicle.mechanism),
            number(driver.mass_kg),
            number(driver.wheelbase_m),
            number(driver.steering_ratio),
        );
    }
    format!("<section>\n<h2>Files</h2>\n<table>\n<tbody>\n{rows}</tbody>\n</table>\n</section>")
}

fn footer(runs: &[Run]) -> String {
    let command: Vec<String> = std::env::args().collect();
    let program = command.first().map_or("rtrd", |path| path.rsplit('/').next().unwrap_or(path));
    let command = [&[program.to_owned()], command.get(1..).unwrap_or_default()].concat().join(" ");
    let step_ms = runs[0].setup.step_s * 1e3;
    format!(
        "<footer>\n<pre><code>{}</code></pre>\n<p>rtrd {} · {} · step {} ms · axes of ISO 8855: x forward, y left, z up</p>\n</footer>",
        escape(&command),
        env!("CARGO_PKG_VERSION"),
        date::now(),
        number(step_ms),
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits() {
        let shown = [0.0, 1234.56, 0.012_345, -3.0, 99.999, 1e-9].map(number);
        assert_eq!(shown, ["0", "1235", "0.01235", "−3", "100", "1.00e-9"]);
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
    }
}
