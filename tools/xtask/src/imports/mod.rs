//! Checks that imports only go down, and are never circular.
//!
//! The packages form layers, and each may only depend on those below it. Within a
//! package, sibling modules may only import each other in one direction. The imports of a
//! module include those of the modules within it, and what it re-exports (`pub use`)
//! counts as its own. A module and the modules within it belong together and may import
//! each other. Tests are left out, since they may import everything that they test.

mod source;

use std::collections::{BTreeMap, BTreeSet};

use source::Module;

/// A module, by the names that lead to it from the top of its package.
type Place = Vec<String>;

/// The modules of a program or a library, with their imports.
struct Modules {
    all: BTreeMap<Place, Module>,
}

/// The target of a path: its module, and the rest of the path within it.
type Found<'p> = (Place, &'p [String]);

impl Modules {
    /// The modules of the same package that a module imports.
    fn imported(&self, from: &Place) -> BTreeSet<Place> {
        let paths = self.all[from].paths.iter();
        let found = paths.filter_map(|path| self.resolve(from, path, &mut Vec::new()));
        found.filter(|to| to != from).collect()
    }

    /// The module that defines what a path means in a module, if it is in this package.
    /// `passed` contains the names that were resolved on the way.
    fn resolve(
        &self,
        from: &Place,
        path: &[String],
        passed: &mut Vec<(Place, String)>,
    ) -> Option<Place> {
        let (mut place, mut rest) = self.begin(from, path)?;
        while let Some((name, after)) = rest.split_first() {
            let part = [place.as_slice(), std::slice::from_ref(name)].concat();
            if self.all.contains_key(&part) {
                (place, rest) = (part, after);
                continue;
            }
            let here = (place.clone(), name.clone());
            let Some(other) = self.all[&place].names.get(name) else {
                break;
            };
            if passed.contains(&here) {
                break;
            }
            passed.push(here);
            let whole = [other.as_slice(), after].concat();
            return Some(self.resolve(&place, &whole, passed).unwrap_or(place));
        }
        Some(place)
    }

    /// The module in which a path begins; `None` if it is in another package.
    fn begin<'p>(&self, from: &Place, path: &'p [String]) -> Option<Found<'p>> {
        let (first, mut rest) = path.split_first()?;
        let mut place = from.clone();
        match first.as_str() {
            "crate" => place.clear(),
            "self" => {}
            "super" => {
                place.pop()?;
            }
            _ => {
                let part = [from.as_slice(), std::slice::from_ref(first)].concat();
                return self.all.contains_key(&part).then_some((part, rest));
            }
        }
        while let Some((_, after)) = rest.split_first().filter(|(name, _)| *name == "super") {
            place.pop()?;
            rest = after;
        }
        Some((place, rest))
    }

    /// For each folder: which of its sibling modules imports which others, each with one
    /// import as an example.
    fn beside(&self) -> BTreeMap<Place, Beside> {
        let mut folders: BTreeMap<Place, Beside> = BTreeMap::new();
        for from in self.all.keys() {
            for to in self.imported(from) {
                let equal = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
                let (Some(one), Some(other)) = (from.get(equal), to.get(equal)) else {
                    continue;
                };
                let folder = folders.entry(from[..equal].to_vec()).or_default();
                let others = folder.entry(one.clone()).or_default();
                let shown = format!("{} imports {}", from.join("::"), to.join("::"));
                others.entry(other.clone()).or_insert(shown);
            }
        }
        folders
    }

    /// The circular imports, one per line.
    fn circles(&self) -> Vec<String> {
        let mut found = Vec::new();
        for folder in self.beside().values() {
            for (one, others) in folder {
                let back = |other: &&String| reaches(folder, other, one);
                let in_circle = others.keys().filter(back);
                found.extend(in_circle.map(|other| others[other].clone()));
            }
        }
        found
    }
}

/// For each module the modules that it imports, each with one import as an example.
type Beside = BTreeMap<String, BTreeMap<String, String>>;

