//! Telnet (RFC 854, 855): data, commands and the negotiation of options in one stream.
//!
//! [`TelnetReader`] takes the stream apart, byte by byte. [`OptionTable`] negotiates as RFC
//! 1143 advises: it answers a request only where that changes something or has to be
//! refused, so two ends never go on answering each other.
//!
//! Invariants: the parameters of an option take at most [`MOST_PARAMETERS`] bytes; longer
//! ones are left out as a whole. After any bytes, the next command is understood. Data is
//! taken as it is, without the rules for the ends of lines, because both ends agree on
//! binary transmission.

/// The byte that begins every command; as data it is doubled.
pub const IAC: u8 = 255;
/// Ends the parameters of an option.
const SE: u8 = 240;
/// Begins the parameters of an option.
const SB: u8 = 250;

/// The option to send every byte as it is (RFC 856).
pub const BINARY: u8 = 0;
/// The option to send without waiting for a turn (RFC 858).
pub const SUPPRESS_GO_AHEAD: u8 = 3;
/// The option of a serial port over the network (RFC 2217).
pub const COM_PORT: u8 = 44;

/// How many bytes the parameters of an option may have.
pub const MOST_PARAMETERS: usize = 256;

/// What is said about an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionVerb {
    /// The sender offers to use it, or confirms that.
    Will,
    /// The sender does not use it.
    Wont,
    /// The receiver is asked to use it, or that is confirmed.
    Do,
    /// The receiver must not use it.
    Dont,
}

impl OptionVerb {
    const ALL: [(u8, OptionVerb); 4] = [
        (251, OptionVerb::Will),
        (252, OptionVerb::Wont),
        (253, OptionVerb::Do),
        (254, OptionVerb::Dont),
    ];

    fn of(byte: u8) -> Option<OptionVerb> {
        let found = OptionVerb::ALL.iter().find(|(code, _)| *code == byte);
        found.map(|(_, verb)| *verb)
    }

    fn code(self) -> u8 {
        let found = OptionVerb::ALL.iter().find(|(_, verb)| *verb == self);
        found.map_or(IAC, |(code, _)| *code)
    }
}

/// A part of a telnet stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TelnetItem<'p> {
    /// A byte of data.
    Data(u8),
    /// A command without parameters, such as a break.
    Command(u8),
    /// Something about an option.
    Option(OptionVerb, u8),
    /// The parameters of an option.
    Parameters(u8, &'p [u8]),
}

/// Where a reader is in its stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Within {
    #[default]
    Data,
    Command,
    Verb(OptionVerb),
    /// After the beginning of parameters: the option comes next.
    Begin,
    Parameters,
    /// After an [`IAC`] in parameters.
    CommandInParameters,
}

/// Takes a telnet stream apart.
#[derive(Clone, Debug, Default)]
pub struct TelnetReader {
    within: Within,
    option: u8,
    parameters: Vec<u8>,
    is_too_long: bool,
}

impl TelnetReader {
    /// Takes the next byte. Returns what it completes.
    pub fn feed(&mut self, byte: u8) -> Option<TelnetItem<'_>> {
        match self.within {
            Within::Data if byte == IAC => self.go_on(Within::Command),
            Within::Data => Some(TelnetItem::Data(byte)),
            Within::Command => self.command(byte),
            Within::Verb(verb) => {
                self.within = Within::Data;
                Some(TelnetItem::Option(verb, byte))
            }
            Within::Begin if byte == IAC => self.go_on(Within::Command),
            Within::Begin => {
                self.option = byte;
                self.parameters.clear();
                self.is_too_long = false;
                self.go_on(Within::Parameters)
            }
            Within::Parameters if byte == IAC => self.go_on(Within::CommandInParameters),
            Within::Parameters => self.add(byte),
            Within::CommandInParameters if byte == IAC => self.add(byte),
            Within::CommandInParameters if byte == SE => self.end(),
            // The parameters were cut off: what begins here is a command.
            Within::CommandInParameters => self.command(byte),
        }
    }

    fn go_on(&mut self, within: Within) -> Option<TelnetItem<'_>> {
        self.within = within;
        None
    }

    fn command(&mut self, byte: u8) -> Option<TelnetItem<'_>> {
        self.within = Within::Data;
        match OptionVerb::of(byte) {
            Some(verb) => self.go_on(Within::Verb(verb)),
            None if byte == SB => self.go_on(Within::Begin),
            None if byte == IAC => Some(TelnetItem::Data(IAC)),
            // The end of parameters that have not begun.
            None if byte == SE => None,
            None => Some(TelnetItem::Command(byte)),
        }
    }

    fn add(&mut self, byte: u8) -> Option<TelnetItem<'_>> {
        match self.parameters.len() < MOST_PARAMETERS {
            true => self.parameters.push(byte),
            false => self.is_too_long = true,
        }
        self.go_on(Within::Parameters)
    }

    fn end(&mut self) -> Option<TelnetItem<'_>> {
        self.within = Within::Data;
        match self.is_too_long {
            true => None,
            false => Some(TelnetItem::Parameters(self.option, &self.parameters)),
        }
    }
}

