//! A plan plays like the machine: it draws the same numbers and reaches the same
//! positions. The games that plans are made for are really played by them.

use std::path::PathBuf;

use cartridge_plan::{Plan, Playout};
use firmware_core::cartridge::bytes::checksum;
use firmware_core::cartridge::{Cartridge, Machine, Scratch, verify};
use firmware_core::word::Word;
use firmware_core::{Rng, Wide};
use law::{Judged, Weight, law};
use ludemes::replay::compiled;
use proptest::prelude::*;

fn text(name: &str) -> String {
    let games = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../ludemes/games");
    std::fs::read_to_string(games.join(name).with_extension("lud")).unwrap()
}

fn names() -> Vec<String> {
    let games = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../ludemes/games");
    let all = std::fs::read_dir(games).unwrap();
    let names = all.map(|entry| entry.unwrap().path().with_extension(""));
    let mut names: Vec<_> = names
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Texts almost all of whose moves are played by plan, and changes to each of them.
const BY_PLAN: [(&str, &[[&str; 2]]); 15] = [
    ("tic-tac-toe", &[]),
    (
        "tic-tac-toe",
        &[
            ["(square 3)", "(square 7)"],
            ["\"Line3Win\"", "\"Line3Win\""],
        ],
    ),
    ("connect-four", &[]),
    (
        "connect-four",
        &[
            ["\"Height\" 6", "\"Height\" 3"],
            ["rectangle 1 7", "square 4"],
            ["Line 4", "Line 3"],
        ],
    ),
    ("teeko", &[]),
    (
        "teeko",
        &[
            ["(square 5)", "(square 6)"],
            ["Line 4", "Line 4 exact:True"],
        ],
    ),
    ("nine-mens-morris", &[]),
    (
        "nine-mens-morris",
        &[[" exact:True", ""], ["count:9", "count:5"]],
    ),
    ("amazons", &[]),
    (
        "amazons",
        &[["(move Slide (then", "(move Slide Orthogonal (then"]],
    ),
    ("konane", &[]),
    ("konane", &[["(sites Phase 1))\n", "(sites Phase 1))\n\n"]]),
    ("hexade", &[]),
    (
        "hexade",
        &[
            ["(hex 8)", "(hex 5)"],
            ["(is Line 6)", "(is Line 5 exact:True)"],
        ],
    ),
    ("gomoku", &[]),
];

/// The compiled bytes of a text after these replacements.
fn changed(name: &str, changes: &[[&str; 2]]) -> Vec<u8> {
    let mut source = text(name);
    for [from, to] in changes {
        assert!(source.contains(from), "{name}: {from}");
        source = source.replace(from, to);
    }
    match compiled(&source, &[]) {
        Ok(compiled) => compiled.bytes,
        Err(what) => panic!("{name} {changes:?}: {what}"),
    }
}

/// Plays a game that is over once more in one go, and from its middle, however that was
/// reached.
fn goes_on_alike<'g, W: Word>(
    game: &'g Cartridge<'g>,
    one: &mut Machine<'g, W>,
    playout: &mut Playout<'_, 'g, W>,
    words: [u32; 4],
    moves: u64,
    seed: u64,
) {
    let name = game.name();
    let mut all = Box::new(Machine::<W>::new(game).unwrap());
    let mut at_once = Rng::new(seed);
    all.seed(seed);
    playout.start(&mut all);
    assert_eq!(
        playout.play_on(&mut all, &mut at_once),
        moves,
        "{name} {seed}"
    );
    assert_eq!(one.left(), all.left(), "{name} {seed}");
    assert_eq!(one.ended_at(), all.ended_at(), "{name} {seed}");
    assert_eq!(words, at_once.words(), "{name} {seed}");
    // Continues from the middle of a game, however it was reached.
    let (mut some, mut same) = (Rng::new(seed), Rng::new(seed));
    for machine in [&mut *one, &mut all] {
        machine.start();
    }
    for _ in 0..moves / 2 {
        one.play_random(&mut some);
        all.play_random(&mut same);
    }
    while one.play_random(&mut some) {}
    playout.play_on(&mut all, &mut same);
    assert_eq!(one.left(), all.left(), "{name} {seed}");
    assert_eq!(some.words(), same.words(), "{name} {seed}");
}

