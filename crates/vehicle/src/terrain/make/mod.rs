//! Roads to order: a layout in the plane, hills and banking, and roughness after ISO 8608 on top of
//! it.
//!
//! The same order gives the same road: the randomness comes from its seed alone.

mod layout;
mod roughness;

use super::crg::{Content, Course};
pub use layout::Layout;
use layout::Profile;
pub use roughness::{Class, Roughness};

/// What a road should be.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// Course in the plane.
    pub layout: Layout,
    /// Length of the reference line (m).
    pub length_m: f64,
    /// Width (m); the reference line is in the middle.
    pub width_m: f64,
    /// Distance of the records (m); adjusted a little so that they fit the length.
    pub increment_m: f64,
    /// Distance of the long sections (m); adjusted a little so that they fit the width.
    pub section_m: f64,
    /// Height of the hills from valley to top (m).
    pub hills_m: f64,
    /// Banking where the bend is sharpest (m/m): the outer side is higher.
    pub banking: f64,
    /// Roughness, if any.
    pub class: Option<Class>,
    /// Seed of the roughness.
    pub seed: u64,
}

impl Default for Order {
    fn default() -> Self {
        Self {
            layout: Layout::Straight,
            length_m: 200.0,
            width_m: 8.0,
            increment_m: 0.2,
            section_m: 0.5,
            hills_m: 0.0,
            banking: 0.0,
            class: None,
            seed: 1,
        }
    }
}

/// Why a road cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MakeError {
    /// A size that cannot be.
    #[error("{name}: expected a number from {least} to {most}, found {found}")]
    Size {
        /// Which size.
        name: &'static str,
        /// The least that is allowed.
        least: f64,
        /// The most that is allowed.
        most: f64,
        /// What was asked for.
        found: f64,
    },
    /// A circuit whose bends do not fit into its length.
    #[error(
        "a circuit with bends of {radius_m} m needs at least {least_m:.1} m, found {length_m} m; lengthen it or sharpen the bends"
    )]
    TooShort {
        /// Radius that was asked for (m).
        radius_m: f64,
        /// Least length (m).
        least_m: f64,
        /// Length that was asked for (m).
        length_m: f64,
    },
    /// More heights than a file should have.
    #[error("expected at most {most} heights, the order has {found}; make the road shorter or the distances larger")]
    TooMany {
        /// Most heights.
        most: usize,
        /// Heights of the order.
        found: usize,
    },
}

/// Most heights of a road that is made.
const HEIGHTS_MAX: usize = 20_000_000;

impl Order {
    fn check(&self) -> Result<(), MakeError> {
        let within = |name, found: f64, least: f64, most: f64| {
            if (least..=most).contains(&found) {
                return Ok(());
            }
            Err(MakeError::Size { name, least, most, found })
        };
        within("length", self.length_m, 1.0, 1e5)?;
        within("width", self.width_m, 0.1, 100.0)?;
        within("increment", self.increment_m, 0.005, 0.5 * self.length_m)?;
        within("section", self.section_m, 0.005, self.width_m)?;
        within("hills", self.hills_m, 0.0, 1000.0)?;
        within("banking", self.banking, -1.0, 1.0)?;
        if let Some(radius_m) = self.layout.radius_m() {
            // Twice the half width: inside of a sharper bend the cross sections would meet.
            within("radius", radius_m, self.width_m, 1e6)?;
        }
        Ok(())
    }

    /// The road as the content of a `.crg` file.
    pub fn make(&self) -> Result<Content, MakeError> {
        self.check()?;
        let halves = (0.5 * self.length_m / self.increment_m).round().max(1.0);
        let steps = 2 * halves as usize;
        let increment_m = self.length_m / steps as f64;
        let columns = 1 + (self.width_m / self.section_m).round().max(1.0) as usize;
        let found = (steps + 1).saturating_mul(columns);
        if found > HEIGHTS_MAX {
            let most = HEIGHTS_MAX;
            return Err(MakeError::TooMany { most, found });
        }
        let section_m = self.width_m / (columns - 1) as f64;
        let v_m: Vec<f64> = (0..columns).map(|column| column as f64 * section_m - 0.5 * self.width_m).collect();
        let heights_m = match self.class {
            Some(class) => Roughness::new(class, self.length_m, increment_m, section_m, self.seed).heights_m(
                steps + 1,
                increment_m,
                &v_m,
            ),
            None => vec![0.0; found],
        };
        let mut content = Content::new(increment_m, v_m, heights_m);
        let profile = self.layout.profile(self.length_m, steps)?;
        self.shape(&mut content, &profile, steps);
        Ok(content)
    }

    fn shape(&self, content: &mut Content, profile: &Profile, steps: usize) {
        if let Some(headings) = &profile.headings_rad {
            content.course = Course::Headings(headings.clone());
        }
        if self.layout.is_closed() {
            content.options.closed = true;
            content.end_xy_m = Some([0.0, 0.0]);
        }
        if self.banking != 0.0 {
            let bankings = profile.bends.iter().map(|bend| -self.banking * bend);
            content.bankings = Some(bankings.collect());
        }
        if self.hills_m > 0.0 {
            // Whole waves of about 150 m: z = H/2 (1 − cos 2πmu/L).
            let waves = (self.length_m / 150.0).round().max(1.0);
            let phase = |index: usize| std::f64::consts::TAU * waves * index as f64 / steps as f64;
            let level = |index: usize| 0.5 * self.hills_m * (1.0 - phase(index).cos());
            let slope = |index: usize| (level(index) - level(index.saturating_sub(1))) / content.increment_m;
            content.slopes = Some((0..=steps).map(slope).collect());
        }
    }
}
