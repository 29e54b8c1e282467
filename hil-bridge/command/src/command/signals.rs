//! `signals`: the signals of a session, as a logic analyser would show them.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::ValueEnum;
use firmware_core::AnyBoard;
use protocol::{Layout, Tick};
use touchboard_completions::number;
use touchboard_host::session::{LAST_TICK, SessionEntry, SessionItem};
use touchboard_host::signals::{
    self, LineWaves, Measurement, Signal, SignalError, SignalReplayer, Waveform, Waveforms, select,
};
use touchboard_host::{DriverError, Session};

use super::{CommandEnd, ExitKind, out, print};

/// The format of a file of waveforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum WaveFormat {
    /// Value Change Dump with words such as `green`, for GTKWave
    Vcd,
    /// Value Change Dump with bits only, for PulseView and sigrok
    Sigrok,
    /// A table with a column for each signal, for spreadsheets
    Csv,
    /// One JSON object per line, for programs
    Json,
}

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The session file; or a wire log, for the bytes on its line
    file: PathBuf,
    /// A signal, such as `light.d4`, or a prefix, such as `state.panel`; may be given
    /// several times. By default, all signals that change, except fields of the state
    #[arg(long = "signal", value_name = "NAME")]
    signals: Vec<String>,
    /// List the names of the signals, instead of writing their values
    #[arg(long, conflicts_with_all = ["format", "out"])]
    list: bool,
    /// Print how often each signal changed, for how long it was on and how far its pulses
    /// are apart, instead of writing its values
    #[arg(long, conflicts_with_all = ["format", "list"])]
    measure: bool,
    /// The output format
    #[arg(long, value_enum, default_value_t = WaveFormat::Vcd)]
    format: WaveFormat,
    /// The file to write; by default standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Leave out everything before this moment
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = number(0, LAST_TICK), allow_negative_numbers = true)]
    from: Tick,
    /// Leave out everything after this moment
    #[arg(long, value_name = "MS", value_parser = number(0, LAST_TICK), allow_negative_numbers = true)]
    until: Option<Tick>,
}

pub fn run(options: &Options) -> CommandEnd {
    if super::is_wire_log(&options.file) {
        let log = super::wire_log(&options.file)?;
        return of_log(LineWaves::of_log(&log.items), options);
    }
    let session = super::session(&options.file)?;
    let cannot = || format!("the session {} cannot be replayed", options.file.display());
    let begun = SignalReplayer::new(&session.header, Vec::new()).with_context(cannot)?;
    let layout = begun.board().board().layout();
    let is_contact = |entry: &SessionEntry| matches!(entry.item, SessionItem::Contact(_));
    let tells_contacts = session.entries.iter().any(is_contact);
    let mut signals = match (options.signals.as_slice(), options.list) {
        ([], false) => usual(options.format, layout),
        (names, _) => named(names, begun, &session).with_context(cannot)??,
    };
    if !tells_contacts && let Some(contact) = signals.iter().find(|signal| signal.is_contact()) {
        bail!(SignalError::NoContacts(contact.name(layout)));
    }
    if let Some(signal) = signals.iter().find(|signal| signal.is_of_line()) {
        bail!(SignalError::NoLine(signal.name(layout)));
    }
    if tells_contacts && options.signals.is_empty() {
        signals.extend(Signal::contacts(layout));
    }
    if options.list {
        return list(&signals, layout);
    }
    let waves = SignalReplayer::whole(&session, signals).with_context(cannot)?;
    write(waves, options)
}

/// Writes the bytes on the line of a wire log.
fn of_log(mut waves: Waveforms, options: &Options) -> CommandEnd {
    let names = &options.signals;
    if !names.is_empty() {
        let board = AnyBoard::new(*waves.layout, 0).map_err(|error| anyhow!("{error}"))?;
        let chosen = select(names.iter().map(String::as_str), &board)?;
        if let Some(other) = chosen.iter().find(|signal| !signal.is_of_line()) {
            bail!(
                "{} is a wire log, which has no `{}`: it has line.to-board and line.from-board. Give the session of that board",
                options.file.display(),
                other.name(*waves.layout)
            );
        }
        waves.waves.retain(|wave| chosen.contains(&wave.signal));
    }
    if options.list {
        let signals: Vec<Signal> = waves.waves.iter().map(|wave| wave.signal.clone()).collect();
        return list(&signals, *waves.layout);
    }
    write(waves, options)
}

