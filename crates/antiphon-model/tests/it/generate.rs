//! JSON texts to test with: arbitrary, but with a liking for what the model knows.

use proptest::collection::vec;
use proptest::prelude::*;

/// How a text may be spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// No white space, escapes only where JSON needs them and in their short form, no half surrogate pairs.
    Canonical,
    /// Anything JSON allows.
    Any,
}

const KEYS: &[&str] = &[
    "type",
    "role",
    "content",
    "text",
    "id",
    "name",
    "input",
    "tool_use_id",
    "is_error",
    "source",
    "media_type",
    "data",
    "url",
    "file_id",
    "citations",
    "title",
    "context",
    "cache_control",
    "thinking",
    "signature",
    "tool_name",
    "usage",
    "model",
    "system",
    "messages",
    "tools",
    "x",
];

const NAMES: &[&str] = &[
    "user",
    "assistant",
    "system",
    "tool_use",
    "tool_result",
    "text",
    "image",
    "document",
    "search_result",
    "thinking",
    "redacted_thinking",
    "tool_reference",
    "server_tool_use",
    "mcp_tool_use",
    "web_search_tool_result",
    "container_upload",
    "compaction",
    "hologram",
    "base64",
    "url",
    "file",
    "content",
];

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,3})?",
        "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?",
    ]
}

/// The inside of a string.
fn inside(spelling: Spelling) -> BoxedStrategy<String> {
    let plain = "[a-z !#-&~\u{7f}é漢😀\u{2028}]{0,12}";
    match spelling {
        Spelling::Canonical => {
            let escape = prop::sample::select(vec!["\\n", "\\\"", "\\\\", "\\t", "\\u0001", "\\u001f", "\\b"]);
            (plain, escape, plain).prop_map(|(a, b, c)| a + b + &c).boxed()
        }
        Spelling::Any => {
            let escape = prop::sample::select(vec![
                "",
                "\\n",
                "\\\"",
                "\\\\",
                "\\/",
                "\\u0041",
                "\\u00e9",
                "\\u00E9",
                "\\ud83d\\ude00",
                "\\ud83d",
                "\\udE00",
                "\\ufffd",
                "\\u0000",
                "\\ud83d\\ud83d\\ude00",
                "\\\\ud83d",
            ]);
            vec((plain, escape), 0..4).prop_map(|parts| parts.into_iter().map(|(a, b)| a + b).collect()).boxed()
        }
    }
}

/// A string.
pub(crate) fn string(spelling: Spelling) -> BoxedStrategy<String> {
    inside(spelling).prop_map(|inside| format!("\"{inside}\"")).boxed()
}

fn key(spelling: Spelling) -> BoxedStrategy<String> {
    let known = prop::sample::select(KEYS).prop_map(str::to_owned);
    match spelling {
        Spelling::Canonical => prop_oneof![9 => known, 1 => inside(spelling)].boxed(),
        // The first letter escaped: another spelling of the same key.
        Spelling::Any => {
            let escaped =
                prop::sample::select(KEYS).prop_map(|key| format!("\\u{:04x}{}", key.as_bytes()[0], &key[1..]));
            prop_oneof![8 => known, 1 => escaped, 1 => inside(spelling)].boxed()
        }
    }
}

fn white(spelling: Spelling) -> BoxedStrategy<&'static str> {
    match spelling {
        Spelling::Canonical => Just("").boxed(),
        Spelling::Any => prop::sample::select(vec!["", "", "", " ", "\n", "\t\r\n "]).boxed(),
    }
}

fn object(value: BoxedStrategy<String>, spelling: Spelling) -> BoxedStrategy<String> {
    let name = prop::sample::select(NAMES).prop_map(|name| format!("\"{name}\""));
    let member = (key(spelling), value, name, 0..10u8, white(spelling)).prop_map(|(key, value, name, dice, white)| {
        let named = matches!(&*key, "type" | "role") && dice > 0;
        format!("{white}\"{key}\"{white}:{white}{}{white}", if named { name } else { value })
    });
    vec(member, 0..7).prop_map(|members| format!("{{{}}}", members.join(","))).boxed()
}

