//! The form for saving a session, or the signals that are drawn and the board's picture and
//! film, with a proposed name that the user can change.
//!
//! Invariants: nothing is written before the user asks for it, and an existing file is
//! only replaced by a click on a button that says so.

use std::path::{Path, PathBuf};

use bevy::prelude::{In, MessageWriter, ResMut, Resource};
use bevy_egui::egui::{Align2, Key, RichText, TextEdit, Ui};
use protocol::{Layout, Settings, Tick};
use touchboard_host::signals::WaveFormat;
use touchboard_host::written;

use crate::source::{
    Save, SaveFilm, SaveSignals, free_name, is_film_file, is_picture_file, last_seconds,
};
use crate::workbench::parts::{DrawnSpan, OverBoard};
use crate::workbench::style;

/// The maximum width of the form.
const WIDTH: f32 = 460.0;
/// The distance between the form's content and the edge of the area.
const MARGIN: f32 = 28.0;
/// The extension of session files.
const EXTENSION: &str = "session";
/// The formats of the timeline: the extension, the name, and the purpose of each.
const FORMATS: [(&str, &str, &str); 5] = [
    ("vcd", "VCD", "Value Change Dump: opens in GTKWave"),
    (
        "csv",
        "CSV",
        "A table with a column for each signal: opens in a spreadsheet",
    ),
    (
        "jsonl",
        "JSON Lines",
        "An object for each change: for programs",
    ),
    (
        "gif",
        "GIF",
        "A film of the board between the cursors A and B, or of the last ten seconds",
    ),
    ("png", "PNG", "A picture of the board as it is now"),
];

/// The content of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Content {
    Session,
    /// The signals that are drawn, or what the board shows.
    Timeline(DrawnSpan),
}

/// The span of a picture or film in this file.
fn span_of(drawn: &DrawnSpan, file: &Path) -> [Tick; 2] {
    match drawn.cursors {
        Some(span) if is_film_file(file) => span,
        _ => last_seconds(drawn.now),
    }
}

/// The form; `None` while it is closed.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct SaveForm(Option<Draft>);

/// The contents of the form.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Draft {
    content: Content,
    path: String,
    /// True until the text field has taken the keyboard.
    is_new: bool,
}

impl SaveForm {
    /// Opens the form for the session, with a free name in this folder.
    pub fn open(&mut self, folder: &Path, settings: &Settings, layout: Layout) {
        self.open_for(Content::Session, EXTENSION, (folder, settings, layout));
    }

    /// Opens the form for what the timeline shows.
    pub fn open_timeline(&mut self, drawn: DrawnSpan, named: (&Path, &Settings, Layout)) {
        let [(extension, ..), ..] = FORMATS;
        self.open_for(Content::Timeline(drawn), extension, named);
    }

    fn open_for(
        &mut self,
        content: Content,
        extension: &str,
        (folder, settings, layout): (&Path, &Settings, Layout),
    ) {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let game = name(&written::game_name(settings.game, layout));
        let path = free_name(&folder, &game, extension);
        self.0 = Some(Draft {
            content,
            path: path.display().to_string(),
            is_new: true,
        });
    }

    /// True while the form is open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.0.is_some()
    }

    /// Closes the form without saving.
    pub fn close(&mut self) {
        self.0 = None;
    }
}

