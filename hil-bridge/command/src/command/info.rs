//! `info`: the identity and status of a board.

use anyhow::ensure;
use protocol::{Capabilities, Colour, Command, Hello, PROTOCOL_VERSION, SCHEMA_HASH, Status, Text};
use serde_json::json;
use touchboard_host::{Driver, event_words, words};
use touchboard_links::{At, Client, Where};

use super::{CommandEnd, ExitKind, Unwritten, print};

#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(flatten)]
    place: Where,
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options) -> CommandEnd {
    let place = &options.place;
    super::set_up(place)?;
    ensure!(
        place.begins_here() || (place.layout.is_none() && place.seed.is_none()),
        "info does not change the board at {}, so it can choose neither its layout nor its seed: leave --layout and --seed out",
        place.at
    );
    let (hello, status, sensors) = if place.at == At::Core {
        let (mut driver, seed) = place.open_seeded()?;
        let status = driver.status()?;
        (hello_of_core(&*driver, seed), status, "no")
    } else {
        let client = place.client()?;
        let status = client.status()?;
        let mut hello = client.view().hello;
        hello.tick = client.view().tick;
        let sensors = sensors(&client, &hello)?;
        (hello, status, sensors)
    };
    if options.json {
        print(in_json(place, &hello, &status))?;
    } else {
        say_words(place, &hello, &status, sensors)?;
    }
    Ok(ExitKind::Done)
}

/// Whether the board has its own sensors, and whether a host's clicks pass through them,
/// in words.
fn sensors(client: &Client, hello: &Hello) -> anyhow::Result<&'static str> {
    if !hello.capabilities.sensors {
        return Ok("no");
    }
    let answer = client.request(Command::fingers([]))?.result;
    Ok(if answer.is_ok() { "simulated" } else { "yes" })
}

/// The hello that the board in this process would send.
fn hello_of_core(driver: &dyn Driver, seed: u64) -> Hello {
    Hello {
        version: PROTOCOL_VERSION,
        schema: SCHEMA_HASH,
        board: Text::clipped("core"),
        firmware: Text::clipped(env!("CARGO_PKG_VERSION")),
        layout: driver.layout(),
        colours: Colour::COUNT as u8,
        capabilities: Capabilities {
            free_running: false,
            sensors: false,
            max_points: protocol::MAX_POINTS as u16,
            roster: driver.roster(),
        },
        seed,
        tick: driver.tick(),
        boot: 0,
    }
}

/// The identity of a board in a few words.
pub fn in_one_line(hello: &Hello) -> String {
    format!(
        "{}, firmware {}, layout {}, seed {}, tick {}",
        hello.board, hello.firmware, hello.layout, hello.seed, hello.tick
    )
}

fn games(hello: &Hello) -> Vec<String> {
    let roster = hello.capabilities.roster;
    roster.iter().map(words::game_name).collect()
}

fn say_words(
    place: &Where,
    hello: &Hello,
    status: &Status,
    sensors: &str,
) -> Result<(), Unwritten> {
    let yes_or_no = |is: bool| if is { "yes" } else { "no" };
    let capabilities = &hello.capabilities;
    print(format_args!("at             {}", place.at))?;
    print(format_args!("board          {}", hello.board))?;
    print(format_args!("firmware       {}", hello.firmware))?;
    print(format_args!(
        "protocol       {} (schema {:016x})",
        hello.version, hello.schema
    ))?;
    print(format_args!(
        "layout         {} (at most {} points)",
        hello.layout, capabilities.max_points
    ))?;
    print(format_args!("colours        {}", hello.colours))?;
    print(format_args!("games          {}", games(hello).join(", ")))?;
    print(format_args!(
        "own timer      {}",
        yes_or_no(capabilities.free_running)
    ))?;
    print(format_args!("own sensors    {sensors}"))?;
    print(format_args!("seed           {}", hello.seed))?;
    print(format_args!("tick           {}", hello.tick))?;
    print(format_args!(
        "settings       {}",
        event_words::settings(&status.settings, hello.layout)
    ))?;
    if let Some(side) = status.turn {
        print(format_args!("turn           {}", side.name()))?;
    }
    if let Some([green, red]) = status.score {
        print(format_args!("score          {green} {red}"))?;
    }
    if let Some(outcome) = status.outcome {
        print(format_args!("over           {}", words::outcome(outcome)))?;
    }
    Ok(())
}

fn in_json(place: &Where, hello: &Hello, status: &Status) -> serde_json::Value {
    json!({
        "at": place.at.to_string(),
        "board": &*hello.board,
        "firmware": &*hello.firmware,
        "protocol": hello.version,
        "schema": format!("{:016x}", hello.schema),
        "layout": hello.layout.to_string(),
        "colours": hello.colours,
        "games": games(hello),
        "timer": hello.capabilities.free_running,
        "sensors": hello.capabilities.sensors,
        "seed": hello.seed,
        "tick": hello.tick,
        "settings": {
            "game": status.settings.game,
            "time": status.settings.time,
            "speed": status.settings.speed,
            "level": status.settings.level,
            "mode": status.settings.mode,
        },
        "turn": status.turn.map(|side| side.name()),
        "score": status.score,
        "over": status.outcome.is_some(),
        "winner": status.outcome.map(|outcome| outcome.name()),
    })
}