/// Any JSON text.
pub(crate) fn json(spelling: Spelling) -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("false".to_owned()),
        number(),
        string(spelling),
    ];
    leaf.prop_recursive(5, 40, 6, move |inner| {
        let list =
            (vec(inner.clone(), 0..5), white(spelling)).prop_map(|(items, w)| format!("[{w}{}{w}]", items.join(",")));
        prop_oneof![1 => list, 3 => object(inner.boxed(), spelling)]
    })
    .boxed()
}

/// An object of one of the known kinds with all it needs and more, in any order, perhaps twice.
fn known(tag: &'static str, spelling: Spelling) -> BoxedStrategy<String> {
    let fields = (
        prop::sample::select(NAMES),
        vec(string(spelling), 12),
        json(spelling),
        vec((key(spelling), json(spelling)), 0..3),
        vec(json(spelling), 0..3),
        any::<[bool; 4]>(),
    );
    fields
        .prop_flat_map(move |(name, s, any, extra, list, flags)| {
            let mut members = vec![(tag.to_owned(), format!("\"{name}\""))];
            let mut add = |key: &str, value: &str| members.push((key.to_owned(), value.to_owned()));
            let content = if flags[0] { format!("[{}]", list.join(",")) } else { s[0].clone() };
            match name {
                "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                    add("id", &s[1]);
                    add("name", &s[2]);
                    add("input", &any);
                }
                "tool_result" | "web_search_tool_result" => {
                    add("tool_use_id", &s[1]);
                    add("content", if flags[1] { "null" } else { &content });
                    add("is_error", if flags[2] { "true" } else { "null" });
                }
                "image" | "document" => {
                    let source = format!(r#"{{"type":"base64","media_type":{},"data":{}}}"#, s[3], s[4]);
                    let nested = format!(r#"{{"type":"content","content":{content}}}"#);
                    add("source", if flags[3] { &source } else { &nested });
                    add("title", &s[5]);
                }
                "search_result" => {
                    add("source", &s[6]);
                    add("title", &s[7]);
                    add("content", &format!("[{}]", list.join(",")));
                }
                "text" => add("text", &s[8]),
                "thinking" => {
                    add("thinking", &s[9]);
                    add("signature", &s[10]);
                }
                _ => add("content", &content),
            }
            members.extend(extra);
            Just(members).prop_shuffle()
        })
        .prop_map(|members| {
            let members: Vec<_> = members.into_iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
            format!("{{{}}}", members.join(","))
        })
        .boxed()
}

/// A block, mostly a good one.
pub(crate) fn block(spelling: Spelling) -> BoxedStrategy<String> {
    prop_oneof![3 => known("type", spelling), 1 => json(spelling)].boxed()
}

/// A message, mostly a good one.
pub(crate) fn message(spelling: Spelling) -> BoxedStrategy<String> {
    let turn = (
        prop::sample::select(vec!["user", "assistant", "system"]),
        vec(block(spelling), 0..4),
        key(spelling),
        json(spelling),
    )
        .prop_map(|(role, blocks, key, value)| {
            format!(r#"{{"role":"{role}","content":[{}],"{key}":{value}}}"#, blocks.join(","))
        });
    prop_oneof![4 => turn, 2 => known("role", spelling), 1 => json(spelling)].boxed()
}

/// JSON text with some damage, or none.
pub(crate) fn damaged() -> BoxedStrategy<String> {
    let text = prop_oneof![json(Spelling::Any), message(Spelling::Any)];
    (
        text,
        vec(
            (any::<prop::sample::Index>(), any::<Option<char>>(), "[\\[\\]{}:,\"\\\\0-9eE.+\\-tfnu \u{1}\u{b}]{0,2}"),
            0..3,
        ),
    )
        .prop_map(|(text, edits)| {
            let mut chars: Vec<char> = text.chars().collect();
            for (at, any, some) in edits {
                let at = at.index(chars.len() + 1);
                match any {
                    Some(c) if c.is_alphabetic() => chars.truncate(at),
                    Some(c) => chars.insert(at, c),
                    None if at < chars.len() => {
                        chars.splice(at..=at, some.chars());
                    }
                    None => chars.extend(some.chars()),
                }
            }
            chars.into_iter().collect()
        })
        .boxed()
}
