//! Faults that a host reads and sets.

use firmware_core::Faults;
use firmware_core::faults::BoardFaults;

use super::*;

/// A conversation with a board whose contacts are simulated.
fn with_simulated_contacts() -> Talk {
    let mut talk = Talk::begin();
    talk.device.set_faults(BoardFaults::default(), 0);
    talk
}

/// The faults that the host was told of since the last call, with their ticks.
fn told_faults(talk: &Talk) -> Vec<(Tick, String)> {
    let told = std::mem::take(&mut *talk.told.borrow_mut());
    let faults = |happening| match happening {
        Happening::Faults { tick, faults } => Some((tick, faults.to_string())),
        _ => None,
    };
    told.into_iter().filter_map(faults).collect()
}

fn injecting(text: &str) -> OrderKind {
    OrderKind::InjectFaults {
        faults: Box::new(text.parse().expect("faults")),
        run: 0,
    }
}

/// More than fits into one message.
fn many() -> String {
    let keys = (1..=9).map(|row| format!("stuck a{row}, stuck b{row}"));
    let keys: Vec<String> = keys.take(8).collect();
    format!("seed 7, {}, bounce-ms 3", keys.join(", "))
}

#[test]
fn faults_are_set_and_read_over_a_line_that_loses_every_third_message() {
    let mut talk = with_simulated_contacts();
    let mut sent = 0;
    talk.loses_to_board = Box::new(move |_| {
        sent += 1;
        sent % 3 == 0
    });
    let mut heard = 0;
    talk.loses_from_board = Box::new(move |_| {
        heard += 1;
        heard % 3 == 0
    });
    let set = talk.give(injecting(&format!("{}, drop-ppm 5, dead-led d4", many())));
    talk.pass_ms(5_000);
    let reply = answer(&set).expect("it is answered").expect("it is set");
    assert_eq!(told_faults(&talk), [(reply.tick, many())]);
    let faults: Faults = many().parse().expect("faults");
    assert_eq!(talk.device.take_faults(), Some((faults.board, 7)));
    let asked = talk.give(OrderKind::Faults);
    talk.pass_ms(5_000);
    let reply = answer(&asked).expect("it is answered").expect("it is told");
    assert_eq!(told_faults(&talk), [(reply.tick, many())]);
    assert_eq!(talk.device.take_faults(), None, "asking sets nothing");
}

#[test]
fn a_board_with_real_contacts_refuses_faults_with_a_sentence() {
    let mut talk = Talk::begin();
    for kind in [OrderKind::Faults, injecting("stuck d4")] {
        let refused = talk.give(kind);
        talk.pass_ms(100);
        let refused = answer(&refused).expect("it is answered");
        let sentence = refused.expect_err("they are real").to_string();
        assert!(sentence.contains("are not simulated"), "{sentence}");
    }
    assert_eq!(told_faults(&talk), []);
}

#[test]
fn faults_for_an_earlier_run_do_not_reach_the_next_one() {
    let mut talk = with_simulated_contacts();
    talk.loses_to_board = Box::new(|_| true);
    let set = talk.give(injecting("stuck d4"));
    talk.pass_ms(50);
    talk.device = device(2);
    talk.device.set_faults(BoardFaults::default(), 0);
    talk.loses_to_board = Box::new(|_| false);
    talk.pass_ms(5_000);
    let error = answer(&set).expect("it is answered").expect_err("not it");
    assert!(matches!(error, DriverError::Restarted(_)), "{error}");
    assert_eq!(talk.device.take_faults(), None);
    assert_eq!(told_faults(&talk), []);
}
