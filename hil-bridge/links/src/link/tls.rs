//! A TCP connection with certificates at both ends (TLS 1.3, by `rustls`).
//!
//! Invariants: no byte crosses before each end has a certificate of the authority that
//! the other one trusts, and the server's is for the name under which it was called; a
//! thread that sends never keeps another one from receiving; the handshake is over at the
//! given moment.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rustls::client::Resumption;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::WebPkiClientVerifier;
use rustls::version::TLS13;
use rustls::{ClientConfig, ClientConnection, Connection, RootCertStore};
use rustls::{ServerConfig, ServerConnection};
use touchboard_host::driver::DriverError;

use super::connection::Stream;
use super::{Link, Tcp, ended, received};
use crate::LinkError;
use crate::secret_file;

/// The longest file of certificates, in bytes.
const LONGEST_FILE: u64 = 1 << 20;

/// How much is encrypted at once, in bytes: what fits a record.
const RECORD: usize = 16 * 1_024;

/// The files of one end of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate of this end, and those between it and its authority.
    pub certificate: PathBuf,
    /// The private key of that certificate.
    pub key: PathBuf,
    /// The certificates of the authorities of the other end.
    pub authority: PathBuf,
}

/// What both ends make of their files.
struct Papers {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
    roots: Arc<RootCertStore>,
}

impl TlsFiles {
    fn read(&self) -> Result<Papers, DriverError> {
        let not_read = |path: &Path, why: &dyn std::fmt::Display| {
            LinkError::open(format!("{} is not used: {why}", path.display()))
        };
        let certificates = |path: &Path| {
            let bytes = secret_file::read_public(path, LONGEST_FILE)?;
            let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
            match found {
                Ok(found) if !found.is_empty() => Ok(found),
                Ok(_) => Err(not_read(path, &"there is no certificate in it (PEM)")),
                Err(error) => Err(not_read(path, &error)),
            }
        };
        let chain = certificates(&self.certificate)?;
        let mut roots = RootCertStore::empty();
        for root in certificates(&self.authority)? {
            let added = roots.add(root);
            added.map_err(|error| not_read(&self.authority, &error))?;
        }
        let key = secret_file::read(&self.key, LONGEST_FILE)?;
        let key = PrivateKeyDer::from_pem_slice(&key);
        Ok(Papers {
            chain,
            key: key.map_err(|error| not_read(&self.key, &error))?,
            roots: Arc::new(roots),
        })
    }

