//! Games as texts, from the file to the board.
//!
//! A text of the language is compiled to a layout with its own game, and a board with
//! this layout plays it. So the file of a text is accepted wherever a layout is expected.
//!
//! A [`TextGame`] owns the drawing of its layout. The note of the drawing contains the
//! text's rules in words, so every owner of the layout can show the rules, and everything
//! is dropped with the last owner.
//!
//! Invariants: a text that does not compile is refused with the place and the reason; the
//! rules of a game that was compiled here are available in words.

mod course;
mod decided;

use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use firmware_core::games;
use ludemes::check;
use ludemes::compile::Compiled;
use ludemes::explain::{self, explain};
use ludemes::layout::SiteType;
use ludemes::names;
use ludemes::text::{Metadata, Reading, TextError};
use ludemes::tree::{Argument, Kind, Node};
use protocol::{KnownLayout, Layout, Roster};

use crate::howto::HowTo;
use crate::{games as guides, words};

pub use course::{LoggedMove, MoveLog, still_played};
pub use decided::deciding_points;
pub use ludemes::games as library;
pub use ludemes::shown::game_of;
pub use ludemes::text::{Heading, Item};

/// The extension of a text's file.
pub const EXTENSION: &str = "lud";

/// What the host knows about a text besides its drawing. It is the note of the drawing.
#[derive(Debug)]
struct TextNote {
    explained: String,
    metadata: Metadata,
    played_on: SiteType,
    rules: TextRules,
    /// What a move would do that is refused because of the resulting position.
    forbidden_after: String,
    /// True if moves capture pieces that they hop over or surround.
    takes: bool,
    /// True if the score is the number of pieces on the board.
    counts_pieces: bool,
}

/// The rules of a text, as the panels show them.
#[derive(Debug)]
struct TextRules {
    aim: String,
    play: Vec<String>,
    /// The constructs that the rules use; see [`GameRules::constructs`].
    constructs: Vec<String>,
    /// Statements of the guide that do not apply to this text.
    untold: Vec<&'static str>,
}

/// True if the name of a file is that of a game's text.
#[must_use]
pub fn is_text(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION))
}

/// The text of a game, and the chosen items of its options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The file of the text.
    pub file: PathBuf,
    /// Items of options, as `Heading/Item` or by the item's name alone. Options that are
    /// not named have their usual items.
    pub options: Vec<String>,
}

