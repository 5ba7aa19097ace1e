//! The cases as data: `ANTIPHON_CASES` names the folder, the copy in the repository is the default.

use antiphon_model::{Message, RawJson, RawRef, Request};
use std::path::PathBuf;

fn folder() -> PathBuf {
    std::env::var_os("ANTIPHON_CASES")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cases"), PathBuf::from)
}

fn round_trip(text: &str) -> String {
    if text.trim_start().starts_with('[') {
        let request = Request::from_messages_json(text).unwrap();
        format!("[{}]", request.messages.iter().map(Message::to_json).collect::<Vec<_>>().join(","))
    } else {
        Request::from_json(text).unwrap().to_json()
    }
}

#[test]
fn every_conversation_case_round_trips() {
    let (mut conversations, mut round_trips) = (0, 0);
    for entry in std::fs::read_dir(folder()).expect("the folder of cases") {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Some(stem) = name.strip_suffix(".expect.json") else { continue };
        let Ok(text) = std::fs::read_to_string(path.with_file_name(format!("{stem}.json"))) else { continue };
        let expect = RawJson::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let written = round_trip(&text);
        let (before, after) = (RawRef::parse(&text).unwrap(), RawRef::parse(&written).unwrap());
        assert!(before.equivalent(after), "{name}");
        conversations += 1;
        if expect.member("operation").is_some_and(|operation| operation.is_str("round-trip")) {
            // Number spelling, key order, unknown members and blocks: all of it, byte for byte.
            assert_eq!(after.compact(), before.compact(), "{name}");
            round_trips += 1;
        }
    }
    assert!(conversations > 0 && round_trips > 0, "no cases in the folder");
}

#[test]
fn what_the_two_cases_say_must_hold() {
    let read = |name: &str| {
        std::fs::read_to_string(folder().join(name)).map(|text| Request::from_messages_json(&text).unwrap())
    };
    let (Ok(numbers), Ok(server)) =
        (read("39-numbers-survive-round-trip.json"), read("40-server-blocks-round-trip.json"))
    else {
        println!("skipped: the folder has other cases");
        return;
    };
    let written = numbers.messages[1].to_json();
    let written = RawJson::parse(&written).unwrap();
    let input = written.member("content").unwrap().elements().next().unwrap().member("input").unwrap();
    let members: Vec<String> = input.members().map(|(key, value)| format!("{key}={value}")).collect();
    assert_eq!(
        members,
        [
            "order_id=1234567890123456789",
            "u64=18446744073709551615",
            "huge=123456789012345678901234567890",
            "ms=60000.0",
            "ratio=0.1",
            "exp=1e2",
        ]
    );
    let kinds: Vec<&str> = server.messages[1].blocks().map(antiphon_model::BlockRef::type_name).collect();
    assert_eq!(kinds, ["thinking", "server_tool_use", "tool_search_tool_result", "thinking", "tool_use"]);
    let extra = server.messages[1].blocks().nth(2).unwrap().member("x_future_field").unwrap();
    assert!(extra.member("keep").unwrap().as_bool().unwrap());
    assert_eq!(server.tool_uses().count(), 1, "a server tool's call is not one of the client's");
}
