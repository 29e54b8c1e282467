//! Games that layouts bring: they agree, and leave the variables alone.

use firmware_core::cartridge::layout_game::Room;
use firmware_core::games;
use protocol::{Button, CHUNK_BYTES, Deed, Done, Input, KnownLayout, Pace, Settings};
use touchboard_host::written;
use touchboard_tests::texts::layouts;

use super::*;

/// Games for boards of each width whose rules need as much of the stack as every board
/// has, or as hosts have: trial moves are nested as deeply as possible.
fn deepest_games(room: Room) -> Vec<(String, KnownLayout)> {
    let add = "(move Add (to (sites Empty)))";
    let nested = |side: u32, times: u32| {
        let tried = (0..times).fold(add.to_owned(), |moves, _| {
            format!("(do {add} ifAfterwards:(can Move {moves}))")
        });
        format!(
            "(game \"Deep\" (players 2)
             (equipment {{ (board (hex Diamond {side})) (piece \"Disc\" Each) }})
             (rules (play {tried}) (end (if (is Connected Mover) (result Mover Win)))))"
        )
    };
    let deepest = |side: u32| {
        let all = (1..40).rev().filter_map(|times| {
            let game = written::of_text("deep", &nested(side, times), &[]).ok()?;
            let is_for_these = game.compiled.room == Some(room);
            is_for_these.then(|| (format!("{times} within each other"), game.layout))
        });
        let mut all = all;
        all.next()
    };
    let all: Vec<_> = [8, 11, 15].into_iter().filter_map(deepest).collect();
    // A width may have no such game: its stack suffices for the deepest possible nesting.
    assert!(all.len() == 3 || room == Room::Host && !all.is_empty());
    all
}

/// The steps for checking each of these games.
const STEPS_OF_A_LAYOUTS_GAME: u64 = 16;

/// Their rules are sent over the line, too.
#[test]
fn the_games_that_layouts_bring_agree_on_netduinoplus2() {
    let games = layouts();
    let mut board = with_games(NETDUINOPLUS2, "E");
    assert!(games.len() >= 20, "{games:?}");
    for (seed, (name, layout)) in (1..).zip(&games) {
        // A failure is below its name.
        println!("{name}");
        let began = Instant::now();
        let agreement = agreement(&mut board, seed, STEPS_OF_A_LAYOUTS_GAME, layout);
        println!("{agreement:?} in {:?}", began.elapsed());
        assert_eq!(board.layout(), *layout, "{name}");
        assert!(board.roster().has(games::LAYOUTS_OWN), "{name}");
    }
}

/// Resets the board to a layout whose drawing it is given first.
fn reset_to(host: &mut Host<TcpStream>, layout: Layout) -> Result<Done, Refusal> {
    let drawing = layout.drawing().expect("it was kept");
    write(host, drawing.as_drawing().bytes());
    host.request(Ask::Do(Deed::Reset { seed: 3, layout }))
}

/// Writes into the board's buffer.
fn write(host: &mut Host<TcpStream>, all: &[u8]) {
    for (index, bytes) in all.chunks(CHUNK_BYTES).enumerate() {
        let offset = (index * CHUNK_BYTES) as u16;
        let bytes = bytes.iter().copied().collect();
        host.request(Ask::Write { offset, bytes })
            .expect("there is room");
    }
}

/// A host has enough memory for it, so it may be sent to a chip that does not.
#[test]
fn a_chip_refuses_a_game_it_has_no_room_for() {
    let image = images().join("netduinoplus2-E.elf");
    drop(with_games(NETDUINOPLUS2, "E"));
    let (_qemu, mut host) = switch_on_image(NETDUINOPLUS2, &image);
    let before = host.hello().layout;
    host.request(Ask::Pace(Pace::Lockstep)).expect("lockstep");
    for (name, layout) in deepest_games(Room::Host) {
        let refusal = reset_to(&mut host, *layout);
        let refusal = refusal.expect_err(&name).to_string();
        assert!(
            refusal.contains("too many moves within each other"),
            "{refusal}"
        );
    }
    host.step(
        &[Input::Press(Button::Start), Input::Lift(Button::Start)],
        50,
    );
    assert_eq!(host.hello().layout, before);
}

/// Touches the last legal point three times, unless there is none.
fn touch_three_times(host: &mut Host<TcpStream>, name: &str, layout: Layout) {
    for _ in 0..3 {
        let Ok(Done::Legal(legal)) = host.request(Ask::Legal) else {
            panic!("{name}: it tells what may be touched");
        };
        let mut points = layout.iter().filter(|point| {
            let byte = legal.get(point.index() / 8).copied().unwrap_or(0);
            byte >> (point.index() % 8) & 1 == 1
        });
        let Some(point) = points.next_back() else {
            return;
        };
        host.step(&[Input::Touch(point), Input::Release(point)], 120);
    }
}

/// Plays each game of a layout, lets the board think at its strongest level, and reads
/// and loads its state: these are the deepest calls.
#[test]
fn games_of_layouts_keep_the_stack_clear_of_variables() {
    let image = images().join("netduinoplus2-E.elf");
    drop(with_games(NETDUINOPLUS2, "E"));
    let (mut qemu, mut host) = switch_on_image(NETDUINOPLUS2, &image);
    host.hello();
    host.request(Ask::Pace(Pace::Lockstep)).expect("lockstep");
    let mut last: Option<(Layout, Vec<u8>)> = None;
    let with_level = |level: u8| move |(name, layout)| (name, layout, level);
    let all = layouts().into_iter().map(with_level(4));
    // The board's player would need minutes for these, because each move takes many
    // steps.
    let all = all.chain(deepest_games(Room::Every).into_iter().map(with_level(0)));
    for (name, layout, level) in all {
        reset_to(&mut host, *layout).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        let settings = Settings {
            game: games::LAYOUTS_OWN,
            level,
            ..Settings::default()
        };
        host.request(Ask::Do(Deed::Settings(settings)))
            .expect("there is one");
        host.step(
            &[Input::Press(Button::Start), Input::Lift(Button::Start)],
            50,
        );
        touch_three_times(&mut host, &name, *layout);
        let state = host.read_state();
        host.load_state(&state);
        if let Some((other, state)) = last.replace((*layout, state)) {
            let digest = host.request(Ask::Digest);
            write(&mut host, &state);
            let length = state.len() as u16;
            let loaded = host.request(Ask::Load { length });
            assert_eq!(loaded, Err(Refusal::NotDrawn(other)), "{name}");
            assert_eq!(host.request(Ask::Digest), digest, "{name}");
        }
    }
    stack_is_clear(&qemu.memory(stack_of(&image)));
}
