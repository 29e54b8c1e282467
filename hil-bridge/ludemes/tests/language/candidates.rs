//! Moves by number: a search, interrupted or not, finds the same moves as a plain walk.

use std::collections::BTreeMap;

use firmware_core::cartridge::candidates::{Draw, Number, RandomChoice, Seek, Stretch};
use firmware_core::cartridge::machine::{FUEL, Limits};
use firmware_core::cartridge::{Action, Cartridge, Machine, Scratch, Shifts, verify};
use firmware_core::points::Points;
use firmware_core::rng::Rng;
use firmware_core::word::Wide;
use ludemes::replay::compiled;
use protocol::Point;

type Board<'g> = Machine<'g, Wide>;
/// Counts moves by start, target and resulting position.
type Moves = BTreeMap<([i16; 2], u64), usize>;

/// Collects all moves.
#[derive(Default)]
struct All(Vec<(Number, [i16; 2])>);

impl Seek<Wide> for All {
    fn wants(&self, _: [i16; 2]) -> bool {
        true
    }

    fn found(&mut self, number: Number, ends: [i16; 2], _: Option<Action>) {
        self.0.push((number, ends));
    }
}

/// Collects the sites where moves begin.
struct Begin {
    sites: Points<Wide>,
    by_sets: bool,
}

impl Seek<Wide> for Begin {
    fn froms(&self) -> Points<Wide> {
        if self.by_sets {
            !self.sites
        } else {
            !Points::NONE
        }
    }

    fn wants(&self, ends: [i16; 2]) -> bool {
        !self.by_sets || ends[0] < 0 || !self.sites.has(Point(ends[0] as u8))
    }

    fn found(&mut self, _: Number, ends: [i16; 2], _: Option<Action>) {
        if ends[0] >= 0 {
            self.sites.insert(Point(ends[0] as u8));
        }
    }

    fn found_from(&mut self, sites: Points<Wide>) -> bool {
        self.sites |= sites;
        self.by_sets
    }
}

/// Collects the moves between two sites, legal or not.
struct Between {
    ends: [i16; 2],
    /// The sites where the moves start and end.
    sites: [Points<Wide>; 2],
    found: Vec<Number>,
}

impl Seek<Wide> for Between {
    fn froms(&self) -> Points<Wide> {
        self.sites[0]
    }

    fn tos(&self) -> Points<Wide> {
        self.sites[1]
    }

    fn wants(&self, ends: [i16; 2]) -> bool {
        ends == self.ends
    }

    fn found(&mut self, number: Number, _: [i16; 2], _: Option<Action>) {
        self.found.push(number);
    }

    fn may_play(&self) -> bool {
        true
    }
}

/// The moves between two sites; `narrow` searches only the moves that may be between them.
fn between(machine: &mut Board<'_>, ends: [i16; 2], narrow: bool) -> Vec<Number> {
    let board = machine.board();
    let site = |end: i16| u8::try_from(end).map_or(Points::NONE, |at| Points::one(Point(at)));
    let mut between = Between {
        ends,
        sites: ends.map(|end| match narrow {
            true => site(end) | !board,
            false => !Points::NONE,
        }),
        found: Vec::new(),
    };
    machine.seek(Stretch::UNASKED, &mut between);
    between.found
}

/// Checks that playing a found move equals playing it by number, and that a search that
/// skips other sites finds as many moves.
fn as_found(name: &str, machine: &mut Board<'_>, whole: &[(Number, [i16; 2])]) {
    let (before, history) = (machine.left(), machine.history().to_vec());
    for (number, ends) in whole {
        let all = between(machine, *ends, false);
        assert!(all.contains(number), "{name}");
        let few = between(machine, *ends, true);
        assert_eq!(all, few, "{name}: {ends:?}");
        // The machine keeps the last found move only.
        if all.last() != Some(number) {
            continue;
        }
        let after = [false, true].map(|is_found| {
            // A different position discards the stored results.
            machine.resume(&before, &history);
            if is_found {
                between(machine, *ends, true);
            }
            assert!(machine.play_number(*number));
            let after = machine.left();
            machine.resume(&before, &history);
            after
        });
        assert_eq!(after[0], after[1], "{name}: {ends:?}");
    }
}

