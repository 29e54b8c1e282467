//! The two programs of a board: its image, and the program that measures the image's
//! code. The crate of a board names its chip and its board; the entry point, panic
//! handler and fault handler are the same for all.

/// Defines the image for this chip, with this board in it.
#[macro_export]
macro_rules! image_program {
    ($chip:ty, $board:ty) => {
        #[cortex_m_rt::entry]
        fn main() -> ! {
            static mut MEMORY: $crate::image::Memory<$board> = $crate::image::Memory::new();
            $crate::image::run::<$chip>(MEMORY)
        }

        #[panic_handler]
        fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
            $crate::image::panicked::<$chip>(info)
        }

        #[cortex_m_rt::exception]
        #[allow(unsafe_code)]
        unsafe fn HardFault(frame: &cortex_m_rt::ExceptionFrame) -> ! {
            $crate::image::faulted::<$chip>(frame)
        }
    };
}

/// Defines the program that measures the cost of the code of an image for this chip, with
/// this board in it, in this [unit](crate::instructions::Unit).
#[macro_export]
macro_rules! instructions_program {
    ($chip:ty, $board:ty, $unit:expr) => {
        #[cortex_m_rt::entry]
        fn main() -> ! {
            static mut BOARD: Option<$board> = None;
            $crate::instructions::run::<$chip>(BOARD, $unit)
        }

        #[panic_handler]
        fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
            $crate::instructions::panicked::<$chip>(info)
        }

        #[cortex_m_rt::exception]
        #[allow(unsafe_code)]
        unsafe fn HardFault(frame: &cortex_m_rt::ExceptionFrame) -> ! {
            $crate::instructions::faulted(frame)
        }
    };
}
