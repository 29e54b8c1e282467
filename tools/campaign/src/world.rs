//! Both ends and the line between them, in virtual time.
//!
//! Until the line is healed, everything in the plan happens. Then all cables are back, and
//! both ends have to agree within [`RunPlan::heals_within_ms`]; the run ends as soon as they
//! do.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use firmware_core::{Rng, panic_text};
use protocol::{Command, Deed, Frame, Pace, Position};

use crate::board::SimBoard;
use crate::host::{Errand, HostFigures, SimHost};
use crate::judge::Violation;
use crate::line::{Arrival, Line, LineDirection, SimLineFigures};
use crate::log::{command_words, from_board, heard, to_board};
use crate::plan::{Act, ActKind, RunPlan, Touching};

/// How often the healed ends are compared.
const COMPARE_US: u64 = 50_000;
/// The bytes that an image keeps of what its UART received.
const UART_BUFFER_BYTES: usize = 512;
/// The most things that happen at one moment.
const MOST_AT_ONCE: u32 = 100_000;

/// The figures of a run, and how it ended.
#[derive(Clone, Debug, Default)]
pub struct RunReport {
    /// The seed of the run.
    pub seed: u64,
    /// The simulated time.
    pub simulated_us: u64,
    /// What passed over the line.
    pub line: SimLineFigures,
    /// What the hosts did, all together.
    pub hosts: HostFigures,
    /// The number of inputs from the board's own sensors.
    pub sensed: u64,
    /// How often the cable was pulled out, or plugged into the other host.
    pub unplugs: u64,
    /// How often the power failed.
    pub power_failures: u64,
    /// The time from the healing of the line until both ends agreed.
    pub healing_us: u64,
    /// The rule that was broken, if one was.
    pub violation: Option<Violation>,
    /// A line for each event, if they were asked for.
    pub log: Vec<String>,
    /// What the board did, for a session.
    pub done: Vec<crate::spy::DoneItem>,
}

/// What a run reports of its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunLog {
    /// A line for each of them.
    Kept,
    /// Nothing.
    None,
}

/// Plays a run.
#[must_use]
pub fn run(plan: &RunPlan, log: RunLog) -> RunReport {
    let mut world = match World::new(plan, log) {
        Ok(world) => world,
        Err(refusal) => {
            return RunReport {
                seed: plan.seed,
                violation: Some(Violation::NoBoard(refusal)),
                ..RunReport::default()
            };
        }
    };
    let ran = catch_unwind(AssertUnwindSafe(|| world.play()));
    let violation = match ran {
        Ok(ended) => ended.err(),
        Err(panic) => {
            let text = panic_text(&*panic).unwrap_or("without a word");
            Some(Violation::Panicked(text.to_owned()))
        }
    };
    world.report(violation)
}

/// A cable that will be plugged in.
#[derive(Clone, Copy)]
struct PlugIn {
    at_us: u64,
    /// The number of the host that gets it.
    host: usize,
}

/// Both ends and the line between them.
pub(crate) struct World<'a> {
    plan: &'a RunPlan,
    clock: Rc<Cell<u64>>,
    line: Rc<RefCell<Line>>,
    pub(crate) board: SimBoard,
    /// Bytes that have arrived at the board from a host, which it has not taken.
    incoming: VecDeque<(usize, Vec<u8>)>,
    hosts: Vec<SimHost>,
    /// The acts that are still to come.
    acts: &'a [Act],
    /// The host that gets the cable next.
    plugs_in: Option<PlugIn>,
    healed: bool,
    report: RunReport,
    with_log: bool,
}

