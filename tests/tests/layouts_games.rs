//! Both paths for games that layouts carry: each game in the repository that a board of
//! lights can play is sent over the line, and plays there as it does here.

use firmware_core::digest::digest_of_bytes;
use firmware_core::{Rng, games};
use protocol::{Button, Deed, Input, KnownLayout, Layout, Point, Refusal, Settings};
use touchboard_host::check::{CheckOptions, Verdict, check};
use touchboard_host::session::Session;
use touchboard_host::{CoreDriver, Driver, RecordingDriver, written};
use touchboard_tests::far::{Far, far_or_excuse};
use virtual_board::Options;

/// The number of steps with which each game is compared.
const STEPS: u64 = 40;
/// The minimum number of games in the repository that a board of lights can play.
const GAMES: usize = 20;

/// The games in the repository that a board of lights can play.
fn layouts() -> Vec<(String, KnownLayout)> {
    let all = touchboard_tests::texts::layouts();
    assert!(all.len() >= GAMES, "{all:?}");
    all
}

fn layout(name: &str) -> KnownLayout {
    let all = layouts();
    let found = all.into_iter().find(|(other, _)| other == name);
    found.expect("a game of the tree").1
}

fn virtual_board() -> Option<Far> {
    far_or_excuse(Options::default())
}

/// Starts the game of a layout, and touches some legal points.
fn play(board: &mut dyn Driver, layout: Layout, touches: usize) {
    let reset = Deed::Reset { seed: 5, layout };
    board.carry_out(&reset).expect("it becomes the layout");
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 50).expect("it answers");
    for touch in 0..touches {
        let legal = board.legal().expect("it answers");
        let Some(point) = legal.get(touch * 7 % legal.len().max(1)) else {
            return;
        };
        let tap = [Input::Touch(*point), Input::Release(*point)];
        board.step(&tap, 300).expect("it answers");
    }
}

#[test]
fn every_text_agrees_over_a_pseudo_terminal() {
    let Some(mut far) = virtual_board() else {
        return;
    };
    for (seed, (name, layout)) in (1..).zip(layouts()) {
        let options = CheckOptions::new(layout.clone(), seed, STEPS);
        let verdict = check(&mut *far.driver, &options, &mut |_| ()).expect("it answers");
        let Verdict::Agrees(agreement) = verdict else {
            panic!("{name}: {verdict:?}");
        };
        assert!(agreement.inputs > 0, "{name}: {agreement:?}");
        assert!(far.driver.roster().has(games::LAYOUTS_OWN), "{name}");
        assert_eq!(far.driver.layout(), layout, "{name}");
    }
}

/// Hex and Yavalath stand for all games: one of stones, one of lines.
#[test]
fn a_session_of_a_layouts_game_replays_everywhere() {
    for name in ["hex", "yavalath"] {
        let layout = layout(name);
        let core = CoreDriver::new(*layout, 3).expect("a board");
        let mut board = RecordingDriver::from_now(core, 3, name).expect("a state");
        play(&mut board, *layout, 9);
        let text = board.session().to_text();
        // The session contains the game.
        assert!(text.contains("\\ngame "), "{text}");
        let read = Session::parse(text.as_bytes()).expect("what was written");
        assert_eq!(read.header.layout, layout);
        let mut core = CoreDriver::new(Layout::MALDOO, 0).expect("a board");
        let replayed = read.replay(&mut core, &mut |_| ());
        assert_eq!(replayed.expect("a board"), None, "{name}");
        assert_eq!(core.layout(), layout);
        let Some(mut far) = virtual_board() else {
            return;
        };
        let replayed = read.replay(&mut *far.driver, &mut |_| ());
        assert_eq!(replayed.expect("a board"), None, "{name}");
        assert_eq!(far.driver.layout(), layout);
        assert_eq!(
            core.digest().expect("a board"),
            far.driver.digest().expect("a board")
        );
    }
}

/// The same state with the label of a different layout, and a valid seal.
fn with_layout(saved: &[u8], layout: Layout) -> Vec<u8> {
    let (_, rest) = postcard::take_from_bytes::<Layout>(saved).expect("it begins with it");
    let (rest, _) = rest.split_at(rest.len() - size_of::<u64>());
    let mut room = [0; 16];
    let number = postcard::to_slice(&layout, &mut room).expect("there is room");
    let mut forged = [number, rest].concat();
    forged.extend(digest_of_bytes(&forged).to_le_bytes());
    forged
}

/// A state is labelled with its layout, and is not a state of any other game.
#[test]
fn a_state_of_one_layouts_game_is_refused_by_another() {
    let [one, other] = ["gomoku", "hex"].map(layout);
    let mut core = CoreDriver::new(*one, 1).expect("a board");
    play(&mut core, *one, 3);
    let saved = core.save().expect("a state");
    assert_eq!(with_layout(&saved, *one), saved);
    let forged = with_layout(&saved, *other);
    let mut board = CoreDriver::new(*other, 1).expect("a board");
    let before = board.digest().expect("a board");
    let error = board.load(&forged).expect_err("it is of other rules");
    let sentence = Refusal::Snapshot.to_string();
    assert!(error.to_string().contains(&sentence), "{error}");
    assert_eq!(board.digest().expect("a board"), before);
}

