//! Drawings are known while they have an owner, and are removed afterwards. All tests of
//! the process share the table, so tests that count its entries run one at a time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use law::{Judged, Weight, law};
use proptest::collection::vec;
use proptest::prelude::*;
use protocol::{DrawingError, KnownDrawing, KnownDrawings, KnownLayout, Layout, Place, Sketch};

/// Lets one test at a time count the table's entries.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A column of points and one point beside it, whose height depends on `number`: each
/// number gives a different drawing.
fn sketch(number: u8) -> Sketch {
    let column = (0..200).map(|y| Place { x: 0, y });
    let mut places: Vec<Place> = column.chain([Place { x: 1, y: number }]).collect();
    places.sort_unstable();
    Sketch {
        places,
        ..Sketch::default()
    }
}

/// An action with owners of a few drawings.
#[derive(Clone, Debug)]
enum Step {
    /// This drawing is read and owned.
    Keep(u8),
    /// The owner at this index shares its drawing.
    Share(usize),
    /// The drawing is found by its layout, and gets another owner.
    Find(usize),
    /// The owner at this index is dropped.
    Drop(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0..5_u8).prop_map(Step::Keep),
        1 => any::<usize>().prop_map(Step::Share),
        1 => any::<usize>().prop_map(Step::Find),
        4 => any::<usize>().prop_map(Step::Drop),
    ];
    vec(step, 1..60)
}

/// The layout of the owner at this index; the layout itself owns nothing.
fn at(owners: &[(u8, KnownLayout)], place: usize) -> Option<(u8, Layout)> {
    let place = place.checked_rem(owners.len())?;
    let (number, owner) = owners.get(place)?;
    Some((*number, owner.layout()))
}

#[test]
fn the_table_has_exactly_the_owned_drawings() {
    let _turn = turn();
    law(Weight::of(200, 70), steps(), |steps| {
        let mut owners: Vec<(u8, KnownLayout)> = Vec::new();
        let mut gone = 0;
        for step in steps {
            match step {
                Step::Keep(number) => owners.push((number, sketch(number).keep().unwrap())),
                Step::Share(place) => {
                    let place = place.checked_rem(owners.len());
                    owners.extend(place.map(|place| owners[place].clone()));
                }
                Step::Find(place) => {
                    let found = at(&owners, place);
                    owners.extend(found.map(|(number, layout)| (number, layout.into())));
                }
                Step::Drop(place) => {
                    if let Some(place) = place.checked_rem(owners.len()) {
                        let (number, owner) = owners.swap_remove(place);
                        let layout = owner.layout();
                        drop(owner);
                        let is_owned = owners.iter().any(|(other, _)| *other == number);
                        prop_assert_eq!(layout.drawing().is_some(), is_owned);
                        gone += u32::from(!is_owned);
                    }
                }
            }
            let mut owned: Vec<u8> = owners.iter().map(|(number, _)| *number).collect();
            owned.sort_unstable();
            owned.dedup();
            prop_assert_eq!(KnownDrawing::count(), owned.len());
        }
        for (number, owner) in &owners {
            let bytes = sketch(*number).bytes().unwrap();
            prop_assert_eq!(owner.drawing().unwrap().as_drawing().bytes(), bytes);
            let known = owner.layout().drawing();
            prop_assert_eq!(known.as_ref(), owner.drawing());
        }
        Ok(Judged::if_any(gone > 0))
    });
    assert_eq!(KnownDrawing::count(), 0);
}

#[test]
fn saving_a_drawing_a_thousand_times_leaks_nothing() {
    let _turn = turn();
    let mut shown = sketch(0).keep().unwrap();
    for save in 0..1_000_u32 {
        shown = sketch((save % 200) as u8).keep().unwrap();
        assert_eq!(KnownDrawing::count(), 1);
    }
    assert!(shown.layout().drawing().is_some());
    drop(shown);
    assert_eq!(KnownDrawing::count(), 0);
}

