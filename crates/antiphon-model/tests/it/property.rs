//! What holds for any input.

use crate::generate::{Spelling, block, damaged, json, message, string};
use antiphon_model::json::{JsonKind, Scanner};
use antiphon_model::{Content, ContentBlock, JsonErrorKind, Message, RawJson, RawRef, Request, Text};
use proptest::prelude::*;
use serde_json::value::RawValue;

fn equivalent(a: &str, b: &str) -> bool {
    RawRef::parse(a).unwrap().equivalent(RawRef::parse(b).unwrap())
}

proptest! {
    #[test]
    fn a_message_leaves_as_it_came(text in message(Spelling::Any)) {
        let written = Message::from_json(&text).unwrap().to_json();
        prop_assert!(equivalent(&text, &written), "{text}\n{written}");
        let again = Message::from_json(&written).unwrap().to_json();
        prop_assert_eq!(&again, &written, "writing again changes nothing");
    }

    #[test]
    fn a_canonical_message_leaves_byte_for_byte(text in message(Spelling::Canonical)) {
        prop_assert_eq!(Message::from_json(&text).unwrap().to_json(), &*text);
        prop_assert_eq!(Message::from_raw(RawRef::parse(&text).unwrap()).to_json(), &*text);
    }

    #[test]
    fn a_block_leaves_as_it_came(text in block(Spelling::Any)) {
        let written = ContentBlock::from_json(&text).unwrap().to_json();
        prop_assert!(equivalent(&text, &written), "{text}\n{written}");
        prop_assert_eq!(ContentBlock::from_json(&written).unwrap().to_json(), written);
    }

    #[test]
    fn a_canonical_block_leaves_byte_for_byte(text in block(Spelling::Canonical)) {
        prop_assert_eq!(ContentBlock::from_json(&text).unwrap().to_json(), text);
    }

    #[test]
    fn content_leaves_as_it_came(text in json(Spelling::Any)) {
        let raw = RawJson::parse(&text).unwrap();
        let read = Content::from_raw(raw.as_ref());
        prop_assert_eq!(read.is_some(), matches!(raw.kind(), JsonKind::String | JsonKind::Array));
        if let Some(content) = read {
            prop_assert!(equivalent(&text, &content.to_json()));
        }
    }

    #[test]
    fn a_request_leaves_as_it_came(
        messages in prop::collection::vec(message(Spelling::Canonical), 0..4),
        system in prop_oneof![Just("null".to_owned()), json(Spelling::Canonical)],
        other in json(Spelling::Canonical),
        shape in 0..4u8,
    ) {
        let messages = messages.join(",");
        let text = match shape {
            0 => format!(r#"{{"system":{system},"messages":[{messages}],"tools":{other}}}"#),
            1 => format!(r#"{{"model":{other},"messages":[{messages}]}}"#),
            2 => format!(r#"{{"tools":[{other},{other}],"messages":[{messages}],"x":1.10,"x":1e1,"system":{system}}}"#),
            _ => format!(r#"{{"m\u0065ssages":[{messages}]}}"#),
        };
        prop_assert_eq!(Request::from_json(&text).unwrap().to_json(), text);
    }

    #[test]
    fn nothing_panics_and_one_verdict_for_all(text in damaged()) {
        let verdict = RawRef::parse(&text).map(|_| ()).map_err(|error| (error.kind().clone(), error.offset()));
        let message = Message::from_json(&text).map(|m| { m.walk().count(); }).map_err(|e| (e.kind().clone(), e.offset()));
        prop_assert_eq!(&message, &verdict);
        let block = ContentBlock::from_json(&text).map(|_| ()).map_err(|e| (e.kind().clone(), e.offset()));
        prop_assert_eq!(&block, &verdict);
        let known_shape = Request::from_json(&text).is_ok() || Request::from_messages_json(&text).is_ok();
        prop_assert!(!known_shape || verdict.is_ok());
        // serde_json, told to keep everything raw, agrees on what is JSON.
        prop_assert_eq!(serde_json::from_str::<&RawValue>(&text).is_ok(), verdict.is_ok(), "{}", text);
    }

    #[test]
    fn any_characters_at_all(text in "\\PC{0,40}|[\\[\\]{}:,\"\\\\0-9eE.+\\-truefalsn \n]{0,24}") {
        prop_assert_eq!(serde_json::from_str::<&RawValue>(&text).is_ok(), RawRef::parse(&text).is_ok(), "{}", text);
        let _ = Message::from_json(&text);
    }

    #[test]
    fn an_error_has_its_place(text in damaged()) {
        if let Err(error) = RawRef::parse(&text) {
            prop_assert!(error.offset() <= text.len());
            prop_assert!(text.is_char_boundary(error.offset()));
            let before = &text[..error.offset()];
            prop_assert_eq!(error.line(), before.matches('\n').count() + 1);
            prop_assert_eq!(error.column(), before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1);
        }
    }

    #[test]
    fn raw_json_keeps_the_bytes(text in json(Spelling::Any)) {
        let raw = RawJson::parse(&format!(" \n{text}\t ")).unwrap();
        prop_assert_eq!(raw.get(), text.trim_matches([' ', '\n', '\t', '\r']));
        prop_assert!(raw.as_ref().equivalent(raw.as_ref()));
        let members = raw.members().count();
        let elements = raw.elements().count();
        prop_assert!(members == 0 || raw.kind() == JsonKind::Object);
        prop_assert!(elements == 0 || raw.kind() == JsonKind::Array);
    }

    #[test]
    fn compacting_takes_only_white_space(text in json(Spelling::Any), canonical in json(Spelling::Canonical)) {
        let raw = RawRef::parse(&text).unwrap();
        let compact = raw.compact().into_owned();
        prop_assert!(equivalent(&text, &compact));
        prop_assert!(!compact.contains(['\n', '\r', '\t']));
        let again = RawRef::parse(&compact).unwrap().compact();
        prop_assert_eq!(&again, &compact);
        prop_assert!(matches!(RawRef::parse(&canonical).unwrap().compact(), std::borrow::Cow::Borrowed(text) if text == canonical));
    }

    #[test]
    fn a_message_is_written_on_one_line(text in message(Spelling::Any)) {
        let message = Message::from_json(&text).unwrap();
        let line = message.to_json_line();
        prop_assert!(!line.contains('\n') && equivalent(&text, &line));
    }

    #[test]
    fn strings_decode_as_serde_json_decodes_them(text in string(Spelling::Any)) {
        let raw = RawJson::parse(&text).unwrap();
        let decoded = raw.as_text().unwrap();
        match serde_json::from_str::<String>(raw.get()) {
            Ok(expected) => {
                prop_assert_eq!(decoded.as_str(), expected);
                prop_assert!(!decoded.has_lone_surrogate());
                prop_assert_eq!(raw.as_ref().lone_surrogates().count(), 0);
                prop_assert!(raw.as_ref().without_lone_surrogates().is_none());
            }
            Err(_) => {
                prop_assert!(decoded.has_lone_surrogate(), "{}", text);
                prop_assert_eq!(decoded.to_json(), raw.get());
                let clean = raw.as_ref().without_lone_surrogates().unwrap();
                prop_assert_eq!(serde_json::from_str::<String>(clean.get()).unwrap(), decoded.as_str());
                for at in raw.as_ref().lone_surrogates() {
                    prop_assert!(raw.get()[at..].to_lowercase().starts_with("\\ud"));
                }
            }
        }
    }

    #[test]
    fn strings_are_written_as_serde_json_writes_them(text in any::<String>()) {
        let written = Text::from(text.as_str()).to_json();
        prop_assert_eq!(&written, &serde_json::to_string(&text).unwrap());
        prop_assert_eq!(RawJson::string(&text).to_string(), written.as_str());
        prop_assert_eq!(RawJson::parse(&written).unwrap().as_text().unwrap(), text.as_str());
    }

    #[test]
    fn equivalence_agrees_with_serde_json(a in json(Spelling::Any), b in json(Spelling::Any)) {
        // Written again without white space and with other escapes it is the same value.
        if let Ok(value) = serde_json::from_str::<serde_json::Value>(&a)
            && !a.contains(['.', 'e', 'E']) && !a.contains("-0") && !a.contains(|c: char| c.is_ascii_digit())
        {
            prop_assert!(equivalent(&a, &value.to_string()), "{a}\n{value}");
            if let Ok(other) = serde_json::from_str::<serde_json::Value>(&b) {
                prop_assert_eq!(equivalent(&a, &b), value == other, "{}\n{}", a, b);
            }
        }
    }

    #[test]
    fn the_scanner_takes_values_one_after_another(values in prop::collection::vec(json(Spelling::Any), 0..5)) {
        let text = values.join(" ");
        let mut scanner = Scanner::new(&text);
        for value in &values {
            prop_assert_eq!(scanner.skip_value().unwrap().get(), &**value);
        }
        scanner.end().unwrap();
        let error = scanner.skip_value().unwrap_err();
        prop_assert_eq!(error.kind(), &JsonErrorKind::UnexpectedEnd);
    }

    #[test]
    fn edits_leave_valid_json_in_which_typed_fields_win(
        text in block(Spelling::Canonical),
        edits in prop::collection::vec((0..3u8, prop::sample::select(vec!["text", "type", "x", "content", "citations"])), 0..6),
    ) {
        let mut block = ContentBlock::from_json(&text).unwrap();
        let kind = block.type_name().to_owned();
        let Some(extra) = block.extra_mut() else { return Ok(()) };
        for (edit, key) in edits {
            match edit {
                0 => extra.insert(key, RawJson::string("edited")),
                1 => drop(extra.remove(key)),
                _ => extra.retain(|name, _| name != key),
            }
            prop_assert_eq!(extra.contains_key(key), edit == 0);
        }
        let repeated: Vec<String> = RawRef::parse(&text).unwrap().members().map(|(key, _)| key.into_owned()).collect();
        let written = RawJson::parse(&block.to_json()).unwrap();
        let keys: Vec<_> = written.members().map(|(key, _)| key.into_owned()).collect();
        for key in &keys {
            let before = repeated.iter().filter(|k| *k == key).count().max(1);
            prop_assert!(keys.iter().filter(|k| *k == key).count() <= before, "{key} is there twice: {written}");
        }
        prop_assert!(written.member("type").unwrap().is_str(&kind));
        if let ContentBlock::Text(block) = &block {
            prop_assert_eq!(written.member("text").unwrap().as_str().unwrap(), block.text.as_str());
        }
        prop_assert_eq!(ContentBlock::from_json(written.get()).unwrap().to_json(), written.get());
    }

    #[test]
    fn walks_agree(text in message(Spelling::Any)) {
        let mut message = Message::from_json(&text).unwrap();
        let seen: Vec<String> = message.walk().map(|item| item.block.type_name().to_owned()).collect();
        let top = message.walk().filter(|item| item.depth == 0).count();
        prop_assert_eq!(top, message.blocks().count());
        let mut seen_mut = Vec::new();
        message.walk_mut(|block| seen_mut.push(block.as_block_ref().type_name().to_owned()));
        prop_assert_eq!(seen, seen_mut);
        prop_assert_eq!(message.blocks_mut().count(), top);
    }
}
