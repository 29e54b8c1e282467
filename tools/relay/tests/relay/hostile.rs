//! Peers that mean harm: whoever they are, the others play on.

use std::io::{Read, Write};
use std::net::TcpStream;

use protocol::{Button, Input};
use relay::RelayLimits;
use touchboard_pair::message::{TableDeed, TableWish, ToTable, encode};
use tungstenite::Message;

use super::people::{Running, Somebody, dial, key_of, until};

/// Reads until the relay closes the connection.
fn is_closed(stream: &mut TcpStream) -> bool {
    let mut bytes = [0; 512];
    loop {
        match stream.read(&mut bytes) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() == std::io::ErrorKind::ConnectionReset,
        }
    }
}

#[test]
fn whoever_speaks_nonsense_loses_the_connection_and_delays_nobody() {
    let relay = Running::new(RelayLimits::default());
    let mut green = Somebody::opening(relay.address);
    until("the table is open", &mut [&mut green], |all| {
        all[0].side.is_there()
    });
    let mut red = Somebody::joining(relay.address, key_of(&green, 1));
    // Half a request, which stays half.
    let mut half = TcpStream::connect(relay.address).unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").unwrap();
    // No request at all.
    let mut no_request = TcpStream::connect(relay.address).unwrap();
    no_request.write_all(&[0; 64]).unwrap();
    assert!(is_closed(&mut no_request));
    // A WebSocket that says what is no message, a text, more than fits, and what only a seat
    // may say.
    let pass = TableDeed::Input(Input::Pass);
    let wish = ToTable::Wish(TableWish {
        number: 0,
        deed: pass,
    });
    for said in [
        Message::Binary(vec![255; 9].into()),
        Message::Text("hello".into()),
        Message::Binary(vec![0; 200_000].into()),
        Message::Binary(encode(&wish).into()),
    ] {
        let mut socket = dial(relay.address);
        // The relay may close it before everything is sent.
        let _ = socket.send(said);
        socket.get_ref().set_read_timeout(None).unwrap();
        assert!(is_closed(socket.get_mut()));
    }
    let all = &mut [&mut green, &mut red];
    until("both are there", all, |all| {
        all.iter().all(|one| one.side.is_there())
    });
    all[1].ask(TableDeed::Input(Input::Press(Button::Start)));
    until("time passes for both", all, |all| {
        all.iter()
            .all(|one| one.side.entries().len() == 1 && one.side.until() > 100)
    });
    assert!(all.iter().all(|one| one.side.failed().is_none()));
    drop(half);
}

#[test]
fn a_full_relay_refuses_the_network_that_fills_it() {
    let relay = Running::new(RelayLimits {
        connections: 2,
        ..RelayLimits::default()
    });
    let mut green = Somebody::opening(relay.address);
    until("the table is open", &mut [&mut green], |all| {
        all[0].side.is_there()
    });
    let mut red = Somebody::joining(relay.address, key_of(&green, 1));
    let all = &mut [&mut green, &mut red];
    until("both are there", all, |all| {
        all.iter().all(|one| one.side.is_there())
    });
    let mut third = TcpStream::connect(relay.address).unwrap();
    assert!(is_closed(&mut third));
    let before = all[0].side.until();
    until("time passes for both", all, |all| {
        all.iter().all(|one| one.side.until() > before + 100)
    });
}
