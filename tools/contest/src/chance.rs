//! All random numbers of a contest, which are derived from one seed.

use firmware_core::Rng;

/// A number with 64 random bits.
pub fn bits(rng: &mut Rng) -> u64 {
    u64::from(rng.next()) << 32 | u64::from(rng.next())
}

/// The generator for item `number` of a contest.
pub fn of(seed: u64, number: u64) -> Rng {
    // Seeds and numbers are small, so their bits do not overlap.
    Rng::new(seed ^ number.rotate_right(20))
}

/// A random order of this many items.
pub fn shuffled(rng: &mut Rng, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for end in (1..count).rev() {
        let bound = u32::try_from(end + 1).unwrap_or(u32::MAX);
        order.swap(end, rng.below(bound) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffle_is_a_permutation_and_follows_from_its_seed() {
        let order = shuffled(&mut of(1, 0), 40);
        assert_eq!(order, shuffled(&mut of(1, 0), 40));
        assert_ne!(order, shuffled(&mut of(2, 0), 40));
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_ne!(order, sorted);
        assert_eq!(sorted, (0..40).collect::<Vec<_>>());
    }

    #[test]
    fn neighbouring_seeds_and_numbers_give_distinct_streams() {
        let seeds = 0..20_u64;
        let mut firsts: Vec<u64> = seeds
            .flat_map(|seed| (0..20).map(move |number| bits(&mut of(seed, number))))
            .collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 400);
    }
}
