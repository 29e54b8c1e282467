//! Checks that each name of a public type has one meaning.
//!
//! A type is public if it can be named outside of its library: all modules around it are
//! public, or one re-exports it (`pub use`). Types of programs, and internal types of
//! libraries, are only used within their context, so their names may be repeated.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Item, UseTree, Visibility};

use crate::cargo::metadata;

/// Names that several types may have, each with the reason.
const SHARED: [(&str, &str); 6] = [
    ("At", IN_A_PAGE),
    (
        "Options",
        "of one command or part, always written with its module",
    ),
    (
        "Position",
        "of one game, always written with its game; `protocol::Position` carries any of them",
    ),
    ("Rule", "what a mode changes in the rules of one game"),
    ("Weights", "of one game's evaluation"),
    ("Where", IN_A_PAGE),
];

/// Why the window has some names of `touchboard_links`.
const IN_A_PAGE: &str = "the place of a board; a window without the feature `desktop` knows one";

/// A module of a library.
#[derive(Default)]
struct Module {
    is_public: bool,
    /// The public types of the module.
    types: BTreeSet<String>,
    /// Its re-exports: a path, and whether it stands for everything in a module.
    handed_on: Vec<(Vec<String>, bool)>,
}

/// The modules of a library, by path.
type Modules = BTreeMap<Vec<String>, Module>;

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// True for items that are only built for tests.
fn is_of_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|one| {
        one.path().is_ident("cfg")
            && one
                .parse_args::<syn::Path>()
                .is_ok_and(|path| path.is_ident("test"))
    })
}

/// Reads a module and the modules within it. Its submodules are in `folder`.
fn read(all: &mut Modules, place: &[String], is_public_here: bool, file: &Path, folder: &Path) {
    let text = fs::read_to_string(file).expect("a source is a text");
    let items = syn::parse_file(&text).expect("it is Rust").items;
    read_items(all, place, is_public_here, items, folder);
}

fn read_items(all: &mut Modules, place: &[String], is_open: bool, items: Vec<Item>, folder: &Path) {
    let mut module = Module {
        is_public: is_open,
        ..Module::default()
    };
    for item in items {
        let (name, visibility) = match item {
            Item::Struct(item) => (item.ident, item.vis),
            Item::Enum(item) => (item.ident, item.vis),
            Item::Trait(item) => (item.ident, item.vis),
            Item::Type(item) => (item.ident, item.vis),
            Item::Union(item) => (item.ident, item.vis),
            Item::Use(item) if is_public(&item.vis) => {
                hand_on(&mut module.handed_on, &mut Vec::new(), &item.tree);
                continue;
            }
            Item::Mod(item) if !is_of_tests(&item.attrs) => {
                let name = item.ident.to_string();
                let inside = [place, std::slice::from_ref(&name)].concat();
                let folder = folder.join(&name);
                let is_open = is_public(&item.vis);
                match item.content {
                    Some((_, items)) => read_items(all, &inside, is_open, items, &folder),
                    None => {
                        let files = [folder.with_extension("rs"), folder.join("mod.rs")];
                        if let Some(file) = files.iter().find(|file| file.is_file()) {
                            read(all, &inside, is_open, file, &folder);
                        }
                    }
                }
                continue;
            }
            _ => continue,
        };
        if is_public(&visibility) {
            module.types.insert(name.to_string());
        }
    }
    all.insert(place.to_vec(), module);
}

/// The paths of a tree of imports, each with whether it is a glob.
fn hand_on(all: &mut Vec<(Vec<String>, bool)>, above: &mut Vec<String>, tree: &UseTree) {
    match tree {
        UseTree::Path(tree) => {
            above.push(tree.ident.to_string());
            hand_on(all, above, &tree.tree);
            above.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                hand_on(all, above, tree);
            }
        }
        UseTree::Glob(_) => all.push((above.clone(), true)),
        UseTree::Name(syn::UseName { ident }) | UseTree::Rename(syn::UseRename { ident, .. }) => {
            let mut path = above.clone();
            path.extend((ident != "self").then(|| ident.to_string()));
            all.push((path, false));
        }
    }
}

