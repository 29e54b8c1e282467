//! Moves and captures: liberties, suicide and the ko.

use super::*;

#[test]
fn a_group_without_a_liberty_is_switched_off() {
    let (mut table, mut game) = board(".r.. rgr. .... ....", Side::Red);
    assert_eq!(touch(&mut table, &mut game, "b2"), Touch::Move(1));
    assert_eq!(rows(&game, &table), ".r.. r.r. .r.. ....");
}

#[test]
fn one_stone_captures_several_groups() {
    let (mut table, mut game) = board("..r.. .rgr. rg.gr .rgr. ..r..", Side::Red);
    assert_eq!(touch(&mut table, &mut game, "c3"), Touch::Move(4));
    assert_eq!(rows(&game, &table), "..r.. .r.r. r.r.r .r.r. ..r..");
}

#[test]
fn a_single_stone_without_a_liberty_is_refused() {
    let (mut table, mut game) = board(".r.. r... .... ....", Side::Green);
    assert_eq!(touch(&mut table, &mut game, "a4"), Touch::Illegal);
}

#[test]
fn the_last_liberty_of_an_own_group_is_refused() {
    let (mut table, mut game) = board("g.r. grr. r... ....", Side::Green);
    assert_eq!(touch(&mut table, &mut game, "b4"), Touch::Illegal);
}

#[test]
fn the_last_liberty_may_be_filled_to_capture() {
    // Both groups have b4 as their only liberty: the side that plays there captures.
    let (mut table, mut game) = board("g.rg grrg rggg ....", Side::Green);
    assert_eq!(touch(&mut table, &mut game, "b4"), Touch::Move(3));
    assert_eq!(rows(&game, &table), "gg.g g..g rggg ....");
}

/// On the largest board the number of a point takes all values of a byte; the first does
/// not follow the last.
#[test]
fn opposite_corners_of_the_largest_board_are_no_neighbours() {
    let table = TestedGame::<Wide>::new(16, 16, 0);
    let stones = Stones([table.points("a16"), table.points("a2 b1")]);
    let (grid, corner) = (table.ground.grid(), table.point("a1"));
    assert_eq!(stones.place(grid, Side::Green, corner), None);
    assert!(!stones.moves(grid, Side::Green).has(corner));
}

#[test]
fn an_occupied_point_is_refused() {
    let (mut table, mut game) = board("g.. .r. ...", Side::Green);
    assert_eq!(touch(&mut table, &mut game, "a3"), Touch::Illegal);
    assert_eq!(touch(&mut table, &mut game, "b2"), Touch::Illegal);
}

#[test]
fn a_point_that_is_not_on_the_board_is_refused() {
    let (mut table, mut game) = board("g.. .r. ...", Side::Green);
    let before = game.clone();
    for index in 9..=255 {
        assert_eq!(
            game.touch(Point(index), &mut table.context()),
            Touch::Illegal
        );
    }
    assert_eq!(game, before);
}

/// Green captures at c3; red could recapture at b3.
const KO: &str = ".gr.. gr.r. .gr.. ..... .....";

#[test]
fn the_ko_may_not_be_retaken_at_once() {
    let (mut table, mut game) = board(KO, Side::Green);
    assert_eq!(touch(&mut table, &mut game, "c4"), Touch::Move(1));
    assert_eq!(rows(&game, &table), ".gr.. g.gr. .gr.. ..... .....");
    assert_eq!(game.ko(table.ground.grid()), Some(table.point("b4")));
    assert_eq!(touch(&mut table, &mut game, "b4"), Touch::Illegal);
    table.play(&mut game, "e1 a1 b4");
    assert_eq!(rows(&game, &table), ".gr.. gr.r. .gr.. ..... g...r");
}

#[test]
fn the_ko_may_be_retaken_after_a_move_elsewhere() {
    let (mut table, mut game) = board(KO, Side::Green);
    table.play(&mut game, "c4 e1 e2");
    assert_eq!(touch(&mut table, &mut game, "b4"), Touch::Move(1));
}

#[test]
fn a_pass_lifts_the_ko() {
    // If green captures and red passes, green may fill the point. If green captures, red
    // passes and green plays elsewhere, red may recapture.
    let (mut table, mut game) = board(KO, Side::Green);
    table.play(&mut game, "c4 pass");
    assert_eq!(game.ko(table.ground.grid()), None);
    assert_eq!(
        game.legal(&table.ground),
        game.stones().moves(table.ground.grid(), Side::Green)
    );
    table.play(&mut game, "e1");
    assert_eq!(touch(&mut table, &mut game, "b4"), Touch::Move(1));
}

#[test]
fn a_snapback_captures_more_than_it_lost() {
    let (mut table, mut game) = board("..gr. gggr. rrr.. ..... .....", Side::Red);
    table.play(&mut game, "b5 a5");
    assert_eq!(rows(&game, &table), "g.gr. gggr. rrr.. ..... .....");
    assert_eq!(touch(&mut table, &mut game, "b5"), Touch::Move(5));
    assert_eq!(rows(&game, &table), ".r.r. ...r. rrr.. ..... .....");
}

#[test]
fn sending_two_returning_one_does_not_repeat_for_ever() {
    let (mut table, mut game) = board(".r.r. ggr.. ..... .....", Side::Red);
    table.play(&mut game, "a4 c4");
    assert_eq!(rows(&game, &table), "..gr. ggr.. ..... .....");
    // Recapturing would restore the start, three stones ago.
    assert_eq!(touch(&mut table, &mut game, "b4"), Touch::Illegal);
    table.play(&mut game, "e1 e2");
    assert_eq!(touch(&mut table, &mut game, "b4"), Touch::Move(1));
}

#[test]
fn every_game_of_random_moves_ends() {
    for seed in 0..40 {
        let mut table = TestedGame::<u128>::new(4, 4, seed);
        let mut game = SpeedGo::start(1, &mut table.context()).unwrap();
        let mut dice = Rng::new(seed);
        let mut turns = 0;
        while game.outcome().is_none() {
            let legal = game.legal(&table.ground);
            let point = dice.pick(legal).unwrap();
            assert!(matches!(
                game.touch(point, &mut table.context()),
                Touch::Move(_)
            ));
            turns += 1;
        }
        assert!(turns <= TURNS_PER_POINT * 16);
    }
}
