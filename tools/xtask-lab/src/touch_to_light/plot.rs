//! Plots touches as bars, divided into the parts of the time from contact to light.

use std::fmt::Write;

use cortex_m_board::ws2812::WORD_US;
use firmware_core::debounce::STABLE_MS;
use protocol::Layout;
use touchboard_links::pico::at_pins::TouchToLight;

use crate::case::escaped;

/// A low signal of 280 us is the pause after which a chain shows its new colours (WS2812B
/// data sheet, Worldsemi).
const LATCH_NS: u64 = 280_000;

/// A colour for each of [`TouchToLight::parts`].
const COLOURS: [&str; 5] = ["#c9c9c9", "#e8a33d", "#c0504d", "#4f81bd", "#8064a2"];

const WIDTH: f64 = 640.0;
const LEFT: f64 = 110.0;
const RIGHT: f64 = 20.0;
const BAR: f64 = 20.0;
const ROW: f64 = 30.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 36.0;

/// The shortest possible touch on a board with this layout: the contact closes just
/// before its sample, the board takes no time, and the chain is free.
pub fn floor(layout: Layout) -> TouchToLight {
    let lights = layout.points() as u64 + 2;
    TouchToLight {
        debounce_ns: (u64::from(STABLE_MS) - 1) * 1_000_000,
        chain_ns: lights * u64::from(WORD_US) * 1_000,
        latch_ns: LATCH_NS,
        ..TouchToLight::default()
    }
}

/// An SVG of these touches, each with its label.
pub fn plot(bars: &[(String, TouchToLight)]) -> String {
    let longest_ms = bars.iter().map(|(_, touch)| touch.total_ns()).max();
    let most_ms = longest_ms.unwrap_or(0).div_ceil(2_000_000) * 2;
    let scale = (WIDTH - LEFT - RIGHT) / most_ms.max(2) as f64;
    let height = TOP + ROW * bars.len() as f64 + BOTTOM;
    let end = height - BOTTOM;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>From contact to light</title>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for ms in (0..=most_ms).step_by(2) {
        let x = LEFT + ms as f64 * scale;
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {TOP}V{end:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{ms} ms</text>",
            end + 18.0
        );
    }
    for (row, (name, touch)) in bars.iter().enumerate() {
        bar(&mut svg, TOP + ROW * row as f64, scale, name, touch);
    }
    legend(&mut svg);
    svg.push_str("</svg>\n");
    svg
}

fn bar(svg: &mut String, top: f64, scale: f64, name: &str, touch: &TouchToLight) {
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
        LEFT - 8.0,
        top + 19.0,
        escaped(name)
    );
    let mut x = LEFT;
    for ((_, ns), colour) in touch.parts().into_iter().zip(COLOURS) {
        let width = ns as f64 / 1e6 * scale;
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{BAR}\" fill=\"{colour}\"/>",
            top + 5.0
        );
        x += width;
    }
}

fn legend(svg: &mut String) {
    let parts = TouchToLight::default().parts();
    for (place, ((name, _), colour)) in parts.into_iter().zip(COLOURS).enumerate() {
        let x = LEFT + 100.0 * place as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"8\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"19\">{name}</text>",
            x + 18.0
        );
    }
}
