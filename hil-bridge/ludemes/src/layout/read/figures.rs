//! Generators of figures: bricks, knots, rings, polygons, spirals, and graphs that are
//! listed vertex by vertex.

use super::bounds::{bounded, no_shape, places, tiles, too_large, walkable};
use super::elements::pairs;
use super::{Around, MOST_SIDE, Reader, Shape};
use crate::layout::arguments::{Arguments, is_call, outline, set, spots, whole, wholes};
use crate::layout::error::BoardError;
use crate::layout::geometry::Polygon;
use crate::layout::graph::{Graph, MOST_VERTICES, SiteType};
use crate::layout::shapes::{self, Bricks, Joins, Knot};
use crate::tree::Kind;

impl Reader {
    pub(super) fn brick(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let span = call.span;
        let shape = Reader::shape(&mut call);
        let (one, two) = Reader::sides(&mut call)?;
        let trim = call.truth("trim", false)?;
        call.finish()?;
        tiles(span, 2 * places(Shape::Prism, one, two))?;
        let bricks = match (shape, two) {
            (None | Some(Shape::Square | Shape::Rectangle), two) => {
                Bricks::Rectangle(one, two.unwrap_or(one))
            }
            (Some(Shape::Limping), _) => Bricks::Rectangle(one, one + 1),
            (Some(Shape::Diamond), _) => Bricks::Diamond(one),
            (Some(Shape::Prism), two) => Bricks::Prism(one, two.unwrap_or(one)),
            (Some(Shape::Spiral), _) => Bricks::Spiral(one),
            _ => return no_shape(span, "Square, Rectangle, Limping, Diamond, Prism or Spiral"),
        };
        Ok(shapes::brick(bricks, trim))
    }

    pub(super) fn celtic(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let span = call.span;
        if let Some(around) = Reader::around(&mut call)? {
            call.finish()?;
            return Ok(shapes::celtic(&match around {
                Around::Corners(outline) => Knot::Within(bounded(span, outline)?),
                Around::Sides(sides) => Knot::Sides(walkable(span, sides)?),
            }));
        }
        let (rows, columns) = Reader::sides(&mut call)?;
        call.finish()?;
        let columns = columns.unwrap_or(rows);
        tiles(span, 2 * rows * columns)?;
        Ok(shapes::celtic(&Knot::Rectangle(rows, columns)))
    }

    pub(super) fn quadhex(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let span = call.span;
        let layers = call.whole(1, MOST_SIDE)?;
        let thirds = call.truth("thirds", false)?;
        call.finish()?;
        tiles(span, 6 * layers * layers)?;
        Ok(shapes::quadhex(layers, thirds))
    }

    pub(super) fn concentric(self, mut call: Arguments) -> Result<Graph, BoardError> {
        const SHAPES: [(&str, usize); 4] = [
            ("Triangle", 3),
            ("Square", 4),
            ("Hexagon", 6),
            ("Target", 0),
        ];
        let span = call.span;
        let rings = match call.named("rings") {
            Some(node) => Some(whole(node, 1, MOST_SIDE)? as usize),
            None => None,
        };
        let steps = match call.named("steps") {
            Some(node) => Some(whole(node, 1, MOST_SIDE)?),
            None => None,
        };
        let stagger = call.truth("stagger", false)?;
        let plain = Joins::default();
        let joins = Joins {
            midpoints: call.truth("midpoints", plain.midpoints)?,
            at_midpoints: call.truth("joinMidpoints", plain.at_midpoints)?,
            at_corners: call.truth("joinCorners", plain.at_corners)?,
        };
        let names = SHAPES.map(|(name, _)| name);
        let sides = match call.named("sides") {
            Some(node) => Some(whole(node, 3, MOST_SIDE)? as usize),
            None => call.word_of(&names).map(|index| SHAPES[index].1),
        };
        if let (None, Some(node)) = (sides, call.peek()) {
            call.next();
            let cells = wholes(node, -MOST_SIDE, MOST_SIDE)?;
            call.finish()?;
            tiles(
                span,
                2 * cells.iter().map(|cells| cells.abs()).sum::<i64>() as usize,
            )?;
            return Ok(shapes::circle(&cells, stagger, self.used));
        }
        let (Some(sides), Some(rings)) = (sides, rings) else {
            return call.expected("its rings, such as (concentric Square rings:3),");
        };
        call.finish()?;
        match (sides, steps) {
            (0, Some(steps)) => {
                tiles(span, 2 * rings * steps as usize)?;
                Ok(shapes::circle(&vec![steps; rings], false, self.used))
            }
            (0, None) if self.used != SiteType::Cell => Err(BoardError::Expected {
                span,
                expected: "a target that is played on cells, without use:,",
            }),
            (0, None) => Ok(shapes::target(rings)),
            (sides, _) => {
                tiles(span, 2 * rings * sides)?;
                Ok(shapes::concentric(sides, rings, joins, self.used))
            }
        }
    }

