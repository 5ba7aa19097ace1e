#![allow(clippy::string_slice)] // ASCII only

use super::salvage;
use crate::shape::Shapes;

fn records(line: &str, terminated: bool) -> Vec<&str> {
    let mut shapes = Shapes::default();
    shapes.note(WHOLE.as_bytes());
    salvage(line.as_bytes(), terminated, &shapes).records.into_iter().map(|range| &line[range]).collect()
}

const WHOLE: &str =
    r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"a {\"b\":1} c"}]},"n":1}"#;

#[test]
fn a_record_behind_a_stub_is_found_wherever_the_stub_ends() {
    let stub = r#"{"type":"assistant","x":[1,-2.5,true,{"q":{}}],"message":{"role":"assistant","content":[{"type":"text","text":"one \u00e9 \\ two"},{"type":"tool_use","input":{"a":{}}}],"u":null}"#;
    for cut in 1..=stub.len() {
        let line = format!("{}{WHOLE}", &stub[..cut]);
        assert_eq!(records(&line, true), [WHOLE], "cut at {cut}: {line}");
    }
}

#[test]
fn a_stub_behind_a_record_costs_nothing_but_itself() {
    for cut in 1..WHOLE.len() {
        let line = format!("{WHOLE}{}", &WHOLE[..cut]);
        assert_eq!(records(&line, false), [WHOLE], "cut at {cut}");
    }
}

#[test]
fn parts_of_a_torn_record_are_no_records() {
    for cut in 1..WHOLE.len() {
        assert!(records(&WHOLE[..cut], false).is_empty(), "cut at {cut}");
    }
}

#[test]
fn a_torn_record_with_a_line_end_gives_none_of_its_parts() {
    for cut in 1..WHOLE.len() {
        assert!(records(&WHOLE[..cut], true).is_empty(), "cut at {cut}");
    }
}

#[test]
fn parts_of_a_record_damaged_in_the_middle_are_no_records() {
    let line = WHOLE.replacen("text\",\"text", "te\0\0\0\",\"text", 1);
    assert_ne!(line, WHOLE);
    assert!(records(&line, true).is_empty());
}

#[test]
fn glue_and_padding_are_seen_through() {
    let line = format!("\0\0{WHOLE}\0 \0{WHOLE}{WHOLE}\0");
    assert_eq!(records(&line, true), [WHOLE, WHOLE, WHOLE]);
    let line = format!("12:00 INFO {WHOLE}");
    assert_eq!(records(&line, true), [WHOLE]);
    assert_eq!(records(r#"{"a":1},"#, true), [r#"{"a":1}"#]);
}

#[test]
fn three_writers_on_one_line() {
    let line = format!("{}{WHOLE}{WHOLE}", r#"{"a":"#);
    assert_eq!(records(&line, true), [WHOLE, WHOLE]);
}

#[test]
fn hostile_lines_take_linear_time() {
    let shapes: [&str; 7] = [r#"{"a":"#, "{", r#"{"a":1,"#, r#"{"{"#, "{   ", r#"{"a":[{"b":{}},"#, r#"{"a":"{"#];
    for shape in shapes {
        let time = |size: usize| {
            let line = shape.repeat(size / shape.len());
            let clock = std::time::Instant::now();
            salvage(line.as_bytes(), true, &Shapes::default());
            clock.elapsed()
        };
        time(1 << 16);
        // Quadratic work would take 64 times as long for 8 times the bytes.
        let small = time(1 << 19).max(std::time::Duration::from_millis(2));
        let large = time(1 << 22);
        assert!(large < small * 40, "{shape}: {small:?}, then {large:?}");
    }
}
