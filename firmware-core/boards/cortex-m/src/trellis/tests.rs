//! Tiles on a bus, whose time passes in rounds of the loop.

use std::collections::{BTreeMap, BTreeSet};
use std::vec;

use proptest::collection;
use proptest::prelude::*;
use protocol::GridSize;

use super::simulated;
use super::*;

/// The duration of a round of the loop, in microseconds.
const TURN_US: u32 = 1_000;
/// More rounds than it takes to set up 17 tiles and to send all of their lights: 19
/// messages and then four rows for each tile, with two requests to each message.
const LONG: u32 = 2_000;
const LIMIT_MA: u32 = 500;

/// The loop of a Pico, and the tiles on its bus by their indices.
struct Bench {
    tiles: BTreeMap<usize, simulated::Tile>,
    trellis: Trellis,
    now_us: u32,
    /// The transfer in progress, and the time at which it ends.
    on_bus: Option<(Transfer, u32)>,
    /// How bad the bus is: it refuses about one of this many transfers, at random. (A bus
    /// that always refused a tile would be one without that tile.)
    refuses_each: Option<u32>,
    chance: u32,
    sent: Vec<(u8, Vec<u8>)>,
}

type Vec<T> = vec::Vec<T>;

/// The result of a transfer with a tile.
fn carried_out(
    tiles: &mut BTreeMap<usize, simulated::Tile>,
    transfer: &Transfer,
    now_us: u32,
) -> BusOutcome {
    let (Transfer::Write { address, .. } | Transfer::Read { address, .. }) = transfer;
    let tile = tiles.get_mut(&usize::from(address - FIRST_ADDRESS));
    let bytes = tile.and_then(|tile| match transfer {
        Transfer::Write { bytes, .. } => tile.write(bytes, now_us).then(Vec::new),
        Transfer::Read { count, .. } => {
            assert!((1..=MOST_BYTES as u8).contains(count), "{count}");
            tile.read(*count, now_us)
        }
    });
    bytes.map_or(BusOutcome::Refused, |bytes| {
        BusOutcome::Done(heapless::Vec::from_slice(&bytes).expect("it fits"))
    })
}

impl Bench {
    /// Switches on a field of these tiles.
    fn new(tiles: impl IntoIterator<Item = usize>) -> Bench {
        let tiles = tiles.into_iter().map(|tile| (tile, simulated::Tile::new()));
        let mut tiles: BTreeMap<_, _> = tiles.collect();
        let mut now_us = 0;
        let trellis = Trellis::find(|transfer| {
            now_us += TURN_US;
            carried_out(&mut tiles, transfer, now_us)
        });
        Bench {
            tiles,
            trellis,
            now_us,
            on_bus: None,
            refuses_each: None,
            chance: 1,
            sent: Vec::new(),
        }
    }

    /// Runs the loop this many times, each time after this many microseconds.
    fn turn(&mut self, turns: u32, turn_us: u32) {
        for _ in 0..turns {
            self.now_us += turn_us;
            for tile in self.tiles.values_mut() {
                tile.pass(self.now_us);
            }
            if let Some((transfer, end_us)) = self.on_bus.take_if(|(_, end)| *end <= self.now_us) {
                // Knuth's generator, whose high bits are random enough.
                self.chance = self
                    .chance
                    .wrapping_mul(1_664_525)
                    .wrapping_add(1_013_904_223);
                let number = self.chance >> 16;
                let is_bad = self
                    .refuses_each
                    .is_some_and(|each| number.is_multiple_of(each));
                let outcome = match is_bad {
                    true => BusOutcome::Refused,
                    false => carried_out(&mut self.tiles, &transfer, end_us),
                };
                self.trellis.done(&outcome);
            }
            if self.on_bus.is_none()
                && let Some(transfer) = self.trellis.next(self.now_us)
            {
                let (address, length) = match &transfer {
                    Transfer::Write { address, bytes } => {
                        self.sent.push((*address, bytes.to_vec()));
                        (*address, bytes.len() as u32)
                    }
                    Transfer::Read { address, count } => (*address, u32::from(*count)),
                };
                assert!(address >= FIRST_ADDRESS && address < FIRST_ADDRESS + TILES as u8);
                // Nine bits for each byte, of 10 us each.
                self.on_bus = Some((transfer, self.now_us + (1 + length) * 90 + 20));
            }
        }
    }

