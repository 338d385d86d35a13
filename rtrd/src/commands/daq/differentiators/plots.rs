//! The comparison as a table for people and for programs, and as plots: the figures of the thesis's
//! §4.2.2 for this recording (Fig. 4.10 to 4.14), and the trade between delay and noise.

use acquisition::differentiation::Estimate;
use board_emulator::differentiators::{Comparison, Figures, Recording, Row};
use plot::{LinePlot, Panel, Series};

/// The methods that the thesis draws.
const DRAWN: [&str; 2] = ["smooth 4", "backward 4"];
/// Families of methods, by how their names begin.
const FAMILIES: [&str; 4] = ["backward", "smooth", "α-β-γ", "Kalman"];

type Quantity = (&'static str, &'static str, fn(&Estimate) -> f64);

const QUANTITIES: [Quantity; 2] =
    [("rate", "s", |estimate| estimate.rate), ("acceleration", "s²", |estimate| estimate.acceleration)];

pub fn all(recording: &Recording, comparison: &Comparison, unit: &str) -> Vec<(String, LinePlot)> {
    let times_s = recording.times_s();
    let mut plots = vec![("reference.svg".to_owned(), reference(&times_s, recording, comparison, unit))];
    for quantity in QUANTITIES {
        let drawn = comparison.rows.iter().filter(|row| DRAWN.contains(&row.name.as_str()));
        plots.extend(drawn.map(|row| {
            let file = format!("{}-{}.svg", quantity.0, row.name.replace(' ', "-"));
            (file, against(&times_s, comparison, row, quantity, unit))
        }));
    }
    plots.push(("trade.svg".to_owned(), trade(comparison, unit)));
    plots
}

fn series(name: &str, times_s: &[f64], values: impl Iterator<Item = f64>) -> Series {
    Series::new(name, times_s.iter().copied().zip(values).collect())
}

/// Fig. 4.10: the signal and its two-sided derivatives.
fn reference(times_s: &[f64], recording: &Recording, comparison: &Comparison, unit: &str) -> LinePlot {
    let signal = series("recorded", times_s, recording.values().iter().copied());
    let mut panels = vec![Panel::new(format!("signal [{unit}]"), vec![signal])];
    panels.extend(QUANTITIES.map(|(name, per, get)| {
        let line = series("two-sided", times_s, comparison.reference.iter().map(get));
        Panel::new(format!("{name} [{unit}/{per}]"), vec![line])
    }));
    LinePlot::new("The recording and its two-sided derivatives", "time [s]", panels)
}

/// Fig. 4.11 to 4.14: a method over the reference.
fn against(times_s: &[f64], comparison: &Comparison, row: &Row, (name, per, get): Quantity, unit: &str) -> LinePlot {
    let method = series(&row.name, times_s, row.estimates.iter().map(get));
    let reference = series("two-sided", times_s, comparison.reference.iter().map(get)).dashed();
    let panel = Panel::new(format!("{name} [{unit}/{per}]"), vec![method, reference]);
    LinePlot::new(format!("The {name} by {}", row.name), "time [s]", vec![panel])
}

/// Noise over delay, one line for each family of methods; logarithmic, because it spans decades.
fn trade(comparison: &Comparison, unit: &str) -> LinePlot {
    let panels = QUANTITIES.map(|(name, per, _)| {
        let lines = FAMILIES.map(|family| {
            let rows = comparison.rows.iter().filter(|row| row.name.starts_with(family));
            let points = rows.map(|row| {
                let figures = if name == "rate" { row.rate } else { row.acceleration };
                (1e3 * figures.delay_s, figures.noise.log10())
            });
            // A logarithm of nothing, or of no figure, is no point.
            Series::new(family, points.filter(|(late_ms, noise)| late_ms.is_finite() && noise.is_finite()).collect())
        });
        Panel::new(format!("log₁₀ {name} noise [{unit}/{per}]"), lines.into())
    });
    LinePlot::new("Noise over delay", "late by [ms]", panels.into())
}

/// The delay, which was searched in vain where nothing finite remains.
fn delay_s(figures: &Figures) -> f64 {
    if figures.noise.is_finite() { figures.delay_s } else { f64::NAN }
}

fn figure(value: f64, decimals: usize) -> String {
    if value.is_finite() { format!("{value:.decimals$}") } else { "no figure".to_owned() }
}

/// A cell of a table for programs, empty where there is no figure.
fn cell(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

pub fn print(comparison: &Comparison, unit: &str) {
    let (rate, acceleration) = (format!("rate ({unit}/s)"), format!("acceleration ({unit}/s²)"));
    println!("  {:14} {rate:>31}   {acceleration:>34}", "");
    println!(
        "  {:14} {:>9} {:>10} {:>10}   {:>9} {:>12} {:>12}",
        "method", "late (ms)", "noise", "error", "late (ms)", "noise", "error"
    );
    for row in &comparison.rows {
        let (rate, acceleration) = (&row.rate, &row.acceleration);
        println!(
            "  {:14} {:>9} {:>10} {:>10}   {:>9} {:>12} {:>12}",
            row.name,
            figure(1e3 * delay_s(rate), 2),
            figure(rate.noise, 3),
            figure(rate.error, 3),
            figure(1e3 * delay_s(acceleration), 2),
            figure(acceleration.noise, 1),
            figure(acceleration.error, 1)
        );
    }
    println!("  late: the shift that fits best; noise: root mean square besides that shift; error: without it");
}

pub fn csv(comparison: &Comparison) -> String {
    let mut text = String::from(
        "method,rate_delay_s,rate_noise_rms,rate_error_rms,acceleration_delay_s,acceleration_noise_rms,acceleration_error_rms\n",
    );
    for row in &comparison.rows {
        let cells = |figures: &Figures| [delay_s(figures), figures.noise, figures.error].map(cell).join(",");
        text += &format!("{},{},{}\n", row.name, cells(&row.rate), cells(&row.acceleration));
    }
    text
}
