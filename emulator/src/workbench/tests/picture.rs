//! A window without a screen for the tests of the panels: its resources, what is drawn in
//! it, and what a user does in it.

use protocol::{Settings, Side, Status, Tick};
use touchboard_host::story::{StoryLine, Subject};

use super::super::*;
use super::system;
use crate::keys::Stroke;
use crate::scene::camera::Viewpoint;
use crate::scene::quality::{Quality, WantedQuality};
use crate::source::{
    BoardPlaces, BoardTime, Bring, CancelWork, Log, RealRate, Shown, Trouble, WindowCommand,
};
use crate::workbench::timeline::TimelineView;

/// Windows from the smallest usable one to a large one, in points.
pub const SIZES: [(f32, f32); 6] = [
    (640.0, 400.0),
    (800.0, 500.0),
    (1000.0, 1300.0),
    (1280.0, 720.0),
    (1366.0, 768.0),
    (2560.0, 1440.0),
];

pub fn world() -> World {
    let mut world = World::new();
    world.init_resource::<Shown>();
    world.init_resource::<BoardTime>();
    world.init_resource::<Trouble>();
    world.init_resource::<BoardPlaces>();
    world.init_resource::<Volume>();
    world.init_resource::<Audible>();
    world.init_resource::<lists::picker::Picker>();
    world.init_resource::<lists::library::Library>();
    world.init_resource::<take_back::TouchWait>();
    world.init_resource::<hint::Hint>();
    world.init_resource::<reading::Presence>();
    world.init_resource::<crate::leaving::Leaving>();
    world.init_resource::<Log>();
    world.init_resource::<TimelineView>();
    world.init_resource::<dock::Dock>();
    world.init_resource::<lists::command_list::CommandList>();
    world.init_resource::<Messages<Stroke>>();
    world.init_resource::<panes::inspected::Inspected>();
    world.init_resource::<panes::state::StateSearch>();
    world.init_resource::<panes::faults::FaultsForm>();
    world.init_resource::<panes::line::LinePane>();
    world.init_resource::<RoomForTools>();
    world.init_resource::<progress::Progress>();
    world.init_resource::<crate::source::FileWork>();
    world.init_resource::<crate::source::ConsoleWork>();
    world.init_resource::<Messages<CancelWork>>();
    world.init_resource::<arrangements::Arrangements>();
    world.init_resource::<arrangements::ArrangementForm>();
    world.init_resource::<Viewpoint>();
    world.init_resource::<ChosenPalette>();
    world.init_resource::<OpenText>();
    world.init_resource::<SidePanel>();
    world.init_resource::<folds::Folds>();
    world.init_resource::<other_uses::Played>();
    world.init_resource::<HowToDrawer>();
    world.init_resource::<KeysDrawer>();
    world.init_resource::<RealRate>();
    world.init_resource::<story::Story>();
    world.init_resource::<legend::Legend>();
    world.init_resource::<cards::game::Face>();
    world.init_resource::<cards::game::OpeningPieces>();
    world.init_resource::<Time<Real>>();
    world.init_resource::<WindowSwitches>();
    world.init_resource::<Quality>();
    world.init_resource::<WindowTone>();
    world.init_resource::<WantedQuality>();
    world.insert_resource(crate::source::UsualLevel(0));
    world.init_resource::<Messages<crate::source::UnfinishedAnswer>>();
    world.init_resource::<Messages<Bring>>();
    world.init_resource::<Messages<WindowCommand>>();
    system::init(&mut world);
    world
}

/// The window of most tests, in points.
pub const SIZE: (f32, f32) = (1280.0, 720.0);

/// The drawn shapes, and the room that the panels left.
pub struct Picture {
    pub context: egui::Context,
    pub screen: egui::Rect,
    pub shapes: Vec<egui::epaint::ClippedShape>,
    pub left: egui::Rect,
}

/// The pass in which an event takes effect: by then, everything has its place.
pub const LAST_PASS: usize = 4;

/// Draws the window several times, with these events before the last picture.
pub fn picture(world: &mut World, size: (f32, f32), events: Vec<egui::Event>) -> Picture {
    drawn(world, size, vec![events])
}

/// Draws the window once for each of these lists of events.
pub fn pictures(world: &mut World, events: Vec<Vec<egui::Event>>) -> Picture {
    drawn(world, SIZE, events)
}

