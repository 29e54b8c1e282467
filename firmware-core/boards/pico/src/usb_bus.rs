//! The USB controller in device mode, as `usb-device` requires it (RP2040 data sheet,
//! section 4.1).
//!
//! Endpoint 0 has its own buffer. Endpoints 1 to 3 have a buffer of 64 bytes in each
//! direction, whose place follows from their number, so only the length of their packets
//! has to be stored.
//!
//! Invariants: a buffer is given to the controller some time after its length and data
//! toggle were written, and is not accessed until the controller returns it.

use core::sync::atomic::{AtomicBool, Ordering};

use cortex_m_board::registers::Register;
use usb_device::bus::{PollResult, UsbBus};
use usb_device::endpoint::{EndpointAddress, EndpointType};
use usb_device::{Result, UsbDirection, UsbError};

use crate::registers::usb::{self, buffer_control, endpoint_control, word};

/// The size of a packet, and of a buffer, in bytes.
pub const PACKET_BYTES: u16 = 64;
/// The number of endpoints in each direction, including number 0.
const ENDPOINTS: usize = 4;

/// Offsets in the memory of the controller: endpoint 0, and the others after it.
const BUFFER_0: u16 = 0x100;
const BUFFERS: u16 = 0x180;

/// Bits of the control word of a buffer.
const FULL: u32 = 1 << 15;
const DATA_1: u32 = 1 << 13;
const STALL: u32 = 1 << 11;
const AVAILABLE: u32 = 1 << 10;
const LENGTH: u32 = 0x3FF;
/// How long the other bits must be set before a buffer is made available, in cycles of
/// the system clock (section 4.1.2.5.1).
const SETTLES_CYCLES: u32 = 12;

/// Bits of the control word of an endpoint.
const ENABLED: u32 = 1 << 31;
const INTERRUPT_PER_BUFFER: u32 = 1 << 29;

const TO_PHY: u32 = 1 << 0;
const SOFT_CONNECT: u32 = 1 << 3;
const VBUS_DETECTED: u32 = 1 << 2;
const VBUS_OVERRIDDEN: u32 = 1 << 3;
const CONTROLLER_ON: u32 = 1 << 0;
const PULL_UP: u32 = 1 << 16;
const INTERRUPT_PER_BUFFER_0: u32 = 1 << 29;

/// Bits of the status: the events that occurred.
const SETUP_RECEIVED: u32 = 1 << 17;
const BUS_RESET: u32 = 1 << 19;
const RESUMED: u32 = 1 << 11;
const SUSPENDED: u32 = 1 << 4;
/// Bits of the interrupt registers.
const ON_BUFFER: u32 = 1 << 4;
const ON_BUS_RESET: u32 = 1 << 12;
const ON_SUSPEND: u32 = 1 << 14;
const ON_RESUME: u32 = 1 << 15;
const ON_SETUP: u32 = 1 << 16;

/// The bits of all buffers to the host, in a register with one bit for each buffer.
const ALL_IN: u32 = 0x5555_5555;

/// The USB controller, as `usb-device` needs it.
pub struct Controller {
    /// For each endpoint, in and out: its kind, and the size of its packets in bytes.
    endpoints: [[Option<(EndpointType, u16)>; 2]; ENDPOINTS],
    /// True if a setup packet is waiting to be read.
    has_setup: AtomicBool,
}

const fn way(direction: UsbDirection) -> usize {
    match direction {
        UsbDirection::In => 0,
        UsbDirection::Out => 1,
    }
}

/// The offset of an endpoint's buffer.
fn buffer(address: EndpointAddress) -> u16 {
    match address.index() as u16 {
        0 => BUFFER_0,
        index => BUFFERS + (2 * (index - 1) + way(address.direction()) as u16) * PACKET_BYTES,
    }
}

/// The bit of an endpoint's buffer.
fn bit(address: EndpointAddress) -> u32 {
    1 << (2 * address.index() + way(address.direction()))
}

fn control(address: EndpointAddress) -> Register {
    buffer_control(address.index() as u16, way(address.direction()) as u16)
}

/// Gives a buffer to the controller.
fn give(address: EndpointAddress, how: u32) {
    control(address).write(how);
    cortex_m::asm::delay(SETTLES_CYCLES);
    control(address).write(how | AVAILABLE);
}

