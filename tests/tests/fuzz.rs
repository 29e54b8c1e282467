//! A short run of each fuzz target: with valid bytes, with damaged ones, with random ones,
//! and with those that the fuzzer kept (`cargo xtask fuzz TARGET --keep`).

use std::path::Path;

use law::{Judged, Weight, law_called};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use touchboard_tests::fuzz::{TARGETS, target};

/// A change of the bytes of a seed.
#[derive(Clone, Debug)]
enum Damage {
    Flip(Index, u8),
    Insert(Index, u8),
    Cut(Index),
    /// Continues with the rest of another seed from this place on.
    Splice(Index, Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        6 => (any::<Index>(), 0..8_u8).prop_map(|(at, bit)| Damage::Flip(at, 1 << bit)),
        2 => any::<(Index, u8)>().prop_map(|(at, byte)| Damage::Insert(at, byte)),
        1 => any::<Index>().prop_map(Damage::Cut),
        1 => any::<(Index, Index)>().prop_map(|(at, other)| Damage::Splice(at, other)),
    ]
}

fn damaged(seeds: &[Vec<u8>], seed: Index, damages: &[Damage]) -> Vec<u8> {
    let mut bytes = seed.get(seeds).clone();
    for damage in damages {
        let length = bytes.len();
        match damage {
            Damage::Flip(at, bits) if length > 0 => bytes[at.index(length)] ^= bits,
            Damage::Flip(..) => {}
            Damage::Insert(at, byte) => bytes.insert(at.index(length + 1), *byte),
            Damage::Cut(at) => bytes.truncate(at.index(length + 1)),
            Damage::Splice(at, other) => {
                let other = other.get(seeds);
                let at = at.index(length + 1);
                bytes.truncate(at);
                bytes.extend(other.get(at..).unwrap_or_default());
            }
        }
    }
    bytes
}

/// Runs a target in this many cases, of which a minimum percentage must be relevant.
fn asks(name: &str, weight: Weight) {
    let target = target(name);
    let seeds = (target.seeds)();
    for seed in &seeds {
        assert_eq!((target.holds)(seed), Judged::Something, "{seed:?}");
    }
    let near = (any::<Index>(), vec(damage(), 1..4))
        .prop_map(move |(seed, damages)| damaged(&seeds, seed, &damages));
    let bytes = prop_oneof![5 => near, 1 => vec(any::<u8>(), 0..300)];
    law_called(name, weight, bytes, |bytes| Ok((target.holds)(&bytes)));
}

/// The most bytes that are kept for a target: what is in the tree is cloned by everybody.
const MOST_KEPT_BYTES: usize = 100_000;

/// Runs a target with each input that the fuzzer kept. Inputs that are not relevant any
/// more, since an encoding has changed, are not an error: `--keep` replaces them.
fn holds_for_what_was_kept(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let inputs = std::fs::read_dir(folder.join(name)).expect("inputs are kept");
    let (mut all, mut relevant, mut bytes) = (0, 0, 0);
    for input in inputs {
        let input = std::fs::read(input.expect("a file").path()).expect("a file");
        all += 1;
        bytes += input.len();
        if (target(name).holds)(&input) == Judged::Something {
            relevant += 1;
        }
    }
    // The test runner prints this with `--nocapture`.
    println!("{name}: {relevant} of {all} kept inputs are relevant");
    assert!(all > 0, "run `cargo xtask fuzz {name} --keep`");
    assert!(bytes <= MOST_KEPT_BYTES, "{bytes}");
}

macro_rules! each_target {
    ($($name:ident = $weight:expr;)*) => {
        mod any_bytes_are_survived_by {
            use super::*;
            $(
                #[test]
                fn $name() {
                    asks(stringify!($name), $weight);
                }
            )*
        }

        mod what_the_fuzzer_kept_is_survived_by {
            use super::*;
            $(
                #[test]
                fn $name() {
                    holds_for_what_was_kept(stringify!($name));
                }
            )*
        }

        /// Every target is in the tests, in the table, and among the fuzzer's programs.
        #[test]
        fn no_target_is_left_out() {
            let names = TARGETS.map(|target| target.name);
            assert_eq!(names, [$(stringify!($name)),*]);
            let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/fuzz_targets");
            for name in names {
                let path = programs.join(name).with_extension("rs");
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                assert!(text.contains(&format!("target(\"{name}\")")), "{path:?}");
            }
            let count = std::fs::read_dir(programs).map_or(0, Iterator::count);
            assert_eq!(count, names.len());
        }
    };
}

each_target! {
    receiver = Weight::of(1_000, 40);
    to_device = Weight::of(2_000, 15);
    to_host = Weight::of(2_000, 15);
    snapshot = Weight::of(300, 10);
    drawing = Weight::of(500, 8);
    cartridge = Weight::of(3_000, 5);
    session = Weight::of(300, 4);
    shell = Weight::of(300, 50);
    board = Weight::of(200, 50);
    wire_log = Weight::of(300, 50);
    pcapng = Weight::of(300, 40);
    vcd = Weight::of(300, 20);
    game_text = Weight::of(200, 50);
    panel = Weight::of(1_000, 20);
    faults = Weight::of(1_000, 5);
    saved_board = Weight::of(500, 5);
    position_text = Weight::of(500, 5);
    rfc2217 = Weight::of(1_000, 50);
    greeting = Weight::of(1_000, 10);
    uf2 = Weight::of(500, 20);
    kept_board = Weight::of(500, 8);
    monitor = Weight::of(1_000, 20);
    recorded_game = Weight::of(300, 20);
    picture = Weight::of(200, 2);
}
