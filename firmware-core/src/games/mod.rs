//! The games, a module each, and the table that lists them.
//!
//! "Checklist: a new game" in `ARCHITECTURE.md` lists the steps of adding one.
//! `testing` is the test bench of all games.

use postcard::experimental::max_size::MaxSize;
use protocol::{Layout, Position, Roster, Tick};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::game::{About, BoardTurn, Context, Game, Player, Rules};
use crate::ground::Ground;
use crate::state_reader::StateReader;
#[cfg(feature = "host")]
use crate::thought::Thought;
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
#[cfg(feature = "ishido")]
pub mod ishido;
#[cfg(feature = "life")]
pub mod life;
#[cfg(feature = "malaka")]
pub mod malaka;
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
#[cfg(all(test, feature = "default"))]
mod thinkers;
#[cfg(test)]
use testing::parts;
#[cfg(feature = "ticdabtoe")]
pub mod ticdabtoe;
#[cfg(feature = "touchit")]
pub mod touchit;
#[cfg(feature = "visiput")]
pub mod visiput;
#[cfg(feature = "cartridge")]
pub mod written;

/// A game together with the player of red.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct Round<G, P> {
    /// The game that is played.
    pub game: G,
    /// The board's own player; used when it is red's turn at levels 1-4.
    pub player: P,
}

/// The player of red together with its game, whichever game that is.
///
/// See [`Player`] for each method.
pub trait Opponent<W: Word> {
    /// Discards the player's thinking, because a turn begins or has ended.
    fn reset(&mut self);
    /// The tick of its next wake; see [`Player::wakes_at`].
    fn wakes_at(&self) -> Tick;
    /// Lets the player think for a tick; see [`Player::wake`].
    fn wake(&mut self, level: u8, context: &mut Context<'_, W>) -> BoardTurn;
    /// Makes the player decide at once; see [`Player::hurry`].
    fn hurry(&mut self, level: u8, context: &mut Context<'_, W>) -> BoardTurn;
    /// Reads a saved player: see [`Player::read`].
    ///
    /// # Errors
    /// `None` if the bytes are not a valid value.
    fn read(&mut self, source: &mut StateReader<'_>) -> Option<()>;
    /// True if a decoded player is valid; see [`Player::is_sound`].
    fn is_sound(&self, ground: &Ground<W>) -> bool;
    /// What the player has found so far; see [`Player::thought`].
    #[cfg(feature = "host")]
    fn thought(&self, ground: &Ground<W>) -> Thought;
}

impl<W: Word, G: Rules<W>> Opponent<W> for Round<G, G::Player> {
    fn reset(&mut self) {
        self.player = G::Player::default();
    }
    fn wakes_at(&self) -> Tick {
        self.player.wakes_at()
    }
    fn wake(&mut self, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        self.player.wake(&self.game, level, context)
    }
    fn hurry(&mut self, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        self.player.hurry(&self.game, level, context)
    }
    fn read(&mut self, source: &mut StateReader<'_>) -> Option<()> {
        self.player.read(source)
    }
    fn is_sound(&self, ground: &Ground<W>) -> bool {
        self.player.is_sound(ground)
    }
    #[cfg(feature = "host")]
    fn thought(&self, ground: &Ground<W>) -> Thought {
        self.player.thought(&self.game, ground)
    }
}

macro_rules! games {
    ($(#[$there:meta] $constant:ident $number:literal $module:ident $name:ident;)*) => {
        /// The numbers of all games, including those that are not in this build.
        pub mod number {
            $(
                #[doc = concat!("Of ", stringify!($name), ".")]
                pub const $constant: u8 = $number;
            )*
        }

        const NUMBERS_BUILT: &[u8] = &[$(#[$there] $number),*];

        /// The properties of the game with this number.
        #[must_use]
        pub fn about(number: u8) -> Option<&'static About<'static>> {
            match number {
                $(#[$there] $number => Some(&<$module::$name<u64> as Rules<u64>>::ABOUT),)*
                _ => None,
            }
        }

        /// The modes of each game in this build whose best scores are kept.
        const KEEP_BEST: &[u32] = &[
            $(#[$there] <$module::$name<u64> as Rules<u64>>::ABOUT.keeps_best),*
        ];

        /// A game in progress, whichever it is.
        #[derive(Clone, Debug, PartialEq, MaxSize)]
        #[allow(clippy::large_enum_variant, reason = "there is no heap to put the large ones on")]
        pub enum Playing<W: Word> {
            $(
                #[doc = concat!("Game ", $number, ".")]
                #[$there]
                $name(Round<$module::$name<W>, <$module::$name<W> as Rules<W>>::Player>),
            )*
        }

        // Saved with its number and not its index in this build, so that boards with
        // different games can exchange states.
        impl<W: Word> Serialize for Playing<W> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut both = serializer.serialize_struct("Playing", 2)?;
                both.serialize_field("number", &self.number())?;
                match self {
                    $(#[$there] Playing::$name(round) => {
                        both.serialize_field(stringify!($name), round)?;
                    })*
                }
                both.end()
            }
        }

        impl<W: Word> Playing<W> {
            /// The start of a game; `None` if there is no such game, or the board is too
            /// small for it.
            #[must_use]
            pub fn start(number: u8, mode: u8, context: &mut Context<'_, W>) -> Option<Self> {
                if !is_played_on(number, context.ground) {
                    return None;
                }
                match number {
                    $(#[$there] $number => Some(Playing::$name(Round {
                        game: $module::$name::start(mode, context)?,
                        player: Default::default(),
                    })),)*
                    _ => None,
                }
            }

            /// A game that is set up in this position; `None` if the position is
            /// impossible.
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
                match (number, position) {
                    $(
                        #[$there]
                        ($number, Position::Diagram(diagram)) => Some(Playing::$name(Round {
                            game: $module::$name::diagram(mode, diagram, context)?,
                            player: Default::default(),
                        })),
                        #[$there]
                        ($number, Position::Own { game: $number, bytes }) => {
                            Some(Playing::$name(Round {
                                game: $module::$name::own_position(mode, bytes, context)?,
                                player: Default::default(),
                            }))
                        }
                    )*
                    _ => None,
                }
            }

            /// Reads a saved game without its player, which [`Opponent::read`] reads once
            /// the game is in its place.
            #[must_use]
            pub fn read_game(source: &mut StateReader<'_>) -> Option<Self> {
                let number: u8 = source.value()?;
                match number {
                    $(#[$there] $number => Some(Playing::$name(Round {
                        game: source.value()?,
                        player: Default::default(),
                    })),)*
                    _ => None,
                }
            }

