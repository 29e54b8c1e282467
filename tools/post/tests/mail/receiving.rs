//! How mails and lines arrive over a network, tested with the program itself.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};

use crate::common::{
    ADDRESS, Folder, PATIENCE, Running, client, files, mail, program, run, text, wait_for,
    with_players,
};

/// A conversation: what is sent, and how the answers begin.
struct Talk {
    reader: BufReader<TcpStream>,
}

impl Talk {
    fn with(port: SocketAddr) -> Talk {
        let stream = TcpStream::connect(port).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut talk = Talk {
            reader: BufReader::new(stream),
        };
        assert!(talk.line().starts_with("220 "));
        talk
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        line
    }

    fn send(&mut self, bytes: &[u8]) {
        self.reader.get_mut().write_all(bytes).unwrap();
    }

    fn command(&mut self, said: &str, answer: &str) -> String {
        self.send(format!("{said}\r\n").as_bytes());
        self.expect(said, answer)
    }

    fn expect(&mut self, said: &str, answer: &str) -> String {
        loop {
            let line = self.line();
            let is_last = line.as_bytes().get(3) != Some(&b'-');
            if is_last {
                assert!(line.starts_with(answer), "{said}: {line}");
                return line;
            }
        }
    }
}

fn receiver(folder: &Folder, protocol: &str) -> (Running, SocketAddr, SocketAddr) {
    let store = folder.path("post.redb");
    with_players(&store);
    let way = format!("maildir:{}", folder.path("out").display());
    let flag = format!("--{protocol}");
    let mut running = Running::serve(
        &store,
        &[
            &flag,
            "127.0.0.1:0",
            "--tcp",
            "127.0.0.1:0",
            "--address",
            "post@post.test",
            "--send",
            &way,
        ],
    );
    let tcp = running.port("tcp");
    let port = running.port(protocol);
    (running, port, tcp)
}

#[test]
fn a_mail_by_lmtp_is_carried_out_once() {
    let folder = Folder::new("lmtp");
    let (_running, port, tcp) = receiver(&folder, "lmtp");
    let mut talk = Talk::with(port);
    talk.command("EHLO x", "500");
    talk.command("MAIL FROM:<alice@play.test>", "503");
    talk.command("LHLO x", "250 SIZE 262144");
    talk.command("RCPT TO:<post@post.test>", "503");
    talk.command("MAIL FROM:<alice@play.test> SIZE=999999", "552");
    talk.command("MAIL FROM:<alice@play.test> FOO=1", "555");
    talk.command("MAIL FROM:alice@play.test", "501");
    talk.command("MAIL FROM:<alice@play.test> SIZE=1000 BODY=8BITMIME", "250");
    talk.command("DATA", "503");
    talk.command("RCPT TO:<bob@play.test>", "550");
    talk.command("RCPT TO:<post@post.test>", "250");
    talk.command("RCPT TO:<POST+17@post.TEST>", "250");
    talk.command("DATA", "354");
    // Neither a dot after a bare line feed nor a stuffed dot ends the mail.
    let mail = mail(
        "alice@play.test",
        "1@play.test",
        "malaka challenge alice bob\r\nSmuggled:\n.\r\nMAIL FROM:<eve@play.test>\r\n..",
    );
    talk.send(mail.as_bytes());
    talk.command(".", "250");
    talk.expect("the second recipient", "250");
    // The acknowledgement was lost, and the mail is sent again.
    talk.command("MAIL FROM:<alice@play.test>", "250");
    talk.command("RCPT TO:<post@post.test>", "250");
    talk.command("DATA", "354");
    talk.send(mail.as_bytes());
    talk.command(".", "250");
    // Mails that are too large: everything is read, nothing is kept, and the conversation
    // continues.
    for line in ["x".repeat(400_000), "x\r\n".repeat(150_000)] {
        talk.command("MAIL FROM:<alice@play.test>", "250");
        talk.command("RCPT TO:<post@post.test>", "250");
        talk.command("DATA", "354");
        talk.send(line.as_bytes());
        talk.command("\r\n.", "552");
    }
    talk.command(&"x".repeat(5_000), "500");
    talk.command("NOOP", "250");
    talk.command("RSET", "250");
    talk.command("VRFY alice", "252");
    talk.command("QUIT", "221");
    let mut asking = client(tcp);
    assert!(asking.carry_out("malaka show 1").unwrap().is_done);
    assert!(!asking.carry_out("malaka show 2").unwrap().is_done);
    let out = folder.path("out/new");
    let mails = wait_for("two mails", || {
        let mails = files(&out);
        (mails.len() == 2).then_some(mails)
    });
    assert!(text(&mails[0].1).contains("Subject: Malaka: done\n"));
}

