//! Tests of single commands: their effect, and how long they take on the board.

use drawings::hexagon;
use firmware_core::games;
use protocol::{Event, StampedEvent};
use touchboard_files::KeepFile;
use touchboard_host::{Driver, written};

use super::*;

fn tick_after(line: &str) -> u64 {
    let mut driver = board();
    assert_eq!(
        run_at(&mut driver, line.as_bytes(), &plain()).ending,
        ExitKind::Done
    );
    driver.tick()
}

#[test]
fn only_holding_and_waiting_pass_board_time() {
    for line in ["tap d3", "press game", "start"] {
        assert_eq!(tick_after(line), HOLD_MS, "{line}");
    }
    assert_eq!(tick_after("wait 700"), 700);
    for line in [
        "set game=speedgo mode=2 level=1 time=3 speed=9",
        "touch d3",
        "release d3",
        "show",
        "legal",
        "score",
        "best",
        "digest",
        "expect turn none",
        "help",
    ] {
        assert_eq!(tick_after(line), 0, "{line}");
    }
}

/// Maldoo manual, Buttons: choosing a game restores its previous speed and mode.
#[test]
fn set_restores_mode_and_speed_of_a_game_unless_given() {
    let SessionText { errors, ending, .. } = script(
        "set game=reversi mode=4 speed=8
         set game=speedgo mode=1
         wait 2000
         expect display 995_1
         set game=reversi
         wait 2000
         expect display 098_4
         set game=speedgo speed=2
         wait 2000
         expect display 992_1
         set game=reversi mode=0
         wait 2000
         expect display 098_0",
    );
    assert_eq!(ending, ExitKind::Done);
    assert_eq!(
        errors,
        "line 1: Speed changes nothing here.\nline 8: Speed changes nothing here.\n"
    );
}

#[test]
fn best_lists_scores_or_says_why_there_are_none() {
    let said = |line: &str, keep: Option<&Path>| {
        let board = CoreDriver::with_games(Layout::MALDOO, games::BUILT, SEED);
        let mut board = board.expect("a board");
        if let Some(keep) = keep {
            board = board.keeping(KeepFile::open(keep).expect("a file"));
        }
        let SessionText { output, errors, .. } = run_at(&mut board, line.as_bytes(), &plain());
        output
            .lines()
            .last()
            .unwrap_or(errors.trim_end())
            .to_owned()
    };
    let folder = tempfile::tempdir().expect("a folder for a while");
    let file = folder.path().join("best");
    for (line, keep, answer) in [
        ("best", None, "Reversi mode 0 has no scores that are kept"),
        (
            "set game=B\nbest",
            Some(&*file),
            "Ishido mode 0: no score yet",
        ),
        (
            "set game=B mode=2\nbest",
            Some(&*file),
            "Ishido mode 2 has no scores that are kept",
        ),
        (
            "set game=B\nbest",
            None,
            "this board keeps no best scores: it has nowhere to remember them",
        ),
        (
            "best clear",
            None,
            "line 1: this board keeps no best scores: it has nowhere to remember them",
        ),
        (
            "best clear",
            Some(&*file),
            "Reversi mode 0 has no scores that are kept",
        ),
        (
            "best worst",
            None,
            "line 1: `worst` is not `clear`: write `best [clear]`",
        ),
        (
            "best clear all",
            None,
            "line 1: `all` is one word too many: write `best [clear]`",
        ),
    ] {
        assert_eq!(said(line, keep), answer, "{line}");
    }
}

/// A board that stores its events.
struct Told {
    inner: CoreDriver,
    events: Vec<Event>,
}

impl Driver for Told {
    touchboard_host::forward!(inner; own: take_events);

    fn take_events(&mut self) -> Vec<StampedEvent> {
        let events = self.inner.take_events();
        self.events.extend(events.iter().map(|event| event.event));
        events
    }
}

