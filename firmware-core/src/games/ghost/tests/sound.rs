//! States read from outside.

use protocol::Layout;

use super::*;
use crate::game::Game;

fn is_sound(table: &TestedGame, game: &Ghost<u128>) -> bool {
    Game::<u128>::is_sound(game, &table.ground)
}

#[test]
fn a_state_that_cannot_come_from_play_is_not_sound() {
    type Change = fn(&mut Ghost<u128>, &mut GhostWalk);
    let changes: [(&str, Change); 12] = [
        ("no such mode", |game, _| game.mode = 4),
        ("too many turns", |game, _| game.turns = 33),
        ("on after the last turn", |game, _| game.turns = 32),
        ("more points than turns", |game, _| game.score = [2, 2]),
        ("more wrong touches than turns", |game, _| game.wrong = 4),
        ("green and red at once", |game, _| {
            game.lit.0 = [Points::one(Point(0)); 2]
        }),
        ("lit off the board", |game, _| {
            game.lit[Side::Green] = Points::one(Point(81))
        }),
        ("ghost off the board", |_, walk| walk.corner = Point(255)),
        ("ghost over the edge", |_, walk| walk.corner = Point(8)),
        ("ghost on a lit point", |game, _| {
            game.lit[Side::Green] = Points::one(Point(50))
        }),
        ("no such direction", |_, walk| walk.heading = 8),
        ("shut in", |game, walk| {
            // c1, c3 and a3: see the test of the last step.
            game.lit[Side::Green] = [2, 20, 18].into_iter().map(Point).collect();
            walk.corner = Point(0);
        }),
    ];
    let sound = TestedGame::middle(0);
    for (what, change) in changes {
        let (mut game, mut walk) = (sound.game.clone(), sound.walk());
        game.turns = 3;
        assert!(is_sound(&sound, &game));
        change(&mut game, &mut walk);
        game.phase = GhostPhase::Walk(walk);
        assert!(!is_sound(&sound, &game), "{what}");
    }
    let small = Ground::new(Layout::grid(3, 16).unwrap()).unwrap();
    assert!(!Game::<u128>::is_sound(&sound.game, &small));
}

#[test]
fn a_phase_that_cannot_come_from_play_is_not_sound() {
    let sound = TestedGame::middle(0);
    let pattern = Pattern {
        centre: Point(80),
        side: Side::Red,
        ring: 7,
        next_at: 0,
    };
    let phases = [
        (GhostPhase::Pattern(pattern), true),
        (
            GhostPhase::Pattern(Pattern {
                centre: Point(81),
                ..pattern
            }),
            false,
        ),
        (GhostPhase::Pattern(Pattern { ring: 8, ..pattern }), false),
        (GhostPhase::Over(None), false),
        (GhostPhase::Over(Some(Point(40))), false),
    ];
    for (phase, expected) in phases {
        let game = Ghost {
            phase,
            turns: 3,
            ..sound.game.clone()
        };
        assert_eq!(is_sound(&sound, &game), expected, "{phase:?}");
    }
    let full = [sound.ground.all(), Points::NONE];
    assert!(!is_sound(
        &sound,
        &Ghost {
            phase: phases[0].0,
            lit: TwoColours(full),
            turns: 3,
            ..sound.game.clone()
        }
    ));
    assert!(is_sound(
        &sound,
        &Ghost {
            phase: phases[4].0,
            turns: 32,
            ..sound.game.clone()
        }
    ));
}
