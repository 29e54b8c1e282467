//! Strangers who abuse a user's name cannot prevent anybody from playing.

use std::cell::Cell;

use post::dice::{Hash, RandomError, sha256};
use post::mail::{Incoming, Sender};
use post::password::Cost;
use post::server::{Handled, Options, Peer, Server, Signature, Unanswered};
use post::store::MailStore;
use redb::backends::InMemoryBackend;

use crate::common::{board_of, text};

thread_local! {
    static NOW_S: Cell<u64> = const { Cell::new(1_000_000_000) };
    static MAILS: Cell<u64> = const { Cell::new(0) };
}

const DAY_S: u64 = 24 * 60 * 60;

fn secret() -> Result<Hash, RandomError> {
    Ok(sha256(b"a secret"))
}

/// A server with Alice and Bob, whose addresses are confirmed.
fn server() -> Server {
    let options = Options {
        cost: Cost::NEXT_TO_NOTHING,
        address: Some("post@post.test".parse().unwrap()),
        now_s: || NOW_S.get(),
        secret,
    };
    let store = MailStore::on(InMemoryBackend::new()).unwrap();
    let server = Server::new(store, options).unwrap();
    for user in ["alice", "bob", "mallory"] {
        done(
            &server,
            &format!("user register {user} {user}-secret {user}@play.test"),
        );
        let (_, mail) = outbox(&server).pop().unwrap();
        let code = mail.lines().find(|line| line.starts_with("user confirm"));
        done(&server, code.unwrap());
    }
    server
}

fn done(server: &Server, line: &str) -> String {
    let reply = server.carry_out(line).unwrap();
    assert!(reply.is_done, "{line}: {}", reply.text);
    reply.text
}

/// The queued mails: recipient and whole mail.
fn outbox(server: &Server) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let taken = server.store().change(|tables| {
        while let Some((number, queued, bytes)) = tables.next_queued(u64::MAX)? {
            all.push((queued.to.to_string(), text(&bytes)));
            tables.unqueue(number)?;
        }
        Ok(())
    });
    taken.unwrap();
    all
}

fn mails_to(server: &Server, address: &str) -> usize {
    let mails = outbox(server).into_iter();
    mails.filter(|(to, _)| to == address).count()
}

/// A new mail from this address, delivered by this host.
fn incoming(from: &str, host: &str, head: &str, body: &str) -> Incoming {
    MAILS.set(MAILS.get() + 1);
    let mail = format!(
        "Received: from x.test (x.test [{host}]) by mx.post.test with ESMTP; Mon, 1 Jan 2001 00:00:00 +0000\r\n\
         {head}From: {from}\r\nTo: post@post.test\r\nMessage-ID: <{}@x.test>\r\n\r\n{body}\r\n",
        MAILS.get()
    );
    Incoming::read(mail.as_bytes(), &Sender::Unknown)
}

fn take_in(server: &Server, from: &str, host: &str, body: &str) -> Handled {
    server.take_in(&incoming(from, host, "", body)).unwrap()
}

const ALICE: &str = "alice@play.test";
const HERS: &str = "192.0.2.1";
const THEIRS: &str = "198.51.100.66";

#[test]
fn forged_mails_in_her_name_do_not_silence_her() {
    let server = server();
    done(&server, "malaka challenge bob alice bob bob-secret");
    let mut left = 0;
    for _ in 0..400 {
        let handled = take_in(
            &server,
            ALICE,
            THEIRS,
            "malaka move 1 alice wrong-secret a1-a2",
        );
        left += usize::from(handled == Handled::Left(Unanswered::TooMany));
    }
    assert!(left >= 200, "{left}");
    outbox(&server);
    // Her signed commands are carried out and answered, from any host.
    for host in [HERS, THEIRS] {
        for line in [
            "malaka list",
            "malaka accept 1 alice alice-secret",
            "malaka show 1",
        ] {
            let signed = format!("{line}\r\nuser password alice alice-secret alice-secret");
            let handled = take_in(&server, ALICE, host, &signed);
            assert!(matches!(handled, Handled::Answered { .. }), "{handled:?}");
            assert_eq!(mails_to(&server, ALICE), 1);
        }
    }
    assert!(board_of(&done(&server, "malaka history 1")).has_begun());
    // Some of her unsigned mails are answered, too, if they come from her own host.
    let handled = take_in(&server, ALICE, HERS, "malaka show 1");
    assert!(
        matches!(handled, Handled::Answered { is_done: true, .. }),
        "{handled:?}"
    );
}

