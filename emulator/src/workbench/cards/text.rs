//! The card of the text of the current game: for a player its aim and its first rules, for
//! its author whether it is correct, and the result of random games.

use bevy::ecs::system::InMut;
use bevy::prelude::{DetectChangesMut, Res, ResMut};
use bevy_egui::egui::{CollapsingHeader, ComboBox, FontId, Label, RichText, ScrollArea, Ui};
use firmware_core::games::LAYOUTS_OWN;
use touchboard_host::written::{self, TextGame};

use crate::source::Shown;
use crate::source::written::{OpenText, RANDOM_GAMES, Random};
use crate::workbench::beside::HoverText;
use crate::workbench::board_state::CardState;
use crate::workbench::folds::{self, Folds};
use crate::workbench::games::Entry;
use crate::workbench::style;

/// Shows the card, if a text is on the board or has an error.
pub fn show(
    InMut(ui): InMut<Ui>,
    shown: Res<Shown>,
    mut text: ResMut<OpenText>,
    mut folds: ResMut<Folds>,
) {
    let is_played = shown.status.settings.game == LAYOUTS_OWN;
    if !text.is_there() || !is_played && text.wrong.is_none() {
        return;
    }
    let name = text.name();
    if text.wrong.is_some() {
        style::card(ui, &name, |ui| content(ui, &shown, &mut text));
        return;
    }
    let state = CardState::new(style::faint(), chosen(&text));
    let name = written::game_name(LAYOUTS_OWN, shown.layout);
    let fold = folds::card(ui, &name, folds.text, &state, |ui| {
        content(ui, &shown, &mut text)
    });
    let changed = Folds {
        text: fold,
        ..*folds
    };
    folds.set_if_neq(changed);
}

/// The chosen items of a text's options.
fn chosen(text: &OpenText) -> String {
    let headings = text.game.iter().flat_map(|game| &game.options);
    let items = headings.filter_map(|heading| text.item(heading));
    let names: Vec<&str> = items.map(|item| item.name.as_str()).collect();
    names.join(", ")
}

fn content(ui: &mut Ui, shown: &Shown, text: &mut ResMut<OpenText>) {
    match (&text.wrong, &text.game) {
        (Some(sentence), game) => {
            wrong(ui, sentence);
            if game.is_some() {
                style::note(ui, "Meanwhile the board plays what was saved before.");
            }
        }
        (None, Some(game)) => {
            for_a_player(ui, shown);
            if let Some(names) = &game.names {
                ui.label(RichText::new(names).small());
            }
        }
        (None, None) => {}
    }
    options(ui, text);
    for_its_author(ui, text);
}

/// Draws what a player wants to know: the number of players, the aim, and how to move.
fn for_a_player(ui: &mut Ui, shown: &Shown) {
    let entry = Entry::of(LAYOUTS_OWN, shown.layout);
    ui.label(RichText::new(entry.kind).small().color(style::faint()));
    let aim = style::words(ui, &entry.aim);
    ui.add(Label::new(aim).wrap());
    for sentence in entry.play.iter().take(SENTENCES) {
        style::note(ui, sentence);
    }
    style::note(ui, "All rules: F1.");
}

/// The number of sentences about the play before the reference to all rules.
const SENTENCES: usize = 3;

/// Draws what the author of a text wants: the time from saving it to the lights, and random
/// games. With a built-in text it is folded away.
fn for_its_author(ui: &mut Ui, text: &mut ResMut<OpenText>) {
    if let (true, Some(game)) = (text.is_file(), text.game.clone()) {
        ui.label(RichText::new(state(text, &game)).small());
        return random(ui, text);
    }
    let title = RichText::new("Test the rules").small();
    CollapsingHeader::new(title).show(ui, |ui| random(ui, text));
}

/// The state of the correct text of a file.
fn state(text: &OpenText, game: &TextGame) -> String {
    let (file, bytes) = (text.name(), game.compiled.bytes.len());
    match text.took {
        Some(took) => {
            let took_ms = took.as_millis();
            format!("{file}: {bytes} bytes, on the board {took_ms} ms after it was saved.")
        }
        None => format!("Its rules are {file}: save the file, and the board restarts with it."),
    }
}

