//! Meshes made of a few curved pieces, put together into one.
//!
//! Everything on the board is turned or rounded: slabs with rounded corners and
//! a fillet, and solids of revolution. All normals are smooth where the surface
//! is, so that edges catch the light.

mod carved;

use std::f32::consts::{FRAC_PI_2, TAU};

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

pub use carved::Carving;

/// Steps of a quarter circle in a fillet.
const FILLET_STEPS: u16 = 5;
/// Steps of a quarter circle in a corner seen from above.
const CORNER_STEPS: f32 = 12.0;

/// A rectangle with rounded corners, `size.y` high, its top at y = 0.
#[derive(Clone, Copy, Debug)]
pub struct Slab {
    /// Width (x), height (y) and depth (z).
    pub size: Vec3,
    /// Radius of the four corners seen from above; at least `fillet`.
    pub corner: f32,
    /// Radius of the edge between top and sides.
    pub fillet: f32,
}

/// The edge around these corners, rounded: a corner, and the way out from there. The
/// corners are those of something convex, in the order in which the angle of the
/// sides grows from x to y.
#[must_use]
pub fn rounded(corners: &[Vec2]) -> Vec<(Vec2, Vec2)> {
    let count = corners.len();
    let mut edge = Vec::new();
    for (index, corner) in corners.iter().enumerate() {
        let before = corners[(index + count - 1) % count];
        let next = corners[(index + 1) % count];
        let (from, turn) = match count {
            1 => (0.0, TAU),
            _ => {
                let [one, other] = [*corner - before, next - *corner];
                let [one, other] = [one, other].map(|side| (-side.perp()).to_angle());
                (one, (other - one).rem_euclid(TAU))
            }
        };
        let steps = (turn / FRAC_PI_2 * CORNER_STEPS).ceil().max(1.0) as u16;
        edge.extend((0..=steps).map(|step| {
            let angle = from + turn * f32::from(step) / f32::from(steps);
            (*corner, Vec2::from_angle(angle))
        }));
    }
    edge
}

/// Triangles under construction.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    indices: Vec<u32>,
}

impl Shape {
    /// A slab.
    #[must_use]
    pub fn slab(slab: Slab) -> Shape {
        let corner_steps = if slab.corner > 0.2 { 10 } else { 4 };
        let half = slab.size / 2.0 - Vec3::splat(slab.corner);
        // The outline: where each corner's circle has its centre, and the way
        // out from there.
        let mut outline = Vec::new();
        for (quarter, (x, z)) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
            .into_iter()
            .enumerate()
        {
            for step in 0..=corner_steps {
                let angle =
                    FRAC_PI_2 * (quarter as f32 + f32::from(step as u16) / corner_steps as f32);
                let out = Vec3::new(angle.cos(), 0.0, angle.sin());
                outline.push((Vec3::new(half.x * x, 0.0, half.z * z), out));
            }
        }
        Shape::raised(&outline, slab, Vec3::ZERO)
    }

    /// A slab with these corners, seen from above, and its rounded edge around
    /// them: those of something convex, in the order in which the angle of the sides
    /// grows from x to z.
    #[must_use]
    pub fn plateau(corners: &[Vec2], height: f32, corner: f32, fillet: f32) -> Shape {
        let outline: Vec<(Vec3, Vec3)> = rounded(corners)
            .into_iter()
            .map(|(centre, out)| (centre.extend(0.0).xzy(), out.extend(0.0).xzy()))
            .collect();
        let all = corners
            .iter()
            .fold(Rect::EMPTY, |all, one| all.union_point(*one));
        let size = (all.size() + 2.0 * corner).extend(height).xzy();
        let slab = Slab {
            size,
            corner,
            fillet,
        };
        Shape::raised(&outline, slab, all.center().extend(0.0).xzy())
    }

    /// What rises over an outline: where each corner's circle has its centre, and the
    /// way out from there.
    fn raised(outline: &[(Vec3, Vec3)], slab: Slab, middle: Vec3) -> Shape {
        let mut profile = vec![(0.0, -slab.size.y, 0.0)];
        for step in 0..=FILLET_STEPS {
            let angle = FRAC_PI_2 * f32::from(step) / f32::from(FILLET_STEPS);
            let inset = slab.fillet * (1.0 - angle.cos());
            profile.push((inset, slab.fillet * (angle.sin() - 1.0), angle));
        }

        let mut shape = Shape::default();
        for (inset, y, angle) in &profile {
            for (centre, out) in outline {
                let position = *centre + *out * (slab.corner - inset) + Vec3::Y * *y;
                shape.vertex(
                    position,
                    *out * angle.cos() + Vec3::Y * angle.sin(),
                    slab.size,
                );
            }
        }
        shape.join_rings(profile.len() as u32, outline.len() as u32);
        shape.cap(outline.len() as u32, middle, slab.size);
        shape
    }

