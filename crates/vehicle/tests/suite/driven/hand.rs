//! How slowly a vehicle may at most gather speed, as one would work it out by hand from its files:
//! a mass, a torque curve and a staircase of gears. Nothing of the powertrain's code is in it.
//!
//! ```text
//! t ≤ Σ Δv m*/(F − f₀ − f₂ v²) + shifts × shift time + J_e (ω_launch − ω_idle)/T
//! F = min(T(ω) i η/R, μ_slide N_driven)
//! m* = m + Σ J/R² + ((J_e + J_in) i² + J_out i_f² + Σ J_half)/R²,   i = i_gear i_f
//! ```
//! Each simplification makes it slower: nothing pushes during a change of gear, though an automatic
//! gearbox hands over under load; the converter multiplies no torque; driven wheels carry no more
//! than at rest and have no more than the friction of a locked wheel. Wheels that spin run ahead of
//! the vehicle, so the gearbox changes too early: up to the gear behind the last one in which the
//! engine can spin them, though no farther than it would change back.

use super::{Run, braking};
use vehicle::simulation::Simulation;

/// Steps of the sum.
const PARTS: usize = 1000;
/// Slip at which a converter's engine meets its turbine at full throttle near the change of gear:
/// with a tenth of slip the shipped ones take more than their engines give.
const CONVERTER: f64 = 0.9;
const RAD_S_PER_RPM: f64 = std::f64::consts::PI / 30.0;

/// What the file of a powertrain says.
pub struct Staircase {
    /// Speed (rad/s) and torque (Nm) at full throttle.
    full: Vec<(f64, f64)>,
    gears: Vec<f64>,
    /// Speeds of the gearbox's input (rad/s) at which the pedal to the floor changes up and back.
    up_rad_s: Vec<f64>,
    back_rad_s: Vec<f64>,
    final_drive: f64,
    efficiency: f64,
    shift_s: f64,
    engine_kg_m2: f64,
    input_kg_m2: f64,
    /// Output shaft and half-shafts, seen at the wheels.
    wheels_kg_m2: f64,
    idle_rad_s: f64,
    launch_rad_s: f64,
    converter: Option<Converter>,
    /// Driven wheels, counted from zero.
    driven: Vec<usize>,
}

struct Converter {
    /// Torque ratio at stall.
    stall_ratio: f64,
    /// The first gear, counted from zero, in which it locks, and the speed of the turbine (rad/s)
    /// below which it opens again.
    locks_from: usize,
    opens_rad_s: f64,
}

pub fn number(value: &toml::Value) -> f64 {
    let whole = value.as_integer().map(|number| number as f64);
    value.as_float().or(whole).expect("a number")
}

/// A shipped file.
pub fn table(folder: &str, name: &str) -> toml::Table {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let text = std::fs::read_to_string(format!("{models}/{folder}/{name}.toml"));
    toml::from_str(&text.expect("a shipped file")).expect("a good file")
}

fn pairs(value: &toml::Value) -> Vec<(f64, f64)> {
    let rows = value.as_array().expect("rows").iter();
    rows.map(|row| (number(&row[0]), number(&row[1]))).collect()
}

