//! Games that somebody wrote, from the text to the board.
//!
//! A text of ludemes is compiled to a layout that brings its game with it, and a
//! board that becomes that layout plays it. So wherever a layout is asked for, the
//! file of such a text is one.
//!
//! What always holds: a text that is not compiled is refused with its place and
//! what is wrong; of a game that was compiled here its rules are known in words.

mod course;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use firmware_core::cartridge::LayoutGame;
use firmware_core::games;
use ludemes::check;
use ludemes::compile::Compiled;
use ludemes::explain::explain;
use ludemes::layout::SiteType;
use ludemes::names;
use ludemes::report::{self, Plan};
use ludemes::text::Trouble;
use ludemes::tree::Node;
use protocol::{Layout, Roster};

use crate::howto::HowTo;
use crate::{games as guides, words};

pub use course::{Course, Done, still_played};
pub use ludemes::text::{Heading, Item};

/// What the file of such a text is called.
pub const EXTENSION: &str = "lud";

/// No text is longer.
const MOST_BYTES: u64 = 4 << 20;

/// The rules of the games that were compiled, by the number of their layout.
static RULES: RwLock<BTreeMap<u32, HowTo>> = RwLock::new(BTreeMap::new());

/// What the boards of these games are played on, by the number of their layout.
static PLAYED_ON: RwLock<BTreeMap<u32, SiteType>> = RwLock::new(BTreeMap::new());

/// True for the file of a game's text, by its name.
#[must_use]
pub fn is_text(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION))
}

/// The text of a game, and what is chosen of its options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The file of the text.
    pub file: PathBuf,
    /// Items of its options, as `Heading/Item` or by the item's name alone; of the
    /// others the usual ones are meant.
    pub options: Vec<String>,
}

impl Choice {
    /// A choice as it is written: `hex.lud`, or `hex.lud#5x5` with a # before each item
    /// of an option. `None` if that is no text of a game.
    #[must_use]
    pub fn written(text: &str) -> Option<Choice> {
        let (file, options) = match text.split_once(".lud#") {
            Some((name, _)) => text.split_at(name.len() + ".lud".len()),
            None => (text, ""),
        };
        let file = PathBuf::from(file);
        let options = options.split('#').filter(|option| !option.is_empty());
        let options = options.map(str::to_owned).collect();
        is_text(&file).then_some(Choice { file, options })
    }
}

impl From<PathBuf> for Choice {
    fn from(file: PathBuf) -> Choice {
        let options = Vec::new();
        Choice { file, options }
    }
}

/// Reads a layout as it is written: `9x9`, the name of a file with a
/// [drawing](protocol::Sketch), or the text of a game, as a [`Choice`] is written.
///
/// # Errors
/// A sentence that says what is possible, or where the text is wrong.
pub fn layout(text: &str) -> Result<Layout, String> {
    match Choice::written(text) {
        Some(choice) => read(&choice).map(|game| game.layout),
        None => virtual_board::layout(text),
    }
}

/// A game that was read from its text.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its layout, with the game.
    pub layout: Layout,
    /// What the text says.
    pub node: Node,
    /// What it is compiled to.
    pub compiled: Compiled,
    /// The options of the text.
    pub options: Vec<Heading>,
    /// That points have other names on the board than in the text, if it names some
    /// that do.
    pub names: Option<String>,
}

/// The layouts of the games whose texts are in a folder and that a board of lights
/// plays, by the names of their files, in their order.
///
/// # Errors
/// When the folder cannot be read.
pub fn of_folder(folder: &Path) -> io::Result<Vec<(String, Layout)>> {
    let files = folder.read_dir()?.map(|file| Ok(file?.path()));
    let mut texts = files.collect::<io::Result<Vec<_>>>()?;
    texts.retain(|path| is_text(path));
    texts.sort();
    let named = texts.into_iter().filter_map(|path| {
        let name = path.file_stem()?.to_string_lossy().into_owned();
        Some((name, read(&path.into()).ok()?.layout))
    });
    Ok(named.collect())
}

