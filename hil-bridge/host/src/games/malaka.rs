//! Malaka: a race with dice, pins and walls. Its notation and the descriptions of its
//! moves are in [`crate::malaka`].

use firmware_core::games::malaka::{self, Own, Position};
use protocol::GridSize;

use crate::howto::{HowTo, NO_SPEED, mode};
use crate::malaka::obstacle::Obstacle;
use crate::malaka::{own, tale};
use crate::pieces::figures::{Figure, PieceShape, PieceStyle, Tint};
use crate::pieces::{self, GapLine, HeldPiece, LineKind, Piece};
use crate::places::PitchSpot;

use super::*;

/// The texts for players of Malaka.
pub(super) struct Malaka;

impl Guide for Malaka {
    fn number(&self) -> u8 {
        number::MALAKA
    }

    fn how_to(&self) -> &'static HowTo {
        &HOW_TO
    }

    fn pause(&self, now: &TurnView<'_>) -> String {
        match now.status.turn {
            Some(side) => format!("no move for {} with these dice", side.name()),
            None => "wait a moment".to_owned(),
        }
    }

    fn end(&self, _: &Settings, outcome: Outcome, score: [u32; 2]) -> String {
        match outcome {
            // The numbers of the score are the distances still to go.
            Outcome::Won(side) => {
                let loser = side.other();
                let left = score[loser.index()];
                format!("{} has won, {} had {left} to go", side.name(), loser.name())
            }
            Outcome::Draw => end_of_two(outcome, score),
        }
    }

    fn score_unit(&self, _: &Settings) -> &'static str {
        " to go"
    }

    fn is_score_of_points(&self, _: &Settings) -> bool {
        false
    }

    fn tracks(&self, _: &Settings) -> Tracks {
        Tracks::Legal
    }

    fn rhythm(&self, rhythm: Rhythm) -> Option<&'static str> {
        match rhythm {
            malaka::SINGLE => Some("a single piece, which can be pinned and killed"),
            malaka::PINS => Some("pieces that pin"),
            malaka::PICKED => Some("the pile that is picked up"),
            malaka::TARGET => Some("a piece of it may go there"),
            Rhythm::Marked => Some("a piece of it may go there, where others lie"),
            _ => None,
        }
    }

    fn rhythm_of_picked(&self) -> Option<Rhythm> {
        Some(malaka::PICKED)
    }

    fn rhythms_of_destinations(&self) -> &'static [Rhythm] {
        &[malaka::TARGET, Rhythm::Marked]
    }

    fn middle(&self, middle: &Middle<'_>) -> MiddleReading {
        let pips = middle.shown.strip_suffix("no move").map(str::trim);
        MiddleReading::Own(match pips {
            Some(pips) => Some(format!("no move with {pips}")),
            None => Some(middle.part(4, 8))
                .filter(|pips| !pips.is_empty())
                .map(|pips| format!("{pips} to play")),
        })
    }

    fn result(&self, _: Side, _: u16, _: [i64; 2]) -> Option<String> {
        // Other colour changes follow from the piece that moved.
        None
    }

    fn has_pieces(&self) -> bool {
        true
    }

    fn pieces(&self, board: &AnyBoard) -> Option<Pieces> {
        let mut pieces = pieces_of(board.malaka()?, board.layout().sides()?);
        let picked = tale::picked(board.frame(), board.layout());
        for (point, figure) in &mut pieces.figures {
            figure.is_held = Some(*point) == picked;
        }
        Some(pieces)
    }

    fn position(&self) -> Option<&'static PositionText> {
        Some(&POSITION)
    }

    fn why_position_refused(&self, bytes: &[u8], mode: u8, layout: Layout) -> Option<String> {
        own::why_refused(bytes, mode, layout.sides()?)
    }

    fn light_meaning(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let position = board.malaka()?;
        let place = tale::place_of(board.layout(), point)?;
        Some(match position.pile(place) {
            None => "an empty point".to_owned(),
            Some(pile) => {
                let pieces = if pile.count == 1 { "piece" } else { "pieces" };
                let pinned = match pile.pins {
                    true => format!(", on one of {}", pile.side.other().name()),
                    false => String::new(),
                };
                format!("{} {pieces} of {}{pinned}", pile.count, pile.side.name())
            }
        })
    }

    fn why_no_move(&self, board: &AnyBoard, point: Point) -> Option<String> {
        why_not(board, board.malaka()?, point)
    }
}

