//! Cartridges of the games in this repository: they play like the recorded games, and no
//! bytes make the core panic or hang.

use std::path::{Path, PathBuf};

use firmware_core::cartridge::bytes::checksum;
use firmware_core::cartridge::{Machine, Scratch, verify};
use firmware_core::word::Word;
use firmware_core::{Rng, Wide};
use law::{Judged, Weight, law};
use ludemes::replay::compiled;
use ludemes::replay::excerpt;
use proptest::prelude::*;

/// The games with recorded games in this repository.
const RECORDED: [&str; 8] = [
    "connect-four",
    "gomoku",
    "hex",
    "hexade",
    "reversi",
    "teeko",
    "tic-tac-toe",
    "yavalath",
];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn text(name: &str) -> String {
    let path = folder("games").join(name).with_extension("lud");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn recorded_games_replay_with_the_same_legal_moves() {
    for name in RECORDED {
        let compiled = compiled(&text(name), &[]).unwrap();
        let path = folder("tests/recorded").join(name).with_extension("txt");
        let recorded = std::fs::read_to_string(path).unwrap();
        let moves = excerpt::check(&compiled, &recorded);
        let moves = moves.unwrap_or_else(|difference| panic!("{name}: {difference}"));
        assert!(moves > 15, "{name}: {moves}");
    }
}

#[test]
fn a_wrong_record_is_detected() {
    let compiled = compiled(&text("tic-tac-toe"), &[]).unwrap();
    let path = folder("tests/recorded/tic-tac-toe.txt");
    let recorded = std::fs::read_to_string(path).unwrap();
    let wrong = recorded.replacen("END 2", "END 1", 1);
    assert_ne!(wrong, recorded);
    assert!(excerpt::check(&compiled, &wrong).is_err());
    let wrong = recorded.replacen(" 9 ", " 8 ", 1);
    assert!(excerpt::check(&compiled, &wrong).is_err());
}

#[test]
fn every_compiled_game_plays_to_its_end() {
    let mut played = 0;
    for entry in std::fs::read_dir(folder("games")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "lud") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let compiled = compiled(&source, &[]);
        let compiled = compiled.unwrap_or_else(|what| panic!("{}: {what}", path.display()));
        let mut scratch = Box::new(Scratch::new());
        let game = verify(&compiled.bytes, &mut scratch).unwrap();
        let mut machine = Box::new(Machine::<Wide>::new(&game).unwrap());
        let mut rng = Rng::new(7);
        machine.start();
        for _ in 0..400 {
            let legal = machine.count();
            if !machine.play_random(&mut rng) {
                assert_eq!(legal, 0, "{}", path.display());
                break;
            }
            assert!(legal > 0 || game.players() == 0, "{}", path.display());
        }
        played += 1;
    }
    assert!(played >= RECORDED.len(), "{played}");
}

/// All texts that are compiled, each with its bytes.
fn all_compiled() -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder("games")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "lud") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        if let Ok(compiled) = compiled(&source, &[]) {
            all.push((path.display().to_string(), compiled.bytes));
        }
    }
    all
}

#[test]
fn counted_moves_equal_listed_ones() {
    for (name, bytes) in all_compiled() {
        let mut scratch = Box::new(Scratch::new());
        let game = verify(&bytes, &mut scratch).unwrap();
        let mut machine = Box::new(Machine::<Wide>::new(&game).unwrap());
        let mut rng = Rng::new(11);
        for _ in 0..2 {
            machine.start();
            for number in 0..300 {
                let mut told = 0;
                let _ = machine.legal(&mut |_, _| {
                    told += 1;
                    std::ops::ControlFlow::Continue(())
                });
                assert_eq!(machine.count(), told, "{name}: move {number}");
                if !machine.play_random(&mut rng) {
                    break;
                }
            }
        }
    }
}

/// The pieces, the player to move, and the result.
fn what_is_seen<W: Word>(machine: &Machine<'_, W>) -> String {
    let state = &machine.state;
    let sites = 0..machine.game.sites() as u8;
    let here: Vec<_> = sites.map(|site| state.here(site)).collect();
    let turn = (
        state.mover,
        state.next,
        state.phase,
        state.over,
        state.winner,
    );
    let pending: Vec<_> = state.pending.collect();
    format!("{here:?} {turn:?} {} {pending:?}", state.counter)
}

