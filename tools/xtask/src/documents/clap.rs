//! The command lines of the tree's programs, read from the types from which clap derives
//! them. So documents can be checked against the options of the window, too, without
//! building it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use firmware_core::faults::FaultKind;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Field, Fields, Item, Lit, Meta, Token, Type};

use crate::cargo::metadata;

/// The arguments of a program or one of its subcommands.
#[derive(Clone, Debug, Default)]
pub struct Command {
    /// Its options without dashes, and whether each takes a value.
    pub options: BTreeMap<String, bool>,
    /// The subcommands, by name.
    pub commands: BTreeMap<String, Command>,
    /// True if it passes unknown arguments on to another program.
    pub hands_on: bool,
}

impl Command {
    fn add(&mut self, other: Command) {
        self.options.extend(other.options);
        self.commands.extend(other.commands);
        self.hands_on |= other.hands_on;
    }
}

/// A type that clap derives from, and its module.
struct Found {
    package: String,
    module: Vec<String>,
    item: Item,
}

/// The programs of the workspace by name, according to their sources.
pub fn programs() -> BTreeMap<String, Command> {
    let mut types = Types::default();
    let metadata = metadata().expect("cargo tells of the workspace");
    for package in metadata["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name");
        let manifest = package["manifest_path"].as_str().expect("a path");
        let source = Path::new(manifest).with_file_name("src");
        types.read(name, &source, &[]);
    }
    let tops = types
        .0
        .iter()
        .filter(|found| derives(attributes(&found.item), "Parser"));
    let tops = tops.map(|found| (found.package.clone(), types.command(found)));
    tops.collect()
}

#[derive(Default)]
struct Types(Vec<Found>);

impl Types {
    /// Reads a folder of modules.
    fn read(&mut self, package: &str, folder: &Path, module: &[String]) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let stem = path.file_stem().unwrap_or_default();
            let stem = stem.to_string_lossy().into_owned();
            let mut inside = module.to_vec();
            if path.is_dir() {
                inside.push(stem);
                self.read(package, &path, &inside);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                if !matches!(&*stem, "mod" | "main" | "lib") {
                    inside.push(stem);
                }
                let text = fs::read_to_string(&path).expect("a source is a text");
                let file = syn::parse_file(&text).expect("a source is of the language");
                let items = file.items.into_iter().filter(is_read_by_clap);
                self.0.extend(items.map(|item| Found {
                    package: package.to_owned(),
                    module: inside.clone(),
                    item,
                }));
            }
        }
    }

    /// The arguments that a type adds to a command line.
    fn command(&self, found: &Found) -> Command {
        let mut command = Command::default();
        match &found.item {
            Item::Struct(item) => self.add_fields(&mut command, found, &item.fields),
            Item::Enum(item) => {
                for variant in &item.variants {
                    let mut inside = Command::default();
                    match &variant.fields {
                        Fields::Unnamed(fields) => {
                            let field = fields.unnamed.first().expect("a field");
                            inside = self.of(found, &field.ty);
                            if says(&variant.attrs, "flatten") {
                                command.add(inside);
                                continue;
                            }
                        }
                        fields => self.add_fields(&mut inside, found, fields),
                    }
                    let name = text_of(&variant.attrs, "name");
                    let name = name.unwrap_or_else(|| kebab(&variant.ident.to_string()));
                    command.commands.insert(name, inside);
                }
            }
            _ => {}
        }
        command
    }

    fn add_fields(&self, command: &mut Command, from: &Found, fields: &Fields) {
        for field in fields {
            if says(&field.attrs, "flatten") || says(&field.attrs, "subcommand") {
                command.add(self.of(from, &field.ty));
                continue;
            }
            command.hands_on |= says(&field.attrs, "trailing_var_arg");
            let takes = takes_value(field);
            if let Some(name) = option_name(field, "long") {
                command.options.insert(name, takes);
            }
            if let Some(name) = option_name(field, "short") {
                command
                    .options
                    .insert(name.chars().take(1).collect(), takes);
            }
        }
    }

    /// The arguments that the type of a field adds.
    fn of(&self, from: &Found, ty: &Type) -> Command {
        let Type::Path(ty) = ty else {
            panic!("a type without a name is read by clap");
        };
        let words = ty.path.segments.iter();
        let mut path: Vec<String> = words.map(|word| word.ident.to_string()).collect();
        if path
            .last()
            .is_some_and(|name| name == "Option" || name == "Box")
        {
            let last = ty.path.segments.last().expect("a name");
            if let syn::PathArguments::AngleBracketed(inner) = &last.arguments
                && let Some(syn::GenericArgument::Type(inner)) = inner.args.first()
            {
                return self.of(from, inner);
            }
        }
        let name = path.pop().unwrap_or_default();
        // The only one that is not a derived type: the core's faults.
        if name == "FaultOptions" {
            let options = FaultKind::all().map(|kind| (kind.option().to_owned(), false));
            return Command {
                options: options.collect(),
                ..Command::default()
            };
        }
        path.retain(|word| !matches!(word.as_str(), "crate" | "self" | "super"));
        let named = |other: &&Found| self_name(&other.item) == name;
        let fits = |other: &&Found| other.module.ends_with(&path);
        let same = |other: &&Found| other.module == from.module;
        let here = |other: &&Found| other.package == from.package;
        let all: Vec<&Found> = self.0.iter().filter(named).collect();
        let near = |list: &[&Found]| -> Option<usize> {
            let own = list
                .iter()
                .position(|other| here(other) && same(other) && path.is_empty());
            own.or_else(|| list.iter().position(|other| here(other) && fits(other)))
                .or_else(|| list.iter().position(fits))
                .or_else(|| (list.len() == 1).then_some(0))
        };
        let found = near(&all).unwrap_or_else(|| panic!("{name} of {} is not found", from.package));
        self.command(all[found])
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Struct(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        _ => &[],
    }
}

