//! The prose of the protocol's page: frames, values, the conversation, layouts and lights.

use firmware_core::cartridge::bytes::VERSION as CARTRIDGE_VERSION;
use firmware_core::device::{EVENTS, EVENTS_AT_ONCE};
use firmware_core::games::LAYOUTS_OWN;
use protocol::wire::{MAX_FRAME_BYTES, TO_DEVICE_BYTES, TO_HOST_BYTES};
use protocol::{CHUNK_BYTES, GAME_BYTES, MAX_WAYS, PROTOCOL_VERSION, SCHEMA_HASH};
use touchboard_links::at::BAUD;

/// Everything before the lists of colours, rhythms and types, as Markdown.
pub fn text() -> String {
    let parts = [
        introduction(),
        frames(),
        VALUES.to_owned(),
        CONVERSATION.to_owned(),
        events_and_states(),
        drawn_layouts(),
        LIGHT.to_owned(),
    ];
    parts.concat()
}

fn introduction() -> String {
    format!(
        "# The protocol of a touch board

A host and a board talk over any line that carries bytes in both directions: a serial port at {BAUD} baud (8N1, no flow control), a pseudo-terminal, or a TCP socket. `hil-bridge protocol` generates this page and the `schema.json` next to it from the types, and a test checks both. They describe version {PROTOCOL_VERSION} with the schema hash `{SCHEMA_HASH:016x}`.

"
    )
}

fn frames() -> String {
    format!(
        "## Frames

A message is sent as a frame. It is encoded (see Values) and followed by its CRC-32C, low byte first; COBS then removes the zeros from both. There is a zero byte before and after each frame:

```text
00  COBS( payload  crc, 4 bytes )  00
```

The CRC uses the Castagnoli polynomial, reflected, with all ones as initial value and final exclusive-or; that of `123456789` is `e3069283`.

One zero between two frames is enough, and more are allowed. A frame with a wrong COBS code, CRC or payload is dropped silently, so the sender must repeat its request.

A frame to a board has at most {TO_DEVICE_BYTES} bytes, a frame to a host at most {TO_HOST_BYTES}; a buffer of {MAX_FRAME_BYTES} bytes is enough for both. If more bytes arrive without a zero, everything up to the next zero is dropped.

"
    )
}

const VALUES: &str = "## Values

Values are encoded as in postcard:

| type | encoding |
| --- | --- |
| `bool` | one byte, 0 or 1 |
| `u8` | one byte |
| `u16`, `u32`, `u64` | a varint: seven bits per byte, the low bits first; the high bit is set in every byte but the last |
| `text` | its length in bytes as a varint, then its UTF-8 |
| list | its length as a varint, then its elements |
| option | 0 if there is no value; otherwise 1, then the value |
| struct, tuple | its fields, one after the other |
| enum | the number of the variant as a varint, then its contents |

Each value has exactly one encoding. A varint that is longer than necessary, or a byte after the last field, makes the whole message invalid.

Points are numbered row by row from the top, from 0. On a grid, point `p` is in column `p % columns` and row `p / columns`. A tick is one millisecond of board time.

";

const CONVERSATION: &str = "## Conversation

1. **Greeting.** The host sends `Hello` with the version, the schema hash, and a random number that it chose at start-up. The board always answers with its own `Hello`. If version or hash differ, the two do not understand each other, and the board refuses every request (`NotGreeted`). A board also sends `Hello` once when it is switched on.
2. **Requests.** The host sends one `Request` at a time, with consecutive numbers, starting anywhere. The board answers with a `Reply` of the same number. If no reply arrives, the host sends the same request again with the same number; the board carries it out only once. A number that is in the past is refused (`Stale`, with the next expected number). A board that is greeted by another host, with another random number, forgets the requests of the one before and accepts any number. A host whose line was lost therefore asks first whether the board still remembers it, with a `Ping` whose number is long past: if the answer is not `Stale`, an unanswered request must not be repeated, and events may have been lost.
3. **Events and frames.** Before a reply, the board sends every event that happened before it, and the current frame if it has changed. Events are numbered from 0 at each reset. `seen` in a request is the number of the next event that the host has not received; `Resend` asks for the missing ones again. Frames and deltas are numbered, too. A delta applies only to the frame or delta with the previous number; `Frame` asks for a whole frame.
4. **Time.** A board starts on its own timer, at true speed, and keeps this setting across a reset. `Pace` changes it. In lockstep, ticks pass only by `Step`, and the board's own sensors are ignored. A step may end early: the host then requests the rest. On a board with simulated sensors that runs on its own timer, `Fingers` puts fingers on the sensors. They are debounced like real fingers, and `Taken` reports when they count. Other boards refuse it (`FeelsNoFingers`), and so does a board in lockstep (`InLockstep`).
5. **Silence.** If the line is silent, the host sends `Ping` once a second, so that each end knows that the other is alive. A board on a socket serves one host; another one is sent `Busy`.
6. **Restarts.** A board whose firmware panics sends the message (`Panic`), restarts, and sends `Hello` with a different `boot` number. Its previous state is lost.
7. **Best scores.** A board that keeps best scores reports those of the chosen game and mode in its `Status` (`best`), and a new one in an event (`Best`). They survive a reset, and a loss of power if the board has flash; `ClearBest` deletes them. A game that was set up, or changed by `Load`, does not count. A host that tests a board first sends `CountBest` with false, so that nothing counts.
8. **What a score is.** Its two numbers are the points of green and red, with these exceptions: in Malaka, the remaining distance of each; in mode 0 of Life, the generations of each; in Symmetry, the right and the wrong touches; in modes 0 and 1 of Ishido, the points and the four-ways of the player.
9. **The kept layout.** A board that keeps best scores also keeps its layout if that has a game of its own and was chosen by a `Reset`. It starts with this layout after a loss of power, and reports it in its `Hello`. A `Reset` to a layout without a game removes it. After `CountBest` with false, no layout is kept.
10. **Clocks.** A `Clock` with `waits` has not started: no effective touch and no pass has been made in this game.
11. **Faults.** A board whose contacts are simulated can have faults. They are a text like `seed 7, stuck d4, bounce-ms 3`, or `none`, of at most 1024 bytes. `Faults` asks for the text, and `Read` with an offset reads on. To replace all faults, send the text with `Write`, then `Break` with its length. They act at once on the board's own timer, and stay over a restart. A text that cannot be read is refused and changes nothing (`Faults`), and so is one with a point that the board lacks, a fault of the line or a dead lamp: a host simulates these itself. A board with real contacts refuses both requests (`NotSimulated`).

