//! Draws a board and its case.

use std::collections::VecDeque;

use protocol::{Button, Clock, Colour, Layout, Mover, Point, Side, Tick};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph, Widget};
use touchboard_host::palette::MarkShape;
use touchboard_host::places::NameSide;
use touchboard_host::standing::{self, Situation};
use touchboard_host::wrap::wrapped;
use touchboard_host::{Driver, written};

use super::canvas::{self, Canvas, Dome, FramePart};
use super::geometry::{DISC_COLUMNS, DOME_COLUMNS, Geometry, middle};
use super::model::{Mirror, Open};
use super::paint::{form, sign, terminal};
use super::{boards, over, pieces};

/// The colour of the display's characters.
const DISPLAY: Color = Color::LightYellow;
/// The colour of lit segments.
const DISPLAY_LIT: Color = Color::Rgb(255, 190, 60);
const DISPLAY_GLASS: Color = Color::Rgb(38, 24, 8);
/// The style of less important parts.
const QUIET: Style = Style::new().fg(Color::DarkGray);
/// The largest width of the case that is comfortable to read, in columns.
const WIDEST_CASE: u16 = 38;

/// Draws the whole screen of the mirror.
pub fn draw(frame: &mut Frame<'_>, driver: &dyn Driver, mirror: &Mirror) {
    paint(frame, driver, mirror);
    mirror.ability.reduce(frame.buffer_mut());
}

/// Draws the screen for a terminal with all abilities.
fn paint(frame: &mut Frame<'_>, driver: &dyn Driver, mirror: &Mirror) {
    let area = frame.area();
    let layout = driver.layout();
    let Some(geometry) = Geometry::new(area, layout) else {
        return too_small(frame, layout);
    };
    points(frame.buffer_mut(), &geometry, driver, mirror);
    if let Some(all) = mirror.look.pieces() {
        let shown = driver.frame().points_seen(driver.tick());
        pieces::draw(frame.buffer_mut(), &geometry, all, &shown, mirror);
    }
    names(frame.buffer_mut(), &geometry, layout, mirror);
    display(frame, geometry.display, driver, mirror);
    buttons(frame.buffer_mut(), &geometry, mirror);
    standing(frame, geometry.standing, driver, mirror);
    let log_area = room_of_log(&geometry);
    log(frame.buffer_mut(), log_area, mirror);
    frame.render_widget(status_line(driver, mirror), geometry.status);
    if mirror.trouble.is_some() && trouble_of(mirror, log_area).is_none() {
        over::trouble(frame, area, mirror);
    }
    match mirror.open {
        Some(Open::Keys) => over::keys(frame, area),
        Some(Open::HowTo(line)) => {
            over::how_to(frame, area, mirror, driver.layout(), line);
        }
        Some(Open::Boards) => {
            if let Some(divergence) = &mirror.divergence {
                boards::show(frame, area, divergence, mirror);
            }
        }
        None => {}
    }
}

fn too_small(frame: &mut Frame<'_>, layout: Layout) {
    let smallest = Geometry::smallest(layout);
    let area = frame.area();
    let sentence = format!(
        "The screen is too small for a {layout} board: make it at least {} x {} (it is {} x {}). q quits.",
        smallest.width, smallest.height, area.width, area.height
    );
    let wrap = ratatui::widgets::Wrap { trim: true };
    frame.render_widget(Paragraph::new(sentence).wrap(wrap), area);
}

fn points(buffer: &mut Buffer, geometry: &Geometry, driver: &dyn Driver, mirror: &Mirror) {
    if mirror.ability.has_pixels() && geometry.pitch.width >= DOME_COLUMNS {
        return domes(buffer, geometry, driver, mirror);
    }
    let shown = driver.frame().points_seen(driver.tick());
    for point in driver.layout().iter() {
        let colour = shown.get(point);
        let mut style = Style::new().fg(terminal(mirror.palette, colour, mirror.ability));
        if mirror.touches(point) {
            style = style.add_modifier(Modifier::REVERSED);
        }
        let cell = geometry.cell(point);
        if mirror.ability.has_pixels() && mirror.is_open(point) {
            buffer.set_style(cell, Style::new().bg(canvas::open_plate()));
        }
        let text = sign(mirror.palette, colour, mirror.ability).to_string();
        let is_disc = cell.width >= DISC_COLUMNS && mirror.ability.is_unicode;
        if is_disc {
            // Without colours, a letter already identifies the light.
            let form = match mirror.ability.has_letters() {
                true => MarkShape::Disc,
                false => form(colour),
            };
            disc(buffer, cell, style, colour, form);
        }
        if !is_disc || mirror.ability.has_letters() && colour != Colour::OFF {
            let (column, row) = middle(cell);
            buffer.set_string(cell.x + column, cell.y + row, text, style);
        }
        if let Some(last) = mirror.status.last_move
            && last.point == point
        {
            last_move(buffer, cell, last.by);
        }
        if point == mirror.cursor {
            cursor(buffer, cell);
        }
    }
}

