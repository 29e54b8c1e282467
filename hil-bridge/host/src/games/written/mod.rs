//! A layout's own game. Its rules are in [`crate::written`]; this module has the texts
//! that apply to all such games, and to unknown games without a guide.

mod position;

use firmware_core::games::{LAYOUTS_OWN, written};
use ludemes::shown;
use protocol::Colour;

use crate::howto::{HowTo, LEGAL_POINTS_FLASH, NO_SPEED, NO_TIME, mode, timeless};
use crate::pieces::figures::{self, Figure, Tint};
use crate::pieces::{Piece, StoneView};

use super::*;

/// The guide of a layout's own game.
pub(super) struct TextGuide;

impl Guide for TextGuide {
    fn number(&self) -> u8 {
        LAYOUTS_OWN
    }

    fn how_to(&self) -> &'static HowTo {
        &OF_LAYOUT
    }

    fn how_to_on(&self, layout: Layout) -> Option<HowTo> {
        players(layout).map(of_layouts)
    }

    fn is_layouts_own(&self) -> bool {
        true
    }

    // Before its drawing is known, a text is taken for a game of two sides.
    fn players(&self, _: &Settings, layout: Layout) -> u8 {
        players(layout).unwrap_or(2)
    }

    fn middle(&self, middle: &Middle<'_>) -> MiddleReading {
        match middle.part(4, 8).as_str() {
            "pass" => MiddleReading::Own(Some("Pass gives the turn away".to_owned())),
            "swap" => MiddleReading::Own(Some("Pass exchanges the colours".to_owned())),
            _ => MiddleReading::Own(None),
        }
    }

    fn has_pass(&self, _: &Settings) -> bool {
        true
    }

    fn offers_pass(&self, display: &str) -> Option<bool> {
        Some(["pass", "swap"].iter().any(|offer| display.contains(offer)))
    }

    // The numbers may count pieces on the board, which decide nothing in a game about rows.
    fn end(&self, _: &Settings, outcome: Outcome, _: [u32; 2]) -> String {
        match outcome {
            Outcome::Won(side) => format!("{} has won", side.name()),
            Outcome::Draw => words::outcome(outcome).to_owned(),
        }
    }

    fn tracks(&self, _: &Settings) -> Tracks {
        Tracks::Fewer
    }

    fn may_have_to_take(&self) -> bool {
        true
    }

    fn finds_turn_late(&self) -> bool {
        true
    }

    fn has_pieces(&self) -> bool {
        true
    }

    fn pieces(&self, board: &AnyBoard) -> Option<Pieces> {
        let pieces = pieces_of(&board.written()?, board.layout())?;
        let end = board.written_end();
        Some(Pieces { end, ..pieces })
    }

    fn position(&self) -> Option<&'static PositionText> {
        Some(&position::TEXT)
    }

    // A text's moves are found after each move, which may take a while.
    fn running(&self) -> &'static str {
        "finding the possible moves"
    }

    fn rhythms_of_destinations(&self) -> &'static [Rhythm] {
        &[Rhythm::Slow, Rhythm::Marked]
    }

    fn light_meaning(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let seen = board.written()?;
        let there = seen.at(point);
        let light = board.frame().light(point);
        let is_goal = self.rhythms_of_destinations().contains(&light.rhythm());
        let goal = match seen
            .picked()
            .filter(|_| is_goal && light.colour() != Colour::OFF)
        {
            Some(_) => ", where the piece may go that is picked up",
            None => "",
        };
        let what = piece_name(board.layout(), there.what);
        let count = match there.count {
            0 | 1 => String::new(),
            count => format!(", {count} of them"),
        };
        Some(match (there.what, there.side) {
            (0, _) => format!("an empty point{goal}"),
            (_, Some(side)) => format!("{}'s {what}{count}{goal}", side.name()),
            (_, None) => format!("nobody's {what}{count}{goal}"),
        })
    }

    fn why_no_move(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let seen = board.written()?;
        let turn = board.status().turn?;
        let name = board.layout().name(point);
        if board.frame().display.contains(CHOOSE) {
            return Some("several moves are possible, touch a blinking point to choose one".into());
        }
        let what = piece_name(board.layout(), seen.at(point).what);
        if let Some(from) = seen.picked() {
            let what = piece_name(board.layout(), seen.at(from).what);
            let from = board.layout().name(from);
            return Some(format!("the {what} on {from} cannot go to {name}"));
        }
        let (mut has_moves, mut moves_pieces, mut takes) = (false, true, true);
        board.legal(|legal| {
            let there = seen.at(legal);
            has_moves = true;
            moves_pieces &= there.what != 0;
            takes &= there.what != 0 && there.side == Some(turn.other());
        });
        if has_moves && takes {
            let whose = turn.other().name();
            let there = seen.at(point);
            return Some(match there.what != 0 && there.side == Some(turn.other()) {
                true => format!("the {what} on {name} cannot be taken now: take another one"),
                false => format!("take a piece of {whose} first"),
            });
        }
        match (has_moves && moves_pieces, seen.at(point)) {
            (false, there) if there.what == 0 => None,
            (false, _) => Some(format!("{name} is taken")),
            (true, there) if there.what == 0 => {
                Some("touch a piece that can move first".to_owned())
            }
            (true, there) if there.side.is_some_and(|side| side != turn) => {
                Some(format!("the {what} on {name} is not yours"))
            }
            (true, _) => Some(format!("the {what} on {name} cannot move now")),
        }
    }
}

/// The text on the display while the player has to choose between several moves.
const CHOOSE: &str = "Which one?";

