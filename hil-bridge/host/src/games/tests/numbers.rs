//! Tests that every number in the texts comes from the core: each statement with a number
//! is built from the core's constants, and no other numbers occur.

use firmware_core::games::{
    countlines, fillit, findthem, ghost, ishido, life, malaka, reversi, speedgo, symmetry,
    ticdabtoe, touchit, visiput,
};
use firmware_core::minds::pace;
use firmware_core::minds::thinker::{self, LATEST_MS};
use firmware_core::panel::TURN_TIME_MS;
use firmware_core::{Direction, games};

use crate::games::how_to;
use crate::howto::HowTo;

const WORDS: [&str; 13] = [
    "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

/// Other words that stand for numbers.
const FRACTIONS: [&str; 7] = [
    "half", "third", "thirds", "quarter", "tenth", "minute", "minutes",
];

/// The word for a small number.
fn word(number: impl TryInto<usize>) -> &'static str {
    let number = number.try_into().ok().expect("a small number");
    WORDS[number]
}

/// Milliseconds as seconds to a tenth: `12.5`, `122`.
fn seconds(ms: impl Into<u64>) -> String {
    let tenths = (ms.into() + 50) / 100;
    match tenths % 10 {
        0 => format!("{}", tenths / 10),
        rest => format!("{}.{rest}", tenths / 10),
    }
}

/// How often `ms` fits into `seconds`, rounded, in words.
fn times_in(seconds: u64, ms: impl Into<u64>) -> &'static str {
    let ms = ms.into();
    word((seconds * 1_000 + ms / 2) / ms)
}

/// The statement about time that all texts of games with a clock contain.
fn time() -> String {
    let [first, .., last] = TURN_TIME_MS;
    assert_eq!(last % 60_000, 0);
    format!(
        "from {} seconds to {} minutes",
        seconds(first),
        word(last / 60_000)
    )
}

/// The search depths of a game's levels.
fn depths(levels: &[thinker::ThinkingLevel; 4]) -> [u8; 4] {
    levels.each_ref().map(|level| level.depth)
}

/// The statement about levels in most games: the text of `LOOKS_AHEAD`.
fn looks_ahead(depths: [u8; 4], slips: [u16; 4]) -> Vec<String> {
    let [first, second, third, best] = depths;
    assert_eq!(first, second, "levels 1 and 2");
    assert!(best > third, "as far as it gets");
    fewer_mistakes(slips);
    vec![
        format!(
            "{} move at levels 1 and 2, {} at 3, and at 4, without mistakes",
            word(first),
            word(third)
        ),
        latest(),
    ]
}

/// Checks the claim that mistakes become fewer from level to level, with none at the last.
fn fewer_mistakes(slips: [u16; 4]) {
    assert!(slips.is_sorted_by(|one, next| one > next), "{slips:?}");
    assert_eq!(slips[3], 0);
}

fn latest() -> String {
    format!("about {} seconds", word(LATEST_MS / 1_000))
}

fn slips(levels: &[thinker::ThinkingLevel; 4]) -> [u16; 4] {
    levels.each_ref().map(|level| level.slip)
}

fn directions() -> String {
    format!("{} directions", word(Direction::ALL.len()))
}

/// All statements with a number in the text of this game.
fn claims(game: &str) -> Vec<String> {
    match game {
        "Reversi" => {
            let levels = &reversi::player::LEVELS;
            let mut claims = looks_ahead(
                levels.each_ref().map(|level| level.depth),
                levels.each_ref().map(|level| level.slip),
            );
            claims.extend([time(), directions()]);
            claims
        }
        "Ghost" => of_ghost(),
        "Life" => of_life(),
        "TouchIt" => of_touchit(),
        "Symmetry" => of_symmetry(),
        "CountLines" => of_countlines(),
        "FillIt" => of_fillit(),
        "FindThem" => of_findthem(),
        "Visiput" => of_visiput(),
        "SpeedGo" => of_speedgo(),
        "TicDabToe" => of_ticdabtoe(),
        "Ishido" => of_ishido(),
        "Malaka" => of_malaka(),
        "Col" => vec![time(), "a game for two".into()],
        other => panic!("say here what the numbers of {other} are"),
    }
}

