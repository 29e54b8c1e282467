//! The text form of a fault: its name, and a number, a point or a button if it needs one.
//!
//! One table defines all faults. The options of a command line are these names after
//! `--fault-`; the commands of the shell are these names after `fault `.

use core::fmt;
use core::str::FromStr;

use super::Faults;
use super::board::{FaultyPart, FaultyParts, MOST_SITES};

/// The maximum rate: every byte.
const MOST_PPM: u64 = 1_000_000;

/// The maximum duration in milliseconds: a day.
const MOST_MS: u64 = 24 * 60 * 60 * 1_000;

/// The maximum time for which a contact may bounce, in milliseconds.
const MOST_BOUNCE_MS: u64 = 1_000;

/// The range of a clock's rate; one that is less accurate would not run at all.
const CLOCK_PERMILLE: [u64; 2] = [500, 2_000];

/// The part of the system that a fault belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultTarget {
    /// The line to the host, and the seed of all faults.
    Line,
    /// The contacts under the fingers.
    Sensors,
    /// Other parts of the board: lights, clock, power.
    Board,
}

/// The argument that follows the name of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultArgument {
    /// The fault takes no argument.
    Nothing,
    /// A number in this inclusive range.
    Number(u64, u64),
    /// The name of a point.
    Point,
    /// The name of a point or of a button.
    Key,
}

/// A kind of fault that a text can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The seed of all random faults.
    Seed,
    /// The rate of lost bytes: [`LineFaults::drop_ppm`](super::LineFaults::drop_ppm).
    DropPpm,
    /// The rate of flipped bits:
    /// [`LineFaults::flip_ppm`](super::LineFaults::flip_ppm).
    FlipPpm,
    /// The rate of duplicates:
    /// [`LineFaults::duplicate_ppm`](super::LineFaults::duplicate_ppm).
    DuplicatePpm,
    /// The rate of cuts: [`LineFaults::cut_ppm`](super::LineFaults::cut_ppm).
    CutPpm,
    /// A cut after some bytes:
    /// [`LineFaults::cut_after_bytes`](super::LineFaults::cut_after_bytes).
    CutAfter,
    /// The rate of stalls: [`LineFaults::stall_ppm`](super::LineFaults::stall_ppm).
    StallPpm,
    /// The length of a stall: [`LineFaults::stall_ms`](super::LineFaults::stall_ms).
    StallMs,
    /// The delay of the line: [`LineFaults::delay_ms`](super::LineFaults::delay_ms).
    DelayMs,
    /// Contacts that are always closed:
    /// [`BoardFaults::stuck`](super::BoardFaults::stuck).
    Stuck,
    /// Contacts that never close: [`BoardFaults::dead`](super::BoardFaults::dead).
    Dead,
    /// The bouncing of contacts:
    /// [`BoardFaults::bounce_ms`](super::BoardFaults::bounce_ms).
    BounceMs,
    /// Ghosts in the key matrix:
    /// [`BoardFaults::ghosting`](super::BoardFaults::ghosting).
    Ghosting,
    /// Lights that stay dark:
    /// [`BoardFaults::dead_leds`](super::BoardFaults::dead_leds).
    DeadLed,
    /// The error of the clock:
    /// [`BoardFaults::clock_permille`](super::BoardFaults::clock_permille).
    ClockPermille,
    /// A loss of power:
    /// [`BoardFaults::brown_out_after_ms`](super::BoardFaults::brown_out_after_ms).
    BrownOutAfterMs,
}

/// A fault, its name as an option, the part of the system it belongs to, its argument,
/// and a line of help.
type Row = (
    FaultKind,
    &'static str,
    FaultTarget,
    FaultArgument,
    &'static str,
);

/// The prefix of each name that makes it an option.
const OPTION: &str = "fault-";

const PPM: FaultArgument = FaultArgument::Number(0, MOST_PPM);
const MS: FaultArgument = FaultArgument::Number(0, MOST_MS);
const ANY: FaultArgument = FaultArgument::Number(0, u64::MAX);

