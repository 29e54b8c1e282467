//! The board of a text.

use super::arguments::{Arguments, Known, Unknown, head, word};
use crate::layout::shapes::{self, Diagonals, Hexes, Triangles};
use crate::layout::{Board, Graph, SiteType, Spot};
use crate::tree::{Kind, Node};

/// Reads a `(board ...)`.
pub(super) fn read(node: &Node) -> Known<Board> {
    let mut arguments = Arguments::of(node)?;
    let used = match arguments.named("use").and_then(word) {
        Some("Vertex") => SiteType::Vertex,
        Some("Edge") => SiteType::Edge,
        _ => SiteType::Cell,
    };
    let shape = arguments.need("a shape")?;
    arguments.finish()?;
    Ok(Board::new(graph(shape, used)?, used))
}

fn size(arguments: &mut Arguments<'_>) -> Known<usize> {
    let node = arguments.need("a size")?;
    match node.kind {
        Kind::Number(size) if (1..=40).contains(&size) => Ok(size as usize),
        _ => Err(Unknown::at(node, "a size from 1 to 40 is expected here")),
    }
}

fn graph(node: &Node, used: SiteType) -> Known<Graph> {
    let mut arguments = Arguments::of(node)?;
    let shape = match head(node) {
        Some("square") => {
            let size = size(&mut arguments)?;
            shapes::rectangle(size, size, Diagonals::None, used)
        }
        Some("rectangle") => {
            let (rows, columns) = (size(&mut arguments)?, size(&mut arguments)?);
            shapes::rectangle(rows, columns, Diagonals::None, used)
        }
        Some("hex") => {
            let shape = arguments.word_of(&["Diamond", "Triangle", "Rectangle", "Hexagon"]);
            let side = size(&mut arguments)?;
            shapes::hex(&match shape {
                Some("Diamond") => Hexes::Diamond(side),
                Some("Triangle") => Hexes::Triangle(side),
                Some("Rectangle") => Hexes::Rectangle(side, size(&mut arguments)?),
                _ => Hexes::Hexagon(side),
            })
        }
        Some("tri") => {
            let shape = arguments.word_of(&["Hexagon", "Diamond", "Rectangle"]);
            let side = size(&mut arguments)?;
            let shape = match shape {
                Some("Hexagon") => Triangles::Hexagon(side),
                Some("Diamond") => Triangles::Diamond(side),
                Some("Rectangle") => Triangles::Rectangle(side, size(&mut arguments)?),
                _ => Triangles::Triangle(side),
            };
            shapes::tri(&shape, used)
        }
        Some("rotate") => {
            let turn = arguments.need("degrees")?;
            let degrees = match turn.kind {
                Kind::Number(degrees) => degrees as f64,
                Kind::Fraction(degrees) => degrees,
                _ => return Err(Unknown::at(turn, "degrees are expected here")),
            };
            let mut graph = graph(arguments.need("a shape")?, used)?;
            let spots: Vec<Spot> = graph.spots(SiteType::Vertex).collect();
            let least = |of: fn(&Spot) -> f64| spots.iter().map(of).fold(f64::MAX, f64::min);
            let most = |of: fn(&Spot) -> f64| spots.iter().map(of).fold(f64::MIN, f64::max);
            let middle = Spot::new(
                (least(|spot| spot.x) + most(|spot| spot.x)) / 2.0,
                (least(|spot| spot.y) + most(|spot| spot.y)) / 2.0,
            );
            graph.move_vertices(|spot| {
                spot.minus(middle).turned(degrees.to_radians()).plus(middle)
            });
            graph
        }
        _ => return Err(Unknown::at(node, "this board is not known here")),
    };
    arguments.finish()?;
    Ok(shape)
}
