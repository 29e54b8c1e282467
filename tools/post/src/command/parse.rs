//! Parses a line of words as a command.

use firmware_core::games::malaka::{DieKind, Size, StartRows, StartShape, Variant};

use crate::command::help::Noun;
use crate::command::{COMMAND_BYTES, CommandError, MailCommand, Signed, Topic};
use crate::dice::hash_of_hex;
use crate::names::{Address, NameError, UserName, board_number};
use crate::password::{HIDDEN, Password};
use crate::rules::Options;
use crate::transcript::{Contribution, MOVES_BYTES};

/// The first words of commands.
const FIRST: [&str; 3] = ["malaka", "user", "help"];

/// True if this line is intended as a command.
#[must_use]
pub fn begins_like_one(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or("");
    FIRST.iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// The first two words of an invalid command, if they are the beginning of a command.
fn first_words(line: &str) -> String {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or("").to_ascii_lowercase();
    let Some(noun) = FIRST.into_iter().find(|noun| *noun == first) else {
        return String::new();
    };
    let second = words.next().map(str::to_ascii_lowercase);
    let mut verbs = Noun::ALL.into_iter().flat_map(Noun::verbs);
    match verbs.find(|(verb, _)| second.as_deref() == Some(*verb)) {
        Some((verb, _)) => format!("{noun} {verb}"),
        None => noun.to_owned(),
    }
}

/// Parses a line.
///
/// # Errors
/// Why it is not a command.
pub fn command_of(line: &str) -> Result<MailCommand, CommandError> {
    if line.len() > COMMAND_BYTES {
        return Err(CommandError::TooLong);
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let (first, rest) = words.split_first().ok_or(CommandError::Empty)?;
    match first.to_ascii_lowercase().as_str() {
        "help" => help(rest),
        "user" => user(rest),
        "malaka" => malaka(rest),
        _ => Err(CommandError::FirstWord),
    }
}

fn help(words: &[&str]) -> Result<MailCommand, CommandError> {
    let topic = words.first().map(|word| word.to_ascii_lowercase());
    match topic.as_deref() {
        None => Ok(MailCommand::Help(Topic::Server)),
        Some("malaka") => Ok(MailCommand::Help(Topic::Malaka)),
        Some("dice") => Ok(MailCommand::Help(Topic::Dice)),
        Some(_) => Err(CommandError::Topic),
    }
}

/// Why these words after the noun are no command: there is no such verb, or it has other
/// arguments.
fn no_command(noun: Noun, word: &str) -> CommandError {
    const NEAR: f64 = 0.75;
    let verbs = || noun.verbs().iter().map(|(verb, _)| *verb);
    if let Some(verb) = verbs().find(|verb| *verb == word) {
        return CommandError::Usage(noun, verb);
    }
    let nearness = |verb: &str| strsim::jaro_winkler(word, verb);
    let meant = verbs()
        .filter(|verb| nearness(verb) >= NEAR)
        .max_by(|one, other| nearness(one).total_cmp(&nearness(other)));
    CommandError::Verb { noun, meant }
}

fn signed(user: &str, password: &str) -> Result<Signed, NameError> {
    Ok(Signed {
        user: user.parse()?,
        password: Password::new(password),
    })
}

fn user(words: &[&str]) -> Result<MailCommand, CommandError> {
    let (verb, rest) = words.split_first().unwrap_or((&"", &[]));
    let verb = verb.to_ascii_lowercase();
    match (verb.as_str(), rest) {
        ("register", [name, password]) => Ok(MailCommand::Register {
            by: signed(name, password)?,
            address: None,
        }),
        ("register", [name, password, address]) => Ok(MailCommand::Register {
            by: signed(name, password)?,
            address: Some(address_of(address)?),
        }),
        ("confirm", [name, code]) => Ok(MailCommand::Confirm {
            user: name.parse()?,
            code: Password::new(code),
        }),
        ("password", [name, old, new]) => Ok(MailCommand::NewPassword {
            by: signed(name, old)?,
            new: Password::new(new),
        }),
        ("address", [name, password, address]) => Ok(MailCommand::NewAddress {
            by: signed(name, password)?,
            address: address_of(address)?,
        }),
        (verb, _) => Err(no_command(Noun::User, verb)),
    }
}

fn address_of(word: &str) -> Result<Address, NameError> {
    let bare = word
        .strip_prefix('<')
        .and_then(|word| word.strip_suffix('>'));
    bare.unwrap_or(word).parse()
}

fn malaka(words: &[&str]) -> Result<MailCommand, CommandError> {
    let (verb, rest) = words.split_first().unwrap_or((&"", &[]));
    let verb = verb.to_ascii_lowercase();
    match (verb.as_str(), rest) {
        ("challenge", rest) => challenge(rest),
        ("accept", [board, user, password, rest @ ..]) if rest.len() <= 2 => {
            let by = signed(user, password).map_err(in_order("accept"))?;
            accept(board, by, rest)
        }
        ("move", [board, user, password, rest @ ..]) if !rest.is_empty() => {
            let by = signed(user, password).map_err(in_order("move"))?;
            moves(board, by, rest)
        }
        ("roll", [board, user, password, link]) => Ok(MailCommand::Roll {
            board: board_number(board).map_err(in_order("roll"))?,
            by: signed(user, password).map_err(in_order("roll"))?,
            link: hash_of_hex(link).ok_or(CommandError::Link)?,
        }),
        ("resign", [board, user, password]) => Ok(MailCommand::Resign {
            board: board_number(board).map_err(in_order("resign"))?,
            by: signed(user, password).map_err(in_order("resign"))?,
        }),
        ("show", [board]) => Ok(MailCommand::Show(board_number(board)?)),
        ("history", [board]) => Ok(MailCommand::History(board_number(board)?)),
        ("verify", [board]) => Ok(MailCommand::Verify(board_number(board)?)),
        ("list", []) => Ok(MailCommand::List(None)),
        ("list", [user]) => Ok(MailCommand::List(Some(user.parse()?))),
        (verb, _) => Err(no_command(Noun::Malaka, verb)),
    }
}

/// If the words after this verb are in the wrong order, the first wrong one is a name or a
/// number.
fn in_order(verb: &'static str) -> impl Fn(NameError) -> CommandError {
    move |why| CommandError::Order { verb, why }
}

const HOW_TO_CHALLENGE: CommandError = CommandError::Usage(Noun::Malaka, "challenge");

/// The words of a challenge: the options, and the others in their order.
struct ChallengeWords<'w> {
    options: Options,
    names: Vec<&'w str>,
}

impl<'w> ChallengeWords<'w> {
    /// Reads the options among these words.
    fn read(words: &[&'w str]) -> Result<ChallengeWords<'w>, CommandError> {
        let Variant {
            mut size,
            mut rows,
            mut start,
            ..
        } = Variant::USUAL;
        let mut die = None;
        let mut names = Vec::new();
        for word in words {
            // After three names comes the password, whatever it begins with.
            if names.len() >= 3 || !word.starts_with('-') {
                names.push(*word);
                continue;
            }
            match word.to_ascii_lowercase().as_str() {
                "-large" => size = Size::Large,
                "-many" => rows = StartRows::Three,
                "-no_stagger" | "-no-stagger" => start = StartShape::Block,
                "-d4" if die != Some(DieKind::Six) => die = Some(DieKind::Four),
                "-d6" if die != Some(DieKind::Four) => die = Some(DieKind::Six),
                "-d4" | "-d6" => return Err(CommandError::Dice),
                _ => return Err(HOW_TO_CHALLENGE),
            }
        }
        let options = Options::new(size, rows, start, die);
        Ok(ChallengeWords { options, names })
    }
}

fn challenge(words: &[&str]) -> Result<MailCommand, CommandError> {
    let ChallengeWords { options, names } = ChallengeWords::read(words)?;
    let [o, x, ref signature @ ..] = names[..] else {
        return Err(HOW_TO_CHALLENGE);
    };
    let (by, nonce) = match *signature {
        [] => (None, None),
        [user, password] => (Some(signed(user, password)?), None),
        [user, password, nonce] => {
            let by = signed(user, password)?;
            let nonce = nonce_of(nonce, &by.password).ok_or(HOW_TO_CHALLENGE)??;
            (Some(by), Some(nonce))
        }
        _ => return Err(HOW_TO_CHALLENGE),
    };
    let players: [UserName; 2] = [o.parse()?, x.parse()?];
    if players[0] == players[1] {
        return Err(CommandError::SamePlayers);
    }
    if by.as_ref().is_some_and(|by| !players.contains(&by.user)) {
        return Err(CommandError::Signer);
    }
    Ok(MailCommand::Challenge {
        options,
        players,
        by,
        nonce,
    })
}

/// Parses a nonce, written as `nonce=WORD`.
fn nonce_of(word: &str, password: &Password) -> Option<Result<Contribution, CommandError>> {
    let (name, nonce) = word.split_once('=')?;
    if !name.eq_ignore_ascii_case("nonce") {
        return None;
    }
    if password.is_in(nonce) {
        return Some(Err(CommandError::PasswordInNonce));
    }
    Some(Contribution::nonce(nonce).map_err(CommandError::from))
}

fn accept(board: &str, by: Signed, words: &[&str]) -> Result<MailCommand, CommandError> {
    let (mut nonce, mut seal) = (None, None);
    for word in words {
        let head = word.split_once('=').filter(|(name, _)| *name == "seal");
        if let Some((_, digits)) = head {
            seal = Some(hash_of_hex(digits).ok_or(CommandError::Seal)?);
        } else {
            let read = nonce_of(word, &by.password);
            nonce = Some(read.ok_or(CommandError::Usage(Noun::Malaka, "accept"))??);
        }
    }
    Ok(MailCommand::Accept {
        board: board_number(board)?,
        by,
        nonce,
        seal,
    })
}

fn moves(board: &str, by: Signed, words: &[&str]) -> Result<MailCommand, CommandError> {
    let board = board_number(board)?;
    let last = words.last().and_then(|word| nonce_of(word, &by.password));
    let nonce = last.transpose()?;
    let words = if nonce.is_some() {
        &words[..words.len() - 1]
    } else {
        words
    };
    let moves = plain_moves(&words.concat());
    if moves.is_empty() {
        return Err(CommandError::Usage(Noun::Malaka, "move"));
    }
    let is_possible = |letter: char| letter.is_ascii_alphanumeric() || ",-*x".contains(letter);
    if moves.len() > MOVES_BYTES || !moves.chars().all(is_possible) {
        return Err(CommandError::Moves);
    }
    if by.password.is_in(&moves) {
        return Err(CommandError::PasswordInMoves);
    }
    Ok(MailCommand::Move {
        board,
        by,
        moves,
        nonce,
    })
}

/// Converts moves to lower case, and restores dashes and crosses that mail programs have
/// replaced by typographic ones.
fn plain_moves(text: &str) -> String {
    let plain = |letter: char| match letter {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{d7}' => 'x',
        letter => letter.to_ascii_lowercase(),
    };
    text.chars().map(plain).collect()
}

/// The part of a refused line that may be displayed.
#[must_use]
pub fn hidden(line: &str) -> String {
    let outline = command_of(line).map(|command| command.outline());
    let outline = outline.unwrap_or_else(|_| first_words(line));
    format!("{outline} {HIDDEN}").trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_of_the_help_page_are_read() {
        for (line, told) in [
            (
                "malaka challenge yourname camb",
                "malaka challenge yourname camb",
            ),
            (
                "malaka challenge -large -many a b",
                "malaka challenge -large -many a b",
            ),
            (
                "malaka challenge a b -d6 -no_stagger",
                "malaka challenge -d6 -no_stagger a b",
            ),
            (
                "malaka move 17 Camb secret1 c3-c6,c6-c8",
                "malaka move 17 camb *** c3-c6,c6-c8",
            ),
            (
                "malaka move 17 camb secret1 C3-C6-C8",
                "malaka move 17 camb *** c3-c6-c8",
            ),
            (
                "MALAKA move #17 camb secret1 c3-c8",
                "malaka move 17 camb *** c3-c8",
            ),
            (
                "malaka move 17 camb secret1 3xc3-c6, c1-c4 nonce=xyzzy",
                "malaka move 17 camb *** 3xc3-c6,c1-c4",
            ),
            (
                "malaka move 17 camb secret1 3\u{d7}c3\u{2013}c6",
                "malaka move 17 camb *** 3xc3-c6",
            ),
            ("malaka show 17", "malaka show 17"),
            ("malaka resign 17 camb secret1", "malaka resign 17 camb ***"),
            ("malaka history 17", "malaka history 17"),
            ("malaka list", "malaka list"),
            ("malaka list camb", "malaka list camb"),
            ("  help   malaka ", "help malaka"),
            (
                "user register camb secret1 <c@example.org>",
                "user register camb ***",
            ),
            (
                "user password camb secret1 secret2",
                "user password camb *** ***",
            ),
        ] {
            let command = command_of(line).unwrap_or_else(|sentence| panic!("{line}: {sentence}"));
            assert_eq!(command.to_string(), told);
            assert!(!format!("{command:?}").contains("secret"), "{command:?}");
        }
    }

    #[test]
    fn the_board_rolls_unless_other_dice_are_requested() {
        for (flags, sides) in [("", 4), ("-large", 6), ("-d6", 6), ("-large -d4", 4)] {
            let line = format!("malaka challenge {flags} a b");
            let Ok(MailCommand::Challenge { options, .. }) = command_of(&line) else {
                panic!("{line}");
            };
            assert_eq!(options.die_sides(), sides, "{line}");
        }
    }

    #[test]
    fn no_error_repeats_a_possible_password() {
        for line in [
            "secret1",
            "malaka",
            "malaka secret1",
            "malaka mvoe 17 camb secret1 c3-c6",
            "malaka move camb secret1 17 c3-c6",
            "malaka move 17 secret1 camb!",
            "malaka move 17 camb c3-c6,secret1! secret1!",
            "malaka move 17 camb secret1 c3-c6 nonce=secret1",
            "malaka move 17 camb secret1 c3-c6,secret1",
            "malaka move 17 camb secret1",
            "malaka accept 17 camb secret1 secret1",
            "malaka accept 17 camb secret1 seal=secret1",
            "malaka roll 17 camb secret1 secret1",
            "malaka resign secret1",
            "malaka resign 17 camb secret1 secret1",
            "malaka challenge -secret1 a b",
            "malaka challenge secret1! b",
            "malaka challenge a b secret1",
            "malaka challenge a a",
            "malaka challenge -d4 -d6 a b",
            "malaka show secret1",
            "malaka list secret1 secret1",
            "user",
            "user secret1",
            "user register camb secret1 secret1",
            "user register",
            "help secret1",
            "",
        ] {
            let sentence = command_of(line).unwrap_err().to_string();
            assert!(!sentence.contains("secret"), "{line}: {sentence}");
            assert!(!sentence.is_empty());
        }
        let long = format!("malaka move 17 camb secret1 {}", "c3-c6,".repeat(400));
        assert!(
            command_of(&long)
                .unwrap_err()
                .to_string()
                .contains("at most")
        );
        let long = format!("malaka move 17 camb secret1 {}", "c3-c6,".repeat(200));
        assert!(command_of(&long).unwrap_err().to_string().contains("1024"));
    }

    #[test]
    fn a_refused_line_is_quoted_without_possible_passwords() {
        for (line, told) in [
            ("malaka move 17 alice c3-c6 secret1", "malaka move 17 ***"),
            ("malaka move 17 secret1 alice c3-c6", "malaka move 17 ***"),
            ("malaka list secret1", "malaka list ***"),
            ("malaka challenge secret1 b", "malaka challenge ***"),
            ("user register secret1 camb", "user register ***"),
            ("malaka secret1", "malaka ***"),
            ("malaka resign 123456 alice 17", "malaka resign ***"),
            ("malaka show 123456", "malaka show ***"),
            ("secret1", "***"),
        ] {
            assert_eq!(hidden(line), told);
        }
    }

    #[test]
    fn words_in_a_wrong_order_are_corrected() {
        for line in [
            "malaka move camb 17 secret1 c3-c6",
            "malaka accept camb 17 secret1 nonce=a",
            "malaka resign camb 17 secret1",
        ] {
            let sentence = command_of(line).unwrap_err().to_string();
            assert!(sentence.contains("BOARD USER PASSWORD"), "{sentence}");
        }
    }

    #[test]
    fn a_mistyped_verb_is_corrected() {
        let sentence = command_of("malaka mvoe 17").unwrap_err().to_string();
        assert!(sentence.starts_with("Is `malaka move`"), "{sentence}");
    }

    #[test]
    fn a_challenge_is_signed_by_one_of_the_two() {
        for (line, told) in [
            (
                "malaka challenge a b a secret1",
                "malaka challenge a b a ***",
            ),
            (
                "malaka challenge -large a b b -secret1 nonce=x",
                "malaka challenge -large a b b ***",
            ),
        ] {
            let command = command_of(line).unwrap_or_else(|sentence| panic!("{line}: {sentence}"));
            assert_eq!(command.to_string(), told);
            assert!(command.signed().is_some());
        }
        for line in [
            "malaka challenge a b c secret1",
            "malaka challenge a b a secret1 secret1",
            "malaka challenge a b a secret1 nonce=secret1",
            "malaka challenge a b a secret1 nonce=x secret1",
        ] {
            let sentence = command_of(line).unwrap_err().to_string();
            assert!(!sentence.contains("secret"), "{line}: {sentence}");
        }
    }
}
