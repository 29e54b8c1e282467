//! Takes the arguments of a call one by one: words, numbers, points, outlines.
//!
//! Invariants: an argument is taken only once; an argument left at the end is an error.

use super::error::BoardError;
use super::geometry::{Polygon, Spot};
use super::shapes;
use crate::tree::{Kind, Node, TextSpan};

/// The arguments of a call.
pub struct Arguments<'a> {
    /// The position of the call in the text.
    pub span: TextSpan,
    /// The first word of the call.
    pub head: &'a str,
    plain: std::collections::VecDeque<&'a Node>,
    named: Vec<(&'a str, &'a Node)>,
}

impl<'a> Arguments<'a> {
    /// The arguments of a call; `None` if the node is not a call that begins with a
    /// word.
    pub fn new(node: &'a Node) -> Option<Arguments<'a>> {
        let Kind::Call(arguments) = &node.kind else {
            return None;
        };
        let [head, rest @ ..] = &arguments[..] else {
            return None;
        };
        let Kind::Word(head) = &head.node.kind else {
            return None;
        };
        let plain = rest.iter().filter(|argument| argument.name.is_none());
        let named = rest
            .iter()
            .filter_map(|argument| Some((argument.name.as_deref()?, &argument.node)));
        Some(Arguments {
            span: node.span,
            head,
            plain: plain.map(|argument| &argument.node).collect(),
            named: named.collect(),
        })
    }

    /// The error that an argument is missing or of another kind.
    pub fn expected<T>(&self, expected: &'static str) -> Result<T, BoardError> {
        let span = self.plain.front().map_or(self.span, |node| node.span);
        Err(BoardError::Expected { span, expected })
    }

    /// The next plain argument, without taking it.
    pub fn peek(&self) -> Option<&'a Node> {
        self.plain.front().copied()
    }

