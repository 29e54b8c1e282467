//! What keys and the mouse mean.

use protocol::Button;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;

use super::geometry::Geometry;
use super::model::Act;

/// The keys, as the list in the mirror shows them.
pub const KEYS: &[(&str, &str)] = &[
    ("arrows", "move the cursor"),
    ("A-P 1-9", "to that column, row"),
    ("space", "touch the point"),
    ("mouse", "touch, slide, release"),
    ("g t s l m", "the five buttons"),
    ("Enter", "Start"),
    ("h", "Stop: hold or go on"),
    ("p", "pass"),
    ("f", "freeze time"),
    (",  .", "step 1 ms, 100 ms"),
    ("+  -", "faster, slower"),
    ("q", "quit"),
];

const ONE_STEP_MS: u64 = 1;
const LONG_STEP_MS: u64 = 100;

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
    Some(match key.code {
        KeyCode::Left => Act::Move(-1, 0),
        KeyCode::Right => Act::Move(1, 0),
        KeyCode::Up => Act::Move(0, -1),
        KeyCode::Down => Act::Move(0, 1),
        KeyCode::Enter => Act::Press(Button::Start),
        KeyCode::Esc => Act::Quit,
        KeyCode::Char(letter) => return of_letter(letter),
        _ => return None,
    })
}

fn of_letter(letter: char) -> Option<Act> {
    Some(match letter {
        ' ' => Act::TapCursor,
        'g' => Act::Press(Button::Game),
        't' => Act::Press(Button::Time),
        's' => Act::Press(Button::Speed),
        'l' => Act::Press(Button::Level),
        'm' => Act::Press(Button::Mode),
        'h' => Act::Press(Button::Stop),
        'p' => Act::Pass,
        'f' => Act::Freeze,
        ',' => Act::Step(ONE_STEP_MS),
        '.' => Act::Step(LONG_STEP_MS),
        '+' | '=' => Act::Faster(1),
        '-' => Act::Faster(-1),
        '?' => Act::Help,
        'q' => Act::Quit,
        'A'..='P' => Act::Column(letter as u8 - b'A'),
        '0'..='9' => Act::Row(row(letter as u8 - b'0')),
        _ => return None,
    })
}

/// The key 0 stands for row 10.
fn row(digit: u8) -> u8 {
    if digit == 0 { 10 } else { digit }
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
