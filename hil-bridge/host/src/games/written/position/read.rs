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

fn remainder<'a>(words: &[&'a str], players: u8) -> Result<Remainder<'a>, String> {
    let usage = TEXT.usage;
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
        let value = words
            .next()
            .ok_or_else(|| format!("`{word}` needs a word behind it: write `{usage}`"))?;
        let number = || {
            let number = value.parse().ok();
            number.ok_or_else(|| format!("`{value}` is not a number of {word}"))
        };
        match word.to_ascii_lowercase().as_str() {
            "turn" => turn = Some(value),
            "hands" => said.hands = Some(value),
            "turns" => said.turns = number()?,
            "moves" => said.moves = Some(number()?),
            "phases" => said.phases = Some(pair("phases", "phase", value, words.next())?),
            "counter" => {
                let counter = value.parse();
                said.counter = Some(counter.map_err(|_| format!("`{value}` is not a counter"))?);
            }
            "score" => said.score = pair("score", "score", value, words.next())?,
            "last" => said.last = Some(value.split_once('>').unwrap_or((value, value)).into()),
            "also" => {
                said.also = bytes_of(value).ok_or_else(|| {
                    format!("`{value}` is not two hexadecimal digits for each byte")
                })?;
            }
            _ => {
                return Err(format!(
                    "`{word}` is not part of a position: write turn, hands, swapped, turns, moves, score, phases, counter, last or also"
                ));
            }
        }
    }
    let turn = turn.ok_or_else(|| format!("a position says who moves: write `{usage}`"))?;
    said.mover = mover(turn, players, said.swapped)?;
    Ok(said)
}

/// The number of the player whose turn a word says.
fn mover(turn: &str, players: u8, swapped: bool) -> Result<u8, String> {
    let side = Side::BOTH
        .into_iter()
        .find(|side| turn.eq_ignore_ascii_case(side.name()));
    match (players, side) {
        (0, None) if turn.eq_ignore_ascii_case("none") => Ok(1),
        (1, Some(Side::Green)) => Ok(1),
        (2, Some(side)) => Ok(1 + u8::from((side == Side::Red) != swapped)),
        _ => {
            let sides = ["none", "green", "green or red"][usize::from(players.min(2))];
            Err(format!(
                "`{turn}` does not move in this game: write turn {sides}"
            ))
        }
    }
}

/// Two numbers behind a word, of player 1 and 2.
fn pair<T: FromStr>(
    word: &str,
    what: &str,
    one: &str,
    other: Option<&str>,
) -> Result<[T; 2], String> {
    let other = other.ok_or_else(|| format!("{word} needs two numbers: of player 1 and 2"))?;
    let number = |text: &str| {
        let number = text.parse();
        number.map_err(|_| format!("`{text}` is not a {what}"))
    };
    Ok([number(one)?, number(other)?])
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
    fn row(&mut self, row: &str, places: &[(u8, u8)], name: &str) -> Result<(), String> {
        let sites = places;
        let mut left = row.chars().peekable();
        for (place, (site, level)) in sites.iter().enumerate() {
            if left.peek().is_none() {
                return Err(format!(
                    "{name} has {} places and not {place}: `{row}`",
                    sites.len()
                ));
            }
            self.place(&mut left, *site, *level).ok_or_else(|| {
                format!(
                    "{name} is wrong at place {}: `{row}`; {}",
                    place + 1,
                    self.possible()
                )
            })?;
        }
        match left.peek() {
            None => Ok(()),
            Some(_) => Err(format!(
                "{name} has {} places and not more: `{row}`",
                sites.len()
            )),
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

pub(super) fn read(words: &[&str], layout: Layout) -> Result<Vec<u8>, String> {
    let known = layout.drawing();
    let game = known
        .as_ref()
        .and_then(game_of)
        .ok_or("this board has no game of its layout's own: insert one, as in `insert hex.lud`")?;
    let cartridge = &game.cartridge;
    let (text, rest) = words.split_first().ok_or_else(|| {
        format!(
            "a position is its rows and who moves: write `{}`",
            TEXT.usage
        )
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
    let too_long = || {
        format!(
            "this position is more than the {POSITION_BYTES} bytes of a message: use save and load"
        )
    };
    let bytes = state.laid::<POSITION_BYTES>(cartridge);
    let bytes = bytes.ok_or_else(too_long)?;
    if said.also.is_empty() {
        return checked(cartridge, bytes.to_vec());
    }
    let bytes = with_entries(cartridge, &bytes, &said.also)?;
    if bytes.len() > POSITION_BYTES {
        return Err(too_long());
    }
    checked(cartridge, bytes)
}

fn read_rows(
    reader: &mut PositionReader<'_>,
    game: &LayoutGame<'_>,
    layout: Layout,
    text: &str,
) -> Result<(), String> {
    let wanted = rows(layout);
    let given: Vec<&str> = text.split('/').collect();
    if given.len() != wanted.len() {
        return Err(format!(
            "a position of this board has {} rows with / between them, and not {}",
            wanted.len(),
            given.len()
        ));
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
        reader.row(given[index], places, &format!("row {number} from the top"))?;
    }
    Ok(())
}

fn read_hands(
    reader: &mut PositionReader<'_>,
    game: &LayoutGame<'_>,
    text: &str,
) -> Result<(), String> {
    let sites = beside(game);
    let hands: Vec<&str> = text.split('/').collect();
    if hands.len() > sites.len() {
        return Err(format!(
            "{} places are beside this board, with / between them, and no more: there are {}",
            sites.len(),
            hands.len()
        ));
    }
    for (number, (hand, site)) in hands.iter().zip(&sites).enumerate() {
        reader.row(hand, &[(*site, 0)], &format!("hand {}", number + 1))?;
    }
    Ok(())
}

/// Whose turn it is and all else that is said in words.
fn set_turn(
    state: &mut State<Wide>,
    said: &Remainder<'_>,
    game: &LayoutGame<'_>,
    layout: Layout,
) -> Result<(), String> {
    let site = |name: &str| match name {
        "*" => Ok(-1),
        name => {
            let point = layout.point(name);
            let point = point.map_err(|error| format!("`{name}`: {error}"))?;
            Ok::<i16, String>(game.site(point).into())
        }
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
fn with_entries(cartridge: &Cartridge<'_>, bytes: &[u8], also: &[u8]) -> Result<Vec<u8>, String> {
    let begin = State::<Wide>::unseen_at(cartridge, bytes).unwrap_or(bytes.len());
    let mut all = entries(&bytes[begin..]).unwrap_or_default();
    all.extend(entries(also).ok_or("what stands after also is cut off")?);
    let entries = all.into_values().collect::<Vec<_>>().concat();
    Ok([&bytes[..begin], &entries].concat())
}

fn checked(cartridge: &Cartridge<'_>, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    match State::<Wide>::of_laid(cartridge, &bytes) {
        Some(_) => Ok(bytes),
        None => Err(format!(
            "{} has no such position: its pieces, hands or numbers cannot be so",
            cartridge.name()
        )),
    }
}
