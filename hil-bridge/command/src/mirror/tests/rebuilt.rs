//! Two boards side by side, where rebuilt firmware does something else.

use touchboard_host::recorder::{Divergence, Rerun};

use super::*;

/// A game whose firmware was rebuilt, with different lights on two points.
fn built_anew() -> Session {
    let mut session = game();
    let (mut before, layout) = (session.spy.core.frame().clone(), Layout::MALDOO);
    before.points.set(point("e4"), Colour::GREEN);
    let mut after = before.clone();
    after.points.set(point("e4"), Colour::RED);
    after.points.set(point("a1"), Colour::AMBER);
    let first = Divergence {
        tick: session.spy.core.tick(),
        moves: 1,
        what: "e4 was green, now red".to_owned(),
        layout: layout.into(),
        before,
        after,
    };
    session.spy.remarks = vec![format!("the board was rebuilt: {first}")];
    session.goes_on(Some(first));
    session
}

impl Session {
    /// The board was rebuilt, and continues the game.
    fn goes_on(&mut self, first: Option<Divergence>) {
        self.spy.rerun = Some(Rerun {
            first,
            moves: 1,
            tick: self.spy.core.tick(),
        });
        pass_seconds(self, 1);
    }
}

#[test]
fn a_difference_is_shown_on_two_boards_side_by_side() {
    let session = built_anew();
    insta::assert_snapshot!(session.terminal(80, 24).backend());
}

#[test]
fn two_boards_of_hexagons_are_shown_as_hexagons() {
    let mut session = lit(hexagon(), &THREE_LINES);
    let before = session.spy.frame().clone();
    let mut after = before.clone();
    after.points.set(session.point("i5"), Colour::OFF);
    session.goes_on(Some(Divergence {
        tick: session.spy.core.tick(),
        moves: 1,
        what: "i5 was red, now off".to_owned(),
        layout: hexagon(),
        before,
        after,
    }));
    insta::assert_snapshot!(session.terminal(80, 24).backend());
}

#[test]
fn a_difference_is_a_sentence_if_two_boards_do_not_fit() {
    let session = built_anew();
    let screen = lines(&session, 40, 34).join(" ").replace('"', "");
    let words: Vec<&str> = screen.split_whitespace().collect();
    let screen = words.join(" ");
    assert!(!screen.contains("Esc closes"), "{screen}");
    assert!(screen.contains("e4 was green, now red"), "{screen}");
}

#[test]
fn two_boards_disappear_when_closed_or_in_agreement() {
    let mut session = built_anew();
    assert_eq!(session.mirror.open, Some(Open::Boards));
    session.goes_on(None);
    assert_eq!(session.mirror.open, None);
    let mut session = built_anew();
    let escape = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
    session.event(Event::Key(escape));
    assert_eq!(session.mirror.open, None);
}