impl Choice {
    /// Parses a choice: `hex.lud`, or `hex.lud#5x5` with a # before each item of an
    /// option. `None` if it is not a game's text.
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

/// A game that was read from its text.
#[derive(Clone, Debug)]
pub struct TextGame {
    /// The layout with the game.
    pub layout: KnownLayout,
    /// The root of the text's tree.
    pub node: Node,
    /// The compiled game.
    pub compiled: Compiled,
    /// The options of the text.
    pub options: Vec<Heading>,
    /// The sentence that some points have different names on the board than in the text;
    /// `None` if there are none.
    pub names: Option<String>,
    /// True if numbers decide the game: points that the rules give, or a count at the end.
    /// Otherwise the two numbers count the pieces on the board.
    pub keeps_score: bool,
}

/// True if the game is decided by numbers; see [`TextGame::keeps_score`].
fn keeps_score(game: &Node, layout: Layout) -> bool {
    let known = layout.drawing();
    let on_board = known.as_ref().and_then(game_of);
    let counts = |node: &Node| matches!(&node.kind, Kind::Word(word) if word == "byScore");
    on_board.is_some_and(|game| game.cartridge.keeps_scores()) || game.all().any(counts)
}

/// Compiles a text with these items of its options. `name` is the name of the file.
///
/// # Errors
/// What is wrong in the text, and where, for people.
pub fn of_text(name: &str, source: &str, options: &[String]) -> Result<TextGame, String> {
    let shown = |troubles: Vec<TextError>| {
        let each = troubles.iter().map(|trouble| trouble.shown(name, source));
        each.collect::<Vec<_>>().join("\n\n")
    };
    let (reading, compiled) = check::made(source, options).map_err(shown)?;
    let layout = compiled.layout();
    let layout = layout.map_err(|error| format!("{name}: {error}"))?;
    let names = names::sentence(&names::otherwise(&reading.game, &compiled));
    let keeps_score = keeps_score(&reading.game, *layout);
    remember(&layout, &compiled, &reading, keeps_score);
    Ok(TextGame {
        keeps_score,
        layout,
        node: reading.game,
        compiled,
        options: reading.options,
        names,
    })
}

/// Stores the rules of a game in words, unless they are already stored.
fn remember(layout: &KnownLayout, compiled: &Compiled, reading: &Reading, keeps_score: bool) {
    let Some(drawing) = layout.drawing() else {
        return;
    };
    let explained = explain(&reading.game);
    let metadata = reading.metadata.clone();
    let played_on = compiled.board.site_type();
    let is_same = |note: &TextNote| {
        (&note.explained, &note.metadata, note.played_on) == (&explained, &metadata, played_on)
    };
    if drawing.note().is_some_and(|note| is_same(&note)) {
        return;
    }
    drawing.set_note(Arc::new(TextNote {
        rules: TextRules {
            untold: untold(&reading.game),
            ..rules_of(&explained, &metadata, compiled.players)
        },
        explained,
        metadata,
        played_on,
        forbidden_after: forbidden_by(&reading.game),
        takes: reading.game.all().any(is_remove),
        counts_pieces: !keeps_score,
    }));
}

/// True for a word with which rules remove a piece.
fn is_remove(node: &Node) -> bool {
    matches!(&node.kind, Kind::Word(word) if word == "remove")
}

/// True if moves of the layout's own game take pieces off the board, as far as its text
/// is known here.
#[must_use]
pub fn takes(layout: Layout) -> bool {
    note_of(layout).is_some_and(|note| note.takes)
}

/// True if the score of the layout's own game is the number of pieces on the board, as
/// far as its text is known here.
#[must_use]
pub fn counts_pieces(layout: Layout) -> bool {
    note_of(layout).is_some_and(|note| note.counts_pieces)
}

/// What a refused move would do, according to the game's condition on the resulting
/// position, as the rest of a sentence about the move.
fn forbidden_by(game: &Node) -> String {
    let given = |node: &Node| match &node.kind {
        Kind::Call(arguments) => {
            let is_it = |argument: &&Argument| argument.name.as_deref() == Some("ifAfterwards");
            arguments
                .iter()
                .find(is_it)
                .map(|argument| argument.node.clone())
        }
        _ => None,
    };
    let Some(condition) = game.all().find_map(given) else {
        return FORBIDDEN.to_owned();
    };
    let asks_liberties =
        |node: &Node| matches!(&node.kind, Kind::Word(word) if word == "Liberties");
    if condition.all().any(asks_liberties) {
        return "would leave its group without an empty point beside it".to_owned();
    }
    let words = explain::condition(game, &condition);
    match words.strip_suffix(" could not be captured") {
        Some(whose) => format!("would leave {whose} in check"),
        None => format!("is allowed only if afterwards {words}"),
    }
}

/// What a refused move would do, if the text's own words for it are not known.
const FORBIDDEN: &str = "would leave a position that the rules forbid";

/// What a move of the layout's own game would do that is refused because of the resulting
/// position.
#[must_use]
pub fn forbidden_after(layout: Layout) -> String {
    note_of(layout).map_or_else(|| FORBIDDEN.to_owned(), |note| note.forbidden_after.clone())
}

/// The note about the text of a layout.
fn note_of(layout: Layout) -> Option<Arc<TextNote>> {
    layout.drawing()?.note()
}

/// The sites on which a game is played: vertices, edges or cells. `None` if its text was
/// not compiled here.
#[must_use]
pub fn played_on(layout: Layout) -> Option<SiteType> {
    note_of(layout).map(|note| note.played_on)
}

/// The rules as the panels show them: the text's own words if it has some, or else words
/// for its constructs.
fn rules_of(explained: &str, metadata: &Metadata, players: u8) -> TextRules {
    // The title is already shown above.
    let mut lines = explained
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty());
    let board = lines.next().unwrap_or_default();
    let rules: Vec<_> = metadata.rules().map(str::to_owned).collect();
    let (play, constructs) = match rules.is_empty() {
        true => (one_by_one(lines), Vec::new()),
        false => (rules, lines.map(str::to_owned).collect()),
    };
    let aim = metadata.description.as_deref().unwrap_or(board);
    // Rules written for a board of lights use the names green and red.
    let names_sides = metadata.rules().any(|rule| rule.contains("reen"));
    let sides = match players {
        2 if !names_sides => " Player 1 is green, player 2 red.",
        _ => "",
    };
    TextRules {
        aim: format!("{aim}{sides}"),
        play,
        constructs,
        untold: Vec::new(),
    }
}

