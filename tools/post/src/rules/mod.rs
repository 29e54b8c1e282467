//! Malaka as a board by mail needs it: whole turns instead of steps, and dice from
//! outside.
//!
//! The rules are in `firmware_core::games::malaka`, and the notation of turns in
//! `touchboard_host::malaka`. This module connects them with a
//! [transcript](crate::transcript).
//!
//! Invariants: an impossible action changes nothing.

mod error;

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use firmware_core::games::malaka::{
    After, Dice, DieKind, Own, Position, RollError, Size, StartRows, StartShape, VARIANTS, Variant,
};
use protocol::Side;
use serde::{Deserialize, Serialize};
use touchboard_host::malaka;

pub use error::{OptionsError, RulesError};

/// The variant of Malaka.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options(Variant);

impl Default for Options {
    fn default() -> Options {
        Options(Variant::USUAL)
    }
}

impl Options {
    /// The options in a challenge. Without a die it is the usual one for the board.
    #[must_use]
    pub fn new(size: Size, rows: StartRows, start: StartShape, die: Option<DieKind>) -> Options {
        let own = match size {
            Size::Large => DieKind::Six,
            Size::Small => DieKind::Four,
        };
        Options(Variant {
            size,
            rows,
            start,
            die: die.unwrap_or(own),
        })
    }

    /// The variant in the type of the rules.
    #[must_use]
    pub fn variant(self) -> Variant {
        self.0
    }

    /// The sides of a die: 4 or 6.
    #[must_use]
    pub fn die_sides(self) -> u8 {
        self.0.die_sides()
    }

    /// The words of a challenge that request these options, each after a blank.
    #[must_use]
    pub fn flags(self) -> String {
        let Variant {
            size, rows, start, ..
        } = self.0;
        let (is_large, sides) = (size == Size::Large, self.die_sides());
        let own = if is_large { 6 } else { 4 };
        let flags = [
            (is_large, " -large".to_owned()),
            (rows == StartRows::Three, " -many".to_owned()),
            (sides != own, format!(" -d{sides}")),
            (start == StartShape::Block, " -no_stagger".to_owned()),
        ];
        flags
            .into_iter()
            .filter_map(|(is_asked, flag)| is_asked.then_some(flag))
            .collect()
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.0.side();
        let rows = match self.0.rows {
            StartRows::Two => "two",
            StartRows::Three => "three",
        };
        let start = match self.0.start {
            StartShape::Staggered => "staggered",
            StartShape::Block => "block",
        };
        write!(f, "{side}x{side} d{} {rows} {start}", self.die_sides())
    }
}

impl FromStr for Options {
    type Err = OptionsError;

    fn from_str(text: &str) -> Result<Options, OptionsError> {
        let all = (0..VARIANTS).filter_map(Variant::of_mode).map(Options);
        let mut named = all.filter(|options| options.to_string() == text);
        named.next().ok_or(OptionsError)
    }
}

/// The state of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing(Position);

impl Standing {
    /// The start of a game, in which O rolls one die.
    #[must_use]
    pub fn start(options: Options) -> Standing {
        Standing(Position::start(options.variant()))
    }

    /// The inverse of [`Standing::to_bytes`].
    #[must_use]
    pub fn from_bytes(options: Options, bytes: &[u8]) -> Option<Standing> {
        let position = Own::read(bytes)?.position(options.variant());
        position.ok().map(Standing)
    }