/// The target of a path in a module, if it is in the same library.
fn resolve(all: &Modules, place: &[String], path: &[String]) -> Option<Vec<String>> {
    let mut found = place.to_vec();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => (found, rest) = (Vec::new(), &path[1..]),
        "self" => rest = &path[1..],
        "super" => {
            while rest.first().is_some_and(|word| word == "super") {
                found.pop();
                rest = &rest[1..];
            }
        }
        first => {
            let part = [place, &[first.to_owned()]].concat();
            all.contains_key(&part).then_some(())?;
        }
    }
    Some([found.as_slice(), rest].concat())
}

/// The types that can be named from outside, by module and name.
fn exported(all: &Modules) -> BTreeSet<(Vec<String>, String)> {
    let mut exported = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![Vec::new()];
    while let Some(place) = open.pop() {
        let Some(module) = all.get(&place).filter(|_| seen.insert(place.clone())) else {
            continue;
        };
        for name in &module.types {
            exported.insert((place.clone(), name.clone()));
        }
        for (inside, part) in all {
            if part.is_public && inside.len() == place.len() + 1 && inside.starts_with(&place) {
                open.push(inside.clone());
            }
        }
        let mut left = module
            .handed_on
            .iter()
            .map(|(path, whole)| (place.clone(), path.clone(), *whole))
            .collect::<Vec<_>>();
        while let Some((from, path, whole)) = left.pop() {
            let Some(target) = resolve(all, &from, &path) else {
                continue;
            };
            if whole || all.contains_key(&target) {
                open.push(target);
                continue;
            }
            let Some((name, owner)) = target.split_last() else {
                continue;
            };
            let Some(module) = all.get(owner) else {
                continue;
            };
            if module.types.contains(name) {
                exported.insert((owner.to_vec(), name.clone()));
            }
            // A type that is re-exported twice is resolved at its first re-export.
            let further = module
                .handed_on
                .iter()
                .filter(|(path, _)| path.last() == Some(name));
            left.extend(further.map(|(path, whole)| (owner.to_vec(), path.clone(), *whole)));
        }
    }
    exported
}

/// The public types of the workspace, and where each name is defined.
fn public_types() -> BTreeMap<String, BTreeSet<String>> {
    let mut types: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let metadata = metadata().expect("cargo tells of the workspace");
    for package in metadata["packages"].as_array().expect("packages") {
        let targets = package["targets"].as_array().expect("targets");
        for target in targets.iter().filter(|target| target["kind"][0] == "lib") {
            let name = target["name"].as_str().expect("a name");
            let top = PathBuf::from(target["src_path"].as_str().expect("a path"));
            let mut all = Modules::new();
            let folder = top.parent().unwrap_or(&top).to_owned();
            read(&mut all, &[], true, &top, &folder);
            for (place, own) in exported(&all) {
                let path = [&[name.to_owned()][..], &place].concat().join("::");
                types.entry(own).or_default().insert(path);
            }
        }
    }
    types
}

#[test]
fn no_two_public_types_share_a_name() {
    let types = public_types();
    assert!(types.len() > 300, "only {} names were seen", types.len());
    let twice: BTreeMap<&str, &BTreeSet<String>> = types
        .iter()
        .filter(|(_, places)| places.len() > 1)
        .map(|(name, places)| (name.as_str(), places))
        .collect();
    let listed: BTreeSet<&str> = SHARED.iter().map(|(name, _)| *name).collect();
    let new: Vec<String> = twice
        .iter()
        .filter(|(name, _)| !listed.contains(**name))
        .map(|(name, places)| {
            let places: Vec<&str> = places.iter().map(String::as_str).collect();
            format!("{name}: {}", places.join(", "))
        })
        .collect();
    assert!(
        new.is_empty(),
        "these names are taken by another public type; see the glossary:\n{}",
        new.join("\n")
    );
    let single: Vec<&str> = listed
        .into_iter()
        .filter(|name| !twice.contains_key(name))
        .collect();
    assert!(
        single.is_empty(),
        "no longer shared, take off the list: {single:?}"
    );
}