/// Draws the points as domes in a plate, and the lines between them.
fn domes(buffer: &mut Buffer, geometry: &Geometry, driver: &dyn Driver, mirror: &Mirror) {
    let shown = driver.frame().points_seen(driver.tick());
    let mut canvas = Canvas::new(geometry.plate);
    let points = || driver.layout().iter();
    for point in points().filter(|point| mirror.is_open(*point)) {
        canvas.open(geometry.cell(point));
    }
    let domes: Vec<(Rect, Dome)> = points()
        .map(|point| {
            let dome = dome(shown.get(point), mirror.touches(point), mirror);
            (geometry.cell(point), dome)
        })
        .collect();
    domes
        .iter()
        .for_each(|(cell, dome)| canvas.dome(*cell, dome));
    domes
        .iter()
        .for_each(|(cell, dome)| canvas.glow(*cell, dome));
    if let Some(pieces) = mirror.look.pieces() {
        pieces::rules(&mut canvas, geometry, pieces);
    }
    if let Some(last) = mirror
        .status
        .last_move
        .filter(|_| mirror.status.score.is_some())
    {
        let light = match last.by {
            Mover::Finger | Mover::Board => canvas::LAST,
            Mover::Clock => canvas::LAST_BY_CLOCK,
        };
        canvas.frame(geometry.cell(last.point), light, FramePart::Corners);
    }
    canvas.frame(
        geometry.cell(mirror.cursor),
        canvas::CURSOR,
        FramePart::Whole,
    );
    canvas.show(buffer);
}

/// A dome with this colour.
fn dome(colour: Colour, is_touched: bool, mirror: &Mirror) -> Dome {
    Dome {
        colour,
        light: mirror.palette.shade(colour).light,
        form: form(colour),
        is_touched,
    }
}

/// Draws signs on both sides of a point that has room for them.
fn enclose(buffer: &mut Buffer, cell: Rect, [left, right]: [&str; 2], style: Style) {
    let end = if cell.width >= DISC_COLUMNS {
        cell.width - 1
    } else {
        2
    };
    let y = cell.y + middle(cell).1;
    buffer.set_string(cell.x, y, left, style);
    buffer.set_string(cell.x + end, y, right, style);
}

/// Draws brackets around a point, or an underline if there is no room for them.
fn cursor(buffer: &mut Buffer, cell: Rect) {
    let style = Style::new().bold();
    if cell.width <= 2 {
        let one = Rect::new(cell.x, cell.y, 1, 1);
        buffer.set_style(one, style.underlined());
        return;
    }
    enclose(buffer, cell, ["[", "]"], style);
}

/// Draws round brackets around the point of the last move, or different ones if the board
/// made it for a player whose time was up; an arrow if there is no room for brackets.
fn last_move(buffer: &mut Buffer, cell: Rect, by: Mover) {
    let (signs, style) = match by {
        Mover::Finger | Mover::Board => (["(", ")"], Style::new()),
        Mover::Clock => (["{", "}"], Style::new().light_yellow()),
    };
    if cell.width <= 2 {
        buffer.set_string(cell.x + 1, cell.y, "‹", style);
        return;
    }
    enclose(buffer, cell, signs, style);
}

