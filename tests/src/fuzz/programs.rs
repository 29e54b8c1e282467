//! The fuzz targets for what programs and tools write: images for flash, what a board
//! keeps, QEMU's monitor, recorded games, pictures.

use firmware_core::{AnyBoard, digest};
use law::Judged;
use ludemes::compile::Compiled;
use ludemes::replay::{self, excerpt, trial};
use protocol::Layout;
use touchboard_files::keep::KeepContents;
use touchboard_host::{CoreDriver, Driver};
use touchboard_links::bootsel::Uf2;
use touchboard_links::qemu::HaltReader;
use touchboard_picture::BoardPicture;

/// The bytes of a block of a UF2 file, from its specification.
const UF2_BLOCK_BYTES: usize = 512;
/// The bytes of the flash of a Pico.
const FLASH_BYTES: usize = 2 << 20;

/// A UF2 file is refused with a sentence, or is whole: without any one of its blocks it is
/// refused.
pub(super) fn uf2(bytes: &[u8]) -> Judged {
    let read = |bytes: Vec<u8>| Uf2::of("fuzzed.uf2".into(), bytes);
    let image = match read(bytes.to_vec()) {
        Ok(image) => image,
        Err(sentence) => {
            assert!(sentence.to_string().contains("fuzzed.uf2"), "{sentence}");
            return Judged::Nothing;
        }
    };
    let blocks = bytes.len() / UF2_BLOCK_BYTES;
    assert_eq!(image.flash_bytes(), blocks * 256);
    assert!(image.flash_bytes() <= FLASH_BYTES);
    for block in 0..blocks {
        let (before, rest) = bytes.split_at(block * UF2_BLOCK_BYTES);
        let less = [before, &rest[UF2_BLOCK_BYTES..]].concat();
        assert!(read(less).is_err(), "without block {block}");
    }
    Judged::Something
}

/// An image of two pages, and blocks that are none of its.
pub(super) fn uf2_files() -> Vec<Vec<u8>> {
    let block = |number: u32, count: u32| {
        let place = 0x1000_0000 + number * 256;
        let head = [
            0x0A32_4655,
            0x9E5D_5157,
            0x2000,
            place,
            256,
            number,
            count,
            0xE48B_FF56,
        ];
        let mut block: Vec<u8> = head.into_iter().flat_map(u32::to_le_bytes).collect();
        block.resize(UF2_BLOCK_BYTES - 4, number as u8);
        block.extend(0x0AB1_6F30_u32.to_le_bytes());
        block
    };
    vec![block(0, 1), [block(0, 2), block(1, 2)].concat()]
}

/// What a board keeps is refused, or written and read back identically; and a board
/// begins with the layout in it, or refuses it.
pub(super) fn kept_board(bytes: &[u8]) -> Judged {
    let head = bytes.iter().position(|byte| *byte == b'\n');
    let sealed = &bytes[head.map_or(0, |end| end + 1)..];
    let seal = digest::digest(sealed).to_le_bytes();
    // As it is, and behind a correct seal.
    let files = [bytes.to_vec(), [bytes, &seal].concat()];
    let mut is_kept = false;
    for kept in files.iter().filter_map(|file| KeepContents::read(file)) {
        is_kept = true;
        assert_eq!(KeepContents::read(&kept.bytes()), Some(kept.clone()));
        if let Some(layout) = kept.layout() {
            let _ = AnyBoard::new(*layout, 7);
        }
    }
    Judged::if_any(is_kept)
}

/// The files of a board that keeps nothing yet, and of one with a layout and its game.
pub(super) fn kept_boards() -> Vec<Vec<u8>> {
    let nothing = KeepContents::default().bytes();
    let (scores, _) = nothing.split_first_chunk::<25>().expect("it has a head");
    assert!(scores.ends_with(b"\n"));
    let text = touchboard_host::written::library::text("tic-tac-toe").expect("it is bundled");
    let game = touchboard_host::written::of_text("a.lud", text, &[]).expect("it is a game");
    let known = game.layout.drawing().expect("it has one");
    let best = &nothing[scores.len()..];
    let length = (best.len() as u16).to_le_bytes();
    let head = &b"touchboard best scores and layout 1\n"[..];
    let with_game = [head, &length, best, known.as_drawing().bytes()].concat();
    vec![nothing, with_game]
}

/// What QEMU's monitor says means the same, however it is cut into pieces; and a line that
/// never ends is not kept.
pub(super) fn monitor(bytes: &[u8]) -> Judged {
    let mut whole = HaltReader::default();
    let told = whole.hear(bytes);
    for length in [1, 7] {
        let mut reader = HaltReader::default();
        let pieces = bytes.chunks(length).filter_map(|piece| reader.hear(piece));
        assert_eq!(pieces.last(), told);
        assert_eq!(reader, whole);
    }
    let mut after = whole.clone();
    after.hear(b"\n");
    assert_eq!(after.hear(b"{\"event\":\"RESUME\"}\n"), Some(false));
    Judged::if_any(told.is_some())
}

