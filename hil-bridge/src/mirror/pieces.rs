//! Paints what lies on a board over its lights: stones with their symbols, piles
//! with their counts, walls; and letters on points that are told apart by colour alone.
//!
//! Two characters are enough for each ([`crate::pieces::Piece::letters`]), since the smallest point
//! has two columns.

use protocol::{Colour, Packed};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use super::geometry::{DISC_COLUMNS, Geometry, middle};
use super::paint::terminal;
use crate::palette::Palette;
use crate::pieces::{Line, LineKind, Pieces};

/// Paints them. A sign has the colour that its point shows now.
pub fn draw(
    buffer: &mut Buffer,
    geometry: &Geometry,
    pieces: &Pieces,
    shown: &Packed,
    palette: Palette,
) {
    for (point, sign) in &pieces.signs {
        let mut letters = [0; 4];
        let letters = sign.encode_utf8(&mut letters);
        put(
            buffer,
            geometry.cell(*point),
            letters,
            shown.get(*point),
            palette,
        );
    }
    for (point, piece) in &pieces.on {
        let cell = geometry.cell(*point);
        put(buffer, cell, &piece.letters(), piece.colour(), palette);
    }
    for line in &pieces.lines {
        rule(buffer, geometry, line);
    }
}

fn put(buffer: &mut Buffer, cell: Rect, text: &str, colour: Colour, palette: Palette) {
    let colour = terminal(palette, colour);
    let (column, row) = middle(cell);
    if cell.width < DISC_COLUMNS {
        let width = usize::from(cell.width - column);
        let style = Style::new().fg(colour).bold();
        buffer.set_stringn(cell.x + column, cell.y + row, text, width, style);
        return;
    }
    let style = Style::new().fg(Color::Black).bg(colour).bold();
    buffer.set_string(cell.x + column, cell.y + row, text, style);
}

/// A line in the last column, or the last row, of the points on its left or
/// above it. Where a point is one row high, they are underlined instead.
fn rule(buffer: &mut Buffer, geometry: &Geometry, line: &Line) {
    let (wide, high) = geometry.pitch;
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
