use protocol::Packed;

use super::*;

const PAD: PanelForm = PanelForm::Launchpad;

fn grid(columns: u8, rows: u8) -> PanelForm {
    PanelForm::Grid { columns, rows }
}

fn layout(columns: u8, rows: u8) -> Layout {
    Layout::grid(columns, rows).expect("a layout")
}

fn desk(form: PanelForm, columns: u8, rows: u8) -> PanelDesk {
    PanelDesk::new(form, layout(columns, rows)).expect("there is room")
}

fn spot(column: u8, row: u8) -> KeySpot {
    KeySpot { column, row }
}

fn named(desk: &PanelDesk, spot: KeySpot) -> String {
    match desk.role(spot) {
        Role::Point(point) => desk.layout().name(point).to_string(),
        Role::Button(button) => button.name().to_owned(),
        Role::Scroll(scroll) => format!("{scroll:?}"),
        Role::Turn => "turn".to_owned(),
        Role::Nothing => "-".to_owned(),
    }
}

#[test]
fn a_launchpad_has_arrows_above_and_buttons_beside_the_board() {
    let desk = desk(PAD, 8, 8);
    let above: Vec<String> = (0..9).map(|column| named(&desk, spot(column, 0))).collect();
    assert_eq!(above.join(" "), "Up Down Left Right - - - - -");
    let beside: Vec<String> = (1..9).map(|row| named(&desk, spot(8, row))).collect();
    let buttons = "start stop game time speed level mode turn";
    assert_eq!(beside.join(" "), buttons);
    assert_eq!(named(&desk, spot(0, 1)), "a8");
    assert_eq!(named(&desk, spot(7, 8)), "h1");
}

#[test]
fn a_smaller_board_lies_in_the_top_left_corner() {
    for (form, top) in [(PAD, 1), (grid(8, 8), 0), (grid(16, 16), 0)] {
        let desk = desk(form, 5, 6);
        assert_eq!(named(&desk, spot(0, top)), "a6");
        assert_eq!(named(&desk, spot(4, top + 5)), "e1");
        assert_eq!(named(&desk, spot(5, top)), "-");
        assert_eq!(named(&desk, spot(0, top + 6)), "-");
    }
}

#[test]
fn the_buttons_of_a_grid_are_in_its_last_column_or_row() {
    let wide = desk(grid(16, 8), 8, 8);
    assert_eq!(named(&wide, spot(15, 0)), "start");
    assert_eq!(named(&wide, spot(15, 6)), "mode");
    assert_eq!(named(&wide, spot(15, 7)), "turn");
    let low = desk(grid(8, 8), 8, 7);
    assert_eq!(named(&low, spot(0, 7)), "start");
    assert_eq!(named(&low, spot(7, 7)), "turn");
    let full = desk(grid(8, 8), 8, 8);
    assert!(
        !full
            .form
            .spots()
            .any(|spot| matches!(full.role(spot), Role::Button(_)))
    );
}

#[test]
fn a_board_larger_than_a_grid_is_refused() {
    for (columns, rows) in [(9, 8), (8, 9), (16, 16)] {
        let refusal = PanelDesk::new(grid(8, 8), layout(columns, rows)).expect_err("no room");
        let board = PanelExtent { columns, rows };
        let (columns, rows) = (8, 8);
        let panel = PanelExtent { columns, rows };
        assert_eq!(refusal, NoRoom::TooLarge { board, panel });
    }
    PanelDesk::new(grid(16, 16), layout(16, 16)).expect("there is room");
}

#[test]
fn a_larger_board_scrolls_under_the_pads_of_a_launchpad() {
    let mut desk = desk(PAD, 16, 9);
    assert_eq!(named(&desk, spot(0, 1)), "a9");
    let arrow = |desk: &mut PanelDesk, scroll: Scroll| {
        let place = SCROLLS.iter().position(|other| *other == scroll);
        let column = place.expect("an arrow") as u8;
        assert_eq!(desk.finger(spot(column, 0), true), None);
        assert_eq!(desk.finger(spot(column, 0), false), None);
    };
    for _ in 0..20 {
        arrow(&mut desk, Scroll::Right);
        arrow(&mut desk, Scroll::Down);
    }
    assert_eq!(named(&desk, spot(7, 8)), "p1", "it stops at its edges");
    let dark = PanelLamp::default();
    let picture = desk.picture(&Seen::default());
    let lit = |scroll: u8| picture.lamp(spot(scroll, 0)) != dark;
    let ways = [0, 1, 2, 3].map(lit);
    assert_eq!(
        ways,
        [true, false, true, false],
        "a lit arrow leads somewhere"
    );
    arrow(&mut desk, Scroll::Up);
    arrow(&mut desk, Scroll::Left);
    assert_eq!(named(&desk, spot(7, 8)), "o2");
}

#[test]
fn a_key_releases_its_point_after_scrolling() {
    let mut desk = desk(PAD, 9, 9);
    let a9 = desk.layout().point("a9").expect("a point");
    assert_eq!(desk.finger(spot(0, 1), true), Some(Input::Touch(a9)));
    assert_eq!(desk.finger(spot(0, 1), true), None, "it is down already");
    desk.finger(spot(1, 0), true);
    assert_eq!(named(&desk, spot(0, 1)), "a8");
    assert_eq!(desk.finger(spot(0, 1), false), Some(Input::Release(a9)));
    assert_eq!(desk.finger(spot(0, 1), false), None);
    desk.finger(spot(8, 1), true);
    assert_eq!(desk.let_go(), [Input::Lift(Button::Start)]);
    assert_eq!(desk.let_go(), []);
}

#[test]
fn a_held_point_is_not_touched_by_another_key() {
    let mut desk = desk(PAD, 9, 9);
    let a8 = desk.layout().point("a8").expect("a point");
    assert_eq!(desk.finger(spot(0, 2), true), Some(Input::Touch(a8)));
    desk.finger(spot(1, 0), true);
    assert_eq!(desk.finger(spot(0, 1), true), None);
    assert_eq!(desk.finger(spot(0, 1), false), None);
    assert_eq!(desk.finger(spot(0, 2), false), Some(Input::Release(a8)));
}

#[test]
fn points_are_lit_and_buttons_are_marked() {
    let mut points = Packed::default();
    let board = layout(8, 8);
    points.set(board.point("b7").expect("a point"), Colour::RED);
    let seen = Seen {
        points,
        turn: [true, false],
        ..Seen::default()
    };
    let picture = desk(PAD, 8, 8).picture(&seen);
    let lamp = |column, row| {
        let PanelLamp { colour, is_dim } = picture.lamp(spot(column, row));
        (colour, is_dim)
    };
    assert_eq!(lamp(1, 2), (Colour::RED, false));
    assert_eq!(lamp(8, 1), (Colour::GREEN, true));
    assert_eq!(lamp(8, 8), (Colour::GREEN, false), "green's turn");
    let lit = PAD
        .spots()
        .filter(|spot| picture.lamp(*spot) != PanelLamp::default());
    assert_eq!(lit.count(), 1 + 7 + 1);
}
