//! Every event is reported: whatever is done to a board of up to 16x16 points, in any
//! game, mode and level, and in the games that are texts, no call creates more events than
//! the path to the host has room for.
//!
//! A chip has no code for an event without room, so this is proved here. In each call of a
//! board the events are counted, and all of them together would fit one call of a game:
//! so no call of a game had more either ([`EVENTS_OF_A_CALL`]). The room for a position is
//! compared when the core is built.

use firmware_core::device::EVENTS_AT_ONCE;
use firmware_core::game::EVENTS_OF_A_CALL;
use firmware_core::{AnyBoard, EventSink, Rng, games};
use protocol::{Button, Deed, Event, GridSize, Input, Layout, Settings};
use touchboard_host::check::{CheckStep, Generator};
use touchboard_host::session::SessionItem;

// A path to the host has room for what one call of a game reports, and more.
const _: () = assert!(EVENTS_OF_A_CALL < EVENTS_AT_ONCE);

/// The number of steps in a run of a game of the table.
const STEPS: u32 = 400;
/// The number of steps in a run of a text; there are a hundred of them.
const STEPS_OF_A_TEXT: u32 = 150;

/// The results of one run.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    /// The largest number of events in a call.
    most: usize,
    moves: usize,
}

impl Told {
    fn add(&mut self, more: Told) {
        self.most = self.most.max(more.most);
        self.moves += more.moves;
    }
}

/// A board, and the events of its calls.
struct Listened {
    board: AnyBoard,
    told: Told,
}

impl Listened {
    fn begin(layout: Layout, settings: Settings, seed: u64) -> Listened {
        let board = AnyBoard::with_games(layout, games::BUILT, seed);
        let board = board.expect("every grid is a layout");
        let told = Told::default();
        let mut listened = Listened { board, told };
        listened.does(&SessionItem::Do(Deed::Settings(settings)));
        for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
            listened.does(&SessionItem::Do(Deed::Input(input)));
        }
        listened
    }

    /// Calls the board and records its events.
    fn call(&mut self, what: impl FnOnce(&mut AnyBoard, EventSink<'_>)) {
        let mut events = Vec::new();
        what(&mut self.board, &mut |_, event| events.push(event));
        assert!(events.len() <= EVENTS_OF_A_CALL, "{events:?}");
        self.told.most = self.told.most.max(events.len());
        let is_move = |event: &&Event| matches!(event, Event::Move { .. });
        self.told.moves += events.iter().filter(is_move).count();
    }

    fn does(&mut self, act: &SessionItem) {
        self.call(|board, tell| match act {
            SessionItem::Do(deed) if !deed.restarts() => {
                if let Deed::Input(input) = deed {
                    // The device reports inputs in the same way.
                    tell(board.tick(), Event::Taken(*input));
                }
                // Most games cannot have arbitrary positions; a refused one causes no
                // events.
                let done = board.carry_out(deed, tell);
                assert!(
                    done.is_ok() || matches!(deed, Deed::Position(_)),
                    "{deed:?}"
                );
            }
            other => panic!("no person does {other:?}"),
        });
    }

    /// Lets an arbitrary person do this many steps; returns what was told.
    fn after_steps(mut self, seed: u64, layout: Layout, steps: u32) -> Told {
        let mut person = Generator::new(seed, layout);
        for _ in 0..steps {
            self.plays(&person.next(&self.board));
        }
        self.told
    }

    fn plays(&mut self, step: &CheckStep) {
        step.items.iter().for_each(|item| self.does(item));
        let end = self.board.tick() + step.ticks;
        while self.board.tick() < end {
            let left = end - self.board.tick();
            self.call(|board, tell| {
                board.step(left, tell);
            });
        }
    }
}

/// The board that a mode is made for, the largest one, and two of any size. Two people
/// play; on the large board, a person also plays against the board.
fn boards(made_for: GridSize, rng: &mut Rng) -> [(Layout, u8); 5] {
    let mut side = || 1 + rng.below(16) as u8;
    let mut any = || Layout::grid(side(), side()).expect("sides of 1 to 16");
    let largest = Layout::grid(16, 16).expect("the largest");
    [
        (Layout::Grid(made_for), 0),
        (largest, 0),
        (largest, 4),
        (any(), 0),
        (any(), 2),
    ]
}

fn every_event_is_told(game: u8) {
    let about = games::about(game).expect("it is in the table");
    for mode in 0..about.modes {
        let seed = u64::from(game) * 100 + u64::from(mode);
        let mut rng = Rng::new(seed);
        let mut all = Told::default();
        for (layout, level) in boards((about.made_for)(mode), &mut rng) {
            let settings = Settings {
                game,
                mode,
                level,
                time: rng.below(10) as u8,
                speed: rng.below(10) as u8,
            };
            let seed = u64::from(rng.next());
            let listened = Listened::begin(layout, settings, seed);
            all.add(listened.after_steps(seed, layout, STEPS));
        }
        eprintln!("{} {mode}: {all:?}", about.name);
        // Moves were made, and some calls reported several events.
        assert!(all.moves > 5 && all.most > 2, "{} {mode}", about.name);
    }
}

#[test]
fn every_event_of_the_texts_is_told() {
    let mut all = Told::default();
    for (seed, (name, layout)) in (1..).zip(touchboard_tests::texts::layouts()) {
        for level in [0, 4] {
            let settings = Settings {
                game: games::LAYOUTS_OWN,
                level,
                ..Settings::default()
            };
            let listened = Listened::begin(*layout, settings, seed);
            let told = listened.after_steps(seed, *layout, STEPS_OF_A_TEXT);
            assert!(told.most > 1, "{name} at level {level}: {told:?}");
            all.add(told);
        }
    }
    eprintln!("texts: {all:?}");
    assert!(all.moves > 500 && all.most > 2, "{all:?}");
}

touchboard_tests::test_each_game! { every_event_is_told of all:
    every_event_of_reversi_is_told = 0;
    every_event_of_ghost_is_told = 1;
    every_event_of_life_is_told = 2;
    every_event_of_touchit_is_told = 3;
    every_event_of_symmetry_is_told = 4;
    every_event_of_countlines_is_told = 5;
    every_event_of_fillit_is_told = 6;
    every_event_of_findthem_is_told = 7;
    every_event_of_visiput_is_told = 8;
    every_event_of_speedgo_is_told = 9;
    every_event_of_malaka_is_told = 10;
    every_event_of_ishido_is_told = 11;
    every_event_of_ticdabtoe_is_told = 12;
    every_event_of_col_is_told = 13;
}
