//! Received and sent bytes, on a chip that consists of two queues.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use super::{Inbox, QUEUE_BYTES, Uart, send, send_all};

/// A chip: the received bytes, the sent bytes, and the room for more.
#[derive(Default)]
struct Chip {
    came: RefCell<VecDeque<u8>>,
    sent: RefCell<Vec<u8>>,
    room: Cell<usize>,
    /// True if one byte is sent, which makes room, each time the UART is polled.
    drains: bool,
}

impl Uart for Chip {
    fn start(&self) {}
    fn has_byte(&self) -> bool {
        !self.came.borrow().is_empty()
    }
    fn take(&self) -> u8 {
        self.came.borrow_mut().pop_front().expect("a byte waits")
    }
    fn has_room(&self) -> bool {
        let room = self.room.get();
        self.room.set(room + usize::from(self.drains && room == 0));
        room > 0
    }
    fn put(&self, byte: u8) {
        self.room
            .set(self.room.get().checked_sub(1).expect("there is room"));
        self.sent.borrow_mut().push(byte);
    }
    fn is_sending(&self) -> bool {
        false
    }
    fn acknowledge(&self) {}
    fn call_when_there_is_room(&self) {}
}

/// More bytes than fit, each different from those near it.
fn too_many() -> Vec<u8> {
    (0..QUEUE_BYTES + 100).map(|n| (n % 251) as u8).collect()
}

#[test]
fn bytes_wait_in_the_chip_until_the_inbox_has_room() {
    let bytes = too_many();
    let chip = Chip {
        came: RefCell::new(bytes.iter().copied().collect()),
        ..Chip::default()
    };
    let mut inbox = Inbox::new();
    assert!(!inbox.take_all(&chip));
    assert_eq!(chip.came.borrow().len(), 100);

    let mut heard = Vec::new();
    let mut buffer = [0; 64];
    loop {
        let count = inbox.hand_out(&mut buffer);
        if count == 0 {
            break;
        }
        heard.extend_from_slice(&buffer[..count]);
        let all = inbox.take_all(&chip);
        assert_eq!(all, chip.came.borrow().is_empty());
    }
    assert_eq!(heard, bytes);
    assert!(inbox.is_empty());
}

#[test]
fn a_full_inbox_takes_no_more_bytes() {
    let chip = Chip {
        came: RefCell::new(too_many().into()),
        ..Chip::default()
    };
    let mut inbox = Inbox::new();
    assert!(!inbox.take_all(&chip));
    assert_eq!(inbox.hand_out(&mut []), 0);
    assert!(!inbox.take_all(&chip));
    assert_eq!(chip.came.borrow().len(), 100);
}

#[test]
fn an_inbox_that_is_exactly_full_took_all() {
    let chip = Chip {
        came: RefCell::new(too_many()[..QUEUE_BYTES].iter().copied().collect()),
        ..Chip::default()
    };
    let mut inbox = Inbox::new();
    assert!(inbox.take_all(&chip));
    assert!(!inbox.is_empty());
}

#[test]
fn one_send_does_not_exceed_the_room_of_the_chip() {
    let chip = Chip::default();
    chip.room.set(16);
    let bytes = too_many();
    assert_eq!(send(&chip, &bytes), 16);
    assert_eq!(*chip.sent.borrow(), bytes[..16]);
    assert_eq!(send(&chip, &bytes[16..]), 0);
}

#[test]
fn a_chip_without_fifo_sends_all_bytes() {
    let chip = Chip {
        drains: true,
        ..Chip::default()
    };
    let bytes = too_many();
    send_all(&chip, &bytes);
    assert_eq!(*chip.sent.borrow(), bytes);
}
