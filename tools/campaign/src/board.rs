//! The board's end: the device, its clock, and its power.

use std::cell::RefCell;
use std::rc::Rc;

use firmware_core::faults::{BoardFaults, Drift};
use firmware_core::{AnyBoard, Device, Identity, SNAPSHOT_BYTES, games};
use protocol::wire::{self, Receiver};
use protocol::{Deed, Input, KnownLayout, Point, Refusal, ToDevice};

use crate::line::{Line, LineDirection};
use crate::plan::{RunPlan, Touching};
use crate::spy::{By, Spied, SpyLog};

/// The most bytes that a UART takes before it has sent them.
const UART_BYTES: usize = 32;

/// A board at the end of a simulated line.
pub struct SimBoard {
    device: Device<Spied, Box<[u8]>>,
    /// What the board really did since the beginning of the run.
    pub log: Rc<RefCell<SpyLog>>,
    layout: KnownLayout,
    plan: (u64, protocol::Settings),
    boot: u32,
    clock: BoardFaults,
    drift: Drift,
    told_ms: u64,
    /// Receives the same bytes as the device, to see which messages it takes.
    witness: Receiver,
}

fn device(
    layout: &KnownLayout,
    (seed, settings): (u64, protocol::Settings),
    boot: u32,
    log: &Rc<RefCell<SpyLog>>,
) -> Result<Device<Spied, Box<[u8]>>, Refusal> {
    let board = AnyBoard::with_games(**layout, games::ROSTER, seed)?;
    let identity = Identity {
        board: "simulated",
        boot,
        sensors: true,
    };
    let buffer = vec![0; SNAPSHOT_BYTES].into();
    let mut device = Device::unbegun(Spied::new(board, log.clone()), identity, buffer);
    // A layout's own game may not have these settings. Their events are told to nobody.
    let told = log.borrow().events.len();
    let _ = device.become_set(settings);
    log.borrow_mut().events.truncate(told);
    device.begin();
    Ok(device)
}

impl SimBoard {
    /// The board of this plan, just switched on.
    ///
    /// # Errors
    /// If there is no board with its layout.
    pub fn new(plan: &RunPlan) -> Result<SimBoard, Refusal> {
        let log = Rc::default();
        let layout = plan.layouts[0].clone();
        let own = (plan.board_seed, plan.settings);
        Ok(SimBoard {
            device: device(&layout, own, 1, &log)?,
            log,
            layout,
            plan: own,
            boot: 1,
            clock: BoardFaults {
                clock_permille: plan.clock_permille,
                ..BoardFaults::default()
            },
            drift: Drift::default(),
            told_ms: 0,
            witness: Receiver::new(),
        })
    }

    /// The board itself.
    #[must_use]
    pub fn board(&self) -> &AnyBoard {
        self.device.board().board()
    }

    /// The number of power-ups.
    #[must_use]
    pub fn boot(&self) -> u32 {
        self.boot
    }

    /// Lets time pass up to now.
    pub fn elapse(&mut self, now_us: u64) {
        let passed_ms = (now_us / 1_000).saturating_sub(self.told_ms);
        self.told_ms += passed_ms;
        let passed_ms = passed_ms.try_into().unwrap_or(u32::MAX);
        let counted_ms = self.drift.count(&self.clock, passed_ms);
        self.log.borrow_mut().by = By::Sensors;
        self.device.elapse(counted_ms);
    }

    /// When the board next has something to do.
    #[must_use]
    pub fn wakes_at_us(&self) -> Option<u64> {
        let counted_ms = self.device.sleeps_ms()?;
        let passed_ms = self.drift.takes(&self.clock, counted_ms).max(1);
        Some((self.told_ms + u64::from(passed_ms)) * 1_000)
    }

    /// Takes bytes of this host. Returns a message that was never sent, if the device took
    /// one.
    pub fn take(&mut self, bytes: &[u8], host: usize, line: &mut Line) -> Result<(), Vec<u8>> {
        self.log.borrow_mut().by = By::Host(host);
        for byte in bytes {
            if let Some(Ok(plain)) = self.witness.feed(*byte) {
                let is_message = wire::parse::<ToDevice>(plain).is_ok();
                if is_message && !line.taken(LineDirection::ToBoard, plain) {
                    return Err(plain.to_vec());
                }
            }
        }
        Ok(())
    }

    /// Feeds these bytes to the device; returns how many it took.
    pub fn feed(&mut self, bytes: &[u8], host: usize) -> usize {
        self.log.borrow_mut().by = By::Host(host);
        self.device.feed(bytes)
    }

    /// The device's next bytes, up to what a UART takes at once.
    #[must_use]
    pub fn output(&self) -> &[u8] {
        let output = self.device.output();
        output.get(..UART_BYTES).unwrap_or(output)
    }

    /// Notes that these bytes were sent.
    pub fn sent(&mut self, count: usize) {
        self.device.sent(count);
    }

    /// Tells the device that its host hung up.
    pub fn hung_up(&mut self) {
        self.device.hung_up();
        self.witness = Receiver::new();
    }

    /// The inputs of this touch on the board as it is now.
    #[must_use]
    pub fn inputs(&self, touching: Touching) -> Vec<Input> {
        let tap = |point: Point| vec![Input::Touch(point), Input::Release(point)];
        let board = self.board();
        match touching {
            Touching::Legal(choice) => {
                let mut legal = Vec::new();
                board.legal(|point| legal.push(point));
                let place = (choice as usize).checked_rem(legal.len());
                place.map_or(Vec::new(), |place| tap(legal[place]))
            }
            Touching::Any(choice) => {
                let points = board.layout().points().max(1);
                tap(Point((choice as usize % points) as u8))
            }
            Touching::Button(button) => vec![Input::Press(button), Input::Lift(button)],
            Touching::Pass => vec![Input::Pass],
        }
    }

    /// Feels these inputs on its own sensors; returns how many were felt.
    pub fn feel(&mut self, inputs: &[Input]) -> usize {
        self.log.borrow_mut().by = By::Sensors;
        if !self.device.listens() {
            return 0;
        }
        for input in inputs {
            self.device.input(*input);
        }
        inputs.len()
    }

    /// Switches the board off and on.
    pub fn restart(&mut self) {
        self.boot += 1;
        let (seed, layout) = (self.plan.0, self.layout.layout());
        self.log
            .borrow_mut()
            .power_failed(self.board().tick(), Deed::Reset { seed, layout });
        if let Ok(device) = device(&self.layout, self.plan, self.boot, &self.log) {
            self.device = device;
        }
        self.witness = Receiver::new();
    }
}
