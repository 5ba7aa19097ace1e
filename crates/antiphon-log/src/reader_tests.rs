use super::{Log, Reader, ReaderOptions, read, read_with};
use crate::{LineEnding, Reason};

fn texts(log: &Log) -> Vec<&str> {
    log.entries.iter().map(crate::Entry::text).collect()
}

fn counts(log: &Log) -> (u64, u64, u64) {
    let lines = log.report.lines;
    (lines.total, lines.bad, lines.salvaged)
}

#[test]
fn clean_lines_keep_their_bytes() {
    let file = b"\xef\xbb\xbf {\"a\": 1.0}\t\r\n\n  \n{\"b\":\"x\xe2\x80\xa8y\xc2\x85\"}\n{\"c\":null}";
    let log = read(file);
    assert_eq!(counts(&log), (3, 0, 0));
    assert_eq!(log.report.blank, 2);
    assert!(log.report.byte_order_mark && log.report.is_clean());
    assert_eq!(log.entries[0].bytes(), b" {\"a\": 1.0}\t");
    assert_eq!(log.entries[0].ending(), LineEnding::CrLf);
    assert_eq!((log.entries[1].line(), log.entries[2].line()), (4, 5));
    let mut out = Vec::new();
    log.entries.iter().for_each(|entry| entry.write_to(&mut out));
    assert_eq!(out, b" {\"a\": 1.0}\t\r\n{\"b\":\"x\xe2\x80\xa8y\xc2\x85\"}\n{\"c\":null}\n");
}

#[test]
fn other_values_are_no_records() {
    let log = read(b"1\n[{\"a\":1}]\n\"x\"\n{}\n");
    assert_eq!(texts(&log), ["{}"]);
    assert_eq!(counts(&log), (4, 3, 0));
    assert!(log.report.problems.iter().all(|problem| matches!(problem.reason, Reason::NotAnObject(_))));
}

