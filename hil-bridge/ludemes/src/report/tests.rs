use std::path::Path;

use super::*;
use crate::compile::compile;
use crate::text;

/// A clock that stands still, because durations do not matter here.
fn no_time() -> Duration {
    Duration::ZERO
}

fn reported(name: &str, games: u32, seed: u64) -> Report {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let source = std::fs::read_to_string(path.join(name).with_extension("lud")).unwrap();
    of_text(&source, games, seed)
}

fn of_text(source: &str, games: u32, seed: u64) -> Report {
    let game = text::read(source).unwrap();
    let compiled = compile(&game).unwrap();
    let fuel = FUEL;
    let plan = ReportOptions {
        games,
        seed,
        fuel,
        now: no_time,
    };
    let look = |_: &Report| ControlFlow::Continue(());
    play(&game, &compiled, &plan, look).unwrap()
}

#[test]
fn every_game_and_its_end_are_counted_once() {
    for name in ["tic-tac-toe", "hexade", "reversi", "yavalath"] {
        let report = reported(name, 60, 5);
        assert_eq!(report.games, 60, "{name}");
        assert_eq!(report.lengths.values().sum::<u32>(), 60);
        let wins: u32 = report.wins.iter().sum();
        assert_eq!(wins + report.draws + report.stopped, 60, "{name}");
        let ruled: u32 = report.ends.iter().map(|end| end.games).sum();
        assert_eq!(ruled + report.passed + report.stopped, 60, "{name}");
        for end in &report.ends {
            let any: u32 = end.any_of.iter().map(|(_, games)| games).sum();
            assert!(end.any_of.is_empty() || any >= end.games, "{name}: {end:?}");
        }
    }
}

#[test]
fn dividing_games_gives_the_same_games() {
    let whole = reported("yavalath", 40, 100);
    let parts = [reported("yavalath", 15, 100), reported("yavalath", 25, 115)];
    let of = |what: fn(&Report) -> u64| parts.iter().map(what).sum::<u64>();
    assert_eq!(whole.positions, of(|part| part.positions));
    assert_eq!(whole.choices, of(|part| part.choices));
    assert_eq!(u64::from(whole.swaps), of(|part| part.swaps.into()));
    let mut lengths = parts[0].lengths.clone();
    for (moves, games) in &parts[1].lengths {
        *lengths.entry(*moves).or_default() += games;
    }
    assert_eq!(whole.lengths, lengths);
}

#[test]
fn merged_reports_equal_the_report_of_the_whole() {
    for name in ["yavalath", "tic-tac-toe", "hexade", "reversi"] {
        let whole = reported(name, 40, 100);
        for parts in [&[40][..], &[15, 25], &[1, 2, 4, 8, 25]] {
            let mut seed = 100;
            let parts = parts.iter().map(|games| {
                let part = reported(name, *games, seed);
                seed += u64::from(*games);
                part
            });
            let sum = parts.reduce(|mut sum, part| {
                sum.add(part);
                sum
            });
            assert_eq!(sum.as_ref(), Some(&whole), "{name}");
        }
    }
}

