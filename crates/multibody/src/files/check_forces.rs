//! Springs, bars, forces and wheels.

use super::check::{Checked, Checker, in_order};
use super::schema::{
    AngleStopText, AntirollText, LengthStopText, Number, ParametersText, PointForceText, RsdaText, TsdaText, WheelText,
};
use crate::description::Description;
use crate::forces::{Antiroll, Law, PointForce, Rsda, SimpleTyre, Stop, Tsda, Wheel};
use crate::math::Vector3;

impl Checker<'_> {
    pub(super) fn forces(&self, texts: &ParametersText, description: &mut Description) -> Checked<()> {
        for (name, text) in in_order(&texts.tsda) {
            description.tsda.push(self.tsda(name.get_ref(), text, description)?);
        }
        for (name, text) in in_order(&texts.rsda) {
            description.rsda.push(self.rsda(name.get_ref(), text, description)?);
        }
        for (name, text) in in_order(&texts.antiroll) {
            description.antiroll.push(self.antiroll(name.get_ref(), text, description)?);
        }
        for (name, text) in in_order(&texts.point_force) {
            description.point_forces.push(self.point_force(name.get_ref(), text, description)?);
        }
        for (name, text) in in_order(&texts.wheels) {
            description.wheels.push(self.wheel(name.get_ref(), text, description)?);
        }
        Ok(())
    }

    fn stop(&self, limit: &Number, stiffness: &Number, damping: &Option<Number>) -> Checked<Stop> {
        let (limit, stiffness) = (self.number(limit)?, self.number(stiffness)?);
        Ok(Stop { limit, stiffness, damping: self.optional(damping)? })
    }

    fn tsda(&self, name: &str, text: &TsdaText, description: &Description) -> Checked<Tsda> {
        let points = self.points(&text.points_m)?;
        let drawn = (points[0] - points[1]).norm();
        let bodies = [self.body(&text.bodies[0], description)?, self.body(&text.bodies[1], description)?];
        let stop = |it: &LengthStopText| self.stop(&it.length_m, &it.stiffness_n_m, &it.damping_ns_m);
        let law = Law {
            free: text.free_length_m.as_ref().map_or(Ok(drawn), |length| self.number(length))?,
            stiffness: self.optional(&text.stiffness_n_m)?,
            damping: self.optional(&text.damping_ns_m)?,
            preload: self.optional(&text.preload_n)?,
            spring: self.curve(&text.spring_curve)?,
            damper: self.curve(&text.damper_curve)?,
            lower: text.bump_stop.as_ref().map(stop).transpose()?,
            upper: text.rebound_stop.as_ref().map(stop).transpose()?,
        };
        Ok(Tsda { actuator: text.actuator, ..Tsda::new(name, bodies, points, law) })
    }

    fn rsda(&self, name: &str, text: &RsdaText, description: &Description) -> Checked<Rsda> {
        let displacement = self.either(&text.coordinate, ["angle", "displacement"])?;
        let against = text.against.as_ref().map(|it| self.joint(it, description)).transpose()?;
        let stop = |it: &AngleStopText| self.stop(&it.angle_rad, &it.stiffness_nm_rad, &it.damping_nms_rad);
        Ok(Rsda {
            name: name.into(),
            joint: self.joint(&text.joint, description)?,
            against,
            displacement,
            law: Law {
                free: self.optional(&text.free_angle_rad)?,
                stiffness: self.optional(&text.stiffness_nm_rad)?,
                damping: self.optional(&text.damping_nms_rad)?,
                preload: self.optional(&text.preload_nm)?,
                spring: self.curve(&text.spring_curve)?,
                damper: self.curve(&text.damper_curve)?,
                lower: text.lower_stop.as_ref().map(stop).transpose()?,
                upper: text.upper_stop.as_ref().map(stop).transpose()?,
            },
            actuator: text.actuator,
        })
    }

    fn antiroll(&self, name: &str, text: &AntirollText, description: &Description) -> Checked<Antiroll> {
        let points = self.points(&text.points_m)?;
        if (points[0] - points[1]).norm() < 1e-9 {
            return self.source.fail(text.points_m.span(), "the two points coincide; expected left and right");
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
        let body_axes = self.either(&text.axes, ["earth", "body"])?;
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
            return self
                .source
                .fail(place.span(), "the spin needs the wheel's name for its body and joint, which is taken");
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
