//! A key, possibly with Shift or Control: from the events of the window, and in those of
//! a panel.

use bevy::input::keyboard::Key;
use bevy_egui::egui;

/// A key, possibly combined with Shift or Control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chord {
    /// The key that types this character; capitals are typed with Shift.
    Typed(char),
    /// The left arrow key.
    Left,
    /// The right arrow key.
    Right,
    /// The up arrow key.
    Up,
    /// The down arrow key.
    Down,
    /// The key that types this character, together with Control (on a Mac, Command).
    Control(char),
    /// The space bar.
    Space,
    /// The space bar with Shift.
    ShiftSpace,
    /// The Enter key, also the one on the number pad.
    Enter,
    /// The Backspace key.
    Backspace,
    /// The Tab key.
    Tab,
    /// The Escape key.
    Escape,
    /// The function key F1.
    F1,
    /// The function key F2.
    F2,
    /// The function key F3.
    F3,
    /// The function key F4.
    F4,
    /// The function key F5.
    F5,
    /// The function key F6.
    F6,
    /// The function key F7.
    F7,
    /// The function key F8.
    F8,
    /// The function key F9.
    F9,
}

impl Chord {
    /// The chord of this key, with or without shift.
    pub(super) fn of(key: &Key, shift: bool) -> Option<Chord> {
        Some(match key {
            Key::Character(typed) => {
                let mut letters = typed.chars();
                let letter = letters.next().filter(|_| letters.next().is_none())?;
                Chord::Typed(match (letter.is_ascii_alphabetic(), shift) {
                    // The case is that of Shift, so that Caps Lock has no effect.
                    (true, true) => letter.to_ascii_uppercase(),
                    (true, false) => letter.to_ascii_lowercase(),
                    (false, _) => letter,
                })
            }
            Key::ArrowLeft => Chord::Left,
            Key::ArrowRight => Chord::Right,
            Key::ArrowUp => Chord::Up,
            Key::ArrowDown => Chord::Down,
            Key::Space if shift => Chord::ShiftSpace,
            Key::Space => Chord::Space,
            Key::Enter => Chord::Enter,
            Key::Backspace => Chord::Backspace,
            Key::Tab => Chord::Tab,
            Key::Escape => Chord::Escape,
            Key::F1 => Chord::F1,
            Key::F2 => Chord::F2,
            Key::F3 => Chord::F3,
            Key::F4 => Chord::F4,
            Key::F5 => Chord::F5,
            Key::F6 => Chord::F6,
            Key::F7 => Chord::F7,
            Key::F8 => Chord::F8,
            Key::F9 => Chord::F9,
            _ => return None,
        })
    }

    /// The chord of this key together with Control or Command.
    pub(super) fn of_control(key: &Key) -> Option<Chord> {
        match key {
            Key::Character(typed) => {
                let letter = typed.chars().next()?;
                Some(Chord::Control(letter.to_ascii_lowercase()))
            }
            _ => None,
        }
    }

    /// True if this event of a panel is for the chord. A panel only looks for keys that
    /// type no character, and for those together with Control.
    pub(super) fn is_in_panel(self, key: egui::Key, modifiers: egui::Modifiers) -> bool {
        match self {
            Chord::Control(letter) => {
                modifiers.command && key.name() == letter.to_ascii_uppercase().to_string()
            }
            Chord::Typed(_) | Chord::ShiftSpace => false,
            other => !modifiers.command && key.name() == other.cap(),
        }
    }

    /// The label of the key.
    #[must_use]
    pub fn cap(self) -> String {
        match self {
            Chord::Typed(letter) => letter.to_string(),
            Chord::Control(letter) => format!("Ctrl {}", letter.to_ascii_uppercase()),
            Chord::ShiftSpace => "Shift Space".to_owned(),
            other => format!("{other:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_lower_case_without_shift() {
        let typed = |text: &str, shift| Chord::of(&Key::Character(text.into()), shift);
        assert_eq!(typed("g", false), Some(Chord::Typed('g')));
        assert_eq!(typed("G", false), Some(Chord::Typed('g')));
        assert_eq!(typed("G", true), Some(Chord::Typed('G')));
        assert_eq!(typed("g", true), Some(Chord::Typed('G')));
        assert_eq!(typed("?", true), Some(Chord::Typed('?')));
        assert_eq!(typed("1", true), Some(Chord::Typed('1')));
        assert_eq!(typed("ab", false), None);
    }
}
