//! Input that is not what was promised: a clear word with the place, the right exit code, no panic, and the file
//! is as it was.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::support::{Run, command, finish, run, run_with_input, said};

/// A folder with files that must still be what they were when the test ends.
struct Folder {
    folder: tempfile::TempDir,
    files: Vec<(PathBuf, Vec<u8>)>,
}

impl Folder {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), files: Vec::new() }
    }

    fn file(&mut self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, &bytes).unwrap();
        self.files.push((path.clone(), bytes.as_ref().to_owned()));
        path
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            for (path, bytes) in &self.files {
                assert!(std::fs::read(path).unwrap() == *bytes, "{} was touched", path.display());
            }
        }
    }
}

fn check(path: &Path) -> Run {
    run(&["check".as_ref(), path.as_os_str()])
}

fn fix(path: &Path) -> Run {
    run(&["fix".as_ref(), path.as_os_str()])
}

/// Both commands refuse the bytes as a file with exit code 2, and name the file and each of `parts`.
#[track_caller]
fn refused(name: &str, bytes: impl AsRef<[u8]>, parts: &[&str]) {
    let mut folder = Folder::new();
    let path = folder.file(name, bytes);
    for run in [check(&path), fix(&path)] {
        run.refuses(2, parts);
        run.refuses(2, &[path.to_str().unwrap()]);
        assert!(run.stdout.is_empty(), "{run:?}");
        assert!(run.stderr.len() < 2000, "a message is to be read: {} bytes", run.stderr.len());
    }
}

#[test]
fn what_is_no_json_is_refused_with_the_place() {
    refused("a.json", "hello", &["not JSON", "line 1 column 1"]);
    refused("a.json", "[{\"role\":\"user\",\n \"content\":\"a\"},\n {\"role\":}]", &["line 3 column 10"]);
    refused("a.json", "[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assi", &["line 1", "end"]);
    refused("a.json", "[{\"role\":\"user\",\"content\":\"a\"}] x", &["line 1 column 33"]);
    refused("a.json", "[1e9999,\"\\q\"]", &["line 1"]);
    refused("a.jsonl", "what\nis\nthis\n", &["line 1 column 1"]);
}

/// The lines of a broken document hold whole objects. They are not taken for the records of a session: a repair
/// of those would throw the conversation away.
#[test]
fn a_broken_document_is_no_session() {
    let value = serde_json::json!([
        {"role": "user", "content": "Read it."},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "read", "input": {"path": "a"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "text"}]}
    ]);
    for value in [serde_json::json!({"messages": value, "max_tokens": 9}), value] {
        let text = serde_json::to_string_pretty(&value).unwrap();
        refused("a.json", text.trim_end_matches(['}', ']']), &["not JSON", "at line"]);
        refused("a.json", text.replacen("\"role\"", "\"role", 1), &["not JSON", "at line"]);
        refused("a.json", text.replacen("Read it.", "Read\0 it.", 1), &["not JSON", "at line"]);
        refused("a.json", text + "\n}", &["not JSON", "at line"]);
    }
}

/// A result whose call is lost is dropped, but not where nothing else is left: then its text stays.
#[test]
fn a_repair_leaves_something_to_go_on_with() {
    let result = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"the text"}]}"#;
    let record = format!(r#"{{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","message":{result}}}"#);
    for text in [format!("[{result}]"), format!("{result}\n"), format!("{record}\n")] {
        let fixed = run_with_input(&["fix", "-"], text.as_bytes());
        assert_eq!(fixed.code, Some(0), "{fixed:?}");
        assert!(fixed.text().contains("the text") && !fixed.text().contains("tool_result"), "{fixed:?}");
        assert_eq!(run_with_input(&["check", "-"], &fixed.stdout).code, Some(0), "{fixed:?}");
        assert!(run_with_input(&["fix", "-"], &fixed.stdout).stdout == fixed.stdout);
    }
}

/// Records written over several lines are read, if the first one is whole.
#[test]
fn a_session_of_records_over_several_lines_is_read() {
    let turn = |role: &str| serde_json::to_string_pretty(&serde_json::json!({"role": role, "content": "a"})).unwrap();
    let text = turn("user") + "\n" + &turn("assistant") + "\n" + &turn("user") + "\n";
    let fixed = run_with_input(&["fix", "-"], text.as_bytes());
    assert_eq!(fixed.code, Some(0), "{fixed:?}");
    assert_eq!(fixed.text().lines().count(), 3, "{fixed:?}");
    assert_eq!(run_with_input(&["check", "-"], &fixed.stdout).code, Some(0));
}

