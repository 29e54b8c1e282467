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
mod line;

use protocol::Side;
use serde::{Deserialize, Serialize};

use crate::dice::{self, CHAIN_LINKS, Hash};
use crate::names::{BoardNumber, UserName};
use crate::rules::{Options, Standing};

pub use end::EndMark;
pub use line::{Contribution, TranscriptLine};

/// The maximum length of a line; a longer line is not valid.
pub const LINE_BYTES: usize = 2_048;

/// The most bytes of the moves in one turn.
pub const MOVES_BYTES: usize = 1_024;

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
    ///
    /// A sentence, if the stored game is not valid.
    pub fn standing(&self) -> Result<Standing, String> {
        Standing::from_bytes(self.options, &self.position).ok_or_else(|| {
            format!(
                "the position of board {} is damaged: restore a copy of the store",
                self.board
            )
        })
    }

    /// True if nothing more can happen on the board.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over(_))
    }

    /// The dice that result if the server reveals this link.
    ///
    /// # Errors
    /// A sentence, if no dice are due.
    pub fn dice_of(&self, link: &Hash) -> Result<Vec<u8>, String> {
        let standing = self.standing()?;
        let (count, sides) = (standing.dice_due(), self.options.die_sides());
        Ok(dice::throw(link, &self.written, count, sides))
    }

    /// Appends a line, if it is valid here; otherwise nothing changes.
    ///
    /// # Errors
    /// A sentence about why it is not valid. For a move, it is meant for the player.
    pub fn apply(&mut self, line: &TranscriptLine) -> Result<(), String> {
        let text = line.to_string();
        if text.len() > LINE_BYTES {
            return Err(format!("a line has at most {LINE_BYTES} bytes"));
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
    fn follow(&mut self, line: &TranscriptLine) -> Result<(), String> {
        match (line, self.stage) {
            (TranscriptLine::Board(number), Stage::Heading(0)) => self.board = *number,
            (TranscriptLine::Players(players), Stage::Heading(1)) => {
                if players[0] == players[1] {
                    return Err("a game has two different players".into());
                }
                self.players = Some(players.clone());
            }
            (TranscriptLine::Options(options), Stage::Heading(2)) => {
                self.options = *options;
                self.position = Standing::start(*options).to_bytes();
            }
            (TranscriptLine::Chain { links, head }, Stage::Heading(3)) => {
                (self.links, self.chain) = (*links, *head);
                self.stage = Stage::Challenge;
                return Ok(());
            }
            (TranscriptLine::Accept { side, .. }, Stage::Challenge) => return self.accept(side),
            (TranscriptLine::Seal { side, head }, Stage::Challenge) => {
                return self.seal(side, head);
            }
            (TranscriptLine::Link { side, link }, Stage::Link(due)) => {
                return self.link(due, side, link);
            }
            (TranscriptLine::Roll { .. }, Stage::Dice(due)) => return self.roll(due, line),
            (TranscriptLine::Move { side, moves, .. }, Stage::Move(due)) => {
                return self.moves(due, side, moves);
            }
            (TranscriptLine::Pass(side), Stage::Move(due)) => return self.passes(due, side),
            (TranscriptLine::Decline(user) | TranscriptLine::Resign(user), stage)
                if self.can_be_given_up(stage) =>
            {
                return self.give_up(user, matches!(line, TranscriptLine::Resign(_)));
            }
            (TranscriptLine::Won { side, how }, Stage::Decided(winner)) => {
                return self.won(winner, side, how);
            }
            (TranscriptLine::Expired, Stage::Challenge) => {
                self.stage = Stage::Over(None);
                return Ok(());
            }
            (TranscriptLine::Stopped, Stage::Dice(_)) if self.rolls == self.links => {
                self.stage = Stage::Over(None);
                return Ok(());
            }
            _ => return Err(format!("this cannot come here: {}", self.expected())),
        }
        if let Stage::Heading(lines) = self.stage {
            self.stage = Stage::Heading(lines + 1);
        }
        Ok(())
    }

    fn moves(&mut self, due: Side, user: &UserName, moves: &str) -> Result<(), String> {
        self.check_side(due, user)?;
        let mut standing = self.standing()?;
        standing.play(moves)?;
        self.moved[due.index()] = true;
        self.go_on(&standing)
    }

    fn passes(&mut self, due: Side, user: &UserName) -> Result<(), String> {
        self.check_side(due, user)?;
        let mut standing = self.standing()?;
        standing.pass()?;
        self.go_on(&standing)
    }

    fn won(&mut self, winner: Side, user: &UserName, how: &str) -> Result<(), String> {
        self.check_side(winner, user)?;
        let told = self.standing()?.winner();
        if told.is_none_or(|(_, really)| really != how) {
            return Err("the game was won in another way".into());
        }
        self.stage = Stage::Over(Some(winner));
        Ok(())
    }

    /// The lines that would be valid here, in words.
    fn expected(&self) -> String {
        match self.stage {
            Stage::Heading(lines) => format!(
                "the {} line comes first",
                ["board", "players", "options", "chain"][usize::from(lines.min(3))]
            ),
            Stage::Challenge => "both players have to accept first".into(),
            Stage::Link(side) => format!("{} has to give a link first", self.name(side)),
            Stage::Dice(side) => format!("{} has to roll first", self.name(side)),
            Stage::Move(side) => format!("it is {}'s turn to move", self.name(side)),
            Stage::Decided(side) => format!("{} has won", self.name(side)),
            Stage::Over(Some(side)) => format!("the game is over, and {} has won", self.name(side)),
            Stage::Over(None) => "the game is over, and nobody has won".into(),
        }
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

    fn check_side(&self, side: Side, user: &UserName) -> Result<(), String> {
        if self.side_of(user) == Some(side) {
            return Ok(());
        }
        Err(format!("it is {}'s turn", self.name(side)))
    }

    fn player(&self, user: &UserName) -> Result<Side, String> {
        self.side_of(user)
            .ok_or_else(|| "that is nobody who plays on this board".into())
    }

    fn accept(&mut self, user: &UserName) -> Result<(), String> {
        let side = self.player(user)?;
        if self.accepted[side.index()] {
            return Err(format!("{user} has accepted already"));
        }
        self.accepted[side.index()] = true;
        if self.accepted == [true; 2] {
            self.dice_for(Side::Green);
        }
        Ok(())
    }

    fn seal(&mut self, user: &UserName, head: &Hash) -> Result<(), String> {
        let side = self.player(user)?;
        if self.accepted[side.index()] || self.seals[side.index()].is_some() {
            return Err(format!("{user} can seal no more"));
        }
        self.seals[side.index()] = Some(*head);
        Ok(())
    }

    fn link(&mut self, due: Side, user: &UserName, link: &Hash) -> Result<(), String> {
        self.check_side(due, user)?;
        let seal = self.seals[due.index()];
        if seal != Some(dice::sha256(link)) {
            return Err("the SHA-256 of this link is not the link before it".into());
        }
        self.seals[due.index()] = Some(*link);
        self.stage = Stage::Dice(due);
        Ok(())
    }

    fn roll(&mut self, due: Side, line: &TranscriptLine) -> Result<(), String> {
        let TranscriptLine::Roll {
            side,
            number,
            link,
            dice: fallen,
        } = line
        else {
            return Err("that is not a roll".into());
        };
        self.check_side(due, side)?;
        if *number != self.rolls || self.rolls >= self.links {
            return Err(format!("the next roll is number {}", self.rolls));
        }
        if dice::sha256(link) != self.chain {
            return Err("the link is not of the server's chain".into());
        }
        let expected = self.dice_of(link)?;
        if *fallen != expected {
            let expected: Vec<String> = expected.iter().map(u8::to_string).collect();
            return Err(format!(
                "the dice do not follow from what was written: that would be {}",
                expected.join(" and ")
            ));
        }
        let mut standing = self.standing()?;
        standing.roll(fallen)?;
        (self.chain, self.rolls) = (*link, self.rolls + 1);
        self.position = standing.to_bytes();
        self.stage = Stage::Move(due);
        Ok(())
    }

    /// Continues after a move: with a winner, or with the dice of the other player.
    fn go_on(&mut self, standing: &Standing) -> Result<(), String> {
        self.position = standing.to_bytes();
        match (standing.winner(), standing.turn()) {
            (Some((winner, _)), _) => self.stage = Stage::Decided(winner),
            (None, Some(side)) => self.dice_for(side),
            (None, None) => return Err("the game is over, and nobody has won".into()),
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

    fn give_up(&mut self, user: &UserName, resigns: bool) -> Result<(), String> {
        let side = self.player(user)?;
        if resigns && !self.has_begun() {
            return Err("nobody resigns before both have accepted".into());
        }
        // In transcripts of format 1, a player could decline until their own first move;
        // the server no longer writes such lines.
        if !resigns && self.moved[side.index()] {
            return Err("whoever has moved resigns".into());
        }
        self.stage = Stage::Over(resigns.then_some(side.other()));
        Ok(())
    }
}

/// The result of verifying a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The state of the board after the lines.
    pub board: Match,
    /// How many lines there are.
    pub lines: usize,
    /// True if the end mark was present.
    pub has_end: bool,
}

impl Verified {
    /// The result in words.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Match { board, rolls, .. } = self.board;
        let dice = match rolls {
            0 => "no dice have fallen yet".to_owned(),
            1 => "the dice of the only roll follow from them".to_owned(),
            rolls => format!("the dice of all {rolls} rolls follow from them"),
        };
        let (lines, end) = if self.has_end {
            (format!("all {} lines", self.lines), "")
        } else {
            let end = " There is no end mark (`end LINES HASH`): what follows may be missing. Compare the hash with that of `malaka show`.";
            (format!("the first {} lines", self.lines), end)
        };
        format!(
            "Board {board}, {} (O) against {} (X), {}: {lines} are right, and {dice}. \
             The hash of all is {}. How it stands: {}.{end}\n",
            self.board.name(Side::Green),
            self.board.name(Side::Red),
            self.board.options,
            dice::hex_of_hash(&self.board.written),
            self.board.expected()
        )
    }
}

/// The words of a line of a transcript, without the time after `#`.
fn words_of(line: &str) -> &str {
    line.split('#').next().unwrap_or("").trim()
}

/// Reads the lines of a transcript, alone or within a mail, and checks every one. The
/// text before the line that begins with `board `, the text after the end mark, and in
/// every line the text after `#` are ignored. A transcript without an end mark, as in
/// format 1, ends at an empty line or at the end of the text, unless more of its lines
/// follow.
///
/// # Errors
/// A sentence that names the first invalid line.
pub fn verify(text: &str) -> Result<Verified, String> {
    let lines: Vec<&str> = text.lines().map(words_of).collect();
    let begin = lines.iter().position(|line| line.starts_with("board "));
    let Some(begin) = begin else {
        return Err(
            "There is no transcript in this: it begins with a line like `board 17 malaka`.".into(),
        );
    };
    let wrong = |place: usize, reason: String| format!("Line {} is wrong: {reason}.", place + 1);
    let (mut board, mut count, mut has_end) = (Match::default(), 0, false);
    for (place, line) in lines.iter().enumerate().skip(begin) {
        if line.is_empty() {
            if lines[place..].iter().any(|line| is_of_transcript(line)) {
                return Err(wrong(
                    place,
                    "it is empty, or begins with `#`, and the transcript goes on behind it".into(),
                ));
            }
            break;
        }
        if let Some(end) = EndMark::read(line) {
            let end = end.map_err(|reason| wrong(place, reason))?;
            end.check_match(&board)
                .map_err(|reason| wrong(place, reason))?;
            has_end = true;
            break;
        }
        let read: TranscriptLine = line.parse().map_err(|reason| wrong(place, reason))?;
        board.apply(&read).map_err(|reason| wrong(place, reason))?;
        count += 1;
    }
    if matches!(board.stage, Stage::Heading(_) | Stage::Decided(_)) {
        return Err(format!("The transcript is cut off: {}.", board.expected()));
    }
    let lines = count;
    Ok(Verified {
        board,
        lines,
        has_end,
    })
}

/// True for a line that can only belong to a transcript.
fn is_of_transcript(line: &str) -> bool {
    matches!(EndMark::read(line), Some(Ok(_))) || line.parse::<TranscriptLine>().is_ok()
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
