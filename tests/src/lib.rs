//! Code shared by the law suite and the both-paths comparison: arbitrary plays.
//!
//! A play is a sequence of events of a board: inputs of every kind at any time, sensible
//! or not. The generator makes sure that games are really played: most touches are on the
//! board, most buttons are not Game or Mode (which end a game), and most waits are short,
//! but some are longer than any clock.
//!
//! [`pair`] does the same on two boards, one of them [`far`], and compares them;
//! [`record`] writes a play as a session; [`demo`] plays games that are nice to watch;
//! [`judge`] computes the score of a game from what is visible; [`texts`] are the games
//! in the tree; [`fuzz`] contains the fuzz targets.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod counted;
pub mod demo;
pub mod far;
pub mod fuzz;
mod inserted;
pub mod judge;
pub mod pair;
pub mod record;
pub mod texts;

use std::sync::LazyLock;

use firmware_core::{AnyBoard, EventSink, games};
use proptest::prelude::*;
use protocol::{Button, Input, KnownLayout, Layout, Point, Roster, Settings, Tick};

/// Defines a test for each game, so that they run in parallel. The arguments are the
/// function that each test calls with the number of its game, and the names of the tests.
/// The games are those in the manual's list or, with `of all`, all games of this build.
#[macro_export]
macro_rules! test_each_game {
    ($test:ident of all: $($name:ident = $number:literal;)*) => {
        $crate::test_each_game! { @ ::firmware_core::games::BUILT; $test: $($name = $number;)* }
    };
    ($test:ident: $($name:ident = $number:literal;)*) => {
        $crate::test_each_game! { @ ::firmware_core::games::ROSTER; $test: $($name = $number;)* }
    };
    (@ $all:path; $test:ident: $($name:ident = $number:literal;)*) => {
        $(
            #[test]
            fn $name() {
                $test($number);
            }
        )*

        #[test]
        fn no_game_is_left_out() {
            assert!($all.iter().eq([$($number),*]));
        }
    };
}

/// One event of a board.
#[derive(Clone, Debug, PartialEq)]
pub enum TestStep {
    /// An input at this tick.
    Do(Input),
    /// A touch and its release. The point is the `n`-th of the legal ones, modulo their
    /// number, so that games progress.
    PlayLegal(u8),
    /// Waits for this many ticks.
    Wait(Tick),
    /// The host chooses these settings.
    Set(Settings),
}

/// The set-up of a board, and what happens to it.
#[derive(Clone, Debug)]
pub struct Play {
    /// The seed of all random numbers.
    pub seed: u64,
    /// The layout of the board.
    pub layout: Layout,
    /// The games that the board has.
    pub roster: Roster,
    /// The settings at the start.
    pub settings: Settings,
    /// The steps of the play, in order.
    pub steps: Vec<TestStep>,
}

/// Any settings, for a board with the default games.
pub fn settings() -> impl Strategy<Value = Settings> {
    settings_of(games::ROSTER)
}

/// Settings that are valid on a board with these games: any game, and any of its modes.
pub fn settings_of(roster: Roster) -> impl Strategy<Value = Settings> {
    let game = proptest::sample::select(roster.iter().collect::<Vec<u8>>());
    (game, 0u8..10, 0u8..10, 0u8..5, any::<u8>()).prop_map(|(game, time, speed, level, mode)| {
        let modes = games::about(game).map_or(1, |about| about.modes);
        Settings {
            game,
            time,
            speed,
            level,
            mode: mode % modes,
        }
    })
}

/// Any input, including points that the board lacks.
pub fn input() -> impl Strategy<Value = Input> {
    let point = prop_oneof![9 => 0u8..81, 1 => any::<u8>()].prop_map(Point);
    let button = prop_oneof![
        4 => Just(Button::Start),
        2 => Just(Button::Stop),
        2 => Just(Button::Speed),
        2 => Just(Button::Level),
        1 => Just(Button::Time),
        1 => Just(Button::Mode),
        1 => Just(Button::Game),
    ];
    prop_oneof![
        8 => point.clone().prop_map(Input::Touch),
        6 => point.prop_map(Input::Release),
        2 => button.clone().prop_map(Input::Press),
        2 => button.prop_map(Input::Lift),
        1 => Just(Input::Pass),
    ]
}

fn wait() -> impl Strategy<Value = Tick> {
    prop_oneof![4 => 0u64..30, 4 => 0u64..1_500, 1 => 0u64..40_000, 1 => Just(200_000u64)]
}