/// After a move, the rules examine 64 x 64 x 64 x 100 sites and numbers.
const TIRING: &str = "
(game \"Tiring\"
    (players 2)
    (equipment { (board (square 8)) (piece \"Ball\" Each) })
    (rules
        (play
            (move Add (to (sites Empty))
                (then
                    (forEach Value min:1 max:100
                        (forEach Site (sites Board)
                            (forEach Site (sites Board)
                                (forEach Site (sites Board)
                                    (if (is In (site) (sites Around (site))) (set Counter))
                                )
                            )
                        )
                    )
                )
            )
        )
        (end (if (is Line 3) (result Mover Win)))
    )
)
";

/// The move in which the machine gave up is half made, and this position is saved.
#[test]
fn a_stuck_game_is_saved_and_loaded() {
    let game = written::of_text("tiring", TIRING, &[]).expect("a text");
    let layout = game.layout.layout();
    let mut core = CoreDriver::new(layout, 1).expect("a board");
    play(&mut core, layout, 1);
    let frame = core.frame();
    assert_eq!(&*frame.display, "Cannot go on");
    let saved = core.save().expect("a state");
    let mut other = CoreDriver::new(layout, 2).expect("a board");
    other.load(&saved).expect("it comes from play");
    assert_eq!(other.save().expect("a state"), saved);
}

/// To find out whether the next player can move, 257 x 257 moves are tried, none of which
/// is legal.
const IN_VAIN: &str = "
(game \"In Vain\"
    (players 2)
    (equipment { (board (square 3)) (piece \"Ball\" Each) })
    (rules
        (play
            (if (is Even (count Moves))
                (move Add (to (sites Empty)))
                (do
                    (forEach Value min:0 max:256
                        (forEach Value min:0 max:256 (move Select (from (last To))))
                    )
                    ifAfterwards:(= 0 (count Moves))
                )
            )
        )
        (end (if (no Moves Next) (result Mover Win)))
    )
)
";

/// Holds however many calls the work is divided into; a touch does all of it at once.
#[test]
fn the_effect_of_a_touch_in_pieces_takes_no_more_work() {
    let game = written::of_text("in vain", IN_VAIN, &[]).expect("a text");
    let mut core = CoreDriver::new(*game.layout, 1).expect("a board");
    play(&mut core, *game.layout, 1);
    core.step(&[], 3_000).expect("it answers");
    assert_eq!(&*core.frame().display, "Cannot go on");
}

/// A board of a layout's game, and a second board with the same layout into which its
/// state is loaded again and again.
struct Pair {
    name: String,
    board: CoreDriver,
    other: CoreDriver,
    /// The number of ticks in which it was nobody's turn.
    between: usize,
}

impl Pair {
    fn new(name: &str, layout: Layout, level: u8) -> Pair {
        let mut board = CoreDriver::new(layout, 1).expect("a board");
        play(&mut board, layout, 0);
        let settings = Settings {
            game: games::LAYOUTS_OWN,
            level,
            ..Settings::default()
        };
        let deed = Deed::Settings(settings);
        board.carry_out(&deed).expect("it has the game");
        let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
        board.step(&start, 50).expect("it answers");
        Pair {
            name: format!("{name} at level {level}"),
            board,
            other: CoreDriver::new(layout, 2).expect("a board"),
            between: 0,
        }
    }

    fn tap(&mut self, point: Point) {
        let tap = [Input::Touch(point), Input::Release(point)];
        self.board.step(&tap, 1).expect("it answers");
    }

    /// In each of these ticks the board continues like a copy that was saved and loaded.
    fn goes_on(&mut self, ticks: u32) {
        for tick in 0..ticks {
            let saved = self.board.save().expect("a state");
            let loaded = self.other.load(&saved);
            loaded.unwrap_or_else(|error| panic!("{}: tick {tick}: {error}", self.name));
            for board in [&mut self.board, &mut self.other] {
                board.step(&[], 1).expect("it answers");
            }
            let [one, same] =
                [&mut self.board, &mut self.other].map(|board| board.digest().expect("it answers"));
            assert_eq!(one, same, "{}: tick {tick}", self.name);
            self.between += usize::from(self.board.legal().expect("it answers").is_empty());
        }
    }
}

/// It takes several ticks to compute what a check ends, and what may be touched after a
/// piece. In each of them the board is saved, and the loaded copy continues identically.
#[test]
fn a_chess_check_survives_saving_and_loading_at_any_tick() {
    let layout = layout("chess");
    let mut pair = Pair::new("chess", *layout, 0);
    for name in ["e2", "e4", "f7", "f6", "d1", "h5", "g7", "g6"] {
        pair.tap(layout.point(name).expect("a square"));
        pair.goes_on(60);
    }
    assert!(pair.between > 24, "{} ticks between moves", pair.between);
}

#[test]
fn every_text_survives_saving_and_loading_at_any_tick() {
    let mut between = 0;
    for (name, layout) in layouts() {
        for level in [0, 3] {
            let mut pair = Pair::new(&name, *layout, level);
            let mut rng = Rng::new(level.into());
            for _ in 0..16 {
                let legal = pair.board.legal().expect("it answers");
                if !legal.is_empty() {
                    pair.tap(legal[rng.below(legal.len() as u32) as usize]);
                }
                pair.goes_on(rng.below(12));
                if level > 0 {
                    // Meanwhile the board thinks and moves.
                    let rest = rng.below(400).into();
                    pair.board.step(&[], rest).expect("it answers");
                }
            }
            between += pair.between;
        }
    }
    assert!(between > 200, "{between} ticks between moves");
}
