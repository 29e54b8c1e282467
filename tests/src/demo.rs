//! A demonstration game for each game: green plays like a person, red like the board at
//! level 3.
//!
//! Green uses only what a person sees (the lights, and whose turn it is), with a hand
//! that needs time. In thinking games, green asks a second board for red's move in the
//! position with exchanged colours. The games are always the same.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use firmware_core::games::malaka::{MalakaPoint, Step};
use firmware_core::games::ticdabtoe;
use firmware_core::{AnyBoard, games};
use protocol::{
    Button, Colour, Deed, Diagram, Event, Input, Packed, Point, Position, Settings, Side, Tick,
};
use touchboard_host::session::{Header, Session, SessionItem};

use crate::record::{layout_of, roster_of};

/// How long a finger stays on a point.
const TOUCH_MS: Tick = 90;
/// How long a person thinks about a move, or looks at the board before the next touch.
const LOOK_MS: Tick = 420;
/// The delay between a visible change and the reaction of the hand.
const REACTION_MS: Tick = 330;
/// The interval at which green looks at the board.
const GLANCE_MS: Tick = 10;
/// The longest time that a board may think about a move.
const LONGEST_THOUGHT_MS: Tick = 10_000;
/// The level of red, and of the second board that green asks.
const LEVEL: u8 = 3;

/// Plays this game and mode to its end, or until this tick.
#[must_use]
pub fn demo(game: u8, mode: u8, until: Tick) -> Session {
    let settings = Settings {
        game,
        mode,
        level: LEVEL,
        ..Settings::default()
    };
    let name = games::about(game).map_or("?", |about| about.name);
    let mut table = Table::set_up(settings, &format!("a game of {name}, mode {mode}"));
    table.press(Button::Start);
    match name {
        "Ghost" => ghost(&mut table, until),
        "Life" if mode == 0 => race(&mut table, until),
        "TouchIt" => touch_it(&mut table, until),
        "Symmetry" => symmetry(&mut table, until),
        "FindThem" => find_them(&mut table, until),
        "Malaka" => race_of_pieces(&mut table, until),
        _ => in_thought(&mut table, until),
    }
    table.wait(LOOK_MS * 5);
    table.session.push(table.board.tick(), SessionItem::End);
    table.session
}

/// The board, and the session that is being recorded.
struct Table {
    board: AnyBoard,
    session: Session,
}

impl Table {
    fn set_up(settings: Settings, note: &str) -> Table {
        let (layout, roster) = (
            layout_of(settings.game, settings.mode),
            roster_of(settings.game),
        );
        let mut header = Header::new(layout, 1, note).with_games(roster);
        header.settings = Some(settings);
        let mut board = AnyBoard::with_games(layout, roster, 1).expect("a board for the game");
        board
            .carry_out(&Deed::Settings(settings), &mut |_, _| ())
            .expect("a game and a mode of the table");
        Table {
            board,
            session: Session::new(header),
        }
    }

    fn input(&mut self, input: Input) {
        self.session
            .push(self.board.tick(), SessionItem::Do(Deed::Input(input)));
        self.board.input(input, &mut |_, _| ());
    }

    fn wait(&mut self, ms: Tick) {
        self.board.advance(ms, &mut |_, _| ());
    }

    fn press(&mut self, button: Button) {
        self.input(Input::Press(button));
        self.wait(TOUCH_MS);
        self.input(Input::Lift(button));
    }

    /// Touches a point and releases it, and then records the digest, so that a replay
    /// proves something.
    fn tap(&mut self, point: Point) {
        self.input(Input::Touch(point));
        self.wait(TOUCH_MS);
        self.input(Input::Release(point));
        self.session
            .push(self.board.tick(), SessionItem::Digest(self.board.digest()));
    }

    fn goes_on(&self, until: Tick) -> bool {
        self.board.outcome().is_none() && self.board.tick() < until
    }

    fn lit(&self, colour: Colour) -> BTreeSet<Point> {
        let frame = self.board.frame();
        let points = self.board.layout().iter();
        points
            .filter(|point| frame.points.get(*point) == colour)
            .collect()
    }

