//! The tools: the arguments of each, and the lines of the shell that it stands for.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use firmware_core::panel::LEVELS;
use protocol::{Button, Tick};
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ContentBlock, Implementation, ServerCapabilities, ServerConfig};
use rmcp::{ServerHandler, tool, tool_handler, tool_router};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use crate::agent_board::{Answered, MOST_LINES, MOST_STEPS, MOST_WAIT_MS, Said};
use crate::worker::Worker;

/// The description that an agent reads first.
const ABOUT: &str = "\
A touch board: a field of points, each a light and a touch sensor, with buttons, a display and \
a beeper; its firmware plays games. Time on the board is in ms and passes only in `touch`, \
`press`, `wait`, `run_until`, `go_to`, and lines of `shell` that say so. Points are called by \
column and row: a1 is the lower left one. In a drawing of the board g, r and a are green, red and \
amber, a dot is dark, and what differs from an expectation stands in brackets. After a change of \
the firmware: build its image, then `reopen`. `check` looks for a difference between the board and \
the reference in this program.";

#[derive(Deserialize, JsonSchema)]
struct Touch {
    /// The point, such as `d4`.
    point: String,
    /// How long the finger stays, in ms; 20 if it is left out.
    #[schemars(range(min = 1, max = MOST_WAIT_MS))]
    hold_ms: Option<Tick>,
}

/// A button by its name.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct ButtonName(Button);

impl TryFrom<String> for ButtonName {
    type Error = String;

    fn try_from(name: String) -> Result<ButtonName, String> {
        let button = Button::from_name(&name).map(ButtonName);
        button.ok_or_else(|| {
            let names = Button::ALL.map(Button::name).join(", ");
            format!("there is no button {name}: choose one of {names}")
        })
    }
}

impl JsonSchema for ButtonName {
    fn schema_name() -> Cow<'static, str> {
        "ButtonName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Button::ALL.map(Button::name) })
    }
}

#[derive(Deserialize, JsonSchema)]
struct Press {
    /// The button.
    button: ButtonName,
    /// How long it is pressed, in ms; 20 if it is left out.
    #[schemars(range(min = 1, max = MOST_WAIT_MS))]
    hold_ms: Option<Tick>,
}

#[derive(Deserialize, JsonSchema)]
struct Wait {
    /// How long, in ms of board time.
    #[schemars(range(min = 0, max = MOST_WAIT_MS))]
    ms: Tick,
}

#[derive(Deserialize, JsonSchema)]
struct RunUntil {
    /// A signal and what it has to be or do: `turn = red`, `event.illegal`,
    /// `score.green >= 10`, `light.d4 changes`, `state.panel.settings.mode = 2`.
    condition: String,
    /// How long to wait at most, in ms of board time; 60000 if it is left out.
    #[schemars(range(min = 0, max = MOST_WAIT_MS))]
    within_ms: Option<Tick>,
}

#[derive(Deserialize, JsonSchema)]
struct Settings {
    /// The game, by its number or name.
    game: Option<String>,
    /// Its mode, as the display shows it.
    mode: Option<String>,
    /// How well the board plays red; at 0 it does not play.
    #[schemars(range(min = 0, max = LEVELS - 1))]
    level: Option<u8>,
    /// The time for a turn or a game.
    #[schemars(range(min = 0, max = 9))]
    time: Option<u8>,
    /// The speed.
    #[schemars(range(min = 0, max = 9))]
    speed: Option<u8>,
}

#[derive(Deserialize, JsonSchema)]
struct Reset {
    /// Columns and rows, such as `8x8`; those that it has if this is left out.
    layout: Option<String>,
    /// The seed of the random numbers; by default, the same as before.
    seed: Option<u64>,
}

#[derive(Deserialize, JsonSchema)]
struct PositionText {
    /// Rows from the top with / between them, and who moves:
    /// `........./...gr..../... turn green`. `position` of the shell tells the one on the
    /// board.
    position: String,
}

#[derive(Deserialize, JsonSchema)]
struct Expect {
    /// What is expected: `turn red`, `d4 green`, `score 4 1`, `legal c3 d6`,
    /// `display TEXT`, `rows ROWS`, `winner green`, `signal turn = red`,
    /// `refused set mode=9`.
    expectation: String,
}

