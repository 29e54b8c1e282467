//! The contacts under the fingers of a simulated board: a matrix of rows and columns,
//! [scanned](crate::scan) column by column once a millisecond.
//!
//! A contact connects its row with its column. The scan applies a voltage to one column
//! and reads the rows on which it appears. With a diode at each contact, these are the
//! closed contacts of that column. Without diodes, the voltage also flows backwards
//! through closed contacts, and three closed corners of a rectangle make the fourth one
//! look closed. Each button has its own wire, and so does each point of a board whose
//! layout is not a rectangle.

use protocol::{Button, Input, Layout, Point};

use super::Faults;
use super::board::{BoardFaults, FaultyParts};
use crate::rng::Rng;
use crate::scan::{self, ScanLine, contact};
use crate::word::Wide;

const SIDE: usize = scan::SIDE as usize;
const KEYS: usize = SIDE * SIDE + Button::ALL.len();

/// The contacts of a board in the current millisecond.
#[derive(Clone, Debug)]
pub struct Contacts {
    layout: Layout,
    bounce_ms: u16,
    ghosting: bool,
    stuck: Down,
    dead: Down,
    rng: Rng,
    fingers: Down,
    /// How long each contact will still bounce, in milliseconds: points, then buttons.
    unrest_ms: [u16; KEYS],
    /// The number of contacts that are bouncing.
    restless: u16,
    /// The contacts that are closed in this scan: the rows of each column, then the
    /// buttons.
    columns: [u16; SIDE],
    buttons: u8,
}

type Down = scan::Down<Wide>;

impl Down {
    fn of(sites: &FaultyParts, layout: Layout) -> Down {
        let mut down = Down::default();
        for site in sites {
            if let Some(button) = site.button() {
                down.buttons |= 1 << button as u8;
            } else if let Some(point) = site.point(layout) {
                down.points.insert(point);
            }
        }
        down
    }

    fn set(&mut self, key: usize, is_down: bool) {
        match key.checked_sub(SIDE * SIDE) {
            None if is_down => self.points.insert(Point(key as u8)),
            None => self.points.remove(Point(key as u8)),
            Some(button) if is_down => self.buttons |= 1 << button,
            Some(button) => self.buttons &= !(1 << button),
        }
    }
}

impl Contacts {
    /// The contacts of a board with this layout, with no finger on them.
    #[must_use]
    pub fn new(layout: Layout, faults: &Faults) -> Contacts {
        let [_, _, rng] = faults.chance();
        let mut contacts = Contacts {
            layout,
            bounce_ms: 0,
            ghosting: false,
            stuck: Down::default(),
            dead: Down::default(),
            rng,
            fingers: Down::default(),
            unrest_ms: [0; KEYS],
            restless: 0,
            columns: [0; SIDE],
            buttons: 0,
        };
        contacts.set(&faults.board);
        contacts
    }

    /// Begins the random numbers anew, from the seed of these faults.
    pub fn reseed(&mut self, faults: &Faults) {
        let [_, _, rng] = faults.chance();
        self.rng = rng;
    }

    /// Changes the faults. The fingers stay where they are, and the random numbers
    /// continue.
    pub fn set(&mut self, faults: &BoardFaults) {
        self.bounce_ms = faults.bounce_ms.try_into().unwrap_or(u16::MAX);
        self.ghosting = faults.ghosting;
        self.stuck = Down::of(&faults.stuck, self.layout);
        self.dead = Down::of(&faults.dead, self.layout);
    }

    /// Puts a finger down or lifts it. Inputs that are not fingers, and points that
    /// the board lacks, are ignored.
    pub fn finger(&mut self, input: Input) {
        let key = match input {
            Input::Touch(point) | Input::Release(point) if self.layout.has(point) => point.index(),
            Input::Press(button) | Input::Lift(button) => SIDE * SIDE + button as usize,
            _ => return,
        };
        let before = self.fingers;
        self.fingers
            .set(key, matches!(input, Input::Touch(_) | Input::Press(_)));
        if let Some(unrest_ms) = self.unrest_ms.get_mut(key)
            && self.fingers != before
        {
            self.restless += u16::from(*unrest_ms == 0 && self.bounce_ms > 0);
            self.restless -= u16::from(*unrest_ms > 0 && self.bounce_ms == 0);
            *unrest_ms = self.bounce_ms;
        }
    }

