//! Signals for people: other units and what follows from several numbers of one block. A view is
//! worked out by who looks and is never stored.

use crate::blocks::{FORCES, Forces, KINEMATICS, Kinematics, VEHICLE, VehicleState};

/// A signal that is worked out from one block.
#[derive(Debug)]
pub struct View {
    /// Name; the unit comes last in it.
    pub name: &'static str,
    /// Unit, `-` where there is none.
    pub unit: &'static str,
    /// What the value means.
    pub description: &'static str,
    /// How it is worked out.
    pub of: Of,
}

/// The block that a view is worked out from, and how.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names are those of the payloads")]
pub enum Of {
    Kinematics(fn(&Kinematics) -> f64),
    Forces(fn(&Forces) -> f64),
    Vehicle(fn(&VehicleState) -> f64),
}

impl Of {
    /// Position of the block in the table of blocks.
    pub const fn block(self) -> usize {
        match self {
            Self::Kinematics(_) => KINEMATICS.index,
            Self::Forces(_) => FORCES.index,
            Self::Vehicle(_) => VEHICLE.index,
        }
    }
}

/// A wheel with less than this load does not slip in a way that matters (N).
const LIGHT_N: f64 = 50.0;
/// rpm in a rad/s.
const RPM: f64 = 60.0 / std::f64::consts::TAU;

macro_rules! views {
    ($($name:ident $unit:literal = $block:ident($value:expr), $description:literal;)*) => {
        /// All views, in the order in which people look at them.
        pub const VIEWS: &[View] =
            &[$(View { name: stringify!($name), unit: $unit, of: Of::$block($value), description: $description }),*];
    };
}

views! {
    time_s "s" = Kinematics(|it| it.time_s), "simulated time";
    speed_km_h "km/h" = Kinematics(|it| 3.6 * it.velocity_m_s.x), "forward speed";
    x_m "m" = Kinematics(|it| it.position_m.x), "position of the vehicle's origin, x";
    y_m "m" = Kinematics(|it| it.position_m.y), "position, y";
    z_m "m" = Kinematics(|it| it.position_m.z), "position, z";
    heading_deg "°" = Kinematics(|it| it.yaw_rad().to_degrees()), "heading, positive to the left";
    roll_deg "°" = Kinematics(|it| it.roll_rad().to_degrees()), "roll, positive when leaning to the right";
    pitch_deg "°" = Kinematics(|it| it.pitch_rad().to_degrees()), "pitch, positive nose down";
    yaw_rate_deg_s "°/s" = Kinematics(|it| it.rate_rad_s.z.to_degrees()), "yaw rate, positive to the left";
    roll_rate_deg_s "°/s" = Kinematics(|it| it.rate_rad_s.x.to_degrees()), "roll rate";
    road_wheel_deg "°" = Kinematics(|it| road_wheel_rad(it).to_degrees()), "mean angle of the front wheels to the body";
    articulation_deg "°" = Kinematics(|it| articulation_rad(it).to_degrees()),
        "angle between the first unit and the last axle; zero for one unit";
    steering_wheel_deg "°" = Vehicle(|it| it.input.steering_angle_rad.to_degrees()),
        "steering-wheel angle that the models used, positive to the left";
    throttle_ratio "-" = Vehicle(|it| it.input.throttle_ratio), "throttle pedal that the models used";
    brake_ratio "-" = Vehicle(|it| it.input.brake_ratio), "brake pedal that the models used";
    gear "-" = Vehicle(|it| it.gear as f64), "gear, -1 reverse, 0 neutral";
    engine_speed_rpm "rpm" = Vehicle(|it| RPM * it.engine_speed_rad_s), "speed of the engine";
    engine_torque_nm "Nm" = Vehicle(|it| it.engine_torque_nm), "torque of the engine";
    antilock_ratio "-" = Vehicle(|it| it.antilock_ratio), "how far the anti-lock system takes pressure away";
    air_resistance_n "N" = Vehicle(|it| -it.air_force_n.x), "force of the air against the direction of travel";
    least_wheel_load_n "N" = Vehicle(least_load_n), "least load on a wheel";
    largest_slip_ratio "-" = Vehicle(largest_slip), "longitudinal slip of the wheel that slips most";
    rack_mm "mm" = Forces(|it| 1e3 * it.steering.rack_displacement_m),
        "displacement of the steering rack, positive to the left";
    steer_deg "°" = Forces(|it| it.steering.angle_rad.to_degrees()),
        "angle by which a vehicle without a rack is steered";
}

/// The view of a name.
pub fn find(name: &str) -> Option<&'static View> {
    VIEWS.iter().find(|view| view.name == name)
}

/// The axle of a wheel, against the vehicle's y axis.
fn turned_rad(axle: crate::Vector3) -> f64 {
    (-axle.x).atan2(axle.y)
}

fn road_wheel_rad(motion: &Kinematics) -> f64 {
    let front = &motion.wheels()[..motion.wheels().len().min(2)];
    let back = motion.orientation.conjugate();
    let angles = front.iter().map(|wheel| turned_rad(back.rotate(wheel.axle)));
    angles.sum::<f64>() / front.len().max(1) as f64
}

/// Heading of the first unit less that of the last axle.
fn articulation_rad(motion: &Kinematics) -> f64 {
    let [.., left, right] = motion.wheels() else {
        return 0.0;
    };
    let turned = motion.yaw_rad() - turned_rad(left.position_m - right.position_m);
    turned.sin().atan2(turned.cos())
}

fn least_load_n(state: &VehicleState) -> f64 {
    state.wheels().iter().map(|wheel| wheel.load_n).fold(f64::INFINITY, f64::min)
}

fn largest_slip(state: &VehicleState) -> f64 {
    let slips = state.wheels().iter().filter(|wheel| wheel.load_n > LIGHT_N).map(|wheel| wheel.slip_ratio);
    slips.fold(0.0, |most: f64, slip| if slip.abs() > most.abs() { slip } else { most })
}
