//! Random actions of a person, from a seed: legal and illegal touches, buttons pressed
//! and held, all games, modes and levels, and pauses from nothing to longer than a turn.

use firmware_core::{AnyBoard, Rng, games};
use protocol::{
    Button, Colour, Deed, Diagram, Input, Layout, Packed, Point, Roster, Settings, Side, Tick,
};

use crate::driver::{Driver, DriverError};
use crate::session::SessionItem;

/// The actions at one moment, and the time that passes afterwards.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckStep {
    /// The items that are carried out.
    pub items: Vec<SessionItem>,
    /// The number of ticks that pass afterwards.
    pub ticks: Tick,
}

impl CheckStep {
    /// One item, after which no time passes.
    pub(super) fn at_once(item: &SessionItem) -> CheckStep {
        CheckStep {
            items: vec![item.clone()],
            ticks: 0,
        }
    }

    /// Carries out the step on a board. Commands that the board refuses have no
    /// effect.
    ///
    /// # Errors
    ///
    /// When the board cannot be reached.
    pub fn carry_out(&self, board: &mut dyn Driver) -> Result<(), DriverError> {
        for item in &self.items {
            super::carry_out(board, item)?;
        }
        board.step(&[], self.ticks)
    }
}

/// The probability of each kind of step, in per cent; tried in this order.
const KINDS: [(Kind, u32); 11] = [
    (Kind::TouchLegal, 46),
    (Kind::TouchAny, 10),
    (Kind::Slide, 5),
    (Kind::Release, 8),
    (Kind::Wait, 9),
    (Kind::SettingButton, 6),
    (Kind::Start, 6),
    (Kind::Stop, 3),
    (Kind::Pass, 3),
    (Kind::Settings, 3),
    (Kind::Position, 1),
];

/// The upper limits of pauses, in ms, each with its probability in per cent. The last is
/// longer than any turn.
const WAITS_MS: [(u32, u32); 6] = [
    (1, 25),
    (20, 30),
    (300, 30),
    (2_000, 12),
    (20_000, 2),
    (130_000, 1),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    TouchLegal,
    TouchAny,
    Slide,
    Release,
    Wait,
    SettingButton,
    Start,
    Stop,
    Pass,
    Settings,
    Position,
}

/// A player who acts at random.
#[derive(Clone, Debug)]
pub struct Generator {
    rng: Rng,
    layout: Layout,
    /// The points under a finger.
    down: Vec<Point>,
    /// The buttons that are held down.
    held: Vec<Button>,
}

impl Generator {
    /// A player whose actions follow from this seed.
    #[must_use]
    pub fn new(seed: u64, layout: Layout) -> Generator {
        Generator {
            rng: Rng::new(seed),
            layout,
            down: Vec::new(),
            held: Vec::new(),
        }
    }

    /// The next step for a board in this state.
    pub fn next(&mut self, board: &AnyBoard) -> CheckStep {
        let mut items = Vec::new();
        let kind = self.pick(&KINDS);
        let idle = board.turn().is_none();
        match kind {
            // If no game is running, one is started from time to time.
            Kind::TouchLegal if idle && self.rng.percent(40) => {
                self.click(Button::Start, &mut items)
            }
            Kind::TouchLegal => {
                let legal = board.legal_points();
                let point = match legal.len() as u32 {
                    0 => self.any_point(),
                    count => legal[self.rng.below(count) as usize],
                };
                self.touch(point, &mut items);
            }
            Kind::TouchAny => {
                let point = self.any_point();
                self.touch(point, &mut items);
            }
            Kind::Slide => {
                for _ in 0..1 + self.rng.below(10) {
                    let point = self.any_point();
                    self.touch(point, &mut items);
                }
            }
            Kind::Release => self.let_go(&mut items),
            Kind::Wait => {}
            Kind::SettingButton => {
                let button = Button::ALL[self.rng.below(5) as usize];
                if self.rng.percent(20) {
                    items.push(SessionItem::Do(Deed::Input(Input::Press(button))));
                    self.held.push(button);
                } else {
                    self.click(button, &mut items);
                }
            }
            Kind::Start => self.click(Button::Start, &mut items),
            Kind::Stop => self.click(Button::Stop, &mut items),
            Kind::Pass => items.push(SessionItem::Do(Deed::Input(Input::Pass))),
            Kind::Settings => {
                items.push(SessionItem::Do(Deed::Settings(
                    self.settings(board.roster()),
                )));
                self.click(Button::Start, &mut items);
            }
            Kind::Position => items.push(SessionItem::Do(Deed::Position(self.position().into()))),
        }
        let longest_ms = self.pick(&WAITS_MS);
        let ticks = Tick::from(self.rng.below(longest_ms + 1));
        CheckStep { items, ticks }
    }

