//! `fault`: injects faults into a board, and lists them.

use firmware_core::faults::FaultKind;
use touchboard_host::Driver;

use super::answer::Extra;
use super::command::Breaking;
use super::error::ShellError;
use super::parse_error::ParseError;
use super::words::split;

impl Breaking {
    /// Parses the rest of a `fault` line.
    pub(super) fn parse(text: &str) -> Result<Breaking, ParseError> {
        let (name, value) = split(text);
        if name.is_empty() {
            return Ok(Breaking::Tell);
        }
        if text.eq_ignore_ascii_case("none") {
            return Ok(Breaking::Heal);
        }
        let kind = FaultKind::all().find(|kind| kind.name().eq_ignore_ascii_case(name));
        let names = FaultKind::all().map(FaultKind::name).chain(["none"]);
        let names: Vec<&str> = names.collect();
        let kind =
            kind.ok_or_else(|| ParseError::unknown("a fault", name, names.iter().copied()))?;
        let fault = kind.read(value.trim_end());
        fault
            .map(Breaking::More)
            .map_err(|error| ParseError::Fault {
                text: text.to_owned(),
                error,
            })
    }

    /// Carries out the request. The answer lists the resulting faults.
    pub(super) fn obey(self, driver: &mut dyn Driver) -> Result<Extra, ShellError> {
        let mut faults = driver.faults();
        match self {
            Breaking::Tell => return Ok(Extra::Faults(faults.to_string())),
            Breaking::Heal => faults = Default::default(),
            Breaking::More(fault) => faults.add(fault).map_err(ShellError::bad)?,
        }
        driver.set_faults(faults.clone()).map_err(ShellError::bad)?;
        Ok(Extra::Faults(faults.to_string()))
    }
}
