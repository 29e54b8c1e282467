//! A game goes on when its image was rebuilt.

use protocol::{Button, Input, Point};
use touchboard_links::watch::{News, Watch, WatchTarget, WatchedBoard};

use super::*;

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
        if let Some(news) = watch.poll(board).pop() {
            return news;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_game_continues_on_a_rebuilt_image_with_differences() {
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
        "the board was rebuilt: the game is the same, 4 moves up to tick 2400"
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
