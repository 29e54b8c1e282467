//! The pane of the thinking: what the board's own player has found so far. It shows the
//! best move, its value, the depth of the search, and the work per tick.
//! [`overlay`](super::overlay) draws the moves on the board.

use bevy::ecs::system::InMut;
use bevy::prelude::Res;
use bevy_egui::egui::{Label, RichText, ScrollArea, Ui};
use firmware_core::thought::{Thought, Worth};
use protocol::{Layout, Point, Tick};

use super::super::style;
use super::inspected::Inspected;
use crate::source::Shown;

/// Shows the pane of the board's thinking.
pub(in crate::workbench) fn show(
    InMut(ui): InMut<Ui>,
    shown: Res<Shown>,
    inspected: Res<Inspected>,
) {
    let Some(board) = inspected.board() else {
        style::note(ui, "The board's state is not known yet.");
        return;
    };
    let Some(thought) = inspected.thought() else {
        let words = match shown.status.settings.level {
            0 => "At level 0 only people play, so the board does not think.",
            _ => "It is not the board's turn. Freeze time (f) as soon as it is, and step (, or .)",
        };
        style::note(ui, words);
        return;
    };
    let layout = board.layout();
    let line = inspected.line();
    let rows = rows(thought, line, board.tick(), layout);
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        for (name, value, words) in rows {
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(name).color(style::faint()));
                ui.add(Label::new(value)).on_hover_text(words);
            });
        }
        if thought.is_empty() {
            style::note(
                ui,
                "This player does not look ahead: it reacts, like a hand.",
            );
        }
    });
}

/// A row: a name, a value, and the meaning of the value.
type Row = (&'static str, String, &'static str);

/// The rows of a thought: its result first, then the work behind it.
fn rows(thought: &Thought, line: &[Point], now: Tick, layout: Layout) -> Vec<Row> {
    let mut rows = result_rows(thought, line, layout);
    rows.extend(work_rows(thought, now));
    rows
}

/// The rows of the moves that it has found, and of their value.
fn result_rows(thought: &Thought, line: &[Point], layout: Layout) -> Vec<Row> {
    let name = |point: Point| layout.name(point).to_string();
    let mut rows = Vec::new();
    if let Some(best) = thought.best {
        let words = "What it would play if its time were over now; ringed on the board";
        rows.push(("Best move", name(best), words));
    }
    match thought.worth {
        Some(Worth::Value(value)) => rows.push((
            "Worth",
            format!("{value:+}"),
            "In the units of the game's own evaluation; above 0 is good for the player",
        )),
        Some(Worth::WonPermille(won)) => rows.push((
            "Wins",
            format!("{}.{} %", won / 10, won % 10),
            "Of the random games through this move; a draw counts half",
        )),
        None => {}
    }
    if thought.depth > 0 {
        let moves = if thought.depth == 1 { "move" } else { "moves" };
        rows.push((
            "Depth",
            format!("{} {moves} ahead", thought.depth),
            "It looks one move ahead, then two, and so on",
        ));
    }
    if line.len() > 1 {
        let line: Vec<String> = line.iter().map(|point| name(*point)).collect();
        rows.push((
            "Expects",
            line.join(" "),
            "Its own move, the answer that it fears most, and so on",
        ));
    }
    rows
}

/// The rows of the games, the time and the positions that it took.
fn work_rows(thought: &Thought, now: Tick) -> Vec<Row> {
    let mut rows = Vec::new();
    if thought.playouts > 0 {
        rows.push((
            "Playouts",
            thought.playouts.to_string(),
            "Random games that it has played to their end",
        ));
    }
    let Some(began) = thought.began else {
        return rows;
    };
    let ticks = now.saturating_sub(began);
    rows.push((
        "Thinks for",
        format!("{ticks} ms"),
        "Since its turn began; pauses of the game included",
    ));
    if thought.positions_per_tick > 0 {
        let looked = ticks * Tick::from(thought.positions_per_tick);
        rows.push((
            "Positions",
            format!("up to {looked}, {} a tick", thought.positions_per_tick),
            "The work in a tick is fixed, so that every board finds the same move",
        ));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thought_has_rows_only_for_its_known_parts() {
        let layout = Layout::MALDOO;
        assert_eq!(rows(&Thought::default(), &[], 9, layout), []);
        let thought = Thought {
            best: Some(Point(4)),
            worth: Some(Worth::WonPermille(512)),
            depth: 1,
            playouts: 40,
            line: [Point(4), Point(7)].into_iter().collect(),
            positions_per_tick: 3,
            began: Some(100),
        };
        let told: Vec<String> = rows(&thought, &thought.line, 150, layout)
            .into_iter()
            .map(|(name, value, _)| format!("{name}: {value}"))
            .collect();
        assert_eq!(
            told,
            [
                "Best move: e9",
                "Wins: 51.2 %",
                "Depth: 1 move ahead",
                "Expects: e9 h9",
                "Playouts: 40",
                "Thinks for: 50 ms",
                "Positions: up to 150, 3 a tick",
            ]
        );
    }
}
