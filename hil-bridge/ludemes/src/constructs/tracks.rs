//! Tracks, pits and seeds, and remembered values.
use super::{Construct, row};

pub(super) const TABLE: &[Construct] = &[
    row(
        "mancalaBoard",
        "NUMBER NUMBER [store:WORD] [numStores:NUMBER] [largeStack:TRUTH] [TRACK] [{TRACK}]",
        "rows of pits, with stores at the ends",
    ),
    row(
        "track",
        "TEXT TEXT|{SITE} [PLAYER] [loop:TRUTH] [directed:TRUTH]",
        "a way over the board, site by site",
    ),
    row(
        "sow",
        "[KIND] [SITE] [TEXT] [count:NUMBER] [numPerHole:NUMBER] [owner:PLAYER] [if:CONDITION] [apply:MOVES] [sowEffect:MOVES] [includeSelf:TRUTH] [origin:CONDITION] [skipIf:CONDITION] [backtracking:CONDITION] [forward:CONDITION] [THEN]",
        "seeds go into the pits that follow, one into each",
    ),
    row(
        "set Count",
        "NUMBER [KIND] [at:SITE] [to:SITES]",
        "how many pieces stand on a site",
    ),
    row(
        "set RememberValue",
        "[TEXT] SITES [unique:TRUTH]",
        "what is remembered at the start",
    ),
    row(
        "sites Track",
        "[PLAYER] [TEXT] [from:SITE] [to:SITE]",
        "the sites of a track, or a part of them",
    ),
    row(
        "trackSite",
        "WORD [PLAYER] [TEXT] [from:SITE] [if:CONDITION] [steps:NUMBER]",
        "a site further on a track",
    ),
    row("values", "WORD [TEXT]", "the sites that are remembered"),
    row(
        "remember",
        "WORD [TEXT] SITE [unique:TRUTH] [THEN]",
        "a site is kept in mind",
    ),
    row(
        "forget",
        "WORD [TEXT] SITE|All [THEN]",
        "a site is kept in mind no more",
    ),
];
