use std::path::Path;

use super::explain;

#[test]
fn every_game_of_ours_is_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert_eq!(paths.len(), 25);
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let game = crate::text::read(&text).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        insta::assert_snapshot!(name, explain(&game));
    }
}

#[test]
fn a_loop_over_numbers_is_explained() {
    let text = "(game \"Rows\" (players 2)
            (equipment {(board (square 3)) (piece \"Disc\" Each)})
            (rules
                (play (forEach Value (range 1 2)
                    (move Add (piece (id \"Disc\" Mover)) (to (sites Row (value)))
                        (then (forEach Value min:0 max:2 (addScore Mover (value)))))))
                (end (if (is Line 3) (result Mover Win)))))";
    assert!(crate::constructs::find("forEach Value").is_some());
    let text = explain(&crate::text::read(text).unwrap());
    let rule = "For each number from 1 to 2: put your disc on a cell of the row of that number";
    assert!(text.contains(rule), "{text}");
    let then = "then for each number from 0 to 2, you score that number";
    assert!(text.contains(then), "{text}");
}
