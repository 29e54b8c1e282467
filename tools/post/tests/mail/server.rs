//! The effects and the output of commands, with a store in memory.

use std::cell::Cell;

use post::dice::{Hash, RandomError, hex_of_hash, link, sha256};
use post::mail::{Incoming, Sender};
use post::password::Cost;
use post::server::{Handled, Options, Server, Unanswered};
use post::store::MailStore;
use post::transcript::{Stage, verify};
use redb::backends::InMemoryBackend;

use crate::common::{self, board_of, mail, next_move};

thread_local! {
    static NOW_S: Cell<u64> = const { Cell::new(1_000_000_000) };
    static SECRETS: Cell<u8> = const { Cell::new(0) };
}

fn now_s() -> u64 {
    NOW_S.get()
}

fn pass_s(seconds: u64) {
    NOW_S.set(now_s() + seconds);
}

fn secret() -> Result<Hash, RandomError> {
    SECRETS.set(SECRETS.get().wrapping_add(1));
    Ok(sha256(&[SECRETS.get()]))
}

fn server() -> Server {
    let options = Options {
        cost: Cost::NEXT_TO_NOTHING,
        address: Some("post@post.test".parse().unwrap()),
        now_s,
        secret,
    };
    Server::new(MailStore::on(InMemoryBackend::new()).unwrap(), options).unwrap()
}

fn done(server: &Server, line: &str) -> String {
    let reply = server.carry_out(line).unwrap();
    assert!(reply.is_done, "{line}: {}", reply.text);
    reply.text
}

fn refused(server: &Server, line: &str) -> String {
    let reply = server.carry_out(line).unwrap();
    assert!(!reply.is_done, "{line}: {}", reply.text);
    assert!(
        reply.text.len() > 10 && !reply.text.contains("secret"),
        "{line}: {}",
        reply.text
    );
    reply.text
}

/// The queued mails, oldest first: recipient and text.
fn outbox(server: &Server) -> Vec<(String, String)> {
    let mut all = Vec::new();
    server
        .store()
        .change(|tables| {
            while let Some((number, queued, bytes)) = tables.next_queued(u64::MAX)? {
                all.push((queued.to.to_string(), common::text(&bytes)));
                tables.unqueue(number)?;
            }
            Ok(())
        })
        .unwrap();
    all
}

/// Confirms the address of a user by the code that was sent there.
fn confirm(server: &Server, user: &str) {
    let (_, text) = outbox(server).pop().expect("a mail with a code");
    let line = text.lines().find(|line| line.starts_with("user confirm"));
    let line = line.expect("a line with the code");
    assert!(line.contains(user), "{line}");
    done(server, line);
}

/// A server with alice and bob, whose addresses are confirmed.
fn with_players() -> Server {
    let server = server();
    for user in ["alice", "bob"] {
        done(
            &server,
            &format!("user register {user} {user}-secret {user}@play.test"),
        );
        confirm(&server, user);
    }
    server
}

/// A server on which board 1 has begun.
fn with_board() -> Server {
    let server = with_players();
    done(&server, "malaka challenge alice bob");
    done(&server, "malaka accept 1 alice alice-secret nonce=one");
    done(&server, "malaka accept 1 bob bob-secret nonce=two");
    server
}

fn history(server: &Server, board: u64) -> String {
    done(server, &format!("malaka history {board}"))
}

/// Plays this many moves, or to the end. Returns the number of moves.
fn play(server: &Server, board: u64, moves: usize) -> usize {
    for turn in 0..moves {
        let Some((user, moves)) = next_move(&board_of(&history(server, board))) else {
            return turn;
        };
        done(
            server,
            &format!("malaka move {board} {user} {user}-secret {moves} nonce=n{turn}"),
        );
    }
    moves
}

#[test]
fn every_line_of_a_finished_game_can_be_verified() {
    let server = with_board();
    let moves = play(&server, 1, 1_000);
    assert!((10..1_000).contains(&moves), "{moves}");
    let transcript = history(&server, 1);
    let board = board_of(&transcript);
    let Stage::Over(Some(winner)) = board.stage else {
        panic!("{:?}", board.stage);
    };
    let told = done(&server, "malaka show 1");
    assert!(
        told.contains(&format!("{} (", board.name(winner))),
        "{told}"
    );
    assert!(told.contains("has won"), "{told}");
    let told = done(&server, "malaka verify 1");
    assert!(told.contains("all") && told.contains("right"), "{told}");
    for line in [
        "malaka move 1 alice alice-secret c3-c6",
        "malaka resign 1 bob bob-secret",
        "malaka accept 1 bob bob-secret",
    ] {
        refused(&server, line);
    }
    assert!(done(&server, "malaka list").contains("Nobody plays"));
}

