//! Tests of the view of a line, on a screen and in lines of text.

use protocol::{Command, Done, Reply, Request, ToDevice, ToHost, wire};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use touchboard_host::traffic::{KINDS, LineDirection, LineMedium, LineRecord};

use super::*;

const ROWS: usize = 4;

fn request(number: u32) -> Vec<u8> {
    wire::encoded(&ToDevice::Request(Request {
        number,
        seen: 0,
        command: Command::Digest,
    }))
}

fn reply(number: u32) -> Vec<u8> {
    wire::encoded(&ToHost::Reply(Reply {
        number,
        tick: 12,
        events: 0,
        frames: 0,
        result: Ok(Done::Digest(0xFEED)),
    }))
}

/// Ten requests, the fourth of which is sent twice.
fn record() -> LineRecord {
    let mut record = LineRecord::new(LineMedium::Serial { baud: 115_200 });
    record.open(0);
    for number in 0..10_u32 {
        let at_us = u64::from(number) * 10_000;
        record.pass(at_us, LineDirection::ToBoard, &request(number));
        if number == 3 {
            record.pass(at_us + 3_000, LineDirection::ToBoard, &request(number));
        }
        record.pass(at_us + 4_000, LineDirection::FromBoard, &reply(number));
    }
    record
}

fn numbers(view: &LineView, record: &LineRecord) -> Vec<u32> {
    let rows = view.rows(record, ROWS);
    rows.iter().filter_map(|frame| frame.number).collect()
}

#[test]
fn a_view_follows_new_frames_until_scrolled_back() {
    let mut record = record();
    let mut view = LineView::default();
    view.act(LineViewAction::Direction, &record, ROWS);
    assert_eq!(numbers(&view, &record), [6, 7, 8, 9]);
    view.act(LineViewAction::Older(2), &record, ROWS);
    assert_eq!(numbers(&view, &record), [4, 5, 6, 7]);
    record.pass(200_000, LineDirection::ToBoard, &request(10));
    assert_eq!(numbers(&view, &record), [4, 5, 6, 7]);
    view.act(LineViewAction::Older(usize::MAX), &record, ROWS);
    assert_eq!(numbers(&view, &record), [0, 1, 2, 3]);
    view.act(LineViewAction::Newer(1), &record, ROWS);
    assert_eq!(numbers(&view, &record), [1, 2, 3, 3]);
    view.act(LineViewAction::Newer(usize::MAX), &record, ROWS);
    assert_eq!(numbers(&view, &record), [7, 8, 9, 10]);
    assert_eq!(view.until, None);
}

#[test]
fn keys_filter_the_shown_frames() {
    let record = record();
    let mut view = LineView::default();
    view.act(LineViewAction::Errors, &record, ROWS);
    assert_eq!(numbers(&view, &record), [3]);
    view.act(LineViewAction::Errors, &record, ROWS);
    view.act(LineViewAction::Kind, &record, ROWS);
    assert_eq!(view.kinds(), "requests");
    assert_eq!(numbers(&view, &record), [6, 7, 8, 9]);
    for _ in 1..KINDS.len() {
        view.act(LineViewAction::Kind, &record, ROWS);
    }
    assert_eq!(view.kinds(), "all");
}

#[test]
fn a_screen_has_figures_above_and_frames_below() {
    let record = record();
    let screen = Screen {
        title: "watch-line there".to_owned(),
        ..Screen::default()
    };
    let mut terminal = Terminal::new(TestBackend::new(110, 18)).unwrap();
    terminal
        .draw(|frame| {
            let rows = screen.view.rows(&record, draw::frame_rows(frame.area()));
            draw(frame, &screen, &rows, &record.figures());
        })
        .unwrap();
    insta::assert_snapshot!(terminal.backend());
}

#[test]
fn the_plain_view_prints_frames_and_figures() {
    let record = record();
    let lines: Vec<String> = record
        .frames_from(6)
        .map(|(_, frame)| plain_line(frame))
        .collect();
    let text = lines[..4].join("\n") + "\n\n" + &plain_figures(&record.figures());
    insta::assert_snapshot!(text);
}
