//! Faults that can be repaired where they stand.

use super::Work;
use super::block::{self, Place, as_text};
use super::raw::wrapped;
use crate::conversation::Slot;
use crate::report::ChangeKind::{Moved, Removed, Replaced};
use antiphon_contract::{Finding, Path, Step};
use antiphon_model::Citation;
use antiphon_model::{BlockMut, Content, ContentBlock, JsonKind, Message, OtherBlock, RawJson, Role, Source, Text};
use std::collections::BTreeSet;

pub(super) const RULES: &[&str] = &[
    "lone-surrogate",
    "required-field",
    "foreign-block-type",
    "content-shape",
    "extra-field",
    "citation-file-id",
    "empty-text-block",
    "cache-control-on-empty-text",
    "whitespace-text-block",
    "empty-system",
    "empty-system-string",
    "system-message-content",
    "tool-use-name",
    "tool-input-not-object",
    "tool-result-block-type",
    "unknown-tool-reference",
    "error-result-empty",
    "error-result-not-text",
    "search-result-empty",
    "compaction-empty",
    "thinking-cache-control",
];

pub(super) const EMPTY_RULES: &[&str] = &["empty-message"];

/// Messages left without content are dropped. A run of its own, since other repairs leave them.
pub(super) fn run_empty(work: &mut Work<'_>, findings: &[Finding]) {
    let gone: BTreeSet<usize> = findings.iter().filter_map(|f| f.path.message_index()).collect();
    for index in &gone {
        work.add("empty-message", Removed, Path::message(*index), "a message without content");
    }
    let mut index = 0;
    work.slots.retain(|_| {
        index += 1;
        !gone.contains(&(index - 1))
    });
}

