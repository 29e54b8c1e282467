//! `info`: who a board is, and how it stands.

use firmware_core::board::games_bits;
use hil_bridge::{At, Client, Driver, Where, words};
use protocol::{
    Capabilities, Colour, Command, Done as Answer, Hello, PROTOCOL_VERSION, SCHEMA_HASH, Status,
    Text,
};
use serde_json::json;

use super::{Done, Ending};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    place: Where,
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Done {
    let place = &arguments.place;
    super::set_up(place);
    let (hello, status) = if place.at == At::Core {
        let (mut driver, seed) = place.open_seeded()?;
        let status = driver.status()?;
        (hello_of_core(&*driver, seed), status)
    } else {
        let client = place.client()?;
        let status = status(&client)?;
        let mut hello = client.view().hello;
        hello.tick = client.view().tick;
        (hello, status)
    };
    if arguments.json {
        println!("{}", in_json(place, &hello, &status));
    } else {
        print_words(place, &hello, &status);
    }
    Ok(Ending::Done)
}

fn status(client: &Client) -> anyhow::Result<Status> {
    match client.request(Command::Status)?.result? {
        Answer::Status(status) => Ok(status),
        other => anyhow::bail!("the board answered {other:?} when it was asked how it stands"),
    }
}

/// What the board in this process would say of itself.
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
            games: games_bits(),
        },
        seed,
        tick: driver.tick(),
        boot: 0,
    }
}

/// Who a board is, in few words.
pub fn in_one_line(hello: &Hello) -> String {
    format!(
        "{}, firmware {}, layout {}, seed {}, tick {}",
        hello.board, hello.firmware, hello.layout, hello.seed, hello.tick
    )
}

fn games(hello: &Hello) -> Vec<String> {
    let bits = hello.capabilities.games;
    let here = (0..16).filter(|number| bits >> number & 1 == 1);
    here.map(words::game_name).collect()
}

fn print_words(place: &Where, hello: &Hello, status: &Status) {
    let yes_or_no = |is: bool| if is { "yes" } else { "no" };
    let capabilities = &hello.capabilities;
    println!("at             {}", place.at);
    println!("board          {}", hello.board);
    println!("firmware       {}", hello.firmware);
    println!(
        "protocol       {} (schema {:016x})",
        hello.version, hello.schema
    );
    println!(
        "layout         {} (at most {} points)",
        hello.layout, capabilities.max_points
    );
    println!("colours        {}", hello.colours);
    println!("games          {}", games(hello).join(", "));
    println!("own timer      {}", yes_or_no(capabilities.free_running));
    println!("own sensors    {}", yes_or_no(capabilities.sensors));
    println!("seed           {}", hello.seed);
    println!("tick           {}", hello.tick);
    println!("settings       {}", words::settings(&status.settings));
    if let Some(side) = status.turn {
        println!("turn           {}", side.name());
    }
    if let Some([green, red]) = status.score {
        println!("score          {green} {red}");
    }
    if let Some(outcome) = status.outcome {
        println!("over           {}", words::outcome(outcome));
    }
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
