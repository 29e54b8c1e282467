//! Cards that fold to their title: a player needs neither timeline nor connection nor the
//! text of a game; an author of firmware or of a game needs them all.
//!
//! A folded card summarises its content in a word. Errors are never folded away.

use bevy::prelude::Resource;
use bevy_egui::egui::{
    self, Align, CursorIcon, Layout, RichText, Sense, Stroke, TextStyle, Ui, WidgetInfo, WidgetType,
};

use super::board_state::CardState;
use super::style;

/// The folds of all cards that can be folded.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Folds {
    /// The fold of the card of board time and its session.
    pub timeline: Fold,
    /// The fold of the card of the connection.
    pub connection: Fold,
    /// The fold of the card of a game's text.
    pub text: Fold,
    /// The fold of the view's card: colours, point of view, sound.
    pub view: Fold,
}

/// Whether a card shows its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fold {
    /// The card shows its content.
    #[default]
    Open,
    /// The card only shows its title.
    Folded,
}

impl Folds {
    /// The defaults for a window opened to play: a board in this process, with no
    /// session to look through.
    pub const TO_PLAY: Folds = Folds {
        timeline: Fold::Folded,
        connection: Fold::Folded,
        text: Fold::Folded,
        view: Fold::Open,
    };

    /// The same defaults for a window of this height, in pixels: in a low one,
    /// the view's card is folded to make room for the log; in a high one, more are open.
    #[must_use]
    pub fn to_play(height: u32) -> Folds {
        Folds {
            view: Fold::of(height < HIGH),
            text: Fold::of(height < HIGHER),
            timeline: Fold::of(height < HIGHER),
            ..Folds::TO_PLAY
        }
    }
}

impl Fold {
    /// The fold for this truth value.
    #[must_use]
    pub fn of(is_folded: bool) -> Fold {
        match is_folded {
            true => Fold::Folded,
            false => Fold::Open,
        }
    }

    /// The opposite fold.
    fn other(self) -> Fold {
        Fold::of(self == Fold::Open)
    }
}

/// The minimum height of a window with room for the view's card and a log of a dozen lines,
/// in pixels.
const HIGH: u32 = 960;
/// The minimum height of a window that also has room for the cards of a text and of the
/// timeline, in pixels.
const HIGHER: u32 = 1_300;
/// Height of a title that can be clicked.
const TITLE_HEIGHT: f32 = 18.0;
/// Half the width of the chevron that shows whether a card is folded.
const CHEVRON: f32 = 4.0;

/// Draws a card that folds; `state` is shown next to the title of a folded one. Returns its
/// fold, which a click on the title changes. One that is unfolded is scrolled into view.
pub(super) fn card(
    ui: &mut Ui,
    title: &str,
    fold: Fold,
    state: &CardState,
    content: impl FnOnce(&mut Ui),
) -> Fold {
    let mut now = fold;
    let id = ui.id().with(("unfolded", title));
    let top = ui.cursor().top();
    style::card(ui, "", |ui| {
        if heading(ui, title, fold, state) {
            now = fold.other();
            ui.data_mut(|data| data.insert_temp(id, now == Fold::Open));
        }
        if now == Fold::Open {
            content(ui);
        }
    });
    // Its height is known one picture after the click.
    if fold == Fold::Open && ui.data_mut(|data| data.remove_temp(id)).unwrap_or(false) {
        let bottom = ui.min_rect().bottom();
        let card = egui::Rect::from_x_y_ranges(ui.min_rect().x_range(), top..=bottom);
        ui.scroll_to_rect(card, None);
    }
    now
}

/// Draws the title, which folds or unfolds the card on a click. Returns true if it was
/// clicked.
fn heading(ui: &mut Ui, title: &str, fold: Fold, state: &CardState) -> bool {
    let size = egui::vec2(ui.available_width(), TITLE_HEIGHT);
    let (place, response) = ui.allocate_exact_size(size, Sense::click());
    let is_open = fold == Fold::Open;
    response
        .widget_info(|| WidgetInfo::selected(WidgetType::CollapsingHeader, true, is_open, title));
    let colour = match response.hovered() || response.has_focus() {
        true => style::text(),
        false => style::faint(),
    };
    let mut line = ui.new_child(
        egui::UiBuilder::new()
            .max_rect(place)
            .layout(Layout::left_to_right(Align::Center)),
    );
    line.add(egui::Label::new(style::title(title).color(colour)).selectable(false));
    line.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add_space(4.0 * CHEVRON);
        if !is_open {
            let font = TextStyle::Small.resolve(ui.style());
            ui.add(
                egui::Label::new(RichText::new(&state.word).font(font).color(state.colour))
                    .truncate()
                    .selectable(false),
            );
        }
    });
    let middle = place.right_center() - egui::vec2(1.5 * CHEVRON, 0.0);
    let way = if is_open { -CHEVRON } else { CHEVRON };
    style::chevron(ui, middle, way, Stroke::new(1.5, colour));
    response.on_hover_cursor(CursorIcon::PointingHand).clicked()
}
