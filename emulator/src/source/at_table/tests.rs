//! Two windows at one table, with the relay between them as a value.

use protocol::{Button, Input, Layout, Settings};
use touchboard_host::standing::phase;
use touchboard_pair::lobby::{Lobby, LobbyClient, LobbyLimits, LobbyWord};
use touchboard_pair::secret::TableKey;

use super::*;

/// A relay with the sides of two windows.
struct Line {
    lobby: Lobby,
    sides: Vec<SharedTable>,
    now_ms: u64,
    tokens: u8,
}

impl Line {
    fn new() -> Line {
        let roster = firmware_core::games::ROSTER;
        let opening = opening::of_board(Layout::MALDOO.into(), roster, Settings::default());
        let mut line = Line {
            lobby: Lobby::new(LobbyLimits::default()),
            sides: Vec::new(),
            now_ms: 0,
            tokens: 0,
        };
        line.add(TableSide::opening_with(opening.unwrap()));
        let (table, secret) = {
            let first = lock(&line.sides[0]);
            (
                first.key().unwrap().table,
                first.secrets().unwrap().seats[1],
            )
        };
        line.add(TableSide::joining(TableKey { table, secret }));
        line
    }

    fn add(&mut self, mut side: TableSide) {
        let client = LobbyClient(self.sides.len() as u64);
        self.lobby.arrive(client, "here");
        side.connected(self.now_ms);
        self.sides.push(Arc::new(Mutex::new(side)));
        self.exchange();
    }

    /// Lets messages go back and forth until there are none.
    fn exchange(&mut self) {
        loop {
            for (side, number) in self.sides.iter().zip(0..) {
                for bytes in lock(side).take_to_send() {
                    let tokens = &mut self.tokens;
                    let mut random = || {
                        *tokens += 1;
                        Some([*tokens; 16])
                    };
                    self.lobby.hear(LobbyClient(number), &bytes, &mut random);
                }
            }
            let words = self.lobby.take_words();
            if words.is_empty() {
                return;
            }
            for (LobbyClient(number), word) in words {
                if let LobbyWord::Say(bytes) = word {
                    lock(&self.sides[number as usize]).hear(&bytes);
                }
            }
        }
    }

    fn pass(&mut self, ms: u64) {
        for _ in 0..ms / 20 {
            self.now_ms += 20;
            self.lobby.pass(self.now_ms);
            self.exchange();
        }
    }
}

/// A window, as far as its source goes.
struct Window {
    source: AtTable,
    shown: Shown,
    tick: Tick,
}

impl Window {
    fn at(table: &SharedTable) -> Window {
        let source = AtTable::sit_down(table)
            .unwrap()
            .expect("the opening is known");
        let (shown, tick) = (Shown::default(), 0);
        Window {
            source,
            shown,
            tick,
        }
    }

    fn draw(&mut self) {
        let tell = &mut |_, _| ();
        let tick = self
            .source
            .update(Duration::from_secs(1), &mut self.shown, tell);
        self.tick = tick.unwrap();
    }

    fn does(&mut self, input: Input) {
        self.source.obey(&input.into()).unwrap();
    }
}

fn draw(windows: &mut [Window]) {
    windows.iter_mut().for_each(Window::draw);
}

#[test]
fn a_click_in_one_window_is_seen_in_both_at_the_same_tick() {
    let mut line = Line::new();
    let mut windows = [0, 1].map(|number: usize| Window::at(&line.sides[number]));
    windows[0].does(Input::Press(Button::Start));
    windows[0].does(Input::Lift(Button::Start));
    line.pass(400);
    draw(&mut windows);
    assert!(phase(&windows[1].shown.status).is_on());
    let point = windows[0].shown.legal[0];
    // The second person has red, and it is green's turn.
    windows[1].does(Input::Touch(point));
    line.pass(100);
    draw(&mut windows);
    let said = windows[1].source.take_said();
    assert_eq!(said, ["it is green's turn"]);
    windows[0].does(Input::Touch(point));
    windows[0].does(Input::Release(point));
    line.pass(100);
    draw(&mut windows);
    let [first, second] = &windows;
    assert_eq!(first.tick, 600);
    assert_eq!(first.tick, second.tick);
    assert_eq!(first.shown, second.shown);
    assert_eq!(
        first.shown.status.last_move.map(|last| last.point),
        Some(point)
    );
}

#[test]
fn the_time_of_a_table_is_nobodys_own() {
    let line = Line::new();
    let mut window = Window::at(&line.sides[0]);
    window.draw();
    assert_eq!(
        window.tick, 0,
        "real time passes, the table's has not begun"
    );
    let frozen = BoardPace {
        frozen: true,
        ..BoardPace::default()
    };
    for command in [
        WindowCommand::Pace(frozen),
        WindowCommand::StepBack(10),
        WindowCommand::Step(10),
        WindowCommand::InjectFaults(Box::default()),
    ] {
        let sentence = window.source.obey(&command).unwrap_err().to_string();
        assert!(sentence.contains("the same for both"), "{sentence}");
    }
    let (seed, layout) = (1, Layout::MALDOO);
    let reset = WindowCommand::Do(Deed::Reset { seed, layout });
    let refused = window.source.obey(&reset);
    assert!(
        matches!(refused, Err(SourceError::CommonBoard)),
        "{refused:?}"
    );
    assert_eq!(window.shown.past.earliest, None);
}
