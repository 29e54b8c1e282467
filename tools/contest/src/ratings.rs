//! The strength of bots by the model of Bradley and Terry, with confidence intervals.
//!
//! Each bot has a strength `s`, and wins against a bot of strength `s'` with the
//! probability `1 / (1 + exp(s' - s))`; a draw counts as half a win. The strengths are
//! those for which the observed results are the most likely (Bradley and Terry, Rank
//! analysis of incomplete block designs, Biometrika 39, 1952). Each bot gets one
//! imaginary game in addition, a draw against an opponent of strength 0, so that a bot
//! that has won all of its games has a finite rating. Only differences of ratings are
//! meaningful; their mean is set to 1500.
//!
//! The intervals are those of a normal distribution whose covariance is the inverse of
//! the negative Hessian of the log-likelihood at its maximum. They apply to a bot's
//! distance from the mean of all bots. They cover the effect of chance, and are a little
//! too wide if there are many draws; but deterministic bots would play the same games
//! again.

use crate::standing::Meeting;

/// The mean of all ratings.
const MIDDLE: f64 = 1_500.0;
/// Rating points per unit of strength: 400 points more mean ten wins for each loss.
const POINTS: f64 = 400.0 / std::f64::consts::LN_10;
/// Standard deviations of an interval of 95 %.
const Z: f64 = 1.959_964;
/// The most steps of Newton's method, which converges in far fewer.
const MOST_STEPS: usize = 100;
/// Steps smaller than this count as zero.
const SMALL: f64 = 1e-10;

/// How strong a bot is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating; the mean of all bots is 1500.
    pub rating: f64,
    /// The ends of the interval that contains the rating with a probability of 95 %.
    pub interval: [f64; 2],
}

/// The ratings of this many bots after these games.
#[must_use]
pub fn ratings(bots: usize, games: &[Meeting]) -> Vec<Rating> {
    let pairs = Pairs::of(bots, games);
    let strengths = pairs.strengths();
    let (_, hessian) = pairs.slope_and_hessian(&strengths);
    let variances = Cholesky::of(hessian).variances_from_mean();
    let mean = strengths.iter().sum::<f64>() / strengths.len().max(1) as f64;
    let rating = |(strength, variance): (&f64, f64)| {
        let half = Z * variance.max(0.0).sqrt() * POINTS;
        let rating = MIDDLE + (strength - mean) * POINTS;
        Rating {
            rating,
            interval: [rating - half, rating + half],
        }
    };
    strengths.iter().zip(variances).map(rating).collect()
}

/// The number of games between any two bots, and their results.
struct Pairs {
    bots: usize,
    /// At `[one][other]`: the number of games, and the share that `one` won.
    games: Vec<f64>,
    shares: Vec<f64>,
}

impl Pairs {
    fn of(bots: usize, games: &[Meeting]) -> Pairs {
        let mut pairs = Pairs {
            bots,
            games: vec![0.0; bots * bots],
            shares: vec![0.0; bots * bots],
        };
        for game in games {
            let [one, other] = game.bots;
            for (one, other, share) in [(one, other, game.share), (other, one, 1.0 - game.share)] {
                pairs.games[one * bots + other] += 1.0;
                pairs.shares[one * bots + other] += share;
            }
        }
        pairs
    }

    /// The strengths for which the games are the most likely, by Newton's method.
    fn strengths(&self) -> Vec<f64> {
        let mut strengths = vec![0.0; self.bots];
        for _ in 0..MOST_STEPS {
            let (slope, hessian) = self.slope_and_hessian(&strengths);
            let step = Cholesky::of(hessian).solve(&slope);
            let mut share = 1.0;
            let before = self.likelihood(&strengths);
            let next = loop {
                let moved = strengths
                    .iter()
                    .zip(&step)
                    .map(|(strength, step)| strength + share * step);
                let moved: Vec<f64> = moved.collect();
                if self.likelihood(&moved) >= before || share < SMALL {
                    break moved;
                }
                share /= 2.0;
            };
            let largest = step
                .iter()
                .fold(0.0, |largest: f64, step| largest.max(step.abs()));
            strengths = next;
            if largest * share < SMALL {
                break;
            }
        }
        strengths
    }

