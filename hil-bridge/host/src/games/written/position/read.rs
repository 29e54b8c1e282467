//! Reads a position.

use std::iter::Peekable;
use std::str::{Chars, FromStr};

use firmware_core::cartridge::bytes::flag;
use firmware_core::cartridge::state::Here;
use firmware_core::cartridge::{Cartridge, LayoutGame, State};
use firmware_core::word::Wide;
use ludemes::shown::{game_of, rows, signs};
use protocol::{Layout, POSITION_BYTES, Point, Side};

use super::{TEXT, beside, entries, place_of};
use crate::hex::bytes_of;
use crate::position_error::{PositionAdvice, PositionNumber, PositionRow, PositionTextError};

/// A whole position, for the message about an error.
const USAGE: PositionAdvice = PositionAdvice::Example(TEXT.usage);

/// The words after the rows of a position.
struct Remainder<'a> {
    mover: u8,
    swapped: bool,
    hands: Option<&'a str>,
    turns: u32,
    moves: Option<u32>,
    score: [i32; 2],
    phases: Option<[u8; 2]>,
    counter: Option<i16>,
    last: Option<[&'a str; 2]>,
    also: Vec<u8>,
}

fn remainder<'a>(words: &[&'a str], players: u8) -> Result<Remainder<'a>, PositionTextError> {
    let mut said = Remainder {
        mover: 1,
        swapped: false,
        hands: None,
        turns: 1,
        moves: None,
        score: [0; 2],
        phases: None,
        counter: None,
        last: None,
        also: Vec::new(),
    };
    let mut turn = None;
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        if word.eq_ignore_ascii_case("swapped") {
            said.swapped = true;
            continue;
        }
        let value = words.next().ok_or_else(|| PositionTextError::NoValue {
            word: word.to_owned(),
            advice: USAGE,
        })?;
        let count = || number_in(value, PositionNumber::Of(word.to_owned()));
        match word.to_ascii_lowercase().as_str() {
            "turn" => turn = Some(value),
            "hands" => said.hands = Some(value),
            "turns" => said.turns = count()?,
            "moves" => said.moves = Some(count()?),
            "phases" => {
                let phases = pair("phases", PositionNumber::Phase, value, words.next())?;
                said.phases = Some(phases);
            }
            "counter" => said.counter = Some(number_in(value, PositionNumber::Counter)?),
            "score" => said.score = pair("score", PositionNumber::Score, value, words.next())?,
            "last" => said.last = Some(value.split_once('>').unwrap_or((value, value)).into()),
            "also" => {
                let also = bytes_of(value);
                said.also = also.ok_or_else(|| PositionTextError::NotPairs(value.to_owned()))?;
            }
            _ => {
                return Err(PositionTextError::NotAPart {
                    word: word.to_owned(),
                    what: "part of a position",
                    advice: PositionAdvice::Words(
                        "write turn, hands, swapped, turns, moves, score, phases, counter, last or also",
                    ),
                });
            }
        }
    }
    let turn = turn.ok_or(PositionTextError::Missing {
        what: "a position says who moves",
        advice: USAGE,
    })?;
    said.mover = mover(turn, players, said.swapped)?;
    Ok(said)
}

/// The number of the player whose turn a word says.
fn mover(turn: &str, players: u8, swapped: bool) -> Result<u8, PositionTextError> {
    let side = Side::BOTH
        .into_iter()
        .find(|side| turn.eq_ignore_ascii_case(side.name()));
    match (players, side) {
        (0, None) if turn.eq_ignore_ascii_case("none") => Ok(1),
        (1, Some(Side::Green)) => Ok(1),
        (2, Some(side)) => Ok(1 + u8::from((side == Side::Red) != swapped)),
        _ => Err(PositionTextError::NotAPlayer {
            word: turn.to_owned(),
            choices: ["none", "green", "green or red"][usize::from(players.min(2))],
        }),
    }
}

fn number_in<T: FromStr>(word: &str, what: PositionNumber) -> Result<T, PositionTextError> {
    let number = word.parse();
    number.map_err(|_| PositionTextError::NotANumber {
        word: word.to_owned(),
        what,
    })
}

/// Two numbers behind a word, of player 1 and 2.
fn pair<T: FromStr>(
    word: &'static str,
    what: PositionNumber,
    one: &str,
    other: Option<&str>,
) -> Result<[T; 2], PositionTextError> {
    let other = other.ok_or(PositionTextError::NoSecondNumber(word))?;
    Ok([number_in(one, what.clone())?, number_in(other, what)?])
}

