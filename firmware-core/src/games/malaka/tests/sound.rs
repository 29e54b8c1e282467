//! Tests of states that cannot come from play and are refused when they are read from
//! outside.

use protocol::List;

use super::*;

/// A position in its saved form, in which every field can be changed.
#[derive(Clone, Serialize)]
struct Written {
    variant: u8,
    piles: List<(u8, u8), MOST_PILES>,
    dice: List<u8, 4>,
    turn: Side,
    is_first: bool,
    winner: Option<Side>,
}

/// The bits of a pile that mean red, and a piece pinned beneath it.
const RED: u8 = 0x20;
const PINS: u8 = 0x40;

impl Written {
    /// The usual board, green to move with 1 and 2.
    fn small() -> Written {
        let mut written = Written {
            variant: Variant::USUAL.mode(),
            piles: List::new(),
            dice: [1, 2].into_iter().collect(),
            turn: Side::Green,
            is_first: false,
            winner: None,
        };
        written.lay(&[("a1", 2), ("i9", 2 | RED)]);
        written
    }

    fn lay(&mut self, piles: &[(&str, u8)]) {
        self.piles.clear();
        for (name, pile) in piles {
            let place: MalakaPoint = name.parse().unwrap();
            self.piles.push((u8::from(place), *pile)).unwrap();
        }
    }

    /// The position that is read from this; `None` if it cannot be read.
    fn read(&self) -> Option<Position> {
        let mut bytes = [0; 256];
        let bytes = postcard::to_slice(self, &mut bytes).unwrap();
        postcard::from_bytes(bytes).ok()
    }
}

/// Checks which of these changes of a small position are sound.
fn are_judged(changes: &[testing::Change<Written>]) {
    for (what, expected, change) in changes {
        let mut written = Written::small();
        change(&mut written);
        let position = written.read();
        let is_sound = position.is_some_and(|position| position.is_sound());
        assert_eq!(is_sound, *expected, "{what}");
    }
}

#[test]
fn piles_that_cannot_come_from_play_are_refused() {
    are_judged(&[
        ("nothing", true, |_| {}),
        ("a mode that there is not", false, |it| {
            it.variant = VARIANTS
        }),
        ("a pile off the board", false, |it| {
            it.lay(&[("a1", 2), ("j1", 1), ("i9", 2 | RED)]);
        }),
        ("a pile above the board", false, |it| {
            it.lay(&[("a1", 2), ("i9", 2 | RED), ("a10", 1)]);
        }),
        ("all of twelve pieces on a point", true, |it| {
            it.lay(&[("a1", 12), ("i9", 2 | RED)]);
        }),
        ("a pile of more than twelve", false, |it| {
            it.lay(&[("a1", 13), ("i9", 2 | RED)]);
        }),
        ("more than twelve of green", false, |it| {
            it.lay(&[("a1", 12), ("b1", 1), ("i9", 2 | RED)]);
        }),
        ("more than twelve of red, one of them pinned", false, |it| {
            it.lay(&[("a1", 2 | PINS), ("i9", 12 | RED)]);
        }),
        ("a pile of none", false, |it| {
            it.lay(&[("a1", 0), ("i9", 2 | RED)])
        }),
        ("a bit that no pile has", false, |it| {
            it.lay(&[("a1", 0x82), ("i9", 2 | RED)])
        }),
        ("piles in another order", false, |it| {
            it.lay(&[("i9", 2 | RED), ("a1", 2)]);
        }),
        ("a place twice", false, |it| {
            it.lay(&[("a1", 2), ("a1", 2), ("i9", 2 | RED)]);
        }),
    ]);
}

