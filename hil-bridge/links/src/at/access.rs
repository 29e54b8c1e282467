//! What opens a board that another machine shares: a password, and certificates.

use std::env;
use std::path::PathBuf;

use touchboard_host::driver::DriverError;
use touchboard_sharing::greeting::{BoardPassword, LONGEST_PASSWORD};

use super::place::{At, SharedBy};
use crate::LinkError;
use crate::link::TlsFiles;
use crate::secret_file;

/// The password and the certificates of this end of a shared line: of a client, and of
/// `hil-bridge serve`. A file that is not named by its option is named by an environment
/// variable; no secret is ever an argument, which every program on a machine can read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "options", derive(clap::Args))]
pub struct Access {
    /// With --at served:HOST:PORT or tls:HOST:PORT, and for `hil-bridge serve`: the file
    /// with the password, one line of at least 12 bytes that only you can read; by default
    /// the one that TOUCHBOARD_PASSWORD_FILE names
    #[cfg_attr(feature = "options", arg(long, value_name = "FILE"))]
    pub password_file: Option<PathBuf>,
    /// With --at tls:HOST:PORT, and for `hil-bridge serve`: the certificate of this end
    /// (PEM); by default TOUCHBOARD_TLS_CERTIFICATE
    #[cfg_attr(feature = "options", arg(long, value_name = "FILE"))]
    pub tls_certificate: Option<PathBuf>,
    /// The private key of that certificate (PEM); by default TOUCHBOARD_TLS_KEY
    #[cfg_attr(feature = "options", arg(long, value_name = "FILE"))]
    pub tls_key: Option<PathBuf>,
    /// The certificate of the authority that has signed those of the other end (PEM); by
    /// default TOUCHBOARD_TLS_AUTHORITY
    #[cfg_attr(feature = "options", arg(long, value_name = "FILE"))]
    pub tls_authority: Option<PathBuf>,
}

/// The file of an option, or of its environment variable.
fn named(option: Option<&PathBuf>, variable: &str) -> Option<PathBuf> {
    let named = env::var_os(variable).filter(|name| !name.is_empty());
    option.cloned().or_else(|| named.map(PathBuf::from))
}

impl Access {
    /// The password, if a file for it is named.
    ///
    /// # Errors
    /// A sentence, if the file cannot be read, or others can read it, or it is no password.
    pub fn password(&self) -> Result<Option<BoardPassword>, DriverError> {
        let Some(path) = named(self.password_file.as_ref(), "TOUCHBOARD_PASSWORD_FILE") else {
            return Ok(None);
        };
        // The end of the line may have two bytes.
        let bytes = secret_file::read(&path, LONGEST_PASSWORD as u64 + 2)?;
        let password = BoardPassword::of_file(&bytes);
        password
            .map(Some)
            .map_err(|why| LinkError::open(format!("{} has no password: {why}", path.display())))
    }

    /// The files of TLS, if any of them is named.
    ///
    /// # Errors
    /// A sentence that says which one is missing.
    pub fn tls_files(&self) -> Result<Option<TlsFiles>, DriverError> {
        let files = [
            (&self.tls_certificate, "TOUCHBOARD_TLS_CERTIFICATE"),
            (&self.tls_key, "TOUCHBOARD_TLS_KEY"),
            (&self.tls_authority, "TOUCHBOARD_TLS_AUTHORITY"),
        ];
        match files.map(|(option, variable)| named(option.as_ref(), variable)) {
            [Some(certificate), Some(key), Some(authority)] => Ok(Some(TlsFiles {
                certificate,
                key,
                authority,
            })),
            [None, None, None] => Ok(None),
            _ => Err(LinkError::open(
                "TLS needs three files: name --tls-certificate and --tls-key of this end, and --tls-authority of the other one"
                    .into(),
            )),
        }
    }

    /// The first option that was named and has no meaning at this place.
    pub(super) fn meaningless_at(&self, at: &At) -> Option<(&'static str, &'static str)> {
        let has_password = matches!(at, At::Shared(SharedBy::Password | SharedBy::Tls, _));
        let has_tls = matches!(at, At::Shared(SharedBy::Tls, _));
        let tls = "--at tls:HOST:PORT";
        let options = [
            (
                "--password-file",
                "--at served:HOST:PORT or tls:HOST:PORT",
                self.password_file.is_some() && !has_password,
            ),
            (
                "--tls-certificate",
                tls,
                self.tls_certificate.is_some() && !has_tls,
            ),
            ("--tls-key", tls, self.tls_key.is_some() && !has_tls),
            (
                "--tls-authority",
                tls,
                self.tls_authority.is_some() && !has_tls,
            ),
        ];
        let found = options
            .iter()
            .find(|(_, _, is_meaningless)| *is_meaningless);
        found.map(|(option, place, _)| (*option, *place))
    }
}
