//! The shell as a process: pipes, files, exit codes, and a program that plays
//! through it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The example `shell_at_core`, which is built with the tests.
fn shell() -> PathBuf {
    let own = std::env::current_exe().expect("a test knows where it is");
    let folder = own.ancestors().nth(2).expect("it is in target/*/deps");
    let path = folder.join("examples").join("shell_at_core");
    let path = path.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(
        path.exists(),
        "{} is missing: cargo build -p hil-bridge --examples",
        path.display()
    );
    path
}

fn piped(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(shell())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the shell starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A shell that ended early has closed its input, which is not a failure here.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the shell ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_pipe_gets_answers_in_letters_and_no_prompt() {
    let output = piped(&[], "reset 2x2\nshow\n");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "");
    assert_eq!(
        text(&output.stdout),
        " 2  . .\n 1  . .\n    a b\n   . [Reversi     ] .  tick 0\n   Reversi mode=0 level=0 time=9 speed=5\n"
    );
}

#[test]
fn exit_codes_differ_for_failed_expectations_and_bad_lines() {
    let failed = piped(&[], "expect turn green\n");
    assert_eq!(failed.status.code(), Some(1));
    assert_eq!(
        text(&failed.stderr),
        "line 1: expected turn green, found none\n"
    );
    let bad = piped(&["--json"], "tap z9\n");
    assert_eq!(bad.status.code(), Some(2));
    assert!(text(&bad.stdout).contains(r#""ok":false"#));
    assert_eq!(text(&bad.stderr), "");
}

#[test]
fn a_missing_script_is_refused_with_exit_code_2() {
    let output = piped(&["/nowhere/at/all"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with("cannot read /nowhere/at/all: "));
}

#[test]
fn a_scenario_file_runs_by_its_name() {
    let scenario =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenarios/reversi-start.txt");
    let output = piped(&[&scenario.to_string_lossy()], "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn the_example_client_plays_a_game_to_its_end() {
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/client.py");
    let output = Command::new("python3")
        .arg(client)
        .arg(shell())
        .arg("--json")
        .output()
        .expect("python3 is installed (`cargo xtask setup`)");
    let lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(lines.len(), 10, "nine rows and the result");
    let result: Vec<&str> = lines[9].split(' ').collect();
    let count = |letter| {
        let rows = lines[..9].iter();
        rows.map(|row| row.matches(letter).count()).sum::<usize>()
    };
    assert_eq!(result[1], count('g').to_string());
    assert_eq!(result[2], count('r').to_string());
    let winner = match count('g').cmp(&count('r')) {
        std::cmp::Ordering::Greater => "green",
        std::cmp::Ordering::Less => "red",
        std::cmp::Ordering::Equal => "draw",
    };
    assert_eq!(result[0], winner);
}
