//! The meanings of keys and the mouse.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;
use touchboard_host::keys::{self, KeyRow, LINES, NamedKey};

use super::geometry::Geometry;
use super::model::MirrorAction;

/// The keys that only the mirror has.
const OWN: [KeyRow; 2] = [
    KeyRow {
        keys: "mouse",
        words: "touch, slide, release",
    },
    KeyRow {
        keys: "q",
        words: "quit",
    },
];

/// The rows of the list of keys.
pub fn lines() -> impl Iterator<Item = &'static KeyRow> {
    LINES.iter().chain(&OWN)
}

/// The action of a terminal event; `None` if it has none.
#[must_use]
pub fn act(event: &Event, geometry: Option<&Geometry>) -> Option<MirrorAction> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(key),
        Event::Mouse(mouse) => of_mouse(mouse, geometry?),
        _ => None,
    }
}

fn of_key(key: &KeyEvent) -> Option<MirrorAction> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return (key.code == KeyCode::Char('c')).then_some(MirrorAction::Quit);
    }
    let named = match key.code {
        KeyCode::Char('q') => return Some(MirrorAction::Quit),
        KeyCode::Char(letter) => return keys::of_letter(letter).map(MirrorAction::Key),
        KeyCode::Left => NamedKey::Left,
        KeyCode::Right => NamedKey::Right,
        KeyCode::Up => NamedKey::Up,
        KeyCode::Down => NamedKey::Down,
        KeyCode::Enter => NamedKey::Enter,
        KeyCode::Esc => NamedKey::Escape,
        KeyCode::F(1) => NamedKey::F1,
        _ => return None,
    };
    Some(MirrorAction::Key(keys::of_named(named)))
}

fn of_mouse(mouse: &MouseEvent, geometry: &Geometry) -> Option<MirrorAction> {
    let place = Position::new(mouse.column, mouse.row);
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => geometry
            .point_at(place)
            .map(MirrorAction::Finger)
            .or_else(|| geometry.button_at(place).map(MirrorAction::Hold)),
        MouseEventKind::Drag(MouseButton::Left) => {
            Some(MirrorAction::Slide(geometry.point_at(place)))
        }
        MouseEventKind::Up(MouseButton::Left) => Some(MirrorAction::Up),
        _ => None,
    }
}