#[test]
fn a_changed_transcript_is_refused() {
    let server = with_board();
    play(&server, 1, 12);
    let transcript: String = history(&server, 1)
        .lines()
        .map(|line| format!("{}\n", line.split(" # ").next().unwrap()))
        .collect();
    let whole = verify(&transcript).unwrap();
    assert!(whole.lines > 20);
    let mut judged = 0;
    for place in (0..transcript.len()).step_by(7) {
        let mut bytes = transcript.clone().into_bytes();
        let old = bytes[place];
        if old == b'\n' {
            continue;
        }
        bytes[place] = match old {
            b'0'..=b'8' | b'a'..=b'f' => old + 1,
            b'9' => b'0',
            _ => b'x',
        };
        if bytes[place] == old {
            continue;
        }
        let changed = String::from_utf8(bytes).unwrap();
        // The words after the last line have no effect on later dice.
        let last = transcript.trim_end().rfind('\n').unwrap();
        if let Ok(verified) = verify(&changed) {
            assert!(place > last, "{}", &changed[place.saturating_sub(40)..]);
            assert_ne!(verified.board.written, whole.board.written);
        }
        judged += 1;
    }
    assert!(judged > 100, "{judged}");
    let lines: Vec<&str> = transcript.lines().collect();
    for left_out in 0..lines.len() - 1 {
        let mut fewer = lines.clone();
        fewer.remove(left_out);
        assert!(verify(&fewer.join("\n")).is_err(), "{}", lines[left_out]);
    }
}

#[test]
fn the_dice_follow_from_both_nonces_and_from_the_secret() {
    let roll = |one: &str, two: &str, secrets: u8| {
        SECRETS.set(secrets);
        let server = with_players();
        done(&server, "malaka challenge alice bob");
        done(
            &server,
            &format!("malaka accept 1 alice alice-secret nonce={one}"),
        );
        done(
            &server,
            &format!("malaka accept 1 bob bob-secret nonce={two}"),
        );
        board_of(&history(&server, 1)).written
    };
    let usual = roll("a", "b", 0);
    assert_eq!(usual, roll("a", "b", 0));
    for other in [roll("x", "b", 0), roll("a", "x", 0), roll("a", "b", 9)] {
        assert_ne!(usual, other);
    }
}

#[test]
fn an_impostor_changes_nothing_and_delays_no_player() {
    let server = with_board();
    let before = history(&server, 1);
    for _ in 0..40 {
        let told = refused(&server, "malaka move 1 alice wrong-secret c3-c6");
        assert!(told.contains("not the password"), "{told}");
    }
    assert_eq!(history(&server, 1), before);
    done(&server, "user password alice alice-secret other-secret");
    for _ in 0..40 {
        refused(&server, "malaka resign 1 alice alice-secret");
    }
    done(&server, "malaka resign 1 alice other-secret");
}

#[test]
fn every_refusal_says_what_to_do() {
    let server = with_board();
    done(&server, "user register carol carol-secret");
    let board = board_of(&history(&server, 1));
    let (user, legal) = next_move(&board).unwrap();
    assert_eq!(user, "alice");
    for (line, words) in [
        ("malaka move 1 alice alice-secret a9-a1", &legal as &str),
        ("malaka move 1 alice alice-secret zz", &legal),
        ("malaka move 1 bob bob-secret c3-c6", "of alice (O)"),
        ("malaka move 1 carol carol-secret c3-c6", "alice and bob do"),
        ("malaka move 2 alice alice-secret c3-c6", "no board 2"),
        ("malaka move 1 nobody a-secret c3-c6", "no such user"),
        ("malaka accept 1 alice alice-secret", "has accepted"),
        ("malaka roll 1 alice alice-secret 00", "64 hexadecimal"),
        (
            &format!("malaka roll 1 alice alice-secret {}", "00".repeat(32)),
            "no chain",
        ),
        ("malaka show 2", "malaka list"),
        ("malaka history 2", "malaka list"),
        ("malaka verify 2", "malaka list"),
        ("malaka list nobody", "no such user"),
        ("malaka challenge alice nobody", "user register"),
        ("malaka challenge alice alice", "two users"),
        ("user register alice some-secret", "already"),
        ("user register dave dave", "6 to 128"),
        ("user register some-secret some-secret", "in your name"),
        (
            "user register dave secret1 secret1@play.test",
            "in your address",
        ),
        ("user confirm alice 0000", "nothing to confirm"),
        ("bogus", "help"),
    ] {
        let told = refused(&server, line);
        assert!(told.contains(words), "{line}: {told}");
    }
}

