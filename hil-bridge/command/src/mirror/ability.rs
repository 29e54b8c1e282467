//! The abilities of a terminal: its colours and characters.
//!
//! Everything is drawn for a terminal with all abilities, and [`Ability::reduce`]
//! converts it for the current one. Invariants: the terminal never gets what it cannot
//! show; without colours, lights have letters.

use ratatui::buffer::Buffer;
use ratatui::style::Color;

/// The number of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColourDepth {
    /// No colours are wanted or available.
    None,
    /// The sixteen colours, which users choose for their terminal.
    #[default]
    Sixteen,
    /// The 256 colours that most terminals have.
    Indexed,
    /// Any colour, in 24 bits.
    True,
}

/// The abilities of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ability {
    /// The colours that the terminal can show.
    pub depth: ColourDepth,
    /// True if it has more characters than ASCII.
    pub is_unicode: bool,
}

impl Default for Ability {
    fn default() -> Ability {
        Ability {
            depth: ColourDepth::default(),
            is_unicode: true,
        }
    }
}

impl Ability {
    /// The abilities of this process's terminal, from its environment.
    #[must_use]
    pub fn here() -> Ability {
        Ability::of(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }

    /// The abilities that these environment variables imply; empty variables are ignored.
    #[must_use]
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Ability {
        let is_one_of = |name: &str, parts: &[&str]| {
            variable(name).is_some_and(|value| {
                let value = value.to_ascii_lowercase();
                parts.iter().any(|part| value.contains(part))
            })
        };
        // The console of Windows sets none of these variables, and has all colours.
        let is_windows = cfg!(windows) && variable("TERM").is_none();
        let depth = if variable("NO_COLOR").is_some() || is_one_of("TERM", &["dumb", "vt100"]) {
            ColourDepth::None
        } else if is_one_of("COLORTERM", &["truecolor", "24bit"])
            || variable("WT_SESSION").is_some()
            || is_one_of("TERM", &["-direct"])
            || is_windows
        {
            ColourDepth::True
        } else if is_one_of("TERM", &["256"]) {
            ColourDepth::Indexed
        } else {
            ColourDepth::Sixteen
        };
        // The first variable that is set decides. If none is set, as in many containers,
        // the terminal is assumed to be modern.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .find_map(variable);
        let is_unicode = locale.is_none_or(|locale| {
            let locale = locale.to_ascii_lowercase();
            cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8")
        });
        Ability { depth, is_unicode }
    }

    /// True if the terminal cannot distinguish the board's colours.
    #[must_use]
    pub fn is_colourless(self) -> bool {
        self.depth == ColourDepth::None
    }

    /// True if each half of a cell can have any colour, so that cells are pixels.
    #[must_use]
    pub fn has_pixels(self) -> bool {
        self.is_unicode && self.depth >= ColourDepth::Indexed
    }

    /// True if letters distinguish lights.
    #[must_use]
    pub fn has_letters(self) -> bool {
        self.is_colourless() || !self.is_unicode
    }

    /// Converts a screen to what this terminal can show.
    pub fn reduce(self, buffer: &mut Buffer) {
        for cell in &mut buffer.content {
            cell.fg = self.colour(cell.fg);
            cell.bg = self.colour(cell.bg);
            if !self.is_unicode {
                let symbol: String = cell.symbol().chars().map(ascii).collect();
                cell.set_symbol(&symbol);
            }
        }
    }

    fn colour(self, colour: Color) -> Color {
        match (self.depth, colour) {
            (ColourDepth::None, _) => Color::Reset,
            (ColourDepth::Sixteen, Color::Indexed(index @ 16..)) => sixteen(rgb_of(index)),
            (ColourDepth::Sixteen, Color::Rgb(red, green, blue)) => sixteen([red, green, blue]),
            (ColourDepth::Indexed, Color::Rgb(red, green, blue)) => {
                Color::Indexed(nearest(16..=255, [red, green, blue]))
            }
            _ => colour,
        }
    }
}

fn sixteen(rgb: [u8; 3]) -> Color {
    Color::Indexed(nearest(0..=15, rgb))
}

/// The levels of each channel in the cube of the 256 colours.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
/// The first sixteen colours, as in xterm.
const FIRST: [[u8; 3]; 16] = [
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
];

/// The red, green and blue of one of the 256 colours.
pub fn rgb_of(index: u8) -> [u8; 3] {
    match index {
        0..=15 => FIRST[usize::from(index)],
        16..=231 => {
            let place = index - 16;
            [place / 36, place / 6 % 6, place % 6].map(|step| STEPS[usize::from(step)])
        }
        grey => [8 + 10 * (grey - 232); 3],
    }
}

fn nearest(among: impl Iterator<Item = u8>, rgb: [u8; 3]) -> u8 {
    let apart = |index: &u8| -> u32 {
        let each = rgb_of(*index).into_iter().zip(rgb);
        // Weights: people distinguish blues least.
        let weighed = each.zip([3, 4, 2]);
        weighed
            .map(|((one, other), weight)| u32::from(one.abs_diff(other)).pow(2) * weight)
            .sum()
    };
    among.min_by_key(apart).unwrap_or(7)
}

/// The ASCII character that replaces a character.
fn ascii(character: char) -> char {
    match character {
        '\0'..='\x7f' => character,
        '─' | '━' | '–' | '—' | '·' => '-',
        '│' | '┃' => '|',
        '╭' | '╮' | '╰' | '╯' | '┌' | '┐' | '└' | '┘' => '+',
        '▁' | '▂' | '▃' => '.',
        '▅' | '▆' | '▇' => ':',
        '█' | '●' | '◎' | '◉' => '#',
        '░' | '○' => '.',
        '‹' => '<',
        '…' => '.',
        '’' | '‘' => '\'',
        '“' | '”' => '"',
        '×' => 'x',
        '▀' => '^',
        '▄' => '_',
        '♪' => '*',
        '→' => '>',
        '←' => '<',
        _ => '?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Ability {
        Ability::of(|name| {
            let found = variables.iter().find(|(own, _)| *own == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn environment_variables_tell_colour_depth_and_unicode() {
        let depth = |variables: &[(&str, &str)]| of(variables).depth;
        let xterm = ("TERM", "xterm-256color");
        assert_eq!(depth(&[xterm]), ColourDepth::Indexed);
        assert_eq!(
            depth(&[xterm, ("COLORTERM", "truecolor")]),
            ColourDepth::True
        );
        assert_eq!(depth(&[("TERM", "xterm-direct")]), ColourDepth::True);
        assert_eq!(depth(&[("TERM", "linux")]), ColourDepth::Sixteen);
        assert_eq!(depth(&[xterm, ("NO_COLOR", "1")]), ColourDepth::None);
        assert_eq!(depth(&[("TERM", "dumb")]), ColourDepth::None);
        let is_unicode = |variables: &[(&str, &str)]| of(variables).is_unicode;
        assert!(is_unicode(&[]));
        assert!(is_unicode(&[("LANG", "de_DE.UTF-8")]));
        assert!(is_unicode(&[("LC_ALL", "C.utf8"), ("LANG", "C")]));
        if !cfg!(windows) {
            assert!(!is_unicode(&[("LANG", "C")]));
            assert!(!is_unicode(&[("LC_ALL", "POSIX"), ("LANG", "en_GB.UTF-8")]));
        }
    }

    #[test]
    fn each_indexed_colour_maps_to_itself() {
        for index in 16..=255 {
            let found = nearest(16..=255, rgb_of(index));
            assert_eq!(rgb_of(found), rgb_of(index));
        }
        assert_eq!(sixteen([250, 5, 5]), Color::Indexed(9));
        assert_eq!(sixteen([10, 250, 10]), Color::Indexed(10));
    }
}
