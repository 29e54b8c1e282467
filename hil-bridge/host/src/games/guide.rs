//! What a game can say about itself: the methods of a [`Guide`], and what they take and
//! return.
//!
//! It is one trait, not one for each group of its methods: a game overrides ten methods
//! out of four of the six groups, so six traits would be ninety `impl` blocks instead of
//! fifteen, a third of them empty, and nobody asks for a group alone.
//!
//! Invariants: the defaults are right for a game of two sides that take turns.

use firmware_core::AnyBoard;
use firmware_core::game::TimeOut;
use firmware_core::games as core_games;
use protocol::{Frame, Layout, Outcome, Point, Rhythm, Settings, Side, Status};

use crate::howto::HowTo;
use crate::pieces::Pieces;
use crate::position_error::PositionTextError;
use crate::words;

/// What a player sees of a running game.
#[derive(Clone, Copy, Debug)]
pub struct TurnView<'a> {
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
    /// The legal points, in a game that usually has many: their marks are small.
    LegalOfMany,
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
    /// A [`PositionTextError`] about what is wrong with the words.
    pub read: fn(&[&str], Layout) -> Result<Vec<u8>, PositionTextError>,
    /// Converts the bytes of a position to words; `None` if the bytes are not a
    /// position.
    pub write: fn(&[u8], Layout) -> Option<String>,
    /// The bytes of the position on a board that plays the game; `None` if it cannot be
    /// set up again, as after the end.
    pub of_board: fn(&AnyBoard) -> Option<Vec<u8>>,
}

/// The host's knowledge of one game.
pub trait Guide: Sync {
    /// The number of the game in the core.
    fn number(&self) -> u8;

    /// The rules in words.
    fn how_to(&self) -> &'static HowTo;

    /// The rules in words on a board with this layout; `None` if the layout has no such
    /// game.
    fn how_to_on(&self, _layout: Layout) -> Option<HowTo> {
        Some(*self.how_to())
    }

    /// True for the game that comes with a layout, whose text adds to what the guide
    /// knows.
    fn is_layouts_own(&self) -> bool {
        false
    }

    /// Other names of the game, including the game that it is a variant of. A search
    /// finds these names, too.
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

    /// The number of players on a board with this layout, including the board.
    fn players(&self, settings: &Settings, _layout: Layout) -> u8 {
        match self.is_for_one(settings) && settings.level == 0 {
            true => 1,
            false => 2,
        }
    }

    /// True if lights change by themselves, so that the length of a game is measured in
    /// time, not in moves.
    fn is_in_real_time(&self) -> bool {
        false
    }