    /// Takes the next plain argument.
    pub fn next(&mut self) -> Option<&'a Node> {
        self.plain.pop_front()
    }

    /// Takes the argument of this name.
    pub fn named(&mut self, name: &str) -> Option<&'a Node> {
        let found = self.named.iter().position(|(other, _)| *other == name)?;
        Some(self.named.remove(found).1)
    }

    /// Takes the next argument, if it is one of these words. Returns the word's index.
    pub fn word_of(&mut self, words: &[&str]) -> Option<usize> {
        let Kind::Word(word) = &self.peek()?.kind else {
            return None;
        };
        let found = words.iter().position(|other| other == word)?;
        self.next();
        Some(found)
    }

    /// True if the next argument is a set or a polygon, not a number.
    pub fn is_outline(&self) -> bool {
        self.peek()
            .is_some_and(|node| matches!(node.kind, Kind::Set(_)) || is_call(node, "poly"))
    }

    /// Takes the next argument if it is a whole number.
    pub fn whole_if(&mut self, least: i64, most: i64) -> Result<Option<usize>, BoardError> {
        match self.peek() {
            Some(node) if is_number(node) => {
                self.next();
                whole(node, least, most).map(|value| Some(value as usize))
            }
            _ => Ok(None),
        }
    }

    /// Takes a whole number from `least` to `most`.
    pub fn whole(&mut self, least: i64, most: i64) -> Result<usize, BoardError> {
        match self.whole_if(least, most)? {
            Some(value) => Ok(value),
            None => self.expected("a whole number, such as 8,"),
        }
    }

    /// Takes the next argument if it is a number.
    pub fn number_if(&mut self) -> Result<Option<f64>, BoardError> {
        match self.peek() {
            Some(node) if is_number(node) => {
                self.next();
                number(node).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Takes a number of any kind.
    pub fn number(&mut self) -> Result<f64, BoardError> {
        match self.number_if()? {
            Some(value) => Ok(value),
            None => self.expected("a number, such as 0.5,"),
        }
    }

    /// Takes `True` or `False` from the argument with this name; `otherwise` if it is
    /// missing.
    pub fn truth(&mut self, name: &str, otherwise: bool) -> Result<bool, BoardError> {
        match self.named(name) {
            Some(node) => truth(node),
            None => Ok(otherwise),
        }
    }

    /// An error if an argument was not taken.
    pub fn finish(self) -> Result<(), BoardError> {
        let named = self.named.iter().map(|(_, node)| node.span);
        match self.plain.iter().map(|node| node.span).chain(named).next() {
            Some(span) => Err(BoardError::Surplus {
                span,
                head: self.head.to_owned(),
            }),
            None => Ok(()),
        }
    }
}

/// True for a call with this head.
pub fn is_call(node: &Node, head: &str) -> bool {
    Arguments::new(node).is_some_and(|call| call.head == head)
}

const ARITHMETIC: [&str; 8] = ["+", "-", "*", "/", "%", "^", "abs", "min"];
const MORE_ARITHMETIC: [&str; 8] = ["max", "sqrt", "sin", "cos", "tan", "exp", "log", "log10"];

/// True for a number or an arithmetic expression.
pub fn is_number(node: &Node) -> bool {
    let heads = || ARITHMETIC.iter().chain(&MORE_ARITHMETIC);
    match &node.kind {
        Kind::Number(_) | Kind::Fraction(_) => true,
        Kind::Call(_) => {
            Arguments::new(node).is_some_and(|call| heads().any(|head| *head == call.head))
        }
        _ => false,
    }
}

/// The value of a node as a whole number within these bounds.
pub fn whole(node: &Node, least: i64, most: i64) -> Result<i64, BoardError> {
    const EXAMPLE: &str = "a whole number, such as 8,";
    let error = BoardError::Expected {
        span: node.span,
        expected: EXAMPLE,
    };
    let value = whole_value(node)?.ok_or(error)?;
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    Err(BoardError::Number {
        span: node.span,
        value,
        least,
        most,
    })
}

/// The head of a call, and the values of its operands, which may stand in sets; `None` if
/// the node is no call.
fn operands<T>(
    node: &Node,
    value: fn(&Node) -> Result<Option<T>, BoardError>,
) -> Result<Option<(&str, Vec<T>)>, BoardError> {
    let Some(mut call) = Arguments::new(node) else {
        return Ok(None);
    };
    let mut operands = Vec::new();
    while let Some(node) = call.next() {
        let nodes = match &node.kind {
            Kind::Set(nodes) => nodes.iter().collect(),
            _ => vec![node],
        };
        for node in nodes {
            operands.extend(value(node)?);
        }
    }
    let head = call.head;
    call.finish()?;
    Ok(Some((head, operands)))
}

/// The value of an arithmetic expression on whole numbers; `None` if the node is
/// something else.
fn whole_value(node: &Node) -> Result<Option<i64>, BoardError> {
    if let Kind::Number(value) = node.kind {
        return Ok(Some(value));
    }
    let Some((head, operands)) = operands(node, whole_value)? else {
        return Ok(None);
    };
    let fold = |with: fn(i64, i64) -> Option<i64>| {
        let mut rest = operands.iter().copied();
        let first = rest.next()?;
        rest.try_fold(first, with)
    };
    Ok(match (head, &operands[..]) {
        ("-", [one]) => one.checked_neg(),
        ("abs", [one]) => one.checked_abs(),
        ("+", _) => fold(i64::checked_add),
        ("*", _) => fold(i64::checked_mul),
        ("-", [_, _]) => fold(i64::checked_sub),
        ("/", [_, _]) => fold(i64::checked_div),
        ("%", [_, _]) => fold(i64::checked_rem),
        ("^", [_, _]) => fold(|base, power| base.checked_pow(u32::try_from(power).ok()?)),
        ("min", _) => operands.iter().copied().min(),
        ("max", _) => operands.iter().copied().max(),
        _ => None,
    })
}

/// The value of a node, rounded to single precision.
pub fn number(node: &Node) -> Result<f64, BoardError> {
    const FARTHEST: f64 = 10_000.0;
    let error = BoardError::Expected {
        span: node.span,
        expected: "a number from -10000 to 10000, such as 0.5,",
    };
    let value = value(node)?.filter(|value| value.abs() <= FARTHEST);
    value.map(|value| f64::from(value as f32)).ok_or(error)
}

fn value(node: &Node) -> Result<Option<f64>, BoardError> {
    match node.kind {
        Kind::Number(value) => return Ok(Some(value as f64)),
        Kind::Fraction(value) => return Ok(Some(value)),
        _ => {}
    }
    let Some((head, operands)) = operands(node, value)? else {
        return Ok(None);
    };
    Ok(match (head, &operands[..]) {
        ("+", [_, ..]) => Some(operands.iter().sum()),
        ("*", [_, ..]) => Some(operands.iter().product()),
        ("-", [one]) => Some(-one),
        ("-", [one, other]) => Some(one - other),
        ("/", [one, other]) => Some(one / other),
        ("^", [one, other]) => Some(one.powf(*other)),
        ("abs", [one]) => Some(one.abs()),
        ("sqrt", [one]) => Some(one.sqrt()),
        ("sin", [one]) => Some(one.sin()),
        ("cos", [one]) => Some(one.cos()),
        ("tan", [one]) => Some(one.tan()),
        ("exp", [one]) => Some(one.exp()),
        ("log", [one]) => Some(one.ln()),
        ("log10", [one]) => Some(one.log10()),
        ("min", [_, ..]) => operands.iter().copied().reduce(f64::min),
        ("max", [_, ..]) => operands.iter().copied().reduce(f64::max),
        _ => None,
    })
}

/// Reads `True` or `False`.
pub fn truth(node: &Node) -> Result<bool, BoardError> {
    match &node.kind {
        Kind::Word(word) if word == "True" => Ok(true),
        Kind::Word(word) if word == "False" => Ok(false),
        _ => Err(BoardError::Expected {
            span: node.span,
            expected: "True or False",
        }),
    }
}

/// The elements of a set.
pub fn set<'a>(node: &'a Node, expected: &'static str) -> Result<&'a [Node], BoardError> {
    match &node.kind {
        Kind::Set(nodes) => Ok(nodes),
        _ => Err(BoardError::Expected {
            span: node.span,
            expected,
        }),
    }
}

/// The spot `{x y}` or `{x y z}`.
pub fn spot(node: &Node) -> Result<Spot, BoardError> {
    const EXAMPLE: &str = "a point, such as {0 1.5},";
    match set(node, EXAMPLE)? {
        [x, y] => Ok(Spot::new(number(x)?, number(y)?)),
        [x, y, z] => Ok(Spot {
            x: number(x)?,
            y: number(y)?,
            z: number(z)?,
        }),
        _ => Err(BoardError::Expected {
            span: node.span,
            expected: EXAMPLE,
        }),
    }
}

/// The spots `{{x y} ...}`.
pub fn spots(node: &Node) -> Result<Vec<Spot>, BoardError> {
    let all = set(node, "points, such as {{0 0} {1 0} {0 1}},")?;
    all.iter().map(spot).collect()
}

/// The whole numbers `{a b ...}`.
pub fn wholes(node: &Node, least: i64, most: i64) -> Result<Vec<i64>, BoardError> {
    let all = set(node, "whole numbers, such as {4 5 6},")?;
    all.iter().map(|node| whole(node, least, most)).collect()
}

/// The outline `(poly {{x y} ...})`.
pub fn outline(node: &Node) -> Result<Polygon, BoardError> {
    const EXAMPLE: &str = "an outline, such as (poly {{0 0} {0 4} {4 0}}),";
    const FARTHEST: f64 = 100.0;
    let error = BoardError::Expected {
        span: node.span,
        expected: EXAMPLE,
    };
    let mut call = Arguments::new(node)
        .filter(|call| call.head == "poly")
        .ok_or(error)?;
    let Some(corners) = call.next() else {
        return call.expected(EXAMPLE);
    };
    let corners_found = spots(corners)?;
    let times = match call.named("rotns") {
        Some(node) => whole(node, -64, 64)?,
        None => 0,
    };
    call.finish()?;
    let is_far = |spot: &Spot| spot.x.abs().max(spot.y.abs()) > FARTHEST;
    if corners_found.len() < 3 && times == 0 || corners_found.iter().any(is_far) {
        return Err(BoardError::Expected {
            span: corners.span,
            expected: "three corners or more, not further than 100 from {0 0},",
        });
    }
    Ok(shapes::rotated(corners_found, times))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::tests::read;

    #[test]
    fn arithmetic_in_a_board_is_computed() {
        let node = read("(/ (+ 1 {2 6}) 2)");
        assert_eq!(number(&node), Ok(4.5));
        assert_eq!(whole(&node, 0, 9), Ok(4));
        assert_eq!(whole(&read("(- (max {2 7}) (abs -3))"), 0, 9), Ok(4));
        assert!(whole(&read("(/ 1 0)"), 0, 9).is_err());
        assert!(number(&read("(/ 1 0)")).is_err());
        assert!(whole(&read("(^ 10 100)"), 0, 9).is_err());
    }
}
