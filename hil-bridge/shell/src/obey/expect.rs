//! Compares the board with the expectations of `expect` lines.

use protocol::{Colour, Layout, Light, Packed, Point, Rhythm};
use touchboard_host::signals::{SignalCondition, values_in_words};
use touchboard_host::{DriverError, position, words};

use super::Shell;
use crate::answer::{self, Extra, point_list};
use crate::command::Expectation;
use crate::error::ShellError;
use crate::parse::{self, collapsed};

impl Shell<'_> {
    pub(super) fn expect(&mut self, expectation: &Expectation) -> Result<(), ShellError> {
        let layout = self.driver.layout();
        let difference = match expectation {
            Expectation::Point(point, colour) => self.point_differs(*point, *colour),
            Expectation::Light(point, light) => self.light_differs(*point, *light),
            Expectation::Rows(points) => self.points_differ(points),
            Expectation::Position(position) => {
                let expected = position::written_out(position, layout);
                differ("position", expected, self.position()?)
            }
            Expectation::Turn(side) => {
                let name = |side: Option<protocol::Side>| side.map_or("none", protocol::Side::name);
                let is = self.driver.status()?.turn;
                differ("turn", name(*side).to_owned(), name(is).to_owned())
            }
            Expectation::Display(text) => {
                let is = collapsed(&self.driver.frame().display);
                differ("display", format!("`{text}`"), format!("`{is}`"))
            }
            Expectation::Winner(end) => self.winner_differs(*end)?,
            Expectation::Score(score) => self.score_differs(*score)?,
            Expectation::Legal(points) => self.legal_differ(points)?,
            Expectation::Count(colour, count) => self.count_differs(*colour, *count),
            Expectation::Signal(condition) => self.signal_differs(condition)?,
            Expectation::Refused(line) => self.refusal(line)?,
            Expectation::Restart => self.restart()?,
            Expectation::Lights(lights, rhythm) => self.lights_differ(*lights, *rhythm),
            Expectation::Hash(hash) => {
                let name = |hash: u64| format!("{hash:016x}");
                differ("hash", name(*hash), name(self.driver.digest()?))
            }
            Expectation::Beep(pitch_hz) => differ(
                "beep",
                pitch_name(*pitch_hz),
                pitch_name(self.driver.frame().beep_hz),
            ),
        };
        match difference {
            Some(sentence) => Err(ShellError::Failed(sentence)),
            None => {
                self.memory.differing.clear();
                Ok(())
            }
        }
    }

    fn point_differs(&mut self, point: Point, colour: Colour) -> Option<String> {
        self.memory.differing = vec![point];
        let tick = self.driver.tick();
        let is = self.driver.frame().seen(point, tick).name();
        differ(
            &self.driver.layout().name(point).to_string(),
            colour.name().to_owned(),
            is.to_owned(),
        )
    }

    fn light_differs(&mut self, point: Point, light: Light) -> Option<String> {
        self.memory.differing = vec![point];
        let name = |light: Light| format!("{} {}", light.colour().name(), light.rhythm().name());
        let is = self.driver.frame().light(point);
        differ(
            &self.driver.layout().name(point).to_string(),
            name(light),
            name(is),
        )
    }

    fn points_differ(&mut self, points: &Packed) -> Option<String> {
        let layout = self.driver.layout();
        let seen = self.driver.frame().points_seen(self.driver.tick());
        let other = |point: &Point| points.get(*point) != seen.get(*point);
        self.memory.differing = layout.iter().filter(other).collect();
        rows_differ(&self.memory.differing, points, &seen, layout)
    }

    fn winner_differs(
        &mut self,
        end: Option<protocol::Outcome>,
    ) -> Result<Option<String>, ShellError> {
        let name =
            |end: Option<protocol::Outcome>| end.map_or("none", protocol::Outcome::name).to_owned();
        Ok(differ(
            "winner",
            name(end),
            name(self.driver.status()?.outcome),
        ))
    }

    fn score_differs(&mut self, score: [u32; 2]) -> Result<Option<String>, ShellError> {
        let name = |[green, red]: [u32; 2]| format!("{green} {red}");
        let is = self.driver.status()?.score;
        Ok(differ(
            "score",
            name(score),
            is.map_or("no game on the board".to_owned(), name),
        ))
    }

    fn count_differs(&mut self, colour: Colour, count: usize) -> Option<String> {
        let layout = self.driver.layout();
        let shown = self.driver.frame().points_seen(self.driver.tick());
        let is = layout.iter().filter(|point| shown.get(*point) == colour);
        differ(
            &format!("count {}", colour.name()),
            count.to_string(),
            is.count().to_string(),
        )
    }

    fn lights_differ(&mut self, lights: [bool; 2], rhythm: Option<Rhythm>) -> Option<String> {
        let shown = self.driver.frame();
        let Some(rhythm) = rhythm else {
            return differ(
                "lights",
                lights_name(lights).to_owned(),
                lights_name(shown.turn_seen(self.driver.tick())).to_owned(),
            );
        };
        let name = |lights, rhythm: Rhythm| format!("{} {}", lights_name(lights), rhythm.name());
        let is = name(shown.turn, shown.turn_rhythm);
        differ("lights", name(lights, rhythm), is)
    }

    /// Carries out a line that should be refused. Returns the failure if it was not. A
    /// missing board does not count as a refusal.
    fn refusal(&mut self, line: &str) -> Result<Option<String>, ShellError> {
        let result = match parse::parse(line, self.driver.layout()) {
            Ok(Some(command)) => self.obey(command),
            Ok(None) => Ok(Extra::None),
            Err(error) => Err(error.into()),
        };
        match result {
            Err(ShellError::Bad(_)) => Ok(None),
            Err(lost @ ShellError::Lost(_)) => Err(lost),
            _ => Ok(Some(format!(
                "expected `{line}` to be refused, but it was done"
            ))),
        }
    }

    /// The failure of an expectation about a signal at this tick.
    fn signal_differs(
        &mut self,
        condition: &SignalCondition,
    ) -> Result<Option<String>, ShellError> {
        match self.run_until(condition, 0) {
            Ok(_) => Ok(None),
            Err(ShellError::Failed(_)) => {
                let found = self.values_of(condition)?;
                let found = match found.as_slice() {
                    [only] => only.value.to_string(),
                    several => values_in_words(several),
                };
                Ok(Some(format!("expected {condition}, found {found}")))
            }
            Err(error) => Err(error),
        }
    }

    /// Asks the board whether it has restarted. Returns the failure if not.
    fn restart(&mut self) -> Result<Option<String>, DriverError> {
        match self.driver.status() {
            Err(DriverError::Restarted(_)) => {
                self.memory.told_no_game = false;
                // The script expected the restart, so it is not reported to the user.
                self.driver.take_remarks();
                Ok(None)
            }
            Err(error) => Err(error),
            Ok(_) => Ok(Some(
                "expected the board to have been restarted, but it was not".to_owned(),
            )),
        }
    }

    /// The failure of an expectation about the legal points.
    fn legal_differ(&mut self, expected: &[Point]) -> Result<Option<String>, DriverError> {
        let layout = self.driver.layout();
        let moves = self.touches()?.moves;
        let Some(mut sentence) = legal_differ(expected, &moves, layout) else {
            return Ok(None);
        };
        let is_one_of = |point: &Point| expected.contains(point) != moves.contains(point);
        self.memory.differing = layout.iter().filter(is_one_of).collect();
        if answer::is_boards_turn(&self.driver.status()?) {
            sentence = format!("{sentence}: {}", answer::BOARDS_TURN);
        }
        Ok(Some(sentence))
    }
}

