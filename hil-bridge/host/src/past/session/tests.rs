//! Sessions are read as they were written, and damaged ones are refused with a
//! sentence.

use std::io::{self, BufReader};

use law::{Judged, Weight, law};
use proptest::prelude::*;
use proptest::sample::Index;
use protocol::{Button, Colour, Deed, Diagram, Packed, Point, Position, Side};

use super::*;
use crate::driver::{CoreDriver, Driver};

fn example() -> Session {
    let mut session = Session::new(Header {
        settings: Some(Settings::default()),
        ..Header::new(Layout::MALDOO, 7, "an example")
    });
    let mut points = Packed::default();
    points.set(Point(3), Colour::GREEN);
    points.set(Point(80), Colour::RED);
    let diagram = Diagram {
        points,
        turn: Side::Red,
    };
    session.push(0, SessionItem::Do(Deed::Input(Input::Press(Button::Start))));
    session.push(80, SessionItem::Do(Deed::Input(Input::Lift(Button::Start))));
    session.push(700, SessionItem::Do(Deed::Input(Input::Touch(Point(47)))));
    session.push(701, SessionItem::Do(Deed::Input(Input::Release(Point(47)))));
    session.push(702, SessionItem::Do(Deed::Input(Input::Pass)));
    session.push(702, SessionItem::Digest(0x0123_4567_89AB_CDEF));
    let words = "the line to \"tcp:[::1]:7777\" was lost:\nit was restarted";
    session.push(760, SessionItem::Note(words.into()));
    session.push(800, SessionItem::Do(Deed::Position(diagram.into())));
    let small = Layout::grid(4, 3).unwrap();
    session.push(
        900,
        SessionItem::Do(Deed::Reset {
            seed: u64::MAX,
            layout: small,
        }),
    );
    session.push(5, SessionItem::Do(Deed::Input(Input::Touch(Point(11)))));
    session.push(9, SessionItem::End);
    session
}

/// The example with one line replaced.
fn with_line(number: usize, line: &str) -> Result<Session, SessionError> {
    let text = example().to_text();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[number - 1] = line;
    Session::parse((lines.join("\n") + "\n").as_bytes())
}

/// `UPDATE_SESSIONS=1` writes the file, which tests of other crates read.
#[test]
fn the_example_session_equals_its_file() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/past/session/example.session"
    );
    if std::env::var_os("UPDATE_SESSIONS").is_some() {
        std::fs::write(path, example().to_text()).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), example().to_text());
}

#[test]
fn a_session_reads_back_as_written() {
    let session = example();
    let read = Session::parse(session.to_text().as_bytes()).unwrap();
    assert_eq!(read, session);
    assert!(read.is_complete());
}

#[test]
fn every_deed_reads_back_as_written() {
    let diagram = Diagram {
        points: Packed::default(),
        turn: Side::Green,
    };
    let deeds = [
        Deed::Input(Input::Pass),
        Deed::Choose(3),
        Deed::Position(Position::Own {
            game: 31,
            bytes: (0..=255).step_by(5).collect(),
        }),
        Deed::Settings(Settings::default()),
        Deed::Position(diagram.into()),
        Deed::Reset {
            seed: 1,
            layout: Layout::MALDOO,
        },
    ];
    let mut session = Session::new(Header::new(Layout::MALDOO, 7, ""));
    for deed in deeds {
        session.push(0, deed.into());
    }
    session.push(0, SessionItem::End);
    let read = Session::parse(session.to_text().as_bytes()).unwrap();
    assert_eq!(read, session);
}

