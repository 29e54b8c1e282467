// The I2C bus of the chip, and the devices on it, by address. Each device has
// `begin(isRead)`, which returns false if it does not acknowledge, and `take(byte)`. Some
// also have `holds()`, which returns for how many nanoseconds they stretch the clock
// first, `give()`, which returns the next byte, and `end()`, which is called at a stop
// condition.
//
// Invariants: a byte takes as long as it does at the speed of the bus.

import { I2CMode } from 'rp2040js';

const NS_PER_S = 1e9;
/// Eight bits, and the acknowledge bit.
const BITS_PER_BYTE = 9;

export class Bus {
  constructor(devices) {
    this.devices = new Map(devices);
  }

  /// Connects a controller that has just started.
  connect(i2c, clock, systemHz) {
    const bits = (count, then, held = 0) => {
      const period = (i2c.sclHighPeriod + i2c.sclLowPeriod) * (NS_PER_S / systemHz());
      clock.createAlarm(then).schedule(held + count * period);
    };
    let spokenTo;
    const end = () => {
      spokenTo?.end?.();
      spokenTo = undefined;
    };
    i2c.onStart = () => bits(1, () => {
      end();
      i2c.completeStart();
    });
    i2c.onStop = () => bits(1, () => {
      end();
      i2c.completeStop();
    });
    i2c.onConnect = (address, mode) => {
      const device = this.devices.get(address);
      bits(BITS_PER_BYTE, () => {
        const isHeard = device !== undefined && device.begin(mode === I2CMode.Read) !== false;
        spokenTo = isHeard ? device : undefined;
        i2c.completeConnect(isHeard);
      }, device?.holds?.());
    };
    i2c.onWriteByte = (byte) => bits(BITS_PER_BYTE, () => {
      spokenTo.take(byte);
      i2c.completeWrite(true);
    });
    i2c.onReadByte = () => bits(BITS_PER_BYTE, () => i2c.completeRead(spokenTo.give()));
  }
}
