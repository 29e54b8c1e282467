//! What people write: drawings, sessions and scripts.

use firmware_core::{Ground, Wide};
use law::Judged;
use protocol::{Button, Deed, Drawing, Input, Layout, Point, Settings, Sketch, Tick};
use touchboard_host::session::{Header, Session, SessionItem};
use touchboard_host::{CoreDriver, transcript};
use touchboard_shell::{
    self as shell, AnswerColours, Answers, ExitKind, LayoutArgument, OnTrouble, Reader,
    ShellCommand, ShellOptions, ShellSession,
};

use super::board::SHORT;

/// Bytes, and a text that they may contain, are either not a drawing or a drawing that
/// writes and reads back identically.
pub(super) fn drawing(bytes: &[u8]) -> Judged {
    let text = std::str::from_utf8(bytes).ok();
    let sketch = text.and_then(|text| text.parse::<Sketch>().ok());
    let of_text = sketch.and_then(|sketch| sketch.bytes().ok());
    let of_bytes = Drawing::first(bytes).ok();
    let own = of_text.as_deref().map(Drawing::looked_through);
    for drawing in own.into_iter().chain(of_bytes) {
        assert_eq!(Drawing::new(drawing.bytes()), Ok(drawing));
        let ground: Ground<Wide> = Ground::of_drawing(drawing).expect("256 points");
        assert!(ground.neighbours(ground.all()).is_empty());
        let again: Sketch = Sketch::of(drawing).to_string().parse().expect("a drawing");
        assert_eq!(again.bytes().as_deref(), Ok(drawing.bytes()));
    }
    Judged::if_any(of_text.is_some() || of_bytes.is_some())
}

pub(super) fn drawings() -> Vec<Vec<u8>> {
    let hexagon = crate::hexagon().drawing().expect("it is known");
    let hexagon = Some(hexagon.as_drawing().bytes());
    let text = crate::HEXAGON.as_bytes();
    let told = "cell 3x3\nways 1,0 diagonal 1,1\noo o\n ooo\nstep a2 1 -\nstep c1 0 a2\n";
    let all = hexagon.into_iter().chain([text, told.as_bytes()]);
    all.map(<[u8]>::to_vec).collect()
}

/// A file is either refused, or written and read back identically, and it can be
/// described.
pub(super) fn session(bytes: &[u8]) -> Judged {
    let Ok(session) = Session::parse(bytes) else {
        return Judged::Nothing;
    };
    let again = Session::parse(session.to_text().as_bytes());
    assert_eq!(again.expect("what is written is read"), session);
    let is_short = |tick: Tick| tick <= SHORT;
    if session.entries.len() <= 100 && session.entries.iter().all(|entry| is_short(entry.tick)) {
        // The state at the start of the session may be refused.
        let _ = transcript::lines(&session);
    }
    Judged::if_any(!session.entries.is_empty())
}

pub(super) fn sessions() -> Vec<Vec<u8>> {
    let mut session = Session::new(Header::new(Layout::MALDOO, 7, "an example"));
    let point = Point(47);
    for act in [
        Input::Press(Button::Start).into(),
        Input::Lift(Button::Start).into(),
        Input::Touch(point).into(),
        Input::Release(point).into(),
        SessionItem::Do(Deed::Settings(Settings::default())),
        SessionItem::Note("a note".to_owned()),
        SessionItem::Do(Deed::Reset {
            seed: 5,
            layout: Layout::grid(6, 6).expect("a layout"),
        }),
        SessionItem::Digest(5),
        SessionItem::End,
    ] {
        session.push(0, act);
    }
    let cut = Session::with_entries(session.header.clone(), session.entries[..3].to_vec());
    [session, cut]
        .map(|session| session.to_text().into_bytes())
        .into()
}

/// A script never panics: it succeeds or ends with a sentence.
pub(super) fn shell(bytes: &[u8]) -> Judged {
    // Commands that access the file system or take long are left out.
    let is_harmless = |line: &&str| match shell::parse(line, Layout::MALDOO) {
        Ok(Some(
            ShellCommand::Save(_)
            | ShellCommand::Load(_)
            | ShellCommand::Reset(Some(LayoutArgument::File(_))),
        )) => false,
        Ok(Some(ShellCommand::Wait(ticks))) => ticks <= SHORT,
        _ => true,
    };
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().filter(is_harmless).take(40).collect();
    let options = ShellOptions {
        layout: touchboard_links::games::layout,
        answers: Answers::Plain(AnswerColours::Letters),
        reader: Reader::Script,
        on_trouble: OnTrouble::GoOn,
        seed: 1,
    };
    let mut board = CoreDriver::new(Layout::MALDOO, 1).expect("9x9 is a layout");
    let script = lines.join("\n");
    let ran = ShellSession::new(&mut board, &options).run_to_text(script.as_bytes());
    let is_done = ran.ending == ExitKind::Done;
    assert!(is_done || !ran.errors.is_empty(), "{script:?}");
    Judged::if_any(!ran.output.is_empty())
}

pub(super) fn scripts() -> Vec<Vec<u8>> {
    let scripts = [
        "set game=ghost mode=2 level=4\nstart\nwait 700\nshow\nlegal\n",
        "reset 6x6 seed=3\nstart\ntap d3\nexpect turn red\nscore\ndigest\n",
        "start\ntouch d3\nrelease d3\npass\npress stop\nexpect winner none\nhelp\n",
    ];
    scripts.map(|text| text.as_bytes().to_vec()).into()
}
