//! Boards that restart where only their hello tells it, and the hello is lost.

use super::*;

fn is_hello(message: &ToHost) -> bool {
    matches!(message, ToHost::Hello(_))
}

impl Talk {
    /// Resets the board, up to the moment at which the answer has come and the host asks
    /// for a hello.
    fn reset_until_answered(&mut self) {
        let layout = Layout::MALDOO;
        let reset = self.command(Command::Do(Deed::Reset { seed: 9, layout }));
        while answer(&reset).is_none() {
            self.move_bytes();
            self.conversation.poll();
        }
        let end = self.conversation.end().borrow();
        assert!(!end.to_board.is_empty(), "a hello is asked for");
    }
}

#[test]
fn events_of_a_board_restarted_after_a_reset_are_not_told() {
    let mut talk = Talk::begin();
    talk.reset_until_answered();
    talk.told();
    talk.device = device(2);
    // Neither the hello of the board that starts nor its answer to ours arrives.
    talk.loses_from_board = first(2, is_hello);
    talk.move_bytes();
    let shown = talk.frame();
    talk.touch(3);
    talk.device.input(Input::Press(protocol::Button::Time));
    talk.pass_ms(60);
    assert_eq!(talk.told(), Vec::<String>::new());
    assert_eq!(talk.frame(), shown);
    talk.pass_ms(3_000);
    let told = talk.told();
    assert_eq!(told[0], "lost", "{told:?}");
    assert!(told[1].starts_with("Anew"), "{told:?}");
}

#[test]
fn a_pong_without_a_hello_is_not_that_of_the_run_before() {
    let mut talk = Talk::begin();
    talk.reset_until_answered();
    talk.told();
    talk.device = device(2);
    talk.loses_from_board = first(2, is_hello);
    talk.pass_ms(4_000);
    let told = talk.told();
    assert!(told.iter().any(|told| told.starts_with("Anew")), "{told:?}");
}

#[test]
fn events_before_a_late_hello_are_told_once_it_has_come() {
    let mut talk = Talk::begin();
    talk.reset_until_answered();
    talk.told();
    talk.loses_from_board = first(1, is_hello);
    talk.move_bytes();
    talk.touch(3);
    talk.pass_ms(60);
    assert!(!talk.told().iter().any(|told| told.contains("Touch")));
    talk.pass_ms(2_000);
    let told = talk.told();
    let touches = told.iter().filter(|told| told.contains("Touch"));
    assert_eq!(touches.count(), 1, "{told:?}");
    assert!(!told.contains(&"missed".to_owned()), "{told:?}");
}

#[test]
fn a_restart_just_after_the_greeting_is_noticed() {
    let mut talk = Talk::begin();
    talk.touch(3);
    talk.pass_ms(500);
    talk.told();
    // The host asks whether it is remembered; the pings after that are lost.
    let mut asked = false;
    talk.loses_to_board = Box::new(move |message| {
        let is_request = matches!(message, ToDevice::Request(_));
        is_request && std::mem::replace(&mut asked, true)
    });
    talk.pull_out();
    while !talk.told().contains(&"Known".to_owned()) {
        talk.pass_ms(1);
    }
    talk.device = device(2);
    talk.loses_to_board = Box::new(|_| false);
    // Neither the hello of the board that starts nor its answer to ours arrives.
    talk.loses_from_board = first(2, |message| matches!(message, ToHost::Hello(_)));
    talk.pass_ms(3_000);
    let told = talk.told();
    assert!(told.iter().any(|told| told.starts_with("Anew")), "{told:?}");
}

impl Talk {
    fn is_touched(&self) -> bool {
        self.device.board().board().is_touched(Point(4))
    }

    fn asks_for_a_touch(&mut self) -> Answered {
        self.command(Command::Do(Deed::Input(Input::Touch(Point(4)))))
    }
}

#[test]
fn a_deed_after_a_reset_is_sent_once_the_hello_has_come() {
    let mut talk = Talk::begin();
    talk.reset_until_answered();
    talk.loses_from_board = Box::new(is_hello);
    let touch = talk.asks_for_a_touch();
    talk.pass_ms(1_000);
    assert!(!talk.is_touched(), "it might be in another run");
    talk.told();
    talk.loses_from_board = Box::new(|_| false);
    talk.pass_ms(1_500);
    assert!(answer(&touch).expect("it is answered").is_ok());
    assert!(talk.is_touched());
    let told = talk.told();
    let touches = told.iter().filter(|told| told.contains("Touch"));
    assert_eq!(touches.count(), 1, "{told:?}");
}

#[test]
fn a_deed_after_a_reset_does_not_reach_a_restarted_run() {
    // The board restarts before the deed is given, just after that, or while it waits. It
    // loses the hello of the start, and up to two of those that answer ours.
    for (given_after_ms, lost) in [(0, 1), (0, 2), (0, 3), (1, 2), (5, 3), (200, 3)] {
        let mut talk = Talk::begin();
        talk.reset_until_answered();
        talk.loses_from_board = first(lost, is_hello);
        talk.device = device(2);
        talk.pass_ms(given_after_ms);
        let touch = talk.asks_for_a_touch();
        talk.pass_ms(6_000);
        let error = answer(&touch).expect("it is answered");
        assert!(matches!(error, Err(DriverError::Restarted(_))), "{error:?}");
        assert!(!talk.is_touched(), "{given_after_ms} ms, {lost} lost");
        let told = talk.told();
        assert!(told.iter().any(|told| told.starts_with("Anew")), "{told:?}");
    }
}

#[test]
fn a_deed_is_not_sent_to_a_run_that_begins_while_it_waits() {
    let mut talk = Talk::begin();
    talk.reset_until_answered();
    talk.loses_from_board = Box::new(is_hello);
    let touch = talk.asks_for_a_touch();
    talk.pass_ms(50);
    talk.device = device(2);
    talk.pass_ms(300);
    talk.loses_from_board = Box::new(|_| false);
    talk.pass_ms(3_000);
    let error = answer(&touch).expect("it is answered");
    assert!(matches!(error, Err(DriverError::Restarted(_))), "{error:?}");
    assert!(!talk.is_touched(), "the new run was not asked");
}
