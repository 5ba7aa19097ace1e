//! The scanner, raw JSON, texts.

use antiphon_model::json::{JsonKind, Scanner, decode_utf8};
use antiphon_model::{JsonErrorKind, RawJson, RawRef, Text};

fn raw(text: &str) -> RawJson {
    RawJson::parse(text).unwrap()
}

#[test]
fn numbers_keep_their_spelling() {
    for number in
        ["1.10", "1e400", "-0", "-0.0", "123456789012345678901234567890", "1E+2", "0.1e-7", "18446744073709551615"]
    {
        assert_eq!(raw(number).get(), number);
        assert_eq!(raw(&format!("{{\"n\":{number}}}")).member("n").unwrap().get(), number);
    }
    assert_eq!(raw("18446744073709551615").as_ref().as_u64(), Some(u64::MAX));
    assert_eq!(raw("18446744073709551616").as_ref().as_u64(), None);
    assert_eq!(raw("-9223372036854775808").as_ref().as_i64(), Some(i64::MIN));
    assert_eq!(raw("1.0").as_ref().as_u64(), None);
    assert_eq!(raw("\"1\"").as_ref().as_u64(), None);
}

#[test]
fn what_is_not_json_is_refused_with_its_place() {
    let cases: &[(&str, JsonErrorKind, usize)] = &[
        ("", JsonErrorKind::UnexpectedEnd, 0),
        ("  ", JsonErrorKind::UnexpectedEnd, 2),
        ("nul", JsonErrorKind::UnexpectedEnd, 3),
        ("nulL", JsonErrorKind::Expected("a JSON value"), 0),
        ("01", JsonErrorKind::TrailingCharacters, 1),
        ("-", JsonErrorKind::UnexpectedEnd, 1),
        ("1.", JsonErrorKind::UnexpectedEnd, 2),
        (".5", JsonErrorKind::Expected("a JSON value"), 0),
        ("+1", JsonErrorKind::Expected("a JSON value"), 0),
        ("1e", JsonErrorKind::UnexpectedEnd, 2),
        ("NaN", JsonErrorKind::Expected("a JSON value"), 0),
        ("'a'", JsonErrorKind::Expected("a JSON value"), 0),
        ("[1,]", JsonErrorKind::Expected("a JSON value"), 3),
        ("[1 2]", JsonErrorKind::Expected("`,` or `]`"), 3),
        ("[1}", JsonErrorKind::Expected("`,` or `]`"), 2),
        ("{\"a\" 1}", JsonErrorKind::Expected("`:`"), 5),
        ("{\"a\":1,}", JsonErrorKind::Expected("a key in quotes"), 7),
        ("{\"a\":1]", JsonErrorKind::Expected("`,` or `}`"), 6),
        ("{a:1}", JsonErrorKind::Expected("a key in quotes"), 1),
        ("\"a\nb\"", JsonErrorKind::ControlCharacter, 2),
        ("\"a\0\"", JsonErrorKind::ControlCharacter, 2),
        ("\"\\x\"", JsonErrorKind::InvalidEscape, 1),
        ("\"\\u12g4\"", JsonErrorKind::InvalidEscape, 1),
        ("\"\\u+123\"", JsonErrorKind::InvalidEscape, 1),
        ("\"abc", JsonErrorKind::UnexpectedEnd, 4),
        ("\"abc\\", JsonErrorKind::UnexpectedEnd, 4),
        ("1 2", JsonErrorKind::TrailingCharacters, 2),
        ("\u{feff}1", JsonErrorKind::Expected("a JSON value"), 0),
        ("\u{a0}1", JsonErrorKind::Expected("a JSON value"), 0),
        ("/* */1", JsonErrorKind::Expected("a JSON value"), 0),
    ];
    for (text, kind, offset) in cases {
        let error = RawRef::parse(text).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (kind, *offset), "{text:?}");
    }
    let error = RawRef::parse("{\n  \"a\": 1,\n  \"b\": x\n}").unwrap_err();
    assert_eq!((error.line(), error.column()), (3, 8));
    assert_eq!(error.to_string(), "expected a JSON value at line 3 column 8");
    let io: std::io::Error = RawRef::parse("[").unwrap_err().into();
    assert_eq!(io.kind(), std::io::ErrorKind::UnexpectedEof);
}

#[test]
fn the_scanner_stands_where_it_says() {
    let mut scanner = Scanner::new(" [1] {} \"x\" tail");
    assert_eq!(scanner.skip_value().unwrap().get(), "[1]");
    assert_eq!(scanner.offset(), 4);
    assert!(!scanner.eat(b'['));
    assert!(scanner.eat(b'{') && scanner.eat(b'}'));
    assert_eq!(scanner.skip_value().unwrap().get(), "\"x\"");
    assert_eq!(scanner.end().unwrap_err().offset(), 12);
    assert_eq!(scanner.peek(), Some(b't'));
}

