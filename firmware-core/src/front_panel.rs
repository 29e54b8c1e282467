//! The front panel of a board: the contacts that it feels, and all that it shows.
//!
//! A chip that has one at its pins implements [`FrontPanel`], and [`Front`] drives it
//! for a [`Device`]: once a millisecond it [scans](crate::scan) the contacts, and what
//! [`Debounce`] makes of that are the board's inputs; whenever something looks or
//! sounds different, it is shown.
//!
//! Invariants: a contact that bounces is one touch; something is shown once for
//! each change of what is [`Seen`], and the newest is shown in the end, however long
//! the panel takes for it; contacts are sampled meanwhile. In lockstep no contact is
//! sampled, as no finger is felt then.
//!
//! A board that is switched on with STOP held [tests its panel](crate::self_test) first.

use core::fmt::Write as _;

use protocol::{Frame, Input, Layout, Text, Tick};

use crate::any_width::AnyWidth;
use crate::debounce::Debounce;
use crate::device::Device;
use crate::held::{Held, MayBeStuck};
use crate::scan::{Down, Line, scan};
pub use crate::seen::Seen;
use crate::self_test::{STOP, SelfTest};
use crate::word::Wide;

/// The contacts and the lights at the pins of a chip.
pub trait FrontPanel {
    /// The layout that it is made for: a board that comes up with it has this. `None` for a
    /// panel that serves any.
    fn layout(&self) -> Option<Layout> {
        None
    }

    /// The contacts of a line that are closed. The lines of a scan are asked one after
    /// the other, as [`Line::of`] has them.
    fn sample(&mut self, line: Line) -> u16;

    /// True if it takes something to show: what it was given before is out.
    fn is_free(&mut self) -> bool;

    /// Begins to show this, of a board of this layout.
    fn show(&mut self, layout: Layout, seen: &Seen);

    /// Another turn of the loop: a panel that shows something piece by piece goes on.
    fn go_on(&mut self) {}
}

/// The front panel of a chip that has none: there is no value of it.
#[derive(Clone, Copy, Debug)]
pub enum NoPanel {}

impl FrontPanel for NoPanel {
    fn sample(&mut self, _line: Line) -> u16 {
        match *self {}
    }

    fn is_free(&mut self) -> bool {
        match *self {}
    }

    fn show(&mut self, _layout: Layout, _seen: &Seen) {
        match *self {}
    }
}

/// What was looked at last, and what was seen of it.
struct Look {
    layout: Layout,
    frame: Frame,
    tick: Tick,
    /// When something looks different by itself.
    changes_at: Option<Tick>,
    seen: Seen,
}

impl Look {
    fn of<M: AnyWidth>(board: &M) -> Look {
        let (frame, tick) = (board.frame(), board.tick());
        Look {
            layout: board.layout(),
            frame: frame.clone(),
            tick,
            changes_at: frame
                .changes_in_ms(tick)
                .map(|after_ms| tick + Tick::from(after_ms)),
            seen: Seen::of(frame, tick),
        }
    }

    /// True if nothing can be seen otherwise by now.
    fn holds<M: AnyWidth>(&self, board: &M) -> bool {
        let tick = board.tick();
        tick >= self.tick
            && self.changes_at.is_none_or(|at| tick < at)
            && self.frame == *board.frame()
            && self.layout == board.layout()
    }
}

/// What drives a front panel. It stands beside the panel: of a chip that has none it
/// takes no byte then.
pub struct Front {
    /// The layout whose contacts were sampled.
    layout: Option<Layout>,
    debounce: Debounce<Wide>,
    held: Held<Wide>,
    look: Option<Look>,
    /// True if what was looked at last is still to be shown.
    is_due: bool,
    /// Keys that may be stuck, not reported yet.
    stuck: Down<Wide>,
    /// The self-test that is on, and what was shown of it.
    test: Option<(SelfTest, Seen)>,
}

impl Default for Front {
    fn default() -> Self {
        Front::new()
    }
}

impl Front {
    /// One that shows nothing yet, on which no finger is.
    #[must_use]
    pub const fn new() -> Self {
        Front {
            layout: None,
            debounce: Debounce::new(),
            held: Held::new(),
            look: None,
            is_due: false,
            stuck: Down::NONE,
            test: None,
        }
    }

    /// Call after [`Device::elapse`] with the milliseconds since the last call: samples
    /// the contacts into the device and shows what changed.
    pub fn elapse<M: AnyWidth, S: AsMut<[u8]>>(
        &mut self,
        panel: &mut impl FrontPanel,
        device: &mut Device<M, S>,
        ms: u32,
    ) {
        if ms > 0 && device.listens() {
            let layout = device.board().layout();
            if self.layout.is_none() && panel.sample(Line::Buttons) == u16::from(STOP) {
                self.test = Some(<(SelfTest, Seen)>::default());
                self.layout = Some(layout);
            }
            match self.test {
                Some(_) => self.test(panel, layout, ms),
                None => self.feel(panel, device, ms),
            }
        }
        panel.go_on();
        if self.test.is_none() {
            self.show(panel, device);
        }
    }

    /// Goes on with the self-test.
    fn test(&mut self, panel: &mut impl FrontPanel, layout: Layout, ms: u32) {
        let Some((test, shown)) = &mut self.test else {
            return;
        };
        if test.pass(layout, scan(layout, |line| panel.sample(line)), ms) {
            // The board is shown anew, and the finger on STOP is felt.
            (self.test, self.look) = (None, None);
            return;
        }
        let seen = test.seen(layout);
        if seen != *shown && panel.is_free() {
            panel.show(layout, &seen);
            *shown = seen;
        }
    }

    /// One sample, however much time passed: a board that was busy for longer takes no
    /// single sample for several.
    fn feel<M: AnyWidth, S: AsMut<[u8]>>(
        &mut self,
        panel: &mut impl FrontPanel,
        device: &mut Device<M, S>,
        ms: u32,
    ) {
        let layout = device.board().layout();
        if self.layout != Some(layout) {
            // The contacts are those of other points now.
            (self.debounce, self.held) = (Debounce::new(), Held::new());
            self.stuck = Down::NONE;
            self.layout = Some(layout);
        }
        let Down { points, buttons } = scan(layout, |line| panel.sample(line));
        self.debounce
            .sample(points, buttons, |input| device.input(input));
        let (points, buttons) = (self.debounce.points(), self.debounce.buttons());
        let stuck = &mut self.stuck;
        self.held
            .pass(points, buttons, ms, |input| stuck.insert(input));
        if let Some(input) = self.stuck.first()
            && device.log(&sentence(layout, input))
        {
            self.stuck.remove(input);
        }
    }

    fn show<M: AnyWidth, S: AsMut<[u8]>>(
        &mut self,
        panel: &mut impl FrontPanel,
        device: &Device<M, S>,
    ) {
        let board = device.board();
        if !self.look.as_ref().is_some_and(|look| look.holds(board)) {
            let fresh = Look::of(board);
            let differs = |look: &Look| (look.layout, &look.seen) != (fresh.layout, &fresh.seen);
            self.is_due |= self.look.as_ref().is_none_or(differs);
            self.look = Some(fresh);
        }
        if let Some(look) = &self.look
            && self.is_due
            && panel.is_free()
        {
            panel.show(look.layout, &look.seen);
            self.is_due = false;
        }
    }
}

/// What the user is told about a key that may be stuck.
fn sentence(layout: Layout, input: Input) -> Text<96> {
    let mut text = Text::new();
    let _ = write!(text, "{}", MayBeStuck(layout, input));
    text
}

#[cfg(test)]
mod tests;
