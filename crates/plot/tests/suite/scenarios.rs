//! Every shipped scenario gives a plot with a panel per unit.

use plant::simulation::ColumnKind;
use plant::{Scenario, Trace, simulate};
use plot::{LinePlot, Quantity, panels};

fn plot_of(scenario: &Scenario, trace: &Trace) -> LinePlot {
    let quantities = trace.columns().iter().map(|column| {
        let quantity = Quantity::named(&column.port.name, column.values.clone());
        if column.kind == ColumnKind::Demand { quantity.demanded() } else { quantity }
    });
    let panels = panels(trace.times_s(), &quantities.collect::<Vec<_>>());
    let title = match scenario.figure() {
        Some(figure) => format!("{} ({figure})", scenario.name()),
        None => scenario.name().to_string(),
    };
    LinePlot::new(title, "time [s]", panels)
}

#[test]
fn every_scenario_gives_a_plot() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in Scenario::builtin_names() {
        let scenario = Scenario::builtin(name).expect("a shipped scenario");
        let plot = plot_of(&scenario, &simulate(&scenario, |_| {}));
        let path = folder.path().join(format!("{name}.svg"));
        plot.write_svg(&path).expect("a plot");
        let svg = std::fs::read_to_string(&path).expect("the file");
        check_structure(name, &svg, &plot);
    }
}

fn check_structure(name: &str, svg: &str, plot: &LinePlot) {
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{name}");
    assert!(points_of(svg).all(|(x, y)| (0..=4500).contains(&x) && (0..=9000).contains(&y)), "{name}");
    assert!(svg.len() < 600_000, "{name}: {} bytes; a long series must be thinned", svg.len());
    for text in plot.panels.iter().map(|panel| &panel.y_label).chain([&plot.title, &plot.x_label]) {
        assert!(svg.contains(&format!(">\n{text}\n<")), "{name}: no text `{text}`");
    }
    let series = plot.panels.iter().flat_map(|panel| &panel.series);
    for series in series {
        assert!(svg.contains(&format!(">\n{}\n<", series.name)), "{name}: no legend for `{}`", series.name);
    }
}

/// The points of all lines.
fn points_of(svg: &str) -> impl Iterator<Item = (i32, i32)> + '_ {
    let lists = svg.split("points=\"").skip(1).filter_map(|rest| rest.split('"').next());
    lists.flat_map(|list| list.split_whitespace()).map(|pair| {
        let (x, y) = pair.split_once(',').expect("a pair");
        (x.parse().expect("a pixel"), y.parse().expect("a pixel"))
    })
}
