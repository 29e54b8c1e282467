use law::{Judged, Weight, law};
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn answer(device: &mut GridDevice, bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|byte| device.take(*byte)).collect()
}

#[test]
fn a_grid_reports_its_size_and_name() {
    let mut grid = GridDevice::new(GridKind::Monome, 16, 8);
    assert_eq!(answer(&mut grid, &[0x00]), [0x00, 1, 1, 0x00, 2, 1]);
    assert_eq!(answer(&mut grid, &[0x05]), [0x03, 16, 8]);
    let id = answer(&mut grid, &[0x01]);
    assert_eq!(id.len(), 33);
    assert_eq!(&id[1..15], b"virtual monome");
    assert!(id[15..].iter().all(|byte| *byte == b' '));
}

#[test]
fn every_message_of_lights_is_obeyed() {
    let mut grid = GridDevice::new(GridKind::Monome, 16, 8);
    let rows = |grid: &GridDevice| grid.picture().join(" ");
    answer(&mut grid, &[0x13]);
    assert!(rows(&grid).starts_with("ffffffffffffffff "));
    answer(
        &mut grid,
        &[0x12, 0x11, 2, 0, 0x18, 3, 0, 7, 0x15, 9, 1, 0b101],
    );
    assert!(rows(&grid).starts_with("00f7000000000000 00000000f0f00000 "));
    // A column, the same in levels, and a row of levels.
    answer(
        &mut grid,
        &[0x12, 0x16, 0, 5, 0b11, 0x1C, 1, 0, 0x12, 0, 0, 0],
    );
    assert!(rows(&grid).starts_with("f100000000000000 f200000000000000 "));
    answer(&mut grid, &[0x1B, 8, 0, 0x12, 0x34, 0x56, 0x78]);
    assert!(rows(&grid).starts_with("f100000012345678 "));
    let mut map = vec![0x14, 3, 3];
    map.extend([0x80, 0, 0, 0, 0, 0, 0, 0x01]);
    answer(&mut grid, &map);
    let picture = grid.picture();
    assert_eq!((&picture[0][..9], &picture[7][..2]), ("0000000f1", "f0"));
}

#[test]
fn a_launchpad_is_dark_and_silent_outside_of_programmer_mode() {
    for kind in [
        GridKind::LaunchpadMini,
        GridKind::LaunchpadX,
        GridKind::LaunchpadPro,
    ] {
        let mut pad = GridDevice::new(kind, 8, 8);
        let GridDevice::Launchpad(device) = &pad else {
            panic!("it is a Launchpad");
        };
        let number = device.number();
        let light = [0xF0, 0, 0x20, 0x29, 2, number, 3, 3, 11, 127, 0, 0, 0xF7];
        answer(&mut pad, &light);
        assert_eq!(pad.key(&["11"], true), Ok(vec![]));
        let enter: &[u8] = match kind {
            GridKind::LaunchpadPro => &[0xF0, 0, 0x20, 0x29, 2, number, 0, 0x11, 0, 0, 0xF7],
            _ => &[0xF0, 0, 0x20, 0x29, 2, number, 0x0E, 1, 0xF7],
        };
        assert_eq!(pad.picture().concat().replace('.', ""), "");
        answer(&mut pad, enter);
        answer(&mut pad, &light);
        assert_eq!(pad.picture()[8], "r........");
        assert_eq!(pad.key(&["11"], true), Ok(vec![0x90, 11, 127]));
        assert_eq!(pad.key(&["91"], false), Ok(vec![0xB0, 91, 0]));
        let asked = [0xF0, 0, 0x20, 0x29, 2, number, 0, 0xF7];
        let answer = answer(&mut pad, &asked);
        assert!(answer.starts_with(&asked[..7]) && answer.len() > asked.len());
    }
}

#[test]
fn random_bytes_neither_crash_nor_grow_a_device() {
    let kinds = proptest::sample::select(&GridKind::ALL[..]);
    let bytes = prop_oneof![any::<u8>(), 0..0x20_u8, Just(0xF0), Just(0xF7)];
    let cases = (kinds, 1..=16_u8, 1..=16_u8, vec(bytes, 0..2_000));
    law(
        Weight::of(200, 40),
        cases,
        |(kind, columns, rows, bytes)| {
            let mut device = GridDevice::new(kind, columns, rows);
            let answers = answer(&mut device, &bytes);
            prop_assert!(answers.len() <= 40 * bytes.len());
            prop_assert!(device.picture().len() <= 16);
            let kept = match &device {
                GridDevice::Monome(device) => device.picture().concat().contains('f'),
                GridDevice::Launchpad(device) => device.unknown() > 0,
            };
            Ok(Judged::if_any(kept))
        },
    );
}
