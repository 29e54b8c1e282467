//! Two people play by mail, with a real mail server: OpenSMTPD receives their mails,
//! delivers them to this server by LMTP, accepts its answers by SMTP, and delivers these
//! to maildirs.
//!
//! OpenSMTPD has one queue per machine, and only root can start it. Elsewhere, and if it
//! is not installed or already running, the test is skipped.

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use lettre::address::Envelope;
use lettre::{SmtpTransport, Transport};
use parking_lot::Mutex;

use crate::common::{Folder, Running, board_of, files, next_move, program, run, text, wait_for};

/// The program of the mail server.
const SMTPD: &str = "/usr/sbin/smtpd";
/// The queue of the mail server: nested folders, one for each mail.
const QUEUE: &str = "/var/spool/smtpd/queue";

/// The control socket of a running mail server.
const SOCKET: &str = "/var/run/smtpd.sock";

/// Only one OpenSMTPD can run at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// The reason why OpenSMTPD cannot be started here, if there is one.
fn want() -> Option<&'static str> {
    if !Path::new(SMTPD).exists() {
        return Some("OpenSMTPD is not installed");
    }
    let is_root = fs::metadata("/proc/self").is_ok_and(|data| data.uid() == 0);
    if !is_root {
        return Some("only root may start OpenSMTPD");
    }
    let is_running = std::os::unix::net::UnixStream::connect(SOCKET).is_ok();
    is_running.then_some("OpenSMTPD runs already")
}

/// OpenSMTPD, running in the foreground.
struct Smtpd {
    child: Child,
    log: PathBuf,
}

impl Drop for Smtpd {
    fn drop(&mut self) {
        // Its child processes end with it, if it is asked to terminate.
        let id = self.child.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &id]).status();
        for _ in 0..200 {
            if self.child.try_wait().is_ok_and(|status| status.is_some()) {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        clear_queue();
        if std::thread::panicking() {
            eprintln!("{}", fs::read_to_string(&self.log).unwrap_or_default());
        }
    }
}

