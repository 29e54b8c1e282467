//! Every scenario file in `tests/scenarios` passes on the board in this process, on a
//! board at the end of a line, and on a different processor, with the same output and
//! ticks.
//!
//! The scenarios follow the manual: their expectations were derived from its text and
//! from `RULES.md`, not from the board's behaviour.

use std::fs;
use std::path::{Path, PathBuf};

use firmware_core::games;
use protocol::Layout;
use touchboard_host::scenario::{self, ScenarioError};
use touchboard_host::{CoreDriver, Driver, Session};
use touchboard_links::qemu::Image;
use touchboard_links::{At, Where};
use touchboard_shell::{
    AnswerColours, Answers, ExitKind, OnTrouble, Reader, SessionText, ShellOptions, ShellSession,
};
use touchboard_tests::far::pico_or_excuse;
use touchboard_tests::record::OTHERS;

const SEED: u64 = 7;

/// The part of a file name that marks a scenario in which a game is played to its end.
const WHOLE_GAME: &str = "-whole-game-";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios")
}

/// The scenarios of Malaka, Ishido and TicDabToe, which boards have only on request. Each
/// begins with the layout that it needs.
fn folder_of_others() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios-ABC")
}

fn core(seed: u64) -> CoreDriver {
    CoreDriver::new(Layout::MALDOO, seed).expect("9x9 is a layout")
}

fn core_with_others(seed: u64) -> CoreDriver {
    CoreDriver::with_games(Layout::MALDOO, OTHERS, seed).expect("9x9 is a layout")
}

/// All scenarios, with the names of their files.
fn scenarios() -> Vec<(String, String)> {
    scenarios_in(folder())
}

fn scenarios_in(folder: PathBuf) -> Vec<(String, String)> {
    let mut names: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder is in the tree")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    names.sort();
    assert!(!names.is_empty());
    let text = |name: PathBuf| {
        let text = fs::read_to_string(&name).expect("a scenario is UTF-8 text");
        (name.display().to_string(), text)
    };
    names.into_iter().map(text).collect()
}

fn play(driver: &mut dyn Driver, script: &str, answers: Answers, seed: u64) -> SessionText {
    let options = ShellOptions {
        layout: touchboard_links::games::layout,
        answers,
        reader: Reader::Script,
        on_trouble: OnTrouble::GoOn,
        seed,
    };
    ShellSession::new(driver, &options).run_to_text(script.as_bytes())
}

const PLAIN: Answers = Answers::Plain(AnswerColours::Letters);

#[test]
fn every_scenario_holds_for_any_seed() {
    for (name, script) in scenarios() {
        let expectations = script.lines().filter(|line| line.starts_with("expect"));
        assert!(expectations.count() >= 2, "{name} expects hardly anything");
        for seed in [SEED, 8, 9] {
            let SessionText { errors, ending, .. } = play(&mut core(seed), &script, PLAIN, seed);
            assert_eq!(ending, ExitKind::Done, "{name} with seed {seed}\n{errors}");
        }
    }
}

#[test]
fn every_scenario_of_a_larger_board_holds_for_any_seed() {
    let all = scenarios_in(folder_of_others());
    for game in OTHERS.iter() {
        let about = games::about(game).expect("it is in the table");
        let name = format!("/{}-", about.name.to_lowercase());
        assert!(all.iter().any(|(file, _)| file.contains(&name)), "{name}");
    }
    for (name, script) in all {
        let expectations = script.lines().filter(|line| line.starts_with("expect"));
        assert!(expectations.count() >= 2, "{name} expects hardly anything");
        for seed in [SEED, 8, 9] {
            let mut board = core_with_others(seed);
            let SessionText { errors, ending, .. } = play(&mut board, &script, PLAIN, seed);
            assert_eq!(ending, ExitKind::Done, "{name} with seed {seed}\n{errors}");
        }
    }
}

#[test]
fn a_scenario_with_an_inverted_expectation_fails() {
    let name = folder().join("reversi-start.txt");
    let script = fs::read_to_string(name).expect("the first scenario is there");
    let wrong = script.replace("expect score 4 1", "expect score 1 4");
    let SessionText { errors, ending, .. } = play(&mut core(SEED), &wrong, PLAIN, SEED);
    assert_eq!(ending, ExitKind::Failed);
    assert!(
        errors.ends_with("expected score 1 4, found 4 1\n"),
        "{errors}"
    );
}

