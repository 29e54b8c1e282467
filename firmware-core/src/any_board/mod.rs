//! A board of any layout: the [`Board`] whose word is the narrowest that fits.

use protocol::{
    Button, Deed, Drawing, Frame, Input, Layout, Outcome, Point, Refusal, Roster, Settings, Side,
    Status, Tick,
};
use serde::Serialize;

use crate::board::{Board, origin_of_snapshot};
use crate::event_sink::EventSink;
use crate::game::Service;
use crate::games;
use crate::ground::Ground;
#[cfg(feature = "host")]
use crate::points::Points;
#[cfg(feature = "host")]
use crate::thought::Thought;
use crate::word::{Wide, Word};

/// A board of up to 16x16 points. It is for hosts, which do not know the layout in
/// advance, and for microcontrollers with enough flash for three widths. A smaller
/// microcontroller uses the [`Board`] of its own width.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[allow(
    clippy::large_enum_variant,
    reason = "there is no heap to put the large ones on"
)]
pub enum AnyBoard {
    /// A board of at most 64 points.
    Small(Board<u64>),
    /// A board of at most 128 points.
    Medium(Board<u128>),
    /// A board of at most 256 points.
    Large(Board<Wide>),
}

macro_rules! each {
    ($any:expr, $board:ident => $what:expr) => {
        match $any {
            AnyBoard::Small($board) => $what,
            AnyBoard::Medium($board) => $what,
            AnyBoard::Large($board) => $what,
        }
    };
}

#[cfg(any(
    feature = "cartridge",
    feature = "ishido",
    feature = "malaka",
    feature = "ticdabtoe"
))]
mod seen;

// One function for each width: a board is large, so only one of them should be on the
// stack at a time.
#[inline(never)]
fn on_layout<W: Word>(
    any: fn(Board<W>) -> AnyBoard,
    layout: Layout,
    roster: Roster,
    seed: u64,
) -> Result<AnyBoard, Refusal> {
    Ok(any(Board::with_games(layout, roster, seed)?))
}

/// If the new layout needs another word width, replaces the board by a blank one of
/// that width, after `found` has confirmed that the layout fits.
///
/// # Errors
/// Those of `found`; then nothing is changed.
// One function for each width, as above. It writes the new board in place; returned by
// value, the board would be on the stack of two calls.
#[inline(never)]
fn make_room<W: Word>(
    board: &mut AnyBoard,
    any: impl FnOnce(Board<W>) -> AnyBoard,
    is_wanted: impl FnOnce(&AnyBoard) -> bool,
    found: impl FnOnce() -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    // A board that keeps its width validates the layout itself before it changes
    // anything.
    if !is_wanted(board) {
        found()?;
        *board = any(Board::blank());
    }
    Ok(())
}

/// [`make_room`] for boards of this many bits; `$found` is the word that holds them.
macro_rules! make_room {
    ($board:expr, $bits:expr, $found:ident, $of:expr) => {
        match $bits {
            0..=64 => make_room(
                $board,
                AnyBoard::Small,
                |any| matches!(any, AnyBoard::Small(_)),
                || $found::<u64>($of),
            ),
            65..=128 => make_room(
                $board,
                AnyBoard::Medium,
                |any| matches!(any, AnyBoard::Medium(_)),
                || $found::<u128>($of),
            ),
            _ => make_room(
                $board,
                AnyBoard::Large,
                |any| matches!(any, AnyBoard::Large(_)),
                || $found::<Wide>($of),
            ),
        }
    };
}

#[inline(never)]
fn can_have<W: Word>(layout: Layout) -> Result<(), Refusal> {
    Ground::<W>::of(layout).map(drop)
}

#[inline(never)]
fn can_draw<W: Word>(drawing: Drawing<'_>) -> Result<(), Refusal> {
    Ground::<W>::of_drawing(drawing).map(drop)
}

/// True if a board can have these games on this layout.
///
/// # Errors
/// [`Refusal::NoSuchGame`] if not.
fn check_games(layout: Layout, roster: Roster) -> Result<(), Refusal> {
    let known = layout.drawing();
    let own = known.is_some_and(|known| known.as_drawing().game().is_some());
    let any = games::of_any_layout(roster);
    if (any.is_empty() && !own) || !any.is_within(games::BUILT) {
        return Err(Refusal::NoSuchGame(any.without(games::BUILT).first()));
    }
    Ok(())
}

/// The number of bits that a board needs for a layout.
fn bits_of(layout: Layout) -> usize {
    let known = layout.drawing();
    known.map_or(layout.points(), |known| bits(known.as_drawing()))
}

/// The number of bits that a board needs for a drawing, including one for each site
/// of its game.
fn bits(drawing: Drawing<'_>) -> usize {
    #[cfg(feature = "cartridge")]
    return crate::cartridge::layout_game::sites(drawing);
    #[cfg(not(feature = "cartridge"))]
    return drawing.points();
}