    /// True while no contact bounces: the next samples equal this one until a finger
    /// moves.
    #[must_use]
    pub fn are_at_rest(&self) -> bool {
        self.restless == 0
    }

    /// The longest time for which a contact bounces, in milliseconds.
    #[must_use]
    pub fn bounce_ms(&self) -> u16 {
        self.bounce_ms
    }

    /// Advances by a millisecond: determines which bouncing contacts are closed in the
    /// next scan.
    pub(crate) fn bounce(&mut self) {
        let mut closed = self.fingers;
        if self.restless > 0 {
            for (key, unrest_ms) in self.unrest_ms.iter_mut().enumerate() {
                if *unrest_ms > 0 {
                    *unrest_ms -= 1;
                    self.restless -= u16::from(*unrest_ms == 0);
                    closed.set(key, self.rng.below(2) == 1);
                }
            }
        }
        self.close(closed);
    }

    /// Ends all bouncing before the next scan.
    pub(crate) fn come_to_rest(&mut self) {
        self.unrest_ms = [0; KEYS];
        self.restless = 0;
        self.close(self.fingers);
    }

    /// The result of a scan of the contacts in their present state.
    pub(crate) fn scan(&self) -> Down {
        scan::scan(self.layout, |line| self.line(line))
    }

    /// The rows on which the voltage of a line appears.
    pub(crate) fn line(&self, line: ScanLine) -> u16 {
        match line {
            ScanLine::Buttons => self.buttons.into(),
            ScanLine::Column(column) => {
                let rows = self.columns.get(usize::from(column));
                let rows = rows.copied().unwrap_or_default();
                match self.ghosting && self.layout.sides().is_some() {
                    true => reached(rows, &self.columns),
                    false => rows,
                }
            }
        }
    }

    /// Closes these contacts.
    fn close(&mut self, closed: Down) {
        self.buttons = (closed.buttons & !self.dead.buttons) | self.stuck.buttons;
        self.columns = [0; SIDE];
        for point in (closed.points & !self.dead.points) | self.stuck.points {
            let (column, row) = contact(self.layout, point);
            if let Some(rows) = self.columns.get_mut(usize::from(column)) {
                *rows |= 1 << row;
            }
        }
    }
}

