//! Steps of a board in lockstep.

use protocol::{Command, Done, Input, Tick};

use super::answers::nonsense;
use crate::driver::DriverError;

/// The maximum number of ticks in one request. The board itself may do fewer in one go.
const TICKS_AT_ONCE: Tick = 1 << 30;

/// How many steps in a row may return without progress.
const IDLE_STEPS: u32 = 64;

/// Gives a board in lockstep all of these inputs, and lets all of these ticks pass, in as
/// many requests as necessary. Each request that may be the last asks for the digest.
///
/// # Errors
/// Those of `ask`, and when the board's answers are none to a step.
pub async fn step_all(
    name: &str,
    mut inputs: &[Input],
    mut ticks: Tick,
    digest: bool,
    ask: &mut impl AsyncFnMut(Command) -> Result<Done, DriverError>,
) -> Result<Option<u64>, DriverError> {
    const INPUTS_AT_ONCE: usize = 8;
    let mut idle = 0;
    loop {
        let few = inputs.get(..INPUTS_AT_ONCE).unwrap_or(inputs);
        let last = few.len() == inputs.len();
        let asked = if last { ticks.min(TICKS_AT_ONCE) } else { 0 };
        let done = ask(Command::Step {
            inputs: few.iter().copied().collect(),
            ticks: asked as u32,
            digest: digest && last,
        })
        .await?;
        let Done::Stepped {
            inputs: taken,
            ticks: passed,
            digest: now,
        } = done
        else {
            return Err(nonsense(name, "a step"));
        };
        inputs = inputs.get(taken.into()..).unwrap_or(&[]);
        ticks = ticks.saturating_sub(passed.into());
        if inputs.is_empty() && ticks == 0 {
            return Ok(now);
        }
        idle = if taken == 0 && passed == 0 {
            idle + 1
        } else {
            0
        };
        if idle > IDLE_STEPS {
            return Err(nonsense(name, "a step that it does not take"));
        }
    }
}
