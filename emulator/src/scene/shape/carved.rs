//! Shapes that are neither turned nor slabs: carved from a board, or cut from a ring.

use std::f32::consts::FRAC_PI_2;

use bevy::prelude::*;
use lyon_tessellation::path::Path;
use lyon_tessellation::{
    BuffersBuilder, FillOptions, FillTessellator, FillVertex, VertexBuffers, math,
};

use super::Shape;

/// Steps of the rounded edge of a carved shape.
const EDGE_STEPS: u16 = 3;
/// The largest distance of a carved face from its outline.
const TOLERANCE: f32 = 0.002;

/// A shape carved from an upright board.
#[derive(Clone, Copy, Debug)]
pub struct Carving<'a> {
    /// The outline in x and y, counterclockwise.
    pub outline: &'a [Vec2],
    /// Half of its thickness, in z.
    pub half: f32,
    /// The radius of its rounded edges, where it is wide enough.
    pub edge: f32,
}

impl Shape {
    /// Builds a board that was sawn along an outline and rounded on both faces.
    #[must_use]
    pub fn carved(carving: Carving<'_>) -> Shape {
        let out = ways_out(carving.outline);
        let edges = edges(&carving, &out);
        let mut shape = Shape::default();
        let count = carving.outline.len() as u32;
        let rings = 2 * EDGE_STEPS;
        for ring in 0..=rings {
            // From the face in front to the one behind.
            let angle = FRAC_PI_2 * (1.0 - f32::from(ring) / f32::from(EDGE_STEPS));
            for ((point, out), edge) in carving.outline.iter().zip(&out).zip(&edges) {
                let at = *point - *out * *edge * (1.0 - angle.cos());
                let z = carving.half * angle.sin();
                let normal = (*out * angle.cos()).extend(angle.sin());
                shape.vertex(at.extend(z), normal, Vec3::ONE);
            }
        }
        shape.join_rings(u32::from(rings) + 1, count);
        let faces: Vec<Vec2> = carving
            .outline
            .iter()
            .zip(&out)
            .zip(&edges)
            .map(|((point, out), edge)| *point - *out * *edge)
            .collect();
        let flat = Shape::filled(&faces);
        for turn in [FRAC_PI_2, -FRAC_PI_2] {
            // A flat shape has -z in place of y.
            let upright = Quat::from_rotation_x(turn);
            let mirrored = Vec3::new(1.0, 1.0, turn.signum());
            let mut face = flat.clone();
            if turn < 0.0 {
                face.turn_over();
            }
            let place = Transform::from_xyz(0.0, 0.0, carving.half * turn.signum())
                .with_rotation(upright)
                .with_scale(mirrored);
            shape.add(&face, place);
        }
        shape
    }

    /// Builds a flat polygon at y = 0 that faces up. Its corners are given in x and -z.
    #[must_use]
    pub fn filled(corners: &[Vec2]) -> Shape {
        let mut path = Path::builder();
        let at = |corner: &Vec2| math::point(corner.x, -corner.y);
        if let Some((first, rest)) = corners.split_first() {
            path.begin(at(first));
            for corner in rest {
                path.line_to(at(corner));
            }
            path.end(true);
        }
        let mut buffers: VertexBuffers<Vec2, u32> = VertexBuffers::new();
        // An outline that cannot be filled leaves a hole, which does not affect the game.
        let _ = FillTessellator::new().tessellate_path(
            &path.build(),
            &FillOptions::tolerance(TOLERANCE),
            &mut BuffersBuilder::new(&mut buffers, |vertex: FillVertex| {
                Vec2::new(vertex.position().x, vertex.position().y)
            }),
        );
        Shape::flat(&buffers.vertices, &buffers.indices)
    }

