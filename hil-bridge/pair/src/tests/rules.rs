//! What each person may do, on a real board.

use protocol::{Button, Deed, Input, Settings, Side};
use touchboard_host::standing::phase;
use touchboard_host::{CoreDriver, Driver};

use super::table::first_board;
use crate::message::{TableDeed, TableEntry, TableSeat};
use crate::opening;
use crate::rules::{NotAllowed, TableRules, TableRuling};

struct Board {
    board: CoreDriver,
    rules: TableRules,
}

impl Board {
    fn new() -> Board {
        Board {
            board: opening::board(&first_board(), 3).unwrap(),
            rules: TableRules::default(),
        }
    }

    /// Judges a deed, and carries it out if it counts.
    fn does(&mut self, seat: TableSeat, deed: TableDeed) -> TableRuling {
        let tick = self.board.tick();
        let status = self.board.status().unwrap();
        let ruling = self.rules.judge(&TableEntry { tick, seat, deed }, &status);
        if ruling == TableRuling::Counts {
            let deed = match deed {
                TableDeed::Input(input) => Deed::Input(input),
                TableDeed::Settings(settings) => Deed::Settings(settings),
            };
            self.board.carry_out(&deed).unwrap();
        }
        ruling
    }

    fn input(&mut self, seat: TableSeat, input: Input) -> TableRuling {
        self.does(seat, TableDeed::Input(input))
    }

    fn push(&mut self, seat: TableSeat, button: Button) -> TableRuling {
        let ruling = self.input(seat, Input::Press(button));
        self.input(seat, Input::Lift(button));
        ruling
    }

    fn is_on(&mut self) -> bool {
        phase(&self.board.status().unwrap()).is_on()
    }

    /// Touches a legal point.
    fn moves(&mut self, seat: TableSeat) -> TableRuling {
        self.board.step(&[], 2_000).unwrap();
        let point = self.board.legal().unwrap()[0];
        let ruling = self.input(seat, Input::Touch(point));
        self.input(seat, Input::Release(point));
        ruling
    }
}

use TableSeat::{First, Second};

#[test]
fn only_the_side_to_move_touches() {
    let mut board = Board::new();
    assert_eq!(board.push(Second, Button::Start), TableRuling::Counts);
    assert!(board.is_on());
    let greens = TableRuling::Not(NotAllowed::TurnOf(Side::Green));
    assert_eq!(board.moves(Second), greens);
    assert_eq!(board.input(Second, Input::Pass), greens);
    assert_eq!(board.moves(First), TableRuling::Counts);
    let reds = TableRuling::Not(NotAllowed::TurnOf(Side::Red));
    assert_eq!(board.moves(First), reds);
    assert_eq!(board.moves(Second), TableRuling::Counts);
}

#[test]
fn settings_are_chosen_by_who_opened_the_table_and_not_during_a_game() {
    let mut board = Board::new();
    let settings = TableDeed::Settings(Settings {
        time: 3,
        ..Settings::default()
    });
    let not = TableRuling::Not(NotAllowed::Settings);
    assert_eq!(board.does(Second, settings), not);
    assert_eq!(board.push(Second, Button::Game), not);
    assert_eq!(board.does(First, settings), TableRuling::Counts);
    assert_eq!(board.push(First, Button::Speed), TableRuling::Counts);
    board.push(First, Button::Start);
    let during = TableRuling::Not(NotAllowed::DuringGame);
    assert_eq!(board.does(First, settings), during);
}

#[test]
fn a_button_that_ends_a_game_counts_once_both_pressed_it() {
    let mut board = Board::new();
    board.push(First, Button::Start);
    let asks = TableRuling::Asks(Button::Start);
    assert_eq!(board.push(First, Button::Start), asks);
    assert_eq!(
        board.push(First, Button::Start),
        asks,
        "nobody agrees with himself"
    );
    let game = TableRuling::Asks(Button::Game);
    assert_eq!(
        board.push(Second, Button::Game),
        game,
        "another button is another question"
    );
    assert_eq!(board.push(Second, Button::Start), asks);
    assert_eq!(board.push(First, Button::Start), TableRuling::Counts);
    assert_eq!(board.push(Second, Button::Game), game);
    board.board.step(&[], 30_001).unwrap();
    assert_eq!(
        board.push(First, Button::Game),
        game,
        "a question from long ago is over"
    );
    assert!(board.is_on());
    assert_eq!(board.push(Second, Button::Game), TableRuling::Counts);
    assert!(!board.is_on());
}

#[test]
fn either_stops_time_and_either_lets_it_go_on() {
    let mut board = Board::new();
    board.push(First, Button::Start);
    board.moves(First);
    for seat in [First, Second] {
        assert_eq!(board.push(seat, Button::Stop), TableRuling::Counts);
        assert!(board.board.status().unwrap().paused);
        assert_eq!(board.push(seat.other(), Button::Stop), TableRuling::Counts);
        assert!(!board.board.status().unwrap().paused);
    }
}

#[test]
fn a_finger_is_lifted_by_who_put_it_down() {
    let mut board = Board::new();
    let point = protocol::Point(4);
    let (down, up) = (Input::Touch(point), Input::Release(point));
    let not = TableRuling::Not(NotAllowed::NotDown);
    assert_eq!(board.input(First, up), not);
    assert_eq!(board.input(First, down), TableRuling::Counts);
    assert_eq!(board.rules.to_lift(First), [up]);
    assert_eq!(board.input(Second, down), not);
    assert_eq!(board.input(Second, up), not);
    assert_eq!(board.input(First, up), TableRuling::Counts);
    assert_eq!(board.rules.to_lift(First), []);
}

#[test]
fn an_opening_that_is_no_new_board_is_a_sentence() {
    let line = String::from_utf8(first_board()).unwrap();
    let other = line.replace(env!("CARGO_PKG_VERSION"), "9.9.9");
    let more = format!("{line}\n{{\"tick\":5,\"end\":true}}\n");
    for (opening, words) in [
        ("no opening", "not a touchboard session"),
        (other.as_str(), "9.9.9"),
        (more.as_str(), "does not begin with a new board"),
    ] {
        let sentence = opening::board(opening.as_bytes(), 1).err().unwrap();
        let sentence = sentence.to_string();
        assert!(sentence.contains(words), "{sentence}");
    }
    let digest = |seed| {
        opening::board(&first_board(), seed)
            .unwrap()
            .digest()
            .unwrap()
    };
    assert_eq!(digest(5), digest(5));
    assert_ne!(digest(5), digest(6));
}
