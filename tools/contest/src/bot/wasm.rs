//! Bots that are WebAssembly modules, in an interpreter that counts fuel.
//!
//! A module has a memory and two functions: `state` returns the address at which the
//! contest writes the state of the game, and `play` returns the cell to mark. README.md
//! of this crate describes this for authors.
//!
//! Invariants: fuel is given in slices of a few milliseconds, and the clock is read after
//! each slice, so a bot that never returns is stopped; a bot can only access its own
//! memory and the three functions of [`IMPORTS`].

use std::sync::Arc;
use std::time::Instant;

use firmware_core::games::ticdabtoe::Position;
use protocol::{Point, Side};
use wasmi::errors::ErrorKind;
use wasmi::{
    Caller, CompilationMode, Config, Engine, Error, ExternType, Linker, Memory, Store, StoreLimits,
    StoreLimitsBuilder, TrapCode, TypedFunc, TypedResumableCall, ValType,
};

use super::tail::{LINE_BYTES, Tail};
use super::{Ending, SIDE, Seat, TurnRequest, Usage, block_seen, cell_at, row_and_column};
use crate::fault::{BotFault, BotFaultKind};
use crate::limits::Limits;

/// The size of the state of the game, whose layout is in README.md.
pub const STATE_BYTES: usize = 304;
/// The version of the interface.
pub const VERSION: u8 = 1;
/// The first bytes of every module.
const MAGIC: &[u8] = b"\0asm";
/// A larger file is refused.
pub const MOST_MODULE_BYTES: usize = 8 << 20;
/// The fuel in one slice.
const SLICE: u64 = 2_000_000;
/// The fuel for a call of a function of the contest, in addition to one unit for each
/// byte that it reads.
const CALL_FUEL: u64 = 100;
/// The module name of all imports.
const GAME: &str = "game";
/// The available functions, with the types of their arguments and results.
const IMPORTS: [(&str, &[ValType], &[ValType]); 3] = [
    ("log", &[ValType::I32, ValType::I32], &[]),
    ("fuel_left", &[], &[ValType::I64]),
    ("time_left_ms", &[], &[ValType::I32]),
];
/// The most elements of a table.
const TABLE_ELEMENTS: usize = 100_000;
const TABLES: usize = 4;
const PAGE_BYTES: u64 = 65_536;

/// A module that has been read and has all required parts.
pub struct Module {
    module: wasmi::Module,
    linker: Linker<Host>,
}

/// The data that the contest keeps for an instance.
struct Host {
    limits: StoreLimits,
    /// Fuel of this move that has not been given out yet.
    reserve: u64,
    /// The deadline of the move.
    deadline: Instant,
    tail: Tail,
}

impl Module {
    /// Reads a module.
    ///
    /// # Errors
    ///
    /// The reason why the module cannot play.
    pub fn read(bytes: &[u8]) -> Result<Module, BotFault> {
        if bytes.len() > MOST_MODULE_BYTES {
            return Err(Module::too_large(bytes.len() as u64));
        }
        if !bytes.starts_with(MAGIC) {
            return Err(BotFault::new(BotFaultKind::Start, no_module(bytes)));
        }
        let mut config = Config::default();
        config.consume_fuel(true);
        config.compilation_mode(CompilationMode::Eager);
        config.wasm_multi_memory(false);
        let engine = Engine::new(&config);
        let module =
            wasmi::Module::new(&engine, bytes).map_err(|error| unreadable(&error.to_string()))?;
        refuse_foreign_imports(&module)?;
        let linker = linker(&engine).map_err(|error| {
            let reason = format!("the functions of the game are not there: {error}");
            BotFault::new(BotFaultKind::Start, reason)
        })?;
        let module = Module { module, linker };
        module.exports_what_a_bot_needs()?;
        Ok(module)
    }

    /// The fault of a file that is not read because of its size.
    #[must_use]
    pub fn too_large(bytes: u64) -> BotFault {
        let reason = format!("it has {bytes} bytes, and a bot has at most {MOST_MODULE_BYTES}");
        BotFault::new(BotFaultKind::Start, reason)
    }

