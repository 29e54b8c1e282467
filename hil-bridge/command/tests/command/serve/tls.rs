//! Sharing with certificates at both ends.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use touchboard_links::link::{Link, Rfc2217Link, TlsFiles, TlsLink, TlsServer};

use super::{PASSWORD, Secrets, Served, succeeded};
use crate::common::{file, hil_bridge, refused};

/// An authority.
struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    fn new() -> Authority {
        let mut parameters = CertificateParams::new([]).unwrap();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let issuer = CertifiedIssuer::self_signed(parameters, key).unwrap();
        Authority { issuer }
    }

    /// Writes the certificate and the key of somebody with this name, and this authority.
    fn files(&self, secrets: &Secrets, name: &str, of: &str) -> TlsFiles {
        let key = KeyPair::generate().unwrap();
        let parameters = CertificateParams::new([of.to_owned()]).unwrap();
        let certificate = parameters.signed_by(&key, &self.issuer).unwrap();
        let path = |what: &str, text: &str| secrets.write(&format!("{name}-{what}"), text).into();
        TlsFiles {
            certificate: path("certificate", &certificate.pem()),
            key: path("key", &key.serialize_pem()),
            authority: path("authority", &self.issuer.pem()),
        }
    }
}

/// The options that name these files.
fn options(files: &TlsFiles) -> [String; 3] {
    [
        format!("--tls-certificate={}", files.certificate.display()),
        format!("--tls-key={}", files.key.display()),
        format!("--tls-authority={}", files.authority.display()),
    ]
}

/// A board that is shared by these files, with more options.
fn served(files: &TlsFiles, more: &[&str]) -> Served {
    let options = options(files);
    let own: Vec<&str> = options.iter().map(String::as_str).collect();
    Served::with(&[&["--at=virtual"], more, &own].concat())
}

/// The arguments of a command at this board.
fn at(served: &Served, what: &[&str], files: &TlsFiles) -> Vec<String> {
    let what = what.iter().map(|word| (*word).to_owned());
    let at = ["--at".to_owned(), served.at.clone()];
    what.chain(at).chain(options(files)).collect()
}

/// Checks that a command at this board is refused with these words.
fn is_refused(served: &Served, files: &TlsFiles, words: &str) {
    let arguments = at(served, &["info"], files);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    refused(&arguments, words);
}

#[test]
fn a_board_is_driven_through_certificates_and_a_password() {
    let secrets = Secrets::new();
    let authority = Authority::new();
    let server = authority.files(&secrets, "server", "127.0.0.1");
    let client = authority.files(&secrets, "client", "somebody");
    let script = file("script", "start\ntap d7\nexpect turn red\n");
    let shared = served(&server, &[]);
    assert!(shared.at.starts_with("tls:127.0.0.1:"), "{}", shared.at);
    for what in [
        &["check", "--steps", "60"][..],
        &["shell", "--seed=1", &script],
        &["info"],
    ] {
        succeeded(&hil_bridge(&at(&shared, what, &client)));
    }
    let password = secrets.write("password", PASSWORD);
    let shared = served(&server, &["--password-file", &password]);
    is_refused(&shared, &client, "asks for a password");
    let what = ["check", "--steps", "60", "--password-file", &password];
    succeeded(&hil_bridge(&at(&shared, &what, &client)));
}