/// The sentences of the guide that do not apply to a game: about moving pieces if they
/// are only placed, and about a choice, passing or swapping if there is none.
fn untold(game: &Node) -> Vec<&'static str> {
    let has = |words: &[&str]| {
        let is_one =
            |node: &Node| matches!(&node.kind, Kind::Word(word) if words.contains(&word.as_str()));
        game.all().any(is_one)
    };
    let moves = game.all().any(is_piece_move) || has(&["Step", "Hop", "Slide", "Leap", "Shoot"]);
    let puts = has(&["Add", "handSite"]);
    let of_all = [
        (guides::PIECES_ARE_MOVED, moves),
        (guides::PIECES_ARE_PUT, moves && puts),
        // The one choice that points do not make is what a pawn becomes.
        (guides::SEVERAL_MOVES, has(&["promote"])),
        (guides::PASS, has(&["Pass", "pass"])),
        (guides::SWAP, has(&["Swap", "swap"])),
    ];
    let untold = of_all.into_iter().filter(|(_, holds)| !holds);
    untold.map(|(sentence, _)| sentence).collect()
}

/// True for the construct that takes a piece from a place to another:
/// `(move (from …) (to …))`.
fn is_piece_move(node: &Node) -> bool {
    let head = |node: &Node| match &node.kind {
        Kind::Call(arguments) => match &arguments.first()?.node.kind {
            Kind::Word(word) => Some(word.clone()),
            _ => None,
        },
        _ => None,
    };
    let Kind::Call(arguments) = &node.kind else {
        return false;
    };
    let next = arguments.get(1).and_then(|argument| head(&argument.node));
    head(node).as_deref() == Some("move") && next.as_deref() == Some("from")
}

/// Explained constructs as a list of sentences, each with its heading.
fn one_by_one<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut heading = "";
    let mut play = Vec::new();
    for line in lines {
        match line.trim_start().strip_prefix("- ") {
            // The consequences follow as sentences of their own.
            Some("Then:") => {}
            Some(item) if heading.is_empty() || heading == "Play" => play.push(item.to_owned()),
            Some(item) => play.push(format!("{heading}: {item}")),
            None => heading = line.trim(),
        }
    }
    play
}

/// The rules of a game in words, from its guide and, if it is a text, from its own rules.
#[derive(Clone, Debug)]
pub struct GameRules {
    /// The text of the guide; for a text, what applies to all games of layouts.
    pub guide: HowTo,
    text: Option<Arc<TextNote>>,
}

impl GameRules {
    fn text(&self) -> Option<&TextRules> {
        self.text.as_deref().map(|note| &note.rules)
    }

    /// The aim, in a sentence or two.
    #[must_use]
    pub fn aim(&self) -> &str {
        self.text().map_or(self.guide.aim, |text| &text.aim)
    }

    /// What a player does and what follows from it, a sentence or two each.
    pub fn play(&self) -> impl Iterator<Item = &str> {
        let own = self.text().map_or(&[][..], |text| &text.play);
        let untold = self.text().map_or(&[][..], |text| &text.untold);
        let of_all = self.guide.play.iter().copied();
        own.iter()
            .map(String::as_str)
            .chain(of_all.filter(|sentence| !untold.contains(sentence)))
    }

