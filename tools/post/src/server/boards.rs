//! Boards: challenges, moves, dice, and how boards are displayed.

use protocol::Side;

use crate::command::Signed;
use crate::dice::{self, Hash};
use crate::names::{BoardNumber, UserName};
use crate::rules::Options;
use crate::server::limits::DAY_S;
use crate::server::{Answered, Mailing, NotDone, Notice, Refusal, RunningCommand, words};
use crate::store::BoardRecord;
use crate::transcript::{
    Contribution, Match, MatchError, Stage, TranscriptLine, chain_line, verify,
};

/// The most boards in play per user, not counting challenges that the user has not
/// accepted.
const MOST_BOARDS: usize = 100;

/// The most challenges per user that neither of the two players has accepted.
const MOST_UNSIGNED: usize = 20;

/// The seconds after which a challenge that is not accepted expires.
const CHALLENGE_S: u64 = 14 * DAY_S;

/// How many boards a list has.
const LISTED: usize = 50;

/// A board, and the lines that the current command appends to it.
struct Writing {
    kept: BoardRecord,
    lines: Vec<String>,
}

impl Writing {
    /// A board without lines, whose dice follow from this secret.
    fn begin(secret: Hash, now_s: u64) -> Writing {
        Writing {
            kept: BoardRecord {
                play: Match::default(),
                secret,
                changed_s: now_s,
            },
            lines: Vec::new(),
        }
    }

    fn write(&mut self, line: &TranscriptLine) -> Result<(), MatchError> {
        self.kept.play.apply(line)?;
        self.lines.push(line.to_string());
        Ok(())
    }

    fn name(&self, side: Side) -> Result<UserName, MatchError> {
        let players = self.kept.play.players.as_ref();
        let players = players.ok_or(MatchError::NotPlaying)?;
        Ok(players[side.index()].clone())
    }

    /// Appends the lines that follow without any action of a player: dice, a pass, the
    /// end.
    fn go_on(&mut self) -> Result<(), MatchError> {
        loop {
            let play = &self.kept.play;
            let line = match play.stage {
                Stage::Dice(side) => {
                    match dice::link(&self.kept.secret, play.links, play.rolls + 1) {
                        Some(link) => TranscriptLine::Roll {
                            side: self.name(side)?,
                            number: play.rolls,
                            link,
                            dice: play.dice_of(&link)?,
                        },
                        None => TranscriptLine::Stopped,
                    }
                }
                Stage::Move(side) if !play.standing()?.has_move() => {
                    TranscriptLine::Pass(self.name(side)?)
                }
                Stage::Decided(side) => {
                    let how = play.standing()?.winner().map_or("", |(_, how)| how);
                    TranscriptLine::Won {
                        side: self.name(side)?,
                        how: how.to_owned(),
                    }
                }
                _ => return Ok(()),
            };
            self.write(&line)?;
        }
    }
}

impl RunningCommand<'_, '_> {
    fn board(&self, number: BoardNumber) -> Result<BoardRecord, NotDone> {
        let board = self.tables.board(number)?;
        Ok(board.ok_or(Refusal::NoBoard(number))?)
    }

    /// A board on which this user plays, ready for new lines.
    fn own_board(&self, number: BoardNumber, user: &UserName) -> Result<(Writing, Side), NotDone> {
        let kept = self.board(number)?;
        let Some(side) = kept.play.side_of(user) else {
            let (user, play) = (user.clone(), Box::new(kept.play));
            return Err(Refusal::NotPlaying { user, play }.into());
        };
        let lines = Vec::new();
        Ok((Writing { kept, lines }, side))
    }

    /// Stores the new lines, and notifies the other player or both.
    fn keep(&mut self, mut writing: Writing, told: &str, by: Option<&UserName>) -> Answered {
        let before = writing.lines.len();
        writing.go_on()?;
        let automatic = words::lines(&writing.kept.play, &writing.lines[before..]);
        let (now_s, kept) = (self.now_s, &mut writing.kept);
        kept.changed_s = now_s;
        self.tables.keep_board(kept, &writing.lines, now_s)?;
        let news = format!("{told}\n{automatic}\n{}", words::standing(&kept.play)?);
        for player in kept.play.players.clone().iter().flatten() {
            if by != Some(player) {
                self.mail(player, &kept.play, &news)?;
            }
        }
        Ok(news)
    }

    /// The boards on which this user plays and which meet the condition, newest first.
    fn boards_where(
        &self,
        user: &UserName,
        fits: impl Fn(&Match, Side) -> bool,
    ) -> Result<Vec<BoardRecord>, NotDone> {
        let mut boards = Vec::new();
        for number in self.tables.boards_of(user, usize::MAX)? {
            let kept = self.board(number)?;
            if kept
                .play
                .side_of(user)
                .is_some_and(|side| fits(&kept.play, side))
            {
                boards.push(kept);
            }
        }
        Ok(boards)
    }

