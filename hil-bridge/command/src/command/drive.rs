//! Drives boards, or lets them run freely, while other code does something with them.

use protocol::{Command, Deed, Pace};
use touchboard_host::check::Generator;
use touchboard_host::{CoreDriver, Driver};
use touchboard_links::Where;
use touchboard_links::client::Client;

use super::{CommandEnd, ExitKind};

/// Drives the board with the random steps of `check`, which are chosen by looking at a
/// local board. After each step, `stepped` gets the remarks about the line.
///
/// # Errors
/// When the board does not answer.
pub fn play_by(
    driver: &mut dyn Driver,
    seed: u64,
    steps: u64,
    stepped: &mut dyn FnMut(Vec<String>),
) -> CommandEnd {
    let mut generator = Generator::new(seed, driver.layout());
    let mut mirror = CoreDriver::new(driver.layout(), 0)?;
    mirror.load(&driver.save()?)?;
    for _ in 0..steps {
        let step = generator.next(mirror.board());
        step.carry_out(driver)?;
        step.carry_out(&mut mirror)?;
        driver.take_events();
        mirror.take_events();
        stepped(driver.take_remarks());
    }
    Ok(ExitKind::Done)
}

/// Resets a board for which a layout or seed was requested, and makes it free-running.
///
/// # Errors
/// When it does not answer, or refuses.
pub fn run_free(client: &Client, place: &Where) -> anyhow::Result<()> {
    if place.seed.is_some() || place.layout.is_some() {
        let hello = client.view().hello;
        let reset = Command::Do(Deed::Reset {
            seed: place.seed.unwrap_or(hello.seed),
            layout: place.layout().unwrap_or(hello.layout),
        });
        client.request(reset)?.result?;
    }
    let pace = Pace::Free { permille: 1_000 };
    client.request(Command::Pace(pace))?.result?;
    Ok(())
}
