//! The state of a list with a search field: its text, the selected entry, and the keys that
//! move the selection. The lists of games, of commands and of signals are such lists.
//!
//! Invariants: the field has the keyboard as long as the list is open; the selected entry
//! exists, and is scrolled into view when a key selects it.

use std::ops::Range;

use bevy_egui::egui::text::{CCursor, CCursorRange, LayoutJob, TextFormat};
use bevy_egui::egui::text_edit::TextEditState;
use bevy_egui::egui::{
    Align, Color32, FontId, Frame, Key, Margin, Modifiers, Response, Stroke, TextEdit, TextStyle,
    Ui, WidgetText,
};

use super::style;

/// Opacity of the accent colour behind letters that match.
const MATCH_FILL: f32 = 0.30;

/// The state of an open list.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchList {
    /// The text of the search field.
    pub search: String,
    /// The index of the selected entry, which Enter chooses.
    pub at: usize,
    /// True until the field has taken the keyboard.
    is_new: bool,
    /// The caret is to go to the end of the text.
    is_written: bool,
    /// How often the arrows down and up were pressed in this picture.
    steps: [usize; 2],
    /// True if the selected entry has to be scrolled into view.
    is_to_be_seen: bool,
}

/// How an entry of a list is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryState {
    /// Enter would choose it.
    pub is_selected: bool,
    /// The pointer is over it.
    pub is_hovered: bool,
}

/// Whether the left and right arrow keys move the selection, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrows {
    /// Only up and down do.
    Lines,
    /// All four do, as long as the field is empty; otherwise left and right move the caret.
    Grid,
}

/// The frame around the field. It always has the keys, so its edge does not change.
fn field_frame() -> Frame {
    Frame::new()
        .fill(style::search_fill())
        .stroke(Stroke::new(1.0, style::edge()))
        .corner_radius(6)
        .inner_margin(Margin::symmetric(10, 6))
}

impl Default for SearchList {
    fn default() -> SearchList {
        SearchList {
            search: String::new(),
            at: 0,
            is_new: true,
            is_written: false,
            steps: [0; 2],
            is_to_be_seen: false,
        }
    }
}

impl SearchList {
    /// A list with this text in its field.
    #[must_use]
    pub fn searched(search: String) -> SearchList {
        SearchList {
            search,
            is_new: false,
            ..SearchList::default()
        }
    }

    /// True until the list is drawn for the first time.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Replaces the text, and puts the caret at its end.
    pub fn write(&mut self, text: String) {
        self.search = text;
        self.at = 0;
        self.is_written = true;
    }

    /// Shows the field. Returns true if its text changed, and so the results.
    pub fn field(&mut self, ui: &mut Ui, hint: &str) -> bool {
        let id = ui.id().with("search");
        // Before it is drawn, so that it gets the keys of the picture in which it opens.
        if std::mem::take(&mut self.is_new) {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        // They choose an entry, and leave the caret where it is.
        let arrows = [Key::ArrowDown, Key::ArrowUp];
        self.steps = arrows
            .map(|key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key)));
        let field = TextEdit::singleline(&mut self.search)
            .id(id)
            .hint_text(hint)
            .lock_focus(true)
            .frame(field_frame())
            .desired_width(f32::INFINITY);
        let field = ui.add(field);
        if field.changed() {
            self.at = 0;
        }
        if std::mem::take(&mut self.is_written) {
            let mut state = TextEditState::load(ui.ctx(), id).unwrap_or_default();
            let end = CCursor::new(self.search.chars().count());
            state.cursor.set_char_range(Some(CCursorRange::one(end)));
            state.store(ui.ctx(), id);
        }
        // Enter takes the caret away, even if it only asks for confirmation.
        if !field.has_focus() {
            field.request_focus();
        }
        field.changed()
    }

    /// Moves the selection among `count` entries by the keys of this picture;
    /// `across(at, down, up)` returns the entry that many rows away. Returns the entry that
    /// Enter chose, if it was pressed.
    pub fn follow_keys(
        &mut self,
        ui: &Ui,
        count: usize,
        arrows: Arrows,
        across: impl FnOnce(usize, usize, usize) -> usize,
    ) -> Option<usize> {
        let last = count.checked_sub(1)?;
        let struck = |key| ui.input(|input| input.num_presses(key));
        // While there is text in the field, left and right move the caret.
        let aside = |key| match arrows == Arrows::Grid && self.search.is_empty() {
            true => struck(key),
            false => 0,
        };
        let tabs = match arrows {
            Arrows::Grid => struck(Key::Tab),
            Arrows::Lines => 0,
        };
        let before = self.at.min(last);
        let at = (before + tabs + aside(Key::ArrowRight)).min(last);
        let at = at.saturating_sub(aside(Key::ArrowLeft));
        let [down, up] = std::mem::take(&mut self.steps);
        self.at = across(at, down, up).min(last);
        self.is_to_be_seen = self.at != before;
        (struck(Key::Enter) > 0).then_some(self.at)
    }

    /// Scrolls an entry into view if a key has selected it.
    pub fn keep_in_sight(&self, number: usize, entry: &Response) {
        if number == self.at && self.is_to_be_seen {
            entry.scroll_to_me(None);
        }
    }
}

