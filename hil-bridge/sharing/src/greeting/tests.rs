//! The laws of the greeting.

use law::{Judged, Weight, law};
use proptest::prelude::*;

use super::*;

const EASY: Weight = Weight::of(256, 90);

fn password(text: &str) -> BoardPassword {
    BoardPassword::of_file(text.as_bytes()).unwrap()
}

fn nonces() -> impl Strategy<Value = [Nonce; 2]> {
    any::<[[u8; NONCE_BYTES]; 2]>().prop_map(|nonces| nonces.map(Nonce))
}

/// Reads a line back that was written.
fn again<L: FromStr + fmt::Display>(line: &L) -> Option<L> {
    let text = line.to_string();
    assert!(text.len() <= LONGEST_LINE, "{text}");
    text.parse().ok()
}

#[test]
fn every_line_reads_back_as_written() {
    let like = (nonces(), any::<[u8; PROOF_BYTES]>(), any::<String>());
    law(EASY, like, |([nonce, other], proof, text)| {
        let proof = Proof(proof);
        for opening in [ServerOpening::Open, ServerOpening::Password(nonce)] {
            prop_assert_eq!(again(&opening), Some(opening));
        }
        let client = ClientProof {
            nonce: other,
            proof,
        };
        prop_assert_eq!(again(&client), Some(client));
        let text = printable(&text);
        for said in [
            Admission::Welcome(None),
            Admission::Welcome(Some(proof)),
            Admission::Busy(text.clone()),
            Admission::Refused(text),
        ] {
            prop_assert_eq!(again(&said), Some(said));
        }
        Ok(Judged::Something)
    });
}

#[test]
fn a_proof_is_accepted_from_one_end_for_one_pair_of_nonces_with_one_password() {
    let like = (nonces(), 0..PROOF_BYTES, 0_u32..8);
    law(EASY, like, |([server, client], byte, bit)| {
        let (ours, theirs) = (
            password("correct horse battery"),
            password("incorrect horse"),
        );
        let proof = ours.prove(Prover::Client, server, client);
        prop_assert!(ours.accepts(proof, Prover::Client, server, client));
        prop_assert!(!ours.accepts(proof, Prover::Server, server, client));
        prop_assert!(!theirs.accepts(proof, Prover::Client, server, client));
        if server != client {
            prop_assert!(!ours.accepts(proof, Prover::Client, client, server));
        }
        let mut damaged = proof;
        damaged.0[byte] ^= 1 << bit;
        prop_assert!(!ours.accepts(damaged, Prover::Client, server, client));
        Ok(Judged::Something)
    });
}

#[test]
fn a_proof_is_what_another_implementation_computes() {
    // printf 'touchboard-serve 1 client' and 32 zeros | openssl dgst -sha256 -hmac ...
    let zeros = Nonce([0; NONCE_BYTES]);
    let proof = password("correct horse battery").prove(Prover::Client, zeros, zeros);
    assert_eq!(
        Hex(&proof.0).to_string(),
        "71086cf5f807a0bd5da192dec585ccee26bdb0146733beb172c5690aae4e5440"
    );
}

#[test]
fn a_password_is_one_line_of_a_sensible_length() {
    let refused = |bytes: &[u8]| BoardPassword::of_file(bytes).err();
    assert_eq!(refused(b""), Some(BadPassword::Short));
    assert_eq!(refused(b"eleven byte\n"), Some(BadPassword::Short));
    assert_eq!(refused(b"twelve bytes\r\n"), None);
    assert_eq!(
        refused(b"twelve bytes\nand more\n"),
        Some(BadPassword::Long)
    );
    assert_eq!(
        refused(&[b'a'; LONGEST_PASSWORD + 1]),
        Some(BadPassword::Long)
    );
    let shown = format!("{:?}", password("correct horse battery"));
    assert_eq!(shown, "BoardPassword(..)");
}
