//! Which quantities share a panel, and what its axis is called.

use crate::{Panel, Series};

/// Quantities of one unit share a panel unless one is this much smaller than the largest.
const MAGNITUDES: f64 = 10.0;

/// A quantity over a common axis, before it has its place in a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// In words: `lateral acceleration`.
    pub name: String,
    /// As people write it: `m/s²`; `1` for a ratio, empty for what is counted.
    pub unit: String,
    /// Whether this is what was asked, not what happened.
    pub is_demand: bool,
    /// One value for each place of the common axis.
    pub values: Vec<f64>,
}

impl Quantity {
    /// What happened, by a name that ends in its unit: `level_cm`.
    pub fn named(name: &str, values: Vec<f64>) -> Self {
        let (name, unit) = words_and_unit(name);
        Self { name, unit: unit.to_owned(), is_demand: false, values }
    }

    /// The same, as what was asked.
    pub fn demanded(self) -> Self {
        Self { is_demand: true, ..self }
    }

    fn peak(&self) -> f64 {
        let sizes = self.values.iter().filter(|value| value.is_finite()).map(|value| value.abs());
        sizes.fold(0.0, f64::max)
    }

    fn series(&self, along: &[f64]) -> Series {
        let points = along.iter().copied().zip(self.values.iter().copied()).collect();
        match (self.is_demand, self.unit.is_empty()) {
            (true, _) => Series::new(format!("{}, demand", self.name), points).dashed(),
            (_, true) => Series::new(&self.name, points).in_steps(),
            _ => Series::new(&self.name, points),
        }
    }
}

/// How names end, the unit, and what several quantities of it have in common. An ending that
/// contains another comes before it.
const UNITS: [(&str, &str, &str); 23] = [
    ("_cm3_s", "cm³/s", "flow"),
    ("_km_h", "km/h", "speed"),
    ("_deg_s", "°/s", "angular velocity"),
    ("_rad_s2", "rad/s²", "angular acceleration"),
    ("_rad_s", "rad/s", "angular velocity"),
    ("_m_s2", "m/s²", "acceleration"),
    ("_m_s", "m/s", "speed"),
    ("_ratio", "1", "ratio"),
    ("_deg", "°", "angle"),
    ("_rad", "rad", "angle"),
    ("_rpm", "rpm", "speed"),
    ("_mm", "mm", "distance"),
    ("_cm", "cm", "level"),
    ("_bar", "bar", "pressure"),
    ("_nm", "Nm", "torque"),
    ("_kw", "kW", "power"),
    ("_hz", "Hz", "frequency"),
    ("_us", "µs", "time"),
    ("_m", "m", "distance"),
    ("_n", "N", "force"),
    ("_j", "J", "energy"),
    ("_w", "W", "power"),
    ("_s", "s", "time"),
];

/// `level_cm` as `level` and `cm`; what has no unit is counted.
fn words_and_unit(name: &str) -> (String, &'static str) {
    let found = UNITS.iter().find_map(|(ending, unit, _)| Some((name.strip_suffix(ending)?, *unit)));
    let (stem, unit) = found.unwrap_or((name, ""));
    (stem.replace('_', " "), unit)
}

/// The quantity and its unit, for an axis: `level_cm` is `level [cm]`.
pub fn axis_title(name: &str) -> String {
    let (words, unit) = words_and_unit(name);
    titled(&words, unit)
}

fn titled(words: &str, unit: &str) -> String {
    if unit.is_empty() { words.to_owned() } else { format!("{words} [{unit}]") }
}

/// Panels in the order of the quantities: one for each unit and magnitude. A demand goes with what
/// it is the demand of.
pub fn panels(along: &[f64], quantities: &[Quantity]) -> Vec<Panel> {
    let mut groups: Vec<Vec<&Quantity>> = Vec::new();
    for quantity in quantities {
        match groups.iter_mut().find(|group| group[0].unit == quantity.unit && !quantity.unit.is_empty()) {
            Some(group) => group.push(quantity),
            None => groups.push(vec![quantity]),
        }
    }
    let groups = groups.into_iter().flat_map(by_magnitude);
    groups.map(|group| panel(along, &group)).collect()
}