#[test]
fn zero_bytes_hide_nothing() {
    let log = read(b"{\"a\":1}\n\0\0\0\0\n\0\0{\"b\":2}\0\n{\"c\":3}\n\0\0\0");
    assert_eq!(texts(&log), [r#"{"a":1}"#, r#"{"b":2}"#, r#"{"c":3}"#]);
    assert_eq!(counts(&log), (5, 3, 1));
    let reasons: Vec<_> = log.report.problems.iter().map(|problem| problem.reason).collect();
    assert_eq!(reasons, [Reason::NulBlock, Reason::Padded, Reason::NulBlock]);
    assert_eq!(log.report.torn_tail().map(|problem| problem.line), Some(5));
    assert_eq!(log.entries[1].offset(), 15);
}

#[test]
fn bytes_that_are_not_utf8_cost_a_character_not_a_record() {
    let log = read(b"{\"a\":\"x\xffy\xc3\"}\n{\"b\":1}\n");
    assert_eq!(texts(&log), ["{\"a\":\"x\u{fffd}y\u{fffd}\"}", r#"{"b":1}"#]);
    assert_eq!(counts(&log), (2, 1, 1));
    assert_eq!(log.report.problems[0].reason, Reason::InvalidUtf8 { at: 7, runs: 2 });
    assert_eq!(log.report.problems[0].dropped, 0);
    assert_eq!(log.entries[0].bytes(), b"{\"a\":\"x\xffy\xc3\"}");
}

#[test]
fn splices_glue_and_tails() {
    let log = read(b"{\"t\":\"titl{\"a\":1}\n{\"b\":1}{\"c\":1}\n{\"d\":1}{\"e\":\n{\"f\":1}\n{\"g\":[1,2");
    assert_eq!(texts(&log), [r#"{"a":1}"#, r#"{"b":1}"#, r#"{"c":1}"#, r#"{"d":1}"#, r#"{"f":1}"#]);
    assert_eq!(counts(&log), (5, 4, 4));
    let problems = &log.report.problems;
    assert!(matches!(problems[0].reason, Reason::Spliced { .. }));
    assert_eq!((problems[0].dropped, &*problems[0].excerpt), (10, &b"{\"t\":\"titl"[..]));
    assert_eq!((problems[1].reason, problems[1].dropped), (Reason::Glued, 0));
    assert!(matches!(problems[2].reason, Reason::Spliced { .. }));
    assert!(matches!(problems[3].reason, Reason::Torn { at: 63 }));
    assert_eq!(problems.iter().map(crate::Problem::rule).filter(|rule| *rule == "jsonl-torn-tail").count(), 1);
    assert_eq!(problems[3].rule(), "jsonl-torn-tail");
}

#[test]
fn a_whole_record_at_the_end_is_no_torn_tail() {
    let log = read(b"{\"a\":\"x{\"b\":1}");
    assert_eq!(texts(&log), [r#"{"b":1}"#]);
    assert_eq!(log.report.problems[0].rule(), "jsonl-bad-line");
    assert!(log.report.torn_tail().is_none());
}

#[test]
fn a_record_over_several_lines_is_one_record() {
    let file = "start\n {\n  \"a\": [\n    1,\n    {\"b\": 2}\n  ],\n\n  \"c\": {}\n }\n{\"d\":1}\n";
    let log = read(file.as_bytes());
    let joined: String = texts(&log)[0].split_whitespace().collect();
    assert_eq!(joined, r#"{"a":[1,{"b":2}],"c":{}}"#);
    assert_eq!(texts(&log)[1], r#"{"d":1}"#);
    assert_eq!(counts(&log), (9, 8, 1));
    let spread = &log.report.problems[1];
    assert_eq!((spread.line, spread.last_line, spread.reason, spread.dropped), (2, 9, Reason::Spread, 0));
    assert_eq!(log.entries[0].line(), 2);
}

#[test]
fn a_torn_record_takes_no_whole_one_with_it() {
    // Each stub might go on in the next line; each next line is a record.
    for stub in ["{", "{\"a\":", "{\"a\":[", "{\"a\":[1,", "{\"a\":{\"b\":", "{\"a\":{\"b\":1},"] {
        for rest in ["{\"x\":1}\n", "{\"x\":1}\n{\"y\":1}\n", "{\"x\":1}\n{\"y\":1}"] {
            let log = read(format!("{stub}\n{rest}").as_bytes());
            let wanted: Vec<_> = rest.split_terminator('\n').collect();
            assert_eq!(texts(&log), wanted, "{stub}");
            assert_eq!(log.report.lines.bad, 1);
        }
    }
}

#[test]
fn a_pretty_printed_array_gives_its_records() {
    let log = read(b"[\n  {\n    \"a\": 1\n  },\n  {\n    \"b\": 2\n  }\n]\n");
    let joined: Vec<String> = texts(&log).iter().map(|text| text.split_whitespace().collect()).collect();
    assert_eq!(joined, [r#"{"a":1}"#, r#"{"b":2}"#]);
    assert_eq!(counts(&log), (8, 8, 2));
}

#[test]
fn a_line_over_the_limit_is_skipped_and_the_rest_is_read() {
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(100));
    let file = format!("{{\"a\":1}}\n{long}\n{{\"b\":2}}\n{long}");
    let options = ReaderOptions::default().with_max_line(50);
    let log = read_with(file.as_bytes(), options);
    assert_eq!(texts(&log), [r#"{"a":1}"#, r#"{"b":2}"#]);
    assert_eq!(counts(&log), (4, 2, 0));
    assert_eq!(log.report.problems[0].length, long.len() as u64);
    assert_eq!(log.report.problems[0].reason, Reason::TooLong { limit: 50 });
    let mut reader = Reader::new(options);
    for byte in file.bytes() {
        reader.push(&[byte]);
        assert!(reader.carry.capacity() <= 128);
    }
    assert_eq!(reader.finish(), log);
}

#[test]
fn depth_is_reported_not_split() {
    let deep = format!("{}1{}", "{\"a\":".repeat(5000), "}".repeat(5000));
    let log = read(format!("{deep}\n{{\"b\":1}}\n").as_bytes());
    assert_eq!(texts(&log), [r#"{"b":1}"#]);
    assert_eq!(log.report.problems[0].reason, Reason::TooDeep);
}

#[test]
fn problems_are_bounded() {
    let file = "{\"a\":\n x\n".repeat(1000);
    let log = read_with(file.as_bytes(), ReaderOptions::default().with_max_problems(10));
    assert_eq!(log.report.problems.len(), 10);
    assert_eq!(log.report.unlisted, 1990);
    let log = read("x\n".repeat(1000).as_bytes());
    assert_eq!(log.report.problems.len(), 1);
    assert_eq!((log.report.problems[0].last_line, log.report.problems[0].dropped), (1000, 1000));
}

#[test]
fn nothing_in_is_nothing_out() {
    let log = read(b"");
    assert!(log.entries.is_empty() && log.report.is_clean());
    assert_eq!(read(b"\n\n").report.blank, 2);
}
