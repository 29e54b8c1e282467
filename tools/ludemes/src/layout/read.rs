//! Boards as a text says them.
//!
//! `(board (hex 5) use:Vertex)`: a graph, and what the board is played on. A
//! graph is a generator with its sizes, or an operator with graphs. What else a
//! board says, its tracks and values, belongs to rules and is passed over.
//!
//! What always holds: what is made is bounded, whatever the text says.

use super::arguments::{Arguments, is_number, outline, set, spot, spots, whole, wholes};
use super::board::Board;
use super::error::LayoutError;
use super::geometry::{Outline, Spot};
use super::graph::{Graph, MOST_EDGES, MOST_VERTICES, SiteType};
use super::operators;
use super::shapes::{self, Bricks, Diagonals, Hexes, Joins, Knot, Tiling, Triangles};
use crate::tree::{Node, Span};

/// The longest side of a board.
const MOST_SIDE: i64 = 100;

/// The most tiles of a board's largest kind.
const MOST_TILES: usize = 2048;

/// The deepest that operators can stand within each other.
const DEEPEST: usize = 32;

impl Board {
    /// The board that a text says: `(board (hex 5) use:Vertex)`.
    ///
    /// # Errors
    /// [`LayoutError`] with the place of what is wrong.
    pub fn from_node(node: &Node) -> Result<Board, LayoutError> {
        const EXAMPLE: &str = "a board, such as (board (square 8)),";
        let error = LayoutError::Expected {
            span: node.span,
            expected: EXAMPLE,
        };
        let mut call = Arguments::new(node)
            .filter(|call| call.head == "board")
            .ok_or(error)?;
        let used = match call.named("use") {
            Some(node) => site_type(node)?,
            None => SiteType::Cell,
        };
        let Some(first) = call.next() else {
            return call.expected(EXAMPLE);
        };
        let graph = Reader { used, depth: 0 }.graph(first)?;
        if graph.len(used) == 0 {
            return Err(LayoutError::Empty { span: first.span });
        }
        Ok(Board::new(graph, used))
    }

    /// The graph that a text says, drawn for a board that is played on these.
    ///
    /// # Errors
    /// [`LayoutError`] with the place of what is wrong.
    pub fn graph_from_node(node: &Node, used: SiteType) -> Result<Graph, LayoutError> {
        Reader { used, depth: 0 }.graph(node)
    }
}

fn site_type(node: &Node) -> Result<SiteType, LayoutError> {
    match &node.kind {
        crate::tree::Kind::Word(word) if word == "Vertex" => Ok(SiteType::Vertex),
        crate::tree::Kind::Word(word) if word == "Edge" => Ok(SiteType::Edge),
        crate::tree::Kind::Word(word) if word == "Cell" => Ok(SiteType::Cell),
        _ => Err(LayoutError::Expected {
            span: node.span,
            expected: "Cell, Vertex or Edge",
        }),
    }
}

/// The words of outlines, in one order for all generators.
const SHAPES: [&str; 9] = [
    "Square",
    "Rectangle",
    "Diamond",
    "Triangle",
    "Hexagon",
    "Star",
    "Limping",
    "Prism",
    "Spiral",
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Square,
    Rectangle,
    Diamond,
    Triangle,
    Hexagon,
    Star,
    Limping,
    Prism,
    Spiral,
}

impl Shape {
    const ALL: [Shape; 9] = [
        Shape::Square,
        Shape::Rectangle,
        Shape::Diamond,
        Shape::Triangle,
        Shape::Hexagon,
        Shape::Star,
        Shape::Limping,
        Shape::Prism,
        Shape::Spiral,
    ];
}

/// An outline as a text gives it: corners, or the sides of a walk.
enum Around {
    Corners(Outline),
    Sides(Vec<i64>),
}

#[derive(Clone, Copy)]
struct Reader {
    used: SiteType,
    depth: usize,
}

