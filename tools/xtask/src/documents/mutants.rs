//! Checks the list of known mutants: every file, type and function that it names exists.
//! A campaign finds a listed mutant by these names, so a renamed function would appear as
//! a new survivor.

use std::collections::BTreeSet;
use std::fs;

use syn::visit::{self, Visit};
use syn::{ImplItemFn, ItemFn, ItemImpl, TraitItemFn, Type};

use crate::cargo::root;

/// The list.
const LIST: &str = "tests/mutants.md";

/// The functions of a source, as cargo-mutants names them, without generic arguments:
/// `spread`, `Plane::set`, `<impl Game for Ghost>::legal`.
#[derive(Default)]
struct Functions {
    names: BTreeSet<String>,
    /// The prefix that the enclosing `impl` block gives its functions.
    within: Option<String>,
}

/// The last word of a type's path.
fn name_of(of: &Type) -> Option<String> {
    match of {
        Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
        Type::Reference(of) => name_of(&of.elem),
        _ => None,
    }
}

impl Functions {
    fn add(&mut self, function: &syn::Ident) {
        self.names.insert(match &self.within {
            Some(within) => format!("{within}::{function}"),
            None => function.to_string(),
        });
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_impl(&mut self, block: &'ast ItemImpl) {
        let own = name_of(&block.self_ty).unwrap_or_default();
        let of = block
            .trait_
            .as_ref()
            .and_then(|(_, of, _)| of.segments.last());
        let within = match of {
            Some(of) => format!("<impl {} for {own}>", of.ident),
            None => own,
        };
        let around = self.within.replace(within);
        visit::visit_item_impl(self, block);
        self.within = around;
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.add(&function.sig.ident);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        self.add(&function.sig.ident);
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        let around = self.within.take();
        self.add(&function.sig.ident);
        visit::visit_item_fn(self, function);
        self.within = around;
    }
}

/// A name without its generic arguments.
fn without_generics(name: &str) -> String {
    let mut depth = 0;
    let outside = name.chars().filter(|letter| {
        depth += i32::from(*letter == '<');
        let is_outside = depth == 0;
        depth -= i32::from(*letter == '>');
        is_outside
    });
    outside.collect()
}

/// The function that a mutant is in, if it is in one: `replace A::b -> bool with true`
/// and `replace + with - in A::b` are in `A::b`.
fn function_of(mutant: &str) -> Option<String> {
    let what = mutant.strip_prefix("replace ").unwrap_or(mutant);
    let (replaced, _) = what.split_once(" with ").unwrap_or((what, ""));
    let (replaced, _) = replaced.split_once(" -> ").unwrap_or((replaced, ""));
    let is_name = replaced.chars().any(char::is_alphabetic);
    let name = match is_name {
        true => replaced,
        false => what.rsplit_once(" in ")?.1,
    };
    // The brackets around an `impl` stay.
    Some(
        match name
            .strip_prefix("<impl ")
            .and_then(|name| name.rsplit_once(">::"))
        {
            Some((block, function)) => format!("<impl {}>::{function}", without_generics(block)),
            None => without_generics(name),
        },
    )
}

#[test]
fn every_listed_mutant_is_in_an_existing_function() {
    let list = fs::read_to_string(root().join(LIST)).expect("the list is there");
    let names = list.lines().filter(|line| line.starts_with("- "));
    let names = names.filter_map(|line| line.split('`').nth(1));
    let (mut seen, mut wrong) = (0, Vec::new());
    for name in names {
        let (path, mutant) = name.split_once(": ").expect("a file and a mistake");
        let Ok(source) = fs::read_to_string(root().join(path)) else {
            wrong.push(format!("{name}: there is no such file"));
            continue;
        };
        let mut functions = Functions::default();
        functions.visit_file(&syn::parse_file(&source).expect("it is of the language"));
        if let Some(function) = function_of(mutant) {
            seen += 1;
            if !functions.names.contains(&function) {
                wrong.push(format!("{name}: there is no {function}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{LIST}:\n{}", wrong.join("\n"));
    assert!(seen > 80, "only {seen} functions were looked for");
}

#[test]
fn mutants_name_their_functions() {
    for (mutant, function) in [
        ("replace > with >=", None),
        ("replace < with <= in badness", Some("badness")),
        ("replace | with ^ in Moves<W>::dark", Some("Moves::dark")),
        (
            "replace | with ^ in <impl Game<W> for Ghost<W>>::legal",
            Some("<impl Game for Ghost>::legal"),
        ),
        (
            "replace Look::may_go -> bool with true",
            Some("Look::may_go"),
        ),
        (
            "replace beside -> Points<W> with Default::default()",
            Some("beside"),
        ),
    ] {
        assert_eq!(function_of(mutant).as_deref(), function, "{mutant}");
    }
    let source = "impl<W> Game<W> for Ghost<W> { fn legal(&self) {} } fn near() {}";
    let mut functions = Functions::default();
    functions.visit_file(&syn::parse_file(source).unwrap());
    let expected = ["<impl Game for Ghost>::legal", "near"];
    assert_eq!(functions.names, expected.map(str::to_owned).into());
}