#[test]
fn nothing_is_called_nothing() {
    refused("a.json", "", &["empty"]);
    refused("a.jsonl", "", &["empty"]);
    refused("a.json", " \n\t\r\n", &["white space"]);
    refused("a.json", "\u{feff}", &["white space"]);
    refused("a.jsonl", "\n".repeat(100_000), &["white space"]);
}

#[test]
fn json_that_is_no_conversation_is_refused() {
    refused("a.json", "3", &["number"]);
    refused("a.json", "null", &["null"]);
    refused("a.json", "\"text\"", &["string"]);
    refused("a.json", "{\"model\":\"m\"}", &["messages"]);
    refused("a.json", "{\"messages\":7}", &["messages"]);
    refused("a.json", "{\n \"model\": \"m\",\n \"n\": 1\n}", &["messages"]);
    refused("a.json", "[1,2,3]", &["no message", "line 1", "a number"]);
    refused("a.json", "[\n [],\n []\n]", &["no message", "line 2", "array"]);
    refused("a.json", "[\n {\"type\":\"system\",\"x\":1}]", &["no message", "line 2", "type, x"]);
    refused("a.jsonl", "{\"a\":1}\n{\"b\":2}\n", &["no message"]);
    refused("a.jsonl", "1\n2\n3\n", &["line 2 column 1"]);
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let noise: Vec<u8> = (0..50_000u32).map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
    refused("a.bin", &noise, &["not JSON"]);
    refused("a.bin", [0u8; 4096], &["not JSON"]);
    refused("a.elf", b"\x7fELF\x02\x01\x01\x00\x00", &["not JSON", "byte"]);
    let wide: Vec<u8> = "\u{feff}[{\"role\":\"user\"}]".encode_utf16().flat_map(u16::to_le_bytes).collect();
    refused("a.json", wide, &["not JSON"]);
}

#[test]
fn bytes_that_are_not_utf_8_inside_a_document_are_found_and_mended() {
    let mut folder = Folder::new();
    let path = folder.file("a.json", b"[{\"role\":\"user\",\"content\":\"caf\xe9 please\"}]");
    let checked = run(&["check".as_ref(), path.as_os_str(), "--format".as_ref(), "json".as_ref()]);
    assert_eq!(checked.code, Some(1));
    assert_eq!(checked.rules("error"), ["invalid-utf8"]);
    assert!(checked.text().contains("30"), "the byte is named: {}", checked.text());
    let fixed = fix(&path);
    assert_eq!(fixed.code, Some(0));
    assert!(fixed.text().contains("caf\u{fffd} please"), "{}", fixed.text());
}

#[test]
fn bytes_that_are_not_utf_8_inside_a_session_are_found_and_mended() {
    let mut folder = Folder::new();
    let path = folder.file("a.jsonl", b"{\"role\":\"user\",\"content\":\"one\"}\n{\"role\":\"assistant\",\"content\":\"caf\xe9\"}\n{\"role\":\"user\",\"content\":\"two\"}\n");
    let checked = check(&path);
    assert_eq!(checked.code, Some(1));
    assert!(checked.text().contains(":2"), "the line is named: {}", checked.text());
    let fixed = fix(&path);
    assert_eq!(fixed.code, Some(0));
    assert!(fixed.text().contains("one") && fixed.text().contains("two"), "{}", fixed.text());
    assert_eq!(run_with_input(&["check", "-"], &fixed.stdout).code, Some(0));
}

#[test]
fn a_directory_a_missing_file_and_a_loop_of_links_are_named() {
    let folder = Folder::new();
    let name = folder.path().to_str().unwrap();
    for run in [check(folder.path()), fix(folder.path())] {
        run.refuses(2, &["is a directory", name]);
    }
    let missing = folder.path().join("missing.json");
    for run in [check(&missing), fix(&missing)] {
        run.refuses(2, &["missing.json", "No such file"]);
    }
}

