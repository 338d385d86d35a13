//! The comparison as a table, for people and for programs.

use board_emulator::differentiators::{Comparison, Figures};

/// Prints the table.
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
            "  {:14} {:>9.2} {:>10.3} {:>10.3}   {:>9.2} {:>12.1} {:>12.1}",
            row.name,
            1e3 * rate.delay_s,
            rate.noise,
            rate.error,
            1e3 * acceleration.delay_s,
            acceleration.noise,
            acceleration.error
        );
    }
    println!("  late: the shift that fits best; noise: root mean square besides that shift; error: without it");
}

/// The table as CSV.
pub fn csv(comparison: &Comparison) -> String {
    let mut text = String::from(
        "method,rate_delay_s,rate_noise_rms,rate_error_rms,acceleration_delay_s,acceleration_noise_rms,acceleration_error_rms\n",
    );
    for row in &comparison.rows {
        let cells = |figures: &Figures| format!("{},{},{}", figures.delay_s, figures.noise, figures.error);
        text += &format!("{},{},{}\n", row.name, cells(&row.rate), cells(&row.acceleration));
    }
    text
}
