//! Textures that are made by code: how light comes through a dome, the light that it
//! throws, wood, stone, felt and shade.
//!
//! Invariants: they do not depend on chance, so a picture that is made again
//! is the same; each has all of its smaller versions, so that it is calm from afar.

use bevy::asset::RenderAssetUsages;
use bevy::image::{Image, ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};

/// Pixels along a side of the textures that are drawn once over a thing.
const SIDE: u32 = 128;
/// Pixels along a side of those that are laid side by side.
const TILE_SIDE: u32 = 512;

/// A texture over a thing; each pixel is asked for by its place, -1 to 1 on both axes.
#[must_use]
pub fn over(format: TextureFormat, pixel: impl Fn(Vec2) -> [f32; 4]) -> Image {
    let half = SIDE as f32 / 2.0;
    drawn(SIDE, format, ImageAddressMode::ClampToEdge, |x, y| {
        pixel(Vec2::new(x, y) / half - Vec2::ONE)
    })
}

/// The same with one value for colour and weight, by the distance from the middle: 0
/// there, 1 at the middle of an edge.
#[must_use]
pub fn round(brightness: impl Fn(f32) -> f32) -> Image {
    over(TextureFormat::Rgba8Unorm, |place| {
        [brightness(place.length()); 4]
    })
}

/// Walnut, its grain along x: 1 is as light as it gets.
#[must_use]
pub fn wood() -> Image {
    tile(|place| {
        let drift = noise(place, UVec2::new(2, 2), 11) + 0.4 * noise(place, UVec2::new(4, 4), 5);
        let ring = (place.y * 3.0 + drift * 1.9) * std::f32::consts::TAU;
        let ring = 0.5 + 0.5 * ring.sin();
        let band = noise(place, UVec2::new(2, 5), 17);
        let fibre = noise(place, UVec2::new(5, 80), 7);
        let pore = noise(place, UVec2::new(12, 160), 3);
        let light = 0.46 + 0.10 * ring + 0.14 * band + 0.16 * fibre - 0.5 * (pore - 0.66).max(0.0);
        let light = light.clamp(0.0, 1.0);
        let red = 0.95 + 0.05 * ring;
        [light, light * red, light * red * red, 1.0]
    })
}

/// The grain of something that was turned on a lathe, as it is seen from above: on its
/// sides the lines go up. Without a colour, for any stain.
#[must_use]
pub fn turned_wood() -> Image {
    over(TextureFormat::Rgba8UnormSrgb, |place| {
        let place = (place + Vec2::ONE) / 2.0;
        let drift = noise(place, UVec2::new(3, 3), 23);
        let ring = ((place.x * 6.0 + drift * 1.3) * std::f32::consts::TAU).sin();
        let fibre = noise(place, UVec2::new(48, 6), 31);
        let light = 0.90 + 0.04 * ring + 0.08 * (fibre - 0.5);
        let light = light.clamp(0.0, 1.0);
        [light, light, light, 1.0]
    })
}

/// The grain of polished stone: clouds, veins and specks. Without a colour, for any.
#[must_use]
pub fn stone() -> Image {
    over(TextureFormat::Rgba8UnormSrgb, |place| {
        let place = (place + Vec2::ONE) / 2.0;
        let cloud = noise(place, UVec2::new(3, 3), 41);
        let bent = place + 0.10 * Vec2::splat(noise(place, UVec2::new(4, 4), 43));
        let vein = (noise(bent, UVec2::new(4, 3), 47) - 0.5).abs();
        let vein = (1.0 - vein / 0.045).max(0.0);
        let speck = noise(place, UVec2::new(40, 40), 53);
        let light = 0.86 + 0.12 * cloud + 0.10 * vein - 0.5 * (speck - 0.72).max(0.0);
        let light = light.clamp(0.0, 1.0);
        [light, light, light, 1.0]
    })
}

/// Felt: fibres in all directions, pressed flat.
#[must_use]
pub fn felt() -> Image {
    tile(|place| {
        let fine = noise(place, UVec2::new(170, 170), 21);
        let [along, across] = [
            noise(place, UVec2::new(90, 30), 4),
            noise(place, UVec2::new(30, 90), 29),
        ];
        let cloud = noise(place, UVec2::new(4, 4), 13);
        let light = 0.86 + 0.045 * (along + across - 1.0) + 0.05 * (fine - 0.5) + 0.02 * cloud;
        [light, light, light, 1.0]
    })
}

