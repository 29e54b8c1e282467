//! The card about a divergence after the firmware was rebuilt in the middle of a game:
//! both boards next to each other, with the earlier firmware and the new one.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, Color32, Margin, Order as Layer, RichText, Sense, Ui};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass};
use protocol::Tick;
use touchboard_host::recorder::Divergence;

use super::notice::capitalised;
use super::small_board::{self, SmallBoard};
use super::style::{self, STEP};
use crate::scene::camera::SceneRect;
use crate::source::{Rebuilt, Shown, WindowCommand};
use crate::theme::ChosenPalette;

/// The largest pitch: the distance between two lights.
const PITCH: f32 = 25.0;
/// The smallest pitch.
const LEAST_PITCH: f32 = 7.0;
/// The gap between the two boards.
const GAP: f32 = 20.0;
/// The margin between the edge of the card and its content.
const MARGIN: Margin = Margin {
    left: 20,
    right: 20,
    top: 16,
    bottom: 16,
};
/// The height above and below the boards: the sentence, captions and buttons.
const WORDS: f32 = 132.0;
/// The distance between the card and the edge of the area.
const AROUND: f32 = 12.0;

/// Shows the card of the first divergence.
pub struct RebuiltPlugin;

impl Plugin for RebuiltPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Rebuilt>()
            .add_systems(EguiPrimaryContextPass, draw.after(super::draw));
    }
}

/// The inputs and outputs of the card.
#[derive(SystemParam)]
struct Around<'w> {
    shown: Res<'w, Shown>,
    palette: Res<'w, ChosenPalette>,
    time: Res<'w, Time<Real>>,
    rebuilt: ResMut<'w, Rebuilt>,
    commands: MessageWriter<'w, WindowCommand>,
}

fn draw(mut contexts: EguiContexts, rect: Res<SceneRect>, mut around: Around) -> Result {
    let context = contexts.ctx_mut()?.clone();
    let (Some(rect), true) = (rect.0, around.rebuilt.first.is_some()) else {
        return Ok(());
    };
    let scale = context.pixels_per_point();
    let place = egui::Rect::from_min_max(
        egui::pos2(rect.min.x as f32, rect.min.y as f32) / scale,
        egui::pos2(rect.max.x as f32, rect.max.y as f32) / scale,
    );
    show(&context, place, &mut around);
    Ok(())
}

/// A button of the card that was pressed.
enum CardButton {
    GoThere,
    Close,
}

fn show(context: &egui::Context, place: egui::Rect, around: &mut Around) {
    let Rebuilt { first, since } = &*around.rebuilt;
    let Some(divergence) = first else { return };
    let since = around.time.elapsed().saturating_sub(*since);
    let card = Card {
        divergence,
        tick: tick_seen(divergence, since),
        around,
        pitch: pitch(divergence, place.size()),
    };
    let frame = style::popup_frame(style::card_fill(), MARGIN).shadow(egui::Shadow {
        offset: [0, 8],
        blur: 28,
        spread: 0,
        color: Color32::from_black_alpha(140),
    });
    let area = egui::Area::new(egui::Id::new("two boards"))
        .order(Layer::Middle)
        .fade_in(false)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(place.center())
        .constrain_to(place);
    let pressed = area.show(context, |ui| frame.show(ui, |ui| card.show(ui)).inner);
    match pressed.inner {
        Some(CardButton::GoThere) => {
            let tick = divergence.tick;
            around.commands.write(WindowCommand::GoTo(tick));
            around.rebuilt.first = None;
        }
        Some(CardButton::Close) => around.rebuilt.first = None,
        None => {}
    }
}

/// The pitch for boards in this much room.
fn pitch(divergence: &Divergence, room: egui::Vec2) -> f32 {
    let size = small_board::size(*divergence.layout);
    let margins = MARGIN.sum() + egui::Vec2::splat(2.0 * AROUND);
    let wide = (room.x - margins.x - GAP) / (2.0 * size.x);
    let high = (room.y - margins.y - WORDS) / size.y;
    wide.min(high).clamp(LEAST_PITCH, PITCH).floor()
}

