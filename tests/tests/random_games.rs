//! Thousands of random games of every game, in every mode, on boards of many sizes. Each
//! ends within the limits of the rules, unless the rules allow it to continue for ever;
//! then a test here shows how.

use firmware_core::{AnyBoard, Rng, games};
use protocol::{Deed, GridSize, Input, Layout, Outcome, Point, Settings, Side, Tick};

/// The number of random games of each game, divided among its modes.
const GAMES: u32 = 3_000;
/// The number for Malaka, whose random games take ten times as long as any other's.
const GAMES_OF_MALAKA: u32 = 750;

/// A game, and the source of random touches.
struct Random {
    board: AnyBoard,
    rng: Rng,
    name: &'static str,
    mode: u8,
}

/// The maximum length of a game.
#[derive(Clone, Copy, Debug, Default)]
struct Length {
    moves: u32,
    ms: Tick,
}

impl Length {
    const fn of(moves: u32, ms: Tick) -> Length {
        Length { moves, ms }
    }
}

impl Random {
    /// A game that was started; `None` if it does not fit the layout.
    fn begin(game: u8, mode: u8, layout: Layout, seed: u64) -> Option<Random> {
        let board = AnyBoard::with_games(layout, games::BUILT, seed);
        let mut board = board.expect("every grid is a layout");
        let settings = Settings {
            game,
            mode,
            time: 9,
            speed: (seed % 10) as u8,
            ..Settings::default()
        };
        board
            .carry_out(&Deed::Settings(settings), &mut |_, _| {})
            .expect("a mode of the game");
        input(&mut board, Input::Press(protocol::Button::Start));
        let begun = board.score().is_some();
        begun.then(|| Random {
            board,
            rng: Rng::new(!seed),
            name: games::about(game).map_or("?", |about| about.name),
            mode,
        })
    }

    fn legal(&self) -> Vec<Point> {
        self.board.legal_points()
    }

    /// A random legal point; in Life's race a living cell, so that turns end.
    fn choose(&mut self) -> Option<Point> {
        let mut points = self.legal();
        if self.name == "Life" && self.mode == 0 {
            let frame = self.board.frame();
            points.retain(|point| frame.points.get(*point) != protocol::Colour::OFF);
        }
        let count = u32::try_from(points.len()).expect("a board has few points");
        (count > 0).then(|| points[self.rng.below(count) as usize])
    }

    fn play(&mut self, most: Length) -> (Outcome, Length) {
        let began = self.board.tick();
        let mut moves = 0;
        loop {
            let length = Length {
                moves,
                ms: self.board.tick() - began,
            };
            if let Some(outcome) = self.board.outcome() {
                return (outcome, length);
            }
            assert!(
                moves <= most.moves && length.ms <= most.ms,
                "{} {} on {} has not ended: {length:?}",
                self.name,
                self.mode,
                self.board.layout()
            );
            if let Some(point) = self.choose() {
                moves += 1;
                input(&mut self.board, Input::Touch(point));
                input(&mut self.board, Input::Release(point));
            }
            self.let_time_pass();
        }
    }

    /// In a game that runs by itself, lets a random time pass; in other games, as much as
    /// it takes until a point can be touched.
    fn let_time_pass(&mut self) {
        let moving = matches!(self.name, "Ghost" | "Life" | "TouchIt" | "Symmetry");
        let ms = if moving {
            self.rng.below(400).into()
        } else {
            0
        };
        self.board.advance(ms, &mut |_, _| {});
        if self.board.outcome().is_none() && self.legal().is_empty() {
            let next = self
                .board
                .wakes_at()
                .expect("a game that goes on waits for something");
            self.board.advance(next - self.board.tick(), &mut |_, _| {});
        }
    }
}

fn input(board: &mut AnyBoard, input: Input) {
    board.input(input, &mut |_, _| {});
}

