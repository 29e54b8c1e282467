//! The language as users see it: whole sessions as goldens, every refusal, and laws for
//! arbitrary text.

use std::fmt::Write as _;

use protocol::Layout;
use touchboard_host::CoreDriver;
use touchboard_host::palette::Palette;

use super::*;

mod commands;
mod faults;
mod noise;
mod positions;
mod refusals;
mod remarks;
mod scripts;
mod sessions;
mod signals;
mod touches;

const SEED: u64 = 7;

fn options(answers: Answers) -> ShellOptions {
    ShellOptions {
        layout: touchboard_links::games::layout,
        answers,
        reader: Reader::Script,
        on_trouble: OnTrouble::Stop,
        seed: SEED,
    }
}

fn plain() -> ShellOptions {
    options(Answers::Plain(AnswerColours::Letters))
}

fn board() -> CoreDriver {
    CoreDriver::new(Layout::MALDOO, SEED).expect("9x9 is a layout")
}

fn run_at(driver: &mut dyn Driver, script: &[u8], options: &ShellOptions) -> SessionText {
    ShellSession::new(driver, options).run_to_text(script)
}

fn script(text: &str) -> SessionText {
    run_at(&mut board(), text.as_bytes(), &plain())
}

/// The sentence with which a line is refused, with exit code 2.
fn refusal(line: &str) -> String {
    let SessionText { errors, ending, .. } = script(line);
    assert_eq!(ending, ExitKind::Bad, "{line}");
    errors.trim_end().to_owned()
}

/// A session as a person sees it: each line after its prompt, then the answer.
fn transcript(text: &str, answers: Answers) -> String {
    let mut driver = board();
    let mut shell = Shell::new(&mut driver, &options(answers));
    let mut all = String::new();
    for line in text.lines() {
        let _ = writeln!(all, "> {line}");
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let answer = shell.line(line);
        answer
            .write(&shell, &mut output, &mut errors)
            .expect("memory is writable");
        all += &String::from_utf8(output).expect("answers are UTF-8");
        for sentence in String::from_utf8(errors)
            .expect("answers are UTF-8")
            .lines()
        {
            let _ = writeln!(all, "! {sentence}");
        }
    }
    all
}