/// The exact texts that people read.
#[test]
fn the_mails_of_a_game_have_these_texts() {
    SECRETS.set(0);
    let server = with_players();
    let mut told = String::new();
    for line in [
        "malaka challenge alice bob",
        "malaka accept 1 alice alice-secret",
        "malaka accept 1 bob bob-secret nonce=kalimera",
        "malaka move 1 alice alice-secret a1-b1",
        "malaka move 1 bob bob-secret i9-i8",
    ] {
        let reply = server.carry_out(line).unwrap();
        told.push_str(&format!(
            "> {}\n\n{}\n",
            line.replace("-secret", "-***"),
            reply.text
        ));
    }
    play(&server, 1, 2);
    for line in [
        "malaka show 1",
        "malaka history 1",
        "malaka verify 1",
        "malaka list",
    ] {
        told.push_str(&format!("> {line}\n\n{}\n", done(&server, line)));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn resign_declines_a_challenge_or_ends_a_game() {
    let server = with_board();
    done(&server, "malaka challenge bob alice");
    done(&server, "malaka accept 2 bob bob-secret");
    assert!(done(&server, "malaka resign 2 alice alice-secret").contains("declined"));
    assert_eq!(board_of(&history(&server, 2)).stage, Stage::Over(None));
    // The opening die has been rolled, and she does not like it.
    let told = done(&server, "malaka resign 1 alice alice-secret");
    assert!(told.contains("bob (X) has won"), "{told}");
    let transcript = history(&server, 1);
    assert!(transcript.contains("resign alice"), "{transcript}");
    assert!(matches!(board_of(&transcript).stage, Stage::Over(Some(_))));
    assert!(done(&server, "malaka list alice").contains("Nobody"));
    // If a player has a chain, the die has not been rolled yet, but the game has begun
    // all the same.
    done(&server, "malaka challenge alice bob alice alice-secret");
    let seal = "00".repeat(32);
    done(
        &server,
        &format!("malaka accept 3 bob bob-secret seal={seal}"),
    );
    let told = done(&server, "malaka resign 3 bob bob-secret");
    assert!(told.contains("alice (O) has won"), "{told}");
}

/// In transcripts of older servers, a player who had not moved could decline.
#[test]
fn an_older_transcript_is_read_without_its_end() {
    let server = with_board();
    let transcript = history(&server, 1);
    let lines: Vec<&str> = transcript.lines().collect();
    let (end, lines) = lines.split_last().unwrap();
    assert!(end.starts_with("end 7 "), "{end}");
    let old = format!("{}\ndecline alice\n", lines.join("\n"));
    let verified = verify(&old).unwrap();
    assert_eq!(verified.board.stage, Stage::Over(None));
    assert!(!verified.has_end);
    assert!(
        verified.sentence().contains("no end mark"),
        "{}",
        verified.sentence()
    );
    assert!(
        !verified.sentence().contains("all 8"),
        "{}",
        verified.sentence()
    );
}

#[test]
fn a_cut_transcript_is_reported() {
    let server = with_board();
    play(&server, 1, 12);
    let whole = history(&server, 1);
    let verified = verify(&whole).unwrap();
    assert!(verified.has_end);
    let told = format!("all {} lines are right", verified.lines);
    assert!(
        verified.sentence().contains(&told),
        "{}",
        verified.sentence()
    );
    let lines: Vec<&str> = whole.lines().collect();
    let text = |lines: &[&str]| format!("Hello,\n\n{}\n\nBye.\n", lines.join("\n"));
    assert_eq!(verify(&text(&lines)).unwrap(), verified);
    for place in 1..lines.len() - 1 {
        // The line is emptied, made a comment, or removed.
        for line in ["", "# a remark", "  "] {
            let mut changed = lines.clone();
            changed[place] = line;
            let sentence = verify(&text(&changed)).unwrap_err().to_string();
            let words = format!("Line {} ", place + 3);
            assert!(sentence.starts_with(&words), "{sentence}");
            // The same without an end mark.
            changed.pop();
            if place < changed.len() - 1 {
                let sentence = verify(&text(&changed)).unwrap_err().to_string();
                assert!(sentence.starts_with(&words), "{sentence}");
            }
        }
        let mut fewer = lines[..place].to_vec();
        fewer.push(lines[lines.len() - 1]);
        assert!(verify(&text(&fewer)).is_err(), "{place}");
        if let Ok(cut) = verify(&text(&lines[..place])) {
            assert!(!cut.has_end && cut.sentence().contains("no end mark"));
            assert!(cut.sentence().contains("the first "), "{}", cut.sentence());
        }
    }
    for end in ["end", "end 3", "end x y", "end 03 00", "end -1"] {
        let mut changed = lines.clone();
        *changed.last_mut().unwrap() = end;
        assert!(verify(&text(&changed)).is_err(), "{end}");
    }
}

#[test]
fn an_unaccepted_challenge_expires_after_two_weeks() {
    let server = with_players();
    done(&server, "malaka challenge alice bob");
    pass_s(15 * 24 * 60 * 60);
    let told = refused(&server, "malaka accept 1 alice alice-secret");
    assert!(told.contains("over"), "{told}");
    done(&server, "malaka challenge alice bob");
    let transcript = history(&server, 1);
    assert!(transcript.contains("\nexpired"), "{transcript}");
    assert_eq!(board_of(&transcript).stage, Stage::Over(None));
}

#[test]
fn a_sealed_player_gives_a_link_before_the_dice_fall() {
    let server = with_players();
    done(&server, "malaka challenge -d6 alice bob");
    let chain = sha256(b"bob's own");
    let links = |place| hex_of_hash(&link(&chain, 50, place).unwrap());
    let seal = format!("malaka accept 1 bob bob-secret seal={}", links(0));
    done(&server, &seal);
    done(&server, "malaka accept 1 alice alice-secret nonce=x");
    let mut place = 0;
    for _ in 0..30 {
        let board = board_of(&history(&server, 1));
        match board.stage {
            Stage::Link(side) => {
                assert_eq!(board.name(side), "bob");
                let wrong = format!("malaka roll 1 bob bob-secret {}", links(place));
                assert!(refused(&server, &wrong).contains("not the next"));
                refused(&server, "malaka move 1 bob bob-secret c3-c6");
                place += 1;
                done(
                    &server,
                    &format!("malaka roll 1 bob bob-secret {}", links(place)),
                );
            }
            Stage::Move(_) => assert_eq!(play(&server, 1, 1), 1),
            Stage::Over(_) => break,
            stage => panic!("{stage:?}"),
        }
    }
    assert!(place > 5, "{place}");
    let text = history(&server, 1);
    assert_eq!(text.matches("link bob").count(), usize::from(place));
    verify(&text).unwrap();
}

#[test]
fn an_unconfirmed_address_gets_only_a_code() {
    let server = with_players();
    done(&server, "user register carol carol-secret carol@play.test");
    let mails = outbox(&server);
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].0, "carol@play.test");
    refused(&server, "user confirm carol 0123456789abcdef");
    done(&server, "malaka challenge carol alice");
    let to: Vec<String> = outbox(&server).into_iter().map(|mail| mail.0).collect();
    assert_eq!(to, ["alice@play.test"]);
    let code = mails[0]
        .1
        .lines()
        .find(|line| line.starts_with("user confirm"));
    done(&server, code.unwrap());
    done(&server, "malaka challenge carol alice");
    assert_eq!(outbox(&server).len(), 2);
    for _ in 0..9 {
        done(&server, "user address carol carol-secret victim@play.test");
    }
    assert!(outbox(&server).len() <= 5);
}