impl Reader {
    fn graph(self, node: &Node) -> Result<Graph, LayoutError> {
        let error = LayoutError::Expected {
            span: node.span,
            expected: "what the board looks like, such as (square 8),",
        };
        let call = Arguments::new(node).ok_or(error)?;
        if self.depth > DEEPEST {
            return too_large(node.span, DEEPEST, "operators within each other");
        }
        let deeper = Reader {
            depth: self.depth + 1,
            ..self
        };
        let graph = match call.head {
            "square" => deeper.square(call),
            "rectangle" => deeper.rectangle(call),
            "hex" => deeper.hex(call),
            "tri" => deeper.tri(call),
            "tiling" => deeper.tiling(call),
            "brick" => deeper.brick(call),
            "celtic" => deeper.celtic(call),
            "quadhex" => deeper.quadhex(call),
            "concentric" => deeper.concentric(call),
            "spiral" => deeper.spiral(call),
            "wedge" => deeper.wedge(call),
            "regular" => deeper.regular(call),
            "repeat" => deeper.repeat(call),
            "mesh" => deeper.mesh(call),
            "graph" => deeper.explicit(call),
            _ => deeper.operator(call),
        }?;
        check(&graph, node.span)?;
        Ok(graph)
    }

    fn shape(call: &mut Arguments) -> Option<Shape> {
        call.word_of(&SHAPES).map(|index| Shape::ALL[index])
    }

    /// Takes an outline, if one stands there.
    fn around(call: &mut Arguments) -> Result<Option<Around>, LayoutError> {
        const MOST: i64 = 50;
        if !call.is_outline() {
            return Ok(None);
        }
        let Some(node) = call.next() else {
            return Ok(None);
        };
        if super::arguments::is_call(node, "poly") {
            return outline(node).map(|outline| Some(Around::Corners(outline)));
        }
        let sides = wholes(node, -MOST, MOST)?;
        if sides.is_empty() {
            return Err(LayoutError::Expected {
                span: node.span,
                expected: "the lengths of sides, such as {4 5},",
            });
        }
        Ok(Some(Around::Sides(sides)))
    }

    fn diagonals(call: &mut Arguments) -> Result<Diagonals, LayoutError> {
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
            .ok_or(LayoutError::Expected {
                span: node.span,
                expected: "Solid, SolidNoSplit, Alternating, Concentric, Radiating or Implied",
            })
    }

