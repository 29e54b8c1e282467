//! A place where a board can be, as `--at` names it.

use std::str::FromStr;

use crate::pico::PicoLine;
use crate::qemu::{Image, ImageError};

/// The place of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// In this process, called as functions.
    Core,
    /// In this process, behind a pseudo-terminal, or TCP where the system has none.
    Virtual,
    /// In QEMU, running this firmware image.
    Qemu(Image),
    /// An emulated Raspberry Pi Pico and the parts on its board, connected by this line.
    Pico(PicoLine),
    /// A board that listens at this `HOST:PORT`.
    Tcp(String),
    /// A board that another machine shares: how, and where. The address is `HOST:PORT`, or
    /// `HOST:WHERE` over SSH.
    Shared(SharedBy, String),
    /// A board at this serial port.
    Serial(String),
}

/// How `hil-bridge serve`, or another program, shares a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedBy {
    /// Over TCP, with a password.
    Password,
    /// Over TCP, with certificates at both ends.
    Tls,
    /// As a serial port, by RFC 2217.
    Rfc2217,
    /// Over SSH: the other machine's command starts with the line and ends with it.
    Ssh,
}

impl SharedBy {
    /// All ways.
    pub const ALL: [SharedBy; 4] = [
        SharedBy::Password,
        SharedBy::Tls,
        SharedBy::Rfc2217,
        SharedBy::Ssh,
    ];

    /// The word before the address.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            SharedBy::Password => "served",
            SharedBy::Tls => "tls",
            SharedBy::Rfc2217 => "rfc2217",
            SharedBy::Ssh => "ssh",
        }
    }

    /// What an address looks like.
    #[must_use]
    pub const fn address(self) -> &'static str {
        match self {
            SharedBy::Password | SharedBy::Tls | SharedBy::Rfc2217 => "HOST:PORT",
            SharedBy::Ssh => "HOST:WHERE",
        }
    }

    /// The place with this address, if it can be one.
    fn at(self, address: &str) -> Result<At, AtError> {
        match self {
            SharedBy::Ssh => check_login(address)?,
            SharedBy::Password | SharedBy::Tls | SharedBy::Rfc2217 => {
                check_port(self.word(), address)?;
            }
        }
        Ok(At::Shared(self, address.into()))
    }
}

/// Why a text is not the place of a board. The error is a sentence that says what one
/// looks like.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AtError {
    /// It is none of the known places.
    #[error(
        "write core, virtual, qemu, qemu:IMAGE, pico, pico:usb, tcp:HOST:PORT, served:HOST:PORT, tls:HOST:PORT, rfc2217:HOST:PORT, ssh:HOST:WHERE, or a serial port like /dev/ttyACM0 or COM3"
    )]
    Unknown,
    /// After this word, the address is not a machine and a port.
    #[error("{address:?} is not HOST:PORT, like {word}:localhost:7777")]
    NoPort {
        /// The word before the address.
        word: &'static str,
        /// The address.
        address: String,
    },
    /// This address is not a machine and a place there, or is longer than 1,024 bytes.
    #[error("{0:?} is not HOST:WHERE, like ssh:lab:/dev/ttyACM0")]
    NoLogin(String),
    /// This cannot be the name of a machine.
    #[error("{0:?} is not the name of a machine, like ssh:lab:/dev/ttyACM0")]
    NoMachine(String),
    /// The place on this machine is none.
    #[error("the board at {host} is at no known place: {there}")]
    There {
        /// The name of the machine.
        host: String,
        /// What is wrong with the place there.
        there: Box<AtError>,
    },
    /// It names no image of an emulated board.
    #[error(transparent)]
    Image(#[from] ImageError),
}

/// The longest address of a board that is reached over SSH, in bytes; it may contain
/// another such address.
const LONGEST_LOGIN: usize = 1_024;

/// Checks that an address is a machine and a place there.
fn check_login(address: &str) -> Result<(), AtError> {
    let parts = address.split_once(':');
    let Some((host, there)) = parts.filter(|_| address.len() <= LONGEST_LOGIN) else {
        return Err(AtError::NoLogin(address.to_owned()));
    };
    // What begins with a dash would be an option of ssh.
    let is_name = !host.is_empty() && !host.starts_with('-');
    if !is_name || host.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(AtError::NoMachine(host.to_owned()));
    }
    let there = there.parse::<At>();
    there.map(drop).map_err(|there| AtError::There {
        host: host.to_owned(),
        there: Box::new(there),
    })
}

/// Checks that an address is a machine and a port.
fn check_port(word: &'static str, address: &str) -> Result<(), AtError> {
    let parts = address.rsplit_once(':');
    match parts.map(|(host, port)| (host, port.parse::<u16>())) {
        Some((host, Ok(_))) if !host.is_empty() => Ok(()),
        _ => Err(AtError::NoPort {
            word,
            address: address.to_owned(),
        }),
    }
}

