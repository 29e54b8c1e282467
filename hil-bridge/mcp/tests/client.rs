//! The server as an agent sees it: the client of rmcp starts it and calls its tools.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolRequestParams, ContentBlock};
use rmcp::service::RunningService;
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::Command;

/// An agent, and its server.
struct Agent(RunningService<RoleClient, ()>);

impl Agent {
    async fn start(words: &[&str]) -> Agent {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hil-bridge-mcp"));
        command.args(words);
        let child = TokioChildProcess::new(command).unwrap();
        Agent(().serve(child).await.unwrap())
    }

    /// The answer of a tool, and whether it reports success.
    async fn call(&self, tool: &'static str, arguments: Value) -> (String, bool) {
        let Value::Object(arguments) = arguments else {
            panic!("arguments have names");
        };
        let call = CallToolRequestParams::new(tool).with_arguments(arguments);
        let result = self.0.call_tool(call).await.unwrap();
        let text = match &result.content[..] {
            [ContentBlock::Text(text)] => text.text.clone(),
            [ContentBlock::Image(image)] => format!("{}:{}", image.mime_type, image.data),
            other => panic!("{tool} answers {other:?}"),
        };
        (text, result.is_error != Some(true))
    }

    /// The answer of a tool that must succeed.
    async fn does(&self, tool: &'static str, arguments: Value) -> String {
        let (text, is_good) = self.call(tool, arguments).await;
        assert!(is_good, "{tool}: {text}");
        text
    }

    /// The answer of a tool that must refuse.
    async fn refuses(&self, tool: &'static str, arguments: Value) -> String {
        let (text, is_good) = self.call(tool, arguments).await;
        assert!(!is_good, "{tool}: {text}");
        text
    }
}

#[tokio::test]
async fn every_tool_describes_its_effect_and_arguments() {
    let agent = Agent::start(&[]).await;
    let tools = agent.0.list_all_tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    for name in [
        "board",
        "picture",
        "touch",
        "press",
        "wait",
        "run_until",
        "settings",
        "reset",
        "position",
        "expect",
        "legal",
        "rules",
        "signals",
        "shell",
        "go_to",
        "check",
        "test",
        "save_session",
        "reopen",
    ] {
        assert!(names.contains(&name), "{name} of {names:?}");
    }
    for tool in &tools {
        let about = tool.description.as_deref().unwrap_or_default();
        assert!(about.len() > 10, "{}", tool.name);
        let schema = Value::Object((*tool.input_schema).clone());
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let is_told = property["description"].is_string();
            assert!(
                is_told,
                "{} does not say what {name} is: {schema}",
                tool.name
            );
        }
    }
    let wait = tools.iter().find(|tool| tool.name == "wait").unwrap();
    assert_eq!(
        wait.input_schema["properties"]["ms"]["maximum"],
        json!(600_000)
    );
    let info = agent.0.peer_info().unwrap();
    assert!(
        info.instructions
            .as_deref()
            .unwrap()
            .contains("a1 is the lower left")
    );
}

#[tokio::test]
async fn an_agent_plays_inspects_and_rewinds_a_game() {
    let agent = Agent::start(&["--at", "virtual", "--seed", "7"]).await;
    agent
        .does("settings", json!({"game": "reversi", "time": 3}))
        .await;
    agent.does("press", json!({"button": "start"})).await;
    let told = agent.does("touch", json!({"point": "d7"})).await;
    assert!(
        told.contains("20  green d7 (+1); score 4 1; red to move"),
        "{told}"
    );
    assert!(told.contains(" 7  . . . g . . . . .\n"), "{told}");
    let legal = agent.does("legal", json!({})).await;
    assert_eq!(legal.trim_end(), "c7 e7 c5");
    agent
        .does("expect", json!({"expectation": "turn red"}))
        .await;
    let told = agent
        .refuses("expect", json!({"expectation": "d7 red"}))
        .await;
    assert!(told.contains("expected d7 red, found green"), "{told}");
    assert!(told.contains(" 7  . . .[g]. . . . .\n"), "{told}");
    let told = agent
        .does("run_until", json!({"condition": "event.timed-out"}))
        .await;
    assert!(told.contains("stopped after"), "{told}");
    let told = agent.does("go_to", json!({"tick": 100})).await;
    assert!(told.contains("tick 100"), "{told}");
    let told = agent.does("signals", json!({"name": "score"})).await;
    assert_eq!(told, "score.green  4\nscore.red    1\n");
    let told = agent
        .does("signals", json!({"name": "state.panel.settings"}))
        .await;
    assert!(told.contains("state.panel.settings.time   3\n"), "{told}");
    let told = agent.does("rules", json!({})).await;
    assert!(told.len() > 100, "{told}");
    let told = agent
        .does("reset", json!({"layout": "8x8", "seed": 1}))
        .await;
    assert!(told.contains("tick 0"), "{told}");
    let told = agent.does("position", json!({"position": "rg....../......../......../......../......../......../......../........ turn green"})).await;
    assert!(told.contains(" 8  r g ."), "{told}");
}

