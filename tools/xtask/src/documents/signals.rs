//! Checks the signals in documents: `state.referee.turn_time_ms` must be a field of a
//! board's state, or the beginning of one.

use touchboard_host::state_fields::fields_of;
use touchboard_host::{CoreDriver, Driver};

use protocol::{Button, Input, Layout};

use super::all;

/// The fields of a board on which a game has begun.
fn paths() -> Vec<String> {
    let mut board = CoreDriver::new(Layout::MALDOO, 1).unwrap();
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 1).unwrap();
    let fields = fields_of(board.board(), Layout::MALDOO);
    fields.into_iter().map(|field| field.path).collect()
}

#[test]
fn every_state_field_in_a_document_exists() {
    let paths = paths();
    let mut named = 0;
    for document in all() {
        for span in document.parts().spans {
            let words = span.split([' ', ',', '=']);
            for path in words.filter_map(|word| word.strip_prefix("state.")) {
                let begins = path.trim_end_matches('.');
                let is_there = paths.iter().any(|field| field.starts_with(begins));
                let place = document.path.display();
                assert!(is_there, "{place}: the state has no `{path}`");
                named += 1;
            }
        }
    }
    assert!(named >= 3, "the documents name fields of the state");
}
