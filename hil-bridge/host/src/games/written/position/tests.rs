use firmware_core::cartridge::bytes::flag;
use firmware_core::games::LAYOUTS_OWN;
use firmware_core::{AnyBoard, Rng};
use ludemes::shown::game_of;
use protocol::{Button, Deed, Event, Input, KnownLayout, Layout, POSITION_BYTES, Position, Side};

use super::*;
use crate::position;
use crate::position_error::PositionTextError;
use crate::written;

/// The games of this repository that a board of lights can play.
fn games() -> Vec<(String, KnownLayout)> {
    written::texts::all()
}

fn layout(name: &str) -> KnownLayout {
    let all = games();
    let found = all.into_iter().find(|(other, _)| other == name);
    found.unwrap().1
}

fn started(layout: Layout, seed: u64) -> AnyBoard {
    let mut board = AnyBoard::new(layout, seed).unwrap();
    board.input(Input::Press(Button::Start), &mut |_, _| {});
    board.input(Input::Lift(Button::Start), &mut |_, _| {});
    board.advance(FOUND_MS, &mut |_, _| {});
    board
}

/// By this time the search for legal touches has finished, in ms.
const FOUND_MS: u64 = 300;

/// Touches a random legal point, or passes if there is none. True if a move of several
/// touches is now incomplete.
fn touch(board: &mut AnyBoard, rng: &mut Rng) -> bool {
    let points = board.legal_points();
    if points.is_empty() {
        board.input(Input::Pass, &mut |_, _| {});
        board.advance(700, &mut |_, _| {});
        return false;
    }
    let point = points[rng.below(points.len() as u32) as usize];
    let mut is_part = false;
    board.input(Input::Touch(point), &mut |_, event| {
        is_part |= matches!(event, Event::Part { .. });
    });
    board.input(Input::Release(point), &mut |_, _| {});
    board.advance(FOUND_MS, &mut |_, _| {});
    is_part
}

fn text(board: &AnyBoard) -> Option<String> {
    let position = position::on(board)?;
    Some(position::written_out(&position, board.layout()))
}

/// A board that was just started, with this position.
fn set_up(text: &str, layout: Layout) -> AnyBoard {
    let words = text.strip_prefix("E: ").unwrap();
    let position = position::in_words(LAYOUTS_OWN, words, layout).unwrap();
    let position = position.unwrap_or_else(|sentence| panic!("{text}: {sentence}"));
    let mut board = started(layout, 9);
    board
        .carry_out(&Deed::Position(position), &mut |_, _| {})
        .unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    board.advance(FOUND_MS, &mut |_, _| {});
    board
}

/// A position does not contain the touches of an incomplete move. Without such touches,
/// the board then continues like the original one, unless a rule about earlier positions
/// forbids a move.
#[test]
fn the_written_position_of_every_text_sets_it_up_again() {
    let all = games();
    assert!(all.len() >= 25, "{}", all.len());
    let (mut also, mut all_told, mut longest) = (0, 0, 0);
    for (name, layout) in all {
        let mut before = String::new();
        let mut told = 0;
        for seed in 0..3 {
            let mut board = started(*layout, seed);
            let mut rng = Rng::new(seed);
            let mut is_part = false;
            for step in 0..60 {
                if let Some(text) = text(&board).filter(|_| step % 4 == 0 || step > 52) {
                    let again = set_up(&text, *layout);
                    assert_eq!(self::text(&again), Some(text.clone()), "{name}");
                    let known = layout.drawing().unwrap();
                    let own = &game_of(known).unwrap().cartridge;
                    let knows = own.is(flag::NO_REPEAT) || own.is(flag::NO_REPEAT_SITUATION);
                    if !knows && !is_part {
                        assert_eq!(board.legal_points(), again.legal_points(), "{name}: {text}");
                        assert_eq!(board.turn(), again.turn(), "{name}: {text}");
                    }
                    let mut buffer = vec![0; firmware_core::SNAPSHOT_BYTES];
                    let state = again.save(&mut buffer).unwrap();
                    assert_eq!(started(*layout, 1).load(state), Ok(()), "{name}: {text}");
                    let position = position::on(&again).unwrap();
                    let Position::Own { bytes, .. } = position else {
                        panic!("{position:?}")
                    };
                    longest = longest.max(bytes.len());
                    also += usize::from(text.contains(" also "));
                    all_told += 1;
                    told += usize::from(text != before);
                    before = text;
                }
                is_part = touch(&mut board, &mut rng);
            }
        }
        assert!(told > 3, "{name}: {told}");
    }
    // Most positions need no `also` (270 of 1,311 did when this was written), and all fit
    // into a message.
    assert!(4 * also < all_told, "{also} of {all_told}");
    assert!(longest <= POSITION_BYTES, "{longest}");
}

