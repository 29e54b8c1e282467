//! The core alone on processors without a board of their own: recorded games are repeated
//! there in QEMU, and their digests must equal the recorded ones.
//!
//! `firmware-core/boards/bare` is the image. If a processor only has room for some games,
//! its board differs from the recorded one, since the roster is part of a board's state.
//! Its digests are then compared with those of a board in this process that has the same
//! games.
//!
//! Invariants: a processor whose compiler or QEMU is missing is reported, and the others
//! are run.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use firmware_core::{AnyBoard, games};
use postcard::experimental::max_size::MaxSize;
use protocol::{Deed, Roster, Tick};
use touchboard_host::session::{Session, SessionEntry, SessionItem};
use touchboard_links::SessionInFile;
use xtask::board::MemoryMap;
use xtask::cargo::{put, root, words};
use xtask::{firmware, image};

use record::Record;

#[path = "../../../firmware-core/boards/bare/src/record.rs"]
mod record;

/// The name of the image's file of records.
const RECORDS: &str = "records.bin";

/// The beginning of the last line after a success.
const DONE: &str = "done ";

/// How long to wait for an image: many times what it needs.
const PATIENCE: Duration = Duration::from_secs(240);

/// A processor, under the name of its machine in QEMU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Core {
    /// Armv6-M: a Cortex-M0 with 256 KiB of flash and 16 KiB of RAM.
    Microbit,
    /// Armv7E-M with floating point: a Cortex-M4.
    Mps2An386,
    /// RV32IMC, as an ESP32-C3 is.
    Virt,
}

impl Core {
    /// Every processor on which records are repeated.
    pub const ALL: [Core; 3] = [Core::Microbit, Core::Mps2An386, Core::Virt];

    fn machine(self) -> &'static str {
        match self {
            Core::Microbit => "microbit",
            Core::Mps2An386 => "mps2-an386",
            Core::Virt => "virt",
        }
    }

    fn target(self) -> &'static str {
        match self {
            Core::Microbit => "thumbv6m-none-eabi",
            Core::Mps2An386 => "thumbv7em-none-eabihf",
            Core::Virt => "riscv32imc-unknown-none-elf",
        }
    }

    /// QEMU with the arguments for this machine.
    fn qemu(self) -> Command {
        let mut qemu = Command::new(match self {
            Core::Virt => "qemu-system-riscv32",
            _ => "qemu-system-arm",
        });
        qemu.args(["-machine", self.machine(), "-display", "none"]);
        qemu.args(["-monitor", "none", "-serial", "none"]);
        qemu.args(["-semihosting-config", "enable=on,target=native"]);
        if self == Core::Virt {
            qemu.args(["-bios", "none"]);
        }
        qemu
    }

    /// The games for which it has room.
    pub fn games(self) -> Roster {
        match self {
            Core::Microbit => Roster::of(MICROBIT_GAMES),
            _ => games::BUILT,
        }
    }

    /// The memory for the image.
    fn memory(self) -> anyhow::Result<MemoryMap> {
        let map = format!("memory/{}.x", self.machine());
        MemoryMap::read(&folder().join(map))
    }

    /// Builds the image; `None` if there is no compiler for it.
    fn build(self) -> anyhow::Result<Option<PathBuf>> {
        let target = self.target();
        let Some(toolchain) = firmware::toolchain_for(target) else {
            return Ok(None);
        };
        let mut build = firmware::begin(&folder(), target, toolchain)?;
        let games = self.games().to_string().to_lowercase();
        let mut features = firmware::features_of(&games)?;
        if self != Core::Microbit {
            features.extend(["any-layout", "cartridge"].map(str::to_owned));
        }
        build.command.args(["--features", &features.join(",")]);
        build.command.env("BARE_CORE", self.machine());
        let image = build.images.join(format!("bare-{}.elf", self.machine()));
        let built = build.built.join("bare");
        firmware::run_alone(&mut build.command, &build.images, || put(&built, &image))?;
        Ok(Some(image))
    }
}

/// The games that fit on a micro:bit: all games of up to 128 points except SpeedGo, whose
/// board and its copy need 32 KiB.
const MICROBIT_GAMES: &[u8] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 13];