    /// Ends the challenges to this user that were not accepted in time.
    fn end_old_challenges(&mut self, user: &UserName) -> Result<(), NotDone> {
        let before_s = self.now_s.saturating_sub(CHALLENGE_S);
        let boards = self.boards_where(user, |play, _| play.stage == Stage::Challenge)?;
        for kept in boards.into_iter().filter(|kept| kept.changed_s < before_s) {
            let lines = Vec::new();
            let mut writing = Writing { kept, lines };
            writing.write(&TranscriptLine::Expired)?;
            writing.kept.changed_s = self.now_s;
            self.tables
                .keep_board(&writing.kept, &writing.lines, self.now_s)?;
        }
        Ok(())
    }

    /// Checks that this user may begin to play on one more board.
    fn check_player(&self, user: &UserName) -> Result<(), NotDone> {
        let accepted = |play: &Match, side: Side| play.accepted[side.index()];
        if self.boards_where(user, accepted)?.len() < MOST_BOARDS {
            return Ok(());
        }
        let (user, most) = (user.clone(), MOST_BOARDS);
        Err(Refusal::Boards { user, most }.into())
    }

    /// Checks that one more challenge, signed by neither of these users, may name them.
    fn check_challenged(&self, players: &[UserName; 2]) -> Result<(), NotDone> {
        let unsigned = |play: &Match, _| play.accepted == [false; 2];
        for user in players {
            if self.boards_where(user, unsigned)?.len() >= MOST_UNSIGNED {
                return Err(NotDone::from(Refusal::Challenged {
                    most: MOST_UNSIGNED,
                    user: user.clone(),
                    players: players.clone(),
                }));
            }
        }
        Ok(())
    }

    /// The player who makes the challenge, if that is proved.
    fn challenger(
        &mut self,
        players: &[UserName; 2],
        by: Option<&Signed>,
    ) -> Result<Option<UserName>, NotDone> {
        if let Some(by) = by {
            return self.known(by).map(Some);
        }
        let sender = self.origin.address.as_ref();
        let Some(sender) = sender.filter(|_| self.origin.is_checked) else {
            return Ok(None);
        };
        for player in players {
            let user = self.user(player)?;
            let address = user.confirmed_address();
            if address.is_some_and(|address| address.is_same(sender)) {
                self.author = Some(player.clone());
                return Ok(Some(player.clone()));
            }
        }
        Ok(None)
    }

    fn mail(&mut self, user: &UserName, play: &Match, text: &str) -> Result<(), NotDone> {
        let address = self.tables.user(user)?;
        let address = address.and_then(|user| user.confirmed_address().cloned());
        let (Some(to), true) = (address, self.options.address.is_some()) else {
            return Ok(());
        };
        let answered = self.origin.answer_to.as_ref();
        if answered.is_some_and(|answered| answered.is_same(&to)) {
            return Ok(());
        }
        let side = play.side_of(user);
        let has_accepted = side.is_some_and(|side| play.accepted[side.index()]);
        if !has_accepted && self.mailing_to_stranger(user)? == Mailing::TooMany {
            self.untold.push(format!(
                "No mail about this goes to {user}, who has reached today's limit of mails about challenges: `malaka list {user}` shows it."
            ));
            return Ok(());
        }
        self.notices.push(Notice {
            to,
            subject: words::subject(play, user),
            text: text.to_owned(),
            board: Some(play.board),
        });
        Ok(())
    }

    pub(super) fn challenge(
        &mut self,
        options: &Options,
        players: &[UserName; 2],
        by: Option<&Signed>,
        nonce: Option<&Contribution>,
    ) -> Answered {
        for (player, which) in players.iter().zip(["first", "second"]) {
            self.user(player).map_err(|no| match no {
                NotDone::Refused(Refusal::NoUser) => Refusal::NoPlayer(which).into(),
                no => no,
            })?;
        }
        let by = self.challenger(players, by)?;
        for player in players {
            self.end_old_challenges(player)?;
        }
        match &by {
            Some(user) => self.check_player(user)?,
            None => {
                self.check_challenged(players)?;
                self.check_challenge()?;
            }
        }
        let board = self.tables.new_board()?;
        let mut writing = Writing::begin((self.options.secret)()?, self.now_s);
        writing.write(&TranscriptLine::Board(board))?;
        writing.write(&TranscriptLine::Players(players.clone()))?;
        writing.write(&TranscriptLine::Options(*options))?;
        writing.write(&chain_line(&writing.kept.secret))?;
        let mut told = format!(
            "Board {board} is for {} (O) and {} (X).",
            players[0], players[1]
        );
        match &by {
            Some(side) => {
                let contribution = self.origin.contribution(nonce);
                told.push_str(&format!(
                    " {side} made the challenge.{}",
                    words::contributed(&contribution)
                ));
                writing.write(&TranscriptLine::Accept {
                    side: side.clone(),
                    contribution,
                })?;
            }
            None => told.push_str(" Nobody signed the challenge, so both have to accept it."),
        }
        self.keep(writing, &told, by.as_ref())
    }