/// The rows that a voltage on these rows reaches through columns with closed contacts.
fn reached(mut rows: u16, columns: &[u16; SIDE]) -> u16 {
    loop {
        let through = columns.iter().filter(|column| **column & rows != 0);
        let more = through.fold(rows, |all, column| all | column);
        if more == rows {
            return rows;
        }
        rows = more;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::points::Points;

    const LAYOUT: Layout = Layout::MALDOO;

    fn points(names: &str) -> Points<Wide> {
        let names = names.split_whitespace();
        names.map(|name| LAYOUT.point(name).unwrap()).collect()
    }

    /// Advances by a millisecond and returns the result of a scan.
    fn sample(contacts: &mut Contacts) -> Down {
        contacts.bounce();
        contacts.scan()
    }

    /// The points that a scan detects when fingers are on these points.
    fn seen(faults: &str, fingers: &str) -> Points<Wide> {
        let mut contacts = Contacts::new(LAYOUT, &faults.parse().unwrap());
        for point in points(fingers) {
            contacts.finger(Input::Touch(point));
        }
        sample(&mut contacts).points
    }

    #[test]
    fn three_keys_make_a_ghost_only_without_diodes() {
        assert_eq!(seen("none", "b2 b7 f2"), points("b2 b7 f2"));
        assert_eq!(seen("ghosting", "b2 b7 f2"), points("b2 b7 f2 f7"));
        assert_eq!(seen("ghosting", "b2 f7"), points("b2 f7"));
    }

    #[test]
    fn a_ghost_and_a_key_make_more_ghosts() {
        let all = points("b2 b7 f2 f7 h7 b5 f5 h5 h2");
        assert_eq!(seen("ghosting", "b2 b7 f2 h7 h5"), all);
    }

    #[test]
    fn a_stuck_key_is_down_and_a_dead_one_up_regardless() {
        assert_eq!(seen("stuck d4, dead e5", "e5 f6"), points("d4 f6"));
        let mut contacts = Contacts::new(LAYOUT, &"stuck start, dead stop".parse().unwrap());
        contacts.finger(Input::Press(Button::Stop));
        assert_eq!(sample(&mut contacts).buttons, 1 << Button::Start as u8);
    }

    #[test]
    fn a_stuck_key_makes_ghosts_and_a_dead_one_prevents_them() {
        assert_eq!(seen("ghosting, stuck b2", "b7 f2"), points("b2 b7 f2 f7"));
        assert_eq!(seen("ghosting, dead b2", "b2 b7 f2"), points("b7 f2"));
    }

    /// Fingers that move on any points and buttons, including points outside of the
    /// board.
    fn fingers() -> impl Strategy<Value = std::vec::Vec<Input>> {
        let input = prop_oneof![
            any::<u8>().prop_map(|point| Input::Touch(Point(point))),
            any::<u8>().prop_map(|point| Input::Release(Point(point))),
            (0..7_usize).prop_map(|button| Input::Press(Button::ALL[button])),
            (0..7_usize).prop_map(|button| Input::Lift(Button::ALL[button])),
            Just(Input::Pass),
        ];
        proptest::collection::vec(input, 0..200)
    }

    /// The points that a scan without diodes detects for closed contacts, by
    /// following the voltage step by step.
    fn slowly(closed: Points<Wide>) -> Points<Wide> {
        let mut seen = closed;
        loop {
            let corner = |row, column| LAYOUT.at(column, row).is_some_and(|point| seen.has(point));
            let more: Points<Wide> = LAYOUT
                .iter()
                .filter(|point| {
                    let (row, column) = (LAYOUT.row(*point), LAYOUT.column(*point));
                    (0..LAYOUT.rows()).any(|r| {
                        (0..LAYOUT.columns())
                            .any(|c| corner(row, c) && corner(r, c) && corner(r, column))
                    })
                })
                .collect();
            if seen | more == seen {
                return seen;
            }
            seen |= more;
        }
    }

    proptest! {
        #[test]
        fn without_faults_a_contact_is_down_while_a_finger_is_on_it(fingers in fingers()) {
            let mut contacts = Contacts::new(LAYOUT, &Faults::default());
            let mut down = Down::default();
            for input in fingers {
                contacts.finger(input);
                match input {
                    Input::Touch(point) if LAYOUT.has(point) => down.points.insert(point),
                    Input::Release(point) => down.points.remove(point),
                    Input::Press(button) => down.buttons |= 1 << button as u8,
                    Input::Lift(button) => down.buttons &= !(1 << button as u8),
                    _ => {}
                }
                prop_assert!(contacts.are_at_rest());
                prop_assert_eq!(sample(&mut contacts), down);
            }
        }

        #[test]
        fn bouncing_repeats_with_its_seed_and_ends(
            seed: u64,
            bounce_ms in 1..40_u64,
            fingers in fingers(),
        ) {
            let mut faults = Faults { seed, ..Faults::default() };
            faults.board.bounce_ms = bounce_ms;
            let mut contacts = Contacts::new(LAYOUT, &faults);
            let mut again = contacts.clone();
            for input in fingers {
                contacts.finger(input);
                again.finger(input);
                prop_assert_eq!(sample(&mut contacts), sample(&mut again));
            }
            for _ in 0..bounce_ms {
                sample(&mut contacts);
            }
            prop_assert!(contacts.are_at_rest());
            let calm = sample(&mut contacts);
            contacts.come_to_rest();
            prop_assert_eq!(calm, contacts.scan());
        }

        #[test]
        fn ghosts_equal_those_of_a_voltage_model(
            closed in proptest::collection::vec(0..81_u8, 0..24),
        ) {
            let mut contacts = Contacts::new(LAYOUT, &"ghosting".parse().unwrap());
            for point in &closed {
                contacts.finger(Input::Touch(Point(*point)));
            }
            let closed = closed.into_iter().map(Point).collect();
            prop_assert_eq!(sample(&mut contacts).points, slowly(closed));
        }
    }
}