    /// The sizes of the square boards that the game is offered on, the usual one first;
    /// empty if there is no choice.
    fn square_boards(&self) -> &'static [u8] {
        &[]
    }

    // The methods about the state of a game.

    /// The status text of a running game while no side is to move.
    fn running(&self) -> &'static str {
        "the game is running"
    }

    /// What the side to move has to do, or is doing now.
    fn turn(&self, side: Side, now: &TurnView<'_>) -> String {
        turn_of_two(side, now)
    }

    /// Why no side has to act now.
    fn pause(&self, _now: &TurnView<'_>) -> String {
        "wait a moment".to_owned()
    }

    /// How the game ended, with this score.
    fn end(&self, _settings: &Settings, outcome: Outcome, score: [u32; 2]) -> String {
        end_of_two(outcome, score)
    }

    /// True if the lights of a game that is over show that one side lost it because its
    /// time ran out.
    fn shows_loss_by_time(&self, _frame: &Frame) -> bool {
        false
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

    /// What happens when the time is up, in a game with a clock, whether the Time button
    /// sets it or the game has its own.
    fn at_time_out(&self, settings: &Settings) -> Option<&'static str> {
        let mode = self.how_to().modes.get(usize::from(settings.mode))?;
        if !mode.has_turn_time {
            return None;
        }
        match core_games::about(self.number())?.time_out {
            TimeOut::None => None,
            TimeOut::RandomMove => Some("the board makes a random move"),
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

    /// What to do first in a game whose legal points are not marked, in a sentence; `None`
    /// if any touch will do.
    fn first_touch(&self) -> Option<&'static str> {
        None
    }

    /// True if the lights are stones: one that changes colour was turned over, one that
    /// goes out was captured.
    fn lights_are_stones(&self) -> bool {
        false
    }

    /// True if a turn may be to take a piece of the other side, as after a mill.
    fn may_have_to_take(&self) -> bool {
        false
    }

    /// The length of a row with which a game with these settings is won at once.
    fn winning_row(&self, _settings: &Settings) -> Option<usize> {
        None
    }

    /// True if a lit point is never touched.
    fn is_played_on_dark_points(&self, _settings: &Settings) -> bool {
        false
    }

    /// True if a touch reveals what players have to remember or guess, so that it must
    /// not be tried for a preview.
    fn touch_shows_what_is_hidden(&self) -> bool {
        false
    }

    /// The rhythm of the light of the picked-up piece, if `legal` names its point.
    fn rhythm_of_picked(&self) -> Option<Rhythm> {
        None
    }

    /// The rhythms of the lights where the picked-up piece may go; empty in a game in
    /// which pieces are not picked up.
    fn rhythms_of_destinations(&self) -> &'static [Rhythm] {
        &[]
    }

    /// The meaning of this point's light, if it is more than whose light it is; see
    /// [`crate::light_meaning`].
    fn light_meaning(&self, _board: &AnyBoard, _point: Point) -> Option<String> {
        None
    }

    /// Where a move to this point leads, as the end of a sentence: `sends red to block b3`.
    /// `None` if lights and pieces show all that it does.
    fn leads_to(&self, _board: &AnyBoard, _point: Point) -> Option<String> {
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

    /// True if the possible moves are found in ticks of their own: whose turn it is may be
    /// told some ticks after a move, and a side that cannot move is passed over without
    /// having been told to be to move.
    fn finds_turn_late(&self) -> bool {
        false
    }

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

    /// True if a touch that is not a move shows a good move, and the next such touch
    /// hides it again.
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

    /// Why a board of this layout refuses a position in the game's own form, in this mode;
    /// `None` if the board's own refusal already says everything.
    fn why_position_refused(&self, _bytes: &[u8], _mode: u8, _layout: Layout) -> Option<String> {
        None
    }

    // The methods about touches that are not moves.

    /// True if a touch can be a service.
    fn has_services(&self) -> bool {
        false
    }

    /// True if a script is told why a touch is not a move, too.
    fn explains_refusals(&self) -> bool {
        false
    }

    /// Why a touch of this point is not a move, in a few words: `block b2 is won`. `None`
    /// if it is a move, if there is no simple reason, or if the board has a different
    /// game.
    fn why_no_move(&self, _board: &AnyBoard, _point: Point) -> Option<String> {
        None
    }
}

/// What happens when the time is up in a game that a side then has lost.
pub(crate) const LOST_BY_TIME: &str = "the game is lost";

/// The turn in most games: the board thinks, or the side is to move.
pub(super) fn turn_of_two(side: Side, now: &TurnView<'_>) -> String {
    match now.is_boards_turn {
        true => format!("{} is thinking", side.name()),
        false => format!("{} to move", side.name()),
    }
}

/// The end of a game that the side with more points wins.
pub(super) fn end_of_two(outcome: Outcome, score: [u32; 2]) -> String {
    match outcome {
        Outcome::Won(side) => {
            let [own, other] = [side, side.other()].map(|side| score[side.index()]);
            format!("{} has won, {own} to {other}", side.name())
        }
        Outcome::Draw if score[0] == score[1] => format!("a draw, {} all", score[0]),
        Outcome::Draw => "a draw".to_owned(),
    }
}
