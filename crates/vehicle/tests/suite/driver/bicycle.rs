//! A single-track model with brush tyres (Fiala) and a longitudinal force from the pedals: a
//! vehicle that none of our code made.
//!
//! ```text
//! m (v̇ + u r) = F_f cos δ + F_r,   I ṙ = a F_f cos δ − b F_r,   u̇ = a_t throttle − a_b brake − c₀ − c₂ u²
//! F(α) of a brush: saturates at μ F_z
//! ```
//! Equations as in Abe, Vehicle Handling Dynamics, and Pacejka, Tyre and Vehicle Dynamics (brush
//! model with parabolic pressure).

use vehicle::driver::{Driver, DriverSetup, Manoeuvre};
use vehicle::{DriverInput, Kinematics, Quaternion, Vector3};

#[derive(Default)]
pub struct Bicycle {
    pub setup: DriverSetup,
    /// Front and rear distance of the centre of gravity (m).
    pub axles_m: [f64; 2],
    pub inertia_kg_m2: f64,
    /// Cornering stiffness of each axle (N/rad).
    pub stiffness_n_rad: [f64; 2],
    pub friction: f64,
    pub x: f64,
    pub y: f64,
    pub yaw: f64,
    pub forward: f64,
    pub lateral: f64,
    pub rate: f64,
    pub time_s: f64,
    pub lateral_acceleration: f64,
}

/// The three vehicles, with cornering stiffnesses of 12, 9 and 7 times the axle load:
/// understeering, as real ones.
pub fn car() -> Bicycle {
    Bicycle::new(DriverSetup { front_axle_m: 0.0, ..DriverSetup::default() }, 0.5, 2600.0, [11.0, 13.5])
}

pub fn hmmwv() -> Bicycle {
    let setup = DriverSetup {
        wheelbase_m: 3.378,
        front_axle_m: 1.69,
        steering_ratio: 20.0,
        steering_lock_rad: 12.0,
        track_m: 1.82,
        width_m: 2.19,
        mass_kg: 2580.0,
        ..DriverSetup::default()
    };
    Bicycle::new(setup, 0.49, 4500.0, [8.0, 11.0])
}

pub fn truck() -> Bicycle {
    let setup = DriverSetup {
        wheelbase_m: 4.78,
        front_axle_m: 0.0,
        steering_ratio: 20.0,
        steering_lock_rad: 12.0,
        track_m: 1.84,
        width_m: 2.5,
        mass_kg: 18_000.0,
        ..DriverSetup::default()
    };
    Bicycle::new(setup, 0.6, 60_000.0, [6.0, 8.0])
}

const GRAVITY: f64 = 9.81;

impl Bicycle {
    fn new(setup: DriverSetup, rear_share_of_wheelbase: f64, inertia_kg_m2: f64, per_load: [f64; 2]) -> Self {
        let a = rear_share_of_wheelbase * setup.wheelbase_m;
        let b = setup.wheelbase_m - a;
        let loads = [b, a].map(|arm| setup.mass_kg * GRAVITY * arm / setup.wheelbase_m);
        Self {
            setup,
            axles_m: [a, b],
            inertia_kg_m2,
            stiffness_n_rad: [per_load[0] * loads[0], per_load[1] * loads[1]],
            friction: 0.9,
            ..Self::default()
        }
    }

    /// The vehicle's origin, which is not its centre of gravity.
    pub fn motion(&self) -> Kinematics {
        let ahead = self.setup.front_axle_m - self.axles_m[0];
        let (sine, cosine) = self.yaw.sin_cos();
        Kinematics {
            time_s: self.time_s,
            position_m: Vector3::new(self.x - ahead * cosine, self.y - ahead * sine, 0.5),
            orientation: Quaternion::exp(Vector3::new(0.0, 0.0, self.yaw)),
            velocity_m_s: Vector3::new(self.forward, self.lateral - self.rate * ahead, 0.0),
            rate_rad_s: Vector3::new(0.0, 0.0, self.rate),
            acceleration_m_s2: Vector3::new(0.0, self.lateral_acceleration, 0.0),
            ..Kinematics::default()
        }
    }

    /// A point of the vehicle: ahead of the centre of gravity, and to the left.
    pub fn point(&self, ahead: f64, left: f64) -> [f64; 2] {
        let (sine, cosine) = self.yaw.sin_cos();
        [self.x + ahead * cosine - left * sine, self.y + ahead * sine + left * cosine]
    }

    /// The middle between the axles.
    pub fn middle(&self) -> [f64; 2] {
        self.point(0.5 * (self.axles_m[0] - self.axles_m[1]), 0.0)
    }

    fn brush(&self, axle: usize, slip: f64) -> f64 {
        let load = self.setup.mass_kg * GRAVITY * self.axles_m[1 - axle] / self.setup.wheelbase_m;
        let limit = self.friction * load;
        let reduced = self.stiffness_n_rad[axle] * slip.tan().abs() / (3.0 * limit);
        let share = if reduced >= 1.0 { 1.0 } else { 1.0 - (1.0 - reduced).powi(3) };
        -limit * share * slip.signum()
    }

    pub fn step(&mut self, input: &DriverInput, step_s: f64) {
        let steer = input.steering_angle_rad / self.setup.steering_ratio;
        let [a, b] = self.axles_m;
        let forward = self.forward.max(0.5);
        let front = self.brush(0, ((self.lateral + a * self.rate) / forward).atan() - steer) * steer.cos();
        let rear = self.brush(1, ((self.lateral - b * self.rate) / forward).atan());
        self.lateral_acceleration = (front + rear) / self.setup.mass_kg;
        self.lateral += (self.lateral_acceleration - self.forward * self.rate) * step_s;
        self.rate += (a * front - b * rear) / self.inertia_kg_m2 * step_s;
        let drag = if self.forward > 0.0 { 0.12 + 0.0004 * self.forward * self.forward } else { 0.0 };
        let pull = 3.0 * input.throttle_ratio - 9.0 * input.brake_ratio - drag;
        self.forward = (self.forward + pull * step_s).max(0.0);
        self.yaw += self.rate * step_s;
        let (sine, cosine) = self.yaw.sin_cos();
        self.x += (self.forward * cosine - self.lateral * sine) * step_s;
        self.y += (self.forward * sine + self.lateral * cosine) * step_s;
        self.time_s += step_s;
    }

    /// On the line at which a manoeuvre begins, with its speed.
    pub fn beginning(mut self, manoeuvre: &Manoeuvre) -> Self {
        self.forward = manoeuvre.initial.speed_m_s;
        self.x = self.setup.front_axle_m - self.axles_m[0];
        self
    }

    /// Drives until the driver has finished, at 2 ms; calls back after every step.
    pub fn run(&mut self, driver: &mut dyn Driver, mut seen: impl FnMut(&Self, &DriverInput)) {
        const STEP_S: f64 = 0.002;
        for _ in 0..500_000 {
            let motion = self.motion();
            if driver.has_finished(&motion) {
                return;
            }
            let input = driver.drive(&motion, STEP_S);
            self.step(&input, STEP_S);
            seen(self, &input);
        }
        panic!("a manoeuvre that does not end");
    }
}
