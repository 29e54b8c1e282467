//! A text is read as the turn that was written. Checked against all possible turns, found
//! without the reader.

use firmware_core::games::malaka::{After, MalakaPoint};
use proptest::collection::vec;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseError;

use super::*;

/// The maximum number of turns to compare.
const MOST_TURNS: usize = 3_000;

/// Points near the two edges that win, where a step may end the game.
const NEAR: [&str; 16] = [
    "a1", "a2", "b1", "b2", "b4", "c1", "c4", "d4", "f6", "g6", "g7", "g9", "h8", "h9", "i8", "i9",
];

/// A position with few pieces: those of the side to move are near their edge.
fn near_the_end() -> impl Strategy<Value = Option<Position>> {
    let pile = |side: Side| {
        (select(&NEAR[..]), 1..=3_u8, proptest::bool::weighted(0.1)).prop_map(
            move |(name, count, pins)| {
                let place: MalakaPoint = name.parse().unwrap();
                let place = match side {
                    Side::Green if place.row() < 4 => Variant::USUAL.turned(place),
                    Side::Red if place.row() > 4 => Variant::USUAL.turned(place),
                    _ => place,
                };
                (place, Pile { side, count, pins })
            },
        )
    };
    let stray = |side: Side| {
        (0..9_u8, 0..9_u8).prop_map(move |(column, row)| {
            let pile = Pile {
                side,
                count: 1,
                pins: false,
            };
            (MalakaPoint::new(column, row).unwrap(), pile)
        })
    };
    let of = |side| (vec(pile(side), 1..3), vec(stray(side), 0..2));
    let dice = (1..=4_u8, 1..=4_u8).prop_map(|(one, other)| Dice::two(one, other));
    let turn = select(&Side::BOTH[..]);
    (of(Side::Green), of(Side::Red), dice, turn).prop_map(|(green, red, dice, turn)| {
        let (near, strays) = ([green.0, red.0].concat(), [green.1, red.1].concat());
        let strays = strays.into_iter().filter(|(_, pile)| pile.side != turn);
        let piles = near.into_iter().chain(strays);
        let position = Position::set_up(Variant::USUAL, piles, turn, dice).ok()?;
        (position.winner().is_none() && !position.steps().is_empty()).then_some(position)
    })
}

/// Every complete turn as its steps in order, with the resulting position; `None` if
/// there are too many.
fn all_turns(position: &Position) -> Option<Vec<(Vec<Step>, Position)>> {
    fn go(
        position: &Position,
        steps: &mut Vec<Step>,
        turns: &mut Vec<(Vec<Step>, Position)>,
    ) -> Option<()> {
        for step in position.steps() {
            let mut next = position.clone();
            steps.push(step);
            match next.apply(step).unwrap() {
                After::Part => go(&next, steps, turns)?,
                After::Turn | After::Won(_) => turns.push((steps.clone(), next)),
            }
            steps.pop();
        }
        (turns.len() <= MOST_TURNS).then_some(())
    }
    let mut turns = Vec::new();
    go(position, &mut Vec::new(), &mut turns)?;
    Some(turns)
}

/// True if the steps realize the hops: each hop is one piece moving from its start to its
/// end, and no step is left over.
fn are(steps: &[Step], hops: &[Step]) -> bool {
    let mut steps = steps.iter();
    let is_hop = |hop: &Step| {
        let mut at = hop.from;
        while let Some(step) = steps.as_slice().first().filter(|step| step.from == at) {
            at = step.to;
            steps.next();
            if at == hop.to {
                return true;
            }
        }
        false
    };
    hops.iter().all(is_hop) && steps.as_slice().is_empty()
}

/// A change to a turn before it is written as text.
#[derive(Clone, Debug)]
enum Change {
    /// The text is left as it is.
    None,
    /// Changes the end of a step.
    To(Index, MalakaPoint),
    /// Replaces a step's end by the point this many pips ahead.
    Farther(Index, u8),
    /// Replaces a step.
    Other(Index, MalakaPoint, MalakaPoint),
    /// Removes a step.
    Without(Index),
    /// Repeats a step.
    Again(Index),
    /// Removes the last steps.
    Only(Index),
    /// Two steps of one piece are written as one hop.
    Joined,
}

