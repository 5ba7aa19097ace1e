use antiphon_log::{Entry, Log, Reader, ReaderOptions, needs_line_end, read, read_with, write_record};
use antiphon_model::RawJson;
use proptest::prelude::*;

/// Records as programs write them, odd content included.
fn record() -> impl Strategy<Value = String> {
    let text = "[ -~é漢\u{2028}\u{85}]{0,20}|(\\{\"a\":1\\})|\\{|\\}\\{\"|\\\\";
    let value = prop_oneof![
        text.prop_map(|text| serde_json::to_string(&text).unwrap()),
        Just("{\"type\":\"text\",\"text\":\"a \\\"b\\\" \\u00e9\"}".to_owned()),
        Just("[{\"x\":1.10},[],{},null]".to_owned()),
        Just("-12.5e+3".to_owned()),
    ];
    (value.clone(), value, any::<bool>()).prop_map(|(a, b, spaced)| {
        let gap = if spaced { " " } else { "" };
        format!("{{\"type\":{gap}\"user\",\"uuid\":\"u\",{gap}\"a\":{a},\"b\":{gap}{b}}}")
    })
}

/// Bytes near what a log holds, so that every path of the reader is met.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => record().prop_map(String::into_bytes),
        2 => (record(), any::<prop::sample::Index>()).prop_map(|(record, at)| {
            let bytes = record.into_bytes();
            let cut = at.index(bytes.len());
            bytes[..cut].to_vec()
        }),
        1 => prop::collection::vec(any::<u8>(), 0..12),
        1 => Just(vec![0; 5]),
        1 => prop::sample::select(vec!["{", "}", "\"", "[", "]", ",", ":", "\\", " ", "\t", "1", "null", "\u{feff}"])
            .prop_map(|text| text.as_bytes().to_vec()),
        1 => Just(b"{\n \"a\": [\n  1\n ]\n}\n".to_vec()),
        5 => Just(b"\n".to_vec()),
        1 => Just(b"\r\n".to_vec()),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn in_pieces(bytes: &[u8], cuts: &[prop::sample::Index], options: ReaderOptions) -> Log {
    let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    at.push(bytes.len());
    at.sort_unstable();
    let mut reader = Reader::new(options);
    let mut entries = Vec::new();
    let mut from = 0;
    for to in at {
        reader.push(&bytes[from..to]);
        entries.extend(reader.drain());
        from = to;
    }
    let mut log = reader.finish();
    entries.append(&mut log.entries);
    Log { entries, report: log.report }
}

/// Each byte stands in an entry's line, in a problem's range, or is white space between lines.
fn check_account(bytes: &[u8], log: &Log) {
    let mut seen = vec![false; bytes.len()];
    if log.report.byte_order_mark {
        seen[..3].fill(true);
    }
    for entry in log.entries.iter().filter(|entry| !entry.is_salvaged()) {
        let from = usize::try_from(entry.offset()).unwrap();
        let range = from..from + entry.bytes().len();
        assert_eq!(&bytes[range.clone()], entry.bytes());
        assert!(!seen[range.clone()].contains(&true));
        seen[range].fill(true);
    }
    for problem in &log.report.problems {
        let from = usize::try_from(problem.offset).unwrap();
        let range = from..from + usize::try_from(problem.length).unwrap();
        assert!(!seen[range.clone()].contains(&true), "{problem:?}");
        seen[range].fill(true);
    }
    for (byte, seen) in bytes.iter().zip(seen) {
        assert!(seen || matches!(byte, b' ' | b'\t' | b'\r' | b'\n'), "a byte is in no entry and no problem");
    }
    let lines = log.report.lines;
    let own_line = log.entries.iter().filter(|entry| !entry.is_salvaged()).count() as u64;
    assert_eq!(log.report.bytes, bytes.len() as u64);
    assert_eq!(lines.total, own_line + lines.bad);
    assert_eq!(log.report.records, own_line + lines.salvaged);
    assert_eq!(log.report.records, log.entries.len() as u64);
    assert_eq!(log.report.is_clean(), lines.bad == 0);
}

fn texts(log: &Log) -> Vec<&str> {
    log.entries.iter().map(Entry::text).collect()
}