#[test]
fn a_report_shows_progress_and_can_be_stopped() {
    let game = text::read("(game \"G\" (players 2) (equipment {(board (square 5)) (piece \"A\" Each)}) (rules (play (move Add (to (sites Empty)))) (end (if (no Moves Next) (result Mover Win)))))").unwrap();
    let compiled = compile(&game).unwrap();
    let plan = ReportOptions {
        games: 1_000,
        seed: 0,
        fuel: FUEL,
        now: no_time,
    };
    let mut looks = 0;
    let report = play(&game, &compiled, &plan, |report| {
        looks += 1;
        // Each game has 25 moves.
        assert_eq!(report.games, looks * SLICE / 25);
        match looks {
            4 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    assert_eq!(report.unwrap().games, 4 * SLICE / 25);
}

#[test]
fn the_figures_of_a_simple_game_are_exact() {
    // Two stones on a line of two sites; the player of the second one wins.
    let source = "(game \"Two\" (players 2) (equipment {(board (rectangle 1 2)) (piece \"A\" Each)}) (rules (play (move Add (to (sites Empty)))) (end (if (or (= 2 (count Sites in:(sites Occupied by:All))) (is Line 9)) (result Mover Win)))))";
    let report = of_text(source, 10, 3);
    assert_eq!(report.lengths, BTreeMap::from([(2, 10)]));
    assert_eq!((report.mean_length(), report.median_length()), (2.0, 2.0));
    assert_eq!((report.positions, report.choices), (20, 30));
    assert_eq!((report.mean_choices(), report.most_choices), (1.5, 2));
    assert_eq!((report.wins.as_slice(), report.draws), (&[0, 10][..], 0));
    assert_eq!(report.first_share(), 0.0);
    assert_eq!(report.advantage(), "the first player is at a disadvantage");
    let any_of = &report.ends[0].any_of;
    assert_eq!((any_of[0].1, any_of[1].1), (10, 0));
}

#[test]
fn the_median_of_an_even_number_is_the_mean_of_two() {
    let report = Report {
        games: 4,
        lengths: BTreeMap::from([(3, 1), (5, 1), (8, 2)]),
        ..Report::default()
    };
    assert_eq!(report.median_length(), 6.5);
    assert_eq!(report.mean_length(), 6.0);
}

#[test]
fn the_interval_is_wilsons() {
    let report = |wins, draws, games| Report {
        players: 2,
        wins: vec![wins, games - draws - wins],
        draws,
        games,
        ..Report::default()
    };
    // 8 of 10 games: 49.0 to 94.3 %, as in published tables.
    let [low, high] = report(8, 0, 10).first_interval();
    assert!((low - 0.490).abs() < 0.001 && (high - 0.943).abs() < 0.001);
    assert_eq!(report(8, 0, 10).advantage(), "no significant advantage");
    assert_eq!(report(6, 4, 10).first_share(), 0.8);
    let many = report(800, 0, 1_000);
    assert_eq!(many.advantage(), "the first player has the advantage");
}

#[test]
fn counting_legal_moves_does_not_change_a_game() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    for name in ["teeko", "reversi", "konane"] {
        let source = std::fs::read_to_string(path.join(name).with_extension("lud")).unwrap();
        let compiled = compile(&text::read(&source).unwrap()).unwrap();
        let mut scratch = Box::new(Scratch::new());
        let cartridge = verify(&compiled.bytes, &mut scratch).unwrap();
        let mut machine = Box::new(Machine::<Wide>::new(&cartridge).unwrap());
        let mut lengths = BTreeMap::new();
        for seed in 9..19 {
            let mut rng = Rng::new(seed);
            machine.start();
            while machine.play_random(&mut rng) {}
            *lengths.entry(machine.state.moves).or_default() += 1;
        }
        assert_eq!(reported(name, 10, 9).lengths, lengths, "{name}");
    }
}

/// The probabilities that the first and the second player win random Tic-Tac-Toe,
/// computed over all games from a position.
fn chances(stones: &mut [u8; 9], moves: usize) -> [f64; 2] {
    const ROWS: [[usize; 3]; 8] = [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8],
        [0, 3, 6],
        [1, 4, 7],
        [2, 5, 8],
        [0, 4, 8],
        [2, 4, 6],
    ];
    let last = if moves % 2 == 1 { 1 } else { 2 };
    if ROWS
        .iter()
        .any(|row| row.iter().all(|site| stones[*site] == last))
    {
        return [f64::from(2 - last), f64::from(last - 1)];
    }
    let mut sum = [0.0; 2];
    for site in 0..9 {
        if stones[site] == 0 {
            stones[site] = 3 - last;
            let after = chances(stones, moves + 1);
            stones[site] = 0;
            sum = [sum[0] + after[0], sum[1] + after[1]];
        }
    }
    sum.map(|sum| sum / (9 - moves).max(1) as f64)
}

#[test]
fn results_of_random_games_match_the_full_tree() {
    let known = chances(&mut [0; 9], 0);
    let report = reported("tic-tac-toe", 40_000, 1);
    for (wins, known) in report.wins.iter().zip(known) {
        let share = f64::from(*wins) / 40_000.0;
        // Four standard deviations.
        let most = 4.0 * (known * (1.0 - known) / 40_000.0).sqrt();
        assert!((share - known).abs() < most, "{share} {known} {most}");
    }
}
