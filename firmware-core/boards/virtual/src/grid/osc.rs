//! A monome grid for programs that speak to *serialosc*, monome's own program between the
//! serial port of a grid and Open Sound Control (monome.org, *serialosc/osc*). Clients
//! ask serialosc at its port which grids exist, and then speak to each grid at a port of
//! its own. Here the virtual grid provides both ports, so that clients find it without
//! serialosc, which only detects USB devices.
//!
//! A message about lamps is converted to the bytes that serialosc would send to the grid,
//! and the grid processes those. Both paths therefore give the same lamps.
//!
//! Invariants: only programs on this computer are served; whatever they send, memory
//! is bounded and nothing panics.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use rosc::{OscMessage, OscPacket, OscType, decoder, encoder};

/// The identity of the grid.
const ID: &str = "m0000000";
/// The maximum size of a message in bytes; the largest one is a map of 64 levels.
const MOST_BYTES: usize = 1_024;
/// The interval at which the threads check whether to end.
const TURN: Duration = Duration::from_millis(20);
/// The maximum number of programs that wait to be notified of a new grid.
const MOST_WAITING: usize = 16;

/// The number of columns and rows of a block.
const BLOCK: i32 = 8;
/// The number of levels in a block, and in a row of it.
const LEVELS: usize = 64;

/// Receives bytes as if from the grid's line.
type Take = Box<dyn Fn(&[u8]) + Send + Sync>;

/// The destination of key events, and their prefix.
#[derive(Clone, Debug)]
struct Destination {
    port: u16,
    prefix: String,
    rotation: i32,
}

/// The state that both ports share.
struct Shared {
    /// The number of columns and rows.
    size: (u8, u8),
    search: UdpSocket,
    device: UdpSocket,
    destination: Mutex<Destination>,
    take: Take,
    is_ending: AtomicBool,
}

/// The two ports of a grid, which are closed when this is dropped.
pub struct OscPlug {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl OscPlug {
    /// Opens this port; 0 means any free one. Messages about the lamps of a grid of this
    /// size are converted to bytes of its line for `take`.
    ///
    /// # Errors
    /// An error of the system if the port is in use.
    pub fn open(port: u16, size: (u8, u8), take: Take) -> io::Result<OscPlug> {
        let shared = Arc::new(Shared {
            size,
            search: own_socket(port)?,
            device: own_socket(0)?,
            destination: Mutex::new(Destination {
                port: 0,
                prefix: "/monome".to_owned(),
                rotation: 0,
            }),
            take,
            is_ending: AtomicBool::new(false),
        });
        let answers: [fn(&Shared); 2] = [be_searched, be_played];
        let threads = answers.map(|answer| {
            let its = Arc::clone(&shared);
            let thread = std::thread::Builder::new().name("grid's OSC".to_owned());
            thread.spawn(move || answer(&its))
        });
        let threads = threads.into_iter().collect::<io::Result<_>>()?;
        Ok(OscPlug { shared, threads })
    }

    /// The address at which programs search for grids.
    ///
    /// # Errors
    /// An error of the system that does not report it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.shared.search.local_addr()
    }

    /// Handles bytes that the grid has sent: passes key events to the listening program.
    pub fn sent(&self, bytes: &[u8]) {
        let [kind @ (0x20 | 0x21), x, y] = *bytes else {
            return;
        };
        let to = self.shared.destination().clone();
        let numbers = [x, y, kind & 1].map(|number| OscType::Int(number.into()));
        let address = format!("{}/grid/key", to.prefix);
        self.shared
            .send(&self.shared.device, to.port, &address, numbers);
    }
}

impl Drop for OscPlug {
    fn drop(&mut self) {
        self.shared.is_ending.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn own_socket(port: u16) -> io::Result<UdpSocket> {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        io::Error::new(
            error.kind(),
            format!("port {port} is taken ({error}): end serialosc, or name another with --osc"),
        )
    })?;
    socket.set_read_timeout(Some(TURN))?;
    Ok(socket)
}

