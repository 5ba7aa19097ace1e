//! Real session files: each is judged, mended, and sound afterwards.

use std::path::Path;

use antiphon_log::Entry;

use crate::expect::{lost, messages_of, recovered};
use crate::support::{Run, corpus, files, run, run_with_input, wire};

/// Runs a command on a file.
fn on(path: &Path, command: &str, more: &[&str]) -> Run {
    let mut args = vec![std::ffi::OsStr::new(command), path.as_os_str()];
    args.extend(more.iter().map(std::ffi::OsStr::new));
    run(&args)
}

/// The session files, and what is said of the others.
fn sessions() -> Vec<std::path::PathBuf> {
    let all = files(&corpus().join("claude-code"));
    let (sessions, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|path| on(path, "check", &[]).code != Some(2));
    for path in &others {
        let said = on(path, "check", &[]).stderr;
        println!("no session: {}", said.trim());
        assert!(said.contains(path.to_str().unwrap()), "{said}");
        // Only what is one JSON text of another shape, or a log of other things, may be no session.
        let log = antiphon_log::read(&std::fs::read(path).unwrap());
        let a_message = |entry: &Entry| entry.raw().member("message").is_some_and(|m| m.member("role").is_some());
        let holds_one = path.extension().is_some_and(|e| e == "jsonl") && log.entries.iter().any(a_message);
        assert!(!holds_one, "{}: {said}", path.display());
    }
    sessions
}

#[test]
fn real_sessions_are_sound_after_fix() {
    let folder = tempfile::tempdir().unwrap();
    let (mut files, mut messages, mut errors, mut damaged) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    for path in sessions() {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let before = std::fs::read(&path).unwrap();
        let checked = on(&path, "check", &["--format", "json"]);
        let report = checked.json();
        files += 1;
        errors += checked.rules("error").len();
        damaged += report["lines"]["bad"].as_u64().unwrap_or(0);
        if path.extension().is_some_and(|e| e == "jsonl") {
            let blank = |line: &&[u8]| !line.iter().all(u8::is_ascii_whitespace);
            let lines = before.split(|b| *b == b'\n').filter(blank).count();
            assert_eq!(report["lines"]["total"], lines, "{name}: every line is accounted for");
        }

        let out = folder.path().join(&name);
        let once = on(&path, "fix", &["--output", out.to_str().unwrap()]);
        assert!(std::fs::read(&path).unwrap() == before, "{name} was touched");
        if once.code != Some(0) {
            wrong.push(format!("{name}: {}", once.stderr));
            continue;
        }
        let again = on(&out, "check", &["--format", "json"]);
        if again.code != Some(0) {
            wrong.push(format!("{name}: after fix {:?}", again.rules("error")));
        }
        let twice = on(&out, "fix", &[]);
        if twice.stdout != std::fs::read(&out).unwrap() {
            wrong.push(format!("{name}: a second fix changes it: {}", twice.stderr));
        }
        if checked.code == Some(0)
            && once.stderr.contains("nothing to repair")
            && std::fs::read(&out).unwrap() != before
        {
            wrong.push(format!("{name}: nothing to repair, yet the bytes differ"));
        }

        if report["findings"].as_array().unwrap().iter().any(|f| f["rule"] == "no-messages") {
            println!("no turn yet: {name}");
            continue;
        }
        let array = on(&path, "fix", &["--as", "messages"]);
        let sound = run_with_input(&["check", "-", "--format", "json"], &array.stdout);
        if sound.code != Some(0) {
            wrong.push(format!("{name}: as messages {:?}", sound.rules("error")));
        }
        let back = run_with_input(&["fix", "-"], &array.stdout);
        if back.stdout != array.stdout {
            wrong.push(format!("{name}: as messages, a fix changes it: {}", back.stderr));
        }
        if path.extension().is_some_and(|e| e == "jsonl") {
            let input: Vec<_> = recovered(&before).iter().map(wire).collect();
            let output = messages_of(&array.stdout);
            messages += input.len();
            let lost = lost(&input, &output);
            if !lost.is_empty() {
                wrong.push(format!("{name}: words are lost: {lost:?}"));
            }
        }
    }
    println!("{files} sessions, {messages} messages, {errors} errors found, {damaged} damaged lines");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Findings point at lines of the file, and no excerpt is longer than a terminal is wide.
#[test]
fn findings_of_real_sessions_can_be_read() {
    for path in sessions() {
        let checked = on(&path, "check", &[]);
        let text = checked.text();
        let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(longest < 400, "{}: a line of {longest} characters", path.display());
        assert!(text.contains(path.to_str().unwrap()));
    }
}
