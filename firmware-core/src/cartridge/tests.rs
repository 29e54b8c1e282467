//! Hand-made cartridges: three in a row on a line of five sites.

use std::vec::Vec;

use super::bytes::{HEAD_BYTES, MAGIC, NEXT_PHASES, PHASE_WORDS, SECTION_BYTES, SECTIONS, VERSION};
use super::bytes::{PIECE_BYTES, PROGRAM_WORDS, checksum};
use super::op::{NOTHING, Op};
use super::verify::{Refused, Scratch, verify};
use super::{Action, Machine};
use crate::rng::Rng;

/// A program under construction, for tests.
#[derive(Default)]
struct Made {
    words: Vec<u16>,
}

impl Made {
    fn node(&mut self, op: Op, extra: u8, takes: &[u16]) -> u16 {
        let at = self.words.len() as u16;
        self.words.push(u16::from_le_bytes([op as u8, extra]));
        self.words.extend_from_slice(takes);
        at
    }
}

fn bytes_of(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A cartridge for two players on a line of five sites, with ways to the right and to the
/// left, one piece kind for each player, and this program with its nodes of moves and
/// end.
fn cartridge(words: &[u16], play: u16, end: u16) -> Vec<u8> {
    cartridge_on([1, 2, 3, 4, 4, 0, 0, 1, 2, 3].to_vec(), words, play, end)
}

/// As `cartridge`, on a board of two ways with these steps, listed way by way.
pub(super) fn cartridge_on(steps: Vec<u8>, words: &[u16], play: u16, end: u16) -> Vec<u8> {
    let [sites, more] = (steps.len() as u16 / 2).to_le_bytes();
    let both = 3_u32.to_le_bytes();
    let half = 1_u32.to_le_bytes();
    let choices = [both, both, both, both, half, half, half, half].concat();
    let none = NOTHING.to_le_bytes();
    let piece = |owner: u8| [owner, 0, 0, 0, none[0], none[1], none[0], none[1]];
    let pieces = [piece(0), piece(1), piece(2)].concat();
    // The opposites of the ways; the pieces of each player.
    let tables = bytes_of(&[2, 1, 0, 3, NOTHING, 1, 2]);
    let mut phase = [NOTHING; PHASE_WORDS];
    (phase[0], phase[1], phase[2]) = (play, play, NOTHING);
    let _ = NEXT_PHASES;
    let parts = [
        steps,
        choices,
        pieces,
        Vec::new(),
        tables,
        bytes_of(words),
        bytes_of(&phase),
        bytes_of(&[NOTHING, end]),
        b"\x04Line\x00\x01X\x01O".to_vec(),
    ];
    let mut bytes = MAGIC.to_vec();
    bytes.extend([
        VERSION,
        2,
        sites,
        more,
        sites,
        more,
        super::bytes::flag::PASS_ENDS as u8,
        0,
        2,
        0,
    ]);
    bytes.extend(1_250_u16.to_le_bytes());
    bytes.extend(10_000_u16.to_le_bytes());
    bytes.resize(HEAD_BYTES, 0);
    let mut at = HEAD_BYTES + SECTIONS * SECTION_BYTES;
    for part in &parts {
        bytes.extend((at as u16).to_le_bytes());
        bytes.extend((part.len() as u16).to_le_bytes());
        at += part.len();
    }
    bytes.extend(parts.concat());
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// A game won by three in a row.
fn three_in_a_row() -> Vec<u8> {
    let mut made = Made::default();
    let mover = made.node(Op::Mover, 0, &[]);
    let piece = made.node(Op::Entry, 0, &[3, mover]);
    let empty = made.node(Op::Empty, 0, &[]);
    let none = NOTHING;
    let add = made.node(Op::Add, 1, &[piece, empty, none, none, none, none]);
    let half = made.node(Op::Choice, 0, &[1]);
    let last = made.node(Op::LastTo, 0, &[]);
    let three = made.node(Op::Constant, 0, &[3]);
    let line = made.node(Op::IsLine, 0, &[half, last, three, none, none]);
    let wins = made.node(Op::Result, 0, &[1, mover]);
    let when = made.node(Op::When, 1, &[line, wins]);
    let rules = made.node(Op::Rules, 1, &[when]);
    cartridge(&made.words, add, rules)
}

fn refused(bytes: &[u8]) -> Refused {
    verify(bytes, &mut Scratch::new()).unwrap_err()
}

fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 4;
    let sum = checksum(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn a_line_of_three_wins() {
    let bytes = three_in_a_row();
    let mut scratch = Scratch::new();
    let game = verify(&bytes, &mut scratch).unwrap();
    assert_eq!(game.name(), "Line");
    let mut machine: Machine<'_, u64> = Machine::new(&game).unwrap();
    machine.start();
    for (site, legal) in [(1, 5), (0, 4), (3, 3), (4, 2), (2, 1)] {
        assert_eq!(machine.count(), legal);
        assert!(!machine.state.over);
        let what = machine.state.mover;
        let add = Action::Add {
            site,
            what,
            state: -1,
            top: false,
        };
        machine.play([site.into(); 2], &[add]);
    }
    assert!(machine.state.over);
    assert_eq!(machine.state.winner, 1);
    assert_eq!(machine.count(), 0);
    let rule = machine.ended_at().unwrap();
    assert_eq!(game.node_at(rule), Some(Op::When));
    let [condition, result] = [1, 2].map(|place| game.program(rule + place));
    assert!(machine.is_true_now(condition));
    // A node that is not a condition counts as false, and so does a word at which no node
    // starts.
    assert!(!machine.is_true_now(result) && !machine.is_true_now(condition + 1));
    assert!(!machine.is_true_now(NOTHING));
}

#[test]
fn a_game_is_ended_by_the_rule_with_a_true_condition() {
    let bytes = three_in_a_row();
    let mut scratch = Scratch::new();
    let game = verify(&bytes, &mut scratch).unwrap();
    let mut machine: Machine<'_, u64> = Machine::new(&game).unwrap();
    let (mut ruled, mut others) = (0, 0);
    for seed in 0..50 {
        machine.start();
        let mut rng = Rng::new(seed);
        while machine.play_random(&mut rng) {
            assert!(machine.state.over || machine.ended_at().is_none());
        }
        match machine.ended_at() {
            Some(rule) => {
                ruled += 1;
                assert!(machine.state.winner > 0 && machine.is_true_now(game.program(rule + 1)));
            }
            None => {
                others += 1;
                assert_eq!(machine.state.winner, 0);
            }
        }
    }
    assert!(ruled > 0 && others > 0, "{ruled} {others}");
}

#[test]
fn a_position_without_moves_is_a_draw_after_two_passes() {
    let bytes = three_in_a_row();
    let mut scratch = Scratch::new();
    let game = verify(&bytes, &mut scratch).unwrap();
    let mut machine: Machine<'_, u64> = Machine::new(&game).unwrap();
    let mut draws = 0;
    for seed in 0..50 {
        machine.start();
        let mut rng = Rng::new(seed);
        let mut moves = 0;
        while machine.play_random(&mut rng) {
            moves += 1;
        }
        assert!(machine.state.over);
        if machine.state.winner == 0 {
            assert_eq!(moves, 7);
            draws += 1;
        }
    }
    assert!(draws > 0);
}

#[test]
fn damaged_and_foreign_bytes_are_refused() {
    let bytes = three_in_a_row();
    assert_eq!(refused(&[]), Refused::NoCartridge);
    assert_eq!(refused(&bytes[..bytes.len() - 1]), Refused::Checksum);
    let mut other = bytes.clone();
    other[4] = VERSION + 1;
    assert_eq!(refused(&other), Refused::Version(VERSION + 1));
    let mut damaged = bytes.clone();
    damaged[HEAD_BYTES + 40] ^= 1;
    assert_eq!(refused(&damaged), Refused::Checksum);
}

#[test]
fn a_program_that_looks_ahead_or_mixes_kinds_is_refused() {
    // A node that refers to itself.
    let mut made = Made::default();
    let not = made.node(Op::Not, 0, &[0]);
    assert_eq!(
        refused(&cartridge(&made.words, not, NOTHING)),
        Refused::Program(0)
    );
    // A number where a condition is needed.
    let mut made = Made::default();
    let number = made.node(Op::Mover, 0, &[]);
    let not = made.node(Op::Not, 0, &[number]);
    assert_eq!(
        refused(&cartridge(&made.words, not, NOTHING)),
        Refused::Program(not)
    );
    // A condition where moves are needed.
    let mut made = Made::default();
    let truth = made.node(Op::True, 0, &[]);
    assert_eq!(
        refused(&cartridge(&made.words, truth, NOTHING)),
        Refused::Program(truth)
    );
}

#[test]
fn a_program_that_is_too_deep_or_tries_too_much_is_refused() {
    let mut made = Made::default();
    let mut truth = made.node(Op::True, 0, &[]);
    for _ in 0..super::verify::MOST_DEPTH {
        truth = made.node(Op::Not, 0, &[truth]);
    }
    let bytes = cartridge(&made.words, truth, NOTHING);
    assert!(matches!(refused(&bytes), Refused::TooDeep(_)));

    // A look-ahead inside a look-ahead.
    let mut made = Made::default();
    let mut moves = made.node(Op::Pass, 0, &[]);
    moves = made.node(Op::Longest, 0, &[moves]);
    assert!(verify(&cartridge(&made.words, moves, NOTHING), &mut Scratch::new()).is_ok());
    moves = made.node(Op::Longest, 0, &[moves]);
    let bytes = cartridge(&made.words, moves, NOTHING);
    assert_eq!(refused(&bytes), Refused::TooManyCopies(moves));
    assert!(made.words.len() < PROGRAM_WORDS);
}

#[test]
fn a_step_off_the_board_is_refused() {
    let mut bytes = three_in_a_row();
    let start = HEAD_BYTES + SECTIONS * SECTION_BYTES;
    bytes[start] = 5;
    assert_eq!(refused(&signed(bytes)), Refused::Part(0));
}

#[test]
fn a_line_on_circular_steps_ends() {
    let mut bytes = three_in_a_row();
    let start = HEAD_BYTES + SECTIONS * SECTION_BYTES;
    // From 0 to 1, then to 2 and back; the other ways lead nowhere.
    bytes[start..start + 10].copy_from_slice(&[1, 2, 1, 3, 4, 0, 1, 2, 3, 4]);
    let bytes = signed(bytes);
    let mut scratch = Scratch::new();
    let game = verify(&bytes, &mut scratch).unwrap();
    let mut machine: Machine<'_, u64> = Machine::new(&game).unwrap();
    machine.start();
    for site in [1, 2, 0] {
        assert!(!machine.state.over);
        let add = Action::Add {
            site,
            what: 1,
            state: -1,
            top: false,
        };
        machine.play([site.into(); 2], &[add]);
    }
    assert!(machine.state.over);
}

#[test]
fn a_machine_without_fuel_gives_up() {
    let bytes = three_in_a_row();
    let mut scratch = Scratch::new();
    let game = verify(&bytes, &mut scratch).unwrap();
    let mut machine: Machine<'_, u64> = Machine::new(&game).unwrap();
    machine.start();
    let all = machine.count();
    assert!(all > 0 && !machine.gave_up());
    machine.refuel(3);
    let _ = machine.count();
    assert!(machine.gave_up());
    machine.refuel(1_000);
    machine.start();
    assert_eq!(machine.count(), all);
}

#[test]
fn each_move_has_its_fuel_and_a_dry_machine_stays_still() {
    let bytes = three_in_a_row();
    let mut scratch = Scratch::new();
    let game = verify(&bytes, &mut scratch).unwrap();
    let mut machine: Machine<'_, u64> = Machine::new(&game).unwrap();
    let mut rng = Rng::new(1);
    machine.refuel(1_000);
    for _ in 0..1_000 {
        machine.start();
        while machine.play_random(&mut rng) {}
        assert!(machine.state.over && !machine.gave_up());
    }
    machine.start();
    machine.refuel(0);
    assert!(!machine.play_random(&mut rng));
    assert!(machine.gave_up());
}

/// The mover continues for as long as there is an empty site.
fn a_turn_without_an_end() -> Vec<u8> {
    let mut made = Made::default();
    let mover = made.node(Op::Mover, 0, &[]);
    let piece = made.node(Op::Entry, 0, &[3, mover]);
    let empty = made.node(Op::Empty, 0, &[]);
    let none = NOTHING;
    let add = made.node(Op::Add, 1, &[piece, empty, none, none, none, none]);
    let again = made.node(Op::Again, 0, &[]);
    let then = made.node(Op::Then, 0, &[add, again]);
    let longest = made.node(Op::Longest, 0, &[then]);
    cartridge(&made.words, longest, NOTHING)
}

#[test]
fn the_longest_turn_is_looked_for_along_each_line_once() {
    let bytes = a_turn_without_an_end();
    let mut scratch = Scratch::new();
    let game = verify(&bytes, &mut scratch).unwrap();
    let mut machine: Machine<'_, u64> = Machine::new(&game).unwrap();
    machine.start();
    // Five sites can be filled in 5! orders, which are visited twice for each first move;
    // nested look-aheads would take many times more.
    machine.refuel(100_000);
    assert_eq!(machine.count(), 5);
    assert!(!machine.gave_up());
}

/// The stack grows with each node and each kept position, and a look-ahead repeats all of
/// it as often as on a board.
#[test]
fn the_stack_of_a_program_is_bounded_before_it_runs() {
    let of = |longest: bool, times: usize| {
        let mut made = Made::default();
        let mut moves = made.node(Op::Pass, 0, &[]);
        for _ in 0..times {
            let can = made.node(Op::CanMove, 0, &[moves]);
            let pass = made.node(Op::Pass, 0, &[]);
            moves = made.node(Op::Afterwards, 0, &[pass, can]);
        }
        if longest {
            moves = made.node(Op::Longest, 0, &[moves]);
        }
        let mut scratch = Scratch::new();
        verify(&cartridge(&made.words, moves, NOTHING), &mut scratch).expect("it is one");
        scratch.stack_bytes()
    };
    let few = of(false, 2);
    assert!(few > 2 * (size_of::<super::State<u64>>() + 240), "{few}");
    for times in 3..12 {
        let one_more = of(false, times + 1) - of(false, times);
        assert_eq!(one_more, of(false, 3) - of(false, 2));
    }
    // The largest number of kept positions is MOST_COPIES.
    for times in 1..=3 {
        assert!(of(true, times) > 7 * of(false, times), "{times}");
    }
}

/// A few nodes that share the same node have exponentially many paths to it, which would
/// keep a board busy for hours.
#[test]
fn verification_visits_shared_nodes_once() {
    let mut made = Made::default();
    let from = made.node(Op::From, 0, &[]);
    let half = made.node(Op::Choice, 0, &[1]);
    let none = NOTHING;
    let mut moves = made.node(Op::Step, 0, &[from, none, half, none, none]);
    for _ in 0..5 {
        moves = made.node(Op::Any, 250, &[moves; 250]);
    }
    let mut bytes = cartridge(&made.words, moves, NOTHING);
    let part = HEAD_BYTES + 2 * SECTION_BYTES;
    let pieces = usize::from(u16::from_le_bytes([bytes[part], bytes[part + 1]]));
    let end = pieces + 3 * PIECE_BYTES;
    for piece in bytes[pieces..end].chunks_mut(PIECE_BYTES) {
        piece[4..].copy_from_slice(&[moves.to_le_bytes(); 2].concat());
    }
    let bytes = signed(bytes);
    let mut scratch = Scratch::new();
    let game = verify(&bytes, &mut scratch).unwrap();
    assert!(Machine::<u64>::new(&game).is_some());
}

/// Makes a node with this number of a piece.
type PieceMaker = fn(&mut Made, u16) -> u16;

/// The constructs that name the piece that they put on the board.
const PIECE_MAKERS: [(&str, PieceMaker); 5] = [
    ("add", |made, what| {
        let empty = made.node(Op::Empty, 0, &[]);
        made.node(
            Op::Add,
            1,
            &[what, empty, NOTHING, NOTHING, NOTHING, NOTHING],
        )
    }),
    ("promote", |made, what| {
        let site = made.node(Op::Constant, 0, &[2]);
        made.node(Op::Promote, 1, &[site, what])
    }),
    ("scatter", |made, what| {
        let empty = made.node(Op::Empty, 0, &[]);
        made.node(Op::Scatter, 1, &[what, empty, NOTHING, NOTHING])
    }),
    ("shoot", |made, what| {
        let from = made.node(Op::Constant, 0, &[2]);
        let both = made.node(Op::Choice, 0, &[0]);
        made.node(Op::Shoot, 1, &[from, both, NOTHING, what])
    }),
    ("trail", |made, what| {
        let from = made.node(Op::Constant, 0, &[2]);
        let both = made.node(Op::Choice, 0, &[0]);
        let mut operands = [NOTHING; 10];
        (operands[0], operands[1], operands[9]) = (from, both, what);
        made.node(Op::Slide, 1, &operands)
    }),
];

/// Plays this move, alone or beside others, at random. Returns how many pieces of number 1
/// stood on the board over all positions.
fn pieces_made(maker: PieceMaker, what: i16, is_alone: bool) -> usize {
    let mut made = Made::default();
    let number = made.node(Op::Constant, 0, &[what.cast_unsigned()]);
    let mut moves = maker(&mut made, number);
    if !is_alone {
        let two = made.node(Op::Constant, 0, &[2]);
        let empty = made.node(Op::Empty, 0, &[]);
        let add = made.node(
            Op::Add,
            1,
            &[two, empty, NOTHING, NOTHING, NOTHING, NOTHING],
        );
        moves = made.node(Op::Any, 2, &[add, moves]);
    }
    let bytes = cartridge(&made.words, moves, NOTHING);
    let mut scratch = Scratch::new();
    let game = verify(&bytes, &mut scratch).unwrap();
    let mut machine: Machine<'_, u64> = Machine::new(&game).unwrap();
    let mut ones = 0;
    for seed in 0..20 {
        machine.start();
        let mut rng = Rng::new(seed);
        for _ in 0..12 {
            if !machine.play_random(&mut rng) {
                break;
            }
            assert!(machine.state.is_sound(&game), "{what} {is_alone}");
            ones += (0..5).filter(|site| machine.state.what(*site) == 1).count();
        }
    }
    ones
}

/// A cartridge from elsewhere can name a piece by any number; the board keeps only pieces
/// that the game has, since it refuses other ones when it restores a position.
#[test]
fn a_piece_that_the_game_lacks_is_never_put_on_the_board() {
    for (name, maker) in PIECE_MAKERS {
        for is_alone in [true, false] {
            assert!(pieces_made(maker, 1, is_alone) > 0, "{name} {is_alone}");
            for what in [-1, 0, 3, 255, 256, 257] {
                assert_eq!(
                    pieces_made(maker, what, is_alone),
                    0,
                    "{name} {what} {is_alone}"
                );
            }
        }
    }
}