    /// The meanings of the text's constructs, one a line and indented as they are nested,
    /// for comparison with the text's rules in words. Empty for other games, and if
    /// [`GameRules::play`] already contains them.
    #[must_use]
    pub fn constructs(&self) -> &[String] {
        self.text().map_or(&[], |text| &text.constructs)
    }

    /// When the game is over, and what its numbers are.
    #[must_use]
    pub fn end(&self) -> &str {
        match self.text.as_deref().map(|note| note.counts_pieces) {
            None => self.guide.end,
            Some(true) => guides::COUNTS_PIECES,
            Some(false) => guides::COUNTS_POINTS,
        }
    }

    /// All rules of a mode, one or two sentences a line: the aim, the mode, the play, the
    /// end, and the effect of the settings.
    pub fn lines(&self, mode: u8) -> impl Iterator<Item = &str> {
        let guide = &self.guide;
        let mode = guide.modes.get(usize::from(mode)).map(|mode| mode.text);
        let settings = [self.end(), guide.level, guide.time, guide.speed];
        iter::once(self.aim())
            .chain(mode)
            .chain(self.play())
            .chain(settings)
    }
}

/// The rules of a game on this layout; `None` if there is no such game. A layout's own
/// game is described by its text, if that was compiled here.
#[must_use]
pub fn how_to(game: u8, layout: Layout) -> Option<GameRules> {
    if game != games::LAYOUTS_OWN {
        let (guide, text) = (*guides::how_to(game)?, None);
        return Some(GameRules { guide, text });
    }
    Some(GameRules {
        guide: guides::of_layouts(players(layout)?),
        text: note_of(layout),
    })
}