/// Holds in whatever order the last handle is dropped and the next one is created.
#[test]
fn threads_sharing_drawings_leave_none_behind() {
    let _turn = turn();
    let work = || {
        for round in 0..2_000_u32 {
            let sketch = sketch((round % 2) as u8);
            let known = sketch.keep().unwrap();
            assert_eq!(known.layout().drawing().as_ref(), known.drawing());
        }
    };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(work);
        }
    });
    assert_eq!(KnownDrawing::count(), 0);
}

#[test]
fn a_note_is_shared_and_dropped_with_its_drawing() {
    let _turn = turn();
    let note = Arc::new("a game".to_owned());
    let known = sketch(7).keep().unwrap();
    known.drawing().unwrap().set_note(Arc::clone(&note));
    let found = known.layout().drawing().unwrap();
    assert_eq!(found.note::<String>(), Some(Arc::clone(&note)));
    assert_eq!(found.note::<u32>(), None, "of another type");
    let other = Arc::new("another".to_owned());
    known.drawing().unwrap().set_note(Arc::clone(&other));
    assert_eq!(Arc::strong_count(&note), 1, "nobody has the first any more");
    drop((known, found));
    assert_eq!(Arc::strong_count(&other), 1);
    let again = sketch(7).keep().unwrap();
    assert_eq!(again.drawing().unwrap().note::<String>(), None);
}

#[test]
fn drawings_that_are_owned_together_are_each_owned_once() {
    let _turn = turn();
    let mut all = KnownDrawings::default();
    for number in [3, 4, 3] {
        let known = sketch(number).keep().unwrap();
        all.own(known.layout());
    }
    all.own(Layout::MALDOO);
    all.own(Layout::Drawn { points: 9, id: 77 });
    assert_eq!(KnownDrawing::count(), 2);
    let also = all.clone();
    drop(all);
    assert_eq!(KnownDrawing::count(), 2);
    drop(also);
    assert_eq!(KnownDrawing::count(), 0);
}

/// The number of the drawing with this game, which has no owner afterwards.
fn number(game: [u8; 5]) -> u32 {
    match of_game(game).keep().unwrap().layout() {
        Layout::Drawn { id, .. } => id,
        Layout::Grid(_) => unreachable!("it is drawn"),
    }
}

fn of_game(game: [u8; 5]) -> Sketch {
    Sketch {
        game: game.to_vec(),
        ..sketch(1)
    }
}

/// A game that begins with a 2 and gives its drawing this number. A checksum is linear,
/// so four bytes are enough to reach any number.
fn with_number(wanted: u32) -> [u8; 5] {
    let game = |bits: u32| {
        let [a, b, c, d] = bits.to_le_bytes();
        [2, a, b, c, d]
    };
    let plain = number(game(0));
    // How each bit of the game changes the number.
    let mut rows: Vec<(u32, u32)> = (0..u32::BITS)
        .map(|bit| (number(game(1 << bit)) ^ plain, 1 << bit))
        .collect();
    let (mut left, mut bits) = (wanted ^ plain, 0);
    for column in 0..u32::BITS {
        let has = |(changed, _): &(u32, u32)| changed >> column & 1 == 1;
        let at = rows.iter().position(has);
        let (changed, made) = rows.swap_remove(at.expect("every number is reached"));
        for row in rows.iter_mut().filter(|row| has(row)) {
            *row = (row.0 ^ changed, row.1 ^ made);
        }
        if left >> column & 1 == 1 {
            (left, bits) = (left ^ changed, bits ^ made);
        }
    }
    game(bits)
}

#[test]
fn a_drawing_with_a_colliding_number_is_refused() {
    let _turn = turn();
    let game = [1, 0, 0, 0, 0];
    let (first, second) = (of_game(game), of_game(with_number(number(game))));
    assert_ne!(first.bytes(), second.bytes());
    let known = first.keep().unwrap();
    assert_eq!(second.keep().unwrap_err(), DrawingError::SameNumber);
    assert_eq!(KnownDrawing::count(), 1);
    let layout = known.layout();
    drop(known);
    assert_eq!(second.keep().unwrap(), layout);
    assert_eq!(KnownDrawing::count(), 0);
}
