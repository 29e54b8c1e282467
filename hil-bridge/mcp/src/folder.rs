//! The only folder in which the server may read and write.
//!
//! Invariants: a name that leads out of the folder, by `..`, an absolute path or a link, is
//! refused; without a folder, every name is refused.

use std::path::{Component, Path, PathBuf};

/// The folder; `None` if none was given.
#[derive(Clone, Debug)]
pub struct Folder(Option<PathBuf>);

impl Folder {
    /// Opens the folder at this path.
    ///
    /// # Errors
    /// A sentence if it does not exist.
    pub fn open(path: Option<&Path>) -> Result<Folder, String> {
        let Some(path) = path else {
            return Ok(Folder(None));
        };
        match path.canonicalize() {
            Ok(path) if path.is_dir() => Ok(Folder(Some(path))),
            _ => Err(format!("--folder {} is not a folder", path.display())),
        }
    }

    /// The path, if there is one.
    pub fn path(&self) -> Option<&Path> {
        self.0.as_deref()
    }

    /// The path of a file or folder with this name in the folder.
    ///
    /// # Errors
    /// A sentence if the name leads elsewhere.
    pub fn inside(&self, name: &str) -> Result<PathBuf, String> {
        let Some(folder) = &self.0 else {
            return Err(
                "this server reads and writes no files: start it with --folder FOLDER".to_owned(),
            );
        };
        let outside = || {
            format!(
                "`{name}` is not in the folder of this server, {}",
                folder.display()
            )
        };
        let is_plain =
            |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        let name = Path::new(name);
        if !name.components().all(is_plain) {
            return Err(outside());
        }
        let place = folder.join(name);
        // An existing file may be a link out of the folder. For a new file, its folder
        // may be one.
        let mut known = place.as_path();
        while known.symlink_metadata().is_err() {
            known = known.parent().ok_or_else(outside)?;
        }
        let real = known.canonicalize().map_err(|_| outside())?;
        match real.starts_with(folder) {
            true => Ok(place),
            false => Err(outside()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The sentence about a name that leads out of this folder.
    fn outside(name: &str, own: &Path) -> String {
        let own = own.canonicalize().unwrap();
        format!(
            "`{name}` is not in the folder of this server, {}",
            own.display()
        )
    }

    #[test]
    fn a_path_out_of_the_folder_is_refused() {
        let outer = tempfile::TempDir::new().unwrap();
        let own = outer.path().join("own");
        fs::create_dir_all(own.join("below")).unwrap();
        fs::write(outer.path().join("secret"), "").unwrap();
        let folder = Folder::open(Some(&own)).unwrap();
        for name in ["a.session", "below/b.txt", "./c", "new/d", ""] {
            assert!(folder.inside(name).is_ok(), "{name}");
        }
        for name in ["../secret", "below/../../secret", "/etc/passwd"] {
            assert_eq!(folder.inside(name), Err(outside(name, &own)));
        }
        let none = Folder::open(None).unwrap();
        assert!(none.inside("a").unwrap_err().contains("--folder"));
        let nothing = own.join("nothing");
        assert_eq!(
            Folder::open(Some(&nothing)).unwrap_err(),
            format!("--folder {} is not a folder", nothing.display())
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_folder_is_refused() {
        use std::os::unix::fs::symlink;

        let outer = tempfile::TempDir::new().unwrap();
        let own = outer.path().join("own");
        fs::create_dir(&own).unwrap();
        symlink(outer.path(), own.join("out")).unwrap();
        symlink(outer.path().join("nowhere"), own.join("dangling")).unwrap();
        let folder = Folder::open(Some(&own)).unwrap();
        for name in ["out", "out/new", "dangling"] {
            assert_eq!(folder.inside(name), Err(outside(name, &own)));
        }
    }
}