    /// The error that the certificate and the key do not go together.
    fn do_not_fit(&self, error: &rustls::Error) -> DriverError {
        LinkError::open(format!(
            "{} and {} do not go together: {error}",
            self.certificate.display(),
            self.key.display()
        ))
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// The end that waits for connections.
#[derive(Clone)]
pub struct TlsServer {
    config: Arc<ServerConfig>,
}

impl TlsServer {
    /// A server with these files.
    ///
    /// # Errors
    /// A sentence that names the file that cannot be used.
    pub fn new(files: &TlsFiles) -> Result<TlsServer, DriverError> {
        let papers = files.read()?;
        let verifier = WebPkiClientVerifier::builder_with_provider(papers.roots, provider());
        let verifier = verifier.build().map_err(|error| {
            LinkError::open(format!(
                "{} is not used: {error}",
                files.authority.display()
            ))
        })?;
        let builder = ServerConfig::builder_with_provider(provider());
        let builder = builder.with_protocol_versions(&[&TLS13]);
        let builder = builder.map_err(|error| LinkError::open(error.to_string()))?;
        let config = builder
            .with_client_cert_verifier(verifier)
            .with_single_cert(papers.chain, papers.key);
        let mut config = config.map_err(|error| files.do_not_fit(&error))?;
        // Each connection shows its certificate anew.
        config.send_tls13_tickets = 0;
        let config = Arc::new(config);
        Ok(TlsServer { config })
    }

    /// Lets a client in that has a certificate.
    ///
    /// # Errors
    /// When it has none, or none of the authority, or it is late.
    pub fn accept(&self, stream: TcpStream, until: Instant) -> io::Result<TlsLink> {
        let session = ServerConnection::new(Arc::clone(&self.config));
        let session = session.map_err(io::Error::other)?;
        TlsLink::begin(Connection::Server(session), stream, until)
    }
}

/// One end of a connection.
pub struct TlsLink {
    end: Arc<TlsEnd>,
    stream: TcpStream,
    timeout: Option<Duration>,
}

/// What all handles of an end share.
struct TlsEnd {
    session: Mutex<Connection>,
    /// What is encrypted leaves in order: whoever encrypts holds this until it is sent.
    writer: Mutex<TcpStream>,
}

impl TlsLink {
    /// Connects to `host:port`, which has to have a certificate for `host`.
    ///
    /// # Errors
    /// A sentence, if nothing answers there, or one end has no certificate that the other
    /// one trusts.
    pub fn connect(
        address: &str,
        files: &TlsFiles,
        until: Instant,
    ) -> Result<TlsLink, DriverError> {
        let papers = files.read()?;
        let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
        let host = host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .to_owned();
        let name = ServerName::try_from(host);
        let name = name.map_err(|error| LinkError::open(format!("tls:{address}: {error}")))?;
        let builder = ClientConfig::builder_with_provider(provider());
        let builder = builder.with_protocol_versions(&[&TLS13]);
        let builder = builder.map_err(|error| LinkError::open(error.to_string()))?;
        let config = builder
            .with_root_certificates(papers.roots)
            .with_client_auth_cert(papers.chain, papers.key);
        let mut config = config.map_err(|error| files.do_not_fit(&error))?;
        config.resumption = Resumption::disabled();
        let failed = |error: io::Error| {
            LinkError::open(format!("there is no connection to tls:{address}: {error}"))
        };
        let stream = Tcp::stream_to(address).map_err(failed)?;
        let session = ClientConnection::new(Arc::new(config), name);
        let session = session.map_err(|error| failed(io::Error::other(error)))?;
        TlsLink::begin(Connection::Client(session), stream, until).map_err(failed)
    }

    fn begin(mut session: Connection, stream: TcpStream, until: Instant) -> io::Result<TlsLink> {
        stream.set_up()?;
        let shaken = shake_hands(&mut session, &stream, until);
        if shaken.is_err() {
            // What has arrived is not read any more, and must not take the alert back.
            let _ = stream.shutdown(Shutdown::Write);
        }
        shaken?;
        stream.set_up()?;
        Ok(TlsLink {
            end: Arc::new(TlsEnd {
                session: Mutex::new(session),
                writer: Mutex::new(stream.try_clone()?),
            }),
            stream,
            timeout: None,
        })
    }

    /// The next decrypted bytes, if some have arrived.
    fn decrypted(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut session = self.end.session.lock();
        match session.reader().read(buffer) {
            Ok(0) => Err(ended()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(0),
            read => read,
        }
    }

    /// Takes encrypted bytes. They may need an answer, such as a new key.
    fn take(&self, mut encrypted: &[u8]) -> io::Result<()> {
        let mut session = self.end.session.lock();
        while !encrypted.is_empty() {
            session.read_tls(&mut encrypted)?;
            session.process_new_packets().map_err(io::Error::other)?;
        }
        let has_answer = session.wants_write();
        drop(session);
        // If another thread is sending, the answer leaves with what it sends next.
        if has_answer && let Some(mut writer) = self.end.writer.try_lock() {
            let answer = self.end.encrypted()?;
            writer.write_all(&answer)?;
        }
        Ok(())
    }
}

impl TlsEnd {
    /// What is ready to be sent.
    fn encrypted(&self) -> io::Result<Vec<u8>> {
        let mut session = self.session.lock();
        let mut bytes = Vec::new();
        while session.wants_write() {
            session.write_tls(&mut bytes)?;
        }
        Ok(bytes)
    }
}

impl Drop for TlsEnd {
    fn drop(&mut self) {
        self.session.lock().send_close_notify();
        // The other end also notices when the connection is closed.
        if let Ok(bytes) = self.encrypted() {
            let _ = self.writer.lock().write_all(&bytes);
        }
    }
}

impl Link for TlsLink {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut writer = self.end.writer.lock();
        for record in bytes.chunks(RECORD) {
            self.end.session.lock().writer().write_all(record)?;
            let encrypted = self.end.encrypted()?;
            writer.write_all(&encrypted)?;
        }
        Ok(())
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        let until = Instant::now() + timeout;
        let mut encrypted = [0; 4_096];
        loop {
            let count = self.decrypted(buffer)?;
            // To the system, a timeout of zero means none.
            let left = until.saturating_duration_since(Instant::now());
            let left = left.max(Duration::from_millis(1));
            if count > 0 {
                return Ok(count);
            }
            if self.timeout != Some(left) {
                self.stream.wait_for(left)?;
                self.timeout = Some(left);
            }
            let length = received(self.stream.read(&mut encrypted))?;
            self.take(encrypted.get(..length).unwrap_or_default())?;
            if length == 0 || Instant::now() >= until {
                return self.decrypted(buffer);
            }
        }
    }

    fn try_clone(&self) -> io::Result<Box<dyn Link>> {
        Ok(Box::new(TlsLink {
            end: Arc::clone(&self.end),
            stream: self.stream.try_clone()?,
            timeout: None,
        }))
    }
}

/// Exchanges certificates and keys.
fn shake_hands(session: &mut Connection, stream: &TcpStream, until: Instant) -> io::Result<()> {
    let mut stream = Hurried { stream, until };
    while session.is_handshaking() || session.wants_write() {
        if session.wants_write() {
            session.write_tls(&mut stream)?;
            continue;
        }
        if session.read_tls(&mut stream)? == 0 {
            return Err(ended());
        }
        if let Err(error) = session.process_new_packets() {
            // The other end is told why.
            let _ = session.write_tls(&mut stream);
            return Err(io::Error::new(io::ErrorKind::InvalidData, error));
        }
    }
    Ok(())
}

/// A connection that has to be done at a moment, however slowly the other end sends.
struct Hurried<'s> {
    stream: &'s TcpStream,
    until: Instant,
}

impl Hurried<'_> {
    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.until.saturating_duration_since(Instant::now());
        match left.is_zero() {
            true => Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the other end is too slow",
            )),
            false => Ok(Some(left.max(Duration::from_millis(1)))),
        }
    }
}

/// The error of a wait that was too long, which systems name differently.
fn late(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            io::Error::new(io::ErrorKind::TimedOut, "the other end is silent")
        }
        _ => error,
    }
}

impl Read for Hurried<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(buffer).map_err(late)
    }
}

impl Write for Hurried<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(bytes).map_err(late)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
