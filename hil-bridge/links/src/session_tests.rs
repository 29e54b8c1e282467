//! Sessions in files: each moment of one that grows can be read.

use protocol::{Button, Colour, Deed, Diagram, Input, Layout, Packed, Point, Side};
use touchboard_host::Session;
use touchboard_host::session::{Act, Header};

use crate::{SessionFile, SessionInFile};

/// Inputs, a position, another layout, words: what a file has to hold.
fn example() -> Session {
    let mut session = Session::new(Header {
        settings: Some(protocol::Settings::default()),
        ..Header::new(Layout::MALDOO, 7, "an example")
    });
    let mut points = Packed::default();
    points.set(Point(3), Colour::GREEN);
    points.set(Point(80), Colour::RED);
    let diagram = Diagram {
        points,
        turn: Side::Red,
    };
    session.push(0, Act::Do(Deed::Input(Input::Press(Button::Start))));
    session.push(80, Act::Do(Deed::Input(Input::Lift(Button::Start))));
    session.push(700, Act::Do(Deed::Input(Input::Touch(Point(47)))));
    session.push(701, Act::Do(Deed::Input(Input::Release(Point(47)))));
    session.push(702, Act::Do(Deed::Input(Input::Pass)));
    session.push(702, Act::Digest(0x0123_4567_89AB_CDEF));
    let words = "the line to \"tcp:[::1]:7777\" was lost:\nit was restarted";
    session.push(760, Act::Note(words.into()));
    session.push(800, Act::Do(Deed::Position(diagram.into())));
    let small = Layout::grid(4, 3).unwrap();
    session.push(
        900,
        Act::Do(Deed::Reset {
            seed: u64::MAX,
            layout: small,
        }),
    );
    session.push(5, Act::Do(Deed::Input(Input::Touch(Point(11)))));
    session.push(9, Act::End);
    session
}

#[test]
fn a_recording_grows_no_further_than_a_session_is_read() {
    let path = std::env::temp_dir().join(format!("touchboard-file-{}-full", std::process::id()));
    let mut recorder = SessionFile::create(&path, &Header::new(Layout::MALDOO, 7, "")).unwrap();
    let note = || Act::Note("x".repeat(1_000_000));
    let full = (0..).find_map(|_| recorder.note(0, note()).err()).unwrap();
    assert!(full.to_string().contains("at most 64 MiB"), "{full}");
    recorder.finish(0).unwrap();
    assert!(Session::load(&path).unwrap().is_complete());
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_recording_is_a_session_at_every_moment() {
    let path = std::env::temp_dir().join(format!("touchboard-file-{}", std::process::id()));
    let session = example();
    let mut recorder = SessionFile::create(&path, &session.header).unwrap();
    for (entry, count) in session.entries.iter().zip(1..) {
        recorder.note(entry.tick, entry.act.clone()).unwrap();
        let read = Session::load(&path).unwrap();
        assert_eq!(read.entries, session.entries[..count]);
    }
    drop(recorder);
    assert_eq!(Session::load(&path).unwrap(), session);
    session.save(&path).unwrap();
    assert_eq!(Session::load(&path).unwrap(), session);
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn an_older_session_stays_until_the_new_one_is_complete() {
    let own = format!("touchboard-file-{}-older", std::process::id());
    let folder = std::env::temp_dir().join(own);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    let path = folder.join("kept.session");
    let files = || std::fs::read_dir(&folder).unwrap().count();
    std::fs::write(&path, "older").unwrap();
    let header = Header::new(Layout::MALDOO, 7, "");
    let create = || SessionFile::create(&path, &header).unwrap();

    assert_eq!(create().abandon(), None);
    assert_eq!(files(), 1);

    let mut cut = create();
    cut.note(3, Act::Digest(1)).unwrap();
    let rest = cut.abandon().unwrap();
    assert_eq!(Session::load(&rest).unwrap().last_tick(), 3);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "older");
    std::fs::remove_file(rest).unwrap();

    create().finish(5).unwrap();
    assert!(Session::load(&path).unwrap().is_complete());
    assert_eq!(files(), 1);
    std::fs::remove_dir_all(folder).unwrap();
}
