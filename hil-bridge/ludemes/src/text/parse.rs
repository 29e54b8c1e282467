//! The last step: parses an expanded text to a tree.
//!
//! Grammar: `node = call | set | text | number | word`, `call = "(" argument+ ")"`,
//! `argument = [name ":"] node`, `set = "{" node* "}"`.

use super::DEEPEST;
use super::traced::Traced;
use super::trouble::{Problem, TextError};
use crate::tree::{Argument, Kind, Node};

/// Parses a text to its outermost nodes.
pub(super) fn parse(text: &Traced) -> Result<Vec<Node>, TextError> {
    let mut parser = Parser { text, at: 0 };
    let nodes = parser.nodes(0)?;
    match parser.peek() {
        0 => Ok(nodes),
        stray => Err(parser.trouble(1, Problem::StrayBracket(stray as char))),
    }
}

struct Parser<'a> {
    text: &'a Traced,
    at: usize,
}

impl Parser<'_> {
    fn trouble(&self, length: usize, problem: Problem) -> TextError {
        TextError {
            span: self.text.span(self.at..self.at + length),
            problem,
        }
    }

    /// The next byte that is not white space, or 0 at the end.
    fn peek(&mut self) -> u8 {
        while self.text.byte(self.at).is_ascii_whitespace() {
            self.at += 1;
        }
        self.text.byte(self.at)
    }

    /// Parses arguments up to a closing bracket or the end.
    fn arguments(&mut self, depth: usize) -> Result<Vec<Argument>, TextError> {
        let mut arguments = Vec::new();
        while !matches!(self.peek(), 0 | b')' | b'}') {
            let start = self.at;
            let name = self.name();
            let missing = name
                .as_ref()
                .filter(|_| matches!(self.peek(), 0 | b')' | b'}'));
            if let Some(name) = missing {
                return Err(TextError {
                    span: self.text.span(start..self.at),
                    problem: Problem::NoValue(name.clone()),
                });
            }
            if depth > DEEPEST {
                return Err(self.trouble(1, Problem::TooDeep(DEEPEST)));
            }
            match self.text.byte(self.at) {
                b'(' => arguments.extend(self.call(name, depth)?),
                _ => {
                    let node = self.node(depth)?;
                    arguments.push(Argument { name, node });
                }
            }
        }
        Ok(arguments)
    }

    /// Parses nodes up to a closing bracket or the end; names are errors.
    fn nodes(&mut self, depth: usize) -> Result<Vec<Node>, TextError> {
        let unnamed = |Argument { name, node }| match name {
            None => Ok(node),
            Some(name) => Err(TextError {
                span: node.span,
                problem: Problem::NameInSet(name),
            }),
        };
        self.arguments(depth)?.into_iter().map(unnamed).collect()
    }

    /// Takes a name and its colon, if there is one.
    fn name(&mut self) -> Option<String> {
        let rest = &self.text.text()[self.at..];
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        if length == 0 || !rest[length..].starts_with(':') {
            return None;
        }
        self.at += length + 1;
        Some(rest[..length].to_owned())
    }

    fn node(&mut self, depth: usize) -> Result<Node, TextError> {
        let start = self.at;
        let kind = match self.text.byte(start) {
            b'{' => Kind::Set(self.set(depth)?),
            b'"' => self.quoted()?,
            _ => self.word()?,
        };
        Ok(Node {
            span: self.text.span(start..self.at),
            kind,
        })
    }

    /// Parses a call. A macro that is used in brackets gives double brackets, or brackets
    /// around a number; these are removed.
    fn call(&mut self, name: Option<String>, depth: usize) -> Result<Vec<Argument>, TextError> {
        let start = self.at;
        let open = self.trouble(1, Problem::OpenBracket(')'));
        self.at += 1;
        let mut arguments = self.arguments(depth + 1)?;
        match self.peek() {
            b')' => self.at += 1,
            0 => return Err(open),
            stray => return Err(self.trouble(1, Problem::StrayBracket(stray as char))),
        }
        let span = self.text.span(start..self.at);
        let no_head = |problem| Err(TextError { span, problem });
        let is_call = |argument: &Argument| matches!(argument.node.kind, Kind::Call(_));
        let (Some(head), Some(last)) = (arguments.first(), arguments.last()) else {
            return no_head(Problem::EmptyCall);
        };
        match (&head.name, &head.node.kind) {
            (None, Kind::Number(_) | Kind::Fraction(_)) if arguments.len() == 1 => {
                arguments[0].name = name;
                Ok(arguments)
            }
            (None, Kind::Call(_)) if is_call(last) => {
                arguments[0].name = name;
                Ok(arguments)
            }
            (None, Kind::Word(_) | Kind::Text(_)) => {
                let kind = Kind::Call(arguments);
                let node = Node { span, kind };
                Ok(vec![Argument { name, node }])
            }
            _ => no_head(Problem::NoHead),
        }
    }

    fn set(&mut self, depth: usize) -> Result<Vec<Node>, TextError> {
        let open = self.trouble(1, Problem::OpenBracket('}'));
        self.at += 1;
        let nodes = self.nodes(depth + 1)?;
        match self.peek() {
            b'}' => self.at += 1,
            0 => return Err(open),
            stray => return Err(self.trouble(1, Problem::StrayBracket(stray as char))),
        }
        Ok(nodes)
    }

    fn quoted(&mut self) -> Result<Kind, TextError> {
        let Some(end) = self.text.after_quote(self.at) else {
            return Err(self.trouble(1, Problem::OpenQuote));
        };
        let words = &self.text.text()[self.at + 1..end - 1];
        self.at = end;
        Ok(Kind::Text(words.replace("\\\"", "\"")))
    }

    fn word(&mut self) -> Result<Kind, TextError> {
        let rest = &self.text.text()[self.at..];
        let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '{' | '}' | '"');
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        let is_tag = word.len() > 2 && word.contains('<') && word.ends_with('>');
        if is_tag {
            let problem = Problem::UnknownTag(word.to_owned());
            return Err(self.trouble(word.len(), problem));
        }
        let kind = number(word).map_err(|problem| self.trouble(word.len(), problem))?;
        self.at += word.len();
        Ok(kind.unwrap_or_else(|| Kind::Word(word.to_owned())))
    }
}

/// The value of a word that is a number; `None` for other words.
fn number(word: &str) -> Result<Option<Kind>, Problem> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    let (whole, fraction) = match digits.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (digits, None),
    };
    let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(whole) || !fraction.is_none_or(all_digits) || digits.trim_matches('.').is_empty()
    {
        return Ok(None);
    }
    let too_large = || Problem::Number(word.to_owned());
    if fraction.is_none() {
        let number = word.parse().map_err(|_| too_large())?;
        return Ok(Some(Kind::Number(number)));
    }
    let number: f64 = word.parse().map_err(|_| too_large())?;
    if !number.is_finite() {
        return Err(too_large());
    }
    Ok(Some(Kind::Fraction(number)))
}