    pub(super) fn spiral(self, mut call: Arguments) -> Result<Graph, BoardError> {
        const MOST_SITES: i64 = 1000;
        let (Some(turns), Some(sites)) = (call.named("turns"), call.named("sites")) else {
            return call.expected("turns and sites, such as (spiral turns:4 sites:60),");
        };
        let (turns, sites) = (whole(turns, 1, MOST_SIDE)?, whole(sites, 1, MOST_SITES)?);
        let clockwise = call.truth("clockwise", true)?;
        call.finish()?;
        Ok(shapes::spiral(turns as usize, sites as usize, clockwise))
    }

    pub(super) fn wedge(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let rows = call.whole(2, MOST_SIDE)?;
        let columns = call.whole_if(2, MOST_SIDE)?.unwrap_or(3);
        let span = call.span;
        call.finish()?;
        tiles(span, rows * columns)?;
        Ok(shapes::wedge(rows, columns))
    }

    pub(super) fn regular(self, mut call: Arguments) -> Result<Graph, BoardError> {
        let star = call.word_of(&["Star"]).is_some();
        let sides = call.whole(3, MOST_SIDE)?;
        call.finish()?;
        Ok(shapes::regular(sides, star, self.used))
    }

    pub(super) fn repeat(self, mut call: Arguments) -> Result<Graph, BoardError> {
        const STEPS: &str = "the steps to the next column and row, such as step:{{1 0} {0 1}},";
        let span = call.span;
        let (rows, columns) = (call.whole(1, MOST_SIDE)?, call.whole(1, MOST_SIDE)?);
        let Some(step) = call.named("step") else {
            return call.expected(STEPS);
        };
        let [column_step, row_step] = spots(step)?[..] else {
            return Err(BoardError::Expected {
                span: step.span,
                expected: STEPS,
            });
        };
        let figures = match call.next() {
            Some(node) if is_call(node, "poly") => vec![outline(node)?],
            Some(node) => {
                let all = set(node, "figures, such as (poly {{0 0} {0 1} {1 0}}),")?;
                all.iter().map(outline).collect::<Result<_, _>>()?
            }
            None => return call.expected("figures, such as (poly {{0 0} {0 1} {1 0}}),"),
        };
        call.finish()?;
        let corners: usize = figures.iter().map(|outline| outline.0.len()).sum();
        tiles(span, rows * columns * corners / 4)?;
        Ok(shapes::repeat(
            rows,
            columns,
            [column_step, row_step],
            &figures,
        ))
    }

    pub(super) fn mesh(self, mut call: Arguments) -> Result<Graph, BoardError> {
        const MOST: usize = 256;
        let span = call.span;
        if call.is_outline() {
            let points = call.next().map_or(Ok(Vec::new()), spots)?;
            call.finish()?;
            return match points.len() {
                0..=MOST => Ok(shapes::mesh(&points)),
                _ => too_large(span, MOST, "points"),
            };
        }
        let points = call.whole(1, MOST as i64)?;
        let outline = match call.next() {
            Some(node) => outline(node)?,
            None => Polygon::regular(4),
        };
        call.finish()?;
        Ok(shapes::strewn_mesh(points, &outline))
    }

    pub(super) fn explicit(self, mut call: Arguments) -> Result<Graph, BoardError> {
        const EXAMPLE: &str = "points, such as vertices:{{0 0} {1 0}},";
        let Some(vertices) = call.named("vertices") else {
            return call.expected(EXAMPLE);
        };
        let spots = spots(vertices)?;
        if spots.len() > MOST_VERTICES {
            return too_large(vertices.span, MOST_VERTICES, "vertices");
        }
        let edges = match call.named("edges") {
            Some(node) => pairs(node, spots.len())?,
            None => Vec::new(),
        };
        call.finish()?;
        Ok(Graph::new(&spots, &edges))
    }
}

/// Rows and columns of pits, and whether there are stores.
pub(super) fn mancala(call: &mut Arguments) -> Result<Graph, BoardError> {
    let rows = call.whole(2, 6)?;
    let columns = call.whole(1, MOST_SIDE)?;
    let stores = match call.named("store") {
        None => true,
        Some(node) => match &node.kind {
            Kind::Word(word) if word == "Outer" => true,
            Kind::Word(word) if word == "None" => false,
            _ => return no_shape(node.span, "Outer or None"),
        },
    };
    Ok(shapes::mancala(rows, columns, stores))
}