    fn likelihood(&self, strengths: &[f64]) -> f64 {
        let thought = |strength: &f64| (ln_win(*strength) + ln_win(-*strength)) / 2.0;
        let mut sum: f64 = strengths.iter().map(thought).sum();
        for one in 0..self.bots {
            for other in 0..self.bots {
                let share = self.shares[one * self.bots + other];
                if share > 0.0 {
                    sum += share * ln_win(strengths[one] - strengths[other]);
                }
            }
        }
        sum
    }

    /// The gradient of the log-likelihood, and its negative Hessian.
    fn slope_and_hessian(&self, strengths: &[f64]) -> (Vec<f64>, Matrix) {
        let mut slope = vec![0.0; self.bots];
        let mut hessian = Matrix::new(self.bots);
        for one in 0..self.bots {
            let thought = win(strengths[one]);
            slope[one] += 0.5 - thought;
            *hessian.at(one, one) += thought * (1.0 - thought);
            for other in 0..self.bots {
                let games = self.games[one * self.bots + other];
                if games == 0.0 {
                    continue;
                }
                let expected = win(strengths[one] - strengths[other]);
                slope[one] += self.shares[one * self.bots + other] - games * expected;
                let bend = games * expected * (1.0 - expected);
                *hessian.at(one, one) += bend;
                *hessian.at(one, other) -= bend;
            }
        }
        (slope, hessian)
    }
}

/// The probability of a win for a lead in strength.
fn win(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead).exp())
}

/// The logarithm of [`win`], without overflow for any lead.
fn ln_win(lead: f64) -> f64 {
    lead.min(0.0) - (-lead.abs()).exp().ln_1p()
}

/// A square matrix, row by row.
struct Matrix {
    side: usize,
    cells: Vec<f64>,
}

impl Matrix {
    fn new(side: usize) -> Matrix {
        Matrix {
            side,
            cells: vec![0.0; side * side],
        }
    }

    fn at(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.cells[row * self.side + column]
    }

    fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.side + column]
    }
}

/// The lower triangular matrix `L` of a positive definite matrix `L L'`.
struct Cholesky(Matrix);

impl Cholesky {
    fn of(mut matrix: Matrix) -> Cholesky {
        for column in 0..matrix.side {
            for row in column..matrix.side {
                let known = (0..column).map(|k| matrix.get(row, k) * matrix.get(column, k));
                let rest = matrix.get(row, column) - known.sum::<f64>();
                // The imaginary games keep the diagonal positive.
                *matrix.at(row, column) = match row == column {
                    true => rest.max(f64::MIN_POSITIVE).sqrt(),
                    false => rest / matrix.get(column, column),
                };
            }
        }
        Cholesky(matrix)
    }

    /// The solution `x` of `L x = right`.
    fn forward(&self, right: &[f64]) -> Vec<f64> {
        let mut solved: Vec<f64> = Vec::with_capacity(right.len());
        for (row, value) in right.iter().enumerate() {
            let known = solved
                .iter()
                .enumerate()
                .map(|(k, x)| self.0.get(row, k) * x);
            solved.push((value - known.sum::<f64>()) / self.0.get(row, row));
        }
        solved
    }

    /// The solution `x` of `L L' x = right`.
    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut solved = self.forward(right);
        for row in (0..self.0.side).rev() {
            let known = (row + 1..self.0.side).map(|k| self.0.get(k, row) * solved[k]);
            let known: f64 = known.sum();
            solved[row] = (solved[row] - known) / self.0.get(row, row);
        }
        solved
    }

    /// For values whose covariance is the inverse of `L L'`: the variance of each value's
    /// distance from the mean of all.
    fn variances_from_mean(&self) -> Vec<f64> {
        let count = self.0.side as f64;
        let sums = self.solve(&vec![1.0; self.0.side]);
        let sum: f64 = sums.iter().sum();
        let own = |index: usize| -> f64 {
            let mut unit = vec![0.0; self.0.side];
            unit[index] = 1.0;
            let half = self.forward(&unit);
            half.iter().map(|value| value * value).sum()
        };
        let variance = |(index, with_all): (usize, &f64)| {
            own(index) - 2.0 * with_all / count + sum / (count * count)
        };
        sums.iter().enumerate().map(variance).collect()
    }
}

#[cfg(test)]
mod tests {
    use firmware_core::Rng;
    use proptest::prelude::*;