const POSITION: PositionText = PositionText {
    usage: own::USAGE,
    read: |words, _| Ok(own::read(&words.join(" "))?.bytes().to_vec()),
    write: |bytes, _| Own::read(bytes).map(|own| own::written(&own)),
    of_board: |board| {
        let position = board.malaka().filter(|_| board.turn().is_some())?;
        Some(Own::of(position).bytes().to_vec())
    },
};

fn pieces_of(position: &Position, sides: GridSize) -> Pieces {
    let row = |place: malaka::MalakaPoint| sides.rows().checked_sub(place.row() + 1);
    let on = position.piles().filter_map(|(place, pile)| {
        let point = sides.at(place.column(), row(place)?)?;
        let piece = Piece::Pile {
            side: pile.side,
            count: pile.count,
            pins: pile.pins,
        };
        Some((point, piece))
    });
    let on: Vec<(Point, Piece)> = on.collect();
    let drum = |(point, piece): &(Point, Piece)| match *piece {
        Piece::Pile { side, count, pins } => {
            let one = Figure::one(PieceStyle::of(PieceShape::Drum), Tint::Side(side));
            let beneath = pins.then_some(Tint::Side(side.other()));
            Some((
                *point,
                Figure {
                    count,
                    beneath,
                    ..one
                },
            ))
        }
        Piece::Stone(_) => None,
    };
    let pips: Vec<u8> = position.dice().iter().collect();
    let variant = position.variant();
    let walls = variant.walls().filter_map(|(one, other)| {
        let x = (f32::from(one.column()) + f32::from(other.column())) / 2.0;
        let y = f32::from(row(one)?);
        Some((x, y))
    });
    let mut lines = standing(walls.collect());
    lines.extend(pieces::around([variant.side(); 2], sides));
    Pieces {
        figures: on.iter().filter_map(drum).collect(),
        on,
        note: match &pips[..] {
            [] => String::new(),
            [one] => format!("{one} to play"),
            [one, other] => format!("{one} and {other} to play"),
            [one, ..] => format!("{one}, {} times", pips.len()),
        },
        held: pips.into_iter().map(HeldPiece::Die).collect(),
        lines,
        ..Pieces::default()
    }
}

/// The walls between columns, where one wall continues another joined into one line.
fn standing(mut walls: Vec<(f32, f32)>) -> Vec<GapLine> {
    walls.sort_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
    let mut lines: Vec<GapLine> = Vec::new();
    for (x, y) in walls {
        match lines.last_mut() {
            Some(last) if last.to.x == x && last.to.y == y - 0.5 => last.to.y = y + 0.5,
            _ => lines.push(GapLine {
                kind: LineKind::Wall,
                from: PitchSpot { x, y: y - 0.5 },
                to: PitchSpot { x, y: y + 0.5 },
            }),
        }
    }
    lines
}

fn why_not(board: &AnyBoard, position: &Position, point: Point) -> Option<String> {
    let place = |point| tale::place_of(board.layout(), point);
    let to = place(point)?;
    if let Some(from) = board.malaka_picked() {
        let steps = position.steps();
        return Some(match steps.iter().any(|step| step.from == to) {
            true => format!("put {from} down first: touch it again"),
            false => Obstacle::between(position, from, to).to_string(),
        });
    }
    Some(match position.pile(to) {
        None => format!("nobody is on {to}"),
        Some(pile) if pile.side != position.turn() => format!("{to} is the other side's"),
        Some(_) => format!("no die that is left moves a piece of {to}"),
    })
}

