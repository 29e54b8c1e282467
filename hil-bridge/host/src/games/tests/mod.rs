//! Tests of what all guides have in common.

mod numbers;

use firmware_core::games::{self as core_games, BUILT, NUMBERS};

use super::*;

#[test]
fn every_game_has_its_guide_and_every_mode_a_line() {
    for number in BUILT.iter() {
        let about = core_games::about(number).unwrap();
        let text = how_to(number).unwrap();
        assert_eq!(
            text.modes.len(),
            usize::from(about.modes),
            "modes of {}",
            about.name
        );
    }
    let described = all().filter(|guide| guide.number() != core_games::LAYOUTS_OWN);
    assert_eq!(described.count(), BUILT.len());
    assert!(NUMBERS.iter().all(|number| find(*number).is_some()));
}

#[test]
fn guides_are_in_the_order_of_their_numbers() {
    assert!(GUIDES.is_sorted_by(|one, other| one.number() < other.number()));
}

#[test]
fn every_text_has_sentences_that_fit_a_small_panel() {
    for text in all().map(Guide::how_to) {
        let modes = text.modes.iter().map(|mode| mode.text);
        let all = [text.aim, text.end, text.level, text.time, text.speed];
        for sentence in all
            .into_iter()
            .chain(text.play.iter().copied())
            .chain(modes)
        {
            assert!(sentence.ends_with('.'), "no sentence: {sentence}");
            assert!(sentence.len() <= 240, "too long: {sentence}");
        }
    }
}

#[test]
fn modes_differ_only_in_the_line_of_the_mode() {
    let ghost = crate::written::how_to(1, Layout::MALDOO).unwrap();
    let [catch, beside] = [0, 1].map(|mode| ghost.lines(mode).collect::<Vec<_>>());
    assert_eq!(catch.len(), beside.len());
    let differing = catch
        .iter()
        .zip(&beside)
        .filter(|(one, other)| one != other);
    assert_eq!(differing.count(), 1);
    assert!(beside.contains(&ghost.guide.modes[1].text));
}

#[test]
fn no_two_modes_of_a_game_have_the_same_name() {
    for text in all().map(Guide::how_to) {
        for (index, mode) in text.modes.iter().enumerate() {
            let earlier = &text.modes[..index];
            assert!(
                earlier.iter().all(|other| other.name != mode.name),
                "{}",
                mode.name
            );
        }
    }
}
