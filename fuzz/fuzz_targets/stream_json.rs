#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| antiphon_stream::testkit::json(data));