/// A texture that fits to itself on all sides; each pixel is asked for by its place, 0
/// to 1 on both axes.
fn tile(pixel: impl Fn(Vec2) -> [f32; 4]) -> Image {
    let side = TILE_SIDE as f32;
    let format = TextureFormat::Rgba8UnormSrgb;
    drawn(TILE_SIDE, format, ImageAddressMode::Repeat, |x, y| {
        pixel(Vec2::new(x, y) / side)
    })
}

/// Noise, 0 to 1, at a place in a tile, 0 to 1 on both axes, with `often` periods
/// across the tile.
fn noise(place: Vec2, often: UVec2, seed: u32) -> f32 {
    let place = place * often.as_vec2();
    let cell = place.floor();
    let part = place - cell;
    let smooth = part * part * (Vec2::splat(3.0) - 2.0 * part);
    let at = |dx: i32, dy: i32| {
        let wrap = |value: i32, often: u32| value.rem_euclid(often as i32) as u32;
        let x = wrap(cell.x as i32 + dx, often.x);
        let y = wrap(cell.y as i32 + dy, often.y);
        let mut hash = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ seed;
        hash = (hash ^ hash >> 15).wrapping_mul(0x2C1B_3C6D);
        hash = (hash ^ hash >> 12).wrapping_mul(0x297A_2D39);
        (hash ^ hash >> 15) as f32 / u32::MAX as f32
    };
    let low = at(0, 0).lerp(at(1, 0), smooth.x);
    let high = at(0, 1).lerp(at(1, 1), smooth.x);
    low.lerp(high, smooth.y)
}

fn drawn(
    side: u32,
    format: TextureFormat,
    address: ImageAddressMode,
    pixel: impl Fn(f32, f32) -> [f32; 4],
) -> Image {
    let mut pixels = Vec::with_capacity((side * side * 4) as usize);
    for row in 0..side {
        for column in 0..side {
            let value = pixel(column as f32 + 0.5, row as f32 + 0.5);
            pixels.extend(value.map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8));
        }
    }
    with_smaller(pixels, UVec2::splat(side), format, address)
}

/// An image of these bytes with all of its smaller versions; its sides are powers of
/// two.
#[must_use]
pub fn with_smaller(
    mut pixels: Vec<u8>,
    size: UVec2,
    format: TextureFormat,
    address: ImageAddressMode,
) -> Image {
    let channels = pixels.len() / (size.x * size.y).max(1) as usize;
    let mut levels = 1;
    let (mut first, mut now) = (0, size);
    while now.max_element() > 1 {
        let half = (now / 2).max(UVec2::ONE);
        let larger = pixels[first..].to_vec();
        let at = |x: u32, y: u32, channel: usize| {
            let (x, y) = (x.min(now.x - 1), y.min(now.y - 1));
            u32::from(larger[(y * now.x + x) as usize * channels + channel])
        };
        first = pixels.len();
        for y in 0..half.y {
            for x in 0..half.x {
                for channel in 0..channels {
                    let four = [(0, 0), (1, 0), (0, 1), (1, 1)];
                    let sum: u32 = four
                        .map(|(dx, dy)| at(2 * x + dx, 2 * y + dy, channel))
                        .iter()
                        .sum();
                    pixels.push((sum / 4) as u8);
                }
            }
        }
        now = half;
        levels += 1;
    }
    let mut image = Image::new_uninit(
        Extent3d {
            width: size.x,
            height: size.y,
            depth_or_array_layers: 1,
        },
        TextureDimension::D2,
        format,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.data = Some(pixels);
    image.texture_descriptor.mip_level_count = levels;
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: address,
        address_mode_v: address,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        ..default()
    });
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_goes_on_where_it_ends() {
        for image in [wood(), felt()] {
            let data = image.data.unwrap();
            let side = TILE_SIDE as usize;
            let at = |x: usize, y: usize| f32::from(data[(y * side + x) * 4]);
            let (mut across, mut within) = (0.0, 0.0);
            for along in 0..side {
                across += (at(0, along) - at(side - 1, along)).abs();
                across += (at(along, 0) - at(along, side - 1)).abs();
                within += (at(40, along) - at(41, along)).abs();
                within += (at(along, 40) - at(along, 41)).abs();
            }
            assert!(across < 2.0 * within, "{across} and {within}");
        }
    }

    #[test]
    fn every_smaller_version_has_its_bytes() {
        let image = round(|away| 1.0 - away);
        let all: u32 = (0..=7).map(|level| (128_u32 >> level).pow(2) * 4).sum();
        assert_eq!(image.data.unwrap().len() as u32, all);
        assert_eq!(image.texture_descriptor.mip_level_count, 8);
    }
}
