//! The session cases: counts of lines, broken rules, and memory.

use std::path::{Path, PathBuf};

use antiphon_log::{Log, Reader, ReaderOptions, read, read_with};

pub(crate) fn folder() -> PathBuf {
    std::env::var_os("ANTIPHON_CASES")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cases"), PathBuf::from)
}

fn session_cases() -> Vec<(PathBuf, serde_json::Value)> {
    let Ok(files) = std::fs::read_dir(folder()) else {
        println!("skipped: no cases in {}", folder().display());
        return Vec::new();
    };
    let mut cases: Vec<_> = files
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .map(|path| {
            let expect = std::fs::read(path.with_extension("expect.json")).unwrap();
            (path, serde_json::from_slice(&expect).unwrap())
        })
        .collect();
    cases.sort_by(|a, b| a.0.cmp(&b.0));
    cases
}

fn rules(log: &Log) -> Vec<&'static str> {
    let mut rules: Vec<_> = log.report.problems.iter().map(antiphon_log::Problem::rule).collect();
    rules.dedup();
    rules
}

#[test]
fn lines_and_rules_are_as_expected() {
    for (path, expect) in session_cases() {
        let log = read(&std::fs::read(&path).unwrap());
        let name = path.display();
        for (field, count) in
            [("total", log.report.lines.total), ("bad", log.report.lines.bad), ("salvaged", log.report.lines.salvaged)]
        {
            assert_eq!(expect["lines"][field], count, "{name}: {field}");
        }
        let wanted: Vec<_> = expect["violations"].as_array().unwrap().iter().filter_map(|id| id.as_str()).collect();
        let wanted: Vec<_> = wanted.into_iter().filter(|id| id.starts_with("jsonl-")).collect();
        assert_eq!(rules(&log), wanted, "{name}");
    }
}

#[test]
fn an_append_after_any_case_is_read() {
    let record = br#"{"role":"user","content":"appended"}"#;
    for (path, _) in session_cases() {
        let mut bytes = std::fs::read(&path).unwrap();
        let before = read(&bytes);
        if antiphon_log::needs_line_end(bytes.last().copied()) {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(record);
        bytes.push(b'\n');
        let after = read(&bytes);
        assert_eq!(after.entries.len(), before.entries.len() + 1, "{}", path.display());
        assert_eq!(after.entries.last().unwrap().bytes(), record);
        for (a, b) in before.entries.iter().zip(&after.entries) {
            assert_eq!(a.text(), b.text());
        }
    }
}

#[test]
fn the_long_line_can_be_scanned_or_refused() {
    let Some((path, _)) = session_cases().into_iter().find(|(path, _)| path.ends_with("43-very-long-line.jsonl"))
    else {
        println!("skipped: the case is not there");
        return;
    };
    let file = std::fs::read(path).unwrap();
    let log = read_with(&file, ReaderOptions::default().with_max_line(100_000));
    assert_eq!((log.entries.len(), log.report.problems.len()), (3, 1));
    assert_eq!(log.report.problems[0].line, 3);
    assert!(log.report.problems[0].length > 288_000);

    let mut reader = Reader::default();
    let mut most = 0;
    for _ in 0..200 {
        for chunk in file.chunks(64 << 10) {
            reader.push(chunk);
            most = most.max(reader.drain().map(|entry| entry.bytes().len()).sum());
        }
    }
    let log = reader.finish();
    assert!(log.entries.is_empty());
    assert_eq!(log.report.lines.total, 800);
    assert!(most < 2 * file.len(), "a scan holds no more than the lines of one chunk");
}
