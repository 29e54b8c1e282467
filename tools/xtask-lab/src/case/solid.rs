//! The box for a 3D printer: a floor, a wall with a ledge that carries the plates, posts
//! for the screws, and an opening for the cable at the back.
//!
//! Invariants: each shell is closed, so that a slicer can tell the inside from the
//! outside.

use touchboard_host::case::{CasePlan, Flat, flat};

use super::plates::{Measures, PLATE_MM};

/// A position in millimetres: x right, y towards the player, z up.
pub type Spot = [f32; 3];

/// A solid as triangles, whose corners are counterclockwise when seen from outside.
#[derive(Clone, Debug, Default)]
pub struct Solid {
    /// The corners of each triangle.
    pub triangles: Vec<[Spot; 3]>,
}

/// How thick the floor is.
const FLOOR_MM: f32 = 2.4;
/// How far the ledge reaches inwards.
const LEDGE_MM: f32 = 2.5;
/// The gap between the carrier and the front: a switch, and the foot of its cap.
const GAP_MM: f32 = 8.0;
/// The radius of a post, and of its hole, in which an M3 screw cuts its thread.
const POST_MM: [f32; 2] = [4.2, 1.25];
/// The number of sides of a round post.
const POST_STEPS: u16 = 24;
/// The opening for the cable: the distance of its centre from the middle of the back, in
/// units of the case and to the right, as in the window; its width; and the height of its
/// lower edge above the floor.
const OPENING: f32 = 2.6;
const OPENING_MM: f32 = 13.0;
const SILL_MM: f32 = 3.0;

/// Builds the box of the case.
pub fn case(plan: &CasePlan, measures: &Measures) -> Solid {
    let mut all = Solid::default();
    let ledge = ledge(measures);
    all.wall(&stations(plan, measures), measures);
    for screw in plan.screws() {
        all.post(screw * measures.unit, ledge);
    }
    all
}

/// The height of the ledge on which the plates lie.
fn ledge(measures: &Measures) -> f32 {
    measures.depth - 2.0 * PLATE_MM - GAP_MM
}

/// A position along the wall, the direction outwards, and the largest height of the wall
/// there.
struct Station {
    middle: Flat,
    out: Flat,
    top: f32,
}

/// The positions once around the wall, with both heights at each side of the opening.
fn stations(plan: &CasePlan, measures: &Measures) -> Vec<Station> {
    let outline = plan.outline();
    let unit = measures.unit;
    let edge = outline.edge();
    let back = outline.extent()[0].y * unit;
    let (left, right) = (
        OPENING * unit - OPENING_MM / 2.0,
        OPENING * unit + OPENING_MM / 2.0,
    );
    let place = |(middle, out): (Flat, Flat)| (middle + out * outline.radius()) * unit;
    let is_back = |at: Flat| (at.y - back).abs() < 1e-3;
    let mut all = Vec::new();
    for (index, one) in edge.iter().enumerate() {
        let next = edge[(index + 1) % edge.len()];
        all.push(Station {
            middle: one.0 * unit,
            out: one.1,
            top: measures.depth,
        });
        let [from, to] = [place(*one), place(next)];
        let crosses = is_back(from) && is_back(to) && from.x < left && to.x > right;
        if crosses {
            let inward = flat(0.0, outline.radius() * unit);
            let heights = [measures.depth, FLOOR_MM + SILL_MM];
            let [high, low] = heights;
            for (x, top) in [(left, high), (left, low), (right, low), (right, high)] {
                all.push(Station {
                    middle: flat(x, back) + inward,
                    out: flat(0.0, -1.0),
                    top,
                });
            }
        }
    }
    all
}

impl Solid {
    fn triangle(&mut self, corners: [Spot; 3]) {
        let [a, b, c] = corners;
        if a != b && b != c && c != a {
            self.triangles.push(corners);
        }
    }

    fn quad(&mut self, [a, b, c, d]: [Spot; 4]) {
        self.triangle([a, b, c]);
        self.triangle([a, c, d]);
    }

