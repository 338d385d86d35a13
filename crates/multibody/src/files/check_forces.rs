//! Springs, bars, forces and wheels.

use super::check::{Checked, Checker, in_order};
use super::schema::{
    AngleStopText, AntirollText, LengthStopText, ParametersText, PointForceText, RsdaText, TsdaText, WheelText,
};
use crate::description::Description;
use crate::forces::{Antiroll, PointForce, Rsda, SimpleTyre, Stop, Tsda, Wheel};
use crate::math::Vector3;

impl Checker<'_> {
    pub(super) fn forces(&self, texts: &ParametersText, description: &mut Description) -> Checked<()> {
        for (name, text) in in_order(&texts.tsda) {
            let element = self.tsda(name.get_ref(), text, description)?;
            description.tsda.push(element);
        }
        for (name, text) in in_order(&texts.rsda) {
            let element = self.rsda(name.get_ref(), text, description)?;
            description.rsda.push(element);
        }
        for (name, text) in in_order(&texts.antiroll) {
            let element = self.antiroll(name.get_ref(), text, description)?;
            description.antiroll.push(element);
        }
        for (name, text) in in_order(&texts.point_force) {
            let element = self.point_force(name.get_ref(), text, description)?;
            description.point_forces.push(element);
        }
        for (name, text) in in_order(&texts.wheels) {
            let element = self.wheel(name.get_ref(), text, description)?;
            description.wheels.push(element);
        }
        Ok(())
    }

    fn length_stop(&self, text: &Option<LengthStopText>) -> Checked<Option<Stop>> {
        let Some(text) = text else { return Ok(None) };
        Ok(Some(Stop {
            limit: self.number(&text.length_m)?,
            stiffness: self.number(&text.stiffness_n_m)?,
            damping: self.optional(&text.damping_ns_m)?,
        }))
    }

    fn angle_stop(&self, text: &Option<AngleStopText>) -> Checked<Option<Stop>> {
        let Some(text) = text else { return Ok(None) };
        Ok(Some(Stop {
            limit: self.number(&text.angle_rad)?,
            stiffness: self.number(&text.stiffness_nm_rad)?,
            damping: self.optional(&text.damping_nms_rad)?,
        }))
    }

    fn tsda(&self, name: &str, text: &TsdaText, description: &Description) -> Checked<Tsda> {
        let points = self.points(&text.points_m)?;
        let drawn = (points[0] - points[1]).norm();
        let free_length = text.free_length_m.as_ref().map_or(Ok(drawn), |length| self.number(length))?;
        Ok(Tsda {
            name: name.into(),
            bodies: [self.body(&text.bodies[0], description)?, self.body(&text.bodies[1], description)?],
            points,
            free_length,
            stiffness: self.optional(&text.stiffness_n_m)?,
            damping: self.optional(&text.damping_ns_m)?,
            preload: self.optional(&text.preload_n)?,
            spring: self.curve(&text.spring_curve)?,
            damper: self.curve(&text.damper_curve)?,
            bump: self.length_stop(&text.bump_stop)?,
            rebound: self.length_stop(&text.rebound_stop)?,
            actuator: text.actuator,
        })
    }

    fn rsda(&self, name: &str, text: &RsdaText, description: &Description) -> Checked<Rsda> {
        let displacement = match text.coordinate.as_ref().map(|it| (it.get_ref().as_str(), it.span())) {
            None | Some(("angle", _)) => false,
            Some(("displacement", _)) => true,
            Some((other, span)) => {
                return self.fail(span, format!("`{other}` is unknown; expected angle or displacement"));
            }
        };
        let against = text.against.as_ref().map(|it| self.joint(it, description)).transpose()?;
        Ok(Rsda {
            name: name.into(),
            joint: self.joint(&text.joint, description)?,
            against,
            displacement,
            free: self.optional(&text.free_angle_rad)?,
            stiffness: self.optional(&text.stiffness_nm_rad)?,
            damping: self.optional(&text.damping_nms_rad)?,
            preload: self.optional(&text.preload_nm)?,
            spring: self.curve(&text.spring_curve)?,
            damper: self.curve(&text.damper_curve)?,
            lower: self.angle_stop(&text.lower_stop)?,
            upper: self.angle_stop(&text.upper_stop)?,
            actuator: text.actuator,
        })
    }

    fn antiroll(&self, name: &str, text: &AntirollText, description: &Description) -> Checked<Antiroll> {
        let points = self.points(&text.points_m)?;
        if (points[0] - points[1]).norm() < 1e-9 {
            return self.fail(text.points_m.span(), "the two points coincide; expected left and right");
        }
        Ok(Antiroll {
            name: name.into(),
            chassis: self.body(&text.chassis, description)?,
            bodies: [self.body(&text.bodies[0], description)?, self.body(&text.bodies[1], description)?],
            points,
            stiffness: self.number(&text.stiffness_nm_rad)?,
        })
    }

    fn point_force(&self, name: &str, text: &PointForceText, description: &Description) -> Checked<PointForce> {
        let body_axes = match text.axes.as_ref().map(|it| (it.get_ref().as_str(), it.span())) {
            None | Some(("earth", _)) => false,
            Some(("body", _)) => true,
            Some((other, span)) => {
                return self.fail(span, format!("`{other}` is unknown; expected earth or body"));
            }
        };
        let vector = |it: &Option<_>| it.as_ref().map_or(Ok(Vector3::ZERO), |it| self.triple(it));
        Ok(PointForce {
            name: name.into(),
            body: self.body(&text.body, description)?,
            point: self.triple(&text.point_m)?,
            force: vector(&text.force_n)?,
            torque: vector(&text.torque_nm)?,
            body_axes,
            actuator: text.actuator,
        })
    }

    fn wheel(&self, name: &str, text: &WheelText, description: &Description) -> Checked<Wheel> {
        let spin_inertia = text.spin_inertia_kg_m2.as_ref().map(|it| self.positive(it)).transpose()?;
        let taken = description.body(name).is_some() || description.joint(name).is_some();
        if let (Some(place), true) = (&text.spin_inertia_kg_m2, taken) {
            return self.fail(place.span(), "the spin needs the wheel's name for its body and joint, which is taken");
        }
        Ok(Wheel {
            name: name.into(),
            body: self.body(&text.body, description)?,
            centre: self.triple(&text.centre_m)?,
            axis: self.direction(&text.axis)?,
            spin_inertia,
            spin: self.optional(&text.spin_rad_s)?,
            tyre: SimpleTyre {
                radius: self.positive(&text.radius_m)?,
                stiffness: self.number(&text.stiffness_n_m)?,
                damping: self.optional(&text.damping_ns_m)?,
                friction: self.optional(&text.friction_ratio)?,
                cornering: self.optional(&text.cornering_n_rad)?,
                slip_stiffness: self.optional(&text.slip_stiffness_n)?,
            },
            compliance: [
                self.optional(&text.compliance_steer_rad_n)?,
                self.optional(&text.compliance_steer_rad_nm)?,
                self.optional(&text.compliance_camber_rad_n)?,
                self.optional(&text.compliance_camber_rad_nm)?,
            ],
        })
    }
}