/// The game whose text is in a file.
///
/// # Errors
/// Where the text is wrong, as a person reads it.
pub fn read(choice: &Choice) -> Result<Game, String> {
    let name = choice.file.display().to_string();
    let mut bytes = Vec::new();
    let file = File::open(&choice.file);
    let read = file.and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
    read.map_err(|error| format!("{name}: {error}"))?;
    let source = String::from_utf8(bytes)
        .map_err(|_| format!("{name} is not a text: it has bytes that are not UTF-8"))?;
    of_text(&name, &source, &choice.options)
}

/// A game, from its text with these items of its options; the name is that of the
/// file.
///
/// # Errors
/// Where the text is wrong, as a person reads it.
pub fn of_text(name: &str, source: &str, options: &[String]) -> Result<Game, String> {
    let shown = |troubles: Vec<Trouble>| {
        let each = troubles.iter().map(|trouble| trouble.shown(name, source));
        each.collect::<Vec<_>>().join("\n\n")
    };
    let (reading, compiled) = check::made(source, options).map_err(shown)?;
    let layout = compiled.layout();
    let layout = layout.map_err(|error| format!("{name}: {error}"))?;
    let names = names::sentence(&names::otherwise(&reading.game, &compiled));
    remember(layout, &compiled, &explain(&reading.game));
    Ok(Game {
        layout,
        node: reading.game,
        compiled,
        options: reading.options,
        names,
    })
}

/// Keeps the rules of a game in words, as the panel shows them.
fn remember(layout: Layout, compiled: &Compiled, rules: &str) {
    let Layout::Drawn { id, .. } = layout else {
        return;
    };
    let mut all = RULES.write().unwrap_or_else(PoisonError::into_inner);
    all.entry(id).or_insert_with(|| howto_of(compiled, rules));
    let mut boards = PLAYED_ON.write().unwrap_or_else(PoisonError::into_inner);
    boards.insert(id, compiled.board.site_type());
}

/// What the board of a game is played on: vertices, edges or cells. `None` for a game
/// whose text was not read here.
#[must_use]
pub fn played_on(layout: Layout) -> Option<SiteType> {
    let Layout::Drawn { id, .. } = layout else {
        return None;
    };
    let known = PLAYED_ON.read().unwrap_or_else(PoisonError::into_inner);
    known.get(&id).copied()
}

/// The rules as the panels show them. They live as long as the program: a game is
/// compiled when a person saves it, and its rules are a page.
fn howto_of(compiled: &Compiled, rules: &str) -> HowTo {
    let keep = |line: String| &*Box::leak(line.into_boxed_str());
    // The title is shown above.
    let mut lines = rules.lines().skip(1).filter(|line| !line.trim().is_empty());
    let aim = lines.next().unwrap_or_default();
    let sides = match compiled.players {
        2 => " Player 1 is green, player 2 red.",
        _ => "",
    };
    let mut heading = "";
    let mut play = Vec::new();
    for line in lines {
        match line.trim_start().strip_prefix("- ") {
            // What it introduces follows, a sentence each.
            Some("Then:") => {}
            Some(item) if heading.is_empty() || heading == "Play" => {
                play.push(keep(item.to_owned()))
            }
            Some(item) => play.push(keep(format!("{heading}: {item}"))),
            None => heading = line.trim(),
        }
    }
    let general = guides::of_layouts(compiled.players);
    play.extend(general.play);
    HowTo {
        aim: keep(format!("{aim}{sides}")),
        play: Box::leak(play.into_boxed_slice()),
        ..general
    }
}

/// How a game is played on this layout: one that the layout brings with it, by
/// its rules where they are known here.
#[must_use]
pub fn how_to(game: u8, layout: Layout) -> Option<HowTo> {
    if game != games::LAYOUTS_OWN {
        return guides::how_to(game).copied();
    }
    let Layout::Drawn { id, .. } = layout else {
        return None;
    };
    let known = RULES.read().unwrap_or_else(PoisonError::into_inner);
    let players = || game_of(layout).map(|game| game.cartridge.players());
    known
        .get(&id)
        .copied()
        .or_else(|| players().map(guides::of_layouts))
}