    fn exports_what_a_bot_needs(&self) -> Result<(), BotFault> {
        let lacks = |what: &str| {
            let reason = format!("it exports no {what}, which every bot has");
            Err(BotFault::new(BotFaultKind::Interface, reason))
        };
        if !matches!(
            self.module.get_export("memory"),
            Some(ExternType::Memory(_))
        ) {
            return lacks("memory named \"memory\"");
        }
        for name in ["state", "play"] {
            let is_right = match self.module.get_export(name) {
                Some(ExternType::Func(kind)) => {
                    kind.params().is_empty() && kind.results() == [ValType::I32]
                }
                _ => false,
            };
            if !is_right {
                return lacks(&format!(
                    "function \"{name}\" that takes nothing and returns an i32"
                ));
            }
        }
        Ok(())
    }

    /// The fault of a module whose memory is too large from the start; `None` if it is
    /// not.
    fn begins_with_more_than(&self, mib: u32) -> Option<BotFault> {
        let Some(ExternType::Memory(memory)) = self.module.get_export("memory") else {
            return None;
        };
        let bytes = memory.minimum().saturating_mul(PAGE_BYTES);
        (bytes > u64::from(mib) << 20).then(|| {
            let reason = format!(
                "it begins with {} MiB of memory, more than the {mib} MiB that it may have",
                bytes >> 20
            );
            BotFault::new(BotFaultKind::Memory, reason)
        })
    }
}

/// The message for a file that is not a module, which depends on how it begins.
fn no_module(bytes: &[u8]) -> &'static str {
    if bytes.trim_ascii_start().starts_with(b"(module") {
        "it is not a WebAssembly module but the text of one: translate it (wat2wasm)"
    } else {
        "it is not a WebAssembly module: it does not begin with the bytes 00 61 73 6d"
    }
}

/// The fault of a module that the interpreter refuses, with its reason on one line.
fn unreadable(why: &str) -> BotFault {
    let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
    // The interpreter does not support threads, and its own message says no more than
    // this one.
    if why.contains("shared memor") || why.contains("threads") {
        let reason = format!("it uses shared memory or threads, which no bot may: {why}");
        return BotFault::new(BotFaultKind::Threads, reason);
    }
    let reason = format!("it is not a WebAssembly module that can be run: {why}");
    BotFault::new(BotFaultKind::Start, reason)
}

fn refuse_foreign_imports(module: &wasmi::Module) -> Result<(), BotFault> {
    for import in module.imports() {
        let (from, name) = (import.module(), import.name());
        let asks = format!("it imports {from}.{name}");
        let there = IMPORTS
            .iter()
            .find(|(there, ..)| from == GAME && *there == name);
        if let Some((_, takes, returns)) = there {
            let own = import.ty();
            let is_right = own
                .func()
                .is_some_and(|own| own.params() == *takes && own.results() == *returns);
            if is_right {
                continue;
            }
            let right = type_in_words(takes, returns);
            let reason = format!("{asks} as {}; its type is {right}", what_it_is(own));
            return Err(BotFault::new(BotFaultKind::Import, reason));
        }
        return Err(if name.contains("thread") {
            BotFault::new(
                BotFaultKind::Threads,
                format!("{asks}: no bot may have threads"),
            )
        } else if from.starts_with("wasi") {
            let reason = format!("{asks}: a system call, which no bot may make");
            BotFault::new(BotFaultKind::Import, reason)
        } else {
            let there = IMPORTS
                .map(|(name, ..)| format!("{GAME}.{name}"))
                .join(", ");
            let reason = format!("{asks}, which does not exist; a bot may import {there}");
            BotFault::new(BotFaultKind::Import, reason)
        });
    }
    Ok(())
}

/// The type of an import in words; a function is written as in README.md.
fn what_it_is(import: &ExternType) -> String {
    match import {
        ExternType::Func(own) => type_in_words(own.params(), own.results()),
        ExternType::Global(_) => "a global".to_owned(),
        ExternType::Table(_) => "a table".to_owned(),
        ExternType::Memory(_) => "a memory".to_owned(),
    }
}

