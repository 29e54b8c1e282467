"""check.py SCHEMA ADDRESS: the examples of the schema, then a game on a board.

Prints a line for each step of the game: its ticks, and the digest of the board.
"""

import sys

import touchboard
from touchboard import Board, Codec, crc32c, frame, payload_of


def examples(schema):
    assert crc32c(b"123456789") == 0xE3069283
    codec = Codec(schema)
    for example in schema["examples"]:
        name, kind = example["name"], example["type"]
        payload = bytes.fromhex(example["payload"])
        assert codec.write(kind, example["value"]) == payload, name
        assert codec.read(kind, payload) == (example["value"], b""), name
        assert frame(payload).hex() == example["frame"], name
        assert payload_of(bytes.fromhex(example["frame"]).strip(b"\0")) == payload, name


def game(board):
    """Reversi: green by the first legal point, red by the board at level 1."""
    board.done({"Pace": "Lockstep"})
    board.reset(7, board.hello["layout"])
    settings = {"game": 0, "time": 5, "speed": 5, "level": 1, "mode": 0}
    board.done({"Do": {"Settings": settings}})
    print("step", 10, board.step([{"Press": "Start"}, {"Lift": "Start"}], 10))
    for _ in range(12):
        status = board.done("Status")["Status"]
        if status["turn"] == "Green":
            bits = board.done("Legal")["Legal"]
            legal = [point for point in range(8 * len(bits)) if bits[point // 8] >> point % 8 & 1]
            inputs = [{"Touch": legal[0]}, {"Release": legal[0]}]
            print("touch", legal[0])
        else:
            inputs = []
        print("step", 1500, board.step(inputs, 1500))
    moves = [event for event in board.events if "Move" in event["event"]]
    print("moves", len(moves))


def main():
    schema = touchboard.load(sys.argv[1])
    examples(schema)
    game(Board(sys.argv[2], schema))


main()