fn self_name(item: &Item) -> String {
    match item {
        Item::Struct(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        _ => String::new(),
    }
}

fn is_read_by_clap(item: &Item) -> bool {
    let attributes = attributes(item);
    let derived = ["Parser", "Args", "Subcommand"];
    derived.into_iter().any(|name| derives(attributes, name))
}

/// The attributes, including those that depend on a feature.
fn metas(attributes: &[Attribute]) -> impl Iterator<Item = Meta> {
    attributes.iter().flat_map(|one| match &one.meta {
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            let read = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            // The first one is the condition.
            read.into_iter().flatten().skip(1).collect()
        }
        meta => vec![meta.clone()],
    })
}

/// True if one of the derives is this one, by any path.
fn derives(attributes: &[Attribute], name: &str) -> bool {
    let mut derived = BTreeSet::new();
    for attribute in metas(attributes).filter(|one| one.path().is_ident("derive")) {
        let Meta::List(list) = attribute else {
            continue;
        };
        let _ = list.parse_nested_meta(|meta| {
            let last = meta.path.segments.last();
            derived.extend(last.map(|word| word.ident.to_string()));
            Ok(())
        });
    }
    derived.contains(name)
}

/// The contents of `#[arg(...)]` and `#[command(...)]`.
fn help_attributes(attributes: &[Attribute]) -> impl Iterator<Item = Meta> {
    let own = ["arg", "command", "clap"];
    let read = metas(attributes)
        .filter(move |one| own.into_iter().any(|name| one.path().is_ident(name)))
        .filter_map(|one| match one {
            Meta::List(list) => list
                .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
                .ok(),
            _ => None,
        });
    read.flatten().collect::<Vec<_>>().into_iter()
}

fn says(attributes: &[Attribute], word: &str) -> bool {
    help_attributes(attributes).any(|meta| meta.path().is_ident(word))
}

/// The string that is assigned to a word, if there is one.
fn text_of(attributes: &[Attribute], word: &str) -> Option<String> {
    help_attributes(attributes).find_map(|meta| match meta {
        Meta::NameValue(pair) if pair.path.is_ident(word) => match pair.value {
            Expr::Lit(literal) => match literal.lit {
                Lit::Str(text) => Some(text.value()),
                Lit::Char(letter) => Some(letter.value().to_string()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    })
}

/// The long or short name of an option.
fn option_name(field: &Field, kind: &str) -> Option<String> {
    let own = || kebab(&field.ident.as_ref().map(ToString::to_string)?).into();
    says(&field.attrs, kind).then(|| text_of(&field.attrs, kind).or_else(own))?
}

/// True if the option takes a value.
fn takes_value(field: &Field) -> bool {
    let is_truth = matches!(&field.ty, Type::Path(ty) if ty.path.is_ident("bool"));
    !is_truth && !says(&field.attrs, "require_equals")
}

/// A name as clap converts it: `film_s` and `FilmS` become `film-s`.
fn kebab(name: &str) -> String {
    let mut written = String::new();
    for letter in name.trim_start_matches("r#").chars() {
        if letter.is_uppercase() && !written.is_empty() {
            written.push('-');
        }
        written.extend(if letter == '_' { '-' } else { letter }.to_lowercase());
    }
    written
}

#[test]
fn the_options_of_the_programs_are_known() {
    let programs = programs();
    let window = &programs["emulator"].options;
    for (name, takes) in [
        ("at", true),
        ("film-s", true),
        ("watch", false),
        ("top", false),
    ] {
        assert_eq!(window.get(name), Some(&takes), "{name}");
    }
    let check = &programs["hil-bridge"].commands["check"].options;
    assert!(check.contains_key("steps") && check.contains_key("fault-bounce-ms"));
    assert!(!check.contains_key("palette"));
    assert!(programs["xtask"].commands["start"].hands_on);
    assert!(programs.len() >= 7, "{:?}", programs.keys());
}
