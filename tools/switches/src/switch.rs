//! Puts the mutants of one file behind switches.
//!
//! The operands of an operator are written only once, for all mutants of the operator, so
//! the text does not grow with nested operators. The code of a mutant is enclosed in
//! comments with its number, `/*<12*/ ... /*>12*/`, and the code that was rewritten for
//! several mutants in `/*(12,13*/ ... /*)12,13*/`. So a compiler error can be attributed
//! to its mutants.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, Signature};

use crate::pieces::Pieces;

/// A line and a column, both counted from one.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

/// A mistake that can be made.
#[derive(Clone, Debug)]
pub struct Mutant {
    pub number: u32,
    pub genre: String,
    pub replacement: String,
    pub start: Place,
    pub end: Place,
}

/// The result of switching a file.
#[derive(Debug)]
pub struct Switched {
    pub text: String,
    /// The mutants that are in it.
    pub switched: BTreeSet<u32>,
    /// The mutants in a constant or a `const fn`. When the compiler evaluates these, all
    /// mutants are off.
    pub constant: BTreeSet<u32>,
    /// The mutants that are not valid programs, such as `||` in a chain of conditions
    /// with a pattern.
    pub impossible: BTreeSet<u32>,
}

/// Mutants and the bytes that they replace, by genre and first byte.
type ByPlace = BTreeMap<(String, usize), Vec<(Mutant, Range<usize>)>>;

/// Puts these mutants behind switches; those for which that is impossible are left out.
pub fn switch(source: &str, mutants: &[Mutant]) -> anyhow::Result<Switched> {
    let file = syn::parse_file(source)?;
    let mut by_place = ByPlace::new();
    for mutant in mutants {
        let bytes = offset(source, mutant.start)..offset(source, mutant.end);
        let key = (mutant.genre.clone(), bytes.start);
        by_place
            .entry(key)
            .or_default()
            .push((mutant.clone(), bytes));
    }
    let mut walk = Walk {
        source,
        by_place,
        pieces: Pieces::default(),
        switched: BTreeSet::new(),
        constant: BTreeSet::new(),
        impossible: BTreeSet::new(),
        // Code outside of functions is evaluated by the compiler.
        in_constant: true,
    };
    walk.visit_file(&file);
    Ok(Switched {
        text: walk.pieces.put_into(source),
        switched: walk.switched,
        constant: walk.constant,
        impossible: walk.impossible,
    })
}

fn offset(source: &str, place: Place) -> usize {
    let lines = source.split_inclusive('\n').take(place.line - 1);
    let before: usize = lines.map(str::len).sum();
    let rest = &source[before..];
    let column = rest.char_indices().nth(place.column - 1);
    before + column.map_or(rest.len(), |(at, _)| at)
}

struct Walk<'s> {
    source: &'s str,
    by_place: ByPlace,
    pieces: Pieces,
    switched: BTreeSet<u32>,
    constant: BTreeSet<u32>,
    impossible: BTreeSet<u32>,
    in_constant: bool,
}

/// An expression that is true if this mutant is on.
fn on(mutant: &Mutant) -> String {
    format!("crate::__switches::on({})", mutant.number)
}

/// `text`, marked as the code of this mutant.
fn marked(mutant: &Mutant, text: &str) -> String {
    let number = mutant.number;
    format!("/*<{number}*/{text}/*>{number}*/")
}

fn all_marked(mutants: &[Mutant], text: &str) -> (String, String) {
    let numbers: Vec<String> = mutants
        .iter()
        .map(|mutant| mutant.number.to_string())
        .collect();
    let numbers = numbers.join(",");
    (format!("/*({numbers}*/{text}"), format!("/*){numbers}*/"))
}

