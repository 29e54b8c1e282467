//! `ludemes play` with the lines of a person from a pipe.
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use firmware_core::cartridge::Shifts;
use firmware_core::cartridge::layout_game::{HOST_STACK_BYTES, Room};
use firmware_core::cartridge::machine::Limits;
use firmware_core::cartridge::{Machine, Scratch, verify};

/// The folder of the language, with its games.
const LANGUAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../hil-bridge/ludemes");

fn play(arguments: &[&str], lines: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludemes"))
        .arg("play")
        .args(arguments)
        .current_dir(LANGUAGE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end before it has read everything, because the game is over.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    child.wait_with_output().unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn output_text(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn two_people_play_a_game_to_its_end() {
    let lines = "d6\ne1\nd1\ne1\nd1\ne1\nd4\nthis line is not read any more\n";
    let output = play(&["games/connect-four.lud", "--level", "0"], lines);
    assert_eq!(output.status.code(), Some(0), "{}", output_text(&output));
    let text = printed(&output);
    assert!(text.starts_with("Connect Four: two people\n"), "{text}");
    assert!(text.contains("the game is over: green wins\n"), "{text}");
    let end = "  a6 . . . . . . .\n  a5 . . . . . . .\n  a4 . . . g . . .\n  a3 . . . g r . .\n  a2 . . . g r . .\n  a1 . . . g r . .\n     green 4, red 3\n";
    assert!(
        text.replace("      ", "")
            .ends_with(&end.replace("      ", ""))
            || text.contains("a1  . . . g r . ."),
        "{text}"
    );
}

#[test]
fn a_move_of_two_touches_is_one_line_or_two() {
    let one = play(
        &["games/breakthrough.lud", "--level", "0"],
        "b2 b3\nb7 b6\n",
    );
    let two = play(
        &["games/breakthrough.lud", "--level", "0"],
        "b2\nb3\nb7\nB6\n",
    );
    for output in [&one, &two] {
        assert_eq!(output.status.code(), Some(0), "{}", output_text(output));
        let text = printed(output);
        assert!(text.contains("green b2 b3\n"), "{text}");
        assert!(text.contains("red b7 b6\n"), "{text}");
    }
    assert!(
        printed(&two).contains("b2 goes on with one of "),
        "{}",
        printed(&two)
    );
}

#[test]
fn a_piece_picked_and_put_down_is_not_part_of_the_move() {
    for lines in ["c2\nb2\nb3\nb7 b6\n", "c2\nc2\nb2\nb3\nb7 b6\n"] {
        let output = play(&["games/breakthrough.lud", "--level", "0"], lines);
        assert_eq!(output.status.code(), Some(0), "{}", output_text(&output));
        let text = printed(&output);
        assert!(text.contains("green b2 b3\n"), "{text}");
        assert!(text.contains("red b7 b6\n"), "{text}");
    }
}

#[test]
fn the_board_answers_and_repeats_with_its_seed() {
    let arguments = ["games/teeko.lud", "--level", "3", "--seed", "7"];
    // The second touch differs from the first, wherever the board replied.
    let first = printed(&play(&arguments, "c3\n"));
    let second = if first.contains("red b2\n") {
        "d4"
    } else {
        "b2"
    };
    let lines = format!("c3\n{second}\n");
    let once = play(&arguments, &lines);
    assert_eq!(once.status.code(), Some(0), "{}", output_text(&once));
    let text = printed(&once);
    let answers = text.lines().filter(|line| line.starts_with("red "));
    assert_eq!(answers.count(), 2, "{text}");
    assert!(
        text.contains("you are green, the board is red at level 3"),
        "{text}"
    );
    assert_eq!(text, printed(&play(&arguments, &lines)));
}

#[test]
fn an_impossible_line_is_refused_with_advice() {
    let lines = "z9\nc3 c3\nnothing\npass\nc3\nlegal\nhelp\nshow\n";
    let output = play(&["games/teeko.lud", "--level", "0"], lines);
    assert_eq!(output.status.code(), Some(2));
    let sentences = output_text(&output);
    let all: Vec<&str> = sentences.lines().collect();
    assert_eq!(all.len(), 5, "{sentences}");
    for sentence in &all {
        assert!(sentence.contains("touch one of "), "{sentence}");
    }
    assert!(all[0].starts_with("`z9`"), "{sentences}");
    assert!(
        all[1].starts_with("c3 may not be touched now"),
        "{sentences}"
    );
    assert!(
        all[2].starts_with("`nothing` is neither a point nor a command"),
        "{sentences}"
    );
    assert!(
        all[3].starts_with("passing is not a move now"),
        "{sentences}"
    );
    assert!(printed(&output).contains("green c3\n"));
    for (arguments, words) in [
        (&["games/none.lud"][..], "none.lud"),
        (&["games/teeko.lud", "--level", "9"], "0..=4"),
        (&["games/go.lud", "--option", "Board Size/19x19"], "256"),
    ] {
        let output = play(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            output_text(&output).contains(words),
            "{}",
            output_text(&output)
        );
        assert!(!output_text(&output).contains("panicked"));
    }
}

#[test]
fn games_for_one_and_for_none_are_played_line_by_line() {
    let output = play(&["games/lights-out.lud"], "c3\nb2\n");
    assert_eq!(output.status.code(), Some(0), "{}", output_text(&output));
    assert!(
        printed(&output).contains("green c3\n"),
        "{}",
        printed(&output)
    );
    let output = play(&["games/game-of-life.lud", "--seed", "3"], "\n\na1\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        output_text(&output).contains("it plays by itself: an empty line is a step"),
        "{}",
        output_text(&output)
    );
}

#[test]
fn every_text_can_be_started_and_shown() {
    let games = Path::new(LANGUAGE).join("games");
    for file in games.read_dir().unwrap() {
        let file = file.unwrap().path();
        let output = play(&[file.to_str().unwrap(), "--level", "1"], "legal\nquit\n");
        assert_eq!(output.status.code(), Some(0), "{}", output_text(&output));
        let text = printed(&output);
        assert!(
            text.contains("touch one of") || text.contains("by itself"),
            "{text}"
        );
        assert!(!text.contains('?'), "{text}");
    }
}

#[test]
fn the_names_of_points_can_be_read_off_the_board() {
    let output = play(&["games/nine-mens-morris.lud", "--level", "0"], "quit\n");
    let text = printed(&output);
    for line in [
        "  a4  . . .   . . .  g4\n",
        "  a1  .     .     .  g1\n      a     d     g\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let output = play(&["games/teeko.lud", "--level", "0"], "quit\n");
    let text = printed(&output);
    assert!(
        text.contains("  a1  . . . . .\n      a b c d e\n"),
        "{text}"
    );
    // A text with a typing mistake is reported as by `check`.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("slip");
    std::fs::create_dir_all(&folder).unwrap();
    let games = Path::new(LANGUAGE).join("games/tic-tac-toe.lud");
    let slip = std::fs::read_to_string(games).unwrap();
    let file = folder.join("slip.lud");
    std::fs::write(&file, slip.replace("sites Empty", "sites Emty")).unwrap();
    let output = play(&[file.to_str().unwrap()], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        output_text(&output).contains("did you mean `sites Empty`?"),
        "{}",
        output_text(&output)
    );
}

/// A game with this many nested trial moves; `longest` chooses the moves with the longest
/// turn.
fn nested(times: usize, longest: bool) -> String {
    let add = "(move Add (to (sites Empty)) (then (if (< (count MovesThisTurn) 14) (moveAgain))))";
    let tried = (0..times).fold(add.to_owned(), |moves, _| {
        format!("(do {add} ifAfterwards:(can Move {moves}))")
    });
    let moves = match longest {
        true => format!("(max Moves {tried})"),
        false => tried,
    };
    format!(
        "(game \"Deep\" (players 2) (equipment {{ (board (hex Diamond 11)) (piece \"Disc\" Each) }})
         (rules (play {moves}) (end (if (is Connected Mover) (result Mover Win)))))"
    )
}

/// A chip refuses it when it is inserted; a host has enough memory.
#[test]
fn deep_rules_are_played_on_a_host_only() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("deep");
    std::fs::create_dir_all(&folder).unwrap();
    let file = |times: usize| {
        let file = folder.join(format!("deep-{times}.lud"));
        std::fs::write(&file, nested(times, false)).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let check = |file: &str| {
        let mut ludemes = Command::new(env!("CARGO_BIN_EXE_ludemes"));
        printed(&ludemes.args(["check", file]).output().unwrap())
    };
    let played = |file: &str| play(&[file, "--level", "0"], "c3\nquit\n");
    let few = file(9);
    assert_eq!(played(&few).status.code(), Some(0));
    assert!(!check(&few).contains("hosts"), "{}", check(&few));
    let many = file(17);
    let output = played(&many);
    assert_eq!(output.status.code(), Some(0), "{}", output_text(&output));
    let told = check(&many);
    for part in [
        "it is played on hosts, and not on a board with a microcontroller",
        " bytes of the stack, and such a board has 47104",
    ] {
        assert!(told.contains(part), "{told}");
    }
    // More than a host has, too.
    let tried = (0..18).fold("(move Add (to (sites Empty)))".to_owned(), |moves, _| {
        format!("(if (< (count MovesThisTurn) 9) {moves})")
    });
    let wide = nested(0, true).replace("hex Diamond 11", "hex Diamond 15");
    let start = wide.find("(max Moves ").unwrap();
    let end = wide.find(") (end").unwrap();
    let much = format!("{}(max Moves {tried}){}", &wide[..start], &wide[end..]);
    let file = folder.join("much.lud");
    std::fs::write(&file, much).unwrap();
    let output = played(file.to_str().unwrap());
    assert_eq!(output.status.code(), Some(2));
    let told = output_text(&output);
    assert!(
        told.contains("try too many moves within each other"),
        "{told}"
    );
}

/// The limit on a host is safe: a game at the limit can be played in a thread with a
/// stack of 2 MB, the default in tests and programs.
#[test]
fn the_deepest_accepted_rules_fit_the_stack_of_a_host() {
    let compiled = |times: usize| ludemes::replay::compiled(&nested(times, true), &[]);
    let deepest = (0..17).rev().find_map(|times| {
        let compiled = compiled(times).ok()?;
        (compiled.room == Some(Room::Host)).then_some(compiled)
    });
    let deepest = deepest.expect("one of them is for hosts only");
    assert!(deepest.stack_bytes * 13 / 7 > HOST_STACK_BYTES / 2);
    let run = move || {
        let mut scratch = Box::new(Scratch::new());
        let game = verify(&deepest.bytes, &mut scratch).unwrap();
        let limits = Limits::of_a_host(400_000);
        let mut machine = Machine::<u128>::fitting(&game, &Shifts::of(&game), limits);
        machine.start();
        machine.count()
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    thread.spawn(run).unwrap().join().unwrap();
}
