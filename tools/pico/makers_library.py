"""Drives the simulated tile of `tile.mjs` with the library that the tile's maker
publishes. So the tile is tested independently of the image that uses it.

Usage:

    python3 makers_library.py NODE_PROGRAM

NODE_PROGRAM is `tile_bus.mjs`; the packages of `requirements.txt` must be on the path.
Lights each key in a different colour and compares what the tile shows; presses keys and
compares what the library reports. The output is one line: the number of correct lights
and of correct events.

Invariants: time is the tile's; a sleep of the library advances it.
"""

import subprocess
import sys
import time
import types

NS_PER_S = 1_000_000_000
KEYS = 16
# How long a key is held: longer than the tile needs to notice.
LONG_S = 0.05


class Bus:
    """An I2C bus with the interface that the library expects."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            ["node", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        answer = self.process.stdout.readline().strip()
        if not answer:
            sys.exit(f"the tile ended at {command}")
        return answer

    def sleep(self, seconds):
        self.ask(f"pass {int(seconds * NS_PER_S)}")

    def try_lock(self):
        return True

    def unlock(self):
        pass

    def writeto(self, address, buffer, *, start=0, end=None):
        # A write of no bytes probes the address.
        if buffer[start:end] and self.ask(f"write {bytes(buffer[start:end]).hex()}") != "heard":
            raise OSError(f"nobody hears at {address:#x}")

    def readfrom_into(self, address, buffer, *, start=0, end=None):
        end = len(buffer) if end is None else end
        answer = self.ask(f"read {end - start}")
        if answer == "refused":
            raise OSError(f"nobody answers at {address:#x}")
        buffer[start:end] = bytes.fromhex(answer)


def stand_in(name, **parts):
    """Replaces a module of MicroPython or CircuitPython, for which the library is written."""
    module = types.ModuleType(name)
    for part, value in parts.items():
        setattr(module, part, value)
    sys.modules[name] = module


def main():
    bus = Bus(sys.argv[1])
    time.sleep = bus.sleep
    stand_in("micropython", const=lambda value: value)
    stand_in("busio", I2C=Bus)
    stand_in("circuitpython_typing", ReadableBuffer=bytes, WriteableBuffer=bytearray)
    from adafruit_neotrellis.neotrellis import NeoTrellis

    trellis = NeoTrellis(bus, auto_write=False)
    colours = [(17 * key, 255 - 16 * key, 3 * key + 1) for key in range(KEYS)]
    for key, colour in enumerate(colours):
        trellis.pixels[key] = colour
    trellis.show()
    shown = bytes.fromhex(bus.ask("shown"))
    lights = [tuple(shown[3 * key : 3 * key + 3]) for key in range(KEYS)]
    if lights != colours:
        sys.exit(f"it shows {lights}, and was told {colours}")

    told = []
    for key in range(KEYS):
        trellis.activate_key(key, NeoTrellis.EDGE_RISING)
        trellis.activate_key(key, NeoTrellis.EDGE_FALLING)
        trellis.callbacks[key] = lambda event: told.append((event.number, event.edge))
    expected = []
    for key in [0, 3, 5, 12, 15, 10]:
        for is_down, edge in [(1, NeoTrellis.EDGE_RISING), (0, NeoTrellis.EDGE_FALLING)]:
            bus.ask(f"set {key} {is_down}")
            bus.sleep(LONG_S)
            expected.append((key, edge))
        # Sometimes both events are read at once.
        if key % 2:
            trellis.sync()
    trellis.sync()
    if told != expected:
        sys.exit(f"it told {told}, and fingers did {expected}")
    print(f"{len(lights)} lights, {len(told)} events")


if __name__ == "__main__":
    main()