/// Plays a game with the machine and with the plan; in `mixed` games, the machine also
/// plays some of the plan's moves. Returns the number of moves, and how many of them the
/// plan played.
fn is_the_same<W: Word>(game: &Cartridge<'_>, seed: u64, mixed: bool, most: u64) -> (u64, u64) {
    let name = game.name();
    let mut one = Box::new(Machine::<W>::new(game).unwrap());
    let mut other = Box::new(Machine::<W>::new(game).unwrap());
    let plan = Box::new(Plan::<W>::of(game).unwrap());
    let mut playout = Box::new(Playout::of(&plan));
    for machine in [&mut one, &mut other] {
        machine.seed(seed);
    }
    let (mut rng, mut same, mut which) = (Rng::new(seed), Rng::new(seed), Rng::new(seed ^ 1));
    one.start();
    playout.start(&mut other);
    let mut moves = 0;
    loop {
        assert_eq!(one.left(), other.left(), "{name} {seed}: move {moves}");
        assert_eq!(
            one.history(),
            other.history(),
            "{name} {seed}: move {moves}"
        );
        assert_eq!(one.ended_at(), other.ended_at(), "{name} {seed}");
        assert_eq!(rng.words(), same.words(), "{name} {seed}: move {moves}");
        if moves == most {
            break;
        }
        let goes_on = one.play_random(&mut rng);
        let does = match mixed && which.percent(20) {
            true => other.play_random(&mut same),
            false => playout.play(&mut other, &mut same),
        };
        assert_eq!(goes_on, does, "{name} {seed}: move {moves}");
        if !goes_on {
            break;
        }
        moves += 1;
    }
    let by_plan = playout.by_plan();
    if one.state.over {
        goes_on_alike(game, &mut one, &mut playout, rng.words(), moves, seed);
    }
    (moves, by_plan)
}

fn in_its_word(game: &Cartridge<'_>, seed: u64, mixed: bool, most: u64) -> (u64, u64) {
    match game.sites() {
        0..=64 => is_the_same::<u64>(game, seed, mixed, most),
        65..=128 => is_the_same::<u128>(game, seed, mixed, most),
        _ => is_the_same::<Wide>(game, seed, mixed, most),
    }
}

#[test]
fn every_text_plays_the_same_by_plan() {
    for name in names() {
        let bytes = changed(&name, &[]);
        let mut scratch = Box::new(Scratch::new());
        let game = verify(&bytes, &mut scratch).unwrap();
        for seed in 0..3 {
            in_its_word(&game, seed, seed == 2, 300);
            is_the_same::<Wide>(&game, seed, seed == 2, 100);
        }
    }
}

#[test]
fn a_plan_plays_the_games_it_is_made_for() {
    for (name, changes) in BY_PLAN {
        let bytes = changed(name, changes);
        let mut scratch = Box::new(Scratch::new());
        let game = verify(&bytes, &mut scratch).unwrap();
        let (mut moves, mut by_plan) = (0, 0);
        for seed in 0..20 {
            let (all, some) = in_its_word(&game, seed, false, 600);
            moves += all;
            by_plan += some;
        }
        let part = by_plan as f64 / moves as f64;
        assert!(part > 0.9, "{name} {changes:?}: {by_plan} of {moves}");
    }
}

#[test]
fn a_plan_is_not_used_with_little_fuel_or_a_record() {
    let bytes = changed("teeko", &[]);
    let mut scratch = Box::new(Scratch::new());
    let game = verify(&bytes, &mut scratch).unwrap();
    let plan = Box::new(Plan::<u64>::of(&game).unwrap());
    for keeps in [false, true] {
        let mut machine = Box::new(Machine::<u64>::new(&game).unwrap());
        machine.keeps = keeps;
        if !keeps {
            machine.refuel(100_000);
        }
        let mut playout = Box::new(Playout::of(&plan));
        let mut rng = Rng::new(1);
        playout.start(&mut machine);
        while playout.play(&mut machine, &mut rng) {}
        assert!(machine.state.over);
        assert_eq!(playout.by_plan(), 0);
        assert_eq!(machine.done.is_empty(), !keeps);
    }
}

/// Plays a cartridge with changed bytes in both ways. False if it is refused or the
/// machine gives up.
fn changed_is_the_same(bytes: &[u8]) -> bool {
    let mut scratch = Box::new(Scratch::new());
    let Ok(game) = verify(bytes, &mut scratch) else {
        return false;
    };
    let Some(machine) = Machine::<Wide>::new(&game) else {
        return false;
    };
    let mut machine = Box::new(machine);
    machine.refuel(100_000);
    let mut rng = Rng::new(1);
    machine.start();
    let mut moves = 0;
    while moves < 60 && machine.play_random(&mut rng) {
        moves += 1;
    }
    let is_judged = !machine.gave_up() && moves > 0;
    if is_judged {
        is_the_same::<Wide>(&game, 1, false, moves);
    }
    is_judged
}

