//! `rtrd sim` as a user calls it: a mechanism with its reactions and with threads, a vehicle in a
//! manoeuvre with its files.

use std::path::Path;

use crate::support::Folder;

struct Table {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Table {
    fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        let mut lines = text.lines();
        let split = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let names = split(lines.next().unwrap());
        let rows: Vec<Vec<f64>> =
            lines.map(|line| split(line).iter().map(|it| it.parse().unwrap()).collect()).collect();
        assert!(rows.iter().all(|row: &Vec<f64>| row.len() == names.len()));
        Self { names, rows }
    }

    fn column(&self, name: &str) -> Vec<f64> {
        let place = self.names.iter().position(|it| it == name);
        let place = place.unwrap_or_else(|| panic!("no column {name} in {:?}", self.names));
        self.rows.iter().map(|row| row[place]).collect()
    }
}

/// A bar of 1 kg and 1 m, released at 60°: with u from its centre to the pivot and t along its
/// motion, the pivot gives m c θ̈ t + m c θ̇² u − m g, where θ̈ = −(3/2) g sin θ and θ̇² = 3 g (cos
/// θ − cos 60°). Steps of 1 ms leave some 1e-6.
#[test]
fn reactions_of_the_pendulum_have_their_closed_form() {
    let folder = Folder::new();
    folder.text("sim pendulum --duration 2 --reactions --out motion.csv");
    let table = Table::read(&folder.path().join("motion.csv"));
    assert_eq!(table.rows.len(), 201);
    let (g, c) = (9.81, 0.5);
    for (row, angle) in table.column("pivot_0").iter().enumerate() {
        let (sine, cosine) = angle.sin_cos();
        let (turning, squared) = (-1.5 * g * sine, 3.0 * g * (cosine - 0.5));
        for (name, expected) in [
            ("pivot_force_x_n", c * (squared * sine - turning * cosine)),
            ("pivot_force_y_n", 0.0),
            ("pivot_force_z_n", c * (squared * cosine + turning * sine) + g),
            ("pivot_moment_x_nm", 0.0),
            ("pivot_moment_y_nm", 0.0),
            ("pivot_moment_z_nm", 0.0),
        ] {
            let found = table.column(name)[row];
            assert!((found - expected).abs() < 1e-5, "{name} in row {row}: {found} {expected}");
        }
    }
}

/// The rig holds the bar by three drives; at rest in the middle they have nothing to do, and each
/// has its column.
#[test]
fn drives_have_columns_of_their_own() {
    let folder = Folder::new();
    folder.text("sim antiroll-bar --duration 0.05 --reactions --out rig.csv");
    let table = Table::read(&folder.path().join("rig.csv"));
    for name in ["roll_0_drive", "lift_left_0_drive", "lift_right_0_drive", "link_left_force_z_n"] {
        assert!(table.column(name).iter().all(|it| it.abs() < 1e-9), "{name}");
    }
}

/// Whatever the threads, and whether or not the reactions are asked for, the motion has the same
/// digits.
#[test]
fn reactions_leave_every_digit_as_it_is() {
    let folder = Folder::new();
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    for model in ["hmmwv", "tractor-semitrailer", "four-bar"] {
        let path = models.join(model);
        let run = |more: &str| {
            folder.text(&format!("sim {} --duration 0.3 --out run.csv {more}", path.display()));
            Table::read(&folder.path().join("run.csv"))
        };
        let plain = run("");
        assert!(plain.rows.len() > 25 && plain.rows.iter().flatten().all(|it| it.is_finite()));
        let other = run("--reactions");
        assert_eq!(plain.rows.len(), other.rows.len());
        for (row, other) in plain.rows.iter().zip(&other.rows) {
            assert_eq!(row[..], other[..row.len()], "{model}");
        }
    }
}

#[test]
fn what_cannot_be_asked_for_is_said() {
    let folder = Folder::new();
    for (arguments, expected) in [
        ("sim pendulum --reactions", "--out <FILE.csv>"),
        ("sim hmmwv --out x.csv --reactions", "expected a mechanism"),
    ] {
        let message = folder.error(arguments);
        assert!(message.contains(expected), "{message}");
    }
}

/// 100 km/h, the wheel turned at 1 s: straight until then at its speed, to the left after.
#[test]
fn a_vehicle_in_a_manoeuvre_writes_its_table_and_its_plots() {
    let folder = Folder::new();
    let arguments = "--duration 2 --out run.csv --plot run.svg --trajectory path.svg";
    let page = folder.text(&format!("sim passenger-car --manoeuvre iso-7401-step {arguments}"));
    for part in ["2.000 s in ", "wrote run.csv (200 rows)", "wrote run.svg", "wrote path.svg"] {
        assert!(page.contains(part), "{part} is missing:\n{page}");
    }
    let table = Table::read(&folder.path().join("run.csv"));
    let (times, speeds) = (table.column("time_s"), table.column("speed_km_h"));
    let (x, y) = (table.column("x_m"), table.column("y_m"));
    let (steering, lateral) = (table.column("steering_wheel_deg"), table.column("lateral_acceleration_m_s2"));
    assert_eq!(times.len(), 200);
    for (row, time) in times.iter().enumerate() {
        assert!((time - 0.01 * row as f64).abs() < 1e-9);
        assert!((speeds[row] - 100.0).abs() < 2.0, "{time}: {}", speeds[row]);
    }
    // Straight on for the first second: 27.5 m between the first row and the hundredth.
    assert!(steering[98] == 0.0 && lateral[98].abs() < 0.05 && y[98].abs() < 0.05);
    assert!((x[99] - x[0] - 0.99 * 100.0 / 3.6).abs() < 0.3, "{} {}", x[0], x[99]);
    // The manoeuvre is meant for 4 m/s²; that of a whole second would lead 2 m to the left.
    assert!(steering[199] > 5.0 && (lateral[199] - 4.0).abs() < 0.8, "{}", lateral[199]);
    assert!(y[199] > 0.5 && y[199] < 2.0, "{}", y[199]);
    let plot = folder.read("run.svg");
    for title in ["speed [km/h]", "lateral acceleration [m/s²]", "engine speed [rpm]", "gear", "path"] {
        assert!(plot.contains(&format!(">\n{title}\n<")), "no axis or line {title}");
    }
    for name in ["run.svg", "path.svg"] {
        let svg = folder.read(name);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{name}");
        assert!(svg.contains("<polyline") || svg.contains("<path"), "{name} has a line");
    }
}

