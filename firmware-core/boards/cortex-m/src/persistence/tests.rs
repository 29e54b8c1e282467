//! A board with a simulated flash, which is switched off and on.

use firmware_core::{AnyBoard, Identity, Keeping, SNAPSHOT_BYTES, games};
use ludemes::compile::compile;
use ludemes::text::read_with;
use protocol::wire::{self, MAX_FRAME_BYTES, Receiver};
use protocol::{
    CHUNK_BYTES, Command, Deed, KnownLayout, Layout, PROTOCOL_VERSION, Request, SCHEMA_HASH,
    ToDevice, ToHost,
};

use super::*;
use crate::journal::FlashJournal;
use crate::stm32f4::LastSectors;
use crate::stm32f4::tests::{Simulated, bus, store};

type Own = Device<Keeping<AnyBoard>, Vec<u8>>;

/// A chip that is on.
struct Chip {
    device: Own,
    kept: Persistence<FlashJournal<LastSectors<Simulated>>>,
    receiver: Receiver,
    number: u32,
    /// The messages that the device has sent.
    said: Vec<ToHost>,
}

impl Chip {
    /// Switches on as an image does.
    fn on(flash: Simulated) -> Chip {
        let board = Keeping::new(AnyBoard::new(Layout::MALDOO, 0).unwrap());
        let identity = Identity {
            board: "simulated",
            boot: 1,
            sensors: false,
        };
        let mut device = Device::not_begun(board, identity, vec![0; SNAPSHOT_BYTES]);
        let kept = Persistence::begin(store(flash), &mut device);
        device.begin();
        let mut chip = Chip {
            device,
            kept,
            receiver: Receiver::new(),
            number: 0,
            said: Vec::new(),
        };
        chip.send(&ToDevice::Hello {
            version: PROTOCOL_VERSION,
            schema: SCHEMA_HASH,
            host: 1,
        });
        chip
    }

    fn off(self) -> Simulated {
        bus(self.kept.store).powered()
    }

    fn round(&mut self) {
        while !self.device.output().is_empty() {
            let bytes = self.device.output().to_vec();
            self.device.sent(bytes.len());
            for byte in bytes {
                if let Some(Ok(plain)) = self.receiver.feed(byte) {
                    self.said.extend(wire::parse(plain));
                }
            }
            self.kept.store_changes(&mut self.device);
        }
    }

    fn send(&mut self, message: &ToDevice) {
        let mut buffer = [0; MAX_FRAME_BYTES];
        let bytes = wire::encode(message, &mut buffer).unwrap();
        assert_eq!(self.device.feed(bytes), bytes.len());
        self.round();
    }

    fn request(&mut self, command: Command) {
        self.number += 1;
        self.send(&ToDevice::Request(Request {
            number: self.number,
            seen: 0,
            command,
        }));
        let is_done = |message: &ToHost| match message {
            ToHost::Reply(reply) => reply.number == self.number && reply.result.is_ok(),
            _ => false,
        };
        assert!(self.said.iter().any(is_done), "{:?}", self.said);
    }

    /// Inserts a game, as a host does.
    fn becomes(&mut self, layout: Layout) {
        let known = layout.drawing();
        let bytes = known
            .as_ref()
            .map_or(&[][..], |known| known.as_drawing().bytes());
        for (index, chunk) in bytes.chunks(CHUNK_BYTES).enumerate() {
            self.request(Command::Write {
                offset: (index * CHUNK_BYTES) as u16,
                bytes: chunk.iter().copied().collect(),
            });
        }
        self.request(Command::Do(Deed::Reset { seed: 3, layout }));
    }

    /// The layout in the last hello.
    fn layout(&self) -> Option<Layout> {
        let mut hellos = self.said.iter().rev().filter_map(|message| match message {
            ToHost::Hello(hello) => Some(hello.layout),
            _ => None,
        });
        hellos.next()
    }

    fn logged(&self) -> Vec<&str> {
        let lines = self.said.iter().filter_map(|message| match message {
            ToHost::Log { text, .. } => Some(&**text),
            _ => None,
        });
        lines.collect()
    }
}

/// The layout of a game in the repository.
fn game(name: &str) -> KnownLayout {
    let games = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../hil-bridge/ludemes/games"
    );
    let text = std::fs::read_to_string(format!("{games}/{name}.lud")).unwrap();
    let game = read_with(&text, &[]).unwrap().game;
    compile(&game).unwrap().layout().unwrap()
}

#[test]
fn a_chip_starts_with_its_inserted_game_and_reports_it() {
    let mut chip = Chip::on(Simulated::new());
    assert_eq!(chip.layout(), Some(Layout::MALDOO));
    let (teeko, chess) = (game("teeko"), game("chess"));
    for layout in [*teeko, *chess, Layout::grid(8, 8).unwrap(), *teeko] {
        chip.becomes(layout);
        chip = Chip::on(chip.off());
        let has_game = layout.drawing().is_some();
        let comes_up = if has_game { layout } else { Layout::MALDOO };
        assert_eq!(chip.layout(), Some(comes_up));
        assert_eq!(
            chip.device.board().roster().has(games::LAYOUTS_OWN),
            has_game
        );
        assert_eq!(chip.logged(), [""; 0]);
    }
    // A host that tests a board leaves the stored layout unchanged.
    chip.request(Command::CountBest(false));
    chip.becomes(*chess);
    chip.request(Command::CountBest(true));
    chip = Chip::on(chip.off());
    assert_eq!(chip.layout(), Some(*teeko));
}

#[test]
fn a_stored_game_of_another_version_is_reported_and_kept() {
    let mut flash = store(Simulated::new());
    let teeko = game("teeko");
    let drawing = teeko.drawing().unwrap().as_drawing();
    let mut bytes = drawing.bytes().to_vec();
    // The byte with the version of the cartridge.
    let cartridge = bytes.len() - drawing.game().unwrap().len() + 2 * drawing.points();
    bytes[cartridge] ^= 0xFF;
    for bytes in [&bytes[..], &bytes[..bytes.len() - 1], &[7; 300]] {
        assert_eq!(flash.write(StoredPart::Layout, bytes), Ok(()));
        let chip = Chip::on(bus(flash).powered());
        assert_eq!(chip.layout(), Some(Layout::MALDOO));
        let [line] = chip.logged()[..] else {
            panic!("{:?}", chip.said)
        };
        assert!(line.contains("is not played by this firmware"), "{line}");
        flash = store(chip.off());
        let mut buffer = vec![0; SNAPSHOT_BYTES];
        assert_eq!(
            flash.read(StoredPart::Layout, &mut buffer),
            Some(bytes.len())
        );
    }
    // The board's own layout replaces it.
    let mut chip = Chip::on(bus(flash).powered());
    chip.becomes(Layout::MALDOO);
    let chip = Chip::on(chip.off());
    assert_eq!(chip.logged(), [""; 0]);
}

#[test]
fn a_game_is_played_even_if_flash_does_not_store_it() {
    let mut flash = Simulated::new();
    flash.protected = true;
    let mut chip = Chip::on(flash);
    chip.becomes(*game("teeko"));
    chip.request(Command::Ping);
    let is_told = |line: &&str| line.contains("the game was not kept");
    assert_eq!(chip.logged().iter().filter(|line| is_told(line)).count(), 1);
    assert_eq!(chip.device.board().layout(), game("teeko"));
}
