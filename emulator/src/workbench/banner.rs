//! The banner below the board: what to do next if the board itself does not say so, why a
//! touch was not a move, and how the game ended.
//!
//! It is near the board, so that players see it. Before the first game, the
//! [card](super::waiting) that begins it says what to press. Before the first touch, a
//! short sentence says what to touch, below the case or, if there is no room, in the panel.
//!
//! Invariants: it takes no clicks and covers no playable point; only the text of a paused
//! game is shown in the middle, while the board is dark.

use bevy::ecs::system::SystemParam;
use bevy::prelude::{In, Res};
use bevy_egui::egui::{self, Align2, Color32, Context, Rect, Stroke};
use protocol::Outcome;
use touchboard_host::standing::{Situation, phase};

use super::cards::game::{GameResult, result};
use super::first_touch::{AROUND, BELOW, LETTERS, first_touch, has_room};
use super::held::pieces_in_hand;
use super::hint::CurrentHint;
use super::lists::picker::Picker;
use super::orders::BoardSeat;
use super::parts::OverBoard;
use super::reading::Presence;
use super::take_back::TouchWait;
use super::{HowToDrawer, KeysDrawer, SidePanel, style};
use crate::scene::marks::MarksOnBoard;
use crate::source::{ComesBack, UnfinishedGame};
use crate::switches::WindowSwitches;
use crate::theme::ChosenPalette;

/// Size of the letters in the middle of the board.
const LARGE_LETTERS: f32 = 19.0;
/// Size of the letters of how a game ended.
const RESULT_LETTERS: f32 = 17.0;
/// How much of the winner's colour is behind them, from 0 to 1.
const RESULT_FILL: f32 = 0.22;
/// The gap between the banner and the pieces in hand, if it is above them.
const OVER_PIECES: f32 = 4.0;
/// Width of a scene up to which large letters would be too large.
const NARROW: f32 = 560.0;

/// The text and look of a banner.
#[derive(Clone, Debug, PartialEq)]
struct Banner {
    sentence: String,
    edge: Color32,
    place: BannerPlace,
    /// True for how a game ended.
    is_result: bool,
}

/// The place of a banner in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BannerPlace {
    /// At the lower edge, where the board has no points.
    Below,
    /// In the middle, over a board that is paused.
    Middle,
}

/// What can be open over the board.
#[derive(SystemParam)]
pub struct OpenDrawers<'w> {
    side_panel: Res<'w, SidePanel>,
    picker: Res<'w, Picker>,
    keys: Res<'w, KeysDrawer>,
    how_to: Res<'w, HowToDrawer>,
}

impl OpenDrawers<'_> {
    /// True if there is no room over the board in this part of the window.
    pub fn cover(&self, part: Rect) -> bool {
        *self.side_panel == SidePanel::Bare
            || self.picker.is_open()
            || self.keys.is_open()
            || self.how_to.is_open() && part.width() < 1.5 * style::PANEL_WIDTH
    }
}

/// What the banner tells of.
#[derive(SystemParam)]
pub struct BannerInputs<'w> {
    drawers: OpenDrawers<'w>,
    board: BoardSeat<'w>,
    waits: Res<'w, TouchWait>,
    presence: Res<'w, Presence>,
    hint: CurrentHint<'w>,
    palette: Res<'w, ChosenPalette>,
    /// The game that a notice offers to continue.
    unfinished: Option<Res<'w, UnfinishedGame>>,
    switches: Res<'w, WindowSwitches>,
    marks: Option<Res<'w, MarksOnBoard>>,
}

impl BannerInputs<'_> {
    /// True while a notice offers to continue a game.
    fn is_game_offered(&self) -> bool {
        let game = self.unfinished.as_ref();
        game.is_some_and(|game| game.comes_back == ComesBack::OnOffer)
    }
}

