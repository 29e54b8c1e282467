//! The text form of a panel's choice: `launchpad`, `monome:/dev/ttyUSB0`.

use std::fmt;
use std::str::FromStr;

/// The kind of a panel, by its maker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelKind {
    /// Novation Launchpad Mini MK3, X or Pro MK3.
    Launchpad,
    /// A monome grid of any size.
    Monome,
}

impl PanelKind {
    /// Both kinds of panels.
    pub const ALL: [PanelKind; 2] = [PanelKind::Launchpad, PanelKind::Monome];

    /// The word for the kind in options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PanelKind::Launchpad => "launchpad",
            PanelKind::Monome => "monome",
        }
    }
}

/// A panel, and where it is plugged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanelChoice {
    /// The kind of the panel.
    pub kind: PanelKind,
    /// The port; if it is missing, the panel is searched for.
    pub port: Option<String>,
}

impl FromStr for PanelChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<PanelChoice, String> {
        let (name, port) = match text.split_once(':') {
            Some((name, port)) => (name, Some(port)),
            None => (text, None),
        };
        let mut kinds = PanelKind::ALL.into_iter();
        match (kinds.find(|kind| kind.name() == name), port) {
            (Some(_), Some("")) | (None, _) => Err(
                "write launchpad, monome, or one of them with its port, like monome:/dev/ttyUSB0"
                    .to_owned(),
            ),
            (Some(kind), port) => Ok(PanelChoice {
                kind,
                port: port.map(str::to_owned),
            }),
        }
    }
}

impl fmt::Display for PanelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        match &self.port {
            Some(port) => write!(f, ":{port}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panel_is_chosen_with_or_without_a_port() {
        for text in ["launchpad", "launchpad:/dev/snd/midiC1D0", "monome:COM3"] {
            let choice: PanelChoice = text.parse().expect("a panel");
            assert_eq!(choice.to_string(), text);
        }
        for text in ["", "piano", "monome:", "Launchpad"] {
            text.parse::<PanelChoice>().expect_err("no panel");
        }
    }
}
