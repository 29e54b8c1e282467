//! Boards whose layout is drawn.

use protocol::{Button, Deed, Event, Input, Layout, Refusal, Roster, Settings, Stop};

use crate::board::SNAPSHOT_BYTES;
use crate::games::testing::{hexagon, wheel};
use crate::{AnyBoard, Board};

const COL: u8 = 13;

fn roster() -> Roster {
    Roster::of(&[0, COL])
}

fn on(layout: Layout) -> AnyBoard {
    let mut board = AnyBoard::with_games(layout, roster(), 1).unwrap();
    board.carry_out(&Deed::Choose(COL), &mut |_, _| {}).unwrap();
    press_start(&mut board);
    board
}

fn press_start(board: &mut AnyBoard) -> std::vec::Vec<Event> {
    let mut events = std::vec::Vec::new();
    for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
        board.input(input, &mut |_, event| events.push(event));
    }
    events
}

fn tap(board: &mut AnyBoard, name: &str) {
    let point = board.layout().point(name).unwrap();
    for input in [Input::Touch(point), Input::Release(point)] {
        board.input(input, &mut |_, _| {});
    }
}

#[test]
fn a_game_continues_after_saving_and_loading() {
    for layout in [hexagon(), wheel()] {
        let mut board = on(layout);
        tap(&mut board, "b1");
        let mut buffer = [0; SNAPSHOT_BYTES];
        let saved = board.save(&mut buffer).unwrap();
        let mut other = AnyBoard::with_games(Layout::MALDOO, roster(), 9).unwrap();
        other.load(saved).unwrap();
        assert_eq!(other.digest(), board.digest());
        let known = layout.drawing().unwrap();
        assert_eq!(other.drawing(), Some(known.as_drawing()));
        for board in [&mut board, &mut other] {
            tap(board, "c3");
            board.advance(70_000, &mut |_, _| {});
        }
        assert_eq!(other.digest(), board.digest());
        assert_eq!(board.score().map(|score| score[0] > 0), Some(true));
    }
}

#[test]
fn a_game_of_rectangles_does_not_begin_on_another_layout() {
    let mut board = on(hexagon());
    board.carry_out(&Deed::Choose(0), &mut |_, _| {}).unwrap();
    let events = press_start(&mut board);
    assert!(events.contains(&Event::Stopped(Stop::Impossible)));
    assert_eq!(&*board.frame().display, "Grid only");
    assert_eq!(board.outcome(), None);
}

#[test]
fn a_state_with_a_game_that_does_not_fit_is_refused() {
    let mut board = AnyBoard::with_games(Layout::grid(8, 8).unwrap(), roster(), 1).unwrap();
    press_start(&mut board);
    let mut buffer = [0; SNAPSHOT_BYTES];
    let length = board.save(&mut buffer).unwrap().len();
    // The same bytes, except for the layout and the seal.
    let own = [0, 8, 8];
    let mut layout = [0; 16];
    let other = postcard::to_slice(&hexagon(), &mut layout).unwrap();
    assert_eq!(buffer[..3], own);
    let mut forged = other.to_vec();
    forged.extend(&buffer[own.len()..length - 8]);
    forged.extend(crate::digest::digest_of_bytes(&forged).to_le_bytes());
    assert_eq!(board.load(&forged), Err(Refusal::Snapshot));
}

#[test]
fn a_reset_needs_a_known_or_given_drawing() {
    let mut board = Board::<u64>::with_games(hexagon(), roster(), 3).unwrap();
    let unknown = Layout::Drawn { points: 9, id: 77 };
    let reset = |layout| Deed::Reset { seed: 5, layout };
    let tell = &mut |_, _| {};
    assert_eq!(
        board.carry_out(&reset(unknown), tell),
        Err(Refusal::NotDrawn(unknown))
    );
    assert_eq!(board.layout(), hexagon());
    let wide = Layout::Drawn { points: 65, id: 7 };
    assert_eq!(
        board.carry_out(&reset(wide), tell),
        Err(Refusal::Layout(wide))
    );
    let other = wheel().drawing().unwrap();
    board
        .restart_on_drawing(other.as_drawing(), roster(), 5)
        .unwrap();
    assert_eq!((board.layout(), board.seed()), (wheel(), 5));
    assert_eq!(board.settings(), Settings::default());
    board.carry_out(&reset(wheel()), tell).unwrap();
    assert_eq!(board.drawing(), Some(other.as_drawing()));
}