fn folder() -> PathBuf {
    root().join("firmware-core/boards/bare")
}

/// Which of them.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// The processor, by the name of its machine in QEMU; by default all.
    #[arg(value_enum)]
    core: Option<Core>,
    /// Repeat at most this many ticks of each recorded game
    #[arg(long, value_name = "TICKS", default_value_t = 60_000)]
    ticks: Tick,
    /// Change a recorded digest, to test the test
    #[arg(long)]
    wrong: bool,
}

/// The repeated records, and their cost.
#[derive(Clone, Debug)]
pub struct Repeated {
    /// The processor that repeated the records.
    pub core: Core,
    /// The flash that it uses, and the available memory.
    pub takes: image::Takes,
    /// The size of the variables in RAM.
    pub variables_bytes: u64,
    /// The number of games that were repeated.
    pub boards: u32,
    /// The number of digests that matched.
    pub digests: u32,
    /// Boards that were saved and loaded.
    pub loads: u32,
    /// The stack at its deepest.
    pub stack_bytes: u64,
}

/// Repeats the recorded games, and prints a table. A different digest is an error.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let cores = options.core.map_or(Core::ALL.to_vec(), |core| vec![core]);
    let mut rows = vec![TITLES.to_owned()];
    for core in cores {
        match repeat(core, options.ticks, options.wrong)? {
            Some(repeated) => rows.push(repeated.row()),
            None => println!("{}", excuse(core)),
        }
    }
    println!("{}", rows.join("\n"));
    Ok(())
}

fn excuse(core: Core) -> String {
    format!(
        "excused: {} takes the target {} and {}: see `cargo xtask setup`",
        core.machine(),
        core.target(),
        core.qemu().get_program().display()
    )
}

/// The titles of the rows; sizes are in bytes.
pub const TITLES: &str = "\
| machine | target | games | flash | RAM | of it the stack | recorded games | digests | saved and loaded |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |";

impl Repeated {
    /// A row of the table.
    pub fn row(&self) -> String {
        let Repeated {
            core,
            takes,
            variables_bytes,
            boards,
            digests,
            loads,
            stack_bytes,
        } = self;
        format!(
            "| `{}` | `{}` | {} | {} of {} | {} of {} | {stack_bytes} | {boards} | {digests} | {loads} |",
            core.machine(),
            core.target(),
            core.games(),
            takes.flash_bytes,
            takes.of.flash.bytes,
            variables_bytes + stack_bytes,
            takes.of.ram.bytes,
        )
    }
}

