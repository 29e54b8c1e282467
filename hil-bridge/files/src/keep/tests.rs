use firmware_core::best::BestScore;
use firmware_core::{Keeping, games};
use protocol::{Deed, Sketch};
use tempfile::{TempDir, tempdir};

use super::*;

fn some(points: u32) -> BestScores {
    let mut best = BestScores::new();
    let game = points.into();
    assert_eq!(
        best.enter(games::number::ISHIDO, 0, BestScore { points, game }),
        Some(1)
    );
    best
}

/// A board with these best scores.
fn board(best: &BestScores) -> Keeping<AnyBoard> {
    let mut board = Keeping::new(AnyBoard::new(Layout::MALDOO, 0).unwrap());
    board.keep(best.clone());
    board
}

/// A drawing with a game that no board can play.
fn with_game(game: &[u8]) -> Vec<u8> {
    let mut sketch: Sketch = "cell 2x1\nways 1,0 -1,0\no o\n".parse().unwrap();
    sketch.game = game.to_vec();
    sketch.bytes().unwrap()
}

#[test]
fn written_scores_read_back_and_no_other_file_remains() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("best");
    let mut file = KeepFile::open(&path).unwrap();
    assert_eq!(file.best(), &BestScores::new());
    // Nothing is written until there is something to keep.
    file.store_changes(&board(&BestScores::new())).unwrap();
    assert!(!path.exists());
    for points in [74, 61] {
        file.store_changes(&board(&some(points))).unwrap();
        assert_eq!(KeepFile::open(&path).unwrap().best(), &some(points));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn best_scores_and_layouts_read_back_in_any_combination() {
    for best in [BestScores::new(), some(7)] {
        for drawing in [vec![], with_game(b"one"), with_game(&[0; 4_608])] {
            let best = best.clone();
            let kept = KeepContents { best, drawing };
            assert_eq!(KeepContents::read(&kept.bytes()), Some(kept.clone()));
            // Older versions can read a file without a layout, because it only has best
            // scores.
            assert_eq!(kept.bytes().starts_with(HEAD), kept.drawing.is_empty());
        }
    }
}

#[test]
fn no_changed_byte_of_a_file_with_a_layout_is_read() {
    let kept = KeepContents {
        best: some(7),
        drawing: with_game(b"a game"),
    };
    let whole = kept.bytes();
    for length in 0..whole.len() {
        assert_eq!(KeepContents::read(&whole[..length]), None, "{length}");
    }
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut changed = whole.clone();
            changed[at] ^= 1 << bit;
            assert_eq!(KeepContents::read(&changed), None, "byte {at}, bit {bit}");
        }
    }
}

#[test]
fn an_unplayable_kept_game_stays_until_replaced() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("best");
    let kept = KeepContents {
        best: some(7),
        drawing: with_game(b"of another version"),
    };
    fs::write(&path, kept.bytes()).unwrap();
    let mut file = KeepFile::open(&path).unwrap();
    assert_eq!(
        file.layout_at_power_on(Layout::MALDOO, games::ROSTER),
        (Layout::MALDOO, Some(NOT_PLAYED))
    );
    let mut own = board(file.best());
    file.store_changes(&own).unwrap();
    assert_eq!(fs::read(&path).unwrap(), kept.bytes());
    // Testing a board does not remove its game.
    let layout = Layout::MALDOO;
    let reset = Deed::Reset { seed: 1, layout };
    own.count_best(false);
    own.carry_out(&reset, &mut |_, _| {}).unwrap();
    file.store_changes(&own).unwrap();
    assert_eq!(fs::read(&path).unwrap(), kept.bytes());
    own.count_best(true);
    own.carry_out(&reset, &mut |_, _| {}).unwrap();
    file.store_changes(&own).unwrap();
    let file = KeepFile::open(&path).unwrap();
    assert_eq!((file.best(), file.layout()), (&some(7), None));
    assert_eq!(
        file.layout_at_power_on(Layout::MALDOO, games::ROSTER),
        (Layout::MALDOO, None)
    );
}

#[test]
fn a_broken_file_is_refused_and_kept_or_set_aside() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("best");
    let best = some(74);
    for drawing in [vec![], with_game(b"one")] {
        let best = best.clone();
        let whole = KeepContents { best, drawing }.bytes();
        fs::write(&path, &whole).unwrap();
        assert_eq!(set_aside(&path), None);
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let sentence = KeepFile::open(&path).unwrap_err().to_string();
            assert!(
                sentence.contains("best") && sentence.contains("move it away"),
                "{sentence}"
            );
            assert_eq!(fs::read(&path).unwrap(), &whole[..length]);
        }
        let sentence = set_aside(&path).expect("it is broken");
        assert!(sentence.contains("best.broken"), "{sentence}");
        assert_eq!(KeepFile::open(&path).unwrap().best(), &BestScores::new());
        assert!(folder.path().join("best.broken").exists());
    }
}

#[test]
fn an_overlong_file_is_refused_and_set_aside() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("best");
    fs::File::create(&path)
        .and_then(|file| file.set_len(MOST_BYTES + 1))
        .unwrap();
    let sentence = KeepFile::open(&path).unwrap_err().to_string();
    assert!(sentence.ends_with("name another file"), "{sentence}");
    assert!(set_aside(&path).is_some());
    assert!(!path.exists());
}

#[test]
fn an_unwritable_place_is_refused_at_once() {
    let folder = tempdir().unwrap();
    for path in [
        folder.path().to_owned(),
        folder.path().join("none").join("best"),
    ] {
        let sentence = KeepFile::open(&path).unwrap_err().to_string();
        assert!(
            sentence.starts_with("the best scores cannot be"),
            "{sentence}"
        );
    }
}

/// A file whose folder is gone, so that the best score of 74 could not be written.
fn unwritten() -> (TempDir, PathBuf, KeepFile) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("best");
    let mut file = KeepFile::open(&path).unwrap();
    fs::remove_dir(folder.path()).unwrap();
    assert!(file.store_changes(&board(&some(74))).is_err());
    (folder, path, file)
}

#[test]
fn a_failed_write_is_reported_once_and_retried() {
    let (folder, path, mut file) = unwritten();
    file.store_changes(&board(&some(74))).unwrap();
    fs::create_dir(folder.path()).unwrap();
    file.store_changes(&board(&some(75))).unwrap();
    assert_eq!(KeepFile::open(&path).unwrap().best(), &some(75));
}

#[test]
fn what_could_not_be_written_is_written_at_the_end() {
    let (folder, path, file) = unwritten();
    fs::create_dir(folder.path()).unwrap();
    drop(file);
    assert_eq!(KeepFile::open(&path).unwrap().best(), &some(74));
}
