//! Quotations are from the *Launchpad Mini [MK3]*, *Launchpad X* and *Launchpad Pro
//! [MK3] Programmer's reference manual*, with the heading.

use super::*;

/// Bytes as the manuals write them: `F0h 00h ...`.
fn hex(text: &str) -> Vec<u8> {
    let numbers = text
        .split_whitespace()
        .map(|word| word.trim_end_matches('h'));
    let bytes = numbers.map(|word| u8::from_str_radix(word, 16).expect("a byte"));
    bytes.collect()
}

/// \[Mini\] and \[X\] *Selecting layouts*, "Readback variant"; \[Pro\] *Selecting layouts*,
/// "Request the current layout with the following SysEx message".
#[test]
fn every_model_is_asked_for_its_layout() {
    let mini = "F0h 00h 20h 29h 02h 0Dh 00h F7h";
    let x = "F0h 00h 20h 29h 02h 0Ch 00h F7h";
    let pro = "F0h 00h 20h 29h 02h 0Eh 00h F7h";
    assert_eq!(inquiry(), [hex(mini), hex(x), hex(pro)].concat());
}

/// \[X\] *Programmer / Live mode switch*: "`F0h 00h 20h 29h 02h 0Ch 0Eh <mode> F7h`, where
/// <mode> is 0 for Live mode, 1 for Programmer mode"; the Mini's has 0Dh. \[Pro\]
/// *Selecting layouts*: "`F0h 00h 20h 29h 02h 0Eh 00h <layout> <page> 00h F7h`", with
/// "11h Programmer Mode", "04h Note / Drum" and page "00h for any other view".
#[test]
fn programmer_mode_is_entered_and_left() {
    let of = |model, entered, left| {
        assert_eq!(enter(model), hex(entered));
        assert_eq!(leave(model), hex(left));
    };
    of(
        LaunchpadModel::Mini,
        "F0h 00h 20h 29h 02h 0Dh 0Eh 01h F7h",
        "F0h 00h 20h 29h 02h 0Dh 0Eh 00h F7h",
    );
    of(
        LaunchpadModel::X,
        "F0h 00h 20h 29h 02h 0Ch 0Eh 01h F7h",
        "F0h 00h 20h 29h 02h 0Ch 0Eh 00h F7h",
    );
    of(
        LaunchpadModel::Pro,
        "F0h 00h 20h 29h 02h 0Eh 00h 11h 00h 00h F7h",
        "F0h 00h 20h 29h 02h 0Eh 00h 04h 00h 00h F7h",
    );
}

/// *LED lighting SysEx message*: "`F0h 00h 20h 29h 02h 0Dh 03h <colourspec>
/// [<colourspec> [...]] F7h`; lighting type (1 byte), LED index (1 byte), lighting data;
/// 3: RGB colour, lighting data is 3 bytes for Red, Green and Blue (127: Max, 0: Min).
/// The message may contain up to 81 <colourspec> entries".
#[test]
fn all_lamps_go_in_one_message() {
    let mut picture = PanelPicture::dark(PanelForm::Launchpad);
    let lamp = |colour, is_dim| PanelLamp { colour, is_dim };
    // "The lower left one": 0Bh. "The upper left one": 51h. "The lower right one": 12h.
    let place = |column, row| KeySpot { column, row };
    picture.light(place(0, 8), lamp(Colour::RED, false));
    picture.light(place(0, 1), lamp(Colour::GREEN, false));
    picture.light(place(7, 8), lamp(Colour::BLUE, true));
    for model in LaunchpadModel::ALL {
        let bytes = lights(model, &picture);
        let (head, rest) = bytes.split_at(7);
        let number = model as u8;
        assert_eq!(head, [0xF0, 0x00, 0x20, 0x29, 0x02, number, 0x03]);
        let (last, specs) = rest.split_last().expect("bytes");
        assert_eq!(*last, 0xF7);
        assert!(specs.iter().all(|byte| *byte < 0x80), "data is of 7 bits");
        let specs: Vec<&[u8]> = specs.chunks(5).collect();
        assert_eq!(specs.len(), 80);
        let lit = specs.iter().filter(|spec| spec[2..] != [0, 0, 0]);
        let lit: Vec<&[u8]> = lit.copied().collect();
        let green = [3, 0x51, 0, 127, 0];
        let red = [3, 0x0B, 127, 0, 0];
        let blue = [3, 0x12, 0, 0, 15];
        assert_eq!(lit, [&green[..], &red, &blue]);
        let mut indices: Vec<u8> = specs.iter().map(|spec| spec[1]).collect();
        indices.sort_unstable();
        indices.dedup();
        assert_eq!(indices.len(), 80, "each lamp once");
    }
}

