//! Writes a position.

use firmware_core::cartridge::bytes::flag;
use firmware_core::cartridge::state::Here;
use firmware_core::cartridge::{Cartridge, LayoutGame, State};
use firmware_core::word::Wide;
use ludemes::shown::{game_of, rows, side_of, signs};
use protocol::{Layout, Point, Side};

use super::read::read;
use super::{beside, place_of, unseen};
use crate::hex::hex_of;

/// Writes the contents of sites.
struct PositionWriter<'a> {
    cartridge: &'a Cartridge<'a>,
    signs: Vec<Option<char>>,
    state: &'a State<Wide>,
}

impl PositionWriter<'_> {
    fn sign(&self, what: u8) -> String {
        let sign = self.signs.get(usize::from(what)).copied().flatten();
        sign.map_or_else(|| format!("<{what}>"), |sign| sign.to_string())
    }

    /// The text of one level of a site, on a board that is seen from its side.
    fn level(&self, site: u8, level: u8) -> String {
        match self.state.level(self.cartridge, site, level) {
            0 => ".".to_owned(),
            what => self.sign(what),
        }
    }

    fn site(&self, site: u8) -> String {
        let here = self.state.here(site);
        let mut text = match here {
            Here { what: 0, .. } => ".".to_owned(),
            Here { count, .. } if self.cartridge.is(flag::STACKS) => {
                let levels = (0..count)
                    .map(|level| self.sign(self.state.level(self.cartridge, site, level)));
                match count {
                    1 => levels.collect(),
                    _ => format!("({})", levels.collect::<String>()),
                }
            }
            Here { what, count: 1, .. } => self.sign(what),
            Here { what, count, .. } => format!("{}{count}", self.sign(what)),
        };
        if here.state > 0 {
            text += &format!(":{}", here.state);
        }
        if here.value > 0 {
            text += &format!("={}", here.value);
        }
        text
    }
}

pub(super) fn write(bytes: &[u8], layout: Layout) -> Option<String> {
    let known = layout.drawing()?;
    let game = game_of(&known)?;
    let cartridge = &game.cartridge;
    let state = State::<Wide>::of_laid(cartridge, bytes)?;
    let swapped = state.swapped;
    let writer = PositionWriter {
        cartridge,
        signs: signs(cartridge, swapped),
        state: &state,
    };
    let row = |points: &Vec<Point>| {
        let places = points.iter().map(|point| place_of(&game, *point));
        let written = places.map(|(site, level)| match game.levels() {
            1 => writer.site(site),
            _ => writer.level(site, level),
        });
        written.collect::<String>()
    };
    let rows: Vec<String> = rows(layout).iter().map(row).collect();
    let turn = match cartridge.players() {
        0 => "none",
        _ => side_of(state.mover, swapped).map_or("none", Side::name),
    };
    let mut words = vec![rows.join("/"), format!("turn {turn}")];
    words.extend(hands_in_words(&game, &writer));
    words.extend(numbers_in_words(cartridge, &state));
    let name = |site: i16| match game.point(site) {
        Some(point) => layout.name(point).to_string(),
        None => "*".to_owned(),
    };
    match [state.last_from, state.last_to].map(name) {
        [from, to] if from == "*" && to == "*" => {}
        [from, to] if from == to => words.push(format!("last {to}")),
        [from, to] => words.push(format!("last {from}>{to}")),
    }
    if let Some(more) = unsaid(cartridge, &words, bytes, layout)? {
        words.push(more);
    }
    Some(words.join(" "))
}

fn hands_in_words(game: &LayoutGame<'_>, writer: &PositionWriter<'_>) -> Option<String> {
    let hands = beside(game).into_iter().map(|site| writer.site(site));
    let mut hands: Vec<String> = hands.collect();
    while hands.pop_if(|hand| hand == ".").is_some() {}
    (!hands.is_empty()).then(|| format!("hands {}", hands.join("/")))
}

/// The numbers of a state that are not what they usually are.
fn numbers_in_words(cartridge: &Cartridge<'_>, state: &State<Wide>) -> Vec<String> {
    let mut words = Vec::new();
    if state.swapped {
        words.push("swapped".to_owned());
    }
    if state.turns != 1 {
        words.push(format!("turns {}", state.turns));
    }
    if state.moves.checked_add(1) != Some(state.turns) {
        words.push(format!("moves {}", state.moves));
    }
    if cartridge.players() == 2 {
        let [one, other] = [1, 2].map(|player| state.score[player]);
        if [one, other] != [0, 0] {
            words.push(format!("score {one} {other}"));
        }
        let first = [1, 2].map(|player| cartridge.first_phase(player));
        let [one, other] = [1, 2].map(|player: usize| state.phase[player]);
        if [one, other] != first {
            words.push(format!("phases {one} {other}"));
        }
    }
    if i64::from(state.counter) != i64::from(state.moves) - 1 {
        words.push(format!("counter {}", state.counter));
    }
    words
}

/// What these words do not express, as bytes.
fn unsaid(
    cartridge: &Cartridge<'_>,
    words: &[String],
    bytes: &[u8],
    layout: Layout,
) -> Option<Option<String>> {
    let said = words.join(" ");
    let said = read(&said.split(' ').collect::<Vec<_>>(), layout).ok()?;
    let known = unseen(cartridge, &said)?;
    let more = unseen(cartridge, bytes)?.into_iter();
    let more = more.filter(|(number, entry)| known.get(number) != Some(entry));
    let more: Vec<u8> = more.flat_map(|(_, entry)| entry).collect();
    Some((!more.is_empty()).then(|| format!("also {}", hex_of(&more))))
}
