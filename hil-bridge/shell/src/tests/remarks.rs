//! Remarks about lines that were carried out but had no effect.

use protocol::{Input, Status, Tick};
use touchboard_host::DriverError;
use touchboard_links::LinkError;

use super::*;

/// The remarks about a script without errors.
fn remarks(text: &str) -> String {
    let SessionText { errors, ending, .. } = script(text);
    assert_eq!(ending, ExitKind::Done, "{errors}");
    errors
}

#[test]
fn a_touch_in_a_pause_causes_a_remark() {
    assert_eq!(
        remarks("start\npress stop\ntap a1\npress stop\ntap d7"),
        "line 3: the touch on a1 meant nothing, the game is paused: `press stop` resumes it\n"
    );
}

#[test]
fn a_touch_on_a_lit_point_causes_a_remark() {
    assert_eq!(
        remarks("set game=fillit mode=0\nstart\ntap a1\ntap a1"),
        "line 4: the touch on a1 meant nothing there: `legal` names the points that are moves now\n"
    );
}

#[test]
fn a_touch_during_a_pattern_causes_a_remark() {
    assert_eq!(
        remarks("set game=findthem\nstart\ntap a1"),
        "line 3: the touch on a1 meant nothing, no touch does just now: look at the pattern\n"
    );
}

#[test]
fn a_second_touch_after_a_miss_causes_a_remark() {
    let said = remarks("set game=ghost mode=0\nstart\nwait 1000\ntap a1\ntap i9");
    assert_eq!(
        said,
        "line 5: the touch on i9 meant nothing, it came too soon after another one: `wait` a moment\n"
    );
}

#[test]
fn touches_in_the_boards_turn_and_after_the_end_differ() {
    assert_eq!(
        remarks("set game=reversi level=1\nstart\ntap d7\ntap a1"),
        "line 4: the touch on a1 meant nothing: it is the board's own turn, no touch is a move: `wait` until it has moved\n"
    );
    let over = remarks("reset 4x2\nset mode=4\nposition .ggg/gggg turn red\ntap a2\ntap a1");
    assert!(
        over.ends_with(
            "line 5: the game is over, no touch is a move any more: `start` begins another one\n"
        ),
        "{over}"
    );
}

#[test]
fn moves_and_illegal_touches_cause_no_remark() {
    assert_eq!(remarks("start\ntap a1\ntap d7\ntouch c5\nrelease c5"), "");
}

#[test]
fn legal_explains_why_there_are_no_points() {
    assert_eq!(
        remarks("legal\nset game=findthem\nstart\nlegal\npress stop\nlegal"),
        "line 1: no game is on the board: press Start (`start`)\n\
         line 4: no touch means anything just now: look at the pattern\n\
         line 6: the game is paused: `press stop` resumes it\n"
    );
}

#[test]
fn a_set_without_a_change_prints_the_settings() {
    let SessionText { output, errors, .. } = script("set game=reversi level=0");
    assert_eq!(
        (output.as_str(), errors.as_str()),
        (
            "       0  Reversi mode=0 level=0 time=9 speed=5, as before\n",
            ""
        )
    );
    let SessionText { output, .. } = run_at(&mut board(), b"set level=0", &options(Answers::Json));
    assert!(!output.contains("as before"), "{output}");
}

#[test]
fn a_setting_without_effect_causes_a_remark() {
    assert_eq!(
        remarks("set game=symmetry level=1"),
        "line 1: It is a game for one: the board does not play.\n"
    );
    assert_eq!(
        remarks("set game=touchit time=3"),
        "line 1: Time changes nothing here.\n"
    );
    assert_eq!(
        remarks("set game=touchit mode=2 level=0 time=9 speed=5"),
        ""
    );
    assert_eq!(remarks("set level=1\nset game=symmetry"), "");
}

#[test]
fn the_ticks_of_an_ending_turn_are_one_line() {
    let SessionText { output, .. } = script("set game=speedgo time=0\nstart\npass\nwait 30000");
    let ticks: Vec<&str> = output
        .lines()
        .filter(|line| line.contains("1320 Hz"))
        .collect();
    assert!(ticks.len() > 1, "more than one turn ran out: {output}");
    assert!(ticks.iter().all(|line| line.contains(" times")), "{output}");
    assert!(output.contains("time is up"), "{output}");
}

#[test]
fn the_score_of_the_race_of_life_is_in_generations() {
    let SessionText { output, .. } = script("set game=life mode=0\nstart\nwait 1500\nscore");
    assert!(
        output.contains("  green 1, red 0 generations\n"),
        "{output}"
    );
    assert!(
        output.ends_with("\ngreen 2, red 0 generations\n"),
        "{output}"
    );
}

/// A board whose line is lost and found again, or lost for good.
struct Shaky {
    inner: CoreDriver,
    remarks: Vec<String>,
    /// How many questions for the status are not answered.
    lost: u32,
}

impl Driver for Shaky {
    touchboard_host::forward!(inner; own: step, step_and_digest, status, take_remarks);

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        self.remarks = vec![
            "the line to core was lost".to_owned(),
            "it is back".to_owned(),
        ];
        self.inner.step(inputs, ticks)
    }

    fn status(&mut self) -> Result<Status, DriverError> {
        if self.lost > 0 {
            self.lost -= 1;
            return Err(LinkError::lost("it is gone".to_owned()));
        }
        self.inner.status()
    }

    fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }
}

fn shaky(lost: u32, text: &str, answers: Answers) -> SessionText {
    let mut driver = Shaky {
        inner: board(),
        remarks: Vec::new(),
        lost,
    };
    run_at(&mut driver, text.as_bytes(), &options(answers))
}

#[test]
fn news_of_the_connection_name_the_script_line() {
    let SessionText { errors, .. } = shaky(0, "digest\nstart\ndigest", plain().answers);
    assert_eq!(
        errors,
        "line 2: the line to core was lost\nline 2: it is back\n"
    );
    let SessionText { output, errors, .. } = shaky(0, "digest\nstart\ndigest", Answers::Json);
    assert_eq!(errors, "");
    let told: Vec<bool> = output
        .lines()
        .map(|line| {
            line.contains(
                "\"remarks\":[\"line 2: the line to core was lost\",\"line 2: it is back\"]",
            )
        })
        .collect();
    assert_eq!(told, [false, true, false], "{output}");
}

#[test]
fn a_lost_board_gives_no_answers() {
    let SessionText { output, errors, .. } = shaky(u32::MAX, "score", plain().answers);
    assert_eq!(
        (output.as_str(), errors.as_str()),
        ("", "line 1: it is gone\n")
    );
    let SessionText { output, .. } = shaky(u32::MAX, "show", plain().answers);
    assert_eq!(output, "");
}

#[test]
fn a_board_that_is_lost_at_first_is_reported_by_the_first_command() {
    let SessionText { output, errors, .. } = shaky(1, "help", plain().answers);
    assert_eq!(
        (output.as_str(), errors.as_str()),
        ("", "line 1: it is gone\n")
    );
    let SessionText { output, errors, .. } = shaky(0, "help", plain().answers);
    assert!(!output.is_empty() && errors.is_empty(), "{errors}");
}
