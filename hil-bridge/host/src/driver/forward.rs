//! Drivers around other drivers: what they do not do themselves is forwarded.
//!
//! Invariants: every method of [`Driver`] is forwarded, unless a wrapper names it as its
//! own; a test compares the lists.

use super::Driver;

/// For a driver that wraps another one: forwards the methods of [`Driver`] to the driver
/// in this field, or to the one behind `*`. The methods named after `own` are not
/// forwarded: the wrapper writes them, or leaves them to the trait's default. A wrapper
/// with its own `step` must also name `step_and_digest`, because the forwarded one would
/// bypass its `step`.
///
/// ```
/// use touchboard_host::{CoreDriver, Driver, DriverError};
///
/// /// A board on which time runs twice as fast.
/// struct Hasty { inner: CoreDriver }
///
/// impl Driver for Hasty {
///     touchboard_host::forward!(inner; own: step, step_and_digest);
///
///     fn step(&mut self, inputs: &[protocol::Input], ticks: u64) -> Result<(), DriverError> {
///         self.inner.step(inputs, 2 * ticks)
///     }
/// }
///
/// let mut board = Hasty { inner: CoreDriver::new(protocol::Layout::MALDOO, 1)? };
/// board.step(&[], 5)?;
/// assert_eq!(board.tick(), 10);
/// # Ok::<(), DriverError>(())
/// ```
#[macro_export]
macro_rules! forward {
    ($inner:tt) => { $crate::forward!($inner; own:); };
    ($inner:tt; own: $($own:ident),* $(,)?) => {
        $crate::forward!(@unless [$($own)*] at $inner);
        $crate::forward!(@unless [$($own)*] is_at_line $inner);
        $crate::forward!(@unless [$($own)*] layout $inner);
        $crate::forward!(@unless [$($own)*] roster $inner);
        $crate::forward!(@unless [$($own)*] tick $inner);
        $crate::forward!(@unless [$($own)*] frame $inner);
        $crate::forward!(@unless [$($own)*] step $inner);
        $crate::forward!(@unless [$($own)*] step_and_digest $inner);
        $crate::forward!(@unless [$($own)*] carry_out $inner);
        $crate::forward!(@unless [$($own)*] status $inner);
        $crate::forward!(@unless [$($own)*] legal $inner);
        $crate::forward!(@unless [$($own)*] digest $inner);
        $crate::forward!(@unless [$($own)*] save $inner);
        $crate::forward!(@unless [$($own)*] load $inner);
        $crate::forward!(@unless [$($own)*] take_events $inner);
        $crate::forward!(@unless [$($own)*] take_sensed $inner);
        $crate::forward!(@unless [$($own)*] take_remarks $inner);
        $crate::forward!(@unless [$($own)*] overhear $inner);
        $crate::forward!(@unless [$($own)*] take_rerun $inner);
        $crate::forward!(@unless [$($own)*] clear_best $inner);
        $crate::forward!(@unless [$($own)*] count_best $inner);
        $crate::forward!(@unless [$($own)*] feels_contacts $inner);
        $crate::forward!(@unless [$($own)*] read_pins $inner);
        $crate::forward!(@unless [$($own)*] faults $inner);
        $crate::forward!(@unless [$($own)*] set_faults $inner);
    };
    (@unless [at $($own:ident)*] at $inner:tt) => {};
    (@unless [is_at_line $($own:ident)*] is_at_line $inner:tt) => {};
    (@unless [layout $($own:ident)*] layout $inner:tt) => {};
    (@unless [roster $($own:ident)*] roster $inner:tt) => {};
    (@unless [tick $($own:ident)*] tick $inner:tt) => {};
    (@unless [frame $($own:ident)*] frame $inner:tt) => {};
    (@unless [step $($own:ident)*] step $inner:tt) => {};
    (@unless [step_and_digest $($own:ident)*] step_and_digest $inner:tt) => {};
    (@unless [carry_out $($own:ident)*] carry_out $inner:tt) => {};
    (@unless [status $($own:ident)*] status $inner:tt) => {};
    (@unless [legal $($own:ident)*] legal $inner:tt) => {};
    (@unless [digest $($own:ident)*] digest $inner:tt) => {};
    (@unless [save $($own:ident)*] save $inner:tt) => {};
    (@unless [load $($own:ident)*] load $inner:tt) => {};
    (@unless [take_events $($own:ident)*] take_events $inner:tt) => {};
    (@unless [take_sensed $($own:ident)*] take_sensed $inner:tt) => {};
    (@unless [take_remarks $($own:ident)*] take_remarks $inner:tt) => {};
    (@unless [overhear $($own:ident)*] overhear $inner:tt) => {};
    (@unless [take_rerun $($own:ident)*] take_rerun $inner:tt) => {};
    (@unless [clear_best $($own:ident)*] clear_best $inner:tt) => {};
    (@unless [count_best $($own:ident)*] count_best $inner:tt) => {};
    (@unless [feels_contacts $($own:ident)*] feels_contacts $inner:tt) => {};
    (@unless [read_pins $($own:ident)*] read_pins $inner:tt) => {};
    (@unless [faults $($own:ident)*] faults $inner:tt) => {};
    (@unless [set_faults $($own:ident)*] set_faults $inner:tt) => {};
    (@unless [$other:ident $($own:ident)*] $method:ident $inner:tt) => {
        $crate::forward!(@unless [$($own)*] $method $inner);
    };
    (@unless [] $method:ident $inner:tt) => { $crate::forward!(@ $method $inner); };
    (@ of $driver:tt *) => { (**$driver) };
    (@ of $driver:tt $inner:tt) => { $driver.$inner };
    (@ at $inner:tt) => { fn at(&self) -> &str { $crate::forward!(@ of self $inner).at() } };
    (@ is_at_line $inner:tt) => { fn is_at_line(&self) -> bool { $crate::forward!(@ of self $inner).is_at_line() } };
    (@ layout $inner:tt) => { fn layout(&self) -> ::protocol::Layout { $crate::forward!(@ of self $inner).layout() } };
    (@ roster $inner:tt) => { fn roster(&self) -> ::protocol::Roster { $crate::forward!(@ of self $inner).roster() } };
    (@ tick $inner:tt) => { fn tick(&self) -> ::protocol::Tick { $crate::forward!(@ of self $inner).tick() } };
    (@ frame $inner:tt) => { fn frame(&self) -> &::protocol::Frame { $crate::forward!(@ of self $inner).frame() } };
    (@ step $inner:tt) => {
        fn step(&mut self, inputs: &[::protocol::Input], ticks: ::protocol::Tick)
        -> Result<(), $crate::DriverError> { $crate::forward!(@ of self $inner).step(inputs, ticks) }
    };
    (@ step_and_digest $inner:tt) => {
        fn step_and_digest(&mut self, inputs: &[::protocol::Input], ticks: ::protocol::Tick)
        -> Result<u64, $crate::DriverError> { $crate::forward!(@ of self $inner).step_and_digest(inputs, ticks) }
    };
    (@ carry_out $inner:tt) => {
        fn carry_out(&mut self, deed: &::protocol::Deed)
        -> Result<(), $crate::DriverError> { $crate::forward!(@ of self $inner).carry_out(deed) }
    };
    (@ status $inner:tt) => {
        fn status(&mut self)
        -> Result<::protocol::Status, $crate::DriverError> { $crate::forward!(@ of self $inner).status() }
    };
    (@ legal $inner:tt) => {
        fn legal(&mut self)
        -> Result<Vec<::protocol::Point>, $crate::DriverError> { $crate::forward!(@ of self $inner).legal() }
    };
    (@ digest $inner:tt) => {
        fn digest(&mut self) -> Result<u64, $crate::DriverError> { $crate::forward!(@ of self $inner).digest() }
    };
    (@ save $inner:tt) => {
        fn save(&mut self) -> Result<Vec<u8>, $crate::DriverError> { $crate::forward!(@ of self $inner).save() }
    };
    (@ load $inner:tt) => {
        fn load(&mut self, bytes: &[u8])
        -> Result<(), $crate::DriverError> { $crate::forward!(@ of self $inner).load(bytes) }
    };
    (@ clear_best $inner:tt) => {
        fn clear_best(&mut self) -> Result<(), $crate::DriverError> { $crate::forward!(@ of self $inner).clear_best() }
    };
    (@ count_best $inner:tt) => {
        fn count_best(&mut self, counts: bool)
        -> Result<(), $crate::DriverError> { $crate::forward!(@ of self $inner).count_best(counts) }
    };
    (@ take_events $inner:tt) => {
        fn take_events(&mut self) -> Vec<::protocol::StampedEvent> { $crate::forward!(@ of self $inner).take_events() }
    };
    (@ take_sensed $inner:tt) => {
        fn take_sensed(&mut self) -> Option<Vec<$crate::driver::StampedSensation>> {
            $crate::forward!(@ of self $inner).take_sensed()
        }
    };
    (@ take_remarks $inner:tt) => {
        fn take_remarks(&mut self) -> Vec<String> { $crate::forward!(@ of self $inner).take_remarks() }
    };
    (@ overhear $inner:tt) => {
        fn overhear(&mut self) -> Vec<String> { $crate::forward!(@ of self $inner).overhear() }
    };
    (@ take_rerun $inner:tt) => {
        fn take_rerun(&mut self) -> Option<$crate::recorder::Rerun> { $crate::forward!(@ of self $inner).take_rerun() }
    };
    (@ feels_contacts $inner:tt) => {
        fn feels_contacts(&self) -> bool { $crate::forward!(@ of self $inner).feels_contacts() }
    };
    (@ read_pins $inner:tt) => {
        fn read_pins(&mut self) -> Result<Option<$crate::pins::PinReading>, $crate::DriverError> {
            $crate::forward!(@ of self $inner).read_pins()
        }
    };
    (@ faults $inner:tt) => {
        fn faults(&self) -> ::firmware_core::Faults { $crate::forward!(@ of self $inner).faults() }
    };
    (@ set_faults $inner:tt) => {
        fn set_faults(&mut self, faults: ::firmware_core::Faults)
        -> Result<(), $crate::DriverError> { $crate::forward!(@ of self $inner).set_faults(faults) }
    };
}

