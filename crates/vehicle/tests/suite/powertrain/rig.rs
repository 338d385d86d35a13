//! Wheels for a powertrain to turn: free ones with torques on them, or all of one vehicle that
//! rolls without slip.

use vehicle::DriverInput;
use vehicle::files::Source;
use vehicle::powertrain::{Drive, Powertrain, Train, read_train};

/// The shipped powertrains with the number of wheels of their vehicles.
pub const SHIPPED: [(&str, usize); 7] = [
    ("hmmwv", 4),
    ("hmmwv-quasi-static", 4),
    ("hmmwv-recorded-run", 4),
    ("passenger-car", 4),
    ("buggy", 4),
    ("tractor", 10),
    ("electric-car", 4),
];

/// All of them, with those that are not a train.
pub const EVERY: [(&str, usize); 8] =
    [SHIPPED[0], SHIPPED[1], SHIPPED[2], SHIPPED[3], SHIPPED[4], SHIPPED[5], SHIPPED[6], ("wheel-motors", 4)];

/// rad/s of one revolution per minute.
pub const RPM: f64 = std::f64::consts::PI / 30.0;

/// The text of a shipped file.
pub fn text(name: &str) -> String {
    crate::support::files::text_of("powertrains", name)
}

pub fn shipped(name: &str, wheels: usize) -> Train {
    parse(&text(name), wheels)
}

pub fn parse(text: &str, wheels: usize) -> Train {
    read_train(&Source::new("test.toml", text.as_bytes()), wheels).unwrap_or_else(|error| panic!("{error}"))
}

/// A rigid engine without losses on the rear axle of four wheels: 200 Nm at any speed, −20 Nm with
/// the pedal released.
pub const PLAIN: &str = r#"
[engine]
kind = "curves"
full = [[-9000.0, 200.0], [9000.0, 200.0]]
closed = [[-9000.0, -20.0], [9000.0, -20.0]]
inertia_kg_m2 = 0.2
[gearbox]
forward = [3.0]
[[axles]]
wheels = [3, 4]
ratio = 4.0
"#;

pub fn drive(throttle: f64) -> DriverInput {
    DriverInput { throttle_ratio: throttle, ..DriverInput::RELEASED }
}

/// A step of 1 ms in which the wheels keep their speeds: the torques on them.
pub fn held(train: &mut dyn Powertrain, input: &DriverInput, spin: &[f64]) -> Drive {
    let mut drive = Drive::new(spin.len());
    train.begin_step(input, spin, 1e-3);
    train.torques(spin, 1e-3, &mut drive);
    train.advance(spin, 1e-3);
    drive
}

/// Wheels that turn freely, each with its inertia.
pub struct Wheels {
    pub spin_rad_s: Vec<f64>,
    pub inertia_kg_m2: Vec<f64>,
    /// Torque of the road on each (Nm).
    pub road_nm: Vec<f64>,
    /// Torque of the powertrain on each in the last substep (Nm).
    pub torque_nm: Vec<f64>,
    drive: Drive,
}

impl Wheels {
    pub fn new(count: usize, inertia_kg_m2: f64, spin_rad_s: f64) -> Self {
        Self {
            spin_rad_s: vec![spin_rad_s; count],
            inertia_kg_m2: vec![inertia_kg_m2; count],
            road_nm: vec![0.0; count],
            torque_nm: vec![0.0; count],
            drive: Drive::new(count),
        }
    }

    pub fn step(&mut self, train: &mut dyn Powertrain, input: &DriverInput, step_s: f64, substeps: usize) {
        train.begin_step(input, &self.spin_rad_s, step_s);
        for _ in 0..substeps {
            self.substep(train, step_s / substeps as f64);
        }
    }

    /// (J + J_drive + h D) ΔΩ = h (T_drive + T_road)
    pub fn substep(&mut self, train: &mut dyn Powertrain, h: f64) {
        let count = self.spin_rad_s.len();
        train.torques(&self.spin_rad_s, h, &mut self.drive);
        let drive = &self.drive;
        let mut matrix: Vec<f64> = drive.damping.iter().map(|it| h * it).collect();
        for k in 0..count {
            matrix[k * count + k] += self.inertia_kg_m2[k] + drive.inertia_kg_m2[k];
        }
        let right = (0..count).map(|k| h * (drive.torque_nm[k] + self.road_nm[k])).collect();
        let change = solve(matrix, right);
        for k in 0..count {
            let slope: f64 = (0..count).map(|j| drive.damping[k * count + j] * change[j]).sum();
            self.torque_nm[k] = drive.torque_nm[k] - slope;
            self.spin_rad_s[k] += change[k];
        }
        train.advance(&self.spin_rad_s, h);
    }
}

/// Gaussian elimination; the matrix is symmetric and positive definite, so it needs no pivoting.
fn solve(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for k in 0..n {
        for row in k + 1..n {
            let factor = matrix[row * n + k] / matrix[k * n + k];
            for column in k..n {
                matrix[row * n + column] -= factor * matrix[k * n + column];
            }
            right[row] -= factor * right[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|column| matrix[k * n + column] * right[column]).sum();
        right[k] = (right[k] - known) / matrix[k * n + k];
    }
    right
}

/// A vehicle that rolls without slip: one speed.
pub struct Rolling {
    pub speed_m_s: f64,
    pub mass_kg: f64,
    pub radius_m: f64,
    /// Force against forward motion (N).
    pub resistance_n: f64,
    /// Torque of the powertrain on all wheels in the last substep (Nm).
    pub torque_nm: f64,
    pub spin_rad_s: Vec<f64>,
    drive: Drive,
}

impl Rolling {
    pub fn new(wheels: usize, mass_kg: f64, radius_m: f64, speed_m_s: f64) -> Self {
        Self {
            speed_m_s,
            mass_kg,
            radius_m,
            resistance_n: 0.0,
            torque_nm: 0.0,
            spin_rad_s: vec![speed_m_s / radius_m; wheels],
            drive: Drive::new(wheels),
        }
    }

    /// So many steps of 1 ms.
    pub fn run(&mut self, train: &mut dyn Powertrain, input: &DriverInput, steps: usize, substeps: usize) {
        for _ in 0..steps {
            self.step(train, input, 1e-3, substeps);
        }
    }

    pub fn step(&mut self, train: &mut dyn Powertrain, input: &DriverInput, step_s: f64, substeps: usize) {
        self.spin_rad_s.fill(self.speed_m_s / self.radius_m);
        train.begin_step(input, &self.spin_rad_s, step_s);
        let h = step_s / substeps as f64;
        for _ in 0..substeps {
            self.spin_rad_s.fill(self.speed_m_s / self.radius_m);
            train.torques(&self.spin_rad_s, h, &mut self.drive);
            let inertia = self.mass_kg * self.radius_m.powi(2) + self.drive.inertia_kg_m2.iter().sum::<f64>();
            let slope: f64 = self.drive.damping.iter().sum();
            let torque: f64 = self.drive.torque_nm.iter().sum();
            let change = h * (torque - self.resistance_n * self.radius_m) / (inertia + h * slope);
            self.torque_nm = torque - slope * change;
            self.speed_m_s += change * self.radius_m;
            self.spin_rad_s.fill(self.speed_m_s / self.radius_m);
            train.advance(&self.spin_rad_s, h);
        }
    }
}
