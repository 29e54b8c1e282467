//! The list over the window for choosing signals, or conditions at which time freezes or
//! a mark is set: a
//! search field, the conditions so far, and the results.
//!
//! Tab completes, the arrows choose, Enter takes the chosen line, Escape closes.

use bevy_egui::egui::{
    self, Align2, Color32, Context, CornerRadius, CursorIcon, FontId, Key, Label, Modifiers, Rect,
    RichText, ScrollArea, Sense, Ui, pos2, vec2,
};
use touchboard_host::signals::{Signal, SignalCondition, SignalError, select};

use super::super::search_list::{Arrows, SearchList};
use super::super::style;
use super::Timeline;
use super::found::{Names, about};
use crate::source::{ContactReports, StopAction, StopCondition, WindowCommand};

/// The maximum width of the list.
const WIDTH: f32 = 460.0;
/// Height of a line.
const LINE: f32 = 22.0;
/// The maximum number of lines that are visible at once.
const SEEN: f32 = 12.0;

/// The kind of entries that the list offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinderKind {
    Signals,
    Stops,
}

/// The open list.
pub struct Finder {
    pub of: FinderKind,
    names: Names,
    /// The field and the lines: entry 0 is the text in the field, the others are the lines.
    list: SearchList,
    wrong: Option<String>,
}

/// A line of the results.
struct Line {
    text: String,
    aside: String,
    /// True if the signal is drawn already.
    is_in: bool,
}

impl Finder {
    pub fn new(of: FinderKind, names: Names) -> Finder {
        Finder {
            of,
            names,
            list: SearchList::default(),
            wrong: None,
        }
    }

    /// Creates a list of conditions, with this text in its field.
    pub fn stop(names: Names, text: String) -> Finder {
        let mut finder = Finder::new(FinderKind::Stops, names);
        finder.list.write(text);
        finder
    }

    fn lines(&self, timeline: &Timeline) -> Vec<Line> {
        match self.of {
            FinderKind::Signals => {
                let found = self.names.found(&self.list.search).into_iter();
                let chosen = timeline.view.chosen();
                found
                    .map(|entry| Line {
                        text: entry.name.clone(),
                        aside: match entry.count {
                            1 => about(&entry.name).to_owned(),
                            2 => "both of them".to_owned(),
                            count => format!("all {count} of them"),
                        },
                        is_in: chosen.has(&entry.name),
                    })
                    .collect()
            }
            FinderKind::Stops => {
                let offered = self.names.conditions(&self.list.search).into_iter();
                offered
                    .map(|(text, aside)| Line {
                        text,
                        aside,
                        is_in: false,
                    })
                    .collect()
            }
        }
    }

    /// The line that is chosen, if one is.
    fn chosen_line(&self) -> Option<usize> {
        self.list.at.checked_sub(1)
    }

    /// What Enter takes.
    fn taken(&self, lines: &[Line]) -> Taken {
        let is_searched = !lines.is_empty() && !self.list.search.trim().is_empty();
        match (self.of, self.chosen_line()) {
            (_, Some(at)) => Taken::Line(at),
            (FinderKind::Signals, None) if is_searched => Taken::Line(0),
            _ => Taken::Text,
        }
    }

    /// What Tab makes of the text.
    fn completed(&self, lines: &[Line]) -> Option<String> {
        let text = &self.list.search;
        let name = || self.names.completed(text.trim_start());
        let chosen = self.chosen_line().and_then(|at| lines.get(at));
        match (self.of, chosen) {
            (_, Some(line)) => Some(line.text.clone()),
            (FinderKind::Signals, None) => name(),
            (FinderKind::Stops, None) => match text.contains(' ') {
                true => lines.first().map(|line| line.text.clone()),
                false => name(),
            },
        }
    }
}

/// Shows the list, if it is open.
pub fn show(context: &Context, timeline: &mut Timeline) {
    let Some(mut finder) = timeline.view.finder.take() else {
        return;
    };
    let whole = context.viewport_rect();
    let width = WIDTH.min(whole.width() - 24.0);
    let frame = style::popup_frame(style::panel(), 12);
    let area = style::popup_area(
        "signals",
        Align2::CENTER_TOP,
        whole.center_top() + vec2(0.0, 12.0),
        whole,
    );
    let shown = area.show(context, |ui| {
        frame.show(ui, |ui| {
            ui.set_width(width - 24.0);
            content(ui, &mut finder, timeline, whole.height())
        })
    });
    if shown.inner.inner {
        timeline.view.finder = Some(finder);
    }
}

