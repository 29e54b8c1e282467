//! What the host knows of each game: how it is played, how it stands, what lies on its
//! board, how its positions are written, and how its events are told.
//!
//! Each game is one file here, its [`Guide`], and one line of [`GUIDES`]; the rules
//! themselves are the core's. A guide overrides only what is different in its game:
//! Visiput's says how it is played and which points may be marked, and everything else
//! is as in any game of two sides.
//!
//! Invariants: every game of the core has a guide, and every mode of it a line in
//! the guide's text.

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
mod ticdabtoe;
mod touchit;
mod visiput;
mod written;

use firmware_core::AnyBoard;
use firmware_core::game::TimeOut;
use firmware_core::games::{self as core_games, number};
use protocol::{Frame, Layout, Outcome, Point, Rhythm, Settings, Side, Status};

use crate::howto::HowTo;
use crate::pieces::Pieces;
use crate::words;

pub use written::{PASS, PIECES_ARE_MOVED, SEVERAL_MOVES, of_layouts};

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

/// The guide of the game with this number, or the one for games about which nothing is
/// known.
#[must_use]
pub fn guide(game: u8) -> &'static dyn Guide {
    find(game).unwrap_or(&written::Written)
}

/// The guides of all games.
pub fn all() -> impl Iterator<Item = &'static dyn Guide> {
    GUIDES.iter().copied()
}

/// How the game with this number is played; `None` if there is no such game. For the
/// game that a layout brings with it, [`crate::written::how_to`] knows more.
#[must_use]
pub fn how_to(game: u8) -> Option<&'static HowTo> {
    find(game).map(Guide::how_to)
}

/// What lies on this board; `None` if its game has nothing but lights.
#[must_use]
pub fn pieces(board: &AnyBoard) -> Option<Pieces> {
    all().find_map(|guide| guide.pieces(board))
}

/// What a player sees of a game that is going on.
#[derive(Clone, Copy, Debug)]
pub struct Now<'a> {
    /// What the board says of it.
    pub status: &'a Status,
    /// The frame that the board shows.
    pub frame: &'a Frame,
    /// It is the turn of the board's own player.
    pub is_boards_turn: bool,
}

/// The points that a player may want to see marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracks {
    /// The legal ones: they are few, or hard to see.
    Legal,
    /// The illegal ones among these: they are the exception.
    Forbidden(Among),
    /// The legal ones, or the dark points that are illegal, whichever are fewer: not much
    /// is known of the game.
    Fewer,
    /// No points are marked, for this reason.
    None(&'static str),
}

/// The points that are considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// The dark ones: whoever touches a lit one knows that it is no move.
    Dark,
    /// All points of the board.
    All,
}

/// The characters between the two scores on the display.
#[derive(Clone, Copy, Debug)]
pub struct Middle<'a> {
    /// All twelve characters of the display.
    pub display: &'a str,
    /// The same without blanks at both ends.
    pub shown: &'a str,
    /// The settings of the game.
    pub settings: &'a Settings,
}

impl Middle<'_> {
    /// The characters from one place to before another, without blanks at both ends.
    #[must_use]
    pub fn part(&self, from: usize, to: usize) -> String {
        let part = self.display.chars().skip(from).take(to - from);
        part.collect::<String>().trim().to_owned()
    }
}

/// What the characters between the scores say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MiddleReading {
    /// The game's own text, or `None` for nothing.
    Own(Option<String>),
    /// What they say in most games: turns or seconds that are left.
    Usual,
}

/// How people write a position of a game that has a form of its own.
#[derive(Clone, Copy, Debug)]
pub struct PositionText {
    /// The whole command, as an example.
    pub usage: &'static str,
    /// The bytes of a position in words, on a board of this layout.
    ///
    /// # Errors
    /// A sentence about what is wrong with them.
    pub read: fn(&[&str], Layout) -> Result<Vec<u8>, String>,
    /// The words of a position there; `None` if the bytes are none.
    pub write: fn(&[u8], Layout) -> Option<String>,
}

/// What the host knows of one game.
pub trait Guide: Sync {
    /// Its number in the core.
    fn number(&self) -> u8;

    /// How it is played, in words.
    fn how_to(&self) -> &'static HowTo;

