//! How fast touches become lights on lines of all kinds: a table of loss, latency and speed.
//!
//! A person plays legal moves through the host, each as soon as the one before was
//! answered. Nothing but the line is in the way: the board runs by itself, and no cable is
//! pulled out.

use protocol::wire;
use protocol::{
    Button, Colour, Command, Deed, Frame, Input, Pace, Point, Request, Settings, ToDevice, ToHost,
};

use crate::host::Errand;
use crate::judge::Violation;
use crate::plan::{RunPlan, Touching};
use crate::world::{RunLog, World};

/// The rates at which a bit of a byte is flipped, per million bytes. About one message in a
/// hundred is damaged by the second, and one in ten by the third.
const FLIPS_PPM: [u64; 3] = [0, 500, 5_000];
/// The time that a byte takes besides its own length.
const LATENCIES_MS: [u64; 3] = [0, 5, 50];
/// The speeds of lines: 9,600 and 115,200 baud, and USB at full speed.
const SPEEDS_BYTES_PER_S: [u64; 3] = [960, 11_520, 1_000_000];

/// The number of touches on each line.
const TOUCHES: u32 = 60;
/// The most time that they may take.
const LONGEST_US: u64 = 300_000_000;

/// What was measured on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepCell {
    /// The flipped bits per million bytes.
    pub flip_ppm: u64,
    /// The latency of each direction, in ms.
    pub latency_ms: u64,
    /// The speed in bytes per second.
    pub bytes_per_s: u64,
    /// The messages that did not arrive, in hundredths of a per cent.
    pub lost_per_myriad: u64,
    /// The answered touches in 100 seconds.
    pub touches_per_100_s: u64,
    /// The median time from a touch to its light, in microseconds.
    pub median_us: u64,
    /// The 99th percentile of that time.
    pub percentile_99_us: u64,
    /// The time that question and light take on this line at least.
    pub floor_us: u64,
    /// How often the host took up the whole state again.
    pub resyncs: u64,
}

fn plan(flip_ppm: u64, latency_ms: u64, bytes_per_s: u64) -> RunPlan {
    let mut plan = RunPlan::of(0);
    plan.layouts = vec![protocol::Layout::MALDOO.into()];
    plan.text = None;
    plan.settings = Settings::default();
    plan.pace = Pace::Free { permille: 1_000 };
    plan.clock_permille = 1_000;
    plan.bytes_per_s = bytes_per_s;
    plan.latency_us = 1_000 * latency_ms;
    plan.piece_bytes = 16;
    plan.notices_hang_up = true;
    plan.faults = firmware_core::Faults::default();
    plan.faults.line.flip_ppm = flip_ppm;
    plan.has_matrix = false;
    plan.hosts = 1;
    plan.faulty_us = u64::MAX;
    plan.acts = Vec::new();
    plan
}

/// The bytes of a touch on its way, and of the light that answers it.
fn bytes_of_touch_and_light() -> u64 {
    let touch = ToDevice::Request(Request {
        number: u32::MAX,
        seen: 1_000,
        command: Command::Do(Deed::Input(Input::Touch(Point(40)))),
    });
    let mut lit = Frame::default();
    lit.points.set(Point(40), Colour::GREEN);
    let light = ToHost::Delta {
        number: 1_000,
        tick: 100_000,
        delta: Frame::default().delta(&lit).unwrap_or_default(),
    };
    (wire::encoded(&touch).len() + wire::encoded(&light).len()) as u64
}

/// The touches that were answered on a line.
#[derive(Default)]
struct AnsweredTouches {
    answered: u64,
    /// How long each took until its light was shown, if there was one.
    to_light_us: Vec<u64>,
}

impl AnsweredTouches {
    /// Makes a touch, which is these inputs, and waits for its answers. False if there is
    /// none.
    fn make(&mut self, world: &mut World<'_>, inputs: &[Input]) -> Result<bool, Violation> {
        let Some((first, rest)) = inputs.split_first() else {
            return Ok(false);
        };
        let before = world.shown();
        let touched_us = world.now_us();
        let mut is_taken = send(world, *first);
        world.play_while(touched_us + LONGEST_US, |world| {
            world.host().is_busy() && world.shown() == before
        })?;
        if world.shown() != before {
            self.to_light_us.push(world.now_us() - touched_us);
        }
        for input in rest {
            is_taken &= send(world, *input);
        }
        world.play_while(touched_us + LONGEST_US, |world| world.host().is_busy())?;
        self.answered += u64::from(is_taken);
        Ok(true)
    }

