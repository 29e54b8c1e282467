//! Sites: one of them, and regions.
use super::{Construct, row};

pub(super) const TABLE: &[Construct] = &[
    row("site", "", "the site that is looked at"),
    row("centrePoint", "[KIND]", "the site in the middle"),
    row(
        "coord",
        "[KIND] TEXT|[row:NUMBER] [column:NUMBER]",
        "the site of a coordinate",
    ),
    row(
        "ahead",
        "[KIND] SITE [steps:NUMBER] [WAYS]",
        "the site some steps further in a direction",
    ),
    row("handSite", "PLAYER [NUMBER]", "a place of a hand"),
    row(
        "mapEntry",
        "[TEXT] NUMBER|PLAYER",
        "what a map has for a key",
    ),
    row(
        "last To",
        "[afterConsequence:TRUTH]",
        "where the last move ended",
    ),
    row(
        "last From",
        "[afterConsequence:TRUTH]",
        "where the last move began",
    ),
    row(
        "where",
        "[Level] TEXT|PIECE [PLAYER] [state:NUMBER] [KIND] [at:SITE] [fromTop:TRUTH]",
        "where a piece stands",
    ),
    row(
        "sites",
        "TEXT|{SITE}|PLAYER|[SITE] {WALK} [KIND] [rotations:TRUTH]",
        "a region by name, by its sites, or by the walks that lead to it",
    ),
    row("sites Board", "[KIND]", "the whole board"),
    row("sites Empty", "[KIND]", "the sites on which nothing stands"),
    row(
        "sites Occupied",
        "[by:PLAYER] [container:CONTAINER] [component:PIECE] [components:{PIECE}] [top:TRUTH] [on:KIND]",
        "the sites of a player's pieces",
    ),
    row("sites Hand", "PLAYER", "the places of a hand"),
    row("sites Start", "PIECE", "where a piece stood at the start"),
    row("sites Top", "[KIND]", "the row at the top"),
    row("sites Bottom", "[KIND]", "the row at the bottom"),
    row("sites Left", "[KIND]", "the column at the left"),
    row("sites Right", "[KIND]", "the column at the right"),
    row("sites Centre", "[KIND]", "the sites in the middle"),
    row("sites Corners", "[KIND]", "the corners of the board"),
    row("sites Outer", "[KIND]", "the rim of the board"),
    row("sites Side", "[KIND] [PLAYER|WAY]", "one side of the board"),
    row("sites Row", "[KIND] NUMBER", "a row of the board"),
    row("sites Column", "[KIND] NUMBER", "a column of the board"),
    row(
        "sites Phase",
        "[KIND] NUMBER",
        "the sites of one colour of a chequered board",
    ),
    row(
        "sites State",
        "[KIND] NUMBER",
        "the sites of the pieces in a state",
    ),
    row(
        "sites Mover",
        "[KIND] [TEXT]",
        "the region of the player on turn",
    ),
    row(
        "sites Next",
        "[KIND] [TEXT]",
        "the region of the player on turn next",
    ),
    row(
        "sites P1",
        "[KIND] [TEXT]",
        "the region of the first player",
    ),
    row(
        "sites P2",
        "[KIND] [TEXT]",
        "the region of the second player",
    ),
    row(
        "sites Around",
        "[KIND] SITE|SITES [REGION] [distance:NUMBER] [WAYS] [if:TRUTH] [includeSelf:TRUTH]",
        "the neighbours of a site",
    ),
    row(
        "sites Distance",
        "[KIND] [RELATION] [MOVES] [newRotation:NUMBER] from:SITE RANGE",
        "the sites that many steps from a site",
    ),
    row(
        "sites Direction",
        "[from:SITE] [WAYS] [included:TRUTH] [stop:TRUTH] [stopIncluded:TRUTH] [distance:NUMBER] [KIND]",
        "the sites in a direction",
    ),
    row(
        "sites LineOfSight",
        "[SEEN] [KIND] [at:SITE] [WAYS]",
        "the sites or the first pieces that are seen along lines",
    ),
    row(
        "sites Group",
        "[KIND] [at:SITE] [from:SITES] [WAYS] [if:TRUTH] [isVisible:TRUTH]",
        "the group that a site belongs to",
    ),
    row(
        "sites ToClear",
        "",
        "the sites whose pieces go when the turn is over",
    ),
    row(
        "expand",
        "[NUMBER|TEXT] [SITES] [origin:SITE] [steps:NUMBER] [WAYS] [KIND]",
        "a region with what lies some steps around it",
    ),
    row(
        "intersection",
        "{SITES}|SITES SITES",
        "the sites that regions share",
    ),
    row(
        "difference",
        "SITES SITES|SITE",
        "the sites of one region that are not in another",
    ),
    row(
        "forEach",
        "SITES if:TRUTH|of:SITES SITES|{NUMBER} ANYTHING",
        "the sites of a region for which something holds",
    ),
    row(
        "directions",
        "WAY|{WAY}|[KIND] [from:SITE] [to:SITE] [of:WAYS] [bySite:TRUTH]",
        "directions by name, or the one from a site to another",
    ),
    row(
        "sites Perimeter",
        "[KIND]",
        "the edge of the board, all around",
    ),
    row(
        "sites Inner",
        "[KIND]",
        "the sites that are not at the edge",
    ),
    row(
        "sites ConvexCorners",
        "[KIND]",
        "the corners that point outwards",
    ),
    row(
        "sites ConcaveCorners",
        "[KIND]",
        "the corners that point inwards",
    ),
    row("sites Major", "[KIND]", "the cells with the most sides"),
    row("sites Minor", "[KIND]", "the cells that have fewer sides"),
    row("sites Layer", "[KIND] NUMBER", "a layer of the board"),
    row(
        "sites Pending",
        "",
        "the sites that are kept for the next turn",
    ),
    row(
        "sites Between",
        "[WAYS] [KIND] from:SITE [fromIncluded:TRUTH] to:SITE [toIncluded:TRUTH] [cond:TRUTH]",
        "the sites between two others",
    ),
    row("sites From", "MOVES", "where moves begin"),
    row("sites To", "MOVES", "where moves end"),
    row(
        "sites Player",
        "[KIND] [TEXT]",
        "the region of the player that is looked at",
    ),
    row(
        "sites Prev",
        "[KIND] [TEXT]",
        "the region of the player who was on turn before",
    ),
];