fn heard(bytes: &[u8]) -> Vec<LaunchpadHeard> {
    let mut reader = LaunchpadReader::default();
    bytes.iter().filter_map(|byte| reader.take(*byte)).collect()
}

/// *SysEx message format used by the device*: "All SysEx messages begin with the
/// following header regardless of direction", and a readback is answered by "`<command>
/// <data>`".
#[test]
fn the_answer_identifies_the_model() {
    for model in LaunchpadModel::ALL {
        let answer = model.message(&[0x00, 0x05]);
        assert_eq!(heard(&answer), [LaunchpadHeard::Is(model)]);
    }
    let of_another_maker = hex("F0h 7Eh 00h 06h 02h 00h 20h 29h F7h");
    assert_eq!(heard(&of_another_maker), [LaunchpadHeard::Strange]);
    let other_command = LaunchpadModel::X.message(&[0x0E, 0x01]);
    assert_eq!(heard(&other_command), []);
}

/// \[X\] *MIDI on Launchpad X*: it "sends Note On (90h - 9Fh) with velocity zero for Note
/// Offs". *Programmer mode layout*: pads are notes, the keys around them control changes.
#[test]
fn keys_go_down_and_come_up() {
    let key = |column, row, is_down| LaunchpadHeard::Key(KeySpot { column, row }, is_down);
    let bytes = hex("90h 0Bh 7Fh 90h 0Bh 00h B0h 5Bh 7Fh 5Bh 00h B0h 13h 7Fh 90h 58h 01h");
    let keys = [
        key(0, 8, true),
        key(0, 8, false),
        key(0, 0, true),
        key(0, 0, false),
        key(8, 8, true),
        key(7, 1, true),
    ];
    assert_eq!(heard(&bytes), keys);
    assert_eq!(heard(&hex("80h 0Bh 40h")), [key(0, 8, false)]);
}

#[test]
fn messages_without_a_key_are_skipped_or_reported() {
    // Aftertouch of a pad and of all; a key to the left of a Pro.
    assert_eq!(heard(&hex("A0h 0Bh 20h D0h 20h B0h 50h 7Fh")), []);
    let strange = [LaunchpadHeard::Strange];
    assert_eq!(heard(&hex("90h 63h 7Fh")), strange, "the logo is not a key");
    assert_eq!(heard(&hex("90h 7Fh 7Fh")), strange);
    assert_eq!(heard(&hex("E0h 00h 40h")), strange);
}

#[test]
fn key_numbers_and_places_convert_both_ways() {
    let places = PanelForm::Launchpad.spots();
    for place in places.filter(|place| index(*place) != 99) {
        assert_eq!(spot(index(place)), Some(place));
    }
    let found = (0..=127).filter_map(spot).count();
    assert_eq!(found, 80);
}

#[test]
fn the_midi_port_is_chosen_among_several() {
    let own = [
        "Launchpad Mini MK3:Launchpad Mini MK3 LPMiniMK3 MI 28:1",
        "LPX MIDI",
        "LPProMK3 MIDI",
    ];
    let others = [
        "LPMiniMK3 DAW In",
        "LPProMK3 DIN",
        "Launchpad Mini",
        "Midi Through",
    ];
    for name in own {
        assert!(is_port(name), "{name}");
    }
    for name in others {
        assert!(!is_port(name), "{name}");
    }
}
