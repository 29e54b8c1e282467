//! The faults of a board: contacts that are stuck, dead, bouncing or ghosting, lights
//! that stay dark, an inaccurate clock, and a power failure.

use core::fmt;

use heapless::{String, Vec};
use protocol::{Button, Colour, Frame, Layout, Point};

/// The maximum number of points and buttons that one kind of fault can name.
pub const MOST_SITES: usize = 16;

/// The rate of an accurate clock: the milliseconds that it counts in 1,000 ms of real
/// time.
const TRUE_PERMILLE: u64 = 1_000;

/// The name of a point or a button. On a board with a different layout, the name may
/// denote a different point or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultyPart(String<8>);

/// A list of faulty points and buttons.
pub type FaultyParts = Vec<FaultyPart, MOST_SITES>;

impl FaultyPart {
    /// The part with this name, which may or may not exist on a board.
    #[must_use]
    pub fn named(name: &str) -> Option<FaultyPart> {
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let mut own = String::new();
        own.push_str(name).ok().filter(|()| is_name)?;
        own.as_mut_str().make_ascii_lowercase();
        Some(FaultyPart(own))
    }

    /// The name of a point of this layout.
    #[must_use]
    pub fn of_point(layout: Layout, point: Point) -> Option<FaultyPart> {
        let mut name: String<8> = String::new();
        fmt::write(&mut name, format_args!("{}", layout.name(point))).ok()?;
        Some(FaultyPart(name))
    }

    /// The name of the part, as people write it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }

    /// The point with this name, if the board has it.
    #[must_use]
    pub fn point(&self, layout: Layout) -> Option<Point> {
        layout.point(&self.0).ok()
    }

    /// The button with this name.
    #[must_use]
    pub fn button(&self) -> Option<Button> {
        Button::from_name(&self.0)
    }
}

/// The faults of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardFaults {
    /// Contacts that are always closed, whatever other faults they have.
    pub stuck: FaultyParts,
    /// Parts whose contacts never close.
    pub dead: FaultyParts,
    /// How long each contact bounces when a finger comes or goes, in milliseconds.
    pub bounce_ms: u64,
    /// True if the key matrix has no diodes, so that three closed corners of a rectangle
    /// make the fourth one look closed.
    pub ghosting: bool,
    /// Points whose lights stay dark.
    pub dead_leds: FaultyParts,
    /// The milliseconds that the board counts in 1,000 ms of real time.
    pub clock_permille: u64,
    /// The time after which the power fails once and the board restarts.
    pub brown_out_after_ms: Option<u64>,
}

impl Default for BoardFaults {
    fn default() -> BoardFaults {
        BoardFaults {
            stuck: Vec::new(),
            dead: Vec::new(),
            bounce_ms: 0,
            ghosting: false,
            dead_leds: Vec::new(),
            clock_permille: TRUE_PERMILLE,
            brown_out_after_ms: None,
        }
    }
}

impl BoardFaults {
    /// True if the board has no faults.
    #[must_use]
    pub fn are_none(&self) -> bool {
        *self == BoardFaults::default()
    }

    /// True if the sensors have no faults.
    #[must_use]
    pub fn spare_sensors(&self) -> bool {
        self.stuck.is_empty() && self.dead.is_empty() && self.bounce_ms == 0 && !self.ghosting
    }

    /// Checks that a board with this layout has all parts that are named as faulty.
    ///
    /// # Errors
    /// The first part that the board lacks.
    pub fn fit(&self, layout: Layout) -> Result<(), Lacking> {
        let keys = self.stuck.iter().chain(&self.dead);
        let mut points = keys
            .filter(|site| site.button().is_none())
            .chain(&self.dead_leds);
        let lacking = points.find(|site| site.point(layout).is_none());
        lacking.map_or(Ok(()), |site| Err(Lacking(layout, site.clone())))
    }

    /// The points of a board with this layout whose lamps are dead.
    pub fn dead_lamps(&self, layout: Layout) -> impl Iterator<Item = Point> {
        self.dead_leds
            .iter()
            .filter_map(move |lamp| lamp.point(layout))
    }

    /// Removes the light of dead lamps from a frame.
    pub fn darken(&self, layout: Layout, frame: &mut Frame) {
        for point in self.dead_lamps(layout) {
            frame.points.set(point, Colour::OFF);
        }
    }
}

/// The error for a board that lacks a part that is named as faulty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lacking(pub Layout, pub FaultyPart);

impl fmt::Display for Lacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lacking(layout, site) = self;
        let name = site.name();
        write!(
            f,
            "a {layout} board has no {name}: name a point that it has"
        )
    }
}

impl core::error::Error for Lacking {}

/// A clock that may be inaccurate. It converts real time to the time that the board
/// counts, without losing fractions of a millisecond.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drift {
    /// The thousandths of a millisecond that have not been counted yet.
    rest: u64,
}

impl Drift {
    /// The milliseconds that the board counts while `passed_ms` pass.
    pub fn count(&mut self, faults: &BoardFaults, passed_ms: u32) -> u32 {
        let thousandths = u64::from(passed_ms)
            .saturating_mul(faults.clock_permille)
            .saturating_add(self.rest);
        self.rest = thousandths % TRUE_PERMILLE;
        (thousandths / TRUE_PERMILLE).try_into().unwrap_or(u32::MAX)
    }

    /// The real time in milliseconds until the board has counted `counted_ms`.
    #[must_use]
    pub fn takes(&self, faults: &BoardFaults, counted_ms: u32) -> u32 {
        let wanted = u64::from(counted_ms)
            .saturating_mul(TRUE_PERMILLE)
            .saturating_sub(self.rest);
        let passed = wanted.div_ceil(faults.clock_permille.max(1));
        passed.try_into().unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_wrong_clock_counts_the_same_in_any_pieces(
            permille in 500..2_000_u64,
            pieces in proptest::collection::vec(0..50_u32, 0..50),
        ) {
            let faults = BoardFaults { clock_permille: permille, ..BoardFaults::default() };
            let all: u32 = pieces.iter().sum();
            let mut drift = Drift::default();
            let counted: u32 = pieces.iter().map(|piece| drift.count(&faults, *piece)).sum();
            prop_assert_eq!(counted, Drift::default().count(&faults, all));
            prop_assert_eq!(u64::from(counted), u64::from(all) * permille / 1_000);
        }

        #[test]
        fn sleeping_for_ticks_of_a_wrong_clock_is_exact(
            permille in 500..2_000_u64,
            before in 0..50_u32,
            wanted in 1..5_000_u32,
        ) {
            let faults = BoardFaults { clock_permille: permille, ..BoardFaults::default() };
            let mut drift = Drift::default();
            drift.count(&faults, before);
            let takes = drift.takes(&faults, wanted);
            prop_assert!(drift.clone().count(&faults, takes) >= wanted);
            prop_assert!(takes == 0 || drift.count(&faults, takes - 1) < wanted);
        }
    }

    #[test]
    fn a_dead_lamp_stays_dark_and_the_others_shine() {
        let layout = Layout::MALDOO;
        let mut faults = BoardFaults::default();
        faults
            .dead_leds
            .push(FaultyPart::named("E5").unwrap())
            .unwrap();
        let mut frame = Frame::default();
        let [e5, d4] = ["e5", "d4"].map(|name| layout.point(name).unwrap());
        frame.points.set(e5, Colour::GREEN);
        frame.points.set(d4, Colour::GREEN);
        faults.darken(layout, &mut frame);
        assert_eq!(frame.points.get(e5), Colour::OFF);
        assert_eq!(frame.points.get(d4), Colour::GREEN);
    }
}
