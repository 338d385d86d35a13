//! The nearest point of a reference line, found exactly and quickly, with any hint or none.
//!
//! The points of the line stand in a binary tree of stretches: a leaf holds 8 neighbours, a node
//! two stretches. Each stretch keeps the rectangle along its chord that holds its points: roads
//! bend gently, so it is long and thin, and
//!
//! ```text
//!   (1)  distance of a stretch's points ≥ distance to its rectangle
//! ```
//!
//! is tight. The search begins in the leaf of the hint and climbs to the root; on its way it looks
//! only into those stretches that may hold a nearer point. A good hint makes that a handful of
//! comparisons; a bad one costs time and nothing else: of points at the same distance the one with
//! the lowest index counts, and a stretch that might hold one is never left out.

/// Points in a leaf.
const LEAF: usize = 8;
/// More than the levels that a tree can have.
const DEPTH_MAX: usize = 64;
/// Stretches this much nearer (relative, on squares) are looked into as well: rounding never hides
/// a point.
const MARGIN: f64 = 1.0 + 1e-9;
/// And stretches this much nearer (m²): a place on the line itself has no distance to scale.
const TINY: f64 = 1e-12;

/// The rectangle of a stretch: its origin, the direction of its chord, and its extent along and
/// across it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Stretch {
    x: f64,
    y: f64,
    cosine: f64,
    sine: f64,
    along: [f64; 2],
    across: [f64; 2],
}

/// The tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearest {
    points: Vec<[f64; 2]>,
    /// The root is 1, the children of i are 2i and 2i + 1; the leaves are the last half.
    stretches: Vec<Stretch>,
    leaves: usize,
}

struct Best {
    square: f64,
    index: usize,
}

impl Stretch {
    fn around(points: &[[f64; 2]]) -> Self {
        let (Some(first), Some(last)) = (points.first(), points.last()) else {
            // No point: infinitely far away.
            return Self { cosine: 1.0, along: [f64::INFINITY; 2], ..Self::default() };
        };
        let (dx, dy) = (last[0] - first[0], last[1] - first[1]);
        let length = dx.hypot(dy);
        let (cosine, sine) = if length > 0.0 { (dx / length, dy / length) } else { (1.0, 0.0) };
        let mut stretch = Self { x: first[0], y: first[1], cosine, sine, ..Self::default() };
        for point in points {
            let (along, across) = stretch.turned(point[0], point[1]);
            stretch.along = [stretch.along[0].min(along), stretch.along[1].max(along)];
            stretch.across = [stretch.across[0].min(across), stretch.across[1].max(across)];
        }
        stretch
    }

    /// Place along and across the chord.
    #[inline]
    fn turned(&self, x: f64, y: f64) -> (f64, f64) {
        let (east, north) = (x - self.x, y - self.y);
        (east * self.cosine + north * self.sine, north * self.cosine - east * self.sine)
    }

    /// Square of the distance to the rectangle.
    #[inline]
    fn square(&self, x: f64, y: f64) -> f64 {
        let (along, across) = self.turned(x, y);
        let off_along = (self.along[0] - along).max(along - self.along[1]).max(0.0);
        let off_across = (self.across[0] - across).max(across - self.across[1]).max(0.0);
        off_along * off_along + off_across * off_across
    }
}

impl Best {
    /// Whether eq. (1) allows a point as near as the best in a rectangle at this distance.
    #[inline]
    fn may_be_in(&self, square: f64) -> bool {
        square <= self.square * MARGIN + TINY
    }
}

impl Nearest {
    /// The tree of a line's points; at least one.
    pub fn new(points: Vec<[f64; 2]>) -> Self {
        let leaves = points.len().div_ceil(LEAF).next_power_of_two();
        let mut stretches = vec![Stretch::default(); 2 * leaves];
        for (node, stretch) in stretches.iter_mut().enumerate().skip(1) {
            // A node of level k covers leaves / 2^k leaves.
            let level = node.ilog2();
            let width = (leaves >> level) * LEAF;
            let first = (node - (1 << level)) * width;
            let (first, last) = (first.min(points.len()), (first + width).min(points.len()));
            *stretch = Stretch::around(&points[first..last]);
        }
        Self { points, stretches, leaves }
    }

    /// The points.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// Index of the nearest point; of equals the first.
    #[inline]
    pub fn find(&self, x: f64, y: f64, hint: usize) -> usize {
        let mut best = Best { square: f64::INFINITY, index: 0 };
        let mut node = self.leaves + hint.min(self.points.len() - 1) / LEAF;
        self.scan(node, x, y, &mut best);
        while node > 1 {
            let sibling = node ^ 1;
            let square = self.stretches[sibling].square(x, y);
            if best.may_be_in(square) {
                self.descend(sibling, square, x, y, &mut best);
            }
            node >>= 1;
        }
        best.index
    }

    fn descend(&self, root: usize, square: f64, x: f64, y: f64, best: &mut Best) {
        let mut waiting = [(0_usize, 0.0_f64); DEPTH_MAX];
        waiting[0] = (root, square);
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (node, square) = waiting[count];
            if !best.may_be_in(square) {
                continue;
            }
            if node >= self.leaves {
                self.scan(node, x, y, best);
                continue;
            }
            let children = [2 * node, 2 * node + 1].map(|child| (child, self.stretches[child].square(x, y)));
            let near_first = children[0].1 <= children[1].1;
            let (near, far) = if near_first { (children[0], children[1]) } else { (children[1], children[0]) };
            waiting[count] = far;
            waiting[count + 1] = near;
            count += 2;
        }
    }

    #[inline]
    fn scan(&self, leaf: usize, x: f64, y: f64, best: &mut Best) {
        let first = (leaf - self.leaves) * LEAF;
        let last = (first + LEAF).min(self.points.len());
        for (offset, point) in self.points[first.min(last)..last].iter().enumerate() {
            let (east, north) = (x - point[0], y - point[1]);
            let square = east * east + north * north;
            let index = first + offset;
            if square < best.square || (square == best.square && index < best.index) {
                best.square = square;
                best.index = index;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the plain search through all points, on a line that crosses and touches itself, with
    /// all kinds of hints.
    #[test]
    fn the_tree_finds_what_the_plain_search_finds() {
        let point = |index: i32| {
            let t = 0.01 * f64::from(index);
            [30.0 * t.sin() + t, 20.0 * (2.0 * t).sin()]
        };
        for count in [1, 2, 7, 8, 9, 1257] {
            let points: Vec<[f64; 2]> = (0..count).map(point).collect();
            let tree = Nearest::new(points.clone());
            for trial in 0..2000_u32 {
                let x = f64::from(trial % 61) * 1.7 - 50.0;
                let y = f64::from(trial / 61) * 1.9 - 30.0;
                let square = |point: &[f64; 2]| (x - point[0]).powi(2) + (y - point[1]).powi(2);
                let plain = (0..points.len()).min_by(|left, right| {
                    square(&points[*left]).total_cmp(&square(&points[*right])).then(left.cmp(right))
                });
                for hint in [0, trial as usize % 1300, usize::MAX] {
                    assert_eq!(Some(tree.find(x, y, hint)), plain, "{count} points, ({x}, {y}), hint {hint}");
                }
            }
        }
    }
}
