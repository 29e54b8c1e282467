//! The colours of lights on a chip are those of the window. A chip has no room for
//! floating-point numbers, so the palette exists twice, and the two are compared here.

use cortex_m_board::light::light;
use protocol::Colour;
use touchboard_host::palette::Palette;

#[test]
fn a_chain_of_lights_has_the_colours_of_the_window() {
    for colour in Colour::all() {
        let shade = Palette::Board.shade(colour).light;
        let in_255ths = shade.map(|channel| (channel * 255.0).round() as u8);
        assert_eq!(light(colour), in_255ths, "{colour:?}");
    }
}
