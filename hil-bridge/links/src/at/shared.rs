//! Opens lines to boards that another machine shares.

use std::env;
use std::process::Command;
use std::time::{Duration, Instant};

use touchboard_host::driver::DriverError;
use touchboard_sharing::greeting::{BoardPassword, printable};

use super::options::BAUD;
use super::place::SharedBy;
use crate::LinkError;
use crate::client::Dial;
use crate::link::{
    FarProgram, GREETING, Greeted, Link, Rfc2217Link, Tcp, TlsFiles, TlsLink, greet,
};

/// The environment variable with the command that is run as `ssh`, with its options.
const SSH_VARIABLE: &str = "TOUCHBOARD_SSH";

/// How long a login may take: somebody may have to type a password.
const LOGIN: Duration = Duration::from_secs(60);

/// The reason for the end of a program that gave none.
const NO_REASON: &str = "it has ended and did not say why";

/// A board that another machine shares.
pub(super) struct SharedDial {
    name: String,
    way: SharedBy,
    address: String,
    baud: u32,
    password: Option<BoardPassword>,
    tls: Option<TlsFiles>,
    /// The program that is the line.
    program: Option<FarProgram>,
}

impl SharedDial {
    /// A dial for this place. What opens the board is read once, so that a line can be
    /// opened again while its files change.
    pub fn at(
        name: String,
        (way, address): (SharedBy, &str),
        baud: u32,
        access: &super::Access,
    ) -> Result<SharedDial, DriverError> {
        let (mut password, mut tls) = (None, None);
        if matches!(way, SharedBy::Password | SharedBy::Tls) {
            password = access.password()?;
        }
        if way == SharedBy::Tls {
            let files = access.tls_files()?;
            tls = Some(files.ok_or_else(|| {
                LinkError::open(format!(
                    "a board at {name} wants certificates: name --tls-certificate and --tls-key of this end, and --tls-authority of the other one"
                ))
            })?);
        }
        Ok(SharedDial {
            name,
            way,
            address: address.to_owned(),
            baud,
            password,
            tls,
            program: None,
        })
    }

    fn tcp(&self) -> Result<Tcp, DriverError> {
        Tcp::connect(&self.address).map_err(|error| {
            LinkError::open(format!(
                "nothing answers at {} ({error}): share a board there, like `hil-bridge serve --at /dev/ttyACM0 --listen {}`",
                self.name, self.address
            ))
        })
    }

    fn greeted(&self, until: Instant) -> Greeted<'_> {
        Greeted {
            at: &self.name,
            password: self.password.as_ref(),
            until,
            may_come_later: self.way == SharedBy::Ssh,
        }
    }

    /// Starts the other machine's `hil-bridge serve`, and greets it.
    fn log_in(&mut self) -> Result<Box<dyn Link>, DriverError> {
        self.program = None;
        let mut command = ssh(&self.address, self.baud)?;
        let started = FarProgram::start(&mut command);
        let (program, mut line) = started.map_err(|error| {
            let name = command.get_program().to_string_lossy();
            LinkError::open(format!("{name} does not start: {error}; install an SSH client (Debian and Ubuntu: `apt install openssh-client`)"))
        })?;
        self.program = Some(program);
        let greeted = greet(&mut line, &self.greeted(Instant::now() + LOGIN));
        match greeted {
            Ok(()) => Ok(Box::new(line)),
            Err(error) if matches!(LinkError::of(&error), Some(LinkError::Busy { .. })) => {
                Err(error)
            }
            Err(error) => Err(match self.why_ended() {
                Some(why) => LinkError::open(format!("there is no line to {}: {why}", self.name)),
                None => error,
            }),
        }
    }
}

impl Dial for SharedDial {
    fn name(&self) -> &str {
        &self.name
    }

    fn dial(&mut self) -> Result<Box<dyn Link>, DriverError> {
        let until = Instant::now() + GREETING;
        match (self.way, &self.tls) {
            (SharedBy::Tls, Some(files)) => {
                let mut link = TlsLink::connect(&self.address, files, until)?;
                greet(&mut link, &self.greeted(until))?;
                Ok(Box::new(link))
            }
            (SharedBy::Password | SharedBy::Tls, _) => {
                let mut link = self.tcp()?;
                greet(&mut link, &self.greeted(until))?;
                Ok(Box::new(link))
            }
            (SharedBy::Rfc2217, _) => {
                let link = Box::new(self.tcp()?);
                let link = Rfc2217Link::negotiate(link, &self.name, self.baud, until)?;
                Ok(Box::new(link))
            }
            (SharedBy::Ssh, _) => self.log_in(),
        }
    }

    fn why_ended(&mut self) -> Option<String> {
        let program = self.program.as_mut()?;
        // Its streams end shortly before it does.
        let until = Instant::now() + Duration::from_millis(200);
        while Instant::now() < until && !program.has_ended() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let words = program.has_ended().then(|| program.last_words());
        let words = words?.unwrap_or_else(|| NO_REASON.to_owned());
        Some(printable(&words))
    }
}

/// The command that shares a board on another machine over its standard streams.
fn ssh(address: &str, baud: u32) -> Result<Command, DriverError> {
    let words = env::var(SSH_VARIABLE).unwrap_or_else(|_| "ssh".to_owned());
    let words = shell_words::split(&words).unwrap_or_default();
    let Some((program, options)) = words.split_first() else {
        return Err(LinkError::open(format!(
            "{SSH_VARIABLE} is no command: write one like `ssh -p 2222`"
        )));
    };
    let (host, there) = address.split_once(':').unwrap_or((address, ""));
    // A shell of the other machine reads the command.
    let mut far = format!(
        "hil-bridge serve --stdio --at {}",
        shell_words::quote(there)
    );
    if baud != BAUD {
        far += &format!(" --baud {baud}");
    }
    let mut command = Command::new(program);
    command.args(options).args(["-T", "--", host, &far]);
    Ok(command)
}
