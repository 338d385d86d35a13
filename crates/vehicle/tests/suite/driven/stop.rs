//! How far a vehicle whose brakes are too weak to lock a wheel goes until it stops, by hand from
//! the file of its air brakes:
//! ```text
//! m* v̇ = −Σ T_i(p_i)/R − f₀ − f₂ v²,     τ_i ṗ_i = p_pedal − p_i,     m* = m + Σ J/R²
//! ```
//! T_i is the table of an axle's two brakes. The pedal goes to the floor evenly in the time of the
//! manoeuvre.

use super::Run;
use super::hand::{number, table};

const STEP_S: f64 = 1e-4;

struct Line {
    lag_s: f64,
    pressure_bar: Vec<f64>,
    torque_nm: Vec<f64>,
    bar: f64,
}

impl Line {
    fn read(axle: &toml::Value) -> Self {
        let list = |name: &str| axle[name].as_array().expect("a list").iter().map(number).collect();
        Self {
            lag_s: number(&axle["lag_s"]),
            pressure_bar: list("pressure_bar"),
            torque_nm: list("torque_nm"),
            bar: 0.0,
        }
    }

    /// Both brakes of the axle (Nm).
    fn torque_nm(&self) -> f64 {
        let after = self.pressure_bar.partition_point(|bar| *bar < self.bar);
        let after = after.clamp(1, self.pressure_bar.len() - 1);
        let [x0, x1] = [self.pressure_bar[after - 1], self.pressure_bar[after]];
        let [y0, y1] = [self.torque_nm[after - 1], self.torque_nm[after]];
        2.0 * (y0 + (y1 - y0) * (self.bar - x0) / (x1 - x0))
    }
}

/// Distance (m) from the first movement of the pedal, which takes `foot_s` to the floor, against a
/// rolling resistance (N) and f₂ of the air (N s²/m²).
pub fn distance_m(run: &Run, brake: &str, foot_s: f64, rolling_n: f64, quadratic: f64) -> f64 {
    let file = table("brakes", brake);
    let full_bar = number(&file["pedal"]["full_bar"]);
    let axles = file["axle"].as_array().expect("axles");
    let mut lines: Vec<Line> = axles.iter().map(Line::read).collect();
    let load_n = run.context.mass_kg * 9.81 / run.setup.tyres.len() as f64;
    let radius = run.setup.tyres[0].rolling_radius_m(load_n, 0.0);
    let mass = run.context.mass_kg + run.context.turning_mass_kg;
    let (mut speed, mut time, mut way) = (run.figure("speed at the pedal") / 3.6, 0.0, 0.0);
    while speed > 0.0 {
        let pedal_bar = full_bar * f64::min(time / foot_s, 1.0);
        for line in &mut lines {
            line.bar += (pedal_bar - line.bar) * STEP_S / line.lag_s;
        }
        let brakes_n = lines.iter().map(Line::torque_nm).sum::<f64>() / radius;
        let slowed_n = brakes_n + rolling_n + quadratic * speed * speed;
        way += speed * STEP_S;
        speed -= slowed_n / mass * STEP_S;
        time += STEP_S;
    }
    way
}
