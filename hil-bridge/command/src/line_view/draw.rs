//! Draws statistics and frames on a screen, or writes them as lines without one.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use touchboard_host::traffic::{
    Latencies, LineDirection, LineFigures, LineFlow, LineFrame, TouchPath, ms,
};

use super::Screen;

/// The style of less important parts.
const QUIET: Style = Style::new().fg(Color::DarkGray);
const TROUBLE: Style = Style::new().fg(Color::LightRed);
const TITLE: Style = Style::new().add_modifier(Modifier::BOLD);
/// The number of rows for the statistics.
const FIGURE_ROWS: u16 = 7;
/// The columns of time, direction, name and number.
const HEAD_COLUMNS: usize = 52;
/// The minimum number of columns for the words in a line of text.
const WORDS_COLUMNS: usize = 40;
/// Characters for bars of increasing height.
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The number of frames that fit on a screen of this size.
#[must_use]
pub fn frame_rows(area: Rect) -> usize {
    area.height.saturating_sub(FIGURE_ROWS + 2).into()
}

/// Draws these frames and the statistics of the line.
pub fn draw(frame: &mut Frame<'_>, screen: &Screen, rows: &[LineFrame], figures: &LineFigures) {
    let parts = [
        Constraint::Length(FIGURE_ROWS),
        Constraint::Length(1),
        Constraint::Min(0),
        Constraint::Length(1),
    ];
    let [top, head, middle, bottom] = Layout::vertical(parts).areas(frame.area());
    let title = format!("{} ({})", screen.title, figures.kind.words());
    let mut lines = vec![Line::from(vec![
        Span::styled(title, TITLE),
        Span::raw(format!("  {}", seconds(figures.span_us))),
    ])];
    lines.extend(figure_lines(figures).into_iter().map(|(line, is_bad)| {
        let style = if is_bad { TROUBLE } else { Style::new() };
        Line::styled(line, style)
    }));
    frame.render_widget(Paragraph::new(lines), top);
    frame.render_widget(Paragraph::new(Line::styled(titles(), QUIET)), head);
    let room = usize::from(middle.width).saturating_sub(HEAD_COLUMNS);
    // The words get five eighths of the room, because the beginning of the bytes is enough.
    let words_columns = screen.view.has_bytes.then_some(room * 5 / 8);
    let seen: Vec<Line<'_>> = rows
        .iter()
        .map(|row| frame_line(row, words_columns))
        .collect();
    frame.render_widget(Paragraph::new(seen), middle);
    frame.render_widget(Paragraph::new(status(screen)), bottom);
}

fn titles() -> String {
    format!("{:>12}   {:<24} {:>10}  says", "ms", "message", "number")
}

fn status(screen: &Screen) -> Line<'static> {
    let view = &screen.view;
    let errors = if view.filter.errors_only {
        "errors only"
    } else {
        "all"
    };
    let moves = if view.until.is_some() {
        "stands still"
    } else {
        "follows"
    };
    let keys = format!(
        "d: {}  k: {}  e: {errors}  b: bytes  space: {moves}  q: quit",
        view.ways(),
        view.kinds()
    );
    match &screen.news {
        Some(news) => Line::from(vec![
            Span::styled(news.clone(), TROUBLE),
            Span::styled(format!("  {keys}"), QUIET),
        ]),
        None => Line::styled(keys, QUIET),
    }
}

fn seconds(us: u64) -> String {
    format!("{:.1} s", us as f64 / 1e6)
}

/// The statistics, one line each, with whether the line reports errors.
fn figure_lines(figures: &LineFigures) -> Vec<(String, bool)> {
    let troubles = figures.troubles();
    let is_bad = figures.has_trouble();
    let mut lines = vec![
        (flow("to the board", &figures.to_board), false),
        (flow("from the board", &figures.from_board), false),
        (format!("{:<14} {troubles}", "trouble"), is_bad),
        (latencies("round trip", &figures.round_trips), false),
    ];
    for (path, took) in &figures.lights {
        let name = match path {
            TouchPath::Message => "light, message",
            TouchPath::Sensors => "light, sensors",
        };
        lines.push((latencies(name, took), false));
    }
    lines
}

fn flow(name: &str, flow: &LineFlow) -> String {
    format!(
        "{name:<14} {:>9} bytes {:>7} frames {:>8} bytes/s {:>5} frames/s",
        flow.bytes, flow.frames, flow.bytes_a_second, flow.frames_a_second
    )
}

fn latencies(name: &str, took: &Latencies) -> String {
    let words = took.words().unwrap_or_else(|| "none so far".to_owned());
    let bars = bars(took);
    format!("{name:<14} {words}  {bars}").trim_end().to_owned()
}

/// A histogram on one row: its range, and a bar for each doubling.
fn bars(took: &Latencies) -> String {
    let most = took.bars.iter().map(|bar| bar.count).max().unwrap_or(0);
    let (Some(first), Some(last)) = (took.bars.first(), took.bars.last()) else {
        return String::new();
    };
    let bar = |count: u64| match count {
        0 => ' ',
        count => HEIGHTS[(count * (HEIGHTS.len() as u64 - 1)).div_ceil(most) as usize],
    };
    let all: String = took.bars.iter().map(|one| bar(one.count)).collect();
    format!(
        "{} |{all}| {} ms",
        ms(first.limit_us / 2),
        ms(last.limit_us)
    )
}

/// A row for a frame; with its bytes if `words_columns` is the width of the words.
fn frame_line(frame: &LineFrame, words_columns: Option<usize>) -> Line<'static> {
    let style = match frame.direction {
        _ if frame.is_trouble() => TROUBLE,
        LineDirection::ToBoard => Style::new().fg(Color::LightCyan),
        LineDirection::FromBoard => Style::new(),
    };
    let (head, words) = (frame.head(), frame.text());
    let Some(columns) = words_columns else {
        return Line::styled(head + &words, style);
    };
    let words: String = words.chars().take(columns).collect();
    let bytes = frame.spaced_bytes();
    Line::from(vec![
        Span::styled(format!("{head}{words:<columns$} "), style),
        Span::styled(bytes, QUIET),
    ])
}

/// A frame as a line of text.
#[must_use]
pub fn plain_line(frame: &LineFrame) -> String {
    let said = frame.head() + &frame.text();
    let columns = HEAD_COLUMNS + WORDS_COLUMNS;
    format!("{said:<columns$} | {}", frame.spaced_bytes())
}

/// The statistics as lines of text.
#[must_use]
pub fn plain_figures(figures: &LineFigures) -> String {
    let mut text = format!(
        "{:<14} {}, {}\n",
        "line",
        figures.kind.words(),
        seconds(figures.span_us)
    );
    for (line, _) in figure_lines(figures) {
        text += &line;
        text.push('\n');
    }
    text
}
