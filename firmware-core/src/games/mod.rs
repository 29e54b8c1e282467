//! The games, a module each, and the table that lists them.
//!
//! To add one: write its module, name it here, add its line to the table, and
//! put `testing::laws!` into its tests: `testing` is the bench for all of them.

use postcard::experimental::max_size::MaxSize;
use protocol::{Clock, Outcome, Point, Position, Roster, Side, Tick};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::game::{About, Act, Canvas, Context, Game, Player, Touch};
use crate::ground::Ground;
use crate::points::Points;
use crate::source::Source;
use crate::word::Word;

#[cfg(feature = "col")]
pub mod col;
#[cfg(feature = "countlines")]
pub mod countlines;
#[cfg(feature = "fillit")]
pub mod fillit;
#[cfg(feature = "findthem")]
pub mod findthem;
#[cfg(feature = "ghost")]
pub mod ghost;
#[cfg(feature = "life")]
pub mod life;
#[cfg(any(feature = "col", feature = "symmetry"))]
pub mod nobody;
#[cfg(feature = "reversi")]
pub mod reversi;
#[cfg(feature = "touchit")]
mod rings;
#[cfg(feature = "speedgo")]
pub mod speedgo;
#[cfg(feature = "symmetry")]
pub mod symmetry;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(feature = "touchit")]
pub mod touchit;
#[cfg(feature = "visiput")]
pub mod visiput;

/// A game and who plays red in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct Round<G, P> {
    /// The game.
    pub game: G,
    /// The board's own player; used when it is red's turn at levels 1-4.
    pub player: P,
}