impl AnyBoard {
    /// A freshly switched-on board with the usual games ([`games::ROSTER`]).
    ///
    /// # Errors
    /// [`Refusal::Layout`] if the layout is invalid.
    pub fn new(layout: Layout, seed: u64) -> Result<AnyBoard, Refusal> {
        AnyBoard::with_games(layout, games::ROSTER, seed)
    }

    /// A freshly switched-on board with these games.
    ///
    /// # Errors
    /// [`Refusal::Layout`] if the layout is invalid, [`Refusal::NoSuchGame`] if this
    /// build lacks one of the games or the roster is empty.
    pub fn with_games(layout: Layout, roster: Roster, seed: u64) -> Result<AnyBoard, Refusal> {
        check_games(layout, roster)?;
        match bits_of(layout) {
            0..=64 => on_layout(AnyBoard::Small, layout, roster, seed),
            65..=128 => on_layout(AnyBoard::Medium, layout, roster, seed),
            _ => on_layout(AnyBoard::Large, layout, roster, seed),
        }
    }

    /// The drawing of the current layout; see [`Board::drawing`].
    #[must_use]
    pub fn drawing(&self) -> Option<Drawing<'_>> {
        each!(self, board => board.drawing())
    }

    /// Restarts the board on this drawing, whatever its number of points; see
    /// [`Board::restart_on_drawing`].
    ///
    /// # Errors
    /// As [`Board::restart_on_drawing`].
    pub fn restart_on_drawing(
        &mut self,
        drawing: Drawing<'_>,
        roster: Roster,
        seed: u64,
    ) -> Result<(), Refusal> {
        make_room!(self, bits(drawing), can_draw, drawing)?;
        each!(self, board => board.restart_on_drawing(drawing, roster, seed))
    }

    /// The layout of the board; see [`Board::layout`].
    #[must_use]
    pub fn layout(&self) -> Layout {
        each!(self, board => board.layout())
    }

    /// The games that the board has; see [`Board::roster`].
    #[must_use]
    pub fn roster(&self) -> Roster {
        each!(self, board => board.roster())
    }

    /// The seed of all random numbers; see [`Board::seed`].
    #[must_use]
    pub fn seed(&self) -> u64 {
        each!(self, board => board.seed())
    }

    /// The board time in ticks; see [`Board::tick`].
    #[must_use]
    pub fn tick(&self) -> Tick {
        each!(self, board => board.tick())
    }

    /// The settings of the panel; see [`Board::settings`].
    #[must_use]
    pub fn settings(&self) -> Settings {
        each!(self, board => board.settings())
    }

    /// True while a finger is on the point; see [`Board::is_touched`].
    #[must_use]
    pub fn is_touched(&self, point: Point) -> bool {
        each!(self, board => board.is_touched(point))
    }

    /// True while the button is down; see [`Board::is_pressed`].
    #[must_use]
    pub fn is_pressed(&self, button: Button) -> bool {
        each!(self, board => board.is_pressed(button))
    }

    /// The current frame; see [`Board::frame`].
    #[must_use]
    pub fn frame(&self) -> &Frame {
        each!(self, board => board.frame())
    }

    /// The side whose turn it is; see [`Board::turn`].
    #[must_use]
    pub fn turn(&self) -> Option<Side> {
        each!(self, board => board.turn())
    }

    /// The score, `[green, red]`; see [`Board::score`].
    #[must_use]
    pub fn score(&self) -> Option<[u32; 2]> {
        each!(self, board => board.score())
    }

    /// The outcome of a finished game; see [`Board::outcome`].
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        each!(self, board => board.outcome())
    }

    /// The name of a written game; see [`Board::name_of_own`].
    #[must_use]
    pub fn name_of_own(&self) -> Option<&str> {
        each!(self, board => board.name_of_own())
    }

    /// True while the board's player thinks; see [`Board::is_thinking`].
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        each!(self, board => board.is_thinking())
    }

    /// What the board's player has found so far; see [`Board::thought`].
    #[cfg(feature = "host")]
    #[must_use]
    pub fn thought(&self) -> Option<Thought> {
        each!(self, board => board.thought())
    }

    /// True while the game settles after a touch; see [`Board::is_settling`].
    #[must_use]
    pub fn is_settling(&self) -> bool {
        each!(self, board => board.is_settling())
    }

    /// True while a game is paused by Stop/Cont; see [`Board::is_paused`].
    #[must_use]
    pub fn is_paused(&self) -> bool {
        each!(self, board => board.is_paused())
    }

    /// The status of the game; see [`Board::status`].
    #[must_use]
    pub fn status(&self) -> Status {
        each!(self, board => board.status())
    }

    /// The points of a finished game for the best scores; see [`Board::worth`].
    #[must_use]
    pub fn worth(&self) -> Option<u32> {
        each!(self, board => board.worth())
    }

    /// The points whose touch has an effect now, in order; see [`Board::legal`].
    pub fn legal(&self, mut each_point: impl FnMut(Point)) {
        each!(self, board => board.legal().for_each(&mut each_point));
    }

    /// The points that [`AnyBoard::legal`] reports, as a list.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn legal_points(&self) -> std::vec::Vec<Point> {
        let mut points = std::vec::Vec::new();
        self.legal(|point| points.push(point));
        points
    }

    /// The legal points whose touch is this service; see [`Board::service`].
    pub fn service(&self, service: Service, mut each_point: impl FnMut(Point)) {
        each!(self, board => board.service(service).for_each(&mut each_point));
    }

    /// Calls `each_point` with the points beside this one, along the lines of the board.
    #[cfg(feature = "host")]
    pub fn beside(&self, point: Point, mut each_point: impl FnMut(Point)) {
        each!(self, board => board
            .ground()
            .straight_neighbours(Points::one(point))
            .for_each(&mut each_point));
    }

    /// The digest of the state and its frame; see [`Board::digest`].
    #[must_use]
    pub fn digest(&self) -> u64 {
        each!(self, board => board.digest())
    }

    /// Carries out an input; see [`Board::input`].
    pub fn input(&mut self, input: Input, tell: EventSink<'_>) {
        each!(self, board => board.input(input, tell));
    }

    /// Carries out a deed; see [`Board::carry_out`]. A reset may change the layout to any
    /// other.
    ///
    /// # Errors
    /// As [`Board::carry_out`].
    pub fn carry_out(&mut self, deed: &Deed, tell: EventSink<'_>) -> Result<(), Refusal> {
        if let Deed::Reset { seed, layout } = deed
            && *layout != self.layout()
        {
            return self.become_other(*layout, *seed);
        }
        each!(self, board => board.carry_out(deed, tell))
    }

    // A separate function, because a second board is on its stack for a moment.
    #[inline(never)]
    fn become_other(&mut self, layout: Layout, seed: u64) -> Result<(), Refusal> {
        self.restart(layout, self.roster(), seed)
    }

    /// A board without points and games, to be [restarted](AnyBoard::restart) in place.
    #[must_use]
    pub fn blank() -> AnyBoard {
        AnyBoard::Small(Board::blank())
    }

    /// Resets the board to the state after power-on, with this layout and these games.
    /// The board is made in place, whereas [`AnyBoard::with_games`] passes it from call
    /// to call.
    ///
    /// # Errors
    /// As [`AnyBoard::with_games`]; then nothing is changed.
    pub fn restart(&mut self, layout: Layout, roster: Roster, seed: u64) -> Result<(), Refusal> {
        check_games(layout, roster)?;
        make_room!(self, bits_of(layout), can_have, layout)?;
        each!(self, board => board.restart(layout, roster, seed))
    }

    /// Lets `ticks` pass; see [`Board::advance`].
    pub fn advance(&mut self, ticks: Tick, tell: EventSink<'_>) {
        each!(self, board => board.advance(ticks, tell));
    }

    /// Advances to the next wake, by at most `most` ticks; see [`Board::step`].
    pub fn step(&mut self, most: Tick, tell: EventSink<'_>) -> Tick {
        each!(self, board => board.step(most, tell))
    }

    /// The tick at which the board next has work to do; see [`Board::wakes_at`].
    #[must_use]
    pub fn wakes_at(&self) -> Option<Tick> {
        each!(self, board => board.wakes_at())
    }

    /// Writes the state into `buffer`; see [`Board::save`].
    ///
    /// # Errors
    /// `None` if the buffer is too short.
    pub fn save<'a>(&self, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
        each!(self, board => board.save(buffer))
    }

    /// Becomes the saved board, whose layout and games may differ from this one's.
    /// See [`Board::load`].
    ///
    /// # Errors
    /// As [`Board::load`].
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let (layout, roster) = origin_of_snapshot(bytes).ok_or(Refusal::Snapshot)?;
        if (layout, roster) == (self.layout(), self.roster()) {
            return each!(self, board => board.load(bytes));
        }
        self.load_other(bytes, layout, roster)
    }

    // A separate function, because a second board is on its stack.
    #[inline(never)]
    fn load_other(&mut self, bytes: &[u8], layout: Layout, roster: Roster) -> Result<(), Refusal> {
        check_games(layout, roster).map_err(|_| Refusal::Roster(roster))?;
        let mut loaded = AnyBoard::blank();
        make_room!(&mut loaded, bits_of(layout), can_have, layout)?;
        each!(&mut loaded, board => board.load(bytes))?;
        *self = loaded;
        Ok(())
    }
}