#[tokio::test]
async fn a_picture_is_a_png_of_the_board() {
    let agent = Agent::start(&["--layout", "4x4"]).await;
    let picture = agent.does("picture", json!({})).await;
    let data = picture.strip_prefix("image/png:").unwrap();
    let bytes = STANDARD.decode(data).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    agent.does("press", json!({"button": "start"})).await;
    assert_ne!(agent.does("picture", json!({})).await, picture);
}

#[tokio::test]
async fn the_exchange_in_the_book_happens() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("tools/book/src/agents.md")).unwrap();
    let agent = Agent::start(&[]).await;
    let settings = json!({"game": "reversi", "level": 0});
    agent.does("settings", settings).await;
    agent.does("press", json!({"button": "start"})).await;
    agent.does("touch", json!({"point": "d7"})).await;
    let answer = agent.does("touch", json!({"point": "c7"})).await;
    let answer = answer.trim_end();
    assert!(
        page.contains(answer),
        "the book shows another answer than\n{answer}"
    );
    let picture = agent.does("picture", json!({})).await;
    let picture = picture.strip_prefix("image/png:").unwrap();
    let kept = fs::read(root.join("emulator/assets/agent.png")).unwrap();
    assert!(
        STANDARD.decode(picture).unwrap() == kept,
        "the book has another picture"
    );
}

#[tokio::test]
async fn check_finds_a_wrong_board_and_passes_a_good_one() {
    let agent = Agent::start(&["--at", "virtual", "--break-rule"]).await;
    let told = agent
        .refuses("check", json!({"steps": 3000, "seed": 3}))
        .await;
    assert!(told.contains("this scenario shows it"), "{told}");
    let (_, scenario) = told
        .split_once("of ")
        .and_then(|(_, rest)| rest.split_once('\n'))
        .unwrap();
    // The scenario succeeds on a board without the mistake, but not on this one.
    let lines: Vec<&str> = scenario.lines().collect();
    agent.refuses("shell", json!({"lines": lines})).await;
    let good = Agent::start(&["--at", "virtual"]).await;
    good.does("shell", json!({"lines": lines})).await;
    let told = good.does("check", json!({"steps": 300})).await;
    assert!(told.contains("board and twin agree: 300 steps"), "{told}");
    // The board is available again.
    good.does("press", json!({"button": "start"})).await;
    good.does("reopen", json!({})).await;
}

/// A folder for a server, inside one that it must not access.
fn folder() -> (TempDir, String) {
    let outer = TempDir::new().unwrap();
    let own = outer.path().join("own");
    fs::create_dir(&own).unwrap();
    let own = own.to_str().unwrap().to_owned();
    (outer, own)
}

