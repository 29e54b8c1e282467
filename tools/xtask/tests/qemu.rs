//! The real images on emulated chips, connected by their UARTs. Every board has the same
//! tests.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use firmware_core::cartridge::layout_game::Room;
use firmware_core::{AnyBoard, Faults, games};
use object::{Object, ObjectSection, ObjectSymbol};
use protocol::{
    Button, CHUNK_BYTES, Command as Ask, Deed, Done, Input, KnownLayout, Layout, Pace, Point,
    Refusal, Roster, Settings,
};
use small_host::{Host, agrees_with_a_twin};
use touchboard_host::check::{CheckOptions, TimeLimit, Verdict, check};
use touchboard_host::{Driver, Session, written};
use touchboard_links::SessionInFile;
use touchboard_links::watch::{News, Watch, WatchTarget, WatchedBoard};
use touchboard_links::{RemoteDriver, Where};
use touchboard_shell::{AnswerColours, Answers, ExitKind, OnTrouble, Reader, ShellOptions, run};

/// A board that has an image.
#[derive(Clone, Copy)]
struct Board {
    name: &'static str,
    most_points: u16,
    /// Columns and rows of the largest layout.
    largest: (u8, u8),
}

const LM3S6965EVB: Board = Board {
    name: "lm3s6965evb",
    most_points: 128,
    largest: (16, 8),
};
const NETDUINOPLUS2: Board = Board {
    name: "netduinoplus2",
    most_points: 256,
    largest: (16, 16),
};

/// How long to wait for QEMU before a test fails.
const PATIENCE: Duration = Duration::from_secs(60);
/// The part of the stack that no test may reach, in bytes.
const STACK_RESERVE_BYTES: usize = 8 * 1024;

/// The folder of the images, which the task builds once for all tests.
fn images() -> &'static Path {
    static IMAGES: OnceLock<PathBuf> = OnceLock::new();
    IMAGES.get_or_init(|| {
        let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
            .arg("firmware")
            .stderr(Stdio::inherit())
            .output()
            .expect("the task runs");
        let told = String::from_utf8_lossy(&output.stdout);
        println!("{told}");
        assert!(output.status.success(), "the images were not built");
        let row = told.lines().last().expect("a table has rows");
        let image = row.trim_end_matches(" |").rsplit("| ").next();
        let image = Path::new(image.expect("a row ends with the path"));
        image.parent().expect("it is in a folder").to_owned()
    })
}

impl Board {
    fn image(self) -> PathBuf {
        images().join(self.name).with_extension("elf")
    }

    fn largest_layout(self) -> Layout {
        let (columns, rows) = self.largest;
        Layout::grid(columns, rows).expect("a layout")
    }

    /// The range of addresses for the stack: from the end of the image's variables to the
    /// end of RAM.
    fn stack(self) -> std::ops::Range<u64> {
        stack_of(&self.image())
    }
}

/// The same for this image.
fn stack_of(image: &Path) -> std::ops::Range<u64> {
    let file = std::fs::read(image).expect("the image is there");
    let file = object::File::parse(&*file).expect("the image is an ELF file");
    let top = file.symbol_by_name("_stack_start");
    let top = top.expect("the linker's script names it").address();
    let ends = file
        .sections()
        .map(|section| section.address() + section.size())
        .filter(|end| *end <= top);
    ends.max().expect("there are variables")..top
}

/// An emulated board; switched off when this is dropped.
struct Qemu {
    process: Child,
    monitor: TcpStream,
}

