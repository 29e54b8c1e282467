//! Tests of the shell's commands for signals.

use super::*;

#[test]
fn a_board_runs_until_a_condition_is_met() {
    insta::assert_snapshot!(transcript(
        "set game=reversi level=1
start
run until turn = green
tap d7
run until turn = green
run until event.illegal within 500
touch a1
run until event.illegal
run until event.illegal >= 1
run until point.a1 falls within 10
run until beeper rises
signal score
signal event.move
signal state.panel.settings
run until display = TIME within 200000
signal",
        Answers::Plain(AnswerColours::Letters)
    ));
}

#[test]
fn joined_conditions_name_all_their_signals() {
    insta::assert_snapshot!(transcript(
        "set game=reversi
start
expect signal turn = green and legal = 4
touch a1
run until event.illegal and turn = red within 300
run until point.a1 for 400 and turn = green
expect signal turn = red and legal > 9
expect signal turn = red and event.move",
        Answers::Plain(AnswerColours::Letters)
    ));
}

#[test]
fn json_answers_have_raw_signal_values() {
    insta::assert_snapshot!(transcript(
        "signal beeper\nsignal lamp\nrun until display != x\nrun until turn within 30",
        Answers::Json
    ));
}

#[test]
fn an_unmet_condition_fails_and_a_wrong_one_is_refused() {
    let SessionText { errors, ending, .. } = script("run until turn = red within 700\n");
    assert_eq!(
        errors,
        "line 1: turn = red: not within 700 ms; at tick 700 turn is none\n"
    );
    assert_eq!(ending, ExitKind::Failed);
    let refused = [
        "run",
        "run untill turn",
        "run until",
        "run until trun = red",
        "run until turn = purple",
        "run until turn within soon",
        "run until state.referee.nothing",
        "signal light.z9",
        "signal a b",
    ];
    insta::assert_snapshot!(refused.map(refusal).join("\n"));
}

#[test]
fn a_board_with_faults_is_sampled_at_each_tick() {
    let lines = "set game=reversi\nstart\nfault stuck d7\nrun until turn = red within 200\nscore\n";
    let SessionText {
        output,
        errors,
        ending,
    } = faults::faulty(lines, Answers::Plain(AnswerColours::Letters));
    assert_eq!(errors, "");
    assert_eq!(ending, ExitKind::Done);
    insta::assert_snapshot!(output);
}

#[test]
fn a_dead_lamp_is_not_lit_whatever_the_firmware_says() {
    let lines = "set game=reversi\nstart\ntap d7\nwait 3000\nexpect signal light.d6 = green\nexpect signal lit.d6\nfault dead-led d6\nexpect signal light.d6 = green\nexpect signal lit.d6 = 0\nrun until lit.d6 = 0 within 1\nfault none\nexpect signal lit.d6\n";
    let SessionText { errors, ending, .. } =
        faults::faulty(lines, Answers::Plain(AnswerColours::Letters));
    assert_eq!(errors, "");
    assert_eq!(ending, ExitKind::Done);
}

#[test]
fn expect_signal_checks_the_current_tick() {
    let lines = "start\nexpect signal score.green = 2\nexpect signal turn\nexpect signal state.panel.settings.game = 1\n";
    let SessionText { errors, ending, .. } = script(lines);
    assert_eq!(
        errors,
        "line 4: expected state.panel.settings.game = 1, found 0\n"
    );
    assert_eq!(ending, ExitKind::Failed);
    let refused = [
        "expect signal",
        "expect signal trun = red",
        "expect signal turn rises",
        "expect signal event.move",
        "expect signal turn for 20",
        "expect signal state.referee.nothing = 1",
    ];
    insta::assert_snapshot!(refused.map(refusal).join("\n"));
}

#[test]
fn bytes_of_a_line_are_refused_as_signals_of_a_board() {
    for line in [
        "signal line",
        "signal line.to-board",
        "expect signal line.to-board > 0",
        "run until line.from-board > 0",
    ] {
        let told = refusal(line);
        assert!(
            told.contains("does not know the bytes on its line"),
            "{told}"
        );
    }
}

#[test]
fn counted_signals_survive_a_new_shell() {
    let mut board = board();
    let mut shell = Shell::new(&mut board, &plain());
    for line in ["set game=reversi", "start", "tap d7"] {
        assert!(shell.line(line).trouble().is_none(), "{line}");
    }
    let memory = shell.into_memory();
    let mut shell = Shell::resume(&mut board, memory);
    let answer = shell.line("expect signal event.move = 1");
    assert!(answer.trouble().is_none());
}
