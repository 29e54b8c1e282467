//! Fingers on the board in this process: a click goes the way of every finger,
//! over a key matrix that is sampled once a millisecond of board time and its
//! debouncing, and is an input when the board is sure of it.
//!
//! A click may be over within one picture, in which no board time passes, or be
//! short because the board's time goes slowly. So a finger that came stays until
//! it was felt, and what fingers do next waits for it. While time stands still
//! nothing can bounce: a finger is felt at once, at the tick that it is.

use std::collections::VecDeque;

use firmware_core::held::MayBeStuck;
use firmware_core::{Faults, Felt, Sensors};
use protocol::{Frame, Input, Layout, Tick};

/// What fingers do, and what the board feels of it.
pub struct Fingers {
    faults: Faults,
    layout: Layout,
    sensors: Sensors,
    /// What fingers did and the sensors do not know yet.
    next: VecDeque<Input>,
    /// What they did last, and how long ago.
    last: Vec<(Input, Tick)>,
    power_left: Option<Tick>,
    said: Vec<String>,
}

impl Fingers {
    /// Fingers over a board of this layout that is so bad.
    ///
    /// # Errors
    /// A sentence that names a point that it does not have.
    pub fn new(layout: Layout, faults: Faults) -> Result<Fingers, String> {
        let fit = faults.board.fit(layout);
        fit.map_err(|lacking| lacking.to_string())?;
        Ok(Fingers::over(layout, faults))
    }

    /// Fingers over a board of this layout with nothing wrong.
    pub fn good(layout: Layout) -> Fingers {
        Fingers::over(layout, Faults::default())
    }

    fn over(layout: Layout, faults: Faults) -> Fingers {
        Fingers {
            sensors: Sensors::new(layout, &faults),
            power_left: faults.board.brown_out_after_ms,
            layout,
            faults,
            next: VecDeque::new(),
            last: Vec::new(),
            said: Vec::new(),
        }
    }

    /// What is wrong with the board.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Lets this be wrong with the board, and nothing else.
    ///
    /// # Errors
    /// A sentence that says what it cannot have.
    pub fn set_faults(&mut self, faults: Faults) -> Result<(), String> {
        if !faults.line.are_none() {
            return Err(
                "that is about a line, and the board in this process has none: write --at virtual for one that does"
                    .to_owned(),
            );
        }
        let fit = faults.board.fit(self.layout);
        fit.map_err(|lacking| lacking.to_string())?;
        self.sensors.set(&faults.board);
        if faults.board.brown_out_after_ms != self.faults.board.brown_out_after_ms {
            self.power_left = faults.board.brown_out_after_ms;
        }
        self.faults = faults;
        Ok(())
    }

    /// True if they feel something else than fingers do.
    pub fn are_on_bad_sensors(&self) -> bool {
        !self.faults.board.spare_sensors()
    }

    /// Another board, on which no finger is.
    pub fn begin_anew(&mut self, layout: Layout) {
        self.sensors = Sensors::new(layout, &self.faults);
        self.layout = layout;
        self.next.clear();
        self.last.clear();
    }

    /// A finger comes or goes.
    pub fn put(&mut self, input: Input) {
        self.next.push_back(input);
    }

    /// Time stands still: tells at once what is felt of all that fingers did.
    pub fn settle(&mut self, mut tell: impl FnMut(Input)) {
        self.sensors.settle(&mut tell);
        while let Some(input) = self.next.pop_front() {
            self.sensors.finger(input);
            self.sensors.settle(&mut tell);
        }
        self.last.clear();
    }

    /// Lets the fingers do what nothing holds up any more.
    fn do_next(&mut self) {
        while let Some(input) = self.next.front()
            && self.waits(*input) == 0
        {
            let input = *input;
            self.next.pop_front();
            self.sensors.finger(input);
            self.last.retain(|(other, _)| other_way(*other) != input);
            self.last.push((input, 0));
        }
    }

    /// How long a finger has to wait with this for what it did before.
    fn waits(&self, input: Input) -> Tick {
        let settles_ms = Tick::from(self.sensors.settles_ms());
        let before = self.last.iter().find(|(last, _)| other_way(*last) == input);
        before.map_or(0, |(_, ago)| settles_ms.saturating_sub(*ago))
    }

    /// How many ticks may pass, at most so many, until there is something to
    /// feel.
    pub fn rest(&mut self, most: Tick) -> Tick {
        self.do_next();
        let finger = self.next.front().map(|input| self.waits(*input));
        let sensors = self.sensors.rests_ms().map(Tick::from);
        let power = self.power_left;
        let first = finger.into_iter().chain(sensors).chain(power).min();
        first.map_or(most, |first| first.clamp(1, most.max(1)))
    }

