//! What the window leads to before a game: the rules of the game and, before the first game
//! of the window, its other uses: developing firmware, and mirroring a board. They are a
//! card of the side panel or, without the panel, the last lines of the
//! [card](super::waiting) beside the board.
//!
//! Whoever opens the window sees a game. The lines of the other uses are for those who came
//! for something else: each opens what they need, and its tooltip names the keys. Who has
//! played came to play, and is not shown them again.

use bevy::ecs::system::{InMut, SystemParam};
use bevy::prelude::{Commands, DetectChangesMut, Res, ResMut, Resource};
use bevy_egui::egui::{CursorIcon, Label, RichText, Sense, Ui};
use touchboard_host::standing::phase;

use super::beside::HoverText;
use super::dock::Dock;
use super::first_touch::waits_for_first_game;
use super::folds::{Fold, Folds};
use super::style::STEP;
use super::{Drawer, HowToDrawer, SidePanel, style, system};
use crate::pane::Pane;
use crate::source::{BoardTime, Shown};

/// Whether a game was played in this window.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Played {
    /// None yet.
    #[default]
    Nothing,
    /// One was, or is on.
    Something,
}

/// Notes that a game was played.
pub fn note_played(shown: Res<Shown>, mut played: ResMut<Played>) {
    if phase(&shown.status).is_on() {
        played.set_if_neq(Played::Something);
    }
}

/// What the lines open.
#[derive(SystemParam)]
pub struct OtherUses<'w, 's> {
    played: Res<'w, Played>,
    dock: ResMut<'w, Dock>,
    folds: ResMut<'w, Folds>,
    // The side panel and the drawer, which others read now, change with the next picture.
    commands: Commands<'w, 's>,
}

/// Shows the card while the board waits for its first game.
pub fn show(InMut(ui): InMut<Ui>, (shown, now): (Res<Shown>, Res<BoardTime>), mut uses: OtherUses) {
    if shown.link.answers() && waits_for_first_game(&shown, *now) {
        style::card(ui, "", |ui| lines(ui, &mut uses));
    }
}

/// Draws a line for the rules and for each other use; a click opens what it needs.
pub fn lines(ui: &mut Ui, uses: &mut OtherUses) {
    let rules = "The rules of this game with examples, its modes, and what the clock does.";
    if line(ui, "How to play", "rules, modes  F1", rules) {
        uses.commands.insert_resource(HowToDrawer(Drawer::Open));
    }
    if *uses.played == Played::Something {
        return;
    }
    ui.add_space(STEP * 0.5);
    ui.label(style::title("FOR FIRMWARE AUTHORS").color(style::faint()));
    let develop = "The timeline, with everything that happens and its waveforms (F3), and every field of the state (F4). Ctrl P finds all tools.";
    if line(ui, "Develop firmware", "timeline, state", develop) {
        for pane in [Pane::Timeline, Pane::State] {
            uses.dock.open(pane);
        }
    }
    if !system::HAS_LINES {
        return;
    }
    let mirror = "A board at a serial port, over the network, in QEMU or in a process of its own is shown here, and compared with the same core. Choose it under CONNECTION.";
    if line(ui, "Mirror a board", "port, TCP, QEMU", mirror) {
        uses.commands.insert_resource(SidePanel::Shown);
        uses.folds.connection = Fold::Open;
    }
}

/// Draws a use and, where there is room, what it offers. Returns true if it was clicked.
fn line(ui: &mut Ui, name: &str, what: &str, hint: &str) -> bool {
    let mut is_clicked = false;
    ui.horizontal(|ui| {
        let name = Label::new(RichText::new(name).color(style::accent())).sense(Sense::click());
        let name = ui.add(name).on_hover_cursor(CursorIcon::PointingHand);
        is_clicked = name.hover_text(hint).clicked();
        if !style::is_narrow(ui.ctx()) {
            let what = RichText::new(what).small().color(style::faint());
            ui.add(Label::new(what).truncate());
        }
    });
    is_clicked
}

#[cfg(all(test, feature = "desktop"))]
mod tests {
    use bevy::ecs::system::RunSystemOnce;
    use bevy::prelude::{In, World};
    use bevy_egui::egui::{
        Area, Context, Event, Id, Modifiers, PointerButton, Pos2, RawInput, Shape,
    };

    use super::*;

    /// Draws the lines. Returns the middle of each text.
    fn drawn(
        In((context, events)): In<(Context, Vec<Event>)>,
        mut uses: OtherUses,
    ) -> Vec<(String, Pos2)> {
        context.begin_pass(RawInput {
            events,
            ..RawInput::default()
        });
        Area::new(Id::new("card")).show(&context, |ui| lines(ui, &mut uses));
        let mut output = context.end_pass();
        output.textures_delta.clear();
        let shapes = output.shapes.into_iter();
        let text = |shape: Shape| match &shape {
            Shape::Text(text) => {
                let middle = shape.visual_bounding_rect().center();
                Some((text.galley.text().to_owned(), middle))
            }
            _ => None,
        };
        shapes.filter_map(|clipped| text(clipped.shape)).collect()
    }

    fn click(world: &mut World, name: &str) {
        let context = Context::default();
        let mut pass = |events: Vec<Event>| {
            let drawn = world.run_system_once_with(drawn, (context.clone(), events));
            drawn.unwrap()
        };
        pass(Vec::new());
        let texts = pass(Vec::new());
        let (_, pos) = texts.iter().find(|(text, _)| text == name).unwrap();
        let pos = *pos;
        let button = |pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        pass(vec![Event::PointerMoved(pos), button(true)]);
        pass(vec![button(false)]);
    }

    #[test]
    fn developing_and_mirroring_open_what_they_need() {
        let mut world = World::new();
        world.init_resource::<Dock>();
        world.init_resource::<HowToDrawer>();
        world.init_resource::<Played>();
        world.insert_resource(Folds::TO_PLAY);
        world.insert_resource(SidePanel::Hidden);
        click(&mut world, "Develop firmware");
        let dock = world.resource::<Dock>();
        assert!(dock.is_open(Pane::Timeline) && dock.is_open(Pane::State));
        assert_eq!(*world.resource::<SidePanel>(), SidePanel::Hidden);
        click(&mut world, "Mirror a board");
        assert_eq!(world.resource::<Folds>().connection, Fold::Open);
        assert_eq!(*world.resource::<SidePanel>(), SidePanel::Shown);
    }

    #[test]
    fn after_a_game_only_the_rules_are_offered() {
        let mut world = World::new();
        world.init_resource::<Dock>();
        world.init_resource::<HowToDrawer>();
        world.insert_resource(Played::Something);
        world.insert_resource(Folds::TO_PLAY);
        let context = Context::default();
        for _ in 0..2 {
            let texts = world.run_system_once_with(drawn, (context.clone(), Vec::new()));
            let texts: Vec<String> = texts.unwrap().into_iter().map(|(text, _)| text).collect();
            let some = ["How to play", "rules, modes  F1"].map(str::to_owned);
            assert!(texts.is_empty() || texts == some, "{texts:?}");
        }
        click(&mut world, "How to play");
        assert!(world.resource::<HowToDrawer>().is_open());
    }
}
