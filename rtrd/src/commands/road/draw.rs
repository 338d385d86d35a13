//! A road from above, its heights (or its friction, where it is level) as colours.

use std::fmt::Write;

pub struct Sample {
    pub corners: [[f64; 2]; 4],
    pub height_m: f64,
    pub friction: f64,
    pub steepness_percent: f64,
}

const WIDTH: f64 = 900.0;
const MARGIN: f64 = 60.0;
const HEAD: f64 = 46.0;
const BAR: f64 = 70.0;
const SHADES: usize = 48;
/// Five colours of viridis (van der Walt and Smith 2015): even steps in lightness, and safe for
/// colour-blind readers.
const COLOURS: [[f64; 3]; 5] =
    [[68.0, 1.0, 84.0], [59.0, 82.0, 139.0], [33.0, 145.0, 140.0], [94.0, 201.0, 98.0], [253.0, 231.0, 37.0]];

fn colour(part: f64) -> String {
    let place = part.clamp(0.0, 1.0) * (COLOURS.len() - 1) as f64;
    let index = (place as usize).min(COLOURS.len() - 2);
    let mixed = |channel: usize| {
        let (low, high) = (COLOURS[index][channel], COLOURS[index + 1][channel]);
        (low + (place - index as f64) * (high - low)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2))
}

pub fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)])
}

/// From metres to the picture.
struct View {
    x: [f64; 2],
    y: [f64; 2],
    scale: f64,
}

impl View {
    fn around(samples: &[Sample]) -> Self {
        let axis =
            |axis: usize| range(samples.iter().flat_map(move |sample| sample.corners.map(|corner| corner[axis])));
        let (x, y) = (axis(0), axis(1));
        let room = WIDTH - 2.0 * MARGIN - BAR;
        let scale = (room / (x[1] - x[0]).max(1e-9)).min(620.0 / (y[1] - y[0]).max(1e-9));
        Self { x, y, scale }
    }

    fn place(&self, corner: [f64; 2]) -> (f64, f64) {
        (MARGIN + (corner[0] - self.x[0]) * self.scale, HEAD + (self.y[1] - corner[1]) * self.scale)
    }

    fn bottom(&self) -> f64 {
        HEAD + (self.y[1] - self.y[0]) * self.scale
    }
}

pub fn svg(title: &str, samples: &[Sample]) -> String {
    let heights = range(samples.iter().map(|sample| sample.height_m));
    let frictions = range(samples.iter().map(|sample| sample.friction));
    let is_level = heights[1] - heights[0] < 1e-9 && frictions[1] > frictions[0];
    let (values, name): (fn(&Sample) -> f64, _) =
        if is_level { (|sample| sample.friction, "friction [1]") } else { (|sample| sample.height_m, "height [m]") };
    let limits = if is_level { frictions } else { heights };
    let view = View::around(samples);
    let height = (view.bottom() + MARGIN).max(HEAD + 200.0);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{}</text>\n",
        title.replace('&', "&amp;").replace('<', "&lt;")
    );
    pieces(&mut text, &view, samples, values, limits);
    axes(&mut text, &view);
    bar(&mut text, limits, name);
    text.push_str("</svg>\n");
    text
}

/// All pieces of a shade in one path.
fn pieces(text: &mut String, view: &View, samples: &[Sample], value: fn(&Sample) -> f64, limits: [f64; 2]) {
    let mut paths = vec![String::new(); SHADES];
    let span = (limits[1] - limits[0]).max(1e-12);
    for sample in samples {
        let part = (value(sample) - limits[0]) / span;
        let path = &mut paths[((part * SHADES as f64) as usize).min(SHADES - 1)];
        for (index, corner) in sample.corners.iter().enumerate() {
            let (x, y) = view.place(*corner);
            let _ = write!(path, "{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' });
        }
        path.push('Z');
    }
    for (shade, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
        let fill = colour((shade as f64 + 0.5) / SHADES as f64);
        let _ = writeln!(text, "<path fill=\"{fill}\" stroke=\"{fill}\" stroke-width=\"0.4\" d=\"{path}\"/>");
    }
}

/// A round step that divides a length into about five.
fn step(length: f64) -> f64 {
    let rough = (length / 5.0).max(1e-9);
    let power = 10_f64.powf(rough.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    power * factors.into_iter().find(|factor| factor * power >= rough).unwrap_or(10.0)
}

fn axes(text: &mut String, view: &View) {
    let (left, bottom) = (MARGIN, view.bottom());
    let step_m = step((view.x[1] - view.x[0]).max(view.y[1] - view.y[0]));
    let places = (-step_m.log10().floor()).max(0.0) as usize;
    let ticks = |[low, high]: [f64; 2]| {
        let first = (low / step_m).ceil() as i64;
        (first..=(high / step_m).floor() as i64).map(move |tick| tick as f64 * step_m)
    };
    for x in ticks(view.x) {
        let at = view.place([x, view.y[0]]).0;
        let _ = writeln!(
            text,
            "<path stroke=\"#444\" d=\"M{at:.1} {:.1}v5\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{x:.places$}</text>",
            bottom + 6.0,
            bottom + 24.0
        );
    }
    for y in ticks(view.y) {
        let at = view.place([view.x[0], y]).1;
        let _ = writeln!(
            text,
            "<path stroke=\"#444\" d=\"M{:.1} {at:.1}h-5\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{y:.places$}</text>",
            left - 6.0,
            left - 14.0,
            at + 4.0
        );
    }
    let middle = 0.5 * (left + view.place([view.x[1], 0.0]).0);
    let _ = writeln!(text, "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">x [m]</text>", bottom + 42.0);
    let half = 0.5 * (HEAD + bottom);
    let _ = writeln!(
        text,
        "<text x=\"14\" y=\"{half:.1}\" transform=\"rotate(-90 14 {half:.1})\" text-anchor=\"middle\">y [m]</text>"
    );
}

fn bar(text: &mut String, limits: [f64; 2], name: &str) {
    let (left, length) = (WIDTH - BAR - 20.0, 140.0);
    for shade in 0..SHADES {
        let part = (shade as f64 + 0.5) / SHADES as f64;
        let top = HEAD + 16.0 + length * (1.0 - (shade + 1) as f64 / SHADES as f64);
        let _ = writeln!(
            text,
            "<rect x=\"{left}\" y=\"{top:.2}\" width=\"16\" height=\"{:.2}\" fill=\"{}\"/>",
            length / SHADES as f64 + 0.3,
            colour(part)
        );
    }
    let _ = writeln!(text, "<text x=\"{left}\" y=\"{:.1}\">{name}</text>", HEAD + 6.0);
    for (part, value) in [(0.0, limits[0]), (0.5, 0.5 * (limits[0] + limits[1])), (1.0, limits[1])] {
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{:.1}\">{value:.3}</text>",
            left + 22.0,
            HEAD + 20.0 + length * (1.0 - part)
        );
    }
}
