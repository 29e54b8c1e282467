//! The thread of a panel: it searches for the port, transfers bytes, and starts over when
//! the panel is unplugged.

use std::io;
use std::time::{Duration, Instant};

use firmware_core::Seen;
use parking_lot::{Condvar, Mutex, MutexGuard};
use protocol::Layout;
use touchboard_panels::{PanelChoice, PanelNews, PanelTalk};

use crate::PortNews;
use crate::line::{PanelLine, open};

/// How often the thread looks for a missing panel.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How long to wait for received bytes before checking for a new frame.
const TURN: Duration = Duration::from_millis(5);
/// The maximum amount of news that may wait. If it is reached, the panel is not read any
/// more.
const MOST_NEWS: usize = 256;

#[derive(Debug, Default)]
struct Inside {
    is_ending: bool,
    /// The frame to show, if it has changed.
    fresh: Option<(Layout, Seen)>,
    news: Vec<PortNews>,
}

/// The state shared by the thread and the owner of a panel.
#[derive(Debug, Default)]
pub struct Shared {
    inside: Mutex<Inside>,
    ended: Condvar,
}

impl Shared {
    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock()
    }

    pub fn show(&self, layout: Layout, seen: &Seen) {
        self.inside().fresh = Some((layout, seen.clone()));
    }

    pub fn take_news(&self) -> Vec<PortNews> {
        std::mem::take(&mut self.inside().news)
    }

    pub fn end(&self) {
        self.inside().is_ending = true;
        self.ended.notify_all();
    }

    fn is_ending(&self) -> bool {
        self.inside().is_ending
    }

    /// Waits for this time, or until the panel should end.
    fn rest(&self, time: Duration) {
        self.ended
            .wait_while_for(&mut self.inside(), |inside| !inside.is_ending, time);
    }

    fn has_room(&self) -> bool {
        self.inside().news.len() < MOST_NEWS
    }
}

/// The conversation with a panel, and its connections to the rest.
struct Talker<'a> {
    talk: PanelTalk,
    shared: &'a Shared,
    wake: &'a dyn Fn(),
    start: Instant,
    /// The last error of the port, so that each is reported once.
    trouble: Option<String>,
}

impl Talker<'_> {
    fn now_ms(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    /// Passes a new frame to the conversation.
    fn bring(&mut self) {
        let fresh = self.shared.inside().fresh.take();
        let now_ms = self.now_ms();
        match fresh {
            Some((layout, seen)) => self.talk.show(layout, &seen, now_ms),
            None => self.talk.pass(now_ms),
        }
    }

    fn report(&mut self, fresh: impl IntoIterator<Item = PortNews>) {
        let mut inside = self.shared.inside();
        let before = inside.news.len();
        inside.news.extend(fresh);
        let is_more = inside.news.len() > before;
        drop(inside);
        if is_more {
            (self.wake)();
        }
    }

    fn tell_news(&mut self) {
        let news = self.talk.take_news().into_iter();
        let news: Vec<PortNews> = news
            .map(|news| match news {
                PanelNews::Finger(input) => PortNews::Finger(input),
                PanelNews::Say(sentence) => PortNews::Say(sentence.to_string()),
            })
            .collect();
        self.report(news);
    }

    /// Reports an error of the port, unless it was the last one reported.
    fn complain(&mut self, sentence: String) {
        if self.trouble.as_ref() != Some(&sentence) {
            self.trouble = Some(sentence.clone());
            self.report([PortNews::Say(sentence)]);
        }
    }

    /// Runs the conversation with a panel until the panel should end, or the line ends.
    fn converse(&mut self, line: &mut dyn PanelLine) -> io::Result<()> {
        let mut buffer = [0; 256];
        while !self.shared.is_ending() {
            line.send(&self.talk.take_bytes())?;
            self.tell_news();
            let mut count = 0;
            if self.shared.has_room() {
                count = line.receive(&mut buffer, TURN)?;
            } else {
                self.shared.rest(TURN);
            }
            // Passes on the frame first, so that a panel is lit as soon as it has
            // identified itself.
            self.bring();
            let now_ms = self.now_ms();
            let bytes = buffer.get(..count).unwrap_or_default();
            self.talk.receive(bytes, now_ms);
            if self.talk.is_met() {
                self.trouble = None;
            }
        }
        self.talk.end();
        self.tell_news();
        line.send(&self.talk.take_bytes())
    }
}

/// Serves this panel until it should end.
pub fn run(choice: &PanelChoice, shared: &Shared, wake: &dyn Fn()) {
    let mut talker = Talker {
        talk: PanelTalk::new(choice.kind),
        shared,
        wake,
        start: Instant::now(),
        trouble: None,
    };
    while !shared.is_ending() {
        match open(choice) {
            Ok((mut line, at)) => {
                let now_ms = talker.now_ms();
                talker.talk.plug_in(&at, now_ms);
                let done = talker.converse(&mut *line);
                let was_met = talker.talk.is_met();
                talker.talk.unplug();
                talker.tell_news();
                if let Err(error) = done
                    && !was_met
                {
                    talker.complain(format!("the line at {at} ended: {error}"));
                }
            }
            Err(error) => talker.complain(error.to_string()),
        }
        // Changes in the meantime are shown when the panel is back.
        talker.bring();
        shared.rest(LOOK_EVERY);
    }
}
