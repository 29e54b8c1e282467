//! A Launchpad whose MIDI messages the document carries.
//!
//! Invariants: what waits for the next picture needs limited memory; a Launchpad that
//! sends more is unplugged, which lifts all its fingers, and the user is told.

use firmware_core::Seen;
use protocol::Layout;
use touchboard_panels::{PanelKind, PanelNews, PanelTalk};

/// The most news that may wait. A browser draws no pictures of a page in the background,
/// and nothing takes them.
const MOST_NEWS: usize = 256;

/// The sentence for a panel that sends more.
const TOO_MUCH: &str = "the Launchpad was let go, because the page was in the background while it was played on: connect it again";

/// A Launchpad, plugged in or not.
pub struct PageLaunchpad {
    talk: PanelTalk,
    news: Vec<PanelNews>,
    /// The sentence of this page, if there is one.
    own: Option<String>,
    /// The messages that are to be sent to it.
    out: Vec<u8>,
}

impl Default for PageLaunchpad {
    fn default() -> PageLaunchpad {
        PageLaunchpad {
            talk: PanelTalk::new(PanelKind::Launchpad),
            news: Vec::new(),
            own: None,
            out: Vec::new(),
        }
    }
}

impl PageLaunchpad {
    /// The Launchpad was plugged in at this port.
    pub fn plug_in(&mut self, at: &str, now_ms: u64) {
        self.unplug();
        self.talk.plug_in(at, now_ms);
    }

    /// The Launchpad was unplugged.
    pub fn unplug(&mut self) {
        self.talk.unplug();
        self.collect();
        self.out.clear();
    }

    /// The Launchpad is no longer needed: its lamps go off with the bytes that follow.
    pub fn let_go(&mut self) {
        self.talk.end();
        self.collect();
    }

    /// Handles bytes that it sent.
    pub fn receive(&mut self, bytes: &[u8], now_ms: u64) {
        self.talk.receive(bytes, now_ms);
        self.collect();
        if self.news.len() > MOST_NEWS {
            self.let_go();
            self.own = Some(TOO_MUCH.to_owned());
        }
    }

    /// Shows this frame.
    pub fn show(&mut self, layout: Layout, seen: &Seen, now_ms: u64) {
        self.talk.show(layout, seen, now_ms);
        self.collect();
    }

    /// Lets time pass.
    pub fn pass(&mut self, now_ms: u64) {
        self.talk.pass(now_ms);
        self.collect();
    }

    /// Takes the messages that are to be sent to it.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    /// True if messages are to be sent to it.
    pub fn has_bytes(&self) -> bool {
        !self.out.is_empty()
    }

    /// Takes the news since the last call, and a sentence of this page.
    pub fn take_news(&mut self) -> (Vec<PanelNews>, Option<String>) {
        (std::mem::take(&mut self.news), self.own.take())
    }

    fn collect(&mut self) {
        self.news.extend(self.talk.take_news());
        self.out.extend(self.talk.take_bytes());
    }
}

#[cfg(test)]
mod tests {
    use protocol::Input;
    use touchboard_panels::launchpad::{LaunchpadModel, enter, inquiry};

    use super::*;

    /// The answer of a Launchpad X to the question for its layout.
    const IS_AN_X: [u8; 9] = [0xF0, 0x00, 0x20, 0x29, 0x02, 0x0C, 0x00, 0x7F, 0xF7];
    /// The pad at the lower left goes down, and comes up.
    const DOWN: [u8; 3] = [0x90, 11, 127];
    const UP: [u8; 3] = [0x90, 11, 0];

    fn met() -> PageLaunchpad {
        let mut panel = PageLaunchpad::default();
        let layout = Layout::grid(8, 8).unwrap();
        panel.show(layout, &Seen::default(), 0);
        panel.plug_in("LPX MIDI", 0);
        assert_eq!(panel.take_bytes(), inquiry());
        panel.receive(&IS_AN_X, 1);
        let bytes = panel.take_bytes();
        assert!(bytes.starts_with(&enter(LaunchpadModel::X)), "{bytes:?}");
        panel.take_news();
        panel
    }

    fn fingers(news: &[PanelNews]) -> (usize, usize) {
        let count = |is_it: fn(&Input) -> bool| {
            let fingers = news.iter().filter_map(|news| match news {
                PanelNews::Finger(input) => Some(input),
                PanelNews::Say(_) => None,
            });
            fingers.filter(|input| is_it(input)).count()
        };
        (
            count(|input| matches!(input, Input::Touch(_))),
            count(|input| matches!(input, Input::Release(_))),
        )
    }

    #[test]
    fn pads_are_points_until_it_is_unplugged() {
        let mut panel = met();
        panel.receive(&DOWN, 2);
        let (news, _) = panel.take_news();
        assert_eq!(fingers(&news), (1, 0), "{news:?}");
        panel.unplug();
        let (news, _) = panel.take_news();
        assert_eq!(fingers(&news), (0, 1), "{news:?}");
        panel.receive(&DOWN, 3);
        assert_eq!(panel.take_news(), (Vec::new(), None));
    }

    #[test]
    fn a_page_in_the_background_keeps_little_and_lifts_every_finger() {
        let mut panel = met();
        for touch in 0..10_000 {
            panel.receive(&DOWN, touch);
            panel.receive(&UP, touch);
        }
        let (news, own) = panel.take_news();
        assert!(news.len() < MOST_NEWS + 10, "{}", news.len());
        let (touches, releases) = fingers(&news);
        assert_eq!(touches, releases);
        assert_eq!(own.as_deref(), Some(TOO_MUCH));
    }
}
