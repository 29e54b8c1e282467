//! Tests of states that cannot come from play.

use super::*;

/// A board with these points, of this many columns and rows.
fn ground(columns: u8, rows: u8) -> Ground<u128> {
    Ground::new(Layout::grid(columns, rows).unwrap()).unwrap()
}

#[test]
fn ages_of_dead_points_or_above_the_limit_are_refused() {
    let grid = Grid::<u128>::new(Layout::MALDOO).unwrap();
    let [here, elsewhere] = [Points::one(Point(40)), Points::one(Point(41))];
    let with = |age| Aged {
        age,
        ..Aged::new(here)
    };
    let none = Points::NONE;
    for age in [
        [none; 3],
        [here, none, none],
        [here, here, none],
        [here, none, here],
    ] {
        assert!(with(age).is_sound(&grid), "{age:?}");
    }
    for bit in 0..3 {
        let mut age = [none; 3];
        age[bit] = elsewhere;
        assert!(!with(age).is_sound(&grid), "a dead point has the age {bit}");
        age = [elsewhere; 3];
        age[bit] = none;
        assert!(
            !with(age).is_sound(&grid),
            "a dead point has all ages but {bit}"
        );
    }
    // Two of these sets cancel each other, three do not.
    assert!(!with([elsewhere, elsewhere, none]).is_sound(&grid));
    assert!(
        !with([none, here, here]).is_sound(&grid),
        "it lived too long"
    );
    assert!(!Aged::new(Points::one(Point(81))).is_sound(&grid));
    assert!(!Aged::new(here | Points::one(Point(81))).is_sound(&grid));
}

#[test]
fn a_race_that_cannot_come_from_play_is_refused() {
    let changes: &[testing::Change<Race<u128>>] = &[
        ("nothing", true, |_| {}),
        ("off the board", false, |race| {
            race.cells.reverse(Points::one(Point(81)))
        }),
        ("no pattern", false, |race| race.pattern = Points::NONE),
        ("a pattern off the board", false, |race| {
            race.pattern.insert(Point(81))
        }),
        ("no plays left", true, |race| race.plays = 0),
        ("too many plays", false, |race| race.plays = race::PLAYS + 1),
        ("nobody for long", true, |race| {
            race.idle = race::DESERTED_GENERATIONS - 1
        }),
        ("nobody for too long", false, |race| {
            race.idle = race::DESERTED_GENERATIONS
        }),
        ("many generations", true, |race| {
            race.totals = [race::MOST_GENERATIONS; 2]
        }),
        ("too many of green", false, |race| {
            race.totals[0] = race::MOST_GENERATIONS + 1
        }),
        ("too many of red", false, |race| {
            race.totals[1] = race::MOST_GENERATIONS + 1
        }),
        ("nothing lives", false, |race| {
            race.cells = Aged::new(Points::NONE)
        }),
        ("a pause", true, |race| {
            race.cells = Aged::new(Points::NONE);
            race.phase = race::RacePhase::Pause { until: 9 };
        }),
        ("a pause of what lives", false, |race| {
            race.phase = race::RacePhase::Pause { until: 9 };
        }),
        ("the end", true, race_is_over),
        ("an end after 100", false, |race| {
            race_is_over(race);
            race.totals = [race::RACE_GENERATIONS; 2];
        }),
        ("an end after green", false, |race| {
            race_is_over(race);
            race.turn = Side::Green;
        }),
        ("an end of what lives", false, |race| {
            race_is_over(race);
            race.cells = Aged::new(Points::one(Point(1)));
        }),
    ];
    let begun = TestedGame::start(0, 1);
    for (what, expected, change) in changes {
        let mut race = match &begun.game {
            Life::Race(race) => race.clone(),
            Life::War(_) => panic!("this is the war"),
        };
        change(&mut race);
        let life = Life::Race(race);
        assert_eq!(life.is_sound(&begun.ground), *expected, "{what}");
    }
    let small = TestedGame::position(0, Side::Green, &["", "", "", "", "", "", "", "", "g"]);
    let mut small = small.unwrap();
    let first = Points::one(Point(0));
    (small.race().pattern, small.race().cells) = (first, Aged::new(first));
    for (columns, rows, expected) in [(4, 4, true), (3, 4, false), (4, 3, false)] {
        assert_eq!(small.game.is_sound(&ground(columns, rows)), expected);
    }
}

/// A race after a red turn in which a side has passed the limit.
fn race_is_over(race: &mut Race<u128>) {
    race.cells = Aged::new(Points::NONE);
    race.turn = Side::Red;
    race.totals = [race::RACE_GENERATIONS + 1, 7];
    race.phase = race::RacePhase::Over;
}

#[test]
fn a_war_that_cannot_come_from_play_is_refused() {
    let changes: &[testing::Change<War<u128>>] = &[
        ("nothing", true, |_| {}),
        ("an end while it goes on", false, |war| {
            war.outcome = Some(Outcome::Draw)
        }),
        ("one colour alone", false, |war| {
            war.stones[0] = Points::NONE
        }),
        ("the other one alone", false, |war| {
            war.stones[1] = Points::NONE
        }),
        ("one colour has won", true, |war| {
            war.stones[1] = Points::NONE;
            war.outcome = Some(Outcome::Won(Side::Green));
        }),
        ("quiet", true, |war| war.quiet = war::QUIET_GENERATIONS - 1),
        ("too quiet", false, |war| war.quiet = war::QUIET_GENERATIONS),
        ("quiet to the end", true, |war| {
            war.quiet = war::QUIET_GENERATIONS;
            war.outcome = Some(Outcome::Draw);
        }),
        ("it comes back", true, |war| war.recall.repeats = true),
        ("no plays are left", true, |war| war.plays = [0; 2]),
        ("it comes back for ever", false, |war| {
            war.plays = [0; 2];
            war.recall.repeats = true;
        }),
        ("two stones on a point", false, |war| {
            let [green, red] = war.stones;
            war.stones = [green | red; 2];
        }),
        ("off the board", false, |war| {
            war.stones[0].insert(Point(81))
        }),
        ("too many plays", false, |war| war.plays[1] = war::PLAYS + 1),
        ("the turn of one without plays", false, |war| {
            war.plays[war.turn.index()] = 0
        }),
        ("the turn of one with a play", true, |war| {
            war.plays[war.turn.other().index()] = 0
        }),
        ("kept for too long", false, |war| {
            war.recall.since = war.recall.span
        }),
        ("kept for long", true, |war| {
            war.recall.span = 8;
            war.recall.since = 7;
        }),
    ];
    let begun = TestedGame::start(1, 1);
    for (what, expected, change) in changes {
        let mut war = match &begun.game {
            Life::War(war) => war.clone(),
            Life::Race(_) => panic!("this is the race"),
        };
        change(&mut war);
        let life = Life::War(war);
        assert_eq!(life.is_sound(&begun.ground), *expected, "{what}");
    }
    let mut small = blocks();
    small.war().stones = [Points::one(Point(0)), Points::one(Point(1))];
    for (columns, rows, expected) in [(4, 4, true), (3, 4, false), (4, 3, false)] {
        assert_eq!(small.game.is_sound(&ground(columns, rows)), expected);
    }
}
