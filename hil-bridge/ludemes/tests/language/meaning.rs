//! The meaning of texts that are easily misunderstood, checked against records of
//! published games.

use firmware_core::Wide;
use firmware_core::cartridge::{Action, Machine, Scratch, verify};
use ludemes::replay::compiled;
use ludemes::replay::{LegalMove, legal_moves};

/// Plays a text, in the language of its own `(game ...)`.
fn play(text: &str, test: impl FnOnce(&mut Machine<'_, Wide>)) {
    let compiled = compiled(text, &[]).unwrap();
    let mut scratch = Box::new(Scratch::new());
    let game = verify(&compiled.bytes, &mut scratch).unwrap();
    let mut machine = Box::new(Machine::<Wide>::new(&game).unwrap());
    machine.start();
    test(&mut machine);
}

fn written(machine: &mut Machine<'_, Wide>) -> Vec<String> {
    legal_moves(machine)
        .iter()
        .map(LegalMove::written)
        .collect()
}

/// Makes a legal move, written as in a record.
fn make(machine: &mut Machine<'_, Wide>, step: &str) {
    let legal = legal_moves(machine);
    let chosen = legal.iter().find(|one| one.written() == step);
    let chosen = chosen.unwrap_or_else(|| panic!("{step} is not of {legal:?}"));
    machine.done.clear();
    machine.keeps = true;
    machine.play(chosen.sites, &chosen.actions);
    machine.keeps = false;
}

fn refusal(text: &str) -> String {
    compiled(text, &[]).unwrap_err()
}

/// Two rows of three pits, a hand for each player, and these rules of play.
fn pits(play: &str) -> String {
    format!(
        r#"(game "Pits" (players 2)
            (equipment {{
                (mancalaBoard 2 3 store:None (track "Track" "0,E,N,W" loop:True))
                (piece "Seed" Shared)
                (hand Each)
                (regions P1 (sites Bottom))
                (regions P2 (sites Top))
            }})
            (rules
                (start (set Count 2 to:(sites Track)))
                (play {play})
                (end (if (all Passed) (result Mover Draw)))
            )
        )"#
    )
}

#[test]
fn a_mark_stays_in_the_pit_when_a_seed_is_taken() {
    let text = pits(
        r#"(move Select (from (sites Mover) if:(is Occupied (from)))
            (then (and {
                (set State at:(last To) 1)
                (fromTo (from (last To)) (to (handSite Mover)) count:1)
            })))"#,
    );
    play(&text, |machine| {
        make(machine, "1-1");
        let (pit, hand) = (machine.state.here(1), machine.state.here(6));
        assert_eq!((pit.count, pit.state), (1, 1));
        assert_eq!((hand.count, hand.state), (1, 0));
    });
}

#[test]
fn a_hand_beside_points_is_addressed_as_a_cell() {
    let choice = |of: &str| {
        pits(&format!(
            "(or (move Select (from {of} (sites {{(handSite Mover) 0}}) if:(is Occupied (from))) \
             (then (fromTo (from (last To)) (to (handSite Mover)) count:1))) \
             (move Pass))"
        ))
    };
    for (of, hand) in [("", false), ("Cell", true)] {
        play(&choice(of), |machine| {
            make(machine, "0-0");
            make(machine, "-1--1p");
            let legal = written(machine);
            assert_eq!(legal.contains(&"6-6".to_owned()), hand, "{of}: {legal:?}");
        });
    }
}

#[test]
fn the_consequence_of_a_capture_begins_at_the_captured_site() {
    // Captures the pit where sowing ended, and the one behind it if its count is even.
    let text = pits(
        r#"(move Select (from (sites Mover) if:(is Occupied (from)))
            (then (sow apply:(fromTo (from (to)) (to (handSite Mover)) count:(count at:(to))
                (then (fromTo
                    (from (trackSite Move from:(last From) steps:1))
                    (to (handSite Mover))
                    count:(count at:(trackSite Move from:(last From) steps:1))
                ))))))"#,
    );
    play(&text, |machine| {
        make(machine, "0-0");
        let counts: Vec<u8> = (0..7).map(|site| machine.state.here(site).count).collect();
        // Sown into 1 and 2; 2 is captured with three seeds, and 5 behind it with two.
        assert_eq!(counts, [0, 3, 0, 2, 2, 0, 5]);
    });
}

