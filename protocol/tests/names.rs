//! Names of points on drawings.

use std::collections::BTreeMap;

use law::{Judged, Weight, law};
use proptest::prelude::*;
use protocol::{KnownLayout, Name, Place, Sketch};

/// The names in the layout of the picture, each row from the left.
fn names(picture: &str) -> String {
    let layout: KnownLayout = picture.parse().unwrap();
    let rows = layout.in_rows().map(|points| {
        let names = points.map(|point| layout.name(point).to_string());
        names.collect::<Vec<_>>().join(" ")
    });
    rows.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_mill_board_has_the_rows_and_columns_of_its_grid() {
    let mill = "cell 4x4\nways 1,0 0,1\no  o  o\n o o o\n  ooo\nooo ooo\n  ooo\n o o o\no  o  o\n";
    assert_eq!(
        names(mill),
        "a7 d7 g7\nb6 d6 f6\nc5 d5 e5\na4 b4 c4 e4 f4 g4\nc3 d3 e3\nb2 d2 f2\na1 d1 g1"
    );
}

#[test]
fn a_rhombus_has_the_lines_along_its_sides() {
    let rhombus = "cell 7x4\nways 1,1 0,2\n  o\n o o\no o o\n o o\n  o\n";
    assert_eq!(names(rhombus), "c3\nb3 c2\na3 b2 c1\na2 b1\na1");
    let leaning = "cell 4x7\nways 2,0 1,1\n  o o o\n o o o\no o o\n";
    assert_eq!(names(leaning), "a3 b3 c3\na2 b2 c2\na1 b1 c1");
}

#[test]
fn hexagons_and_triangles_have_columns_leaning_left() {
    let hexagon = "cell 4x7\nways 2,0 1,1\n o o\no o o\n o o\n";
    assert_eq!(names(hexagon), "b3 c3\na2 b2 c2\na1 b1");
    let triangle = "cell 4x7\nways 2,0 1,1\n  o\n o o\no o o\n";
    assert_eq!(names(triangle), "c3\nb2 c2\na1 b1 c1");
}

#[test]
fn gaps_in_a_rectangle_are_counted() {
    let cross = "cell 4x4\nways 1,0 0,1\n o\nooo\n o\n";
    assert_eq!(names(cross), "b3\na2 b2 c2\nb1");
}

#[test]
fn points_without_lines_are_named_by_height_and_distance() {
    let scattered = "cell 1x1\nways\no\n   o\n         o\n  o\n         o\n";
    assert_eq!(names(scattered), "a5\nc4\nd3\nb2\nd1");
}

#[test]
fn a_point_slightly_off_its_line_is_on_it() {
    let aside = "cell 1x1\nways\no   o    o\n\n\n\no   o   o\n\n\n\no   o   o\n";
    assert_eq!(names(aside), "a3 b3 c3\na2 b2 c2\na1 b1 c1");
}

#[test]
fn points_slightly_further_apart_still_show_a_direction() {
    let leaning = "cell 8x8\nways\no\n  o\no\n";
    assert_eq!(names(leaning), "a2\nb1\na1");
}

#[test]
fn of_equally_few_columns_the_more_upright_ones_count() {
    let bent = "cell 3x2\nways\no\n o\n\no\n";
    assert_eq!(names(bent), "a2\nb2\na1");
}

/// The places of squares of this width, turned counter-clockwise by this angle and
/// rounded to whole numbers, and the expected names of their points.
fn turned_squares(degrees: i32, pitch: u8, [columns, rows]: [u8; 2]) -> (Vec<Place>, Vec<Name>) {
    let (sine, cosine) = f64::from(degrees).to_radians().sin_cos();
    let names = (0..rows).flat_map(|row| (0..columns).map(move |column| Name { row, column }));
    let turned = |name: Name| {
        let [right, up] = [name.column, name.row].map(|lines| f64::from(lines) * f64::from(pitch));
        let x = right * cosine - up * sine;
        let y = -(right * sine + up * cosine);
        ([x, y].map(|far| far.round() as i16), name)
    };
    let points: Vec<([i16; 2], Name)> = names.map(turned).collect();
    let least = |axis: usize| points.iter().map(|(at, _)| at[axis]).min().unwrap();
    let [left, top] = [0, 1].map(least);
    let placed = |([x, y], name): &([i16; 2], Name)| {
        let [x, y] = [x - left, y - top].map(|far| u8::try_from(far).unwrap());
        (Place { y, x }, *name)
    };
    let in_order: BTreeMap<Place, Name> = points.iter().map(placed).collect();
    in_order.into_iter().unzip()
}

/// The names of points at these places.
fn names_at(places: Vec<Place>) -> Vec<Name> {
    let sketch = Sketch {
        places,
        ..Sketch::default()
    };
    let layout = sketch.keep().unwrap();
    layout.iter().map(|point| layout.name(point)).collect()
}

#[test]
fn turned_squares_have_their_own_rows_and_columns() {
    let squares = (-40..=40_i32, 8..=16_u8, [3..=6_u8, 3..=6]);
    law(Weight::of(200, 90), squares, |(degrees, pitch, sides)| {
        let (places, names) = turned_squares(degrees, pitch, sides);
        prop_assert_eq!(names_at(places), names);
        Ok(Judged::if_any(degrees != 0))
    });
}

/// The neighbours here lie in more directions than are considered.
#[test]
fn the_most_frequent_rounded_directions_are_lines() {
    for (degrees, pitch) in [
        (-40, 11),
        (-35, 9),
        (-30, 15),
        (-23, 8),
        (-15, 11),
        (22, 12),
    ] {
        let (places, names) = turned_squares(degrees, pitch, [6, 6]);
        assert_eq!(names_at(places), names, "{degrees} degrees, {pitch} wide");
    }
}

fn places() -> impl Strategy<Value = Vec<Place>> {
    let place = (0_u8..40, 0_u8..40).prop_map(|(x, y)| Place { x, y });
    proptest::collection::btree_set(place, 1..80).prop_map(|places| {
        let left = places.iter().map(|place| place.x).min().unwrap_or_default();
        let top = places.iter().map(|place| place.y).min().unwrap_or_default();
        let moved = places.into_iter().map(|place| Place {
            x: place.x - left,
            y: place.y - top,
        });
        moved.collect()
    })
}

#[test]
fn every_name_belongs_to_one_point() {
    law(Weight::of(100, 90), places(), |places| {
        let sketch = Sketch {
            places,
            ..Sketch::default()
        };
        let layout = sketch.keep().unwrap();
        for point in layout.iter() {
            let name = layout.name(point).to_string();
            prop_assert_eq!(layout.point(&name), Ok(point));
            prop_assert_eq!(layout.point(&name.to_uppercase()), Ok(point));
        }
        Ok(Judged::if_any(layout.points() > 1))
    });
}

#[test]
fn names_do_not_depend_on_scale() {
    law(
        Weight::of(100, 90),
        (places(), 2_u8..6),
        |(places, scale)| {
            let names = |by: u8| {
                let place = |place: &Place| Place {
                    x: place.x * by,
                    y: place.y * by,
                };
                names_at(places.iter().map(place).collect())
            };
            prop_assert_eq!(names(1), names(scale));
            Ok(Judged::if_any(places.len() > 1))
        },
    );
}