/// The length of the longest random game. Games that the rules limit have that limit; the
/// two that may continue for ever have a number that random play never reaches.
fn most(game: u8, mode: u8, layout: Layout) -> Length {
    let points = layout.points() as u32;
    let name = games::about(game).map_or("?", |about| about.name);
    match (name, mode) {
        // Every move lights a point.
        ("Reversi" | "CountLines" | "Visiput", _) | ("FillIt", 0 | 1) => Length::of(points, 0),
        // Every move removes a point, and four ninths of the board are lit.
        ("FillIt", 3 | 4) => Length::of(points * 4 / 9 + 2, 0),
        // Only chance ends these modes of FillIt.
        ("FillIt", _) => Length::of(100 * points, 0),
        // Only chance ends FindThem; its pattern is visible for half a minute at most.
        ("FindThem", _) => Length::of(100 * points, 30_500),
        // SpeedGo allows eight turns for each point.
        ("SpeedGo", _) => Length::of(8 * points, 0),
        // 32 turns, each ended by a touch or a time-out; the pattern takes 1.2 s.
        ("Ghost", _) => Length::of(32, 32 * (120_000 + 1_200)),
        // 40 displays of three gaps or a second of pattern each, and pauses.
        ("TouchIt", _) => Length::of(40, 40 * (2_000 + 3 * 1_830 + 1_000)),
        // Every move lights a point, within the given time and two seconds.
        ("Symmetry", _) => Length::of(points, 122_000 + 2_000),
        // No player has more than 999 generations, and each turn has at least one.
        ("Life", 0) => Length::of(3 * 2 * 999, 2 * 999 * 2_135 + 2 * 101 * 1_500),
        // At most 999 generations after each of four plays.
        ("Life", _) => Length::of(4, 5 * 999 * 2_135),
        // Only chance ends Malaka, since picking up and putting back change nothing; dice
        // without a possible move are shown for two seconds.
        ("Malaka", _) => Length::of(200 * points, 200 * 2_000),
        // 66 stones are placed, but random touches also ask for help and take stones
        // back.
        ("Ishido", _) => Length::of(40 * 66, 66 * 5_000),
        // Marks stay on the board.
        ("TicDabToe" | "Col", _) => Length::of(points, 0),
        _ => panic!("say here how long a game of {name} may last"),
    }
}

/// Mostly the board that a mode is made for, otherwise any that the mode may fit.
fn layout(made_for: GridSize, rng: &mut Rng, number: u32) -> Layout {
    if number.is_multiple_of(2) {
        return Layout::Grid(made_for);
    }
    let [columns, rows] = [made_for.columns(), made_for.rows()].map(|side| match side {
        ..10 => 3 + rng.below(9) as u8,
        _ => side + rng.below(u32::from(17 - side)) as u8,
    });
    Layout::grid(columns, rows).expect("sides of 3 to 16")
}

fn every_random_game_ends(game: u8) {
    let about = games::about(game).expect("it is in the table");
    let games = match about.name {
        "Malaka" => GAMES_OF_MALAKA,
        _ => GAMES,
    };
    for mode in 0..about.modes {
        let mut rng = Rng::new(u64::from(game) * 100 + u64::from(mode));
        let (mut played, mut longest, mut ends) = (0, Length::default(), [0; 3]);
        let mut number = 0;
        while played < games.div_ceil(about.modes.into()) {
            number += 1;
            let layout = layout((about.made_for)(mode), &mut rng, number);
            let seed = u64::from(rng.next());
            let Some(mut random) = Random::begin(game, mode, layout, seed) else {
                continue;
            };
            let (outcome, length) = random.play(most(game, mode, layout));
            played += 1;
            longest.moves = longest.moves.max(length.moves);
            longest.ms = longest.ms.max(length.ms);
            ends[match outcome {
                Outcome::Won(side) => side.index(),
                Outcome::Draw => 2,
            }] += 1;
        }
        eprintln!(
            "{} {mode}: {played} games, won by green {}, red {}, drawn {}; longest {longest:?}",
            about.name, ends[0], ends[1], ends[2]
        );
        // A wrong touch costs nothing in Symmetry, so a player who touches everything
        // nearly always finds all points in time. In all other games each side wins
        // sometimes.
        let one_player = about.name == "Symmetry";
        assert!(
            one_player || (ends[0] > 0 && ends[1] > 0),
            "{} {mode}",
            about.name
        );
    }
}

