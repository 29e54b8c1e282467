#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let target = touchboard_tests::fuzz::target("uf2");
    (target.holds)(bytes);
});
