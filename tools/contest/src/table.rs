//! The table of a contest, as text, Markdown and JSON.
//!
//! Invariants: it depends on the results alone, so the same games give the same table, on
//! any number of threads.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::game::result;
use crate::journal::{Contest, FinishedGame};
use crate::ratings::{Rating, ratings};
use crate::standing::{Score, Standing};

/// The row of one bot.
struct Row<'a> {
    place: usize,
    name: &'a str,
    score: &'a Score,
    rating: Rating,
}

/// The table of a contest.
pub struct Table<'a> {
    contest: &'a Contest,
    records: Vec<&'a FinishedGame>,
    rows: Vec<Row<'a>>,
}

impl<'a> Table<'a> {
    /// The table after these games.
    #[must_use]
    pub fn new(
        contest: &'a Contest,
        standing: &'a Standing,
        records: impl Iterator<Item = &'a FinishedGame>,
    ) -> Table<'a> {
        let ratings = ratings(contest.bots.len(), standing.games());
        let bots = contest.bots.iter().zip(standing.scores()).zip(ratings);
        let mut rows: Vec<Row<'_>> = bots
            .map(|((bot, score), rating)| Row {
                place: 0,
                name: &bot.name,
                score,
                rating,
            })
            .collect();
        rows.sort_by(|one, other| {
            let by_points = other.score.points.cmp(&one.score.points);
            let by_won = other.score.won.cmp(&one.score.won);
            by_points
                .then(by_won)
                .then_with(|| one.name.cmp(other.name))
        });
        for index in 0..rows.len() {
            let score = |row: &Row<'_>| (row.score.points, row.score.won);
            let shares = index > 0 && score(&rows[index - 1]) == score(&rows[index]);
            rows[index].place = if shares {
                rows[index - 1].place
            } else {
                index + 1
            };
        }
        Table {
            contest,
            records: records.collect(),
            rows,
        }
    }

    /// The table as text for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let longest = self.rows.iter().map(|row| row.name.chars().count()).max();
        let width = longest.unwrap_or(0).max(3);
        let mut text = format!(
            "place  {:width$}  games  points    won  drawn   lost  rating       95 %   faults\n",
            "bot"
        );
        for row in &self.rows {
            let Row { name, score, .. } = row;
            let [low, high] = row.rating.interval;
            let line = format!(
                "{:>5}  {name:width$}  {:>5}  {:>6}  {:>5}  {:>5}  {:>5}  {:>6.0}  {low:>4.0}-{high:<4.0}   {}",
                row.place,
                score.games,
                score.points,
                score.won,
                score.drawn,
                score.lost,
                row.rating.rating,
                faults(score),
            );
            text.push_str(line.trim_end());
            text.push('\n');
        }
        let sentences = self.fault_sentences();
        if !sentences.is_empty() {
            text.push('\n');
        }
        for sentence in sentences {
            text.push_str(&sentence);
            text.push('\n');
        }
        text
    }

    /// The table as Markdown for a page.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = String::from(
            "| place | bot | games | points | won | drawn | lost | rating | 95 % | faults |\n\
             | --: | --- | --: | --: | --: | --: | --: | --: | :-: | --- |\n",
        );
        for row in &self.rows {
            let Row { name, score, .. } = row;
            let [low, high] = row.rating.interval;
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "| {} | {name} | {} | {} | {} | {} | {} | {:.0} | {low:.0}-{high:.0} | {} |",
                row.place,
                score.games,
                score.points,
                score.won,
                score.drawn,
                score.lost,
                row.rating.rating,
                faults(score),
            );
        }
        text
    }

    /// The table as JSON for a program.
    #[must_use]
    pub fn json(&self) -> Value {
        let tenths = |value: f64| (value * 10.0).round() / 10.0;
        let row = |row: &Row<'_>| {
            let mut value = json!({
                "place": row.place,
                "bot": row.name,
                "rating": tenths(row.rating.rating),
                "interval": row.rating.interval.map(tenths),
            });
            if let (Value::Object(value), Value::Object(score)) = (&mut value, json!(row.score)) {
                value.extend(score);
            }
            value
        };
        let game = |record: &&FinishedGame| {
            let moves = record.moves().unwrap_or_default();
            let points = result(&moves, record.lost.as_ref()).map(|(_, points)| points);
            json!({
                "game": record.game, "x": record.names[0], "o": record.names[1],
                "points": points, "moves": moves.len(), "fault": record.lost,
            })
        };
        json!({
            "plan": self.contest.plan,
            "limits": self.contest.limits,
            "bots": self.rows.iter().map(row).collect::<Vec<_>>(),
            "games": self.records.iter().map(game).collect::<Vec<_>>(),
        })
    }

    /// For each bot and kind of fault, the first game that it lost by such a fault.
    fn fault_sentences(&self) -> Vec<String> {
        let mut told = Vec::new();
        let mut sentences = Vec::new();
        for record in &self.records {
            let Some(lost) = &record.lost else { continue };
            let name = match lost.by {
                'x' => &record.names[0],
                _ => &record.names[1],
            };
            if !told.contains(&(name, lost.fault.kind)) {
                told.push((name, lost.fault.kind));
                sentences.push(format!("{name}, game {}: {}", record.game, lost.fault));
            }
        }
        sentences.sort();
        sentences
    }
}

/// The kinds of faults with their numbers: `2 time, 1 move`.
fn faults(score: &Score) -> String {
    let word =
        |(kind, count): (&crate::fault::BotFaultKind, &u32)| format!("{count} {}", kind.word());
    let words: Vec<String> = score.faults.iter().map(word).collect();
    words.join(", ")
}
