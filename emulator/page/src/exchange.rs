//! The exchange with the document: its requests are carried out, and changes are reported.
//!
//! The document calls [`request`] and listens to the event `touchboard` of its window.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use bevy::prelude::*;
use emulator::scene::camera::SceneCamera;
use emulator::scene::plan::PointPlan;
use emulator::source::places::can_bring;
use emulator::source::written::{OpenText, Random};
use emulator::source::{
    At, BoardPlaces, Bring, Connect, Curtain, OpenSession, Shown, ShownBoard, SourceSet,
    WindowCommand,
};
use firmware_core::games::LAYOUTS_OWN;
use protocol::{Deed, Input, Light, Point};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{CustomEvent, CustomEventInit};

use crate::report::{self, Place, Report, TextReport};
use crate::request::{self, Request, WantedGame};

/// The event of the document's window that carries a [`Report`] as JSON.
const EVENT: &str = "touchboard";

/// The requests since the last picture, as JSON.
static REQUESTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Takes a [`Request`] as JSON. It is carried out before the next picture.
#[wasm_bindgen]
pub fn request(json: String) {
    let mut requests = REQUESTS.lock().unwrap_or_else(PoisonError::into_inner);
    requests.push(json);
}

/// Repeats a session without showing it: see [`crate::replay`]. Throws the sentence of an
/// error.
#[wasm_bindgen]
pub fn replay(session: &str) -> Result<String, JsValue> {
    crate::replay::replay(session).map_err(|sentence| JsValue::from_str(&sentence))
}

/// Sends a report to the document.
pub fn send_report(report: &Report) {
    let json = serde_json::to_string(report).unwrap_or_default();
    let details = CustomEventInit::new();
    details.set_detail(&JsValue::from_str(&json));
    let event = CustomEvent::new_with_event_init_dict(EVENT, &details);
    if let (Ok(event), Some(window)) = (event, web_sys::window()) {
        // Without a listener there is nobody to tell.
        let _ = window.dispatch_event(&event);
    }
}

/// Connects the board with the document.
pub struct ExchangePlugin;

impl Plugin for ExchangePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            Update,
            (
                carry_out.before(SourceSet::Exchange),
                (report_board, report_text, report_lit).after(SourceSet::Exchange),
            ),
        )
        .add_systems(PostUpdate, report_places.after(TransformSystems::Propagate));
    }
}

/// The parts of the window that requests act on. No `SystemParam`: its derivation looks for
/// Bevy among the dependencies of every target, and here a browser alone has it.
struct RequestTargets<'w> {
    board: Res<'w, ShownBoard>,
    shown: Res<'w, Shown>,
    places: Res<'w, BoardPlaces>,
    text: ResMut<'w, OpenText>,
    commands: MessageWriter<'w, WindowCommand>,
    bring: MessageWriter<'w, Bring>,
    sessions: MessageWriter<'w, OpenSession>,
    connect: MessageWriter<'w, Connect>,
}

/// Carries out the document's requests.
fn carry_out(
    (board, shown, places, text): (
        Res<ShownBoard>,
        Res<Shown>,
        Res<BoardPlaces>,
        ResMut<OpenText>,
    ),
    (commands, bring, sessions, connect): (
        MessageWriter<WindowCommand>,
        MessageWriter<Bring>,
        MessageWriter<OpenSession>,
        MessageWriter<Connect>,
    ),
    mut lift: Local<Option<Input>>,
) {
    let mut targets = RequestTargets {
        board,
        shown,
        places,
        text,
        commands,
        bring,
        sessions,
        connect,
    };
    // A touch lasts for one picture, so that it is debounced and seen.
    let lifted = lift.take().map(WindowCommand::from);
    targets.commands.write_batch(lifted);
    let requests = std::mem::take(&mut *REQUESTS.lock().unwrap_or_else(PoisonError::into_inner));
    for json in requests {
        let done = Request::parse(&json).and_then(|wanted| targets.meet(wanted, &mut lift));
        if let Err(sentence) = done {
            send_report(&Report::Trouble(sentence));
        }
    }
}