#[test]
fn who_has_no_certificate_of_the_authority_is_refused_at_both_ends() {
    let secrets = Secrets::new();
    let (authority, stranger) = (Authority::new(), Authority::new());
    let server = authority.files(&secrets, "server", "127.0.0.1");
    let client = authority.files(&secrets, "client", "somebody");
    let shared = served(&server, &[]);
    // A client with the certificate of another authority.
    let forged = TlsFiles {
        authority: client.authority.clone(),
        ..stranger.files(&secrets, "forged", "somebody")
    };
    is_refused(&shared, &forged, "before the board was greeted");
    shared.tells("was refused: invalid peer certificate");
    // One without TLS at all.
    let raw = format!("tcp:{}", shared.address());
    refused(&["info", "--timeout-ms=500", "--at", &raw], "");
    shared.tells("was refused: received corrupt message");
    // A client without any files, or with a part of them.
    refused(&["info", "--at", &shared.at], "wants certificates");
    let key = format!("--tls-key={}", client.key.display());
    refused(&["info", "--at", &shared.at, &key], "TLS needs three files");
    // A client that trusts another authority than the server's.
    let doubting = TlsFiles {
        authority: forged.certificate.clone(),
        ..client.clone()
    };
    is_refused(&shared, &doubting, "invalid peer certificate");
    // One that meant another machine than the certificate is for.
    let elsewhere = format!(
        "tls:localhost:{}",
        shared.address().rsplit(':').next().unwrap()
    );
    let mut arguments = vec!["info".to_owned(), "--at".to_owned(), elsewhere];
    arguments.extend(options(&client));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    refused(&arguments, "certificate not valid for name");
    // A key that everybody can read, and one that does not fit.
    let open = file("open", &std::fs::read_to_string(&client.key).unwrap());
    let careless = TlsFiles {
        key: (&*open).into(),
        ..client.clone()
    };
    is_refused(&shared, &careless, "others can read it too");
    let mixed = TlsFiles {
        key: server.key.clone(),
        ..client.clone()
    };
    is_refused(&shared, &mixed, "do not go together");
    // In the end, a client is still let in.
    succeeded(&hil_bridge(&at(&shared, &["info"], &client)));
}

#[test]
fn half_open_handshakes_keep_nobody_out() {
    let secrets = Secrets::new();
    let authority = Authority::new();
    let server = authority.files(&secrets, "server", "127.0.0.1");
    let client = authority.files(&secrets, "client", "somebody");
    let shared = served(&server, &[]);
    let mut silent = Vec::new();
    for count in 0..40 {
        let mut stream = TcpStream::connect(shared.address()).unwrap();
        // The beginning of a record.
        let _ = stream.write_all(&[22, 3, 1, 2, 0][..count % 6]);
        silent.push(stream);
    }
    succeeded(&hil_bridge(&at(&shared, &["info"], &client)));
}

/// Other programs reach a port with certificates through a tunnel, such as `stunnel`.
#[test]
fn a_port_of_rfc_2217_is_reached_through_certificates() {
    let secrets = Secrets::new();
    let authority = Authority::new();
    let server = authority.files(&secrets, "server", "127.0.0.1");
    let client = authority.files(&secrets, "client", "somebody");
    let shared = served(&server, &["--rfc2217"]);
    let until = Instant::now() + Duration::from_secs(60);
    let tunnel = TlsLink::connect(shared.address(), &client, until).unwrap();
    let port = Rfc2217Link::negotiate(Box::new(tunnel), "a tunnel", 115_200, until);
    let mut port = port.unwrap();
    port.send(&[0]).unwrap();
    shared.is_taken();
}

/// The block of the book that makes certificates by hand.
fn steps_of_the_book() -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/book/src/lab.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut blocks = page.split("```");
    let block = blocks.find(|block| block.contains("openssl x509")).unwrap();
    block.strip_prefix("sh\n").unwrap().to_owned()
}

#[test]
fn the_steps_of_the_book_make_certificates_that_work() {
    let secrets = Secrets::new();
    let mut shell = Command::new("sh");
    shell.args(["-ec", &steps_of_the_book()]);
    let made = shell.current_dir(secrets.path("")).output().unwrap();
    if made.status.code() == Some(127) {
        return law::excuse("certificates by hand", "openssl is not installed");
    }
    succeeded(&made);
    let files = |name: &str| TlsFiles {
        certificate: secrets.path(&format!("{name}.pem")),
        key: secrets.path(&format!("{name}.key")),
        authority: secrets.path("authority.pem"),
    };
    let shared = served(&files("lab"), &[]);
    succeeded(&hil_bridge(&at(&shared, &["info"], &files("anna"))));
}

