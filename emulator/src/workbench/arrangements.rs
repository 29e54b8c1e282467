//! Named arrangements: which panes are open and where, and which signals are drawn.
//!
//! For example, `debugging the clock` may be a timeline with four signals, and the state
//! next to it. Arrangements are saved, chosen and deleted in the command list, and kept
//! when the program ends.
//!
//! Invariants: no two arrangements have the same name; an arrangement is replaced only
//! after the form has shown that its name is taken.

use bevy::prelude::{In, Res, ResMut, Resource};
use bevy_egui::egui::{Align2, Key, RichText, TextEdit, Ui};
use serde::{Deserialize, Serialize};

use super::dock::{Arrangement, Dock};
use super::parts::OverBoard;
use super::style;
use super::timeline::{TimelineView, TrackList};

/// The maximum width of the form.
const WIDTH: f32 = 360.0;
/// The length limit of a name, in characters.
const LONGEST: usize = 40;

/// A named arrangement of panes and signals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedArrangement {
    /// The name, as the command list shows it.
    pub name: String,
    /// The open panes and their places.
    pub panes: Arrangement,
    /// The signals that the timeline draws.
    pub signals: TrackList,
}

/// All arrangements, in the order in which they were saved.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Arrangements(pub Vec<NamedArrangement>);

impl Arrangements {
    /// True if an arrangement has this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|arrangement| arrangement.name == name)
    }

    /// Saves this arrangement. An earlier one of the same name is replaced in its place.
    pub fn save(&mut self, arrangement: NamedArrangement) {
        match self
            .0
            .iter_mut()
            .find(|other| other.name == arrangement.name)
        {
            Some(other) => *other = arrangement,
            None => self.0.push(arrangement),
        }
    }

    /// Deletes the arrangement of this name, if there is one.
    pub fn delete(&mut self, name: &str) {
        self.0.retain(|arrangement| arrangement.name != name);
    }
}

/// The form that asks for a name; `None` while it is closed.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrangementForm(Option<Draft>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Draft {
    name: String,
}

impl ArrangementForm {
    /// Opens the form.
    pub fn open(&mut self) {
        self.0 = Some(Draft::default());
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

/// Restores the panes and signals of the arrangement of this name.
pub(super) fn choose(
    In(name): In<String>,
    arrangements: Res<Arrangements>,
    mut dock: ResMut<Dock>,
    mut timeline: ResMut<TimelineView>,
) {
    let mut all = arrangements.0.iter();
    if let Some(arrangement) = all.find(|arrangement| arrangement.name == name) {
        *dock = Dock::arranged(&arrangement.panes);
        timeline.choose(arrangement.signals.clone());
    }
}

/// Shows the form, if it is open, in the middle of the board's part of the window.
pub(super) fn show_form(
    In(OverBoard { context, part }): In<OverBoard>,
    mut open: ResMut<ArrangementForm>,
    mut arrangements: ResMut<Arrangements>,
    dock: Res<Dock>,
    timeline: Res<TimelineView>,
) {
    let Some(mut draft) = open.0.take() else {
        return;
    };
    let whole = context.viewport_rect();
    let middle = match part.width() > WIDTH {
        true => part.center(),
        false => whole.center(),
    };
    let frame = style::popup_frame(style::card_fill(), 16);
    let area = style::popup_area("arrangement form", Align2::CENTER_CENTER, middle, whole);
    let shown = area.show(&context, |ui| {
        frame.show(ui, |ui| {
            ui.set_width(WIDTH.min(whole.width() - 60.0));
            form(ui, &mut draft, &arrangements)
        })
    });
    match shown.inner.inner {
        Answer::None => open.0 = Some(draft),
        Answer::Cancel => {}
        Answer::Save(name) => arrangements.save(NamedArrangement {
            name,
            panes: dock.arrangement(),
            signals: timeline.chosen().clone(),
        }),
    }
}

/// What the user answered the form with.
enum Answer {
    None,
    Cancel,
    Save(String),
}

/// Draws the form.
fn form(ui: &mut Ui, draft: &mut Draft, arrangements: &Arrangements) -> Answer {
    let heading = RichText::new("Save this arrangement of panes");
    ui.label(heading.heading().color(style::strong()));
    style::note(
        ui,
        "The panes, where they are, and the signals that are drawn. Ctrl P finds it by its name.",
    );
    let field = TextEdit::singleline(&mut draft.name)
        .char_limit(LONGEST)
        .hint_text("a name: debugging the clock")
        .desired_width(f32::INFINITY);
    let field = ui.add(field);
    let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if !field.has_focus() {
        field.request_focus();
    }
    let name = draft.name.trim().to_owned();
    let is_there = arrangements.has(&name);
    let sentence = match is_there {
        true => "There is such an arrangement already.",
        false => " ",
    };
    ui.label(RichText::new(sentence).small().color(style::warning()));
    let mut answer = match ui.input(|input| input.key_pressed(Key::Escape)) {
        true => Answer::Cancel,
        false => Answer::None,
    };
    ui.horizontal(|ui| {
        let text = if is_there { "Replace" } else { "Save" };
        let save = style::add_enabled(ui, !name.is_empty(), style::wide(text, true));
        // Enter does not replace an arrangement.
        if (save.clicked() || is_entered && !is_there) && !name.is_empty() {
            answer = Answer::Save(name);
        }
        if ui.add(style::wide("Cancel", false)).clicked() {
            answer = Answer::Cancel;
        }
    });
    answer
}