#[test]
fn sowing_no_seed_still_counts_as_a_move() {
    let text = pits(
        r#"(move Select (from (sites Mover) if:(is Occupied (from)))
            (then (do
                (fromTo (from (last To)) (to (handSite Mover)) count:2)
                next:(sow (last To))
            )))"#,
    );
    play(&text, |machine| {
        make(machine, "1-1");
        assert_eq!(machine.state.here(1).count, 0);
        assert_eq!(machine.state.here(6).count, 2);
    });
}

#[test]
fn forget_without_a_name_forgets_everything() {
    let text = r#"(game "Names" (players 2)
        (equipment {(board (square 3)) (piece "Stone" Each)})
        (rules
            (play (if (is Mover P1)
                (move Add (to (sites Empty)) (then (and
                    (remember Value "One" (last To))
                    (remember Value (last To)))))
                (move Pass (then (forget Value All)))))
            (end (if (is Line 3) (result Mover Win)))))"#;
    play(text, |machine| {
        make(machine, "4-4");
        let known = |machine: &Machine<'_, Wide>| {
            let names = machine.state.remembered.iter();
            names.map(|sites| sites.len()).sum::<usize>()
        };
        assert_eq!(known(machine), 2);
        make(machine, "-1--1p");
        assert_eq!(known(machine), 0);
    });
}

#[test]
fn the_consequence_of_a_pass_sees_that_all_passed() {
    let text = r#"(game "Passes" (players 2)
        (equipment {(board (square 3)) (piece "Stone" Each)})
        (rules
            (play (or (move Add (to (sites Empty)))
                (move Pass (then (if (all Passed) (set Score P1 7))))))
            (end (if (and (all Passed) (= 7 (score P1))) (result P1 Win)))))"#;
    play(text, |machine| {
        make(machine, "-1--1p");
        assert!(!machine.state.over);
        make(machine, "-1--1p");
        assert!(machine.state.over);
        assert_eq!(machine.state.winner, 1);
    });
}

#[test]
fn a_single_player_without_moves_ends_the_game() {
    let text = r#"(game "Alone" (players 1)
        (equipment {(board (square 2)) (piece "Stone" P1)})
        (rules
            (play (move Add (to (sites Empty))))
            (end (if (is Line 3) (result P1 Win)))))"#;
    play(text, |machine| {
        for site in 0..4 {
            make(machine, &format!("{site}-{site}"));
            assert!(!machine.state.over);
        }
        make(machine, "-1--1p");
        assert!(machine.state.over);
        assert_eq!(machine.state.winner, 0);
    });
}

#[test]
fn a_hop_of_a_loop_begins_at_its_piece() {
    let text = r#"(game "Hops" (players 2)
        (equipment {(board (square 5)) (piece "Stone" Each)})
        (rules
            (start {(place "Stone1" {"A1" "A3"}) (place "Stone2" {"B1" "B3"})})
            (play (forEach Piece
                (move Hop (from (sites Occupied by:Mover)) Orthogonal
                    (between if:(is Enemy (who at:(between))))
                    (to if:(is Empty (to))))))
            (end (if (no Moves Next) (result Mover Win)))))"#;
    play(text, |machine| {
        assert_eq!(written(machine), ["0-2", "10-12"]);
    });
}

#[test]
fn each_piece_moves_in_its_own_facing_direction() {
    let text = r#"(game "Two Ways" (players 1)
        (equipment {
            (board (rectangle 1 5))
            (piece "Left" P1 E (move Step Forward (to if:(is Empty (to)))))
            (piece "Right" P1 W (move Step Forward (to if:(is Empty (to)))))
        })
        (rules
            (start {(place "Left" (sites {0})) (place "Right" (sites {4}))})
            (play (forEach Piece))
            (end (if (is In 2 (sites Occupied by:P1)) (result P1 Win)))))"#;
    play(text, |machine| assert_eq!(written(machine), ["0-1", "4-3"]));
}

