//! Paints a board and its case.

use std::collections::VecDeque;

use firmware_core::panel::TURN_TIME_MS;
use protocol::{Button, Colour, Frame as Shown, Layout, Point, Status, Tick};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph, Widget};

use super::geometry::Geometry;
use super::model::{Mirror, Open};
use super::over;
use super::wrap::wrapped;
use crate::{Driver, words};

/// The terminal's colour for each of the palette. A dark point is still seen,
/// as a milky dome is.
const PALETTE: [Color; Colour::COUNT] = [
    Color::DarkGray,
    Color::LightGreen,
    Color::LightRed,
    Color::Yellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
    Color::Green,
    Color::Red,
    Color::LightYellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::Black,
];
/// The characters of the display.
const DISPLAY: Color = Color::LightYellow;
/// What is there but does not matter now.
const QUIET: Style = Style::new().fg(Color::DarkGray);
const LIT: &str = "●";
const DARK: &str = "○";
/// From this pitch on a point is a disc of several cells.
const DISC_COLUMNS: u16 = 6;

/// Paints everything.
pub fn draw(frame: &mut Frame<'_>, driver: &dyn Driver, mirror: &Mirror) {
    let area = frame.area();
    let layout = driver.layout();
    let Some(geometry) = Geometry::new(area, layout) else {
        return too_small(frame, layout);
    };
    points(frame.buffer_mut(), &geometry, driver, mirror);
    names(frame.buffer_mut(), &geometry, layout, mirror.cursor);
    display(frame, geometry.display, driver.frame());
    buttons(frame.buffer_mut(), &geometry, mirror);
    frame.render_widget(standing(&mirror.status), geometry.standing);
    let log_area = room_of_log(&geometry);
    log(frame.buffer_mut(), log_area, mirror);
    frame.render_widget(status_line(driver, mirror), geometry.status);
    if mirror.trouble.is_some() && trouble_of(mirror, log_area).is_none() {
        over::trouble(frame, area, mirror);
    }
    match mirror.open {
        Some(Open::Keys) => over::keys(frame, area),
        Some(Open::HowTo(line)) => over::how_to(frame, area, &mirror.status.settings, line),
        None => {}
    }
}

fn too_small(frame: &mut Frame<'_>, layout: Layout) {
    let (columns, rows) = Geometry::smallest(layout);
    let area = frame.area();
    let sentence = format!(
        "The screen is too small for a {layout} board: make it at least {columns} x {rows} (it is {} x {}). q quits.",
        area.width, area.height
    );
    let wrap = ratatui::widgets::Wrap { trim: true };
    frame.render_widget(Paragraph::new(sentence).wrap(wrap), area);
}

fn points(buffer: &mut Buffer, geometry: &Geometry, driver: &dyn Driver, mirror: &Mirror) {
    let shown = &driver.frame().points;
    for point in driver.layout().iter() {
        let colour = shown.get(point);
        let mut style = Style::new().fg(PALETTE[usize::from(colour.index())]);
        if mirror.touches(point) {
            style = style.add_modifier(Modifier::REVERSED);
        }
        let cell = geometry.cell(point);
        if geometry.pitch.0 >= DISC_COLUMNS {
            disc(buffer, cell, style, colour);
        } else {
            let text = if colour == Colour::OFF { DARK } else { LIT };
            let middle = u16::from(cell.width > 2);
            buffer.set_string(cell.x + middle, cell.y, text, style);
        }
        if point == mirror.cursor {
            cursor(buffer, cell);
        }
    }
}

/// Brackets round a point; where there is no room for them, an underline.
fn cursor(buffer: &mut Buffer, cell: Rect) {
    let style = Style::new().bold();
    if cell.width <= 2 {
        let one = Rect::new(cell.x, cell.y, 1, 1);
        buffer.set_style(one, style.underlined());
        return;
    }
    let right = if cell.width >= DISC_COLUMNS {
        cell.width - 1
    } else {
        2
    };
    let middle = (cell.height - 1) / 2;
    buffer.set_string(cell.x, cell.y + middle, "[", style);
    buffer.set_string(cell.x + right, cell.y + middle, "]", style);
}

