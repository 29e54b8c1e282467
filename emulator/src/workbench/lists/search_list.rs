//! A list that is searched as one types: what is typed, which entry Enter chooses, and the keys
//! that go from one to the next. The list of games and the list of commands are such lists.
//!
//! Invariants: the field has the keyboard as long as the list is open; the entry that Enter
//! chooses is one that there is, and in sight after a key went to it.

use std::ops::Range;

use bevy_egui::egui::text::{LayoutJob, TextFormat};
use bevy_egui::egui::{
    Align, Color32, FontId, Key, Margin, Response, TextEdit, TextStyle, Ui, WidgetText,
};

use crate::workbench::style;

/// How much of the accent colour is behind the letters that were searched for.
const MATCH_FILL: f32 = 0.30;

/// The state of an open list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchList {
    /// What is typed.
    pub search: String,
    /// The number of the entry that Enter chooses.
    pub at: usize,
    /// The field is to take the keyboard.
    is_new: bool,
    /// The entry that is chosen is to be in sight.
    is_to_be_seen: bool,
}

/// Whether arrows go to the left and right, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrows {
    /// Up and down alone.
    Lines,
    /// In all four ways, as long as nothing is typed that the caret could go through.
    Grid,
}

impl SearchList {
    /// A list that was opened just now.
    #[must_use]
    pub fn new() -> SearchList {
        SearchList {
            is_new: true,
            ..SearchList::default()
        }
    }

    /// A list in which this is typed.
    #[must_use]
    pub fn searched(search: String) -> SearchList {
        SearchList {
            search,
            ..SearchList::default()
        }
    }

    /// True in the first picture of the list.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Shows the field. True if what is typed changed, and with it what is found.
    pub fn field(&mut self, ui: &mut Ui, hint: &str) -> bool {
        let id = ui.id().with("search");
        // Before it is drawn, so that it gets the keys of the frame in which it opens.
        if std::mem::take(&mut self.is_new) {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        let field = TextEdit::singleline(&mut self.search)
            .id(id)
            .hint_text(hint)
            .margin(Margin::symmetric(10, 6))
            .desired_width(f32::INFINITY);
        let field = ui.add(field);
        if field.changed() {
            self.at = 0;
        }
        // The field loses the caret to Enter, also where Enter only asks.
        if !field.has_focus() {
            field.request_focus();
        }
        field.changed()
    }

    /// Goes to another of so many entries with the keys of this picture; `across` tells where
    /// so many rows down and up lead to. Returns the entry that Enter chooses.
    pub fn follow_keys(
        &mut self,
        ui: &Ui,
        count: usize,
        arrows: Arrows,
        across: impl FnOnce(usize, usize, usize) -> usize,
    ) -> Option<usize> {
        let last = count.checked_sub(1)?;
        let struck = |key| ui.input(|input| input.num_presses(key));
        // While there is something to search for, the caret goes left and right.
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
        self.at = across(at, struck(Key::ArrowDown), struck(Key::ArrowUp)).min(last);
        self.is_to_be_seen = self.at != before;
        (struck(Key::Enter) > 0).then_some(self.at)
    }

    /// Brings an entry into sight if a key went to it.
    pub fn keep_in_sight(&self, number: usize, entry: &Response) {
        if number == self.at && self.is_to_be_seen {
            entry.scroll_to_me(None);
        }
    }
}

/// The places at which the words of a search stand in a text, in order.
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
        background: style::accent().gamma_multiply(MATCH_FILL),
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

/// The font of a style of text.
#[must_use]
pub fn font(ui: &Ui, of: TextStyle) -> FontId {
    of.resolve(ui.style())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_in_any_order_are_marked_and_merged_if_adjacent() {
        assert_eq!(places("Lines of Action", "act lin"), [0..3, 9..12]);
        assert_eq!(places("Gomoku", "gomo mok"), [0..5]);
        assert!(places("Gomoku", "").is_empty());
        assert_eq!(places("Büßer", "ßer"), [3..7]);
    }

    #[test]
    fn marking_matches_keeps_the_whole_text() {
        let WidgetText::LayoutJob(job) =
            marked("Reversi", &[2..4], &FontId::default(), Color32::WHITE)
        else {
            panic!("it is a job")
        };
        assert_eq!((job.text.as_str(), job.sections.len()), ("Reversi", 3));
    }
}