    /// The time within which this share of the lights was shown. They are in order.
    fn percentile_us(&self, percent: usize) -> u64 {
        let times = &self.to_light_us;
        let place = (times.len() * percent).div_ceil(100).saturating_sub(1);
        times.get(place).copied().unwrap_or(0)
    }
}

/// Lets the host send an input. True if it took it.
fn send(world: &mut World<'_>, input: Input) -> bool {
    let command = Command::Do(Deed::Input(input));
    world.host_mut().give(Errand::Command(Box::new(command)))
}

/// Measures one line.
///
/// # Errors
/// What went wrong.
fn measure(flip_ppm: u64, latency_ms: u64, bytes_per_s: u64) -> Result<SweepCell, Violation> {
    let plan = plan(flip_ppm, latency_ms, bytes_per_s);
    let mut world = World::new(&plan, RunLog::None).map_err(Violation::NoBoard)?;
    let mut rng = firmware_core::Rng::new(1);
    let mut touches = AnsweredTouches::default();
    // The host meets the board and its state first.
    world.play_while(LONGEST_US, |world| {
        world.host().twin().board().is_none() || world.host().is_busy()
    })?;
    let (begun_us, begun) = (world.now_us(), world.line_figures());
    for _ in 0..TOUCHES {
        let mut inputs = world.board.inputs(Touching::Legal(rng.next()));
        if inputs.is_empty() {
            inputs = world.board.inputs(Touching::Button(Button::Start));
        }
        let is_begun = touches.make(&mut world, &inputs)?;
        if !is_begun || world.now_us() - begun_us > LONGEST_US {
            break;
        }
    }
    touches.to_light_us.sort_unstable();
    let passed_us = (world.now_us() - begun_us).max(1);
    let figures = world.line_figures();
    Ok(SweepCell {
        flip_ppm,
        latency_ms,
        bytes_per_s,
        lost_per_myriad: 10_000 * (figures.damaged_frames - begun.damaged_frames)
            / (figures.frames - begun.frames).max(1),
        touches_per_100_s: touches.answered * 100_000_000 / passed_us,
        median_us: touches.percentile_us(50),
        percentile_99_us: touches.percentile_us(99),
        floor_us: bytes_of_touch_and_light() * 1_000_000 / bytes_per_s + 2_000 * latency_ms,
        resyncs: world.host().figures().resyncs.saturating_sub(1),
    })
}

/// Measures all lines of the table.
///
/// # Errors
/// What went wrong on a line.
pub fn sweep() -> Result<Vec<SweepCell>, Violation> {
    let mut cells = Vec::new();
    for bytes_per_s in SPEEDS_BYTES_PER_S {
        for latency_ms in LATENCIES_MS {
            for flip_ppm in FLIPS_PPM {
                cells.push(measure(flip_ppm, latency_ms, bytes_per_s)?);
            }
        }
    }
    Ok(cells)
}

/// The table, as a page of the book has it.
#[must_use]
pub fn table(cells: &[SweepCell]) -> String {
    let mut table = String::from(
        "| bytes/s | latency | messages lost | touches/s | floor | p50 | p99 | resyncs |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let ms = |us: u64| format!("{}.{} ms", us / 1_000, us % 1_000 / 100);
    for cell in cells {
        let SweepCell {
            bytes_per_s,
            latency_ms,
            lost_per_myriad: lost,
            touches_per_100_s: touches,
            resyncs,
            ..
        } = cell;
        table.push_str(&format!(
            "| {bytes_per_s} | {latency_ms} ms | {}.{:02} % | {}.{:02} | {} | {} | {} | {resyncs} |\n",
            lost / 100,
            lost % 100,
            touches / 100,
            touches % 100,
            ms(cell.floor_us),
            ms(cell.median_us),
            ms(cell.percentile_99_us),
        ));
    }
    table
}