/// The places of the words of a search in a text, in order.
#[must_use]
pub fn places(text: &str, search: &str) -> Vec<Range<usize>> {
    // Other letters keep their case, so that places in one text are places in the other.
    let text = text.to_ascii_lowercase();
    let search = search.to_ascii_lowercase();
    let words = search.split_whitespace();
    let found = words.flat_map(|word| {
        let found = text.match_indices(word);
        found
            .map(|(at, found)| at..at + found.len())
            .collect::<Vec<_>>()
    });
    let mut found: Vec<Range<usize>> = found.collect();
    found.sort_by_key(|place| (place.start, place.end));
    let mut apart: Vec<Range<usize>> = Vec::new();
    for place in found {
        match apart.last_mut() {
            Some(before) if place.start <= before.end => before.end = before.end.max(place.end),
            _ => apart.push(place),
        }
    }
    apart
}

/// A text with these places marked.
#[must_use]
pub fn marked(text: &str, places: &[Range<usize>], font: &FontId, colour: Color32) -> WidgetText {
    let plain = TextFormat {
        font_id: font.clone(),
        color: colour,
        valign: Align::Center,
        ..TextFormat::default()
    };
    let found = TextFormat {
        color: style::strong(),
        background: style::tinted(style::accent(), MATCH_FILL),
        ..plain.clone()
    };
    let mut job = LayoutJob::default();
    let mut at = 0;
    for place in places {
        let (Some(before), Some(inside)) = (text.get(at..place.start), text.get(place.clone()))
        else {
            continue;
        };
        job.append(before, 0.0, plain.clone());
        job.append(inside, 0.0, found.clone());
        at = place.end;
    }
    job.append(text.get(at..).unwrap_or_default(), 0.0, plain);
    job.into()
}

/// The font of a text style.
#[must_use]
pub fn font(ui: &Ui, of: TextStyle) -> FontId {
    of.resolve(ui.style())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_in_any_order_are_marked_and_merged_if_adjacent() {
        let marked = |text: &str, search: &str| {
            let places = places(text, search).into_iter();
            places
                .map(|place| text[place].to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(marked("Lines of Action", "act lin"), ["Lin", "Act"]);
        assert_eq!(marked("Gomoku", "gomo mok"), ["Gomok"]);
        assert!(marked("Gomoku", "").is_empty());
        assert_eq!(marked("Büßer", "ßer"), ["ßer"]);
    }

    #[test]
    fn marking_matches_keeps_the_whole_text() {
        let WidgetText::LayoutJob(job) = marked(
            "Reversi",
            std::slice::from_ref(&(2..4)),
            &FontId::default(),
            Color32::WHITE,
        ) else {
            panic!("it is a job")
        };
        assert_eq!((job.text.as_str(), job.sections.len()), ("Reversi", 3));
    }
}