    /// A solid of revolution around y: `profile` is (radius, height) from the
    /// outside in, ending on the axis or not.
    #[must_use]
    pub fn turned(profile: &[Vec2], steps: u32) -> Shape {
        let mut shape = Shape::default();
        let reach = profile.iter().map(|p| p.x).fold(f32::EPSILON, f32::max);
        for (index, point) in profile.iter().enumerate() {
            let before = profile[index.saturating_sub(1)];
            let after = profile[(index + 1).min(profile.len() - 1)];
            let along = (after - before).normalize_or_zero();
            // Going inwards, outside is to the right of the way.
            let normal = Vec2::new(along.y, -along.x);
            for step in 0..steps {
                let angle = TAU * (step as f32 + 0.5) / steps as f32;
                let out = Vec3::new(angle.cos(), 0.0, angle.sin());
                shape.vertex(
                    out * point.x + Vec3::Y * point.y,
                    out * normal.x + Vec3::Y * normal.y,
                    Vec3::splat(2.0 * reach),
                );
            }
        }
        for (ring, ends) in (0..).zip(profile.windows(2)) {
            // Of a sharp edge both rings lie in one place.
            if ends[0] != ends[1] {
                shape.join_ring(ring, steps);
            }
        }
        shape
    }

    /// A flat rectangle at y = 0 that looks up.
    #[must_use]
    pub fn plate(width: f32, depth: f32) -> Shape {
        let mut shape = Shape::default();
        let (x, z) = (width / 2.0, depth / 2.0);
        for (x, z) in [(-x, -z), (-x, z), (x, z), (x, -z)] {
            shape.vertex(Vec3::new(x, 0.0, z), Vec3::Y, Vec3::new(width, 1.0, depth));
        }
        shape.indices.extend([0, 1, 2, 0, 2, 3]);
        shape
    }

    /// Flat triangles at y = 0 that look up, from points in x and z.
    #[must_use]
    pub fn flat(points: &[Vec2], indices: &[u32]) -> Shape {
        let mut shape = Shape::default();
        for point in points {
            shape.vertex(Vec3::new(point.x, 0.0, point.y), Vec3::Y, Vec3::ONE);
        }
        for triangle in indices.chunks_exact(3) {
            let [a, b, c] = [triangle[0], triangle[1], triangle[2]];
            let [pa, pb, pc] = [points[a as usize], points[b as usize], points[c as usize]];
            if (pb - pa).perp_dot(pc - pa) < 0.0 {
                shape.indices.extend([a, b, c]);
            } else {
                shape.indices.extend([a, c, b]);
            }
        }
        shape
    }

    /// Adds another shape, moved.
    pub fn add(&mut self, other: &Shape, place: Transform) {
        let first = self.positions.len() as u32;
        for position in &other.positions {
            self.positions
                .push(place.transform_point(Vec3::from(*position)).to_array());
        }
        for normal in &other.normals {
            self.normals
                .push((place.rotation * Vec3::from(*normal)).to_array());
        }
        self.uvs.extend(&other.uvs);
        self.indices
            .extend(other.indices.iter().map(|index| index + first));
    }

    /// The mesh.
    #[must_use]
    pub fn mesh(self) -> Mesh {
        Mesh::new(
            PrimitiveTopology::TriangleList,
            RenderAssetUsages::default(),
        )
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, self.normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, self.uvs)
        .with_inserted_indices(Indices::U32(self.indices))
    }

    /// One vertex; its UV is where it lies in a rectangle of this size seen
    /// from above.
    fn vertex(&mut self, position: Vec3, normal: Vec3, size: Vec3) {
        self.positions.push(position.to_array());
        self.normals.push(normal.normalize_or(Vec3::Y).to_array());
        self.uvs
            .push([position.x / size.x + 0.5, position.z / size.z + 0.5]);
    }

    /// Joins rings of `length` vertices, the outer or lower one first.
    fn join_rings(&mut self, rings: u32, length: u32) {
        (0..rings.saturating_sub(1)).for_each(|ring| self.join_ring(ring, length));
    }

    /// Joins this ring and the next.
    fn join_ring(&mut self, ring: u32, length: u32) {
        for step in 0..length {
            let next = (step + 1) % length;
            let [a, b] = [ring * length + step, ring * length + next];
            let [c, d] = [a + length, b + length];
            self.indices.extend([a, c, b, b, c, d]);
        }
    }

    /// Closes the last ring with a fan.
    fn cap(&mut self, length: u32, centre: Vec3, size: Vec3) {
        let first = self.positions.len() as u32 - length;
        let middle = self.positions.len() as u32;
        self.vertex(centre, Vec3::Y, size);
        for step in 0..length {
            let next = (step + 1) % length;
            self.indices.extend([first + step, middle, first + next]);
        }
    }
}
