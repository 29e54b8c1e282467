//! Files of waveforms, written and read back.

use super::*;

#[test]
fn contacts_read_back_from_a_file() {
    let names = prop_oneof![Just(VcdNames::Scoped), Just(VcdNames::Whole)];
    law(
        Weight::of(16, 70),
        (touches(), names),
        |(touches, names)| {
            let session = session(*SMALL, &touches);
            let mut waves = SignalReplayer::whole(&session, Signal::all(*SMALL)).unwrap();
            let judged = Judged::if_any(has_moves(&waves));
            waves.drop_constant();
            let mut file = Vec::new();
            write_vcd(&waves, names, &mut file).unwrap();
            let header = Header {
                settings: Some(SETTINGS),
                ..session.header.clone()
            };
            let back = read_touches(header, file.as_slice()).unwrap();
            prop_assert_eq!(&back.broken, &None);
            let signals = waves.waves.iter().map(|wave| wave.signal.clone());
            let again = SignalReplayer::whole(&back.session, signals.collect()).unwrap();
            for (wave, back) in waves.waves.iter().zip(&again.waves) {
                // A change of settings is not a contact.
                let is_theirs = wave.signal == Signal::Event(EventKind::Settings);
                prop_assert!(is_theirs || wave == back, "{:?}, then {:?}", wave, back);
            }
            Ok(judged)
        },
    );
}

#[test]
fn reading_any_bytes_of_signals_does_not_panic() {
    let bytes = prop::collection::vec(any::<u8>(), 0..200);
    law(
        Weight::of(512, 20),
        (bytes, 0..400_usize),
        |(bytes, keep)| {
            let head =
                b"$timescale 1 ms $end $var wire 1 ! d4 $end $enddefinitions $end #5 1! #9 0! ";
            let mut file = head[..keep.min(head.len())].to_vec();
            file.extend(bytes);
            let read = read_touches(Header::new(Layout::MALDOO, 1, ""), file.as_slice());
            match &read {
                Ok(read) => prop_assert!(read.session.is_complete()),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
            Ok(Judged::if_any(read.is_ok_and(|read| read.broken.is_some())))
        },
    );
}

/// A short session, of which all kinds of signals are looked at.
fn example() -> Waveforms {
    let session = session(*SMALL, &[(1, 200), (4, 100)]);
    let board = AnyBoard::new(*SMALL, SEED).unwrap();
    let names = [
        "point.b1",
        "light.b1",
        "turn",
        "score",
        "display",
        "beeper",
        "event.move",
    ];
    SignalReplayer::whole(&session, select(names, &board).unwrap()).unwrap()
}

fn written(write: fn(&Waveforms, &mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut text = Vec::new();
    write(&example(), &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn files_have_every_change_once() {
    insta::assert_snapshot!("csv", written(|waves, file| write_csv(waves, file)));
    insta::assert_snapshot!(
        "json_lines",
        written(|waves, file| write_json_lines(waves, file))
    );
    insta::assert_snapshot!(
        "vcd",
        written(|waves, file| write_vcd(waves, VcdNames::Scoped, file))
    );
}

#[test]
fn a_file_that_is_cut_or_goes_back_is_read_to_there() {
    let read =
        |text: &str| read_touches(Header::new(Layout::MALDOO, 1, ""), text.as_bytes()).unwrap();
    let head = "$timescale 10 us $end $var wire 1 ! d4 $end $var wire 1 \" x $end \
                $enddefinitions $end ";
    let cut = read(&format!("{head}#100 1! #300 0! #500 1! #7"));
    assert_eq!(cut.session.acts(), 3);
    assert_eq!(cut.session.entries[1].tick, 3);
    assert_eq!(cut.ignored, ["x"]);
    assert!(cut.broken.is_some());
    let back = read(&format!("{head}#900 1! #300 0!"));
    assert_eq!(back.session.acts(), 1);
    assert!(back.broken.unwrap().contains("time goes back"));
}

#[test]
fn a_file_without_contacts_is_refused_in_a_sentence() {
    let read = |text: &str| {
        let header = Header::new(Layout::MALDOO, 1, "");
        read_touches(header, text.as_bytes())
            .unwrap_err()
            .to_string()
    };
    let texts = [
        "nothing",
        "$enddefinitions $end\n",
        "$timescale 1 ms $end $var wire 1 ! clk $end $enddefinitions $end\n",
    ];
    insta::assert_snapshot!(texts.map(read).join("\n"));
}
