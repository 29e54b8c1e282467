//! Shows work that takes longer than a moment: a sentence, a bar, and a button that
//! cancels it if that leaves nothing half done.
//!
//! Such work is going to a moment far ahead, a line of the console, connecting,
//! shrinking, writing a file, or computing waveforms. Work that ends within half a second
//! is not shown, because it would only flicker.

use std::time::Duration;

use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, CornerRadius, RichText, Sense, Ui, vec2};

use super::dock::{Dock, Pane};
use super::parts::OverBoard;
use super::style;
use super::timeline::TimelineView;
use crate::source::{CancelWork, ConsoleWork, FileWork, LongWork, Shown, SourceSet, WindowCommand};

/// Work is shown once it has taken this long.
const MOMENT: Duration = Duration::from_millis(500);
/// The maximum width of the progress.
const WIDTH: f32 = 340.0;
/// From this height of the board's part on, the table above the case has room.
const ROOM_ABOVE: f32 = 620.0;
/// The distance of the progress from the edge of that part.
const FROM_EDGE: f32 = 8.0;
/// Height of a bar.
const BAR: f32 = 6.0;
/// The time in which the bar of work without a known share moves from end to end, in
/// seconds.
const ROUND_S: f64 = 1.6;

/// The part of the program that works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Worker {
    Board,
    File,
    Console,
    Waveforms,
}

/// Work in progress, with its start in real time since the start of the program.
#[derive(Clone, Debug, PartialEq)]
struct ShownWork {
    worker: Worker,
    work: LongWork,
    since: Duration,
}

/// All work in progress.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Progress {
    all: Vec<ShownWork>,
    now: Duration,
}

impl Progress {
    /// The work that has taken longer than a moment.
    fn long_work(&self) -> impl Iterator<Item = &ShownWork> {
        let is_long = |shown: &&ShownWork| self.now.saturating_sub(shown.since) >= MOMENT;
        self.all.iter().filter(is_long)
    }
}

/// Tracks work in progress.
pub struct ProgressPlugin;

impl Plugin for ProgressPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Progress>()
            .add_systems(Update, follow.after(SourceSet::Exchange));
    }
}

/// Collects the work of board, files, console and timeline.
pub(super) fn follow(
    shown: Res<Shown>,
    (file, console): (Res<FileWork>, Res<ConsoleWork>),
    (timeline, dock): (Res<TimelineView>, Res<Dock>),
    time: Res<Time<Real>>,
    mut progress: ResMut<Progress>,
) {
    let waves = timeline
        .share_done()
        .filter(|_| dock.is_seen(Pane::Timeline));
    let waves = waves.map(|share| LongWork {
        words: "Working out the waveforms".to_owned(),
        share: Some(share),
        can_cancel: false,
    });
    let all = [
        (Worker::Board, shown.work.clone()),
        (Worker::File, file.0.clone()),
        (Worker::Console, console.0.clone()),
        (Worker::Waveforms, waves),
    ];
    let now = time.elapsed();
    let before = std::mem::take(&mut progress.all);
    let earlier = |worker: Worker| before.iter().find(|shown| shown.worker == worker);
    progress.all = all
        .into_iter()
        .filter_map(|(worker, work)| {
            Some(ShownWork {
                worker,
                work: work?,
                since: earlier(worker).map_or(now, |shown| shown.since),
            })
        })
        .collect();
    progress.now = now;
}

/// Shows long work at an edge of the board's part of the window.
pub(super) fn show(
    In(OverBoard { context, part }): In<OverBoard>,
    progress: Res<Progress>,
    mut commands: MessageWriter<WindowCommand>,
    mut cancel: MessageWriter<CancelWork>,
) {
    if progress.long_work().next().is_none() {
        return;
    }
    let now = progress.now.as_secs_f64();
    let frame = egui::Frame::new()
        .fill(style::panel())
        .stroke(egui::Stroke::new(1.0, style::widget_hovered()))
        .corner_radius(10)
        .inner_margin(10);
    // Behind another pane, the board is not visible.
    let part = match part.width() > 200.0 {
        true => part,
        false => context.viewport_rect(),
    };
    let (pivot, at) = place(part);
    egui::Area::new(egui::Id::new("progress"))
        .order(egui::Order::Middle)
        .fade_in(false)
        .pivot(pivot)
        .fixed_pos(at)
        .constrain_to(part)
        .show(&context, |ui| {
            frame.show(ui, |ui| {
                ui.set_width(WIDTH.min(part.width() - 40.0));
                for shown in progress.long_work() {
                    if !show_work(ui, shown, now) {
                        continue;
                    }
                    match shown.worker {
                        Worker::Board => {
                            commands.write(WindowCommand::Cancel);
                        }
                        Worker::File => {
                            cancel.write(CancelWork::File);
                        }
                        Worker::Console => {
                            cancel.write(CancelWork::Console);
                        }
                        Worker::Waveforms => {}
                    }
                }
            });
        });
}

/// The place of the progress: at the top, or, in a part so low that the display is there, at
/// the bottom.
fn place(part: egui::Rect) -> (Align2, egui::Pos2) {
    match part.height() >= ROOM_ABOVE {
        true => (Align2::CENTER_TOP, part.center_top() + vec2(0.0, FROM_EDGE)),
        false => (
            Align2::CENTER_BOTTOM,
            part.center_bottom() - vec2(0.0, FROM_EDGE),
        ),
    }
}

/// Draws work in progress. Returns true if it is to be cancelled.
fn show_work(ui: &mut Ui, shown: &ShownWork, now: f64) -> bool {
    let mut is_cancelled = false;
    ui.horizontal(|ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            is_cancelled = shown.work.can_cancel && ui.small_button("Cancel").clicked();
            if let Some(share) = shown.work.share {
                let percent = RichText::new(format!("{:.0} %", 100.0 * share));
                ui.label(percent.small().color(style::faint()));
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let words = RichText::new(&shown.work.words)
                    .small()
                    .color(style::text());
                ui.add(egui::Label::new(words).wrap());
            });
        });
    });
    let size = vec2(ui.available_width(), BAR);
    let (place, _) = ui.allocate_exact_size(size, Sense::hover());
    let round = CornerRadius::same(3);
    ui.painter().rect_filled(place, round, style::widget());
    let [from, until] = match shown.work.share {
        Some(share) => [0.0, share],
        // The amount of work is unknown, so a short bar moves.
        None => {
            let at = (now / ROUND_S).fract() as f32;
            [(at - 0.25).max(0.0), at]
        }
    };
    let x = |share: f32| place.left() + share * place.width();
    let done = place.with_min_x(x(from)).with_max_x(x(until));
    ui.painter().rect_filled(done, round, style::accent());
    is_cancelled
}
