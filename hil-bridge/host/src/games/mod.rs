//! The host's knowledge of each game: its rules in words, its status, the pieces on its board, the
//! text form of its positions, and the words for its events.
//!
//! Each game has one file here, its [`Guide`], and one line in [`GUIDES`]; the rules themselves are
//! in the core. A guide only overrides what is special about its game: Visiput's has the rules and
//! the points to mark, and uses the defaults for everything else.
//!
//! Invariants: every game of the core has a guide, and the guide's text describes every mode.

mod col;
mod countlines;
mod fillit;
mod findthem;
mod ghost;
mod ishido;
mod life;
mod malaka;
#[cfg(test)]
mod numbers;
mod reversi;
mod speedgo;
mod symmetry;
pub(crate) mod ticdabtoe;
mod touchit;
mod visiput;
mod written;

use firmware_core::AnyBoard;
use firmware_core::game::TimeOut;
use firmware_core::games::{self as core_games, number};
use protocol::{Colour, Frame, Layout, Outcome, Point, Rhythm, Settings, Side, Status};

use crate::howto::HowTo;
use crate::pieces::Pieces;
use crate::words;

pub(crate) use written::piece_name;
pub use written::{
    COUNTS_PIECES, COUNTS_POINTS, PASS, PIECES_ARE_MOVED, PIECES_ARE_PUT, SEVERAL_MOVES, SWAP,
    of_layouts,
};

/// All guides, in the order of the games' numbers.
const GUIDES: &[&dyn Guide] = &[
    &reversi::Reversi,
    &ghost::Ghost,
    &life::Life,
    &touchit::TouchIt,
    &symmetry::Symmetry,
    &countlines::CountLines,
    &fillit::FillIt,
    &findthem::FindThem,
    &visiput::Visiput,
    &speedgo::SpeedGo,
    &malaka::Malaka,
    &ishido::Ishido,
    &ticdabtoe::TicDabToe,
    &col::Col,
    &written::Written,
];

/// The guide of the game with this number; `None` if there is no such game.
#[must_use]
pub fn find(game: u8) -> Option<&'static dyn Guide> {
    all().find(|guide| guide.number() == game)
}

/// The guide of the game with this number, or the one for unknown games.
#[must_use]
pub fn guide(game: u8) -> &'static dyn Guide {
    find(game).unwrap_or(&written::Written)
}

/// The guides of all games.
pub fn all() -> impl Iterator<Item = &'static dyn Guide> {
    GUIDES.iter().copied()
}

/// The rules of the game with this number, in words; `None` if there is no such game.
/// For the layout's own game, [`crate::written::how_to`] has more details.
#[must_use]
pub fn how_to(game: u8) -> Option<&'static HowTo> {
    find(game).map(Guide::how_to)
}

/// The pieces on this board; `None` if its game only has lights.
#[must_use]
pub fn pieces(board: &AnyBoard) -> Option<Pieces> {
    all().find_map(|guide| guide.pieces(board))
}

/// What a player sees of a running game.
#[derive(Clone, Copy, Debug)]
pub struct Now<'a> {
    /// The board's status.
    pub status: &'a Status,
    /// The frame that the board shows now.
    pub frame: &'a Frame,
    /// True if it is the turn of the board's own player.
    pub is_boards_turn: bool,
}

/// The points that a player may want to see marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracks {
    /// The legal points, because they are few or hard to see.
    Legal,
    /// The illegal points among these, because they are the exception.
    Forbidden(Among),
    /// The legal points or the dark illegal ones, whichever are fewer: for games
    /// about which little is known.
    Fewer,
    /// No points are marked, for this reason.
    None(&'static str),
}

/// The points that are considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// The dark points, because players know that a lit point is not a move.
    Dark,
    /// All points of the board.
    All,
}

/// The characters between the two scores on the display.
#[derive(Clone, Copy, Debug)]
pub struct Middle<'a> {
    /// All twelve characters of the display.
    pub display: &'a str,
    /// The same characters without leading and trailing blanks.
    pub shown: &'a str,
    /// The settings of the game.
    pub settings: &'a Settings,
}

impl Middle<'_> {
    /// The characters in a range of columns, without leading and trailing blanks.
    #[must_use]
    pub fn part(&self, from: usize, to: usize) -> String {
        let part = self.display.chars().skip(from).take(to - from);
        part.collect::<String>().trim().to_owned()
    }
}