    use super::*;

    fn games(bots: [usize; 2], won: usize, lost: usize) -> Vec<Meeting> {
        let game = |share| Meeting { bots, share };
        let all = std::iter::repeat_n(game(1.0), won).chain(std::iter::repeat_n(game(0.0), lost));
        all.collect()
    }

    #[test]
    fn three_wins_to_one_loss_are_a_lead_of_191_points() {
        // 400 log10(3) = 190.85; with so many games, the two imaginary ones have no
        // effect.
        let [one, other] = ratings(2, &games([0, 1], 7_500, 2_500))[..] else {
            panic!("there are two")
        };
        let lead = one.rating - other.rating;
        assert!((lead - 190.85).abs() < 0.2, "{lead}");
        assert!((one.rating + other.rating - 3_000.0).abs() < 1e-6);
    }

    #[test]
    fn the_interval_of_two_bots_equals_a_manual_calculation() {
        // By symmetry both ratings are 1500. For 5 games and the imaginary one, the
        // Hessian is [[5 + 1, -5], [-5, 5 + 1]] / 4, and its inverse [[6, 5], [5, 6]] * 4
        // / 11. Each bot's distance from the mean is half the difference, so its variance
        // is a quarter of 2 * 4 / 11.
        let even = [
            games([0, 1], 2, 2),
            vec![Meeting {
                bots: [0, 1],
                share: 0.5,
            }],
        ]
        .concat();
        for rating in ratings(2, &even) {
            assert!((rating.rating - 1_500.0).abs() < 1e-6);
            let half = 1.959_964 * (2.0_f64 / 11.0).sqrt() * 400.0 / std::f64::consts::LN_10;
            assert!((rating.interval[1] - rating.rating - half).abs() < 1e-6);
        }
    }

    #[test]
    fn a_bot_that_won_every_game_has_a_finite_rating() {
        let ratings = ratings(3, &games([0, 1], 10, 0));
        assert!(
            ratings[0].rating > 1_600.0 && ratings[0].rating < 2_500.0,
            "{ratings:?}"
        );
        assert!((ratings[2].rating - 1_500.0).abs() < 1e-6);
        assert!(ratings[2].interval[1] - ratings[2].rating > 300.0);
    }

    #[test]
    fn intervals_contain_the_strength_in_19_of_20_contests() {
        let strengths = [0.8, 0.4, 0.0, -0.3, -0.9];
        let mut rng = Rng::new(1);
        let (mut held, mut all) = (0, 0);
        for _ in 0..100 {
            let mut games = Vec::new();
            for one in 0..strengths.len() {
                for other in one + 1..strengths.len() {
                    for _ in 0..20 {
                        let chance = f64::from(rng.next()) / f64::from(u32::MAX);
                        let won = chance < win(strengths[one] - strengths[other]);
                        let share = if won { 1.0 } else { 0.0 };
                        games.push(Meeting {
                            bots: [one, other],
                            share,
                        });
                    }
                }
            }
            for (rating, strength) in ratings(5, &games).iter().zip(strengths) {
                let true_rating = 1_500.0 + POINTS * strength;
                let [low, high] = rating.interval;
                held += u32::from(low < true_rating && true_rating < high);
                all += 1;
            }
        }
        // 95 % of 500 experiments, within three standard deviations.
        assert!((460..=490).contains(&held), "{held} of {all}");
    }

    proptest! {
        #[test]
        fn any_games_give_finite_ratings_at_the_optimum(
            results in proptest::collection::vec((0_usize..6, 0_usize..6, 0_u8..3), 0..60)
        ) {
            let games: Vec<Meeting> = results
                .iter()
                .filter(|(one, other, _)| one != other)
                .map(|(one, other, twice)| Meeting { bots: [*one, *other], share: f64::from(*twice) / 2.0 })
                .collect();
            let ratings = ratings(6, &games);
            let pairs = Pairs::of(6, &games);
            let (slope, _) = pairs.slope_and_hessian(&pairs.strengths());
            for (rating, slope) in ratings.iter().zip(slope) {
                prop_assert!(rating.rating.is_finite() && slope.abs() < 1e-6);
                prop_assert!(rating.interval[0] < rating.rating && rating.rating < rating.interval[1]);
            }
        }
    }
}