pub(super) fn run(work: &mut Work<'_>, findings: &[Finding]) {
    let mut drops: Vec<(&'static str, Place)> = Vec::new();
    let mut cleaned = BTreeSet::new();
    let mut moves: Vec<Place> = Vec::new();
    for finding in findings {
        let rule = finding.rule.id;
        let Some(place) = Place::of(&finding.path) else {
            outside_messages(work, finding);
            continue;
        };
        match rule {
            "lone-surrogate" if cleaned.insert(place.message) => surrogates(work, place.message),
            "lone-surrogate" => {}
            "empty-text-block" | "cache-control-on-empty-text" | "whitespace-text-block" if place.steps.is_empty() => {
                // A blank string as content: the message is left empty, and dropped by its own rule.
                if let Some(slot) = work.slots.get_mut(place.message)
                    && let Some(content) = block::top(&mut slot.message)
                {
                    *content = Content::from("");
                    work.add(rule, Removed, finding.path.clone(), "blank text");
                }
            }
            "cache-control-on-empty-text" => {}
            "empty-text-block"
            | "whitespace-text-block"
            | "unknown-tool-reference"
            | "compaction-empty"
            | "system-message-content" => drops.push((rule, place)),
            "search-result-empty" => search_result(work, &place, finding, &mut drops),
            "required-field" | "foreign-block-type" | "tool-result-block-type" => to_text(work, &place, finding),
            "content-shape" => content_shape(work, place.message, finding),
            "extra-field" => extra_field(work, &place, finding),
            "citation-file-id" => {
                if let Some(ContentBlock::Text(text)) = block::block(&mut work.slots, &place)
                    && let Some([Step::Field("citations"), Step::Index(at), ..]) = finding.path.steps().get(4..)
                    && text.citations.as_mut().and_then(|c| c.get_mut(*at)).is_some_and(Citation::remove_file_id)
                {
                    work.add(rule, Removed, finding.path.clone(), "`file_id`");
                }
            }
            "thinking-cache-control" => {
                let mark = block::block(&mut work.slots, &place).and_then(ContentBlock::remove_cache_control);
                if mark.is_some() {
                    work.add(rule, Removed, finding.path.clone(), "the cache mark of a thinking block");
                }
            }
            "tool-use-name" => tool_name(work, &place, finding),
            "tool-input-not-object" => tool_input(work, &place, finding),
            "error-result-empty" => {
                if let Some(result) = block::tool_result(&mut work.slots, &place) {
                    result.content = Some(Content::from("error"));
                    work.add(rule, Replaced, finding.path.clone(), "an error result without content says `error`");
                }
            }
            "error-result-not-text" => moves.push(place),
            _ => {}
        }
    }
    // Dropping shifts what the other places count; the rest is found again in the next round.
    if drops.is_empty() {
        out_of_results(work, moves);
    } else {
        drop_blocks(work, drops);
    }
}

fn outside_messages(work: &mut Work<'_>, finding: &Finding) {
    let rule = finding.rule.id;
    match (rule, finding.path.steps()) {
        ("empty-system-string", _) => {
            work.request.system = None;
            work.add(rule, Removed, finding.path.clone(), "an empty system prompt");
        }
        ("lone-surrogate", [Step::Field("system"), ..]) => {
            let mut touched = false;
            match &mut work.request.system {
                Some(Content::Text(text)) => touched = clean_text(text),
                Some(Content::Blocks(blocks)) => {
                    for block in blocks {
                        if let ContentBlock::Text(b) = block {
                            touched |= clean_text(&mut b.text);
                        }
                    }
                }
                None => {}
            }
            if touched {
                work.add(rule, Replaced, finding.path.clone(), "half a surrogate pair by U+FFFD");
            }
        }
        ("empty-system" | "system-message-content", [Step::Field("system"), Step::Index(at), ..]) => {
            // Indices shift as blocks go, so judge again instead of counting along.
            let Some(Content::Blocks(blocks)) = &mut work.request.system else { return };
            let before = blocks.len();
            if rule == "empty-system" {
                blocks.retain(|b| !matches!(b, ContentBlock::Text(t) if t.text.trim().is_empty()));
            } else {
                blocks.retain(|b| matches!(b, ContentBlock::Text(_)));
            }
            if blocks.len() < before {
                if blocks.is_empty() {
                    work.request.system = None;
                }
                work.add(rule, Removed, Path::top("system").index(*at), "a block of the system prompt");
            }
        }
        _ => {}
    }
}

fn drop_blocks(work: &mut Work<'_>, drops: Vec<(&'static str, Place)>) {
    for (rule, place) in &drops {
        let path = path_of(place);
        let kind = block::block(&mut work.slots, place).map(|b| b.type_name().to_owned()).unwrap_or_default();
        work.add(rule, Removed, path, format!("a {kind} block"));
    }
    block::remove(&mut work.slots, drops.into_iter().map(|(_, place)| place).collect());
}

pub(super) fn path_of(place: &Place) -> Path {
    place.steps.iter().fold(Path::message(place.message), |path, step| path.field("content").index(*step))
}

fn clean_text(text: &mut Text) -> bool {
    let odd = text.has_lone_surrogate();
    if odd {
        text.make_mut();
    }
    odd
}

fn clean_raw(raw: &mut RawJson) -> bool {
    match raw.as_ref().without_lone_surrogates() {
        Some(clean) => {
            *raw = clean;
            true
        }
        None => false,
    }
}

/// Half surrogate pairs of a message become U+FFFD. Thinking that holds one cannot be sent and must not
/// be altered, so it is left out.
fn surrogates(work: &mut Work<'_>, index: usize) {
    let Some(slot) = work.slots.get_mut(index) else { return };
    let mut touched = false;
    if let Message::Other(other) = &mut slot.message {
        touched = clean_raw(&mut other.raw);
    }
    slot.message.walk_mut(|block| match block {
        BlockMut::String(text) => touched |= clean_text(text),
        BlockMut::ToolUse(call) => touched |= clean_raw(&mut call.input),
        BlockMut::Block(block) => touched |= clean_block(block),
        BlockMut::ToolResult(_) => {}
    });
    if let Some(Content::Blocks(blocks)) = slot.message.content_mut() {
        let before = blocks.len();
        blocks.retain(|b| !matches!(b, ContentBlock::Thinking(t) if t.thinking.has_lone_surrogate()));
        touched |= blocks.len() < before;
    }
    if touched {
        work.add("lone-surrogate", Replaced, Path::message(index), "half a surrogate pair by U+FFFD");
    }
}