fn put(at: u16, bytes: &[u8]) {
    for (number, four) in (0..).zip(bytes.chunks(4)) {
        let mut whole = [0; 4];
        for (place, byte) in whole.iter_mut().zip(four) {
            *place = *byte;
        }
        word(at + 4 * number).write(u32::from_le_bytes(whole));
    }
}

fn get(at: u16, bytes: &mut [u8]) {
    for (number, four) in (0..).zip(bytes.chunks_mut(4)) {
        let whole = word(at + 4 * number).read().to_le_bytes();
        for (place, byte) in four.iter_mut().zip(whole) {
            *place = byte;
        }
    }
}

impl Controller {
    /// Enables the controller; the host does not notice anything yet.
    pub fn start() -> Controller {
        for at in (0..0x100).step_by(4) {
            word(at).write(0);
        }
        usb::MUXING.write(TO_PHY | SOFT_CONNECT);
        // The power signals are overridden, because the board may be powered over USB or
        // from elsewhere.
        usb::PWR.write(VBUS_DETECTED | VBUS_OVERRIDDEN);
        usb::MAIN_CTRL.write(CONTROLLER_ON);
        Controller {
            endpoints: [[None; 2]; ENDPOINTS],
            has_setup: AtomicBool::new(false),
        }
    }

    fn kind(&self, address: EndpointAddress) -> Option<(EndpointType, u16)> {
        *self
            .endpoints
            .get(address.index())?
            .get(way(address.direction()))?
    }

    fn begin(&self, address: EndpointAddress) {
        let Some((kind, packet_bytes)) = self.kind(address) else {
            return;
        };
        if address.index() > 0 {
            let index = address.index() as u16;
            let how = ENABLED
                | INTERRUPT_PER_BUFFER
                | (u32::from(kind.to_bm_attributes() & 3) << 26)
                | u32::from(buffer(address));
            endpoint_control(index, way(address.direction()) as u16).write(how);
        }
        match (address.direction(), address.index()) {
            // The first packet must have toggle 0, and the toggle is flipped before it is
            // sent.
            (UsbDirection::In, _) => control(address).write(DATA_1),
            (UsbDirection::Out, 0) => give(address, DATA_1),
            (UsbDirection::Out, _) => give(address, u32::from(packet_bytes)),
        }
    }

    fn read_setup(&self, buffer: &mut [u8], packet_bytes: u16) -> Result<usize> {
        let setup = buffer.get_mut(..8).ok_or(UsbError::BufferOverflow)?;
        get(0, setup);
        let (is_in, length) = match *setup {
            [kind, .., low, high] => (kind & 0x80 != 0, u16::from_le_bytes([low, high])),
            _ => (false, 0),
        };
        // The answer has toggle 1.
        let [to_host, from_host] = [UsbDirection::In, UsbDirection::Out]
            .map(|direction| EndpointAddress::from_parts(0, direction));
        control(to_host).clear(DATA_1);
        usb::SIE_STATUS.write(SETUP_RECEIVED);
        // Discards a packet of the previous transfer.
        usb::BUFF_STATUS.write(bit(from_host));
        let how = DATA_1 | u32::from(packet_bytes);
        match is_in || length > 0 {
            true => give(from_host, how),
            false => control(from_host).write(how),
        }
        self.has_setup.store(false, Ordering::Relaxed);
        Ok(8)
    }
}

impl UsbBus for Controller {
    fn alloc_ep(
        &mut self,
        direction: UsbDirection,
        address: Option<EndpointAddress>,
        kind: EndpointType,
        packet_bytes: u16,
        _interval: u8,
    ) -> Result<EndpointAddress> {
        let way = way(direction);
        let index = match (address, kind) {
            (Some(address), _) => Some(address.index()),
            (None, EndpointType::Control) => Some(0),
            (None, _) => (1..ENDPOINTS).find(|index| self.endpoints[*index][way].is_none()),
        };
        let index = index.ok_or(UsbError::EndpointOverflow)?;
        let endpoint = self.endpoints.get_mut(index);
        let endpoint = &mut endpoint.ok_or(UsbError::EndpointOverflow)?[way];
        if endpoint.is_some() {
            return Err(UsbError::InvalidEndpoint);
        }
        if packet_bytes > PACKET_BYTES {
            return Err(UsbError::EndpointMemoryOverflow);
        }
        *endpoint = Some((kind, packet_bytes));
        Ok(EndpointAddress::from_parts(index, direction))
    }

    fn enable(&mut self) {
        usb::INTE.write(ON_BUFFER | ON_BUS_RESET | ON_SUSPEND | ON_RESUME | ON_SETUP);
        usb::SIE_CTRL.write(PULL_UP | INTERRUPT_PER_BUFFER_0);
    }