impl Qemu {
    /// The contents of the chip's memory.
    fn memory(&mut self, at: std::ops::Range<u64>) -> Vec<u8> {
        let name = format!("memory-{}.bin", self.process.id());
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let (start, length) = (at.start, at.end - at.start);
        let save = format!("pmemsave {start:#x} {length:#x} {file:?}\n");
        self.monitor.write_all(save.as_bytes()).expect("QEMU hears");
        let give_up = Instant::now() + PATIENCE;
        let bytes = loop {
            match std::fs::read(&file) {
                Ok(bytes) if bytes.len() as u64 == length => break bytes,
                _ => assert!(Instant::now() < give_up, "QEMU did not save the memory"),
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let _ = std::fs::remove_file(&file);
        bytes
    }
}

impl Drop for Qemu {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn switch_on(board: Board) -> (Qemu, Host<TcpStream>) {
    switch_on_image(board, &board.image())
}

fn switch_on_image(board: Board, image: &Path) -> (Qemu, Host<TcpStream>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("a bound address");
    let monitor = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let process = Command::new("qemu-system-arm")
        .args(["-machine", board.name, "-display", "none"])
        .arg("-monitor")
        .arg(format!(
            "tcp:{}",
            monitor.local_addr().expect("a bound address")
        ))
        .arg("-serial")
        .arg(format!("tcp:{address},nodelay=on"))
        .arg("-kernel")
        .arg(image)
        .stdin(Stdio::null())
        .spawn()
        .expect("qemu-system-arm is installed: see `cargo xtask setup`");
    let (stream, _) = listener.accept().expect("QEMU connects");
    stream.set_nodelay(true).expect("a socket can");
    stream
        .set_read_timeout(Some(Duration::from_millis(20)))
        .expect("a socket can");
    let (monitor, _) = monitor.accept().expect("QEMU connects");
    let mut host = Host::new(stream);
    greet(&mut host);
    (Qemu { process, monitor }, host)
}

/// Sends hello until the board has answered. A board that was just switched on also sends
/// hello by itself, which is not an answer.
fn greet(host: &mut Host<TcpStream>) {
    loop {
        host.hello();
        if host.ask(Ask::Ping) != Err(Refusal::NotGreeted) {
            return;
        }
    }
}

/// The tests for every board.
macro_rules! on_each_board {
    ($($module:ident = $board:ident;)*) => {
        $(
            mod $module {
                use super::$board;

                #[test]
                fn the_image_says_who_it_is() {
                    super::says_who_it_is($board);
                }

                #[test]
                fn the_image_and_a_board_in_this_process_agree_at_every_step() {
                    super::agrees_at_every_step($board);
                }

                #[test]
                fn the_chips_own_timer_makes_ticks_by_itself() {
                    super::makes_ticks_by_itself($board);
                }

                #[test]
                fn a_panic_on_the_chip_reaches_the_host_before_it_resets() {
                    super::tells_of_a_panic($board);
                }

                #[test]
                fn the_image_says_that_it_keeps_no_best_scores() {
                    super::keeps_no_best_scores($board);
                }

                #[test]
                fn every_game_agrees_and_the_stack_stays_clear_of_the_variables() {
                    super::every_game_agrees_and_the_stack_stays_clear($board);
                }
            }
        )*
    };
}

on_each_board! {
    lm3s6965evb = LM3S6965EVB;
    netduinoplus2 = NETDUINOPLUS2;
}

/// Reversi, CountLines and SpeedGo; the image contains no code of other games.
const THREE: &str = "059";

/// The image with three games, and a board that runs it.
fn three_games() -> RemoteDriver {
    with_games(LM3S6965EVB, THREE)
}

/// An image with these games alone.
fn with_games(board: Board, games: &str) -> RemoteDriver {
    let status = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["firmware", board.name, "--games", games])
        .stdout(Stdio::null())
        .status()
        .expect("the task runs");
    assert!(status.success(), "the image was not built");
    let at = format!("qemu:{}-{games}", board.name);
    let place = Where::new(at.parse().expect("an image"));
    place.remote().unwrap_or_else(|error| panic!("{error}"))
}

/// For a longer test by hand: `hil-bridge check --at qemu:lm3s6965evb-059`.
#[test]
fn an_image_with_three_games_agrees_with_a_host_that_has_ten() {
    let mut board = three_games();
    let roster: Roster = THREE.parse().expect("three games");
    assert_eq!(board.roster(), roster);
    let options = CheckOptions {
        seed: 3,
        steps: 300,
        layout: Layout::MALDOO.into(),
        shrink_for: TimeLimit::NONE,
        faults: Faults::default(),
    };
    let verdict = check(&mut board, &options, &mut |_| ()).expect("it answers");
    let Verdict::Agrees(agreement) = verdict else {
        panic!("{verdict:?}");
    };
    assert!(agreement.games >= 3, "{agreement:?}");
}

/// A layout that is not built into the image is sent over the line.
#[test]
fn a_game_for_any_layout_agrees_on_a_hexagon_that_was_drawn_by_hand() {
    let mut board = with_games(LM3S6965EVB, "D");
    let hexagon = include_str!("../../../tests/drawings/hexagon.txt");
    let options = CheckOptions {
        seed: 5,
        steps: 300,
        layout: hexagon.parse().expect("a drawing"),
        shrink_for: TimeLimit::NONE,
        faults: Faults::default(),
    };
    let verdict = check(&mut board, &options, &mut |_| ()).expect("it answers");
    let Verdict::Agrees(agreement) = verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(board.layout(), options.layout);
    assert!(agreement.games >= 3, "{agreement:?}");
}

/// Malaka, Ishido and TicDabToe, which need a board of up to 256 points.
#[test]
fn the_games_of_larger_boards_agree_and_go_as_recorded_on_netduinoplus2() {
    let mut board = with_games(NETDUINOPLUS2, "ABC");
    let options = CheckOptions {
        seed: 7,
        steps: 300,
        layout: Layout::grid(16, 16).expect("a layout").into(),
        shrink_for: TimeLimit::NONE,
        faults: Faults::default(),
    };
    let verdict = check(&mut board, &options, &mut |_| ()).expect("it answers");
    let Verdict::Agrees(agreement) = verdict else {
        panic!("{verdict:?}");
    };
    assert!(agreement.games >= 3, "{agreement:?}");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    for game in ["malaka", "ishido", "ticdabtoe"] {
        let modes = (0..16).map(|mode| Roster::letter(mode).to_ascii_lowercase());
        let names = modes.map(|mode| format!("sessions/{game}-{mode}.session"));
        let mut replayed = 0;
        for path in names
            .map(|name| tests.join(name))
            .filter(|path| path.exists())
        {
            let session = Session::load(&path).unwrap_or_else(|error| panic!("{error}"));
            let mismatch = session.replay(&mut board, &mut |_| ());
            assert_eq!(mismatch.expect("it answers"), None, "{}", path.display());
            replayed += 1;
        }
        assert!(replayed > 1, "{game}");
    }
    for entry in std::fs::read_dir(tests.join("scenarios-ABC")).expect("they are there") {
        let path = entry.expect("a file").path();
        let script = std::fs::read_to_string(&path).expect("a scenario is text");
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let options = ShellOptions {
            layout: touchboard_links::games::layout,
            answers: Answers::Plain(AnswerColours::Letters),
            reader: Reader::Script,
            on_trouble: OnTrouble::GoOn,
            seed: 7,
        };
        let ending = run(
            &mut board,
            script.as_bytes(),
            &mut output,
            &mut errors,
            &options,
        );
        let errors = String::from_utf8_lossy(&errors);
        let ending = ending.expect("memory is writable");
        assert_eq!(ending, ExitKind::Done, "{}: {errors}", path.display());
    }
}

/// The game texts of the tree that a board of lights can play, by file name.
fn layouts_with_games() -> Vec<(String, KnownLayout)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hil-bridge/ludemes/games");
    touchboard_links::games::of_folder(&folder).expect("the games are there")
}

/// Games for boards of each width whose rules need as much of the stack as every board
/// has, or as hosts have: trial moves are nested as deeply as possible.
fn deepest_games(room: Room) -> Vec<(String, KnownLayout)> {
    let add = "(move Add (to (sites Empty)))";
    let nested = |side: u32, times: u32| {
        let tried = (0..times).fold(add.to_owned(), |moves, _| {
            format!("(do {add} ifAfterwards:(can Move {moves}))")
        });
        format!(
            "(game \"Deep\" (players 2)
             (equipment {{ (board (hex Diamond {side})) (piece \"Disc\" Each) }})
             (rules (play {tried}) (end (if (is Connected Mover) (result Mover Win)))))"
        )
    };
    let deepest = |side: u32| {
        let all = (1..40).rev().filter_map(|times| {
            let game = written::of_text("deep", &nested(side, times), &[]).ok()?;
            let is_for_these = game.compiled.room == Some(room);
            is_for_these.then(|| (format!("{times} within each other"), game.layout))
        });
        let mut all = all;
        all.next()
    };
    let all: Vec<_> = [8, 11, 15].into_iter().filter_map(deepest).collect();
    // A width may have no such game: its stack suffices for the deepest possible nesting.
    assert!(all.len() == 3 || room == Room::Host && !all.is_empty());
    all
}

/// The steps for checking each of these games.
const STEPS_OF_A_LAYOUTS_GAME: u64 = 16;

/// Their rules are sent over the line, too.
#[test]
fn the_games_that_layouts_bring_agree_on_netduinoplus2() {
    let layouts = layouts_with_games();
    let mut board = with_games(NETDUINOPLUS2, "E");
    assert!(layouts.len() >= 20, "{layouts:?}");
    for (seed, (name, layout)) in (1..).zip(&layouts) {
        let options = CheckOptions {
            seed,
            steps: STEPS_OF_A_LAYOUTS_GAME,
            layout: layout.clone(),
            shrink_for: TimeLimit::NONE,
            faults: Faults::default(),
        };
        let began = Instant::now();
        let verdict = check(&mut board, &options, &mut |_| ());
        let verdict = verdict.unwrap_or_else(|error| panic!("{name}: {error}"));
        let Verdict::Agrees(agreement) = verdict else {
            panic!("{name}: {verdict:?}");
        };
        println!("{name}: {agreement:?} in {:?}", began.elapsed());
        assert_eq!(board.layout(), *layout, "{name}");
        assert!(board.roster().has(games::LAYOUTS_OWN), "{name}");
    }
}

/// Writes the drawing of a layout into the board's buffer.
fn write_drawing(host: &mut Host<TcpStream>, layout: Layout) {
    let drawing = layout.drawing().expect("it was kept");
    for (index, bytes) in drawing.as_drawing().bytes().chunks(CHUNK_BYTES).enumerate() {
        let offset = (index * CHUNK_BYTES) as u16;
        let bytes = bytes.iter().copied().collect();
        host.ask(Ask::Write { offset, bytes })
            .expect("there is room");
    }
}

/// A host has enough memory for it, so it may be sent to a chip that does not.
#[test]
fn a_game_that_only_hosts_have_room_for_is_refused_by_a_chip_which_stays_as_it_was() {
    let image = images().join("netduinoplus2-E.elf");
    drop(with_games(NETDUINOPLUS2, "E"));
    let (_qemu, mut host) = switch_on_image(NETDUINOPLUS2, &image);
    let before = host.hello().layout;
    host.ask(Ask::Pace(Pace::Lockstep)).expect("lockstep");
    for (name, layout) in deepest_games(Room::Host) {
        write_drawing(&mut host, *layout);
        let refusal = host.ask(Ask::Do(Deed::Reset {
            seed: 3,
            layout: *layout,
        }));
        let refusal = refusal.expect_err(&name).to_string();
        assert!(
            refusal.contains("too many moves within each other"),
            "{refusal}"
        );
    }
    host.step(
        &[Input::Press(Button::Start), Input::Lift(Button::Start)],
        50,
    );
    assert_eq!(host.hello().layout, before);
}

/// Plays each game of a layout, lets the board think at its strongest level, and reads
/// and loads its state: these are the deepest calls.
#[test]
fn the_stack_stays_clear_of_the_variables_under_the_games_that_layouts_bring() {
    let image = images().join("netduinoplus2-E.elf");
    drop(with_games(NETDUINOPLUS2, "E"));
    let (mut qemu, mut host) = switch_on_image(NETDUINOPLUS2, &image);
    host.hello();
    host.ask(Ask::Pace(Pace::Lockstep)).expect("lockstep");
    let mut last: Option<(Layout, Vec<u8>)> = None;
    let with_level = |level: u8| move |(name, layout)| (name, layout, level);
    let all = layouts_with_games().into_iter().map(with_level(4));
    // The board's player would need minutes for these, because each move takes many
    // steps.
    let all = all.chain(deepest_games(Room::Every).into_iter().map(with_level(0)));
    for (name, layout, level) in all {
        write_drawing(&mut host, *layout);
        host.ask(Ask::Do(Deed::Reset {
            seed: 3,
            layout: *layout,
        }))
        .unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        let settings = Settings {
            game: games::LAYOUTS_OWN,
            level,
            ..Settings::default()
        };
        host.ask(Ask::Do(Deed::Settings(settings)))
            .expect("there is one");
        host.step(
            &[Input::Press(Button::Start), Input::Lift(Button::Start)],
            50,
        );
        for _ in 0..3 {
            let Ok(Done::Legal(legal)) = host.ask(Ask::Legal) else {
                panic!("{name}: it tells what may be touched");
            };
            let mut points = layout.iter().filter(|point| {
                let byte = legal.get(point.index() / 8).copied().unwrap_or(0);
                byte >> (point.index() % 8) & 1 == 1
            });
            let Some(point) = points.next_back() else {
                break;
            };
            host.step(&[Input::Touch(point), Input::Release(point)], 120);
        }
        let state = host.read_state();
        host.load_state(&state);
        if let Some((other, state)) = last.replace((*layout, state)) {
            let digest = host.ask(Ask::Digest);
            for (index, bytes) in state.chunks(CHUNK_BYTES).enumerate() {
                let offset = (index * CHUNK_BYTES) as u16;
                let bytes = bytes.iter().copied().collect();
                host.ask(Ask::Write { offset, bytes })
                    .expect("there is room");
            }
            let length = state.len() as u16;
            let loaded = host.ask(Ask::Load { length });
            assert_eq!(loaded, Err(Refusal::NotDrawn(other)), "{name}");
            assert_eq!(host.ask(Ask::Digest), digest, "{name}");
        }
    }
    let stack = qemu.memory(stack_of(&image));
    let untouched = stack.iter().take_while(|byte| **byte == 0).count();
    println!(
        "stack: {} bytes used, {untouched} never",
        stack.len() - untouched
    );
    assert!(untouched >= STACK_RESERVE_BYTES, "{untouched} bytes");
}

#[test]
fn an_image_with_three_games_goes_round_them_and_refuses_a_fourth_with_a_sentence() {
    let mut board = three_games();
    let mut games = Vec::new();
    for _ in 0..4 {
        let press = [Input::Press(Button::Game), Input::Lift(Button::Game)];
        board.step(&press, 10).expect("it answers");
        games.push(board.status().expect("it answers").settings.game);
    }
    assert_eq!(games, [5, 9, 0, 5]);
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let script = &b"set game=touchit"[..];
    let options = ShellOptions {
        layout: touchboard_links::games::layout,
        answers: Answers::Plain(AnswerColours::Letters),
        reader: Reader::Script,
        on_trouble: OnTrouble::Stop,
        seed: 0,
    };
    let ending = run(&mut board, script, &mut output, &mut errors, &options);
    assert_eq!(ending.expect("memory is writable"), ExitKind::Bad);
    assert_eq!(
        String::from_utf8(errors).expect("it is text"),
        "line 1: TouchIt is not on this board, which has 0 Reversi, 5 CountLines and 9 SpeedGo: one that is begun here with `--games 3` has it\n"
    );
}

fn says_who_it_is(board: Board) {
    let (_qemu, mut host) = switch_on(board);
    let hello = host.hello();
    assert_eq!(&*hello.board, board.name);
    assert_eq!(hello.layout, Layout::MALDOO);
    assert_eq!(hello.capabilities.max_points, board.most_points);
}

fn agrees_at_every_step(board: Board) {
    let (_qemu, mut host) = switch_on(board);
    let small = Layout::grid(8, 8).expect("a layout");
    for layout in [Layout::MALDOO, small, board.largest_layout()] {
        agrees_with_a_twin(&mut host, layout);
    }
}

/// The image with a mistake in its rules.
fn broken_rule() -> PathBuf {
    let status = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["firmware", LM3S6965EVB.name, "--features", "broken-rule"])
        .stdout(Stdio::null())
        .status()
        .expect("the task runs");
    assert!(status.success(), "the image was not built");
    let name = format!("{}-broken-rule.elf", LM3S6965EVB.name);
    images().join(name)
}

/// Replaces an image atomically, as the task does.
fn put(image: &Path, there: &Path) {
    let fresh = there.with_extension("new");
    std::fs::copy(image, &fresh).expect("it can be copied");
    std::fs::rename(fresh, there).expect("it can be renamed");
}

/// What the watch reports about the image that has just been built.
fn told(watch: &mut Watch, board: &mut WatchedBoard) -> News {
    let began = Instant::now();
    loop {
        assert!(began.elapsed() < PATIENCE, "nothing was noticed");
        if let Some(news) = watch.look(board).pop() {
            return news;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_game_goes_on_when_the_image_was_built_anew_and_the_first_difference_is_told() {
    let image = Path::new(env!("CARGO_TARGET_TMPDIR")).join("watched.elf");
    put(&LM3S6965EVB.image(), &image);
    let place = Where {
        program: Some(image.clone()),
        ..Where::new("qemu".parse().expect("an image"))
    };
    let (mut watch, mut board) = Watch::begin(&place, WatchTarget::Board).expect("it answers");
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 400).expect("it answers");
    for number in 0..4 {
        // The broken rule concerns the middle column.
        let is_red = number % 2 == 1;
        let legal = board.legal().expect("it answers");
        let wanted = |point: &&Point| (Layout::MALDOO.column(**point) == 4) == is_red;
        let point = *legal.iter().find(wanted).unwrap_or(&legal[0]);
        board.step(&[Input::Touch(point)], 50).expect("it answers");
        board
            .step(&[Input::Release(point)], 450)
            .expect("it answers");
    }
    let digest = board.digest().expect("it answers");

    put(&LM3S6965EVB.image(), &image);
    let sentence = told(&mut watch, &mut board).to_string();
    assert_eq!(
        sentence,
        "the board was built anew: all is as it was, 4 moves up to tick 2400"
    );
    assert_eq!(
        (board.tick(), board.digest().expect("it answers")),
        (2_400, digest)
    );

    put(&broken_rule(), &image);
    let news = told(&mut watch, &mut board);
    let News::GoesOn(rerun) = news else {
        panic!("{news}");
    };
    let first = rerun.first.expect("something is otherwise");
    assert!(first.points() > 0 || first.is_on_display(), "{first}");
    assert_eq!(board.tick(), 2_400);
    board.step(&[], 500).expect("it answers");
}

#[test]
fn a_layout_that_does_not_fit_the_smaller_chip_is_refused() {
    let (_qemu, mut host) = switch_on(LM3S6965EVB);
    host.hello();
    let layout = Layout::grid(16, 16).expect("a layout");
    assert_eq!(
        host.ask(Ask::Do(Deed::Reset { seed: 1, layout })),
        Err(Refusal::Layout(layout))
    );
}

/// Its clock is QEMU's own, so the test does not check its rate, only that ticks pass
/// without a request.
fn makes_ticks_by_itself(board: Board) {
    let (_qemu, mut host) = switch_on(board);
    host.hello();
    let before = host.tick();
    let give_up = Instant::now() + PATIENCE;
    while host.tick() < before + 100 {
        assert!(Instant::now() < give_up, "no ticks come");
        host.listen(Duration::from_millis(20));
    }
}

/// The smaller chip has no room for them. The larger one has, but QEMU does not emulate
/// the controller of that flash: its registers always read 0. Writing to it is tested in
/// `cortex_m_board::stm32f4`.
fn keeps_no_best_scores(board: Board) {
    let (_qemu, mut host) = switch_on(board);
    host.hello();
    assert_eq!(host.ask(Ask::ClearBest), Err(Refusal::KeepsNoBest));
    assert_eq!(host.ask(Ask::CountBest(true)), Ok(Done::Done));
    let Ok(Done::Status(status)) = host.ask(Ask::Status) else {
        panic!("it has a status");
    };
    assert_eq!(status.best, None);
}

fn tells_of_a_panic(board: Board) {
    let (_qemu, mut host) = switch_on(board);
    let first = host.hello();
    host.ask_only(Ask::Crash);
    let second = host.hello_after(&first);
    let words = host.panic.clone().expect("its last words were heard");
    assert!(words.starts_with("the host asked for it"), "{words}");
    assert_eq!(second.boot, first.boot + 1);
}

/// Plays every game in every mode with the board's own player at its strongest level,
/// reads and loads the state in between, and compares all digests. RAM is zero when QEMU
/// starts, so memory that is still zero was never reached by the stack.
fn every_game_agrees_and_the_stack_stays_clear(board: Board) {
    let (mut qemu, mut host) = switch_on(board);
    host.hello();
    host.ask(Ask::Pace(Pace::Lockstep)).expect("lockstep");
    let layout = board.largest_layout();
    host.ask(Ask::Do(Deed::Reset { seed: 3, layout }))
        .expect("it fits");
    let mut twin = AnyBoard::new(layout, 3).expect("a layout");
    let step = |host: &mut Host<TcpStream>, twin: &mut AnyBoard, inputs: &[Input], ticks| {
        host.step(inputs, ticks);
        for input in inputs {
            twin.input(*input, &mut |_, _| {});
        }
        twin.advance(ticks.into(), &mut |_, _| {});
        let digest = host.ask(Ask::Digest);
        assert_eq!(digest, Ok(Done::Digest(twin.digest())), "{inputs:?}");
    };
    for number in games::NUMBERS {
        let modes = games::about(*number).expect("it is in the table").modes;
        for mode in 0..modes {
            let settings = Settings {
                game: *number,
                mode,
                level: 4,
                time: 0,
                speed: 9,
            };
            host.ask(Ask::Do(Deed::Settings(settings)))
                .expect("there is one");
            twin.carry_out(&Deed::Settings(settings), &mut |_, _| {})
                .expect("so here");
            let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
            step(&mut host, &mut twin, &start, 50);
            for _ in 0..2 {
                let mut legal = None;
                twin.legal(|point| legal = legal.or(Some(point)));
                let point = legal.unwrap_or(Point(40));
                let touch = [Input::Touch(point), Input::Release(point)];
                step(&mut host, &mut twin, &touch, 100);
                let state = host.read_state();
                host.load_state(&state);
                step(&mut host, &mut twin, &[Input::Touch(Point(44))], 50);
                step(&mut host, &mut twin, &[Input::Release(Point(44))], 1_000);
            }
        }
    }
    let stack = qemu.memory(board.stack());
    let untouched = stack.iter().take_while(|byte| **byte == 0).count();
    println!(
        "stack: {} bytes used, {untouched} never",
        stack.len() - untouched
    );
    assert!(untouched >= STACK_RESERVE_BYTES, "{untouched} bytes");
}
