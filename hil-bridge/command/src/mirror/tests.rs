//! The mirror without a terminal: its screen, and the effects of keys and the mouse on the board.

use drawings::{hexagon, ring};
use protocol::{
    Button, Colour, Deed, Input, KnownLayout, Layout, Point, Settings, StampedEvent, Status, Tick,
};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use touchboard_host::recorder::{Divergence, Rerun};
use touchboard_host::{CoreDriver, DriverError, standing};
use touchboard_links::LinkError;

use super::*;

/// A board that records its inputs and can be unplugged.
struct Spy {
    core: CoreDriver,
    inputs: Vec<(Tick, Input)>,
    is_unplugged: bool,
    begins_anew: bool,
    remarks: Vec<String>,
    /// The frame that it shows instead of its core's.
    shown: Option<protocol::Frame>,
    rerun: Option<Rerun>,
}

impl Spy {
    fn new(layout: Layout) -> Spy {
        Spy::with_games(layout, firmware_core::games::ROSTER)
    }

    fn with_games(layout: Layout, roster: protocol::Roster) -> Spy {
        Spy {
            core: CoreDriver::with_games(layout, roster, 7).expect("the layout is one"),
            inputs: Vec::new(),
            is_unplugged: false,
            begins_anew: false,
            remarks: Vec::new(),
            shown: None,
            rerun: None,
        }
    }

    fn reach(&mut self) -> Result<&mut CoreDriver, DriverError> {
        if std::mem::take(&mut self.begins_anew) {
            return Err(DriverError::Restarted("core".to_owned()));
        }
        if self.is_unplugged {
            return Err(LinkError::lost("the cable is out".to_owned()));
        }
        Ok(&mut self.core)
    }
}

impl Driver for Spy {
    fn at(&self) -> &str {
        "core"
    }
    fn layout(&self) -> Layout {
        self.core.layout()
    }
    fn roster(&self) -> protocol::Roster {
        self.core.roster()
    }
    fn tick(&self) -> Tick {
        self.core.tick()
    }
    fn frame(&self) -> &protocol::Frame {
        self.shown.as_ref().unwrap_or(self.core.frame())
    }
    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        let tick = self.core.tick();
        self.reach()?.step(inputs, ticks)?;
        self.inputs
            .extend(inputs.iter().map(|input| (tick, *input)));
        Ok(())
    }
    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError> {
        self.reach()?.carry_out(deed)
    }
    fn status(&mut self) -> Result<Status, DriverError> {
        self.reach()?.status()
    }
    fn legal(&mut self) -> Result<Vec<Point>, DriverError> {
        self.reach()?.legal()
    }
    fn digest(&mut self) -> Result<u64, DriverError> {
        self.reach()?.digest()
    }
    fn save(&mut self) -> Result<Vec<u8>, DriverError> {
        self.reach()?.save()
    }
    fn load(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        self.reach()?.load(bytes)
    }
    fn take_events(&mut self) -> Vec<StampedEvent> {
        self.core.take_events()
    }
    fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }
    fn take_rerun(&mut self) -> Option<Rerun> {
        self.rerun.take()
    }
}

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

const DOWN: MouseEventKind = MouseEventKind::Down(MouseButton::Left);
const DRAG: MouseEventKind = MouseEventKind::Drag(MouseButton::Left);
const UP: MouseEventKind = MouseEventKind::Up(MouseButton::Left);

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

#[test]
fn a_game_on_an_ordinary_screen() {
    insta::assert_snapshot!(game().terminal(80, 24).backend());
}

#[test]
fn a_game_on_a_large_screen_has_discs_for_points() {
    insta::assert_snapshot!(game().terminal(120, 40).backend());
}

#[test]
fn a_game_on_a_narrow_screen_has_the_case_below() {
    insta::assert_snapshot!(game().terminal(50, 34).backend());
}

#[test]
fn a_screen_that_is_too_small_says_how_large_it_has_to_be() {
    insta::assert_snapshot!(game().terminal(30, 8).backend());
}

#[test]
fn the_keys_are_listed_over_the_board() {
    let mut session = game();
    session.keys("?");
    insta::assert_snapshot!(session.terminal(80, 24).backend());
}

