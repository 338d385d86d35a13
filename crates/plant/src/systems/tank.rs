//! Water in a tank (RTSDS §4.1): a pump fills it through one valve, gravity empties it through
//! another.
//!
//! | symbol | here | |
//! | --- | --- | --- |
//! | n | `level_cm` | level of the water, the state |
//! | V_e, V_o | `inlet_valve_ratio`, `outlet_valve_ratio` | openings of the valves, the inputs, 0 to 1 |
//! | q_m | `pump_flow_cm3_s` | flow of the pump |
//! | A, a | `tank_area_cm2`, `outlet_area_cm2` | cross-sections of the tank and of the outlet pipe |
//! | g | `gravity_cm_s2` | gravity: 980 cm/s² |
//! | n_max | `level_max_cm` | height of the tank |
//!
//! ```text
//! (1)  A·ṅ = q_e − V_o·q_s             RTSDS Eq. 5, 8
//! (2)  q_e = q_m·V_e                   RTSDS Eq. 5
//! (3)  q_s = a·√(2·g·n)                RTSDS Eq. 5 (Torricelli)
//! (4)  0 ≤ n ≤ n_max                   RTSDS Eq. 6, 10
//! ```
//!
//! Differences from the printed text:
//! - Everything is in centimetres, so g = 980 cm/s². RTSDS §5.1 states a greatest outflow of 17.81
//!   cm³/s; Eq. (3) with its own a = 0.1781 cm² gives 43.2 cm³/s at 30 cm, and only this makes an
//!   inlet of 0.457 settle inside the tank (at 16 cm).
//! - Eq. (4) has a lower end too. The printed one has only the upper, but a step of a nearly empty
//!   tank may end below zero, where the root of Eq. (3) does not exist; the root is taken of
//!   max(n, 0) as well, because a stage of an integrator may lie there.

use super::{fill, limit_to};
use crate::description::{Description, Port, Range, value};
use crate::ode::System;

const RATIO: Range = Range::new(0.0, 1.0);

/// The constants of the tank.
#[derive(Clone, Debug, PartialEq)]
pub struct Tank {
    pump_flow_cm3_s: f64,
    tank_area_cm2: f64,
    outlet_area_cm2: f64,
    gravity_cm_s2: f64,
    level_max_cm: f64,
}

impl Tank {
    /// The parameters with the values of RTSDS §5.1.
    pub fn parameters() -> Vec<Port> {
        vec![
            Port::new(
                "pump_flow_cm3_s",
                "cm³/s",
                Range::new(0.0, 1e6),
                69.0,
                "flow of the pump with the inlet valve open, q_m",
            ),
            Port::new("tank_area_cm2", "cm²", Range::new(1e-3, 1e6), 15.518, "cross-section of the tank, A"),
            Port::new("outlet_area_cm2", "cm²", Range::new(0.0, 1e6), 0.1781, "cross-section of the outlet pipe, a"),
            Port::new("gravity_cm_s2", "cm/s²", Range::new(0.0, 1e5), 980.0, "acceleration of gravity, g"),
            Port::new(
                "level_max_cm",
                "cm",
                Range::new(1e-3, 1e6),
                30.0,
                "height of the tank; more water spills over, n_max",
            ),
        ]
    }

    /// A tank with the given constants.
    pub fn new(parameters: &[Port]) -> Self {
        let value = |name| value(parameters, name);
        Tank {
            pump_flow_cm3_s: value("pump_flow_cm3_s"),
            tank_area_cm2: value("tank_area_cm2"),
            outlet_area_cm2: value("outlet_area_cm2"),
            gravity_cm_s2: value("gravity_cm_s2"),
            level_max_cm: value("level_max_cm"),
        }
    }

    /// Eq. (2): flow into the tank (cm³/s).
    fn inflow(&self, inlet_valve: f64) -> f64 {
        self.pump_flow_cm3_s * inlet_valve
    }

    /// Eq. (3) behind the valve: flow out of the tank (cm³/s).
    fn outflow(&self, level_cm: f64, outlet_valve: f64) -> f64 {
        outlet_valve * self.outlet_area_cm2 * (2.0 * self.gravity_cm_s2 * level_cm.max(0.0)).sqrt()
    }
}

impl System for Tank {
    fn describe(&self) -> Description {
        let levels = Range::new(0.0, self.level_max_cm);
        let inflows = Range::new(0.0, self.inflow(1.0));
        let outflows = Range::new(0.0, self.outflow(self.level_max_cm, 1.0));
        Description {
            name: "tank".into(),
            summary: "water in a tank with a pump, an inlet valve and an outlet valve".into(),
            inputs: vec![
                Port::new("inlet_valve_ratio", "1", RATIO, 0.0, "opening of the inlet valve, V_e"),
                Port::new("outlet_valve_ratio", "1", RATIO, 1.0, "opening of the outlet valve, V_o"),
            ],
            outputs: vec![
                Port::new("level_cm", "cm", levels, 0.0, "level of the water, n"),
                Port::new("inflow_cm3_s", "cm³/s", inflows, 0.0, "flow into the tank, q_e"),
                Port::new("outflow_cm3_s", "cm³/s", outflows, 0.0, "flow out of the tank, V_o·q_s"),
            ],
            states: vec![Port::new("level_cm", "cm", levels, 0.0, "level of the water, n")],
        }
    }

    fn derivative(&self, _time_s: f64, state: &[f64], inputs: &[f64], derivative: &mut [f64]) {
        let (level_cm, inlet_valve, outlet_valve) = (state[0], inputs[0], inputs[1]);
        // Eq. (1)
        let flow_cm3_s = self.inflow(inlet_valve) - self.outflow(level_cm, outlet_valve);
        derivative[0] = flow_cm3_s / self.tank_area_cm2;
    }

    fn limit(&self, state: &mut [f64]) -> bool {
        limit_to(&mut state[0], 0.0, self.level_max_cm) // Eq. (4)
    }

    fn outputs(&self, state: &[f64], inputs: &[f64], outputs: &mut [f64]) {
        let values = [state[0], self.inflow(inputs[0]), self.outflow(state[0], inputs[1])];
        fill(outputs, values);
    }
}
