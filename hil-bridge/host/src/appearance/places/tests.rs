use drawings::{drawn, hexagon, layouts, ring};
use law::{Judged, Weight, law};
use proptest::prelude::*;

use super::*;

fn grid(columns: u8, rows: u8) -> KnownLayout {
    let layout = Layout::grid(columns, rows);
    layout.expect("the sides are in range").into()
}

/// The names of the points that the cursor reaches with these arrows.
fn walk(layout: KnownLayout, from: &str, arrows: &[Arrow]) -> Vec<String> {
    let places = Places::new(layout.clone());
    let mut at = layout.point(from).expect("it is on the board");
    let mut step = |arrow: &Arrow| {
        at = places.next(at, *arrow).unwrap_or(at);
        layout.name(at).to_string()
    };
    arrows.iter().map(&mut step).collect()
}

#[test]
fn an_arrow_moves_strictly_in_its_direction() {
    law(Weight::of(300, 90), layouts(), |layout| {
        let places = Places::new(layout.clone());
        let mut steps = 0;
        for from in layout.iter() {
            for arrow in Arrow::ALL {
                let Some(to) = places.next(from, arrow) else {
                    continue;
                };
                prop_assert!(layout.has(to));
                let [from, to] = [from, to].map(|point| places.spot(point));
                let is_that_way = match arrow {
                    Arrow::Left => to.x < from.x,
                    Arrow::Right => to.x > from.x,
                    Arrow::Up => to.y < from.y,
                    Arrow::Down => to.y > from.y,
                };
                prop_assert!(is_that_way, "{arrow:?} from {from:?} to {to:?}");
                steps += 1;
            }
        }
        Ok(Judged::if_any(steps > 0))
    });
}

#[test]
fn arrows_reach_every_point_from_every_other() {
    law(Weight::of(300, 90), layouts(), |layout| {
        let places = Places::new(layout.clone());
        for from in layout.iter() {
            let mut reached = vec![from];
            let mut more = vec![from];
            while let Some(point) = more.pop() {
                for to in Arrow::ALL.map(|arrow| places.next(point, arrow)) {
                    let new = to.filter(|to| !reached.contains(to));
                    reached.extend(new);
                    more.extend(new);
                }
            }
            prop_assert_eq!(reached.len(), layout.points(), "from {:?}", from);
        }
        Ok(Judged::if_any(layout.points() > 1))
    });
}

#[test]
fn on_a_rectangle_arrows_go_to_the_neighbour() {
    for (columns, rows) in [(9, 9), (4, 4), (16, 16), (5, 16), (1, 7), (1, 1)] {
        let layout = Layout::grid(columns, rows).expect("the sides are in range");
        let places = Places::new(layout);
        for from in layout.iter() {
            let (column, row) = (layout.column(from), layout.row(from));
            let expected = [
                column
                    .checked_sub(1)
                    .and_then(|column| layout.at(column, row)),
                layout.at(column + 1, row),
                row.checked_sub(1).and_then(|row| layout.at(column, row)),
                layout.at(column, row + 1),
            ];
            let found = Arrow::ALL.map(|arrow| places.next(from, arrow));
            assert_eq!(found, expected, "{layout} {from:?}");
        }
    }
}

#[test]
fn on_hexagons_sideways_arrows_stay_in_the_row() {
    let layout = hexagon();
    let places = Places::new(layout.clone());
    for from in layout.iter() {
        for (arrow, back) in [(Arrow::Right, Arrow::Left), (Arrow::Left, Arrow::Right)] {
            if let Some(to) = places.next(from, arrow) {
                assert_eq!(layout.row(to), layout.row(from));
                assert_eq!(places.next(to, back), Some(from));
            }
        }
    }
    let end = layout.point("i9").expect("it is on the board");
    assert_eq!(places.next(end, Arrow::Right), None);
}

#[test]
fn on_hexagons_vertical_arrows_follow_one_line() {
    let up = walk(hexagon(), "c1", &[Arrow::Up; 8]);
    assert_eq!(up, ["c2", "d3", "d4", "e5", "e6", "f7", "f8", "g9"]);
    let down = walk(hexagon(), "g9", &[Arrow::Down; 8]);
    assert_eq!(down, ["f8", "f7", "e6", "e5", "d4", "d3", "c2", "c1"]);
}

#[test]
fn on_a_ring_arrows_go_around_and_to_the_middle() {
    let right_and_down = [
        Arrow::Right,
        Arrow::Right,
        Arrow::Down,
        Arrow::Down,
        Arrow::Left,
    ];
    let names = walk(ring(), "c7", &right_and_down);
    assert_eq!(names, ["d6", "e5", "e4", "e3", "d2"]);
    assert_eq!(
        walk(ring(), "a4", &[Arrow::Right, Arrow::Right]),
        ["c4", "e4"]
    );
    assert_eq!(
        walk(ring(), "c7", &[Arrow::Down, Arrow::Down]),
        ["c4", "c1"]
    );
}

#[test]
fn a_cursor_begins_in_the_middle() {
    for (layout, name) in [
        (grid(9, 9), "e5"),
        (grid(16, 16), "i8"),
        (grid(5, 16), "c8"),
        (hexagon(), "e5"),
        (ring(), "c4"),
    ] {
        let middle = Places::new(layout.clone()).middle();
        assert_eq!(layout.name(middle).to_string(), name);
    }
}