fn clean_block(block: &mut ContentBlock) -> bool {
    match block {
        ContentBlock::Text(b) => {
            let mut touched = clean_text(&mut b.text);
            for citation in b.citations.iter_mut().flatten() {
                if let Some(clean) = citation.raw().without_lone_surrogates() {
                    *citation = Citation::new(clean);
                    touched = true;
                }
            }
            touched
        }
        ContentBlock::ToolUse(b) => clean_raw(&mut b.input),
        ContentBlock::ServerToolUse(b) => clean_raw(&mut b.input),
        ContentBlock::ServerToolResult(b) => b.content.as_mut().is_some_and(clean_raw),
        ContentBlock::Other(b) => clean_raw(&mut b.raw),
        ContentBlock::Document(b) => {
            let mut touched = b.title.as_mut().is_some_and(clean_text);
            touched |= b.context.as_mut().is_some_and(clean_text);
            touched
                | match &mut b.source {
                    Source::Text(source) => clean_text(&mut source.data),
                    Source::Other(raw) => clean_raw(raw),
                    _ => false,
                }
        }
        _ => false,
    }
}

/// A block that cannot be sent as what it is stays as text.
fn to_text(work: &mut Work<'_>, place: &Place, finding: &Finding) {
    let detail = "a block that cannot be sent stays as text";
    if place.steps.is_empty() {
        // A flat record without what it requires.
        let Some(slot) = work.slots.get_mut(place.message) else { return };
        if let Message::Other(other) = &slot.message {
            let role = if other.role.as_deref() == Some("tool_use") { Role::Assistant } else { Role::User };
            let text = as_text(&ContentBlock::Other(OtherBlock { kind: String::new(), raw: other.raw.clone() }));
            slot.message = Message::turn(role, text);
            work.add(finding.rule.id, Replaced, finding.path.clone(), "a record that cannot be sent stays as text");
        }
        return;
    }
    if let Some(block) = block::block(&mut work.slots, place) {
        *block = as_text(block);
        work.add(finding.rule.id, Replaced, finding.path.clone(), detail);
    }
}

fn content_shape(work: &mut Work<'_>, index: usize, finding: &Finding) {
    let Some(slot) = work.slots.get_mut(index) else { return };
    let Message::Other(other) = &slot.message else { return };
    let role = match other.role.as_deref() {
        Some("assistant") => Role::Assistant,
        Some("system") => Role::System,
        _ => Role::User,
    };
    let content = match other.raw.member("content") {
        Some(raw) if raw.kind() == JsonKind::Object => Content::from(ContentBlock::from_raw(raw)),
        Some(raw) if !raw.is_null() => Content::from(raw.get()),
        _ => {
            slot.message = Message::turn(role, "");
            work.add(finding.rule.id, Replaced, finding.path.clone(), "a message without content");
            return;
        }
    };
    slot.message = Message::turn(role, content);
    work.add(finding.rule.id, Replaced, finding.path.clone(), "the content is a list now");
}

fn extra_field(work: &mut Work<'_>, place: &Place, finding: &Finding) {
    const HELPERS: &[&str] = antiphon_contract::SDK_HELPER_KEYS;
    let mut gone: Vec<String> = Vec::new();
    let mut strip = |extra: &mut antiphon_model::Extra, take: &dyn Fn(&str) -> bool| {
        gone.extend(extra.iter().map(|(key, _)| key.into_owned()).filter(|key| take(key)));
        extra.retain(|key, _| !take(key));
    };
    if place.steps.is_empty() {
        let Some(slot) = work.slots.get_mut(place.message) else { return };
        match &mut slot.message {
            Message::Other(other) => {
                // A repeated key: the last one counts, as the server reads it.
                let Some(content) = other.raw.member("content").and_then(Content::from_raw) else { return };
                let role = match other.role.as_deref() {
                    Some("assistant") => Role::Assistant,
                    Some("system") => Role::System,
                    _ => Role::User,
                };
                slot.message = Message::turn(role, content);
                work.add(finding.rule.id, Removed, finding.path.clone(), "a repeated key");
                return;
            }
            Message::System(m) => strip(&mut m.extra, &|key| !matches!(key, "output_config" | "clear_at")),
            Message::User(m) => strip(&mut m.extra, &|_| true),
            Message::Assistant(m) => strip(&mut m.extra, &|_| true),
            Message::ToolUse(m) => strip(&mut m.extra, &|key| HELPERS.contains(&key)),
            Message::ToolResult(m) => strip(&mut m.extra, &|key| HELPERS.contains(&key)),
        }
    } else if let Some(block) = block::block(&mut work.slots, place) {
        match block {
            ContentBlock::Other(other) => {
                for key in HELPERS {
                    if other.remove_member(key).is_some() {
                        gone.push((*key).to_owned());
                    }
                }
            }
            other => {
                if let Some(extra) = other.extra_mut() {
                    strip(extra, &|key| HELPERS.contains(&key));
                }
            }
        }
    }
    if !gone.is_empty() {
        work.add(finding.rule.id, Removed, finding.path.clone(), format!("the key `{}`", gone.join("`, `")));
    }
}