#[rustfmt::skip]
const TABLE: [Row; 16] = [
    (FaultKind::Seed, "fault-seed", FaultTarget::Line, ANY, "The seed of the faults: the same seed gives the same faults"),
    (FaultKind::DropPpm, "fault-drop-ppm", FaultTarget::Line, PPM, "Bytes in a million at which 1 to 16 bytes are lost"),
    (FaultKind::FlipPpm, "fault-flip-ppm", FaultTarget::Line, PPM, "Bytes in a million in which one bit is flipped"),
    (FaultKind::DuplicatePpm, "fault-duplicate-ppm", FaultTarget::Line, PPM, "Bytes in a million that arrive twice"),
    (FaultKind::CutPpm, "fault-cut-ppm", FaultTarget::Line, PPM, "Bytes in a million after which the line is cut; it can be opened again"),
    (FaultKind::CutAfter, "fault-cut-after", FaultTarget::Line, ANY, "Cut the line once, after this many bytes in both directions"),
    (FaultKind::StallPpm, "fault-stall-ppm", FaultTarget::Line, PPM, "Bytes in a million after which the line stands still for a while"),
    (FaultKind::StallMs, "fault-stall-ms", FaultTarget::Line, MS, "The length of such a stall in ms (default 100)"),
    (FaultKind::DelayMs, "fault-delay-ms", FaultTarget::Line, MS, "The delay of the line, each way"),
    (FaultKind::Stuck, "fault-stuck", FaultTarget::Sensors, FaultArgument::Key, "A point or button whose contact is always closed"),
    (FaultKind::Dead, "fault-dead", FaultTarget::Sensors, FaultArgument::Key, "A point or button whose contact never closes"),
    (FaultKind::BounceMs, "fault-bounce-ms", FaultTarget::Sensors, FaultArgument::Number(0, MOST_BOUNCE_MS), "How long contacts bounce when a finger comes or goes"),
    (FaultKind::Ghosting, "fault-ghosting", FaultTarget::Sensors, FaultArgument::Nothing, "No diodes in the key matrix: three corners of a rectangle make the fourth"),
    (FaultKind::DeadLed, "fault-dead-led", FaultTarget::Board, FaultArgument::Point, "A point whose light stays dark"),
    (FaultKind::ClockPermille, "fault-clock-permille", FaultTarget::Board, FaultArgument::Number(CLOCK_PERMILLE[0], CLOCK_PERMILLE[1]), "Milliseconds that the board counts while 1,000 pass"),
    (FaultKind::BrownOutAfterMs, "fault-brown-out-after-ms", FaultTarget::Board, MS, "Let the power fail once, after this time: the board restarts"),
];

impl FaultKind {
    /// All kinds, in the order in which they are listed.
    pub fn all() -> impl Iterator<Item = FaultKind> {
        TABLE.iter().map(|row| row.0)
    }

    fn row(self) -> &'static Row {
        // The rows are in the order of the enum, which a test checks.
        TABLE.get(self as usize).unwrap_or(&TABLE[0])
    }

    /// The option on a command line, without the leading dashes.
    #[must_use]
    pub fn option(self) -> &'static str {
        self.row().1
    }

    /// The name by which a text refers to the fault.
    #[must_use]
    pub fn name(self) -> &'static str {
        let option = self.option();
        option.strip_prefix(OPTION).unwrap_or(option)
    }

    /// The part of the system that the fault affects.
    #[must_use]
    pub fn of(self) -> FaultTarget {
        self.row().2
    }

    /// The argument that follows the name.
    #[must_use]
    pub fn takes(self) -> FaultArgument {
        self.row().3
    }

    /// The effect of the fault, as a line of help.
    #[must_use]
    pub fn about(self) -> &'static str {
        self.row().4
    }

    /// Reads the argument that follows the name.
    ///
    /// # Errors
    /// [`FaultError::Value`] if the text is not such an argument.
    pub fn read(self, text: &str) -> Result<Fault, FaultError> {
        let value = match self.takes() {
            FaultArgument::Nothing => text.is_empty().then_some(FaultValue::Nothing),
            FaultArgument::Number(least, most) => text
                .parse()
                .ok()
                .filter(|number| (least..=most).contains(number))
                .map(FaultValue::Number),
            FaultArgument::Point | FaultArgument::Key => {
                FaultyPart::named(text).map(FaultValue::Site)
            }
        };
        let value = value.ok_or(FaultError::Value(self))?;
        Ok(Fault { kind: self, value })
    }
}

