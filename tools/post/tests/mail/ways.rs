//! How mails arrive in files and pipes and are sent, tested with the program itself.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::common::{ADDRESS, Folder, files, mail, program, run, text, with_players};

#[test]
fn a_mail_on_stdin_is_answered_on_stdout() {
    let folder = Folder::new("mail");
    let store = folder.path("post.redb");
    with_players(&store);
    let mail = mail(
        "alice@play.test",
        "1@play.test",
        "malaka challenge alice bob alice alice-secret",
    );
    let mut command = program(&store);
    let output = run(command.args(ADDRESS).arg("mail"), mail.as_bytes());
    let answer = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        answer.contains("\r\nIn-Reply-To: <1@play.test>\r\n"),
        "{answer}"
    );
    assert!(answer.contains("To: alice@play.test\r\n"), "{answer}");
    assert!(
        answer.contains("Board 1: alice (O) against bob (X)"),
        "{answer}"
    );
    // The same mail again, an automatic one, and one with too many commands.
    let output = run(program(&store).args(ADDRESS).arg("mail"), mail.as_bytes());
    assert_eq!((output.status.code(), output.stdout), (Some(0), vec![]));
    let other = mail.replace("<1@", "<2@");
    let mut command = program(&store);
    let output = run(
        command.args(ADDRESS).args(["mail", "--sender", ""]),
        other.as_bytes(),
    );
    assert_eq!((output.status.code(), output.stdout), (Some(0), vec![]));
    let refused = mail
        .replace("<1@", "<3@")
        .replace("challenge alice bob alice alice-secret", "show 7");
    let output = run(
        program(&store).args(ADDRESS).arg("mail"),
        refused.as_bytes(),
    );
    assert_eq!(output.status.code(), Some(1));
    let large = format!("{mail}{}", "x".repeat(300 << 10));
    let output = run(program(&store).args(ADDRESS).arg("mail"), large.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("262144 bytes"));
    // The mail to Bob is queued.
    let out = folder.path("out");
    let way = format!("maildir:{}", out.display());
    let mut command = program(&store);
    let output = run(command.args(ADDRESS).args(["--send", &way, "flush"]), b"");
    assert!(
        text(&output.stdout).contains("sent 1"),
        "{}",
        text(&output.stdout)
    );
    let mails = files(&out.join("new"));
    assert_eq!(mails.len(), 1);
    assert!(text(&mails[0].1).contains("To: bob@play.test\n"));
}

#[test]
fn mails_are_handed_to_a_program_like_sendmail() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("sendmail");
    let store = folder.path("post.redb");
    with_players(&store);
    let (script, taken) = (folder.path("sendmail"), folder.path("taken"));
    let lines = format!(
        "#!/bin/sh\necho \"$@\" >> {0}\ncat >> {0}\ntest -e {0}.ok || exit 75\n",
        taken.display()
    );
    fs::write(&script, lines).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let way = format!("sendmail:{}", script.display());
    let send = ["--send", &way];
    let mail = mail(
        "alice@play.test",
        "1@play.test",
        "malaka challenge alice bob alice alice-secret",
    );
    let mut command = program(&store);
    let output = run(
        command.args(ADDRESS).args(send).arg("mail"),
        mail.as_bytes(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = fs::read_to_string(&taken).unwrap();
    assert!(
        said.contains("-i -f post@post.test -- alice@play.test\n"),
        "{said}"
    );
    assert!(
        said.contains("-i -f post@post.test -- bob@play.test\n"),
        "{said}"
    );
    assert!(!said.contains('\r'));
    // Delivery failed temporarily: both mails stay in the queue, and are not tried again
    // immediately.
    let mut command = program(&store);
    let output = run(command.args(ADDRESS).args(send).arg("flush"), b"");
    assert!(text(&output.stdout).contains("sent 0, later 0"));
    assert_eq!(fs::read_to_string(&taken).unwrap(), said);
}

/// A maildir with this many mails, each a challenge.
fn maildir(folder: &Folder, mails: usize) -> std::path::PathBuf {
    let maildir = folder.path("mail");
    for part in ["tmp", "new", "cur"] {
        fs::create_dir_all(maildir.join(part)).unwrap();
    }
    for number in 0..mails {
        let id = format!("{number}@play.test");
        let text = "malaka challenge alice bob alice alice-secret";
        let mail = mail("alice@play.test", &id, text);
        fs::write(maildir.join(format!("new/{number:04}.a.b")), mail).unwrap();
    }
    maildir
}

#[test]
fn kills_do_not_repeat_or_lose_mails_of_a_maildir() {
    const MAILS: usize = 60;
    let folder = Folder::new("maildir");
    let store = folder.path("post.redb");
    with_players(&store);
    let maildir = maildir(&folder, MAILS);
    let out = folder.path("out");
    let way = format!("maildir:{}", out.display());
    let run_it = || {
        let mut command = program(&store);
        command
            .args(ADDRESS)
            .args(["--send", &way, "maildir"])
            .arg(&maildir);
        command
    };
    let mut killed = 0;
    for round in 0..40_u64 {
        let mut child = run_it()
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(10 + round * 7 % 60));
        killed += usize::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
        if files(&maildir.join("new")).is_empty() {
            break;
        }
    }
    assert!(killed >= 2, "{killed}");
    let output = run(&mut run_it(), b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(files(&maildir.join("new")).len(), 0);
    assert_eq!(files(&maildir.join("cur")).len(), MAILS);
    // Each mail makes a board and is answered; Bob is notified of the first few.
    let output = run(
        program(&store).args(["command", "malaka", "show", "60"]),
        b"",
    );
    assert_eq!(output.status.code(), Some(0));
    let output = run(
        program(&store).args(["command", "malaka", "show", "61"]),
        b"",
    );
    assert_eq!(output.status.code(), Some(1));
    let mut ids: Vec<String> = files(&out)
        .iter()
        .map(|(_, bytes)| {
            let text = text(bytes);
            let line = text.lines().find(|line| line.starts_with("Message-ID:"));
            line.unwrap().to_owned()
        })
        .collect();
    assert_eq!(ids.len(), MAILS + 5);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), MAILS + 5);
}

