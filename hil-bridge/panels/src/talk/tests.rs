use law::{Judged, Weight, law};
use proptest::collection::vec;
use proptest::prelude::*;
use protocol::{Button, Colour, Packed, Point};

use super::*;

const PORT: &str = "the port";

/// The answer of a Mini to the request for its layout.
const MINI: [u8; 9] = [0xF0, 0x00, 0x20, 0x29, 0x02, 0x0D, 0x00, 0x05, 0xF7];
const SIZE_8X8: [u8; 3] = [0x03, 8, 8];

fn layout(columns: u8, rows: u8) -> Layout {
    Layout::grid(columns, rows).expect("a layout")
}

/// A conversation with an identified panel that shows a dark board of 8x8.
fn met(kind: PanelKind) -> PanelTalk {
    let mut talk = PanelTalk::new(kind);
    talk.show(layout(8, 8), &Seen::default(), 0);
    talk.plug_in(PORT, 0);
    let answer = match kind {
        PanelKind::Launchpad => &MINI[..],
        PanelKind::Monome => &SIZE_8X8,
    };
    talk.receive(answer, 10);
    talk
}

fn sentences(talk: &mut PanelTalk) -> Vec<String> {
    let news = talk.take_news().into_iter();
    let said = news.filter_map(|news| match news {
        PanelNews::Say(sentence) => Some(sentence.to_string()),
        PanelNews::Finger(_) => None,
    });
    said.collect()
}

fn fingers(talk: &mut PanelTalk) -> Vec<Input> {
    let news = talk.take_news().into_iter();
    let felt = news.filter_map(|news| match news {
        PanelNews::Finger(input) => Some(input),
        PanelNews::Say(_) => None,
    });
    felt.collect()
}

#[test]
fn a_panel_is_asked_until_it_answers_and_then_lit_at_once() {
    let mut talk = PanelTalk::new(PanelKind::Monome);
    talk.show(layout(8, 8), &Seen::default(), 0);
    assert_eq!(talk.take_bytes(), [], "it is not plugged in");
    talk.plug_in(PORT, 0);
    assert_eq!(talk.take_bytes(), [0x05]);
    talk.pass(499);
    assert_eq!(talk.take_bytes(), []);
    talk.pass(500);
    assert_eq!(talk.take_bytes(), [0x05]);
    talk.receive(&SIZE_8X8, 510);
    assert_eq!(talk.take_bytes().len(), 35);
    talk.pass(2_000);
    assert_eq!(talk.take_bytes(), [], "nothing changed");
    assert_eq!(
        sentences(&mut talk),
        ["the panel is a monome grid of 8x8 keys at the port"]
    );
}

#[test]
fn a_launchpad_enters_programmer_mode_before_it_is_lit() {
    let mut talk = met(PanelKind::Launchpad);
    let bytes = talk.take_bytes();
    let asked = launchpad::inquiry();
    let entered = launchpad::enter(LaunchpadModel::Mini);
    let rest = bytes.strip_prefix(&asked[..]).expect("it was asked");
    let rest = rest.strip_prefix(&entered[..]).expect("it was switched");
    assert_eq!(rest.len(), 7 + 80 * 5 + 1);
    assert_eq!(
        sentences(&mut talk),
        ["the panel is a Launchpad Mini MK3 at the port"]
    );
}

#[test]
fn a_silent_panel_is_reported_once() {
    for kind in PanelKind::ALL {
        let mut talk = PanelTalk::new(kind);
        talk.plug_in(PORT, 0);
        talk.pass(2_999);
        assert_eq!(sentences(&mut talk), [""; 0]);
        talk.pass(3_000);
        talk.pass(60_000);
        let said = sentences(&mut talk);
        assert_eq!(said.len(), 1);
        assert!(said[0].contains("answers at the port"), "{}", said[0]);
    }
}

#[test]
fn replugging_resends_lamps_and_releases_keys() {
    for (kind, down) in [
        (PanelKind::Launchpad, &[0x90, 81, 100][..]),
        (PanelKind::Monome, &[0x21, 0, 0]),
    ] {
        let mut talk = met(kind);
        let first = talk.take_bytes();
        talk.receive(down, 20);
        talk.unplug();
        let corner = Point(0);
        assert_eq!(
            fingers(&mut talk),
            [Input::Touch(corner), Input::Release(corner)]
        );
        assert_eq!(talk.take_bytes(), []);
        talk.plug_in(PORT, 1_000);
        let answer = match kind {
            PanelKind::Launchpad => &MINI[..],
            PanelKind::Monome => &SIZE_8X8,
        };
        talk.receive(answer, 1_010);
        assert_eq!(talk.take_bytes(), first, "as at the first time");
        assert_eq!(fingers(&mut talk), []);
    }
}

#[test]
fn ending_switches_all_lamps_off() {
    let mut talk = met(PanelKind::Monome);
    talk.take_bytes();
    talk.end();
    assert_eq!(talk.take_bytes(), [0x12]);
    let mut talk = met(PanelKind::Launchpad);
    talk.take_bytes();
    talk.end();
    let dark = launchpad::lights(
        LaunchpadModel::Mini,
        &PanelPicture::dark(PanelForm::Launchpad),
    );
    let left = launchpad::leave(LaunchpadModel::Mini);
    assert_eq!(talk.take_bytes(), [dark, left].concat());
    talk.end();
    assert_eq!(talk.take_bytes(), [], "once");
}