fn type_in_words(takes: &[ValType], returns: &[ValType]) -> String {
    // A type with a thousand values is as wrong as one with eight, so the list is cut.
    const MOST: usize = 8;
    let list = |types: &[ValType]| {
        let names = types.iter().take(MOST);
        let mut names: Vec<String> = names
            .map(|kind| format!("{kind:?}").to_lowercase())
            .collect();
        names.extend((types.len() > MOST).then(|| "...".to_owned()));
        names.join(", ")
    };
    match returns {
        [one] => format!("({}) -> {}", list(takes), list(&[*one])),
        _ => format!("({}) -> ({})", list(takes), list(returns)),
    }
}

/// The linker with the functions that a bot may call.
fn linker(engine: &Engine) -> Result<Linker<Host>, Error> {
    let mut linker = Linker::new(engine);
    linker.func_wrap(GAME, "log", log)?;
    linker.func_wrap(
        GAME,
        "fuel_left",
        |mut caller: Caller<'_, Host>| -> Result<i64, Error> {
            charge(&mut caller, 0)?;
            let left = caller.get_fuel()?.saturating_add(caller.data().reserve);
            Ok(i64::try_from(left).unwrap_or(i64::MAX))
        },
    )?;
    linker.func_wrap(
        GAME,
        "time_left_ms",
        |mut caller: Caller<'_, Host>| -> Result<i32, Error> {
            charge(&mut caller, 0)?;
            let left = caller
                .data()
                .deadline
                .saturating_duration_since(Instant::now());
            Ok(i32::try_from(left.as_millis()).unwrap_or(i32::MAX))
        },
    )?;
    Ok(linker)
}

/// Charges the fuel for a call. If there is not enough, the bot is stopped at its next
/// instruction.
fn charge(caller: &mut Caller<'_, Host>, bytes: u64) -> Result<(), Error> {
    let fuel = caller.get_fuel()?;
    caller.set_fuel(fuel.saturating_sub(CALL_FUEL + bytes))
}

/// Takes a line for the bot's author: `length` bytes from address `pointer`.
fn log(mut caller: Caller<'_, Host>, pointer: i32, length: i32) -> Result<(), Error> {
    let outside = || Error::new("the text of its log lies outside its memory");
    let memory = caller
        .get_export("memory")
        .and_then(|export| export.into_memory());
    let memory = memory.ok_or_else(outside)?;
    let start = pointer.cast_unsigned() as usize;
    let length = length.cast_unsigned() as usize;
    charge(&mut caller, length.min(LINE_BYTES) as u64)?;
    let (bytes, host) = memory.data_and_store_mut(&mut caller);
    let text = start
        .checked_add(length)
        .and_then(|end| bytes.get(start..end))
        .ok_or_else(outside)?;
    host.tail.push(&text[..length.min(LINE_BYTES)]);
    host.tail.end_line();
    Ok(())
}

/// A module that plays a game.
pub struct WasmPlayer {
    module: Arc<Result<Module, BotFault>>,
    side: Side,
    seed: u64,
    limits: Limits,
    /// `None` before its first move.
    running: Option<Running>,
    usage: Usage,
}

struct Running {
    store: Store<Host>,
    memory: Memory,
    play: TypedFunc<(), i32>,
    /// The address of the state of the game in the bot's memory.
    state: usize,
}

impl Running {
    /// Begins a move with this fuel and deadline. Fuel left over from the previous move
    /// is lost.
    fn begin_move(&mut self, fuel: u64, deadline: Instant) -> Result<(), BotFault> {
        self.store.data_mut().deadline = deadline;
        self.store.data_mut().reserve = fuel;
        self.store.set_fuel(0).map_err(|error| broken_by(&error))
    }
}

impl WasmPlayer {
    pub fn new(
        module: Arc<Result<Module, BotFault>>,
        side: Side,
        seed: u64,
        limits: &Limits,
    ) -> WasmPlayer {
        WasmPlayer {
            module,
            side,
            seed,
            limits: *limits,
            running: None,
            usage: Usage::default(),
        }
    }