/// Draws the list. Returns true while it is to stay open.
fn content(ui: &mut Ui, finder: &mut Finder, timeline: &mut Timeline, height: f32) -> bool {
    let stays = head(ui, finder);
    let lines = finder.lines(timeline);
    if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Tab))
        && let Some(text) = finder.completed(&lines)
    {
        finder.list.write(text);
    }
    let hint = match finder.of {
        FinderKind::Signals => "find a signal: d4, turn, score",
        FinderKind::Stops => "a condition: turn = red, event.illegal, point.d4 for < 20",
    };
    if finder.list.field(ui, hint) {
        finder.wrong = None;
    }
    // The results must match the text that was just typed.
    let lines = finder.lines(timeline);
    let last = lines.len();
    let along = |at: usize, down: usize, up: usize| (at + down).min(last).saturating_sub(up);
    let entered = finder.list.follow_keys(ui, last + 1, Arrows::Lines, along);
    let taken = entered.map(|_| finder.taken(&lines));
    if let Some(wrong) = &finder.wrong {
        ui.add(Label::new(RichText::new(wrong).small().color(style::error())).wrap());
    }
    if finder.of == FinderKind::Stops {
        stops(ui, timeline);
    }
    let used = ui.min_rect().height() + 60.0;
    let room = (height - used).clamp(3.0 * LINE, SEEN * LINE);
    let clicked = list(ui, finder, &lines, room);
    match clicked.map(Taken::Line).or(taken) {
        Some(Taken::Line(place)) => take_line(finder, timeline, &lines[place]),
        Some(Taken::Text) => take_text(finder, timeline),
        None => {}
    }
    stays
}

/// Draws the title and the button that closes the list. Returns false if it was clicked.
fn head(ui: &mut Ui, finder: &Finder) -> bool {
    let mut stays = true;
    ui.horizontal(|ui| {
        let title = match finder.of {
            FinderKind::Signals => "SIGNALS",
            FinderKind::Stops => "STOP OR MARK WHEN",
        };
        ui.label(style::title(title));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            stays = !ui.small_button("Close").clicked();
        });
    });
    stays && !ui.input(|input| input.key_pressed(Key::Escape))
}

/// The user's choice: a line, or the text in the field.
enum Taken {
    Line(usize),
    Text,
}

/// Takes a line: adds or removes a signal, or writes a condition into the field.
fn take_line(finder: &mut Finder, timeline: &mut Timeline, line: &Line) {
    if finder.of == FinderKind::Stops {
        finder.list.write(line.text.clone());
        return;
    }
    match line.is_in {
        true => timeline.view.chosen.remove(&line.text),
        false => timeline.view.add(&line.text),
    }
    finder.list.write(String::new());
}

/// Takes the text in the field: adds the condition, or says why there is no such signal.
fn take_text(finder: &mut Finder, timeline: &mut Timeline) {
    let text = finder.list.search.trim().to_owned();
    if text.is_empty() {
        return;
    }
    let done = match finder.of {
        // Nothing was found, so the error says which signals there are.
        FinderKind::Signals => match timeline.view.board() {
            Some(board) => select([text.as_str()], board)
                .and_then(|signals| check_reported(timeline, &signals))
                .map_err(|error| error.to_string()),
            None => Ok(()),
        },
        FinderKind::Stops => add_stop(timeline, &text),
    };
    match done {
        Ok(()) => {
            finder.wrong = None;
            finder.list.write(String::new());
        }
        Err(sentence) => finder.wrong = Some(sentence),
    }
}

/// An error if these signals need contacts, or a line, and the board does not have them.
fn check_reported(timeline: &Timeline, signals: &[Signal]) -> Result<(), SignalError> {
    let mut contacts = signals.iter().filter(|signal| signal.is_contact());
    match contacts.next() {
        Some(contact) if timeline.shown.hardware.contacts == ContactReports::Untold => {
            return Err(SignalError::NoContacts(contact.name(timeline.shown.layout)));
        }
        _ => {}
    }
    let line = signals.iter().find(|signal| signal.is_of_line());
    match line.filter(|_| timeline.view.line.is_none()) {
        Some(signal) => Err(SignalError::NoLine(signal.name(timeline.shown.layout))),
        None => Ok(()),
    }
}