/// The name of a piece: `knight`.
pub(crate) fn piece_name(layout: Layout, what: u8) -> String {
    let known = layout.drawing();
    let game = known.as_ref().and_then(shown::game_of);
    let look = game.and_then(|game| {
        let looks = figures::looks(&game.cartridge);
        looks.get(usize::from(what)).copied().flatten()
    });
    let name = look.and_then(|look| look.form.name());
    name.unwrap_or("piece").to_owned()
}

/// The pieces of the game, where lights alone do not distinguish them; hands are
/// described in words.
fn pieces_of(seen: &written::VisiblePieces, layout: Layout) -> Option<Pieces> {
    let known = layout.drawing()?;
    let cartridge = shown::game_of(&known)?.cartridge;
    let kinds = |side: Option<Side>| {
        let owner = match side {
            None => 0,
            Some(Side::Green) => 1,
            Some(Side::Red) => 2,
        };
        (1..cartridge.pieces()).filter(move |what| cartridge.owner(*what as u8) == owner)
    };
    let sides = [None, Some(Side::Green), Some(Side::Red)];
    let are_alike = sides.into_iter().all(|side| kinds(side).count() < 2);
    let letters = shown::letters(&cartridge);
    let stone = |piece: written::PieceOnPoint| {
        let letter = match piece.side {
            None => 'n',
            Some(side) => side.name().chars().next().unwrap_or('n'),
        };
        Piece::Stone(StoneView {
            colour: piece.side.map_or(Colour::WHITE, Colour::from),
            letter,
            symbol: letters.get(usize::from(piece.what)).copied().unwrap_or('?'),
        })
    };
    let standing = layout
        .iter()
        .map(|point| (point, seen.at(point)))
        .filter(|(_, piece)| piece.what != 0 && !are_alike);
    let looks = figures::looks(&cartridge);
    let figure = |(point, piece): (Point, written::PieceOnPoint)| {
        let look = looks.get(usize::from(piece.what)).copied().flatten()?;
        let count = piece.count.max(1);
        let one = Figure::one(look, Tint::of(piece.side));
        let is_held = seen.picked() == Some(point);
        let figure = Figure {
            count,
            is_held,
            ..one
        };
        Some((point, figure))
    };
    let all = layout.iter().map(|point| (point, seen.at(point)));
    let figures = all.filter(|(_, piece)| piece.what != 0).filter_map(figure);
    let hands = Side::BOTH.map(|side| seen.hands()[side.index()].count);
    Some(Pieces {
        figures: figures.collect(),
        on: standing
            .map(|(point, piece)| (point, stone(piece)))
            .collect(),
        note: match hands {
            [0, 0] => String::new(),
            [green, red] => format!("green holds {green}, red {red}"),
        },
        ..Pieces::default()
    })
}

/// The end of a game whose text counts points.
pub const COUNTS_POINTS: &str = "The numbers are the scores.";
/// The end of a game whose text counts nothing.
pub const COUNTS_PIECES: &str = "The numbers are the pieces on the board; they decide nothing.";

/// The number of players of the layout's own game; `None` if the layout has none, or
/// its drawing is not known.
#[must_use]
pub fn players(layout: Layout) -> Option<u8> {
    let known = layout.drawing()?;
    shown::game_of(&known).map(|game| game.cartridge.players())
}

/// The rules that all layouts' own games with this many players share.
fn of_layouts(players: u8) -> HowTo {
    let [by_itself, for_one, for_two] = OF_LAYOUTS;
    match players {
        0 => by_itself,
        1 => for_one,
        _ => for_two,
    }
}

/// The rules that all layouts' own games share: for two players, for one, and for none.
const OF_LAYOUTS: [HowTo; 3] = [
    HowTo {
        play: &["Watch: every move follows from the one before."],
        level: "There is nothing to decide, so levels change nothing.",
        time: NO_TIME,
        speed: "Speed sets how fast the moves follow each other, from three seconds to a tenth of one.",
        modes: &[timeless("own", "By the rules of the layout.")],
        ..OF_LAYOUT
    },
    HowTo {
        level: "At levels 1 to 4 the board plays it, with 12, 60, 300 and 4,000 random games before each move, and you watch.",
        ..OF_LAYOUT
    },
    OF_LAYOUT,
];

/// The help for games in which pieces are moved.
pub const PIECES_ARE_MOVED: &str =
    "Touch a piece of yours, and what glows is where it may go; touch it again to put it down.";
/// The help for games in which pieces are moved, and put on the board, too.
pub const PIECES_ARE_PUT: &str = "To put a piece on the board, touch the point.";
/// The help for games in which several moves can have the same touches.
pub const SEVERAL_MOVES: &str =
    "Where the same touches are several moves, all of them light up, and one more touch chooses.";
/// The help for games in which players may pass.
pub const PASS: &str =
    "While the display says pass between the scores, the Pass button gives the turn away.";
/// The help for games in which the second player may swap.
pub const SWAP: &str =
    "While the display says swap between the scores, the Pass button exchanges the colours.";

const OF_LAYOUT: HowTo = HowTo {
    aim: "Play by the rules that came with this layout.",
    play: &[
        PIECES_ARE_MOVED,
        PIECES_ARE_PUT,
        SEVERAL_MOVES,
        PASS,
        SWAP,
        LEGAL_POINTS_FLASH,
    ],
    end: "It is over when its rules say so. The numbers are its scores, or the pieces on the board where it counts none.",
    level: "Red plays at levels 1 to 4 without knowing the game: it tries 12, 60, 300 or 4,000 random games before each move.",
    time: "Time sets how long a move may take, from 5 seconds to two minutes; the clock waits for the first touch. Then the board makes one for you, drawn by chance.",
    speed: NO_SPEED,
    modes: &[mode("own", "By the rules of the layout.")],
};