    /// The column from the left, and the row from the top.
    fn place(&self, point: Point) -> (u8, u8) {
        let layout = self.board.layout();
        (layout.column(point), layout.row(point))
    }
}

/// Plays a game in which both sides think before each touch.
fn in_thought(table: &mut Table, until: Tick) {
    while table.goes_on(until) {
        let is_green = table.board.turn() == Some(Side::Green);
        let point = is_green.then(|| best_allowed(&table.board)).flatten();
        match point {
            Some(point) => {
                table.wait(LOOK_MS);
                table.tap(point);
            }
            None => table.wait(LOOK_MS),
        }
    }
}

/// The legal point nearest to the best one. The adviser does not know earlier moves,
/// which make some points illegal in some games.
fn best_allowed(board: &AnyBoard) -> Option<Point> {
    let best = best(board)?;
    let layout = board.layout();
    let allowed = board.legal_points();
    allowed.into_iter().min_by_key(|point| {
        let right = layout.column(*point).abs_diff(layout.column(best));
        let down = layout.row(*point).abs_diff(layout.row(best));
        right.max(down)
    })
}

/// This position with exchanged colours and red to move.
fn exchanged(board: &AnyBoard) -> Option<Position> {
    if let Some(position) = board.ticdabtoe() {
        let marks = std::array::from_fn(|block| {
            let [green, red] = position.marks(block);
            [red, green]
        });
        let other = ticdabtoe::Position::of(marks, Side::Red, position.last())?;
        return Some(Position::Own {
            game: games::number::TICDABTOE,
            bytes: other.bytes().into_iter().collect(),
        });
    }
    let mut diagram = Diagram {
        points: Packed::default(),
        turn: Side::Red,
    };
    for point in board.layout().iter() {
        let other = match board.frame().points.get(point) {
            Colour::GREEN => Colour::RED,
            Colour::RED => Colour::GREEN,
            colour => colour,
        };
        diagram.points.set(point, other);
    }
    Some(diagram.into())
}

/// The best move for red with exchanged colours.
fn best(board: &AnyBoard) -> Option<Point> {
    let position = exchanged(board)?;
    let mut adviser = AnyBoard::with_games(board.layout(), board.roster(), 1).ok()?;
    adviser
        .carry_out(&Deed::Settings(board.settings()), &mut |_, _| ())
        .ok()?;
    adviser
        .carry_out(&Deed::Position(position), &mut |_, _| ())
        .ok()?;
    let mut advice = None;
    adviser.advance(LONGEST_THOUGHT_MS, &mut |_, event| {
        if let Event::Move {
            side: Side::Red,
            point,
            ..
        } = event
        {
            advice.get_or_insert(point);
        }
    });
    advice
}

/// Plays the turn that leaves the shortest way to go, compared with that of the opponent.
fn race_of_pieces(table: &mut Table, until: Tick) {
    while table.goes_on(until) {
        let is_green = table.board.turn() == Some(Side::Green);
        let turn = is_green.then(|| quickest_turn(&table.board)).flatten();
        let Some(points) = turn else {
            table.wait(LOOK_MS);
            continue;
        };
        table.wait(LOOK_MS);
        for point in points {
            table.wait(LOOK_MS / 2);
            table.tap(point);
        }
    }
}

/// The touches of such a turn.
fn quickest_turn(board: &AnyBoard) -> Option<Vec<Point>> {
    let position = board.malaka()?;
    let sides = board.layout().sides()?;
    let mut best: Option<(i32, Vec<Step>)> = None;
    let _ = position.each_turn(|turn, after| {
        let [own, other] = [Side::Green, Side::Red].map(|side| i32::from(after.distance(side)));
        let worth = match after.winner() {
            Some(Side::Green) => i32::MAX,
            _ => other - own,
        };
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, turn.to_vec()));
        }
        ControlFlow::Continue(())
    });
    let point = |place: MalakaPoint| sides.at(place.column(), sides.rows() - 1 - place.row());
    let (_, turn) = best?;
    turn.iter()
        .flat_map(|step| [point(step.from), point(step.to)])
        .collect()
}