#[test]
fn random_moves_are_exactly_the_listed_ones() {
    for (name, bytes) in all_compiled() {
        let mut scratch = Box::new(Scratch::new());
        let game = verify(&bytes, &mut scratch).unwrap();
        if game.players() == 0 {
            continue;
        }
        let mut machine = Box::new(Machine::<Wide>::new(&game).unwrap());
        let mut rng = Rng::new(5);
        machine.start();
        for number in 0..60 {
            let (before, known) = (machine.state, machine.history().to_vec());
            if before.over {
                break;
            }
            let mut told = Vec::new();
            let _ = machine.legal(&mut |machine, draft| {
                told.push(([draft.from, draft.to], machine.actions(draft).to_vec()));
                std::ops::ControlFlow::Continue(())
            });
            let many = told.len();
            let mut all = std::collections::BTreeSet::new();
            for (sites, actions) in told {
                machine.play(sites, &actions);
                all.insert(what_is_seen(&machine));
                machine.resume(&before, &known);
            }
            // If there are few moves, they are drawn so often that none is missing by
            // chance.
            let often = if many <= 12 { 40 * many } else { 3 };
            let mut drawn = std::collections::BTreeSet::new();
            for _ in 0..often {
                machine.resume(&before, &known);
                assert!(machine.play_random(&mut rng), "{name}: move {number}");
                let seen = what_is_seen(&machine);
                assert!(all.contains(&seen), "{name}: move {number}: {seen}");
                drawn.insert(seen);
            }
            if many <= 12 {
                assert_eq!(drawn.len(), all.len(), "{name}: move {number}");
            }
        }
    }
}

/// The visible position and the number of moves, after each move of a random game.
fn course<W: Word>(bytes: &[u8], seed: u64) -> Vec<(String, usize)> {
    let mut scratch = Box::new(Scratch::new());
    let game = verify(bytes, &mut scratch).unwrap();
    let mut machine = Box::new(Machine::<W>::new(&game).unwrap());
    let mut rng = Rng::new(seed);
    machine.start();
    let mut course = Vec::new();
    while course.len() < 150 && machine.play_random(&mut rng) {
        course.push((what_is_seen(&machine), machine.count()));
    }
    course
}

#[test]
fn a_seed_gives_the_same_game_on_boards_of_every_width() {
    let mut compared = 0;
    for (name, bytes) in all_compiled() {
        let mut scratch = Box::new(Scratch::new());
        let sites = verify(&bytes, &mut scratch).unwrap().sites();
        for seed in 0..if sites <= 128 { 20 } else { 0 } {
            let wide = course::<Wide>(&bytes, seed);
            assert_eq!(course::<u128>(&bytes, seed), wide, "{name}: seed {seed}");
            if sites <= 64 {
                assert_eq!(course::<u64>(&bytes, seed), wide, "{name}: seed {seed}");
            }
            compared += wide.len();
        }
    }
    assert!(compared > 1_000);
}

/// Draws moves in a position, and compares the frequency of each result with the number
/// of moves that lead to it.
fn are_drawn_as_often<W: Word>(machine: &mut Machine<'_, W>, rng: &mut Rng, what: &str) {
    let (before, known) = (machine.state, machine.history().to_vec());
    let mut told = Vec::new();
    let _ = machine.legal(&mut |machine, draft| {
        told.push(([draft.from, draft.to], machine.actions(draft).to_vec()));
        std::ops::ControlFlow::Continue(())
    });
    let mut results = std::collections::BTreeMap::new();
    for (sites, actions) in &told {
        machine.play(*sites, actions);
        results
            .entry(what_is_seen(machine))
            .or_insert((0_u32, 0_u32))
            .0 += 1;
        machine.resume(&before, &known);
    }
    let draws = 100 * told.len() as u32;
    for _ in 0..draws {
        assert!(machine.play_random(rng), "{what}");
        let result = results.get_mut(&what_is_seen(machine));
        result
            .unwrap_or_else(|| panic!("{what}: a result of no move"))
            .1 += 1;
        machine.resume(&before, &known);
    }
    for (moves, drawn) in results.into_values() {
        // The standard deviation of a count is its root; six of them do not occur by
        // chance.
        let expected = f64::from(draws * moves) / told.len() as f64;
        let strays = (f64::from(drawn) - expected).abs();
        assert!(
            strays < 6.0 * expected.sqrt(),
            "{what}: {drawn} for {expected}"
        );
    }
}

#[test]
fn random_moves_are_uniform() {
    for (name, bytes) in all_compiled() {
        let mut scratch = Box::new(Scratch::new());
        let game = verify(&bytes, &mut scratch).unwrap();
        if game.players() == 0 || game.sites() > 128 {
            continue;
        }
        let mut machine = Box::new(Machine::<u128>::new(&game).unwrap());
        let mut rng = Rng::new(3);
        machine.start();
        for number in 0..48 {
            if machine.state.over {
                break;
            }
            // Early and late in the game, and at both moves of a turn of two.
            if number % 8 < 2 {
                are_drawn_as_often(&mut machine, &mut rng, &format!("{name}: move {number}"));
            }
            machine.play_random(&mut rng);
        }
    }
}