#[test]
fn members_keep_order_and_repetition() {
    let object = raw(r#"{"b":1,"a":2,"b":3,"te\u0078t":4,"":5}"#);
    let keys: Vec<_> = object.members().map(|(key, value)| format!("{key}={value}")).collect();
    assert_eq!(keys, ["b=1", "a=2", "b=3", "text=4", "=5"]);
    assert_eq!(object.member("b").unwrap().get(), "3", "the last one, as most readers have it");
    assert_eq!(object.member("text").unwrap().get(), "4");
    assert!(object.member("c").is_none());
    assert_eq!(raw("[1, [2], {}]").elements().map(RawRef::get).collect::<Vec<_>>(), ["1", "[2]", "{}"]);
    assert_eq!(raw("[ ]").elements().count(), 0);
    assert_eq!(raw("3").members().count() + raw("3").elements().count(), 0);
}

#[test]
fn kinds() {
    let kinds: Vec<_> = ["null", "true", "-1", "\"\"", "[]", "{}"].iter().map(|t| raw(t).kind().name()).collect();
    assert_eq!(kinds, ["null", "boolean", "number", "string", "array", "object"]);
    assert_eq!(raw("false").as_ref().as_bool(), Some(false));
    assert!(raw("null").as_ref().is_null());
    assert_eq!(raw("{}").kind(), JsonKind::Object);
    assert!(raw(r#""a\u0062""#).as_ref().is_str("ab"));
    assert!(!raw("1").as_ref().is_str("1"));
}

#[test]
fn equivalence() {
    let same = |a: &str, b: &str| raw(a).as_ref().equivalent(raw(b).as_ref());
    assert!(same(r#"{"a":1,"b":[true, null]}"#, r#"{ "b":[true,null], "\u0061":1 }"#));
    assert!(same(r#""\ud83d\ude00""#, "\"😀\""));
    assert!(same(r#""\ud83d""#, r#""\uD83D""#));
    assert!(same(r#""\ud83d\/""#, r#""\uD83D/""#));
    assert!(!same(r#""\ud83d""#, r#""\ud83e""#));
    assert!(!same(r#""\ud83d\ufffd""#, r#""\ufffd\ud83d""#));
    assert!(!same(r#""\ud83d""#, r#""\ufffd""#));
    assert!(!same(r#"{"\ud83d":1,"\ud83e":2}"#, r#"{"\ud83e":2}"#));
    assert!(same(r#"{"\ufffd":1}"#, "{\"\u{fffd}\":1}"));
    assert!(same(r#"{"a":1,"a":2}"#, r#"{"a":2}"#), "the last one counts");
    assert!(!same("1.0", "1.00") && !same("1", "true") && !same("[1]", "[1,2]") && !same("[1,2]", "[1]"));
    assert!(!same(r#"{"a":null}"#, "{}"), "null is not absent");
}

#[test]
fn half_a_surrogate_pair_is_kept() {
    let text = raw(r#""a\ud83db\/""#).as_text().unwrap();
    assert_eq!(text, "a\u{fffd}b/");
    assert!(text.has_lone_surrogate());
    assert_eq!(text.to_json(), r#""a\ud83db\/""#, "as it came");
    assert_ne!(text, Text::from("a\u{fffd}b/"), "equal to read, not to write");
    let mut changed = text.clone();
    changed.make_mut().push('!');
    assert!(!changed.has_lone_surrogate());
    assert_eq!(changed.to_json(), "\"a\u{fffd}b/!\"");
    assert_eq!(
        raw(r#"{"k":"\ude00 \\ud83d"}"#).as_ref().without_lone_surrogates().unwrap().get(),
        r#"{"k":"\ufffd \\ud83d"}"#
    );
}

#[test]
fn every_control_character_is_escaped_and_del_is_not() {
    let all: String = ('\0'..='\u{80}').collect();
    let written = Text::from(all.as_str()).to_json();
    assert_eq!(written, serde_json::to_string(&all).unwrap());
    assert!(written.contains("\\u001f") && written.contains('\u{7f}') && written.contains("\\b"));
}

#[test]
fn conversions_of_text() {
    let from: Vec<Text> = vec![
        "a".into(),
        String::from("a").into(),
        (&String::from("a")).into(),
        'a'.into(),
        Box::<str>::from("a").into(),
    ];
    let owned = String::from("a");
    for text in &from {
        assert_eq!(*text, "a");
        assert_eq!("a", *text);
        assert_eq!(*text, owned);
        assert_eq!(owned, *text);
    }
    assert_eq!(String::from(Text::from("x")), "x");
    assert_eq!(Text::default(), "");
    assert_eq!(format!("{} {:?}", Text::from("x"), Text::from("x")), "x \"x\"");
    assert_eq!(Text::from("abc").len(), 3, "reads as a str");
}

#[test]
fn invalid_utf8_is_replaced_and_reported() {
    assert_eq!(decode_utf8("grün".as_bytes()).replaced, [0usize; 0]);
    let read = decode_utf8(b"\xf0\x9f\x98 x \xff\xfe");
    assert_eq!(read.text, "\u{fffd} x \u{fffd}\u{fffd}");
    assert_eq!(read.replaced, [0, 6, 7]);
    // A character cut at the end is one broken run.
    assert_eq!(decode_utf8(b"ab\xe2\x82").replaced, [2]);
}

#[test]
fn any_serialisable_value_becomes_raw_json() {
    assert_eq!(RawJson::from_serialize(&(1, "a\n", None::<()>)).unwrap().get(), r#"[1,"a\n",null]"#);
    let map = std::collections::BTreeMap::from([(vec![1], 1)]);
    let error = RawJson::from_serialize(&map).unwrap_err();
    assert!(matches!(error.kind(), JsonErrorKind::Shape(_)), "{error}");
    assert_eq!(raw("[1,2]").as_ref().deserialize::<Vec<u8>>().unwrap(), [1, 2]);
    assert!(raw("[1,2]").as_ref().deserialize::<String>().is_err());
}
