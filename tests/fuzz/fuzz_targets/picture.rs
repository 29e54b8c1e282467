#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let target = touchboard_tests::fuzz::target("picture");
    (target.holds)(bytes);
});