fn of_ghost() -> Vec<String> {
    let [slowest, .., fastest] = ghost::STEP_MS;
    assert_eq!(ghost::SLOWER_PERCENT, 10, "a tenth");
    let most_percent = 100 + ghost::SLOWER_PERCENT * u64::from(ghost::SLOWER_LIMIT);
    vec![
        time(),
        "Four lights".into(),
        "a tenth longer".into(),
        format!("at most {} times as long", word(most_percent / 100)),
        format!("after {} turns", ghost::TURNS),
        format!("{} steps in three seconds", times_in(3, slowest)),
        format!("{} a second", times_in(1, fastest)),
    ]
}

fn of_life() -> Vec<String> {
    use life::{race, war};
    let [slowest, .., fastest] = life::GENERATION_MS;
    vec![
        time(),
        format!("about {} seconds each", word((slowest + 500) / 1_000)),
        format!("more than {} a second", word(1_000 / fastest)),
        format!("nothing for {} generations", race::DESERTED_GENERATIONS),
        format!("until you have {}", race::MOST_GENERATIONS),
        format!("above {} generations", race::RACE_GENERATIONS),
        format!("after {} quiet generations", war::QUIET_GENERATIONS),
        format!("{} touches a generation", word(race::PLAYS)),
        format!("{} touches in the whole game", word(war::PLAYS)),
        format!("{} points around", word(Direction::ALL.len())),
        "Life1".into(),
        "Life2".into(),
        // The numbers of Conway's rule, and the manual's.
        "two or three lit neighbours".into(),
        "six generations old".into(),
        "a dark point with three".into(),
        "are two or three".into(),
        "exactly two more".into(),
    ]
}

fn of_touchit() -> Vec<String> {
    let [slowest, .., fastest] = touchit::GAP_MS;
    assert_eq!(seconds(u64::from(fastest) * 4), "1", "a quarter of one");
    vec![
        format!("from {} seconds to a quarter of one", seconds(slowest)),
        format!("after {} turns", touchit::DISPLAYS),
        "Two chains of three lights".into(),
        "The third light".into(),
    ]
}

fn of_symmetry() -> Vec<String> {
    let [slowest, .., fastest] = symmetry::TIME_MS.map(u64::from);
    let (few, many) = (symmetry::FEW, symmetry::MANY);
    let of_many = |ms| seconds(ms * many as u64 / few as u64);
    vec![
        format!(
            "from {} seconds down to {} for {few} points",
            seconds(slowest),
            seconds(fastest)
        ),
        format!(
            "from {} down to {} for {many} (modes 4-7)",
            of_many(slowest),
            of_many(fastest)
        ),
        format!("{many} points instead of {few}"),
        format!(", {many}"),
        format!("top {} lines", word(symmetry::LINES)),
        format!("bottom {}", word(symmetry::LINES)),
        format!("{} lines on a board of nine", word(9 - symmetry::LINES)),
        format!("{} lines down", word(9 - symmetry::LINES)),
        "Half turn".into(),
        "by half".into(),
    ]
}

