//! The texts, in the order of the games' numbers.
//!
//! What always holds: every number in them is one of the core's, by the tests of
//! this module's parent.

use super::{HowTo, Mode};

pub(super) const ALL: [HowTo; 10] = [
    REVERSI,
    GHOST,
    LIFE,
    TOUCH_IT,
    SYMMETRY,
    COUNT_LINES,
    FILL_IT,
    FIND_THEM,
    VISIPUT,
    SPEED_GO,
];

/// The games that the manual does not have, each with its number.
pub(super) const OTHERS: [(u8, HowTo); 4] =
    [(10, MALAKA), (11, ISHIDO), (12, TIC_DAB_TOE), (13, COL)];

const fn mode(name: &'static str, text: &'static str) -> Mode {
    Mode {
        name,
        text,
        has_turn_time: true,
    }
}

/// A mode in which no clock runs that the Time button sets.
const fn timeless(name: &'static str, text: &'static str) -> Mode {
    Mode {
        has_turn_time: false,
        ..mode(name, text)
    }
}

pub(super) const NO_SPEED: &str = "Speed changes nothing here.";
const NO_TIME: &str = "Time changes nothing here.";
const TURN_IS_LOST: &str = "Time sets how long a turn may take, from 5 seconds to two minutes; the clock waits for the first touch. Then it is lost.";
const LOOKS_AHEAD: &str = "Red looks ahead, with fewer mistakes from level to level: one move at levels 1 and 2, two at 3, and at 4, without mistakes, as far as it gets in about three seconds.";
const LEGAL_POINTS_FLASH: &str =
    "Touch a point where you may not play, and the board flashes all those where you may.";

const REVERSI: HowTo = HowTo {
    aim: "Own more of the board than the other side when nobody can move any more.",
    play: &[
        "In turns, green first, touch a dark point. Every unbroken row of the other colour between it and the next light of yours, along any of the eight directions, turns to your colour.",
        LEGAL_POINTS_FLASH,
        "Who cannot move is passed over.",
    ],
    end: "It ends when neither side can move; more lights win, as many are a draw.",
    level: LOOKS_AHEAD,
    time: "Time sets how long a turn may take, from 5 seconds to two minutes; the clock waits for the first touch. Then the board plays one of your moves at random.",
    speed: NO_SPEED,
    modes: &[
        mode("Classic", "A move must turn at least one light."),
        mode(
            "Edges catch",
            "A row of the other colour that runs on to the edge of the board turns as well. A move must turn at least one light.",
        ),
        mode(
            "Neighbours",
            "Any dark point next to a light may be played, whether it turns anything or not.",
        ),
        mode(
            "Neighbours, edges catch",
            "Any dark point next to a light may be played, and rows that run on to the edge turn as well.",
        ),
        mode("Anywhere", "Any dark point may be played."),
        mode(
            "Anywhere, edges catch",
            "Any dark point may be played, and rows that run on to the edge turn as well.",
        ),
    ],
};

const GHOST: HowTo = HowTo {
    aim: "Four lights drift over the board together: the ghost. Score on it more often than the other side does.",
    play: &[
        "Green begins. The ghost has the colour of the player whose turn it is. When you score, rings spread from your finger, and it comes back elsewhere.",
        "A touch that misses slows the ghost down to the end of the game: each step takes a tenth longer, at most three times as long as the first.",
        "Each touch that counts hands the turn to the other side. A touch on a light of a wall means nothing, where it does not score.",
    ],
    end: "It ends after 32 turns of both sides together, or when walls leave the ghost no step to take; the higher score wins, equal ones are a draw.",
    level: "Red plays like a hand: it notices, aims and presses, faster and with fewer slips at higher levels.",
    time: TURN_IS_LOST,
    speed: "Speed sets how fast the ghost walks: from two steps in three seconds to five a second.",
    modes: &[
        mode(
            "Catch",
            "Touch the ghost itself to score. What you touch beside it stays lit: a wall that it cannot cross.",
        ),
        mode(
            "Beside it",
            "Touch a point right next to the ghost to score; touch the ghost itself, and the other side scores. What you touch farther off becomes a wall.",
        ),
        mode(
            "Catch, no walls",
            "Touch the ghost itself to score. A miss lights nothing.",
        ),
        mode(
            "Beside it, no walls",
            "Touch a point right next to the ghost to score; touch the ghost itself, and the other side scores. A miss lights nothing.",
        ),
    ],
};

