//! Two boards side by side, on top of the mirrored one: the frames of the earlier and the
//! new firmware at the first difference.

use protocol::{Colour, DISPLAY_CHARACTERS, Layout, Point};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use touchboard_host::palette::Palette;
use touchboard_host::places::{self, NameSide, Places};
use touchboard_host::recorder::Divergence;

use super::ability::Ability;
use super::model::Mirror;
use super::over;
use super::paint::{sign, terminal};

/// The columns between the two boards.
const GAP: u16 = 4;
/// The columns for row numbers.
const NUMBERS: u16 = 3;
/// The columns for letters at the right side.
const ENDS: u16 = 2;
/// The columns of the line with display and turn lights.
const CASE: u16 = DISPLAY_CHARACTERS as u16 + 4;
/// The lines besides the rows of points: title, display, column letters, and the summary
/// below.
const OTHER_LINES: u16 = 6;
/// The columns from one point to the next, with and without room for brackets.
const PITCHES: [u16; 2] = [3, 2];
/// The same for a drawn board, whose rows are shifted by half a pitch.
const PITCHES_DRAWN: [u16; 2] = [4, 2];

/// The style of differences.
const RING: Style = Style::new().fg(Color::White).add_modifier(Modifier::BOLD);
const QUIET: Style = Style::new().fg(Color::DarkGray);

/// The style in which one board is painted.
#[derive(Clone, Copy)]
struct Look {
    pitch: u16,
    palette: Palette,
    ability: Ability,
}

impl Look {
    /// The column at which each point starts, without row numbers.
    fn columns(self, layout: Layout) -> Vec<u16> {
        let cells = Places::new(layout).cells(self.pitch, 1).into_iter();
        cells.map(|(column, _)| column).collect()
    }

    /// The number of columns that one board takes.
    fn width(self, layout: Layout) -> u16 {
        let last = self.columns(layout).into_iter().max().unwrap_or(0);
        let ends = if layout.sides().is_some() { 0 } else { ENDS };
        (NUMBERS + last + self.pitch + ends).max(CASE)
    }
}

/// Shows both boards, if there is room. The difference is also in the log.
pub fn show(frame: &mut Frame<'_>, area: Rect, divergence: &Divergence, mirror: &Mirror) {
    let layout = divergence.layout.layout();
    let look = |pitch| Look {
        pitch,
        palette: mirror.palette,
        ability: mirror.ability,
    };
    let room = area.width.saturating_sub(over::EDGE + GAP) / 2;
    let pitches = match layout.sides() {
        Some(_) => PITCHES,
        None => PITCHES_DRAWN,
    };
    let looks = pitches.map(look).into_iter();
    let look = looks.into_iter().find(|look| look.width(layout) <= room);
    let high = u16::from(layout.rows()) + OTHER_LINES;
    let Some(look) = look.filter(|_| high + over::EDGES <= area.height) else {
        return;
    };
    let [before, after] = [
        board("before", &divergence.before, divergence, look),
        board("now", &divergence.after, divergence, look),
    ];
    let width = look.width(layout);
    let mut lines: Vec<Line<'static>> = before
        .into_iter()
        .zip(after)
        .map(|(left, right)| beside(left, right, width))
        .collect();
    let points = match divergence.points() {
        0 => String::new(),
        1 => "one point differs · ".to_owned(),
        points => format!("{points} points differ · "),
    };
    lines.push(Line::default());
    lines.push(Line::from(format!("{points}Esc closes")).style(QUIET));
    let widest = 2 * width + GAP;
    let title = format!(" {} ", mirror.palette.words(&divergence.title()));
    let widest = widest.max(title.chars().count() as u16);
    let place = over::in_the_middle(area, widest.min(area.width - over::EDGE), lines.len());
    over::show(frame, place, &title, lines);
}

fn beside(mut left: Line<'static>, right: Line<'static>, width: u16) -> Line<'static> {
    let blank = usize::from(width + GAP).saturating_sub(left.width());
    left.spans.push(" ".repeat(blank).into());
    left.spans.extend(right.spans);
    left
}

/// Paints one board, from the top.
fn board(
    name: &'static str,
    shown: &protocol::Frame,
    divergence: &Divergence,
    look: Look,
) -> Vec<Line<'static>> {
    let layout = divergence.layout.layout();
    let mut lines = vec![
        Line::from(Span::from(name).bold()),
        case(shown, divergence, look),
    ];
    let columns = look.columns(layout);
    let up_to = |line: &mut Line<'static>, column: u16| {
        let blank = usize::from(NUMBERS + column).saturating_sub(line.width());
        line.push_span(" ".repeat(blank));
    };
    let names = places::edge_names(layout);
    for points in layout.in_rows() {
        let beside = |edge| places::beside_row(&names, points.clone(), edge);
        let number = format!("{:>2} ", beside(NameSide::Left));
        let mut line = Line::from(Span::styled(number, QUIET));
        for point in points.clone() {
            up_to(&mut line, columns[point.index()]);
            line.extend(light(point, shown, divergence, look));
        }
        line.push_span(Span::styled(beside(NameSide::Right).to_owned(), QUIET));
        lines.push(line);
    }
    let mut letters = Line::default();
    for name in places::below(&names, |point| columns[point.index()]) {
        up_to(
            &mut letters,
            columns[name.point.index()] + u16::from(look.pitch > 2),
        );
        letters.push_span(Span::styled(name.text.clone(), QUIET));
    }
    lines.push(letters);
    lines
}

/// A point. If it differs, it is in brackets, or underlined if there is no room for them.
fn light(
    point: Point,
    shown: &protocol::Frame,
    divergence: &Divergence,
    look: Look,
) -> Vec<Span<'static>> {
    let colour = shown.points.get(point);
    let style = Style::new().fg(terminal(look.palette, colour, look.ability));
    let sign = sign(look.palette, colour, look.ability).to_string();
    let differs = divergence.is_at(point);
    match (look.pitch, differs) {
        (3.., true) => vec![
            Span::styled("[", RING),
            Span::styled(sign, style),
            Span::styled("]", RING),
        ],
        (3.., false) => vec![" ".into(), Span::styled(sign, style), " ".into()],
        (_, true) => vec![
            Span::styled(sign, style.add_modifier(Modifier::UNDERLINED)),
            " ".into(),
        ],
        (_, false) => vec![Span::styled(sign, style), " ".into()],
    }
}

/// The display between the turn lights, with differences highlighted.
fn case(shown: &protocol::Frame, divergence: &Divergence, look: Look) -> Line<'static> {
    let [green, red] =
        [Colour::GREEN, Colour::RED].map(|side| terminal(look.palette, side, look.ability));
    let mark = |style: Style, differs: bool| match differs {
        true => style.add_modifier(Modifier::UNDERLINED | Modifier::BOLD),
        false => style,
    };
    let turn = |lit: bool, colour: Color, differs: bool| {
        let (sign, colour) = match lit {
            true => ("█", colour),
            false => ("░", Color::DarkGray),
        };
        Span::styled(sign, mark(Style::new().fg(colour), differs))
    };
    let [at_green, at_red] = divergence.is_at_turn();
    let text = format!("{:<DISPLAY_CHARACTERS$}", &*shown.display);
    let text_style = mark(
        Style::new().fg(Color::LightYellow),
        divergence.is_on_display(),
    );
    Line::from(vec![
        turn(shown.turn[0], green, at_green),
        " ".into(),
        Span::styled(text, text_style),
        " ".into(),
        turn(shown.turn[1], red, at_red),
    ])
}
