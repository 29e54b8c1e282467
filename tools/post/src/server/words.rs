//! The texts about boards.

use mail_parser::DateTime;
use protocol::Side;

use crate::dice::{self, hex_of_hash};
use crate::names::UserName;
use crate::rules::Standing;
use crate::store::BoardRecord;
use crate::transcript::{Contribution, EndMark, Match, MatchError, Stage, TranscriptLine};

/// How many legal moves are listed.
const LEGAL_LISTED: usize = 20;

/// The digits of a hash that are displayed for comparison.
const HASH_DIGITS: usize = 16;

/// A time in seconds since 1970, in readable form.
pub fn time(second: u64) -> String {
    let time = DateTime::from_timestamp(i64::try_from(second).unwrap_or(i64::MAX));
    format!(
        "{:04}-{:02}-{:02} {:02}:{:02} UTC",
        time.year, time.month, time.day, time.hour, time.minute
    )
}

/// The lines of a board, each with its time, and the end mark.
pub fn transcript(lines: &[(u64, String)], play: &Match) -> String {
    let line = |(second, line): &(u64, String)| format!("{line} # {}\n", time(*second));
    let mut text: String = lines.iter().map(line).collect();
    text.push_str(&format!("{}\n", EndMark::of(play)));
    text
}

/// A player's name with the letter of the player's pieces.
fn player(play: &Match, side: Side) -> String {
    let letter = match side {
        Side::Green => "O",
        Side::Red => "X",
    };
    format!("{} ({letter})", play.name(side))
}

fn against(play: &Match) -> String {
    format!(
        "{} against {}",
        player(play, Side::Green),
        player(play, Side::Red)
    )
}

/// Names the player who has to act next, and the action.
fn next(play: &Match) -> Result<String, MatchError> {
    let board = play.board;
    Ok(match play.stage {
        Stage::Heading(_) => String::new(),
        Stage::Challenge => {
            let waited: Vec<String> = Side::BOTH
                .into_iter()
                .filter(|side| !play.accepted[side.index()])
                .map(|side| {
                    let name = play.name(side);
                    format!("  malaka accept {board} {name} PASSWORD nonce=ANY_WORD\n")
                })
                .collect();
            format!(
                "It begins once this has been written:\n{}or, by one of you who does not want to play:\n  malaka resign {board} USER PASSWORD\n",
                waited.concat()
            )
        }
        Stage::Link(side) => format!(
            "{} has to give the next link of their own chain:\n  malaka roll {board} {} PASSWORD LINK\n",
            player(play, side),
            play.name(side)
        ),
        Stage::Dice(side) | Stage::Decided(side) => format!("{} is next.\n", player(play, side)),
        Stage::Move(side) => {
            let standing = play.standing()?;
            format!(
                "{} has to move with {}:\n  malaka move {board} {} PASSWORD MOVES nonce=ANY_WORD\n",
                player(play, side),
                standing.dice(),
                play.name(side)
            )
        }
        Stage::Over(_) => format!("{}\n", over(play)),
    })
}

/// Describes the state of a board.
pub fn standing(play: &Match) -> Result<String, MatchError> {
    let heading = format!("Board {}: {}, {}.", play.board, against(play), play.options);
    let diagram = play.standing()?.diagram();
    let hash = &hex_of_hash(&play.written)[..HASH_DIGITS];
    let last = format!(
        "The transcript has {} lines; the hash of all begins with {hash}.",
        play.lines
    );
    Ok(format!("{heading}\n\n{diagram}\n{}\n{last}\n", next(play)?))
}