/// Draws a filled circle with a gap to the next. Each cell has two pixels, one above the
/// other, which are square because a cell is twice as high as wide. A dark point is
/// smaller, so that it also differs from a lit one without colours.
fn disc(buffer: &mut Buffer, cell: Rect, style: Style, colour: Colour, form: MarkShape) {
    let dots = (cell.width - 2).min(cell.height * 2 - 2);
    let middle = f32::from(dots) / 2.0;
    let radius = if colour == Colour::OFF {
        middle / 2.0
    } else {
        middle
    };
    // The middle of a ring is dark.
    let hole = match form {
        MarkShape::Ring => (radius * 0.45).max(1.1),
        MarkShape::Disc => 0.0,
    };
    let inside = |column: u16, dot: u16| {
        let x = f32::from(column) + 0.5 - f32::from(cell.width) / 2.0;
        let y = f32::from(dot) + 0.5 - middle;
        (hole * hole..=radius * radius).contains(&(x * x + y * y))
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

/// Paints the numbers of rows and the letters of points, with those of the cursor
/// highlighted.
fn names(buffer: &mut Buffer, geometry: &Geometry, layout: Layout, mirror: &Mirror) {
    let cursor = layout.name(mirror.cursor);
    for (rect, name) in &geometry.names {
        let here = layout.name(name.point);
        let is_here = match name.edge {
            NameSide::Left => cursor.row == here.row,
            NameSide::Right | NameSide::Below => cursor.column == here.column,
        };
        let style = if is_here { Style::new().bold() } else { QUIET };
        buffer.set_string(rect.x, rect.y, &name.text, style);
    }
}

/// The display between the two turn lights.
fn display(frame: &mut Frame<'_>, area: Rect, driver: &dyn Driver, mirror: &Mirror) {
    let (shown, tick) = (driver.frame(), driver.tick());
    let width = protocol::DISPLAY_CHARACTERS as u16 + 4;
    let boxed = Rect::new(area.x + 4, area.y, width, area.height).intersection(area);
    let mut style = Style::new().fg(DISPLAY).bold();
    if mirror.ability.has_pixels() {
        style = style.fg(DISPLAY_LIT).bg(DISPLAY_GLASS);
    }
    let text = Line::from(format!(" {:<12} ", &*shown.display)).style(style);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(QUIET);
    frame.render_widget(Paragraph::new(text).block(block), boxed);
    let buffer = frame.buffer_mut();
    let [green, red] = shown.turn_seen(tick);
    for (x, is_lit, colour) in [
        (area.x + 1, green, Colour::GREEN),
        (boxed.right() + 1, red, Colour::RED),
    ] {
        turn_light(buffer, Position::new(x, area.y), is_lit, colour, mirror);
    }
    if shown.beep_hz > 0 {
        let text = format!("♪ {} Hz", shown.beep_hz);
        buffer.set_stringn(boxed.right() + 5, area.y + 1, text, 10, Style::new().bold());
    }
}

/// Draws a turn light, two columns wide. Without colours it has the letter of its side.
fn turn_light(
    buffer: &mut Buffer,
    Position { x, y }: Position,
    is_lit: bool,
    colour: Colour,
    mirror: &Mirror,
) {
    let shown = if is_lit { colour } else { Colour::OFF };
    let style = Style::new().fg(terminal(mirror.palette, shown, mirror.ability));
    if mirror.ability.has_pixels() {
        let mut canvas = Canvas::new(Rect::new(x - 1, y, 4, 3));
        let dome = dome(shown, false, mirror);
        let cell = Rect::new(x - 1, y, 5, 3);
        canvas.dome(cell, &dome);
        canvas.glow(cell, &dome);
        return canvas.show(buffer);
    }
    let text = match (is_lit, mirror.ability.has_letters()) {
        (true, true) => mirror
            .palette
            .letter_of(colour)
            .to_uppercase()
            .to_string()
            .repeat(2),
        (true, false) => "██".to_owned(),
        (false, _) => "░░".to_owned(),
    };
    buffer.set_string(x, y + 1, text, style);
}

/// Draws the buttons' names, with their keys underlined.
fn buttons(buffer: &mut Buffer, geometry: &Geometry, mirror: &Mirror) {
    for (button, rect) in Button::ALL.into_iter().zip(geometry.buttons) {
        let mut style = Style::new().bg(Color::DarkGray).fg(Color::White);
        // Without colours, only inverting shows that this is a button.
        if mirror.presses(button) != mirror.ability.is_colourless() {
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

/// Draws settings, score and clock, situation, and last move, one line each, in the words
/// of the window's card.
fn standing(frame: &mut Frame<'_>, area: Rect, driver: &dyn Driver, mirror: &Mirror) {
    let status = &mirror.status;
    let settings = &status.settings;
    let game = format!(
        "{}, mode {}",
        written::game_name(settings.game, driver.layout()),
        settings.mode
    );
    let limit = standing::turn_time_s(settings).map(|_| standing::turn_time(settings.time));
    let rest = format!(
        "level {} · time {} ({}) · speed {}",
        settings.level,
        settings.time,
        limit.as_deref().unwrap_or("unused"),
        settings.speed
    );
    let state = mirror.palette.words(&state(driver, mirror)).into_owned();
    let state = match standing::phase(status) {
        Situation::NoGame => Line::from(state).style(QUIET),
        _ => Line::from(state.bold()),
    };
    let lines = vec![
        game.bold().into(),
        rest.into(),
        score(mirror),
        state,
        last_words(mirror, driver.layout()),
    ];
    frame.render_widget(Paragraph::new(lines), area);
    // Aligned to the right, as on the card.
    let turns = standing::turns_left(status).map(Line::from);
    let clock = mirror.clock(driver.tick()).map(clock);
    for (row, words) in [(0, turns), (2, clock)] {
        let row = Rect {
            y: area.y + row,
            height: 1,
            width: area.width.min(WIDEST_CASE),
            ..area
        };
        frame.render_widget(words.unwrap_or_default().right_aligned(), row);
    }
}

/// The situation, with the pieces in hand or where the next move has to be. For a
/// finished game the points are omitted, because the line of the score has them.
fn state(driver: &dyn Driver, mirror: &Mirror) -> String {
    let status = &mirror.status;
    let Some(note) = mirror.look.note() else {
        return standing::state(status, driver.frame());
    };
    let state = match status.outcome {
        Some(outcome) => standing::how_it_ended(&status.settings, outcome).to_owned(),
        None => standing::state(status, driver.frame()),
    };
    format!("{state}: {note}")
}

fn score(mirror: &Mirror) -> Line<'static> {
    let (status, palette) = (&mirror.status, mirror.palette);
    let best = standing::best(status).unwrap_or_default();
    let Some(score) = status.score else {
        return Line::from(best).style(QUIET);
    };
    let names = standing::score_names(&status.settings);
    let gap = if best.is_empty() { "" } else { "  " };
    let [first, second] = std::array::from_fn(|index| {
        let colour = Colour::from(Side::BOTH[index]);
        let words = format!("{} {}", palette.words(names[index]), score[index]);
        words.fg(terminal(palette, colour, mirror.ability)).bold()
    });
    Line::from(vec![
        first,
        "  ".into(),
        second,
        standing::score_unit(&status.settings).into(),
        gap.into(),
        Span::styled(best, QUIET),
    ])
}

/// The time that is left, and what for, as on the card.
fn clock(clock: Clock) -> Line<'static> {
    let left = format!(
        "{} {}",
        standing::THIS_TURN,
        standing::time_left(clock.left_ms)
    );
    if standing::warns(clock) {
        left.light_red().bold().into()
    } else {
        left.into()
    }
}

/// The last move, or why the clock waits for the first one. A move made by the clock is
/// short here, because the log has it too.
fn last_words(mirror: &Mirror, layout: Layout) -> Line<'static> {
    let status = &mirror.status;
    let Some(last) = status.last_move.filter(|_| status.score.is_some()) else {
        return standing::clock_waits(status).unwrap_or_default().into();
    };
    let by = match last.by {
        Mover::Finger | Mover::Board => "",
        Mover::Clock => ", moved by the clock",
    };
    let (side, point) = (mirror.palette.side(last.side), layout.name(last.point));
    Line::from(format!("last: {side} {point}{by}")).style(QUIET)
}

/// The area of the log with a blank line above and below, if there is room.
fn room_of_log(geometry: &Geometry) -> Rect {
    let log = geometry.log;
    log.inner(Margin::new(0, u16::from(log.height > 4)))
}

/// The width of the tick in the log, in columns.
const MOMENT: usize = 10;

/// Draws the newest lines of the log, the newest at the bottom, and below them the error,
/// if there is room here.
fn log(buffer: &mut Buffer, area: Rect, mirror: &Mirror) {
    let trouble = trouble_of(mirror, area).unwrap_or_default();
    let height = usize::from(area.height).saturating_sub(trouble.len());
    let width = usize::from(area.width).saturating_sub(MOMENT);
    let mut lines: VecDeque<Line<'_>> = VecDeque::new();
    for (tick, words) in mirror.log.iter().rev() {
        if lines.len() >= height {
            break;
        }
        let words = wrapped(&mirror.palette.words(words), width);
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

/// The lines of the error, wrapped for this area; `None` if there is no error or they do
/// not fit.
fn trouble_of(mirror: &Mirror, area: Rect) -> Option<Vec<String>> {
    let trouble = mirror.trouble.as_deref()?;
    let lines = wrapped(trouble, area.width.into());
    (lines.len() <= area.height.into()).then_some(lines)
}

/// Board time for people.
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
        format!(
            "{} {}",
            driver.at(),
            which_board(driver.layout(), mirror.cursor)
        )
        .bold(),
        gap.into(),
        Span::raw(format!("{} s", seconds(driver.tick()))),
        gap.into(),
        pace,
        gap.into(),
        match &mirror.news {
            Some(news) => news.clone().bold(),
            None => "? keys  F1 how to play  q quit".into(),
        },
    ];
    Paragraph::new(Line::from(line)).style(Style::new().bg(Color::Black).fg(Color::Gray))
}

/// The layout of the board. On a drawn board not every point has a name at an edge, so
/// the name of the cursor's point is added.
fn which_board(layout: Layout, cursor: Point) -> String {
    match layout.sides() {
        Some(sides) => sides.to_string(),
        None => format!("{} points, {}", layout.points(), layout.name(cursor)),
    }
}

/// A speed as text: `1x`, `64x`, `1/4x`.
fn speed(permille: u32) -> String {
    if permille >= 1_000 {
        format!("{}x", permille / 1_000)
    } else {
        format!("1/{}x", 1_000 / permille.max(1))
    }
}