";

fn events_and_states() -> String {
    format!(
        "A board stores the last {EVENTS} events that the host has not acknowledged. In lockstep it accepts no command that may cause more events than it has room for ({EVENTS_AT_ONCE} at a time): a step ends early and reports how far it came, and other commands are refused (`Unseen`). On its own timer it continues and drops the oldest events, which leaves a gap in their numbers. Unacknowledged events are sent again after twice the time that the last acknowledgement took, but not before 250 ms, then at growing intervals of up to 4 s. Before its answer to a repeated request, a board sends them again as well, unless some of them have not left it yet: then the request was repeated before its answer could arrive.

The points of `Legal` are a bit set: bit `n % 8` of byte `n / 8`, counted from the lowest, is point `n`. Zero bytes at the end are left out. The set contains the points at which a touch has an effect now: a move, a part of one, or a service that is not a move (in Ishido, the stone that gives help or that can be taken back).

A state is read and written in chunks of at most {CHUNK_BYTES} bytes. `Read` with offset 0 takes a snapshot, and later chunks belong to it. To load a state, send all of it with `Write`, then `Load` with its length. A state that is damaged, or belongs to other firmware, is refused and changes nothing.

"
    )
}

fn drawn_layouts() -> String {
    format!(
        "## Drawn layouts

A layout is a rectangle (`Grid`) or has a drawing (`Drawn`): the number of its points, and the number of its drawing. The points of a drawing are numbered row by row from the top, each row from the left, and each has at most {MAX_WAYS} ways to neighbours. A drawing consists of these bytes, one number each:

```text
points - 1, ways, straight ways (two bytes, the low one first)
x, y                for each point, in its order, from 0 to 254
point of each way   for each point; the point itself where there is none
```

A layout may contain its game. Then 128 is added to the number of ways, and the length of the game (two bytes, the low one first; 1 to {GAME_BYTES}) and the game follow:

```text
site of each point     for each point, in its order, a byte
points of each site    for each site, a byte; if pieces are stacked and the board is seen
                       from its side, one for each level, the lowest first
cartridge              to the end
```

A cartridge contains the rules of a game as a program. `ludemes compile` makes one, and `firmware-core/src/cartridge` documents its bytes. The program works on sites, which the two tables relate to points. The tables are inverse to each other: each point occurs exactly once in the second, in the row of the site that the first assigns to it. Sites without a point, those of hands, have the highest numbers and are in neither table.

A cartridge begins with `LUDE` and its version, {CARTRIDGE_VERSION}. It ends with a checksum: the FNV-1a of all bytes before it, four bytes, the low one first. A board verifies the game before it switches to the layout, and refuses a game that it cannot play (`LayoutGame`). On the board it is game {LAYOUTS_OWN:X}.

The number of a drawing is the CRC-32C of all its bytes, including those of the game. A `Reset` to a drawn layout other than the board's own uses the drawing at the beginning of the buffer: send it with `Write` first, or the reset is refused (`NotDrawn`). `Drawing` reads the board's drawing in chunks, as `Read` does with a state; its number takes the place of the digest.

"
    )
}

const LIGHT: &str = "## Light

`points` of a frame has the colour of each point, two points per byte: the even point is in the low four bits. Zero bytes at the end are left out, so a dark board is the single byte 00. `rhythms` has the rhythm of each point in the same form. A `Light` of a delta has the colour in its low and the rhythm in its high four bits.

Lights blink without further messages: the phase at a tick is `(tick - beat) mod 1000`, where `beat` is a tick in the frame.

| rhythm | lit, in ms of the phase |
| --- | --- |
| slow | the first 500 of 1000 |
| medium | the first 250 of every 500 |
| fast | the first 125 of every 250 |
| double | 0 to 100 and 200 to 300 |
| pulse | 0 to 100 |
| wink | 250 to 1000 |
| marked | in amber in the first 125 of every 250, otherwise in its own colour |
";