/// The other names of a game on this layout, which a search also finds.
#[must_use]
pub fn other_names(game: u8, layout: Layout) -> Vec<String> {
    if game == games::LAYOUTS_OWN {
        return note_of(layout).map_or_else(Vec::new, |note| note.metadata.aliases.clone());
    }
    let names = guides::find(game).map_or(&[][..], |guide| guide.other_names());
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The number of players of the layout's own game; `None` if the layout has none, or
/// its drawing is not known.
#[must_use]
pub fn players(layout: Layout) -> Option<u8> {
    let known = layout.drawing()?;
    game_of(&known).map(|game| game.cartridge.players())
}

/// The layout of a board with these games and without an inserted one: that of its first
/// game.
#[must_use]
pub fn without(roster: Roster) -> Layout {
    games::layout_for(games::of_any_layout(roster))
}

/// The name of a game on a board of this layout.
#[must_use]
pub fn game_name(number: u8, layout: Layout) -> String {
    let known = layout.drawing().filter(|_| number == games::LAYOUTS_OWN);
    known.as_ref().and_then(game_of).map_or_else(
        || words::game_name(number),
        |game| game.cartridge.name().to_owned(),
    )
}

#[cfg(test)]
pub(crate) mod texts {
    //! The games of this repository, for tests.

    use protocol::KnownLayout;

    use super::{TextGame, library, of_text};

    /// The game of this name.
    pub fn game(name: &str) -> TextGame {
        let text = library::text(name).expect("it is bundled");
        of_text(name, text, &[]).expect("it is compiled")
    }

    /// The layout of the text with this name.
    pub fn layout(name: &str) -> KnownLayout {
        game(name).layout
    }

    /// The layouts of all texts that a board of lights plays, by name.
    pub fn all() -> Vec<(String, KnownLayout)> {
        let named = library::TEXTS.iter().filter_map(|(name, text)| {
            Some((name.to_string(), of_text("a game", text, &[]).ok()?.layout))
        });
        named.collect()
    }
}

#[cfg(test)]
mod tests {
    use firmware_core::AnyBoard;
    use protocol::{Button, Event, Input};

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
    fn rules_are_rebuilt_only_when_their_words_change() {
        let text = "(game \"Saved Twice\" (players 2) (equipment {(board (square 3)) \
             (piece \"Disc\" Each)}) (rules (play (move Add (to (sites Empty)))) \
             (end (\"Line3Win\"))))";
        let saved = |rules: &str| {
            let text = format!("{text} (metadata (info (rules \"{rules}\")))");
            let layout = of_text("twice", &text, &[]).unwrap().layout;
            let rules = how_to(games::LAYOUTS_OWN, *layout).unwrap();
            (rules, layout)
        };
        let (first, _layout) = saved("Put a disc.");
        let again = saved("Put a disc.").0;
        assert!(std::ptr::eq(first.text().unwrap(), again.text().unwrap()));
        let other = saved("Put one disc.").0;
        assert_eq!(other.play().next(), Some("Put one disc."));
    }

    /// What was seen on a board while touches here and there played a text.
    #[derive(Debug, Default)]
    struct Seen {
        is_moved: bool,
        is_chosen: bool,
        says: std::collections::BTreeSet<String>,
    }

    /// Plays a text for a while, and passes now and then where the display offers it.
    fn played(layout: Layout) -> Seen {
        let mut board = AnyBoard::new(layout, 5).unwrap();
        let mut seen = Seen::default();
        let mut happened = Vec::new();
        let mut give = |board: &mut AnyBoard, input| {
            board.input(input, &mut |_, event| happened.push(event));
            board.advance(60, &mut |_, event| happened.push(event));
        };
        for number in 0..160_usize {
            if board.status().score.is_none() || board.status().outcome.is_some() {
                give(&mut board, Input::Press(Button::Start));
                give(&mut board, Input::Lift(Button::Start));
            }
            let display = board.frame().display.to_string();
            for word in ["pass", "swap"] {
                seen.says
                    .extend(display.contains(word).then(|| word.to_owned()));
            }
            seen.is_chosen |= display.contains("Which one?");
            if display.contains("swap") && number % 2 == 0 {
                give(&mut board, Input::Pass);
            }
            let mut legal = Vec::new();
            board.legal(|point| legal.push(point));
            if let Some(point) = legal.get((number * 7 + number / 5) % legal.len().max(1)) {
                give(&mut board, Input::Touch(*point));
                give(&mut board, Input::Release(*point));
            }
        }
        seen.is_moved = happened
            .iter()
            .any(|event| matches!(event, Event::Part { .. }));
        seen
    }

    #[test]
    fn sentences_about_touches_hold_for_every_text() {
        let mut all_wrong = Vec::new();
        for (name, layout) in texts::all() {
            let rules = how_to(games::LAYOUTS_OWN, *layout).unwrap();
            if players(*layout) == Some(0) {
                continue;
            }
            let told = |sentence: &str| rules.play().any(|line| line == sentence);
            let seen = played(*layout);
            let says = |word: &str| seen.says.contains(word);
            let are = [
                (guides::PIECES_ARE_MOVED, seen.is_moved),
                (guides::SWAP, says("swap")),
            ];
            let wrong = are.into_iter().filter(|(line, holds)| told(line) != *holds);
            all_wrong.extend(wrong.map(|(line, holds)| (name.clone(), line, holds)));
            // A choice, and a pass in the middle of a turn, may be rare.
            let may_be = [
                (guides::PASS, says("pass")),
                (guides::SEVERAL_MOVES, seen.is_chosen),
            ];
            let untold = may_be
                .into_iter()
                .filter(|(line, holds)| *holds && !told(line));
            all_wrong.extend(untold.map(|(line, _)| (name.clone(), line, true)));
            assert_eq!(rules.end() == guides::COUNTS_PIECES, counts_pieces(*layout));
        }
        assert!(all_wrong.is_empty(), "{all_wrong:#?}");
    }

    #[test]
    fn rules_of_go_explain_passing_but_not_moving_or_swapping() {
        let go = texts::layout("go");
        let rules = how_to(games::LAYOUTS_OWN, *go).unwrap();
        let of_all = [
            guides::PIECES_ARE_MOVED,
            guides::PIECES_ARE_PUT,
            guides::SEVERAL_MOVES,
            guides::PASS,
            guides::SWAP,
        ];
        let told = of_all.map(|sentence| rules.play().any(|line| line == sentence));
        assert_eq!(told, [false, false, false, true, false]);
    }
}