    /// Puts a finger on a point of a board with this layout, or lifts it.
    fn finger(&mut self, layout: Layout, point: Point, is_down: bool) {
        let Place { tile, key } = place(layout, point);
        if let Some(tile) = self.tiles.get_mut(&tile) {
            tile.set(key.into(), is_down);
        }
    }

    /// The points and buttons of such a board that are down, according to the field.
    fn felt(&self, layout: Layout) -> (BTreeSet<Point>, u16) {
        let mut points = BTreeSet::new();
        for point in layout.iter() {
            let (column, row) = contact(layout, point);
            if self.trellis.sample(ScanLine::Column(column)) >> row & 1 == 1 {
                points.insert(point);
            }
        }
        (points, self.trellis.sample(ScanLine::Buttons))
    }

    /// The colour of a light, if it has a tile.
    fn shown(&self, Place { tile, key }: Place) -> Option<[u8; 3]> {
        Some(self.tiles.get(&tile)?.shown[usize::from(key)])
    }
}

fn seen(layout: Layout, colours: &[Colour], turn: [bool; 2]) -> Seen {
    let mut seen = Seen {
        turn,
        ..Seen::default()
    };
    for (point, colour) in layout.iter().zip(colours) {
        seen.points.set(point, *colour);
    }
    seen
}

/// The four tiles of 8x8 points, and the tile of the buttons.
const SQUARE: [usize; 5] = [0, 1, 4, 5, BUTTONS];

fn grid(columns: u8, rows: u8) -> Layout {
    Layout::grid(columns, rows).expect("a layout")
}

#[test]
fn bridges_say_where_a_tile_lies_and_which_board_fits() {
    let fits = |tiles: &[usize]| Bench::new(tiles.iter().copied()).trellis.layout();
    assert_eq!(fits(&[]), None);
    assert_eq!(fits(&[BUTTONS]), None);
    assert_eq!(fits(&[0]), Some(grid(4, 4)));
    assert_eq!(fits(&SQUARE), Some(grid(8, 8)));
    assert_eq!(fits(&[0, 1, 2]), Some(grid(12, 4)));
    // The last tile of the second row is missing.
    assert_eq!(fits(&[0, 1, 2, 4, 5]), Some(grid(12, 4)));
    assert_eq!(fits(&[1, 2, 5]), None);
    let all: Vec<usize> = (0..TILES).collect();
    assert_eq!(fits(&all), Some(grid(16, 16)));
}

#[test]
fn another_device_on_the_bus_is_not_a_tile() {
    let trellis = Trellis::find(|transfer| match transfer {
        Transfer::Write { .. } => BusOutcome::Done(heapless::Vec::new()),
        Transfer::Read { .. } => {
            BusOutcome::Done(heapless::Vec::from_slice(&[0x84]).expect("a byte"))
        }
    });
    assert!(!trellis.is_there());
}

/// The expected bytes are from the manufacturer's page and register map.
#[test]
fn a_tile_is_set_up_and_polled_as_its_maker_documents() {
    let mut bench = Bench::new([0]);
    let layout = grid(4, 4);
    bench.turn(19 * 2, TURN_US);
    let mut expected: Vec<(u8, Vec<u8>)> = vec![
        (0x2E, vec![0x0E, 0x01, 3]),
        (0x2E, vec![0x0E, 0x02, 1]),
        (0x2E, vec![0x0E, 0x03, 0, 48]),
    ];
    for row in 0..4 {
        expected.extend((0..4).map(|column| (0x2E, vec![0x10, 0x01, 8 * row + column, 0x19])));
    }
    assert_eq!(bench.sent[..19], expected);

    bench.turn(LONG, TURN_US);
    bench.sent.clear();
    let red_on_the_second = seen(layout, &[Colour::OFF, Colour::RED], [false; 2]);
    bench.trellis.show(layout, &red_on_the_second, LIMIT_MA);
    bench.turn(20, TURN_US);
    let told: Vec<_> = bench
        .sent
        .iter()
        .filter(|(_, bytes)| bytes[0] == 0x0E)
        .collect();
    let row = vec![0x0E, 0x04, 0, 0, 0, 0, 0, 11, 255, 8, 0, 0, 0, 0, 0, 0];
    assert_eq!(told, [&(0x2E, row), &(0x2E, vec![0x0E, 0x05])]);

    bench.sent.clear();
    bench.finger(layout, Point(6), true);
    bench.turn(20, TURN_US);
    let (felt, _) = bench.felt(layout);
    assert_eq!(felt, BTreeSet::from([Point(6)]));
    let events = (0x2E, vec![0x10, 0x10]);
    assert_eq!(bench.sent.iter().filter(|sent| **sent == events).count(), 1);
    assert!(bench.sent.contains(&(0x2E, vec![0x10, 0x04])));
}

