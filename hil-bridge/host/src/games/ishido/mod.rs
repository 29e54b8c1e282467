//! Ishido: stones of six colours and six symbols, alone or in turns.

mod position;

use firmware_core::games::ishido::{self, VisibleStones};

use crate::howto::{HowTo, mode, timeless};
use crate::pieces::figures::{Figure, PieceShape, PieceStyle, Tint};
use crate::pieces::{self, HeldPiece, Piece, StoneView};

use super::*;

/// The texts for players of Ishido.
pub(super) struct Ishido;

impl Guide for Ishido {
    fn number(&self) -> u8 {
        number::ISHIDO
    }

    fn how_to(&self) -> &'static HowTo {
        &HOW_TO
    }

    fn other_names(&self) -> &'static [&'static str] {
        &["The Way of Stones"]
    }

    fn is_for_one(&self, settings: &Settings) -> bool {
        let rule = ishido::MODES.get(usize::from(settings.mode));
        rule.is_some_and(|rule| rule.players == ishido::Players::One)
    }

    fn turn(&self, side: Side, now: &TurnView<'_>) -> String {
        let can_take_back = can_take_back(now.frame);
        match (self.is_for_one(&now.status.settings), now.is_boards_turn) {
            (true, true) => "the board is thinking".to_owned(),
            (true, false) if can_take_back => TAKE_BACK.to_owned(),
            (true, false) => place(now.frame, None),
            (false, false) if can_take_back => format!("{}: {TAKE_BACK}", side.name()),
            (false, false) => place(now.frame, Some(side)),
            (false, true) => turn_of_two(side, now),
        }
    }

    fn end(&self, settings: &Settings, outcome: Outcome, score: [u32; 2]) -> String {
        match self.is_for_one(settings) {
            true => format!(
                "{}, {}",
                self.how_it_ended(settings, outcome),
                points(score[0])
            ),
            false => end_of_two(outcome, score),
        }
    }

    fn how_it_ended(&self, settings: &Settings, outcome: Outcome) -> &'static str {
        match outcome {
            outcome if !self.is_for_one(settings) => words::outcome(outcome),
            Outcome::Won(Side::Green) => "won, pouch empty",
            _ => "lost, no square fits",
        }
    }

    fn score_names(&self, settings: &Settings) -> [&'static str; 2] {
        match self.is_for_one(settings) {
            true => ["points", "four-ways"],
            false => Side::BOTH.map(Side::name),
        }
    }

    fn is_score_of_points(&self, settings: &Settings) -> bool {
        !self.is_for_one(settings)
    }

    fn score(&self, settings: &Settings, [green, red]: [u32; 2]) -> String {
        if !self.is_for_one(settings) {
            return format!("{green} : {red}");
        }
        let four_ways = if red == 1 { "four-way" } else { "four-ways" };
        format!("{}, {red} {four_ways}", points(green))
    }

    fn middle(&self, middle: &Middle<'_>) -> MiddleReading {
        let between = match self.is_for_two(middle.settings) {
            true => Some(middle.part(4, 8)),
            false => [middle.part(4, 8), middle.part(6, 10)]
                .into_iter()
                .find(|part| is_hand(part)),
        };
        MiddleReading::Own(between.and_then(|between| in_hand(&between)))
    }

    fn first_touch(&self) -> Option<&'static str> {
        Some("Put the stone in hand next to a stone of its colour or of its symbol.")
    }

    fn has_help(&self) -> bool {
        true
    }

    fn illegal(&self, _: Side, point: &str) -> String {
        format!("the stone does not fit on {point}")
    }

    fn has_pieces(&self) -> bool {
        true
    }

    fn pieces(&self, board: &AnyBoard) -> Option<Pieces> {
        board.ishido().map(|seen| pieces_of(&seen))
    }

    fn position(&self) -> Option<&'static PositionText> {
        Some(&position::TEXT)
    }

    fn has_services(&self) -> bool {
        true
    }

    fn light_meaning(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let seen = board.ishido()?;
        let there = seen.is_square(point).then(|| seen.stone(point));
        Some(match there {
            None => "outside of the board of stones".to_owned(),
            Some(None) => "an empty square".to_owned(),
            Some(Some(there)) => format!("the stone {}", in_words(there)),
        })
    }

    fn explains_refusals(&self) -> bool {
        true
    }

    fn why_no_move(&self, board: &AnyBoard, point: Point) -> Option<String> {
        let seen = board.ishido()?;
        let name = board.layout().name(point);
        seen.hand()?;
        let mut fits = false;
        board.legal(|legal| fits |= legal == point);
        if fits || !seen.is_square(point) {
            return None;
        }
        if seen.stone(point).is_some() {
            return Some(format!("{name} has a stone"));
        }
        let layout = board.layout();
        let near = beside(point, layout).filter(|near| seen.stone(*near).is_some());
        let near: Vec<Point> = near.collect();
        let named = near.iter().map(|near| layout.name(*near).to_string());
        let named = named.collect::<Vec<_>>().join(", ");
        Some(match near.len() {
            0 => format!("no stone lies beside {name}"),
            1 => format!("the stone in hand matches {named} neither in colour nor in symbol"),
            2 => format!(
                "the stone in hand has to match one of {named} in colour, the other in symbol"
            ),
            3 => format!(
                "of {named}, the stone in hand has to match two in colour and one in symbol, or the other way round"
            ),
            _ => format!(
                "of {named}, the stone in hand has to match two in colour and two in symbol"
            ),
        })
    }
}