/// The errors without the message about the line: a chip that is switched on while the
/// host says hello receives a part of a frame, and reports that once.
fn of_the_game(errors: &str) -> String {
    let is_of_line = |line: &&str| line.ends_with(" came from the host");
    let lines = errors.lines().filter(|line| !is_of_line(line));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Plays these scenarios on that board and on one in this process, each time on a fresh
/// board.
fn answers_as_the_one_in_this_process(
    at: At,
    scenarios: impl Iterator<Item = (String, String)>,
    answers: &[Answers],
) {
    let mut place = Where::new(at);
    place.seed = Some(SEED);
    place.line.timeout_ms = 20_000;
    answer_alike(place, core, scenarios, answers);
}

fn answer_alike(
    place: Where,
    core: fn(u64) -> CoreDriver,
    scenarios: impl Iterator<Item = (String, String)>,
    answers: &[Answers],
) {
    let mut remote = place.open().unwrap_or_else(|error| panic!("{error}"));
    answer_alike_on(&mut *remote, &core, scenarios, answers);
}

fn answer_alike_on(
    remote: &mut dyn Driver,
    core: &dyn Fn(u64) -> CoreDriver,
    scenarios: impl Iterator<Item = (String, String)>,
    answers: &[Answers],
) {
    for (name, script) in scenarios {
        let script = format!("reset 9x9\n{script}\nlegal\ndigest\n");
        for answers in answers {
            let here = play(&mut core(SEED), &script, *answers, SEED);
            let mut there = play(remote, &script, *answers, SEED);
            there.errors = of_the_game(&there.errors);
            assert_eq!(here, there, "{name}");
        }
    }
}

/// A whole game takes many round trips. At the end of a line only one scenario of each
/// game is played to its end; the golden sessions play the other modes.
fn all_but_most_whole_games() -> impl Iterator<Item = (String, String)> {
    let is_first = |name: &str| name.ends_with("-whole-game-0.txt");
    let all = scenarios().into_iter();
    all.filter(move |(name, _)| !name.contains(WHOLE_GAME) || is_first(name))
}

#[test]
fn a_board_on_a_line_answers_as_the_in_process_board() {
    answers_as_the_one_in_this_process(At::Virtual, all_but_most_whole_games(), &[PLAIN]);
}

#[test]
fn a_board_with_larger_games_answers_as_the_in_process_board() {
    let mut place = Where::new(At::Virtual);
    place.seed = Some(SEED);
    place.games = Some(OTHERS);
    let all = scenarios_in(folder_of_others()).into_iter();
    answer_alike(place, core_with_others, all, &[PLAIN, Answers::Json]);
}

#[test]
fn a_board_on_a_line_answers_programs_as_in_process() {
    let reversi = all_but_most_whole_games().filter(|(name, _)| name.contains("reversi"));
    answers_as_the_one_in_this_process(At::Virtual, reversi, &[Answers::Json]);
}

#[test]
fn lm3s6965evb_answers_as_the_in_process_board() {
    let at = At::Qemu(Image::LM3S6965EVB);
    answers_as_the_one_in_this_process(at, all_but_most_whole_games(), &[PLAIN]);
}

#[test]
fn netduinoplus2_answers_as_the_in_process_board() {
    let at = At::Qemu(Image::NETDUINOPLUS2);
    answers_as_the_one_in_this_process(at, all_but_most_whole_games(), &[PLAIN]);
}

/// An emulated chip is slow: `PICO_SCENARIOS=1000` plays all scenarios.
#[test]
fn pico_answers_some_scenarios_as_the_in_process_board() {
    const USUAL: usize = 6;
    let asked = std::env::var("PICO_SCENARIOS").ok();
    let most = asked.and_then(|text| text.parse().ok()).unwrap_or(USUAL);
    if let Some(mut board) = pico_or_excuse(false) {
        let some = all_but_most_whole_games().filter(|(name, _)| !name.contains(WHOLE_GAME));
        let roster = board.roster();
        let core =
            |seed| CoreDriver::with_games(Layout::MALDOO, roster, seed).expect("9x9 is a layout");
        answer_alike_on(&mut *board, &core, some.take(most), &[PLAIN]);
    }
}

/// For each mode of each game, some scenario plays it to its end.
#[test]
fn every_game_and_mode_has_a_whole_scenario() {
    for number in games::NUMBERS {
        let about = games::about(*number).expect("it is in the table");
        for mode in 0..about.modes {
            let name = format!("{}{WHOLE_GAME}{mode}.txt", about.name.to_lowercase());
            let script = fs::read_to_string(folder().join(&name))
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let ends = ["green", "red", "draw"].map(|end| format!("expect winner {end}\n"));
            assert!(ends.iter().any(|end| script.contains(end)), "{name}");
        }
    }
}

/// The sessions in a folder of this package, with their names.
fn sessions_in(folder: &str) -> Vec<(String, Session)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).expect("the folder is in the tree");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let is_session = |path: &PathBuf| path.extension().is_some_and(|end| end == "session");
    let mut paths: Vec<PathBuf> = paths.filter(is_session).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).expect("a session can be read");
        (
            path.display().to_string(),
            Session::parse(&bytes).expect("it is a session"),
        )
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn a_session_converts_to_a_scenario_with_the_same_result() {
    let mut written = 0;
    for (name, session) in sessions_in("demos")
        .into_iter()
        .chain(sessions_in("sessions"))
    {
        let lines = match scenario::lines(&session) {
            Ok(lines) => lines,
            Err(ScenarioError::Drawn | ScenarioError::InTheMidst | ScenarioError::Load(_)) => {
                continue;
            }
            Err(error) => panic!("{name}: {error}"),
        };
        let header = &session.header;
        let mut board = CoreDriver::with_games(*header.layout, header.roster, 99).unwrap();
        let script = lines.join("\n");
        let SessionText { errors, ending, .. } = play(&mut board, &script, PLAIN, 99);
        assert_eq!(ending, ExitKind::Done, "{name}: {errors}");
        let mut again = CoreDriver::with_games(*header.layout, header.roster, 99).unwrap();
        session.replay(&mut again, &mut |_| ()).unwrap();
        assert_eq!(board.digest().unwrap(), again.digest().unwrap(), "{name}");
        written += 1;
    }
    assert!(written >= 13, "only {written} sessions could be written so");
}
