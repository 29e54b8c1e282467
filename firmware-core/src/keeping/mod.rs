//! A board that keeps its best scores, and an inserted layout with a game, outside of its
//! state.
//!
//! The wrapper watches the inner board and never changes it, so what is kept cannot
//! influence play. A game counts if it was played on this board from start to end by
//! people alone; `rules/best-scores.md` lists what does not count, and why. A board that
//! enters a score reports it ([`Event::Best`]) and shows it for a while in place of the
//! current score.
//!
//! A layout that carries a game is a cartridge. A board into which one was inserted has
//! it again after a power-off, until the board is reset to a layout without a game.
//!
//! A port with a memory makes the board [keep](crate::Device::keep) the data that it read
//! at its start, and stores [`AnyWidth::best`] and [`AnyWidth::inserted`] when they
//! change. Without that call, the wrapper behaves exactly like the inner board.
//!
//! Invariants: state, digest and moves are those of the inner board; a game enters at
//! most once; a reset, a load and a panic of a game leave the best scores unchanged; a
//! load and a panic also leave the layout unchanged.

use core::fmt::Write;

use protocol::{Deed, Drawing, Event, Frame, Layout, Refusal, Roster, Status, Text, Tick};

use crate::any_width::AnyWidth;
use crate::best::{BestScore, BestScores};
use crate::event_sink::EventSink;
use crate::panel::SHOW_MS;

#[cfg(feature = "std")]
mod store;

#[cfg(feature = "std")]
pub use store::Store;

/// The stored data, and what is known about the game on the board.
#[derive(Clone, Debug)]
struct Kept {
    best: BestScores,
    /// How often the best scores have changed.
    changes: u32,
    /// True if deeds count as play: a game may enter, and a layout may be kept.
    counts: bool,
    /// The layout that people last gave the board, and how often they changed it.
    inserted: Layout,
    insertions: u32,
    /// True if the game on the board was played here from its start, by people alone.
    is_fair: bool,
    /// The frame that is shown instead of the inner board's, and the tick until which it
    /// is shown.
    news: Option<(Frame, Tick)>,
}

/// The relevant events of one call.
#[derive(Clone, Copy, Default)]
struct CallNews {
    /// Whether people alone play, if a game started or the level changed.
    by_people: Option<bool>,
    /// True if a button was pressed that changes the display.
    is_shown: bool,
    /// True if the game ended.
    is_over: bool,
}

impl CallNews {
    fn note(&mut self, event: &Event) {
        match event {
            Event::Started(settings) => {
                self.by_people = Some(settings.level == 0);
                self.is_shown = true;
            }
            Event::Settings(settings) => {
                if settings.level > 0 {
                    self.by_people = Some(false);
                }
                self.is_shown = true;
            }
            Event::Stopped(_) => self.is_shown = true,
            Event::Over(_) => self.is_over = true,
            _ => {}
        }
    }
}

/// A board that keeps its best scores once [`AnyWidth::keep`] was called.
#[derive(Clone, Debug)]
pub struct Keeping<B> {
    board: B,
    kept: Option<Kept>,
}

impl<B: AnyWidth> Keeping<B> {
    /// Wraps this board, which keeps nothing yet.
    #[must_use]
    pub const fn new(board: B) -> Self {
        Keeping { board, kept: None }
    }

    /// The board inside this wrapper.
    #[must_use]
    pub const fn board(&self) -> &B {
        &self.board
    }

    /// Lets `ticks` of board time pass.
    pub fn advance(&mut self, ticks: Tick, tell: EventSink<'_>) {
        let mut left = ticks;
        while left > 0 {
            left -= self.step(left, tell).min(left);
        }
    }

    /// Does something to the board, and watches the consequences.
    // The scores are handled in a separate function, so that a board that keeps none
    // takes the shortest path.
    fn watched<T>(
        &mut self,
        tell: EventSink<'_>,
        what: impl FnOnce(&mut B, EventSink<'_>) -> T,
    ) -> T {
        if self.kept.is_none() {
            return what(&mut self.board, tell);
        }
        let mut heard = CallNews::default();
        let done = what(&mut self.board, &mut |tick, event| {
            heard.note(&event);
            tell(tick, event);
        });
        self.update(heard, tell);
        done
    }

    #[inline(never)]
    fn update(&mut self, heard: CallNews, tell: EventSink<'_>) {
        let (Some(kept), tick) = (&mut self.kept, self.board.tick()) else {
            return;
        };
        if heard.is_shown || kept.news.as_ref().is_some_and(|(_, until)| *until <= tick) {
            kept.news = None;
        }
        if let Some(by_people) = heard.by_people {
            kept.is_fair = by_people && kept.counts;
        }
        if heard.is_over
            && core::mem::take(&mut kept.is_fair)
            && let Some(points) = self.board.worth()
        {
            let settings = self.board.status().settings;
            let game = self.board.digest();
            let entry = BestScore { points, game };
            if let Some(place) = kept.best.enter(settings.game, settings.mode, entry) {
                kept.changes = kept.changes.wrapping_add(1);
                tell(tick, Event::Best { place, points });
                let frame = Frame {
                    display: words(place),
                    ..Frame::default()
                };
                kept.news = Some((frame, tick.saturating_add(SHOW_MS)));
            }
        }
        // Everything except the display comes from the inner board.
        if let Some((frame, _)) = &mut kept.news {
            let display = core::mem::take(&mut frame.display);
            frame.clone_from(self.board.frame());
            frame.display = display;
        }
    }

    /// The frame that announces a best score, and the tick until which it is shown.
    fn news(&self) -> Option<&(Frame, Tick)> {
        self.kept.as_ref()?.news.as_ref()
    }

    /// Handles a board that was reset to the layout that it has now.
    fn became(&mut self) {
        let layout = self.board.layout();
        if let Some(kept) = self.kept.as_mut().filter(|kept| kept.counts) {
            kept.inserted = layout;
            kept.insertions = kept.insertions.wrapping_add(1);
        }
        self.begin_unfairly();
    }

    /// Records that the game on the board was not played here from its start.
    fn begin_unfairly(&mut self) {
        if let Some(kept) = &mut self.kept {
            kept.is_fair = false;
            kept.news = None;
        }
    }
}

/// The text on the display for a score that entered at this place.
fn words<const N: usize>(place: u8) -> Text<N> {
    let mut text = Text::new();
    let _ = match place {
        1 => write!(text, "New best"),
        2 => write!(text, "2nd best"),
        3 => write!(text, "3rd best"),
        _ => write!(text, "{place}th best"),
    };
    text
}

impl<B: AnyWidth> AnyWidth for Keeping<B> {
    const MAX_POINTS: usize = B::MAX_POINTS;