    fn answer(&self, running: &mut Running, turn: &TurnRequest<'_>) -> Result<Point, BotFault> {
        let mut state = [0; STATE_BYTES];
        describe(&mut state, turn, self.side, self.seed);
        let memory = running.memory.data_mut(&mut running.store);
        let place = memory.get_mut(running.state..running.state + STATE_BYTES);
        place.ok_or_else(outside)?.copy_from_slice(&state);
        let play = running.play;
        let cell = call(play, &mut running.store, &self.limits)?;
        if !(0..i32::from(SIDE) * i32::from(SIDE)).contains(&cell) {
            let reason = format!("it answered {cell}, and cells are 0 to 255");
            return Err(BotFault::new(BotFaultKind::Move, reason));
        }
        let side = i64::from(SIDE);
        cell_at(
            turn.position,
            i64::from(cell) / side,
            i64::from(cell) % side,
        )
    }
}

impl Seat for WasmPlayer {
    fn play(&mut self, turn: &TurnRequest<'_>) -> Result<Point, BotFault> {
        let deadline = Instant::now() + turn.time;
        let mut running = match self.running.take() {
            Some(mut running) => {
                running.begin_move(self.limits.fuel, deadline)?;
                running
            }
            None => {
                let module = Arc::clone(&self.module);
                let module = (*module).as_ref().map_err(BotFault::clone)?;
                start(module, &self.limits, deadline)?
            }
        };
        let answer = self.answer(&mut running, turn);
        let left = running.store.get_fuel().unwrap_or(0) + running.store.data().reserve;
        self.usage = Usage {
            fuel: self.limits.fuel.saturating_sub(left),
            memory_bytes: running.memory.data_size(&running.store),
        };
        self.running = Some(running);
        answer
    }

    fn usage(&self) -> Usage {
        self.usage
    }

    fn end(&mut self, _: &Ending) -> Vec<String> {
        let running = self.running.take();
        running.map_or_else(Vec::new, |running| running.store.data().tail.lines())
    }
}

/// Starts an instance and asks it for the address of its state buffer.
fn start(module: &Module, limits: &Limits, deadline: Instant) -> Result<Running, BotFault> {
    if let Some(fault) = module.begins_with_more_than(limits.wasm_mib) {
        return Err(fault);
    }
    let host = Host {
        limits: StoreLimitsBuilder::new()
            .memory_size((limits.wasm_mib as usize) << 20)
            .table_elements(TABLE_ELEMENTS)
            .instances(1)
            .tables(TABLES)
            .memories(1)
            .trap_on_grow_failure(true)
            .build(),
        reserve: limits.fuel,
        deadline,
        tail: Tail::default(),
    };
    let mut store = Store::new(module.module.engine(), host);
    store.limiter(|host| &mut host.limits);
    // The start function of a module cannot be interrupted and resumed, so it gets a
    // single slice.
    give(&mut store, SLICE).map_err(|error| broken(&error, limits))?;
    let instance = module
        .linker
        .instantiate_and_start(&mut store, &module.module);
    let instance = instance.map_err(|error| match error.as_trap_code() {
        Some(TrapCode::OutOfFuel) => {
            let reason = format!("its start function takes more than {SLICE} units of fuel");
            BotFault::new(BotFaultKind::Fuel, reason)
        }
        _ => broken(&error, limits),
    })?;
    let missing = |error: Error| BotFault::new(BotFaultKind::Interface, error.to_string());
    let memory = instance.get_memory(&store, "memory");
    let memory =
        memory.ok_or_else(|| BotFault::new(BotFaultKind::Interface, "it exports no memory"))?;
    let state: TypedFunc<(), i32> = instance.get_typed_func(&store, "state").map_err(missing)?;
    let play = instance.get_typed_func(&store, "play").map_err(missing)?;
    let state = call(state, &mut store, limits)?.cast_unsigned() as usize;
    let end = state.checked_add(STATE_BYTES);
    if end.is_none_or(|end| end > memory.data_size(&store)) {
        return Err(outside());
    }
    Ok(Running {
        store,
        memory,
        play,
        state,
    })
}