/// What QEMU says when a debugger comes and goes.
pub(super) fn monitors() -> Vec<Vec<u8>> {
    let greeting = r#"{"QMP": {"version": {"qemu": {"major": 7}}, "capabilities": ["oob"]}}"#;
    let stop = r#"{"timestamp": {"seconds": 1, "microseconds": 2}, "event": "STOP"}"#;
    let resume = stop.replace("STOP", "RESUME");
    let all = [greeting, r#"{"return": {}}"#, stop, &resume].map(|line| format!("{line}\r\n"));
    vec![all.concat().into_bytes(), format!("{stop}\n").into_bytes()]
}

thread_local! {
    /// Noughts and crosses, which recorded games are judged by.
    static GAME: Compiled = {
        let text = touchboard_host::written::library::text("tic-tac-toe");
        let compiled = replay::compiled(text.expect("it is bundled"), &[]);
        compiled.expect("it is a game")
    };
}

/// A recorded game is refused with the line; or it agrees with the rules, and then its
/// excerpt agrees with them as well; or its first difference has a place.
pub(super) fn recorded_game(bytes: &[u8]) -> Judged {
    let text = String::from_utf8_lossy(bytes);
    GAME.with(|game| {
        let _ = excerpt::check(game, &text);
    });
    let trials = match trial::read(&text) {
        Ok(trials) => trials,
        Err(sentence) => {
            assert!(sentence.to_string().starts_with("line "), "{sentence}");
            return Judged::Nothing;
        }
    };
    for trial in trials.iter().take(4) {
        let moves = trial.moves.len();
        match GAME.with(|game| replay::replay(game, trial)) {
            Ok(replayed) => assert_eq!(replayed, moves),
            Err(difference) => assert!(difference.ply <= moves, "{difference}"),
        }
    }
    let one = trials.first().map(std::slice::from_ref).unwrap_or_default();
    let agrees = |trial: &trial::Trial| GAME.with(|game| replay::replay(game, trial)).is_ok();
    if one.iter().all(agrees)
        && let Some(short) = excerpt::excerpt(one)
        && one.iter().all(|trial| !trial.end.is_empty())
    {
        let moves = one.iter().map(|trial| trial.moves.len()).sum();
        let checked = GAME.with(|game| excerpt::check(game, &short));
        assert_eq!(checked, Ok(moves), "{short}");
    }
    Judged::if_any(trials.iter().any(|trial| !trial.moves.is_empty()))
}

/// A game that the first player wins, in both formats.
pub(super) fn recorded_games() -> Vec<Vec<u8>> {
    let moves = [(1, 0), (2, 3), (1, 1), (2, 4), (1, 2)];
    let action = |(mover, site): (u8, u8)| {
        format!("[Move:mover={mover},from={site},to={site},actions=[Add:to={site},what={mover}]]")
    };
    let mut lines = "game=tic-tac-toe\nnumInitialPlacementMoves=0\n".to_owned();
    let mut table = "TRIAL\n".to_owned();
    let mut free: Vec<u8> = (0..9).collect();
    for (ply, (mover, site)) in (0..).zip(moves) {
        let recorded = action((mover, site));
        lines += &format!("Move={recorded}\nLEGAL MOVES LIST SIZE = {}\n", free.len());
        let legal: Vec<String> = free.iter().map(|site| format!("{site}-{site}")).collect();
        let (many, list) = (legal.len(), legal.join(","));
        table += &format!("PLY\t{ply}\t{mover}\t{many}\t{list}\t{recorded}\n");
        free.retain(|other| *other != site);
    }
    lines += "winner=1\nendtype=NaturalEnd\n";
    table += "END\t5\twinner=1\tend=NaturalEnd\n";
    vec![lines.into_bytes(), table.into_bytes()]
}

/// The most pixels of a picture that is written again, which takes time for each.
const MOST_PIXELS: u32 = 1 << 16;

/// A picture is refused with a sentence, or written and read back identically.
pub(super) fn picture(bytes: &[u8]) -> Judged {
    let Ok(picture) = BoardPicture::from_png(bytes) else {
        return Judged::Nothing;
    };
    let (width, height) = picture.size();
    assert!(width <= 4_096 && height <= 4_096);
    if width * height <= MOST_PIXELS {
        let written = picture.to_png().expect("there is memory");
        let read = BoardPicture::from_png(&written).expect("it was written here");
        assert_eq!(read, picture);
    }
    Judged::Something
}

/// The picture of the smallest board, as it is drawn, and a picture of one pixel.
pub(super) fn pictures() -> Vec<Vec<u8>> {
    let layout = Layout::grid(1, 1).expect("a layout");
    let board = CoreDriver::new(layout, 7).expect("a layout");
    let frame = board.frame().clone();
    let drawn = BoardPicture::of(layout, &frame, 0).expect("there is memory");
    let dot = [
        0x89, b'P', b'N', b'G', 13, 10, 26, 10, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0,
        0, 0, 1, 8, 6, 0, 0, 0, 0x1F, 0x15, 0xC4, 0x89, 0, 0, 0, 13, b'I', b'D', b'A', b'T', 0x78,
        0x9C, 0x63, 0xF8, 0xCF, 0xC0, 0xF0, 0x1F, 0, 5, 0, 1, 0xFF, 0x89, 0x99, 0x3D, 0x1D, 0, 0,
        0, 0, b'I', b'E', b'N', b'D', 0xAE, 0x42, 0x60, 0x82,
    ];
    vec![drawn.to_png().expect("there is memory"), dot.to_vec()]
}