/// What to do with the stone in hand, which the display shows between the scores; after the
/// name of a side, the stone alone.
fn place(frame: &Frame, side: Option<Side>) -> String {
    let letters: Vec<char> = frame.display.chars().collect();
    let mut pairs = letters.windows(2).map(|pair| [pair[0], pair[1]]);
    let hand =
        pairs.find_map(|[colour, symbol]| ishido::stone::Stone::from_letters(colour, symbol));
    let stone = match hand.map(colour_and_sign) {
        Some([colour, sign]) => format!("the {colour} {sign}"),
        None => "the stone".to_owned(),
    };
    match side {
        Some(side) => format!("{}: {stone}", side.name()),
        None => format!("place {stone}"),
    }
}

/// The hint while no stone is in hand.
const TAKE_BACK: &str = "touch it again to undo";

/// True if the last stone can be taken back: the display then shows no stone in hand.
fn can_take_back(frame: &Frame) -> bool {
    frame.display.contains("--")
}

/// A number of points, in words.
fn points(count: u32) -> String {
    match count {
        1 => "1 point".to_owned(),
        count => format!("{count} points"),
    }
}

/// True if these characters show the stone in hand and the number left: `P*66`.
fn is_hand(between: &str) -> bool {
    let mut characters = between.chars();
    let [colour, symbol] = [characters.next(), characters.next()].map(Option::unwrap_or_default);
    let stone = ishido::stone::Stone::from_letters(colour, symbol);
    let left = characters.as_str().trim();
    (stone.is_some() || between.starts_with("--")) && left.parse::<u32>().is_ok()
}

fn in_hand(between: &str) -> Option<String> {
    let (stone, left) = between.split_at_checked(2)?;
    let left = left.trim();
    Some(match stone {
        "--" => format!("{left} stones left"),
        letters => {
            let mut both = letters.chars();
            let [colour, symbol] = [both.next()?, both.next()?];
            let stone = ishido::stone::Stone::from_letters(colour, symbol);
            let words = stone.map_or_else(|| letters.to_owned(), in_words);
            format!("stone {words}, in hand, {left} left with it")
        }
    })
}

/// A stone in words, after its letters on the display: `P*, pink with a star`.
fn in_words(stone: ishido::stone::Stone) -> String {
    let [letter, symbol] = stone.letters();
    let [colour, sign] = colour_and_sign(stone);
    let article = if sign.ends_with("bars") { "" } else { "a " };
    format!("{letter}{symbol}, {colour} with {article}{sign}")
}

/// The words for the colour and the sign of a stone.
fn colour_and_sign(stone: ishido::stone::Stone) -> [&'static str; 2] {
    let [letter, symbol] = stone.letters();
    let colour = match letter {
        'C' => "cyan",
        'P' => "pink",
        'Y' => "yellow",
        'I' => "indigo",
        'O' => "orange",
        _ => "white",
    };
    let sign = match symbol {
        'o' => "ring",
        '-' => "bar",
        '+' => "plus",
        '=' => "bars",
        '*' => "star",
        _ => "cross",
    };
    [colour, sign]
}

impl StoneView {
    /// The stone in words: `white star`; `None` if no stone has these letters.
    #[must_use]
    pub fn words(&self) -> Option<String> {
        let stone = ishido::stone::Stone::from_letters(self.letter, self.symbol)?;
        Some(colour_and_sign(stone).join(" "))
    }
}

