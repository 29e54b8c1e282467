//! The vocabulary: points and their names, colours, frames and their changes, bounded
//! lists and texts. Each is compared with a simple second implementation.

use core::fmt::Write;
use std::collections::BTreeSet;

use law::{Judged, Weight, law};
use postcard::experimental::max_size::MaxSize;
use proptest::collection::vec;
use proptest::prelude::*;
use protocol::wire::WireError;
use protocol::{
    Button, Colour, Deed, Done, Frame, Input, KnownLayout, Layout, Light, List, Lit, Outcome,
    Packed, Point, Refusal, Rhythm, Rhythms, Roster, Settings, Side, Text,
};

fn layouts() -> impl Iterator<Item = Layout> {
    let sides = || 1..=16_u8;
    let grid = |columns, rows| Layout::grid(columns, rows).expect("both are in range");
    sides().flat_map(move |columns| sides().map(move |rows| grid(columns, rows)))
}

#[test]
fn a_side_has_1_to_16_points_and_the_refusal_says_it() {
    for columns in 0..=u8::MAX {
        for rows in 0..=u8::MAX {
            let sides = [columns, rows];
            let possible = sides.iter().all(|side| (1..=16).contains(side));
            let layout = Layout::grid(columns, rows);
            assert_eq!(layout.is_ok(), possible, "{columns}x{rows}");
            if let Ok(layout) = layout {
                assert_eq!([layout.columns(), layout.rows()], sides);
                assert_eq!(layout.points(), usize::from(columns) * usize::from(rows));
                assert_eq!(layout.to_string(), format!("{columns}x{rows}"));
                assert!(layout.is_valid());
            }
        }
    }
    let refused = Layout::grid(17, 2).expect_err("too long").to_string();
    assert_eq!(
        refused,
        "a 17x2 layout is not possible: each side must have 1 to 16 points"
    );
}

/// The first check of a layout from the wire.
#[test]
fn an_impossible_layout_from_outside_is_not_valid() {
    for sides in [[0, 5], [5, 0], [17, 5], [5, 17], [0, 0]] {
        let [columns, rows] = sides;
        let layout: Layout = postcard::from_bytes(&[0, columns, rows]).expect("a grid");
        assert!(!layout.is_valid(), "{sides:?}");
    }
    let layout: Layout = postcard::from_bytes(&[0, 16, 1]).expect("a grid");
    assert!(layout.is_valid());
    for (points, is_valid) in [(0, false), (1, true), (256, true), (257, false)] {
        let drawn = Layout::Drawn { points, id: 7 };
        assert_eq!(drawn.is_valid(), is_valid, "{points} points");
    }
}

#[test]
fn a_winking_light_goes_dark_as_its_round_begins() {
    let changes = [0, 249, 250, 999].map(|since_ms| Rhythm::Wink.changes_in_ms(since_ms));
    assert_eq!(changes, [Some(250), Some(1), Some(750), Some(1)]);
}

/// A board sends a beat below the round; a received frame may contain any value.
#[test]
fn a_beat_beyond_the_round_wraps() {
    let round = Rhythm::ROUND_MS;
    let blinking = |beat| Frame {
        beat,
        turn: [false, true],
        turn_rhythm: Rhythm::Slow,
        ..Frame::default()
    };
    for tick in 0..2 * u64::from(round) {
        let within = blinking(1).turn_seen(tick);
        assert_eq!(blinking(round + 1).turn_seen(tick), within);
    }
}

#[test]
fn only_a_rectangle_has_sides() {
    for layout in layouts() {
        let sides = layout.sides().expect("a rectangle has sides");
        assert_eq!(
            [sides.columns(), sides.rows()],
            [layout.columns(), layout.rows()]
        );
        for point in (0..=u8::MAX).map(Point) {
            assert_eq!(
                sides.has(point),
                point.index() < layout.points(),
                "{layout}"
            );
        }
    }
    let drawn: KnownLayout = "cell 1x1\nways 1,0\noo\n".parse().expect("a drawing");
    assert_eq!(drawn.sides(), None);
}