impl<D: Driver + ?Sized> Driver for Box<D> {
    crate::forward!(*);
}

#[cfg(test)]
mod tests {
    use protocol::{Input, Layout, Tick};

    use crate::divergence::Rerun;
    use crate::driver::{CoreDriver, Driver, DriverError};

    /// A board whose firmware was rebuilt.
    struct BuiltAnew {
        inner: CoreDriver,
        rerun: Option<Rerun>,
    }

    impl Driver for BuiltAnew {
        crate::forward!(inner; own: step, step_and_digest, take_rerun);
        fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
            self.inner.step(inputs, ticks)
        }
        fn take_rerun(&mut self) -> Option<Rerun> {
            self.rerun.take()
        }
    }

    /// A boxed driver, as programs choose one at run time.
    struct Boxed {
        inner: Box<dyn Driver>,
    }

    impl Driver for Boxed {
        crate::forward!(inner);
    }

    /// Without this test, `forward!` would silently leave out methods that it does not
    /// list.
    #[test]
    fn forward_knows_every_method_of_a_driver() {
        let (source, own) = (include_str!("mod.rs"), include_str!("forward.rs"));
        let (_, trait_on) = source.split_once("pub trait Driver {").unwrap();
        let (methods, _) = trait_on.split_once("\n}\n").unwrap();
        let methods = methods.lines().filter_map(|line| {
            let (name, _) = line.strip_prefix("    fn ")?.split_once('(')?;
            Some(name)
        });
        let methods: Vec<&str> = methods.collect();
        assert!(methods.len() > 20, "{methods:?}");
        for method in methods {
            let forwarded = format!("forward!(@unless [$($own)*] {method} $inner);");
            assert!(own.contains(&forwarded), "{method}");
        }
    }

    #[test]
    fn the_rerun_of_a_boxed_board_is_forwarded_once() {
        let built_anew = BuiltAnew {
            inner: CoreDriver::new(Layout::MALDOO, 1).unwrap(),
            rerun: Some(Rerun {
                first: None,
                moves: 3,
                tick: 900,
            }),
        };
        let mut boxed = Boxed {
            inner: Box::new(built_anew),
        };
        assert!(boxed.take_rerun().is_some());
        assert!(boxed.take_rerun().is_none());
    }
}
