"""Runs the Pico's image on a second, independent emulator: rp2040py.

Presses Start through the matrix of contacts, and prints what the chain of lights shows at
the end. Usage:

    python3 second_judge.py IMAGE PINS MICROSECONDS

The pins are given as for `board.mjs`: lines-data, lines-clock, lines-latch, lights,
first-row, rows. The time begins when the image has started. Start is pressed after a
quarter of the time, and released after half of it. The output is one line: red, green and
blue of each light of the last chain, in hex.

Invariants: only the length of each high pulse is decoded, since this emulator changes a
pin only at the end of an instruction, or of a slice of sleep.
"""

import struct
import sys

from rp2040py.gpio_pin import GPIOPinState
from rp2040py.rp2040 import RP2040
from rp2040py.simulator import Simulator

FLASH = 0x1000_0000
VECTORS = 0x1000_0100
# The addresses of two ROM functions: the one that looks up others, and one that does
# nothing.
LOOKUP = 0x100
NOTHING = 0x110
NS_PER_US = 1_000
# Half way between the pulses of a zero and a one, and the pause after which the lights take
# over what they received.
ONE_NS = 560
PAUSE_NS = 50_000
BITS = 24
# While the processor sleeps, a state machine makes one step each time the clock advances,
# so the clock advances in slices that are shorter than a step.
PIECE_NS = 100
# Here the first SysTick period is 2^24 cycles, whatever the reload value.
FIRST_US = 140_000
# The line of the buttons, and the row of Start on it.
BUTTONS, START = 0, 5


def load(chip, path):
    """Writes the image to a blank flash, and sets the core to its entry point."""
    chip.flash[:] = b"\xff" * len(chip.flash)
    with open(path, "rb") as file:
        image = file.read()
    (table,) = struct.unpack_from("<I", image, 28)
    size, count = struct.unpack_from("<HH", image, 42)
    for number in range(count):
        kind, offset, _, address, length = struct.unpack_from(
            "<5I", image, table + number * size
        )
        if kind == 1 and length:
            start = address - FLASH
            chip.flash[start : start + length] = image[offset : offset + length]
    core = chip.core
    core.vtor = VECTORS
    core.sp = chip.read_uint32(VECTORS)
    core.pc = chip.read_uint32(VECTORS + 4) & ~1


def put_rom(chip):
    """Installs a boot ROM whose functions do nothing, so that the flash does not change.
    The look-up function returns the same address for each: it is `ldr r0, [pc]`, `bx lr`,
    and the address of a `bx lr`."""
    chip.bootrom[0x10 // 4] = 0x01754D
    chip.bootrom[0x14 // 4] = NOTHING | NOTHING << 16
    chip.bootrom[0x18 // 4] = LOOKUP | 1
    chip.bootrom[LOOKUP // 4] = 0x4770_4800
    chip.bootrom[LOOKUP // 4 + 1] = NOTHING | 1
    chip.bootrom[NOTHING // 4] = 0x4770_4770


class Matrix:
    """Shift registers whose outputs are the lines, and the contact of Start."""

    def __init__(self, chip, data, clock, latch, first_row, rows):
        self.pins = chip.gpio
        self.data, self.first_row, self.rows = data, first_row, rows
        self.shifted = self.lines = ~0
        self.is_pressed = False
        self.rises(clock, self.shift)
        self.rises(latch, self.put_out)
        self.settle()

    def rises(self, number, what):
        pin = self.pins[number]
        was = [False]

        def changed(*_):
            is_high = pin.value == GPIOPinState.HIGH
            if is_high and not was[0]:
                what()
            was[0] = is_high

        pin.add_listener(changed)

    def shift(self):
        is_high = self.pins[self.data].value == GPIOPinState.HIGH
        self.shifted = (self.shifted << 1) | is_high

    def put_out(self):
        self.lines = self.shifted
        self.settle()

    def settle(self):
        is_low = self.is_pressed and not (self.lines >> BUTTONS) & 1
        for row in range(self.rows):
            self.pins[self.first_row + row].set_input_value(
                not (row == START and is_low)
            )

    def press(self, is_pressed):
        self.is_pressed = is_pressed
        self.settle()


class Lights:
    """Decodes a chain of WS2812 lights."""

    def __init__(self, pin, clock):
        self.bits, self.shown = [], []
        self.rose = self.fell = 0

        def changed(*_):
            now = clock.nanos
            if pin.value == GPIOPinState.HIGH:
                self.latch(now)
                self.rose = now
            elif self.rose is not None:
                self.bits.append(now - self.rose > ONE_NS)
                self.rose, self.fell = None, now

        self.rose = None
        pin.add_listener(changed)

    def latch(self, now):
        if self.bits and now - self.fell > PAUSE_NS:
            self.shown, self.bits = self.bits, []

    def colours(self, now):
        self.latch(now)
        for at in range(0, len(self.shown) - BITS + 1, BITS):
            word = sum(bit << (23 - place) for place, bit in enumerate(self.shown[at : at + BITS]))
            green, red, blue = word.to_bytes(3, "big")
            yield bytes((red, green, blue))


def run_for(simulator, chip, us):
    """Runs the chip for `us` microseconds."""

    def stop():
        simulator.stopped = True

    chip.clock.create_alarm(stop).schedule(us * NS_PER_US)
    simulator.stopped = False
    while not simulator.stopped:
        simulator._execute_batch()


def sleep_in_pieces(clock, core):
    """Limits each advance of the clock to one slice, and ends a sleep at a pending SysTick:
    this emulator itself only wakes for interrupts of peripherals."""

    def piece():
        if core.waiting and core.pending_systick:
            core.waiting = False
        alarm.schedule(PIECE_NS)

    alarm = clock.create_alarm(piece)
    alarm.schedule(PIECE_NS)


def main():
    image, pins, us = sys.argv[1:]
    data, clock, latch, lights, first_row, rows = map(int, pins.split(",")[:6])
    chip = RP2040()
    simulator = Simulator(rp2040=chip)
    put_rom(chip)
    load(chip, image)
    matrix = Matrix(chip, data, clock, latch, first_row, rows)
    chain = Lights(chip.gpio[lights], chip.clock)
    sleep_in_pieces(chip.clock, chip.core)
    run_for(simulator, chip, FIRST_US)
    quarter_us = int(us) // 4
    run_for(simulator, chip, quarter_us)
    matrix.press(True)
    run_for(simulator, chip, quarter_us)
    matrix.press(False)
    run_for(simulator, chip, 2 * quarter_us)
    print(b"".join(chain.colours(chip.clock.nanos)).hex())


if __name__ == "__main__":
    main()
