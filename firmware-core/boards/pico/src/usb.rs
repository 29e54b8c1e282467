//! The line over USB: a serial port (CDC ACM), for which every operating system has a
//! driver.
//!
//! Invariants: only the main loop of the image services the port; its interrupt only
//! wakes the core.

use cortex_m::singleton;
use cortex_m_board::hosts::{HostLine, SecondLine};
use cortex_m_board::nvic;
use usb_device::LangID;
use usb_device::bus::UsbBusAllocator;
use usb_device::device::{
    StringDescriptors, UsbDevice, UsbDeviceBuilder, UsbDeviceState, UsbVidPid,
};
use usbd_serial::{SerialPort, USB_CLASS_CDC};

use crate::usb_bus::{Controller, PACKET_BYTES};

/// USBCTRL's interrupt (RP2040 data sheet, section 2.3.2).
pub const INTERRUPT: u16 = 5;

/// Raspberry Pi's numbers for a serial port of an RP2040
/// (<https://github.com/raspberrypi/usb-pid>).
const NUMBERS: UsbVidPid = UsbVidPid(0x2E8A, 0x000A);

/// The maximum number of polls in one round; a transfer to endpoint 0 takes three.
const MOST_POLLS: usize = 4;

/// The USB port as a line to the host.
pub struct Usb {
    device: UsbDevice<'static, Controller>,
    port: SerialPort<'static, Controller>,
    /// True while a host has the port open.
    is_open: bool,
    has_hung_up: bool,
}

impl Usb {
    /// Takes over the controller. To be called once.
    pub fn start() -> Option<Usb> {
        let bus = UsbBusAllocator::new(Controller::start());
        let bus = singleton!(: UsbBusAllocator<Controller> = bus)?;
        let port = SerialPort::new(bus);
        let words = StringDescriptors::new(LangID::EN_US)
            .manufacturer("touchboard")
            .product("touchboard");
        let device = UsbDeviceBuilder::new(bus, NUMBERS)
            .device_class(USB_CLASS_CDC)
            .strings(&[words])
            .ok()?
            .max_packet_size_0(PACKET_BYTES as u8)
            .ok()?
            .max_power(crate::leds::LIMIT_MA as usize)
            .ok()?;
        Some(Usb {
            device: device.build(),
            port,
            is_open: false,
            has_hung_up: false,
        })
    }
}

impl HostLine for Usb {
    fn receive(&mut self, buffer: &mut [u8]) -> usize {
        self.port.read(buffer).unwrap_or(0)
    }

    fn send(&mut self, bytes: &[u8]) -> usize {
        if bytes.is_empty() {
            return 0;
        }
        self.port.write(bytes).unwrap_or(0)
    }
}

impl SecondLine for Usb {
    fn poll(&mut self) {
        // Poll as long as something happens, but not for ever: a packet for which there
        // is no room is reported again and again.
        for _ in 0..MOST_POLLS {
            if !self.device.poll(&mut [&mut self.port]) {
                break;
            }
        }
        let is_there = self.device.state() == UsbDeviceState::Configured;
        let is_open = is_there && self.port.dtr();
        self.has_hung_up |= self.is_open && !is_open;
        self.is_open = is_open;
    }

    fn has_hung_up(&mut self) -> bool {
        core::mem::take(&mut self.has_hung_up)
    }

    fn arm_wake_up(&self) {
        nvic::unmask(INTERRUPT);
    }
}
