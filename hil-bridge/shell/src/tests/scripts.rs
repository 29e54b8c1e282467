//! Scripts: where they stop, how they end, and how they are read.

use super::*;

#[test]
fn a_script_stops_at_its_first_failed_expectation_with_code_1() {
    let SessionText {
        output,
        errors,
        ending,
    } = script("score\n\nexpect turn red\nscore\n");
    assert_eq!(output, "no game on the board\n");
    assert_eq!(errors, "line 3: expected turn red, found none\n");
    assert_eq!(ending.code(), 1);
}

#[test]
fn a_script_stops_at_its_first_bad_line_with_code_2() {
    let SessionText {
        output,
        errors,
        ending,
    } = script("# nothing\nscroe\nscore\n");
    assert_eq!(output, "");
    assert_eq!(
        errors,
        "line 2: `scroe` is not a command: did you mean `score`?\n"
    );
    assert_eq!(ending.code(), 2);
}

#[test]
fn a_continued_script_ends_with_the_code_of_its_first_error() {
    let go_on = ShellOptions {
        on_trouble: OnTrouble::GoOn,
        ..plain()
    };
    let SessionText {
        output,
        errors,
        ending,
    } = run_at(
        &mut board(),
        b"expect turn red\nnonsense\nscore\nquit\nscore\n",
        &go_on,
    );
    assert_eq!(output, "no game on the board\n");
    assert_eq!(errors.lines().count(), 2);
    assert_eq!(ending, ExitKind::Failed);
}

#[test]
fn a_person_is_prompted_and_errors_do_not_end_the_session() {
    let person = ShellOptions {
        reader: Reader::Person,
        ..plain()
    };
    let SessionText {
        output,
        errors,
        ending,
    } = run_at(&mut board(), b"scroe\nexpect turn red\nscore\n", &person);
    assert_eq!(
        output,
        "a 9x9 board at core; `help` lists the commands\n> > > no game on the board\n> \n"
    );
    assert!(errors.starts_with("`scroe` is not a command"), "{errors}");
    assert_eq!(ending.code(), 0);
}

#[test]
fn a_script_ends_at_quit_or_at_its_end() {
    assert_eq!(script("score\nquit\nnonsense").ending, ExitKind::Done);
    assert_eq!(script("score").ending, ExitKind::Done);
    assert_eq!(script("").ending, ExitKind::Done);
}

#[test]
fn lines_may_end_as_on_windows_and_begin_with_a_byte_order_mark() {
    let SessionText {
        output,
        errors,
        ending,
    } = script("\u{FEFF}score\r\n   # blanks\r\n\r\nquit\r\n");
    assert_eq!(
        (output.as_str(), errors.as_str()),
        ("no game on the board\n", "")
    );
    assert_eq!(ending, ExitKind::Done);
}

#[test]
fn invalid_text_and_endless_lines_are_refused() {
    let SessionText { errors, ending, .. } = run_at(&mut board(), b"score\n\xFF\xFE\n", &plain());
    assert_eq!(
        errors,
        "line 2: the line is not UTF-8 text: save the script as UTF-8\n"
    );
    assert_eq!(ending, ExitKind::Bad);

    let mut long = vec![b'x'; 100_000];
    long.extend(b"\nscore\n");
    let go_on = ShellOptions {
        on_trouble: OnTrouble::GoOn,
        ..plain()
    };
    let SessionText {
        output,
        errors,
        ending,
    } = run_at(&mut board(), &long, &go_on);
    assert_eq!(
        errors,
        "line 1: the line is longer than 4096 bytes: write one command a line\n"
    );
    assert_eq!(output, "no game on the board\n");
    assert_eq!(ending, ExitKind::Bad);
}

#[test]
fn a_line_without_end_ends_the_script() {
    let input = io::BufReader::new(io::repeat(b'x'));
    let options = ShellOptions {
        on_trouble: OnTrouble::GoOn,
        ..plain()
    };
    let mut board = board();
    let SessionText { errors, ending, .. } =
        ShellSession::new(&mut board, &options).run_to_text(input);
    assert_eq!(ending, ExitKind::Bad);
    assert_eq!(
        errors,
        "line 1: the line has no end: these are not commands\n"
    );
}

#[test]
fn a_hash_starts_a_comment_only_between_words() {
    assert_eq!(script("tap d3 # a comment").ending, ExitKind::Done);
    assert_eq!(script("#tap z9").ending, ExitKind::Done);
    assert!(refusal("tap d3#4").starts_with("line 1: `d3#4`"));
}
