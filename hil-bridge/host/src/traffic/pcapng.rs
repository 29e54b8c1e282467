//! Wire logs as pcapng, which Wireshark opens: a packet for each wire frame.
//!
//! The link type is `USER0`, which is reserved for private use;
//! `tools/wireshark/touchboard.lua` is a dissector for Wireshark. The flags of a packet
//! contain its direction, and its data are the bytes on the line, including the zeros
//! around the frame.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Duration;

use pcap_file::pcapng::blocks::enhanced_packet::{EnhancedPacketBlock, EnhancedPacketOption};
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::pcapng::{Block, PcapNgReader};
use pcap_file::{DataLink, PcapError};

use super::{LineDirection, LineFrame, LineItem, WireLog};

/// The first bytes of a pcapng file: the type of its first block.
const BEGIN: [u8; 4] = [0x0A, 0x0D, 0x0D, 0x0A];
/// The bits of a packet's flags that contain the direction.
const WAY: u32 = 0b11;
/// Direction bits: received by the host that recorded it.
const INBOUND: u32 = 0b01;
/// Direction bits: sent by the host that recorded it.
const OUTBOUND: u32 = 0b10;
/// The exponent of the time unit: 10^-9 s.
const NANOSECONDS: u8 = 9;
/// The time unit of an interface that does not declare one: 10^-6 s.
const MICROSECONDS: u8 = 6;

/// True if the file begins like a pcapng file.
pub fn is_pcapng(file: &[u8]) -> bool {
    file.starts_with(&BEGIN)
}

/// Writes packets to a pcapng file.
pub struct PcapngWriter<W: Write> {
    inner: pcap_file::pcapng::PcapNgWriter<W>,
    since_epoch: Duration,
}

fn failed(error: PcapError) -> io::Error {
    match error {
        PcapError::IoError(error) => error,
        other => io::Error::other(other),
    }
}

impl<W: Write> PcapngWriter<W> {
    /// Starts a file about the line to `board`, whose record began at this time.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn begin(output: W, board: &str, since_epoch: Duration) -> io::Result<PcapngWriter<W>> {
        let mut inner = pcap_file::pcapng::PcapNgWriter::new(output).map_err(failed)?;
        let interface = InterfaceDescriptionBlock {
            linktype: DataLink::USER0,
            snaplen: 0,
            options: vec![
                InterfaceDescriptionOption::IfName(Cow::Borrowed("touchboard")),
                InterfaceDescriptionOption::IfDescription(Cow::Borrowed(board)),
                InterfaceDescriptionOption::IfTsResol(NANOSECONDS),
            ],
        };
        inner.write_pcapng_block(interface).map_err(failed)?;
        Ok(PcapngWriter { inner, since_epoch })
    }

    /// Writes a frame.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn write(&mut self, frame: &LineFrame) -> io::Result<()> {
        let way = match frame.direction {
            LineDirection::ToBoard => OUTBOUND,
            LineDirection::FromBoard => INBOUND,
        };
        let mut options = vec![EnhancedPacketOption::Flags(way)];
        if let Err(why) = frame.name {
            options.push(EnhancedPacketOption::Comment(why.to_string().into()));
        }
        let packet = EnhancedPacketBlock {
            interface_id: 0,
            timestamp: self.since_epoch + Duration::from_micros(frame.at_us),
            original_len: frame.bytes.len() as u32,
            data: Cow::Borrowed(&frame.bytes),
            options,
        };
        self.inner
            .write_pcapng_block(packet)
            .map(drop)
            .map_err(failed)
    }

    /// Flushes the output.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.inner.get_mut().flush()
    }
}

/// Converts a time in the interface's unit to microseconds; `None` if it is out of range.
fn micros(interface: &InterfaceDescriptionBlock<'_>, counted: u64) -> Option<u64> {
    let resolution = |option: &InterfaceDescriptionOption<'_>| match option {
        InterfaceDescriptionOption::IfTsResol(resolution) => Some(*resolution),
        _ => None,
    };
    let resolution = interface.options.iter().find_map(resolution);
    let resolution = resolution.unwrap_or(MICROSECONDS);
    let power = u32::from(resolution & 0x7F);
    let base: u128 = if resolution & 0x80 == 0 { 10 } else { 2 };
    let a_second = base.checked_pow(power)?;
    u64::try_from(u128::from(counted) * 1_000_000 / a_second).ok()
}

/// The parts of a file that were skipped.
#[derive(Default)]
struct LeftOut {
    foreign: u64,
    cut: u64,
    without_way: u64,
}

impl LeftOut {
    fn remarks(&self) -> impl Iterator<Item = String> {
        let sentences = [
            (
                self.foreign,
                "packets are of another kind of line (their link type is not USER0) and are left out",
            ),
            (
                self.without_way,
                "packets do not say which way they went and are left out",
            ),
            (
                self.cut,
                "packets were cut when they were recorded and are left out",
            ),
        ];
        let some = sentences.into_iter().filter(|(count, _)| *count > 0);
        some.map(|(count, words)| format!("{count} {words}"))
    }
}

/// Reads a pcapng file, up to where it breaks off or is damaged.
pub fn read(file: &[u8]) -> WireLog {
    let mut log = WireLog::default();
    let mut left_out = LeftOut::default();
    let mut begin_us = None;
    if let Err(error) = read_blocks(file, &mut log.items, &mut left_out, &mut begin_us) {
        log.remarks.push(format!(
            "the file stops being pcapng at some point ({error}): the {} packets before it are read",
            log.items.len()
        ));
    }
    log.remarks.extend(left_out.remarks());
    log
}

fn read_blocks(
    file: &[u8],
    items: &mut Vec<LineItem>,
    left_out: &mut LeftOut,
    begin_us: &mut Option<u64>,
) -> Result<(), PcapError> {
    let mut reader = PcapNgReader::new(file)?;
    loop {
        let Some(block) = reader.next_block() else {
            return Ok(());
        };
        let packet = match block? {
            Block::EnhancedPacket(packet) => packet.into_owned(),
            _ => continue,
        };
        let interface = reader
            .packet_interface(&packet)
            .ok_or(PcapError::InvalidInterfaceId(packet.interface_id))?;
        if interface.linktype != DataLink::USER0 {
            left_out.foreign += 1;
            continue;
        }
        let Some(direction) = direction_of(&packet) else {
            left_out.without_way += 1;
            continue;
        };
        if packet.original_len as usize != packet.data.len() {
            left_out.cut += 1;
            continue;
        }
        let at_us = micros(interface, packet.timestamp.as_nanos() as u64).unwrap_or(0);
        let begin_us = *begin_us.get_or_insert(at_us);
        items.push(LineItem::Bytes {
            at_us: at_us.saturating_sub(begin_us),
            direction,
            bytes: packet.data.into_owned(),
        });
    }
}

fn direction_of(packet: &EnhancedPacketBlock<'_>) -> Option<LineDirection> {
    let way = packet.options.iter().find_map(|option| match option {
        EnhancedPacketOption::Flags(flags) => Some(flags & WAY),
        _ => None,
    });
    match way? {
        OUTBOUND => Some(LineDirection::ToBoard),
        INBOUND => Some(LineDirection::FromBoard),
        _ => None,
    }
}