fn outside() -> BotFault {
    let reason = format!(
        "its function \"state\" names a place where there are no {STATE_BYTES} bytes of its memory"
    );
    BotFault::new(BotFaultKind::Interface, reason)
}

/// Gives at least this much of the remaining fuel; false if there is not enough left.
fn give(store: &mut Store<Host>, wanted: u64) -> Result<bool, Error> {
    let left = store.get_fuel()?.saturating_add(store.data().reserve);
    let given = wanted.min(left);
    store.data_mut().reserve = left - given;
    store.set_fuel(given)?;
    Ok(given == wanted)
}

/// Calls a function, slice by slice.
fn call(
    function: TypedFunc<(), i32>,
    store: &mut Store<Host>,
    limits: &Limits,
) -> Result<i32, BotFault> {
    let broken = |error: Error| broken(&error, limits);
    let late = |store: &Store<Host>| match Instant::now() > store.data().deadline {
        true => Err(too_late(limits.move_ms)),
        false => Ok(()),
    };
    give(store, SLICE).map_err(broken)?;
    let mut state = function.call_resumable(&mut *store, ()).map_err(broken)?;
    loop {
        late(store)?;
        state = match state {
            TypedResumableCall::Finished(answer) => return Ok(answer),
            TypedResumableCall::HostTrap(trap) => return Err(broken_by(trap.host_error())),
            TypedResumableCall::OutOfFuel(rest) => {
                let needed = rest.required_fuel();
                let is_slice = give(store, SLICE.max(needed)).map_err(broken)?;
                if !is_slice && store.get_fuel().map_err(broken)? < needed.max(1) {
                    let reason = format!("it used up the {} units of fuel of a move", limits.fuel);
                    return Err(BotFault::new(BotFaultKind::Fuel, reason));
                }
                rest.resume(&mut *store).map_err(broken)?
            }
        };
    }
}

/// The fault of a bot that exceeded its time.
#[must_use]
pub fn too_late(move_ms: u64) -> BotFault {
    let reason = format!("it did not answer within {move_ms} ms");
    BotFault::new(BotFaultKind::Time, reason)
}

fn broken(error: &Error, limits: &Limits) -> BotFault {
    match error.kind() {
        ErrorKind::TrapCode(TrapCode::GrowthOperationLimited | TrapCode::OutOfSystemMemory) => {
            let reason = format!(
                "it asked for more than the {} MiB of memory that it may have",
                limits.wasm_mib
            );
            BotFault::new(BotFaultKind::Memory, reason)
        }
        _ => broken_by(error),
    }
}

fn broken_by(error: &Error) -> BotFault {
    BotFault::new(BotFaultKind::Trap, format!("it broke down: {error}"))
}

/// Writes the state of the game in the layout of README.md.
pub fn describe(state: &mut [u8; STATE_BYTES], turn: &TurnRequest<'_>, side: Side, seed: u64) {
    let position: &Position = turn.position;
    let (cells, rest) = state.split_at_mut(256);
    for (index, cell) in (0..=u8::MAX).zip(cells) {
        *cell = match position.mark_at(Point(index)) {
            None => 0,
            Some(owner) if owner == side => 1,
            Some(_) => 2,
        };
    }
    let (blocks, rest) = rest.split_at_mut(16);
    for (number, block) in blocks.iter_mut().enumerate() {
        *block = block_seen(position.block(number), side);
    }
    let (open, rest) = rest.split_at_mut(16);
    for (number, block) in open.iter_mut().enumerate() {
        *block = u8::from(position.open_blocks() >> number & 1 != 0);
    }
    let last = position.last().map(row_and_column);
    let (row, column) = last.unwrap_or((u8::MAX, u8::MAX));
    rest[..4].copy_from_slice(&[row, column, 1 + side.index() as u8, VERSION]);
    rest[4..6].copy_from_slice(&turn.moves.to_le_bytes());
    rest[8..16].copy_from_slice(&seed.to_le_bytes());
}

#[cfg(test)]
mod tests;
