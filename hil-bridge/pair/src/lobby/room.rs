//! Whose place is cleared when there is none left.
//!
//! The network that has most of them gives one up, so one network cannot take all places;
//! and a newcomer never takes one from a network that has no more than its own.

use std::collections::BTreeMap;

/// A place: its network, how much would be lost with it, and which one it is. A place that
/// is not in use (`false`) goes first.
pub type TakenPlace<'a, P> = (&'a str, (bool, usize), P);

/// The place to clear for a newcomer of this network; `None` if its own network has most,
/// and uses all.
pub fn place_to_clear<'a, P>(
    places: impl Iterator<Item = TakenPlace<'a, P>>,
    network: &str,
) -> Option<P> {
    let places: Vec<TakenPlace<'a, P>> = places.collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (of, _, _) in &places {
        *counts.entry(of).or_default() += 1;
    }
    let own = counts.get(network).copied().unwrap_or_default();
    let most = counts.values().max().copied().unwrap_or_default();
    // With one more place, the newcomer's network must not have more than the others.
    let gives = |of: &str, is_used: bool| match of == network {
        true => !is_used,
        false => counts[of] == most && most > own,
    };
    let clearable = places
        .into_iter()
        .filter(|(of, (is_used, _), _)| gives(of, *is_used));
    let least = clearable.min_by_key(|(_, loss, _)| *loss);
    least.map(|(_, _, place)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleared(places: &[(&str, bool, usize)], network: &str) -> Option<usize> {
        let places = places.iter().zip(0..);
        let places = places.map(|((of, is_used, loss), at)| (*of, (*is_used, *loss), at));
        place_to_clear(places, network)
    }

    #[test]
    fn the_network_with_most_places_gives_up_what_it_needs_least() {
        let places = [
            ("a", true, 9),
            ("a", true, 2),
            ("b", true, 0),
            ("a", true, 5),
        ];
        assert_eq!(cleared(&places, "c"), Some(1));
        assert_eq!(cleared(&places, "b"), Some(1));
    }

    #[test]
    fn a_network_does_not_push_out_others_to_have_most() {
        let places = [("a", true, 9), ("a", true, 2), ("b", true, 0)];
        assert_eq!(cleared(&places, "a"), None);
        let places = [("a", true, 9), ("b", true, 0)];
        assert_eq!(cleared(&places, "a"), None);
    }

    #[test]
    fn a_place_that_is_not_in_use_goes_first() {
        let places = [("a", true, 1), ("a", false, 70), ("b", false, 3)];
        assert_eq!(cleared(&places, "c"), Some(1));
        assert_eq!(cleared(&places, "b"), Some(2));
    }
}
