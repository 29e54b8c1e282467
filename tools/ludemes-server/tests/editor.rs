//! The server as used by an editor: over its standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

const URI: &str = "file:///mine.lud";

const GAME: &str = "(define \"Three\" (is Line 3))

(game \"Mine\"
    (players 2)
    (equipment {
        (board (square 3))
        (piece \"Stone\" Each)
    })
    (rules
        (play (move Add (to (sites Empty))))
        (end (if (or \"Three\" (is Line 4 exact:True)) (result Mover Win)))
    )
)
";

struct Editor {
    server: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    last: u64,
}

impl Editor {
    fn start() -> Editor {
        let mut server = Command::new(env!("CARGO_BIN_EXE_ludemes-server"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (server.stdin.take(), server.stdout.take().unwrap());
        let mut editor = Editor {
            server,
            to,
            from: BufReader::new(from),
            last: 0,
        };
        let answer = editor.request("initialize", json!({"capabilities": {}}));
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        editor.notify("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let to = self.to.as_mut().unwrap();
        write!(to, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        to.flush().unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).unwrap() > 0, "it ended");
            match line.trim().split_once(": ") {
                Some(("Content-Length", many)) => length = many.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.from.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    /// Opens a text and returns its errors.
    fn open(&mut self, text: &str) -> Vec<Value> {
        let document = json!({"uri": URI, "languageId": "lud", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
        self.wrong(1)
    }

    /// Changes a text and returns its errors.
    fn change(&mut self, text: &str, version: i32) -> Vec<Value> {
        let document = json!({"uri": URI, "version": version});
        let params = json!({"textDocument": document, "contentChanges": [{"text": text}]});
        self.notify("textDocument/didChange", params);
        self.wrong(version)
    }

    fn wrong(&mut self, version: i32) -> Vec<Value> {
        let told = self.receive();
        assert_eq!(told["method"], "textDocument/publishDiagnostics");
        assert_eq!(told["params"]["uri"], URI);
        assert_eq!(told["params"]["version"], version);
        told["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Sends a request about the position right after these words of the text.
    fn at(&mut self, method: &str, text: &str, words: &str) -> Value {
        let before = &text[..text.find(words).unwrap() + words.len()];
        let line = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let character = before[start..].encode_utf16().count();
        let position = json!({"line": line, "character": character});
        self.request(
            method,
            json!({"textDocument": {"uri": URI}, "position": position}),
        )
    }

    fn hover(&mut self, text: &str, words: &str) -> String {
        let said = self.at("textDocument/hover", text, words);
        said["contents"]["value"].as_str().unwrap_or("").to_owned()
    }

    fn complete(&mut self, text: &str, words: &str) -> Vec<String> {
        let items = self.at("textDocument/completion", text, words);
        let items = items.as_array().unwrap().iter();
        items
            .map(|item| item["label"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Ends the session as the protocol requires; the server exits normally.
    fn end(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        self.to = None;
        assert_eq!(self.server.wait().unwrap().code(), Some(0));
    }
}

/// The text that a range of an answer marks.
fn marked(text: &str, range: &Value) -> String {
    let place = |of: &str| {
        let number = |what: &str| range[of][what].as_u64().unwrap() as usize;
        let (line, units) = (number("line"), number("character"));
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let mut left = units;
        let rest = text[start..].char_indices();
        let found = rest.map(|(at, c)| (at, c.len_utf16())).find(|(_, many)| {
            let is_there = left == 0;
            left = left.saturating_sub(*many);
            is_there
        });
        found.map_or(text.len(), |(at, _)| start + at)
    };
    text[place("start")..place("end")].to_owned()
}

#[test]
fn errors_are_marked_while_typing() {
    let mut editor = Editor::start();
    assert_eq!(editor.open(GAME), Vec::<Value>::new());
    let wrong = GAME.replace("(square 3)", "(sqare 3)");
    let told = editor.change(&wrong, 2);
    assert_eq!(told.len(), 1);
    assert_eq!(marked(&wrong, &told[0]["range"]), "sqare");
    assert_eq!(
        told[0]["message"],
        "the language has no `sqare`; did you mean `square`?"
    );
    // A missing bracket is marked where the pair was opened, and so is a superfluous one.
    let open = GAME.replace("(board (square 3))", "(board (square 3)");
    let told = editor.change(&open, 3);
    assert_eq!(marked(&open, &told[0]["range"]), "(");
    let related = &told[0]["relatedInformation"][0];
    assert_eq!(marked(&open, &related["location"]["range"]), "}");
    // Texts that cannot be compiled are reported too; here the error follows letters of
    // two UTF-16 units.
    let large = GAME
        .replace("(square 3)", "(square 17)")
        .replace("Mine", "Mine 𝄞");
    let told = editor.change(&large, 4);
    assert_eq!(marked(&large, &told[0]["range"]), "(board (square 17))");
    // A game that no board of lights can play only causes a warning.
    let many = GAME.replace("(players 2)", "(players 3)");
    let told = editor.change(&many, 5);
    assert_eq!(told[0]["severity"], 2);
    assert!(
        told[0]["message"]
            .as_str()
            .unwrap()
            .contains("for 3 players")
    );
    // A point that the board names differently is not an error.
    let star = GAME
        .replace("(square 3)", "(hex Star 3)")
        .replace("(rules", "(rules (start (place \"Stone1\" coord:\"J12\"))");
    let told = editor.change(&star, 6);
    assert_eq!(told[0]["severity"], 3);
    assert_eq!(marked(&star, &told[0]["range"]), "\"J12\"");
    assert_eq!(told[0]["message"], "the board calls this point k12");
    assert_eq!(editor.change(GAME, 7), Vec::<Value>::new());
    editor.end();
}

#[test]
fn hovering_explains_the_word_under_the_cursor() {
    let mut editor = Editor::start();
    editor.open(GAME);
    let line = editor.hover(GAME, "(is Li");
    assert!(line.contains("(is Line [KIND] NUMBER"), "{line}");
    // The bracket has the same explanation as the word after it.
    assert_eq!(
        editor.hover(GAME, "(or \"Three\" "),
        editor.hover(GAME, "(or \"Three\" (is")
    );
    let exact = editor.hover(GAME, "(is Line 4");
    assert_eq!(exact, "");
    let exact = editor.hover(GAME, "exa");
    assert_eq!(exact, "`exact:TRUTH`, an argument of `is Line`");
    let here = editor.hover(GAME, "(or \"Three\" (is");
    assert!(
        here.contains("Here: your last piece is in a line of exactly four"),
        "{here}"
    );
    let macros = editor.hover(GAME, "(or \"Thr");
    assert_eq!(macros, "```\n(define \"Three\" (is Line 3))\n```");
    let whole = editor.hover(GAME, "(gam");
    assert!(
        whole.contains("For two players, who take turns."),
        "{whole}"
    );
    assert_eq!(
        editor.hover(GAME, "(move Add (to (sites Empty))))\n   "),
        ""
    );
    editor.end();
}

#[test]
fn completion_proposes_possible_continuations() {
    let mut editor = Editor::start();
    editor.open("");
    let has = |items: &[String], name: &str| items.iter().any(|item| item == name);
    let written = GAME.replace("(is Line 4 exact:True)", "(is L");
    editor.change(&written, 2);
    assert_eq!(editor.complete(&written, "(is L"), ["is Line", "is Loop"]);
    let written = GAME.replace("(is Line 4 exact:True)", "(is ");
    editor.change(&written, 3);
    let items = editor.complete(&written, "\"Three\" (is ");
    assert!(has(&items, "is Connected") && items.iter().all(|item| item.starts_with("is ")));
    let written = GAME.replace("(is Line 4 exact:True)", "(");
    editor.change(&written, 4);
    let items = editor.complete(&written, "\"Three\" (");
    assert!(has(&items, "is Line") && has(&items, "not"));
    let written = GAME.replace("exact:True", "ex");
    editor.change(&written, 5);
    let items = editor.complete(&written, "Line 4 ex");
    assert!(has(&items, "exact:") && has(&items, "Mover"), "{items:?}");
    let written = GAME.replace("(or \"Three\"", "(or \"");
    editor.change(&written, 6);
    let items = editor.complete(&written, "(or \"");
    for name in ["\"Three\"", "\"Stone\"", "\"StepToEmpty\""] {
        assert!(has(&items, name), "{name}: {items:?}");
    }
    let written = "(ga";
    editor.change(written, 7);
    assert_eq!(editor.complete(written, "(ga"), ["game"]);
    // No suggestions in a comment, nor where a name is defined.
    for (version, written) in [(8, "(game // (is"), (9, "(game \"Mi"), (10, "(define \"Th")] {
        editor.change(written, version);
        assert_eq!(editor.complete(written, written), [""; 0], "{written}");
    }
    editor.end();
}

#[test]
fn a_chosen_completion_replaces_existing_quotes() {
    let mut editor = Editor::start();
    editor.open("");
    let cases = [
        ("(or \"Th\" 1)", "\"Th\""),
        ("(or \"Th", "\"Th"),
        ("(or “𝄞”) (or “Th”)", "“Th”"),
        ("(or \"Th (is Line 3)", "\"Th"),
        ("(or \"Three\" (is Line 3))", "\"Three\""),
    ];
    for (version, (written, replaced)) in (2..).zip(cases) {
        let text = format!("(define \"Three\" (is Line 3))\r\n{written}");
        editor.change(&text, version);
        let asked = if written.contains("“Th") {
            "“Th"
        } else {
            "\"Th"
        };
        let asked = format!("(or {asked}");
        let items = editor.at("textDocument/completion", &text, &asked);
        let items = items.as_array().unwrap();
        let three = items.iter().find(|item| item["label"] == "\"Three\"");
        let edit = &three.unwrap_or_else(|| panic!("{written}: {items:?}"))["textEdit"];
        assert_eq!(edit["newText"], "\"Three\"");
        assert_eq!(marked(&text, &edit["range"]), replaced, "{written}");
    }
    // After both of them, other words follow.
    let written = "(define \"Three\" (is Line 3)) (or \"Three\"";
    editor.change(written, 9);
    let items = editor.complete(written, "(or \"Three\"");
    assert!(items.iter().all(|item| !item.starts_with('"')), "{items:?}");
    editor.end();
}

#[test]
fn a_readable_text_is_formatted() {
    let mut editor = Editor::start();
    let untidy = "(game \"𝄞\"   (players 2))";
    editor.open(untidy);
    let asked =
        json!({"textDocument": {"uri": URI}, "options": {"tabSize": 4, "insertSpaces": true}});
    let edits = editor.request("textDocument/formatting", asked.clone());
    assert_eq!(edits[0]["newText"], "(game \"𝄞\"\n    (players 2)\n)\n");
    assert_eq!(marked(untidy, &edits[0]["range"]), untidy);
    editor.change("(game", 2);
    assert_eq!(
        editor.request("textDocument/formatting", asked.clone()),
        Value::Null
    );
    // Lines that are formatted already stay unchanged, including their line ends.
    let lines = GAME.replace('\n', "\r\n");
    let untidy = lines.replace("(square 3)", "(square  3)");
    editor.change(&untidy, 3);
    let edits = editor.request("textDocument/formatting", asked.clone());
    assert_eq!(edits.as_array().unwrap().len(), 1);
    assert_eq!(edits[0]["newText"], "        (board (square 3))\r\n");
    assert_eq!(
        marked(&untidy, &edits[0]["range"]),
        "        (board (square  3))\r\n"
    );
    editor.change(&lines, 4);
    assert_eq!(editor.request("textDocument/formatting", asked), json!([]));
    editor.end();
}

#[test]
fn a_macro_leads_to_its_definition() {
    let mut editor = Editor::start();
    editor.open(GAME);
    let place = editor.at("textDocument/definition", GAME, "(or \"Thr");
    assert_eq!(place["uri"], URI);
    assert_eq!(marked(GAME, &place["range"]), "\"Three\"");
    assert_eq!(place["range"]["start"]["line"], 0);
    let place = editor.at("textDocument/definition", GAME, "(move A");
    assert_eq!(place, Value::Null);
    editor.end();
}

#[test]
fn document_symbols_list_the_parts_of_a_text() {
    let mut editor = Editor::start();
    editor.open(GAME);
    let asked = json!({"textDocument": {"uri": URI}});
    let parts = editor.request("textDocument/documentSymbol", asked);
    fn names(parts: &Value) -> Vec<String> {
        let parts = parts.as_array().unwrap().iter();
        let each = parts.flat_map(|part| {
            let name = part["name"].as_str().unwrap().to_owned();
            let below = names(&part["children"]);
            std::iter::once(name).chain(below.into_iter().map(|name| format!(" {name}")))
        });
        each.collect()
    }
    assert_eq!(
        names(&parts),
        [
            "Three",
            "Mine",
            " players",
            " equipment",
            "  board",
            "  Stone",
            " rules",
            "  play",
            "  end",
        ]
    );
    editor.end();
}

#[test]
fn no_prefix_of_a_game_breaks_the_server() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hil-bridge/ludemes/games");
    let mut editor = Editor::start();
    editor.open("");
    let mut version = 1;
    for name in ["hex", "breakthrough", "lights-out"] {
        let path = folder.join(name).with_extension("lud");
        let text = std::fs::read_to_string(path).unwrap();
        for end in (0..text.len())
            .step_by(23)
            .filter(|end| text.is_char_boundary(*end))
        {
            version += 1;
            let written = &text[..end];
            editor.change(written, version);
            let end = json!({"line": written.matches('\n').count(), "character": 999});
            let asked = json!({"textDocument": {"uri": URI}, "position": end});
            editor.request("textDocument/completion", asked.clone());
            editor.request("textDocument/hover", asked);
        }
    }
    editor.end();
}

#[test]
fn an_unknown_request_is_refused_and_the_server_continues() {
    let mut editor = Editor::start();
    editor
        .send(&json!({"jsonrpc": "2.0", "id": 77, "method": "textDocument/rename", "params": {}}));
    let answer = editor.receive();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!(77), &json!(-32601))
    );
    editor.send(&json!({"jsonrpc": "2.0", "id": 78, "method": "textDocument/hover", "params": {}}));
    assert_eq!(editor.receive()["error"]["code"], -32602);
    // A text that is not open has no answers.
    let position = json!({"line": 0, "character": 0});
    let asked = json!({"textDocument": {"uri": "file:///other.lud"}, "position": position});
    assert_eq!(editor.request("textDocument/hover", asked), Value::Null);
    editor.end();
}

#[test]
fn an_unsaved_text_is_checked() {
    let mut editor = Editor::start();
    let uri = "untitled:Untitled-1";
    let document = json!({"uri": uri, "languageId": "lud", "version": 1, "text": "(gme)"});
    editor.notify("textDocument/didOpen", json!({"textDocument": document}));
    let told = editor.receive();
    assert_eq!(told["params"]["uri"], uri);
    assert_eq!(told["params"]["diagnostics"].as_array().unwrap().len(), 1);
    editor.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": uri}}),
    );
    assert_eq!(editor.receive()["params"]["diagnostics"], json!([]));
    editor.end();
}

#[test]
fn only_the_last_of_many_changes_is_checked() {
    let mut editor = Editor::start();
    editor.open(GAME);
    let last = 40;
    for version in 2..=last {
        let text = format!("{GAME}// {version}\n(");
        let document = json!({"uri": URI, "version": version});
        let params = json!({"textDocument": document, "contentChanges": [{"text": text}]});
        editor.notify("textDocument/didChange", params);
    }
    let mut told = 1;
    while told < last {
        let wrong = editor.receive();
        let version = wrong["params"]["version"].as_i64().unwrap();
        assert!(version > told, "{version} after {told}");
        assert_eq!(wrong["params"]["diagnostics"].as_array().unwrap().len(), 1);
        told = version;
    }
    editor.end();
}

#[test]
fn after_shutdown_requests_are_refused_until_exit() {
    let mut editor = Editor::start();
    assert_eq!(editor.request("shutdown", Value::Null), Value::Null);
    editor.notify("$/cancelRequest", json!({"id": 1}));
    editor.send(&json!({"jsonrpc": "2.0", "id": 9, "method": "textDocument/hover", "params": {}}));
    assert_eq!(editor.receive()["error"]["code"], -32600);
    editor.notify("exit", Value::Null);
    assert_eq!(editor.server.wait().unwrap().code(), Some(0));
}

#[test]
fn the_server_ends_with_its_editor() {
    let mut editor = Editor::start();
    editor.notify("exit", Value::Null);
    assert_eq!(editor.server.wait().unwrap().code(), Some(1));
    // Killing the editor leaves a pipe to which nobody writes.
    let mut editor = Editor::start();
    editor.open(GAME);
    editor.to = None;
    assert_eq!(editor.server.wait().unwrap().code(), Some(1));
    // Input that is not a message also ends the server, with a sentence.
    let mut editor = Editor::start();
    write!(
        editor.to.as_mut().unwrap(),
        "Content-Length: 3\r\n\r\n{{]}}"
    )
    .unwrap();
    assert_eq!(editor.server.wait().unwrap().code(), Some(2));
}

#[test]
fn an_overlong_message_is_refused() {
    for head in [
        "Content-Length: 99999999999\r\n\r\n{}",
        "Content-Length: 18446744073709551615\r\n\r\n{}",
        "Content-Length: 99999999999999999999999999\r\n\r\n{}",
        "Content-Length: x\r\n\r\n{}",
    ] {
        let mut server = Command::new(env!("CARGO_BIN_EXE_ludemes-server"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut to = server.stdin.take().unwrap();
        to.write_all(head.as_bytes()).unwrap();
        drop(to);
        let output = server.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.contains("bytes") && !said.contains("panicked"),
            "{said}"
        );
    }
    // The same after the greeting, even though the editor keeps the pipe open.
    let mut editor = Editor::start();
    let to = editor.to.as_mut().unwrap();
    to.write_all(b"Content-Length: 99999999999\r\n\r\n")
        .unwrap();
    to.flush().unwrap();
    assert_eq!(editor.server.wait().unwrap().code(), Some(2));
}