/// Records that hold messages, or look as if they did.
fn with_messages() -> impl Strategy<Value = Vec<u8>> {
    let record = prop::sample::select(vec![
        r#"{"role":"user","content":"hi"}"#,
        r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"a"}]}}"#,
        r#"{"r\u006fle":"user","message":{"role":"user","content":"x"}}"#,
        r#"{"m\u0065ssage":{"role":"assistant","content":"x"}}"#,
        r#"{"message":{"role":"user","content":"x"},"message":"text"}"#,
        r#"{"message":5,"role":"assistant","content":"x"}"#,
        r#"{"message":{"role":"user","content":"x"},"role":"user"}"#,
        r#"{"message":{}}"#,
        r#"{"role":null}"#,
        r#"{"role":"tool_use","id":"t","name":"f","input":{}}"#,
        "  { \"message\" : {\"role\":\"user\",\"content\":\"x\"} } ",
        "[]",
    ]);
    let line = prop_oneof![3 => record.prop_map(|r| r.as_bytes().to_vec()), 1 => soup()];
    prop::collection::vec(line, 0..12).prop_map(|lines| lines.join(&b'\n'))
}

proptest! {
    #[test]
    fn messages_read_with_the_line_are_those_read_when_asked_for(bytes in with_messages()) {
        let lazy = read(&bytes);
        let eager = read_with(&bytes, ReaderOptions::default().with_messages(true));
        prop_assert_eq!(&lazy, &eager);
        for (a, b) in lazy.entries.iter().zip(&eager.entries) {
            prop_assert_eq!(a.message(), b.message(), "{}", a.text());
        }
    }
}

proptest! {
    #[test]
    fn pieces_make_no_difference(bytes in soup(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..9), small in any::<bool>()) {
        let options = if small { ReaderOptions::default().with_max_line(40) } else { ReaderOptions::default() };
        let whole = read_with(&bytes, options);
        check_account(&bytes, &whole);
        prop_assert_eq!(in_pieces(&bytes, &cuts, options), whole);
    }

    #[test]
    fn what_is_written_is_read_back(records in prop::collection::vec(record(), 0..9)) {
        let mut out = Vec::new();
        for record in &records {
            write_record(RawJson::parse(record).unwrap().as_ref(), &mut out);
        }
        let log = read(&out);
        prop_assert!(log.report.is_clean());
        prop_assert_eq!(log.entries.len(), records.len());
        for (entry, record) in log.entries.iter().zip(&records) {
            let record = RawJson::parse(record).unwrap();
            prop_assert!(entry.raw().equivalent(record.as_ref()));
        }
        let text = String::from_utf8(out).unwrap();
        let separators = text.contains(['\u{2028}', '\u{2029}']);
        prop_assert!(!separators);
    }

    #[test]
    fn untouched_entries_are_written_back_byte_for_byte(records in prop::collection::vec(record(), 0..9), crlf in any::<bool>()) {
        let end = if crlf { "\r\n" } else { "\n" };
        let file: String = records.iter().flat_map(|record| [record.as_str(), end]).collect();
        let mut out = Vec::new();
        read(file.as_bytes()).entries.iter().for_each(|entry| entry.write_to(&mut out));
        prop_assert_eq!(out, file.into_bytes());
    }

    /// A writer dies at any byte; the next one appends, with or without a look at the last byte.
    #[test]
    fn a_torn_append_costs_only_itself(
        before in prop::collection::vec(record(), 1..4),
        torn in record(),
        at in any::<prop::sample::Index>(),
        after in prop::collection::vec(record(), 0..4),
        careful in any::<bool>(),
    ) {
        let mut file: Vec<u8> = before.iter().flat_map(|record| [record.as_bytes(), b"\n"]).flatten().copied().collect();
        let cut = at.index(torn.len());
        file.extend_from_slice(&torn.as_bytes()[..cut]);
        if careful && needs_line_end(file.last().copied()) {
            file.push(b'\n');
        }
        for record in &after {
            file.extend_from_slice(record.as_bytes());
            file.push(b'\n');
        }
        let log = read(&file);
        let wanted: Vec<_> = before.iter().chain(&after).map(String::as_str).collect();
        prop_assert_eq!(texts(&log), wanted);
        prop_assert_eq!(log.report.lines.bad, u64::from(cut > 0));
        check_account(&file, &log);
    }

    #[test]
    fn zero_blocks_and_glue_cost_nothing(records in prop::collection::vec((record(), 0..4usize, 0..3usize), 1..8)) {
        let mut file = Vec::new();
        for (record, zeros, end) in &records {
            file.extend(vec![0; *zeros * 100]);
            file.extend_from_slice(record.as_bytes());
            file.extend_from_slice([&b"\n"[..], b"", b"\0\n\0\0\n"][*end]);
        }
        let log = read(&file);
        let wanted: Vec<_> = records.iter().map(|(record, _, _)| record.as_str()).collect();
        prop_assert_eq!(texts(&log), wanted);
        check_account(&file, &log);
    }

    #[test]
    fn arbitrary_bytes_are_accounted_for(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check_account(&bytes, &read(&bytes));
    }
}