#[test]
fn a_board_too_large_for_a_panel_is_refused_and_dark() {
    let mut talk = PanelTalk::new(PanelKind::Monome);
    talk.show(layout(9, 9), &Seen::default(), 0);
    talk.plug_in(PORT, 0);
    talk.receive(&SIZE_8X8, 10);
    let said = sentences(&mut talk);
    assert_eq!(
        said[1],
        "a board of 9x9 points does not fit on a grid of 8x8 keys: choose a smaller one, like --layout 8x8"
    );
    talk.take_bytes();
    talk.receive(&[0x21, 0, 0], 20);
    assert_eq!(fingers(&mut talk), []);
    // The next board is placed on the panel when it is shown.
    talk.show(layout(8, 8), &Seen::default(), 30);
    talk.receive(&[0x21, 0, 0], 40);
    assert_eq!(fingers(&mut talk), [Input::Touch(Point(0))]);
}

#[test]
fn another_board_releases_the_fingers_of_the_last() {
    let mut talk = met(PanelKind::Launchpad);
    talk.take_news();
    talk.receive(&[0xB0, 89, 127], 20);
    talk.show(layout(5, 5), &Seen::default(), 30);
    assert_eq!(
        fingers(&mut talk),
        [Input::Press(Button::Start), Input::Lift(Button::Start)]
    );
}

#[test]
fn a_broken_message_does_not_shift_later_ones() {
    let mut talk = met(PanelKind::Monome);
    talk.take_news();
    talk.receive(&[0x21, 5], 20);
    talk.receive(&[0x21, 0, 0], 20 + BROKEN_OFF_MS + 1);
    assert_eq!(fingers(&mut talk), [Input::Touch(Point(0))]);
}

#[test]
fn a_pulsing_lamp_is_sent_at_each_change() {
    let mut talk = met(PanelKind::Monome);
    let mut points = Packed::default();
    points.set(Point(0), Colour::RED);
    let seen = Seen {
        points,
        ..Seen::default()
    };
    talk.show(layout(8, 8), &seen, 1_000);
    talk.take_bytes();
    let mut sent = Vec::new();
    for now_ms in (1_000..3_000).step_by(10) {
        talk.pass(now_ms);
        let bytes = talk.take_bytes();
        if !bytes.is_empty() {
            sent.push((now_ms, bytes[3] >> 4));
        }
    }
    assert_eq!(sent, [(1_600, 3), (2_000, 8), (2_600, 3)]);
}

/// Whatever a device sends, nothing panics, no sentence is repeated, the output is
/// limited by the input, and every finger that went down is lifted.
#[test]
fn garbage_is_reported_once_and_leaves_no_fingers() {
    let messages = prop_oneof![
        4 => vec(any::<u8>(), 1..8),
        2 => (0..2_u8, 0..10_u8, 0..10_u8).prop_map(|(up, x, y)| vec![0x20 + up, x, y]),
        2 => (0..100_u8, 0..2_u8).prop_map(|(note, on)| vec![0x90, note, on * 127]),
        1 => Just(MINI.to_vec()),
        1 => (0..20_u8, 0..20_u8).prop_map(|(x, y)| vec![0x03, x, y]),
    ];
    let kinds = proptest::sample::select(&PanelKind::ALL[..]);
    let sides = (5..=9_u8, 5..=9_u8);
    let cases = (kinds, sides, vec(messages, 0..60));
    law(Weight::of(300, 50), cases, |(kind, sides, messages)| {
        let mut talk = met(kind);
        talk.take_news();
        talk.take_bytes();
        talk.show(layout(sides.0, sides.1), &Seen::default(), 10);
        let mut news = Vec::new();
        for (turn, bytes) in messages.iter().enumerate() {
            talk.receive(bytes, 20 + turn as u64);
            let fresh = talk.take_news();
            prop_assert!(fresh.len() <= bytes.len() + 1);
            news.extend(fresh);
            // At most all lamps once, and one request for the identity.
            prop_assert!(talk.take_bytes().len() <= 1_000);
        }
        talk.unplug();
        news.extend(talk.take_news());
        let mut down = Vec::new();
        let mut said = Vec::new();
        let mut touches = 0;
        for one in news {
            match one {
                PanelNews::Finger(input @ (Input::Touch(_) | Input::Press(_))) => {
                    prop_assert!(!down.contains(&input));
                    if let Input::Touch(point) = input {
                        prop_assert!(layout(sides.0, sides.1).has(point));
                    }
                    touches += 1;
                    down.push(input);
                }
                PanelNews::Finger(input) => {
                    let place = down.iter().position(|other| other.reverse() == input);
                    down.swap_remove(place.expect("it was down"));
                }
                PanelNews::Say(sentence) => {
                    prop_assert!(!said.contains(&sentence), "{sentence} twice");
                    said.push(sentence);
                }
            }
        }
        prop_assert!(down.is_empty());
        Ok(Judged::if_any(touches > 0))
    });
}