impl RequestTargets<'_> {
    /// Carries out one request. What has to be lifted in the next picture is put into `lift`.
    fn meet(&mut self, wanted: Request, lift: &mut Option<Input>) -> Result<(), String> {
        match wanted {
            Request::Touch(name) => {
                let point = request::point(&name, self.shown.layout)?;
                self.press(Input::Touch(point), lift);
            }
            Request::Press(name) => self.press(Input::Press(request::button(&name)?), lift),
            Request::Game(game) => match game.resolve(self.shown.status.settings)? {
                WantedGame::OfBoard(settings) if can_bring(&self.places) => {
                    self.bring.write(Bring::Settings(settings));
                }
                // A board elsewhere has the games that it has.
                WantedGame::OfBoard(settings) => {
                    let set = WindowCommand::Do(Deed::Settings(settings));
                    self.commands.write(set);
                }
                WantedGame::Text(file) => {
                    let file = PathBuf::from(format!("{file}.lud"));
                    self.text.open(file.into());
                }
            },
            Request::Text { name, source } => self.text.edit(&name, source),
            Request::RandomGames => self.text.play_random(),
            Request::Session(session) => {
                let session = request::session(&session)?;
                self.sessions.write(OpenSession(session));
            }
            Request::Connect(port) => {
                self.connect.write(Connect(At::Port(port)));
            }
            Request::Disconnect => {
                self.connect.write(Connect(At::Core));
            }
            Request::SaveSession => {
                let session = self.board.0.whole_session();
                let session = session.map_err(|error| error.to_string())?;
                send_report(&Report::Session(session.to_text()));
            }
        }
        Ok(())
    }

    /// Presses something, and lifts what was pressed before.
    fn press(&mut self, input: Input, lift: &mut Option<Input>) {
        self.commands.write(WindowCommand::from(input));
        if let Some(before) = lift.replace(input.reverse()) {
            self.commands.write(WindowCommand::from(before));
        }
    }
}

/// What has to change for the board to be described again.
#[derive(Clone, PartialEq)]
struct Described {
    layout: protocol::Layout,
    legal: Vec<Point>,
    lights: Vec<Light>,
    display: String,
    state: String,
}

/// Describes the board when it has changed.
fn report_board(
    mut board: ResMut<ShownBoard>,
    (shown, text): (Res<Shown>, Res<OpenText>),
    mut before: Local<Option<Described>>,
) {
    if !shown.is_changed() {
        return;
    }
    let light = |point| shown.frame.light(point);
    let now = Described {
        layout: shown.layout,
        legal: shown.legal.clone(),
        lights: shown.layout.iter().map(light).collect(),
        display: shown.frame.display.to_string(),
        state: touchboard_host::standing::state(&shown.status, &shown.frame),
    };
    if before.as_ref() == Some(&now) {
        return;
    }
    let Some(copy) = board.0.copy() else {
        return;
    };
    *before = Some(now);
    let told = (&shown.frame, &shown.status);
    let plays_text = shown.status.settings.game == LAYOUTS_OWN && text.is_there();
    let text = plays_text.then(|| text.name());
    let board = report::of_board(&copy, told, &shown.legal, (shown.layout, text));
    send_report(&Report::Board(board));
}

/// Tells the document where the points are in the picture, so that its buttons for them are
/// at the same place.
fn report_places(
    (plan, shown): (Res<PointPlan>, Res<Shown>),
    eyes: Query<(&Camera, &GlobalTransform), With<SceneCamera>>,
    mut before: Local<Vec<Vec<Place>>>,
) {
    let Ok((camera, place)) = eyes.single() else {
        return;
    };
    // The plan follows the layout one picture later.
    if plan.layout() != shown.layout {
        return;
    }
    let seen = |at: Vec3| camera.world_to_viewport(place, at).unwrap_or_default();
    let of_point = |point: Point| {
        let at = plan.place(point);
        let (middle, side) = (seen(at), seen(at + Vec3::X * plan.pitch()));
        Place {
            x: middle.x.round() as i32,
            y: middle.y.round() as i32,
            width: (side.x - middle.x).abs().round() as i32,
        }
    };
    let rows = shown.layout.in_rows();
    let now: Vec<Vec<Place>> = rows.map(|row| row.map(of_point).collect()).collect();
    if *before != now {
        send_report(&Report::Places(now.clone()));
        *before = now;
    }
}

/// Tells the document what is said of the text.
fn report_text(text: Res<OpenText>, mut before: Local<TextReport>) {
    let now = TextReport {
        error: text.wrong.clone(),
        random_games: match &text.random {
            Random::Came(words) => Some(words.clone()),
            Random::Nothing | Random::Playing(_) => None,
        },
        is_playing: matches!(text.random, Random::Playing(_)),
    };
    if *before != now {
        send_report(&Report::Text(now.clone()));
        *before = now;
    }
}

/// Reports to the document when the board is lit.
fn report_lit(curtain: Res<Curtain>, mut is_told: Local<bool>) {
    if *curtain == Curtain::Open && !*is_told {
        *is_told = true;
        send_report(&Report::Lit);
    }
}
