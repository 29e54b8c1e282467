"""A host of a touch board, written from protocol/PROTOCOL.md and schema.json alone.

It shows that these two documents are sufficient: nothing in it is taken from the Rust
sources. `check.py` uses it to read and write the examples in the schema, and to play a
game on a board.
"""

import json
import socket
import time


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def cobs_encode(data):
    out, block = bytearray(), bytearray()
    for byte in data:
        if byte:
            block.append(byte)
            if len(block) == 254:
                out += bytes([255]) + block
                block.clear()
        else:
            out += bytes([len(block) + 1]) + block
            block.clear()
    return bytes(out + bytes([len(block) + 1]) + block)


def cobs_decode(data):
    out, place = bytearray(), 0
    while place < len(data):
        code = data[place]
        if code == 0 or place + code > len(data):
            raise ValueError("no COBS")
        out += data[place + 1 : place + code]
        place += code
        if code < 255 and place < len(data):
            out.append(0)
    return bytes(out)


def frame(payload):
    sealed = payload + crc32c(payload).to_bytes(4, "little")
    return b"\0" + cobs_encode(sealed) + b"\0"


def payload_of(stuffed):
    """The payload of the bytes between two zeros, or None if they are damaged."""
    try:
        sealed = cobs_decode(stuffed)
    except ValueError:
        return None
    payload, seal = sealed[:-4], sealed[-4:]
    return payload if crc32c(payload).to_bytes(4, "little") == seal else None


class Codec:
    """Writes and reads values of the types that the schema describes."""

    def __init__(self, schema):
        self.types = schema["types"]

    def write(self, kind, value):
        if kind == "bool":
            return bytes([int(value)])
        if kind == "u8":
            return bytes([value])
        if kind in ("u16", "u32", "u64"):
            return varint(value)
        if kind == "text":
            data = value.encode()
            return varint(len(data)) + data
        if isinstance(kind, str):
            kind = self.types[kind]
        ((shape, of),) = kind.items()
        if shape == "list":
            return varint(len(value)) + b"".join(self.write(of, one) for one in value)
        if shape == "option":
            return b"\0" if value is None else b"\1" + self.write(of, value)
        if shape == "tuple":
            return b"".join(self.write(part, one) for part, one in zip(of, value))
        if shape == "struct":
            return b"".join(self.write(part, value[name]) for name, part in of)
        if isinstance(value, str):
            name, inner = value, None
        else:
            ((name, inner),) = value.items()
        number = [variant[0] for variant in of].index(name)
        rest = of[number][1:]
        return varint(number) + b"".join(self.write(part, inner) for part in rest)

    def read(self, kind, data):
        """Returns the value, and the bytes after it."""
        if kind == "bool":
            return bool(data[0]), data[1:]
        if kind == "u8":
            return data[0], data[1:]
        if kind in ("u16", "u32", "u64"):
            return read_varint(data)
        if kind == "text":
            length, data = read_varint(data)
            return data[:length].decode(), data[length:]
        if isinstance(kind, str):
            kind = self.types[kind]
        ((shape, of),) = kind.items()
        if shape == "list":
            length, data = read_varint(data)
            values = []
            for _ in range(length):
                value, data = self.read(of, data)
                values.append(value)
            return values, data
        if shape == "option":
            return (None, data[1:]) if data[0] == 0 else self.read(of, data[1:])
        if shape == "tuple":
            values = []
            for part in of:
                value, data = self.read(part, data)
                values.append(value)
            return values, data
        if shape == "struct":
            values = {}
            for name, part in of:
                values[name], data = self.read(part, data)
            return values, data
        number, data = read_varint(data)
        name, *rest = of[number]
        if not rest:
            return name, data
        value, data = self.read(rest[0], data)
        return {name: value}, data


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def read_varint(data):
    value = shift = 0
    for place, byte in enumerate(data):
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, data[place + 1 :]
    raise ValueError("a number that does not end")


class Board:
    """A connection to a board over a socket."""

    def __init__(self, address, schema):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host.strip("[]"), int(port)), timeout=5)
        self.codec = Codec(schema)
        self.waiting = b""
        self.number = 0
        self.seen = 0
        self.events = []
        self.send({"Hello": {"version": schema["protocol_version"],
                             "schema": int(schema["schema_hash"], 16),
                             "host": 0x5EED}})
        self.hello = self.hear("Hello")

    def send(self, message):
        self.socket.sendall(frame(self.codec.write("ToDevice", message)))

    def messages(self):
        """Yields the received messages; skips damaged ones."""
        while True:
            while b"\0" in self.waiting:
                stuffed, self.waiting = self.waiting.split(b"\0", 1)
                payload = payload_of(stuffed) if stuffed else None
                if payload is not None:
                    message, rest = self.codec.read("ToHost", payload)
                    if not rest:
                        yield message
            data = self.socket.recv(4096)
            if not data:
                raise ConnectionError("the board is gone")
            self.waiting += data

    def hear(self, kind):
        """Returns the next message of this kind; stores the events that arrive before it."""
        for message in self.messages():
            ((name, value),) = message.items()
            if name == "Event" and value["number"] == self.seen:
                self.events.append(value)
                self.seen += 1
            if name == kind:
                return value

    def ask(self, command):
        """Sends a command, repeating it until answered; it is carried out once."""
        self.number += 1
        request = {"number": self.number, "seen": self.seen, "command": command}
        give_up = time.monotonic() + 10
        while time.monotonic() < give_up:
            self.send({"Request": request})
            try:
                while True:
                    reply = self.hear("Reply")
                    if reply["number"] == self.number:
                        return reply["result"]
            except socket.timeout:
                continue
        raise TimeoutError(f"no answer to {command}")

    def done(self, command):
        result = self.ask(command)
        if "Ok" not in result:
            raise ValueError(f"{command} is refused: {result}")
        return result["Ok"]

    def reset(self, seed, layout):
        self.done({"Do": {"Reset": {"seed": seed, "layout": layout}}})
        self.seen, self.events = 0, []

    def step(self, inputs, ticks):
        """Gives the inputs, then advances by `ticks`, in as many requests as needed."""
        digest = None
        while inputs or ticks:
            stepped = self.done({"Step": {"inputs": inputs[:8], "ticks": 0 if inputs[8:] else ticks,
                                          "digest": True}})["Stepped"]
            inputs = inputs[stepped["inputs"] :]
            ticks -= stepped["ticks"]
            digest = stepped["digest"]
        return digest


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)