fn differ(what: &str, expected: String, is: String) -> Option<String> {
    (expected != is).then(|| format!("expected {what} {expected}, found {is}"))
}

/// The turn lights that are on, as written in `expect lights`.
fn lights_name(lights: [bool; 2]) -> &'static str {
    match lights {
        [true, false] => "green",
        [false, true] => "red",
        [true, true] => "both",
        [false, false] => "none",
    }
}

/// A pitch as written in `expect beep`.
fn pitch_name(pitch_hz: u16) -> String {
    match pitch_hz {
        0 => "none".to_owned(),
        pitch_hz => pitch_hz.to_string(),
    }
}

fn rows_differ(other: &[Point], expected: &Packed, is: &Packed, layout: Layout) -> Option<String> {
    let other: Vec<String> = other
        .iter()
        .map(|point| {
            format!(
                "{} {}, found {}",
                layout.name(*point),
                expected.get(*point).name(),
                is.get(*point).name()
            )
        })
        .collect();
    let rows = words::letters(is, layout).join("/");
    (!other.is_empty()).then(|| format!("expected {}; the rows are {rows}", other.join("; ")))
}

fn legal_differ(expected: &[Point], is: &[Point], layout: Layout) -> Option<String> {
    let only = |these: &[Point], those: &[Point]| -> Vec<Point> {
        let others = these.iter().filter(|point| !those.contains(point));
        others.copied().collect()
    };
    let parts: Vec<String> = [
        (only(expected, is), "missing"),
        (only(is, expected), "too many"),
    ]
    .into_iter()
    .filter(|(points, _)| !points.is_empty())
    .map(|(points, what)| format!("{what}: {}", point_list(&points, layout)))
    .collect();
    (!parts.is_empty()).then(|| {
        format!(
            "expected legal {}, found {} ({})",
            point_list(expected, layout),
            point_list(is, layout),
            parts.join("; ")
        )
    })
}
