//! Games of pits and seeds.

use firmware_core::cartridge::{Machine, Scratch, verify};
use firmware_core::{Rng, Wide};
use ludemes::replay::compiled;
use ludemes::replay::legal_moves;

/// Two rows of six pits, and a store for each player. If the last seed falls into the own
/// store, the player moves again; if it falls into an empty own pit, the opposite pit is
/// captured.
const STORES: &str = r#"
(define "Columns" 6)
(game "Stores"
    (players 2)
    (equipment {
        (mancalaBoard 2 "Columns" (track "Track" "0,ESE,E,ENE,WNW,N,W" loop:True))
        (regions P1 (sites Bottom))
        (regions P2 (sites Top))
        (map {(pair P1 LastSite) (pair P2 FirstSite)})
        (piece "Seed" Shared)
    })
    (rules
        (start (set Count 4 to:(union (sites P1) (sites P2))))
        (play
            (move Select
                (from (sites Mover) if:(> (count at:(from)) 0))
                (then
                    (sow
                        apply:(if (= (to) (mapEntry (mover)))
                            (moveAgain)
                            (if (and {
                                    (is In (to) (sites Mover))
                                    (= (count at:(to)) 1)
                                    (> (count at:("OppositePit" (to))) 0)
                                })
                                (fromTo
                                    (from ("OppositePit" (to)))
                                    (to (mapEntry (mover)))
                                    count:(count at:("OppositePit" (to)))
                                )
                            )
                        )
                        skipIf:(= (to) (mapEntry (next)))
                    )
                )
            )
        )
        (end (if (no Moves Mover) (byScore {
            (score P1 (count at:(mapEntry P1)))
            (score P2 (count at:(mapEntry P2)))
        })))
    )
)
"#;

/// The pits by number: the second player's store, the lower row, the upper row, the first
/// player's store.
fn pits(machine: &Machine<'_, Wide>) -> Vec<u8> {
    let all = 0..machine.game.board() as u8;
    all.map(|site| machine.state.here(site).count).collect()
}

fn play(machine: &mut Machine<'_, Wide>, pit: i16) {
    let legal = legal_moves(machine);
    let chosen = legal.iter().find(|one| one.sites == [pit; 2]).unwrap();
    machine.play(chosen.sites, &chosen.actions);
}

#[test]
fn sowing_skips_the_opponents_store() {
    let compiled = compiled(STORES, &[]).unwrap();
    let mut scratch = Box::new(Scratch::new());
    let game = verify(&compiled.bytes, &mut scratch).unwrap();
    let mut machine = Box::new(Machine::<Wide>::new(&game).unwrap());
    machine.start();
    assert_eq!(pits(&machine), [0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 0]);
    assert_eq!(machine.count(), 6);
    // The fourth seed falls into the store, so the same player moves again.
    play(&mut machine, 3);
    assert_eq!(pits(&machine), [0, 4, 4, 0, 5, 5, 5, 4, 4, 4, 4, 4, 4, 1]);
    assert_eq!(machine.state.mover, 1);
    play(&mut machine, 4);
    assert_eq!(pits(&machine), [0, 4, 4, 0, 0, 6, 6, 4, 4, 4, 4, 5, 5, 2]);
    assert_eq!(machine.state.mover, 2);
    // Around the board, past the first player's store.
    play(&mut machine, 7);
    assert_eq!(pits(&machine), [1, 5, 5, 1, 0, 6, 6, 0, 4, 4, 4, 5, 5, 2]);
    // The last seed is alone in an own pit, so the opposite pit is captured.
    play(&mut machine, 3);
    assert_eq!(pits(&machine), [1, 5, 5, 0, 1, 6, 6, 0, 4, 4, 0, 5, 5, 6]);
}

#[test]
fn sowing_keeps_the_number_of_seeds() {
    let compiled = compiled(STORES, &[]).unwrap();
    let mut scratch = Box::new(Scratch::new());
    let game = verify(&compiled.bytes, &mut scratch).unwrap();
    let mut machine = Box::new(Machine::<Wide>::new(&game).unwrap());
    let mut rng = Rng::new(11);
    for _ in 0..200 {
        machine.start();
        while machine.play_random(&mut rng) {
            let all: u32 = pits(&machine).into_iter().map(u32::from).sum();
            assert_eq!(all, 48);
        }
        assert!(machine.state.over && !machine.gave_up());
    }
}
