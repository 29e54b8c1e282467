//! The transcript of a board: the events in lines, and their verification.
//!
//! A line is written before its consequences are known, and every line is hashed
//! together with all lines before it. A roll is computed from that hash and a link of
//! the server's chain, so anybody who has the lines can recompute every roll:
//! [`Match::apply`] does so. The server creates its lines by the same function, so it
//! cannot write a line that a reader would refuse.
//!
//! Invariants: the server has no choice in any line between the head of the chain and
//! a roll. The lines contain no time of day, no number and no order of words that it
//! could vary until it likes the dice.
//!
//! ```text
//! board 17 malaka
//! players alice bob
//! options 9x9 d4 two staggered
//! chain 4096 6f1c...
//! accept alice mail:09ab...
//! accept bob nonce:xyzzy
//! roll alice 0 77d0... 3
//! move alice c1-c4 nonce:plugh
//! end 8 31aa...
//! ```
//!
//! The last line is the end mark of a transcript that is sent to a person: it is not
//! part of the record and is not hashed.
//!
//! This is format 2 of transcripts: it has an end mark and the line `expired`, and a
//! player who gives up after both have accepted has lost. Format 1 can be read too.

mod end;
mod error;
mod line;
mod verify;

use protocol::Side;
use serde::{Deserialize, Serialize};

use crate::dice::{self, CHAIN_LINKS, Hash};
use crate::names::{BoardNumber, UserName};
use crate::rules::{Options, Standing};

pub use end::EndMark;
pub use error::{
    ContributionError, EndMarkError, Expected, LineError, MatchError, VerifyError, WrongLine,
};
pub use line::{Contribution, TranscriptLine};
pub use verify::{Verified, verify};

/// The maximum length of a line; a longer line is not valid.
pub const LINE_BYTES: usize = 2_048;

/// The most bytes of the moves in one turn.
pub const MOVES_BYTES: usize = 1_024;

/// The most bytes of a nonce.
const NONCE_BYTES: usize = 64;

/// The stage that a board has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// The first lines, which describe the game, are being written.
    Heading(u8),
    /// Players still have to accept the challenge.
    Challenge,
    /// This player has to reveal a link before the dice are rolled.
    Link(Side),
    /// The dice of this player have to be rolled.
    Dice(Side),
    /// This player is to move.
    Move(Side),
    /// This side has won, which is still to be recorded.
    Decided(Side),
    /// The game is over; the winner, if there is one.
    Over(Option<Side>),
}

/// The state of a board that results from its lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// The number of the board.
    pub board: BoardNumber,
    /// The players of O and X, once they are known.
    pub players: Option<[UserName; 2]>,
    /// The variant of Malaka that is played.
    pub options: Options,
    /// The stage of the game.
    pub stage: Stage,
    /// Which players have accepted.
    pub accepted: [bool; 2],
    /// Whether O and X have moved yet.
    pub moved: [bool; 2],
    /// The last known link of each player's chain.
    pub seals: [Option<Hash>; 2],
    /// The number of links in the server's chain.
    pub links: u16,
    /// The last known link of the server's chain.
    pub chain: Hash,
    /// The number of rolls so far.
    pub rolls: u16,
    /// The number of lines so far.
    pub lines: u32,
    /// The hash of all lines.
    pub written: Hash,
    /// The position in the game's own form.
    pub position: Vec<u8>,
}

impl Default for Match {
    fn default() -> Match {
        let options = Options::default();
        Match {
            board: 0,
            players: None,
            options,
            stage: Stage::Heading(0),
            accepted: [false; 2],
            moved: [false; 2],
            seals: [None; 2],
            links: 0,
            chain: [0; 32],
            rolls: 0,
            lines: 0,
            written: [0; 32],
            position: Standing::start(options).to_bytes(),
        }
    }
}

impl Match {
    /// The name of a player.
    #[must_use]
    pub fn name(&self, side: Side) -> &str {
        let players = self.players.as_ref();
        players.map_or("nobody", |players| players[side.index()].as_str())
    }

    /// The side that this user plays.
    #[must_use]
    pub fn side_of(&self, user: &UserName) -> Option<Side> {
        let players = self.players.as_ref()?;
        Side::BOTH
            .into_iter()
            .find(|side| players[side.index()] == *user)
    }

    /// The position of the game.
    ///
    /// # Errors
    /// [`MatchError::Damaged`].
    pub fn standing(&self) -> Result<Standing, MatchError> {
        Standing::from_bytes(self.options, &self.position).ok_or(MatchError::Damaged(self.board))
    }

