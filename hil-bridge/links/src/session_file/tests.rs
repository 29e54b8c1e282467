//! Sessions in files: one that is being written can be read at any moment.

use protocol::Layout;
use tempfile::tempdir;
use touchboard_host::Session;
use touchboard_host::session::{Header, SessionItem};

use crate::{SessionFile, SessionInFile};

/// A session with inputs, a position, a second layout and notes.
fn example() -> Session {
    let text = include_str!("../../../host/src/past/session/example.session");
    Session::parse(text.as_bytes()).unwrap()
}

#[test]
fn a_recording_is_limited_to_the_size_of_a_session() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("full.session");
    let mut recorder = SessionFile::create(&path, &Header::new(Layout::MALDOO, 7, "")).unwrap();
    let note = || SessionItem::Note("x".repeat(1_000_000));
    let full = (0..)
        .find_map(|_| recorder.record(0, note()).err())
        .unwrap();
    assert!(full.to_string().contains("at most 64 MiB"), "{full}");
    recorder.finish(0).unwrap();
    assert!(Session::load(&path).unwrap().is_complete());
}

#[test]
fn a_recording_is_a_valid_session_at_every_moment() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("grows.session");
    let session = example();
    let mut recorder = SessionFile::create(&path, &session.header).unwrap();
    for (entry, count) in session.entries.iter().zip(1..) {
        recorder.record(entry.tick, entry.item.clone()).unwrap();
        let read = Session::load(&path).unwrap();
        assert_eq!(read.entries, session.entries[..count]);
    }
    drop(recorder);
    assert_eq!(Session::load(&path).unwrap(), session);
    session.save(&path).unwrap();
    assert_eq!(Session::load(&path).unwrap(), session);
}

#[test]
fn an_older_session_stays_until_the_new_one_is_complete() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("kept.session");
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    std::fs::write(&path, "older").unwrap();
    let header = Header::new(Layout::MALDOO, 7, "");
    let create = || SessionFile::create(&path, &header).unwrap();

    assert_eq!(create().abandon(), None);
    assert_eq!(files(), 1);

    let mut cut = create();
    cut.record(3, SessionItem::Digest(1)).unwrap();
    let rest = cut.abandon().unwrap();
    assert_eq!(Session::load(&rest).unwrap().last_tick(), 3);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "older");
    std::fs::remove_file(rest).unwrap();

    create().finish(5).unwrap();
    assert!(Session::load(&path).unwrap().is_complete());
    assert_eq!(files(), 1);
}