fn search_result(work: &mut Work<'_>, place: &Place, finding: &Finding, drops: &mut Vec<(&'static str, Place)>) {
    let Some(ContentBlock::SearchResult(result)) = block::block(&mut work.slots, place) else { return };
    let sound = |b: &ContentBlock| matches!(b, ContentBlock::Text(t) if !t.text.is_empty());
    if result.content.iter().any(sound) {
        result.content.retain(sound);
        work.add(finding.rule.id, Removed, finding.path.clone(), "what is no text in a search result");
    } else {
        drops.push((finding.rule.id, place.clone()));
    }
}

fn tool_name(work: &mut Work<'_>, place: &Place, finding: &Finding) {
    let Some(call) = block::tool_use(&mut work.slots, place) else { return };
    call.name = if call.name.is_empty() { "unknown_tool".to_owned() } else { call.name.chars().take(200).collect() };
    let detail = format!("the call is named `{}`", call.name);
    work.add(finding.rule.id, Replaced, finding.path.clone(), detail);
}

fn tool_input(work: &mut Work<'_>, place: &Place, finding: &Finding) {
    let Some(call) = block::tool_use(&mut work.slots, place) else { return };
    let inside = call.input.as_str().and_then(|text| RawJson::parse(&text).ok());
    call.input = match inside {
        Some(object) if object.kind() == JsonKind::Object => object,
        _ if call.input.as_ref().is_null() => RawJson::object(),
        _ => wrapped("value", call.input.as_ref()),
    };
    work.add(finding.rule.id, Replaced, finding.path.clone(), "the input is an object now");
}

/// What is not text in an error result goes behind the results of its message.
fn out_of_results(work: &mut Work<'_>, moves: Vec<Place>) {
    if moves.is_empty() {
        return;
    }
    for place in &moves {
        work.add("error-result-not-text", Moved, path_of(place), "a block out of an error result, behind it");
    }
    let mut inserts: Vec<(usize, ContentBlock)> = Vec::new();
    for (place, block) in block::remove(&mut work.slots, moves) {
        // A tool reference says nothing outside a result.
        let block =
            if matches!(block.type_name(), "image" | "document" | "search_result") { block } else { as_text(&block) };
        let parent =
            Place { message: place.message, steps: place.steps.split_last().map(|s| s.1.to_vec()).unwrap_or_default() };
        if let Some(result) = block::tool_result(&mut work.slots, &parent)
            && result.content.as_ref().is_none_or(Content::is_empty)
        {
            result.content = Some(Content::from("error"));
        }
        inserts.push((place.message, block));
    }
    // In order into turns; from the back behind flat results, which need a message of their own each.
    let mut flat = Vec::new();
    for (message, block) in inserts {
        match work.slots.get_mut(message).map(|slot| &mut slot.message) {
            Some(Message::User(user)) => user.content.make_blocks().push(block),
            _ => flat.push((message, block)),
        }
    }
    for (message, block) in flat.into_iter().rev() {
        work.slots.insert((message + 1).min(work.slots.len()), Slot::made(Message::turn(Role::User, block)));
    }
}
