//! News of the board, over the scene: that it does not answer or has restarted, since
//! when, and what the user can do about it.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, Color32, CornerRadius, Margin, Order as Layer, RichText, Ui};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass};
use protocol::Tick;

use super::{style, system};
use crate::scene::camera::SceneRect;
use crate::source::{
    BoardLink, BoardPlaces, ComesBack, Connect, LinkSince, PlayOn, Restarted, Shown,
    UnfinishedAnswer, UnfinishedGame, WindowCommand,
};

/// The veil over a board that does not answer.
const VEIL: Color32 = Color32::from_rgba_premultiplied(22, 22, 23, 150);
/// The maximum width of a notice.
const WIDTH: f32 = 380.0;

/// Shows notices and removes old ones.
pub struct NoticePlugin;

impl Plugin for NoticePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(EguiPrimaryContextPass, draw.after(super::draw));
    }
}

/// An offer to the user, as a button of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Connect to the same place again.
    Again,
    /// Continue in this process with the last known state.
    PlayOn,
    /// Restore the game that was on the board before it restarted.
    BringBack,
    /// Keep the board in its state after the restart.
    LeaveIt,
    /// Answer the offer of an unfinished game.
    Unfinished(UnfinishedAnswer),
}

/// A notice about the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowNotice {
    /// The notice in a few words.
    pub title: String,
    /// The cause and its time, in sentences.
    pub sentences: Vec<String>,
    /// The offers; the first is the usual choice.
    pub remedies: Vec<Remedy>,
}

/// The notice about the board, if there is one.
#[must_use]
pub fn notice(shown: &Shown, at: &str, last: Tick, since: Duration) -> Option<WindowNotice> {
    if let BoardLink::Down(why) = &shown.link {
        let mut sentences = vec![format!("{}.", capitalised(why))];
        if last > 0 {
            let ago = since.as_secs();
            let last = style::seconds(last);
            sentences.push(format!(
                "That was {ago} s ago, at second {last} of its time."
            ));
        }
        let play_on = shown.lost.kept.map(|_| Remedy::PlayOn);
        return Some(WindowNotice {
            title: format!("No signal from the board at {at}"),
            sentences,
            remedies: [Remedy::Again].into_iter().chain(play_on).collect(),
        });
    }
    let Restarted {
        was_at,
        can_return_to,
    } = shown.lost.restarted?;
    let was_at = style::seconds(was_at);
    let mut sentences = vec![format!(
        "It was restarted or lost power at second {was_at}: the game on it is lost."
    )];
    let remedies = match can_return_to {
        Some(tick) => {
            let tick = style::seconds(tick);
            sentences.push(format!("Its last known state is from second {tick}."));
            vec![Remedy::BringBack, Remedy::PlayOn, Remedy::LeaveIt]
        }
        None => vec![Remedy::LeaveIt],
    };
    Some(WindowNotice {
        title: format!("The board at {at} restarted"),
        sentences,
        remedies,
    })
}

/// The offer of a game that was not finished when the window was last closed; `None` if
/// it was left just now, which taking back undoes.
#[must_use]
pub fn offer(game: &UnfinishedGame) -> Option<WindowNotice> {
    let answers = [UnfinishedAnswer::Continue, UnfinishedAnswer::Forget];
    (game.comes_back == ComesBack::OnOffer).then(|| WindowNotice {
        title: format!("Your game of {} is not finished", game.name),
        sentences: vec!["It goes on where it was left, with all its moves.".to_owned()],
        remedies: answers.map(Remedy::Unfinished).to_vec(),
    })
}

/// The sentence with a capital letter, unless it begins with the name of a
/// program, which keeps its own spelling (`qemu-system-arm`).
pub(super) fn capitalised(sentence: &str) -> String {
    let first_word = sentence.split(' ').next().unwrap_or_default();
    if first_word.contains('-') {
        return sentence.to_owned();
    }
    let mut rest = sentence.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest).collect()
}

/// The messages that a notice can write.
#[derive(SystemParam)]
struct Answers<'w> {
    connect: MessageWriter<'w, Connect>,
    play_on: MessageWriter<'w, PlayOn>,
    commands: MessageWriter<'w, WindowCommand>,
    unfinished: MessageWriter<'w, UnfinishedAnswer>,
}

/// Whether the board answers, and since when.
#[derive(SystemParam)]
struct BoardSignal<'w> {
    shown: Res<'w, Shown>,
    clock: Res<'w, crate::source::BoardTime>,
    since: Res<'w, LinkSince>,
    time: Res<'w, Time<Real>>,
}