#[test]
fn a_player_with_one_direction_left_is_not_stuck() {
    let source = r#"(game "Right"
        (players 2)
        (equipment {(board (square 4)) (piece "Rook" Each (move Slide Orthogonal))})
        (rules
            (start {(place "Rook1" {"B1"}) (place "Rook2" {"A2"})})
            (play (do (forEach Piece) ifAfterwards:(is In (last To) (sites Right))))
            (end (if (no Moves Next) (result Mover Win)))
        )
    )"#;
    let compiled = compiled(source, &[]).unwrap();
    let mut scratch = Box::new(Scratch::new());
    let game = verify(&compiled.bytes, &mut scratch).unwrap();
    let mut machine = Box::new(Machine::<u64>::new(&game).unwrap());
    machine.start();
    // From B1 the only move is to D1; from A2 there are three, one of them to the right.
    assert!(machine.play_random(&mut Rng::new(1)));
    assert!(!machine.state.over);
    assert_eq!(machine.count(), 1);
}

/// The lights before the first touch, for this seed.
fn lights(seed: u64) -> Vec<u8> {
    let compiled = compiled(&text("lights-out"), &[]).unwrap();
    let mut scratch = Box::new(Scratch::new());
    let game = verify(&compiled.bytes, &mut scratch).unwrap();
    let mut machine = Box::new(Machine::<u64>::new(&game).unwrap());
    machine.seed(seed);
    machine.start();
    machine.state.occupied().map(|site| site.0).collect()
}

#[test]
fn random_set_ups_follow_from_the_seed() {
    let all: Vec<Vec<u8>> = (0..40).map(lights).collect();
    assert!(all.iter().all(|lights| (10..=20).contains(&lights.len())));
    let many: std::collections::BTreeSet<usize> = all.iter().map(Vec::len).collect();
    assert!(many.len() > 5, "{many:?}");
    assert_eq!(lights(5), all[5]);
    assert_ne!(all[5], all[6]);
}

#[test]
fn go_and_pente_refuse_boards_that_are_too_large() {
    for (name, sizes) in [("go", ["9x9", "13x13"]), ("pente", ["13x13", "15x15"])] {
        for size in sizes {
            let option = format!("Board Size/{size}");
            compiled(&text(name), &[option]).unwrap();
        }
        let refused = compiled(&text(name), &["Board Size/19x19".to_owned()]).unwrap_err();
        assert!(
            refused.contains("361 sites, and 256 is the maximum"),
            "{refused}"
        );
    }
}

#[test]
fn a_game_without_players_ends_when_it_is_stable() {
    let block = ["Start/Block".to_owned()];
    let compiled = compiled(&text("game-of-life"), &block).unwrap();
    let mut scratch = Box::new(Scratch::new());
    let game = verify(&compiled.bytes, &mut scratch).unwrap();
    let mut machine = Box::new(Machine::<Wide>::new(&game).unwrap());
    machine.start();
    assert_eq!((machine.count(), machine.state.over), (0, true));
}

/// Plays a cartridge with changed bytes for this many steps; false if it is refused.
fn play_changed(bytes: &[u8], steps: u32) -> bool {
    let mut scratch = Box::new(Scratch::new());
    let Ok(game) = verify(bytes, &mut scratch) else {
        return false;
    };
    let Some(machine) = Machine::<Wide>::new(&game) else {
        return false;
    };
    let mut machine = Box::new(machine);
    machine.refuel(steps);
    let mut rng = Rng::new(1);
    machine.start();
    for _ in 0..30 {
        let _ = machine.count();
        if machine.gave_up() || !machine.play_random(&mut rng) {
            break;
        }
    }
    true
}

/// Adds the matching checksum.
fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 4;
    let sum = checksum(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn no_change_of_a_cartridge_makes_the_core_panic_or_hang() {
    let compiled: Vec<Vec<u8>> = RECORDED
        .iter()
        .map(|name| compiled(&text(name), &[]).unwrap().bytes)
        .collect();
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6);
    let changed = (prop::sample::select(compiled), changes);
    law(Weight::of(4_000, 10), changed, |(mut bytes, changes)| {
        let end = bytes.len() - 4;
        for (place, value) in changes {
            let place = place.index(end);
            bytes[place] = value;
        }
        Ok(Judged::if_any(play_changed(&signed(bytes), 200_000)))
    });
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn invalid_bytes_of_a_cartridge_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut scratch = Box::new(Scratch::new());
        prop_assert!(verify(&bytes, &mut scratch).is_err());
    }
}