#[tokio::test]
async fn files_are_read_and_written_only_in_the_folder() {
    let (outer, own) = folder();
    let own_path = Path::new(&own);
    fs::write(own_path.join("a.txt"), "start\nexpect turn green\n").unwrap();
    fs::write(own_path.join("b.txt"), "start\nexpect turn red\n").unwrap();
    fs::write(own_path.join("c.txt"), "save ../stolen\n").unwrap();
    let agent = Agent::start(&["--folder", &own]).await;
    let told = agent.refuses("test", json!({"name": "."})).await;
    assert!(told.contains("ok       a\nFAILED   b\n"), "{told}");
    assert!(told.contains("expected turn red, found green"), "{told}");
    assert!(told.contains("refused  c\n"), "{told}");
    assert!(told.ends_with("1 of 3 passed"), "{told}");
    agent.does("test", json!({"name": "a.txt"})).await;
    agent.does("press", json!({"button": "start"})).await;
    agent
        .does("save_session", json!({"name": "played.session"}))
        .await;
    agent
        .does(
            "shell",
            json!({"lines": ["save board.state", "load board.state"]}),
        )
        .await;
    agent
        .does("shell", json!({"lines": ["insert hex.lud"]}))
        .await;
    assert!(own_path.join("played.session").is_file());
    assert!(own_path.join("board.state").is_file());
    for line in [
        "save ../stolen",
        "save /tmp/stolen",
        "expect refused save ../stolen",
        "load ../secret",
        "insert ../secret.lud",
        "reset /etc/passwd",
    ] {
        let told = agent.refuses("shell", json!({"lines": [line]})).await;
        assert!(
            told.contains("is not in the folder of this server"),
            "{line}: {told}"
        );
    }
    for name in ["../x.session", "/tmp/x.session"] {
        agent.refuses("save_session", json!({"name": name})).await;
        agent.refuses("test", json!({"name": name})).await;
    }
    let left: Vec<_> = fs::read_dir(outer.path()).unwrap().collect();
    assert_eq!(left.len(), 1);
}

#[tokio::test]
async fn without_a_folder_no_file_is_touched() {
    let agent = Agent::start(&[]).await;
    for line in ["save here", "load here", "insert Cargo.toml"] {
        let told = agent.refuses("shell", json!({"lines": [line]})).await;
        assert!(told.contains("start it with --folder"), "{line}: {told}");
    }
    agent
        .refuses("save_session", json!({"name": "x.session"}))
        .await;
    assert!(!Path::new("here").exists());
}

#[tokio::test]
async fn calls_beyond_their_limits_are_refused() {
    let agent = Agent::start(&["--limit-s", "1"]).await;
    for (tool, arguments) in [
        ("wait", json!({"ms": 600_001})),
        (
            "run_until",
            json!({"condition": "turn = red", "within_ms": 600_001}),
        ),
        ("press", json!({"button": "mode", "hold_ms": 600_001})),
        ("check", json!({"steps": 100_001})),
        ("go_to", json!({"tick": 600_001})),
        ("shell", json!({"lines": vec!["help"; 201]})),
    ] {
        let told = agent.refuses(tool, arguments).await;
        assert!(told.contains("at most"), "{tool}: {told}");
    }
    // Longer than the limit of a call.
    let told = agent
        .refuses("check", json!({"steps": 100_000, "seed": 1}))
        .await;
    assert!(told.contains("took longer than 1 s"), "{told}");
    // The next call still works.
    agent.does("wait", json!({"ms": 10})).await;
}

#[tokio::test]
async fn an_argument_cannot_inject_a_second_shell_line() {
    let agent = Agent::start(&[]).await;
    let told = agent.refuses("touch", json!({"point": "d4\nsave x"})).await;
    assert!(told.contains("save"), "{told}");
    assert!(!Path::new("x").exists());
    agent.refuses("touch", json!({"point": "z99"})).await;
    agent.refuses("settings", json!({"game": "cehss"})).await;
    let told = agent.refuses("press", json!({"button": "nothing"})).await;
    assert!(told.contains("there is no button nothing"), "{told}");
    agent.refuses("wait", json!({"ms": "soon"})).await;
}

#[tokio::test]
async fn a_wrong_place_ends_the_server_with_a_sentence() {
    for (words, sentence) in [
        (
            &["--at", "tcp:localhost:1"][..],
            "nothing answers at tcp:localhost:1",
        ),
        (
            &["--folder", "no-such-folder"],
            "--folder no-such-folder is not a folder",
        ),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hil-bridge-mcp"));
        let output = command
            .args(words)
            .stdin(Stdio::null())
            .output()
            .await
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(sentence), "{told}");
    }
}