touchboard_tests::test_each_game! { every_random_game_ends of all:
    every_random_reversi_ends = 0;
    every_random_ghost_ends = 1;
    every_random_life_ends = 2;
    every_random_touchit_ends = 3;
    every_random_symmetry_ends = 4;
    every_random_countlines_ends = 5;
    every_random_fillit_ends = 6;
    every_random_findthem_ends = 7;
    every_random_visiput_ends = 8;
    every_random_speedgo_ends = 9;
    every_random_malaka_ends = 10;
    every_random_ishido_ends = 11;
    every_random_ticdabtoe_ends = 12;
    every_random_col_ends = 13;
}

const DAY_MS: Tick = 24 * 3_600_000;

/// Every game of the manual in each of its modes, just started.
fn begun() -> impl Iterator<Item = Random> {
    games::NUMBERS.iter().flat_map(|game| {
        let modes = games::about(*game).expect("it is in the table").modes;
        (0..modes).map(|mode| Random::begin(*game, mode, Layout::MALDOO, 7).expect("9x9 holds it"))
    })
}

/// `RULES.md`, about the waiting clock: only games that run by themselves end.
#[test]
fn an_untouched_game_ends_only_if_it_runs_by_itself() {
    for mut random in begun() {
        let before = random.board.score();
        random.board.advance(DAY_MS, &mut |_, _| {});
        let by_itself = matches!(random.name, "Life" | "TouchIt" | "Symmetry");
        let (name, mode) = (random.name, random.mode);
        assert_eq!(random.board.outcome().is_some(), by_itself, "{name} {mode}");
        if !by_itself {
            assert_eq!(random.board.score(), before, "{name} {mode}");
            assert_eq!(random.board.turn(), Some(Side::Green), "{name} {mode}");
            assert!(!random.legal().is_empty());
        }
    }
}

/// Games that are abandoned after the first touch, according to what `RULES.md` says
/// about time-outs in each.
#[test]
fn an_abandoned_game_ends_as_its_rules_say() {
    for mut random in begun() {
        // FindThem shows its pattern first.
        while random.legal().is_empty() {
            random.board.advance(100, &mut |_, _| {});
        }
        let point = random.choose().expect("something may be touched");
        input(&mut random.board, Input::Touch(point));
        input(&mut random.board, Input::Release(point));
        let before = random.board.score();
        random.board.advance(DAY_MS, &mut |_, _| {});
        let (name, mode) = (random.name, random.mode);
        let for_ever = matches!(name, "CountLines" | "FillIt" | "FindThem" | "Visiput");
        assert_eq!(random.board.outcome().is_none(), for_ever, "{name} {mode}");
        if for_ever {
            assert_eq!(random.board.score(), before, "{name} {mode}");
            assert!(!random.legal().is_empty());
        }
    }
}

/// Maldoo manual, FillIt, mode 2: only modes 3 and 4 require a move to remove a point, so
/// two players who touch where nothing changes never end a game of mode 2.
#[test]
fn mode_2_of_fillit_can_be_played_for_ever() {
    let mut random = Random::begin(6, 2, Layout::MALDOO, 7).expect("9x9 holds it");
    for _ in 0..10_000 {
        let (before, turn) = (random.board.frame().points.clone(), random.board.turn());
        let idle = random.legal().into_iter().find(|point| {
            let mut tried = random.board.clone();
            input(&mut tried, Input::Touch(*point));
            tried.frame().points == before
        });
        let Some(point) = idle else {
            // In the other modes a move must change something, which makes room for the
            // opponent.
            let point = random.choose().expect("any point is legal");
            input(&mut random.board, Input::Touch(point));
            input(&mut random.board, Input::Release(point));
            continue;
        };
        input(&mut random.board, Input::Touch(point));
        input(&mut random.board, Input::Release(point));
        assert_ne!(random.board.turn(), turn, "the turn passes");
    }
    assert_eq!(random.board.outcome(), None);
}