impl At {
    /// True if this program starts the board, which then ends with the program.
    #[must_use]
    pub fn is_started_here(&self) -> bool {
        match self {
            At::Virtual | At::Qemu(_) | At::Pico(_) => true,
            At::Core | At::Tcp(_) | At::Shared(..) | At::Serial(_) => false,
        }
    }
}

impl FromStr for At {
    type Err = AtError;

    fn from_str(text: &str) -> Result<At, AtError> {
        if let Some(address) = text.strip_prefix("tcp:") {
            check_port("tcp", address)?;
            return Ok(At::Tcp(address.into()));
        }
        for way in SharedBy::ALL {
            let rest = text.strip_prefix(way.word());
            if let Some(address) = rest.and_then(|rest| rest.strip_prefix(':')) {
                return way.at(address);
            }
        }
        if let Some(image) = text.strip_prefix("qemu:") {
            return Ok(At::Qemu(image.parse()?));
        }
        if let Some(line) = PicoLine::ALL.iter().find(|line| line.place() == text) {
            return Ok(At::Pico(*line));
        }
        match text {
            "core" => Ok(At::Core),
            "virtual" => Ok(At::Virtual),
            "qemu" => Ok(At::Qemu(Image::default())),
            _ if is_port(text) => Ok(At::Serial(text.into())),
            _ => Err(AtError::Unknown),
        }
    }
}

fn is_port(text: &str) -> bool {
    let number = text.get(3..).unwrap_or("");
    let com = text
        .get(..3)
        .is_some_and(|start| start.eq_ignore_ascii_case("com"));
    text.contains(['/', '\\']) || (com && number.parse::<u16>().is_ok())
}

impl std::fmt::Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            At::Core => f.write_str("core"),
            At::Virtual => f.write_str("virtual"),
            At::Qemu(image) => f.write_str(&image.place()),
            At::Pico(line) => f.write_str(line.place()),
            At::Tcp(address) => write!(f, "tcp:{address}"),
            At::Shared(way, address) => write!(f, "{}:{address}", way.word()),
            At::Serial(path) => f.write_str(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_reads_back_as_written() {
        for text in [
            "core",
            "virtual",
            "qemu",
            "qemu:netduinoplus2",
            "pico",
            "tcp:localhost:7777",
            "served:localhost:7777",
            "tls:lab.example:7777",
            "rfc2217:[::1]:7777",
            "ssh:lab:/dev/ttyACM0",
            "ssh:me@lab:qemu:netduinoplus2",
            "ssh:gate:ssh:lab:virtual",
            "/dev/ttyACM0",
            "COM3",
        ] {
            assert_eq!(text.parse::<At>().unwrap().to_string(), text);
        }
        assert_eq!("qemu:lm3s6965evb".parse(), "qemu".parse::<At>());
        assert_eq!("com12".parse(), Ok(At::Serial("com12".into())));
        assert_eq!("tcp:[::1]:80".parse(), Ok(At::Tcp("[::1]:80".into())));
    }

    #[test]
    fn an_unknown_image_is_refused_with_the_known_ones() {
        let sentence = "qemu:netduino".parse::<At>().unwrap_err().to_string();
        assert_eq!(
            sentence,
            "there is no firmware image \"netduino\": write qemu:lm3s6965evb or qemu:netduinoplus2"
        );
    }

    #[test]
    fn a_wrong_place_is_refused_with_a_sentence() {
        let known = "write core, virtual, qemu, qemu:IMAGE, pico";
        for (text, sentence) in [
            ("", known),
            ("nowhere", known),
            ("common", known),
            ("qemu lm3s6965evb", known),
            ("tcp:", "\"\" is not HOST:PORT, like tcp:localhost:7777"),
            ("tcp:host", "\"host\" is not HOST:PORT"),
            ("tcp:host:99999", "\"host:99999\" is not HOST:PORT"),
            ("tcp::7777", "\":7777\" is not HOST:PORT"),
            ("served:host", "like served:localhost:7777"),
            ("tls:host:0x10", "like tls:localhost:7777"),
            ("rfc2217:", "like rfc2217:localhost:7777"),
            (
                "ssh:lab",
                "\"lab\" is not HOST:WHERE, like ssh:lab:/dev/ttyACM0",
            ),
            ("ssh::virtual", "\"\" is not the name of a machine"),
            (
                "ssh:-oProxyCommand=x:virtual",
                "\"-oProxyCommand=x\" is not the name of a machine",
            ),
            ("ssh:a b:virtual", "\"a b\" is not the name of a machine"),
            (
                "ssh:lab:nowhere",
                "the board at lab is at no known place: write core",
            ),
            ("qemu:", "there is no firmware image \"\""),
        ] {
            let said = text.parse::<At>().unwrap_err().to_string();
            assert!(said.contains(sentence), "{text}: {said}");
        }
    }
}
