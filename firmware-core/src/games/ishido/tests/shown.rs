//! The board of the game, larger boards, and programs that draw the game.

use super::*;

// The place of the game on the board, and its appearance.

#[test]
fn ishido_lies_at_the_bottom_left_of_a_larger_board() {
    for (columns, rows, shelf) in [
        (12, 8, None),
        (13, 8, Some("m8")),
        (14, 8, Some("n8")),
        (16, 8, Some("n8")),
        (12, 9, Some("l9")),
        (12, 10, Some("l10")),
        (16, 16, Some("l10")),
    ] {
        let layout = Layout::grid(columns, rows).unwrap();
        let table: TestedGame<crate::word::Wide, Ishido<_>> =
            TestedGame::begin(layout, DEKKER, 1).unwrap();
        let sides = layout.sides().unwrap();
        for (name, place) in [("a1", 0), ("l1", 11), ("a8", 84), ("l8", 95)] {
            let point = layout.point(name).unwrap();
            assert_eq!(place_of(point, sides), Some(place));
            assert_eq!(point_of(place, sides), Some(point));
            assert!(table.game.stone(point, sides).is_some());
        }
        for point in layout.iter() {
            let row = rows - 1 - layout.row(point);
            let is_square = layout.column(point) < 12 && row < 8;
            assert_eq!(place_of(point, sides).is_some(), is_square, "{layout}");
        }
        let beyond = (0..=u8::MAX).map(Point).filter(|point| !layout.has(*point));
        assert_eq!(
            beyond.filter_map(|point| place_of(point, sides)).next(),
            None
        );
        let found = Ishido::<u64>::shelf(sides);
        assert_eq!(
            found,
            shelf.map(|name| layout.point(name).unwrap()),
            "{columns}x{rows}"
        );
        if let Some(shelf) = found {
            let hand = table.game.hand.unwrap();
            assert_eq!(table.picture().get(shelf), hand.shown());
        }
    }
    for (columns, rows) in [(11, 16), (16, 7), (9, 9)] {
        let layout = Layout::grid(columns, rows).unwrap();
        let mode = DEKKER;
        assert!(TestedGame::<crate::word::Wide, Ishido<_>>::begin(layout, mode, 1).is_none());
    }
}

#[test]
fn the_seen_board_has_squares_stones_hand_and_pouch() {
    let mut table: TestedGame<crate::word::Wide, Ishido<_>> =
        TestedGame::begin(Layout::grid(14, 9).unwrap(), OFFICIAL, 1).unwrap();
    let sides = table.ground.grid().sides();
    let mut squares = 0;
    while let Some(stone) = table.game.hand() {
        let seen = table.game.seen(sides);
        assert_eq!((seen.hand(), seen.left()), (Some(stone), table.game.left()));
        let is_square = |point: &Point| seen.is_square(*point);
        squares = sides.iter().filter(is_square).count();
        let lies = |point: Point| Some((place_of(point, sides)?, seen.stone(point)?));
        let stones: StdVec<_> = sides.iter().filter_map(lies).collect();
        assert_eq!(stones.len(), table.game.field().stones().count());
        assert!(
            stones
                .iter()
                .all(|(place, stone)| table.game.field().at(*place) == Some(*stone))
        );
        let Some(point) = table.game.open.first() else {
            break;
        };
        table.touch(point);
        let seen = table.game.seen(sides);
        assert_eq!((seen.hand(), seen.left()), (None, table.game.left()));
        table.wait_for_wake();
    }
    assert_eq!(squares, 12 * 8);
}

#[test]
fn a_square_with_an_impossible_kind_is_refused() {
    let read = |kind_and_one: u8| -> Field {
        let bytes = [kind_and_one; PLACES as usize];
        postcard::from_bytes(&bytes).unwrap()
    };
    assert!(read(0).is_sound());
    assert!(read(KINDS).is_sound());
    assert!(!read(KINDS + 1).is_sound());
    let mut game = begin(DEKKER, 1).game;
    game.field = read(KINDS + 1);
    assert!(!game.laid().is_sound());
}

#[test]
fn a_stone_is_a_colour_and_a_rhythm_and_each_has_its_letter() {
    let mut seen = std::collections::HashSet::new();
    for stone in Stone::all() {
        assert_ne!(stone.shown(), Colour::OFF);
        assert!(![Colour::GREEN, Colour::RED, Colour::AMBER].contains(&stone.shown()));
        assert!(seen.insert((stone.shown(), stone.rhythm())));
        let [colour, symbol] = stone.letters();
        assert_eq!(Stone::from_letters(colour, symbol), Some(stone));
        let name = stone.shown().name().to_uppercase();
        assert!(name.starts_with(colour), "{name}");
    }
    assert_eq!(seen.len(), usize::from(KINDS));
    let all = COLOUR_LETTERS.iter().chain(&SYMBOL_LETTERS);
    assert_eq!(all.collect::<std::collections::HashSet<_>>().len(), 12);
}
