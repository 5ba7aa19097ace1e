//! Size and depth without a bound: linear work, memory in proportion, no overflow of the stack.
//! A debug build takes smaller ones of the same shape.

use std::io::Write;
use std::path::Path;

use crate::support::{Run, run, run_with_input, said};

const MB: usize = 1_000_000;

/// Smaller in a debug build.
const fn scaled(full: usize, debug: usize) -> usize {
    if cfg!(debug_assertions) { debug } else { full }
}

fn check(path: &Path) -> Run {
    run(&["check".as_ref(), path.as_os_str()])
}

fn fix(path: &Path) -> Run {
    run(&["fix".as_ref(), path.as_os_str()])
}

/// Writes `piece` again and again, between `head` and `tail`, up to a size.
fn write_repeated(path: &Path, head: &str, piece: &dyn Fn(usize) -> String, tail: &str, size: usize) -> usize {
    let mut out = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    out.write_all(head.as_bytes()).unwrap();
    let (mut written, mut count) = (head.len(), 0);
    while written < size {
        let text = piece(count);
        out.write_all(text.as_bytes()).unwrap();
        written += text.len();
        count += 1;
    }
    out.write_all(tail.as_bytes()).unwrap();
    out.flush().unwrap();
    count
}

/// The memory that a run may take for a file: a few copies, and what a small run takes.
#[track_caller]
fn assert_bounded(run: &Run, size: usize, times: usize) {
    let most = (size * times + 40 * MB) as u64;
    println!("{} MB file, {} MB at most", size / MB, run.peak / MB as u64);
    assert!(run.peak <= most, "{} MB for a file of {} MB", run.peak / MB as u64, size / MB);
}

#[test]
fn a_very_large_array_and_a_very_large_session() {
    let folder = tempfile::tempdir().unwrap();
    let size = scaled(300 * MB, 30 * MB);
    let long = "the quick brown fox jumps ".repeat(400);
    let turn = |at: usize| said(if at.is_multiple_of(2) { "user" } else { "assistant" }, &format!("{at} {long}"));

    let path = folder.path().join("large.json");
    let count =
        write_repeated(&path, &format!("[{}", said("user", "first")), &|at| format!(",\n{}", turn(at + 1)), "]", size);
    let checked = check(&path);
    assert!(matches!(checked.code, Some(0 | 1)), "{checked:?}");
    assert_bounded(&checked, size, 4);
    assert!(count > 1000);

    let path = folder.path().join("large.jsonl");
    write_repeated(&path, "", &|at| turn(at) + "\n", "", size);
    let checked = check(&path);
    assert!(matches!(checked.code, Some(0 | 1)), "{checked:?}");
    assert_bounded(&checked, size, 4);

    // One text of that size.
    let path = folder.path().join("one.json");
    write_repeated(&path, "[{\"role\":\"user\",\"content\":\"", &|_| long.clone(), "\"}]", size);
    let checked = check(&path);
    assert!(matches!(checked.code, Some(0 | 1)), "{checked:?}");
    assert_bounded(&checked, size, 5);

    // Nothing but noise of that size.
    let path = folder.path().join("noise.txt");
    write_repeated(&path, "", &|_| long.clone(), "", size);
    let checked = check(&path);
    checked.refuses(2, &["noise.txt", "not JSON"]);
    assert_bounded(&checked, size, 4);
}

#[test]
fn a_line_of_fifty_megabytes() {
    let folder = tempfile::tempdir().unwrap();
    let size = scaled(50 * MB, 10 * MB);
    let path = folder.path().join("line.jsonl");
    let text = "word ".repeat(size / 5) + "end";
    let lines = [said("user", &text), said("assistant", "read"), said("user", "good")].join("\n") + "\n";
    std::fs::write(&path, &lines).unwrap();
    let checked = check(&path);
    // The API itself takes 32 MB.
    assert_eq!(checked.code, Some(i32::from(size > 32 << 20)), "{checked:?}");
    assert!(checked.text().len() < 10_000, "an excerpt is short");
    assert_bounded(&checked, size, 5);
    // A torn line of that size, with a whole record behind.
    let torn = lines.replacen("end\"}", "end", 1);
    std::fs::write(&path, &torn).unwrap();
    let checked = check(&path);
    assert_eq!(checked.code, Some(1));
    assert!(checked.text().contains("line 1"), "{}", checked.text());
}