            /// The number of the game in the table.
            #[must_use]
            pub fn number(&self) -> u8 {
                match self {
                    $(#[$there] Playing::$name(_) => $number,)*
                }
            }

            /// The game, for reading.
            #[must_use]
            pub fn game(&self) -> &dyn Game<W> {
                match self {
                    $(#[$there] Playing::$name(round) => &round.game,)*
                }
            }

            /// The game, for changing it.
            pub fn game_mut(&mut self) -> &mut dyn Game<W> {
                match self {
                    $(#[$there] Playing::$name(round) => &mut round.game,)*
                }
            }

            /// The board's player, for reading.
            #[must_use]
            pub fn opponent(&self) -> &dyn Opponent<W> {
                match self {
                    $(#[$there] Playing::$name(round) => round,)*
                }
            }

            /// The board's player, for changing it.
            pub fn opponent_mut(&mut self) -> &mut dyn Opponent<W> {
                match self {
                    $(#[$there] Playing::$name(round) => round,)*
                }
            }
        }
    };
}

games! {
    #[cfg(feature = "reversi")] REVERSI 0 reversi Reversi;
    #[cfg(feature = "ghost")] GHOST 1 ghost Ghost;
    #[cfg(feature = "life")] LIFE 2 life Life;
    #[cfg(feature = "touchit")] TOUCHIT 3 touchit TouchIt;
    #[cfg(feature = "symmetry")] SYMMETRY 4 symmetry Symmetry;
    #[cfg(feature = "countlines")] COUNTLINES 5 countlines CountLines;
    #[cfg(feature = "fillit")] FILLIT 6 fillit FillIt;
    #[cfg(feature = "findthem")] FINDTHEM 7 findthem FindThem;
    #[cfg(feature = "visiput")] VISIPUT 8 visiput Visiput;
    #[cfg(feature = "speedgo")] SPEEDGO 9 speedgo SpeedGo;
    #[cfg(feature = "malaka")] MALAKA 10 malaka Malaka;
    #[cfg(feature = "ishido")] ISHIDO 11 ishido Ishido;
    #[cfg(feature = "ticdabtoe")] TICDABTOE 12 ticdabtoe TicDabToe;
    #[cfg(feature = "col")] COL 13 col Col;
    #[cfg(feature = "cartridge")] WRITTEN 14 written Written;
    #[cfg(test)] PARTS 30 parts Parts;
}

/// The number of a layout's own game. Only a board with such a layout has this game,
/// whatever its roster contains.
pub const LAYOUTS_OWN: u8 = number::WRITTEN;

/// The roster with only that game.
const OWN: Roster = Roster::of(&[LAYOUTS_OWN]);

/// The games of a board with this roster on this ground. The layout's own game is among
/// them if and only if the layout has one.
#[must_use]
pub fn on<W: Word>(ground: &Ground<W>, roster: Roster) -> Roster {
    let roster = roster.and(BUILT);
    if ground
        .drawing()
        .is_some_and(|drawing| drawing.game().is_some())
    {
        return roster.or(OWN);
    }
    roster
}

/// As [`on`], for a host, which looks up the drawing by the layout.
#[must_use]
pub fn on_layout(layout: Layout, roster: Roster) -> Roster {
    let has_own = layout
        .drawing()
        .is_some_and(|known| known.as_drawing().game().is_some());
    let any = of_any_layout(roster);
    if has_own { any.or(OWN) } else { any }
}

/// The games without the layout's own one.
#[must_use]
pub const fn of_any_layout(roster: Roster) -> Roster {
    roster.without(OWN)
}

/// True if the game can be played on this ground: a game that only supports rectangles is
/// not played on other layouts, and a layout's own game is played only there.
pub(crate) fn is_played_on<W: Word>(number: u8, ground: &Ground<W>) -> bool {
    if number == LAYOUTS_OWN {
        return on(ground, Roster::NONE).has(number);
    }
    let is_grid = ground.drawing().is_none();
    about(number).is_some_and(|about| is_grid || about.any_layout)
}

/// The games that are in this build, for layouts without a game of their own.
pub const BUILT: Roster = Roster::of(NUMBERS_BUILT).without(OWN);

/// The number of modes with best scores, in all games of this build.
pub const MODES_KEPT: usize = {
    let (mut game, mut modes) = (0, 0);
    while game < KEEP_BEST.len() {
        modes += KEEP_BEST[game].count_ones() as usize;
        game += 1;
    }
    modes
};

/// True if the best scores of this mode of this game are kept.
#[must_use]
pub fn keeps_best(game: u8, mode: u8) -> bool {
    let modes = about(game).map_or(0, |about| about.keeps_best);
    modes
        .checked_shr(mode.into())
        .is_some_and(|modes| modes & 1 == 1)
}

/// The games of the manual.
const MANUAL: Roster = Roster::of(&[
    number::REVERSI,
    number::GHOST,
    number::LIFE,
    number::TOUCHIT,
    number::SYMMETRY,
    number::COUNTLINES,
    number::FILLIT,
    number::FINDTHEM,
    number::VISIPUT,
    number::SPEEDGO,
]);

/// The default games of a board: those of the manual that are in this build or, if there
/// are none, all games of the build.
pub const ROSTER: Roster = match BUILT.and(MANUAL) {
    Roster::NONE => BUILT,
    some => some,
};

/// The default layout for these games, which is the one that the first of them is made
/// for.
#[must_use]
pub fn layout_for(roster: Roster) -> Layout {
    let about = roster.iter().next().and_then(about);
    about.map_or(Layout::MALDOO, |about| Layout::Grid((about.made_for)(0)))
}

/// The numbers of [`ROSTER`]. The games of the manual are first in the table.
pub const NUMBERS: &[u8] = NUMBERS_BUILT.split_at(ROSTER.len()).0;

const _: () = assert!(
    !BUILT.is_empty(),
    "a build has at least one game: choose its features"
);
