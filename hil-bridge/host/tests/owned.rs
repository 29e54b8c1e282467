//! Who owns the drawing of a text and the notes about it: boards, sessions and recordings
//! continue without the text, and drawings without an owner are dropped. All tests share
//! the table of the process, so they run one at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use firmware_core::games::LAYOUTS_OWN;
use protocol::{Button, Deed, Input, KnownDrawing, Layout};
use touchboard_host::background::{Background, background};
use touchboard_host::session::{Header, SessionItem};
use touchboard_host::written::{self, TextGame};
use touchboard_host::{CoreDriver, Driver, RecordingDriver, Session};

fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A small game with this board and this rule in words, as if a file had just been saved.
fn saved(side: u32, rule: &str) -> TextGame {
    let text = format!(
        "(game \"Saved Often\" (players 2) (equipment {{(board (square {side})) \
         (piece \"Disc\" Each)}}) (rules (play (move Add (to (sites Empty)))) \
         (end (\"Line3Win\"))) (metadata (info (rules \"{rule}\"))))"
    );
    written::of_text("saved", &text, &[]).unwrap()
}

fn rules(layout: Layout) -> Option<String> {
    let rules = written::how_to(LAYOUTS_OWN, layout)?;
    rules.play().next().map(str::to_owned)
}

fn begin(board: &mut dyn Driver) {
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 100).unwrap();
}

fn touch(board: &mut dyn Driver, name: &str) {
    let point = board.layout().point(name).unwrap();
    let tap = [Input::Touch(point), Input::Release(point)];
    board.step(&tap, 100).unwrap();
}

#[test]
fn saving_a_text_repeatedly_leaks_no_drawings() {
    let _turn = turn();
    let mut shown = saved(3, "Put a disc.");
    for save in 0..1_000 {
        let rule = format!("Put disc {save}.");
        // Most saves only change the words; some change the board.
        shown = saved(3 + save / 100 % 2, &rule);
        assert_eq!(KnownDrawing::count(), 1);
        assert_eq!(rules(*shown.layout), Some(rule));
    }
    let layout = shown.layout.layout();
    drop(shown);
    assert_eq!(KnownDrawing::count(), 0);
    assert_eq!(written::played_on(layout), None);
    assert!(written::how_to(LAYOUTS_OWN, layout).is_none());
}

#[test]
fn a_board_outlives_its_text() {
    let _turn = turn();
    let chess = written::library::text("chess").unwrap();
    let game = written::of_text("chess", chess, &[]).unwrap();
    let layout = game.layout.layout();
    let said = rules(layout);
    let mut board = CoreDriver::new(layout, 1).unwrap();
    drop(game);
    assert_eq!(KnownDrawing::count(), 1);
    begin(&mut board);
    for name in ["e2", "e4"] {
        touch(&mut board, name);
    }
    assert!(board.status().unwrap().last_move.is_some());
    assert_eq!(rules(layout), said);
    assert_eq!(background(layout), Background::Chequered);
    let state = board.save().unwrap();
    let mut other = CoreDriver::new(Layout::MALDOO, 2).unwrap();
    other.load(&state).unwrap();
    drop(board);
    assert_eq!(KnownDrawing::count(), 1, "the other board has it");
    assert_eq!(
        other.layout().name(layout.point("e4").unwrap()).to_string(),
        "e4"
    );
    other
        .carry_out(&Deed::Reset {
            seed: 1,
            layout: Layout::MALDOO,
        })
        .unwrap();
    assert_eq!(KnownDrawing::count(), 0);
}

#[test]
fn a_session_owns_the_drawings_of_its_layouts() {
    let _turn = turn();
    let (small, large) = (saved(3, "Put."), saved(4, "Put."));
    let mut board = CoreDriver::new(*small.layout, 1).unwrap();
    begin(&mut board);
    touch(&mut board, "b2");
    let state = board.save().unwrap();
    let mut session = Session::new(Header::new(Layout::MALDOO, 1, "three boards"));
    let (seed, layout) = (5, large.layout.layout());
    session.push(10, SessionItem::Do(Deed::Reset { seed, layout }));
    session.push(20, Input::Touch(layout.point("d4").unwrap()).into());
    session.push(30, SessionItem::Load(state));
    session.push(200, SessionItem::End);
    drop((board, large));
    let text = session.to_text();
    assert_eq!(KnownDrawing::count(), 2);
    let replayed = |session: &Session| {
        let mut board = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        assert_eq!(session.replay(&mut board, &mut |_| ()).unwrap(), None);
        board.digest().unwrap()
    };
    let digest = replayed(&session);
    drop(session);
    assert_eq!(KnownDrawing::count(), 1);
    // A state names its drawing but does not contain it; here the text still owns it.
    let read = Session::parse(text.as_bytes()).unwrap();
    drop(small);
    assert_eq!(KnownDrawing::count(), 2);
    assert_eq!(replayed(&read), digest);
    assert_eq!(read.to_text(), text);
    drop(read);
    assert_eq!(KnownDrawing::count(), 0);
}

#[test]
fn going_back_works_after_the_text_is_dropped() {
    let _turn = turn();
    let game = saved(3, "Put.");
    let board = CoreDriver::new(Layout::MALDOO, 1).unwrap();
    let mut board = RecordingDriver::from_now(board, 1, "a test").unwrap();
    let (seed, layout) = (5, game.layout.layout());
    board.carry_out(&Deed::Reset { seed, layout }).unwrap();
    drop(game);
    begin(&mut board);
    touch(&mut board, "b2");
    let digest = board.digest().unwrap();
    let then = board.tick();
    let nine = CoreDriver::new(Layout::MALDOO, 9).unwrap().save().unwrap();
    board.step(&[], 2_000).unwrap();
    board.go_to(then).unwrap();
    assert_eq!(board.digest().unwrap(), digest);
    // A state of another layout is loaded; the session still describes the earlier
    // one.
    board.load(&nine).unwrap();
    assert_eq!(board.layout(), Layout::MALDOO);
    let session = board.session();
    drop(board);
    assert_eq!(session.header.layout, layout);
    assert!(session.to_text().contains("\"touch\":\"b2\""));
    drop(session);
    assert_eq!(KnownDrawing::count(), 0);
}