/// Texts of games about lines, with any board and any length.
fn lines() -> impl Strategy<Value = String> {
    let boards = prop_oneof![
        (2..9_u32).prop_map(|size| format!("(square {size})")),
        (2..7_u32).prop_map(|size| format!("(hex {size})")),
        (2..6_u32).prop_map(|size| format!("(hex Triangle {size})")),
        (1..4_u32, 2..12_u32).prop_map(|(rows, columns)| format!("(rectangle {rows} {columns})")),
    ];
    let ways = prop_oneof![Just(""), Just(" Orthogonal"), Just(" Diagonal")];
    let ends = prop_oneof![
        Just("(result Mover Win)"),
        Just("(result Mover Loss)"),
        Just("(result Mover Draw)"),
    ];
    let lines = (1..6_u32, ways, any::<bool>()).prop_map(|(length, ways, exact)| {
        let exact = if exact { " exact:True" } else { "" };
        format!("(is Line {length}{ways}{exact})")
    });
    let ends = proptest::collection::vec((lines, ends), 1..3);
    (boards, ends).prop_map(|(board, ends)| {
        let ends: String = ends
            .into_iter()
            .map(|(line, end)| format!("(if {line} {end})"))
            .collect();
        format!(
            "(game \"Lines\" (players 2) (equipment {{ (board {board}) (piece \"Disc\" Each) }})
            (rules (play (move Add (to (sites Empty)))) (end {{ {ends} }})))"
        )
    })
}

/// Texts of games whose pieces step, slide, or hop over others.
fn goings() -> impl Strategy<Value = String> {
    let ways = || {
        prop_oneof![
            Just(""),
            Just("Orthogonal"),
            Just("Diagonal"),
            Just("Forward")
        ]
    };
    let moves = prop_oneof![
        ways().prop_map(|ways| format!("(\"StepToEmpty\" {ways})")),
        ways().prop_map(|ways| format!("(move Slide {ways})")),
        ways().prop_map(|ways| {
            let ways = if ways.is_empty() { "Orthogonal" } else { ways };
            format!("(\"HopCapture\" (from) {ways})")
        }),
        ways().prop_map(|ways| {
            let ways = if ways.is_empty() { "Adjacent" } else { ways };
            format!("(or (\"StepToEmpty\" {ways}) (\"HopCapture\" (from) {ways}))")
        }),
    ];
    let ends = prop_oneof![
        Just("(\"NoMoves\" Loss)"),
        Just("(\"BlockWin\")"),
        Just("(\"HavingLessPiecesLoss\" Next 3)"),
    ];
    (3..8_u32, 1..3_u32, moves, ends).prop_map(|(size, rows, moves, end)| {
        format!(
            "(game \"Goings\" (players 2)
            (equipment {{ (board (square {size})) (piece \"Man\" P1 N {moves}) (piece \"Man\" P2 S {moves}) }})
            (rules
                (start {{
                    (place \"Man1\" (expand (sites Bottom) steps:{}))
                    (place \"Man2\" (expand (sites Top) steps:{}))
                }})
                (play (forEach Piece))
                (end {end})))",
            rows - 1,
            rows - 1
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn games_of_lines_play_the_same_by_plan(source in lines(), seed: u64) {
        let compiled = compiled(&source, &[]).map_err(|what| TestCaseError::fail(format!("{what}\n{source}")))?;
        let mut scratch = Box::new(Scratch::new());
        let game = verify(&compiled.bytes, &mut scratch).unwrap();
        for seed in [seed, seed ^ 1] {
            in_its_word(&game, seed, true, 200);
            let (moves, by_plan) = is_the_same::<Wide>(&game, seed, false, 200);
            // A player without a free site passes, which the machine does.
            prop_assert!(by_plan + 2 >= moves, "{by_plan} of {moves}\n{source}");
        }
    }

    #[test]
    fn games_of_men_play_the_same_by_plan(source in goings(), seed: u64) {
        let compiled = compiled(&source, &[]).map_err(|what| TestCaseError::fail(format!("{what}\n{source}")))?;
        let mut scratch = Box::new(Scratch::new());
        let game = verify(&compiled.bytes, &mut scratch).unwrap();
        for seed in [seed, seed ^ 1] {
            in_its_word(&game, seed, true, 100);
            is_the_same::<Wide>(&game, seed, false, 100);
        }
    }
}

#[test]
fn a_changed_cartridge_plays_the_same_by_plan() {
    let compiled: Vec<Vec<u8>> = BY_PLAN
        .iter()
        .map(|(name, changes)| changed(name, changes))
        .collect();
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4);
    let cases = (prop::sample::select(compiled), changes);
    law(Weight::of(1_000, 10), cases, |(mut bytes, changes)| {
        let end = bytes.len() - 4;
        for (place, value) in changes {
            bytes[place.index(end)] = value;
        }
        let sum = checksum(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
        Ok(Judged::if_any(changed_is_the_same(&bytes)))
    });
}