/// The meaning of the characters between the scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MiddleReading {
    /// A text specific to the game; `None` if the characters mean nothing.
    Own(Option<String>),
    /// The usual meaning: the turns or the seconds left.
    Usual,
}

/// The text form of positions, for a game with a form of its own.
#[derive(Clone, Copy, Debug)]
pub struct PositionText {
    /// An example of the whole command.
    pub usage: &'static str,
    /// Converts the words of a position to its bytes, on a board with this layout.
    ///
    /// # Errors
    /// A sentence about what is wrong with the words.
    pub read: fn(&[&str], Layout) -> Result<Vec<u8>, String>,
    /// Converts the bytes of a position to words; `None` if the bytes are not a
    /// position.
    pub write: fn(&[u8], Layout) -> Option<String>,
}

/// The host's knowledge of one game.
pub trait Guide: Sync {
    /// The number of the game in the core.
    fn number(&self) -> u8;

    /// The rules in words.
    fn how_to(&self) -> &'static HowTo;

    /// Other names of the game, including the game that it is a variant of. A search finds these
    /// names, too.
    fn other_names(&self) -> &'static [&'static str] {
        &[]
    }

    // The methods about who plays.

    /// True if, at levels 1 to 4, the board plays in place of the only player, not as red.
    fn is_for_one(&self, _settings: &Settings) -> bool {
        false
    }

    /// True for a game with two sides.
    fn is_for_two(&self, settings: &Settings) -> bool {
        !self.is_for_one(settings)
    }

    /// The number of players, including the board.
    fn players(&self, settings: &Settings) -> u8 {
        match self.is_for_one(settings) && settings.level == 0 {
            true => 1,
            false => 2,
        }
    }

    /// True if lights change by themselves, so that the length of a game is measured in time, not
    /// in moves.
    fn is_in_real_time(&self) -> bool {
        false
    }

    /// The sizes of the square boards that the game is offered on, the usual one first; empty if
    /// there is no choice.
    fn square_boards(&self) -> &'static [u8] {
        &[]
    }

    // The methods about the state of a game.

    /// The status text of a running game while no side is to move.
    fn running(&self) -> &'static str {
        "the game is running"
    }

    /// What the side to move has to do, or is doing now.
    fn turn(&self, side: Side, now: &Now<'_>) -> String {
        turn_of_two(side, now)
    }

    /// Why no side has to act now.
    fn pause(&self, _now: &Now<'_>) -> String {
        "wait a moment".to_owned()
    }

    /// How the game ended, with this score.
    fn end(&self, _settings: &Settings, outcome: Outcome, score: [u32; 2]) -> String {
        end_of_two(outcome, score)
    }

    /// How the game ended, without the score.
    fn how_it_ended(&self, _settings: &Settings, outcome: Outcome) -> &'static str {
        words::outcome(outcome)
    }

    /// The names of the two numbers of the score.
    fn score_names(&self, _settings: &Settings) -> [&'static str; 2] {
        Side::BOTH.map(Side::name)
    }

    /// The unit of the score, if it is not points.
    fn score_unit(&self, _settings: &Settings) -> &'static str {
        ""
    }

    /// True if the two numbers of the score are the points of the two sides.
    fn is_score_of_points(&self, _settings: &Settings) -> bool {
        true
    }

    /// The score in words, on one line.
    fn score(&self, _settings: &Settings, [green, red]: [u32; 2]) -> String {
        format!("{green} : {red}")
    }

    /// What happens when the time is up, in a game with a clock, whether the Time button sets it or
    /// the game has its own.
    fn at_time_out(&self, settings: &Settings) -> Option<&'static str> {
        let mode = self.how_to().modes.get(usize::from(settings.mode))?;
        if !mode.has_turn_time {
            return None;
        }
        match core_games::about(self.number())?.time_out {
            TimeOut::None => None,
            TimeOut::RandomMove => Some("the board moves by chance"),
            TimeOut::Pass => Some("the turn passes"),
        }
    }

    /// True if a player may pass.
    fn has_pass(&self, _settings: &Settings) -> bool {
        core_games::about(self.number()).is_some_and(|about| about.time_out == TimeOut::Pass)
    }

    /// Whether the display offers a pass now; `None` in a game that does not show this.
    fn offers_pass(&self, _display: &str) -> Option<bool> {
        None
    }

    // The methods about what the lights mean.

    /// The points that a player may want to see marked.
    fn tracks(&self, _settings: &Settings) -> Tracks {
        Tracks::None("Marks would give the solution away.")
    }

    /// True if the lights are stones: one that changes colour was turned over, one that goes out
    /// was captured.
    fn lights_are_stones(&self) -> bool {
        false
    }

    /// True if a lit point is never touched.
    fn is_played_on_dark_points(&self, _settings: &Settings) -> bool {
        false
    }

    /// True if a touch reveals what players have to remember or guess, so that it must not be tried
    /// for a preview.
    fn touch_shows_what_is_hidden(&self) -> bool {
        false
    }

    /// The rhythms of the lights where the picked-up piece may go; empty in a game in which pieces
    /// are not picked up.
    fn rhythms_of_destinations(&self) -> &'static [Rhythm] {
        &[]
    }

    /// The meaning of this point's lamp, if it is more than whose light it is; see [`crate::lamp`].
    fn lamp(&self, _board: &AnyBoard, _point: Point) -> Option<String> {
        None
    }

    /// The meaning of a light with this rhythm; `None` if it is obvious, or shown by
    /// the piece.
    fn rhythm(&self, _rhythm: Rhythm) -> Option<&'static str> {
        None
    }

    /// The meaning of the characters between the scores on the display.
    fn middle(&self, _middle: &Middle<'_>) -> MiddleReading {
        MiddleReading::Usual
    }

    // The methods about events.

    /// The word for what a move does to the other lights that it changes.
    fn change(&self) -> &'static str {
        "changed"
    }

    /// The number of changed lights, in words; `None` if there are none.
    fn changes(&self, count: u16) -> Option<String> {
        (count > 0).then(|| format!("{count} {}", self.change()))
    }

    /// The result of a move: `changed` other lights, and `gained` points for its side
    /// and for the opponent.
    fn result(&self, _side: Side, changed: u16, _gained: [i64; 2]) -> Option<String> {
        self.changes(changed)
    }

    /// True if a touch that is not a move shows a good move, and the next such touch hides it
    /// again.
    fn has_help(&self) -> bool {
        false
    }

    /// The sentence for an illegal touch of this point.
    fn illegal(&self, side: Side, point: &str) -> String {
        format!("{point} is no move for {}", side.name())
    }

    // The methods about pieces.

    /// True if the game has pieces besides lights.
    fn has_pieces(&self) -> bool {
        false
    }

    /// The pieces on this board; `None` if the board has a different game, or the
    /// game only has lights.
    fn pieces(&self, _board: &AnyBoard) -> Option<Pieces> {
        None
    }

    /// The text form of its positions; `None` for a game whose lights show
    /// everything.
    fn position(&self) -> Option<&'static PositionText> {
        None
    }

    // The methods about touches that are not moves.

    /// True if a touch can be a service.
    fn has_services(&self) -> bool {
        false
    }

    /// True if only the state of the game explains why a touch is not a move.
    fn explains_refusals(&self) -> bool {
        false
    }

    /// Why a touch of this point is not a move, in a few words: `block b2 is won`. `None` if it is
    /// a move, if there is no simple reason, or if the board has a different game.
    fn why_no_move(&self, _board: &AnyBoard, _point: Point) -> Option<String> {
        None
    }

    /// The same, with more detail, for a person who watches.
    fn why_for_a_watcher(&self, _board: &AnyBoard, _point: Point) -> Option<String> {
        None
    }
}