fn draw(
    mut contexts: EguiContexts,
    signal: BoardSignal,
    places: Res<BoardPlaces>,
    rect: Res<SceneRect>,
    unfinished: Option<Res<UnfinishedGame>>,
    mut answers: Answers,
) -> Result {
    let context = contexts.ctx_mut()?.clone();
    let Some(rect) = rect.0 else { return Ok(()) };
    let scale = context.pixels_per_point();
    let place = egui::Rect::from_min_max(
        egui::pos2(rect.min.x as f32, rect.min.y as f32) / scale,
        egui::pos2(rect.max.x as f32, rect.max.y as f32) / scale,
    );
    if !signal.shown.link.answers() {
        let layer = egui::LayerId::new(Layer::Background, egui::Id::new("veil"));
        context.layer_painter(layer).rect_filled(place, 0.0, VEIL);
    }
    let at = places.current.at.to_string();
    let age = signal.time.elapsed().saturating_sub(signal.since.0);
    let notice = notice(&signal.shown, &at, signal.clock.0, age);
    let offered = || unfinished.as_deref().and_then(offer);
    let Some(notice) = notice.or_else(offered) else {
        return Ok(());
    };
    egui::Area::new(egui::Id::new("notice"))
        .order(Layer::Foreground)
        .fade_in(false)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(place.center())
        .constrain_to(place)
        .show(&context, |ui| {
            egui::Frame::new()
                .fill(style::card_fill())
                .corner_radius(CornerRadius::same(10))
                .inner_margin(Margin::symmetric(18, 16))
                .show(ui, |ui| {
                    ui.set_width(WIDTH.min(place.width() - 60.0));
                    card(ui, &notice, &places, &mut answers);
                });
        });
    Ok(())
}

fn card(ui: &mut Ui, notice: &WindowNotice, places: &BoardPlaces, answers: &mut Answers) {
    ui.label(
        RichText::new(&notice.title)
            .color(match notice.remedies[..] {
                // Good news.
                [Remedy::Unfinished(_), ..] => style::text(),
                _ => style::warning(),
            })
            .heading(),
    );
    for sentence in &notice.sentences {
        ui.label(sentence);
    }
    ui.add_space(style::STEP * 0.5);
    ui.horizontal_wrapped(|ui| {
        for (remedy, first) in notice.remedies.iter().zip([true, false, false, false]) {
            let text = match remedy {
                Remedy::Again => system::again(&places.current.at),
                Remedy::PlayOn => "Play on without it",
                Remedy::BringBack => "Bring the game back",
                Remedy::LeaveIt => "Leave it as it is",
                Remedy::Unfinished(UnfinishedAnswer::Continue) => "Continue the game",
                Remedy::Unfinished(UnfinishedAnswer::Forget) => "Begin another game",
            };
            if !ui.add(style::wide(text, first)).clicked() {
                continue;
            }
            match remedy {
                Remedy::Again => {
                    answers.connect.write(Connect(places.current.at.clone()));
                }
                Remedy::PlayOn => {
                    answers.play_on.write(PlayOn);
                }
                Remedy::BringBack => {
                    answers.commands.write(WindowCommand::BringBack);
                }
                Remedy::LeaveIt => {
                    answers.commands.write(WindowCommand::LeaveIt);
                }
                Remedy::Unfinished(answer) => {
                    answers.unfinished.write(*answer);
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::LostGame;

    fn of(shown: &Shown) -> Option<WindowNotice> {
        notice(shown, "qemu", 61_007, Duration::from_secs(23))
    }

    #[test]
    fn sentences_are_capitalised_but_program_names_are_not() {
        assert_eq!(capitalised("the line was lost"), "The line was lost");
        let killed = "qemu-system-arm ended (signal 9)";
        assert_eq!(capitalised(killed), killed);
    }

    #[test]
    fn an_answering_board_causes_no_notice() {
        assert_eq!(of(&Shown::default()), None);
        let link = BoardLink::Searching;
        assert_eq!(
            of(&Shown {
                link,
                ..Shown::default()
            }),
            None
        );
    }

    #[test]
    fn the_notice_of_a_lost_board_says_when_and_what_to_do() {
        let shown = Shown {
            link: BoardLink::Down("QEMU ended".to_owned()),
            lost: LostGame {
                kept: Some(61_000),
                restarted: None,
            },
            ..Shown::default()
        };
        let notice = of(&shown).unwrap();
        assert_eq!(notice.title, "No signal from the board at qemu");
        assert_eq!(
            notice.sentences,
            [
                "QEMU ended.",
                "That was 23 s ago, at second 61.007 of its time."
            ]
        );
        assert_eq!(notice.remedies, [Remedy::Again, Remedy::PlayOn]);
    }

    #[test]
    fn the_notice_of_a_restarted_board_offers_its_game() {
        let restarted = Some(Restarted {
            was_at: 61_007,
            can_return_to: Some(61_007),
        });
        let lost = LostGame {
            restarted,
            kept: None,
        };
        let shown = Shown {
            lost,
            ..Shown::default()
        };
        let notice = of(&shown).unwrap();
        assert_eq!(notice.remedies[0], Remedy::BringBack);
        assert!(notice.sentences[0].contains("61.007"));
    }
}
