//! The board's end: the device, its clock, and its power.

use std::cell::RefCell;
use std::rc::Rc;

use firmware_core::device::ContactNews;
use firmware_core::faults::{BoardFaults, Drift};
use firmware_core::{AnyBoard, AnyWidth, Device, Identity, Matrix, SNAPSHOT_BYTES, games};
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
    plan: SwitchedOn,
    boot: u32,
    clock: BoardFaults,
    drift: Drift,
    elapsed_ms: u64,
    /// The contacts under the fingers, if they are simulated.
    matrix: Option<Matrix>,
    /// The number of inputs that the sensors reported.
    felt: u64,
    /// The host that began the message of which bytes have come.
    message_of: Option<usize>,
    /// Receives the same bytes as the device, to see which messages it takes.
    witness: Receiver,
}

/// How the board is when it is switched on.
#[derive(Clone, Copy)]
struct SwitchedOn {
    seed: u64,
    settings: protocol::Settings,
    has_matrix: bool,
}

fn device(
    layout: &KnownLayout,
    own: SwitchedOn,
    boot: u32,
    log: &Rc<RefCell<SpyLog>>,
) -> Result<Device<Spied, Box<[u8]>>, Refusal> {
    let board = AnyBoard::with_games(**layout, games::ROSTER, own.seed)?;
    let identity = Identity {
        board: "simulated",
        boot,
        sensors: true,
    };
    let buffer = vec![0; SNAPSHOT_BYTES].into();
    let mut device = Device::not_begun(Spied::new(board, log.clone()), identity, buffer);
    // A layout's own game may not have these settings. Their events are told to nobody.
    let told = log.borrow().events.len();
    let _ = device.restore_settings(own.settings);
    log.borrow_mut().events.truncate(told);
    if own.has_matrix {
        device.accept_fingers();
    }
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
        let own = SwitchedOn {
            seed: plan.board_seed,
            settings: plan.settings,
            has_matrix: plan.has_matrix,
        };
        let layout_of = layout.layout();
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
            elapsed_ms: 0,
            matrix: plan
                .has_matrix
                .then(|| Matrix::new(layout_of, plan.faults.clone())),
            felt: 0,
            message_of: None,
            witness: Receiver::new(),
        })
    }

    /// The board itself.
    #[must_use]
    pub fn board(&self) -> &AnyBoard {
        self.device.board().board()
    }

    /// The number of inputs that the sensors reported.
    #[must_use]
    pub fn felt(&self) -> u64 {
        self.felt
    }

    /// The number of power-ups.
    #[must_use]
    pub fn boot(&self) -> u32 {
        self.boot
    }

    /// Lets time pass up to now.
    pub fn elapse(&mut self, now_us: u64) {
        let passed_ms = (now_us / 1_000).saturating_sub(self.elapsed_ms);
        self.elapsed_ms += passed_ms;
        let passed_ms = passed_ms.try_into().unwrap_or(u32::MAX);
        let counted_ms = self.drift.count(&self.clock, passed_ms);
        self.log.borrow_mut().by = By::Sensors;
        match self.matrix.take() {
            None => self.device.elapse(counted_ms),
            Some(mut matrix) => {
                self.sample(&mut matrix, counted_ms);
                self.matrix = Some(matrix);
            }
        }
    }

    /// Lets time pass from sample to sample, as the virtual board does. While the device
    /// does not listen, nothing is sampled, and fingers wait.
    fn sample(&mut self, matrix: &mut Matrix, mut ms: u32) {
        let layout = self.device.board().layout();
        if layout != matrix.layout() {
            matrix.restart(layout);
        }
        while ms > 0 && self.device.listens() {
            let passed = matrix.quiet_within(ms.into());
            let passed_ms = passed.try_into().unwrap_or(u32::MAX);
            self.device.elapse(passed_ms);
            let mut felt = Vec::new();
            matrix.pass(passed, |input| felt.push(input));
            self.report_contacts(matrix);
            self.felt += felt.len() as u64;
            felt.into_iter().for_each(|input| self.device.input(input));
            ms -= passed_ms;
        }
        self.device.elapse(ms);
    }

    /// Notes what the contacts did, before what was felt of it.
    fn report_contacts(&mut self, matrix: &mut Matrix) {
        match self.device.contact_news() {
            ContactNews::Nothing => return,
            ContactNews::Changes => {}
            ContactNews::All => matrix.tell_contacts_anew(),
        }
        matrix.take_contacts(|contact| self.device.contact(contact));
    }

    /// When the board next has something to do.
    #[must_use]
    pub fn wakes_at_us(&self) -> Option<u64> {
        let quiet_ms = self.matrix.as_ref().and_then(Matrix::quiet_for);
        let quiet_ms = quiet_ms.map(|quiet| quiet.try_into().unwrap_or(u32::MAX));
        let sampled_ms = quiet_ms.filter(|_| self.device.listens());
        let sleeps_ms = self.device.sleeps_ms();
        let counted_ms = sleeps_ms.into_iter().chain(sampled_ms).min()?;
        let passed_ms = self.drift.takes(&self.clock, counted_ms).max(1);
        Some((self.elapsed_ms + u64::from(passed_ms)) * 1_000)
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

    /// Feeds these bytes to the device; returns how many it took. A message is that of the
    /// host that began it: if its last zero is lost, the first one of another host ends it.
    pub fn feed(&mut self, bytes: &[u8], host: usize) -> usize {
        let mut taken = 0;
        for byte in bytes {
            let begun_by = self.message_of.unwrap_or(host);
            self.log.borrow_mut().by = By::Host(begun_by);
            if self.device.feed(&[*byte]) == 0 {
                break;
            }
            taken += 1;
            self.message_of = (*byte != 0).then_some(begun_by);
        }
        while let Some(finger) = self.device.finger() {
            if let Some(matrix) = &mut self.matrix {
                matrix.click(finger);
            }
        }
        taken
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
        self.message_of = None;
        self.witness = Receiver::new();
    }

    /// The inputs of this touch on the board as it is now.
    #[must_use]
    pub fn inputs(&self, touching: Touching) -> Vec<Input> {
        let tap = |point: Point| vec![Input::Touch(point), Input::Release(point)];
        let board = self.board();
        match touching {
            Touching::Legal(choice) => {
                let legal = board.legal_points();
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

    /// Puts these fingers on its own sensors; returns how many were felt at once.
    pub fn put_fingers(&mut self, inputs: &[Input]) -> usize {
        if let Some(matrix) = &mut self.matrix {
            inputs.iter().for_each(|input| matrix.click(*input));
            return 0;
        }
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
        let (seed, layout) = (self.plan.seed, self.layout.layout());
        self.log
            .borrow_mut()
            .power_failed(self.board().tick(), Deed::Reset { seed, layout });
        if let Ok(device) = device(&self.layout, self.plan, self.boot, &self.log) {
            self.device = device;
        }
        if let Some(matrix) = &mut self.matrix {
            matrix.forget();
        }
        self.message_of = None;
        self.witness = Receiver::new();
    }
}