/// The moves in a walk of all moves, without the pass of a player who has no other.
fn walked(machine: &mut Board<'_>) -> Moves {
    let mut drafts = Vec::new();
    let mut look = |machine: &mut Board<'_>, draft: firmware_core::cartridge::Draft| {
        let actions = machine.actions(draft).to_vec();
        if !matches!(actions.first(), Some(Action::Pass { forced: true })) {
            drafts.push(([draft.from, draft.to], actions));
        }
        core::ops::ControlFlow::Continue(())
    };
    let _ = machine.legal(&mut look);
    let before = machine.left();
    let history = machine.history().to_vec();
    let mut moves = Moves::new();
    for (ends, actions) in drafts {
        machine.resume(&before, &history);
        machine.play(ends, &actions);
        *moves.entry((ends, machine.state.hash())).or_default() += 1;
    }
    machine.resume(&before, &history);
    moves
}

/// Plays the same moves by their numbers.
fn numbered(machine: &mut Board<'_>, found: &[(Number, [i16; 2])]) -> Moves {
    let before = machine.left();
    let history = machine.history().to_vec();
    let mut moves = Moves::new();
    for (number, ends) in found {
        assert_eq!(machine.ends_of(*number), Some(*ends));
        machine.resume(&before, &history);
        assert!(machine.play_number(*number));
        *moves.entry((*ends, machine.state.hash())).or_default() += 1;
        machine.resume(&before, &history);
    }
    moves
}

/// Searches with a pause after every `steps` steps.
fn sought(machine: &mut Board<'_>, steps: u32) -> (Vec<(Number, [i16; 2])>, usize) {
    let mut all = All::default();
    let (mut from, mut calls) = (0, 0);
    loop {
        calls += 1;
        let stretch = Stretch {
            from,
            steps,
            asks: true,
        };
        match machine.seek(stretch, &mut all) {
            Some(next) => {
                assert!(next > from || calls == 1, "it gets no further than {from}");
                from = next;
            }
            None => return (all.0, calls),
        }
    }
}

fn check(name: &str, machine: &mut Board<'_>, rng: &mut Rng) -> usize {
    let walked = walked(machine);
    let (whole, _) = sought(machine, u32::MAX);
    assert_eq!(numbered(machine, &whole), walked, "{name}");
    as_found(name, machine, &whole);
    let mut calls = 0;
    for steps in [0, 1 + rng.below(200)] {
        let (cut, more) = sought(machine, steps);
        assert_eq!(cut, whole, "{name} in pieces of {steps}");
        calls += more;
    }
    let mut begins = [false, true].map(|by_sets| Begin {
        sites: Points::NONE,
        by_sets,
    });
    for begin in &mut begins {
        let stretch = Stretch {
            asks: true,
            ..Stretch::UNASKED
        };
        machine.seek(stretch, begin);
    }
    let froms = whole.iter().filter(|(_, ends)| ends[0] >= 0);
    let froms: Points<Wide> = froms.map(|(_, ends)| Point(ends[0] as u8)).collect();
    assert_eq!(begins[1].sites, froms, "{name}");

    // Drawing until no move is left, in one call or several, gives exactly the found moves.
    let (before, history) = (machine.left(), machine.history().to_vec());
    let (mut known, mut legal) = (Vec::new(), Vec::new());
    let mut draw = Draw::default();
    loop {
        machine.resume(&before, &history);
        let steps = match rng.below(3) {
            0 => u32::MAX,
            _ => rng.below(60),
        };
        match machine.play_unknown(&mut draw, steps, &known, None, rng) {
            RandomChoice::GoesOn => calls += 1,
            RandomChoice::None => break,
            RandomChoice::Played { number, .. } => {
                known.push(number);
                legal.push(number);
            }
            RandomChoice::Refused { number, .. } => known.push(number),
        }
    }
    machine.resume(&before, &history);
    legal.sort_unstable();
    let mut numbers: Vec<Number> = whole.iter().map(|(number, _)| *number).collect();
    numbers.sort_unstable();
    assert_eq!(legal, numbers, "{name}: drawn");
    calls
}

fn plays(name: &str, game: &Cartridge<'_>) {
    let mut cuts = 0;
    for seed in 0..3 {
        let limits = Limits {
            ends_later: false,
            ..Limits::of_a_board(FUEL)
        };
        let mut machine = Board::fitting(game, &Shifts::of(game), limits);
        machine.seed(seed);
        machine.start();
        let mut rng = Rng::new(seed);
        for round in 0..90 {
            if machine.state.over {
                break;
            }
            if rng.below(8) == 0 || round < 2 {
                cuts += check(name, &mut machine, &mut rng);
            }
            machine.play_random(&mut rng);
        }
    }
    println!("{name}: {cuts} calls");
}