#[cfg(unix)]
#[test]
fn a_loop_of_links_is_named() {
    let folder = Folder::new();
    let (one, two) = (folder.path().join("one.json"), folder.path().join("two.json"));
    std::os::unix::fs::symlink(&two, &one).unwrap();
    std::os::unix::fs::symlink(&one, &two).unwrap();
    for run in [check(&one), fix(&one), run(&["fix".as_ref(), one.as_os_str(), "--in-place".as_ref()])] {
        run.refuses(2, &["one.json", "symbolic link"]);
    }
    let sound = said("user", "a");
    let out = run_with_input(
        &["fix".as_ref(), "-".as_ref(), "--output".as_ref(), one.as_os_str()],
        format!("[{sound}]").as_bytes(),
    );
    out.refuses(2, &["one.json"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_named() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let mut folder = Folder::new();
    let path = folder.file("secret.json", format!("[{}]", said("user", "a")));
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o000)).unwrap();
    let mut check = command();
    check.arg("check").arg(&path);
    if std::fs::read(&path).is_ok() {
        // Nothing is forbidden to this user: ask as another one, if that one can run the binary.
        check.uid(65534);
        if command().arg("--version").uid(65534).stdout(Stdio::null()).status().is_err() {
            println!("skipped: every file is readable to this user");
            return;
        }
    }
    finish(&mut check, b"").refuses(2, &["secret.json", "Permission denied"]);
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
}

#[test]
fn other_files_are_still_checked() {
    let mut folder = Folder::new();
    let bad = folder.file("bad.json", "nope");
    let good = folder.file("good.json", format!("[{}]", said("user", "a")));
    let faulty = folder.file("faulty.json", "[]");
    let run = run(&["check".as_ref(), bad.as_os_str(), faulty.as_os_str(), good.as_os_str()]);
    run.refuses(2, &["bad.json"]);
    assert!(run.text().contains("good.json") && run.text().contains("faulty.json"), "{run:?}");
}

#[test]
fn marks_and_line_ends_of_other_systems_are_read() {
    for text in ["\u{feff}[{}]", "\u{feff}[\r\n {}\r\n]\r\n", "[\r{}\r]"] {
        let text = text.replace("{}", &said("user", "a\\r\\nb"));
        let checked = run_with_input(&["check", "-"], text.as_bytes());
        assert_eq!(checked.code, Some(0), "{checked:?}");
        let fixed = run_with_input(&["fix", "-"], text.as_bytes());
        assert_eq!(fixed.text(), text.trim_start_matches('\u{feff}'), "nothing else changes");
    }
}

#[test]
fn a_repeated_key_is_no_reason_to_fail() {
    let text = br#"[{"role":"user","content":"a","content":"b"},{"role":"assistant","role":"user","content":"c"}]"#;
    let checked = run_with_input(&["check", "-", "--format", "json"], text);
    let fixed = run_with_input(&["fix", "-"], text);
    assert_eq!(fixed.code, Some(0), "{fixed:?}");
    let again = run_with_input(&["check", "-", "--format", "json"], &fixed.stdout);
    assert_eq!(again.rules("error"), [""; 0], "{} then {}", checked.text(), fixed.text());
}

#[test]
fn standard_input_is_named_too() {
    run_with_input(&["check", "-"], b"nope").refuses(2, &["<stdin>", "line 1 column 1"]);
    run_with_input(&["check", "-"], b"").refuses(2, &["<stdin>", "empty"]);
    let checked = run_with_input(&["check", "-"], format!("[{}]", said("user", "a")).as_bytes());
    assert_eq!(checked.code, Some(0));
    assert!(checked.text().contains("<stdin>: no findings"), "{}", checked.text());
}

#[test]
fn what_a_terminal_would_act_on_is_not_printed() {
    let text = "[{\"role\":\"user\u{1b}[31m\",\"content\":\"\u{1b}]0;title\u{7}x\"},{\"role\":\"user\",\"content\":[{\"type\":\"\\u001b[2J\"}]}]";
    let path_part = "\u{1b}[5m";
    for text in [text.to_owned(), format!("[{path_part}]")] {
        let checked = run_with_input(&["check", "-"], text.as_bytes());
        let all = checked.text().to_owned() + &checked.stderr;
        assert!(!all.contains(['\u{1b}', '\u{7}']), "{all:?}");
        let fixed = run_with_input(&["fix", "-"], text.as_bytes());
        assert!(!fixed.stderr.contains(['\u{1b}', '\u{7}']), "{:?}", fixed.stderr);
    }
}