/// The side that has this colour.
pub(crate) fn side_of(colour: Colour) -> Option<Side> {
    let mut sides = Side::BOTH.into_iter();
    sides.find(|side| Colour::from(*side) == colour)
}

/// The stones on a board whose lights are stones. Legal points that flash after a refused touch do
/// not count as stones.
struct Stones<'a> {
    board: &'a AnyBoard,
    legal: Vec<Point>,
}

impl<'a> Stones<'a> {
    /// The stones of a game that is played on dark points; `None` if the board has a different
    /// game, or no side is to move.
    fn of(guide: &dyn Guide, board: &'a AnyBoard) -> Option<Self> {
        let is_it = board.settings().game == guide.number() && board.turn().is_some();
        let mut legal = Vec::new();
        board.legal(|point| legal.push(point));
        is_it.then_some(Stones { board, legal })
    }

    /// The side whose stone is on this point.
    fn at(&self, point: Point) -> Option<Side> {
        let is_stone = !self.legal.contains(&point);
        side_of(self.board.frame().points.get(point)).filter(|_| is_stone)
    }

    /// The neighbours of this point along the lines.
    fn beside(&self, point: Point) -> Vec<Point> {
        let mut all = Vec::new();
        self.board.beside(point, |near| all.push(near));
        all
    }