/// Both ends send more than their buffers hold, and receive at the same time.
#[test]
fn bytes_cross_in_both_directions_at_once_until_one_end_leaves() {
    const BYTES: usize = 3 << 20;
    let secrets = Secrets::new();
    let authority = Authority::new();
    let server = authority.files(&secrets, "server", "127.0.0.1");
    let client = authority.files(&secrets, "client", "somebody");
    let server = TlsServer::new(&server).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let until = Instant::now() + Duration::from_secs(60);
    let mut ends = std::thread::scope(|scope| {
        let near = scope.spawn(|| TlsLink::connect(&address, &client, until).unwrap());
        let far = server.accept(listener.accept().unwrap().0, until).unwrap();
        vec![far, near.join().unwrap()]
    });
    std::thread::scope(|scope| {
        for end in &mut ends {
            let mut sender = end.try_clone().unwrap();
            scope.spawn(move || {
                let bytes: Vec<u8> = (0..BYTES).map(|at| (at / 251) as u8).collect();
                bytes
                    .chunks(70_001)
                    .for_each(|part| sender.send(part).unwrap());
            });
            scope.spawn(move || {
                let (mut buffer, mut count) = (vec![0; 5_000], 0);
                while count < BYTES {
                    let length = end.receive(&mut buffer, Duration::from_secs(1)).unwrap();
                    for byte in &buffer[..length] {
                        assert_eq!(*byte, (count / 251) as u8, "byte {count}");
                        count += 1;
                    }
                }
            });
        }
    });
    drop(ends.pop());
    let left = ends[0].receive(&mut [0; 8], Duration::from_secs(60));
    assert_eq!(left.unwrap_err().kind(), std::io::ErrorKind::UnexpectedEof);
}

/// An address of the network in which the next test runs itself; it is set aside for
/// documentation, so no other machine has it.
#[cfg(target_os = "linux")]
const FAR_ADDRESS: &str = "192.0.2.1";

/// The environment variable that is set in that network.
#[cfg(target_os = "linux")]
const IN_OWN_NETWORK: &str = "TOUCHBOARD_IN_OWN_NETWORK";

/// Runs a test of this program again in a network of its own, which has [`FAR_ADDRESS`] and
/// reaches no other machine. `None` if this system gives no such network.
#[cfg(target_os = "linux")]
fn in_own_network(test: &str) -> Option<std::process::Output> {
    let with_address = |then: &str| {
        let script =
            format!("ip link set lo up && ip address add {FAR_ADDRESS}/32 dev lo && {then} \"$@\"");
        let mut unshare = Command::new("unshare");
        unshare.args(["--map-root-user", "--net", "sh", "-c", &script, "sh"]);
        unshare
    };
    let is_given = with_address("true").output();
    is_given.ok().filter(|output| output.status.success())?;
    let program = std::env::current_exe().unwrap();
    let mut again = with_address("exec");
    again.arg(program).args([test, "--exact", "--nocapture"]);
    Some(again.env(IN_OWN_NETWORK, "1").output().unwrap())
}

/// A board that listens at an address which is not loopback is reached with certificates,
/// and by nobody else. The address is in a network of its own.
#[cfg(target_os = "linux")]
#[test]
fn a_board_is_shared_at_an_address_that_other_machines_can_reach() {
    if std::env::var_os(IN_OWN_NETWORK).is_none() {
        let name = "serve::tls::a_board_is_shared_at_an_address_that_other_machines_can_reach";
        let Some(output) = in_own_network(name) else {
            return law::excuse(
                "a board beyond loopback",
                "no network of its own is to be had",
            );
        };
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(told.contains("1 passed"), "{told}");
        return succeeded(&output);
    }
    let secrets = Secrets::new();
    let authority = Authority::new();
    let server = authority.files(&secrets, "server", FAR_ADDRESS);
    let client = authority.files(&secrets, "client", "somebody");
    let listen = format!("{FAR_ADDRESS}:0");
    let own = options(&server);
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let shared = Served::listening(&listen, &[&["--at=virtual"][..], &own].concat());
    let begin = format!("tls:{FAR_ADDRESS}:");
    assert!(shared.at.starts_with(&begin), "{}", shared.at);
    succeeded(&hil_bridge(&at(
        &shared,
        &["check", "--steps", "60"],
        &client,
    )));
    // Without certificates, or with those of somebody else, nobody gets to the board.
    let raw = format!("tcp:{}", shared.address());
    refused(&["info", "--timeout-ms=500", "--at", &raw], "");
    let forged = TlsFiles {
        authority: client.authority.clone(),
        ..Authority::new().files(&secrets, "forged", "somebody")
    };
    is_refused(&shared, &forged, "before the board was greeted");
    shared.tells("was refused: invalid peer certificate");
    // The server's certificate is for the address at which it is asked.
    let elsewhere = authority.files(&secrets, "elsewhere", "192.0.2.2");
    let own = options(&elsewhere);
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let wrong = Served::listening(&listen, &[&["--at=virtual"][..], &own].concat());
    is_refused(&wrong, &client, "certificate not valid for name");
}
