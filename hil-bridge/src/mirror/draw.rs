//! Paints a board and its case.

use firmware_core::panel::TURN_TIME_MS;
use protocol::{Button, Colour, Frame as Shown, Layout, Point, Status, Tick};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph, Widget};

use super::geometry::Geometry;
use super::keys::KEYS;
use super::model::Mirror;
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
    log(frame.buffer_mut(), geometry.log, mirror);
    frame.render_widget(status_line(driver, mirror), geometry.status);
    if mirror.shows_help {
        help(frame, area);
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

/// The newest lines, the newest at the bottom.
fn log(buffer: &mut Buffer, area: Rect, mirror: &Mirror) {
    let area = area.inner(Margin::new(0, u16::from(area.height > 4)));
    let height = usize::from(area.height);
    let skip = mirror.log.len().saturating_sub(height);
    for (row, (tick, words)) in mirror.log.iter().skip(skip).enumerate() {
        let line = Line::from(vec![
            Span::styled(format!("{:>9} ", seconds(*tick)), QUIET),
            Span::raw(words.clone()),
        ]);
        let y = area.y + row as u16;
        line.render(Rect::new(area.x, y, area.width, 1), buffer);
    }
}

/// Board time as a person reads it.
fn seconds(tick: Tick) -> String {
    format!("{}.{:03}", tick / 1_000, tick % 1_000)
}

fn status_line(driver: &dyn Driver, mirror: &Mirror) -> Paragraph<'static> {
    let link = match &mirror.trouble {
        None => Span::raw("ok"),
        Some(trouble) => trouble.clone().light_red().bold(),
    };
    let pace = if mirror.is_frozen {
        "frozen".bold()
    } else {
        Span::raw(speed(mirror.speed_permille()))
    };
    let gap = "  ";
    let line = vec![
        format!(" {} {}", driver.at(), driver.layout()).bold(),
        gap.into(),
        Span::raw(format!("{} s", seconds(driver.tick()))),
        gap.into(),
        pace,
        gap.into(),
        "? keys  q quit".into(),
        gap.into(),
        link,
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

/// The keys, over everything else.
fn help(frame: &mut Frame<'_>, area: Rect) {
    let lines: Vec<Line<'_>> = KEYS
        .iter()
        .map(|(key, what)| Line::from(vec![format!(" {key:<10} ").bold(), (*what).into()]))
        .collect();
    let (width, height) = (38.min(area.width), (KEYS.len() as u16 + 2).min(area.height));
    let place = Rect::new(
        area.x + (area.width - width) / 2,
        area.y + (area.height - height) / 2,
        width,
        height,
    );
    frame.render_widget(Clear, place);
    let block = Block::bordered()
        .title(" keys ")
        .border_type(BorderType::Rounded);
    frame.render_widget(Paragraph::new(lines).block(block), place);
}