    /// So many ticks passed, no more than [`Fingers::rest`] said: tells what is
    /// felt now.
    pub fn pass(&mut self, ticks: Tick, mut tell: impl FnMut(Input)) {
        for (_, ago) in &mut self.last {
            *ago += ticks;
        }
        let settles_ms = Tick::from(self.sensors.settles_ms());
        self.last.retain(|(_, ago)| *ago < settles_ms);
        self.power_left = self.power_left.map(|left| left.saturating_sub(ticks));
        let (said, layout) = (&mut self.said, self.layout);
        let ms = ticks.try_into().unwrap_or(u32::MAX);
        self.sensors.pass(ms, |felt| match felt {
            Felt::Input(input) => tell(input),
            Felt::Held(input) => said.push(MayBeStuck(layout, input).to_string()),
        });
    }

    /// True once, when the power failed. The fingers stay where they are.
    pub fn power_failed(&mut self) -> bool {
        let failed = self.power_left.take_if(|left| *left == 0).is_some();
        if failed {
            self.said
                .push("the power failed: the board began anew".to_owned());
        }
        failed
    }

    /// How fast the board's clock goes.
    pub fn clock(&self) -> f64 {
        self.faults.board.clock_permille as f64 / 1_000.0
    }

    /// What is seen of a frame.
    pub fn darken(&self, frame: &mut Frame) {
        self.faults.board.darken(self.layout, frame);
    }

    /// What a person has to know of the board since the last call.
    pub fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// The layout of the board that they are over.
    pub fn layout(&self) -> Layout {
        self.layout
    }
}

