//! The whole board, drawn with letters or in the colours of a terminal.

use core::fmt::Write;

use protocol::{Colour, Frame, Layout, Point, Rhythm};
use touchboard_host::palette::sign_of;
use touchboard_host::pieces::{LineKind, Piece, Pieces};
use touchboard_host::places::{self, NameSide, Places};
use touchboard_host::standing as words_of;

use super::scene::{AnswerColours, Scene, blinking, standing};

/// The points with their names at the edges, and below them the display of the case.
///
/// If there are pieces, each point takes two characters. If a game has signs for its
/// points, they replace the lights.
#[must_use]
pub fn board(scene: &Scene<'_>, pieces: Option<&Pieces>, paint: AnswerColours) -> String {
    let mut text = rows(scene, pieces, paint);
    text += &case(scene, paint);
    for rhythm in Rhythm::ALL.into_iter().skip(1) {
        let names = blinking(scene, rhythm);
        if !names.is_empty() {
            let meaning = words_of::meaning(&scene.status.settings, rhythm);
            let meaning = meaning.map_or(String::new(), |meaning| format!(" ({meaning})"));
            let meaning = paint.words(&meaning);
            let _ = write!(text, "\n   {}{meaning}: {}", rhythm.name(), names.join(" "));
        }
    }
    let standing = standing(scene.status, scene.layout);
    let _ = write!(text, "\n   {}", paint.words(&standing));
    if let Some(pieces) = pieces {
        text += &notes(pieces, paint);
    }
    text.push('\n');
    text
}

/// Blanks from the last written column to `to`.
fn gap(from: usize, to: u16) -> usize {
    (usize::from(to) + 1).saturating_sub(from)
}

/// The points, row by row, and below them the names of their columns.
fn rows(scene: &Scene<'_>, pieces: Option<&Pieces>, paint: AnswerColours) -> String {
    let layout = scene.layout;
    let laid = pieces.filter(|pieces| !pieces.on.is_empty());
    let pitch = if laid.is_some() { 3 } else { 2 };
    let cells = Places::new(layout).cells(pitch, 1);
    let names = places::edge_names(layout);
    let mut text = String::new();
    for (points, letters) in layout.in_rows().zip(scene.rows()) {
        let beside = |edge| places::beside_row(&names, points.clone(), edge);
        let _ = write!(text, "{:>2} ", beside(NameSide::Left));
        let mut column = 0;
        for (at, letter) in points.clone().zip(letters.chars()) {
            let x = cells[at.index()].0;
            let piece = laid.and_then(|pieces| pieces.at(at));
            let sign = pieces.and_then(|pieces| pieces.sign(at));
            let (shown, width) = match (piece, sign) {
                (Some(piece), _) => (lying(piece, paint), piece.letters().len()),
                (None, Some(sign)) => (signed(sign, colour_of(letter), paint), 1),
                (None, None) => (point(letter, paint), 1),
            };
            let mut blanks = " ".repeat(gap(column, x));
            if pieces.is_some_and(|pieces| has_wall(pieces, at, layout)) {
                blanks.pop();
                blanks.push('|');
            }
            let is_marked = scene.marked.contains(&at);
            if is_marked {
                let opens = match blanks.pop() {
                    Some(_) => '[',
                    // The end of the bracket of the previous point is also the start of
                    // this one's.
                    None => text.pop().map_or('[', |_| '|'),
                };
                blanks.push(opens);
            }
            text += &blanks;
            text += &shown;
            column = usize::from(x) + 1 + width;
            if is_marked {
                text.push(']');
                column += 1;
            }
        }
        let letters = beside(NameSide::Right);
        if !letters.is_empty() {
            let _ = write!(text, " {letters}");
        }
        text.push('\n');
    }
    text += "   ";
    let mut column = 0;
    for name in places::below(&names, |point| cells[point.index()].0) {
        let x = cells[name.point.index()].0;
        let _ = write!(text, "{:1$}{2}", "", gap(column, x), name.text);
        column = usize::from(x) + 1 + name.text.len();
    }
    text
}

/// The turn lights next to the display, the tick, and the sound.
fn case(scene: &Scene<'_>, paint: AnswerColours) -> String {
    let [green, red] = scene.frame.turn_seen(scene.tick);
    let Frame {
        display, beep_hz, ..
    } = scene.frame;
    let light = |on: bool, colour: Colour| {
        let colour = if on { colour } else { Colour::OFF };
        point(colour.letter(), paint)
    };
    let mut text = format!(
        "\n   {} [{display:<12}] {}  tick {}",
        light(green, Colour::GREEN),
        light(red, Colour::RED),
        scene.tick
    );
    if *beep_hz > 0 {
        let _ = write!(text, ", {beep_hz} Hz");
    }
    text
}

/// The notes about the pieces: a note, where the next move has to be, and the legend.
fn notes(pieces: &Pieces, paint: AnswerColours) -> String {
    let legend = match paint {
        AnswerColours::Ansi(palette) => Some(pieces.legend_in(palette)),
        AnswerColours::Letters => None,
    };
    let legend = legend.as_deref().unwrap_or(pieces.legend);
    let mut text = String::new();
    for (before, words) in [
        ("; ", pieces.note.as_str()),
        ("; open: ", pieces.open.as_str()),
        ("\n   ", legend),
    ] {
        if !words.is_empty() {
            let _ = write!(text, "{before}{}", paint.words(words));
        }
    }
    text
}

/// True if there is a wall to the left of this point.
fn has_wall(pieces: &Pieces, at: Point, layout: Layout) -> bool {
    layout.sides().is_some_and(|sides| {
        let (column, row) = (f32::from(sides.column(at)), f32::from(sides.row(at)));
        pieces.lines.iter().any(|line| {
            line.kind == LineKind::Wall
                && line.from.x == column - 0.5
                && (line.from.y..line.to.y).contains(&row)
        })
    })
}

fn lying(piece: Piece, paint: AnswerColours) -> String {
    let letters = match paint {
        AnswerColours::Ansi(palette) => piece.letters_in(palette),
        AnswerColours::Letters => piece.letters(),
    };
    in_colour(&letters, piece.colour(), paint)
}

fn signed(sign: char, colour: Colour, paint: AnswerColours) -> String {
    let sign = match paint {
        AnswerColours::Ansi(palette) => palette.sign(sign),
        AnswerColours::Letters => sign,
    };
    in_colour(&sign.to_string(), colour, paint)
}

/// Letters in this colour, if colours are used.
fn in_colour(letters: &str, colour: Colour, paint: AnswerColours) -> String {
    let AnswerColours::Ansi(palette) = paint else {
        return letters.to_owned();
    };
    let shade = palette.shade(colour);
    format!("\x1b[38;5;{}m{letters}\x1b[0m", shade.terminal)
}

fn colour_of(letter: char) -> Colour {
    Colour::from_letter(letter).unwrap_or_default()
}

fn point(letter: char, paint: AnswerColours) -> String {
    let AnswerColours::Ansi(_) = paint else {
        return letter.to_string();
    };
    let colour = colour_of(letter);
    in_colour(&sign_of(colour).to_string(), colour, paint)
}