const LIFE: HowTo = HowTo {
    aim: "The lights live and die by rules much like Conway's Life. Race to put them all out, or help your colour to outlive the other.",
    play: &[
        "Generation by generation lights go out and others come on, by how many of the eight points around them are lit.",
        "A touch turns a point over: a light of any colour goes out, a dark point lights up in yours.",
        "In the race, green first, both sides get the same pattern. Your turn lasts until nothing lives, until you touched nothing for 100 generations, or until you have 999; they are added up.",
    ],
    end: "The race ends after a red turn that leaves somebody above 100 generations: fewer win, as many are a draw. Life2 ends when a colour has died out; if the same picture comes back and no touch is left, or after 999 quiet generations, in a draw.",
    level: "In the race red presses like a hand, faster and better aimed at higher levels. In Life2 it lets the board run on in its head, further at higher levels.",
    time: "In Life2 Time sets how long a turn may take, from 5 seconds to two minutes; the clock waits for the first touch. Then it passes, and you keep your touches. The race has no clock.",
    speed: "Speed sets the generations: from about two seconds each to more than three a second.",
    modes: &[
        timeless(
            "Life1, the race",
            "A light with two or three lit neighbours lives on until it is six generations old; a dark point with three comes to life. In turns each side has three touches a generation to put everything out.",
        ),
        mode(
            "Life2",
            "Lights live while their own neighbours less twice the others are two or three; a dark point goes to the colour with exactly two more around it. Each side has two touches in the whole game.",
        ),
    ],
};

const TOUCH_IT: HowTo = HowTo {
    aim: "Two chains of three lights grow on the board, one of each colour. Be the first to touch the newest light of your own.",
    play: &[
        "Both sides play at once. The chains lie at opposite places, so both see the same.",
        "Only the newest light of a chain counts, and only until the next one comes or all go out. A touch anywhere else means nothing.",
        "The first good touch takes the turn: rings in the winner's colour spread from it.",
    ],
    end: "It ends after 40 turns, each of them a chain of either colour, touched or not; more points win, as many are a draw.",
    level: "Red touches like a hand, with delays that get shorter from level to level.",
    time: NO_TIME,
    speed: "Speed sets how long each light is the newest: from 1.8 seconds to a quarter of one.",
    modes: &[
        timeless("Straight", "The third light goes straight on."),
        timeless(
            "Right",
            "The third light turns right, seen along the chain.",
        ),
        timeless("Left", "The third light turns left, seen along the chain."),
        timeless(
            "Any way",
            "The third light goes straight on, right or left, as chance has it.",
        ),
    ],
};

const SYMMETRY: HowTo = HowTo {
    aim: "A game for one: complete the picture before the time is up.",
    play: &[
        "A pattern lights up in the top four lines, and stays. Touch the image of each of its points in the bottom four.",
        "A right touch turns green, a wrong one red; red ones cost nothing but their shame.",
    ],
    end: "Green wins by finding every point in time. If the time runs out, red has won, and what was missing flashes in amber.",
    level: "It is a game for one: the board does not play.",
    time: "Time changes nothing here: Speed does.",
    speed: "Speed sets how long you have: from 91.5 seconds down to 12.5 for 12 points, from 122 down to 16.7 for 16 (modes 4-7).",
    modes: &[
        timeless(
            "Mirror",
            "The middle line is the mirror: what is at the very top goes to the very bottom.",
        ),
        timeless(
            "Shift",
            "Each point moves straight down, by five lines on a board of nine.",
        ),
        timeless(
            "Half turn",
            "The board turns by half around its centre: top left goes to bottom right.",
        ),
        timeless(
            "Shift and mirror",
            "Each point moves five lines down and changes left for right.",
        ),
        timeless(
            "Mirror, 16",
            "The middle line is the mirror: what is at the very top goes to the very bottom. 16 points instead of 12.",
        ),
        timeless(
            "Shift, 16",
            "Each point moves straight down, by five lines on a board of nine. 16 points instead of 12.",
        ),
        timeless(
            "Half turn, 16",
            "The board turns by half around its centre: top left goes to bottom right. 16 points instead of 12.",
        ),
        timeless(
            "Shift and mirror, 16",
            "Each point moves five lines down and changes left for right. 16 points instead of 12.",
        ),
    ],
};

