//! `fault`: injects faults into a board, clears them, and lists them.

use firmware_core::faults::FaultKind;
use touchboard_host::Driver;

use super::answer::Extra;
use super::command::FaultRequest;
use super::error::ShellError;
use super::parse_error::ParseError;
use super::words::split;

impl FaultRequest {
    /// Parses the rest of a `fault` line.
    pub(super) fn parse(text: &str) -> Result<FaultRequest, ParseError> {
        let (name, value) = split(text);
        if name.is_empty() {
            return Ok(FaultRequest::List);
        }
        if text.eq_ignore_ascii_case("none") {
            return Ok(FaultRequest::Clear);
        }
        let kind = FaultKind::all().find(|kind| kind.name().eq_ignore_ascii_case(name));
        let names = FaultKind::all().map(FaultKind::name).chain(["none"]);
        let names: Vec<&str> = names.collect();
        let kind =
            kind.ok_or_else(|| ParseError::unknown("a fault", name, names.iter().copied()))?;
        let fault = kind.read(value.trim_end());
        fault
            .map(FaultRequest::Inject)
            .map_err(|error| ParseError::Fault {
                text: text.to_owned(),
                error,
            })
    }

    /// Carries out the request. The answer lists the resulting faults.
    pub(super) fn obey(self, driver: &mut dyn Driver) -> Result<Extra, ShellError> {
        let mut faults = driver.faults();
        match self {
            FaultRequest::List => return Ok(Extra::Faults(faults.to_string())),
            FaultRequest::Clear => faults = Default::default(),
            FaultRequest::Inject(fault) => faults.add(fault).map_err(ShellError::bad)?,
        }
        driver.set_faults(faults.clone()).map_err(ShellError::bad)?;
        Ok(Extra::Faults(faults.to_string()))
    }
}