/// Repeats recorded games on a processor; `None` if its compiler or QEMU is missing.
///
/// # Errors
/// What the image reports as wrong.
pub fn repeat(core: Core, ticks: Tick, wrong: bool) -> anyhow::Result<Option<Repeated>> {
    let mut version = core.qemu();
    if !xtask::cargo::succeeds(version.arg("--version")) {
        return Ok(None);
    }
    let Some(program) = core.build()? else {
        return Ok(None);
    };
    let takes = image::measure(&fs::read(&program)?, core.memory()?)?;
    let mut bytes = records(core.games(), ticks)?;
    if wrong {
        // The last value in the records is a digest; its last byte holds some of its
        // bits.
        *bytes.last_mut().context("there are records")? ^= 1;
    }
    // Other processes may do the same at the same time.
    let folder = program.with_extension(format!("records-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(RECORDS), bytes)?;
    let mut qemu = core.qemu();
    qemu.arg("-kernel").arg(&program).current_dir(&folder);
    let said = run_to_end(qemu);
    fs::remove_dir_all(&folder)?;
    let said = said?;
    ensure!(
        said.lines().any(|line| line.starts_with(DONE)),
        "{} does not repeat what was recorded: {said}",
        core.machine()
    );
    let Some([boards, digests, loads, taken, room]) = figures(&said) else {
        bail!("{} says {said:?}", core.machine());
    };
    ensure!(taken < room, "{}: the stack is full", core.machine());
    Ok(Some(Repeated {
        core,
        takes,
        // The stack gets the rest of the memory.
        variables_bytes: takes.of.ram.bytes - u64::from(room),
        boards,
        digests,
        loads,
        stack_bytes: taken.into(),
    }))
}

/// The output of the image until it ends or hangs; a fault prints nothing.
fn run_to_end(mut qemu: Command) -> anyhow::Result<String> {
    qemu.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut running = qemu.spawn().with_context(|| words(&qemu))?;
    let began = Instant::now();
    while running.try_wait()?.is_none() {
        if began.elapsed() > PATIENCE {
            running.kill()?;
            running.wait()?;
            return Ok(format!("it did not end in {} s", PATIENCE.as_secs()));
        }
        thread::sleep(Duration::from_millis(20));
    }
    let mut said = String::new();
    let mut output = running.stdout.take().context("it is piped")?;
    output.read_to_string(&mut said)?;
    Ok(said)
}

/// The numbers in the image's last line.
fn figures(said: &str) -> Option<[u32; 5]> {
    let done = said.lines().find_map(|line| line.strip_prefix(DONE))?;
    let numbers: Option<Vec<u32>> = done.split(' ').map(|word| word.parse().ok()).collect();
    numbers?.try_into().ok()
}

/// All recorded games for a board with these games, at most this many ticks of each.
fn records(games: Roster, ticks: Tick) -> anyhow::Result<Vec<u8>> {
    let folder = root().join("tests/sessions");
    let files = folder.read_dir()?.map(|file| Ok(file?.path()));
    let mut files = files.collect::<std::io::Result<Vec<PathBuf>>>()?;
    files.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "session")
    });
    files.sort();
    let mut bytes = Vec::new();
    for path in files {
        let session = Session::load(&path)?;
        let game = session.header.settings.map(|settings| settings.game);
        if game.is_some_and(|game| games.has(game)) {
            let told = records_of(&session, games, ticks);
            for record in told.with_context(|| path.display().to_string())? {
                write(&record, &mut bytes)?;
            }
        }
    }
    Ok(bytes)
}

/// A recorded game as a board with these games repeats it, for at most this many ticks.
/// Its digests are the recorded ones if the recorded board had the same games.
fn records_of(session: &Session, games: Roster, ticks: Tick) -> anyhow::Result<Vec<Record>> {
    let header = &session.header;
    let (layout, seed) = (header.layout.layout(), header.seed);
    let roster = header.roster.and(games);
    let mut board = AnyBoard::with_games(layout, roster, seed)?;
    let mut records = vec![Record::Begin {
        layout,
        roster,
        seed,
    }];
    let settings = header.settings.map(|settings| SessionEntry {
        tick: 0,
        item: Deed::Settings(settings).into(),
    });
    let entries = settings.iter().chain(&session.entries);
    for SessionEntry { tick, item } in entries.take_while(|entry| entry.tick <= ticks) {
        if *tick > board.tick() {
            board.advance(tick - board.tick(), &mut |_, _| {});
            records.push(Record::Until(*tick));
        }
        match item {
            SessionItem::Do(deed) => {
                // Commands that the board refuses were also refused when the session
                // was recorded.
                let _ = board.carry_out(deed, &mut |_, _| {});
                records.push(Record::Deed(deed.clone()));
            }
            SessionItem::Digest(digest) => {
                let own = board.digest();
                ensure!(
                    roster != header.roster || own == *digest,
                    "this computer does not repeat it: see `cargo test -p touchboard-tests`"
                );
                records.push(Record::Digest(own));
            }
            SessionItem::Load(_) => bail!("it loads a state, which the image does not"),
            SessionItem::Note(_) | SessionItem::Contact(_) | SessionItem::End => {}
        }
    }
    records.push(Record::Digest(board.digest()));
    Ok(records)
}

/// Writes the length of the record, then the record.
fn write(record: &Record, bytes: &mut Vec<u8>) -> anyhow::Result<()> {
    let mut buffer = [0; Record::POSTCARD_MAX_SIZE];
    let record = postcard::to_slice(record, &mut buffer)?;
    bytes.extend(u16::try_from(record.len())?.to_le_bytes());
    bytes.extend_from_slice(record);
    Ok(())
}