const COUNT_LINES: HowTo = HowTo {
    aim: "Make rows of four lights of your colour, across, up or along a diagonal.",
    play: &[
        "In turns, green first, touch a dark point to light it. Every four in a row count one: a row of five is two lines, a row of six three, and rows may cross.",
        LEGAL_POINTS_FLASH,
    ],
    end: "It ends when the board is full, or in modes 1 and 3 with the first line; more lines win, as many are a draw.",
    level: LOOKS_AHEAD,
    time: TURN_IS_LOST,
    speed: NO_SPEED,
    modes: &[
        mode(
            "Most lines",
            "Your next light must be three points or more away from the one you set last, unless you have no other move left. The most lines win.",
        ),
        mode(
            "First line",
            "Your next light must be three points or more away from the one you set last, unless you have no other move left. The first line wins at once.",
        ),
        mode(
            "Most lines, anywhere",
            "No distance to keep. The most lines win.",
        ),
        mode(
            "First line (as mode 1)",
            "Your next light must be three points or more away from the one you set last, unless you have no other move left. The first line wins at once.",
        ),
        mode(
            "Most lines, anywhere (as mode 2)",
            "No distance to keep. The most lines win.",
        ),
    ],
};

const FILL_IT: HowTo = HowTo {
    aim: "Two games in one: fill the board with your colour, or clear the other colour off it.",
    play: &[
        "Filling (modes 0 and 1): touch a dark point. It lights up in your colour, the points two steps away in the eight directions become yours, and your own lights right beside it become the other side's.",
        "Clearing (modes 2-4): touch a point, lit or dark. Lights of the other side a knight's jump away (two and one) go out, and so do your own a long jump away (three and two).",
        "Green begins. In modes 3 and 4, touch a point where you may not play, and the board flashes all those where you may; who has none is passed over.",
    ],
    end: "Filling ends with a full board: more lights win. Clearing ends after a red turn when a colour is gone: the other one wins; in modes 3 and 4 also when nobody can move: more lights win. As many, or none at all, are a draw.",
    level: "Red looks ahead, with fewer mistakes from level to level: one, two and three moves at levels 1, 2 and 3 of filling, one, one and two of clearing, and at 4, without mistakes, as far as it gets in about three seconds.",
    time: "Time sets how long a turn may take, from 5 seconds to two minutes; the clock waits for the first touch. Then it is missed; in modes 0 and 1 the other side's next touch takes nothing from its own lights.",
    speed: NO_SPEED,
    modes: &[
        mode(
            "Fill",
            "Starts with 9 lights of each colour (on 9x9), drawn by chance and fair to both.",
        ),
        mode("Fill from dark", "Starts with a dark board."),
        mode(
            "Clear",
            "A touch may be made anywhere, even where it changes nothing. Starts with 18 lights of each colour (on 9x9).",
        ),
        mode(
            "Clear, long jumps give",
            "Your own lights a long jump away change to the other colour instead of going out. A touch must put out a light of the other side. Starts with 18 lights of each colour (on 9x9).",
        ),
        mode(
            "Clear, knights take",
            "The other side's lights a knight's jump away become yours instead of going out. A touch must put out a light of your own. Starts with 18 lights of each colour (on 9x9).",
        ),
    ],
};

const FIND_THEM: HowTo = HowTo {
    aim: "Remember where the lights of your colour were, and find them in the dark.",
    play: &[
        "The board shows points of both colours for a while, then goes dark. In turns, green first, touch one point each.",
        "A point of your colour lights up and counts. A dark point that is not yours stays dark, and is deaf for the other side's next turn.",
    ],
    end: "It ends after a red turn when a side has found all that it needs; if both have, it is a draw.",
    level: "Red remembers some of its points, more at higher levels, and forgets with time; the point it touches flashes in amber.",
    time: TURN_IS_LOST,
    speed: "Speed sets how long the points are shown: from half a minute to four seconds.",
    modes: &[
        mode(
            "Find 9 of 24",
            "24 points of each colour are shown; find 9.",
        ),
        mode(
            "Find 15 of 30",
            "30 points of each colour are shown; find 15.",
        ),
        mode(
            "Find 9 of 15",
            "15 points of each colour are shown; find 9.",
        ),
        mode(
            "Find 15 of 21",
            "21 points of each colour are shown; find 15.",
        ),
    ],
};

