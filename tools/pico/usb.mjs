// The USB cable between the chip and a host: rp2040js's own host for serial ports, and
// what it lacks. That host begins when the chip switches its controller on; here the
// cable may be out at that time, or be pulled. It sends an empty packet to an endpoint as
// soon as it accepts bytes; here a packet is sent when there is data, also to an endpoint
// that began to accept bytes before the host knew of it.

import { USBCDC } from 'rp2040js';

const PACKET_BYTES = 64;
/// `SET_CONTROL_LINE_STATE` to the first interface (USB CDC 1.2, section 6.3.12).
const LINE_STATE = [0x21, 0x22];
const OPENED = 0b11;
/// A bus that is idle for 3 ms is suspended, until its host is active again.
const SUSPENDED = 1 << 4;
const SEEN_NS = 1_000_000;

export class UsbCable {
  constructor() {
    this.isIn = false;
    /// True while a program has the port open.
    this.isOpen = false;
    /// Bytes from the chip.
    this.sent = [];
    this.toSend = [];
  }

  /// Connects a chip that has just started.
  connect(mcu) {
    this.usb = mcu.usbCtrl;
    this.isOn = false;
    this.awake = mcu.clock.createAlarm(() => this.suspend(false));
    this.meet();
  }

  /// A host that does not know the device yet.
  meet() {
    const { usb } = this;
    this.isUp = false;
    this.armed = new Map();
    this.cdc = new USBCDC(usb);
    usb.onUSBEnabled = () => {
      this.isOn = true;
      if (this.isIn) usb.resetDevice();
    };
    this.cdc.cdcSetControlLineState = () => {
      this.cdc.initialized = true;
      this.isUp = true;
      if (this.isOpen) this.tellLineState();
    };
    this.cdc.onSerialData = (bytes) => this.sent.push(...bytes);
    usb.onEndpointRead = (endpoint, size) => {
      this.armed.set(endpoint, size);
      this.deliver();
    };
  }

  plug(isIn) {
    if (this.isIn === isIn) return;
    this.isIn = isIn;
    this.sent = [];
    this.toSend = [];
    if (!isIn) {
      this.isUp = false;
      if (this.isOn) this.suspend(true);
    } else if (this.isOn) {
      this.meet();
      this.usb.resetDevice();
    }
  }

  /// A program opens or closes the port.
  open(isOpen) {
    this.isOpen = isOpen;
    if (this.isUp) this.tellLineState();
  }

  tellLineState() {
    const state = this.isOpen ? OPENED : 0;
    this.usb.sendSetupPacket(Uint8Array.from([...LINE_STATE, state, 0, 0, 0, 0, 0]));
  }

  suspend(isSuspended) {
    if (isSuspended) {
      this.usb.sieStatus |= SUSPENDED;
      // rp2040js never lets the chip withdraw this.
      this.awake.schedule(SEEN_NS);
    } else {
      this.usb.sieStatus &= ~SUSPENDED;
    }
    this.usb.sieStatusUpdated();
  }

  feed(bytes) {
    this.toSend.push(...bytes);
    this.deliver();
  }

  deliver() {
    const { outEndpoint } = this.cdc;
    if (!this.isUp || this.toSend.length === 0 || !this.armed.has(outEndpoint)) return;
    const size = Math.min(this.armed.get(outEndpoint), PACKET_BYTES);
    this.armed.delete(outEndpoint);
    this.usb.endpointReadDone(outEndpoint, Uint8Array.from(this.toSend.splice(0, size)));
  }
}