    fn with_games(layout: Layout, roster: Roster, seed: u64) -> Result<Self, Refusal> {
        B::with_games(layout, roster, seed).map(Keeping::new)
    }

    fn blank() -> Self {
        Keeping::new(B::blank())
    }

    fn carry_out(&mut self, deed: &Deed, tell: EventSink<'_>) -> Result<(), Refusal> {
        let done = self.watched(tell, |board, tell| board.carry_out(deed, tell));
        if done.is_ok() {
            // Every deed is listed by name, so that a new kind cannot count as fair play
            // by accident.
            match deed {
                Deed::Reset { .. } => self.became(),
                Deed::Position(_) => self.begin_unfairly(),
                Deed::Input(_) | Deed::Choose(_) | Deed::Settings(_) => {}
            }
        }
        done
    }

    fn step(&mut self, most: Tick, tell: EventSink<'_>) -> Tick {
        let now = self.board.tick();
        let news = self.news();
        let left = news.map_or(most, |(_, until)| until.saturating_sub(now).max(1));
        self.watched(tell, |board, tell| board.step(most.min(left), tell))
    }

    fn wakes_at(&self) -> Option<Tick> {
        let news = self.news();
        let news = news.map(|(_, until)| *until);
        news.into_iter().chain(self.board.wakes_at()).min()
    }

    fn restart_on_drawing(
        &mut self,
        drawing: Drawing<'_>,
        roster: Roster,
        seed: u64,
    ) -> Result<(), Refusal> {
        self.board.restart_on_drawing(drawing, roster, seed)?;
        self.became();
        Ok(())
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.board.load(bytes)?;
        self.begin_unfairly();
        Ok(())
    }

    fn frame(&self) -> &Frame {
        let news = self.news();
        news.map_or_else(|| self.board.frame(), |(frame, _)| frame)
    }

    fn status(&self) -> Status {
        let status = self.board.status();
        let (game, mode) = (status.settings.game, status.settings.mode);
        let kept = self.kept.as_ref();
        let kept = kept.filter(|_| crate::games::keeps_best(game, mode));
        Status {
            best: kept.map(|kept| kept.best.points(game, mode)),
            ..status
        }
    }

    fn keep(&mut self, best: BestScores) {
        self.kept = Some(Kept {
            best,
            changes: 0,
            counts: true,
            inserted: self.board.layout(),
            insertions: 0,
            is_fair: false,
            news: None,
        });
    }

    fn inserted(&self) -> Option<(Option<Drawing<'_>>, u32)> {
        let kept = self.kept.as_ref()?;
        let is_inserted = kept.inserted == self.board.layout();
        let drawing = self.board.drawing();
        let with_game = drawing.filter(|drawing| drawing.game().is_some());
        is_inserted.then_some((with_game, kept.insertions))
    }

    fn best(&self) -> Option<(&BestScores, u32)> {
        self.kept.as_ref().map(|kept| (&kept.best, kept.changes))
    }

    fn clear_best(&mut self) -> Result<(), Refusal> {
        let kept = self.kept.as_mut().ok_or(Refusal::KeepsNoBest)?;
        kept.best.clear();
        kept.changes = kept.changes.wrapping_add(1);
        Ok(())
    }

    fn count_best(&mut self, counts: bool) {
        if let Some(kept) = &mut self.kept {
            kept.counts = counts;
            kept.is_fair &= counts;
        }
    }

    fn counts_best(&self) -> bool {
        self.kept.as_ref().is_some_and(|kept| kept.counts)
    }

    crate::forward_to_board!(board:
        restart, layout, roster, drawing, seed, tick, settings, legal, digest, save, worth);
}

#[cfg(all(test, feature = "ishido"))]
mod tests;