/// A finding shows where it is in the file, not in the excerpt, and a value over several lines on one.
#[test]
fn places_are_those_of_the_file() {
    let long = "x".repeat(500);
    let text = said("user", &long)
        + "\n"
        + &format!(r#"{{"role":"user","note":"{long}","content":[{{"type":"text","text":" "}}]}}"#);
    let checked = run_with_input(&["check", "-"], text.as_bytes());
    assert!(checked.text().contains("<stdin>:2:537"), "{}", checked.text());
    let text = "[\n {\"role\":\"user\",\"content\":\"a\"},\n {\"role\":\"assistant\",\"content\":[\n  {\n   \"type\":\"tool_use\",\n   \"id\":\"t 1\",\n   \"name\":\"n\",\n   \"input\":{}\n  }\n ]}\n]";
    let checked = run_with_input(&["check", "-"], text.as_bytes());
    assert!(checked.text().contains("<stdin>:4:3"), "{}", checked.text());
    let shown = r#"4 |   {"type":"tool_use","id":"t 1","name":"n","input":{}}"#;
    assert!(checked.text().contains(shown), "{}", checked.text());
}

#[test]
fn wrong_usage_is_told_with_what_would_be_right() {
    let file = format!("[{}]", said("user", "a"));
    let with = |args: &[&str]| run_with_input(args, file.as_bytes());
    with(&["fix", "-", "--only", "no-such-rule"]).refuses(2, &["no-such-rule", "antiphon explain"]);
    with(&["check", "-", "--profile", "nobody"]).refuses(2, &["nobody", "bedrock", "strict"]);
    with(&["fix", "-", "--profile", "nobody"]).refuses(2, &["nobody", "bedrock", "strict"]);
    with(&["fix", "-", "--in-place"]).refuses(2, &["--in-place", "standard input"]);
    with(&["fix", "-", "--no-backup"]).refuses(2, &["--in-place"]);
    with(&["fix", "a", "--in-place", "--output", "b"]).refuses(2, &["cannot be used with"]);
    with(&["fix", "a", "--in-place", "--as", "messages"]).refuses(2, &["cannot be used with"]);
    with(&["check", "-", "--input", "poetry"]).refuses(2, &["poetry", "claude-code"]);
    with(&["check"]).refuses(2, &["<FILE>"]);
    with(&["sing"]).refuses(2, &["sing"]);
    with(&[]).refuses(2, &["Usage"]);
    with(&["explain", "sunshine and rain"]).refuses(1, &["sunshine and rain"]);
}

#[test]
fn what_was_read_as_something_else_is_refused() {
    let array = format!("[{}]", said("user", "a"));
    run_with_input(&["check", "-", "--input", "jsonl"], array.as_bytes()).refuses(2, &["<stdin>"]);
    run_with_input(&["check", "-", "--input", "claude-code"], array.as_bytes()).refuses(2, &["<stdin>"]);
    let line = said("user", "a") + "\n" + &said("assistant", "b") + "\n";
    run_with_input(&["check", "-", "--input", "messages"], line.as_bytes()).refuses(2, &["<stdin>"]);
}

/// A reader that goes away is not worth a word; one that is full is.
#[cfg(unix)]
#[test]
fn an_output_that_ends_early_is_no_panic() {
    let many: Vec<String> = (0..3000).map(|_| said("user", " ")).collect();
    let text = format!("[{}]", many.join(","));
    let mut folder = Folder::new();
    let path = folder.file("many.json", &text);
    let binary = env!("CARGO_BIN_EXE_antiphon");
    for args in [
        "check FILE",
        "check FILE --format json",
        "fix FILE",
        "fix FILE --diff",
        "explain",
        "explain --format json",
        "--help",
    ] {
        for shape in [
            "{ BIN ARGS; echo $? >CODE; } 2>ERR | head -c 1 >/dev/null",
            "BIN ARGS >&- 2>ERR; echo $? >CODE",
            "BIN ARGS >/dev/full 2>ERR; echo $? >CODE",
            "BIN ARGS >/dev/null 2>/dev/full; echo $? >CODE",
            "BIN ARGS >/dev/null 2>&-; echo $? >CODE",
            "{ BIN ARGS 2>&1 >/dev/null; echo $? >CODE; } | true",
        ] {
            let (code, err) = (folder.path().join("code"), folder.path().join("err"));
            let _ = std::fs::remove_file(&err);
            let script = shape
                .replace("ARGS", args)
                .replace("BIN", binary)
                .replace("FILE", path.to_str().unwrap())
                .replace("CODE", code.to_str().unwrap())
                .replace("ERR", err.to_str().unwrap());
            std::process::Command::new("sh").arg("-c").arg(&script).status().unwrap();
            let code = std::fs::read_to_string(&code).unwrap();
            let said = std::fs::read_to_string(&err).unwrap_or_default();
            assert!(["0", "1", "2"].contains(&code.trim()), "{script}: {code}{said}");
            assert!(!said.contains("panicked"), "{script}: {said}");
            if shape.contains(">/dev/full 2>ERR") {
                assert_eq!(code.trim(), "2", "{script}: {said}");
                assert!(said.contains("No space left"), "{script}: {said}");
            }
        }
    }
}
