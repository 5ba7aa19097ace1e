//! Replays the corpora of the fuzz targets (`fuzz/corpus/NAME`, and what was found before in `fuzz/regressions/NAME`)
//! on stable.

use std::path::Path;

use antiphon_stream::testkit;

fn replay(name: &str, body: fn(&[u8])) {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let mut count = 0;
    for folder in ["corpus", "regressions"] {
        for entry in std::fs::read_dir(fuzz.join(folder).join(name)).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_file() {
                body(&std::fs::read(&path).unwrap());
                count += 1;
            }
        }
    }
    println!("{name}: {count} inputs");
    assert!(count > 0, "no corpus for {name} in {}", fuzz.display());
}

#[test]
fn sse() {
    replay("stream_sse", testkit::sse);
}

#[test]
fn message() {
    replay("stream_message", testkit::message);
}

#[test]
fn json() {
    replay("stream_json", testkit::json);
}