/// The game that a layout brings with it, if its drawing is known here.
#[must_use]
pub fn game_of(layout: Layout) -> Option<LayoutGame<'static>> {
    ludemes::shown::game_of(layout)
}

/// The layout of a board with these games into which no game is inserted: the one
/// that the first of them is made for.
#[must_use]
pub fn without(roster: Roster) -> Layout {
    games::layout_for(games::of_any_layout(roster))
}

/// The name of a game on a board of this layout.
#[must_use]
pub fn game_name(number: u8, layout: Layout) -> String {
    let own = game_of(layout).filter(|_| number == games::LAYOUTS_OWN);
    own.map_or_else(
        || words::game_name(number),
        |game| game.cartridge.name().to_owned(),
    )
}

/// Plays random games of a game, and tells what came of them; every few moves
/// `goes_on` is asked.
///
/// # Errors
/// A sentence, if the core does not take the game.
pub fn random_games(
    game: &Game,
    games: u32,
    seed: u64,
    mut goes_on: impl FnMut() -> bool,
) -> Result<String, String> {
    let plan = Plan {
        games,
        seed,
        fuel: report::FUEL,
    };
    let came = report::play(&game.node, &game.compiled, &plan, |_| match goes_on() {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    });
    came.map(|report| report.to_string())
        .map_err(|refused| format!("the core does not take this game: {refused:?}"))
}

#[cfg(test)]
mod tests {
    use firmware_core::AnyBoard;

    use super::*;

    fn choice(file: &str, options: &[&str]) -> Option<Choice> {
        Some(Choice {
            file: file.into(),
            options: options.iter().map(|option| (*option).to_owned()).collect(),
        })
    }

    #[test]
    fn a_choice_is_a_file_and_items_of_its_options() {
        assert_eq!(Choice::written("a/hex.lud"), choice("a/hex.lud", &[]));
        assert_eq!(
            Choice::written("hex.lud#Board Size/5x5#Rule/Off"),
            choice("hex.lud", &["Board Size/5x5", "Rule/Off"])
        );
        assert_eq!(
            Choice::written("#1/hex.lud#5x5"),
            choice("#1/hex.lud", &["5x5"])
        );
        assert_eq!(Choice::written("9x9"), None);
        assert_eq!(Choice::written("a.session"), None);
    }

    #[test]
    fn an_item_makes_another_layout_and_an_unknown_one_is_refused_with_the_nearest() {
        let hex = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../tools/ludemes/games/hex.lud"
        );
        assert_eq!(layout(hex).unwrap().points(), 121);
        assert_eq!(layout(&format!("{hex}#5x5")).unwrap().points(), 25);
        let sentence = layout(&format!("{hex}#Board Size/5x6")).unwrap_err();
        assert!(
            sentence.contains("did you mean `Board Size/5x5`"),
            "{sentence}"
        );
    }

    /// `virtual-board` is built without the compiler: it reads what `ludemes compile
    /// --layout` writes.
    #[test]
    fn a_layout_that_was_compiled_is_read_by_a_board_that_cannot_compile() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tools/ludemes/games");
        for name in ["hex", "teeko", "chess", "connect-four"] {
            let file = format!("{folder}/{name}.lud");
            let Ok(text) = std::fs::read_to_string(&file) else {
                panic!("there is no {file}");
            };
            let (_, compiled) = check::made(&text, &[]).unwrap();
            let own = format!("touchboard-written-{}-{name}", std::process::id());
            let written = std::env::temp_dir().join(own);
            std::fs::write(&written, compiled.sketch().unwrap().to_string()).unwrap();
            let path = written.display().to_string();
            let read = virtual_board::layout(&path).unwrap();
            assert_eq!(read, layout(&file).unwrap(), "{name}");
            assert!(game_of(read).is_some(), "{name}");
            let games = virtual_board::Options::default().games;
            assert!(AnyBoard::with_games(read, games, 0).is_ok(), "{name}");
            std::fs::remove_file(written).unwrap();
        }
    }
}
