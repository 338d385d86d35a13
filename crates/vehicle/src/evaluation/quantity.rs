//! What is recorded of a run. Names end in their units; those that `rtrd sim` writes as well have
//! the same name there.

/// A recorded quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// Simulated time.
    Time,
    /// Position of the vehicle's origin in E, x.
    X,
    /// Position, y.
    Y,
    /// Position, z.
    Z,
    /// Distance driven.
    Distance,
    /// Heading, positive to the left, without jumps.
    Heading,
    /// Roll, positive when leaning to the right.
    Roll,
    /// Pitch, positive nose down.
    Pitch,
    /// Forward speed.
    Speed,
    /// Sideslip angle at the centre of gravity of the body: positive when it moves to the left.
    Sideslip,
    /// Yaw rate.
    YawRate,
    /// Roll rate.
    RollRate,
    /// Acceleration forward at the centre of gravity of the body.
    ForwardAcceleration,
    /// Acceleration to the left at the centre of gravity of the body.
    LateralAcceleration,
    /// Acceleration upwards at the centre of gravity of the body.
    VerticalAcceleration,
    /// Steering-wheel angle.
    SteeringWheel,
    /// Mean angle of the front wheels to the body.
    RoadWheel,
    /// Displacement of the rack (mm), or angle of the steered wheels (mrad).
    Rack,
    /// Throttle pedal.
    Throttle,
    /// Brake pedal.
    Brake,
    /// Gear.
    Gear,
    /// Speed of the engine.
    EngineSpeed,
    /// How far the anti-lock system takes pressure away.
    Antilock,
    /// Force of the air against the direction of travel.
    AirResistance,
    /// Least load on a wheel.
    LeastLoad,
    /// Longitudinal slip of the wheel that slips most.
    LargestSlip,
    /// Least distance between the sides of the vehicle and the cones; not a number where there are
    /// none.
    Clearance,
    /// Angle between tractor and trailer, zero for one unit.
    Articulation,
}

impl Quantity {
    /// All of them, in the order of the recording's columns.
    pub const ALL: [Self; 28] = [
        Self::Time,
        Self::X,
        Self::Y,
        Self::Z,
        Self::Distance,
        Self::Heading,
        Self::Roll,
        Self::Pitch,
        Self::Speed,
        Self::Sideslip,
        Self::YawRate,
        Self::RollRate,
        Self::ForwardAcceleration,
        Self::LateralAcceleration,
        Self::VerticalAcceleration,
        Self::SteeringWheel,
        Self::RoadWheel,
        Self::Rack,
        Self::Throttle,
        Self::Brake,
        Self::Gear,
        Self::EngineSpeed,
        Self::Antilock,
        Self::AirResistance,
        Self::LeastLoad,
        Self::LargestSlip,
        Self::Clearance,
        Self::Articulation,
    ];

    /// The name of the column.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Time => "time_s",
            Self::X => "x_m",
            Self::Y => "y_m",
            Self::Z => "z_m",
            Self::Distance => "distance_m",
            Self::Heading => "heading_deg",
            Self::Roll => "roll_deg",
            Self::Pitch => "pitch_deg",
            Self::Speed => "speed_km_h",
            Self::Sideslip => "sideslip_deg",
            Self::YawRate => "yaw_rate_deg_s",
            Self::RollRate => "roll_rate_deg_s",
            Self::ForwardAcceleration => "forward_acceleration_m_s2",
            Self::LateralAcceleration => "lateral_acceleration_m_s2",
            Self::VerticalAcceleration => "vertical_acceleration_m_s2",
            Self::SteeringWheel => "steering_wheel_deg",
            Self::RoadWheel => "road_wheel_deg",
            Self::Rack => "rack_mm",
            Self::Throttle => "throttle_ratio",
            Self::Brake => "brake_ratio",
            Self::Gear => "gear",
            Self::EngineSpeed => "engine_speed_rpm",
            Self::Antilock => "antilock_ratio",
            Self::AirResistance => "air_resistance_n",
            Self::LeastLoad => "least_wheel_load_n",
            Self::LargestSlip => "largest_slip_ratio",
            Self::Clearance => "clearance_m",
            Self::Articulation => "articulation_deg",
        }
    }
}