/// Reads the contents of sites.
struct PositionReader<'a> {
    cartridge: &'a Cartridge<'a>,
    /// True for a board that is seen from its side.
    is_upright: bool,
    signs: Vec<Option<char>>,
    state: State<Wide>,
}

impl PositionReader<'_> {
    /// Reads the contents of these places from a row.
    fn row(
        &mut self,
        row: &str,
        sites: &[(u8, u8)],
        part: PositionRow,
    ) -> Result<(), PositionTextError> {
        let places = sites.len();
        let mut left = row.chars().peekable();
        for (given, (site, level)) in sites.iter().enumerate() {
            if left.peek().is_none() {
                return Err(PositionTextError::TooFewPlaces {
                    part,
                    row: row.to_owned(),
                    given,
                    places,
                });
            }
            let placed = self.place(&mut left, *site, *level);
            placed.ok_or_else(|| PositionTextError::WrongPlace {
                part,
                row: row.to_owned(),
                place: given + 1,
                possible: self.possible(),
            })?;
        }
        match left.peek() {
            None => Ok(()),
            Some(_) => Err(PositionTextError::TooManyPlaces {
                part,
                row: row.to_owned(),
                places,
            }),
        }
    }

    /// The pieces that may be written, for an error message.
    fn possible(&self) -> String {
        let kinds = self.signs.iter().enumerate().skip(1);
        let kinds = kinds.map(|(what, sign)| {
            let name = self.cartridge.name_of_piece(what as u8);
            match sign {
                Some(sign) => format!("{sign} ({name})"),
                None => format!("<{what}> ({name})"),
            }
        });
        let kinds: Vec<String> = kinds.collect();
        format!("write . or {}", kinds.join(", "))
    }

    /// Reads the contents of a site, or of one level where each level is a place of its
    /// own.
    fn place(&mut self, left: &mut Peekable<Chars<'_>>, site: u8, level: u8) -> Option<()> {
        if !self.is_upright {
            return self.site(left, site);
        }
        if left.next_if_eq(&'.').is_some() {
            return Some(());
        }
        (self.state.height(site) == level).then(|| self.push(left, site))?
    }

    fn site(&mut self, left: &mut Peekable<Chars<'_>>, site: u8) -> Option<()> {
        let cartridge = self.cartridge;
        match left.peek()? {
            '.' => {
                left.next();
            }
            '(' if cartridge.is(flag::STACKS) => {
                left.next();
                while *left.peek()? != ')' {
                    self.push(left, site)?;
                }
                left.next();
            }
            _ if cartridge.is(flag::STACKS) => self.push(left, site)?,
            _ => {
                let what = self.what(left)?;
                let count = number(left).unwrap_or(1);
                (count > 0).then_some(())?;
                self.change(site, |here| (here.what, here.count) = (what, count));
            }
        }
        if left.next_if_eq(&':').is_some() {
            let state = number(left)?;
            self.change(site, |here| here.state = state);
        }
        if left.next_if_eq(&'=').is_some() {
            let value = number(left)?;
            self.change(site, |here| here.value = value);
        }
        Some(())
    }

    fn change(&mut self, site: u8, what: impl FnOnce(&mut Here)) {
        let mut here = self.state.here(site);
        what(&mut here);
        self.state.set(self.cartridge, site, here);
    }

    fn push(&mut self, left: &mut Peekable<Chars<'_>>, site: u8) -> Option<()> {
        let what = self.what(left)?;
        let is_room = usize::from(self.state.height(site)) < self.cartridge.stack();
        is_room.then(|| self.state.push(self.cartridge, site, what))
    }

    fn what(&self, left: &mut Peekable<Chars<'_>>) -> Option<u8> {
        let sign = left.next()?;
        let what = if sign == '<' {
            let what = number(left)?;
            left.next_if_eq(&'>')?;
            usize::from(what)
        } else {
            self.signs.iter().position(|known| *known == Some(sign))?
        };
        let is_one = (1..self.cartridge.pieces()).contains(&what);
        is_one.then(|| u8::try_from(what).ok()).flatten()
    }
}

fn number(left: &mut Peekable<Chars<'_>>) -> Option<u8> {
    let mut digits = String::new();
    while let Some(digit) = left.next_if(char::is_ascii_digit) {
        digits.push(digit);
    }
    digits.parse().ok()
}

