//! Sessions that the command writes: they replay elsewhere, and a failed or interrupted
//! recording leaves the older file.

use std::path::Path;
use std::process::Output;

use crate::common::{command, file, hil_bridge, refused, send_signal, switch_on_at};

#[test]
fn a_recording_can_be_replayed_elsewhere() {
    let path = file("recording", "");
    let record = [
        "record", &path, "--play", "5", "--steps", "200", "--at", "virtual",
    ];
    assert_eq!(hil_bridge(&record).status.code(), Some(0));
    let output = hil_bridge(&["replay", &path, "--at", "core"]);
    assert_eq!(output.status.code(), Some(0));
    let listened = ["record", &path, "--at", "virtual", "--for-ms", "1300"];
    assert_eq!(hil_bridge(&listened).status.code(), Some(0));
    assert!(std::fs::read_to_string(&path).unwrap().contains("digest"));
    assert_eq!(hil_bridge(&["replay", &path]).status.code(), Some(0));
}

#[test]
fn a_failed_check_saves_a_session_that_shows_it() {
    let own = file("difference", "");
    let save: &str = &own;
    let broken = ["--at", "virtual", "--break-rule"];
    let check = ["check", "--seed", "7", "--steps", "3000", "--save", save];
    let output = hil_bridge(&[&check[..], &broken[..]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("fingers: "), "{said}");
    // The command that is printed for copying shows the difference.
    let advice = format!("`hil-bridge replay {save} --at virtual --break-rule`");
    assert!(said.contains(&advice), "{said}");
    let counted = |after: &str| -> usize {
        let (_, rest) = said.split_once(after).unwrap();
        rest.split(' ').next().unwrap().parse().unwrap()
    };
    assert!(counted("shows it with ") <= counted("of the "), "{said}");
    let text = std::fs::read_to_string(save).unwrap();
    let note = "found by check --at virtual --break-rule --seed 7 --layout 9x9";
    assert!(text.contains(note), "{text}");
    let replay = ["replay", save];
    let wrong = hil_bridge(&[&replay[..], &broken[..]].concat());
    assert_eq!(wrong.status.code(), Some(1));
    // The output names the same tick, field and values as `check`.
    let other = file("difference-again", "");
    let session = [
        "check",
        "--shrink-s",
        "0",
        "--save",
        &other,
        "--session",
        save,
    ];
    let checked = hil_bridge(&[&session[..], &broken[..]].concat());
    let difference = |output: &Output| {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        said.lines().next().map(str::to_owned)
    };
    assert!(difference(&wrong).unwrap().contains("fingers: "));
    assert_eq!(difference(&wrong), difference(&checked));
    assert_eq!(hil_bridge(&replay).status.code(), Some(0));
    assert_eq!(
        hil_bridge(&["replay", save, "--at", "virtual"])
            .status
            .code(),
        Some(0)
    );
    let lines = std::fs::read_to_string(save).unwrap().lines().count();
    assert!(lines <= 16, "{lines} lines");
}

#[test]
fn a_transcript_is_printed_or_written_beside_its_session() {
    refused(&["transcript", "no-such-file"], "cannot be read");
    refused(&["transcript"], "<FILES>");
    let no_state = r#"{"touchboard":"session","format":1,"firmware":"0.1.0","layout":"9x9","seed":7,"state":"00"}"#;
    refused(
        &["transcript", &file("no-state.session", no_state)],
        "cannot be replayed",
    );
    let session = file("told.session", "");
    let recorded = ["record", &session, "--play", "1", "--steps", "50"];
    assert_eq!(hil_bridge(&recorded).status.code(), Some(0));
    let printed = hil_bridge(&["transcript", &session]).stdout;
    assert!(String::from_utf8_lossy(&printed).contains("   1  0:0"));
    let beside = hil_bridge(&["transcript", "--beside", &session]);
    assert_eq!(
        (beside.status.code(), &beside.stdout[..]),
        (Some(0), &[][..])
    );
    let path = Path::new(&*session).with_extension("txt");
    assert_eq!(std::fs::read(path).unwrap(), printed);
}

#[test]
fn a_failed_recording_keeps_the_older_file() {
    let kept = file("kept", "older");
    let garbage = file("garbage", "dance\n");
    for scenario in ["/no/such/scenario", &garbage] {
        refused(&["record", &kept, "--scenario", scenario], "");
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), "older");
    }
    let half = file("half", "start\ndance\n");
    refused(&["record", &kept, "--scenario", &half], "is not complete");
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "older");
    let new = Path::new(&*kept).with_extension("new");
    refused(
        &["record", &new.to_string_lossy(), "--scenario", &garbage],
        "nothing was recorded",
    );
    assert!(!new.exists());
}

#[cfg(unix)]
#[test]
fn an_interrupted_recording_is_complete() {
    use std::io::Read;
    use std::process::Stdio;
    for signal in ["INT", "TERM"] {
        let path = file("interrupted", "");
        let mut child = command()
            .args(["record", &path, "--at", "virtual"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The program prints when it has started.
        let mut begun = [0; 9];
        child
            .stderr
            .as_mut()
            .unwrap()
            .read_exact(&mut begun)
            .unwrap();
        assert_eq!(&begun, b"recording");
        send_signal(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.starts_with("recorded up to tick"), "{said}");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.ends_with("\"end\":true}\n"), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_driven_recording_keeps_the_older_file() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let path = folder.join("kept.session").to_string_lossy().into_owned();
    let files = || std::fs::read_dir(folder).unwrap().count();
    for (older, words) in [
        (true, "kept.session is unchanged"),
        (false, "nothing was recorded"),
    ] {
        if older {
            std::fs::write(&path, "older").unwrap();
        } else {
            std::fs::remove_file(&path).unwrap();
        }
        let begun = files() + 1;
        let child = command()
            .args(["record", &path, "--play", "1", "--steps", "1000000000"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let patience = Instant::now() + Duration::from_secs(60);
        while files() < begun && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
        send_signal("INT", &child);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("interrupted: nothing was recorded"), "{said}");
        assert!(said.trim_end().ends_with(words), "{said}");
        assert_eq!(files(), begun - 1);
        if older {
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "older");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_recording_continues_after_the_board_restarts() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let plug = |address: &str| switch_on_at(address.parse().unwrap());
    let board = plug("127.0.0.1:0");
    let address = board.tcp.unwrap().to_string();
    let path = file("restarted", "");
    std::fs::remove_file(&path).unwrap();
    let mut child = command()
        .args(["record", &path, "--at", &format!("tcp:{address}")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut hear = |words: &str| {
        let line = said.next().expect("it goes on").unwrap();
        assert!(line.contains(words), "{line}");
    };
    hear("recording tcp:");
    drop(board);
    hear("was lost");
    let _board = plug(&address);
    hear("the board restarted: its state at tick");
    // Waits until the recording has the state of the new run.
    while !std::fs::read_to_string(&path)
        .unwrap()
        .contains("\"load\":")
    {
        let over = child.try_wait().unwrap();
        assert!(over.is_none(), "it ended: {over:?}");
    }
    send_signal("INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let text = std::fs::read_to_string(&path).unwrap();
    for note in ["lost: the line to tcp:", "restarted: the board restarted:"] {
        let note = format!("\"note\":\"{note}");
        assert_eq!(text.matches(&note).count(), 1, "{text}");
    }
    assert_eq!(hil_bridge(&["replay", &path]).status.code(), Some(0));
}
