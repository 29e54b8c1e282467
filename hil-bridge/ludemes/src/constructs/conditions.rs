//! The constructs that are true or false.
use super::{Construct, row};

pub(super) const TABLE: &[Construct] = &[
    row(
        "if",
        "TRUTH ANYTHING [ANYTHING] [THEN]",
        "one thing if something holds, another if not",
    ),
    row(
        "and",
        "{ANYTHING}|ANYTHING ANYTHING [THEN]",
        "all of several conditions or consequences",
    ),
    row(
        "or",
        "{ANYTHING}|ANYTHING ANYTHING [THEN]",
        "any of several conditions or moves",
    ),
    row("not", "TRUTH", "the opposite"),
    row(
        "=",
        "NUMBER|SITES NUMBER|PLAYER|SITES",
        "whether two are the same",
    ),
    row(
        "!=",
        "NUMBER|SITES NUMBER|PLAYER|SITES",
        "whether two differ",
    ),
    row("<", "NUMBER NUMBER", "whether the first is less"),
    row("<=", "NUMBER NUMBER", "whether the first is not more"),
    row(">", "NUMBER NUMBER", "whether the first is more"),
    row(">=", "NUMBER NUMBER", "whether the first is not less"),
    row(
        "is Empty",
        "[KIND] SITE",
        "whether nothing stands on a site",
    ),
    row(
        "is Occupied",
        "[KIND] SITE",
        "whether something stands on a site",
    ),
    row("is Full", "", "whether every site is occupied"),
    row(
        "is In",
        "SITE|{SITE} SITES|{NUMBER}",
        "whether a site belongs to a region",
    ),
    row(
        "is Line",
        "[KIND] NUMBER [WAYS] [through:SITE] [throughAny:SITES] [PLAYER] [what:PIECE] [whats:{PIECE}] [exact:TRUTH] [contiguous:TRUTH] [if:TRUTH] [byLevel:TRUTH] [top:TRUTH] [throughHowMuch:NUMBER] [isVisible:TRUTH] [useOpposites:TRUTH]",
        "whether this many pieces of one kind stand in a line",
    ),
    row(
        "is Pattern",
        "{WALK} [KIND] [from:SITE] [what:PIECE] [whats:{PIECE}]",
        "whether pieces of one kind stand along a walk",
    ),
    row(
        "is Connected",
        "[NUMBER] [KIND] [at:SITE] [WAYS] {SITES}|PLAYER|REGIONS",
        "whether a group joins regions of the board",
    ),
    row(
        "is Loop",
        "[KIND] [surround:PLAYER] [{PLAYER}] [WAYS] [SITE|SITES] [path:TRUTH]",
        "whether a group forms a ring",
    ),
    row(
        "is Within",
        "PIECE [KIND] [at:SITE] [in:SITES]",
        "whether a certain piece stands in a region",
    ),
    row(
        "is Threatened",
        "PIECE [KIND] [at:SITE] [in:SITES] [MOVES]",
        "whether a piece could be captured",
    ),
    row(
        "is Visited",
        "SITE",
        "whether the piece that is moving came by in this turn",
    ),
    row(
        "is Flat",
        "[SITE]",
        "whether something stands on each site that a site rests on",
    ),
    row(
        "is Target",
        "[NUMBER|TEXT] {NUMBER} [NUMBER|{NUMBER}]",
        "whether pieces, listed by number, stand on all sites or on those listed",
    ),
    row("is Enemy", "PLAYER", "whether a player is an opponent"),
    row(
        "is Friend",
        "PLAYER",
        "whether a player is the mover or on the mover's side",
    ),
    row("is Mover", "PLAYER", "whether a player is on turn"),
    row("is Next", "PLAYER", "whether a player is on turn next"),
    row("is Prev", "PLAYER", "whether a player was on turn before"),
    row("is Even", "NUMBER", "whether a number is even"),
    row("is Odd", "NUMBER", "whether a number is odd"),
    row(
        "is Pending",
        "[NUMBER]",
        "whether something was left waiting by the last turn",
    ),
    row(
        "is Triggered",
        "TEXT PLAYER",
        "whether something was noted for a player",
    ),
    row("no Moves", "PLAYER", "whether a player cannot move"),
    row(
        "no Pieces",
        "[KIND] [PLAYER] [of:PLAYER] [TEXT] [in:SITES]",
        "whether a player has no piece left",
    ),
    row("can Move", "MOVES", "whether any of some moves can be made"),
    row(
        "all Sites",
        "SITES if:TRUTH",
        "whether something holds on every site of a region",
    ),
    row(
        "all Passed",
        "",
        "whether every player passed one after the other",
    ),
    row("xor", "TRUTH TRUTH", "one of two, and not both"),
    row("is Active", "PLAYER", "whether a player still plays"),
    row(
        "is Related",
        "RELATION [KIND] SITE SITE|SITES",
        "whether two sites are neighbours of a kind",
    ),
];
