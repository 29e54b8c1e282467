//! An image: the loop that every port runs, and its report before it resets.
//!
//! Invariants: a panic or a fault is reported to the host before the chip resets.

use core::fmt::Write;
use core::mem::MaybeUninit;
use core::panic::PanicInfo;

use cortex_m::interrupt;
use cortex_m_rt::ExceptionFrame;
use firmware_core::{AnyWidth, Device, Front, FrontPanel, Identity, SNAPSHOT_BYTES, games};
use protocol::wire::{self, MAX_FRAME_BYTES};
use protocol::{Layout, Settings, Severity, Text, ToHost};

use crate::chip::Chip;
use crate::hosts::{HostInput, Hosts, SecondLine};
use crate::line::FirstLine;
use crate::persistence::Persistence;
use crate::uart::{Uart, send, send_all};
use crate::{boot, clock, line, nvic};

/// A chip has no source of randomness: a host that wants a different game resets the
/// board with its own seed.
const SEED: u64 = 0;

type OwnDevice<B> = Device<B, &'static mut [u8; SNAPSHOT_BYTES]>;

/// The memory of an image, for a `static` in its entry point.
// The device is first, because short offsets take less code.
#[repr(C)]
pub struct Memory<B: 'static> {
    device: MaybeUninit<OwnDevice<B>>,
    buffer: [u8; SNAPSHOT_BYTES],
}

impl<B: AnyWidth> Memory<B> {
    /// The memory as it is before the board starts.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "a static is made of it")]
    pub const fn new() -> Self {
        Memory {
            device: MaybeUninit::uninit(),
            buffer: [0; SNAPSHOT_BYTES],
        }
    }

    /// Switches the board on in place, with the layout of its panel. It does not send
    /// anything yet.
    fn switch_on(
        &'static mut self,
        identity: Identity,
        layout: Option<Layout>,
    ) -> &'static mut OwnDevice<B> {
        let device = self.put(identity);
        // The first game may be made for more points than the board has room for.
        let layout = layout.unwrap_or_else(|| games::layout_for(games::BUILT));
        let layout = if layout.points() <= B::MAX_POINTS {
            layout
        } else {
            Layout::MALDOO
        };
        if device.switch_on(layout, games::BUILT, SEED).is_err() {
            unreachable!("9x9 points fit every board");
        }
        device
    }

    /// Creates a blank device in place.
    // A separate function, so that the copies it makes leave the stack with it.
    #[inline(never)]
    fn put(&'static mut self, identity: Identity) -> &'static mut OwnDevice<B> {
        let device = Device::not_begun(B::blank(), identity, &mut self.buffer);
        self.device.write(device)
    }
}

/// Runs the board; does not return.
pub fn run<C: Chip>(memory: &'static mut Memory<C::Board>) -> ! {
    let boot = boot::count();
    let mut core = cortex_m::Peripherals::take().expect("nobody took them before");
    C::speed_up();
    clock::start(&mut core.SYST, C::SYSTEM_HZ);
    C::LINE.start();
    nvic::enable::<C>();
    let panel = C::panel();

    let identity = Identity {
        board: C::NAME,
        boot,
        sensors: panel.is_some(),
    };
    let layout = panel.as_ref().and_then(FrontPanel::layout);
    let device = memory.switch_on(identity, layout);
    let mut main_loop = MainLoop::<C> {
        persistence: C::store().map(|store| Persistence::begin(store, device)),
        settings: None,
        panel,
        front: Front::new(),
        second: C::second_line(),
        hosts: Hosts::new(C::HOSTS),
        news: C::why_reset(),
        input: HostInput::new(),
        device,
    };
    main_loop.device.begin();
    C::start_watchdog();
    loop {
        C::feed_watchdog();
        main_loop.round();
    }
}

