//! The buttons that save a session or the signals that are drawn, and the result.

use std::path::PathBuf;

use bevy_egui::egui::{TextStyle, Ui};

use super::Desk;
use crate::source::{Saved, WindowCommand};
use crate::workbench::beside::Told;
use crate::workbench::{Bench, style};

/// Where the dropped lines of the log can be found.
pub const WHO_HAS_ALL: &str = "; a saved session has all";

/// Shows the button that opens the form for saving the session.
pub fn save_button(ui: &mut Ui, bench: &mut Bench) {
    let save = style::wide("Save …", bench.desk.save_form.is_open());
    if ui.add(save).clicked() {
        open_or_close_form(bench);
    }
}

/// Shows the button that shrinks the inputs before the first difference.
pub fn shrink_button(ui: &mut Ui, bench: &mut Bench) {
    let button = ui.button("Shrink and save");
    let hint = "Does the session again on the board with less and less in it, for a minute at \
                most, and saves the shortest that still differs; the board then begins anew";
    if button.told(hint).clicked() {
        let folder = bench.desk.session_folder.0.clone();
        bench.commands.write(WindowCommand::Shrink(folder));
    }
}

/// Opens the form for saving the session, or closes it if it is open.
fn open_or_close_form(bench: &mut Bench) {
    if bench.desk.save_form.is_open() {
        return bench.desk.save_form.close();
    }
    let folder = folder(&bench.desk);
    let settings = &bench.shown.status.settings;
    bench
        .desk
        .save_form
        .open(&folder, settings, bench.shown.layout);
}

/// The folder of the last saved file, or the default one.
fn folder(desk: &Desk) -> PathBuf {
    let folder = match &*desk.saved {
        Saved::In(path) => path.parent(),
        Saved::Nothing | Saved::Failed(_) => None,
    };
    folder.unwrap_or(&desk.session_folder.0).to_owned()
}

/// Shows the button that opens the form for saving the signals.
pub fn save_signals_button(ui: &mut Ui, bench: &mut Bench) {
    let names = bench.scope.drawn();
    let save = ui.add_enabled(!names.is_empty(), style::small("Save …"));
    let hint = "Writes the signals that are drawn into a file: VCD, CSV or JSON Lines";
    if !save.told(hint).clicked() {
        return;
    }
    if bench.desk.save_form.is_open() {
        return bench.desk.save_form.close();
    }
    let folder = folder(&bench.desk);
    let (settings, layout) = (bench.shown.status.settings, bench.shown.layout);
    bench
        .desk
        .save_form
        .open_signals(names, (&folder, &settings, layout));
}

/// Shows where the last session was saved, or why it was not.
pub fn saved(ui: &mut Ui, desk: &Desk) {
    match &*desk.saved {
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
