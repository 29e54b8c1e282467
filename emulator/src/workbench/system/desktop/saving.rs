//! The buttons that save a session or the signals that are drawn, and the result.

use std::path::PathBuf;

use bevy::ecs::system::SystemParam;
use bevy::prelude::{MessageWriter, Res, ResMut};
use bevy_egui::egui::{TextStyle, Ui};

use super::save_form::SaveForm;
use crate::source::{Saved, SessionFolder, Shown, WindowCommand};
use crate::workbench::beside::HoverText;
use crate::workbench::parts::DrawnSpan;
use crate::workbench::style;

/// Where the dropped lines of the log can be found.
pub const WHO_HAS_ALL: &str = "; a saved session has all";

/// The form for saving, and what it proposes and reports.
#[derive(SystemParam)]
pub struct Saving<'w> {
    form: ResMut<'w, SaveForm>,
    last: Res<'w, Saved>,
    folder: Res<'w, SessionFolder>,
}

impl Saving<'_> {
    /// The folder of the last saved file, or the default one.
    fn folder(&self) -> PathBuf {
        let folder = match &*self.last {
            Saved::In(path) => path.parent(),
            Saved::Nothing | Saved::Failed(_) => None,
        };
        folder.unwrap_or(&self.folder.0).to_owned()
    }
}

/// Shows the button that opens or closes the form for saving the session.
pub fn save_button(ui: &mut Ui, saving: &mut Saving, shown: &Shown) {
    let save = style::wide("Save …", saving.form.is_open());
    if !ui.add(save).clicked() {
        return;
    }
    if saving.form.is_open() {
        return saving.form.close();
    }
    let folder = saving.folder();
    let settings = &shown.status.settings;
    saving.form.open(&folder, settings, shown.layout);
}

/// Shows the button that shrinks the inputs before the first difference.
pub fn shrink_button(ui: &mut Ui, saving: &Saving, commands: &mut MessageWriter<WindowCommand>) {
    let button = ui.button("Shrink and save");
    let hint = "Does the session again on the board with less and less in it, for a minute at \
                most, and saves the shortest that still differs; the board then restarts";
    if button.hover_text(hint).clicked() {
        commands.write(WindowCommand::Shrink(saving.folder.0.clone()));
    }
}

/// Shows the button that opens or closes the form for saving the signals that are drawn, or
/// a picture or film of the board.
pub fn save_timeline_button(ui: &mut Ui, saving: &mut Saving, drawn: DrawnSpan, shown: &Shown) {
    let hint = "Writes the signals that are drawn into a file: VCD, CSV or JSON Lines; or a \
                picture or film of the board: PNG or GIF";
    if !ui.add(style::small("Save …")).hover_text(hint).clicked() {
        return;
    }
    if saving.form.is_open() {
        return saving.form.close();
    }
    let folder = saving.folder();
    let (settings, layout) = (shown.status.settings, shown.layout);
    let named = (folder.as_path(), &settings, layout);
    saving.form.open_timeline(drawn, named);
}

/// Shows where the last session was saved, or why it was not.
pub fn saved(ui: &mut Ui, saving: &Saving) {
    match &*saving.last {
        Saved::Nothing => {}
        Saved::In(path) => {
            let whole = path.display().to_string();
            let fits = |text: &str| {
                let font = TextStyle::Small.resolve(ui.style());
                let galley =
                    ui.painter()
                        .layout_no_wrap(format!("saved as {text}"), font, style::faint());
                galley.size().x <= ui.available_width()
            };
            let short = shortened(&whole, fits);
            style::line(ui, &format!("saved as {short}"), &whole, style::faint());
        }
        Saved::Failed(sentence) => style::line(
            ui,
            &format!("not saved: {sentence}"),
            sentence,
            style::warning(),
        ),
    }
}

/// The text, shortened in the middle until it fits.
fn shortened(text: &str, fits: impl Fn(&str) -> bool) -> String {
    let characters: Vec<char> = text.chars().collect();
    let without = |left_out: usize| -> String {
        let kept = characters.len() - left_out;
        // Most of the kept letters are from the end, which has the file's name.
        let begin = kept / 3;
        let end = characters.len() - (kept - begin);
        let ellipsis = if left_out == 0 { "" } else { "…" };
        let [begin, end] = [&characters[..begin], &characters[end..]].map(String::from_iter);
        format!("{begin}{ellipsis}{end}")
    };
    let mut shorter = (0..characters.len()).map(without);
    shorter.find(|text| fits(text)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortened_path_keeps_its_beginning_and_file_name() {
        let path = "/home/somebody/projects/boards/touchboard-1.session";
        assert_eq!(shortened(path, |_| true), path);
        let short = shortened(path, |text| text.chars().count() <= 31);
        assert_eq!(short, "/home/some…touchboard-1.session");
    }
}
