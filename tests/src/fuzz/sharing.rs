//! The fuzz targets for what the other end of a shared board says: RFC 2217, and the
//! greeting.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use law::Judged;
use touchboard_sharing::greeting::{
    Admission, BoardPassword, ClientProof, LONGEST_LINE, Nonce, Prover, ServerOpening,
};
use touchboard_sharing::rfc2217::{
    ModemLines, Port, PortClient, PortCommand, PortEnd, PortServer, PortSettings, PortWire,
};
use touchboard_sharing::telnet::{OptionVerb, write_option};

/// How much longer an answer may be than what it answers.
const MOST_PER_BYTE: usize = 8;

/// A port that can have any settings.
#[derive(Clone, Debug, PartialEq, Eq)]
struct AnyPort {
    settings: PortSettings,
    on: [bool; PortWire::ALL.len()],
}

impl Port for AnyPort {
    fn settings(&mut self) -> PortSettings {
        self.settings
    }

    fn set(&mut self, wanted: PortSettings) {
        self.settings = wanted;
    }

    fn switch(&mut self, wire: PortWire, on: bool) {
        self.on[wire as usize] = on;
    }

    fn is_on(&mut self, wire: PortWire) -> bool {
        self.on[wire as usize]
    }

    fn modem_lines(&mut self) -> ModemLines {
        ModemLines::THERE
    }

    fn forget_received(&mut self) {}

    fn forget_unsent(&mut self) {}
}

/// What a server does with such bytes, in pieces of this length: the port afterwards, the
/// bytes for it, and the answer.
fn served(bytes: &[u8], length: usize) -> (AnyPort, Vec<u8>, Vec<u8>) {
    let mut port = AnyPort {
        settings: PortSettings::plain(115_200),
        on: [false; PortWire::ALL.len()],
    };
    let mut server = PortServer::new("a fuzzer", &mut Vec::new());
    let (mut to_port, mut answer) = (Vec::new(), Vec::new());
    for piece in bytes.chunks(length) {
        server.hear(piece, &mut port, &mut to_port, &mut answer);
    }
    (port, to_port, answer)
}

/// What a client makes of such bytes, in pieces of this length.
fn used(bytes: &[u8], length: usize) -> (Vec<u8>, Vec<u8>, String) {
    let mut client = PortClient::new(PortSettings::plain(115_200), &mut Vec::new());
    let (mut from_port, mut answer) = (Vec::new(), Vec::new());
    for piece in bytes.chunks(length) {
        client.hear(piece, &mut from_port, &mut answer);
    }
    let known = format!("{:?} {}", client.negotiation(), client.said());
    (from_port, answer, known)
}

/// Both ends of RFC 2217 do the same with a stream, however it is cut into pieces, answer
/// briefly, and the port has possible settings.
pub(super) fn rfc2217(bytes: &[u8]) -> Judged {
    let whole = served(bytes, bytes.len().max(1));
    assert_eq!(whole, served(bytes, 1));
    assert_eq!(whole, served(bytes, 7));
    let (port, to_port, answer) = whole;
    assert!((5..=8).contains(&port.settings.data_bits), "{port:?}");
    assert!(port.settings.baud > 0, "0 only asks");
    assert!(to_port.len() <= bytes.len());
    assert!(answer.len() <= MOST_PER_BYTE * bytes.len());
    let whole = used(bytes, bytes.len().max(1));
    assert_eq!(whole, used(bytes, 1));
    assert!(whole.0.len() <= bytes.len());
    Judged::if_any(!answer.is_empty())
}

/// Streams of clients and servers.
pub(super) fn streams() -> Vec<Vec<u8>> {
    let mut of_client = Vec::new();
    let _ = PortClient::new(PortSettings::plain(9_600), &mut of_client);
    for command in [
        PortCommand::Signature(Vec::new()),
        PortCommand::Baud(57_600),
        PortCommand::DataBits(7),
        PortCommand::Parity(3),
        PortCommand::StopBits(2),
        PortCommand::Control(8),
        PortCommand::ModemMask(0xF0),
        PortCommand::ModemState(0),
        PortCommand::Suspend,
        PortCommand::Resume,
        PortCommand::Purge(3),
    ] {
        command.write(PortEnd::Client, &mut of_client);
        PortClient::say(&[0, 7, 255, 3], &mut of_client);
    }
    let (_, _, mut of_server) = served(&of_client, 64);
    PortServer::say(&[0, 255, 255, 13, 10], &mut of_server);
    write_option(OptionVerb::Do, 1, &mut of_server);
    vec![of_client, of_server]
}

/// Checks that a line that is accepted is written as it was read.
fn is_one_form<L: FromStr + Display>(text: &str) -> bool
where
    L::Err: Debug,
{
    let Ok(line) = text.parse::<L>() else {
        return false;
    };
    let again = line.to_string();
    // A reason that is too long for a line is cut.
    assert!(again == text || text.len() > LONGEST_LINE, "{again:?}");
    true
}

/// A line of the greeting has one form, and proves nothing by chance.
pub(super) fn greeting(bytes: &[u8]) -> Judged {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    if let Ok(password) = BoardPassword::of_file(bytes) {
        let nonce = Nonce([0; 16]);
        let proof = password.prove(Prover::Client, nonce, nonce);
        assert!(password.accepts(proof, Prover::Client, nonce, nonce));
        assert!(!password.accepts(proof, Prover::Server, nonce, nonce));
    }
    if let Ok(ClientProof { nonce, proof }) = text.parse() {
        let password = BoardPassword::of_file(b"correct horse battery").expect("it is long");
        assert!(!password.accepts(proof, Prover::Client, Nonce([1; 16]), nonce));
    }
    let known = [
        is_one_form::<ServerOpening>(text),
        is_one_form::<ClientProof>(text),
        is_one_form::<Admission>(text),
    ];
    Judged::if_any(known.contains(&true))
}

/// The lines of both ends.
pub(super) fn greetings() -> Vec<Vec<u8>> {
    let password = BoardPassword::of_file(b"correct horse battery").expect("it is long");
    let nonces = [Nonce([0; 16]), Nonce([0xAB; 16])];
    let proof = |prover| password.prove(prover, nonces[0], nonces[1]);
    let lines = [
        ServerOpening::Open.to_string(),
        ServerOpening::Password(nonces[0]).to_string(),
        ClientProof {
            nonce: nonces[1],
            proof: proof(Prover::Client),
        }
        .to_string(),
        Admission::Welcome(None).to_string(),
        Admission::Welcome(Some(proof(Prover::Server))).to_string(),
        Admission::Busy("127.0.0.1:50000, for 3 s,".to_owned()).to_string(),
        Admission::Refused("the password is wrong".to_owned()).to_string(),
    ];
    lines.map(String::into_bytes).into()
}
