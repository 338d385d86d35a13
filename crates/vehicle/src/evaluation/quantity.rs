//! What is recorded of a run. Names end in their units; those that `rtrd sim` writes as well have
//! the same name there.

/// Declares each quantity once, with its name.
macro_rules! quantities {
    ($($(#[$doc:meta])* $quantity:ident $name:literal,)*) => {
        /// A recorded quantity.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Quantity {
            $($(#[$doc])* $quantity,)*
        }

        impl Quantity {
            /// All of them, in the order of the recording's columns.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$quantity),*];

            /// The name of the column.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$quantity => $name,)*
                }
            }
        }
    };
}

quantities! {
    /// Simulated time.
    Time "time_s",
    /// Position of the vehicle's origin in E, x.
    X "x_m",
    /// Position, y.
    Y "y_m",
    /// Position, z.
    Z "z_m",
    /// Distance driven.
    Distance "distance_m",
    /// Heading, positive to the left, without jumps.
    Heading "heading_deg",
    /// Roll, positive when leaning to the right.
    Roll "roll_deg",
    /// Pitch, positive nose down.
    Pitch "pitch_deg",
    /// Forward speed.
    Speed "speed_km_h",
    /// Sideslip angle at the centre of gravity of the body: positive when it moves to the left.
    Sideslip "sideslip_deg",
    /// Yaw rate.
    YawRate "yaw_rate_deg_s",
    /// Roll rate.
    RollRate "roll_rate_deg_s",
    /// Acceleration forward at the centre of gravity of the body.
    ForwardAcceleration "forward_acceleration_m_s2",
    /// Acceleration to the left at the centre of gravity of the body.
    LateralAcceleration "lateral_acceleration_m_s2",
    /// Acceleration upwards at the centre of gravity of the body.
    VerticalAcceleration "vertical_acceleration_m_s2",
    /// Steering-wheel angle.
    SteeringWheel "steering_wheel_deg",
    /// Mean angle of the front wheels to the body.
    RoadWheel "road_wheel_deg",
    /// Displacement of the rack (mm), or angle of the steered wheels (mrad).
    Rack "rack_mm",
    /// Throttle pedal.
    Throttle "throttle_ratio",
    /// Brake pedal.
    Brake "brake_ratio",
    /// Gear.
    Gear "gear",
    /// Speed of the engine.
    EngineSpeed "engine_speed_rpm",
    /// How far the anti-lock system takes pressure away.
    Antilock "antilock_ratio",
    /// Force of the air against the direction of travel.
    AirResistance "air_resistance_n",
    /// Least load on a wheel.
    LeastLoad "least_wheel_load_n",
    /// Longitudinal slip of the wheel that slips most.
    LargestSlip "largest_slip_ratio",
    /// Least distance between the sides of the vehicle and the cones; not a number where there are
    /// none.
    Clearance "clearance_m",
    /// Angle between tractor and trailer, zero for one unit.
    Articulation "articulation_deg",
}