/// The argument of a fault, as [`FaultArgument`] describes it. Its text form is what follows
/// the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultValue {
    /// The fault has no argument; its text form is empty.
    Nothing,
    /// A number.
    Number(u64),
    /// A point or a button.
    Site(FaultyPart),
}

impl fmt::Display for FaultValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultValue::Nothing => Ok(()),
            FaultValue::Number(number) => write!(f, "{number}"),
            FaultValue::Site(site) => f.write_str(site.name()),
        }
    }
}

/// One fault in its text form: `drop-ppm 500`, `stuck d4`, `ghosting`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    kind: FaultKind,
    value: FaultValue,
}

impl Fault {
    /// The kind of the fault.
    #[must_use]
    pub fn kind(&self) -> FaultKind {
        self.kind
    }

    /// The argument of the fault.
    #[must_use]
    pub fn value(&self) -> &FaultValue {
        &self.value
    }
}

impl FromStr for Fault {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Fault, FaultError> {
        let text = text.trim();
        let (name, value) = text.split_once(' ').unwrap_or((text, ""));
        let mut kinds = FaultKind::all();
        let kind = kinds.find(|kind| kind.name().eq_ignore_ascii_case(name));
        kind.ok_or(FaultError::Name)?.read(value.trim())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        match &self.value {
            FaultValue::Nothing => Ok(()),
            value => write!(f, " {value}"),
        }
    }
}

/// An error in the text of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultError {
    /// There is no fault with this name.
    Name,
    /// The fault takes a different argument.
    Value(FaultKind),
    /// More points and buttons are named than this fault can take.
    TooMany(FaultKind),
}

impl fmt::Display for FaultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultError::Name => {
                f.write_str("that is not a fault: choose none")?;
                FaultKind::all().try_for_each(|kind| write!(f, ", {}", kind.name()))
            }
            FaultError::Value(kind) => match kind.takes() {
                FaultArgument::Nothing => write!(f, "nothing stands behind `{}`", kind.name()),
                FaultArgument::Number(least, most) => {
                    write!(f, "it takes a number from {least} to {most}")
                }
                FaultArgument::Point => write!(f, "it takes a point: write `{} d4`", kind.name()),
                FaultArgument::Key => write!(
                    f,
                    "it takes a point or a button: write `{name} d4` or `{name} start`",
                    name = kind.name()
                ),
            },
            FaultError::TooMany(kind) => {
                write!(f, "at most {MOST_SITES} can be {}", kind.name())
            }
        }
    }
}

impl core::error::Error for FaultError {}