const VISIPUT: HowTo = HowTo {
    aim: "Light points that your own lights see, until every dark point belongs to somebody.",
    play: &[
        "In turns, green first, light a dark point. It looks along the eight directions to the first light of each, and counts how many of them are yours and how many are not; which numbers it takes, the mode says.",
        LEGAL_POINTS_FLASH,
        "Who cannot move is passed over.",
    ],
    end: "It ends when nobody can move, or when each dark point is open to one side only: those points then go to that side. More points win, as many are a draw.",
    level: LOOKS_AHEAD,
    time: TURN_IS_LOST,
    speed: NO_SPEED,
    modes: &[
        mode(
            "As many",
            "At least as many of your lights as of the others.",
        ),
        mode(
            "As many, random start",
            "At least as many of your lights as of the others, from a start drawn by chance.",
        ),
        mode("More", "More of your lights than of the others."),
        mode(
            "More, random start",
            "More of your lights than of the others, from a start drawn by chance.",
        ),
        mode(
            "Two more",
            "At least two more of your lights than of the others.",
        ),
        mode(
            "Two more, random start",
            "At least two more of your lights than of the others, from a start drawn by chance.",
        ),
        mode(
            "One fewer",
            "At least as many of your lights as of the others, or one fewer.",
        ),
        mode(
            "One fewer, random start",
            "At least as many of your lights as of the others, or one fewer, from a start drawn by chance.",
        ),
    ],
};

const SPEED_GO: HowTo = HowTo {
    aim: "Go: surround more of the board than the other side.",
    play: &[
        "In turns, green first, touch a dark point to set a stone. Stones that touch along lines, not diagonals, are a group; a group with no dark point left beside it is taken off.",
        "You may not set a stone that leaves its own group without a dark point beside it, unless it takes something.",
        "You may not bring back the position from before the other side's move (ko), nor any of the last 12.",
    ],
    end: "It ends when it is clear whose every point is, when both sides let their turns pass with no dark point left between them, or after 8 turns a point. Stones and the dark points that only they surround count: more win, as many are a draw.",
    level: "Red plays games to their end in its head: more of them, and better ones, at higher levels. It moves within five seconds.",
    time: "Time sets how long a turn may take, from 5 seconds to two minutes; the clock waits for the first touch. Then it passes: the board has no button for that. While the borders are open that only loses the turn.",
    speed: NO_SPEED,
    modes: &[
        mode(
            "18 stones",
            "Each side starts with 18 stones, drawn by chance and fair to both.",
        ),
        mode("Dark board", "Starts with an empty board."),
        mode(
            "9 stones",
            "Each side starts with 9 stones, drawn by chance and fair to both.",
        ),
    ],
};