    pub(super) fn accept(
        &mut self,
        board: BoardNumber,
        by: &Signed,
        nonce: Option<&Contribution>,
        seal: Option<&Hash>,
    ) -> Answered {
        let user = self.known(by)?;
        self.end_old_challenges(&user)?;
        let (mut writing, side) = self.own_board(board, &user)?;
        if writing.kept.play.is_over() {
            return Err(Refusal::Over(Box::new(writing.kept.play)).into());
        }
        if writing.kept.play.stage != Stage::Challenge || writing.kept.play.accepted[side.index()] {
            return Err(Refusal::Accepted { user, board }.into());
        }
        self.check_player(&user)?;
        if let Some(head) = seal {
            writing.write(&TranscriptLine::Seal {
                side: user.clone(),
                head: *head,
            })?;
        }
        let contribution = self.origin.contribution(nonce);
        let told = format!("{user} accepted.{}", words::contributed(&contribution));
        writing.write(&TranscriptLine::Accept {
            side: user.clone(),
            contribution,
        })?;
        self.keep(writing, &told, Some(&user))
    }

    pub(super) fn make_move(
        &mut self,
        board: BoardNumber,
        by: &Signed,
        moves: &str,
        nonce: Option<&Contribution>,
    ) -> Answered {
        let user = self.known(by)?;
        let (mut writing, side) = self.own_board(board, &user)?;
        if writing.kept.play.stage != Stage::Move(side) {
            return Err(Refusal::NotToMove(Box::new(writing.kept.play), side).into());
        }
        let contribution = self.origin.contribution(nonce);
        let told = format!("{user} moved {moves}.{}", words::contributed(&contribution));
        let line = TranscriptLine::Move {
            side: user.clone(),
            moves: moves.to_owned(),
            contribution,
        };
        if let Err(why) = writing.write(&line) {
            let standing = Box::new(writing.kept.play.standing()?);
            return Err(Refusal::Moves { why, standing }.into());
        }
        self.keep(writing, &told, Some(&user))
    }

    pub(super) fn roll(&mut self, board: BoardNumber, by: &Signed, link: &Hash) -> Answered {
        let user = self.known(by)?;
        let (mut writing, side) = self.own_board(board, &user)?;
        if writing.kept.play.stage != Stage::Link(side) {
            return Err(Refusal::NotToRoll(Box::new(writing.kept.play), side).into());
        }
        let line = TranscriptLine::Link {
            side: user.clone(),
            link: *link,
        };
        if writing.write(&line).is_err() {
            let known = writing.kept.play.seals[side.index()].unwrap_or_default();
            return Err(Refusal::Link(known).into());
        }
        self.keep(writing, &format!("{user} gave a link."), Some(&user))
    }

    pub(super) fn resign(&mut self, board: BoardNumber, by: &Signed) -> Answered {
        let user = self.known(by)?;
        let (mut writing, side) = self.own_board(board, &user)?;
        if writing.kept.play.is_over() {
            return Err(Refusal::Over(Box::new(writing.kept.play)).into());
        }
        let (line, told) = if writing.kept.play.has_begun() {
            let winner = writing.kept.play.name(side.other()).to_owned();
            (
                TranscriptLine::Resign(user.clone()),
                format!("{user} resigned: {winner} has won."),
            )
        } else {
            (
                TranscriptLine::Decline(user.clone()),
                format!("{user} declined: nobody has won."),
            )
        };
        writing.write(&line)?;
        self.keep(writing, &told, Some(&user))
    }

    pub(super) fn show(&self, board: BoardNumber) -> Answered {
        Ok(words::standing(&self.board(board)?.play)?)
    }

    /// The lines of a board with their times, and the end mark.
    fn transcript(&self, kept: &BoardRecord) -> Result<String, NotDone> {
        let lines = self.tables.lines(kept.play.board)?;
        Ok(words::transcript(&lines, &kept.play))
    }

    pub(super) fn history(&self, board: BoardNumber) -> Answered {
        self.transcript(&self.board(board)?)
    }

    pub(super) fn verify(&self, board: BoardNumber) -> Answered {
        let kept = self.board(board)?;
        let verified = verify(&self.transcript(&kept)?)?;
        if verified.board != kept.play {
            return Err(Refusal::OtherPosition(board).into());
        }
        Ok(verified.sentence())
    }

    pub(super) fn list(&self, user: Option<&UserName>) -> Answered {
        let boards = match user {
            None => self.tables.boards_in_play(LISTED)?,
            Some(user) => {
                self.user(user)?;
                // The boards on which the user is playing come first, whatever challenges
                // are newer.
                let mut boards = self.boards_where(user, |_, _| true)?;
                boards.sort_by_key(|kept| {
                    let side = kept.play.side_of(user);
                    !side.is_some_and(|side| kept.play.accepted[side.index()])
                });
                boards.truncate(LISTED);
                boards
            }
        };
        if boards.is_empty() {
            return Ok("Nobody plays: `malaka challenge USER1 USER2` begins a game.\n".into());
        }
        Ok(boards.iter().map(words::listed).collect())
    }
}