/// What lasts from one round of the main loop to the next.
struct MainLoop<C: Chip> {
    device: &'static mut OwnDevice<C::Board>,
    panel: Option<C::Panel>,
    front: Front,
    second: Option<C::SecondLine>,
    hosts: Hosts,
    persistence: Option<Persistence<C::Store>>,
    /// The settings that were stored last, or found at power-on.
    settings: Option<Settings>,
    /// Why the chip restarted, until a host was told.
    news: Option<Text<96>>,
    /// The bytes that the host sent.
    input: HostInput,
}

impl<C: Chip> MainLoop<C> {
    /// Passes time, fingers and bytes to the device, and its lights and answers on; then
    /// sleeps if there is nothing to do.
    // There is one caller, and no other main loop: a call would only take flash.
    #[inline(always)]
    fn round(&mut self) {
        let passed_ms = clock::elapsed_ms();
        self.device.elapse(passed_ms);
        if let Some(panel) = &mut self.panel {
            self.front.elapse(panel, self.device, passed_ms);
        }
        let sent = self.exchange(passed_ms);
        if let Some(line) = &self.news
            && self.device.log(Severity::Error, line)
        {
            self.news = None;
        }
        if let Some(persistence) = &mut self.persistence {
            persistence.store_changes(self.device);
            persistence.store_changed_settings(self.device, &mut self.settings);
        }
        if self.device.is_to_crash() {
            panic!("the host asked for it");
        }
        let busy = !self.input.fresh.is_empty() || sent > 0 || self.device.sleeps_ms() == Some(0);
        if !busy {
            let has_more_to_send = !self.device.output().is_empty();
            sleep(&C::LINE, self.second.as_ref(), has_more_to_send);
        }
    }

    /// Passes bytes from the lines to the device and back; returns how many were sent.
    #[inline(always)]
    fn exchange(&mut self, passed_ms: u32) -> usize {
        let device = &mut *self.device;
        let mut first = FirstLine::<C>::new();
        if let Some(second) = &mut self.second {
            self.hosts
                .poll(&mut first, second, passed_ms, device, &mut self.input);
        } else if self.input.fresh.is_empty() {
            self.input.fresh = 0..line::receive::<C>(&mut self.input.bytes);
        }
        self.input.fresh.start += device.feed(self.input.pending());
        let sent = match &mut self.second {
            Some(second) => self.hosts.send(&mut first, second, device.output()),
            None => send(&C::LINE, device.output()),
        };
        device.sent(sent);
        sent
    }
}

/// Sleeps until something happens. Interrupts are masked between the check and the sleep,
/// so that none is missed; they wake the core nevertheless.
fn sleep(uart: &impl Uart, second: Option<&impl SecondLine>, has_more_to_send: bool) {
    interrupt::free(|_| {
        if has_more_to_send {
            uart.call_when_there_is_room();
        }
        if let Some(second) = second {
            second.arm_wake_up();
        }
        if !clock::has_elapsed() && !line::has_received() {
            cortex_m::asm::wfi();
        }
    });
}

/// Sends the last words to the host, and restarts the chip.
fn die<C: Chip>(words: Text<96>) -> ! {
    interrupt::disable();
    C::keep_last_words(&words);
    let mut frame = [0; MAX_FRAME_BYTES];
    let last_words = wire::encode(&ToHost::Panic(words), &mut frame);
    send_all(&C::LINE, last_words.unwrap_or_default());
    C::reset()
}

/// The panic handler of an image.
pub fn panicked<C: Chip>(info: &PanicInfo<'_>) -> ! {
    let mut words = Text::new();
    let _ = write!(words, "{}", info.message());
    if let Some(place) = info.location() {
        let _ = write!(words, " ({}:{})", place.file(), place.line());
    }
    die::<C>(words)
}

/// The handler of hard faults of an image.
pub fn faulted<C: Chip>(frame: &ExceptionFrame) -> ! {
    let mut words = Text::new();
    let _ = write!(words, "hard fault at {:#010x}", frame.pc());
    die::<C>(words)
}