#[test]
fn a_mail_left_undone_is_carried_out_the_next_day() {
    let server = server();
    while take_in(&server, ALICE, THEIRS, "help") != Handled::Left(Unanswered::TooMany) {}
    let mail = incoming(ALICE, THEIRS, "", "malaka challenge alice bob");
    for _ in 0..2 {
        let handled = server.take_in(&mail).unwrap();
        assert_eq!(handled, Handled::Left(Unanswered::TooMany));
    }
    NOW_S.set(NOW_S.get() + DAY_S);
    let handled = server.take_in(&mail).unwrap();
    assert!(
        matches!(handled, Handled::Answered { is_done: true, .. }),
        "{handled:?}"
    );
    let handled = server.take_in(&mail).unwrap();
    assert_eq!(handled, Handled::Left(Unanswered::Known));
}

/// One host cannot use up the answers of all others, and a code counts as a password.
#[test]
fn forged_mails_in_many_names_leave_room_for_newcomers() {
    let server = server();
    for number in 0..1_000 {
        let from = format!("nobody{number}@play.test");
        take_in(&server, &from, THEIRS, "help");
    }
    assert!(outbox(&server).len() <= 500);
    let carol = "carol@play.test";
    let handled = take_in(&server, carol, HERS, "user register carol carol-secret");
    assert!(
        matches!(handled, Handled::Answered { is_done: true, .. }),
        "{handled:?}"
    );
    let mails = outbox(&server);
    let mut lines = mails.iter().flat_map(|(_, mail)| mail.lines());
    let code = lines.find(|line| line.starts_with("user confirm")).unwrap();
    let handled = take_in(&server, carol, THEIRS, code);
    assert!(
        matches!(handled, Handled::Answered { is_done: true, .. }),
        "{handled:?}"
    );
}

/// A signed command may direct its answer to another address, but only a limited number
/// of times.
#[test]
fn answers_to_an_address_that_is_not_the_users_own_are_few() {
    let server = server();
    let mut own = 0;
    for _ in 0..120 {
        let body = "user password mallory mallory-secret mallory-secret";
        let mail = incoming(
            "mallory@play.test",
            THEIRS,
            "Reply-To: bob@play.test\r\n",
            body,
        );
        server.take_in(&mail).unwrap();
        let handled = take_in(&server, "mallory@play.test", THEIRS, body);
        own += usize::from(matches!(handled, Handled::Answered { .. }));
    }
    assert_eq!(own, 120);
    let to_bob = mails_to(&server, "bob@play.test");
    assert!((1..=50).contains(&to_bob), "{to_bob}");
}

#[test]
fn forged_challenges_do_not_use_up_her_boards() {
    let server = server();
    let mut refused = 0;
    for number in 0..99_u8 {
        let peer = Peer::Host([198, 51, 100, number].into());
        let reply = server
            .carry_out_from("malaka challenge alice bob", peer)
            .unwrap();
        refused += usize::from(!reply.is_done);
        if !reply.is_done {
            assert!(reply.text.contains("USER PASSWORD"), "{}", reply.text);
        }
    }
    assert!(refused >= 79, "{refused}");
    let mails = mails_to(&server, ALICE);
    assert!((1..=10).contains(&mails), "{mails}");
    for number in 0..50 {
        let told = done(&server, "malaka challenge alice bob alice alice-secret");
        if number == 0 {
            assert!(told.contains("alice made the challenge"), "{told}");
        }
    }
    // The boards on which she plays come first in her list.
    let list = done(&server, "malaka list alice");
    assert_eq!(list.lines().count(), 50);
    let numbers = list
        .lines()
        .map(|line| line.split_whitespace().next().unwrap());
    assert!(
        numbers
            .map(|number| number.parse::<u64>().unwrap())
            .all(|number| number > 20)
    );
}

#[test]
fn one_peer_makes_few_unsigned_challenges() {
    let server = server();
    for user in 0..30 {
        done(&server, &format!("user register user{user} user-secret"));
    }
    let challenge = |host: u8, user: u32| {
        let peer = Peer::Host([198, 51, 100, host].into());
        let line = format!("malaka challenge alice user{user}");
        server.carry_out_from(&line, peer).unwrap().is_done
    };
    assert_eq!((0..30).filter(|user| challenge(1, *user)).count(), 20);
    // She has reached the limit of unsigned challenges; he has not.
    assert!(!challenge(2, 1));
    let peer = Peer::Host([198, 51, 100, 2].into());
    let reply = server
        .carry_out_from("malaka challenge bob user1", peer)
        .unwrap();
    assert!(reply.is_done, "{}", reply.text);
}

