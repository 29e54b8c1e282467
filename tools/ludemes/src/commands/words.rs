//! `ludemes words`: the constructs and the shared macros, with what they mean.
use ludemes::{constructs, text};

/// What to look up.
#[derive(clap::Args)]
pub struct Options {
    /// How the names begin; without it, all of them.
    #[arg(default_value = "")]
    name: String,
}

/// Lists them.
///
/// # Errors
/// No name begins so.
pub fn run(options: &Options) -> Result<(), String> {
    let name = options.name.as_str();
    let mut any = false;
    for construct in constructs::completions(name) {
        any = true;
        let takes = if construct.takes.is_empty() {
            String::new()
        } else {
            format!(" {}", construct.takes)
        };
        println!("({}{takes})\n    {}", construct.name, construct.means);
    }
    for shared in text::macros()
        .iter()
        .filter(|shared| shared.name.starts_with(name))
    {
        any = true;
        println!("\"{}\"\n    {}", shared.name, shared.about);
    }
    if any {
        return Ok(());
    }
    let names = constructs::all()
        .iter()
        .map(|construct| construct.name.to_owned());
    let names: Vec<String> = names
        .chain(text::macros().into_iter().map(|shared| shared.name))
        .collect();
    let near = text::near(name, names.iter().map(String::as_str));
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Err(format!(
        "no construct and no macro begins with `{name}`{near}"
    ))
}