    fn square(self, mut call: Arguments) -> Result<Graph, LayoutError> {
        let diagonals = Reader::diagonals(&mut call)?;
        let shape = Reader::shape(&mut call).unwrap_or(Shape::Square);
        if let Some(around) = Reader::around(&mut call)? {
            call.finish()?;
            let steps = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)];
            let outline = match around {
                Around::Corners(outline) => outline,
                Around::Sides(sides) => {
                    Outline::walked(&sides, &steps.map(|(x, y)| Spot::new(x, y)))
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

    fn rows_and_columns(
        self,
        span: Span,
        rows: usize,
        columns: usize,
        diagonals: Diagonals,
    ) -> Result<Graph, LayoutError> {
        tiles(span, rows * columns)?;
        Ok(shapes::rectangle(rows, columns, diagonals, self.used))
    }

    fn rectangle(self, mut call: Arguments) -> Result<Graph, LayoutError> {
        let diagonals = Reader::diagonals(&mut call)?;
        let rows = call.whole(1, MOST_TILES as i64)?;
        let columns = call.whole_if(1, MOST_TILES as i64)?.unwrap_or(rows);
        let span = call.span;
        call.finish()?;
        self.rows_and_columns(span, rows, columns, diagonals)
    }

    /// Takes one or two sides.
    fn sides(call: &mut Arguments) -> Result<(usize, Option<usize>), LayoutError> {
        let one = call.whole(1, MOST_SIDE)?;
        Ok((one, call.whole_if(1, MOST_SIDE)?))
    }

    fn hex(self, mut call: Arguments) -> Result<Graph, LayoutError> {
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

    fn tri(self, mut call: Arguments) -> Result<Graph, LayoutError> {
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

    fn tiling(self, mut call: Arguments) -> Result<Graph, LayoutError> {
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

    fn tiling_around(self, span: Span, name: &str, around: Around) -> Result<Graph, LayoutError> {
        let tiling = match around {
            Around::Corners(outline) => {
                let outline = bounded(span, outline)?;
                match name {
                    "T3636" => Tiling::T3636Within(outline),
                    "T3464" => Tiling::T3464Within(outline),
                    "T33344" => Tiling::T33344Within(outline),
                    "T488" => Tiling::T488Within(outline),
                    _ => {
                        // These are cut from a piece that is as large as the outline.
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
                        return Err(LayoutError::Expected {
                            span,
                            expected: "the size of this tiling as one number, such as (tiling T33434 4),",
                        });
                    }
                }
            }
        };
        Ok(shapes::tiling(&tiling))
    }

    fn brick(self, mut call: Arguments) -> Result<Graph, LayoutError> {
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

    fn celtic(self, mut call: Arguments) -> Result<Graph, LayoutError> {
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

    fn quadhex(self, mut call: Arguments) -> Result<Graph, LayoutError> {
        let span = call.span;
        let layers = call.whole(1, MOST_SIDE)?;
        let thirds = call.truth("thirds", false)?;
        call.finish()?;
        tiles(span, 6 * layers * layers)?;
        Ok(shapes::quadhex(layers, thirds))
    }

    fn concentric(self, mut call: Arguments) -> Result<Graph, LayoutError> {
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
            (0, None) if self.used != SiteType::Cell => Err(LayoutError::Expected {
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

    fn spiral(self, mut call: Arguments) -> Result<Graph, LayoutError> {
        const MOST_SITES: i64 = 1000;
        let (Some(turns), Some(sites)) = (call.named("turns"), call.named("sites")) else {
            return call.expected("turns and sites, such as (spiral turns:4 sites:60),");
        };
        let (turns, sites) = (whole(turns, 1, MOST_SIDE)?, whole(sites, 1, MOST_SITES)?);
        let clockwise = call.truth("clockwise", true)?;
        call.finish()?;
        Ok(shapes::spiral(turns as usize, sites as usize, clockwise))
    }

    fn wedge(self, mut call: Arguments) -> Result<Graph, LayoutError> {
        let rows = call.whole(2, MOST_SIDE)?;
        let columns = call.whole_if(2, MOST_SIDE)?.unwrap_or(3);
        let span = call.span;
        call.finish()?;
        tiles(span, rows * columns)?;
        Ok(shapes::wedge(rows, columns))
    }

    fn regular(self, mut call: Arguments) -> Result<Graph, LayoutError> {
        let star = call.word_of(&["Star"]).is_some();
        let sides = call.whole(3, MOST_SIDE)?;
        call.finish()?;
        Ok(shapes::regular(sides, star, self.used))
    }

    fn repeat(self, mut call: Arguments) -> Result<Graph, LayoutError> {
        const STEPS: &str = "the steps to the next column and row, such as step:{{1 0} {0 1}},";
        let span = call.span;
        let (rows, columns) = (call.whole(1, MOST_SIDE)?, call.whole(1, MOST_SIDE)?);
        let Some(step) = call.named("step") else {
            return call.expected(STEPS);
        };
        let [column_step, row_step] = spots(step)?[..] else {
            return Err(LayoutError::Expected {
                span: step.span,
                expected: STEPS,
            });
        };
        let figures = match call.next() {
            Some(node) if super::arguments::is_call(node, "poly") => vec![outline(node)?],
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

    fn mesh(self, mut call: Arguments) -> Result<Graph, LayoutError> {
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
            None => Outline::regular(4),
        };
        call.finish()?;
        Ok(shapes::strewn_mesh(points, &outline))
    }

    fn explicit(self, mut call: Arguments) -> Result<Graph, LayoutError> {
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

    fn operator(self, mut call: Arguments) -> Result<Graph, LayoutError> {
        let span = call.span;
        match call.head {
            "merge" | "union" | "intersect" => return self.several(call),
            "add" => return self.add(call),
            "remove" => return self.remove(call),
            "layers" => {
                let many = call.whole(1, MOST_SIDE)?;
                let graph = self.next_graph(&mut call)?;
                call.finish()?;
                tiles(span, many * graph.vertices.len())?;
                return Ok(operators::layers(many, &graph));
            }
            "rotate" => {
                let degrees = call.number()?;
                let mut graph = self.last_graph(call)?;
                operators::rotate(&mut graph, degrees);
                return Ok(graph);
            }
            "skew" => {
                let amount = call.number()?;
                let mut graph = self.last_graph(call)?;
                operators::skew(&mut graph, amount);
                return Ok(graph);
            }
            "shift" => {
                let (x, y) = (call.number()?, call.number()?);
                let z = call.number_if()?.unwrap_or(0.0);
                let mut graph = self.last_graph(call)?;
                operators::shift(&mut graph, Spot { x, y, z });
                return Ok(graph);
            }
            "scale" => {
                let x = call.number()?;
                let y = call.number_if()?.unwrap_or(x);
                let z = call.number_if()?.unwrap_or(1.0);
                let mut graph = self.last_graph(call)?;
                operators::scale(&mut graph, Spot { x, y, z });
                return Ok(graph);
            }
            "renumber" | "recoordinate" => return self.renumber(call),
            _ => {}
        }
        let head = call.head;
        let is_known = [
            "keep",
            "clip",
            "hole",
            "complete",
            "dual",
            "makeFaces",
            "splitCrossings",
            "subdivide",
            "trim",
        ];
        if !is_known.contains(&head) {
            return Err(LayoutError::Unknown {
                span,
                word: head.to_owned(),
            });
        }
        let mut graph = self.next_graph(&mut call)?;
        match head {
            "keep" => graph = operators::keep(&graph, &next_outline(&mut call)?),
            "clip" => graph = operators::clip(&graph, &next_outline(&mut call)?),
            "hole" => operators::hole(&mut graph, &next_outline(&mut call)?),
            "complete" if call.truth("eachCell", false)? => operators::complete_cells(&mut graph),
            "complete" => {
                let many = graph.vertices.len();
                if many * many.saturating_sub(1) / 2 > MOST_EDGES {
                    return too_large(span, MOST_EDGES, "edges");
                }
                operators::complete(&mut graph);
            }
            "dual" => graph = operators::dual(graph),
            "makeFaces" => graph.make_faces(true),
            "splitCrossings" => {
                const MOST_SPLIT: usize = 512;
                if graph.edges.len() > MOST_SPLIT {
                    return too_large(span, MOST_SPLIT, "edges to split");
                }
                operators::split_crossings(&mut graph);
            }
            "subdivide" => {
                let least = match call.named("min") {
                    Some(node) => whole(node, 0, MOST_SIDE)? as usize,
                    None => 1,
                };
                operators::subdivide(&mut graph, least, self.used);
            }
            _ => operators::trim(&mut graph),
        }
        call.finish()?;
        Ok(graph)
    }

    fn next_graph(self, call: &mut Arguments) -> Result<Graph, LayoutError> {
        match call.next() {
            Some(node) => self.graph(node),
            None => call.expected("what the board looks like, such as (square 8),"),
        }
    }

    fn last_graph(self, mut call: Arguments) -> Result<Graph, LayoutError> {
        let graph = self.next_graph(&mut call)?;
        call.finish()?;
        Ok(graph)
    }

    fn several(self, mut call: Arguments) -> Result<Graph, LayoutError> {
        let span = call.span;
        let connect = call.truth("connect", false)?;
        let mut graphs = Vec::new();
        let mut vertices = 0;
        while let Some(node) = call.next() {
            let nodes = match &node.kind {
                crate::tree::Kind::Set(nodes) => nodes.iter().collect(),
                _ => vec![node],
            };
            for node in nodes {
                let graph = self.graph(node)?;
                vertices += graph.vertices.len();
                if vertices > MOST_VERTICES {
                    return too_large(span, MOST_VERTICES, "vertices");
                }
                graphs.push(graph);
            }
        }
        let head = call.head;
        call.finish()?;
        Ok(match head {
            "merge" => operators::merge(&graphs, connect),
            "union" => operators::union(&graphs, connect),
            _ => operators::intersect(&graphs),
        })
    }

    fn renumber(self, mut call: Arguments) -> Result<Graph, LayoutError> {
        const TYPES: [&str; 3] = ["Vertex", "Edge", "Cell"];
        let mut types = Vec::new();
        while let Some(index) = call.word_of(&TYPES) {
            types.push(SiteType::ALL[index]);
        }
        let is_numbers = call.head == "renumber";
        let mut graph = self.last_graph(call)?;
        // Names always follow the places; so `recoordinate` has nothing to do.
        if is_numbers && types.is_empty() {
            graph.sort();
        }
        for of in types.into_iter().filter(|_| is_numbers) {
            graph.sort_only(of);
        }
        Ok(graph)
    }

    fn add(self, mut call: Arguments) -> Result<Graph, LayoutError> {
        let mut graph = match call.next() {
            Some(node) => self.graph(node)?,
            None => Graph::default(),
        };
        for arc in elements(&mut call, "edgesCurved")? {
            let points = spots(arc)?;
            let [from, to, leaves, comes] = points[..] else {
                return Err(LayoutError::Expected {
                    span: arc.span,
                    expected: "an arc: two ends and the directions there, such as {{0 0} {1 0} {1 2} {-1 2}},",
                });
            };
            let ends = [from, to].map(|end| graph.find_or_add_vertex(end));
            graph.add_arc(ends, [leaves, comes]);
        }
        let before = graph.vertices.len();
        for vertex in elements(&mut call, "vertices")? {
            graph.find_or_add_vertex(spot(vertex)?);
        }
        let fresh = before..graph.vertices.len();
        for edge in elements(&mut call, "edges")? {
            let Ok(ends) = <[usize; 2]>::try_from(self.corners(&mut graph, edge)?) else {
                return Err(LayoutError::Expected {
                    span: edge.span,
                    expected: "two ends, such as {{0 0} {1 0}} or {0 1},",
                });
            };
            if ends[0] != ends[1] {
                graph.find_or_add_edge(ends);
            }
        }
        for cell in elements(&mut call, "cells")? {
            let corners = self.corners(&mut graph, cell)?;
            add_cell(&mut graph, &corners);
        }
        if call.truth("connect", false)? {
            graph.connect(fresh);
        }
        call.finish()?;
        Ok(graph)
    }

    /// The vertices that are told by their numbers, or by where they lie: those
    /// are added where they are missing.
    fn corners(self, graph: &mut Graph, node: &Node) -> Result<Vec<usize>, LayoutError> {
        if are_numbers(node) {
            return vertices(node, graph.vertices.len());
        }
        let spots = spots(node)?.into_iter();
        Ok(spots.map(|spot| graph.find_or_add_vertex(spot)).collect())
    }

    fn remove(self, mut call: Arguments) -> Result<Graph, LayoutError> {
        let mut graph = self.next_graph(&mut call)?;
        if call.is_outline() {
            operators::remove_within(&mut graph, &next_outline(&mut call)?);
        }
        let trim = call.truth("trimEdges", true)?;
        if let Some(node) = call.named("cells") {
            let many = graph.faces.len();
            let find = |graph: &Graph, node: &Node| {
                let corners = known_corners(graph, node)?;
                Some(graph.clone().find_or_add_face(&corners)?).filter(|face| *face < many)
            };
            let mut cells = found(&graph, node, many, find)?;
            cells.sort_unstable();
            cells.dedup();
            for cell in cells.into_iter().rev() {
                graph.remove_face(cell, trim);
            }
        }
        for edge in elements(&mut call, "edges")? {
            let ends = match are_numbers(edge) {
                true => Some(vertices(edge, graph.vertices.len())?),
                false => known_corners(&graph, edge),
            };
            let known = match ends.as_deref() {
                Some([from, to]) => graph.edge_between(*from, *to),
                _ => None,
            };
            match known {
                Some(known) => graph.keep_edges(|other| other != known),
                None => return nothing_there(edge),
            }
        }
        if let Some(node) = call.named("vertices") {
            let many = graph.vertices.len();
            let find = |graph: &Graph, node: &Node| graph.vertex_at(spot(node).ok()?);
            let removed = found(&graph, node, many, find)?;
            graph.keep_vertices(|other| !removed.contains(&other));
        }
        call.finish()?;
        Ok(graph)
    }
}

/// True for a set of numbers.
fn are_numbers(node: &Node) -> bool {
    match &node.kind {
        crate::tree::Kind::Set(nodes) => nodes.iter().all(is_number),
        _ => false,
    }
}

/// The elements that a set tells, by numbers below `many` or each as `find` knows
/// it.
fn found(
    graph: &Graph,
    node: &Node,
    many: usize,
    find: impl Fn(&Graph, &Node) -> Option<usize>,
) -> Result<Vec<usize>, LayoutError> {
    if are_numbers(node) {
        return numbers(node, many);
    }
    let all = set(node, "a set in braces, such as {0 1} or {{0 0} {1 0}},")?.iter();
    all.map(|node| find(graph, node).map_or_else(|| nothing_there(node), Ok))
        .collect()
}

/// The vertices that lie at these spots; `None` if one is missing.
fn known_corners(graph: &Graph, node: &Node) -> Option<Vec<usize>> {
    let spots = spots(node).ok()?.into_iter();
    spots.map(|spot| graph.vertex_at(spot)).collect()
}

/// Adds a cell and the edges around it that are missing.
fn add_cell(graph: &mut Graph, corners: &[usize]) {
    let next = corners.iter().cycle().skip(1);
    for (one, other) in corners.iter().zip(next).filter(|(one, other)| one != other) {
        graph.find_or_add_edge([*one, *other]);
    }
    graph.find_or_add_face(corners);
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

/// How many tiles a shape with such sides has at most.
fn places(shape: Shape, one: usize, two: Option<usize>) -> usize {
    let two = two.unwrap_or(one);
    match shape {
        Shape::Square | Shape::Rectangle | Shape::Diamond | Shape::Triangle | Shape::Spiral => {
            one * two
        }
        Shape::Hexagon | Shape::Prism | Shape::Limping => 3 * (one + 1) * (two + 1) / 2,
        Shape::Star => 7 * one * one,
    }
}

fn tiles(span: Span, tiles: usize) -> Result<(), LayoutError> {
    match tiles <= MOST_TILES {
        true => Ok(()),
        false => too_large(span, MOST_TILES, "tiles"),
    }
}

/// An outline with an area that can be tiled.
fn bounded(span: Span, outline: Outline) -> Result<Outline, LayoutError> {
    let [least, most] = outline.extent().unwrap_or_default();
    let area = (most.x - least.x) * (most.y - least.y);
    tiles(span, area as usize)?;
    Ok(outline)
}

/// Sides of a walk that stays within bounds.
fn walkable(span: Span, sides: Vec<i64>) -> Result<Vec<i64>, LayoutError> {
    let around: i64 = (0..sides.len().max(5))
        .map(|index| sides[index % sides.len()].abs())
        .sum();
    // The largest area of a given length around is that of a circle.
    tiles(span, (around * around / 12) as usize)?;
    Ok(sides)
}

fn check(graph: &Graph, span: Span) -> Result<(), LayoutError> {
    if graph.vertices.len() > MOST_VERTICES {
        return too_large(span, MOST_VERTICES, "vertices");
    }
    if graph.edges.len() > MOST_EDGES {
        return too_large(span, MOST_EDGES, "edges");
    }
    Ok(())
}

fn too_large<T>(span: Span, most: usize, what: &'static str) -> Result<T, LayoutError> {
    Err(LayoutError::TooLarge { span, most, what })
}

fn no_shape<T>(span: Span, expected: &'static str) -> Result<T, LayoutError> {
    Err(LayoutError::Expected { span, expected })
}

fn nothing_there<T>(node: &Node) -> Result<T, LayoutError> {
    Err(LayoutError::NothingThere { span: node.span })
}

fn next_outline(call: &mut Arguments) -> Result<Outline, LayoutError> {
    match call.next() {
        Some(node) => outline(node),
        None => call.expected("an outline, such as (poly {{0 0} {0 4} {4 0}}),"),
    }
}

/// The elements of the set of this name; none if there is no such set.
fn elements<'a>(call: &mut Arguments<'a>, name: &str) -> Result<&'a [Node], LayoutError> {
    match call.named(name) {
        Some(node) => set(node, "a set in braces, such as {{0 0} {1 0}},"),
        None => Ok(&[]),
    }
}

/// The numbers of elements of which there are so many.
fn numbers(node: &Node, many: usize) -> Result<Vec<usize>, LayoutError> {
    let found = wholes(node, 0, many as i64 - 1)?;
    Ok(found.into_iter().map(|number| number as usize).collect())
}

/// The numbers of vertices of which there are so many.
fn vertices(node: &Node, many: usize) -> Result<Vec<usize>, LayoutError> {
    let number = |node: &Node| {
        let value = whole(node, 0, i64::MAX)?;
        let found = usize::try_from(value).ok().filter(|value| *value < many);
        found.ok_or(LayoutError::NoSuchVertex {
            span: node.span,
            value,
            vertices: many,
        })
    };
    let all = set(node, "numbers of vertices, such as {0 1},")?;
    all.iter().map(number).collect()
}

/// The pairs `{{a b} ...}` of different vertices.
fn pairs(node: &Node, many: usize) -> Result<Vec<[usize; 2]>, LayoutError> {
    const EXAMPLE: &str = "pairs of different vertices, such as {{0 1} {1 2}},";
    let all = set(node, EXAMPLE)?.iter();
    all.map(|pair| match vertices(pair, many)?[..] {
        [one, other] if one != other => Ok([one, other]),
        _ => Err(LayoutError::Expected {
            span: pair.span,
            expected: EXAMPLE,
        }),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::super::arguments::number;
    use super::*;

    #[test]
    fn a_number_is_what_arithmetic_makes_of_it() {
        let node = crate::layout::tests::read("(/ (+ 1 {2 6}) 2)");
        assert_eq!(number(&node), Ok(4.5));
        assert_eq!(whole(&node, 0, 9), Ok(4));
    }
}