fn stone(stone: ishido::stone::Stone) -> StoneView {
    let [letter, symbol] = stone.letters();
    StoneView {
        colour: stone.shown(),
        letter,
        symbol,
    }
}

fn pieces_of(seen: &VisibleStones) -> Pieces {
    let sides = seen.sides;
    let stones = sides
        .iter()
        .filter_map(|point| Some((point, stone(seen.stone(point)?))));
    let stones: Vec<(Point, StoneView)> = stones.collect();
    let tile = |(point, stone): &(Point, StoneView)| {
        let look = PieceStyle::of(PieceShape::Tile(stone.symbol));
        (*point, Figure::one(look, Tint::light(stone.colour)))
    };
    let hand = seen.hand().map(stone);
    let note = match (hand, seen.left()) {
        (None, _) => String::new(),
        (Some(_), 1) => "the last stone".to_owned(),
        (Some(StoneView { letter, symbol, .. }), left) => {
            format!("{letter}{symbol}, {left} left")
        }
    };
    let field = [ishido::field::COLUMNS, ishido::field::ROWS];
    Pieces {
        figures: stones.iter().map(tile).collect(),
        on: stones
            .into_iter()
            .map(|(point, stone)| (point, Piece::Stone(stone)))
            .collect(),
        held: hand.map(HeldPiece::Stone).into_iter().collect(),
        note,
        lines: pieces::around(field, sides),
        ..Pieces::default()
    }
}

/// The points of the grid next to this one.
fn beside(point: Point, layout: Layout) -> impl Iterator<Item = Point> {
    let (column, row) = (layout.column(point), layout.row(point));
    let ways = [
        (column.checked_sub(1), Some(row)),
        (column.checked_add(1), Some(row)),
        (Some(column), row.checked_sub(1)),
        (Some(column), row.checked_add(1)),
    ];
    ways.into_iter()
        .filter_map(move |(column, row)| layout.at(column?, row?))
}

const HOW_TO: HowTo = HowTo {
    aim: "Put all stones of the pouch on the board, each beside stones that it matches in colour or in symbol.",
    play: &[
        "The stones: six colours (cyan, pink, yellow, indigo, orange, white) with six symbols, two of each. The display has the one in hand and how many are left: P*66 is pink with a star, one of 66.",
        "A lamp tells the symbol by its rhythm: o steady, - slow, + fast, = double, * pulse, x wink.",
        "Beside one stone: the same colour or symbol. Beside two: the colour of one and the symbol of the other. Three: the colour of two and the symbol of the third, or the other way round. Four: two by colour, two by symbol.",
        "Touch a square where it does not fit, and all those where it does flash. Green begins where there are turns.",
        "Touch the stone that was put last, and it comes back into your hand: once, and only until the next one is drawn. Touch it later for help: where the stone in hand brings most points flashes amber.",
    ],
    end: "It ends when the stone in hand fits nowhere or none is left: alone, you have won with an empty pouch; of two, more points win.",
    level: "Alone, watch the board: level 1 counts points, 2 neighbours, 3 what the others still fit, and 4 plays on to the end, for up to three seconds. Of two it is red: 1 plays anywhere, 2 by neighbours, 3 mostly by points, 4 thinks of your answer.",
    time: "In turns, Time sets how long one may take, from 5 seconds to two minutes; the clock waits for the first touch. When it runs out, the board puts your stone somewhere, for good. Alone there is no clock.",
    speed: "Speed sets how soon the next stone is drawn, and how long the last one can be taken back: from 5 seconds to not at all.",
    modes: &[
        timeless(
            "Dekker",
            "For one. 1, 2, 4 or 33 points for a stone beside one to four others, none at the edge. Of four neighbours the two that match in colour meet at a corner.",
        ),
        timeless(
            "Official",
            "For one. 1, 2, 4 or 8 points, none at the edge; each stone beside four others doubles all that come after it and has a bonus: 25 and more. 1000, 500 or 100 at the end for none, one or two stones left.",
        ),
        mode(
            "Dekker in turns",
            "As mode 0, for two players in turns, each scoring for themselves.",
        ),
        mode(
            "Official in turns",
            "As mode 1, for two; the bonus of the end is for whoever has put the last stone.",
        ),
    ],
};
