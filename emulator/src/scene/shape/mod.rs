//! Meshes, combined from a few curved pieces.
//!
//! Everything on the board is turned or rounded: slabs with rounded corners and a fillet,
//! and solids of revolution. Normals are smooth wherever the surface is, so that edges
//! catch the light.

mod carved;

use std::f32::consts::{FRAC_PI_2, TAU};

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use touchboard_host::case::Outline;

use super::plan::{bounds, vec2};

pub use carved::Carving;

/// Steps of a quarter circle in a fillet.
const FILLET_STEPS: u16 = 5;

/// A rectangle with rounded corners, `size.y` high, its top at y = 0.
#[derive(Clone, Copy, Debug)]
pub struct Slab {
    /// Width (x), height (y) and depth (z).
    pub size: Vec3,
    /// Radius of the four corners, seen from above; at least `fillet`.
    pub corner: f32,
    /// Radius of the edge between top and sides.
    pub fillet: f32,
}

/// A mesh of triangles under construction.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    indices: Vec<u32>,
}

impl Shape {
    /// Builds a slab with rounded edges.
    #[must_use]
    pub fn slab(slab: Slab) -> Shape {
        let corner_steps = if slab.corner > 0.2 { 10 } else { 4 };
        let half = slab.size / 2.0 - Vec3::splat(slab.corner);
        // The outline: the centre of each corner's circle, and the outward direction from
        // there.
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

    /// Builds a solid within an outline. `profile` gives its edge as distances inwards
    /// from the outline and heights, from the lowest and outermost one on. Each part of
    /// the edge is a facet. If `capped`, the last part is closed with a flat top. The
    /// texture is in scene units; on the edge its x runs around, as the grain of a frame
    /// does.
    #[must_use]
    pub fn cut(outline: &Outline, profile: &[Vec2], capped: bool) -> Shape {
        let edge = outline.edge().into_iter();
        let edge: Vec<(Vec2, Vec2)> = edge
            .map(|(middle, out)| (vec2(middle), vec2(out)))
            .collect();
        let at = |(middle, out): (Vec2, Vec2), place: Vec2| {
            let reach = (outline.radius() - place.x).max(0.0);
            (middle + out * reach).extend(place.y).xzy()
        };
        let mut shape = Shape::default();
        let mut across = 0.0;
        for ends in profile.windows(2) {
            let along = (ends[1] - ends[0]).normalize_or_zero();
            let first = shape.positions.len() as u32;
            for (end, across) in [
                (ends[0], across),
                (ends[1], across + ends[0].distance(ends[1])),
            ] {
                let mut round = 0.0;
                let mut before: Option<Vec3> = None;
                // The first place is repeated, so that the texture closes.
                for place in edge.iter().chain(edge.first()) {
                    let outermost = at(*place, Vec2::ZERO);
                    round += before.map_or(0.0, |before| before.distance(outermost));
                    before = Some(outermost);
                    let normal = (place.1 * along.y).extend(along.x).xzy();
                    shape.place(at(*place, end), normal, Vec2::new(round, across));
                }
            }
            across += ends[0].distance(ends[1]);
            let length = edge.len() as u32 + 1;
            for step in 0..length - 1 {
                let [a, b] = [first + step, first + step + 1];
                let [c, d] = [a + length, b + length];
                shape.indices.extend([a, c, b, b, c, d]);
            }
        }
        if let (true, Some(top)) = (capped, profile.last()) {
            let first = shape.positions.len() as u32;
            let middle = bounds(outline).center().extend(top.y).xzy();
            shape.place(middle, Vec3::Y, middle.xz());
            for place in &edge {
                let position = at(*place, *top);
                shape.place(position, Vec3::Y, position.xz());
            }
            let length = edge.len() as u32;
            for step in 0..length {
                let next = (step + 1) % length;
                shape
                    .indices
                    .extend([first + 1 + step, first, first + 1 + next]);
            }
        }
        shape
    }

    /// A flat piece of a ring.
    #[must_use]
    pub fn arc(radii: [f32; 2], from: f32, to: f32) -> Shape {
        let steps = ((to - from) / TAU * 64.0).ceil().max(1.0) as u32;
        let points: Vec<Vec2> = (0..=steps)
            .flat_map(|step| {
                let angle = from + (to - from) * step as f32 / steps as f32;
                radii.map(|radius| Vec2::from_angle(angle) * radius)
            })
            .collect();
        let indices: Vec<u32> = (0..steps)
            .map(|step| 2 * step)
            .flat_map(|at| [at, at + 1, at + 2, at + 2, at + 1, at + 3])
            .collect();
        Shape::flat(&points, &indices)
    }

    /// A band through these pairs of places, seen from above.
    #[must_use]
    pub fn strip(pairs: &[[Vec3; 2]]) -> Shape {
        let mut shape = Shape::default();
        for pair in pairs {
            for place in pair {
                shape.place(*place, Vec3::Y, place.xz());
            }
        }
        for first in (2..2 * pairs.len() as u32).step_by(2) {
            for [a, b, c] in [[first - 2, first - 1, first], [first, first - 1, first + 1]] {
                let at = |index: u32| Vec3::from(shape.positions[index as usize]).xz();
                let is_up = (at(b) - at(a)).perp_dot(at(c) - at(a)) < 0.0;
                let triangle = if is_up { [a, b, c] } else { [a, c, b] };
                shape.indices.extend(triangle);
            }
        }
        shape
    }

    /// A round bar along a way, open at its ends.
    #[must_use]
    pub fn tube(way: &[Vec3], radius: f32, steps: u32) -> Shape {
        let mut shape = Shape::default();
        for (index, middle) in way.iter().enumerate() {
            let before = way[index.saturating_sub(1)];
            let after = way[(index + 1).min(way.len() - 1)];
            let along = (after - before).normalize_or(Vec3::Z);
            let aside = along.cross(Vec3::Y).normalize_or(Vec3::X);
            let up = aside.cross(along);
            for step in 0..steps {
                let (sin, cos) = (TAU * step as f32 / steps as f32).sin_cos();
                let out = aside * cos + up * sin;
                let uv = Vec2::new(step as f32 / steps as f32, index as f32);
                shape.place(*middle + out * radius, out, uv);
            }
        }
        shape.join_rings(way.len() as u32, steps);
        shape
    }

    /// Builds a body of elliptic sections along a path in x and y. A section is its
    /// middle, half of its depth in that plane, and half of its width in z. The body is
    /// open at a first or last section that is wider than nothing.
    #[must_use]
    pub fn lofted(sections: &[[f32; 4]], steps: u32) -> Shape {
        let count = sections.len();
        let middle = |index: usize| Vec2::new(sections[index][0], sections[index][1]);
        let along = |index: usize| {
            let [before, after] = [index.saturating_sub(1), (index + 1).min(count - 1)];
            (middle(after) - middle(before)).normalize_or(Vec2::Y)
        };
        let at = |index: usize, step: u32| {
            let (sin, cos) = (TAU * step as f32 / steps as f32).sin_cos();
            let across = -along(index).perp();
            let [_, _, deep, wide] = sections[index];
            (middle(index) + across * deep * cos).extend(wide * sin)
        };
        let mut shape = Shape::default();
        for index in 0..count {
            let [before, after] = [index.saturating_sub(1), (index + 1).min(count - 1)];
            let way = along(index).extend(0.0);
            for step in 0..steps {
                let round = at(index, (step + 1) % steps) - at(index, (step + steps - 1) % steps);
                let length = at(after, step) - at(before, step);
                let normal = length.cross(round).normalize_or(match index {
                    0 => -way,
                    _ => way,
                });
                shape.vertex(at(index, step), normal, Vec3::ONE);
            }
        }
        shape.join_rings(count as u32, steps);
        shape
    }

    /// Builds a slab over an outline: the centre of each corner's circle, and the outward
    /// direction from there.
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

    /// Builds a solid of revolution around y. `profile` is (radius, height) from the
    /// outside in, ending on the axis or not.
    #[must_use]
    pub fn turned(profile: &[Vec2], steps: u32) -> Shape {
        let mut shape = Shape::default();
        let reach = profile.iter().map(|p| p.x).fold(f32::EPSILON, f32::max);
        for (index, point) in profile.iter().enumerate() {
            let before = profile[index.saturating_sub(1)];
            let after = profile[(index + 1).min(profile.len() - 1)];
            let along = (after - before).normalize_or_zero();
            // On the way inwards, the outside is to the right.
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
            // At a sharp edge, both rings are in the same place.
            if ends[0] != ends[1] {
                shape.join_ring(ring, steps);
            }
        }
        shape
    }

    /// Builds a flat rectangle at y = 0 that faces up.
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

    /// Adds a rectangle at y = 0 that faces up, at `place` in x and z, with `part` of a
    /// texture on it.
    pub fn print(&mut self, place: Rect, part: Rect) {
        let first = self.positions.len() as u32;
        for (x, z) in [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)] {
            let way = Vec2::new(x, z);
            let at = place.min + way * place.size();
            let uv = part.min + way * part.size();
            self.place(Vec3::new(at.x, 0.0, at.y), Vec3::Y, uv);
        }
        let corners = [0, 1, 2, 0, 2, 3].map(|corner| first + corner);
        self.indices.extend(corners);
    }

    /// Builds flat triangles at y = 0 that face up, from corners in x and z.
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

    /// Adds another shape at this transform.
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

    /// Adds `lean` to all normals, which moves the highlights.
    #[must_use]
    pub fn facing(mut self, lean: Vec3) -> Shape {
        for normal in &mut self.normals {
            let leaning = Vec3::from(*normal) + lean;
            *normal = leaning.normalize_or(Vec3::Y).to_array();
        }
        self
    }

    /// Converts the triangles to a mesh.
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

    /// Adds a vertex. Its UV is its place in a rectangle of this size, seen from above.
    fn vertex(&mut self, position: Vec3, normal: Vec3, size: Vec3) {
        let uv = Vec2::new(position.x / size.x, position.z / size.z) + 0.5;
        self.place(position, normal, uv);
    }

    fn place(&mut self, position: Vec3, normal: Vec3, uv: Vec2) {
        self.positions.push(position.to_array());
        self.normals.push(normal.normalize_or(Vec3::Y).to_array());
        self.uvs.push(uv.to_array());
    }

    /// Joins rings of `length` vertices, the outer or lower ones first.
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