impl Walk<'_> {
    fn take(&mut self, genre: &str, at: &Span) -> Vec<Mutant> {
        let key = (genre.to_owned(), at.byte_range().start);
        let found = self.by_place.remove(&key).unwrap_or_default();
        found.into_iter().map(|(mutant, _)| mutant).collect()
    }

    fn done(&mut self, mutants: &[Mutant]) {
        for mutant in mutants {
            self.switched.insert(mutant.number);
            if self.in_constant {
                self.constant.insert(mutant.number);
            }
        }
    }

    /// Puts the mutants that replace the body of a function behind switches.
    fn body(&mut self, signature: &Signature, block: &Block) {
        let (open, close) = (
            block.brace_token.span.open(),
            block.brace_token.span.close(),
        );
        let inside = open.byte_range().end..close.byte_range().start;
        let keys: Vec<(String, usize)> = self
            .by_place
            .range(("FnValue".to_owned(), inside.start)..("FnValue".to_owned(), inside.end))
            .map(|(key, _)| key.clone())
            .collect();
        for key in keys {
            let found = self.by_place.remove(&key).unwrap_or_default();
            let (own, others): (Vec<_>, Vec<_>) = found
                .into_iter()
                .partition(|(_, bytes)| bytes.end <= inside.end);
            if !others.is_empty() {
                self.by_place.insert(key, others);
            }
            let own: Vec<Mutant> = own.into_iter().map(|(mutant, _)| mutant).collect();
            let before = std::mem::replace(&mut self.in_constant, signature.constness.is_some());
            match given(&signature.output) {
                Given::Named => self.returns(&own, inside.start),
                // With a `return` in the body, the function could no longer have the
                // combined type.
                Given::Iterator if !self.source[inside.clone()].contains("return") => {
                    self.gives_either(&own, &inside);
                }
                Given::Iterator | Given::Nameless => {}
            }
            self.in_constant = before;
        }
    }

    /// The value of the active mutant at the start of the function.
    fn returns(&mut self, mutants: &[Mutant], begin: usize) {
        for mutant in mutants {
            let returned = format!("return {};", mutant.replacement);
            let text = format!("if {} {{ {} }}", on(mutant), marked(mutant, &returned));
            self.pieces.instead(&(begin..begin), text);
        }
        self.done(mutants);
    }

    /// Changes the type of the returned iterator to one that holds either the mutant's
    /// iterator or the original one.
    fn gives_either(&mut self, mutants: &[Mutant], inside: &Range<usize>) {
        for mutant in mutants {
            let either = "crate::__switches::Either";
            let other = marked(mutant, &mutant.replacement);
            let before = format!(
                "if {} {{ {either}(Some({other}), None) }} else {{ {either}(None, Some({{",
                on(mutant)
            );
            self.pieces.around(inside, before, "})) }".to_owned());
        }
        self.done(mutants);
    }

    fn function(&mut self, signature: &Signature, inside: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.in_constant, signature.constness.is_some());
        inside(self);
        self.in_constant = before;
    }

    fn binary(&mut self, binary: &syn::ExprBinary) {
        let mutants = self.take("BinaryOperator", &binary.op.span());
        if mutants.is_empty() {
            return;
        }
        let is_switched = match binary.op {
            BinOp::And(_) | BinOp::Or(_) => self.lazy(binary, &mutants),
            BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_) => self.comparison(binary, &mutants),
            BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_) => self.assignment(binary, &mutants),
            _ => self.calculation(binary, &mutants),
        };
        if is_switched {
            self.done(&mutants);
        }
    }

    /// Only the right side that is asked for is evaluated. The one other operator is the
    /// opposite one; a condition with a pattern has none.
    fn lazy(&mut self, binary: &syn::ExprBinary, mutants: &[Mutant]) -> bool {
        let op = binary.op.span().byte_range();
        let sign = &self.source[op.clone()];
        let expected = if sign == "&&" { "||" } else { "&&" };
        let [mutant] = mutants else { return false };
        let of_let = has_let(&binary.left) || has_let(&binary.right);
        if of_let && mutant.replacement == "||" {
            self.impossible.insert(mutant.number);
        }
        if mutant.replacement != expected || of_let {
            return false;
        }
        let goes_on = if sign == "&&" { "!=" } else { "==" };
        let (before, after) = all_marked(mutants, "({ let __l = ");
        let middle = format!("; if __l {goes_on} {} {{", on(mutant));
        self.pieces.around(
            &binary.span().byte_range(),
            before,
            format!("}} else {{ __l }} }}){after}"),
        );
        self.pieces.instead(&op, middle);
        true
    }

    /// Operands are compared where they are, without being moved.
    fn comparison(&mut self, binary: &syn::ExprBinary, mutants: &[Mutant]) -> bool {
        let (before, after) = all_marked(mutants, "(match (");
        let chosen = self.choices(binary, mutants, ["*__l", "*__r"]);
        let after = format!(") {{ (__l, __r) => {chosen} }}){after}");
        self.operands(binary, "&(", [before, after]);
        true
    }

    fn calculation(&mut self, binary: &syn::ExprBinary, mutants: &[Mutant]) -> bool {
        let (before, after) = all_marked(mutants, "({ let (__l, __r) = (");
        let chosen = self.choices(binary, mutants, ["__l", "__r"]);
        let after = format!("); {chosen} }}){after}");
        self.operands(binary, "(", [before, after]);
        true
    }

    /// The place expression is repeated for each mutant, so mutants within it are left out.
    fn assignment(&mut self, binary: &syn::ExprBinary, mutants: &[Mutant]) -> bool {
        let (left, right) = (
            binary.left.span().byte_range(),
            binary.right.span().byte_range(),
        );
        let (before, after) = all_marked(mutants, "({ let __r = ");
        let chosen = self.choices(binary, mutants, [&self.source[left.clone()], "__r"]);
        self.pieces.around(
            &binary.span().byte_range(),
            before,
            format!("; {chosen} }}){after}"),
        );
        self.pieces.instead(
            &(left.start..right.start),
            lines_of(&self.source[left.start..right.start]),
        );
        true
    }

    /// Writes both operands as a pair.
    fn operands(&mut self, binary: &syn::ExprBinary, open: &str, [before, after]: [String; 2]) {
        self.pieces
            .around(&binary.span().byte_range(), before, after);
        for side in [&binary.left, &binary.right] {
            let side = side.span().byte_range();
            self.pieces.around(&side, open.into(), ")".into());
        }
        self.pieces
            .instead(&binary.op.span().byte_range(), ",".into());
    }

    /// Each mutant's operator if it is on, and else the one that was written.
    fn choices(
        &self,
        binary: &syn::ExprBinary,
        mutants: &[Mutant],
        [left, right]: [&str; 2],
    ) -> String {
        let sign = &self.source[binary.op.span().byte_range()];
        let mut text = String::new();
        for mutant in mutants {
            let other = format!("{left} {} {right}", mutant.replacement);
            text += &format!("if {} {{ {} }} else ", on(mutant), marked(mutant, &other));
        }
        format!("{text}{{ {left} {sign} {right} }}")
    }

    fn unary(&mut self, unary: &syn::ExprUnary) {
        let mutants = self.take("UnaryOperator", &unary.op.span());
        let [mutant] = &mutants[..] else { return };
        let op = unary.op.span().byte_range();
        let sign = &self.source[op.clone()];
        let (before, after) = all_marked(&mutants, "({ let __x = ");
        let other = format!(
            "; if {} {{ __x }} else {{ {sign}__x }} }}){after}",
            on(mutant)
        );
        self.pieces
            .around(&unary.span().byte_range(), before, other);
        self.pieces.instead(&op, String::new());
        self.done(&mutants);
    }

    fn arm(&mut self, arm: &syn::Arm) {
        let deleted = self.take("MatchArm", &arm.span());
        let is_there = deleted.first().map(|mutant| format!("!{}", on(mutant)));
        match (&arm.guard, is_there) {
            (Some((_, guard)), _) if has_let(guard) => {}
            (Some((_, guard)), is_there) => {
                let guards = self.take("MatchArmGuard", &guard.span());
                let mut before =
                    is_there.map_or(String::new(), |is_there| format!("{is_there} && "));
                before += "(";
                for mutant in &guards {
                    let is_on = on(mutant);
                    before += &match mutant.replacement.as_str() {
                        "true" => format!("{is_on} || "),
                        _ => format!("!{is_on} && "),
                    };
                }
                // For `a || !b && (guard)`: the switch is evaluated before the guard.
                before += "(";
                if !guards.is_empty() || !deleted.is_empty() {
                    let all: Vec<Mutant> = deleted.iter().chain(&guards).cloned().collect();
                    let (first, last) = all_marked(&all, &before);
                    self.pieces
                        .around(&guard.span().byte_range(), first, format!(")){last}"));
                    self.done(&all);
                }
            }
            (None, Some(is_there)) => {
                let pattern = arm.pat.span().byte_range();
                let (first, last) = all_marked(&deleted, &format!(" if {is_there}"));
                self.pieces.around(&pattern, String::new(), first + &last);
                self.done(&deleted);
            }
            (None, None) => {}
        }
    }

    fn fields(&mut self, whole: &syn::ExprStruct) {
        let Some(rest) = &whole.rest else { return };
        for field in &whole.fields {
            let mutants = self.take("StructField", &field.span());
            let [mutant] = &mutants[..] else { continue };
            let syn::Member::Named(name) = &field.member else {
                continue;
            };
            let others = &self.source[rest.span().byte_range()];
            let left_out = marked(mutant, &format!("({others}).{name}"));
            let chosen = format!("if {} {{ {left_out} }} else {{ ", on(mutant));
            let named = if field.colon_token.is_none() {
                format!("{name}: ")
            } else {
                String::new()
            };
            let (first, last) = all_marked(&mutants, &(named + &chosen));
            self.pieces
                .around(&field.expr.span().byte_range(), first, format!(" }}{last}"));
            self.done(&mutants);
        }
    }
}

