//! The pane of the console: the user types a line, the board carries it out, and the
//! answer appears above.
//!
//! Tab completes a word. The arrows bring back earlier lines, including those of earlier
//! runs and of `hil-bridge shell`.

use bevy::ecs::system::InMut;
use bevy::prelude::{MessageWriter, Res, ResMut, Resource};
use bevy_egui::egui::text::{CCursor, CCursorRange};
use bevy_egui::egui::text_edit::TextEditState;
use bevy_egui::egui::{
    self, FontFamily, FontId, Id, Key, Modifiers, RichText, ScrollArea, TextEdit, Ui,
};
use touchboard_files::shell_history::{self, History, each_once};
use touchboard_shell::complete::{BoardNames, complete, usage};

use crate::source::{ConsoleLine, ShellConsole, Shown, Speaker};
use crate::workbench::style;

/// The most words that are offered at once.
const OFFERED: usize = 12;
/// The size of the letters.
const LETTERS: f32 = 12.5;

/// The input line of the console, and its history.
#[derive(Resource, Default)]
pub struct ConsoleForm {
    text: String,
    /// The lines that can be recalled, oldest first.
    lines: Vec<String>,
    /// The index of the recalled line; `None` for the user's own text.
    at: Option<usize>,
    /// The user's own text before a line was recalled.
    own: String,
    /// The possible completions, after the user pressed Tab.
    offered: Vec<String>,
    file: Option<History>,
    /// True once the history file was opened, or could not be.
    is_begun: bool,
    /// True if the caret is to move to the end of the text.
    is_moved: bool,
    /// True if the field is to take the keyboard.
    takes_keyboard: bool,
}

impl ConsoleForm {
    /// A form that keeps nothing in a file.
    #[cfg(test)]
    pub fn without_file() -> ConsoleForm {
        ConsoleForm {
            is_begun: true,
            ..ConsoleForm::default()
        }
    }

    /// Gives the field the keyboard once it is drawn.
    pub fn take_keyboard(&mut self) {
        self.takes_keyboard = true;
    }

    /// Reads the history file, once.
    fn begin(&mut self) {
        if std::mem::replace(&mut self.is_begun, true) {
            return;
        }
        // If the file cannot be opened, the history lasts until the program ends.
        let history = shell_history::file().and_then(|file| History::open(&file).ok());
        if let Some(history) = history {
            self.lines = history.lines().unwrap_or_default();
            self.file = Some(history);
        }
    }

    fn write(&mut self, text: String) {
        self.text = text;
        self.is_moved = true;
        self.offered.clear();
    }

    /// Recalls the previous line, or the next one.
    fn recall(&mut self, is_back: bool) {
        let last = self.lines.len();
        let at = self.at.unwrap_or(last);
        let next = match is_back {
            true => at.saturating_sub(1),
            false => (at + 1).min(last),
        };
        if self.at.is_none() {
            self.own.clone_from(&self.text);
        }
        let text = self.lines.get(next).unwrap_or(&self.own).clone();
        self.write(text);
        self.at = (next < last).then_some(next);
    }

    /// Completes the last word as far as it is unique, and offers the possible words.
    fn complete(&mut self, board: &BoardNames) {
        let (start, words) = complete(&self.text, board);
        let Some(first) = words.first() else {
            self.offered.clear();
            return;
        };
        let common = words.iter().skip(1).fold(first.clone(), |common, word| {
            let pairs = common.char_indices().zip(word.chars());
            let mut alike = pairs.take_while(|((_, one), other)| one == other);
            let end = alike
                .by_ref()
                .last()
                .map_or(0, |((place, letter), _)| place + letter.len_utf8());
            common[..end].to_owned()
        });
        let text = format!("{}{common}", &self.text[..start]);
        // A single match is a whole word, so another word may follow.
        let is_only = words.len() == 1 && !text.ends_with([' ', '=']);
        self.write(if is_only { text + " " } else { text });
        self.offered = match words.len() {
            1 => Vec::new(),
            _ => words,
        };
    }

    /// Takes the line that was typed, and adds it to the history.
    fn take(&mut self) -> String {
        let line = std::mem::take(&mut self.text);
        self.offered.clear();
        self.at = None;
        let is_kept = !line.trim().is_empty() && !line.starts_with(' ');
        if is_kept {
            self.lines.push(line.trim_end().to_owned());
            self.lines = each_once(self.lines.iter().map(String::as_str));
            if let Some(file) = &self.file {
                // If the file cannot be written, the line is still in `lines`.
                let _ = file.add(line.trim_end());
            }
        }
        line
    }
}