    fn reset(&self) {
        usb::SIE_STATUS.write(BUS_RESET);
        usb::BUFF_STATUS.write(u32::MAX);
        self.has_setup.store(false, Ordering::Relaxed);
        for index in 0..ENDPOINTS {
            for direction in [UsbDirection::In, UsbDirection::Out] {
                self.begin(EndpointAddress::from_parts(index, direction));
            }
        }
        usb::ADDR_ENDP.write(0);
    }

    fn set_device_address(&self, address: u8) {
        usb::ADDR_ENDP.write(u32::from(address & 0x7F));
    }

    fn write(&self, address: EndpointAddress, bytes: &[u8]) -> Result<usize> {
        let (_, packet_bytes) = self.kind(address).ok_or(UsbError::InvalidEndpoint)?;
        let before = control(address).read();
        if before & AVAILABLE != 0 {
            return Err(UsbError::WouldBlock);
        }
        if bytes.len() > packet_bytes.into() {
            return Err(UsbError::BufferOverflow);
        }
        put(buffer(address), bytes);
        let toggle = !before & DATA_1;
        give(address, FULL | toggle | bytes.len() as u32);
        Ok(bytes.len())
    }

    fn read(&self, address: EndpointAddress, bytes: &mut [u8]) -> Result<usize> {
        let (_, packet_bytes) = self.kind(address).ok_or(UsbError::InvalidEndpoint)?;
        if address.index() == 0 && self.has_setup.load(Ordering::Relaxed) {
            return self.read_setup(bytes, packet_bytes);
        }
        let before = control(address).read();
        if before & FULL == 0 {
            return Err(UsbError::WouldBlock);
        }
        let length = (before & LENGTH) as usize;
        let bytes = bytes.get_mut(..length).ok_or(UsbError::BufferOverflow)?;
        get(buffer(address), bytes);
        usb::BUFF_STATUS.write(bit(address));
        let how = (!before & DATA_1) | u32::from(packet_bytes);
        // A short packet ends a transfer to endpoint 0.
        match address.index() > 0 || length == packet_bytes.into() {
            true => give(address, how),
            false => control(address).write(how),
        }
        Ok(length)
    }

    fn set_stalled(&self, address: EndpointAddress, is_stalled: bool) {
        let arm = match address.index() {
            0 => bit(address),
            _ => 0,
        };
        match is_stalled {
            true => {
                usb::EP_STALL_ARM.set(arm);
                control(address).set(STALL);
            }
            false => {
                usb::EP_STALL_ARM.clear(arm);
                control(address).clear(STALL);
            }
        }
    }

    fn is_stalled(&self, address: EndpointAddress) -> bool {
        control(address).read() & STALL != 0
    }

    fn suspend(&self) {}

    fn resume(&self) {}

    fn poll(&self) -> PollResult {
        let happened = usb::INTS.read();
        if happened & ON_BUS_RESET != 0 {
            return PollResult::Reset;
        }
        let buffers = usb::BUFF_STATUS.read();
        if buffers == 0 && happened & ON_SETUP == 0 {
            if happened & ON_SUSPEND != 0 {
                usb::SIE_STATUS.write(SUSPENDED);
                return PollResult::Suspend;
            }
            if happened & ON_RESUME != 0 {
                usb::SIE_STATUS.write(RESUMED);
                return PollResult::Resume;
            }
            return PollResult::None;
        }
        // A sent packet is reported once; a received one until it is read.
        usb::BUFF_STATUS.write(buffers & ALL_IN);
        let mut result = [0_u16; 2];
        for index in 0..ENDPOINTS {
            for (way, endpoints) in result.iter_mut().enumerate() {
                if buffers & (1 << (2 * index + way)) != 0 {
                    *endpoints |= 1 << index;
                }
            }
        }
        let mut ep_setup = 0;
        if happened & ON_SETUP != 0 {
            // The packet that was to be sent before is obsolete.
            control(EndpointAddress::from_parts(0, UsbDirection::In)).clear(AVAILABLE);
            self.has_setup.store(true, Ordering::Relaxed);
            ep_setup = 1;
        }
        let [ep_in_complete, ep_out] = result;
        PollResult::Data {
            ep_out,
            ep_in_complete,
            ep_setup,
        }
    }

    const QUIRK_SET_ADDRESS_BEFORE_STATUS: bool = false;
}