#[test]
fn exit_codes_report_the_outcome() {
    let folder = Folder::new("codes");
    let store = folder.path("post.redb");
    let code = |arguments: &[&str], input: &str| {
        let output = run(program(&store).args(arguments), input.as_bytes());
        let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
        (output.status.code().unwrap(), said)
    };
    for (arguments, input, expected, words) in [
        (&["command", "help"][..], "", 0, "malaka challenge"),
        (&["command"], "malaka list\n", 0, "Nobody plays"),
        (&["command", "malaka", "show", "1"], "", 1, "no board 1"),
        (&["command"], "", 1, "empty"),
        (
            &["run"],
            "# words\n\nhelp\nmalaka show 1\n",
            1,
            "no board 1",
        ),
        (&["run"], "help\n", 0, "malaka move"),
        (&["serve"], "", 2, "--tcp"),
        (&["serve", "--lmtp", "127.0.0.1:0"], "", 2, "--address"),
        (&["mail"], "", 2, "--address"),
        (&["maildir", "/nowhere"], "", 2, "--address"),
        (&["flush"], "", 2, "--send"),
        (&["verify", "1"], "", 1, "no board 1"),
        (&["verify", "/nowhere"], "", 2, "/nowhere"),
        (&["bogus"], "", 2, "bogus"),
        (
            &["command", "--tcp", "127.0.0.1:1", "help"],
            "",
            2,
            "no server",
        ),
        (&["--send", "pigeon", "flush"], "", 2, "maildir:FOLDER"),
        (&["--hash-passes", "0", "run"], "", 2, "passes"),
        (&["check"], "", 0, "The store is intact"),
        (&["compact"], "", 0, "bytes now"),
        (&["backup", "/nowhere/copy"], "", 2, "/nowhere"),
    ] {
        let (code, said) = code(arguments, input);
        assert_eq!(code, expected, "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    let broken = folder.path("broken.redb");
    fs::write(
        &broken,
        "this is not a store, and it is long enough to look at",
    )
    .unwrap();
    let output = run(program(&broken).args(["command", "help"]), b"");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(
        !text(&output.stderr).contains("panicked"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_copy_is_complete_and_transcripts_verify_offline() {
    let folder = Folder::new("copy");
    let store = folder.path("post.redb");
    with_players(&store);
    let lines = "malaka challenge alice bob\n\
        malaka accept 1 alice alice-secret nonce=one\n\
        malaka accept 1 bob bob-secret nonce=two\n";
    assert!(
        run(program(&store).arg("run"), lines.as_bytes())
            .status
            .success()
    );
    let history = |store: &Path| {
        let mut command = program(store);
        text(&run(command.args(["command", "malaka", "history", "1"]), b"").stdout)
    };
    let copy = folder.path("copy.redb");
    assert!(
        run(program(&store).arg("backup").arg(&copy), b"")
            .status
            .success()
    );
    assert_eq!(history(&copy), history(&store));
    let transcript = folder.path("transcript");
    fs::write(
        &transcript,
        format!("> quoted\n\n{}\nBye\n", history(&store)),
    )
    .unwrap();
    let none = folder.path("none.redb");
    let output = run(program(&none).arg("verify").arg(&transcript), b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        text(&output.stdout).contains("all 7 lines are right"),
        "{}",
        text(&output.stdout)
    );
    assert!(!none.exists());
    // A different die: the last word of the last line, before its time.
    let told = history(&store);
    let die = told.rfind(" # ").unwrap() - 1;
    let other = if told.as_bytes()[die] == b'1' {
        "2"
    } else {
        "1"
    };
    let mut changed = told.clone();
    changed.replace_range(die..=die, other);
    fs::write(&transcript, changed).unwrap();
    let output = run(program(&none).arg("verify").arg(&transcript), b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stdout).contains("Line 7"),
        "{}",
        text(&output.stdout)
    );
    let output = run(program(&store).args(["verify", "1"]), b"");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn the_links_of_a_chain_follow_each_other() {
    let folder = Folder::new("links");
    let secret = folder.path("secret");
    let link = |after: Option<&str>| {
        let mut command = program(&folder.path("none.redb"));
        command
            .arg("link")
            .arg("--secret")
            .arg(&secret)
            .args(["7", "bob"]);
        if let Some(after) = after {
            command.args(["--after", after]);
        }
        let output = run(&mut command, b"");
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).trim().to_owned()
    };
    let head = link(None);
    let first = link(Some(&head));
    let second = link(Some(&first));
    let hash = |digits: &str| post::dice::hash_of_hex(digits).unwrap();
    assert_eq!(post::dice::sha256(&hash(&first)), hash(&head));
    assert_eq!(post::dice::sha256(&hash(&second)), hash(&first));
    assert_eq!(link(None), head);
}

/// All output and all files are searched for the passwords.
#[test]
fn no_password_is_written_anywhere() {
    let folder = Folder::new("secrets");
    let store = folder.path("post.redb");
    let out = folder.path("out");
    let way = format!("maildir:{}", out.display());
    let secrets = ["hunter-alpha", "hunter-beta", "hunter-gamma"];
    let lines = [
        "user register alice hunter-alpha alice@play.test",
        "user register bob hunter-beta bob@play.test",
        "user register bob hunter-beta hunter-beta",
        "user hunter-alpha",
        "malaka challenge alice bob",
        "malaka accept 1 alice hunter-alpha nonce=hunter-alpha",
        "malaka accept 1 alice hunter-alpha nonce=a",
        "malaka accept 1 bob hunter-beta",
        "malaka accept hunter-alpha",
        "malaka move 1 alice hunter-beta a1-a2",
        "malaka move 1 alice hunter-alpha hunter-alpha",
        "malaka move 1 alice hunter-alpha zz",
        "malaka move 1 hunter-alpha alice a1-a2",
        "malaka move hunter-alpha 1 alice a1-a2",
        "malaka show hunter-alpha",
        "hunter-alpha",
        "user password alice hunter-alpha hunter-gamma",
        "user password bob hunter-beta bob",
        "malaka resign 1 alice hunter-gamma hunter-gamma",
        "malaka history 1",
    ];
    let mut command = program(&store);
    command
        .args(["--log", "trace", "--send", &way])
        .args(ADDRESS)
        .arg("run");
    let output = run(&mut command, lines.join("\n").as_bytes());
    let mut written = vec![
        ("standard output".to_owned(), output.stdout),
        ("standard error".to_owned(), output.stderr),
    ];
    for (number, line) in lines.iter().enumerate() {
        for (subject, body) in [(*line, ""), ("x", line), (&format!("Re: {line}"), line)] {
            let mail = format!(
                "From: alice@play.test\r\nSubject: {subject}\r\nMessage-ID: <{number}.{}@x>\r\n\r\n{body}\r\n",
                subject.len()
            );
            let mut command = program(&store);
            command.args(["--log", "trace"]).args(ADDRESS).arg("mail");
            let output = run(&mut command, mail.as_bytes());
            written.push((format!("answer to {line}"), output.stdout));
            written.push((format!("log of {line}"), output.stderr));
        }
    }
    written.extend(
        files(folder.whole())
            .into_iter()
            .map(|(path, bytes)| (path.display().to_string(), bytes)),
    );
    assert!(written.iter().any(|(name, _)| name.ends_with("post.redb")));
    assert!(written.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > 100_000);
    for (name, bytes) in &written {
        for secret in secrets {
            let found = bytes
                .windows(secret.len())
                .any(|part| part == secret.as_bytes());
            assert!(!found, "{secret} is in the {name}: {}", text(bytes));
        }
    }
    let out = text(
        &run(
            program(&store).args(["command", "malaka", "show", "1"]),
            b"",
        )
        .stdout,
    );
    assert!(out.contains("Board 1"), "{out}");
}
