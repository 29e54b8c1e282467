//! `bench`: how fast the line to a board is, and how fast it could be.

use std::time::{Duration, Instant};

use protocol::{Button, Deed, Input, Layout, Point, Settings};
use touchboard_host::traffic::BITS_PER_BYTE;
use touchboard_host::{CoreDriver, Driver};
use touchboard_links::client::Counters;
use touchboard_links::{At, RemoteDriver, Where};

use super::{CommandEnd, ExitKind, print};

#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(flatten)]
    place: Where,
    /// The number of messages of each kind
    #[arg(
        long,
        value_name = "COUNT",
        default_value_t = 2_000,
        value_parser = touchboard_completions::number(1, u32::MAX),
        allow_negative_numbers = true
    )]
    count: u32,
}

pub fn run(options: &Options) -> CommandEnd {
    let place = &options.place;
    super::set_up(place)?;
    place.needs_sound_board("bench measures a sound board")?;
    if place.at == At::Core {
        let layout = place.first_layout();
        let mut board = CoreDriver::new(layout, place.seed.unwrap_or(0))?;
        let nothing = |_: &CoreDriver| Counters::default();
        return measure(options, &mut board, &nothing);
    }
    let mut board = place.remote()?;
    measure(options, &mut board, &|board: &RemoteDriver| {
        board.client().view().counters
    })
}

/// The measurements of one kind of message.
struct Measured {
    times: Vec<Duration>,
    events: usize,
    sent_bytes: u64,
    received_bytes: u64,
}

impl Measured {
    fn per_second(&self, count: usize) -> f64 {
        let total: Duration = self.times.iter().sum();
        count as f64 / total.as_secs_f64().max(1e-9)
    }

    fn quantile(&self, part: f64) -> f64 {
        let place = ((self.times.len() as f64 * part) as usize).min(self.times.len() - 1);
        self.times[place].as_secs_f64() * 1e6
    }

    fn bytes(&self) -> f64 {
        (self.sent_bytes + self.received_bytes) as f64 / self.times.len() as f64
    }
}

fn measure<D: Driver>(
    options: &Options,
    board: &mut D,
    counters: &dyn Fn(&D) -> Counters,
) -> CommandEnd {
    let count = options.count;
    let layout = board.layout();
    let seed = options.place.seed.unwrap_or(0);
    board.carry_out(&Deed::Reset { seed, layout })?;
    print(format_args!(
        "bench --at {} --count {count}, layout {layout}",
        options.place.at
    ))?;
    let times = |board: &mut D, what: &mut dyn FnMut(&mut D, u32) -> anyhow::Result<usize>| {
        let before = counters(board);
        let mut measured = Measured {
            times: Vec::new(),
            events: 0,
            sent_bytes: 0,
            received_bytes: 0,
        };
        for number in 0..count {
            let begin = Instant::now();
            measured.events += what(board, number)?;
            measured.times.push(begin.elapsed());
        }
        let after = counters(board);
        measured.sent_bytes = after.sent_bytes - before.sent_bytes;
        measured.received_bytes = after.received_bytes - before.received_bytes;
        measured.times.sort();
        anyhow::Ok(measured)
    };
    let digests = times(board, &mut |board, _| {
        board.digest()?;
        Ok(0)
    })?;
    let ticks = times(board, &mut |board, _| {
        board.step(&[], 1)?;
        Ok(board.take_events().len())
    })?;
    begin_game(board)?;
    let touches = times(board, &mut |board, number| touch(board, layout, number))?;
    for (what, measured) in [
        ("question (hash)", &digests),
        ("tick", &ticks),
        ("touch and release", &touches),
    ] {
        print(row(options, what, measured))?;
    }
    print(format_args!(
        "{:.0} events/s; a touch takes {:.1} bytes to the board and {:.1} back",
        touches.per_second(touches.events),
        touches.sent_bytes as f64 / f64::from(count),
        touches.received_bytes as f64 / f64::from(count)
    ))?;
    Ok(ExitKind::Done)
}

/// Starts Reversi for two players, because its moves change the most points.
fn begin_game(board: &mut dyn Driver) -> anyhow::Result<()> {
    board.carry_out(&Deed::Settings(Settings {
        time: 9,
        ..Settings::default()
    }))?;
    start(board)
}

fn start(board: &mut dyn Driver) -> anyhow::Result<()> {
    board.step(
        &[Input::Press(Button::Start), Input::Lift(Button::Start)],
        1,
    )?;
    board.take_events();
    Ok(())
}

/// Touches one point after the other, whether it is a move or not.
fn touch(board: &mut dyn Driver, layout: Layout, number: u32) -> anyhow::Result<usize> {
    let point = Point((number * 31 % layout.points() as u32) as u8);
    board.step(&[Input::Touch(point), Input::Release(point)], 1)?;
    Ok(board.take_events().len())
}

/// The measurements of one kind of message, on one line.
fn row(options: &Options, what: &str, measured: &Measured) -> String {
    let times = format!(
        "{what:18} p50 {:.0} us, p99 {:.0} us, max {:.0} us, {:.0}/s",
        measured.quantile(0.50),
        measured.quantile(0.99),
        measured.quantile(1.0),
        measured.per_second(measured.times.len())
    );
    if options.place.at == At::Core {
        return times;
    }
    let baud = f64::from(options.place.line.baud.max(1));
    let floor_us = measured.bytes() * BITS_PER_BYTE as f64 * 1e6 / baud;
    format!(
        "{times}; {:.1} bytes, which take {floor_us:.0} us at {baud} baud",
        measured.bytes()
    )
}