/// Describes the server's own actions.
pub fn lines(play: &Match, lines: &[String]) -> String {
    let told = lines.iter().filter_map(|line| {
        Some(match line.parse().ok()? {
            TranscriptLine::Roll { side, dice, .. } => {
                format!("{side} rolled {}.\n", dice::words(&dice))
            }
            TranscriptLine::Pass(side) => format!("{side} has no legal move and passes.\n"),
            TranscriptLine::Won { side, how } => format!("{side} has won by {how}. Malaka!\n"),
            TranscriptLine::Expired => {
                "The challenge was not accepted in time: it is over.\n".into()
            }
            TranscriptLine::Stopped => format!(
                "There were {} rolls, and nobody has won: the game ends.\n",
                play.links
            ),
            _ => return None,
        })
    });
    told.collect()
}

/// The text about a missing contribution; empty if there is one.
pub fn contributed(contribution: &Contribution) -> &'static str {
    match contribution {
        Contribution::Nonce(_) => "",
        Contribution::Mail(_) => {
            " No nonce was given, so the Message-ID of the mail goes into the dice."
        }
        Contribution::None => {
            " No nonce was given: only the server's secret and the moves go into the dice."
        }
    }
}

/// The text for the end of a game.
pub fn over(play: &Match) -> String {
    let board = play.board;
    match play.stage {
        Stage::Over(Some(winner)) => format!(
            "Board {board} is over: {} has won. `malaka history {board}` tells how.",
            player(play, winner)
        ),
        _ => format!("Board {board} is over, and nobody has won."),
    }
}

/// Explains why the user cannot move now.
pub fn not_to_move(play: &Match, side: Side) -> String {
    let (board, name) = (play.board, play.name(side));
    match play.stage {
        Stage::Challenge => format!(
            "Board {board} has not begun: both have to write `malaka accept {board} USER PASSWORD` first."
        ),
        Stage::Link(due) if due == side => format!(
            "The dice of {name} have not been rolled: `malaka roll {board} {name} PASSWORD LINK` comes first."
        ),
        Stage::Over(_) => over(play),
        _ => format!(
            "It is not the turn of {name}, but of {}: `malaka show {board}` shows the board.",
            player(play, side.other())
        ),
    }
}

/// Explains why the user cannot give a link now.
pub fn not_to_roll(play: &Match, side: Side) -> String {
    let (board, name) = (play.board, play.name(side));
    match play.stage {
        Stage::Over(_) => over(play),
        Stage::Challenge => not_to_move(play, side),
        _ if play.seals[side.index()].is_none() => {
            format!("{name} has no chain on board {board}: the server rolls the dice.")
        }
        _ => format!("{name} does not have to roll now: `malaka show {board}` shows the board."),
    }
}

/// The legal moves, below an error that does not list them.
pub fn legal(standing: &Standing) -> String {
    let moves = standing.legal(LEGAL_LISTED + 1);
    let more = if moves.len() > LEGAL_LISTED {
        ", among others"
    } else {
        ""
    };
    let listed = &moves[..moves.len().min(LEGAL_LISTED)];
    format!(
        "\nLegal with {} is{more}:\n  {}",
        standing.dice(),
        listed.join("\n  ")
    )
}

/// A board in a list.
pub fn listed(kept: &BoardRecord) -> String {
    let play = &kept.play;
    let stage = match play.stage {
        Stage::Challenge => "not begun".to_owned(),
        Stage::Link(side) => format!("{} to roll", play.name(side)),
        Stage::Move(side) | Stage::Dice(side) | Stage::Decided(side) => {
            format!("{} to move", play.name(side))
        }
        Stage::Heading(_) | Stage::Over(_) => "over".to_owned(),
    };
    format!(
        "{:>6}  {}, {}: {stage}, since {}\n",
        play.board,
        against(play),
        play.options,
        time(kept.changed_s)
    )
}

/// The subject of a mail to this player.
pub fn subject(play: &Match, user: &UserName) -> String {
    let is_own = |side: Side| play.side_of(user) == Some(side);
    let what = match play.stage {
        Stage::Challenge => "a challenge",
        Stage::Move(side) if is_own(side) => "your move",
        Stage::Link(side) if is_own(side) => "your roll",
        Stage::Over(_) => "the end",
        _ => "a move",
    };
    format!("Malaka, board {}: {what}", play.board)
}