/// Every game of this repository, by name.
fn texts() -> Vec<(String, String)> {
    let folder = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("games");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let named = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(&path).unwrap())
    };
    paths.into_iter().map(named).collect()
}

#[test]
fn candidates_equal_the_moves_of_the_plain_walk() {
    for (name, text) in texts() {
        let game = compiled(&text, &[]).unwrap();
        let mut scratch = Scratch::new();
        plays(&name, &verify(&game.bytes, &mut scratch).unwrap());
    }
}

/// How often evaluating the end was interrupted.
fn ends(name: &str, game: &Cartridge<'_>) -> usize {
    let mut cuts = 0;
    for seed in 0..4 {
        let mut machine = Board::fitting(game, &Shifts::of(game), Limits::of_a_board(FUEL));
        machine.seed(seed);
        machine.start();
        let mut rng = Rng::new(seed);
        for round in 0..150 {
            if machine.state.over {
                break;
            }
            machine.play_random(&mut rng);
            let (made, history) = (machine.left(), machine.history().to_vec());
            assert!(machine.end_move(u32::MAX));
            let (ended, known) = (machine.left(), machine.history().to_vec());
            machine.resume(&made, &history);
            let before = cuts;
            while !machine.end_move(rng.below(50)) {
                cuts += 1;
                assert!(cuts - before < 5_000, "{name}: it gets no further");
                // The machine may do anything else between two calls.
                let (left, history) = (machine.left(), machine.history().to_vec());
                machine.resume(&left, &history);
            }
            let same = machine.left() == ended && machine.history() == known;
            assert!(same, "{name}: seed {seed}, move {round}");
        }
    }
    cuts
}

#[test]
fn the_end_after_a_move_does_not_depend_on_slices() {
    for (name, text) in texts() {
        let game = compiled(&text, &[]).unwrap();
        let mut scratch = Scratch::new();
        let cuts = ends(&name, &verify(&game.bytes, &mut scratch).unwrap());
        assert!(cuts > 100 || name != "chess", "{cuts} calls were cut");
    }
}

/// Two questions about moves that are walked through one by one.
#[test]
fn mate_and_stalemate_do_not_depend_on_slices() {
    let texts = texts();
    let (_, chess) = texts.iter().find(|(name, _)| name == "chess").unwrap();
    let from = chess.find("(end {").unwrap();
    let text = format!(
        "{}(end {{ (\"Checkmate\" \"King\") (if (no Moves Next) (result Mover Draw)) }})))",
        &chess[..from]
    );
    let game = compiled(&text, &[]).unwrap();
    let mut scratch = Scratch::new();
    let cuts = ends("chess", &verify(&game.bytes, &mut scratch).unwrap());
    assert!(cuts > 100, "{cuts} calls were cut");
}

/// A question within a threat: it is asked after a move that is tried and undone.
const NESTED: &str = "
(game \"Nested\"
    (players 2)
    (equipment {
        (board (square 5))
        (piece \"Rook\" Each
            (move Slide (to if:(is Enemy (who at:(to))) (apply (remove (to)))))
        )
        (piece \"Man\" Each (move Step (to if:(is Empty (to)))))
    })
    (rules
        (start {
            (place \"Rook1\" {\"A1\" \"E1\"})
            (place \"Man1\" {\"B2\" \"D2\"})
            (place \"Rook2\" {\"A5\" \"E5\"})
            (place \"Man2\" {\"B4\" \"D4\"})
        })
        (play (forEach Piece))
        (end
            (if
                (is Threatened (id \"Man\" Next)
                    (do (forEach Piece \"Rook\")
                        ifAfterwards:(can Move
                            (do (forEach Piece \"Man\")
                                ifAfterwards:(= 3 (count Pieces Next))
                            )
                        )
                    )
                )
                (result Mover Win)
            )
        )
    )
)
";

#[test]
fn a_nested_question_is_resumed() {
    let game = compiled(NESTED, &[]).unwrap();
    let mut scratch = Scratch::new();
    let cuts = ends("nested", &verify(&game.bytes, &mut scratch).unwrap());
    assert!(cuts > 100, "{cuts} calls were cut");
}