pub fn drawn(world: &mut World, size: (f32, f32), events: Vec<Vec<egui::Event>>) -> Picture {
    let context = egui::Context::default();
    style::apply(&context, WindowTone::Dark);
    style::fit(&context, size.into());
    let mut left = egui::Rect::NOTHING;
    let mut shapes = Vec::new();
    let mut events = events.into_iter();
    for pass in 0..LAST_PASS + 1 + events.len() {
        let zoom = context.zoom_factor();
        let screen =
            egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(size.0 / zoom, size.1 / zoom));
        let input = egui::RawInput {
            screen_rect: Some(screen),
            events: match pass < LAST_PASS {
                true => Vec::new(),
                false => events.next().unwrap_or_default(),
            },
            ..Default::default()
        };
        context.begin_pass(input);
        left = draw_panels(&context, world);
        let mut output = context.end_pass();
        output.textures_delta.clear();
        shapes = output.shapes;
    }
    Picture {
        screen: context.viewport_rect(),
        context,
        shapes,
        left,
    }
}

/// The place of a word in the last picture.
pub fn place(world: &mut World, word: &str) -> egui::Pos2 {
    let words = picture(world, SIZE, Vec::new()).words();
    let found = words.iter().find(|(text, ..)| text == word);
    found
        .unwrap_or_else(|| panic!("{word} is not there: {words:?}"))
        .1
        .center()
}

/// Clicks at a place in the window.
pub fn click_at(world: &mut World, at: egui::Pos2) {
    let button = |pressed| egui::Event::PointerButton {
        pos: at,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    let events = vec![egui::Event::PointerMoved(at), button(true), button(false)];
    picture(world, SIZE, events);
}

impl Picture {
    /// The places of the widgets in the side panel.
    pub fn widgets(&self) -> Vec<egui::Rect> {
        let panel = self.left.right() + 6.0;
        let lies_in_panel = |place: &egui::Rect| place.left() >= panel;
        self.context.viewport(|view| {
            let layers = view.prev_pass.widgets.layers();
            let widgets = layers.flat_map(|(_, widgets)| widgets.iter());
            let places = widgets.map(|widget| widget.rect);
            places.filter(lies_in_panel).collect()
        })
    }

    /// The words in the picture, their places, and the visible parts.
    pub fn words(&self) -> Vec<(String, egui::Rect, egui::Rect)> {
        fn find(
            shape: &egui::Shape,
            clip: egui::Rect,
            found: &mut Vec<(String, egui::Rect, egui::Rect)>,
        ) {
            match shape {
                egui::Shape::Text(text) if !text.galley.text().trim().is_empty() => {
                    found.push((
                        text.galley.text().to_owned(),
                        shape.visual_bounding_rect(),
                        clip,
                    ));
                }
                egui::Shape::Vec(shapes) => {
                    shapes.iter().for_each(|shape| find(shape, clip, found))
                }
                _ => {}
            }
        }
        let mut found = Vec::new();
        for clipped in &self.shapes {
            find(&clipped.shape, clipped.clip_rect, &mut found);
        }
        found
    }

    /// The words whose ends are cut off.
    pub fn cut(&self) -> Vec<String> {
        fn find(shape: &egui::Shape, found: &mut Vec<String>) {
            match shape {
                egui::Shape::Text(text) if text.galley.elided => {
                    found.push(text.galley.text().to_owned());
                }
                egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| find(shape, found)),
                _ => {}
            }
        }
        let mut found = Vec::new();
        for clipped in &self.shapes {
            find(&clipped.shape, &mut found);
        }
        found
    }
}

pub fn with_game(game: u8) -> World {
    let mut world = world();
    world.resource_mut::<Shown>().status = Status {
        settings: Settings {
            game,
            ..Settings::default()
        },
        ..Status::default()
    };
    world
}

/// The events of a wheel that scrolls down at this place.
pub fn scroll_down(place: egui::Pos2) -> Vec<egui::Event> {
    vec![
        egui::Event::PointerMoved(place),
        egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: egui::vec2(0.0, -8000.0),
            phase: egui::TouchPhase::Move,
            modifiers: egui::Modifiers::NONE,
        },
    ]
}

pub fn line(tick: Tick, about: Subject, what: &str) -> StoryLine {
    StoryLine {
        tick,
        about,
        side: (about == Subject::Move).then_some(Side::Green),
        what: what.to_owned(),
        score: None,
        is_late: false,
        times: 1,
    }
}

/// The events of a click on this text.
pub fn click(words: &[(String, egui::Rect, egui::Rect)], on: &str) -> Vec<egui::Event> {
    let found = words.iter().find(|(text, ..)| text == on);
    let pos = found.expect("it is there").1.center();
    let button = |pressed| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::default(),
    };
    vec![egui::Event::PointerMoved(pos), button(true), button(false)]
}
