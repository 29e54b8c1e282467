//! `fault`, on a board that can have faults and on one that cannot.

use protocol::{Button, Input};
use touchboard_host::faulty::{FaultScope, FaultyBoard};

use super::*;

/// The output of a script at a board in this process with injected faults.
pub(super) fn faulty(text: &str, answers: Answers) -> SessionText {
    let mut driver = FaultyBoard::new(board(), SEED, FaultScope::Board);
    run_at(&mut driver, text.as_bytes(), &options(answers))
}

const STUCK: &str = "d4 has been held down for 10 s: it may be stuck, check what lies on it\n";

#[test]
fn a_stuck_key_is_reported_once_and_healed_by_none() {
    let script =
        "fault\nfault stuck d4\nfault bounce-ms 3\nwait 30000\nwait 30000\nfault none\nwait 100\n";
    let SessionText {
        output,
        errors,
        ending,
    } = faulty(script, Answers::Plain(AnswerColours::Letters));
    assert_eq!(ending, ExitKind::Done);
    let none = "faults: none\n";
    let both = "faults: seed 0, stuck d4\nfaults: seed 0, stuck d4, bounce-ms 3\n";
    let bleep = "       5  bleep 110 Hz\n";
    assert_eq!(output, format!("{none}{both}{bleep}{none}"));
    assert_eq!(errors, format!("line 4: {STUCK}"));
}

#[test]
fn json_answers_quote_the_faults() {
    let SessionText { output, .. } = faulty("fault ghosting\n", Answers::Json);
    assert!(
        output.contains(r#""faults":"seed 0, ghosting""#),
        "{output}"
    );
}

#[test]
fn a_dead_key_feels_nothing_and_its_neighbour_does() {
    let mut driver = board();
    driver
        .step(&[Input::Press(Button::Start)], 20)
        .expect("here");
    let legal = driver.legal().expect("here");
    let [dead, good] = [legal[0], legal[1]].map(|point| Layout::MALDOO.name(point).to_string());
    let touched = |name: &str| {
        let script = format!("fault dead {dead}\nstart\ntap {name}\nwait 50\nexpect score 2 2\n");
        faulty(&script, Answers::Plain(AnswerColours::Letters)).ending
    };
    assert_eq!(touched(&dead), ExitKind::Done);
    assert_eq!(touched(&good), ExitKind::Failed);
}

#[test]
fn a_wrong_fault_is_refused_with_a_sentence() {
    for (line, words) in [
        (
            "fault sticky d4",
            "`sticky` is not a fault: did you mean `stuck`?",
        ),
        ("fault stuck", "`stuck d4`"),
        ("fault stuck z9", "has no z9"),
        ("fault bounce-ms 1001", "from 0 to 1000"),
        ("fault drop-ppm 5", "--at virtual"),
        ("fault none at all", "is not a fault"),
    ] {
        let SessionText { errors, ending, .. } =
            faulty(line, Answers::Plain(AnswerColours::Letters));
        assert_eq!(ending, ExitKind::Bad, "{line}");
        assert!(errors.contains(words), "{line}: {errors}");
    }
    assert!(refusal("fault ghosting").contains("only be injected into a simulated board"));
}
