//! Generators that lay tiles: squares, hexagons, triangles and the tilings of
//! several polygons.

use super::bounds::{bounded, no_shape, places, tiles, walkable};
use super::{Around, MOST_SIDE, MOST_TILES, Reader, SHAPES, Shape};
use crate::layout::arguments::{Arguments, is_call, outline, wholes};
use crate::layout::error::BoardError;
use crate::layout::geometry::{Polygon, Spot};
use crate::layout::graph::Graph;
use crate::layout::operators;
use crate::layout::shapes::{self, Diagonals, Hexes, Tiling, Triangles};
use crate::tree::TextSpan;

impl Reader {
    pub(super) fn shape(call: &mut Arguments) -> Option<Shape> {
        call.word_of(&SHAPES).map(|index| Shape::ALL[index])
    }

    /// Takes an outline, if there is one.
    pub(super) fn around(call: &mut Arguments) -> Result<Option<Around>, BoardError> {
        const MOST: i64 = 50;
        if !call.is_outline() {
            return Ok(None);
        }
        let Some(node) = call.next() else {
            return Ok(None);
        };
        if is_call(node, "poly") {
            return outline(node).map(|outline| Some(Around::Corners(outline)));
        }
        let sides = wholes(node, -MOST, MOST)?;
        if sides.is_empty() {
            return Err(BoardError::Expected {
                span: node.span,
                expected: "the lengths of sides, such as {4 5},",
            });
        }
        Ok(Some(Around::Sides(sides)))
    }

    pub(super) fn diagonals(call: &mut Arguments) -> Result<Diagonals, BoardError> {
        const ALL: [(&str, Diagonals); 6] = [
            ("Implied", Diagonals::None),
            ("Solid", Diagonals::Solid),
            ("SolidNoSplit", Diagonals::SolidNoSplit),
            ("Alternating", Diagonals::Alternating),
            ("Concentric", Diagonals::Concentric),
            ("Radiating", Diagonals::Radiating),
        ];
        let Some(node) = call.named("diagonals") else {
            return Ok(Diagonals::None);
        };
        let word = match &node.kind {
            crate::tree::Kind::Word(word) => word.as_str(),
            _ => "",
        };
        let found = ALL.iter().find(|(name, _)| *name == word);
        found
            .map(|(_, diagonals)| *diagonals)
            .ok_or(BoardError::Expected {
                span: node.span,
                expected: "Solid, SolidNoSplit, Alternating, Concentric, Radiating or Implied",
            })
    }