#[test]
fn points_are_numbered_row_by_row_from_the_top() {
    for layout in layouts() {
        let mut points = layout.iter();
        for row in 0..layout.rows() {
            for column in 0..layout.columns() {
                let point = points.next().expect("there is one at each place");
                assert_eq!(layout.at(column, row), Some(point));
                assert_eq!((layout.column(point), layout.row(point)), (column, row));
                assert!(layout.has(point));
            }
        }
        assert_eq!(points.next(), None);
        assert_eq!(layout.at(layout.columns(), 0), None);
        assert_eq!(layout.at(0, layout.rows()), None);
        for beyond in layout.points()..256 {
            assert!(!layout.has(Point(beyond as u8)));
        }
    }
}

#[test]
fn a_point_is_named_by_column_letter_and_row_from_the_bottom() {
    let name = |layout: Layout, column, row| {
        let point = layout.at(column, row).expect("it is there");
        layout.name(point).to_string()
    };
    assert_eq!(name(Layout::MALDOO, 0, 8), "a1");
    assert_eq!(name(Layout::MALDOO, 3, 6), "d3");
    assert_eq!(name(Layout::MALDOO, 8, 0), "i9");
    let largest = Layout::grid(16, 16).expect("a layout");
    assert_eq!(name(largest, 15, 0), "p16");
    for layout in layouts() {
        for point in layout.iter() {
            let name = layout.name(point).to_string();
            assert_eq!(layout.point(&name), Ok(point));
            assert_eq!(layout.point(&name.to_uppercase()), Ok(point));
        }
    }
}

#[test]
fn a_wrong_point_is_refused_with_the_possible_ones() {
    let layout = Layout::grid(3, 4).expect("a layout");
    for text in [
        "", "1", "a", "a0", "a5", "d1", "A", "1a", "a+1", "a-1", "aa", "a1 ", "é1", "`1", "{1",
    ] {
        let error = layout.point(text).expect_err(text);
        assert_eq!(error.to_string(), "no such point: this board has a1 to c4");
    }
}

#[test]
fn every_colour_has_a_letter_and_a_number_of_its_own() {
    let letters: String = (0..16).map(|index| Colour::new(index).letter()).collect();
    assert_eq!(letters, ".gra456789ABCDEF");
    for index in 0..16 {
        let colour = Colour::new(index);
        assert_eq!(colour.index(), index);
        assert_eq!(u8::from(colour), index);
        assert_eq!(Colour::try_from(index), Ok(colour));
        assert_eq!(Colour::from_letter(colour.letter()), Some(colour));
        assert_eq!(Colour::from_name(colour.name()), Some(colour));
        let loud = colour.name().to_uppercase();
        assert_eq!(Colour::from_name(&loud), Some(colour));
    }
    let names: Vec<&str> = Colour::all().map(Colour::name).collect();
    assert_eq!(names[..4], ["off", "green", "red", "amber"]);
    assert_eq!(names[15], "white");
    assert_eq!(Colour::from_name("grey"), None);
    assert_eq!(Colour::from_letter('x'), None);
    let named = [Colour::OFF, Colour::GREEN, Colour::RED, Colour::AMBER];
    assert_eq!(named.map(Colour::index), [0, 1, 2, 3]);
    assert_eq!(Side::BOTH.map(Colour::from), [Colour::GREEN, Colour::RED]);
}

/// The same within a frame, in each half of a byte, and in a delta.
#[test]
fn an_unknown_rhythm_is_refused() {
    for bits in 0..16_u8 {
        let there_is = usize::from(bits) < Rhythm::ALL.len();
        for byte in [bits, bits << 4, bits << 4 | 7, 0x70 | bits] {
            let rhythms = postcard::from_bytes::<Rhythms>(&[1, byte]);
            assert_eq!(rhythms.is_ok(), there_is, "{byte:#04x}");
        }
        let light = Light::try_from(bits << 4 | 1);
        assert_eq!(light.is_ok(), there_is);
        if let Ok(light) = light {
            let rhythm = Rhythm::ALL[usize::from(bits)];
            assert_eq!((light.colour(), light.rhythm()), (Colour::GREEN, rhythm));
            assert_eq!(light, Light::new(Colour::GREEN, rhythm));
        }
    }
}

