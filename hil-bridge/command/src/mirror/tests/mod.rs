//! The mirror without a terminal: its screen, and the effects of keys and the mouse on
//! the board.

mod hands;
mod rebuilt;
mod redrawn;
mod screens;
mod spy;
mod terminals;
mod words;

use drawings::hexagon;
use protocol::{Colour, Deed, Input, KnownLayout, Layout, Point, Settings, Tick};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;

use self::spy::Spy;
use super::*;

const SCREEN: Rect = Rect::new(0, 0, 80, 24);

/// A mirror on a screen of 80 x 24, used with keys and mouse.
struct Session {
    spy: Spy,
    mirror: Mirror,
    geometry: Geometry,
}

impl Session {
    fn new() -> Session {
        Session::on(Layout::MALDOO)
    }

    fn on(layout: impl Into<KnownLayout>) -> Session {
        // From here on the board owns the drawing.
        let known = layout.into();
        let layout = known.layout();
        let mut spy = Spy::new(layout);
        let mirror = Mirror::new(&mut spy);
        let geometry = Geometry::new(SCREEN, layout).expect("80 x 24 is large enough");
        Session {
            spy,
            mirror,
            geometry,
        }
    }

    fn event(&mut self, event: Event) {
        if let Some(action) = keys::act(&event, Some(&self.geometry)) {
            self.mirror.act(&mut self.spy, action);
        }
    }

    fn keys(&mut self, letters: &str) {
        for letter in letters.chars() {
            let code = KeyCode::Char(letter);
            self.event(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        }
    }

    fn start(&mut self) {
        self.keys("n");
    }

    fn mouse(&mut self, kind: MouseEventKind, place: Rect) {
        self.event(Event::Mouse(MouseEvent {
            kind,
            column: place.x + 1,
            row: place.y,
            modifiers: KeyModifiers::NONE,
        }));
    }

    fn point(&self, name: &str) -> Point {
        self.spy.layout().point(name).expect("it is on the board")
    }

    fn mouse_at(&mut self, kind: MouseEventKind, name: &str) {
        let cell = self.geometry.cell(self.point(name));
        self.mouse(kind, cell);
    }

    fn pass(&mut self, ms: u64) {
        self.mirror
            .pass_time(&mut self.spy, Duration::from_millis(ms));
    }

    /// The inputs since the last call.
    fn inputs(&mut self) -> Vec<(Tick, Input)> {
        std::mem::take(&mut self.spy.inputs)
    }

    fn terminal(&self, width: u16, height: u16) -> Terminal<TestBackend> {
        let backend = TestBackend::new(width, height);
        let mut terminal = Terminal::new(backend).expect("memory is a terminal");
        terminal
            .draw(|frame| draw(frame, &self.spy, &self.mirror))
            .expect("memory is a terminal");
        terminal
    }
}

fn point(name: &str) -> Point {
    Layout::MALDOO.point(name).expect("it is on the board")
}

/// A game after a move, while an illegal touch makes points flash.
fn game() -> Session {
    let mut session = Session::new();
    session.pass(200);
    session.start();
    session.keys("D7 ");
    session.pass(200);
    session.keys("A1 ");
    session.pass(50);
    session
}

/// A board with these lights.
fn lit(layout: impl Into<KnownLayout>, lights: &[(&str, Colour)]) -> Session {
    let mut session = Session::on(layout);
    let mut frame = session.spy.frame().clone();
    for (name, colour) in lights {
        frame.points.set(session.point(name), *colour);
    }
    session.spy.shown = Some(frame);
    session
}

/// Three lines of a hexagon, from side to side.
const THREE_LINES: [(&str, Colour); 12] = [
    ("e9", Colour::GREEN),
    ("e8", Colour::GREEN),
    ("e7", Colour::GREEN),
    ("e6", Colour::GREEN),
    ("f5", Colour::RED),
    ("g5", Colour::RED),
    ("h5", Colour::RED),
    ("i5", Colour::RED),
    ("d4", Colour::AMBER),
    ("c3", Colour::AMBER),
    ("b2", Colour::AMBER),
    ("a1", Colour::AMBER),
];

/// The lines of a screen of this size, as text.
fn lines(session: &Session, width: u16, height: u16) -> Vec<String> {
    let terminal = session.terminal(width, height);
    let text = terminal.backend().to_string();
    text.lines().map(str::to_owned).collect()
}

/// A game with this number that was just started.
fn game_of(number: u8, mode: u8) -> Session {
    let mut session = Session::new();
    let status = session.spy.status().expect("it is in this process");
    let settings = Settings {
        game: number,
        mode,
        time: 5,
        ..status.settings
    };
    session
        .spy
        .carry_out(&Deed::Settings(settings))
        .expect("there is such a game");
    session.start();
    session
}

fn pass_seconds(session: &mut Session, seconds: u64) {
    for _ in 0..seconds * 4 {
        session.pass(250);
    }
}

/// A game that was just started on the board that it is made for.
fn game_at_home(game: u8, mode: u8) -> Session {
    let about = firmware_core::games::about(game).expect("it is in the table");
    let layout = Layout::Grid((about.made_for)(mode));
    let mut session = Session::on(layout);
    session.spy = Spy::with_games(layout, firmware_core::games::BUILT);
    let status = session.spy.status().expect("it is in this process");
    let settings = Settings {
        game,
        mode,
        time: 5,
        ..status.settings
    };
    let chosen = session.spy.carry_out(&Deed::Settings(settings));
    chosen.expect("there is such a game");
    session.start();
    session
}

fn set_up(session: &mut Session, game: u8, text: &str) {
    let position = touchboard_host::position::in_words(game, text, session.spy.layout());
    let position = position.expect("it has positions").expect("one of them");
    let done = session.spy.carry_out(&Deed::Position(position));
    done.expect("it can be so");
    session.pass(1);
}

const ISHIDO: u8 = 11;
const TICDABTOE: u8 = 12;

/// Green has a line in block a4, and red's last mark opens block d2.
fn marks() -> Session {
    let mut session = game_at_home(TICDABTOE, 0);
    let empty = "/................".repeat(13);
    let rows = "gggg............/rr............../.......r........";
    set_up(
        &mut session,
        TICDABTOE,
        &format!("{rows}{empty} turn green last h14"),
    );
    session.pass(300);
    session
}