fn take_in(server: &Server, mail: &str) -> Handled {
    let read = Incoming::read(mail.as_bytes(), &Sender::Unknown);
    server.take_in(&read).unwrap()
}

#[test]
fn a_mail_is_carried_out_once_and_answered_in_its_thread() {
    let server = with_players();
    let mail = mail(
        "Alice <alice@play.test>",
        "m1@play.test",
        "malaka challenge alice bob alice alice-secret",
    );
    assert!(matches!(
        take_in(&server, &mail),
        Handled::Answered { is_done: true, .. }
    ));
    assert_eq!(take_in(&server, &mail), Handled::Left(Unanswered::Known));
    let mails = outbox(&server);
    let to: Vec<&str> = mails.iter().map(|mail| mail.0.as_str()).collect();
    assert_eq!(to, ["alice@play.test", "bob@play.test"]);
    let answer = &mails[0].1;
    for line in [
        "Subject: Malaka: done\r\n",
        "In-Reply-To: <m1@play.test>\r\n",
        "References: <m1@play.test>\r\n",
        "Auto-Submitted: auto-replied\r\n",
        "> malaka challenge alice bob alice ***\r\n",
    ] {
        assert!(answer.contains(line), "{line}: {answer}");
    }
    assert!(mails[1].1.contains("Auto-Submitted: auto-generated\r\n"));
    // The player who signed the challenge has thereby accepted it.
    let board = board_of(&history(&server, 1));
    assert_eq!(board.accepted, [true, false]);
    let id = hex_of_hash(&sha256(b"<m1@play.test>"));
    assert!(history(&server, 1).contains(&format!("accept alice mail:{id}")));
}