#[test]
fn a_roster_has_only_numbers_with_a_character() {
    assert_eq!(Roster::of(&[32, 255]), Roster::NONE);
    assert_eq!(Roster::of(&[0, 31, 32]).len(), 2);
    assert!(Roster::of(&[31]).has(31) && !Roster::of(&[31]).has(32));
    assert!(Roster::NONE.is_empty() && !Roster::of(&[0]).is_empty());
    let refused = |text: &str| text.parse::<Roster>().unwrap_err().to_string();
    let no_game = "no game is named: write their numbers in one word, as in `059`";
    assert_eq!(refused(""), no_game);
    let no_such = "`x` is not a game: write the numbers 0 to 9 and the letters A to V in one word, as in `059`";
    assert_eq!(refused("0x"), no_such);
    assert_eq!(
        refused("0a5A"),
        "game A is named twice: name each game once"
    );
}

#[test]
fn rosters_are_sets_of_numbers() {
    let three = || (0..8_u8).map(|set| (0..3_u8).filter(move |bit| set >> bit & 1 == 1));
    for (one, other) in three().flat_map(|one| three().map(move |other| (one.clone(), other))) {
        let numbers = |set: &mut dyn Iterator<Item = u8>| set.map(|bit| bit * 15).collect();
        let one: BTreeSet<u8> = numbers(&mut one.into_iter());
        let other: BTreeSet<u8> = numbers(&mut other.into_iter());
        let roster = |set: &BTreeSet<u8>| Roster::of(&set.iter().copied().collect::<Vec<_>>());
        let (first, second) = (roster(&one), roster(&other));
        assert_eq!(first.is_within(second), one.is_subset(&other));
        assert_eq!(first.and(second), roster(&(&one & &other)));
        assert_eq!(first.or(second), roster(&(&one | &other)));
        assert_eq!(first.without(second), roster(&(&one - &other)));
        assert!(first.iter().eq(one.iter().copied()));
        assert_eq!((first.len(), first.is_empty()), (one.len(), one.is_empty()));
        assert_eq!(first.first(), one.first().copied().unwrap_or(0));
    }
}

#[test]
fn only_a_reset_restarts_the_board() {
    let layout = Layout::grid(9, 9).expect("a layout");
    assert!(Deed::Reset { seed: 1, layout }.restarts());
    let others = [
        Deed::Input(Input::Pass),
        Deed::Choose(3),
        Deed::Settings(Settings::default()),
    ];
    assert!(others.iter().all(|deed| !deed.restarts()));
}

#[test]
fn an_impossible_game_and_a_missing_one_differ_in_words() {
    let said = |number| Refusal::NoSuchGame(number).to_string();
    assert_eq!(said(31), "there is no game V on this board");
    assert_eq!(said(32), "there is no game 32 on any board");
}

/// Otherwise a message would have two encodings.
#[test]
fn an_unknown_colour_is_refused() {
    for index in 16..=u8::MAX {
        assert!(Colour::try_from(index).is_err());
        assert!(postcard::from_bytes::<Colour>(&[index]).is_err());
    }
}

fn colours() -> impl Strategy<Value = Vec<(u8, u8)>> {
    vec((any::<u8>(), 0..16_u8), 0..300)
}

proptest! {
    #[test]
    fn packing_colours_keeps_them(given in colours()) {
        let (mut packed, mut plain) = (Packed::default(), [Colour::OFF; 256]);
        for (point, colour) in given {
            packed.set(Point(point), Colour::new(colour));
            plain[usize::from(point)] = Colour::new(colour);
        }
        for point in 0..=u8::MAX {
            prop_assert_eq!(packed.get(Point(point)), plain[usize::from(point)]);
        }
        let letters: String = plain.iter().map(|colour| colour.letter()).collect();
        let lit = letters.trim_end_matches('.');
        let said = format!("{packed:?}");
        prop_assert_eq!(said.trim_end_matches('.'), lit);
        // Two points to a byte, up to the last one that is lit.
        prop_assert_eq!(said.len(), lit.len().next_multiple_of(2));
    }
}