#[test]
fn a_board_of_256_points_fits_an_ordinary_screen() {
    let layout = Layout::grid(16, 16).expect("16 is the longest side");
    let mut session = Session::new();
    session.spy = Spy::new(layout);
    session.start();
    insta::assert_snapshot!(session.terminal(80, 24).backend());
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

#[test]
fn a_hexagon_has_its_rows_shifted_by_half_a_point() {
    insta::assert_snapshot!(lit(hexagon(), &THREE_LINES).terminal(80, 24).backend());
}

#[test]
fn a_hexagon_on_a_large_screen_has_discs_for_points() {
    insta::assert_snapshot!(lit(hexagon(), &THREE_LINES).terminal(110, 40).backend());
}

#[test]
fn a_ring_is_round() {
    let lights = [("c7", Colour::GREEN), ("c4", Colour::AMBER)];
    insta::assert_snapshot!(lit(ring(), &lights).terminal(80, 24).backend());
}

#[test]
fn the_mouse_touches_what_lies_under_it_on_a_hexagon() {
    let mut session = Session::on(hexagon());
    for point in hexagon().iter() {
        let cell = session.geometry.cell(point);
        session.mouse(DOWN, cell);
        session.mouse(UP, cell);
        let touch = [(0, Input::Touch(point)), (0, Input::Release(point))];
        assert_eq!(session.inputs(), touch);
    }
    // To the left of the upper row, where a rectangle would have a point.
    let corner = session.geometry.points;
    session.mouse(DOWN, corner);
    assert_eq!(session.inputs(), []);
}

#[test]
fn arrows_and_names_lead_over_a_hexagon() {
    let mut session = Session::on(hexagon());
    assert_eq!(session.mirror.cursor, session.point("e5"));
    for (code, name) in [
        (KeyCode::Up, "e6"),
        (KeyCode::Up, "f7"),
        (KeyCode::Right, "g7"),
        (KeyCode::Down, "f6"),
        (KeyCode::Left, "e6"),
    ] {
        session.event(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        assert_eq!(session.mirror.cursor, session.point(name), "{code:?}");
    }
    for (keys, name) in [("9", "e9"), ("H", "h9"), ("4", "h4"), ("A", "a4")] {
        session.keys(keys);
        assert_eq!(session.mirror.cursor, session.point(name), "{keys}");
    }
}

#[test]
fn any_screen_can_be_painted() {
    for session in [game(), lit(hexagon(), &THREE_LINES), lit(ring(), &[])] {
        for width in 1..140 {
            for height in [1, 2, 5, 11, 12, 24, 25, 60] {
                let terminal = session.terminal(width, height);
                let painted = terminal.backend().buffer();
                assert_eq!(*painted.area(), Rect::new(0, 0, width, height));
                let blank = painted.content().iter().all(|cell| cell.symbol() == " ");
                assert!(!blank || width < 4, "{width}x{height}");
            }
        }
    }
}

#[test]
fn points_and_lights_have_their_colours_and_what_is_touched_is_reversed() {
    let session = game();
    let terminal = session.terminal(80, 24);
    let buffer = terminal.backend().buffer();
    let at = |name: &str| {
        let cell = session.geometry.cell(point(name));
        &buffer[(cell.x + 1, cell.y)]
    };
    assert_eq!(at("d7").fg, Color::Indexed(10));
    assert_eq!(at("c7").fg, Color::Indexed(9), "it flashes");
    assert_eq!(at("i9").fg, Color::Indexed(8));
    assert!(at("a1").modifier.contains(Modifier::REVERSED));
    assert!(!at("d7").modifier.contains(Modifier::REVERSED));
    let display = session.geometry.display;
    assert_eq!(buffer[(display.x + 1, display.y + 1)].symbol(), "░");
    assert_eq!(
        buffer[(display.x + 21, display.y + 1)].fg,
        Color::Indexed(9)
    );
}

#[test]
fn a_key_holds_a_point_for_a_while_of_board_time() {
    let mut session = Session::new();
    session.keys("D3 ");
    assert!(session.mirror.touches(point("d3")));
    session.pass(99);
    assert!(session.mirror.touches(point("d3")));
    session.pass(200);
    let expected = [
        (0, Input::Touch(point("d3"))),
        (KEY_HOLD_MS, Input::Release(point("d3"))),
    ];
    assert_eq!(session.inputs(), expected);
    assert_eq!(session.spy.tick(), 299);
}

#[test]
fn a_key_that_comes_again_while_it_is_down_is_a_second_touch() {
    let mut session = Session::new();
    session.keys("D3  m");
    session.keys("m");
    let expected = [
        Input::Touch(point("d3")),
        Input::Release(point("d3")),
        Input::Touch(point("d3")),
        Input::Press(Button::Mode),
        Input::Lift(Button::Mode),
        Input::Press(Button::Mode),
    ];
    let inputs: Vec<Input> = session
        .inputs()
        .into_iter()
        .map(|(_, input)| input)
        .collect();
    assert_eq!(inputs, expected);
    assert_eq!(session.mirror.status.settings.mode, 2);
}

#[test]
fn the_mouse_touches_slides_and_releases() {
    let mut session = Session::new();
    session.mouse_at(DOWN, "c3");
    session.mouse_at(DRAG, "c3");
    session.mouse_at(DRAG, "d3");
    let status = session.geometry.status;
    session.mouse(DRAG, status);
    session.mouse_at(DRAG, "e3");
    session.mouse_at(UP, "e3");
    let expected = [
        Input::Touch(point("c3")),
        Input::Release(point("c3")),
        Input::Touch(point("d3")),
        Input::Release(point("d3")),
        Input::Touch(point("e3")),
        Input::Release(point("e3")),
    ];
    let inputs: Vec<Input> = session
        .inputs()
        .into_iter()
        .map(|(_, input)| input)
        .collect();
    assert_eq!(inputs, expected);
}

#[test]
fn the_mouse_holds_a_button_down_until_it_is_let_go() {
    let mut session = Session::new();
    let level = session.geometry.buttons[3];
    session.mouse(DOWN, level);
    assert!(session.mirror.presses(Button::Level));
    session.mouse_at(DRAG, "e3");
    for _ in 0..4 {
        session.pass(150);
    }
    session.mouse(UP, level);
    assert_eq!(
        session.inputs(),
        [
            (0, Input::Press(Button::Level)),
            (600, Input::Lift(Button::Level))
        ]
    );
    assert_eq!(session.mirror.status.settings.level, 2, "it repeated once");
}

#[test]
fn every_button_has_a_key_and_a_place_for_the_mouse() {
    let mut by_key = Session::new();
    by_key.keys("gtslmh");
    by_key.start();
    let mut by_mouse = Session::new();
    for rect in by_mouse.geometry.buttons {
        by_mouse.mouse(DOWN, rect);
        by_mouse.mouse(UP, rect);
    }
    for button in Button::ALL {
        let press = (0, Input::Press(button));
        assert!(by_key.spy.inputs.contains(&press), "{button:?} by key");
        assert!(by_mouse.spy.inputs.contains(&press), "{button:?} by mouse");
    }
}

#[test]
fn the_cursor_goes_by_arrows_and_by_names_and_stays_on_the_board() {
    let mut session = Session::new();
    session.keys("C0P");
    assert_eq!(
        session.mirror.cursor,
        point("c5"),
        "9x9 has no row 0 and no column p"
    );
    session.keys("A19");
    for code in [KeyCode::Left, KeyCode::Up, KeyCode::Right, KeyCode::Down] {
        session.event(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }
    assert_eq!(session.mirror.cursor, point("b8"));
}

#[test]
fn board_time_goes_as_fast_as_it_is_told_and_loses_no_part_of_a_tick() {
    let mut session = Session::new();
    for _ in 0..10 {
        session
            .mirror
            .pass_time(&mut session.spy, Duration::from_micros(3_333));
    }
    assert_eq!(session.spy.tick(), 33);
    session.keys("++");
    session.pass(100);
    assert_eq!(session.spy.tick(), 433);
    session.keys("----");
    session.pass(100);
    assert_eq!(session.spy.tick(), 458);
    session.keys("--------------------");
    session.pass(100);
    assert_eq!(session.spy.tick(), 464);
    session.keys("f");
    session.pass(100);
    assert_eq!(session.spy.tick(), 464);
    session.keys(",.");
    assert_eq!(session.spy.tick(), 565);
}

#[test]
fn a_slow_host_falls_behind_and_does_not_make_up_for_an_hour_at_once() {
    let mut session = Session::new();
    session.pass(3_600_000);
    assert_eq!(session.spy.tick(), 250);
}

#[test]
fn a_touch_in_frozen_time_is_taken_at_its_tick() {
    let mut session = Session::new();
    session.keys("f");
    session.start();
    session.keys("D7 ");
    assert_eq!(session.mirror.status.score, Some([4, 1]));
    assert_eq!(session.spy.tick(), 0);
}

#[test]
fn nothing_stays_down_when_the_mirror_ends() {
    let mut session = Session::new();
    session.mouse_at(DOWN, "c3");
    session.keys("D4 m");
    session.mirror.let_go(&mut session.spy);
    let ups = session.inputs();
    for up in [
        Input::Release(point("c3")),
        Input::Release(point("d4")),
        Input::Lift(Button::Mode),
    ] {
        assert!(ups.contains(&(0, up)), "{up:?}");
    }
}

#[test]
fn a_board_that_goes_away_is_waited_for_and_said_so() {
    let mut session = game();
    session.spy.is_unplugged = true;
    session.pass(100);
    assert_eq!(session.mirror.trouble.as_deref(), Some("the cable is out"));
    let screen = session.terminal(120, 24);
    let last = format!("{}", screen.backend());
    assert!(last.contains("the cable is out"), "{last}");
    let tick = session.spy.tick();
    session.pass(1_000);
    assert!(session.mirror.trouble.is_some());
    session.spy.is_unplugged = false;
    session.pass(499);
    assert!(session.mirror.trouble.is_some());
    session.pass(1);
    assert_eq!(session.mirror.trouble, None);
    session.pass(100);
    assert_eq!(session.spy.tick(), tick + 100, "time stood still meanwhile");
}

#[test]
fn every_word_of_what_is_wrong_can_be_read_on_any_screen_that_shows_the_board() {
    let trouble = "the board at tcp:localhost:7777 did not answer within 3000 ms: check that it is switched on, connected, and runs touchboard firmware";
    for (columns, rows) in [(80, 24), (120, 40), (50, 34), (41, 32)] {
        let mut session = game();
        session.mirror.trouble = Some(trouble.to_owned());
        let terminal = session.terminal(columns, rows);
        let shown = format!("{}", terminal.backend());
        // Each on one line, in this order.
        let mut rest = &shown[..];
        for word in trouble.split(' ') {
            let (_, after) = rest
                .split_once(word)
                .unwrap_or_else(|| panic!("{word:?} at {columns}x{rows}:\n{shown}"));
            rest = after;
        }
        assert!(shown.contains("trouble"), "{shown}");
    }
}

#[test]
fn a_long_line_of_the_log_is_read_to_its_end() {
    let mut session = game();
    let words = "the board restarted: its state at tick 12345 is lost, and it is now at tick 0";
    session.mirror.log.push_back((12_345, words.to_owned()));
    let shown = format!("{}", session.terminal(80, 24).backend());
    for word in words.split(' ') {
        assert!(shown.contains(word), "{word:?}:\n{shown}");
    }
}

#[test]
fn how_the_game_is_played_lies_over_the_board_and_is_read_to_its_end() {
    let mut session = game();
    let f1 = Event::Key(KeyEvent::new(KeyCode::F(1), KeyModifiers::NONE));
    session.event(f1.clone());
    let first = format!("{}", session.terminal(64, 16).backend());
    assert!(first.contains("Reversi, mode 0"), "{first}");
    let cursor = session.mirror.cursor;
    for _ in 0..200 {
        session.event(Event::Key(KeyEvent::new(KeyCode::Down, KeyModifiers::NONE)));
    }
    assert_eq!(session.mirror.cursor, cursor);
    let last = format!("{}", session.terminal(64, 16).backend());
    let text = touchboard_host::games::how_to(0).unwrap();
    for (sentence, shown, hidden) in [(text.aim, &first, &last), (text.speed, &last, &first)] {
        let words: Vec<&str> = sentence.split(' ').collect();
        let words = words[..4].join(" ");
        assert!(shown.contains(&words), "{words:?}:\n{shown}");
        assert!(!hidden.contains(&words), "{words:?}:\n{hidden}");
    }
    session.mirror.open = Some(Open::HowTo(0));
    insta::assert_snapshot!(session.terminal(80, 24).backend());
    session.event(f1);
    assert_eq!(session.mirror.open, None);
}

#[test]
fn escape_closes_what_is_open_and_nothing_else() {
    let mut session = game();
    let escape = Event::Key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
    session.keys("?");
    assert_eq!(session.mirror.open, Some(Open::Keys));
    session.inputs();
    session.event(escape.clone());
    assert_eq!(session.mirror.open, None);
    session.event(escape);
    assert_eq!(session.inputs(), []);
}

#[test]
fn a_board_that_began_anew_is_told_and_nothing_of_the_old_game_is_given_to_it() {
    let mut session = game();
    session.keys("D4 m");
    session.spy.remarks = vec!["the board restarted".to_owned()];
    session.spy.begins_anew = true;
    session.pass(10);
    assert!(session.mirror.trouble.is_some());
    assert!(!session.mirror.touches(point("d4")));
    let told = |session: &Session| {
        let words = session.mirror.log.iter().map(|(_, words)| words.as_str());
        words
            .filter(|words| *words == "the board restarted")
            .count()
    };
    assert_eq!(told(&session), 1);
    session.inputs();
    session.pass(500);
    session.pass(200);
    assert_eq!(session.mirror.trouble, None);
    assert_eq!(session.inputs(), []);
    assert_eq!(told(&session), 1);
}

#[test]
fn q_and_control_c_end_the_mirror() {
    let quits = |code, modifiers| {
        let key = Event::Key(KeyEvent::new(code, modifiers));
        keys::act(&key, None) == Some(MirrorAction::Quit)
    };
    assert!(quits(KeyCode::Char('q'), KeyModifiers::NONE));
    assert!(!quits(KeyCode::Esc, KeyModifiers::NONE));
    assert!(quits(KeyCode::Char('c'), KeyModifiers::CONTROL));
    assert!(!quits(KeyCode::Char('q'), KeyModifiers::CONTROL));
}

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

#[test]
fn the_clock_goes_on_from_picture_to_picture_and_stands_while_the_game_is_held() {
    let mut session = game_of(0, 0);
    pass_seconds(&mut session, 3);
    let screen = lines(&session, 80, 24).join("\n");
    assert!(screen.contains(" 30 s"), "{screen}");
    let waits = "the clock waits for the first touch";
    assert!(screen.contains(waits), "{screen}");
    // A touch that is not a move.
    session.keys("A1 ");
    pass_seconds(&mut session, 3);
    let screen = lines(&session, 80, 24).join("\n");
    assert!(!screen.contains(waits), "{screen}");
    assert!(screen.contains("green 2  red 2"), "{screen}");
    assert!(screen.contains(" 27 s"), "{screen}");
    assert!(screen.contains("green to move"), "{screen}");
    session.keys("h");
    pass_seconds(&mut session, 3);
    let screen = lines(&session, 80, 24).join("\n");
    assert!(screen.contains(" 27 s"), "{screen}");
    assert!(screen.contains("paused, green to move"), "{screen}");
}

#[test]
fn the_last_move_is_told_and_marked_and_one_by_the_clock_is_told_apart() {
    let mut session = game_of(0, 0);
    session.keys("D7 A1");
    session.pass(200);
    let screen = lines(&session, 80, 24);
    assert!(screen.iter().any(|line| line.contains("last: green d7")));
    assert!(screen[5].contains("(●)"), "{screen:#?}");
    pass_seconds(&mut session, 31);
    let screen = lines(&session, 80, 24).join("\n");
    assert!(screen.contains("{◎}"), "{screen}");
    assert!(screen.contains(", moved by the clock"), "{screen}");
    let screen = lines(&session, 120, 40).join("\n");
    assert!(screen.contains("{██"), "{screen}");
    assert!(!screen.contains("(█"), "{screen}");
}

#[test]
fn the_ticks_of_a_clock_that_runs_out_are_one_line_of_the_log() {
    let mut session = game_of(0, 0);
    session.keys("A1 ");
    pass_seconds(&mut session, 31);
    let ticks: Vec<&String> = session
        .mirror
        .log
        .iter()
        .map(|(_, words)| words)
        .filter(|words| words.contains("1320 Hz"))
        .collect();
    assert_eq!(ticks, ["bleep 1320 Hz, 5 times"]);
}

#[test]
fn a_touch_that_means_nothing_is_told_in_the_log() {
    let mut session = game_of(0, 0);
    session.keys("hA1 ");
    let (_, last) = session.mirror.log.back().expect("it is not empty");
    assert_eq!(last, "bleep 110 Hz: that touch means nothing");
}

#[test]
fn what_is_counted_and_how_many_turns_are_left_is_told_where_a_game_has_it() {
    let race = lines(&game_of(2, 0), 80, 24).join("\n");
    assert!(race.contains("green 0  red 0 generations"), "{race}");
    let picture = lines(&game_of(4, 0), 80, 24).join("\n");
    assert!(picture.contains("right 0  wrong 0"), "{picture}");
    assert!(picture.contains("complete the picture"), "{picture}");
    let chains = lines(&game_of(3, 0), 80, 24).join("\n");
    assert!(chains.contains("turns left"), "{chains}");
}

#[test]
fn nothing_of_how_a_game_stands_is_cut_on_an_ordinary_screen() {
    for number in firmware_core::games::NUMBERS {
        let modes = firmware_core::games::about(*number).map_or(0, |about| about.modes);
        for mode in 0..modes {
            let mut session = game_of(*number, mode);
            for _ in 0..24 {
                session.pass(250);
                session.keys(" ");
                let wide = lines(&session, 160, 24);
                let narrow = lines(&session, 80, 24);
                let state = standing::state(&session.mirror.status, session.spy.frame());
                let is_told = |lines: &[String]| lines.iter().any(|line| line.contains(&state));
                assert!(is_told(&wide) && is_told(&narrow), "{state}: {narrow:#?}");
            }
        }
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

#[test]
fn a_game_of_ishido_on_an_ordinary_screen() {
    let mut session = game_at_home(ISHIDO, 0);
    session.pass(200);
    insta::assert_snapshot!(session.terminal(80, 24).backend());
    let screen = lines(&session, 80, 24).join("\n");
    assert!(screen.contains("66 left"), "{screen}");
    assert!(
        !screen.contains("30 s") && screen.contains("time 5 (unused)"),
        "{screen}"
    );
    let screen = lines(&game_at_home(ISHIDO, 2), 80, 24).join("\n");
    assert!(screen.contains("time 5 (30 s)"), "{screen}");
}

#[test]
fn a_game_of_ishido_that_is_over_says_who_has_won_and_what_was_left() {
    for (hand, said) in [
        ("hand C- pouch empty", "won, pouch empty"),
        ("hand C- pouch P+W=", "lost, no square fits: "),
    ] {
        let mut session = game_at_home(ISHIDO, 0);
        set_up(
            &mut session,
            ISHIDO,
            &format!("12/12/12/12/3Co8/12/12/12 {hand}"),
        );
        session.keys("D5 ");
        pass_seconds(&mut session, 6);
        assert!(session.mirror.status.outcome.is_some());
        let screen = lines(&session, 80, 24).join("\n");
        assert!(screen.contains(said), "{screen}");
        let lost = said.starts_with("lost");
        assert_eq!(screen.contains(", 2 left") && lost, lost, "{screen}");
        assert!(screen.contains("points 1  four-ways 0"), "{screen}");
    }
}

#[test]
fn more_than_65535_points_are_one_total_on_the_screen() {
    let mut session = game_at_home(ISHIDO, 1);
    let stones = "12/12/12/12/3Co8/12/12/12 hand C- pouch C+ points 93175 0 four-ways 11 0";
    set_up(&mut session, ISHIDO, stones);
    pass_seconds(&mut session, 3);
    let screen = lines(&session, 80, 24).join("\n");
    assert!(screen.contains("93175 C- 211"), "{screen}");
    assert!(screen.contains("points 93175  four-ways 11"), "{screen}");
}

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

#[test]
fn a_game_of_ticdabtoe_has_signs_and_names_the_open_block() {
    let mut session = marks();
    insta::assert_snapshot!(session.terminal(80, 24).backend());
    // Only the points, because the turn light next to them has a letter instead.
    let board = |session: &Session| -> Vec<String> {
        let screen = lines(session, 80, 24).into_iter();
        screen.map(|line| line.chars().take(36).collect()).collect()
    };
    let coloured = board(&session);
    session.mirror.ability.depth = ColourDepth::None;
    assert_eq!(board(&session), coloured, "no sign needs its colour");
    let large = lines(&session, 200, 80).join("\n");
    for sign in ["r", "G", "+"] {
        assert!(large.contains(&format!("█{sign}█")), "{sign}: {large}");
    }
    session.keys("h");
    let held = lines(&session, 80, 24).join("\n");
    assert!(
        !held.contains("block d2") && !held.contains("G G"),
        "{held}"
    );
}

#[test]
fn what_the_signs_mean_stands_with_how_the_game_is_played() {
    let mut session = marks();
    session.event(Event::Key(KeyEvent::new(KeyCode::F(1), KeyModifiers::NONE)));
    session.mirror.open = Some(Open::HowTo(u16::MAX));
    let end = lines(&session, 80, 24).join(" ");
    assert!(end.contains("g r: marks; +: open; .: not open"), "{end}");
}

#[test]
fn a_cell_that_is_no_move_is_told_why_in_the_log() {
    let mut session = marks();
    for (keys, why) in [
        ("A16 ", "a16 is no move for green: block a4 is won"),
        ("H14 ", "h14 is no move for green: h14 has a mark"),
        ("A1 ", "a1 is no move for green: the open block is d2"),
    ] {
        session.keys(keys);
        let (_, last) = session.mirror.log.back().expect("it is not empty");
        assert_eq!(last, why);
        session.pass(150);
    }
}

/// Each game on its own board, at the start, in the middle and at the end.
#[test]
fn nothing_is_cut_at_home_either() {
    for game in firmware_core::games::BUILT.iter() {
        let modes = firmware_core::games::about(game).map_or(0, |about| about.modes);
        for mode in 0..modes.min(4) {
            let mut session = game_at_home(game, mode);
            for count in 0..60 {
                let legal = session.spy.legal().expect("it is in this process");
                if let Some(point) = legal.get(count * 7 % legal.len().max(1)) {
                    session
                        .mirror
                        .act(&mut session.spy, MirrorAction::Finger(*point));
                    session.mirror.act(&mut session.spy, MirrorAction::Up);
                }
                session.pass(250);
                let [wide, narrow] = [160, 80].map(|width| {
                    let geometry = Geometry::new(Rect::new(0, 0, width, 24), session.spy.layout());
                    let rows = geometry.expect("it is large enough").standing;
                    let terminal = session.terminal(width, 24);
                    let row = |y| (rows.x..rows.right()).map(move |x| (x, y));
                    let buffer = terminal.backend().buffer();
                    let text = |y| row(y).map(|at| buffer[at].symbol()).collect::<String>();
                    (rows.y..rows.bottom())
                        .map(|y| text(y).split_whitespace().collect::<Vec<_>>().join(" "))
                        .collect::<Vec<_>>()
                });
                assert_eq!(wide, narrow, "game {game} mode {mode}");
            }
        }
    }
}

#[test]
fn without_colours_points_show_their_letters() {
    let mut session = game();
    session.mirror.ability.depth = ColourDepth::None;
    let screen = lines(&session, 80, 24).join("\n");
    assert!(screen.contains(" g "), "{screen}");
    assert!(!screen.contains('●'), "{screen}");
    let large = lines(&session, 120, 40).join("\n");
    assert!(large.contains('g') && large.contains("█r█"), "{large}");
}

#[test]
fn news_of_something_else_stand_in_the_last_line() {
    let mut session = game();
    session.mirror.news = Some("the window is being built: 212 of 523 crates".into());
    let screen = lines(&session, 80, 24);
    let last = screen.last().expect("a screen has lines");
    assert!(last.contains("212 of 523 crates"), "{last}");
}

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
    session.spy.remarks = vec![format!("the board was built anew: {first}")];
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
fn what_came_out_otherwise_is_shown_on_two_boards_beside_each_other() {
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
fn where_two_boards_have_no_room_a_sentence_tells_what_came_out_otherwise() {
    let session = built_anew();
    let screen = lines(&session, 40, 34).join(" ").replace('"', "");
    let words: Vec<&str> = screen.split_whitespace().collect();
    let screen = words.join(" ");
    assert!(!screen.contains("Esc closes"), "{screen}");
    assert!(screen.contains("e4 was green, now red"), "{screen}");
}

#[test]
fn two_boards_go_when_they_are_closed_or_when_the_next_firmware_agrees() {
    let mut session = built_anew();
    assert_eq!(session.mirror.open, Some(Open::Boards));
    session.goes_on(None);
    assert_eq!(session.mirror.open, None);
    let mut session = built_anew();
    let escape = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
    session.event(Event::Key(escape));
    assert_eq!(session.mirror.open, None);
}

/// A screen as text: its characters, and below them the colours of each cell, numbered in order of
/// appearance, with `.` for the terminal's own.
fn with_colours(session: &Session, ability: Ability) -> String {
    let mut mirror = session.mirror.clone();
    mirror.ability = ability;
    let backend = TestBackend::new(80, 24);
    let mut terminal = Terminal::new(backend).expect("memory is a terminal");
    let painted = terminal.draw(|frame| draw(frame, &session.spy, &mirror));
    painted.expect("memory is a terminal");
    let buffer = terminal.backend().buffer();
    let mut seen: Vec<Color> = Vec::new();
    let mut text = String::new();
    for y in 0..24 {
        let cells = || (0..80).map(|x| &buffer[(x, y)]);
        let symbols: String = cells().map(|cell| cell.symbol()).collect();
        text += symbols.trim_end();
        text.push('\n');
        let mut place = |colour: Color| {
            let known = seen.iter().position(|one| *one == colour);
            let index = known.unwrap_or_else(|| {
                seen.push(colour);
                seen.len() - 1
            });
            format!("{index}")
        };
        let mut runs: Vec<(String, usize)> = Vec::new();
        for cell in cells() {
            let own = match (cell.fg, cell.bg) {
                (Color::Reset, Color::Reset) => ".".to_owned(),
                (fg, bg) => format!("{}/{}", place(fg), place(bg)),
            };
            match runs.last_mut() {
                Some((last, count)) if *last == own => *count += 1,
                _ => runs.push((own, 1)),
            }
        }
        let runs = runs.iter().map(|(own, count)| format!("{own}x{count}"));
        text += &runs.collect::<Vec<_>>().join(" ");
        text.push('\n');
    }
    for (index, colour) in seen.iter().enumerate() {
        text += &format!("{index}: {colour:?}\n");
    }
    text
}

/// The screen of a terminal of this kind, for a game that has just begun.
fn shown_on(depth: ColourDepth, is_unicode: bool) -> String {
    let mut session = game();
    session.pass(100);
    with_colours(&session, Ability { depth, is_unicode })
}

#[test]
fn a_game_on_a_terminal_with_all_colours() {
    insta::assert_snapshot!(shown_on(ColourDepth::True, true));
}

#[test]
fn a_game_on_a_terminal_with_256_colours() {
    insta::assert_snapshot!(shown_on(ColourDepth::Indexed, true));
}

#[test]
fn a_game_on_a_terminal_with_16_colours() {
    insta::assert_snapshot!(shown_on(ColourDepth::Sixteen, true));
}

#[test]
fn a_game_on_a_terminal_without_colours() {
    insta::assert_snapshot!(shown_on(ColourDepth::None, true));
}

#[test]
fn a_game_on_a_terminal_with_ascii_alone() {
    insta::assert_snapshot!(shown_on(ColourDepth::None, false));
}

/// All kinds of terminals.
fn abilities() -> impl Iterator<Item = Ability> {
    let depths = [
        ColourDepth::None,
        ColourDepth::Sixteen,
        ColourDepth::Indexed,
        ColourDepth::True,
    ];
    let each = depths
        .into_iter()
        .flat_map(|depth| [true, false].map(|is_unicode| Ability { depth, is_unicode }));
    each.collect::<Vec<_>>().into_iter()
}

#[test]
fn no_terminal_is_sent_what_it_cannot_show() {
    let mut sessions = vec![
        game(),
        marks(),
        game_at_home(ISHIDO, 0),
        lit(hexagon(), &THREE_LINES),
    ];
    for session in &mut sessions {
        let mut asked = std::collections::HashMap::new();
        session.keys("?");
        for ability in abilities() {
            session.mirror.ability = ability;
            for (width, height) in [(80, 24), (40, 40), (200, 70)] {
                let terminal = session.terminal(width, height);
                let cells = &terminal.backend().buffer().content;
                // Question marks only occur in the list of keys, not in place of unknown
                // characters.
                let unknown = cells.iter().filter(|cell| cell.symbol() == "?").count();
                let known = *asked.entry((width, height)).or_insert(unknown);
                assert_eq!(unknown, known, "{ability:?}");
                for cell in cells {
                    for colour in [cell.fg, cell.bg] {
                        let needs = match colour {
                            Color::Reset => ColourDepth::None,
                            Color::Rgb(..) => ColourDepth::True,
                            Color::Indexed(16..) => ColourDepth::Indexed,
                            _ => ColourDepth::Sixteen,
                        };
                        assert!(needs <= ability.depth, "{colour:?} on {ability:?}");
                    }
                    assert!(ability.is_unicode || cell.symbol().is_ascii(), "{cell:?}");
                }
            }
        }
        session.mirror.open = None;
    }
}

/// The cells of a point without their colours: the brightness of each half, or its letter.
fn form_of(session: &Session, name: &str, (width, height): (u16, u16)) -> String {
    let geometry = Geometry::new(Rect::new(0, 0, width, height), session.spy.layout());
    let cell = geometry
        .expect("it is large enough")
        .cell(session.point(name));
    let terminal = session.terminal(width, height);
    let buffer = terminal.backend().buffer();
    let bright = |colour: Color| match colour {
        Color::Rgb(red, green, blue) => red.max(green).max(blue) / 64,
        Color::Indexed(index @ 16..) => ability::rgb_of(index).into_iter().max().unwrap_or(0) / 64,
        _ => 9,
    };
    let mut text = String::new();
    for y in cell.y..cell.bottom() {
        for x in cell.x..cell.right() {
            let at = &buffer[(x, y)];
            let halves = match at.symbol() {
                "▀" => format!("{}{}", bright(at.fg), bright(at.bg)),
                symbol => symbol.to_owned(),
            };
            text += &halves;
        }
    }
    text
}

#[test]
fn sides_are_told_apart_without_colour_on_every_terminal_in_every_size() {
    let lights = [
        ("c3", Colour::GREEN),
        ("g7", Colour::RED),
        ("d5", Colour::OFF),
    ];
    let mut session = lit(Layout::MALDOO, &lights);
    for palette in [Palette::Board, Palette::BlueOrange] {
        session.mirror.palette = palette;
        for ability in abilities() {
            session.mirror.ability = ability;
            for size in [(80, 24), (70, 14), (120, 40), (240, 80)] {
                let [green, red, off] =
                    ["c3", "g7", "d5"].map(|name| form_of(&session, name, size));
                assert!(
                    green != red && green != off && red != off,
                    "{ability:?} {size:?}"
                );
            }
        }
    }
}

#[test]
fn what_is_said_beside_another_palette_has_its_names() {
    let mut session = game();
    session.mirror.palette = Palette::BlueOrange;
    let screen = lines(&session, 80, 24).join("\n");
    assert!(screen.contains("blue 4  orange 1"), "{screen}");
    assert!(screen.contains("orange to move"), "{screen}");
    assert!(screen.contains("last: blue d7"), "{screen}");
    assert!(screen.contains("blue d7 (+1)"), "{screen}");
    for own in ["green", " red"] {
        assert!(!screen.contains(own), "{own}: {screen}");
    }
    let mut marks = marks();
    marks.mirror.palette = Palette::BlueOrange;
    marks.mirror.ability.depth = ColourDepth::None;
    let screen = lines(&marks, 80, 24).join("\n");
    assert!(
        screen.contains("B B B B") && screen.contains("o"),
        "{screen}"
    );
    marks.mirror.open = Some(Open::HowTo(u16::MAX));
    let end = lines(&marks, 80, 24).join(" ");
    assert!(end.contains("b o: marks"), "{end}");
}

const MALAKA: u8 = 10;

#[test]
fn a_kill_and_a_pin_are_named_as_such_in_the_log() {
    let mut session = game_at_home(MALAKA, 0);
    for (position, keys, said) in [
        ("O c4 a1 X d4 i9 i8 dice 1 turn green", "C4 D4 ", "kills"),
        ("O a4 b1 X a5 i9 i8 dice 1 turn green", "A4 A5 ", "pins"),
    ] {
        set_up(&mut session, MALAKA, position);
        // A new mirror of a board on which a game is already running.
        session.mirror = Mirror::new(&mut session.spy);
        let (from, to) = keys.split_at(3);
        session.keys(from.trim_end());
        session.keys(" ");
        session.pass(300);
        session.keys(to.trim_end());
        session.keys(" ");
        session.pass(300);
        let log: Vec<&String> = session.mirror.log.iter().map(|(_, words)| words).collect();
        assert!(
            log.iter().any(|words| words.contains(said)),
            "{said}: {log:?}"
        );
    }
}
