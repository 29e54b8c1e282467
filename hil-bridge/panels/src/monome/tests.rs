//! Quotations are from `serialosc/serial.txt` of monome's documentation, with the
//! heading.

use super::*;

fn picture(columns: u8, rows: u8, lit: &[(u8, u8, Colour)]) -> PanelPicture {
    let mut picture = PanelPicture::dark(form(columns, rows));
    for (column, row, colour) in lit {
        let spot = KeySpot {
            column: *column,
            row: *row,
        };
        let lamp = PanelLamp {
            colour: *colour,
            is_dim: false,
        };
        picture.light(spot, lamp);
    }
    picture
}

/// *0x05 system / request grid size*: "structure: [0x05]". *0x12 led-grid / all off*:
/// "structure: [0x12]".
#[test]
fn a_grid_is_asked_for_its_size_and_turned_off() {
    assert_eq!(inquiry(), [0x05]);
    assert_eq!(dark(), [0x12]);
}

/// */prefix/grid/led/level/map x y d[32]*: "set 8x8 block of leds levels, with offset;
/// x = x offset, will be floored to multiple of 8 by firmware; d[32] = 64 states, 4 bit
/// values, in 32 consecutive bytes; serial: [0x1A, x, y, d[32]]".
#[test]
fn levels_are_sent_in_blocks_of_8x8() {
    let lit = [(0, 0, Colour::GREEN), (3, 1, Colour::RED)];
    let bytes = lights(&picture(8, 8, &lit), 0);
    let mut expected = vec![0x1A, 0, 0];
    expected.extend([0; 32]);
    expected[3] = 0xF0;
    expected[3 + 4 + 1] = 0x08;
    assert_eq!(bytes, expected);
}

#[test]
fn a_larger_grid_gets_a_message_for_each_block() {
    for (columns, rows, offsets) in [
        (16, 8, &[(0, 0), (8, 0)][..]),
        (8, 16, &[(0, 0), (0, 8)]),
        (16, 16, &[(0, 0), (8, 0), (0, 8), (8, 8)]),
    ] {
        let last = [(columns - 1, rows - 1, Colour::WHITE)];
        let bytes = lights(&picture(columns, rows, &last), 0);
        let blocks: Vec<&[u8]> = bytes.chunks(35).collect();
        let heads: Vec<&[u8]> = blocks.iter().map(|block| &block[..3]).collect();
        let expected: Vec<[u8; 3]> = offsets.iter().map(|(x, y)| [0x1A, *x, *y]).collect();
        assert_eq!(heads, expected);
        assert_eq!(bytes.last(), Some(&0x0F), "the last of 64 is the low half");
        let lit = bytes.chunks(35).flat_map(|block| &block[3..]);
        assert_eq!(lit.filter(|byte| **byte != 0).count(), 1);
    }
}

/// GridSize must be distinguishable without colours: by brightness, and by rhythm.
#[test]
fn green_is_bright_and_red_pulses() {
    let lamp = |colour| PanelLamp {
        colour,
        is_dim: false,
    };
    let over = |colour| -> Vec<u8> {
        let times = (0..10).map(|tenth| tenth * 100);
        times.map(|now_ms| level(lamp(colour), now_ms)).collect()
    };
    assert_eq!(over(Colour::GREEN), [15; 10]);
    assert_eq!(over(Colour::RED), [8, 8, 8, 8, 8, 8, 3, 3, 3, 3]);
    assert_eq!(over(Colour::OFF), [0; 10]);
    for colour in Colour::all().filter(|colour| *colour != Colour::OFF) {
        let dim = PanelLamp {
            colour,
            is_dim: true,
        };
        assert_eq!(level(dim, 0), 3, "a key is marked");
        assert!(level(lamp(colour), 0) > 3, "a point outshines it");
    }
}

fn heard(bytes: &[u8]) -> Vec<MonomeHeard> {
    let mut reader = MonomeReader::default();
    bytes.iter().filter_map(|byte| reader.take(*byte)).collect()
}

/// *0x03 system / report grid size*: "structure: [0x03, x, y]". *0x20 key-grid / key up*:
/// "[0x20, x, y]"; *0x21 key-grid / key down*: "[0x21, x, y]".
#[test]
fn size_and_keys_of_a_grid_are_read() {
    assert_eq!(heard(&[0x03, 16, 8]), [MonomeHeard::Size(16, 8)]);
    let key = |column, row, is_down| MonomeHeard::Key(KeySpot { column, row }, is_down);
    let bytes = [0x21, 3, 7, 0x20, 3, 7];
    assert_eq!(heard(&bytes), [key(3, 7, true), key(3, 7, false)]);
}

/// *from device*, in all sections: whatever else comes is passed over as a whole, so that
/// its bytes are not taken for keys.
#[test]
fn other_messages_are_skipped_as_a_whole() {
    let mut bytes = Vec::new();
    for (first, after) in [
        (0x00, 2),
        (0x01, 32),
        (0x02, 3),
        (0x04, 2),
        (0x0F, 8),
        (0x40, 1),
        (0x50, 2),
        (0x51, 1),
        (0x60, 32),
        (0x61, 3),
        (0x80, 1),
        (0x81, 7),
    ] {
        bytes.push(first);
        bytes.extend(vec![0x21; after]);
    }
    assert_eq!(heard(&bytes), []);
}

#[test]
fn invalid_bytes_are_reported_one_by_one() {
    let strange = MonomeHeard::Strange;
    assert_eq!(heard(&[0x13, 0xFF]), [strange, strange]);
    assert_eq!(heard(&[0x03, 0, 8]), [strange], "no grid has no columns");
    assert_eq!(heard(&[0x03, 8, 17]), [strange], "none is larger than 16");
}
