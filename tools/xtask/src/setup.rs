//! Installs missing system packages.

use std::path::Path;
use std::process::Command;

use crate::board::BoardImage;
use crate::cargo::{run, succeeds};
use crate::firmware;
use crate::pico;

/// What a set of packages is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The window.
    Window,
    /// All tests, including those of the window without a screen and of the image in
    /// QEMU.
    Tests,
    /// The core on a RISC-V processor in QEMU.
    RiscV,
    /// Firmware images if rustup cannot fetch the target.
    Firmware,
    /// The emulated chip of the Pico, which runs under node.
    Pico,
    /// Third-party programs that check the pins of the Pico: the decoders of a logic
    /// analyser, and the tool that fetches a second emulator.
    PicoJudges,
    /// A third-party program that reads captures of the line: Wireshark without a window.
    LineJudge,
    /// A third-party server, over which a board of another machine is driven, only on a
    /// machine for tests; elsewhere that test is excused.
    SshServer,
    /// MIDI ports without hardware, for a simulated panel: a JACK server.
    MidiPorts,
    /// A batch system with one node, for the files of `cargo xtask cluster`, only on a
    /// machine for tests; elsewhere that test is excused.
    BatchSystem,
    /// The test of `tools/post` with a mail server, only on a machine for tests;
    /// elsewhere that test is excused.
    MailServer,
}

impl Purpose {
    pub const ALL: [Purpose; 11] = [
        Purpose::Window,
        Purpose::Tests,
        Purpose::RiscV,
        Purpose::Firmware,
        Purpose::Pico,
        Purpose::PicoJudges,
        Purpose::LineJudge,
        Purpose::SshServer,
        Purpose::MidiPorts,
        Purpose::BatchSystem,
        Purpose::MailServer,
    ];

    /// The names of the packages in Debian.
    fn packages(self) -> &'static [&'static str] {
        match self {
            Purpose::Window => &[
                "gcc",
                "libc6-dev",
                "pkg-config",
                "libasound2-dev",
                "libwayland-dev",
                "libxkbcommon-x11-0",
                "mesa-vulkan-drivers",
            ],
            Purpose::Tests => &[
                "xvfb",
                "xauth",
                "qemu-system-arm",
                "gdb-multiarch",
                "python3",
                "iproute2",
            ],
            // 46 MB: the smallest package with this processor.
            Purpose::RiscV => &["qemu-system-misc"],
            Purpose::Firmware => &["rustc-web", "rust-web-src", "lld"],
            Purpose::Pico => &["nodejs", "npm"],
            Purpose::PicoJudges => &["sigrok-cli", "python3-pip"],
            Purpose::LineJudge => &["tshark"],
            Purpose::SshServer => &["openssh-client", "openssh-server"],
            // The server, and what a program is linked with.
            Purpose::MidiPorts => &["jackd2", "libjack-jackd2-dev"],
            Purpose::BatchSystem => &["slurm-wlm"],
            Purpose::MailServer => &["opensmtpd"],
        }
    }

    /// What is not tested without them, if everything else is built and tested anyway.
    const fn without(self) -> Option<&'static str> {
        match self {
            Purpose::RiscV => Some("No RISC-V processor will run here"),
            Purpose::Pico => Some("No emulated Pico will run here"),
            Purpose::PicoJudges => Some("Some judges of the Pico's pins are not here"),
            Purpose::LineJudge => {
                Some("Nothing but our own programs will read captures of the line")
            }
            Purpose::SshServer => Some("No board will be driven over a real SSH server"),
            Purpose::MidiPorts => Some("No MIDI port will be looked for by its name"),
            Purpose::BatchSystem => Some("No batch system will do shards here"),
            _ => None,
        }
    }

    fn is_needed(self) -> bool {
        match self {
            Purpose::Window | Purpose::Tests => true,
            Purpose::Firmware => {
                BoardImage::all().any(|board| firmware::toolchain(board).is_none())
            }
            Purpose::RiscV => !pico::is_there("qemu-system-riscv32"),
            // If they were not installed as Debian packages, the programs may still be
            // present.
            Purpose::Pico => !pico::NEEDS.iter().all(|program| pico::is_there(program)),
            Purpose::PicoJudges => ["sigrok-cli", "pip3"]
                .iter()
                .any(|program| !pico::is_there(program)),
            Purpose::LineJudge => !pico::is_there("tshark"),
            Purpose::SshServer => may_have_services() && !Path::new("/usr/sbin/sshd").exists(),
            Purpose::MidiPorts => !pico::is_there("jackd") || !can_link("jack"),
            Purpose::BatchSystem => may_have_services() && !pico::is_there("slurmctld"),
            Purpose::MailServer => may_have_mail_server(),
        }
    }
}

