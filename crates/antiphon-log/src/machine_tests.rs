#![allow(clippy::string_slice)] // ASCII only

use super::{MAX_DEPTH, Machine, Step};

fn one(text: &str) -> Step {
    Machine::new().feed(text.as_bytes())
}

#[test]
fn whole_values_end_where_they_end() {
    for text in ["{}", "[]", r#"{"a":[1,-2.5e+3,true,false,null,"x\u00e9\n"],"b":{"c":{}}}"#, r#""text""#, "null"] {
        assert_eq!(one(text), Step::Done(text.len()), "{text}");
    }
    assert_eq!(one(r#"{"a":1}{"b":2}"#), Step::Done(7));
}

#[test]
fn cut_text_is_told_from_broken_text() {
    let text = r#"{"a":[1.5,true,"x\u00e9"],"b":{"c":null}}"#;
    for cut in 1..text.len() {
        let step = one(&text[..cut.min(text.len())]);
        assert!(matches!(step, Step::More | Step::InToken), "{cut}: {step:?}");
    }
    for (text, at) in [
        (r#"{"a" 1}"#, 5),
        ("{a:1}", 1),
        (r#"{"a":01}"#, 6),
        (r#"{"a":+1}"#, 5),
        (r#"{"a":1,}"#, 7),
        ("[1,]", 3),
        ("[1}", 2),
        (r#"{"a":"\x"}"#, 7),
        ("{\"a\":\"\u{1}\"}", 6),
        (r#"{"a":nulL}"#, 8),
    ] {
        assert_eq!(one(text), Step::Fail(at), "{text}");
    }
}

#[test]
fn it_goes_on_in_the_next_line() {
    let mut machine = Machine::new();
    assert_eq!(machine.feed(b"{"), Step::More);
    assert_eq!(machine.feed(b"  \"a\": ["), Step::More);
    assert_eq!(machine.feed(b"    {\"x\": 1},"), Step::More);
    assert_eq!(machine.feed(b"    2"), Step::More);
    assert_eq!(machine.feed(b"  ]"), Step::More);
    let before = 1 + 8 + 13 + 5 + 3;
    assert_eq!(machine.feed(b"}"), Step::Done(before + 1));
}

#[test]
fn depth_is_limited() {
    assert_eq!(one(&"[".repeat(MAX_DEPTH)), Step::More);
    assert_eq!(one(&"[".repeat(MAX_DEPTH + 1)), Step::TooDeep);
}

#[test]
fn the_last_nested_object_is_known() {
    let mut machine = Machine::new();
    assert_eq!(machine.feed(br#"{"a":{"b":1}"#), Step::More);
    assert_eq!(machine.last_object(), Some((5, 12)));
}
