//! One line: its command is carried out, and its answer written.

use std::io::{self, Write};

use protocol::{Point, StampedEvent};

use super::{Shell, ShellCommand};
use crate::answer::{self, Extra, HeardEvent};
use crate::error::ShellError;
use crate::parse::{first_word, parse};
use crate::{Answers, remark};

/// The result of one line.
#[derive(Default)]
pub struct Answer {
    /// The first word of the line; empty if there was nothing to do.
    cmd: String,
    events: Vec<HeardEvent>,
    extra: Extra,
    trouble: Option<ShellError>,
    /// A remark for a person; not an error.
    remark: Option<String>,
    /// News about the line to the board.
    of_line: Vec<String>,
    /// The points that differ from the expectation.
    differing: Vec<Point>,
    /// The name of a picture that the caller should check.
    picture: Option<String>,
    last: bool,
}

impl Answer {
    /// The name of the picture to check, if the line succeeded so far.
    #[must_use]
    pub fn picture(&self) -> Option<&str> {
        let picture = self.picture.as_deref();
        picture.filter(|_| self.trouble.is_none())
    }

    /// Adds a remark for a person, unless there is one.
    pub(crate) fn remark_on(&mut self, remark: &str) {
        self.remark.get_or_insert(remark.to_owned());
    }

    /// Makes this the line's error, unless it has failed already.
    pub(crate) fn fail_with(&mut self, trouble: ShellError) {
        self.trouble.get_or_insert(trouble);
    }

    /// The error of the command, if it failed.
    #[must_use]
    pub fn trouble(&self) -> Option<&ShellError> {
        self.trouble.as_ref()
    }

    /// The events on the board, in order.
    pub fn events(&self) -> impl Iterator<Item = &StampedEvent> {
        self.events.iter().map(|heard| &heard.event)
    }

    /// The points that differ from the expectation.
    #[must_use]
    pub fn differing(&self) -> &[Point] {
        &self.differing
    }

    /// True if the command was `quit`.
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.last
    }

    /// Adds the line's place, like `line 3`, to the error.
    pub fn place(&mut self, place: &str) {
        let place = format!("{place}: ");
        if let Some(trouble) = &mut self.trouble {
            trouble.sentence_mut().insert_str(0, &place);
        }
        for remark in self.remark.iter_mut().chain(&mut self.of_line) {
            remark.insert_str(0, &place);
        }
    }

    /// Writes the answer. An empty line has none.
    ///
    /// # Errors
    /// Those of the writers.
    pub fn write(
        &self,
        shell: &Shell<'_>,
        output: &mut impl Write,
        errors: &mut impl Write,
    ) -> io::Result<()> {
        let scene = shell.scene();
        let sentence = self.trouble.as_ref().map(ShellError::sentence);
        match shell.memory.answers {
            Answers::Json
                if self.cmd.is_empty() && sentence.is_none() && self.of_line.is_empty() => {}
            Answers::Json => {
                let line = answer::json(&self.cmd, &scene, &self.extra, &self.of_line, sentence);
                writeln!(output, "{line}")?;
                output.flush()?;
            }
            Answers::Plain(paint) => {
                let text = answer::plain(&self.events, &scene, &self.extra, paint);
                output.write_all(text.as_bytes())?;
                output.flush()?;
                let of_line = self.of_line.iter().map(String::as_str);
                let remark = self.remark.as_deref();
                for sentence in of_line.chain(sentence).chain(remark) {
                    writeln!(errors, "{}", scene.for_a_person(sentence, paint))?;
                }
            }
        }
        Ok(())
    }
}

impl Shell<'_> {
    /// Carries out one line and returns its answer.
    pub fn line(&mut self, line: &str) -> Answer {
        let cmd = first_word(line).to_owned();
        match parse(line, self.driver.layout()) {
            Ok(None) => Answer::default(),
            Ok(Some(command)) => {
                let last = command == ShellCommand::Quit;
                let is_elsewhere = matches!(
                    command,
                    ShellCommand::Position(_)
                        | ShellCommand::Load(_)
                        | ShellCommand::Seed(_)
                        | ShellCommand::Reset(_)
                );
                let picture = match &command {
                    ShellCommand::Picture(name) => Some(name.clone()),
                    _ => None,
                };
                let result = match self.memory.unmet.take() {
                    Some(error) => Err(error.into()),
                    None => self.obey(command),
                };
                let mut answer = self.answer(cmd, last, result);
                answer.picture = picture;
                if is_elsewhere && let Err(error) = self.follow() {
                    answer.trouble.get_or_insert(error.into());
                }
                answer
            }
            Err(error) => self.answer(cmd, false, Err(error.into())),
        }
    }

    /// The answer to a line that could not be read.
    pub fn unreadable(&mut self, sentence: String) -> Answer {
        self.answer(String::new(), false, Err(ShellError::Bad(sentence)))
    }

    fn answer(&mut self, cmd: String, last: bool, result: Result<Extra, ShellError>) -> Answer {
        let (extra, trouble) = match result {
            Ok(extra) => (extra, None),
            Err(trouble) => (Extra::None, Some(trouble)),
        };
        self.take_events();
        let needs_status = self.memory.answers == Answers::Json
            || matches!(
                extra,
                Extra::Board(_)
                    | Extra::Legal(_)
                    | Extra::Score
                    | Extra::Best
                    | Extra::Rules
                    | Extra::AsBefore
            );
        let mut answer = Answer {
            cmd,
            events: self.heard(),
            extra,
            trouble,
            remark: self.memory.remark.take(),
            of_line: Vec::new(),
            differing: core::mem::take(&mut self.memory.differing),
            picture: None,
            last,
        };
        if needs_status {
            match self.driver.status() {
                Ok(status) => self.memory.status = status,
                Err(error) => {
                    // The result may be about the earlier board.
                    answer.extra = Extra::None;
                    answer.trouble.get_or_insert(error.into());
                }
            }
        }
        let of_line = self.driver.take_remarks();
        // If the board was lost or replaced, one sentence is enough.
        if !matches!(answer.trouble, Some(ShellError::Lost(_))) {
            answer.of_line = of_line;
        }
        if matches!(&answer.extra, Extra::Legal(touches) if touches.moves.is_empty()) {
            answer.remark = remark::of_no_legal_point(&self.memory.status, self.driver.frame());
        }
        answer
    }

    /// The events of the current line, and the effects of touches.
    fn heard(&mut self) -> Vec<HeardEvent> {
        let events = core::mem::take(&mut self.memory.events).into_iter();
        let hear = |event: StampedEvent| HeardEvent {
            did: self.memory.tale.follow(&event.event),
            event,
        };
        events.map(hear).collect()
    }
}
