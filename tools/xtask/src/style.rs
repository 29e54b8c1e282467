//! Checks how source files are divided: a function fits a screen, and a file declares
//! something.

use std::fs;
use std::path::{Path, PathBuf};

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, ImplItemFn, ItemFn, ItemMod, Signature, TraitItemFn};

/// The most lines of a function, from its first word to its last bracket.
const MOST_LINES: usize = 60;

/// Files without an item, each with the reason.
const EMPTY: [(&str, &str); 1] = [(
    "tools/equal-features/src/lib.rs",
    "the package is only the features in its manifest",
)];

/// The source files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// True for files of tests, benchmarks and fuzzing.
fn is_of_tests(path: &Path) -> bool {
    path.components().any(|part| {
        let name = part.as_os_str();
        ["tests", "benches", "fuzz"].iter().any(|of| name == *of)
    }) || path.ends_with("tests.rs")
}

/// A function, and its number of lines.
#[derive(Debug, PartialEq, Eq)]
struct LongFunction {
    name: String,
    lines: usize,
}

/// Collects the functions of a file that are too long.
#[derive(Default)]
struct LongFunctions {
    functions: usize,
    found: Vec<LongFunction>,
}

impl LongFunctions {
    /// Those of a source text.
    fn of(file: &syn::File) -> LongFunctions {
        let mut all = LongFunctions::default();
        all.visit_file(file);
        all
    }

    fn judge(&mut self, signature: &Signature, block: &Block) {
        self.functions += 1;
        let begin = signature.span().start().line;
        let lines = block.brace_token.span.close().end().line - begin + 1;
        if lines > MOST_LINES {
            let name = signature.ident.to_string();
            self.found.push(LongFunction { name, lines });
        }
    }
}

/// True for items that are only built for tests.
fn are_of_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|one| {
        let is_test = |path: syn::Path| path.is_ident("test");
        one.path().is_ident("test")
            || one.path().is_ident("cfg") && one.parse_args().is_ok_and(is_test)
    })
}

impl<'f> Visit<'f> for LongFunctions {
    fn visit_item_mod(&mut self, item: &'f ItemMod) {
        if !are_of_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'f ItemFn) {
        if !are_of_tests(&item.attrs) {
            self.judge(&item.sig, &item.block);
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'f ImplItemFn) {
        self.judge(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'f TraitItemFn) {
        if let Some(block) = &item.default {
            self.judge(&item.sig, block);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

/// All source files, by their paths from the root, with what they contain.
fn parsed() -> impl Iterator<Item = (String, syn::File)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = Vec::new();
    sources(&root, &mut all);
    assert!(all.len() > 1_000, "only {} files were found", all.len());
    let parse = move |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a source is a text");
        let below = path.strip_prefix(&root).expect("it is below the root");
        let name = below.display().to_string();
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, file)
    };
    all.into_iter().map(parse)
}

#[test]
fn a_function_fits_a_screen_and_a_file_has_an_item() {
    let (mut functions, mut long, mut empty) = (0, Vec::new(), Vec::new());
    for (name, file) in parsed() {
        let are_tests = is_of_tests(Path::new(&name));
        if file.items.is_empty() {
            empty.push(name.clone());
        }
        let of_file = LongFunctions::of(&file);
        functions += of_file.functions;
        let found = of_file.found.into_iter().filter(|_| !are_tests);
        long.extend(found.map(|function| (name.clone(), function)));
    }
    assert!(functions > 10_000, "only {functions} functions were seen");
    assert!(long.is_empty(), "longer than {MOST_LINES} lines: {long:#?}");
    empty.sort();
    let reasons: Vec<&str> = EMPTY.iter().map(|(path, _)| *path).collect();
    assert_eq!(empty, reasons, "these files have nothing in them");
}

#[test]
fn long_functions_are_found_wherever_they_are() {
    let body = "    f();\n".repeat(MOST_LINES - 2);
    let fits = format!("fn fits() {{\n{body}}}\n");
    let long = fits
        .replace("fits", "long")
        .replacen("    f();", "\n    f();", 1);
    let commented = long.replace("    f();\n    f();", "    // }\n    f();");
    let inside = format!("impl A {{\n{long}\n}}\ntrait B {{\n{long}\nfn none();\n}}");
    let nested = format!("mod a {{\nfn fits() {{}}\n{long}\n}}");
    let of_tests = format!("#[cfg(test)]\nmod tests {{\n{long}\n}}\n#[test]\n{long}");
    for (text, count) in [
        (&fits, 0),
        (&long, 1),
        (&commented, 1),
        (&inside, 2),
        (&nested, 1),
        (&of_tests, 0),
    ] {
        let file = syn::parse_file(text).expect("it is a source");
        let found = LongFunctions::of(&file).found;
        assert_eq!(found.len(), count, "{text}");
        for function in found {
            assert_eq!((&*function.name, function.lines), ("long", MOST_LINES + 1));
        }
    }
}