impl Shared {
    fn destination(&self) -> MutexGuard<'_, Destination> {
        self.destination.lock()
    }

    /// Sends a message to a program on this computer.
    fn send(
        &self,
        from: &UdpSocket,
        port: u16,
        address: &str,
        args: impl IntoIterator<Item = OscType>,
    ) {
        let message = OscMessage {
            addr: address.to_owned(),
            args: args.into_iter().collect(),
        };
        if port == 0 {
            return;
        }
        if let Ok(bytes) = encoder::encode(&OscPacket::Message(message)) {
            // There may be no listener, which UDP cannot detect.
            let _ = from.send_to(&bytes, SocketAddrV4::new(Ipv4Addr::LOCALHOST, port));
        }
    }

    /// Calls a function with each message that arrives at this socket, until the grid is
    /// closed.
    fn each(&self, socket: &UdpSocket, mut heard: impl FnMut(&OscMessage)) {
        let mut bytes = [0; MOST_BYTES];
        while !self.is_ending.load(Ordering::Relaxed) {
            let Ok((count, _)) = socket.recv_from(&mut bytes) else {
                continue;
            };
            let packet = decoder::decode_udp(bytes.get(..count).unwrap_or_default());
            match packet {
                Ok((_, OscPacket::Message(message))) => heard(&message),
                // Messages with a time tag are carried out at once.
                Ok((_, OscPacket::Bundle(bundle))) => {
                    for packet in &bundle.content {
                        if let OscPacket::Message(message) = packet {
                            heard(message);
                        }
                    }
                }
                Err(_) => {}
            }
        }
    }
}

/// The port of a program in `/serialosc/list` and other messages: after the name of a
/// computer, which is this one, or alone.
fn port_of(args: &[OscType]) -> Option<u16> {
    let number = args.iter().rev().find_map(number)?;
    number.try_into().ok()
}

/// A number as an integer; some programs send integers as other types.
fn number(arg: &OscType) -> Option<i32> {
    match arg {
        OscType::Int(number) => Some(*number),
        OscType::Float(number) => Some(*number as i32),
        _ => None,
    }
}

/// Answers programs that look for grids.
fn be_searched(shared: &Shared) {
    let port = shared.device.local_addr().map_or(0, |own| own.port());
    let (columns, rows) = shared.size;
    let mut waiting = Vec::new();
    shared.each(&shared.search, |message| {
        let Some(to) = port_of(&message.args) else {
            return;
        };
        match message.addr.as_str() {
            "/serialosc/list" => {
                let kind = format!("monome {}", u16::from(columns) * u16::from(rows));
                let told = [
                    OscType::String(ID.to_owned()),
                    OscType::String(kind),
                    OscType::Int(port.into()),
                ];
                shared.send(&shared.search, to, "/serialosc/device", told);
            }
            "/serialosc/notify" if waiting.len() < MOST_WAITING => waiting.push(to),
            _ => {}
        }
    });
    // Tell listeners that the grid is unplugged.
    for to in waiting {
        let id = OscType::String(ID.to_owned());
        shared.send(&shared.search, to, "/serialosc/remove", [id]);
    }
}

/// Answers programs that use the grid.
fn be_played(shared: &Shared) {
    shared.each(&shared.device, |message| {
        let changed = {
            let mut to = shared.destination();
            match (message.addr.as_str(), message.args.as_slice()) {
                ("/sys/port", args) => port_of(args).map(|port| {
                    to.port = port;
                    ("/sys/port", OscType::Int(port.into()))
                }),
                ("/sys/host", _) => Some(("/sys/host", own_host())),
                ("/sys/prefix", [OscType::String(prefix)]) => {
                    let slash = if prefix.starts_with('/') { "" } else { "/" };
                    to.prefix = format!("{slash}{prefix}");
                    Some(("/sys/prefix", OscType::String(to.prefix.clone())))
                }
                // The rotation is ignored, because the picture in the terminal is not
                // rotated either.
                ("/sys/rotation", _) => Some(("/sys/rotation", OscType::Int(to.rotation))),
                _ => None,
            }
        };
        let to = shared.destination().clone();
        match changed {
            Some((address, arg)) => shared.send(&shared.device, to.port, address, [arg]),
            None if message.addr == "/sys/info" => {
                let port = port_of(&message.args).unwrap_or(to.port);
                send_all(shared, &to, port);
            }
            None => {
                if let Some(what) = message.addr.strip_prefix(to.prefix.as_str()) {
                    let numbers: Option<Vec<i32>> = message.args.iter().map(number).collect();
                    let bytes = numbers.and_then(|numbers| to_serial(what, &numbers));
                    (shared.take)(&bytes.unwrap_or_default());
                }
            }
        }
    });
}