/// Appends data.
pub fn write_data(bytes: &[u8], to: &mut Vec<u8>) {
    for byte in bytes {
        to.push(*byte);
        if *byte == IAC {
            to.push(IAC);
        }
    }
}

/// Appends something about an option.
pub fn write_option(verb: OptionVerb, option: u8, to: &mut Vec<u8>) {
    to.extend([IAC, verb.code(), option]);
}

/// Appends the parameters of an option.
pub fn write_parameters(option: u8, bytes: &[u8], to: &mut Vec<u8>) {
    to.extend([IAC, SB, option]);
    write_data(bytes, to);
    to.extend([IAC, SE]);
}

/// What one end of the line does about an option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Agreement {
    #[default]
    Off,
    /// It was asked for, and not answered yet.
    Asked,
    On,
}

/// An end of the line, as seen from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionSide {
    /// This end uses the option.
    Ours,
    /// The other end uses the option.
    Theirs,
}

impl OptionSide {
    /// How this end asks for an option, or confirms it.
    fn yes(self) -> OptionVerb {
        match self {
            OptionSide::Ours => OptionVerb::Will,
            OptionSide::Theirs => OptionVerb::Do,
        }
    }

    /// How this end refuses an option, or gives it up.
    fn no(self) -> OptionVerb {
        match self {
            OptionSide::Ours => OptionVerb::Wont,
            OptionSide::Theirs => OptionVerb::Dont,
        }
    }
}

/// The options of this line, each for both ends.
#[derive(Clone, Debug, Default)]
pub struct OptionTable {
    ours: [Agreement; OptionTable::KNOWN.len()],
    theirs: [Agreement; OptionTable::KNOWN.len()],
}

impl OptionTable {
    /// The options that both ends may use; any other one is refused.
    pub const KNOWN: [u8; 3] = [BINARY, SUPPRESS_GO_AHEAD, COM_PORT];

    fn place(option: u8) -> Option<usize> {
        OptionTable::KNOWN.iter().position(|known| *known == option)
    }

    fn agreement(&mut self, side: OptionSide, option: u8) -> Option<&mut Agreement> {
        let at = OptionTable::place(option)?;
        match side {
            OptionSide::Ours => self.ours.get_mut(at),
            OptionSide::Theirs => self.theirs.get_mut(at),
        }
    }

    /// True if both ends have agreed that this end of the line uses a known option.
    #[must_use]
    pub fn is_on(&self, side: OptionSide, option: u8) -> bool {
        let all = match side {
            OptionSide::Ours => &self.ours,
            OptionSide::Theirs => &self.theirs,
        };
        let at = OptionTable::place(option);
        at.and_then(|at| all.get(at)) == Some(&Agreement::On)
    }

    /// Appends the request that this end of the line uses a known option.
    pub fn ask(&mut self, side: OptionSide, option: u8, to: &mut Vec<u8>) {
        if let Some(agreement) = self.agreement(side, option)
            && *agreement == Agreement::Off
        {
            *agreement = Agreement::Asked;
            write_option(side.yes(), option, to);
        }
    }

    /// Takes what the other end says about an option, and appends the answer, if it needs
    /// one.
    pub fn hear(&mut self, verb: OptionVerb, option: u8, to: &mut Vec<u8>) {
        let (side, wants) = match verb {
            OptionVerb::Will => (OptionSide::Theirs, true),
            OptionVerb::Wont => (OptionSide::Theirs, false),
            OptionVerb::Do => (OptionSide::Ours, true),
            OptionVerb::Dont => (OptionSide::Ours, false),
        };
        let Some(agreement) = self.agreement(side, option) else {
            if wants {
                write_option(side.no(), option, to);
            }
            return;
        };
        let before = *agreement;
        *agreement = match wants {
            true => Agreement::On,
            false => Agreement::Off,
        };
        match (before, wants) {
            (Agreement::Off, true) => write_option(side.yes(), option, to),
            (Agreement::On, false) => write_option(side.no(), option, to),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