    /// True if nothing more can happen on the board.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over(_))
    }

    /// The dice that result if the server reveals this link.
    ///
    /// # Errors
    /// [`MatchError::Damaged`].
    pub fn dice_of(&self, link: &Hash) -> Result<Vec<u8>, MatchError> {
        let standing = self.standing()?;
        let (count, sides) = (standing.dice_due(), self.options.die_sides());
        Ok(dice::throw(link, &self.written, count, sides))
    }

    /// Appends a line, if it is valid here; otherwise nothing changes.
    ///
    /// # Errors
    /// Why it is not valid. For a move, the sentence is meant for the player.
    pub fn apply(&mut self, line: &TranscriptLine) -> Result<(), MatchError> {
        let text = line.to_string();
        if text.len() > LINE_BYTES {
            return Err(MatchError::TooLong);
        }
        let mut after = self.clone();
        after.follow(line)?;
        let mut bytes = text.into_bytes();
        bytes.push(b'\n');
        after.written = dice::sha256_of_both(&self.written, &bytes);
        after.lines += 1;
        *self = after;
        Ok(())
    }

    /// Like [`Match::apply`], but without updating the hash.
    fn follow(&mut self, line: &TranscriptLine) -> Result<(), MatchError> {
        match (line, self.stage) {
            (_, Stage::Heading(lines)) => self.head(line, lines),
            (TranscriptLine::Accept { side, .. }, Stage::Challenge) => self.accept(side),
            (TranscriptLine::Seal { side, head }, Stage::Challenge) => self.seal(side, head),
            (TranscriptLine::Link { side, link }, Stage::Link(due)) => self.link(due, side, link),
            (
                TranscriptLine::Roll {
                    side,
                    number,
                    link,
                    dice,
                },
                Stage::Dice(due),
            ) => {
                self.check_side(due, side)?;
                self.roll(due, *number, link, dice)
            }
            (TranscriptLine::Move { side, moves, .. }, Stage::Move(due)) => {
                self.moves(due, side, moves)
            }
            (TranscriptLine::Pass(side), Stage::Move(due)) => self.passes(due, side),
            (TranscriptLine::Decline(user), stage) if self.can_be_given_up(stage) => {
                self.give_up(user, false)
            }
            (TranscriptLine::Resign(user), stage) if self.can_be_given_up(stage) => {
                self.give_up(user, true)
            }
            (TranscriptLine::Won { side, how }, Stage::Decided(winner)) => {
                self.won(winner, side, how)
            }
            (TranscriptLine::Expired, Stage::Challenge) => {
                self.stage = Stage::Over(None);
                Ok(())
            }
            (TranscriptLine::Stopped, Stage::Dice(_)) if self.rolls == self.links => {
                self.stage = Stage::Over(None);
                Ok(())
            }
            _ => Err(MatchError::NotHere(self.expected())),
        }
    }

    /// Takes a line of the heading, after this many others.
    fn head(&mut self, line: &TranscriptLine, lines: u8) -> Result<(), MatchError> {
        self.stage = match (line, lines) {
            (TranscriptLine::Board(number), 0) => {
                self.board = *number;
                Stage::Heading(1)
            }
            (TranscriptLine::Players(players), 1) => {
                if players[0] == players[1] {
                    return Err(MatchError::SamePlayers);
                }
                self.players = Some(players.clone());
                Stage::Heading(2)
            }
            (TranscriptLine::Options(options), 2) => {
                self.options = *options;
                self.position = Standing::start(*options).to_bytes();
                Stage::Heading(3)
            }
            (TranscriptLine::Chain { links, head }, 3) => {
                (self.links, self.chain) = (*links, *head);
                Stage::Challenge
            }
            _ => return Err(MatchError::NotHere(self.expected())),
        };
        Ok(())
    }

    fn moves(&mut self, due: Side, user: &UserName, moves: &str) -> Result<(), MatchError> {
        self.check_side(due, user)?;
        let mut standing = self.standing()?;
        standing.play(moves)?;
        self.moved[due.index()] = true;
        self.go_on(&standing)
    }

    fn passes(&mut self, due: Side, user: &UserName) -> Result<(), MatchError> {
        self.check_side(due, user)?;
        let mut standing = self.standing()?;
        standing.pass()?;
        self.go_on(&standing)
    }

    fn won(&mut self, winner: Side, user: &UserName, how: &str) -> Result<(), MatchError> {
        self.check_side(winner, user)?;
        let told = self.standing()?.winner();
        if told.is_none_or(|(_, really)| really != how) {
            return Err(MatchError::OtherWin);
        }
        self.stage = Stage::Over(Some(winner));
        Ok(())
    }

    /// The lines that would be valid here, in words.
    fn expected(&self) -> Expected {
        let stage = self.stage;
        let side = match stage {
            Stage::Heading(_) | Stage::Challenge => None,
            Stage::Link(side) | Stage::Dice(side) | Stage::Move(side) | Stage::Decided(side) => {
                Some(side)
            }
            Stage::Over(winner) => winner,
        };
        let name = side.map_or("", |side| self.name(side)).to_owned();
        Expected { stage, name }
    }

    /// True once both players have accepted: a player who gives up after that has lost.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.accepted == [true; 2]
    }

    fn can_be_given_up(&self, stage: Stage) -> bool {
        !matches!(
            stage,
            Stage::Heading(_) | Stage::Decided(_) | Stage::Over(_)
        )
    }

    fn check_side(&self, side: Side, user: &UserName) -> Result<(), MatchError> {
        if self.side_of(user) == Some(side) {
            return Ok(());
        }
        Err(MatchError::NotTurn(self.name(side).to_owned()))
    }

    fn player(&self, user: &UserName) -> Result<Side, MatchError> {
        self.side_of(user).ok_or(MatchError::NotPlaying)
    }

    fn accept(&mut self, user: &UserName) -> Result<(), MatchError> {
        let side = self.player(user)?;
        if self.accepted[side.index()] {
            return Err(MatchError::Accepted(user.clone()));
        }
        self.accepted[side.index()] = true;
        if self.accepted == [true; 2] {
            self.dice_for(Side::Green);
        }
        Ok(())
    }

    fn seal(&mut self, user: &UserName, head: &Hash) -> Result<(), MatchError> {
        let side = self.player(user)?;
        if self.accepted[side.index()] || self.seals[side.index()].is_some() {
            return Err(MatchError::NoSeal(user.clone()));
        }
        self.seals[side.index()] = Some(*head);
        Ok(())
    }

    fn link(&mut self, due: Side, user: &UserName, link: &Hash) -> Result<(), MatchError> {
        self.check_side(due, user)?;
        let seal = self.seals[due.index()];
        if seal != Some(dice::sha256(link)) {
            return Err(MatchError::Link);
        }
        self.seals[due.index()] = Some(*link);
        self.stage = Stage::Dice(due);
        Ok(())
    }

    fn roll(
        &mut self,
        due: Side,
        number: u16,
        link: &Hash,
        fallen: &[u8],
    ) -> Result<(), MatchError> {
        if number != self.rolls || self.rolls >= self.links {
            return Err(MatchError::RollNumber(self.rolls));
        }
        if dice::sha256(link) != self.chain {
            return Err(MatchError::Chain);
        }
        let expected = self.dice_of(link)?;
        if fallen != expected {
            return Err(MatchError::Dice(expected));
        }
        let mut standing = self.standing()?;
        standing.roll(fallen)?;
        (self.chain, self.rolls) = (*link, self.rolls + 1);
        self.position = standing.to_bytes();
        self.stage = Stage::Move(due);
        Ok(())
    }

    /// Continues after a move: with a winner, or with the dice of the other player.
    fn go_on(&mut self, standing: &Standing) -> Result<(), MatchError> {
        self.position = standing.to_bytes();
        match (standing.winner(), standing.turn()) {
            (Some((winner, _)), _) => self.stage = Stage::Decided(winner),
            (None, Some(side)) => self.dice_for(side),
            (None, None) => return Err(MatchError::NoWinner),
        }
        Ok(())
    }

    fn dice_for(&mut self, side: Side) {
        let sealed = self.seals[side.index()].is_some();
        self.stage = if sealed {
            Stage::Link(side)
        } else {
            Stage::Dice(side)
        };
    }

    fn give_up(&mut self, user: &UserName, resigns: bool) -> Result<(), MatchError> {
        let side = self.player(user)?;
        if resigns && !self.has_begun() {
            return Err(MatchError::EarlyResign);
        }
        // In transcripts of format 1, a player could decline until their own first move;
        // the server no longer writes such lines.
        if !resigns && self.moved[side.index()] {
            return Err(MatchError::LateDecline);
        }
        self.stage = Stage::Over(resigns.then_some(side.other()));
        Ok(())
    }
}

/// The line with the head of a chain of the usual length.
#[must_use]
pub fn chain_line(secret: &Hash) -> TranscriptLine {
    let head = dice::link(secret, CHAIN_LINKS, 0).unwrap_or(*secret);
    TranscriptLine::Chain {
        links: CHAIN_LINKS,
        head,
    }
}