/// A board of points with four additional edges from its middle to the corners.
#[test]
fn sites_ahead_are_found_on_every_line_of_a_direction() {
    let text = r#"(game "Edges" (players 2)
        (equipment {
            (board (add (square 7) edges:{{16 24} {24 32} {30 24} {24 18}}) use:Vertex)
            (piece "Stone" Each)
        })
        (rules
            (play (move Add (to (union
                (sites {(ahead 24 NE) (ahead 24 SE) (ahead 24 SW) (ahead 24 NW)})
                (forEach (sites {24}) if:(= 30 (ahead (site) NW)))))))
            (end (if (no Moves Next) (result Mover Win)))))"#;
    play(text, |machine| {
        let mut legal = written(machine);
        legal.sort();
        assert_eq!(legal, ["16-16", "18-18", "24-24", "30-30", "32-32"]);
    });
}

#[test]
fn the_owner_of_a_loop_may_come_before_or_after_the_moves() {
    let text = |loops: &str| {
        format!(
            r#"(game "Whose" (players 2)
                (equipment {{(board (square 3)) (piece "Stone" Each)}})
                (rules
                    (start {{(place "Stone1" {{"A1"}}) (place "Stone2" {{"C3"}})}})
                    (play (forEach Piece {loops}))
                    (end (if (no Moves Next) (result Mover Win)))))"#
        )
    };
    let moves = "(move Remove (from))";
    for loops in [format!("{moves} Next"), format!("Next {moves}")] {
        play(&text(&loops), |machine| {
            assert_eq!(written(machine), ["8-8"], "{loops}");
        });
    }
}

#[test]
fn a_misplaced_word_is_not_suggested_for_itself() {
    let loops = |kind: &str| {
        format!(
            r#"(game "Words" (players 2)
                (equipment {{(board (square 3)) (piece "Stone" Each)}})
                (rules
                    (play (forEach {kind} (move Add (to (site))) Mover))
                    (end (if (is Line 3) (result Mover Win)))))"#
        )
    };
    let site = refusal(&loops("Site (sites Empty)"));
    assert!(
        site.starts_with("`Mover` means nothing to `forEach`: write `(forEach Site "),
        "{site}"
    );
    assert!(!site.contains("did you mean"), "{site}");
    let misspelt = refusal(&loops("Piece Moover"));
    assert!(misspelt.contains("did you mean `Mover`?"), "{misspelt}");
}

#[test]
fn a_misplaced_value_is_refused_by_name() {
    let text = |play: &str| {
        format!(
            r#"(game "Refused" (players 2)
                (equipment {{(board (square 3)) (piece "Stone" Each)}})
                (rules
                    (play {play})
                    (end (if (is Line 3) (result Mover Win)))))"#
        )
    };
    let sum = text("(move Add (to (sites Empty)) (then (set Pending (+ (last From) (last To)))))");
    assert!(refusal(&sum).contains("only sites can be pending here"));
    let ahead = text("(move Add (to (sites {(ahead 4 {N S})})))");
    assert!(refusal(&ahead).contains("one direction is wanted here"));
}

/// In the engine of the public records, a pit that got seeds twice by number and is empty
/// again counts as occupied (`no Pieces All` in Kiuthi). According to the text, it is
/// not.
#[test]
fn a_pit_without_seeds_has_no_pieces() {
    let text = pits(
        r#"(if (is Mover P1)
            (move (from (sites Bottom)) (to (sites Top)) count:1)
            (move Remove (sites Top) count:9
                (then (if (no Pieces All in:(sites Top)) (set Score P2 1)))))"#,
    );
    play(&text, |machine| {
        machine.state.set(machine.game, 4, Default::default());
        machine.state.set(machine.game, 5, Default::default());
        machine.state.set(machine.game, 3, Default::default());
        make(machine, "0-3");
        let legal = legal_moves(machine);
        assert_eq!(legal.len(), 1);
        let removed = legal[0].actions.iter();
        assert!(
            removed
                .filter(|one| matches!(one, Action::Remove { .. }))
                .count()
                > 0
        );
        make(machine, "3-3");
        assert_eq!(machine.state.score[2], 1);
    });
}
