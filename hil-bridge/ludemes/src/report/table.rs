//! A report as a table for a terminal.

use std::fmt;
use std::time::Duration;

use super::{EndCount, Report};

/// `part` of `of`, in per cent.
fn percent(part: u32, of: u32) -> String {
    let share = 100.0 * f64::from(part) / f64::from(of.max(1));
    format!("{share:.1} %")
}

/// A number with its thousands separated.
fn thousands(number: u32) -> String {
    let digits = number.to_string();
    let mut result = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            result.push(',');
        }
        result.push(digit);
    }
    result
}

impl fmt::Display for Report {
    /// Writes the report as a table for a terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.games;
        write!(
            f,
            "{}: {} random games from seed {}",
            self.name,
            thousands(games),
            self.seed
        )?;
        // Games that were played elsewhere have no time.
        match self.took {
            Duration::ZERO => writeln!(f)?,
            took => writeln!(f, ", {:.1} s", took.as_secs_f64())?,
        }
        if games > 0 {
            self.figures(f)?;
            writeln!(f, "\n{:>8}           how they ended", "games")?;
            for EndCount {
                words,
                games,
                any_of,
            } in self.endings()
            {
                let share = percent(games, self.games);
                writeln!(f, "{:>8} {share:>8}  {words}", thousands(games))?;
                for (words, games) in any_of {
                    let share = percent(games, self.games);
                    writeln!(f, "{:>8} {share:>8}    - {words}", thousands(games))?;
                }
            }
        }
        self.failures(f)
    }
}

impl Report {
    /// How the games ended, the most frequent first.
    fn endings(&self) -> Vec<EndCount> {
        let mut all = self.ends.clone();
        let passed = match self.players {
            0 => "nothing changes any more",
            _ => "nobody could move, or all passed",
        };
        let stopped = "stopped at the limit of turns or moves";
        for (words, games) in [(passed, self.passed), (stopped, self.stopped)] {
            all.push(EndCount {
                words: words.to_owned(),
                games,
                any_of: Vec::new(),
            });
        }
        all.retain(|end| end.games > 0);
        all.sort_by_key(|end| std::cmp::Reverse(end.games));
        all
    }

    fn figures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends = [self.lengths.keys().next(), self.lengths.keys().next_back()];
        let [shortest, longest] = ends.map(|moves| moves.copied().unwrap_or(0));
        let (mean, median) = (self.mean_length(), self.median_length());
        writeln!(
            f,
            "\nmoves a game     mean {mean:.1}, median {median}, {shortest} to {longest}"
        )?;
        writeln!(
            f,
            "choices a move   mean {:.1}, at most {}",
            self.mean_choices(),
            self.most_choices
        )?;
        for (player, wins) in self.wins.iter().enumerate() {
            let who = format!("player {} won", player + 1);
            let share = percent(*wins, self.games);
            writeln!(f, "{who:<15}{:>8} {share:>8}", thousands(*wins))?;
        }
        if self.players > 1 {
            let share = percent(self.draws, self.games);
            writeln!(f, "{:<15}{:>8} {share:>8}", "drawn", thousands(self.draws))?;
        }
        if self.stopped > 0 {
            let share = percent(self.stopped, self.games);
            let many = thousands(self.stopped);
            writeln!(f, "{:<15}{many:>8} {share:>8}", "stopped")?;
        }
        if self.swaps > 0 {
            let share = percent(self.swaps, self.games);
            let many = thousands(self.swaps);
            writeln!(f, "{:<15}{many:>8} {share:>8}", "colours swapped")?;
        }
        if self.players > 1 {
            let [low, high] = self.first_interval().map(|share| 100.0 * share);
            writeln!(
                f,
                "first player     {:.1} % of the points (95 %: {low:.1} to {high:.1} %): {}",
                100.0 * self.first_share(),
                self.advantage()
            )?;
        }
        Ok(())
    }

    fn failures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST_NAMED: usize = 10;
        if self.failed.is_empty() {
            return Ok(());
        }
        writeln!(
            f,
            "\n{} failed: a move took more steps or more room than there is. To play such a game again, give its seed and --games 1:",
            thousands(self.failed.len() as u32)
        )?;
        for seed in self.failed.iter().take(MOST_NAMED) {
            writeln!(f, "  --seed {seed}")?;
        }
        let more = self.failed.len().saturating_sub(MOST_NAMED);
        if more > 0 {
            writeln!(f, "  and {more} more")?;
        }
        Ok(())
    }
}
