//! A drawing in millimetres, as SVG for people and browsers, and as DXF for laser
//! cutters.

use std::fmt::Write;

use touchboard_host::case::{Flat, Outline};

/// A line that is cut.
#[derive(Clone, Debug, PartialEq)]
pub enum Cut {
    /// A circular hole.
    Circle {
        /// The centre of the circle, in millimetres.
        middle: Flat,
        /// The radius of the circle, in millimetres.
        radius: f32,
    },
    /// A closed line through these points.
    Closed(Vec<Flat>),
}

impl Cut {
    /// A rectangle around its centre.
    pub fn rectangle(middle: Flat, size: Flat) -> Cut {
        let half = size / 2.0;
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let corner = |(x, y): (f32, f32)| middle + Flat::new(x * half.x, y * half.y);
        Cut::Closed(corners.map(corner).to_vec())
    }

    /// An outline in units of the case, where `scale` is the length of a unit in
    /// millimetres.
    pub fn outline(outline: &Outline, scale: f32) -> Cut {
        let edge = outline.edge().into_iter();
        let places = edge.map(|(middle, out)| (middle + out * outline.radius()) * scale);
        Cut::Closed(places.collect())
    }

    /// Two opposite corners of the bounding rectangle.
    pub fn extent(&self) -> [Flat; 2] {
        match self {
            Cut::Circle { middle, radius } => {
                let reach = Flat::splat(*radius);
                [*middle - reach, *middle + reach]
            }
            Cut::Closed(places) => {
                let all = places.iter().copied();
                let least = all.clone().reduce(|one, other| one.min(other));
                let most = all.reduce(|one, other| one.max(other));
                [least.unwrap_or_default(), most.unwrap_or_default()]
            }
        }
    }
}

/// A text that is engraved.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    /// The centre of the text, in millimetres.
    pub middle: Flat,
    /// The height of capital letters, in millimetres.
    pub height: f32,
    /// The text to engrave.
    pub text: String,
}

/// A plate, or a sheet of paper.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The name, also of its files.
    pub name: &'static str,
    /// The lines to cut, the outer line first.
    pub cuts: Vec<Cut>,
    /// The texts that are engraved.
    pub words: Vec<Words>,
}

/// The margin around the drawing.
const MARGIN_MM: f32 = 5.0;
/// The distance from the baseline of letters to their middle, as a fraction of their
/// height.
const BASE: f32 = 0.36;

impl Drawing {
    /// The drawing as SVG, with lines to cut in red and letters to engrave in black. A
    /// unit is a millimetre.
    pub fn svg(&self) -> String {
        let extents = self.cuts.iter().map(Cut::extent);
        let all = extents.reduce(|[least, most], [one, other]| [least.min(one), most.max(other)]);
        let [least, most] = all.unwrap_or_default();
        let at = least - Flat::splat(MARGIN_MM);
        let size = most - least + Flat::splat(2.0 * MARGIN_MM);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.2}mm\" height=\"{:.2}mm\" \
             viewBox=\"{:.2} {:.2} {:.2} {:.2}\">\n<title>{}</title>\n\
             <g fill=\"none\" stroke=\"#f00\" stroke-width=\"0.1\">\n",
            size.x, size.y, at.x, at.y, size.x, size.y, self.name
        );
        for cut in &self.cuts {
            let _ = match cut {
                Cut::Circle { middle, radius } => writeln!(
                    text,
                    "<circle cx=\"{:.3}\" cy=\"{:.3}\" r=\"{radius:.3}\"/>",
                    middle.x, middle.y
                ),
                Cut::Closed(places) => {
                    let places = places.iter().map(|at| format!("{:.3},{:.3}", at.x, at.y));
                    let places: Vec<String> = places.collect();
                    writeln!(text, "<polygon points=\"{}\"/>", places.join(" "))
                }
            };
        }
        text.push_str("</g>\n<g font-family=\"sans-serif\" text-anchor=\"middle\">\n");
        for words in &self.words {
            let _ = writeln!(
                text,
                "<text x=\"{:.3}\" y=\"{:.3}\" font-size=\"{:.2}\">{}</text>",
                words.middle.x,
                words.middle.y + BASE * words.height,
                words.height * 1.4,
                escaped(&words.text)
            );
        }
        text.push_str("</g>\n</svg>\n");
        text
    }

    /// The drawing as DXF of release 12, which every laser cutter reads, with the layers
    /// `CUT` and `ENGRAVE`. In DXF, y goes up.
    pub fn dxf(&self) -> String {
        let mut text = String::from("0\nSECTION\n2\nENTITIES\n");
        for cut in &self.cuts {
            let _ = match cut {
                Cut::Circle { middle, radius } => write!(
                    text,
                    "0\nCIRCLE\n8\nCUT\n10\n{:.3}\n20\n{:.3}\n40\n{radius:.3}\n",
                    middle.x, -middle.y
                ),
                Cut::Closed(places) => {
                    text.push_str("0\nPOLYLINE\n8\nCUT\n66\n1\n70\n1\n");
                    for at in places {
                        let (x, y) = (at.x, -at.y);
                        let _ = write!(text, "0\nVERTEX\n8\nCUT\n10\n{x:.3}\n20\n{y:.3}\n");
                    }
                    write!(text, "0\nSEQEND\n8\nCUT\n")
                }
            };
        }
        for Words {
            middle,
            height,
            text: words,
        } in &self.words
        {
            let (x, y) = (middle.x, -middle.y - height / 2.0);
            let _ = write!(
                text,
                "0\nTEXT\n8\nENGRAVE\n10\n{x:.3}\n20\n{y:.3}\n40\n{height:.2}\n1\n{words}\n72\n1\n11\n{x:.3}\n21\n{y:.3}\n"
            );
        }
        text.push_str("0\nENDSEC\n0\nEOF\n");
        text
    }
}

/// The text with the characters escaped that have a meaning in SVG.
pub fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}
