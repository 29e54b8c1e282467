//! The rules of a text in words, as panels show them, and what the host knows of its
//! game. They are the note of the drawing of the text's layout.

use std::iter;
use std::sync::Arc;

use ludemes::compile::Compiled;
use ludemes::explain::{self, explain};
use ludemes::layout::SiteType;
use ludemes::text::{Metadata, Reading};
use ludemes::tree::{Argument, Kind, Node};
use protocol::{KnownLayout, Layout};

use crate::games as guides;
use crate::howto::HowTo;

/// What a refused move would do, if the text's own words for it are not known.
const FORBIDDEN: &str = "would leave a position that the rules forbid";

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
pub(super) struct TextRules {
    pub(super) aim: String,
    pub(super) play: Vec<String>,
    /// The constructs that the rules use; see [`GameRules::constructs`].
    pub(super) constructs: Vec<String>,
    /// Statements of the guide that do not apply to this text.
    pub(super) untold: Vec<&'static str>,
}

/// Stores the rules of a game in words, unless they are already stored.
pub(super) fn remember(
    layout: &KnownLayout,
    compiled: &Compiled,
    reading: &Reading,
    keeps_score: bool,
) {
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

/// True if the game is the layout's own, and its moves take pieces off the board, as far
/// as its text is known here.
#[must_use]
pub fn takes(game: u8, layout: Layout) -> bool {
    note_of_game(game, layout).is_some_and(|note| note.takes)
}

/// True if the game is the layout's own, and its score is the number of pieces on the
/// board, as far as its text is known here.
#[must_use]
pub fn counts_pieces(game: u8, layout: Layout) -> bool {
    note_of_game(game, layout).is_some_and(|note| note.counts_pieces)
}

/// What a refused move would do, according to the game's condition on the resulting
/// position, as the rest of a sentence about the move.
fn forbidden_by(game: &Node) -> String {
    let given = |node: &Node| match &node.kind {
        Kind::Call(arguments) => {
            let is_condition =
                |argument: &&Argument| argument.name.as_deref() == Some("ifAfterwards");
            arguments
                .iter()
                .find(is_condition)
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

/// The note about the text of a layout, if the game is its own one.
fn note_of_game(game: u8, layout: Layout) -> Option<Arc<TextNote>> {
    note_of(layout).filter(|_| guides::is_layouts_own(game))
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
    pub(super) fn text(&self) -> Option<&TextRules> {
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
    Some(GameRules {
        guide: guides::find(game)?.how_to_on(layout)?,
        text: note_of_game(game, layout),
    })
}

/// The other names of a game on this layout, which a search also finds.
#[must_use]
pub fn other_names(game: u8, layout: Layout) -> Vec<String> {
    if let Some(note) = note_of_game(game, layout) {
        return note.metadata.aliases.clone();
    }
    let names = guides::find(game).map_or(&[][..], |guide| guide.other_names());
    names.iter().map(|name| (*name).to_owned()).collect()
}