/// Whatever is written can be a reference: the same run is within the narrowest of bands around
/// itself, in every signal that a report knows. The row of a table is one step, that of a report
/// one step later for the subsystems, which is why the band is not of width zero.
#[test]
fn what_is_written_can_be_a_reference_for_all_vehicles() {
    let folder = Folder::new();
    for (vehicle, manoeuvre) in [
        ("passenger-car", "iso-7401-step"),
        ("hmmwv", "iso-7401-step-hmmwv"),
        ("tractor-semitrailer", "iso-7401-step-truck"),
    ] {
        folder.text(&format!("sim {vehicle} --manoeuvre {manoeuvre} --out run.csv"));
        let arguments = "--reference run.csv --tolerance 3 --out run.html";
        folder.text(&format!("report {manoeuvre} --vehicle {vehicle} {arguments}"));
        let page = folder.read("run.html");
        let compared = page.split("Against recorded data").nth(1).unwrap().split("</section>").next().unwrap();
        for name in ["speed_km_h", "yaw_rate_deg_s", "lateral_acceleration_m_s2", "least_wheel_load_n", "sideslip_deg"]
        {
            let row = compared.lines().find(|line| line.contains(&format!("<code>{name}</code>")));
            let row = row.unwrap_or_else(|| panic!("{vehicle}: {name} is not compared"));
            let next = compared.split(row).nth(1).unwrap().lines().nth(1).unwrap();
            assert!(next.contains("100 %") || row.contains("100 %"), "{vehicle}: {name}: {row}\n{next}");
        }
    }
}

/// The HMMWV's published static loads: 6532.156 N on a front wheel, 6107.656 N on a rear one. At
/// the first step it has not moved yet; the road of the default drive is even there.
#[test]
fn any_signal_can_be_written_by_pattern() {
    let folder = Folder::new();
    let patterns = "vehicle.wheels[*].load_n,speed_km_h,joints.chassis_*,forces.wheels[*].force_n.z";
    folder.text(&format!("sim hmmwv --road flat --duration 0.05 --out run.csv --signals {patterns}"));
    let table = Table::read(&folder.path().join("run.csv"));
    assert_eq!(table.names.iter().filter(|name| name.ends_with(".load_n")).count(), 4);
    assert!(table.names.contains(&"joints.chassis_quaternion_w".to_owned()), "{:?}", table.names);
    for (wheel, expected) in [6532.156, 6532.156, 6107.656, 6107.656].into_iter().enumerate() {
        let load = table.column(&format!("vehicle.wheels[{wheel}].load_n"))[0];
        assert!((load / expected - 1.0).abs() < 0.03, "wheel {wheel}: {load}");
    }
    let message = folder.error("sim hmmwv --signals sped_km_h");
    assert!(message.contains("did you mean `speed_km_h`?"), "{message}");
}

/// A table without rows would be a table of NaN.
#[test]
fn a_manoeuvre_that_ends_at_once_is_an_error() {
    let folder = Folder::new();
    folder.write("at-once.toml", manoeuvre("", "[stop]\nx_above_m = -5.0\n"));
    let said = folder.error("sim passenger-car --manoeuvre at-once.toml --out signals.csv");
    assert!(said.contains("at-once") && said.contains("ends at once"), "{said}");
    let said = folder.error("sim passenger-car --duration 1e-9 --out signals.csv");
    assert!(said.contains("--duration") && said.contains("shorter than a step"), "{said}");
    assert!(!folder.path().join("signals.csv").exists());
    // One step is a row.
    let said = folder.text("sim passenger-car --duration 0.001");
    assert!(!said.contains("NaN"), "{said}");
}

/// Squares of such numbers are no numbers any more.
#[test]
fn what_has_no_figure_is_said_to_have_none() {
    let folder = Folder::new();
    let rows: String = (0..400).map(|row| format!("{},{}e200\n", 0.005 * f64::from(row), row % 7)).collect();
    folder.write("huge.csv", format!("time_s,angle\n{rows}"));
    let said = folder.text("daq differentiators huge.csv --out figures.csv");
    assert!(said.contains("no figure") && !said.contains("inf") && !said.contains("NaN"), "{said}");
    let table = folder.read("figures.csv");
    assert!(!table.contains("inf") && !table.contains("NaN"), "{table}");
}

#[test]
fn a_start_below_the_road_is_refused_with_its_place() {
    let folder = Folder::new();
    folder.write("buried.toml", manoeuvre("height_m = -10.0\n", ""));
    let said = folder.error("sim passenger-car --manoeuvre buried.toml");
    assert!(said.contains("buried.toml:5:") && said.contains("height_m") && said.contains("-10"), "{said}");
}

fn manoeuvre(initial: &str, more: &str) -> String {
    format!(
        "name = \"at-once\"\nvehicle = \"passenger-car\"\n\n[initial]\n{initial}speed_m_s = 10.0\n\n[steering]\n\
         kind = \"hold\"\n\n[speed]\nkind = \"pedals\"\n\n{more}"
    )
}