    /// What else people call it, or the game that it is a form of: they look for it by
    /// these names, too.
    fn other_names(&self) -> &'static [&'static str] {
        &[]
    }

    // The methods about who plays.

    /// The board plays it in the place of the person who would, instead of as red.
    fn is_for_one(&self, _settings: &Settings) -> bool {
        false
    }

    /// It is a game of two sides.
    fn is_for_two(&self, settings: &Settings) -> bool {
        !self.is_for_one(settings)
    }

    /// How many play, the board among them.
    fn players(&self, settings: &Settings) -> u8 {
        match self.is_for_one(settings) && settings.level == 0 {
            true => 1,
            false => 2,
        }
    }

    /// Its lights go on by themselves, so that its length is a time and not a number of
    /// moves.
    fn is_in_real_time(&self) -> bool {
        false
    }

    /// The sides of the square boards that it is offered on, the usual one first; empty
    /// where there is nothing to choose.
    fn square_boards(&self) -> &'static [u8] {
        &[]
    }

    // The methods about the state of a game.

    /// What is said while no side is to move and the game goes on.
    fn running(&self) -> &'static str {
        "the game is running"
    }

    /// What the side whose turn it is has to do, or does.
    fn turn(&self, side: Side, now: &Now<'_>) -> String {
        turn_of_two(side, now)
    }

    /// Why nobody has to do anything just now.
    fn pause(&self, _now: &Now<'_>) -> String {
        "wait a moment".to_owned()
    }

    /// How it ended with this score.
    fn end(&self, _settings: &Settings, outcome: Outcome, score: [u32; 2]) -> String {
        end_of_two(outcome, score)
    }

    /// How it ended, without its score.
    fn how_it_ended(&self, _settings: &Settings, outcome: Outcome) -> &'static str {
        words::outcome(outcome)
    }

    /// What the two numbers of the score count.
    fn score_names(&self, _settings: &Settings) -> [&'static str; 2] {
        Side::BOTH.map(Side::name)
    }

    /// What follows the numbers of the score where they are not points.
    fn score_unit(&self, _settings: &Settings) -> &'static str {
        ""
    }

    /// The two numbers of the score are the points of two sides.
    fn is_score_of_points(&self, _settings: &Settings) -> bool {
        true
    }

    /// The score in a line of words.
    fn score(&self, _settings: &Settings, [green, red]: [u32; 2]) -> String {
        format!("{green} : {red}")
    }

    /// What happens when the clock has run out, where the Time button sets one or the
    /// game has one of its own.
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

    /// A turn can be given away.
    fn has_pass(&self, _settings: &Settings) -> bool {
        core_games::about(self.number()).is_some_and(|about| about.time_out == TimeOut::Pass)
    }

    // The methods about what the lights mean.

    /// Which points a player may want to see marked.
    fn tracks(&self, _settings: &Settings) -> Tracks {
        Tracks::None("Here it would tell what is to be found.")
    }

    /// Its lights are the stones of its sides: one that changes its colour was turned
    /// over, one that goes out was taken.
    fn lights_are_stones(&self) -> bool {
        false
    }

    /// No light is touched in it.
    fn is_played_on_dark_points(&self, _settings: &Settings) -> bool {
        false
    }

    /// A light that turns no other is no move.
    fn has_to_turn(&self, _settings: &Settings) -> bool {
        false
    }

    /// What a light that blinks like this means; `None` if that is plain to see, or the
    /// piece there says it.
    fn rhythm(&self, _rhythm: Rhythm) -> Option<&'static str> {
        None
    }

    /// What the characters between the scores on the display say.
    fn middle(&self, _middle: &Middle<'_>) -> MiddleReading {
        MiddleReading::Usual
    }

    // The methods about events.

    /// What happens to the other lights that a move changes, in a word.
    fn change(&self) -> &'static str {
        "changed"
    }

    /// The number of lights that changed, in words; `None` if there are none.
    fn changes(&self, count: u16) -> Option<String> {
        (count > 0).then(|| format!("{count} {}", self.change()))
    }

    /// What a move brought: `changed` lights besides the one that was touched, and
    /// `gained` points for its side and for the other one.
    fn result(&self, _side: Side, changed: u16, _gained: [i64; 2]) -> Option<String> {
        self.changes(changed)
    }

    /// A touch that is no move yet shows a good one, and the next such touch puts it
    /// away.
    fn has_help(&self) -> bool {
        false
    }

    /// A touch of this point that is no move, in words.
    fn illegal(&self, side: Side, point: &str) -> String {
        format!("{point} is no move for {}", side.name())
    }

    // What lies on its board.

    /// It has more than lights.
    fn has_pieces(&self) -> bool {
        false
    }

    /// What lies on this board; `None` if this game is not on it, or it has nothing but
    /// lights.
    fn pieces(&self, _board: &AnyBoard) -> Option<Pieces> {
        None
    }

    /// How its positions are written; `None` for a game whose lights tell all.
    fn position(&self) -> Option<&'static PositionText> {
        None
    }

    // Why a touch is no move.

    /// A touch can be a service.
    fn has_services(&self) -> bool {
        false
    }

    /// Only the state of the game says why a touch is no move.
    fn explains_refusals(&self) -> bool {
        false
    }

    /// Why a touch of this point is no move, in a few words: `block b2 is won`. `None`
    /// if it is one, where only the rules know, and on a board of another game.
    fn why_no_move(&self, _board: &AnyBoard, _point: Point) -> Option<String> {
        None
    }

    /// The same for a person who watches, where the answer is longer.
    fn why_for_a_watcher(&self, _board: &AnyBoard, _point: Point) -> Option<String> {
        None
    }
}

/// What the side whose turn it is does in most games: it thinks, or is to move.
fn turn_of_two(side: Side, now: &Now<'_>) -> String {
    match now.is_boards_turn {
        true => format!("{} is thinking", side.name()),
        false => format!("{} to move", side.name()),
    }
}

/// How a game ended that the side with more points wins.
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
    fn every_text_is_of_sentences_that_a_small_panel_can_hold() {
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
    fn the_lines_of_a_mode_are_its_own() {
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
