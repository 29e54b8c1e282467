//! Fingers on the board, moved by another thread or by the standard input. They act on
//! the key matrix, not through the line to the host.

use std::collections::VecDeque;
use std::sync::Arc;

use firmware_core::faults::{Fault, Faults, FaultyPart};
use mio::Waker;
use parking_lot::{Mutex, MutexGuard};
use protocol::{Input, Layout};

/// How long a tapping finger stays, in milliseconds: a quick tap, but longer than the
/// debounce time.
const TAP_MS: u32 = 20;

/// The longest time that a key can be held, in milliseconds: a day.
const MOST_MS: u32 = 24 * 60 * 60 * 1_000;

/// The commands on the standard input, for the help.
pub const FINGERS: &str = "\
With --fingers, each line of standard input moves a finger or adds a fault:
  down d4            a finger comes down on a point or a button
  up d4              it leaves
  press start [MS]   it comes down, stays for 20 or MS milliseconds, and leaves
  wait MS            the next line waits this long
  fault stuck d4     adds a fault, named like its option; fault none removes all";

/// The next action of fingers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Puts a finger down or lifts it.
    Finger(Input),
    /// No action for this many milliseconds of board time.
    Wait(u32),
    /// Replaces the faults of the board and its line.
    Faults(Box<Faults>),
}

/// The state shared by the thread of the board and the owners of fingers.
#[derive(Debug)]
struct Shared {
    steps: VecDeque<Step>,
    layout: Layout,
    faults: Faults,
}

/// Fingers for a virtual board.
#[derive(Clone, Debug)]
pub struct Fingers {
    shared: Arc<Mutex<Shared>>,
    waker: Arc<Waker>,
}

impl Fingers {
    pub(crate) fn new(layout: Layout, faults: Faults, waker: Arc<Waker>) -> Fingers {
        Fingers {
            shared: Arc::new(Mutex::new(Shared {
                steps: VecDeque::new(),
                layout,
                faults,
            })),
            waker,
        }
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock()
    }

    /// Puts a finger down or lifts it.
    pub fn put(&self, input: Input) {
        self.then([Step::Finger(input)]);
    }

    /// Lets `ms` milliseconds of board time pass before the next action.
    pub fn wait(&self, ms: u32) {
        self.then([Step::Wait(ms)]);
    }

    /// Notes the faults that a host has set, to which later lines add theirs.
    pub(crate) fn know_faults(&self, faults: Faults) {
        self.shared().faults = faults;
    }

    /// Notes that the power has failed, so that later lines do not make it fail again.
    pub(crate) fn power_failed(&self) {
        self.shared().faults.board.brown_out_after_ms = None;
    }

    /// Changes the faults of the board and its line.
    pub fn set_faults(&self, faults: Faults) {
        self.shared().faults = faults.clone();
        self.then([Step::Faults(Box::new(faults))]);
    }

    fn then(&self, steps: impl IntoIterator<Item = Step>) {
        self.shared().steps.extend(steps);
        // Without a board there is nobody to wake.
        let _ = self.waker.wake();
    }

    /// Carries out a line of the standard input.
    ///
    /// # Errors
    /// A sentence that lists the possible commands.
    pub fn line(&self, line: &str) -> Result<(), String> {
        let mut words = line.split_whitespace();
        let Some(word) = words.next() else {
            return Ok(());
        };
        let rest: Vec<&str> = words.collect();
        match (word, &rest[..]) {
            ("down", [key]) => self.put(self.key(key)?.0),
            ("up", [key]) => self.put(self.key(key)?.1),
            ("press", [key]) => self.press(key, TAP_MS)?,
            ("press", [key, ms]) => self.press(key, self::ms(ms)?)?,
            ("wait", [ms]) => self.wait(self::ms(ms)?),
            ("fault", [..]) => self.fault(&rest.join(" "))?,
            _ => {
                return Err(format!(
                    "`{line}` is not an action of a finger: write `down d4`, `up d4`, `press start 20`, `wait 20` or `fault stuck d4`"
                ));
            }
        }
        Ok(())
    }

    /// The inputs of a finger that touches this key, and of one that leaves it.
    fn key(&self, name: &str) -> Result<(Input, Input), String> {
        let layout = self.shared().layout;
        let site = FaultyPart::named(name);
        let button = site.as_ref().and_then(FaultyPart::button);
        if let Some(button) = button {
            return Ok((Input::Press(button), Input::Lift(button)));
        }
        match layout.point(name) {
            Ok(point) => Ok((Input::Touch(point), Input::Release(point))),
            Err(error) => Err(format!("`{name}` is not a button, and {error}")),
        }
    }

    fn press(&self, name: &str, ms: u32) -> Result<(), String> {
        let (down, up) = self.key(name)?;
        self.then([
            Step::Finger(down),
            Step::Wait(ms),
            Step::Finger(up),
            Step::Wait(TAP_MS),
        ]);
        Ok(())
    }

    fn fault(&self, text: &str) -> Result<(), String> {
        let mut faults = Faults::default();
        if text != "none" {
            let layout = self.shared().layout;
            faults = self.shared().faults.clone();
            let fault: Result<Fault, _> = text.parse();
            let added = fault.and_then(|fault| faults.add(fault));
            added.map_err(|error| format!("`{text}`: {error}"))?;
            check_faults(&faults, layout)?;
        }
        self.set_faults(faults);
        Ok(())
    }

    /// The next action, if there is one.
    pub(crate) fn next(&self) -> Option<Step> {
        self.shared().steps.pop_front()
    }

    /// Notes the layout that the board has now.
    pub(crate) fn fit(&self, layout: Layout) {
        self.shared().layout = layout;
    }
}

/// Checks that a virtual board with this layout can have these faults.
pub fn check_faults(faults: &Faults, layout: Layout) -> Result<(), String> {
    if !faults.board.dead_leds.is_empty() {
        return Err("a virtual board has no lamps of its own, its host shows the points: set `dead-led` in the shell or the window with --at core".to_owned());
    }
    let fit = faults.board.fit(layout);
    fit.map_err(|lacking| lacking.to_string())
}

fn ms(word: &str) -> Result<u32, String> {
    let number = word.parse().ok().filter(|ms| *ms <= MOST_MS);
    number.ok_or_else(|| format!("`{word}` is not a number of ms from 0 to {MOST_MS}"))
}