fn of_countlines() -> Vec<String> {
    let levels = &countlines::player::LEVELS;
    let mut claims = looks_ahead(depths(levels), slips(levels));
    let line = countlines::LINE;
    let ends_at_once = |mode: usize| countlines::MODES[mode].end == countlines::End::FirstLine;
    assert_eq!(
        [0, 1, 2, 3, 4].map(ends_at_once),
        [false, true, false, true, false]
    );
    let as_in = |mode: usize, earlier: usize| countlines::MODES[mode] == countlines::MODES[earlier];
    assert!(as_in(3, 1) && as_in(4, 2));
    claims.extend([
        time(),
        "(as mode 1)".into(),
        "(as mode 2)".into(),
        format!("rows of {} lights", word(line)),
        format!("Every {} in a row count one", word(line)),
        format!("a row of {} is {} lines", word(line + 1), word(2_u8)),
        format!("a row of {} {}", word(line + 2), word(3_u8)),
        "in modes 1 and 3 with the first line".into(),
        "three points or more away".into(),
        "each three points or more from your last".into(),
    ]);
    claims
}

fn of_fillit() -> Vec<String> {
    let (filling, clearing) = (&fillit::player::FILLING, &fillit::player::CLEARING);
    fewer_mistakes(slips(filling));
    fewer_mistakes(slips(clearing));
    let words = |levels| depths(levels).map(word);
    let ([fill_1, fill_2, fill_3, _], [clear_1, clear_2, clear_3, _]) =
        (words(filling), words(clearing));
    let lit = |mode: usize| fillit::MODES[mode].lit_each;
    assert_eq!((lit(3), lit(4)), (lit(2), lit(2)));
    let fills = |mode: usize| fillit::MODES[mode].task == fillit::Task::Fill;
    assert_eq!(
        [0, 1, 2, 3, 4].map(fills),
        [true, true, false, false, false]
    );
    vec![
        time(),
        latest(),
        directions(),
        format!(
            "{fill_1}, {fill_2} and {fill_3} moves at levels 1, 2 and 3 of filling, {clear_1}, {clear_2} and {clear_3} of clearing, and at 4"
        ),
        format!("Starts with {} lights of each colour (on 9x9)", lit(0)),
        format!("Starts with {} lights of each colour (on 9x9)", lit(2)),
        "Two games".into(),
        "(modes 0 and 1)".into(),
        "in modes 0 and 1".into(),
        "(modes 2-4)".into(),
        "n modes 3 and 4".into(),
        "two steps away".into(),
        "a knight's jump away (two and one)".into(),
        "a long jump away (three and two)".into(),
    ]
}

fn of_findthem() -> Vec<String> {
    let [longest, .., shortest] = findthem::SHOW_MS;
    assert!((29_000..32_000).contains(&longest), "half a minute");
    let mut claims = vec![
        time(),
        format!(
            "from half a minute to {} seconds",
            word((shortest + 500) / 1_000)
        ),
    ];
    for findthem::Mode { shown, needed } in findthem::MODES {
        claims.extend([
            format!("Find {needed} of {shown}"),
            format!("{shown} points of each colour are shown; find {needed}"),
        ]);
    }
    claims
}

fn of_visiput() -> Vec<String> {
    let levels = &visiput::player::LEVELS;
    let mut claims = looks_ahead(depths(levels), slips(levels));
    let margins = visiput::MODES.map(|rule| rule.margin);
    assert_eq!(margins, [0, 0, 1, 1, 2, 2, -1, -1], "what each mode says");
    claims.extend([
        time(),
        directions(),
        "Two more".into(),
        "At least two more of your lights".into(),
    ]);
    claims
}

fn of_speedgo() -> Vec<String> {
    let [first, empty, last] = speedgo::STONES_OF_MODE;
    assert_eq!(empty, 0, "a dark board");
    vec![
        time(),
        format!("{first} stones"),
        format!("{last} stones"),
        format!("any of the last {}", speedgo::REMEMBERED),
        format!("after {} turns a point", speedgo::TURNS_PER_POINT),
        format!("within {} seconds", word(pace::LATEST_MS.div_ceil(1_000))),
    ]
}