/// A filled circle, with a gap to the next: two dots lie above each other in a
/// cell, and a cell is twice as high as it is wide, so the dots are square. A
/// dark point is small, so that it is told from a lit one without its colour.
fn disc(buffer: &mut Buffer, cell: Rect, style: Style, colour: Colour) {
    let dots = (cell.width - 2).min(cell.height * 2 - 2);
    let middle = f32::from(dots) / 2.0;
    let radius = if colour == Colour::OFF {
        middle / 2.0
    } else {
        middle
    };
    let inside = |column: u16, dot: u16| {
        let x = f32::from(column) + 0.5 - f32::from(cell.width) / 2.0;
        let y = f32::from(dot) + 0.5 - middle;
        x * x + y * y <= radius * radius
    };
    for row in 0..cell.height {
        for column in 0..cell.width {
            let text = match (inside(column, row * 2), inside(column, row * 2 + 1)) {
                (true, true) => "█",
                (true, false) => "▀",
                (false, true) => "▄",
                (false, false) => continue,
            };
            buffer.set_string(cell.x + column, cell.y + row, text, style);
        }
    }
}

/// The numbers at the left and the letters below; those of the cursor stand
/// out.
fn names(buffer: &mut Buffer, geometry: &Geometry, layout: Layout, cursor: Point) {
    let (width, height) = geometry.pitch;
    let style = |here: bool| if here { Style::new().bold() } else { QUIET };
    for row in 0..layout.rows() {
        let y = geometry.points.y + u16::from(row) * height + (height - 1) / 2;
        let number = layout.rows() - row;
        let here = layout.row(cursor) == row;
        buffer.set_string(
            geometry.points.x - 3,
            y,
            format!("{number:>2}"),
            style(here),
        );
    }
    for column in 0..layout.columns() {
        let middle = if width <= 4 {
            u16::from(width > 2)
        } else {
            (width - 1) / 2
        };
        let x = geometry.points.x + u16::from(column) * width + middle;
        let letter = char::from(b'a' + column).to_string();
        let here = layout.column(cursor) == column;
        buffer.set_string(x, geometry.points.bottom(), letter, style(here));
    }
}

/// The display between the two turn lights.
fn display(frame: &mut Frame<'_>, area: Rect, shown: &Shown) {
    let width = protocol::DISPLAY_CHARACTERS as u16 + 4;
    let boxed = Rect::new(area.x + 4, area.y, width, area.height).intersection(area);
    let text =
        Line::from(format!(" {:<12} ", &*shown.display)).style(Style::new().fg(DISPLAY).bold());
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(QUIET);
    frame.render_widget(Paragraph::new(text).block(block), boxed);
    let buffer = frame.buffer_mut();
    let [green, red] = shown.turn;
    light(
        buffer,
        area.x + 1,
        area.y + 1,
        green.then_some(Colour::GREEN),
    );
    light(
        buffer,
        boxed.right() + 1,
        area.y + 1,
        red.then_some(Colour::RED),
    );
    if shown.beep_hz > 0 {
        let text = format!("♪ {} Hz", shown.beep_hz);
        buffer.set_stringn(boxed.right() + 5, area.y + 1, text, 10, Style::new().bold());
    }
}

fn light(buffer: &mut Buffer, x: u16, y: u16, colour: Option<Colour>) {
    let text = if colour.is_some() { "██" } else { "░░" };
    let colour = PALETTE[usize::from(colour.unwrap_or_default().index())];
    buffer.set_string(x, y, text, Style::new().fg(colour));
}

/// The word on each button, its key underlined.
fn buttons(buffer: &mut Buffer, geometry: &Geometry, mirror: &Mirror) {
    for (button, rect) in Button::ALL.into_iter().zip(geometry.buttons) {
        let mut style = Style::new().bg(Color::DarkGray).fg(Color::White);
        if mirror.presses(button) {
            style = style.add_modifier(Modifier::REVERSED);
        }
        let (first, rest) = button.name().split_at(1);
        let has_key = !matches!(button, Button::Start | Button::Stop);
        let key = if has_key { style.underlined() } else { style };
        let text = Line::from(vec![
            Span::styled(" ", style),
            Span::styled(first.to_uppercase(), key),
            Span::styled(format!("{rest} "), style),
        ]);
        text.render(rect, buffer);
    }
}