const MALAKA: HowTo = HowTo {
    aim: "Bring your pieces around the board to the other side's home edge, and connect all of them with it.",
    play: &[
        "Green begins, with one die; then each turn has two dice, and a double is played four times. Green goes up at the left, down in the middle and up at the right to the top edge there; red goes the same way from that edge back.",
        "Touch a pile, then where one piece of it goes: straight on by the pips of one die. What you may touch glows; the pile itself puts it down again. The display shows what is left.",
        "A turn has to play as many pips as can be played: a step that would win is forbidden where another turn plays more.",
        "A single piece winks. Come to lie on one of the other side, and it is pinned (two short flashes) until you move off. Two pieces or more are a block that the other side cannot enter; three, four and more have shades of their own.",
        "Walls stand at the right of the left third, from the bottom up to two thirds, and at the left of the right third, from the top down. A piece goes over one, never back, only to kill a single piece of the other side.",
        "If no piece can move, the dice are shown for a moment and the turn passes.",
    ],
    end: "Who has all pieces that are left side by side with the other's home edge, around walls, has won; so has who pins a piece on that one's home edge, and who has no pieces left. The score counts the steps that are still to go.",
    level: "Red weighs each turn: at level 1 by the way that is left, from 2 on by pins, from 3 on by dangers, with fewer mistakes from level to level; 4 makes none and thinks of your answers.",
    time: "Time sets how long a turn may take, from 5 seconds to two minutes; the clock waits for the first touch. Then the board plays the rest of it at random.",
    speed: NO_SPEED,
    modes: &[
        mode(
            "9x9",
            "9x9 with dice of four sides. Each side starts with two rows of pieces, two on a point, spread along its way.",
        ),
        mode(
            "9x9, three rows",
            "9x9 with dice of four sides. Each side starts with three rows of pieces, two on a point, spread along its way.",
        ),
        mode(
            "9x9, block",
            "9x9 with dice of four sides. Each side starts with two rows of pieces, two on a point, in one block at its home edge.",
        ),
        mode(
            "9x9, three rows, block",
            "9x9 with dice of four sides. Each side starts with three rows of pieces, two on a point, in one block at its home edge.",
        ),
        mode(
            "9x9, d6",
            "9x9 with dice of six sides. Each side starts with two rows of pieces, two on a point, spread along its way.",
        ),
        mode(
            "9x9, three rows, d6",
            "9x9 with dice of six sides. Each side starts with three rows of pieces, two on a point, spread along its way.",
        ),
        mode(
            "9x9, block, d6",
            "9x9 with dice of six sides. Each side starts with two rows of pieces, two on a point, in one block at its home edge.",
        ),
        mode(
            "9x9, three rows, block, d6",
            "9x9 with dice of six sides. Each side starts with three rows of pieces, two on a point, in one block at its home edge.",
        ),
        mode(
            "12x12",
            "12x12 with dice of six sides. Each side starts with two rows of pieces, two on a point, spread along its way.",
        ),
        mode(
            "12x12, three rows",
            "12x12 with dice of six sides. Each side starts with three rows of pieces, two on a point, spread along its way.",
        ),
        mode(
            "12x12, block",
            "12x12 with dice of six sides. Each side starts with two rows of pieces, two on a point, in one block at its home edge.",
        ),
        mode(
            "12x12, three rows, block",
            "12x12 with dice of six sides. Each side starts with three rows of pieces, two on a point, in one block at its home edge.",
        ),
        mode(
            "12x12, d4",
            "12x12 with dice of four sides. Each side starts with two rows of pieces, two on a point, spread along its way.",
        ),
        mode(
            "12x12, three rows, d4",
            "12x12 with dice of four sides. Each side starts with three rows of pieces, two on a point, spread along its way.",
        ),
        mode(
            "12x12, block, d4",
            "12x12 with dice of four sides. Each side starts with two rows of pieces, two on a point, in one block at its home edge.",
        ),
        mode(
            "12x12, three rows, block, d4",
            "12x12 with dice of four sides. Each side starts with three rows of pieces, two on a point, in one block at its home edge.",
        ),
    ],
};

const ISHIDO: HowTo = HowTo {
    aim: "Put all stones of the pouch on the board, each beside stones that it matches in colour or in symbol.",
    play: &[
        "The stones: six colours (cyan, pink, yellow, indigo, orange, white) with six symbols, two of each. The display has the one in hand and how many are left: P*66 is pink with a star, one of 66.",
        "A lamp tells the symbol by its rhythm: o steady, - slow, + fast, = double, * pulse, x wink.",
        "Beside one stone: the same colour or symbol. Beside two: the colour of one and the symbol of the other. Three: the colour of two and the symbol of the third, or the other way round. Four: two by colour, two by symbol.",
        "Touch a square where it does not fit, and all those where it does flash. Green begins where there are turns.",
        "Touch the stone that was put last, and it comes back into your hand: once, and only until the next one is drawn. Touch it later for help: where the stone in hand brings most points flashes amber.",
    ],
    end: "It ends when the stone in hand fits nowhere or none is left: alone, you have won with an empty pouch; of two, more points win.",
    level: "Alone, watch the board: level 1 counts points, 2 neighbours, 3 what the others still fit, and 4 plays on to the end, for up to three seconds. Of two it is red: 1 plays anywhere, 2 by neighbours, 3 mostly by points, 4 thinks of your answer.",
    time: "In turns, Time sets how long one may take, from 5 seconds to two minutes; the clock waits for the first touch. Then the board puts your stone somewhere, for good. Alone there is no clock.",
    speed: "Speed sets how soon the next stone is drawn, and how long the last one can be taken back: from 5 seconds to not at all.",
    modes: &[
        timeless(
            "Dekker",
            "For one. 1, 2, 4 or 33 points for a stone beside one to four others, none at the edge. Of four neighbours the two that match in colour meet at a corner.",
        ),
        timeless(
            "Official",
            "For one. 1, 2, 4 or 8 points, none at the edge; each stone beside four others doubles all that come after it and has a bonus: 25 and more. 1000, 500 or 100 at the end for none, one or two stones left.",
        ),
        mode(
            "Dekker in turns",
            "As mode 0, for two who put stones in turns, each for points of their own.",
        ),
        mode(
            "Official in turns",
            "As mode 1, for two; the bonus of the end is for whoever has put the last stone.",
        ),
    ],
};