impl Staircase {
    pub fn read(powertrain: &str) -> Self {
        let file = table("powertrains", powertrain);
        let (engine, launch, gearbox) = (&file["engine"], &file["launch"], &file["gearbox"]);
        let of_table = |rows: &toml::Value| {
            let rows = pairs(rows).into_iter();
            rows.map(|(rpm, value)| (rpm * RAD_S_PER_RPM, value)).collect()
        };
        // Pairs of a schedule are for the released pedal and for the pedal on the floor.
        let floored = |rows: &toml::Value| {
            let rows = pairs(rows).into_iter();
            rows.map(|(_, rpm)| rpm * RAD_S_PER_RPM).collect::<Vec<f64>>()
        };
        let axles = file["axles"].as_array().expect("axles");
        let final_drive = number(&axles[0]["ratio"]);
        let halves: f64 = axles.iter().map(|axle| 2.0 * number(&axle["half_shaft_inertia_kg_m2"])).sum();
        let driven = axles.iter().flat_map(|axle| {
            let wheels = axle["wheels"].as_array().expect("wheels").iter();
            wheels.map(|wheel| number(wheel) as usize - 1)
        });
        let gears: Vec<f64> = gearbox["forward"].as_array().expect("gears").iter().map(number).collect();
        let mut staircase = Self {
            full: of_table(&engine["full"]),
            up_rad_s: floored(&gearbox["up_rpm"]),
            back_rad_s: floored(&gearbox["down_rpm"]),
            final_drive,
            efficiency: number(&gearbox["efficiency"]),
            shift_s: number(&gearbox["shift_time_s"]),
            engine_kg_m2: number(&engine["inertia_kg_m2"]),
            input_kg_m2: number(&gearbox["input_inertia_kg_m2"]),
            wheels_kg_m2: number(&gearbox["output_inertia_kg_m2"]) * final_drive * final_drive + halves,
            idle_rad_s: number(&engine["idle_rpm"]) * RAD_S_PER_RPM,
            launch_rad_s: 0.0,
            converter: None,
            driven: driven.collect(),
            gears,
        };
        if launch["kind"].as_str() == Some("converter") {
            staircase.converter = Some(Converter {
                stall_ratio: pairs(&launch["ratio"])[0].1,
                locks_from: number(&launch["lock_up_from_gear"]) as usize - 1,
                opens_rad_s: number(&launch["lock_up_off_rpm"]) * RAD_S_PER_RPM,
            });
            staircase.launch_rad_s = staircase.stall_rad_s(pairs(&launch["capacity"])[0].1);
        } else {
            // Where the clutch begins to bite.
            staircase.launch_rad_s = number(&launch["engage_rpm"][0]) * RAD_S_PER_RPM;
        }
        staircase
    }

    /// T(ω) at full throttle (Nm), between the points of the table.
    fn torque_nm(&self, rad_s: f64) -> f64 {
        let after = self.full.partition_point(|(speed, _)| *speed < rad_s);
        let after = after.clamp(1, self.full.len() - 1);
        let ((x0, y0), (x1, y1)) = (self.full[after - 1], self.full[after]);
        y0 + (y1 - y0) * (rad_s - x0) / (x1 - x0)
    }