fn of_ticdabtoe() -> Vec<String> {
    use ticdabtoe::{POINTS_OF_A_WIN, player, squares};
    let line = word(squares::SIDE);
    let levels = &player::LEVELS;
    let [first, second, third, best] = depths(levels);
    assert_eq!(second, third, "levels 2 and 3");
    assert!(best > third, "as far as it gets");
    fewer_mistakes(slips(levels));
    vec![
        format!(
            "{} move at level 1, {} at 2 and 3, and at 4, without mistakes",
            word(first),
            word(second)
        ),
        latest(),
        time(),
        format!("{line} blocks in a row"),
        format!("{line} marks in a row"),
        format!("{0} blocks of {0} cells", squares::PLACES),
        format!("{POINTS_OF_A_WIN} points"),
    ]
}

fn of_ishido() -> Vec<String> {
    use ishido::{player, scoring, stone};
    let [longest, .., shortest] = ishido::TAKE_BACK_MS;
    assert_eq!(shortest, 0, "not at all");
    let [one, two, three, four] = scoring::SEED;
    let official = scoring::OFFICIAL;
    let [none_left, one_left, two_left] = scoring::LEFT;
    let names = ["cyan", "pink", "yellow", "indigo", "orange", "white"];
    let initials = names.map(|name| name.as_bytes()[0].to_ascii_uppercase() as char);
    assert_eq!(initials, stone::COLOUR_LETTERS.map(char::from));
    let colours = names.join(", ");
    let [a, b, c, d, e, f] = stone::SYMBOL_LETTERS;
    vec![
        time(),
        format!("{} colours ({colours})", word(stone::COLOURS)),
        format!("with {} symbols", word(stone::SYMBOLS)),
        format!("{a} steady, {b} slow, {c} fast, {d} double, {e} pulse, {f} wink"),
        format!("{} of each", word(stone::OF_EACH_KIND)),
        "P*66 is pink with a star, one of 66".into(),
        "Beside one stone".into(),
        "Beside two: the colour of one".into(),
        "Three: the colour of two and the symbol of the third".into(),
        "Four: two by colour, two by symbol".into(),
        "In turns, Time sets how long one may take".into(),
        "of two, more points win".into(),
        "level 1 counts points, 2 neighbours, 3 what the others still fit, and 4 plays on".into(),
        "Of two it is red: 1 plays anywhere, 2 by neighbours, 3 mostly by points, 4 thinks".into(),
        format!("up to {} seconds", word(player::THINK_MS.div_ceil(1_000))),
        format!("from {} seconds to not at all", seconds(longest)),
        format!("{one}, {two}, {three} or {four} points for a stone beside one to four others"),
        "Of four neighbours the two that match".into(),
        format!(
            "{}, {}, {} or {} points",
            official[0], official[1], official[2], official[3]
        ),
        "beside four others doubles".into(),
        format!("a bonus: {} and more", scoring::FOUR_WAYS[0]),
        format!(
            "{none_left}, {one_left} or {two_left} at the end for none, one or two stones left"
        ),
        "As mode 0, for two".into(),
        "As mode 1, for two".into(),
    ]
}

fn of_malaka() -> Vec<String> {
    use malaka::{Variant, player};
    let sights = player::LEVELS.map(|level| level.sight as u8);
    assert_eq!(
        sights,
        [0, 1, 2, 2],
        "the way, pins from 2 on, dangers from 3 on"
    );
    fewer_mistakes(player::LEVELS.map(|level| level.slip as u16));
    assert_eq!(
        player::LEVELS.map(|level| level.asked > 0),
        [false, false, false, true]
    );
    let [shades, _] = malaka::SHADES;
    assert_eq!(shades.len(), 4, "up to two, three, four, more");
    assert_eq!(malaka::PINS, protocol::Rhythm::Double);
    let mut claims = vec![
        time(),
        format!("{} dice", word(malaka::Dice::two(1, 2).len())),
        format!("played {} times", word(malaka::Dice::two(1, 1).len())),
        "(two short flashes)".into(),
        "Two pieces or more".into(),
        "three, four and more".into(),
        "the left third".into(),
        "up to two thirds".into(),
        "the right third".into(),
        "at level 1 by".into(),
        "from 2 on by pins".into(),
        "from 3 on by dangers".into(),
        "; 4 makes none".into(),
    ];
    for variant in (0..malaka::VARIANTS).filter_map(Variant::of_mode) {
        claims.extend(start_of_malaka(variant));
    }
    claims
}