const TIC_DAB_TOE: HowTo = HowTo {
    aim: "Win four blocks in a row, a column or a diagonal of the board. A block is won by four marks in a row, a column or a diagonal of it.",
    play: &[
        "The board is 16 blocks of 16 cells, dark and indigo like a chessboard. In turns, green first unless the coin decides, mark a cell that shines white: only there you may play.",
        "The place of your mark in its block is that of the block on the board where the other side has to answer: a mark in a top left cell sends it to the top left block.",
        "A block that was won is all in that colour, and one that is full without a line is amber: nobody plays there. Who is sent to one may play in any other, and all of them shine white.",
        "The last mark winks.",
        LEGAL_POINTS_FLASH,
    ],
    end: "Who has won such a line of blocks has 16 points to none. If no block is left before, it is a draw, and each side has a point for each of its blocks.",
    level: "Red looks ahead, with fewer mistakes from level to level: one move at level 1, two at 2 and 3, and at 4, without mistakes, as far as it gets in about three seconds.",
    time: "Time sets how long a turn may take, from 5 seconds to two minutes; the clock waits for the first touch. Whoever takes longer has lost.",
    speed: NO_SPEED,
    modes: &[
        mode("Green begins", "Green makes the first move."),
        mode("Coin", "Chance says who makes the first move."),
    ],
};

const COL: HowTo = HowTo {
    aim: "Col: be the last who can light a point.",
    play: &[
        "In turns, green first, touch a dark point to light it in your colour. What is lit stays lit.",
        LEGAL_POINTS_FLASH,
    ],
    end: "Whoever cannot light a point in turn has lost.",
    level: "The board does not play it: it is a game for two.",
    time: "Time sets how long a turn may take, from 5 seconds to two minutes; the clock waits for the first touch. Then the board lights a point for you, drawn by chance.",
    speed: NO_SPEED,
    modes: &[
        mode(
            "Col",
            "A point must not touch another of its own colour, side by side.",
        ),
        mode(
            "Snort",
            "A point must not touch one of the other colour, side by side.",
        ),
    ],
};

/// What is the same for all games that a layout brings with it: for two, for one,
/// and for those that play by themselves.
pub(super) const OF_LAYOUTS: [HowTo; 3] = [
    HowTo {
        play: &["Watch: every move follows from the one before."],
        level: "There is nothing to decide, so levels change nothing.",
        time: NO_TIME,
        speed: "Speed sets how fast the moves follow each other, from three seconds to a tenth of one.",
        modes: &[timeless("own", "By the rules of the layout.")],
        ..OF_LAYOUT
    },
    HowTo {
        level: "At levels 1 to 4 the board plays it, with 12, 60, 300 and 4,000 random games before each move, and you watch.",
        ..OF_LAYOUT
    },
    OF_LAYOUT,
];

const OF_LAYOUT: HowTo = HowTo {
    aim: "Play by the rules that came with this layout.",
    play: &[
        "Touch a piece of yours, and what glows is where it may go; touch it again to put it down. Where pieces are put on the board, touch the point.",
        "Where the same touches are several moves, all of them light up, and one more touch chooses.",
        "The Pass button does what the display says between the scores: it passes, or it exchanges the colours.",
        LEGAL_POINTS_FLASH,
    ],
    end: "It is over when its rules say so. The numbers are its scores, or the pieces on the board where it counts none.",
    level: "Red plays at levels 1 to 4 without knowing the game: it tries 12, 60, 300 or 4,000 random games before each move.",
    time: "Time sets how long a move may take, from 5 seconds to two minutes; the clock waits for the first touch. Then the board makes one for you, drawn by chance.",
    speed: NO_SPEED,
    modes: &[mode("own", "By the rules of the layout.")],
};