/// The tick for blinking, which continues from the moment of the divergence.
fn tick_seen(divergence: &Divergence, since: Duration) -> Tick {
    divergence.tick + Tick::try_from(since.as_millis()).unwrap_or(0)
}

struct Card<'a, 'w> {
    divergence: &'a Divergence,
    tick: Tick,
    around: &'a Around<'w>,
    pitch: f32,
}

impl Card<'_, '_> {
    fn show(&self, ui: &mut Ui) -> Option<CardButton> {
        let board = small_board::size(*self.divergence.layout) * self.pitch;
        ui.set_width(2.0 * board.x + GAP);
        let title = capitalised(&self.divergence.title());
        let heading = RichText::new(self.around.palette.0.words(&title));
        ui.label(heading.heading().color(style::strong()));
        ui.label(
            RichText::new(self.where_it_is())
                .small()
                .color(style::faint()),
        );
        ui.add_space(STEP * 0.5);
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            let (before, after) = (&self.divergence.before, &self.divergence.after);
            for (name, frame, other) in [
                ("firmware before", before, after),
                ("firmware now", after, before),
            ] {
                ui.vertical(|ui| {
                    ui.label(RichText::new(name).small().color(style::text()));
                    let (place, _) = ui.allocate_exact_size(board, Sense::hover());
                    let small = SmallBoard {
                        layout: *self.divergence.layout,
                        frame,
                        other,
                        tick: self.tick,
                        palette: self.around.palette.0,
                    };
                    small.paint(ui.painter(), place.min, self.pitch);
                });
            }
        });
        ui.add_space(STEP);
        self.buttons(ui)
    }

    /// The time and the extent of the divergence in words.
    fn where_it_is(&self) -> String {
        let moment = style::seconds(self.divergence.tick);
        let moment = format!("the firmware was rebuilt  ·  second {moment}");
        match self.divergence.points() {
            0 => moment,
            1 => format!("{moment}  ·  one point differs"),
            points => format!("{moment}  ·  {points} points differ"),
        }
    }

    fn buttons(&self, ui: &mut Ui) -> Option<CardButton> {
        let mut pressed = None;
        ui.horizontal(|ui| {
            if ui.add(style::wide("Play on", true)).clicked() {
                pressed = Some(CardButton::Close);
            }
            let earliest = self.around.shown.past.earliest;
            let is_within_reach = earliest.is_some_and(|tick| tick <= self.divergence.tick);
            if is_within_reach && ui.add(style::wide("Go to that moment", false)).clicked() {
                pressed = Some(CardButton::GoThere);
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(RichText::new("Escape closes").small().color(style::faint()));
            });
        });
        pressed
    }
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;
    use bevy_egui::egui::vec2;
    use protocol::{Frame, Layout};

    use super::*;
    use crate::source::SessionPast;
    use crate::theme::WindowTone;

    fn of(layout: Layout) -> Divergence {
        Divergence {
            tick: 4_021,
            moves: 12,
            what: "e4 was green, now red".to_owned(),
            layout: layout.into(),
            before: Frame::default(),
            after: Frame::default(),
        }
    }

    #[test]
    fn both_boards_fit_beside_the_panel_in_usual_windows() {
        // The room next to the panel and above the status line, in points.
        for room in [vec2(440.0, 440.0), vec2(625.0, 555.0), vec2(968.0, 690.0)] {
            for layout in [(9, 9), (1, 1), (16, 1), (16, 16)] {
                let layout = Layout::grid(layout.0, layout.1).unwrap();
                let board = small_board::size(layout) * pitch(&of(layout), room);
                let wide = 2.0 * board.x + GAP + MARGIN.sum().x;
                let high = board.y + WORDS + MARGIN.sum().y;
                assert!(wide <= room.x && high <= room.y, "{layout} in {room:?}");
            }
        }
    }

    /// The words on the card, with their places, after these events.
    fn card(
        world: &mut World,
        size: egui::Vec2,
        events: &[egui::Event],
    ) -> Vec<(String, egui::Rect)> {
        let context = egui::Context::default();
        style::apply(&context, WindowTone::Dark);
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
        let mut words = Vec::new();
        // An area has the size that it had in the picture before.
        for pass in 0..4 {
            context.begin_pass(egui::RawInput {
                screen_rect: Some(screen),
                events: if pass == 2 {
                    events.to_vec()
                } else {
                    Vec::new()
                },
                ..Default::default()
            });
            let inner = context.clone();
            let draw = move |mut around: Around| show(&inner, screen, &mut around);
            world.run_system_once(draw).unwrap();
            let mut output = context.end_pass();
            output.textures_delta.clear();
            words.clear();
            for clipped in &output.shapes {
                if let egui::Shape::Text(text) = &clipped.shape {
                    let place = text.visual_bounding_rect();
                    words.push((text.galley.text().to_owned(), place));
                }
            }
        }
        words
    }

    fn world() -> World {
        let mut world = World::new();
        world.insert_resource(Shown {
            past: SessionPast {
                earliest: Some(0),
                ..SessionPast::default()
            },
            ..Shown::default()
        });
        world.insert_resource(Rebuilt {
            first: Some(of(Layout::MALDOO)),
            since: Duration::ZERO,
        });
        world.init_resource::<ChosenPalette>();
        world.init_resource::<Time<Real>>();
        world.init_resource::<Messages<WindowCommand>>();
        world
    }

    /// The events of a click on this word.
    fn click(words: &[(String, egui::Rect)], on: &str) -> [egui::Event; 3] {
        let (_, place) = words.iter().find(|(word, _)| word == on).unwrap();
        let pos = place.center();
        let button = |pressed| egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        [egui::Event::PointerMoved(pos), button(true), button(false)]
    }

    #[test]
    fn the_card_names_the_difference_above_both_boards() {
        for size in [vec2(440.0, 440.0), vec2(625.0, 555.0), vec2(968.0, 690.0)] {
            let words = card(&mut world(), size, &[]);
            let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
            let said = |text: &str| words.iter().find(|(word, _)| word == text);
            let (_, title) = said("Move 12: e4 was green, now red").unwrap();
            let (_, before) = said("firmware before").unwrap();
            let (_, now) = said("firmware now").unwrap();
            assert!(title.bottom() <= before.top() && before.right() < now.left());
            for (word, place) in &words {
                assert!(screen.contains_rect(*place), "{word} in {size:?}");
            }
        }
    }

    #[test]
    fn a_click_goes_to_the_difference_and_closes_the_card() {
        let mut world = world();
        let size = vec2(968.0, 690.0);
        let words = card(&mut world, size, &[]);
        card(&mut world, size, &click(&words, "Go to that moment"));
        let mut commands = world.resource_mut::<Messages<WindowCommand>>();
        let commands: Vec<WindowCommand> = commands.drain().collect();
        assert_eq!(commands, [WindowCommand::GoTo(4_021)]);
        assert_eq!(world.resource::<Rebuilt>().first, None);
    }

    #[test]
    fn a_moment_out_of_reach_is_not_offered() {
        let mut world = world();
        world.resource_mut::<Shown>().past.earliest = Some(5_000);
        let words = card(&mut world, vec2(968.0, 690.0), &[]);
        assert!(words.iter().all(|(word, _)| word != "Go to that moment"));
        assert!(words.iter().any(|(word, _)| word == "Play on"));
    }

    #[test]
    fn blinking_continues_from_the_tick_of_the_difference() {
        let moment = of(Layout::MALDOO);
        assert_eq!(tick_seen(&moment, Duration::ZERO), 4_021);
        assert_eq!(tick_seen(&moment, Duration::from_millis(250)), 4_271);
    }
}