#[derive(Deserialize, JsonSchema)]
struct Signals {
    /// The name of a signal or the beginning of names: `light.d4`, `event`,
    /// `state.panel`. The groups of signals if it is left out.
    name: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Lines {
    /// Lines of the shell's language, done up to the first that fails.
    #[schemars(length(max = MOST_LINES))]
    lines: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Moment {
    /// The tick, in ms since the board began.
    tick: Tick,
}

#[derive(Deserialize, JsonSchema)]
struct FileName {
    /// The name of a file or a folder in the folder of this server.
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Check {
    /// The number of steps; each is one action followed by some board time.
    #[schemars(range(min = 1, max = MOST_STEPS))]
    steps: u64,
    /// The seed of the steps; by default 0.
    seed: Option<u64>,
}

/// The server: its tools, and the way to the board.
#[derive(Clone)]
pub struct Server {
    worker: Worker,
    tool_router: ToolRouter<Self>,
}

impl Server {
    pub fn new(worker: Worker) -> Server {
        Server {
            worker,
            tool_router: Server::tool_router(),
        }
    }

    async fn lines(&self, lines: Vec<String>) -> CallToolResult {
        result(self.worker.call(move |board| board.lines(&lines)).await)
    }

    async fn line(&self, line: String) -> CallToolResult {
        self.lines(vec![line]).await
    }

    async fn answer(&self, line: &'static str) -> CallToolResult {
        result(self.worker.call(move |board| board.answer(line)).await)
    }
}

/// The answer in the form for an agent.
fn result(said: Answered<Said>) -> CallToolResult {
    match said {
        Ok(Said {
            text,
            is_good: true,
        }) => CallToolResult::success(vec![ContentBlock::text(text)]),
        Ok(Said { text, .. }) | Err(text) => CallToolResult::error(vec![ContentBlock::text(text)]),
    }
}

/// An argument that must be a single word or line.
fn on_one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

#[tool_router]
impl Server {
    #[tool(description = "Show the board and how the game stands")]
    async fn board(&self) -> CallToolResult {
        result(self.worker.call(|board| board.show()).await)
    }

    #[tool(description = "Take a picture of the board from above (PNG)")]
    async fn picture(&self) -> CallToolResult {
        match self.worker.call(|board| board.picture()).await {
            Ok(png) => {
                let image = ContentBlock::image(STANDARD.encode(png), "image/png");
                CallToolResult::success(vec![image])
            }
            Err(text) => result(Err(text)),
        }
    }

    #[tool(description = "Touch a point with a finger and let it go")]
    async fn touch(
        &self,
        Parameters(Touch { point, hold_ms }): Parameters<Touch>,
    ) -> CallToolResult {
        let point = on_one_line(&point);
        self.lines(match hold_ms {
            None => vec![format!("tap {point}")],
            Some(ms) => vec![
                format!("touch {point}"),
                format!("wait {ms}"),
                format!("release {point}"),
            ],
        })
        .await
    }

    #[tool(description = "Press a button and let it go")]
    async fn press(
        &self,
        Parameters(Press { button, hold_ms }): Parameters<Press>,
    ) -> CallToolResult {
        let ms = hold_ms.map_or(String::new(), |ms| format!(" {ms}"));
        self.line(format!("press {}{ms}", button.0.name())).await
    }

    #[tool(description = "Let board time pass")]
    async fn wait(&self, Parameters(Wait { ms }): Parameters<Wait>) -> CallToolResult {
        self.line(format!("wait {ms}")).await
    }

    #[tool(description = "Let board time pass until a condition on a signal is met, to the ms")]
    async fn run_until(
        &self,
        Parameters(RunUntil {
            condition,
            within_ms,
        }): Parameters<RunUntil>,
    ) -> CallToolResult {
        let within = within_ms.map_or(String::new(), |ms| format!(" within {ms}"));
        self.line(format!("run until {}{within}", on_one_line(&condition)))
            .await
    }

    #[tool(description = "Change some of the settings: game, mode, level, time, speed")]
    async fn settings(&self, Parameters(change): Parameters<Settings>) -> CallToolResult {
        let Settings {
            game,
            mode,
            level,
            time,
            speed,
        } = change;
        let number = |value: Option<u8>| value.map(|value| value.to_string());
        let named = [
            ("game", game),
            ("mode", mode),
            ("level", number(level)),
            ("time", number(time)),
            ("speed", number(speed)),
        ];
        let words: Vec<String> = named
            .into_iter()
            .filter_map(|(name, value)| Some(format!("{name}={}", on_one_line(&value?))))
            .collect();
        self.line(format!("set {}", words.join(" "))).await
    }

    #[tool(description = "Begin as if just switched on, at tick 0")]
    async fn reset(&self, Parameters(Reset { layout, seed }): Parameters<Reset>) -> CallToolResult {
        let mut lines = vec![match layout {
            Some(layout) => format!("reset {}", on_one_line(&layout)),
            None => "reset".to_owned(),
        }];
        lines.extend(seed.map(|seed| format!("seed {seed}")));
        self.lines(lines).await
    }

    #[tool(description = "Set up a position of the chosen game")]
    async fn position(
        &self,
        Parameters(PositionText { position }): Parameters<PositionText>,
    ) -> CallToolResult {
        self.line(format!("position {}", on_one_line(&position)))
            .await
    }

    #[tool(
        description = "Compare the board with what is expected; what differs is drawn in brackets"
    )]
    async fn expect(
        &self,
        Parameters(Expect { expectation }): Parameters<Expect>,
    ) -> CallToolResult {
        self.line(format!("expect {}", on_one_line(&expectation)))
            .await
    }

    #[tool(description = "Name the points that are moves now")]
    async fn legal(&self) -> CallToolResult {
        self.answer("legal").await
    }

    #[tool(description = "Say how the chosen game and mode are played")]
    async fn rules(&self) -> CallToolResult {
        self.answer("rules").await
    }

    #[tool(
        description = "Tell signals: lights, buttons, turn, score, counts of events, and every field of the firmware's state by its path"
    )]
    async fn signals(&self, Parameters(Signals { name }): Parameters<Signals>) -> CallToolResult {
        let line = format!("signal {}", on_one_line(&name.unwrap_or_default()));
        result(self.worker.call(move |board| board.answer(&line)).await)
    }

    #[tool(
        description = "Run lines of the shell's language, for everything that has no tool of its own; `help` lists the commands"
    )]
    async fn shell(&self, Parameters(Lines { lines }): Parameters<Lines>) -> CallToolResult {
        let lines = lines.iter().map(|line| on_one_line(line)).collect();
        self.lines(lines).await
    }

    #[tool(description = "Go to a moment, back or on; whatever is done then begins a new branch")]
    async fn go_to(&self, Parameters(Moment { tick }): Parameters<Moment>) -> CallToolResult {
        result(self.worker.call(move |board| board.go_to(tick)).await)
    }

    #[tool(
        description = "Drive the board and the reference in this program with the same random input, and compare them after each step; a difference is reported with a short scenario that shows it. The board restarts"
    )]
    async fn check(&self, Parameters(Check { steps, seed }): Parameters<Check>) -> CallToolResult {
        let seed = seed.unwrap_or_default();
        result(
            self.worker
                .call(move |board| board.check(seed, steps))
                .await,
        )
    }

    #[tool(
        description = "Run a scenario file (.txt), or all of a folder, each on a board that was restarted"
    )]
    async fn test(&self, Parameters(FileName { name }): Parameters<FileName>) -> CallToolResult {
        result(self.worker.call(move |board| board.test(&name)).await)
    }

    #[tool(
        description = "Save everything done since the board started as a session file, which the window opens"
    )]
    async fn save_session(
        &self,
        Parameters(FileName { name }): Parameters<FileName>,
    ) -> CallToolResult {
        result(
            self.worker
                .call(move |board| board.save_session(&name))
                .await,
        )
    }

    #[tool(
        description = "Close the board and open it again, for example to run an image that has been built since"
    )]
    async fn reopen(&self) -> CallToolResult {
        result(self.worker.call(|board| board.reopen()).await)
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("touchboard", env!("CARGO_PKG_VERSION")))
            .with_instructions(ABOUT)
    }
}
