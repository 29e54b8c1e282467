//! The server's help texts.

/// The topics of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// The help for the commands.
    Server,
    /// The help for the rules.
    Malaka,
    /// The source of the dice.
    Dice,
}

/// The first word of a command that does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noun {
    /// Commands about boards.
    Malaka,
    /// Commands about users.
    User,
}

impl Noun {
    /// All nouns, in the order of the help.
    pub const ALL: [Noun; 2] = [Noun::Malaka, Noun::User];

    /// The word itself.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Noun::Malaka => "malaka",
            Noun::User => "user",
        }
    }

    /// The verbs that can follow, each with its arguments.
    #[must_use]
    pub const fn verbs(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Noun::Malaka => &MALAKA_VERBS,
            Noun::User => &USER_VERBS,
        }
    }
}

/// The verbs after `malaka`, and their arguments.
const MALAKA_VERBS: [(&str, &str); 9] = [
    (
        "challenge",
        "[-large] [-many] [-d4|-d6] [-no_stagger] USER1 USER2 [USER PASSWORD [nonce=WORD]]",
    ),
    ("accept", "BOARD USER PASSWORD [nonce=WORD] [seal=HASH]"),
    ("move", "BOARD USER PASSWORD MOVES [nonce=WORD]"),
    ("roll", "BOARD USER PASSWORD LINK"),
    ("resign", "BOARD USER PASSWORD"),
    ("show", "BOARD"),
    ("history", "BOARD"),
    ("verify", "BOARD"),
    ("list", "[USER]"),
];

/// The verbs after `user`.
const USER_VERBS: [(&str, &str); 4] = [
    ("register", "USER PASSWORD [ADDRESS]"),
    ("confirm", "USER CODE"),
    ("password", "USER PASSWORD NEW_PASSWORD"),
    ("address", "USER PASSWORD ADDRESS"),
];

/// The text about a topic.
#[must_use]
pub fn text(topic: Topic) -> String {
    match topic {
        Topic::Server => server(),
        Topic::Malaka => MALAKA.into(),
        Topic::Dice => DICE.into(),
    }
}

fn server() -> String {
    let mut text = String::from("Commands, one on each line:\n");
    for noun in Noun::ALL {
        for (verb, usage) in noun.verbs() {
            text.push_str(&format!("  {} {verb} {usage}\n", noun.word()));
        }
    }
    text.push_str("  help [malaka|dice]\n\n");
    text.push_str(
        "USER1 plays O and moves first, USER2 plays X. A challenge makes a board; its \
         game begins when both have said `malaka accept`. A challenge that one of the two \
         signs, by adding their name and password, only needs the other to accept. Until \
         both have accepted, `malaka resign` is a refusal, and nobody loses; from then on, \
         even before the first move, the other one wins.\n",
    );
    text
}

const MALAKA: &str = "\
Malaka was invented by Cameron Browne (2004), from Backgammon, Plakoto and Lines
of Action. The aim: connect all pieces that you have left, along the sides of
the points, with the home edge of the other player.

Each player has two pieces on each of the first points, in two rows (`-many`:
three), in two groups (`-no_stagger`: in one), on 9x9 points with four-sided
dice (`-large`: 12x12 and six-sided ones; `-d4` and `-d6` choose the dice).

Two dice are rolled in each turn, one in the very first. A piece moves straight
forwards, as its part of the board points, by as many points as one die shows;
dice that show the same count four times. As many pips as possible have to be
used. A point with two or more enemy pieces is closed. A single enemy piece that
one steps onto is pinned until one leaves. A piece may jump over one wall, not
backwards, if it lands on a single enemy piece, which is then out of the game.
You also win when an enemy piece is pinned on its own home edge.

Moves:
  c3-c6,c6-c8    from c3 to c6, then from c6 to c8
  c3-c6-c8       the same
  c3-c8          from c3 to c8, by any way; if it matters, say which
  3xc3-c6,c1-c4  three times from c3 to c6, then from c1 to c4
";

const DICE: &str = "\
At the challenge the server draws a secret and publishes the far end of the
chain of SHA-256 hashes that begins with it (the line `chain`). Every roll
gives away one link, whose hash is the link before it, and the dice follow
from that link and from all lines before: the nonces that both players gave
and every move. So the server cannot choose the dice, since the chain is fixed
before the first nonce is known, and no player can, since the link is not
known before the move is sent.

Give a nonce, any word, with `malaka accept` and with each move: nonce=WORD.
If you give none, your mail's Message-ID takes its place.

`malaka history BOARD` has all lines; `malaka verify BOARD` computes all dice
again, and `post verify FILE` does so without the server. If a move has to be
sent again, send it with the same nonce.

To guard against a server in league with your opponent, seal: give the head of
a chain of your own with `malaka accept` (`post link` computes it). The server
then asks for a link before each of your own rolls: `malaka roll`.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_the_help() {
        let text = text(Topic::Server);
        for (verb, usage) in MALAKA_VERBS {
            assert!(text.contains(&format!("malaka {verb} {usage}")), "{verb}");
        }
    }

    #[test]
    fn lines_are_short_enough_for_a_mail() {
        for topic in [Topic::Malaka, Topic::Dice] {
            for line in text(topic).lines() {
                assert!(line.chars().count() <= 80, "{line}");
            }
        }
    }
}