/// Draws the complete error: the sentence first, then the place, with the letters of the
/// text aligned and a mark below. A line wider than the card is wrapped; its mark is put
/// under its own part.
fn wrong(ui: &mut Ui, told: &str) {
    let mut lines = told.trim_end().lines();
    let sentence = lines.next().unwrap_or_default();
    let sentence = sentence.strip_prefix("error: ").unwrap_or(sentence);
    let label = |text: RichText| Label::new(text.color(style::error())).wrap();
    ui.add(label(RichText::new(sentence)));
    let font = FontId::monospace(WRONG_SIZE);
    let letter = ui.fonts_mut(|fonts| fonts.glyph_width(&font, ' '));
    let most = (ui.available_width() / letter) as usize;
    for line in wrapped(&lines.collect::<Vec<_>>(), most.max(LEAST_LETTERS)) {
        ui.add(label(RichText::new(line).font(font.clone())));
    }
}

/// The size of the letters of an error.
const WRONG_SIZE: f32 = 10.5;
/// The least number of letters in a line.
const LEAST_LETTERS: usize = 16;

/// These lines with at most this many letters in each. Lines that mark parts of
/// the line above are cut at the same places.
fn wrapped(lines: &[&str], most: usize) -> Vec<String> {
    let is_mark = |line: &str| {
        let marks = line.trim_start_matches([' ', '|']);
        !marks.is_empty() && marks.chars().all(|letter| letter == '^')
    };
    let part = |line: &str, number: usize| -> String {
        line.chars().skip(number * most).take(most).collect()
    };
    let mut rows = Vec::new();
    let mut lines = lines.iter().peekable();
    while let Some(line) = lines.next() {
        let mark = lines.next_if(|next| is_mark(next));
        let longest = mark.map_or(0, |mark| mark.chars().count());
        let count = line.chars().count().max(longest).div_ceil(most).max(1);
        for number in 0..count {
            rows.push(part(line, number));
            let marks = mark.map(|mark| part(mark, number));
            rows.extend(marks.filter(|marks| marks.contains('^')));
        }
    }
    rows
}

/// Draws a line for each option of the text, with its items.
fn options(ui: &mut Ui, text: &mut ResMut<OpenText>) {
    let Some(game) = text.game.clone() else {
        return;
    };
    for heading in &game.options {
        let now = text.item(heading);
        ui.label(RichText::new(&heading.name).small());
        ComboBox::from_id_salt(&heading.name)
            .width(ui.available_width())
            .selected_text(now.map_or("", |item| &item.name))
            .show_ui(ui, |ui| {
                for item in &heading.items {
                    let is_now = now.is_some_and(|now| now.name == item.name);
                    let line = ui.selectable_label(is_now, &item.name);
                    if line.hover_text(&item.meaning).clicked() && !is_now {
                        text.choose(heading, item);
                    }
                }
            });
    }
}

fn random(ui: &mut Ui, text: &mut ResMut<OpenText>) {
    match &text.random {
        Random::Playing { .. } => {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.label(format!("{RANDOM_GAMES} random games"));
            });
        }
        Random::Came(report) => letters(ui, report),
        Random::Nothing => {}
    }
    let is_idle = !matches!(text.random, Random::Playing { .. });
    let words = format!("Play {RANDOM_GAMES} random games");
    let asks = style::wide(&words, false);
    if is_idle && text.game.is_some() && ui.add(asks).clicked() {
        text.play_random();
    }
}

/// Draws lines whose letters are aligned.
fn letters(ui: &mut Ui, text: &str) {
    ScrollArea::horizontal().show(ui, |ui| {
        ui.vertical(|ui| {
            let text = RichText::new(text.trim_end()).monospace().size(9.5);
            ui.add(Label::new(text).extend());
            // The scroll bar covers the space below.
            ui.add_space(ui.spacing().scroll.bar_width);
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapped_line_keeps_its_marker_in_place() {
        let lines = ["8 | (play (mov Add (to (sites Empty))))", "  |        ^^^"];
        let rows = wrapped(&lines, 16);
        assert_eq!(
            rows,
            [
                "8 | (play (mov A",
                "  |        ^^^",
                "dd (to (sites Em",
                "pty))))"
            ]
        );
        assert_eq!(wrapped(&lines, 80), lines);
    }

    #[test]
    fn a_marker_across_a_wrap_is_under_both_parts() {
        let rows = wrapped(&["abcdefgh", "  ^^^^"], 4);
        assert_eq!(rows, ["abcd", "  ^^", "efgh", "^^"]);
    }
}
