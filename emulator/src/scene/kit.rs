//! Meshes and materials of figures: one mesh per look, one material per tint. Each is
//! created when it is first needed, and shared.

use bevy::light::NotShadowCaster;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use touchboard_host::palette::Palette;
use touchboard_host::pieces::figures::{Figure, PieceShape, PieceStyle, Tint};

use super::figures;
use super::lettering;
use super::shape::Shape;
use crate::theme;

/// Lift of a held piece, relative to the pitch: it clears its neighbours.
const HELD_LIFT: f32 = 0.45;
/// Height of the number of a stack.
const NUMBER: f32 = 0.40;
/// Height of a number of two digits.
const LONG_NUMBER: f32 = 0.28;
/// Luminance above which the number on a piece is dark.
const PALE: f32 = 0.30;

/// Radius of the disc under the number.
const DISC: f32 = 0.27;
/// Distance from the disc up to the number.
const DISC_BELOW: f32 = 0.004;

/// The meshes and materials of all figures drawn so far.
#[derive(Resource, Default)]
pub struct Kit {
    models: HashMap<PieceStyle, Model>,
    numbers: HashMap<u8, Handle<Mesh>>,
    tints: HashMap<(Tint, Finish), Handle<StandardMaterial>>,
    /// The translucent version of each material, for ghosts.
    ghosts: HashMap<AssetId<StandardMaterial>, Handle<StandardMaterial>>,
    /// The grain of turned wood.
    grain: Option<Handle<Image>>,
    /// The grain of stone.
    speckles: Option<Handle<Image>>,
    ink: Option<Handle<StandardMaterial>>,
    brass: Option<Handle<StandardMaterial>>,
    /// The material of letters and numbers, which contains the letter atlas.
    letters: Handle<StandardMaterial>,
    /// The material of letters and numbers on dark pieces.
    pale_letters: Handle<StandardMaterial>,
    /// The mesh of the disc under the number of a stack.
    disc: Option<Handle<Mesh>>,
    palette: Palette,
}

/// Whether a piece is real, or a ghost that shows what a touch would place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// A real piece.
    There,
    /// A translucent one.
    Ghost,
}

/// Opacity of a ghost.
const GHOST_ALPHA: f32 = 0.30;

/// The surface of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Finish {
    /// Dyed throughout, as counters and stones are.
    Dyed,
    /// Polished stone, as the tiles of Ishido are.
    Stone,
    /// Turned wood, as the men of Chess are.
    Wood,
}

impl Finish {
    fn of(form: PieceShape) -> Finish {
        match form {
            PieceShape::King
            | PieceShape::Queen
            | PieceShape::Rook
            | PieceShape::Bishop
            | PieceShape::Knight
            | PieceShape::Pawn => Finish::Wood,
            PieceShape::Tile(_) => Finish::Stone,
            _ => Finish::Dyed,
        }
    }
}

impl Kit {
    /// Sets the texture of wooden pieces.
    pub fn set_wood_texture(&mut self, grain: Handle<Image>) {
        self.grain = Some(grain);
    }

    /// Sets the texture of stone pieces.
    pub fn set_stone_texture(&mut self, speckles: Handle<Image>) {
        self.speckles = Some(speckles);
    }

    /// Sets the materials of letters and numbers on pieces: dark ones, and pale ones for
    /// dark pieces.
    pub fn print_letters_with(
        &mut self,
        letters: Handle<StandardMaterial>,
        pale: Handle<StandardMaterial>,
    ) {
        self.letters = letters;
        self.pale_letters = pale;
    }
}

/// The meshes of a look.
#[derive(Clone)]
struct Model {
    body: Handle<Mesh>,
    ink: Option<Handle<Mesh>>,
    trim: Option<Handle<Mesh>>,
    band: Option<Handle<Mesh>>,
    letters: Option<Handle<Mesh>>,
    step: Option<f32>,
    height: f32,
}

/// One piece of a stack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StackLevel {
    /// The look of the piece.
    pub look: PieceStyle,
    /// The colour of the piece.
    pub tint: Tint,
    /// Height above the field, relative to the pitch.
    pub lift: f32,
}

/// Creates missing meshes and materials of the kit, and spawns pieces.
pub struct PieceMaker<'a> {
    /// The meshes and materials created so far.
    pub kit: &'a mut Kit,
    /// The store of meshes.
    pub meshes: &'a mut Assets<Mesh>,
    /// The store of materials.
    pub materials: &'a mut Assets<StandardMaterial>,
}