pub(super) fn read(words: &[&str], layout: Layout) -> Result<Vec<u8>, PositionTextError> {
    let known = layout.drawing();
    let game = known.as_ref().and_then(game_of);
    let game = game.ok_or(PositionTextError::NoGame)?;
    let cartridge = &game.cartridge;
    let (text, rest) = words.split_first().ok_or(PositionTextError::Missing {
        what: "a position is its rows and who moves",
        advice: USAGE,
    })?;
    let said = remainder(rest, cartridge.players())?;
    let mut reader = PositionReader {
        cartridge,
        is_upright: game.levels() > 1,
        signs: signs(cartridge, said.swapped),
        state: State::new(cartridge),
    };
    read_rows(&mut reader, &game, layout, text)?;
    if let Some(text) = said.hands {
        read_hands(&mut reader, &game, text)?;
    }
    let mut state = reader.state;
    set_turn(&mut state, &said, &game, layout)?;
    let bytes = state.laid::<POSITION_BYTES>(cartridge);
    let bytes = bytes.ok_or(PositionTextError::TooLong)?;
    if said.also.is_empty() {
        return checked(cartridge, bytes.to_vec());
    }
    let bytes = with_entries(cartridge, &bytes, &said.also)?;
    if bytes.len() > POSITION_BYTES {
        return Err(PositionTextError::TooLong);
    }
    checked(cartridge, bytes)
}

fn read_rows(
    reader: &mut PositionReader<'_>,
    game: &LayoutGame<'_>,
    layout: Layout,
    text: &str,
) -> Result<(), PositionTextError> {
    let wanted = rows(layout);
    let given: Vec<&str> = text.split('/').collect();
    if given.len() != wanted.len() {
        return Err(PositionTextError::RowsOfBoard {
            given: given.len(),
            wanted: wanted.len(),
        });
    }
    let places = |points: &[Point]| points.iter().map(|point| place_of(game, *point)).collect();
    let rows: Vec<(usize, Vec<(u8, u8)>)> = (1..)
        .zip(wanted.iter().map(|points| places(points)))
        .collect();
    // The pieces of a column are stacked from the lowest level up.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    if game.levels() > 1 {
        order.reverse();
    }
    for index in order {
        let (number, places) = &rows[index];
        reader.row(given[index], places, PositionRow::Row(*number))?;
    }
    Ok(())
}

fn read_hands(
    reader: &mut PositionReader<'_>,
    game: &LayoutGame<'_>,
    text: &str,
) -> Result<(), PositionTextError> {
    let sites = beside(game);
    let hands: Vec<&str> = text.split('/').collect();
    if hands.len() > sites.len() {
        return Err(PositionTextError::Hands {
            hands: hands.len(),
            places: sites.len(),
        });
    }
    for (number, (hand, site)) in (1..).zip(hands.iter().zip(&sites)) {
        reader.row(hand, &[(*site, 0)], PositionRow::Hand(number))?;
    }
    Ok(())
}

/// Whose turn it is and all else that is said in words.
fn set_turn(
    state: &mut State<Wide>,
    said: &Remainder<'_>,
    game: &LayoutGame<'_>,
    layout: Layout,
) -> Result<(), PositionTextError> {
    let site = |name: &str| match name {
        "*" => Ok(-1),
        name => match layout.point(name) {
            Ok(point) => Ok(game.site(point).into()),
            Err(error) => Err(PositionTextError::Point {
                name: name.to_owned(),
                error,
            }),
        },
    };
    state.mover = said.mover;
    state.swapped = said.swapped;
    state.turns = said.turns;
    state.moves = said.moves.unwrap_or(said.turns.saturating_sub(1));
    if let Some([from, to]) = said.last {
        (state.last_from, state.last_to) = (site(from)?, site(to)?);
    }
    state.score[1..3].copy_from_slice(&said.score);
    if let Some(phases) = said.phases {
        state.phase[1..3].copy_from_slice(&phases);
    }
    state.follow(&game.cartridge);
    state.counter = said.counter.unwrap_or(state.counter);
    Ok(())
}

/// The bytes of a state with more entries of what words do not say.
fn with_entries(
    cartridge: &Cartridge<'_>,
    bytes: &[u8],
    also: &[u8],
) -> Result<Vec<u8>, PositionTextError> {
    let begin = State::<Wide>::unseen_at(cartridge, bytes).unwrap_or(bytes.len());
    let mut all = entries(&bytes[begin..]).unwrap_or_default();
    all.extend(entries(also).ok_or(PositionTextError::CutOff)?);
    let entries = all.into_values().collect::<Vec<_>>().concat();
    Ok([&bytes[..begin], &entries].concat())
}

fn checked(cartridge: &Cartridge<'_>, bytes: Vec<u8>) -> Result<Vec<u8>, PositionTextError> {
    match State::<Wide>::of_laid(cartridge, &bytes) {
        Some(_) => Ok(bytes),
        None => Err(PositionTextError::Impossible(cartridge.name().to_owned())),
    }
}