/// Adds a stop condition, or switches it on if it is in the list already.
pub fn add_stop(timeline: &mut Timeline, text: &str) -> Result<(), String> {
    let condition = SignalCondition::parse(text, timeline.shown.layout);
    let condition = condition.map_err(|error| error.to_string())?;
    let signals = condition.signals();
    if let Some(signal) = signals.iter().find(|signal| signal.is_of_line()) {
        let name = signal.name(timeline.shown.layout);
        return Err(SignalError::NoLine(name).to_string());
    }
    let known = check_reported(timeline, &signals);
    known.map_err(|error| error.to_string())?;
    let mut stops = timeline.shown.stops.all.clone();
    let is_it = |stop: &&mut StopCondition| stop.condition == condition;
    match stops.iter_mut().find(is_it) {
        Some(stop) => stop.is_on = true,
        None => stops.push(StopCondition::new(condition)),
    }
    timeline.commands.write(WindowCommand::StopWhen(stops));
    Ok(())
}

/// Draws the conditions so far, each with a switch and a button that removes it.
fn stops(ui: &mut Ui, timeline: &mut Timeline) {
    let mut stops = timeline.shown.stops.all.clone();
    let mut removed = None;
    for (place, stop) in stops.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            let text = RichText::new(stop.condition.to_string()).color(match stop.is_on {
                true => style::warning(),
                false => style::faint(),
            });
            let hint = "Whether this condition is watched for";
            ui.checkbox(&mut stop.is_on, text).on_hover_text(hint);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui.small_button("Remove").clicked() {
                    removed = Some(place);
                }
                action(ui, &mut stop.action);
            });
        });
    }
    if let Some(place) = removed {
        stops.remove(place);
    }
    if stops != timeline.shown.stops.all {
        timeline.commands.write(WindowCommand::StopWhen(stops));
    }
}

/// Draws the button that switches between freezing time and setting marks.
fn action(ui: &mut Ui, action: &mut StopAction) {
    let (text, other, hint) = match action {
        StopAction::Freeze => (
            "Freezes",
            StopAction::Mark,
            "Time freezes when this comes true. Click to set marks instead, while time goes on",
        ),
        StopAction::Mark => (
            "Marks",
            StopAction::Freeze,
            "A mark is set each time that this comes true, 1,000 at most. Click to freeze time instead",
        ),
    };
    if ui.small_button(text).on_hover_text(hint).clicked() {
        *action = other;
    }
}

/// Draws the results. Returns the one that was clicked.
fn list(ui: &mut Ui, finder: &Finder, lines: &[Line], height: f32) -> Option<usize> {
    if lines.is_empty() {
        let words = match finder.of {
            FinderKind::Signals => "No signal has this in its name.",
            FinderKind::Stops => "Enter adds the condition.",
        };
        style::note(ui, words);
        return None;
    }
    let mut clicked = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    // The list keeps its full height, even after a shorter one.
    let mut area = ScrollArea::vertical()
        .max_height(height)
        .min_scrolled_height(height)
        .auto_shrink([false, true]);
    if let Some(at) = finder.chosen_line() {
        // Scrolls so that the chosen line is in the middle.
        area = area.vertical_scroll_offset((at as f32 * LINE - height / 2.0).max(0.0));
    }
    area.show_rows(ui, LINE, lines.len(), |ui, seen| {
        for place in seen {
            let size = vec2(ui.available_width(), LINE);
            let (rect, response) = ui.allocate_exact_size(size, Sense::click());
            let is_at = finder.chosen_line() == Some(place);
            paint(ui, rect, &lines[place], is_at, response.hovered());
            if response.on_hover_cursor(CursorIcon::PointingHand).clicked() {
                clicked = Some(place);
            }
        }
    });
    clicked
}

fn paint(ui: &Ui, rect: Rect, line: &Line, is_at: bool, is_hovered: bool) {
    let fill = match (is_at, is_hovered) {
        (true, _) => style::widget_hovered(),
        (false, true) => style::widget(),
        (false, false) => Color32::TRANSPARENT,
    };
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, CornerRadius::same(5), fill);
    let middle = rect.center().y;
    if line.is_in {
        painter.circle_filled(pos2(rect.left() + 7.0, middle), 3.0, style::accent());
    }
    let font = FontId::proportional(12.5);
    let text = painter.text(
        pos2(rect.left() + 16.0, middle),
        Align2::LEFT_CENTER,
        &line.text,
        font.clone(),
        style::text(),
    );
    let aside = painter.layout_no_wrap(line.aside.clone(), font, style::faint());
    // The meaning is left out if there is no room for it next to the name.
    if text.right() + 12.0 + aside.size().x < rect.right() - 6.0 {
        let at = pos2(rect.right() - 6.0, middle);
        let place = Align2::RIGHT_CENTER.anchor_size(at, aside.size());
        painter.galley(place.min, aside, style::faint());
    }
}