fn own_host() -> OscType {
    OscType::String("127.0.0.1".to_owned())
}

/// Sends all properties of the grid.
fn send_all(shared: &Shared, to: &Destination, port: u16) {
    let tell = |address, args: Vec<OscType>| shared.send(&shared.device, port, address, args);
    let (columns, rows) = shared.size;
    tell("/sys/id", vec![OscType::String(ID.to_owned())]);
    let sides = [columns, rows].map(|side| OscType::Int(side.into()));
    tell("/sys/size", sides.to_vec());
    tell("/sys/host", vec![own_host()]);
    tell("/sys/port", vec![OscType::Int(to.port.into())]);
    tell("/sys/prefix", vec![OscType::String(to.prefix.clone())]);
    tell("/sys/rotation", vec![OscType::Int(to.rotation)]);
}

/// The bytes on the line for a message about lamps; `None` if a grid has no such message.
fn to_serial(what: &str, numbers: &[i32]) -> Option<Vec<u8>> {
    let byte = |number: i32| u8::try_from(number).ok();
    let bytes = |numbers: &[i32]| numbers.iter().map(|number| byte(*number)).collect();
    let mut out = Vec::new();
    match (what, numbers) {
        ("/grid/led/set", [x, y, on]) => {
            out = vec![0x10 | u8::from(*on != 0), byte(*x)?, byte(*y)?]
        }
        ("/grid/led/all", [on]) => out = vec![0x12 | u8::from(*on != 0)],
        ("/grid/led/map", [x, y, rows @ ..]) if rows.len() == BLOCK as usize => {
            let rows: Option<Vec<u8>> = bytes(rows);
            out = [vec![0x14, byte(*x)?, byte(*y)?], rows?].concat();
        }
        // The message is split into one for each block.
        ("/grid/led/row", [x, y, rows @ ..]) => {
            for (offset, bits) in (0..).step_by(BLOCK as usize).zip(rows) {
                out.extend([0x15, byte(x.checked_add(offset)?)?, byte(*y)?, byte(*bits)?]);
            }
        }
        ("/grid/led/col", [x, y, columns @ ..]) => {
            for (offset, bits) in (0..).step_by(BLOCK as usize).zip(columns) {
                out.extend([0x16, byte(*x)?, byte(y.checked_add(offset)?)?, byte(*bits)?]);
            }
        }
        ("/grid/led/intensity", [level]) => out = vec![0x17, byte(*level)?],
        ("/grid/led/level/set", [x, y, level]) => {
            out = vec![0x18, byte(*x)?, byte(*y)?, level_of(*level)];
        }
        ("/grid/led/level/all", [level]) => out = vec![0x19, level_of(*level)],
        ("/grid/led/level/map", [x, y, levels @ ..]) if levels.len() == LEVELS => {
            out = vec![0x1A, byte(*x)?, byte(*y)?];
            out.extend(packed(levels));
        }
        ("/grid/led/level/row", [x, y, levels @ ..]) => {
            for (offset, levels) in (0..).step_by(BLOCK as usize).zip(levels.chunks_exact(8)) {
                out.extend([0x1B, byte(x.checked_add(offset)?)?, byte(*y)?]);
                out.extend(packed(levels));
            }
        }
        ("/grid/led/level/col", [x, y, levels @ ..]) => {
            for (offset, levels) in (0..).step_by(BLOCK as usize).zip(levels.chunks_exact(8)) {
                out.extend([0x1C, byte(*x)?, byte(y.checked_add(offset)?)?]);
                out.extend(packed(levels));
            }
        }
        _ => return None,
    }
    Some(out)
}

