//! Tests of the pane of the line, used as a person does.

use std::time::Duration;

use firmware_core::EventSink;
use protocol::{Command, Done, Reply, Request, ToDevice, ToHost, wire};
use touchboard_host::session::Session;
use touchboard_host::signals::LineWaves;
use touchboard_host::traffic::{LineDirection, LineFigures, LineMedium, LineRecord};

use super::*;
use crate::source::{AtLine, LastState, Parted, Source, SourceError};

const SIZE: (f32, f32) = (1280.0, 720.0);

/// A board that consists of the record of its line.
struct OnLine(LineRecord);

impl Source for OnLine {
    fn name(&self) -> String {
        "virtual".to_owned()
    }

    fn obey(&mut self, _: &WindowCommand) -> Result<(), SourceError> {
        Ok(())
    }

    fn time_of(&self, tick: Tick) -> Tick {
        tick
    }

    fn session(&self) -> Result<Session, SourceError> {
        Err(SourceError::NothingKnown)
    }

    fn update(
        &mut self,
        _: Duration,
        _: &mut Shown,
        _: EventSink<'_>,
    ) -> Result<Tick, SourceError> {
        Ok(0)
    }

    fn at_line(&self) -> Option<&dyn AtLine> {
        Some(self)
    }
}

impl AtLine for OnLine {
    fn parted(&self) -> Option<&Parted> {
        None
    }

    fn kept(&self) -> Option<&LastState> {
        None
    }

    fn line_waves(&self) -> Option<&LineWaves> {
        None
    }

    fn look_at_line(&self, look: &mut dyn FnMut(&LineRecord, &LineFigures)) {
        look(&self.0, &self.0.figures());
    }
}

/// Forty requests and replies over a serial line; the seventh reply was damaged.
fn record() -> LineRecord {
    let mut record = LineRecord::new(LineMedium::Serial { baud: 115_200 });
    record.open(0);
    for number in 0..40_u32 {
        let request = wire::encoded(&ToDevice::Request(Request {
            number,
            seen: 0,
            command: Command::Digest,
        }));
        let reply = wire::encoded(&ToHost::Reply(Reply {
            number,
            tick: 0,
            events: 0,
            frames: 0,
            result: Ok(Done::Digest(u64::from(number))),
        }));
        let at_us = u64::from(number) * 20_000;
        record.pass(at_us, LineDirection::ToBoard, &request);
        if number == 7 {
            let mut damaged = reply.clone();
            damaged[4] ^= 0x40;
            record.pass(at_us + 2_000, LineDirection::FromBoard, &damaged);
            record.pass(at_us + 9_000, LineDirection::ToBoard, &request);
        }
        let took_us = 3_000 + u64::from(number) * 100;
        record.pass(at_us + 9_000 + took_us, LineDirection::FromBoard, &reply);
    }
    record
}

fn on_line() -> World {
    let mut world = world();
    world.insert_resource(ShownBoard(Box::new(OnLine(record()))));
    world.insert_resource(dock::Dock::with([dock::Pane::Line]));
    world
}

fn words(world: &mut World) -> Vec<String> {
    let words = picture(world, SIZE, Vec::new()).words();
    words.into_iter().map(|(text, ..)| text).collect()
}

/// Presses the button with this label.
fn press(world: &mut World, button: &str) {
    let words = picture(world, SIZE, Vec::new()).words();
    picture(world, SIZE, click(&words, button));
}

fn frames(words: &[String]) -> Vec<&String> {
    let is_frame = |word: &&String| word.contains(" > ") || word.contains(" < ");
    words.iter().filter(is_frame).collect()
}

#[test]
fn the_line_pane_leaves_room_for_the_board() {
    let mut world = on_line();
    for size in SIZES {
        let left = picture(&mut world, size, Vec::new()).left;
        let has_room = left.height() > 120.0 && left.width() > 200.0;
        assert!(has_room, "{size:?}: {left:?}");
    }
}

#[test]
fn the_line_pane_shows_frames_and_filters_them() {
    let mut world = on_line();
    let seen = words(&mut world);
    assert!(frames(&seen).len() > 8, "{seen:?}");
    assert!(frames(&seen).last().unwrap().contains("reply digest"));
    let troubles = "damaged 1, requests repeated 1";
    assert!(seen.iter().any(|word| word == troubles), "{seen:?}");
    let floor = |word: &String| word.starts_with("round trip: ") && word.contains("floor 2.");
    assert!(seen.iter().any(floor), "{seen:?}");

    press(&mut world, "all and errors");
    let seen = words(&mut world);
    let wrong = frames(&seen);
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    let has = |what: &str| wrong.iter().any(|frame| frame.contains(what));
    assert!(has("< malformed") && has("(again)"), "{wrong:?}");

    press(&mut world, "errors only");
    press(&mut world, "both ways");
    let seen = words(&mut world);
    assert!(
        frames(&seen).iter().all(|frame| frame.contains(" > ")),
        "{seen:?}"
    );

    world.insert_resource(dock::Dock::default());
    assert!(frames(&words(&mut world)).is_empty());
}

#[test]
fn the_line_pane_says_that_the_board_has_no_line() {
    let mut world = world();
    world.insert_resource(dock::Dock::with([dock::Pane::Line]));
    let seen = words(&mut world);
    assert!(
        seen.iter()
            .any(|word| word.starts_with("The board has no line")),
        "{seen:?}"
    );
}
