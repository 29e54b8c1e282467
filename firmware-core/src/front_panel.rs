//! The front panel of a board: its contacts, and everything that it shows.
//!
//! A chip with a front panel at its pins implements [`FrontPanel`], and [`Front`] drives
//! it for a [`Device`]. Once a millisecond it [scans](crate::scan) the contacts, which
//! [`Debounce`] turns into inputs of the board. Whenever something looks or sounds
//! different, it is shown.
//!
//! Invariants: a contact that bounces causes one touch; each change of what is [`Seen`]
//! is shown once, and the newest is always shown in the end, however long the panel
//! takes; contacts are also sampled while the panel is busy. In lockstep no contact is
//! sampled, because fingers are not felt then.
//!
//! A board that is switched on with STOP held [tests its panel](crate::self_test) first.

use core::fmt::Write as _;

use protocol::{Frame, Input, Layout, Severity, Text, Tick};

use crate::any_width::AnyWidth;
use crate::debounce::Debounce;
use crate::device::Device;
use crate::scan::{Down, ScanLine, scan};
pub use crate::seen::Seen;
use crate::self_test::{STOP, SelfTest};
use crate::stuck_keys::{MayBeStuck, StuckKeys};
use crate::word::Wide;

/// The contacts and lights at the pins of a chip.
pub trait FrontPanel {
    /// The layout that the panel is made for, which a board comes up with; `None` for a
    /// panel that serves any layout.
    fn layout(&self) -> Option<Layout> {
        None
    }

    /// The closed contacts of a line, one bit each. The lines of a scan are sampled in
    /// the order of [`ScanLine::of`].
    fn sample(&mut self, line: ScanLine) -> u16;

    /// True if the panel can accept something to show: everything that it was given
    /// before is displayed.
    fn is_free(&mut self) -> bool;

    /// Starts to show `seen`, the visible state of a board with this layout.
    fn show(&mut self, layout: Layout, seen: &Seen);

    /// Called in each round of the loop, so that a panel that is updated piece by piece
    /// can continue.
    fn go_on(&mut self) {}
}

/// The front panel of a chip without one; the type has no values.
#[derive(Clone, Copy, Debug)]
pub enum NoPanel {}

impl FrontPanel for NoPanel {
    fn sample(&mut self, _line: ScanLine) -> u16 {
        match *self {}
    }

    fn is_free(&mut self) -> bool {
        match *self {}
    }

    fn show(&mut self, _layout: Layout, _seen: &Seen) {
        match *self {}
    }
}

/// The frame that was last examined, and how it looked.
struct ShownFrame {
    layout: Layout,
    frame: Frame,
    tick: Tick,
    /// The tick at which the frame looks different without an event.
    changes_at: Option<Tick>,
    seen: Seen,
}

impl ShownFrame {
    fn of<M: AnyWidth>(board: &M) -> ShownFrame {
        let (frame, tick) = (board.frame(), board.tick());
        ShownFrame {
            layout: board.layout(),
            frame: frame.clone(),
            tick,
            changes_at: frame
                .changes_in_ms(tick)
                .map(|after_ms| tick + Tick::from(after_ms)),
            seen: Seen::of(frame, tick),
        }
    }

    /// True if the board still looks the same.
    fn holds<M: AnyWidth>(&self, board: &M) -> bool {
        let tick = board.tick();
        tick >= self.tick
            && self.changes_at.is_none_or(|at| tick < at)
            && self.frame == *board.frame()
            && self.layout == board.layout()
    }
}

/// Drives a front panel. It is not part of the panel, so that it takes no memory on a
/// chip without one.
pub struct Front {
    /// The layout whose contacts were last sampled.
    layout: Option<Layout>,
    debounce: Debounce<Wide>,
    stuck_keys: StuckKeys<Wide>,
    look: Option<ShownFrame>,
    /// True if the last look has not been shown yet.
    is_due: bool,
    /// The keys that may be stuck and have not been reported yet.
    stuck: Down<Wide>,
    /// The self-test in progress, and its last visible state.
    test: Option<(SelfTest, Seen)>,
}

impl Default for Front {
    fn default() -> Self {
        Front::new()
    }
}

impl Front {
    /// A driver that shows nothing yet, with no finger on the panel.
    #[must_use]
    pub const fn new() -> Self {
        Front {
            layout: None,
            debounce: Debounce::new(),
            stuck_keys: StuckKeys::new(),
            look: None,
            is_due: false,
            stuck: Down::NONE,
            test: None,
        }
    }

    /// To be called after [`Device::elapse`] with the milliseconds since the last call:
    /// samples the contacts, passes the inputs to the device and shows what changed.
    pub fn elapse<M: AnyWidth, S: AsMut<[u8]>>(
        &mut self,
        panel: &mut impl FrontPanel,
        device: &mut Device<M, S>,
        ms: u32,
    ) {
        if ms > 0 && device.listens() {
            let layout = device.board().layout();
            if self.layout.is_none() && panel.sample(ScanLine::Buttons) == u16::from(STOP) {
                self.test = Some(<(SelfTest, Seen)>::default());
                self.layout = Some(layout);
            }
            match self.test {
                Some(_) => self.test(panel, layout, ms),
                None => self.sample(panel, device, ms),
            }
        }
        panel.go_on();
        if self.test.is_none() {
            self.show(panel, device);
        }
    }

    /// Continues the self-test.
    fn test(&mut self, panel: &mut impl FrontPanel, layout: Layout, ms: u32) {
        let Some((test, shown)) = &mut self.test else {
            return;
        };
        if test.pass(layout, scan(layout, |line| panel.sample(line)), ms) {
            // The board is shown again, and the finger on STOP counts as an input.
            (self.test, self.look) = (None, None);
            return;
        }
        let seen = test.seen(layout);
        if seen != *shown && panel.is_free() {
            panel.show(layout, &seen);
            *shown = seen;
        }
    }

    /// Takes one sample, however much time passed: a board that was busy for longer must
    /// not count one sample several times.
    fn sample<M: AnyWidth, S: AsMut<[u8]>>(
        &mut self,
        panel: &mut impl FrontPanel,
        device: &mut Device<M, S>,
        ms: u32,
    ) {
        let layout = device.board().layout();
        if self.layout != Some(layout) {
            // From now on the contacts belong to the points of a different layout.
            (self.debounce, self.stuck_keys) = (Debounce::new(), StuckKeys::new());
            self.stuck = Down::NONE;
            self.layout = Some(layout);
        }
        let Down { points, buttons } = scan(layout, |line| panel.sample(line));
        self.debounce
            .sample(points, buttons, |input| device.input(input));
        let (points, buttons) = (self.debounce.points(), self.debounce.buttons());
        let stuck = &mut self.stuck;
        self.stuck_keys
            .pass(points, buttons, ms, |input| stuck.insert(input));
        if let Some(input) = self.stuck.first()
            && device.log(Severity::Information, &sentence(layout, input))
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
            let fresh = ShownFrame::of(board);
            let differs =
                |look: &ShownFrame| (look.layout, &look.seen) != (fresh.layout, &fresh.seen);
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

/// The sentence for the user about a key that may be stuck.
fn sentence(layout: Layout, input: Input) -> Text<96> {
    let mut text = Text::new();
    let _ = write!(text, "{}", MayBeStuck(layout, input));
    text
}

#[cfg(test)]
mod tests;