/// What a finger does that undoes this.
fn other_way(input: Input) -> Input {
    match input {
        Input::Touch(point) => Input::Release(point),
        Input::Release(point) => Input::Touch(point),
        Input::Press(button) => Input::Lift(button),
        Input::Lift(button) => Input::Press(button),
        Input::Pass => Input::Pass,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use protocol::{Button, Colour, Deed, Event};
    use touchboard_host::session::Session;
    use touchboard_host::{CoreDriver, Driver};

    use super::*;
    use crate::source::core::InProcess;
    use crate::source::{Order, Pace, Shown, Source};

    const LAYOUT: Layout = Layout::MALDOO;

    fn source(faults: &str) -> InProcess {
        let source = InProcess::new(CoreDriver::new(LAYOUT, 1).unwrap()).unwrap();
        let faults = faults.parse().unwrap();
        source.with_faults(faults).unwrap().unhurried()
    }

    fn do_all(source: &mut InProcess, inputs: &[Input]) {
        for input in inputs {
            source.order(&Order::Do(Deed::Input(*input))).unwrap();
        }
    }

    /// What the board takes in so many milliseconds, and when.
    fn taken(source: &mut InProcess, ms: u64) -> Vec<(Tick, Input)> {
        let mut taken = Vec::new();
        let mut tell = |tick, event| {
            if let Event::Taken(input) = event {
                taken.push((tick, input));
            }
        };
        let elapsed = Duration::from_millis(ms);
        let mut shown = Shown::default();
        source.update(elapsed, &mut shown, &mut tell).unwrap();
        taken
    }

    const CLICK: [Input; 2] = [Input::Press(Button::Start), Input::Lift(Button::Start)];

    #[test]
    fn a_click_that_is_over_within_one_picture_is_felt_and_comes_a_few_ticks_late() {
        let mut source = source("none");
        do_all(&mut source, &CLICK);
        do_all(&mut source, &CLICK);
        let ticks = [5, 10, 15, 20];
        let expected = ticks.into_iter().zip(CLICK.into_iter().cycle());
        assert_eq!(taken(&mut source, 100), expected.collect::<Vec<_>>());
    }

    #[test]
    fn contacts_that_bounce_make_one_touch_of_a_click_however_short() {
        let mut source = source("seed 3, bounce-ms 4");
        do_all(&mut source, &CLICK);
        let taken = taken(&mut source, 100);
        let inputs: Vec<Input> = taken.iter().map(|(_, input)| *input).collect();
        assert_eq!(inputs, CLICK);
        assert!(taken[0].0 <= 9 && taken[1].0 <= 18, "{taken:?}");
    }

    #[test]
    fn on_a_board_that_begins_anew_no_finger_is() {
        let mut source = source("none");
        do_all(&mut source, &[CLICK[0]]);
        let begin = Deed::Reset {
            seed: 1,
            layout: LAYOUT,
        };
        source.order(&Order::Do(begin)).unwrap();
        assert_eq!(taken(&mut source, 100), []);
        do_all(&mut source, &[CLICK[0]]);
        assert_eq!(taken(&mut source, 100), [(105, CLICK[0])]);
    }

    #[test]
    fn while_time_stands_still_a_click_is_done_at_the_tick_that_it_is() {
        let mut source = source("none");
        let paused = Pace {
            paused: true,
            speed: 1.0,
        };
        source.order(&Order::Pace(paused)).unwrap();
        do_all(&mut source, &CLICK);
        assert_eq!(taken(&mut source, 100), CLICK.map(|input| (0, input)));
        source.order(&Order::Step(100)).unwrap();
        assert_eq!(taken(&mut source, 0), []);
    }

    #[test]
    fn a_finger_that_came_before_time_stood_still_can_leave_then() {
        let mut source = source("none");
        do_all(&mut source, &CLICK[..1]);
        assert_eq!(taken(&mut source, 2), []);
        source.order(&Order::Step(1)).unwrap();
        do_all(&mut source, &CLICK[1..]);
        let point = Input::Touch(LAYOUT.point("d4").unwrap());
        do_all(&mut source, &[point]);
        let felt = [CLICK[0], CLICK[1], point].map(|input| (3, input));
        assert_eq!(taken(&mut source, 0), felt);
    }

    #[test]
    fn a_stuck_key_is_said_once() {
        let mut source = source("stuck d4");
        taken(&mut source, 9_000);
        assert_eq!(Source::take_said(&mut source), [""; 0]);
        taken(&mut source, 30_000);
        let stuck = "d4 has been held down for 10 s: it may be stuck, look what lies on it";
        assert_eq!(Source::take_said(&mut source), [stuck]);
    }

    #[test]
    fn a_power_that_fails_begins_the_board_anew_once() {
        let mut source = source("brown-out-after-ms 500");
        taken(&mut source, 800);
        assert_eq!(Driver::tick(&source), 300);
        assert_eq!(Source::take_said(&mut source).len(), 1);
        taken(&mut source, 800);
        assert_eq!(Driver::tick(&source), 1_100);
    }

    #[test]
    fn a_clock_that_is_off_is_seen_and_a_lamp_that_is_dead_is_dark() {
        let mut source = source("clock-permille 1500, dead-led e5");
        taken(&mut source, 1_000);
        assert_eq!(Driver::tick(&source), 1_500);
        do_all(&mut source, &CLICK);
        taken(&mut source, 100);
        let e5 = LAYOUT.point("e5").unwrap();
        let mut shown = Shown::default();
        source.preview(&mut shown);
        assert_eq!(shown.frame.points.get(e5), Colour::OFF);
        assert_ne!(Driver::frame(&source).points.get(e5), Colour::OFF);
    }

    /// A session says what the sensors felt: it replays without them.
    #[test]
    fn what_fingers_did_on_bad_sensors_replays_on_a_board_without_any() {
        let mut bad = source("seed 5, bounce-ms 12, ghosting, stuck f2");
        for name in ["d3", "b7", "b2", "e5"] {
            let point = LAYOUT.point(name).unwrap();
            do_all(&mut bad, &CLICK);
            do_all(&mut bad, &[Input::Touch(point)]);
            taken(&mut bad, 700);
        }
        let text = bad.session().unwrap().to_text();
        let session = Session::parse(text.as_bytes()).unwrap();
        let mut good = CoreDriver::new(LAYOUT, 9).unwrap();
        assert_eq!(session.replay(&mut good, &mut |_| ()).unwrap(), None);
        assert_eq!(good.board().digest(), bad.driver().board().digest());
        assert!(text.contains("f7"), "a ghost was felt");
    }

    #[test]
    fn a_scenario_breaks_the_board_and_its_fingers_are_felt_as_anybodys() {
        let mut source = source("none");
        source
            .set_faults("dead d4, bounce-ms 2".parse().unwrap())
            .unwrap();
        let [d4, e5] = ["d4", "e5"].map(|name| LAYOUT.point(name).unwrap());
        source
            .step(&[Input::Touch(d4), Input::Touch(e5)], 20)
            .unwrap();
        let taken: Vec<Event> = source
            .take_events()
            .iter()
            .map(|stamped| stamped.event)
            .collect();
        assert!(taken.contains(&Event::Taken(Input::Touch(e5))), "{taken:?}");
        assert!(
            !taken.contains(&Event::Taken(Input::Touch(d4))),
            "{taken:?}"
        );
        assert!(source.set_faults("drop-ppm 5".parse().unwrap()).is_err());
        assert_eq!(source.faults().to_string(), "seed 0, dead d4, bounce-ms 2");
    }

    #[test]
    fn one_who_goes_back_finds_what_was_felt_where_it_was_felt() {
        let mut source = source("bounce-ms 3");
        taken(&mut source, 2_000);
        do_all(&mut source, &CLICK);
        taken(&mut source, 1_500);
        let digest = Driver::digest(&mut source).unwrap();
        let tick = Driver::tick(&source);
        source.order(&Order::GoTo(1_000)).unwrap();
        source.order(&Order::GoTo(tick)).unwrap();
        assert_eq!(Driver::digest(&mut source).unwrap(), digest);
    }
}
