//! A place where a board can be, as `--at` names it.

use std::str::FromStr;

use crate::pico::PicoLine;
use crate::qemu::Image;

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
    /// A board at this serial port.
    Serial(String),
}

impl At {
    /// True if this program starts the board, which then ends with the program.
    #[must_use]
    pub fn is_started_here(&self) -> bool {
        match self {
            At::Virtual | At::Qemu(_) | At::Pico(_) => true,
            At::Core | At::Tcp(_) | At::Serial(_) => false,
        }
    }
}

impl FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<At, String> {
        if let Some(address) = text.strip_prefix("tcp:") {
            let port = address
                .rsplit_once(':')
                .map(|(_, port)| port.parse::<u16>());
            return match port {
                Some(Ok(_)) => Ok(At::Tcp(address.into())),
                _ => Err(format!(
                    "{address:?} is not HOST:PORT, like tcp:localhost:7777"
                )),
            };
        }
        if let Some(image) = text.strip_prefix("qemu:") {
            return image.parse().map(At::Qemu);
        }
        if let Some(line) = PicoLine::ALL.iter().find(|line| line.place() == text) {
            return Ok(At::Pico(*line));
        }
        match text {
            "core" => Ok(At::Core),
            "virtual" => Ok(At::Virtual),
            "qemu" => Ok(At::Qemu(Image::default())),
            _ if is_port(text) => Ok(At::Serial(text.into())),
            _ => Err(
                "write core, virtual, qemu, qemu:IMAGE, pico, pico:usb, tcp:HOST:PORT, or a serial port like /dev/ttyACM0 or COM3"
                    .into(),
            ),
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
        let sentence = "qemu:netduino".parse::<At>().unwrap_err();
        assert_eq!(
            sentence,
            "there is no firmware image \"netduino\": write qemu:lm3s6965evb or qemu:netduinoplus2"
        );
    }

    #[test]
    fn a_wrong_place_is_refused_with_a_sentence() {
        for text in [
            "",
            "nowhere",
            "tcp:",
            "tcp:host",
            "tcp:host:99999",
            "common",
            "qemu:",
            "qemu lm3s6965evb",
        ] {
            assert!(text.parse::<At>().is_err(), "{text}");
        }
    }
}