#[test]
fn each_button_has_a_key_and_each_side_a_light() {
    let mut bench = Bench::new(SQUARE);
    bench.turn(LONG, TURN_US);
    for (bit, key) in [0, 1, 2, 3, 4, 6, 7].into_iter().enumerate() {
        bench
            .tiles
            .get_mut(&BUTTONS)
            .expect("it is there")
            .set(key, true);
        bench.turn(40, TURN_US);
        assert_eq!(bench.trellis.sample(ScanLine::Buttons), 1 << bit);
        bench
            .tiles
            .get_mut(&BUTTONS)
            .expect("it is there")
            .set(key, false);
        bench.turn(40, TURN_US);
        assert_eq!(bench.trellis.sample(ScanLine::Buttons), 0);
    }
    for (turn, lit) in [([true, false], 12), ([false, true], 15)] {
        bench
            .trellis
            .show(grid(8, 8), &seen(grid(8, 8), &[], turn), LIMIT_MA);
        bench.turn(40, TURN_US);
        let shown = bench.tiles[&BUTTONS].shown;
        assert!(
            (0..16).all(|key| (shown[key] != [0; 3]) == (key == lit)),
            "{shown:?}"
        );
    }
}

/// Of 80 lights, 64 are amber; they are dimmed as far as their current requires.
#[test]
fn tiles_are_dimmed_to_the_current_of_a_port() {
    let mut bench = Bench::new(SQUARE);
    let layout = grid(8, 8);
    let amber = seen(layout, &[Colour::AMBER; 64], [false; 2]);
    bench.trellis.show(layout, &amber, LIMIT_MA);
    bench.turn(LONG, TURN_US);
    // 64 lights of brightness 367 each; 320 mA of 500 are left for them, which are 4,080
    // units.
    let by = 4_080 * 256 / (64 * 367);
    let expected = [255, 107, 5].map(|bright: u32| (bright * by / 256) as u8);
    for tile in [0, 1, 4, 5] {
        assert_eq!(bench.tiles[&tile].shown, [expected; 16]);
    }
    assert_eq!(bench.tiles[&BUTTONS].shown, [[0; 3]; 16]);
}

#[test]
fn a_key_is_felt_while_lights_keep_changing() {
    let mut bench = Bench::new(0..TILES);
    let layout = grid(16, 16);
    bench.turn(LONG, TURN_US);
    let mut felt_after = None;
    bench.finger(layout, Point(255), true);
    for turn in 0..300 {
        let colour = Colour::new(turn as u8 % 15 + 1);
        bench
            .trellis
            .show(layout, &seen(layout, &[colour; 256], [true; 2]), LIMIT_MA);
        bench.turn(1, TURN_US);
        if felt_after.is_none() && !bench.felt(layout).0.is_empty() {
            felt_after = Some(turn);
        }
    }
    // A tile scans its keys once in 10 rounds, and 17 tiles are polled, each of which
    // takes two rounds and as many for the lights in between.
    assert!(
        felt_after.is_some_and(|turns| turns < 10 + 17 * 4 + 4),
        "{felt_after:?}"
    );
}

#[test]
fn a_tile_with_busy_lights_does_not_delay_the_others() {
    let mut bench = Bench::new([0, 1]);
    let layout = grid(8, 4);
    bench.turn(LONG, TURN_US);
    let mut colours = [Colour::OFF; 32];
    colours[31] = Colour::RED;
    for turn in 0..100 {
        for (index, colour) in colours.iter_mut().enumerate() {
            if index % 8 < 4 {
                *colour = Colour::new(turn % 15 + 1);
            }
        }
        bench
            .trellis
            .show(layout, &seen(layout, &colours, [false; 2]), 20_000);
        bench.turn(1, TURN_US);
    }
    assert_eq!(bench.tiles[&1].shown[15], [255, 11, 8]);
    assert!(bench.tiles[&0].shows > 3);
}

