//! Force elements of every kind, with every field now and then.

use super::Writer;
use multibody::JointKind;
use std::fmt::Write;

impl Writer {
    /// Up to two of each kind of element.
    pub fn forces(&mut self, count: usize, kinds: &[JointKind], text: &mut String) {
        for number in 0..self.below(3) {
            self.line(number, count, text);
        }
        for number in 0..self.below(3).saturating_sub(1) {
            self.rotational(number, kinds.len(), text);
        }
        for number in 0..self.below(4).saturating_sub(2) {
            self.bar(number, count, text);
        }
        for number in 0..self.below(3).saturating_sub(1) {
            self.push(number, count, text);
        }
        for number in 0..self.below(4).saturating_sub(1) {
            self.wheel(number, count, text);
        }
    }

    /// A field of one of several forms, once in `often` times.
    fn maybe(&mut self, often: usize, text: &mut String, field: impl FnOnce(&mut Self) -> String) {
        if self.below(often) == 0 {
            let field = field(self);
            let _ = writeln!(text, "{field}");
        }
    }

    fn curve(&mut self, name: &str) -> String {
        let count = 2 + self.below(4);
        let start = self.number();
        let mut points = vec![format!("[{start}, {}]", self.number())];
        // Mostly in order, as a curve has to be.
        for k in 1..count {
            let x = if self.below(60) == 0 { -3.0 } else { 2.0 * k as f64 };
            points.push(format!("[{x}, {}]", self.number()));
        }
        let kind = self.pick(&["linear", "spline", "spline", "linear", "cubic"]);
        let kind = if kind == "cubic" && self.below(30) > 0 { "spline" } else { kind };
        let points = points.join(", ");
        format!("{name} = {{ points = [{points}], interpolation = \"{kind}\" }}")
    }

    fn stop(&mut self, name: &str, at: &str, unit: &str) -> String {
        let [limit, stiffness, damping] = [(); 3].map(|()| self.number());
        let (per, rate) = if unit == "n" { ("n_m", "ns_m") } else { ("nm_rad", "nms_rad") };
        format!("{name} = {{ {at} = {limit}, stiffness_{per} = {stiffness}, damping_{rate} = {damping} }}")
    }

    fn line(&mut self, number: usize, count: usize, text: &mut String) {
        let (one, other) = (self.body(count), self.body(count));
        let (from, to, stiffness) = (self.list(3), self.list(3), self.number());
        let _ = writeln!(
            text,
            "[tsda.s{number}]\nbodies = [\"{one}\", \"{other}\"]\npoints_m = [{from}, {to}]\nstiffness_n_m = {stiffness}"
        );
        self.maybe(3, text, |it| it.curve("spring_curve"));
        self.maybe(3, text, |it| it.curve("damper_curve"));
        self.maybe(3, text, |it| it.stop("bump_stop", "length_m", "n"));
        self.maybe(3, text, |it| it.stop("rebound_stop", "length_m", "n"));
        self.maybe(3, text, |_| "actuator = true".into());
    }

    fn rotational(&mut self, number: usize, joints: usize, text: &mut String) {
        let joint = self.below(joints);
        let _ = writeln!(text, "[rsda.r{number}]\njoint = \"j{joint}\"\nstiffness_nm_rad = 3.0");
        self.maybe(3, text, |it| format!("against = \"j{}\"", it.below(joints + 1)));
        self.maybe(4, text, |it| format!("coordinate = \"{}\"", it.pick(&["angle", "displacement", "speed"])));
        self.maybe(3, text, |it| it.curve("spring_curve"));
        self.maybe(3, text, |it| it.curve("damper_curve"));
        self.maybe(3, text, |it| it.stop("lower_stop", "angle_rad", "nm"));
        self.maybe(3, text, |it| it.stop("upper_stop", "angle_rad", "nm"));
        self.maybe(3, text, |_| "actuator = true".into());
    }

    fn bar(&mut self, number: usize, count: usize, text: &mut String) {
        let [chassis, left, right] = [(); 3].map(|()| self.body(count));
        let (from, to, stiffness) = (self.list(3), self.list(3), self.number());
        let _ = writeln!(
            text,
            "[antiroll.a{number}]\nchassis = \"{chassis}\"\nbodies = [\"{left}\", \"{right}\"]\npoints_m = [{from}, {to}]\nstiffness_nm_rad = {stiffness}"
        );
    }

    fn push(&mut self, number: usize, count: usize, text: &mut String) {
        let (body, point) = (self.body(count), self.list(3));
        let _ = writeln!(text, "[point_force.p{number}]\nbody = \"{body}\"\npoint_m = {point}");
        self.maybe(2, text, |it| format!("force_n = {}", it.list(3)));
        self.maybe(2, text, |it| format!("torque_nm = {}", it.list(3)));
        self.maybe(2, text, |it| format!("axes = \"{}\"", it.pick(&["earth", "body", "body", "earth", "wind"])));
        self.maybe(3, text, |_| "actuator = true".into());
    }

    fn wheel(&mut self, number: usize, count: usize, text: &mut String) {
        let (body, centre, axis) = (self.body(count), self.list(3), self.list(3));
        // Below the ground at times, at others in the air.
        let (radius, stiffness) = (1.0 + self.0.next(), self.number());
        let _ = writeln!(
            text,
            "[wheels.w{number}]\nbody = \"{body}\"\ncentre_m = {centre}\naxis = {axis}\nradius_m = {radius}\nstiffness_n_m = {stiffness}"
        );
        for field in ["damping_ns_m", "friction_ratio", "cornering_n_rad", "slip_stiffness_n", "compliance_steer_rad_n"]
        {
            self.maybe(2, text, |it| format!("{field} = {}", it.number()));
        }
        if self.below(2) == 0 {
            let inertia = 0.05 + self.0.next().abs();
            let _ = writeln!(text, "spin_inertia_kg_m2 = {inertia}");
            self.maybe(2, text, |it| format!("spin_rad_s = {}", it.number()));
        }
    }
}
