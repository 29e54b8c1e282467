//! What is printed on the case: words as flat meshes.
//!
//! The outlines are those of the font that the workbench uses, a little bolder,
//! so that panel and board look like one thing.

use bevy::prelude::*;
use lyon_tessellation::path::Path;
use lyon_tessellation::{
    BuffersBuilder, FillOptions, FillTessellator, FillVertex, StrokeOptions, StrokeTessellator,
    StrokeVertex, VertexBuffers, math,
};
use ttf_parser::{Face, OutlineBuilder};

use super::shape::Shape;

/// How far outlines may be from the curve, in parts of the letter height.
const TOLERANCE: f32 = 0.004;
/// The stroke around each letter that makes the light font readable, in parts
/// of the letter height.
const BOLDER: f32 = 0.085;
/// Space between letters besides the font's own, in parts of the letter height.
const TRACKING: f32 = 0.09;

/// Words, centred on the origin, lying flat with the capital letters `height`
/// high. Characters that the font lacks are left out.
#[must_use]
pub fn words(text: &str, height: f32) -> Shape {
    let Ok(face) = Face::parse(epaint_default_fonts::UBUNTU_LIGHT, 0) else {
        return Shape::default();
    };
    let capital = f32::from(face.capital_height().unwrap_or(700));
    let mut buffers: VertexBuffers<Vec2, u32> = VertexBuffers::new();
    let mut pen = 0.0;
    for letter in text.chars() {
        let Some(glyph) = face.glyph_index(letter) else {
            continue;
        };
        let mut outline = Outline::new(pen, 1.0 / capital);
        face.outline_glyph(glyph, &mut outline);
        tessellate(&outline.finish(), &mut buffers);
        let advance = face.glyph_hor_advance(glyph).unwrap_or_default();
        pen += f32::from(advance) / capital + TRACKING;
    }
    let middle = Vec2::new((pen - TRACKING) / 2.0, -0.5);
    let points: Vec<Vec2> = buffers
        .vertices
        .iter()
        .map(|point| (*point - middle) * height)
        .collect();
    Shape::flat(&points, &buffers.indices)
}

fn tessellate(path: &Path, buffers: &mut VertexBuffers<Vec2, u32>) {
    // A glyph that cannot be tessellated is left out: lettering is ornament.
    let _ = FillTessellator::new().tessellate_path(
        path,
        &FillOptions::tolerance(TOLERANCE).with_fill_rule(lyon_tessellation::FillRule::NonZero),
        &mut BuffersBuilder::new(buffers, |vertex: FillVertex| {
            Vec2::new(vertex.position().x, vertex.position().y)
        }),
    );
    let _ = StrokeTessellator::new().tessellate_path(
        path,
        &StrokeOptions::tolerance(TOLERANCE).with_line_width(BOLDER),
        &mut BuffersBuilder::new(buffers, |vertex: StrokeVertex| {
            Vec2::new(vertex.position().x, vertex.position().y)
        }),
    );
}

/// A glyph's outline in letter heights; y goes down, towards the player.
struct Outline {
    builder: lyon_tessellation::path::builder::NoAttributes<lyon_tessellation::path::BuilderImpl>,
    open: bool,
    pen: f32,
    scale: f32,
}

impl Outline {
    fn new(pen: f32, scale: f32) -> Outline {
        Outline {
            builder: Path::builder(),
            open: false,
            pen,
            scale,
        }
    }

    fn at(&self, x: f32, y: f32) -> math::Point {
        math::point(self.pen + x * self.scale, -y * self.scale)
    }

    fn finish(mut self) -> Path {
        if self.open {
            self.builder.end(true);
        }
        self.builder.build()
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        if self.open {
            self.builder.end(true);
        }
        self.open = true;
        let at = self.at(x, y);
        self.builder.begin(at);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let at = self.at(x, y);
        self.builder.line_to(at);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let [control, at] = [self.at(x1, y1), self.at(x, y)];
        self.builder.quadratic_bezier_to(control, at);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let [first, second, at] = [self.at(x1, y1), self.at(x2, y2), self.at(x, y)];
        self.builder.cubic_bezier_to(first, second, at);
    }

    fn close(&mut self) {
        if self.open {
            self.builder.end(true);
            self.open = false;
        }
    }
}