    /// The position in the game's own form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        Own::of(&self.0).bytes().iter().copied().collect()
    }

    /// The position on the board.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.0
    }

    /// The side whose turn it is.
    #[must_use]
    pub fn turn(&self) -> Option<Side> {
        self.0.winner().is_none().then_some(self.0.turn())
    }

    /// The number of dice to roll before the next move; 0 if they have been rolled.
    #[must_use]
    pub fn dice_due(&self) -> usize {
        self.0.dice_to_roll().into()
    }

    /// The dice of this turn in words: `2 and 3`, `four times 2`.
    #[must_use]
    pub fn dice(&self) -> String {
        malaka::diagram::words(self.0.dice())
    }

    /// Records a roll of these dice.
    ///
    /// # Errors
    /// [`RulesError::Dice`].
    pub fn roll(&mut self, dice: &[u8]) -> Result<(), RulesError> {
        let sides = self.0.variant().die_sides();
        let is_face = |die: &u8| (1..=sides).contains(die);
        let rolled = match dice {
            [die] if is_face(die) => self.0.roll(Dice::one(*die)),
            [one, other] if is_face(one) && is_face(other) => self.0.roll(Dice::two(*one, *other)),
            [_] | [_, _] => Err(RollError::Sides(sides)),
            _ => Err(RollError::Count(self.0.dice_to_roll())),
        };
        rolled.map_err(RulesError::Dice)
    }

    /// True if the dice can be played.
    #[must_use]
    pub fn has_move(&self) -> bool {
        !self.0.steps().is_empty()
    }

    /// Passes the turn to the other side, since the dice cannot be played.
    ///
    /// # Errors
    /// [`RulesError::Pass`].
    pub fn pass(&mut self) -> Result<(), RulesError> {
        self.0.pass().then_some(()).ok_or(RulesError::Pass)
    }

    /// Plays a whole turn, as users write it: `c3-c6,c6-c8`.
    ///
    /// # Errors
    /// Why it is not a whole legal turn.
    pub fn play(&mut self, moves: &str) -> Result<(), RulesError> {
        let turn = malaka::read(moves, &self.0)?;
        let mut played = self.0.clone();
        for step in &turn {
            let taken = played.apply(*step);
            let after = taken.map_err(|why| RulesError::Step { step: *step, why })?;
            if matches!(after, After::Turn | After::Won(_)) {
                self.0 = played;
                return Ok(());
            }
        }
        Err(RulesError::NotOver)
    }

    /// The winner, and how the game was won.
    #[must_use]
    pub fn winner(&self) -> Option<(Side, &'static str)> {
        let winner = self.0.winner()?;
        let how = if self.0.distance(winner) == 0 {
            "connection"
        } else {
            "pin"
        };
        Some((winner, how))
    }

    /// The legal turns, at most this many.
    #[must_use]
    pub fn legal(&self, most: usize) -> Vec<String> {
        let mut turns = Vec::new();
        let _ = self.0.each_turn(|turn, _| {
            if turns.len() == most {
                return ControlFlow::Break(());
            }
            turns.push(malaka::written(turn));
            ControlFlow::Continue(())
        });
        turns
    }

    /// The picture of the board.
    #[must_use]
    pub fn diagram(&self) -> String {
        malaka::diagram(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_read_back_as_written() {
        let mut flags = Vec::new();
        for mode in 0..VARIANTS {
            let options = Options(Variant::of_mode(mode).unwrap());
            assert_eq!(options.to_string().parse(), Ok(options));
            flags.push(options.flags());
        }
        assert!("9x9".parse::<Options>().is_err());
        flags.sort();
        flags.dedup();
        assert_eq!(flags.len(), usize::from(VARIANTS));
        assert_eq!(Options::default().flags(), "");
        assert_eq!(Options::default().to_string(), "9x9 d4 two staggered");
    }

    #[test]
    fn a_position_reads_back_throughout_a_game() {
        let options = Options::default();
        let mut standing = Standing::start(options);
        let mut turns = 0_u8;
        while standing.winner().is_none() {
            let read = Standing::from_bytes(options, &standing.to_bytes());
            assert_eq!(read, Some(standing.clone()));
            let dice = [turns % 4 + 1, turns / 3 % 4 + 1];
            standing.roll(&dice[..standing.dice_due()]).unwrap();
            let read = Standing::from_bytes(options, &standing.to_bytes());
            assert_eq!(read, Some(standing.clone()));
            match standing.legal(5).last() {
                Some(turn) => standing.play(turn).unwrap(),
                None => standing.pass().unwrap(),
            }
            turns = turns.wrapping_add(1);
        }
        assert!(turns > 20);
        let read = Standing::from_bytes(options, &standing.to_bytes()).unwrap();
        assert_eq!(read.winner(), standing.winner());
        assert_eq!(standing.turn(), None);
    }

    #[test]
    fn an_impossible_roll_or_move_changes_nothing() {
        let mut standing = Standing::start(Options::default());
        let start = standing.clone();
        let one_die = "one die is rolled now";
        let told = |said: Result<(), RulesError>| said.map_err(|error| error.to_string());
        for (dice, due) in [
            (&[][..], one_die),
            (&[5], "their faces are 1 to 4"),
            (&[0], "their faces are 1 to 4"),
            (&[1, 2], one_die),
            (&[1, 1, 1], one_die),
        ] {
            let sentence = format!("these are not the dice that are due: {due}");
            assert_eq!(told(standing.roll(dice)), Err(sentence), "{dice:?}");
        }
        let not_rolled = "The dice are not rolled yet.";
        assert_eq!(told(standing.play("c1-c4")), Err(not_rolled.to_owned()));
        let no_pass = Err("a side only passes when its dice cannot be played".to_owned());
        assert_eq!(told(standing.pass()), no_pass);
        assert_eq!(standing, start);
        standing.roll(&[3]).unwrap();
        let rolled = standing.clone();
        for moves in ["", "c1", "c1-c2", "a1-a4-a7", "zz", "g9-g6"] {
            let sentence = standing.play(moves).unwrap_err().to_string();
            assert!(sentence.ends_with('.'), "{sentence}");
        }
        let not_played = "these are not the dice that are due: those that were rolled last have to be played first";
        assert_eq!(told(standing.roll(&[3])), Err(not_played.to_owned()));
        assert_eq!(told(standing.pass()), no_pass);
        assert_eq!(standing, rolled);
    }
}
