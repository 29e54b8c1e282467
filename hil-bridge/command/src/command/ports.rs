//! `ports`: the serial ports that have a board.

use anyhow::{bail, ensure};
use touchboard_links::link::port_names;
use touchboard_links::{At, LineOptions, Where};

use super::{CommandEnd, ExitKind, print};
use crate::command::info::in_one_line;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Look only here: virtual, qemu, qemu:IMAGE, pico, pico:usb, tcp:HOST:PORT, or a
    /// serial port
    #[arg(long, value_name = "WHERE")]
    at: Option<At>,
    #[command(flatten)]
    line: LineOptions,
}

pub fn run(options: &Options) -> CommandEnd {
    let places: Vec<At> = match &options.at {
        Some(at) => vec![at.clone()],
        None => port_names().into_iter().map(At::Serial).collect(),
    };
    if places.is_empty() {
        bail!(
            "this computer has no serial port: plug a board in, or write --at virtual, --at qemu or --at tcp:HOST:PORT"
        );
    }
    ensure!(
        options.line.bytes.is_none() || places.len() == 1,
        "--bytes records one line: name its port with --at"
    );
    let places: Vec<Where> = places
        .into_iter()
        .map(|at| Where {
            line: options.line.clone(),
            ..Where::new(at)
        })
        .collect();
    for place in &places {
        super::set_up(place)?;
    }
    // All ports are tried in parallel, because a port without a board fails only after a
    // while.
    let asked: Vec<_> = places
        .into_iter()
        .map(|place| {
            let at = place.at.clone();
            (at, std::thread::spawn(move || describe(&place)))
        })
        .collect();
    let mut found = false;
    for (at, asked) in asked {
        match asked.join() {
            Ok(Ok(words)) => {
                print(format_args!("{at}  {words}"))?;
                found = true;
            }
            Ok(Err(error)) => print(format_args!("{at}  no board: {error}"))?,
            Err(_) => print(format_args!("{at}  no board: asking it failed"))?,
        }
    }
    if !found {
        bail!("there is no board at any of these ports");
    }
    Ok(ExitKind::Done)
}

fn describe(place: &Where) -> anyhow::Result<String> {
    if place.at == At::Core {
        let driver = place.open()?;
        return Ok(format!("core, layout {}", driver.layout()));
    }
    let client = place.client()?;
    Ok(in_one_line(&client.view().hello))
}
