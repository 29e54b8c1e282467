//! The shell in the window: it takes a line, the board carries it out, and the answer is
//! kept.
//!
//! This is `touchboard_shell` on the board that is shown, so the answers are those of
//! `hil-bridge shell`. What a line does to the board is recorded in the session like any
//! input by hand: the user can go back to before it, and in the past it starts a branch.

use std::collections::VecDeque;

use bevy::prelude::*;
use touchboard_shell::{
    AnswerColours, Answers, OnTrouble, Reader, Shell, ShellMemory, ShellOptions,
};

use super::Overheard;
use crate::source::{Happened, ShownBoard, SourceSet, Told, let_time_pass};

/// The most lines that are kept.
const MOST: usize = 2_000;

/// Carry out this line of the shell's language.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct ConsoleLine(pub String);

/// The origin of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The user typed it.
    Person,
    /// The board answered it.
    Board,
    /// An error or a remark.
    Trouble,
}

/// What was typed and answered so far.
#[derive(Resource, Default)]
pub struct ShellConsole {
    said: VecDeque<(Speaker, String)>,
    /// The shell's memory, with the name of the board to which it applies.
    memory: Option<(String, ShellMemory)>,
}

impl ShellConsole {
    /// The lines, oldest first.
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

/// Carries out the lines that are typed into the console.
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
        // Read before the shell borrows the board.
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
        // A memory of a different board does not apply to this one.
        let known = console.memory.take().filter(|(of, _)| *of == place);
        let mut shell = match known {
            Some((_, memory)) => Shell::resume(&mut overheard, memory),
            None => Shell::new(&mut overheard, &options(seed.unwrap_or_default())),
        };
        let answer = shell.line(line);
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        // Writing to a `Vec` cannot fail.
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

/// The shell's options in the window.
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

    /// An app with a board whose time is frozen.
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