    /// Builds a part of a ring that stands at y = 0, from its radii, its height, and its
    /// first and last angle.
    #[must_use]
    pub fn sector([inner, outer]: [f32; 2], height: f32, [from, to]: [f32; 2]) -> Shape {
        const STEPS: u16 = 3;
        let edge = |radius: f32| {
            (0..=STEPS).map(move |step| {
                let angle = from + (to - from) * f32::from(step) / f32::from(STEPS);
                Vec2::from_angle(angle) * radius
            })
        };
        let mut outline: Vec<Vec2> = edge(outer).collect();
        outline.extend(edge(inner).collect::<Vec<_>>().into_iter().rev());
        let mut shape = Shape::default();
        for (index, one) in outline.iter().enumerate() {
            let other = outline[(index + 1) % outline.len()];
            let normal = -(other - *one).perp().normalize_or_zero();
            let normal = Vec3::new(normal.x, 0.0, -normal.y);
            let first = shape.positions.len() as u32;
            for (point, y) in [(*one, 0.0), (other, 0.0), (other, height), (*one, height)] {
                shape.vertex(Vec3::new(point.x, y, -point.y), normal, Vec3::ONE);
            }
            let corners = [0, 1, 2, 0, 2, 3].map(|corner| first + corner);
            shape.indices.extend(corners);
        }
        let top = Shape::filled(&outline);
        shape.add(&top, Transform::from_xyz(0.0, height, 0.0));
        shape
    }

    /// The number of triangles.
    #[must_use]
    pub fn triangles(&self) -> usize {
        self.indices.len() / 3
    }

    /// The least and the greatest coordinates of all corners.
    #[must_use]
    pub fn extent(&self) -> (Vec3, Vec3) {
        let all = self.positions.iter().map(|place| Vec3::from(*place));
        all.fold((Vec3::MAX, Vec3::MIN), |(low, high), place| {
            (low.min(place), high.max(place))
        })
    }

    /// Moves each corner to the place that `to` returns. Normals stay.
    #[must_use]
    pub fn bent(mut self, to: impl Fn(Vec3) -> Vec3) -> Shape {
        for place in &mut self.positions {
            *place = to(Vec3::from(*place)).to_array();
        }
        self
    }

    /// True if all of it can be drawn, and no normal points away from its triangle.
    #[cfg(test)]
    pub(in crate::scene) fn is_sound(&self) -> bool {
        let place = |index: u32| Vec3::from(self.positions[index as usize]);
        let normal = |index: u32| Vec3::from(self.normals[index as usize]);
        let is_well = |corners: &[u32]| {
            let [a, b, c] = [corners[0], corners[1], corners[2]];
            let faces = (place(b) - place(a)).cross(place(c) - place(a));
            let meant = normal(a) + normal(b) + normal(c);
            // The normal of a sliver is meaningless.
            faces.length() < 1e-5 || faces.normalize().dot(meant.normalize()) > -0.05
        };
        let is_finite = self.positions.iter().flatten().all(|part| part.is_finite());
        is_finite && self.indices.chunks_exact(3).all(is_well)
    }

    /// The corners of all triangles, one after the other.
    #[cfg(test)]
    pub(in crate::scene) fn corners(&self) -> impl Iterator<Item = Vec3> {
        let places = self.indices.iter();
        places.map(|index| Vec3::from(self.positions[*index as usize]))
    }

    fn turn_over(&mut self) {
        for corners in self.indices.chunks_exact_mut(3) {
            corners.swap(0, 1);
        }
    }
}

/// The radius of the rounded edge at each corner of the outline. Where the shape
/// is narrow, it is limited by the largest circle inside that touches the outline there.
fn edges(carving: &Carving<'_>, out: &[Vec2]) -> Vec<f32> {
    /// The share of that circle's radius that is used.
    const PART: f32 = 0.7;
    let within = |point: Vec2, out: Vec2| {
        let radii = carving.outline.iter().filter_map(|other| {
            let way = *other - point;
            let deep = -way.dot(out);
            (deep > 1e-4).then(|| way.length_squared() / (2.0 * deep))
        });
        radii.fold(f32::MAX, f32::min)
    };
    let points = carving.outline.iter().zip(out);
    let edges = points.map(|(point, out)| (PART * within(*point, *out)).min(carving.edge));
    edges.collect()
}

/// The outward direction at each corner of an outline.
fn ways_out(outline: &[Vec2]) -> Vec<Vec2> {
    let count = outline.len();
    (0..count)
        .map(|index| {
            let before = outline[(index + count - 1) % count];
            let next = outline[(index + 1) % count];
            -(next - before).perp().normalize_or_zero()
        })
        .collect()
}
