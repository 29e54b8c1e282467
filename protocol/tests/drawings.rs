//! Drawn layouts: their texts, their bytes, and the names of their points.

use std::collections::BTreeSet;

use law::{Judged, Weight, law};
use proptest::prelude::*;
use protocol::{
    DRAWING_BYTES, Drawing, DrawingError, GAME_BYTES, KnownLayout, Layout, MAX_POINTS, MAX_WAYS,
    Place, Point, Sketch, SketchProblem, Way, drawing_bytes,
};

/// Five points on each side: 61 points and six ways.
const HEXAGON: &str = include_str!("../../tests/drawings/hexagon.txt");

fn hexagon() -> KnownLayout {
    HEXAGON.parse().unwrap()
}

#[test]
fn a_hexagon_drawn_by_hand_has_its_points_names_and_neighbours() {
    let layout = hexagon();
    assert_eq!(
        (layout.points(), layout.columns(), layout.rows()),
        (61, 9, 9)
    );
    let [a1, e5, i5] = ["a1", "e5", "i5"].map(|name| layout.point(name).unwrap());
    assert_eq!(layout.place(a1), Some(Place { x: 16, y: 56 }));
    assert_eq!(layout.place(i5), Some(Place { x: 64, y: 28 }));
    assert!(
        layout.point("f1").is_err(),
        "the lowest row has five points"
    );
    assert!(layout.point("d9").is_err(), "the highest begins at e9");
    assert_eq!(layout.point_by_rows("d9"), layout.point("h9"));
    let drawing = layout.drawing().unwrap().as_drawing();
    let beside = |point| {
        let ways = (0..drawing.ways()).filter_map(move |way| drawing.step(point, way));
        ways.map(|point| layout.name(point).to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(beside(e5), ["f5", "e4", "d4", "d5", "e6", "f6"]);
    assert_eq!(beside(a1), ["b1", "a2", "b2"]);
    assert_eq!(
        layout.point("z9").unwrap_err().to_string(),
        "no such point: this board has columns a to i and rows 1 to 9; row 9 goes from e9 to i9"
    );
}

#[test]
fn a_drawing_is_written_as_the_text_it_was_read_from() {
    assert_eq!(hexagon().to_text(), HEXAGON);
    let text = "cell 3x3\nways 1,0 diagonal 1,1\noo o\n ooo\nleads a2 1 -\nleads c1 0 a2\n";
    let layout: KnownLayout = text.parse().unwrap();
    assert_eq!(layout.to_text(), text);
}

#[test]
fn a_wrong_drawing_is_refused_with_its_line() {
    let refused = |text: &str| text.parse::<Sketch>().unwrap_err().to_string();
    let head = "cell 1x1\nways 1,0\n";
    let many = format!("cell 1x1\nways{}\no\n", " 1,0".repeat(MAX_WAYS + 1));
    let long = format!("cell 9x1\nways 1,0\n{}\n", "o".repeat(40));
    let all = [
        refused(""),
        refused("cell 1x1"),
        refused("cell 0x1\n"),
        refused("cell 1x1\nroads 1,0\n"),
        refused("cell 1x1\nways 1;0\n"),
        refused(&many),
        refused(&format!("{head}o x\n")),
        refused(&format!("{head}\n")),
        refused(&long),
        refused(&format!("{head}oo\nleads a1 0\n")),
        refused(&format!("{head}oo\nleads a1 1 b1\n")),
        refused(&format!("{head}oo\nleads a1 0 c1\n")),
        refused(&format!("{head}oo\ngame 0g\n")),
        refused(&format!("{head}oo\ngame {}\n", "00".repeat(GAME_BYTES + 1))),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

/// The position of a picture in its text does not matter.
#[test]
fn indentation_of_a_picture_does_not_matter() {
    let drawn: Sketch = "cell 3x2\nways 1,0\n o\no o\n".parse().unwrap();
    let indented: Sketch = "cell 3x2\nways 1,0\n\n\n    o\n   o o\n".parse().unwrap();
    assert_eq!(indented, drawn);
    let mut moved = drawn.clone();
    for place in &mut moved.places {
        *place = Place {
            x: place.x + 7,
            y: place.y + 5,
        };
    }
    assert_eq!(moved.to_string(), drawn.to_string());
}

#[test]
fn each_way_of_a_sketch_is_its_most_frequent_step() {
    // Only the first of four steps to the right goes further.
    let text = "cell 2x2\nways 1,0\nooooo\no\nleads a2 0 e2\n";
    let layout: KnownLayout = text.parse().unwrap();
    let sketch = Sketch::of(layout.drawing().unwrap().as_drawing());
    assert_eq!(
        sketch.ways,
        [Way {
            dx: 2,
            dy: 0,
            straight: true
        }]
    );
    assert_eq!(sketch.steps.len(), 1);
    assert_eq!(layout.to_text(), text);
}

#[test]
fn a_drawing_has_at_most_256_points() {
    let places = (0..=16).flat_map(|y| (0..16).map(move |x| Place { x, y }));
    let of = |points: usize| Sketch {
        places: places.clone().take(points).collect(),
        ..Sketch::default()
    };
    assert!(of(256).bytes().is_ok());
    for points in [0, 257, 272] {
        assert_eq!(of(points).bytes(), Err(DrawingError::Points), "{points}");
    }
}

#[test]
fn the_largest_ways_and_game_are_accepted() {
    let ways = " 1,0".repeat(MAX_WAYS);
    let game = format!("game {}\n", "07".repeat(GAME_BYTES));
    let text = format!("cell 1x1\nways{ways}\noo\n{game}");
    let layout: KnownLayout = text.parse().unwrap();
    let drawing = layout.drawing().unwrap().as_drawing();
    assert_eq!(drawing.ways(), MAX_WAYS);
    assert_eq!(drawing.game(), Some(&[7; GAME_BYTES][..]));
    let [left, right] = [Point(0), Point(1)];
    assert_eq!(drawing.step(left, MAX_WAYS - 1), Some(right));
    assert_eq!(drawing.step(left, MAX_WAYS), None, "no such way");
    assert_eq!(drawing.step(Point(2), 0), None, "no such point");
    assert!(drawing.is_straight(MAX_WAYS - 1) && !drawing.is_straight(MAX_WAYS));
    let without: KnownLayout = "cell 1x1\nways 1,0\noo\n".parse().unwrap();
    assert_eq!(without.drawing().unwrap().as_drawing().game(), None);
    let one_more: Result<Sketch, _> = format!("{text}game 07\n").parse();
    assert!(one_more.is_err());
}

#[test]
fn the_largest_drawings_fit_their_constants() {
    let way = Way {
        dx: 1,
        dy: 0,
        straight: true,
    };
    for points in [1, 2, 61, MAX_POINTS] {
        let place = |point: usize| Place {
            x: (point % 16) as u8,
            y: (point / 16) as u8,
        };
        let mut sketch = Sketch {
            places: (0..points).map(place).collect(),
            ways: vec![way; MAX_WAYS],
            ..Sketch::default()
        };
        let without = sketch.bytes().unwrap().len();
        assert_eq!(without, drawing_bytes(points));
        sketch.game = vec![7; GAME_BYTES];
        let with = sketch.bytes().unwrap().len();
        let less = drawing_bytes(MAX_POINTS) - without;
        assert_eq!(with, DRAWING_BYTES - less, "{points} points");
    }
}

#[test]
fn a_grid_is_written_as_two_numbers() {
    let nine = Layout::grid(9, 16).unwrap();
    let nine = Ok(KnownLayout::from(nine));
    assert_eq!("9x16".parse(), nine);
    assert_eq!("9X16".parse(), nine);
    for text in [
        "+9x16", "9x+16", "9", "x9", "9x", "9x16x1", "17x2", "0x2", "-1x2",
    ] {
        assert!(text.parse::<KnownLayout>().is_err(), "{text}");
    }
}

#[test]
fn the_sentence_about_a_wrong_point_outlives_the_drawing() {
    let known: KnownLayout = "cell 3x7\nways 1,0\n oo\nooo\n".parse().unwrap();
    let (layout, error) = (*known, known.point("a2").unwrap_err());
    let sentence = error.to_string();
    assert!(sentence.ends_with("row 2 goes from b2 to c2"), "{sentence}");
    drop(known);
    assert_eq!(layout.drawing(), None);
    assert_eq!(error.to_string(), sentence);
}

#[test]
fn a_wrong_exception_of_a_drawing_names_its_line_and_the_points() {
    let wrong = "cell 3x8\nways 1,0\n oo\nooo\nleads a2 0 -\n".parse::<Sketch>();
    let error = wrong.unwrap_err();
    assert!(matches!(error.what, SketchProblem::Point(_)), "{error:?}");
    assert_eq!(
        error.to_string(),
        "line 5 of the drawing: no such point: this board has columns a to c and rows 1 to 2; row 2 goes from b2 to c2"
    );
}

/// Any drawing: points in a field, and ways that lead to arbitrary points.
fn sketches() -> impl Strategy<Value = Sketch> {
    let place = (0..40_u8, 0..40_u8).prop_map(|(x, y)| Place { x, y });
    let way = (-5..6_i16, -5..6_i16, any::<bool>());
    let way = way.prop_map(|(dx, dy, straight)| Way { dx, dy, straight });
    let step = (any::<u8>(), any::<u8>(), proptest::option::of(any::<u8>()));
    (
        proptest::collection::btree_set(place, 1..120),
        proptest::collection::vec(way, 0..=MAX_WAYS),
        proptest::collection::vec(step, 0..12),
        proptest::collection::vec(any::<u8>(), 0..200),
    )
        .prop_map(|(places, ways, steps, game)| {
            let left = places.iter().map(|place| place.x).min().unwrap();
            let top = places.iter().map(|place| place.y).min().unwrap();
            let at_zero = |place: Place| Place {
                x: place.x - left,
                y: place.y - top,
            };
            let points = places.len();
            let point = |number: u8| Point((usize::from(number) % points) as u8);
            let told = |(from, way, to): (u8, u8, Option<u8>)| {
                let way = usize::from(way).checked_rem(ways.len())?;
                Some(((point(from), way), to.map(point)))
            };
            Sketch {
                steps: steps.into_iter().filter_map(told).collect(),
                places: places.iter().copied().map(at_zero).collect(),
                ways,
                game,
            }
        })
}

#[test]
fn a_drawing_survives_its_text_and_its_bytes() {
    law(Weight::of(256, 75), sketches(), |sketch| {
        let bytes = sketch.bytes().unwrap();
        let drawing = Drawing::new(&bytes).unwrap();
        prop_assert!(bytes.len() <= DRAWING_BYTES);
        prop_assert_eq!(Sketch::of(drawing).bytes().unwrap(), bytes.clone());
        let layout = drawing.keep().unwrap();
        prop_assert_eq!(layout.drawing().unwrap().as_drawing(), drawing);
        let read: KnownLayout = layout.to_text().parse().unwrap();
        prop_assert_eq!(read, layout);
        let mut longer = bytes.clone();
        longer.extend([7; 9]);
        prop_assert_eq!(Drawing::first(&longer), Ok(drawing));
        Ok(Judged::if_any(drawing.ways() > 0))
    });
}

#[test]
fn every_point_of_a_drawing_has_a_name_of_its_own() {
    law(Weight::of(128, 100), sketches(), |sketch| {
        let layout = sketch.keep().unwrap();
        let mut names = BTreeSet::new();
        for point in layout.iter() {
            let name = layout.name(point).to_string();
            prop_assert_eq!(layout.point(&name), Ok(point));
            prop_assert_eq!(
                layout.at(layout.column(point), layout.row(point)),
                Some(point)
            );
            names.insert(name);
        }
        prop_assert_eq!(names.len(), layout.points());
        prop_assert!(layout.in_rows().flatten().eq(layout.iter()));
        Ok(Judged::Something)
    });
}

#[test]
fn invalid_bytes_of_a_drawing_are_refused() {
    let layout = hexagon();
    let bytes = layout.drawing().unwrap().as_drawing().bytes().to_vec();
    let changed = |place: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[place] = value;
        Drawing::new(&bytes).map(drop)
    };
    assert_eq!(Drawing::new(&bytes[..9]).unwrap_err(), DrawingError::Length);
    assert_eq!(Drawing::new(&[]).unwrap_err(), DrawingError::Length);
    assert_eq!(changed(0, 59), Err(DrawingError::Length));
    assert_eq!(changed(1, 13), Err(DrawingError::Ways));
    assert_eq!(changed(3, 1), Err(DrawingError::Ways));
    assert_eq!(changed(4, 255), Err(DrawingError::Order));
    assert_eq!(changed(6, 0), Err(DrawingError::Order));
    assert_eq!(changed(bytes.len() - 1, 61), Err(DrawingError::NoSuchPoint));
}

#[test]
fn a_layout_without_known_drawing_has_points_and_names() {
    let unknown = Layout::Drawn { points: 61, id: 1 };
    assert_eq!(unknown.drawing(), None);
    assert_eq!(unknown.place(Point(0)), None);
    assert_eq!(unknown.name(Point(60)).to_string(), "bi1");
    assert_eq!(unknown.point("bi1"), Ok(Point(60)));
    assert_eq!(unknown.to_text(), "drawn 00000001 of 61 points");
}
