//! The shapes of pieces: a mesh for each kind, made by the lathe and the saw.
//!
//! Lengths are relative to the pitch. A figure stands at the origin on the face of the
//! board, where its light is: a tall one stands on its light, a flat one lies over it. It
//! has a body in the colour of its side, drawings in ink, and, if it is royal, a part of
//! brass.
//!
//! Invariants: a figure is not wider than its place. It has so few triangles that a
//! processor can draw a full board.

mod chess;
mod flat;
mod lathe;

use bevy::prelude::*;
use touchboard_host::pieces::figures::{PieceShape, PieceStyle, Width};

use super::shape::Shape;

/// Height of a tall figure's foot, within the top of its light.
const FOOT: f32 = 0.065;
/// Height of a flat figure's lower edge, at the foot of its light.
const SKIRT: f32 = 0.035;
/// Scale of tall figures, relative to how they are drawn here.
const TALL: f32 = 1.12;
/// Scale of a large figure's width.
const LARGE: f32 = 1.28;

/// The shapes of a figure.
#[derive(Clone, Debug, Default)]
pub struct FigureShapes {
    /// The body, in the colour of its side.
    pub body: Shape,
    /// The drawing on it, cut to its shape.
    pub ink: Option<Shape>,
    /// Its parts of brass.
    pub trim: Option<Shape>,
    /// Its parts in the colour of its side, if the body has another colour.
    pub band: Option<Shape>,
    /// Letters on it, as patches of the letter atlas.
    pub letters: Option<Shape>,
    /// The distance to the next piece of a stack; `None` if nothing can be put on it.
    pub step: Option<f32>,
}

impl FigureShapes {
    fn of(body: Shape) -> FigureShapes {
        FigureShapes {
            body,
            ..FigureShapes::default()
        }
    }

    fn with_ink(self, ink: Shape) -> FigureShapes {
        let ink = Some(ink);
        FigureShapes { ink, ..self }
    }

    fn with_trim(self, trim: Shape) -> FigureShapes {
        let trim = Some(trim);
        FigureShapes { trim, ..self }
    }

    fn with_band(self, band: Shape) -> FigureShapes {
        let band = Some(band);
        FigureShapes { band, ..self }
    }

    fn with_letters(self, letters: Shape) -> FigureShapes {
        let letters = Some(letters);
        FigureShapes { letters, ..self }
    }

    fn stacked(self, step: f32) -> FigureShapes {
        let step = Some(step);
        FigureShapes { step, ..self }
    }

    fn wide(self, by: f32) -> FigureShapes {
        self.scaled(Vec3::new(by, 1.0, by))
    }

    fn grown(self, by: f32) -> FigureShapes {
        self.scaled(Vec3::splat(by))
    }

    fn scaled(self, by: Vec3) -> FigureShapes {
        let wider = |place: Vec3| place * by;
        FigureShapes {
            body: self.body.bent(wider),
            ink: self.ink.map(|ink| ink.bent(wider)),
            trim: self.trim.map(|trim| trim.bent(wider)),
            band: self.band.map(|band| band.bent(wider)),
            letters: self.letters.map(|letters| letters.bent(wider)),
            ..self
        }
    }

    /// Its height.
    #[must_use]
    pub fn height(&self) -> f32 {
        let parts = std::iter::once(&self.body).chain(&self.trim);
        parts.fold(0.0, |high, part| part.extent().1.y.max(high))
    }
}

/// The shapes of a look.
#[must_use]
pub fn parts(look: PieceStyle) -> FigureShapes {
    let usual = match look.form {
        PieceShape::King => chess::king(),
        PieceShape::Queen => chess::queen(),
        PieceShape::Rook => chess::rook(),
        PieceShape::Bishop => chess::bishop(),
        PieceShape::Knight => chess::knight(),
        PieceShape::Pawn => chess::pawn(),
        PieceShape::Man => flat::man(),
        PieceShape::Counter => flat::counter(),
        PieceShape::Crowned => flat::crowned(),
        PieceShape::Stone => flat::stone(),
        PieceShape::Disc => flat::disc(),
        PieceShape::Cross => flat::cross(),
        PieceShape::Ball => flat::ball(),
        PieceShape::Arrow => flat::arrow(),
        PieceShape::Drum => flat::drum(),
        PieceShape::Tile(symbol) => flat::tile(symbol),
        PieceShape::Token(letter) => flat::token(letter),
    };
    // As large as the ring of light around the foot allows.
    let usual = match usual.step {
        Some(_) => usual,
        None => usual.grown(TALL),
    };
    match look.width {
        Width::Usual => usual,
        Width::Large => usual.wide(LARGE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The limit for a processor that draws a board of 256 figures.
    const MOST_TRIANGLES: usize = 3_000;

    impl FigureShapes {
        fn shapes(&self) -> impl Iterator<Item = &Shape> {
            let drawn = self.ink.iter().chain(&self.trim);
            let drawn = drawn.chain(&self.band).chain(&self.letters);
            std::iter::once(&self.body).chain(drawn)
        }
    }

    fn all() -> Vec<PieceStyle> {
        let signs = ['-', '=', '+', 'x', '*', 'o'].map(PieceShape::Tile);
        let tokens = ('A'..='Z').map(PieceShape::Token);
        let forms = PieceShape::SHAPES.into_iter().chain(signs).chain(tokens);
        let widths = [Width::Usual, Width::Large];
        forms
            .flat_map(|form| widths.map(|width| PieceStyle { form, width }))
            .collect()
    }

    #[test]
    fn every_figure_fits_its_place_and_can_be_drawn() {
        for look in all() {
            let parts = parts(look);
            let (low, high) = parts.body.extent();
            let wide = low.xz().abs().max(high.xz().abs()).max_element();
            assert!(wide < 0.5, "{look:?} is {wide} wide");
            assert!(low.y >= 0.0, "{look:?} goes down to {}", low.y);
            assert!((0.1..1.3).contains(&high.y), "{look:?} is {} high", high.y);
            assert!(parts.height() < 1.3, "{look:?} is {} high", parts.height());
            let shapes = parts.shapes().map(Shape::triangles);
            let triangles: usize = shapes.sum();
            assert!(triangles < MOST_TRIANGLES, "{look:?} has {triangles}");
        }
    }

    #[test]
    fn every_figure_has_outward_faces() {
        for look in all() {
            let parts = parts(look);
            assert!(parts.shapes().all(Shape::is_sound), "{look:?}");
        }
    }

    #[test]
    fn the_men_of_chess_are_as_high_as_their_rank() {
        let height = |form| parts(PieceStyle::of(form)).height();
        let ranks = [
            PieceShape::Pawn,
            PieceShape::Rook,
            PieceShape::Knight,
            PieceShape::Bishop,
            PieceShape::Queen,
            PieceShape::King,
        ];
        assert!(ranks.is_sorted_by(|low, high| height(*low) < height(*high)));
    }

    #[test]
    fn stacked_pieces_touch_each_other() {
        for look in all() {
            let parts = parts(look);
            let Some(step) = parts.step else {
                continue;
            };
            let (low, high) = parts.body.extent();
            // Drums have a small gap between them; stones sink into each other's rims.
            let gap = step - (high.y - low.y);
            assert!((-0.06..0.03).contains(&gap), "{look:?}: {gap}");
        }
    }
}