#[test]
fn own_and_automatic_mails_are_ignored() {
    let server = with_players();
    done(&server, "malaka challenge alice bob");
    for (_, text) in outbox(&server) {
        assert!(matches!(
            take_in(&server, &text),
            Handled::Left(Unanswered::Automatic(_))
        ));
    }
    let own = mail("post@post.test", "m2@play.test", "help");
    assert_eq!(take_in(&server, &own), Handled::Left(Unanswered::Own));
    let nothing = mail("alice@play.test", "m3@play.test", "Hello.");
    assert_eq!(
        take_in(&server, &nothing),
        Handled::Left(Unanswered::Nothing)
    );
    let answer = nothing.replace(
        "Subject: Our game",
        "Subject: Re: Malaka\r\nIn-Reply-To: <touchboard-post-3@post.test>",
    );
    assert!(matches!(
        take_in(&server, &answer),
        Handled::Answered { is_done: false, .. }
    ));
    assert!(
        outbox(&server)[0]
            .1
            .contains("There is no command in your mail")
    );
}

#[test]
fn two_robots_that_answer_each_other_stop() {
    let server = with_players();
    let mut answered = 0;
    for number in 0..400 {
        let mail = mail("robot@play.test", &format!("r{number}@play.test"), "help");
        answered += usize::from(matches!(take_in(&server, &mail), Handled::Answered { .. }));
    }
    assert_eq!(answered, 200);
    pass_s(24 * 60 * 60);
    let mail = mail("robot@play.test", "tomorrow@play.test", "help");
    assert!(matches!(take_in(&server, &mail), Handled::Answered { .. }));
}

#[test]
fn a_mail_of_several_commands_is_answered_once() {
    let server = with_players();
    let text = "malaka challenge alice bob\r\nmalaka show 1\r\nmalaka show 2\r\n";
    let mail = mail("alice@play.test", "m1@play.test", text);
    assert!(matches!(
        take_in(&server, &mail),
        Handled::Answered { is_done: false, .. }
    ));
    let answer = &outbox(&server)[0].1;
    assert_eq!(
        answer.matches("Board 1: alice (O) against bob (X)").count(),
        2
    );
    assert!(answer.contains("There is no board 2"), "{answer}");
}

#[test]
fn the_number_of_boards_per_player_is_limited() {
    let server = with_players();
    for _ in 0..100 {
        done(&server, "malaka challenge alice bob alice alice-secret");
    }
    let told = refused(&server, "malaka challenge bob alice alice alice-secret");
    assert!(told.contains("100 boards"), "{told}");
    assert_eq!(done(&server, "malaka list").lines().count(), 50);
    // Her challenges count against her, and against him only once he accepts.
    done(&server, "malaka challenge bob alice bob bob-secret");
    done(&server, "malaka resign 7 bob bob-secret");
    done(&server, "malaka challenge bob alice alice alice-secret");
}