/// The level, limited to 15.
fn level_of(level: i32) -> u8 {
    level.clamp(0, 15) as u8
}

/// Two levels in a byte, the first in the high half.
fn packed(levels: &[i32]) -> impl Iterator<Item = u8> {
    let pairs = levels.chunks(2);
    pairs.map(|pair| {
        let half = |at: usize| pair.get(at).map_or(0, |level| level_of(*level));
        half(0) << 4 | half(1)
    })
}

#[cfg(test)]
mod tests {
    use proptest::collection;
    use proptest::prelude::*;

    use super::*;
    use crate::grid::MonomeDevice;

    /// The picture of a 16x8 grid after these messages.
    fn lit(told: &[(&str, &[i32])]) -> Vec<String> {
        let mut device = MonomeDevice::new(16, 8);
        for (what, numbers) in told {
            let bytes = to_serial(what, numbers).unwrap_or_else(|| panic!("{what}"));
            for byte in bytes {
                device.take(byte);
            }
        }
        assert_eq!(device.unknown(), 0);
        device.picture()
    }

    #[test]
    fn a_row_of_two_blocks_and_a_column_of_levels_are_lit() {
        let shown = lit(&[
            ("/grid/led/row", &[0, 1, 0b1000_0001, 0b11]),
            ("/grid/led/level/col", &[3, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
            ("/grid/led/set", &[15, 7, 1]),
            ("/grid/led/level/set", &[14, 7, 99]),
        ]);
        assert_eq!(shown[0], "0001000000000000");
        assert_eq!(shown[1], "f002000fff000000");
        assert_eq!(shown[7], "00080000000000ff");
        let dark = lit(&[("/grid/led/all", &[1]), ("/grid/led/level/all", &[0])]);
        assert!(dark.iter().all(|row| row == "0000000000000000"));
    }

    #[test]
    fn a_map_lights_its_block() {
        let map: Vec<i32> = [8, 0]
            .into_iter()
            .chain((0..64).map(|at| at % 16))
            .collect();
        let shown = lit(&[("/grid/led/level/map", &map)]);
        assert_eq!(shown[0], "0000000001234567");
        assert_eq!(shown[1], "0000000089abcdef");
        let bits = lit(&[("/grid/led/map", &[0, 0, 1, 2, 4, 8, 16, 32, 64, 128])]);
        assert_eq!(bits[2], "00f0000000000000");
    }

    proptest! {
        /// Whatever a program sends, the grid receives whole messages of its own protocol
        /// or nothing.
        #[test]
        fn nonsense_is_not_read_as_a_message(
            name in prop_oneof![
                Just("/grid/led/set"), Just("/grid/led/all"), Just("/grid/led/map"),
                Just("/grid/led/row"), Just("/grid/led/col"), Just("/grid/led/intensity"),
                Just("/grid/led/level/set"), Just("/grid/led/level/all"),
                Just("/grid/led/level/map"), Just("/grid/led/level/row"),
                Just("/grid/led/level/col"), Just("/grid/tilt"), Just("")
            ],
            numbers in collection::vec(prop_oneof![0..20_i32, any::<i32>()], 0..70),
        ) {
            let mut device = MonomeDevice::new(16, 8);
            for byte in to_serial(name, &numbers).unwrap_or_default() {
                device.take(byte);
            }
            prop_assert_eq!(device.unknown(), 0);
            // The next message is still understood.
            device.take(0x13);
            prop_assert!(device.picture().iter().all(|row| row == "ffffffffffffffff"));
        }
    }
}
