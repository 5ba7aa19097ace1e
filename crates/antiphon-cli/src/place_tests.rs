use super::*;

fn place(text: &str, path: &[&str]) -> (u64, String, String) {
    let mut value = RawRef::parse(text).unwrap();
    for step in path {
        value = match step.parse::<usize>() {
            Ok(at) => value.elements().nth(at).unwrap(),
            Err(_) => value.member(step).unwrap(),
        };
    }
    let place = shown(text, value, 1);
    let line = text.lines().nth(usize::try_from(place.line).unwrap() - 1).unwrap();
    let start: String = line.chars().skip(place.column - 1).collect();
    assert!(start.starts_with(value.get().lines().next().unwrap()), "{start}");
    let marked = place.text.get(place.span).unwrap().to_owned();
    (place.line, place.text, marked)
}

#[test]
fn a_value_over_several_lines_is_shown_on_one() {
    let text = "{\n  \"a\": {\n    \"b c\": [1,\n 2]\n  },\n  \"d\": 3\n}";
    assert_eq!(place(text, &["a"]), (2, "  \"a\": {\"b c\":[1,2]},".into(), "{\"b c\":[1,2]}".into()));
    assert_eq!(place(text, &["a", "b c", "1"]), (4, " 2]".into(), "2".into()));
    assert_eq!(place(text, &["d"]), (6, "  \"d\": 3".into(), "3".into()));
}

#[test]
fn a_long_line_is_cut_around_the_value() {
    let text = format!("[\"{}\", \"here\", \"{}\"]", "x".repeat(5000), "ö".repeat(5000));
    let (line, shown, marked) = place(&text, &["1"]);
    assert_eq!((line, marked.as_str()), (1, "\"here\""));
    assert!(shown.starts_with("…x") && shown.ends_with("ö…"), "{shown}");
    assert_eq!(shown.chars().count(), WIDTH + 1);
    let (_, shown, marked) = place(&text, &["2"]);
    assert!(shown.ends_with('…') && shown.chars().count() <= WIDTH + 1, "{shown}");
    assert_eq!(marked.chars().count(), UNDERLINE);
}

#[test]
fn what_a_terminal_would_act_on_is_blank() {
    let place = excerpt("a\u{1b}[2J\u{9b}b\0\r\n".as_bytes(), 7);
    assert_eq!((place.line, place.text.as_str()), (7, "a [2J b   "));
    assert_eq!(place.span, 0..place.text.len());
}