    /// Where engine and standing turbine meet: ω = K √T(ω).
    fn stall_rad_s(&self, capacity: f64) -> f64 {
        let [mut low, mut high] = [self.idle_rad_s, self.full[self.full.len() - 2].0];
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if middle < capacity * self.torque_nm(middle).max(0.0).sqrt() {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The least torque (Nm) of the engine when the gearbox's input turns like this. The curves
    /// have one peak, so what lies between two speeds is not less than the lesser of both ends.
    fn least_nm(&self, gear: usize, input_rad_s: f64) -> f64 {
        let Some(converter) = &self.converter else {
            return self.torque_nm(input_rad_s.max(self.launch_rad_s));
        };
        // Open, the engine turns at stall at least.
        let fastest = (input_rad_s / CONVERTER).max(self.launch_rad_s);
        let open_nm = self.torque_nm(self.launch_rad_s).min(self.torque_nm(fastest));
        if gear >= converter.locks_from && input_rad_s > converter.opens_rad_s {
            open_nm.min(self.torque_nm(input_rad_s))
        } else {
            open_nm
        }
    }

    /// The longest time (s) from standstill to a speed (m/s), against a rolling resistance (N) and
    /// f₂ of the air (N s²/m²).
    pub fn longest_s(&self, run: &Run, speed: f64, rolling_n: f64, quadratic: f64) -> f64 {
        let StaticLoads { radius, sliding_n } = StaticLoads::new(run, &self.driven);
        let force_n =
            |gear: usize, torque_nm: f64| torque_nm * self.gears[gear] * self.final_drive * self.efficiency / radius;
        let most_nm = self.full.iter().map(|(_, torque)| *torque).fold(0.0, f64::max);
        let open = |gear: &usize| self.converter.as_ref().filter(|it| *gear < it.locks_from);
        let spins = |gear: &usize| {
            let ratio = open(gear).map_or(1.0, |converter| converter.stall_ratio);
            force_n(*gear, ratio * most_nm) > sliding_n
        };
        let last = self.gears.len() - 1;
        let early = (0..last).filter(spins).map(|gear| gear + 1).max();
        let input = |gear: usize, v: f64| v / radius * self.final_drive * self.gears[gear];
        let (mut seconds, mut highest) = (0.0, 0);
        let part = speed / PARTS as f64;
        for number in 0..PARTS {
            let v = (number as f64 + 0.5) * part;
            let due = (0..last).find(|gear| input(*gear, v) < self.up_rad_s[*gear]);
            let due = due.unwrap_or(last);
            let kept = (1..=last).filter(|gear| input(*gear, v) > self.back_rad_s[gear - 1]);
            let gear = due.max(kept.max().unwrap_or(0).min(early.unwrap_or(0)));
            let push_n = force_n(gear, self.least_nm(gear, input(gear, v))).min(sliding_n);
            let ratio = self.gears[due] * self.final_drive;
            let turning = (self.engine_kg_m2 + self.input_kg_m2) * ratio * ratio + self.wheels_kg_m2;
            let mass = run.context.mass_kg + run.context.turning_mass_kg + turning / (radius * radius);
            let left_n = push_n - rolling_n - quadratic * v * v;
            assert!(left_n > 0.0, "by hand it does not reach {v} m/s");
            seconds += part * mass / left_n;
            highest = highest.max(gear);
        }
        let rise_nm = self.torque_nm(self.idle_rad_s).min(self.torque_nm(self.launch_rad_s));
        let rise_s = self.engine_kg_m2 * (self.launch_rad_s - self.idle_rad_s) / rise_nm;
        seconds + highest as f64 * self.shift_s + rise_s
    }
}

/// What the driven wheels do at rest.
struct StaticLoads {
    /// R_e of the first (m).
    radius: f64,
    /// Σ μ_slide N (N).
    sliding_n: f64,
}

impl StaticLoads {
    fn new(run: &Run, driven: &[usize]) -> Self {
        let mut simulation = Simulation::new(&run.setup).expect("a vehicle");
        simulation.step();
        let standing = &simulation.subsystems().state().wheels;
        let on = |wheel: usize| (&*run.setup.tyres[wheel], standing[wheel].load_n);
        let slides = driven.iter().map(|wheel| {
            let (tyre, load_n) = on(*wheel);
            load_n * braking(tyre, load_n, 1.0)
        });
        let (tyre, load_n) = on(driven[0]);
        Self { radius: tyre.rolling_radius_m(load_n, 0.0), sliding_n: slides.sum() }
    }
}

/// The same for motors without gears at the rear wheels: F = min(T/R, P/v, μ_slide N), with the
/// torque of all of them at the wheels (Nm), their power (W) and their inertia at the wheels (kg
/// m²).
pub fn longest_with_motors_s(
    run: &Run,
    speed: f64,
    [torque_nm, power_w, inertia_kg_m2]: [f64; 3],
    [rolling_n, quadratic]: [f64; 2],
) -> f64 {
    let StaticLoads { radius, sliding_n } = StaticLoads::new(run, &[2, 3]);
    let mass = run.context.mass_kg + run.context.turning_mass_kg + inertia_kg_m2 / (radius * radius);
    let part = speed / PARTS as f64;
    let parts = (0..PARTS).map(|number| {
        let v = (number as f64 + 0.5) * part;
        let push_n = (torque_nm / radius).min(power_w / v).min(sliding_n);
        part * mass / (push_n - rolling_n - quadratic * v * v)
    });
    parts.sum()
}
