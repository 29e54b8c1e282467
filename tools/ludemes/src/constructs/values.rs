//! Numbers, players and pieces.
use super::{Construct, row};

pub(super) const TABLE: &[Construct] = &[
    row("+", "NUMBER NUMBER|{NUMBER}", "a sum"),
    row("-", "[NUMBER] NUMBER", "a difference"),
    row("*", "NUMBER NUMBER|{NUMBER}", "a product"),
    row("/", "NUMBER NUMBER", "a quotient, rounded towards zero"),
    row("%", "NUMBER NUMBER", "a remainder"),
    row("min", "NUMBER NUMBER|{NUMBER}", "the smaller of numbers"),
    row("exact", "NUMBER", "just so many"),
    row("range", "NUMBER [NUMBER]", "from one number to another"),
    row("mover", "", "the player on turn"),
    row("next", "", "the player on turn next"),
    row(
        "who",
        "[KIND] at:SITE [level:NUMBER]",
        "whose piece stands on a site",
    ),
    row(
        "what",
        "[KIND] at:SITE [level:NUMBER]",
        "which piece stands on a site",
    ),
    row(
        "state",
        "[KIND] at:SITE [level:NUMBER]",
        "the state of the piece on a site",
    ),
    row(
        "id",
        "[TEXT] [PLAYER]",
        "the number of a piece or of a player",
    ),
    row("score", "PLAYER [NUMBER]", "the score of a player"),
    row("counter", "", "the counter of moves"),
    row("row", "[KIND] of:SITE", "the row of a site"),
    row("column", "[KIND] of:SITE", "the column of a site"),
    row("value", "", "the value that is looked at"),
    row("value Pending", "", "what the last turn left waiting"),
    row("value Player", "PLAYER", "the value of a player"),
    row("value Random", "RANGE", "a number by chance"),
    row(
        "count",
        "[KIND] [in:SITES] [at:SITE] [TEXT]",
        "how many pieces stand on a site",
    ),
    row(
        "count Cell",
        "[in:SITES] [at:SITE]",
        "how many pieces stand on a site, or how many sites a region has",
    ),
    row(
        "count Sites",
        "[KIND] [in:SITES] [at:SITE] [TEXT]",
        "how many sites a region has",
    ),
    row(
        "count Pieces",
        "[KIND] [PLAYER] [of:PLAYER] [TEXT] [in:SITES] [if:TRUTH]",
        "how many pieces a player has",
    ),
    row(
        "count Groups",
        "[KIND] [WAYS] [if:TRUTH] [min:NUMBER] [isVisible:TRUTH]",
        "how many groups there are",
    ),
    row(
        "count Liberties",
        "[KIND] [at:SITE] [WAYS] [if:TRUTH]",
        "how many empty neighbours a group has",
    ),
    row(
        "count Steps",
        "[KIND] [RELATION] [STEP] [newRotation:NUMBER] SITE SITE|SITES",
        "how many steps lie between two sites",
    ),
    row("count Rows", "[KIND]", "how many rows the board has"),
    row("count Columns", "[KIND]", "how many columns the board has"),
    row("count Moves", "", "how many moves were made"),
    row(
        "count MovesThisTurn",
        "",
        "how many moves were made in this turn",
    ),
    row(
        "size Stack",
        "[KIND] [in:SITES] [at:SITE]",
        "how high a stack is",
    ),
    row(
        "size Group",
        "[KIND] at:SITE [WAYS] [if:TRUTH]",
        "how large the group of a site is",
    ),
    row(
        "size Territory",
        "[KIND] PLAYER [WAYS]",
        "how many empty sites only one player's pieces enclose",
    ),
    row(
        "topLevel",
        "[KIND] at:SITE",
        "the level of the top piece of a stack",
    ),
    row("level", "", "the level that is looked at"),
    row(
        "results",
        "from:SITE|SITES to:SITE|SITES NUMBER",
        "a number for each pair of two sites",
    ),
];
