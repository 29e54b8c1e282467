//! placeholder until the rules are there
use std::fmt;
use std::str::FromStr;

use protocol::Side;
use serde::{Deserialize, Serialize};

/// Which Malaka is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// 12x12 instead of 9x9.
    pub large: bool,
    /// Three rows of pieces instead of two.
    pub many: bool,
    /// The sides of a die: 4 or 6.
    pub sides: u8,
    /// Whether the pieces start staggered.
    pub staggered: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            large: false,
            many: false,
            sides: 4,
            staggered: true,
        }
    }
}

impl Options {
    /// The words of a challenge that ask for it, each with a blank before it.
    #[must_use]
    pub fn flags(&self) -> String {
        let usual = if self.large { 6 } else { 4 };
        let flags = [
            (self.large, " -large".to_owned()),
            (self.many, " -many".to_owned()),
            (self.sides != usual, format!(" -d{}", self.sides)),
            (!self.staggered, " -no_stagger".to_owned()),
        ];
        flags
            .into_iter()
            .filter_map(|(is_asked, flag)| is_asked.then_some(flag))
            .collect()
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = if self.large { "12x12" } else { "9x9" };
        write!(f, "{size} d{}", self.sides)?;
        f.write_str(if self.many { " many" } else { "" })?;
        f.write_str(if self.staggered { " staggered" } else { "" })
    }
}

impl FromStr for Options {
    type Err = String;

    fn from_str(text: &str) -> Result<Options, String> {
        let flags = [false, true];
        let all = flags
            .into_iter()
            .flat_map(|large| flags.map(|many| (large, many)));
        let all = all.flat_map(|first| flags.map(|staggered| (first, staggered)));
        let mut all = all.flat_map(|((large, many), staggered)| {
            [4, 6].map(|sides| Options {
                large,
                many,
                sides,
                staggered,
            })
        });
        all.find(|options| options.to_string() == text)
            .ok_or_else(|| "options are like `9x9 d4 staggered`".into())
    }
}

/// toy
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    turn: Side,
    first: bool,
    dice: Vec<u8>,
    way: [u16; 2],
}

impl Standing {
    /// The start.
    pub fn start(_options: &Options) -> Standing {
        Standing {
            turn: Side::Green,
            first: true,
            dice: vec![],
            way: [0; 2],
        }
    }
    /// From bytes
    pub fn from_bytes(_options: &Options, bytes: &[u8]) -> Option<Standing> {
        let (turn, first, dice, way) = postcard::from_bytes(bytes).ok()?;
        Some(Standing {
            turn,
            first,
            dice,
            way,
        })
    }
    /// to bytes
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut buffer = [0; 64];
        postcard::to_slice(&(self.turn, self.first, &self.dice, self.way), &mut buffer)
            .unwrap()
            .to_vec()
    }
    /// whose turn
    pub fn turn(&self) -> Option<Side> {
        self.winner().is_none().then_some(self.turn)
    }
    /// How many dice are to be rolled before the next move; 0 if they are.
    pub fn dice_due(&self) -> usize {
        if !self.dice.is_empty() {
            0
        } else if self.first {
            1
        } else {
            2
        }
    }
    /// The dice of this turn.
    pub fn dice(&self) -> &[u8] {
        &self.dice
    }
    /// rolled
    pub fn roll(&mut self, dice: &[u8]) -> Result<(), String> {
        self.dice = dice.to_vec();
        Ok(())
    }
    /// any?
    pub fn has_move(&self) -> bool {
        self.dice != [1, 1]
    }
    /// pass
    pub fn pass(&mut self) {
        self.dice.clear();
        self.first = false;
        self.turn = self.turn.other();
    }
    /// a move
    pub fn play(&mut self, moves: &str) -> Result<(), String> {
        let sum: u16 = self.dice.iter().map(|die| u16::from(*die)).sum();
        if moves != format!("a1-b{sum}") {
            return Err(format!("`{moves}` is not legal. Legal is: a1-b{sum}."));
        }
        self.way[self.turn.index()] += sum;
        self.pass();
        Ok(())
    }
    /// winner and how
    pub fn winner(&self) -> Option<(Side, &'static str)> {
        Side::BOTH
            .into_iter()
            .find(|side| self.way[side.index()] > 60)
            .map(|side| (side, "connection"))
    }
    /// Some moves
    pub fn legal(&self, _most: usize) -> Vec<String> {
        let sum: u16 = self.dice.iter().map(|die| u16::from(*die)).sum();
        vec![format!("a1-b{sum}")]
    }
    /// picture
    pub fn diagram(&self) -> String {
        format!("O {} X {}\n", self.way[0], self.way[1])
    }
}
