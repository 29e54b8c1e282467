//! Draws pieces over the lights of a board: stones with their symbols, piles with their
//! counts, and walls. Also letters on points whose lights differ only in colour.
//!
//! Each piece needs at most two characters ([`touchboard_host::pieces::Piece::letters`]),
//! which fit even the smallest point.

use protocol::{Colour, Packed};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use touchboard_host::pieces::{GapLine, LineKind, Pieces};
use touchboard_host::places::PitchSpot;

use super::canvas::{self, Canvas};
use super::geometry::{DISC_COLUMNS, DOME_COLUMNS, Geometry, middle};
use super::model::Mirror;
use super::paint::terminal;

/// Draws the pieces. A sign has the colour that its point shows now.
pub fn draw(
    buffer: &mut Buffer,
    geometry: &Geometry,
    pieces: &Pieces,
    shown: &Packed,
    mirror: &Mirror,
) {
    for (point, sign) in &pieces.signs {
        let sign = mirror.palette.sign(*sign).to_string();
        put(
            buffer,
            geometry.cell(*point),
            &sign,
            shown.get(*point),
            mirror,
        );
    }
    for (point, piece) in &pieces.on {
        let letters = piece.letters_in(mirror.palette);
        let cell = geometry.cell(*point);
        put(buffer, cell, &letters, piece.colour(), mirror);
    }
    if !has_domes(geometry, mirror) {
        for line in &pieces.lines {
            rule(buffer, geometry, line);
        }
    }
}

/// True if points are domes of pixels, over which letters are drawn.
fn has_domes(geometry: &Geometry, mirror: &Mirror) -> bool {
    mirror.ability.has_pixels() && geometry.pitch.width >= DOME_COLUMNS
}

fn put(buffer: &mut Buffer, cell: Rect, text: &str, colour: Colour, mirror: &Mirror) {
    let (column, row) = middle(cell);
    let (x, y) = (cell.x + column, cell.y + row);
    if has_domes_in(cell, mirror) {
        for (letter, x) in text.chars().zip(x..cell.right()) {
            let Some(at) = buffer.cell_mut((x, y)) else {
                continue;
            };
            // As bright as the brighter of the two pixels that it covers.
            let ground = match at.symbol() {
                "▀" => brighter(at.fg, at.bg),
                _ => at.bg,
            };
            at.set_char(letter)
                .set_style(Style::new().fg(canvas::ink(ground)).bg(ground).bold());
        }
        return;
    }
    let colour = terminal(mirror.palette, colour, mirror.ability);
    if cell.width < DISC_COLUMNS {
        let width = usize::from(cell.width - column);
        let style = Style::new().fg(colour).bold();
        buffer.set_stringn(x, y, text, width, style);
        return;
    }
    let style = Style::new().fg(Color::Black).bg(colour).bold();
    buffer.set_string(x, y, text, style);
}

fn has_domes_in(cell: Rect, mirror: &Mirror) -> bool {
    mirror.ability.has_pixels() && cell.width >= DOME_COLUMNS
}

fn brighter(one: Color, other: Color) -> Color {
    let bright = |colour: Color| match colour {
        Color::Rgb(red, green, blue) => u32::from(red) + u32::from(green) + u32::from(blue),
        _ => 0,
    };
    if bright(one) >= bright(other) {
        one
    } else {
        other
    }
}

/// Draws the lines between domes, in pixels.
pub fn rules(canvas: &mut Canvas, geometry: &Geometry, pieces: &Pieces) {
    let (wide, high) = (geometry.pitch.width, 2 * geometry.pitch.height);
    let area = geometry.points;
    let at = |place: f32, pitch: u16, from: u16| {
        i32::from(from) + ((place + 0.5) * f32::from(pitch)).round() as i32 - 1
    };
    for line in &pieces.lines {
        let light = match line.kind {
            LineKind::Wall => canvas::WALL,
            LineKind::Border => canvas::BORDER,
        };
        let end = |spot: PitchSpot| (at(spot.x, wide, area.x), at(spot.y, high, 2 * area.y));
        canvas.line(end(line.from), end(line.to), light);
    }
}

/// Draws a line in the last column or row of the points to its left or above it. If
/// points are one row high, underlines them instead.
fn rule(buffer: &mut Buffer, geometry: &Geometry, line: &GapLine) {
    let (wide, high) = (geometry.pitch.width, geometry.pitch.height);
    let area = geometry.points;
    let at = |place: f32, pitch: u16| ((place + 0.5) * f32::from(pitch)).round() as u16;
    let (left, right) = (area.x + at(line.from.x, wide), area.x + at(line.to.x, wide));
    let (top, bottom) = (area.y + at(line.from.y, high), area.y + at(line.to.y, high));
    let style = match line.kind {
        LineKind::Wall => Style::new().fg(Color::White).bold(),
        LineKind::Border => Style::new().fg(Color::DarkGray),
    };
    let [upright, flat] = match line.kind {
        LineKind::Wall => ["┃", "━"],
        LineKind::Border => ["│", "─"],
    };
    let mut draw = |x: u16, y: u16, sign: &str| {
        if let Some(cell) = buffer.cell_mut((x, y))
            && cell.symbol().trim().is_empty()
        {
            cell.set_symbol(sign).set_style(style);
        }
    };
    if left == right {
        (top..bottom).for_each(|y| draw(left - 1, y, upright));
    } else if high > 1 {
        (left..right).for_each(|x| draw(x, top - 1, flat));
    } else {
        let row = Rect::new(left, top - 1, right - left, 1);
        buffer.set_style(row.intersection(area), Style::new().underlined());
    }
}