/// Mails that were not carried out stay with the mail server.
#[test]
fn excess_mails_are_deferred_and_not_marked_as_seen() {
    const UNSIGNED: usize = 200;
    let folder = Folder::new("many");
    let (mut running, port, _) = receiver(&folder, "lmtp");
    let mut talk = Talk::with(port);
    talk.command("LHLO x", "250 SIZE");
    let send = |talk: &mut Talk, id: &str, text: &str, answer: &str| {
        talk.command("MAIL FROM:<alice@play.test>", "250");
        talk.command("RCPT TO:<post@post.test>", "250");
        talk.command("DATA", "354");
        talk.send(mail("alice@play.test", id, text).as_bytes());
        talk.command(".", answer);
    };
    for number in 0..UNSIGNED {
        send(&mut talk, &format!("{number}@x"), "malaka list", "250");
    }
    send(&mut talk, "more@x", "malaka list", "450");
    send(&mut talk, "more@x", "malaka list", "450");
    let signed = "user password alice alice-secret alice-secret";
    send(&mut talk, "signed@x", signed, "250");
    running.kill();
    let store = folder.path("post.redb");
    let more = mail("alice@play.test", "more@x", "malaka list");
    let output = run(program(&store).args(ADDRESS).arg("mail"), more.as_bytes());
    assert_eq!(output.status.code(), Some(75), "{}", text(&output.stderr));
    let maildir = folder.path("mail");
    fs::create_dir_all(maildir.join("new")).unwrap();
    fs::write(maildir.join("new/1.a"), more).unwrap();
    let mut command = program(&store);
    let output = run(command.args(ADDRESS).arg("maildir").arg(&maildir), b"");
    assert!(
        text(&output.stdout).contains("left 1"),
        "{}",
        text(&output.stdout)
    );
    assert!(maildir.join("cur/1.a:2,").exists());
}

#[test]
fn a_mail_by_smtp_is_answered_once_and_a_bounce_is_not() {
    let folder = Folder::new("smtp");
    let (_running, port, tcp) = receiver(&folder, "smtp");
    let mut talk = Talk::with(port);
    talk.command("LHLO x", "500");
    talk.command("HELO x", "250 post.test");
    talk.command("EHLO x", "250 SIZE");
    for (sender, id) in [("", "1"), ("alice@play.test", "2")] {
        talk.command(&format!("MAIL FROM:<{sender}>"), "250");
        talk.command("RCPT TO:<@relay.test:post@post.test>", "250");
        talk.command("DATA", "354");
        let mail = mail(
            "alice@play.test",
            &format!("{id}@x"),
            "malaka challenge alice bob",
        );
        talk.send(mail.as_bytes());
        talk.command(".", "250");
    }
    let mut asking = client(tcp);
    assert!(asking.carry_out("malaka show 1").unwrap().is_done);
    assert!(!asking.carry_out("malaka show 2").unwrap().is_done);
    for _ in 0..18 {
        talk.command("BOGUS", "500");
    }
    let line = talk.command("BOGUS", "500");
    assert!(line.starts_with("500"));
    assert!(talk.line().starts_with("421"));
    assert_eq!(talk.line(), "");
}

#[test]
fn lines_over_a_network_are_answered_and_bounded() {
    let folder = Folder::new("tcp");
    let store = folder.path("post.redb");
    let mut running = Running::serve(&store, &["--tcp", "127.0.0.1:0"]);
    let port = running.port("tcp");
    let mut asking = client(port);
    let reply = asking.carry_out("help malaka").unwrap();
    assert!(reply.is_done && reply.text.lines().count() > 20);
    let stream = TcpStream::connect(port).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut reader = BufReader::new(stream);
    let mut first = |said: &[u8]| {
        reader.get_mut().write_all(said).unwrap();
        let mut head = String::new();
        reader.read_line(&mut head).unwrap();
        let count = head
            .trim()
            .split(' ')
            .nth(1)
            .unwrap()
            .parse::<usize>()
            .unwrap();
        for _ in 0..count {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
        }
        head.split(' ').next().unwrap().to_owned()
    };
    assert_eq!(first(b"help\r\n"), "ok");
    assert_eq!(
        first(&[b"x".repeat(1 << 20), b"\n".to_vec()].concat()),
        "no"
    );
    assert_eq!(first(b"\xff\xfe\n"), "no");
    assert_eq!(first(b"\n"), "no");
    assert_eq!(first(b"help\n"), "ok");
    // A second process cannot open the store, but can reach the server.
    let output = run(program(&store).args(["command", "help"]), b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("--tcp"),
        "{}",
        text(&output.stderr)
    );
    let tcp = port.to_string();
    let output = run(
        program(&store).args(["command", "--tcp", &tcp, "help"]),
        b"",
    );
    assert_eq!(output.status.code(), Some(0));
}