impl Change {
    fn any() -> impl Strategy<Value = Change> {
        let place = || (0..9_u8, 0..9_u8).prop_map(|(x, y)| MalakaPoint::new(x, y).unwrap());
        let index = any::<Index>;
        prop_oneof![
            1 => Just(Change::None),
            3 => (index(), place()).prop_map(|(at, to)| Change::To(at, to)),
            6 => (index(), 1..=4_u8).prop_map(|(at, pips)| Change::Farther(at, pips)),
            1 => (index(), place(), place()).prop_map(|(at, one, to)| Change::Other(at, one, to)),
            1 => index().prop_map(Change::Without),
            2 => index().prop_map(Change::Again),
            2 => index().prop_map(Change::Only),
            2 => Just(Change::Joined),
        ]
    }

    fn of(&self, steps: &[Step], side: Side) -> Vec<Step> {
        let mut hops = steps.to_vec();
        let len = hops.len();
        match self {
            Change::None => {}
            Change::To(at, to) => hops[at.index(len)].to = *to,
            Change::Farther(at, pips) => {
                let hop = &mut hops[at.index(len)];
                hop.to = Variant::USUAL
                    .forward(side, hop.to, *pips)
                    .unwrap_or(hop.from);
            }
            Change::Other(at, from, to) => {
                hops[at.index(len)] = Step {
                    from: *from,
                    to: *to,
                };
            }
            Change::Without(at) => drop(hops.remove(at.index(len))),
            Change::Again(at) => hops.insert(at.index(len), hops[at.index(len)]),
            Change::Only(count) => hops.truncate(count.index(len) + 1),
            Change::Joined => hops = joined(&hops),
        }
        hops
    }
}

fn joined(steps: &[Step]) -> Vec<Step> {
    let mut hops: Vec<Step> = Vec::new();
    for step in steps {
        match hops.last_mut() {
            Some(last) if last.to == step.from => last.to = step.to,
            _ => hops.push(*step),
        }
    }
    hops
}

#[test]
fn a_changed_turn_is_refused_or_read_in_full() {
    let like = (near_the_end(), any::<Index>(), Change::any());
    law(Weight::of(1_500, 10), like, |(position, which, change)| {
        let Some((position, turns)) =
            position.and_then(|position| Some((position.clone(), all_turns(&position)?)))
        else {
            return Ok(Judged::Nothing);
        };
        // Where turns that end the game exist, half of the samples are such turns.
        let ends: Vec<&(Vec<Step>, Position)> = turns
            .iter()
            .filter(|(_, end)| end.winner().is_some())
            .collect();
        let of_an_end = ends.get(which.index(2 * ends.len().max(1))).copied();
        let (steps, _) = of_an_end.unwrap_or(&turns[which.index(turns.len())]);
        let hops = change.of(steps, position.turn());
        let text: Vec<String> = hops.iter().map(Step::to_string).collect();
        let text = text.join(",");
        let meant = turns.iter().filter(|(steps, _)| are(steps, &hops));
        let meant: Vec<&(Vec<Step>, Position)> = meant.collect();
        let about = format!("{text} with {}", own::written(&Own::of(&position)));
        match read(&text, &position) {
            Ok(turn) => {
                let found = meant.iter().find(|(steps, _)| steps[..] == turn[..]);
                let Some((_, end)) = found else {
                    let turn = written(&turn);
                    return Err(TestCaseError::fail(format!("{about}: read as {turn}")));
                };
                let comes_to_one = meant.iter().all(|(_, other)| other == end);
                let is_step_by_step = turn.len() == hops.len();
                prop_assert!(comes_to_one || is_step_by_step, "{}: {:?}", about, meant);
            }
            Err(NotationError::Ambiguous { .. }) => {
                prop_assert!(meant.len() > 1, "{}: {:?}", about, meant);
            }
            Err(error) => prop_assert!(meant.is_empty(), "{}: {}", about, error),
        }
        Ok(Judged::if_any(!ends.is_empty()))
    });
}
