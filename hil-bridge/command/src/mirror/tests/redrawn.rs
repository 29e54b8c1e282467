//! When the screen has to be drawn again.

use ratatui::buffer::Buffer;

use super::*;
use crate::mirror::seen::Seen;

/// The time between two looks at the board, as in a terminal.
const PICTURE_MS: u64 = 33;

impl Session {
    fn seen(&self) -> Seen {
        Seen::of(&self.spy, &self.mirror)
    }

    /// The screen without the status line, which has the time in it.
    fn screen(&self) -> Buffer {
        let mut screen = self.terminal(SCREEN.width, SCREEN.height);
        let mut screen = screen.backend_mut().buffer().clone();
        for place in self.geometry.status.positions() {
            screen[place].reset();
        }
        screen
    }
}

/// Lets time pass picture by picture, with these keys every few pictures. Returns how many
/// pictures differ from the one before, and how many would be drawn again.
fn pictures(session: &mut Session, count: usize, keys: &str) -> (usize, usize) {
    let mut keys = keys.chars();
    let (mut differ, mut drawn) = (0, 0);
    let (mut seen, mut screen) = (session.seen(), session.screen());
    for picture in 0..count {
        if picture % 3 == 0
            && let Some(key) = keys.next()
        {
            session.keys(&key.to_string());
            // Whatever a key does is drawn in any case.
            (seen, screen) = (session.seen(), session.screen());
        }
        session.pass(PICTURE_MS);
        let next = (session.seen(), session.screen());
        assert!(
            next.1 == screen || next.0 != seen,
            "picture {picture} differs, but it would not be drawn"
        );
        differ += usize::from(next.1 != screen);
        drawn += usize::from(next.0 != seen);
        (seen, screen) = next;
    }
    (differ, drawn)
}

#[test]
fn no_change_of_the_screen_is_missed() {
    // Reversi with a refused touch, Touch It with lights that come and go, and a game whose
    // pieces are more than its lights.
    let mut sessions = [game_of(1, 0), game_of(6, 0), game_at_home(TICDABTOE, 0)];
    for session in &mut sessions {
        let (differ, _) = pictures(session, 90, "D7 A1 E6 .C3 ");
        assert!(differ > 2, "only {differ} pictures differ");
    }
}

#[test]
fn a_still_board_is_drawn_only_when_it_blinks() {
    let mut session = Session::new();
    pass_seconds(&mut session, 10);
    let (differ, drawn) = pictures(&mut session, 60, "");
    assert_eq!((differ, drawn), (0, 0));

    let mut blinking = session.spy.frame().clone();
    blinking.points.set(point("d4"), Colour::GREEN);
    blinking.rhythms.set(point("d4"), protocol::Rhythm::Fast);
    session.spy.shown = Some(blinking.clone());
    let lights = |tick| blinking.points_seen(tick);
    let ticks = (0..=60).map(|picture| session.spy.tick() + picture * PICTURE_MS);
    let lights: Vec<_> = ticks.map(lights).collect();
    let blinks = lights.windows(2).filter(|two| two[0] != two[1]).count();
    assert!((2..30).contains(&blinks), "{blinks}");
    assert_eq!(pictures(&mut session, 60, ""), (blinks, blinks));
}
