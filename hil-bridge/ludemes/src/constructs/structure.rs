//! The constructs that form the structure of a game.
use super::{Construct, row};

pub(super) const TABLE: &[Construct] = &[
    row(
        "game",
        "TEXT PLAYERS [MODE] EQUIPMENT RULES",
        "a game with its name, its players, its equipment and its rules",
    ),
    row(
        "players",
        "NUMBER|{PLAYER}",
        "how many play, or each of them",
    ),
    row(
        "player",
        "[WAY|NUMBER]",
        "a player who looks a certain way, or the player of a number",
    ),
    row(
        "equipment",
        "{ITEM}",
        "what lies on the table: board, hands, pieces, regions",
    ),
    row(
        "board",
        "GRAPH [TRACK|{TRACK}] [VALUES] [use:KIND] [largeStack:TRUTH]",
        "the board, and whether its cells, its crossings or its edges are played on",
    ),
    row(
        "hand",
        "PLAYER [size:NUMBER]",
        "places beside the board for the pieces of a player",
    ),
    row(
        "piece",
        "TEXT|NUMBER|{TEXT} [PLAYER] [WAY] [FLIPS] [MOVES] [state:NUMBER] [maxState:NUMBER] [maxCount:NUMBER] [maxValue:NUMBER]",
        "a piece with its owner and its moves, or the piece that a move brings",
    ),
    row(
        "tile",
        "TEXT [PLAYER] [{WALK}] [numSides:NUMBER] [slots:{NUMBER}] [slotsPerSide:NUMBER] [{PATH}] [FLIPS] [MOVES] [maxState:NUMBER] [maxCount:NUMBER] [maxValue:NUMBER]",
        "a piece that covers several sites",
    ),
    row(
        "flips",
        "NUMBER NUMBER",
        "the two states of a piece that can be turned over",
    ),
    row(
        "regions",
        "[TEXT] [PLAYER] SITES|{SITES}|{NUMBER}",
        "a region with a name or an owner",
    ),
    row(
        "map",
        "[TEXT] {PAIR}|{NUMBER} [{NUMBER}]",
        "what stands for what, to be looked up",
    ),
    row(
        "pair",
        "NUMBER|PLAYER|TEXT NUMBER|PLAYER|TEXT|LANDMARK",
        "an entry of a map",
    ),
    row("var", "[TEXT]", "a value that was kept under a name"),
    row(
        "rules",
        "[META] [START] [PLAY] [END] [phases:{PHASE}]",
        "how the game begins, is played and ends",
    ),
    row(
        "meta",
        "RULE|{RULE}",
        "rules about the whole game, such as who may swap",
    ),
    row(
        "swap",
        "[PLAYERS] [NUMBER|PLAYER] [NUMBER|PLAYER] [THEN]",
        "the second player may take over the first stone, or two players change places",
    ),
    row("no Repeat", "[REPETITION]", "no position may come twice"),
    row(
        "start",
        "SETUP|{SETUP}",
        "what stands where before the first move",
    ),
    row(
        "place",
        "TEXT|{TEXT} [TEXT] [KIND] [SITE] [SITES] [{TEXT}] [coord:TEXT] [count:NUMBER] [counts:{NUMBER}] [state:NUMBER] [rotation:NUMBER] [value:NUMBER]",
        "a piece stands somewhere at the start",
    ),
    row(
        "place Stack",
        "TEXT [TEXT] [KIND] [SITE] [SITES] [{TEXT}] [items:{TEXT}] [coord:TEXT] [count:NUMBER] [counts:{NUMBER}] [state:NUMBER] [rotation:NUMBER] [value:NUMBER]",
        "a stack of pieces stands somewhere at the start",
    ),
    row(
        "place Random",
        "[SITES] {TEXT} [count:NUMBER] [state:NUMBER] [value:NUMBER] [KIND]",
        "pieces are placed by chance at the start",
    ),
    row("play", "MOVES", "the moves of a turn"),
    row(
        "phase",
        "TEXT [PLAYER] [MODE] PLAY [END] [NEXT|{NEXT}] [KIND] [of:SITE]",
        "a part of the game with moves of its own, or the colour of a site on a chequered board",
    ),
    row(
        "nextPhase",
        "[PLAYER] [TRUTH] [TEXT]",
        "when the next phase begins, and for whom",
    ),
    row("end", "ENDING|{ENDING}", "when the game is over"),
    row(
        "result",
        "PLAYER OUTCOME",
        "what the end is worth to a player",
    ),
    row(
        "byScore",
        "[{SCORE}] [misere:TRUTH]",
        "the highest score wins",
    ),
    row(
        "forEach Player",
        "[if:TRUTH] MOVES|RESULT [THEN]",
        "the same for each player",
    ),
    row(
        "forEach NonMover",
        "[if:TRUTH] RESULT",
        "the same for each player who is not on turn",
    ),
];
