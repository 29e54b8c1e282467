//! Tests measurements at both matrices, and their reports.

use std::collections::BTreeSet;

use protocol::{Colour, Rhythm};

use super::*;

const MS_NS: u64 = 1_000_000;

fn grid(text: &str) -> KnownLayout {
    touchboard_links::games::layout(text).expect("a layout")
}

#[test]
fn a_virtual_boards_light_follows_five_samples() {
    let mut phases = BTreeSet::new();
    for (number, name) in played_on(&grid("9x9")) {
        let layout = games::layout_for(Roster::of(&[number])).into();
        let touches = touches_at_virtual(&layout, number, 40, 3).expect("it can be played");
        assert!(touches.len() > 20, "{name}: {}", touches.len());
        for touch in touches {
            assert!(touch.scan_ns <= MS_NS, "{touch:?}");
            assert_eq!(touch.debounce_ns, 4 * MS_NS, "{name}");
            assert_eq!(touch.board_ns, 0, "{name}");
            phases.insert(touch.scan_ns / (MS_NS / 10));
        }
    }
    assert!(
        phases.len() >= 8,
        "contacts close at any moment: {phases:?}"
    );
}

#[test]
fn a_light_in_the_dark_half_of_its_rhythm_is_unchanged() {
    let before = Frame::default();
    let mut after = before.clone();
    after.points.set(Point(7), Colour::RED);
    after.rhythms.set(Point(7), Rhythm::Fast);
    let is_on = |tick: &Tick| Rhythm::Fast.is_on(*tick);
    let on = (0..1_000).find(is_on).expect("it is on");
    let off = (on..1_000).find(|tick| !is_on(tick)).expect("it is off");
    assert!(lights_change(&before, &after, on..=on));
    assert!(!lights_change(&before, &after, off..=off + 1));
    assert!(!lights_change(&after, &after, on..=off));
}

#[test]
fn a_quantile_is_the_touch_at_its_rank() {
    let touch = |scan_ns| TouchToLight {
        scan_ns,
        ..TouchToLight::default()
    };
    let touches = Touches::new((1..=200).rev().map(touch).collect());
    let quantile = |part| touches.quantile(part).map(TouchToLight::total_ns);
    assert_eq!(quantile(0.5), Some(100));
    assert_eq!(quantile(0.99), Some(198));
    assert_eq!(quantile(1.0), Some(200));
    assert_eq!(Touches::default().quantiles_ms(), None);
}

#[test]
fn the_fastest_light_takes_four_samples_and_the_chain() {
    let of_256 = floor(*grid("16x16"));
    assert_eq!(of_256.chain_ns, 258 * 24 * 1_250);
    assert_eq!(of_256.total_ns(), 4 * MS_NS + 7_740_000 + 280_000);
}

#[test]
fn a_bar_is_as_long_as_its_touch() {
    let touch = TouchToLight {
        scan_ns: 3 * MS_NS,
        chain_ns: 5 * MS_NS,
        ..TouchToLight::default()
    };
    let svg = plot(&[("9x9 & more".to_owned(), touch)]);
    assert!(svg.contains(">8 ms<") && !svg.contains(">10 ms<"), "{svg}");
    assert!(svg.contains("9x9 &amp; more"), "{svg}");
    // 510 units are 8 ms.
    assert!(
        svg.contains("width=\"191.2\"") && svg.contains("width=\"318.8\""),
        "{svg}"
    );
}