#[test]
fn applying_a_delta_yields_the_other_frame() {
    let changes = vec((any::<u8>(), 0..16_u8), 0..40);
    let displays = ("[A-Z]{0,12}", "[A-Z]{0,12}", any::<bool>());
    let rest = (any::<[bool; 2]>(), displays, any::<u16>());
    let cases = (colours(), changes, rest);
    law(Weight::of(256, 50), cases, |(before, changes, rest)| {
        let (turn, (one, other, is_same), beep_hz) = rest;
        let mut frame = Frame {
            display: Text::clipped(&one),
            ..Frame::default()
        };
        for (point, colour) in before {
            frame.points.set(Point(point), Colour::new(colour));
        }
        let mut next = Frame {
            turn,
            beep_hz,
            display: Text::clipped(if is_same { &one } else { &other }),
            ..frame.clone()
        };
        for (point, colour) in changes {
            next.points.set(Point(point), Colour::new(colour));
        }
        let light_of = |frame: &Frame, point| frame.light(Point(point));
        let changed: Vec<Lit> = (0..=u8::MAX)
            .filter(|point| light_of(&frame, *point) != light_of(&next, *point))
            .map(|point| Lit {
                point: Point(point),
                light: light_of(&next, point),
            })
            .collect();
        let Some(delta) = frame.delta(&next) else {
            prop_assert!(changed.len() > 24);
            return Ok(Judged::Nothing);
        };
        prop_assert_eq!(&delta.lit[..], &changed[..]);
        prop_assert_eq!(delta.display.is_some(), frame.display != next.display);
        frame.apply(&delta);
        prop_assert_eq!(frame, next);
        Ok(Judged::if_any(!changed.is_empty()))
    });
}

#[test]
fn a_list_takes_what_fits() {
    let list: List<u8, 3> = (0..5).collect();
    assert_eq!(&list[..], [0, 1, 2]);
    assert!(List::<u8, 3>::new().is_empty());
    assert_eq!(List::<u8, 3>::new(), List::default());
    let mut list = list;
    list.clear();
    assert!(list.is_empty());
}

#[test]
fn a_text_takes_what_fits_and_is_cut_between_characters() {
    assert_eq!(&*Text::<5>::clipped("abcdefg"), "abcde");
    assert_eq!(&*Text::<5>::clipped("abcdé"), "abcd");
    assert_eq!(&*Text::<5>::new(), "");
    let mut text = Text::<5>::new();
    let (number, letters) = (12, "é€");
    assert!(write!(text, "{number}-{letters}").is_ok());
    assert_eq!(format!("{text}|{text:?}|{text:>6}"), "12-é|\"12-é\"|  12-é");
}

/// A device reserves this many bytes.
#[test]
fn the_longest_list_and_text_fit_their_constants() {
    let takes = |bytes: Result<&mut [u8], postcard::Error>| bytes.expect("it fits").len();
    let mut buffer = [0; 1_000];
    let list: List<u16, 3> = [u16::MAX; 3].into_iter().collect();
    assert_eq!(takes(postcard::to_slice(&list, &mut buffer)), 10);
    assert_eq!(List::<u16, 3>::POSTCARD_MAX_SIZE, 10);
    let list: List<u16, 200> = [u16::MAX; 200].into_iter().collect();
    assert_eq!(takes(postcard::to_slice(&list, &mut buffer)), 602);
    assert_eq!(List::<u16, 200>::POSTCARD_MAX_SIZE, 602);
    let text = Text::<5>::clipped("abcde");
    assert_eq!(takes(postcard::to_slice(&text, &mut buffer)), 6);
    assert_eq!(Text::<5>::POSTCARD_MAX_SIZE, 6);
    let text = Text::<200>::clipped(&"a".repeat(200));
    assert_eq!(takes(postcard::to_slice(&text, &mut buffer)), 202);
    assert_eq!(Text::<200>::POSTCARD_MAX_SIZE, 202);
    assert_eq!(Text::<127>::POSTCARD_MAX_SIZE, 128);
    assert_eq!(Text::<128>::POSTCARD_MAX_SIZE, 130);
}

#[test]
fn every_button_is_found_by_its_word_in_any_case() {
    let words = ["game", "time", "speed", "level", "mode", "start", "stop"];
    assert_eq!(Button::ALL.map(Button::name), words);
    for button in Button::ALL {
        assert_eq!(Button::from_name(button.name()), Some(button));
        let upper = button.name().to_uppercase();
        assert_eq!(Button::from_name(&upper), Some(button));
    }
    assert_eq!(Button::from_name("begin"), None);
    assert_eq!(Button::from_name(""), None);
}

