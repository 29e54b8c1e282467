//! The texts, in the order of the games' numbers.

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
const TURN_IS_LOST: &str = "When your time is up, your turn is lost.";

const REVERSI: HowTo = HowTo {
    aim: "Own more of the board than the other side when nobody can move any more.",
    play: &[
        "Touch a dark point. Every unbroken row of the other colour between it and the next light of yours, along any of the eight directions, turns to your colour.",
        "Touch a point where you may not play, and the board flashes all those where you may.",
        "Who cannot move is passed over.",
    ],
    end: "It ends when neither side can move; the larger number of lights wins.",
    level: "Red looks ahead: one move at levels 1 and 2, with mistakes, two at 3, and at 4 as far as it gets in about three seconds.",
    time: "When your time is up, the board plays one of your moves at random.",
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
        "The ghost has the colour of the player whose turn it is. When you score, rings spread from your finger, and it comes back elsewhere.",
        "A touch that misses makes the ghost slower.",
        "Each touch that counts hands the turn to the other side.",
    ],
    end: "It ends after 32 turns, or when walls leave the ghost no step to take; the higher score wins.",
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
        "A touch turns a point over: a light goes out, a dark point lights up.",
    ],
    end: "The race ends after a red turn that leaves somebody above 100 generations: the smaller number wins. Life2 ends when a colour has died out, or when the same pictures come back and nobody has a touch left: a draw.",
    level: "In the race red presses like a hand, faster and better aimed at higher levels. In Life2 it lets the board run on in its head, further at higher levels.",
    time: "In Life2 your turn passes when your time is up, and you keep your touches. The race has no clock.",
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
    end: "It ends after 40 turns; more points win.",
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
        "A pattern lights up in the top four lines. Touch the image of each of its points in the bottom four.",
        "A right touch turns green, a wrong one red; red ones cost nothing but their shame.",
    ],
    end: "Green wins by finding every point in time. If the time runs out, red has won, and what was missing flashes in amber.",
    level: "It is a game for one: the board does not play.",
    time: "Time changes nothing here: Speed does.",
    speed: "Speed sets how long you have: from a minute and a half for 12 points down to 12 seconds.",
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
        "Touch a dark point to light it. Every four in a row count one: a row of five is two lines, a row of six three, and rows may cross.",
        "Touch a point where you may not play, and the board flashes all those where you may.",
    ],
    end: "It ends when the board is full, or with the first line in modes 1 and 3; more lines win.",
    level: "Red counts the rows that are still open and looks ahead, further at higher levels.",
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
    ],
    end: "Filling ends with a full board: more lights win. Clearing ends after a red turn when a colour is gone: the other one wins.",
    level: "Red counts lights and looks ahead: one move at levels 1 and 2, with mistakes, two at 3, and at 4 as far as it gets in about three seconds.",
    time: "When your time is up, your turn is missed; in modes 0 and 1 the other side's next touch then takes nothing from its own lights.",
    speed: NO_SPEED,
    modes: &[
        mode("Fill", "Starts with a few lights of both colours."),
        mode("Fill from dark", "Starts with a dark board."),
        mode(
            "Clear",
            "A touch may be made anywhere, even where it changes nothing.",
        ),
        mode(
            "Clear, long jumps give",
            "Your own lights a long jump away change to the other colour instead of going out. A touch must put something out.",
        ),
        mode(
            "Clear, knights take",
            "The other side's lights a knight's jump away become yours instead of going out. A touch must put something out.",
        ),
    ],
};

const FIND_THEM: HowTo = HowTo {
    aim: "Remember where the lights of your colour were, and find them in the dark.",
    play: &[
        "The board shows points of both colours for a while, then goes dark. In turns, touch one point each.",
        "A point of your colour lights up and counts. A dark point that is not yours stays dark, and is deaf for the other side's next turn.",
    ],
    end: "It ends after a red turn when a side has found all that it needs; if both have, it is a draw.",
    level: "Red remembers some of its points, more at higher levels, and forgets with time; the point it touches flashes in amber.",
    time: TURN_IS_LOST,
    speed: "Speed sets how long the points are shown: from half a minute to four seconds.",
    modes: &[
        mode(
            "Find 9 of 24",
            "24 points of each colour are shown; find nine.",
        ),
        mode(
            "Find 15 of 30",
            "30 points of each colour are shown; find 15.",
        ),
        mode(
            "Find 9 of 15",
            "15 points of each colour are shown; find nine.",
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
        "A dark point looks along the eight directions to the first light of each. It counts how many of them are yours and how many are not.",
        "You may touch it if your lights that see it are at least as many as the mode asks for.",
        "Touch a point where you may not play, and the board flashes all those where you may.",
    ],
    end: "It ends when nobody can move, or when each dark point is open to one side only: those points then go to that side. More points win.",
    level: "Red looks ahead: one move at levels 1 and 2, with mistakes, two at 3, and at 4 as far as it gets in about three seconds.",
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
        "Touch a dark point to set a stone. Stones that touch along lines, not diagonals, are a group; a group with no dark point left beside it is taken off.",
        "You may not set a stone that leaves its own group without a dark point beside it, unless it takes something.",
        "You may not bring back the position from before the other side's move (ko).",
    ],
    end: "It ends when it is clear whose every point is, or when both sides let their turns pass. Stones and the dark points that only they surround count.",
    level: "Red plays games to their end in its head: 40 a move at level 1, as many as it can in a few seconds at 4.",
    time: "When your time is up, your turn passes: the board has no button for it.",
    speed: NO_SPEED,
    modes: &[
        mode(
            "18 stones",
            "Each side starts with 18 stones, drawn by chance and fair to both.",
        ),
        mode("Dark board", "Starts with an empty board."),
        mode(
            "9 stones",
            "Each side starts with nine stones, drawn by chance and fair to both.",
        ),
    ],
};