/// A port that is free now.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// Starts OpenSMTPD; `brings` is its action for mails to this server.
fn start_smtpd(folder: &Folder, port: u16, brings: &str) -> Smtpd {
    let mail = folder.path("mail");
    fs::create_dir(&mail).unwrap();
    // OpenSMTPD delivers mails as a user other than root.
    fs::set_permissions(folder.whole(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&mail, fs::Permissions::from_mode(0o777)).unwrap();
    let configuration = format!(
        "table us {{ \"post@post.test\" = \"nobody\" }}\n\
         table everybody {{ \"@\" = \"nobody\" }}\n\
         listen on 127.0.0.1 port {port} hostname mail.test\n\
         action \"post\" {brings} virtual <us>\n\
         action \"players\" maildir \"{}/%{{rcpt.user}}\" virtual <everybody>\n\
         match from any for domain \"post.test\" action \"post\"\n\
         match from any for domain \"play.test\" action \"players\"\n",
        mail.display()
    );
    let (file, log) = (folder.path("smtpd.conf"), folder.path("smtpd.log"));
    fs::write(&file, configuration).unwrap();
    let output = File::create(&log).unwrap();
    clear_queue();
    let child = Command::new(SMTPD)
        .args(["-d", "-f"])
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(output.try_clone().unwrap())
        .stderr(output)
        .spawn()
        .unwrap();
    let smtpd = Smtpd { child, log };
    wait_for("the mail server", || {
        std::net::TcpStream::connect(("127.0.0.1", port)).ok()
    });
    smtpd
}

/// Removes the mails of this test from the queue, which is shared by all OpenSMTPDs of a
/// machine: the next one would deliver them. They are those from and to the server's
/// address.
fn clear_queue() {
    for bucket in inside(Path::new(QUEUE)) {
        for message in inside(&bucket) {
            let is_ours = inside(&message).iter().any(|file| {
                let bytes = fs::read(file).unwrap_or_default();
                String::from_utf8_lossy(&bytes).contains("@post.test")
            });
            if is_ours {
                fs::remove_dir_all(&message).unwrap();
            }
        }
    }
}

fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Two players with their mail programs.
struct Players {
    folder: PathBuf,
    port: u16,
    sent: usize,
}

impl Players {
    fn send(&mut self, user: &str, text: &str) {
        self.sent += 1;
        let mail = format!(
            "From: {user} <{user}@play.test>\r\nTo: post@post.test\r\nSubject: Our game\r\n\
             Message-ID: <{}@play.test>\r\n\r\n{text}\r\n",
            self.sent
        );
        let address = |text: &str| text.parse::<lettre::Address>().unwrap();
        let from = address(&format!("{user}@play.test"));
        let envelope = Envelope::new(Some(from), vec![address("post@post.test")]).unwrap();
        let server = SmtpTransport::builder_dangerous("127.0.0.1").port(self.port);
        server.build().send_raw(&envelope, mail.as_bytes()).unwrap();
    }

    /// The mails of this player, with wrapped lines joined again.
    fn mails(&self, user: &str) -> Vec<String> {
        let folder = self.folder.join(user).join("new");
        let mails = files(&folder).into_iter();
        let parse = |bytes: &[u8]| {
            let mail = mail_parser::MessageParser::default().parse(bytes)?;
            let subject = mail.subject().unwrap_or("").to_owned();
            Some(format!("{subject}\n{}", mail.body_text(0)?))
        };
        mails.filter_map(|(_, bytes)| parse(&bytes)).collect()
    }

    /// Waits for a mail that contains these words.
    fn wait(&self, user: &str, words: &str) -> String {
        wait_for(&format!("a mail to {user} with {words:?}"), || {
            let mails = self.mails(user);
            mails.into_iter().find(|mail| mail.contains(words))
        })
    }
}

#[test]
fn a_game_is_played_through_a_real_mail_server() {
    let _alone = ALONE.lock();
    if let Some(why) = want() {
        return law::excuse("a_game_is_played_through_a_real_mail_server", why);
    }
    let folder = Folder::new("smtpd");
    let store = folder.path("post.redb");
    let port = free_port();
    let send = format!("smtp:127.0.0.1:{port}");
    let mut server = Running::serve(
        &store,
        &[
            "--lmtp",
            "127.0.0.1:0",
            "--address",
            "post@post.test",
            "--send",
            &send,
        ],
    );
    let lmtp = server.port("lmtp").port();
    let _smtpd = start_smtpd(&folder, port, &format!("lmtp \"127.0.0.1:{lmtp}\" rcpt-to"));
    let mut players = Players {
        folder: folder.path("mail"),
        port,
        sent: 0,
    };
    for user in ["alice", "bob"] {
        players.send(user, &format!("user register {user} {user}-secret"));
        let mail = players.wait(user, "Is this the address of");
        let line = mail.lines().find(|line| line.starts_with("user confirm"));
        players.send(user, line.unwrap());
        players.wait(user, "is confirmed");
    }
    players.send(
        "alice",
        "Let us play!\r\n\r\nmalaka challenge alice bob alice alice-secret\r\n\r\n-- \r\nAlice",
    );
    let challenge = players.wait("bob", "Malaka, board 1: a challenge");
    assert!(
        challenge.contains("malaka accept 1 bob PASSWORD"),
        "{challenge}"
    );
    players.send(
        "bob",
        "malaka accept 1 bob bob-secret nonce=kalimera\r\n> quoted",
    );
    players.wait("alice", "Malaka, board 1: your move");
    let mut history = String::new();
    for turn in 0..6 {
        players.send(
            "alice",
            &format!("malaka history 1\r\n{}", " ".repeat(turn)),
        );
        history = wait_for("the newest transcript", || {
            let answers = players.mails("alice");
            let mut answers = answers
                .into_iter()
                .filter(|mail| mail.contains("board 1 malaka"));
            let newest = answers.find(|mail| mail.matches("\nmove ").count() == turn)?;
            let begin = newest.find("board 1 malaka")?;
            Some(newest[begin..].to_owned())
        });
        let (user, moves) = next_move(&board_of(&history)).expect("it has just begun");
        players.send(
            &user,
            &format!("malaka move 1 {user} {user}-secret {moves} nonce=n{turn}"),
        );
        players.wait(&user, &format!("> malaka move 1 {user} *** {moves}"));
        let other = if user == "alice" { "bob" } else { "alice" };
        players.wait(other, &format!("{user} moved {moves}."));
    }
    players.send("bob", "malaka move 1 bob wrong-secret a1-a2");
    players.wait("bob", "That is not the password of bob");
    // The transcript in Alice's folder can be verified without the server.
    let file = folder.path("transcript");
    fs::write(&file, history).unwrap();
    let output = run(program(&folder.path("none")).arg("verify").arg(&file), b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    for user in ["alice", "bob"] {
        for mail in players.mails(user) {
            assert!(!mail.contains("-secret"), "{mail}");
        }
    }
}

/// OpenSMTPD runs the program for each mail to the server's address. Refused commands are
/// answered by the program alone, without a failure report of OpenSMTPD. A mail that
/// arrives while another process holds the store stays in the queue and is tried again.
#[test]
fn a_mail_server_retries_mails_the_program_could_not_take() {
    let _alone = ALONE.lock();
    if let Some(why) = want() {
        let test = "a_mail_server_retries_mails_the_program_could_not_take";
        return law::excuse(test, why);
    }
    let folder = Folder::new("mda");
    let port = free_port();
    let script = folder.path("post.sh");
    let codes = folder.path("mail/codes");
    fs::write(
        &script,
        format!(
            "#!/bin/sh\n{} --store {} --hash-memory-kib 8 --hash-passes 1 --address post@post.test \\\n\
             --send smtp:127.0.0.1:{port} mail --sender \"$1\"\ncode=$?\n\
             echo $code >> {}\nexit $code\n",
            env!("CARGO_BIN_EXE_post"),
            folder.path("mail/post.redb").display(),
            codes.display(),
        ),
    )
    .unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let brings = format!("mda \"{} %{{sender}}\"", script.display());
    let _smtpd = start_smtpd(&folder, port, &brings);
    let mut players = Players {
        folder: folder.path("mail"),
        port,
        sent: 0,
    };
    players.send("alice", "user register alice alice-secret");
    players.wait("alice", "You are registered as alice");
    let told = || fs::read_to_string(&codes).unwrap_or_default();
    let wait_for_codes = |codes: &[&str]| {
        wait_for("a process to end", || {
            (told().lines().count() >= codes.len()).then_some(())
        });
        assert_eq!(told().lines().collect::<Vec<_>>(), codes);
    };
    // It sends its answer a moment before it closes the store.
    wait_for_codes(&["0"]);
    players.send("alice", "malaka show 7");
    players.wait("alice", "There is no board 7");
    wait_for_codes(&["0", "0"]);
    // Another process holds the store when the next mail arrives.
    let busy = folder.path("mail/post.redb");
    let server = Running::serve(&busy, &["--tcp", "127.0.0.1:0"]);
    players.send("alice", "malaka show 8");
    wait_for_codes(&["0", "0", "75"]);
    drop(server);
    // Immediately, instead of in some minutes.
    let mut again = Command::new("/usr/sbin/smtpctl");
    let again = again.args(["schedule", "all"]).output().unwrap();
    assert!(again.status.success(), "{}", text(&again.stderr));
    players.wait("alice", "There is no board 8");
    for mail in players.mails("alice") {
        assert!(!mail.contains("Delivery"), "{mail}");
    }
}