impl PieceMaker<'_> {
    /// Switches to a palette, and drops the materials of another one.
    pub fn follow(&mut self, palette: Palette) {
        if self.kit.palette != palette {
            self.kit.palette = palette;
            self.kit.tints.clear();
            self.kit.ghosts.clear();
        }
    }

    fn model(&mut self, look: PieceStyle) -> Model {
        if let Some(model) = self.kit.models.get(&look) {
            return model.clone();
        }
        let parts = figures::parts(look);
        let model = Model {
            height: parts.height(),
            step: parts.step,
            body: self.meshes.add(parts.body.mesh()),
            ink: parts.ink.map(|ink| self.meshes.add(ink.mesh())),
            trim: parts.trim.map(|trim| self.meshes.add(trim.mesh())),
            band: parts.band.map(|band| self.meshes.add(band.mesh())),
            letters: parts.letters.map(|it| self.meshes.add(it.mesh())),
        };
        self.kit.models.insert(look, model.clone());
        model
    }

    /// The material of a tint.
    pub fn tint(&mut self, tint: Tint) -> Handle<StandardMaterial> {
        self.finished(tint, Finish::Dyed)
    }

    fn finished(&mut self, tint: Tint, finish: Finish) -> Handle<StandardMaterial> {
        let Kit {
            palette,
            tints,
            grain,
            speckles,
            ..
        } = &mut *self.kit;
        let made = tints.entry((tint, finish)).or_insert_with(|| {
            self.materials.add(match finish {
                Finish::Dyed => StandardMaterial {
                    base_color: theme::figure(*palette, tint),
                    perceptual_roughness: 0.42,
                    reflectance: 0.45,
                    ..default()
                },
                Finish::Stone => StandardMaterial {
                    base_color: theme::stone(*palette, tint),
                    base_color_texture: speckles.clone(),
                    perceptual_roughness: 0.30,
                    reflectance: 0.45,
                    ..default()
                },
                Finish::Wood => StandardMaterial {
                    base_color: theme::wood(*palette, tint),
                    base_color_texture: grain.clone(),
                    perceptual_roughness: 0.34,
                    reflectance: 0.42,
                    ..default()
                },
            })
        });
        made.clone()
    }

    /// The material for a real piece or a ghost.
    fn seen(
        &mut self,
        material: Handle<StandardMaterial>,
        presence: Presence,
    ) -> Handle<StandardMaterial> {
        if presence == Presence::There {
            return material;
        }
        if let Some(known) = self.kit.ghosts.get(&material.id()) {
            return known.clone();
        }
        let solid = self.materials.get(&material).cloned().unwrap_or_default();
        let ghost = self.materials.add(StandardMaterial {
            base_color: solid.base_color.with_alpha(GHOST_ALPHA),
            alpha_mode: AlphaMode::Blend,
            ..solid
        });
        self.kit.ghosts.insert(material.id(), ghost.clone());
        ghost
    }

    fn ink(&mut self) -> Handle<StandardMaterial> {
        let materials = &mut *self.materials;
        let made = self.kit.ink.get_or_insert_with(|| {
            materials.add(StandardMaterial {
                base_color: theme::GROOVE,
                perceptual_roughness: 0.8,
                reflectance: 0.2,
                ..default()
            })
        });
        made.clone()
    }

    fn brass(&mut self) -> Handle<StandardMaterial> {
        let materials = &mut *self.materials;
        let made = self.kit.brass.get_or_insert_with(|| {
            materials.add(StandardMaterial {
                base_color: theme::BRASS,
                perceptual_roughness: 0.38,
                metallic: 0.7,
                ..default()
            })
        });
        made.clone()
    }

    /// The pieces of a figure, from the lowest up. Nothing can be put on a pawn,
    /// so the pieces below one are discs.
    pub fn levels(&mut self, figure: Figure) -> Vec<StackLevel> {
        let model = self.model(figure.look);
        let disc = PieceStyle::of(PieceShape::Counter);
        let is_flat = model.step.is_some();
        let below = if is_flat { figure.look } else { disc };
        let step = self.model(below).step.unwrap_or(model.height);
        let top = figure.levels().saturating_sub(1);
        let held = if figure.is_held { HELD_LIFT } else { 0.0 };
        let pieces = figure.pieces().zip(0..=top);
        pieces
            .map(|(tint, level)| StackLevel {
                look: if level == top { figure.look } else { below },
                tint,
                // Only the top piece of a pile is lifted.
                lift: f32::from(level) * step + if level == top { held } else { 0.0 },
            })
            .collect()
    }

    /// Spawns a piece at this transform.
    pub fn spawn(
        &mut self,
        commands: &mut Commands,
        level: &StackLevel,
        place: Transform,
    ) -> Entity {
        self.spawn_as(Presence::There, commands, level, place)
    }

    /// Spawns a real piece or a ghost.
    pub fn spawn_as(
        &mut self,
        presence: Presence,
        commands: &mut Commands,
        level: &StackLevel,
        place: Transform,
    ) -> Entity {
        let model = self.model(level.look);
        let drawn = model.ink.map(|mesh| (mesh, self.ink()));
        let trimmed = model.trim.map(|mesh| (mesh, self.brass()));
        let dyed = model.band.map(|mesh| (mesh, self.tint(level.tint)));
        let printed = model.letters.map(|mesh| (mesh, self.kit.letters.clone()));
        let finished = self.finished(level.tint, Finish::of(level.look.form));
        let body = (
            Name::new("figure"),
            Mesh3d(model.body),
            MeshMaterial3d(self.seen(finished, presence)),
            Visibility::default(),
            place,
        );
        let body = commands.spawn(body).id();
        if presence == Presence::Ghost {
            commands.entity(body).insert(NotShadowCaster);
        }
        for (mesh, material) in drawn.into_iter().chain(trimmed).chain(dyed).chain(printed) {
            let material = self.seen(material, presence);
            commands.spawn((
                ChildOf(body),
                NotShadowCaster,
                Mesh3d(mesh),
                MeshMaterial3d(material),
                Transform::default(),
            ));
        }
        body
    }

    /// The height of a piece's upper side, relative to the pitch.
    pub fn top(&mut self, level: &StackLevel) -> f32 {
        level.lift + self.model(level.look).height
    }

    /// Spawns the number of a stack on a disc in the tint of its uppermost piece.
    pub fn number(
        &mut self,
        commands: &mut Commands,
        count: u8,
        tint: Tint,
        place: Transform,
    ) -> Entity {
        let is_pale = theme::figure(self.kit.palette, tint).luminance() > PALE;
        let meshes = &mut *self.meshes;
        let mesh = self.kit.numbers.entry(count).or_insert_with(|| {
            let number = lettering::words(
                &count.to_string(),
                if count < 10 { NUMBER } else { LONG_NUMBER },
            );
            meshes.add(number.mesh())
        });
        let mesh = mesh.clone();
        let disc = self.kit.disc.get_or_insert_with(|| {
            let rim = [Vec2::new(DISC, 0.0), Vec2::ZERO];
            meshes.add(Shape::turned(&rim, 24).mesh())
        });
        let disc = disc.clone();
        let number = (
            Name::new("number"),
            NotShadowCaster,
            Mesh3d(mesh),
            MeshMaterial3d(match is_pale {
                true => self.kit.letters.clone(),
                false => self.kit.pale_letters.clone(),
            }),
            place,
        );
        let under = (
            NotShadowCaster,
            Mesh3d(disc),
            MeshMaterial3d(self.tint(tint)),
            Transform::from_xyz(0.0, -DISC_BELOW, 0.0),
        );
        commands.spawn(number).with_child(under).id()
    }
}