#[test]
fn a_million_tiny_messages() {
    let folder = tempfile::tempdir().unwrap();
    let count = scaled(1_000_000, 60_000);
    let turn = |at: usize| said(if at.is_multiple_of(2) { "user" } else { "assistant" }, "x");
    for (name, head, between, tail) in [("m.json", "[", ",", "]"), ("m.jsonl", "", "\n", "\n")] {
        let path = folder.path().join(name);
        let turns: Vec<String> = (0..count).map(turn).collect();
        let text = head.to_owned() + &turns.join(between) + tail;
        std::fs::write(&path, &text).unwrap();
        let checked = check(&path);
        // The API itself takes 100,000 messages.
        let code = i32::from(count > 100_000);
        assert_eq!(checked.code, Some(code), "{}", checked.stderr);
        assert_bounded(&checked, text.len(), 30);
        let fixed = fix(&path);
        assert!(fixed.stdout == text.as_bytes(), "{name}: nothing to repair, nothing changes");
    }
}

#[test]
fn a_finding_for_each_of_very_many_messages() {
    let count = scaled(200_000, 20_000);
    let text = format!("[{}]", vec![said("user", " "); count].join(","));
    let checked = run_with_input(&["check", "-"], text.as_bytes());
    assert_eq!(checked.code, Some(1));
    assert!(checked.text().contains("more findings"), "not all are printed");
    let counted = run_with_input(&["check", "-", "--format", "json"], text.as_bytes());
    assert!(counted.rules("error").len() >= count, "a machine gets them all");
}

#[test]
fn very_deep_nesting() {
    let deep = scaled(1_000_000, 10_000);
    for depth in [500, 1000, 1024, 10_000, deep] {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        let (open_object, close_object) = ("{\"a\":".repeat(depth), "}".repeat(depth));
        let texts = [
            format!("{open}{close}"),
            format!("{open_object}1{close_object}"),
            open.clone(),
            open_object.clone(),
            format!("[{{\"role\":\"user\",\"content\":{open}{close}}}]"),
            format!("[{{\"role\":\"user\",\"content\":[{open_object}1{close_object}]}}]"),
            format!("[{{\"role\":\"user\",\"content\":\"a\",\"x\":{open}{close}}}]"),
            format!(
                "[{{\"role\":\"user\",\"content\":\"a\"}},{{\"role\":\"assistant\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"n\",\"input\":{open_object}1{close_object}}}]}},{{\"role\":\"user\",\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":{open}{close}}}]}}]"
            ),
            format!(
                "{{\"messages\":[{{\"role\":\"user\",\"content\":\"a\"}}],\"metadata\":{open_object}1{close_object}}}"
            ),
        ];
        for text in &texts {
            let name = format!("{} … of {depth} levels", text.get(..60).unwrap_or_default());
            for command in ["check", "fix"] {
                let run = run_with_input(&[command, "-"], text.as_bytes());
                if run.code == Some(2) {
                    run.refuses(2, &["<stdin>"]);
                    assert!(run.stderr.len() < 1000, "{name}: {} bytes of message", run.stderr.len());
                }
            }
            let line = format!("{}\n{text}\n{}\n", said("user", "one"), said("assistant", "two"));
            let run = run_with_input(&["check", "-", "--format", "json"], line.as_bytes());
            assert!(matches!(run.code, Some(0 | 1)), "{name}: {}", run.stderr);
            assert_eq!(run.json()["lines"]["total"], 3, "{name}");
        }
    }
}

#[test]
fn result_in_result_in_result() {
    let depth = scaled(100_000, 10_000);
    let open = "{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":[".repeat(depth);
    let close = "]}".repeat(depth);
    let text = format!("[{{\"role\":\"user\",\"content\":[{open}{close}]}}]");
    let checked = run_with_input(&["check", "-"], text.as_bytes());
    assert!(checked.code <= Some(2), "{checked:?}");
    let fixed = run_with_input(&["fix", "-"], text.as_bytes());
    assert!(fixed.code <= Some(2), "{fixed:?}");
}

#[test]
fn an_id_of_a_megabyte() {
    for id in ["x".repeat(MB), "|".repeat(MB), "é\u{1f7e2}".repeat(MB / 6)] {
        let text = format!(
            r#"[{{"role":"user","content":"a"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"n","input":{{}}}}]}},{{"role":"user","content":"b"}}]"#
        );
        let checked = run_with_input(&["check", "-"], text.as_bytes());
        assert_eq!(checked.code, Some(1));
        assert!(checked.text().len() < 20_000, "{} bytes for people to read", checked.text().len());
        let fixed = run_with_input(&["fix", "-"], text.as_bytes());
        assert_eq!(fixed.code, Some(0));
        assert!(fixed.stderr.len() < 20_000, "{} bytes for people to read", fixed.stderr.len());
        assert_eq!(run_with_input(&["check", "-"], &fixed.stdout).code, Some(0));
        assert_eq!(run_with_input(&["fix", "-"], &fixed.stdout).stdout, fixed.stdout);
    }
}
