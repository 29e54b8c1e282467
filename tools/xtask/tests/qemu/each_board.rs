//! The tests that every board has.

use firmware_core::{AnyBoard, games};
use protocol::{Button, Deed, Done, Input, Pace, Point, Settings};
use small_host::agrees_with_a_twin;

use super::*;

/// The tests for every board.
macro_rules! on_each_board {
    ($($module:ident = $board:ident;)*) => {
        $(
            mod $module {
                use super::$board;

                #[test]
                fn the_image_says_hello_with_its_name() {
                    super::says_who_it_is($board);
                }

                #[test]
                fn the_image_and_a_board_in_this_process_agree_at_every_step() {
                    super::agrees_at_every_step($board);
                }

                #[test]
                fn the_chips_own_timer_makes_ticks_by_itself() {
                    super::makes_ticks_by_itself($board);
                }

                #[test]
                fn a_panic_on_the_chip_reaches_the_host_before_it_resets() {
                    super::tells_of_a_panic($board);
                }

                #[test]
                fn the_image_refuses_best_scores() {
                    super::keeps_no_best_scores($board);
                }

                #[test]
                fn every_game_agrees_and_the_stack_stays_clear_of_the_variables() {
                    super::every_game_agrees_and_the_stack_stays_clear($board);
                }
            }
        )*
    };
}

on_each_board! {
    lm3s6965evb = LM3S6965EVB;
    netduinoplus2 = NETDUINOPLUS2;
}

fn says_who_it_is(board: Board) {
    let (_qemu, mut host) = switch_on(board);
    let hello = host.hello();
    assert_eq!(&*hello.board, board.name);
    assert_eq!(hello.layout, Layout::MALDOO);
    assert_eq!(hello.capabilities.max_points, board.most_points);
}

fn agrees_at_every_step(board: Board) {
    let (_qemu, mut host) = switch_on(board);
    let small = Layout::grid(8, 8).expect("a layout");
    for layout in [Layout::MALDOO, small, board.largest_layout()] {
        agrees_with_a_twin(&mut host, layout);
    }
}

/// Its clock is QEMU's own, so the test does not check its rate, only that ticks pass
/// without a request.
fn makes_ticks_by_itself(board: Board) {
    let (_qemu, mut host) = switch_on(board);
    host.hello();
    let before = host.tick();
    let give_up = Instant::now() + PATIENCE;
    while host.tick() < before + 100 {
        assert!(Instant::now() < give_up, "no ticks come");
        host.listen(Duration::from_millis(20));
    }
}

/// The smaller chip has no room for them. The larger one has, but QEMU does not emulate
/// the controller of that flash: its registers always read 0. Writing to it is tested in
/// `cortex_m_board::stm32f4`.
fn keeps_no_best_scores(board: Board) {
    let (_qemu, mut host) = switch_on(board);
    host.hello();
    assert_eq!(host.request(Ask::ClearBest), Err(Refusal::KeepsNoBest));
    assert_eq!(host.request(Ask::CountBest(true)), Ok(Done::Done));
    let Ok(Done::Status(status)) = host.request(Ask::Status) else {
        panic!("it has a status");
    };
    assert_eq!(status.best, None);
}

fn tells_of_a_panic(board: Board) {
    let (_qemu, mut host) = switch_on(board);
    let first = host.hello();
    host.ask_only(Ask::Crash);
    let second = host.hello_after(&first);
    let words = host.panic.clone().expect("its last words were heard");
    assert!(words.starts_with("the host asked for it"), "{words}");
    assert_eq!(second.boot, first.boot + 1);
}

/// Plays every game in every mode with the board's own player at its strongest level,
/// reads and loads the state in between, and compares all digests.
fn every_game_agrees_and_the_stack_stays_clear(board: Board) {
    let (mut qemu, mut host) = switch_on(board);
    host.hello();
    host.request(Ask::Pace(Pace::Lockstep)).expect("lockstep");
    let layout = board.largest_layout();
    host.request(Ask::Do(Deed::Reset { seed: 3, layout }))
        .expect("it fits");
    let mut twin = AnyBoard::new(layout, 3).expect("a layout");
    let step = |host: &mut Host<TcpStream>, twin: &mut AnyBoard, inputs: &[Input], ticks| {
        host.step(inputs, ticks);
        for input in inputs {
            twin.input(*input, &mut |_, _| {});
        }
        twin.advance(ticks.into(), &mut |_, _| {});
        let digest = host.request(Ask::Digest);
        assert_eq!(digest, Ok(Done::Digest(twin.digest())), "{inputs:?}");
    };
    for number in games::NUMBERS {
        let modes = games::about(*number).expect("it is in the table").modes;
        for mode in 0..modes {
            let settings = Settings {
                game: *number,
                mode,
                level: 4,
                time: 0,
                speed: 9,
            };
            host.request(Ask::Do(Deed::Settings(settings)))
                .expect("there is one");
            twin.carry_out(&Deed::Settings(settings), &mut |_, _| {})
                .expect("so here");
            let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
            step(&mut host, &mut twin, &start, 50);
            for _ in 0..2 {
                let mut legal = None;
                twin.legal(|point| legal = legal.or(Some(point)));
                let point = legal.unwrap_or(Point(40));
                let touch = [Input::Touch(point), Input::Release(point)];
                step(&mut host, &mut twin, &touch, 100);
                let state = host.read_state();
                host.load_state(&state);
                step(&mut host, &mut twin, &[Input::Touch(Point(44))], 50);
                step(&mut host, &mut twin, &[Input::Release(Point(44))], 1_000);
            }
        }
    }
    stack_is_clear(&qemu.memory(board.stack()));
}