#[test]
fn a_typed_position_is_played() {
    let chess = layout("chess");
    // A king in a corner, mated by a rook.
    let text =
        "E: k......./......../.K....../......../......../......../......../.......R turn green";
    let mut board = set_up(text, *chess);
    for name in ["h1", "h8"] {
        let point = chess.point(name).unwrap();
        assert!(board.legal_points().contains(&point), "{name}");
        board.input(Input::Touch(point), &mut |_, _| {});
        board.input(Input::Release(point), &mut |_, _| {});
        board.advance(FOUND_MS, &mut |_, _| {});
    }
    assert_eq!(board.outcome(), Some(protocol::Outcome::Won(Side::Green)));
}

#[test]
fn a_wrong_position_of_a_text_is_refused_with_a_sentence() {
    let teeko = layout("teeko");
    let empty = "...../...../...../...../.....";
    for (words, sentence) in [
        ("", "its rows and who moves"),
        (empty, "who moves"),
        (&format!("{empty} turn blue"), "green or red"),
        (&format!("{empty} turn none"), "green or red"),
        (&format!("{empty} turn green last b2>z9"), "`z9`"),
        (&format!("{empty} turn green last b2-b3"), "`b2-b3`"),
        (&format!("{empty} turn green also 0"), "hexadecimal"),
        (&format!("{empty} turn green also 0380"), "cut off"),
        (&format!("{empty} turn green also 7f00"), "no such position"),
        (&format!("{empty} turn green turns x"), "not a number"),
        (&format!("{empty} turn green hands"), "needs a word"),
        (
            &format!("{empty} turn green hands {}", vec!["g"; 17].join("/")),
            "16 places are beside",
        ),
        (
            &format!("{empty} turn green nothing 3"),
            "not part of a position",
        ),
        ("...../..... turn green", "5 rows"),
        (
            "..../...../...../...../..... turn green",
            "row 1 from the top has 5 places",
        ),
        ("....../...../...../...../..... turn green", "and not more"),
        (
            "..x../...../...../...../..... turn green",
            "wrong at place 3",
        ),
        (
            "..g0./...../...../...../..... turn green",
            "wrong at place 3",
        ),
        (
            "..<9>../...../...../...../..... turn green",
            "write . or g (Marker1), r (Marker2)",
        ),
    ] {
        let words: Vec<&str> = words.split_whitespace().collect();
        let said = read(&words, *teeko).expect_err("it is none").to_string();
        assert!(said.contains(sentence), "{words:?}: {said}");
    }
    let refused = read(&["...", "turn", "green"], Layout::MALDOO).unwrap_err();
    assert_eq!(refused, PositionTextError::NoGame);
    assert!(refused.to_string().contains("insert one"), "{refused}");
}

#[test]
fn a_piece_hanging_in_the_air_is_refused() {
    let four = layout("connect-four");
    assert_eq!((four.points(), four.rows()), (42, 6));
    let mut board = started(*four, 1);
    let empty = [
        ".......", ".......", ".......", ".......", ".......", ".......",
    ]
    .join("/");
    assert_eq!(text(&board), Some(format!("E: {empty} turn green")));
    // A piece touched in at any level of a column falls to the lowest free one.
    let names = ["d6", "d6", "d1", "c3"];
    for (name, fell) in names.iter().zip(["d1", "d2", "d3", "c1"]) {
        let [point, fell] = [name, fell].map(|name| four.point(name).unwrap());
        board.advance(FOUND_MS, &mut |_, _| {});
        assert!(board.legal_points().contains(&point), "{name}");
        let before = board.frame().points.get(fell);
        assert_eq!(before, protocol::Colour::OFF, "{name}");
        board.input(Input::Touch(point), &mut |_, _| {});
        board.input(Input::Release(point), &mut |_, _| {});
        assert_ne!(board.frame().points.get(fell), before, "{name}");
    }
    assert_eq!(board.score(), Some([2, 2]));
    let text = text(&board).unwrap();
    assert!(
        text.starts_with("E: ......./......./......./...g.../...r.../..rg... turn green"),
        "{text}"
    );
    // A full column accepts no more pieces.
    for _ in 0..3 {
        let point = four.point("d4").unwrap();
        board.input(Input::Touch(point), &mut |_, _| {});
        board.input(Input::Release(point), &mut |_, _| {});
    }
    board.advance(FOUND_MS, &mut |_, _| {});
    let full: Vec<Point> = (1..=6)
        .map(|row| four.point(&format!("d{row}")).unwrap())
        .collect();
    assert!(
        full.iter()
            .all(|point| !board.legal_points().contains(point))
    );
    assert_eq!(board.legal_points().len(), 36);
    let hanging = "......./......./......./...g.../......./..rg... turn green";
    let refused = read(&hanging.split(' ').collect::<Vec<_>>(), *four).unwrap_err();
    let (wrong, at) = (
        refused.to_string(),
        "row 4 from the top is wrong at place 4",
    );
    assert!(wrong.starts_with(at), "{wrong}");
    let four_in_a_row = "......./......./......./r....../r....../rggg... turn green";
    let mut board = set_up(&format!("E: {four_in_a_row}"), *four);
    let point = four.point("e5").unwrap();
    board.input(Input::Touch(point), &mut |_, _| {});
    board.advance(FOUND_MS, &mut |_, _| {});
    assert_eq!(board.outcome(), Some(protocol::Outcome::Won(Side::Green)));
}