#[test]
fn every_damage_is_refused_with_its_line() {
    let lines = [
        (1, "{}", "not a touchboard session"),
        (
            1,
            r#"{"touchboard":"session","format":3}"#,
            "use a newer one",
        ),
        (
            1,
            r#"{"touchboard":"session","format":1,"firmware":"","layout":"17x2","seed":1}"#,
            "17x2",
        ),
        (3, "{\"tick\":80,", "not JSON"),
        (3, "[]", "not a JSON object"),
        (3, r#"{"tick":-1,"pass":true}"#, "\"tick\""),
        (3, r#"{"tick":99999999999999,"pass":true}"#, "past the end"),
        (3, r#"{"tick":80}"#, "one deed"),
        (3, r#"{"tick":80,"pass":true,"end":true}"#, "one deed"),
        (3, r#"{"tick":80,"jump":true}"#, "is not a deed"),
        (3, r#"{"tick":80,"touch":"z99"}"#, "a1 to i9"),
        (3, r#"{"tick":80,"press":"fire"}"#, "no button \"fire\""),
        (
            3,
            r#"{"tick":80,"digest":"+123456789abcdef"}"#,
            "16 hexadecimal",
        ),
        (3, r#"{"tick":80,"load":"abc"}"#, "hexadecimal"),
        (3, r#"{"tick":80,"choose":300}"#, "no game 300"),
        (3, r#"{"tick":80,"note":7}"#, "a text"),
        (3, r#"{"tick":80,"settings":{"game":300}}"#, "too large"),
        (
            3,
            r#"{"tick":80,"position":{"rows":"gr/..","turn":"green"}}"#,
            "rows",
        ),
        (5, r#"{"tick":3,"pass":true}"#, "go back only"),
        (3, r#"{"tick":80,"end":true}"#, "ended already"),
    ];
    for (number, line, words) in lines {
        let error = with_line(number, line).unwrap_err().to_string();
        assert!(error.contains(words), "{line}: {error}");
        let place = if words == "ended already" { 4 } else { number };
        assert!(error.starts_with(&format!("line {place} ")), "{error}");
    }
}

#[test]
fn a_missing_number_is_told_apart_from_one_that_is_too_large() {
    let problem = |line| with_line(3, line).unwrap_err().problem;
    assert!(matches!(
        problem(r#"{"pass":true}"#),
        SessionProblem::Entry(EntryError::Field(FieldError::NotANumber("tick")))
    ));
    assert!(matches!(
        problem(r#"{"tick":80,"settings":{"game":300}}"#),
        SessionProblem::Entry(EntryError::Field(FieldError::TooLarge {
            key: "game",
            value: 300
        }))
    ));
}

#[test]
fn a_session_cut_within_a_line_is_refused() {
    let text = example().to_text();
    let last = text.trim_end().rfind('\n').unwrap() + 1;
    for cut in last + 1..text.len() - 1 {
        let error = Session::parse(&text.as_bytes()[..cut]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 12 of the session: it stops in the middle, the file was cut off there: take this line out to replay the 10 entries up to tick 5 before it"
        );
    }
    for cut in 1..last {
        match Session::parse(&text.as_bytes()[..cut]) {
            // A cut between two lines only loses the rest of the session.
            Ok(read) => assert!(read.unfinished().is_some(), "{cut}"),
            Err(error) => assert!(error.to_string().starts_with("line "), "{error}"),
        }
    }
}

#[test]
fn a_whole_last_line_needs_no_line_break() {
    let text = example().to_text();
    let read = Session::parse(text.trim_end().as_bytes()).unwrap();
    assert_eq!(read, example());
    assert_eq!(read.unfinished(), None);
}

#[test]
fn an_unfinished_session_says_how_far_it_goes() {
    let mut session = example();
    session.entries.pop();
    assert_eq!(
        session.unfinished().as_deref(),
        Some("the session has no end, it was cut off: there are 10 entries up to tick 5")
    );
}

#[test]
fn overlong_lines_and_files_are_refused() {
    let error = Session::read(BufReader::new(io::repeat(b'{'))).unwrap_err();
    let words = "line 1 of the session: it is longer than 1048576 bytes";
    assert!(error.to_string().starts_with(words), "{error}");
    let header = Session::new(Header::new(Layout::MALDOO, 7, "")).to_text();
    let blank = " ".repeat(1 << 19) + "\n";
    let long = header + &blank.repeat(130);
    let error = Session::parse(long.as_bytes()).unwrap_err();
    assert!(error.to_string().contains("longer than 64 MiB"), "{error}");
}

#[test]
fn a_note_reads_back_and_has_no_effect() {
    let mut noted = example();
    noted
        .entries
        .retain(|entry| !matches!(entry.item, SessionItem::Digest(_)));
    let mut plain = noted.clone();
    plain
        .entries
        .retain(|entry| !matches!(entry.item, SessionItem::Note(_)));
    assert_eq!(noted.entries.len(), plain.entries.len() + 1);
    assert_eq!(noted.acts(), plain.acts());
    let digest = |session: &Session| {
        let read = Session::parse(session.to_text().as_bytes()).unwrap();
        let mut board = CoreDriver::new(Layout::MALDOO, 0).unwrap();
        assert_eq!(read.replay(&mut board, &mut |_| {}).unwrap(), None);
        board.digest().unwrap()
    };
    assert_eq!(digest(&noted), digest(&plain));
}

#[test]
fn a_session_continues_after_a_restart() {
    let mut board = CoreDriver::new(Layout::MALDOO, 9).unwrap();
    board.step(&[Input::Press(Button::Start)], 5).unwrap();
    let state = board.save().unwrap();
    let mut session = Session::new(Header::new(Layout::MALDOO, 7, ""));
    session.push(700, SessionItem::Do(Deed::Input(Input::Touch(Point(47)))));
    session.push(700, SessionItem::Note("the board was restarted".into()));
    session.push(5, SessionItem::Load(state));
    session.push(5, SessionItem::Digest(board.digest().unwrap()));
    session.push(9, SessionItem::End);
    let read = Session::parse(session.to_text().as_bytes()).unwrap();
    assert_eq!(read, session);
    assert_eq!(read.replay(&mut board, &mut |_| {}).unwrap(), None);
    assert_eq!(board.tick(), 9);
}

#[test]
fn a_replay_names_the_first_differing_digest() {
    let mut session = example();
    session
        .entries
        .retain(|entry| !matches!(entry.item, SessionItem::Digest(_)));
    let mut board = CoreDriver::new(Layout::MALDOO, 0).unwrap();
    let mut first = session.clone();
    first.entries.truncate(3);
    assert_eq!(first.replay(&mut board, &mut |_| {}).unwrap(), None);
    let digest = board.digest().unwrap();
    let place = |session: &mut Session, digest| {
        session.entries.insert(
            3,
            SessionEntry {
                tick: 700,
                item: SessionItem::Digest(digest),
            },
        );
    };
    let mut right = session.clone();
    place(&mut right, digest);
    assert_eq!(right.replay(&mut board, &mut |_| {}).unwrap(), None);
    place(&mut session, !digest);
    let mismatch = session.replay(&mut board, &mut |_| {}).unwrap().unwrap();
    assert_eq!(
        (mismatch.entry, mismatch.tick, mismatch.found),
        (3, 700, digest)
    );
}

/// The lines of a session with some missing, repeated or damaged; and arbitrary bytes.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let text = example().to_text();
    let lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let count = lines.len();
    let damage = proptest::collection::vec((any::<Index>(), any::<u8>()), 0..2);
    let order = proptest::collection::vec(0..count, 0..count + 2);
    let some = (order, damage).prop_map(move |(mut order, damage)| {
        order.sort_unstable();
        let order = [0].into_iter().chain(order);
        let mut bytes: Vec<u8> = order.flat_map(|line| lines[line].bytes()).collect();
        for (place, value) in damage {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        bytes
    });
    let cut = proptest::option::of(any::<Index>());
    let whole = (any::<Index>(), any::<u8>(), cut).prop_map(move |(place, byte, cut)| {
        let mut bytes = text.clone().into_bytes();
        let place = place.index(bytes.len());
        bytes[place] = byte;
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        bytes
    });
    prop_oneof![2 => some, 2 => whole, 1 => proptest::collection::vec(any::<u8>(), 0..400)]
}

#[test]
fn any_bytes_are_refused_or_read_as_a_session() {
    law(Weight::of(512, 5), bytes(), |bytes| {
        let Ok(session) = Session::parse(&bytes) else {
            return Ok(Judged::Nothing);
        };
        let again = Session::parse(session.to_text().as_bytes());
        prop_assert_eq!(&again.expect("what is written is read"), &session);
        Ok(Judged::if_any(!session.entries.is_empty()))
    });
}

#[test]
fn a_session_is_replayed_only_with_its_games() {
    let roster = "059".parse().unwrap();
    let session = Session::new(Header {
        roster,
        ..Header::new(Layout::MALDOO, 7, "")
    });
    let text = session.to_text();
    assert!(text.contains(r#""games":"059""#), "{text}");
    let read = Session::parse(text.as_bytes()).unwrap();
    assert_eq!(read.header.roster, roster);
    let mut ten = CoreDriver::new(Layout::MALDOO, 0).unwrap();
    let refused = read.replay(&mut ten, &mut |_| {}).unwrap_err();
    assert!(refused.to_string().contains("the games 059"), "{refused}");
    let mut three = CoreDriver::with_games(Layout::MALDOO, roster, 0).unwrap();
    assert_eq!(read.replay(&mut three, &mut |_| {}).unwrap(), None);
}

#[test]
fn a_wrong_roster_is_refused_with_a_sentence() {
    for (games, why) in [
        ("", "no game is named"),
        ("05x", "`x` is not a game"),
        ("00", "twice"),
    ] {
        let text = format!(
            r#"{{"touchboard":"session","format":1,"firmware":"0.1.0","layout":"9x9","games":"{games}","seed":7}}"#
        );
        let refused = Session::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(refused.contains(why), "{refused}");
    }
}

/// Format 1 counted the points of a drawing row by row.
#[test]
fn an_older_session_names_the_points_of_a_drawing_by_rows() {
    let layout = drawings::hexagon();
    let header = Header::new(layout, 1, "");
    let text = |format: u64, name: &str| {
        let first = header::write(&header);
        let first = first.replace("\"format\":2", &format!("\"format\":{format}"));
        format!("{first}\n{{\"tick\":0,\"touch\":\"{name}\"}}\n{{\"tick\":0,\"end\":true}}\n")
    };
    let older = Session::read(text(1, "a9").as_bytes()).unwrap();
    let newer = Session::read(text(2, "e9").as_bytes()).unwrap();
    assert_eq!(older, newer);
    assert!(Session::read(text(2, "a9").as_bytes()).is_err());
}
