//! The settings of the view, and the requests of the user to change them, on the card of
//! the view or by name in the list of commands.

use bevy::ecs::system::SystemParam;
use bevy::prelude::{DetectChangesMut, In, ResMut};

use super::folds::{Fold, Folds};
use crate::scene::camera::Viewpoint;
use crate::scene::quality::{Quality, WantedQuality};
use crate::sound::Volume;
use crate::switches::{WindowSwitch, WindowSwitches};
use crate::theme::{ChosenPalette, Palette, WindowTone};

/// The settings of the view.
#[derive(SystemParam)]
pub struct ViewSettings<'w> {
    /// Where the camera is.
    pub view: ResMut<'w, Viewpoint>,
    /// The colours of the sides.
    pub palette: ResMut<'w, ChosenPalette>,
    /// What is turned on or off.
    pub switches: ResMut<'w, WindowSwitches>,
    /// The quality that the user chose.
    pub wanted: ResMut<'w, WantedQuality>,
    /// Whether panels are dark or light.
    pub tone: ResMut<'w, WindowTone>,
    /// The volume of sounds.
    pub volume: ResMut<'w, Volume>,
    /// Which cards are folded.
    pub folds: ResMut<'w, Folds>,
}

/// A request of the user on the card, or by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewRequest {
    /// Fold the card, or unfold it.
    Fold(Fold),
    /// Draw the sides in these colours.
    Palette(Palette),
    /// Look from there.
    Viewpoint(Viewpoint),
    /// Draw in this quality; `None` is the one that suits the graphics device.
    Quality(Option<Quality>),
    /// Set the panels to dark or light.
    Tone(WindowTone),
    /// Turn a switch on or off.
    Set(WindowSwitch, bool),
    /// Set the volume, in per cent.
    Volume(u8),
}

/// Carries out a request.
pub fn carry_out(In(request): In<ViewRequest>, mut settings: ViewSettings) {
    settings.change(request);
}

impl ViewSettings<'_> {
    /// Carries out a request.
    pub fn change(&mut self, request: ViewRequest) {
        match request {
            ViewRequest::Fold(view) => {
                let folds = Folds {
                    view,
                    ..*self.folds
                };
                self.folds.set_if_neq(folds);
            }
            ViewRequest::Palette(palette) => self.palette.0 = palette,
            ViewRequest::Viewpoint(viewpoint) => *self.view = viewpoint,
            ViewRequest::Quality(quality) => *self.wanted = WantedQuality(quality),
            ViewRequest::Tone(tone) => *self.tone = tone,
            ViewRequest::Set(switch, is_on) => self.switches.set(switch, is_on),
            ViewRequest::Volume(percent) => self.volume.set_percent(percent),
        }
    }
}
