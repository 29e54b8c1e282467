//! The shell's language in the window: a line comes, the board does it, the answer is kept.
//!
//! It is `touchboard_shell` at the board that is shown, so the answers are those of
//! `hil-bridge shell`. Whatever a line does is in the session as if somebody had done it by
//! hand: it can be gone back to, and starts a branch in the past.

use std::collections::VecDeque;

use bevy::prelude::*;
use touchboard_shell::{
    AnswerColours, Answers, OnTrouble, Reader, Shell, ShellMemory, ShellOptions,
};

use super::Overheard;
use crate::source::{Happened, ShownBoard, SourceSet, Told, let_time_pass};

/// As many lines are kept.
const MOST: usize = 2_000;

/// Do this line of the shell's language.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct ConsoleLine(pub String);

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// A person typed it.
    Person,
    /// The board answers.
    Board,
    /// Something went wrong, or is to be remarked.
    Trouble,
}

/// What was typed and answered so far.
#[derive(Resource, Default)]
pub struct ShellConsole {
    said: VecDeque<(Speaker, String)>,
    /// What the language remembers of a board, and of which.
    memory: Option<(String, ShellMemory)>,
}

impl ShellConsole {
    /// What was said, oldest first.
    pub fn said(&self) -> impl ExactSizeIterator<Item = &(Speaker, String)> {
        self.said.iter()
    }

    fn say(&mut self, speaker: Speaker, text: &str) {
        for line in text.lines() {
            self.said.push_back((speaker, line.to_owned()));
        }
        let over = self.said.len().saturating_sub(MOST);
        self.said.drain(..over);
    }
}

/// Does what is typed into the console.
pub struct ConsolePlugin;

impl Plugin for ConsolePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<ShellConsole>()
            .add_message::<ConsoleLine>()
            .add_systems(
                Update,
                obey.after(let_time_pass)
                    .in_set(SourceSet::Exchange)
                    .run_if(resource_exists::<ShownBoard>),
            );
    }
}

fn obey(
    mut board: ResMut<ShownBoard>,
    mut lines: MessageReader<ConsoleLine>,
    mut console: ResMut<ShellConsole>,
    mut told: Told,
    mut happened: MessageWriter<Happened>,
) {
    for ConsoleLine(line) in lines.read() {
        console.say(Speaker::Person, line);
        let place = board.0.name();
        // Asked while nobody drives it.
        let seed = console.memory.is_none().then(|| board.0.session());
        let seed = seed.and_then(Result::ok).map(|session| session.header.seed);
        let driver = match board.0.drive() {
            Ok(driver) => driver,
            Err(sentence) => {
                console.say(Speaker::Trouble, &sentence);
                continue;
            }
        };
        let before = driver.tick();
        let mut overheard = Overheard::new(driver);
        // What is remembered of another board is not true of this one.
        let known = console.memory.take().filter(|(of, _)| *of == place);
        let mut shell = match known {
            Some((_, memory)) => Shell::resume(&mut overheard, memory),
            None => Shell::new(&mut overheard, &options(seed.unwrap_or_default())),
        };
        let answer = shell.line(line);
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        // Nothing hinders writing into memory.
        let _ = answer.write(&shell, &mut output, &mut errors);
        console.memory = Some((place, shell.into_memory()));
        let after = touchboard_host::Driver::tick(&overheard);
        if after < before {
            told.log.begin_anew();
        }
        for event in overheard.heard() {
            told.log.note(event);
            happened.write(Happened(event));
        }
        told.rate.begin_anew();
        console.say(Speaker::Board, &String::from_utf8_lossy(&output));
        console.say(Speaker::Trouble, &String::from_utf8_lossy(&errors));
    }
}

/// How the language is spoken here.
fn options(seed: u64) -> ShellOptions {
    ShellOptions {
        answers: Answers::Plain(AnswerColours::Letters),
        reader: Reader::Person,
        on_trouble: OnTrouble::GoOn,
        seed,
        layout: touchboard_links::games::layout,
    }
}

#[cfg(test)]
mod tests {
    use protocol::Layout;
    use touchboard_host::CoreDriver;

    use super::*;
    use crate::source::SourcePlugin;
    use crate::source::core::InProcess;

    /// A program with a board whose time is frozen.
    fn program() -> App {
        let driver = CoreDriver::new(Layout::MALDOO, 0).unwrap();
        let board = InProcess::new(driver).unwrap();
        let mut app = App::new();
        app.insert_resource(ShownBoard(Box::new(board)))
            .init_resource::<Time<Real>>()
            .add_plugins(SourcePlugin);
        app
    }

    fn say(app: &mut App, lines: &[&str]) -> Vec<(Speaker, String)> {
        for line in lines {
            app.world_mut()
                .write_message(ConsoleLine((*line).to_owned()));
        }
        app.update();
        app.world()
            .resource::<ShellConsole>()
            .said()
            .cloned()
            .collect()
    }

    const LINES: [&str; 9] = [
        "set game=reversi level=1",
        "start",
        "tap d7",
        "run until turn = green",
        "signal score",
        "expect turn red",
        "tap moon",
        "show",
        "run until event.illegal within 500",
    ];

    #[test]
    fn the_answers_are_those_of_the_shell_at_a_terminal() {
        let mut app = program();
        let said = say(&mut app, &LINES);
        let of = |speaker: Speaker| -> Vec<&str> {
            let own = said.iter().filter(|(own, _)| *own == speaker);
            own.map(|(_, text)| text.as_str()).collect()
        };
        assert_eq!(of(Speaker::Person), LINES);
        let mut elsewhere = CoreDriver::new(Layout::MALDOO, 0).unwrap();
        let options = options(0);
        let mut shell = Shell::new(&mut elsewhere, &options);
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        for line in LINES {
            let answer = shell.line(line);
            answer.write(&shell, &mut output, &mut errors).unwrap();
        }
        let [output, errors] = [output, errors].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(of(Speaker::Board), output.lines().collect::<Vec<_>>());
        assert_eq!(of(Speaker::Trouble), errors.lines().collect::<Vec<_>>());
        assert!(
            errors.contains("expect") && output.contains("score.green"),
            "{output}{errors}"
        );
    }

    #[test]
    fn what_a_line_does_is_in_the_session_and_in_the_log_and_a_reset_is_too() {
        let mut app = program();
        say(&mut app, &["start", "tap d7"]);
        let world = app.world();
        let session = world.resource::<ShownBoard>().0.session().unwrap();
        assert_eq!(session.acts(), 4, "{:?}", session.entries);
        let lines = world.resource::<crate::source::Log>().iter().count();
        assert!(lines > 1);
        say(&mut app, &["reset 9x9"]);
        let session = app.world().resource::<ShownBoard>().0.session().unwrap();
        assert_eq!(session.acts(), 5, "{:?}", session.entries);
    }
}