impl<G, P> Round<G, P> {
    fn read_player<W: Word>(&mut self, source: &mut Source<'_>) -> Option<()>
    where
        P: Player<W, G>,
    {
        self.player.read(source)
    }
}

/// A [`Round`] of any game: what the referee sees of it.
///
/// See [`Game`] and [`Player`] for what each of these means.
pub trait AnyRound<W: Word> {
    /// [`Game::ABOUT`].
    fn about(&self) -> &'static About;
    /// [`Game::turn`].
    fn turn(&self) -> Option<Side>;
    /// [`Game::side_of`].
    fn side_of(&self, point: Point) -> Option<Side>;
    /// [`Game::announce`].
    fn announce(&mut self, point: Point, context: &mut Context<'_, W>);
    /// [`Game::legal`].
    fn legal(&self, ground: &Ground<W>) -> Points<W>;
    /// [`Game::touch`].
    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch;
    /// [`Game::pass`].
    fn pass(&mut self, context: &mut Context<'_, W>) -> bool;
    /// [`Game::time_out`].
    fn time_out(&mut self, context: &mut Context<'_, W>);
    /// [`Game::clock_runs`].
    fn clock_runs(&self) -> bool;
    /// [`Game::clock`].
    fn clock(&self, now: Tick) -> Option<Clock>;
    /// [`Game::turns_left`].
    fn turns_left(&self) -> Option<u16>;
    /// [`Game::to_find`].
    fn to_find(&self) -> Option<u16>;
    /// [`Game::wakes_at`].
    fn wakes_at(&self) -> Option<Tick>;
    /// [`Game::wake`].
    fn wake(&mut self, context: &mut Context<'_, W>);
    /// [`Game::outcome`].
    fn outcome(&self) -> Option<Outcome>;
    /// [`Game::score`].
    fn score(&self, ground: &Ground<W>) -> [u16; 2];
    /// [`Game::paint`].
    fn paint(&self, now: Tick, canvas: &mut Canvas<'_, W>);
    /// [`Game::is_sound`] of the game and [`Player::is_sound`] of the player.
    fn is_sound(&self, ground: &Ground<W>) -> bool;
    /// Forgets what the player thought: its turn begins or ended.
    fn reset_player(&mut self);
    /// [`Player::wakes_at`].
    fn player_wakes_at(&self) -> Tick;
    /// [`Player::wake`].
    fn wake_player(&mut self, level: u8, context: &mut Context<'_, W>) -> Act;
    /// [`Player::hurry`].
    fn hurry_player(&mut self, level: u8, context: &mut Context<'_, W>) -> Act;
}

impl<W: Word, G: Game<W>> AnyRound<W> for Round<G, G::Player> {
    fn about(&self) -> &'static About {
        &G::ABOUT
    }
    fn turn(&self) -> Option<Side> {
        self.game.turn()
    }
    fn side_of(&self, point: Point) -> Option<Side> {
        self.game.side_of(point)
    }
    fn announce(&mut self, point: Point, context: &mut Context<'_, W>) {
        self.game.announce(point, context);
    }
    fn legal(&self, ground: &Ground<W>) -> Points<W> {
        self.game.legal(ground)
    }
    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        self.game.touch(point, context)
    }
    fn pass(&mut self, context: &mut Context<'_, W>) -> bool {
        self.game.pass(context)
    }
    fn time_out(&mut self, context: &mut Context<'_, W>) {
        self.game.time_out(context);
    }
    fn clock_runs(&self) -> bool {
        self.game.clock_runs()
    }
    fn clock(&self, now: Tick) -> Option<Clock> {
        self.game.clock(now)
    }
    fn turns_left(&self) -> Option<u16> {
        self.game.turns_left()
    }
    fn to_find(&self) -> Option<u16> {
        self.game.to_find()
    }
    fn wakes_at(&self) -> Option<Tick> {
        self.game.wakes_at()
    }
    fn wake(&mut self, context: &mut Context<'_, W>) {
        self.game.wake(context);
    }
    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }
    fn score(&self, ground: &Ground<W>) -> [u16; 2] {
        self.game.score(ground)
    }
    fn paint(&self, now: Tick, canvas: &mut Canvas<'_, W>) {
        self.game.paint(now, canvas);
    }
    fn is_sound(&self, ground: &Ground<W>) -> bool {
        self.game.is_sound(ground) && self.player.is_sound(ground)
    }
    fn reset_player(&mut self) {
        self.player = G::Player::default();
    }
    fn player_wakes_at(&self) -> Tick {
        self.player.wakes_at()
    }
    fn wake_player(&mut self, level: u8, context: &mut Context<'_, W>) -> Act {
        self.player.wake(&self.game, level, context)
    }
    fn hurry_player(&mut self, level: u8, context: &mut Context<'_, W>) -> Act {
        self.player.hurry(&self.game, level, context)
    }
}

macro_rules! games {
    ($($number:literal $feature:literal $module:ident $name:ident;)*) => {
        const NUMBERS_BUILT: &[u8] = &[$(#[cfg(feature = $feature)] $number),*];

        /// What is known of the game with this number before it starts.
        #[must_use]
        pub fn about(number: u8) -> Option<&'static About> {
            match number {
                $(#[cfg(feature = $feature)] $number => Some(&<$module::$name<u64> as Game<u64>>::ABOUT),)*
                _ => None,
            }
        }

        /// A game under way, any of them.
        #[derive(Clone, Debug, PartialEq, MaxSize)]
        #[allow(clippy::large_enum_variant, reason = "there is no heap to put the large ones on")]
        pub enum Playing<W: Word> {
            $(
                #[doc = concat!("Game ", $number, ".")]
                #[cfg(feature = $feature)]
                $name(Round<$module::$name<W>, <$module::$name<W> as Game<W>>::Player>),
            )*
        }

        // By its number and not by its place in this build, so that boards with
        // other games in them understand each other.
        impl<W: Word> Serialize for Playing<W> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut both = serializer.serialize_struct("Playing", 2)?;
                both.serialize_field("number", &self.number())?;
                match self {
                    $(#[cfg(feature = $feature)] Playing::$name(round) => {
                        both.serialize_field(stringify!($name), round)?;
                    })*
                }
                both.end()
            }
        }

        impl<W: Word> Playing<W> {
            /// The start of a game; `None` if there is no such game, or the
            /// board is too small for it.
            #[must_use]
            pub fn start(number: u8, mode: u8, context: &mut Context<'_, W>) -> Option<Self> {
                if !is_played_on(number, context.ground) {
                    return None;
                }
                match number {
                    $(#[cfg(feature = $feature)] $number => Some(Playing::$name(Round {
                        game: $module::$name::start(mode, context)?,
                        player: Default::default(),
                    })),)*
                    _ => None,
                }
            }

            /// A game with this on the board; `None` if it cannot be so.
            #[must_use]
            pub fn position(
                number: u8,
                mode: u8,
                position: &Position,
                context: &mut Context<'_, W>,
            ) -> Option<Self> {
                if !is_played_on(number, context.ground) {
                    return None;
                }
                match number {
                    $(#[cfg(feature = $feature)] $number => Some(Playing::$name(Round {
                        game: $module::$name::position(mode, position, context)?,
                        player: Default::default(),
                    })),)*
                    _ => None,
                }
            }

