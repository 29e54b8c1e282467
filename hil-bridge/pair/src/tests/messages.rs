//! The bytes of messages.

use law::{Judged, Weight, law};
use proptest::prelude::*;

use super::{deed, seat};
use crate::message::{
    FromTable, MOST_BYTES, NoTableMessage, TableEntry, TableWish, ToTable, VERSION, decode, encode,
};
use crate::secret::{TableKey, TableToken};

#[test]
fn a_message_reads_back_as_written_and_no_longer_one_does() {
    let like = (
        any::<[u8; 16]>(),
        any::<u32>(),
        deed(),
        seat(),
        any::<u64>(),
        any::<u8>(),
    );
    law(
        Weight::of(200, 100),
        like,
        |(token, number, deed, seat, tick, more)| {
            let token = TableToken::new(token);
            let key = TableKey {
                table: token,
                secret: token,
            };
            prop_assert_eq!(token.to_string().parse::<TableToken>(), Ok(token));
            let (version, have) = (VERSION, number);
            for message in [
                ToTable::Join { version, key, have },
                ToTable::Wish(TableWish { number, deed }),
                ToTable::Digest { tick, digest: tick },
            ] {
                let mut bytes = encode(&message);
                prop_assert_eq!(decode::<ToTable>(&bytes), Ok(message));
                bytes.push(more);
                prop_assert_eq!(decode::<ToTable>(&bytes), Err(NoTableMessage));
            }
            let entries = vec![TableEntry { tick, seat, deed }];
            let message = FromTable::Entries {
                from: number,
                entries,
            };
            let bytes = encode(&message);
            for length in 0..bytes.len() {
                prop_assert_eq!(decode::<FromTable>(&bytes[..length]), Err(NoTableMessage));
            }
            prop_assert_eq!(decode::<FromTable>(&bytes), Ok(message));
            Ok(Judged::Something)
        },
    );
}

#[test]
fn any_bytes_are_one_message_or_none() {
    let entry =
        (0_u64..300, seat(), deed()).prop_map(|(tick, seat, deed)| TableEntry { tick, seat, deed });
    // A message with one other byte, at most.
    let like = (entry, any::<prop::sample::Index>(), any::<u8>());
    law(Weight::of(1_000, 20), like, |(entry, place, byte)| {
        let entries = vec![entry, entry];
        let mut bytes = encode(&FromTable::Entries { from: 7, entries });
        let at = place.index(bytes.len());
        bytes[at] = byte;
        let mut is_any = false;
        if let Ok(message) = decode::<ToTable>(&bytes) {
            prop_assert_eq!(encode(&message), bytes.clone());
            is_any = true;
        }
        if let Ok(message) = decode::<FromTable>(&bytes) {
            prop_assert_eq!(encode(&message), bytes);
            is_any = true;
        }
        Ok(Judged::if_any(is_any))
    });
}

#[test]
fn what_is_too_long_is_no_message() {
    let message = ToTable::Open {
        version: VERSION,
        opening: vec![1; MOST_BYTES],
    };
    assert_eq!(decode::<ToTable>(&encode(&message)), Err(NoTableMessage));
}

#[test]
fn a_damaged_token_is_refused() {
    for text in [
        "",
        "12",
        "zz",
        &"g".repeat(32),
        &"a".repeat(33),
        &"é".repeat(16),
    ] {
        assert!(text.parse::<TableToken>().is_err(), "{text}");
    }
    assert!(
        "0123456789abcdef0123456789ABCDEF"
            .parse::<TableToken>()
            .is_ok()
    );
}