const HOW_TO: HowTo = HowTo {
    aim: "Bring your pieces around the board to the other side's home edge, and connect all of them with it.",
    play: &[
        "Green begins, with one die; then each turn has two dice, and a double is played four times. Green goes up at the left, down in the middle and up at the right to the top edge there; red goes the same way from that edge back.",
        "Touch a pile, then where one piece of it goes: straight on by the pips of one die. What you may touch glows; the pile itself puts it down again. The display shows what is left.",
        "A turn has to play as many pips as can be played: a step that would win is forbidden where another turn plays more.",
        "A single piece winks. Land on a single piece of the other side, and it is pinned (two short flashes) until you move off. Two pieces or more are a block that the other side cannot enter; three, four and more have shades of their own.",
        "One wall stands to the right of the left third, from the bottom up to two thirds, the other to the left of the right third, from the top down. A piece may jump one, only forwards, and only to kill a single piece.",
        "If no piece can move, the dice are shown for a moment and the turn passes.",
    ],
    end: "You win when all your remaining pieces are connected, around walls, with the other side's home edge, when you pin a piece on its owner's home edge, or when you have no pieces left. The score counts the steps that are still to go.",
    level: "Red weighs each turn: at level 1 by the way that is left, from 2 on by pins, from 3 on by dangers, with fewer mistakes from level to level; 4 makes none and considers your answers.",
    time: "Time sets how long a turn may take, from 5 seconds to two minutes; the clock waits for the first touch. When it runs out, the board plays the rest of it at random.",
    speed: NO_SPEED,
    modes: &[
        mode(
            "9x9",
            "9x9 with dice of four sides. Each side starts with two rows of pieces, two on a point, spread along its way.",
        ),
        mode(
            "9x9, three rows",
            "9x9 with dice of four sides. Each side starts with three rows of pieces, two on a point, spread along its way.",
        ),
        mode(
            "9x9, block",
            "9x9 with dice of four sides. Each side starts with two rows of pieces, two on a point, in one block at its home edge.",
        ),
        mode(
            "9x9, three rows, block",
            "9x9 with dice of four sides. Each side starts with three rows of pieces, two on a point, in one block at its home edge.",
        ),
        mode(
            "9x9, d6",
            "9x9 with dice of six sides. Each side starts with two rows of pieces, two on a point, spread along its way.",
        ),
        mode(
            "9x9, three rows, d6",
            "9x9 with dice of six sides. Each side starts with three rows of pieces, two on a point, spread along its way.",
        ),
        mode(
            "9x9, block, d6",
            "9x9 with dice of six sides. Each side starts with two rows of pieces, two on a point, in one block at its home edge.",
        ),
        mode(
            "9x9, three rows, block, d6",
            "9x9 with dice of six sides. Each side starts with three rows of pieces, two on a point, in one block at its home edge.",
        ),
        mode(
            "12x12",
            "12x12 with dice of six sides. Each side starts with two rows of pieces, two on a point, spread along its way.",
        ),
        mode(
            "12x12, three rows",
            "12x12 with dice of six sides. Each side starts with three rows of pieces, two on a point, spread along its way.",
        ),
        mode(
            "12x12, block",
            "12x12 with dice of six sides. Each side starts with two rows of pieces, two on a point, in one block at its home edge.",
        ),
        mode(
            "12x12, three rows, block",
            "12x12 with dice of six sides. Each side starts with three rows of pieces, two on a point, in one block at its home edge.",
        ),
        mode(
            "12x12, d4",
            "12x12 with dice of four sides. Each side starts with two rows of pieces, two on a point, spread along its way.",
        ),
        mode(
            "12x12, three rows, d4",
            "12x12 with dice of four sides. Each side starts with three rows of pieces, two on a point, spread along its way.",
        ),
        mode(
            "12x12, block, d4",
            "12x12 with dice of four sides. Each side starts with two rows of pieces, two on a point, in one block at its home edge.",
        ),
        mode(
            "12x12, three rows, block, d4",
            "12x12 with dice of four sides. Each side starts with three rows of pieces, two on a point, in one block at its home edge.",
        ),
    ],
};
