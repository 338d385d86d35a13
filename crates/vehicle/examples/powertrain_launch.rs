//! Draws a launch of the HMMWV at full throttle through its gears: `powertrain_launch FILE.svg`.

use plot::{LinePlot, Panel, Series};
use vehicle::DriverInput;
use vehicle::files::Source;
use vehicle::powertrain::{Drive, Powertrain, read_train};

const MASS_KG: f64 = 2577.0;
const RADIUS_M: f64 = 0.463;
const WHEEL_KG_M2: f64 = 7.8;
/// Rolling resistance and drag by the square of the speed.
const RESISTANCE: [f64; 2] = [380.0, 1.6];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = std::env::args().nth(1).ok_or("expected the name of an SVG file")?;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/powertrains/hmmwv.toml");
    let text = std::fs::read(path)?;
    let mut train = read_train(&Source::new(path, &text), 4)?;
    let (mut drive, mut spin, h) = (Drive::new(4), [0.0_f64; 4], 2.5e-4);
    let mut lines: [Vec<(f64, f64)>; 6] = Default::default();
    for step in 0..25_000 {
        let t = 1e-3 * f64::from(step);
        let input = DriverInput { throttle_ratio: 1.0, ..DriverInput::RELEASED };
        train.begin_step(&input, &spin, 1e-3);
        let mut torque = 0.0;
        for _ in 0..4 {
            train.torques(&spin, h, &mut drive);
            let inertia = MASS_KG * RADIUS_M.powi(2) + 4.0 * WHEEL_KG_M2 + drive.inertia_kg_m2.iter().sum::<f64>();
            let slope: f64 = drive.damping.iter().sum();
            let speed = spin[0] * RADIUS_M;
            let resisting = (RESISTANCE[0] + RESISTANCE[1] * speed * speed) * RADIUS_M;
            let driving: f64 = drive.torque_nm.iter().sum();
            let change = h * (driving - resisting) / (inertia + h * slope);
            torque = driving - slope * change;
            spin = spin.map(|it| it + change);
            train.advance(&spin, h);
        }
        let shown = train.instruments();
        let rpm = 30.0 / std::f64::consts::PI;
        let row = [
            shown.engine_torque_nm,
            torque / 10.0,
            f64::from(shown.gear),
            shown.engine_speed_rad_s * rpm,
            train.input_rad_s() * rpm,
            spin[0] * RADIUS_M * 3.6,
        ];
        lines.iter_mut().zip(row).for_each(|(line, value)| line.push((t, value)));
    }
    let [engine, wheels, gear, crankshaft, input, speed] = lines;
    let panels = vec![
        Panel::new("torque [Nm]", vec![Series::new("engine", engine), Series::new("wheels / 10", wheels)]),
        Panel::new("gear", vec![Series::new("gear", gear)]),
        Panel::new("speed [rpm]", vec![Series::new("engine", crankshaft), Series::new("gearbox input", input)]),
        Panel::new("speed [km/h]", vec![Series::new("vehicle", speed)]),
    ];
    let plot = LinePlot::new("HMMWV: launch at full throttle", "time [s]", panels);
    std::fs::write(target, plot.to_svg()?)?;
    Ok(())
}