            /// Reads the game that was saved: without its player, which
            /// [`Playing::read_player`] reads once the game is in its place.
            #[must_use]
            pub fn read_game(source: &mut Source<'_>) -> Option<Self> {
                let number: u8 = source.value()?;
                match number {
                    $(#[cfg(feature = $feature)] $number => Some(Playing::$name(Round {
                        game: source.value()?,
                        player: Default::default(),
                    })),)*
                    _ => None,
                }
            }

            /// Reads the player that was saved.
            ///
            /// # Errors
            /// `None` if the bytes are none.
            pub fn read_player(&mut self, source: &mut Source<'_>) -> Option<()> {
                match self {
                    $(#[cfg(feature = $feature)] Playing::$name(round) => round.read_player::<W>(source),)*
                }
            }

            /// Its number in the table.
            #[must_use]
            pub fn number(&self) -> u8 {
                match self {
                    $(#[cfg(feature = $feature)] Playing::$name(_) => $number,)*
                }
            }

            /// What the referee sees of it.
            #[must_use]
            pub fn round(&self) -> &dyn AnyRound<W> {
                match self {
                    $(#[cfg(feature = $feature)] Playing::$name(round) => round,)*
                }
            }

            /// What the referee does with it.
            pub fn round_mut(&mut self) -> &mut dyn AnyRound<W> {
                match self {
                    $(#[cfg(feature = $feature)] Playing::$name(round) => round,)*
                }
            }
        }
    };
}

games! {
    0 "reversi" reversi Reversi;
    1 "ghost" ghost Ghost;
    2 "life" life Life;
    3 "touchit" touchit TouchIt;
    4 "symmetry" symmetry Symmetry;
    5 "countlines" countlines CountLines;
    6 "fillit" fillit FillIt;
    7 "findthem" findthem FindThem;
    8 "visiput" visiput Visiput;
    9 "speedgo" speedgo SpeedGo;
    13 "col" col Col;
}

/// A game that knows rectangles alone is not played on another layout.
pub(crate) fn is_played_on<W: Word>(number: u8, ground: &Ground<W>) -> bool {
    let is_grid = ground.drawing().is_none();
    about(number).is_some_and(|about| is_grid || about.drawn)
}

/// The games that are in this build.
pub const BUILT: Roster = Roster::of(NUMBERS_BUILT);

/// The games of the manual.
const MANUAL: Roster = Roster::of(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

/// The games of a board that is not told which: those of the manual that are in
/// this build, or all of it where there is none of them.
pub const ROSTER: Roster = match BUILT.and(MANUAL) {
    Roster::NONE => BUILT,
    some => some,
};

/// The numbers of [`ROSTER`]. Those of the manual are first in the table.
pub const NUMBERS: &[u8] = NUMBERS_BUILT.split_at(ROSTER.len()).0;

const _: () = assert!(
    !BUILT.is_empty(),
    "a build has at least one game: choose its features"
);