#[test]
fn dice_and_first_turns_that_cannot_come_from_play_are_refused() {
    are_judged(&[
        ("what is rolled next", true, |it| it.dice.clear()),
        ("a die of five on the usual board", false, |it| {
            it.dice = [1, 5].into_iter().collect();
        }),
        ("the same where dice have six sides", true, |it| {
            it.dice = [1, 5].into_iter().collect();
            it.variant = 4;
        }),
        ("pips in another order", false, |it| {
            it.dice = [2, 1].into_iter().collect();
        }),
        ("three dice that are not alike", false, |it| {
            it.dice = [1, 1, 2].into_iter().collect();
        }),
        ("a double with three left", true, |it| {
            it.dice = [2, 2, 2].into_iter().collect();
        }),
        ("the first turn, with one die", true, |it| {
            it.is_first = true;
            it.dice = [3].into_iter().collect();
        }),
        ("the first turn, before the roll", true, |it| {
            it.is_first = true;
            it.dice.clear();
        }),
        ("the first turn with two dice", false, |it| {
            it.is_first = true
        }),
        ("the first turn of red", false, |it| {
            it.is_first = true;
            it.turn = Side::Red;
            it.dice.clear();
        }),
    ]);
}

#[test]
fn ends_that_cannot_come_from_play_are_refused() {
    are_judged(&[
        ("a winner who has not won", false, |it| {
            it.winner = Some(Side::Green);
            it.dice.clear();
        }),
        ("green has won", true, green_has_won),
        ("the other one has won", false, |it| {
            green_has_won(it);
            it.winner = Some(Side::Red);
        }),
        ("nobody has won who has", false, |it| {
            green_has_won(it);
            it.winner = None;
        }),
        ("dice after the end", false, |it| {
            green_has_won(it);
            it.dice = [1, 2].into_iter().collect();
        }),
        ("the first turn after the end", false, |it| {
            green_has_won(it);
            it.is_first = true;
        }),
    ]);
}

/// All of green's pieces are on red's home edge.
fn green_has_won(written: &mut Written) {
    written.lay(&[("a3", 2 | RED), ("g9", 2)]);
    written.winner = Some(Side::Green);
    written.dice.clear();
}

#[test]
fn a_game_that_cannot_come_from_play_is_refused() {
    let begun = small("O a1x2 c1 X i9x2 g8x2 1 2");
    let stuck = small("O h8 X a3x2 2 3");
    let mut over = small("O g9 h8 X a5x2 1 2");
    for name in ["h8", "h9"] {
        over.touch(Layout::MALDOO.point(name).unwrap());
    }
    type Case<'a> = (&'a TestedGame, testing::Change<Malaka<u128>>);
    let changes: &[Case<'_>] = &[
        (&begun, ("nothing", true, |_| {})),
        (
            &begun,
            ("no dice while it goes on", false, |game| {
                game.position = Position::start(Variant::USUAL);
                game.open = Points::NONE;
                game.passes_at = Some(9);
            }),
        ),
        (
            &begun,
            ("a point too many that may be touched", false, |game| {
                game.open.insert(Point(40));
            }),
        ),
        (
            &begun,
            (
                "dice that are given away though they can be played",
                false,
                |game| {
                    game.passes_at = Some(9);
                },
            ),
        ),
        (&stuck, ("dice that cannot be played", true, |_| {})),
        (
            &stuck,
            ("dice that nobody gives away", false, |game| {
                game.passes_at = None
            }),
        ),
        (&over, ("the end", true, |_| {})),
        (
            &over,
            ("a turn to be given away after the end", false, |game| {
                game.passes_at = Some(9);
            }),
        ),
    ];
    for (table, (what, expected, change)) in changes {
        let mut game = table.game.clone();
        change(&mut game);
        assert_eq!(game.is_sound(&table.ground), *expected, "{what}");
    }
    let steps = begun.game.position.steps();
    for (name, expected) in [("a1", true), ("c1", true), ("b1", false), ("i9", false)] {
        let mut game = begun.game.clone();
        game.picked = Some(name.parse().unwrap());
        game.open = open(&steps, game.picked, &begun.ground);
        assert_eq!(
            game.is_sound(&begun.ground),
            expected,
            "{name} is picked up"
        );
    }
    for (columns, rows, expected) in [(9, 9, true), (8, 9, false), (9, 8, false), (14, 9, true)] {
        let ground = Ground::new(Layout::grid(columns, rows).unwrap()).unwrap();
        let mut game = begun.game.clone();
        game.open = open(&steps, None, &ground);
        assert_eq!(game.is_sound(&ground), expected, "{columns}x{rows}");
    }
}
