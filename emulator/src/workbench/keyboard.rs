//! Keys that open and close panels. A panel gets other keys only while the user types into
//! it.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::{EguiInput, egui};

use super::arrangements::ArrangementForm;
use super::dock::{Dock, Pane};
use super::lists::command_list::CommandList;
use super::lists::picker::Picker;
use super::system::SystemForms;
use super::timeline::TimelineView;
use super::{Drawer, HowToDrawer, KeysDrawer, SidePanel};
use crate::keys::{Keyboard, Meaning, Overlay, Stroke, StrokePhase, meaning_in_panel};
use crate::scene::camera::{Mouse, SceneRect};
use crate::source::Rebuilt;

/// The mouse button that opens a list or a field.
const CLICK: MouseButton = MouseButton::Left;

/// Gives the panels the keyboard in the picture in which they are clicked: the click may
/// open a list or a field, and then the keys typed after it, before the next picture, are
/// for it.
pub fn give_keys_to_clicked_panels(
    buttons: Option<Res<ButtonInput<MouseButton>>>,
    (mouse, rect): (Res<Mouse>, Res<SceneRect>),
    windows: Query<&Window>,
    mut keyboard: ResMut<Keyboard>,
) {
    let is_clicked =
        buttons.is_some_and(|buttons| buttons.just_pressed(CLICK) || buttons.just_released(CLICK));
    // The mouse may have come to the panel in this picture.
    let is_beside = |window: &Window| {
        let place = window.physical_cursor_position().zip(rect.0);
        place.is_some_and(|(place, scene)| !scene.contains(place.as_uvec2()))
    };
    if is_clicked && (*mouse == Mouse::Workbench || windows.iter().any(is_beside)) {
        keyboard.set_if_neq(Keyboard::Workbench);
    }
}

/// Gives the panels the keyboard only while text is typed into them; otherwise a key of
/// the board would also act on the panels.
///
/// Keys typed after the key that opens a list are for the list, even if all of them
/// arrived between two pictures.
pub fn keep_keys_from_panels(
    keyboard: Res<Keyboard>,
    (picker, command_list): (Res<Picker>, Res<CommandList>),
    mut inputs: Query<&mut EguiInput>,
) {
    if *keyboard == Keyboard::Workbench {
        return;
    }
    let is_closed = !picker.is_open() && !command_list.is_open();
    let opens = |event: &egui::Event| meaning_in_panel(event).is_some_and(Meaning::opens_list);
    for mut input in &mut inputs {
        let mut is_for_list = false;
        input.events.retain(|event| {
            let is_key = matches!(event, egui::Event::Key { .. } | egui::Event::Text(_));
            let keeps = !is_key || is_for_list;
            is_for_list |= is_closed && opens(event);
            keeps
        });
    }
}

/// Everything that can be open over the board.
#[derive(SystemParam)]
pub struct Overlays<'w> {
    how_to: ResMut<'w, HowToDrawer>,
    keys: ResMut<'w, KeysDrawer>,
    rebuilt: ResMut<'w, Rebuilt>,
    picker: ResMut<'w, Picker>,
    command_list: ResMut<'w, CommandList>,
    arrangement_form: ResMut<'w, ArrangementForm>,
    system: SystemForms<'w>,
    timeline: ResMut<'w, TimelineView>,
}

impl Overlays<'_> {
    fn is_open(&self) -> bool {
        self.keys.is_open()
            || self.how_to.is_open()
            || self.rebuilt.first.is_some()
            || self.system.is_open()
            || self.timeline.is_open()
            || self.arrangement_form.is_open()
            || self.picker.is_open()
            || self.command_list.is_open()
    }

    /// Closes one of them: forms and lists first, then the card and drawers below them.
    fn close_one(&mut self) {
        match **self.keys {
            _ if self.system.is_open() => self.system.close(),
            _ if self.timeline.is_open() => self.timeline.close(),
            _ if self.arrangement_form.is_open() => self.arrangement_form.close(),
            _ if self.picker.is_open() => self.picker.close(),
            _ if self.command_list.is_open() => self.command_list.close(),
            Drawer::Open => **self.keys = Drawer::Closed,
            Drawer::Closed if self.rebuilt.first.is_some() => self.rebuilt.first = None,
            Drawer::Closed => **self.how_to = Drawer::Closed,
        }
    }
}

/// Opens and closes panels, drawers, lists and panes by their keys.
pub fn toggle_panels(
    mut strokes: MessageReader<Stroke>,
    mut side_panel: ResMut<SidePanel>,
    mut dock: ResMut<Dock>,
    mut overlays: Overlays,
    mut overlay: ResMut<Overlay>,
) {
    for stroke in strokes
        .read()
        .filter(|stroke| stroke.phase == StrokePhase::Down)
    {
        match stroke.meaning {
            Meaning::HowTo => overlays.how_to.toggle(),
            Meaning::Keys => overlays.keys.toggle(),
            Meaning::Games => overlays.picker.toggle(),
            Meaning::Commands => overlays.command_list.toggle(),
            #[cfg(feature = "desktop")]
            Meaning::Film => {
                let span = overlays.timeline.between_cursors();
                overlays.system.film(span);
            }
            Meaning::Pane(pane) => {
                dock.toggle(pane);
                if pane == Pane::Console && dock.is_seen(pane) {
                    overlays.system.type_into_console();
                }
            }
            Meaning::SidePanel => {
                *side_panel = match *side_panel {
                    SidePanel::Shown => SidePanel::Hidden,
                    SidePanel::Hidden | SidePanel::Bare => SidePanel::Shown,
                };
            }
            Meaning::Close => overlays.close_one(),
            _ => {}
        }
    }
    overlay.set_if_neq(match overlays.is_open() {
        true => Overlay::Open,
        false => Overlay::None,
    });
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;

    use super::*;

    /// Who gets the keys of a picture in which the mouse does this.
    fn keys_after(mouse: Mouse, click: Option<MouseButton>) -> Keyboard {
        let mut world = World::new();
        let mut buttons = ButtonInput::<MouseButton>::default();
        if let Some(button) = click {
            buttons.press(button);
        }
        world.insert_resource(buttons);
        world.insert_resource(mouse);
        world.init_resource::<SceneRect>();
        world.init_resource::<Keyboard>();
        world.run_system_once(give_keys_to_clicked_panels).unwrap();
        *world.resource::<Keyboard>()
    }

    #[test]
    fn keys_typed_after_a_click_on_a_panel_are_not_the_boards() {
        let [on_panel, on_board] = [Mouse::Workbench, Mouse::Board];
        assert_eq!(keys_after(on_panel, Some(CLICK)), Keyboard::Workbench);
        assert_eq!(keys_after(on_panel, None), Keyboard::Board);
        assert_eq!(keys_after(on_board, Some(CLICK)), Keyboard::Board);
    }
}