    /// The group that `side` has, or would have, with a stone on this point, and the dark points
    /// next to it.
    fn group(&self, point: Point, side: Side) -> [Vec<Point>; 2] {
        let (mut group, mut free) = (vec![point], Vec::new());
        let mut looked_at = 0;
        while let Some(next) = group.get(looked_at).copied() {
            looked_at += 1;
            for near in self.beside(next) {
                let whole = match self.at(near) {
                    None if near != point => &mut free,
                    Some(other) if other == side => &mut group,
                    _ => continue,
                };
                if !whole.contains(&near) {
                    whole.push(near);
                }
            }
        }
        [group, free]
    }
}

/// The turn in most games: the board thinks, or the side is to move.
fn turn_of_two(side: Side, now: &Now<'_>) -> String {
    match now.is_boards_turn {
        true => format!("{} is thinking", side.name()),
        false => format!("{} to move", side.name()),
    }
}

/// The end of a game that the side with more points wins.
fn end_of_two(outcome: Outcome, score: [u32; 2]) -> String {
    match outcome {
        Outcome::Won(side) => {
            let [own, other] = [side, side.other()].map(|side| score[side.index()]);
            format!("{} has won, {own} to {other}", side.name())
        }
        Outcome::Draw if score[0] == score[1] => format!("a draw, {} all", score[0]),
        Outcome::Draw => "a draw".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use firmware_core::games::{self as core_games, BUILT, NUMBERS};

    use super::*;

    #[test]
    fn every_game_has_its_guide_and_every_mode_a_line() {
        for number in BUILT.iter() {
            let about = core_games::about(number).unwrap();
            let text = how_to(number).unwrap();
            assert_eq!(
                text.modes.len(),
                usize::from(about.modes),
                "modes of {}",
                about.name
            );
        }
        let described = all().filter(|guide| guide.number() != core_games::LAYOUTS_OWN);
        assert_eq!(described.count(), BUILT.len());
        assert!(NUMBERS.iter().all(|number| find(*number).is_some()));
    }

    #[test]
    fn guides_are_in_the_order_of_their_numbers() {
        assert!(GUIDES.is_sorted_by(|one, other| one.number() < other.number()));
    }

    #[test]
    fn every_text_has_sentences_that_fit_a_small_panel() {
        for text in all().map(Guide::how_to) {
            let modes = text.modes.iter().map(|mode| mode.text);
            let all = [text.aim, text.end, text.level, text.time, text.speed];
            for sentence in all
                .into_iter()
                .chain(text.play.iter().copied())
                .chain(modes)
            {
                assert!(sentence.ends_with('.'), "no sentence: {sentence}");
                assert!(sentence.len() <= 240, "too long: {sentence}");
            }
        }
    }

    #[test]
    fn modes_differ_only_in_the_line_of_the_mode() {
        let ghost = crate::written::how_to(1, Layout::MALDOO).unwrap();
        let [catch, beside] = [0, 1].map(|mode| ghost.lines(mode).collect::<Vec<_>>());
        assert_eq!(catch.len(), beside.len());
        let differing = catch
            .iter()
            .zip(&beside)
            .filter(|(one, other)| one != other);
        assert_eq!(differing.count(), 1);
        assert!(beside.contains(&ghost.guide.modes[1].text));
    }

    #[test]
    fn no_two_modes_of_a_game_have_the_same_name() {
        for text in all().map(Guide::how_to) {
            for (index, mode) in text.modes.iter().enumerate() {
                let earlier = &text.modes[..index];
                assert!(
                    earlier.iter().all(|other| other.name != mode.name),
                    "{}",
                    mode.name
                );
            }
        }
    }
}
