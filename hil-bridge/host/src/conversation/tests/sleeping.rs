//! Hosts that sleep for minutes while their board goes on: the lid of a computer was
//! closed, or a program was suspended.

use super::cables::{Board, Cable};
use super::*;

/// How long the host sleeps.
const MINUTES_MS: u64 = 10 * 60_000;
/// What the system stores of a pseudo-terminal's bytes, for a program that does not read.
const LINE_BYTES: usize = 4_096;

/// A board of which a host knows the state, and on which a game has begun.
fn in_a_game() -> Cable {
    let mut cable = Cable::begin(Board::SendsOn);
    for input in [
        Input::Press(protocol::Button::Start),
        Input::Lift(protocol::Button::Start),
    ] {
        let done = cable.talk.command(Command::Do(input.into()));
        cable.until_answered(&done).expect("it is answered");
    }
    cable
}

/// The host sleeps. Every second somebody touches the board, if `touches`.
fn sleep(cable: &mut Cable, line_bytes: usize, touches: bool) {
    let mut ms = 0_u64;
    cable.sleep_ms(MINUTES_MS, line_bytes, |talk| {
        ms += 1;
        if touches && ms.is_multiple_of(1_000) {
            talk.touch((ms / 1_000 % 81) as u8);
        }
    });
}

/// After a while everything is as before.
fn goes_on(cable: &mut Cable) {
    for _ in 0..5_000 {
        cable.pass();
    }
    let press = Input::Touch(Point(5));
    let touch = cable.talk.command(Command::Do(press.into()));
    let answered = cable.until_answered(&touch);
    assert_eq!(answered.expect("it is answered").result, Ok(Done::Done));
    cable.until_agreed();
}

#[test]
fn a_host_that_slept_for_minutes_goes_on_with_its_board() {
    for (line_bytes, touches) in [
        (LINE_BYTES, true),
        (LINE_BYTES, false),
        (0, true),
        (100, true),
    ] {
        let mut cable = in_a_game();
        sleep(&mut cable, line_bytes, touches);
        goes_on(&mut cable);
        // The board keeps a few events only, and the host is told that it missed others.
        assert_eq!(cable.losses > 0, touches, "{line_bytes} bytes");
    }
}

#[test]
fn a_request_before_a_sleep_of_minutes_is_carried_out_once() {
    for touches in [false, true] {
        let mut cable = in_a_game();
        let lockstep = cable.talk.command(Command::Pace(Pace::Lockstep));
        cable.until_answered(&lockstep).expect("it is answered");
        let time = protocol::Button::Time;
        let inputs = [Input::Press(time), Input::Lift(time)];
        let before = cable.time();
        let step = cable.talk.command(Command::Step {
            inputs: inputs.into_iter().collect(),
            ticks: 10,
            digest: true,
        });
        cable.pass();
        sleep(&mut cable, LINE_BYTES, touches);
        let answered = cable.until_answered(&step).expect("it is answered");
        assert!(answered.result.is_ok(), "{answered:?}");
        assert_eq!(cable.time(), (before + 1) % 10);
        cable.until_agreed();
        assert_eq!(cable.losses, 0);
    }
}