/// True if a chain of imports leads from one module to the other.
fn reaches(folder: &Beside, from: &str, to: &str) -> bool {
    let mut reached = BTreeSet::from([from]);
    let mut left = vec![from];
    while let Some(next) = left.pop() {
        for other in folder.get(next).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(other) {
                left.push(other);
            }
        }
    }
    reached.contains(to)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde_json::Value;

    use super::*;
    use crate::cargo::metadata;

    /// The packages of the workspace, from the lowest layer. Those of a row do not depend
    /// on others of the same row or of later ones. Tests may depend on higher layers.
    const LAYERS: [&[&str]; 12] = [
        &["equal-features", "xtask"],
        &["law", "protocol"],
        &["drawings", "firmware-core"],
        &["cartridge-plan"],
        &[
            "cortex-m-board",
            "ludemes",
            "small-host",
            "touchboard-completions",
            "touchboard-files",
            "touchboard-panels",
            "touchboard-sharing",
        ],
        &["touchboard-panel-ports"],
        &["shards", "touchboard-host", "virtual-board"],
        &[
            "campaign",
            "touchboard-links",
            "touchboard-pair",
            "touchboard-picture",
            "touchboard-shell",
        ],
        &["relay", "touchboard-testing"],
        &["hil-bridge", "ludemes-command", "xtask-lab"],
        &["arena", "contest", "emulator", "ludemes-server", "post"],
        &["touchboard-tests", "page"],
    ];

    fn packages() -> Vec<Value> {
        let metadata = metadata().expect("cargo tells of the workspace");
        metadata["packages"].as_array().expect("packages").clone()
    }

    fn layer(package: &str) -> Option<usize> {
        LAYERS.iter().position(|row| row.contains(&package))
    }

    #[test]
    fn each_package_is_built_on_those_below_it() {
        let packages = packages();
        let names = packages
            .iter()
            .filter_map(|package| package["name"].as_str());
        let names: BTreeSet<&str> = names.collect();
        let listed: BTreeSet<&str> = LAYERS.iter().copied().flatten().copied().collect();
        assert_eq!(names, listed, "each package has a layer");
        let mut judged = 0;
        for package in &packages {
            let own = package["name"].as_str().expect("a name");
            for dependency in package["dependencies"].as_array().expect("a list") {
                let other = dependency["name"].as_str().expect("a name");
                if dependency["kind"] == "dev" || !names.contains(other) {
                    continue;
                }
                judged += 1;
                assert!(layer(other) < layer(own), "{own} is built on {other}");
            }
        }
        assert!(judged > 20, "only {judged} dependencies were seen");
    }

    /// The root files of a package's library and programs.
    fn tops(package: &Value) -> Vec<PathBuf> {
        let targets = package["targets"].as_array().expect("targets");
        let is_code = |target: &&Value| target["kind"][0] == "lib" || target["kind"][0] == "bin";
        let paths = targets.iter().filter(is_code);
        let paths = paths.map(|target| target["src_path"].as_str().expect("a path"));
        paths.map(PathBuf::from).collect()
    }

    #[test]
    fn modules_beside_each_other_import_in_one_direction() {
        let mut circles = BTreeSet::new();
        let (mut files, mut imports) = (0, 0);
        for package in packages() {
            let name = package["name"].as_str().expect("a name");
            for top in tops(&package) {
                let modules = Modules {
                    all: source::read(&top).expect("sources can be read"),
                };
                files += modules.all.len();
                imports += modules.beside().len();
                let lines = modules.circles().into_iter();
                circles.extend(lines.map(|line| format!("{name}: {line}")));
            }
        }
        assert!(
            files > 400 && imports > 40,
            "{files} files, {imports} folders"
        );
        let circles: Vec<String> = circles.into_iter().collect();
        assert!(
            circles.is_empty(),
            "imports in a circle:\n{}",
            circles.join("\n")
        );
    }

    fn modules(files: &[(&str, &str)]) -> Modules {
        let place = |path: &str| -> Place {
            let names = path.split("::").filter(|name| !name.is_empty());
            names.map(str::to_owned).collect()
        };
        let all = files.iter();
        Modules {
            all: all
                .map(|(path, text)| (place(path), Module::read(text)))
                .collect(),
        }
    }

    #[test]
    fn an_import_cycle_is_found_in_any_spelling() {
        let plain = [
            ("", "mod a; mod b;"),
            ("a", "use crate::b::B;"),
            ("b", "fn f() -> super::a::A { todo!() }"),
        ];
        let found = ["a imports b", "b imports a"];
        assert_eq!(modules(&plain).circles(), found);
        let handed_on = [
            ("", "mod a; mod b; pub use a::{self, one::{A as C, D}};"),
            ("a", "mod one;"),
            ("a::one", "use crate::b::B;"),
            ("b", "use crate::{C, D};"),
        ];
        let found = ["a::one imports b", "b imports a::one"];
        assert_eq!(modules(&handed_on).circles(), found);
        let of_three = [
            ("", "mod a; mod b; mod c; mod d;"),
            ("a", "use super::b;"),
            ("b", "use crate::c::*;"),
            ("c", "use crate::{a::A, d::D};"),
            ("d", ""),
        ];
        let found = ["a imports b", "b imports c", "c imports a"];
        assert_eq!(modules(&of_three).circles(), found);
    }

    #[test]
    fn one_way_imports_are_not_a_cycle() {
        let one_way = [
            ("", "mod a; mod b; pub use b::B;"),
            ("a", "mod part; use crate::B; use part::P;"),
            ("a::part", "use super::A; // use crate::b::B;"),
            (
                "b",
                "const A: &str = \"use crate::a::A;\"; #[cfg(test)] mod tests { use crate::a::A; }",
            ),
        ];
        assert!(modules(&one_way).circles().is_empty());
    }

    /// The packages that must not be used by the library of hosts, nor by the window
    /// without its feature `desktop`, because both run in a browser page.
    const SYSTEM: [&str; 9] = [
        "std::env",
        "std::fs",
        "std::net",
        "std::os",
        "std::process",
        "std::thread",
        "std::time::Instant",
        "std::time::SystemTime",
        "std::io::std",
    ];

    /// The modules of a package's library that are also built for a page.
    fn in_a_page(package: &str) -> BTreeMap<Place, Module> {
        let packages = packages();
        let found = packages.iter().find(|other| other["name"] == package);
        let tops = tops(found.expect("it is there"));
        let library = tops.iter().find(|top| top.ends_with("lib.rs"));
        let mut modules = source::read(library.expect("it has one")).expect("sources can be read");
        modules.retain(|place, _| !place.contains(&DESKTOP.to_owned()));
        modules
    }

    /// The name of modules that only exist with the feature.
    const DESKTOP: &str = "desktop";

    #[test]
    fn code_for_a_web_page_calls_no_operating_system() {
        let pure = [
            ("touchboard-host", 50),
            ("touchboard-panels", 8),
            ("emulator", 60),
        ];
        for (package, least) in pure {
            let modules = in_a_page(package);
            assert!(modules.len() > least, "{package}: {} files", modules.len());
            for (place, module) in modules {
                for path in &module.paths {
                    let path = path.join("::");
                    let asked = SYSTEM.iter().find(|name| path.starts_with(**name));
                    let place = place.join("::");
                    assert_eq!(asked, None, "{place} of {package} asks {path}");
                }
            }
        }
    }

    #[test]
    fn the_order_of_layers_is_transitive() {
        let upwards = [
            "protocol",
            "firmware-core",
            "ludemes",
            "touchboard-host",
            "touchboard-links",
            "touchboard-shell",
            "hil-bridge",
            "emulator",
        ];
        assert!(upwards.is_sorted_by_key(|package| layer(package)));
        assert!(layer("touchboard-files") < layer("virtual-board"));
        assert!(layer("virtual-board") < layer("touchboard-links"));
    }
}