    pub(super) fn square(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let diagonals = Reader::diagonals(&mut call)?;
        let shape = Reader::shape(&mut call).unwrap_or(Shape::Square);
        if let Some(around) = Reader::around(&mut call)? {
            call.finish()?;
            let steps = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)];
            let outline = match around {
                Around::Corners(outline) => outline,
                Around::Sides(sides) => {
                    Polygon::walked(&sides, &steps.map(|(x, y)| Spot::new(x, y)))
                }
            };
            return Ok(shapes::sided(&outline, diagonals));
        }
        let span = call.span;
        let side = call.whole(1, MOST_SIDE)?;
        let pyramidal = call.truth("pyramidal", false)?;
        call.finish()?;
        match shape {
            Shape::Square if pyramidal => {
                tiles(span, side * side * (side + 1) / 3)?;
                Ok(shapes::pyramid(side, self.used))
            }
            Shape::Square => self.rows_and_columns(span, side, side, diagonals),
            Shape::Limping => self.rows_and_columns(span, side, side + 1, diagonals),
            Shape::Diamond => {
                tiles(span, 2 * side * side)?;
                Ok(shapes::diamond(side, diagonals))
            }
            _ => no_shape(span, "Square, Diamond or Limping"),
        }
    }

    pub(super) fn rows_and_columns(
        self,
        span: TextSpan,
        rows: usize,
        columns: usize,
        diagonals: Diagonals,
    ) -> Result<Graph, BoardError> {
        tiles(span, rows * columns)?;
        Ok(shapes::rectangle(rows, columns, diagonals, self.used))
    }

    pub(super) fn rectangle(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let diagonals = Reader::diagonals(&mut call)?;
        let rows = call.whole(1, MOST_TILES as i64)?;
        let columns = call.whole_if(1, MOST_TILES as i64)?.unwrap_or(rows);
        let span = call.span;
        call.finish()?;
        self.rows_and_columns(span, rows, columns, diagonals)
    }

    /// Takes one or two sides.
    pub(super) fn sides(call: &mut Arguments) -> Result<(usize, Option<usize>), BoardError> {
        let one = call.whole(1, MOST_SIDE)?;
        Ok((one, call.whole_if(1, MOST_SIDE)?))
    }

    pub(super) fn hex(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let span = call.span;
        let shape = Reader::shape(&mut call).unwrap_or(Shape::Hexagon);
        if let Some(around) = Reader::around(&mut call)? {
            call.finish()?;
            return Ok(shapes::hex(&match around {
                Around::Corners(outline) => Hexes::Within(bounded(span, outline)?),
                Around::Sides(sides) => Hexes::Sides(walkable(span, sides)?),
            }));
        }
        let (one, two) = Reader::sides(&mut call)?;
        call.finish()?;
        tiles(span, places(shape, one, two))?;
        Ok(shapes::hex(&match (shape, two) {
            (Shape::Hexagon, None) => Hexes::Hexagon(one),
            (Shape::Hexagon, Some(two)) => Hexes::Sides(vec![one as i64, two as i64]),
            (Shape::Limping, _) => Hexes::Sides(vec![one as i64, one as i64 + 1]),
            (Shape::Triangle, _) => Hexes::Triangle(one),
            (Shape::Diamond, _) => Hexes::Diamond(one),
            (Shape::Prism, two) => Hexes::Prism(one, two.unwrap_or(one)),
            (Shape::Star, _) => Hexes::Star(one),
            (Shape::Square, _) => Hexes::Rectangle(one, one),
            (Shape::Rectangle, two) => Hexes::Rectangle(one, two.unwrap_or(one)),
            (Shape::Spiral, _) => {
                return no_shape(
                    span,
                    "Hexagon, Triangle, Diamond, Prism, Star, Limping, Square or Rectangle",
                );
            }
        }))
    }

    pub(super) fn tri(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let span = call.span;
        let shape = Reader::shape(&mut call).unwrap_or(Shape::Triangle);
        if let Some(around) = Reader::around(&mut call)? {
            call.finish()?;
            let triangles = match around {
                Around::Corners(outline) => Triangles::Within(bounded(span, outline)?),
                Around::Sides(sides) => Triangles::Sides(walkable(span, sides)?),
            };
            return Ok(shapes::tri(&triangles, self.used));
        }
        let (one, two) = Reader::sides(&mut call)?;
        call.finish()?;
        tiles(span, places(shape, one, two))?;
        let triangles = match (shape, two) {
            (Shape::Triangle, _) => Triangles::Triangle(one),
            (Shape::Hexagon, _) => Triangles::Hexagon(one),
            (Shape::Diamond, _) => Triangles::Diamond(one),
            (Shape::Prism, two) => Triangles::Prism(one, two.unwrap_or(one)),
            (Shape::Star, _) => Triangles::Star(one),
            (Shape::Square, _) => Triangles::Rectangle(one, one),
            (Shape::Rectangle, two) => Triangles::Rectangle(one, two.unwrap_or(one)),
            (Shape::Limping, _) => Triangles::Sides(vec![one as i64, one as i64 + 1]),
            (Shape::Spiral, _) => {
                return no_shape(
                    span,
                    "Hexagon, Triangle, Diamond, Prism, Star, Limping, Square or Rectangle",
                );
            }
        };
        Ok(shapes::tri(&triangles, self.used))
    }

    pub(super) fn tiling(self, mut call: Arguments) -> Result<Graph, BoardError> {
        const NAMES: [&str; 9] = [
            "T31212",
            "T4612",
            "T333333_33434",
            "T33336",
            "T33434",
            "T33344",
            "T3636",
            "T488",
            "T3464",
        ];
        let span = call.span;
        let Some(name) = call.word_of(&NAMES) else {
            return call.expected("a tiling, such as T33434,");
        };
        let name = NAMES[name];
        let shape = if name == "T3464" {
            Reader::shape(&mut call)
        } else {
            None
        };
        if let Some(around) = Reader::around(&mut call)? {
            call.finish()?;
            return self.tiling_around(span, name, around);
        }
        let (one, two) = Reader::sides(&mut call)?;
        call.finish()?;
        tiles(span, 2 * places(Shape::Prism, one, two))?;
        Ok(shapes::tiling(&match (name, two) {
            ("T31212", _) => Tiling::T31212(one),
            ("T4612", _) => Tiling::T4612(one),
            ("T333333_33434", _) => Tiling::T333333_33434(one),
            ("T33336", _) => Tiling::T33336(one),
            ("T33434", _) => Tiling::T33434(one),
            ("T33344", two) => Tiling::T33344(one, two.unwrap_or(one)),
            ("T3636", None) => Tiling::T3636(one),
            ("T3636", Some(two)) => Tiling::T3636Rhombus(one, two),
            ("T488", two) => Tiling::T488(one, two.unwrap_or(one)),
            (_, two) => match (shape, two) {
                (None, Some(two)) => Tiling::T3464Rhombus(one, two),
                (None | Some(Shape::Hexagon), _) => Tiling::T3464(one),
                (Some(Shape::Triangle), _) => Tiling::T3464Triangle(one),
                (Some(Shape::Diamond), _) => Tiling::T3464Rhombus(one, one),
                (Some(Shape::Prism), two) => Tiling::T3464Prism(one, two.unwrap_or(one)),
                (Some(Shape::Star), _) => Tiling::T3464Star(one),
                (Some(Shape::Square), _) => Tiling::T3464Rectangle(one, one),
                (Some(Shape::Rectangle), two) => Tiling::T3464Rectangle(one, two.unwrap_or(one)),
                (Some(Shape::Limping), _) => Tiling::T3464Sides(vec![one as i64, one as i64 + 1]),
                (Some(Shape::Spiral), _) => {
                    return no_shape(
                        span,
                        "Hexagon, Triangle, Diamond, Prism, Star, Limping, Square or Rectangle",
                    );
                }
            },
        }))
    }

    pub(super) fn tiling_around(
        self,
        span: TextSpan,
        name: &str,
        around: Around,
    ) -> Result<Graph, BoardError> {
        let tiling = match around {
            Around::Corners(outline) => {
                let outline = bounded(span, outline)?;
                match name {
                    "T3636" => Tiling::T3636Within(outline),
                    "T3464" => Tiling::T3464Within(outline),
                    "T33344" => Tiling::T33344Within(outline),
                    "T488" => Tiling::T488Within(outline),
                    _ => {
                        // These tilings are cut from a piece as large as the outline.
                        let reach = outline
                            .0
                            .iter()
                            .map(|corner| corner.x.abs().max(corner.y.abs()));
                        let side = 1 + reach.fold(1.0, f64::max).ceil() as usize / 2;
                        tiles(span, 2 * places(Shape::Hexagon, side, None))?;
                        return Ok(operators::keep(
                            &shapes::tiling(&whole_tiling(name, side)),
                            &outline,
                        ));
                    }
                }
            }
            Around::Sides(sides) => {
                let sides = walkable(span, sides)?;
                match name {
                    "T3636" => Tiling::T3636Sides(sides),
                    "T3464" => Tiling::T3464Sides(sides),
                    "T33344" => Tiling::T33344Sides(sides),
                    "T488" => Tiling::T488Sides(sides),
                    _ => {
                        return Err(BoardError::Expected {
                            span,
                            expected: "the size of this tiling as one number, such as (tiling T33434 4),",
                        });
                    }
                }
            }
        };
        Ok(shapes::tiling(&tiling))
    }
}

fn whole_tiling(name: &str, side: usize) -> Tiling {
    match name {
        "T31212" => Tiling::T31212(side),
        "T4612" => Tiling::T4612(side),
        "T333333_33434" => Tiling::T333333_33434(side),
        "T33336" => Tiling::T33336(side),
        _ => Tiling::T33434(side),
    }
}
