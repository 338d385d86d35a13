//! A tyre and roads of closed form, and a vehicle on them, for tests of what is around them.

pub mod files;

use std::collections::BTreeMap;
use std::sync::Arc;
use vehicle::brake::{Brake, BrakeState};
use vehicle::mechanism::{Mechanism, Start, without_spin};
use vehicle::rotation::RotationSetup;
use vehicle::state::Stateful;
use vehicle::subsystems::{External, Models, Subsystems};
use vehicle::terrain::{Ground, Hint, Terrain};
use vehicle::tyre::{Relaxation, Slip, SlipForces, Tyre};
use vehicle::{DriverInput, Forces, Vector3, WHEELS_MAX};

pub const STEP_S: f64 = 1e-3;

/// Linear at small slip, limited by friction: F = c N s / √(1 + (c s/μ)²).
#[derive(Clone, Copy)]
pub struct ClosedFormTyre {
    pub radius_m: f64,
    pub stiffness_n_m: f64,
    pub damping_ns_m: f64,
    /// Slip stiffness over load, along and across.
    pub slope: [f64; 2],
    pub friction: f64,
    pub rolling: f64,
    /// Pneumatic trail (m).
    pub trail_m: f64,
    /// Loads for which it is made (N).
    pub range_n: (f64, f64),
}

impl ClosedFormTyre {
    pub const HMMWV: Self = Self {
        radius_m: 0.4699,
        stiffness_n_m: 326_332.0,
        damping_ns_m: 3483.9,
        slope: [12.0, 12.0],
        friction: 0.8,
        rolling: 0.0,
        trail_m: 0.0,
        range_n: (0.0, 20_000.0),
    };
}

impl Tyre for ClosedFormTyre {
    fn radius_m(&self) -> f64 {
        self.radius_m
    }

    fn load_n(&self, deflection_m: f64, rate_m_s: f64, _spin_rad_s: f64) -> f64 {
        if deflection_m <= 0.0 {
            return 0.0;
        }
        (self.stiffness_n_m * deflection_m + self.damping_ns_m * rate_m_s).max(0.0)
    }

    fn rolling_radius_m(&self, load_n: f64, _spin_rad_s: f64) -> f64 {
        self.radius_m - load_n / self.stiffness_n_m / 3.0
    }

    fn forces(&self, slip: &Slip) -> SlipForces {
        let limit = self.friction * slip.friction * slip.load_n;
        let (x, y) = (self.slope[0] * slip.load_n * slip.longitudinal, -self.slope[1] * slip.load_n * slip.lateral);
        let scale = if limit > 0.0 { 1.0 / (1.0 + (x * x + y * y) / (limit * limit)).sqrt() } else { 0.0 };
        SlipForces {
            longitudinal_n: x * scale,
            lateral_n: y * scale,
            aligning_nm: -self.trail_m * y * scale,
            rolling_nm: -self.rolling * slip.load_n * self.radius_m,
            ..SlipForces::default()
        }
    }

    fn relaxation(&self, _load_n: f64, _camber_rad: f64) -> Relaxation {
        Relaxation { longitudinal_m: 0.3, lateral_m: 0.5 }
    }

    fn load_range_n(&self) -> (f64, f64) {
        self.range_n
    }
}

/// All numbers of a state.
pub fn saved(part: &(impl Stateful + ?Sized)) -> Vec<f64> {
    let mut values = vec![f64::NAN; 512];
    let count = part.save(&mut values);
    assert!(count <= values.len());
    values.truncate(count);
    values
}

/// The steering wheel at an angle (rad), with its rate and acceleration.
pub fn turned(angle: f64, rate: f64, acceleration: f64) -> DriverInput {
    DriverInput {
        steering_angle_rad: angle,
        steering_rate_rad_s: rate,
        steering_acceleration_rad_s2: acceleration,
        ..DriverInput::RELEASED
    }
}

/// One step of brakes on wheels that turn like this; wheels that are not there hold NaN.
pub fn press(brake: &mut dyn Brake, input: &DriverInput, spin: &[f64], free: &[f64], step_s: f64) -> [f64; WHEELS_MAX] {
    let mut capacity = [f64::NAN; WHEELS_MAX];
    let state = BrakeState { input, spin_rad_s: spin, free_spin_rad_s: free, step_s };
    brake.capacities(&state, &mut capacity[..spin.len()]);
    capacity
}

/// A plane that rises along x.
pub struct Plane {
    pub grade: f64,
}

impl Terrain for Plane {
    fn at(&self, x_m: f64, _y_m: f64, _hint: &mut Hint) -> Ground {
        Ground {
            height_m: self.grade * x_m,
            normal: Vector3::new(-self.grade, 0.0, 1.0).normalised().expect("not zero"),
            friction: 1.0,
        }
    }
}

/// A vehicle on tyres of closed form, without any other subsystem.
pub struct Car {
    pub mechanism: Mechanism,
    pub subsystems: Subsystems,
}

impl Car {
    pub fn new(model: &str, tyre: ClosedFormTyre, grade: f64, start: &Start) -> Self {
        let description = multibody::shipped::description(model).expect("shipped");
        let (model, inertia_kg_m2) = without_spin(&description).expect("wheels come off");
        let count = inertia_kg_m2.len();
        let tyres: Vec<Arc<dyn Tyre>> = (0..count).map(|_| Arc::new(tyre) as Arc<dyn Tyre>).collect();
        let terrain = Arc::new(Plane { grade });
        let driven: BTreeMap<String, f64> =
            model.driven().iter().map(|driven| (model.description().joints[driven.joint].name.clone(), 1.0)).collect();
        let mechanism = Mechanism::new(model, &driven, &tyres, &*terrain, start, STEP_S).expect("it stands");
        let models = Models {
            terrain,
            rotation: RotationSetup { tyres, inertia_kg_m2, substeps: 2 },
            powertrain: None,
            brake: None,
            steering: None,
            aerodynamics: None,
            compliance: Vec::new(),
            steered_by: mechanism.steered_by(),
            wind: None,
            step_s: STEP_S,
            rolling_start: true,
        };
        Self { mechanism, subsystems: Subsystems::new(models) }
    }

    /// One step with released pedals.
    pub fn step(&mut self, external: &External) -> Forces {
        let response = *self.subsystems.answer(self.mechanism.motion(), &DriverInput::RELEASED, external);
        self.mechanism.step(&response);
        response
    }

    /// The velocity in V (m/s).
    pub fn velocity_m_s(&self) -> Vector3 {
        self.mechanism.motion().velocity_m_s
    }
}
