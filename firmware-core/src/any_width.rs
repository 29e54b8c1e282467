//! What a [`Device`](crate::Device) needs from a board, whatever its width.
//!
//! A small microcontroller's image holds the [`Board`] of its own word; a host
//! process or a larger chip holds an [`AnyBoard`], which can take any layout. The
//! device loop around them is the same code.

use protocol::{
    Deed, Drawing, Frame, Layout, MAX_POINTS, Point, Refusal, Roster, Settings, Status, Tick,
};

use crate::any_board::AnyBoard;
use crate::best::BestScores;
use crate::board::Board;
use crate::event_sink::EventSink;
use crate::word::Word;

/// A board of any width. The methods are those of [`Board`].
pub trait AnyWidth: Sized {
    /// The maximum number of points of its layout.
    const MAX_POINTS: usize;

    /// A board with these games; see [`Board::with_games`].
    ///
    /// # Errors
    /// As [`Board::with_games`].
    fn with_games(layout: Layout, roster: Roster, seed: u64) -> Result<Self, Refusal>;
    /// A board without points and games, to be [restarted](AnyWidth::restart) in place.
    fn blank() -> Self;
    /// Resets the board to the state after power-on; see [`Board::restart`].
    ///
    /// # Errors
    /// [`Refusal::Layout`] if the board cannot have the layout.
    fn restart(&mut self, layout: Layout, roster: Roster, seed: u64) -> Result<(), Refusal>;
    /// The layout of the board; see [`Board::layout`].
    fn layout(&self) -> Layout;
    /// The games that the board has; see [`Board::roster`].
    fn roster(&self) -> Roster;
    /// The drawing of the current layout; see [`Board::drawing`].
    fn drawing(&self) -> Option<Drawing<'_>>;
    /// Restarts the board on this drawing; see [`Board::restart_on_drawing`].
    ///
    /// # Errors
    /// As [`Board::restart_on_drawing`].
    fn restart_on_drawing(
        &mut self,
        drawing: Drawing<'_>,
        roster: Roster,
        seed: u64,
    ) -> Result<(), Refusal>;
    /// The seed of all chance; see [`Board::seed`].
    fn seed(&self) -> u64;
    /// The board time in ticks; see [`Board::tick`].
    fn tick(&self) -> Tick;
    /// The current frame; see [`Board::frame`].
    fn frame(&self) -> &Frame;
    /// The status of the game; see [`Board::status`].
    fn status(&self) -> Status;
    /// The settings of the panel; see [`Board::settings`].
    fn settings(&self) -> Settings;
    /// Reports the points whose touch has an effect now, in order; see [`Board::legal`].
    fn legal(&self, each_point: &mut dyn FnMut(Point));
    /// The digest of the state and its frame; see [`Board::digest`].
    fn digest(&self) -> u64;
    /// Carries out a deed at this tick; see [`Board::carry_out`].
    ///
    /// # Errors
    /// As [`Board::carry_out`].
    fn carry_out(&mut self, deed: &Deed, tell: EventSink<'_>) -> Result<(), Refusal>;
    /// Advances to the next wake, by at most `most` ticks; see [`Board::step`].
    fn step(&mut self, most: Tick, tell: EventSink<'_>) -> Tick;
    /// The tick at which the board next has work to do; see [`Board::wakes_at`].
    fn wakes_at(&self) -> Option<Tick>;
    /// Writes the state into `buffer`; see [`Board::save`].
    ///
    /// # Errors
    /// `None` if the buffer is too short.
    fn save<'a>(&self, buffer: &'a mut [u8]) -> Option<&'a [u8]>;
    /// Becomes the saved board; see [`Board::load`].
    ///
    /// # Errors
    /// As [`Board::load`].
    fn load(&mut self, bytes: &[u8]) -> Result<(), Refusal>;
    /// The points of a finished game for the best scores; see [`Board::worth`].
    fn worth(&self) -> Option<u32>;

    /// Keeps best scores from now on, starting with these; has no effect on a board that
    /// keeps none. See [`Keeping`](crate::Keeping).
    fn keep(&mut self, best: BestScores) {
        let _ = best;
    }
    /// The best scores, and how often they have changed since the board began to keep
    /// them; `None` on a board that keeps none.
    fn best(&self) -> Option<(&BestScores, u32)> {
        None
    }
    /// Clears the best scores.
    ///
    /// # Errors
    /// [`Refusal::KeepsNoBest`] on a board that keeps none.
    fn clear_best(&mut self) -> Result<(), Refusal> {
        Err(Refusal::KeepsNoBest)
    }
    /// Sets whether later deeds count as play. Only during play can a game enter the best
    /// scores, and a layout be kept.
    fn count_best(&mut self, counts: bool) {
        let _ = counts;
    }
    /// True if deeds count as play at present; see [`AnyWidth::count_best`].
    fn counts_best(&self) -> bool {
        false
    }
    /// The drawing of the layout with a game that the board is to have again after a
    /// power-off, if there is one, and how often that has changed. `None` on a board that
    /// keeps no layout, or that has a different drawing now.
    fn inserted(&self) -> Option<(Option<Drawing<'_>>, u32)> {
        None
    }
}

/// Forwards methods of [`AnyWidth`] to the board in a field, so that a wrapper of a board
/// writes out only the methods that it changes. The names of the forwarded methods follow
/// the field: a method that is not listed must be written out, unless it has a default.
///
/// ```
/// use firmware_core::{AnyBoard, AnyWidth, EventSink, forward_to_board};
/// use protocol::{Deed, Layout, Refusal, Roster};
///
/// /// A board that counts its deeds.
/// struct Counting {
///     board: AnyBoard,
///     deeds: u32,
/// }
///
/// impl AnyWidth for Counting {
///     const MAX_POINTS: usize = <AnyBoard as AnyWidth>::MAX_POINTS;
///
///     fn with_games(layout: Layout, roster: Roster, seed: u64) -> Result<Self, Refusal> {
///         let board = AnyBoard::with_games(layout, roster, seed)?;
///         Ok(Counting { board, deeds: 0 })
///     }
///     fn blank() -> Self {
///         let board = AnyBoard::blank();
///         Counting { board, deeds: 0 }
///     }
///     fn carry_out(&mut self, deed: &Deed, tell: EventSink<'_>) -> Result<(), Refusal> {
///         self.deeds += 1;
///         self.board.carry_out(deed, tell)
///     }
///     forward_to_board!(board:
///         restart, restart_on_drawing, layout, roster, drawing, seed, tick, frame, status,
///         settings, legal, digest, step, wakes_at, save, load, worth);
/// }
/// # let mut board = Counting::blank();
/// # let _ = board.carry_out(&Deed::Choose(0), &mut |_, _| {});
/// # assert_eq!(board.deeds, 1);
/// ```
#[macro_export]
macro_rules! forward_to_board {
    ($board:tt: $($method:ident),+ $(,)?) => {
        $( $crate::forward_to_board!(@$method $board); )+
    };
    (@restart $board:tt) => {
        fn restart(
            &mut self,
            layout: ::protocol::Layout,
            roster: ::protocol::Roster,
            seed: u64,
        ) -> Result<(), ::protocol::Refusal> {
            self.$board.restart(layout, roster, seed)
        }
    };
    (@restart_on_drawing $board:tt) => {
        fn restart_on_drawing(
            &mut self,
            drawing: ::protocol::Drawing<'_>,
            roster: ::protocol::Roster,
            seed: u64,
        ) -> Result<(), ::protocol::Refusal> {
            self.$board.restart_on_drawing(drawing, roster, seed)
        }
    };
    (@legal $board:tt) => {
        fn legal(&self, each_point: &mut dyn FnMut(::protocol::Point)) {
            self.$board.legal(each_point);
        }
    };
    (@step $board:tt) => {
        fn step(
            &mut self,
            most: ::protocol::Tick,
            tell: $crate::EventSink<'_>,
        ) -> ::protocol::Tick {
            self.$board.step(most, tell)
        }
    };
    (@save $board:tt) => {
        fn save<'a>(&self, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
            self.$board.save(buffer)
        }
    };
    (@load $board:tt) => {
        fn load(&mut self, bytes: &[u8]) -> Result<(), ::protocol::Refusal> {
            self.$board.load(bytes)
        }
    };
    (@layout $board:tt) => { $crate::forward_to_board!(@get $board layout ::protocol::Layout); };
    (@roster $board:tt) => { $crate::forward_to_board!(@get $board roster ::protocol::Roster); };
    (@drawing $board:tt) => {
        $crate::forward_to_board!(@get $board drawing Option<::protocol::Drawing<'_>>);
    };
    (@seed $board:tt) => { $crate::forward_to_board!(@get $board seed u64); };
    (@tick $board:tt) => { $crate::forward_to_board!(@get $board tick ::protocol::Tick); };
    (@frame $board:tt) => { $crate::forward_to_board!(@get $board frame &::protocol::Frame); };
    (@status $board:tt) => { $crate::forward_to_board!(@get $board status ::protocol::Status); };
    (@settings $board:tt) => {
        $crate::forward_to_board!(@get $board settings ::protocol::Settings);
    };
    (@digest $board:tt) => { $crate::forward_to_board!(@get $board digest u64); };
    (@wakes_at $board:tt) => {
        $crate::forward_to_board!(@get $board wakes_at Option<::protocol::Tick>);
    };
    (@worth $board:tt) => { $crate::forward_to_board!(@get $board worth Option<u32>); };
    (@get $board:tt $method:ident $value:ty) => {
        fn $method(&self) -> $value {
            self.$board.$method()
        }
    };
}

macro_rules! same_as_its_own {
    ($board:ident) => {
        fn with_games(layout: Layout, roster: Roster, seed: u64) -> Result<Self, Refusal> {
            $board::with_games(layout, roster, seed)
        }
        fn blank() -> Self {
            $board::blank()
        }
        fn restart(&mut self, layout: Layout, roster: Roster, seed: u64) -> Result<(), Refusal> {
            $board::restart(self, layout, roster, seed)
        }
        fn layout(&self) -> Layout {
            $board::layout(self)
        }
        fn roster(&self) -> Roster {
            $board::roster(self)
        }
        fn drawing(&self) -> Option<Drawing<'_>> {
            $board::drawing(self)
        }
        fn restart_on_drawing(
            &mut self,
            drawing: Drawing<'_>,
            roster: Roster,
            seed: u64,
        ) -> Result<(), Refusal> {
            $board::restart_on_drawing(self, drawing, roster, seed)
        }
        fn seed(&self) -> u64 {
            $board::seed(self)
        }
        fn tick(&self) -> Tick {
            $board::tick(self)
        }
        fn frame(&self) -> &Frame {
            $board::frame(self)
        }
        fn status(&self) -> Status {
            $board::status(self)
        }
        fn settings(&self) -> Settings {
            $board::settings(self)
        }
        fn digest(&self) -> u64 {
            $board::digest(self)
        }
        fn carry_out(&mut self, deed: &Deed, tell: EventSink<'_>) -> Result<(), Refusal> {
            $board::carry_out(self, deed, tell)
        }
        fn step(&mut self, most: Tick, tell: EventSink<'_>) -> Tick {
            $board::step(self, most, tell)
        }
        fn wakes_at(&self) -> Option<Tick> {
            $board::wakes_at(self)
        }
        fn save<'a>(&self, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
            $board::save(self, buffer)
        }
        fn load(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
            $board::load(self, bytes)
        }
        fn worth(&self) -> Option<u32> {
            $board::worth(self)
        }
    };
}

impl<W: Word> AnyWidth for Board<W> {
    const MAX_POINTS: usize = W::BITS;

    fn legal(&self, each_point: &mut dyn FnMut(Point)) {
        Board::legal(self).for_each(each_point);
    }

    same_as_its_own!(Board);
}

impl AnyWidth for AnyBoard {
    const MAX_POINTS: usize = MAX_POINTS;

    fn legal(&self, each_point: &mut dyn FnMut(Point)) {
        AnyBoard::legal(self, each_point);
    }

    same_as_its_own!(AnyBoard);
}