fn step(roster: Roster) -> impl Strategy<Value = TestStep> {
    prop_oneof![
        5 => input().prop_map(TestStep::Do),
        6 => any::<u8>().prop_map(TestStep::PlayLegal),
        5 => wait().prop_map(TestStep::Wait),
        1 => settings_of(roster).prop_map(TestStep::Set),
    ]
}

/// A square board with this many points on each side.
fn square(side: u8) -> Layout {
    Layout::grid(side, side).expect("a layout")
}

/// Layouts from the smallest to the largest, most often those that people use most.
pub fn layout() -> impl Strategy<Value = Layout> {
    let any = (1u8..=16, 1u8..=16).prop_filter_map("a layout", |(c, r)| Layout::grid(c, r).ok());
    prop_oneof![1 => any, 2 => usual_layout()]
}

/// The board of the manual, a small one, and the largest.
pub fn usual_layout() -> impl Strategy<Value = Layout> {
    prop_oneof![3 => Just(Layout::MALDOO), 2 => Just(square(6)), 1 => Just(square(16))]
}

/// Five points on each side: 61 points, six ways, drawn by hand.
pub const HEXAGON: &str = include_str!("../drawings/hexagon.txt");

/// The game that is played on any layout; boards have it only on request.
pub const COL: Roster = Roster::of(&[games::number::COL]);

/// The layout of [`HEXAGON`], whose drawing is known from now on.
///
/// # Panics
/// If the text is not a drawing.
#[must_use]
pub fn hexagon() -> Layout {
    static KNOWN: LazyLock<KnownLayout> = LazyLock::new(|| HEXAGON.parse().expect("a drawing"));
    KNOWN.layout()
}

/// A play of up to `length` steps on any rectangle; sometimes on a hexagon, with the game
/// that supports it.
pub fn play_anywhere(length: usize) -> impl Strategy<Value = Play> {
    prop_oneof![5 => play(length), 1 => play_with(COL, Just(hexagon()), length)]
}

/// A play of up to `length` steps on any layout.
pub fn play(length: usize) -> impl Strategy<Value = Play> {
    play_on(layout(), length)
}

/// A play of up to `length` steps on one of these layouts, with a game already started.
pub fn play_on(
    layout: impl Strategy<Value = Layout>,
    length: usize,
) -> impl Strategy<Value = Play> {
    play_with(games::ROSTER, layout, length)
}

/// A play of up to `length` steps on a board with these games.
pub fn play_with(
    roster: Roster,
    layout: impl Strategy<Value = Layout>,
    length: usize,
) -> impl Strategy<Value = Play> {
    (
        any::<u64>(),
        layout,
        settings_of(roster),
        proptest::collection::vec(step(roster), 0..length),
    )
        .prop_map(move |(seed, layout, settings, mut steps)| {
            steps.insert(0, TestStep::Do(Input::Press(Button::Start)));
            steps.insert(1, TestStep::Do(Input::Lift(Button::Start)));
            Play {
                roster,
                seed,
                layout,
                settings,
                steps,
            }
        })
}

impl Play {
    /// The board before the first step.
    #[must_use]
    pub fn board(&self) -> AnyBoard {
        let board = AnyBoard::with_games(self.layout, self.roster, self.seed);
        let mut board = board.expect("a layout of the strategy");
        board
            .carry_out(&protocol::Deed::Settings(self.settings), &mut |_, _| {})
            .expect("settings of the strategy");
        board
    }
}

/// A way to let time pass on a board.
pub type PassTime<'a> = &'a mut dyn FnMut(&mut AnyBoard, Tick, EventSink<'_>);

/// Carries out a step, and lets time pass with `pass_time`.
pub fn carry_out(
    step: &TestStep,
    board: &mut AnyBoard,
    tell: EventSink<'_>,
    pass_time: PassTime<'_>,
) {
    match step {
        TestStep::Do(input) => board.input(*input, tell),
        TestStep::PlayLegal(choice) => {
            if let Some(point) = legal_point(board, *choice) {
                board.input(Input::Touch(point), tell);
                board.input(Input::Release(point), tell);
            }
        }
        TestStep::Wait(ticks) => pass_time(board, *ticks, tell),
        TestStep::Set(settings) => {
            board
                .carry_out(&protocol::Deed::Settings(*settings), tell)
                .expect("settings of the strategy");
        }
    }
}

/// The legal point with this index, modulo their number.
#[must_use]
pub fn legal_point(board: &AnyBoard, choice: u8) -> Option<Point> {
    let points = board.legal_points();
    let place = usize::from(choice).checked_rem(points.len())?;
    points.get(place).copied()
}