/// The settings in words, and how the game stands.
fn standing(status: &Status) -> Paragraph<'static> {
    let settings = &status.settings;
    let seconds = TURN_TIME_MS
        .get(usize::from(settings.time))
        .map_or(0, |ms| ms / 1_000);
    let game = format!(
        "{}, mode {}",
        words::game_name(settings.game),
        settings.mode
    );
    let rest = format!(
        "level {} · time {} ({seconds} s) · speed {}",
        settings.level, settings.time, settings.speed
    );
    Paragraph::new(vec![game.bold().into(), rest.into(), score(status)])
}

fn score(status: &Status) -> Line<'static> {
    let Some([green, red]) = status.score else {
        return Line::from("no game: press Start").style(QUIET);
    };
    let state = match (status.outcome, status.turn) {
        (Some(end), _) => words::outcome(end).to_owned(),
        _ if status.held => "held".to_owned(),
        _ if status.thinking => "the board is thinking".to_owned(),
        (None, Some(side)) => format!("{} to move", side.name()),
        (None, None) => String::new(),
    };
    Line::from(vec![
        format!("green {green}").light_green(),
        "  ".into(),
        format!("red {red}").light_red(),
        "  ".into(),
        state.bold(),
    ])
}

/// A blank line above and below the log, where there is room for them.
fn room_of_log(geometry: &Geometry) -> Rect {
    let log = geometry.log;
    log.inner(Margin::new(0, u16::from(log.height > 4)))
}

/// Columns of the log before the words.
const MOMENT: usize = 10;

/// The newest lines, the newest at the bottom; below them what is wrong, if it
/// has room here.
fn log(buffer: &mut Buffer, area: Rect, mirror: &Mirror) {
    let trouble = trouble_of(mirror, area).unwrap_or_default();
    let height = usize::from(area.height).saturating_sub(trouble.len());
    let width = usize::from(area.width).saturating_sub(MOMENT);
    let mut lines: VecDeque<Line<'_>> = VecDeque::new();
    for (tick, words) in mirror.log.iter().rev() {
        if lines.len() >= height {
            break;
        }
        let words = wrapped(words, width);
        for (index, words) in words.into_iter().enumerate().rev() {
            let moment = match index {
                0 => format!("{:>9} ", seconds(*tick)),
                _ => " ".repeat(MOMENT),
            };
            lines.push_front(Line::from(vec![Span::styled(moment, QUIET), words.into()]));
        }
    }
    let skip = lines.len().saturating_sub(height);
    let trouble = trouble
        .into_iter()
        .map(|words| words.light_red().bold().into());
    for (row, line) in lines.into_iter().skip(skip).chain(trouble).enumerate() {
        let y = area.y + row as u16;
        line.render(Rect::new(area.x, y, area.width, 1), buffer);
    }
}

/// What is wrong, in lines that have room in this part of the screen; `None` if
/// they do not, or nothing is.
fn trouble_of(mirror: &Mirror, area: Rect) -> Option<Vec<String>> {
    let trouble = mirror.trouble.as_deref()?;
    let lines = wrapped(trouble, area.width.into());
    (lines.len() <= area.height.into()).then_some(lines)
}

/// Board time as a person reads it.
fn seconds(tick: Tick) -> String {
    format!("{}.{:03}", tick / 1_000, tick % 1_000)
}

fn status_line(driver: &dyn Driver, mirror: &Mirror) -> Paragraph<'static> {
    let link = match &mirror.trouble {
        None => Span::raw(" ok"),
        Some(_) => " trouble".light_red().bold(),
    };
    let pace = if mirror.is_frozen {
        "frozen".bold()
    } else {
        Span::raw(speed(mirror.speed_permille()))
    };
    let gap = "  ";
    let line = vec![
        link,
        gap.into(),
        format!("{} {}", driver.at(), driver.layout()).bold(),
        gap.into(),
        Span::raw(format!("{} s", seconds(driver.tick()))),
        gap.into(),
        pace,
        gap.into(),
        "? keys  F1 how to play  q quit".into(),
    ];
    Paragraph::new(Line::from(line)).style(Style::new().bg(Color::Black).fg(Color::Gray))
}

/// `1x`, `64x`, `1/4x`.
fn speed(permille: u32) -> String {
    if permille >= 1_000 {
        format!("{}x", permille / 1_000)
    } else {
        format!("1/{}x", 1_000 / permille.max(1))
    }
}
