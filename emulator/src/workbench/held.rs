//! Shows the pieces that the side to move holds, over the scene: dice as dice, a stone as
//! a stone, and notes.

use bevy::prelude::*;
use bevy_egui::egui::{
    self, Align2, Color32, CornerRadius, FontId, Margin, Pos2, Rect, Rgba, RichText, Sense, Stroke,
    Ui, vec2,
};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass};
use touchboard_host::palette::Palette;
use touchboard_host::pieces::{HeldPiece, Pieces, StoneView};

use super::lists::picker::Picker;
use super::style;
use crate::scene::camera::SceneRect;
use crate::scene::dice::pips;
use crate::source::Shown;
use crate::switches::WindowSwitches;
use crate::theme::ChosenPalette;

/// The sizes with which held pieces are drawn, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Scale {
    /// The side of a die or of a stone.
    side: f32,
    /// The margin above and below the pieces.
    margin: f32,
    /// The distance from the edges of the scene.
    away: f32,
    /// The size of the letters.
    letters: f32,
}

impl Scale {
    /// The usual size, next to the case.
    const USUAL: Scale = Scale {
        side: 30.0,
        margin: 8.0,
        away: 12.0,
        letters: 14.0,
    };
    /// For a scene without a free corner: on the strip of table below the case.
    const SMALL: Scale = Scale {
        side: 14.0,
        margin: 0.0,
        away: 2.0,
        letters: 12.0,
    };

    /// For a stone, which decides the turn, next to the case.
    const STONE: Scale = Scale {
        side: 52.0,
        letters: 18.0,
        ..Scale::USUAL
    };

    /// The size for a scene of this width, in points.
    fn of(width: f32) -> Scale {
        match width < FREE_CORNER {
            true => Scale::SMALL,
            false => Scale::USUAL,
        }
    }

    /// The whole height.
    fn height(self) -> f32 {
        self.side + 2.0 * self.margin + 6.0
    }
}

/// From this width of the scene on, the corner next to the case is free, in points.
const FREE_CORNER: f32 = 720.0;
/// The maximum width of all pieces together.
const WIDEST: f32 = 320.0;
/// The face of a die.
const FACE: Color32 = Color32::from_rgb(0xE9, 0xE6, 0xDC);
/// From this width of the scene on, the pieces fit next to the banner, in points.
const BESIDE_BANNER: f32 = 860.0;
/// How much higher the pieces are in a scene that is too narrow for the banner next to
/// them.
const OVER_BANNER: f32 = 34.0;
/// The radius of a stone's corners, relative to its side.
const STONE_ROUND: f32 = 0.2;
/// The colour of pips, and of the symbol on a stone.
const INK: Color32 = Color32::from_rgb(0x16, 0x17, 0x1A);

/// Shows the pieces that the side to move holds.
pub struct HeldPlugin;

impl Plugin for HeldPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<WindowSwitches>()
            .add_systems(EguiPrimaryContextPass, draw.after(super::draw));
    }
}

fn draw(
    mut contexts: EguiContexts,
    shown: Res<Shown>,
    switches: Res<WindowSwitches>,
    palette: Res<ChosenPalette>,
    rect: Res<SceneRect>,
    picker: Res<Picker>,
) -> Result {
    let context = contexts.ctx_mut()?.clone();
    context.data_mut(|data| data.remove::<Rect>(key()));
    let pieces = shown.pieces.as_ref().filter(|_| switches.pieces);
    let pieces = pieces.filter(|_| !picker.is_open());
    let (Some(pieces), Some(rect)) = (pieces, rect.0) else {
        return Ok(());
    };
    if pieces.held.is_empty() && pieces.note.is_empty() {
        return Ok(());
    }
    // The lower left corner is free of any board; above, the pieces would cover the
    // display of a small window.
    let points = 1.0 / context.pixels_per_point();
    let width = (rect.max.x - rect.min.x) as f32 * points;
    let has_stone = pieces
        .held
        .iter()
        .any(|held| matches!(held, HeldPiece::Stone(_)));
    let scale = match (Scale::of(width), has_stone) {
        (Scale::USUAL, true) => Scale::STONE,
        (scale, _) => scale,
    };
    let left = rect.min.x as f32 * points + scale.away;
    // In a narrow scene, the banner reaches this corner. In a small one, it is drawn above
    // the pieces.
    let over = match scale != Scale::SMALL && width < BESIDE_BANNER {
        true => OVER_BANNER,
        false => 0.0,
    };
    let top = rect.max.y as f32 * points - scale.away - scale.height() - over;
    // An area is invisible in its first picture. So it has none, and notes its place.
    let mut ui = Ui::new(
        context.clone(),
        "held".into(),
        egui::UiBuilder::new()
            .layer_id(egui::LayerId::background())
            .max_rect(Rect::from_min_size(
                Pos2::new(left, top),
                vec2(WIDEST, scale.height()),
            )),
    );
    egui::Frame::new()
        .fill(style::card_fill())
        .corner_radius(CornerRadius::same(8))
        .inner_margin(Margin::symmetric(10, scale.margin as i8))
        .show(&mut ui, |ui| show_all(ui, pieces, palette.0, scale));
    context.data_mut(|data| data.insert_temp(key(), ui.min_rect()));
    Ok(())
}