fn list(signals: &[Signal], layout: Layout) -> CommandEnd {
    for signal in signals {
        print(signal.name(layout))?;
    }
    Ok(ExitKind::Done)
}

/// Writes waveforms, or what is measured of them, as the options say.
fn write(mut waves: Waveforms, options: &Options) -> CommandEnd {
    let until = options.until.unwrap_or(waves.until);
    super::check_span(options.from, options.until, waves.from..=waves.until)?;
    waves = waves.span(options.from, until);
    let has_names = !options.signals.is_empty();
    if !has_names {
        waves.drop_constant();
    }
    if options.measure {
        let text = measured(&waves);
        return out(&options.file, options.out.as_deref(), text.as_bytes());
    }
    if options.format == WaveFormat::Sigrok {
        let is_more = |wave: &mut Waveform| !wave.is_bits();
        let more: Vec<Waveform> = waves.waves.extract_if(.., is_more).collect();
        if let Some(wave) = more.first().filter(|_| has_names) {
            bail!(
                "{} is more than a bit, and sigrok reads no more: leave it out, take `lit` for `light`, or write --format vcd",
                wave.signal.name(*waves.layout)
            );
        }
    }
    let bytes = written(&waves, options.format)?;
    out(&options.file, options.out.as_deref(), &bytes)
}

/// The signals with these names, or all if there are none. The session is replayed for
/// this: fields of the state come and go, so those at its end are included.
fn named(
    names: &[String],
    mut begun: SignalReplayer,
    session: &Session,
) -> Result<Result<Vec<Signal>, SignalError>, DriverError> {
    let begin = begun.board().board().clone();
    begun.follow(session, usize::MAX)?;
    let end = begun.board().board();
    if names.is_empty() {
        let fields = Signal::of_state(end);
        return Ok(Ok(Signal::all(begin.layout())
            .into_iter()
            .chain(fields)
            .collect()));
    }
    let mut signals = Vec::new();
    for name in names {
        match (
            select([name.as_str()], &begin),
            select([name.as_str()], end),
        ) {
            (Ok(these), Ok(those)) => signals.extend(these.into_iter().chain(those)),
            (Ok(some), Err(_)) | (Err(_), Ok(some)) => signals.extend(some),
            (Err(_), Err(error)) => return Ok(Err(error)),
        }
    }
    let mut known = HashSet::new();
    signals.retain(|signal| known.insert(signal.clone()));
    Ok(Ok(signals))
}

/// The signals that are written by default.
fn usual(format: WaveFormat, layout: Layout) -> Vec<Signal> {
    // A format without colours has a signal for whether a light is on.
    let has_lit = format == WaveFormat::Sigrok;
    let is_usual = |signal: &Signal| match signal {
        Signal::Lit(_) => has_lit,
        signal => !signal.is_dear(),
    };
    Signal::all(layout).into_iter().filter(is_usual).collect()
}

/// A line for each waveform, with what was measured.
fn measured(waves: &Waveforms) -> String {
    let mut text = String::new();
    for wave in &waves.waves {
        let name = wave.signal.name(*waves.layout);
        let found = Measurement::of(wave, waves.from, waves.until);
        text += &format!("{name}: {found}\n");
    }
    text
}

fn written(waves: &Waveforms, format: WaveFormat) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let format = match format {
        WaveFormat::Vcd => signals::WaveFormat::Vcd,
        WaveFormat::Sigrok => signals::WaveFormat::Sigrok,
        WaveFormat::Csv => signals::WaveFormat::Csv,
        WaveFormat::Json => signals::WaveFormat::Json,
    };
    format.write(waves, &mut bytes)?;
    Ok(bytes)
}