#[test]
fn each_side_is_the_other_of_the_other() {
    assert_eq!(Side::BOTH.map(Side::other), [Side::Red, Side::Green]);
    assert_eq!(Side::BOTH.map(Side::index), [0, 1]);
    assert_eq!(Side::BOTH.map(Side::name), ["green", "red"]);
}

#[test]
fn the_larger_score_wins() {
    let of = |green, red| Outcome::by_score([green, red]).name();
    assert_eq!([of(3, 2), of(2, 3), of(2, 2)], ["green", "red", "draw"]);
    assert_eq!(Outcome::by_score([3, 2]), Outcome::Won(Side::Green));
}

proptest! {
    #[test]
    fn legal_points_are_the_set_bits(points in vec(any::<u8>(), 0..40)) {
        let Done::Legal(bytes) = Done::legal(points.iter().copied().map(Point)) else {
            return Err(TestCaseError::fail("another answer"));
        };
        for point in 0..=u8::MAX {
            let byte = bytes.get(usize::from(point / 8)).copied().unwrap_or(0);
            prop_assert_eq!(byte >> (point % 8) & 1 == 1, points.contains(&point));
        }
        prop_assert_ne!(bytes.last(), Some(&0));
    }
}

#[test]
fn every_refusal_and_wire_error_has_its_own_sentence() {
    let refusals = [
        Refusal::NotGreeted,
        Refusal::NotInLockstep,
        Refusal::Layout(Layout::MALDOO),
        Refusal::NoSuchGame(77),
        Refusal::NoSuchMode { mode: 7, modes: 4 },
        Refusal::SettingOutOfRange,
        Refusal::Position,
        Refusal::Snapshot,
        Refusal::Chunk { offset: 4_321 },
        Refusal::Unseen,
        Refusal::Stale { next: 99 },
        Refusal::NoSuchGame(31),
        Refusal::Roster(Roster::of(&[0, 5, 9])),
        Refusal::KeepsNoBest,
        Refusal::FeelsNoFingers,
        Refusal::InLockstep,
        Refusal::NotSimulated,
        Refusal::Faults,
    ];
    let sentences = refusals.map(|refusal| refusal.to_string());
    let named = [
        (2, "9x9"),
        (3, "77"),
        (4, "0 to 3"),
        (8, "4321"),
        (10, "99"),
        (11, "game V"),
        (12, "059"),
    ];
    for (number, words) in named {
        assert!(sentences[number].contains(words), "{}", sentences[number]);
    }
    let errors = [
        WireError::Overlong,
        WireError::Malformed,
        WireError::Damaged,
        WireError::Unknown,
    ];
    let all: Vec<String> = sentences
        .into_iter()
        .chain(errors.map(|error| error.to_string()))
        .collect();
    for (number, sentence) in all.iter().enumerate() {
        assert!(sentence.split(' ').count() > 4, "{sentence}");
        assert!(!all[..number].contains(sentence), "{sentence}");
    }
}

#[test]
fn a_board_shows_095_0_when_it_is_switched_on() {
    let Settings {
        game,
        time,
        speed,
        level,
        mode,
    } = Settings::default();
    assert_eq!([game, time, speed, level, mode], [0, 9, 5, 0, 0]);
}

proptest! {
    #[test]
    fn setting_eight_points_at_once_equals_setting_each(
        before in vec(0..16_u8, 256),
        eight in 0..40_usize,
        which: u8,
        index in 0..16_u8,
    ) {
        let mut frame = Frame::default();
        for (point, index) in (0..=255).map(Point).zip(&before) {
            frame.points.set(point, Colour::new(*index));
            frame.rhythms.set(point, Rhythm::ALL[usize::from(index % 8)]);
        }
        let mut one_by_one = frame.clone();
        let (colour, rhythm) = (Colour::new(index), Rhythm::ALL[usize::from(index % 8)]);
        frame.points.set_eight(eight, which, colour);
        frame.rhythms.set_eight(eight, which, rhythm);
        // Beyond the last point nothing can be set.
        for bit in (0..8).filter(|bit| eight < 32 && which & (1 << bit) != 0) {
            let point = Point((8 * eight + bit) as u8);
            one_by_one.points.set(point, colour);
            one_by_one.rhythms.set(point, rhythm);
        }
        prop_assert_eq!(frame, one_by_one);
    }
}