    fn pick<T: Copy>(&mut self, table: &[(T, u32)]) -> T {
        let total = table.iter().map(|(_, weight)| weight).sum();
        let mut left = self.rng.below(total);
        for (what, weight) in table {
            if left < *weight {
                return *what;
            }
            left -= weight;
        }
        table[0].0
    }

    fn any_point(&mut self) -> Point {
        Point(self.rng.below(self.layout.points() as u32) as u8)
    }

    /// Touches a point; most fingers leave at once.
    fn touch(&mut self, point: Point, items: &mut Vec<SessionItem>) {
        items.push(SessionItem::Do(Deed::Input(Input::Touch(point))));
        if self.rng.percent(70) {
            items.push(SessionItem::Do(Deed::Input(Input::Release(point))));
        } else {
            self.down.push(point);
        }
    }

    fn click(&mut self, button: Button, items: &mut Vec<SessionItem>) {
        items.push(SessionItem::Do(Deed::Input(Input::Press(button))));
        items.push(SessionItem::Do(Deed::Input(Input::Lift(button))));
    }

    /// Lifts all fingers from points and buttons.
    fn let_go(&mut self, items: &mut Vec<SessionItem>) {
        let releases = self.down.drain(..).map(Input::Release);
        let lifts = self.held.drain(..).map(Input::Lift);
        items.extend(releases.chain(lifts).map(SessionItem::from));
    }

    /// Random settings for a board with these games; half of the time two people
    /// play.
    fn settings(&mut self, roster: Roster) -> Settings {
        let place = self.rng.below(roster.len() as u32) as usize;
        let game = roster.iter().nth(place).unwrap_or(roster.first());
        let modes = games::about(game).map_or(1, |about| about.modes);
        let level = if self.rng.percent(50) {
            0
        } else {
            1 + self.rng.below(4)
        };
        Settings {
            game,
            time: self.rng.below(10) as u8,
            speed: self.rng.below(10) as u8,
            level: level as u8,
            mode: self.rng.below(modes.into()) as u8,
        }
    }

    /// A random position. Most games accept it; some refuse.
    fn position(&mut self) -> Diagram {
        let mut points = Packed::default();
        for _ in 0..self.rng.below(self.layout.points() as u32) {
            let colour = if self.rng.percent(50) {
                Colour::GREEN
            } else {
                Colour::RED
            };
            let point = self.any_point();
            points.set(point, colour);
        }
        let turn = if self.rng.percent(50) {
            Side::Green
        } else {
            Side::Red
        };
        Diagram { points, turn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_does_the_same() {
        let board = AnyBoard::new(Layout::MALDOO, 0).unwrap();
        let steps = |seed| {
            let mut generator = Generator::new(seed, Layout::MALDOO);
            let steps = (0..50).map(|_| format!("{:?}", generator.next(&board)));
            steps.collect::<Vec<_>>()
        };
        assert_eq!(steps(1), steps(1));
        assert_ne!(steps(1), steps(2));
    }

    #[test]
    fn random_deeds_reach_all_games_modes_and_levels() {
        let mut generator = Generator::new(1, Layout::MALDOO);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..5_000 {
            let settings = generator.settings(games::ROSTER);
            seen.insert((settings.game, settings.mode, settings.level));
        }
        let modes = games::ROSTER
            .iter()
            .map(|game| games::about(game).unwrap().modes);
        let modes: usize = modes.map(usize::from).sum();
        assert_eq!(seen.len(), modes * 5);
    }
}