/// A game's name as part of a file name: `nine-men-s-morris` for `Nine Men's
/// Morris`.
fn name(game: &str) -> String {
    let words = game.split(|letter: char| !letter.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    match words.is_empty() {
        true => "touchboard".to_owned(),
        false => words.join("-"),
    }
}

/// The file that this text names; `None` if it names none.
fn file(text: &str, extension: &str) -> Option<PathBuf> {
    let path = PathBuf::from(text.trim());
    path.file_name()?;
    match path.extension() {
        Some(_) => Some(path),
        None => Some(path.with_extension(extension)),
    }
}

/// Shows the form, if it is open, in the middle of the board's part of the window.
pub fn show(
    In(OverBoard { context, part }): In<OverBoard>,
    mut open: ResMut<SaveForm>,
    mut save: MessageWriter<Save>,
    mut save_signals: MessageWriter<SaveSignals>,
    mut save_film: MessageWriter<SaveFilm>,
) {
    let Some(draft) = &mut open.0 else {
        return;
    };
    let frame = style::popup_frame(style::card_fill(), 16);
    let area = style::popup_area("save form", Align2::CENTER_CENTER, part.center(), part);
    let shown = area.show(&context, |ui| {
        frame.show(ui, |ui| {
            ui.set_width(WIDTH.min(part.width() - 2.0 * MARGIN));
            form(ui, draft)
        })
    });
    match (shown.inner.inner, &draft.content) {
        (Answer::None, _) => return,
        (Answer::Cancel, _) => {}
        (Answer::Write(file), Content::Session) => {
            save.write(Save::As(file));
        }
        (Answer::Write(file), Content::Timeline(drawn)) if is_picture_file(&file) => {
            let span = Some(span_of(drawn, &file));
            let file = Some(file);
            save_film.write(SaveFilm { file, span });
        }
        (Answer::Write(file), Content::Timeline(drawn)) => {
            let names = drawn.signals.clone();
            save_signals.write(SaveSignals { file, names });
        }
    }
    open.close();
}

/// What the user answered the form with.
enum Answer {
    None,
    Cancel,
    Write(PathBuf),
}

/// Draws the form.
fn form(ui: &mut Ui, draft: &mut Draft) -> Answer {
    let heading = match &draft.content {
        Content::Session => "Save this session".to_owned(),
        Content::Timeline(drawn) => heading_of(drawn, Path::new(draft.path.trim())),
    };
    ui.label(RichText::new(heading).heading().color(style::strong()));
    if draft.content != Content::Session {
        formats(ui, draft);
    }
    let field = TextEdit::singleline(&mut draft.path).desired_width(f32::INFINITY);
    let field = ui.add(field);
    if std::mem::take(&mut draft.is_new) {
        field.request_focus();
    }
    let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let is_left = ui.input(|input| input.key_pressed(Key::Escape));
    let file = file(&draft.path, draft.extension());
    let is_there = file.as_deref().is_some_and(Path::is_file);
    let sentence = match (&file, is_there) {
        (None, _) => "Name a file.",
        (Some(file), _) if !draft.is_format(file) => match draft.has_signals() {
            true => "Its name has to end in .vcd, .csv, .jsonl, .gif or .png.",
            false => "No signal is drawn: choose GIF or PNG.",
        },
        (_, true) => "There is such a file already.",
        _ => " ",
    };
    ui.label(RichText::new(sentence).small().color(style::warning()));
    let mut answer = match is_left {
        true => Answer::Cancel,
        false => Answer::None,
    };
    ui.add_space(style::STEP * 0.5);
    ui.horizontal(|ui| {
        let text = if is_there { "Replace" } else { "Save" };
        let file = file.filter(|file| draft.is_format(file));
        let save = style::add_enabled(ui, file.is_some(), style::wide(text, true));
        // Enter does not replace a file.
        if (save.clicked() || is_entered && !is_there)
            && let Some(file) = file
        {
            answer = Answer::Write(file);
        }
        if ui.add(style::wide("Cancel", false)).clicked() {
            answer = Answer::Cancel;
        }
    });
    answer
}

/// What is saved of the timeline in this file.
fn heading_of(drawn: &DrawnSpan, file: &Path) -> String {
    if is_picture_file(file) {
        let [from, until] = span_of(drawn, file).map(style::seconds);
        return match is_film_file(file) {
            true => format!("Film the board from {from} to {until} s"),
            false => format!("Draw the board at {until} s"),
        };
    }
    match drawn.signals.len() {
        1 => "Save the signal that is drawn".to_owned(),
        count => format!("Save the {count} signals that are drawn"),
    }
}

impl Draft {
    /// The extension for a name that has none.
    fn extension(&self) -> &'static str {
        match self.content {
            Content::Session => EXTENSION,
            Content::Timeline(_) => FORMATS[0].0,
        }
    }

    fn has_signals(&self) -> bool {
        matches!(&self.content, Content::Timeline(drawn) if !drawn.signals.is_empty())
    }

    /// True if the form's content can be written in the format of this file.
    fn is_format(&self, file: &Path) -> bool {
        let is_signals = self.has_signals() && WaveFormat::of_file(file).is_some();
        self.content == Content::Session || is_signals || is_picture_file(file)
    }
}

/// Draws the formats; the one of the current extension is chosen.
fn formats(ui: &mut Ui, draft: &mut Draft) {
    ui.horizontal(|ui| {
        for (extension, name, words) in FORMATS {
            let path = PathBuf::from(draft.path.trim());
            let is_it = path.extension().is_some_and(|own| own == extension);
            let choice = ui.selectable_label(is_it, name).on_hover_text(words);
            if choice.clicked() && path.file_name().is_some() {
                draft.path = path.with_extension(extension).display().to_string();
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_file_is_named_after_its_game() {
        assert_eq!(name("Nine Men's Morris"), "nine-men-s-morris");
        assert_eq!(name("Reversi"), "reversi");
        assert_eq!(name(" – "), "touchboard");
    }

    #[test]
    fn a_file_without_extension_gets_that_of_sessions() {
        let file = |text| file(text, EXTENSION);
        assert_eq!(file("/a/b "), Some(PathBuf::from("/a/b.session")));
        assert_eq!(file("b.txt"), Some(PathBuf::from("b.txt")));
        assert_eq!((file(""), file("/"), file("..")), (None, None, None));
    }
}