#[test]
fn an_unplugged_tile_releases_its_keys_and_is_set_up_again() {
    let mut bench = Bench::new(SQUARE);
    let layout = grid(8, 8);
    let green = seen(layout, &[Colour::GREEN; 64], [true, false]);
    bench.trellis.show(layout, &green, 20_000);
    bench.turn(LONG, TURN_US);
    let [there, gone] = ["a8", "h1"].map(|name| layout.point(name).expect("a point"));
    bench.finger(layout, there, true);
    bench.finger(layout, gone, true);
    bench.turn(60, TURN_US);
    assert_eq!(bench.felt(layout).0, BTreeSet::from([there, gone]));

    bench.tiles.get_mut(&5).expect("a tile").is_out = true;
    bench.turn(LONG, TURN_US);
    assert_eq!(bench.felt(layout).0, BTreeSet::from([there]));

    bench.tiles.insert(5, simulated::Tile::new());
    bench.turn(LONG, TURN_US);
    assert_eq!(bench.tiles[&5].shown, [[10, 255, 41]; 16]);
    bench.finger(layout, gone, true);
    bench.turn(60, TURN_US);
    assert_eq!(bench.felt(layout).0, BTreeSet::from([there, gone]));
}

/// Events of a field of tiles.
#[derive(Clone, Debug)]
enum Deed {
    Show(Vec<u8>, [bool; 2]),
    Finger(u8, bool),
    Button(usize, bool),
    Turn(u32, u32),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        (collection::vec(0..16_u8, 256), any::<[bool; 2]>())
            .prop_map(|(colours, turn)| Deed::Show(colours, turn)),
        any::<(u8, bool)>().prop_map(|(point, is_down)| Deed::Finger(point, is_down)),
        (0..7_usize, any::<bool>()).prop_map(|(button, is_down)| Deed::Button(button, is_down)),
        (1..200_u32, 20..3_000_u32).prop_map(|(turns, us)| Deed::Turn(turns, us)),
    ];
    collection::vec(deed, 1..12)
}

proptest! {
    /// Holds for any tiles, with rounds of any length, on a bus that loses some of the
    /// transfers.
    #[test]
    fn lights_and_keys_converge_on_a_lossy_bus(
        tiles in collection::btree_set(0..TILES, 1..=TILES),
        (columns, rows) in (1..=GridSize::MAX, 1..=GridSize::MAX),
        deeds in deeds(),
        refuses_each in proptest::option::of(12..60_u32),
    ) {
        let mut bench = Bench::new(tiles.iter().copied());
        bench.refuses_each = refuses_each;
        let layout = grid(columns, rows);
        // A key that was already held when its tile was configured is not reported.
        bench.turn(LONG, TURN_US);
        let (mut points, mut buttons) = (BTreeSet::new(), 0_u16);
        let mut last = Seen::default();
        for deed in deeds {
            match deed {
                Deed::Show(colours, turn) => {
                    let colours: Vec<Colour> = colours.into_iter().map(Colour::new).collect();
                    last = seen(layout, &colours, turn);
                    bench.trellis.show(layout, &last, LIMIT_MA);
                }
                Deed::Finger(point, is_down) => {
                    let point = Point((usize::from(point) % layout.points()) as u8);
                    bench.finger(layout, point, is_down);
                    match is_down && tiles.contains(&place(layout, point).tile) {
                        true => points.insert(point),
                        false => points.remove(&point),
                    };
                }
                Deed::Button(button, is_down) => {
                    if let Some(tile) = bench.tiles.get_mut(&BUTTONS) {
                        tile.set(BUTTON_KEYS[button].into(), is_down);
                        buttons = buttons & !(1 << button) | u16::from(is_down) << button;
                    }
                }
                Deed::Turn(turns, us) => bench.turn(turns, us),
            }
        }
        bench.turn(LONG, TURN_US);
        prop_assert_eq!(bench.felt(layout), (points, buttons));
        let lights = colours(layout, &last);
        let there = lights.filter(|(place, _)| tiles.contains(&place.tile));
        let there: Vec<_> = there.collect();
        let shining = there.iter().map(|(_, colour)| *colour);
        let dimmed = Dimmed::of(16 * tiles.len(), shining, LIMIT_MA);
        for (place, colour) in there {
            prop_assert_eq!(bench.shown(place), Some(dimmed.light(colour)));
        }
    }
}