/// True if programs can be linked with this library, which has the name of `pkg-config`.
pub fn can_link(name: &str) -> bool {
    let mut asked = Command::new("pkg-config");
    asked.args(["--exists", name]);
    asked.status().is_ok_and(|status| status.success())
}

/// True if packages with services may be installed: on a machine that runs services they
/// would be started. So they are only installed where none run, such as a container in
/// which tests run as root.
fn may_have_services() -> bool {
    is_root() && !Path::new("/run/systemd/system").exists()
}

/// True if a mail server may be installed. Its package replaces an existing one.
fn may_have_mail_server() -> bool {
    may_have_services() && !Path::new("/usr/sbin/sendmail").exists()
}

fn is_root() -> bool {
    succeeds(Command::new("test").args(["-w", "/var/lib/dpkg"]))
}

/// Installs missing packages for these purposes.
pub fn install(purposes: &[Purpose]) -> anyhow::Result<()> {
    for purpose in purposes {
        let wanted = purpose.packages().iter().copied();
        let missing: Vec<_> = wanted.filter(|package| !is_installed(package)).collect();
        if !missing.is_empty() && purpose.is_needed() {
            let installed = install_packages(&missing);
            match (installed, purpose.without()) {
                (Err(error), Some(lack)) => eprintln!("{lack}: {error}"),
                (installed, _) => installed?,
            }
        }
    }
    Ok(())
}

/// Installs everything that is missing, and reports it. If nothing was missing, that is
/// the only output.
pub fn install_all() -> anyhow::Result<()> {
    install(&Purpose::ALL)?;
    if is_debian() {
        println!(
            "All packages are installed: go on with `cargo xtask start` or `cargo xtask test`."
        );
    }
    Ok(())
}

fn is_debian() -> bool {
    Path::new("/usr/bin/apt-get").exists() && Path::new("/usr/bin/dpkg-query").exists()
}

/// True if the package is installed. On systems that are not derived from Debian, every
/// package counts as installed once the user was informed.
fn is_installed(package: &str) -> bool {
    let mut query = Command::new("dpkg-query");
    query.args(["--show", "--showformat=${db:Status-Status}", package]);
    let status = query.output();
    status.is_ok_and(|output| output.stdout == b"installed")
}

fn install_packages(packages: &[&str]) -> anyhow::Result<()> {
    if !is_debian() {
        eprintln!(
            "This is not Debian: if what follows fails, install what Debian calls {}.",
            packages.join(", ")
        );
        return Ok(());
    }
    eprintln!("Installing {} with apt-get.", packages.join(", "));
    run(apt_get().args(["update", "--quiet"]))?;
    let install = ["install", "--yes", "--quiet", "--no-install-recommends"];
    run(apt_get().args(install).args(packages))
}

/// The command `apt-get`, with `sudo` if necessary.
fn apt_get() -> Command {
    let mut command = if is_root() {
        Command::new("apt-get")
    } else {
        let mut sudo = Command::new("sudo");
        sudo.arg("apt-get");
        sudo
    };
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}
