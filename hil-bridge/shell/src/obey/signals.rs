//! Signals: their current values, and running until a condition on them is met.

use protocol::Tick;
use touchboard_host::pieces::board_of_state;
use touchboard_host::signals::{
    Signal, SignalCondition, SignalError, SignalReading, SignalValue, UntilError, run_until, select,
};

use super::Shell;
use crate::answer::{Extra, SignalGroup};
use crate::error::ShellError;

impl Shell<'_> {
    /// Runs the board until a condition is met.
    pub(super) fn run_until(
        &mut self,
        condition: &SignalCondition,
        within_ms: Tick,
    ) -> Result<Extra, ShellError> {
        self.take_events();
        let mut heard = Vec::new();
        let stopped = run_until(
            self.driver,
            condition,
            within_ms,
            &mut self.memory.counted,
            &mut heard,
        );
        self.take_in(heard);
        let stopped = stopped?;
        Ok(Extra::Stopped {
            signals: stopped.values,
            after_ms: stopped.after_ms,
        })
    }

    /// The signals with this name, or the groups of signals.
    pub(super) fn signals(&mut self, name: Option<&str>) -> Result<Extra, ShellError> {
        self.take_events();
        let at = self.driver.at().to_owned();
        let board = board_of_state(&self.driver.save()?).ok_or(UntilError::Unreadable(at))?;
        let layout = board.layout();
        let Some(name) = name else {
            let contacts = match self.memory.counted.knows_contacts() {
                true => Signal::contacts(layout),
                false => Vec::new(),
            };
            let all = contacts.into_iter().chain(Signal::all(layout));
            return Ok(Extra::SignalNames(groups(
                all.chain(Signal::of_state(&board))
                    .map(|signal| signal.name(layout)),
            )));
        };
        let signals = select([name], &board).map_err(UntilError::Signal)?;
        if signals.iter().any(Signal::is_contact) && !self.memory.counted.knows_contacts() {
            let error = SignalError::NoContacts(name.to_owned());
            return Err(UntilError::Signal(error).into());
        }
        if let Some(signal) = signals.iter().find(|signal| signal.is_of_line()) {
            let error = SignalError::NoLine(signal.name(layout));
            return Err(UntilError::Signal(error).into());
        }
        let faults = self.driver.faults().board;
        self.memory.counted.know_faults(&faults);
        let reader = self.memory.counted.of(signals);
        let named = |(index, value): (usize, SignalValue)| SignalReading {
            name: reader.signals()[index].name(layout),
            value,
        };
        Ok(Extra::Signals(reader.read(&board).map(named).collect()))
    }

    /// The current values of the signals of a condition, by name.
    pub(super) fn values_of(
        &mut self,
        condition: &SignalCondition,
    ) -> Result<Vec<SignalReading>, ShellError> {
        let layout = self.driver.layout();
        let names = condition.signals().into_iter();
        names
            .map(|signal| signal.name(layout))
            .map(|name| {
                let value = self.signal(&name)?;
                Ok(SignalReading { name, value })
            })
            .collect()
    }

    /// The current value of the signal with this name.
    ///
    /// # Errors
    /// A sentence that names the existing signals, or says that the board is lost.
    pub fn signal(&mut self, name: &str) -> Result<SignalValue, ShellError> {
        let several = || format!("`{name}` is several signals: write the whole name of one");
        match self.signals(Some(name))? {
            Extra::Signals(signals) => match <[_; 1]>::try_from(signals) {
                Ok([only]) => Ok(only.value),
                Err(_) => Err(ShellError::Bad(several())),
            },
            _ => Err(ShellError::Bad(several())),
        }
    }
}

/// Names by their first words.
fn groups(names: impl Iterator<Item = String>) -> Vec<SignalGroup> {
    let mut groups: Vec<SignalGroup> = Vec::new();
    for name in names {
        let word = name.split('.').next().unwrap_or_default();
        match groups.iter_mut().find(|known| known.name == word) {
            Some(known) => known.count += 1,
            None => groups.push(SignalGroup {
                name: word.to_owned(),
                count: 1,
                first: name,
            }),
        }
    }
    groups
}

impl From<UntilError> for ShellError {
    fn from(error: UntilError) -> ShellError {
        match error {
            UntilError::NotWithin { .. } | UntilError::Differs(_) => {
                ShellError::Failed(error.to_string())
            }
            UntilError::Driver(error) => error.into(),
            UntilError::Signal(_) | UntilError::Unreadable(_) => ShellError::Bad(error.to_string()),
        }
    }
}
