//! What keys and the mouse mean.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;

use super::geometry::Geometry;
use super::model::Act;
use touchboard_host::keys::{self, LINES, Line, Named};

/// What only the mirror has.
const OWN: [Line; 2] = [
    Line {
        keys: "mouse",
        words: "touch, slide, release",
    },
    Line {
        keys: "q",
        words: "quit",
    },
];

/// The list of keys.
pub fn lines() -> impl Iterator<Item = &'static Line> {
    LINES.iter().chain(&OWN)
}

/// What an event of the terminal means; `None` if nothing.
#[must_use]
pub fn act(event: &Event, geometry: Option<&Geometry>) -> Option<Act> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(key),
        Event::Mouse(mouse) => of_mouse(mouse, geometry?),
        _ => None,
    }
}

fn of_key(key: &KeyEvent) -> Option<Act> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return (key.code == KeyCode::Char('c')).then_some(Act::Quit);
    }
    let named = match key.code {
        KeyCode::Char('q') => return Some(Act::Quit),
        KeyCode::Char(letter) => return keys::of_letter(letter).map(Act::Key),
        KeyCode::Left => Named::Left,
        KeyCode::Right => Named::Right,
        KeyCode::Up => Named::Up,
        KeyCode::Down => Named::Down,
        KeyCode::Enter => Named::Enter,
        KeyCode::Esc => Named::Escape,
        KeyCode::F(1) => Named::F1,
        _ => return None,
    };
    Some(Act::Key(keys::of_named(named)))
}

fn of_mouse(mouse: &MouseEvent, geometry: &Geometry) -> Option<Act> {
    let place = Position::new(mouse.column, mouse.row);
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => geometry
            .point_at(place)
            .map(Act::Finger)
            .or_else(|| geometry.button_at(place).map(Act::Hold)),
        MouseEventKind::Drag(MouseButton::Left) => Some(Act::Slide(geometry.point_at(place))),
        MouseEventKind::Up(MouseButton::Left) => Some(Act::Up),
        _ => None,
    }
}
