//! The wiring of the pins, drawn from the table with which the firmware is built.

use std::fmt::Write;

use protocol::Layout;
use touchboard_links::pico::pins::PINS;

use super::drawing::escaped;
use super::parts::MatrixNeeds;

/// The height of a row, and the positions of the columns, in units of the picture.
const ROW: usize = 26;
const PICO: [usize; 2] = [20, 150];
const PARTS: [usize; 2] = [300, 430];

/// A range of pins, with their names as printed on a Pico.
pub fn pins(first: u8, last: u8) -> String {
    match first == last {
        true => format!("GP{first}"),
        false => format!("GP{first} to GP{last}"),
    }
}

/// The diagram: the Pico on the left, the connections of its pins on the right, and one
/// contact below.
pub fn svg(layout: Layout) -> String {
    let needs = MatrixNeeds::of(layout);
    let high = ROW * (PINS.len() + 12);
    let wide = PARTS[0] + PARTS[1] + 20;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" \
         width=\"{wide}\" height=\"{high}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>Wiring</title>\n<rect width=\"{wide}\" height=\"{high}\" fill=\"#fff\"/>\n"
    );
    let body = ROW * (PINS.len() + 1);
    let _ = writeln!(
        text,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{body}\" rx=\"8\" fill=\"#e8f3ea\" stroke=\"#1d6b34\"/>\n\
         <text x=\"{}\" y=\"{}\" font-weight=\"bold\">Raspberry Pi Pico</text>",
        PICO[0],
        ROW / 2,
        PICO[1],
        PICO[0] + 10,
        ROW + 6
    );
    for (index, (first, last, part)) in PINS.iter().enumerate() {
        let y = ROW * (index + 2);
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\
             <line x1=\"{}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"#333\"/>\
             <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#f6f6f6\" stroke=\"#999\"/>\
             <text x=\"{}\" y=\"{}\">{}</text>",
            PICO[0] + PICO[1] - 8,
            y + 5,
            pins(*first, *last),
            PICO[0] + PICO[1],
            PARTS[0],
            PARTS[0],
            y - 11,
            PARTS[1],
            22,
            PARTS[0] + 8,
            y + 5,
            escaped(part)
        );
    }
    let below = ROW * (PINS.len() + 4);
    one_contact(&mut text, below, needs);
    text.push_str("</svg>\n");
    text
}

/// Draws a key of the matrix: its diode leads to the line, its other side to the row.
fn one_contact(text: &mut String, y: usize, needs: MatrixNeeds) {
    let MatrixNeeds { keys, lines, rows } = needs;
    let registers = needs.registers();
    let _ = writeln!(
        text,
        "<text x=\"20\" y=\"{y}\" font-weight=\"bold\">One of the {keys} keys</text>\n\
         <g stroke=\"#333\" fill=\"none\">\n\
         <line x1=\"150\" y1=\"{a}\" x2=\"230\" y2=\"{a}\"/>\n\
         <path d=\"M250 {b} L250 {c} L230 {a} Z M230 {b} L230 {c}\"/>\n\
         <line x1=\"250\" y1=\"{a}\" x2=\"310\" y2=\"{a}\"/>\n\
         <line x1=\"310\" y1=\"{a}\" x2=\"340\" y2=\"{b}\"/>\n\
         <line x1=\"345\" y1=\"{a}\" x2=\"420\" y2=\"{a}\"/>\n\
         <path d=\"M420 {a} L420 {d} M414 {d} h12 v30 h-12 z M420 {e} v18\"/>\n\
         <line x1=\"420\" y1=\"{a}\" x2=\"520\" y2=\"{a}\"/>\n\
         </g>\n\
         <text x=\"20\" y=\"{t}\">output of a 74HC595</text>\n\
         <text x=\"206\" y=\"{u}\">1N4148, cathode left</text>\n\
         <text x=\"526\" y=\"{t}\">a row, GP6 and on</text>\n\
         <text x=\"432\" y=\"{v}\">10 kΩ to 3V3, one a row</text>\n\
         <text x=\"20\" y=\"{w}\">{lines} lines at {registers} shift registers: the buttons at QA of the first, then the points. {rows} rows.</text>",
        a = y + 40,
        b = y + 32,
        c = y + 48,
        d = y + 52,
        e = y + 82,
        t = y + 44,
        u = y + 24,
        v = y + 72,
        w = y + 130,
    );
}
