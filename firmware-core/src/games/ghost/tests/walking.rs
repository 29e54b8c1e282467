//! The ghost moves: where, how fast, and past which points.

use super::*;

// "The board moves around the board four points (the Ghost)."

#[test]
fn the_ghost_is_four_points_that_move_over_the_board() {
    for seed in 0..20 {
        let mut table = TestedGame::start(0, seed);
        let mut seen = Points::NONE;
        for _ in 0..200 {
            assert_eq!(table.ghost().len(), 4);
            let before = table.ghost();
            table.wait(500);
            assert_ne!(table.ghost(), before);
            assert!(
                table
                    .ghost()
                    .meets(before | table.ground.neighbours(before))
            );
            seen |= table.ghost();
        }
        assert!(
            seen.len() > 60,
            "it hardly leaves its place: {} points",
            seen.len()
        );
    }
}

#[test]
fn the_ghost_goes_in_eight_directions_and_mostly_straight() {
    let mut table = TestedGame::start(0, 3);
    let (mut taken, mut straight) = ([0; 8], 0);
    for _ in 0..2000 {
        let heading = table.walk().heading;
        table.wait(500);
        taken[usize::from(table.walk().heading)] += 1;
        straight += u32::from(table.walk().heading == heading);
    }
    assert!(taken.iter().all(|count| *count > 100), "{taken:?}");
    assert!(
        (800..1700).contains(&straight),
        "{straight} of 2000 steps straight on"
    );
}

#[test]
fn the_ghost_starts_at_random_away_from_the_edges() {
    let mut corners = Points::<u128>::NONE;
    for seed in 0..200 {
        let table = TestedGame::start(0, seed);
        corners.insert(table.walk().corner);
        for point in table.ghost() {
            let layout = table.ground.layout();
            assert!((1..8).contains(&layout.column(point)) && (1..8).contains(&layout.row(point)));
        }
    }
    assert!(corners.len() > 20);
}

#[test]
fn a_changed_speed_counts_from_the_next_step() {
    for (speed, step_ms) in [1525, 1220, 975, 780, 625, 500, 400, 320, 255, 205]
        .into_iter()
        .enumerate()
    {
        let mut table = TestedGame::middle(0);
        table.speed = speed as u8;
        assert_eq!(
            table.walk().steps_at,
            500,
            "the step under way keeps its time"
        );
        assert_eq!(table.pace_ms(), step_ms);
    }
}

#[test]
fn the_ghost_does_not_go_through_lit_points() {
    let rows = ["..g.....", "aag", "aar", "ggr"];
    let mut table = TestedGame::position(0, Side::Green, &rows).unwrap();
    for _ in 0..500 {
        table.wait(500);
        let corner = table.walk().corner;
        assert!(table.ground.layout().column(corner) == 0 && table.ground.layout().row(corner) < 2);
    }
}

#[test]
fn the_ghost_may_squeeze_between_two_lit_points_at_a_corner() {
    let rows = ["aag", "aa", "g...", "....", "...."];
    let mut table = TestedGame::position(0, Side::Green, &rows).unwrap();
    assert_eq!(
        table.game.steps(table.at(0, 0), table.ground.grid()),
        Points::one(table.at(1, 1))
    );
    table.wait(500);
    assert_eq!(table.walk().corner, table.at(1, 1));
}

#[test]
fn each_wrong_touch_slows_the_ghost_by_a_tenth() {
    for mode in 0..4 {
        let mut table = TestedGame::middle(mode);
        let steps_at = table.walk().steps_at;
        let far = table.far();
        table.touch(far);
        assert_eq!(
            table.walk().steps_at,
            steps_at,
            "the step under way keeps its time"
        );
        assert_eq!(table.pace_ms(), 550);
        let far = table.far();
        table.touch(far);
        assert_eq!(table.pace_ms(), 600);
    }
}

#[test]
fn a_catch_does_not_change_the_speed_of_the_ghost() {
    let mut table = TestedGame::middle(0);
    table.tap(0, 0);
    table.wait(100);
    table.tap(4, 4);
    table.wait_until_out();
    assert_eq!(table.pace_ms(), 550);
}

#[test]
fn the_ghost_slows_at_most_to_a_third() {
    let mut table = TestedGame::middle(2);
    for _ in 0..TURNS - 1 {
        table.wait_until_out();
        let far = table.far();
        table.touch(far);
    }
    assert_eq!(table.game.wrong, 31);
    assert_eq!(table.pace_ms(), 1500);
}