/// What a reader can see on one axis. What is zero throughout goes with the smallest.
fn by_magnitude(group: Vec<&Quantity>) -> Vec<Vec<&Quantity>> {
    let peak = |name: &str| {
        let same = group.iter().filter(|quantity| quantity.name == name);
        same.map(|quantity| quantity.peak()).fold(0.0, f64::max)
    };
    let mut falling = group.clone();
    falling.sort_by(|left, right| peak(&right.name).total_cmp(&peak(&left.name)));
    let mut parts: Vec<(f64, Vec<&str>)> = Vec::new();
    for quantity in falling {
        let size = peak(&quantity.name);
        match parts.last_mut() {
            Some((largest, names)) if size == 0.0 || size * MAGNITUDES > *largest => {
                names.push(&quantity.name);
            }
            _ => parts.push((size, vec![&quantity.name])),
        }
    }
    let members = |names: Vec<&str>| {
        group.iter().copied().filter(|quantity| names.contains(&quantity.name.as_str())).collect::<Vec<_>>()
    };
    let mut parts: Vec<Vec<&Quantity>> = parts.into_iter().map(|(_, names)| members(names)).collect();
    let place = |part: &[&Quantity]| group.iter().position(|quantity| quantity.name == part[0].name);
    parts.sort_by_key(|part| place(part));
    parts
}

fn panel(along: &[f64], group: &[&Quantity]) -> Panel {
    let first = group[0];
    let is_one = group.iter().all(|quantity| quantity.name == first.name);
    let name = if is_one { &first.name } else { kind(&first.unit).unwrap_or(&first.name) };
    Panel::new(titled(name, &first.unit), group.iter().map(|quantity| quantity.series(along)).collect())
}

fn kind(unit: &str) -> Option<&'static str> {
    UNITS.iter().find_map(|(_, known, kind)| (*known == unit).then_some(*kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LineStyle;

    fn quantity(name: &str, values: [f64; 2]) -> Quantity {
        Quantity::named(name, values.into())
    }

    /// A roll of 2° cannot be read off an axis for 120° of steering wheel, nor 3 m to the side off
    /// one for 200 m of road.
    #[test]
    fn other_magnitudes_get_a_panel_of_their_own() {
        let quantities = [
            quantity("steering_wheel_deg", [0.0, 120.0]),
            quantity("gear", [1.0, 2.0]),
            quantity("brake_ratio", [0.0, 0.0]),
            quantity("throttle_ratio", [0.2, 0.3]),
            quantity("x_m", [0.0, 200.0]),
            quantity("y_m", [0.0, 3.0]),
            quantity("roll_deg", [0.0, -2.0]),
            quantity("pitch_deg", [0.0, 0.3]),
            quantity("level_cm", [15.0, 0.0]).demanded(),
            quantity("level_cm", [0.0, 15.0]),
        ];
        let found = panels(&[0.0, 1.0], &quantities);
        let titles: Vec<&str> = found.iter().map(|panel| panel.y_label.as_str()).collect();
        let expected = ["steering wheel [°]", "angle [°]", "gear", "ratio [1]", "x [m]", "y [m]", "level [cm]"];
        assert_eq!(titles, expected);
        assert_eq!(found[2].series[0].style, LineStyle::Steps);
        let names: Vec<&str> = found[6].series.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, ["level, demand", "level"]);
        assert_eq!(found[6].series[0].style, LineStyle::Dashed);
    }

    #[test]
    fn an_axis_says_the_quantity_and_its_unit() {
        let names = ["lateral_acceleration_m_s2", "engine_speed_rpm", "inflow_cm3_s", "gear"];
        let titles = ["lateral acceleration [m/s²]", "engine speed [rpm]", "inflow [cm³/s]", "gear"];
        assert_eq!(names.map(axis_title), titles);
    }
}
