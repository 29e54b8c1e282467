//! A board with only some of the games.

use std::vec::Vec;

use protocol::{Button, Deed, Input, Layout, Refusal, Roster, Settings};

use super::{board, display, press};
use crate::{AnyBoard, Board, SNAPSHOT_BYTES, games};

/// A roster of Reversi, CountLines and SpeedGo.
const THREE: Roster = Roster::of(&[0, 5, 9]);

fn with(roster: Roster) -> AnyBoard {
    AnyBoard::with_games(Layout::MALDOO, roster, 7).expect("these games are in the build")
}

fn game(board: &AnyBoard) -> u8 {
    board.settings().game
}

fn press_game(board: &mut AnyBoard) {
    for input in [Input::Press(Button::Game), Input::Lift(Button::Game)] {
        board.input(input, &mut |_, _| {});
    }
}

fn save(board: &AnyBoard) -> Vec<u8> {
    let mut buffer = [0; SNAPSHOT_BYTES];
    board.save(&mut buffer).expect("room").to_vec()
}

#[test]
fn the_game_button_goes_round_the_games_that_the_board_has() {
    let mut three = with(THREE);
    let chosen: Vec<u8> = (0..7)
        .map(|_| {
            press_game(&mut three);
            game(&three)
        })
        .collect();
    assert_eq!(chosen, [5, 9, 0, 5, 9, 0, 5]);
    let mut one = with(Roster::of(&[4]));
    assert_eq!(game(&one), 4, "it begins with the lowest that it has");
    press_game(&mut one);
    assert_eq!(game(&one), 4);
}

#[test]
fn settings_with_a_missing_game_are_refused() {
    let mut three = with(THREE);
    let ghost = Settings {
        game: 1,
        ..three.settings()
    };
    let before = three.digest();
    for deed in [Deed::Settings(ghost), Deed::Choose(1)] {
        let refused = three.carry_out(&deed, &mut |_, _| {});
        assert_eq!(refused, Err(Refusal::NoSuchGame(1)));
    }
    assert_eq!(three.digest(), before);
}

#[test]
fn a_roster_without_a_built_in_game_is_refused() {
    for roster in [Roster::NONE, Roster::of(&[0, 31])] {
        let refused = AnyBoard::with_games(Layout::MALDOO, roster, 7).err();
        assert!(matches!(refused, Some(Refusal::NoSuchGame(_))), "{roster}");
    }
}

#[test]
fn boards_with_other_games_are_other_boards() {
    assert_ne!(with(THREE).digest(), with(games::ROSTER).digest());
}

/// As on a host that has more games than the board it follows.
#[test]
fn a_host_becomes_a_board_with_fewer_games_from_its_state() {
    let mut three = with(THREE);
    press_game(&mut three);
    let mut any = with(games::ROSTER);
    assert_eq!(any.load(&save(&three)), Ok(()));
    assert_eq!((any.roster(), any.digest()), (THREE, three.digest()));
    press_game(&mut any);
    assert_eq!(game(&any), 9);
}

#[test]
fn a_state_names_its_game_by_number_and_not_by_index() {
    let mut three = with(THREE);
    let mut ten = with(games::ROSTER);
    for board in [&mut three, &mut ten] {
        let go = Settings {
            game: 9,
            ..board.settings()
        };
        board
            .carry_out(&Deed::Settings(go), &mut |_, _| {})
            .expect("both have it");
        board.input(Input::Press(Button::Start), &mut |_, _| {});
    }
    let [three, ten] = [three, ten].map(|board| save(&board));
    let differing = three.iter().zip(&ten).filter(|(a, b)| a != b).count();
    // They differ in the roster, which takes two bytes in both, and in the digest.
    assert_eq!(three.len(), ten.len());
    assert!(differing <= 2 + 8, "{differing} bytes differ");
}

/// The display has one character for the game: a digit, or after 9 a letter.
#[test]
fn a_panel_shows_the_character_of_the_game() {
    let mut board = board();
    board.advance(2_000, &mut |_, _| {});
    assert_eq!(display(&board), "095_0");
    assert_eq!((Roster::letter(9), Roster::letter(10)), ('9', 'A'));
    press(&mut board, Button::Game);
    board.advance(2_000, &mut |_, _| {});
    assert!(display(&board).starts_with(Roster::letter(1)));
}

/// Changes the roster in a state, and seals the state again.
fn with_origin(state: &[u8], roster: Roster) -> Vec<u8> {
    let (layout, rest) = postcard::take_from_bytes::<Layout>(state).expect("its layout");
    let (_, rest) = postcard::take_from_bytes::<Roster>(rest).expect("its games");
    let mut begin = [0; 16];
    let begin = postcard::to_slice(&(layout, roster), &mut begin).expect("room");
    let mut bytes = begin.to_vec();
    bytes.extend(&rest[..rest.len() - 8]);
    let seal = crate::digest::digest(&bytes[..]).to_le_bytes();
    bytes.extend(seal);
    bytes
}

#[test]
fn a_state_with_an_impossible_roster_is_refused() {
    let mut board = Board::<u128>::new(Layout::MALDOO, 7).expect("it fits");
    let state = save(&with(THREE));
    assert_eq!(board.load(&with_origin(&state, THREE)), Ok(()));
    for roster in [Roster::NONE, Roster::of(&[0, 31]), Roster::of(&[5, 9])] {
        let forged = with_origin(&state, roster);
        assert_eq!(board.load(&forged), Err(Refusal::Snapshot), "{roster}");
    }
    let mut any = with(games::ROSTER);
    let unknown = Roster::of(&[0, 31]);
    let loaded = any.load(&with_origin(&state, unknown));
    assert_eq!(loaded, Err(Refusal::Roster(unknown)), "a host says why");
}