fn key() -> egui::Id {
    egui::Id::new("the place of the pieces in hand")
}

/// The part of the window that the pieces in hand cover, if there are any.
pub(super) fn pieces_in_hand(context: &egui::Context) -> Option<Rect> {
    context.data(|data| data.get_temp(key()))
}

fn show_all(ui: &mut Ui, pieces: &Pieces, palette: Palette, scale: Scale) {
    ui.horizontal_centered(|ui| {
        for held in &pieces.held {
            let (rect, _) = ui.allocate_exact_size(vec2(scale.side, scale.side), Sense::hover());
            match *held {
                HeldPiece::Die(pips) => die(ui, rect, pips),
                HeldPiece::Stone(stone) => paint_stone(ui, rect, stone, palette),
            }
        }
        if !pieces.note.is_empty() {
            let note = note(pieces);
            let note = palette.words(&note).into_owned();
            ui.label(RichText::new(note).size(scale.letters).color(style::text()));
        }
    });
}

/// The note in words: a stone has its colour and its sign instead of its two letters.
fn note(pieces: &Pieces) -> String {
    let stone = pieces.held.iter().find_map(|held| match held {
        HeldPiece::Stone(stone) => stone.words(),
        HeldPiece::Die(_) => None,
    });
    let Some(stone) = stone else {
        return pieces.note.clone();
    };
    let left = pieces.note.split_once(", ");
    let left = left.map_or(pieces.note.as_str(), |(_, left)| left);
    format!("{stone}, {left}")
}

fn die(ui: &Ui, rect: Rect, count: u8) {
    let painter = ui.painter();
    let round = CornerRadius::same((rect.width() * 0.2) as u8);
    painter.rect_filled(rect, round, FACE);
    let step = rect.width() * 0.27;
    for pip in pips(count) {
        let at = rect.center() + vec2(pip.x, pip.y) * step;
        painter.circle_filled(at, rect.width() * 0.085, INK);
    }
}

fn paint_stone(ui: &Ui, rect: Rect, stone: StoneView, palette: Palette) {
    let painter = ui.painter();
    let radius = rect.width() / 2.0;
    let [red, green, blue] = palette.shade(stone.colour).light;
    let brightest = red.max(green).max(blue).max(1e-3);
    let [red, green, blue] = [red, green, blue].map(|part| part * 0.8 / brightest);
    let colour: Color32 = Rgba::from_rgb(red, green, blue).into();
    // As the tiles on the board.
    let round = CornerRadius::same((rect.width() * STONE_ROUND) as u8);
    painter.rect_filled(rect, round, colour);
    let stroke = Stroke::new(radius * 0.2, INK);
    let arm = radius * 0.5;
    let bar = |x: f32, y: f32, shift: f32| {
        let middle = rect.center() + vec2(0.0, shift);
        let reach = vec2(x, y) * arm;
        painter.line_segment([middle - reach, middle + reach], stroke);
    };
    match stone.symbol {
        '-' => bar(1.0, 0.0, 0.0),
        '=' => [-0.4, 0.4].iter().for_each(|y| bar(1.0, 0.0, y * arm)),
        '+' => [[1.0, 0.0], [0.0, 1.0]]
            .iter()
            .for_each(|[x, y]| bar(*x, *y, 0.0)),
        'x' => [[0.7, 0.7], [0.7, -0.7]]
            .iter()
            .for_each(|[x, y]| bar(*x, *y, 0.0)),
        '*' => [[1.0, 0.0], [0.5, 0.87], [0.5, -0.87]]
            .iter()
            .for_each(|[x, y]| bar(*x, *y, 0.0)),
        'o' => {
            painter.circle_stroke(rect.center(), arm * 0.85, stroke);
        }
        other => {
            let font = FontId::proportional(radius);
            painter.text(rect.center(), Align2::CENTER_CENTER, other, font, INK);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_pieces_fit_below_the_case_in_a_small_window() {
        use crate::scene::fit::FILLS;
        for height in [400.0, 500.0] {
            let scene = height / style::zoom(height) - style::STATUS_HEIGHT;
            let below = scene * (1.0 - FILLS) / 2.0;
            let Scale { away, .. } = Scale::SMALL;
            assert!(Scale::SMALL.height() + away <= below, "{height}: {below}");
        }
        // Windows of 640x400 and 800x500 without the panel.
        assert_eq!(Scale::of(375.0 / 0.85), Scale::SMALL);
        assert_eq!(Scale::of(535.0 / 0.85), Scale::SMALL);
        assert_eq!(Scale::of(1000.0 / 0.9), Scale::USUAL);
    }
}