/// Shows the pane of the console.
pub fn show(
    InMut(ui): InMut<Ui>,
    shown: Res<Shown>,
    console: Res<ShellConsole>,
    mut form: ResMut<ConsoleForm>,
    mut lines: MessageWriter<ConsoleLine>,
) {
    form.begin();
    let font = FontId::new(LETTERS, FontFamily::Monospace);
    egui::Panel::bottom("console line")
        .resizable(false)
        .show_separator_line(false)
        .frame(egui::Frame::new())
        .show(ui, |ui| {
            if let Some(line) = field(ui, &mut form, &shown, &font) {
                lines.write(ConsoleLine(line));
            }
        });
    ScrollArea::vertical()
        .auto_shrink(false)
        .stick_to_bottom(true)
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            if console.lines().len() == 0 {
                style::note(
                    ui,
                    "Commands as in `hil-bridge shell`: tap d7, set game=reversi, run until turn = \
                     red, signal score, help. Tab completes, the arrow up brings lines back.",
                );
            }
            for (speaker, line) in console.lines() {
                let (text, colour) = match speaker {
                    Speaker::Person => (format!("> {line}"), style::strong()),
                    Speaker::Board => (line.clone(), style::text()),
                    Speaker::Trouble => (line.clone(), style::warning()),
                };
                let text = RichText::new(text).font(font.clone()).color(colour);
                ui.add(egui::Label::new(text).wrap().selectable(true));
            }
        });
}

/// Draws the words that complete what is typed, if there are several.
fn offered(ui: &mut Ui, offered: &[String], font: &FontId) {
    if offered.is_empty() {
        return;
    }
    let mut words: Vec<&str> = offered.iter().map(|word| word.trim()).collect();
    let more = words.len().saturating_sub(OFFERED);
    words.truncate(OFFERED);
    let mut text = words.join("  ");
    if more > 0 {
        text += &format!("  and {more} more");
    }
    let text = RichText::new(text).font(font.clone()).color(style::faint());
    ui.add(egui::Label::new(text).wrap());
}

/// Draws the input line. Returns a line that was entered, unless it is blank.
fn field(ui: &mut Ui, form: &mut ConsoleForm, shown: &Shown, font: &FontId) -> Option<String> {
    let board = BoardNames {
        layout: shown.layout,
        roster: shown.roster,
        game: shown.status.settings.game,
    };
    offered(ui, &form.offered, font);
    let id = Id::new("console field");
    let has_focus = ui.memory(|memory| memory.has_focus(id));
    let struck = |key| has_focus && ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let (tab, up, down) = (
        struck(Key::Tab),
        struck(Key::ArrowUp),
        struck(Key::ArrowDown),
    );
    if up || down {
        form.recall(up);
    }
    let hint = usage(&form.text).unwrap_or("a command: tap d7");
    let field = TextEdit::singleline(&mut form.text)
        .id(id)
        .font(font.clone())
        .hint_text(hint)
        .lock_focus(true)
        .desired_width(f32::INFINITY);
    let field = ui.add(field);
    if std::mem::take(&mut form.takes_keyboard) {
        field.request_focus();
    }
    if field.changed() {
        form.at = None;
        form.offered.clear();
    }
    if tab {
        form.complete(&board);
    }
    let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let line = is_entered.then(|| form.take());
    if is_entered {
        field.request_focus();
    }
    if std::mem::take(&mut form.is_moved) {
        let mut state = TextEditState::load(ui.ctx(), id).unwrap_or_default();
        let end = CCursor::new(form.text.chars().count());
        state.cursor.set_char_range(Some(CCursorRange::one(end)));
        state.store(ui.ctx(), id);
    }
    line.filter(|line| !line.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use firmware_core::games;
    use protocol::Layout;

    use super::*;

    fn board() -> BoardNames {
        BoardNames {
            layout: Layout::MALDOO,
            roster: games::ROSTER,
            game: 0,
        }
    }

    fn completed(text: &str) -> (String, usize) {
        let mut form = ConsoleForm::without_file();
        form.text = text.to_owned();
        form.complete(&board());
        (form.text, form.offered.len())
    }

    #[test]
    fn a_word_is_completed_as_far_as_unique() {
        assert_eq!(completed("tap d"), ("tap d".to_owned(), 9));
        assert_eq!(
            completed("run until beep"),
            ("run until beeper ".to_owned(), 0)
        );
        assert_eq!(completed("run"), ("run ".to_owned(), 0));
        assert_eq!(completed("tap moon"), ("tap moon".to_owned(), 0));
    }

    #[test]
    fn recalling_old_lines_keeps_the_unfinished_one() {
        let mut form = ConsoleForm::without_file();
        for line in ["start", "tap d7", "start", " not this one"] {
            form.text = line.to_owned();
            assert_eq!(form.take(), line);
        }
        form.text = "sho".to_owned();
        let mut walk = Vec::new();
        for is_back in [true, true, true, false, false, false] {
            form.recall(is_back);
            walk.push(form.text.clone());
        }
        assert_eq!(walk, ["start", "tap d7", "tap d7", "start", "sho", "sho"]);
    }
}