#[test]
fn set_reports_only_the_requested_game() {
    let mut board = Told {
        inner: board(),
        events: Vec::new(),
    };
    for line in ["set game=touchit", "set game=life mode=1 level=2"] {
        let mut shell = Shell::new(&mut board, &plain());
        assert_eq!(shell.line(line).trouble(), None);
    }
    let names: Vec<String> = board
        .events
        .iter()
        .map(|event| match event {
            Event::Settings(settings) => {
                touchboard_host::event_words::settings(settings, Layout::MALDOO)
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        names,
        [
            "TouchIt mode=0 level=0 time=9 speed=5",
            "Life mode=0 level=0 time=9 speed=5",
            "Life mode=1 level=2 time=9 speed=5",
        ]
    );
}

#[test]
fn lights_sounds_and_numbers_of_points_can_be_expected() {
    let SessionText { errors, ending, .. } = script(
        "expect lights none
         expect beep none
         expect beep 0
         expect count off 81
         set game=visiput
         start
         expect lights green
         expect count green 4
         expect count red 4
         expect count r 4
         tap b7
         set game=reversi
         reset 4x2
         position .rg./.... turn green
         expect beep none
         tap a2
         expect lights green
         expect beep 880
         expect count off 5",
    );
    assert_eq!((errors.as_str(), ending), ("", ExitKind::Done));
}

#[test]
fn a_button_is_held_as_long_as_the_line_says() {
    assert_eq!(tick_after("press time 499"), 499);
    // A held button counts at once, again after half a second, and then four times a
    // second.
    let SessionText { errors, ending, .. } = script(
        "press time 499
         expect display 005_0
         press time 900
         expect display 035_0",
    );
    assert_eq!((errors.as_str(), ending), ("", ExitKind::Done));
}

#[test]
fn a_loaded_board_continues_as_the_saved_one() {
    let folder = tempfile::tempdir().expect("a folder for a while");
    let folder = folder.path();
    let file = folder.join("with a blank.board");
    let name = file.display();

    let first = transcript(
        &format!("set level=1\nstart\ntap d3\nwait 77\nsave {name}\nwait 5000\ndigest"),
        Answers::Json,
    );
    let second = transcript(
        &format!("seed 99\nload {name}\nwait 5000\ndigest\nreset\ndigest"),
        Answers::Json,
    );
    let digests = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter(|line| line.starts_with("{\"cmd\":\"digest\""));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(digests(&first)[0], digests(&second)[0]);
    let fresh = transcript("digest", Answers::Json);
    assert_eq!(
        digests(&second)[1],
        digests(&fresh)[0],
        "reset goes back to the saved seed"
    );

    let good = std::fs::read(&file).expect("save wrote it");
    std::fs::write(&file, &good[..good.len() / 2]).expect("the file is ours");
    assert_eq!(
        refusal(&format!("load {name}")),
        format!("line 1: {name} is damaged: save the board again")
    );
    std::fs::write(&file, "nonsense").expect("the file is ours");
    assert_eq!(
        refusal(&format!("load {name}")),
        format!("line 1: {name} is not a saved board: choose a file that `save` wrote")
    );
    let left: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is ours")
        .collect();
    assert_eq!(left.len(), 1, "nothing is left beside the file");
}

#[test]
fn a_board_of_another_layout_is_loaded_with_its_layout() {
    let folder = tempfile::tempdir().expect("a folder for a while");
    let file = folder.path().join("8x8.board");
    let name = file.display();
    let SessionText { errors, .. } = script(&format!(
        "reset 8x8\nsave {name}\nreset 3x3\nload {name}\nstart\ntap h8"
    ));
    assert!(file.is_file(), "save wrote it");
    assert_eq!(errors, "");
}

#[test]
fn a_hexagon_is_shown_with_its_shape() {
    let mut board = CoreDriver::new(*hexagon(), SEED).expect("the drawing is known");
    let SessionText { output, .. } = run_at(&mut board, b"show\n", &plain());
    let shown: Vec<&str> = output.lines().take(10).collect();
    let expected = [
        " 9      . . . . .",
        " 8     . . . . . .",
        " 7    . . . . . . .",
        " 6   . . . . . . . .",
        " 5  . . . . . . . . . i",
        " 4   . . . . . . . . h",
        " 3    . . . . . . . g",
        " 2     . . . . . . f",
        " 1      . . . . .",
        "        a b c d e",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn json_answers_are_one_object_per_line_with_every_field() {
    let SessionText { output, .. } = run_at(
        &mut board(),
        b"start\n\n# nothing\nlegal\ndigest\nexpect turn none\n",
        &options(Answers::Json),
    );
    let lines: Vec<serde_json::Value> = output
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    assert_eq!(
        lines.len(),
        4,
        "an answer to each command, none to a blank line"
    );
    for line in &lines {
        for field in [
            "cmd", "ok", "tick", "rows", "turn", "score", "display", "beep", "over", "winner",
        ] {
            assert!(line.get(field).is_some(), "{field} is missing in {line}");
        }
    }
    assert!(lines[1]["points"].is_array());
    assert_eq!(lines[2]["digest"].as_str().map(str::len), Some(16));
    assert_eq!(lines[3]["ok"], false);
    assert_eq!(lines[3]["error"], "line 6: expected turn none, found green");
}

#[test]
fn a_thousand_commands_have_a_thousand_answers() {
    let script =
        "set time=3\nstart\ntap d3\nlegal\nshow\nexpect legal none\nwait 20\ndigest\nscore\npass\n"
            .repeat(100);
    let go_on = ShellOptions {
        on_trouble: OnTrouble::GoOn,
        ..options(Answers::Json)
    };
    let SessionText { output, .. } = run_at(&mut board(), script.as_bytes(), &go_on);
    assert_eq!(output.lines().count(), 1_000);
}

#[test]
fn a_blinking_light_is_expected_and_shown_with_its_rhythm() {
    let SessionText {
        output,
        errors,
        ending,
    } = script(
        "start
         expect d7 off steady
         tap a1
         expect d7 green fast
         expect e6 green steady
         expect lights green steady
         expect d7 green
         wait 110
         expect d7 off
         show
         expect refused expect d7 green sometimes",
    );
    assert_eq!(ending, ExitKind::Bad, "{errors}");
    assert!(output.contains("\n   fast: "), "{output}");
    let SessionText { errors, ending, .. } = script("start\ntap a1\nexpect d7 green slow");
    assert_eq!(ending, ExitKind::Failed);
    assert_eq!(errors, "line 3: expected d7 green slow, found green fast\n");
}

#[test]
fn a_built_in_text_is_set_by_its_name() {
    for (line, name) in [
        ("set game=chess", "Chess"),
        ("set game=Nine Men's Morris level=0", "Nine Men's Morris"),
        ("set level=0 game=hex", "Hex"),
        ("set game=reversi.lud", "Reversi"),
    ] {
        let mut board = board();
        let lines = format!("{line}\nstart\n");
        let SessionText {
            output,
            errors,
            ending,
        } = run_at(&mut board, lines.as_bytes(), &plain());
        assert_eq!(ending, ExitKind::Done, "{line}: {output}{errors}");
        let settings = board.status().unwrap().settings;
        let own = written::game_name(settings.game, board.layout());
        assert_eq!(own, name, "{line}");
        assert_eq!(settings.game, games::LAYOUTS_OWN, "{line}");
        // On the board already, it is not inserted again, so the game goes on.
        let again = format!("{line}\n");
        let SessionText { errors, ending, .. } = run_at(&mut board, again.as_bytes(), &plain());
        assert_eq!(ending, ExitKind::Done, "{line}: {errors}");
        assert!(board.status().unwrap().score.is_some(), "{line}");
    }
}