#[test]
fn the_nearest_points_are_one_pitch_apart() {
    law(Weight::of(300, 90), layouts(), |layout| {
        let places = Places::new(layout.clone());
        let mut least = f32::INFINITY;
        for one in layout.iter() {
            for other in layout.iter().filter(|other| *other != one) {
                let [one, other] = [one, other].map(|point| places.spot(point));
                least = least.min((one.x - other.x).hypot(one.y - other.y));
            }
            prop_assert_eq!(
                places.near(places.spot(one)).map(|(point, _)| point),
                Some(one)
            );
        }
        let has_two = layout.points() > 1;
        prop_assert!(!has_two || (least - 1.0).abs() < 1e-4, "{least}");
        Ok(Judged::if_any(has_two))
    });
}

#[test]
fn cells_of_any_size_do_not_overlap() {
    let cases = (layouts(), 1..=12_u16, 1..=6_u16);
    law(Weight::of(300, 90), cases, |(layout, wide, high)| {
        let cells = Places::new(layout.clone()).cells(wide, high);
        for (index, one) in cells.iter().enumerate() {
            for other in &cells[..index] {
                let is_apart = one.0.abs_diff(other.0) >= wide || one.1.abs_diff(other.1) >= high;
                prop_assert!(is_apart, "{one:?} {other:?}");
            }
        }
        Ok(Judged::if_any(layout.points() > 1))
    });
}

#[test]
fn rows_of_hexagons_are_shifted_by_half_a_cell() {
    let layout = Layout::MALDOO;
    let cells = Places::new(layout).cells(4, 2);
    for (point, cell) in layout.iter().zip(cells) {
        let [column, row] = [layout.column(point), layout.row(point)].map(u16::from);
        assert_eq!(cell, (4 * column, 2 * row));
    }
    let layout = hexagon();
    let cells = Places::new(layout.clone()).cells(4, 2);
    for (point, cell) in layout.iter().zip(cells) {
        let [column, row] = [layout.column(point), layout.row(point)].map(u16::from);
        assert_eq!(cell, (4 * column + 2 * row.abs_diff(4), 2 * row));
    }
}

#[test]
fn the_outline_surrounds_all_points() {
    law(Weight::of(300, 60), layouts(), |layout| {
        let places = Places::new(layout.clone());
        let outline = places.outline();
        let next = outline.iter().cycle().skip(1);
        for (one, two) in outline.iter().zip(next) {
            for spot in layout.iter().map(|point| places.spot(point)) {
                let turn = (two.x - one.x) * (spot.y - one.y) - (two.y - one.y) * (spot.x - one.x);
                prop_assert!(turn > -1e-3, "{spot:?} is outside of {one:?} to {two:?}");
            }
        }
        Ok(Judged::if_any(outline.len() > 2))
    });
    assert_eq!(Places::new(hexagon()).outline().len(), 6);
    assert_eq!(Places::new(ring()).outline().len(), 12);
}

#[test]
fn lines_join_neighbours_without_crossing_a_third_point() {
    let hexagon = Places::new(hexagon());
    assert_eq!(hexagon.lines().len(), 156);
    let ring = Places::new(ring());
    assert_eq!(ring.lines().len(), 24);
    // A row of five points whose two ends are also neighbours.
    let around = drawn("cell 1x1\nways 2,0\no o o o o\nleads e1 0 a1\n");
    assert_eq!(Places::new(around).lines().len(), 4);
    assert_eq!(Places::new(Layout::MALDOO).lines().len(), 0);
}

#[test]
fn rows_and_columns_are_labelled_at_their_ends() {
    let names = |layout: Layout, edge| {
        let names = edge_names(layout).into_iter();
        let names = names.filter(|name| name.edge == edge);
        let at = names.map(|name| format!("{} {}", name.text, layout.name(name.point)));
        at.collect::<Vec<_>>().join(", ")
    };
    let (hexagon, ring) = (hexagon(), ring());
    let square = Layout::grid(3, 2).unwrap();
    assert_eq!(names(square, NameSide::Left), "1 a1, 2 a2");
    assert_eq!(names(square, NameSide::Right), "");
    assert_eq!(names(square, NameSide::Below), "a a1, b b1, c c1");
    assert_eq!(
        names(*hexagon, NameSide::Left),
        "1 a1, 2 a2, 3 a3, 4 a4, 5 a5, 6 b6, 7 c7, 8 d8, 9 e9"
    );
    assert_eq!(names(*hexagon, NameSide::Right), "f f2, g g3, h h4, i i5");
    assert_eq!(
        names(*hexagon, NameSide::Below),
        "a a1, b b1, c c1, d d1, e e1"
    );
    // The columns of a ring are vertical, so all their letters are below.
    assert_eq!(names(*ring, NameSide::Right), "");
    assert_eq!(
        names(*ring, NameSide::Below),
        "a a3, b b2, c c1, d d2, e e3"
    );
}

#[test]
fn overlapping_letters_are_left_out() {
    let names = edge_names(Layout::grid(3, 1).unwrap());
    let shown = |pitch: u16| {
        let below = below(&names, |point| pitch * u16::from(point.0));
        below.map(|name| name.text.clone()).collect::<String>()
    };
    assert_eq!(shown(2), "abc");
    assert_eq!(shown(1), "ac");
}
