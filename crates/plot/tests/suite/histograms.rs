//! Histogram plots: structure, sizes and the errors of both kinds of plot.

use plot::{Bin, Distribution, HistogramPlot, LinePlot, Panel, PlotError, Series};

/// Bins like those of a latency histogram: a bulk with a tail that falls by a factor per bin, and
/// one outlier.
fn falling(name: &str, peak_us: f64, outlier_us: f64) -> Distribution {
    let bin = |index: u32| {
        let from_us = peak_us * 1.05f64.powi(index as i32);
        Bin { from_us, to_us: from_us * 1.05, count: (200_000.0 * 0.85f64.powi(index as i32)) as u64 }
    };
    let outlier = Bin { from_us: outlier_us, to_us: outlier_us * 1.05, count: 1 };
    Distribution::new(name, (0..60).map(bin).chain([outlier]).collect())
}

fn comparison(log_x: bool) -> HistogramPlot {
    let distributions = vec![falling("our loop", 18.0, 900.0), falling("cyclictest", 21.0, 6200.0)];
    HistogramPlot::new("Wake-up latency at 1 kHz", "wake-up latency [µs]", log_x, distributions)
}

#[test]
fn distributions_are_drawn_with_their_percentiles() {
    for log_x in [false, true] {
        let svg = comparison(log_x).to_svg().expect("a plot");
        for text in
            ["our loop", "cyclictest", "wake-up latency [µs]", "samples per bin", "p50", "p99.9", "max", "6.51 ms"]
        {
            assert!(svg.contains(&format!(">\n{text}\n<")), "log_x {log_x}: no text `{text}`");
        }
        assert!(svg.matches("<polygon").count() >= 4, "a bulk and an outlier for each");
        assert!(svg.len() < 100_000, "{} bytes", svg.len());
    }
}

#[test]
fn a_plot_of_nothing_is_an_error_that_names_it() {
    let empty = HistogramPlot::new("Nothing", "x", false, vec![Distribution::new("none", vec![])]).to_svg();
    assert!(matches!(empty, Err(PlotError::Empty { .. })));
    let series = vec![Series::new("gaps", vec![(0.0, f64::NAN)])];
    let empty = LinePlot::new("Gaps", "x", vec![Panel::new("y", series)]).to_svg();
    let message = empty.expect_err("nothing to draw").to_string();
    assert!(message.contains("Gaps") && message.contains("expected at least one"), "{message}");
    assert!(LinePlot::new("No panels", "x", vec![]).to_svg().is_err());
}

#[test]
fn a_folder_that_does_not_exist_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("missing").join("plot.svg");
    let message = comparison(false).write_svg(&path).expect_err("no folder").to_string();
    assert!(message.contains(&path.display().to_string()), "{message}");
}

#[test]
fn texts_are_escaped() {
    let series = vec![Series::new("a < b & c", vec![(0.0, 0.0), (1.0, 1.0)])];
    let svg = LinePlot::new("<title>", "x", vec![Panel::new("y", series)]).to_svg().expect("a plot");
    assert!(svg.contains("a &lt; b &amp; c") && svg.contains("&lt;title&gt;") && !svg.contains("<title>"));
}

#[test]
fn one_point_and_one_value_can_be_drawn() {
    let series = vec![Series::new("one", vec![(3.0, 4.0)]), Series::new("flat", vec![(3.0, 4.0), (3.0, 4.0)]).dashed()];
    let svg = LinePlot::new("One", "x", vec![Panel::new("y", series)]).to_svg().expect("a plot");
    assert!(svg.contains("flat"));
    let bin = Bin { from_us: 0.0, to_us: 1.0, count: 1 };
    let plot = HistogramPlot::new("One", "x", true, vec![Distribution::new("one", vec![bin])]);
    assert!(plot.to_svg().expect("a plot").contains("<polygon"));
}

#[test]
fn a_million_points_stay_a_small_file() {
    let points = (0..1_000_000).map(|step| (f64::from(step) * 1e-3, (f64::from(step) * 0.7).sin())).collect();
    let panel = Panel::new("noise [1]", vec![Series::new("noise", points)]);
    let svg = LinePlot::new("Noise", "time [s]", vec![panel]).to_svg().expect("a plot");
    assert!(svg.len() < 100_000, "{} bytes", svg.len());
}
