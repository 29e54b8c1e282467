//! Folders that pretend to be drives.

use tempfile::TempDir;

use super::*;

const INFO_OF_A_PICO: &str =
    "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n";

fn drive(info: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(INFO), info).expect("it is written");
    folder
}

/// The files on a drive except the one that describes it.
fn files(drive: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(drive.path()).expect("it is there").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name != INFO).collect()
}

/// An image of this many pages.
fn image(pages: u32) -> Vec<u8> {
    let mut file = Vec::new();
    for number in 0..pages {
        let place = FLASH.start + number * PAGE_BYTES;
        let head = [HAS_FAMILY, place, PAGE_BYTES, number, pages, RP2040];
        let words = MAGIC.into_iter().chain(head);
        file.extend(words.flat_map(u32::to_le_bytes));
        file.resize(file.len() + BLOCK_BYTES - 36, number as u8);
        file.extend(MAGIC_END.to_le_bytes());
    }
    file
}

fn with_word(mut bytes: Vec<u8>, at: usize, word: u32) -> Vec<u8> {
    bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    bytes
}

fn uf2(bytes: Vec<u8>) -> Result<Uf2, BootselError> {
    Uf2::of("pico.uf2".into(), bytes)
}

#[test]
fn an_image_is_written_to_the_waiting_board() {
    let (pico, other) = (drive(INFO_OF_A_PICO), drive("Board-ID: RP2350\n"));
    let empty = tempfile::tempdir().expect("a folder");
    let drives = [&empty, &other, &pico].map(|drive| drive.path().to_owned());
    let found = find(&drives).expect("there is one");
    assert_eq!(found, pico.path());
    let image = uf2(image(5)).expect("it is whole");
    assert_eq!(image.flash_bytes(), 5 * 256);
    put(&image, &found).expect("it takes it");
    assert_eq!(fs::read(pico.path().join("pico.uf2")).unwrap(), image.bytes);
    assert_eq!(files(&other), [""; 0]);
}

#[test]
fn an_incomplete_or_foreign_image_is_not_written() {
    let whole = image(3);
    let wrong = [
        ("is empty", Vec::new()),
        ("cut off", whole[..3 * BLOCK_BYTES - 1].to_vec()),
        ("are missing", whole[..2 * BLOCK_BYTES].to_vec()),
        ("are missing", whole[BLOCK_BYTES..].to_vec()),
        ("block", with_word(whole.clone(), BLOCK_BYTES - 4, 0)),
        ("block", with_word(whole.clone(), BLOCK_BYTES, 0)),
        ("for which chip", with_word(whole.clone(), 8, 0)),
        ("no page", with_word(whole.clone(), 12, FLASH.end)),
        (
            "no page",
            with_word(whole.clone(), 12, FLASH.start + PAGE_BYTES),
        ),
        ("no page", with_word(whole.clone(), 16, 255)),
        (
            "family 0xe48bff59",
            with_word(whole.clone(), BLOCK_BYTES + 28, 0xE48B_FF59),
        ),
    ];
    for (sentence, bytes) in wrong {
        let error = uf2(bytes).expect_err(sentence).to_string();
        assert!(error.contains(sentence), "{sentence}: {error}");
        assert!(error.contains("cargo xtask firmware pico"), "{error}");
    }
    uf2(whole).expect("it is whole");
}

#[test]
fn a_file_that_fills_more_than_the_flash_is_not_read() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    file.as_file()
        .set_len(MOST_BYTES + 1)
        .expect("it is longer");
    let refused = Uf2::read(Some(file.path())).unwrap_err().to_string();
    assert!(refused.contains("has more than 4194304 bytes"), "{refused}");
}

#[test]
fn a_drive_with_an_endless_description_is_not_a_board() {
    let pico = drive(&"Board-ID: RPI-RP2\r\n".repeat(1_000));
    let none = find(&[pico.path().to_owned()]).unwrap_err().to_string();
    assert!(none.contains("hold its BOOTSEL button down"), "{none}");
}

#[test]
fn without_exactly_one_board_no_image_is_written() {
    let none = find(&[]).unwrap_err().to_string();
    assert!(none.contains("hold its BOOTSEL button down"), "{none}");
    let two = [drive(INFO_OF_A_PICO), drive(INFO_OF_A_PICO)];
    let drives = [0, 1].map(|index: usize| two[index].path().to_owned());
    let several = find(&drives).unwrap_err().to_string();
    for drive in &drives {
        assert!(several.contains(&drive.display().to_string()), "{several}");
    }
    assert!(several.contains("--drive"), "{several}");
    assert!(two.iter().all(|drive| files(drive).is_empty()));
}

#[test]
fn a_named_drive_must_be_a_bootsel_drive() {
    let image = uf2(image(2)).expect("it is whole");
    let (folder, other) = (tempfile::tempdir().unwrap(), drive("Board-ID: SAMD21\n"));
    let refused = [folder.path(), other.path()].map(|drive| put(&image, drive).unwrap_err());
    let [folder_says, other_says] = refused.map(|error| error.to_string());
    assert!(folder_says.contains("has no INFO_UF2.TXT"), "{folder_says}");
    assert!(other_says.contains("SAMD21"), "{other_says}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    assert_eq!(files(&other), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_drive_is_reported_and_cleaned_up() {
    let pico = drive(INFO_OF_A_PICO);
    std::os::unix::fs::symlink("/dev/full", pico.path().join("pico.uf2")).unwrap();
    let image = uf2(image(2)).expect("it is whole");
    let error = put(&image, pico.path()).unwrap_err().to_string();
    assert!(error.contains("still in BOOTSEL mode"), "{error}");
    assert_eq!(files(&pico), [""; 0]);
}
