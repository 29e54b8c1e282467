//! Where a board can be: what `--at` says.

use std::fmt;
use std::str::FromStr;

/// A place where a board is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum At {
    /// The core in this process.
    #[default]
    Core,
    /// A virtual board in a process of its own.
    Virtual,
    /// The firmware image on an emulated microcontroller.
    Qemu,
    /// A board that listens on TCP: `host:port`.
    Tcp(String),
    /// A serial port: its path or name.
    Port(String),
}

impl At {
    /// What it is called where one is chosen.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            At::Core => "in process",
            At::Virtual => "virtual board",
            At::Qemu => "Cortex-M3 in QEMU",
            At::Tcp(_) => "TCP",
            At::Port(_) => "serial port",
        }
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Core => f.write_str("core"),
            At::Virtual => f.write_str("virtual"),
            At::Qemu => f.write_str("qemu"),
            At::Tcp(address) => write!(f, "tcp:{address}"),
            At::Port(path) => f.write_str(path),
        }
    }
}

impl FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<At, String> {
        match text {
            "core" => Ok(At::Core),
            "virtual" => Ok(At::Virtual),
            "qemu" => Ok(At::Qemu),
            "" => Err("no board is named: say core, virtual, qemu, tcp:HOST:PORT or a port".to_owned()),
            _ => match text.strip_prefix("tcp:") {
                Some(address) if address.contains(':') => Ok(At::Tcp(address.to_owned())),
                Some(address) => Err(format!("`{address}` has no port: say tcp:HOST:PORT")),
                None if text.starts_with('/') || text.to_ascii_uppercase().starts_with("COM") => {
                    Ok(At::Port(text.to_owned()))
                }
                None => Err(format!(
                    "`{text}` is no place for a board: say core, virtual, qemu, tcp:HOST:PORT or a port such as /dev/ttyACM0"
                )),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_written_as_it_is_read() {
        for text in ["core", "virtual", "qemu", "tcp:localhost:7000", "/dev/ttyACM0", "COM3"] {
            assert_eq!(text.parse::<At>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_place_gets_a_sentence() {
        for text in ["", "tcp:localhost", "moon"] {
            assert!(text.parse::<At>().unwrap_err().contains("say"), "{text}");
        }
    }
}
