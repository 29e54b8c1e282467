//! A board: states from outside, and plays of any steps.

use firmware_core::{AnyBoard, Rng, SNAPSHOT_BYTES, digest, games};
use law::Judged;
use protocol::{Button, Deed, Event, Input, Layout, Point, Settings, Tick};

/// The duration of the longest session that is replayed.
pub(super) const SHORT: Tick = 100_000;

/// The index of Start among the buttons.
pub(super) const START: u8 = 5;

/// The state of a board from outside, with a valid seal, is either refused, or the board
/// continues with it like any other board.
pub(super) fn snapshot(bytes: &[u8]) -> Judged {
    if bytes.len() > SNAPSHOT_BYTES - 8 {
        return Judged::Nothing;
    }
    let seal = digest::digest(bytes).to_le_bytes();
    let mut board = AnyBoard::new(Layout::MALDOO, 0).expect("9x9 is a layout");
    let before = board.digest();
    if board.load(&[bytes, &seal].concat()).is_err() {
        assert_eq!(board.digest(), before, "a refused state changed the board");
        return Judged::Nothing;
    }
    let mut moves = 0;
    for number in 0..12 {
        step(&mut board, Step::Touch(number * 7), &mut moves);
        step(&mut board, Step::Legal(number), &mut moves);
        step(&mut board, Step::Wait(700), &mut moves);
    }
    step(&mut board, Step::Wait(60_000), &mut moves);
    Judged::Something
}

/// A board that is set up from the first bytes, with steps from the others, three bytes
/// for each.
pub(super) fn board(bytes: &[u8]) -> Judged {
    let Some((&[columns, rows, seed], steps)) = bytes.split_first_chunk() else {
        return Judged::Nothing;
    };
    let layout = Layout::grid(columns % 16 + 1, rows % 16 + 1).expect("sides of 1 to 16");
    let mut board = AnyBoard::new(layout, seed.into()).expect("every grid is a layout");
    let mut moves = 0;
    for bytes in steps.chunks_exact(3).take(60) {
        let next = step_of([bytes[0], bytes[1], bytes[2]]);
        step(&mut board, next, &mut moves);
    }
    Judged::if_any(moves > 0)
}

/// Something that happens to a board.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Touch(u8),
    Release(u8),
    Press(u8),
    Pass,
    Wait(Tick),
    /// A touch of the legal point with this index, modulo their number; if there is none
    /// yet, one after the board has acted.
    Legal(u8),
    Set(Settings),
}

/// The step that three bytes encode.
fn step_of([kind, value, more]: [u8; 3]) -> Step {
    match kind % 16 {
        0 | 1 => Step::Touch(value),
        2 => Step::Release(value),
        3 => Step::Press(value),
        4 => Step::Pass,
        5 | 6 => Step::Wait(Tick::from(value)),
        7 => Step::Wait(Tick::from(value) * 157),
        8 => {
            let game = games::NUMBERS[usize::from(value) % games::NUMBERS.len()];
            let modes = games::about(game).map_or(1, |about| about.modes);
            Step::Set(Settings {
                game,
                mode: more % modes,
                level: more / 16 % 5,
                time: value % 10,
                speed: more % 10,
            })
        }
        _ => Step::Legal(value),
    }
}

/// Carries out a step, and counts moves.
///
/// It also checks what always holds: a legal point is accepted, and a board that is saved
/// and loaded is the same board and not changed by being examined.
fn step(board: &mut AnyBoard, step: Step, moves: &mut u32) {
    let mut loaded = AnyBoard::new(Layout::MALDOO, 1).expect("9x9 is a layout");
    let mut buffer = vec![0; SNAPSHOT_BYTES];
    let bytes = board.save(&mut buffer).expect("every state fits");
    loaded
        .load(bytes)
        .expect("what a board saved, a board loads");
    let own = act(board, step);
    let copied = act(&mut loaded, step);
    assert_eq!(own, copied, "{step:?}");
    assert_eq!(board.digest(), loaded.digest(), "{step:?}");
    assert_eq!(board.digest(), board.digest());
    let is_move = |event: &&(Tick, Event)| matches!(event.1, Event::Move { .. });
    let count = own.iter().filter(is_move).count();
    let is_taken = |event: &(Tick, Event)| !matches!(event.1, Event::Illegal { .. });
    assert!(
        !matches!(step, Step::Legal(_)) || own.iter().all(is_taken),
        "a legal point was refused: {own:?}"
    );
    *moves += count as u32;
}

pub(super) fn act(board: &mut AnyBoard, step: Step) -> Vec<(Tick, Event)> {
    let mut events = Vec::new();
    let mut tell = |tick, event| events.push((tick, event));
    match step {
        Step::Touch(point) => board.input(Input::Touch(Point(point)), &mut tell),
        Step::Release(point) => board.input(Input::Release(Point(point)), &mut tell),
        Step::Press(button) => {
            let button = Button::ALL[usize::from(button) % Button::ALL.len()];
            board.input(Input::Press(button), &mut tell);
            board.input(Input::Lift(button), &mut tell);
        }
        Step::Pass => board.input(Input::Pass, &mut tell),
        Step::Wait(ticks) => board.advance(ticks, &mut tell),
        Step::Legal(choice) => {
            if crate::legal_point(board, choice).is_none()
                && let Some(at) = board.wakes_at()
            {
                board.advance(at.saturating_sub(board.tick()).min(SHORT), &mut tell);
            }
            if let Some(point) = crate::legal_point(board, choice) {
                board.input(Input::Release(point), &mut tell);
                board.input(Input::Touch(point), &mut tell);
                board.input(Input::Release(point), &mut tell);
            }
        }
        Step::Set(settings) => board
            .carry_out(&Deed::Settings(settings), &mut tell)
            .expect("settings of the table"),
    }
    events
}

/// States from the middle of every game in every mode.
pub(super) fn states() -> Vec<Vec<u8>> {
    let state = |(game, mode)| {
        let mut board = AnyBoard::new(Layout::MALDOO, 3).expect("9x9 is a layout");
        let settings = Settings {
            game,
            mode,
            level: 1,
            ..Settings::default()
        };
        act(&mut board, Step::Set(settings));
        act(&mut board, Step::Press(START));
        for number in 0..6 {
            act(&mut board, Step::Legal(number));
            act(&mut board, Step::Wait(300));
        }
        let mut buffer = vec![0; SNAPSHOT_BYTES];
        let bytes = board.save(&mut buffer).expect("every state fits");
        bytes[..bytes.len() - 8].to_vec()
    };
    games_and_modes().map(state).collect()
}

/// A short play of every game, on the board of the manual and on the largest one.
pub(super) fn plays() -> Vec<Vec<u8>> {
    let play = |(game, mode): (u8, u8)| {
        let side = [8, 15][usize::from(game + mode) % 2];
        let mut rng = Rng::new(u64::from(game) * 16 + u64::from(mode));
        let mut bytes = vec![side, side, mode, 8, game, mode, 3, START, 0];
        for _ in 0..20 {
            let [kind, value, ..] = rng.next().to_le_bytes();
            bytes.extend([9, value, 0, 4 + kind % 3, value, 0]);
        }
        bytes
    };
    games_and_modes().map(play).collect()
}

fn games_and_modes() -> impl Iterator<Item = (u8, u8)> {
    games::NUMBERS.iter().flat_map(|game| {
        let modes = games::about(*game).map_or(0, |about| about.modes);
        (0..modes).map(move |mode| (*game, mode))
    })
}