/// Shows the banner, if there is anything to say; `has_card` while the
/// [card](super::waiting) of a board that waits for its first game is there.
pub fn show(In((over, has_card)): In<(OverBoard, bool)>, inputs: BannerInputs) {
    let OverBoard { context, part } = over;
    if inputs.drawers.cover(part) || !inputs.board.shown.link.answers() {
        return;
    }
    let Some(banner) = banner(&context, part, &inputs, has_card) else {
        return;
    };
    let colour = style::strong();
    let letters = match banner.place {
        BannerPlace::Middle if part.width() > NARROW => LARGE_LETTERS,
        _ if banner.is_result && part.width() > NARROW => RESULT_LETTERS,
        _ => LETTERS,
    };
    let (fill, width) = match banner.is_result {
        true => (style::tinted(banner.edge, RESULT_FILL), 2.0),
        false => (style::card_fill(), 1.0),
    };
    let layer = egui::LayerId::new(egui::Order::Tooltip, egui::Id::new("banner"));
    let painter = context.layer_painter(layer);
    let font = egui::FontId::new(letters, egui::FontFamily::Proportional);
    let mut words =
        egui::text::LayoutJob::simple(banner.sentence, font, colour, part.width() - 4.0 * AROUND.x);
    words.halign = egui::Align::Center;
    let words = painter.layout_job(words);
    let size = words.size() + 2.0 * AROUND;
    let place = match banner.place {
        BannerPlace::Below => {
            Align2::CENTER_BOTTOM.anchor_size(part.center_bottom() - egui::vec2(0.0, BELOW), size)
        }
        BannerPlace::Middle => Align2::CENTER_CENTER.anchor_size(part.center(), size),
    };
    let place = match pieces_in_hand(&context) {
        Some(held) if banner.place == BannerPlace::Below && held.intersects(place) => {
            place.translate(egui::vec2(0.0, held.top() - OVER_PIECES - place.bottom()))
        }
        _ => place,
    };
    painter.rect(
        place,
        9,
        fill,
        Stroke::new(width, banner.edge),
        egui::StrokeKind::Inside,
    );
    // Centred lines begin to the left of the position at which they are painted.
    painter.galley(place.min + AROUND - words.rect.min.to_vec2(), words, colour);
}

fn banner(context: &Context, part: Rect, inputs: &BannerInputs, has_card: bool) -> Option<Banner> {
    let shown = &inputs.board.shown;
    let status = &shown.status;
    let of = |sentence: String, edge| {
        let sentence = inputs.palette.0.words(&sentence).into_owned();
        let place = match phase(status) {
            Situation::Paused => BannerPlace::Middle,
            _ => BannerPlace::Below,
        };
        Some(Banner {
            sentence,
            edge,
            place,
            is_result: false,
        })
    };
    if let Some(hint) = inputs.hint.sentence() {
        return of(hint.to_owned(), style::warning());
    }
    if *inputs.presence == Presence::Left && shown.pace.frozen {
        return of(HAS_LEFT.to_owned(), style::warning());
    }
    let is_play = matches!(phase(status), Situation::Play | Situation::Idle);
    let why = why_it_waits(*inputs.waits).filter(|_| is_play && shown.pace.frozen);
    if let Some(sentence) = why {
        return of(sentence.to_owned(), style::edge());
    }
    match phase(status) {
        // The notice asks another question first.
        Situation::NoGame if inputs.is_game_offered() => None,
        Situation::NoGame => {
            let first = (!has_card).then(|| before_the_first(&inputs.board));
            of(first?, style::edge())
        }
        Situation::Paused => of(PAUSED.to_owned(), style::warning()),
        Situation::Over => {
            let edge = match status.outcome {
                Some(Outcome::Won(side)) => style::side(context, side),
                _ => style::edge(),
            };
            let decision = inputs.marks.as_ref();
            let decision = decision.and_then(|drawn| drawn.decision.as_ref());
            let GameResult { headline, reason } = result(shown, decision);
            let sentence = match reason {
                Some(reason) => format!("{headline}  ·  {reason}"),
                None => headline,
            };
            of(sentence, edge).map(|banner| Banner {
                is_result: true,
                ..banner
            })
        }
        Situation::Play => {
            let first = first_touch(shown, *inputs.switches).filter(|_| has_room(part.height()));
            of(first?, style::edge())
        }
        Situation::Idle => None,
    }
}

/// The text while a game is paused.
const PAUSED: &str =
    "Paused: the clock stands still and the lights are off.\nPress Resume (h) to go on.";
/// The text while nobody is in front of the window.
const HAS_LEFT: &str = "Nobody is here: the clock waits. Move the mouse, and it goes on.";
/// The text while the board waits for a move that replaces what was taken back.
const TAKEN_BACK: &str =
    "Taken back. Touch the board to play differently, or press Redo to play it again.";

/// The text while the board of a game that was left waits for whoever comes back to it.
const CONTINUED: &str = "Your game is back, and its clock waits. Touch the board to go on.";

/// Why time waits for a touch.
fn why_it_waits(waits: TouchWait) -> Option<&'static str> {
    match waits {
        TouchWait::TakenBack => Some(TAKEN_BACK),
        TouchWait::Continued => Some(CONTINUED),
        TouchWait::No => None,
    }
}

/// The sentence before the first game, if there is no room for its card.
fn before_the_first(board: &BoardSeat) -> String {
    if let Some(why) = board.why_no_start() {
        return why;
    }
    let level = board.shown.status.settings.level;
    match (board.is_chosen_against_whom(), level) {
        (true, _) => "Press START (n) to play.".to_owned(),
        (false, 0) => "Press START (n) for a game for two.".to_owned(),
        (false, level) => format!("Press START (n) to play against the board, level {level}."),
    }
}
