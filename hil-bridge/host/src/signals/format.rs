//! The formats of files of waveforms.

use std::io::{self, Write};
use std::path::Path;

use super::{VcdNames, Waveforms, write_csv, write_json_lines, write_vcd};

/// What a file of waveforms is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaveFormat {
    /// Value Change Dump with words such as `green`, for GTKWave.
    Vcd,
    /// Value Change Dump of bits alone, for PulseView and sigrok.
    Sigrok,
    /// A table with a column for each signal, for spreadsheets.
    Csv,
    /// A JSON object a line, for programs.
    Json,
}

impl WaveFormat {
    /// The format of a file by the end of its name; `None` if it ends otherwise.
    #[must_use]
    pub fn of_file(file: &Path) -> Option<WaveFormat> {
        let extension = file.extension()?.to_ascii_lowercase();
        match extension.to_str()? {
            "vcd" => Some(WaveFormat::Vcd),
            "csv" => Some(WaveFormat::Csv),
            "json" | "jsonl" => Some(WaveFormat::Json),
            _ => None,
        }
    }

    /// Writes waveforms in this format.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn write(self, waves: &Waveforms, output: impl Write) -> io::Result<()> {
        match self {
            WaveFormat::Vcd => write_vcd(waves, VcdNames::Scoped, output),
            WaveFormat::Sigrok => write_vcd(waves, VcdNames::Whole, output),
            WaveFormat::Csv => write_csv(waves, output),
            WaveFormat::Json => write_json_lines(waves, output),
        }
    }
}