#[cfg(test)]
mod tests {
    use protocol::Side;

    use super::*;

    fn levels(figure: Figure) -> Vec<StackLevel> {
        let mut kit = Kit::default();
        let (mut meshes, mut materials) = (Assets::default(), Assets::default());
        let mut maker = PieceMaker {
            kit: &mut kit,
            meshes: &mut meshes,
            materials: &mut materials,
        };
        maker.levels(figure)
    }

    #[test]
    fn letters_on_pieces_use_the_atlas_and_signs_do_not() {
        use bevy::ecs::world::CommandQueue;

        let (mut meshes, mut materials) = (Assets::default(), Assets::default());
        let letters = materials.add(StandardMaterial::default());
        let mut kit = Kit::default();
        kit.print_letters_with(letters.clone(), letters.clone());
        let mut maker = PieceMaker {
            kit: &mut kit,
            meshes: &mut meshes,
            materials: &mut materials,
        };
        let (mut world, mut queue) = (World::new(), CommandQueue::default());
        let pieces = [PieceShape::Token('Q'), PieceShape::Tile('x')].map(|form| {
            let level = StackLevel {
                look: PieceStyle::of(form),
                tint: Tint::Side(Side::Green),
                lift: 0.0,
            };
            let mut commands = Commands::new(&mut queue, &world);
            maker.spawn(&mut commands, &level, Transform::IDENTITY)
        });
        queue.apply(&mut world);
        let mut drawn = world.query::<(&ChildOf, &MeshMaterial3d<StandardMaterial>)>();
        let inks = pieces.map(|piece| {
            let mut on_it = drawn.iter(&world).filter(|(of, _)| of.parent() == piece);
            on_it.next().expect("something is drawn on it").1.0.clone()
        });
        assert_eq!(inks[0], letters);
        assert_ne!(inks[1], letters);
    }

    #[test]
    fn the_height_of_a_stack_counts_all_its_pieces() {
        for form in PieceShape::SHAPES {
            let one = Figure::one(PieceStyle::of(form), Tint::Side(Side::Green));
            let mut before = None;
            for count in 1..=30 {
                let all = levels(Figure { count, ..one });
                assert_eq!(all.len(), usize::from(count));
                assert_eq!(all.last().map(|top| top.look), Some(one.look));
                assert!(all.is_sorted_by(|low, high| low.lift < high.lift));
                let top = all.last().map(|top| top.lift);
                assert!(top > before, "{form:?} {count}");
                before = top;
            }
        }
    }

    #[test]
    fn a_pinned_piece_is_at_the_bottom_of_its_pile() {
        let pile = Figure {
            count: 2,
            beneath: Some(Tint::Side(Side::Red)),
            ..Figure::one(PieceStyle::of(PieceShape::Drum), Tint::Side(Side::Green))
        };
        let tints: Vec<Tint> = levels(pile).iter().map(|level| level.tint).collect();
        let [green, red] = [Side::Green, Side::Red].map(Tint::Side);
        assert_eq!(tints, [red, green, green]);
    }
}