/// Follows the four lights, and now and then touches where they were before.
fn ghost(table: &mut Table, until: Tick) {
    let mut touches = 0u32;
    while table.goes_on(until) {
        if table.board.turn() != Some(Side::Green) {
            table.wait(GLANCE_MS);
            continue;
        }
        table.wait(REACTION_MS * 2);
        let lit = table.lit(Colour::GREEN);
        let is_ghost = |corner: &&Point| {
            let (column, row) = table.place(**corner);
            [(1, 0), (0, 1), (1, 1)].into_iter().all(|(right, down)| {
                let point = table.board.layout().at(column + right, row + down);
                point.is_some_and(|point| lit.contains(&point))
            })
        };
        let Some(corner) = lit.iter().find(is_ghost).copied() else {
            continue;
        };
        touches += 1;
        if touches.is_multiple_of(3) {
            table.wait(REACTION_MS * 2);
        } else {
            table.wait(REACTION_MS / 2);
        }
        table.tap(corner);
    }
}

/// Puts out lights, each time the one with the most lit neighbours.
fn race(table: &mut Table, until: Tick) {
    while table.goes_on(until) {
        if table.board.turn() != Some(Side::Green) {
            table.wait(GLANCE_MS);
            continue;
        }
        table.wait(REACTION_MS / 2);
        let lit = table.lit(Colour::GREEN);
        let neighbours = |point: &Point| {
            let (column, row) = table.place(*point);
            lit.iter()
                .filter(|other| {
                    let (other_column, other_row) = table.place(**other);
                    column.abs_diff(other_column) <= 1 && row.abs_diff(other_row) <= 1
                })
                .count()
        };
        if let Some(point) = lit.iter().copied().max_by_key(|point| neighbours(point)) {
            table.tap(point);
        }
    }
}

/// Touches a green light that has just appeared: the first one of a chain in every second
/// display, a later one in the others.
fn touch_it(table: &mut Table, until: Tick) {
    let mut before = BTreeSet::new();
    let mut displays = 0u32;
    while table.goes_on(until) {
        table.wait(GLANCE_MS);
        let now = table.lit(Colour::GREEN);
        displays += u32::from(before.is_empty() && now.len() == 1);
        let newest = now.difference(&before).next().copied();
        // A chain has at most three lights; the rings of a hit have more.
        let is_chain = now.len() <= 3 && now.is_superset(&before);
        let is_awaited = now.len() > 1 || displays.is_multiple_of(2);
        before = now;
        if let Some(point) = newest.filter(|_| is_chain && is_awaited) {
            table.wait(REACTION_MS);
            table.tap(point);
            before = table.lit(Colour::GREEN);
        }
    }
}

/// Touches the image of one point after the other, and once a wrong point.
fn symmetry(table: &mut Table, until: Tick) {
    table.wait(LOOK_MS);
    let pattern = table.lit(Colour::GREEN);
    let layout = table.board.layout();
    let last_row = layout.rows() - 1;
    for (number, point) in pattern.into_iter().enumerate() {
        if !table.goes_on(until) {
            return;
        }
        table.wait(LOOK_MS);
        let (column, row) = table.place(point);
        let wrong = layout.at(column, last_row - row - 1);
        if let Some(wrong) = wrong.filter(|_| number == 4) {
            table.tap(wrong);
            table.wait(LOOK_MS);
        }
        if let Some(image) = layout.at(column, last_row - row) {
            table.tap(image);
        }
    }
}

/// Remembers every second point of the pattern.
fn find_them(table: &mut Table, until: Tick) {
    table.wait(LOOK_MS);
    let shown = table.lit(Colour::GREEN);
    let mut remembered: Vec<Point> = shown.into_iter().collect();
    let layout = table.board.layout();
    while table.goes_on(until) {
        let is_dark = table.lit(Colour::GREEN).len() < remembered.len();
        if table.board.turn() != Some(Side::Green) || !is_dark {
            table.wait(GLANCE_MS);
            continue;
        }
        table.wait(LOOK_MS);
        let Some(point) = remembered.pop() else {
            return;
        };
        let beside = Point(point.0.saturating_add(1).min(layout.points() as u8 - 1));
        let slips = remembered.len().is_multiple_of(3);
        table.tap(if slips { beside } else { point });
    }
}