    /// Adds a solid between rings with equal numbers of points, from the outer foot to
    /// the inner floor. The first and the last ring are closed by flat faces.
    fn rings(&mut self, rings: &[Vec<Spot>]) {
        for pair in rings.windows(2) {
            let count = pair[0].len();
            for at in 0..count {
                let next = (at + 1) % count;
                self.quad([pair[0][at], pair[0][next], pair[1][next], pair[1][at]]);
            }
        }
    }

    fn flat(&mut self, ring: &[Spot], is_floor: bool) {
        let sum = ring
            .iter()
            .fold([0.0; 2], |sum, at| [sum[0] + at[0], sum[1] + at[1]]);
        let count = ring.len() as f32;
        let middle = [sum[0] / count, sum[1] / count, ring[0][2]];
        for (at, here) in ring.iter().enumerate() {
            let next = ring[(at + 1) % ring.len()];
            self.triangle(match is_floor {
                true => [middle, *here, next],
                false => [middle, next, *here],
            });
        }
    }

    /// Adds the floor and the wall with its ledge.
    fn wall(&mut self, stations: &[Station], measures: &Measures) {
        let unit = measures.unit;
        let radius = touchboard_host::case::CASE_CORNER * unit;
        let wall = touchboard_host::case::FRAME * unit;
        let ring = |inwards: f32, z: f32| -> Vec<Spot> {
            let places = stations.iter().map(|station| {
                let at = station.middle + station.out * (radius - inwards);
                [at.x, at.y, z.min(station.top)]
            });
            places.collect()
        };
        let (top, ledge) = (measures.depth, ledge(measures));
        let rings = [
            ring(0.0, 0.0),
            ring(0.0, top),
            ring(wall, top),
            ring(wall, ledge),
            ring(wall + LEDGE_MM, ledge),
            ring(wall + LEDGE_MM, FLOOR_MM),
        ];
        self.flat(&rings[0], false);
        self.rings(&rings);
        self.flat(&rings[5], true);
    }

    /// Adds a post on the floor, with a hole from above.
    fn post(&mut self, middle: Flat, top: f32) {
        let ring = |radius: f32, z: f32| -> Vec<Spot> {
            let steps = (0..POST_STEPS).map(|step| {
                let angle = std::f32::consts::TAU * f32::from(step) / f32::from(POST_STEPS);
                [
                    middle.x + radius * angle.cos(),
                    middle.y + radius * angle.sin(),
                    z,
                ]
            });
            steps.collect()
        };
        let [outer, inner] = POST_MM;
        // The post reaches into the floor, so that the two are connected.
        let rings = [
            ring(outer, FLOOR_MM / 2.0),
            ring(outer, top),
            ring(inner, top),
            ring(inner, FLOOR_MM),
        ];
        self.flat(&rings[0], false);
        self.rings(&rings);
        self.flat(&rings[3], true);
    }

    /// The solid as binary STL, in millimetres, in which y goes away from the player, as
    /// is usual for printers.
    pub fn stl(&self) -> Vec<u8> {
        let mut bytes = vec![0; 80];
        bytes.extend((self.triangles.len() as u32).to_le_bytes());
        for [a, b, c] in &self.triangles {
            // Mirroring reverses the order of the corners.
            let corners = [a, c, b].map(|spot| [spot[0], -spot[1], spot[2]]);
            bytes.extend([0; 12]);
            for length in corners.into_iter().flatten() {
                bytes.extend(length.to_le_bytes());
            }
            bytes.extend([0; 2]);
        }
        bytes
    }

    /// The volume, in cubic millimetres.
    #[cfg(test)]
    pub fn volume(&self) -> f32 {
        let parts = self.triangles.iter().map(|[a, b, c]| {
            let cross = [
                b[1] * c[2] - b[2] * c[1],
                b[2] * c[0] - b[0] * c[2],
                b[0] * c[1] - b[1] * c[0],
            ];
            (a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]) / 6.0
        });
        parts.sum()
    }
}
