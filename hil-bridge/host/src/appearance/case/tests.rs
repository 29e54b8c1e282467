use protocol::{GridSize, Sketch};

use super::*;

const HEXAGON: &str = include_str!("../../../../../tests/drawings/hexagon.txt");
const RING: &str = include_str!("../../../../../tests/drawings/ring.txt");

#[test]
fn every_point_of_every_grid_is_on_the_field() {
    for columns in 1..=GridSize::MAX {
        for rows in 1..=GridSize::MAX {
            let plan = CasePlan::new(Layout::grid(columns, rows).unwrap());
            for point in plan.layout().iter() {
                let place = plan.point(point);
                assert!(place.abs().lower_than(plan.field() / 2.0).all());
                assert!(plan.outline().distance(place) < -MARGIN);
                assert_eq!(plan.under(place), Some(point));
                let nudge = flat(0.3, -0.3) * plan.pitch();
                assert_eq!(plan.under(place + nudge), Some(point));
            }
        }
    }
}

#[test]
fn every_point_of_a_drawing_is_on_the_field() {
    for text in [HEXAGON, RING] {
        let layout = text.parse::<Sketch>().unwrap().keep().unwrap();
        let plan = CasePlan::new(*layout);
        let half = plan.field() / 2.0;
        for point in layout.iter() {
            let place = plan.point(point);
            let inner = half - Flat::splat(plan.pitch() / 2.0 - 1e-4);
            assert!(place.abs().lower_than(inner).all());
            let nudge = flat(0.25, -0.25) * plan.pitch();
            assert_eq!(plan.under(place + nudge), Some(point));
            for other in layout.iter().filter(|other| *other != point) {
                let away = (place - plan.point(other)).length();
                assert!(away > 0.999 * plan.pitch(), "{point:?} {other:?}");
            }
        }
        for point in layout.iter() {
            let place = plan.point(point);
            // A rounded corner is a polygon, whose sides are that much nearer than its
            // corners.
            let steps = 4e-3;
            let away = -plan.outline().distance(place);
            assert!(away > MARGIN + plan.pitch() / 2.0 - steps, "{away}");
        }
    }
}

#[test]
fn corners_beside_a_hexagon_have_no_points() {
    let layout = HEXAGON.parse::<Sketch>().unwrap().keep().unwrap();
    let plan = CasePlan::new(*layout);
    let corner = plan.point(layout.point("a5").unwrap()).x;
    let row = plan.point(layout.point("e9").unwrap()).y;
    assert_eq!(plan.under(flat(corner, row)), None);
}

#[test]
fn a_finger_between_points_or_off_the_field_misses() {
    let plan = CasePlan::new(Layout::MALDOO);
    assert_eq!(plan.under(flat(0.5, 0.5)), None);
    assert_eq!(plan.under(flat(5.2, 0.0)), None);
    assert_eq!(plan.under(flat(0.0, -6.0)), None);
}

#[test]
fn every_board_has_its_own_case_with_room_for_the_console() {
    let grid = |columns, rows| CasePlan::new(Layout::grid(columns, rows).unwrap());
    let hexagon = CasePlan::new(*HEXAGON.parse::<Sketch>().unwrap().keep().unwrap());
    let plans = [grid(9, 9), grid(12, 8), grid(16, 16), grid(3, 3), hexagon];
    let sizes = plans.each_ref().map(|plan| {
        let [least, most] = plan.outline().extent();
        most - least
    });
    for (index, one) in sizes.iter().enumerate() {
        assert!(one.x >= PANEL_WIDTH - 1e-3);
        for other in &sizes[..index] {
            let apart = (*one - *other).abs();
            assert!(apart.x.max(apart.y) > 0.2, "{one:?} {other:?}");
        }
    }
    // A board with few points tapers towards the player, and the case of a hexagon has
    // its corners.
    let front = |plan: &CasePlan| {
        let half = plan
            .outline()
            .middles()
            .iter()
            .filter(|middle| middle.y > 0.0);
        half.map(|middle| middle.x.abs()).fold(0.0, f32::max)
    };
    assert!(front(&plans[3]) < front(&plans[0]) - 1.0);
    assert!(plans[4].outline().middles().len() > 8);
}

#[test]
fn the_first_point_is_the_far_left_one() {
    let plan = CasePlan::new(Layout::MALDOO);
    let place = plan.point(Point(0));
    assert!(place.x < 0.0 && place.y < 0.0);
}

#[test]
fn parts_on_the_plate_neither_overlap_nor_leave_it() {
    let drawn = [HEXAGON, RING].map(|text| *text.parse::<Sketch>().unwrap().keep().unwrap());
    let grids = [(3, 3), (8, 8), (9, 9), (12, 8), (16, 16)];
    let grids = grids.map(|(columns, rows)| Layout::grid(columns, rows).unwrap());
    for layout in grids.into_iter().chain(drawn) {
        let plan = CasePlan::new(layout);
        let plate = plan.plate();
        // Centres, and half the width and depth of each part.
        let dome = Flat::splat(DOME * plan.pitch());
        let points = layout.iter().map(|point| (plan.point(point), dome));
        let buttons = Button::ALL.map(|button| (plan.button(button), BUTTON_CAP / 2.0));
        let lamps = plan
            .turn_lights()
            .map(|lamp| (lamp, Flat::splat(TURN_LIGHT)));
        let screws = plan.screws().map(|screw| (screw, Flat::splat(SCREW)));
        let all: Vec<(Flat, Flat)> = points
            .chain(buttons)
            .chain(lamps)
            .chain(screws)
            .chain([(plan.display(), DISPLAY / 2.0)])
            .collect();
        for (index, (place, half)) in all.iter().enumerate() {
            for corner in [flat(-1.0, -1.0), flat(1.0, -1.0), flat(1.0, 1.0)] {
                assert!(
                    plate.distance(*place + corner.component_mul(*half)) < 0.0,
                    "{place:?}"
                );
            }
            for (other, reach) in &all[..index] {
                let apart = (*place - *other).abs() - (*half + *reach);
                assert!(
                    apart.x.max(apart.y) > 0.0,
                    "{layout:?}: {place:?} and {other:?}"
                );
            }
        }
    }
}