/// What kind of value a function returns.
enum Given {
    /// A value whose type is written in the signature.
    Named,
    /// An iterator, without further information.
    Iterator,
    /// Another value of an opaque type.
    Nameless,
}

fn given(output: &syn::ReturnType) -> Given {
    struct Looks(bool);
    impl<'ast> Visit<'ast> for Looks {
        fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut looks = Looks(false);
    looks.visit_return_type(output);
    if !looks.0 {
        return Given::Named;
    }
    let syn::ReturnType::Type(_, whole) = output else {
        return Given::Nameless;
    };
    let syn::Type::ImplTrait(whole) = &**whole else {
        return Given::Nameless;
    };
    let traits = whole.bounds.iter().filter_map(|bound| match bound {
        syn::TypeParamBound::Trait(bound) => Some(bound),
        _ => None,
    });
    let names: Vec<_> = traits.map(|bound| bound.path.segments.last()).collect();
    match names[..] {
        [Some(name)] if name.ident == "Iterator" => Given::Iterator,
        _ => Given::Nameless,
    }
}

/// The line breaks of a text, to keep line numbers unchanged.
fn lines_of(text: &str) -> String {
    text.chars().filter(|&letter| letter == '\n').collect()
}

/// True for a chain of conditions that contains a pattern; it must remain a chain.
fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
            has_let(&binary.left) || has_let(&binary.right)
        }
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.function(&function.sig, |walk| visit::visit_item_fn(walk, function));
        self.body(&function.sig, &function.block);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.function(&function.sig, |walk| {
            visit::visit_impl_item_fn(walk, function)
        });
        self.body(&function.sig, &function.block);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        self.function(&function.sig, |walk| {
            visit::visit_trait_item_fn(walk, function)
        });
        if let Some(block) = &function.default {
            self.body(&function.sig, block);
        }
    }

    fn visit_item_const(&mut self, constant: &'ast syn::ItemConst) {
        let before = std::mem::replace(&mut self.in_constant, true);
        visit::visit_item_const(self, constant);
        self.in_constant = before;
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        self.binary(binary);
        let assigns = matches!(&self.source[binary.op.span().byte_range()], sign if sign.ends_with('=') && !["==", "!=", "<=", ">="].contains(&sign));
        // A place expression that is repeated must not be changed.
        if !assigns {
            self.visit_expr(&binary.left);
        }
        self.visit_expr(&binary.right);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        self.unary(unary);
        visit::visit_expr_unary(self, unary);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.arm(arm);
        visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, whole: &'ast syn::ExprStruct) {
        self.fields(whole);
        visit::visit_expr_struct(self, whole);
    }
}

#[cfg(test)]
mod tests;
