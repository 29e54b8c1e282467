//! Reads the keyboard: which key of the table went down, repeats, or came up.

use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyboardFocusLost, KeyboardInput};
use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;

use super::{Chord, KeyReading, Keyboard, Meaning, Overlay, Stroke, StrokePhase, table};

/// The keys that are down. The meaning is stored when a key goes down, because by the
/// time it comes up, it may type a different character.
#[derive(Resource, Debug, Default)]
struct KeysDown {
    meanings: HashMap<KeyCode, Meaning>,
    shifts: HashSet<KeyCode>,
    controls: HashSet<KeyCode>,
    others: HashSet<KeyCode>,
    /// True in the picture after a key opened a list or a field, until it has the keyboard.
    is_opening: bool,
}

impl KeysDown {
    /// The keys that are down of the modifier to which this key belongs, if it is one.
    fn modifier(&mut self, key: &Key) -> Option<&mut HashSet<KeyCode>> {
        match key {
            Key::Shift => Some(&mut self.shifts),
            // On a Mac, Command is reported as Super.
            Key::Control => Some(&mut self.controls),
            Key::Super | Key::Meta if cfg!(target_os = "macos") => Some(&mut self.controls),
            Key::Alt | Key::Super | Key::Meta => Some(&mut self.others),
            _ => None,
        }
    }

    /// Notes a key that goes down or comes up. Returns the stroke of a key with a meaning;
    /// presses count only while the board has the keyboard.
    fn stroke(
        &mut self,
        input: &KeyboardInput,
        is_for_board: bool,
        overlay: Overlay,
    ) -> Option<Stroke> {
        let is_down = input.state == ButtonState::Pressed;
        if let Some(keys) = self.modifier(&input.logical_key) {
            match is_down {
                true => keys.insert(input.key_code),
                false => keys.remove(&input.key_code),
            };
            return None;
        }
        if !is_down {
            let meaning = self.meanings.remove(&input.key_code)?;
            let phase = StrokePhase::Up;
            return Some(Stroke { meaning, phase });
        }
        if !is_for_board || !self.others.is_empty() {
            return None;
        }
        if let Some(meaning) = self.meanings.get(&input.key_code) {
            let (meaning, phase) = (*meaning, StrokePhase::Again);
            return Some(Stroke { meaning, phase });
        }
        let shift = !self.shifts.is_empty();
        let chord = match self.controls.is_empty() {
            true => Chord::of(&input.logical_key, shift),
            false => Chord::of_control(&input.logical_key),
        };
        let meaning = match chord.and_then(table::meaning)? {
            Meaning::Close if overlay == Overlay::None => Meaning::Lift,
            meaning => meaning,
        };
        self.meanings.insert(input.key_code, meaning);
        let phase = StrokePhase::Down;
        Some(Stroke { meaning, phase })
    }
}

/// Reads the keyboard and writes [`Stroke`] messages.
pub struct KeysPlugin;

impl Plugin for KeysPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Keyboard>()
            .init_resource::<Overlay>()
            .init_resource::<KeysDown>()
            .add_message::<KeyboardInput>()
            .add_message::<KeyboardFocusLost>()
            .add_message::<Stroke>()
            .add_systems(PreUpdate, read_keys.in_set(KeyReading));
    }
}

fn read_keys(
    mut inputs: MessageReader<KeyboardInput>,
    mut lost: MessageReader<KeyboardFocusLost>,
    keyboard: Res<Keyboard>,
    overlay: Res<Overlay>,
    mut down: ResMut<KeysDown>,
    mut strokes: MessageWriter<Stroke>,
) {
    let is_lost = lost.read().count() > 0;
    // Keys after the one that opens a list belong to the list, also in the next picture: a
    // field that takes the keyboard late must not lose them to the board.
    let mut for_list = std::mem::take(&mut down.is_opening);
    for input in inputs.read() {
        let is_for_board = *keyboard == Keyboard::Board && !for_list;
        if let Some(stroke) = down.stroke(input, is_for_board, *overlay) {
            strokes.write(stroke);
            let opens = stroke.phase == StrokePhase::Down && stroke.meaning.takes_keyboard();
            for_list |= opens;
            down.is_opening |= opens;
        }
    }
    if is_lost || *keyboard == Keyboard::Workbench {
        for (_, meaning) in down.meanings.drain() {
            let phase = StrokePhase::Up;
            strokes.write(Stroke { meaning, phase });
        }
    }
    if is_lost {
        down.shifts.clear();
        down.controls.clear();
        down.others.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_typed_after_opening_the_list_do_not_reach_the_board() {
        let mut app = App::new();
        app.add_plugins(KeysPlugin);
        let window = Entity::PLACEHOLDER;
        for (key_code, logical_key) in [
            (KeyCode::F2, Key::F2),
            (KeyCode::KeyG, Key::Character("g".into())),
            (KeyCode::Enter, Key::Enter),
        ] {
            app.world_mut().write_message(KeyboardInput {
                key_code,
                logical_key,
                state: ButtonState::Pressed,
                text: None,
                repeat: false,
                window,
            });
        }
        app.update();
        // A late key finds the list not drawn yet.
        app.world_mut().write_message(KeyboardInput {
            key_code: KeyCode::KeyN,
            logical_key: Key::Character("n".into()),
            state: ButtonState::Pressed,
            text: None,
            repeat: false,
            window,
        });
        app.update();
        let mut strokes = app.world_mut().resource_mut::<Messages<Stroke>>();
        let meanings: Vec<Meaning> = strokes.drain().map(|stroke| stroke.meaning).collect();
        assert_eq!(meanings, [Meaning::Games]);
    }
}