/// The name of a variant, and how it starts.
fn start_of_malaka(variant: malaka::Variant) -> [String; 2] {
    use malaka::{DieKind, StartRows, StartShape};
    let side = variant.side();
    let rows = match variant.rows {
        StartRows::Two => 2_u8,
        StartRows::Three => 3,
    };
    assert_eq!(
        variant.pieces(),
        rows * variant.third() * 2,
        "two on a point"
    );
    let faces = word(variant.die_sides());
    let mut name = format!("{side}x{side}");
    if variant.rows == StartRows::Three {
        name += ", three rows";
    }
    if variant.start == StartShape::Block {
        name += ", block";
    }
    let own = if side == 9 {
        DieKind::Four
    } else {
        DieKind::Six
    };
    if variant.die != own {
        name += &format!(", d{}", variant.die_sides());
    }
    let rows = word(rows);
    let start = format!(
        "{side}x{side} with dice of {faces} sides. Each side starts with {rows} rows of pieces, two on a point"
    );
    [name, start]
}

/// All sentences of a game's text, each once.
fn sentences(text: &HowTo) -> Vec<&'static str> {
    let modes = text.modes.iter().flat_map(|mode| [mode.name, mode.text]);
    [text.aim, text.end, text.level, text.time, text.speed]
        .into_iter()
        .chain(text.play.iter().copied())
        .chain(modes)
        .collect()
}

/// True if a word is a number. "One" usually is a pronoun.
fn is_number(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let is_digit = |letter: char| letter.is_ascii_digit();
    word.contains(is_digit)
        || WORDS[2..].contains(&word.as_str())
        || FRACTIONS.contains(&word.as_str())
}

/// The numbers in a text that no statement accounts for.
fn wrong_numbers(name: &str, text: &HowTo) -> Vec<String> {
    let mut claims = claims(name);
    // The longest first, because a statement may be part of another.
    claims.sort_by_key(|claim| std::cmp::Reverse(claim.len()));
    let said = sentences(text);
    let is_unsaid = |claim: &&String| !said.iter().any(|sentence| sentence.contains(*claim));
    let unsaid = claims.iter().filter(is_unsaid);
    let mut wrong: Vec<String> = unsaid
        .map(|claim| format!("{name} does not say: {claim}"))
        .collect();
    for sentence in said {
        let rest = claims
            .iter()
            .fold(sentence.to_owned(), |rest, claim| rest.replace(claim, "#"));
        let mut words = rest.split(|letter: char| !letter.is_alphanumeric());
        if let Some(word) = words.find(|word| is_number(word)) {
            wrong.push(format!("{name}: whose number is {word}? {rest}"));
        }
    }
    wrong
}

#[test]
fn every_number_in_a_text_equals_the_cores() {
    let wrong = games::BUILT.iter().flat_map(|number| {
        let name = games::about(number).expect("it is in the table").name;
        wrong_numbers(name, how_to(number).expect("it has a text"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Maldoo manual, Buttons: two people or one, and only Symmetry is for one;
/// `RULES.md`: green begins.
#[test]
fn a_text_says_which_side_begins_if_there_are_turns() {
    for number in games::BUILT.iter() {
        let name = games::about(number).expect("it is in the table").name;
        let play = how_to(number).expect("it has a text").play.concat();
        let in_turns = !matches!(name, "TouchIt" | "Symmetry");
        let says = play.contains("green first") || play.contains("Green begins");
        assert_eq!(says, in_turns, "{name}");
    }
}
