//! The boxes over the board: the list of keys, the rules of the game, and an error if it
//! does not fit elsewhere.

use protocol::Layout;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Stylize;
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Clear, Paragraph};
use touchboard_host::wrap::wrapped;
use touchboard_host::written;

use super::keys;
use super::model::Mirror;

/// The columns of a box besides its text: a border and a blank on each side.
pub(super) const EDGE: u16 = 4;
/// The rows of a box besides its text.
pub(super) const EDGES: u16 = 2;
/// The maximum length of a line that is easy to read.
const WIDEST: u16 = 76;

/// Draws the list of keys over everything else.
pub fn keys(frame: &mut Frame<'_>, area: Rect) {
    let lines: Vec<Line<'_>> = keys::lines()
        .map(|line| Line::from(vec![format!("{:<11}", line.keys).bold(), line.words.into()]))
        .collect();
    let width = lines.iter().map(Line::width).max().unwrap_or(0) as u16;
    show(
        frame,
        in_the_middle(area, width, lines.len()),
        " keys ",
        lines,
    );
}

/// The lines of the game's rules and of the legend, and the area for them.
fn how_to_lines(area: Rect, mirror: &Mirror, layout: Layout) -> (Vec<String>, Rect) {
    let width = WIDEST.min(area.width.saturating_sub(EDGE));
    let settings = &mirror.status.settings;
    let text = written::how_to(settings.game, layout);
    let sentences = text.iter().flat_map(|text| text.lines(settings.mode));
    let signs = mirror.look.pieces();
    let signs = signs.map(|pieces| pieces.legend_in(mirror.palette));
    let sentences = sentences.map(|sentence| mirror.palette.words(sentence).into_owned());
    let sentences = sentences.chain(signs.filter(|legend| !legend.is_empty()));
    let lines: Vec<String> = sentences
        .flat_map(|sentence| wrapped(&sentence, width.into()))
        .collect();
    let place = in_the_middle(area, width, lines.len());
    (lines, place)
}

/// The number of lines of [`how_to`] that do not fit into its box.
pub fn hidden_lines(area: Rect, mirror: &Mirror, layout: Layout) -> u16 {
    let (lines, place) = how_to_lines(area, mirror, layout);
    (lines.len() as u16).saturating_sub(place.height.saturating_sub(EDGES))
}

/// Draws the rules of the chosen game from this line on, or from the last line with which
/// the box is full.
pub fn how_to(frame: &mut Frame<'_>, area: Rect, mirror: &Mirror, layout: Layout, from: u16) {
    let (lines, place) = how_to_lines(area, mirror, layout);
    let more = hidden_lines(area, mirror, layout);
    let settings = &mirror.status.settings;
    let name = written::game_name(settings.game, layout);
    let title = match more {
        0 => format!(" {name}, mode {} (Esc closes) ", settings.mode),
        _ => format!(
            " {name}, mode {} (up, down: more; Esc closes) ",
            settings.mode
        ),
    };
    let lines = lines.into_iter().skip(more.min(from).into());
    show(frame, place, &title, lines.map(Line::from).collect());
}

/// Draws the error, above the bottom line.
pub fn trouble(frame: &mut Frame<'_>, area: Rect, mirror: &Mirror) {
    let width = area.width.saturating_sub(EDGE);
    let words = mirror.trouble.as_deref().unwrap_or_default();
    let lines = wrapped(words, width.into());
    let lines: Vec<Line<'_>> = lines
        .into_iter()
        .map(|line| Line::from(line.light_red().bold()))
        .collect();
    let height = (lines.len() as u16 + EDGES).min(area.height.saturating_sub(1));
    let place = Rect {
        y: area.bottom() - 1 - height,
        height,
        ..area
    };
    show(frame, place, " trouble ", lines);
}

pub(super) fn in_the_middle(area: Rect, width: u16, lines: usize) -> Rect {
    let width = (width + EDGE).min(area.width);
    let height = (lines as u16).saturating_add(EDGES).min(area.height);
    Rect::new(
        area.x + (area.width - width) / 2,
        area.y + (area.height - height) / 2,
        width,
        height,
    )
}

pub(super) fn show(frame: &mut Frame<'_>, place: Rect, title: &str, lines: Vec<Line<'_>>) {
    let block = Block::bordered()
        .title(title)
        .border_type(BorderType::Rounded)
        .padding(ratatui::widgets::Padding::horizontal(1));
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).block(block), place);
}