impl<'a> World<'a> {
    pub(crate) fn new(plan: &'a RunPlan, log: RunLog) -> Result<World<'a>, protocol::Refusal> {
        let clock: Rc<Cell<u64>> = Rc::default();
        let line = Rc::new(RefCell::new(Line::new(plan)));
        let mut rng = Rng::new(plan.seed ^ 0x686F_7374);
        let hosts = (0..plan.hosts)
            .map(|number| SimHost::new(number, clock.clone(), line.clone(), rng.split(), plan));
        Ok(World {
            plan,
            hosts: hosts.collect(),
            clock,
            line,
            board: SimBoard::new(plan)?,
            incoming: VecDeque::new(),
            acts: &plan.acts,
            plugs_in: None,
            healed: false,
            report: RunReport {
                seed: plan.seed,
                ..RunReport::default()
            },
            with_log: log == RunLog::Kept,
        })
    }

    pub(crate) fn now_us(&self) -> u64 {
        self.clock.get()
    }

    pub(crate) fn host(&self) -> &SimHost {
        &self.hosts[0]
    }

    pub(crate) fn host_mut(&mut self) -> &mut SimHost {
        &mut self.hosts[0]
    }

    pub(crate) fn line_figures(&self) -> SimLineFigures {
        self.line.borrow().figures
    }

    /// The frame that the first host shows.
    pub(crate) fn shown(&self) -> Option<Frame> {
        Some(self.host().view()?.frame)
    }

    /// Lets things happen, one after the other, while this holds, but not after this time.
    pub(crate) fn play_while(
        &mut self,
        until_us: u64,
        mut holds: impl FnMut(&World<'_>) -> bool,
    ) -> Result<(), Violation> {
        while holds(self) && self.now_us() < until_us {
            let next_us = self.next_us().max(self.now_us());
            self.play_until(until_us.min(next_us + 1))?;
        }
        Ok(())
    }

    fn note(&mut self, sign: char, words: impl FnOnce() -> String) {
        if self.with_log {
            let ms = self.now_us() as f64 / 1_000.0;
            self.report
                .log
                .push(format!("{ms:>12.3} {sign} {}", words()));
        }
    }

    fn report(mut self, violation: Option<Violation>) -> RunReport {
        if let Some(violation) = &violation {
            self.note('!', || format!("{}: {violation}", violation.kind()));
        }
        let mut all = HostFigures::default();
        for host in &self.hosts {
            all += host.figures();
        }
        RunReport {
            simulated_us: self.now_us(),
            sensed: self.report.sensed + self.board.felt(),
            line: self.line.borrow().figures,
            hosts: all,
            violation,
            done: std::mem::take(&mut self.board.log.borrow_mut().done),
            ..self.report
        }
    }

    /// Plays the whole run.
    fn play(&mut self) -> Result<(), Violation> {
        self.play_until(self.plan.faulty_us)?;
        self.heal();
        let within_us = self.plan.heals_within_ms() * 1_000;
        loop {
            let until_us = self.now_us() + COMPARE_US;
            self.play_until(until_us)?;
            let lacks = self.hosts[0].lacks(self.board.board());
            let passed_us = self.now_us() - self.plan.faulty_us;
            let Some(why) = lacks else {
                self.report.healing_us = passed_us;
                self.note('.', || "both ends agree".to_owned());
                return Ok(());
            };
            if passed_us > within_us {
                let left_ms = within_us / 1_000;
                return Err(Violation::NotHealed { left_ms, why });
            }
        }
    }

    fn heal(&mut self) {
        self.note('+', || "the line is healed".to_owned());
        self.healed = true;
        self.line.borrow_mut().heal();
        let cable = self.line.borrow().cable;
        if cable != Some(0) {
            self.pull_out();
            self.plug_in(0);
        }
        self.plugs_in = None;
        for host in &mut self.hosts {
            host.stop();
        }
        // A board whose time is held sends no digest by itself.
        self.hosts[0].want_snapshot();
    }

    /// Lets everything happen that happens before this time.
    fn play_until(&mut self, until_us: u64) -> Result<(), Violation> {
        let mut at_once = 0;
        loop {
            let next_us = self.next_us().max(self.now_us());
            if next_us >= until_us {
                self.clock.set(until_us.max(self.now_us()));
                self.board.elapse(self.now_us());
                self.converse()?;
                return Ok(());
            }
            at_once = if next_us > self.now_us() {
                0
            } else {
                at_once + 1
            };
            if at_once > MOST_AT_ONCE {
                return Err(Violation::Stuck { at_us: next_us });
            }
            self.clock.set(next_us);
            self.happen()?;
        }
    }

    /// When something happens next.
    fn next_us(&self) -> u64 {
        let line = self.line.borrow();
        let acts = self.acts.first().map(|act| act.at_us);
        let board = self.board.wakes_at_us();
        let arrivals = [LineDirection::ToBoard, LineDirection::FromBoard];
        let arrivals = arrivals.map(|way| line.next_us(way));
        let sends = !self.board.output().is_empty();
        let sends = sends.then(|| line.free_at_us(LineDirection::FromBoard));
        let plug = self.plugs_in.map(|plug| plug.at_us);
        let hosts = self.hosts.iter().map(SimHost::wakes_at_us).min();
        let all = arrivals
            .into_iter()
            .chain([acts, board, sends, plug, hosts]);
        all.flatten().min().unwrap_or(u64::MAX)
    }

    /// Everything that happens now.
    fn happen(&mut self) -> Result<(), Violation> {
        let now_us = self.now_us();
        self.board.elapse(now_us);
        if let Some(plug) = self.plugs_in.take_if(|plug| plug.at_us <= now_us) {
            self.plug_in(plug.host);
        }
        while let Some((act, rest)) = self.acts.split_first()
            && act.at_us <= now_us
        {
            self.acts = rest;
            self.act(&act.what);
        }
        self.converse()
    }

    /// Moves bytes at both ends until nothing more can be done now.
    fn converse(&mut self) -> Result<(), Violation> {
        let now_us = self.now_us();
        self.tell_board();
        while let Some(arrival) = self.arrived(LineDirection::ToBoard) {
            match arrival {
                Arrival::Bytes(bytes) => {
                    let host = self.line.borrow().cable.unwrap_or(0);
                    self.receive(host, bytes);
                }
                Arrival::Cut => self.cut(),
            }
        }
        while let Some(arrival) = self.arrived(LineDirection::FromBoard) {
            let is_cut = arrival == Arrival::Cut;
            let cable = self.line.borrow().cable;
            if let Some(host) = cable {
                self.hosts[host].end().borrow_mut().arrive(arrival);
            }
            if is_cut {
                self.cut();
            }
        }
        self.serve_board(now_us)?;
        for number in 0..self.hosts.len() {
            self.hosts[number].poll(&self.board.log, self.board.board())?;
            self.log_host(number);
        }
        self.tell_board();
        Ok(())
    }

    fn arrived(&mut self, way: LineDirection) -> Option<Arrival> {
        self.line.borrow_mut().arrive(way, self.now_us())
    }

    /// Feeds the board what has arrived, and sends what it has to say, as far as the line
    /// takes it.
    fn serve_board(&mut self, now_us: u64) -> Result<(), Violation> {
        loop {
            let taken = self.feed_board()?;
            let bytes = self.board.output().to_vec();
            let is_free = self.line.borrow().free_at_us(LineDirection::FromBoard) <= now_us;
            if bytes.is_empty() || !is_free {
                if taken == 0 {
                    return Ok(());
                }
                continue;
            }
            let sent = self
                .line
                .borrow_mut()
                .send(LineDirection::FromBoard, now_us, &bytes);
            self.board.sent(bytes.len());
            for plain in sent {
                self.note('<', || from_board(&plain));
            }
        }
    }

    /// Keeps bytes for the board. A UART drops what comes while its buffer is full.
    fn receive(&mut self, host: usize, mut bytes: Vec<u8>) {
        if !self.plan.notices_hang_up {
            let waiting: usize = self.incoming.iter().map(|(_, bytes)| bytes.len()).sum();
            bytes.truncate(UART_BUFFER_BYTES.saturating_sub(waiting));
        }
        if !bytes.is_empty() {
            self.incoming.push_back((host, bytes));
        }
    }

    /// Feeds the board the next bytes that have arrived. Returns how many it took.
    fn feed_board(&mut self) -> Result<usize, Violation> {
        let Some((host, bytes)) = self.incoming.front_mut() else {
            return Ok(0);
        };
        let taken = self.board.feed(bytes, *host);
        let passed = self
            .board
            .take(&bytes[..taken], *host, &mut self.line.borrow_mut());
        passed.map_err(Violation::WrongMessage)?;
        bytes.drain(..taken);
        if bytes.is_empty() {
            self.incoming.pop_front();
        }
        Ok(taken)
    }

    /// Tells the board that its host hung up, if it can know.
    fn tell_board(&mut self) {
        let has_changed = std::mem::take(&mut self.line.borrow_mut().has_changed);
        if has_changed && self.plan.notices_hang_up {
            self.board.hung_up();
            self.incoming.clear();
        }
    }

    /// Cuts the line: both ends lose it.
    fn cut(&mut self) {
        self.note('u', || "the line is cut".to_owned());
        let cable = self.line.borrow().cable;
        if let Some(host) = cable {
            self.hosts[host].end().borrow_mut().arrive(Arrival::Cut);
        }
        self.line.borrow_mut().close();
        self.tell_board();
    }

    fn pull_out(&mut self) {
        let cable = self.line.borrow_mut().cable.take();
        self.note('u', || match cable {
            Some(host) => format!("host {host} loses its cable"),
            None => "no host has the cable".to_owned(),
        });
        let was_open = self.line.borrow().is_open;
        self.line.borrow_mut().close();
        if let Some(host) = cable.filter(|_| was_open) {
            self.hosts[host].end().borrow_mut().arrive(Arrival::Cut);
        }
        self.tell_board();
    }

    fn plug_in(&mut self, host: usize) {
        self.note('p', || format!("host {host} gets the cable"));
        self.line.borrow_mut().cable = Some(host);
    }

    fn act(&mut self, what: &ActKind) {
        let now_us = self.now_us();
        // A person uses the host that has the board, or had it last.
        let cable = self.line.borrow().cable;
        let host = cable.or(self.plugs_in.map(|plug| plug.host)).unwrap_or(0);
        match what {
            ActKind::Sensed(touching) => self.sense(*touching),
            ActKind::Sent(touching) => self.send(host, *touching),
            ActKind::Set(settings) => self.give(host, Command::Do(Deed::Settings(*settings))),
            ActKind::Reset {
                seed,
                layout: place,
            } => {
                let layout = self.plan.layouts[*place].layout();
                let seed = *seed;
                self.give(host, Command::Do(Deed::Reset { seed, layout }));
            }
            ActKind::Snapshot => {
                self.note('h', || format!("host {host} asks for the state"));
                self.hosts[host].want_snapshot();
            }
            ActKind::Ask => self.give(host, Command::Legal),
            ActKind::Place(stones) => {
                let position = Position::Diagram((**stones).clone());
                self.give(host, Command::Do(Deed::Position(position)));
            }
            ActKind::Load => {
                self.errand(host, Errand::Load);
            }
            ActKind::Finger(touching) => {
                let inputs = self.board.inputs(*touching).into_iter().collect();
                self.give(host, Command::Fingers(inputs));
            }
            ActKind::Unplug { for_us } => {
                self.report.unplugs += 1;
                self.pull_out();
                let at_us = now_us + for_us;
                self.plugs_in = Some(PlugIn { at_us, host });
            }
            ActKind::Switch => {
                self.report.unplugs += 1;
                self.pull_out();
                self.plugs_in = Some(PlugIn {
                    at_us: now_us,
                    host: (host + 1) % self.hosts.len(),
                });
            }
            ActKind::PowerFailure => {
                self.report.power_failures += 1;
                self.note('w', || "the power fails".to_owned());
                self.board.restart();
                self.incoming.clear();
            }
        }
    }

    fn sense(&mut self, touching: Touching) {
        let inputs = self.board.inputs(touching);
        let felt = self.board.put_fingers(&inputs);
        self.report.sensed += felt as u64;
        if felt > 0 {
            self.note('f', || format!("{inputs:?}"));
        }
    }

    fn send(&mut self, host: usize, touching: Touching) {
        let inputs = self.board.inputs(touching);
        if self.plan.pace == Pace::Lockstep {
            // Time passes up to the next act.
            let next_us = self.acts.first().map_or(self.now_us(), |act| act.at_us);
            let ticks = next_us.saturating_sub(self.now_us()) / 1_000;
            self.give(
                host,
                Command::Step {
                    inputs: inputs.into_iter().collect(),
                    ticks: ticks.try_into().unwrap_or(u32::MAX),
                    digest: true,
                },
            );
            return;
        }
        for input in inputs {
            self.give(host, Command::Do(Deed::Input(input)));
        }
    }

    fn give(&mut self, host: usize, command: Command) {
        self.errand(host, Errand::Command(Box::new(command)));
    }

    /// Gives a host an errand, and notes whether it took it.
    fn errand(&mut self, host: usize, errand: Errand) {
        let words = self.with_log.then(|| match &errand {
            Errand::Command(command) => format!("host {host}: {}", command_words(command)),
            Errand::Load => format!("host {host} loads the state that it has"),
        });
        let is_taken = self.hosts[host].give(errand);
        self.note('h', || {
            let words = words.unwrap_or_default();
            match is_taken {
                true => words,
                false => format!("{words}: too much waits already, so it gives that up"),
            }
        });
    }

    fn log_host(&mut self, number: usize) {
        let told = std::mem::take(&mut self.hosts[number].told);
        let passed = std::mem::take(&mut self.hosts[number].end().borrow_mut().passed);
        if !self.with_log {
            return;
        }
        for (_, plain) in passed {
            self.note('>', || to_board(&plain));
        }
        for happening in told {
            let (sign, words) = heard(&happening);
            self.note(sign, || format!("host {number} {words}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::Layout;

    use super::*;
    use crate::host::MOST_WAITING;

    #[test]
    fn an_errand_that_a_busy_host_drops_is_in_the_log() {
        let plan = RunPlan::of(1);
        let mut world = World::new(&plan, RunLog::Kept).expect("there is such a board");
        for _ in 0..=MOST_WAITING {
            world.errand(0, Errand::Load);
        }
        let is_dropped = |line: &String| line.ends_with("so it gives that up");
        let dropped: Vec<usize> = (0..world.report.log.len())
            .filter(|at| is_dropped(&world.report.log[*at]))
            .collect();
        assert_eq!(dropped, [MOST_WAITING], "{:#?}", world.report.log);
    }

    #[test]
    fn a_plan_without_a_board_is_no_panic() {
        let mut plan = RunPlan::of(1);
        // A drawing that nobody has.
        let (points, id) = (9, 0);
        plan.layouts = vec![Layout::Drawn { points, id }.into()];
        let report = run(&plan, RunLog::None);
        assert!(
            matches!(report.violation, Some(Violation::NoBoard(_))),
            "{:?}",
            report.violation
        );
    }
}