/// The field in which a fault is stored.
enum Place<'a> {
    Number(&'a mut u64),
    Once(&'a mut Option<u64>),
    Is(&'a mut bool),
    Sites(&'a mut FaultyParts),
}

impl Faults {
    fn place(&mut self, kind: FaultKind) -> Place<'_> {
        let Faults { seed, line, board } = self;
        match kind {
            FaultKind::Seed => Place::Number(seed),
            FaultKind::DropPpm => Place::Number(&mut line.drop_ppm),
            FaultKind::FlipPpm => Place::Number(&mut line.flip_ppm),
            FaultKind::DuplicatePpm => Place::Number(&mut line.duplicate_ppm),
            FaultKind::CutPpm => Place::Number(&mut line.cut_ppm),
            FaultKind::CutAfter => Place::Once(&mut line.cut_after_bytes),
            FaultKind::StallPpm => Place::Number(&mut line.stall_ppm),
            FaultKind::StallMs => Place::Number(&mut line.stall_ms),
            FaultKind::DelayMs => Place::Number(&mut line.delay_ms),
            FaultKind::Stuck => Place::Sites(&mut board.stuck),
            FaultKind::Dead => Place::Sites(&mut board.dead),
            FaultKind::BounceMs => Place::Number(&mut board.bounce_ms),
            FaultKind::Ghosting => Place::Is(&mut board.ghosting),
            FaultKind::DeadLed => Place::Sites(&mut board.dead_leds),
            FaultKind::ClockPermille => Place::Number(&mut board.clock_permille),
            FaultKind::BrownOutAfterMs => Place::Once(&mut board.brown_out_after_ms),
        }
    }

    /// Adds a fault. A number replaces the earlier one; a part is added to those that are
    /// already named.
    ///
    /// # Errors
    /// [`FaultError::TooMany`] if there is no room for another part.
    pub fn add(&mut self, fault: Fault) -> Result<(), FaultError> {
        match (self.place(fault.kind), fault.value) {
            (Place::Number(place), FaultValue::Number(number)) => *place = number,
            (Place::Once(place), FaultValue::Number(number)) => *place = Some(number),
            (Place::Is(place), FaultValue::Nothing) => *place = true,
            (Place::Sites(sites), FaultValue::Site(site)) if !sites.contains(&site) => {
                let too_many = FaultError::TooMany(fault.kind);
                sites.push(site).map_err(|_| too_many)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Removes all faults of a kind. The seed becomes 0.
    pub fn remove(&mut self, kind: FaultKind) {
        match (self.place(kind), Faults::default().place(kind)) {
            (Place::Number(place), Place::Number(none)) => *place = *none,
            (Place::Once(place), _) => *place = None,
            (Place::Is(place), _) => *place = false,
            (Place::Sites(sites), _) => sites.clear(),
            (Place::Number(_), _) => {}
        }
    }

    /// Calls `tell` with every fault, starting with the seed.
    pub fn each(&self, mut tell: impl FnMut(&Fault)) {
        if self.are_none() {
            return;
        }
        let (mut own, mut none) = (self.clone(), Faults::default());
        for kind in FaultKind::all() {
            let mut tell = |value| tell(&Fault { kind, value });
            let is_told = match kind {
                FaultKind::Seed => true,
                FaultKind::StallMs => self.line.stall_ppm > 0,
                _ => false,
            };
            match (own.place(kind), none.place(kind)) {
                (Place::Number(number), Place::Number(none)) if is_told || number != none => {
                    tell(FaultValue::Number(*number));
                }
                (Place::Once(Some(number)), _) => tell(FaultValue::Number(*number)),
                (Place::Is(true), _) => tell(FaultValue::Nothing),
                (Place::Sites(sites), _) => sites
                    .iter()
                    .for_each(|site| tell(FaultValue::Site(site.clone()))),
                _ => {}
            }
        }
    }
}

/// Reads `none`, or faults separated by commas.
impl FromStr for Faults {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Faults, FaultError> {
        let mut faults = Faults::default();
        if text.trim().eq_ignore_ascii_case("none") {
            return Ok(faults);
        }
        for fault in text.split(',') {
            faults.add(fault.parse()?)?;
        }
        Ok(faults)
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.are_none() {
            return f.write_str("none");
        }
        let (mut result, mut between) = (Ok(()), "");
        self.each(|fault| {
            result = result.and_then(|()| write!(f, "{between}{fault}"));
            between = ", ";
        });
        result
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;
    use std::vec::Vec;

    use law::{Judged, Weight, law};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_table_of_faults_is_in_order_and_names_are_unique() {
        for (place, kind) in FaultKind::all().enumerate() {
            assert_eq!(kind as usize, place);
            let same = FaultKind::all().filter(|other| other.name() == kind.name());
            assert_eq!(same.count(), 1, "{}", kind.name());
        }
    }

    #[test]
    fn a_wrong_fault_is_refused_with_what_is_possible() {
        for (text, words) in [
            ("", "choose none, seed, drop-ppm"),
            ("sticky d4", "choose none, seed"),
            ("drop-ppm", "from 0 to 1000000"),
            ("drop-ppm 1000001", "from 0 to 1000000"),
            ("clock-permille 499", "from 500 to 2000"),
            ("ghosting d4", "nothing stands behind `ghosting`"),
            ("stuck", "`stuck d4` or `stuck start`"),
            ("dead-led d 4", "a point"),
            ("stuck d4,, dead e5", "choose none"),
        ] {
            let error = text.parse::<Faults>().unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
        let many: Vec<_> = (1..=17).map(|row| std::format!("stuck a{row}")).collect();
        let error = many.join(", ").parse::<Faults>().unwrap_err();
        assert_eq!(error.to_string(), "at most 16 can be stuck");
    }

    /// An argument that is valid for this kind.
    fn value(kind: FaultKind) -> BoxedStrategy<std::string::String> {
        match kind.takes() {
            FaultArgument::Nothing => Just(std::string::String::new()).boxed(),
            FaultArgument::Number(least, most) => {
                (least..=most).prop_map(|n| n.to_string()).boxed()
            }
            FaultArgument::Point => "[a-p][1-9]".boxed(),
            FaultArgument::Key => "([a-p][1-9])|start|stop|game".boxed(),
        }
    }

    fn fault() -> impl Strategy<Value = Fault> {
        (0..TABLE.len()).prop_flat_map(|place| {
            let kind = TABLE[place].0;
            value(kind).prop_map(move |value| kind.read(&value).unwrap())
        })
    }

    proptest! {
        #[test]
        fn a_fault_reads_back_as_written(fault in fault()) {
            prop_assert_eq!(fault.to_string().parse(), Ok(fault));
        }

        #[test]
        fn a_list_of_faults_reads_back_as_written(
            all in proptest::collection::vec(fault(), 1..12),
        ) {
            let mut faults = Faults::default();
            for fault in all {
                faults.add(fault).unwrap();
            }
            let again: Faults = faults.to_string().parse().unwrap();
            prop_assert_eq!(again.are_none(), faults.are_none());
            prop_assert_eq!(again.to_string(), faults.to_string());
        }

        #[test]
        fn a_removed_kind_is_gone_and_the_others_stay(
            all in proptest::collection::vec(fault(), 1..12), removed in fault(),
        ) {
            let (mut faults, mut others) = (Faults::default(), Faults::default());
            for fault in all {
                faults.add(fault.clone()).unwrap();
                if fault.kind() != removed.kind() {
                    others.add(fault).unwrap();
                }
            }
            faults.remove(removed.kind());
            prop_assert_eq!(faults, others);
        }

        #[test]
        fn reading_any_text_does_not_panic(text: std::string::String) {
            let _ = text.parse::<Faults>();
        }
    }

    /// A text of faults in which a character was replaced is either refused, or read as
    /// what it now says.
    #[test]
    fn a_typing_error_in_faults_is_refused_or_read_literally() {
        let slips = (
            proptest::collection::vec(fault(), 1..6),
            any::<proptest::sample::Index>(),
            "[a-z0-9 ,-]",
        );
        law(Weight::of(512, 10), slips, |(all, place, slip)| {
            let texts: Vec<_> = all.iter().map(ToString::to_string).collect();
            let mut text = texts.join(", ");
            let place = place.index(text.len());
            text.replace_range(place..=place, &slip);
            let Ok(faults) = text.parse::<Faults>() else {
                return Ok(Judged::Nothing);
            };
            let again: Faults = faults.to_string().parse().unwrap();
            prop_assert_eq!(again.to_string(), faults.to_string());
            Ok(Judged::Something)
        });
    }
}