#[test]
fn withdrawn_challenges_send_few_mails() {
    let server = server();
    let mut untold = 0;
    for board in 1..=60 {
        let told = done(
            &server,
            "malaka challenge mallory bob mallory mallory-secret",
        );
        untold += usize::from(told.contains("No mail about this goes to bob"));
        done(
            &server,
            &format!("malaka resign {board} mallory mallory-secret"),
        );
    }
    let mails = mails_to(&server, "bob@play.test");
    assert!((1..=5).contains(&mails), "{mails}");
    assert!(untold >= 55, "{untold}");
    // The challenge is counted against mallory, so alice's own challenge is still
    // announced.
    done(&server, "malaka challenge alice bob alice alice-secret");
    assert_eq!(mails_to(&server, "bob@play.test"), 1);
    NOW_S.set(NOW_S.get() + DAY_S);
    done(
        &server,
        "malaka challenge mallory bob mallory mallory-secret",
    );
    assert_eq!(mails_to(&server, "bob@play.test"), 1);
}

#[test]
fn wrong_passwords_never_lock_out_the_right_one() {
    let server = server();
    for number in 0..200_u32 {
        let peer = Peer::Host([198, 51, 100, (number % 50) as u8].into());
        let reply = server
            .carry_out_from("malaka resign 1 alice wrong-secret", peer.clone())
            .unwrap();
        assert_eq!(reply.signature, Signature::Wrong);
        let right = "user password alice alice-secret alice-secret";
        let reply = server.carry_out_from(right, peer).unwrap();
        assert!(
            reply.is_done && reply.signature == Signature::Right,
            "{}",
            reply.text
        );
    }
}

/// Without the operator's setting, the author of a mail is not verified.
#[test]
fn a_forged_author_cannot_accept_a_challenge() {
    let believing = |senders: &str| server().with_senders(senders.parse().unwrap());
    let results = |host: &str, result: &str| {
        format!("Authentication-Results: {host}; dmarc={result} header.from=play.test\r\n")
    };
    let pass = results("mx.post.test", "pass");
    for (senders, head, accepts) in [
        ("nobody", "", false),
        ("nobody", &*pass, false),
        ("mail-server", "", true),
        ("authentication-results:mx.post.test", "", false),
        ("authentication-results:mx.post.test", &pass, true),
        (
            "authentication-results:mx.post.test",
            &results("mx.post.test", "fail"),
            false,
        ),
        (
            "authentication-results:mx.post.test",
            &results("evil.test", "pass"),
            false,
        ),
    ] {
        let server = believing(senders);
        let mail = incoming(ALICE, THEIRS, head, "malaka challenge alice bob");
        server.take_in(&mail).unwrap();
        let board = board_of(&done(&server, "malaka history 1"));
        assert_eq!(board.accepted, [accepts, false], "{senders} {head}");
    }
}

/// The forms in which mail programs and people repeat a command in a subject.
#[test]
fn no_answer_repeats_the_subject() {
    let server = server();
    done(&server, "malaka challenge alice bob");
    let password = "alice-secret";
    let command = format!("malaka accept 1 alice {password}");
    let mut answered = 0;
    for subject in [
        command.clone(),
        format!("[SPAM] {command}"),
        format!("Antwort: {command}"),
        format!("RE[2]: {command}"),
        format!("Re: Re: {command}"),
        format!("Fwd: [ext] {command}"),
        format!("\"{command}\""),
        format!("> {command}"),
        format!("\u{201e}{command}\u{201c}"),
        format!("Re: {password}"),
        password.to_owned(),
        format!("malaka resign 1 {password} alice"),
        format!("malaka {password}"),
    ] {
        for body in [
            "",
            "malaka show 1",
            "malaka accept 1 alice wrong-secret",
            "Hello!",
        ] {
            let head =
                format!("Subject: {subject}\r\nIn-Reply-To: <touchboard-post-1@post.test>\r\n");
            let mail = incoming(ALICE, HERS, &head, body);
            let handled = server.take_in(&mail).unwrap();
            answered += usize::from(matches!(handled, Handled::Answered { .. }));
            for (_, mail) in outbox(&server) {
                assert!(!mail.contains(password), "{subject}: {mail}");
                if mail.contains("auto-replied") {
                    assert!(mail.contains("\r\nSubject: Malaka"), "{mail}");
                    assert!(mail.contains("\r\nIn-Reply-To: <"), "{mail}");
                }
            }
        }
    }
    assert_eq!(answered, 52);
}
