//! Moves, and their effects.
use super::{Construct, row};

pub(super) const TABLE: &[Construct] = &[
    row(
        "move",
        "FROM TO [count:NUMBER] [copy:TRUTH] [stack:TRUTH] [PLAYER] [THEN]",
        "a piece goes from one site to another",
    ),
    row(
        "move Add",
        "[PIECE] TO [count:NUMBER] [stack:TRUTH] [THEN]",
        "a piece comes onto the board",
    ),
    row(
        "move Step",
        "[FROM] [WAYS] TO [stack:TRUTH] [THEN]",
        "a piece goes to a neighbouring site",
    ),
    row(
        "move Slide",
        "[FROM] [TEXT] [WAYS] [BETWEEN] [TO] [stack:TRUTH] [THEN]",
        "a piece goes along a line of empty sites",
    ),
    row(
        "move Hop",
        "[FROM] [WAYS] [BETWEEN] TO [stack:TRUTH] [THEN]",
        "a piece goes over another",
    ),
    row(
        "move Leap",
        "[FROM] {WALK} [forward:TRUTH] [rotations:TRUTH] TO [THEN]",
        "a piece goes by a walk, whatever lies between",
    ),
    row(
        "move Shoot",
        "PIECE [FROM] [WAYS] [BETWEEN] [TO] [THEN]",
        "the piece that has just moved shoots another along a line",
    ),
    row(
        "move Select",
        "FROM [TO] [PLAYER] [THEN]",
        "a site is chosen",
    ),
    row(
        "move Remove",
        "[KIND] SITE|SITES [level:NUMBER] [at:WHEN] [count:NUMBER] [THEN]",
        "a piece is taken off",
    ),
    row(
        "move Promote",
        "[KIND] [SITE] PIECE [PLAYER] [THEN]",
        "a piece becomes another by choice",
    ),
    row("move Pass", "[THEN]", "the turn passes without a move"),
    row(
        "step",
        "[FROM] [WAYS] TO [stack:TRUTH] [THEN]",
        "a step, asked about or as a consequence",
    ),
    row(
        "slide",
        "[FROM] [TEXT] [WAYS] [BETWEEN] [TO] [stack:TRUTH] [THEN]",
        "a slide, asked about or as a consequence",
    ),
    row(
        "hop",
        "[FROM] [WAYS] [BETWEEN] TO [stack:TRUTH] [THEN]",
        "a hop, asked about or as a consequence",
    ),
    row(
        "leap",
        "[FROM] {WALK} [forward:TRUTH] [rotations:TRUTH] TO [THEN]",
        "a leap, asked about or as a consequence",
    ),
    row(
        "forEach Piece",
        "[on:KIND] [TEXT|{TEXT}] [container:NUMBER] [MOVES] [PLAYER] [top:TRUTH] [THEN]",
        "the moves of every piece",
    ),
    row(
        "forEach Site",
        "SITES [if:TRUTH] MOVES [noMoveYet:MOVES] [THEN]",
        "the same on every site of a region",
    ),
    row(
        "forEach Value",
        "[RANGE] [min:NUMBER] [max:NUMBER] MOVES [THEN]",
        "the same for every number from one to another",
    ),
    row(
        "forEach Direction",
        "[FROM] [WAYS] [BETWEEN] TO|MOVES [THEN]",
        "the same in every direction",
    ),
    row(
        "priority",
        "{MOVES}|MOVES MOVES [THEN]",
        "the first of several kinds that has a legal move",
    ),
    row(
        "max",
        "WHAT MOVES|NUMBER [NUMBER] [withValue:TRUTH] [THEN]",
        "the moves that do the most, or the larger of numbers",
    ),
    row(
        "do",
        "MOVES [next:MOVES] [ifAfterwards:TRUTH] [THEN]",
        "moves one after the other, or those after which something holds",
    ),
    row("append", "MOVES [THEN]", "moves as one list"),
    row(
        "allCombinations",
        "MOVES MOVES [THEN]",
        "each of some moves with each of others",
    ),
    row(
        "then",
        "MOVES [applyAfterAllMoves:TRUTH]",
        "what follows from a move",
    ),
    row(
        "from",
        "[KIND] [SITE|SITES] [level:NUMBER] [if:TRUTH] [at:WHEN]",
        "where a move begins",
    ),
    row(
        "to",
        "[KIND] [SITE|SITES] [level:NUMBER] [ROTATIONS] [if:TRUTH] [APPLY]",
        "where a move ends",
    ),
    row(
        "between",
        "[before:NUMBER] [RANGE] [after:NUMBER] [if:TRUTH] [trail:NUMBER] [APPLY]",
        "what lies between the two ends of a move",
    ),
    row("apply", "[if:TRUTH] [MOVES]", "what happens there"),
    row(
        "fromTo",
        "FROM TO [count:NUMBER] [copy:TRUTH] [stack:TRUTH] [PLAYER] [THEN]",
        "a piece is moved as a consequence",
    ),
    row("moveAgain", "[THEN]", "the same player is on turn again"),
    row(
        "promote",
        "[KIND] [SITE] PIECE [PLAYER] [THEN]",
        "a piece becomes another",
    ),
    row("flip", "[KIND] [SITE] [THEN]", "a piece is turned over"),
    row(
        "addScore",
        "PLAYER|{PLAYER} NUMBER|{NUMBER} [THEN]",
        "a player scores",
    ),
    row(
        "trigger",
        "TEXT PLAYER [THEN]",
        "something is noted for the end of the game",
    ),
    row(
        "set Score",
        "PLAYER NUMBER [THEN]",
        "the score of a player becomes a number",
    ),
    row(
        "set State",
        "[KIND] [at:SITE] [level:NUMBER] NUMBER [THEN]",
        "the state of a piece becomes a number",
    ),
    row(
        "set Value",
        "[KIND] [at:SITE] [level:NUMBER] [PLAYER] NUMBER [THEN]",
        "the value of a piece or of a player becomes a number",
    ),
    row(
        "set Var",
        "[TEXT] [NUMBER] [THEN]",
        "a number is kept under a name",
    ),
    row(
        "set Counter",
        "[NUMBER] [THEN]",
        "the counter of moves restarts",
    ),
    row(
        "set Pending",
        "[NUMBER|SITES] [THEN]",
        "something waits for the next turn",
    ),
    row(
        "set NextPlayer",
        "PLAYER|{NUMBER} [THEN]",
        "who is on turn next",
    ),
    row(
        "custodial",
        "[FROM] [WAYS] [BETWEEN] [TO] [THEN]",
        "pieces that are enclosed in a line between two others",
    ),
    row(
        "intervene",
        "[FROM] [WAYS] [BETWEEN] [TO] [THEN]",
        "pieces on both sides of the one that has moved",
    ),
    row(
        "enclose",
        "[KIND] [FROM] [WAYS] [BETWEEN] [numException:NUMBER] [THEN]",
        "groups of pieces without an empty neighbour",
    ),
    row(
        "surround",
        "[FROM] [WAYS] [BETWEEN] [TO] [except:NUMBER] [with:PIECE] [THEN]",
        "a piece with others on all sides",
    ),
    row("pass", "[THEN]", "a pass, as a consequence"),
    row(
        "shoot",
        "PIECE [FROM] [WAYS] [BETWEEN] [TO] [THEN]",
        "a shot, as a consequence",
    ),
    row("select", "FROM [TO] [PLAYER] [THEN]", "sites are chosen"),
    row(
        "directional",
        "[FROM] [WAYS] [TO] [THEN]",
        "something is done to all pieces in a direction",
    ),
    row("seq", "{MOVES}", "consequences one after the other"),
    row(
        "move Swap",
        "[Pieces] SITE SITE [THEN]",
        "two pieces change places",
    ),
    row(
        "move Set",
        "NextPlayer PLAYER [THEN]",
        "who is on turn next is chosen",
    ),
    row("set Amount", "PLAYER NUMBER", "what a player has"),
];
